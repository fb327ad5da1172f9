//! One action by one actor.

use crate::board::{Actor, Square};
use crate::rules::KindId;

/// What a ply does, apart from where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A piece goes from one square to another, capturing what stands there.
    Move,
    /// A pawn captures a pawn that stands elsewhere ([`Ply::other`]).
    EnPassant,
    /// King and rook ([`Ply::other`]) move together; [`Ply::to`] is the king's new square.
    Castle,
    /// A piece enters from a stock, or is introduced by Nature.
    Drop,
}

/// A reserve piece that enters on a square that the ply vacates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate {
    /// What enters.
    pub kind: KindId,
    /// Where.
    pub square: Square,
}

/// One action by one actor, complete: with gating, promotion and what is captured elsewhere.
///
/// It means something only in the position it was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply {
    /// Who acts.
    pub actor: Actor,
    /// What is done.
    pub verb: Verb,
    /// The kind that moves (as it was before promotion) or enters.
    pub kind: KindId,
    /// Where it comes from; [`Square::NONE`] for drops.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// Castling: the rook's square. En passant: the captured pawn's. Else [`Square::NONE`].
    pub other: Square,
    /// What a pawn becomes.
    pub promotion: Option<KindId>,
    /// What enters from the reserve behind it.
    pub gates: [Option<Gate>; 2],
}

impl Ply {
    /// A piece goes from one square to another.
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

    /// A piece enters.
    pub const fn drop(actor: Actor, kind: KindId, to: Square) -> Ply {
        Ply { verb: Verb::Drop, from: Square::NONE, ..Ply::step(actor, kind, to, to) }
    }

    /// True if some piece enters from the reserve behind another.
    pub const fn gates_any(&self) -> bool {
        self.gates[0].is_some()
    }
}
