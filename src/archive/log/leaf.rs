//! Leaves: what is logged of each change.

use super::tree::Hash;
use crate::error::ArchiveError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The longest leaf, in bytes: entry bundles give its length in 16 bits.
pub(crate) const LEAF_BYTES_MAX: usize = 60 << 10;

/// The random bytes that keep commitments from being guessed. Without them a commitment reveals nothing.
pub(crate) type Salt = [u8; 16];

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Something happened in a game in progress.
    Act,
    /// The key that signs from now on.
    Key,
    /// Rules were stored.
    Rules,
    /// A step of rules on their way to V-Class.
    Register,
    /// A text was submitted, with its entry if that is new.
    Submission,
    /// An entry was withdrawn, or texts of it.
    Withdrawal,
    /// Withdrawals were taken back.
    Reinstatement,
    /// A token was created.
    Token,
    /// A token was revoked.
    Revocation,
    /// The names and texts of an entry were deleted.
    Forgotten,
}

impl Kind {
    /// Its name, as in a leaf.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Act => "act",
            Kind::Key => "key",
            Kind::Rules => "rules",
            Kind::Register => "register",
            Kind::Submission => "submission",
            Kind::Withdrawal => "withdrawal",
            Kind::Reinstatement => "reinstatement",
            Kind::Token => "token",
            Kind::Revocation => "revocation",
            Kind::Forgotten => "forgotten",
        }
    }
}

/// A commitment, or a plain digest: 32 bytes, in Base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Commitment(pub(crate) Hash);

/// An event as canonical JSON: keys sorted, no spaces, numbers whole. Members that a kind of event does not need are
/// absent. It says what happened; no table, row or column is in it.
// The order of the fields is that of the keys.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Leaf<'a> {
    /// What is plain about something that happened in a game in progress.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) act: Option<ActFacts<'a>>,
    /// Why an entry is forgotten.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<Cow<'a, str>>,
    /// The class of rules that are codified.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) class: Option<Cow<'a, str>>,
    /// The SHA-256 of the definition of rules, in hexadecimal digits.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) definition: Option<Cow<'a, str>>,
    /// The edition of rules.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) edition: Option<Cow<'a, str>>,
    /// The events that are forgotten, taken back, or whose texts are withdrawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) events: Vec<u64>,
    /// When a token expires.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<Cow<'a, str>>,
    /// The facts of a game.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<GameFacts<'a>>,
    /// The note by which the key before it hands over, unless that was lost.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) handover: Option<Cow<'a, str>>,
    /// Of the entry, game in progress, rules, token or key that the event is about.
    #[serde(borrow)]
    pub(crate) id: Cow<'a, str>,
    pub(crate) kind: Kind,
    /// The name of rules.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<Cow<'a, str>>,
    /// The hash of the leaf before it with this id, in hexadecimal digits.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) prev: Option<Cow<'a, str>>,
    /// A commitment to what is [`Private`] about the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) private: Option<Commitment>,
    /// What a token is for.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) scopes: Option<Cow<'a, str>>,
    /// The number of the event among those with this id, from 0.
    pub(crate) sequence: u64,
    /// The step of rules in the register: `submitted`, …
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) step: Option<Cow<'a, str>>,
    /// The entry that supersedes a withdrawn one.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) successor: Option<Cow<'a, str>>,
    /// RFC 3339. No event is earlier than the one before it.
    #[serde(borrow)]
    pub(crate) time: Cow<'a, str>,
    /// The key that signs from now on.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) vkey: Option<Cow<'a, str>>,
}

/// What is plain about something that happened in a game in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActFacts<'a> {
    /// Of a ply: the ply in coordinate notation.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) coord: Option<Cow<'a, str>>,
    /// Of an end: the entry that the game became.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<Cow<'a, str>>,
    /// What happened: `ply`, `resigned`, …
    #[serde(borrow)]
    pub(crate) kind: Cow<'a, str>,
    /// Whose act it was: `white`, `black`, `nature`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) player: Option<Cow<'a, str>>,
    /// Of a ply: its number, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ply: Option<u64>,
}

/// What is plain about a submitted game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameFacts<'a> {
    /// How it ended on the board, if it did: `checkmate`, …
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) ending: Option<Cow<'a, str>>,
    /// 1 if the whole main line is legal, else 0.
    pub(crate) legal: u8,
    /// The key of the play.
    #[serde(borrow)]
    pub(crate) play: Cow<'a, str>,
    /// Legal plies.
    pub(crate) plies: u64,
    /// A commitment to the SHA-256 of the report.
    pub(crate) report: Commitment,
    #[serde(borrow)]
    pub(crate) result: Cow<'a, str>,
    /// The digest of the whole definition of the rules that it was judged by, if it could be.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Cow<'a, str>>,
    /// A commitment to the SHA-256 of the text.
    pub(crate) text: Commitment,
    /// The name of the game.
    #[serde(borrow)]
    pub(crate) variant: Cow<'a, str>,
}

/// What an event keeps private, as canonical JSON; its leaf has a commitment to it. Members that an event does not need
/// are absent.
// The order of the fields is that of the keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Private<'a> {
    /// All that happened in a game in progress, as JSON: terms, texts as they were sent, reasons.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) act: Option<Cow<'a, str>>,
    /// Why an entry is withdrawn, or that is taken back.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<Cow<'a, str>>,
    /// Of the first submission of an entry, like the other tags.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) black: Option<Cow<'a, str>>,
    /// The event that created the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<u64>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<Cow<'a, str>>,
    /// Who uses a token.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) holder: Option<Cow<'a, str>>,
    /// 1 if illegal plies of a text were let stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) let_stand: Option<u8>,
    /// The name of a token that was created.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) nature: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) round: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) site: Option<Cow<'a, str>>,
    /// The only style that a text was accepted in.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) style: Option<Cow<'a, str>>,
    /// The name of the token that a text was submitted with, or a withdrawal asked for.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<Cow<'a, str>>,
    /// The game that was asked for, whatever the text says.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) variant: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) white: Option<Cow<'a, str>>,
}

impl Private<'_> {
    /// Its bytes, as JSON.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn json(&self) -> Result<String, ArchiveError> {
        serde_json::to_string(self).map_err(|error| ArchiveError::Database(error.to_string()))
    }

    /// The commitment to it.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn commitment(&self, salt: &Salt) -> Result<Commitment, ArchiveError> {
        Ok(private_commitment(salt, &self.json()?))
    }
}

/// The commitment to what is private about an event, from its JSON.
pub(crate) fn private_commitment(salt: &Salt, json: &str) -> Commitment {
    commitment(salt, "private", &Sha256::digest(json).into())
}

impl<'a> Leaf<'a> {
    /// A leaf without facts, the first one about its id.
    pub(crate) fn new(kind: Kind, id: impl Into<Cow<'a, str>>, time: &'a str) -> Leaf<'a> {
        Leaf {
            act: None,
            because: None,
            class: None,
            definition: None,
            edition: None,
            events: Vec::new(),
            expires: None,
            game: None,
            handover: None,
            id: id.into(),
            kind,
            name: None,
            prev: None,
            private: None,
            scopes: None,
            sequence: 0,
            step: None,
            successor: None,
            time: time.into(),
            vkey: None,
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If they are too many.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, ArchiveError> {
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

/// The commitment to a digest under a label, which says what the digest is of.
pub(crate) fn commitment(salt: &Salt, label: &str, digest: &[u8; 32]) -> Commitment {
    let hash = Sha256::new().chain_update(salt).chain_update(label).chain_update(b"\n").chain_update(digest);
    Commitment(hash.finalize().into())
}

/// A source of salts: as many as needed from one random key, which is not kept.
pub(crate) struct Salts {
    key: [u8; 32],
    count: u64,
}

impl Salts {
    /// A new source.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(crate) fn new() -> Result<Salts, ArchiveError> {
        Ok(Salts { key: random()?, count: 0 })
    }

    /// The next salt.
    pub(crate) fn next(&mut self) -> Salt {
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
pub(crate) fn random() -> Result<[u8; 32], ArchiveError> {
    let mut bytes = [0; 32];
    let random = getrandom::fill(&mut bytes);
    random.map_err(|error| ArchiveError::Io(format!("no random numbers: {error}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if a text is what `serde_json` writes with sorted keys, and has no value but whole numbers and strings.
    fn is_canonical(json: &str) -> bool {
        fn is_plain(value: &serde_json::Value) -> bool {
            match value {
                serde_json::Value::Number(number) => number.is_u64(),
                serde_json::Value::String(_) => true,
                serde_json::Value::Array(all) => all.iter().all(is_plain),
                serde_json::Value::Object(all) => all.values().all(is_plain),
                serde_json::Value::Null | serde_json::Value::Bool(_) => false,
            }
        }
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        is_plain(&value) && sorted(&value) == json
    }

    /// JSON with sorted keys, whatever map `serde_json` has.
    fn sorted(value: &serde_json::Value) -> String {
        match value {
            serde_json::Value::Object(all) => {
                let mut all: Vec<_> = all.iter().collect();
                all.sort_by_key(|(key, _)| *key);
                let members: Vec<String> =
                    all.into_iter().map(|(key, value)| format!("\"{key}\":{}", sorted(value))).collect();
                format!("{{{}}}", members.join(","))
            }
            other => other.to_string(),
        }
    }

    #[test]
    fn leaves_are_canonical() {
        let text = |text: &'static str| Some(Cow::Borrowed(text));
        let facts = GameFacts {
            ending: text("checkmate"),
            legal: 1,
            play: "0f".into(),
            plies: 4,
            report: Commitment([1; 32]),
            result: "0-1".into(),
            rules: text("aa"),
            text: Commitment([2; 32]),
            variant: "chess".into(),
        };
        let act = ActFacts {
            coord: text("e2e4"),
            entry: text("ff"),
            kind: "ply".into(),
            player: text("white"),
            ply: Some(1),
        };
        let full = Leaf {
            act: Some(act),
            because: text("\"so\" \u{1}"),
            definition: text("bb"),
            edition: text("2023"),
            events: vec![3, 4],
            expires: text("2031-01-01T00:00:00.000Z"),
            game: Some(facts),
            handover: text("note"),
            name: text("chess"),
            prev: text("cc"),
            private: Some(Commitment([3; 32])),
            scopes: text("read"),
            sequence: 7,
            successor: text("dd"),
            vkey: text("key"),
            ..Leaf::new(Kind::Submission, "ee", "2031-01-01T00:00:00.000Z")
        };
        for leaf in [full, Leaf::new(Kind::Key, "a", "b")] {
            let json = String::from_utf8(leaf.bytes().unwrap()).unwrap();
            assert!(is_canonical(&json), "{json}");
            assert_eq!(serde_json::from_str::<Leaf<'_>>(&json).unwrap().bytes().unwrap(), json.as_bytes());
        }
        let private = Private {
            act: text("{}"),
            because: text("a"),
            black: text("b"),
            by: Some(2),
            date: text("c"),
            event: text("d"),
            holder: text("e"),
            let_stand: Some(1),
            name: text("f"),
            nature: text("g"),
            round: text("h"),
            site: text("i"),
            style: text("j"),
            token: text("k"),
            variant: text("l"),
            white: text("m"),
        };
        assert!(is_canonical(&private.json().unwrap()), "{private:?}");
    }
}
