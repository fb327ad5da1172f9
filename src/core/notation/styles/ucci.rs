//! Styles `ucci` and `iccs`: two squares with ranks from 0, `h2e2` and `H2-E2`.

use super::step;
use crate::board::{Board, Square};
use crate::notation::letters::Letters;
use crate::notation::movetext::{Habits, MoveText};
use crate::position::Ply;

/// Appends a step of a piece in style `ucci`.
pub(in crate::notation) fn write(board: Board, ply: &Ply, out: &mut String) {
    for square in [ply.from, ply.to] {
        out.push(char::from(b'a' + board.file(square)));
        out.push(char::from(b'0' + board.rank(square)));
    }
}

/// Appends a step of a piece in style `iccs`.
pub(in crate::notation) fn write_iccs(board: Board, ply: &Ply, out: &mut String) {
    let mut squares = String::with_capacity(4);
    write(board, ply, &mut squares);
    squares.make_ascii_uppercase();
    let (from, to) = squares.split_at(2);
    out.extend([from, "-", to]);
}

/// Reads `h2e2`; `None` if the token has another form.
pub(in crate::notation) fn read(letters: &Letters, token: &[u8]) -> Option<MoveText> {
    let &[file, rank, to_file, to_rank] = token else { return None };
    steps(letters, [[file, rank], [to_file, to_rank]], Habits::ZERO_RANKS)
}

/// Reads `H2-E2`; `None` if the token has another form or the game another style.
pub(in crate::notation) fn read_iccs(letters: &Letters, token: &[u8]) -> Option<MoveText> {
    letters.own().filter(|own| own.has_iccs)?;
    let &[file @ b'A'..=b'Z', rank, b'-', to_file @ b'A'..=b'Z', to_rank] = token else { return None };
    let small = |file: u8| file.to_ascii_lowercase();
    steps(letters, [[small(file), rank], [small(to_file), to_rank]], Habits::ICCS)
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
