//! The array of a record, which a position names while pieces reenter on its squares (CHA-8).

use super::Position;
use super::fen::{Fallible, Field};
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::placement::read_placement;
use crate::rules::{Piece, Rules};

impl<M: Mask> State<M> {
    /// True if the board is the array.
    fn stands_in_array(&self, rules: &Rules<M>) -> bool {
        rules.board().squares().all(|square| self.piece(square) == rules.array[square.index()])
    }

    /// The pieces of the array and nothing else.
    pub(super) fn of_array(rules: &Rules<M>) -> State<M> {
        let mut state = State::empty();
        for (square, piece) in (0u8..).map(Square).zip(&rules.array) {
            piece.iter().for_each(|piece| state.place(square, *piece, false));
        }
        state
    }

    /// `@` and the array, which the rules have read from it before.
    pub(super) fn read_array(&self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let array = read_placement(rules.board(), &rules.kinds, &field.text[1..], true)
            .or_else(|error| field.fail_at(error.span.shifted(1), error.message))?;
        let same =
            array.iter().zip(&rules.array).all(|(placed, piece)| placed.map(|placed| placed.piece) == *piece);
        if same { Ok(()) } else { field.fail("not the array of this game; write that of its start position") }
    }

    /// Writes the array if the position must name it and does not show it.
    pub(super) fn write_array(&self, rules: &Rules<M>, out: &mut String) {
        let named = rules.nature.as_ref().is_some_and(|nature| nature.names_array);
        if !named || self.stands_in_array(rules) {
            return;
        }
        let mut pieces = Vec::with_capacity(96);
        State::of_array(rules).write_pieces(rules, &mut pieces);
        out.push_str(" @");
        // The text is ASCII.
        out.push_str(&String::from_utf8(pieces).unwrap_or_default());
    }
}

impl<M: Mask> Position<M> {
    /// True if this start is a shuffle of an array as in Chess960 (FIDE 960): each player's first rank has the pieces
    /// of the array in another order, the players mirror each other, pieces bound to a colour stand on both colours as
    /// they do in the array, and the king has a rook on each side to castle with. All else is as in the array.
    pub fn is_shuffle_of(&self, array: &Position<M>) -> bool {
        let (rules, board) = (self.rules(), self.rules().board());
        let ranks = board.ranks() - 1;
        let kinds = |position: &Position<M>, rank: u8| -> Vec<Option<Piece>> {
            let squares = board.squares().filter(|square| board.rank(*square) == rank);
            squares.map(|square| position.piece(square)).collect()
        };
        let sorted = |mut pieces: Vec<Option<Piece>>| {
            pieces.sort_by_key(|piece| piece.map(|piece| (piece.owner.index(), piece.kind.index())));
            pieces
        };
        let same = (1..ranks).all(|rank| kinds(self, rank) == kinds(array, rank))
            && [0, ranks].into_iter().all(|rank| sorted(kinds(self, rank)) == sorted(kinds(array, rank)));
        let mirrored = board.squares().all(|square| {
            let [own, other] = [square, board.flipped(square)].map(|square| self.piece(square));
            own.map(|piece| piece.kind) == other.map(|piece| piece.kind)
        });
        let bound = |position: &Position<M>| {
            Owner::REAL.map(|owner| {
                let bishops = position.state().pieces_of(owner, rules.bishops);
                (bishops & rules.geometry.dark()).count()
            })
        };
        let rights = (self.status().castling.count(), array.status().castling.count());
        let between = Owner::REAL.into_iter().all(|owner| {
            let king = self.pieces(owner, rules.king);
            let rooks: Vec<Square> = (self.status().castling & self.state().owned(owner)).squares().collect();
            let kings: Vec<Square> = king.squares().collect();
            matches!((&rooks[..], &kings[..]), ([low, high], [king]) if low < king && king < high)
                || rights.1 == 0
        });
        let clean = (self.turn(), self.status().halfmoves) == (array.turn(), array.status().halfmoves);
        same && mirrored && bound(self) == bound(array) && rights.0 == rights.1 && between && clean
    }
}

#[cfg(test)]
mod tests {
    use crate::position::Position;
    use crate::rules::{AnyRules, Registry};

    /// A game that is adjourned after Nature took a piece goes on with the same reentries.
    #[test]
    fn an_adjourned_game_keeps_its_array() {
        let array = "nrkbbnrq/pppppppp/8/8/8/8/PPPPPPPP/NRKBBNRQ";
        let start = format!("{array}[] w KQkq - 0 1 ~0");
        let later = format!("nrkbbnrq/pppppppp/8/8/8/8/1PPPPPPP/1RKBBNRQ[N] w KQkq - 0 9 ~1 @{array}");
        let position = |fen: &str| {
            let tags = |tag: &str| (tag == "FEN").then(|| fen.to_owned());
            let AnyRules::Narrow(rules) = Registry::built_in().rules("chaos+chess960", &tags).unwrap() else {
                panic!("chess960 has 64 squares");
            };
            Position::from_fen(rules, fen)
        };
        assert_eq!(position(&start).unwrap().fen(), start);
        let adjourned = position(&later).unwrap();
        assert_eq!(adjourned.fen(), later);
        let board = adjourned.rules().board();
        let reentries = adjourned.plies().into_iter().filter(|ply| ply.from == crate::board::Square::NONE);
        let squares: Vec<String> = reentries.map(|ply| board.name(ply.to)).collect();
        assert_eq!(squares, ["a1"]);
        // Without the array the knight has one start square less.
        let bare = later.rsplit_once(' ').unwrap().0;
        assert!(position(bare).unwrap().plies().iter().all(|ply| ply.from != crate::board::Square::NONE));
        let rules = std::sync::Arc::clone(adjourned.shared_rules());
        let other = later.replace("@nrk", "@rnk");
        assert!(Position::from_fen(rules, &other).unwrap_err().message.contains("not the array"));
    }
}
