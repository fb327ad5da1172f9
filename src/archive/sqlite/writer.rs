//! The writing connection.

use super::append::{Names, Rows};
use super::file::Files;
use super::log::Keeper;
use super::open::{BUSY, open_writer};
use crate::error::ArchiveError;
use crate::store::{Append, Appended, Wait, Write};
use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

/// The writing connection with its files.
#[derive(Debug)]
pub(crate) struct WriterConnection {
    pub(crate) connection: Connection,
    files: Files,
    names: Names,
    keeper: Keeper,
}

impl WriterConnection {
    /// Opens an archive for writing; creates it if it does not exist, and migrates it.
    ///
    /// # Errors
    /// If it is no archive, cannot be written, or its signing key is missing.
    pub(crate) fn open(path: &Path) -> Result<WriterConnection, ArchiveError> {
        let (connection, files) = open_writer(path)?;
        let keeper = Keeper::open(&connection, path)?;
        Ok(WriterConnection { connection, files, names: Names::default(), keeper })
    }

    fn transaction(&mut self, writes: &[Write<'_>]) -> Result<Appended, ArchiveError> {
        let transaction = self.connection.transaction()?;
        let mut rows = Rows::new(&transaction, &mut self.names, &mut self.keeper)?;
        let written = writes.iter().map(|write| rows.write(write)).collect::<Result<_, _>>()?;
        let events = rows.finish()?;
        drop(rows);
        transaction.commit()?;
        self.files.check()?;
        Ok(Appended { written, events })
    }
}

impl Append for WriterConnection {
    fn append(&mut self, writes: &[Write<'_>], wait: Wait) -> Result<Appended, ArchiveError> {
        if wait == Wait::Never {
            self.connection.busy_timeout(Duration::ZERO)?;
        }
        let written = self.transaction(writes);
        if wait == Wait::Never {
            self.connection.busy_timeout(BUSY)?;
        }
        if written.is_err() {
            // Numbers assigned in the transaction are rolled back with it.
            self.names.forget();
        }
        written.map_err(|error| self.files.explained(error))
    }

    /// Checkpoints the log.
    fn settle(&mut self) -> Result<(), ArchiveError> {
        Ok(self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
    }

    /// Rewrites all pages, since unused parts of them can have old rows, and empties the log.
    fn clean(&mut self) -> Result<(), ArchiveError> {
        let cleaned = self.connection.execute_batch("VACUUM").map_err(ArchiveError::from).and_then(|()| {
            let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
            Ok(self.connection.query_row(checkpoint, [], |row| row.get::<_, bool>(0))?)
        });
        match cleaned {
            Ok(false) => Ok(()),
            Ok(true) | Err(ArchiveError::Busy) => Err(ArchiveError::Unclean),
            Err(error) => Err(self.files.explained(error)),
        }
    }
}
