//! Tokens give access to a service over the archive.

use super::Archive;
use super::error::ArchiveError;
use super::identity::to_hex;
use super::writer::Job;
use serde::Serialize;

/// A stored token: its digest, which does not reveal the token.
#[derive(Debug, Clone)]
pub(super) struct NewToken {
    pub(super) name: String,
    pub(super) hash: [u8; 32],
}

/// A token in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenInfo {
    /// Its name.
    pub name: String,
    /// Time of creation, as RFC 3339.
    pub created: String,
    /// Time of revocation, if it was revoked.
    pub revoked: Option<String>,
}

/// The prefix of every token, so that a leaked one can be recognized.
const PREFIX: &str = "ferz_";

impl Archive {
    /// Creates a token of 256 random bits and returns it, only this once: the archive stores its digest.
    ///
    /// # Errors
    /// If a valid token of this name exists, or the archive cannot be written.
    pub fn add_token(&self, name: &str) -> Result<String, ArchiveError> {
        let mut random = [0u8; 32];
        getrandom::fill(&mut random)
            .map_err(|error| ArchiveError::Io(format!("no random numbers: {error}")))?;
        let token = format!("{PREFIX}{}", to_hex(&random));
        let kept = NewToken { name: name.to_owned(), hash: *blake3::hash(token.as_bytes()).as_bytes() };
        self.ask(|reply| Job::AddToken(kept, reply))?;
        Ok(token)
    }

    /// Revokes the valid token of this name.
    ///
    /// # Errors
    /// If there is none, or the archive cannot be written.
    pub fn revoke_token(&self, name: &str) -> Result<(), ArchiveError> {
        self.ask(|reply| Job::RevokeToken(name.to_owned(), reply))
    }

    /// All tokens, valid and revoked, sorted by name.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn tokens(&self) -> Result<Vec<TokenInfo>, ArchiveError> {
        self.store().tokens()
    }

    /// True if a token was ever created, revoked or not: from then on the service requires one.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn has_tokens(&self) -> Result<bool, ArchiveError> {
        self.store().has_tokens()
    }

    /// The name of a valid token; `None` if it is unknown or revoked.
    ///
    /// Only its digest is looked up, so the time reveals nothing about valid tokens.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn token_is_valid(&self, token: &str) -> Result<Option<String>, ArchiveError> {
        self.store().token(blake3::hash(token.as_bytes()).as_bytes())
    }
}
