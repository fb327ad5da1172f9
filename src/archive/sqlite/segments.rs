//! Reads segments of the index.

use crate::error::ArchiveError;
use crate::index::{Block, Contents, Segment};
use ferz_search::{Fact, RulesKey};
use rusqlite::{Connection, OptionalExtension, Row};

/// The number of a block, by the number of its segment and its first fact.
pub(super) fn block_number(segment: i64, first: u32) -> i64 {
    segment << 32 | i64::from(first)
}

/// See [`Store::segments`](crate::store::Store::segments).
pub(super) fn segments(connection: &Connection) -> Result<Vec<Segment>, ArchiveError> {
    let list = "SELECT number, first, games, version, rules, digest FROM index_segment ORDER BY first";
    let mut list = connection.prepare_cached(list)?;
    let rows = list.query_map([], |row| {
        let games: i64 = row.get(2)?;
        let rules: Vec<u8> = row.get(4)?;
        let rules = rules.chunks_exact(10).filter_map(|entry| {
            let (key, game) = entry.split_first_chunk()?;
            Some((RulesKey(u64::from_le_bytes(*key)), u16::from_le_bytes(game.try_into().ok()?)))
        });
        Ok(Segment {
            number: row.get(0)?,
            first: row.get(1)?,
            games: usize::try_from(games).unwrap_or(0),
            version: row.get(3)?,
            rules: rules.collect(),
            digest: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Reads of a segment in one state, even if another program merges it meanwhile; `None` if it is gone.
fn of_segment<T>(
    connection: &Connection,
    segment: &Segment,
    read: impl FnOnce(&Connection, Vec<u8>) -> rusqlite::Result<T>,
) -> Result<Option<T>, ArchiveError> {
    let transaction = connection.unchecked_transaction()?;
    let find =
        "SELECT tags FROM index_segment WHERE number = ?1 AND first = ?2 AND games = ?3 AND version = ?4";
    let row = (segment.number, segment.first, segment.games as i64, segment.version);
    let tags: Option<Vec<u8>> =
        transaction.prepare_cached(find)?.query_row(row, |row| row.get(0)).optional()?;
    Ok(tags.map(|tags| read(&transaction, tags)).transpose()?)
}

fn block(row: &Row<'_>) -> rusqlite::Result<Block> {
    Ok((row.get::<_, i64>(0)? as u32, row.get(1)?))
}

/// See [`Store::contents`](crate::store::Store::contents).
pub(super) fn contents(connection: &Connection, segment: &Segment) -> Result<Option<Contents>, ArchiveError> {
    of_segment(connection, segment, |connection, tags| {
        let all = |table: &str| -> rusqlite::Result<Vec<Block>> {
            let all =
                format!("SELECT number, bytes FROM {table} WHERE number BETWEEN ?1 AND ?2 ORDER BY number");
            let mut all = connection.prepare_cached(&all)?;
            let bounds = [0, u32::MAX].map(|bound| block_number(segment.number, bound));
            all.query_map(bounds, block)?.collect()
        };
        Ok(Contents { blocks: all("index_block")?, tags, games: all("index_game")? })
    })
}

/// See [`Store::tags`](crate::store::Store::tags).
pub(super) fn tags(connection: &Connection, segment: &Segment) -> Result<Option<Vec<u8>>, ArchiveError> {
    of_segment(connection, segment, |_, tags| Ok(tags))
}

/// See [`Store::blocks`](crate::store::Store::blocks).
pub(super) fn blocks(
    connection: &Connection,
    segment: &Segment,
    facts: &[Fact],
) -> Result<Option<Vec<Block>>, ArchiveError> {
    of_segment(connection, segment, |connection, _| {
        let find = "SELECT number, bytes FROM index_block WHERE number = ?1";
        let mut find = connection.prepare_cached(find)?;
        let last = "SELECT max(number) FROM index_block WHERE number BETWEEN ?1 AND ?2";
        let mut last = connection.prepare_cached(last)?;
        let bound = |fact| block_number(segment.number, fact);
        let mut found: Vec<Block> = Vec::new();
        let mut before = None;
        for fact in facts {
            // The block that begins with it, or the last one before it. Several facts may share one.
            let number: Option<i64> = last.query_row([bound(0), bound(fact.0)], |row| row.get(0))?;
            if number.is_some() && number != before {
                before = number;
                found.extend(find.query_row([number], block).optional()?);
            }
        }
        Ok(found)
    })
}

/// See [`Store::games`](crate::store::Store::games).
pub(super) fn games(
    connection: &Connection,
    segment: &Segment,
    blocks: &[u32],
) -> Result<Option<Vec<Block>>, ArchiveError> {
    of_segment(connection, segment, |connection, _| {
        let mut find = connection.prepare_cached("SELECT number, bytes FROM index_game WHERE number = ?1")?;
        let mut found = Vec::new();
        for number in blocks {
            found.extend(find.query_row([block_number(segment.number, *number)], block).optional()?);
        }
        Ok(found)
    })
}

/// See [`Store::forgotten_entries`](crate::store::Store::forgotten_entries).
pub(super) fn forgotten_entries(connection: &Connection) -> Result<u64, ArchiveError> {
    let count: i64 =
        connection.prepare_cached("SELECT count(*) FROM forgotten")?.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}
