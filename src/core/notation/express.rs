//! Which plies each style can express. A conversion reports everything else as a loss.

use super::style::Style;
use super::styles::{by_file, iccf, shogi, smith};
use crate::board::{Mask, Owner};
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::{CastlingNotation, OwnStyle};
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

impl Style {
    /// Tests whether the style can express a legal ply. `coord`, `san`, `lan`, `figurine`, `iago`, `chaos` and `schess`
    /// can express every ply of every game.
    ///
    /// # Errors
    /// Returns the first thing that it cannot express.
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
            Style::Ichess => (ply.gates_any() && !changes(rules, ply)).then_some(Lack::Gate),
            Style::Uci | Style::Xboard | Style::Iccf | Style::Smith if changes(rules, ply) => {
                Some(Lack::Change)
            }
            Style::Uci => engines_lack(rules, ply),
            Style::Xboard => engines_lack(rules, ply).or_else(|| xboard_lacks(rules, ply)),
            Style::Iccf => iccf::lacks(rules, ply),
            Style::Smith => smith::lacks(position, ply),
            Style::Usi | Style::Kif | Style::Csa | Style::Hosking | Style::Hodges => {
                let has = self.is_for(&rules.definition) && shogi::is_for(rules);
                (!has).then_some(Lack::OtherGame)
            }
            Style::Ucci
            | Style::Iccs
            | Style::Wxf
            | Style::Chinese
            | Style::Janggi
            | Style::Gib
            | Style::ThaiSan
            | Style::ThaiLan => self.own_lacks(position, ply),
        };
        let lack = lack.or((ply.verb == Verb::Pass && !self.has_pass()).then_some(Lack::Pass));
        lack.map_or(Ok(()), |what| Err(Inexpressible { style: self, what }))
    }

    /// What a style of some games cannot express in a ply.
    fn own_lacks<M: Mask>(self, position: &Position<M>, ply: &Ply) -> Option<Lack> {
        if !self.is_for(&position.rules().definition) {
            return Some(Lack::OtherGame);
        }
        if ply.actor == Owner::Nature {
            return Some(Lack::Nature);
        }
        let passes = ply.verb == Verb::Pass && self.has_pass();
        let promotes = ply.promotion.is_some() && !matches!(self, Style::ThaiSan | Style::ThaiLan);
        let steps = ply.verb == Verb::Move && !ply.gates_any() && !promotes;
        if !steps && !passes {
            return Some(Lack::BeyondStep);
        }
        match self.own() {
            Some(own @ (OwnStyle::Wxf | OwnStyle::Chinese)) => by_file::form(position, ply, own).err(),
            _ => None,
        }
    }
}

/// True if the kind is written with `'`.
pub(super) fn is_other_army<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> bool {
    rules.kind(kind).label[owner].other_army
}

/// True if a piece becomes another kind on its square: a switch, or a promotion by a pawn's arrival.
fn changes<M: Mask>(rules: &Rules<M>, ply: &Ply) -> bool {
    ply.verb == Verb::Switch || rules.is_pawn(ply.kind) && ply.gates_any()
}

/// Plies that neither Fairy-Stockfish nor XBoard can express.
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

/// XBoard writes castling as the king's squares, or as `O-O` if that is ambiguous; then a gate has no square.
fn xboard_lacks<M: Mask>(rules: &Rules<M>, ply: &Ply) -> Option<Lack> {
    let gate = ply.gates[0].filter(|_| ply.verb == Verb::Castle)?;
    if castles_by_rook(rules) {
        return Some(Lack::Gate);
    }
    (gate.square == ply.other).then_some(Lack::GateSquare)
}

/// True if coordinates write castling as the king's and the rook's square, as in Chess960.
pub(super) fn castles_by_rook<M: Mask>(rules: &Rules<M>) -> bool {
    rules.castling.is_some_and(|castling| castling.notation == CastlingNotation::RookSquare)
}
