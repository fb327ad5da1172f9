//! The most common ply, found, tested and made at once.
//!
//! Resolving a step, testing it and making it ask the same things of a position: who stands where, which line leads
//! to a king. Where the rules have nothing special ([`steps_plainly`]), all of it is done here in one pass over a few
//! masks. Whatever is not plain is left, untouched, to the code for every rule; a law compares the two.
//!
//! [`steps_plainly`]: crate::rules::Rules::steps_plainly

use super::{Ply, Position};
use crate::board::{Mask, Square};
use crate::rules::moves::connects;
use crate::rules::{KindId, Piece};

impl<M: Mask> Position<M> {
    /// Makes the only step of the player on move that brings a piece of a kind from one of the squares `within` to
    /// `to`, capturing there or not, if that is certainly legal and promotes nothing. Returns the square it came from;
    /// `None`, and nothing has changed, if there is no such step, more than one, or more to ask.
    // On its own, so that its registers are not those of its caller.
    #[inline(never)]
    pub fn step_plainly(&mut self, kind: KindId, to: Square, captures: bool, within: M) -> Option<Square> {
        let rules = &*self.rules;
        let state = &mut self.state;
        let mover = state.status().turn;
        let enemy = mover.opponent();
        let occupied = state.occupied();
        let unusual = !rules.steps_plainly || state.status().in_check;
        if unusual || occupied.has(to) != captures || rules.promotion[mover].zones[kind.slot()].has(to) {
            return None;
        }
        let table = rules.moves[mover].origins(kind.index(), to, captures);
        let mut left = table.any & state.pieces(mover, kind) & within;
        let mut from = Square::NONE;
        while left.any() {
            let origin = left.lowest();
            left = left.without_lowest();
            if connects(&rules.geometry, table, origin, to, occupied) {
                if from != Square::NONE {
                    return None;
                }
                from = origin;
            }
        }
        let king = state.king(rules, mover);
        if from == Square::NONE || king == Square::NONE {
            return None;
        }
        let (source, target) = (M::bit(from), M::bit(to));
        let victim = if captures { state.piece(to) } else { None };
        if let Some(victim) = victim
            && (victim.owner != enemy || victim.kind == rules.king)
        {
            return None;
        }
        let attackers = state.owned(enemy) & !target;
        let after = occupied & !source | target;
        let is_safe = match kind == rules.king {
            true => state.is_safe_step(rules, mover, kind, from, to),
            false => !state.opens_line(rules, king, from, enemy, after, attackers),
        };
        if !is_safe {
            return None;
        }

        if let Some(victim) = victim {
            state.lift(to, victim);
        }
        state.shift_piece(from, to, Piece { owner: mover, kind });
        state.after_plain_step(rules, &Ply::step(mover, kind, from, to), captures);
        let theirs = state.king(rules, enemy);
        state.status.in_check = theirs != Square::NONE && {
            let origins = rules.moves[mover].origins(kind.index(), theirs, true);
            origins.any.has(to) & connects(&rules.geometry, origins, to, theirs, after)
                || state.opens_line(rules, theirs, from, mover, after, state.owned(mover))
        };
        Some(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    /// Games without special rules are made plainly; those with a hand, a reserve or ends of their own are not.
    #[test]
    fn the_first_plies_are_plain() {
        let games = [("chess", 20), ("chess960", 20), ("ingols", 0), ("crazyhouse", 0), ("iago-b", 0)];
        for (variant, plain) in games {
            let rules = Registry::built_in().rules(variant, &|_| None).expect("rules");
            let AnyRules::Narrow(rules) = rules else { continue };
            let start = Position::start(rules);
            let is_plain = |ply: &&Ply| {
                let all = start.rules().geometry.all();
                start.clone().step_plainly(ply.kind, ply.to, false, all) == Some(ply.from)
            };
            assert_eq!(start.plies().iter().filter(is_plain).count(), plain, "{variant}");
        }
    }
}
