//! What players and arbiters do in a game.

use super::refusals::{acted, stale};
use super::{access, header, look, receipt, request_key, shown, tag};
use crate::service::auth;
use crate::service::body;
use crate::service::in_progress::{InProgress, PlyMade};
use crate::service::json::json;
use crate::service::media;
use crate::service::openapi;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::archive::{Access, Act, Correspondence, Scope, from_hex, to_hex};
use ferz::board::Owner;
use ferz::correspondence::{Branch, Check, Command, OfferKind, What};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A game after a change
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Changed {
    /// The game
    #[serde(flatten)]
    game: InProgress,
    /// The ply that was made
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<PlyMade>,
    /// Whether the claim is right, if that is decided
    #[serde(skip_serializing_if = "Option::is_none")]
    upheld: Option<bool>,
    /// What a machine found about a claim on which people decide
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    check: Option<Check>,
    /// The proof that the change is in the log
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
}

/// The digest of the terms
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Acceptance {
    /// The digest that the game shows as `terms`
    terms: String,
}

/// Accepts the terms of a game
///
/// For each of its players. The game begins once all have accepted.
#[utoipa::path(operation_id = "accept_correspondence", tag = "correspondence", request_body = Acceptance,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/accept")]
pub(in crate::service) async fn accept_terms(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (Acceptance { terms }, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Accept { terms }).await
}

/// A ply
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct PlySent {
    /// The ply, in any style
    ply: String,
    /// `draw` to offer one with it
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    offer: Option<DrawOffer>,
    /// The signature by the player's key, if one is registered
    #[serde(default)]
    signature: Option<String>,
}

/// A draw offer that comes with a ply.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum DrawOffer {
    Draw,
}

/// Makes a ply
///
/// For the player who is to act. An illegal ply is refused with its article, and nothing is stored.
#[utoipa::path(operation_id = "play_correspondence", tag = "correspondence", request_body = PlySent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The ply, and the game after it", body = Changed)))]
#[post("/correspondence/{id}/plies")]
pub(in crate::service) async fn make_ply(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (PlySent { ply, offer, signature }, digest) =
        body::object_and_digest(&request, payload, &state.memory).await?;
    let offer = offer.map(|DrawOffer::Draw| OfferKind::Draw);
    change(&request, &state, &id, digest, Command::Ply { text: ply, offer, signature }).await
}

/// An offer, or the answer to one
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct OfferSent {
    /// `draw`, `adjourn`, or `takeback`
    #[schema(value_type = String)]
    kind: OfferName,
    /// Of a takeback: the number of plies that are left
    #[serde(default)]
    ply: Option<usize>,
    /// True to agree to the other player's offer, false to reject it; without it an offer is made
    #[serde(default)]
    accept: Option<bool>,
}

/// The kinds of offers.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum OfferName {
    Draw,
    Adjourn,
    Takeback,
}

/// Offers a draw, an adjournment or a takeback, or answers the offer of the other player
///
/// An offer stands until the other player makes a ply.
#[utoipa::path(operation_id = "offer_correspondence", tag = "correspondence", request_body = OfferSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/offers")]
pub(in crate::service) async fn make_offer(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let sent = body::object_and_digest(&request, payload, &state.memory).await?;
    let (OfferSent { kind, ply, accept }, digest) = sent;
    let command = match (accept, kind, ply) {
        (Some(accept), ..) => Command::Answer { accept },
        (None, OfferName::Draw, _) => Command::Offer(OfferKind::Draw),
        (None, OfferName::Adjourn, _) => Command::Offer(OfferKind::Adjourn),
        (None, OfferName::Takeback, Some(to)) => Command::Offer(OfferKind::Takeback { to }),
        (None, OfferName::Takeback, None) => {
            let detail = "a takeback has `ply`, the number of plies that are left";
            return Err(Problem::new(&problem::WRONG_SHAPE, detail));
        }
    };
    change(&request, &state, &id, digest, command).await
}

/// A leave
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct LeaveSent {
    /// Days of 24 hours, from now on
    days: u32,
}

/// Goes on leave, during which the player's clock stands still
///
/// As far as the policy allows it.
#[utoipa::path(operation_id = "leave_correspondence", tag = "correspondence", request_body = LeaveSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/leave")]
pub(in crate::service) async fn go_on_leave(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (LeaveSent { days }, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Leave { days }).await
}

/// Calls a time-out
///
/// The limits that pass on the move in progress do not lose the game (IAP 2). As often as the policy allows it.
#[utoipa::path(operation_id = "time_out_correspondence", tag = "correspondence", request_body = NothingMore,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/time-out")]
pub(in crate::service) async fn call_time_out(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (NothingMore {}, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::TimeOut).await
}

/// Conditional plies
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct ConditionalSent {
    /// The answers: at most 64, each `{"if": PLY, "then": PLY, "next": […]}`; an empty list takes them back
    #[schema(value_type = Vec<Object>)]
    tree: Vec<Branch>,
}

/// Conditional plies that are set
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct ConditionalSet {
    /// The head, which has not changed
    head: String,
    /// The answers, in coordinate notation
    #[schema(value_type = Vec<Object>)]
    tree: Vec<Branch>,
}

/// Sets the answers to what the opponent may do next
///
/// Hidden from all others until an answer is given, which is then checked again.
#[utoipa::path(operation_id = "set_conditional_correspondence", tag = "correspondence",
    request_body = ConditionalSent, params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The answers", body = ConditionalSet)))]
#[post("/correspondence/{id}/conditional")]
pub(in crate::service) async fn set_conditional(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let access = access(&request)?;
    let ConditionalSent { tree } = body::object(&request, payload, &state.memory).await?;
    let holder = access.clone();
    let given = header(request.headers(), "if-match").map(str::to_owned);
    let (id, head, by) = look(&state, access, &id, move |game| {
        Ok((game.id, seen_head(given.as_deref(), game)?, role(&holder, game)?))
    })
    .await?;
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let set = state.write(move |archive| {
        let game = archive.set_conditional(id, head, (by, &tree), (registry, &policies)).map_err(acted)?;
        let tree = game.trees.get(by.index()).cloned().unwrap_or_default();
        Ok::<_, Problem>((to_hex(&game.head()), json(&ConditionalSet { head: to_hex(&game.head()), tree })?))
    });
    let (head, body) = set.await??;
    Ok(HttpResponse::Created().insert_header(tag(head)).content_type(media::JSON).body(body))
}

/// Plies to take back
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct TakebackSent {
    /// The number of plies that are left
    to: usize,
}

/// Offers to take plies back, or agrees to it
///
/// The other player agrees by the same request with the same `to`.
#[utoipa::path(operation_id = "take_back_correspondence", tag = "correspondence", request_body = TakebackSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/takeback")]
pub(in crate::service) async fn take_back(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (TakebackSent { to }, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Offer(OfferKind::Takeback { to })).await
}

/// Nothing
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct NothingMore {}

/// Resigns
#[utoipa::path(operation_id = "resign_correspondence", tag = "correspondence", request_body = NothingMore,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/resign")]
pub(in crate::service) async fn resign(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (NothingMore {}, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Resign).await
}

/// Nature's decision: one of the three
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct NatureSent {
    /// True to call for her turn, which she then has to take
    #[serde(default)]
    call: bool,
    /// True to let this chance pass
    #[serde(default)]
    decline: bool,
    /// Her ply, with or without a call before it
    #[serde(default)]
    ply: Option<String>,
}

/// Nature decides
///
/// While she may come between the players' plies, only she acts, and no clock runs.
#[utoipa::path(operation_id = "decide_correspondence", tag = "correspondence", request_body = NatureSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/nature")]
pub(in crate::service) async fn decide_as_nature(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (sent, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    let command = match sent {
        NatureSent { call: true, decline: false, ply: None } => Command::Call,
        NatureSent { call: false, decline: true, ply: None } => Command::Decline,
        NatureSent { call: false, decline: false, ply: Some(text) } => {
            Command::Ply { text, offer: None, signature: None }
        }
        _ => {
            let detail = "write one of `{\"call\": true}`, `{\"decline\": true}` and `{\"ply\": …}`";
            return Err(Problem::new(&problem::WRONG_SHAPE, detail));
        }
    };
    change(&request, &state, &id, digest, command).await
}

/// Headers of a change.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code)] // describes what `change` reads
pub(in crate::service) struct Change {
    /// The head of the game that its sender has seen, in quotation marks
    #[param(rename = "if-match")]
    if_match: String,
    /// Sent again with it, the request has no second effect
    #[param(rename = "idempotency-key")]
    idempotency_key: Option<String>,
}

/// Changes a game on behalf of the holder of a token.
pub(super) async fn change(
    request: &HttpRequest,
    state: &AppState,
    id: &str,
    digest: [u8; 32],
    command: Command,
) -> Result<HttpResponse, Problem> {
    media::wanted(request, &[media::JSON])?;
    let access = access(request)?;
    let key = request_key(request, digest)?;
    let _in_flight = state.in_flight.enter(&access, key.as_ref())?;
    let is_ruling = matches!(command, Command::Rule { .. } | Command::Dismiss { .. });
    if is_ruling {
        auth::check_scope(&access, Scope::Arbiter)?;
    }
    let (asker, holder, person) = (access.id(), access.clone(), access.holder.clone());
    let given = header(request.headers(), "if-match").map(str::to_owned);
    let (id, head, by) = look(state, access, id, move |game| {
        let by = if is_ruling { None } else { Some(role(&holder, game)?) };
        let plays = game.state.setting().terms.players.played_by(&holder.holder).next().is_some();
        if is_ruling && plays {
            let detail = "no one rules on a game of one's own; ask another arbiter";
            return Err(Problem::new(&problem::NOT_YOUR_TURN, detail));
        }
        Ok((game.id, seen_head(given.as_deref(), game)?, by))
    })
    .await?;
    let is_ply = matches!(command, Command::Ply { .. } | Command::Reveal { .. });
    let act = Act { id, head, by, command, token: Some(asker), request: key };
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let made = state.write(move |archive| {
        let made = archive.act(act, (registry, &policies)).map_err(acted)?;
        let (receipt, game) = (receipt(archive, &made)?, shown(&made.game, &person));
        // Only answers of others can follow it.
        let ply = by.filter(|_| is_ply).and_then(|by| game.last_ply_of(by)).cloned();
        let first = usize::try_from(made.sequence).ok().and_then(|first| made.game.acts.get(first));
        let claimed = first.and_then(|act| match &act.event.what {
            What::Claimed { upheld, check, .. } => Some((*upheld, check.as_deref().cloned())),
            _ => None,
        });
        let (upheld, check) = claimed.unwrap_or_default();
        Ok::<_, Problem>((to_hex(&made.game.head()), json(&Changed { ply, upheld, check, game, receipt })?))
    });
    let (head, body) = made.await??;
    Ok(HttpResponse::Created().insert_header(tag(head)).content_type(media::JSON).body(body))
}

/// The side that the sender of a request plays, of several the one that is to act.
pub(in crate::service) fn role(access: &Access, game: &Correspondence) -> Result<Owner, Problem> {
    let (state, terms) = (&game.state, &game.state.setting().terms);
    let roles: Vec<Owner> = terms.players.played_by(&access.holder).collect();
    let waits = |player: &&Owner| state.waits_for(**player);
    let role = roles.iter().find(waits).or(roles.first()).copied();
    let none = || format!("`{}` plays no side of this game", access.holder.escape_debug());
    role.ok_or_else(|| Problem::new(&problem::NOT_A_PLAYER, none()))
}

/// The head that the sender has seen, which must be the present one, or that of a request sent again.
pub(super) fn seen_head(given: Option<&str>, game: &Correspondence) -> Result<[u8; 32], Problem> {
    let head = to_hex(&game.head());
    let Some(given) = given else {
        let detail = format!("the request has no `If-Match`; write `If-Match: \"{head}\"`");
        return Err(Problem::new(&problem::NO_HEAD, detail).with("head", Value::from(head)));
    };
    // An earlier head may be that of a request sent again, which the archive knows.
    from_hex(given.trim().trim_matches('"')).ok_or_else(|| stale(&head))
}
