//! `ferz play`: a game at the terminal, between people beside each other or at a service.

mod here;
#[cfg(feature = "client")]
mod there;

use crate::cli::output::{Failure, Outcome};
use crate::cli::position_args::TagArgs;
use crate::cli::records::styles;
#[cfg(feature = "client")]
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use ferz::notation::Style;
use ferz::{Ply, Position};
use std::io::{BufRead, IsTerminal, stdin};
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Name of the game, mutators first: `chess`, `iago-b`; with --server the id of a game there
    game: String,

    #[command(flatten)]
    tags: TagArgs,

    /// Start position as (extended) FEN, instead of the array
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Name of White
    #[arg(long, value_name = "NAME", default_value = "White")]
    white: String,

    /// Name of Black
    #[arg(long, value_name = "NAME", default_value = "Black")]
    black: String,

    /// Name of the third player, in games that have one
    #[arg(long, value_name = "NAME", default_value = "Nature")]
    nature: String,

    /// Write the record into this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Style of plies on the screen and in the record
    #[arg(long, value_name = "STYLE", default_value = "san", value_parser = styles(), ignore_case = true)]
    style: Style,

    /// Play a game of the service at this address
    #[cfg(feature = "client")]
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// Token of a player there; prefer the environment variable FERZ_TOKEN, which others cannot see
    #[cfg(feature = "client")]
    #[arg(long, value_name = "TOKEN", requires = "server")]
    token: Option<String>,
}

const EXAMPLES: &str = "\
Type a ply in any style, or `help` for what else there is. Every ply is checked; an illegal one is refused with the \
article and the nearest legal plies. At the end, or at `quit`, the record is written. Input from a file or a pipe is \
played line by line.

With --server the game is one that is played at a service, with the token of a player: the terms are accepted, plies \
are sent, and those of the others awaited.

Exit codes: 0 done, 2 usage or I/O error.

Examples:
  ferz play iago-b
  ferz play chaos+chess --tag NatureRules=advanced --white Ann --black Ben -o game.pgn
  ferz play augmented --tag 'WhiteArmy=RF ND BfbN QffNsbN' --tag 'BlackArmy=RF ND BfbN QffNsbN'
  printf 'e4\\ne5\\nresign\\n' | ferz play chess
  FERZ_TOKEN=… ferz play 1f3a90c2b4d5e6f708192a3b4c5d6e7f --server https://games.example.org";

/// What one can type besides plies.
const HELP: &str = "\
a ply            in any style: Nf3, g1f3, Ng1-f3&M, N@f3, ~N@f7 (Nature's)
moves [TEXT]     the legal plies; those that begin with a text
board            the position again
claims           the claims that are open; `claim NAME` makes one
draw             offers a draw, or agrees to one; `decline` rejects it
resign           resigns
undo             takes the last ply back
record           the record so far
quit             ends the session; `help` shows this
";

/// What a game at the terminal is asked for.
trait Table {
    /// The position.
    fn position(&self) -> Option<Position>;

    /// The position as text, with what else is to know.
    fn shown(&self) -> String;

    /// Whose turn it is to type, for the prompt; `None` if the game is over.
    fn turn(&self) -> Option<String>;

    /// Does what a line says. Gives what there is to say about it.
    ///
    /// # Errors
    /// With the reason for which nothing was done.
    fn take(&mut self, line: &str) -> Result<String, String>;

    /// The claims that are open, a line each.
    fn claims(&self) -> Vec<String>;

    /// Takes the last ply back.
    ///
    /// # Errors
    /// If that is not possible.
    fn undo(&mut self) -> Result<String, String>;

    /// The game so far as a record.
    ///
    /// # Errors
    /// If it cannot be had.
    fn record(&self) -> Result<String, String>;
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    #[cfg(feature = "client")]
    if let Some(server) = &args.server {
        return there::run(args, &ServiceArgs::at(server, args.token.as_deref()), session);
    }
    here::run(args, session)
}

/// Plays at a table until the game is over or the input ends.
fn play(table: &mut dyn Table, args: &Args, session: &mut Session<'_>) -> Result<(), Failure> {
    let is_terminal = stdin().is_terminal();
    session.console.text(&table.shown())?;
    let mut lines = stdin().lock().lines();
    while let Some(turn) = table.turn() {
        if is_terminal {
            session.console.text(&format!("{turn}: "))?;
        }
        session.console.flush()?;
        let Some(line) = lines.next().transpose().map_err(Failure::message)? else { break };
        let line = line.trim();
        if matches!(line, "quit" | "exit") {
            break;
        }
        match asked(table, line, args.style) {
            Ok(text) => session.console.text(&text)?,
            Err(why) if is_terminal => session.console.text(&format!("{why}\n"))?,
            Err(why) => session.console.warning(format!("`{line}`: {why}"))?,
        }
    }
    Ok(())
}

/// The answer to a line.
fn asked(table: &mut dyn Table, line: &str, style: Style) -> Result<String, String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let text = match word {
        "help" | "?" => HELP.to_owned(),
        "board" => table.shown(),
        "moves" => {
            listed(table.position().map(|position| moves(&position, rest.trim(), style)).unwrap_or_default())
        }
        "claims" => listed(table.claims()),
        "record" => table.record()?,
        "undo" => table.undo()?,
        _ => table.take(line)?,
    };
    Ok(text)
}

/// Lines, or a word that there are none.
fn listed(lines: Vec<String>) -> String {
    if lines.is_empty() { "none\n".to_owned() } else { lines.join("\n") + "\n" }
}

/// The legal plies that begin with a text, sorted.
fn moves(position: &Position, begin: &str, style: Style) -> Vec<String> {
    let written = |ply: &Ply| {
        let text = position.write(ply, style);
        text.or_else(|_| position.write(ply, Style::Coord)).unwrap_or_default()
    };
    let mut plies: Vec<String> =
        position.plies().iter().map(written).filter(|ply| ply.starts_with(begin)).collect();
    plies.sort();
    plies
}
