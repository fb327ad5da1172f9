//! `ferz variants classify`: the class of a game, and whether its equipment suffices.

use crate::cli::carets::{Source, draw};
use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::{Session, no_such_game};
use ferz::replay::summary::counted;
use ferz::rules::Registry;
use ferz::rules::check::{Checked, check};
use ferz::rules::classify::{Classification, Equipment, classify};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Definition files (*.toml) or names of games, mutators first; files may extend earlier ones
    #[arg(required = true, value_name = "FILE|NAME")]
    games: Vec<String>,

    /// Output: text, or one JSON object a game
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
Classes: A chess, B Marshall and Cardinal in reserve, C the same with the queen's square empty, M as C with annual \
editions, AV codified and playable with a chess set, V codified, X its author's own.
A mutator's file is classified over chess, and can be combined with other games in later arguments.

Examples:
  ferz variants classify chess iago-b misere+chess
  ferz variants classify formats/variants/ichess.toml
  ferz variants classify --format ndjson chaos+iago-b";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut registry = session.new_registry()?;
    for given in &args.games {
        let is_file = given == "-" || given.ends_with(".toml") || Path::new(given).is_file();
        let (name, edition) =
            if is_file { add(&mut registry, given, session)? } else { (given.clone(), None) };
        let tags = |tag: &str| if tag == "RulesEdition" { edition.clone() } else { None };
        let (definition, _) = registry.definition(&name, &tags).map_err(no_such_game)?;
        let found = classify(&definition, &definition.name);
        match args.format {
            Format::Text => session.console.text(&text(&definition.name, &found))?,
            Format::Ndjson => session.console.json(&Line { name: &definition.name, found })?,
        }
    }
    Ok(ExitStatus::Fine)
}

/// Adds a file's definition; returns the name of the game to classify, and its edition.
fn add(
    registry: &mut Registry,
    file: &str,
    session: &Session<'_>,
) -> Result<(String, Option<String>), Failure> {
    let text = input::read_text(Path::new(file))?;
    let Checked { name, edition, .. } = check(registry, &text).map_err(|found| {
        let (source, color) = (Source::whole(file, &text), session.console.has_color());
        let drawn: Vec<String> = found.iter().map(|found| draw(found, &source, color)).collect();
        Failure::Drawn(drawn.join("\n\n"))
    })?;
    Ok(match edition {
        Some(edition) => (name, Some(edition)),
        None => (format!("{name}+chess"), None),
    })
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    #[serde(flatten)]
    found: Classification,
}

fn text(name: &str, found: &Classification) -> String {
    let Classification { class, clause, equipment } = found;
    // Writing to a string cannot fail.
    let mut out = format!("{name}: {class}-Class\n  {clause}\n");
    let _ = match equipment {
        Equipment::Complies { why } => writeln!(out, "  equipment suffices (IAV 7): {why}"),
        Equipment::Unknown { why } => writeln!(out, "  equipment undecided (IAV 7): {why}"),
        Equipment::Violates { lacks } => {
            let count = counted(lacks.len(), "way", "ways");
            writeln!(out, "  equipment does not suffice (IAV 7), in {count}:")
        }
    };
    if let Equipment::Violates { lacks } = equipment {
        for lack in lacks {
            let _ = writeln!(out, "    {}: {} there, {} needed: {lack}", lack.letter, lack.has, lack.needs);
        }
    }
    out
}
