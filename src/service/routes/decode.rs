//! `POST /api/v1/decode`: reads a damaged record by the rules.

use super::{letters, reading};
use crate::service::at_hand::AtHand;
use crate::service::json::json;
use crate::service::limits::{DECODED_READINGS, DECODED_READINGS_MAX, RECORDS_BYTES_MAX};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{body, media};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::decode::json::Answer;
use ferz::decode::{Cells, DecodeError, Decoded, Written, decode_written};
use ferz::record::read;
use ferz::replay::Options;
use ferz::text::Budget;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// What was written, on one sheet or two
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Damaged {
    /// A text with one game; either this or `cells`
    record: Option<String>,
    /// The guesses of a recogniser: `{"cells": [{"ply": 1, "alternatives": [["e4", 0.9]]}]}`
    #[schema(value_type = Option<Object>)]
    cells: Option<Box<RawValue>>,
    /// Another sheet of the same game: a text, or cells
    #[schema(value_type = Option<Object>)]
    sheet: Option<Box<RawValue>>,
    /// The game, overriding the tag `Variant`
    variant: Option<String>,
    /// Piece letters: a language's code or name, `en` for the game's own, or `auto` to detect
    language: Option<String>,
    /// Readings to return at most: from 1 to 32, 5 by default
    readings: Option<usize>,
    /// Units of work at most; the readings go as far as these suffice
    budget: Option<u64>,
    /// Definitions of games of the request's own, in TOML, parents first
    #[serde(default)]
    definitions: Vec<String>,
}

/// Reads a damaged record by the rules
///
/// Returns the object that `ferz decode --format json` prints: legal games that the text may mean, the likeliest first,
/// with each change and its cost, the plies in doubt, and the question that settles most (formats/DECODE.md). Without a
/// reading, `readings` is empty.
#[utoipa::path(operation_id = "decode_record", tag = "records", request_body = Damaged,
    responses((status = 200, description = "The readings", content((Object = "application/json")))))]
#[post("/decode")]
pub(in crate::service) async fn decode(
    request: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let (asked, memory) = body::parts::<Damaged>(&request, payload, &state, RECORDS_BYTES_MAX).await?;
    let options = reading(&state, None, asked.variant.as_deref(), None)?;
    let options = Options { language: letters(&state, asked.language.as_deref())?, ..options };
    let readings = asked.readings.unwrap_or(DECODED_READINGS);
    if !(1..=DECODED_READINGS_MAX).contains(&readings) {
        let detail = format!("`readings` must be between 1 and {DECODED_READINGS_MAX}");
        return Err(Problem::new(&problem::BAD_OPTION, detail));
    }
    let (budget, at_hand) = (state.budget(), AtHand::new(&state));
    let (own, shared) = (budget.clone(), state.clone());
    let decoded = state.provers.run_within(&budget, state.judging, move || {
        let answer = answer(&shared, at_hand, &asked, (options, readings), &own);
        drop(memory);
        answer
    });
    let body = decoded.await?.map_err(|unfinished| unfinished.problem(&state))?;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([body, b"\n".to_vec()].concat()))
}

fn answer(
    state: &AppState,
    at_hand: AtHand,
    asked: &Damaged,
    (options, readings): (Options, usize),
    budget: &Budget,
) -> Result<Vec<u8>, Unfinished> {
    let limited = asked.budget.map(|units| Budget::of(units).within(budget));
    let budget = limited.as_ref().unwrap_or(budget);
    let first = match (&asked.record, &asked.cells) {
        (Some(record), None) => Written::Text(record.clone()),
        (None, Some(cells)) => Written::Cells(cells_of(cells)?),
        _ => return Err(wrong("give either `record` or `cells`").into()),
    };
    let second = asked.sheet.as_deref().map(sheet_of).transpose()?;
    let all: Vec<&Written> = std::iter::once(&first).chain(&second).collect();
    let text = Written::naming(&all).map(Written::record).unwrap_or_default();
    let Some(record) = read(text.as_bytes(), 0).next() else { return Err(wrong("`record` is empty").into()) };
    let mut replayer = state.replayer.with_options(options);
    let decoded = at_hand.with(&asked.definitions)?.work(&mut replayer, &record, |replayer| {
        Ok(decode_written(replayer, &all, &ferz::decode::Options::default(), budget))
    })?;
    let decoded = match decoded {
        Ok(decoded) => decoded,
        Err(DecodeError::Nothing) => Decoded::nothing(),
        Err(error @ DecodeError::Game(_)) => {
            return Err(Problem::new(&problem::NOT_REPLAYED, error.to_string()).into());
        }
        Err(error @ DecodeError::TooLong(_)) => {
            return Err(Problem::new(&problem::TOO_MUCH_WORK, error.to_string()).into());
        }
        Err(error) => return Err(wrong(&error.to_string()).into()),
    };
    Ok(json(&Answer::new(&decoded, 0, readings))?)
}

fn wrong(detail: &str) -> Problem {
    Problem::new(&problem::WRONG_SHAPE, detail)
}

fn cells_of(json: &RawValue) -> Result<Cells, Problem> {
    Cells::read(json.get().as_bytes()).map_err(|error| wrong(&error.to_string()))
}

/// A text, or cells.
fn sheet_of(json: &RawValue) -> Result<Written, Problem> {
    match serde_json::from_str(json.get()) {
        Ok(text) => Ok(Written::Text(text)),
        Err(_) => Ok(Written::Cells(cells_of(json)?)),
    }
}
