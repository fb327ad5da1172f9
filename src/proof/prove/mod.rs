//! L7: proofs about what can still happen in a game: whether a player can still win, and forced results.
//!
//! Each search is bounded by a number of positions and a [`Budget`](ferz_core::text::Budget), and needs no clock. What
//! it finds is verified by [`crate::certificate`] before it decides anything.

mod best_first;
mod closure;
mod dice;
pub mod forced;
mod helpmate;
mod invariant;
pub mod plan;
mod shorten;
mod unwinnable;

pub use shorten::shortened;
pub use unwinnable::{Chance, Never, chance};
