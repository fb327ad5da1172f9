//! Style `iccf`: numeric notation of the International Correspondence Chess Federation. Files and ranks are digits from
//! 1 as White sees the board; a fifth digit is the promotion.

use super::form::{Form, Pass, Row};
use crate::board::{Board, Mask, Owner, Square};
use crate::notation::coord;
use crate::notation::express::{Lack, changes, is_other_army};
use crate::notation::letters::Letters;
use crate::notation::movetext::{Habits, MoveText, Shape};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};

/// The promotions by their digits from 1.
const PROMOTIONS: &[u8; 4] = b"QRBN";

/// Numeric notation.
pub(in crate::notation) struct Iccf;

impl Form for Iccf {
    const ROW: Row = Row {
        name: "iccf",
        example: "5254",
        pass: Pass::Missing,
        allows: |habits| habits.has(Habits::NUMERIC),
        shown_by: |habits, _| habits.has(Habits::NUMERIC),
        ..Row::COORDINATES
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        let rules = position.rules();
        let digit = |kind| promotion_digit(rules.kind(kind).label[ply.actor].letter);
        match ply.verb {
            _ if changes(rules, ply) => Some(Lack::Change),
            _ if !is_eight_by_eight(rules.board()) => Some(Lack::Board),
            _ if ply.actor == Owner::Nature => Some(Lack::Nature),
            Verb::Drop => Some(Lack::Drop),
            _ if ply.gates_any() => Some(Lack::Gate),
            _ => {
                let kind = ply.promotion?;
                let unsaid = is_other_army(rules, ply.actor, kind) || digit(kind).is_none();
                unsaid.then_some(Lack::PromotionKind)
            }
        }
    }

    /// Castling is written as in coordinates: the king's two squares or, in Chess960, where these may also be a step,
    /// the king's and the rook's.
    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let (rules, board) = (position.rules(), position.rules().board());
        let (from, to) = coord::squares(rules, ply);
        for square in [from, to] {
            out.push((b'1' + board.file(square)) as char);
            out.push((b'1' + board.rank(square)) as char);
        }
        let kind = ply.promotion.map(|kind| rules.kind(kind).label[ply.actor].letter);
        out.extend(kind.and_then(promotion_digit));
        Ok(())
    }
}

fn is_eight_by_eight(board: Board) -> bool {
    board.files() == 8 && board.ranks() == 8
}

fn promotion_digit(letter: u8) -> Option<char> {
    let place = PROMOTIONS.iter().position(|&known| known == letter)?;
    char::from_digit(place as u32 + 1, 10)
}

/// Reads `5254` or `57581`; `None` if the token has another form or the game another board.
pub(in crate::notation) fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let board = letters.board();
    let (squares, promotion) = match token {
        [squares @ .., digit] if squares.len() == 4 => (squares, Some(*digit)),
        _ => (token, None),
    };
    let &[from_file, from_rank, to_file, to_rank] = squares else { return None };
    let number = |digit: u8| digit.checked_sub(b'1').filter(|&number| number < 8);
    let square = |file: u8, rank: u8| -> Option<Square> {
        board.square(number(file)? as i8, number(rank)? as i8).filter(|_| is_eight_by_eight(board))
    };
    let from = square(from_file, from_rank)?;
    let mut text = MoveText::new(Shape::Squares);
    (text.from_file, text.from_rank) = (Some(board.file(from)), Some(board.rank(from)));
    text.to = square(to_file, to_rank)?;
    text.habits = Habits::NUMERIC;
    if let Some(digit) = promotion {
        let letter = PROMOTIONS.get(usize::from(digit.checked_sub(b'1')?))?;
        text.promotion = Some(letters.kind(mover, *letter, false, false)?);
    }
    Some(text)
}
