//! `ferz compare`: compares two records of a game.

use crate::cli::loaded::Loaded;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs};
use crate::cli::session::{Session, hint_below};
use ferz::board::{Mask, by_width};
use ferz::diagram::text::{Pieces, board};
use ferz::position::Position;
use ferz::record::Record;
use ferz::replay::summary::why_not_judged;
use ferz::replay::{AnyGame, Game, Replayer};
use ferz::rewrite::{
    Comparison, Parting, compare, continuations_in_words, parting_ply_in_words, relation_in_words,
    side_in_words,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records to compare, in PGN or JSON: two files, or one with both; `-` for standard input
    #[arg(required = true, num_args = 1..=2, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Numbers of the games in the files, from 1 [default: the first of each, or 1,2 of one file]
    #[arg(long, value_name = "A,B", value_parser = numbers)]
    games: Option<(usize, usize)>,

    /// Output: text, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text with positions
    Text,
    /// For programs
    Json,
}

const EXAMPLES: &str = "\
Two records are of the same game if rules, start and plies are the same, in any notation.
Exit codes: 0 the same game, 1 another game, or one continues, 2 usage or I/O error.

Examples:
  ferz compare white.pgn black.pgn
  ferz compare --games 3,7 round1.pgn
  ferz compare --format json white.pgn black.ndjson | jq .parting";

fn numbers(text: &str) -> Result<(usize, usize), String> {
    let pair = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    pair.filter(|(a, b)| *a > 0 && *b > 0).ok_or_else(|| "write two numbers from 1: `--games 1,2`".to_owned())
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if args.files.len() == 2 && args.files.iter().all(|file| file == Path::new("-")) {
        return Err(Failure::message(
            "standard input can be only one of the two; name a file for the other, or give a single `-` for an input \
             with both",
        ));
    }
    let first = Loaded::open(&args.files[0])?;
    let second = args.files.get(1).map(|path| Loaded::open(path)).transpose()?;
    let numbers = args.games.unwrap_or(if second.is_some() { (1, 1) } else { (1, 2) });
    let options = args.read.options(session, &args.letters.language, false)?;
    let (console, registry) = session.parts();
    let mut replayer = Replayer::new(registry, options);
    let other = second.as_ref().unwrap_or(&first);
    let (a, a_source) = first.record(numbers.0, "--games")?;
    let (b, b_source) = other.record(numbers.1, "--games")?;
    let mut found = compare(&mut replayer, (&a, &a_source), (&b, &b_source));
    found.a.report.set_game(numbers.0 - 1);
    found.b.report.set_game(numbers.1 - 1);
    match args.format {
        Format::Json => console.json(&found)?,
        Format::Text => {
            let names = [(&first.name, numbers.0), (&other.name, numbers.1)];
            for (side, name, of) in [("A", names[0], &found.a), ("B", names[1], &found.b)] {
                console.line(format!("{side}: {} game {}: {}", name.0, name.1, side_in_words(of)))?;
                if let Some(why) = why_not_judged(&of.report) {
                    let hint = hint_below(&of.report, registry);
                    console
                        .note(&format!("{}: game {}: {}: {}{hint}", name.0, name.1, why.code, why.message))?;
                }
            }
            for line in lines(&found) {
                console.line(line)?;
            }
            if let Some(parting) = &found.parting {
                parting_lines(console, &mut replayer, &a, parting)?;
            }
            let later = continuations_in_words(&found);
            if !later.is_empty() {
                console.line("")?;
            }
            for line in later {
                console.line(line)?;
            }
        }
    }
    Ok(ExitStatus::of(!found.same))
}

/// The relation of the records, and their differing tags.
fn lines(found: &Comparison) -> Vec<String> {
    let value =
        |value: &Option<String>| value.as_ref().map_or("(none)".to_owned(), |value| format!("\"{value}\""));
    let tags =
        found.tags.iter().map(|tag| format!("tag {}: A {}, B {}", tag.name, value(&tag.a), value(&tag.b)));
    std::iter::once(relation_in_words(found)).chain(tags).collect()
}

fn parting_lines(
    console: &mut Console,
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    parting: &Parting,
) -> Result<(), Failure> {
    console.line("")?;
    console.line(format!("before ply {}:", parting.ply))?;
    if let Ok(any) = replayer.game(record) {
        let drawn = by_width!(AnyGame, &any, |game| drawing(game, &parting.fen));
        console.text(&drawn)?;
    }
    console.line(&parting.fen)?;
    console.line("")?;
    for (name, ply) in [("A", &parting.a), ("B", &parting.b)] {
        console.line(format!("{name}: {}", parting_ply_in_words(ply.as_ref())))?;
    }
    Ok(())
}

/// The position at the divergence, drawn.
fn drawing<M: Mask>(game: &Game<M>, fen: &str) -> String {
    let position = Position::from_fen(Arc::clone(&game.rules), fen);
    position.map_or_else(|_| String::new(), |position| board(&position, Pieces::Letters))
}
