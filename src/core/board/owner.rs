//! Who owns pieces and who takes turns.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

/// The owner of a piece. White and Black are the *real* players; Nature is the third player of Chaos's Chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// The player who moves first.
    White,
    /// White's opponent.
    Black,
    /// The third player, who owns the neutral pieces and interjects plies.
    Nature,
}

/// The side that makes a ply: the same three as the owners of pieces, in the same slots.
pub type Actor = Owner;

impl Owner {
    /// All three, in the order of their slots.
    pub const ALL: [Owner; 3] = [Owner::White, Owner::Black, Owner::Nature];
    /// The two players whose kings decide the game.
    pub const REAL: [Owner; 2] = [Owner::White, Owner::Black];

    /// Slot of this owner in tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// True for White and Black.
    #[inline]
    pub const fn is_real(self) -> bool {
        !matches!(self, Owner::Nature)
    }

    /// The other real player; Nature has no opponent and stays Nature.
    #[inline]
    pub const fn opponent(self) -> Owner {
        match self {
            Owner::White => Owner::Black,
            Owner::Black => Owner::White,
            Owner::Nature => Owner::Nature,
        }
    }

    /// Direction of "forward" along the ranks: +1 for White and Nature, -1 for Black.
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Owner::Black => -1,
            _ => 1,
        }
    }

    /// The name as in a sentence, also from `to_string`; JSON has it in lower case.
    ///
    /// ```
    /// use ferz_core::board::Owner;
    /// assert_eq!(format!("{} to move", Owner::Black), "Black to move");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Owner::White => "White",
            Owner::Black => "Black",
            Owner::Nature => "Nature",
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One value for each owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByOwner<T>(pub [T; 3]);

impl<T> Index<Owner> for ByOwner<T> {
    type Output = T;
    #[inline]
    fn index(&self, owner: Owner) -> &T {
        &self.0[owner.index()]
    }
}

impl<T> IndexMut<Owner> for ByOwner<T> {
    #[inline]
    fn index_mut(&mut self, owner: Owner) -> &mut T {
        &mut self.0[owner.index()]
    }
}

impl<T> ByOwner<T> {
    /// Builds the table by calling `make` for each owner.
    pub fn from_fn(mut make: impl FnMut(Owner) -> T) -> ByOwner<T> {
        ByOwner([make(Owner::White), make(Owner::Black), make(Owner::Nature)])
    }
}
