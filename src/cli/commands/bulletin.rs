//! `ferz bulletin`: many games with diagrams as one page for paper.

use crate::bulletin::{Article, Look, TITLE, diagrams, foot, head};
use crate::cli::output::{Console, ExitStatus, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs, each_file, each_game, styles};
use crate::cli::session::Session;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::diagram::PieceSet;
use ferz::notation::Style;
use ferz::record::Record;
use ferz::replay::{Replayer, Source};
use ferz::text::{Budget, Exhausted};
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records, plain or compressed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Heading of the page
    #[arg(long, value_name = "TEXT", default_value = TITLE)]
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
one with $220 or $221 (from Black's side), or draws circles and arrows with `[%csl …]` and `[%cal …]`. Other commands \
in comments are left out. At the end each event with several games has its crosstable.
Exit codes: 0 every game is legal, 1 some are not, 2 usage or I/O error.

Examples:
  ferz bulletin round-1.pgn > round-1.html
  ferz bulletin --title 'Club championship, round 1' --every 20 round-1.pgn > round-1.html";

fn sets() -> impl TypedValueParser<Value = PieceSet> {
    PossibleValuesParser::new(PieceSet::ALL.map(PieceSet::name)).try_map(|name| name.parse::<PieceSet>())
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    session.console.text(&head(&args.title))?;
    let look = Look { to: args.to, every: args.every, pieces: args.pieces };
    let (mut findings, mut results) = (false, Vec::new());
    let written = each_file(&args.files, session, |session, file| {
        let article =
            |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, source: &Source<'_>| {
                Budget::endless(|budget| {
                    let article = Article::new(&look, replayer, record, source, budget)?;
                    let mut drawn = String::new();
                    let mut write = |diagram: &str| {
                        drawn.push_str(diagram);
                        Ok::<(), Exhausted>(())
                    };
                    diagrams(&look, replayer, record, source, budget, &mut write)?;
                    Ok((article, drawn))
                })
            };
        let write = |console: &mut Console, _: &str, number, (article, drawn): (Article, String)| {
            findings |= !article.is_legal;
            results.extend(article.result.clone());
            console.text(&[&article.head(number), &*drawn, Article::END].concat())
        };
        let missing = each_game((&args.read, &args.letters), session, file, || (), article, write)?;
        findings |= missing > 0;
        Ok(())
    });
    session.console.text(&foot(&results))?;
    written.map(|()| ExitStatus::of(findings))
}
