//! Judges a claim about a record or a game of the archive, or two stories of one game, for the API and the page.

use super::at_hand::AtHand;
use super::jobs::Work;
use super::json::json;
use super::problem::{self, Place, Problem};
use super::state::AppState;
use super::subject::{Subject, admit, in_record, no_game, with_record};
use super::work::Unfinished;
use crate::stories::TwoRecords;
use ferz::adjudicate::{Claim, ClaimError, Terms, Verdict, adjudicate, two_stories};
use ferz::json::WholeText;
use ferz::record::Record;
use ferz::replay::{Legality, Options, Replayer, Report, Source};
use std::time::{Duration, Instant};

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
    let judged =
        in_record((state, &state.provers), subject, time, move |replayer, record, source, budget| {
            let verdict =
                verdict(replayer, (record, source), &claim, Terms { budget: budget.clone(), ..terms })?;
            Ok(then(replayer, record, verdict))
        });
    judged.await
}

/// The work of a job: the verdict as JSON.
pub fn job(subject: Subject, claim: Claim, terms: Terms) -> Work {
    Box::new(move |budget| {
        let judged = with_record(subject, budget, |replayer, record, source, budget| {
            let terms = Terms { budget: budget.clone(), ..terms };
            let verdict = verdict(replayer, (record, source), &claim, terms)?;
            json(&verdict).map_err(Unfinished::Problem)
        });
        judged.map_err(|unfinished| match unfinished {
            Unfinished::Problem(problem) => problem,
            Unfinished::Exhausted(_) => Problem::new(
                &problem::TOO_MUCH_WORK,
                "the record was not replayed within the time of the job",
            ),
        })
    })
}

/// The verdict with the time that it took.
fn verdict(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    claim: &Claim,
    terms: Terms,
) -> Result<Verdict, Unfinished> {
    let start = Instant::now();
    let verdict = adjudicate(replayer, (record, source), claim, &terms);
    let mut verdict = verdict.map_err(|error| refused(error, place(record, source)))?;
    verdict.spent.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(verdict)
}

/// The place where a record begins.
pub fn place(record: &Record<'_>, source: &Source<'_>) -> Place {
    let start = source.locate(record.offset());
    Place { line: Some(start.line), column: Some(start.column), ..Place::default() }
}

/// Judges two stories of one game, the records of these numbers in two texts, and passes them on with the
/// record of A while both are at hand.
///
/// # Errors
/// If a text has no such record, the records are not of one game, or the work takes too long.
pub async fn stories<T: Send + 'static>(
    state: &AppState,
    options: Options,
    (a, b): (impl AsRef<[u8]> + Send + 'static, impl AsRef<[u8]> + Send + 'static),
    [first, second]: [usize; 2],
    (claim, terms): (Option<Claim>, Terms),
    definitions: Vec<String>,
    then: impl FnOnce(&mut Replayer<'_>, &Record<'_>, TwoRecords) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let budget = state.budget();
    let terms = Terms { budget: budget.clone(), ..terms };
    let own = budget.clone();
    let (mut replayer, at_hand) = (state.replayer.with_options(options), AtHand::new(state));
    let judged = state.provers.run_within(&budget, state.judging, move || {
        let (a, b) = (WholeText::new(a.as_ref()), WholeText::new(b.as_ref()));
        let (a, a_source) = a.record(first).map_err(|none| no_game(none, first).named("a"))?;
        let (b, b_source) = b.record(second).map_err(|none| no_game(none, second).named("b"))?;
        admit(&a).and_then(|()| admit(&b))?;
        at_hand.with(&definitions)?.work(&mut replayer, &a, |replayer| {
            let found = two_stories(replayer, (&a, &a_source), (&b, &b_source), claim.as_ref(), &terms);
            let found = found.map_err(|error| refused(error, Place::default()))?;
            let found = TwoRecords::new(found, replayer, [&a, &b], &own);
            Ok(then(replayer, &a, found)?)
        })
    });
    judged.await?.map_err(|unfinished: Unfinished| unfinished.problem(state))
}

fn refused(error: ClaimError, start: Place) -> Unfinished {
    Unfinished::Problem(match error {
        // A member of the claim has the name of the command's option.
        ClaimError::Claim(message) => Problem::new(&problem::BAD_CLAIM, message.replace("(--", "(")),
        ClaimError::NotReplayed(report) => not_replayed(&report, start),
        ClaimError::Exhausted(exhausted) => return exhausted.into(),
    })
}

/// The problem of a record that cannot be replayed, with its place.
pub fn not_replayed(report: &Report, start: Place) -> Problem {
    let kind = match report.verdict {
        Legality::NoRecord => &problem::NO_RECORDS,
        _ => &problem::NOT_REPLAYED,
    };
    let Some(first) = report.diagnostics.first() else { return Problem::new(kind, kind.title).at(start) };
    let place =
        Place { line: Some(first.line), column: Some(first.column), ply: first.ply, span: Some(first.span) };
    Problem::new(kind, first.message.to_string()).at(place)
}
