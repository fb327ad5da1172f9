//! Judges a claim about a record or a game of the archive, for the API and the page.

use super::archived::ArchivedGame;
use super::limits::{JUDGING_MAX, PLIES_PER_RECORD_MAX};
use super::memory::Budgeted;
use super::problem::{self, Place, Problem};
use super::state::AppState;
use crate::adjudicate::{Claim, ClaimError, Terms, Verdict, adjudicate};
use crate::json::{NoGame, WholeText};
use crate::record::{ItemKind, Record};
use crate::replay::summary::counted;
use crate::replay::{Legality, Replayer, Report, Source};
use std::time::{Duration, Instant};

/// What a claim is about.
#[derive(Debug)]
pub enum Subject {
    /// A record of a text.
    Record {
        /// The text.
        text: Budgeted,
        /// The number of the record, from 1.
        game: usize,
        /// The replayer, with the options of the request.
        replayer: Box<Replayer<'static>>,
    },
    /// A game of the archive.
    Archived(Box<ArchivedGame>),
}

/// Judges a claim and passes the verdict on, with the record, while both are at hand.
///
/// # Errors
/// If the text has no such record, the claim does not fit it, or the work takes too long.
pub async fn judge<T: Send + 'static>(
    state: &AppState,
    subject: Subject,
    claim: Claim,
    (terms, time): (Terms, Duration),
    then: impl FnOnce(&mut Replayer<'_>, &Record<'_>, Verdict) -> T + Send + 'static,
) -> Result<T, Problem> {
    let budget = state.budget();
    let terms = Terms { budget: budget.clone(), ..terms };
    let judged = state.judges.run_within(&budget, time.min(JUDGING_MAX), move || {
        let start = Instant::now();
        let in_text = |replayer: &mut Replayer<'_>, text: &[u8], game| {
            let text = WholeText::new(text);
            let (record, source) = text.record(game).map_err(|none| Fault::Problem(no_game(none, game)))?;
            admit(&record).map_err(Fault::Problem)?;
            let verdict = adjudicate(replayer, (&record, &source), &claim, &terms);
            let mut verdict = verdict.map_err(|error| Fault::Claim(error, place(&record, &source)))?;
            verdict.spent.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            Ok(then(replayer, &record, verdict))
        };
        match subject {
            Subject::Record { text, game, mut replayer } => in_text(&mut replayer, text.as_ref(), game),
            Subject::Archived(archived) => in_text(&mut archived.replayer(), &archived.text, 1),
        }
    });
    judged.await?.map_err(|fault| match fault {
        Fault::Problem(problem) => problem,
        Fault::Claim(error, place) => refused(error, place, state),
    })
}

/// Why there is no verdict.
enum Fault {
    Problem(Problem),
    Claim(ClaimError, Place),
}

/// The problem of a text without the record that is asked for.
pub fn no_game(none: NoGame, number: usize) -> Problem {
    match none {
        NoGame::TooFew(0) => Problem::new(&problem::NO_RECORDS, "the text has no record"),
        NoGame::TooFew(count) => {
            let games = counted(count, "game", "games");
            Problem::new(&problem::BAD_OPTION, format!("no game {number}; the text has {games}"))
        }
        NoGame::Refused { fault, line, column } => {
            let span = Some([fault.span.start, fault.span.end]);
            let place = Place { line: Some(line), column: Some(column), ply: None, span };
            Problem::new(&problem::WRONG_SHAPE, fault.to_string()).at(place)
        }
    }
}

/// Refuses a record with too many plies.
///
/// # Errors
/// If it has.
pub fn admit(record: &Record<'_>) -> Result<(), Problem> {
    let plies = record.items.iter().filter(|item| item.kind == ItemKind::Move).count();
    if plies <= PLIES_PER_RECORD_MAX {
        return Ok(());
    }
    let max = PLIES_PER_RECORD_MAX;
    let detail = format!("the record has {plies} plies, variations counted; at most {max} are judged");
    Err(Problem::new(&problem::TOO_MUCH_WORK, detail))
}

/// The place where a record begins.
fn place(record: &Record<'_>, source: &Source<'_>) -> Place {
    let start = source.locate(record.offset());
    Place { line: Some(start.line), column: Some(start.column), ..Place::default() }
}

fn refused(error: ClaimError, start: Place, state: &AppState) -> Problem {
    match error {
        // A member of the claim has the name of the command's option.
        ClaimError::Claim(message) => Problem::new(&problem::BAD_CLAIM, message.replace("(--", "(")),
        ClaimError::NotReplayed(report) => not_replayed(&report, start),
        ClaimError::Exhausted(_) => state.exhausted(),
    }
}

/// The problem of a record that cannot be replayed, with its place.
fn not_replayed(report: &Report, start: Place) -> Problem {
    let kind = match report.verdict {
        Legality::NoRecord => &problem::NO_RECORDS,
        _ => &problem::NOT_REPLAYED,
    };
    let Some(first) = report.diagnostics.first() else { return Problem::new(kind, kind.title).at(start) };
    let place =
        Place { line: Some(first.line), column: Some(first.column), ply: first.ply, span: Some(first.span) };
    Problem::new(kind, first.message.to_string()).at(place)
}
