//! The schema, its versions, and the configuration of connections.

use super::file::{self, FileId, Files, log_of};
use super::log;
use crate::error::ArchiveError;
use crate::now;
use crate::pack::{DICTIONARY, DICTIONARY_NUMBER};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::{HookError, M, Migrations};
use std::path::Path;
use std::time::{Duration, Instant};

/// All versions of the schema, each as a migration from the one before; `archive` is the file of a real one, which
/// gets a log with its key.
fn migrations(archive: Option<&Path>) -> Migrations<'static> {
    let archive = archive.map(Path::to_owned);
    let first = move |transaction: &Transaction<'_>| {
        let add = "INSERT INTO dictionary (number, bytes) VALUES (?1, ?2)";
        transaction.execute(add, (DICTIONARY_NUMBER, DICTIONARY))?;
        match &archive {
            Some(archive) => {
                log::start(transaction, archive, now()).map_err(|error| HookError::Hook(error.to_string()))
            }
            None => Ok(()),
        }
    };
    Migrations::new(vec![M::up_with_hook(include_str!("schema.sql"), first)])
}

/// An empty archive in memory.
///
/// # Errors
/// If there is no memory.
pub(super) fn empty() -> Result<Connection, ArchiveError> {
    let mut connection = Connection::open_in_memory()?;
    migrations(None).to_latest(&mut connection).map_err(ArchiveError::from_migration)?;
    Ok(connection)
}

/// The version after all migrations.
const KNOWN: i64 = 1;

/// `ferz`: the application id in the header of an archive.
const APPLICATION_ID: i64 = 0x6665_727a;

/// Earlier versions of SQLite can corrupt a database in WAL mode when a log reset coincides with a second writer.
const SQLITE_LEAST: i32 = 3_051_003;

/// The time that a connection waits for another program that holds the archive.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// The maximum size of the log between bursts of writing, in bytes.
const LOG_BYTES_MAX: i64 = 64 << 20;

/// The number of prepared statements in a connection's cache.
const STATEMENTS: usize = 64;

/// Pages that the writer keeps, in KiB. An import touches pages of all indexes in each transaction; with the 2 MiB of
/// SQLite it writes pages out before the commit and reads them again: half as many writes more, and twice the reads.
const WRITER_CACHE_KIB: i64 = 16 << 10;

/// Pages in the log that trigger a checkpoint: 16 MB.
const CHECKPOINT_PAGES: i64 = 4_000;

/// Rejects versions of SQLite that can corrupt an archive.
pub(super) fn check_sqlite() -> Result<(), ArchiveError> {
    if rusqlite::version_number() >= SQLITE_LEAST {
        return Ok(());
    }
    Err(ArchiveError::OldSqlite { found: rusqlite::version().to_owned() })
}

/// Opens the writing connection and migrates the schema.
pub(crate) fn open_writer(path: &Path) -> Result<(Connection, Files), ArchiveError> {
    open_and_migrate(path).map_err(|error| file::explained_opening(path, error))
}

fn open_and_migrate(path: &Path) -> Result<(Connection, Files), ArchiveError> {
    check_sqlite()?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let (mut connection, database) = file::opened(path, true, || connect(path, flags))?;
    // Write nothing before the file is known to be an archive or empty.
    version(&connection, path)?;
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    set_wal(&connection, path)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_MAX)?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
    let migrations = migrations(Some(path));
    if let Err(error) = migrations.to_latest(&mut connection) {
        // Another program may have migrated it at the same time.
        if migrations.pending_migrations(&connection) != Ok(0) {
            return Err(ArchiveError::from_migration(error));
        }
    }
    Ok((connection, Files::new(path, database)))
}

/// Opens a reading connection, and returns the identity of its file.
pub(super) fn open_reader(path: &Path) -> Result<(Connection, FileId), ArchiveError> {
    let open = || open_existing(path).map_err(|error| file::explained_opening(path, error));
    file::opened(path, false, open)
}

fn open_existing(path: &Path) -> Result<Connection, ArchiveError> {
    check_sqlite()?;
    if !path.exists() {
        return Err(ArchiveError::Missing(path.to_owned()));
    }
    if path.is_dir() {
        return Err(folder(path));
    }
    let (connection, found) = match look(path, path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
        // Readers and writers synchronize in a file next to the archive. If it cannot be created, as on a read-only
        // medium, there is no writer.
        Err(ArchiveError::CannotOpen { .. }) if !log_of(path).exists() => open_unchanging(path)?,
        found => found?,
    };
    let found = found.ok_or_else(|| ArchiveError::Foreign(path.to_owned()))?;
    if found < KNOWN {
        return Err(ArchiveError::Foreign(path.to_owned()));
    }
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Opens a file and reads its version.
fn look(path: &Path, name: &Path, flags: OpenFlags) -> Result<(Connection, Option<i64>), ArchiveError> {
    let connection = connect(name, flags)?;
    let found = version(&connection, path)?;
    Ok((connection, found))
}

/// Opens an archive without a writer: no other file is read or created.
fn open_unchanging(path: &Path) -> Result<(Connection, Option<i64>), ArchiveError> {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    look(path, Path::new(&format!("file:{escaped}?immutable=1")), flags)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, ArchiveError> {
    let opened = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = opened.map_err(|error| no_database(error, path))?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A malicious view or trigger in the file can only call pure functions.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Enables the write-ahead log, so that readers and the writer do not block each other.
fn set_wal(connection: &Connection, path: &Path) -> Result<(), ArchiveError> {
    let begun = Instant::now();
    loop {
        let answer = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
        match answer.map_err(ArchiveError::from) {
            Ok(mode) => {
                let mode: String = mode;
                if mode.eq_ignore_ascii_case("wal") {
                    return Ok(());
                }
                let reason = format!("its file system does not support a log (journal mode is {mode})");
                return Err(ArchiveError::CannotOpen { path: path.to_owned(), reason });
            }
            // SQLite does not wait for other programs when the mode changes.
            Err(ArchiveError::Busy) if begun.elapsed() < BUSY => std::thread::sleep(BUSY / 500),
            Err(error) => return Err(error),
        }
    }
}

/// The version of the schema; `None` for an empty file; an error if the file is not an archive or its version is
/// unknown.
fn version(connection: &Connection, path: &Path) -> Result<Option<i64>, ArchiveError> {
    // One statement, so that it sees one state of the file while another program creates the archive.
    let look = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) \
        FROM pragma_application_id(), pragma_user_version()";
    let found = connection.query_row(look, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let (owner, found, things): (i64, i64, i64) = found.map_err(|error| no_database(error, path))?;
    match (owner, things) {
        (APPLICATION_ID, _) if found > KNOWN => {
            Err(ArchiveError::Newer { path: path.to_owned(), found, known: KNOWN })
        }
        (APPLICATION_ID, _) => Ok(Some(found)),
        (0, 0) if found == 0 => Ok(None),
        _ => Err(ArchiveError::Foreign(path.to_owned())),
    }
}

/// Interprets an error of the first read of a file.
fn no_database(error: rusqlite::Error, path: &Path) -> ArchiveError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => ArchiveError::Foreign(path.to_owned()),
        Some(rusqlite::ErrorCode::CannotOpen) if path.is_dir() => folder(path),
        Some(rusqlite::ErrorCode::CannotOpen) => {
            let reason = "its folder must exist and be writable, because the log is next to the archive";
            ArchiveError::CannotOpen { path: path.to_owned(), reason: reason.to_owned() }
        }
        _ => error.into(),
    }
}

/// The error for a folder instead of an archive.
fn folder(path: &Path) -> ArchiveError {
    ArchiveError::CannotOpen { path: path.to_owned(), reason: "it is a folder; name a file".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_set_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        let (writer, _) = open_writer(&path).unwrap();
        let text = |connection: &Connection, name: &str| -> String {
            connection
                .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
                .map(|value| format!("{value:?}"))
                .unwrap()
        };
        assert_eq!(text(&writer, "journal_mode"), "Text(\"wal\")");
        assert_eq!(text(&writer, "synchronous"), "Integer(2)");
        let (reader, _) = open_reader(&path).unwrap();
        for connection in [&writer, &reader] {
            assert_eq!(text(connection, "foreign_keys"), "Integer(1)");
            assert_eq!(text(connection, "busy_timeout"), "Integer(5000)");
            assert_eq!(text(connection, "trusted_schema"), "Integer(0)");
        }
        assert!(reader.execute("INSERT INTO probe VALUES (1, 1)", []).is_err());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        assert_eq!(open_reader(&path).unwrap_err(), ArchiveError::Missing(path.clone()));
        std::fs::write(&path, "[Event \"no database\"]\n\n1. e4 *\n".repeat(99)).unwrap();
        assert_eq!(open_reader(&path).unwrap_err(), ArchiveError::Foreign(path.clone()));
        assert_eq!(open_writer(&path).unwrap_err(), ArchiveError::Foreign(path.clone()));
        let other = folder.path().join("other.db");
        Connection::open(&other)
            .unwrap()
            .execute_batch("CREATE TABLE t (a); PRAGMA user_version = 1")
            .unwrap();
        let before = std::fs::read(&other).unwrap();
        assert_eq!(open_writer(&other).unwrap_err(), ArchiveError::Foreign(other.clone()));
        assert_eq!(open_reader(&other).unwrap_err(), ArchiveError::Foreign(other.clone()));
        assert_eq!(std::fs::read(&other).unwrap(), before);
    }

    #[test]
    fn an_archive_on_a_medium_that_is_only_read_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% of #1?.ferz");
        drop(open_writer(&path).unwrap());
        let (reader, found) = open_unchanging(&path).unwrap();
        assert_eq!(found, Some(KNOWN));
        let games: i64 = reader.query_row("SELECT count(*) FROM game", [], |row| row.get(0)).unwrap();
        assert_eq!(games, 0);
        assert!(!log_of(&path).exists() && !folder.path().join("50% of #1?.ferz-shm").exists());
    }

    #[test]
    fn other_versions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        let (writer, _) = open_writer(&path).unwrap();
        writer.pragma_update(None, "user_version", 99).unwrap();
        drop(writer);
        let newer = ArchiveError::Newer { path: path.clone(), found: 99, known: KNOWN };
        assert_eq!(open_writer(&path).unwrap_err(), newer);
        assert_eq!(open_reader(&path).unwrap_err(), newer);
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 0).unwrap();
        assert!(matches!(open_reader(&path), Err(ArchiveError::Foreign(_))));
    }
}
