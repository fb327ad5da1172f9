//! Counts sequences of legal plies: the strictest test of move generation.
//!
//! Every ply counts as one, Nature's too. Ends that the position itself shows cut the tree (there is no play after
//! checkmate or on a king's square); draws by history do not.

use ferz_core::board::Mask;
use ferz_core::position::{Ply, Position};
use rayon::prelude::*;

/// Number of the sequences of `depth` legal plies from `position`; 1 for depth 0.
///
/// ```
/// use ferz_core::position::Position;
/// use ferz_core::rules::{AnyRules, Registry};
/// let rules = Registry::built_in().rules("chess", &|_| None).unwrap();
/// let AnyRules::Narrow(rules) = rules else { unreachable!("chess has 64 squares") };
/// assert_eq!(ferz_records::replay::perft::count(&Position::start(rules), 3), 8_902);
/// ```
pub fn count<M: Mask>(position: &Position<M>, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    count_below(&mut position.clone(), &mut buffers)
}

/// For each legal ply, in generation order, the number of sequences of `depth` plies that begin with it; empty for
/// depth 0. The work is shared among the threads of the current `rayon` pool.
pub fn divide<M: Mask>(position: &Position<M>, depth: u32) -> Vec<(Ply, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let counted = |ply: Ply| {
        let mut next = position.clone();
        next.apply(&ply);
        (ply, count(&next, below))
    };
    position.plies().into_par_iter().map(counted).collect()
}

/// Counts to the depth given by the number of buffers, one list of plies for each level.
fn count_below<M: Mask>(position: &mut Position<M>, buffers: &mut [Vec<Ply>]) -> u64 {
    let Some((buffer, deeper)) = buffers.split_first_mut() else { return 1 };
    if deeper.is_empty() {
        // The last plies are counted, not made.
        return position.count_plies();
    }
    let mut total = 0;
    let mut plies = std::mem::take(buffer);
    plies.clear();
    position.any_ply(|ply| {
        plies.push(*ply);
        false
    });
    for ply in &plies {
        let undo = position.apply_undoable(ply);
        total += count_below(position, deeper);
        position.undo(&undo);
    }
    *buffer = plies;
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::{AnyRules, Registry, Rules};
    use std::sync::Arc;

    fn rules(variant: &str) -> Arc<Rules<u64>> {
        match Registry::built_in().rules(variant, &|_| None).unwrap() {
            AnyRules::Narrow(rules) => rules,
            AnyRules::Wide(_) => panic!("{variant} has more than 64 squares"),
        }
    }

    fn start(variant: &str) -> Position<u64> {
        Position::start(rules(variant))
    }

    #[test]
    fn the_first_plies_of_chess() {
        let position = start("chess");
        let counts: Vec<u64> = (0..5).map(|depth| count(&position, depth)).collect();
        assert_eq!(counts, [1, 20, 400, 8_902, 197_281]);
    }

    #[test]
    fn the_parts_make_the_whole() {
        for variant in ["chess", "iago-b", "ingols", "chaos+ingols"] {
            let position = start(variant);
            for depth in 1..4 {
                let parts = divide(&position, depth);
                assert_eq!(parts.len(), position.plies().len(), "{variant}");
                assert_eq!(
                    parts.iter().map(|(_, n)| n).sum::<u64>(),
                    count(&position, depth),
                    "{variant} {depth}"
                );
            }
        }
        assert!(divide(&start("chess"), 0).is_empty());
    }

    /// A gate's square, a pin and a capture fell together in a count of its own.
    #[test]
    fn gates_and_pins_are_counted_as_they_are_generated() {
        let mut position = start("iago-b");
        for text in "b2b3 e7e6 a2a4 d7d5 e2e4 d5e4 f1e2c f8e7 f1e3 a7a5".split(' ') {
            let spelt = |ply: &Ply| {
                let mut spelling = String::new();
                ferz_core::notation::coord::write(position.rules(), ply, &mut spelling);
                spelling == text
            };
            let ply = position.plies().into_iter().find(spelt).unwrap_or_else(|| panic!("{text} is legal"));
            position.apply(&ply);
        }
        assert_eq!(count(&position, 3), 157_021);
    }

    #[test]
    fn a_position_without_plies_has_no_children() {
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let position = Position::from_fen(rules("chess"), mated).unwrap();
        assert_eq!((count(&position, 0), count(&position, 1), count(&position, 2)), (1, 0, 0));
    }
}
