//! `ferz compare`: compares two records of a game.

use crate::board::{Mask, by_width};
use crate::cli::loaded::Loaded;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs, json_line};
use crate::cli::session::{Session, hint_below};
use crate::diagram::text::{Pieces, board};
use crate::position::Position;
use crate::record::Record;
use crate::replay::summary::{counted, why_not_judged};
use crate::replay::{AnyGame, Game, Replayer};
use crate::rewrite::{Comparison, Fit, Parting, Relation, Side, compare};
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
        Format::Json => console.line(json_line(&found)?)?,
        Format::Text => {
            let names = [(&first.name, numbers.0), (&other.name, numbers.1)];
            for (side, name, of) in [("A", names[0], &found.a), ("B", names[1], &found.b)] {
                console.line(format!("{side}: {}", side_line(name, of)))?;
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
            for line in continuations(&found) {
                console.line(line)?;
            }
        }
    }
    Ok(ExitStatus::of(!found.same))
}

fn side_line((name, number): (&String, usize), side: &Side) -> String {
    let report = &side.report;
    let verdict = match &report.illegal {
        Some(illegal) => format!("illegal at ply {}", illegal.ply),
        None if report.legal => format!("legal, {}", counted(report.plies, "ply", "plies")),
        None => "not judged".to_owned(),
    };
    let result = report.result_tag.map_or_else(String::new, |result| format!(", result {result}"));
    format!("{name} game {number}: {}: {verdict}{result}", report.variant)
}

/// The relation of the records, and their differing tags.
fn lines(found: &Comparison) -> Vec<String> {
    let plies = counted(found.common, "ply", "plies");
    let ended = |in_a: bool| if in_a { "A" } else { "B" };
    let relation = match found.relation {
        Relation::Same => format!("the same game: {plies}"),
        Relation::Prefix => {
            let a_ends = found.parting.as_ref().is_some_and(|parting| parting.a.is_none());
            let (short, long) = (ended(a_ends), ended(!a_ends));
            format!("{short} ends after {plies}, and {long} continues")
        }
        Relation::Parted => format!("the records diverge after {plies}"),
        Relation::OtherStart => "the records start from different positions".to_owned(),
        Relation::OtherRules => {
            "the records are of different games, or of different editions of one".to_owned()
        }
        Relation::NotJudged => "a record could not be judged".to_owned(),
    };
    let value =
        |value: &Option<String>| value.as_ref().map_or("(none)".to_owned(), |value| format!("\"{value}\""));
    let tags =
        found.tags.iter().map(|tag| format!("tag {}: A {}, B {}", tag.name, value(&tag.a), value(&tag.b)));
    std::iter::once(relation).chain(tags).collect()
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
        let Some(ply) = ply else {
            console.line(format!("{name}: has ended"))?;
            continue;
        };
        let (text, line, column) = (&ply.text, ply.line, ply.column);
        let verdict = match (&ply.coord, &ply.illegal) {
            (Some(coord), None) => format!("legal ({coord})"),
            (Some(coord), Some(illegal)) => {
                format!("illegal, but let stand ({coord}): {} ({})", illegal.reason, illegal.rule)
            }
            (None, Some(illegal)) => format!("illegal: {} ({})", illegal.reason, illegal.rule),
            (None, None) => "not judged, since it follows an illegal ply".to_owned(),
        };
        console.line(format!("{name}: `{text}` at {line}:{column} is {verdict}"))?;
    }
    Ok(())
}

/// The position at the divergence, drawn.
fn drawing<M: Mask>(game: &Game<M>, fen: &str) -> String {
    let position = Position::from_fen(Arc::clone(&game.rules), fen);
    position.map_or_else(|_| String::new(), |position| board(&position, Pieces::Letters))
}

/// The facts about the plies after the divergence.
fn continuations(found: &Comparison) -> Vec<String> {
    let mut out = Vec::new();
    for (own, other, fit) in [("A", "B", &found.a_in_b), ("B", "A", &found.b_in_a)] {
        let Some(Fit { later, fitting, misfit }) = fit else { continue };
        let later = counted(*later, "later ply", "later plies");
        out.push(match misfit {
            None => format!("{own}'s {later} would all be legal after {other}'s"),
            Some(misfit) => format!(
                "of {own}'s {later} {fitting} would be legal after {other}'s; ply {}, `{}`, would not: {}",
                misfit.ply, misfit.text, misfit.reason
            ),
        });
    }
    if let Some(first) = found.meetings.first() {
        let count = counted(found.meetings.len(), "position is", "positions are");
        out.push(format!(
            "{count} the same again, first after ply {} of A and {} of B: {}",
            first.a, first.b, first.fen
        ));
    }
    if !out.is_empty() {
        out.insert(0, String::new());
    }
    out
}
