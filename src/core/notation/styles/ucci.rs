//! Styles `ucci` and `iccs`: two squares with ranks from 0, `h2e2` and `H2-E2`.

use super::form::{Form, Row, own_lacks};
use super::step;
use crate::board::{Board, Mask, Owner, Square};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Habits, MoveText, Unreadable};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position};
use crate::rules::definition::OwnStyle;

/// Squares with ranks from 0.
pub(in crate::notation) struct Ucci;

/// The same in capitals.
pub(in crate::notation) struct Iccs;

impl Form for Ucci {
    const ROW: Row = Row {
        name: "ucci",
        example: "h2e2",
        own: Some(OwnStyle::Ucci),
        allows: |habits| habits.has(Habits::ZERO_RANKS),
        shown_by: |habits, _| habits.has(Habits::ZERO_RANKS),
        read_required: Some(read),
        ..Row::OWN_COORDINATES
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, false, position, ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        write_squares(position.rules().board(), ply, out);
        Ok(())
    }
}

impl Form for Iccs {
    const ROW: Row = Row {
        name: "iccs",
        example: "H2-E2",
        own: Some(OwnStyle::Iccs),
        allows: |habits| habits.has(Habits::ICCS),
        shown_by: |habits, _| habits.has(Habits::ICCS),
        read: Some(read_capitals),
        ..Row::OWN_COORDINATES
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, false, position, ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let mut squares = String::with_capacity(4);
        write_squares(position.rules().board(), ply, &mut squares);
        squares.make_ascii_uppercase();
        let (from, to) = squares.split_at(2);
        out.extend([from, "-", to]);
        Ok(())
    }
}

fn write_squares(board: Board, ply: &Ply, out: &mut String) {
    for square in [ply.from, ply.to] {
        out.push(char::from(b'a' + board.file(square)));
        out.push(char::from(b'0' + board.rank(square)));
    }
}

/// Reads `h2e2`, in games that list the style.
fn read(letters: &Letters, _: Owner, token: &[u8]) -> Option<Result<MoveText, Unreadable>> {
    letters.own().filter(|own| own.has(OwnStyle::Ucci))?;
    let &[file, rank, to_file, to_rank] = token else { return None };
    steps(letters, [[file, rank], [to_file, to_rank]], Habits::ZERO_RANKS).map(Ok)
}

/// Reads `H2-E2`.
fn read_capitals(letters: &Letters, _: Owner, token: &[u8]) -> Option<Result<MoveText, Unreadable>> {
    let &[file @ b'A'..=b'Z', rank, b'-', to_file @ b'A'..=b'Z', to_rank] = token else { return None };
    let small = |file: u8| file.to_ascii_lowercase();
    steps(letters, [[small(file), rank], [small(to_file), to_rank]], Habits::ICCS).map(Ok)
}

fn steps(letters: &Letters, squares: [[u8; 2]; 2], habits: Habits) -> Option<MoveText> {
    let board = letters.board();
    let square = |[file, rank]: [u8; 2]| -> Option<Square> {
        let number = |byte: u8, from: u8, count: u8| {
            byte.checked_sub(from).filter(|number| *number < count).map(|number| number as i8)
        };
        let rank = number(rank, b'0', board.ranks().min(10))?;
        board.square(number(file, b'a', board.files())?, rank)
    };
    let (from, to) = (square(squares[0])?, square(squares[1])?);
    Some(step(letters, from, to, habits))
}
