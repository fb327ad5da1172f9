//! Tokens: who may use a service over the archive.

use super::Archive;
use super::error::ArchiveError;
use super::identity::to_hex;
use super::writer::Job;
use rusqlite::OptionalExtension;
use serde::Serialize;

/// A token as it is kept: nobody can make the token itself from it.
#[derive(Debug, Clone)]
pub(super) struct NewToken {
    pub(super) name: String,
    pub(super) hash: [u8; 32],
}

/// A token as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenInfo {
    /// Its name.
    pub name: String,
    /// When it was made, as RFC 3339.
    pub created: String,
    /// When it was revoked, if it was.
    pub revoked: Option<String>,
}

/// In front of every token, so that one that lies about can be recognised.
const PREFIX: &str = "ferz_";

impl Archive {
    /// Makes a token of 256 random bits and gives it, this once: only its digest is kept.
    ///
    /// # Errors
    /// Where a good token of that name is there, or the archive cannot be written to.
    pub fn add_token(&self, name: &str) -> Result<String, ArchiveError> {
        let mut random = [0u8; 32];
        getrandom::fill(&mut random)
            .map_err(|error| ArchiveError::Io(format!("no random numbers: {error}")))?;
        let token = format!("{PREFIX}{}", to_hex(&random));
        let kept = NewToken { name: name.to_owned(), hash: *blake3::hash(token.as_bytes()).as_bytes() };
        self.ask(|reply| Job::AddToken(kept, reply))?;
        Ok(token)
    }

    /// Lets nobody use the token of this name any more.
    ///
    /// # Errors
    /// Where there is none, or the archive cannot be written to.
    pub fn revoke_token(&self, name: &str) -> Result<(), ArchiveError> {
        self.ask(|reply| Job::RevokeToken(name.to_owned(), reply))
    }

    /// All tokens, good and revoked, by name.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn tokens(&self) -> Result<Vec<TokenInfo>, ArchiveError> {
        self.read(|connection| {
            let mut list = connection
                .prepare_cached("SELECT name, created, revoked FROM token ORDER BY name, created")?;
            let rows = list.query_map([], |row| {
                let revoked: Option<i64> = row.get(2)?;
                Ok(TokenInfo {
                    name: row.get(0)?,
                    created: super::time_text(row.get(1)?),
                    revoked: revoked.map(super::time_text),
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// True if a token was ever made, revoked or not: then nobody is let in without one.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn has_tokens(&self) -> Result<bool, ArchiveError> {
        self.read(|connection| Ok(connection.prepare_cached("SELECT 1 FROM token LIMIT 1")?.exists([])?))
    }

    /// The name of a good token; nothing if it is unknown or revoked.
    ///
    /// Only its digest is looked up, so that the time it takes tells nothing about good tokens.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn token_is_valid(&self, token: &str) -> Result<Option<String>, ArchiveError> {
        let hash = blake3::hash(token.as_bytes());
        self.read(|connection| {
            let find = "SELECT name FROM token WHERE hash = ?1 AND revoked IS NULL";
            let mut find = connection.prepare_cached(find)?;
            Ok(find.query_row([hash.as_bytes()], |row| row.get(0)).optional()?)
        })
    }
}
