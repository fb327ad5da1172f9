//! Claims, answers to them, rulings, and appeals against these.

use super::changes::{Change, Changed, change, role, seen_head};
use super::refusals::acted;
use super::{access, header, look};
use crate::service::body;
use crate::service::openapi;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::adjudicate::{Claim, Terms};
use ferz::correspondence::{Check, ClaimName, Command, Status, check_claim};
use ferz::record::GameResult;
use ferz::text::limits::SEARCH_NODES;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A claim
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct ClaimSent {
    /// `threefold_repetition`, `fifty_moves`, `quiet_moves`, `perpetual_check`, `declaration`, `time_win` or `silence`,
    /// which are decided at once; or any other kind of claim, on which people decide
    #[schema(value_type = String)]
    kind: ClaimName,
    /// The ply that the player intends to make, if the claim rests on it
    #[serde(default)]
    intended: Option<String>,
    /// Of a claim on which people decide: the number of plies before the position that it is about, or the number of an
    /// illegal ply
    #[serde(default)]
    ply: Option<usize>,
    /// Of `forced_mate`: the number of moves
    #[serde(default)]
    within: Option<u32>,
}

/// Claims something
///
/// What the board and the clocks show is decided at once: a claim that is right ends the game. Any other claim is
/// checked by a machine; what is not refuted makes the game disputed, until the other player accepts it or an arbiter
/// rules. The policy of the game says what a false claim costs.
#[utoipa::path(operation_id = "claim_correspondence", tag = "correspondence", request_body = ClaimSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game, and whether the claim is right", body = Changed)))]
#[post("/correspondence/{id}/claims")]
pub(in crate::service) async fn make_claim(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (sent, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    let ClaimSent { kind, intended, ply, within } = sent;
    let check = match kind {
        ClaimName::Judged(kind) => {
            let claim = Claim { ply, within, intended: intended.clone(), ..Claim::new(kind) };
            checked(&request, &state, &id, claim).await?.map(Box::new)
        }
        _ if ply.is_some() || within.is_some() => {
            let detail = "`ply` and `within` are for claims on which people decide";
            return Err(Problem::new(&problem::WRONG_SHAPE, detail));
        }
        _ => None,
    };
    change(&request, &state, &id, digest, Command::Claim { claim: kind, intended, check }).await
}

/// What a machine finds about a claim; nothing if it is not about the present state of a game in progress.
async fn checked(
    request: &HttpRequest,
    state: &AppState,
    id: &str,
    claim: Claim,
) -> Result<Option<Check>, Problem> {
    let access = access(request)?;
    let holder = access.clone();
    let given = header(request.headers(), "if-match").map(str::to_owned);
    let seen = look(state, access, id, move |game| {
        // A request about an earlier state is refused, or was answered before.
        let is_now = seen_head(given.as_deref(), game)? == game.head();
        let is_open = is_now && game.state.status() == Status::Running;
        Ok(is_open.then_some((game.id, role(&holder, game)?)))
    });
    let Some((id, by)) = seen.await? else { return Ok(None) };
    let claim = Claim { by: by.is_real().then_some(by), ..claim };
    claim.check().map_err(|message| Problem::new(&problem::BAD_CLAIM, message.replace("(--", "(")))?;
    let budget = state.budget();
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let archive = state.archive.within(budget.clone());
    let terms = Terms { budget: budget.clone(), files: state.files.clone(), ..Terms::of(SEARCH_NODES) };
    let found = state.provers.run_within(&budget, state.judging, move || {
        let game = archive.correspondence(id, (registry, &policies)).map_err(acted)?;
        let checked = check_claim(&game.state, game.registry(registry), &claim, terms);
        checked.map_err(|why| Problem::new(&problem::BAD_CLAIM, why))
    });
    found.await?.map(Some)
}

/// An answer
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct AnswerSent {
    /// True to accept the claim or the ruling; false to contest a claim
    accept: bool,
    /// The reason
    #[serde(default)]
    because: Option<String>,
}

/// Answers the claim of the other player, or accepts a ruling
///
/// To accept a claim ends the game with what it claims. A ruling that both players accept is final.
#[utoipa::path(operation_id = "answer_correspondence", tag = "correspondence", request_body = AnswerSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/answers")]
pub(in crate::service) async fn answer_claim(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (AnswerSent { accept, because }, digest) =
        body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::AnswerClaim { accept, because }).await
}

/// An appeal
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct AppealSent {
    /// The reason
    because: String,
}

/// Appeals against a ruling
///
/// As long as the policy of the game allows it. The next ruling is final.
#[utoipa::path(operation_id = "appeal_correspondence", tag = "correspondence", request_body = AppealSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/appeals")]
pub(in crate::service) async fn appeal(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (AppealSent { because }, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Appeal { because }).await
}

/// A ruling: on the result, or that a claim is dismissed
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct RulingSent {
    /// The result: `1-0`, `0-1`, `1/2-1/2`, or `*` to annul the game
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    result: Option<GameResult>,
    /// True to dismiss the claim, or the ruling that was appealed against: the game continues
    #[serde(default)]
    dismiss: bool,
    /// The reason
    because: String,
}

/// Rules on the result of a game, or dismisses a claim
///
/// For an arbiter or a director. A ruling on the result ends the game; it is final once no player can appeal.
#[utoipa::path(operation_id = "rule_correspondence", tag = "correspondence", request_body = RulingSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/rulings")]
pub(in crate::service) async fn rule(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (sent, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    let command = match sent {
        RulingSent { result: Some(result), dismiss: false, because } => Command::Rule { result, because },
        RulingSent { result: None, dismiss: true, because } => Command::Dismiss { because },
        _ => {
            let detail = "write `result`, or `\"dismiss\": true`, and the reason as `because`";
            return Err(Problem::new(&problem::WRONG_SHAPE, detail));
        }
    };
    change(&request, &state, &id, digest, command).await
}
