//! The archive's file in its folder: who may read it, whether it is still the one at its path, whether there is room.

use crate::archive::error::ArchiveError;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes that a transaction needs at least: less room is none.
const ROOM_BYTES: usize = 1 << 16;

/// Held while a file is made or opened. A program that closes any handle of a file loses all its locks on it, those of
/// SQLite too: while a new file is made, no thread of this program may have it open.
static OPENING: Mutex<()> = Mutex::new(());

/// Which file it is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file at a path, if there is one.
    fn at(path: &Path) -> Option<FileId> {
        std::fs::metadata(path).ok().map(|found| FileId::of(&found))
    }

    #[cfg(unix)]
    fn of(file: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId { device: file.dev(), inode: file.ino() }
    }

    /// Where files have no such numbers, open ones can be neither deleted nor replaced.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> FileId {
        FileId { device: 0, inode: 0 }
    }
}

/// Makes an empty file that only its owner can read and write. What SQLite puts beside it gets the same mode.
///
/// # Errors
/// Where the file is there already or cannot be made.
pub(super) fn make_private(path: &Path) -> std::io::Result<()> {
    new_file(path).map(drop)
}

fn new_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens a file with `open`, and gives the identity of the file that it opened. With `make` an empty one is made first
/// where there is none.
///
/// # Errors
/// Where `open` fails, and where the file was replaced meanwhile.
pub(super) fn opened<T>(
    path: &Path,
    make: bool,
    open: impl FnOnce() -> Result<T, ArchiveError>,
) -> Result<(T, FileId), ArchiveError> {
    // There is nothing behind the lock that a panic could leave half done.
    let _opening = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    if make {
        // Where it cannot be made, the error of opening it says why.
        let _ = make_private(path);
    }
    let before = FileId::at(path);
    let opened = open()?;
    match before {
        Some(file) if FileId::at(path) == before => Ok((opened, file)),
        _ => Err(ArchiveError::Moved(path.to_owned())),
    }
}

/// The files of an archive that is open for writing: the database, and the log beside it.
#[derive(Debug)]
pub(in crate::archive) struct Files {
    path: PathBuf,
    database: FileId,
    log: PathBuf,
    log_file: Option<FileId>,
}

impl Files {
    /// Those of a database that was opened, and has its log.
    pub(super) fn new(path: &Path, database: FileId) -> Files {
        // SQLite puts the log beside the file itself, not beside a link to it.
        let log = log_of(&path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        Files { path: path.to_owned(), database, log_file: FileId::at(&log), log }
    }

    /// Fails where the path no longer leads to the open files: what is written to them is lost when they are closed.
    ///
    /// # Errors
    /// Where a file was deleted, replaced or renamed.
    pub(super) fn check(&self) -> Result<(), ArchiveError> {
        match FileId::at(&self.path) == Some(self.database) && FileId::at(&self.log) == self.log_file {
            true => Ok(()),
            false => Err(ArchiveError::Moved(self.path.clone())),
        }
    }

    /// The error with its cause: SQLite does not say when a file has reached the size that this program may write.
    pub(super) fn explained(&self, error: ArchiveError) -> ArchiveError {
        match error {
            ArchiveError::Io(_) if is_full(&self.path) => ArchiveError::Full,
            other => other,
        }
    }
}

/// The error of opening an archive with its cause: on a full disk SQLite fails in many ways.
pub(super) fn explained_opening(path: &Path, error: ArchiveError) -> ArchiveError {
    match error {
        ArchiveError::Full | ArchiveError::Io(_) | ArchiveError::CannotOpen { .. } if is_full(path) => {
            ArchiveError::FullAtOpening(path.to_owned())
        }
        other => other,
    }
}

/// The log beside an archive.
pub(super) fn log_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Tries whether the longer of an archive's files could grow: writes some bytes at its length into a file beside it.
fn is_full(path: &Path) -> bool {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    let longest = length(path).max(length(&log_of(path)));
    let trial = beside(path, &format!("-room-{}", std::process::id()));
    let tried = new_file(&trial).and_then(|mut file| {
        file.seek(SeekFrom::Start(longest))?;
        file.write_all(&[0; ROOM_BYTES])?;
        file.sync_all()
    });
    // If it is still there, it is empty or cannot be deleted: neither is a reason to fail otherwise.
    let _ = std::fs::remove_file(&trial);
    let full =
        |kind| matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge);
    tried.is_err_and(|error| full(error.kind()))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_new_file_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        make_private(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(make_private(&path).is_err());
        assert!(!is_full(&path));
    }

    #[test]
    fn a_file_that_was_replaced_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        let ((), file) = opened(&path, true, || Ok(())).unwrap();
        let files = Files::new(&path, file);
        assert_eq!(files.check(), Ok(()));
        make_private(&other).unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(files.check(), Err(ArchiveError::Moved(path.clone())));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(files.check(), Err(ArchiveError::Moved(path.clone())));
        let replaced = opened(&path, true, || {
            std::fs::remove_file(&path).unwrap();
            Ok(())
        });
        assert_eq!(replaced, Err(ArchiveError::Moved(path.clone())));
    }
}
