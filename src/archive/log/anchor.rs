//! What was kept outside an archive: receipts and checkpoints, against which its log is checked.

use super::error::LogError;
use super::note::{Checkpoint, VerifierKey};
use super::receipt::Receipt;

/// A receipt or a checkpoint that was kept outside the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// What messages call it, such as its file.
    pub name: String,
    /// The signed checkpoint.
    pub checkpoint: String,
    /// The receipt, unless there is only a checkpoint.
    pub receipt: Option<Receipt>,
}

impl Anchor {
    /// Reads a receipt or a checkpoint.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn read(name: &str, text: &str) -> Result<Anchor, LogError> {
        let name = name.to_owned();
        if text.starts_with("c2sp.org/tlog-proof") {
            let receipt: Receipt = text.parse()?;
            return Ok(Anchor { name, checkpoint: receipt.checkpoint.clone(), receipt: Some(receipt) });
        }
        Checkpoint::read(text)?;
        Ok(Anchor { name, checkpoint: text.to_owned(), receipt: None })
    }

    /// The signed head, checked with the first of the keys that fits, and the place of this key.
    ///
    /// # Errors
    /// If none fits, or the proof is wrong.
    pub(crate) fn open<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k VerifierKey>,
    ) -> Result<(Checkpoint, usize), LogError> {
        let mut failed = None;
        let mut first = None;
        for (place, key) in keys.into_iter().enumerate() {
            first.get_or_insert(key);
            let opened = match &self.receipt {
                Some(receipt) => receipt.verify(key),
                None => Checkpoint::open(&self.checkpoint, key),
            };
            match opened {
                Ok(checkpoint) => return Ok((checkpoint, place)),
                Err(LogError::OtherKey(_)) => {}
                Err(error) => failed = Some(error),
            }
        }
        let other = || LogError::OtherKey(first.map_or_else(String::new, ToString::to_string));
        Err(failed.unwrap_or_else(other))
    }
}
