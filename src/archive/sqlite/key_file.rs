//! The signing key of a log, in a file beside the archive.

use super::file::{beside, make_private};
use crate::error::ArchiveError;
use crate::log::{SigningKey, random};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The key file of an archive. Like SQLite's own files, it is next to the file itself, not next to a link to it.
pub(super) fn path_of(archive: &Path) -> PathBuf {
    beside(&archive.canonicalize().unwrap_or_else(|_| archive.to_owned()), ".key")
}

/// The file of a key that is not in use yet.
fn next_of(archive: &Path) -> PathBuf {
    beside(&path_of(archive), ".new")
}

/// Makes the key of a new log. A key file from another archive of this name is renamed, never overwritten.
///
/// # Errors
/// If it cannot be written.
pub(super) fn create(archive: &Path) -> Result<SigningKey, ArchiveError> {
    let path = path_of(archive);
    if let Ok(other) = std::fs::read_to_string(&path) {
        let id = other.parse::<SigningKey>().map_or_else(|_| "old".to_owned(), |key| key.verifier().id());
        std::fs::rename(&path, beside(&path, &format!(".{id}")))
            .map_err(|error| unwritable(&path, &error))?;
    }
    let name = format!("ferz-archive/{}", &crate::identity::to_hex(&random()?)[..16]);
    let key = SigningKey::new(&name, &random()?).map_err(|error| ArchiveError::Io(error.to_string()))?;
    write(&path, &key)?;
    Ok(key)
}

/// Writes a key durably into a new file that only its owner can read.
fn write(path: &Path, key: &SigningKey) -> Result<(), ArchiveError> {
    let write = || {
        make_private(path)?;
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(format!("{}\n", key.to_secret_text()).as_bytes())?;
        file.sync_all()?;
        sync_folder(path)
    };
    write().map_err(|error| unwritable(path, &error))
}

/// Makes the name of a new file durable.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Other systems cannot open folders.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn unwritable(path: &Path, error: &std::io::Error) -> ArchiveError {
    ArchiveError::CannotOpen { path: path.to_owned(), reason: format!("the key cannot be written: {error}") }
}

/// A secret for a purpose, which follows from a signing key and tells nothing about it.
pub(super) fn secret(key: &SigningKey, purpose: &str) -> [u8; 32] {
    blake3::derive_key(purpose, key.to_secret_text().as_bytes())
}

/// The key with this public key: the one in the file or, if the program was interrupted while it changed keys, the
/// next one.
///
/// # Errors
/// If there is no such key.
pub(super) fn read(archive: &Path, vkey: &str) -> Result<SigningKey, ArchiveError> {
    let path = path_of(archive);
    let found = |path: &Path| -> Option<SigningKey> {
        let key: SigningKey = std::fs::read_to_string(path).ok()?.parse().ok()?;
        (key.verifier().to_string() == vkey).then_some(key)
    };
    if let Some(key) = found(&path) {
        return Ok(key);
    }
    let next = next_of(archive);
    if let Some(key) = found(&next) {
        std::fs::rename(&next, &path).map_err(|error| unwritable(&path, &error))?;
        return Ok(key);
    }
    match path.exists() {
        true => Err(ArchiveError::OtherKey { path, vkey: vkey.to_owned() }),
        false => Err(ArchiveError::NoKey(path)),
    }
}

/// Writes the next key of a log, which [`use_next`] puts in place.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_next(archive: &Path, name: &str) -> Result<SigningKey, ArchiveError> {
    let key = SigningKey::new(name, &random()?).map_err(|error| ArchiveError::Io(error.to_string()))?;
    let next = next_of(archive);
    // Left over from a change of keys that was not logged.
    let _ = std::fs::remove_file(&next);
    write(&next, &key)?;
    Ok(key)
}

/// Replaces the key by the next one.
///
/// # Errors
/// If the file cannot be renamed.
pub(super) fn use_next(archive: &Path) -> Result<(), ArchiveError> {
    let path = path_of(archive);
    std::fs::rename(next_of(archive), &path)
        .and_then(|()| sync_folder(&path))
        .map_err(|e| unwritable(&path, &e))
}
