//! Deletes the names, texts and salts of an entry. The event commits to what is left of its rows.

use super::Rows;
use crate::archive::error::ArchiveError;
use crate::archive::forgetting::Forgetting;
use crate::archive::identity::to_hex;
use crate::archive::log::{Kind, Leaf, LoggedRow};
use crate::archive::sqlite::find;
use crate::archive::sqlite::log::{self, following, row_number, stored_row};
use crate::archive::sqlite::seal::{self, OldRows, SEALED, Sealed};
use rusqlite::{Connection, OptionalExtension, params};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The name of those who are unknown.
const UNKNOWN: &str = "?";

const BLANK_GAME: &str = "UPDATE game SET white = ?2, black = ?2, nature = NULL, event = ?2, site = ?2, \
    date = '????.??.??', day = NULL, round = '?' WHERE number = ?1";
/// The keys of an entry's texts must differ, and those of forgotten ones say nothing.
const BLANK_SUBMISSION: &str = "UPDATE submission SET text = x'', report = x'', digest = zeroblob(32), \
    text_key = CAST(printf('%016d', number) AS BLOB), token = NULL WHERE number = ?1";
const BLANK_WITHDRAWAL: &str = "UPDATE withdrawal SET because = '', token = NULL WHERE number = ?1";
/// As the trigger `names_stay` demands.
const BLANK_NAME: &str = "UPDATE name SET text = '(forgotten name ' || number || ')', folded = '', salt = NULL \
    WHERE number = ?1";

impl Rows<'_> {
    /// Forgets an entry.
    pub(super) fn forget(&mut self, forgetting: &Forgetting) -> Result<u64, ArchiveError> {
        let Forgetting { id, because } = forgetting;
        let game = self.game(*id)?.ok_or(ArchiveError::NoGame(*id))?;
        if let Some(forgotten) = find::forgotten(self.connection, *id)? {
            return Err(ArchiveError::Forgotten(Box::new(forgotten)));
        }
        let event = self.events.next();
        let before = self.last_event(game, event)?;
        let had = self.names_of(game)?;
        let unknown = self.name(UNKNOWN)?;
        self.connection.execute("INSERT INTO forgotten (game, event) VALUES (?1, ?2)", [game, event])?;
        // Rows of the first versions are covered by a digest of their own, which must not hide damage.
        let old_rows = OldRows::until(self.connection, &self.head.old)?.finish();
        let is_old_intact = old_rows == self.head.old_rows;
        let mut rows = vec![
            self.blank(&seal::GAME, game, |connection| connection.execute(BLANK_GAME, [game, unknown]))?,
        ];
        let mut events = BTreeSet::new();
        for (number, event) in self.rows_of("submission", game)? {
            let blank = |connection: &Connection| connection.execute(BLANK_SUBMISSION, [number]);
            rows.push(self.blank(&seal::SUBMISSION, number, blank)?);
            events.insert(event);
        }
        for (number, event) in self.rows_of("withdrawal", game)? {
            let blank = |connection: &Connection| connection.execute(BLANK_WITHDRAWAL, [number]);
            rows.push(self.blank(&seal::WITHDRAWAL, number, blank)?);
            events.insert(event);
        }
        let mut names = Vec::new();
        for number in had {
            if number != unknown && !self.is_used(number)? {
                let blank = |connection: &Connection| connection.execute(BLANK_NAME, [number]);
                rows.push(self.blank(&seal::NAME, number, blank)?);
                names.push(number);
            }
        }
        for event in &events {
            self.connection.execute("DELETE FROM salt WHERE event = ?1", [row_number(*event)])?;
        }
        if is_old_intact {
            self.head.old_rows = OldRows::until(self.connection, &self.head.old)?.finish();
        }
        self.names.forget();
        let new = self.new_names.drain(..);
        rows.extend(new.map(|(number, digest, salt)| log::row("name", number, &digest, Some(&salt))));
        let leaf = Leaf {
            because: Some(Cow::Borrowed(because)),
            events: events.into_iter().collect(),
            names,
            rows,
            ..Leaf::new(Kind::Forgotten, to_hex(&id.0), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, None)
    }

    /// Blanks a row and seals it again; returns it for the leaf.
    fn blank(
        &self,
        sealed: &Sealed,
        number: i64,
        blank: impl FnOnce(&Connection) -> rusqlite::Result<usize>,
    ) -> Result<LoggedRow<'static>, ArchiveError> {
        blank(self.connection)?;
        let place = SEALED.iter().position(|other| other.table == sealed.table);
        let old = place.map_or(0, |place| self.head.old[place]);
        sealed.reseal(self.connection, number, number <= old)?;
        stored_row(self.connection, sealed.table, number, None)
    }

    /// The numbers of an entry's names, each once.
    fn names_of(&self, game: i64) -> Result<BTreeSet<i64>, ArchiveError> {
        let find = "SELECT white, black, nature, event, site FROM game WHERE number = ?1";
        let names: [Option<i64>; 5] = self.connection.query_row(find, [game], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?])
        })?;
        Ok(names.into_iter().flatten().collect())
    }

    /// The rows of an entry in a table, with their events.
    fn rows_of(&self, table: &str, game: i64) -> Result<Vec<(i64, u64)>, ArchiveError> {
        let find = format!("SELECT number, event FROM {table} WHERE game = ?1 ORDER BY number");
        let mut find = self.connection.prepare_cached(&find)?;
        let rows = find.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(i64, i64)> = rows.collect::<Result<_, _>>()?;
        Ok(rows
            .into_iter()
            .map(|(number, event)| (number, u64::try_from(event).unwrap_or(u64::MAX)))
            .collect())
    }

    /// True if an entry has this name.
    fn is_used(&self, name: i64) -> Result<bool, ArchiveError> {
        let find = "SELECT 1 FROM game \
            WHERE white = ?1 OR black = ?1 OR nature = ?1 OR event = ?1 OR site = ?1 LIMIT 1";
        Ok(self.connection.prepare_cached(find)?.query_row(params![name], |_| Ok(())).optional()?.is_some())
    }
}
