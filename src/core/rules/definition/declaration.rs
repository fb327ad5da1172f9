//! Declarations of a win.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

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
