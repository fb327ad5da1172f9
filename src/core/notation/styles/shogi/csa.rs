//! Style `csa`: that of the Computer Shogi Association, `7776FU`, `0055KA`.

use super::{OF_SHOGI, ShogiPiece, drop, kind, name, put, square, step};
use crate::board::{Mask, Owner};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Becomes, Habits, MoveText};
use crate::notation::styles::form::{Form, NULL_SQUARES, Row};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::KindSet;
use crate::rules::definition::OwnStyle;

/// The Computer Shogi Association's notation.
pub(in crate::notation) struct Csa;

impl Form for Csa {
    const ROW: Row = Row {
        name: "csa",
        example: "7776FU",
        own: Some(OwnStyle::Csa),
        coordinates: true,
        null: NULL_SQUARES,
        allows: |habits| habits.has(Habits::CSA),
        shown_by: |habits, _| habits.has(Habits::CSA),
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
        let (rules, board) = (position.rules(), position.rules().board());
        if ply.verb == Verb::Drop {
            out.push_str("00");
        } else {
            put(board, ply.from, false, out);
        }
        put(board, ply.to, false, out);
        out.push_str(name(rules, ply.promotion.unwrap_or(ply.kind), |piece| &piece.csa));
        Ok(())
    }
}

/// Reads `7776FU`, `+7776FU`, `0055KA`.
pub(super) fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
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
        text.kinds = KindSet::EMPTY;
    }
    Some(text)
}
