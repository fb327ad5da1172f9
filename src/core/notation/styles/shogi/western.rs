//! The western notations of shogi: Hosking's `P76`, `Bx22+`, `G49-59`, `B'39`, and Hodges's `P-7f`, `Bx2b+`, `P*5e`,
//! with numbers for the ranks as well.

use super::{drop, kind, square, step};
use crate::board::{Board, Owner, Square};
use crate::notation::letters::Letters;
use crate::notation::movetext::{Becomes, Habits, MoveText};

/// A square at the start of a text, whether its rank is a letter, and the rest.
fn take(board: Board, text: &[u8]) -> Option<(Square, bool, &[u8])> {
    let &[file @ b'1'..=b'9', rank, ref rest @ ..] = text else { return None };
    let (rank, lettered) = match rank {
        b'1'..=b'9' => (rank - b'0', false),
        b'a'..=b'i' => (rank - b'a' + 1, true),
        _ => return None,
    };
    Some((square(board, file - b'0', rank)?, lettered, rest))
}

/// Reads a token of `mover`; `None` if it has another form.
pub(super) fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let (promoted, rest) = match token {
        [b'+', rest @ ..] => (true, rest),
        _ => (false, token),
    };
    let &[letter @ b'A'..=b'Z', ref rest @ ..] = rest else { return None };
    let board = letters.board();
    let (from, rest) = match take(board, rest) {
        Some((from, _, more)) if !matches!(more, [] | [b'+' | b'=']) => (Some(from), more),
        _ => (None, rest),
    };
    let (sign, rest) = match rest {
        [sign @ (b'-' | b'x' | b'*' | b'\''), rest @ ..] => (Some(*sign), rest),
        _ => (None, rest),
    };
    let (to, lettered, rest) = take(board, rest)?;
    let becomes = match rest {
        [] | [b'='] => Becomes::Named,
        [b'+'] => Becomes::Promoted,
        _ => return None,
    };
    let kind = kind(letters, mover, letter, promoted)?;
    let habits = match (sign, from) {
        _ if lettered => Habits::HODGES,
        (Some(b'-'), None) | (Some(b'*'), _) => Habits::HODGES,
        (None, _) | (Some(b'\''), _) => Habits::HOSKING,
        _ => Habits::WESTERN,
    };
    if matches!(sign, Some(b'*' | b'\'')) {
        let bare = from.is_none() && !promoted && becomes == Becomes::Named;
        return bare.then(|| drop(kind, to, habits));
    }
    let kinds = [kind].into_iter().collect();
    Some(MoveText { kinds, becomes, captures: sign == Some(b'x'), ..step(letters, from, to, habits) })
}
