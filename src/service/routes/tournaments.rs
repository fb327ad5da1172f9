//! `/api/v1/tournaments`: events of games that are played or kept here.

use super::correspondence::{access, acted, may_see, now};
use super::given;
use crate::service::body;
use crate::service::in_progress::time;
use crate::service::json::json;
use crate::service::limits::{ADOPTED_BYTES_MAX, EVENT_GAMES_MAX};
use crate::service::media;
use crate::service::openapi;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::tournament::{self, EventGame, Pairing, Plan, Planned, Table, TieBreak, round_robin};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, get, post, web};
use ferz::archive::{Access, ActError};
use ferz::correspondence::{State, Visibility};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// An event to be created
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct NewTournament {
    /// Its name, for the tag `Event`
    name: String,
    /// The name of the game, mutators first
    variant: String,
    /// The policy for clocks; `untimed` without it
    #[serde(default)]
    clock: Option<String>,
    /// The policy for remedies; `plain` without it
    #[serde(default)]
    policy: Option<String>,
    /// The third player, in games that have one
    #[serde(default)]
    nature: Option<String>,
    /// True to let the lot decide for Nature instead
    #[serde(default)]
    nature_by_lot: bool,
    /// The visibility of its games: `players` (and arbiters), or `public`
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    visibility: Option<Visibility>,
    /// The players
    players: Vec<Entrant>,
    /// The games; without them everyone meets everyone
    #[serde(default)]
    pairings: Option<Vec<GameToPlay>>,
}

/// A player of an event
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Entrant {
    /// The name: that of the holder of a token
    name: String,
    /// Not kept: `ferz archive event remind` reads addresses from a list of its own
    #[serde(default, rename = "email")]
    _email: Option<String>,
}

/// A game of an event
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct GameToPlay {
    /// The round
    #[schema(value_type = String)]
    round: Round,
    /// White
    white: String,
    /// Black
    black: String,
    /// The id of a game that was created; null if it was there before
    #[serde(skip_deserializing)]
    #[schema(value_type = Option<openapi::Id>, read_only)]
    id: Option<String>,
}

/// A round, written as a text or as a number.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Round {
    Text(String),
    Number(u32),
}

impl Round {
    fn text(self) -> String {
        match self {
            Round::Text(text) => text,
            Round::Number(number) => number.to_string(),
        }
    }
}

/// An event that was created
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Tournament {
    /// Its name
    name: String,
    /// Its games
    games: Vec<GameToPlay>,
}

/// Creates an event
///
/// For a director. Games of it that are there already are left as they are, so that the request can be repeated.
#[utoipa::path(operation_id = "create_tournament", tag = "correspondence", request_body = NewTournament,
    responses((status = 201, description = "Its games", body = Tournament)))]
#[post("/tournaments")]
pub(in crate::service) async fn create(
    request: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let access = access(&request)?;
    let (wanted, _): (NewTournament, _) =
        body::large_object_and_digest(&request, payload, &state, ADOPTED_BYTES_MAX).await?;
    let plan = plan(wanted)?;
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let made = state.write(move |archive| {
        let mut made = Tournament { name: plan.event.clone(), games: Vec::new() };
        let mut done = |Planned { pairing: Pairing { round, white, black }, id }: Planned| {
            let id = id.map(|id| id.to_string());
            made.games.push(GameToPlay { round: Round::Text(round), white, black, id });
        };
        let by = access.id();
        tournament::create(archive, (registry, &*policies), &plan, Some(&by), &mut done)?;
        Ok::<_, ActError>(made)
    });
    let body = json(&made.await?.map_err(acted)?)?;
    Ok(HttpResponse::Created().content_type(media::JSON).body(body))
}

/// What is to be created, after its lists were checked.
fn plan(wanted: NewTournament) -> Result<Plan, Problem> {
    let NewTournament { name, variant, clock, policy, nature, nature_by_lot, visibility, players, pairings } =
        wanted;
    let wrong = |detail: String| Problem::new(&problem::BAD_TERMS, detail);
    let names: Vec<String> = players.into_iter().map(|player| player.name).collect();
    let mut sorted = names.clone();
    sorted.sort();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(wrong(format!("`{}` is twice in the list of players", twice[0].escape_debug())));
    }
    // Refused before the list is made: a round robin grows with the square of its players.
    let count = pairings.as_ref().map_or(names.len() * names.len().saturating_sub(1) / 2, Vec::len);
    if count == 0 || count > EVENT_GAMES_MAX || name.trim().is_empty() {
        return Err(wrong(format!(
            "an event has a name and from 1 to {EVENT_GAMES_MAX} games; this one has {count}"
        )));
    }
    let pairings = match pairings {
        None => round_robin(&names, false),
        Some(pairings) => {
            let pairing = |GameToPlay { round, white, black, .. }: GameToPlay| {
                let pairing = Pairing { round: round.text(), white, black };
                pairing.check(&names).map_err(wrong).map(|()| pairing)
            };
            pairings.into_iter().map(pairing).collect::<Result<_, _>>()?
        }
    };
    Ok(Plan {
        event: name,
        variant,
        clock,
        policy,
        nature,
        nature_by_lot,
        visibility: visibility.unwrap_or_default(),
        pairings,
        ..Plan::default()
    })
}

/// Query parameters of the table.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct TableQuery {
    /// Tie-breaks in their order, with commas: `direct`, `sb`, `buchholz`, `buchholz-1`, `koya`, `wins`
    #[serde(default, deserialize_with = "given")]
    tie_breaks: Option<String>,
}

/// The table of an event
///
/// Of the games of the archive with its name in the tag `Event`, and of those that are played here, as far as the
/// caller may see them. As JSON, text, CSV or a page for paper, by the header Accept.
#[utoipa::path(operation_id = "get_tournament_table", tag = "correspondence",
    params(("name" = String, Path, description = "The event"), TableQuery),
    responses((status = 200, description = "The table", content((Object = "application/json"),
        (String = "text/plain"), (String = "text/csv"), (String = "text/html")))))]
#[get("/tournaments/{name}/table")]
pub(in crate::service) async fn table(
    request: HttpRequest,
    name: web::Path<String>,
    query: web::Query<TableQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let form = media::wanted(&request, &[media::JSON, media::TEXT, media::CSV, media::HTML])?;
    let wrong = |detail: String| Problem::new(&problem::BAD_OPTION, detail);
    let tie_breaks =
        query.tie_breaks.as_deref().unwrap_or_default().split(',').filter(|name| !name.is_empty());
    let tie_breaks: Vec<TieBreak> =
        tie_breaks.map(|name| name.trim().parse().map_err(wrong)).collect::<Result<_, _>>()?;
    let event = name.into_inner();
    let games = games_seen(&request, &state, &event).await?;
    // A large table takes time, which the thread of a connection does not have.
    let made = state.judges.run(move || {
        let table: Table = tournament::table(&event, &games, &tie_breaks);
        Ok::<_, Problem>(match form {
            media::TEXT => ("text/plain; charset=utf-8", tournament::text(&table).into_bytes()),
            media::CSV => ("text/csv; charset=utf-8", tournament::csv(&table).map_err(wrong)?.into_bytes()),
            media::HTML => ("text/html; charset=utf-8", tournament::html(&table).into_bytes()),
            form => (form, [json(&table)?, b"\n".to_vec()].concat()),
        })
    });
    let (form, body) = made.await??;
    Ok(HttpResponse::Ok().content_type(form).body(body))
}

/// The games of an event that wait
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct DueGames {
    /// The most urgent first
    items: Vec<DueGame>,
}

/// A game that waits
#[derive(Serialize, ToSchema)]
struct DueGame {
    /// The game
    #[schema(value_type = openapi::Id)]
    id: String,
    /// The round
    round: String,
    /// White
    white: String,
    /// Black
    black: String,
    /// `awaiting-acceptance` or `running`
    status: &'static str,
    /// The names of those who may act
    to_act: Vec<String>,
    /// The time since which it waits; null before it begins
    since: Option<String>,
    /// The time at which it is too late; null without clocks
    deadline: Option<String>,
    /// True if it is too late
    overdue: bool,
}

/// The games of an event that wait for a player
///
/// The most urgent first, as far as the caller may see them.
#[utoipa::path(operation_id = "list_tournament_due", tag = "correspondence",
    params(("name" = String, Path, description = "The event")),
    responses((status = 200, description = "The games", body = DueGames)))]
#[get("/tournaments/{name}/due")]
pub(in crate::service) async fn due(
    request: HttpRequest,
    name: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let games = games_seen(&request, &state, &name.into_inner()).await?;
    let now = now();
    let items = tournament::due(&games, now).into_iter().map(|due| {
        let overdue = due.is_overdue(now);
        let Pairing { round, white, black } = due.pairing;
        DueGame {
            id: due.id.to_string(),
            round,
            white,
            black,
            status: due.status.name(),
            to_act: due.players,
            since: due.since.map(time),
            deadline: due.deadline.map(time),
            overdue,
        }
    });
    let body = json(&DueGames { items: items.collect() })?;
    Ok(HttpResponse::Ok().content_type(media::JSON).body(body))
}

/// All events of games that the caller may see, each with its games and those among them that are not over.
///
/// # Errors
/// If the archive cannot be read in time.
pub(in crate::service) async fn events_seen(
    state: &AppState,
    access: Option<Access>,
) -> Result<BTreeMap<String, [usize; 2]>, Problem> {
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let sees = move |state: &State| sees(access.as_ref(), state);
    state.read(move |archive| tournament::events(archive, (registry, &*policies), &sees)).await
}

/// True if the caller may see a game that is played here.
fn sees(access: Option<&Access>, state: &State) -> bool {
    let terms = &state.setting().terms;
    access.map_or(terms.visibility == Visibility::Public, |access| may_see(access, terms))
}

/// The games of an event that the caller may see.
pub(in crate::service) async fn games_seen(
    request: &HttpRequest,
    state: &AppState,
    event: &str,
) -> Result<Vec<EventGame>, Problem> {
    let access = request.extensions().get::<Access>().cloned();
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let wanted = event.to_owned();
    let found = state.read(move |archive| {
        tournament::games(archive, (registry, &*policies), &wanted, &|state| sees(access.as_ref(), state))
    });
    let games = found.await?;
    match games.is_empty() {
        true => Err(Problem::new(
            &problem::GAME_NOT_FOUND,
            format!("no game has the event `{}`", event.escape_debug()),
        )),
        false => Ok(games),
    }
}
