//! `ferz variants list`.

use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::session::Session;
use serde_json::json;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Output: columns, or one JSON object a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Games of Fairy-Stockfish, too, which are played under their names there
    #[arg(long)]
    all: bool,
}

const EXAMPLES: &str = "\
Mutators precede a game's name: `misere+chess`, `chaos+ichess`.

Examples:
  ferz variants list
  ferz variants list --all
  ferz variants list --format ndjson";

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Columns: name, edition, title
    Text,
    /// One JSON object a line
    Ndjson,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut games = session.registry().list();
    if args.all {
        games.extend(session.registry().list_of_fairy());
    }
    let width = |text: fn(&ferz::rules::registry::Listing) -> &str| {
        games.iter().map(|game| text(game).chars().count()).max().unwrap_or_default()
    };
    let (names, editions) = (width(|game| &game.name), width(|game| &game.edition));
    for game in &games {
        let line = match args.format {
            Format::Text => format!("{:names$}  {:editions$}  {}", game.name, game.edition, game.title),
            Format::Ndjson => {
                let name = game.name.trim_end_matches("+…");
                let edition = (!game.mutator).then_some(&game.edition);
                json!({"name": name, "title": game.title, "edition": edition, "mutator": game.mutator})
                    .to_string()
            }
        };
        session.console.line(line)?;
    }
    Ok(ExitStatus::Fine)
}
