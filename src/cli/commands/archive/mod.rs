//! `ferz archive`: games kept in a file, one file a verb.

mod backup;
mod export;
mod import;
mod list;
mod rules;
mod search;
mod token;
mod verify;

use crate::archive::{Archive, Filter};
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
An archive is one file, made by the first import. What came stays in it, byte for byte, and is never changed or taken
away: a game that was corrected or went on is imported once more, and stands beside the first. What is there already
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

/// Which games are wanted. Names are found without case and accents, by the beginnings of their words.
#[derive(Debug, clap::Args)]
struct Wanted {
    /// The game, such as chess or chaos+ichess
    #[arg(long)]
    variant: Option<String>,

    /// White, Black, or the third player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// Event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// Site
    #[arg(long, value_name = "NAME")]
    site: Option<String>,

    /// The first day, month or year: 1984.05.17, 1984.05, 1984
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<String>,

    /// The last day, month or year
    #[arg(long, value_name = "DATE", value_parser = date)]
    until: Option<String>,

    /// 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_parser = ["1-0", "0-1", "1/2-1/2", "*"], allow_hyphen_values = true)]
    result: Option<String>,

    /// Whether the whole main line is legal
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    valid: Option<bool>,

    /// The ending on the board: checkmate, stalemate, …
    #[arg(long, value_name = "REASON", value_parser = ending)]
    end: Option<String>,

    /// Plies that the game begins with, in coordinate notation
    #[arg(long, value_name = "COORD …")]
    moves: Option<String>,
}

fn date(text: &str) -> Result<String, String> {
    match Filter::is_date(text) {
        true => Ok(text.to_owned()),
        false => Err("write a year, a month or a day: 1984, 1984.05, 1984.05.17".to_owned()),
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err("write yes or no".to_owned()),
    }
}

fn ending(text: &str) -> Result<String, String> {
    use crate::judge::EndReason;
    let known = EndReason::ALL.iter().map(|reason| reason.id());
    match known.clone().any(|id| id == text) {
        true => Ok(text.to_owned()),
        false => Err(format!("this is no ending; known: {}", known.collect::<Vec<_>>().join(", "))),
    }
}

impl Wanted {
    /// As the library wants it; the game by the name that the archive has for it.
    fn filter(&self, session: &Session<'_>) -> Filter {
        let name = |variant: &String| session.registry().canonical_name(variant).unwrap_or(variant.clone());
        Filter {
            id: None,
            variant: self.variant.as_ref().map(name),
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            from: self.since.clone(),
            to: self.until.clone(),
            result: self.result.clone(),
            valid: self.valid,
            end: self.end.clone(),
            moves: self.moves.clone(),
        }
    }
}
