//! A game with the events about it, from one state of the file.

use super::find;
use super::log;
use super::seal::row_cells;
use crate::archive::GameId;
use crate::archive::bundle::{Bundle, Bundled, Bytes, Cell, OpenRow};
use crate::archive::error::ArchiveError;
use crate::archive::log::{Commitment, Leaf, LoggedRow};
use crate::archive::read::whole;
use rusqlite::{Connection, OptionalExtension};

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
    let checkpoint = log::Head::read(&transaction)?.checkpoint;
    Ok((!bundled.is_empty()).then(|| Bundle::new(id, checkpoint, bundled)))
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
