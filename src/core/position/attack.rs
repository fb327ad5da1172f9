//! Who attacks a square, and whether a king is in check.

use super::state::State;
use crate::board::{ByOwner, Mask, Owner, Square};
use crate::rules::compiled::Nature;
use crate::rules::definition::{AntiKingsFedBy, DelayScope};
use crate::rules::moves::{MoveTables, connects};
use crate::rules::{KindId, Piece, Rules};

/// How a ply under test changes the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift<M> {
    /// Occupied squares after the ply.
    pub occupied: M,
    /// Squares whose piece was captured or has moved away, and no longer attacks from there.
    pub gone: M,
    /// What stands on the target after the ply; [`KindId::NONE`] without a ply.
    pub arrives: KindId,
}

impl<M: Mask> State<M> {
    /// The position as it is.
    #[inline]
    pub fn unshifted(&self) -> Shift<M> {
        Shift { occupied: self.occupied(), gone: M::EMPTY, arrives: KindId::NONE }
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

    /// True if `by` attacks a king on `square` by a movement that captures: not only by one that attacks kings alone.
    #[cold]
    pub(super) fn attacks_by_capture(
        &self,
        rules: &Rules<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
    ) -> bool {
        self.each_capturer(rules, square, by, shift, &mut |_| true)
    }

    /// The squares from which `by` attacks a piece on `square` that is no king.
    pub(super) fn capturers(&self, rules: &Rules<M>, square: Square, by: Owner) -> M {
        let (mut all, shift) = (M::EMPTY, self.unshifted());
        self.each_capturer(rules, square, by, &shift, &mut |from: Square| {
            all |= M::bit(from);
            false
        });
        all
    }

    /// [`State::each_attacker`] by movement that captures.
    fn each_capturer(
        &self,
        rules: &Rules<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
        found: &mut impl FnMut(Square) -> bool,
    ) -> bool {
        self.each_simple_attacker(rules, &rules.moves[by], square, by, shift, found)
            || self.each_complex_attacker(rules, square, by, shift, found)
    }

    /// True if `by` attacks a king on `square` by a movement that attacks kings alone.
    pub(super) fn faces(&self, rules: &Rules<M>, square: Square, by: Owner, shift: &Shift<M>) -> bool {
        let faces = |tables: &ByOwner<MoveTables<M>>| {
            self.each_simple_attacker(rules, &tables[by], square, by, shift, &mut |_| true)
        };
        rules.special.on_kings.as_deref().is_some_and(faces)
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
        rules.special.hidden_attacks && self.each_hidden_attacker(rules, square, by, shift, &mut found)
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
        let first = rules.geometry.nearest(line, king, from);
        let slides = |kind: KindId| rules.moves[by].origins(kind.index(), king, true).any.has(first);
        attacking.has(first) && self.piece(first).is_some_and(|piece| slides(piece.kind))
    }

    /// Attackers whose movement depends on other pieces, and those that attack kings alone. The latter are asked for
    /// only about a king's square, or one that a king would enter.
    #[cold]
    fn each_hidden_attacker(
        &self,
        rules: &Rules<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
        found: &mut impl FnMut(Square) -> bool,
    ) -> bool {
        if self.each_complex_attacker(rules, square, by, shift, found) {
            return true;
        }
        let Some(on_kings) = &rules.special.on_kings else { return false };
        self.each_simple_attacker(rules, &on_kings[by], square, by, shift, found)
    }

    /// Attackers whose movement depends on other pieces.
    fn each_complex_attacker(
        &self,
        rules: &Rules<M>,
        square: Square,
        by: Owner,
        shift: &Shift<M>,
        found: &mut impl FnMut(Square) -> bool,
    ) -> bool {
        let (moves, board) = (&rules.moves[by], rules.board());
        for from in (moves.complex_origins(square) & self.owned(by) & !shift.gone).squares() {
            let Some(Piece { kind, .. }) = self.piece(from) else { continue };
            let past = (shift.occupied, self.unhopped(rules, kind, shift));
            let kind = kind.index();
            if moves.complex_goes(board, kind, [from, square], past, true)
                && !moves.reach(kind, from).leap_capture.has(square)
                && found(from)
            {
                return true;
            }
        }
        false
    }

    /// True if Nature attacks `square` and the attack counts as check now (CHA-2, CHA-3).
    pub fn nature_checks(&self, rules: &Rules<M>, square: Square, shift: &Shift<M>) -> bool {
        let Some(nature) = &rules.nature else { return false };
        let state = &self.status.nature;
        if state.eliminated {
            return false;
        }
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
        if rules.special.unusual_checks {
            return self.checks_unusually(rules, owner, square, shift);
        }
        self.attacks(rules, square, owner.opponent(), shift)
    }

    /// [`State::checks`] where more than an attack by the opponent decides.
    #[inline(never)]
    fn checks_unusually(&self, rules: &Rules<M>, owner: Owner, square: Square, shift: &Shift<M>) -> bool {
        let attacked = self.attacks(rules, square, owner.opponent(), shift)
            || rules.nature.is_some() && self.nature_checks(rules, square, shift);
        attacked && !self.is_shielded(rules, owner, square, shift)
    }

    /// True if `owner`'s king is in check now; a king that is not on the board never is.
    #[inline]
    pub fn king_in_check(&self, rules: &Rules<M>, owner: Owner) -> bool {
        let king = self.king(rules, owner);
        king != Square::NONE && self.checks(rules, owner, king, &self.unshifted())
    }

    /// The players' pawns that have no move from their squares whatever stands elsewhere, and so never have one again
    /// (ING-5).
    pub(super) fn dead_pawns(&self, rules: &Rules<M>) -> M {
        let all = rules.geometry.all();
        let is_dead = |owner: Owner, kind: KindId, from: Square| {
            self.reaches(rules, owner, kind, from, M::EMPTY).0.is_empty()
                && self.reaches(rules, owner, kind, from, all).1.is_empty()
        };
        let dead = |owner: Owner, kind: KindId| {
            self.pieces(owner, kind).squares().filter(move |from| is_dead(owner, kind, *from))
        };
        let pawns =
            Owner::REAL.into_iter().flat_map(|owner| rules.pawns.kinds().map(move |kind| (owner, kind)));
        M::of(pawns.flat_map(|(owner, kind)| dead(owner, kind)))
    }

    /// The squares that a piece of `owner` reaches from `from`: vacant ones, and occupied ones that it attacks,
    /// regardless of the owner of the piece there.
    #[inline(always)]
    pub fn reaches(&self, rules: &Rules<M>, owner: Owner, kind: KindId, from: Square, occupied: M) -> (M, M) {
        let moves = &rules.moves[owner];
        let (mut quiet, mut capture) = reaches_by(rules, moves, kind, from, occupied);
        if moves.special_kinds() >> kind.0 & 1 == 1 {
            let special = self.special_reach(rules, owner, kind, from, occupied);
            quiet |= special.0;
            capture |= special.1;
        }
        (quiet & !occupied, capture & occupied)
    }

    /// The squares of [`State::reaches`] that the tables do not hold: by hurdles and the like, by captures of own
    /// pieces, by a first leap.
    #[cold]
    fn special_reach(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        occupied: M,
    ) -> (M, M) {
        let board = rules.board();
        let past = (occupied, self.unhopped(rules, kind, &Shift { occupied, ..self.unshifted() }));
        let of = |moves: &MoveTables<M>| {
            let (quiet, capture) = reaches_by(rules, moves, kind, from, occupied);
            let complex = moves.complex_reach(board, kind.index(), from, past);
            (quiet | complex.0, capture | complex.1)
        };
        let (mut quiet, mut capture) = rules.moves[owner].complex_reach(board, kind.index(), from, past);
        if let Some(own) = rules.special.own_captures.as_ref().filter(|own| own.kinds.has(kind)) {
            capture |= of(&own.moves[owner]).1 & self.owned(owner);
        }
        let unmoved = self.status.unmoved & self.owned(owner);
        if let Some(leaps) =
            rules.special.first_leaps.as_ref().filter(|leaps| leaps.kinds.has(kind) && unmoved.has(from))
        {
            quiet |= of(&leaps.moves[owner]).0;
        }
        (quiet, capture)
    }

    /// The squares of the pieces that a kind neither jumps over nor captures, after a ply if there is one.
    pub(super) fn unhopped(&self, rules: &Rules<M>, kind: KindId, shift: &Shift<M>) -> M {
        let Some(of_kinds) = &rules.special.hurdle_not else { return M::EMPTY };
        let of_kinds = of_kinds[kind.slot()];
        let all = of_kinds.kinds().fold(M::EMPTY, |all, kind| all | self.of_kind(kind));
        // What stood on the target is gone, and the piece that arrives stands there.
        let arrived = if of_kinds.has(shift.arrives) { shift.gone & shift.occupied } else { M::EMPTY };
        all & shift.occupied & !shift.gone | arrived
    }

    /// True if `owner`'s Anti-King stands on `square` without an attack by an opposing piece other than a king.
    pub(super) fn is_neglected(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        square: Square,
        shift: &Shift<M>,
    ) -> bool {
        let enemy = owner.opponent();
        let gone = shift.gone | self.pieces(enemy, rules.king);
        !self.attacks(rules, square, enemy, &Shift { gone, ..*shift })
            && !self.nature_feeds(rules, square, shift)
    }

    /// True if Nature's attack keeps a player's Anti-King on `square` out of anti-check (CHA-21, the other reading).
    fn nature_feeds(&self, rules: &Rules<M>, square: Square, shift: &Shift<M>) -> bool {
        let feeds = |nature: &Nature<M>| nature.anti_kings_fed_by == AntiKingsFedBy::All;
        rules.nature.as_ref().is_some_and(feeds)
            && !self.status.nature.eliminated
            && self.attacks(rules, square, Owner::Nature, shift)
    }

    /// True if `owner`'s Anti-King is in anti-check: no opposing piece other than a king attacks it.
    pub fn in_anti_check(&self, rules: &Rules<M>, owner: Owner) -> bool {
        let Some(anti_king) = rules.special.anti_king else { return false };
        let square = self.pieces(owner, anti_king).lowest();
        square != Square::NONE && self.is_neglected(rules, owner, square, &self.unshifted())
    }

    /// The pieces that no ply captures: real kings (COM-2), and pieces that must stay attacked.
    #[inline]
    pub fn untouchable(&self, rules: &Rules<M>) -> M {
        self.real_kings(rules) | rules.special.anti_king.map_or(M::EMPTY, |kind| self.of_kind(kind))
    }
}

/// The squares that a kind reaches from `from` by leaps and queen lines, (quiet, capture), whatever is on them.
#[inline(always)]
fn reaches_by<M: Mask>(
    rules: &Rules<M>,
    moves: &MoveTables<M>,
    kind: KindId,
    from: Square,
    occupied: M,
) -> (M, M) {
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
    (quiet, capture)
}
