//! Requests to a service, with retries.

use super::error::{ClientError, Problem};
use super::retry::{Retries, asked};
use reqwest::blocking::{Client as Http, Response};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode, Url};
use std::cell::Cell;
use std::error::Error;
use std::io::Read;
use std::time::Duration;

/// Connection timeout.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// Timeout of a request with its answer: the service judges for at most ten seconds, and slow lines need time.
const REQUEST_MAX: Duration = Duration::from_secs(180);

/// Bytes of a refusal that are read.
const PROBLEM_BYTES_MAX: usize = 64 << 10;

/// The service to talk to, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Its address, such as `http://localhost:8080`.
    pub server: String,
    /// The bearer token, if the service needs one.
    pub token: Option<String>,
    /// Number of retries.
    pub retries: Retries,
    /// Timeout of a request with its answer.
    pub request_max: Duration,
}

impl Settings {
    /// Default settings for the service at an address.
    pub fn new(server: impl Into<String>) -> Settings {
        Settings { server: server.into(), token: None, retries: Retries::default(), request_max: REQUEST_MAX }
    }
}

/// A connection to a service.
pub struct Client {
    http: Http,
    base: Url,
    token: Option<HeaderValue>,
    retries: Retries,
    /// Whether the service has answered at all so far.
    heard: Cell<bool>,
    /// Called before each wait.
    on_wait: Box<dyn Fn(&str)>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("base", &self.base.as_str()).finish_non_exhaustive()
    }
}

/// A complete request, so that it can be sent again; by default GET, without parameters and body.
#[derive(Default)]
pub(super) struct Request<'a> {
    pub(super) method: Method,
    /// The segments of the path below the service's address; they are escaped.
    pub(super) path: &'a [&'a str],
    pub(super) query: &'a [(&'a str, &'a str)],
    pub(super) accept: &'static str,
    /// Further headers.
    pub(super) headers: &'a [(&'static str, &'a str)],
    /// The body with its content type.
    pub(super) body: Option<(&'static str, Vec<u8>)>,
    /// Bytes of the longest answer that is read.
    pub(super) answer_max: usize,
}

/// Whether to retry a failure, and the wait that the service asks for.
enum Trouble {
    Passing(ClientError, Option<Duration>),
    Lasting(ClientError),
}

impl Client {
    /// Prepares a connection; sends nothing yet.
    ///
    /// # Errors
    /// If the address or the token is invalid, or the certificates of this machine cannot be read.
    pub fn new(settings: &Settings) -> Result<Client, ClientError> {
        let base = address(&settings.server)?;
        let token = settings.token.as_ref().map(|token| {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", token.trim()))?;
            value.set_sensitive(true);
            Ok::<_, reqwest::header::InvalidHeaderValue>(value)
        });
        // It fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = Http::builder();
        if base.scheme() == "http" {
            // A machine without any certificates reaches such a service, too.
            http = http.tls_certs_only([]);
        }
        let http = http
            .user_agent(concat!("ferz/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_MAX)
            .timeout(settings.request_max)
            // Do not send the token wherever a redirect points.
            .redirect(Policy::none())
            .build()
            .map_err(|error| ClientError::Strange {
                server: settings.server.clone(),
                why: in_words(&error),
            })?;
        Ok(Client {
            http,
            base,
            token: token.transpose().map_err(|_| ClientError::Token)?,
            retries: settings.retries,
            heard: Cell::new(false),
            on_wait: Box::new(|_| {}),
        })
    }

    /// The same client, calling `on_wait` before each wait.
    #[must_use]
    pub fn telling(mut self, on_wait: impl Fn(&str) + 'static) -> Client {
        self.on_wait = Box::new(on_wait);
        self
    }

    /// True if a token would travel unencrypted to another machine.
    pub fn exposes_token(&self) -> bool {
        let here = matches!(self.base.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        self.token.is_some() && self.base.scheme() == "http" && !here
    }

    /// The service's address.
    pub(super) fn server(&self) -> String {
        self.base.as_str().trim_end_matches('/').to_owned()
    }

    /// Sends a request, with retries; returns the body of the answer.
    ///
    /// # Errors
    /// If the service cannot be reached, or refuses the request.
    pub(super) fn send(&self, request: &Request<'_>) -> Result<Vec<u8>, ClientError> {
        let mut failures = 0;
        loop {
            let (error, asked) = match self.try_once(request, failures + 1) {
                Ok(body) => return Ok(body),
                Err(Trouble::Lasting(error)) => return Err(error),
                Err(Trouble::Passing(error, asked)) => (error, asked),
            };
            let most = self.retries.most(self.heard.get());
            if failures >= most {
                return Err(error);
            }
            let wait = self.retries.wait(failures, asked);
            failures += 1;
            let why = match &error {
                ClientError::Refused { problem, .. } => problem.title.clone(),
                ClientError::Unreachable { why, .. } => why.clone(),
                other => other.to_string(),
            };
            let (server, seconds) = (self.server(), wait.as_secs_f64());
            (self.on_wait)(&format!(
                "{server}: {why}; trying again in {seconds:.1} s ({failures} of {most})"
            ));
            std::thread::sleep(wait);
        }
    }

    fn try_once(&self, request: &Request<'_>, tried: u32) -> Result<Vec<u8>, Trouble> {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(request.path);
        }
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(request.query);
        }
        let mut sent = self.http.request(request.method.clone(), url).header(ACCEPT, request.accept);
        if let Some(token) = &self.token {
            sent = sent.header(AUTHORIZATION, token.clone());
        }
        for (name, value) in request.headers {
            sent = sent.header(*name, *value);
        }
        if let Some((kind, body)) = &request.body {
            sent = sent.header(CONTENT_TYPE, *kind).body(body.clone());
        }
        let lost = |error: reqwest::Error| {
            self.heard.set(self.heard.get() || !error.is_connect());
            let why = in_words(&error);
            Trouble::Passing(ClientError::Unreachable { server: self.server(), why, tried }, None)
        };
        let answer = sent.send().map_err(lost)?;
        self.heard.set(true);
        if answer.status().is_success() {
            return match body_of(answer, request.answer_max) {
                Ok(Some(body)) => Ok(body),
                Ok(None) => {
                    let why = format!("it is longer than {} bytes", request.answer_max);
                    Err(Trouble::Lasting(ClientError::Strange { server: self.server(), why }))
                }
                Err(error) => {
                    let why = format!("the connection broke ({error})");
                    Err(Trouble::Passing(
                        ClientError::Unreachable { server: self.server(), why, tried },
                        None,
                    ))
                }
            };
        }
        Err(self.refusal(answer))
    }

    /// The problem in an answer without success.
    fn refusal(&self, answer: Response) -> Trouble {
        let (status, server) = (answer.status(), self.server());
        let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
        if status.is_redirection() {
            let to = header(LOCATION).unwrap_or("elsewhere");
            let why = format!("it redirects to {to}, which is not followed; use the service's own address");
            return Trouble::Lasting(ClientError::Strange { server, why });
        }
        let asked = asked(header(RETRY_AFTER));
        let reason = status.canonical_reason().unwrap_or("The service refused the request");
        let body = body_of(answer, PROBLEM_BYTES_MAX).ok().flatten().unwrap_or_default();
        let problem = Problem::of(status.as_u16(), reason, &body);
        let error = ClientError::Refused { server, problem: Box::new(problem) };
        match status {
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => Trouble::Passing(error, asked),
            _ => Trouble::Lasting(error),
        }
    }
}

/// The body of an answer; `None` if it is longer than `most` bytes. A server may send without end.
fn body_of(answer: Response, most: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    answer.take(most as u64 + 1).read_to_end(&mut body)?;
    Ok((body.len() <= most).then_some(body))
}

/// Parses the address of a service.
fn address(text: &str) -> Result<Url, ClientError> {
    let wrong = |why: &str| ClientError::Address { address: text.to_owned(), why: why.to_owned() };
    let url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" => {}
        _ => return Err(wrong("it does not begin with http:// or https://")),
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("it names no host"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it has a query"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it contains a name or password, which this service does not use"));
    }
    Ok(url)
}

/// The error without the address, from the outermost cause to the innermost.
fn in_words(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "the request timed out".to_owned();
    }
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let stage = if error.is_connect() { "no connection" } else { "the connection broke" };
    format!("{stage} ({cause})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_none_are_refused() {
        for (text, why) in [
            ("localhost:8080", "does not begin with"),
            ("ftp://localhost", "does not begin with"),
            ("http://", "host"),
            ("http://a b/", "invalid"),
            ("http://localhost/?x=1", "query"),
            ("http://ann:secret@localhost", "password"),
        ] {
            let error = Client::new(&Settings::new(text)).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("write https://HOST"), "{text}: {error}");
        }
    }

    #[test]
    fn tokens_are_checked_and_do_not_travel_unseen() {
        let with = |server: &str, token: &str| {
            Client::new(&Settings { token: Some(token.into()), ..Settings::new(server) })
        };
        assert!(matches!(with("http://localhost", "a\nb"), Err(ClientError::Token)));
        assert!(!with("http://127.0.0.1:80", "secret").unwrap().exposes_token());
        assert!(with("http://example.org", "secret").unwrap().exposes_token());
        assert!(!format!("{:?}", with("http://example.org", "secret").unwrap()).contains("secret"));
    }
}
