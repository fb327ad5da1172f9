//! `POST /api/v1/convert`: records in another style of notation.

use super::validate::{FINDINGS, GAMES, json};
use super::{reading, switch};
use crate::notation::{Style, WriteChoices};
use crate::record::Record;
use crate::replay::{ConvertOptions, Located, Replayer, Source, convert as convert_record};
use crate::service::desk::Desk;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::problem::{self, Problem};
use crate::service::room::Held;
use crate::service::{answer, body, media, work};
use crate::text::Severity;
use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// The style to write
    to: String,
    /// The only style that is read, or `auto` for any
    style: Option<String>,
    /// The game, whatever the tag `Variant` says
    variant: Option<String>,
    /// The sign of gating and drops in style iago: one of & @ / ^
    sign: Option<String>,
    /// Writes `oo1.....` for the numbers of Nature's turns
    #[serde(default, deserialize_with = "switch")]
    #[param(value_type = bool)]
    ascii: bool,
}

/// The form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// All records in one text, and all losses.
    Json,
    /// One object a record.
    Lines,
    /// The records alone.
    Pgn,
}

/// One line of the NDJSON form, as `ferz convert --format ndjson` prints it.
#[derive(Serialize)]
struct Line<'a> {
    game: usize,
    record: &'a str,
    losses: &'a [Located],
    legal: bool,
}

/// A loss with the number of its game.
#[derive(Serialize)]
struct Loss<'a> {
    game: usize,
    #[serde(flatten)]
    loss: &'a Located,
}

/// Converted records.
struct Records {
    options: ConvertOptions,
    form: Form,
    /// Lines; or the records as they are; or the records as the inside of a JSON string.
    answer: Held,
    /// The inside of a JSON array.
    losses: Held,
    games: usize,
    findings: usize,
}

impl work::Task for Records {
    fn record(
        &mut self,
        replayer: &mut Replayer<'static>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
    ) -> Result<(), Problem> {
        let converted = convert_record(replayer, record, source, number, &self.options);
        let legal = converted.report.legal;
        let lost = converted.losses.iter().any(|loss| loss.severity == Severity::Error);
        self.games += 1;
        self.findings += usize::from(!legal || lost);
        match self.form {
            Form::Pgn => self.answer.add(converted.text.as_bytes()),
            Form::Lines => {
                let (record, losses) = (converted.text.as_str(), &converted.losses[..]);
                self.answer.add(&json(&Line { game: number, record, losses, legal })?)?;
                self.answer.add(b"\n")
            }
            Form::Json => {
                for loss in &converted.losses {
                    self.losses.add(if self.losses.is_empty() { b"" } else { b"," })?;
                    self.losses.add(&json(&Loss { game: number, loss })?)?;
                }
                let text = json(&converted.text)?;
                self.answer.add(&text[1..text.len() - 1])
            }
        }
    }

    fn answer(&mut self) -> &mut Held {
        &mut self.answer
    }
}

/// Writes records in another style of notation
///
/// Answers with the records and with what the style cannot express or what cannot be kept; with
/// `Accept: application/x-chess-pgn` with the records alone, with `Accept: application/x-ndjson` with one object a
/// record, as `ferz convert --format ndjson` prints it.
#[utoipa::path(operation_id = "convert_records", tag = "records", params(Query))]
#[post("/convert")]
pub(in crate::service) async fn convert(
    request: HttpRequest,
    query: web::Query<Query>,
    desk: web::Data<Desk>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(desk.registry, query.style.as_deref(), query.variant.as_deref())?;
    let choices = ConvertOptions {
        to: style(&query.to)?,
        choices: WriteChoices { sign: sign(query.sign.as_deref())? },
        ascii: query.ascii,
    };
    let media = media::wanted(&request, &[media::JSON, media::NDJSON, media::PGN])?;
    let body = body::read(&request, payload, &desk.room, RECORDS_BYTES_MAX).await?;
    let form = match media {
        media::NDJSON => Form::Lines,
        media::PGN => Form::Pgn,
        _ => Form::Json,
    };
    let (records, losses) = (Held::new(&desk.room), Held::new(&desk.room));
    let task = Records { options: choices, form, answer: records, losses, games: 0, findings: 0 };
    if form == Form::Lines {
        return work::streamed(desk, body, options, task, media).await;
    }
    let converted = work::whole(&desk, body, options, task).await?;
    let Records { answer: records, losses, games, findings, .. } = converted;
    let answer = if form == Form::Pgn { records } else { together(&records, &losses)? };
    let mut response = answer::whole(media, answer);
    response.headers_mut().insert(GAMES, games.into());
    response.headers_mut().insert(FINDINGS, findings.into());
    Ok(response)
}

/// The JSON object of records and losses.
fn together(records: &Held, losses: &Held) -> Result<Held, Problem> {
    let mut answer = Held::new(records.room());
    for part in [b"{\"records\":\"", records.as_ref(), b"\",\"losses\":[", losses.as_ref(), b"]}\n"] {
        answer.add(part)?;
    }
    Ok(answer)
}

fn style(text: &str) -> Result<Style, Problem> {
    text.parse().map_err(|message: String| Problem::new(&problem::BAD_OPTION, message))
}

fn sign(text: Option<&str>) -> Result<char, Problem> {
    match text {
        None => Ok('&'),
        Some("&") => Ok('&'),
        Some("@") => Ok('@'),
        Some("/") => Ok('/'),
        Some("^") => Ok('^'),
        Some(other) => {
            let detail = format!("the sign `{}` is none of & @ / ^", other.escape_debug());
            Err(Problem::new(&problem::BAD_OPTION, detail))
        }
    }
}
