//! Judges the records of a request slice by slice, so that a long request does not delay others.

use super::answer;
use super::at_hand::AtHand;
use super::body::{Body, Unpacked};
use super::limits::{ANSWER_BYTES_MAX, GAMES_PER_ANSWER_MAX, PLIES_PER_RECORD_MAX, SLICE_BYTES, SMALL_UNITS};
use super::memory::Budgeted;
use super::metrics;
use super::pool::PEER;
use super::problem::{self, Problem};
use super::state::AppState;
use actix_web::{HttpResponse, web};
use ferz::archive::ArchiveError;
use ferz::interchange::{Chunk, ChunkReader, Wrapped};
use ferz::json::{ReadPart, ReadParts, is_json};
use ferz::record::{ItemKind, Record};
use ferz::replay::{Options, Replayer, Source};
use ferz::text::limits::RECORD_BYTES_MAX;
use ferz::text::{Budget, Exhausted};
use futures_util::future::{Either, select};
use std::io::Cursor;
use std::pin::pin;
use std::time::{Duration, Instant};

/// The work on each record of a request.
pub trait Task: Send + 'static {
    /// Takes the next record. If the budget ends first, the record has no effect and may be passed again with another
    /// budget.
    ///
    /// # Errors
    /// If the budget ends, or the memory budget has no room for the result.
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished>;

    /// The answer so far.
    fn answer(&mut self) -> &mut Budgeted;
}

/// Why a record was not processed.
#[derive(Debug)]
pub enum Unfinished {
    /// The budget ended.
    Exhausted(Exhausted),
    /// The record causes a problem.
    Problem(Problem),
}

impl From<Exhausted> for Unfinished {
    fn from(exhausted: Exhausted) -> Unfinished {
        Unfinished::Exhausted(exhausted)
    }
}

impl From<Problem> for Unfinished {
    fn from(problem: Problem) -> Unfinished {
        Unfinished::Problem(problem)
    }
}

impl From<ArchiveError> for Unfinished {
    fn from(error: ArchiveError) -> Unfinished {
        Unfinished::Problem(error.into())
    }
}

/// The slices of a body, by the form of its records.
enum Slices {
    Pgn(ChunkReader<Cursor<Budgeted>>),
    Json(ReadParts<Cursor<Budgeted>>),
}

/// Some records of a body.
enum Slice {
    Pgn(Chunk),
    Json(ReadPart),
}

impl Slices {
    fn of(records: Budgeted) -> Slices {
        if is_json(records.as_ref()) {
            return Slices::Json(ReadParts::new(Cursor::new(records)));
        }
        // One byte more than the length, so that the first read finds the end.
        let bytes = SLICE_BYTES.min(records.len() + 1);
        Slices::Pgn(ChunkReader::with_limits(Cursor::new(records), bytes, RECORD_BYTES_MAX))
    }

    fn next(&mut self) -> Option<std::io::Result<Slice>> {
        match self {
            Slices::Pgn(chunks) => chunks.next().map(|chunk| chunk.map(Slice::Pgn)),
            Slices::Json(parts) => parts.next().map(|part| part.map(Slice::Json)),
        }
    }

    /// True if no slice follows for certain.
    fn is_at_end(&self) -> bool {
        if let Slices::Pgn(chunks) = self { chunks.is_at_end() } else { false }
    }
}

/// The records of a request, and the progress.
struct Work<T> {
    slices: Slices,
    /// The current slice, and how many of its records are done.
    begun: Option<(Slice, usize)>,
    budget: Budget,
    replayer: Replayer<'static>,
    /// The games that the records may name.
    at_hand: Option<AtHand>,
    lines: usize,
    games: usize,
    plies: usize,
    spent: Duration,
    /// Time for judging.
    judging: Duration,
    games_max: usize,
    task: T,
}

/// Judges all records, then returns the task with its answer.
///
/// # Errors
/// If the body does not match its headers, or its records exceed a limit.
pub async fn whole<T: Task>(state: &AppState, body: Body, options: Options, task: T) -> Result<T, Problem> {
    let mut work = start(state, body, options, task, GAMES_PER_ANSWER_MAX).await?;
    while let (left, false) = work {
        work = next(state, left).await?;
    }
    Ok(work.0.task)
}

/// Judges records and sends the results as they are produced. A later problem becomes the last line.
///
/// # Errors
/// If the body does not match its headers, or the records of the first slice exceed a limit.
pub async fn streamed<T: Task>(
    state: web::Data<AppState>,
    body: Body,
    options: Options,
    task: T,
    content_type: &'static str,
) -> Result<HttpResponse, Problem> {
    let (mut work, mut done) = start(&state, body, options, task, usize::MAX).await?;
    let mut part = work.take();
    if done {
        return Ok(answer::whole(content_type, part));
    }
    let (parts, answer) = answer::paced(content_type);
    let peer = PEER.try_with(|peer| *peer).unwrap_or_default();
    actix_web::rt::spawn(PEER.scope(peer, async move {
        while parts.send(part).await {
            if done {
                return parts.end().await;
            }
            let judged = {
                let (next, gone) = (pin!(next(&state, work)), pin!(parts.closed()));
                match select(next, gone).await {
                    Either::Left((judged, _)) => judged,
                    // The work is cancelled.
                    Either::Right(_) => return,
                }
            };
            (work, done) = match judged {
                Ok(judged) => judged,
                Err(problem) => {
                    if parts.line(&problem.json(None)).await {
                        parts.end().await;
                    }
                    return;
                }
            };
            part = work.take();
        }
    }));
    Ok(answer)
}

/// Unpacks the body and judges its first slice.
async fn start<T: Task>(
    state: &AppState,
    body: Body,
    options: Options,
    task: T,
    games_max: usize,
) -> Result<(Work<T>, bool), Problem> {
    let (replayer, budget, small) = (state.replayer.with_options(options), state.budget(), body.is_small());
    let (own, registry, judging) = (budget.clone(), state.registry, state.judging);
    let at_hand = AtHand::new(state);
    let unpack = move || {
        body.records(registry, &own)
            .map(|unpacked| Work::new(unpacked, at_hand, replayer, own, judging, games_max, task))
    };
    if !small {
        let judged = state.judges.run_within(&budget, state.judging, move || {
            let mut work = unpack()?;
            let done = work.slice()?;
            Ok((work, done))
        });
        return judged.await?.map_err(|unfinished: Unfinished| unfinished.problem(state));
    }
    let mut work = unpack()?;
    // Even a few bytes may take long, and this thread serves other connections.
    work.budget = Budget::of(SMALL_UNITS).within(&state.work);
    let judged = work.slice();
    work.budget = budget;
    match judged {
        Ok(done) => Ok((work, done)),
        Err(Unfinished::Exhausted(Exhausted { cancelled: false })) => next(state, work).await,
        Err(unfinished) => Err(unfinished.problem(state)),
    }
}

async fn next<T: Task>(state: &AppState, mut work: Work<T>) -> Result<(Work<T>, bool), Problem> {
    let (budget, left) = (work.budget.clone(), state.judging.saturating_sub(work.spent));
    let judged = state.judges.run_within(&budget, left, move || {
        let done = work.slice()?;
        Ok((work, done))
    });
    judged.await?.map_err(|unfinished: Unfinished| unfinished.problem(state))
}

impl Unfinished {
    /// The problem for the answer.
    pub fn problem(self, state: &AppState) -> Problem {
        match self {
            Unfinished::Exhausted(_) => state.exhausted(),
            Unfinished::Problem(problem) => problem,
        }
    }
}

impl<T: Task> Work<T> {
    fn new(
        Unpacked { records, own }: Unpacked,
        at_hand: AtHand,
        replayer: Replayer<'static>,
        budget: Budget,
        judging: Duration,
        games_max: usize,
        task: T,
    ) -> Work<T> {
        Work {
            slices: Slices::of(records),
            begun: None,
            budget,
            replayer,
            at_hand: Some(at_hand.with_own(own)),
            lines: 0,
            games: 0,
            plies: 0,
            spent: Duration::ZERO,
            judging,
            games_max,
            task,
        }
    }

    /// Judges the next slice, or the rest of the current one. True if it was the last.
    fn slice(&mut self) -> Result<bool, Unfinished> {
        let (slice, dealt_with) = match self.begun.take() {
            Some(begun) => begun,
            None => match self.slices.next() {
                Some(Ok(slice)) => (slice, 0),
                Some(Err(error)) => {
                    return Err(Problem::new(&problem::INTERNAL, error.to_string()).into());
                }
                None => return Ok(true),
            },
        };
        let start = Instant::now();
        let (games, plies) = (self.games, self.plies);
        let judged = self.records(&slice, dealt_with, start);
        self.spent += start.elapsed();
        metrics::judged(self.games - games, self.plies - plies);
        if let Err(unfinished) = judged {
            self.begun = Some((slice, dealt_with + self.games - games));
            return Err(unfinished);
        }
        if let Slice::Pgn(chunk) = &slice {
            self.lines += memchr::memchr_iter(b'\n', &chunk.bytes).count();
        }
        Ok(self.slices.is_at_end())
    }

    /// Judges the records of a slice that are not done yet.
    fn records(&mut self, slice: &Slice, dealt_with: usize, start: Instant) -> Result<(), Unfinished> {
        let Some(at_hand) = self.at_hand.take() else { return Ok(()) };
        let judged = self.records_by(&at_hand, slice, dealt_with, start);
        self.at_hand = Some(at_hand);
        judged
    }

    /// The same, by the games that the records may name.
    fn records_by(
        &mut self,
        at_hand: &AtHand,
        slice: &Slice,
        dealt_with: usize,
        start: Instant,
    ) -> Result<(), Unfinished> {
        let new = |registry| Replayer::new(registry, self.replayer.options().clone());
        let mut own = at_hand.own().map(new);
        match slice {
            Slice::Pgn(chunk) => {
                let wrapped = Wrapped::new(&chunk.bytes[..], chunk.offset);
                let source = Source::of_wrapped(&wrapped, self.lines);
                for record in wrapped.records(self.lines).skip(dealt_with) {
                    self.one((at_hand, own.as_mut()), &record, &source, start)?;
                }
            }
            Slice::Json(ReadPart { bytes, offset, lines, objects }) => {
                for object in objects.iter().skip(dealt_with) {
                    let object = object.as_ref().map_err(|fault| {
                        let place = Source::new(bytes, *offset, *lines).locate(fault.span.start);
                        let (line, column) = (Some(place.line), Some(place.column));
                        let place = problem::Place { line, column, ..problem::Place::default() };
                        Problem::new(&problem::WRONG_SHAPE, fault.to_string()).at(place)
                    })?;
                    let Some(mut record) = object.record() else { continue };
                    record.diagnostics.extend(match &mut own {
                        Some(own) => object.contradictions(own, &record),
                        None => object.contradictions(&mut self.replayer, &record),
                    });
                    let source = Source::of_made(bytes, *offset, *lines, &object.places);
                    self.one((at_hand, own.as_mut()), &record, &source, start)?;
                }
            }
        }
        Ok(())
    }

    /// Judges one record.
    fn one(
        &mut self,
        (at_hand, own): (&AtHand, Option<&mut Replayer<'_>>),
        record: &Record<'_>,
        source: &Source<'_>,
        start: Instant,
    ) -> Result<(), Unfinished> {
        let plies = self.admit(record, self.spent + start.elapsed())?;
        let Work { task, replayer, budget, games, .. } = self;
        let work = |replayer: &mut Replayer<'_>| task.record(replayer, record, source, *games, budget);
        match own {
            Some(own) => at_hand.by(own, record, work),
            None => at_hand.by(replayer, record, work),
        }?;
        self.games += 1;
        self.plies += plies;
        if self.task.answer().len() > ANSWER_BYTES_MAX {
            let detail = format!("the answer exceeds {ANSWER_BYTES_MAX} bytes");
            return Err(Problem::new(&problem::TOO_MUCH_WORK, detail).into());
        }
        Ok(())
    }

    /// Takes the answer so far.
    fn take(&mut self) -> Budgeted {
        let answer = self.task.answer();
        let empty = Budgeted::new(answer.memory());
        std::mem::replace(answer, empty)
    }

    /// Checks that one more record is within the limits; returns its plies.
    fn admit(&self, record: &Record<'_>, spent: Duration) -> Result<usize, Problem> {
        let plies = record.items.iter().filter(|item| item.kind == ItemKind::Move).count();
        let place = problem::Place {
            span: Some([record.offset(), record.offset() + record.source().len()]),
            ..problem::Place::default()
        };
        let too_much = |detail: String| Err(Problem::new(&problem::TOO_MUCH_WORK, detail).at(place));
        if self.games >= self.games_max {
            let detail = format!("an answer holds at most {} games", self.games_max);
            return Err(Problem::new(&problem::TOO_MANY_GAMES, detail).at(place));
        }
        if plies > PLIES_PER_RECORD_MAX {
            let (game, max) = (self.games + 1, PLIES_PER_RECORD_MAX);
            return too_much(format!(
                "game {game} has {plies} plies, variations counted; at most {max} are judged"
            ));
        }
        if spent > self.judging {
            let (games, seconds) = (self.games, self.judging.as_secs_f64());
            return too_much(format!("only {games} games were judged within {seconds} seconds"));
        }
        Ok(plies)
    }
}
