//! The pages `/play`: the games of the holder of a token, and the table where one of them is played. A ply is typed,
//! chosen from a list, or, with the script, made on the board.

use super::film;
use super::form::Choices;
use super::links::{Links, Step};
use super::page_records::seen_by;
use super::posted::Posted;
use super::render::{self, Opened, PlayPage, PlayTable};
use super::view::GameView;
use crate::service::body;
use crate::service::limits::LISTED_MAX;
use crate::service::problem::{self, Problem};
use crate::service::routes::correspondence::changes::role;
use crate::service::routes::correspondence::{access, acted, look, now};
use crate::service::state::AppState;
use crate::wish::{self, Wish};
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::archive::{Access, Act, ActError, Archive, Correspondence, from_hex, to_hex};
use ferz::board::Owner;
use ferz::clock;
use ferz::correspondence::{Command, State, Status};
use ferz::judge::ClaimableDraw;
use ferz::notation::Style;
use ferz::record::read;
use ferz::replay::{Options, Played, Replayer, Source, summary};
use ferz::text::{Exhausted, Timestamp};
use std::sync::{Arc, OnceLock};

/// Bytes of the form of a table.
const FORM_BYTES_MAX: usize = 16 << 10;

/// What a player sees and can do at the table, beside the board.
#[derive(Debug, Default)]
pub struct Turn {
    /// The head of the game, which an act names.
    pub head: String,
    /// Why the last act was refused.
    pub refused: Option<String>,
    /// What was typed, if it was refused.
    pub typed: String,
    /// Whose turn it is, in a sentence.
    pub status: String,
    /// True if the viewer is to act.
    pub is_mine: bool,
    /// The terms to accept, a line each; empty once they are accepted.
    pub terms: Vec<String>,
    /// The clocks, a line each.
    pub clocks: Vec<String>,
    /// What is offered.
    pub offer: Option<String>,
    /// True if the viewer can answer the offer, or the claim.
    pub can_answer: bool,
    /// True if the viewer is a player of a game that is not over.
    pub plays: bool,
    /// True if the viewer is Nature.
    pub is_nature: bool,
    /// The claims that the viewer may make now: name and words.
    pub claims: Vec<(String, String)>,
    /// The legal plies of the viewer: in coordinate notation, and as they are written.
    pub legal: Vec<(String, String)>,
    /// The number of the last event in the log, after which the script listens.
    pub last: u64,
    /// The entry of the archive that the game became.
    pub entry: Option<String>,
}

/// A game of a list.
#[derive(Debug)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Its players.
    pub players: String,
    /// Event and round.
    pub event: String,
    /// The name of the game.
    pub variant: String,
    /// The number of plies.
    pub plies: usize,
    /// How it stands, in words.
    pub status: String,
    /// True if the viewer is to act.
    pub is_mine: bool,
}

/// Lists the games of the holder of the token.
#[get("/play")]
pub async fn list(request: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let access = access(&request)?;
    let (registry, policies) = (state.registry, Arc::clone(&state.policies));
    let person = access.holder.clone();
    let found = state.read(move |archive| {
        let mut items = Vec::new();
        for (_, id) in archive.correspondences(Some(&person), None, None, LISTED_MAX)? {
            let Ok(game) = archive.correspondence(id, (registry, &policies)) else { continue };
            items.push(listed(&game, &person));
        }
        // Those that wait for the viewer come first; within them the latest.
        items.sort_by_key(|item| !item.is_mine);
        Ok(items)
    });
    render::page(&PlayPage { here: "/play", holder: access.holder.clone(), items: found.await? })
}

fn listed(game: &Correspondence, person: &str) -> Listed {
    let (state, terms) = (&game.state, &game.state.setting().terms);
    let tag = |name: &str| terms.tags.get(name).cloned().unwrap_or_default();
    let round = Some(tag("Round")).filter(|round| !round.is_empty()).map(|round| format!(", round {round}"));
    let is_mine = terms.players.played_by(person).any(|player| state.waits_for(player));
    Listed {
        id: game.id.to_string(),
        players: format!("{} – {}", terms.players.white, terms.players.black),
        event: tag("Event") + &round.unwrap_or_default(),
        variant: terms.variant.clone(),
        plies: state.plies().len(),
        status: status_of(state, is_mine),
        is_mine,
    }
}

/// How a game stands, in a sentence without a full stop.
fn status_of(state: &State, is_mine: bool) -> String {
    let names =
        |players: &[Owner]| players.iter().map(|player| player.name()).collect::<Vec<_>>().join(" and ");
    match (state.status(), state.end()) {
        (Status::AwaitingAcceptance, _) if is_mine => "It begins once you accept the terms".to_owned(),
        (Status::AwaitingAcceptance, _) => "It begins once the others accept the terms".to_owned(),
        (Status::Disputed, _) => "Disputed: a claim waits for an answer or a ruling".to_owned(),
        (_, Some(end)) => format!("Over: {} by {}", end.result.as_str(), end.cause.replace('_', " ")),
        _ if is_mine => "It is your turn".to_owned(),
        _ => format!("{} is to act", names(&state.to_act())),
    }
}

/// The moment of the game, and the side at the bottom, of a query.
struct Moment {
    step: Option<Step>,
    from_black: Option<bool>,
}

impl Moment {
    fn of(query: &[(String, String)]) -> Moment {
        let side = query.iter().find(|(name, _)| name == "side");
        Moment {
            step: query.iter().rev().find_map(|(name, value)| Step::read(name, value)),
            from_black: side.map(|(_, value)| value == "black"),
        }
    }
}

/// Shows the table of a game.
#[get("/play/{id}")]
pub async fn table(
    request: HttpRequest,
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
    id: web::Path<String>,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let moment = Moment::of(&query.into_inner());
    shown(&state, &choices, access(&request)?, &id, moment, None).await
}

/// The positions of a game, for the script.
#[get("/play/{id}/positions")]
pub async fn positions(
    request: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let access = access(&request)?;
    let from_black = Moment::of(&query.into_inner()).from_black.unwrap_or_default();
    let registry = state.registry;
    let pgn = move |game: &Correspondence| game.pgn(registry).map_err(acted);
    let text: String = look(&state, access, &id, pgn).await?;
    let budget = state.budget();
    let own = budget.clone();
    let boards = state.judges.run_within(&budget, state.judging, move || {
        let mut replayer = Replayer::new(registry, Options::default());
        film::boards_of_text(&mut replayer, text.as_bytes(), seen_by(from_black), &own).map_err(too_long)
    });
    film::answer(&state, boards.await??, Links::Page { path: format!("/play/{id}"), from_black }).await
}

fn too_long(_: Exhausted) -> Problem {
    Problem::new(&problem::TOO_MUCH_WORK, "the game has too many plies")
}

/// Does what a form of the table says.
#[post("/play/{id}")]
pub async fn send(
    request: HttpRequest,
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let access = access(&request)?;
    let bytes = body::raw(&request, payload, &state.memory, FORM_BYTES_MAX).await?;
    let posted = Posted::read(&request, bytes).await?;
    let asked = posted.table;
    let (holder, registry) = (access.clone(), state.registry);
    let wanted = asked.clone();
    let command = look(&state, access.clone(), &id, move |game| {
        let by = role(&holder, game)?;
        let wish = if wanted.wish.is_empty() || wanted.wish == "ply" { &wanted.ply } else { &wanted.wish };
        let read = wish::read(wish, &game.state.position(), by)
            .map(|read| read.unwrap_or_else(|| Wish::Ply { text: wish.clone(), offers_draw: false }));
        Ok((game.id, by, read.map(|wish| with_draw(wish, wanted.draw).command(&game.state, by, None))))
    });
    let (game, by, command) = command.await?;
    let refused = match command {
        Err(why) => why,
        Ok(command) => {
            let head = from_hex(&asked.head).unwrap_or_default();
            let by_token = Some(access.id());
            // Whatever the others have done meanwhile, these mean the same.
            let is_the_same = matches!(command, Command::Accept { .. } | Command::Resign);
            let wanted = Act { id: game, head, by: Some(by), command, token: by_token, request: None };
            let policies = Arc::clone(&state.policies);
            let act = move |archive: &Archive| match archive.act(wanted.clone(), (registry, &policies)) {
                Err(ActError::Stale(head)) if is_the_same => {
                    archive.act(Act { head, ..wanted }, (registry, &policies))
                }
                acted => acted,
            };
            match state.write(act).await? {
                Ok(_) => {
                    let address = format!("/play/{id}");
                    return Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, address)).finish());
                }
                Err(ActError::Stale(_)) => {
                    "something has happened in the game since; look, and act again".to_owned()
                }
                Err(ActError::Refused(refused)) => refused.explained(),
                Err(error) => return Err(acted(error)),
            }
        }
    };
    let moment = Moment { step: None, from_black: posted.from_black.then_some(true) };
    shown(&state, &choices, access, &id, moment, Some((refused, asked.ply))).await
}

fn with_draw(wish: Wish, draw: bool) -> Wish {
    match wish {
        Wish::Ply { text, offers_draw } => Wish::Ply { text, offers_draw: offers_draw || draw },
        other => other,
    }
}

/// The table as a page, after an act that was refused with what was typed.
async fn shown(
    state: &AppState,
    choices: &OnceLock<Choices>,
    access: Access,
    id: &str,
    moment: Moment,
    refused: Option<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let registry = state.registry;
    let holder = access.clone();
    let (text, turn, from_black) = look(state, access, id, move |game| {
        let player = game.state.setting().terms.players.played_by(&holder.holder).next();
        let turn = turn_of(game, &holder);
        Ok((game.pgn(registry).map_err(acted)?, turn, player == Some(Owner::Black)))
    })
    .await?;
    let from_black = moment.from_black.unwrap_or(from_black);
    let ply = moment.step.map(|step| step.ply);
    let focus = moment.step.map_or("", |step| step.button);
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let (why, typed) = refused.map_or((None, String::new()), |(why, typed)| (Some(why), typed));
    let turn = Turn { refused: why, typed, ..turn };
    let budget = state.budget();
    let own = budget.clone();
    let path = format!("/play/{id}");
    let styles = choices.get_or_init(|| Choices::of(state.registry)).styles.clone();
    let html = state.judges.run_within(&budget, state.judging, move || {
        let none = || Problem::new(&problem::INTERNAL, "the game has no record");
        let record = read(text.as_bytes(), 0).next().ok_or_else(none)?;
        let source = Source::new(text.as_bytes(), 0, 0);
        let mut replayer = Replayer::new(registry, Options::default());
        let traced = Played::within(&mut replayer, &record, &source, 0, &own).map_err(too_long)?;
        let traced = traced.as_ref().map_err(|report| &**report);
        let game = GameView::new(&record, &source, traced, (ply, seen_by(from_black)));
        let links = Links::Page { path, from_black };
        let opened = Opened { game, links, converted: None, chosen: "san", focus, turn: Some(turn) };
        render::html(&PlayTable { here: "/play", opened, styles: &styles })
    });
    Ok(render::answer(status, html.await??))
}

/// What the holder of a token sees and can do in a game.
fn turn_of(game: &Correspondence, access: &Access) -> Turn {
    let (state, terms) = (&game.state, &game.state.setting().terms);
    let own: Vec<Owner> = terms.players.played_by(&access.holder).collect();
    let player = own.iter().find(|player| state.waits_for(**player)).or(own.first()).copied();
    let is_mine = player.is_some_and(|player| state.waits_for(player));
    let is_open = !matches!(state.status(), Status::Ended | Status::Annulled);
    let accepts = state.status() == Status::AwaitingAcceptance && is_mine;
    let offer = state.offer().filter(|_| state.status() == Status::Running);
    let answers = player.is_some_and(|player| state.is_offered(player));
    Turn {
        head: to_hex(&game.head()),
        status: status_of(state, is_mine),
        is_mine,
        terms: if accepts { terms_of(state) } else { Vec::new() },
        clocks: clocks_of(state),
        offer: offer.map(|offer| format!("{} offers {}", offer.by.name(), offer.offer)),
        can_answer: answers || state.status() == Status::Disputed && is_mine,
        plays: player.is_some() && is_open,
        is_nature: player == Some(Owner::Nature),
        claims: claims_of(state, player),
        legal: player.filter(|_| is_mine).map_or_else(Vec::new, |player| legal_of(state, player)),
        last: game.acts.last().map_or(0, |act| act.number),
        entry: game.entry.map(|entry| entry.to_string()),
        ..Turn::default()
    }
}

fn terms_of(state: &State) -> Vec<String> {
    let terms = &state.setting().terms;
    let mut lines = vec![
        format!("Game: {}, rules {} of {}", terms.variant, terms.rules.name, terms.rules.edition),
        format!("Clock: {}; remedies: {}", terms.clock.name, terms.policy.name),
    ];
    lines.extend(terms.tags.iter().map(|(name, value)| format!("{name}: {value}")));
    lines
}

fn clocks_of(state: &State) -> Vec<String> {
    let Some(clocks) = state.clocks(now()) else { return Vec::new() };
    let mut lines = Vec::new();
    for (player, left) in Owner::REAL.into_iter().zip(clocks.left) {
        lines.extend(left.map(|left| format!("{}: {}", player.name(), clock::in_words(left))));
    }
    let running = clocks.running.and_then(|running| Some((running.by, running.deadline?)));
    lines.extend(running.map(|(by, deadline)| {
        format!("{}’s time is up at {}", by.name(), Timestamp::of_milliseconds(deadline).to_minutes())
    }));
    lines
}

fn claims_of(state: &State, player: Option<Owner>) -> Vec<(String, String)> {
    let own = |claim: &&ClaimableDraw| Some(claim.by) == player;
    let open = state.claimable();
    let named = |claim: &ClaimableDraw| (format!("claim {}", claim.kind.id()), summary::claim(claim));
    open.iter().filter(own).map(named).collect()
}

/// The legal plies of a player, by coordinate notation.
fn legal_of(state: &State, player: Owner) -> Vec<(String, String)> {
    if state.status() != Status::Running {
        return Vec::new();
    }
    let position = state.position();
    let plies = position.plies();
    let own = plies.iter().filter(|ply| ply.actor == player);
    let mut legal: Vec<(String, String)> = own
        .filter_map(|ply| {
            let coord = position.write(ply, Style::Coord).ok()?;
            let san = position.write(ply, Style::San).unwrap_or_else(|_| coord.clone());
            Some((coord, san))
        })
        .collect();
    legal.sort_by(|one, other| one.1.cmp(&other.1));
    legal
}
