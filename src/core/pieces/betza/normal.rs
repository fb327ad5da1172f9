//! The normal form of a set of movers: equal moves, equal list.

use super::mover::Mover;
use std::collections::BTreeSet;

/// Each mover once, sorted, without those that another one covers. Moving and capturing along the same steps is one
/// mover with both modes.
///
/// Modes are split first, so that `mRcR`, `R` and `RcW` come out alike. Covering is a partial order, so the result does
/// not depend on the order of the input.
pub(super) fn normal(movers: Vec<Mover>) -> Vec<Mover> {
    let single: BTreeSet<Mover> = movers.into_iter().flat_map(modes).collect();
    let kept: BTreeSet<Mover> =
        single.iter().filter(|m| !single.iter().any(|o| o != *m && o.covers(m))).copied().collect();
    let merged: BTreeSet<Mover> = kept.iter().map(|m| merge(m, &kept)).collect();
    merged.into_iter().collect()
}

/// Splits the mover into one that only moves and one that only captures.
fn modes(mover: Mover) -> impl Iterator<Item = Mover> {
    let moving = mover.moves.then_some(Mover { captures: false, ..mover });
    let capturing = mover.captures.then_some(Mover { moves: false, ..mover });
    moving.into_iter().chain(capturing)
}

/// The mover with both modes if the other mode is in the set too.
fn merge(mover: &Mover, set: &BTreeSet<Mover>) -> Mover {
    let other = Mover { moves: !mover.moves, captures: !mover.captures, ..*mover };
    if set.contains(&other) { Mover { moves: true, captures: true, ..*mover } } else { *mover }
}
