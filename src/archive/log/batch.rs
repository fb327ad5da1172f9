//! The leaves of one transaction, from which their receipts are made.

use super::leaf::Salt;
use super::receipt::Receipt;
use super::tree::{Growth, Hash, border};
use std::sync::Arc;

/// The leaves of one transaction with the signed head after it.
#[derive(Debug)]
pub(crate) struct Batch {
    tree: Growth,
    border: Vec<Hash>,
    leaves: Vec<(Vec<u8>, Salt)>,
    checkpoint: String,
}

impl Batch {
    /// The leaves by which a tree grew, with their salts.
    pub(crate) fn new(tree: Growth, leaves: Vec<(Vec<u8>, Salt)>, checkpoint: String) -> Batch {
        Batch { border: border(tree.size(), &tree.peaks()), tree, leaves, checkpoint }
    }
}

/// An event that was logged: the source of its receipt.
#[derive(Clone)]
pub struct Logged {
    batch: Arc<Batch>,
    event: u64,
}

impl Logged {
    pub(crate) fn new(batch: &Arc<Batch>, event: u64) -> Logged {
        Logged { batch: Arc::clone(batch), event }
    }

    fn leaf(&self) -> &(Vec<u8>, Salt) {
        &self.batch.leaves[usize::try_from(self.event - self.batch.tree.before()).unwrap_or(usize::MAX)]
    }

    /// The number of the event in the log, from 0.
    pub fn event(&self) -> u64 {
        self.event
    }

    /// The proof that it is in the log.
    pub fn receipt(&self) -> Receipt {
        Receipt {
            leaf: self.leaf().0.clone(),
            index: self.event,
            path: self.batch.tree.proof(self.event, &self.batch.border),
            checkpoint: self.batch.checkpoint.clone(),
        }
    }

    /// The salt of its commitments. It and the text together show that the leaf is about this text.
    pub fn salt(&self) -> [u8; 16] {
        self.leaf().1
    }
}

impl std::fmt::Debug for Logged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Logged").field(&self.event).finish()
    }
}

impl PartialEq for Logged {
    fn eq(&self, other: &Logged) -> bool {
        self.event == other.event && self.batch.checkpoint == other.batch.checkpoint
    }
}

impl Eq for Logged {}
