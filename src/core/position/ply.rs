//! Plies: single actions by one actor.

use crate::board::{Actor, Square};
use crate::rules::KindId;

/// The kind of action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A piece moves to another square and captures a piece there.
    Move,
    /// A pawn captures a pawn on another square ([`Ply::other`]).
    EnPassant,
    /// King and rook ([`Ply::other`]) move together; [`Ply::to`] is the king's new square.
    Castle,
    /// A piece enters from a stock, or is introduced by Nature.
    Drop,
    /// A piece becomes another kind ([`Ply::promotion`]) on its square.
    Switch,
    /// A player gives up the turn; both squares are the king's.
    Pass,
}

/// A reserve piece that enters on a square that the ply vacates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate {
    /// The kind that enters.
    pub kind: KindId,
    /// The square it enters on.
    pub square: Square,
}

/// One action by one actor, complete with gating, promotion and a capture on another square.
///
/// A ply belongs to the position it was created for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply {
    /// Who acts.
    pub actor: Actor,
    /// The kind of action.
    pub verb: Verb,
    /// The kind that moves (before promotion) or enters.
    pub kind: KindId,
    /// The from-square; [`Square::NONE`] for drops.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// Castling: the rook's square. En passant: the captured pawn's. Else [`Square::NONE`].
    pub other: Square,
    /// The kind that a pawn, or a switched piece, becomes.
    pub promotion: Option<KindId>,
    /// Pieces that enter from the reserve on vacated squares; for a pawn, the piece that it promotes by its arrival.
    pub gates: [Option<Gate>; 2],
}

impl Ply {
    /// A move from one square to another.
    pub const fn step(actor: Actor, kind: KindId, from: Square, to: Square) -> Ply {
        Ply {
            actor,
            verb: Verb::Move,
            kind,
            from,
            to,
            other: Square::NONE,
            promotion: None,
            gates: [None; 2],
        }
    }

    /// A drop.
    pub const fn drop(actor: Actor, kind: KindId, to: Square) -> Ply {
        Ply { verb: Verb::Drop, from: Square::NONE, ..Ply::step(actor, kind, to, to) }
    }

    /// A drop with a second one in the same turn, where a definition allows two entries (IAB 2): the one on the lower
    /// square comes first.
    pub fn with_second_drop(self, second: Gate) -> Ply {
        if second.square >= self.to {
            return Ply { gates: [Some(second), None], ..self };
        }
        let first = Gate { kind: self.kind, square: self.to };
        Ply { gates: [Some(first), None], ..Ply::drop(self.actor, second.kind, second.square) }
    }

    /// A switch: the piece on a square becomes another kind.
    pub const fn switch(actor: Actor, kind: KindId, square: Square, to: KindId) -> Ply {
        Ply { verb: Verb::Switch, promotion: Some(to), ..Ply::step(actor, kind, square, square) }
    }

    /// A pass by a player with a king on a square.
    pub const fn pass(actor: Actor, king: KindId, square: Square) -> Ply {
        Ply { verb: Verb::Pass, ..Ply::step(actor, king, square, square) }
    }

    /// A null move by a player with a piece on a square: illegal in every game, but it may have been let stand.
    pub const fn null(actor: Actor, kind: KindId, square: Square) -> Ply {
        Ply::step(actor, kind, square, square)
    }

    /// True for a null move: a piece goes to its own square.
    pub fn is_null(&self) -> bool {
        self.verb == Verb::Move && self.from == self.to
    }

    /// True if a piece is gated in.
    pub const fn gates_any(&self) -> bool {
        self.gates[0].is_some()
    }
}
