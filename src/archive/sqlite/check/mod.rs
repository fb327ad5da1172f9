//! Checks the file, its structure and every row.

mod catalog;
mod definitions;
mod derived;
mod log;
#[cfg(test)]
mod tests;

use super::find::rules_of;
use super::head::{Head, NUMBERED};
use super::open::version_of;
use super::seal::{OldRows, SEALED, WITHDRAWAL, token_list, token_seal};
use crate::archive::error::ArchiveError;
use crate::archive::identity::{GameId, Header, Play};
use crate::archive::log::Anchor;
use crate::archive::pack::{DICTIONARY, DICTIONARY_NUMBER};
use crate::archive::verify::{Finding, damage, step};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::path::Path;

/// See [`Store::check`](crate::archive::store::Store::check).
pub(super) fn check(
    connection: &Connection,
    archive: &Path,
    anchors: &[Anchor],
    found: &mut dyn FnMut(Finding),
) -> Result<u64, ArchiveError> {
    let version = version_of(connection)?;
    structure(connection, found)?;
    step(catalog::check(connection, version, found), found)?;
    step(rows(connection, version, found), found)?;
    match version {
        5.. => step(log::check(connection, archive, anchors, found), found)?,
        _ if anchors.is_empty() => {}
        _ => found(damage(None, format!("an archive of version {version} has no log"))),
    }
    step(bare_entries(connection, found), found)?;
    step(dictionary(connection, version, found), found)?;
    // What is left of forgotten entries is in the log.
    let remembered = match version {
        5.. => "game.number NOT IN (SELECT game FROM forgotten)",
        _ => "1",
    };
    step(definitions::check(connection, remembered, found), found)?;
    step(plays(connection, found), found)?;
    let mut count = 0;
    step(games(connection, remembered, &mut count, found), found)?;
    step(derived::check(connection, remembered, found), found)?;
    Ok(count)
}

/// SQLite's own checks.
fn structure(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let mut check = connection.prepare("PRAGMA integrity_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let message: String = row.get(0)?;
        if message != "ok" {
            found(damage(None, message));
        }
    }
    let mut check = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let (table, number, parent): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        found(damage(None, format!("row {number} of `{table}` refers to a missing row of `{parent}`")));
    }
    Ok(())
}

/// Rows are numbered without gaps and the head has their number, so deleted rows are detected. Seals detect changed
/// rows.
fn rows(connection: &Connection, version: i64, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    // One state of the file, even if others write meanwhile.
    let transaction = connection.unchecked_transaction()?;
    let head = if version < 3 { None } else { head(&transaction, version, found)? };
    for (index, table) in NUMBERED.into_iter().enumerate() {
        numbered(&transaction, table, head.map(|head| head.last[index]), found)?;
    }
    let withdrawals = (version >= 4).then_some(WITHDRAWAL);
    if let Some(sealed) = &withdrawals {
        numbered(&transaction, sealed.table, head.map(|head| head.withdrawals), found)?;
    }
    let mut old_rows = OldRows::default();
    for (index, sealed) in SEALED.iter().chain(&withdrawals).enumerate() {
        let old = head.and_then(|head| head.old.get(index).copied()).unwrap_or(0);
        let broken = &mut |number| {
            found(damage(None, format!("row {number} of `{}` has changed", sealed.table)));
        };
        sealed.check(&transaction, version, old, &mut old_rows, broken)?;
    }
    let Some(head) = head else { return Ok(()) };
    if old_rows.finish() != head.old_rows {
        found(damage(None, "rows of the earlier version have changed"));
    }
    tokens(&transaction, version, &head, found)
}

/// Compares the rows of a table, which are numbered from 1, with the last number that the head has.
fn numbered(
    connection: &Connection,
    table: &str,
    known: Option<i64>,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    let count = format!("SELECT count(*), coalesce(max(number), 0) FROM {table}");
    let (rows, last): (i64, i64) = connection.query_row(&count, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let known = known.unwrap_or(last);
    if rows != last {
        found(damage(None, format!("`{table}` has {rows} rows, but the last one has number {last}")));
    } else if rows != known {
        found(damage(None, format!("`{table}` has {rows} rows, but had {known} after the last write")));
    }
    Ok(())
}

fn head(
    connection: &Connection,
    version: i64,
    found: &mut dyn FnMut(Finding),
) -> Result<Option<Head>, ArchiveError> {
    let head = Head::read(connection, version)?;
    match head {
        None => found(damage(None, "`head` is empty")),
        Some((_, false)) => found(damage(None, "`head` has changed")),
        Some((_, true)) => {}
    }
    Ok(head.map(|(head, _)| head))
}

fn tokens(
    connection: &Connection,
    version: i64,
    head: &Head,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    let (columns, order) = (token_list(version), "ORDER BY name, created");
    let mut all = connection.prepare(&format!("SELECT {columns}, seal FROM token {order}"))?;
    let mut rows = all.query([])?;
    let (mut count, mut revoked) = (0, 0);
    while let Some(row) = rows.next()? {
        count += 1;
        revoked += i64::from(row.get_ref(3)? != ValueRef::Null);
        if row.get_ref("seal")? != ValueRef::Blob(&token_seal(row, version)?) {
            let name: String = row.get(0)?;
            found(damage(None, format!("the token `{name}` has changed; revoke it")));
        }
    }
    if (count, revoked) != (head.tokens, head.revoked) {
        let (before, revoked_before) = (head.tokens, head.revoked);
        found(damage(
            None,
            format!(
                "there are {count} tokens, {revoked} of them revoked, but there were {before} with {revoked_before}"
            ),
        ));
    }
    Ok(())
}

fn bare_entries(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let bare = "SELECT id FROM game WHERE number NOT IN (SELECT game FROM submission)";
    let mut bare = connection.prepare(bare)?;
    let mut rows = bare.query([])?;
    while let Some(row) = rows.next()? {
        found(damage(Some(GameId(row.get(0)?)), "the entry has no text"));
    }
    Ok(())
}

/// The dictionary is in the file for other programs; archives of version 1 have none.
fn dictionary(
    connection: &Connection,
    version: i64,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    if version == 1 {
        return Ok(());
    }
    let mut all = connection.prepare("SELECT number, bytes FROM dictionary")?;
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()?;
    if rows != [(DICTIONARY_NUMBER, DICTIONARY.to_vec())] {
        found(damage(None, "`dictionary` has changed"));
    }
    Ok(())
}

fn plays(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let all = "SELECT play.number, play.key, play.start, play.moves, play.text_key, rules.name, rules.edition, \
        rules.digest FROM play LEFT JOIN rules ON rules.number = play.rules";
    let mut all = connection.prepare(all)?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let (number, key): (i64, [u8; 16]) = (row.get(0)?, row.get(1)?);
        let play = Play { start: row.get(2)?, moves: row.get(3)?, text_key: row.get(4)? };
        if play.key(rules_of(row, 5)?.as_ref()) != key {
            found(damage(None, format!("play {number} does not match its key")));
        }
    }
    Ok(())
}

fn games(
    connection: &Connection,
    remembered: &str,
    count: &mut u64,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    let all = format!(
        "SELECT game.id, play.key, white.text, black.text, nature.text, event.text, game.date, game.round, \
        game.result, game.plies, play.moves, play.start FROM game JOIN play ON play.number = game.play \
        JOIN name AS white ON white.number = game.white JOIN name AS black ON black.number = game.black \
        LEFT JOIN name AS nature ON nature.number = game.nature JOIN name AS event ON event.number = game.event \
        WHERE {remembered}"
    );
    let mut all = connection.prepare(&all)?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let id = GameId(row.get(0)?);
        let key: [u8; 16] = row.get(1)?;
        let header = Header {
            white: row.get(2)?,
            black: row.get(3)?,
            nature: row.get(4)?,
            event: row.get(5)?,
            site: String::new(),
            date: row.get(6)?,
            round: row.get(7)?,
            result: row.get(8)?,
        };
        if header.id(&key) != id {
            found(damage(Some(id), "players, event, date, round or result do not match the id"));
        }
        let (plies, moves, start): (i64, String, String) = (row.get(9)?, row.get(10)?, row.get(11)?);
        if !start.is_empty() && usize::try_from(plies) != Ok(moves.split_whitespace().count()) {
            found(damage(Some(id), "the number of plies differs from the moves"));
        }
        *count += 1;
    }
    Ok(())
}
