//! The log of an archive: every change is a leaf of a hash tree, whose head is signed.
//!
//! Leaves, tree, checkpoints and proofs are those of RFC 6962 and <https://c2sp.org>: `signed-note`, `tlog-checkpoint`,
//! `tlog-tiles` and `tlog-proof@v1`. `formats/ARCHIVE.md` says what they prove. Nothing here knows the database.

mod anchor;
mod batch;
mod consistency;
mod error;
mod handover;
mod leaf;
mod note;
mod receipt;
mod tile;
mod tree;
mod witness;

pub use anchor::Anchor;
pub(super) use batch::Batch;
pub use batch::Logged;
pub(super) use consistency::{PROOF_HASHES_MAX, has_grown};
pub use error::LogError;
pub(super) use handover::{current_key, is_key_leaf, next_key};
pub(super) use leaf::{
    ActFacts, Commitment, GameFacts, Kind, Leaf, Private, Salt, Salts, commitment, private_commitment, random,
};
pub use note::{Checkpoint, PrivateKey, PublicKey, SigningKey, VerifierKey};
pub(super) use note::{hash as decode_hash, number as decimal};
pub use receipt::Receipt;
pub use tile::Tile;
pub(super) use tile::{TILE_LEVELS, TILE_WIDTH};
pub use tree::Hash;
pub(super) use tree::{Growth, border, complete_root, leaf_hash, node_hash, path, root_of};
pub use witness::{WitnessKey, WitnessSigningKey};
