//! `ferz archive import`.

use super::Db;
use crate::archive::{Archive, ArchiveError, Stored, Submission};
use crate::cli::input;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::records::{NotJudged, ReadArgs, each_file, json_line, no_game};
use crate::cli::session::Session;
use crate::replay::summary::counted;
use crate::replay::{Batch, Replayer, each_record_alone};
use crate::rules::Registry;
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

    /// Output: a summary, or one JSON object a game
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
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
becomes one entry with several texts.

Exit codes: 0 every game is legal, 1 some are not (they are stored anyway) or exceed the length limit, 2 usage or \
I/O error.

Examples:
  ferz archive import --db club.ferz games.pgn more.pgn.zst
  xz -dc games.pgn.xz | ferz archive import --db club.ferz --variant chess -
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
    illegal: usize,
    unjudged: usize,
    cut: usize,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open()?;
    let mut tally = Tally::default();
    let imported =
        each_file(&args.files, session, |session, file| one_file(args, &archive, session, file, &mut tally));
    if matches!(imported, Err(Failure::BrokenPipe)) {
        return imported.map(|()| ExitStatus::Fine);
    }
    if args.format == Format::Text && (imported.is_ok() || tally.games > 0) {
        session.console.line(summary(&tally))?;
    }
    imported.map(|()| ExitStatus::of(tally.illegal + tally.unjudged + tally.cut > 0))
}

/// The summary.
fn summary(tally: &Tally) -> String {
    let Tally { games, new, related, texts, known, illegal, unjudged, cut } = *tally;
    let mut new = format!("{new} new");
    if related > 0 {
        new += &format!(" ({related} with the plies of another)");
    }
    let mut parts = vec![new];
    if texts > 0 {
        parts.push(format!("{texts} known in another notation"));
    }
    parts.push(format!("{known} already known"));
    parts.push(format!("{illegal} not legal"));
    if unjudged > 0 {
        parts.push(format!("{unjudged} not judged"));
    }
    if cut > 0 {
        parts.push(format!("{cut} cut as too long"));
    }
    format!("{}: {}", counted(games, "game", "games"), parts.join(", "))
}

fn one_file(
    args: &Args,
    archive: &Archive,
    session: &mut Session<'_>,
    file: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let input = input::open(Some(file))?;
    let options = args.read.options(session, "auto", false)?;
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let name = &input.name;
    let mut keeping = Keeping {
        args,
        archive,
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
        Submission::judge,
        |batch: Batch<Result<Submission, ArchiveError>>| {
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
type Answer = Result<Vec<Stored>, ArchiveError>;

/// Passes the batches of one input to the archive, a few ahead of its answers.
struct Keeping<'a> {
    args: &'a Args,
    archive: &'a Archive,
    name: &'a str,
    registry: &'a Registry,
    /// Games answered so far.
    number: usize,
    /// Why games could not be judged.
    not_judged: NotJudged,
    /// Batches with the number of their games.
    under_way: VecDeque<(usize, Receiver<Answer>)>,
    tally: &'a mut Tally,
}

impl Keeping<'_> {
    fn batch(
        &mut self,
        batch: Batch<Result<Submission, ArchiveError>>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if let Some(cut) = &batch.cut {
            self.tally.cut += 1;
            console.note(&format!("{}: {}: {}", self.name, cut.code, cut.message))?;
        }
        let submissions = batch.items.into_iter().collect::<Result<Vec<_>, _>>().map_err(Failure::message)?;
        let games = submissions.len();
        let (answer, answered) = sync_channel(1);
        // If the receiver is gone, the run has failed already.
        let submitted = self.archive.submit_then(submissions, move |stored| drop(answer.send(stored)));
        submitted.map_err(Failure::message)?;
        self.under_way.push_back((games, answered));
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
        let Some((games, answered)) = self.under_way.pop_front() else { return Ok(()) };
        let stored = match answered.recv().unwrap_or(Err(ArchiveError::Closed)) {
            Ok(stored) => stored,
            Err(error) => {
                self.number += games;
                return Err(Failure::message(error));
            }
        };
        for stored in &stored {
            self.count(stored);
            let game = format!("{}: game {}", self.name, self.number + 1);
            self.not_judged.tell(console, &game, &stored.report, self.registry)?;
            if self.args.format == Format::Ndjson {
                let file = (self.args.files.len() > 1).then_some(self.name);
                let Stored { id, created, valid, .. } = stored;
                let line =
                    Line { file, game: self.number, id: id.to_string(), created: *created, valid: *valid };
                console.line(json_line(&line)?)?;
            }
            self.number += 1;
        }
        // Flush: a reader sees each line once its game is on disk.
        console.flush()
    }

    fn count(&mut self, stored: &Stored) {
        let tally = &mut *self.tally;
        tally.games += 1;
        tally.new += usize::from(stored.created);
        tally.related += usize::from(stored.related);
        tally.texts += usize::from(!stored.created && stored.text_added);
        tally.known += usize::from(!stored.text_added);
        tally.illegal += usize::from(!stored.valid && stored.report.is_judged());
        tally.unjudged += usize::from(!stored.report.is_judged());
    }
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    game: usize,
    id: String,
    created: bool,
    valid: bool,
}
