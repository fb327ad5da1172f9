//! What a diagram shows, and how.

use crate::board::{Mask, Owner};
use crate::position::Ply;
use std::str::FromStr;

/// The drawings of the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum PieceSet {
    /// A drawing of its own for each way of moving.
    #[default]
    Standard,
    /// Marshall, cardinal and amazon as players make them of chessmen and draughtsmen (IAGO Chess System).
    Impromptu,
}

impl PieceSet {
    /// All sets.
    pub const ALL: [PieceSet; 2] = [PieceSet::Standard, PieceSet::Impromptu];

    /// The name that options use.
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
        known.ok_or_else(|| format!("`{text}` is no set of pieces; there are standard and impromptu"))
    }
}

/// What a diagram shows, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options<M> {
    /// What its ids begin with: a letter, then letters, digits and `-`. Nothing: made from what is drawn, so that
    /// different diagrams of one page have different ids.
    pub id: Option<String>,
    /// A heading above the board, also the diagram's accessible name. Nothing: no heading, and a name made from the
    /// game and whose turn it is.
    pub title: Option<String>,
    /// A text below everything else.
    pub caption: Option<String>,
    /// The ply that led to the position: its squares are tinted, with corners drawn.
    pub last: Option<Ply>,
    /// Squares that a fault is about: framed and hatched.
    pub marked: M,
    /// The drawings of the pieces.
    pub pieces: PieceSet,
    /// Who sits at the lower side; Nature sees what White sees.
    pub seen_by: Owner,
    /// Whether files and ranks are named beside the board.
    pub coordinates: bool,
    /// Whether stocks, turn, rights and clocks are shown; without them there is the board alone.
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
            pieces: PieceSet::Standard,
            seen_by: Owner::White,
            coordinates: true,
            surroundings: true,
        }
    }
}
