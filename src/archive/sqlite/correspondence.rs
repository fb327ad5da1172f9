//! Reads games in progress.

use super::find;
use super::log::{event_number, row_number};
use crate::GameId;
use crate::correspondence::{CorrespondenceId, KeptAct, KeptGame, Requested};
use crate::error::ArchiveError;
use crate::log::leaf_hash;
use ferz_core::board::Owner;
use ferz_correspondence::Event;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

/// See [`Store::correspondence`](crate::store::Store::correspondence).
pub(super) fn correspondence(
    connection: &Connection,
    id: CorrespondenceId,
    from: u64,
) -> Result<Option<KeptGame>, ArchiveError> {
    let find = "SELECT correspondence.number, game.id FROM correspondence LEFT JOIN game ON game.number = entry \
        WHERE correspondence.id = ?1";
    let found: Option<(i64, Option<[u8; 16]>)> = connection
        .prepare_cached(find)?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((number, entry)) = found else { return Ok(None) };
    // Of a game that became an entry which is forgotten, only its plies are left.
    if let Some(forgotten) =
        entry.map(|entry| find::forgotten(connection, GameId(entry))).transpose()?.flatten()
    {
        return Err(ArchiveError::Forgotten(Box::new(forgotten)));
    }
    let find = "SELECT act.player, act.what, act.happened, act.event, event.leaf FROM act \
        JOIN event ON event.number = act.event WHERE correspondence = ?1 AND sequence >= ?2 ORDER BY sequence";
    let mut find = connection.prepare_cached(find)?;
    let mut rows = find.query([number, row_number(from)])?;
    let mut acts = Vec::new();
    while let Some(row) = rows.next()? {
        let act = kept(row)?;
        acts.push(act.ok_or_else(|| {
            ArchiveError::Corrupt(format!("act {} of the game {id} cannot be read", acts.len()))
        })?);
    }
    let find = "SELECT player, tree FROM conditional WHERE correspondence = ?1";
    let mut find = connection.prepare_cached(find)?;
    let trees = find.query_map([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let trees: Vec<(String, String)> = trees.collect::<Result<_, _>>()?;
    let tree = |player: Owner| {
        let of_player = trees.iter().find(|(name, _)| player.name().eq_ignore_ascii_case(name));
        of_player.and_then(|(_, tree)| serde_json::from_str(tree).ok()).unwrap_or_default()
    };
    let find = "SELECT seed FROM seed WHERE correspondence = ?1";
    let seed = connection.prepare_cached(find)?.query_row([number], |row| row.get(0)).optional()?;
    Ok(Some(KeptGame { acts, entry: entry.map(GameId), trees: Owner::REAL.map(tree), seed }))
}

fn kept(row: &Row<'_>) -> rusqlite::Result<Option<KeptAct>> {
    let (player, what): (Option<String>, String) = (row.get(0)?, row.get(1)?);
    let (happened, leaf): (i64, Vec<u8>) = (row.get(2)?, row.get(4)?);
    let by = match player {
        Some(player) => {
            let known = Owner::ALL.into_iter().find(|owner| owner.name().eq_ignore_ascii_case(&player));
            let Some(known) = known else { return Ok(None) };
            Some(known)
        }
        None => None,
    };
    let Ok(what) = serde_json::from_str(&what) else { return Ok(None) };
    let event = Event { at: u64::try_from(happened).unwrap_or_default(), by, what };
    Ok(Some(KeptAct { event, leaf: leaf_hash(&leaf), number: event_number(row.get(3)?) }))
}

/// See [`Store::correspondences`](crate::store::Store::correspondences).
pub(super) fn correspondences(
    connection: &Connection,
    person: Option<&str>,
    status: Option<&str>,
    before: Option<i64>,
    count: usize,
) -> Result<Vec<(i64, CorrespondenceId)>, ArchiveError> {
    let find = "SELECT number, id FROM correspondence WHERE (?1 IS NULL OR number IN \
        (SELECT correspondence FROM seat WHERE name = ?1)) AND (?2 IS NULL OR status = ?2) \
        AND (?3 IS NULL OR number < ?3) ORDER BY number DESC LIMIT ?4";
    let mut find = connection.prepare_cached(find)?;
    let row = params![person, status, before, limit(count)];
    let rows = find.query_map(row, |row| Ok((row.get(0)?, CorrespondenceId(row.get(1)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// See [`Store::requested`](crate::store::Store::requested).
pub(super) fn requested(
    connection: &Connection,
    by: u64,
    key: &str,
) -> Result<Option<Requested>, ArchiveError> {
    let find = "SELECT digest, id, sequence, acts FROM request JOIN act ON act.number = request.act \
        JOIN correspondence ON correspondence.number = act.correspondence \
        WHERE request.by = ?1 AND request.key = ?2";
    let mut find = connection.prepare_cached(find)?;
    let found = find.query_row(params![row_number(by), key], |row| {
        Ok(Requested {
            asked: row.get(0)?,
            id: CorrespondenceId(row.get(1)?),
            sequence: event_number(row.get(2)?),
            count: event_number(row.get(3)?),
        })
    });
    Ok(found.optional()?)
}

/// See [`Store::acts`](crate::store::Store::acts).
pub(super) fn acts(
    connection: &Connection,
    from: u64,
    count: usize,
) -> Result<Vec<(u64, CorrespondenceId, u64)>, ArchiveError> {
    let find = "SELECT act.event, id, act.sequence FROM act \
        JOIN correspondence ON correspondence.number = act.correspondence \
        WHERE act.event >= ?1 ORDER BY act.event LIMIT ?2";
    let mut find = connection.prepare_cached(find)?;
    let rows = find.query_map(params![row_number(from), limit(count)], |row| {
        let (event, id, sequence) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((event_number(event), CorrespondenceId(id), event_number(sequence)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// See [`Store::overdue`](crate::store::Store::overdue).
pub(super) fn overdue(
    connection: &Connection,
    at: u64,
    count: usize,
) -> Result<Vec<CorrespondenceId>, ArchiveError> {
    let find = "SELECT id FROM correspondence WHERE due IS NOT NULL AND due <= ?1 ORDER BY due LIMIT ?2";
    ids(connection, find, params![row_number(at), limit(count)])
}

/// See [`Store::timed`](crate::store::Store::timed).
pub(super) fn timed(connection: &Connection, count: usize) -> Result<Vec<CorrespondenceId>, ArchiveError> {
    let find = "SELECT id FROM (SELECT number, id FROM correspondence WHERE timed = 1 AND status = 'running' UNION \
        SELECT number, id FROM correspondence WHERE due IS NOT NULL AND status IN ('ended', 'annulled')) \
        ORDER BY number LIMIT ?1";
    ids(connection, find, params![limit(count)])
}

fn ids(connection: &Connection, find: &str, of: impl Params) -> Result<Vec<CorrespondenceId>, ArchiveError> {
    let mut find = connection.prepare_cached(find)?;
    let rows = find.query_map(of, |row| Ok(CorrespondenceId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// See [`Store::alive`](crate::store::Store::alive).
pub(super) fn alive(connection: &Connection) -> Result<Option<u64>, ArchiveError> {
    let find = "SELECT at FROM alive";
    let at: Option<i64> = connection.prepare_cached(find)?.query_row([], |row| row.get(0)).optional()?;
    Ok(at.map(event_number))
}
