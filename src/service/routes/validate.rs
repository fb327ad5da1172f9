//! `POST /api/v1/validate`: judges records.

use super::{StyleOrAuto, given, letters, reading, switch};
use crate::record::Record;
use crate::replay::{Options, Replayer, Source};
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, openapi, work};
use crate::text::Budget;
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, post, web};
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
    /// Let illegal plies stand: report each, and continue from the position that resulted on the board (formerly
    /// `stood`, still accepted)
    #[serde(default, deserialize_with = "switch", alias = "stood")]
    let_stand: Option<bool>,
    /// Piece letters: a language's code or name, `en` for the game's own, or `auto` to detect
    #[serde(default, deserialize_with = "given")]
    language: Option<String>,
    /// Count games with warnings as findings, and report deviations from the form of the notation as errors
    #[serde(default, deserialize_with = "switch")]
    strict: Option<bool>,
}

/// Reports as JSON, in lines or an array.
struct Reports {
    answer: Budgeted,
    lines: bool,
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
        if !self.lines {
            self.answer.add(if self.games == 0 { b"[" } else { b",\n" })?;
        }
        self.games += 1;
        self.answer.add(&json(&report)?)?;
        if self.lines {
            self.answer.add(b"\n")?;
        }
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}

/// Serializes a value as JSON.
///
/// # Errors
/// Only for maps with keys that are not strings; the service has none.
pub(in crate::service) fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, Problem> {
    // Most reports fit.
    let mut text = Vec::with_capacity(1 << 10);
    let written = serde_json::to_writer(&mut text, value);
    written.map(|()| text).map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))
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
    let (lines, strict) = (form == media::NDJSON, query.strict == Some(true));
    let task = Reports { answer: Budgeted::new(&state.memory), lines, strict, games: 0, findings: 0 };
    if lines {
        return work::streamed(state, body, options, task, form).await;
    }
    let Reports { mut answer, games, findings, .. } = work::whole(&state, body, options, task).await?;
    answer.add(if games == 0 { b"[]\n" } else { b"]\n" })?;
    let mut response = answer::whole(form, answer);
    response.headers_mut().insert(GAMES, games.into());
    response.headers_mut().insert(FINDINGS, findings.into());
    Ok(response)
}
