//! Finds a structure that no legal ply breaks.

use crate::certificate::{Proof, Ranges, not_covered};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;

/// A structure in which `by` cannot win, if the one that grows out of the position is one.
pub(super) fn invariant<M: Mask>(position: &Position<M>, by: Owner) -> Option<Proof> {
    if not_covered(position).is_some() {
        return None;
    }
    let mut ranges = Ranges::start(position);
    while ranges.grow(position, by) {}
    (!ranges.may_win(position, by)).then(|| Proof::Invariant(ranges.write(position.rules())))
}
