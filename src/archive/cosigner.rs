//! A witness that logs ask for cosignatures (c2sp.org/tlog-witness): it keeps the last head of each log, and cosigns
//! only heads that continue it.

use super::log::{
    Checkpoint, Hash, LogError, PROOF_HASHES_MAX, VerifierKey, WitnessSigningKey, decimal, decode_hash,
    has_grown, root_of,
};
use super::mirror::{MirrorError, io, read_text, replace};
use super::witness::read_key;
use crate::identity::to_hex;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A witness with the logs that it knows.
#[derive(Debug)]
pub struct Cosigner {
    key: WitnessSigningKey,
    logs: Vec<VerifierKey>,
    folder: PathBuf,
    /// Comparing with the last head and replacing it is one step. The file is locked, so that no other process cosigns
    /// with the same heads.
    lock: Mutex<File>,
}

/// Why a head is not cosigned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The request is not what the protocol asks for.
    #[error("{0}")]
    Malformed(String),
    /// No log of this name is known.
    #[error("the witness does not know the log `{0}`")]
    UnknownLog(String),
    /// No key of the log signed the head.
    #[error("{0}")]
    NotSigned(LogError),
    /// The proof is not from the last head that was cosigned, whose size this is.
    #[error("the witness has cosigned a head of {0} events; send a proof from there")]
    OtherSize(u64),
    /// Another head of this size was cosigned before.
    #[error("the witness has cosigned another head of {0} events: the log shows two histories")]
    OtherHead(u64),
    /// The log has not only grown.
    #[error("the proof does not show that the log has only grown since its {0} events")]
    NotGrown(u64),
    /// The heads cannot be read or written.
    #[error("{0}")]
    Storage(MirrorError),
}

/// A head to cosign.
#[derive(Debug)]
struct Request<'r> {
    old_size: u64,
    proof: Vec<Hash>,
    note: &'r str,
}

impl<'r> Request<'r> {
    fn read(text: &'r str) -> Result<Request<'r>, Refusal> {
        let wrong = |why: &str| Refusal::Malformed(why.to_owned());
        let (head, note) = text
            .split_once("\n\n")
            .ok_or_else(|| wrong("there is no empty line before the checkpoint; put one after the proof"))?;
        let mut lines = head.split('\n');
        let old_size = lines.next().and_then(|line| line.strip_prefix("old ")).and_then(decimal);
        let old_size =
            old_size.ok_or_else(|| wrong("the first line is not `old` and a size; write `old 0`"))?;
        let proof: Option<Vec<Hash>> = lines.map(decode_hash).collect();
        let proof = proof.ok_or_else(|| wrong("a line of the proof is not a hash in Base64"))?;
        if proof.len() > PROOF_HASHES_MAX {
            return Err(wrong("the proof has more than 63 lines"));
        }
        Ok(Request { old_size, proof, note })
    }
}

impl Cosigner {
    /// A witness with the key in a file, for the logs with these keys. It keeps their heads in the directory
    /// `FILE.heads`, which is created.
    ///
    /// # Errors
    /// If the key cannot be read, or another process cosigns with it.
    pub fn open(key_file: &Path, logs: Vec<VerifierKey>) -> Result<Cosigner, MirrorError> {
        let key = read_key(key_file)?;
        let mut folder = OsString::from(key_file);
        folder.push(".heads");
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).map_err(|error| io(&folder, error))?;
        let path = folder.join("lock");
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|error| io(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(MirrorError::InUse(key_file.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(&path, error)),
        }
        Ok(Cosigner { key, logs, folder, lock: Mutex::new(lock) })
    }

    /// Checks that a log has only grown since the head that was cosigned before, and cosigns its new head with the
    /// time in seconds since 1970. Returns the signature line. The text is the body of `add-checkpoint`: the size of
    /// the head from before, the proof, an empty line, and the checkpoint.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn add_checkpoint(&self, text: &str, seconds: u64) -> Result<String, Refusal> {
        let Request { old_size, proof, note } = Request::read(text)?;
        let head = self.signed(note)?;
        if old_size > head.size {
            let (size, why) = (head.size, "the log cannot have shrunk");
            return Err(Refusal::Malformed(format!("the proof is from {old_size} events to {size}: {why}")));
        }
        let _alone = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let file = format!("{}.cosigned", to_hex(&Sha256::digest(&head.origin)));
        let last = self.last(&file, &head.origin)?;
        if old_size != last.size {
            return Err(Refusal::OtherSize(last.size));
        }
        if head.size == last.size && head.root != last.root {
            return Err(Refusal::OtherHead(last.size));
        }
        if !has_grown((last.size, &last.root), (head.size, &head.root), &proof) {
            return Err(Refusal::NotGrown(last.size));
        }
        let cosigned = self.key.cosign(note, seconds).map_err(Refusal::NotSigned)?;
        replace(&self.folder, &file, cosigned.as_bytes()).map_err(Refusal::Storage)?;
        Ok(cosigned[note.len()..].to_owned())
    }

    /// A head that one of the keys of its log signed.
    fn signed(&self, note: &str) -> Result<Checkpoint, Refusal> {
        let head = Checkpoint::read(note).map_err(|error| Refusal::Malformed(error.to_string()))?;
        let mut refused = Refusal::UnknownLog(head.origin.clone());
        for key in self.logs.iter().filter(|key| key.name() == head.origin) {
            match Checkpoint::open(note, key) {
                Ok(head) => return Ok(head),
                Err(error) => refused = Refusal::NotSigned(error),
            }
        }
        Err(refused)
    }

    /// The last head of a log that was cosigned; the empty log if there is none.
    fn last(&self, file: &str, origin: &str) -> Result<Checkpoint, Refusal> {
        let path = self.folder.join(file);
        let Some(note) = read_text(&path).map_err(Refusal::Storage)? else {
            return Ok(Checkpoint { origin: origin.to_owned(), size: 0, root: root_of(&[]) });
        };
        let why = match (Checkpoint::read(&note), Checkpoint::witnessed(&note, self.key.verifier())) {
            (Ok(last), Ok(Some(_))) if last.origin == origin => return Ok(last),
            (_, Err(error)) | (Err(error), _) => error.to_string(),
            _ => "it is not a head of this log that was cosigned with this key".to_owned(),
        };
        Err(Refusal::Storage(MirrorError::Damaged { path, why }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{SigningKey, leaf_hash, node_hash};
    use crate::{WitnessKey, make_key};
    use base64::Engine as _;

    fn signed(size: u64, root: Hash, key: &SigningKey) -> String {
        Checkpoint { origin: key.verifier().name().to_owned(), size, root }.sign(&[key])
    }

    /// The size of the last head, or 0, after a request.
    fn state(cosigner: &Cosigner) -> u64 {
        let none = format!("old {}\n\n{}", u64::from(u32::MAX), signed(u64::MAX, [0; 32], &log_key()));
        match cosigner.add_checkpoint(&none, 1) {
            Err(Refusal::OtherSize(size)) => size,
            other => panic!("{other:?}"),
        }
    }

    fn log_key() -> SigningKey {
        SigningKey::new("a/b", &[1; 32]).unwrap()
    }

    #[test]
    fn only_heads_that_continue_the_last_one_are_cosigned() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("witness.key");
        let witness: WitnessKey = make_key(&file, "w/1").unwrap();
        let (log, other) = (log_key(), SigningKey::new("c", &[2; 32]).unwrap());
        let open = || Cosigner::open(&file, vec![log.verifier().clone()]);
        let cosigner = open().unwrap();
        assert!(matches!(open(), Err(MirrorError::InUse(_))));
        let [a, b, c] = ["a", "b", "c"].map(|leaf| leaf_hash(leaf.as_bytes()));
        let two = node_hash(&a, &b);
        let three = node_hash(&two, &c);
        let base64 = |hash: &Hash| base64::engine::general_purpose::STANDARD.encode(hash);
        let ask = |old: u64, proof: &[Hash], note: &str| {
            let proof: String = proof.iter().map(|hash| base64(hash) + "\n").collect();
            cosigner.add_checkpoint(&format!("old {old}\n{proof}\n{note}"), 1_700_000_000)
        };
        let at_two = signed(2, two, &log);
        for (text, expected) in [
            ("old 0\n".to_owned() + &at_two, "not a hash"),
            ("old 0\n".to_owned(), "no empty line"),
            ("old 0\nAAAA\n\n".to_owned() + &at_two, "not a hash"),
            ("old 00\n\n".to_owned() + &at_two, "not `old` and a size"),
            ("new 0\n\n".to_owned() + &at_two, "not `old` and a size"),
            ("old 0\n".to_owned() + &format!("{}\n", base64(&a)).repeat(64) + "\n" + &at_two, "more than 63"),
            ("old 0\n\na/b\n2\n".to_owned(), "not a checkpoint"),
        ] {
            let refused = cosigner.add_checkpoint(&text, 1).unwrap_err();
            assert!(matches!(&refused, Refusal::Malformed(why) if why.contains(expected)), "{refused:?}");
        }
        assert!(
            matches!(ask(0, &[], &signed(2, two, &other)), Err(Refusal::UnknownLog(name)) if name == "c")
        );
        let foreign = SigningKey::new("a/b", &[3; 32]).unwrap();
        assert!(matches!(ask(0, &[], &signed(2, two, &foreign)), Err(Refusal::NotSigned(_))));
        assert!(matches!(ask(0, &[], &at_two.replace("2\n", "3\n")), Err(Refusal::NotSigned(_))));
        assert!(matches!(ask(0, &[a], &at_two), Err(Refusal::NotGrown(0))));
        assert!(matches!(ask(1, &[], &at_two), Err(Refusal::OtherSize(0))));
        assert_eq!(state(&cosigner), 0);
        let line = ask(0, &[], &at_two).unwrap();
        let seen = |note: &str, line: &str| Checkpoint::witnessed(&format!("{note}{line}"), &witness);
        assert_eq!(seen(&at_two, &line), Ok(Some(1_700_000_000)));
        // The same head again, and another one of this size.
        assert!(seen(&at_two, &ask(2, &[], &at_two).unwrap()).unwrap().is_some());
        assert!(matches!(ask(2, &[], &signed(2, c, &log)), Err(Refusal::OtherHead(2))));
        let at_three = signed(3, three, &log);
        assert!(matches!(ask(0, &[], &at_three), Err(Refusal::OtherSize(2))));
        assert!(matches!(ask(2, &[a], &at_three), Err(Refusal::NotGrown(2))));
        assert!(matches!(ask(2, &[], &at_three), Err(Refusal::NotGrown(2))));
        assert!(matches!(ask(3, &[], &at_two), Err(Refusal::Malformed(_))), "the log cannot have shrunk");
        assert_eq!(state(&cosigner), 2);
        assert!(seen(&at_three, &ask(2, &[c], &at_three).unwrap()).unwrap().is_some());
        assert!(matches!(ask(2, &[], &at_two), Err(Refusal::OtherSize(3))));
        // Another run knows the last head; a changed one is refused.
        drop(cosigner);
        let cosigner = open().unwrap();
        assert_eq!(state(&cosigner), 3);
        let heads = folder.path().join("witness.key.heads");
        let head = std::fs::read_dir(&heads).unwrap().map(|file| file.unwrap().path());
        let head =
            head.into_iter().find(|path| path.extension().is_some_and(|end| end == "cosigned")).unwrap();
        let kept = std::fs::read_to_string(&head).unwrap();
        std::fs::write(&head, kept.replace("3\n", "2\n")).unwrap();
        let refused = cosigner.add_checkpoint(&format!("old 2\n\n{at_two}"), 1).unwrap_err();
        assert!(matches!(refused, Refusal::Storage(MirrorError::Damaged { .. })), "{refused}");
    }
}
