//! Syzygy files in a folder.

use crate::cli::output::Failure;
use ferz::syzygy::{self, FileBytes, Shelf, Syzygy};
use std::fs;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Files of at most so many bytes are read once.
const HELD_BYTES: u64 = 8 << 20;

/// The Syzygy files of a folder, if one is named.
///
/// # Errors
/// If it is no folder, or has no such file.
pub(in crate::cli) fn syzygy(folder: Option<&Path>) -> Result<Option<Syzygy>, Failure> {
    let Some(path) = folder else { return Ok(None) };
    let refused = |why: &str| Failure::message(format!("{}: {why}", path.display()));
    let files = fs::read_dir(path).map_err(|error| refused(&error.to_string()))?;
    let mut names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    match names.any(|name| syzygy::is_file(&name)) {
        true => Ok(Some(Syzygy::new(Folder(path.to_owned())))),
        false => Err(refused("no file of Syzygy tables, such as KRPvKR.rtbw, is in it")),
    }
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read.
pub(in crate::cli) fn open(path: &Path) -> std::io::Result<Box<dyn FileBytes>> {
    let file = fs::File::open(path)?;
    let len = file.metadata()?.len();
    if len <= HELD_BYTES {
        return Ok(Box::new(fs::read(path)?));
    }
    Ok(Box::new(LargeFile { len, file: Mutex::new(file) }))
}

#[derive(Debug)]
struct Folder(PathBuf);

impl Shelf for Folder {
    fn place(&self) -> String {
        self.0.display().to_string()
    }

    fn open(&self, name: &str) -> Result<Option<Box<dyn FileBytes>>, String> {
        match open(&self.0.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A file that is read as it is asked.
#[derive(Debug)]
struct LargeFile {
    len: u64,
    file: Mutex<fs::File>,
}

impl FileBytes for LargeFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn fill(&self, at: u64, bytes: &mut [u8]) -> Result<(), String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes));
        read.map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => "it is cut or damaged".to_owned(),
            _ => error.to_string(),
        })
    }
}
