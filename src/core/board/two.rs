//! The two boards of a game that is played on two.

use super::Owner;
use crate::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One of the two boards of a game for two partners against two (BUG 1).
///
/// White on A and Black on B are partners; so are Black on A and White on B.
///
/// ```
/// use ferz_core::board::{BoardName, Owner};
/// assert_eq!(BoardName::A.other(), BoardName::B);
/// assert_eq!(BoardName::B.side_of(Owner::Black), Owner::White); // Black on B wins for the side of White on A
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardName {
    /// The first board.
    A,
    /// The second board.
    B,
}

impl BoardName {
    /// Both, in order.
    pub const ALL: [BoardName; 2] = [BoardName::A, BoardName::B];

    /// The partner's board.
    #[must_use]
    pub const fn other(self) -> BoardName {
        match self {
            BoardName::A => BoardName::B,
            BoardName::B => BoardName::A,
        }
    }

    /// The name as in a sentence and in JSON, also from `to_string`.
    pub const fn name(self) -> &'static str {
        match self {
            BoardName::A => "A",
            BoardName::B => "B",
        }
    }

    /// The player on board A who is on the side of a player on this board: the player, or the partner.
    #[must_use]
    pub const fn side_of(self, player: Owner) -> Owner {
        match self {
            BoardName::A => player,
            BoardName::B => player.opponent(),
        }
    }
}

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for BoardName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for BoardName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardName, D::Error> {
        deserialize_named(deserializer, "board", &BoardName::ALL, BoardName::name)
    }
}
