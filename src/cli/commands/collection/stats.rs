//! `ferz stats`: what a collection holds, in numbers.

use super::{Collection, tag_of};
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::record::{GameResult, Record, day};
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source};
use serde::Serialize;
use std::collections::HashMap;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// How many players, events and openings to name
    #[arg(long, default_value_t = 10, value_name = "N")]
    top: usize,

    /// Output: lines for people, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

const EXAMPLES: &str = "\
Counted is what the records say: nothing is judged. Lengths are plies of the main line. White's score counts games \
with a result.

Examples:
  ferz stats games.pgn
  ferz select games.pgn --where 'white tal' | ferz stats
  ferz stats games.pgn --format json --top 100";

/// What one record adds.
struct Said {
    variant: Option<String>,
    result: Option<GameResult>,
    plies: usize,
    date: Option<(i64, String)>,
    players: [Option<String>; 2],
    event: Option<String>,
    eco: Option<String>,
    termination: Option<String>,
}

fn said(replayer: &mut Replayer<'_>, record: &Record<'_>, _: &Source<'_>) -> Said {
    let tag = |name: &str| tag_of(record, name);
    Said {
        variant: replayer.game(record).ok().map(|game| game.id().name.clone()),
        result: record.stated_result().filter(|result| *result != GameResult::Unknown),
        plies: record.main_moves().count(),
        date: tag("Date").and_then(|date| day(&date).map(|day| (day, date))),
        players: [tag("White"), tag("Black")],
        event: tag("Event"),
        eco: tag("ECO"),
        termination: tag("Termination"),
    }
}

/// A value and how many games have it.
#[derive(Debug, Serialize)]
struct Row {
    value: String,
    games: usize,
}

/// How many games have each value, the most frequent first.
#[derive(Debug, Default)]
struct Tally(HashMap<String, usize>);

impl Tally {
    fn add(&mut self, value: Option<String>) {
        if let Some(value) = value {
            *self.0.entry(value).or_default() += 1;
        }
    }

    fn top(self, most: usize) -> Top {
        let different = self.0.len();
        let mut rows: Vec<Row> = self.0.into_iter().map(|(value, games)| Row { value, games }).collect();
        rows.sort_by(|one, other| (other.games, &one.value).cmp(&(one.games, &other.value)));
        rows.truncate(most);
        Top { different, top: rows }
    }
}

/// The most frequent values.
#[derive(Debug, Serialize)]
struct Top {
    /// How many different ones there are.
    different: usize,
    top: Vec<Row>,
}

/// Numbers of a collection.
#[derive(Debug, Serialize)]
struct Stats {
    games: usize,
    white_wins: usize,
    black_wins: usize,
    draws: usize,
    without_result: usize,
    /// White's points for each game with a result; none without one.
    white_score: Option<f64>,
    plies: usize,
    shortest: usize,
    median: usize,
    longest: usize,
    first_date: Option<String>,
    last_date: Option<String>,
    without_date: usize,
    variants: Top,
    players: Top,
    events: Top,
    openings: Top,
    terminations: Top,
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut results = HashMap::new();
    let (mut lengths, mut dates): (Vec<usize>, Vec<(i64, String)>) = Default::default();
    let (mut variants, mut players, mut events) = (Tally::default(), Tally::default(), Tally::default());
    let (mut openings, mut terminations) = (Tally::default(), Tally::default());
    let read = args.records.each(session, said, |_, _, said| {
        *results.entry(said.result.map(GameResult::as_str)).or_default() += 1;
        lengths.push(said.plies);
        dates.extend(said.date);
        variants.add(said.variant);
        said.players.into_iter().for_each(|player| players.add(player));
        events.add(said.event);
        openings.add(said.eco);
        terminations.add(said.termination);
        Ok(())
    });
    lengths.sort_unstable();
    dates.sort();
    let games = lengths.len();
    let of = |result: GameResult| results.get(&Some(result.as_str())).copied().unwrap_or(0);
    let (white_wins, black_wins, draws) =
        (of(GameResult::WhiteWins), of(GameResult::BlackWins), of(GameResult::Draw));
    let with_result = white_wins + black_wins + draws;
    let score = (2 * white_wins + draws) as f64 / 2.0 / with_result as f64;
    let stats = Stats {
        games,
        white_wins,
        black_wins,
        draws,
        without_result: games - with_result,
        white_score: (with_result > 0).then_some(score),
        plies: lengths.iter().sum(),
        shortest: lengths.first().copied().unwrap_or(0),
        median: lengths.get(games / 2).copied().unwrap_or(0),
        longest: lengths.last().copied().unwrap_or(0),
        first_date: dates.first().map(|(_, date)| date.clone()),
        last_date: dates.last().map(|(_, date)| date.clone()),
        without_date: games - dates.len(),
        variants: variants.top(args.top),
        players: players.top(args.top),
        events: events.top(args.top),
        openings: openings.top(args.top),
        terminations: terminations.top(args.top),
    };
    match args.format {
        Format::Json => session.console.json(&stats)?,
        Format::Text => stats.tell(session.console)?,
    }
    read.map(|()| ExitStatus::Fine)
}

impl Stats {
    fn tell(&self, console: &mut Console) -> Result<(), Failure> {
        let percent = |part: usize| 100.0 * part as f64 / self.games.max(1) as f64;
        let games = counted(self.games, "game", "games");
        console.line(format!("{games}, {}", counted(self.plies, "ply", "plies")))?;
        if self.games == 0 {
            return Ok(());
        }
        for (name, part) in [
            ("1-0", self.white_wins),
            ("0-1", self.black_wins),
            ("1/2-1/2", self.draws),
            ("no result", self.without_result),
        ] {
            console.line(format!("  {name:<9} {part:>8}  {:>5.1} %", percent(part)))?;
        }
        if let Some(score) = self.white_score {
            console.line(format!("White's score: {:.1} %", 100.0 * score))?;
        }
        let Stats { shortest, median, longest, .. } = self;
        console.line(format!("plies: {shortest} to {longest}, median {median}"))?;
        if let Some((first, last)) = self.first_date.as_ref().zip(self.last_date.as_ref()) {
            let without = match self.without_date {
                0 => String::new(),
                without => format!(", {} without a date", counted(without, "game", "games")),
            };
            console.line(format!("dates: {first} to {last}{without}"))?;
        }
        let lists = [
            ("games", &self.variants),
            ("players", &self.players),
            ("events", &self.events),
            ("openings (tag ECO)", &self.openings),
            ("terminations", &self.terminations),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| list.different > 0) {
            console.line(format!("{name}: {}", list.different))?;
            for Row { value, games } in &list.top {
                console.line(format!("  {games:>8}  {value}"))?;
            }
        }
        Ok(())
    }
}
