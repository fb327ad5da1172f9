//! All texts, page by page: for exports of any size in little memory.

use super::Archive;
use super::error::ArchiveError;
use super::filter::Filter;
use super::identity::GameId;
use super::pack::unpack_report;
use super::read::{token_column, whole};
use crate::notation::Style;
use crate::replay::Options;
use crate::rules::RulesId;
use crate::text::limits::{ARCHIVE_TEXT_BYTES_AT_ONCE, ARCHIVE_TEXTS_AT_ONCE};
use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

/// Which texts of an entry are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Every different one.
    All,
    /// The one that came first.
    First,
}

/// A text that came for an entry, still packed.
#[derive(Debug, Clone)]
pub struct Text {
    /// The entry.
    pub id: GameId,
    /// The rules that it was judged by, if it could be.
    pub rules: Option<RulesId>,
    /// How it was read.
    pub options: Options,
    /// The name of the token that it was submitted with, if it was.
    pub token: Option<String>,
    digest: [u8; 32],
    text: Vec<u8>,
    report: Vec<u8>,
}

impl Text {
    /// The text, byte for byte as it came.
    ///
    /// # Errors
    /// Where it is not the one that was kept.
    pub fn bytes(&self) -> Result<Vec<u8>, ArchiveError> {
        whole(&self.text, &self.digest)
    }

    /// The report on it, as JSON.
    ///
    /// # Errors
    /// Where it is damaged.
    pub fn report(&self) -> Result<String, ArchiveError> {
        unpack_report(&self.report)
    }
}

/// Pages of texts in the order in which they came. Made by [`Archive::texts`].
///
/// Nothing is held open between two pages: whoever writes goes on, and what comes meanwhile is on a later page.
#[derive(Debug)]
pub struct Texts<'a> {
    archive: &'a Archive,
    filter: Filter,
    which: Which,
    /// The number of the last text that was given.
    last: i64,
    ended: bool,
}

impl Archive {
    /// The texts of the entries that are wanted, page by page, in the order in which they came.
    pub fn texts(&self, filter: &Filter, which: Which) -> Texts<'_> {
        Texts { archive: self, filter: filter.clone(), which, last: 0, ended: false }
    }
}

const COLUMNS: &str = "submission.number, game.id, rules.name, rules.edition, rules.digest, submission.variant, \
    submission.style, submission.stood, submission.digest, submission.text, submission.report";
const TABLES: &str = "submission JOIN game ON game.number = submission.game JOIN play ON play.number = game.play \
    LEFT JOIN rules ON rules.number = play.rules";
const IS_FIRST: &str =
    "submission.number = (SELECT min(number) FROM submission AS other WHERE other.game = game.number)";

impl Texts<'_> {
    fn page(&mut self) -> Result<Vec<Text>, ArchiveError> {
        let mut conditions = self.filter.conditions()?;
        conditions.add("submission.number > ?", [Value::Integer(self.last)]);
        if self.which == Which::First {
            conditions.add(IS_FIRST, []);
        }
        let wanted = conditions.text();
        let (mut page, mut bytes) = (Vec::new(), 0);
        self.archive.read(|connection| {
            let token = token_column(connection)?;
            let query = format!(
                "SELECT {COLUMNS}, {token} FROM {TABLES} WHERE {wanted} \
                ORDER BY submission.number LIMIT {ARCHIVE_TEXTS_AT_ONCE}"
            );
            let mut find = connection.prepare_cached(&query)?;
            let mut rows = find.query(params_from_iter(conditions.values))?;
            while let Some(row) = rows.next()? {
                let text = text(row)?;
                self.last = row.get(0)?;
                bytes += text.text.len() + text.report.len();
                page.push(text);
                if bytes > ARCHIVE_TEXT_BYTES_AT_ONCE {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(page)
    }
}

fn text(row: &Row<'_>) -> rusqlite::Result<Text> {
    let name: Option<String> = row.get(2)?;
    let rules = match name {
        Some(name) => Some(RulesId { name, edition: row.get(3)?, digest: row.get(4)? }),
        None => None,
    };
    let style: Option<String> = row.get(6)?;
    let style: Option<Style> = style.and_then(|style| style.parse().ok());
    let options = Options { variant: row.get(5)?, style, stood: row.get(7)?, ..Options::default() };
    let id = GameId(row.get(1)?);
    let token = row.get(11)?;
    Ok(Text { id, rules, options, token, digest: row.get(8)?, text: row.get(9)?, report: row.get(10)? })
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
