//! The hash tree of RFC 6962, section 2.1.

use sha2::{Digest, Sha256};

/// A hash of the tree: SHA-256.
pub type Hash = [u8; 32];

/// The roots of the largest complete subtrees of a tree, from left to right. They are all that is needed to append.
pub(crate) type Peaks = Vec<Hash>;

/// The hash of a leaf.
pub(crate) fn leaf_hash(leaf: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(leaf).finalize().into()
}

/// The hash of an inner node.
pub(crate) fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The root over hashes of one level, as many as a power of two; `None` over none.
pub(crate) fn complete_root(mut hashes: Vec<Hash>) -> Option<Hash> {
    while hashes.len() > 1 {
        hashes = hashes.chunks_exact(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
    }
    hashes.pop()
}

/// The root of the tree with these peaks.
pub(crate) fn root_of(peaks: &[Hash]) -> Hash {
    let mut from_right = peaks.iter().rev();
    match from_right.next() {
        Some(last) => from_right.fold(*last, |right, left| node_hash(left, &right)),
        None => Sha256::digest([]).into(),
    }
}

/// A tree that grows by the leaves of one transaction. It knows the peaks from before, and every node since.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    /// The size before the transaction.
    before: u64,
    size: u64,
    /// Complete nodes by level, each level from node [`first`](Self::first) on.
    levels: Vec<Vec<Hash>>,
}

impl Growth {
    /// A tree of this size that has not grown yet; `None` if the peaks are not those of a tree of this size.
    pub(crate) fn new(size: u64, peaks: &[Hash]) -> Option<Growth> {
        if peaks.len() != size.count_ones() as usize {
            return None;
        }
        let levels = (u64::BITS - size.leading_zeros()) as usize;
        let mut levels = vec![Vec::new(); levels];
        let mut next = peaks.iter().rev();
        for (level, nodes) in levels.iter_mut().enumerate() {
            if size >> level & 1 == 1 {
                nodes.extend(next.next());
            }
        }
        Some(Growth { before: size, size, levels })
    }

    /// The number of leaves.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The number of leaves before the transaction.
    pub(crate) fn before(&self) -> u64 {
        self.before
    }

    /// Appends a leaf.
    pub(crate) fn push(&mut self, leaf: Hash) {
        let (mut node, mut number, mut level) = (leaf, self.size, 0);
        loop {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let nodes = &mut self.levels[level];
            nodes.push(node);
            if number & 1 == 0 {
                break;
            }
            // Invariant: the left sibling of a complete node is complete, and known: it is new or a peak.
            node = node_hash(&nodes[nodes.len() - 2], &node);
            (number, level) = (number >> 1, level + 1);
        }
        self.size += 1;
    }

    /// The number of the first known node of a level.
    fn first(&self, level: usize) -> u64 {
        self.before.checked_shr(level as u32).unwrap_or(0) & !1
    }

    /// A node that is a peak from before, or new.
    fn node(&self, level: usize, number: u64) -> Hash {
        self.levels[level][usize::try_from(number - self.first(level)).unwrap_or(usize::MAX)]
    }

    /// The peaks.
    pub(crate) fn peaks(&self) -> Peaks {
        let levels = (0..self.levels.len()).rev().filter(|level| self.size >> level & 1 == 1);
        levels.map(|level| self.node(level, (self.size >> level) - 1)).collect()
    }

    /// The new complete nodes whose level is a multiple of `step`, above the leaves: level, number, hash.
    pub(crate) fn new_nodes(&self, step: usize) -> impl Iterator<Item = (usize, u64, Hash)> + '_ {
        (step..self.levels.len()).step_by(step).flat_map(move |level| {
            (self.before >> level..self.size >> level)
                .map(move |number| (level, number, self.node(level, number)))
        })
    }

    /// The inclusion proof of a new leaf, from its sibling to the root's child.
    pub(crate) fn proof(&self, leaf: u64, border: &[Hash]) -> Vec<Hash> {
        path(leaf, self.size, border, |level, number| Some(self.node(level, number))).unwrap_or_default()
    }
}

/// The rightmost nodes of a tree that are not complete, by level. The proofs of leaves need them.
pub(crate) fn border(size: u64, peaks: &[Hash]) -> Vec<Hash> {
    let levels = u64::BITS - size.leading_zeros();
    let incomplete = |level: u32| (size & ((1 << level) - 1)).count_ones() as usize;
    (0..levels).map(|level| root_of(&peaks[peaks.len() - incomplete(level)..])).collect()
}

/// The inclusion proof of a leaf in a tree of `size`, from complete nodes and the right border; `None` if a node is
/// missing.
pub(crate) fn path(
    leaf: u64,
    size: u64,
    border: &[Hash],
    mut node: impl FnMut(usize, u64) -> Option<Hash>,
) -> Option<Vec<Hash>> {
    let (mut number, mut last, mut level) = (leaf, size.checked_sub(1)?, 0);
    let mut path = Vec::new();
    while last > 0 {
        if number & 1 == 1 {
            path.push(node(level, number - 1)?);
        } else if number < last {
            let is_complete = number + 1 < size >> level;
            path.push(if is_complete { node(level, number + 1)? } else { *border.get(level)? });
        }
        (number, last, level) = (number >> 1, last >> 1, level + 1);
    }
    Some(path)
}

/// The root that an inclusion proof leads to; `None` if it has too few or too many hashes.
pub(crate) fn root_by_path(hash: Hash, leaf: u64, size: u64, path: &[Hash]) -> Option<Hash> {
    if leaf >= size {
        return None;
    }
    let (mut number, mut last, mut root) = (leaf, size - 1, hash);
    let mut siblings = path.iter();
    while last > 0 {
        if number & 1 == 1 {
            root = node_hash(siblings.next()?, &root);
        } else if number < last {
            root = node_hash(&root, siblings.next()?);
        }
        (number, last) = (number >> 1, last >> 1);
    }
    siblings.next().is_none().then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition of RFC 6962, word for word.
    fn defined(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Sha256::digest([]).into(),
            [leaf] => *leaf,
            _ => {
                let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
                node_hash(&defined(left), &defined(right))
            }
        }
    }

    /// The path of RFC 6962, word for word.
    fn defined_path(leaf: usize, leaves: &[Hash]) -> Vec<Hash> {
        if leaves.len() <= 1 {
            return Vec::new();
        }
        let middle = leaves.len().next_power_of_two() / 2;
        let (left, right) = leaves.split_at(middle);
        if leaf < middle {
            [defined_path(leaf, left), vec![defined(right)]].concat()
        } else {
            [defined_path(leaf - middle, right), vec![defined(left)]].concat()
        }
    }

    #[test]
    fn roots_and_proofs_are_those_of_the_definition() {
        let leaves: Vec<Hash> = (0..70u8).map(|byte| leaf_hash(&[byte])).collect();
        for before in 0..40usize {
            let mut first = Growth::new(0, &[]).unwrap();
            leaves[..before].iter().for_each(|leaf| first.push(*leaf));
            assert_eq!(root_of(&first.peaks()), defined(&leaves[..before]));
            for size in before..leaves.len() {
                let mut tree = Growth::new(before as u64, &first.peaks()).unwrap();
                leaves[before..size].iter().for_each(|leaf| tree.push(*leaf));
                let root = defined(&leaves[..size]);
                assert_eq!(root_of(&tree.peaks()), root, "{before} {size}");
                let border = border(size as u64, &tree.peaks());
                for leaf in before..size {
                    let proof = tree.proof(leaf as u64, &border);
                    assert_eq!(proof, defined_path(leaf, &leaves[..size]), "{before} {size} {leaf}");
                    let root_by = |hash, number, path: &[Hash]| root_by_path(hash, number, size as u64, path);
                    assert_eq!(root_by(leaves[leaf], leaf as u64, &proof), Some(root));
                    assert_ne!(root_by(leaf_hash(b"other"), leaf as u64, &proof), Some(root));
                    assert_ne!(root_by(leaves[leaf], leaf as u64 + 1, &proof), Some(root));
                    let longer = [&proof[..], &[root]].concat();
                    assert_eq!(root_by(leaves[leaf], leaf as u64, &longer), None);
                }
                for (level, number, hash) in tree.new_nodes(2) {
                    let width = 1 << level;
                    let start = usize::try_from(number).unwrap() * width;
                    assert_eq!(hash, defined(&leaves[start..start + width]));
                    assert!(start + width > before);
                }
            }
        }
        assert!(Growth::new(3, &[[0; 32]]).is_none());
    }

    /// The values that RFC 6962 programs agree on.
    #[test]
    fn known_hashes() {
        let hex = |hash: Hash| crate::identity::to_hex(&hash);
        assert_eq!(hex(root_of(&[])), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(leaf_hash(b"")), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    }
}
