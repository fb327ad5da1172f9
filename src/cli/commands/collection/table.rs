//! `ferz table`: the crosstable of records, with tie-breaks.

use super::Collection;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use crate::tournament::{Played, Score, Table, TieBreak, csv, html, text};
use ferz::record::Record;
use ferz::replay::{Replayer, Source};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// Tie-breaks in their order, separated by commas; without it, those that fit the form of the event
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    tie_breaks: Vec<TieBreak>,

    /// Output: aligned columns, or a table for other programs or paper
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// With a heading
    Csv,
    /// For paper
    Html,
    /// One JSON object
    Json,
}

const EXAMPLES: &str = "\
Results are those of the records: the tag Result, otherwise the one after the moves. Players differ by their names \
as written; `ferz names` unites spellings. Games without both names are counted and left out.

Tie-breaks: direct, sb (Sonneborn-Berger), buchholz, buchholz-1, koya, wins.

Examples:
  ferz table round*.pgn
  ferz select games.pgn --where 'event \"Club 2026\"' | ferz table --tie-breaks direct,sb,wins
  ferz table games.pgn --format html > table.html";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let (mut games, mut events, mut nameless): (Vec<Played>, Vec<String>, usize) = Default::default();
    let read = args.records.each(session, played, |_, _, (event, game)| {
        if let Some(event) = event.filter(|event| !events.contains(event)) {
            events.push(event);
        }
        match game {
            Some(game) => games.push(game),
            None => nameless += 1,
        }
        Ok(())
    });
    if nameless > 0 {
        let games = ferz::replay::summary::counted(nameless, "game", "games");
        session.console.warning(format!("{games} without the tags White and Black left out"))?;
    }
    if events.len() > 1 {
        let events = events.len();
        session.console.warning(format!(
            "{events} events in one table; `ferz split --by event --out DIR` makes a file of each"
        ))?;
    }
    let event = match &events[..] {
        [event] => event.clone(),
        [] => "Games".to_owned(),
        events => format!("{} events", events.len()),
    };
    let table = Table::of(&event, &games, &args.tie_breaks);
    let written = match args.format {
        Format::Text => text(&table),
        Format::Csv => csv(&table).map_err(Failure::message)?,
        Format::Html => html(&table),
        Format::Json => serde_json::to_string(&table).map_err(Failure::message)? + "\n",
    };
    session.console.text(&written)?;
    read.map(|()| ExitStatus::Fine)
}

/// The event of a record, and its game if both players have names.
fn played(_: &mut Replayer<'_>, record: &Record<'_>, _: &Source<'_>) -> (Option<String>, Option<Played>) {
    let tag = |name: &str| super::tag_of(record, name);
    let score = match record.both_lose() {
        true => Score::BothLose,
        false => Score::of_result(record.stated_result().map_or("*", |result| result.as_str())),
    };
    let game = tag("White").zip(tag("Black")).map(|(white, black)| {
        let round = tag("Round").unwrap_or_else(|| "?".to_owned());
        Played { round, white, black, score }
    });
    (tag("Event"), game)
}
