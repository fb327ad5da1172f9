//! A mirror of another archive's log: its events and the last signed head, in a directory. It can be interrupted at any
//! moment: events are appended after the head confirmed them, and the mirror's head is replaced when all are there.

use super::log::{
    Checkpoint, Growth, Hash, LogError, Receipt, TILE_WIDTH, Tile, VerifierKey, border, current_key,
    is_key_leaf, leaf_hash, root_of,
};
use super::served::ServedTree;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

/// Events that are fetched in one run. Their hashes are kept in memory, and a head may claim any number of events; the
/// next run fetches those beyond.
const EVENTS_PER_RUN: u64 = 4 << 20;

/// Bytes of events that are fetched in one run.
const BYTES_PER_RUN: u64 = 1 << 30;

/// Why a mirror cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MirrorError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The mirror's own files do not fit together.
    #[error("{}: the mirror is damaged: {why}; mirror the log into another directory", path.display())]
    Damaged {
        /// The directory.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The mirror is of another log.
    #[error("the mirror trusts the key `{pinned}`, not `{given}`; use another directory for another log")]
    OtherKey {
        /// The key of the mirror.
        pinned: String,
        /// The key that was asked for.
        given: String,
    },
    /// The service could not be asked.
    #[error("{0}")]
    Fetch(String),
    /// What the service answers is not signed by the key, or malformed.
    #[error("the service's head: {0}")]
    Head(LogError),
    /// The key of a witness cannot be made or read.
    #[error("the key of the witness: {0}")]
    Key(LogError),
    /// Another process cosigns with the same key.
    #[error("{}: another process cosigns with this key; stop it, or make another key", .0.display())]
    InUse(PathBuf),
    /// The log is longer than one run fetches.
    #[error(
        "the head has {size} events, of which {have} are here now; run it again to fetch more, or remove the directory \
         if the log cannot be that long"
    )]
    Unfinished {
        /// The events of the head.
        size: u64,
        /// The events that have been fetched.
        have: u64,
    },
    /// The log contradicts the head that the mirror has.
    #[error("{0}")]
    Contradiction(String),
}

/// Fetches the bytes at a path below `/log/` of the service.
pub type Fetch<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// A mirror in a directory.
#[derive(Debug)]
pub struct Mirror {
    folder: PathBuf,
    key: VerifierKey,
    is_new_key: bool,
    /// The last head that was checked, as it was signed.
    head: Option<(Checkpoint, String)>,
    /// The hashes of the events in the file, some of which may not be checked yet.
    hashes: Vec<Hash>,
    /// Those among them that name a key, with their numbers.
    key_leaves: Vec<(u64, Vec<u8>)>,
}

impl Mirror {
    /// Opens the mirror in a directory, which is created; trusts the given key or, the first time, that of the service.
    ///
    /// # Errors
    /// If the mirror is of another log, its files are damaged, or the service cannot be asked for its key.
    pub fn open(folder: &Path, given: Option<&VerifierKey>, fetch: Fetch<'_>) -> Result<Mirror, MirrorError> {
        std::fs::create_dir_all(folder).map_err(|error| io(folder, error))?;
        let pinned = read_text(&folder.join("key"))?;
        let damaged =
            |error: LogError| MirrorError::Damaged { path: folder.to_owned(), why: error.to_string() };
        let key = match (&pinned, given) {
            (Some(pinned), _) => pinned.parse().map_err(damaged)?,
            (None, Some(given)) => given.clone(),
            (None, None) => text(fetch("key")?)?.parse().map_err(MirrorError::Head)?,
        };
        let mut mirror = Mirror {
            folder: folder.to_owned(),
            key,
            is_new_key: pinned.is_none() && given.is_none(),
            head: None,
            hashes: Vec::new(),
            key_leaves: Vec::new(),
        };
        mirror.read_events()?;
        if let Some(note) = read_text(&folder.join("checkpoint"))? {
            let head = Checkpoint::read(&note).map_err(damaged)?;
            // If the program was interrupted, the key in the file is the one before.
            mirror.key = mirror.key_at(&mirror.key, head.size);
            mirror.head = Some((Checkpoint::open(&note, &mirror.key).map_err(damaged)?, note));
        }
        let is_followed = |given: &VerifierKey| mirror.key_at(given, mirror.size()) == mirror.key;
        if let Some(given) = given.filter(|given| !is_followed(given)) {
            return Err(MirrorError::OtherKey { pinned: mirror.key.to_string(), given: given.to_string() });
        }
        if pinned.is_none_or(|pinned| pinned.trim() != mirror.key.to_string()) {
            replace(folder, "key", format!("{}\n", mirror.key).as_bytes())?;
        }
        let size = mirror.size();
        if mirror.head.as_ref().is_some_and(|(head, _)| mirror.root(size) != Some(head.root)) {
            let why = format!("its events are not the {size} of its head");
            return Err(MirrorError::Damaged { path: folder.to_owned(), why });
        }
        Ok(mirror)
    }

    /// The key that signs a log of a size, if `key` signed it before.
    fn key_at(&self, key: &VerifierKey, size: u64) -> VerifierKey {
        let count = self.key_leaves.partition_point(|(event, _)| *event < size);
        current_key(key, &self.hashes, &self.key_leaves[..count])
    }

    /// The key of the log, which [`pull`](Mirror::pull) replaces by the next one that it names.
    pub fn key(&self) -> &VerifierKey {
        &self.key
    }

    /// True if the key is the service's word, which was taken for it the first time.
    pub fn trusts_first_use(&self) -> bool {
        self.is_new_key
    }

    /// The number of events that were checked.
    pub fn size(&self) -> u64 {
        self.head.as_ref().map_or(0, |(head, _)| head.size)
    }

    /// The last head that was checked, as it was signed.
    pub(super) fn note(&self) -> Option<&str> {
        self.head.as_ref().map(|(_, note)| &**note)
    }

    /// The receipt of an event under a head that is not later than that of the mirror; `None` if the head does not have
    /// the event.
    ///
    /// # Errors
    /// If the files cannot be read, or the head is not one of this log.
    pub(super) fn receipt(&self, event: u64, note: &str) -> Result<Option<Receipt>, MirrorError> {
        // It may have been signed by an earlier key.
        let head = Checkpoint::read(note).map_err(MirrorError::Head)?;
        let damaged = |why: &str| MirrorError::Damaged { path: self.folder.clone(), why: why.to_owned() };
        if head.size > self.size() || self.root(head.size) != Some(head.root) {
            return Err(damaged("the cosigned head is not one of its log"));
        }
        if event >= head.size {
            return Ok(None);
        }
        let number = |event: u64| usize::try_from(event).unwrap_or(usize::MAX);
        let mut tree = Growth::new(0, &[]).ok_or_else(|| damaged("it has no tree"))?;
        self.hashes[..number(head.size)].iter().for_each(|hash| tree.push(*hash));
        let border = border(head.size, &tree.peaks());
        let path = tree.proof(event, &border);
        let file = self.folder.join("events");
        let bytes = std::fs::read(&file).map_err(|error| io(&file, error))?;
        let (leaves, _) = events(&bytes)?;
        let leaf = leaves.get(number(event)).ok_or_else(|| damaged("an event is missing"))?;
        Ok(Some(Receipt { leaf: leaf[2..].to_vec(), index: event, path, checkpoint: note.to_owned() }))
    }

    /// Fetches the head and the events since the last one, and checks that the log only grew. Returns its size. If the
    /// log was handed over to another key meanwhile, that is the key from now on.
    ///
    /// # Errors
    /// If the log contradicts the head from before, or cannot be fetched.
    pub fn pull(&mut self, fetch: Fetch<'_>) -> Result<u64, MirrorError> {
        let note = text(fetch("checkpoint")?)?;
        let opened = Checkpoint::open(&note, &self.key);
        // Another key may sign by now: then an event says so, which the key of the mirror signed.
        let is_own_key = !matches!(opened, Err(LogError::OtherKey(_)));
        let head = match is_own_key {
            true => opened.map_err(MirrorError::Head)?,
            false => self.head_by_another_key(&note)?,
        };
        if head.size < self.size() {
            let why = format!(
                "the log had {} events and has {}: it was rolled back, or the service shows an old head",
                self.size(),
                head.size
            );
            return Err(self.contradiction(&why, &note));
        }
        match self.follow(&head, &note, fetch) {
            Ok(()) => self.accept(head, note),
            // What no key is known to have signed is not kept, unless an event among it names the key.
            Err(error) if !is_own_key && self.key_at(&self.key, self.hashes.len() as u64) == self.key => {
                self.cut(self.size())?;
                Err(if matches!(error, MirrorError::Io { .. }) { error } else { self.other_key() })
            }
            Err(error) => Err(error),
        }
    }

    /// Fetches the events up to a head, each of which the head confirms before it is kept.
    fn follow(&mut self, head: &Checkpoint, note: &str, fetch: Fetch<'_>) -> Result<(), MirrorError> {
        let mut tree = ServedTree::new(head, fetch)?;
        let size = self.size();
        let had = self.root(size).unwrap_or_default();
        if !tree.begins_with(size, &had)? {
            let checked = &self.hashes[..usize::try_from(size).unwrap_or(usize::MAX)];
            let event = tree.first_difference(checked)?.unwrap_or(size);
            let why = format!("event {event} of the log is another one than before");
            return Err(self.contradiction(&why, note));
        }
        // Events that were fetched before an interruption may be of a log that has changed since.
        let staged = self.hashes.len() as u64;
        if staged > size {
            let root = self.root(staged).unwrap_or_default();
            if staged > head.size || !tree.begins_with(staged, &root)? {
                self.cut(size)?;
            }
        }
        self.fetch_events(&mut tree, head.size)
    }

    /// A head that the key of the mirror did not sign. Nothing that it says counts until its events show a handover.
    fn head_by_another_key(&self, note: &str) -> Result<Checkpoint, MirrorError> {
        let head = Checkpoint::read(note).map_err(MirrorError::Head)?;
        match head.origin == self.key.name() && head.size > self.size() {
            true => Ok(head),
            false => Err(self.other_key()),
        }
    }

    fn other_key(&self) -> MirrorError {
        MirrorError::Head(LogError::OtherKey(self.key.to_string()))
    }

    /// Makes the head to which the events lead that of the mirror, if the key that the log has there signed it.
    fn accept(&mut self, head: Checkpoint, note: String) -> Result<u64, MirrorError> {
        let key = self.key_at(&self.key, head.size);
        if let Err(error) = Checkpoint::open(&note, &key) {
            self.cut(self.size())?;
            return Err(MirrorError::Head(error));
        }
        replace(&self.folder, "checkpoint", note.as_bytes())?;
        if key != self.key {
            replace(&self.folder, "key", format!("{key}\n").as_bytes())?;
            self.key = key;
        }
        let size = head.size;
        self.head = Some((head, note));
        Ok(size)
    }

    fn contradiction(&self, why: &str, note: &str) -> MirrorError {
        let before = self.head.as_ref().map_or("", |(_, note)| note);
        MirrorError::Contradiction(format!(
            "{why}\nthe head that the mirror has:\n{before}the head of the service:\n{note}"
        ))
    }

    /// Appends the events up to a size, tile by tile.
    fn fetch_events(&mut self, tree: &mut ServedTree<'_>, size: u64) -> Result<(), MirrorError> {
        let path_of = self.folder.join("events");
        let file = OpenOptions::new().create(true).append(true).open(&path_of);
        let mut file = file.map_err(|error| io(&path_of, error))?;
        let (begun, mut fetched) = (self.hashes.len() as u64, 0);
        while (self.hashes.len() as u64) < size {
            let have = self.hashes.len();
            if have as u64 - begun >= EVENTS_PER_RUN || fetched >= BYTES_PER_RUN {
                return Err(MirrorError::Unfinished { size, have: have as u64 });
            }
            let tile = tree.fetch(&path(have as u64, size))?;
            let (leaves, hashes) = events(&tile)?;
            if !tree.has_leaves(have as u64 / TILE_WIDTH, &hashes)? {
                let why = "the service does not serve the events of the head that it signed; run it again";
                return Err(MirrorError::Fetch(why.to_owned()));
            }
            let known = have % TILE_WIDTH as usize;
            let bytes = leaves[known..].concat();
            fetched += bytes.len() as u64;
            file.write_all(&bytes).and_then(|()| file.sync_data()).map_err(|error| io(&path_of, error))?;
            leaves[known..]
                .iter()
                .zip(&hashes[known..])
                .for_each(|(leaf, hash)| self.push(&leaf[2..], *hash));
        }
        Ok(())
    }

    /// Reads the events in the file. A torn one at the end, from an interruption, is cut off.
    fn read_events(&mut self) -> Result<(), MirrorError> {
        let path = self.folder.join("events");
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(io(&path, error)),
        };
        let length = file.metadata().map_err(|error| io(&path, error))?.len();
        let (mut reader, mut whole) = (BufReader::new(file), 0);
        while whole + 2 <= length {
            let mut size = [0; 2];
            reader.read_exact(&mut size).map_err(|error| io(&path, error))?;
            let size = u64::from(u16::from_be_bytes(size));
            if whole + 2 + size > length {
                break;
            }
            let mut leaf = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
            reader.read_exact(&mut leaf).map_err(|error| io(&path, error))?;
            self.push(&leaf, leaf_hash(&leaf));
            whole += 2 + size;
        }
        if whole < length {
            set_length(&path, whole)?;
        }
        Ok(())
    }

    fn push(&mut self, leaf: &[u8], hash: Hash) {
        if is_key_leaf(leaf) {
            self.key_leaves.push((self.hashes.len() as u64, leaf.to_vec()));
        }
        self.hashes.push(hash);
    }

    /// Cuts off the events after a number.
    fn cut(&mut self, size: u64) -> Result<(), MirrorError> {
        if self.hashes.len() as u64 <= size {
            return Ok(());
        }
        let path = self.folder.join("events");
        let bytes = std::fs::read(&path).map_err(|error| io(&path, error))?;
        let (leaves, _) = events(&bytes)?;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        set_length(&path, leaves.iter().take(size).map(|leaf| leaf.len() as u64).sum())?;
        self.hashes.truncate(size);
        self.key_leaves.retain(|(event, _)| usize::try_from(*event).is_ok_and(|event| event < size));
        Ok(())
    }

    /// The root over the first events, if there are so many.
    fn root(&self, size: u64) -> Option<Hash> {
        root(self.hashes.get(..usize::try_from(size).ok()?)?)
    }
}

/// The root over some leaves.
fn root(hashes: &[Hash]) -> Option<Hash> {
    let mut tree = Growth::new(0, &[])?;
    hashes.iter().for_each(|hash| tree.push(*hash));
    Some(root_of(&tree.peaks()))
}

/// The path of the tile with an event, in a log of a size.
fn path(event: u64, size: u64) -> String {
    let number = event / TILE_WIDTH;
    let width = (size - number * TILE_WIDTH).min(TILE_WIDTH);
    format!("tile/{}", Tile { level: None, number, width }.path())
}

/// The events of a tile, each with its length before it, and their hashes.
fn events(mut bytes: &[u8]) -> Result<(Vec<&[u8]>, Vec<Hash>), MirrorError> {
    let (mut leaves, mut hashes) = (Vec::new(), Vec::new());
    while !bytes.is_empty() {
        let whole = bytes.first_chunk().map(|size| 2 + usize::from(u16::from_be_bytes(*size)));
        let split = whole.and_then(|whole| bytes.split_at_checked(whole));
        let (leaf, rest) = split
            .ok_or_else(|| MirrorError::Fetch("the service answered a tile that is cut off".to_owned()))?;
        leaves.push(leaf);
        hashes.push(leaf_hash(&leaf[2..]));
        bytes = rest;
    }
    Ok((leaves, hashes))
}

pub(super) fn io(path: &Path, error: std::io::Error) -> MirrorError {
    MirrorError::Io { path: path.to_owned(), error }
}

fn text(bytes: Vec<u8>) -> Result<String, MirrorError> {
    String::from_utf8(bytes)
        .map_err(|_| MirrorError::Fetch("the service answered text that is not UTF-8".to_owned()))
}

pub(super) fn read_text(path: &Path) -> Result<Option<String>, MirrorError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(path, error)),
    }
}

fn set_length(path: &Path, length: u64) -> Result<(), MirrorError> {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.set_len(length).and_then(|()| file.sync_all())).map_err(|error| io(path, error))
}

/// Replaces a small file durably: it has its old contents or the new ones, whenever the power fails.
pub(super) fn replace(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), MirrorError> {
    let (path, new) = (folder.join(name), folder.join(format!("{name}.new")));
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&new, &path)).map_err(|error| io(&path, error))?;
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| io(folder, error))?;
    Ok(())
}

impl From<String> for MirrorError {
    fn from(why: String) -> MirrorError {
        MirrorError::Fetch(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::SigningKey;
    use crate::served::tests::{fetched, key, served};
    use std::cell::Cell;

    /// Pulls from a log with these hashes under this head; gives the answers that were fetched, too.
    fn pull(mirror: &mut Mirror, leaves: &[Hash], head: &str) -> (Result<u64, MirrorError>, usize) {
        let asked = Cell::new(0);
        let pulled = mirror.pull(&mut |path| {
            asked.set(asked.get() + 1);
            fetched(leaves, head, path)
        });
        (pulled, asked.get())
    }

    fn kept(folder: &Path) -> u64 {
        std::fs::metadata(folder.join("events")).map_or(0, |file| file.len())
    }

    #[test]
    fn no_event_is_kept_that_the_head_does_not_confirm() {
        let folder = tempfile::tempdir().unwrap();
        let open =
            || Mirror::open(folder.path(), Some(key().verifier()), &mut |_| Err("gone".into())).unwrap();
        let (leaves, head) = served(700, None);
        // Tiles of a log with another event, below the head of this one: in the border, and in a full tile.
        for other in [699, 3] {
            let (wrong, _) = served(700, Some(other));
            let (pulled, asked) = pull(&mut open(), &wrong, &head);
            assert!(matches!(pulled, Err(MirrorError::Fetch(_))), "{other}: {pulled:?}");
            assert!(asked <= 4 && kept(folder.path()) == 0, "{other}: {asked}");
        }
        // A head by another key, which no event names: what is below it is not kept.
        let thief = SigningKey::new("a/b", &[2; 32]).unwrap();
        let signed = Checkpoint::open(&head, key().verifier()).unwrap().sign(&[&thief]);
        let (pulled, _) = pull(&mut open(), &leaves, &signed);
        assert!(matches!(pulled, Err(MirrorError::Head(LogError::OtherKey(_)))), "{pulled:?}");
        assert_eq!(kept(folder.path()), 0);
        // A head of more events than there are.
        let (pulled, asked) = pull(&mut open(), &leaves, &served(1 << 10, None).1);
        assert!(matches!(pulled, Err(MirrorError::Fetch(_))) && asked <= 3, "{pulled:?}, {asked}");
        // Heads of more events than a tree has leaves, which anyone may write.
        for size in [1 << 63, u64::MAX] {
            let endless = Checkpoint { origin: "a/b".into(), size, root: [0; 32] };
            for by in [&thief, &key()] {
                let (pulled, asked) = pull(&mut open(), &leaves, &endless.sign(&[by]));
                assert!(pulled.is_err() && asked == 1, "{size}: {pulled:?}, {asked}");
            }
        }
        // The log itself is followed, and a fork of it found by a few tiles.
        assert_eq!(pull(&mut open(), &leaves, &head).0.unwrap(), 700);
        let (fork, forked) = served(900, Some(300));
        let (pulled, asked) = pull(&mut open(), &fork, &forked);
        let Err(MirrorError::Contradiction(why)) = pulled else { panic!("{pulled:?}") };
        assert!(
            why.starts_with("event 300 of the log is another one than before") && asked < 10,
            "{why} {asked}"
        );
        let (grown, head) = served(900, None);
        assert_eq!(pull(&mut open(), &grown, &head).0.unwrap(), 900);
        assert_eq!(pull(&mut open(), &grown, &head).0.unwrap(), 900);
    }
}
