//! `POST /api/v1/position`, `/moves` and `/claims`: a position of a game, its legal plies, the claims that are open.

use super::ReadQuery;
use crate::service::claims::{not_replayed, place};
use crate::service::json::json;
use crate::service::limits::SUBMIT_BYTES_MAX;
use crate::service::problem::{self, Place, Problem};
use crate::service::state::AppState;
use crate::service::subject::{Named, Position, Subject, in_record};
use crate::service::work::Unfinished;
use crate::service::{body, media, openapi};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::board::{Mask, Owner};
use ferz::judge::End;
use ferz::notation::{Style, write_alone};
use ferz::position::Position as AnyPosition;
use ferz::record::Record;
use ferz::replay::{Claimable, Replayer, Source, Trace, trace_within, with_trace};
use ferz::rules::RulesId;
use ferz::text::Budget;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position of a game: one of `record`, `id` and `position`
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Look {
    /// A record, in any style, or as JSON
    record: Option<String>,
    /// The number of the game in `record`, from 1
    game: Option<usize>,
    /// A game of the archive: its id, or the first digits of it
    id: Option<String>,
    /// A position, and plies from there
    position: Option<Position>,
    /// Definitions of games of the request's own, in TOML, parents first
    #[serde(default)]
    definitions: Vec<String>,
    /// The number of plies before the position; all without it
    ply: Option<usize>,
    /// The style of the plies of an answer; `coord` without it
    #[schema(inline, value_type = Option<openapi::StyleName>)]
    style: Option<Style>,
}

/// A position
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Seen {
    /// The rules
    #[schema(value_type = Object)]
    rules: Option<RulesId>,
    /// The number of plies before it
    ply: usize,
    /// The position as (extended) FEN
    fen: String,
    /// The player on move
    #[schema(value_type = String)]
    turn: Owner,
    /// True if the player on move is in check
    check: bool,
    /// The end of the game, if it had ended by then
    #[schema(value_type = Option<Object>)]
    end: Option<End>,
}

/// The legal plies of a position
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Moves {
    #[serde(flatten)]
    position: Seen,
    /// The legal plies of every actor who may act now, sorted bytewise; none once the game has ended
    plies: Vec<String>,
}

/// Claims that were open
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Open {
    /// Each claim at each number of plies where it was open, as in a report
    #[schema(value_type = Vec<Object>)]
    claimable: Vec<Claimable>,
}

/// Shows a position of a game
///
/// The position after `ply` plies of a record, of a game of the archive, or from a position.
#[utoipa::path(operation_id = "show_position", tag = "positions", params(ReadQuery), request_body = Look,
    responses((status = 200, description = "The position", body = Seen)))]
#[post("/position")]
pub(in crate::service) async fn show_position(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    look(&request, &query, &state, payload, Wanted::Position).await
}

/// Lists the legal plies of a position
///
/// The plies that `ferz moves` prints, of every actor who may act now.
#[utoipa::path(operation_id = "list_moves", tag = "positions", params(ReadQuery), request_body = Look,
    responses((status = 200, description = "The legal plies", body = Moves)))]
#[post("/moves")]
pub(in crate::service) async fn list_moves(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    look(&request, &query, &state, payload, Wanted::Moves).await
}

/// Lists the claims that were open
///
/// The `claimable` of the report: at every number of plies, or at `ply` alone.
#[utoipa::path(operation_id = "list_claims", tag = "claims", params(ReadQuery), request_body = Look,
    responses((status = 200, description = "The claims", body = Open)))]
#[post("/claims")]
pub(in crate::service) async fn list_claims(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    look(&request, &query, &state, payload, Wanted::Claims).await
}

/// What a request asks of a position.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Position,
    Moves,
    Claims,
}

async fn look(
    request: &HttpRequest,
    query: &ReadQuery,
    state: &AppState,
    payload: web::Payload,
    wanted: Wanted,
) -> Result<HttpResponse, Problem> {
    media::wanted(request, &[media::JSON])?;
    let (asked, _memory) = body::parts(request, payload, state, SUBMIT_BYTES_MAX).await?;
    let Look { record, game, id, position, definitions, ply, style }: Look = asked;
    let subject = Subject::of(state, query, Named { record, game, id, position, definitions }).await?;
    let style = style.unwrap_or(Style::Coord);
    let body =
        in_record((state, &state.judges), subject, state.judging, move |replayer, record, source, budget| {
            looked(replayer, (record, source), wanted, (ply, style), budget)
        });
    let body = body.await?;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([body, b"\n".to_vec()].concat()))
}

fn looked(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    wanted: Wanted,
    (ply, style): (Option<usize>, Style),
    budget: &Budget,
) -> Result<Vec<u8>, Unfinished> {
    let traced = trace_within(replayer, record, source, 0, budget)?;
    let traced = traced.map_err(|report| not_replayed(&report, place(record, source)))?;
    if traced.report().is_no_record() {
        return Err(not_replayed(traced.report(), place(record, source)).into());
    }
    Ok(with_trace!(&traced, |trace| at(trace, wanted, (ply, style)))?)
}

/// What is asked of the position after some plies of a game, as JSON.
fn at<M: Mask>(
    trace: &Trace<M>,
    wanted: Wanted,
    (asked, style): (Option<usize>, Style),
) -> Result<Vec<u8>, Problem> {
    let known = trace.plies.len();
    let ply = match (asked, &trace.report.illegal) {
        (Some(ply), _) if ply <= known => ply,
        (None, None) => known,
        (_, Some(illegal)) => {
            let (number, text) = (illegal.ply, &illegal.text);
            let detail = format!(
                "ply {number}, `{text}`, is {}: {} [{}]; with `ply` from 0 to {known} earlier positions are shown",
                trace.report.verdict, illegal.reason, illegal.rule
            );
            let place = Place {
                line: Some(illegal.line),
                column: Some(illegal.column),
                ply: Some(number),
                span: Some(illegal.span),
            };
            return Err(Problem::new(&problem::NO_POSITION, detail).at(place));
        }
        (Some(ply), None) => {
            let detail = format!("ply {ply}: the game has {known} plies; write a number from 0 to {known}");
            return Err(Problem::new(&problem::NO_POSITION, detail));
        }
    };
    if let Wanted::Claims = wanted {
        let open = trace.report.claimable.iter();
        let open = open.filter(|open| asked.is_none_or(|ply| open.draw.ply == ply));
        return json(&Open { claimable: open.cloned().collect() });
    }
    let (position, judge) = trace.at(ply);
    let seen = Seen {
        rules: trace.report.rules.as_deref().cloned(),
        ply,
        fen: position.fen(),
        turn: position.turn(),
        check: position.in_check(),
        end: judge.end_in(&position),
    };
    match wanted {
        Wanted::Moves if judge.is_over() => json(&Moves { position: seen, plies: Vec::new() }),
        Wanted::Moves => json(&Moves { position: seen, plies: listed(&position, style) }),
        _ => json(&seen),
    }
}

/// The legal plies, sorted bytewise.
fn listed<M: Mask>(position: &AnyPosition<M>, style: Style) -> Vec<String> {
    let mut plies: Vec<String> =
        position.plies().iter().map(|ply| write_alone(position, ply, style)).collect();
    plies.sort_unstable();
    plies
}
