//! Finds a structure that no legal ply breaks.

use crate::certificate::{Invariant, Proof, Ranges, Supposed, excluding, not_covered};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;

/// A structure in which `by` cannot win, if the one that grows out of the position is one.
pub(super) fn invariant<M: Mask>(position: &Position<M>, by: Owner) -> Option<Proof> {
    let cases = excluding(position, by)?;
    let cases = cases.iter().map(|ranges| ranges.write(position.rules())).collect();
    Some(Proof::Invariant(Invariant { cases }))
}

/// The structure that grows out of the position, in games that have some.
pub(super) fn structure<M: Mask>(position: &Position<M>, by: Owner) -> Option<Ranges<M>> {
    if not_covered(position).is_some() {
        return None;
    }
    let mut ranges = Ranges::start(position, Supposed::NOTHING);
    while ranges.grow(position, by) {}
    Some(ranges)
}
