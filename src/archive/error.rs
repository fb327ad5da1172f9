//! What can go wrong with an archive.

use crate::text::Exhausted;
use std::path::PathBuf;

/// Why an archive could not do what was asked. Cheap to clone: one error may have to reach many callers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no such file.
    #[error("{}: no such archive; `ferz archive import --db FILE` makes one", .0.display())]
    Missing(PathBuf),
    /// The file is something else.
    #[error("{}: this is no archive of ferz; name another file", .0.display())]
    Foreign(PathBuf),
    /// A later version of the program made or changed the file.
    #[error("{}: the archive has version {found}, and this program knows {known}; use a later program",
        path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The latest version that is known.
        known: i64,
    },
    /// An earlier version of the program made the file, and it was opened for reading only.
    #[error("{}: the archive has version {found}, and this program reads {known}; open it once for writing, \
        which brings it up to date", path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The version that is read.
        known: i64,
    },
    /// The SQLite that the program was built with can corrupt an archive.
    #[error("SQLite {found} is too old: it can corrupt an archive; build with 3.51.3 or later")]
    OldSqlite {
        /// Its version.
        found: String,
    },
    /// The disk is full, or the file has the size that the program may write at most. Nothing of the submission was
    /// kept; reading goes on.
    #[error("the disk of the archive is full, or its file may not grow; make room and submit again")]
    Full,
    /// The disk is so full that the archive cannot be opened.
    #[error("{}: cannot be opened, for its disk is full or the file may not grow; make room and start again",
        .0.display())]
    FullAtOpening(PathBuf),
    /// The file was deleted, replaced or renamed while it was open: what is written to it would be lost.
    #[error("{}: the archive was deleted or replaced while it was open; put it back and start again", .0.display())]
    Moved(PathBuf),
    /// Another program holds the archive.
    #[error("the archive is locked by another program; try again")]
    Busy,
    /// The archive was opened for reading, or the file may not be written to.
    #[error("the archive cannot be written to; change the mode of the file and of its directory")]
    ReadOnly,
    /// The file cannot be opened.
    #[error("{}: cannot be opened: {reason}", path.display())]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Reading or writing the file failed.
    #[error("the archive cannot be read or written: {0}")]
    Io(String),
    /// The file is damaged.
    #[error("the archive is damaged: {0}; restore it from a copy, and see `ferz archive verify`")]
    Corrupt(String),
    /// The cursor is none of this program.
    #[error("`{0}` is no cursor; take `next_cursor` of the page before, or begin without one")]
    Cursor(String),
    /// Something is asked for that no game can be; the text says what, and what can be asked for.
    #[error("{0}")]
    Filter(String),
    /// The budget of the request ended before the reading did.
    #[error("the request takes too much work and was stopped; ask for less at once, with fewer words")]
    TooMuchWork,
    /// The identity is not spelt as one.
    #[error("`{0}` is no id of a game; it has 32 hexadecimal digits")]
    Id(String),
    /// A token of that name is there.
    #[error("there is a token named `{0}`; revoke it first, or choose another name")]
    TokenExists(String),
    /// No token of that name is there.
    #[error("there is no token named `{0}`; `ferz archive token list` shows all")]
    TokenMissing(String),
    /// The archive is being closed.
    #[error("the archive is closed")]
    Closed,
    /// Anything else that SQLite has to say.
    #[error("the archive's database: {0}")]
    Database(String),
}

impl ArchiveError {
    /// True if the same submission may succeed later, when something outside the archive has changed.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            ArchiveError::Full
                | ArchiveError::Busy
                | ArchiveError::ReadOnly
                | ArchiveError::Io(_)
                | ArchiveError::Moved(_)
        )
    }
}

impl From<Exhausted> for ArchiveError {
    fn from(_: Exhausted) -> ArchiveError {
        ArchiveError::TooMuchWork
    }
}
