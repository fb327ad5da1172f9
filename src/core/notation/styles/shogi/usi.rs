//! Style `usi`: the Universal Shogi Interface, `7g7f`, `8h2b+`, `P*5e`.

use super::{OF_SHOGI, drop, kind, put, square, step};
use crate::board::{Mask, Owner};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Becomes, Habits, MoveText};
use crate::notation::styles::form::{Form, NULL_SQUARES, Row};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::OwnStyle;

/// The Universal Shogi Interface.
pub(in crate::notation) struct Usi;

impl Form for Usi {
    const ROW: Row = Row {
        name: "usi",
        example: "7g7f, P*5e",
        own: Some(OwnStyle::Usi),
        coordinates: true,
        null: NULL_SQUARES,
        allows: |habits| habits.has_any(Habits::USI.and(Habits::STAR_DROP)),
        shown_by: |habits, _| {
            habits.has(Habits::USI) || habits.has(Habits::STAR_DROP) && !habits.has(Habits::HODGES)
        },
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
            out.push(char::from(rules.kind(ply.kind).letter));
            out.push('*');
        } else {
            put(board, ply.from, true, out);
        }
        put(board, ply.to, true, out);
        out.push_str(if ply.promotion.is_some() { "+" } else { "" });
        Ok(())
    }
}

/// Reads `7g7f`, `8h2b+`, `P*5e`.
pub(super) fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
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
