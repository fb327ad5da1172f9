//! `POST /api/v1/stories`: two records of one game, one of each side.

use super::ReadQuery;
use super::adjudications::FiftyMoves;
use crate::service::json::json;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::{body, claims, media, openapi};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::adjudicate::{Claim, Fifty, Terms};
use ferz::text::limits::SEARCH_NODES;
use serde::Deserialize;
use utoipa::ToSchema;

/// Two records of one game, and perhaps a claim
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct StoryRecords {
    /// The record of one side, in any style, or as JSON
    a: String,
    /// The record of the other side
    b: String,
    /// The numbers of the games in the two texts, from 1; the first of each without them
    games: Option<[usize; 2]>,
    /// Definitions of games of the request's own, in TOML, parents first
    #[serde(default)]
    definitions: Vec<String>,
    /// A claim to judge by both
    #[schema(value_type = Option<openapi::Claim>)]
    claim: Option<Claim>,
    /// The policy for clocks, remedies and penalties: the name of a built-in one; `plain` by default
    policy: Option<String>,
    /// Whether the rules of fifty and seventy-five moves hold
    #[serde(default)]
    #[schema(value_type = FiftyMoves)]
    fifty: FiftyMoves,
}

/// Judges two stories of one game
///
/// Returns the object that `ferz adjudicate A --against B --format json` prints: where the records part, what the
/// evidence for each later ply says, which of them a verdict can stand on, and the claim by each (formats/CLAIMS.md).
#[utoipa::path(operation_id = "judge_stories", tag = "claims", params(ReadQuery), request_body = StoryRecords,
    responses((status = 200, description = "The stories", content((Object = "application/json")))))]
#[post("/stories")]
pub(in crate::service) async fn stories(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let options = query.options(&state)?;
    let (asked, memory) = body::parts(&request, payload, &state, RECORDS_BYTES_MAX).await?;
    let StoryRecords { a, b, games, definitions, claim, policy, fifty }: StoryRecords = asked;
    let games = games.unwrap_or([1, 1]);
    let mut terms = Terms { fifty: Fifty::from(fifty), ..Terms::of(SEARCH_NODES) };
    if let Some(name) = policy {
        let unknown = |message: String| Problem::new(&problem::BAD_OPTION, message);
        terms.policy = state.policies.named(&name).map_err(unknown)?;
    }
    let judged =
        claims::stories(&state, options, (a, b), games, (claim, terms), definitions, move |_, _, found| {
            drop(memory);
            json(&found)
        });
    let body = judged.await?;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([body, b"\n".to_vec()].concat()))
}
