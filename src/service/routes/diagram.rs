//! `GET /api/v1/games/{id}/diagram`: a diagram of a position.

use super::games::tagged;
use super::{given, number, switch};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{media, openapi};
use actix_web::{HttpRequest, HttpResponse, get, web};
use ferz::archive::{ArchiveError, Entry};
use ferz::board::{Mask, Owner};
use ferz::diagram::{Options, PieceSet, svg};
use ferz::record::read;
use ferz::replay::{Replayer, Source, Trace, trace_within, with_trace};
use ferz::rules::Registry;
use ferz::text::Budget;
use serde::Deserialize;
use utoipa::IntoParams;

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// The number of plies, 0 for the start; the number of an illegal ply marks the squares concerned. Default: after
    /// all legal plies
    #[serde(default, deserialize_with = "number")]
    #[param(maximum = 1_000_000)]
    ply: Option<usize>,
    /// The piece set; `impromptu` draws fairy pieces as players improvise them from chessmen and draughtsmen
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::piece_sets)]
    pieces: Option<PieceSet>,
    /// Draw Black's side below
    #[serde(default, deserialize_with = "switch")]
    flip: Option<bool>,
}

/// Draws a position of a game of the archive, as SVG
#[utoipa::path(operation_id = "get_diagram", tag = "games",
    params(("id" = inline(openapi::IdDigits), Path, description = "The id, or its first digits, at least 4"), Query),
    responses((status = 200, description = "The drawing", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Not modified")))]
#[get("/games/{id}/diagram")]
pub(in crate::service) async fn diagram(
    request: HttpRequest,
    id: web::Path<String>,
    query: web::Query<Query>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let media = media::wanted(&request, &[media::SVG])?;
    let id = state.game(&id).await?;
    let registry = state.registry;
    let found = state.read(move |archive| match (archive.get(id)?, archive.original(id)?) {
        (Some(entry), Some(text)) => {
            let book = archive.rulebook(&entry, &text, registry)?;
            Ok(Some((book, entry, text)))
        }
        _ => Ok(None),
    });
    let (book, entry, text) = found.await?.ok_or(ArchiveError::NoGame(id))?;
    let budget = state.budget();
    let own = budget.clone();
    let drawn =
        state.judges.run_within(&budget, state.judging, move || draw(&book, &entry, &text, &query, &own));
    let drawing = drawn.await?.map_err(|unfinished: Unfinished| unfinished.problem(&state))?;
    Ok(tagged(&request, media, drawing.into_bytes()))
}

fn draw(
    registry: &Registry,
    entry: &Entry,
    text: &[u8],
    query: &Query,
    budget: &Budget,
) -> Result<String, Unfinished> {
    let no_position = |detail: String| Problem::new(&problem::NO_POSITION, detail);
    let mut replayer = Replayer::new(registry, entry.options());
    let record = read(text, 0).next().ok_or_else(|| no_position("the text has no record".into()))?;
    let traced = trace_within(&mut replayer, &record, &Source::new(text, 0, 0), 0, budget)?
        .map_err(|_| no_position("the game could not be judged".into()))?;
    Ok(with_trace!(traced, |trace| position(&trace, query)).map_err(no_position)?)
}

fn position<M: Mask>(trace: &Trace<M>, query: &Query) -> Result<String, String> {
    let (plies, illegal) = (trace.plies.len(), trace.report.illegal.as_ref());
    let wanted = query.ply.unwrap_or(plies);
    let illegal = illegal.filter(|illegal| illegal.ply == wanted);
    if wanted > plies && illegal.is_none() {
        return Err(format!("ply={wanted}: the game has {plies} legal plies"));
    }
    let shown = wanted.min(plies);
    let board = trace.start.rules().board();
    let squares = illegal.iter().flat_map(|illegal| &illegal.squares);
    let options = Options {
        caption: illegal.map(|illegal| {
            format!("Ply {wanted}, {}, is illegal: {} [{}].", illegal.text, illegal.reason, illegal.rule)
        }),
        last: shown.checked_sub(1).and_then(|last| trace.plies.get(last)).map(|traced| traced.ply),
        marked: M::of(squares.filter_map(|name| board.parse_square(name))),
        pieces: query.pieces.unwrap_or_default(),
        seen_by: if query.flip == Some(true) { Owner::Black } else { Owner::White },
        ..Options::default()
    };
    Ok(svg(&trace.position(shown), &options))
}
