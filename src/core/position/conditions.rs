//! Conditions on plies that only some games have: compulsory capture, forbidden check, explosions.

use super::apply::Journal;
use super::attack::Shift;
use super::ply::{Ply, Verb};
use super::reason::{Reason, ReasonSet};
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::{KindId, Rules};

impl<M: Mask> State<M> {
    /// True if a ply captures.
    pub(super) fn captures(&self, ply: &Ply) -> bool {
        match ply.verb {
            Verb::EnPassant => true,
            Verb::Castle | Verb::Switch | Verb::Pass => false,
            Verb::Move | Verb::Drop => (self.occupied() & !self.owned(ply.actor)).has(ply.to),
        }
    }

    /// True if a ply meets all conditions of the game besides the safety of its owner's king.
    pub(super) fn meets_conditions(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        let mut failed = ReasonSet::EMPTY;
        self.condition_failures(rules, ply, &mut failed);
        failed.is_empty()
    }

    /// The conditions of the game that a ply fails.
    #[inline(never)]
    pub(super) fn condition_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        if !rules.special.conditions || !ply.actor.is_real() {
            return;
        }
        let owes = self.status.must_capture && ply.actor == self.status.turn && !self.captures(ply);
        failed.insert_if(owes, Reason::CaptureCompulsory);
        failed.insert_if(self.leaves_facing(rules, ply), Reason::Bikjang);
        failed.insert_if(self.explodes_king(rules, ply, ply.actor), Reason::ExplodesOwnKing);
        failed
            .insert_if(rules.special.check_forbidden && self.gives_check(rules, ply), Reason::CheckForbidden);
    }

    /// True if the player on move can capture where capture is compulsory. The cached answer must be false.
    pub(super) fn find_must_capture(&self, rules: &Rules<M>) -> bool {
        debug_assert!(!self.status.must_capture);
        rules.special.captures_compulsory
            && self.attacks_any_piece(rules)
            && self.any_real_ply(rules, |ply| self.captures(ply))
    }

    /// True if the player on move attacks a piece of another player, or may capture en passant. In most positions
    /// nothing is attacked, and no ply has to be made to know it.
    fn attacks_any_piece(&self, rules: &Rules<M>) -> bool {
        let (by, shift) = (self.status.turn, self.unshifted());
        let others = self.occupied() & !self.owned(by);
        self.status.en_passant != Square::NONE
            || others.squares().any(|square| self.attacks(rules, square, by, &shift))
    }

    /// The squares that a ply's explosion empties: its target and those around it, except those of spared kinds.
    pub(super) fn blast(&self, rules: &Rules<M>, ply: &Ply) -> M {
        match &rules.special.blast {
            Some(_) if self.captures(ply) => self.blast_at(rules, ply.to) | M::bit(ply.to),
            _ => M::EMPTY,
        }
    }

    /// The occupied squares around `target` whose pieces an explosion removes.
    fn blast_at(&self, rules: &Rules<M>, target: Square) -> M {
        let Some(blast) = &rules.special.blast else { return M::EMPTY };
        let spared = blast.spares.kinds().fold(M::EMPTY, |all, kind| all | self.of_kind(kind));
        blast.around[target.index()] & self.occupied() & !spared
    }

    /// True if a ply's explosion removes `owner`'s king.
    pub(super) fn explodes_king(&self, rules: &Rules<M>, ply: &Ply, owner: Owner) -> bool {
        if rules.special.blast.is_none() {
            return false;
        }
        let moves_it = ply.actor == owner && ply.kind == rules.king;
        let king = if moves_it { ply.to } else { self.king(rules, owner) };
        king != Square::NONE && self.blast(rules, ply).has(king)
    }

    /// Removes what the capture of the last ply explodes, which ended on `target`.
    pub(super) fn explode(&mut self, rules: &Rules<M>, target: Square, journal: &mut impl Journal) {
        let blast = self.blast_at(rules, target) | M::bit(target);
        for square in blast.squares() {
            if let Some(piece) = self.piece(square) {
                self.note_lift(square, piece, journal);
            }
        }
        let mut lost = blast;
        for owner in Owner::REAL {
            if self.king(rules, owner) == Square::NONE {
                lost |= rules.back_rank[owner];
            }
        }
        self.set_castling(self.status.castling & !lost);
        self.status.unmoved &= self.occupied();
    }

    /// True if a king of `owner`'s on `square` stands so near the other king that a capture of it would explode both:
    /// then neither is in check.
    pub(super) fn is_shielded(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        square: Square,
        shift: &Shift<M>,
    ) -> bool {
        let Some(blast) = &rules.special.blast else { return false };
        let other = self.king(rules, owner.opponent());
        other != Square::NONE && !shift.gone.has(other) && blast.around[square.index()].has(other)
    }

    /// True if a ply gives check to the opponent.
    fn gives_check(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        let king = self.king(rules, ply.actor.opponent());
        if king == Square::NONE || self.explodes_king(rules, ply, ply.actor.opponent()) {
            return false;
        }
        let shift = self.shift(rules, ply);
        if self.attacks(rules, king, ply.actor, &shift) {
            return true;
        }
        let attacks = |(kind, from): (KindId, Square)| {
            self.reaches(rules, ply.actor, kind, from, shift.occupied).1.has(king)
        };
        let arrived = (ply.promotion.unwrap_or(ply.kind), ply.to);
        let rook = (ply.verb == Verb::Castle)
            .then(|| Some((self.piece(ply.other)?.kind, self.castled_rook(rules, ply))))
            .flatten();
        let gated = ply.gates.iter().flatten().map(|gate| (gate.kind, gate.square));
        let remains = shift.occupied.has(ply.to);
        remains && attacks(arrived) || rook.into_iter().chain(gated).any(attacks)
    }
}
