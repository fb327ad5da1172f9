//! Who attacks a square, and whether a king is in check.

use super::state::State;
use crate::board::{ByOwner, Mask, Owner, Square};
use crate::rules::definition::DelayScope;
use crate::rules::moves::{MoveTables, connects};
use crate::rules::{KindId, Piece, Rules};

/// How a ply under test changes the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift<M> {
    /// Occupied squares after the ply.
    pub occupied: M,
    /// Squares whose piece was captured or has moved away, and no longer attacks from there.
    pub gone: M,
}

impl<M: Mask> State<M> {
    /// The position as it is.
    #[inline]
    pub fn unshifted(&self) -> Shift<M> {
        Shift { occupied: self.occupied(), gone: M::EMPTY }
    }

    /// The squares from which `by` attacks `square`.
    pub fn attackers(&self, rules: &Rules<M>, square: Square, by: Owner, shift: &Shift<M>) -> M {
        let mut attackers = M::EMPTY;
        self.each_attacker(rules, square, by, shift, |from| {
            attackers |= M::bit(from);
            false
        });
        attackers
    }

    /// True if `by` attacks a king on `square` by a movement that captures. Kings that face each other are both
    /// attacked, so the player on move may answer that.
    pub(super) fn attacks_by_capture(&self, rules: &Rules<M>, square: Square, by: Owner) -> bool {
        let alone = |tables: &ByOwner<MoveTables<M>>| tables[by].capturers(square);
        let alone = rules.on_kings.as_deref().map_or(M::EMPTY, alone);
        self.each_attacker(rules, square, by, &self.unshifted(), |from| !alone.has(from))
    }

    /// True if `by` attacks `square`.
    #[inline]
    pub fn attacks(&self, rules: &Rules<M>, square: Square, by: Owner, shift: &Shift<M>) -> bool {
        self.each_attacker(rules, square, by, shift, |_| true)
    }

    /// Calls `found` for each attacker until it returns true; returns whether it did.
    #[inline]
    fn each_attacker(
        &self,
        rules: &Rules<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
        mut found: impl FnMut(Square) -> bool,
    ) -> bool {
        let moves = &rules.moves[by];
        if self.each_simple_attacker(rules, moves, square, by, shift, &mut found) {
            return true;
        }
        rules.hidden_attacks && self.each_hidden_attacker(rules, square, by, shift, found)
    }

    /// [`State::each_attacker`] by leaps and queen lines of the given tables.
    #[inline(always)]
    fn each_simple_attacker(
        &self,
        rules: &Rules<M>,
        moves: &MoveTables<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
        found: &mut impl FnMut(Square) -> bool,
    ) -> bool {
        // The mask of all capturers leaves few pieces to test, often none.
        let mut near = moves.capturers(square) & self.owned(by) & !shift.gone;
        while near.any() {
            let from = near.lowest();
            near = near.without_lowest();
            let Some(piece) = self.piece(from) else { continue };
            let origins = moves.origins(piece.kind.index(), square, true);
            if origins.any.has(from)
                && connects(&rules.geometry, origins, from, square, shift.occupied)
                && found(from)
            {
                return true;
            }
        }
        false
    }

    /// True if a piece that leaves `from` opens a line on which `by` attacks `king`. `by` must not have attacked the
    /// king before. `occupied` and `attacking` are the squares of all pieces and of `by` after the ply.
    #[inline(always)]
    pub(super) fn opens_line(
        &self,
        rules: &Rules<M>,
        king: Square,
        from: Square,
        by: Owner,
        occupied: M,
        attacking: M,
    ) -> bool {
        let line = rules.geometry.ray(king, from) & occupied;
        if (line & attacking).is_empty() {
            return false;
        }
        let first = if from > king { line.lowest() } else { line.highest() };
        let slides = |kind: KindId| rules.moves[by].origins(kind.index(), king, true).any.has(first);
        attacking.has(first) && self.piece(first).is_some_and(|piece| slides(piece.kind))
    }

    /// Attackers whose movement depends on other pieces, and those that attack kings alone. Only attacks on kings are
    /// asked for, so `square` is one of a king or one that a king would enter.
    #[cold]
    fn each_hidden_attacker(
        &self,
        rules: &Rules<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
        mut found: impl FnMut(Square) -> bool,
    ) -> bool {
        let (moves, board) = (&rules.moves[by], rules.board());
        for from in (moves.complex_origins(square) & self.owned(by) & !shift.gone).squares() {
            let Some(Piece { kind, .. }) = self.piece(from) else { continue };
            let kind = kind.index();
            if moves.complex_goes(board, kind, [from, square], shift.occupied, true)
                && !moves.reach(kind, from).leap_capture.has(square)
                && found(from)
            {
                return true;
            }
        }
        let Some(on_kings) = &rules.on_kings else { return false };
        self.each_simple_attacker(rules, &on_kings[by], square, by, shift, &mut found)
    }

    /// True if Nature attacks `square` and the attack counts as check now (CHA-2, CHA-3).
    pub fn nature_checks(&self, rules: &Rules<M>, square: Square, shift: &Shift<M>) -> bool {
        let Some(nature) = &rules.nature else { return false };
        let state = &self.status.nature;
        if state.clock >= nature.delay {
            return self.attacks(rules, square, Owner::Nature, shift);
        }
        match (nature.delay_scope, state.fresh.some()) {
            (DelayScope::Clock, _) => false,
            (DelayScope::Piece, None) => self.attacks(rules, square, Owner::Nature, shift),
            (DelayScope::Piece, Some(fresh)) => {
                let shift = Shift { gone: shift.gone | M::bit(fresh), ..*shift };
                self.attacks(rules, square, Owner::Nature, &shift)
            }
        }
    }

    /// True if a king of `owner`'s on `square` would be in check, by the opponent or by Nature.
    #[inline]
    pub fn checks(&self, rules: &Rules<M>, owner: Owner, square: Square, shift: &Shift<M>) -> bool {
        self.attacks(rules, square, owner.opponent(), shift)
            || rules.nature.is_some() && self.nature_checks(rules, square, shift)
    }

    /// True if `owner`'s king is in check now; a king that is not on the board never is.
    #[inline]
    pub fn king_in_check(&self, rules: &Rules<M>, owner: Owner) -> bool {
        let king = self.king(rules, owner);
        king != Square::NONE && self.checks(rules, owner, king, &self.unshifted())
    }

    /// The squares that a piece of `owner` reaches from `from`: vacant ones, and occupied ones that it attacks,
    /// regardless of the owner of the piece there.
    #[inline(always)]
    pub fn reaches(&self, rules: &Rules<M>, owner: Owner, kind: KindId, from: Square, occupied: M) -> (M, M) {
        let moves = &rules.moves[owner];
        let reach = moves.reach(kind.index(), from);
        let (mut quiet, mut capture) = (reach.leap_quiet, reach.leap_capture);
        if moves.slides_straight().has(kind) {
            let slides = rules.geometry.rook_slides(from, occupied);
            quiet |= reach.slide_quiet & slides;
            capture |= reach.slide_capture & slides;
        }
        if moves.slides_diagonally().has(kind) {
            let slides = rules.geometry.bishop_slides(from, occupied);
            quiet |= reach.slide_quiet & slides;
            capture |= reach.slide_capture & slides;
        }
        if moves.complex_kinds() >> kind.0 & 1 == 1 {
            let complex = moves.complex_reach(rules.board(), kind.index(), from, occupied);
            quiet |= complex.0;
            capture |= complex.1;
        }
        (quiet & !occupied, capture & occupied)
    }
}
