//! The errors of an archive.

use super::forgetting::Forgotten;
use super::identity::GameId;
use ferz_core::text::Exhausted;
use std::path::PathBuf;

/// Why an operation on an archive failed. Cheap to clone: one error may have to reach many callers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The file does not exist.
    #[error("{}: no such archive; create it with `ferz archive import --db FILE`", .0.display())]
    Missing(PathBuf),
    /// The file is not an archive.
    #[error("{}: not an archive of ferz; name another file", .0.display())]
    Foreign(PathBuf),
    /// A later version of the program made or changed the file.
    #[error("{}: the archive has version {found}, this program knows {known}; use a newer program",
        path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The latest known version.
        known: i64,
    },
    /// The linked SQLite can corrupt an archive.
    #[error("SQLite {found} is too old: it can corrupt an archive; build with 3.51.3 or later")]
    OldSqlite {
        /// Its version.
        found: String,
    },
    /// The disk is full, or the file has reached the size limit of the program. Nothing was stored; reading still
    /// works.
    #[error("the disk of the archive is full or its file may not grow; free space and submit again")]
    Full,
    /// The disk is so full that the archive cannot be opened.
    #[error("{}: cannot be opened because its disk is full or the file may not grow; free space and start again",
        .0.display())]
    FullAtOpening(PathBuf),
    /// The file was deleted, replaced or renamed while it was open: writes to it would be lost.
    #[error("{}: the archive was deleted or replaced while it was open; put it back and start again", .0.display())]
    Moved(PathBuf),
    /// Another program holds the archive.
    #[error("the archive is locked by another program; try again")]
    Busy,
    /// The archive was opened for reading only, or the file is not writable.
    #[error("the archive is not writable; change the permissions of the file and its directory")]
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
    /// The signing key of the archive's log is missing.
    #[error("{}: the signing key of the archive is missing; put the file back, or start a new key with \
        `ferz archive key rotate --lost --db FILE`, which the log records", .0.display())]
    NoKey(PathBuf),
    /// The key file has another key than the log.
    #[error("{}: not the signing key of this archive, which is `{vkey}`; put the right file back, or start a new key \
        with `ferz archive key rotate --lost --db FILE`, which the log records", path.display())]
    OtherKey {
        /// The key file.
        path: PathBuf,
        /// The public key that the log has.
        vkey: String,
    },
    /// An event is too long for the log.
    #[error("the event has {0} bytes, and the log takes 61440; shorten the names")]
    LeafTooLong(usize),
    /// The file is damaged.
    #[error("the archive is damaged: {0}; run `ferz archive verify` and restore a copy")]
    Corrupt(String),
    /// The cursor was not made by this program.
    #[error("`{0}` is not a cursor; use `next_cursor` of the previous page, or none")]
    Cursor(String),
    /// A filter value that no game can have; the text has the value and the accepted ones.
    #[error("{0}")]
    Filter(String),
    /// The budget of the request ended before the query.
    #[error("the request takes too much work and was stopped; ask for fewer games or use fewer words")]
    TooMuchWork,
    /// Malformed id.
    #[error(
        "`{0}` is not the id of a game; an id has 32 hexadecimal digits, of which the first 4 or more suffice"
    )]
    Id(String),
    /// No entry has this id.
    #[error("the archive has no game {0}")]
    NoGame(GameId),
    /// No entry has an id that begins so.
    #[error("the archive has no game whose id begins with `{0}`")]
    NoGameBegins(String),
    /// The ids of several entries begin so.
    #[error("`{digits}` begins the ids of several games; write more digits: {}", listed(.games))]
    Ambiguous {
        /// What was asked for.
        digits: String,
        /// Some of the entries.
        games: Vec<GameId>,
    },
    /// A token withdraws texts of a game of which it submitted none.
    #[error("no text of the game {0} came with this token; ask who submitted it, or an arbiter")]
    NotTheSubmitter(GameId),
    /// The entry cannot be withdrawn; the text says why.
    #[error("{0}")]
    Withdrawal(String),
    /// Rules cannot take a step in the register, or their name is codified; the text says why.
    #[error("{0}")]
    Register(String),
    /// Something happened in a game in progress since its sender looked; the hash of the last act's leaf.
    #[error("something has happened in the game since; ask for it again")]
    Acted([u8; 32]),
    /// Games were forgotten, or the index was changed, while it was built.
    #[error("the index, or a game in it, was changed meanwhile; run `ferz archive index` again")]
    IndexChanged,
    /// The entry was forgotten.
    #[error("{0}")]
    Forgotten(Box<Forgotten>),
    /// Something that was forgotten may still be in unused parts of the file.
    #[error(
        "the archive is in use, so that what was forgotten may still be in unused parts of its files; stop other \
        programs, and run the command again"
    )]
    Unclean,
    /// A valid token of this name exists.
    #[error("a token named `{0}` exists; revoke it first or choose another name")]
    TokenExists(String),
    /// The token cannot be created; the text says why.
    #[error("{0}")]
    Token(String),
    /// No valid token of this name exists.
    #[error("no token named `{0}`; `ferz archive token list` shows all")]
    TokenMissing(String),
    /// The archive is being closed.
    #[error("the archive is closed")]
    Closed,
    /// Any other error of SQLite.
    #[error("the archive's database: {0}")]
    Database(String),
}

impl ArchiveError {
    /// True if the same submission may succeed later, after a change outside the archive.
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

fn listed(games: &[GameId]) -> String {
    games.iter().map(GameId::to_string).collect::<Vec<_>>().join(", ")
}

impl From<Exhausted> for ArchiveError {
    fn from(_: Exhausted) -> ArchiveError {
        ArchiveError::TooMuchWork
    }
}
