//! Checks the log against receipts and checkpoints that were kept outside. Only this finds a log that was rewritten by
//! someone with the key, or rolled back.

use super::{Log, LoggedKey};
use crate::log::{Anchor, Checkpoint, Hash, Receipt, node_hash, root_of};
use crate::sqlite::log::Head;
use crate::verify::{Finding, damage};

pub(super) fn check(log: &Log, head: Option<&Head>, anchors: &[Anchor], found: &mut dyn FnMut(Finding)) {
    for anchor in anchors {
        let name = &anchor.name;
        match anchor.open(log.keys.iter().map(|logged| &logged.key)) {
            Err(error) => found(damage(None, format!("{name} proves nothing: {error}"))),
            Ok((kept, place)) => {
                if let Some(LoggedKey { event, .. }) =
                    log.keys[place + 1..].iter().find(|later| !later.is_handed_over)
                {
                    let message = format!(
                        "{name}: event {event} replaced the key that signed it, and this key did not agree: nothing \
                        shows who wrote the events from there on"
                    );
                    found(damage(None, message));
                }
                if let Some(message) = contradiction(log, head, anchor, &kept) {
                    found(damage(None, format!("{name}: {message}")));
                }
            }
        }
    }
}

/// What the log contradicts of a kept head.
fn contradiction(log: &Log, head: Option<&Head>, anchor: &Anchor, kept: &Checkpoint) -> Option<String> {
    let heads = || {
        let now = head.map_or("", |head| &head.checkpoint);
        format!("the head that was kept:\n{}the head of the archive:\n{now}", anchor.checkpoint)
    };
    let size = kept.size;
    if size > log.size {
        let now = log.size;
        let lost = format!("the log had {size} events and has {now}: it was rolled back or cut off");
        return Some(format!("{lost}; {}", heads()));
    }
    let leaves = &log.hashes[..usize::try_from(size).unwrap_or(usize::MAX)];
    if subtree(leaves) == kept.root {
        return None;
    }
    let place = anchor.receipt.as_ref().map_or_else(String::new, |receipt| differing(leaves, receipt));
    Some(format!("the first {size} events of the log are not those that were signed{place}; {}", heads()))
}

/// The events that differ from a receipt, as narrowly as its proof shows.
fn differing(leaves: &[Hash], receipt: &Receipt) -> String {
    let index = usize::try_from(receipt.index).unwrap_or(usize::MAX);
    let mut places = Vec::new();
    if leaves[index] != receipt.leaf_digest() {
        places.push(format!("event {index}"));
    }
    // From the leaf to the root; each hash of the proof stands for the events beside the way.
    let ways = siblings(index, 0, leaves.len());
    for ((first, end), hash) in ways.into_iter().zip(&receipt.path) {
        if subtree(&leaves[first..end]) != *hash {
            places.push(match end - first {
                1 => format!("event {first}"),
                _ => format!("events {first} to {}", end - 1),
            });
        }
    }
    format!(": {} differ", places.join(", "))
}

/// The ranges of leaves beside the way from a leaf to the root.
fn siblings(leaf: usize, first: usize, end: usize) -> Vec<(usize, usize)> {
    if end - first <= 1 {
        return Vec::new();
    }
    let middle = first + (end - first).next_power_of_two() / 2;
    let (mut ways, sibling) = match leaf < middle {
        true => (siblings(leaf, first, middle), (middle, end)),
        false => (siblings(leaf, middle, end), (first, middle)),
    };
    ways.push(sibling);
    ways
}

/// The root over some leaves.
fn subtree(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => root_of(&[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            node_hash(&subtree(left), &subtree(right))
        }
    }
}
