//! Fetches games from a service's archive.

use super::connection::{Client, Request};
use super::error::ClientError;
use serde::Deserialize;

/// Bytes of a game: a record of the largest size, in JSON with its report.
const GAME_BYTES_MAX: usize = 64 << 20;
/// Bytes of a list of 500 games.
const PAGE_BYTES_MAX: usize = 16 << 20;
/// Bytes of a tile of 256 events, each of at most 65,535 bytes after its length.
const TILE_BYTES_MAX: usize = 256 * (2 + 0xffff);
/// Bytes of a signed head with the signatures of its witnesses, and of a key.
const NOTE_BYTES_MAX: usize = 64 << 10;

/// The form of a fetched game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// As a record in export format.
    #[default]
    Canonical,
    /// The bytes as they were submitted.
    Original,
    /// JSON with all data of the archive.
    Json,
}

/// A page of a list of games.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Page {
    /// The games' ids and further data of the service.
    pub items: Vec<Item>,
    /// The cursor of the next page; `None` after the last one.
    pub next_cursor: Option<String>,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Item {
    /// Its id in the archive.
    pub id: String,
}

impl Client {
    /// Fetches one game.
    ///
    /// # Errors
    /// If there is no game with this id, or the service cannot be reached.
    pub fn game(&self, id: &str, form: Form) -> Result<Vec<u8>, ClientError> {
        let accept = match form {
            Form::Json => "application/json",
            Form::Canonical | Form::Original => "application/x-chess-pgn",
        };
        let query: &[(&str, &str)] = if form == Form::Original { &[("original", "1")] } else { &[] };
        let path = ["api", "v1", "games", id];
        let answer_max = GAME_BYTES_MAX;
        self.send(&Request { path: &path, query, accept, answer_max, ..Request::default() })
    }

    /// Fetches a part of the log: `checkpoint`, `key`, or `tile/…`.
    ///
    /// # Errors
    /// If there is no such part, or the service cannot be reached.
    pub fn log(&self, part: &str) -> Result<Vec<u8>, ClientError> {
        let path: Vec<&str> = ["log"].into_iter().chain(part.split('/')).collect();
        let answer_max = if part.starts_with("tile/") { TILE_BYTES_MAX } else { NOTE_BYTES_MAX };
        self.send(&Request { path: &path, accept: "*/*", answer_max, ..Request::default() })
    }

    /// Fetches a page of the games that match the filters (parameters of `GET /api/v1/games`), from a cursor on.
    ///
    /// # Errors
    /// If the service refuses a filter, or cannot be reached.
    pub fn list(&self, filters: &[(&str, &str)], cursor: Option<&str>) -> Result<Page, ClientError> {
        let cursor = cursor.map(|cursor| ("cursor", cursor));
        let query: Vec<(&str, &str)> = filters.iter().copied().chain(cursor).collect();
        let body = self.send(&Request {
            path: &["api", "v1", "games"],
            query: &query,
            accept: "application/json",
            answer_max: PAGE_BYTES_MAX,
            ..Request::default()
        })?;
        serde_json::from_slice(&body)
            .map_err(|error| ClientError::Strange { server: self.server(), why: error.to_string() })
    }
}
