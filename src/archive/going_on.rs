//! Asks a service whether its log goes on from a signed head that someone kept: nothing under it was changed, dropped
//! or moved since. Few tiles suffice, whatever the size of the log.

use super::log::{
    Checkpoint, Hash, LogError, PROOF_HASHES_MAX, TILE_LEVELS, TILE_WIDTH, Tile, VerifierKey, complete_root,
    has_grown, node_hash,
};
use super::mirror::Fetch;
use std::collections::HashMap;

/// Why a service does not show that its log goes on from a head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotGoingOn {
    /// The service cannot be reached, or does not answer as a log does.
    #[error("{0}")]
    Fetch(String),
    /// The head that the service shows is not signed by the key.
    #[error(
        "{0}; if the log has a new key, `ferz archive pull` with the key from before follows it to the new one"
    )]
    Key(LogError),
    /// The log is shorter than it was.
    #[error(
        "the log had {had} events and has {has}: it was rolled back, or the service shows an old head\nthe head that \
        was kept:\n{kept}\nthe head of the service:\n{shown}"
    )]
    Shorter {
        /// The events under the kept head.
        had: u64,
        /// The events of the log now.
        has: u64,
        /// The kept head.
        kept: String,
        /// The head that the service shows.
        shown: String,
    },
    /// The log has other events under the kept head: the two heads prove that it showed two histories.
    #[error(
        "the first {had} events of the log are not those that were signed\nthe head that was kept:\n{kept}\nthe head \
        of the service:\n{shown}"
    )]
    OtherHistory {
        /// The events under the kept head.
        had: u64,
        /// The kept head.
        kept: String,
        /// The head that the service shows.
        shown: String,
    },
}

/// The head of the log that a service shows, if it goes on from a kept one. `note` is the kept head as it was signed.
///
/// # Errors
/// If the service cannot be asked, or its log does not go on from the kept head.
pub fn going_on(
    old: &Checkpoint,
    note: &str,
    key: &VerifierKey,
    fetch: Fetch<'_>,
) -> Result<Checkpoint, NotGoingOn> {
    let shown = fetch("checkpoint").map_err(NotGoingOn::Fetch)?;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let new = Checkpoint::open(&shown, key).map_err(NotGoingOn::Key)?;
    let kept = || note.to_owned();
    if new.size < old.size {
        return Err(NotGoingOn::Shorter { had: old.size, has: new.size, kept: kept(), shown });
    }
    let mut tree = Tree { size: new.size, tiles: HashMap::new(), fetch };
    let proof = match old.size == 0 || old.size == new.size {
        true => Vec::new(),
        false => tree.proof(old.size, 0, new.size, true)?,
    };
    let is_short = proof.len() <= PROOF_HASHES_MAX;
    if is_short && has_grown((old.size, &old.root), (new.size, &new.root), &proof) {
        return Ok(new);
    }
    // Either the tiles are not those of the head that the service signed, or they are, and do not lead to the kept one.
    if new.size > 0 && tree.root(0, new.size)? != new.root {
        let why = "the service does not serve the tiles of the head that it signed; run it again";
        return Err(NotGoingOn::Fetch(why.to_owned()));
    }
    Err(NotGoingOn::OtherHistory { had: old.size, kept: kept(), shown })
}

/// The tree of a log as its service serves it.
struct Tree<'f> {
    size: u64,
    tiles: HashMap<(u32, u64), Vec<u8>>,
    fetch: Fetch<'f>,
}

impl Tree<'_> {
    /// The proof that the tree over the leaves from `first` to `end` begins with those up to `old` (RFC 6962, section
    /// 2.1.2).
    fn proof(&mut self, old: u64, first: u64, end: u64, is_whole: bool) -> Result<Vec<Hash>, NotGoingOn> {
        if old == end {
            return if is_whole { Ok(Vec::new()) } else { Ok(vec![self.root(first, end)?]) };
        }
        let middle = first + (end - first).next_power_of_two() / 2;
        let (mut hashes, other) = match old <= middle {
            true => (self.proof(old, first, middle, is_whole)?, self.root(middle, end)?),
            false => (self.proof(old, middle, end, false)?, self.root(first, middle)?),
        };
        hashes.push(other);
        Ok(hashes)
    }

    /// The root over the leaves from `first` to `end`, which is a node of the tree or at its right border.
    fn root(&mut self, first: u64, end: u64) -> Result<Hash, NotGoingOn> {
        let count = end - first;
        if count.is_power_of_two() {
            let level = count.trailing_zeros();
            return self.node(level, first >> level);
        }
        let middle = first + count.next_power_of_two() / 2;
        Ok(node_hash(&self.root(first, middle)?, &self.root(middle, end)?))
    }

    /// A complete node.
    fn node(&mut self, level: u32, number: u64) -> Result<Hash, NotGoingOn> {
        let (tile_level, below) = (level / TILE_LEVELS, level % TILE_LEVELS);
        let first = number << below;
        let tile = self.tile(tile_level, first / TILE_WIDTH)?;
        let start = usize::try_from(first % TILE_WIDTH).unwrap_or(usize::MAX);
        let hashes: Vec<Hash> = tile.as_chunks().0.iter().skip(start).take(1 << below).copied().collect();
        complete_root(hashes)
            .ok_or_else(|| NotGoingOn::Fetch("the service answered too small a tile".to_owned()))
    }

    /// A tile, as wide as the log has it.
    fn tile(&mut self, level: u32, number: u64) -> Result<&[u8], NotGoingOn> {
        if !self.tiles.contains_key(&(level, number)) {
            let width = ((self.size >> (TILE_LEVELS * level)) - number * TILE_WIDTH).min(TILE_WIDTH);
            let path = Tile { level: u8::try_from(level).ok(), number, width }.path();
            let bytes = (self.fetch)(&format!("tile/{path}")).map_err(NotGoingOn::Fetch)?;
            if bytes.len() as u64 != 32 * width {
                let found = bytes.len();
                let why = format!("the service answered {found} bytes for the tile {path} of {width} hashes");
                return Err(NotGoingOn::Fetch(why));
            }
            self.tiles.insert((level, number), bytes);
        }
        Ok(&self.tiles[&(level, number)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Growth, SigningKey, leaf_hash, root_of};

    /// A log with so many leaves, whose leaf `other` is another one, as a service serves it.
    fn served(size: u64, other: Option<u64>) -> (Vec<Hash>, String) {
        let key = key();
        let leaves: Vec<Hash> = (0..size)
            .map(|number| {
                leaf_hash(format!("{number}{}", if other == Some(number) { "!" } else { "" }).as_bytes())
            })
            .collect();
        let mut tree = Growth::new(0, &[]).unwrap();
        leaves.iter().for_each(|leaf| tree.push(*leaf));
        let head = Checkpoint { origin: "a/b".into(), size, root: root_of(&tree.peaks()) };
        (leaves, head.sign(&[&key]))
    }

    fn key() -> SigningKey {
        SigningKey::new("a/b", &[1; 32]).unwrap()
    }

    fn fetched(leaves: &[Hash], head: &str, path: &str) -> Result<Vec<u8>, String> {
        if path == "checkpoint" {
            return Ok(head.as_bytes().to_vec());
        }
        let tile = Tile::from_path(path.strip_prefix("tile/").unwrap()).ok_or("no path")?;
        let mut hashes = leaves.to_vec();
        for _ in 0..TILE_LEVELS * u32::from(tile.level.unwrap()) {
            hashes = hashes.chunks_exact(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
        }
        let (first, end) = tile.range().unwrap();
        let hashes = hashes.get(first as usize..end as usize).ok_or("no such tile")?;
        Ok(hashes.concat())
    }

    fn ask(old: (&[Hash], &str), leaves: &[Hash], head: &str) -> Result<u64, NotGoingOn> {
        let key = key();
        let kept = Checkpoint::open(old.1, key.verifier()).unwrap();
        let fetch = &mut |path: &str| fetched(leaves, head, path);
        going_on(&kept, old.1, key.verifier(), fetch).map(|head| head.size)
    }

    #[test]
    fn a_log_that_has_only_grown_goes_on() {
        let sizes = [1, 2, 3, 7, 8, 255, 256, 257, 300, 512, 700];
        for old in sizes {
            let (old_leaves, old_head) = served(old, None);
            for new in sizes {
                let (leaves, head) = served(new, None);
                let found = ask((&old_leaves, &old_head), &leaves, &head);
                match new < old {
                    true => assert!(matches!(found, Err(NotGoingOn::Shorter { .. })), "{old} {new}"),
                    false => assert_eq!(found, Ok(new), "{old}"),
                }
            }
        }
    }

    #[test]
    fn another_history_is_found() {
        for (old, new, other) in
            [(1, 1, 0), (5, 5, 4), (5, 9, 0), (256, 700, 255), (300, 700, 299), (700, 701, 3)]
        {
            let (old_leaves, old_head) = served(old, None);
            let (leaves, head) = served(new, Some(other));
            let found = ask((&old_leaves, &old_head), &leaves, &head);
            assert!(matches!(found, Err(NotGoingOn::OtherHistory { .. })), "{old} {new} {other}: {found:?}");
            // The tiles of another log than the one that is signed.
            let (whole, _) = served(new, None);
            let found = ask((&old_leaves, &old_head), &whole, &head);
            assert!(
                matches!(found, Err(NotGoingOn::Fetch(_) | NotGoingOn::OtherHistory { .. })),
                "{found:?}"
            );
        }
        // A leaf after the kept head may be any.
        let (old_leaves, old_head) = served(300, None);
        let (leaves, head) = served(700, Some(300));
        assert_eq!(ask((&old_leaves, &old_head), &leaves, &head), Ok(700));
        // Tiles of the wrong width, a head by another key.
        let strange = ask((&old_leaves, &old_head), &leaves[..299], &head);
        assert!(matches!(strange, Err(NotGoingOn::Fetch(_))), "{strange:?}");
        let thief = SigningKey::new("a/b", &[2; 32]).unwrap();
        let signed = Checkpoint::open(&head, key().verifier()).unwrap().sign(&[&thief]);
        assert!(matches!(ask((&old_leaves, &old_head), &leaves, &signed), Err(NotGoingOn::Key(_))));
    }
}
