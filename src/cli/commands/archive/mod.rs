//! `ferz archive`: games kept in a file, one file a verb.

mod backup;
mod export;
mod import;
mod list;
mod rules;
mod search;
mod token;
mod verify;

use crate::archive::Archive;
use crate::cli::output::{Failure, Outcome};
use crate::cli::session::Session;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
An archive is one file, made by the first import. What came stays in it, byte for byte, and is never changed or taken \
away: a game that was corrected or went on is imported once more, and stands beside the first. What is there already \
adds nothing.

Examples:
  ferz archive import --db club.ferz round-1.pgn round-2.pgn
  ferz archive list   --db club.ferz
  ferz archive search --db club.ferz reti
  ferz archive export --db club.ferz --event \"Club championship\" > championship.pgn
  ferz archive backup --db club.ferz copy.ferz
  ferz archive COMMAND --help";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Adds the games of files to an archive
    Import(import::Args),
    /// The games of an archive, the latest first
    List(list::Args),
    /// The games of an archive that fit what is asked, the latest first
    Search(search::Args),
    /// Writes games of an archive: as records, as they came, in another style, or as reports
    Export(export::Args),
    /// Checks that an archive is whole: the file, every digest, every key, every verdict
    Verify(verify::Args),
    /// The rules that the games were judged by
    Rules(rules::Args),
    /// Copies an archive into a new file while it is in use
    Backup(backup::Args),
    /// Tokens: who may use a service over an archive
    Token(token::Args),
}

/// Carries out the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Import(args) => import::run(args, session),
        Command::List(args) => list::run(args, session),
        Command::Search(args) => search::run(args, session),
        Command::Export(args) => export::run(args, session),
        Command::Verify(args) => verify::run(args, session),
        Command::Rules(args) => rules::run(args, session),
        Command::Backup(args) => backup::run(args, session),
        Command::Token(args) => token::run(args, session),
    }
}

/// Which archive.
#[derive(Debug, clap::Args)]
struct Db {
    /// The file of the archive
    #[arg(long = "db", value_name = "FILE")]
    path: PathBuf,
}

impl Db {
    /// For writing; the file is made if it is not there.
    fn open(&self) -> Result<Archive, Failure> {
        Archive::open(&self.path).map_err(Failure::message)
    }

    /// For reading; the file has to be there.
    fn open_existing(&self) -> Result<Archive, Failure> {
        Archive::open_existing(&self.path).map_err(Failure::message)
    }
}
