//! `ferz archive index`.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::session::Session;
use ferz::archive::{Archive, ArchiveError, Indexed};
use ferz::replay::summary::counted;
use ferz::rules::Registry;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    db: Db,

    /// Build the whole index again
    #[arg(long)]
    rebuild: bool,
}

const EXAMPLES: &str = "\
The index makes `archive search --where` and `archive explore` fast. It only proposes games, and each is replayed: \
answers are the same without it, and losing it loses nothing. Large imports and a running service build it by \
themselves; what is not indexed yet is searched game by game. `archive verify` checks it.

Exit codes: 0 indexed, 2 usage or I/O error.

Examples:
  ferz archive index --db club.ferz
  ferz archive index --db club.ferz --rebuild";

/// Arguments of `ferz archive reindex`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Does what `ferz archive index --rebuild` does.\n\nExamples:\n  ferz archive reindex --db club.ferz"
)]
pub(super) struct ReindexArgs {
    #[command(flatten)]
    db: Db,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    build(&args.db, args.rebuild, session)
}

/// Runs `ferz archive reindex`.
pub(super) fn reindex(args: &ReindexArgs, session: &mut Session<'_>) -> Outcome {
    build(&args.db, true, session)
}

fn build(db: &Db, whole: bool, session: &mut Session<'_>) -> Outcome {
    // To index is not to create an archive.
    db.open_existing()?;
    let archive = db.open()?;
    if whole {
        archive.drop_index().map_err(Failure::message)?;
    }
    let (console, registry) = session.parts();
    let Indexed { games, segments } = with_progress(|progress| archive.index(registry, progress))?;
    let games = counted(usize::try_from(games).unwrap_or(usize::MAX), "game", "games");
    console.line(format!("{games} indexed; the index has {}", counted(segments, "segment", "segments")))?;
    Ok(ExitStatus::Fine)
}

/// Indexes what many games wait for after an import.
pub(super) fn after_import(archive: &Archive, registry: &Registry) -> Result<(), Failure> {
    with_progress(|progress| archive.index_if_many_wait(registry, progress)).map(|_| ())
}

/// Indexes, and shows how far it is.
fn with_progress(
    index: impl FnOnce(&mut dyn FnMut(u64)) -> Result<Indexed, ArchiveError>,
) -> Result<Indexed, Failure> {
    let mut progress = Progress::new(None, Arc::default());
    let indexed = index(&mut |games| progress.add_games(games));
    progress.finish();
    indexed.map_err(Failure::message)
}
