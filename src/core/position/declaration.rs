//! Declarations of a win by a king that has entered the promotion zone (SHO 6).

use super::end::Outcome;
use super::{Position, state::State};
use crate::board::{Mask, Owner, Square};
use crate::rules::Rules;
use crate::rules::definition::Declaration;

/// Own pieces in the zone, besides the king, that a declaration needs.
const PIECES: u32 = 10;

/// What a declaration by the player on move rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The king is in the zone.
    pub entered: bool,
    /// The king is in check.
    pub in_check: bool,
    /// Own pieces in the zone, besides the king.
    pub pieces: u32,
    /// Points of these pieces and of those in hand.
    pub points: u32,
    /// The result of a declaration.
    pub outcome: Outcome,
}

impl<M: Mask> Position<M> {
    /// What a declaration by the player on move comes to; `None` if the game has none.
    pub fn declared(&self) -> Option<Declared> {
        self.state.declared(&self.rules)
    }

    /// True if the player on move may declare without losing by it.
    pub fn may_declare(&self) -> bool {
        if self.rules.ends.declaration == Declaration::None {
            return false;
        }
        let lost = Outcome::win(&self.rules, self.turn().opponent());
        self.declared().is_some_and(|declared| declared.outcome != lost)
    }
}

impl<M: Mask> State<M> {
    fn declared(&self, rules: &Rules<M>) -> Option<Declared> {
        let owner = self.status.turn;
        let needed = match (rules.ends.declaration, owner) {
            (Declaration::None, _) => return None,
            (Declaration::Points27, Owner::White) => 28,
            (Declaration::Points27, _) => 27,
            (Declaration::Points24, _) => 31,
        };
        let zone = rules.promotion[owner].zone;
        let king = self.king(rules, owner);
        let entered = king != Square::NONE && zone.has(king);
        let inside = self.owned(owner) & zone & !self.pieces(owner, rules.king);
        let large = rules.all_kinds().kinds().filter(|kind| rules.kind(*kind).large);
        let large = large.fold(M::EMPTY, |all, kind| all | self.of_kind(kind));
        let mut points = inside.count() + 4 * (inside & large).count();
        for kind in rules.all_kinds().kinds().filter(|kind| *kind != rules.king) {
            let worth = if rules.kind(kind).large { 5 } else { 1 };
            points += worth * u32::from(self.hand(owner)[kind.index()]);
        }
        let (in_check, pieces) = (self.status.in_check, inside.count());
        let fits = entered && !in_check && pieces >= PIECES;
        let outcome = match rules.ends.declaration {
            _ if fits && points >= needed => Outcome::win(rules, owner),
            Declaration::Points24 if fits && points >= 24 => Outcome::Draw,
            _ => Outcome::win(rules, owner.opponent()),
        };
        Some(Declared { entered, in_check, pieces, points, outcome })
    }
}
