//! `ferz cut`: a part of each game as a record of its own.

use super::{Collection, no_trace};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::replay::trace;
use ferz::rewrite::cut;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// The first ply of the part
    #[arg(long, value_name = "N", default_value_t = 1)]
    from_ply: usize,

    /// How many plies the part has at most
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
}

const EXAMPLES: &str = "\
Plies stay as they are written, with their comments and variations. The tags stay; SetUp and FEN say where the part \
begins. The result is that of the game. A game with fewer plies than come before the part, or that is not judged, is \
written as it is, named, and makes the exit code 1.

Examples:
  ferz cut games.pgn --plies 20 > openings.pgn
  ferz cut games.pgn --from-ply 41
  ferz cut problem.pgn --from-ply 7 --plies 5";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if args.from_ply == 0 {
        return Err(Failure::message("plies are counted from 1: `--from-ply 1` is the whole game"));
    }
    let stayed = args.records.rewrite(session, |replayer, record, source| {
        let traced = trace(replayer, record, source, 0);
        let traced = traced.map_err(|report| no_trace(&report))?;
        cut(record, &traced, args.from_ply, args.plies)
            .ok_or_else(|| format!("written as it is: it has only {} legal plies", traced.report().plies))
    })?;
    Ok(ExitStatus::of(stayed > 0))
}
