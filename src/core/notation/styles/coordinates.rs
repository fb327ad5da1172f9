//! Styles that write two squares: `coord`, the same in every game; `uci`, as engines write it; `xboard`, that of the
//! XBoard protocol, with castling as `O-O` where the king's squares may also be a step.

use super::form::{Form, Pass, Row};
use crate::board::{Mask, Owner};
use crate::notation::coord;
use crate::notation::express::{Lack, castles_by_rook, changes, is_other_army};
use crate::notation::movetext::Habits;
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::Rules;

/// Coordinates that can express every ply.
pub(in crate::notation) struct Coord;

/// Coordinates of the protocol UCI.
pub(in crate::notation) struct Uci;

/// Coordinates of the protocol of XBoard.
pub(in crate::notation) struct Xboard;

impl Form for Coord {
    const ROW: Row = Row {
        name: "coord",
        example: "e2e4, N@e4",
        shown_by: |habits, _| {
            let other = Habits::SHORT.and(Habits::DASH).and(Habits::AMPERSAND);
            habits.has(Habits::SQUARES) && !habits.has_any(other)
        },
        ..Row::COORDINATES
    };

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        coord::write(position.rules(), ply, out);
        Ok(())
    }
}

impl Form for Uci {
    const ROW: Row = Row { name: "uci", example: "e2e4, e7e8q, as engines write", ..Row::COORDINATES };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        engines_lack(position.rules(), ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        coord::write(position.rules(), ply, out);
        Ok(())
    }
}

impl Form for Xboard {
    const ROW: Row = Row {
        name: "xboard",
        example: "e2e4, O-O, @@@@",
        null: "@@@@",
        pass: Pass::Text("@@@@"),
        ..Row::COORDINATES
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        let rules = position.rules();
        engines_lack(rules, ply).or_else(|| xboard_lacks(rules, ply))
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let rules = position.rules();
        if ply.verb == Verb::Castle && castles_by_rook(rules) {
            out.push_str(if ply.other > ply.from { "O-O" } else { "O-O-O" });
        } else {
            coord::write(rules, ply, out);
        }
        Ok(())
    }
}

/// Plies that neither Fairy-Stockfish nor XBoard can express.
fn engines_lack<M: Mask>(rules: &Rules<M>, ply: &Ply) -> Option<Lack> {
    if changes(rules, ply) {
        return Some(Lack::Change);
    }
    let entering = (ply.verb == Verb::Drop).then_some(ply.kind);
    let gated = ply.gates.iter().flatten().map(|gate| gate.kind);
    let mut named = entering.into_iter().chain(ply.promotion).chain(gated);
    if ply.actor == Owner::Nature {
        Some(Lack::Nature)
    } else if named.any(|kind| is_other_army(rules, ply.actor, kind)) {
        Some(Lack::OtherArmy)
    } else {
        let two = ply.gates[1].is_some() || ply.verb == Verb::Drop && ply.gates_any();
        two.then_some(Lack::TwoGates)
    }
}

/// XBoard writes castling as the king's squares, or as `O-O` if that is ambiguous; then a gate has no square.
fn xboard_lacks<M: Mask>(rules: &Rules<M>, ply: &Ply) -> Option<Lack> {
    let gate = ply.gates[0].filter(|_| ply.verb == Verb::Castle)?;
    if castles_by_rook(rules) {
        return Some(Lack::Gate);
    }
    (gate.square == ply.other).then_some(Lack::GateSquare)
}
