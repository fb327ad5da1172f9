//! `ferz archive explore`.

use super::Db;
use crate::cli::carets::draw_argument;
use crate::cli::filter_args::FilterArgs;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::session::{Session, no_such_game};
use ferz::archive::Filter;
use ferz::replay::summary::counted;
use ferz::search::{Explored, ExploredPly, Explorer, Sum};
use ferz::{Position, Rules};
use serde::Serialize;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Position as extended FEN; the array without one
    fen: Option<String>,

    #[command(flatten)]
    db: Db,

    /// Plies from there, in any style
    #[arg(long, value_name = "PLIES")]
    after: Option<String>,

    #[command(flatten)]
    filter: FilterArgs,

    /// Output: a table, or one JSON object a ply
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
`played` counts the games in which the ply was made here, `reached` those that had the position after it, by whatever \
order of plies. Stocks and rights count; counters do not. The game is chess unless --variant names another; the \
filters of `ferz archive search` narrow the games. Withdrawn games are left out.

Exit codes: 0 the position is in some game, 1 in none, 2 usage or I/O error.

Examples:
  ferz archive explore --db club.ferz
  ferz archive explore --db club.ferz --after 'e4 c5' --player reti
  ferz archive explore --db club.ferz --variant iago-b --after 'Ng1-f3&M'
  ferz archive explore --db club.ferz '8/8/8/8/8/k7/p7/K7 b - - 0 60' --format ndjson";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut filter = args.filter.filter(session);
    let variant = filter.variant.get_or_insert_with(|| "chess".to_owned()).clone();
    let color = session.console.has_color();
    let rules = Rules::of(session.registry(), &variant, &[]).map_err(no_such_game)?;
    let position = position(args, &rules, color)?;
    let archive = args.db.open_existing()?;
    let filter = Filter { withdrawn: Some(false), ..filter };
    let mut explorer = Explorer::new(&position);
    let mut progress = Progress::new(None, Arc::default());
    let (console, registry) = session.parts();
    let done = archive.explore(&filter, &mut explorer, registry, |games| progress.add_games(games as u64));
    let games = progress.finish();
    done.map_err(Failure::message)?;
    let explored = explorer.explored();
    match args.format {
        Format::Text => table(console, &position, &explored)?,
        Format::Ndjson => {
            for ply in &explored.plies {
                console.json(&Line::of(ply))?;
            }
        }
    }
    if explored.games.games == 0 {
        let games = counted(games as usize, "game", "games");
        console.warning(format!("none of {games} of {variant} has the position"))?;
    }
    Ok(ExitStatus::of(explored.games.games == 0))
}

/// The position that is asked about.
fn position(args: &Args, rules: &Rules, color: bool) -> Result<Position, Failure> {
    let mut position = match &args.fen {
        None => Position::start(rules),
        Some(fen) => Position::from_fen(rules, fen).map_err(|error| {
            let note = "see `ferz fen --help` for positions of each game";
            Failure::Drawn(draw_argument(&format!("FEN: {error}"), fen, error.span, note, color))
        })?,
    };
    for (index, text) in args.after.as_deref().unwrap_or_default().split_whitespace().enumerate() {
        let ply = position
            .read(text)
            .map_err(|fault| Failure::message(format!("--after: ply {}, `{text}`: {fault}", index + 1)))?;
        position.play(&ply);
    }
    Ok(position)
}

/// Writes the table for people.
fn table(console: &mut Console, position: &Position, explored: &Explored) -> Result<(), Failure> {
    let games = &explored.games;
    console.line(position.fen())?;
    console.line(format!("{}{}", counted(games.games as usize, "game", "games"), shares(games)))?;
    if explored.plies.is_empty() {
        return Ok(());
    }
    console.line("ply         played reached   1-0  draw   0-1  years")?;
    for ExploredPly { ply, played, reached, .. } in &explored.plies {
        let percent = |part: u64| format!("{}%", (100 * part + reached.games / 2) / reached.games.max(1));
        let years = match reached.years {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
            None => String::new(),
        };
        let [white, drawn, black] = [reached.white, reached.drawn, reached.black].map(percent);
        let line = format!(
            "{ply:<10} {:>7} {:>7} {white:>5} {drawn:>5} {black:>5}  {years}",
            played.games, reached.games
        );
        console.line(line.trim_end())?;
    }
    Ok(())
}

/// `: 4 1-0, 3 drawn, 2 0-1`, for results that there are.
fn shares(sum: &Sum) -> String {
    let all = [(sum.white, "1-0"), (sum.drawn, "drawn"), (sum.black, "0-1")];
    let known: Vec<String> =
        all.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if known.is_empty() { String::new() } else { format!(": {}", known.join(", ")) }
}

/// One line of `--format ndjson`: the games that reached the position after the ply, in any order of plies, with their
/// results; how many of them played the ply here.
#[derive(Serialize)]
struct Line<'a> {
    ply: &'a str,
    coord: &'a str,
    games: u64,
    white: u64,
    draw: u64,
    black: u64,
    played_here: u64,
    reached: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    years: Option<(i64, i64)>,
}

impl<'a> Line<'a> {
    fn of(explored: &'a ExploredPly) -> Line<'a> {
        let ExploredPly { ply, coord, played, reached } = explored;
        let Sum { games, white, drawn, black, years } = *reached;
        Line {
            ply,
            coord,
            games,
            white,
            draw: drawn,
            black,
            played_here: played.games,
            reached: games,
            years,
        }
    }
}
