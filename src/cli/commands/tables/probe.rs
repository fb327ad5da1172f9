//! `ferz tables probe`.

use super::{Format, JobsArgs, build, read};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::position_args::{AnyReached, PositionArgs};
use crate::cli::session::Session;
use crate::cli::syzygy_folder::syzygy;
use ferz::position::Position;
use ferz::replay::summary::counted;
use ferz::syzygy::{FileId, Probed, Syzygy, Wdl};
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

    /// Folder of Syzygy files (.rtbw, .rtbz), instead of making tables
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    syzygy: Option<PathBuf>,

    /// Output: text, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
The value is that for the side to move; distances are moves of the winner.
Repetition and move counters are not considered.
Syzygy files give plies to the next capture, pawn move or mate, and know fifty moves: a cursed win takes longer.

Examples:
  ferz tables probe chess --fen '8/8/8/8/8/4k3/8/4K2R w - - 0 1'
  ferz tables probe iago-b --fen '4k3/8/8/8/8/8/8/2M1K3[] w - - 0 1' --format json
  ferz tables probe chess --syzygy /srv/syzygy --fen '8/8/8/2k5/4P3/3KP3/4r3/5R2 w - - 0 1'";

/// The answer as JSON.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    variant: &'a str,
    material: String,
    fen: String,
    value: &'a str,
    moves: Option<u8>,
}

/// The answer of Syzygy files as JSON.
#[derive(Debug, Serialize)]
struct FilesAnswer<'a> {
    variant: &'a str,
    fen: String,
    wdl: Wdl,
    dtz: i32,
    files: Vec<FileId>,
}

/// Answers by files of others.
fn by_files(files: &Syzygy, position: &Position<u64>, args: &Args, session: &mut Session<'_>) -> Outcome {
    let Probed { wdl, dtz, files } = files.probe(position).map_err(Failure::message)?;
    if args.format == Format::Json {
        let (variant, fen) = (&*position.rules().id.name, position.fen());
        session.console.json(&FilesAnswer { variant, fen, wdl, dtz, files })?;
        return Ok(ExitStatus::Fine);
    }
    let word = match wdl {
        Wdl::Win => "win",
        Wdl::CursedWin => "cursed win",
        Wdl::Draw => "draw",
        Wdl::BlessedLoss => "blessed loss",
        Wdl::Loss => "loss",
    };
    let plies = counted(dtz.unsigned_abs() as usize, "ply", "plies");
    let distance =
        if dtz == 0 { String::new() } else { format!(", {plies} to a capture, a pawn move or mate") };
    let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
    let by = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    session.console.line(format_args!("{}: {word}{distance}{by}", position.turn()))?;
    Ok(ExitStatus::Fine)
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let position = match args.position.position(session)? {
        AnyReached::Narrow(reached) => reached.position,
        AnyReached::Wide(_) => {
            return Err(Failure::message(TableError::Rules("the board has more than 64 squares")));
        }
    };
    if let Some(files) = syzygy(args.syzygy.as_deref())? {
        return by_files(&files, &position, args, session);
    }
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
