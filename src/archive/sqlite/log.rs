//! The log in its tables.

use super::key_file;
use crate::error::ArchiveError;
use crate::identity::to_hex;
use crate::log::{
    Batch, Checkpoint, Commitment, Growth, Hash, Kind, Leaf, Logged, Salt, Salts, SigningKey, Tile, border,
    commitment, complete_root, is_key_leaf, leaf_hash, path, root_of,
};
use crate::time_text;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Levels of the tree in a tile.
pub(super) const TILE_LEVELS: usize = crate::log::TILE_LEVELS as usize;

/// The row of the table `log`.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) origin: String,
    /// The public key.
    pub(super) key: String,
    pub(super) size: u64,
    /// The time of the last event, in milliseconds since 1970.
    pub(super) time: i64,
    pub(super) peaks: Vec<Hash>,
    pub(super) checkpoint: String,
}

impl Head {
    /// The head of an archive.
    ///
    /// # Errors
    /// If it is missing or malformed.
    pub(super) fn read(connection: &Connection) -> Result<Head, ArchiveError> {
        let damaged = || ArchiveError::Corrupt("the head of its log has changed".to_owned());
        let mut find =
            connection.prepare_cached("SELECT origin, key, size, time, peaks, checkpoint FROM log")?;
        let found = find.query_row([], |row| {
            let (size, peaks): (i64, Vec<u8>) = (row.get(2)?, row.get(4)?);
            Ok((row.get(0)?, row.get(1)?, size, row.get(3)?, peaks, row.get(5)?))
        });
        let (origin, key, size, time, peaks, checkpoint) = found.optional()?.ok_or_else(damaged)?;
        let size = u64::try_from(size).map_err(|_| damaged())?;
        let (peaks, rest) = peaks.as_chunks::<32>();
        if !rest.is_empty() || peaks.len() != size.count_ones() as usize {
            return Err(damaged());
        }
        Ok(Head { origin, key, size, time, peaks: peaks.to_vec(), checkpoint })
    }
}

/// The key of an open archive.
#[derive(Debug)]
pub(super) struct Keeper {
    archive: PathBuf,
    key: SigningKey,
    vkey: String,
}

impl Keeper {
    /// Reads the key of an archive that is open for writing, and checks that it signed the head.
    ///
    /// # Errors
    /// If the key is missing, or did not sign the head.
    pub(super) fn open(connection: &Connection, archive: &Path) -> Result<Keeper, ArchiveError> {
        let head = Head::read(connection)?;
        let key = key_file::read(archive, &head.key)?;
        let opened = Checkpoint::open(&head.checkpoint, key.verifier());
        let is_right = opened
            .is_ok_and(|checkpoint| (checkpoint.size, checkpoint.root) == (head.size, root_of(&head.peaks)));
        if !is_right {
            return Err(ArchiveError::Corrupt("the signed head of its log is another one".to_owned()));
        }
        Ok(Keeper { archive: archive.to_owned(), key, vkey: head.key })
    }

    /// A secret for a purpose, in a log with this head.
    ///
    /// # Errors
    /// If the key is missing.
    pub(super) fn secret(&mut self, events: &Events<'_>, purpose: &str) -> Result<[u8; 32], ArchiveError> {
        Ok(key_file::secret(self.key(&events.head)?, purpose))
    }

    /// The key for a log with this head; another program may have changed it.
    fn key(&mut self, head: &Head) -> Result<&SigningKey, ArchiveError> {
        if self.vkey != head.key {
            self.key = key_file::read(&self.archive, &head.key)?;
            self.vkey = head.key.clone();
        }
        Ok(&self.key)
    }
}

/// The events of one transaction.
pub(super) struct Events<'c> {
    head: Head,
    tree: Growth,
    /// The leaves of the transaction, from which receipts are made.
    leaves: Vec<(Vec<u8>, Salt)>,
    salts: Option<Salts>,
    /// The time of the transaction in milliseconds since 1970, and as RFC 3339.
    now: i64,
    time: String,
    add_event: CachedStatement<'c>,
    add_salt: CachedStatement<'c>,
}

impl<'c> Events<'c> {
    /// The events of a transaction at a time in milliseconds since 1970. If the clock was put back since the last
    /// event, they have the time of that one.
    pub(super) fn new(connection: &'c Connection, now: i64) -> Result<Events<'c>, ArchiveError> {
        let head = Head::read(connection)?;
        let damaged = || ArchiveError::Corrupt("the head of its log has changed".to_owned());
        let now = now.max(head.time);
        Ok(Events {
            tree: Growth::new(head.size, &head.peaks).ok_or_else(damaged)?,
            head,
            leaves: Vec::new(),
            salts: None,
            now,
            time: time_text(now),
            add_event: connection.prepare_cached("INSERT INTO event (number, leaf) VALUES (?1, ?2)")?,
            add_salt: connection.prepare_cached("INSERT INTO salt (event, salt) VALUES (?1, ?2)")?,
        })
    }

    /// The time of the transaction in milliseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.now
    }

    /// The time of the transaction as RFC 3339.
    pub(super) fn time(&self) -> &str {
        &self.time
    }

    /// The number of the next event.
    pub(super) fn next(&self) -> i64 {
        row_number(self.tree.size())
    }

    /// A new salt.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn salt(&mut self) -> Result<Salt, ArchiveError> {
        if self.salts.is_none() {
            self.salts = Some(Salts::new()?);
        }
        Ok(self.salts.as_mut().map_or([0; 16], Salts::next))
    }

    /// Adds an event with the salt of its commitments; returns its number.
    ///
    /// # Errors
    /// If the leaf is too long, or cannot be written.
    pub(super) fn add(&mut self, leaf: &[u8], salt: Option<Salt>) -> Result<u64, ArchiveError> {
        let number = self.tree.size();
        self.add_event.execute(params![row_number(number), leaf])?;
        if let Some(salt) = salt {
            self.add_salt.execute(params![row_number(number), salt])?;
        }
        self.tree.push(leaf_hash(leaf));
        self.leaves.push((leaf.to_vec(), salt.unwrap_or_default()));
        Ok(number)
    }

    /// Signs the head after the transaction, if there were events, with a key or two.
    ///
    /// # Errors
    /// If it cannot be written, or the key is missing.
    pub(super) fn finish(
        &mut self,
        connection: &Connection,
        keeper: &mut Keeper,
    ) -> Result<Option<Arc<Batch>>, ArchiveError> {
        if self.leaves.is_empty() {
            return Ok(None);
        }
        let vkey = self.head.key.clone();
        let keys = [keeper.key(&self.head)?];
        self.sign(connection, &keys, &vkey).map(Some)
    }

    fn sign(
        &mut self,
        connection: &Connection,
        keys: &[&SigningKey],
        vkey: &str,
    ) -> Result<Arc<Batch>, ArchiveError> {
        self.write_nodes(connection)?;
        let (size, peaks) = (self.tree.size(), self.tree.peaks());
        let checkpoint = Checkpoint { origin: self.head.origin.clone(), size, root: root_of(&peaks) };
        let checkpoint = checkpoint.sign(keys);
        let write = "UPDATE log SET key = ?1, size = ?2, time = ?3, peaks = ?4, checkpoint = ?5";
        let mut write = connection.prepare_cached(write)?;
        write.execute(params![vkey, row_number(size), self.now, peaks.concat(), checkpoint])?;
        let leaves = std::mem::take(&mut self.leaves);
        Ok(Arc::new(Batch::new(self.tree.clone(), leaves, checkpoint)))
    }
}

impl Events<'_> {
    fn write_nodes(&self, connection: &Connection) -> Result<(), ArchiveError> {
        let mut add =
            connection.prepare_cached("INSERT INTO node (level, number, hash) VALUES (?1, ?2, ?3)")?;
        for (level, number, hash) in self.tree.new_nodes(TILE_LEVELS) {
            add.execute(params![row_number(level as u64), row_number(number), hash])?;
        }
        Ok(())
    }
}

/// Starts the log of a new archive with its key.
///
/// # Errors
/// If the key or the log cannot be written.
pub(super) fn start(connection: &Connection, archive: &Path, now: i64) -> Result<(), ArchiveError> {
    let key = key_file::create(archive)?;
    let (origin, vkey) = (key.verifier().name().to_owned(), key.verifier().to_string());
    let add = "INSERT INTO log (number, origin, key, size, time, peaks, checkpoint) \
        VALUES (1, ?1, ?2, 0, 0, x'', '')";
    connection.execute(add, params![origin, vkey])?;
    let mut events = Events::new(connection, now)?;
    add_key(&mut events, &key, None, None)?;
    events.sign(connection, &[&key], &vkey)?;
    Ok(())
}

/// Adds the event of a key, which the key before it names, too.
fn add_key(
    events: &mut Events<'_>,
    key: &SigningKey,
    old: Option<&SigningKey>,
    before: Option<&Previous>,
) -> Result<u64, ArchiveError> {
    let time = events.time().to_owned();
    let vkey = key.verifier().to_string();
    let (size, root) = (events.tree.size(), root_of(&events.tree.peaks()));
    let place = Checkpoint { origin: events.head.origin.clone(), size, root };
    let leaf = Leaf {
        vkey: Some(Cow::Borrowed(&vkey)),
        handover: old.map(|old| Cow::Owned(place.hand_over(old, key.verifier()))),
        ..Leaf::new(Kind::Key, key.verifier().name(), &time)
    };
    let bytes = following(leaf, before).bytes()?;
    events.add(&bytes, None)
}

/// Changes the key of an archive's log: the next head is signed by both keys, if the old one is there.
///
/// # Errors
/// If the old key is missing and not given up, or nothing can be written.
pub(super) fn rotate(
    connection: &mut Connection,
    archive: &Path,
    is_lost: bool,
    now: i64,
) -> Result<(String, Logged), ArchiveError> {
    let transaction = connection.transaction()?;
    let mut events = Events::new(&transaction, now)?;
    let old = match is_lost {
        true => None,
        false => Some(key_file::read(archive, &events.head.key)?),
    };
    let key = key_file::write_next(archive, &events.head.origin)?;
    let last: Option<i64> = {
        let mut find = transaction.prepare("SELECT number, leaf FROM event ORDER BY number DESC")?;
        let mut rows = find.query([])?;
        let mut last = None;
        while let Some(row) = rows.next()? {
            let leaf: Vec<u8> = row.get(1)?;
            if is_key_leaf(&leaf) {
                last = Some(row.get(0)?);
                break;
            }
        }
        last
    };
    let before = last.map(|last| previous(&transaction, last)).transpose()?;
    let event = add_key(&mut events, &key, old.as_ref(), before.as_ref())?;
    let vkey = key.verifier().to_string();
    let keys: Vec<&SigningKey> = [&key].into_iter().chain(&old).collect();
    let batch = events.sign(&transaction, &keys, &vkey)?;
    drop(events);
    transaction.commit()?;
    key_file::use_next(archive)?;
    Ok((vkey, Logged::new(&batch, event)))
}

/// The place of the next event about something: how many there were, and the hash of the last one.
pub(super) struct Previous {
    sequence: u64,
    hash: String,
}

impl Previous {
    /// The number of the next event.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The hash of the last event, in hexadecimal digits.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }
}

/// The place after an event.
///
/// # Errors
/// If it cannot be read.
pub(super) fn previous(connection: &Connection, event: i64) -> Result<Previous, ArchiveError> {
    let mut find = connection.prepare_cached("SELECT leaf FROM event WHERE number = ?1")?;
    let leaf: Option<Vec<u8>> = find.query_row([event], |row| row.get(0)).optional()?;
    let damaged = |why: &str| ArchiveError::Corrupt(format!("event {event} of its log {why}"));
    let bytes = leaf.ok_or_else(|| damaged("is missing"))?;
    let leaf: Leaf<'_> = serde_json::from_slice(&bytes).map_err(|_| damaged("is no leaf"))?;
    Ok(Previous { sequence: leaf.sequence + 1, hash: to_hex(&leaf_hash(&bytes)) })
}

/// A leaf in its place after others.
pub(super) fn following<'a>(leaf: Leaf<'a>, before: Option<&'a Previous>) -> Leaf<'a> {
    match before {
        Some(Previous { sequence, hash }) => {
            Leaf { sequence: *sequence, prev: Some(Cow::Borrowed(hash)), ..leaf }
        }
        None => leaf,
    }
}

/// The commitment to a text.
pub(super) fn text_commitment(salt: &Salt, digest: &Hash) -> Commitment {
    commitment(salt, "text", digest)
}

/// The number of an event from a column.
pub(super) fn event_number(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// The numbers of rows are those of SQLite.
pub(super) fn row_number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Leaves from a number on, at most `count`.
///
/// # Errors
/// If they cannot be read.
pub(super) fn leaves(connection: &Connection, from: u64, count: u64) -> Result<Vec<Vec<u8>>, ArchiveError> {
    let find = "SELECT leaf FROM event WHERE number >= ?1 ORDER BY number LIMIT ?2";
    let mut find = connection.prepare_cached(find)?;
    let rows = find.query_map([row_number(from), row_number(count)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The hashes of a tile, if the tree has them.
///
/// # Errors
/// If they cannot be read.
pub(super) fn tile(connection: &Connection, tile: &Tile) -> Result<Option<Vec<Hash>>, ArchiveError> {
    let (Some((first, end)), Some(level)) = (tile.range(), tile.level) else { return Ok(None) };
    let size = Head::read(connection)?.size;
    let level = TILE_LEVELS as u32 * u32::from(level);
    if end > size.checked_shr(level).unwrap_or(0) {
        return Ok(None);
    }
    let hashes: Vec<Hash> = match level {
        0 => leaves(connection, first, tile.width)?.iter().map(|leaf| leaf_hash(leaf)).collect(),
        level => {
            let find = "SELECT hash FROM node WHERE level = ?1 AND number >= ?2 ORDER BY number LIMIT ?3";
            let mut find = connection.prepare_cached(find)?;
            let numbers = [i64::from(level), row_number(first), row_number(tile.width)];
            find.query_map(numbers, |row| row.get(0))?.collect::<Result<_, _>>()?
        }
    };
    match hashes.len() as u64 == tile.width {
        true => Ok(Some(hashes)),
        false => Err(ArchiveError::Corrupt("nodes of its log are missing".to_owned())),
    }
}

/// The path of a leaf in the current tree, and the signed head.
///
/// # Errors
/// If it cannot be read.
pub(super) fn proof(connection: &Connection, leaf: u64) -> Result<Option<(Vec<Hash>, String)>, ArchiveError> {
    let head = Head::read(connection)?;
    if leaf >= head.size {
        return Ok(None);
    }
    let border = border(head.size, &head.peaks);
    let found = path(leaf, head.size, &border, |level, number| node(connection, level, number).ok());
    let damaged = || ArchiveError::Corrupt("nodes of its log are missing".to_owned());
    Ok(Some((found.ok_or_else(damaged)?, head.checkpoint)))
}

/// A complete node of the tree.
fn node(connection: &Connection, level: usize, number: u64) -> Result<Hash, ArchiveError> {
    let damaged = || ArchiveError::Corrupt("nodes of its log are missing".to_owned());
    if level > 0 && level.is_multiple_of(TILE_LEVELS) {
        let find = "SELECT hash FROM node WHERE level = ?1 AND number = ?2";
        let mut find = connection.prepare_cached(find)?;
        let found =
            find.query_row([row_number(level as u64), row_number(number)], |row| row.get(0)).optional()?;
        return found.ok_or_else(damaged);
    }
    let below = level % TILE_LEVELS;
    let tile = (level - below, number << below, 1_u64 << below);
    let hashes: Vec<Hash> = match tile {
        (0, first, count) => leaves(connection, first, count)?.iter().map(|leaf| leaf_hash(leaf)).collect(),
        (level, first, count) => {
            (first..first + count).map(|number| node(connection, level, number)).collect::<Result<_, _>>()?
        }
    };
    complete_root(hashes).ok_or_else(damaged)
}
