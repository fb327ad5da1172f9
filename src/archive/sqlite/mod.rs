//! An archive in an SQLite file. Only this module uses SQLite.

mod append;
mod bundle;
mod check;
mod conditions;
mod correspondence;
mod error;
mod file;
mod find;
mod key_file;
mod log;
mod open;
mod private;
mod readers;
mod segments;
mod writer;

pub(super) use writer::WriterConnection;

use super::Counts;
use super::bundle::{Bundle, PlayedBundle};
use super::correspondence::{CorrespondenceId, KeptGame, Requested};
use super::error::ArchiveError;
use super::filter::Criteria;
use super::forgetting::Forgotten;
use super::identity::GameId;
use super::index::{Block, Contents, Segment};
use super::log::{Anchor, Hash, Logged, Tile};
use super::place::Place;
use super::read::{Decided, Entry, Summary};
use super::register::RegisterStep;
use super::rulebook::KeptRules;
use super::store::{Added, Kept, Limit, LogHead, Store};
use super::submission::Submission;
use super::texts::{Text, Which};
use super::tokens::{Access, TokenInfo};
use super::verify::Finding;
use ferz_search::Fact;
use readers::Readers;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::io::ErrorKind;
use std::path::Path;

/// The side that reads.
#[derive(Debug)]
pub(super) struct SqliteStore {
    readers: Readers,
}

/// Opens an archive for reading and writing; creates it if it does not exist.
///
/// # Errors
/// If the file is not an archive, has a later version, or cannot be written.
pub(super) fn open(path: &Path) -> Result<(SqliteStore, WriterConnection), ArchiveError> {
    let writer = WriterConnection::open(path)?;
    Ok((open_existing(path)?, writer))
}

/// Replaces the signing key of an archive by a new one, and returns the public key with the event. `is_lost` if the old
/// one is gone.
///
/// # Errors
/// If the old key is needed and missing, or nothing can be written.
pub(super) fn rotate_key(path: &Path, is_lost: bool) -> Result<(String, Logged), ArchiveError> {
    let (mut connection, _) = open::open_writer(path)?;
    log::rotate(&mut connection, path, is_lost, crate::now())
}

/// Opens an existing archive for reading only.
///
/// # Errors
/// If it does not exist or has another version.
pub(super) fn open_existing(path: &Path) -> Result<SqliteStore, ArchiveError> {
    Ok(SqliteStore { readers: Readers::open(path)? })
}

impl Store for SqliteStore {
    fn place(&self) -> Place {
        Place::File(self.readers.path().to_owned())
    }

    fn counts(&self, limit: Limit<'_>) -> Result<Counts, ArchiveError> {
        self.readers.with(limit, find::counts)
    }

    fn entry(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Entry>, ArchiveError> {
        self.readers.with(limit, |connection| find::entry(connection, id))
    }

    fn forgotten(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Forgotten>, ArchiveError> {
        self.readers.with(limit, |connection| find::forgotten(connection, id))
    }

    fn find(
        &self,
        wanted: &Criteria,
        before: Option<i64>,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, Summary)>, ArchiveError> {
        self.readers.with(limit, |connection| find::find(connection, wanted, before, count))
    }

    fn beginning(&self, digits: &str, count: usize, limit: Limit<'_>) -> Result<Vec<GameId>, ArchiveError> {
        self.readers.with(limit, |connection| find::beginning(connection, digits, count))
    }

    fn would_add(
        &self,
        submission: &Submission,
        limit: Limit<'_>,
    ) -> Result<(Option<GameId>, Added), ArchiveError> {
        let known = self.readers.with(limit, |connection| find::would_add(connection, submission))?;
        let is_unknown = known.0.is_none() && self.readers.with(limit, find::has_forgotten)?;
        if !is_unknown {
            return Ok(known);
        }
        let seal = submission.key.seal(&self.secret(find::SEALS)?);
        let forgotten = self.readers.with(limit, |connection| find::sealed(connection, &seal))?;
        Ok(forgotten.map_or(known, |id| (Some(id), Added::FORGOTTEN)))
    }

    fn related(&self, id: GameId, count: usize, limit: Limit<'_>) -> Result<Vec<Summary>, ArchiveError> {
        self.readers.with(limit, |connection| find::related(connection, id, count))
    }

    fn texts(
        &self,
        wanted: &Criteria,
        which: Which,
        after: i64,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, Text)>, ArchiveError> {
        self.readers.with(limit, |connection| find::texts(connection, wanted, which, after))
    }

    fn kept(&self, after: i64, limit: Limit<'_>) -> Result<Vec<(i64, Kept)>, ArchiveError> {
        self.readers.with(limit, |connection| find::kept(connection, after))
    }

    fn register(&self, limit: Limit<'_>) -> Result<Vec<RegisterStep>, ArchiveError> {
        self.readers.with(limit, find::register)
    }

    fn decided(&self, each: &mut dyn FnMut(Decided), limit: Limit<'_>) -> Result<(), ArchiveError> {
        self.readers.with(limit, |connection| find::decided(connection, each))
    }

    fn proven_by(&self, rules: &KeptRules, limit: Limit<'_>) -> Result<u64, ArchiveError> {
        self.readers.with(limit, |connection| find::proven_by(connection, rules))
    }

    fn rules(&self, limit: Limit<'_>) -> Result<Vec<(KeptRules, u64)>, ArchiveError> {
        self.readers.with(limit, find::rules)
    }

    fn definition(&self, rules: &KeptRules, limit: Limit<'_>) -> Result<Option<String>, ArchiveError> {
        self.readers.with(limit, |connection| find::definition(connection, rules))
    }

    fn tokens(&self) -> Result<Vec<TokenInfo>, ArchiveError> {
        self.readers.with(None, find::tokens)
    }

    fn has_tokens(&self) -> Result<bool, ArchiveError> {
        let exists = |connection: &Connection| {
            Ok(connection.prepare_cached("SELECT 1 FROM token LIMIT 1")?.exists([])?)
        };
        self.readers.with(None, exists)
    }

    fn token(&self, hash: &[u8; 32], now: i64) -> Result<Option<Access>, ArchiveError> {
        self.readers.with(None, |connection| find::token(connection, hash, now))
    }

    fn head(&self) -> Result<LogHead, ArchiveError> {
        self.readers.with(None, |connection| {
            let log::Head { key, size, checkpoint, .. } = log::Head::read(connection)?;
            Ok(LogHead { key, size, checkpoint })
        })
    }

    fn events(&self, from: u64, count: u64, limit: Limit<'_>) -> Result<Vec<Vec<u8>>, ArchiveError> {
        self.readers.with(limit, |connection| log::leaves(connection, from, count))
    }

    fn hashes(&self, tile: &Tile, limit: Limit<'_>) -> Result<Option<Vec<Hash>>, ArchiveError> {
        self.readers.with(limit, |connection| {
            let transaction = connection.unchecked_transaction()?;
            log::tile(&transaction, tile)
        })
    }

    fn proof(&self, event: u64, limit: Limit<'_>) -> Result<Option<(Vec<Hash>, String)>, ArchiveError> {
        self.readers.with(limit, |connection| {
            // One state of the tree, even if others write meanwhile.
            let transaction = connection.unchecked_transaction()?;
            log::proof(&transaction, event)
        })
    }

    fn bundle(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Bundle>, ArchiveError> {
        self.readers.with(limit, |connection| bundle::bundle(connection, id))
    }

    fn correspondence(
        &self,
        id: CorrespondenceId,
        from: u64,
        limit: Limit<'_>,
    ) -> Result<Option<KeptGame>, ArchiveError> {
        self.readers.with(limit, |connection| correspondence::correspondence(connection, id, from))
    }

    fn played_bundle(
        &self,
        id: CorrespondenceId,
        limit: Limit<'_>,
    ) -> Result<Option<PlayedBundle>, ArchiveError> {
        self.readers.with(limit, |connection| bundle::played_bundle(connection, id))
    }

    fn correspondences(
        &self,
        person: Option<&str>,
        status: Option<&str>,
        before: Option<i64>,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, CorrespondenceId)>, ArchiveError> {
        self.readers.with(limit, |connection| {
            correspondence::correspondences(connection, person, status, before, count)
        })
    }

    fn overdue(&self, at: u64, count: usize) -> Result<Vec<CorrespondenceId>, ArchiveError> {
        self.readers.with(None, |connection| correspondence::overdue(connection, at, count))
    }

    fn timed(&self, count: usize) -> Result<Vec<CorrespondenceId>, ArchiveError> {
        self.readers.with(None, |connection| correspondence::timed(connection, count))
    }

    fn alive(&self) -> Result<Option<u64>, ArchiveError> {
        self.readers.with(None, correspondence::alive)
    }

    fn requested(&self, by: u64, key: &str) -> Result<Option<Requested>, ArchiveError> {
        self.readers.with(None, |connection| correspondence::requested(connection, by, key))
    }

    fn acts(
        &self,
        from: u64,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(u64, CorrespondenceId, u64)>, ArchiveError> {
        self.readers.with(limit, |connection| correspondence::acts(connection, from, count))
    }

    fn segments(&self, limit: Limit<'_>) -> Result<Vec<Segment>, ArchiveError> {
        self.readers.with(limit, segments::segments)
    }

    fn tags(&self, segment: &Segment, limit: Limit<'_>) -> Result<Option<Vec<u8>>, ArchiveError> {
        self.readers.with(limit, |connection| segments::tags(connection, segment))
    }

    fn blocks(
        &self,
        segment: &Segment,
        facts: &[Fact],
        limit: Limit<'_>,
    ) -> Result<Option<Vec<Block>>, ArchiveError> {
        self.readers.with(limit, |connection| segments::blocks(connection, segment, facts))
    }

    fn games(
        &self,
        segment: &Segment,
        blocks: &[u32],
        limit: Limit<'_>,
    ) -> Result<Option<Vec<Block>>, ArchiveError> {
        self.readers.with(limit, |connection| segments::games(connection, segment, blocks))
    }

    fn contents(&self, segment: &Segment, limit: Limit<'_>) -> Result<Option<Contents>, ArchiveError> {
        self.readers.with(limit, |connection| segments::contents(connection, segment))
    }

    fn forgotten_entries(&self, limit: Limit<'_>) -> Result<u64, ArchiveError> {
        self.readers.with(limit, segments::forgotten_entries)
    }

    fn secret(&self, purpose: &str) -> Result<[u8; 32], ArchiveError> {
        let key = key_file::read(self.readers.path(), &self.head()?.key)?;
        Ok(key_file::secret(&key, purpose))
    }

    fn copy(&self, to: &Path) -> Result<(), ArchiveError> {
        let refused =
            |reason: &str| ArchiveError::CannotOpen { path: to.to_owned(), reason: reason.to_owned() };
        file::make_private(to).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => refused("it is there already; name a new file"),
            _ => refused(&error.to_string()),
        })?;
        let mut copy = Connection::open(to).map_err(|error| refused(&error.to_string()))?;
        self.readers.with(None, |connection| {
            // In one step, so that the copy is consistent; the writer is not blocked.
            match Backup::new(connection, &mut copy)?.step(-1)? {
                StepResult::Done => Ok(()),
                _ => Err(ArchiveError::Busy),
            }
        })
    }

    fn check(&self, anchors: &[Anchor], found: &mut dyn FnMut(Finding)) -> Result<u64, ArchiveError> {
        self.readers.with(None, |connection| check::check(connection, self.readers.path(), anchors, found))
    }
}

#[cfg(test)]
mod tests {
    use crate::store::tests::{Open, conforms};

    #[test]
    fn the_store_conforms() {
        let open: Open = |path| {
            let (store, append) = super::open(path).unwrap();
            (Box::new(store), Box::new(append))
        };
        conforms(open, |path| Box::new(super::open_existing(path).unwrap()));
    }
}
