//! `ferz variants import`: makes definitions of the files of other programs.

use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::rules::check::check;
use ferz::rules::fairy::{self, Imported};
use ferz::rules::zillions;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A `variants.ini` of Fairy-Stockfish, or a `.zrf` of Zillions of Games; `-` for standard input
    file: PathBuf,

    /// Only this game
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Write a definition for each game into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
A game becomes a definition, or each of its lines that no field of a definition says is named with the reason, and no \
definition is made of it: nothing is left out. In a `variants.ini` each section is a game, with parents that \
Fairy-Stockfish has built in or that stand before it; in a `.zrf` the game and each variant, under its title.

Exit codes: 0 all games are definitions, 1 lines could not be said, 2 usage or I/O error.

Examples:
  ferz variants import variants.ini -o games
  ferz variants import variants.ini --game amazonhouse > amazonhouse.toml
  ferz variants import knights.zrf -o games
  ferz --formats games moves amazonhouse";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let text = input::read_text(&args.file)?;
    let name = input::name_of(&args.file);
    let mut games = if is_zillions(&text) { zillions::import(&text) } else { fairy::import(&text) };
    if let Some(wanted) = &args.game {
        games.retain(|game| game.name == *wanted);
        if games.is_empty() {
            return Err(Failure::message(format!("{name}: no game `{wanted}`")));
        }
    }
    if games.is_empty() {
        return Err(Failure::message(format!(
            "{name}: no games; they begin with `[name]` or `[name:parent]` in a `variants.ini`, with `(game` in a \
             `.zrf`"
        )));
    }
    if args.output.is_none() && games.len() > 1 {
        let message =
            format!("{name}: it has {} games; choose one with --game, or a folder with -o", games.len());
        return Err(Failure::message(message));
    }
    let mut status = ExitStatus::Fine;
    for game in games {
        if !one(&game, &name, args.output.as_deref(), session)? {
            status = ExitStatus::Findings;
        }
    }
    Ok(status)
}

/// True for a file of Zillions of Games: its first word that is no remark is in brackets.
fn is_zillions(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .find(|line| !line.starts_with(';'))
        .is_some_and(|line| line.starts_with('('))
}

/// Writes a definition, or what it cannot say; false if there is something.
fn one(
    game: &Imported,
    file: &str,
    folder: Option<&Path>,
    session: &mut Session<'_>,
) -> Result<bool, Failure> {
    let Imported { name, line, definition } = game;
    let text = match definition {
        Ok(text) => text,
        Err(unsaid) => {
            for found in unsaid {
                let (line, text, why) = (found.line, &found.text, &found.why);
                session.console.note(&format!("{file}:{line}: {name}: `{text}`: {why}"))?;
            }
            return Ok(false);
        }
    };
    let mut registry = session.new_registry()?;
    if let Err(mistakes) = check(&mut registry, text) {
        for found in mistakes {
            let message = &found.message;
            session.console.note(&format!("{file}:{line}: {name}: the game has no definition: {message}"))?;
        }
        return Ok(false);
    }
    let Some(folder) = folder else { return session.console.text(text).map(|()| true) };
    let path = folder.join(format!("{}.toml", name.replace(['/', '\\'], "-")));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| Failure::message(format!("{}: cannot be written: {error}", path.display())))?;
    session.console.line(format!("{name}: {}", path.display()))?;
    Ok(true)
}
