//! Every request and answer passes here: access, request identifier, errors as problems, headers, log.

use super::answer::Counted;
use super::auth;
use super::connections::{Connection, Request};
use super::cors;
use super::limits::{ANSWER_SMALL_BYTES, REFUSAL_DELAY, REQUEST_ID_CHARS_MAX};
use super::media;
use super::memory::Reservation;
use super::metrics;
use super::openapi;
use super::pages;
use super::pool;
use super::problem::{self, Problem};
use super::rate;
use super::routes::docs::Document;
use super::sending::sending;
use super::state::AppState;
use super::unread;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, web};
use ferz::archive::Access;
use futures_util::FutureExt;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The name of the request's token.
const TOKEN: HeaderName = HeaderName::from_static("ferz-token");

/// Answers that are no pages run nothing and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";
/// The pages under /docs/ are scripts of this service.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                           img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Default headers of every answer.
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
/// Only if the framework itself fails.
pub async fn handle<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let _open = metrics::Open::new();
    let mut seen = Seen::new(&request);
    if seen.method == Method::HEAD {
        // The connection omits the body of an answer to HEAD.
        request.head_mut().method = Method::GET;
    }
    let connection = request.conn_data::<Arc<Connection>>().cloned();
    let unread = unread::watch(&mut request, connection.as_ref());
    let begun = connection.map(|connection| Request::begin(&connection, unread.is_body()));
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let peer = request.peer_addr().map(|peer| rate::one_sender(peer.ip()));
    let origin = state.as_ref().and_then(|state| cors::origin(&request, state));
    let admitted = match origin.as_ref().and_then(|_| cors::preflight(&request)) {
        Some(answer) => Err(Early::Answer(answer)),
        None => admit(&request, state.as_ref()).await.map_err(Early::Problem),
    };
    let mut response = match admitted {
        Ok(token) => {
            if let Some(token) = &token {
                request.extensions_mut().insert(token.clone());
            }
            seen.token = token;
            // A panic ends only its request.
            match AssertUnwindSafe(pool::PEER.scope(peer, async { next.call(request).await }))
                .catch_unwind()
                .await
            {
                Ok(answered) => typed(answered?, &seen.id),
                Err(_) => return Err(seen.panicked()),
            }
        }
        Err(Early::Answer(answer)) => ServiceResponse::new(request.into_parts().0, answer),
        Err(Early::Problem(problem)) => problem_answer(request.into_parts().0, &problem, &seen.id),
    };
    let units = match state.as_ref().map(|state| room_for(&response, state)) {
        Some(Err(problem)) => {
            response = problem_answer(response.into_parts().0, &problem, &seen.id);
            None
        }
        Some(Ok(units)) => units,
        None => None,
    };
    seen.add_headers(response.headers_mut());
    if let Some(origin) = origin {
        cors::add_headers(response.headers_mut(), origin);
    }
    if state.is_some_and(|state| state.is_stopping()) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let error = response.response().error().filter(|_| response.status().is_server_error());
    let error = error.map(ToString::to_string);
    seen.count(response.request().match_pattern(), response.status(), error.as_deref());
    Ok(response.map_body(|_, body| sending(body, (begun, unread.left(), units))))
}

/// The answer to a request that reaches no route.
enum Early {
    Answer(HttpResponse),
    Problem(Problem),
}

/// Reserves the memory of an answer, unless it is already counted.
fn room_for(response: &ServiceResponse<BoxBody>, state: &AppState) -> Result<Option<Reservation>, Problem> {
    match response.response().body().size() {
        BodySize::Sized(size) if response.response().extensions().get::<Counted>().is_none() => {
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            if size <= ANSWER_SMALL_BYTES { Ok(None) } else { state.memory.take(size).map(Some) }
        }
        _ => Ok(None),
    }
}

/// Checks the rate limit and the access of a request.
async fn admit(
    request: &ServiceRequest,
    state: Option<&web::Data<AppState>>,
) -> Result<Option<Access>, Problem> {
    let state = state.ok_or_else(|| Problem::new(&problem::INTERNAL, "the service has no state"))?;
    if let Some(rate) = &state.rate
        && let Err(refused) = rate.count(request.peer_addr().map(|peer| peer.ip()))
    {
        if !state.is_stopping() {
            tokio::time::sleep(REFUSAL_DELAY).await;
        }
        return Err(refused);
    }
    auth::admit(request, state)
}

/// The request's own identifier, if valid, or a new one.
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

/// The answer, with every error as a problem.
fn typed<B: MessageBody + 'static>(response: ServiceResponse<B>, id: &str) -> ServiceResponse<BoxBody> {
    if !response.status().is_client_error() && !response.status().is_server_error() {
        return response.map_into_boxed_body();
    }
    let known = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
    let problem = match known {
        Some(problem) => problem,
        None if explains_itself(response.headers()) => return response.map_into_boxed_body(),
        None => Problem::of_status(response.status()),
    };
    problem_answer(response.into_parts().0, &problem, id)
}

/// The answer for a problem: a page if the request prefers HTML.
fn problem_answer(request: HttpRequest, problem: &Problem, id: &str) -> ServiceResponse<BoxBody> {
    let answer = pages::problem_page(&request, problem, id);
    let mut answer = answer.unwrap_or_else(|| problem.response(Some(id)));
    problem.add_headers(answer.headers_mut());
    ServiceResponse::new(request, answer)
}

/// True for a problem, for a page that shows one beside its form, and for the answer of a witness that knows another
/// size. The framework's own errors are plain text.
fn explains_itself(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let own = [problem::CONTENT_TYPE, media::LOG_SIZE];
    own.iter().any(|own| kind == own.as_bytes()) || kind.starts_with(b"text/html")
}

/// Facts of a request for the headers of its answer and the log.
struct Seen {
    start: Instant,
    id: String,
    method: Method,
    path: String,
    peer: Option<IpAddr>,
    token: Option<Access>,
}

impl Seen {
    fn new(request: &ServiceRequest) -> Seen {
        Seen {
            start: Instant::now(),
            id: request_id(request),
            method: request.method().clone(),
            path: request.path().to_owned(),
            peer: request.peer_addr().map(|peer| peer.ip()),
            token: None,
        }
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        if self.path.starts_with("/docs/") {
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(DOCS_POLICY));
        }
        // Also a problem is an answer of the form that the client accepts.
        headers.append(header::VARY, HeaderValue::from_static("accept"));
        for (name, value) in &HEADERS {
            if !headers.contains_key(name) {
                headers.insert(name.clone(), value.clone());
            }
        }
        if let Ok(id) = HeaderValue::from_str(&self.id) {
            headers.insert(REQUEST_ID, id);
        }
        if let Some(Ok(name)) =
            self.token.as_ref().map(|token| HeaderValue::from_bytes(token.name.as_bytes()))
        {
            headers.insert(TOKEN, name);
        }
    }

    /// Counts and logs an answer.
    fn count(&self, route: Option<String>, status: StatusCode, error: Option<&str>) {
        let time = self.start.elapsed();
        metrics::answered(route, &self.method, status.as_u16(), time);
        if !tracing::enabled!(tracing::Level::ERROR) {
            return;
        }
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let peer = self.peer.map(|peer| peer.to_string()).unwrap_or_default();
        let token = self.token.as_ref().map(|token| token.name.as_str());
        let (id, method, path, code) = (&*self.id, self.method.as_str(), &*self.path, status.as_u16());
        match error {
            Some(error) => {
                tracing::error!(
                    request_id = id,
                    method,
                    path,
                    status = code,
                    micros,
                    peer,
                    token,
                    error,
                    "request"
                );
            }
            None => {
                tracing::info!(request_id = id, method, path, status = code, micros, peer, token, "request")
            }
        }
    }

    /// The answer after a panic, which consumed the request.
    fn panicked(&self) -> Error {
        let problem = Problem::new(&problem::INTERNAL, "the service failed on this request");
        let mut response = problem.response(Some(&self.id));
        self.add_headers(response.headers_mut());
        self.count(None, response.status(), Some("a panic"));
        InternalError::from_response(problem, response).into()
    }
}

/// Answers requests that match no route.
///
/// # Errors
/// Always: the path does not exist, or not with this method.
pub async fn no_route(request: HttpRequest, document: web::Data<Document>) -> Result<HttpResponse, Problem> {
    let path = request.path().escape_debug();
    let Some(allowed) = openapi::methods(&document.value, request.path()) else {
        return Err(Problem::new(&problem::NOT_FOUND, format!("no route matches `{path}`")));
    };
    let detail = format!("`{path}` accepts {allowed}, not {}", request.method());
    Err(Problem::new(&problem::METHOD_NOT_ALLOWED, detail).header(header::ALLOW, allowed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::App;
    use actix_web::dev::Service;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service, read_body};

    #[actix_web::test]
    async fn a_panic_is_one_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.ferz");
        let archive = ferz::archive::Archive::open(&path).unwrap();
        let config = crate::service::Config::for_tests(&path);
        let state = web::Data::new(AppState::new(&config, archive));
        let pooled = state.clone();
        let in_pool = move || {
            let state = pooled.clone();
            async move { state.judges.run(|| -> String { panic!("deliberately") }).await }
        };
        let app = App::new()
            .app_data(state)
            .route("/panics", web::get().to(async || -> HttpResponse { panic!("deliberately") }))
            .route("/panics-in-a-pool", web::get().to(in_pool))
            .route("/answers", web::get().to(async || "fine"))
            .wrap(from_fn(handle));
        let app = init_service(app).await;
        let ask = |path: &str| {
            let request = TestRequest::get().uri(path).insert_header(("host", "localhost"));
            request.insert_header(("x-request-id", "mine")).to_request()
        };
        for _ in 0..20 {
            let error = app.call(ask("/panics")).await.err().unwrap();
            let answer = error.as_response_error().error_response();
            assert_eq!(answer.status(), 500);
            assert_eq!(answer.headers().get("x-request-id").unwrap(), "mine");
            let answer = call_service(&app, ask("/panics-in-a-pool")).await;
            assert_eq!(answer.status(), 500);
            assert!(String::from_utf8_lossy(&read_body(answer).await).contains("/problems/internal"));
            assert_eq!(read_body(call_service(&app, ask("/answers")).await).await, "fine");
        }
    }
}
