//! `POST /api/v1/adjudications`: judges a claim about a game.

use super::ReadQuery;
use crate::adjudicate::{Claim, Fifty, Terms};
use crate::service::claims::judge;
use crate::service::json::json;
use crate::service::limits::{JUDGING_MAX, SEARCH_NODES_MAX, SUBMIT_BYTES_MAX};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::subject::{Named, Position, Subject};
use crate::service::{body, media, openapi};
use crate::text::limits::SEARCH_NODES;
use actix_web::{HttpRequest, HttpResponse, post, web};
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
    #[schema(value_type = openapi::Claim)]
    claim: Claim,
    /// The policy for clocks, remedies and penalties: the name of a built-in one; `plain` by default
    policy: Option<String>,
    /// Whether the rules of fifty and seventy-five moves hold
    #[serde(default)]
    #[schema(value_type = FiftyMoves)]
    fifty: FiftyMoves,
    budget: Option<Work>,
}

/// Whether the rules of fifty and seventy-five moves hold
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FiftyMoves {
    /// As the rules of the game say
    #[default]
    Applied,
    /// Neither draws a game
    Suspended,
}

/// How much work the verdict may take
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Work {
    /// Positions that a search may visit; 200,000 by default
    #[schema(maximum = 10_000_000)]
    nodes: Option<u64>,
    /// Time after which a search ends; 10,000 by default
    #[schema(minimum = 1, maximum = 10_000)]
    milliseconds: Option<u64>,
}

impl Work {
    /// The number of positions and the time.
    fn limits(work: Option<Work>) -> Result<(u64, Duration), Problem> {
        let most = u64::try_from(JUDGING_MAX.as_millis()).unwrap_or(u64::MAX);
        let Work { nodes, milliseconds } = work.unwrap_or(Work { nodes: None, milliseconds: None });
        let (nodes, milliseconds) = (nodes.unwrap_or(SEARCH_NODES), milliseconds.unwrap_or(most));
        if nodes > SEARCH_NODES_MAX {
            let detail = format!("budget.nodes {nodes} exceeds {SEARCH_NODES_MAX}");
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        if !(1..=most).contains(&milliseconds) {
            let detail = format!("budget.milliseconds {milliseconds} is not between 1 and {most}");
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        Ok((nodes, Duration::from_millis(milliseconds)))
    }
}

/// Judges a claim about a game
///
/// Returns the object that `ferz adjudicate --format json` prints: the verdict, what it rests on, and the certificate
/// that others check. A game of the archive is judged by the rules and options it was archived with.
#[utoipa::path(operation_id = "judge_claim", tag = "claims", params(ReadQuery), request_body = Adjudication,
    responses((status = 200, description = "The verdict", body = openapi::Verdict)))]
#[post("/adjudications")]
pub(in crate::service) async fn adjudicate(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let (asked, _memory) = body::parts(&request, payload, &state.memory, SUBMIT_BYTES_MAX).await?;
    let Adjudication { record, game, id, position, claim, policy, fifty, budget }: Adjudication = asked;
    let (nodes, time) = Work::limits(budget)?;
    let mut terms = Terms::of(nodes);
    if let Some(name) = policy {
        let unknown = |message: String| Problem::new(&problem::BAD_OPTION, message);
        terms.policy = state.policies.named(&name).map_err(unknown)?;
    }
    terms.fifty = match fifty {
        FiftyMoves::Applied => Fifty::Applied,
        FiftyMoves::Suspended => Fifty::Suspended,
    };
    let subject = Subject::of(&state, &query, Named { record, game, id, position }).await?;
    let verdict = judge(&state, subject, claim, (terms, time), |_, _, verdict| json(&verdict)).await??;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([verdict, b"\n".to_vec()].concat()))
}
