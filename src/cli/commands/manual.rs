//! `ferz manual`: the manual page, generated from the same definitions as the help.

use crate::cli::args::Arguments;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use clap::CommandFactory;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Command [default: the page of the program]
    #[arg(value_name = "COMMAND")]
    path: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  ferz manual > ferz.1
  ferz manual variants check > ferz-variants-check.1";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut command = Arguments::command();
    command.build();
    for name in &args.path {
        let Some(found) = command.find_subcommand(name).cloned() else {
            return Err(Failure::message(format!("manual: no command `{name}`; `ferz help` lists them")));
        };
        command = found;
    }
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(|error| Failure::message(format!("manual: {error}")))?;
    session.console.bytes(&page)?;
    Ok(ExitStatus::Fine)
}
