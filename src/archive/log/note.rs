//! Keys, signed notes and checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint).

use super::error::LogError;
use super::tree::Hash;
use crate::archive::identity::to_hex;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey as Secret, VerifyingKey as Public};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The byte that stands for Ed25519 in keys.
const ED25519: u8 = 1;

/// The longest note that is read, in bytes: a checkpoint with far more than 16 signatures.
const NOTE_BYTES_MAX: usize = 1 << 16;

/// The public key of a log, with its name. Its text is a vkey: `NAME+ID+KEY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    id: [u8; 4],
    key: Public,
}

/// The private key of a log. Its text is `PRIVATE+KEY+NAME+ID+KEY`, as in the Go module `sumdb/note`.
pub struct SigningKey {
    key: Secret,
    verifier: VerifierKey,
}

/// The head of a log: its name, its number of leaves, and the root of the tree over them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the log.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root.
    pub root: Hash,
}

impl VerifierKey {
    fn new(name: &str, key: Public) -> Result<VerifierKey, LogError> {
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+') {
            return Err(LogError::malformed("key", "its name is empty or contains a space or a `+`"));
        }
        let digest =
            Sha256::new().chain_update(name).chain_update([b'\n', ED25519]).chain_update(key.as_bytes());
        let mut id = [0; 4];
        id.copy_from_slice(&digest.finalize()[..4]);
        Ok(VerifierKey { name: name.to_owned(), id, key })
    }

    /// Its name: the name of the log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its identifier: 8 hexadecimal digits.
    pub fn id(&self) -> String {
        to_hex(&self.id)
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = STANDARD.encode([&[ED25519], &self.key.as_bytes()[..]].concat());
        write!(f, "{}+{}+{key}", self.name, self.id())
    }
}

impl FromStr for VerifierKey {
    type Err = LogError;

    fn from_str(text: &str) -> Result<VerifierKey, LogError> {
        let wrong =
            |why: &str| LogError::malformed("key", format!("{why}; write it as `GET /log/key` shows it"));
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has not the form NAME+ID+KEY"));
        };
        let bytes = key_bytes(key).ok_or_else(|| wrong("it is not an Ed25519 key"))?;
        let public = Public::from_bytes(&bytes).map_err(|_| wrong("it is not an Ed25519 key"))?;
        let key = VerifierKey::new(name, public)?;
        if key.id() == id { Ok(key) } else { Err(wrong("its id is not that of its name and bytes")) }
    }
}

/// The 32 bytes of a key in Base64, after the byte for Ed25519.
fn key_bytes(text: &str) -> Option<[u8; 32]> {
    match STANDARD.decode(text).ok()?.split_first()? {
        (&ED25519, bytes) => bytes.try_into().ok(),
        _ => None,
    }
}

impl SigningKey {
    /// A key from 32 random bytes.
    ///
    /// # Errors
    /// If the name is empty or contains a space or a `+`.
    pub fn new(name: &str, seed: &[u8; 32]) -> Result<SigningKey, LogError> {
        let key = Secret::from_bytes(seed);
        let verifier = VerifierKey::new(name, key.verifying_key())?;
        Ok(SigningKey { key, verifier })
    }

    /// The public key.
    pub fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// Its text, which is secret.
    pub fn to_secret_text(&self) -> String {
        let VerifierKey { name, .. } = &self.verifier;
        let key = STANDARD.encode([&[ED25519], &self.key.to_bytes()[..]].concat());
        format!("PRIVATE+KEY+{name}+{}+{key}", self.verifier.id())
    }

    /// A signature line of a note.
    fn line(&self, text: &str) -> String {
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let signature = STANDARD.encode([&self.verifier.id[..], &signature].concat());
        format!("\u{2014} {} {signature}\n", self.verifier.name)
    }
}

/// Shows no secret.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.verifier).finish()
    }
}

impl FromStr for SigningKey {
    type Err = LogError;

    fn from_str(text: &str) -> Result<SigningKey, LogError> {
        let wrong = |why: &str| LogError::malformed("signing key", why);
        let rest = text.trim().strip_prefix("PRIVATE+KEY+").ok_or_else(|| wrong("it begins otherwise"))?;
        let mut parts = rest.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has not the form PRIVATE+KEY+NAME+ID+KEY"));
        };
        let seed = key_bytes(key).ok_or_else(|| wrong("it is not an Ed25519 key"))?;
        let key = SigningKey::new(name, &seed)?;
        if key.verifier.id() == id { Ok(key) } else { Err(wrong("its id is not that of its name and bytes")) }
    }
}

impl Checkpoint {
    /// The signed note.
    pub fn sign(&self, keys: &[&SigningKey]) -> String {
        let mut note = format!("{}\n{}\n{}\n", self.origin, self.size, STANDARD.encode(self.root));
        let lines: String = keys.iter().map(|key| key.line(&note)).collect();
        note.push('\n');
        note + &lines
    }

    /// Reads a signed note without checking its signatures.
    ///
    /// # Errors
    /// If it is not a checkpoint.
    pub fn read(note: &str) -> Result<Checkpoint, LogError> {
        let wrong = |why: &str| LogError::malformed("checkpoint", why);
        let (text, _) = split(note)?;
        let mut lines = text.lines();
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next()) else {
            return Err(wrong("it has fewer than three lines"));
        };
        if origin.is_empty() {
            return Err(wrong("its first line, the origin, is empty"));
        }
        let size = number(size).ok_or_else(|| wrong("its second line is not the size of a tree"))?;
        let root = hash(root).ok_or_else(|| wrong("its third line is not the root of a tree"))?;
        Ok(Checkpoint { origin: origin.to_owned(), size, root })
    }

    /// Reads a signed note and checks the signature by a key, whose name must be the origin.
    ///
    /// # Errors
    /// If it is not a checkpoint, or not signed by the key.
    pub fn open(note: &str, key: &VerifierKey) -> Result<Checkpoint, LogError> {
        let (text, signatures) = split(note)?;
        let mut is_signed = false;
        for line in signatures.lines() {
            let wrong = || LogError::malformed("checkpoint", "a signature line is malformed");
            let (name, signature) =
                line.strip_prefix("\u{2014} ").and_then(|line| line.split_once(' ')).ok_or_else(wrong)?;
            let signature = STANDARD.decode(signature).map_err(|_| wrong())?;
            let (id, signature) = signature.split_at_checked(4).ok_or_else(wrong)?;
            // Signatures by unknown keys are ignored; one by the known key must be right.
            if name != key.name || id != key.id {
                continue;
            }
            let signature = Signature::from_slice(signature).map_err(|_| wrong())?;
            let verified = key.key.verify_strict(text.as_bytes(), &signature);
            verified.map_err(|_| LogError::Signature(key.to_string()))?;
            is_signed = true;
        }
        let checkpoint = Checkpoint::read(note)?;
        if !is_signed || checkpoint.origin != key.name {
            return Err(LogError::OtherKey(key.to_string()));
        }
        Ok(checkpoint)
    }
}

/// The text of a note and its signature lines.
fn split(note: &str) -> Result<(&str, &str), LogError> {
    let wrong = |why: &str| LogError::malformed("checkpoint", why);
    if note.len() > NOTE_BYTES_MAX {
        return Err(wrong("it is too long"));
    }
    if note.chars().any(|c| c < ' ' && c != '\n') {
        return Err(wrong("it contains a control character"));
    }
    let at = note.rfind("\n\n").ok_or_else(|| wrong("it has no empty line before its signatures"))?;
    match (&note[..=at], &note[at + 2..]) {
        (_, "") => Err(wrong("it has no signature")),
        (_, signatures) if !signatures.ends_with('\n') => Err(wrong("its last line is cut")),
        both => Ok(both),
    }
}

/// A decimal number without leading zeros.
pub(super) fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

/// A hash in Base64.
pub(super) fn hash(text: &str) -> Option<Hash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of `sumdb/note`, made by Go.
    const GO: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const GO_NOTE: &str = "If you think cryptography is the answer to your problem,\n\
        then you don't know what your problem is.\n\n\
        \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpR\
        Zb6KE6RyyBwJnAM=\n";

    #[test]
    fn keys_and_signatures_are_those_of_other_programs() {
        let key: VerifierKey = GO.parse().unwrap();
        assert_eq!((key.name(), key.to_string()), ("PeterNeumann", GO.to_owned()));
        // The signature is right; the text is no checkpoint.
        let opened = Checkpoint::open(GO_NOTE, &key).unwrap_err();
        assert!(matches!(opened, LogError::Malformed { .. }), "{opened}");
        let opened = Checkpoint::open(&GO_NOTE.replace("you think", "you thought"), &key).unwrap_err();
        assert_eq!(opened, LogError::Signature(GO.to_owned()));
        assert!(GO.replace("c74f20a3", "c74f20a4").parse::<VerifierKey>().is_err());
    }

    #[test]
    fn a_checkpoint_is_opened_by_its_key_alone() {
        let (one, two) =
            (SigningKey::new("a/b", &[1; 32]).unwrap(), SigningKey::new("a/b", &[2; 32]).unwrap());
        let checkpoint = Checkpoint { origin: "a/b".into(), size: 12, root: [7; 32] };
        let note = checkpoint.sign(&[&one]);
        assert_eq!(Checkpoint::open(&note, one.verifier()), Ok(checkpoint.clone()));
        assert!(matches!(Checkpoint::open(&note, two.verifier()), Err(LogError::OtherKey(_))));
        let both = checkpoint.sign(&[&one, &two]);
        assert!(both.starts_with(&note));
        assert_eq!(Checkpoint::open(&both, two.verifier()), Ok(checkpoint.clone()));
        for changed in [note.replace("12", "13"), note.replace("a/b\n12", "a/c\n12")] {
            assert!(matches!(Checkpoint::open(&changed, one.verifier()), Err(LogError::Signature(_))));
        }
        for cut in 0..note.len() {
            assert!(!note.is_char_boundary(cut) || Checkpoint::open(&note[..cut], one.verifier()).is_err());
        }
        let other = SigningKey::new("c", &[1; 32]).unwrap();
        let foreign = checkpoint.sign(&[&other]);
        assert!(Checkpoint::open(&foreign, other.verifier()).is_err(), "the key of another log");
        let again: SigningKey = one.to_secret_text().parse().unwrap();
        assert_eq!(again.verifier(), one.verifier());
        assert!(!format!("{one:?}").contains("PRIVATE"));
    }
}
