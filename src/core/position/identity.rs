//! What makes two positions the same (COM-3), written out.

use super::Position;
use super::count::Count;
use super::state::{NatureState, State};
use crate::board::{Mask, Owner, Square};
use crate::rules::Rules;
use crate::rules::compiled::Nature;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

/// Rights that count only while they have an effect.
pub(super) struct Effective<M> {
    /// Squares whose pieces may still gate, of players that have something to gate.
    pub(super) gating: M,
    /// Squares whose pieces still have their first leap.
    pub(super) leaps: M,
    /// Entries left by player, if the reserve does not show them.
    pub(super) entries: [Option<u8>; 2],
    /// The count that runs.
    pub(super) count: Option<Count>,
    /// The passes that the last plies were: a second one ends the game.
    pub(super) passed: u8,
    /// Nature's clock, and those of its rights that matter.
    pub(super) nature: Option<NatureState<M>>,
}

impl<M: Mask> Position<M> {
    /// All that makes two positions the same, as ASCII text: equal identities are the same position (COM-3), and
    /// different ones are not. Counters and move numbers are no part of it.
    ///
    /// The first two fields are those of the extended FEN: board and stocks, and the side to move. Rights follow by
    /// name, each only where it has an effect: `castling` (squares of rooks), `en-passant`, `gating` and `first-leaps`
    /// (squares), `entries` (White's and Black's left, `-` where the reserve shows them), `checks` (given by White and
    /// by Black), `count` (moves made, limit, who counts), `passes` (the last plies), `nature` (its clock; squares
    /// of its unmoved pieces; double steps it may answer; the piece in its delay).
    ///
    /// Two positions can be made to share a [`Position::key`], but not an identity.
    pub fn identity(&self) -> Vec<u8> {
        self.state.identity(&self.rules).into_bytes()
    }

    /// [`Position::identity`] if an en passant right counted only while a capture is legal. Where Nature may unpin a
    /// pawn it counts while one stands ready (COM-3).
    pub(crate) fn identity_by_legal_en_passant(&self) -> Vec<u8> {
        let (rules, state) = (&*self.rules, &self.state);
        let is_legal = |passed: &Square| state.en_passant_is_legal(rules, state.status.turn, *passed);
        if state.status.en_passants().all(|passed| is_legal(&passed)) {
            return self.identity();
        }
        let mut legal = state.status.en_passants().filter(is_legal);
        let [first, second] = [legal.next(), legal.next()].map(|square| square.unwrap_or(Square::NONE));
        let mut without = state.clone();
        without.set_en_passant(first);
        without.set_en_passant_too(second);
        without.identity(rules).into_bytes()
    }

    /// Hashes what [`Position::identity`] writes, without writing it.
    pub fn hash_identity(&self, hasher: &mut impl Hasher) {
        let (rules, state) = (&*self.rules, &self.state);
        let kinds = rules.kinds.len();
        (state.status.turn, state.status.castling, state.status.en_passant, state.promoted).hash(hasher);
        [Owner::White, Owner::Black, Owner::Nature].map(|owner| state.owned(owner)).hash(hasher);
        state.by_kind[..kinds].hash(hasher);
        if rules.has_hand || rules.has_reserve || rules.nature.is_some() {
            for stocks in [&state.reserve, &state.hand] {
                stocks.iter().for_each(|stock| hasher.write(&stock[..kinds]));
            }
        }
        if rules.ends.checks > 0 {
            state.status.checks.hash(hasher);
        }
        if rules.first_step > 2 {
            state.status.en_passant_too.hash(hasher);
        }
        if rules.lazy_key {
            let Effective { gating, leaps, entries, count, passed, nature } = state.effective(rules);
            (gating, leaps, entries, count, passed, nature).hash(hasher);
        }
    }
}

impl<M: Mask> State<M> {
    fn identity(&self, rules: &Rules<M>) -> String {
        let mut text = self.fen_pieces(rules);
        text.push_str(if self.status.turn == Owner::White { " w" } else { " b" });
        let squares = |mask: M| {
            let mut names: Vec<String> = mask.squares().map(|square| rules.board().name(square)).collect();
            names.sort_unstable();
            names.join(",")
        };
        let Effective { gating, leaps, entries, count, passed, nature } = self.effective(rules);
        let en_passant = M::of(self.status.en_passants());
        let castling = ("castling", self.status.castling);
        let lists = [castling, ("en-passant", en_passant), ("gating", gating), ("first-leaps", leaps)];
        // Writing to a string cannot fail.
        for (name, mask) in lists.into_iter().filter(|(_, mask)| mask.any()) {
            let _ = write!(text, " {name}={}", squares(mask));
        }
        if entries != [None; 2] {
            let [white, black] = entries.map(|left| left.map_or("-".to_owned(), |left| left.to_string()));
            let _ = write!(text, " entries={white},{black}");
        }
        if self.status.checks != [0; 2] {
            let [white, black] = self.status.checks;
            let _ = write!(text, " checks={white},{black}");
        }
        if let Some(Count { by, made, limit, .. }) = count {
            let _ = write!(text, " count={made}/{limit},{}", if by == Owner::White { 'w' } else { 'b' });
        }
        if passed > 0 {
            let _ = write!(text, " passes={passed}");
        }
        if let Some(NatureState { clock, unmoved, doubles, fresh, eliminated }) = nature {
            let fresh = fresh.some().map_or(M::EMPTY, M::bit);
            let [unmoved, doubles, fresh] = [unmoved, doubles, fresh].map(squares);
            let _ = if eliminated {
                write!(text, " nature=-")
            } else {
                write!(text, " nature={clock};{unmoved};{doubles};{fresh}")
            };
        }
        text
    }

    /// The rights that have an effect.
    pub(super) fn effective(&self, rules: &Rules<M>) -> Effective<M> {
        let mut gating = M::EMPTY;
        for owner in Owner::REAL {
            if rules.gating.is_some() && self.entries_left(rules, owner) > 0 && self.reserve_total(owner) > 0
            {
                gating |= self.status.unmoved & self.owned(owner);
            }
        }
        let leaps = if rules.special.first_leaps.is_some() { self.status.unmoved } else { M::EMPTY };
        let entries = Owner::REAL.map(|owner| self.explicit_entries(rules, owner));
        let nature = rules.nature.as_ref().map(|nature| {
            let state = &self.status.nature;
            let delayed = state.fresh.some().filter(|_| state.clock < nature.delay);
            NatureState {
                clock: state.clock,
                unmoved: state.unmoved & self.effective_unmoved(nature),
                doubles: self.effective_doubles(rules, nature),
                fresh: delayed.unwrap_or(Square::NONE),
                eliminated: state.eliminated,
            }
        });
        Effective { gating, leaps, entries, count: self.status.count, passed: self.status.passes, nature }
    }

    /// Squares where an unmoved piece of Nature's has a right: castling squares, pawns next to the border.
    fn effective_unmoved(&self, nature: &Nature<M>) -> M {
        let mut squares = M::EMPTY;
        if nature.castling {
            let (kings, rooks) =
                (self.pieces(Owner::Nature, nature.king), self.pieces(Owner::Nature, nature.rook));
            squares |= kings & M::of(nature.castling_pairs.iter().map(|pair| pair.0));
            squares |= rooks & M::of(nature.castling_pairs.iter().map(|pair| pair.1));
        }
        if nature.pawns {
            squares |= self.pieces(Owner::Nature, nature.pawn) & nature.next_to_border;
        }
        squares
    }

    /// The double steps that a pawn of Nature's can answer.
    fn effective_doubles(&self, rules: &Rules<M>, nature: &Nature<M>) -> M {
        if !nature.pawns {
            return M::EMPTY;
        }
        let ready = self.pieces(Owner::Nature, nature.pawn) & nature.en_passant;
        let board = rules.board();
        let contact = |square: Square| {
            [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .iter()
                .any(|&(dx, dy)| board.offset(square, dx, dy).is_some_and(|s| ready.has(s)))
        };
        M::of(self.status.nature.doubles.squares().filter(|&square| contact(square)))
    }
}
