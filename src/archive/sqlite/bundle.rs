//! A game with the events about it, from one state of the file.

use super::find;
use super::log;
use super::private;
use crate::GameId;
use crate::bundle::{Bundle, Bundled, BundledPlay, Bytes, Content, PlayedBundle};
use crate::correspondence::CorrespondenceId;
use crate::error::ArchiveError;
use crate::identity::Header;
use crate::log::{Commitment, Kind, Leaf};
use crate::pack::unpack_report;
use crate::read::whole;
use ferz_correspondence::What;
use rusqlite::{Connection, OptionalExtension, params};

/// See [`Store::bundle`](crate::store::Store::bundle).
pub(super) fn bundle(connection: &Connection, id: GameId) -> Result<Option<Bundle>, ArchiveError> {
    let transaction = connection.unchecked_transaction()?;
    if find::forgotten(&transaction, id)?.is_some() {
        return Ok(None);
    }
    let all = "SELECT submission.event FROM submission JOIN game ON game.number = submission.game WHERE id = ?1 UNION \
        SELECT withdrawal.event FROM withdrawal JOIN game ON game.number = withdrawal.game WHERE id = ?1 UNION \
        SELECT reinstatement.event FROM reinstatement JOIN game ON game.number = reinstatement.game WHERE id = ?1 \
        ORDER BY 1";
    let events: Vec<i64> = {
        let mut all = transaction.prepare_cached(all)?;
        all.query_map([id.0], |row| row.get(0))?.collect::<Result<_, _>>()?
    };
    let mut bundled = Vec::new();
    for event in &events {
        bundled.push(opened(&transaction, *event)?);
    }
    if bundled.is_empty() {
        return Ok(None);
    }
    let checkpoint = log::Head::read(&transaction)?.checkpoint;
    Ok(Some(Bundle::new(id, checkpoint, play_of(&transaction, id)?, bundled)))
}

/// See [`Store::played_bundle`](crate::store::Store::played_bundle).
pub(super) fn played_bundle(
    connection: &Connection,
    id: CorrespondenceId,
) -> Result<Option<PlayedBundle>, ArchiveError> {
    let transaction = connection.unchecked_transaction()?;
    let find = "SELECT act.event, act.what, act.token, act.by FROM act JOIN correspondence \
        ON correspondence.number = act.correspondence WHERE correspondence.id = ?1 ORDER BY act.sequence";
    let mut find = transaction.prepare_cached(find)?;
    let mut rows = find.query([id.0])?;
    let (mut events, mut definition) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        let (event, what): (i64, String) = (row.get(0)?, row.get(1)?);
        if let Ok(What::Created { terms, .. }) = serde_json::from_str(&what) {
            definition = Some(terms.definition);
        }
        let token: Option<String> = row.get(2)?;
        let private = private::of_act(&what, token.as_deref(), row.get(3)?).json()?;
        events.push(Bundled { private: Some(private), ..event_of(&transaction, event)? });
    }
    let Some(whole) = definition else { return Ok(None) };
    let find = "SELECT event, definition FROM rules WHERE whole = ?1 ORDER BY number LIMIT 1";
    let found: Option<(i64, String)> = transaction
        .prepare_cached(find)?
        .query_row([whole], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let damaged = || ArchiveError::Corrupt(format!("the rules of the game {id} are missing"));
    let (event, definition) = found.ok_or_else(damaged)?;
    let rules = Bundled { definition: Some(definition), ..event_of(&transaction, event)? };
    let checkpoint = log::Head::read(&transaction)?.checkpoint;
    Ok(Some(PlayedBundle::new(id, checkpoint, rules, events)))
}

fn play_of(connection: &Connection, id: GameId) -> Result<BundledPlay, ArchiveError> {
    let find = "SELECT play.start, play.moves, rules.event, rules.definition FROM game \
        JOIN play ON play.number = game.play LEFT JOIN rules ON rules.number = game.rules WHERE game.id = ?1";
    let found = connection.prepare_cached(find)?.query_row([id.0], |row| {
        let play = BundledPlay { rules: None, start: row.get(0)?, moves: row.get(1)? };
        Ok((play, row.get(2)?, row.get(3)?))
    });
    let found: Option<(_, Option<i64>, Option<String>)> = found.optional()?;
    let damaged = || ArchiveError::Corrupt(format!("the game {id} has no play"));
    let (mut play, event, definition) = found.ok_or_else(damaged)?;
    if let Some(event) = event {
        play.rules = Some(Bundled { definition, ..event_of(connection, event)? });
    }
    Ok(play)
}

fn event_of(connection: &Connection, event: i64) -> Result<Bundled, ArchiveError> {
    let damaged = |why: &str| ArchiveError::Corrupt(format!("event {event} of its log {why}"));
    let index = u64::try_from(event).map_err(|_| damaged("has no number"))?;
    let (proof, _) = log::proof(connection, index)?.ok_or_else(|| damaged("is missing"))?;
    let leaf = log::leaves(connection, index, 1)?.pop().ok_or_else(|| damaged("is missing"))?;
    let leaf = String::from_utf8(leaf).map_err(|_| damaged("is no leaf"))?;
    let mut find = connection.prepare_cached("SELECT salt FROM salt WHERE event = ?1")?;
    let salt: Option<Vec<u8>> = find.query_row([event], |row| row.get(0)).optional()?;
    Ok(Bundled {
        index,
        proof: proof.into_iter().map(Commitment).collect(),
        salt: salt.map(Bytes),
        leaf,
        text: None,
        report: None,
        private: None,
        definition: None,
    })
}

/// The event of a submission or a withdrawal, with everything that it has commitments to.
fn opened(connection: &Connection, event: i64) -> Result<Bundled, ArchiveError> {
    let bundled = event_of(connection, event)?;
    let damaged = || ArchiveError::Corrupt(format!("event {event} of its log is no leaf"));
    let leaf: Leaf<'_> = serde_json::from_str(&bundled.leaf).map_err(|_| damaged())?;
    if matches!(leaf.kind, Kind::Withdrawal | Kind::Reinstatement) {
        let table = leaf.kind.name();
        let find = format!("SELECT because, token, by FROM {table} WHERE event = ?1");
        let (because, token, by): (String, Option<String>, Option<i64>) =
            connection
                .prepare_cached(&find)?
                .query_row([event], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let private = private::of_withdrawal(&because, token.as_deref(), by).json()?;
        return Ok(Bundled { private: Some(private), ..bundled });
    }
    let find = "SELECT submission.text, submission.digest, submission.report, submission.variant, submission.style, \
        submission.let_stand, submission.token, white.text, black.text, nature.text, event.text, site.text, \
        game.date, game.round, game.result, submission.by FROM submission JOIN game ON game.number = submission.game \
        JOIN name AS white ON white.number = game.white JOIN name AS black ON black.number = game.black \
        LEFT JOIN name AS nature ON nature.number = game.nature JOIN name AS event ON event.number = game.event \
        JOIN name AS site ON site.number = game.site WHERE submission.game = \
        (SELECT number FROM game WHERE id = unhex(?1)) AND submission.event = ?2";
    let mut find = connection.prepare_cached(find)?;
    let mut rows = find.query(params![leaf.id, event])?;
    let Some(row) = rows.next()? else { return Err(damaged()) };
    let (text, report): (Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(2)?);
    let (variant, style): (Option<String>, Option<String>) = (row.get(3)?, row.get(4)?);
    let token: Option<String> = row.get(6)?;
    let header = Header {
        white: row.get(7)?,
        black: row.get(8)?,
        nature: row.get(9)?,
        event: row.get(10)?,
        site: row.get(11)?,
        date: row.get(12)?,
        round: row.get(13)?,
        result: row.get(14)?,
    };
    let private = private::read_as(variant.as_deref(), style.as_deref(), row.get(5)?);
    let private = private::asked_by(private, token.as_deref(), row.get(15)?);
    let private = if leaf.sequence == 0 { private::with_header(private, &header) } else { private };
    Ok(Bundled {
        text: Some(Content::of(whole(&text, &row.get(1)?)?)),
        report: Some(unpack_report(&report)?),
        private: Some(private.json()?),
        ..bundled
    })
}
