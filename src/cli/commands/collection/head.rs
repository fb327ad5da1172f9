//! `ferz head`: the first records.

use super::Collection;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::records::write_record;
use crate::cli::session::Session;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// How many records
    #[arg(value_name = "N")]
    count: usize,

    #[command(flatten)]
    records: Collection,
}

const EXAMPLES: &str = "\
Records are written byte for byte. Reading stops after the last one.

Examples:
  ferz head 10 games.pgn
  xz -dc games.pgn.xz | ferz head 1000 > first.pgn";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut left = args.count;
    if left == 0 {
        return Ok(ExitStatus::Fine);
    }
    let read = args.records.each_text(session, |console, _, text| {
        write_record(console, &text)?;
        left -= 1;
        // As if the reader of the output had closed it.
        if left == 0 { Err(Failure::BrokenPipe) } else { Ok(()) }
    });
    match read {
        Err(Failure::BrokenPipe) if left == 0 => Ok(ExitStatus::Fine),
        read => read.map(|()| ExitStatus::Fine),
    }
}
