//! Answers to pages of other sites that the operator allows (`--allow-origin`), as the Fetch standard defines them.

use super::state::AppState;
use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};

/// Headers that a page may send besides the simple ones.
const SENT: &str = "accept, authorization, content-type, content-encoding, idempotency-key, if-match, \
    if-none-match, prefer, x-request-id";
/// Headers of answers that a page may read besides the simple ones.
const READ: &str = "etag, ferz-findings, ferz-games, location, retry-after, x-request-id";

/// The allowed origin of a request for the API.
pub fn origin(request: &ServiceRequest, state: &AppState) -> Option<HeaderValue> {
    let path = request.path();
    let origin = request.headers().get(header::ORIGIN)?;
    let allowed = state.origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes());
    (allowed && (path.starts_with("/api/") || path == "/openapi.json")).then(|| origin.clone())
}

/// The answer to the question that a browser asks before the request itself; it needs no token.
pub fn preflight(request: &ServiceRequest) -> Option<HttpResponse> {
    let asks = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    (request.method() == Method::OPTIONS && asks).then(|| {
        HttpResponse::NoContent()
            .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, DELETE"))
            .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, SENT))
            .insert_header((header::ACCESS_CONTROL_MAX_AGE, "7200"))
            .finish()
    })
}

/// Lets the page read an answer.
pub fn add_headers(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(READ));
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}
