//! A game with the events about it, from one state of the file.

use super::find;
use super::log;
use super::seal::row_cells;
use crate::archive::GameId;
use crate::archive::bundle::{Bundle, Bundled, BundledPlay, Bytes, Cell, OpenRow};
use crate::archive::error::ArchiveError;
use crate::archive::log::{Commitment, Leaf, LoggedRow};
use crate::archive::read::whole;
use rusqlite::{Connection, OptionalExtension, params};

/// See [`Store::bundle`](crate::archive::store::Store::bundle).
pub(super) fn bundle(connection: &Connection, id: GameId) -> Result<Option<Bundle>, ArchiveError> {
    let transaction = connection.unchecked_transaction()?;
    if find::forgotten(&transaction, id)?.is_some() {
        return Ok(None);
    }
    let all = "SELECT submission.event FROM submission JOIN game ON game.number = submission.game WHERE id = ?1 UNION \
        SELECT withdrawal.event FROM withdrawal JOIN game ON game.number = withdrawal.game WHERE id = ?1 ORDER BY 1";
    let events: Vec<i64> = {
        let mut all = transaction.prepare_cached(all)?;
        all.query_map([id.0], |row| row.get(0))?.collect::<Result<_, _>>()?
    };
    let mut bundled = Vec::new();
    for event in &events {
        bundled.push(event_of(&transaction, *event)?);
    }
    if bundled.is_empty() {
        return Ok(None);
    }
    let checkpoint = log::Head::read(&transaction)?.checkpoint;
    Ok(Some(Bundle::new(id, checkpoint, play_of(&transaction, id)?, bundled)))
}

fn play_of(connection: &Connection, id: GameId) -> Result<BundledPlay, ArchiveError> {
    let find = "SELECT play.start, play.moves, play.text_key, rules.number, rules.name FROM game \
        JOIN play ON play.number = game.play LEFT JOIN rules ON rules.number = play.rules WHERE game.id = ?1";
    let found = connection.prepare_cached(find)?.query_row([id.0], |row| {
        let text_key: Option<Vec<u8>> = row.get(2)?;
        let play = BundledPlay {
            rules: None,
            start: row.get(0)?,
            moves: row.get(1)?,
            text_key: text_key.map(Bytes),
        };
        Ok((play, row.get(3)?, row.get(4)?))
    });
    let found: Option<(_, Option<i64>, Option<String>)> = found.optional()?;
    let damaged = || ArchiveError::Corrupt(format!("the game {id} has no play"));
    let (mut play, number, name) = found.ok_or_else(damaged)?;
    if let (Some(number), Some(name)) = (number, name) {
        play.rules = Some(event_of(connection, event_of_rules(connection, number, &name)?)?);
    }
    Ok(play)
}

/// The event that stored the row of rules. No index has it, but it is known where events of rules are: before the event
/// of the first game that was judged by them, or, adopted, after that of the key in the order of the rows.
fn event_of_rules(connection: &Connection, number: i64, name: &str) -> Result<i64, ArchiveError> {
    let first = "SELECT min(submission.event) FROM submission WHERE game = (SELECT game.number FROM game \
        JOIN play ON play.number = game.play WHERE game.variant = ?1 AND play.rules = ?2 \
        ORDER BY game.number LIMIT 1)";
    let mut first = connection.prepare_cached(first)?;
    let first: Option<i64> = first.query_row(params![name, number], |row| row.get(0))?;
    for event in first.map(|first| first - 1).into_iter().chain([number]) {
        let leaf = log::leaves(connection, u64::try_from(event).unwrap_or(0), 1)?.pop().unwrap_or_default();
        let leaf: Option<Leaf<'_>> = serde_json::from_slice(&leaf).ok();
        if leaf.is_some_and(|leaf| leaf.rows.iter().any(|row| row.0 == "rules" && row.1 == number)) {
            return Ok(event);
        }
    }
    Err(ArchiveError::Corrupt(format!("no event of its log has the rules of {name}")))
}

fn event_of(connection: &Connection, event: i64) -> Result<Bundled, ArchiveError> {
    let damaged = |why: &str| ArchiveError::Corrupt(format!("event {event} of its log {why}"));
    let index = u64::try_from(event).map_err(|_| damaged("has no number"))?;
    let (proof, _) = log::proof(connection, index)?.ok_or_else(|| damaged("is missing"))?;
    let leaf = log::leaves(connection, index, 1)?.pop().ok_or_else(|| damaged("is missing"))?;
    let leaf = String::from_utf8(leaf).map_err(|_| damaged("is no leaf"))?;
    let mut find = connection.prepare_cached("SELECT salt FROM salt WHERE event = ?1")?;
    let salt: Option<Vec<u8>> = find.query_row([event], |row| row.get(0)).optional()?;
    let salt = salt.map(Bytes);
    let mut find = connection.prepare_cached("SELECT text, digest FROM submission WHERE event = ?1")?;
    let text: Option<(Vec<u8>, [u8; 32])> =
        find.query_row([event], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let text = text.map(|(packed, digest)| whole(&packed, &digest).map(Cell::of)).transpose()?;
    let parsed: Leaf<'_> = serde_json::from_str(&leaf).map_err(|_| damaged("is no leaf"))?;
    let rows = parsed.rows.iter().map(|row| open_row(connection, row, salt.as_ref()));
    let rows = rows.collect::<Result<_, _>>()?;
    Ok(Bundled { index, proof: proof.into_iter().map(Commitment).collect(), salt, text, rows, leaf })
}

/// A row that an event added. An event of a migration has names that other games needed, which may be forgotten.
fn open_row(
    connection: &Connection,
    row: &LoggedRow<'_>,
    salt: Option<&Bytes>,
) -> Result<Option<OpenRow>, ArchiveError> {
    let LoggedRow(table, number, _) = row;
    let Some(values) = row_cells(connection, table, *number)? else { return Ok(None) };
    let own: Option<Vec<u8>> = match &**table {
        "name" => {
            let mut find = connection.prepare_cached("SELECT salt FROM name WHERE number = ?1")?;
            find.query_row([number], |row| row.get(0)).optional()?.flatten()
        }
        _ => None,
    };
    let open = OpenRow { salt: own.map(Bytes), values };
    Ok(open.opens(row, salt).then_some(open))
}
