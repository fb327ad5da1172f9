//! Tokens give access to a service over the archive.

use super::Archive;
use super::error::ArchiveError;
use super::identity::to_hex;
use super::log::Logged;
use super::writer::Job;
use super::{now, time_text};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Read the archive, and use everything that stores nothing.
    Read,
    /// Submit games, and withdraw those submitted with the same token.
    Submit,
    /// Play games by correspondence.
    Play,
    /// Rule on games.
    Arbiter,
    /// Create games; includes all other scopes.
    Director,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 5] = [Scope::Read, Scope::Submit, Scope::Play, Scope::Arbiter, Scope::Director];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Submit => "submit",
            Scope::Play => "play",
            Scope::Arbiter => "arbiter",
            Scope::Director => "director",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Scope, String> {
        let found = Scope::ALL.into_iter().find(|scope| scope.name() == text.trim());
        found.ok_or_else(|| {
            format!(
                "`{text}` is not a scope; write read, submit, play, arbiter or director, several with commas"
            )
        })
    }
}

/// Scopes as they are stored: their names with commas.
pub(super) fn scopes_text(scopes: &[Scope]) -> String {
    let mut scopes = scopes.to_vec();
    scopes.sort_unstable();
    scopes.dedup();
    scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(",")
}

/// Stored scopes. Unknown ones allow nothing.
pub(super) fn scopes_of(text: &str) -> Vec<Scope> {
    text.split(',').filter_map(|scope| scope.parse().ok()).collect()
}

/// A token to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRequest {
    /// Its name, unique among valid tokens.
    pub name: String,
    /// Who uses it, if that is not its name.
    pub holder: Option<String>,
    /// What it is for.
    pub scopes: Vec<Scope>,
    /// When it expires, in milliseconds since 1970; `None` for never.
    pub expires: Option<i64>,
}

/// A stored token: its digest, which does not reveal the token.
#[derive(Debug, Clone)]
pub(super) struct NewToken {
    pub(super) name: String,
    pub(super) hash: [u8; 32],
    pub(super) holder: String,
    pub(super) scopes: String,
    pub(super) expires: Option<i64>,
}

/// A token that was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// The token itself, which the archive does not keep.
    pub token: String,
    /// The event in the log, for a receipt.
    pub logged: Option<Logged>,
}

/// A token that asked for a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenId {
    /// Its name, for people.
    pub name: Arc<str>,
    /// The event that created it. Rights belong to this one token: its name may be given again.
    pub event: u64,
}

/// A valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Its name.
    pub name: String,
    /// Who uses it.
    pub holder: String,
    /// What it is for.
    pub scopes: Vec<Scope>,
    /// The event that created it.
    pub event: u64,
}

impl Access {
    /// The token, as changes name it.
    pub fn id(&self) -> TokenId {
        TokenId { name: self.name.as_str().into(), event: self.event }
    }

    /// True if the token has this scope, or is a director's.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope) || self.scopes.contains(&Scope::Director)
    }
}

/// A token in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenInfo {
    /// Its name.
    pub name: String,
    /// Who uses it.
    pub holder: String,
    /// What it is for.
    pub scopes: Vec<Scope>,
    /// Time of expiry, if it expires.
    pub expires: Option<String>,
    /// Time of creation, as RFC 3339.
    pub created: String,
    /// Time of revocation, if it was revoked.
    pub revoked: Option<String>,
}

/// The prefix of every token, so that a leaked one can be recognized.
const PREFIX: &str = "ferz_";

impl Archive {
    /// Creates a token that may read and submit, and never expires; see [`create_token`](Archive::create_token).
    ///
    /// # Errors
    /// If a valid token of this name exists, or the archive cannot be written.
    pub fn add_token(&self, name: &str) -> Result<String, ArchiveError> {
        let scopes = vec![Scope::Read, Scope::Submit];
        let request = TokenRequest { name: name.to_owned(), holder: None, scopes, expires: None };
        Ok(self.create_token(request)?.token)
    }

    /// Creates a token of 256 random bits and returns it, only this once: the archive stores its digest.
    ///
    /// # Errors
    /// If a valid token of this name exists, it would have no scope or be expired already, or the archive cannot be
    /// written.
    pub fn create_token(&self, request: TokenRequest) -> Result<Issued, ArchiveError> {
        let TokenRequest { name, holder, scopes, expires } = request;
        if scopes.is_empty() {
            return Err(ArchiveError::Token("a token needs a scope; write `--scope read,submit`".to_owned()));
        }
        if let Some(expires) = expires.filter(|expires| *expires <= now()) {
            let why = format!("the token would have expired at {}; give a later date", time_text(expires));
            return Err(ArchiveError::Token(why));
        }
        let token = format!("{PREFIX}{}", to_hex(&super::log::random()?));
        let kept = NewToken {
            holder: holder.unwrap_or_else(|| name.clone()),
            name,
            hash: *blake3::hash(token.as_bytes()).as_bytes(),
            scopes: scopes_text(&scopes),
            expires,
        };
        let logged = self.ask(|reply| Job::AddToken(kept, reply))?;
        Ok(Issued { token, logged })
    }

    /// Revokes the valid token of this name. Returns the event, for a receipt.
    ///
    /// # Errors
    /// If there is none, or the archive cannot be written.
    pub fn revoke_token(&self, name: &str) -> Result<Option<Logged>, ArchiveError> {
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

    /// What a valid token allows; `None` if it is unknown, revoked or expired.
    ///
    /// Only its digest is looked up, so the time reveals nothing about valid tokens.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn token_access(&self, token: &str) -> Result<Option<Access>, ArchiveError> {
        self.store().token(blake3::hash(token.as_bytes()).as_bytes(), now())
    }
}
