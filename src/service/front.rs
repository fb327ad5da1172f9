//! What happens to every request and every answer: an identifier, one form of errors, headers, the log.

use super::desk::Desk;
use super::limits::REQUEST_ID_CHARS_MAX;
use super::pages;
use super::problem::{self, Problem};
use super::unread;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse, web};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Pages have no scripts and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer that does not say something else itself.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];

/// Wraps all routes.
///
/// # Errors
/// Only where the framework itself fails.
pub async fn front<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let start = Instant::now();
    let id = request_id(&request);
    let (method, path) = (request.method().clone(), request.path().to_owned());
    if method == Method::HEAD {
        // The connection leaves out the body of an answer to HEAD, whatever the handler says.
        request.head_mut().method = Method::GET;
    }
    let unread = unread::watch(&mut request);
    let stopping = request.app_data::<web::Data<Desk>>().is_some_and(|desk| desk.is_stopping());
    let response = next.call(request).await?;
    let mut response = typed(response, &id);
    let headers = response.headers_mut();
    add_headers(headers, &id);
    if stopping {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    log(&response, &method, &path, &id, start);
    Ok(response.map_body(|_, body| unread.behind(body)))
}

/// The identifier that the request brings, if it is a fair one, or a new one.
fn request_id(request: &ServiceRequest) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let fair = |id: &&str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
        (1..=REQUEST_ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(plain)
    };
    let brought = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(fair);
    brought.map(str::to_owned).unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        format!("{now:x}-{:x}", NUMBER.fetch_add(1, Ordering::Relaxed))
    })
}

/// The answer, with every error in the form of a problem.
fn typed<B: MessageBody + 'static>(response: ServiceResponse<B>, id: &str) -> ServiceResponse<BoxBody> {
    if !response.status().is_client_error() && !response.status().is_server_error() {
        return response.map_into_boxed_body();
    }
    let told = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
    let problem = match told {
        Some(problem) => problem,
        None if is_problem(response.headers()) => return response.map_into_boxed_body(),
        None => Problem::of_status(response.status()),
    };
    let (request, _) = response.into_parts();
    let answer = pages::problem_page(&request, &problem, id).unwrap_or_else(|| problem.response(Some(id)));
    ServiceResponse::new(request, answer)
}

fn is_problem(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value == problem::CONTENT_TYPE)
}

fn add_headers(headers: &mut HeaderMap, id: &str) {
    for (name, value) in &HEADERS {
        if !headers.contains_key(name) {
            headers.insert(name.clone(), value.clone());
        }
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
}

fn log(response: &ServiceResponse<BoxBody>, method: &Method, path: &str, id: &str, start: Instant) {
    let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let peer = response.request().peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default();
    let (status, method) = (response.status(), method.as_str());
    let code = status.as_u16();
    if status == StatusCode::INTERNAL_SERVER_ERROR {
        let error = response.response().error().map(ToString::to_string).unwrap_or_default();
        tracing::error!(request_id = id, method, path, status = code, micros, peer, error, "request");
    } else {
        tracing::info!(request_id = id, method, path, status = code, micros, peer, "request");
    }
}

/// Answers where no route does.
pub async fn nowhere(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let detail = format!("there is nothing at `{}`", request.path().escape_debug());
    Err(Problem::new(&problem::NOT_FOUND, detail))
}
