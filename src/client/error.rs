//! Errors of the client.

use serde::Deserialize;
use std::fmt;

/// A refusal by the service: RFC 9457 `application/problem+json`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Problem {
    /// The kind of problem: `/problems/NAME`.
    pub r#type: String,
    /// The fault in general.
    pub title: String,
    /// The fault in this case.
    pub detail: String,
    /// The remedy.
    pub remedy: String,
    /// The status of the answer.
    pub status: u16,
    /// Line of the body, from 1.
    pub line: Option<usize>,
    /// Character in the line, from 1.
    pub column: Option<usize>,
    /// Number of the ply, from 1.
    pub ply: Option<usize>,
    /// The id of the request in the service's log.
    pub request_id: Option<String>,
}

impl Problem {
    /// The problem in the body of an answer; if there is none, derived from its status.
    pub(super) fn of(status: u16, reason: &str, body: &[u8]) -> Problem {
        let problem: Problem = serde_json::from_slice(body).unwrap_or_default();
        let title = if problem.title.is_empty() { reason.to_owned() } else { problem.title.clone() };
        Problem { status, title, ..problem }
    }

    /// The last part of its type, such as `too-many-games`.
    pub fn name(&self) -> &str {
        self.r#type.rsplit('/').next().unwrap_or_default()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.title, self.status)?;
        if !self.detail.is_empty() && self.detail != self.title {
            write!(f, ": {}", self.detail.trim_end_matches('.'))?;
        }
        let places = [("line", self.line), ("column", self.column), ("ply", self.ply)];
        let places: Vec<String> =
            places.iter().filter_map(|(name, at)| at.map(|at| format!("{name} {at}"))).collect();
        if !places.is_empty() {
            write!(f, " ({})", places.join(", "))?;
        }
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy.trim_end_matches('.'))?;
        }
        match &self.request_id {
            Some(id) => write!(f, " [request {id}]"),
            None => Ok(()),
        }
    }
}

/// Why a request to a service failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address is not one of a service.
    #[error("`{address}` is not the address of a service: {why}; write https://HOST or http://HOST:PORT")]
    Address {
        /// The given text.
        address: String,
        /// The fault.
        why: String,
    },
    /// The token contains characters that a header cannot carry.
    #[error("the token contains characters that are not allowed; copy it again, without spaces")]
    Token,
    /// The service did not answer, after all retries.
    #[error("{server}: {why} (tried {}); check the address and that `ferz serve` is running", times(*.tried))]
    Unreachable {
        /// The service's address.
        server: String,
        /// The error of the last try.
        why: String,
        /// The number of tries.
        tried: u32,
    },
    /// The service refused the request, or failed.
    #[error("{server}: {problem}")]
    Refused {
        /// The service's address.
        server: String,
        /// The problem.
        problem: Box<Problem>,
    },
    /// The service found no game record in a text.
    #[error("not a game record: {0}")]
    NoRecord(String),
    /// The answer does not come from a ferz service.
    #[error("{server}: the answer is not that of a ferz service: {why}; check the address")]
    Strange {
        /// The service's address.
        server: String,
        /// The fault.
        why: String,
    },
    /// The input could not be read.
    #[error("{0}")]
    Input(#[from] std::io::Error),
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_read_as_sentences() {
        let body = br#"{"type":"/problems/too-many-games","title":"There are too many games in the body",
            "status":422,"detail":"more than 20000 games.","remedy":"Split the records.","line":3,"column":5,
            "request_id":"abc"}"#;
        let problem = Problem::of(422, "Unprocessable Entity", body);
        assert_eq!(problem.name(), "too-many-games");
        let message = "There are too many games in the body (422): more than 20000 games (line 3, column 5); \
                    Split the records [request abc]";
        assert_eq!(problem.to_string(), message);
    }

    #[test]
    fn answers_that_are_no_problems_have_their_status() {
        assert_eq!(Problem::of(502, "Bad Gateway", b"<html>").to_string(), "Bad Gateway (502)");
        assert_eq!(Problem::of(500, "Internal Server Error", b"").to_string(), "Internal Server Error (500)");
    }
}
