//! What a style may be unable to express. A conversion reports it as a loss.

use super::style::Style;
use crate::board::{Mask, Owner};
use crate::position::{Ply, Verb};
use crate::rules::definition::CastlingNotation;
use crate::rules::{KindId, Rules};
use std::fmt;

/// Something that a style cannot express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lack {
    /// A turn of the third player.
    Nature,
    /// The kind is of the other army, which other styles mark with `'`.
    OtherArmy,
    /// A reserve piece is gated in.
    Gate,
    /// A piece is gated in on the rook's square while castling.
    GateSquare,
    /// Two pieces are gated in by one ply.
    TwoGates,
    /// A piece is dropped.
    Drop,
    /// The pawn is promoted to a kind without a sign.
    PromotionKind,
    /// The captured piece is of a kind without a sign.
    CapturedKind,
    /// The board does not have eight files and ranks.
    Board,
    /// A piece becomes another kind on its square.
    Change,
    /// A player gives up the turn.
    Pass,
    /// Letters after the squares would be ambiguous, because pieces are gated in this game.
    GatingGame,
    /// Letters after the squares would be ambiguous, because pawns may decline promotion in this game.
    DecliningGame,
    /// The ply is more than the step of a piece to another square.
    BeyondStep,
    /// Every text that the style has for the ply would fit another one too.
    Unclear,
    /// The style belongs to other games.
    OtherGame,
}

impl Lack {
    /// All lacks.
    pub const ALL: [Lack; 16] = [
        Lack::Nature,
        Lack::OtherArmy,
        Lack::Gate,
        Lack::GateSquare,
        Lack::TwoGates,
        Lack::Drop,
        Lack::PromotionKind,
        Lack::CapturedKind,
        Lack::Board,
        Lack::Change,
        Lack::Pass,
        Lack::GatingGame,
        Lack::DecliningGame,
        Lack::BeyondStep,
        Lack::Unclear,
        Lack::OtherGame,
    ];

    /// True if the lack applies to every ply of a game.
    pub const fn is_of_the_game(self) -> bool {
        matches!(self, Lack::Board | Lack::GatingGame | Lack::DecliningGame | Lack::OtherGame)
    }

    /// A description.
    pub const fn text(self) -> &'static str {
        match self {
            Lack::Nature => "a ply of Nature's",
            Lack::OtherArmy => "a kind of the other army's",
            Lack::Gate => "gating",
            Lack::GateSquare => "a gate on the rook's square",
            Lack::TwoGates => "two gates in one ply",
            Lack::Drop => "a drop",
            Lack::PromotionKind => "the promotion piece",
            Lack::CapturedKind => "the captured piece",
            Lack::Board => "a board other than 8 by 8",
            Lack::Change => "the change of a piece on its square",
            Lack::Pass => "a pass",
            Lack::GatingGame => "a game in which pieces are gated",
            Lack::DecliningGame => "a game in which pawns may decline to promote",
            Lack::BeyondStep => "a ply that is more than a piece's step",
            Lack::Unclear => "a ply whose text would fit another ply too",
            Lack::OtherGame => "a game that does not list it",
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A ply that a style cannot express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("style `{style}` cannot express {what}")]
pub struct Inexpressible {
    /// The style.
    pub style: Style,
    /// What it cannot express.
    pub what: Lack,
}

/// True if the kind is written with `'`.
pub(super) fn is_other_army<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> bool {
    rules.kind(kind).label[owner].other_army
}

/// True if a piece becomes another kind on its square: a switch, or a promotion by a pawn's arrival.
pub(super) fn changes<M: Mask>(rules: &Rules<M>, ply: &Ply) -> bool {
    ply.verb == Verb::Switch || rules.is_pawn(ply.kind) && ply.gates_any()
}

/// True if coordinates write castling as the king's and the rook's square, as in Chess960.
pub(super) fn castles_by_rook<M: Mask>(rules: &Rules<M>) -> bool {
    rules.castling.is_some_and(|castling| castling.notation == CastlingNotation::RookSquare)
}
