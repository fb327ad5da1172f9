//! `ferz fen`: prints the position as FEN.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::position_args::{AnyReached, PositionArgs};
use crate::cli::session::Session;
use ferz::board::by_width;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Write SFEN, the form of the Universal Shogi Interface
    #[arg(long)]
    sfen: bool,
}

const EXAMPLES: &str = "\
Examples:
  ferz fen iago-b --moves 'b1c3m g8f6'
  ferz fen shogi --sfen --moves 'c3c4 g7g6'
  ferz fen chess --fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --moves g1f3";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let reached = args.position.position(session)?;
    let fen = by_width!(AnyReached, &reached, |reached| match args.sfen {
        true => reached.position.sfen(),
        false => Some(reached.position.fen()),
    });
    let Some(fen) = fen else {
        return Err(Failure::message("SFEN writes no positions of this game; leave out --sfen"));
    };
    session.console.line(fen)?;
    Ok(ExitStatus::Fine)
}
