//! `ferz completions`: shell completions, generated from the same definitions as the help.

use crate::cli::args::Arguments;
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::session::Session;
use clap::CommandFactory;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

const EXAMPLES: &str = "\
Examples:
  ferz completions bash > ferz.bash";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "ferz", &mut script);
    session.console.bytes(&script)?;
    Ok(ExitStatus::Fine)
}
