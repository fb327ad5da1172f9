//! All texts, page by page, so that exports of any size need little memory.

use super::Archive;
use super::error::ArchiveError;
use super::filter::{Criteria, Filter};
use super::identity::{EntryKey, GameId};
use super::pack::unpack_report;
use super::read::whole;
use super::rulebook::KeptRules;
use ferz_records::replay::Options;

/// A choice of an entry's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Every different text.
    All,
    /// The first text.
    First,
}

/// A submitted text of an entry, still packed.
#[derive(Debug, Clone)]
pub struct Text {
    /// The entry.
    pub id: GameId,
    /// The number of the entry in order of arrival.
    pub(super) entry: i64,
    /// The rules that it was judged by; `None` if it could not be judged.
    pub rules: Option<KeptRules>,
    /// The options that it was read with.
    pub options: Options,
    /// The name of the token it was submitted with, if any.
    pub token: Option<String>,
    pub(super) digest: [u8; 32],
    pub(super) text: Vec<u8>,
    pub(super) report: Vec<u8>,
    pub(super) text_key: [u8; 16],
    /// The key of the entry; `None` once it is forgotten.
    pub(super) key: Option<EntryKey>,
    /// The key of the entry's play.
    pub(super) play: [u8; 16],
}

impl Text {
    /// The number of the entry in order of arrival, from 1.
    pub fn number(&self) -> i64 {
        self.entry
    }

    /// The text, byte for byte as submitted.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn bytes(&self) -> Result<Vec<u8>, ArchiveError> {
        whole(&self.text, &self.digest)
    }

    /// The report on it, as JSON.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn report(&self) -> Result<String, ArchiveError> {
        unpack_report(&self.report)
    }
}

/// Pages of texts in order of arrival. Made by [`Archive::texts`].
///
/// Nothing is held open between two pages: writers are not blocked, and new texts are on a later page.
#[derive(Debug)]
pub struct Texts<'a> {
    archive: &'a Archive,
    /// Why no game can match, or what is wanted.
    wanted: Result<Criteria, ArchiveError>,
    which: Which,
    /// The number of the last returned text.
    last: i64,
    ended: bool,
}

impl Archive {
    /// The texts of the matching entries, page by page, in order of arrival.
    pub fn texts(&self, filter: &Filter, which: Which) -> Texts<'_> {
        Texts { archive: self, wanted: filter.criteria(), which, last: 0, ended: false }
    }

    /// The texts of entries, page by page, in order of arrival.
    pub(super) fn wanted_texts(&self, wanted: Criteria, which: Which) -> Texts<'_> {
        Texts { archive: self, wanted: Ok(wanted), which, last: 0, ended: false }
    }
}

impl Texts<'_> {
    fn page(&mut self) -> Result<Vec<Text>, ArchiveError> {
        let wanted = self.wanted.as_ref().map_err(Clone::clone)?;
        let archive = self.archive;
        let page = archive.store().texts(wanted, self.which, self.last, archive.limit())?;
        self.last = page.last().map_or(self.last, |(number, _)| *number);
        Ok(page.into_iter().map(|(_, text)| text).collect())
    }
}

impl Iterator for Texts<'_> {
    type Item = Result<Vec<Text>, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let page = self.page();
        self.ended = page.as_ref().map_or(true, Vec::is_empty);
        (!matches!(&page, Ok(page) if page.is_empty())).then_some(page)
    }
}
