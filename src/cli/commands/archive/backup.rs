//! `ferz archive backup`.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The new file; it must not exist
    to: PathBuf,

    #[command(flatten)]
    db: Db,
}

const EXAMPLES: &str = "\
The copy is a complete archive as of one moment, even while others write. A copy made with `cp` is not: recent \
writes are in another file next to the archive.

Examples:
  ferz archive backup --db club.ferz club-2026-11-21.ferz && ferz archive verify --db club-2026-11-21.ferz";

/// Runs the command.
pub(super) fn run(args: &Args, _: &mut Session<'_>) -> Outcome {
    args.db.open_existing()?.back_up(&args.to).map_err(Failure::message)?;
    Ok(ExitStatus::Fine)
}
