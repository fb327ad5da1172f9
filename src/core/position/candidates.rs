//! Finds the pieces that could make a ply, looking backwards from the target square.

use super::generate::Choice;
use super::ply::{Ply, Verb};
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::moves::connects;
use crate::rules::{KindId, Rules};

impl<M: Mask> State<M> {
    /// The squares from which pieces of a kind reach `to`, including double steps and en passant captures of players'
    /// pawns. King safety is not considered. Empty if an own piece or a real king is on `to`.
    #[inline]
    pub fn origins(&self, rules: &Rules<M>, owner: Owner, kind: KindId, to: Square) -> M {
        self.origins_within(rules, owner, kind, to, rules.geometry.all())
    }

    /// [`State::origins`] restricted to `within`.
    #[inline(always)]
    pub fn origins_within(&self, rules: &Rules<M>, owner: Owner, kind: KindId, to: Square, within: M) -> M {
        let occupied = self.occupied();
        let taken = occupied.has(to);
        let moves = &rules.moves[owner];
        if (self.owned(owner) | self.real_kings(rules)).has(to) {
            return if moves.special_kinds() == 0 {
                M::EMPTY
            } else {
                self.own_capture_origins(rules, owner, kind, to) & within
            };
        }
        let pieces = self.pieces(owner, kind) & within;
        let table = moves.origins(kind.index(), to, taken);
        let mut origins = table.any & pieces;
        // Keep leapers and pieces with a clear line. There is no test for a single piece: most plies have just one.
        let mut left = origins;
        while left.any() {
            let from = left.lowest();
            left = left.without_lowest();
            if !connects(&rules.geometry, table, from, to, occupied) {
                origins ^= M::bit(from);
            }
        }
        if moves.special_kinds() != 0 {
            origins = self.special_origins(rules, owner, kind, to, pieces, origins);
        }
        let status = &self.status;
        let passed = to == status.en_passant || to == status.en_passant_too;
        if passed && owner == status.turn && rules.is_pawn(kind) {
            origins |= self.en_passant_pawns(rules, owner, to) & pieces;
        }
        origins
    }

    /// Origins among `pieces`: `known` ones, and those with movements that the tables do not hold. None if the piece on
    /// `to` cannot be captured.
    #[cold]
    fn special_origins(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        to: Square,
        pieces: M,
        known: M,
    ) -> M {
        if self.untouchable(rules).has(to) {
            return M::EMPTY;
        }
        if rules.moves[owner].special_kinds() >> kind.0 & 1 == 0 {
            return known;
        }
        let (moves, occupied) = (&rules.moves[owner], self.occupied());
        let past = (occupied, self.unhopped(rules, kind, &self.unshifted()));
        let goes = |from: &Square| {
            moves.complex_goes(rules.board(), kind.index(), [*from, to], past, occupied.has(to))
        };
        let complex = (pieces & moves.complex_origins(to)).squares().filter(goes);
        let leaps = rules.special.first_leaps.as_ref().is_some_and(|leaps| leaps.kinds.has(kind));
        let known = known | M::of(complex);
        if !leaps || occupied.has(to) {
            return known;
        }
        let reaches = |from: &Square| self.reaches(rules, owner, kind, *from, occupied).0.has(to);
        known | M::of(pieces.squares().filter(reaches))
    }

    /// Origins of captures of an own piece on `to`.
    #[cold]
    fn own_capture_origins(&self, rules: &Rules<M>, owner: Owner, kind: KindId, to: Square) -> M {
        if !rules.captures_own(kind) || self.untouchable(rules).has(to) {
            return M::EMPTY;
        }
        let captures = |from: &Square| self.reaches(rules, owner, kind, *from, self.occupied()).1.has(to);
        M::of(self.pieces(owner, kind).squares().filter(captures))
    }

    /// The step of a player's piece from `from` to `to`, with the verb for en passant if it is one.
    #[inline]
    pub fn step(&self, rules: &Rules<M>, owner: Owner, kind: KindId, from: Square, to: Square) -> Ply {
        let mut ply = Ply::step(owner, kind, from, to);
        if (to == self.status.en_passant || to == self.status.en_passant_too)
            && rules.is_pawn(kind)
            && rules.board().file(from) != rules.board().file(to)
            && let Some(victim) = self.en_passant_victim(rules, owner, to)
        {
            (ply.verb, ply.other) = (Verb::EnPassant, victim);
        }
        ply
    }

    /// True if [`State::failures`] finds none. Endings are not considered.
    pub fn is_legal(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        self.failures(rules, ply).is_empty()
    }

    /// True if the rules offer the promotion, or allow its absence.
    #[inline(always)]
    pub fn promotion_fits(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        to: Square,
        promotion: Option<KindId>,
    ) -> bool {
        if rules.promotion[owner].zones[kind.slot()].has(to) {
            self.is_offered(rules, owner, kind, (from, to), promotion)
        } else {
            promotion.is_none()
        }
    }

    #[inline(never)]
    fn is_offered(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        (from, to): (Square, Square),
        promotion: Option<KindId>,
    ) -> bool {
        let choice: Choice = self.promotions(rules, owner, kind, from, to);
        let fits = match promotion {
            Some(kind) => choice.kinds.has(kind),
            None => !choice.must,
        };
        fits && self.other_promotions(rules, owner, to).is_none()
    }

    /// [`State::promotion_fits`] of a ply, whatever other piece it promotes.
    pub fn ply_promotion_fits(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        if rules.special.other_promotion.is_none() || !rules.is_pawn(ply.kind) {
            return self.promotion_fits(rules, ply.actor, ply.kind, ply.from, ply.to, ply.promotion);
        }
        let choice = self.promotions(rules, ply.actor, ply.kind, ply.from, ply.to);
        ply.promotion.map_or(!choice.must, |kind| choice.kinds.has(kind))
    }

    /// [`State::is_safe`], counting gated pieces as blockers only if the rules do (COM-1, IAB-2).
    #[inline]
    pub fn is_safe_with_gates(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        let counts = rules.gating.is_none_or(|gating| gating.may_block);
        if ply.gates_any() && !counts {
            return self.is_safe(rules, &Ply { gates: [None; 2], ..*ply });
        }
        self.is_safe(rules, ply)
    }
}
