//! Fields of definitions about endings of few games: counts of moves, declarations, bare kings.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

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

/// What a player needs who declares a win with the king in the promotion zone (SHO 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Declaration {
    /// There are no declarations.
    #[default]
    None,
    /// 28 points, Black 27.
    Points27,
    /// 31 points; 24 to 30 draw.
    Points24,
}

impl Serialize for Declaration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Declaration::None => serializer.serialize_str("none"),
            Declaration::Points27 => serializer.serialize_i64(27),
            Declaration::Points24 => serializer.serialize_i64(24),
        }
    }
}

impl<'de> Deserialize<'de> for Declaration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Declaration, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Declaration;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`27`, `24` or `\"none\"`")
            }

            fn visit_i64<E: de::Error>(self, points: i64) -> Result<Declaration, E> {
                match points {
                    27 => Ok(Declaration::Points27),
                    24 => Ok(Declaration::Points24),
                    other => Err(E::invalid_value(de::Unexpected::Signed(other), &self)),
                }
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Declaration, E> {
                match text {
                    "none" => Ok(Declaration::None),
                    "27" => Ok(Declaration::Points27),
                    "24" => Ok(Declaration::Points24),
                    other => Err(E::unknown_variant(other, &["27", "24", "none"])),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
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
