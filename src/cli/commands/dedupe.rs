//! `ferz dedupe`: finds records of one game among many.

use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{FilesArg, Header, LanguageArg, ReadArgs, each_file, each_game, write_record};
use crate::cli::session::Session;
use ferz::record::Record;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source, trace};
use ferz::rewrite::{Double, Fingerprint, Likeness, doubles};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    files: FilesArg,

    /// Output: a line for each double, the records without doubles as they are, or one JSON object a double
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    drop: DropArg,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

/// Which doubles are dropped.
#[derive(Debug, clap::Args)]
pub(super) struct DropArg {
    /// Doubles to drop from records: same, names_near, prefix, one_ply, separated by commas
    #[arg(
        long = "drop",
        value_name = "KINDS",
        value_delimiter = ',',
        value_parser = kind,
        default_value = "same"
    )]
    pub(super) kinds: Vec<Likeness>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// The records that stay, byte for byte
    Pgn,
    /// For programs: one JSON object a line
    Ndjson,
}

fn kind(name: &str) -> Result<Likeness, String> {
    let found = Likeness::ALL.into_iter().find(|likeness| likeness.id() == name);
    found.filter(|likeness| *likeness != Likeness::SamePlay).ok_or_else(|| {
        "use same, names_near, prefix or one_ply; the same play by other players is another game".to_owned()
    })
}

const EXAMPLES: &str = "\
Records are compared by rules, start and plies, in whatever notation they are written:
  same        equal play, players and date; one may say less of them
  names_near  equal play by players whose names differ slightly or in initials
  prefix      equal players and date; one record ends where the other continues
  one_ply     equal players and date; the records differ in one ply
  same_play   equal play by other players or at another date; never dropped

Of two records, the more complete one is kept: legal before illegal, then more plies, tags and text. A record that \
cannot be judged to its end is not compared, and is kept. All records are held in memory.

Exit codes: 0 no doubles, or they were dropped, 1 doubles found, 2 usage or I/O error.

Examples:
  ferz dedupe games.pgn
  ferz dedupe club.pgn federation.pgn --format ndjson | jq 'select(.likeness == \"one_ply\")'
  ferz dedupe *.pgn --format pgn --drop same,names_near,prefix > clean.pgn";

/// A record that was read.
struct Known {
    /// The number of its file.
    file: usize,
    /// Its number in the file, from 1.
    game: usize,
    line: usize,
    names: String,
    /// Its bytes, if they are written again.
    text: Vec<u8>,
    fingerprint: Option<Fingerprint>,
}

/// Records, and the doubles among them.
pub(super) struct Found {
    files: Vec<String>,
    known: Vec<Known>,
    /// Each with the record that is kept; the closest likeness first.
    pub(super) doubles: Vec<Double>,
    /// Whether all files could be read.
    read: Result<(), Failure>,
}

impl Found {
    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The bytes of a record.
    pub(super) fn text(&self, game: usize) -> &[u8] {
        &self.known[game].text
    }

    /// The doubles of these kinds, each with the record that is kept instead.
    pub(super) fn dropped(&self, kinds: &[Likeness]) -> BTreeMap<usize, usize> {
        let doubles = self.doubles.iter().filter(|double| kinds.contains(&double.likeness));
        doubles.map(|double| (double.game, double.of)).collect()
    }

    /// How the command ends, as far as reading goes.
    pub(super) fn ended(self, status: ExitStatus) -> Outcome {
        self.read.map(|()| status)
    }
}

/// Reads records and finds the doubles among them; says how many could not be compared.
///
/// # Errors
/// If the output cannot be written, or nothing can be read.
pub(super) fn find(
    files: &[PathBuf],
    how: (&ReadArgs, &LanguageArg),
    keeps_text: bool,
    session: &mut Session<'_>,
) -> Result<Found, Failure> {
    let (mut names, mut known) = (Vec::new(), Vec::new());
    let read = each_file(files, session, |session, file| {
        let own = names.len();
        let look =
            |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, source: &Source<'_>| {
                Known::of(replayer, record, source, keeps_text)
            };
        let keep = |_: &mut Console, name: &str, number: usize, found: Known| {
            if names.len() == own {
                names.push(name.to_owned());
            }
            known.push(Known { file: own, game: number, ..found });
            Ok(())
        };
        each_game(how, session, file, || (), look, keep).map(|_| ())
    });
    if matches!(read, Err(Failure::BrokenPipe)) {
        return Err(Failure::BrokenPipe);
    }
    let compared: Vec<usize> = (0..known.len()).filter(|game| known[*game].fingerprint.is_some()).collect();
    let fingerprints: Vec<Fingerprint> =
        known.iter_mut().filter_map(|known| known.fingerprint.take()).collect();
    let mut doubles = doubles(&fingerprints);
    for double in &mut doubles {
        *double = Double { game: compared[double.game], of: compared[double.of], ..*double };
    }
    let left_out = known.len() - compared.len();
    if left_out > 0 {
        let records = counted(left_out, "record", "records");
        session
            .console
            .warning(format!("{records} not compared: not judged to the end; `ferz validate` says why"))?;
    }
    Ok(Found { files: names, known, doubles, read })
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let all = find(&args.files.all(), (&args.read, &args.letters), args.format == Format::Pgn, session)?;
    let Found { files, known, doubles: found, .. } = &all;
    let console = &mut *session.console;
    match args.format {
        Format::Pgn => write_rest(args, console, &all)?,
        Format::Ndjson => {
            for double in found {
                console.json(&Line::of(double, known, files))?;
            }
        }
        Format::Text => {
            for double in found {
                console.line(in_words(double, known, files))?;
            }
            let sum: Vec<String> = Likeness::ALL
                .into_iter()
                .map(|likeness| (likeness, found.iter().filter(|double| double.likeness == likeness).count()))
                .filter(|(_, count)| *count > 0)
                .map(|(likeness, count)| format!("{count} {}", likeness.id()))
                .collect();
            let sum = if sum.is_empty() { "no doubles".to_owned() } else { sum.join(", ") };
            console.line(format!("{}: {sum}", counted(known.len(), "record", "records")))?;
        }
    }
    let is_finding = args.format != Format::Pgn && !found.is_empty();
    all.ended(ExitStatus::of(is_finding))
}

impl Known {
    fn of(replayer: &mut Replayer<'_>, record: &Record<'_>, source: &Source<'_>, keeps_text: bool) -> Known {
        let fingerprint = trace(replayer, record, source, 0).ok();
        Known {
            file: 0,
            game: 0,
            line: source.locate(record.offset()).line,
            names: Header::of(record).in_words(),
            text: if keeps_text { record.source().trim_ascii().to_vec() } else { Vec::new() },
            fingerprint: fingerprint.and_then(|trace| Fingerprint::of(record, &trace)),
        }
    }

    /// Where it is: `games.pgn: game 3`, or only the game where there is one file.
    fn place(&self, files: &[String]) -> String {
        let file = files.get(self.file).filter(|_| files.len() > 1);
        file.map_or_else(String::new, |file| format!("{file}: ")) + &format!("game {}", self.game)
    }
}

/// Writes the records that are kept.
fn write_rest(args: &Args, console: &mut Console, all: &Found) -> Result<(), Failure> {
    let dropped = all.dropped(&args.drop.kinds);
    for game in (0..all.len()).filter(|game| !dropped.contains_key(game)) {
        write_record(console, all.text(game))?;
    }
    console.note(&format!("{}: {} dropped", counted(all.len(), "record", "records"), dropped.len()))
}

/// `same: game 3 is game 1 (Ann - Ben, 1-0)`.
fn in_words(double: &Double, known: &[Known], files: &[String]) -> String {
    let Double { game, of, likeness, ply } = *double;
    let (place, of_place) = (known[game].place(files), known[of].place(files));
    let relation = match (likeness, ply) {
        (Likeness::Prefix, Some(ply)) => format!("ends before ply {ply} of"),
        (_, Some(ply)) => format!("differs at ply {ply} from"),
        (Likeness::SamePlay, None) => "has the play of".to_owned(),
        (_, None) => "is".to_owned(),
    };
    let names = if known[game].names == known[of].names {
        known[of].names.clone()
    } else {
        format!("{}; {}", known[game].names, known[of].names)
    };
    format!("{}: {place} {relation} {of_place} ({names})", likeness.id())
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    likeness: Likeness,
    game: Place<'a>,
    of: Place<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
}

/// A record in such a line.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    game: usize,
    line: usize,
}

impl<'a> Line<'a> {
    fn of(double: &Double, known: &[Known], files: &'a [String]) -> Line<'a> {
        let place = |game: usize| {
            let Known { file, game, line, .. } = &known[game];
            Place { file: &files[*file], game: *game, line: *line }
        };
        let Double { game, of, likeness, ply } = *double;
        Line { likeness, game: place(game), of: place(of), ply }
    }
}
