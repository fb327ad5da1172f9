//! Checks that the tables, indexes, triggers and views of an archive are those of this version.

use crate::error::ArchiveError;
use crate::sqlite::open;
use crate::verify::{Finding, FindingKind, damage};
use rusqlite::Connection;
use std::collections::BTreeMap;

/// The kind of an object of the schema, and the statement that created it.
type Things = BTreeMap<String, (String, Option<String>)>;

fn things(connection: &Connection) -> Result<Things, ArchiveError> {
    let mut all = connection.prepare("SELECT name, type, sql FROM sqlite_schema")?;
    let rows = all.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Compares the schema of an archive with that of this version. Objects that users add are notes, except triggers,
/// which change what is written.
pub(super) fn check(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let expected = things(&open::empty()?)?;
    let mut there = things(connection)?;
    for (name, (kind, statement)) in expected {
        match there.remove(&name) {
            None => found(damage(None, format!("the {kind} `{name}` is missing"))),
            Some((_, other)) if other != statement => {
                found(damage(None, format!("the {kind} `{name}` is not that of an archive")));
            }
            Some(_) => {}
        }
    }
    for (name, (kind, _)) in there {
        if kind == "trigger" {
            found(damage(None, format!("the trigger `{name}` was added; drop it unless it is yours")));
        } else if !name.starts_with("sqlite_autoindex_") {
            let message = format!("the {kind} `{name}` is not part of an archive");
            found(Finding { id: None, kind: FindingKind::Note, message });
        }
    }
    Ok(())
}
