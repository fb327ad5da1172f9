//! Coordinate notation (style `coord`): one token a ply, the same in every game.

use crate::board::{Mask, Owner, Square};
use crate::position::{Ply, Verb};
use crate::rules::definition::CastlingNotation;
use crate::rules::{KindId, Rules};

/// Appends a ply in coordinate notation, as `formats/RULES.md` defines it.
pub fn write<M: Mask>(rules: &Rules<M>, ply: &Ply, out: &mut String) {
    let board = rules.board();
    if ply.actor == Owner::Nature {
        out.push('~');
    }
    match ply.verb {
        Verb::Drop => {
            write_label(rules, ply.actor, ply.kind, false, out);
            out.push('@');
            board.write_square(ply.to, out);
        }
        Verb::Castle => write_castling(rules, ply, out),
        Verb::Move | Verb::EnPassant => {
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
            }
        }
    }
}

fn write_castling<M: Mask>(rules: &Rules<M>, ply: &Ply, out: &mut String) {
    let board = rules.board();
    let by_rook = rules.castling.is_some_and(|castling| castling.notation == CastlingNotation::RookSquare);
    let mut squares = |a: Square, b: Square| {
        board.write_square(a, out);
        board.write_square(b, out);
    };
    match ply.gates {
        // S-Chess: the rook's square and the king's say that the gate is on the rook's.
        [Some(gate), None] if gate.square == ply.other => squares(ply.other, ply.from),
        _ if by_rook && ply.actor.is_real() => squares(ply.from, ply.other),
        _ => squares(ply.from, ply.to),
    }
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
    let letter = if lower { label.letter.to_ascii_lowercase() } else { label.letter };
    out.push(letter as char);
    if label.other_army {
        out.push('\'');
    }
}
