//! The notations of shogi: `usi`, `kif` (with KI2 read), `csa`, `hosking` and `hodges`.
//!
//! They name squares from Sente's right: file 1 is the last file of the board, rank 1 or `a` its last rank.

mod kif;
mod pieces;
mod western;

pub use pieces::{SHOGI_PIECES, ShogiPiece};

use crate::board::{Board, Mask, Owner, Square};
use crate::notation::letters::Letters;
use crate::notation::movetext::{Becomes, Habits, MoveText, Shape};
use crate::notation::origin::rivals;
use crate::notation::style::Style;
use crate::position::{Ply, Position, Verb};
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
    usi(letters, mover, token)
        .or_else(|| csa(letters, mover, token))
        .or_else(|| western::read(letters, mover, token))
}

/// `7g7f`, `8h2b+`, `P*5e`.
fn usi(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let board = letters.board();
    let at = |file: u8, rank: u8| {
        let (file, rank) = (file.wrapping_sub(b'0'), rank.wrapping_sub(b'a').wrapping_add(1));
        square(board, file, rank)
    };
    let (from, file, rank, promotes) = match *token {
        [letter @ b'A'..=b'Z', b'*', file, rank] => {
            let to = at(file, rank)?;
            // Hodges writes drops in the same way, so that the other plies show the style.
            return Some(drop(kind(letters, mover, letter, false)?, to, Habits::STAR_DROP));
        }
        [a, b, file, rank] => (at(a, b)?, file, rank, false),
        [a, b, file, rank, b'+'] => (at(a, b)?, file, rank, true),
        _ => return None,
    };
    let mut text = step(letters, Some(from), at(file, rank)?, Habits::USI);
    text.becomes = if promotes { Becomes::Promoted } else { Becomes::Named };
    Some(text)
}

/// `7776FU`, `+7776FU`, `0055KA`.
fn csa(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let (sign, rest) = match token {
        [sign @ (b'+' | b'-'), rest @ ..] => (Some(*sign), rest),
        _ => (None, token),
    };
    let &[a, b, c, d, ref code @ ..] = rest else { return None };
    let code = std::str::from_utf8(code).ok()?;
    let (letter, promoted) = ShogiPiece::named(code, |piece| &piece.csa)?;
    let board = letters.board();
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    let to = square(board, digit(c)?, digit(d)?)?;
    let owner = match sign {
        Some(b'+') => Owner::White,
        Some(_) => Owner::Black,
        None => mover,
    };
    let kind = kind(letters, mover, letter, promoted)?;
    let mut text = if (a, b) == (b'0', b'0') {
        drop(kind, to, Habits::CSA)
    } else {
        let from = square(board, digit(a)?, digit(b)?)?;
        MoveText { becomes: Becomes::Kind(kind), ..step(letters, Some(from), to, Habits::CSA) }
    };
    if owner != mover {
        // The other player's sign: no piece of the player on move is meant.
        text.kinds = crate::rules::KindSet::EMPTY;
    }
    Some(text)
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

/// Appends a ply in one of these styles.
pub(in crate::notation) fn write<M: Mask>(position: &Position<M>, ply: &Ply, style: Style, out: &mut String) {
    let (rules, board) = (position.rules(), position.rules().board());
    let put = |out: &mut String, square: Square, letters: bool| {
        let (file, rank) = numbers(board, square);
        out.push(char::from(b'0' + file));
        out.push(char::from(if letters { b'a' + rank - 1 } else { b'0' + rank }));
    };
    let drops = ply.verb == Verb::Drop;
    match style {
        Style::Usi => {
            if drops {
                out.push(char::from(rules.kind(ply.kind).letter));
                out.push('*');
            } else {
                put(out, ply.from, true);
            }
            put(out, ply.to, true);
            out.push_str(if ply.promotion.is_some() { "+" } else { "" });
        }
        Style::Csa => {
            if drops {
                out.push_str("00");
            } else {
                put(out, ply.from, false);
            }
            put(out, ply.to, false);
            out.push_str(name(rules, ply.promotion.unwrap_or(ply.kind), |piece| &piece.csa));
        }
        Style::Kif => kif::write(rules, ply, out),
        _ => {
            let letters = style == Style::Hodges;
            let info = rules.kind(ply.kind);
            out.push_str(&info.key());
            let captures = !drops && position.piece(ply.to).is_some();
            let ambiguous = !drops && rivals(position, ply).any();
            if ambiguous {
                put(out, ply.from, letters);
            }
            match (drops, captures) {
                (true, _) => out.push(if letters { '*' } else { '\'' }),
                (_, true) => out.push('x'),
                (_, false) if letters || ambiguous => out.push('-'),
                _ => {}
            }
            put(out, ply.to, letters);
            if ply.promotion.is_some() {
                out.push('+');
            } else if !drops && may_promote(position, ply) {
                out.push('=');
            }
        }
    }
}

/// True if the ply might promote.
fn may_promote<M: Mask>(position: &Position<M>, ply: &Ply) -> bool {
    let choice = position.state().promotions(position.rules(), ply.actor, ply.kind, ply.from, ply.to);
    !choice.kinds.is_empty()
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
