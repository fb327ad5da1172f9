//! What happens in the games that are played here: as pages, and as it happens (Server-Sent Events).

use super::correspondence::{access, may_see};
use super::number;
use crate::service::answer::{Parts, paced};
use crate::service::in_progress::Happened;
use crate::service::json::json;
use crate::service::limits::{FEED_EVENTS_MAX, FEED_FOR, FEED_LOOK_EVERY, FEED_SILENCE};
use crate::service::listeners::Listener;
use crate::service::media;
use crate::service::openapi;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, web};
use ferz::archive::Access;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::time::{Instant, timeout};
use utoipa::{IntoParams, ToSchema};

const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Query parameters of the feed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct FeedQuery {
    /// Only events after the one with this number in the log
    #[serde(default, deserialize_with = "number")]
    after: Option<usize>,
    /// At most so many events are looked at, from 1 to 500
    #[serde(default, deserialize_with = "number")]
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
}

/// Something that happened in a game
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct InGame {
    /// The game
    #[schema(value_type = openapi::Id)]
    game: String,
    /// The event
    #[serde(flatten)]
    happened: Happened,
}

/// What happened in games
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Feed {
    /// The events, in the order of the log
    items: Vec<InGame>,
    /// `after` of the next request; null if nothing has happened yet
    next: Option<u64>,
}

/// What happens in all games that the caller may see
///
/// As JSON, one event a line, or as Server-Sent Events by the header Accept: these continue with what happens next, for
/// ten minutes; a client that connects again with `Last-Event-ID` misses nothing.
#[utoipa::path(operation_id = "list_events", tag = "correspondence",
    params(FeedQuery, ("last-event-id" = Option<String>, Header,
        description = "`after`, as clients of Server-Sent Events send it")),
    responses((status = 200, description = "The events",
        content((Feed = "application/json"), (InGame = "application/x-ndjson"), (String = "text/event-stream")))))]
#[get("/events")]
pub(in crate::service) async fn list(
    request: HttpRequest,
    query: web::Query<FeedQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let form = media::wanted(&request, &[media::JSON, media::NDJSON, media::EVENTS])?;
    let access = access(&request)?;
    let after = match request.headers().get("last-event-id") {
        Some(id) => {
            let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
            let wrong = || Problem::new(&problem::BAD_REQUEST, "`Last-Event-ID` is the number of an event");
            Some(number.ok_or_else(wrong)?)
        }
        None => query.after.map(|after| after as u64),
    };
    let limit = query.limit.unwrap_or(FEED_EVENTS_MAX).clamp(1, FEED_EVENTS_MAX);
    if form == media::EVENTS {
        let listener = state.listeners.enter(access.id().event)?;
        let (parts, mut response) = paced(media::EVENTS);
        // A proxy that collects answers would keep the events back.
        response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
        actix_web::rt::spawn(listen(state, access, after, listener, parts));
        return Ok(response);
    }
    let feed = read(&state, access, after, limit).await?;
    let body = match form {
        media::NDJSON => {
            let lines = feed.items.iter().map(|item| Ok([json(item)?, b"\n".to_vec()].concat()));
            lines.collect::<Result<Vec<_>, Problem>>()?.concat()
        }
        _ => json(&feed)?,
    };
    Ok(HttpResponse::Ok().content_type(form).body(body))
}

/// The events after a number, in games that the holder of a token may see.
async fn read(state: &AppState, access: Access, after: Option<u64>, limit: usize) -> Result<Feed, Problem> {
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let found = state.read(move |archive| {
        let sees = |state: &ferz::correspondence::State| may_see(&access, &state.setting().terms);
        archive.feed(after, limit, (registry, &policies), &sees)
    });
    let feed = found.await?;
    let items = feed.items.iter().map(|(game, sequence, act)| InGame {
        game: game.id.to_string(),
        happened: Happened::of(*sequence, act),
    });
    Ok(Feed { items: items.collect(), next: feed.last })
}

/// Sends events as they happen, until the client is gone or has listened for long enough.
async fn listen(
    state: web::Data<AppState>,
    access: Access,
    mut after: Option<u64>,
    mut listener: Listener,
    parts: Parts,
) {
    let end = Instant::now() + FEED_FOR;
    // The client reconnects at once.
    if !parts.line("retry: 1000\n").await {
        return;
    }
    let (mut is_news, mut spoke) = (true, Instant::now());
    while Instant::now() < end && !state.is_stopping() {
        while is_news {
            let Ok(feed) = read(&state, access.clone(), after, FEED_EVENTS_MAX).await else { return };
            for item in &feed.items {
                let Ok(data) = serde_json::to_string(item) else { return };
                let (id, kind) = (item.happened.event(), item.happened.kind());
                if !parts.line(&format!("id: {id}\nevent: {kind}\ndata: {data}\n")).await {
                    return;
                }
                spoke = Instant::now();
            }
            is_news = feed.next != after;
            after = feed.next;
        }
        tokio::select! {
            () = parts.closed() => return,
            grown = timeout(FEED_LOOK_EVERY, listener.grown()) => is_news = grown.is_ok(),
        }
        if spoke.elapsed() >= FEED_SILENCE {
            // A comment shows that the service is there, and whether the client is.
            if !parts.line(":\n").await {
                return;
            }
            spoke = Instant::now();
        }
    }
    parts.end().await;
}
