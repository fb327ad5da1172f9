//! `ferz fix`: repairs records and lists every change.

use super::fix_decoded::Decoder;
use crate::cli::input;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::records::{LanguageArg, NotJudged, ReadArgs, each_file, no_game};
use crate::cli::session::Session;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::json::sniff;
use ferz::replay::{Agreement, Legality, Replayer, Report};
use ferz::rewrite::fix::{Change, DECIDING, Fixed, REPAIRS, Repair, chosen, fix_each, repair};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records to repair, in PGN, plain or compressed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// List the repairs and the diagnostics they fix
    #[arg(long, conflicts_with_all = ["files", "only", "all", "decode", "check", "in_place"])]
    list: bool,

    /// Make only these repairs
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = names())]
    only: Vec<&'static Repair>,

    /// Also make repairs that delete something, except those that decide a result or split a game
    #[arg(long, conflicts_with = "only")]
    all: bool,

    /// Also replace the moves of records that stay illegal by what was meant (`ferz decode`), where nothing is in doubt
    #[arg(long)]
    decode: bool,

    /// List repairs without changing anything; exit code 1 if there are any
    #[arg(long)]
    check: bool,

    /// Write the repaired records back to their files, following links; each file is replaced completely or not at all
    #[arg(long, conflicts_with = "check", requires = "files")]
    in_place: bool,

    /// With --in-place: keep the original as FILE.orig, or FILE.orig.2 and so on (the default)
    #[arg(long, requires = "in_place", overrides_with = "no_backup")]
    backup: bool,

    /// With --in-place: keep no copy of the original
    #[arg(long, requires = "in_place")]
    no_backup: bool,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

const EXAMPLES: &str = "\
Each repair is listed on standard error with its place, the old text and the new. Every other byte stays. A repair \
that would change the game is not made, and is reported.
With --decode a record that stays illegal or unreadable is read by the rules; its moves are replaced only if no ply is \
missing or in doubt, and every change is listed with its cost.
The last line says what was done and what remains.
Exit codes: 0 done, and every game is legal; 1 if findings remain (as for `ferz validate`), a repair was not made, or \
--check found something to repair; 2 usage or I/O error.

Examples:
  ferz fix --list
  ferz fix games.pgn > fixed.pgn
  ferz fix --check --only check-marks,move-numbers games.pgn
  ferz fix --in-place --all games.pgn
  ferz fix --decode score-sheets.pgn > legal.pgn
  ferz fix --only split-games games.pgn";

/// The repair that takes games out of mail.
const SKIPPED_LINES: &str = "skipped-lines";

/// The repair whose changes are invisible.
const LATIN_1: &str = "latin-1";

/// The Latin-1 bytes of characters.
fn bytes(text: &str) -> String {
    text.chars().map(|char| format!("0x{:02X}", u32::from(char))).collect::<Vec<_>>().join(" ")
}

fn names() -> impl TypedValueParser<Value = &'static Repair> {
    let names = REPAIRS.iter().map(|repair| repair.name);
    PossibleValuesParser::new(names)
        .try_map(|name| repair(&name).ok_or("this is not a repair; `ferz fix --list` lists them"))
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if args.list {
        return list(session.console).map(|()| ExitStatus::Fine);
    }
    let repairs = chosen(&args.only, args.all);
    let mut all = Done::default();
    each_file(&args.files, session, |session, file| {
        all.add(one_file(args, &repairs, session, file)?);
        Ok(())
    })?;
    if let Some(summary) = all.summary() {
        session.console.note(&summary)?;
    }
    Ok(ExitStatus::of(all.refused || all.remaining > 0 || args.check && all.repairs > 0))
}

fn list(console: &mut Console) -> Result<(), Failure> {
    for Repair { name, codes, what, usual } in REPAIRS {
        let codes: Vec<&str> = codes.iter().map(|code| code.0).collect();
        let codes = if codes.is_empty() { "-".to_owned() } else { codes.join(",") };
        let when = match (usual, DECIDING.contains(name)) {
            (true, _) => "usual",
            (false, true) => "by name",
            (false, false) => "--all",
        };
        console.line(format!("{name}\t{when}\t{codes}\t{what}"))?;
    }
    Ok(())
}

fn one_file(
    args: &Args,
    repairs: &[&'static Repair],
    session: &mut Session<'_>,
    file: &Path,
) -> Result<Done, Failure> {
    if args.in_place {
        return in_place(args, repairs, session, file);
    }
    repaired(args, repairs, session, file, &mut |console, bytes| match args.check {
        true => Ok(()),
        false => console.bytes(bytes),
    })
}

/// Repairs a file by writing a temporary one next to it, which then replaces it. Leaves a file without repairs alone.
fn in_place(
    args: &Args,
    repairs: &[&'static Repair],
    session: &mut Session<'_>,
    file: &Path,
) -> Result<Done, Failure> {
    let name = file.display();
    if file == Path::new("-") {
        return Err(Failure::message(
            "standard input cannot be changed in place; name files with --in-place",
        ));
    }
    let trouble =
        |path: &Path, error: &io::Error| Failure::Message(input::explain(&path.display().to_string(), error));
    if let Some(why) = input::no_plain_text(file).map_err(|error| trouble(file, &error))? {
        return Err(Failure::message(format!("{name}: {why}")));
    }
    // Repair the target of a link and keep the link.
    let target = std::fs::canonicalize(file).map_err(|error| trouble(file, &error))?;
    let temporary = temporary(&target, &format!(".ferz-{}", std::process::id()));
    let out = File::create_new(&temporary).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => Failure::message(format!(
            "{name}: no permission to write to its directory; change its mode, or omit --in-place"
        )),
        _ => trouble(&temporary, &error),
    })?;
    let mut out = BufWriter::new(out);
    let written = repaired(args, repairs, session, file, &mut |_, bytes| {
        out.write_all(bytes).map_err(|error| trouble(&temporary, &error))
    });
    let finish = || -> io::Result<()> {
        let out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        out.set_permissions(std::fs::metadata(&target)?.permissions())?;
        out.sync_all()
    };
    let put = |error: io::Error| trouble(file, &error);
    let done = written.and_then(|done| {
        if done.repairs > 0 {
            finish().map_err(put)?;
            if !args.no_backup {
                back_up(&target).map_err(put)?;
            }
            std::fs::rename(&temporary, &target).map_err(put)?;
        }
        Ok(done)
    });
    if !done.as_ref().is_ok_and(|done| done.repairs > 0) {
        // The file itself is untouched; ignore a failure to remove the temporary one.
        let _ = std::fs::remove_file(&temporary);
    }
    done
}

/// Keeps a file under the first free name of `FILE.orig`, `FILE.orig.2`, `FILE.orig.3` and so on.
fn back_up(file: &Path) -> io::Result<()> {
    let mut number = 1;
    loop {
        let ending = if number == 1 { ".orig".to_owned() } else { format!(".orig.{number}") };
        match std::fs::hard_link(file, temporary(file, &ending)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            done => return done,
        }
    }
}

fn temporary(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Receives the repaired text, part by part.
type Write<'w> = dyn FnMut(&mut Console, &[u8]) -> Result<(), Failure> + 'w;

/// The outcome for a file, or for several.
#[derive(Default)]
pub(super) struct Done {
    pub(super) games: usize,
    /// Changes.
    pub(super) repairs: usize,
    /// A repair was not made.
    refused: bool,
    /// Games that `validate` counts as findings after the repairs.
    pub(super) remaining: usize,
    /// The first of them, in words, and its number.
    pub(super) first: Option<(String, usize)>,
}

impl Done {
    fn add(&mut self, other: Done) {
        let Done { games, repairs, refused, remaining, first } = other;
        self.games += games;
        self.repairs += repairs;
        self.refused |= refused;
        self.remaining += remaining;
        self.first = self.first.take().or(first);
    }

    /// Adds the outcome for a record.
    fn note(&mut self, fixed: &Fixed) {
        self.repairs += fixed.changes.len();
        self.refused |= !fixed.refused.is_empty();
        for report in &fixed.reports {
            self.games += 1;
            if report.is_finding(false) {
                self.remaining += 1;
                self.first.get_or_insert_with(|| (what_remains(report), self.games));
            }
        }
    }

    /// `5 repairs; still illegal at ply 23`; `None` if there is nothing to say.
    fn summary(&self) -> Option<String> {
        let repairs = match self.repairs {
            0 => "no repairs".to_owned(),
            1 => "1 repair".to_owned(),
            many => format!("{many} repairs"),
        };
        let Some((first, number)) = &self.first else { return (self.repairs > 0).then_some(repairs) };
        Some(match (self.games, self.remaining) {
            (1, _) => format!("{repairs}; still {first}"),
            (_, 1) => format!("{repairs}; game {number} is still {first}"),
            (games, many) => format!(
                "{repairs}; {many} of {games} games have findings, the first: game {number} is still {first}"
            ),
        })
    }
}

/// Why a game is a finding, after `still`.
pub(super) fn what_remains(report: &Report) -> String {
    let verdict = report.verdict.to_string().replace('_', " ");
    match (&report.illegal, report.let_stand.first()) {
        (Some(illegal), _) => format!("{verdict} at {}", illegal.numbered()),
        (None, Some(stood)) => format!("{verdict} at ply {}, which was let stand", stood.ply),
        _ if report.verdict != Legality::Legal => verdict,
        _ if report.agreement == Agreement::Contradicted => {
            "contradicted by the board in its result".to_owned()
        }
        _ => "with errors of form".to_owned(),
    }
}

/// Passes the repaired text of a file to `write`, part by part.
fn repaired(
    args: &Args,
    repairs: &[&'static Repair],
    session: &mut Session<'_>,
    file: &Path,
    write: &mut Write<'_>,
) -> Result<Done, Failure> {
    if !args.decode {
        return repaired_parts(args, repairs, session, file, write);
    }
    let mut text = Vec::new();
    let mut done = repaired_parts(args, repairs, session, file, &mut |_, bytes| {
        text.extend_from_slice(bytes);
        Ok(())
    })?;
    let options = args.read.options(session, &args.letters.language, false)?;
    let (console, registry) = session.parts();
    let mut decoder = Decoder { name: input::name_of(file), replayer: Replayer::new(registry, options) };
    let text = decoder.decode(&text, console, &mut done)?;
    write(console, &text)?;
    Ok(done)
}

/// Passes the repaired text to `write`, part by part, without decoding.
fn repaired_parts(
    args: &Args,
    repairs: &[&'static Repair],
    session: &mut Session<'_>,
    file: &Path,
    write: &mut Write<'_>,
) -> Result<Done, Failure> {
    let input = input::open(Some(file))?;
    let options = args.read.options(session, &args.letters.language, false)?;
    let (is_json, reader) = sniff(input.reader).map_err(Failure::message)?;
    if is_json {
        let name = &input.name;
        return Err(Failure::message(format!("{name}: repairs apply to PGN only; convert the record first")));
    }
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let (mut number, mut done, mut not_judged) = (0, Done::default(), NotJudged::default());
    let ended = fix_each(
        reader,
        args.read.jobs,
        || Replayer::new(registry, options.clone()),
        repairs,
        |batch| {
            progress.part(batch.items.len(), || {
                if let Some(cut) = &batch.cut {
                    let message = format!(
                        "{}: {}: {}; nothing is repaired from here on",
                        input.name, cut.code, cut.message
                    );
                    return Err(Failure::Message(message));
                }
                write(console, &batch.text)?;
                for fixed in &batch.items {
                    number += 1;
                    done.note(fixed);
                    tell(console, &input.name, number, fixed)?;
                    if let Some(report) = fixed.reports.iter().find(|report| !report.is_judged()) {
                        let game = format!("{}: game {number}", input.name);
                        not_judged.tell(console, &game, report, registry)?;
                    }
                }
                Ok(())
            })
        },
    );
    progress.end(ended)?;
    if number == 0 {
        no_game(session, &input.name)?;
    }
    Ok(done)
}

fn tell(console: &mut Console, name: &str, game: usize, fixed: &Fixed) -> Result<(), Failure> {
    for Change { repair, line, column, before, after, .. } in &fixed.changes {
        let change = match (before.is_empty(), after.is_empty()) {
            (true, true) => "the game is taken out of the text around it".to_owned(),
            (_, true) if repair.name == SKIPPED_LINES => {
                format!("{before:?} is not part of the game; left out")
            }
            (true, _) => format!("{after:?} inserted"),
            (_, true) => format!("{before:?} deleted"),
            // Decoded, it looks the same before and after.
            _ if repair.name == LATIN_1 => format!("the byte {} is now {after:?} in UTF-8", bytes(before)),
            _ => format!("{before:?} is now {after:?}"),
        };
        console.note(&format!("{name}:{line}:{column}: game {game}: {}: {change}", repair.name))?;
    }
    for repair in &fixed.refused {
        let why = match repair.name {
            SKIPPED_LINES => "it was not requested, and no other repair is made without it",
            _ => "it would change the game",
        };
        console.note(&format!("{name}: game {game}: {} is not made: {why}", repair.name))?;
    }
    Ok(())
}
