//! The archive's file in its folder: its permissions, whether it is still the one at its path, free space.

use crate::error::ArchiveError;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The minimum free space for a transaction, in bytes.
const ROOM_BYTES: usize = 1 << 16;

/// Held while a file is created or opened. Closing any handle of a file drops all the program's locks on it, including
/// SQLite's, so no thread may have the file open while it is created.
static OPENING: Mutex<()> = Mutex::new(());

/// The identity of a file, independent of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file at a path, if it exists.
    fn at(path: &Path) -> Option<FileId> {
        std::fs::metadata(path).ok().map(|found| FileId::of(&found))
    }

    #[cfg(unix)]
    fn of(file: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId { device: file.dev(), inode: file.ino() }
    }

    /// On systems without such numbers, open files can be neither deleted nor replaced.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> FileId {
        FileId { device: 0, inode: 0 }
    }
}

/// Creates an empty file that only its owner can read and write. SQLite's other files get the same mode.
///
/// # Errors
/// If the file exists or cannot be created.
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

/// Opens a file with `open`, and returns the identity of the opened file. With `make`, creates an empty one first if
/// necessary.
///
/// # Errors
/// If `open` fails, or the file was replaced meanwhile.
pub(super) fn opened<T>(
    path: &Path,
    make: bool,
    open: impl FnOnce() -> Result<T, ArchiveError>,
) -> Result<(T, FileId), ArchiveError> {
    // The lock guards no data that a panic could leave inconsistent.
    let _opening = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    if make {
        // If it cannot be created, opening it fails with the reason.
        let _ = make_private(path);
    }
    let before = FileId::at(path);
    let opened = open()?;
    match before {
        Some(file) if FileId::at(path) == before => Ok((opened, file)),
        _ => Err(ArchiveError::Moved(path.to_owned())),
    }
}

/// The files of an archive that is open for writing: the database and its log.
#[derive(Debug)]
pub(crate) struct Files {
    path: PathBuf,
    database: FileId,
    log: PathBuf,
    log_file: Option<FileId>,
}

impl Files {
    /// The files of an open database with its log.
    pub(super) fn new(path: &Path, database: FileId) -> Files {
        // SQLite puts the log next to the file itself, not next to a link to it.
        let log = log_of(&path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        Files { path: path.to_owned(), database, log_file: FileId::at(&log), log }
    }

    /// Fails if the path no longer leads to the open files, because writes to them would be lost when they are closed.
    ///
    /// # Errors
    /// If a file was deleted, replaced or renamed.
    pub(super) fn check(&self) -> Result<(), ArchiveError> {
        match FileId::at(&self.path) == Some(self.database) && FileId::at(&self.log) == self.log_file {
            true => Ok(()),
            false => Err(ArchiveError::Moved(self.path.clone())),
        }
    }

    /// Adds the cause to an error: SQLite does not report that a file has reached the size limit of the program.
    pub(super) fn explained(&self, error: ArchiveError) -> ArchiveError {
        match error {
            ArchiveError::Io(_) if is_full(&self.path) => ArchiveError::Full,
            other => other,
        }
    }
}

/// Adds the cause to an error of opening: on a full disk SQLite fails in many ways.
pub(super) fn explained_opening(path: &Path, error: ArchiveError) -> ArchiveError {
    match error {
        ArchiveError::Full | ArchiveError::Io(_) | ArchiveError::CannotOpen { .. } if is_full(path) => {
            ArchiveError::FullAtOpening(path.to_owned())
        }
        other => other,
    }
}

/// The path of the log of an archive.
pub(super) fn log_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Tests whether the larger of an archive's files could grow: writes some bytes at its length into a file next to it.
fn is_full(path: &Path) -> bool {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    let longest = length(path).max(length(&log_of(path)));
    let trial = beside(path, &format!("-room-{}", std::process::id()));
    let tried = new_file(&trial).and_then(|mut file| {
        file.seek(SeekFrom::Start(longest))?;
        file.write_all(&[0; ROOM_BYTES])?;
        file.sync_all()
    });
    // If it still exists, it is empty or cannot be deleted; neither is an error of its own.
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
