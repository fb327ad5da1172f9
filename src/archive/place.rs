//! Where archives are, and the engine that keeps one there. Nothing else outside an engine names it.

use super::error::ArchiveError;
use super::log::Logged;
use super::sqlite;
use super::store::{Append, Store};
use std::fmt;
use std::path::{Path, PathBuf};

/// Where an archive is.
///
/// ```
/// use ferz_archive::Place;
/// assert_eq!(Place::from("club.ferz").to_string(), "club.ferz");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// An SQLite file, with the files that SQLite and the log put beside it.
    File(PathBuf),
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Place {
        Place::File(path.to_owned())
    }
}

impl From<&PathBuf> for Place {
    fn from(path: &PathBuf) -> Place {
        Place::File(path.clone())
    }
}

impl From<PathBuf> for Place {
    fn from(path: PathBuf) -> Place {
        Place::File(path)
    }
}

impl From<&str> for Place {
    fn from(path: &str) -> Place {
        Place::File(path.into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
        }
    }
}

/// Both sides of a store.
pub(super) type Sides = (Box<dyn Store>, Box<dyn Append>);

impl Place {
    /// See [`Archive::open`](super::Archive::open).
    pub(super) fn open(&self) -> Result<Sides, ArchiveError> {
        match self {
            Place::File(path) => {
                let (store, append) = sqlite::open(path)?;
                Ok((Box::new(store), Box::new(append)))
            }
        }
    }

    /// See [`Archive::open_existing`](super::Archive::open_existing).
    pub(super) fn open_existing(&self) -> Result<Box<dyn Store>, ArchiveError> {
        match self {
            Place::File(path) => Ok(Box::new(sqlite::open_existing(path)?)),
        }
    }

    /// See [`Archive::rotate_key`](super::Archive::rotate_key).
    pub(super) fn rotate_key(&self, is_lost: bool) -> Result<(String, Logged), ArchiveError> {
        match self {
            Place::File(path) => sqlite::rotate_key(path, is_lost),
        }
    }
}
