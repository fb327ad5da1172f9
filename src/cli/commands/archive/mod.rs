//! `ferz archive`: games in a file, one module a subcommand.

mod backup;
mod bundle;
mod event;
mod explore;
mod export;
mod forget;
mod import;
mod index;
mod key;
mod list;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "client")]
mod pull;
mod receipts;
mod register;
mod revalidate;
mod rules;
mod search;
mod table;
mod token;
mod verify;
mod withdraw;

use crate::cli::output::{Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::Archive;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
An archive is one file, created by the first import. Submitted records stay in it byte for byte; nothing is \
changed, and only `forget` deletes. To correct or continue a game, import it again, which stores another entry, and \
`supersede` the old one by it. Games that are stored already are skipped.

Examples:
  ferz archive import --db club.ferz round-1.pgn round-2.pgn
  ferz archive list   --db club.ferz
  ferz archive search --db club.ferz reti
  ferz archive export --db club.ferz --event \"Club championship\" > championship.pgn
  ferz archive backup --db club.ferz copy.ferz
  ferz archive COMMAND --help";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add games from files to an archive
    Import(import::Args),
    /// List the games of an archive, latest first
    List(list::Args),
    /// Search the games of an archive, latest first
    Search(search::Args),
    /// Build the index that makes searches fast
    Index(index::Args),
    /// Build the whole index again
    Reindex(index::ReindexArgs),
    /// Show what was played from a position, and with what results
    Explore(explore::Args),
    /// Export games: as records, as submitted, in another style, or as reports
    Export(export::Args),
    /// Withdraw a game: hide it from lists, with a reason
    Withdraw(withdraw::Args),
    /// Replace a game by a corrected one, which must be imported already
    Supersede(withdraw::SupersedeArgs),
    /// Show a withdrawn game in lists again
    Reinstate(withdraw::ReinstateArgs),
    /// Judge games again by other rules, and supersede those whose verdict changes
    Revalidate(revalidate::Args),
    /// Delete the names and texts of games for good; the log says so
    Forget(forget::Args),
    /// Check an archive: the file, every digest, every key, every report
    Verify(verify::Args),
    /// Print a game with the proof of all that the log says about it
    Bundle(bundle::Args),
    /// Mirror the log of another archive, and check that it has only grown
    #[cfg(feature = "client")]
    Pull(pull::Args),
    /// Show the rules that the games were judged by
    Rules(rules::Args),
    /// Submit, review and codify games of their authors' own
    Register(register::Args),
    /// Show ratings of players, in a game or across a class
    Table(table::Args),
    /// Copy an archive into a new file while it is in use
    Backup(backup::Args),
    /// Create events, show their tables, list and remind who is to move
    Event(event::Args),
    /// Manage the access tokens of a service
    Token(token::Args),
    /// Show or replace the key that signs the log
    Key(key::Args),
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Import(args) => import::run(args, session),
        Command::List(args) => list::run(args, session),
        Command::Search(args) => search::run(args, session),
        Command::Index(args) => index::run(args, session),
        Command::Reindex(args) => index::reindex(args, session),
        Command::Explore(args) => explore::run(args, session),
        Command::Export(args) => export::run(args, session),
        Command::Withdraw(args) => withdraw::run(args, session),
        Command::Supersede(args) => withdraw::supersede(args, session),
        Command::Reinstate(args) => withdraw::reinstate(args, session),
        Command::Revalidate(args) => revalidate::run(args, session),
        Command::Forget(args) => forget::run(args, session),
        Command::Verify(args) => verify::run(args, session),
        Command::Bundle(args) => bundle::run(args, session),
        #[cfg(feature = "client")]
        Command::Pull(args) => pull::run(args, session),
        Command::Rules(args) => rules::run(args, session),
        Command::Register(args) => register::run(args, session),
        Command::Table(args) => table::run(args, session),
        Command::Backup(args) => backup::run(args, session),
        Command::Event(args) => event::run(args, session),
        Command::Token(args) => token::run(args, session),
        Command::Key(args) => key::run(args, session),
    }
}

/// The archive.
#[derive(Debug, clap::Args)]
struct Db {
    /// Archive file
    #[arg(long = "db", value_name = "FILE")]
    path: PathBuf,
}

impl Db {
    /// Opens the archive for writing; creates the file if it does not exist.
    fn open(&self) -> Result<Archive, Failure> {
        Archive::open(&self.path).map_err(Failure::message)
    }

    /// Opens the archive for reading; the file must exist.
    fn open_existing(&self) -> Result<Archive, Failure> {
        Archive::open_existing(&self.path).map_err(Failure::message)
    }
}
