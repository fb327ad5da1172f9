//! Reading: one entry, pages of entries, all of them.

use super::error::ArchiveError;
use super::filter::{Conditions, Filter};
use super::identity::GameId;
use super::pack::{unpack, unpack_report};
use super::schema::version_of;
use super::{Archive, time_text};
use crate::replay::Options;
use crate::rules::RulesId;
use crate::text::limits::ARCHIVE_PAGE_MAX;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stood: bool,
    /// The name of the token that it was submitted with; nothing for an import, and where no token is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl Arrival {
    /// How the text was read.
    pub fn options(&self) -> Options {
        let style = self.style.as_deref().and_then(|style| style.parse().ok());
        Options { style, variant: self.variant.clone(), stood: self.stood, ..Options::default() }
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

/// The columns of a summary, and the tables they are in.
const SUMMARY: &str = "game.number, game.id, game.variant, white.text, black.text, nature.text, event.text, \
    site.text, game.date, game.round, game.result, game.valid, game.plies, game.ending, game.added, \
    play.rules IS NOT NULL";
const TABLES: &str = "game JOIN name AS white ON white.number = game.white \
    JOIN name AS black ON black.number = game.black LEFT JOIN name AS nature ON nature.number = game.nature \
    JOIN name AS event ON event.number = game.event JOIN name AS site ON site.number = game.site \
    JOIN play ON play.number = game.play";

/// A summary with its number in the order of arrival.
fn summary(row: &Row<'_>) -> rusqlite::Result<(i64, Summary)> {
    let plies: i64 = row.get(12)?;
    let summary = Summary {
        id: GameId(row.get(1)?),
        variant: row.get(2)?,
        white: row.get(3)?,
        black: row.get(4)?,
        nature: row.get(5)?,
        event: row.get(6)?,
        site: row.get(7)?,
        date: row.get(8)?,
        round: row.get(9)?,
        result: row.get(10)?,
        valid: row.get(11)?,
        plies: usize::try_from(plies).unwrap_or(0),
        end: row.get(13)?,
        added: time_text(row.get(14)?),
        judged: row.get(15)?,
    };
    Ok((row.get(0)?, summary))
}

fn summaries(
    connection: &Connection,
    conditions: Conditions,
    order: &str,
    limit: usize,
) -> Result<Vec<(i64, Summary)>, ArchiveError> {
    let wanted = conditions.text();
    let query =
        format!("SELECT {SUMMARY} FROM {TABLES} WHERE {wanted} ORDER BY game.number {order} LIMIT {limit}");
    let mut list = connection.prepare_cached(&query)?;
    let rows = list.query_map(params_from_iter(conditions.values), summary)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Archive {
    /// An entry; nothing if there is none of this identity.
    ///
    /// # Errors
    /// Where the archive cannot be read, or its bytes are damaged.
    pub fn get(&self, id: GameId) -> Result<Option<Entry>, ArchiveError> {
        self.read(|connection| {
            let Some((number, summary)) = one(connection, id)? else { return Ok(None) };
            let (start, moves, rules) = played(connection, number)?;
            let find = "SELECT report FROM submission WHERE game = ?1 ORDER BY number LIMIT 1";
            let report: Vec<u8> = connection.prepare_cached(find)?.query_row([number], |row| row.get(0))?;
            let report = unpack_report(&report)?;
            let moves = moves.split_whitespace().map(str::to_owned).collect();
            let arrivals = arrivals(connection, number)?;
            Ok(Some(Entry { summary, rules, start, moves, report, arrivals }))
        })
    }

    /// The first text that came for an entry, byte for byte; nothing if there is no entry of this identity.
    ///
    /// # Errors
    /// Where the archive cannot be read, or the text is not the one that was kept.
    pub fn original(&self, id: GameId) -> Result<Option<Vec<u8>>, ArchiveError> {
        self.texts_of(id, 1).map(|texts| texts.into_iter().next())
    }

    /// Every different text that came for an entry, byte for byte, the first one first.
    ///
    /// # Errors
    /// Where the archive cannot be read, or a text is not the one that was kept.
    pub fn originals(&self, id: GameId) -> Result<Vec<Vec<u8>>, ArchiveError> {
        self.texts_of(id, i64::MAX)
    }

    fn texts_of(&self, id: GameId, limit: i64) -> Result<Vec<Vec<u8>>, ArchiveError> {
        self.read(|connection| {
            let find = "SELECT text, digest FROM submission \
                WHERE game = (SELECT number FROM game WHERE id = ?1) ORDER BY number LIMIT ?2";
            let mut find = connection.prepare_cached(find)?;
            let rows =
                find.query_map(rusqlite::params![id.0, limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.map(|row| {
                let (text, digest): (Vec<u8>, [u8; 32]) = row?;
                whole(&text, &digest)
            })
            .collect()
        })
    }

    /// Other entries with the same play: rules, start and plies. A record that is not legal has none.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn related(&self, id: GameId) -> Result<Vec<Summary>, ArchiveError> {
        self.read(|connection| {
            let mut conditions = Conditions::default();
            let id = || Value::Blob(id.0.to_vec());
            conditions.add("game.play = (SELECT play FROM game WHERE id = ?)", [id()]);
            conditions.add("game.id <> ?", [id()]);
            let found = summaries(connection, conditions, "ASC", ARCHIVE_PAGE_MAX)?;
            Ok(found.into_iter().map(|(_, summary)| summary).collect())
        })
    }

    /// A page of at most `limit` entries, the latest first. Entries that come between two pages show on neither, and
    /// shift none.
    ///
    /// # Errors
    /// Where the archive cannot be read, the cursor is none, or the filter asks for what no game can be.
    pub fn list(&self, filter: &Filter, limit: usize, cursor: Option<&str>) -> Result<Listing, ArchiveError> {
        let limit = limit.clamp(1, ARCHIVE_PAGE_MAX);
        let mut conditions = filter.conditions()?;
        if let Some(cursor) = cursor {
            conditions.add("game.number < ?", [Value::Integer(from_cursor(cursor)?)]);
        }
        let mut found = self.read(|connection| summaries(connection, conditions, "DESC", limit + 1))?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next_cursor = if more { found.last().map(|(number, _)| to_cursor(*number)) } else { None };
        Ok(Listing { items: found.into_iter().map(|(_, summary)| summary).collect(), next_cursor })
    }
}

fn one(connection: &Connection, id: GameId) -> Result<Option<(i64, Summary)>, ArchiveError> {
    let mut conditions = Conditions::default();
    conditions.add("game.id = ?", [Value::Blob(id.0.to_vec())]);
    Ok(summaries(connection, conditions, "ASC", 1)?.pop())
}

/// Start, plies and rules of an entry.
fn played(connection: &Connection, number: i64) -> Result<(String, String, Option<RulesId>), ArchiveError> {
    let find = "SELECT play.start, play.moves, rules.name, rules.edition, rules.digest FROM play \
        LEFT JOIN rules ON rules.number = play.rules \
        WHERE play.number = (SELECT play FROM game WHERE number = ?1)";
    let mut find = connection.prepare_cached(find)?;
    let found = find.query_row([number], |row| {
        let name: Option<String> = row.get(2)?;
        let rules = match name {
            Some(name) => Some(RulesId { name, edition: row.get(3)?, digest: row.get(4)? }),
            None => None,
        };
        Ok((row.get(0)?, row.get(1)?, rules))
    });
    found.optional()?.ok_or_else(|| ArchiveError::Corrupt(format!("game number {number} has no play")))
}

fn arrivals(connection: &Connection, number: i64) -> Result<Vec<Arrival>, ArchiveError> {
    let token = token_column(connection)?;
    let find = format!(
        "SELECT digest, received, variant, style, stood, {token} FROM submission WHERE game = ?1 ORDER BY number"
    );
    let mut find = connection.prepare_cached(&find)?;
    let rows = find.query_map([number], |row| {
        let digest: [u8; 32] = row.get(0)?;
        Ok(Arrival {
            digest: blake3::Hash::from_bytes(digest).to_string(),
            received: time_text(row.get(1)?),
            variant: row.get(2)?,
            style: row.get(3)?,
            stood: row.get(4)?,
            token: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Where the name of a text's token is: archives before the third version have none.
pub(super) fn token_column(connection: &Connection) -> Result<&'static str, ArchiveError> {
    Ok(if version_of(connection)? < 3 { "NULL" } else { "submission.token" })
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
