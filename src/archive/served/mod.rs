//! The tree of a log as its service serves it, below a signed head. Every tile is checked against the head before it is
//! used, so that a service can waste no more than one tile of the time and memory of one who asks.

use super::log::{
    Checkpoint, Hash, PROOF_HASHES_MAX, TILE_LEVELS, TILE_WIDTH, Tile, complete_root, has_grown, node_hash,
    root_of,
};
use super::mirror::Fetch;

/// Leaves of a tree: a proof has at most one hash for each level above them.
const LEAVES_MAX: u64 = 1 << PROOF_HASHES_MAX;

/// Levels of tiles of such a tree.
const LEVELS_MAX: u32 = 8;

/// What is said of a service whose tiles do not lead to its head.
const OTHER_TREE: &str = "the service does not serve the tiles of the head that it signed; run it again";

/// The tree under a head. Its errors say why the service does not show it.
pub(super) struct ServedTree<'f> {
    size: u64,
    root: Hash,
    levels: Vec<Level>,
    fetch: Fetch<'f>,
}

/// The tiles of one level that are at hand.
#[derive(Default)]
struct Level {
    /// The last tile, if it is not full. These tiles of all levels give the root.
    border: Vec<Hash>,
    /// The full tile that was asked for last, with its number.
    full: Option<(u64, Vec<Hash>)>,
}

impl<'f> ServedTree<'f> {
    /// The tree under a head, after its right border was fetched and found to have the root of the head.
    pub(super) fn new(head: &Checkpoint, fetch: Fetch<'f>) -> Result<ServedTree<'f>, String> {
        if head.size >= LEAVES_MAX {
            return Err(format!("no log has {} events", head.size));
        }
        let mut tree = ServedTree { size: head.size, root: head.root, levels: Vec::new(), fetch };
        let mut peaks = Vec::new();
        for level in 0..LEVELS_MAX {
            let count = head.size >> (TILE_LEVELS * level);
            let border = match count % TILE_WIDTH {
                0 => Vec::new(),
                width => tree.fetched(level, count / TILE_WIDTH, width)?,
            };
            peaks.splice(0..0, peaks_of(&border));
            tree.levels.push(Level { border, full: None });
        }
        if root_of(&peaks) == head.root { Ok(tree) } else { Err(OTHER_TREE.to_owned()) }
    }

    /// True if the tree begins with the tree that has this size and root, which is not larger.
    pub(super) fn begins_with(&mut self, size: u64, root: &Hash) -> Result<bool, String> {
        let proof = match size == 0 || size == self.size {
            true => Vec::new(),
            false => self.proof(size, 0, self.size, true)?,
        };
        Ok(has_grown((size, root), (self.size, &self.root), &proof))
    }

    /// True if these are the hashes of all leaves in a tile of leaves.
    pub(super) fn has_leaves(&mut self, number: u64, hashes: &[Hash]) -> Result<bool, String> {
        if self.width(0, number) < TILE_WIDTH {
            return Ok(self.tile(0, number)? == hashes);
        }
        let is_full = hashes.len() as u64 == TILE_WIDTH;
        Ok(is_full && complete_root(hashes.to_vec()) == Some(self.hash(1, number)?))
    }

    /// The number of the first leaf that is not that of another log, if there is one among so many.
    pub(super) fn first_difference(&mut self, others: &[Hash]) -> Result<Option<u64>, String> {
        for (number, others) in (0..).zip(others.chunks(1 << TILE_LEVELS)) {
            if self.width(0, number) == TILE_WIDTH && self.has_leaves(number, others)? {
                continue;
            }
            let own = self.tile(0, number)?;
            if let Some(place) = others.iter().zip(own).position(|(other, own)| other != own) {
                return Ok(Some(number * TILE_WIDTH + place as u64));
            }
        }
        Ok(None)
    }

    /// The proof that the tree over the leaves from `first` to `end` begins with those up to `old` (RFC 6962, section
    /// 2.1.2).
    fn proof(&mut self, old: u64, first: u64, end: u64, is_whole: bool) -> Result<Vec<Hash>, String> {
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
    fn root(&mut self, first: u64, end: u64) -> Result<Hash, String> {
        let count = end - first;
        if count.is_power_of_two() {
            let level = count.trailing_zeros();
            return self.node(level, first >> level);
        }
        let middle = first + count.next_power_of_two() / 2;
        Ok(node_hash(&self.root(first, middle)?, &self.root(middle, end)?))
    }

    /// A complete node.
    fn node(&mut self, level: u32, number: u64) -> Result<Hash, String> {
        let (tile_level, below) = (level / TILE_LEVELS, level % TILE_LEVELS);
        let first = number << below;
        let tile = self.tile(tile_level, first / TILE_WIDTH)?;
        let start = usize::try_from(first % TILE_WIDTH).unwrap_or(usize::MAX);
        let hashes = tile.get(start..start + (1 << below));
        hashes.and_then(|hashes| complete_root(hashes.to_vec())).ok_or_else(|| OTHER_TREE.to_owned())
    }

    /// A hash of a level of tiles.
    fn hash(&mut self, level: u32, number: u64) -> Result<Hash, String> {
        self.node(level * TILE_LEVELS, number)
    }

    /// How many hashes a tile has in this tree.
    fn width(&self, level: u32, number: u64) -> u64 {
        let count = self.size >> (TILE_LEVELS * level);
        count.saturating_sub(number.saturating_mul(TILE_WIDTH)).min(TILE_WIDTH)
    }

    /// A tile: of the border, or a full one that the hash above it confirms.
    fn tile(&mut self, level: u32, number: u64) -> Result<&[Hash], String> {
        let row = level as usize;
        if self.width(level, number) < TILE_WIDTH {
            return self.levels.get(row).map(|level| &*level.border).ok_or_else(|| OTHER_TREE.to_owned());
        }
        let is_at_hand = matches!(&self.levels[row].full, Some((at_hand, _)) if *at_hand == number);
        if !is_at_hand {
            let expected = self.hash(level + 1, number)?;
            let hashes = self.fetched(level, number, TILE_WIDTH)?;
            if complete_root(hashes.clone()) != Some(expected) {
                return Err(OTHER_TREE.to_owned());
            }
            self.levels[row].full = Some((number, hashes));
        }
        Ok(self.levels[row].full.as_ref().map_or(&[], |(_, hashes)| hashes))
    }

    /// A tile as the service answers it.
    fn fetched(&mut self, level: u32, number: u64, width: u64) -> Result<Vec<Hash>, String> {
        let path = Tile { level: u8::try_from(level).ok(), number, width }.path();
        let bytes = (self.fetch)(&format!("tile/{path}"))?;
        if bytes.len() as u64 != 32 * width {
            let found = bytes.len();
            return Err(format!("the service answered {found} bytes for the tile {path} of {width} hashes"));
        }
        Ok(bytes.as_chunks().0.to_vec())
    }

    /// Asks the service for something else.
    pub(super) fn fetch(&mut self, path: &str) -> Result<Vec<u8>, String> {
        (self.fetch)(path)
    }
}

/// The roots of the complete trees over some hashes, the largest first.
fn peaks_of(mut hashes: &[Hash]) -> Vec<Hash> {
    let mut peaks = Vec::new();
    while !hashes.is_empty() {
        let (complete, rest) = hashes.split_at(1 << hashes.len().ilog2());
        peaks.extend(complete_root(complete.to_vec()));
        hashes = rest;
    }
    peaks
}

#[cfg(test)]
pub(crate) mod tests;
