//! Disambiguation: how much of the from-square distinguishes a piece from others of its kind.

use crate::board::Mask;
use crate::position::{Ply, Position};

/// The disambiguation that short algebraic notation writes for a piece other than a pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// None: no other piece of the kind can legally move to the square.
    Nothing,
    /// The file.
    File,
    /// The rank, since others are on the same file.
    Rank,
    /// The full square.
    Square,
}

/// Other pieces of the kind that can legally move to the same square. Pinned pieces do not count.
pub(super) fn rivals<M: Mask>(position: &Position<M>, ply: &Ply) -> M {
    let (rules, state) = (position.rules(), position.state());
    let mut others = state.origins(rules, ply.actor, ply.kind, ply.to) & !M::bit(ply.from);
    let mut found = M::of([]);
    while others.any() {
        let from = others.lowest();
        others = others.without_lowest();
        if state.is_safe(rules, &state.step(rules, ply.actor, ply.kind, from, ply.to)) {
            found |= M::bit(from);
        }
    }
    found
}

/// The disambiguation that distinguishes `ply` from the plies of its `rivals`.
pub fn origin_among<M: Mask>(position: &Position<M>, ply: &Ply, rivals: M) -> Origin {
    let geometry = &position.rules().geometry;
    let board = position.rules().board();
    if rivals.is_empty() {
        Origin::Nothing
    } else if board.is_corner(ply.from) {
        Origin::Square
    } else if (rivals & geometry.file(board.file(ply.from))).is_empty() {
        Origin::File
    } else if (rivals & geometry.rank(board.rank(ply.from))).is_empty() {
        Origin::Rank
    } else {
        Origin::Square
    }
}

/// The disambiguation that short algebraic notation needs for a ply of a piece other than a pawn.
pub fn origin_needed<M: Mask>(position: &Position<M>, ply: &Ply) -> Origin {
    origin_among(position, ply, rivals(position, ply))
}

impl Origin {
    /// The disambiguation with a file, a rank, or both.
    pub const fn said(file: bool, rank: bool) -> Origin {
        match (file, rank) {
            (false, false) => Origin::Nothing,
            (true, false) => Origin::File,
            (false, true) => Origin::Rank,
            (true, true) => Origin::Square,
        }
    }

    /// True if this has more than `needed`.
    pub fn exceeds(self, needed: Origin) -> bool {
        match (self, needed) {
            (Origin::Nothing, _) => false,
            (Origin::Rank, Origin::File) | (Origin::File, Origin::Rank) => true,
            (said, needed) => said as u8 > needed as u8,
        }
    }
}
