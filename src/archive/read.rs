//! Reading: one entry, pages of entries, all of them.

use super::Archive;
use super::error::ArchiveError;
use super::filter::{Criteria, Filter};
use super::identity::GameId;
use super::pack::unpack;
use super::texts::Which;
use crate::replay::Options;
use crate::rules::RulesId;
use crate::text::limits::ARCHIVE_PAGE_MAX;
use serde::Serialize;

/// An entry in brief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Its identity.
    pub id: GameId,
    /// Name of the game, mutators in front.
    pub variant: String,
    /// Who played White; `?` if that is not known.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// The third player of the games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nature: Option<String>,
    /// Event.
    pub event: String,
    /// Site.
    pub site: String,
    /// Date, as the record has it.
    pub date: String,
    /// Round.
    pub round: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Whether the whole main line is legal.
    pub valid: bool,
    /// Whether it could be judged: its rules and its start are known. What could not is not `valid`.
    #[serde(skip)]
    pub judged: bool,
    /// Legal plies.
    pub plies: usize,
    /// The ending that the board shows: `checkmate`, …
    pub end: Option<String>,
    /// When it came, as RFC 3339.
    pub added: String,
}

/// A page of entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The entries, the latest first.
    pub items: Vec<Summary>,
    /// What the next page is asked for with; nothing behind the last.
    pub next_cursor: Option<String>,
}

/// A text that came for an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arrival {
    /// BLAKE3 of the text, 64 hexadecimal digits.
    pub digest: String,
    /// When it came, as RFC 3339.
    pub received: String,
    /// The game that was asked for, whatever the text says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The only style that was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Whether illegal plies were to stand.
    #[serde(rename = "stood", skip_serializing_if = "std::ops::Not::not")]
    pub let_stand: bool,
    /// The name of the token that it was submitted with; nothing for an import, and where no token is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl Arrival {
    /// How the text was read.
    pub fn options(&self) -> Options {
        let style = self.style.as_deref().and_then(|style| style.parse().ok());
        Options { style, variant: self.variant.clone(), let_stand: self.let_stand, ..Options::default() }
    }
}

/// A whole entry, but for its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The entry in brief.
    pub summary: Summary,
    /// The rules that it was judged by, if it could be.
    pub rules: Option<RulesId>,
    /// The position that it starts from, as an extended FEN; empty if it could not be judged.
    pub start: String,
    /// The legal plies in coordinate notation.
    pub moves: Vec<String>,
    /// The report on the first text, as JSON; its places count from that text's first byte.
    pub report: String,
    /// Every different text that came, the first one first.
    pub arrivals: Vec<Arrival>,
}

impl Entry {
    /// How the first text was read.
    pub fn options(&self) -> Options {
        self.arrivals.first().map(Arrival::options).unwrap_or_default()
    }
}

impl Archive {
    /// An entry; nothing if there is none of this identity.
    ///
    /// # Errors
    /// Where the archive cannot be read, or its bytes are damaged.
    pub fn get(&self, id: GameId) -> Result<Option<Entry>, ArchiveError> {
        self.store().entry(id, self.limit())
    }

    /// The first text that came for an entry, byte for byte; nothing if there is no entry of this identity.
    ///
    /// # Errors
    /// Where the archive cannot be read, or the text is not the one that was kept.
    pub fn original(&self, id: GameId) -> Result<Option<Vec<u8>>, ArchiveError> {
        let texts = self.store().texts(&Criteria::of(id), Which::First, 0, self.limit())?;
        texts.first().map(|(_, text)| text.bytes()).transpose()
    }

    /// Every different text that came for an entry, byte for byte, the first one first.
    ///
    /// # Errors
    /// Where the archive cannot be read, or a text is not the one that was kept.
    pub fn originals(&self, id: GameId) -> Result<Vec<Vec<u8>>, ArchiveError> {
        let mut texts = Vec::new();
        for page in self.texts(&Filter { id: Some(id), ..Filter::default() }, Which::All) {
            for text in page? {
                texts.push(text.bytes()?);
            }
        }
        Ok(texts)
    }

    /// Other entries with the same play: rules, start and plies. A record that is not legal has none.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn related(&self, id: GameId) -> Result<Vec<Summary>, ArchiveError> {
        self.store().related(id, ARCHIVE_PAGE_MAX, self.limit())
    }

    /// A page of at most `limit` entries, the latest first. Entries that come between two pages show on neither, and
    /// shift none.
    ///
    /// # Errors
    /// Where the archive cannot be read, the cursor is none, or the filter asks for what no game can be.
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

/// A text that was kept, if it is still the one that came.
pub(super) fn whole(packed: &[u8], digest: &[u8; 32]) -> Result<Vec<u8>, ArchiveError> {
    let text = unpack(packed)?;
    if blake3::hash(&text).as_bytes() == digest {
        return Ok(text);
    }
    Err(ArchiveError::Corrupt("a text is not the one that came: its digest differs".to_owned()))
}

fn to_cursor(number: i64) -> String {
    format!("g{number:x}")
}

fn from_cursor(cursor: &str) -> Result<i64, ArchiveError> {
    let number = cursor.strip_prefix('g').and_then(|digits| i64::from_str_radix(digits, 16).ok());
    number.filter(|number| *number > 0).ok_or_else(|| ArchiveError::Cursor(cursor.to_owned()))
}
