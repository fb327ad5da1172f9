//! The keys that make two records one play, and two submissions one entry; and the ids of entries, which tell neither.
//!
//! `formats/ARCHIVE.md` defines them byte by byte, so that other programs can compute them.

use super::error::ArchiveError;
use super::log::Salt;
use ferz_core::rules::RulesId;
use ferz_records::record::{Record, day};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The id of an entry: a digest of what makes it, with a salt that is kept beside its names. Without the salt it cannot
/// be found out from the id whose game it is, and an entry that is forgotten loses its salt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub(super) [u8; 16]);

impl GameId {
    /// The id of an entry with this key and this salt.
    pub(super) fn of(entry: EntryKey, salt: &Salt) -> GameId {
        let mut key = Key::new("ferz id 1");
        key.field(salt);
        key.field(&entry.0);
        GameId(key.finish())
    }
}

/// By which two submissions are of one entry: their plays and their tags are the same. It has no salt, so it is in no
/// event of the log, and is deleted when the entry is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EntryKey(pub(super) [u8; 16]);

impl EntryKey {
    /// By which a forgotten entry is known again by those who have the signing key, and by no one else.
    pub(super) fn seal(self, secret: &[u8; 32]) -> [u8; 16] {
        shortened(blake3::keyed_hash(secret, &self.0).as_bytes())
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl FromStr for GameId {
    type Err = ArchiveError;

    fn from_str(text: &str) -> Result<GameId, ArchiveError> {
        from_hex(text).map(GameId).ok_or_else(|| ArchiveError::Id(text.to_owned()))
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Bytes as hexadecimal digits, two each; faster than formatting.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| DIGITS[usize::from(half)] as char;
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes of exactly as many pairs of hexadecimal digits; `None` for any other text.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

/// A digest over fields, each with its length before it, so that different lists of fields never have the same bytes.
pub(super) struct Key(Vec<u8>);

/// The usual number of bytes in a key's fields.
const KEY_BYTES: usize = 1 << 10;

impl Key {
    /// Starts a key of a kind: keys of different kinds are never equal.
    pub(super) fn new(kind: &str) -> Key {
        // Hashed at once: feeding a hasher a few bytes at a time is several times slower.
        let mut key = Key(Vec::with_capacity(KEY_BYTES));
        key.field(kind.as_bytes());
        key
    }

    pub(super) fn field(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn finish(self) -> [u8; 16] {
        shortened(&self.finish_whole())
    }

    /// All 32 bytes of the digest.
    pub(super) fn finish_whole(self) -> [u8; 32] {
        *blake3::hash(&self.0).as_bytes()
    }
}

/// The first half of a digest.
pub(super) fn shortened(digest: &[u8; 32]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}

/// The play: rules, start, plies. For a record that is not legal, also the text, because its legal plies do not say
/// what was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Play {
    /// An extended FEN; empty if the game could not be judged.
    pub(super) start: Arc<str>,
    /// The legal plies in coordinate notation, separated by spaces.
    pub(super) moves: String,
    /// The key of the text, if the record is not legal or its start is unknown.
    pub(super) text_key: Option<[u8; 16]>,
}

impl Play {
    /// The key of the play under its rules.
    pub(super) fn key(&self, rules: Option<&RulesId>) -> [u8; 16] {
        self.key_with(rules, self.text_key.as_ref())
    }

    /// The key that the log states for the play of an entry. A key that is made from a text tells whose game it is to
    /// all who can guess the text, so the id of the entry takes the place of the text's key.
    pub(super) fn logged_key(&self, rules: Option<&RulesId>, entry: GameId) -> [u8; 16] {
        self.key_with(rules, self.text_key.map(|_| entry.0).as_ref())
    }

    fn key_with(&self, rules: Option<&RulesId>, only: Option<&[u8; 16]>) -> [u8; 16] {
        let mut key = Key::new("ferz play 1");
        let [name, edition, digest] = match rules {
            Some(RulesId { name, edition, digest }) => [&**name, edition, digest],
            None => [""; 3],
        };
        for field in [name, edition, digest, &self.start, &self.moves] {
            key.field(field.as_bytes());
        }
        key.field(only.map_or(&[], |only| only));
        key.finish()
    }
}

/// The key of a text, without the white space around it.
pub(super) fn text_key(text: &[u8]) -> [u8; 16] {
    let mut key = Key::new("ferz text 1");
    key.field(text.trim_ascii());
    key.finish()
}

/// Players, date and place from the tags, with the values of PGN for unknown ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) white: String,
    pub(super) black: String,
    /// The third player, if the game has one.
    pub(super) nature: Option<String>,
    pub(super) event: String,
    pub(super) site: String,
    pub(super) date: String,
    pub(super) round: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(super) result: String,
}

impl Header {
    /// The header of a record whose report gives a result.
    pub(super) fn of(record: &Record<'_>, result: Option<&str>) -> Header {
        let tag = |name: &str, unknown: &str| {
            let value = record.tag(name).unwrap_or(Cow::Borrowed(""));
            // As in the export format, which has no line ends inside values.
            let value = match value.contains(['\n', '\r']) {
                true => Cow::Owned(value.replace(['\n', '\r'], " ")),
                false => value,
            };
            let value = value.trim();
            if value.is_empty() { unknown.to_owned() } else { value.to_owned() }
        };
        // The partners of a game on two boards are one side.
        let side = |own: &str, [first, partner]: [&str; 2]| match record.names_four_players() {
            true => format!("{} & {}", tag(first, "?"), tag(partner, "?")),
            false => tag(own, "?"),
        };
        Header {
            white: side("White", ["WhiteA", "BlackB"]),
            black: side("Black", ["BlackA", "WhiteB"]),
            nature: Some(tag("Nature", "")).filter(|name| !name.is_empty()),
            event: tag("Event", "?"),
            site: tag("Site", "?"),
            date: tag("Date", "????.??.??"),
            round: tag("Round", "?"),
            result: result.unwrap_or("*").to_owned(),
        }
    }

    /// The key of the entry of a play with this header.
    pub(super) fn key(&self, play: &[u8; 16]) -> EntryKey {
        let mut key = Key::new("ferz game 1");
        key.field(play);
        let Header { white, black, nature, event, site: _, date, round, result } = self;
        let nature = nature.as_deref().unwrap_or_default();
        for field in [white, black, nature, event, date, round, result] {
            key.field(field.as_bytes());
        }
        EntryKey(key.finish())
    }

    /// The date as a number, `19840500` for May 1984; `None` if the year is unknown.
    pub(super) fn day(&self) -> Option<i64> {
        day(&self.date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_records::record::read;

    fn header(tags: &str) -> Header {
        let text = format!("{tags}\n\n1. e4 *");
        Header::of(&read(text.as_bytes(), 0).next().unwrap(), Some("*"))
    }

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = GameId([7; 16]);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.to_string().to_uppercase().parse(), Ok(id));
        for wrong in ["", "12", &"g".repeat(32), &"é".repeat(16), &"0".repeat(33)] {
            assert_eq!(wrong.parse::<GameId>(), Err(ArchiveError::Id(wrong.to_owned())));
        }
    }

    #[test]
    fn ids_and_logged_keys_tell_no_text() {
        let entry = header("[White \"A\"]").key(&[0; 16]);
        assert_ne!(GameId::of(entry, &[1; 16]), GameId::of(entry, &[2; 16]));
        let legal = Play { start: "a".into(), moves: "b".into(), text_key: None };
        let of_text = |text: &[u8]| Play { text_key: Some(text_key(text)), ..legal.clone() };
        let (one, two) = (of_text(b"[White \"A\"]"), of_text(b"[White \"B\"]"));
        let id = GameId([7; 16]);
        assert_ne!(one.key(None), two.key(None));
        assert_eq!(one.logged_key(None, id), two.logged_key(None, id));
        assert_eq!(legal.logged_key(None, id), legal.key(None));
    }

    #[test]
    fn what_is_missing_is_unknown() {
        let said = "[Event \"?\"]\n[White \" ? \"]\n[Black \"\"]\n[Date \"????.??.??\"]\n[Round \"?\"]";
        assert_eq!(header(said), header(""));
        assert_ne!(header("[Round \"-\"]").key(&[0; 16]), header("").key(&[0; 16]));
        assert_eq!(header("[Site \"Linares\"]").key(&[0; 16]), header("").key(&[0; 16]));
        assert_ne!(header("[White \"A\"]").key(&[0; 16]), header("[Black \"A\"]").key(&[0; 16]));
    }

    #[test]
    fn fields_do_not_run_together() {
        let play = |start: &str, moves: &str| {
            Play { start: start.into(), moves: moves.into(), text_key: None }.key(None)
        };
        assert_ne!(play("ab", "c"), play("a", "bc"));
        let not_legal = Play { start: "ab".into(), moves: "c".into(), text_key: Some([0; 16]) };
        assert_ne!(not_legal.key(None), play("ab", "c"));
        let rules = RulesId { name: "chess".into(), edition: "1".into(), digest: "d".into() };
        assert_ne!(not_legal.key(Some(&rules)), not_legal.key(None));
        assert_eq!(text_key(b"\r\n 1. e4 *\n\n"), text_key(b"1. e4 *"));
        assert_ne!(text_key(b"1.  e4 *"), text_key(b"1. e4 *"));
    }
}
