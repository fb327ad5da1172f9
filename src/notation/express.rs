//! What each style has a form for, ply by ply: the one place that knows. Whatever is missing here is told by a
//! conversion as a loss.

use super::style::Style;
use super::styles::{iccf, smith};
use crate::board::{Mask, Owner};
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::CastlingNotation;
use crate::rules::{KindId, Rules};
use std::fmt;

/// What a style has no form for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lack {
    /// A turn of the third player.
    Nature,
    /// The kind is the other army's, which `'` tells elsewhere.
    OtherArmy,
    /// A piece of the reserve enters behind the one that moves.
    Gate,
    /// … on the rook's square while castling.
    GateSquare,
    /// Two pieces enter in one ply.
    TwoGates,
    /// A piece enters on a square of its own.
    Drop,
    /// The pawn becomes a kind that has no sign.
    PromotionKind,
    /// The captured piece is of a kind that has no sign.
    CapturedKind,
    /// The board is not of eight files and ranks.
    Board,
    /// The letters behind the squares would have two meanings, as pieces are gated in this game.
    GatingGame,
    /// … as pawns may decline to promote in this game.
    DecliningGame,
}

impl Lack {
    /// All of them.
    pub const ALL: [Lack; 11] = [
        Lack::Nature,
        Lack::OtherArmy,
        Lack::Gate,
        Lack::GateSquare,
        Lack::TwoGates,
        Lack::Drop,
        Lack::PromotionKind,
        Lack::CapturedKind,
        Lack::Board,
        Lack::GatingGame,
        Lack::DecliningGame,
    ];

    /// True for what a game has from its start to its end, so that no ply of it has a form.
    pub const fn is_of_the_game(self) -> bool {
        matches!(self, Lack::Board | Lack::GatingGame | Lack::DecliningGame)
    }

    /// What it is, in words.
    pub const fn text(self) -> &'static str {
        match self {
            Lack::Nature => "a ply of Nature's",
            Lack::OtherArmy => "a kind of the other army's",
            Lack::Gate => "gating",
            Lack::GateSquare => "a gate on the rook's square",
            Lack::TwoGates => "two gatings in one ply",
            Lack::Drop => "a drop",
            Lack::PromotionKind => "the kind that the pawn becomes",
            Lack::CapturedKind => "the kind that is captured",
            Lack::Board => "a board of another size than 8 by 8",
            Lack::GatingGame => "a game in which pieces are gated",
            Lack::DecliningGame => "a game in which pawns may decline to promote",
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A ply has no form in a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("style `{style}` cannot express {what}")]
pub struct Inexpressible {
    /// The style.
    pub style: Style,
    /// What it has no form for.
    pub what: Lack,
}

impl Style {
    /// Whether the style has a form for a legal ply. `coord`, `san`, `lan`, `figurine`, `iago`, `chaos` and `schess`
    /// have one for every ply of every game.
    ///
    /// # Errors
    /// The first thing that has no form.
    pub fn can_express<M: Mask>(self, position: &Position<M>, ply: &Ply) -> Result<(), Inexpressible> {
        let rules = position.rules();
        let lack = match self {
            Style::Coord
            | Style::San
            | Style::Lan
            | Style::Figurine
            | Style::Iago
            | Style::Chaos
            | Style::Schess => None,
            Style::Ichess => ply.gates_any().then_some(Lack::Gate),
            Style::Uci => engines_lack(rules, ply),
            Style::Xboard => engines_lack(rules, ply).or_else(|| xboard_lacks(rules, ply)),
            Style::Iccf => iccf::lacks(rules, ply),
            Style::Smith => smith::lacks(position, ply),
        };
        lack.map_or(Ok(()), |what| Err(Inexpressible { style: self, what }))
    }
}

/// True if the kind is written with `'`.
pub(super) fn is_other_army<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> bool {
    rules.kind(kind).label[owner].other_army
}

/// What neither Fairy-Stockfish nor XBoard can be told.
fn engines_lack<M: Mask>(rules: &Rules<M>, ply: &Ply) -> Option<Lack> {
    let entering = (ply.verb == Verb::Drop).then_some(ply.kind);
    let named =
        entering.into_iter().chain(ply.promotion).chain(ply.gates.iter().flatten().map(|gate| gate.kind));
    if ply.actor == Owner::Nature {
        Some(Lack::Nature)
    } else if named.into_iter().any(|kind| is_other_army(rules, ply.actor, kind)) {
        Some(Lack::OtherArmy)
    } else {
        ply.gates[1].map(|_| Lack::TwoGates)
    }
}

/// XBoard castles with the king's squares, and with `O-O` where that has two meanings; a gate there has no square.
fn xboard_lacks<M: Mask>(rules: &Rules<M>, ply: &Ply) -> Option<Lack> {
    let gate = ply.gates[0].filter(|_| ply.verb == Verb::Castle)?;
    if castles_by_rook(rules) {
        return Some(Lack::Gate);
    }
    (gate.square == ply.other).then_some(Lack::GateSquare)
}

/// True where coordinates write castling as the king's square and the rook's: Chess960.
pub(super) fn castles_by_rook<M: Mask>(rules: &Rules<M>) -> bool {
    rules.castling.is_some_and(|castling| castling.notation == CastlingNotation::RookSquare)
}
