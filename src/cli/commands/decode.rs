//! `ferz decode`: reads damaged records by the rules.

use crate::cli::input::{self, Input};
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs, each_game_of};
use crate::cli::session::Session;
use ferz::decode::json::Answer;
use ferz::decode::{
    Costs, DecodeError, Decoded, Doubt, Options, Sheet, Written, best_record_of, decode, decode_sheets,
    decode_written, games, has_tags,
};
use ferz::record::{Record, read};
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source};
use ferz::rules::Registry;
use ferz::text::{self, Budget};
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records to decode, plain or compressed; `-` or none for standard input
    file: Option<PathBuf>,

    /// Another score sheet of the same game: text, or cells as JSON; both are read together
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,

    /// The guesses of a recogniser for each cell of a score sheet, as JSON, instead of a record
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    cells: Option<PathBuf>,

    /// Number of readings to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=32))]
    readings: u8,

    /// Ask about plies in doubt at the terminal, the one that settles most first
    #[arg(long, requires = "file", conflicts_with = "format")]
    ask: bool,

    /// Output: text for people, the decoded records, or one JSON object a game
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The changes, the doubts and the moves
    Text,
    /// Records with the decoded moves; changes and doubts on standard error
    Pgn,
    /// For programs: one JSON object a line
    Json,
}

const EXAMPLES: &str = "\
Of all ways to read a text, the one that makes a legal game at the least cost is chosen: slips of the pen, of a \
keyboard or a scanner each cost bits (formats/slips.toml). A ply that is missing is never invented: its place is \
named, with the plies that fit. formats/DECODE.md describes what is read and how sure it is.
The verdict of `ferz validate` is about what is written.

Exit codes: 0 certain, 1 not certain, 2 usage or I/O error, 3 no reading.

Examples:
  echo '1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O' | ferz decode
  ferz decode white.txt --sheet black.txt --variant iago-b
  ferz decode scan.txt --ask
  ferz decode --cells cells.json --format json | jq .question
  ferz decode damaged.pgn --format pgn | ferz validate";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if args.ask && !io::stdin().is_terminal() && args.file.as_deref() == Some(Path::new("-")) {
        return Err(Failure::message(
            "standard input cannot be both the record and the answers; name a file",
        ));
    }
    let mut sums = Sums::default();
    if args.cells.is_some() || args.sheet.is_some() {
        one_game(args, session, &mut sums)?;
    } else {
        many_games(args, session, &mut sums)?;
    }
    Ok(sums.status())
}

/// How the games came out.
#[derive(Default)]
struct Sums {
    games: usize,
    certain: usize,
    unread: usize,
}

impl Sums {
    fn status(&self) -> ExitStatus {
        if self.unread > 0 { ExitStatus::Open } else { ExitStatus::of(self.certain < self.games) }
    }
}

/// A game, decoded or not, with the record that it is of.
struct Game {
    decoded: Result<Decoded, DecodeError>,
    source: Vec<u8>,
}

impl Game {
    fn new(decoded: Result<Decoded, DecodeError>, record: &Record<'_>) -> Game {
        Game { decoded, source: record.source().to_vec() }
    }
}

/// The record of the best reading.
fn written(decoded: &Decoded, source: &[u8], registry: &Registry) -> String {
    let record = read(source, 0).next();
    record.and_then(|record| best_record_of(&record, decoded, registry)).unwrap_or_default()
}

fn many_games(args: &Args, session: &mut Session<'_>, sums: &mut Sums) -> Result<(), Failure> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let (name, text) = text_of(path)?;
    if has_tags(&text) {
        return tagged_games(args, session, (name, text), sums);
    }
    let options = args.read.options(session, &args.letters.language, false)?;
    let (console, registry) = session.parts();
    let mut replayer = Replayer::new(registry, options);
    for (index, part) in games(&text).into_iter().enumerate() {
        // The reader may see several records in a damaged text.
        let sheet = Sheet::of_text(&text[part.clone()], part.start, Costs::built_in());
        let Some(record) = read(b"*", 0).next() else { return Ok(()) };
        let budget = Budget::unlimited();
        let decoded = decode_sheets(&mut replayer, &record, &[sheet], &Options::default(), &budget);
        let game = Game::new(decoded, &record);
        tell(args, (&mut *console, registry), (&name, index + 1), game, sums)?;
    }
    Ok(())
}

/// The name and the text of an input; bytes that are not UTF-8 are taken for Latin-1.
fn text_of(path: &Path) -> Result<(String, String), Failure> {
    let mut input = input::open(Some(path))?;
    let mut bytes = Vec::new();
    input.reader.read_to_end(&mut bytes).map_err(Failure::message)?;
    Ok((input.name, text::decode(&bytes).into_owned()))
}

fn tagged_games(
    args: &Args,
    session: &mut Session<'_>,
    (name, text): (String, String),
    sums: &mut Sums,
) -> Result<(), Failure> {
    // The console is borrowed with the session's games while they are read.
    let own = if session.has_own_games() { Some(session.new_registry()?) } else { None };
    let registry = own.as_ref().unwrap_or_else(|| Registry::built_in());
    let decode = |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, _: &Source<'_>| {
        let decoded = decode(replayer, record, &Options::default(), &Budget::unlimited());
        Game::new(decoded, record)
    };
    let out = |console: &mut Console, name: &str, number: usize, game: Game| {
        tell(args, (console, registry), (name, number), game, sums)
    };
    let input = Input::of_text(name, text);
    each_game_of(input, (&args.read, &args.letters), session, || (), decode, out)?;
    Ok(())
}

fn one_game(args: &Args, session: &mut Session<'_>, sums: &mut Sums) -> Result<(), Failure> {
    let options = args.read.options(session, &args.letters.language, false)?;
    let path = args.cells.as_deref().or(args.file.as_deref()).unwrap_or(Path::new("-"));
    let (name, first) = written_in(path)?;
    let second = args.sheet.as_deref().map(written_in).transpose()?;
    let (console, registry) = session.parts();
    let mut replayer = Replayer::new(registry, options);
    let all: Vec<&Written> =
        std::iter::once(&first).chain(second.as_ref().map(|(_, written)| written)).collect();
    let decoded = decode_written(&mut replayer, &all, &Options::default(), &Budget::unlimited());
    if let Err(DecodeError::Cells(error)) = &decoded {
        return Err(Failure::message(format!("{name}: {error}")));
    }
    let source = Written::naming(&all).map(Written::record).unwrap_or_default().into_bytes();
    tell(args, (console, registry), (&name, 1), Game { decoded, source }, sums)
}

/// A score sheet with its name.
fn written_in(path: &Path) -> Result<(String, Written), Failure> {
    let (name, text) = text_of(path)?;
    let written = Written::of(text).map_err(|error| Failure::message(format!("{name}: {error}")))?;
    Ok((name, written))
}

/// Reports a game.
fn tell(
    args: &Args,
    (console, registry): (&mut Console, &Registry),
    (name, number): (&str, usize),
    game: Game,
    sums: &mut Sums,
) -> Result<(), Failure> {
    sums.games += 1;
    let mut decoded = match game.decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            sums.unread += 1;
            return console.note(&format!("{name}: game {number}: {error}"));
        }
    };
    if decoded.readings.is_empty() {
        sums.unread += 1;
        return console.note(&format!("{name}: game {number}: no reading"));
    }
    if args.ask {
        ask(console, &mut decoded)?;
    }
    sums.certain += usize::from(decoded.certain);
    match args.format {
        Format::Json => console.json(&Answer::new(&decoded, number - 1, args.readings.into())),
        Format::Pgn => {
            for line in lines(&decoded, number, args.readings.into()) {
                console.note(&line)?;
            }
            console.text(&written(&decoded, &game.source, registry))?;
            console.text("\n")
        }
        Format::Text => {
            for line in lines(&decoded, number, args.readings.into()) {
                console.line(line)?;
            }
            console.line("")?;
            console.text(&written(&decoded, &game.source, registry))
        }
    }
}

/// What was changed, and what is in doubt.
fn lines(decoded: &Decoded, number: usize, readings: usize) -> Vec<String> {
    let Some(best) = decoded.readings.first() else { return Vec::new() };
    let changes = best.changes().count();
    let variant = &decoded.variant;
    let language = decoded.languages.iter().find(|language| *language != "en");
    let language = language.map_or_else(String::new, |language| format!(" ({language})"));
    let plies = counted(best.plies.len(), "ply", "plies");
    let changed = if changes == 0 { "as written".to_owned() } else { counted(changes, "change", "changes") };
    let mut lines =
        vec![format!("game {number}: {variant}{language}: {plies}, {changed}; {}", decoded.confidence())];
    lines.extend(best.changes().map(|ply| format!("  {ply} ({} bits)", ply.cost)));
    lines.extend(decoded.doubts.iter().map(|doubt| format!("  in doubt: {doubt}")));
    for other in decoded.readings.iter().skip(1).take(readings.saturating_sub(1)) {
        if other.cost > best.cost + decoded.doubtful() {
            break;
        }
        let changes: Vec<String> = other.changes().map(|ply| ply.to_string()).collect();
        lines.push(format!("  or, {} bits more: {}", other.cost - best.cost, changes.join("; ")));
    }
    lines
}

/// Asks about the plies in doubt until nothing is, or no answer comes.
fn ask(console: &mut Console, decoded: &mut Decoded) -> Result<(), Failure> {
    while let Some(doubt) = decoded.question.and_then(|index| decoded.doubts.get(index)).cloned() {
        console.note(&format!("Which ply was {doubt} (a number, or nothing to stop)"))?;
        for (index, alternative) in doubt.alternatives.iter().enumerate() {
            console.note(&format!("  {}  {}", index + 1, alternative.ply.san))?;
        }
        let Some(chosen) = answer(&doubt)? else { return Ok(()) };
        if !decoded.answer(doubt.ply, &chosen) {
            return Ok(());
        }
    }
    Ok(())
}

/// The answer: a number, or the ply itself.
fn answer(doubt: &Doubt) -> Result<Option<String>, Failure> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(Failure::message)?;
    let line = line.trim();
    let number: Option<usize> = line.parse().ok();
    let by_number = number.and_then(|number| doubt.alternatives.get(number.checked_sub(1)?));
    let by_name = || doubt.alternatives.iter().find(|alternative| alternative.ply.san == line);
    Ok(by_number.or_else(by_name).map(|alternative| alternative.ply.san.clone()))
}
