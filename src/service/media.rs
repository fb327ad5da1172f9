//! Content types of bodies, and the choice of the form of an answer.

use super::problem::{self, Problem};
use actix_web::HttpRequest;
use actix_web::http::header;

/// The content type of records.
pub const PGN: &str = "application/x-chess-pgn";
/// The content type of JSON.
pub const JSON: &str = "application/json";
/// The content type of one JSON value a line.
pub const NDJSON: &str = "application/x-ndjson";
/// The content type of Server-Sent Events.
pub const EVENTS: &str = "text/event-stream";
/// The content type of definitions.
pub const TOML: &str = "application/toml";
/// The content type of diagrams.
pub const SVG: &str = "image/svg+xml";
/// The content type of pages.
pub const HTML: &str = "text/html";
/// The content type of tables for spreadsheets.
pub const CSV: &str = "text/csv";
/// The content type of plain text.
pub const TEXT: &str = "text/plain";
/// The content type of the size of a log, which a witness answers (c2sp.org/tlog-witness).
pub const LOG_SIZE: &str = "text/x.tlog.size";

/// The form of a body with records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyForm {
    /// Plain records.
    Records,
    /// A JSON object with the member `records`.
    Json,
    /// A form with the field `records`; also the default of programs that do not set a type.
    Form,
}

/// Content types of plain records.
const RECORDS: [&str; 6] =
    [PGN, NDJSON, "application/vnd.chess-pgn", TEXT, "application/octet-stream", "text/x-chess-pgn"];

/// The form of a body by its content type; plain records if it has none.
///
/// # Errors
/// If the content type is not supported.
pub fn body_form(request: &HttpRequest) -> Result<BodyForm, Problem> {
    let Some(value) = request.headers().get(header::CONTENT_TYPE) else { return Ok(BodyForm::Records) };
    let text = value.to_str().unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        JSON => Ok(BodyForm::Json),
        "application/x-www-form-urlencoded" => Ok(BodyForm::Form),
        records if RECORDS.contains(&records) => Ok(BodyForm::Records),
        _ => {
            let detail = format!("content type `{}` is not supported", text.escape_debug());
            Err(Problem::new(&problem::UNSUPPORTED_MEDIA_TYPE, detail).header(header::ACCEPT, ACCEPTED))
        }
    }
}

/// The supported content types of bodies, for the header `Accept` of an answer.
const ACCEPTED: &str = "application/x-chess-pgn, text/plain, application/json";

/// Chooses among the content types that a route offers: the first of equally preferred ones, and the first of all if
/// the request has no preference.
///
/// # Errors
/// If none is accepted.
pub fn wanted(request: &HttpRequest, offered: &[&'static str]) -> Result<&'static str, Problem> {
    let values = request.headers().get_all(header::ACCEPT).filter_map(|value| value.to_str().ok());
    let text = values.collect::<Vec<_>>().join(",");
    let ranges: Vec<(&str, f32)> = text.split(',').filter_map(range).collect();
    let first = offered.first().copied().unwrap_or(JSON);
    if ranges.is_empty() {
        return Ok(first);
    }
    let mut best = (first, 0.0);
    for form in offered {
        let quality = quality(form, &ranges);
        if quality > best.1 {
            best = (form, quality);
        }
    }
    if best.1 > 0.0 {
        return Ok(best.0);
    }
    let detail = format!("this route answers with {}", offered.join(", "));
    Err(Problem::new(&problem::NOT_ACCEPTABLE, detail))
}

/// A media range of the header `Accept`, with its quality.
fn range(text: &str) -> Option<(&str, f32)> {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    // Ignore a quality that is not a number.
    Some((name, quality.and_then(|text| text.parse().ok()).unwrap_or(1.0)))
}

/// The quality of a content type: that of the most specific matching range.
fn quality(form: &str, ranges: &[(&str, f32)]) -> f32 {
    let family = form.split('/').next().unwrap_or_default();
    let fits = |range: &str| match range.split_once('/') {
        Some(("*", "*")) => 1,
        Some((kind, "*")) if kind.eq_ignore_ascii_case(family) => 2,
        _ if range.eq_ignore_ascii_case(form) => 3,
        _ => 0,
    };
    let fitting = ranges.iter().map(|&(range, quality)| (fits(range), quality)).filter(|(fit, _)| *fit > 0);
    fitting.fold((0, 0.0), |best, next| if next.0 > best.0 { next } else { best }).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn asked(accept: &str) -> Option<&'static str> {
        let request = TestRequest::default().insert_header(("accept", accept)).to_http_request();
        wanted(&request, &[JSON, NDJSON, PGN]).ok()
    }

    #[test]
    fn the_wanted_form_is_found() {
        for (accept, form) in [
            ("*/*", Some(JSON)),
            ("", Some(JSON)),
            ("application/x-ndjson", Some(NDJSON)),
            ("Application/X-NDJSON; q=0.5", Some(NDJSON)),
            ("application/*", Some(JSON)),
            ("application/json;q=0.1, application/x-chess-pgn", Some(PGN)),
            ("application/json;q=0, */*;q=0.1", Some(NDJSON)),
            ("text/html,application/xhtml+xml,*/*;q=0.8", Some(JSON)),
            ("text/html", None),
            ("application/json;q=0", None),
            ("nonsense", None),
        ] {
            assert_eq!(asked(accept), form, "{accept}");
        }
        let request = TestRequest::default().to_http_request();
        assert_eq!(wanted(&request, &[NDJSON, JSON]).ok(), Some(NDJSON));
    }

    #[test]
    fn the_content_type_decides_the_form_of_a_body() {
        for (kind, form) in [
            ("application/x-chess-pgn", Some(BodyForm::Records)),
            ("text/plain; charset=utf-8", Some(BodyForm::Records)),
            ("Application/JSON", Some(BodyForm::Json)),
            ("application/x-www-form-urlencoded", Some(BodyForm::Form)),
            ("image/png", None),
            ("", None),
        ] {
            let request = TestRequest::default().insert_header(("content-type", kind)).to_http_request();
            assert_eq!(body_form(&request).ok(), form, "{kind}");
        }
        assert_eq!(body_form(&TestRequest::default().to_http_request()).ok(), Some(BodyForm::Records));
    }
}
