//! `ferz archive bundle`.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::{Archive, ArchiveError, CorrespondenceId, PlayedBundle};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Game: its id, or the first digits of it, at least 4; or the whole id of one that was played by correspondence
    id: String,

    #[command(flatten)]
    db: Db,
}

const EXAMPLES: &str = "\
Prints a game as one file that proves itself: each text as it was submitted, the rows of the archive, the rules that \
it was judged by, the events of the log about it, and their places in the signed tree. `ferz verify` checks it \
without the archive.

The file has everything that the archive knows of the game, the names of tokens included. Of a game that was played by \
correspondence, by its own id with all 32 digits, it has every event and the rules: `ferz verify` plays it again.

Examples:
  ferz archive bundle 3f9a --db club.ferz > 3f9a.bundle
  ferz verify 3f9a.bundle --key \"$(cat club.vkey)\"
  ferz verify 3f9a.bundle --key \"$(cat club.vkey)\" --replay
  ferz verify 3f9a.bundle --key \"$(cat club.vkey)\" --text > 3f9a.pgn";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open_existing()?;
    // A game that was played here has an id of its own, which no entry has.
    if let Ok(id) = args.id.parse::<CorrespondenceId>()
        && let Some(bundle) = played(&archive, id, session)?
    {
        session.console.text(&bundle.to_string())?;
        return Ok(ExitStatus::Fine);
    }
    let id = archive.resolve(&args.id).map_err(Failure::message)?;
    let bundle = archive.bundle(id).map_err(Failure::message)?;
    let bundle = bundle.ok_or_else(|| Failure::message(ArchiveError::NoGame(id)))?;
    session.console.text(&bundle.to_string())?;
    Ok(ExitStatus::Fine)
}

/// A game that was played by correspondence, with its proof.
fn played(
    archive: &Archive,
    id: CorrespondenceId,
    session: &Session<'_>,
) -> Result<Option<PlayedBundle>, Failure> {
    let (registry, policies) = (session.registry(), session.policies());
    archive.played_bundle(id, (registry, &policies)).map_err(Failure::message)
}
