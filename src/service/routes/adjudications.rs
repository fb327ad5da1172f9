//! `/api/v1/adjudications`: judges a claim about a game, at once or as a job.

use super::ReadQuery;
use crate::service::auth::asker;
use crate::service::claims;
use crate::service::jobs::Question;
use crate::service::json::json;
use crate::service::limits::{JOB_NODES_MAX, JOB_TIME_MAX, JUDGING_MAX, SEARCH_NODES_MAX, SUBMIT_BYTES_MAX};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::subject::{Named, Position, Subject};
use crate::service::{body, media, openapi};
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use ferz::adjudicate::{Claim, Fifty, Terms};
use ferz::text::limits::SEARCH_NODES;
use serde::Deserialize;
use std::time::Duration;
use utoipa::ToSchema;

/// A claim about a game: one of `record`, `id` and `position`
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Adjudication {
    /// A record, in any style, or as JSON
    record: Option<String>,
    /// The number of the game in `record`, from 1
    game: Option<usize>,
    /// A game of the archive: its id, or the first digits of it
    id: Option<String>,
    /// A position without a record
    position: Option<Position>,
    /// Definitions of games of the request's own, in TOML, parents first
    #[serde(default)]
    definitions: Vec<String>,
    #[schema(value_type = openapi::Claim)]
    claim: Claim,
    /// The policy for clocks, remedies and penalties: the name of a built-in one; `plain` by default
    policy: Option<String>,
    /// Whether the rules of fifty and seventy-five moves hold
    #[serde(default)]
    #[schema(value_type = FiftyMoves)]
    fifty: FiftyMoves,
    /// The claimant's analysis: records with variations, of the game, or from the position of the claim. It is tried
    /// against every defence, and what it leaves open is in `holes`
    plan: Option<String>,
    budget: Option<Work>,
}

/// Whether the rules of fifty and seventy-five moves hold
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::service) enum FiftyMoves {
    /// As the rules of the game say
    #[default]
    Applied,
    /// Neither draws a game
    Suspended,
}

impl From<FiftyMoves> for Fifty {
    fn from(fifty: FiftyMoves) -> Fifty {
        match fifty {
            FiftyMoves::Applied => Fifty::Applied,
            FiftyMoves::Suspended => Fifty::Suspended,
        }
    }
}

/// How much work the verdict may take
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Work {
    /// Positions that a search may visit; 200,000 by default. More than 10,000,000 make the verdict a job
    #[schema(maximum = 1_000_000_000)]
    nodes: Option<u64>,
    /// Time after which a search ends; 10,000 by default, 600,000 for a job. More than 10,000 make the verdict a job
    #[schema(minimum = 1, maximum = 600_000)]
    milliseconds: Option<u64>,
}

/// How far a job is
#[derive(ToSchema)]
#[allow(dead_code)] // A description; `Job::json` writes it.
pub(in crate::service) struct Progress {
    /// The name of the job, the end of its address
    job: String,
    state: JobState,
    /// Positions visited so far
    nodes: u64,
    /// Time that it has run
    milliseconds: u64,
    /// The verdict, once the job is done
    verdict: Option<openapi::Verdict>,
    /// Why there is no verdict: a problem, if the job is done without one
    #[schema(value_type = Option<Object>)]
    problem: Option<()>,
}

/// The state of a job
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code)]
enum JobState {
    /// It waits for others
    Queued,
    /// It runs
    Running,
    /// It has ended
    Done,
}

/// The work of a request: the number of positions and the time, and whether it is a job.
#[derive(Debug)]
struct Limits {
    nodes: u64,
    time: Duration,
    is_job: bool,
}

impl Work {
    fn limits(work: Option<Work>, is_wanted: bool) -> Result<Limits, Problem> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let Work { nodes, milliseconds } = work.unwrap_or(Work { nodes: None, milliseconds: None });
        let long = milliseconds.is_some_and(|time| time > millis(JUDGING_MAX));
        let is_job = is_wanted || long || nodes.is_some_and(|nodes| nodes > SEARCH_NODES_MAX);
        let (most, usual) = (millis(JOB_TIME_MAX), if is_job { JOB_TIME_MAX } else { JUDGING_MAX });
        let (nodes, milliseconds) = (nodes.unwrap_or(SEARCH_NODES), milliseconds.unwrap_or(millis(usual)));
        if nodes > JOB_NODES_MAX {
            let detail = format!("budget.nodes {nodes} exceeds {JOB_NODES_MAX}");
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        if !(1..=most).contains(&milliseconds) {
            let detail = format!("budget.milliseconds {milliseconds} is not between 1 and {most}");
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        Ok(Limits { nodes, time: Duration::from_millis(milliseconds), is_job })
    }
}

/// True if the client prefers a job (RFC 7240).
fn prefers_job(request: &HttpRequest) -> bool {
    let values = request.headers().get_all("prefer").filter_map(|value| value.to_str().ok());
    let mut preferences = values.flat_map(|value| value.split(','));
    preferences.any(|preference| preference.trim().eq_ignore_ascii_case("respond-async"))
}

/// Judges a claim about a game
///
/// Returns the object that `ferz adjudicate --format json` prints: the verdict, what it rests on, and the certificate
/// that others check. A game of the archive is judged by the rules and options it was archived with. With
/// `Prefer: respond-async`, or a budget beyond that of a request, the answer is the job that finds the verdict; the
/// same question is the same job.
#[utoipa::path(operation_id = "judge_claim", tag = "claims",
    params(ReadQuery, ("prefer" = Option<String>, Header, description = "`respond-async` for a job")),
    request_body = Adjudication,
    responses((status = 200, description = "The verdict", body = openapi::Verdict),
        (status = 202, description = "The job; its address is in the header Location", body = Progress)))]
#[post("/adjudications")]
pub(in crate::service) async fn adjudicate(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let (asked, _memory) = body::parts(&request, payload, &state, SUBMIT_BYTES_MAX).await?;
    let asked: Adjudication = asked;
    let preferred = prefers_job(&request);
    let limits = Work::limits(asked.budget, preferred)?;
    let Adjudication { record, game, id, position, definitions, claim, policy, fifty, plan, .. } = asked;
    let of = (&record, game, &id, &position, &definitions);
    let question = (&*query, of, &claim, &policy, fifty, &plan, &limits);
    let question = limits.is_job.then(|| format!("{question:?}"));
    let mut terms = Terms::of(limits.nodes);
    if let Some(name) = policy {
        let unknown = |message: String| Problem::new(&problem::BAD_OPTION, message);
        terms.policy = state.policies.named(&name).map_err(unknown)?;
    }
    terms.fifty = Fifty::from(fifty);
    terms.files = state.files.clone();
    terms.plans = plan.into_iter().map(|text| text.into_bytes().into()).collect();
    let subject = Subject::of(&state, &query, Named { record, game, id, position, definitions }).await?;
    if let Some(text) = question {
        let question = Question { text, asker: asker(&request), game: subject.archived(), time: limits.time };
        let work = claims::job(subject, claim, terms);
        let job = state.jobs.submit(question, &state.work, work)?;
        let mut answer = HttpResponse::Accepted();
        answer.content_type(media::JSON).insert_header((header::LOCATION, job.location()));
        if preferred {
            answer.insert_header(("preference-applied", "respond-async"));
        }
        return Ok(answer.body(job.json()));
    }
    let verdict = claims::judge(&state, subject, claim, (terms, limits.time), |_, _, verdict| json(&verdict));
    Ok(HttpResponse::Ok().content_type(media::JSON).body([verdict.await??, b"\n".to_vec()].concat()))
}

/// Shows how far a job is, and its verdict
///
/// A job belongs to the token that asked for it or, without tokens, to the address. A verdict is kept for ten minutes,
/// and no longer than its game.
#[utoipa::path(operation_id = "get_job", tag = "claims",
    params(("job" = String, Path, description = "The name of the job")),
    responses((status = 200, description = "The progress", body = Progress)))]
#[get("/adjudications/{job}")]
pub(in crate::service) async fn progress(
    request: HttpRequest,
    state: web::Data<AppState>,
    job: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let found = state.jobs.find(&job, &asker(&request)).ok_or_else(no_job)?;
    if let Some(game) = found.game {
        state.check_remembered(game).await?;
    }
    let answer = HttpResponse::Ok().content_type(media::JSON).body(found.json());
    Ok(answer)
}

/// Cancels a job
#[utoipa::path(operation_id = "cancel_job", tag = "claims",
    params(("job" = String, Path, description = "The name of the job")),
    responses((status = 204, description = "There is no such job any more")))]
#[delete("/adjudications/{job}")]
pub(in crate::service) async fn cancel(
    request: HttpRequest,
    state: web::Data<AppState>,
    job: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    match state.jobs.cancel(&job, &asker(&request)) {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(no_job()),
    }
}

fn no_job() -> Problem {
    let detail = "you have no such job: it was cancelled, or its verdict was kept long enough; ask again";
    Problem::new(&problem::NOT_FOUND, detail)
}
