//! Tokens: who may use a service over the archive.

use super::Archive;
use super::error::ArchiveError;
use super::identity::to_hex;
use super::writer::Job;
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
        self.store().tokens()
    }

    /// True if a token was ever made, revoked or not: then nobody is let in without one.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn has_tokens(&self) -> Result<bool, ArchiveError> {
        self.store().has_tokens()
    }

    /// The name of a good token; nothing if it is unknown or revoked.
    ///
    /// Only its digest is looked up, so that the time it takes tells nothing about good tokens.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn token_is_valid(&self, token: &str) -> Result<Option<String>, ArchiveError> {
        self.store().token(blake3::hash(token.as_bytes()).as_bytes())
    }
}
