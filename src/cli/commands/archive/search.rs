//! `ferz archive search`.

use super::Db;
use super::list::{Page, show};
use crate::cli::filter_args::FilterArgs;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::Filter;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a player, as with --player
    #[arg(conflicts_with = "player")]
    name: Option<String>,

    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    filter: FilterArgs,

    /// Include withdrawn games
    #[arg(long)]
    withdrawn: bool,

    #[command(flatten)]
    page: Page,
}

const EXAMPLES: &str = "\
Names match by the beginnings of their words, ignoring case and accents: `reti r` finds `Réti, Richard`.
Exit codes: 0 games found, 1 none found, 2 usage or I/O error.

Examples:
  ferz archive search --db club.ferz reti
  ferz archive search --db club.ferz --player reti --result 1-0
  ferz archive search --db club.ferz --event linares --since 1993 --until 1994.02
  ferz archive search --db club.ferz --variant iago-b --valid no
  ferz archive search --db club.ferz --moves 'e2e4 c7c5' --format ndjson";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut filter = args.filter.filter(session);
    if args.name.is_some() {
        filter.player.clone_from(&args.name);
    }
    if filter == Filter::default() {
        let message =
            "nothing to search for; add a filter such as `--player reti`, or use `ferz archive list`";
        return Err(Failure::message(message));
    }
    filter.withdrawn = (!args.withdrawn).then_some(false);
    show(&args.db, &filter, &args.page, session).map(|any| ExitStatus::of(!any))
}
