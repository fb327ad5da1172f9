//! Logs as services serve them.

use super::*;
use crate::log::{Growth, SigningKey, leaf_hash};

/// The leaf of a number, in a log whose leaf `other` is another one.
fn leaf(number: u64, other: Option<u64>) -> Vec<u8> {
    format!("{number}{}", if other == Some(number) { "!" } else { "" }).into_bytes()
}

/// The hashes of a log with so many leaves, whose leaf `other` is another one, and its signed head.
pub(crate) fn served(size: u64, other: Option<u64>) -> (Vec<Hash>, String) {
    let leaves: Vec<Hash> = (0..size).map(|number| leaf_hash(&leaf(number, other))).collect();
    let mut tree = Growth::new(0, &[]).unwrap();
    leaves.iter().for_each(|leaf| tree.push(*leaf));
    let head = Checkpoint { origin: "a/b".into(), size, root: root_of(&tree.peaks()) };
    (leaves, head.sign(&[&key()]))
}

pub(crate) fn key() -> SigningKey {
    SigningKey::new("a/b", &[1; 32]).unwrap()
}

/// What the service of a log with these hashes and this head answers; its leaves are those of [`served`].
pub(crate) fn fetched(leaves: &[Hash], head: &str, path: &str) -> Result<Vec<u8>, String> {
    if path == "checkpoint" {
        return Ok(head.as_bytes().to_vec());
    }
    let tile = Tile::from_path(path.strip_prefix("tile/").unwrap()).ok_or("no path")?;
    let (first, end) = tile.range().unwrap();
    let Some(level) = tile.level else {
        let entry = |number| {
            let plain = leaf(number, None);
            let is_plain = leaf_hash(&plain) == leaves[usize::try_from(number).unwrap()];
            let leaf = if is_plain { plain } else { leaf(number, Some(number)) };
            [&u16::try_from(leaf.len()).unwrap().to_be_bytes()[..], &leaf].concat()
        };
        return Ok((first..end).flat_map(entry).collect());
    };
    let mut hashes = leaves.to_vec();
    for _ in 0..TILE_LEVELS * u32::from(level) {
        hashes = hashes.chunks_exact(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
    }
    let hashes = hashes.get(first as usize..end as usize).ok_or("no such tile")?;
    Ok(hashes.concat())
}
