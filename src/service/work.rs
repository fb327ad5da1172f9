//! Records of one request, judged slice by slice, so that a long request does not keep others waiting.

use super::answer;
use super::body::Body;
use super::desk::Desk;
use super::limits::{ANSWER_BYTES_MAX, GAMES_PER_ANSWER_MAX, JUDGING_MAX, PLIES_PER_RECORD_MAX, SLICE_BYTES};
use super::metrics;
use super::problem::{self, Problem};
use super::room::Held;
use crate::record::{ChunkReader, ItemKind, Record, read};
use crate::replay::{Options, Replayer, Source};
use crate::text::limits::RECORD_BYTES_MAX;
use actix_web::{HttpResponse, web};
use std::io::Cursor;
use std::time::{Duration, Instant};

/// What becomes of the records of a request.
pub trait Task: Send + 'static {
    /// Takes the next record.
    ///
    /// # Errors
    /// Where there is no room for what is made of it.
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
    ) -> Result<(), Problem>;

    /// The answer so far.
    fn answer(&mut self) -> &mut Held;
}

/// The records of a request, and how far they have been judged.
struct Work<T> {
    chunks: ChunkReader<Cursor<Held>>,
    replayer: Replayer<'static>,
    lines: usize,
    games: usize,
    plies: usize,
    spent: Duration,
    games_max: usize,
    task: T,
}

/// Judges all records before there is an answer.
///
/// # Errors
/// Where the body is not what it says, or its records exceed a limit.
pub async fn whole<T: Task>(desk: &Desk, body: Body, options: Options, task: T) -> Result<T, Problem> {
    let mut work = start(desk, body, options, task, GAMES_PER_ANSWER_MAX).await?;
    while let (left, false) = work {
        work = next(desk, left).await?;
    }
    Ok(work.0.task)
}

/// Judges records and sends what is made of them meanwhile; a problem on the way becomes the last line.
///
/// # Errors
/// Where the body is not what it says, or the first of its records exceed a limit.
pub async fn streamed<T: Task>(
    desk: web::Data<Desk>,
    body: Body,
    options: Options,
    task: T,
    content_type: &'static str,
) -> Result<HttpResponse, Problem> {
    let (mut work, mut done) = start(&desk, body, options, task, usize::MAX).await?;
    let mut part = work.take();
    if done {
        return Ok(answer::whole(content_type, part));
    }
    let (parts, answer) = answer::paced(content_type);
    actix_web::rt::spawn(async move {
        while parts.send(part).await {
            if done {
                return parts.end().await;
            }
            (work, done) = match next(&desk, work).await {
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
    });
    Ok(answer)
}

/// Unpacks the body and judges the first slice of it.
async fn start<T: Task>(
    desk: &Desk,
    body: Body,
    options: Options,
    task: T,
    games_max: usize,
) -> Result<(Work<T>, bool), Problem> {
    let (replayer, small) = (desk.replayer.with_options(options), body.is_small());
    let judge = move || {
        let records = body.records()?;
        // One byte more than there is: the end shows at once.
        let slice_bytes = SLICE_BYTES.min(records.len() + 1);
        let mut work = Work {
            chunks: ChunkReader::with_limits(Cursor::new(records), slice_bytes, RECORD_BYTES_MAX),
            replayer,
            lines: 0,
            games: 0,
            plies: 0,
            spent: Duration::ZERO,
            games_max,
            task,
        };
        let done = work.slice()?;
        Ok((work, done))
    };
    if small { judge() } else { desk.judges.run(judge).await? }
}

async fn next<T: Task>(desk: &Desk, mut work: Work<T>) -> Result<(Work<T>, bool), Problem> {
    let judged = desk.judges.run(move || {
        let done = work.slice()?;
        Ok((work, done))
    });
    judged.await?
}

impl<T: Task> Work<T> {
    /// Judges the next slice; true if it was the last.
    fn slice(&mut self) -> Result<bool, Problem> {
        let chunk = match self.chunks.next() {
            None => return Ok(true),
            Some(chunk) => chunk.map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))?,
        };
        let start = Instant::now();
        let (games, plies) = (self.games, self.plies);
        let source = Source::new(&chunk.bytes, chunk.offset, self.lines);
        for record in read(&chunk.bytes, chunk.offset) {
            self.admit(&record, self.spent + start.elapsed())?;
            self.task.record(&mut self.replayer, &record, &source, self.games)?;
            self.games += 1;
            if self.task.answer().len() > ANSWER_BYTES_MAX {
                let detail = format!("the answer would have more than {ANSWER_BYTES_MAX} bytes");
                return Err(Problem::new(&problem::TOO_MUCH_WORK, detail));
            }
        }
        self.lines += memchr::memchr_iter(b'\n', &chunk.bytes).count();
        self.spent += start.elapsed();
        metrics::judged(self.games - games, self.plies - plies);
        Ok(self.chunks.is_at_end())
    }

    /// Takes what there is of the answer.
    fn take(&mut self) -> Held {
        let answer = self.task.answer();
        let empty = Held::new(answer.room());
        std::mem::replace(answer, empty)
    }

    /// Looks whether one more record is within the limits.
    fn admit(&mut self, record: &Record<'_>, spent: Duration) -> Result<(), Problem> {
        let plies = record.items.iter().filter(|item| item.kind == ItemKind::Move).count();
        self.plies += plies;
        let place = problem::Place {
            span: Some([record.offset(), record.offset() + record.source().len()]),
            ..problem::Place::default()
        };
        let too_much = |detail: String| Err(Problem::new(&problem::TOO_MUCH_WORK, detail).at(place));
        if self.games >= self.games_max {
            let detail = format!("one answer holds at most {} games", self.games_max);
            return Err(Problem::new(&problem::TOO_MANY_GAMES, detail).at(place));
        }
        if plies > PLIES_PER_RECORD_MAX {
            let (game, max) = (self.games + 1, PLIES_PER_RECORD_MAX);
            return too_much(format!(
                "game {game} has {plies} plies, variations counted; at most {max} are judged"
            ));
        }
        if spent > JUDGING_MAX {
            let (games, seconds) = (self.games, JUDGING_MAX.as_secs());
            return too_much(format!("after {seconds} seconds {games} games are judged, and more are left"));
        }
        Ok(())
    }
}
