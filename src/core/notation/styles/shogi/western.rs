//! The western notations of shogi: Hosking's `P76`, `Bx22+`, `G49-59`, `B'39`, and Hodges's `P-7f`, `Bx2b+`, `P*5e`,
//! with numbers for the ranks as well.

use super::{OF_SHOGI, drop, kind, put, square, step};
use crate::board::{Board, Mask, Owner, Square};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Becomes, Habits, MoveText};
use crate::notation::origin::rivals;
use crate::notation::styles::form::{Form, Row};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::OwnStyle;

/// George Hosking's notation.
pub(in crate::notation) struct Hosking;

/// George Hodges's notation.
pub(in crate::notation) struct Hodges;

impl Form for Hosking {
    const ROW: Row = Row {
        name: "hosking",
        example: "P76, Bx22+",
        own: Some(OwnStyle::Hosking),
        allows: |habits| habits.has_any(Habits::HOSKING.and(Habits::WESTERN)),
        shown_by: |habits, _| habits.has_any(Habits::HOSKING.and(Habits::WESTERN)),
        ..OF_SHOGI
    };

    fn lacks<M: Mask>(position: &Position<M>, _: &Ply) -> Option<Lack> {
        super::lacks(&Self::ROW, position)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        write(position, ply, false, out);
        Ok(())
    }
}

impl Form for Hodges {
    const ROW: Row = Row {
        name: "hodges",
        example: "P-7f, Bx2b+",
        own: Some(OwnStyle::Hodges),
        allows: |habits| habits.has_any(Habits::HODGES.and(Habits::WESTERN).and(Habits::STAR_DROP)),
        shown_by: |habits, _| habits.has(Habits::HODGES),
        ..OF_SHOGI
    };

    fn lacks<M: Mask>(position: &Position<M>, _: &Ply) -> Option<Lack> {
        super::lacks(&Self::ROW, position)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        write(position, ply, true, out);
        Ok(())
    }
}

/// Appends a ply; `letters` is true where ranks are letters.
fn write<M: Mask>(position: &Position<M>, ply: &Ply, letters: bool, out: &mut String) {
    let (rules, board) = (position.rules(), position.rules().board());
    let drops = ply.verb == Verb::Drop;
    out.push_str(&rules.kind(ply.kind).key());
    let captures = !drops && position.piece(ply.to).is_some();
    let ambiguous = !drops && rivals(position, ply).any();
    if ambiguous {
        put(board, ply.from, letters, out);
    }
    match (drops, captures) {
        (true, _) => out.push(if letters { '*' } else { '\'' }),
        (_, true) => out.push('x'),
        (_, false) if letters || ambiguous => out.push('-'),
        _ => {}
    }
    put(board, ply.to, letters, out);
    if ply.promotion.is_some() {
        out.push('+');
    } else if !drops && may_promote(position, ply) {
        out.push('=');
    }
}

/// True if the ply might promote.
fn may_promote<M: Mask>(position: &Position<M>, ply: &Ply) -> bool {
    let choice = position.state().promotions(position.rules(), ply.actor, ply.kind, ply.from, ply.to);
    !choice.kinds.is_empty()
}

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
