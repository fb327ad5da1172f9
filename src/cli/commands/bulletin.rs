//! `ferz bulletin`: many games with diagrams as one page for paper.

use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs, each_file, each_game, styles};
use crate::cli::session::Session;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::board::{Mask, Owner};
use ferz::diagram::text::by_history;
use ferz::diagram::{Options as Drawing, PieceSet, escaped, svg};
use ferz::notation::Style;
use ferz::record::heading::{occasion, players};
use ferz::record::{ItemKind, Record};
use ferz::replay::{Replayer, Source, Trace, summary, trace, with_trace};
use ferz::rewrite::{ConvertOptions, convert};
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records, plain or compressed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Heading of the page
    #[arg(long, value_name = "TEXT", default_value = "Bulletin")]
    title: String,

    /// Write the moves in this style
    #[arg(long, value_name = "STYLE", default_value = "san", value_parser = styles(), ignore_case = true)]
    to: Style,

    /// Draw a diagram after every N plies too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    every: Option<u16>,

    /// Piece set; impromptu pieces are built from chessmen and draughtsmen (IAGO)
    #[arg(long, value_name = "SET", default_value = "standard", value_parser = sets())]
    pieces: PieceSet,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

const EXAMPLES: &str = "\
Writes one HTML page without scripts or other files; print it with a browser. Each game has its moves and the final \
position, or the one before the first illegal ply with the reason. A diagram is also drawn where the record asks for \
one with $220 or $221 (from Black's side).
Exit codes: 0 every game is legal, 1 some are not, 2 usage or I/O error.

Examples:
  ferz bulletin round-1.pgn > round-1.html
  ferz bulletin --title 'Club championship, round 1' --every 20 round-1.pgn > round-1.html";

/// NAGs that ask for a diagram, from White's side and from Black's.
const DIAGRAM: [u16; 2] = [220, 221];

/// For paper: two columns, nothing torn apart.
const STYLE: &str = "@page{margin:15mm}body{font:10.5pt/1.4 Georgia,serif;max-width:60em;margin:1em auto;padding:0 1em}\
    h1{font-size:1.5em}h2{font-size:1.1em;margin:0}main{columns:2 20em;column-gap:2em}article{margin-bottom:2em}\
    header,figure{break-inside:avoid;break-after:avoid}figure{margin:.7em 0;text-align:center}\
    figure svg{width:70%;max-width:16em;height:auto}figcaption{font-size:.85em}.occasion,.verdict{margin:0;color:#444}\
    .moves{overflow-wrap:anywhere}.fault{font-weight:bold;color:#000}";

fn sets() -> impl TypedValueParser<Value = PieceSet> {
    PossibleValuesParser::new(PieceSet::ALL.map(PieceSet::name)).try_map(|name| name.parse::<PieceSet>())
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let title = escaped(&args.title);
    session.console.text(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{title}</h1>\n<main>\n"
    ))?;
    let mut findings = false;
    let written = each_file(&args.files, session, |session, file| {
        let article = |replayer: &mut Replayer<'_>, record: &Record<'_>, source: &Source<'_>| {
            Article::new(args, replayer, record, source)
        };
        let write = |console: &mut Console, _: &str, number, article: Article| {
            findings |= !article.is_legal;
            article.write(number, console)
        };
        let missing = each_game((&args.read, &args.letters), session, file, article, write)?;
        findings |= missing > 0;
        Ok(())
    });
    session.console.text("</main>\n</body>\n</html>\n")?;
    written.map(|()| ExitStatus::of(findings))
}

/// One game of the page.
struct Article {
    /// Who played; `None` if the record does not say.
    players: Option<String>,
    occasion: String,
    verdict: String,
    is_legal: bool,
    moves: String,
    /// Drawings with their captions.
    diagrams: Vec<(String, String)>,
}

impl Article {
    fn new(args: &Args, replayer: &mut Replayer<'_>, record: &Record<'_>, source: &Source<'_>) -> Article {
        let converted = convert(replayer, record, source, 0, &ConvertOptions::new(args.to));
        let text = converted.text.split_once("\n\n").map_or(&*converted.text, |(_, moves)| moves);
        let diagrams = match trace(replayer, record, source, 0) {
            Ok(traced) => with_trace!(traced, |trace| diagrams(args, record, &trace)),
            Err(_) => Vec::new(),
        };
        let report = &converted.report;
        let line = summary::line(report);
        let named = record.tag("White").or(record.tag("Black")).or(record.tag("Event"));
        Article {
            players: named.map(|_| players(record, 0)),
            occasion: occasion(record),
            verdict: line.split_once(": ").map_or(line.clone(), |(_, rest)| rest.to_owned()),
            is_legal: report.legal,
            moves: text.trim().to_owned(),
            diagrams,
        }
    }

    fn write(&self, number: usize, console: &mut Console) -> Result<(), Failure> {
        let players = self.players.clone().unwrap_or_else(|| format!("Game {number}"));
        let fault = if self.is_legal { "" } else { " fault" };
        console.text(&format!(
            "<article>\n<header>\n<h2>{}</h2>\n<p class=\"occasion\">{}</p>\n<p class=\"verdict{fault}\">{}</p>\n\
             </header>\n<p class=\"moves\">{}</p>\n",
            escaped(&players),
            escaped(&self.occasion),
            escaped(&self.verdict),
            escaped(&self.moves)
        ))?;
        for (drawing, caption) in &self.diagrams {
            let caption = escaped(caption);
            console.text(&format!("<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>\n"))?;
        }
        console.text("</article>\n")
    }
}

/// The diagrams of a game: those asked for, and the last position.
fn diagrams<M: Mask>(args: &Args, record: &Record<'_>, trace: &Trace<M>) -> Vec<(String, String)> {
    let plies = trace.plies.len();
    let asked = asked(record, trace);
    let every = args.every.map(usize::from);
    let is_wanted = |ply: usize| every.is_some_and(|every| ply > 0 && ply.is_multiple_of(every));
    let mut drawn = Vec::new();
    let mut position = trace.start.clone();
    for ply in 0..=plies {
        let seen_from = asked.iter().find(|(asked, _)| *asked == ply).map(|(_, owner)| *owner);
        if ply == plies || is_wanted(ply) || seen_from.is_some() {
            let illegal = trace.report.illegal.as_ref().filter(|_| ply == plies);
            let board = position.rules().board();
            let squares = illegal.iter().flat_map(|illegal| &illegal.squares);
            let options = Drawing {
                last: ply.checked_sub(1).map(|last| trace.plies[last].ply),
                marked: M::of(squares.filter_map(|name| board.parse_square(name))),
                pieces: args.pieces,
                seen_by: seen_from.unwrap_or(Owner::White),
                ..Drawing::default()
            };
            let end = trace.report.end.filter(|end| end.ply == ply);
            let caption = match (illegal, end) {
                (Some(illegal), _) => format!(
                    "Ply {}, {}, is illegal: {} [{}]",
                    illegal.ply, illegal.text, illegal.reason, illegal.rule
                ),
                (None, Some(end)) => format!("After ply {ply}: {}", by_history(end)),
                (None, None) if ply == plies => format!("Final position, after ply {ply}"),
                (None, None) => format!("After ply {ply}"),
            };
            drawn.push((svg(&position, &options), caption));
        }
        trace.make(ply, &mut position);
    }
    drawn
}

/// The plies of the main line after which the record asks for a diagram, each with the player at the bottom.
fn asked<M: Mask>(record: &Record<'_>, trace: &Trace<M>) -> Vec<(usize, Owner)> {
    let (mut asked, mut index) = (Vec::new(), 0);
    while let Some(item) = record.items.get(index) {
        index = match item.kind {
            // Diagrams of variations are not drawn.
            ItemKind::VariationStart { end } => end as usize,
            ItemKind::Nag { value, .. } if DIAGRAM.contains(&value) => {
                let ply = trace.plies.partition_point(|traced| traced.item < index);
                asked.push((ply, if value == DIAGRAM[1] { Owner::Black } else { Owner::White }));
                index
            }
            _ => index,
        } + 1;
    }
    asked
}
