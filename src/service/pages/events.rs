//! The pages `/events`: the events of the archive, and the table of one with the games that wait.

use super::games::encoded;
use super::render::{self, EventPage, EventsPage};
use crate::service::problem::Problem;
use crate::service::routes::correspondence::now;
use crate::service::routes::tournaments::{events_seen, games_seen};
use crate::service::state::AppState;
use crate::tournament::{self, Due, EventGame, Score};
use actix_web::http::StatusCode;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, web};
use ferz::archive::{Access, CorrespondenceId};
use std::collections::HashMap;

/// An event of the list.
#[derive(Debug)]
pub struct ListedEvent {
    /// Its name.
    pub name: String,
    /// Its address.
    pub path: String,
    /// All its games.
    pub games: usize,
    /// Those that are not over.
    pub open: usize,
}

/// A game of an event.
#[derive(Debug)]
pub struct GameOf {
    /// The round.
    pub round: String,
    /// Who plays.
    pub players: String,
    /// The result, or how it stands.
    pub state: String,
    /// Where it is; empty if the viewer may not see it.
    pub path: String,
}

/// Lists the events of the archive.
#[get("/events")]
pub async fn list(request: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let access = request.extensions().get::<Access>().cloned();
    let events = events_seen(&state, access).await?;
    let items = events.into_iter().map(|(name, [games, open])| ListedEvent {
        path: format!("/events/{}", encoded(&name)),
        name,
        games,
        open,
    });
    render::page(&EventsPage { here: "/events", items: items.collect() })
}

/// Shows the table of an event, and its games.
#[get("/events/{name}")]
pub async fn table(
    request: HttpRequest,
    name: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let name = name.into_inner();
    let games = games_seen(&request, &state, &name).await?;
    // A large table takes time, which the thread of a connection does not have.
    let html = state.judges.run(move || {
        let now = now();
        let waiting = tournament::due(&games, now);
        let waiting: HashMap<_, _> = waiting.into_iter().map(|due| (due.id, due)).collect();
        render::html(&EventPage {
            here: "/events",
            table: tournament::of_page(&tournament::table(&name, &games, &[])),
            address: format!("/api/v1/tournaments/{}/table", encoded(&name)),
            games: games.iter().map(|game| game_of(game, &waiting, now)).collect(),
            name,
        })
    });
    Ok(render::answer(StatusCode::OK, html.await??))
}

fn game_of(game: &EventGame, waiting: &HashMap<CorrespondenceId, Due>, now: u64) -> GameOf {
    let due = game.played.as_ref().and_then(|played| waiting.get(&played.id));
    let path = match (&game.entry, &game.played) {
        (Some(entry), _) => format!("/games/{entry}"),
        (None, Some(played)) => format!("/play/{}", played.id),
        (None, None) => String::new(),
    };
    GameOf {
        round: game.pairing.round.clone(),
        players: format!("{} – {}", game.pairing.white, game.pairing.black),
        state: match (game.score, due) {
            (Score::White, _) => "1-0".to_owned(),
            (Score::Black, _) => "0-1".to_owned(),
            (Score::Draw, _) => "½-½".to_owned(),
            (Score::BothLose, _) => "0-0, both forfeit".to_owned(),
            (Score::Annulled, _) => "annulled".to_owned(),
            (Score::Open, Some(due)) if due.is_overdue(now) => {
                format!("{} is overdue", due.players.join(", "))
            }
            (Score::Open, Some(due)) => format!("waits for {}", due.players.join(", ")),
            (Score::Open, None) => "in progress".to_owned(),
        },
        path,
    }
}
