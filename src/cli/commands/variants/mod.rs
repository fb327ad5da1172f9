//! `ferz variants`: the definitions of games.

mod armies;
mod check;
mod classify;
mod list;
mod readings;
mod show;

use crate::cli::output::Outcome;
use crate::cli::session::Session;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ferz variants list
  ferz variants show chaos+chess --tag NatureRules=advanced
  ferz variants check formats/variants/chess.toml
  ferz variants classify iago-b chaos+chess";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// All games and mutators that are known
    List(list::Args),
    /// The rules of a game, parents and mutators merged in
    Show(show::Args),
    /// Whether definition files are right, and if not, where they are wrong
    Check(check::Args),
    /// To which class of the IAGO Chess System games belong, and whether their equipment suffices
    Classify(classify::Args),
    /// The armies that a game offers
    Armies(armies::Args),
}

/// Carries out the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::List(args) => list::run(args, session),
        Command::Show(args) => show::run(args, session),
        Command::Check(args) => check::run(args, session),
        Command::Classify(args) => classify::run(args, session),
        Command::Armies(args) => armies::run(args, session),
    }
}
