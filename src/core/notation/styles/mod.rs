//! The styles, one file each or one for a family: their rows of the table, how they write a ply, and how they read the
//! forms that no other style has.

pub(super) mod algebraic;
pub(super) mod by_file;
pub(super) mod chinese;
pub(super) mod coordinates;
pub(super) mod figurine;
pub(super) mod form;
pub(super) mod iccf;
pub(super) mod janggi;
pub(super) mod shogi;
pub(super) mod smith;
pub(super) mod thai;
pub(super) mod ucci;
pub(super) mod wxf;

use super::letters::Letters;
use super::movetext::{Habits, MoveText, Shape, Unreadable};
use crate::board::{Mask, Owner, Square};
use crate::position::Position;

/// The text of a step between two squares, which names no piece.
fn step(letters: &Letters, from: Square, to: Square, habits: Habits) -> MoveText {
    let board = letters.board();
    MoveText {
        kinds: letters.all(),
        from_file: Some(board.file(from)),
        from_rank: Some(board.rank(from)),
        to,
        habits,
        ..MoveText::new(Shape::Squares)
    }
}

/// Reads one token in a form that only some games have; `None` if it has another, or this game has no such forms.
pub(super) fn read_own(
    letters: &Letters,
    mover: Owner,
    token: &[u8],
) -> Option<Result<MoveText, Unreadable>> {
    letters.own()?.readers.iter().find_map(|read| read(letters, mover, token))
}

/// The texts in coordinates that a text may mean in a position: itself, or where it names a piece by its file, each
/// piece that it may name.
pub fn coordinates<M: Mask>(position: &Position<M>, text: &MoveText) -> Vec<MoveText> {
    text.by_file.map_or_else(|| vec![*text], |by_file| by_file::as_squares(position, text, by_file))
}
