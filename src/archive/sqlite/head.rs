//! The number of rows in an archive, to detect deleted rows.

use super::open::KNOWN;
use super::seal::{OldRows, SEALED, SealBytes, seal, token_list, token_seal};
use crate::archive::error::ArchiveError;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params, params_from_iter};

/// The row of the table `head`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// The numbers of the last rows of [`NUMBERED`], in its order.
    pub(super) last: [i64; 5],
    /// Tokens, valid and revoked.
    pub(super) tokens: i64,
    /// Revoked tokens.
    pub(super) revoked: i64,
    /// The number of the last withdrawal; 0 in archives before version 4, which have none.
    pub(super) withdrawals: i64,
    /// The numbers of the last rows of [`SEALED`], in its order, from before version 3.
    pub(super) old: [i64; 4],
    /// The digest of these rows.
    pub(super) old_rows: [u8; 32],
}

/// The tables whose rows are numbered from 1 without gaps.
pub(super) const NUMBERED: [&str; 5] = ["rules", "name", "play", "game", "submission"];

/// Places in [`Head::last`].
pub(super) const RULES: usize = 0;
pub(super) const NAME: usize = 1;
pub(super) const PLAY: usize = 2;
pub(super) const GAME: usize = 3;
pub(super) const SUBMISSION: usize = 4;

/// The columns of version 3, in the order in which the seal covers them.
const COLUMNS: &str = "rules, name, play, game, submission, tokens, revoked, old_rules, old_name, old_game, \
    old_submission, old_rows";
/// The column that version 4 added.
const LATER: &str = "withdrawal";

impl Head {
    /// The head of an archive that is migrated to version 3.
    fn first(connection: &Connection) -> rusqlite::Result<Head> {
        let number = |query: &str| connection.query_row(query, [], |row| row.get(0));
        let last = |table: &str| number(&format!("SELECT coalesce(max(number), 0) FROM {table}"));
        let mut head = Head {
            last: [0; 5],
            tokens: number("SELECT count(*) FROM token")?,
            revoked: number("SELECT count(revoked) FROM token")?,
            withdrawals: 0,
            old: [0; 4],
            old_rows: [0; 32],
        };
        for (number, table) in head.last.iter_mut().zip(NUMBERED) {
            *number = last(table)?;
        }
        for (number, sealed) in head.old.iter_mut().zip(SEALED) {
            *number = last(sealed.table)?;
        }
        head.old_rows = OldRows::until(connection, &head.old)?.finish();
        Ok(head)
    }

    /// The stored head of an archive of this version, if it exists, and whether its seal is right.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub(super) fn read(connection: &Connection, version: i64) -> Result<Option<(Head, bool)>, ArchiveError> {
        let later = if version < 4 { "0" } else { LATER };
        let mut find = connection.prepare_cached(&format!("SELECT {COLUMNS}, {later}, seal FROM head"))?;
        let found = find.query_row([], |row| {
            let mut head = Head {
                last: [0; 5],
                tokens: row.get(5)?,
                revoked: row.get(6)?,
                withdrawals: row.get(12)?,
                old: [0; 4],
                old_rows: row.get(11)?,
            };
            numbers(row, 0, &mut head.last)?;
            numbers(row, 7, &mut head.old)?;
            let seal: SealBytes = row.get(13)?;
            Ok((head, seal))
        });
        match found.optional()? {
            Some((head, seal)) => Ok(Some((head, head.with(version, |values| sealed(values))? == seal))),
            None => Ok(None),
        }
    }

    /// The intact head of an archive that is open for writing.
    ///
    /// # Errors
    /// If it is missing or damaged: nothing is added to an archive without it.
    pub(super) fn whole(connection: &Connection) -> Result<Head, ArchiveError> {
        match Head::read(connection, KNOWN)? {
            Some((head, true)) => Ok(head),
            _ => Err(ArchiveError::Corrupt("its head has changed".to_owned())),
        }
    }

    /// Replaces the head of an archive that is open for writing.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub(super) fn write(&self, connection: &Connection) -> Result<(), ArchiveError> {
        self.run(connection, KNOWN, |columns, marks| format!("UPDATE head SET ({columns}) = ({marks})"))
    }

    fn run(
        &self,
        connection: &Connection,
        version: i64,
        statement: fn(&str, &str) -> String,
    ) -> Result<(), ArchiveError> {
        let later = if version < 4 { String::new() } else { format!(", {LATER}") };
        self.with(version, |values| {
            let seal = sealed(values)?;
            let seal: &dyn ToSql = &seal;
            let marks = vec!["?"; values.len() + 1].join(", ");
            connection
                .prepare_cached(&statement(&format!("{COLUMNS}{later}, seal"), &marks))?
                .execute(params_from_iter(values.iter().copied().chain([seal])))?;
            Ok(())
        })
    }

    /// The values of all columns of a version, except the seal.
    fn with<T>(&self, version: i64, take: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        let Head { last: [a, b, c, d, e], tokens, revoked, withdrawals, old: [f, g, h, i], old_rows } = self;
        let values = params![a, b, c, d, e, tokens, revoked, f, g, h, i, old_rows, withdrawals];
        take(if version < 4 { &values[..values.len() - 1] } else { values })
    }
}

fn sealed(values: &[&dyn ToSql]) -> Result<SealBytes, ArchiveError> {
    seal("head", Some(1), values)
}

fn numbers(row: &Row<'_>, first: usize, numbers: &mut [i64]) -> rusqlite::Result<()> {
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = row.get(first + index)?;
    }
    Ok(())
}

/// Migrates an archive to version 3 after its tables were created: seals tokens and writes the head.
///
/// # Errors
/// If the archive cannot be read or written.
pub(super) fn add(connection: &Connection) -> Result<(), ArchiveError> {
    let mut tokens = connection.prepare(&format!("SELECT {} FROM token", token_list(3)))?;
    let seals = tokens.query_map([], |row| Ok((row.get(1)?, token_seal(row, 3)?)))?;
    let seals: Vec<([u8; 32], SealBytes)> = seals.collect::<Result<_, _>>()?;
    for (hash, seal) in seals {
        connection.execute("UPDATE token SET seal = ?2 WHERE hash = ?1", params![hash, seal])?;
    }
    let head = Head::first(connection)?;
    head.run(connection, 3, |columns, marks| {
        format!("INSERT INTO head ({columns}, number) VALUES ({marks}, 1)")
    })
}

/// Migrates an archive to version 4 after its tables were created: seals the head with its new column. A damaged head
/// stays damaged.
///
/// # Errors
/// If the archive cannot be read or written.
pub(super) fn add_withdrawals(connection: &Connection) -> Result<(), ArchiveError> {
    match Head::read(connection, 3)? {
        Some((head, true)) => head.write(connection),
        _ => Ok(()),
    }
}

/// Migrates an archive to version 5 after its tables were created: seals tokens with their new columns. A damaged one
/// stays damaged.
///
/// # Errors
/// If the archive cannot be read or written.
pub(super) fn reseal_tokens(connection: &Connection) -> Result<(), ArchiveError> {
    let mut tokens = connection.prepare(&format!("SELECT {}, seal FROM token", token_list(5)))?;
    let seals = tokens.query_map([], |row| {
        let seal: Option<Vec<u8>> = row.get(7)?;
        let is_whole = seal.as_deref() == Some(&token_seal(row, 4)?[..]);
        Ok((row.get(1)?, token_seal(row, 5)?, is_whole))
    })?;
    let seals: Vec<(Vec<u8>, SealBytes, bool)> = seals.collect::<Result<_, _>>()?;
    for (hash, seal, _) in seals.into_iter().filter(|(_, _, is_whole)| *is_whole) {
        connection.execute("UPDATE token SET seal = ?2 WHERE hash = ?1", params![hash, seal])?;
    }
    Ok(())
}

/// Writes the head of an archive that was created with a version from 3 on, whose rows are there.
#[cfg(test)]
pub(super) fn make(connection: &Connection, version: i64) -> Result<(), ArchiveError> {
    let head = Head { old: [0; 4], old_rows: OldRows::default().finish(), ..Head::first(connection)? };
    let query = "SELECT coalesce(max(number), 0) FROM withdrawal";
    let withdrawals = if version < 4 { 0 } else { connection.query_row(query, [], |row| row.get(0))? };
    Head { withdrawals, ..head }.run(connection, version, |columns, marks| {
        format!("INSERT OR REPLACE INTO head ({columns}, number) VALUES ({marks}, 1)")
    })
}
