//! `POST /api/v1/fix`: repairs records.

use super::validate::GAMES;
use super::{StyleOrAuto, given, letters, reading, switch};
use crate::service::json::Values;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, openapi, work};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::record::Record;
use ferz::replay::{Options, Replayer, Report, Source};
use ferz::rewrite::fix::{Change, Repair, chosen, fix_within, repair};
use ferz::text::Budget;
use ferz::text::decode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// Names of repairs, with commas: make only these
    #[serde(default, deserialize_with = "given")]
    only: Option<String>,
    /// Also make repairs that delete something, except those that decide a result or split a game
    #[serde(default, deserialize_with = "switch")]
    all: Option<bool>,
    /// The only accepted style, or `auto` for any
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::styles_or_auto)]
    style: Option<StyleOrAuto>,
    /// The game, overriding the tag `Variant`
    #[serde(default, deserialize_with = "given")]
    variant: Option<String>,
    /// Let illegal plies stand
    #[serde(default, deserialize_with = "switch")]
    let_stand: Option<bool>,
    /// Piece letters: a language's code or name, `en` for the game's own, or `auto` to detect
    #[serde(default, deserialize_with = "given")]
    language: Option<String>,
}

/// A change
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Changed<'a> {
    /// The name of the repair
    repair: &'static str,
    /// Line of the place in the body, from 1
    line: usize,
    /// Character in the line, from 1
    column: usize,
    /// The old text; empty for an insertion
    before: &'a str,
    /// The new text
    after: &'a str,
}

/// A repaired record
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Repaired<'a> {
    /// Its number in the body, from 0
    game: usize,
    /// The repaired text
    record: &'a str,
    changes: Vec<Changed<'a>>,
    /// Names of repairs that were not made, because they would change the game
    refused: Vec<&'static str>,
    /// The reports on what is left: of one game, or of several if the record was split
    #[schema(value_type = Vec<openapi::Report>)]
    reports: &'a [Report],
}

/// Repaired records, as objects or as texts.
struct Repairs {
    repairs: Vec<&'static Repair>,
    as_text: bool,
    values: Values,
    games: usize,
}

impl work::Task for Repairs {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let mut fixed = fix_within(replayer, record, source, &self.repairs, budget)?;
        fixed.reports.iter_mut().for_each(|report| report.set_game(number));
        let text = decode(&fixed.bytes);
        if self.as_text {
            self.values.answer().add(text.as_bytes())?;
        } else {
            let changes = fixed.changes.iter().map(|change| {
                let Change { repair, line, column, before, after, .. } = change;
                Changed { repair: repair.name, line: *line, column: *column, before, after }
            });
            self.values.add(&Repaired {
                game: number,
                record: &text,
                changes: changes.collect(),
                refused: fixed.refused.iter().map(|repair| repair.name).collect(),
                reports: &fixed.reports,
            })?;
        }
        self.games += 1;
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        self.values.answer()
    }
}

/// Repairs records and lists every change
///
/// Makes the repairs of `ferz fix` (formats/REPAIRS.md); every other byte of a record stays. `Accept:
/// application/x-chess-pgn` returns the repaired records alone, `Accept: application/x-ndjson` one object a record.
#[utoipa::path(operation_id = "fix_records", tag = "records", params(Query),
    request_body(description = "Records", content((String = "application/x-chess-pgn"), (String = "text/plain"),
        (openapi::Records = "application/json"))),
    responses((status = 200, description = "The repaired records, in order",
        headers(("ferz-games" = u64, description = "How many records; not with NDJSON")),
        content((Vec<Repaired<'static>> = "application/json"), (String = "application/x-chess-pgn"),
            (String = "application/x-ndjson")))))]
#[post("/fix")]
pub(in crate::service) async fn fix(
    request: HttpRequest,
    query: web::Query<Query>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(&state, query.style, query.variant.as_deref(), query.let_stand)?;
    let options = Options { language: letters(&state, query.language.as_deref())?, ..options };
    let only = query.only.as_deref().unwrap_or_default();
    let only: Vec<&'static Repair> = only
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(known)
        .collect::<Result<_, _>>()?;
    if !only.is_empty() && query.all == Some(true) {
        return Err(Problem::new(&problem::BAD_OPTION, "`only` and `all` exclude each other; omit one"));
    }
    let form = media::wanted(&request, &[media::JSON, media::NDJSON, media::PGN])?;
    let body = body::read(&request, payload, &state.memory, RECORDS_BYTES_MAX).await?;
    let repairs = chosen(&only, query.all == Some(true));
    let (as_text, values) = (form == media::PGN, Values::new(&state.memory, form));
    let task = Repairs { repairs, as_text, values, games: 0 };
    if form == media::NDJSON {
        return work::streamed(state, body, options, task, form).await;
    }
    let Repairs { values, games, .. } = work::whole(&state, body, options, task).await?;
    let mut response = answer::whole(form, values.end()?);
    response.headers_mut().insert(GAMES, games.into());
    Ok(response)
}

/// The repair of a name.
fn known(name: &str) -> Result<&'static Repair, Problem> {
    let unknown = || {
        let detail = format!("`{}` is no repair; formats/REPAIRS.md lists them", name.escape_debug());
        Problem::new(&problem::BAD_OPTION, detail)
    };
    repair(name).ok_or_else(unknown)
}
