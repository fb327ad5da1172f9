//! `ferz tables probe`.

use super::{Format, JobsArgs, build, read};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::position_args::{AnyReached, PositionArgs};
use crate::cli::session::Session;
use ferz::tables::{TableError, Tables, Value, material_of};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// File of tables, instead of making them
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Output: text, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
The value is that for the side to move; distances are moves of the winner.
Repetition and move counters are not considered.

Examples:
  ferz tables probe chess --fen '8/8/8/8/8/4k3/8/4K2R w - - 0 1'
  ferz tables probe iago-b --fen '4k3/8/8/8/8/8/8/2M1K3[] w - - 0 1' --format json";

/// The answer as JSON.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    variant: &'a str,
    material: String,
    fen: String,
    value: &'a str,
    moves: Option<u8>,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let position = match args.position.position(session)? {
        AnyReached::Narrow(reached) => reached.position,
        AnyReached::Wide(_) => {
            return Err(Failure::message(TableError::Rules("the board has more than 64 squares")));
        }
    };
    let material = material_of(&position).map_err(Failure::message)?;
    let rules = Arc::clone(position.shared_rules());
    let tables = match &args.file {
        Some(path) => read(path, |_| Ok(rules))?.1,
        None => {
            let mut tables = Tables::new(rules);
            build(&mut tables, &material, &args.jobs)?;
            tables
        }
    };
    if tables.get(&material).is_none() {
        let material = material.text(position.rules());
        return Err(Failure::message(format!(
            "the file has no table of {material}; make one without --file"
        )));
    }
    let Some(value) = tables.value(&position) else {
        return Err(Failure::message("no position of the table: a pawn stands where none can come"));
    };
    let (word, moves) = match value {
        Value::Draw => ("draw", None),
        Value::Win(moves) => ("win", Some(moves)),
        Value::Loss(moves) => ("loss", Some(moves)),
    };
    let rules = position.rules();
    if args.format == Format::Json {
        let (material, fen) = (material.text(rules), position.fen());
        let answer = Answer { variant: &rules.id.name, material, fen, value: word, moves };
        session.console.json(&answer)?;
    } else {
        let distance = moves.map_or_else(String::new, |moves| format!(" in {moves} moves"));
        session.console.line(format_args!("{}: {word}{distance}", position.turn()))?;
    }
    Ok(ExitStatus::Fine)
}
