//! Reading connections: as many as are needed at once; some are kept for later readers.

use super::file::FileId;
use super::open::open_reader;
use crate::error::ArchiveError;
use ferz_core::text::Budget;
use ferz_core::text::limits::{ARCHIVE_READERS_KEPT, ARCHIVE_STEPS_PER_LOOK, ARCHIVE_UNITS_PER_LOOK};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The idle connections of an archive.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    file: FileId,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Opens the first connection.
    ///
    /// # Errors
    /// If the file is not a readable archive.
    pub(super) fn open(path: &Path) -> Result<Readers, ArchiveError> {
        let (first, file) = open_reader(path)?;
        Ok(Readers { path: path.to_owned(), file, idle: Mutex::new(vec![first]) })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads with a connection of its own, within a budget if one is given.
    ///
    /// # Errors
    /// If no connection can be opened, reading fails, or its budget ends.
    pub(super) fn with<T>(
        &self,
        budget: Option<&Budget>,
        read: impl FnOnce(&Connection) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        if let Some(budget) = budget {
            budget.check()?;
        }
        let connection = match self.idle().pop() {
            Some(connection) => connection,
            None => self.another()?,
        };
        if let Some(budget) = budget.cloned() {
            let is_exhausted = move || budget.spend(ARCHIVE_UNITS_PER_LOOK).is_err();
            connection.progress_handler(ARCHIVE_STEPS_PER_LOOK, Some(is_exhausted))?;
        }
        let found = read(&connection);
        if budget.is_some() {
            connection.progress_handler(0, None::<fn() -> bool>)?;
        }
        let mut idle = self.idle();
        if idle.len() < ARCHIVE_READERS_KEPT {
            idle.push(connection);
        }
        found
    }

    /// Opens another connection to the same file.
    fn another(&self) -> Result<Connection, ArchiveError> {
        match open_reader(&self.path)? {
            (connection, file) if file == self.file => Ok(connection),
            _ => Err(ArchiveError::Moved(self.path.clone())),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // The list is consistent even if a thread panicked while it held the lock.
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;

    #[test]
    fn a_budget_ends_in_the_middle_of_a_query() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        drop(Archive::open(&path).unwrap());
        let readers = Readers::open(&path).unwrap();
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        let ask = |budget: Option<&Budget>, query: &str| {
            readers
                .with(budget, |connection| Ok(connection.query_row(query, [], |row| row.get::<_, i64>(0))?))
        };
        assert_eq!(ask(Some(&Budget::of(100_000)), endless), Err(ArchiveError::TooMuchWork));
        let cancelled = Budget::unlimited();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| ask(Some(&cancelled), endless));
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancelled.cancel();
            assert_eq!(asked.join().unwrap(), Err(ArchiveError::TooMuchWork));
        });
        // The connection serves the next reader, who has no budget.
        let long = endless.replace("FROM n)", "FROM n WHERE i < 1000000)");
        assert_eq!(ask(None, &long), Ok(1_000_000));
    }
}
