//! Connections that read: as many as are needed at once, some of them kept for the next reader.

use super::error::ArchiveError;
use super::schema::open_reader;
use crate::text::limits::ARCHIVE_READERS_KEPT;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The connections of an archive that nobody uses just now.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Opens the first connection.
    ///
    /// # Errors
    /// Where the file is no archive that can be read.
    pub(super) fn open(path: &Path) -> Result<Readers, ArchiveError> {
        let first = open_reader(path)?;
        Ok(Readers { path: path.to_owned(), idle: Mutex::new(vec![first]) })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads with a connection of its own.
    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let connection = match self.idle().pop() {
            Some(connection) => connection,
            None => open_reader(&self.path)?,
        };
        let found = read(&connection);
        let mut idle = self.idle();
        if idle.len() < ARCHIVE_READERS_KEPT {
            idle.push(connection);
        }
        found
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // A list of connections is whole whatever happened to the thread that held it.
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
