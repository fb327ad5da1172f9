//! Positions set up piece by piece.

use super::position::AnyPosition;
use super::{Position, Rules};
use ferz_core::board::Owner;
use ferz_core::position::{FenError, Parts, Position as Core};
use ferz_core::rules::AnyRules;
use std::sync::Arc;

/// A position that is being set up: see [`Position::builder`].
///
/// ```
/// use ferz_core::board::Owner;
/// use ferz_records::play::{Position, Rules};
///
/// let rules = Rules::named("iago-b")?;
/// let position = Position::builder(&rules)
///     .piece("e1", "K").piece("h1", "R").piece("e8", "k")
///     .reserve("Mm").castling("K").turn(Owner::Black).halfmoves(3).number(20)
///     .build().map_err(|faults| faults[0].clone())?;
/// assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R[Mm] b K - 3 20");
///
/// let faults = Position::builder(&rules).piece("e1", "K").piece("c1", "K").piece("z9", "Q").build().err();
/// let fields: Vec<_> = faults.into_iter().flatten().map(|fault| fault.to_string()).collect();
/// assert_eq!(fields, ["pieces: `z9` is not a square of this board", "pieces: White has 2 kings"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct PositionBuilder {
    rules: Rules,
    parts: Parts,
}

impl PositionBuilder {
    pub(super) fn new(rules: &Rules) -> PositionBuilder {
        PositionBuilder { rules: rules.clone(), parts: Parts::default() }
    }

    /// A piece on a square, by its letter in a FEN: White's `K`, Black's `k`, Nature's `*N`, a promoted pawn `Q~`.
    pub fn piece(mut self, square: &str, letter: &str) -> Self {
        self.parts.board.push((square.to_owned(), letter.to_owned()));
        self
    }

    /// The pieces in reserve, White's capital and Black's small: `MCmc`.
    pub fn reserve(mut self, letters: &str) -> Self {
        letters.clone_into(&mut self.parts.reserve);
        self
    }

    /// The pieces in hand, likewise.
    pub fn hand(mut self, letters: &str) -> Self {
        letters.clone_into(&mut self.parts.hand);
        self
    }

    /// The side to move; White if it is not given.
    pub fn turn(mut self, turn: Owner) -> Self {
        self.parts.turn = Some(turn);
        self
    }

    /// Castling and gating rights as a FEN writes them: `KQkq`, or letters of files.
    pub fn castling(mut self, rights: &str) -> Self {
        rights.clone_into(&mut self.parts.castling);
        self
    }

    /// The square that a pawn has just passed.
    pub fn en_passant(mut self, square: &str) -> Self {
        square.clone_into(&mut self.parts.en_passant);
        self
    }

    /// Halfmoves since the last pawn move, capture or entry.
    pub fn halfmoves(mut self, halfmoves: u16) -> Self {
        self.parts.halfmoves = halfmoves;
        self
    }

    /// Number of the move, from 1.
    pub fn number(mut self, number: u32) -> Self {
        self.parts.number = number;
        self
    }

    /// Nature's clock and rights as a FEN writes them after `~`: `3`, `0:a4`.
    pub fn nature(mut self, clock: &str) -> Self {
        clock.clone_into(&mut self.parts.nature);
        self
    }

    /// Entries that White and Black have left.
    pub fn entries(mut self, white: u8, black: u8) -> Self {
        self.parts.entries = Some([white, black]);
        self
    }

    /// The position.
    ///
    /// # Errors
    /// Every fault, by the name of its field. What depends on a faulty field is not looked at.
    pub fn build(self) -> Result<Position, Vec<FenError>> {
        Ok(Position(match &self.rules.0 {
            AnyRules::Narrow(rules) => AnyPosition::Narrow(Core::from_parts(Arc::clone(rules), &self.parts)?),
            AnyRules::Wide(rules) => AnyPosition::Wide(Core::from_parts(Arc::clone(rules), &self.parts)?),
        }))
    }
}
