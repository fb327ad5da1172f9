//! The items of a record's movetext, flat and small.

use ferz_core::board::{BoardName, Owner};
use ferz_core::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One element of the movetext: its kind and its place.
///
/// The place counts bytes from the start of the record's own source. For a comment it is the text between the
/// delimiters; [`Record::full_span`](super::Record::full_span) gives the place with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// First byte, from the start of the record's source.
    pub start: u32,
    /// Number of bytes.
    pub len: u32,
    /// The kind.
    pub kind: ItemKind,
}

impl Item {
    /// One past the last byte, from the start of the record's source.
    pub const fn end(self) -> u32 {
        self.start + self.len
    }

    /// The same item after `count` of the items before it were removed.
    pub(crate) fn moved_down(self, count: u32) -> Item {
        let kind = match self.kind {
            ItemKind::VariationStart { end } => ItemKind::VariationStart { end: end - count },
            ItemKind::VariationEnd { start } => ItemKind::VariationEnd { start: start - count },
            kind => kind,
        };
        Item { kind, ..self }
    }
}

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// `12.`, `12...`, or the separate number of an interjection, `∞3.....`.
    MoveNumber(MoveNumber),
    /// A ply as written, without the `!` and `?` after it.
    Move,
    /// An annotation.
    Nag {
        /// Its number: `$5` is 5.
        value: u16,
        /// True if it was written as a sign (`!?`, `±`) and not as `$n`.
        glyph: bool,
    },
    /// Text, with clock commands inside it.
    Comment(CommentKind),
    /// `(`.
    VariationStart {
        /// Index of the item that closes it.
        end: u32,
    },
    /// `)`, or the place where an unclosed variation ends (with length 0).
    VariationEnd {
        /// Index of the item that opened it.
        start: u32,
    },
    /// A result, such as `1-0`.
    Result(GameResult),
}

/// A number before a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number; `u32::MAX` if it does not fit.
    pub value: u32,
    /// Number of dots after it, at most 255; an ellipsis character counts as three.
    pub dots: u8,
    /// True if `∞` (or `oo`, `OO`) precedes it: the number of an in-between turn, counted separately.
    pub interjection: bool,
    /// The player whom a letter after the digits names, in a game on two boards: `12a.`.
    pub seat: Option<Seat>,
}

/// A player of a game on two boards, as BPGN names them: `A` is White and `a` Black on board A, `B` and `b` on board B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// `A`.
    WhiteA,
    /// `a`.
    BlackA,
    /// `B`.
    WhiteB,
    /// `b`.
    BlackB,
}

impl Seat {
    /// The seat of a player on a board; Nature plays on no board of two.
    pub const fn of(board: BoardName, player: Owner) -> Seat {
        match (board, player) {
            (BoardName::A, Owner::Black) => Seat::BlackA,
            (BoardName::A, _) => Seat::WhiteA,
            (BoardName::B, Owner::Black) => Seat::BlackB,
            (BoardName::B, _) => Seat::WhiteB,
        }
    }

    /// The seat with this letter.
    pub const fn from_letter(letter: u8) -> Option<Seat> {
        match letter {
            b'A' => Some(Seat::WhiteA),
            b'a' => Some(Seat::BlackA),
            b'B' => Some(Seat::WhiteB),
            b'b' => Some(Seat::BlackB),
            _ => None,
        }
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            Seat::WhiteA => 'A',
            Seat::BlackA => 'a',
            Seat::WhiteB => 'B',
            Seat::BlackB => 'b',
        }
    }

    /// Its board.
    pub const fn board(self) -> BoardName {
        match self {
            Seat::WhiteA | Seat::BlackA => BoardName::A,
            Seat::WhiteB | Seat::BlackB => BoardName::B,
        }
    }

    /// Its player.
    pub const fn player(self) -> Owner {
        match self {
            Seat::WhiteA | Seat::WhiteB => Owner::White,
            Seat::BlackA | Seat::BlackB => Owner::Black,
        }
    }
}

impl MoveNumber {
    /// True if the dots are those of the player who is not on move: one is White's, more are Black's, none is
    /// neither's.
    pub fn has_dots_of_other(self, whites: bool) -> bool {
        !self.interjection && self.seat.is_none() && if whites { self.dots > 1 } else { self.dots == 1 }
    }
}

/// How a comment was written; its name in JSON is the word in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommentKind {
    /// `{ … }`.
    Brace,
    /// `; …` to the end of the line.
    Semicolon,
    /// A line with `%` in its first column.
    Escape,
    /// Words in the movetext, in the place of moves.
    Bare,
    /// A short remark after a move: `e.p.`, `(=)`.
    Remark,
    /// A variation beyond the depth or number that the tree keeps, with its parentheses.
    Deep,
}

/// The value of the tag `Result` of a game that both players lost. The standard has no result for it: the moves end
/// with `*`.
pub(super) const BOTH_LOSE: &str = "0-0";

/// True for the value of the tag `Result` by which both players lost.
pub(super) fn says_both_lose(value: &[u8]) -> bool {
    value.trim_ascii() == BOTH_LOSE.as_bytes()
}

/// The result of a game as in a record; its name in JSON is the form of the PGN standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*`: in progress or unknown.
    Unknown,
}

impl GameResult {
    /// The form of the PGN standard, also from `to_string`.
    ///
    /// ```
    /// use ferz_records::record::GameResult;
    /// assert_eq!(GameResult::Draw.as_str(), "1/2-1/2");
    /// assert_eq!(GameResult::Unknown.to_string(), "*");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Reads a result in the form of the PGN standard only.
    pub(crate) const fn parse_standard(text: &[u8]) -> Option<GameResult> {
        match text {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ => None,
        }
    }

    /// Reads a result in any form that the grammar accepts, such as `½-½` or `1:0`; `None` for anything else.
    ///
    /// ```
    /// use ferz_records::record::GameResult;
    /// assert_eq!(GameResult::parse("0.5-0.5"), Some(GameResult::Draw));
    /// assert_eq!(GameResult::parse("0-0"), None); // that is castling
    /// ```
    pub fn parse(text: &str) -> Option<GameResult> {
        let (result, len, _) = super::number::result(text.as_bytes(), 0)?;
        (len == text.len()).then_some(result)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for GameResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
        let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
        deserialize_named(deserializer, "result", &all, GameResult::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_small() {
        assert!(size_of::<Item>() <= 16, "{}", size_of::<Item>());
    }
}
