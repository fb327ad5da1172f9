//! Enters the rows of an archive from before the log into it.

use super::append::now;
use super::head::reseal_tokens;
use super::log::{self, Events, following, previous, stored_row, text_commitment};
use super::seal::{token_digest, token_list};
use crate::archive::error::ArchiveError;
use crate::archive::identity::to_hex;
use crate::archive::log::{GameFacts, Kind, Leaf};
use crate::archive::pack::unpack;
use crate::archive::time_text;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::path::Path;

/// Migrates an archive to version 5 after its tables were created: starts the log, and enters all rows as they are.
/// What was damaged before stays damaged.
///
/// # Errors
/// If the archive or its key cannot be written.
pub(super) fn adopt_all(connection: &Connection, archive: &Path) -> Result<(), ArchiveError> {
    reseal_tokens(connection)?;
    log::start(connection, archive, now(), |events| {
        let mut adopting = Adopting { connection, events };
        adopting.rules()?;
        adopting.submissions()?;
        adopting.withdrawals()?;
        adopting.tokens()
    })
}

struct Adopting<'a, 'c> {
    connection: &'c Connection,
    events: &'a mut Events<'c>,
}

impl Adopting<'_, '_> {
    /// The number of the last row of a table.
    fn last(&self, table: &str) -> Result<i64, ArchiveError> {
        let query = format!("SELECT coalesce(max(number), 0) FROM {table}");
        Ok(self.connection.query_row(&query, [], |row| row.get(0))?)
    }

    fn rules(&mut self) -> Result<(), ArchiveError> {
        for number in 1..=self.last("rules")? {
            let find = "SELECT digest FROM rules WHERE number = ?1";
            let digest: Vec<String> = {
                let mut find = self.connection.prepare_cached(find)?;
                find.query_map([number], |row| row.get(0))?.collect::<Result<_, _>>()?
            };
            let rows = vec![stored_row(self.connection, "rules", number, None)?];
            let id = digest.into_iter().next().unwrap_or_default();
            let time = self.events.time();
            let leaf = Leaf { of: Some(Kind::Rules), rows, ..Leaf::new(Kind::Adopted, id, time) }.bytes()?;
            self.events.add(&leaf, None)?;
        }
        Ok(())
    }

    /// Submissions in their order, each with the rows of plays, entries and names that it was the first to need.
    fn submissions(&mut self) -> Result<(), ArchiveError> {
        let (mut plays, mut games, mut names) = (0, 0, 0);
        for number in 1..=self.last("submission")? {
            let found = self.submission(number)?;
            let until = found.as_ref().map_or([0; 3], |found| found.needs);
            self.submission_event(
                number,
                found,
                [(&mut plays, until[0]), (&mut games, until[1]), (&mut names, until[2])],
            )?;
        }
        // Rows that no text needs.
        let until = [self.last("play")?, self.last("game")?, self.last("name")?];
        if plays < until[0] || games < until[1] || names < until[2] {
            let next = [(&mut plays, until[0]), (&mut games, until[1]), (&mut names, until[2])];
            self.submission_event(0, None, next)?;
        }
        Ok(())
    }

    fn submission(&self, number: i64) -> Result<Option<Found>, ArchiveError> {
        let find = "SELECT game.id, play.key, game.valid, game.plies, game.result, submission.received, \
            submission.text, game.play, game.number, \
            max(game.white, game.black, coalesce(game.nature, 0), game.event, game.site), \
            (SELECT max(one.event) FROM submission AS one WHERE one.game = game.number) \
            FROM submission JOIN game ON game.number = submission.game JOIN play ON play.number = game.play \
            WHERE submission.number = ?1";
        let mut find = self.connection.prepare_cached(find)?;
        let mut rows = find.query([number])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (id, play, text): (Vec<u8>, Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(6)?);
        Ok(Some(Found {
            id: to_hex(&id),
            play: to_hex(&play),
            valid: row.get(2)?,
            plies: row.get(3)?,
            result: row.get(4)?,
            received: row.get(5)?,
            // A damaged text has no hash to commit to; its row is adopted as it is.
            text: unpack(&text).ok().map(|text| Sha256::digest(text).into()),
            needs: [row.get(7)?, row.get(8)?, row.get(9)?],
            last: row.get(10)?,
        }))
    }

    fn submission_event(
        &mut self,
        number: i64,
        found: Option<Found>,
        next: [(&mut i64, i64); 3],
    ) -> Result<(), ArchiveError> {
        let salt = self.events.salt()?;
        let mut rows = Vec::new();
        for ((last, until), table) in next.into_iter().zip(["play", "game", "name"]) {
            while *last < until {
                *last += 1;
                let own = match table {
                    "play" => None,
                    "name" => Some(self.events.salt()?),
                    _ => Some(salt),
                };
                rows.push(stored_row(self.connection, table, *last, own.as_ref())?);
                if let ("name", Some(own)) = (table, own) {
                    let write = "UPDATE name SET salt = ?2 WHERE number = ?1";
                    self.connection.prepare_cached(write)?.execute(params![*last, own])?;
                }
            }
        }
        if number > 0 {
            rows.push(stored_row(self.connection, "submission", number, Some(&salt))?);
            let write = "UPDATE submission SET event = ?2 WHERE number = ?1";
            self.connection.prepare_cached(write)?.execute([number, self.events.next()])?;
        }
        let before = found.as_ref().and_then(|found| found.last);
        let before = before.map(|last| previous(self.connection, last)).transpose()?;
        let (id, stated) = match &found {
            Some(found) => (found.id.as_str(), Some(time_text(found.received))),
            None => ("", None),
        };
        let game = found.as_ref().map(|found| GameFacts {
            play: Cow::Borrowed(&found.play),
            valid: found.valid,
            plies: found.plies,
            result: Cow::Borrowed(&found.result),
            text: found.text.map(|text| text_commitment(&salt, &text)),
        });
        let time = self.events.time();
        let leaf = Leaf {
            of: Some(Kind::Submission),
            stated: stated.map(Cow::Owned),
            game,
            rows,
            ..Leaf::new(Kind::Adopted, id, time)
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, Some(salt))?;
        self.events.settle(self.connection)
    }

    fn withdrawals(&mut self) -> Result<(), ArchiveError> {
        for number in 1..=self.last("withdrawal")? {
            let find = "SELECT game.id, other.id, withdrawal.withdrawn, \
                (SELECT max(one.event) FROM submission AS one WHERE one.game = game.number) FROM withdrawal \
                JOIN game ON game.number = withdrawal.game LEFT JOIN game AS other ON other.number = successor \
                WHERE withdrawal.number = ?1";
            let found: Vec<FoundWithdrawal> = {
                let mut find = self.connection.prepare_cached(find)?;
                let rows =
                    find.query_map([number], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
                rows.collect::<Result<_, _>>()?
            };
            let (id, successor, withdrawn, last) = found.into_iter().next().unwrap_or_default();
            let salt = self.events.salt()?;
            let before = last.map(|last| previous(self.connection, last)).transpose()?;
            let time = self.events.time();
            let leaf = Leaf {
                of: Some(Kind::Withdrawal),
                stated: Some(Cow::Owned(time_text(withdrawn))),
                successor: successor.map(|id| Cow::Owned(to_hex(&id))),
                rows: vec![stored_row(self.connection, "withdrawal", number, Some(&salt))?],
                ..Leaf::new(Kind::Adopted, to_hex(&id), time)
            };
            let leaf = following(leaf, before.as_ref()).bytes()?;
            let write = "UPDATE withdrawal SET event = ?2 WHERE number = ?1";
            self.connection.execute(write, [number, self.events.next()])?;
            self.events.add(&leaf, Some(salt))?;
        }
        Ok(())
    }

    fn tokens(&mut self) -> Result<(), ArchiveError> {
        let tokens: Vec<FoundToken> = {
            let all = format!("SELECT {} FROM token ORDER BY created, hash", token_list(5));
            let mut all = self.connection.prepare(&all)?;
            let rows = all.query_map([], |row| {
                Ok((row.get(1)?, row.get(2)?, row.get(3)?, row.get("scopes")?, token_digest(row)?))
            })?;
            rows.collect::<Result<_, _>>()?
        };
        for (hash, created, revoked, scopes, digest) in tokens {
            let (salt, id, time) = (self.events.salt()?, to_hex(&hash), self.events.time().to_owned());
            let leaf = Leaf {
                of: Some(Kind::Token),
                stated: Some(Cow::Owned(time_text(created))),
                scopes: Some(Cow::Owned(scopes)),
                rows: vec![log::row("token", 0, &digest, Some(&salt))],
                ..Leaf::new(Kind::Adopted, &id, &time)
            };
            let mut event = self.events.add(&leaf.bytes()?, Some(salt))?;
            if let Some(revoked) = revoked {
                let before = previous(self.connection, log::row_number(event))?;
                let leaf = Leaf {
                    of: Some(Kind::Revocation),
                    stated: Some(Cow::Owned(time_text(revoked))),
                    ..Leaf::new(Kind::Adopted, &id, &time)
                };
                event = self.events.add(&following(leaf, Some(&before)).bytes()?, None)?;
            }
            let write = "UPDATE token SET event = ?2 WHERE hash = ?1";
            self.connection.execute(write, params![hash, log::row_number(event)])?;
        }
        Ok(())
    }
}

/// A withdrawal from before the log: the entry, its successor, its time, and the last event about the entry.
type FoundWithdrawal = (Vec<u8>, Option<Vec<u8>>, i64, Option<i64>);

/// A token from before the log: hash, times of creation and revocation, scopes, and the digest of its row.
type FoundToken = ([u8; 32], i64, Option<i64>, String, [u8; 32]);

/// A submission from before the log.
struct Found {
    id: String,
    play: String,
    valid: bool,
    plies: i64,
    result: String,
    received: i64,
    text: Option<[u8; 32]>,
    /// The numbers of its play and its entry, and the highest one of its names.
    needs: [i64; 3],
    /// The last event about its entry.
    last: Option<i64>,
}
