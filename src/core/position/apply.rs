//! Applies a ply and takes it back, through a small set of effects.

use super::ply::{Ply, Verb};
use super::state::{Over, State, Status, StockName};
use crate::board::{Mask, Owner, Square};
use crate::rules::compiled::Placed;
use crate::rules::definition::{BareKing, DelayScope, KingsSquare, MoveCount, PromotionTo, Reentry};
use crate::rules::moves::connects;
use crate::rules::{KindId, Piece, Rules};

/// An elementary change of the board or a stock. Every ply of every game is a list of these, and diagrams and
/// archives depend on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// A piece leaves a square; true for a promoted pawn.
    Lift(Square, Piece, bool),
    /// A piece is placed on a square; true for a promoted pawn.
    Place(Square, Piece, bool),
    /// The count of a kind in a stock changes from the first number to the second.
    Stock(StockName, Owner, KindId, u8, u8),
}

/// Records the effects of a ply, or ignores them.
pub trait Journal {
    /// Called for each effect, in order.
    fn note(&mut self, effect: Effect);
}

/// Ignores effects, for plies that are not taken back.
impl Journal for () {
    #[inline]
    fn note(&mut self, _: Effect) {}
}

/// Takes a ply back: its effects, and the status before it.
#[derive(Debug, Clone)]
pub struct Undo<M> {
    pub(super) status: Status<M>,
    effects: Effects,
}

/// The effects of one ply: at most two captures, two moving pieces and two gates, or nine exploded pieces.
#[derive(Debug, Clone)]
pub struct Effects {
    list: [Option<Effect>; Effects::ROOM],
    len: usize,
}

impl Effects {
    const ROOM: usize = 16;

    const fn none() -> Effects {
        Effects { list: [None; Effects::ROOM], len: 0 }
    }

    /// The effects in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Effect> + '_ {
        self.list[..self.len].iter().flatten().copied()
    }
}

impl Journal for Effects {
    fn note(&mut self, effect: Effect) {
        self.list[self.len] = Some(effect);
        self.len += 1;
    }
}

impl<M> Undo<M> {
    /// Everything besides squares and stocks before the ply.
    pub fn status(&self) -> &Status<M> {
        &self.status
    }

    /// The effects of the ply.
    pub fn effects(&self) -> &Effects {
        &self.effects
    }
}

impl<M: Mask> State<M> {
    /// Makes a legal ply.
    #[inline(always)]
    pub fn apply(&mut self, rules: &Rules<M>, ply: &Ply) {
        self.apply_with(rules, ply, &mut ());
    }

    /// Makes a legal ply that can be taken back.
    pub fn apply_undoable(&mut self, rules: &Rules<M>, ply: &Ply) -> Undo<M> {
        let mut undo = Undo { status: self.status, effects: Effects::none() };
        self.apply_with(rules, ply, &mut undo.effects);
        undo
    }

    /// Gives up the turn: a null move that was let stand.
    pub(super) fn pass(&mut self, rules: &Rules<M>) -> Undo<M> {
        let undo = Undo { status: self.status, effects: Effects::none() };
        let status = &mut self.status;
        status.halfmoves = status.halfmoves.saturating_add(1);
        status.number += u32::from(status.turn == Owner::Black);
        status.passed = Square::NONE;
        if let Some(nature) = rules.nature.as_ref().filter(|_| !status.nature.eliminated) {
            let clock = &mut status.nature.clock;
            *clock = clock.saturating_add(1).min(nature.period.max(nature.delay));
        }
        if self.status.en_passant != Square::NONE {
            self.set_en_passant(Square::NONE);
        }
        self.set_turn(self.status.turn.opponent());
        undo
    }

    /// Takes back the last ply.
    pub fn undo(&mut self, undo: &Undo<M>) {
        // The key is restored with the status.
        for effect in undo.effects.iter().rev() {
            match effect {
                Effect::Lift(square, piece, promoted) => self.put(square, piece, promoted),
                Effect::Place(square, piece, _) => {
                    self.take(square, piece);
                }
                Effect::Stock(name, owner, kind, before, _) => self.set_stock(name, owner, kind, before),
            }
        }
        self.status = undo.status;
    }

    #[inline(always)]
    fn apply_with(&mut self, rules: &Rules<M>, ply: &Ply, journal: &mut impl Journal) {
        let restarts = self.effects(rules, ply, journal);
        if ply.actor.is_real() {
            self.after_real_ply(rules, ply, restarts);
        } else {
            self.after_natures_ply(rules, *ply, restarts);
        }
        self.status.in_check = self.check_after(rules, ply);
        if !rules.plain {
            self.after_unusual_ply(rules, ply.actor, ply.to, journal);
        }
    }

    /// What only some games need after a ply: explosions, compulsory capture, endings on the board.
    #[inline(never)]
    fn after_unusual_ply(&mut self, rules: &Rules<M>, actor: Owner, to: Square, journal: &mut impl Journal) {
        self.status.arrived = to;
        if std::mem::take(&mut self.status.explodes) {
            self.explode(rules, to, journal);
            self.status.in_check = self.king_in_check(rules, self.status.turn);
        }
        if rules.special.captures_compulsory {
            self.status.must_capture = false;
            self.status.must_capture = self.find_must_capture(rules);
        }
        if rules.special.shows_ends {
            self.count_check(rules, actor);
            self.status.over = self.find_over(rules);
        }
        if rules.special.natures_anti_king && actor.is_real() {
            self.test_elimination(rules);
        }
    }

    /// True if the player now on move is in check. The mover did not attack that king before the ply, so only the moved
    /// piece, or a line that it opened, can attack it now.
    #[inline(always)]
    fn check_after(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        let player = self.status.turn;
        if ply.verb != Verb::Move || ply.gates_any() || !rules.only_lines {
            return self.check_from_nothing(rules, player);
        }
        let king = self.king(rules, player);
        if king == Square::NONE {
            return false;
        }
        let kind = ply.promotion.unwrap_or(ply.kind);
        let origins = rules.moves[ply.actor].origins(kind.index(), king, true);
        origins.any.has(ply.to) & connects(&rules.geometry, origins, ply.to, king, self.occupied())
            || self.opens_line(rules, king, ply.from, ply.actor, self.occupied(), self.owned(ply.actor))
    }

    #[inline(never)]
    fn check_from_nothing(&self, rules: &Rules<M>, player: Owner) -> bool {
        self.king_in_check(rules, player)
    }

    /// Moves the pieces. True if the halfmove clock restarts (COM-5, CHA-10).
    #[inline(always)]
    fn effects(&mut self, rules: &Rules<M>, ply: &Ply, journal: &mut impl Journal) -> bool {
        match ply.verb {
            Verb::Move => self.step_effects(rules, ply, journal),
            _ => self.special_effects(rules, *ply, journal),
        }
    }

    #[inline(always)]
    fn step_effects(&mut self, rules: &Rules<M>, ply: &Ply, journal: &mut impl Journal) -> bool {
        let captured = self.occupied().has(ply.to) && self.capture(rules, ply.actor, ply.to, journal);
        match ply.promotion {
            None => self.carry(ply.from, ply.to, Piece { owner: ply.actor, kind: ply.kind }, journal),
            Some(kind) => self.promote(rules, *ply, kind, journal),
        }
        let gated = ply.gates_any() && self.gate(rules, *ply, journal);
        captured | ((gated | rules.is_pawn(ply.kind)) & ply.actor.is_real())
    }

    /// By value, so the inlined caller can keep the `Ply` in registers.
    #[inline(never)]
    fn special_effects(&mut self, rules: &Rules<M>, ply: Ply, journal: &mut impl Journal) -> bool {
        let ply = &ply;
        match ply.verb {
            Verb::Move => self.step_effects(rules, ply, journal),
            Verb::EnPassant => {
                let captured = self.capture(rules, ply.actor, ply.other, journal);
                // Nature's pawn may capture on both squares.
                self.step_effects(rules, ply, journal) || captured
            }
            Verb::Castle => {
                self.castle(rules, ply, journal);
                ply.gates_any() && self.gate(rules, *ply, journal)
            }
            Verb::Switch => {
                let promoted = self.note_lift(ply.from, Piece { owner: ply.actor, kind: ply.kind }, journal);
                let kind = ply.promotion.unwrap_or(ply.kind);
                self.note_place(ply.to, Piece { owner: ply.actor, kind }, promoted, journal);
                ply.actor.is_real()
            }
            Verb::Pass => false,
            Verb::Drop => {
                if ply.actor.is_real() {
                    self.enter(rules, ply, journal);
                }
                self.note_place(ply.to, Piece { owner: ply.actor, kind: ply.kind }, false, journal);
                if ply.gates_any() {
                    self.gate(rules, *ply, journal);
                }
                true
            }
        }
    }

    /// Moves a piece to a vacant square.
    #[inline(always)]
    fn carry(&mut self, from: Square, to: Square, piece: Piece, journal: &mut impl Journal) {
        let promoted = self.shift_piece(from, to, piece);
        journal.note(Effect::Lift(from, piece, promoted));
        journal.note(Effect::Place(to, piece, promoted));
    }

    #[cold]
    fn promote(&mut self, rules: &Rules<M>, ply: Ply, kind: KindId, journal: &mut impl Journal) {
        self.note_lift(ply.from, Piece { owner: ply.actor, kind: ply.kind }, journal);
        let real = ply.actor.is_real();
        self.note_place(ply.to, Piece { owner: ply.actor, kind }, rules.marks_promoted && real, journal);
        if rules.promotion_to == PromotionTo::Pool && real {
            self.take_from_pool(rules, ply.actor, kind, journal);
        }
    }

    #[inline]
    pub(super) fn note_lift(&mut self, square: Square, piece: Piece, journal: &mut impl Journal) -> bool {
        let promoted = self.lift(square, piece);
        journal.note(Effect::Lift(square, piece, promoted));
        promoted
    }

    #[inline]
    fn note_place(&mut self, square: Square, piece: Piece, promoted: bool, journal: &mut impl Journal) {
        self.place(square, piece, promoted);
        journal.note(Effect::Place(square, piece, promoted));
    }

    fn note_stock(
        &mut self,
        name: StockName,
        owner: Owner,
        kind: KindId,
        change: i8,
        journal: &mut impl Journal,
    ) {
        let before = self.stock(name, owner, kind);
        let after = before.saturating_add_signed(change);
        self.set_stock(name, owner, kind, after);
        journal.note(Effect::Stock(name, owner, kind, before, after));
    }

    /// Takes the new piece from the captured ones if possible, otherwise from the reserve (IAB-8).
    fn take_from_pool(&mut self, rules: &Rules<M>, owner: Owner, kind: KindId, journal: &mut impl Journal) {
        let held = self.stock(StockName::Reserve, owner, kind) + self.stock(StockName::Hand, owner, kind);
        let present = self.pieces(owner, kind).count() + u32::from(held);
        if present > u32::from(rules.equipment[owner][kind.index()])
            && self.stock(StockName::Reserve, owner, kind) > 0
        {
            self.note_stock(StockName::Reserve, owner, kind, -1, journal);
        }
    }

    fn castle(&mut self, rules: &Rules<M>, ply: &Ply, journal: &mut impl Journal) {
        let king = Piece { owner: ply.actor, kind: ply.kind };
        let Some(rook) = self.piece(ply.other) else { return };
        let rook_to = self.castled_rook(rules, ply);
        self.note_lift(ply.from, king, journal);
        let promoted = self.note_lift(ply.other, rook, journal);
        self.note_place(ply.to, king, false, journal);
        self.note_place(rook_to, rook, promoted, journal);
    }

    /// The rook's square after castling: the file that the rules name, or beside Nature's king (CHA 10).
    pub(super) fn castled_rook(&self, rules: &Rules<M>, ply: &Ply) -> Square {
        match &rules.castling {
            Some(castling) if ply.actor.is_real() => rules.castling_targets(castling, ply.from, ply.other).1,
            _ => Square(((u16::from(ply.from.0) + u16::from(ply.to.0)) / 2) as u8),
        }
    }

    /// Captures the piece on a square, if any, and puts it into the stock that the rules name. True if there was one.
    fn capture(
        &mut self,
        rules: &Rules<M>,
        captor: Owner,
        square: Square,
        journal: &mut impl Journal,
    ) -> bool {
        let Some(victim) = self.piece(square) else { return false };
        let promoted = self.note_lift(square, victim, journal);
        if rules.special.captures_matter {
            self.status.explodes = rules.special.blast.is_some();
            self.keep_captured(rules, captor, victim, promoted, journal);
        }
        true
    }

    fn keep_captured(
        &mut self,
        rules: &Rules<M>,
        captor: Owner,
        victim: Piece,
        promoted: bool,
        journal: &mut impl Journal,
    ) {
        let pawn = rules.pawns.kinds().next().unwrap_or(victim.kind);
        let as_it_was = as_captured(rules, victim, promoted);
        match (&rules.nature, captor, victim.owner) {
            // CHA-19: what her Anti-King captures is out of the game.
            (_, Owner::Nature, Owner::Nature) => {}
            // A ply of hers was let stand in a game without her: she has no hand.
            (None, Owner::Nature, _) => {}
            (Some(nature), Owner::Nature, owner) => {
                let kind = match nature.reentry {
                    _ if rules.captures_to_hand => as_it_was,
                    Reentry::Piece if promoted => pawn,
                    _ => victim.kind,
                };
                let homeless = !rules.hand_drops && rules.array_squares[owner][kind.index()].is_empty();
                // CHA-18: a piece of the starting reserve without an array square returns to the reserve.
                let stock = if homeless && rules.has_reserve { StockName::Reserve } else { StockName::Hand };
                self.note_stock(stock, owner, kind, 1, journal);
            }
            // CHA-13: Nature's king leaves the game.
            (_, _, Owner::Nature) if victim.kind == rules.king => {}
            _ if rules.captures_to_hand => self.note_stock(StockName::Hand, captor, as_it_was, 1, journal),
            // CHA-17: so do all pieces of Nature's.
            (_, _, Owner::Nature) => {}
            (_, _, owner) if rules.captures_to_reserve && !rules.is_pawn(as_it_was) => {
                self.note_stock(StockName::Reserve, owner, as_it_was, 1, journal);
            }
            _ => {}
        }
    }

    /// Takes a dropped piece from its stock; reentry captures a piece on the square (CHA 5).
    fn enter(&mut self, rules: &Rules<M>, ply: &Ply, journal: &mut impl Journal) {
        let stock = self.drop_stock(rules, ply.actor, ply.kind);
        if stock == StockName::Reserve {
            self.count_entry(ply.actor);
        }
        self.capture(rules, ply.actor, ply.to, journal);
        self.note_stock(stock, ply.actor, ply.kind, -1, journal);
    }

    /// Counts an entry from the reserve (IAB 5). Without a limit the count may saturate.
    fn count_entry(&mut self, owner: Owner) {
        let entries = &mut self.status.entries[owner.index()];
        *entries = entries.saturating_add(1);
    }

    /// The stock that a kind is dropped from: the reserve if it holds the kind, and either drops come from there or the
    /// hand holds none (possible only for an illegal drop that was let stand).
    pub(super) fn drop_stock(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> StockName {
        let meant = rules.drops[owner].reserve.any() || self.stock(StockName::Hand, owner, kind) == 0;
        let from_reserve = meant && self.stock(StockName::Reserve, owner, kind) > 0;
        if from_reserve { StockName::Reserve } else { StockName::Hand }
    }

    #[cold]
    fn gate(&mut self, rules: &Rules<M>, ply: Ply, journal: &mut impl Journal) -> bool {
        for gate in ply.gates.iter().flatten() {
            if let Some(other) = rules.special.other_promotion.as_ref().filter(|_| rules.is_pawn(ply.kind)) {
                let promoted =
                    self.note_lift(gate.square, Piece { owner: ply.actor, kind: other.of }, journal);
                self.note_place(gate.square, Piece { owner: ply.actor, kind: gate.kind }, promoted, journal);
                continue;
            }
            self.note_stock(StockName::Reserve, ply.actor, gate.kind, -1, journal);
            self.note_place(gate.square, Piece { owner: ply.actor, kind: gate.kind }, false, journal);
            self.count_entry(ply.actor);
        }
        true
    }

    #[inline(always)]
    fn after_real_ply(&mut self, rules: &Rules<M>, ply: &Ply, restarts: bool) {
        let touched = touched::<M>(ply);
        let status = &mut self.status;
        // Branchless: a mask of all ones or zeros.
        let kept = u16::from(restarts).wrapping_sub(1);
        status.halfmoves = status.halfmoves.saturating_add(1) & kept;
        status.number += u32::from(ply.actor == Owner::Black);
        let king_moved = ply.kind == rules.king && !matches!(ply.verb, Verb::Drop | Verb::Pass);
        let lost = if king_moved { touched | rules.back_rank[ply.actor] } else { touched };
        if (self.status.castling & lost).any() {
            self.set_castling(self.status.castling & !lost);
        }
        self.set_turn(ply.actor.opponent());
        self.after_pawn_ply(rules, ply);
        if rules.lazy_key {
            self.after_special_ply(rules, *ply, touched);
        }
    }

    /// [`State::after_real_ply`] for a step that was made plainly.
    #[inline(always)]
    pub(super) fn after_plain_step(&mut self, rules: &Rules<M>, step: &Ply, captured: bool) {
        let is_pawn = rules.is_pawn(step.kind);
        let status = &mut self.status;
        // Branchless: a mask of all ones or zeros.
        let kept = u16::from(captured | is_pawn).wrapping_sub(1);
        status.halfmoves = status.halfmoves.saturating_add(1) & kept;
        status.number += u32::from(step.actor == Owner::Black);
        let touched = M::bit(step.from) | M::bit(step.to);
        let lost = if step.kind == rules.king { touched | rules.back_rank[step.actor] } else { touched };
        if (self.status.castling & lost).any() {
            self.set_castling(self.status.castling & !lost);
        }
        self.set_turn(step.actor.opponent());
        if is_pawn || self.status.en_passant != Square::NONE {
            self.after_plain_pawn_step(rules, *step);
        } else {
            self.status.passed = Square::NONE;
        }
    }

    #[inline(never)]
    fn after_plain_pawn_step(&mut self, rules: &Rules<M>, step: Ply) {
        self.after_pawn_ply(rules, &step);
    }

    /// King and rooks that were placed where they castle from get the right to: no piece has moved before.
    #[cold]
    fn gain_castling(&mut self, rules: &Rules<M>, owner: Owner, placed: Placed) {
        let (Some(castling), king) = (&rules.castling, self.king(rules, owner)) else { return };
        let (board, home) = (rules.board(), rules.back_rank[owner]);
        if king != Square::NONE && home.has(king) && board.file(king) == placed.king {
            let rooks = self.pieces_of(owner, castling.rooks) & home;
            let castles = |rook: &Square| placed.rooks >> board.file(*rook) & 1 == 1;
            self.set_castling(self.status.castling | M::of(rooks.squares().filter(castles)));
        }
    }

    /// Rights of pieces that never moved, deployment, counted moves and Nature's state after a real ply.
    #[inline(never)]
    fn after_special_ply(&mut self, rules: &Rules<M>, ply: Ply, touched: M) {
        self.status.passes = if ply.verb == Verb::Pass { (self.status.passes + 1).min(2) } else { 0 };
        self.status.unmoved &= !touched;
        if ply.verb == Verb::Drop
            && ply.to == rules.deployment_square[ply.actor]
            && self.status.number - u32::from(ply.actor == Owner::Black) == 1
            && self.first_entry(&ply)
        {
            // IAC-2: the deployed piece counts as having started there.
            self.status.unmoved |= M::bit(ply.to);
        }
        if ply.verb == Verb::Drop
            && let Some(placed) = rules.castling.and_then(|castling| castling.placed)
        {
            self.gain_castling(rules, ply.actor, placed);
        }
        self.forget_spent_gates(rules);
        if rules.ends.count != MoveCount::None {
            self.count_on(rules, ply.actor);
        }
        let Some(nature) = &rules.nature else { return };
        let state = &mut self.status.nature;
        if state.eliminated {
            return;
        }
        state.clock = state.clock.saturating_add(1).min(nature.period.max(nature.delay));
        state.unmoved &= !touched;
        state.doubles &= !touched;
        if touched.has(state.fresh) || state.clock >= nature.delay {
            state.fresh = Square::NONE;
        }
        if is_double_step(rules, &ply) {
            state.doubles |= M::bit(ply.to);
        }
    }

    /// True if the ply just made was its player's first entry.
    fn first_entry(&self, ply: &Ply) -> bool {
        self.status.entries[ply.actor.index()] == 1
    }

    /// The en passant right after a real ply.
    #[inline(always)]
    fn after_pawn_ply(&mut self, rules: &Rules<M>, ply: &Ply) {
        if self.status.en_passant != Square::NONE {
            self.set_en_passant(Square::NONE);
        }
        self.status.passed = Square::NONE;
        if rules.en_passant && is_double_step(rules, ply) && rules.special.passing[ply.actor].has(ply.from) {
            if rules.first_step > 2 {
                return self.after_long_step(rules, ply);
            }
            let passed = Square(((u16::from(ply.from.0) + u16::from(ply.to.0)) / 2) as u8);
            self.status.passed = passed;
            if self.en_passant_is_possible(rules, ply.actor.opponent(), passed) {
                self.set_en_passant(passed);
            }
        }
    }

    /// The en passant right after a first step in a game that knows more than two squares.
    #[cold]
    fn after_long_step(&mut self, rules: &Rules<M>, ply: &Ply) {
        let passed = |steps: u8| rules.board().offset(ply.from, 0, steps as i8 * ply.actor.forward());
        let mut between: Vec<Square> =
            (1..rules.first_step).map_while(passed).take_while(|passed| *passed != ply.to).collect();
        self.status.passed = between.last().copied().unwrap_or(Square::NONE);
        between.sort_unstable();
        self.set_en_passants(rules, ply.actor.opponent(), between.into_iter());
    }

    #[inline(never)]
    fn after_natures_ply(&mut self, rules: &Rules<M>, ply: Ply, restarts: bool) {
        let Some(nature) = &rules.nature else { return };
        let touched = touched::<M>(&ply);
        if restarts {
            self.status.halfmoves = 0;
        }
        if (self.status.castling & touched).any() {
            self.set_castling(self.status.castling & !touched);
        }
        self.status.unmoved &= !touched;
        // CHA-24: no moves are counted while she has a piece, and passes are no longer running.
        self.status.count = None;
        self.status.passes = 0;
        let state = &mut self.status.nature;
        let places = ply.verb == Verb::Drop && rules.special.anti_king == Some(ply.kind);
        // CHA-19: the placement is no in-between turn.
        if !places {
            state.clock = 0;
            state.doubles = M::EMPTY;
            state.unmoved &= !touched;
            if ply.verb == Verb::Drop {
                state.unmoved |= M::bit(ply.to);
            }
            state.fresh = if nature.delay_scope == DelayScope::Piece { ply.to } else { Square::NONE };
        }
        // CHA-14: the right lasts while the pawn is there and the passed square is vacant.
        if self.status.en_passant != Square::NONE {
            let turn = self.status.turn;
            let stands = |passed: &Square| self.en_passant_victim(rules, turn, *passed).is_some();
            let left: Vec<Square> = self.status.en_passants().filter(stands).collect();
            self.set_en_passants(rules, turn, left.into_iter());
        }
    }

    /// The ending that the position shows without its history (ING 5, IAV-1, MAK-1).
    #[inline(never)]
    pub(super) fn find_over(&self, rules: &Rules<M>) -> Option<Over> {
        if let Some(over) = self.find_won(rules) {
            return Some(over);
        }
        for owner in Owner::REAL {
            let arrived = self.owned(owner) & rules.kings_square[owner];
            let wins = match rules.ends.kings_square {
                KingsSquare::None => false,
                KingsSquare::MustBecomeKing | KingsSquare::MayBecomeKing => {
                    !self.pieces(owner, rules.king).is_single()
                        && arrived.any()
                        && self.pieces(owner, rules.king).any()
                }
                KingsSquare::PawnSuffices => {
                    rules.pawns.kinds().any(|pawn| (arrived & self.of_kind(pawn)).any())
                }
            };
            if wins {
                return Some(Over::KingsSquare(owner));
            }
        }
        let found =
            self.find_annihilated(rules).or_else(|| self.find_bare(rules)).or_else(|| self.counted_out());
        found.or_else(|| self.find_passed(rules))
    }

    fn find_bare(&self, rules: &Rules<M>) -> Option<Over> {
        if !rules.ends.bare_king.loses() {
            return None;
        }
        let at_once = rules.ends.bare_king == BareKing::AtOnce;
        let (mover, other) = (self.status.turn, self.status.turn.opponent());
        match (self.is_bare(rules, mover), self.is_bare(rules, other)) {
            (true, true) => Some(Over::BareKings),
            (false, true) => Some(Over::BareKing(other)),
            (true, false) if at_once || !self.can_bare(rules, mover) => Some(Over::BareKing(mover)),
            _ => None,
        }
    }

    /// True if a player has nothing but a king, on the board and in stocks.
    pub fn is_bare(&self, rules: &Rules<M>, owner: Owner) -> bool {
        let kings = self.pieces(owner, rules.king);
        let stocks = self.reserve(owner).iter().chain(self.hand(owner)).all(|&n| n == 0);
        kings.is_single() && self.owned(owner) == kings && stocks
    }

    /// The pieces after a ply; nothing that follows from it.
    #[cold]
    #[inline(never)]
    pub(super) fn with_pieces_moved(&self, rules: &Rules<M>, ply: &Ply) -> State<M> {
        let mut after = self.clone();
        after.effects(rules, ply, &mut ());
        after
    }

    /// True if a legal ply of the bare player leaves the opponent with a bare king too (IAV-1).
    fn can_bare(&self, rules: &Rules<M>, mover: Owner) -> bool {
        self.any_real_ply(rules, |ply| {
            let mut after = self.clone();
            after.effects(rules, ply, &mut ());
            if after.status.explodes {
                after.explode(rules, ply.to, &mut ());
            }
            after.is_bare(rules, mover.opponent())
        })
    }
}

/// The kind that a captured piece has in a stock; a promoted pawn may be a pawn again (ZH 4).
pub(super) fn as_captured<M: Mask>(rules: &Rules<M>, victim: Piece, promoted: bool) -> KindId {
    if promoted && rules.definition.captures.promoted_revert {
        rules.pawns.kinds().next().unwrap_or(victim.kind)
    } else {
        rules.kind(victim.kind).captured_as
    }
}

/// The squares that a ply leaves, enters or clears.
#[inline(always)]
fn touched<M: Mask>(ply: &Ply) -> M {
    let touched = M::bit(ply.to);
    match ply.verb {
        Verb::Move => touched | M::bit(ply.from),
        Verb::EnPassant | Verb::Castle => touched | M::bit(ply.from) | M::bit(ply.other),
        Verb::Drop | Verb::Switch => touched,
        Verb::Pass => M::EMPTY,
    }
}

/// True for a pawn's two squares forward, or three where its first step may be that long.
#[inline(always)]
pub(super) fn is_double_step<M: Mask>(rules: &Rules<M>, ply: &Ply) -> bool {
    let (far, files) = (ply.from.0.abs_diff(ply.to.0), rules.board().files());
    rules.double_step[ply.actor].has(ply.from)
        && (far == 2 * files || rules.first_step > 2 && far == 3 * files)
        && rules.is_pawn(ply.kind)
        && ply.verb == Verb::Move
        // What it became did not step.
        && ply.promotion.is_none()
}
