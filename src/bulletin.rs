//! Bulletins: many games with their verdicts and diagrams as one page for paper, for the command and for the service.

use ferz::board::{Mask, Owner};
use ferz::diagram::text::by_history;
use ferz::diagram::{Options as Drawing, PieceSet, escaped, svg};
use ferz::notation::Style;
use ferz::record::heading::{occasion, players};
use ferz::record::{ItemKind, Record};
use ferz::replay::{Replayer, Source, Trace, summary, trace_within, with_trace};
use ferz::rewrite::{ConvertOptions, convert_within};
use ferz::text::{Budget, Exhausted};

/// NAGs that ask for a diagram, from White's side and from Black's.
const DIAGRAM: [u16; 2] = [220, 221];

/// For paper: two columns, nothing torn apart.
const STYLE: &str = "@page{margin:15mm}body{font:10.5pt/1.4 Georgia,serif;max-width:60em;margin:1em auto;padding:0 1em}\
    h1{font-size:1.5em}h2{font-size:1.1em;margin:0}main{columns:2 20em;column-gap:2em}article{margin-bottom:2em}\
    header,figure{break-inside:avoid;break-after:avoid}figure{margin:.7em 0;text-align:center}\
    figure svg{width:70%;max-width:16em;height:auto}figcaption{font-size:.85em}.occasion,.verdict{margin:0;color:#444}\
    .moves{overflow-wrap:anywhere}.fault{font-weight:bold;color:#000}";

/// The heading of a page without one of its own.
pub(crate) const TITLE: &str = "Bulletin";

/// The end of a page.
pub(crate) const FOOT: &str = "</main>\n</body>\n</html>\n";

/// What the games of a page look like.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    /// The style of the moves.
    pub(crate) to: Style,
    /// Draw a diagram after every so many plies too.
    pub(crate) every: Option<u16>,
    /// The piece set.
    pub(crate) pieces: PieceSet,
}

/// The begin of a page.
pub(crate) fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{title}</h1>\n<main>\n"
    )
}

/// The words of one game.
#[derive(Debug)]
pub(crate) struct Article {
    /// Who played; `None` if the record does not say.
    players: Option<String>,
    occasion: String,
    verdict: String,
    /// Every ply is legal.
    pub(crate) is_legal: bool,
    moves: String,
}

impl Article {
    /// The words of a game.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(crate) fn new(
        look: &Look,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Article, Exhausted> {
        let converted = convert_within(replayer, record, source, 0, &ConvertOptions::new(look.to), budget)?;
        let text = converted.text.split_once("\n\n").map_or(&*converted.text, |(_, moves)| moves);
        let report = &converted.report;
        let line = summary::line(report);
        let named = record.tag("White").or(record.tag("Black")).or(record.tag("Event"));
        Ok(Article {
            players: named.map(|_| players(record, 0)),
            occasion: occasion(record),
            verdict: line.split_once(": ").map_or(line.clone(), |(_, rest)| rest.to_owned()),
            is_legal: report.legal,
            moves: text.trim().to_owned(),
        })
    }

    /// The begin of the game on the page; its [`diagrams`] and [`Article::END`] follow.
    pub(crate) fn head(&self, number: usize) -> String {
        let players = self.players.clone().unwrap_or_else(|| format!("Game {number}"));
        let fault = if self.is_legal { "" } else { " fault" };
        format!(
            "<article>\n<header>\n<h2>{}</h2>\n<p class=\"occasion\">{}</p>\n<p class=\"verdict{fault}\">{}</p>\n\
             </header>\n<p class=\"moves\">{}</p>\n",
            escaped(&players),
            escaped(&self.occasion),
            escaped(&self.verdict),
            escaped(&self.moves)
        )
    }

    /// The end of the game on the page.
    pub(crate) const END: &str = "</article>\n";
}

/// Writes the diagrams of a game, each as soon as it is drawn: those that the record asks for, and the last position.
///
/// # Errors
/// If the budget ends before the work, or a diagram cannot be written.
pub(crate) fn diagrams<E: From<Exhausted>>(
    look: &Look,
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    budget: &Budget,
    write: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    match trace_within(replayer, record, source, 0, budget)? {
        Ok(traced) => with_trace!(traced, |trace| draw(look, record, &trace, budget, write)),
        Err(_) => Ok(()),
    }
}

/// Budget units of a diagram.
const UNITS_DIAGRAM: u64 = 256;

fn draw<M: Mask, E: From<Exhausted>>(
    look: &Look,
    record: &Record<'_>,
    trace: &Trace<M>,
    budget: &Budget,
    write: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let plies = trace.plies.len();
    let asked = asked(record, trace);
    let every = look.every.map(usize::from);
    let is_wanted = |ply: usize| every.is_some_and(|every| ply > 0 && ply.is_multiple_of(every));
    let mut position = trace.start.clone();
    for ply in 0..=plies {
        // The plies are in order, and each is asked for at most a few times.
        let seen_from = asked[asked.partition_point(|(asked, _)| *asked < ply)..].first();
        let seen_from = seen_from.filter(|(asked, _)| *asked == ply).map(|(_, owner)| *owner);
        if ply == plies || is_wanted(ply) || seen_from.is_some() {
            budget.spend(UNITS_DIAGRAM)?;
            let illegal = trace.report.illegal.as_ref().filter(|_| ply == plies);
            let board = position.rules().board();
            let squares = illegal.iter().flat_map(|illegal| &illegal.squares);
            let options = Drawing {
                last: ply.checked_sub(1).map(|last| trace.plies[last].ply),
                marked: M::of(squares.filter_map(|name| board.parse_square(name))),
                pieces: look.pieces,
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
            let (drawing, caption) = (svg(&position, &options), escaped(&caption));
            write(&format!("<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>\n"))?;
        }
        trace.make(ply, &mut position);
    }
    Ok(())
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
