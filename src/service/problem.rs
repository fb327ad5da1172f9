//! Errors as RFC 9457 `application/problem+json`.
//!
//! Every kind has a stable `type`, `/problems/NAME`, a route that explains it. `formats/HTTP.md` lists all of them.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use std::fmt;

/// The content type of problems.
pub const CONTENT_TYPE: &str = "application/problem+json";

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name: the last part of `type`.
    pub name: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// The fault in general.
    pub title: &'static str,
    /// The remedy.
    pub remedy: &'static str,
}

/// Declares the kinds and the list of them.
macro_rules! kinds {
    ($($constant:ident = $status:literal $name:literal, $title:literal, $remedy:literal;)*) => {
        $(#[doc = $title] pub const $constant: Kind =
            Kind { name: $name, status: $status, title: $title, remedy: $remedy };)*
        /// All kinds, by status.
        pub const ALL: &[&Kind] = &[$(&$constant),*];
    };
}

kinds! {
    BAD_REQUEST = 400 "bad-request", "The request cannot be understood",
        "Send a request as /openapi.json describes it.";
    BAD_QUERY = 400 "bad-query", "A query parameter is wrong",
        "Use the parameters that /openapi.json lists for this route, each at most once.";
    MALFORMED_JSON = 400 "malformed-json", "The body is not JSON",
        "Send valid JSON in UTF-8, or plain records with Content-Type: application/x-chess-pgn.";
    MALFORMED_ENCODING = 400 "malformed-encoding", "The body cannot be unpacked",
        "Send a complete gzip or zstd stream, or the unpacked body without Content-Encoding.";
    UNFINISHED_BODY = 400 "unfinished-body", "The body ended before it was complete",
        "Send the complete body.";
    UNAUTHORIZED = 401 "unauthorized", "A token is needed",
        "Send Authorization: Bearer TOKEN (ferz: set FERZ_TOKEN); `ferz archive token add NAME --db FILE` creates one.";
    FOREIGN_ORIGIN = 403 "foreign-origin", "A page of another site sent the request",
        "Send the request from a page of this service, or from a program.";
    FOREIGN_HOST = 403 "foreign-host", "The request names a host that is not this machine",
        "Use the address that the service prints; behind a proxy create a token: `ferz archive token add NAME`.";
    NOT_THE_SUBMITTER = 403 "not-the-submitter", "No text of the game came with this token",
        "Ask who submitted it, or the operator of the service: `ferz archive withdraw`.";
    NO_PLAYERS = 403 "no-players", "Games are played by holders of tokens",
        "Create tokens: `ferz archive token add NAME --scope play --db FILE`, and one with `--scope director`.";
    NOT_A_PLAYER = 403 "not-a-player", "The holder of the token does not play this game",
        "Use the token of a player; the game lists its players.";
    NOT_YOUR_TURN = 403 "not-your-turn", "Others may do that, now",
        "Wait until the game lists you in `to_act`; what an arbiter does needs an arbiter's token.";
    MISSING_SCOPE = 403 "missing-scope", "The token is for something else",
        "Use a token with the scope that the detail names: `ferz archive token add NAME --scope SCOPE --db FILE`.";
    NOT_SIGNED = 403 "not-signed", "No known key signed the head of the log",
        "Send a checkpoint that the log has signed with the key that the witness knows.";
    NOT_FOUND = 404 "not-found", "There is nothing at this address",
        "See /openapi.json or /docs/ for all addresses.";
    UNKNOWN_VARIANT = 404 "unknown-variant", "No game with this name is known",
        "GET /api/v1/variants lists the games; write mutators first: misere+chess.";
    GAME_NOT_FOUND = 404 "game-not-found", "The archive has no such game",
        "GET /api/v1/games lists the games of the archive.";
    NOT_IN_PROGRESS = 404 "not-in-progress", "There is no such game in progress",
        "GET /api/v1/correspondence lists the games that you may see.";
    UNKNOWN_LOG = 404 "unknown-log", "The witness does not know the log",
        "Ask the operator of the witness to add its key: `ferz serve --witness-log VKEY`.";
    METHOD_NOT_ALLOWED = 405 "method-not-allowed", "The address does not accept this method",
        "Use one of the methods in the header Allow.";
    NOT_ACCEPTABLE = 406 "not-acceptable", "The answer is not available in an accepted form",
        "Name one of the route's content types in the header Accept, or omit it.";
    SLOW_BODY = 408 "slow-body", "The body arrived too slowly",
        "Send the body faster, or split the games over several requests.";
    TWO_HEADS = 409 "two-heads", "The log has two heads of one size",
        "Keep both signed heads: together they prove that the log shows two histories.";
    NOT_NOW = 409 "not-now", "The game does not allow that now",
        "Ask for the game: its status, its offers and `to_act` say what it allows.";
    KEY_BUSY = 409 "key-busy", "A request with this key is being answered",
        "Wait for the answer, or send the same request again in a moment.";
    FORGOTTEN = 410 "forgotten", "The game was forgotten",
        "Its names and texts are deleted for good; the log has the event that says so.";
    STALE = 412 "stale", "Something has happened in the game since",
        "Ask for the game, look at it, and send the request with its new head in If-Match.";
    CONTENT_TOO_LARGE = 413 "content-too-large", "The body is too large",
        "Split the records over several requests, or run `ferz validate` and `ferz archive import` on files.";
    UNSUPPORTED_MEDIA_TYPE = 415 "unsupported-media-type", "The body's content type is not supported",
        "Send records in UTF-8 with Content-Type: application/x-chess-pgn or text/plain, or JSON {\"records\": \"…\"}.";
    UNSUPPORTED_ENCODING = 415 "unsupported-encoding", "The body's content encoding is not supported",
        "Send the body unpacked, or with Content-Encoding: gzip or zstd.";
    BAD_DEFINITION = 422 "bad-definition", "The definition of a game is wrong",
        "Correct it; formats/VARIANT.md has all fields, and `ferz variants check FILE` lists every mistake.";
    WRONG_SHAPE = 422 "wrong-shape", "The JSON does not have the expected shape",
        "Send the object that /openapi.json describes for this route.";
    BAD_OPTION = 422 "bad-option", "An option has an unknown value",
        "GET /api/v1/variants lists the games; /openapi.json lists the styles.";
    TOO_MANY_GAMES = 422 "too-many-games", "The body has too many games",
        "Split the records over several requests, or ask for NDJSON with Accept: application/x-ndjson.";
    TOO_MUCH_WORK = 422 "too-much-work", "The request takes too much work",
        "Split the records over several requests, or run `ferz validate` on your machine; narrow a search.";
    NO_RECORDS = 422 "no-records", "The body has no record",
        "Send at least one game record.";
    NOT_REPLAYED = 422 "not-replayed", "The record cannot be replayed",
        "Correct the record at the place that the detail names, or choose its game with `variant`.";
    BAD_CLAIM = 422 "bad-claim", "The claim is incomplete or does not fit the game",
        "Write what the detail names; formats/CLAIMS.md lists the kinds of claims and what each needs.";
    AMBIGUOUS_ID = 422 "ambiguous-id", "Several games have an id that begins so",
        "Write more digits of the id; the detail lists the games.";
    NOT_WITHDRAWN = 422 "not-withdrawn", "The game cannot be withdrawn",
        "Give a reason, and a successor that is in the archive; what is withdrawn is not withdrawn again.";
    NOT_GROWN = 422 "not-grown", "The proof does not show that the log has only grown",
        "Send the consistency proof from the size that the witness knows to that of the checkpoint.";
    ILLEGAL_PLY = 422 "illegal-ply", "The ply is not legal",
        "Make another ply; `illegal` has the article and the nearest legal plies. Nothing was stored.";
    BAD_TERMS = 422 "bad-terms", "There can be no game with these terms",
        "Write what the detail names; formats/CORRESPONDENCE.md describes the terms.";
    KEY_USED = 422 "key-used", "The key was used for another request",
        "Choose a new Idempotency-Key for each request, and keep it when you send the same request again.";
    BAD_SIGNATURE = 422 "bad-signature", "The signature of the ply is missing or wrong",
        "Sign the game's id, head and next sequence number and the ply; formats/CORRESPONDENCE.md shows how.";
    NO_POSITION = 422 "no-position", "The game has no such position",
        "Use a ply from 0, the start, to the number of plies in the game's report.";
    NO_HEAD = 428 "no-head", "The request does not say which state of the game it is about",
        "Send the head of the game that you have seen: If-Match: \"HEAD\".";
    TOO_MANY_REQUESTS = 429 "too-many-requests", "Too many requests from one address",
        "Wait for the time in the header Retry-After; send fewer requests with more records each.";
    INTERNAL = 500 "internal", "The service failed",
        "Try again; if it persists, report it with the request id.";
    ARCHIVE_DAMAGED = 500 "archive-damaged", "The archive is damaged",
        "The operator must restore it from a copy; `ferz archive verify` shows the damage.";
    BUSY = 503 "busy", "The service is at capacity",
        "Try again after the time in the header Retry-After.";
    STOPPING = 503 "stopping", "The service is stopping",
        "Try again after the time in the header Retry-After.";
    ARCHIVE_UNAVAILABLE = 503 "archive-unavailable", "The archive is unavailable",
        "Try again after the time in the header Retry-After; the detail names the cause for the operator.";
    INSUFFICIENT_STORAGE = 507 "insufficient-storage", "The disk of the archive is full",
        "Submit again once the operator has freed space; reading still works.";
}

/// A problem: kind, detail and place.
#[derive(Debug, Clone)]
pub struct Problem {
    kind: &'static Kind,
    detail: String,
    place: Option<Box<Place>>,
    /// Further members of its JSON.
    members: serde_json::Map<String, serde_json::Value>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The place of a problem in the body, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Place {
    /// Line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Character in the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Number of the ply, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Bytes of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
}

/// The JSON of a problem.
#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    remedy: &'a str,
    #[serde(flatten)]
    place: Option<&'a Place>,
    #[serde(flatten)]
    members: &'a serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl Problem {
    /// Creates a problem; `detail` describes this case.
    pub fn new(kind: &'static Kind, detail: impl Into<String>) -> Problem {
        Problem {
            kind,
            detail: detail.into(),
            place: None,
            members: serde_json::Map::new(),
            headers: Vec::new(),
        }
    }

    /// Adds the place in the body.
    #[must_use]
    pub fn at(mut self, place: Place) -> Problem {
        self.place = Some(Box::new(place));
        self
    }

    /// Adds a member to its JSON.
    #[must_use]
    pub fn with(mut self, member: &str, value: serde_json::Value) -> Problem {
        self.members.insert(member.to_owned(), value);
        self
    }

    /// Names the member of the request that the problem is in.
    #[must_use]
    pub fn named(mut self, member: &str) -> Problem {
        self.detail = format!("`{member}`: {}", self.detail);
        self
    }

    /// Adds a header of the answer.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: impl TryInto<HeaderValue>) -> Problem {
        self.headers.extend(value.try_into().ok().map(|value| (name, value)));
        self
    }

    /// Adds the number of seconds until a retry makes sense.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Problem {
        self.header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// The kind.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The detail of this case.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The problem for an error answer of the framework, which has only a status.
    pub fn of_status(status: StatusCode) -> Problem {
        let kind = ALL.iter().find(|kind| kind.status == status.as_u16()).copied();
        let kind = kind.unwrap_or(if status.is_server_error() { &INTERNAL } else { &BAD_REQUEST });
        Problem::new(kind, kind.title)
    }

    /// The problem as one JSON object; also the last line of a stream of JSON lines that cannot continue.
    pub fn json(&self, request_id: Option<&str>) -> String {
        let Kind { name, status, title, remedy } = *self.kind;
        let (r#type, detail) = (format!("/problems/{name}"), self.detail.as_str());
        let place = self.place.as_deref();
        let members = &self.members;
        let body = Body { r#type, title, status, detail, remedy, place, members, request_id };
        serde_json::to_string(&body).unwrap_or_default()
    }

    /// The answer that reports the problem.
    pub fn response(&self, request_id: Option<&str>) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        let mut response = response.content_type(CONTENT_TYPE).body(self.json(request_id));
        self.add_headers(response.headers_mut());
        response
    }

    /// Adds the problem's headers.
    pub fn add_headers(&self, headers: &mut HeaderMap) {
        for (name, _) in &self.headers {
            headers.remove(name);
        }
        for (name, value) in &self.headers {
            headers.append(name.clone(), value.clone());
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name, self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        self.response(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_names_of_their_own_and_say_what_to_do() {
        let mut names: Vec<&str> = ALL.iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(ALL.is_sorted_by_key(|kind| kind.status));
        for kind in ALL {
            assert!((400..600).contains(&kind.status), "{}", kind.name);
            assert!(kind.remedy.ends_with('.') && !kind.title.ends_with('.'), "{}", kind.name);
        }
    }

    #[test]
    fn a_problem_names_kind_case_place_and_remedy() {
        let place = Place { line: Some(2), column: Some(7), ..Place::default() };
        let problem = Problem::new(&MALFORMED_JSON, "expected value").at(place);
        insta::assert_snapshot!(problem.json(Some("abc")).replace(",\"", ",\n\""), @r#"
        {"type":"/problems/malformed-json",
        "title":"The body is not JSON",
        "status":400,
        "detail":"expected value",
        "remedy":"Send valid JSON in UTF-8, or plain records with Content-Type: application/x-chess-pgn.",
        "line":2,
        "column":7,
        "request_id":"abc"}
        "#);
    }

    #[test]
    fn a_header_may_occur_twice() {
        let problem = Problem::new(&UNAUTHORIZED, "no token")
            .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
            .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic"));
        let mut response = problem.response(None);
        problem.add_headers(response.headers_mut());
        let schemes: Vec<_> = response.headers().get_all(header::WWW_AUTHENTICATE).collect();
        assert_eq!(schemes, ["Bearer", "Basic"]);
    }
}
