//! `/api/v1/correspondence`: games that are played here. This file creates and shows them, [`changes`] has what players
//! and arbiters do in them.

pub mod changes;
pub mod disputes;
mod refusals;
pub mod secrets;

use super::{given, number, switch};
use crate::service::body;
use crate::service::in_progress::{Happened, InProgress, none};
use crate::service::json::json;
use crate::service::limits::{ADOPTED_BYTES_MAX, LISTED_MAX};
use crate::service::media;
use crate::service::openapi;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::http::header::{ETag, EntityTag, HeaderMap};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, get, post, web};
use ferz::archive::{
    Access, ActError, Acted, Archive, ArchiveError, Correspondence, CorrespondenceId, RequestKey, Scope,
    to_hex,
};
use ferz::correspondence::{Players, Proposal, Status, Terms, Visibility};
pub(in crate::service) use refusals::acted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::{IntoParams, ToSchema};

/// A game to be played: of a name and players, or of the record of a game under way
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct NewGame {
    /// The record of a game under way, which is continued here once its players have accepted its plies and clocks. Its
    /// tags say the game and the players
    #[serde(default)]
    record: Option<String>,
    /// The name of the game, mutators first
    #[serde(default)]
    variant: Option<String>,
    /// Tags of its record, of which some choose rules: `NatureRules`, `WhiteArmy`, `FEN`
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// The players: the holders of their tokens
    #[serde(default)]
    players: Option<PlayersNamed>,
    /// True to let the lot decide for Nature, in a game that has a third player: from a seed to which the terms commit
    #[serde(default)]
    nature_by_lot: bool,
    /// True to hash a secret number of each player into the lot
    #[serde(default)]
    nonces: bool,
    /// The policy for clocks; `untimed` without it
    #[serde(default)]
    clock: Option<String>,
    /// The policy for remedies; `plain` without it
    #[serde(default)]
    policy: Option<String>,
    /// Its visibility: `players` (and arbiters), or `public`
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    visibility: Option<Visibility>,
}

/// The players
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct PlayersNamed {
    /// White
    white: String,
    /// Black
    black: String,
    /// Nature, in games that have a third player
    #[serde(default)]
    nature: Option<String>,
}

/// A game that was created
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct CreatedGame {
    /// The id
    #[schema(value_type = openapi::Id)]
    id: String,
    /// The head
    head: String,
    /// The game
    state: InProgress,
    /// The proof that the creation is in the log
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
}

/// Query parameters of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct ListQuery {
    /// Whose games; the caller's without it, and all that an arbiter may see
    #[serde(default, deserialize_with = "given")]
    player: Option<String>,
    /// Only games in which the player, or the caller, is to act
    #[serde(default, deserialize_with = "switch")]
    to_act: Option<bool>,
    /// Only games of this status: `awaiting-acceptance`, `running`, `disputed`, `ended`, `annulled`
    #[serde(default, deserialize_with = "given")]
    #[param(value_type = Option<String>)]
    status: Option<StatusName>,
    /// At most so many games, from 1 to 100
    #[serde(default, deserialize_with = "number")]
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Where the last page ended: its `next`
    #[serde(default, deserialize_with = "number")]
    before: Option<usize>,
}

/// A status by its name.
#[derive(Debug, Clone, Copy)]
struct StatusName(Status);

impl FromStr for StatusName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<StatusName, &'static str> {
        let found = Status::ALL.into_iter().find(|status| status.name() == text);
        found
            .map(StatusName)
            .ok_or("write `awaiting-acceptance`, `running`, `disputed`, `ended` or `annulled`")
    }
}

/// Games in progress
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Games {
    /// The games, latest first
    items: Vec<InProgress>,
    /// `before` of the next page; null if there is none
    next: Option<i64>,
}

/// Creates a game
///
/// For a director. The game begins once all its players have accepted its terms.
#[utoipa::path(operation_id = "create_correspondence", tag = "correspondence", request_body = NewGame,
    params(("idempotency-key" = Option<String>, Header,
        description = "Sent again with it, the request has no second effect")),
    responses((status = 201, description = "The game", body = CreatedGame)))]
#[post("/correspondence")]
pub(in crate::service) async fn create(
    request: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let access = access(&request)?;
    let (wanted, digest): (NewGame, _) =
        body::large_object_and_digest(&request, payload, &state, ADOPTED_BYTES_MAX).await?;
    let nature_by_lot = wanted.nature_by_lot;
    let proposal = proposal(&state, wanted).await?;
    let key = request_key(&request, digest)?;
    let _in_flight = state.in_flight.enter(&access, key.as_ref())?;
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let made = state.write(move |archive| {
        let (by, books) = ((Some(access.id()), key), (registry, &*policies));
        let proposed = match nature_by_lot {
            true => archive.create_by_lot(proposal, by, books),
            false => archive.create_correspondence(proposal, by, books),
        };
        let made = proposed.map_err(acted)?;
        let receipt = receipt(archive, &made)?;
        let (id, head) = (made.game.id.to_string(), to_hex(&made.game.head()));
        let created = CreatedGame {
            id: id.clone(),
            head: head.clone(),
            state: shown(&made.game, &access.holder),
            receipt,
        };
        Ok::<_, Problem>((id, head, json(&created)?))
    });
    let (id, head, body) = made.await??;
    let location = format!("/api/v1/correspondence/{id}");
    let mut response = HttpResponse::Created();
    response.insert_header(("location", location)).insert_header(tag(head));
    Ok(response.content_type(media::JSON).body(body))
}

/// The game that a request proposes.
async fn proposal(state: &AppState, wanted: NewGame) -> Result<Proposal, Problem> {
    let NewGame { record, variant, tags, players, nonces, clock, policy, visibility, .. } = wanted;
    let (policy, visibility) = (policy, visibility.unwrap_or_default());
    let shape = |detail: &str| Problem::new(&problem::WRONG_SHAPE, detail);
    match (record, variant, players) {
        (Some(record), None, None) if tags.is_empty() => {
            let budget = state.budget();
            let mut replayer = state.replayer.with_options(state.replayer.options().clone());
            let policies = Arc::clone(&state.policies);
            let work = budget.clone();
            let read = state.judges.run_within(&budget, state.judging, move || {
                Proposal::of_record(&record, clock.as_deref(), &mut replayer, &policies, &work)
            });
            let adopted = read.await?.map_err(|error| acted(error.into()))?;
            Ok(Proposal { nonces, policy, visibility, ..adopted })
        }
        (Some(_), ..) => {
            Err(shape("a `record` says the game, its players and its tags itself; leave these out"))
        }
        (None, Some(variant), Some(PlayersNamed { white, black, nature })) => {
            let players = Players { white, black, nature };
            Ok(Proposal {
                adopted: None,
                clock,
                nonces,
                players,
                policy,
                seed: None,
                tags,
                variant,
                visibility,
            })
        }
        (None, ..) => Err(shape("write `variant` and `players`, or a `record`")),
    }
}

/// Lists games in progress
///
/// Those of the caller, latest first; an arbiter may ask for anyone's.
#[utoipa::path(operation_id = "list_correspondence", tag = "correspondence", params(ListQuery),
    responses((status = 200, description = "The games", body = Games)))]
#[get("/correspondence")]
pub(in crate::service) async fn list(
    request: HttpRequest,
    query: web::Query<ListQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let access = access(&request)?;
    let ListQuery { player, to_act, status, limit, before } = query.into_inner();
    let rules = access.allows(Scope::Arbiter);
    let person = match (player, rules) {
        (Some(player), _) => Some(player),
        (None, true) if to_act != Some(true) => None,
        (None, _) => Some(access.holder.clone()),
    };
    let limit = limit.unwrap_or(LISTED_MAX).clamp(1, LISTED_MAX);
    let before = before.and_then(|before| i64::try_from(before).ok());
    let status =
        status.map(|StatusName(status)| status).or((to_act == Some(true)).then_some(Status::Running));
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let found = state.read(move |archive| {
        let ids = archive.correspondences(person.as_deref(), status, before, limit)?;
        let next = if ids.len() == limit { ids.last().map(|(number, _)| *number) } else { None };
        let mut items = Vec::new();
        for (_, id) in ids {
            // One that cannot be read hides no other; asked for by its id it says why.
            let Ok(game) = archive.correspondence(id, (registry, &policies)) else { continue };
            let acts = |name: &str| {
                let mut played = game.state.setting().terms.players.played_by(name);
                played.any(|player| game.state.to_act().contains(&player))
            };
            let is_wanted = to_act != Some(true) || person.as_deref().is_some_and(acts);
            if is_wanted && may_see(&access, &game.state.setting().terms) {
                items.push(shown(&game, &access.holder));
            }
        }
        Ok(Games { items, next })
    });
    let body = json(&found.await?)?;
    Ok(HttpResponse::Ok().content_type(media::JSON).body(body))
}

/// One game in progress
///
/// As JSON, or as PGN by the header Accept.
#[utoipa::path(operation_id = "get_correspondence", tag = "correspondence",
    params(("id" = inline(openapi::Id), Path, description = "The id")),
    responses((status = 200, description = "The game",
        content((InProgress = "application/json"), (String = "application/x-chess-pgn")),
        headers(("etag" = String, description = "The head, in quotation marks")))))]
#[get("/correspondence/{id}")]
pub(in crate::service) async fn get(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let form = media::wanted(&request, &[media::JSON, media::PGN])?;
    let access = access(&request)?;
    let registry = state.registry;
    let (head, body) = look(&state, access.clone(), &id, move |game| {
        let body = match form {
            media::PGN => game.pgn(registry).map_err(acted)?.into_bytes(),
            _ => json(&shown(game, &access.holder))?,
        };
        Ok((to_hex(&game.head()), body))
    })
    .await?;
    Ok(HttpResponse::Ok().insert_header(tag(head)).content_type(form).body(body))
}

/// Query parameters of the events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct EventsQuery {
    /// Only events after the one with this number
    #[serde(default, deserialize_with = "number")]
    after: Option<usize>,
}

/// What happened in a game
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Events {
    /// The events, in order
    items: Vec<Happened>,
    /// `after` of the next request
    next: Option<u64>,
}

/// What happened in a game
///
/// As JSON, or one event a line by the header Accept.
#[utoipa::path(operation_id = "list_correspondence_events", tag = "correspondence",
    params(("id" = inline(openapi::Id), Path, description = "The id"), EventsQuery),
    responses((status = 200, description = "The events",
        content((Events = "application/json"), (Happened = "application/x-ndjson")))))]
#[get("/correspondence/{id}/events")]
pub(in crate::service) async fn events(
    request: HttpRequest,
    id: web::Path<String>,
    query: web::Query<EventsQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let form = media::wanted(&request, &[media::JSON, media::NDJSON])?;
    let after = query.after.map(|after| after as u64);
    let (head, body) = look(&state, access(&request)?, &id, move |game| {
        let all = (0..).zip(&game.acts).filter(|(sequence, _)| after.is_none_or(|after| *sequence > after));
        let items = all.map(|(sequence, act)| Happened::of(sequence, act));
        let body = match form {
            media::NDJSON => {
                let lines: Result<Vec<_>, Problem> =
                    items.map(|item| Ok([json(&item)?, b"\n".to_vec()].concat())).collect();
                lines?.concat()
            }
            _ => {
                let next = (game.acts.len() as u64).checked_sub(1);
                json(&Events { items: items.collect(), next })?
            }
        };
        Ok((to_hex(&game.head()), body))
    })
    .await?;
    Ok(HttpResponse::Ok().insert_header(tag(head)).content_type(form).body(body))
}

/// One game in progress with its proof, in one file that `ferz verify` checks without the archive
///
/// Every event with its place in the signed log, and the rules: from them the game follows.
#[utoipa::path(operation_id = "get_correspondence_bundle", tag = "correspondence",
    params(("id" = inline(openapi::Id), Path, description = "The id")),
    responses((status = 200, description = "The bundle", body = Object)))]
#[get("/correspondence/{id}/bundle")]
pub(in crate::service) async fn bundle(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let (id, head) = look(&state, access(&request)?, &id, |game| Ok((game.id, to_hex(&game.head())))).await?;
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let found = state.read(move |archive| Ok(archive.played_bundle(id, (registry, &policies))));
    let bundle = found.await?.map_err(acted)?.ok_or_else(|| none(&id))?;
    Ok(HttpResponse::Ok().insert_header(tag(head)).content_type(media::JSON).body(bundle.to_string()))
}

/// The token of a request. Only holders of tokens play.
pub(in crate::service) fn access(request: &HttpRequest) -> Result<Access, Problem> {
    let access = request.extensions().get::<Access>().cloned();
    access.ok_or_else(|| {
        Problem::new(&problem::NO_PLAYERS, "the service has no tokens, so that it does not know who plays")
    })
}

/// True if the holder of a token may see a game.
pub(in crate::service) fn may_see(access: &Access, terms: &Terms) -> bool {
    terms.visibility == Visibility::Public
        || access.allows(Scope::Arbiter)
        || terms.players.played_by(&access.holder).next().is_some()
}

/// Looks at a game that the holder of a token may see. Replaying it costs time, which the thread of a connection does
/// not have.
pub(in crate::service) async fn look<T: Send + 'static>(
    state: &AppState,
    access: Access,
    id: &str,
    look: impl FnOnce(&Correspondence) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let wanted: CorrespondenceId = id.parse().map_err(|_| none(&id.escape_debug()))?;
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let found = state.read(move |archive| {
        Ok(match archive.correspondence(wanted, (registry, &policies)) {
            Ok(game) if may_see(&access, &game.state.setting().terms) => look(&game),
            Ok(_) | Err(ActError::None(_)) => Err(none(&wanted)),
            // Who played it is no longer known.
            Err(ActError::Archive(ArchiveError::Forgotten(_))) if !access.allows(Scope::Arbiter) => {
                Err(none(&wanted))
            }
            Err(error) => Err(acted(error)),
        })
    });
    found.await?
}

/// A game as it is now for a person.
fn shown(game: &Correspondence, person: &str) -> InProgress {
    InProgress::of(game, person, now())
}

/// The key of a request, if it has one.
fn request_key(request: &HttpRequest, digest: [u8; 32]) -> Result<Option<RequestKey>, Problem> {
    let Some(key) = header(request.headers(), "idempotency-key") else { return Ok(None) };
    if key.is_empty() || key.len() > KEY_BYTES_MAX {
        let detail = format!("`Idempotency-Key` has 1 to {KEY_BYTES_MAX} bytes");
        return Err(Problem::new(&problem::BAD_REQUEST, detail));
    }
    Ok(Some(RequestKey { key: key.to_owned(), digest }))
}

/// Bytes of the longest key of a request.
const KEY_BYTES_MAX: usize = 200;

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The receipt of a change; of a request that was sent again under the present head.
fn receipt(archive: &Archive, acted: &Acted) -> Result<Option<String>, Problem> {
    if let Some(logged) = &acted.logged {
        return Ok(Some(logged.receipt().to_string()));
    }
    let first = usize::try_from(acted.sequence).unwrap_or(usize::MAX);
    let Some(act) = acted.game.acts.get(first) else { return Ok(None) };
    Ok(archive.receipt(act.number)?.map(|receipt| receipt.to_string()))
}

/// The head of a game as the tag of its content.
fn tag(head: String) -> ETag {
    ETag(EntityTag::new_strong(head))
}

/// Milliseconds since 1970.
pub(in crate::service) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
