//! `ferz add`: numbers of plies, keys and positions, put into the records.

use super::{Collection, Listed, changed, listed, no_trace};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::session::Session;
use ferz::replay::trace;
use ferz::rewrite::{Added, add};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// What to add, separated by commas
    #[arg(value_name = "WHAT", value_parser = added)]
    what: Listed<Added>,

    #[command(flatten)]
    records: Collection,
}

fn added(text: &str) -> Result<Listed<Added>, String> {
    listed(text, &Added::ALL, Added::name)
}

const EXAMPLES: &str = "\
  plycount  the tag PlyCount: the legal plies of the main line
  hash      the tag HashCode: equal for games of the same rules that reach the same last position
  fen       the last position, in a comment after the last ply
  fens      the position after each ply of the main line, in comments

Every other byte is as it was. A game with an illegal ply, or that is not judged, is written as it is, named, and \
makes the exit code 1.

Examples:
  ferz add plycount,fen games.pgn > with-positions.pgn
  ferz add hash games.pgn | ferz sort --by hashcode";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let stayed = args.records.rewrite(session, |replayer, record, source| {
        let traced = trace(replayer, record, source, 0).map_err(|report| no_trace(&report))?;
        if !traced.report().legal {
            return Err("not judged to its end, and written as it is; `ferz validate` says why".to_owned());
        }
        Ok(changed(record, &add(record, &traced, &args.what.0)))
    })?;
    Ok(ExitStatus::of(stayed > 0))
}
