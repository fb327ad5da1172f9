//! `ferz variants armies`.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::{Session, no_such_game};
use ferz::pieces::army::Repeats;
use ferz::rules::armies::{catalogue, repeats};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of the game
    #[arg(default_value = "augmented")]
    name: String,

    /// Include armies that use an augmenter twice
    #[arg(long)]
    all: bool,

    /// Print only their number
    #[arg(long)]
    count: bool,
}

const EXAMPLES: &str = "\
Each line is an army as in the tags WhiteArmy and BlackArmy: one kind for each slot, in Betza notation.

Examples:
  ferz variants armies --count
  ferz variants armies augmented --all";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let (definition, _) = session.registry().definition(&args.name, &|_| None).map_err(no_such_game)?;
    if definition.armies.slots.is_empty() {
        return Err(Failure::message(format!(
            "`{}` has no choice of armies; try `augmented`",
            definition.name
        )));
    }
    let catalogue = catalogue(&definition.armies).map_err(Failure::message)?;
    let repeats = if args.all { Repeats::Allowed } else { repeats(&definition.armies) };
    if args.count {
        session.console.line(catalogue.armies(repeats).count())?;
        return Ok(ExitStatus::Fine);
    }
    for army in catalogue.armies(repeats) {
        session.console.line(catalogue.text(&army))?;
    }
    Ok(ExitStatus::Fine)
}
