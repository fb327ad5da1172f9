//! Seals: digests in rows that detect changes. They detect accidents, not people: anyone can compute one.

use crate::archive::bundle::{Blob, Bytes, Cell};
use crate::archive::error::ArchiveError;
use crate::archive::identity::{Key, shortened};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, ToSql, params_from_iter};

/// A table whose rows have a seal.
pub(super) struct Sealed {
    pub(super) table: &'static str,
    /// The columns that the seal covers besides the number, in its order.
    columns: &'static [&'static str],
    /// How many of them version 3 added.
    later: usize,
}

/// The tables whose rows have a seal; for a play, its key serves as one.
pub(super) const SEALED: [Sealed; 4] = [RULES, NAME, GAME, SUBMISSION];

pub(super) const RULES: Sealed =
    Sealed { table: "rules", columns: &["name", "edition", "digest", "kinds", "definition"], later: 0 };

pub(super) const NAME: Sealed = Sealed { table: "name", columns: &["text", "folded"], later: 0 };

pub(super) const GAME: Sealed = Sealed {
    table: "game",
    columns: &[
        "id", "play", "variant", "white", "black", "nature", "event", "site", "date", "day", "round",
        "result", "valid", "plies", "ending", "added",
    ],
    later: 0,
};

pub(super) const SUBMISSION: Sealed = Sealed {
    table: "submission",
    columns: &[
        "game", "text_key", "digest", "text", "report", "variant", "style", "stood", "received", "token",
    ],
    later: 1,
};

/// The rows of withdrawals, which version 4 added.
pub(super) const WITHDRAWAL: Sealed = Sealed {
    table: "withdrawal",
    columns: &["game", "successor", "because", "token", "withdrawn"],
    later: 0,
};

/// The rows of plays, whose keys serve as seals. Only the log has digests of them.
const PLAY: Sealed =
    Sealed { table: "play", columns: &["key", "rules", "start", "moves", "text_key"], later: 0 };

/// A seal: the first 16 bytes of a row's digest.
pub(super) type SealBytes = [u8; 16];

/// The digest of a whole row.
pub(super) type RowDigest = [u8; 32];

/// The seal of a row, made from the table's name and its values.
struct Seal(Key);

impl Seal {
    /// A seal of versions 1 and 2, which covers the row without its number.
    fn old(table: &str) -> Seal {
        let mut key = Key::new("ferz row 1");
        key.field(table.as_bytes());
        Seal(key)
    }

    /// A seal of version 3, which covers the number as well.
    fn of(table: &str, number: Option<i64>) -> Seal {
        let mut key = Key::new("ferz row 2");
        key.field(table.as_bytes());
        let mut seal = Seal(key);
        seal.value(number.map_or(ValueRef::Null, ValueRef::Integer));
        seal
    }

    fn value(&mut self, value: ValueRef<'_>) {
        let key = &mut self.0;
        match value {
            ValueRef::Null => key.field(b"null"),
            ValueRef::Integer(number) => {
                key.field(b"integer");
                key.field(&number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                key.field(b"real");
                key.field(&number.to_le_bytes());
            }
            ValueRef::Text(bytes) => {
                key.field(b"text");
                key.field(bytes);
            }
            ValueRef::Blob(bytes) => {
                key.field(b"blob");
                key.field(bytes);
            }
        }
    }

    fn finish(self) -> SealBytes {
        self.0.finish()
    }

    fn finish_whole(self) -> RowDigest {
        self.0.finish_whole()
    }
}

/// The seal of a row to be written.
pub(super) fn seal(
    table: &str,
    number: Option<i64>,
    values: &[&dyn ToSql],
) -> Result<SealBytes, ArchiveError> {
    digest(table, number, values).map(|digest| shortened(&digest))
}

/// The digest of a row to be written.
pub(super) fn digest(
    table: &str,
    number: Option<i64>,
    values: &[&dyn ToSql],
) -> Result<RowDigest, ArchiveError> {
    let mut seal = Seal::of(table, number);
    for value in values {
        match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => seal.value(value),
            ToSqlOutput::Owned(value) => seal.value((&value).into()),
            // Kinds of values that no row has.
            _ => seal.value(ValueRef::Null),
        }
    }
    Ok(seal.finish_whole())
}

/// Adds a row with its number and its seal unless it exists; returns its digest if it was new. The statement has a
/// parameter for the number, one for each value, one for the seal, and one for each of the values that no seal covers.
pub(super) fn insert(
    add: &mut CachedStatement<'_>,
    sealed: &Sealed,
    number: i64,
    values: &[&dyn ToSql],
    unsealed: &[&dyn ToSql],
) -> Result<Option<RowDigest>, ArchiveError> {
    let digest = digest(sealed.table, Some(number), values)?;
    let seal = shortened(&digest);
    let (number, seal): (&dyn ToSql, &dyn ToSql) = (&number, &seal);
    let all =
        [number].into_iter().chain(values.iter().copied()).chain([seal]).chain(unsealed.iter().copied());
    Ok((add.execute(params_from_iter(all))? > 0).then_some(digest))
}

/// The digest of a play to be written.
pub(super) fn play_digest(number: i64, values: &[&dyn ToSql]) -> Result<RowDigest, ArchiveError> {
    digest(PLAY.table, Some(number), values)
}

/// The digest of a row that a bundle shows.
pub(in crate::archive) fn cells_digest(table: &str, number: i64, values: &[Cell]) -> RowDigest {
    let mut seal = Seal::of(table, Some(number));
    for value in values {
        seal.value(match value {
            Cell::Null(()) => ValueRef::Null,
            Cell::Integer(number) => ValueRef::Integer(*number),
            Cell::Text(text) => ValueRef::Text(text.as_bytes()),
            Cell::Blob(Blob { base64 }) => ValueRef::Blob(&base64.0),
        });
    }
    seal.finish_whole()
}

/// The columns that digests of a table's rows cover besides the number.
fn digested(table: &str) -> Option<&'static [&'static str]> {
    let mut all = SEALED.iter().chain([&PLAY, &WITHDRAWAL]);
    all.find(|sealed| sealed.table == table).map(|sealed| sealed.columns)
}

/// The values of a stored row for a bundle, if it exists.
///
/// # Errors
/// If it cannot be read.
pub(super) fn row_cells(
    connection: &Connection,
    table: &str,
    number: i64,
) -> Result<Option<Vec<Cell>>, ArchiveError> {
    let Some(columns) = digested(table) else { return Ok(None) };
    let find = format!("SELECT {} FROM {table} WHERE number = ?1", columns.join(", "));
    let found = connection.prepare_cached(&find)?.query_row([number], |row| {
        let cell = |column| {
            Ok(match row.get_ref(column)? {
                ValueRef::Integer(number) => Cell::Integer(number),
                ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
                ValueRef::Blob(bytes) => Cell::Blob(Blob { base64: Bytes(bytes.to_vec()) }),
                // No row has real numbers.
                ValueRef::Null | ValueRef::Real(_) => Cell::Null(()),
            })
        };
        (0..columns.len()).map(cell).collect::<rusqlite::Result<Vec<Cell>>>()
    });
    Ok(found.optional()?)
}

/// The digest of a stored row, if it exists.
pub(super) fn row_digest(
    connection: &Connection,
    table: &str,
    number: i64,
) -> Result<Option<RowDigest>, ArchiveError> {
    let Some(columns) = digested(table) else { return Ok(None) };
    let find = format!("SELECT {} FROM {table} WHERE number = ?1", columns.join(", "));
    let found = connection.prepare_cached(&find)?.query_row([number], |row| {
        let mut seal = Seal::of(table, Some(number));
        for column in 0..columns.len() {
            seal.value(row.get_ref(column)?);
        }
        Ok(seal.finish_whole())
    });
    Ok(found.optional()?)
}

impl Sealed {
    /// The columns that rows of a version have.
    fn columns(&self, version: i64) -> &'static [&'static str] {
        let later = if version < 3 { self.later } else { 0 };
        &self.columns[..self.columns.len() - later]
    }

    /// True if the seal of the row is right; values and seal are in the columns from 1.
    fn is_whole(&self, row: &Row<'_>, count: usize, number: i64, is_old: bool) -> rusqlite::Result<bool> {
        let mut seal = if is_old { Seal::old(self.table) } else { Seal::of(self.table, Some(number)) };
        for column in 1..=count {
            let value = row.get_ref(column)?;
            if is_old && column > self.columns.len() - self.later {
                // An old row cannot have one.
                if value != ValueRef::Null {
                    return Ok(false);
                }
                continue;
            }
            seal.value(value);
        }
        Ok(row.get_ref(count + 1)? == ValueRef::Blob(&seal.finish()))
    }

    /// Calls `broken` with the number of each row that has changed. Rows up to number `old` have seals of earlier
    /// versions; their numbers and seals go into `old_rows`.
    pub(super) fn check(
        &self,
        connection: &Connection,
        version: i64,
        old: i64,
        old_rows: &mut OldRows,
        broken: &mut dyn FnMut(i64),
    ) -> Result<(), ArchiveError> {
        let columns = self.columns(version);
        let (table, names) = (self.table, columns.join(", "));
        let mut all =
            connection.prepare(&format!("SELECT number, {names}, seal FROM {table} ORDER BY number"))?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let number = row.get(0)?;
            let is_old = version < 3 || number <= old;
            if is_old {
                old_rows.add(number, row.get_ref(columns.len() + 1)?);
            }
            if !self.is_whole(row, columns.len(), number, is_old)? {
                broken(number);
            }
        }
        Ok(())
    }
}

impl Sealed {
    /// The seal that versions 1 and 2 gave a stored row.
    pub(super) fn old_seal(&self, connection: &Connection, number: i64) -> Result<SealBytes, ArchiveError> {
        let columns = self.columns(1);
        let find = format!("SELECT {} FROM {} WHERE number = ?1", columns.join(", "), self.table);
        let seal = connection.query_row(&find, [number], |row| {
            let mut seal = Seal::old(self.table);
            for column in 0..columns.len() {
                seal.value(row.get_ref(column)?);
            }
            Ok(seal.finish())
        });
        Ok(seal?)
    }

    /// Seals a row that was changed because its entry is forgotten; `is_old` if its seal is of versions 1 and 2.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn reseal(
        &self,
        connection: &Connection,
        number: i64,
        is_old: bool,
    ) -> Result<(), ArchiveError> {
        let seal = match is_old {
            true => self.old_seal(connection, number)?,
            false => shortened(&row_digest(connection, self.table, number)?.unwrap_or_default()),
        };
        let reseal = format!("UPDATE {} SET seal = ?2 WHERE number = ?1", self.table);
        connection.prepare_cached(&reseal)?.execute((number, seal))?;
        Ok(())
    }
}

/// A digest over the numbers and seals of the rows from before version 3, table by table, in the order of [`SEALED`].
#[derive(Default)]
pub(super) struct OldRows(blake3::Hasher);

impl OldRows {
    fn add(&mut self, number: i64, seal: ValueRef<'_>) {
        self.0.update(&number.to_le_bytes());
        self.0.update(seal.as_blob().unwrap_or_default());
    }

    /// The rows up to these numbers, one for each table.
    pub(super) fn until(connection: &Connection, last: &[i64; 4]) -> rusqlite::Result<OldRows> {
        let mut old_rows = OldRows::default();
        for (Sealed { table, .. }, last) in SEALED.iter().zip(last) {
            let all = format!("SELECT number, seal FROM {table} WHERE number <= ?1 ORDER BY number");
            let mut all = connection.prepare(&all)?;
            let mut rows = all.query([last])?;
            while let Some(row) = rows.next()? {
                old_rows.add(row.get(0)?, row.get_ref(1)?);
            }
        }
        Ok(old_rows)
    }

    pub(super) fn finish(self) -> [u8; 32] {
        *self.0.finalize().as_bytes()
    }
}

/// The columns of a token's row that its seal covers. The row has no number, and changes when its token is revoked.
const TOKEN_COLUMNS: [&str; 7] = ["name", "hash", "created", "revoked", "holder", "scopes", "expires"];

/// How many of them archives of a version have.
fn token_columns(version: i64) -> &'static [&'static str] {
    if version < 5 { &TOKEN_COLUMNS[..4] } else { &TOKEN_COLUMNS }
}

/// The columns of a token's row in an archive of a version, for [`token_seal`].
pub(super) fn token_list(version: i64) -> String {
    token_columns(version).join(", ")
}

/// The correct seal of a token's row, from its values in [`token_list`].
pub(super) fn token_seal(row: &Row<'_>, version: i64) -> rusqlite::Result<SealBytes> {
    let mut seal = Seal::of("token", None);
    for column in 0..token_columns(version).len() {
        seal.value(row.get_ref(column)?);
    }
    Ok(seal.finish())
}

/// The digest of a token's row as it was created, from its values in [`token_list`].
pub(super) fn token_digest(row: &Row<'_>) -> rusqlite::Result<RowDigest> {
    let mut seal = Seal::of("token", None);
    for (column, name) in TOKEN_COLUMNS.into_iter().enumerate() {
        if name != "revoked" {
            seal.value(row.get_ref(column)?);
        }
    }
    Ok(seal.finish_whole())
}
