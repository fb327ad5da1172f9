//! A mirror of another archive's log: its events and the last signed head, in a directory. It can be interrupted at any
//! moment: events are appended, and the head is replaced only after the events under it were checked.

use super::log::{
    Checkpoint, Growth, Hash, LogError, Receipt, TILE_WIDTH, Tile, VerifierKey, border, current_key,
    is_key_leaf, leaf_hash, root_of,
};
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
        "the head has {size} events, of which {have} are here now, not yet checked; run it again to fetch more, or \
         remove the directory if the log cannot be that long"
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
        // Events that were fetched before an interruption may be of a log that has changed since.
        let staged = self.hashes.len() as u64 > self.size();
        self.fetch_events(head.size, fetch)?;
        if self.root(head.size) != Some(head.root) && staged {
            self.cut(self.size())?;
            self.fetch_events(head.size, fetch)?;
        }
        if self.root(head.size) != Some(head.root) {
            let error = match is_own_key {
                true => self.explain(&head, &note, fetch),
                false => Ok(self.other_key()),
            };
            self.cut(self.size())?;
            return Err(error?);
        }
        self.accept(head, note)
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

    /// Why the events do not have the root of a signed head: the log is another one now, or the service does not serve
    /// the events that it signed.
    fn explain(&self, head: &Checkpoint, note: &str, fetch: Fetch<'_>) -> Result<MirrorError, MirrorError> {
        let mut now = Vec::new();
        while (now.len() as u64) < head.size.min(self.size() + EVENTS_PER_RUN) {
            let (_, hashes) = events(&fetch(&path(now.len() as u64, head.size))?)?;
            if hashes.is_empty() {
                break;
            }
            now.extend(hashes);
        }
        if root(&now) != Some(head.root) {
            return Ok(MirrorError::Fetch(
                "the service does not serve the events of the head that it signed".to_owned(),
            ));
        }
        let checked = &self.hashes[..usize::try_from(self.size()).unwrap_or(usize::MAX)];
        let differing = checked.iter().zip(&now).position(|(before, now)| before != now);
        Ok(match differing {
            Some(event) => {
                self.contradiction(&format!("event {event} of the log is another one than before"), note)
            }
            None => MirrorError::Fetch(
                "the service changed its events during the download; run it again".to_owned(),
            ),
        })
    }

    fn contradiction(&self, why: &str, note: &str) -> MirrorError {
        let before = self.head.as_ref().map_or("", |(_, note)| note);
        MirrorError::Contradiction(format!(
            "{why}\nthe head that the mirror has:\n{before}the head of the service:\n{note}"
        ))
    }

    /// Appends the events up to a size, tile by tile.
    fn fetch_events(&mut self, size: u64, fetch: Fetch<'_>) -> Result<(), MirrorError> {
        let path_of = self.folder.join("events");
        let file = OpenOptions::new().create(true).append(true).open(&path_of);
        let mut file = file.map_err(|error| io(&path_of, error))?;
        let (begun, mut fetched) = (self.hashes.len() as u64, 0);
        while (self.hashes.len() as u64) < size {
            let have = self.hashes.len();
            if have as u64 - begun >= EVENTS_PER_RUN || fetched >= BYTES_PER_RUN {
                return Err(MirrorError::Unfinished { size, have: have as u64 });
            }
            let tile = fetch(&path(have as u64, size))?;
            let (leaves, hashes) = events(&tile)?;
            let known = have % TILE_WIDTH as usize;
            let wanted = (size - (have - known) as u64).min(TILE_WIDTH);
            let new = hashes.get(known..).filter(|_| hashes.len() as u64 == wanted);
            let new = new.ok_or_else(|| {
                let found = hashes.len();
                MirrorError::Fetch(format!("the service answered a tile of {found} events, not of {wanted}"))
            })?;
            let bytes = leaves[known..].concat();
            fetched += bytes.len() as u64;
            file.write_all(&bytes).and_then(|()| file.sync_data()).map_err(|error| io(&path_of, error))?;
            leaves[known..].iter().zip(new).for_each(|(leaf, hash)| self.push(&leaf[2..], *hash));
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
