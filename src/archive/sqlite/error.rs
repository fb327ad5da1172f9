//! Errors of SQLite as errors of the archive.

use crate::error::ArchiveError;
use rusqlite::ErrorCode;

impl From<rusqlite::Error> for ArchiveError {
    fn from(error: rusqlite::Error) -> ArchiveError {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => ArchiveError::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ArchiveError::Busy,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => ArchiveError::ReadOnly,
            Some(ErrorCode::OperationInterrupted) => ArchiveError::TooMuchWork,
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => ArchiveError::Io(text),
            // An intact archive refuses none of the rows written here.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::ConstraintViolation) => {
                ArchiveError::Corrupt(text)
            }
            _ => ArchiveError::Database(text),
        }
    }
}

impl ArchiveError {
    pub(super) fn from_migration(error: rusqlite_migration::Error) -> ArchiveError {
        match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => err.into(),
            other => ArchiveError::Database(other.to_string()),
        }
    }
}
