//! Checks the log, every row against the event that it is a projection of, and the log against what was kept outside.

mod against;
mod projection;

use crate::error::ArchiveError;
use crate::log::{
    Anchor, Checkpoint, Growth, Hash, Leaf, VerifierKey, is_key_leaf, leaf_hash, next_key, root_of,
};
use crate::sqlite::key_file;
use crate::sqlite::log::{Head, TILE_LEVELS, row_number};
use crate::time_text;
use crate::verify::{Finding, FindingKind, damage};
use projection::Projection;
use rusqlite::Connection;
use std::path::Path;

/// Leaves after which the nodes that are in memory are checked and dropped.
const LEAVES_AT_ONCE: u64 = 1 << 16;

/// Reads the whole log in one state of the file, even if others write meanwhile.
pub(super) fn check(
    connection: &Connection,
    archive: &Path,
    anchors: &[Anchor],
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    let transaction = connection.unchecked_transaction()?;
    let head = match Head::read(&transaction) {
        Ok(head) => Some(head),
        Err(ArchiveError::Corrupt(_)) => {
            found(damage(None, "the head of the log has changed"));
            None
        }
        Err(error) => return Err(error),
    };
    let log = read(&transaction, !anchors.is_empty(), found)?;
    if let Some(head) = &head {
        check_head(head, archive, &log, found);
    }
    against::check(&log, head.as_ref(), anchors, found);
    Ok(())
}

/// What the leaves amount to.
struct Log {
    size: u64,
    root: Hash,
    /// The time of the last event.
    time: String,
    /// The keys that signed, in their order.
    keys: Vec<LoggedKey>,
    /// The hashes of all leaves, if the log is checked against anything.
    hashes: Vec<Hash>,
}

/// A key that the log names.
struct LoggedKey {
    key: VerifierKey,
    event: i64,
    /// True if the key before it agreed.
    is_handed_over: bool,
}

impl LoggedKey {
    /// The key that a leaf names, after the events of a tree and the keys before it.
    fn of(event: i64, leaf: &[u8], tree: &Growth, before: Option<&LoggedKey>) -> Option<LoggedKey> {
        let named: Leaf<'_> = serde_json::from_slice(leaf).ok()?;
        let key: VerifierKey = named.vkey?.parse().ok()?;
        let is_handed_over = before.is_none_or(|before| {
            let (origin, root) = (key.name().to_owned(), root_of(&tree.peaks()));
            let place = Checkpoint { origin, size: tree.size(), root };
            next_key(leaf, &place, &before.key).as_ref() == Some(&key)
        });
        Some(LoggedKey { key, event, is_handed_over })
    }
}

fn read(
    connection: &Connection,
    keeps_hashes: bool,
    found: &mut dyn FnMut(Finding),
) -> Result<Log, ArchiveError> {
    let (mut tree, mut nodes) = (grown(0, &[])?, 0);
    let (mut keys, mut hashes, mut time) = (Vec::new(), Vec::new(), String::new());
    let mut rows = Projection::new(connection, found)?;
    let mut all = connection.prepare("SELECT number, leaf FROM event ORDER BY number")?;
    let mut events = all.query([])?;
    while let Some(row) = events.next()? {
        let (number, bytes): (i64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        let expected = row_number(tree.size());
        if number != expected {
            let message = format!("the log has event {number} where event {expected} should be");
            found(damage(None, message));
        }
        if is_key_leaf(&bytes)
            && let Some(key) = LoggedKey::of(number, &bytes, &tree, keys.last())
        {
            if !key.is_handed_over {
                let message =
                    format!("event {number} replaced the signing key, and the key before did not agree");
                found(Finding { id: None, kind: FindingKind::Note, message });
            }
            keys.push(key);
        }
        let hash = leaf_hash(&bytes);
        tree.push(hash);
        if keeps_hashes {
            hashes.push(hash);
        }
        match serde_json::from_slice::<Leaf<'_>>(&bytes) {
            Ok(leaf) => {
                if leaf.bytes().ok().as_deref() != Some(&bytes[..]) {
                    found(damage(None, format!("event {number} of the log is not in canonical form")));
                }
                // All times are written alike, so that their order is that of the texts.
                if *leaf.time < *time {
                    found(damage(
                        None,
                        format!("event {number} of the log is earlier than the one before it"),
                    ));
                }
                rows.check(number, &leaf, found)?;
                time = leaf.time.into_owned();
            }
            Err(error) => found(damage(None, format!("event {number} of the log is no leaf: {error}"))),
        }
        if tree.size() - tree.before() == LEAVES_AT_ONCE {
            nodes += check_nodes(connection, &tree, found)?;
            tree = grown(tree.size(), &tree.peaks())?;
        }
    }
    nodes += check_nodes(connection, &tree, found)?;
    rows.finish(found)?;
    let there: i64 = connection.query_row("SELECT count(*) FROM node", [], |row| row.get(0))?;
    if there != nodes {
        found(damage(None, format!("`node` has {there} rows, but the log has {nodes} such nodes")));
    }
    Ok(Log { size: tree.size(), root: root_of(&tree.peaks()), time, keys, hashes })
}

fn grown(size: u64, peaks: &[Hash]) -> Result<Growth, ArchiveError> {
    Growth::new(size, peaks).ok_or_else(|| ArchiveError::Corrupt("the tree has lost its peaks".to_owned()))
}

/// Compares the stored nodes with those of the tree; returns their number.
fn check_nodes(
    connection: &Connection,
    tree: &Growth,
    found: &mut dyn FnMut(Finding),
) -> Result<i64, ArchiveError> {
    let mut find =
        connection.prepare_cached("SELECT 1 FROM node WHERE level = ?1 AND number = ?2 AND hash = ?3")?;
    let mut count = 0;
    for (level, number, hash) in tree.new_nodes(TILE_LEVELS) {
        count += 1;
        if !find.exists((row_number(level as u64), row_number(number), hash))? {
            let (first, last) = (number << level, ((number + 1) << level) - 1);
            let message = format!("the stored hash of events {first} to {last} is not theirs");
            found(damage(None, message));
        }
    }
    Ok(count)
}

/// Compares the stored head with the tree, and its signature with the key.
fn check_head(head: &Head, archive: &Path, log: &Log, found: &mut dyn FnMut(Finding)) {
    let mut wrong = |message: String| found(damage(None, message));
    let Head { origin, key: vkey, size, time, peaks, checkpoint } = head;
    if log.size != *size {
        wrong(format!("the log has {} events, but its head is that of {size}", log.size));
    } else if log.root != root_of(peaks) {
        wrong("the events of the log are not those of its head".to_owned());
    }
    if log.time != time_text(*time) {
        wrong("the time of the last event is not that of the head of the log".to_owned());
    }
    match log.keys.last() {
        Some(logged) if logged.key.to_string() == *vkey => {}
        _ => wrong("the key of the log is not the one that its last `key` event names".to_owned()),
    }
    let signed = vkey.parse::<VerifierKey>().and_then(|key| Checkpoint::open(checkpoint, &key));
    match signed {
        Ok(signed) if (&signed.origin, signed.size, signed.root) == (origin, log.size, log.root) => {}
        Ok(signed) if signed.size != log.size => {
            wrong(format!("the signed head is that of {} events, but the log has {}", signed.size, log.size));
        }
        Ok(_) => wrong("the events of the log are not those that were signed".to_owned()),
        Err(error) => wrong(format!("the head of the log: {error}")),
    }
    // The key file need not be where the archive is read.
    if key_file::path_of(archive).exists()
        && let Err(error) = key_file::read(archive, vkey)
    {
        wrong(error.to_string());
    }
}
