//! The page `/`: checks submitted records.

use super::examples;
use super::form::{Choices, Form};
use super::links::Links;
use super::page_records::{Download, Open, PageRecords};
use super::posted::{self, Input, Posted};
use super::render::{self, Answer, Check, Opened};
use crate::service::body::{self, Body};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::{answer, media, metrics, routes, work};
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::notation::Style;
use ferz::replay::Options;
use serde::Deserialize;
use std::sync::OnceLock;

/// Bytes of records in a form: some thousand games. Larger inputs are for programs.
pub const RECORDS_BYTES_MAX: usize = 4 << 20;
/// Bytes of a form: incompressible records in hexadecimal digits, and the other fields.
const FORM_BYTES_MAX: usize = 2 * RECORDS_BYTES_MAX + (64 << 10);
/// Bytes of records that are shown in the text field again, for correction.
const EDITABLE_BYTES_MAX: usize = 256 << 10;

/// Query parameters of the page.
#[derive(Debug, Deserialize)]
pub struct Query {
    /// The example to show.
    example: Option<String>,
}

/// The page with its form.
#[get("/")]
pub async fn home(
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let example = query.into_inner().example.and_then(|name| examples::named(&name));
    let choices = choices.get_or_init(|| Choices::of(state.registry));
    let text = example.map_or("", |example| example.record);
    let nothing = Posted::default();
    render::page(&Check {
        here: "/",
        title: "Check a record",
        answer: Answer::None,
        form: form(choices, text, &nothing),
        styles: &choices.styles,
        kept: Vec::new(),
    })
}

/// The form with the posted values.
fn form<'a>(choices: &'a Choices, text: &'a str, posted: &'a Posted) -> Form<'a> {
    Form {
        title: if text.is_empty() { "Check a record" } else { "Change it and check again" },
        text,
        rows: text.lines().count().clamp(8, 16),
        variants: &choices.variants,
        styles: &choices.styles,
        variant: &posted.variant,
        style: &posted.style,
        megabytes: RECORDS_BYTES_MAX >> 20,
    }
}

/// A posted form with its records.
pub(super) struct Asked {
    /// The fields.
    pub posted: Posted,
    /// The records.
    pub input: Input,
    /// How to read them.
    pub options: Options,
    to: Option<Style>,
}

/// Reads the posted form of a request.
///
/// # Errors
/// If it is no form, too large, or names an unknown game or style.
pub(super) async fn asked(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
) -> Result<Asked, Problem> {
    let bytes = body::raw(request, payload, &state.memory, FORM_BYTES_MAX).await.map_err(in_megabytes)?;
    let mut posted = Posted::read(request, bytes).await?;
    let (style, to) = (posted.style()?, posted::style(&posted.to)?);
    let variant = Some(posted.variant.as_str()).filter(|name| !name.is_empty());
    let options = Options { style, ..routes::reading(state, None, variant, None)? };
    let memory = state.memory.clone();
    let budget = state.budget();
    let work = budget.clone();
    let unpacked = state.judges.run_within(&budget, state.judging, move || {
        let input = posted.records(&memory, RECORDS_BYTES_MAX, &work)?;
        Ok((posted, input))
    });
    let (posted, input) = unpacked.await?.map_err(in_megabytes)?;
    Ok(Asked { posted, input, options, to })
}

/// Rewords the limit of a problem as pages state it.
fn in_megabytes(problem: Problem) -> Problem {
    if problem.kind() != &problem::CONTENT_TOO_LARGE {
        return problem;
    }
    let detail = format!("the limit is {} MB of records", RECORDS_BYTES_MAX >> 20);
    Problem::new(&problem::CONTENT_TOO_LARGE, detail)
        .header(header::CONNECTION, HeaderValue::from_static("close"))
}

/// Judges the posted records and shows the result.
#[post("/")]
pub async fn check(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
) -> Result<HttpResponse, Problem> {
    let Asked { posted, input: Input { bytes, packed }, options, to } =
        asked(&request, payload, &state).await?;
    let text = editable(bytes.as_ref());
    let open = Open {
        game: posted.game.filter(|_| !posted.overview),
        only: !posted.overview,
        ply: posted.step.map(|step| step.ply),
        to,
        from_black: posted.from_black,
        film: false,
    };
    let records = PageRecords::new(open, posted.keep, &state);
    let mut records = work::whole(&state, Body::plain(bytes), options, records).await?;
    let kept = match records.kept.take() {
        Some(submissions) if !submissions.is_empty() => state.submit(submissions, &request).await?,
        _ => Vec::new(),
    };
    metrics::stored(kept.len());
    let kept = kept.iter().map(|stored| (stored.id.to_string(), !stored.created)).collect();
    let registry = state.registry;
    let html = move || {
        let choices = choices.get_or_init(|| Choices::of(registry));
        render::html(&Check {
            here: "/",
            title: "The verdict",
            answer: verdict(records, &posted, packed)?,
            form: form(choices, &text, &posted),
            styles: &choices.styles,
            kept,
        })
    };
    render::in_pool(&state, html).await
}

/// The records as text for correction; empty if they are too long.
pub(super) fn editable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.len() <= EDITABLE_BYTES_MAX => text.to_owned(),
        _ => String::new(),
    }
}

/// The result to show for the records.
fn verdict(records: PageRecords, posted: &Posted, packed: String) -> Result<Answer, Problem> {
    let number = records.game.as_ref().map_or(0, |game| game.number);
    let (variant, style) = (posted.variant.clone(), posted.style.clone());
    let from_black = posted.from_black;
    let links = Links::Form { packed, variant, style, games: records.games, number, from_black };
    match records {
        PageRecords { games: 0, .. } => Ok(Answer::Empty),
        PageRecords { game: Some(game), rows, converted, .. } if rows.len() == 1 => {
            let chosen = converted.as_ref().map_or("san", |converted| converted.style);
            let focus = posted.step.map_or("", |step| step.button);
            Ok(Answer::Game(Box::new(Opened { game, links, converted, chosen, focus, turn: None })))
        }
        PageRecords { rows, plies, .. } if !rows.is_empty() => Ok(Answer::Overview { rows, plies, links }),
        PageRecords { games, .. } => {
            let wanted = posted.game.unwrap_or_default() + 1;
            Err(Problem::new(&problem::NOT_FOUND, format!("there is no game {wanted}, only {games}")))
        }
    }
}

/// Sends records in another style, as a file.
#[post("/download")]
pub async fn download(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Asked { posted, input, options, to } = asked(&request, payload, &state).await?;
    let to = to.ok_or_else(|| Problem::new(&problem::BAD_OPTION, "no style chosen; choose one"))?;
    let game = posted.game.filter(|_| !posted.all);
    let task = Download::new(to, game, &state.memory);
    let task = work::whole(&state, Body::plain(input.bytes), options, task).await?;
    let name = game.map_or_else(|| "games".to_owned(), |game| format!("game-{}", game + 1));
    Ok(file(&format!("{name}-{to}.pgn"), task))
}

/// Records as a file to download. The name consists of letters, digits, dots and dashes.
pub fn file(name: &str, task: Download) -> HttpResponse {
    attached(name, answer::whole(media::PGN, task.into_answer()))
}

/// An answer as a file to download.
pub(super) fn attached(name: &str, mut response: HttpResponse) -> HttpResponse {
    if let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    }
    response
}
