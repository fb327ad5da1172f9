//! The writing connection.

use super::append::{Names, Rows};
use super::file::Files;
use super::open::BUSY;
use crate::archive::error::ArchiveError;
use crate::archive::store::{Added, Append, Wait, Write};
use rusqlite::Connection;
use std::time::Duration;

/// The writing connection with its files.
#[derive(Debug)]
pub(in crate::archive) struct WriterConnection {
    pub(in crate::archive) connection: Connection,
    files: Files,
    names: Names,
}

impl WriterConnection {
    pub(in crate::archive) fn new(connection: Connection, files: Files) -> WriterConnection {
        WriterConnection { connection, files, names: Names::default() }
    }

    fn transaction(&mut self, writes: &[Write<'_>]) -> Result<Vec<Vec<Added>>, ArchiveError> {
        let transaction = self.connection.transaction()?;
        let mut rows = Rows::new(&transaction, &mut self.names)?;
        let written = writes.iter().map(|write| rows.write(write)).collect::<Result<_, _>>()?;
        rows.finish()?;
        drop(rows);
        transaction.commit()?;
        self.files.check()?;
        Ok(written)
    }
}

impl Append for WriterConnection {
    fn append(&mut self, writes: &[Write<'_>], wait: Wait) -> Result<Vec<Vec<Added>>, ArchiveError> {
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
}
