//! Checks every row against the event that added it.

use crate::archive::error::ArchiveError;
use crate::archive::identity::to_hex;
use crate::archive::log::{Commitment, Kind, Leaf, LoggedRow, Salt, commitment};
use crate::archive::sqlite::append::LAST_EVENT;
use crate::archive::sqlite::log::previous;
use crate::archive::sqlite::seal::{row_digest, token_digest, token_list};
use crate::archive::time_text;
use crate::archive::verify::{Finding, FindingKind, damage};
use rusqlite::{Connection, OptionalExtension};
use std::collections::{HashMap, HashSet};

/// The tables whose rows events list, numbered from 1 without gaps.
const TABLES: [&str; 6] = ["rules", "name", "play", "game", "submission", "withdrawal"];

/// The tables whose rows have the number of their event.
const WITH_EVENT: [&str; 2] = ["submission", "withdrawal"];

/// True if an event that forgets an entry changed this row, and did not add it.
fn is_replaced(leaf: &Leaf<'_>, row: &LoggedRow<'_>) -> bool {
    leaf.kind == Kind::Forgotten && (row.0 != "name" || leaf.names.contains(&row.1))
}

/// A token as the log has it.
struct Token {
    commitment: Commitment,
    /// The event that added it, and the last one.
    added: i64,
    last: i64,
    revoked: Option<String>,
}

/// The rows that the events so far have added.
pub(super) struct Rows<'c> {
    connection: &'c Connection,
    last: [i64; 6],
    tokens: HashMap<String, Token>,
    /// Events whose salts were deleted, with the entry that was forgotten.
    forgotten: HashMap<i64, String>,
    /// Rows of forgotten entries: the event that forgets says what is left of them.
    replaced: HashSet<(String, i64)>,
    /// Events that have a salt, as far as it was not deleted.
    salts: i64,
}

impl<'c> Rows<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Rows<'c>, ArchiveError> {
        let (last, tokens, salts) = ([0; 6], HashMap::new(), 0);
        let (forgotten, replaced) = (HashMap::new(), HashSet::new());
        let mut rows = Rows { connection, last, tokens, forgotten, replaced, salts };
        rows.read_forgotten(found)?;
        Ok(rows)
    }

    /// Reads which events were forgotten, before they are met.
    fn read_forgotten(&mut self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        let all = "SELECT hex(game.id), forgotten.event, event.leaf FROM forgotten \
            JOIN game ON game.number = forgotten.game LEFT JOIN event ON event.number = forgotten.event";
        let mut all = self.connection.prepare(all)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (id, event): (String, i64) = (row.get(0)?, row.get(1)?);
            let leaf: Option<Vec<u8>> = row.get(2)?;
            let id = id.to_ascii_lowercase();
            let leaf = leaf.as_deref().and_then(|leaf| serde_json::from_slice::<Leaf<'_>>(leaf).ok());
            let Some(leaf) = leaf.filter(|leaf| leaf.kind == Kind::Forgotten && leaf.id == id) else {
                found(damage(None, format!("no event forgets the game {id}, but `forgotten` has it")));
                continue;
            };
            let number = |event: &u64| i64::try_from(*event).unwrap_or(i64::MAX);
            self.forgotten.extend(leaf.events.iter().map(|forgotten| (number(forgotten), id.clone())));
            let replaced = leaf.rows.iter().filter(|row| is_replaced(&leaf, row));
            self.replaced.extend(replaced.map(|row| (row.0.to_string(), row.1)));
            let message = format!("the game {id} was forgotten by event {event}");
            found(Finding { id: None, kind: FindingKind::Note, message });
        }
        Ok(())
    }

    /// Checks the rows that an event lists.
    pub(super) fn check(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<(), ArchiveError> {
        let mut find = self.connection.prepare_cached("SELECT salt FROM salt WHERE event = ?1")?;
        let salt: Option<Salt> = find.query_row([event], |row| row.get(0)).optional()?;
        let needs_salt = leaf.game.is_some()
            || leaf.kind != Kind::Forgotten
                && leaf.rows.iter().any(|row| !matches!(&*row.0, "rules" | "play" | "name"))
            || leaf.kind == Kind::Adopted && matches!(leaf.of, Some(Kind::Submission));
        let is_forgotten = self.forgotten.get(&event).is_some_and(|id| *id == leaf.id);
        match (needs_salt && !is_forgotten, salt.is_some()) {
            (true, false) => found(damage(None, format!("the salt of event {event} is missing"))),
            (false, true) => found(damage(None, format!("event {event} has a salt, and should have none"))),
            (needed, _) => self.salts += i64::from(needed),
        }
        for row in &leaf.rows {
            self.check_row(event, row, salt.as_ref(), leaf, found)?;
        }
        match leaf.of.unwrap_or(leaf.kind) {
            Kind::Revocation => {
                let time = leaf.stated.as_ref().unwrap_or(&leaf.time);
                match self.tokens.get_mut(&*leaf.id) {
                    Some(token) => (token.revoked, token.last) = (Some(time.to_string()), event),
                    None => found(damage(None, format!("event {event} revokes a token that no event added"))),
                }
            }
            Kind::Forgotten => {
                let known = "SELECT 1 FROM forgotten WHERE event = ?1";
                if !self.connection.prepare_cached(known)?.exists([event])? {
                    let message = format!("event {event} forgets the game {}, but it is there", leaf.id);
                    found(damage(None, message));
                }
            }
            _ => {}
        }
        self.check_place(event, leaf, found)
    }

    /// Checks the hash of the event before with the same id, which few events have.
    fn check_place(
        &self,
        event: i64,
        leaf: &Leaf<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<(), ArchiveError> {
        let of_game =
            matches!(leaf.of.unwrap_or(leaf.kind), Kind::Submission | Kind::Withdrawal | Kind::Forgotten);
        if leaf.prev.is_none() || !of_game {
            return Ok(());
        }
        let mut game = self.connection.prepare_cached("SELECT number FROM game WHERE id = unhex(?1)")?;
        let game: Option<i64> = game.query_row([&*leaf.id], |row| row.get(0)).optional()?;
        let mut find = self.connection.prepare_cached(&format!("{LAST_EVENT} WHERE event < ?2"))?;
        let last: Option<i64> = find.query_row((game, event), |row| row.get(0))?;
        let before = last.map(|last| previous(self.connection, last)).transpose();
        let is_right = before.is_ok_and(|before| {
            before.is_some_and(|before| {
                (Some(before.hash()), before.sequence()) == (leaf.prev.as_deref(), leaf.sequence)
            })
        });
        if !is_right {
            let message = format!("event {event} does not follow the event before it about {}", leaf.id);
            found(damage(None, message));
        }
        Ok(())
    }

    fn check_row(
        &mut self,
        event: i64,
        row: &LoggedRow<'_>,
        salt: Option<&Salt>,
        leaf: &Leaf<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<(), ArchiveError> {
        let LoggedRow(table, number, expected) = row;
        if table == "token" {
            let token = Token { commitment: *expected, added: event, last: event, revoked: None };
            self.tokens.insert(leaf.id.to_string(), token);
            return Ok(());
        }
        if is_replaced(leaf, row) {
            let digest = row_digest(self.connection, table, *number)?.unwrap_or_default();
            if commitment(None, table, &digest) != *expected {
                let message = format!("row {number} of `{table}` is not what event {event} left of it");
                found(damage(None, message));
            }
            return Ok(());
        }
        let Some(index) = TABLES.iter().position(|known| known == table) else {
            found(damage(None, format!("event {event} adds a row to `{}`", table.escape_debug())));
            return Ok(());
        };
        self.last[index] += 1;
        if *number != self.last[index] {
            let next = self.last[index];
            let message =
                format!("event {event} adds row {number} of `{table}` where row {next} should follow");
            found(damage(None, message));
            self.last[index] = *number;
        }
        let place = format!("row {number} of `{table}`");
        let Some(digest) = row_digest(self.connection, table, *number)? else {
            // A row that was missing when it was adopted is missing still.
            if *expected != commitment(salt, table, &[0; 32]) {
                found(damage(None, format!("{place}, which event {event} added, is missing")));
            }
            return Ok(());
        };
        let name_salt = match &**table {
            "name" => self.name_salt(*number)?,
            _ => None,
        };
        let salt = match &**table {
            "rules" | "play" => None,
            "name" => name_salt.as_ref(),
            _ => salt,
        };
        let is_forgotten = self.replaced.contains(&(table.to_string(), *number));
        if !is_forgotten && commitment(salt, table, &digest) != *expected {
            found(damage(None, format!("{place} is not the one that event {event} added")));
        }
        if WITH_EVENT.contains(&&**table) {
            let of = format!("SELECT event FROM {table} WHERE number = ?1");
            let of: Option<i64> =
                self.connection.prepare_cached(&of)?.query_row([number], |row| row.get(0))?;
            if of != Some(event) {
                found(damage(None, format!("{place} names another event than {event}, which added it")));
            }
        }
        Ok(())
    }

    fn name_salt(&self, number: i64) -> Result<Option<Salt>, ArchiveError> {
        let mut find = self.connection.prepare_cached("SELECT salt FROM name WHERE number = ?1")?;
        Ok(find.query_row([number], |row| row.get(0))?)
    }

    /// Checks what no event added.
    pub(super) fn finish(mut self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        for (table, last) in TABLES.into_iter().zip(self.last) {
            let more = format!("SELECT number FROM {table} WHERE number > ?1 OR number < 1 ORDER BY number");
            let mut more = self.connection.prepare(&more)?;
            let mut rows = more.query([last])?;
            while let Some(row) = rows.next()? {
                let number: i64 = row.get(0)?;
                found(damage(None, format!("row {number} of `{table}` was added by no event")));
            }
        }
        let salts: i64 = self.connection.query_row("SELECT count(*) FROM salt", [], |row| row.get(0))?;
        if salts != self.salts {
            let needed = self.salts;
            found(damage(None, format!("`salt` has {salts} rows, but the events need {needed}")));
        }
        self.check_tokens(found)
    }

    fn check_tokens(&mut self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        let all = format!("SELECT {}, event FROM token ORDER BY created, hash", token_list(5));
        let mut all = self.connection.prepare(&all)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (name, hash): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
            let (revoked, event): (Option<i64>, Option<i64>) = (row.get(3)?, row.get("event")?);
            let Some(token) = self.tokens.remove(&to_hex(&hash)) else {
                found(damage(None, format!("the token `{name}` was added by no event; revoke it")));
                continue;
            };
            let mut salt = self.connection.prepare_cached("SELECT salt FROM salt WHERE event = ?1")?;
            let salt: Option<Salt> = salt.query_row([token.added], |row| row.get(0)).optional()?;
            if commitment(salt.as_ref(), "token", &token_digest(row)?) != token.commitment {
                let event = token.added;
                let message =
                    format!("the token `{name}` is not the one that event {event} added; revoke it");
                found(damage(None, message));
            }
            if revoked.map(time_text) != token.revoked || event != Some(token.last) {
                let message = format!("the token `{name}` is revoked otherwise than its events say");
                found(damage(None, message));
            }
        }
        for token in self.tokens.values() {
            let event = token.added;
            found(damage(None, format!("the token that event {event} added is missing")));
        }
        Ok(())
    }
}
