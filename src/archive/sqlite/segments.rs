//! Reads segments of the index.

use crate::error::ArchiveError;
use crate::index::{Block, Segment};
use ferz_search::{Fact, RulesKey};
use rusqlite::{Connection, OptionalExtension, Row};

/// The number of a block, by the number of its segment and its first fact.
pub(super) fn block_number(segment: i64, first: u32) -> i64 {
    segment << 32 | i64::from(first)
}

/// See [`Store::segments`](crate::store::Store::segments).
pub(super) fn segments(connection: &Connection) -> Result<Vec<Segment>, ArchiveError> {
    let list = "SELECT number, first, games, version, rules, digest FROM segment ORDER BY first";
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

/// See [`Store::tags`](crate::store::Store::tags).
pub(super) fn tags(connection: &Connection, segment: &Segment) -> Result<Option<Vec<u8>>, ArchiveError> {
    let find = "SELECT tags FROM segment WHERE number = ?1 AND first = ?2 AND games = ?3 AND version = ?4";
    let row = (segment.number, segment.first, segment.games as i64, segment.version);
    Ok(connection.prepare_cached(find)?.query_row(row, |row| row.get(0)).optional()?)
}

/// See [`Store::blocks`](crate::store::Store::blocks).
pub(super) fn blocks(
    connection: &Connection,
    segment: &Segment,
    facts: Option<&[Fact]>,
) -> Result<Option<Vec<Block>>, ArchiveError> {
    // The segment and its blocks in one state, even if another program merges it meanwhile.
    let transaction = connection.unchecked_transaction()?;
    let find = "SELECT 1 FROM segment WHERE number = ?1 AND first = ?2 AND games = ?3 AND version = ?4";
    let row = (segment.number, segment.first, segment.games as i64, segment.version);
    if !transaction.prepare_cached(find)?.exists(row)? {
        return Ok(None);
    }
    let bound = |fact| block_number(segment.number, fact);
    let block = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u32, row.get(1)?));
    let Some(facts) = facts else {
        let all = "SELECT number, bytes FROM block WHERE number BETWEEN ?1 AND ?2 ORDER BY number";
        let mut all = transaction.prepare_cached(all)?;
        let rows = all.query_map([bound(0), bound(u32::MAX)], block)?;
        return Ok(Some(rows.collect::<Result<_, _>>()?));
    };
    let find = "SELECT number, bytes FROM block WHERE number BETWEEN ?1 AND ?2 ORDER BY number DESC LIMIT 1";
    let mut find = transaction.prepare_cached(find)?;
    let last = "SELECT max(number) FROM block WHERE number BETWEEN ?1 AND ?2";
    let mut last = transaction.prepare_cached(last)?;
    let mut found: Vec<Block> = Vec::new();
    let mut before = None;
    for fact in facts {
        // The block that begins with it, or the last one before it. Several facts may share one.
        let number: Option<i64> = last.query_row([bound(0), bound(fact.0)], |row| row.get(0))?;
        if number.is_some() && number != before {
            before = number;
            found.extend(find.query_row([number, number], block).optional()?);
        }
    }
    Ok(Some(found))
}

/// See [`Store::forgotten_entries`](crate::store::Store::forgotten_entries).
pub(super) fn forgotten_entries(connection: &Connection) -> Result<u64, ArchiveError> {
    let count: i64 =
        connection.prepare_cached("SELECT count(*) FROM forgotten")?.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}
