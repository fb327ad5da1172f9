//! Leaves: what is logged of each change.

use super::tree::Hash;
use crate::archive::error::ArchiveError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The longest leaf, in bytes: entry bundles give its length in 16 bits.
pub(in crate::archive) const LEAF_BYTES_MAX: usize = 60 << 10;

/// The random bytes that keep commitments from being guessed. Without them a commitment reveals nothing.
pub(in crate::archive) type Salt = [u8; 16];

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::archive) enum Kind {
    /// The key that signs from now on.
    Key,
    /// Rules were stored.
    Rules,
    /// A text was stored, with its entry if that is new.
    Submission,
    /// An entry was withdrawn.
    Withdrawal,
    /// A token was created.
    Token,
    /// A token was revoked.
    Revocation,
    /// The names and texts of an entry were deleted.
    Forgotten,
    /// Rows from before the log were entered.
    Adopted,
}

/// A commitment, or a plain digest: 32 bytes, in Base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::archive) struct Commitment(pub(in crate::archive) Hash);

/// A row that an event added: its table, its number, a commitment to all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::archive) struct LoggedRow<'a>(
    #[serde(borrow)] pub(in crate::archive) Cow<'a, str>,
    pub(in crate::archive) i64,
    pub(in crate::archive) Commitment,
);

/// A leaf as JSON. Members that a kind of event does not need are absent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::archive) struct Leaf<'a> {
    pub(in crate::archive) kind: Kind,
    /// Of the entry, rules, token or key that the event is about.
    #[serde(borrow)]
    pub(in crate::archive) id: Cow<'a, str>,
    /// The number of the event among those with this id, from 0.
    pub(in crate::archive) sequence: u64,
    /// The hash of the leaf before it with this id, in hexadecimal digits.
    #[serde(borrow)]
    pub(in crate::archive) prev: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(in crate::archive) time: Cow<'a, str>,
    /// What was adopted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) of: Option<Kind>,
    /// The time that an adopted row states.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) stated: Option<Cow<'a, str>>,
    /// The facts of a game.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) game: Option<GameFacts<'a>>,
    /// The entry that supersedes a withdrawn one.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) successor: Option<Cow<'a, str>>,
    /// What a token is for.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) scopes: Option<Cow<'a, str>>,
    /// When a token expires.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) expires: Option<Cow<'a, str>>,
    /// The key that signs from now on.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) vkey: Option<Cow<'a, str>>,
    /// The note by which the key before it hands over, unless that was lost.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) handover: Option<Cow<'a, str>>,
    /// Why an entry is forgotten.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) because: Option<Cow<'a, str>>,
    /// The events that are forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::archive) events: Vec<u64>,
    /// The names whose rows are forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::archive) names: Vec<i64>,
    /// The rows that the event added, or what it left of rows.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::archive) rows: Vec<LoggedRow<'a>>,
}

/// What is plain about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::archive) struct GameFacts<'a> {
    /// The key of the play.
    #[serde(borrow)]
    pub(in crate::archive) play: Cow<'a, str>,
    pub(in crate::archive) valid: bool,
    pub(in crate::archive) plies: i64,
    #[serde(borrow)]
    pub(in crate::archive) result: Cow<'a, str>,
    /// A commitment to the SHA-256 of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::archive) text: Option<Commitment>,
}

impl<'a> Leaf<'a> {
    /// A leaf without facts.
    pub(in crate::archive) fn new(kind: Kind, id: impl Into<Cow<'a, str>>, time: &'a str) -> Leaf<'a> {
        Leaf {
            kind,
            id: id.into(),
            sequence: 0,
            prev: None,
            time: time.into(),
            of: None,
            stated: None,
            game: None,
            successor: None,
            scopes: None,
            expires: None,
            vkey: None,
            handover: None,
            because: None,
            events: Vec::new(),
            names: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If they are too many.
    pub(in crate::archive) fn bytes(&self) -> Result<Vec<u8>, ArchiveError> {
        let mut bytes = Vec::with_capacity(1 << 10);
        serde_json::to_writer(&mut bytes, self).map_err(|error| ArchiveError::Database(error.to_string()))?;
        if bytes.len() > LEAF_BYTES_MAX {
            return Err(ArchiveError::LeafTooLong(bytes.len()));
        }
        Ok(bytes)
    }
}

impl Serialize for Commitment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = [0; 44];
        let length = STANDARD.encode_slice(self.0, &mut text).map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(std::str::from_utf8(&text[..length]).map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Commitment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Commitment, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let bytes = super::note::hash(&text);
        bytes.map(Commitment).ok_or_else(|| serde::de::Error::custom("a commitment has 32 bytes in Base64"))
    }
}

/// The commitment to a digest under a label; without a salt, a plain digest of both.
pub(in crate::archive) fn commitment(salt: Option<&Salt>, label: &str, digest: &[u8; 32]) -> Commitment {
    let salt = salt.map_or(&[][..], |salt| salt);
    let hash = Sha256::new().chain_update(salt).chain_update(label).chain_update(b"\n").chain_update(digest);
    Commitment(hash.finalize().into())
}

/// A source of salts: as many as needed from one random key, which is not kept.
pub(in crate::archive) struct Salts {
    key: [u8; 32],
    count: u64,
}

impl Salts {
    /// A new source.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(in crate::archive) fn new() -> Result<Salts, ArchiveError> {
        Ok(Salts { key: random()?, count: 0 })
    }

    /// The next salt.
    pub(in crate::archive) fn next(&mut self) -> Salt {
        self.count += 1;
        let hash = blake3::keyed_hash(&self.key, &self.count.to_le_bytes());
        let mut salt = [0; 16];
        salt.copy_from_slice(&hash.as_bytes()[..16]);
        salt
    }
}

/// 32 random bytes.
///
/// # Errors
/// If the system has none.
pub(in crate::archive) fn random() -> Result<[u8; 32], ArchiveError> {
    let mut bytes = [0; 32];
    let random = getrandom::fill(&mut bytes);
    random.map_err(|error| ArchiveError::Io(format!("no random numbers: {error}")))?;
    Ok(bytes)
}
