//! Plays games at a service.

use super::connection::{Client, Request};
use super::error::ClientError;
use ferz::board::Owner;
use ferz::correspondence::{Ended, Terms};
use reqwest::Method;
use serde::Deserialize;
use serde_json::Value;

/// Bytes of a game: 12,000 events, and a certificate.
const GAME_BYTES_MAX: usize = 16 << 20;

/// A game in progress as the service shows it.
#[derive(Debug, Clone, Deserialize)]
pub struct Played {
    /// The id.
    pub id: String,
    /// The head, which a change names.
    pub head: String,
    /// `awaiting-acceptance`, `running`, `disputed`, `ended`, `annulled`.
    pub status: String,
    /// The digest of the terms.
    pub terms: String,
    /// The terms.
    pub agreed: Terms,
    /// The players who have accepted.
    pub accepted: Vec<Owner>,
    /// The sides that the caller plays.
    pub you: Vec<Owner>,
    /// The position as extended FEN.
    pub fen: String,
    /// The plies so far.
    pub plies: Vec<PlyPlayed>,
    /// The players who may act.
    pub to_act: Vec<Owner>,
    /// The offers that stand.
    pub offers: Vec<Offered>,
    /// The claims that are open.
    pub claimable: Vec<Value>,
    /// The clocks.
    pub clocks: Option<Value>,
    /// The end, if it has ended.
    pub end: Option<Ended>,
    /// The entry of the archive that it became.
    pub entry: Option<String>,
}

/// A ply that was made.
#[derive(Debug, Clone, Deserialize)]
pub struct PlyPlayed {
    /// The player.
    pub by: Owner,
    /// In standard notation.
    pub san: String,
}

/// An offer that stands.
#[derive(Debug, Clone, Deserialize)]
pub struct Offered {
    /// `draw`, `adjourn` or `takeback`.
    pub kind: String,
    /// The player who made it.
    pub by: Owner,
}

/// A change of a game: the last part of its route, and the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Such as `plies`.
    pub route: &'static str,
    /// The body.
    pub body: Value,
}

impl Client {
    /// A game in progress, or one that has ended.
    ///
    /// # Errors
    /// If there is no game with this id that the holder of the token may see, or the service cannot be reached.
    pub fn played(&self, id: &str) -> Result<Played, ClientError> {
        let path = ["api", "v1", "correspondence", id];
        self.game_of(&Request {
            path: &path,
            accept: "application/json",
            answer_max: GAME_BYTES_MAX,
            ..Request::default()
        })
    }

    /// The record of a game so far, as PGN.
    ///
    /// # Errors
    /// As [`played`](Client::played).
    pub fn record(&self, id: &str) -> Result<String, ClientError> {
        let body = self.send(&Request {
            path: &["api", "v1", "correspondence", id],
            accept: "application/x-chess-pgn",
            answer_max: GAME_BYTES_MAX,
            ..Request::default()
        })?;
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// Changes a game whose head is known. `key` makes sure that a request which is sent again has no second effect.
    ///
    /// # Errors
    /// If the service refuses the change, or cannot be reached.
    pub fn change(&self, game: &Played, change: &Change, key: &str) -> Result<Played, ClientError> {
        let path = ["api", "v1", "correspondence", &game.id, change.route];
        let head = format!("\"{}\"", game.head);
        self.game_of(&Request {
            method: Method::POST,
            path: &path,
            accept: "application/json",
            headers: &[("if-match", &head), ("idempotency-key", key)],
            body: Some(("application/json", change.body.to_string().into_bytes())),
            answer_max: GAME_BYTES_MAX,
            ..Request::default()
        })
    }

    fn game_of(&self, request: &Request<'_>) -> Result<Played, ClientError> {
        let body = self.send(request)?;
        serde_json::from_slice(&body)
            .map_err(|error| ClientError::Strange { server: self.server(), why: error.to_string() })
    }
}
