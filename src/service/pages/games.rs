//! The pages of the archive: search, and a single game.

use super::check::file;
use super::film;
use super::form::{Choices, Group};
use super::links::{Links, Step};
use super::page_records::{ConvertedView, Download, converted, seen_by};
use super::posted;
use super::render::{self, Archived, Found, GamesPage, Opened};
use super::view::{Board, GameView};
use crate::service::archived::ArchivedGame;
use crate::service::limits::GAMES_PER_PAGE;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::{Task, Unfinished};
use actix_web::{HttpResponse, get, web};
use ferz::archive::{Filter, FoundGame, Listing, Rulebook, Summary};
use ferz::notation::Style;
use ferz::record::read;
use ferz::replay::{Played, Replayer, Source};
use ferz::text::{Budget, Exhausted};
use serde::Deserialize;
use std::sync::OnceLock;

/// A search; empty fields are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// White, Black or Nature.
    pub player: String,
    /// Event.
    pub event: String,
    /// The game.
    pub variant: String,
    /// The result of the record.
    pub result: String,
    /// `true`, `false`, or empty for either.
    pub valid: String,
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
    /// What must be so in some position of the game.
    pub q: String,
    /// The cursor of the page.
    pub cursor: String,
}

impl Asked {
    /// True if any field is set.
    pub fn any(&self) -> bool {
        let Asked { player, event, variant, result, valid, from, to, q, cursor: _ } = self;
        [player, event, variant, result, valid, from, to, q].iter().any(|field| !field.trim().is_empty())
    }

    fn filter(&self) -> Filter {
        let given = |field: &String| Some(field.trim().to_owned()).filter(|field| !field.is_empty());
        Filter {
            player: given(&self.player),
            event: given(&self.event),
            variant: given(&self.variant),
            result: given(&self.result),
            valid: given(&self.valid).map(|valid| valid == "true"),
            from: given(&self.from),
            to: given(&self.to),
            withdrawn: Some(false),
            continued: Some(false),
            ..Filter::default()
        }
    }

    /// The address of the page at a cursor.
    fn path(&self, cursor: &str) -> String {
        let Asked { player, event, variant, result, valid, from, to, q, cursor: _ } = self;
        let fields = [
            ("player", player.as_str()),
            ("event", event),
            ("variant", variant),
            ("result", result),
            ("valid", valid),
            ("from", from),
            ("to", to),
            ("q", q),
            ("cursor", cursor),
        ];
        let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let given: Vec<String> = given.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if given.is_empty() { "/games".to_owned() } else { format!("/games?{}", given.join("&")) }
    }
}

/// Percent-encodes a value for an address.
pub(super) fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let one = |byte: u8| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(one).collect()
}

/// Searches the archive.
#[get("/games")]
pub async fn find(
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
    query: web::Query<Asked>,
) -> Result<HttpResponse, Problem> {
    let asked = query.into_inner();
    let (filter, cursor) = (asked.filter(), asked.cursor.clone());
    let cursor = Some(cursor).filter(|cursor| !cursor.is_empty());
    let (items, next_cursor) = if asked.q.trim().is_empty() {
        let Listing { items, next_cursor } = state.list(filter, GAMES_PER_PAGE, cursor).await?;
        (items.iter().map(found_game).collect(), next_cursor)
    } else {
        let found = state.search(filter, &asked.q, GAMES_PER_PAGE, cursor).await?;
        (found.items.iter().map(hit_game).collect(), found.next_cursor)
    };
    let counts = state.read(|archive| archive.counts()).await?;
    let variants: &[Group] = &choices.get_or_init(|| Choices::of(state.registry)).variants;
    let next = next_cursor.map(|cursor| asked.path(&cursor));
    let (on_later_page, first) = (!asked.cursor.is_empty(), asked.path(""));
    render::page(&GamesPage { here: "/games", variants, items, next, on_later_page, first, counts, asked })
}

/// An entry as a row of the list.
fn found_game(summary: &Summary) -> Found {
    let known = |text: &str| if matches!(text, "?" | "-") { String::new() } else { text.to_owned() };
    let third = summary.nature.as_ref().map_or_else(String::new, |name| format!(" – {name} (Nature)"));
    Found {
        id: summary.id.to_string(),
        players: match (known(&summary.white), known(&summary.black)) {
            (white, black) if white.is_empty() && black.is_empty() => "unnamed players".to_owned(),
            _ => format!("{} – {}{third}", summary.white, summary.black),
        },
        event: known(&summary.event),
        date: summary.date.clone(),
        variant: summary.variant.clone(),
        own_rules: summary.own_rules,
        valid: summary.valid,
        judged: summary.judged,
        plies: summary.plies,
        end: summary.end.as_deref().unwrap_or_default().replace('_', " "),
        result: summary.result.clone(),
        hits: Vec::new(),
        more_hits: 0,
    }
}

/// An entry in which a query holds, with its positions.
fn hit_game(game: &FoundGame) -> Found {
    let hits = game.hits.iter().copied().zip(game.hit_moves.iter().cloned()).collect();
    Found { hits, more_hits: game.hits.len() - game.hit_moves.len(), ..found_game(&game.summary) }
}

/// Shows a game of the archive.
#[get("/games/{id}")]
pub async fn open(
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
    id: web::Path<String>,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let query = query.into_inner();
    let step = query.iter().rev().find_map(|(name, value)| Step::read(name, value));
    let from_black = query.iter().any(|(name, value)| name == "side" && value == "black");
    let to = query.iter().find(|(name, _)| name == "to").map_or(Ok(None), |(_, to)| posted::style(to))?;
    let archived = ArchivedGame::find(&state, &id).await?;
    let own_id = archived.entry.summary.id;
    let related = state.read(move |archive| archive.related(own_id)).await?;
    let ArchivedGame { entry, book, .. } = &archived;
    let path = format!("/games/{own_id}");
    let rules = entry.rules.as_ref().map(|rules| &rules.id);
    let other_rules = rules.filter(|_| matches!(book, Rulebook::Stored(_))).cloned();
    let budget = state.budget();
    let own = budget.clone();
    let shown = state.judges.run_within(&budget, state.judging, move || {
        let shown =
            show(&mut archived.replayer(), &archived.text, (step.map(|step| step.ply), from_black), to, &own);
        shown.map(|shown| (shown, archived.entry))
    });
    let (shown, entry) = shown.await?.map_err(|_| state.exhausted())?;
    let (game, converted) =
        shown.ok_or_else(|| Problem::new(&problem::INTERNAL, "the archived text holds no game"))?;
    let chosen = converted.as_ref().map_or("san", |converted| converted.style);
    let focus = step.map_or("", |step| step.button);
    let opened =
        Opened { game, links: Links::Page { path, from_black }, converted, chosen, focus, turn: None };
    render::page(&Archived {
        here: "",
        opened,
        styles: &choices.get_or_init(|| Choices::of(state.registry)).styles,
        other_rules,
        added: entry.summary.added.clone(),
        id: entry.summary.id.to_string(),
        continued_by: entry.summary.continued_by.map(|id| id.to_string()),
        withdrawn: entry.summary.withdrawn,
        arrivals: entry.arrivals,
        related: related.iter().map(found_game).collect(),
    })
}

/// All positions of a game of the archive, with its address.
///
/// # Errors
/// If there is no such game, or the time ends before the work.
pub(super) async fn of_archive(
    state: &AppState,
    id: &str,
    from_black: bool,
) -> Result<(String, Vec<Board>), Problem> {
    let archived = ArchivedGame::find(state, id).await?;
    let path = format!("/games/{}", archived.entry.summary.id);
    let budget = state.budget();
    let own = budget.clone();
    let boards = state.judges.run_within(&budget, state.judging, move || {
        film::boards_of_text(&mut archived.replayer(), &archived.text, seen_by(from_black), &own)
    });
    Ok((path, boards.await?.map_err(|_: Exhausted| state.exhausted())?))
}

/// The game of a text, and its conversion if a style is given.
fn show(
    replayer: &mut Replayer<'_>,
    text: &[u8],
    (ply, from_black): (Option<usize>, bool),
    to: Option<Style>,
    budget: &Budget,
) -> Result<Option<(GameView, Option<ConvertedView>)>, Exhausted> {
    let Some(record) = read(text, 0).next() else { return Ok(None) };
    let source = Source::new(text, 0, 0);
    let played = Played::within(replayer, &record, &source, 0, budget)?;
    let game = GameView::new(
        &record,
        &source,
        played.as_ref().map_err(|report| &**report),
        (ply, seen_by(from_black)),
    );
    let converted = to.map(|to| converted(replayer, &record, &source, 0, to, budget)).transpose()?;
    Ok(Some((game, converted)))
}

/// Query parameters of a game's file.
#[derive(Debug, Deserialize)]
pub struct FileQuery {
    /// The style; SAN by default.
    to: Option<String>,
}

/// Sends a game of the archive as a file.
#[get("/games/{id}/record")]
pub async fn send(
    state: web::Data<AppState>,
    id: web::Path<String>,
    query: web::Query<FileQuery>,
) -> Result<HttpResponse, Problem> {
    let to = posted::style(query.to.as_deref().unwrap_or_default())?;
    let archived = ArchivedGame::find(&state, &id).await?;
    let (id, memory) = (archived.entry.summary.id.to_string(), state.memory.clone());
    let budget = state.budget();
    let own = budget.clone();
    let written = state.judges.run_within(&budget, state.judging, move || {
        let source = Source::new(&archived.text, 0, 0);
        let mut download = Download::new(to.unwrap_or(Style::San), None, &memory);
        download.archived = true;
        match read(&archived.text, 0).next() {
            Some(record) => {
                download.record(&mut archived.replayer(), &record, &source, 0, &own).map(|()| download)
            }
            None => Err(Problem::new(&problem::INTERNAL, "the archived text holds no game").into()),
        }
    });
    let written = written.await?.map_err(|unfinished: Unfinished| unfinished.problem(&state))?;
    let style = to.unwrap_or(Style::San);
    Ok(file(&format!("{}-{style}.pgn", &id[..12]), written))
}
