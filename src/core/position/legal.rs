//! King safety, and the conditions of castling and en passant.

use super::apply::is_double_step;
use super::attack::Shift;
use super::ply::{Ply, Verb};
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::compiled::Castling;
use crate::rules::definition::DelayFreesCastling;
use crate::rules::{KindId, Rules};

impl<M: Mask> State<M> {
    /// The board after a ply, in as far as it matters for attacks.
    pub(super) fn shift(&self, rules: &Rules<M>, ply: &Ply) -> Shift<M> {
        let mut occupied = self.occupied();
        let mut gone = M::bit(ply.to);
        if ply.from != Square::NONE {
            occupied &= !M::bit(ply.from);
            gone |= M::bit(ply.from);
        }
        if ply.other != Square::NONE {
            occupied &= !M::bit(ply.other);
            gone |= M::bit(ply.other);
        }
        occupied |= M::bit(ply.to);
        if ply.verb == Verb::Castle {
            occupied |= M::bit(self.castled_rook(rules, ply));
        }
        for gate in ply.gates.iter().flatten() {
            occupied |= M::bit(gate.square);
        }
        if rules.special.blast.is_some() {
            let blast = self.blast(rules, ply);
            occupied &= !blast;
            gone |= blast;
        }
        Shift { occupied, gone, arrives: ply.promotion.unwrap_or(ply.kind) }
    }

    /// True if a pseudo-legal ply of a player leaves the player's own king safe (COM-1).
    #[inline]
    pub fn is_safe(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        if ply.verb == Verb::Move && !ply.gates_any() {
            return self.is_safe_step(rules, ply.actor, ply.kind, ply.from, ply.to);
        }
        let king = self.king(rules, ply.actor);
        if ply.kind != rules.king && king != Square::NONE && self.only_lines_matter(rules, ply.actor) {
            // A drop opens no line.
            let lines = rules.lines_to[king.index()];
            if ply.verb == Verb::Drop || ply.verb == Verb::Move && !lines.has(ply.from) {
                return true;
            }
        }
        self.is_safe_from_nothing(rules, ply)
            && (!rules.special.conditions || self.meets_conditions(rules, ply))
    }

    /// [`State::is_safe`] for a step without gating, quiet or capturing.
    #[inline(always)]
    pub fn is_safe_step(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        to: Square,
    ) -> bool {
        let usual = rules.only_lines && !self.status.in_check && self.status.turn == owner;
        if !usual || kind == rules.king {
            return self.is_safe_step_from_nothing(rules, owner, kind, from, to);
        }
        let king = self.king(rules, owner);
        if king == Square::NONE {
            return true;
        }
        let (enemy, target) = (owner.opponent(), M::bit(to));
        let occupied = self.occupied() & !M::bit(from) | target;
        !self.opens_line(rules, king, from, enemy, occupied, self.owned(enemy) & !target)
    }

    /// [`State::is_safe_step`] if more than opened lines may matter.
    #[inline(never)]
    fn is_safe_step_from_nothing(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        to: Square,
    ) -> bool {
        if rules.special.conditions {
            let step = Ply::step(owner, kind, from, to);
            return self.is_safe_from_nothing(rules, &step) && self.meets_conditions(rules, &step);
        }
        let king = self.is_king_safe_step(rules, owner, kind, from, to);
        king && (rules.special.anti_king.is_none()
            || self.keeps_anti_king_attacked(rules, &Ply::step(owner, kind, from, to)))
    }

    /// [`State::is_safe_step`] as far as the king goes.
    #[inline(always)]
    fn is_king_safe_step(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        to: Square,
    ) -> bool {
        let moves_king = kind == rules.king;
        let king = if moves_king { to } else { self.king(rules, owner) };
        if king == Square::NONE {
            return true;
        }
        if !moves_king && self.only_lines_matter(rules, owner) && !rules.lines_to[king.index()].has(from) {
            return true;
        }
        let gone = M::bit(from) | M::bit(to);
        let occupied = self.occupied() & !gone | M::bit(to);
        !self.checks(rules, owner, king, &Shift { occupied, gone, arrives: kind })
    }

    /// True if a ply of another piece can expose the king only by opening a line: the king is not in check, and no
    /// attack depends on a hurdle.
    #[inline]
    pub(super) fn only_lines_matter(&self, rules: &Rules<M>, owner: Owner) -> bool {
        !self.status.in_check && rules.special.lines_decide && self.status.turn == owner
    }

    /// The pawn that `mover` captures en passant on `passed`: one step beyond it, or two after a longer first step.
    pub(crate) fn en_passant_victim(&self, rules: &Rules<M>, mover: Owner, passed: Square) -> Option<Square> {
        let beyond = |steps: i8| rules.board().offset(passed, 0, -steps * mover.forward());
        let next = beyond(1)?;
        let longer = rules.first_step > 2 && self.piece(next).is_none();
        let square = if longer { beyond(2)? } else { next };
        let piece = self.piece(square)?;
        let stands =
            piece.owner == mover.opponent() && rules.is_pawn(piece.kind) && self.piece(passed).is_none();
        stands.then_some(square)
    }

    /// The pawns of `mover` that attack the passed square.
    #[inline(never)]
    pub(super) fn en_passant_pawns(&self, rules: &Rules<M>, mover: Owner, passed: Square) -> M {
        let moves = &rules.moves[mover];
        let ready = |pawn: KindId| moves.origins(pawn.index(), passed, true).any & self.of_kind(pawn);
        rules.pawns.kinds().fold(M::EMPTY, |all, pawn| all | ready(pawn)) & self.owned(mover)
    }

    /// True if the right on `passed` counts: a capture is legal or, with Nature, a pawn attacks the square.
    #[inline(never)]
    pub(super) fn en_passant_is_possible(&self, rules: &Rules<M>, mover: Owner, passed: Square) -> bool {
        let ready = self.en_passant_pawns(rules, mover, passed);
        !ready.is_empty() && (rules.nature.is_some() || self.en_passant_is_legal(rules, mover, passed))
    }

    /// True if one of the pawns that attack the passed square may capture there.
    pub(super) fn en_passant_is_legal(&self, rules: &Rules<M>, mover: Owner, passed: Square) -> bool {
        let ready = self.en_passant_pawns(rules, mover, passed);
        ready.squares().any(|from| self.en_passant(rules, mover, from, passed).is_some())
    }

    /// The legal en passant capture from `from` on `passed`, if any.
    pub(super) fn en_passant(
        &self,
        rules: &Rules<M>,
        mover: Owner,
        from: Square,
        passed: Square,
    ) -> Option<Ply> {
        let kind = self.piece(from)?.kind;
        let victim = self.en_passant_victim(rules, mover, passed)?;
        let ply = Ply { verb: Verb::EnPassant, other: victim, ..Ply::step(mover, kind, from, passed) };
        let safe = self.is_safe_from_nothing(rules, &ply);
        (safe && (!rules.special.conditions || self.meets_conditions(rules, &ply))).then_some(ply)
    }

    /// True if a ply leaves its own king safe, whatever else the game demands of it.
    pub(super) fn keeps_king_safe(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        if rules.special.conditions {
            self.is_safe_from_nothing(rules, ply)
        } else {
            self.is_safe(rules, ply)
        }
    }

    /// True if the ply's own king is safe after it, without short cuts: also if the ply explodes one of the kings.
    #[inline(never)]
    pub(super) fn is_safe_from_nothing(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        self.is_king_safe(rules, ply) && self.keeps_anti_king_attacked(rules, ply)
    }

    /// True if a pseudo-legal ply of a player leaves the player's own king safe.
    pub(super) fn is_king_safe(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        if rules.special.blast.is_some()
            && Owner::REAL.iter().any(|&owner| self.explodes_king(rules, ply, owner))
        {
            return true;
        }
        let king = if ply.kind == rules.king { ply.to } else { self.king(rules, ply.actor) };
        king == Square::NONE || !self.checks(rules, ply.actor, king, &self.shift(rules, ply))
    }

    /// Whether a pseudo-legal ply leaves the player's own king attacked by what captures, and by what attacks kings
    /// alone.
    pub(super) fn king_faults(&self, rules: &Rules<M>, ply: &Ply) -> [bool; 2] {
        let safe = self.is_king_safe(rules, ply);
        if safe || rules.special.on_kings.is_none() {
            return [!safe, false];
        }
        let king = if ply.kind == rules.king { ply.to } else { self.king(rules, ply.actor) };
        let (by, shift) = (ply.actor.opponent(), self.shift(rules, ply));
        let faces = self.faces(rules, king, by, &shift);
        let captures = self.attacks_by_capture(rules, king, by, &shift);
        [captures || !faces || self.nature_checks(rules, king, &shift), faces]
    }

    /// True if an opposing piece other than a king attacks the player's own Anti-King after a pseudo-legal ply, or the
    /// game has none.
    pub(super) fn keeps_anti_king_attacked(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        let Some(kind) = rules.special.anti_king else { return true };
        let moves_it = ply.kind == kind && ply.verb != Verb::Drop;
        let square = if moves_it { ply.to } else { self.pieces(ply.actor, kind).lowest() };
        square == Square::NONE || !self.is_neglected(rules, ply.actor, square, &self.shift(rules, ply))
    }

    /// The castling of `owner` with the rook on `rook`, if legal.
    pub fn castling(&self, rules: &Rules<M>, owner: Owner, rook: Square) -> Option<Ply> {
        let castling = rules.castling.as_ref()?;
        if !(self.status.castling & self.owned(owner)).has(rook) {
            return None;
        }
        let king = self.king(rules, owner);
        let way = self.castling_way(rules, castling, king, rook);
        if (way.vacant & self.occupied()).any() {
            return None;
        }
        let ply = Ply { verb: Verb::Castle, other: rook, ..Ply::step(owner, rules.king, king, way.king_to) };
        let safe = !self.castles_through_check(rules, &ply, &way);
        (safe
            && self.keeps_anti_king_attacked(rules, &ply)
            && (!rules.special.conditions || self.meets_conditions(rules, &ply)))
        .then_some(ply)
    }

    /// True if a castling without gates takes the king out of, through or into check.
    #[inline]
    pub(super) fn castles_through_check(&self, rules: &Rules<M>, ply: &Ply, way: &CastlingWay<M>) -> bool {
        let (owner, king) = (ply.actor, ply.from);
        let without_king = Shift { occupied: self.occupied() & !M::bit(king), ..self.unshifted() };
        // In Chess960 the king may castle without leaving its square and the rook may then block the check, which
        // counts nevertheless.
        let passing = way.king_path & !M::bit(way.king_to);
        let attacked = !self.castling_is_free(rules)
            && (self.is_checked_now(rules, owner)
                || passing.squares().any(|square| self.checks(rules, owner, square, &without_king)));
        attacked || !self.is_king_safe(rules, ply)
    }

    /// The way of king and rook in castling.
    #[inline(always)]
    pub(super) fn castling_way(
        &self,
        rules: &Rules<M>,
        castling: &Castling,
        king: Square,
        rook: Square,
    ) -> CastlingWay<M> {
        let (king_to, rook_to) = rules.castling_targets(castling, king, rook);
        let geometry = &rules.geometry;
        let king_path = geometry.between(king, king_to) | M::bit(king_to);
        let rook_path = geometry.between(rook, rook_to) | M::bit(rook_to);
        let vacant = (king_path | rook_path) & !(M::bit(king) | M::bit(rook));
        CastlingWay { king_to, king_path, vacant }
    }

    /// True if `owner` is in check; cached for the player on move.
    fn is_checked_now(&self, rules: &Rules<M>, owner: Owner) -> bool {
        if owner == self.status.turn { self.status.in_check } else { self.king_in_check(rules, owner) }
    }

    /// True while the delay lifts all check restrictions on castling (CHA-2, the other reading).
    fn castling_is_free(&self, rules: &Rules<M>) -> bool {
        rules.nature.as_ref().is_some_and(|nature| {
            nature.delay_frees_castling == DelayFreesCastling::All && self.status.nature.clock < nature.delay
        })
    }

    /// True if a pawn may make the double step, or a longer one: it is on a starting square, and all squares are
    /// vacant.
    #[inline]
    pub(super) fn can_double_step(&self, rules: &Rules<M>, owner: Owner, from: Square, to: Square) -> bool {
        let Some(pawn) = self.piece(from) else { return false };
        is_double_step(rules, &Ply::step(owner, pawn.kind, from, to))
            && (rules.geometry.between(from, to) & self.occupied()).is_empty()
            && !self.occupied().has(to)
    }
}

/// The way of king and rook in castling.
pub(super) struct CastlingWay<M> {
    /// Where the king goes.
    pub king_to: Square,
    /// The squares that it passes, and where it goes.
    pub king_path: M,
    /// The squares that must be vacant.
    pub vacant: M,
}
