//! `ferz variants`: the definitions of games.

mod armies;
mod check;
mod classify;
mod import;
mod list;
mod new;
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
  ferz variants new dragoons --extends chess > dragoons.toml
  ferz variants check formats/variants/chess.toml
  ferz variants classify iago-b chaos+chess";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List all known games and mutators
    List(list::Args),
    /// Show the rules of a game, parents and mutators merged in
    Show(show::Args),
    /// Check definition files and locate their mistakes
    Check(check::Args),
    /// Classify games by the IAGO Chess System, and check their equipment
    Classify(classify::Args),
    /// Write a commented definition of a new game
    New(new::Args),
    /// Make definitions of the `variants.ini` of Fairy-Stockfish or the `.zrf` of Zillions of Games
    Import(import::Args),
    /// List the armies that a game offers
    Armies(armies::Args),
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::List(args) => list::run(args, session),
        Command::Show(args) => show::run(args, session),
        Command::Check(args) => check::run(args, session),
        Command::Classify(args) => classify::run(args, session),
        Command::New(args) => new::run(args, session),
        Command::Import(args) => import::run(args, session),
        Command::Armies(args) => armies::run(args, session),
    }
}
