//! Withdrawals and reinstatements, and the entries that are hidden by them.

use super::Rows;
use crate::GameId;
use crate::error::ArchiveError;
use crate::identity::to_hex;
use crate::log::{Kind, Leaf};
use crate::sqlite::find;
use crate::sqlite::log::{event_number, following, row_number};
use crate::sqlite::private;
use crate::tokens::TokenId;
use crate::withdrawals::{Reinstatement, Withdrawal};
use rusqlite::params;
use std::borrow::Cow;

const ADD_WITHDRAWAL: &str = "INSERT INTO withdrawal (game, own, successor, because, token, by, withdrawn, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const ADD_REINSTATEMENT: &str = "INSERT INTO reinstatement (game, because, token, by, reinstated, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// The events of the texts of an entry that came with a token, as far as it has not withdrawn them yet.
const OWN_TEXTS: &str = "SELECT event FROM submission WHERE game = ?1 AND by = ?2 AND NOT EXISTS \
    (SELECT 1 FROM withdrawal WHERE withdrawal.game = ?1 AND own = 1 AND withdrawal.by = ?2 AND reinstated IS NULL \
    AND withdrawal.event > submission.event) ORDER BY event";

/// The withdrawals of an entry that hold.
const HOLDING: &str = "SELECT event FROM withdrawal WHERE game = ?1 AND reinstated IS NULL AND own = 0";

/// The latest withdrawal that hides an entry: one of the whole entry or, if all its texts are withdrawn, one of them.
pub(in crate::sqlite) const HIDING: &str = "SELECT coalesce((SELECT max(number) FROM withdrawal \
    WHERE game = ?1 AND reinstated IS NULL AND own = 0), (SELECT max(number) FROM withdrawal WHERE game = ?1 \
    AND reinstated IS NULL AND NOT EXISTS (SELECT 1 FROM submission WHERE submission.game = ?1 AND NOT EXISTS \
    (SELECT 1 FROM withdrawal AS one WHERE one.game = ?1 AND one.reinstated IS NULL AND one.by = submission.by \
    AND one.event > submission.event))))";

impl Rows<'_> {
    /// Withdraws an entry, or texts of it.
    pub(super) fn withdraw(&mut self, withdrawal: &Withdrawal) -> Result<u64, ArchiveError> {
        let Withdrawal { id, successor: successor_id, because, token, own } = withdrawal;
        let game = self.known(*id)?;
        let successor = successor_id.map(|successor| self.successor(*id, successor)).transpose()?;
        let event = self.events.next();
        let texts = match token {
            Some(token) if *own => self.events_of_texts(game, token)?,
            _ => Vec::new(),
        };
        let (name, by) = asker(token.as_ref());
        let submitted = "SELECT 1 FROM submission WHERE game = ?1 AND by = ?2";
        if *own && !self.connection.prepare_cached(submitted)?.exists(params![game, by])? {
            return Err(ArchiveError::NotTheSubmitter(*id));
        }
        let is_done = match own {
            true => texts.is_empty(),
            false => self.connection.prepare_cached(HOLDING)?.exists([game])?,
        };
        if is_done {
            let why =
                format!("the game {id} is withdrawn already; `ferz archive list --withdrawn` shows why");
            return Err(ArchiveError::Withdrawal(why));
        }
        let row = params![game, own, successor, because, name, by, self.events.now(), event];
        self.connection.prepare_cached(ADD_WITHDRAWAL)?.execute(row)?;
        self.hide(game)?;
        let (salt, before) = (self.events.salt()?, self.last_event(game, event)?);
        let private = private::of_withdrawal(because, name, by);
        let leaf = Leaf {
            events: texts,
            private: Some(private.commitment(&salt)?),
            successor: successor_id.map(|successor| Cow::Owned(to_hex(&successor.0))),
            ..Leaf::new(Kind::Withdrawal, to_hex(&id.0), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// Takes withdrawals of an entry back.
    pub(super) fn reinstate(&mut self, reinstatement: &Reinstatement) -> Result<u64, ArchiveError> {
        let Reinstatement { id, because, token, own } = reinstatement;
        let game = self.known(*id)?;
        let event = self.events.next();
        let (name, by) = asker(token.as_ref());
        let taken = self.take_back(game, event, if *own { by } else { None })?;
        if taken.is_empty() {
            let why = match own {
                true => format!("the token has withdrawn no text of the game {id}"),
                false => format!("the game {id} is not withdrawn"),
            };
            return Err(ArchiveError::Withdrawal(why));
        }
        let row = params![game, because, name, by, self.events.now(), event];
        self.connection.prepare_cached(ADD_REINSTATEMENT)?.execute(row)?;
        self.hide(game)?;
        let (salt, before) = (self.events.salt()?, self.last_event(game, event)?);
        let leaf = Leaf {
            events: taken,
            private: Some(private::of_withdrawal(because, name, by).commitment(&salt)?),
            ..Leaf::new(Kind::Reinstatement, to_hex(&id.0), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// Hides an entry, or shows it, as its withdrawals say; true if it is hidden.
    pub(super) fn hide(&mut self, game: i64) -> Result<bool, ArchiveError> {
        let hiding: Option<i64> =
            self.connection.prepare_cached(HIDING)?.query_row([game], |row| row.get(0))?;
        self.connection.prepare_cached("DELETE FROM hidden WHERE game = ?1")?.execute([game])?;
        if let Some(withdrawal) = hiding {
            let hide = "INSERT INTO hidden (game, withdrawal) VALUES (?1, ?2)";
            self.connection.prepare_cached(hide)?.execute([game, withdrawal])?;
        }
        Ok(hiding.is_some())
    }

    /// True if an entry is hidden.
    pub(super) fn is_hidden(&self, game: i64) -> Result<bool, ArchiveError> {
        Ok(self.connection.prepare_cached("SELECT 1 FROM hidden WHERE game = ?1")?.exists([game])?)
    }

    /// The number of an entry that exists and is not forgotten.
    fn known(&self, id: GameId) -> Result<i64, ArchiveError> {
        let game = self.game(id)?.ok_or(ArchiveError::NoGame(id))?;
        match find::forgotten(self.connection, id)? {
            Some(forgotten) => Err(ArchiveError::Forgotten(Box::new(forgotten))),
            None => Ok(game),
        }
    }

    fn events_of_texts(&self, game: i64, token: &TokenId) -> Result<Vec<u64>, ArchiveError> {
        let mut find = self.connection.prepare_cached(OWN_TEXTS)?;
        let events = find.query_map([game, row_number(token.event)], |row| row.get(0))?;
        events.map(|event| Ok(event_number(event?))).collect()
    }

    /// Marks the withdrawals of an entry that hold as taken back by an event, those of a token of its own texts or all;
    /// returns their events.
    fn take_back(&self, game: i64, event: i64, own: Option<i64>) -> Result<Vec<u64>, ArchiveError> {
        let take = "UPDATE withdrawal SET reinstated = ?2 WHERE game = ?1 AND reinstated IS NULL \
            AND (?3 IS NULL OR own = 1 AND by = ?3) RETURNING event";
        let mut take = self.connection.prepare_cached(take)?;
        let events = take.query_map(params![game, event, own], |row| row.get(0))?;
        let mut events: Vec<u64> =
            events.map(|event| Ok(event_number(event?))).collect::<Result<_, ArchiveError>>()?;
        events.sort_unstable();
        Ok(events)
    }

    /// The number of the entry that supersedes another one.
    fn successor(&self, id: GameId, successor: GameId) -> Result<i64, ArchiveError> {
        let wrong = |why: &str| ArchiveError::Withdrawal(format!("{successor} cannot supersede {id}: {why}"));
        if successor == id {
            return Err(wrong("it is the same game; name the corrected one"));
        }
        let number =
            self.game(successor)?.ok_or_else(|| wrong("the archive does not have it; import it first"))?;
        if find::forgotten(self.connection, successor)?.is_some() {
            return Err(wrong("it was forgotten"));
        }
        match self.is_hidden(number)? {
            true => Err(wrong("it is withdrawn itself")),
            false => Ok(number),
        }
    }
}

/// The name of a token, and the event that created it.
pub(super) fn asker(token: Option<&TokenId>) -> (Option<&str>, Option<i64>) {
    (token.map(|token| &*token.name), token.map(|token| row_number(token.event)))
}
