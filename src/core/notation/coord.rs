//! Coordinate notation (style `coord`): one token a ply, the same in every game.

use super::express::castles_by_rook;
use crate::board::{Mask, Owner, Square};
use crate::position::{Ply, Verb};
use crate::rules::{KindId, Rules};

/// Appends a ply in coordinate notation, as `formats/RULES.md` defines it.
pub fn write<M: Mask>(rules: &Rules<M>, ply: &Ply, out: &mut String) {
    if ply.is_null() {
        return out.push_str("0000");
    }
    let board = rules.board();
    if ply.actor == Owner::Nature {
        out.push('~');
    }
    match ply.verb {
        Verb::Drop => {
            write_label(rules, ply.actor, ply.kind, false, out);
            out.push('@');
            board.write_square(ply.to, out);
            if let Some(second) = ply.gates[0] {
                write_label(rules, ply.actor, second.kind, true, out);
                board.write_square(second.square, out);
            }
        }
        Verb::Castle => write_castling(rules, ply, out),
        Verb::Move | Verb::EnPassant | Verb::Switch | Verb::Pass => {
            board.write_square(ply.from, out);
            board.write_square(ply.to, out);
            if ply.actor == Owner::Nature && ply.verb == Verb::EnPassant {
                out.push('x');
                board.write_square(ply.other, out);
            }
            if let Some(kind) = ply.promotion {
                write_label(rules, ply.actor, kind, true, out);
            }
            if let Some(gate) = ply.gates[0] {
                write_label(rules, ply.actor, gate.kind, true, out);
                if rules.is_pawn(ply.kind) {
                    board.write_square(gate.square, out);
                }
            }
        }
    }
}

/// True if a text has the form of a ply in coordinate notation, in any game: `e2e4`, `a10b10q`, `N@c3`,
/// `~e4e5`.
///
/// ```
/// use ferz_core::notation::coord::has_form;
/// assert!(has_form(b"g1f3m") && has_form(b"P@c5") && has_form(b"M@e1cf1") && !has_form(b"Nf3") && !has_form(b"e4"));
/// ```
pub fn has_form(text: &[u8]) -> bool {
    fn behind_square(text: &[u8]) -> Option<&[u8]> {
        match text {
            [b'a'..=b'z', b'1', b'0'..=b'9', rest @ ..] | [b'a'..=b'z', b'1'..=b'9', rest @ ..] => Some(rest),
            _ => None,
        }
    }
    let text = text.strip_prefix(b"~").unwrap_or(text);
    match text {
        [b'A'..=b'Z', b'@', square @ ..] | [b'A'..=b'Z', b'\'', b'@', square @ ..] => behind_square(square)
            .is_some_and(|second| match second {
                [b'a'..=b'z', square @ ..] => behind_square(square).is_some_and(<[u8]>::is_empty),
                rest => rest.is_empty(),
            }),
        _ => behind_square(text).and_then(behind_square).is_some_and(|labels| {
            let labels = labels.strip_suffix(b"+").unwrap_or(labels);
            labels.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'\''))
        }),
    }
}

/// The two squares that denote a ply other than a drop.
pub(super) fn squares<M: Mask>(rules: &Rules<M>, ply: &Ply) -> (Square, Square) {
    match ply.gates {
        _ if ply.verb != Verb::Castle => (ply.from, ply.to),
        // S-Chess: the rook's square before the king's means a gate on the rook's square.
        [Some(gate), None] if gate.square == ply.other => (ply.other, ply.from),
        _ if castles_by_rook(rules) && ply.actor.is_real() => (ply.from, ply.other),
        _ => (ply.from, ply.to),
    }
}

fn write_castling<M: Mask>(rules: &Rules<M>, ply: &Ply, out: &mut String) {
    let board = rules.board();
    let (from, to) = squares(rules, ply);
    board.write_square(from, out);
    board.write_square(to, out);
    let two = ply.gates[1].is_some();
    for gate in ply.gates.iter().flatten() {
        write_label(rules, ply.actor, gate.kind, true, out);
        if two {
            board.write_square(gate.square, out);
        }
    }
}

fn write_label<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId, lower: bool, out: &mut String) {
    let label = rules.kind(kind).label[owner];
    if label.plus && lower {
        // Only one kind is meant.
        return out.push('+');
    }
    let letter = if lower { label.letter.to_ascii_lowercase() } else { label.letter };
    out.push(letter as char);
    if label.other_army {
        out.push('\'');
    }
}
