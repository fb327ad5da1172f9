//! How a game ends.

use super::declaration::Declaration;
use crate::board::Owner;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// Half-moves after which a player may claim a draw (FIDE 9.3).
pub const FIFTY_MOVES: u16 = 100;

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
    /// A point for the player with fewer pieces on the board, half a point with as many (LIC-4).
    FewerPieces,
    /// Nothing yet: the player waits for a piece from the other board (BUG 5).
    Waits,
}

impl Stalemate {
    /// True if the player without a legal ply may have won.
    pub const fn may_win(self) -> bool {
        matches!(self, Stalemate::Win | Stalemate::FewerPieces)
    }
}

/// When a player in check who has no legal ply is mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mate {
    /// At once.
    #[default]
    NoLegalPly,
    /// Unless a piece of some kind, in hand or not, could be dropped against the check (BUG 4).
    NoDropParries,
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
    /// The game ends at the third occurrence: lost by the side that gave check with every ply, otherwise decided by
    /// points, or drawn (JNG 6).
    Threefold,
    /// No effect.
    None,
}

impl Repetition {
    /// Number of occurrences after which perpetual check decides the game, if it does.
    pub const fn perpetual(self) -> Option<usize> {
        match self {
            Repetition::FourfoldPerpetual => Some(4),
            Repetition::ThreefoldPerpetual | Repetition::Threefold => Some(3),
            Repetition::Fide | Repetition::None => None,
        }
    }

    /// Number of occurrences after which the game may end by itself, if repetition ends it.
    pub const fn ends_at(self) -> Option<usize> {
        match self {
            Repetition::Fide => Some(5),
            other => other.perpetual(),
        }
    }

    /// True if a player may claim a draw at the third occurrence.
    pub const fn is_claimed(self) -> bool {
        matches!(self, Repetition::Fide | Repetition::ThreefoldPerpetual)
    }
}

/// Who loses by a repetition without perpetual check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepetitionLoses {
    /// It is a draw.
    #[default]
    None,
    /// White, as in Minishogi, where the first player has to vary.
    White,
    /// Black.
    Black,
}

impl RepetitionLoses {
    /// The player who loses.
    pub const fn loser(self) -> Option<Owner> {
        match self {
            RepetitionLoses::None => None,
            RepetitionLoses::White => Some(Owner::White),
            RepetitionLoses::Black => Some(Owner::Black),
        }
    }
}

/// Who decides that a perpetual check loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Perpetual {
    /// The repetition ends the game.
    #[default]
    Automatic,
    /// An arbiter, on the claim of the player in check (XQI-3).
    Claim,
}

/// Whether a position without mating material ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadPosition {
    /// By material (COM-7).
    #[default]
    Material,
    /// By material, with nothing left but the kings (OMG-2).
    Kings,
    /// Never.
    None,
}

impl DeadPosition {
    /// True if there are dead positions.
    pub const fn by_material(self) -> bool {
        !matches!(self, DeadPosition::None)
    }
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
    /// It may become a king, and wins then; otherwise it stays a pawn that can never move again, a dead pawn.
    MayBecomeKing,
}

impl KingsSquare {
    /// True if the pawn may become a king there.
    pub const fn makes_kings(self) -> bool {
        matches!(self, KingsSquare::MustBecomeKing | KingsSquare::MayBecomeKing)
    }
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

/// What decides a game that ends without a mate: by passes, by repetition, by its limit of quiet moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unmated {
    /// Nothing: it is drawn.
    #[default]
    Draw,
    /// The points of the pieces (JNG 5).
    Points,
}

/// Moves that a player counts, and that draw the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveCount {
    /// None.
    #[default]
    None,
    /// Pieces' honour and board's honour, once no pawn is left (MAK 4, MAK 5).
    Makruk,
}

/// How the count of board's honour begins (MAK-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardHonour {
    /// When a player calls for it.
    #[default]
    Claim,
    /// By itself, for the side with fewer pieces.
    Auto,
}

/// Whether a lone king loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BareKing {
    /// No.
    #[default]
    No,
    /// Unless the next ply bares the opponent as well (IAV-1).
    Answerable,
    /// At once, whatever the next ply could do (SHA-2).
    AtOnce,
}

impl BareKing {
    /// True if a lone king loses.
    pub fn loses(self) -> bool {
        self != BareKing::No
    }
}

impl Serialize for BareKing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            BareKing::No => serializer.serialize_bool(false),
            BareKing::Answerable => serializer.serialize_bool(true),
            BareKing::AtOnce => serializer.serialize_str("at-once"),
        }
    }
}

impl<'de> Deserialize<'de> for BareKing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BareKing, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = BareKing;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, `false` or `\"at-once\"`")
            }

            fn visit_bool<E: de::Error>(self, loses: bool) -> Result<BareKing, E> {
                Ok(if loses { BareKing::Answerable } else { BareKing::No })
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<BareKing, E> {
                match text {
                    "at-once" => Ok(BareKing::AtOnce),
                    other => Err(E::unknown_variant(other, &["true", "false", "at-once"])),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// How a game ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EndSection {
    /// No legal ply, in check.
    pub mate: Mate,
    /// No legal ply, not in check.
    pub stalemate: Stalemate,
    /// Repetition.
    pub repetition: Repetition,
    /// Who loses by a repetition without perpetual check, with `fourfold-perpetual`.
    pub repetition_loses: RepetitionLoses,
    /// Who decides that a perpetual check loses, with `threefold-perpetual`.
    pub perpetual: Perpetual,
    /// Whether the fifty-move and seventy-five-move rules hold.
    pub move_counters: bool,
    /// Number of moves of each player without capture or pawn move after which a player may claim a draw; 0 for none.
    pub quiet_moves: u16,
    /// Number of moves of each player without capture or pawn move after which the game ends; 0 for none.
    pub quiet_limit: u16,
    /// Whether kings that face each other on a file must be parted, or accepted by a pass, which ends the game.
    pub bikjang: bool,
    /// What decides a game that ends without a mate.
    pub unmated: Unmated,
    /// By letter of a kind: the points that each piece of it counts.
    pub points: BTreeMap<String, u8>,
    /// Half-points that Black has in addition.
    pub black_half_points: u8,
    /// Dead positions.
    pub dead_position: DeadPosition,
    /// Whether a lone king loses.
    pub bare_king: BareKing,
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
    /// Moves that are counted.
    pub count: MoveCount,
    /// How the count of board's honour begins.
    pub board_honour: BoardHonour,
    /// What a declaration needs.
    pub declaration: Declaration,
    /// Article.
    pub rule: String,
}

impl EndSection {
    /// True if a player without a legal ply waits, not to lose by it or be drawn.
    pub fn may_wait(&self) -> bool {
        self.mate == Mate::NoDropParries || self.stalemate == Stalemate::Waits
    }

    /// True if players may call for something.
    pub fn has_calls(&self) -> bool {
        self.count != MoveCount::None || self.declaration != Declaration::None
    }

    /// True if a perpetual check loses only on a claim.
    pub fn claims_perpetual(&self) -> bool {
        self.repetition == Repetition::ThreefoldPerpetual && self.perpetual == Perpetual::Claim
    }

    /// The number of plies that a claim by `quiet-moves` needs.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_moves.saturating_mul(2)
    }

    /// The halfmove clock at which a player may claim a draw: of fifty moves (FIDE 9.3), or by the game's own rule;
    /// `None` if the game has neither.
    pub fn claimed_at(&self) -> Option<u16> {
        let quiet = (self.quiet_moves > 0).then(|| self.quiet_plies());
        if self.move_counters { Some(FIFTY_MOVES) } else { quiet }
    }

    /// The halfmove clock at which the game ends by its own limit; `None` if it has none.
    pub fn ended_at(&self) -> Option<u16> {
        (self.quiet_limit > 0).then(|| self.quiet_limit.saturating_mul(2))
    }

    /// True if the position itself may show an ending other than checkmate and stalemate.
    pub fn has_own(&self) -> bool {
        let bare_or_counts = self.bare_king.loses() || self.count != MoveCount::None || self.bikjang;
        bare_or_counts || self.kings_square != KingsSquare::None || self.wins_besides_mate()
    }

    /// True if a player may win by a goal on the board, by giving checks or by having no pieces.
    pub fn wins_besides_mate(&self) -> bool {
        self.checks > 0 || !self.goal.is_empty() || self.annihilation != Annihilation::None
    }
}

impl Default for EndSection {
    fn default() -> EndSection {
        EndSection {
            mate: Mate::NoLegalPly,
            stalemate: Stalemate::Draw,
            repetition: Repetition::Fide,
            repetition_loses: RepetitionLoses::None,
            perpetual: Perpetual::Automatic,
            move_counters: true,
            quiet_moves: 0,
            quiet_limit: 0,
            bikjang: false,
            unmated: Unmated::Draw,
            points: BTreeMap::new(),
            black_half_points: 0,
            dead_position: DeadPosition::Material,
            bare_king: BareKing::No,
            misere: false,
            kings_square: KingsSquare::None,
            goal: BTreeMap::new(),
            goal_mirrored: true,
            goal_name: GoalName::Hill,
            last_ply: false,
            checks: 0,
            annihilation: Annihilation::None,
            count: MoveCount::None,
            board_honour: BoardHonour::Claim,
            declaration: Declaration::None,
            rule: String::new(),
        }
    }
}
