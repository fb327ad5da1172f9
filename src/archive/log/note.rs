//! Keys, signed notes and checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint).

use super::error::LogError;
use super::tree::Hash;
use crate::identity::to_hex;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey as Secret, VerifyingKey as Public};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The byte that stands for Ed25519 in the keys of logs.
const ED25519: u8 = 1;

/// The byte that stands for Ed25519 in the keys of witnesses, whose signatures have a time.
pub(super) const COSIGNATURE: u8 = 4;

/// The longest note that is read, in bytes: a checkpoint with far more than 16 signatures.
const NOTE_BYTES_MAX: usize = 1 << 16;

/// The public key of a log.
pub type VerifierKey = PublicKey<ED25519>;

/// The private key of a log.
pub type SigningKey = PrivateKey<ED25519>;

/// The public key of a log or a witness, with its name. Its text is a vkey: `NAME+ID+KEY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey<const ALGORITHM: u8> {
    name: String,
    id: [u8; 4],
    key: Public,
}

/// The private key of a log or a witness. Its text is `PRIVATE+KEY+NAME+ID+KEY`, as in the Go module `sumdb/note`.
pub struct PrivateKey<const ALGORITHM: u8> {
    key: Secret,
    verifier: PublicKey<ALGORITHM>,
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

impl<const ALGORITHM: u8> PublicKey<ALGORITHM> {
    fn new(name: &str, key: Public) -> Result<PublicKey<ALGORITHM>, LogError> {
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+') {
            return Err(LogError::malformed("key", "its name is empty or contains a space or a `+`"));
        }
        let digest =
            Sha256::new().chain_update(name).chain_update([b'\n', ALGORITHM]).chain_update(key.as_bytes());
        let mut id = [0; 4];
        id.copy_from_slice(&digest.finalize()[..4]);
        Ok(PublicKey { name: name.to_owned(), id, key })
    }

    /// Its name: that of the log or the witness.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its identifier: 8 hexadecimal digits.
    pub fn id(&self) -> String {
        to_hex(&self.id)
    }

    /// Checks a signature of a text: 64 bytes in Base64, with or without the identifier of the key before them, or a
    /// signature line of a note.
    ///
    /// # Errors
    /// If it is not by this key, or not of this text.
    pub(crate) fn check_text(&self, text: &str, signature: &str) -> Result<(), LogError> {
        let wrong =
            || LogError::malformed("signature", "write 64 bytes in Base64, or the line of a signed note");
        let line = signature.trim();
        let written = line.rsplit_once(' ').map_or(line, |(_, written)| written);
        let bytes = STANDARD.decode(written).map_err(|_| wrong())?;
        let bytes = match bytes.strip_prefix(&self.id) {
            Some(after) if bytes.len() == 68 => after,
            _ => &bytes,
        };
        let signature = Signature::from_slice(bytes).map_err(|_| wrong())?;
        let verified = self.key.verify_strict(text.as_bytes(), &signature);
        verified.map_err(|_| LogError::Signature(self.to_string()))
    }

    /// Checks what a signature line has after the identifier, unless the line is by another key.
    ///
    /// # Errors
    /// If the signature is by this key and wrong.
    pub(super) fn check(&self, line: &Line<'_>, text: &str, signature: &[u8]) -> Result<bool, LogError> {
        // Signatures by unknown keys are ignored; one by the known key must be right.
        if line.name != self.name || line.id != self.id {
            return Ok(false);
        }
        let signature = Signature::from_slice(signature).map_err(|_| malformed_line())?;
        let verified = self.key.verify_strict(text.as_bytes(), &signature);
        verified.map(|()| true).map_err(|_| LogError::Signature(self.to_string()))
    }
}

impl<const ALGORITHM: u8> fmt::Display for PublicKey<ALGORITHM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = STANDARD.encode([&[ALGORITHM], &self.key.as_bytes()[..]].concat());
        write!(f, "{}+{}+{key}", self.name, self.id())
    }
}

impl<const ALGORITHM: u8> FromStr for PublicKey<ALGORITHM> {
    type Err = LogError;

    fn from_str(text: &str) -> Result<PublicKey<ALGORITHM>, LogError> {
        let (what, shows) = match ALGORITHM {
            COSIGNATURE => ("the Ed25519 key of a witness", "ferz witness key FILE"),
            _ => ("the Ed25519 key of a log", "GET /log/key"),
        };
        let wrong = |why: &str| LogError::malformed("key", format!("{why}; write it as `{shows}` shows it"));
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has not the form NAME+ID+KEY"));
        };
        let other = || wrong(&format!("it is not {what}"));
        let bytes = key_bytes(key, ALGORITHM).ok_or_else(other)?;
        let public = Public::from_bytes(&bytes).map_err(|_| other())?;
        let key = PublicKey::new(name, public)?;
        if key.id() == id { Ok(key) } else { Err(wrong("its id is not that of its name and bytes")) }
    }
}

/// The 32 bytes of a key in Base64, after the byte for its algorithm.
fn key_bytes(text: &str, algorithm: u8) -> Option<[u8; 32]> {
    match STANDARD.decode(text).ok()?.split_first()? {
        (first, bytes) if *first == algorithm => bytes.try_into().ok(),
        _ => None,
    }
}

impl<const ALGORITHM: u8> PrivateKey<ALGORITHM> {
    /// A key from 32 random bytes.
    ///
    /// # Errors
    /// If the name is empty or contains a space or a `+`.
    pub fn new(name: &str, seed: &[u8; 32]) -> Result<PrivateKey<ALGORITHM>, LogError> {
        let key = Secret::from_bytes(seed);
        let verifier = PublicKey::new(name, key.verifying_key())?;
        Ok(PrivateKey { key, verifier })
    }

    /// The public key.
    pub fn verifier(&self) -> &PublicKey<ALGORITHM> {
        &self.verifier
    }

    /// Its text, which is secret.
    pub fn to_secret_text(&self) -> String {
        let PublicKey { name, .. } = &self.verifier;
        let key = STANDARD.encode([&[ALGORITHM], &self.key.to_bytes()[..]].concat());
        format!("PRIVATE+KEY+{name}+{}+{key}", self.verifier.id())
    }

    /// The signature of a text, in Base64.
    pub fn sign_text(&self, text: &str) -> String {
        STANDARD.encode(self.key.sign(text.as_bytes()).to_bytes())
    }

    /// A signature line of a note: the identifier of the key, `before`, and the signature of `text`.
    pub(super) fn line(&self, before: &[u8], text: &str) -> String {
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let signature = STANDARD.encode([&self.verifier.id, before, &signature].concat());
        format!("\u{2014} {} {signature}\n", self.verifier.name)
    }
}

/// Shows no secret.
impl<const ALGORITHM: u8> fmt::Debug for PrivateKey<ALGORITHM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PrivateKey").field(&self.verifier).finish()
    }
}

impl<const ALGORITHM: u8> FromStr for PrivateKey<ALGORITHM> {
    type Err = LogError;

    fn from_str(text: &str) -> Result<PrivateKey<ALGORITHM>, LogError> {
        let wrong = |why: &str| LogError::malformed("signing key", why);
        let rest = text.trim().strip_prefix("PRIVATE+KEY+").ok_or_else(|| wrong("it begins otherwise"))?;
        let mut parts = rest.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has not the form PRIVATE+KEY+NAME+ID+KEY"));
        };
        let seed = key_bytes(key, ALGORITHM).ok_or_else(|| wrong("it is not an Ed25519 key of this kind"))?;
        let key = PrivateKey::new(name, &seed)?;
        if key.verifier.id() == id { Ok(key) } else { Err(wrong("its id is not that of its name and bytes")) }
    }
}

impl Checkpoint {
    /// The signed note.
    pub fn sign(&self, keys: &[&SigningKey]) -> String {
        self.sign_with("", keys)
    }

    /// The signed note with further lines.
    pub(super) fn sign_with(&self, further: &str, keys: &[&SigningKey]) -> String {
        let Checkpoint { origin, size, root } = self;
        let mut note = format!("{origin}\n{size}\n{}\n{further}", STANDARD.encode(root));
        let lines: String = keys.iter().map(|key| key.line(&[], &note)).collect();
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
        for line in lines(signatures) {
            let line = line?;
            is_signed |= key.check(&line, text, &line.signature)?;
        }
        let checkpoint = Checkpoint::read(note)?;
        if !is_signed || checkpoint.origin != key.name {
            return Err(LogError::OtherKey(key.to_string()));
        }
        Ok(checkpoint)
    }
}

/// A signature line of a note.
pub(super) struct Line<'n> {
    name: &'n str,
    id: [u8; 4],
    /// What follows the identifier of the key.
    pub(super) signature: Vec<u8>,
}

/// The signature lines of a note.
pub(super) fn lines(signatures: &str) -> impl Iterator<Item = Result<Line<'_>, LogError>> {
    signatures.lines().map(|line| read_line(line).ok_or_else(malformed_line))
}

fn read_line(line: &str) -> Option<Line<'_>> {
    let (name, signature) = line.strip_prefix("\u{2014} ")?.split_once(' ')?;
    let signature = STANDARD.decode(signature).ok()?;
    let (id, signature) = signature.split_first_chunk()?;
    Some(Line { name, id: *id, signature: signature.to_vec() })
}

pub(super) fn malformed_line() -> LogError {
    LogError::malformed("checkpoint", "a signature line is malformed")
}

/// The text of a note and its signature lines.
pub(super) fn split(note: &str) -> Result<(&str, &str), LogError> {
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
pub(crate) fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

/// A hash in Base64.
pub(crate) fn hash(text: &str) -> Option<Hash> {
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
