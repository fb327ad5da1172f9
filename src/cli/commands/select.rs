//! `ferz select`: finds games by what happened in them.

use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::query_arg::{QueryArg, explain, hits_in_words, tell_impossible, tell_not_judged};
use crate::cli::records::{
    FilesArg, Header, LanguageArg, NotJudged, ReadArgs, each_file, each_game, write_record,
};
use crate::cli::session::Session;
use ferz::record::Record;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Report, Source};
use ferz::search::{Hit, Looked, Seeker};
use ferz::text::Budget;
use ferz::text::limits::HITS_SHOWN_MAX;
use serde::Serialize;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    files: FilesArg,

    #[command(flatten)]
    query: QueryArg,

    /// Output: the record of each game found as it is, a line for each, or one JSON object a line
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,

    /// Print only the number of games found
    #[arg(long, conflicts_with = "format")]
    count: bool,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The records, byte for byte
    Pgn,
    /// For people: players, result, date, and the plies
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
A query selects positions of a game; a game is found if it selects at least one. Pieces have the letters of each game: \
`Nd5` is a white knight on d5, `qd5` a black queen, `~N` Nature's knight. Plies: QxP, drop N@f7, gate C, promote F, \
castle. Join conditions with and, or, not, then (later), next (one ply later). formats/QUERY.md lists all conditions. \
Only main lines are searched, up to the first illegal ply.

Exit codes: 0 games found, 1 none found, 2 usage or I/O error.

Examples:
  ferz select fixtures/games/*.pgn --where 'promote F' --format text
  ferz select games.pgn --where 'white carlsen and material KRPvKR' > found.pgn
  ferz select games.pgn --where 'flip (Nd5 and QxP)' | ferz stats
  ferz select games.pgn --where 'pattern \"*/*/*/*pP*/*/*/*/*\" then end mate' --count
  xz -dc games.pgn.xz | ferz select --where 'elo >= 2400 and claimable threefold' --format ndjson";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let Some(search) = args.query.search(session.console.has_color())? else {
        return Err(Failure::message("nothing to look for; add `--where QUERY`, such as `--where 'QxP'`"));
    };
    let mut tally = Tally::default();
    let files = args.files.all();
    let searched = each_file(&files, session, |session, file| {
        let look = |(replayer, seeker): (&mut Replayer<'_>, &mut Seeker<'_>),
                    record: &Record<'_>,
                    source: &Source<'_>| {
            let looked = Budget::endless(|budget| seeker.look(replayer, record, source, budget));
            Selected::of(looked, record, source, args)
        };
        let write = |console: &mut Console, name: &str, number: usize, found: Selected| {
            tally.games += 1;
            out(console, args, name, number, found, &mut tally)
        };
        let read = (&args.read, &args.letters);
        each_game(read, session, file, || search.seeker(), look, write).map(|_| ())
    });
    if matches!(searched, Err(Failure::BrokenPipe)) {
        return searched.map(|()| ExitStatus::Fine);
    }
    let (console, registry) = session.parts();
    let mut reasons = NotJudged::default();
    for (game, report) in tally.not_judged.iter().filter(|_| args.query.explain) {
        reasons.tell(console, game, report, registry)?;
    }
    let hint = if args.query.explain { "" } else { "; --explain says why" };
    tell_not_judged(session.console, tally.not_judged.len(), hint)?;
    tell_impossible(session.console, &search)?;
    if args.query.explain {
        explain(session.console, &search, tally.games)?;
    }
    let Tally { games, found, .. } = tally;
    if args.count && searched.is_ok() {
        session.console.line(found.to_string())?;
    } else if args.format == Format::Text && (searched.is_ok() || games > 0) {
        let of = counted(games, "game", "games");
        session.console.line(format!("{found} of {of} found"))?;
    }
    searched.map(|()| ExitStatus::of(found == 0))
}

/// Counts for the summary.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    found: usize,
    /// The games that were not judged, with their reports.
    not_judged: Vec<(String, Box<Report>)>,
}

/// What is written of a game.
enum Selected {
    Found(Box<Found>),
    Passed,
    NotJudged(Box<Report>),
}

/// One line of `--format ndjson`, after the file and the number of the game.
#[derive(Debug, Serialize)]
struct Found {
    /// The line that the record begins in, from 1.
    line: usize,
    #[serde(flatten)]
    header: Header,
    /// The positions, by the plies before them; empty if the query is about the game as a whole.
    plies: Vec<usize>,
    /// The plies before them, as the record writes them: the first ones.
    moves: Vec<String>,
    /// The bytes of the record.
    #[serde(skip)]
    text: Vec<u8>,
}

impl Selected {
    fn of(looked: Looked, record: &Record<'_>, source: &Source<'_>, args: &Args) -> Selected {
        match looked {
            Looked::Found(hit) => Selected::Found(Box::new(Found::new(hit, record, source, args))),
            Looked::Passed => Selected::Passed,
            Looked::NotJudged(report) => Selected::NotJudged(report),
        }
    }
}

impl Found {
    fn new(hit: Hit, record: &Record<'_>, source: &Source<'_>, args: &Args) -> Found {
        let text = if args.format == Format::Pgn && !args.count {
            record.source().trim_ascii().to_vec()
        } else {
            Vec::new()
        };
        Found {
            line: source.locate(record.offset()).line,
            header: Header::of(record),
            moves: hit.moves(record, HITS_SHOWN_MAX),
            plies: hit.plies,
            text,
        }
    }
}

/// Writes what was found.
fn out(
    console: &mut Console,
    args: &Args,
    name: &str,
    number: usize,
    found: Selected,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let found = match found {
        Selected::Found(found) => found,
        Selected::Passed => return Ok(()),
        Selected::NotJudged(report) => {
            tally.not_judged.push((format!("{name}: game {number}"), report));
            return Ok(());
        }
    };
    tally.found += 1;
    match args.format {
        _ if args.count => Ok(()),
        Format::Text => {
            let file = if args.files.all().len() > 1 { format!("{name}: ") } else { String::new() };
            let hits = hits_in_words(&found.moves, found.plies.len());
            console.line(format!("{file}game {number}: {}{hits}", found.header.in_words()))
        }
        Format::Pgn => write_record(console, &found.text),
        Format::Ndjson => console.json(&Line { file: name, game: number - 1, found: &found }),
    }
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    /// The number of the game in its file, from 0, as in reports.
    game: usize,
    #[serde(flatten)]
    found: &'a Found,
}
