//! `ferz archive backup`.

use super::Db;
use crate::cli::output::{Failure, Outcome, Verdict};
use crate::cli::session::Session;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The new file; it must not be there yet
    to: PathBuf,

    #[command(flatten)]
    db: Db,
}

const EXAMPLES: &str = "\
The copy is the archive of one moment, whole and by itself, however much is written meanwhile. A copy made with `cp` \
is not: what was written last is in another file beside the archive.

Examples:
  ferz archive backup --db club.ferz club-2026-11-21.ferz && ferz archive verify --db club-2026-11-21.ferz";

/// Carries out the command.
pub(super) fn run(args: &Args, _: &mut Session<'_>) -> Outcome {
    args.db.open_existing()?.back_up(&args.to).map_err(Failure::message)?;
    Ok(Verdict::Fine)
}
