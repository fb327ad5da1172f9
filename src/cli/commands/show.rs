//! `ferz show`: the position as a drawing.

use crate::cli::output::{Outcome, Verdict};
use crate::cli::position_args::{AnyReached, PositionArgs, by_width};
use crate::cli::session::Session;
use crate::replay::board_text::{Pieces, board, by_history, facts};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Draw chess figurines instead of letters
    #[arg(long)]
    unicode: bool,
}

const EXAMPLES: &str = "\
White's letters are upper case; `*` stands before Nature's pieces, `'` behind kinds of the other army, `~` behind
promoted pieces that revert when captured.

Examples:
  ferz show ichess --moves 'R@a1 R@h8'
  ferz show chess --unicode";

/// Carries out the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let reached = args.position.position(session)?;
    let pieces = if args.unicode { Pieces::Figurines } else { Pieces::Letters };
    let text = by_width!(AnyReached, &reached, |reached| {
        let position = &reached.position;
        let end = reached.end_by_history();
        let end = end.map(|end| format!("The game ended after ply {}: {}.\n", end.ply, by_history(end)));
        let end = end.unwrap_or_default();
        format!("{}\n{}{end}FEN: {}\n", board(position, pieces), facts(position), position.fen())
    });
    session.console.text(&text)?;
    Ok(Verdict::Fine)
}
