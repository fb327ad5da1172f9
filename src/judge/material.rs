//! Dead positions by material (COM-7).

use crate::board::Mask;
use crate::position::Position;

/// True if neither player can mate by any series of moves, as far as the material shows: kings alone, one minor
/// piece beside them, or bishops all on one colour. Reserves and hands count as material, and so does what a capture
/// would bring to hand: a bishop for squares of the other colour, a pawn for a piece that was one.
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
    if rules.promoted_revert && (others & state.promoted()).any() {
        return false;
    }
    let one_colour = !rules.captures_to_hand
        && (others & !bishops).is_empty()
        && ((others & dark).is_empty() || (others & !dark).is_empty());
    others.is_empty() || others.is_single() || one_colour
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    #[test]
    fn what_comes_to_hand_counts() {
        for (game, fen, dead) in [
            ("chess", "8/6k1/8/8/5B2/8/3b4/K7 w - - 0 1", true),
            ("chess", "8/6k1/8/8/5B2/8/4b3/K7 w - - 0 1", false),
            ("crazyhouse", "8/6k1/8/8/8/8/3b4/K7[] w - - 0 1", true),
            ("crazyhouse", "8/6k1/8/8/5N2/8/8/K7[] w - - 0 1", true),
            ("crazyhouse", "8/6k1/8/8/8/8/3b4/K7[N] w - - 0 1", false),
            // A bishop that is captured may come back on the other colour, a promoted piece as a pawn.
            ("crazyhouse", "8/6k1/8/8/5B2/8/3b4/K7[] w - - 0 1", false),
            ("crazyhouse", "8/6k1/8/8/5N~2/8/8/K7[] w - - 0 1", false),
            ("ichess", "8/6k1/8/8/5B2/8/3b4/K7[] w - - 0 1", false),
        ] {
            let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules(game, &|_| None) else {
                panic!("{game}")
            };
            let position = Position::from_fen(rules, fen).expect("a position");
            assert_eq!(is_dead(&position), dead, "{game}: {fen}");
        }
    }
}
