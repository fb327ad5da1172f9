//! The notations of shogi: `usi`, `kif` (with KI2 read), `csa`, `hosking` and `hodges`.
//!
//! They name squares from Sente's right: file 1 is the last file of the board, rank 1 or `a` its last rank.

mod csa;
mod kif;
mod pieces;
mod usi;
mod western;

pub(in crate::notation) use csa::Csa;
pub(in crate::notation) use kif::Kif;
pub(in crate::notation) use usi::Usi;
pub(in crate::notation) use western::{Hodges, Hosking};

pub use pieces::{SHOGI_PIECES, ShogiPiece};

use super::form::Row;
use crate::board::{Board, Mask, Owner, Square};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Habits, MoveText, Shape};
use crate::position::Position;
use crate::rules::definition::OwnStyle;
use crate::rules::{KindId, Rules};

/// Files and ranks of the board that the notations name.
const SIDE: u8 = 9;

/// True for games that list one of these styles, on nine by nine squares with no other pieces than those of shogi.
pub(in crate::notation) fn is_for<M: Mask>(rules: &Rules<M>) -> bool {
    let board = rules.board();
    let known = |letter: u8, plus: bool| ShogiPiece::name(letter, plus, |piece| &piece.csa).is_some();
    let listed = rules.definition.styles.iter().any(|style| OwnStyle::OF_SHOGI.contains(style));
    let fits = listed && board.files() == SIDE && board.ranks() == SIDE;
    fits && rules.nature.is_none() && rules.kinds.iter().all(|kind| known(kind.letter, kind.plus))
}

/// What the notations have in common.
const OF_SHOGI: Row = Row { numbers_plies: true, ..Row::OWN };

/// What one of the notations cannot express: any ply of another game.
fn lacks<M: Mask>(row: &Row, position: &Position<M>) -> Option<Lack> {
    let rules = position.rules();
    let has = row.is_for(&rules.definition) && is_for(rules);
    (!has).then_some(Lack::OtherGame)
}

/// The square with a file and a rank from 1, as these notations count.
fn square(board: Board, file: u8, rank: u8) -> Option<Square> {
    let within = |number: u8| (1..=SIDE).contains(&number);
    (within(file) && within(rank)).then(|| Square((SIDE - rank) * board.files() + SIDE - file))
}

/// File and rank of a square from 1.
fn numbers(board: Board, square: Square) -> (u8, u8) {
    (SIDE - board.file(square), SIDE - board.rank(square))
}

/// The kind of a letter, promoted or not.
fn kind(letters: &Letters, owner: Owner, letter: u8, promoted: bool) -> Option<KindId> {
    if promoted { letters.promoted(letter) } else { letters.kinds(owner, letter).kinds().next() }
}

/// Reads a token of `mover` in one of these notations; `None` if it is in none.
pub(in crate::notation) fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    if !letters.are_of_shogi() {
        return None;
    }
    if !token.is_ascii() {
        return kif::read(letters, mover, std::str::from_utf8(token).ok()?);
    }
    usi::read(letters, mover, token)
        .or_else(|| csa::read(letters, mover, token))
        .or_else(|| western::read(letters, mover, token))
}

fn drop(kind: KindId, to: Square, habits: Habits) -> MoveText {
    let mut text = MoveText::new(Shape::Drop);
    (text.kinds, text.to, text.habits) = ([kind].into_iter().collect(), to, habits);
    text
}

/// A move of any kind.
fn step(letters: &Letters, from: Option<Square>, to: Square, habits: Habits) -> MoveText {
    let board = letters.board();
    let mut text = MoveText::new(Shape::Squares);
    (text.kinds, text.to, text.habits) = (letters.all(), to, habits);
    text.from_file = from.map(|from| board.file(from));
    text.from_rank = from.map(|from| board.rank(from));
    text
}

/// Appends file and rank of a square, the rank as a letter or as a digit.
fn put(board: Board, square: Square, letters: bool, out: &mut String) {
    let (file, rank) = numbers(board, square);
    out.push(char::from(b'0' + file));
    out.push(char::from(if letters { b'a' + rank - 1 } else { b'0' + rank }));
}

/// A name of a kind.
fn name<M: Mask>(
    rules: &Rules<M>,
    kind: KindId,
    names: fn(&'static ShogiPiece) -> &'static [&'static str; 2],
) -> &'static str {
    let info = rules.kind(kind);
    ShogiPiece::name(info.letter, info.plus, names).unwrap_or_default()
}
