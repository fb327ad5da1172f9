//! `ferz tables stats`.

use super::{Format, GameArgs, JobsArgs, build, material};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::session::Session;
use ferz::tables::{Stats, Tables, Turn};
use serde::Serialize;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Men of White, `v`, men of Black, in the game's own letters: `KBNvK`
    material: String,

    /// Output: text, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
Every placement of the men counts, with either side to move, if the other side is not in check.
Distances are moves of the winner.

Examples:
  ferz tables stats chess KBNvK
  ferz tables stats iago-b KMvKC --format json
  ferz tables stats augmented KBvK --tag 'WhiteArmy=RF ND BfbN QffNsbN' --tag 'BlackArmy=RF ND BfbN QffNsbN'";

/// The answer as JSON.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    variant: &'a str,
    material: String,
    #[serde(flatten)]
    stats: Stats,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let rules = args.game.rules(session)?;
    let material = material(&rules, &args.material)?;
    let mut tables = Tables::new(rules.clone());
    let table = build(&mut tables, &material, &args.jobs)?;
    let (stats, material) = (table.stats(), material.text(&rules));
    if args.format == Format::Json {
        let answer = Answer { variant: &rules.id.name, material, stats };
        session.console.json(&answer)?;
        return Ok(ExitStatus::Fine);
    }
    session.console.line(format_args!(
        "{} {material}: {} positions, {} symmetries",
        rules.id.name,
        stats.positions,
        table.symmetries()
    ))?;
    for (name, turn) in [("White", stats.white_to_move), ("Black", stats.black_to_move)] {
        session.console.line(format_args!("{name} to move: {}", described(&turn)))?;
    }
    Ok(ExitStatus::Fine)
}

/// What the positions with one side to move are worth, in words.
fn described(turn: &Turn) -> String {
    let longest =
        |moves: Option<u8>| moves.map_or_else(String::new, |moves| format!(" (up to {moves} moves)"));
    format!(
        "{} won{}, {} drawn, {} lost{}",
        turn.win,
        longest(turn.longest_win),
        turn.draw,
        turn.loss,
        longest(turn.longest_loss)
    )
}
