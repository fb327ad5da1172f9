//! The pages for browsers: nothing from other sites, nothing stored for a visitor, and nothing that needs the one small
//! script, which steps through games without loading the page again.
//!
//! - `check` is the page `/`, which checks records; `repair` repairs them, and `decode` reads a damaged one by the
//!   rules; `compare` compares two; `adjudicate` judges claims, and with `stories` two records of one game; `games` is
//!   the archive; `library` has rules, documents and games.
//! - `play` has the games of a player and the table where one is played; `film` sends all positions of a game.
//! - `events` has the crosstables of events.
//! - `posted` reads forms, `links` carries state between pages, `page_records` judges the records of a page.
//! - `view/` is the content as plain data; `render` has the templates in `templates/` with their values.
//! - `markdown`, `articles` and `documents` render the project's documents, which reports cite.

mod adjudicate;
mod articles;
mod check;
mod compare;
mod decode;
mod documents;
mod events;
mod examples;
mod film;
mod form;
mod games;
mod library;
mod links;
mod markdown;
mod page_records;
mod play;
mod posted;
mod render;
mod repair;
mod stories;
mod view;

use super::problem::{self, Kind, Problem};
use super::{answer, media};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use std::sync::{LazyLock, OnceLock};

/// Adds the pages to the service.
pub fn configure(config: &mut web::ServiceConfig) {
    let choices: OnceLock<form::Choices> = OnceLock::new();
    config
        .app_data(web::Data::new(choices))
        .service(check::home)
        .service(check::check)
        .service(check::download)
        .service(games::find)
        .service(games::open)
        .service(events::list)
        .service(events::table)
        .service(play::list)
        .service(play::table)
        .service(play::send)
        .service(play::positions)
        .service(film::of_game)
        .service(games::send)
        .service(film::of_form)
        .service(adjudicate::ask)
        .service(adjudicate::answer)
        .service(compare::ask)
        .service(compare::answer)
        .service(repair::repaired)
        .service(decode::read_by_rules)
        .service(library::variants)
        .service(library::variant)
        .route(&STYLESHEET, web::get().to(stylesheet))
        .route(&SCRIPT, web::get().to(script))
        .route("/icon.svg", web::get().to(icon));
    for document in documents::DOCUMENTS.iter() {
        config.route(&document.path, web::get().to(library::document));
    }
}

const CSS: &str = include_str!("assets/style.css");
const STEPS: &str = include_str!("assets/steps.js");
const ICON: &str = include_str!("assets/icon.svg");

/// The address of the style sheet. It changes with the content, so browsers may cache it forever.
static STYLESHEET: LazyLock<String> =
    LazyLock::new(|| format!("/assets/{}.css", &blake3::hash(CSS.as_bytes()).to_hex()[..12]));

/// The address of the script, likewise.
static SCRIPT: LazyLock<String> =
    LazyLock::new(|| format!("/assets/{}.js", &blake3::hash(STEPS.as_bytes()).to_hex()[..12]));

async fn script() -> HttpResponse {
    asset("text/javascript; charset=utf-8", STEPS)
}

async fn stylesheet() -> HttpResponse {
    asset("text/css; charset=utf-8", CSS)
}

async fn icon() -> HttpResponse {
    asset("image/svg+xml", ICON)
}

fn asset(content_type: &str, body: &'static str) -> HttpResponse {
    let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
    let mut response = answer::shared(content_type, Bytes::from_static(body.as_bytes()));
    response.headers_mut().insert(header::CACHE_CONTROL, kept);
    response
}

/// The remedy for a problem on a page; differs from that for programs where that one would not help.
fn remedy(kind: &'static Kind) -> &'static str {
    match kind.status {
        404 => "Start from one of the pages below.",
        _ if [&problem::CONTENT_TOO_LARGE, &problem::TOO_MANY_GAMES, &problem::TOO_MUCH_WORK]
            .contains(&kind) =>
        {
            "Check fewer games at once, or run `ferz validate` and `ferz archive import` on your own machine; they \
             read files of any size."
        }
        400 | 405 | 406 | 415 => "Go back and send the form again.",
        _ => kind.remedy,
    }
}

/// A problem as a page, if the request prefers HTML.
pub fn problem_page(request: &HttpRequest, problem: &Problem, request_id: &str) -> Option<HttpResponse> {
    let wanted = media::wanted(request, &[problem::CONTENT_TYPE, media::HTML]);
    wanted.ok().filter(|wanted| *wanted == media::HTML)?;
    let kind = problem.kind();
    let mut detail = problem.detail().trim_end_matches('.').to_owned();
    if detail == kind.title {
        detail.clear();
    }
    if let Some(first) = detail.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let page = render::ErrorPage {
        here: "",
        title: kind.title,
        detail: markdown::inline(&detail),
        remedy: markdown::inline(remedy(kind)),
        status: kind.status,
        request_id,
    };
    let status = StatusCode::from_u16(kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Some(render::answer(status, page.render().ok()?))
}
