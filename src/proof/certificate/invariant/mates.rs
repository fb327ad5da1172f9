//! Whether a structure leaves room for a mate.

use super::ranges::{Man, Ranges, piece_count, reach};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::moves::connects;
use ferz_core::rules::{KindId, Rules};

/// How far a piece of the victim's is followed that may stand in the way of another one.
const OBSTRUCTIONS: u8 = 3;

/// A structure with the question whether `attacker` may mate.
struct Mates<'m, M> {
    ranges: &'m Ranges<M>,
    rules: &'m Rules<M>,
    start: &'m Position<M>,
    attacker: Owner,
    victim: Owner,
    /// Fixed pieces of the attacker's.
    fixed: M,
    /// For each of the victim's men besides its king, where it may stand.
    blockers: Vec<M>,
}

/// The mover of a mate: the attacker's only piece that is neither the king nor fixed.
#[derive(Clone, Copy)]
struct Mover {
    kind: KindId,
    on: Square,
}

impl<M: Mask> Ranges<M> {
    /// True unless no position of the structure is a mate by `attacker`.
    pub(super) fn may_mate(&self, start: &Position<M>, attacker: Owner) -> bool {
        let mates = self.mates(start, attacker);
        let movers = piece_count(start, attacker) - mates.fixed.count();
        self.stands(attacker.opponent(), start.rules().king).squares().any(|king| {
            mates.with_many(king)
                && match movers {
                    0 => mates.with_one(king, None),
                    1 => mates.by_one(king),
                    _ => true,
                }
        })
    }

    fn mates<'m>(&'m self, start: &'m Position<M>, attacker: Owner) -> Mates<'m, M> {
        let (rules, victim) = (start.rules(), attacker.opponent());
        let fixed = self.fixed() & start.owned(attacker);
        Mates {
            ranges: self,
            rules,
            start,
            attacker,
            victim,
            fixed: fixed & !start.pieces(attacker, rules.king),
            blockers: self.men_of(victim).filter(|man| man.kind != rules.king).map(Man::squares).collect(),
        }
    }
}

impl<M: Mask> Mates<'_, M> {
    /// The squares that the attacker's pieces, each anywhere in its range, may attack besides its king; `king` does not
    /// stand in the way of what attacks beyond it.
    fn attacked_by_any(&self, squares: M, king: Square) -> M {
        let blocking = self.ranges.fixed() & !M::bit(king);
        let attacks = |to: Square| {
            self.rules.all_kinds().kinds().filter(|kind| *kind != self.rules.king).any(|kind| {
                let origins = self.rules.moves[self.attacker].origins(kind.index(), to, true);
                let from = origins.any & self.ranges.stands(self.attacker, kind) & !M::bit(to);
                from.squares().any(|from| connects(&self.rules.geometry, origins, from, to, blocking))
            })
        };
        M::of(squares.squares().filter(|to| attacks(*to)))
    }

    /// The squares next to the victim's king on `king`, as far as no fixed piece of its own is there.
    fn escapes(&self, king: Square) -> M {
        let reach = self.rules.moves[self.victim].reach(self.rules.king.index(), king);
        let own = self.ranges.fixed() & self.start.owned(self.victim) & !M::bit(king);
        // A step that only captures, or only does not, is no sure escape.
        reach.leap_quiet & reach.leap_capture & !own
    }

    /// The squares that the attacker's king attacks from `from`.
    fn by_king(&self, from: Square) -> M {
        self.rules.moves[self.attacker].reach(self.rules.king.index(), from).leap_capture
    }

    /// The squares where the attacker's king may stand while the victim's is on `king`.
    fn kings(&self, king: Square) -> M {
        let near = self.rules.moves[self.victim].reach(self.rules.king.index(), king).leap_capture;
        let all = self.ranges.stands(self.attacker, self.rules.king) & !near & !M::bit(king);
        M::of(all.squares().filter(|from| !self.by_king(*from).has(king)))
    }

    /// True unless no mate on `king` is possible, wherever the attacker's pieces stand.
    fn with_many(&self, king: Square) -> bool {
        let escapes = self.escapes(king);
        let attacked = self.attacked_by_any(escapes | M::bit(king), king);
        if !attacked.has(king) {
            return false;
        }
        let left = escapes & !attacked;
        self.kings(king).squares().any(|own| self.blocked(left & !self.by_king(own)))
    }

    /// True if the victim's pieces may stand on all these squares, each on one.
    fn blocked(&self, squares: M) -> bool {
        let mut taken = vec![Square::NONE; self.blockers.len()];
        squares.squares().all(|square| {
            let mut tried = M::EMPTY;
            self.block(square, &mut taken, &mut tried)
        })
    }

    /// Finds a man for a square, one that has another square to go to if need be; `tried` squares were asked before.
    fn block(&self, square: Square, taken: &mut [Square], tried: &mut M) -> bool {
        if tried.has(square) {
            return false;
        }
        *tried |= M::bit(square);
        for number in 0..self.blockers.len() {
            let is_free = taken[number] == Square::NONE;
            if self.blockers[number].has(square) && (is_free || self.block(taken[number], taken, tried)) {
                taken[number] = square;
                return true;
            }
        }
        false
    }

    /// True unless no mate on `king` is possible for the attacker's only mover, wherever it stands.
    fn by_one(&self, king: Square) -> bool {
        self.with_one(king, None)
            || self.rules.all_kinds().kinds().filter(|kind| *kind != self.rules.king).any(|kind| {
                let on = self.ranges.stands(self.attacker, kind) & !self.ranges.fixed() & !M::bit(king);
                on.squares().any(|on| self.with_one(king, Some(Mover { kind, on })))
            })
    }

    /// The squares that the attacker's fixed pieces may attack.
    fn by_fixed(&self, king: Square) -> M {
        let blocking = self.ranges.fixed() & !M::bit(king);
        self.fixed.squares().fold(M::EMPTY, |all, from| match self.start.piece(from) {
            Some(piece) => all | reach(self.rules, self.attacker, piece.kind, from, blocking).1,
            None => all,
        })
    }

    /// True unless no mate on `king` is possible with the mover there, or with the fixed pieces alone.
    fn with_one(&self, king: Square, mover: Option<Mover>) -> bool {
        let blocking = self.ranges.fixed() & !M::bit(king);
        let moves = |mover: Mover| reach(self.rules, self.attacker, mover.kind, mover.on, blocking).1;
        let (fixed, moving) = (self.by_fixed(king), mover.map_or(M::EMPTY, moves));
        if !(fixed | moving).has(king) {
            return false;
        }
        let on = mover.map_or(M::EMPTY, |mover| M::bit(mover.on));
        let left = self.escapes(king) & !fixed & !moving;
        self.kings(king).squares().filter(|own| !on.has(*own)).any(|own| {
            let left = left & !self.by_king(own);
            // The king takes an unprotected mover; on its square no one else blocks.
            if (left & on).any() || !self.blocked(left) {
                return false;
            }
            match mover {
                Some(mover) if !fixed.has(king) => self.no_blocker_answers(king, own, mover, left),
                _ => true,
            }
        })
    }

    /// True if on each of these squares some piece of the victim's may stand that can neither take the mover nor step
    /// between it and the king.
    fn no_blocker_answers(&self, king: Square, own: Square, mover: Mover, squares: M) -> bool {
        // A piece that leaves its square may open a line of a fixed piece.
        let moves = &self.rules.moves[self.attacker];
        let slides = |from: Square| {
            self.start.piece(from).is_some_and(|piece| {
                moves.slides_straight().has(piece.kind) || moves.slides_diagonally().has(piece.kind)
            })
        };
        if self.fixed.squares().any(slides) {
            return true;
        }
        let leaps = moves.origins(mover.kind.index(), king, true).leaps.has(mover.on);
        let between = if leaps { M::EMPTY } else { self.rules.geometry.between(king, mover.on) };
        let answer = Answer { king, own, mover: mover.on, between };
        squares.squares().all(|square| {
            self.blocking_kinds(square).any(|kind| !self.answers(&answer, kind, square, OBSTRUCTIONS))
        })
    }

    /// The kinds of the victim's pieces that may stand on a square.
    fn blocking_kinds(&self, square: Square) -> impl Iterator<Item = KindId> {
        let kinds = self.rules.all_kinds().kinds().filter(|kind| *kind != self.rules.king);
        kinds.filter(move |kind| self.ranges.stands(self.victim, *kind).has(square))
    }

    /// True if a piece of the victim's on `from` can end the check, whatever else stands on the board.
    fn answers(&self, check: &Answer<M>, kind: KindId, from: Square, depth: u8) -> bool {
        let moves = &self.rules.moves[self.victim];
        (M::bit(check.mover) | check.between).squares().any(|to| {
            let origins = moves.origins(kind.index(), to, to == check.mover);
            let passed = self.rules.geometry.between(from, to);
            // Pawns are not counted on for double steps, nor where there may be nothing to promote to.
            let forced = self.rules.promotion[self.victim].forced.has(to);
            let pawn = self.rules.is_pawn(kind) && (forced || to != check.mover && passed.any());
            origins.any.has(from)
                && !pawn
                && (origins.leaps.has(from)
                    || !passed.squares().any(|square| self.may_obstruct(check, square, depth)))
        })
    }

    /// True if something may stand on a square that does not itself end the check.
    fn may_obstruct(&self, check: &Answer<M>, square: Square, depth: u8) -> bool {
        [check.king, check.mover].contains(&square)
            || square == check.own
            || self.ranges.fixed().has(square)
            || self.blocking_kinds(square).any(|kind| match depth {
                0 => true,
                _ => !self.answers(check, kind, square, depth - 1),
            })
    }
}

/// A check by the mover along with all that is known to stand on the board.
struct Answer<M> {
    king: Square,
    /// The attacker's king.
    own: Square,
    mover: Square,
    /// The vacant squares between mover and king.
    between: M,
}
