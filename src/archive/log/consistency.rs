//! Consistency proofs (RFC 6962, section 2.1.2): a tree has only grown.

use super::tree::{Hash, node_hash, root_of};

/// The longest proof: a tree has fewer than 2^63 leaves.
pub(crate) const PROOF_HASHES_MAX: usize = 63;

/// True if a proof shows that the tree of `size` with `root` begins with the tree of `old_size` with `old_root` (RFC
/// 9162, section 2.1.4.2).
pub(crate) fn has_grown(
    (old_size, old_root): (u64, &Hash),
    (size, root): (u64, &Hash),
    proof: &[Hash],
) -> bool {
    if old_size == 0 {
        return proof.is_empty() && *old_root == root_of(&[]) && (size > 0 || root == old_root);
    }
    if old_size >= size {
        return old_size == size && proof.is_empty() && old_root == root;
    }
    // The root of a complete old tree is left out of the proof.
    let (first, rest) = match (old_size.is_power_of_two(), proof.split_first()) {
        (true, _) => (old_root, proof),
        (false, Some((first, rest))) => (first, rest),
        (false, None) => return false,
    };
    let (mut number, mut last) = (old_size - 1, size - 1);
    while number & 1 == 1 {
        (number, last) = (number >> 1, last >> 1);
    }
    let (mut old, mut new) = (*first, *first);
    for hash in rest {
        if last == 0 {
            return false;
        }
        if number & 1 == 1 || number == last {
            (old, new) = (node_hash(hash, &old), node_hash(hash, &new));
            while number != 0 && number & 1 == 0 {
                (number, last) = (number >> 1, last >> 1);
            }
        } else {
            new = node_hash(&new, hash);
        }
        (number, last) = (number >> 1, last >> 1);
    }
    last == 0 && old == *old_root && new == *root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::leaf_hash;

    /// The root as RFC 6962 defines it.
    fn root(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => root_of(&[]),
            [leaf] => *leaf,
            _ => {
                let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
                node_hash(&root(left), &root(right))
            }
        }
    }

    /// The proof as RFC 6962 defines it: SUBPROOF(m, D[n], b).
    fn proof(old: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
        if old == leaves.len() {
            return if is_whole { Vec::new() } else { vec![root(leaves)] };
        }
        let middle = leaves.len().next_power_of_two() / 2;
        let (left, right) = leaves.split_at(middle);
        let (mut hashes, other) = match old <= middle {
            true => (proof(old, left, is_whole), root(right)),
            false => (proof(old - middle, right, false), root(left)),
        };
        hashes.push(other);
        hashes
    }

    #[test]
    fn proofs_show_growth_and_nothing_else() {
        let leaves: Vec<Hash> = (0..40_u8).map(|number| leaf_hash(&[number])).collect();
        for size in 0..=leaves.len() {
            let new = root(&leaves[..size]);
            for old_size in 0..=size {
                let old = root(&leaves[..old_size]);
                let hashes = if old_size == 0 { Vec::new() } else { proof(old_size, &leaves[..size], true) };
                let grown = |old: &Hash, new: &Hash, hashes: &[Hash]| {
                    has_grown((old_size as u64, old), (size as u64, new), hashes)
                };
                assert!(grown(&old, &new, &hashes), "{old_size} {size}");
                assert!(!grown(&[9; 32], &new, &hashes), "another old tree: {old_size} {size}");
                assert!(!grown(&old, &new, &[&hashes[..], &[new]].concat()), "too long: {old_size} {size}");
                if old_size > 0 {
                    assert!(!grown(&old, &[9; 32], &hashes), "another new tree: {old_size} {size}");
                }
                for at in 0..hashes.len() {
                    let mut changed = hashes.clone();
                    changed[at][at % 32] ^= 1;
                    assert!(!grown(&old, &new, &changed), "{old_size} {size} {at}");
                    assert!(!grown(&old, &new, &hashes[..at]), "cut: {old_size} {size} {at}");
                }
                // No proof shows that a tree has shrunk, or is of another size.
                if 0 < old_size && old_size < size {
                    assert!(!has_grown((size as u64, &new), (old_size as u64, &old), &hashes));
                    assert!(!has_grown((old_size as u64 + 1, &old), (size as u64, &new), &hashes));
                }
            }
        }
    }
}
