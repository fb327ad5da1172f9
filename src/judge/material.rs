//! Dead positions by material (COM-7).

use crate::board::Mask;
use crate::position::Position;

/// True if neither player can mate by any series of moves, as far as the material shows: kings alone, one minor
/// piece beside them, or bishops all on one colour. Reserves and hands count as material.
#[inline(always)]
pub fn is_dead<M: Mask>(position: &Position<M>) -> bool {
    // Almost every position is decided here: a pawn, a rook or a queen is left.
    let (rules, state) = (position.rules(), position.state());
    !rules.majors.kinds().any(|kind| state.of_kind(kind).any()) && is_dead_of_minors(position)
}

/// [`is_dead`] where there are kings and minor pieces alone.
#[cold]
fn is_dead_of_minors<M: Mask>(position: &Position<M>) -> bool {
    let (rules, state) = (position.rules(), position.state());
    let others = state.occupied() & !state.of_kind(rules.king);
    if state.real_kings(rules).count() < 2 {
        return false;
    }
    let stocks = crate::board::Owner::REAL
        .iter()
        .flat_map(|&owner| state.reserve(owner).iter().chain(state.hand(owner)));
    if stocks.into_iter().any(|&n| n > 0) {
        return false;
    }
    let bishops = rules.bishops.kinds().fold(M::EMPTY, |all, kind| all | state.of_kind(kind));
    let dark = rules.geometry.dark();
    let one_colour =
        (others & !bishops).is_empty() && ((others & dark).is_empty() || (others & !dark).is_empty());
    others.is_empty() || others.is_single() || one_colour
}
