//! What happens to every request and every answer: who may come in, an identifier, one form of errors, headers,
//! the log.

use super::auth;
use super::desk::Desk;
use super::limits::REQUEST_ID_CHARS_MAX;
use super::metrics;
use super::openapi;
use super::pages;
use super::problem::{self, Problem};
use super::routes::docs::Document;
use super::unread;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse, web};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Pages have no scripts and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";
/// The pages under /docs/ are scripts, from here alone.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                           img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer that does not say something else itself.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
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
    let _open = metrics::Open::new();
    let id = request_id(&request);
    let (method, path) = (request.method().clone(), request.path().to_owned());
    if method == Method::HEAD {
        // The connection leaves out the body of an answer to HEAD, whatever the handler says.
        request.head_mut().method = Method::GET;
    }
    let unread = unread::watch(&mut request);
    let desk = request.app_data::<web::Data<Desk>>().cloned();
    let mut response = match admit(&request, desk.as_ref()) {
        Ok(()) => typed(next.call(request).await?, &id),
        Err(problem) => told(request.into_parts().0, &problem, &id),
    };
    let headers = response.headers_mut();
    add_headers(headers, &path, &id);
    if desk.is_some_and(|desk| desk.is_stopping()) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    count(&response, &method, &path, &id, start);
    Ok(response.map_body(|_, body| unread.behind(body)))
}

/// Lets a request in, or says why not.
fn admit(request: &ServiceRequest, desk: Option<&web::Data<Desk>>) -> Result<(), Problem> {
    let desk = desk.ok_or_else(|| Problem::new(&problem::INTERNAL, "the service has no desk"))?;
    if let Some(rate) = &desk.rate {
        rate.count(request.peer_addr().map(|peer| peer.ip()))?;
    }
    auth::admit(request, desk)
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
    let known = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
    let problem = match known {
        Some(problem) => problem,
        None if is_problem(response.headers()) => return response.map_into_boxed_body(),
        None => Problem::of_status(response.status()),
    };
    told(response.into_parts().0, &problem, id)
}

/// The answer that tells of a problem: a page for those who look at pages.
fn told(request: HttpRequest, problem: &Problem, id: &str) -> ServiceResponse<BoxBody> {
    let answer = pages::problem_page(&request, problem, id);
    let mut answer = answer.unwrap_or_else(|| problem.response(Some(id)));
    problem.add_headers(answer.headers_mut());
    ServiceResponse::new(request, answer)
}

fn is_problem(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value == problem::CONTENT_TYPE)
}

fn add_headers(headers: &mut HeaderMap, path: &str, id: &str) {
    if path.starts_with("/docs/") {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(DOCS_POLICY));
    }
    for (name, value) in &HEADERS {
        if !headers.contains_key(name) {
            headers.insert(name.clone(), value.clone());
        }
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
}

/// Counts an answer, and writes it to the log.
fn count(response: &ServiceResponse<BoxBody>, method: &Method, path: &str, id: &str, start: Instant) {
    let (time, status) = (start.elapsed(), response.status());
    metrics::answered(response.request().match_pattern(), method, status.as_u16(), time);
    if !tracing::enabled!(tracing::Level::ERROR) {
        return;
    }
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let peer = response.request().peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default();
    let (method, code) = (method.as_str(), status.as_u16());
    match response.response().error() {
        Some(error) if status.is_server_error() => {
            tracing::error!(request_id = id, method, path, status = code, micros, peer, %error, "request");
        }
        _ => tracing::info!(request_id = id, method, path, status = code, micros, peer, "request"),
    }
}

/// Answers where no route does.
///
/// # Errors
/// Always: there is nothing here, or not by this method.
pub async fn nowhere(request: HttpRequest, document: web::Data<Document>) -> Result<HttpResponse, Problem> {
    let path = request.path().escape_debug();
    let Some(allowed) = openapi::methods(&document.value, request.path()) else {
        return Err(Problem::new(&problem::NOT_FOUND, format!("there is nothing at `{path}`")));
    };
    let detail = format!("`{path}` takes {allowed}, not {}", request.method());
    Err(Problem::new(&problem::METHOD_NOT_ALLOWED, detail).header(header::ALLOW, allowed))
}
