//! Handovers: how the key of a log names the next one, so that a mirror that knows the old key can go on by itself.

use super::leaf::{Kind, Leaf};
use super::note::{Checkpoint, SigningKey, VerifierKey};
use super::tree::{Growth, Hash, root_of};

/// Begins the line of a handover that names the next key.
const NEXT: &str = "next-key ";

/// What only the leaf of a `key` event has: within a value, quotation marks are escaped.
const KEY_LEAF: &[u8] = b"\"kind\":\"key\"";

/// True for the leaf of a `key` event.
pub(crate) fn is_key_leaf(leaf: &[u8]) -> bool {
    leaf.windows(KEY_LEAF.len()).any(|bytes| bytes == KEY_LEAF)
}

impl Checkpoint {
    /// The signed note by which a key hands the log over to the next one: this head, before the event with the note,
    /// and a line that names the next key.
    pub(crate) fn hand_over(&self, from: &SigningKey, to: &VerifierKey) -> String {
        self.sign_with(&format!("{NEXT}{to}\n"), &[from])
    }
}

/// The next key, if a leaf at this place hands the log over from a key.
pub(crate) fn next_key(leaf: &[u8], place: &Checkpoint, key: &VerifierKey) -> Option<VerifierKey> {
    let leaf: Leaf<'_> = serde_json::from_slice(leaf).ok()?;
    let note = leaf.handover.filter(|_| leaf.kind == Kind::Key)?;
    let next: VerifierKey = leaf.vkey?.parse().ok()?;
    let signed = Checkpoint::open(&note, key).ok()?;
    let names_it = note.lines().nth(3) == Some(&format!("{NEXT}{next}"));
    (signed == *place && names_it && next.name() == key.name()).then_some(next)
}

/// The key that signs a log with these leaves, if `first` signed it before: each handover is signed by the key from
/// which it hands over. `key_leaves` are the `key` events with their numbers, in order.
pub(crate) fn current_key(
    first: &VerifierKey,
    hashes: &[Hash],
    key_leaves: &[(u64, Vec<u8>)],
) -> VerifierKey {
    let mut key = first.clone();
    let Some(mut tree) = Growth::new(0, &[]) else { return key };
    let mut hashes = hashes.iter();
    for (event, leaf) in key_leaves {
        while tree.size() < *event {
            let Some(hash) = hashes.next() else { return key };
            tree.push(*hash);
        }
        let place = Checkpoint { origin: key.name().to_owned(), size: *event, root: root_of(&tree.peaks()) };
        if let Some(next) = next_key(leaf, &place, &key) {
            key = next;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::leaf_hash;
    use std::borrow::Cow;

    fn key(seed: u8) -> SigningKey {
        SigningKey::new("a/b", &[seed; 32]).unwrap()
    }

    /// A log in which the first key hands over to the second before event 2, and that to the third before event 3.
    fn log(handovers: [Option<(&SigningKey, &SigningKey)>; 2]) -> (Vec<Hash>, Vec<(u64, Vec<u8>)>) {
        let mut leaves = vec![b"0".to_vec(), b"1".to_vec()];
        let mut key_leaves = Vec::new();
        for (from, to) in handovers.into_iter().flatten() {
            let mut tree = Growth::new(0, &[]).unwrap();
            leaves.iter().for_each(|leaf| tree.push(leaf_hash(leaf)));
            let (size, root) = (tree.size(), root_of(&tree.peaks()));
            let note = Checkpoint { origin: "a/b".into(), size, root }.hand_over(from, to.verifier());
            let (vkey, handover) = (to.verifier().to_string(), Some(Cow::Borrowed(&*note)));
            let leaf = Leaf { vkey: Some(vkey.into()), handover, ..Leaf::new(Kind::Key, "a/b", "now") };
            leaves.push(leaf.bytes().unwrap());
            key_leaves.push((size, leaves.last().unwrap().clone()));
        }
        (leaves.iter().map(|leaf| leaf_hash(leaf)).collect(), key_leaves)
    }

    #[test]
    fn a_key_is_followed_by_the_ones_that_it_names() {
        let [one, two, three, thief] = [1, 2, 3, 4].map(key);
        let follow = |from: &SigningKey, (hashes, key_leaves): &(Vec<Hash>, Vec<(u64, Vec<u8>)>)| {
            current_key(from.verifier(), hashes, key_leaves)
        };
        let whole = log([Some((&one, &two)), Some((&two, &three))]);
        assert!(whole.1.iter().all(|(_, leaf)| is_key_leaf(leaf)));
        assert_eq!((&follow(&one, &whole), &follow(&two, &whole)), (three.verifier(), three.verifier()));
        assert_eq!(&follow(&three, &whole), three.verifier());
        // A key that was not handed over to, and one that no longer signs.
        assert_eq!(&follow(&one, &log([Some((&thief, &thief)), None])), one.verifier());
        assert_eq!(&follow(&one, &log([Some((&one, &two)), Some((&one, &thief))])), two.verifier());
        // The same handover at another place, after other events, or naming another key.
        let (mut hashes, key_leaves) = log([Some((&one, &two)), None]);
        hashes[0] = leaf_hash(b"other");
        assert_eq!(&current_key(one.verifier(), &hashes, &key_leaves), one.verifier());
        let (hashes, mut key_leaves) = log([Some((&one, &two)), None]);
        key_leaves[0].0 = 1;
        assert_eq!(&current_key(one.verifier(), &hashes, &key_leaves), one.verifier());
        let (hashes, mut key_leaves) = log([Some((&one, &two)), None]);
        let (names, other) = (two.verifier().to_string(), thief.verifier().to_string());
        let leaf = String::from_utf8(key_leaves[0].1.clone()).unwrap();
        for changed in [leaf.replacen(&names, &other, 1), leaf.replace(&names, &other)] {
            key_leaves[0].1 = changed.into_bytes();
            assert_eq!(&current_key(one.verifier(), &hashes, &key_leaves), one.verifier());
        }
    }
}
