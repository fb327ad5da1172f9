//! Checks the file, its structure, the log, and every row against the event that it is a projection of.

mod catalog;
mod definitions;
mod log;
#[cfg(test)]
mod tests;

use super::append::IS_BLANK_PLAY;
use super::find::rules_of;
use crate::error::ArchiveError;
use crate::identity::{GameId, Header, Play};
use crate::log::Anchor;
use crate::pack::{DICTIONARY, DICTIONARY_NUMBER};
use crate::verify::{Finding, damage, step};
use ferz_core::text::fold::fold;
use rusqlite::Connection;
use std::path::Path;

/// A condition on entries: those that were not forgotten.
const REMEMBERED: &str = "game.number NOT IN (SELECT game FROM forgotten)";

/// See [`Store::check`](crate::store::Store::check).
pub(super) fn check(
    connection: &Connection,
    archive: &Path,
    anchors: &[Anchor],
    found: &mut dyn FnMut(Finding),
) -> Result<u64, ArchiveError> {
    structure(connection, found)?;
    step(catalog::check(connection, found), found)?;
    step(log::check(connection, archive, anchors, found), found)?;
    step(bare_rows(connection, found), found)?;
    step(dictionary(connection, found), found)?;
    step(definitions::check(connection, found), found)?;
    step(names(connection, found), found)?;
    step(plays(connection, found), found)?;
    step(seals(connection, found), found)?;
    let mut count = 0;
    step(games(connection, &mut count, found), found)?;
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
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        // Tables without numbers have none here.
        let number: Option<i64> = row.get(1)?;
        let number = number.map_or_else(|| "a row".to_owned(), |number| format!("row {number}"));
        found(damage(None, format!("{number} of `{table}` refers to a missing row of `{parent}`")));
    }
    Ok(())
}

/// Rows that no submission needs.
fn bare_rows(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let bare = "SELECT id FROM game WHERE number NOT IN (SELECT game FROM submission)";
    let mut bare = connection.prepare(bare)?;
    let mut rows = bare.query([])?;
    while let Some(row) = rows.next()? {
        found(damage(Some(GameId(row.get(0)?)), "the entry has no text"));
    }
    let unused = [
        ("play", "SELECT play FROM game"),
        (
            "name",
            "SELECT white FROM game UNION SELECT black FROM game UNION SELECT event FROM game UNION \
            SELECT site FROM game UNION SELECT nature FROM game WHERE nature IS NOT NULL",
        ),
    ];
    for (table, used) in unused {
        let bare = format!("SELECT number FROM {table} WHERE number NOT IN ({used})");
        let mut bare = connection.prepare(&bare)?;
        let mut rows = bare.query([])?;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            found(damage(None, format!("row {number} of `{table}` was added by no event")));
        }
    }
    Ok(())
}

/// The dictionary is in the file for other programs.
fn dictionary(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let mut all = connection.prepare("SELECT number, bytes FROM dictionary")?;
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()?;
    if rows != [(DICTIONARY_NUMBER, DICTIONARY.to_vec())] {
        found(damage(None, "`dictionary` has changed"));
    }
    Ok(())
}

/// What searches compare must be the folded name.
fn names(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let mut all = connection.prepare("SELECT number, text, folded FROM name")?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let (number, text, folded): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if fold(&text) != folded {
            found(damage(None, format!("`folded` of row {number} of `name` is not that of its text")));
        }
    }
    Ok(())
}

fn plays(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let all = format!(
        "SELECT play.number, play.key, play.start, play.moves, play.text_key, rules.name, rules.edition, rules.digest, \
        {IS_BLANK_PLAY}, play.text_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM game WHERE game.play = play.number \
        AND {REMEMBERED}) FROM play LEFT JOIN rules ON rules.number = play.rules"
    );
    let mut all = connection.prepare(&all)?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let (number, key): (i64, [u8; 16]) = (row.get(0)?, row.get(1)?);
        let (is_blank, is_forgotten): (Option<bool>, bool) = (row.get(8)?, row.get(9)?);
        if is_forgotten {
            if is_blank != Some(true) {
                found(damage(None, format!("play {number} was forgotten, but its keys are not blank")));
            }
            continue;
        }
        let play = Play { start: row.get(2)?, moves: row.get(3)?, text_key: row.get(4)? };
        if play.key(rules_of(row, 5)?.as_ref()) != key {
            found(damage(None, format!("play {number} does not match its key")));
        }
    }
    Ok(())
}

/// Each forgotten entry has a seal, and no other one has. What a seal is, only the signing key tells.
fn seals(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let wrong = "SELECT game FROM forgotten WHERE (SELECT count(*) FROM seal WHERE seal.game = forgotten.game) <> 1 \
        UNION SELECT game FROM seal WHERE game NOT IN (SELECT game FROM forgotten)";
    let mut wrong = connection.prepare(wrong)?;
    let mut rows = wrong.query([])?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        found(damage(None, format!("row {number} of `game` has not the seal of a forgotten entry")));
    }
    Ok(())
}

fn games(
    connection: &Connection,
    count: &mut u64,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    let all = format!(
        "SELECT game.id, play.key, white.text, black.text, nature.text, event.text, game.date, game.round, \
        game.result, game.plies, play.moves, play.start, game.day, game.key, game.salt \
        FROM game JOIN play ON play.number = game.play JOIN name AS white ON white.number = game.white \
        JOIN name AS black ON black.number = game.black \
        LEFT JOIN name AS nature ON nature.number = game.nature JOIN name AS event ON event.number = game.event \
        WHERE {REMEMBERED}"
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
        let (entry, salt): (Option<[u8; 16]>, Option<[u8; 16]>) = (row.get(13)?, row.get(14)?);
        let key = header.key(&key);
        if entry != Some(key.0) {
            found(damage(
                Some(id),
                "players, event, date, round or result do not match the key of the entry",
            ));
        } else if salt.map(|salt| GameId::of(key, &salt)) != Some(id) {
            found(damage(Some(id), "the id is not that of the key and the salt of the entry"));
        }
        if header.day() != row.get(12)? {
            found(damage(Some(id), "`day` of the entry is not that of its date"));
        }
        let (plies, moves, start): (i64, String, String) = (row.get(9)?, row.get(10)?, row.get(11)?);
        if !start.is_empty() && usize::try_from(plies) != Ok(moves.split_whitespace().count()) {
            found(damage(Some(id), "the number of plies differs from the moves"));
        }
        *count += 1;
    }
    Ok(())
}
