//! Pieces as a program shows them.

use ferz_core::board::{Mask, Owner};
use ferz_core::rules::{Piece, Rules as Core, Stock};
use std::fmt;

/// A piece on a board or in a stock, with the names that its game gives it. As text it is the piece of a FEN: `N` is
/// White's knight, `n` Black's, `+R` a promoted rook.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Man {
    /// Whose it is.
    pub owner: Owner,
    /// Its name in the definition of the game: `knight`, `dragon king`.
    pub name: String,
    /// Its letter in upper case, as plies write it: `N`, `+R`; `R'` is of the other army (AUG-4).
    pub letter: String,
}

impl Man {
    pub(super) fn of<M: Mask>(rules: &Core<M>, piece: Piece) -> Man {
        let kind = rules.kind(piece.kind);
        Man { owner: piece.owner, name: kind.name.clone(), letter: kind.label[piece.owner].text() }
    }

    /// The men of a stock, each as often as it is there.
    pub(super) fn of_stock<M: Mask>(rules: &Core<M>, owner: Owner, stock: &Stock) -> Vec<Man> {
        let men = rules.all_kinds().kinds().flat_map(|kind| {
            let count = usize::from(stock[kind.index()]);
            std::iter::repeat_n(Man::of(rules, Piece { owner, kind }), count)
        });
        men.collect()
    }
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Owner::White => f.pad(&self.letter),
            Owner::Black => f.pad(&self.letter.to_lowercase()),
            Owner::Nature => f.pad(&format!("*{}", self.letter)),
        }
    }
}
