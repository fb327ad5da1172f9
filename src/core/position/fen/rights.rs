//! The castling and gating rights of a FEN.

use super::{Fallible, Field};
use crate::board::{Mask, Owner, Square};
use crate::position::state::State;
use crate::rules::Rules;
use crate::rules::compiled::Castling;
use crate::rules::definition::CastlingNotation;
use crate::text::Span;

impl<M: Mask> State<M> {
    pub(super) fn read_castling(
        &mut self,
        rules: &Rules<M>,
        field: &Field<'_>,
        lenient: bool,
    ) -> Fallible<()> {
        if matches!(field.text, "-" | "") {
            return Ok(());
        }
        for (at, byte) in field.text.bytes().enumerate() {
            let owner = if byte.is_ascii_uppercase() { Owner::White } else { Owner::Black };
            let letter = byte.to_ascii_uppercase();
            let right = match letter {
                b'K' | b'Q' => self.castling_letter(rules, owner, letter == b'K'),
                b'A'..=b'P' => self.file_letter(rules, owner, letter - b'A'),
                _ => {
                    let message = format!("`{}`: not a right; write KQkq or file letters", byte as char);
                    return field.fail_at(Span::new(at, at + 1), message);
                }
            };
            if let (Err(message), false) = (right, lenient) {
                return field.fail_at(Span::new(at, at + 1), format!("`{}`: {message}", byte as char));
            }
        }
        self.forget_spent_gates(rules);
        Ok(())
    }

    fn castling_letter(&mut self, rules: &Rules<M>, owner: Owner, king_side: bool) -> Result<(), String> {
        let Some(castling) = &rules.castling else { return Err("this game has no castling".into()) };
        let rook = self.outermost_rook(rules, castling, owner, king_side);
        let rook = rook
            .ok_or_else(|| format!("{} has no rook for this right on the king's back rank", owner.name()))?;
        self.add_castling(rules, castling, owner, rook)
    }

    fn add_castling(
        &mut self,
        rules: &Rules<M>,
        castling: &Castling,
        owner: Owner,
        rook: Square,
    ) -> Result<(), String> {
        let king = self.king(rules, owner);
        let at_home = |square: Square| {
            rules.array[square.index()].is_some_and(|piece| self.piece(square) == Some(piece))
        };
        if castling.notation == CastlingNotation::KingTarget && !(at_home(king) && at_home(rook)) {
            return Err(format!("{}'s king or rook is not on its array square", owner.name()));
        }
        self.status.castling |= M::bit(rook);
        if rules.gating.is_some() {
            self.status.unmoved |= M::bit(rook) | M::bit(king);
        }
        Ok(())
    }

    /// Reads the file of a piece that has never moved (games with gating) or of a rook that may castle (Shredder-FEN).
    fn file_letter(&mut self, rules: &Rules<M>, owner: Owner, file: u8) -> Result<(), String> {
        let board = rules.board();
        let rank = if owner == Owner::White { 0 } else { board.ranks() as i8 - 1 };
        let square = board.square(file as i8, rank).ok_or("there is no such file")?;
        if let Some(leaps) = &rules.special.first_leaps {
            let start = (leaps.starts[owner] & rules.geometry.file(file)).lowest();
            let stands = |start: Square| {
                self.piece(start).is_some_and(|piece| piece.owner == owner && leaps.kinds.has(piece.kind))
            };
            if start != Square::NONE && stands(start) {
                self.status.unmoved |= M::bit(start);
                return Ok(());
            }
            if rules.castling.is_none() {
                return Err(format!("{} has no piece with a first leap on its square there", owner.name()));
            }
        }
        let piece = self.piece(square).filter(|piece| piece.owner == owner);
        let Some(piece) = piece else {
            return Err(format!("{} has no piece on {}", owner.name(), board.name(square)));
        };
        if rules.gating.is_some() {
            self.status.unmoved |= M::bit(square);
            if !self.castles_by_letter(rules, owner, square) {
                return Ok(());
            }
        }
        let Some(castling) = rules.castling else { return Err("this game has no castling".into()) };
        let king = self.king(rules, owner);
        if !castling.rooks.has(piece.kind) || king == Square::NONE || !rules.back_rank[owner].has(king) {
            return Err(format!("the piece on {} is not a rook that can castle", board.name(square)));
        }
        self.add_castling(rules, &castling, owner, square)
    }

    /// True if the letter of a rook's file is a castling right in a game with gating: where the king may start on any
    /// square and nothing is left to gate, so that the letter would have no effect as a gating right (IAV-4).
    fn castles_by_letter(&self, rules: &Rules<M>, owner: Owner, rook: Square) -> bool {
        let Some(castling) = &rules.castling else { return false };
        let king = self.king(rules, owner);
        castling.notation == CastlingNotation::RookSquare
            && self.reserve_total(owner) == 0
            && self.piece(rook).is_some_and(|piece| castling.rooks.has(piece.kind))
            && king != Square::NONE
            && rules.back_rank[owner].has(king)
    }
}
