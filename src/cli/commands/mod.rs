//! The commands, one file each.
//!
//! To add one: a file with `Args` (clap) and `run(args, session) -> Outcome`, a variant of [`Command`], and a line
//! in [`run`].

#[cfg(feature = "archive")]
mod archive;
mod compare;
mod completions;
mod convert;
mod fen;
#[cfg(feature = "client")]
mod fetch;
mod fix;
mod manual;
mod moves;
mod perft;
#[cfg(feature = "server")]
mod serve;
mod show;
#[cfg(feature = "client")]
mod submit;
mod validate;
mod variants;

use super::args::Arguments;
use super::output::{Console, Outcome};
use super::session::Session;

/// What the program can do.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Judges records: every ply by the rules of its game, the end, and the result
    Validate(validate::Args),
    /// Writes records in another style of notation
    Convert(convert::Args),
    /// Mends records by named repairs, each shown
    Fix(fix::Args),
    /// Says where two records of one game part, and what is legal there
    Compare(compare::Args),
    /// The legal plies of everybody who may act now, one a line
    Moves(moves::Args),
    /// How many sequences of legal plies there are
    Perft(perft::Args),
    /// The position after the moves, as extended FEN
    Fen(fen::Args),
    /// The position after the moves, as a drawing with everything that matters beside it
    Show(show::Args),
    /// The games that are known: list, show and check their definitions
    Variants(variants::Args),
    /// Keeps games in a file: import, list, search, export, verify
    #[cfg(feature = "archive")]
    Archive(archive::Args),
    /// Submits records to a service's archive
    #[cfg(feature = "client")]
    Submit(submit::Args),
    /// Fetches games from a service's archive
    #[cfg(feature = "client")]
    Fetch(fetch::Args),
    /// The service over HTTP, for programs and for people with a browser
    #[cfg(feature = "server")]
    Serve(serve::Args),
    /// Completions for a shell
    Completions(completions::Args),
    /// The manual page, as roff
    Manual(manual::Args),
}

/// Carries out a command.
pub(super) fn run(arguments: Arguments, console: &mut Console) -> Outcome {
    let session = &mut Session::new(&arguments.formats, console)?;
    match arguments.command {
        Command::Validate(args) => validate::run(&args, session),
        Command::Convert(args) => convert::run(&args, session),
        Command::Fix(args) => fix::run(&args, session),
        Command::Compare(args) => compare::run(&args, session),
        Command::Moves(args) => moves::run(&args, session),
        Command::Perft(args) => perft::run(&args, session),
        Command::Fen(args) => fen::run(&args, session),
        Command::Show(args) => show::run(&args, session),
        Command::Variants(args) => variants::run(&args, session),
        #[cfg(feature = "archive")]
        Command::Archive(args) => archive::run(&args, session),
        #[cfg(feature = "client")]
        Command::Submit(args) => submit::run(&args, session),
        #[cfg(feature = "client")]
        Command::Fetch(args) => fetch::run(&args, session),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(&args, session),
        Command::Completions(args) => completions::run(&args, session),
        Command::Manual(args) => manual::run(&args, session),
    }
}
