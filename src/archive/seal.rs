//! Rows that say of themselves whether they are as they were written.

use super::error::ArchiveError;
use super::identity::Key;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

/// The tables whose rows have a seal in their last column; the key of a play does the same for its row.
pub(super) const SEALED: [&str; 4] = ["rules", "name", "game", "submission"];

/// The seal of a row: made from the table's name and all that the row has but its number.
struct Seal(Key);

impl Seal {
    fn of(table: &str) -> Seal {
        let mut key = Key::new("ferz row 1");
        key.field(table.as_bytes());
        Seal(key)
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

    fn finish(self) -> [u8; 16] {
        self.0.finish()
    }
}

/// Adds a row with its seal; the statement has a parameter for each value and one for the seal. Tells whether the row
/// was new.
pub(super) fn insert(
    add: &mut CachedStatement<'_>,
    table: &str,
    values: &[&dyn ToSql],
) -> Result<bool, ArchiveError> {
    let mut seal = Seal::of(table);
    for value in values {
        match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => seal.value(value),
            ToSqlOutput::Owned(value) => seal.value((&value).into()),
            // Kinds of values that nothing here is made of.
            _ => seal.value(ValueRef::Null),
        }
    }
    let seal: &dyn ToSql = &seal.finish();
    Ok(add.execute(params_from_iter(values.iter().copied().chain([seal])))? > 0)
}

/// Calls `broken` with the number of each row of a table that is not as it was written.
pub(super) fn check(
    connection: &Connection,
    table: &str,
    broken: &mut dyn FnMut(i64),
) -> Result<(), ArchiveError> {
    let mut all = connection.prepare(&format!("SELECT * FROM {table} ORDER BY number"))?;
    // The first column is the number, the last one the seal.
    let last = all.column_count() - 1;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let mut seal = Seal::of(table);
        for column in 1..last {
            seal.value(row.get_ref(column)?);
        }
        if row.get_ref(last)? != ValueRef::Blob(&seal.finish()) {
            broken(row.get(0)?);
        }
    }
    Ok(())
}
