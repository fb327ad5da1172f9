//! Receipts: proofs that a leaf is in the log (c2sp.org/tlog-proof).

use super::error::LogError;
use super::leaf::{Kind, LEAF_BYTES_MAX, Leaf, commitment};
use super::note::{Checkpoint, VerifierKey, hash, number};
use super::tree::{Hash, leaf_hash, root_by_path};
use crate::identity::to_hex;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The first line.
const FIRST: &str = "c2sp.org/tlog-proof@v1";

/// A proof that a leaf is in the log: the leaf, its place in the tree, and a signed checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The leaf, byte for byte.
    pub leaf: Vec<u8>,
    /// The number of the leaf, from 0.
    pub index: u64,
    /// The hashes beside the way from the leaf to the root.
    pub path: Vec<Hash>,
    /// The checkpoint as it was signed.
    pub checkpoint: String,
}

impl Receipt {
    /// Checks the signature of the checkpoint and the place of the leaf in its tree.
    ///
    /// # Errors
    /// If either is wrong.
    pub fn verify(&self, key: &VerifierKey) -> Result<Checkpoint, LogError> {
        let checkpoint = Checkpoint::open(&self.checkpoint, key)?;
        self.leads_to(&checkpoint)?;
        Ok(checkpoint)
    }

    /// Checks the place of the leaf in the tree of a head whose signature was checked before: that of
    /// [`checkpoint`](Receipt::checkpoint). A signature takes longer than the proof, and many receipts can have
    /// the same.
    ///
    /// # Errors
    /// If the proof does not lead to its root.
    pub fn leads_to(&self, head: &Checkpoint) -> Result<(), LogError> {
        match root_by_path(leaf_hash(&self.leaf), self.index, head.size, &self.path) {
            Some(root) if root == head.root => Ok(()),
            _ => Err(LogError::Proof { index: self.index }),
        }
    }

    /// The events whose names, texts and salts this event deletes; none unless it forgets a game.
    pub fn forgets(&self) -> Vec<u64> {
        match serde_json::from_slice::<Leaf<'_>>(&self.leaf) {
            Ok(leaf) if leaf.kind == Kind::Forgotten => leaf.events,
            _ => Vec::new(),
        }
    }

    /// The kind of the event: `submission`, `withdrawal`, …; `None` for a leaf of another kind of log.
    pub fn kind(&self) -> Option<&'static str> {
        serde_json::from_slice::<Leaf<'_>>(&self.leaf).ok().map(|leaf| leaf.kind.name())
    }

    /// True if this is the receipt of a submission, and its leaf commits to this text under this salt.
    pub fn is_of(&self, text: &[u8], salt: &[u8; 16]) -> bool {
        let leaf: Option<Leaf<'_>> = serde_json::from_slice(&self.leaf).ok();
        let committed = leaf.and_then(|leaf| leaf.game).map(|game| game.text);
        committed == Some(commitment(salt, "text", &Sha256::digest(text).into()))
    }

    /// The hash of the leaf.
    pub(crate) fn leaf_digest(&self) -> Hash {
        leaf_hash(&self.leaf)
    }

    /// The hash of the leaf in hexadecimal digits.
    pub fn leaf_hash(&self) -> String {
        to_hex(&self.leaf_digest())
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FIRST}\nextra {}\nindex {}\n", STANDARD.encode(&self.leaf), self.index)?;
        for hash in &self.path {
            writeln!(f, "{}", STANDARD.encode(hash))?;
        }
        write!(f, "\n{}", self.checkpoint)
    }
}

impl FromStr for Receipt {
    type Err = LogError;

    fn from_str(text: &str) -> Result<Receipt, LogError> {
        let wrong = |why: &str| LogError::malformed("receipt", why);
        let (head, checkpoint) =
            text.split_once("\n\n").ok_or_else(|| wrong("it has no empty line before its checkpoint"))?;
        let mut lines = head.lines();
        if lines.next() != Some(FIRST) {
            return Err(wrong("its first line is not `c2sp.org/tlog-proof@v1`"));
        }
        let leaf = lines.next().and_then(|line| line.strip_prefix("extra "));
        let leaf = leaf.ok_or_else(|| wrong("its second line is not `extra` with the leaf"))?;
        let leaf = STANDARD.decode(leaf).map_err(|_| wrong("its leaf is not Base64"))?;
        if leaf.len() > LEAF_BYTES_MAX {
            return Err(wrong("its leaf is too long"));
        }
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).and_then(number);
        let index = index.ok_or_else(|| wrong("its third line is not `index` with a number"))?;
        let path: Option<Vec<Hash>> = lines.map(hash).collect();
        let path = path.filter(|path| path.len() <= 64);
        let path = path.ok_or_else(|| wrong("a line of its proof is not a hash"))?;
        Ok(Receipt { leaf, index, path, checkpoint: checkpoint.to_owned() })
    }
}
