//! `POST /api/v1/convert`: converts records to another style.

use super::validate::{FINDINGS, GAMES};
use super::{StyleOrAuto, given, letters, letters_to_write, reading, switch};
use crate::service::json::json;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::memory::Budgeted;
use crate::service::problem::Problem;
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, openapi, work};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::notation::{Style, WriteChoices};
use ferz::record::Record;
use ferz::replay::{Located, Options, Replayer, Source};
use ferz::rewrite::transcript::Derive;
use ferz::rewrite::{ConvertOptions, Converted, Transcribed, Transcript, convert_within, transcribe_within};
use ferz::text::Budget;
use ferz::text::limits::FINDINGS_SHOWN_MAX;
use serde::{Deserialize, Deserializer, Serialize};
use std::str::FromStr;
use utoipa::IntoParams;

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// The style to write, or `json` for records as data
    #[serde(deserialize_with = "target")]
    #[param(inline, value_type = openapi::TargetName)]
    to: Target,
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
    /// Piece letters to write: a language's code or name, or `en` for the game's own
    #[serde(default, deserialize_with = "given")]
    language: Option<String>,
    /// Piece letters of the records: a language's code or name, `en` for the game's own, or `auto`
    #[serde(default, deserialize_with = "given")]
    from_language: Option<String>,
    /// The sign of gating and drops in style iago
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::signs)]
    sign: Option<Sign>,
    /// Write `oo1.....` for the numbers of Nature's turns
    #[serde(default, deserialize_with = "switch")]
    ascii: Option<bool>,
    /// With `to=json`: the position after every ply
    #[serde(default, deserialize_with = "switch")]
    fen: Option<bool>,
    /// Omit records that would lose something
    #[serde(default, deserialize_with = "switch")]
    no_loss: Option<bool>,
}

/// What records are converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Style(Style),
    /// Records as data.
    Json,
}

/// A record in one of both forms.
#[derive(Serialize)]
#[serde(untagged)]
enum Written<'a> {
    Text(&'a str),
    Full(&'a Transcript),
}

/// The form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// All records in one text, with all losses.
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
    /// `None` if the record would lose something and `no_loss` is set.
    record: Option<Written<'a>>,
    losses: &'a [Located],
    errors: &'a [&'a Located],
    legal: bool,
    #[serde(skip_serializing_if = "is_none_left_out")]
    left_out: LeftOut,
}

/// The number of losses and errors omitted from the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
struct LeftOut {
    losses: usize,
    errors: usize,
}

fn is_none_left_out(left_out: &LeftOut) -> bool {
    *left_out == LeftOut::default()
}

/// The losses or errors to show, and the number of those omitted.
fn shown<T>(all: &[T]) -> (&[T], usize) {
    let shown = &all[..all.len().min(FINDINGS_SHOWN_MAX)];
    (shown, all.len() - shown.len())
}

/// A loss or an error with the number of its game.
#[derive(Serialize)]
struct Numbered<'a> {
    game: usize,
    #[serde(flatten)]
    located: &'a Located,
}

/// Appends elements to the inside of a JSON array.
fn append<'a>(
    list: &mut Budgeted,
    game: usize,
    all: impl IntoIterator<Item = &'a Located>,
) -> Result<(), Problem> {
    for located in all {
        list.add(if list.is_empty() { b"" } else { b"," })?;
        list.add(&json(&Numbered { game, located })?)?;
    }
    Ok(())
}

/// Converted records.
struct Records {
    /// How a style is written; `None` for records as data.
    options: Option<ConvertOptions>,
    derive: Derive,
    no_loss: bool,
    form: Form,
    /// Lines, plain records, or the inside of a JSON string, depending on the form.
    answer: Budgeted,
    /// The inside of a JSON array.
    losses: Budgeted,
    /// The inside of a JSON array.
    errors: Budgeted,
    left_out: LeftOut,
    games: usize,
    findings: usize,
}

impl work::Task for Records {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let (converted, transcript) = match &self.options {
            Some(options) => (convert_within(replayer, record, source, number, options, budget)?, None),
            None => {
                let done = transcribe_within(replayer, record, source, number, self.derive, budget)?;
                let Transcribed { transcript, losses, report } = done;
                (Converted { text: String::new(), losses, left_out: 0, report }, Some(transcript))
            }
        };
        let legal = converted.report.legal;
        self.games += 1;
        let refused = self.no_loss && !converted.losses.is_empty();
        self.findings += usize::from(converted.is_finding() || refused);
        let record = match &transcript {
            _ if refused => None,
            Some(transcript) => Some(Written::Full(transcript)),
            None => Some(Written::Text(&converted.text)),
        };
        let all_errors = converted.errors();
        let ((losses, more_losses), (errors, more_errors)) = (shown(&converted.losses), shown(&all_errors));
        let left_out = LeftOut { losses: more_losses + converted.left_out, errors: more_errors };
        match self.form {
            Form::Pgn => match record {
                Some(Written::Text(text)) => self.answer.add(text.as_bytes())?,
                Some(full) => {
                    self.answer.add(&json(&full)?)?;
                    self.answer.add(b"\n")?;
                }
                None => {}
            },
            Form::Lines => {
                self.answer.add(&json(&Line { game: number, record, losses, errors, legal, left_out })?)?;
                self.answer.add(b"\n")?;
            }
            Form::Json => {
                append(&mut self.losses, number, losses)?;
                append(&mut self.errors, number, errors.iter().copied())?;
                match record {
                    Some(Written::Text(text)) => {
                        let text = json(&text)?;
                        self.answer.add(&text[1..text.len() - 1])?;
                    }
                    Some(full) => {
                        self.answer.add(if self.answer.is_empty() { b"" } else { b",\n" })?;
                        self.answer.add(&json(&full)?)?;
                    }
                    None => {}
                }
                self.left_out.losses += left_out.losses;
                self.left_out.errors += left_out.errors;
            }
        }
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}

/// Writes records in another style of notation
///
/// Returns the records and what the style cannot express. `Accept: application/x-chess-pgn` returns the records
/// alone, `Accept: application/x-ndjson` one object a record, as `ferz convert --format ndjson` prints it.
#[utoipa::path(operation_id = "convert_records", tag = "records", params(Query),
    request_body(description = "Records", content((String = "application/x-chess-pgn"), (String = "text/plain"),
        (openapi::Records = "application/json"))),
    responses((status = 200, description = "The records in the other style",
        headers(("ferz-games" = u64, description = "How many games; not with NDJSON"),
            ("ferz-findings" = u64, description = "How many of them are findings; not with NDJSON")),
        content((openapi::Converted = "application/json"), (String = "application/x-chess-pgn"),
            (String = "application/x-ndjson")))))]
#[post("/convert")]
pub(in crate::service) async fn convert(
    request: HttpRequest,
    query: web::Query<Query>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(&state, query.style, query.variant.as_deref(), query.let_stand)?;
    let options = Options { language: letters(&state, query.from_language.as_deref())?, ..options };
    let choices = match query.to {
        Target::Json => None,
        Target::Style(to) => Some(ConvertOptions {
            choices: WriteChoices { sign: query.sign.map_or('&', |sign| sign.0) },
            ascii: query.ascii == Some(true),
            language: letters_to_write(&state, to, query.language.as_deref())?,
            ..ConvertOptions::new(to)
        }),
    };
    let media = media::wanted(&request, &[media::JSON, media::NDJSON, media::PGN])?;
    let body = body::read(&request, payload, &state.memory, RECORDS_BYTES_MAX).await?;
    let form = match media {
        media::NDJSON => Form::Lines,
        media::PGN => Form::Pgn,
        _ => Form::Json,
    };
    let [answer, losses, errors] = [(); 3].map(|()| Budgeted::new(&state.memory));
    let no_loss = query.no_loss == Some(true);
    let left_out = LeftOut::default();
    let full = choices.is_none();
    let derive = Derive { fen: query.fen == Some(true) };
    let task = Records {
        options: choices,
        derive,
        no_loss,
        form,
        answer,
        losses,
        errors,
        left_out,
        games: 0,
        findings: 0,
    };
    if form == Form::Lines {
        return work::streamed(state, body, options, task, media).await;
    }
    let converted = work::whole(&state, body, options, task).await?;
    let Records { answer: records, losses, errors, left_out, games, findings, .. } = converted;
    let answer = match form {
        Form::Pgn => records,
        _ => together([&records, &losses, &errors], full, left_out)?,
    };
    let mut response = answer::whole(media, answer);
    response.headers_mut().insert(GAMES, games.into());
    response.headers_mut().insert(FINDINGS, findings.into());
    Ok(response)
}

/// Assembles the JSON object of records, losses and errors.
fn together(
    [records, losses, errors]: [&Budgeted; 3],
    full: bool,
    left_out: LeftOut,
) -> Result<Budgeted, Problem> {
    let mut answer = Budgeted::new(records.memory());
    let names: [&[u8]; 3] = match full {
        true => [b"{\"records\":[", b"],\"losses\":[", b"],\"errors\":["],
        false => [b"{\"records\":\"", b"\",\"losses\":[", b"],\"errors\":["],
    };
    for (name, part) in names.into_iter().zip([records, losses, errors]) {
        answer.add(name)?;
        answer.add(part.as_ref())?;
    }
    answer.add(b"]")?;
    if !is_none_left_out(&left_out) {
        answer.add(b",\"left_out\":")?;
        answer.add(&json(&left_out)?)?;
    }
    answer.add(b"}\n")?;
    Ok(answer)
}

/// Parses the style to write, which is required.
fn target<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Target, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "json" => Ok(Target::Json),
        name => name.parse().map(Target::Style).map_err(serde::de::Error::custom),
    }
}

/// A sign of gating and drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sign(char);

impl FromStr for Sign {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Sign, &'static str> {
        let mut signs = text.chars();
        match (signs.next(), signs.next()) {
            (Some(sign @ ('&' | '@' | '/' | '^')), None) => Ok(Sign(sign)),
            _ => Err("unknown sign; use one of & @ / ^"),
        }
    }
}
