//! Signs on squares: the last ply, faults, rights, zones. Each is distinguishable without colour.

use super::options::Options;
use super::sheet::{INK, put};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{Ply, Position, Verb};

/// How lines of signs are drawn.
const LINE: &str = r##"fill="none" stroke="#1a1a1a""##;

/// A sign on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A square of the last ply.
    Last,
    /// A square that a fault refers to.
    Fault,
    /// A piece may be deployed here.
    Zone,
    /// A pawn that has just passed here may be captured.
    EnPassant,
    /// A rook with a castling right.
    Castling,
    /// A piece of the back rank that has not moved yet, while there is something to gate.
    Gating,
    /// A pawn that reverts when it is captured.
    Promoted,
    /// A piece of Nature that has not moved since its introduction.
    Unmoved,
    /// A pawn that made a double step since Nature's last turn.
    DoubleStep,
    /// The piece of Nature whose attack is not check yet.
    Fresh,
}

/// The signs of a position, each with its squares; omits those without a square.
pub(super) fn marks<M: Mask>(position: &Position<M>, options: &Options<M>) -> Vec<(Mark, M)> {
    let last = options.last.as_ref().map_or(M::EMPTY, |ply| touched(position, ply));
    let mut marks = vec![(Mark::Last, last), (Mark::Fault, options.marked & position.rules().geometry.all())];
    if options.surroundings {
        rights(position, &mut marks);
    }
    marks.push((Mark::Promoted, position.promoted()));
    marks.retain(|(_, squares)| squares.any());
    marks
}

/// The squares that a ply left, reached or changed.
fn touched<M: Mask>(position: &Position<M>, ply: &Ply) -> M {
    let gates = ply.gates.iter().flatten().map(|gate| gate.square);
    let squares = [ply.from, ply.to, ply.other].into_iter().filter_map(|square| square.some());
    let mut touched = M::of(squares.chain(gates));
    let rules = position.rules();
    if ply.verb == Verb::Castle
        && ply.actor.is_real()
        && let Some(castling) = &rules.castling
    {
        touched |= M::bit(rules.castling_targets(castling, ply.from, ply.other).1);
    }
    touched
}

fn rights<M: Mask>(position: &Position<M>, marks: &mut Vec<(Mark, M)>) {
    let rules = position.rules();
    let status = position.status();
    marks.push((Mark::Zone, zone(position)));
    marks.push((Mark::EnPassant, M::of(status.en_passants())));
    marks.push((Mark::Castling, status.castling));
    let gates = |owner: &Owner| {
        position.reserve(*owner).iter().any(|held| *held > 0) && position.entries_left(*owner) > 0
    };
    if rules.gating.is_some() {
        let gating = Owner::REAL
            .iter()
            .filter(|owner| gates(owner))
            .fold(M::EMPTY, |all, owner| all | status.unmoved & position.owned(*owner));
        marks.push((Mark::Gating, gating));
    }
    if let Some(nature) = &rules.nature {
        // Relevant only under the advanced rules, so hidden without them.
        let unmoved = if nature.castling || nature.pawns { status.nature.unmoved } else { M::EMPTY };
        marks.push((Mark::Unmoved, unmoved));
        marks.push((Mark::DoubleStep, if nature.pawns { status.nature.doubles } else { M::EMPTY }));
        let fresh = status.nature.fresh.some().filter(|_| status.nature.clock < nature.delay);
        marks.push((Mark::Fresh, fresh.map_or(M::EMPTY, M::bit)));
    }
}

/// Where the player on move may deploy a piece, during deployment.
fn zone<M: Mask>(position: &Position<M>) -> M {
    let turn = position.turn();
    if !position.deployment_due(turn) {
        return M::EMPTY;
    }
    let mut zone = M::EMPTY;
    position.any_ply(|ply| {
        if ply.verb == Verb::Drop && ply.actor == turn {
            zone |= M::bit(ply.to);
        }
        false
    });
    zone
}

impl Mark {
    /// The text of the sign in the legend.
    pub(super) fn words(self) -> &'static str {
        match self {
            Mark::Last => "last ply",
            Mark::Fault => "at issue",
            Mark::Zone => "may be deployed here",
            Mark::EnPassant => "en passant",
            Mark::Castling => "may castle",
            Mark::Gating => "may gate",
            Mark::Promoted => "promoted pawn",
            Mark::Unmoved => "has not moved",
            Mark::DoubleStep => "double step",
            Mark::Fresh => "not check yet",
        }
    }

    /// For signs in a corner of the square: the top left corner of the part that the legend shows.
    pub(super) fn corner(self) -> Option<(i32, i32)> {
        match self {
            Mark::Castling | Mark::Unmoved | Mark::DoubleStep => Some((0, -2)),
            Mark::Gating | Mark::Promoted => Some((-4, 64)),
            Mark::Fresh => Some((67, -2)),
            _ => None,
        }
    }

    /// Writes the part of the sign below the piece, on a square of 100 by 100.
    pub(super) fn under(self, out: &mut String, ids: &str) {
        match self {
            Mark::Last => out.push_str(r##"<path d="M0 0H100V100H0Z" fill="#f3d469" fill-opacity=".75"/>"##),
            Mark::Fault => put!(out, r#"<path d="M0 0H100V100H0Z" fill="url(#{ids}-fault)"/>"#),
            Mark::Zone => put!(out, r#"<path d="M0 0H100V100H0Z" fill="url(#{ids}-zone)"/>"#),
            Mark::EnPassant => put!(
                out,
                r#"<path d="M38 38 62 62M62 38 38 62" stroke="{INK}" stroke-width="5" stroke-linecap="round"/>"#
            ),
            _ => {}
        }
    }

    /// Writes the part of the sign above the piece, on a square of 100 by 100.
    pub(super) fn over(self, out: &mut String) {
        match self {
            Mark::Last => put!(
                out,
                r#"<path d="M4 22V4H22M78 4H96V22M96 78V96H78M22 96H4V78" {LINE} stroke-width="4"/>"#
            ),
            Mark::Fault => out.push_str(
                r##"<path d="M5 5H95V95H5Z" fill="none" stroke="#b3151b" stroke-width="9" stroke-linejoin="round"/>"##,
            ),
            Mark::Castling => sign(out, "M7 24V8H11.5V13H15.5V8H20.5V13H24.5V8H29V24Z"),
            Mark::Gating => sign(out, "M6 94V76L24 94Z"),
            Mark::Promoted => {
                sign(out, "M14 66A6 6 0 1 1 20 76L24 92H4L8 76A6 6 0 0 1 14 66Z");
            }
            Mark::Unmoved => {
                put!(out, r##"<circle cx="15" cy="15" r="7" fill="#fff" stroke="{INK}" stroke-width="4"/>"##);
            }
            Mark::DoubleStep => put!(
                out,
                r#"<path d="M7 18 15 10 23 18M7 29 15 21 23 29" {LINE} stroke-width="4.5"/>"#
            ),
            Mark::Fresh => put!(
                out,
                r#"<path d="M85 5V27M74 16H96M77 8 93 24M93 8 77 24" stroke="{INK}" stroke-width="3.6"/>"#
            ),
            Mark::Zone | Mark::EnPassant => {}
        }
    }
}

/// A small dark sign with a light edge, so that it is visible on dark figures.
fn sign(out: &mut String, path: &str) {
    put!(out, r##"<path d="{path}" fill="{INK}" stroke="#fff" stroke-width="3" paint-order="stroke"/>"##);
}
