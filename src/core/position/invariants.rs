//! A slow check of the invariants of the incremental state.

use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::{KindId, Rules};

impl<M: Mask> State<M> {
    /// Checks masks against cells, the key and the cached check against recomputed ones, and rights against their
    /// pieces.
    pub(super) fn check_invariants(&self, rules: &Rules<M>) -> Result<(), String> {
        let board = rules.board();
        for square in board.squares() {
            for owner in Owner::ALL {
                for kind in (0..rules.kinds.len() as u8).map(KindId) {
                    let stands = self.piece(square).is_some_and(|p| p.owner == owner && p.kind == kind);
                    ensure(self.pieces(owner, kind).has(square) == stands, || {
                        format!("masks and cells differ on {}", board.name(square))
                    })?;
                }
            }
        }
        let all = Owner::ALL.iter().fold(M::EMPTY, |all, &owner| all | self.owned(owner));
        ensure(self.occupied() == all, || "the occupied squares are not those of all owners".into())?;
        let status = self.status();
        ensure(status.key == self.key_from_nothing(rules), || "the incremental key is wrong".into())?;
        ensure(status.in_check == self.king_in_check(rules, status.turn), || {
            "the cached check is wrong".into()
        })?;
        let mut free = self.clone();
        free.status.must_capture = false;
        ensure(!status.explodes && status.must_capture == free.find_must_capture(rules), || {
            "the cached duty to capture is wrong".into()
        })?;
        let waiting = status.turn.opponent();
        let king = self.king(rules, waiting);
        let attacked = king != Square::NONE
            && status.over.is_none()
            && !rules.definition.setup.waiting_check
            && self.attacks_by_capture(rules, king, status.turn, &self.unshifted())
            && !self.is_shielded(rules, waiting, king, &self.unshifted());
        ensure(!attacked, || format!("{}, not on move, is in check", waiting.name()))?;
        self.check_rights(rules)
    }

    fn check_rights(&self, rules: &Rules<M>) -> Result<(), String> {
        let status = self.status();
        let real = self.owned(Owner::White) | self.owned(Owner::Black);
        let rooks = rules.castling.map_or(M::EMPTY, |castling| {
            Owner::REAL.iter().fold(M::EMPTY, |all, &owner| all | self.pieces_of(owner, castling.rooks))
        });
        ensure((status.castling & !rooks).is_empty(), || "a castling right without its rook".into())?;
        ensure((status.unmoved & !real).is_empty(), || "a gating right without its piece".into())?;
        ensure((status.nature.unmoved & !self.owned(Owner::Nature)).is_empty(), || {
            "Nature's right without its piece".into()
        })?;
        let pawns = rules.pawns.kinds().fold(M::EMPTY, |all, pawn| all | self.of_kind(pawn)) & real;
        ensure((status.nature.doubles & !pawns).is_empty(), || "a double step without its pawn".into())?;
        for passed in status.en_passants() {
            ensure(self.en_passant_is_possible(rules, status.turn, passed), || {
                "an en passant right without effect".into()
            })?;
        }
        let kings = (self.real_kings(rules)).count();
        ensure(kings <= 2 || status.over.is_some(), || format!("{kings} kings"))
    }
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
