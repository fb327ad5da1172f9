//! A witness of another archive's log: mirrors it, checks that it has only grown, and cosigns its head with the time.

use super::log::{Checkpoint, PrivateKey, PublicKey, Receipt, VerifierKey, WitnessSigningKey, random};
use super::mirror::{Fetch, Mirror, MirrorError, io, read_text, replace};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The last head that the witness cosigned, in the directory of the mirror.
const COSIGNED: &str = "cosigned";

/// A witness with its mirror of a log.
#[derive(Debug)]
pub struct Witness {
    mirror: Mirror,
    folder: PathBuf,
    key: WitnessSigningKey,
}

impl Witness {
    /// Opens the mirror in a directory, which is created; trusts the key of the log as [`Mirror::open`] does.
    ///
    /// # Errors
    /// As [`Mirror::open`].
    pub fn open(
        folder: &Path,
        key: WitnessSigningKey,
        log: Option<&VerifierKey>,
        fetch: Fetch<'_>,
    ) -> Result<Witness, MirrorError> {
        Ok(Witness { mirror: Mirror::open(folder, log, fetch)?, folder: folder.to_owned(), key })
    }

    /// The mirror.
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Fetches the log, checks that it has only grown, and returns its head with the cosignature, which it keeps. A
    /// head that was cosigned before keeps the time at which it was first seen.
    ///
    /// # Errors
    /// If the log contradicts the head from before, or cannot be fetched; then nothing is cosigned.
    pub fn cosign(&mut self, seconds: u64, fetch: Fetch<'_>) -> Result<String, MirrorError> {
        self.mirror.pull(fetch)?;
        let note = self.mirror.note().unwrap_or_default();
        if let Some(cosigned) = self.cosigned()?
            && same_head(&cosigned, note)
        {
            return Ok(cosigned);
        }
        let cosigned = self.key.cosign(note, seconds).map_err(MirrorError::Head)?;
        replace(&self.folder, COSIGNED, cosigned.as_bytes())?;
        Ok(cosigned)
    }

    /// The head that was cosigned last, if there is one.
    fn cosigned(&self) -> Result<Option<String>, MirrorError> {
        let kept = read_text(&self.folder.join(COSIGNED))?;
        let is_own = |note: &String| {
            Checkpoint::witnessed(note, self.key.verifier()).is_ok_and(|seconds| seconds.is_some())
        };
        Ok(kept.filter(is_own))
    }

    /// The receipt of an event under the head that was cosigned last; `None` if that head does not have the event, or
    /// nothing was cosigned.
    ///
    /// # Errors
    /// If the mirror cannot be read.
    pub fn receipt(&self, event: u64) -> Result<Option<Receipt>, MirrorError> {
        let Some(cosigned) = self.cosigned()? else { return Ok(None) };
        self.mirror.receipt(event, &cosigned)
    }
}

/// True if two signed notes are about the same tree.
fn same_head(one: &str, other: &str) -> bool {
    Checkpoint::read(one).is_ok_and(|one| Checkpoint::read(other) == Ok(one))
}

/// Makes the key of a witness in a new file that only its owner can read, and returns the public key.
///
/// # Errors
/// If the file exists or cannot be written, or the name cannot be one of a key.
pub fn make_key<const ALGORITHM: u8>(path: &Path, name: &str) -> Result<PublicKey<ALGORITHM>, MirrorError> {
    let seed = random().map_err(|error| MirrorError::Fetch(error.to_string()))?;
    let key = PrivateKey::<ALGORITHM>::new(name, &seed).map_err(MirrorError::Key)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(format!("{}\n", key.to_secret_text()).as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| io(path, error))?;
    Ok(key.verifier().clone())
}

/// Reads the key of a witness or a player.
///
/// # Errors
/// If the file cannot be read, or has no such key.
pub fn read_key<const ALGORITHM: u8>(path: &Path) -> Result<PrivateKey<ALGORITHM>, MirrorError> {
    let text = std::fs::read_to_string(path).map_err(|error| io(path, error))?;
    text.parse().map_err(MirrorError::Key)
}
