//! `ferz moves`: lists the legal plies.

use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::position_args::{AnyReached, PositionArgs};
use crate::cli::records::styles;
use crate::cli::session::Session;
use ferz::board::by_width;
use ferz::notation::{Style, write_alone};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Style of the plies
    #[arg(long, value_name = "STYLE", default_value = "coord", value_parser = styles(), ignore_case = true)]
    style: Style,
}

const EXAMPLES: &str = "\
Lines are sorted bytewise; a finished game has none, and standard error says how it ended. Nature's plies begin with \
`~` in every style. Coordinate notation replaces what a style cannot express.

Examples:
  ferz moves chess --moves 'e2e4 e7e5'
  ferz moves chess --style san --moves '1. e4 e5 2. Nf3'
  ferz moves chaos+chess --tag NatureRules=advanced --moves 'e2e4 e7e5 g1f3 b8c6 f1c4'
  ferz moves iago-b --style iago --moves 'e2e4 e7e5'
  ferz moves chess --fen '8/8/8/8/8/5k2/7p/7K w - - 0 1'";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let reached = args.position.position(session)?;
    let mut lines: Vec<String> = by_width!(AnyReached, &reached, |reached| {
        reached.plies().iter().map(|ply| write_alone(&reached.position, ply, args.style)).collect()
    });
    lines.sort_unstable();
    if let Some(over) = by_width!(AnyReached, &reached, |reached| reached.over()) {
        session.console.warning(format!("no legal plies: {over}"))?;
    }
    for line in lines {
        session.console.line(line)?;
    }
    Ok(ExitStatus::Fine)
}
