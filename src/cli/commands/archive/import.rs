//! `ferz archive import`.

use super::Db;
use super::index::after_import;
use super::receipts::Receipts;
use crate::cli::input;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::records::{NotJudged, ReadArgs, each_file, no_game};
use crate::cli::session::Session;
use ferz::archive::{Archive, ArchiveError, DryRun, GameId, Rulebooks, Stored, Submission};
use ferz::json::each_record_alone;
use ferz::replay::summary::{counted, in_capitals};
use ferz::replay::{Batch, Illegal, Legality, Located, Replayer, Report};
use ferz::rules::Registry;
use ferz::text::Budget;
use serde::Serialize;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Records to import, plain or compressed (.gz, .zst, .xz); `-` or none for standard input
    files: Vec<PathBuf>,

    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    read: ReadArgs,

    /// Store nothing; say what would be stored
    #[arg(long)]
    dry_run: bool,

    /// Store only legal games; name the others
    #[arg(long)]
    only_legal: bool,

    /// Output: a summary, or one JSON object a game
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    receipts: Receipts,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One line for all games
    Text,
    /// For programs: one JSON object a game
    Ndjson,
}

const EXAMPLES: &str = "\
Creates the archive if it does not exist. Stores every record byte for byte with its report, illegal ones included. \
Skips games that are stored already: an interrupted import can simply be rerun. The same game in another notation \
becomes one entry with several texts. Does not store games again that were forgotten.

Exit codes: 0 every game is legal, 1 some are not (they are stored unless --only-legal) or exceed the length limit, \
2 usage or I/O error.

Examples:
  ferz archive import --db club.ferz games.pgn more.pgn.zst
  xz -dc games.pgn.xz | ferz archive import --db club.ferz --variant chess -
  ferz archive import --db club.ferz --dry-run --only-legal games.pgn
  ferz archive import --db club.ferz --format ndjson games.pgn | jq -r .id";

/// Batches that wait to be stored while the next ones are judged.
const UNDER_WAY: usize = 4;

/// Counts for the summary.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    new: usize,
    related: usize,
    texts: usize,
    known: usize,
    /// Games that were forgotten, and so are not stored again.
    forgotten: usize,
    illegal: usize,
    unjudged: usize,
    cut: usize,
    /// Texts that are no game record, and so were not stored.
    skipped: usize,
    /// Games that were not stored since they are not legal.
    left_out: usize,
    unreadable: usize,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = match args.dry_run {
        false => Some(args.db.open()?),
        // A dry run must not create an archive.
        true => args.db.path.exists().then(|| args.db.open_existing()).transpose()?,
    };
    args.receipts.prepare()?;
    let mut target = match &archive {
        Some(archive) if !args.dry_run => Target::Archive(archive),
        archive => Target::DryRun(DryRun::on(archive.as_ref())),
    };
    let mut tally = Tally::default();
    let imported = each_file(&args.files, session, |session, file| {
        one_file(args, archive.as_ref(), &mut target, session, file, &mut tally)
    });
    if matches!(imported, Err(Failure::BrokenPipe)) {
        return imported.map(|()| ExitStatus::Fine);
    }
    if args.format == Format::Text && (imported.is_ok() || tally.games + tally.skipped + tally.left_out > 0) {
        let dry_run = if args.dry_run { "dry run, nothing is stored: " } else { "" };
        session.console.line(format!("{dry_run}{}", summary(&tally)))?;
    }
    if let (Target::Archive(archive), Ok(())) = (&target, &imported) {
        after_import(archive, session.registry())?;
    }
    imported.map(|()| {
        let Tally { illegal, unreadable, unjudged, cut, skipped, left_out, .. } = tally;
        ExitStatus::of(illegal + unreadable + unjudged + cut + skipped + left_out > 0)
    })
}

/// The summary.
fn summary(tally: &Tally) -> String {
    let Tally { games, new, related, texts, known, forgotten, illegal, .. } = *tally;
    let Tally { unreadable, unjudged, cut, skipped, left_out, .. } = *tally;
    let mut new = format!("{new} new");
    if related > 0 {
        new += &format!(" ({related} with the plies of another)");
    }
    let mut parts = vec![new];
    if texts > 0 {
        parts.push(format!("{texts} known in another notation"));
    }
    parts.push(format!("{known} already known"));
    if forgotten > 0 {
        parts.push(format!("{forgotten} forgotten and not stored again"));
    }
    parts.push(format!("{illegal} illegal"));
    if unreadable > 0 {
        parts.push(format!("{unreadable} unreadable"));
    }
    if unjudged > 0 {
        parts.push(format!("{unjudged} not judged"));
    }
    if cut > 0 {
        parts.push(format!("{cut} cut as too long"));
    }
    if left_out > 0 {
        parts.push(format!("{left_out} not legal and left out"));
    }
    if skipped > 0 {
        parts.push(format!("{skipped} skipped, not {}", if skipped == 1 { "a record" } else { "records" }));
    }
    format!("{}: {}", counted(games, "game", "games"), parts.join(", "))
}

fn one_file(
    args: &Args,
    archive: Option<&Archive>,
    target: &mut Target<'_>,
    session: &mut Session<'_>,
    file: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let input = input::open(Some(file))?;
    let options = args.read.options(session, "auto", false)?;
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let name = &input.name;
    let books = archive.map(|archive| Rulebooks::new(archive, registry));
    let mut keeping = Keeping {
        args,
        archive,
        target,
        name,
        registry,
        number: 0,
        not_judged: NotJudged::default(),
        under_way: VecDeque::new(),
        tally,
    };
    let ended = each_record_alone(
        input.reader,
        args.read.jobs,
        || Replayer::new(registry, options.clone()),
        |replayer, record, source| {
            let lines = match source.is_of_another_text() {
                true => Lines::At(source.locate(source.span(record.span_of_source()).start).line),
                false => Lines::Breaks(memchr::memchr_iter(b'\n', record.source()).count()),
            };
            let judged = match &books {
                Some(books) => Budget::endless(|budget| books.judge(replayer, record, source, budget)),
                None => Submission::judge(replayer, record, source),
            };
            judged.map(|submission| (submission, lines))
        },
        |batch: Batch<Result<(Submission, Lines), ArchiveError>>| {
            progress.part(batch.items.len(), || keeping.batch(batch, console))
        },
    );
    // Report what was stored before or despite a failure.
    let kept = keeping.finish(console);
    let games = keeping.number;
    progress.end(ended)?;
    kept?;
    if games == 0 {
        no_game(session, &input.name)?;
    }
    Ok(())
}

/// The archive's answer to a batch.
type Answer = Result<Vec<Stored<Option<GameId>>>, ArchiveError>;

/// Where a game is in its file: its number, from 0, and the line breaks before it.
#[derive(Debug, Clone, Copy)]
struct Place {
    game: usize,
    lines: usize,
    /// The lines are those of an object of JSON, which is all that is known of a place in it.
    whole: bool,
}

impl Place {
    /// The line in the file of a line of the game's text, both from 1.
    fn line(self, line: usize) -> usize {
        if self.whole { self.lines } else { self.lines + line }
    }
}

/// What is known about the lines of a game.
enum Lines {
    /// Its text has so many line breaks.
    Breaks(usize),
    /// It is an object of JSON that begins in this line.
    At(usize),
}

/// What is stored has an id.
fn with_ids(stored: Vec<Stored>) -> Vec<Stored<Option<GameId>>> {
    let with_id = |stored: Stored| {
        let id = Some(stored.id);
        stored.with_id(id)
    };
    stored.into_iter().map(with_id).collect()
}

/// The receiver of the games.
enum Target<'a> {
    Archive(&'a Archive),
    DryRun(DryRun<'a>),
}

/// Passes the batches of one input to the archive, a few ahead of its answers.
struct Keeping<'a, 'b> {
    args: &'a Args,
    archive: Option<&'a Archive>,
    target: &'a mut Target<'b>,
    name: &'a str,
    registry: &'a Registry,
    /// Games read so far.
    number: usize,
    /// Why games could not be judged.
    not_judged: NotJudged,
    /// Batches with the places of their games.
    under_way: VecDeque<(Vec<Place>, Receiver<Answer>)>,
    tally: &'a mut Tally,
}

impl Keeping<'_, '_> {
    fn batch(
        &mut self,
        batch: Batch<Result<(Submission, Lines), ArchiveError>>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if let Some(cut) = &batch.cut {
            self.tally.cut += 1;
            console.note(&format!("{}: {}: {}", self.name, cut.code, cut.message))?;
        }
        for Located { line, column, code, message, .. } in &batch.unread {
            self.tally.skipped += 1;
            console.note(&format!("{}:{line}:{column}: {code}: skipped: {message}", self.name))?;
        }
        let (mut submissions, mut places, mut lines) = (Vec::new(), Vec::new(), batch.lines);
        for item in batch.items {
            let (submission, found) = item.map_err(Failure::message)?;
            let mut place = Place { game: self.number, lines, whole: false };
            match found {
                Lines::Breaks(breaks) => lines += breaks,
                Lines::At(line) => (place.lines, place.whole) = (line, true),
            }
            self.number += 1;
            if !submission.is_record() {
                self.skip(&submission, place, console)?;
            } else if self.args.only_legal && !submission.report().legal {
                self.tally.left_out += 1;
                self.tell(submission.report(), place, console)?;
            } else {
                submissions.push(submission);
                places.push(place);
            }
        }
        let (answer, answered) = sync_channel(1);
        // If the receiver is gone, the run has failed already.
        let reply = move |stored| drop(answer.send(stored));
        match self.target {
            Target::Archive(archive) => {
                let reply = move |stored: Result<Vec<Stored>, _>| reply(stored.map(with_ids));
                archive.submit_then(submissions, reply).map_err(Failure::message)?;
            }
            Target::DryRun(dry_run) => reply(dry_run.submit(submissions)),
        }
        self.under_way.push_back((places, answered));
        while self.under_way.len() > UNDER_WAY {
            self.next_answer(console)?;
        }
        Ok(())
    }

    /// Waits for all answers; returns the first failure.
    fn finish(&mut self, console: &mut Console) -> Result<(), Failure> {
        let mut finished = Ok(());
        while !self.under_way.is_empty() {
            let answered = self.next_answer(console);
            finished = finished.and(answered);
        }
        finished
    }

    fn next_answer(&mut self, console: &mut Console) -> Result<(), Failure> {
        let Some((places, answered)) = self.under_way.pop_front() else { return Ok(()) };
        let stored = answered.recv().unwrap_or(Err(ArchiveError::Closed)).map_err(Failure::message)?;
        for (stored, place) in stored.iter().zip(places) {
            self.count(stored);
            if let (Some(id), Some(logged)) = (stored.id, &stored.logged) {
                self.args.receipts.write(&id.to_string(), Some(logged))?;
            }
            if stored.is_forgotten {
                self.tell_forgotten(stored, place, console)?;
            }
            if let (true, Some(id)) = (stored.is_withdrawn, stored.id) {
                let (name, game) = (self.name, place.game + 1);
                let how = "`ferz archive reinstate` with its id shows it again";
                console.note(&format!("{name}: game {game}: known, but withdrawn: {id}; {how}"))?;
            }
            self.tell(&stored.report, place, console)?;
            if self.args.format == Format::Ndjson {
                let file = (self.args.files.len() > 1).then_some(self.name);
                let Stored { id, created, is_forgotten, is_withdrawn, valid, .. } = stored;
                let line = Line {
                    file,
                    game: place.game,
                    id: id.map(|id| id.to_string()),
                    created: *created,
                    forgotten: *is_forgotten,
                    withdrawn: *is_withdrawn,
                    valid: *valid,
                };
                console.json(&line)?;
            }
        }
        // Flush: a reader sees each line once its game is on disk.
        console.flush()
    }

    /// Names a game that is not legal.
    fn tell(&mut self, report: &Report, place: Place, console: &mut Console) -> Result<(), Failure> {
        let game = format!("{}: game {}", self.name, place.game + 1);
        self.not_judged.tell(console, &game, report, self.registry)?;
        if let Some(illegal) = report.illegal_plies().next() {
            let line = place.line(illegal.line);
            let verdict = in_capitals(report.verdict);
            let Illegal { ply, text, reason, .. } = illegal;
            console.note(&format!("{game}, line {line}: {verdict} at ply {ply}, `{text}`: {reason}"))?;
        }
        Ok(())
    }

    /// Names a game that was forgotten.
    fn tell_forgotten(
        &self,
        stored: &Stored<Option<GameId>>,
        place: Place,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let known = self.archive.zip(stored.id);
        let forgotten = known.map(|(archive, id)| archive.forgotten(id)).transpose();
        let Some(forgotten) = forgotten.map_err(Failure::message)?.flatten() else { return Ok(()) };
        console.note(&format!("{}: game {}: not stored: {forgotten}", self.name, place.game + 1))
    }

    /// Names a text that is no game record.
    fn skip(&mut self, submission: &Submission, place: Place, console: &mut Console) -> Result<(), Failure> {
        self.tally.skipped += 1;
        let Some(found) = submission.report().diagnostics.first() else { return Ok(()) };
        let line = place.line(found.line);
        console.note(&format!("{}: line {line}: {}: skipped: {}", self.name, found.code, found.message))
    }

    fn count(&mut self, stored: &Stored<Option<GameId>>) {
        let tally = &mut *self.tally;
        tally.games += 1;
        tally.new += usize::from(stored.created);
        tally.related += usize::from(stored.related);
        tally.texts += usize::from(!stored.created && stored.text_added);
        tally.known += usize::from(!stored.text_added && !stored.is_forgotten);
        tally.forgotten += usize::from(stored.is_forgotten);
        match stored.report.verdict {
            Legality::Illegal => tally.illegal += 1,
            Legality::Unreadable => tally.unreadable += 1,
            Legality::NotJudged => tally.unjudged += 1,
            Legality::Legal | Legality::NoRecord => {}
        }
    }
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    game: usize,
    /// Absent of a game that a dry run only foresees.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    created: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forgotten: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    withdrawn: bool,
    valid: bool,
}
