//! How Nature plays.

use super::Definition;
use serde::{Deserialize, Serialize};

/// What the delay of Nature's check applies to (CHA-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DelayScope {
    /// One clock for all of Nature's pieces.
    #[default]
    Clock,
    /// The piece that Nature introduced or moved last.
    Piece,
}

/// Whose attacks do not prevent castling during the delay (CHA-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DelayFreesCastling {
    /// Only Nature's.
    #[default]
    Nature,
    /// All attacks.
    All,
}

/// Which player Nature's mate applies to (CHA-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NaturesMate {
    /// The player on move.
    #[default]
    OnMove,
    /// Either player.
    Either,
}

/// The form in which a piece captured by Nature returns (CHA-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reentry {
    /// The kind it was on the board.
    #[default]
    Kind,
    /// The piece it was in the array: a promoted pawn as a pawn.
    Piece,
}

/// Where Nature's pawn goes when it captures en passant (CHA 12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NatureEnPassant {
    /// To a neighbouring square of its own, at right angles to the line between the two pawns.
    #[default]
    Beside,
    /// To such a square of the captured pawn's.
    Behind,
}

/// When Nature's pawn, on a line whose arrival promotes another piece, arrives (CHA-22).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NatureArrival {
    /// By a move from off that line.
    #[default]
    Entry,
    /// By a move along it, too.
    Any,
}

/// What may end Nature's anti-check (CHA-19).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NatureAntiCheck {
    /// Any action after which her Anti-King is attacked.
    #[default]
    Any,
    /// A move of her Anti-King alone.
    Move,
}

/// Whose attacks keep a player's Anti-King out of anti-check where Nature plays (CHA-21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AntiKingsFedBy {
    /// The opponent's.
    #[default]
    Opponent,
    /// Nature's, too.
    All,
}

/// Two groups of squares for Nature's castling.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NatureCastling {
    /// Squares of Nature's king.
    pub king: String,
    /// Squares of Nature's rook.
    pub rook: String,
}

/// What becomes of an in-between turn that took longer than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LateTurn {
    /// It is void: the ply is illegal.
    #[default]
    Void,
    /// It stands, with a warning.
    Noted,
}

/// Nature: when it may act, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct NatureSection {
    /// Whether there is a third player.
    pub enabled: bool,
    /// Real plies from one in-between turn to the next (CHA-1).
    pub period: u8,
    /// Real plies after an in-between turn during which Nature's attack is not check (CHA-1).
    pub delay: u8,
    /// What the delay applies to.
    pub delay_scope: DelayScope,
    /// Whose attacks do not prevent castling during the delay.
    pub delay_frees_castling: DelayFreesCastling,
    /// Which player Nature's mate applies to.
    pub natures_mate: NaturesMate,
    /// The form in which captured pieces return.
    pub reentry: Reentry,
    /// Letters of the kinds that Nature introduces (CHA-17).
    pub kinds: Vec<String>,
    /// Switch `king` (CHA 9).
    pub king: bool,
    /// Switch `castling` (CHA 10).
    pub castling: bool,
    /// Switch `pawn` (CHA 11 to 13).
    pub pawn: bool,
    /// Letter of Nature's king.
    pub king_letter: String,
    /// Letter of Nature's pawn.
    pub pawn_letter: String,
    /// Letter of Nature's rook, for castling.
    pub rook_letter: String,
    /// The table of Nature's castling.
    pub castling_squares: Vec<NatureCastling>,
    /// Lines on which Nature's pawns capture en passant (CHA 12).
    pub en_passant_lines: String,
    /// Where they go then.
    pub en_passant: NatureEnPassant,
    /// When her pawn promotes another piece of hers by its arrival (CHA-22).
    pub arrival: NatureArrival,
    /// What may end her anti-check (CHA-19).
    pub anti_check: NatureAntiCheck,
    /// Whose attacks keep the players' Anti-Kings out of anti-check (CHA-21).
    pub anti_kings_fed_by: AntiKingsFedBy,
    /// Seconds for an in-between turn where a record names none (tag `NatureTimeLimit`); 0 for any time (CHA-25).
    pub time_limit: u16,
    /// What becomes of a turn that takes longer (CHA-25).
    pub late: LateTurn,
    /// Article.
    pub rule: String,
}

impl Definition {
    /// The letters of the kinds that pieces become by a switch or by a pawn's arrival, and of those that a pawn's
    /// arrival changes; each with its field.
    pub fn changed_kinds(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let other = &self.promotion.other;
        let switched = [("switch.to", &self.switch.to), ("promotion.other.of", &other.of)];
        switched.into_iter().chain(other.to.iter().map(|letter| ("promotion.other.to", letter)))
    }
}

impl Default for NatureSection {
    fn default() -> NatureSection {
        NatureSection {
            enabled: false,
            period: 5,
            delay: 3,
            delay_scope: DelayScope::Clock,
            delay_frees_castling: DelayFreesCastling::Nature,
            natures_mate: NaturesMate::OnMove,
            reentry: Reentry::Kind,
            kinds: Vec::new(),
            king: false,
            castling: false,
            pawn: false,
            king_letter: "K".into(),
            pawn_letter: "P".into(),
            rook_letter: "R".into(),
            castling_squares: Vec::new(),
            en_passant_lines: "none".into(),
            en_passant: NatureEnPassant::Beside,
            arrival: NatureArrival::Entry,
            anti_check: NatureAntiCheck::Any,
            anti_kings_fed_by: AntiKingsFedBy::Opponent,
            time_limit: 0,
            late: LateTurn::Void,
            rule: String::new(),
        }
    }
}
