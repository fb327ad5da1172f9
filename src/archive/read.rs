//! Reads entries: one, or pages.

use super::Archive;
use super::error::ArchiveError;
use super::filter::{Criteria, Filter};
use super::identity::GameId;
use super::pack::unpack;
use super::rulebook::KeptRules;
use super::texts::{Text, Which};
use super::withdrawals::Withdrawn;
use ferz_core::text::limits::ARCHIVE_PAGE_MAX;
use ferz_records::replay::Options;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Digits of an id that may stand for the whole.
const ID_DIGITS_MIN: usize = 4;

/// Entries that an error lists whose ids begin with the same digits.
const ID_GAMES_LISTED: usize = 8;

/// A summary of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Its id.
    pub id: GameId,
    /// Name of the game, mutators first.
    pub variant: String,
    /// True if it was judged by rules that the program does not bring, such as a definition sent along.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_rules: bool,
    /// White's name; `?` if unknown.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The third player, if the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nature: Option<String>,
    /// Event.
    pub event: String,
    /// Site.
    pub site: String,
    /// Date as in the record.
    pub date: String,
    /// Round.
    pub round: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Whether the whole main line is legal.
    pub valid: bool,
    /// Whether it could be judged: its rules and its start are known. Otherwise it is not `valid`.
    #[serde(skip)]
    pub judged: bool,
    /// Legal plies.
    pub plies: usize,
    /// The ending on the board: `checkmate`, …
    pub end: Option<String>,
    /// Time of the submission, as RFC 3339.
    pub added: String,
    /// The withdrawal, if it was withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<Withdrawn>,
    /// The longest entry that continues this unfinished game: of the same players in the same round of the same event,
    /// with the same plies and more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continued_by: Option<GameId>,
}

/// A game that counts for players: legal, with a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The rules that it was judged by.
    pub rules: std::sync::Arc<crate::KeptRules>,
}

/// A page of entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The entries, the latest first.
    pub items: Vec<Summary>,
    /// The cursor of the next page; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// A submitted text of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arrival {
    /// SHA-256 of the text, 64 hexadecimal digits.
    pub digest: String,
    /// Time of the submission, as RFC 3339.
    pub received: String,
    /// The requested game, which overrides the tag `Variant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The only accepted style.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Whether illegal plies were let stand.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub let_stand: bool,
    /// The name of the token it was submitted with; `None` for an import, and for a service without tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// True if its submitter has withdrawn this text.
    #[serde(rename = "withdrawn", skip_serializing_if = "std::ops::Not::not")]
    pub is_withdrawn: bool,
}

impl Arrival {
    /// The options that the text was read with.
    pub fn options(&self) -> Options {
        let style = self.style.as_deref().and_then(|style| style.parse().ok());
        Options { style, variant: self.variant.clone(), let_stand: self.let_stand, ..Options::default() }
    }
}

/// A whole entry without its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The summary.
    pub summary: Summary,
    /// The rules that its first text was judged by; `None` if it could not be judged.
    pub rules: Option<KeptRules>,
    /// The start as an extended FEN; empty if it could not be judged.
    pub start: String,
    /// The legal plies in coordinate notation.
    pub moves: Vec<String>,
    /// The report on the first text, as JSON; its offsets count from the start of that text.
    pub report: String,
    /// Every different text, the first one first.
    pub arrivals: Vec<Arrival>,
    /// The entries that it continues, the longest first.
    pub continues: Vec<GameId>,
}

impl Entry {
    /// The options that the first text was read with.
    pub fn options(&self) -> Options {
        self.arrivals.first().map(Arrival::options).unwrap_or_default()
    }
}

impl Archive {
    /// The entry with this id, if it exists.
    ///
    /// # Errors
    /// If the archive cannot be read or is damaged, or the entry was forgotten.
    pub fn get(&self, id: GameId) -> Result<Option<Entry>, ArchiveError> {
        match self.store().entry(id, self.limit())? {
            None => self.check_remembered(id).map(|()| None),
            found => Ok(found),
        }
    }

    /// The entry whose id is given, or whose id alone begins with the given digits.
    ///
    /// # Errors
    /// If these are not hexadecimal digits, at least 4 and at most 32, if no id or several begin so, or if the archive
    /// cannot be read.
    pub fn resolve(&self, digits: &str) -> Result<GameId, ArchiveError> {
        if let Ok(id) = digits.parse() {
            return Ok(id);
        }
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || !(ID_DIGITS_MIN..32).contains(&digits.len()) {
            return Err(ArchiveError::Id(digits.to_owned()));
        }
        let games = self.store().beginning(digits, ID_GAMES_LISTED, self.limit())?;
        match games[..] {
            [] => Err(ArchiveError::NoGameBegins(digits.to_owned())),
            [id] => Ok(id),
            _ => Err(ArchiveError::Ambiguous { digits: digits.to_owned(), games }),
        }
    }

    /// The first text of an entry, byte for byte, if the entry exists.
    ///
    /// # Errors
    /// If the archive cannot be read, the text is damaged, or the entry was forgotten.
    pub fn original(&self, id: GameId) -> Result<Option<Vec<u8>>, ArchiveError> {
        match self.first_text(id)? {
            None => self.check_remembered(id).map(|()| None),
            Some(text) => text.bytes().map(Some),
        }
    }

    /// The first text of an entry, still packed, if the entry exists.
    pub(super) fn first_text(&self, id: GameId) -> Result<Option<Text>, ArchiveError> {
        let texts = self.store().texts(&Criteria::of(id), Which::First, 0, self.limit())?;
        Ok(texts.into_iter().next().map(|(_, text)| text))
    }

    /// Every different text of an entry, byte for byte, the first one first.
    ///
    /// # Errors
    /// If the archive cannot be read, a text is damaged, or the entry was forgotten.
    pub fn originals(&self, id: GameId) -> Result<Vec<Vec<u8>>, ArchiveError> {
        let mut texts = Vec::new();
        for page in self.texts(&Filter { id: Some(id), ..Filter::default() }, Which::All) {
            for text in page? {
                texts.push(text.bytes()?);
            }
        }
        if texts.is_empty() {
            self.check_remembered(id)?;
        }
        Ok(texts)
    }

    /// Other entries with the same play: rules, start and plies. A record that is not legal has none.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn related(&self, id: GameId) -> Result<Vec<Summary>, ArchiveError> {
        self.store().related(id, ARCHIVE_PAGE_MAX, self.limit())
    }

    /// A page of at most `limit` entries, latest first. Entries added between two pages appear on neither and shift
    /// none.
    ///
    /// # Errors
    /// If the archive cannot be read, the cursor is invalid, or no game can match the filter.
    pub fn list(&self, filter: &Filter, limit: usize, cursor: Option<&str>) -> Result<Listing, ArchiveError> {
        let limit = limit.clamp(1, ARCHIVE_PAGE_MAX);
        let before = cursor.map(from_cursor).transpose()?;
        let mut found = self.store().find(&filter.criteria()?, before, limit + 1, self.limit())?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next_cursor = if more { found.last().map(|(number, _)| to_cursor(*number)) } else { None };
        Ok(Listing { items: found.into_iter().map(|(_, summary)| summary).collect(), next_cursor })
    }
}

/// Unpacks a stored text and checks its digest.
pub(super) fn whole(packed: &[u8], digest: &[u8; 32]) -> Result<Vec<u8>, ArchiveError> {
    let text = unpack(packed)?;
    if Sha256::digest(&text)[..] == digest[..] {
        return Ok(text);
    }
    Err(ArchiveError::Corrupt("a text is not the submitted one: its digest differs".to_owned()))
}

pub(super) fn to_cursor(number: i64) -> String {
    format!("g{number:x}")
}

pub(super) fn from_cursor(cursor: &str) -> Result<i64, ArchiveError> {
    let number = cursor.strip_prefix('g').and_then(|digits| i64::from_str_radix(digits, 16).ok());
    number.filter(|number| *number > 0).ok_or_else(|| ArchiveError::Cursor(cursor.to_owned()))
}
