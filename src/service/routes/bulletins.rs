//! `POST /api/v1/bulletins`: many games as one page for paper.

use super::validate::{FINDINGS, GAMES};
use super::{StyleOrAuto, given, letters, reading, switch};
use crate::bulletin::{Article, GameResult, Look, TITLE, diagrams, foot, head};
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::memory::Budgeted;
use crate::service::problem::Problem;
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, openapi, work};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::diagram::PieceSet;
use ferz::notation::Style;
use ferz::record::Record;
use ferz::replay::{Options, Replayer, Source};
use ferz::text::Budget;
use serde::Deserialize;
use std::num::NonZeroU16;
use utoipa::IntoParams;

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// Heading of the page
    #[serde(default, deserialize_with = "given")]
    title: Option<String>,
    /// Write the moves in this style; `san` by default
    #[serde(default, deserialize_with = "given")]
    #[param(inline, value_type = Option<openapi::StyleName>)]
    to: Option<Style>,
    /// Draw a diagram after so many plies too
    #[serde(default, deserialize_with = "given")]
    #[param(value_type = Option<u16>, minimum = 1)]
    every: Option<NonZeroU16>,
    /// Piece set
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::piece_sets)]
    pieces: Option<PieceSet>,
    /// The only accepted style, or `auto` for any
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::styles_or_auto)]
    style: Option<StyleOrAuto>,
    /// The game, overriding the tag `Variant`
    #[serde(default, deserialize_with = "given")]
    variant: Option<String>,
    /// Let illegal plies stand: report each, and continue from the position that resulted on the board
    #[serde(default, deserialize_with = "switch")]
    let_stand: Option<bool>,
    /// Piece letters: a language's code or name, `en` for the game's own, or `auto` to detect
    #[serde(default, deserialize_with = "given")]
    language: Option<String>,
}

/// The page so far.
struct Page {
    look: Look,
    answer: Budgeted,
    games: usize,
    findings: usize,
    results: Vec<GameResult>,
}

impl work::Task for Page {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let article = Article::new(&self.look, replayer, record, source, budget)?;
        let mut game = Budgeted::new(self.answer.memory());
        game.add(article.head(number).as_bytes())?;
        let mut write = |diagram: &str| Ok::<(), Unfinished>(game.add(diagram.as_bytes())?);
        diagrams(&self.look, replayer, record, source, budget, &mut write)?;
        game.add(Article::END.as_bytes())?;
        self.answer.add(game.as_ref())?;
        self.results.extend(article.result);
        self.games += 1;
        self.findings += usize::from(!article.is_legal);
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}

/// Writes games as a page for paper
///
/// Returns the page that `ferz bulletin` writes: each game with its verdict, its moves and diagrams. It has no scripts
/// and needs no other files; print it with a browser.
#[utoipa::path(operation_id = "write_bulletin", tag = "records", params(Query),
    request_body(description = "Records", content((String = "application/x-chess-pgn"), (String = "text/plain"),
        (openapi::Records = "application/json"))),
    responses((status = 200, description = "The page",
        headers(("ferz-games" = u64, description = "How many games"),
            ("ferz-findings" = u64, description = "How many of them are not legal")),
        content((String = "text/html")))))]
#[post("/bulletins")]
pub(in crate::service) async fn bulletin(
    request: HttpRequest,
    query: web::Query<Query>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(&state, query.style, query.variant.as_deref(), query.let_stand)?;
    let options = Options { language: letters(&state, query.language.as_deref())?, ..options };
    media::wanted(&request, &[media::HTML])?;
    let body = body::read(&request, payload, &state.memory, RECORDS_BYTES_MAX).await?;
    let look = Look {
        to: query.to.unwrap_or(Style::San),
        every: query.every.map(NonZeroU16::get),
        pieces: query.pieces.unwrap_or_default(),
    };
    let mut answer = Budgeted::new(&state.memory);
    answer.add(head(query.title.as_deref().unwrap_or(TITLE)).as_bytes())?;
    let task = Page { look, answer, games: 0, findings: 0, results: Vec::new() };
    let Page { mut answer, games, findings, results, .. } = work::whole(&state, body, options, task).await?;
    // Tables take time, which the thread of a connection does not have.
    let tables = state.judges.run(move || foot(&results)).await?;
    answer.add(tables.as_bytes())?;
    let mut response = answer::whole("text/html; charset=utf-8", answer);
    response.headers_mut().insert(GAMES, games.into());
    response.headers_mut().insert(FINDINGS, findings.into());
    Ok(response)
}
