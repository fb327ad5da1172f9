//! In-between turns: the actions of Nature (rulebook CHA).

use super::attack::Shift;
use super::generate::Sink;
use super::ply::{Gate, Ply, Verb};
use super::state::{NatureState, State};
use crate::board::{Mask, Owner, Square};
use crate::rules::compiled::Nature;
use crate::rules::definition::{AntiKingsFedBy, NatureAntiCheck, NatureEnPassant};
use crate::rules::{KindId, Rules};

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// Why a pseudo-legal action of Nature's is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NatureFault {
    /// The capture exposes a king to the opponent's pieces (CHA 6).
    CaptureExposes,
    /// The king of the player not on move would be attacked by the player on move (CHA-6).
    ExposesWaitingKing,
    /// The introduced piece would attack a piece other than a pawn (CHA 3).
    AttacksPiece(Square),
    /// A player's Anti-King would be left in anti-check (CHA-21).
    ExposesAntiKing(Square),
    /// Nature's own Anti-King would be left in anti-check (CHA-19).
    AntiCheck,
    /// Nature's own Anti-King is in anti-check, and does not move (CHA-19, the other reading).
    AntiKingStays,
}

/// What endangers the players' royal pieces.
pub(super) struct Exposed<M> {
    /// The opponent's pieces that attack each king.
    attackers: [M; 2],
    /// Whether each player's Anti-King is in anti-check.
    starved: [bool; 2],
}

impl<M: Mask> State<M> {
    /// True if Nature's clock allows an in-between turn (CHA 1). Endings are not considered.
    pub fn nature_is_due(&self, rules: &Rules<M>) -> bool {
        let Some(nature) = &rules.nature else { return false };
        let state = &self.status.nature;
        (state.clock >= nature.period || self.placement_is_due(rules)) && !state.eliminated
    }

    /// True if Nature must place her Anti-King before anything else happens (CHA-19).
    #[inline]
    pub fn placement_is_due(&self, rules: &Rules<M>) -> bool {
        rules.special.natures_anti_king
            && !self.status.nature.eliminated
            && self.natures_anti_king(rules).is_none()
    }

    fn natures_anti_king(&self, rules: &Rules<M>) -> Option<Square> {
        self.pieces(Owner::Nature, rules.special.anti_king?).lowest().some()
    }

    /// Puts Nature out of the game if the game goes on, a turn is available, her Anti-King is in anti-check, and no
    /// action would end that (CHA-20).
    #[cold]
    pub(super) fn test_elimination(&mut self, rules: &Rules<M>) {
        let lost = self.nature_is_due(rules)
            && self.natures_anti_king(rules).is_none_or(|at| self.is_unfed(rules, at, &self.unshifted()))
            && !self.any_natures_ply(rules, |_| true)
            && self.finish(rules).is_none();
        if lost {
            self.status.nature = NatureState { eliminated: true, ..State::empty().status.nature };
            self.status.in_check = self.king_in_check(rules, self.status.turn);
        }
    }

    /// True if Nature's Anti-King is in anti-check: no player's piece other than a king attacks it (CHA-19).
    pub fn in_natures_anti_check(&self, rules: &Rules<M>) -> bool {
        self.natures_anti_king(rules).is_some_and(|square| self.is_unfed(rules, square, &self.unshifted()))
    }

    /// True if no player's piece other than a king attacks Nature's Anti-King on `square`.
    fn is_unfed(&self, rules: &Rules<M>, square: Square, shift: &Shift<M>) -> bool {
        let shift = Shift { gone: shift.gone | self.real_kings(rules), ..*shift };
        !Owner::REAL.iter().any(|&owner| self.attacks(rules, square, owner, &shift))
    }

    /// Why a pseudo-legal action does not do for Nature's Anti-King; `None` if it does, or she has none (CHA-19).
    pub(super) fn natures_anti_check(&self, rules: &Rules<M>, ply: &Ply) -> Option<NatureFault> {
        let nature = rules.nature.as_ref().filter(|_| rules.special.natures_anti_king)?;
        let moves_it = rules.special.anti_king == Some(ply.kind);
        let stands = self.natures_anti_king(rules);
        let square = if moves_it { ply.to } else { stands? };
        if self.is_unfed(rules, square, &self.shift(rules, ply)) {
            return Some(NatureFault::AntiCheck);
        }
        let stays = nature.anti_check == NatureAntiCheck::Move && !moves_it;
        (stays && self.is_unfed(rules, square, &self.unshifted())).then_some(NatureFault::AntiKingStays)
    }

    /// Calls `found` for each legal action of Nature's until it returns true. Does not test whether an in-between turn
    /// is available, or she is out of the game.
    pub fn any_natures_ply(&self, rules: &Rules<M>, mut found: impl FnMut(&Ply) -> bool) -> bool {
        let before = self.exposed(rules, &self.unshifted());
        self.any_natures_try(rules, |ply| self.nature_fault_from(rules, ply, &before).is_none() && found(ply))
    }

    /// Calls `found` for each pseudo-legal action of Nature's until it returns true. King safety is not considered, nor
    /// whether she is out of the game.
    pub fn any_natures_try(&self, rules: &Rules<M>, mut found: impl FnMut(&Ply) -> bool) -> bool {
        let Some(nature) = &rules.nature else { return false };
        if let Some(kind) = rules.special.anti_king.filter(|_| self.placement_is_due(rules)) {
            let vacant = rules.geometry.all() & !self.occupied();
            return vacant.squares().any(|to| found(&Ply::drop(Owner::Nature, kind, to)));
        }
        self.introductions(rules, nature, &mut found)
            || self.nature_steps(rules, nature, &mut found)
            || self.nature_switches(rules, &mut found)
            || nature.castling && self.nature_castlings(rules, nature, &mut found)
    }

    fn introductions(&self, rules: &Rules<M>, nature: &Nature<M>, found: &mut impl Sink) -> bool {
        let vacant = rules.geometry.all() & !self.occupied();
        nature.introduces.kinds().any(|kind| {
            let squares = if kind == nature.pawn { vacant & !nature.border } else { vacant };
            squares.squares().any(|to| found.take(&Ply::drop(Owner::Nature, kind, to)))
        })
    }

    fn nature_steps(&self, rules: &Rules<M>, nature: &Nature<M>, found: &mut impl Sink) -> bool {
        let occupied = self.occupied();
        let takes_any = occupied & !self.untouchable(rules);
        for from in self.owned(Owner::Nature).squares() {
            let Some(piece) = self.piece(from) else { continue };
            let (quiet, captures) = self.reaches(rules, Owner::Nature, piece.kind, from, occupied);
            let own = if rules.captures_own(piece.kind) { M::EMPTY } else { self.owned(Owner::Nature) };
            for to in (quiet | captures & takes_any & !own).squares() {
                let ply = Ply::step(Owner::Nature, piece.kind, from, to);
                if self.each_natures_promotion(rules, nature, &ply, found) {
                    return true;
                }
            }
            if piece.kind == nature.pawn && self.natures_pawn_specials(rules, nature, from, found) {
                return true;
            }
        }
        false
    }

    /// Emits a step with each promotion: on the border Nature's pawn must be promoted (CHA 11).
    fn each_natures_promotion(
        &self,
        rules: &Rules<M>,
        nature: &Nature<M>,
        ply: &Ply,
        found: &mut impl Sink,
    ) -> bool {
        if ply.kind != nature.pawn {
            return found.take(ply);
        }
        if !nature.border.has(ply.to) {
            return self.natures_arrival(rules, nature, ply, found);
        }
        let promoted = |kind| Ply { promotion: Some(kind), ..*ply };
        nature.promotes.kinds().any(|kind| self.natures_arrival(rules, nature, &promoted(kind), found))
    }

    /// Emits a move of Nature's pawn with each piece that it promotes by its arrival (CHA-22).
    #[inline]
    fn natures_arrival(
        &self,
        rules: &Rules<M>,
        nature: &Nature<M>,
        ply: &Ply,
        found: &mut impl Sink,
    ) -> bool {
        let Some((squares, kinds)) = self.natures_other_promotions(rules, nature, (ply.from, ply.to)) else {
            return found.take(ply);
        };
        squares.squares().any(|square| {
            kinds.kinds().any(|kind| found.take(&Ply { gates: [Some(Gate { kind, square }), None], ..*ply }))
        })
    }

    /// Nature's switches of a piece on its square (CHA-22).
    fn nature_switches(&self, rules: &Rules<M>, found: &mut impl Sink) -> bool {
        let Some(switch) = rules.special.switch else { return false };
        let pieces = self.pieces(Owner::Nature, switch.from);
        pieces.squares().any(|square| found.take(&Ply::switch(Owner::Nature, switch.from, square, switch.to)))
    }

    fn natures_pawn_specials(
        &self,
        rules: &Rules<M>,
        nature: &Nature<M>,
        from: Square,
        found: &mut impl Sink,
    ) -> bool {
        let board = rules.board();
        if self.status.nature.unmoved.has(from) && nature.next_to_border.has(from) {
            for &(dx, dy) in &nature.pawn_steps {
                let Some(to) = board.offset(from, 2 * dx, 2 * dy) else { continue };
                let passes = board.offset(from, dx, dy).is_some_and(|middle| !self.occupied().has(middle));
                let ply = Ply::step(Owner::Nature, nature.pawn, from, to);
                if passes
                    && !self.occupied().has(to)
                    && self.each_natures_promotion(rules, nature, &ply, found)
                {
                    return true;
                }
            }
        }
        self.natures_en_passants(rules, nature, from)
            .into_iter()
            .any(|ply| self.each_natures_promotion(rules, nature, &ply, found))
    }

    /// En passant captures from `from`, without promotions (CHA 12).
    pub(super) fn natures_en_passants(&self, rules: &Rules<M>, nature: &Nature<M>, from: Square) -> Vec<Ply> {
        if !nature.en_passant.has(from) {
            return Vec::new();
        }
        let board = rules.board();
        let closed = self.owned(Owner::Nature) | self.untouchable(rules);
        let mut plies = Vec::new();
        for (dx, dy) in ORTHOGONAL {
            let Some(victim) = board.offset(from, dx, dy).filter(|&s| self.status.nature.doubles.has(s))
            else {
                continue;
            };
            let pawn = match nature.en_passant_to {
                NatureEnPassant::Beside => from,
                NatureEnPassant::Behind => victim,
            };
            for side in [1, -1] {
                let Some(to) = board.offset(pawn, dy * side, dx * side).filter(|&s| !closed.has(s)) else {
                    continue;
                };
                plies.push(Ply {
                    verb: Verb::EnPassant,
                    other: victim,
                    ..Ply::step(Owner::Nature, nature.pawn, from, to)
                });
            }
        }
        plies
    }

    fn nature_castlings(&self, rules: &Rules<M>, nature: &Nature<M>, found: &mut impl Sink) -> bool {
        nature.castling_pairs.iter().any(|&(king, rook)| {
            self.nature_castling(rules, nature, king, rook).is_some_and(|ply| found.take(&ply))
        })
    }

    /// The castling of Nature's king with one of its rooks, if both are unmoved and no piece is between (CHA 10).
    pub(super) fn nature_castling(
        &self,
        rules: &Rules<M>,
        nature: &Nature<M>,
        king: Square,
        rook: Square,
    ) -> Option<Ply> {
        let still = self.status.nature.unmoved;
        let stand = (self.pieces(Owner::Nature, nature.king) & still).has(king)
            && (self.pieces(Owner::Nature, nature.rook) & still).has(rook);
        if !stand {
            return None;
        }
        let (king_at, rook_at) = (i16::from(king.0), i16::from(rook.0));
        // King and rook of the table share a file or a rank, so one step is one file or one rank.
        let one_rank = rules.board().rank(king) == rules.board().rank(rook);
        let unit = if one_rank { 1 } else { i16::from(rules.board().files()) };
        let step = unit * (rook_at - king_at).signum();
        let mut at = king_at + step;
        while at != rook_at {
            if self.occupied().has(Square(at as u8)) {
                return None;
            }
            at += step;
        }
        let to = Square((king_at + 2 * step) as u8);
        Some(Ply { verb: Verb::Castle, other: rook, ..Ply::step(Owner::Nature, nature.king, king, to) })
    }

    /// What endangers the players' royal pieces after a shift.
    pub(super) fn exposed(&self, rules: &Rules<M>, shift: &Shift<M>) -> Exposed<M> {
        let attackers = Owner::REAL.map(|owner| {
            let king = self.king(rules, owner);
            if king == Square::NONE { M::EMPTY } else { self.attackers(rules, king, owner.opponent(), shift) }
        });
        let starved = match rules.special.anti_king {
            None => [false; 2],
            Some(kind) => Owner::REAL.map(|owner| {
                let square = self.pieces(owner, kind).lowest();
                square != Square::NONE && self.is_neglected(rules, owner, square, shift)
            }),
        };
        Exposed { attackers, starved }
    }

    /// Why a pseudo-legal action of Nature's is illegal; `None` if it is legal.
    pub fn nature_fault(&self, rules: &Rules<M>, ply: &Ply) -> Option<NatureFault> {
        self.nature_fault_from(rules, ply, &self.exposed(rules, &self.unshifted()))
    }

    fn nature_fault_from(&self, rules: &Rules<M>, ply: &Ply, before: &Exposed<M>) -> Option<NatureFault> {
        if ply.verb == Verb::Drop
            && let Some(square) = self.introduction_attacks(rules, ply.kind, ply.to)
        {
            return Some(NatureFault::AttacksPiece(square));
        }
        self.exposure(rules, ply, before).or_else(|| self.natures_anti_check(rules, ply))
    }

    /// The fault of an action that exposes a king or an Anti-King, given what endangered each before it.
    pub(super) fn exposure(&self, rules: &Rules<M>, ply: &Ply, before: &Exposed<M>) -> Option<NatureFault> {
        let mut after = self.exposed(rules, &self.shift(rules, ply));
        let feeds = |nature: &Nature<M>| nature.anti_kings_fed_by == AntiKingsFedBy::All;
        if rules.special.natures_anti_king && rules.nature.as_ref().is_some_and(feeds) {
            // A shift holds no attack by the piece that moves.
            let made = self.with_pieces_moved(rules, ply);
            after.starved = made.exposed(rules, &made.unshifted()).starved;
        }
        let captures = ply.verb == Verb::EnPassant || ply.verb == Verb::Move && self.occupied().has(ply.to);
        if captures && (0..2).any(|player| (after.attackers[player] & !before.attackers[player]).any()) {
            return Some(NatureFault::CaptureExposes);
        }
        let waiting = self.status.turn.opponent();
        if after.attackers[waiting.index()].any() {
            return Some(NatureFault::ExposesWaitingKing);
        }
        let starves = |owner: &Owner| {
            let player = owner.index();
            after.starved[player] && (*owner == waiting || captures && !before.starved[player])
        };
        let owner = Owner::REAL.into_iter().find(starves)?;
        Some(NatureFault::ExposesAntiKing(self.pieces(owner, rules.special.anti_king?).lowest()))
    }

    /// A player's piece, not a pawn, that an introduced piece would attack (CHA 3, CHA-9).
    pub(super) fn introduction_attacks(&self, rules: &Rules<M>, kind: KindId, at: Square) -> Option<Square> {
        let (_, captures) = self.reaches(rules, Owner::Nature, kind, at, self.occupied());
        let pawns = rules.pawns.kinds().fold(M::EMPTY, |all, pawn| all | self.of_kind(pawn));
        // CHA-23: soldiers are what her pawns are.
        let soldiers = rules.nature.as_ref().map_or(M::EMPTY, |nature| self.of_kind(nature.pawn));
        let pieces = (self.owned(Owner::White) | self.owned(Owner::Black)) & !(pawns | soldiers);
        (captures & pieces).lowest().some()
    }
}
