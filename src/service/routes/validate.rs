//! `POST /api/v1/validate`: judges records.

use super::{StyleOrAuto, given, letters, reading, switch};
use crate::service::json::Values;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::memory::Budgeted;
use crate::service::problem::Problem;
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, openapi, work};
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::record::Record;
use ferz::replay::{Options, Replayer, Source};
use ferz::text::Budget;
use serde::Deserialize;
use utoipa::IntoParams;

/// The number of games of an answer.
pub const GAMES: HeaderName = HeaderName::from_static("ferz-games");
/// The number of games for which `ferz validate` would exit with code 1.
pub const FINDINGS: HeaderName = HeaderName::from_static("ferz-findings");

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
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
    /// Count games with warnings as findings, and report deviations from the form of the notation as errors
    #[serde(default, deserialize_with = "switch")]
    strict: Option<bool>,
}

/// Reports as JSON.
struct Reports {
    values: Values,
    strict: bool,
    games: usize,
    findings: usize,
}

impl work::Task for Reports {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let report = replayer.report_within(record, source, number, budget)?;
        self.findings += usize::from(report.is_finding(self.strict));
        self.games += 1;
        Ok(self.values.add(&report)?)
    }

    fn answer(&mut self) -> &mut Budgeted {
        self.values.answer()
    }
}

/// Judges records: every ply by the rules of its game, the end, and the result
///
/// Returns an array with one report a game, as `ferz validate --format ndjson` prints it.
/// `Accept: application/x-ndjson` returns one a line, sent as they are produced.
#[utoipa::path(operation_id = "validate_records", tag = "records", params(Query),
    request_body(description = "Records", content((String = "application/x-chess-pgn"), (String = "text/plain"),
        (openapi::Records = "application/json"))),
    responses((status = 200, description = "The reports, in the order of the records",
        headers(("ferz-games" = u64, description = "How many games; not with NDJSON"),
            ("ferz-findings" = u64, description = "How many of them are findings; not with NDJSON")),
        content((Vec<openapi::Report> = "application/json"), (String = "application/x-ndjson")))))]
#[post("/validate")]
pub(in crate::service) async fn validate(
    request: HttpRequest,
    query: web::Query<Query>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(&state, query.style, query.variant.as_deref(), query.let_stand)?;
    let language = letters(&state, query.language.as_deref())?;
    let options = Options { strict: query.strict == Some(true), language, ..options };
    let form = media::wanted(&request, &[media::JSON, media::NDJSON])?;
    let body = body::read(&request, payload, &state.memory, RECORDS_BYTES_MAX).await?;
    let (values, strict) = (Values::new(&state.memory, form), query.strict == Some(true));
    let task = Reports { values, strict, games: 0, findings: 0 };
    if form == media::NDJSON {
        return work::streamed(state, body, options, task, form).await;
    }
    let Reports { values, games, findings, .. } = work::whole(&state, body, options, task).await?;
    let mut response = answer::whole(form, values.end()?);
    response.headers_mut().insert(GAMES, games.into());
    response.headers_mut().insert(FINDINGS, findings.into());
    Ok(response)
}
