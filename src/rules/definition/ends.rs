//! How a game ends.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result for a player without a legal ply who is not in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stalemate {
    /// Half a point.
    #[default]
    Draw,
    /// Nothing (ICH-4).
    Loss,
    /// A point (LIC 3).
    Win,
}

/// What it means to have no pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Annihilation {
    /// Nothing by itself.
    #[default]
    None,
    /// A player without pieces has won.
    Wins,
    /// A player without pieces has lost.
    Loses,
}

/// The effect of repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repetition {
    /// Threefold on claim, fivefold automatically.
    #[default]
    Fide,
    /// Fourfold automatically; lost by the side that gave check with every ply (ICH-5).
    FourfoldPerpetual,
    /// Lost at the third occurrence by the side that gave check with every ply, drawn if both did; otherwise drawn on
    /// claim if no side may have chased a piece (XQI 5, XQI-2).
    ThreefoldPerpetual,
    /// No effect.
    None,
}

impl Repetition {
    /// Number of occurrences after which perpetual check decides the game, if it does.
    pub const fn perpetual(self) -> Option<usize> {
        match self {
            Repetition::FourfoldPerpetual => Some(4),
            Repetition::ThreefoldPerpetual => Some(3),
            Repetition::Fide | Repetition::None => None,
        }
    }

    /// True if a player may claim a draw at the third occurrence.
    pub const fn is_claimed(self) -> bool {
        matches!(self, Repetition::Fide | Repetition::ThreefoldPerpetual)
    }
}

/// Whether a position without mating material ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadPosition {
    /// By material (COM-7).
    #[default]
    Material,
    /// Never.
    None,
}

/// The effect of a pawn on the opposing king's array square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KingsSquare {
    /// No effect.
    #[default]
    None,
    /// It must become a king, and wins (ING-1).
    MustBecomeKing,
    /// It wins as a pawn.
    PawnSuffices,
}

/// What reaching the goal is called in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalName {
    /// A place to occupy: `hill`.
    #[default]
    Hill,
    /// A line to reach: `race`, and `race_draw` if both players reach it.
    Race,
}

/// How a game ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EndSection {
    /// No legal ply, not in check.
    pub stalemate: Stalemate,
    /// Repetition.
    pub repetition: Repetition,
    /// Whether the fifty-move and seventy-five-move rules hold.
    pub move_counters: bool,
    /// Number of moves of each player without capture or pawn move after which a player may claim a draw; 0 for none.
    pub quiet_moves: u16,
    /// Dead positions.
    pub dead_position: DeadPosition,
    /// Whether a lone king loses.
    pub bare_king: bool,
    /// Whether winner and loser are exchanged.
    pub misere: bool,
    /// The opposing king's array square.
    pub kings_square: KingsSquare,
    /// By letter of a kind: the squares on which a piece of it wins. Regions are White's; Black's are mirrored.
    pub goal: BTreeMap<String, String>,
    /// Whether Black's goal is White's mirrored; otherwise both have the same squares.
    pub goal_mirrored: bool,
    /// What reaching the goal is called.
    pub goal_name: GoalName,
    /// Whether Black has one ply to reach the goal too after White has reached it.
    pub last_ply: bool,
    /// The number of checks given that wins; 0 if they are not counted.
    pub checks: u8,
    /// What it means to have no pieces, on the board or in stock.
    pub annihilation: Annihilation,
    /// Article.
    pub rule: String,
}

impl EndSection {
    /// The number of plies that a claim by `quiet-moves` needs.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_moves.saturating_mul(2)
    }

    /// True if the position itself may show an ending other than checkmate and stalemate.
    pub fn has_own(&self) -> bool {
        self.bare_king || self.kings_square != KingsSquare::None || self.wins_besides_mate()
    }

    /// True if a player may win by a goal on the board, by giving checks or by having no pieces.
    pub fn wins_besides_mate(&self) -> bool {
        self.checks > 0 || !self.goal.is_empty() || self.annihilation != Annihilation::None
    }
}

impl Default for EndSection {
    fn default() -> EndSection {
        EndSection {
            stalemate: Stalemate::Draw,
            repetition: Repetition::Fide,
            move_counters: true,
            quiet_moves: 0,
            dead_position: DeadPosition::Material,
            bare_king: false,
            misere: false,
            kings_square: KingsSquare::None,
            goal: BTreeMap::new(),
            goal_mirrored: true,
            goal_name: GoalName::Hill,
            last_ply: false,
            checks: 0,
            annihilation: Annihilation::None,
            rule: String::new(),
        }
    }
}
