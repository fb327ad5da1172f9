//! The log of an archive as its users see it: head, tiles, receipts, key.

use super::Archive;
use super::error::ArchiveError;
use super::log::{Logged, Receipt, Tile};
use super::place::Place;

impl Archive {
    /// The signed head of the log.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn checkpoint(&self) -> Result<String, ArchiveError> {
        Ok(self.store().head()?.checkpoint)
    }

    /// The public key of the log, as a vkey.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn log_key(&self) -> Result<String, ArchiveError> {
        Ok(self.store().head()?.key)
    }

    /// The number of events in the log.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn log_size(&self) -> Result<u64, ArchiveError> {
        Ok(self.store().head()?.size)
    }

    /// A tile of the log: hashes one after another or, without a level, leaves, each with its length in two bytes.
    /// `None` if the log does not have all of it.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn tile(&self, tile: &Tile) -> Result<Option<Vec<u8>>, ArchiveError> {
        if tile.level.is_some() {
            return Ok(self.store().hashes(tile, self.limit())?.map(|hashes| hashes.concat()));
        }
        let Some((first, end)) = tile.range().filter(|_| tile.width > 0) else { return Ok(None) };
        if end > self.log_size()? {
            return Ok(None);
        }
        let mut bundle = Vec::new();
        for leaf in self.store().events(first, tile.width, self.limit())? {
            // Invariant: no leaf is longer than 60 KB.
            bundle.extend_from_slice(&u16::try_from(leaf.len()).unwrap_or(u16::MAX).to_be_bytes());
            bundle.extend_from_slice(&leaf);
        }
        Ok(Some(bundle))
    }

    /// The receipt of an event by its number, under the current head; `None` if there is no such event.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn receipt(&self, event: u64) -> Result<Option<Receipt>, ArchiveError> {
        let Some((path, checkpoint)) = self.store().proof(event, self.limit())? else { return Ok(None) };
        let leaf = self.store().events(event, 1, self.limit())?.pop();
        Ok(leaf.map(|leaf| Receipt { leaf, index: event, path, checkpoint }))
    }

    /// Replaces the signing key of an archive by a new one; returns the public key and the event, for a receipt. The
    /// old key signs the change, too, unless it is lost.
    ///
    /// # Errors
    /// If the old key is needed and missing, or nothing can be written.
    pub fn rotate_key(place: impl Into<Place>, is_lost: bool) -> Result<(String, Logged), ArchiveError> {
        place.into().rotate_key(is_lost)
    }
}
