//! The 64-bit key of a position: equal positions (COM-3) have equal keys.
//!
//! Keys are a fixed function of the position, equal in every run and on every machine, so an archive may store them.

use super::count::Count;
use super::identity::Effective;
use super::state::{NatureState, State, StockName};
use crate::board::{Mask, Owner, Square};
use crate::rules::{KIND_SLOTS, KindId, Piece, Rules};
use crate::text::limits::{KINDS_MAX, SQUARES_MAX};
use crate::text::mix;

const PIECES: usize = (2 * KINDS_MAX + KIND_SLOTS) * SQUARES_MAX;

/// By owner, kind and square.
static PIECE_KEYS: [u64; PIECES] = {
    let mut keys = [0; PIECES];
    let mut index = 0;
    while index < PIECES {
        keys[index] = mix(index as u64 | 1 << 32);
        index += 1;
    }
    keys
};

/// Black is on move.
pub const BLACK_TO_MOVE: u64 = mix(2 << 32);

/// A piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    let (kind, square) = (piece.kind.slot(), square.index() % SQUARES_MAX);
    PIECE_KEYS[(piece.owner.index() * KINDS_MAX + kind) * SQUARES_MAX + square]
}

/// A promoted pawn stands on a square.
pub const fn promoted(square: Square) -> u64 {
    mix(square.0 as u64 | 3 << 32)
}

/// The rook on a square may castle.
pub const fn castling(square: Square) -> u64 {
    mix(square.0 as u64 | 4 << 32)
}

/// A pawn may be captured en passant on a square.
pub const fn en_passant(square: Square) -> u64 {
    if square.0 == Square::NONE.0 { 0 } else { mix(square.0 as u64 | 5 << 32) }
}

/// A stock holds a number of a kind.
pub const fn stock(name: StockName, owner: Owner, kind: KindId, count: u8) -> u64 {
    if count == 0 {
        return 0;
    }
    let which = owner.index() as u64 * 2 + matches!(name, StockName::Hand) as u64;
    mix(count as u64 | (kind.0 as u64) << 8 | which << 16 | 6 << 32)
}

/// A player has given a number of checks.
pub const fn checks(owner: Owner, count: u8) -> u64 {
    if count == 0 { 0 } else { mix(count as u64 | (owner.index() as u64) << 8 | 20 << 32) }
}

const fn on_square(what: u64, square: Square) -> u64 {
    mix(square.0 as u64 | what << 32)
}

impl<M: Mask> State<M> {
    /// The position's key.
    #[inline]
    pub fn key(&self, rules: &Rules<M>) -> u64 {
        if rules.lazy_key { self.status.key ^ self.lazy_key(rules) } else { self.status.key }
    }

    /// The part of the key for rights that count only while they have an effect.
    fn lazy_key(&self, rules: &Rules<M>) -> u64 {
        let Effective { gating, leaps, entries, count, passed, nature } = self.effective(rules);
        let mut key = each(gating, 7) ^ each(leaps, 13);
        if let Some(Count { by, made, limit, boards }) = count {
            let whose = (by.index() as u64) << 1 | u64::from(boards);
            key ^= mix(u64::from(made) | u64::from(limit) << 8 | whose << 16 | 14 << 32);
        }
        if passed > 0 {
            key ^= mix(u64::from(passed) | 21 << 32);
        }
        for owner in Owner::REAL {
            if let Some(left) = entries[owner.index()] {
                key ^= mix(u64::from(left) | (owner.index() as u64) << 8 | 8 << 32);
            }
        }
        if let Some(NatureState { clock, unmoved, doubles, fresh, eliminated }) = nature {
            key ^= mix(u64::from(clock) | 9 << 32) ^ each(unmoved, 10) ^ each(doubles, 11);
            if let Some(fresh) = fresh.some() {
                key ^= on_square(12, fresh);
            }
            if eliminated {
                key ^= mix(22 << 32);
            }
        }
        key
    }

    /// Recomputes the incremental part of the key (for tests and checks).
    pub(super) fn key_from_nothing(&self, rules: &Rules<M>) -> u64 {
        let mut key = if self.status.turn == Owner::Black { BLACK_TO_MOVE } else { 0 };
        for square in rules.board().squares() {
            if let Some(found) = self.piece(square) {
                key ^= piece(found, square);
            }
        }
        key ^= self.promoted.squares().fold(0, |key, square| key ^ promoted(square));
        key ^= self.status.castling.squares().fold(0, |key, square| key ^ castling(square));
        for owner in Owner::REAL {
            key ^= checks(owner, self.status.checks[owner.index()]);
            for kind in (0..rules.kinds.len() as u8).map(KindId) {
                for name in [StockName::Reserve, StockName::Hand] {
                    key ^= stock(name, owner, kind, self.stock(name, owner, kind));
                }
            }
        }
        key ^ en_passant(self.status.en_passant) ^ en_passant(self.status.en_passant_too)
    }
}

fn each<M: Mask>(squares: M, what: u64) -> u64 {
    squares.squares().fold(0, |key, square| key ^ on_square(what, square))
}
