//! Access: programs on this machine until the first token exists, then requests with a token.

use super::jobs::Asker;
use super::problem::{self, Problem};
use super::state::AppState;
use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::http::{Method, uri::Authority};
use ferz::archive::{Access, Scope};
use std::net::IpAddr;

/// Public paths; they reveal nothing about the archive. Logs that ask for a cosignature identify themselves by their
/// signature.
const OPEN: [&str; 9] = [
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/docs",
    "/docs/",
    "/problems/",
    "/add-checkpoint",
    // The style and the script of every page, those of players as well as those of readers.
    "/assets/",
    "/icon.svg",
];

/// Checks access of a request; returns what its token allows, if it has one.
///
/// # Errors
/// If a token is required and missing, invalid or for something else, or a page of another site sent the request.
pub fn admit(request: &ServiceRequest, state: &AppState) -> Result<Option<Access>, Problem> {
    let path = request.path();
    if OPEN.iter().any(|open| path == *open || open.ends_with('/') && path.starts_with(open)) {
        return Ok(None);
    }
    check_origin(request, &state.origins)?;
    if !state.has_tokens()? {
        return if state.only_local {
            check_host(request).map(|()| None)
        } else {
            Err(needs_token("the service requires a token"))
        };
    }
    if request.headers().get_all(header::AUTHORIZATION).nth(1).is_some() {
        return Err(needs_token("several `Authorization` headers; send one"));
    }
    let Some(token) = token(request.headers()) else { return Err(needs_token("the request has no token")) };
    let access = state.archive.token_access(&token)?;
    let access = access.ok_or_else(|| needs_token("the token is unknown, revoked or expired"))?;
    let sufficient = sufficient_scopes(request.method(), path);
    if !sufficient.iter().any(|scope| access.allows(*scope)) {
        check_scope(&access, sufficient[0])?;
    }
    Ok(Some(access))
}

/// Checks that a token has a scope.
///
/// # Errors
/// If it has not.
pub fn check_scope(access: &Access, scope: Scope) -> Result<(), Problem> {
    if access.allows(scope) {
        return Ok(());
    }
    let detail = format!("the token `{}` lacks the scope `{scope}`", access.name.escape_debug());
    Err(Problem::new(&problem::MISSING_SCOPE, detail))
}

/// The address of games in progress.
const IN_PROGRESS: &str = "/api/v1/correspondence";

/// The scopes of which a request needs one, the usual one first: `submit` for those that store something, else `read`;
/// for changes of games in progress that of a player, an arbiter or a director. Players and arbiters look at these
/// games and their events without the right to read the archive.
fn sufficient_scopes(method: &Method, path: &str) -> &'static [Scope] {
    if let Some(rest) = path.strip_prefix(IN_PROGRESS) {
        return match rest {
            _ if *method != Method::POST => &[Scope::Read, Scope::Play, Scope::Arbiter],
            "" => &[Scope::Director],
            _ if rest.ends_with("/rulings") => &[Scope::Arbiter],
            _ => &[Scope::Play],
        };
    }
    if path == "/play" || path.starts_with("/play/") {
        return if *method == Method::POST {
            &[Scope::Play]
        } else {
            &[Scope::Read, Scope::Play, Scope::Arbiter]
        };
    }
    if path == "/api/v1/tournaments" && *method == Method::POST {
        return &[Scope::Director];
    }
    if path == "/events"
        || path.starts_with("/events/")
        || path == "/api/v1/events"
        || path.starts_with("/api/v1/tournaments/")
    {
        return &[Scope::Read, Scope::Play, Scope::Arbiter];
    }
    let changes = path.ends_with("/withdrawal") || path.ends_with("/reinstatement");
    let stores = path == "/api/v1/games" || path.starts_with("/api/v1/games/") && changes;
    if stores && *method == Method::POST { &[Scope::Submit] } else { &[Scope::Read] }
}

fn needs_token(detail: &str) -> Problem {
    // One header for each scheme: browsers read only the first scheme of a header.
    Problem::new(&problem::UNAUTHORIZED, detail)
        .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"ferz\""))
        .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"ferz\", charset=\"UTF-8\""))
}

/// The token of a request: `Bearer TOKEN`, or the password of `Basic`, which browsers ask for.
fn token(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, rest) = value.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned());
    }
    let decoded = if scheme.eq_ignore_ascii_case("basic") { base64(rest.trim())? } else { return None };
    let text = String::from_utf8(decoded).ok()?;
    text.split_once(':').map(|(_, password)| password.to_owned())
}

/// Who sends a request: its token or, without one, its address.
pub fn asker(request: &HttpRequest) -> Asker {
    let mut hasher = blake3::Hasher::new();
    match token(request.headers()) {
        Some(token) => hasher.update(b"token ").update(token.as_bytes()),
        None => {
            let address = request.peer_addr().map_or_else(String::new, |peer| peer.ip().to_string());
            hasher.update(b"address ").update(address.as_bytes())
        }
    };
    Asker(*hasher.finalize().as_bytes())
}

/// Decodes Base64 (RFC 4648), with or without padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bits, mut count, mut out) = (0u32, 0, Vec::new());
    for byte in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(value(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(out)
}

/// Refuses writes from pages of other sites that are not allowed, which would use the credentials that the browser
/// keeps.
fn check_origin(request: &ServiceRequest, allowed: &[String]) -> Result<(), Problem> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let Some(origin) = request.headers().get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let same = origin.split_once("://").is_some_and(|(_, host)| host.eq_ignore_ascii_case(host_of(request)));
    if same || allowed.iter().any(|allowed| allowed == origin) {
        return Ok(());
    }
    let detail = format!("the request comes from a page of `{}`", origin.escape_debug());
    Err(Problem::new(&problem::FOREIGN_ORIGIN, detail))
}

/// Refuses requests to an open service under another host name: a page of that site is trying to reach it through a
/// browser on this machine (DNS rebinding).
fn check_host(request: &ServiceRequest) -> Result<(), Problem> {
    let host = host_of(request);
    let name = host.parse::<Authority>().ok().map(|authority| authority.host().to_ascii_lowercase());
    let name = name.unwrap_or_default();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    if address || name == "localhost" || name.ends_with(".localhost") {
        return Ok(());
    }
    let detail = format!(
        "the service is open to this machine only, and the request names host `{}`",
        host.escape_debug()
    );
    Err(Problem::new(&problem::FOREIGN_HOST, detail))
}

fn host_of(request: &ServiceRequest) -> &str {
    request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn tokens_come_in_two_ways() {
        for (value, expected) in [
            ("Bearer ferz_12", Some("ferz_12")),
            ("bearer  ferz_12 ", Some("ferz_12")),
            ("Basic YW5uOmZlcnpfMTI=", Some("ferz_12")),
            ("Basic OmZlcnpfMTI", Some("ferz_12")),
            ("Basic YW5u", None),
            ("Basic ****", None),
            ("Digest x", None),
            ("Bearer", None),
        ] {
            let request = TestRequest::default().insert_header(("authorization", value)).to_srv_request();
            assert_eq!(token(request.headers()).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn pages_of_other_sites_change_nothing() {
        let asked = |origin: &str, method: Method| {
            let request = TestRequest::default().method(method).insert_header(("host", "127.0.0.1:8080"));
            let request = request.insert_header(("origin", origin)).to_srv_request();
            check_origin(&request, &["https://club.example".to_owned()]).is_ok()
        };
        assert!(asked("http://127.0.0.1:8080", Method::POST));
        assert!(asked("https://elsewhere.example", Method::GET));
        assert!(!asked("https://elsewhere.example", Method::POST));
        assert!(!asked("null", Method::POST));
        assert!(asked("https://club.example", Method::POST));
        assert!(!asked("http://club.example", Method::POST));
        assert!(!asked("https://club.example.evil.example", Method::POST));
    }

    #[test]
    fn an_open_service_is_asked_by_its_own_names() {
        for (host, fine) in [
            ("127.0.0.1:8080", true),
            ("[::1]:8080", true),
            ("localhost", true),
            ("LocalHost:1", true),
            ("elsewhere.example:8080", false),
            ("127.0.0.1.elsewhere.example", false),
            ("", false),
        ] {
            let request = TestRequest::default().insert_header(("host", host)).to_srv_request();
            assert_eq!(check_host(&request).is_ok(), fine, "{host}");
        }
    }
}
