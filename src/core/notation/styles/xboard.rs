//! Style `xboard`: moves of the XBoard protocol, coordinates except for castling in Chess960.

use crate::board::Mask;
use crate::notation::coord;
use crate::notation::express::castles_by_rook;
use crate::position::{Ply, Verb};
use crate::rules::Rules;

/// Appends a ply that the style can express.
pub(in crate::notation) fn write<M: Mask>(rules: &Rules<M>, ply: &Ply, out: &mut String) {
    if ply.verb == Verb::Castle && castles_by_rook(rules) {
        out.push_str(if ply.other > ply.from { "O-O" } else { "O-O-O" });
    } else {
        coord::write(rules, ply, out);
    }
}
