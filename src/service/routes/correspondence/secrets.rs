//! Keys that sign plies, and what players commit to before they reveal it.

use super::changes::{Change, Changed, change};
use crate::service::body;
use crate::service::openapi;
use crate::service::problem::Problem;
use crate::service::state::AppState;
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::correspondence::Command;
use serde::Deserialize;
use utoipa::ToSchema;

/// A key
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct KeySent {
    /// The public key, Ed25519, in the form NAME+ID+KEY
    vkey: String,
}

/// Registers a key that signs the player's plies from now on
///
/// Once, for this game. From then on each ply needs a `signature`, which the service cannot make.
#[utoipa::path(operation_id = "register_key_correspondence", tag = "correspondence", request_body = KeySent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/keys")]
pub(in crate::service) async fn register_key(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (KeySent { vkey }, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Register { vkey }).await
}

/// A commitment
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct CommitmentSent {
    /// The SHA-256 of the secret in UTF-8: 64 hexadecimal digits
    hash: String,
}

/// Commits to a secret: an army, a number for the lot, or the ply that is sealed at an adjournment
#[utoipa::path(operation_id = "commit_correspondence", tag = "correspondence", request_body = CommitmentSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/commit")]
pub(in crate::service) async fn commit(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (CommitmentSent { hash }, digest) = body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Commit { hash }).await
}

/// A secret
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct SecretSent {
    /// The secret, whose SHA-256 is the commitment
    value: String,
    /// Of a sealed ply of a player with a key: its signature
    #[serde(default)]
    signature: Option<String>,
}

/// Reveals a secret
///
/// Before the game once both players have committed; the sealed ply of an adjournment to resume the game.
#[utoipa::path(operation_id = "reveal_correspondence", tag = "correspondence", request_body = SecretSent,
    params(("id" = inline(openapi::Id), Path, description = "The id"), Change),
    responses((status = 201, description = "The game", body = Changed)))]
#[post("/correspondence/{id}/reveal")]
pub(in crate::service) async fn reveal(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (SecretSent { value, signature }, digest) =
        body::object_and_digest(&request, payload, &state.memory).await?;
    change(&request, &state, &id, digest, Command::Reveal { value, signature }).await
}
