//! What a diagram shows, and how.

use super::drawings::Drawings;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Ply;
use std::str::FromStr;

/// The drawings of the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum PieceSet {
    /// A separate drawing for each way of moving.
    #[default]
    Standard,
    /// Marshall, cardinal and amazon built from chessmen and draughtsmen (IAGO Chess System).
    Impromptu,
}

impl PieceSet {
    /// All sets.
    pub const ALL: [PieceSet; 2] = [PieceSet::Standard, PieceSet::Impromptu];

    /// The name in options.
    pub const fn name(self) -> &'static str {
        match self {
            PieceSet::Standard => "standard",
            PieceSet::Impromptu => "impromptu",
        }
    }
}

impl FromStr for PieceSet {
    type Err = String;

    fn from_str(text: &str) -> Result<PieceSet, String> {
        let known = PieceSet::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(text));
        known.ok_or_else(|| format!("`{text}` is not a set of pieces; choose standard or impromptu"))
    }
}

/// What a diagram shows, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options<M> {
    /// Prefix of its ids: a letter, then letters, digits and `-`. `None` derives it from the content, so that different
    /// diagrams on one page have different ids.
    pub id: Option<String>,
    /// A heading above the board, also the diagram's accessible name. `None`: no heading, and a name made of the game
    /// and the side to move.
    pub title: Option<String>,
    /// A text below everything else.
    pub caption: Option<String>,
    /// The ply that led to the position: its squares are tinted, with corners drawn.
    pub last: Option<Ply>,
    /// Squares that a fault refers to: framed and hatched.
    pub marked: M,
    /// What an annotator draws on the board.
    pub drawn: Drawings,
    /// The drawings of the pieces.
    pub pieces: PieceSet,
    /// The player at the bottom; Nature sees White's view.
    pub seen_by: Owner,
    /// Whether to show coordinates.
    pub coordinates: bool,
    /// Whether to show stocks, turn, rights and clocks; otherwise the board only.
    pub surroundings: bool,
}

impl<M: Mask> Default for Options<M> {
    fn default() -> Options<M> {
        Options {
            id: None,
            title: None,
            caption: None,
            last: None,
            marked: M::EMPTY,
            drawn: Drawings::default(),
            pieces: PieceSet::Standard,
            seen_by: Owner::White,
            coordinates: true,
            surroundings: true,
        }
    }
}
