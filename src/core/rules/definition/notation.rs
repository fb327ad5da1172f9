//! How the plies of a game are written, where its own styles need to know more than letters.

use crate::board::Owner;
use serde::{Deserialize, Serialize};

/// A style of notation that only the games that list it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnStyle {
    /// Coordinates with ranks from 0, as engines of Xiangqi write them: `h2e2`.
    Ucci,
    /// The same in capitals: `H2-E2`.
    Iccs,
    /// The piece and its file as its player counts them: `C2=5`.
    Wxf,
    /// The same in Chinese: `炮二平五`.
    Chinese,
    /// Squares as Janggi counts them, the rank first: `R01-91`.
    Janggi,
    /// The same with the piece between, in Korean records: `79卒78`.
    Gib,
    /// Short algebraic notation in Thai: `ร-ญ๒`.
    ThaiSan,
    /// Long algebraic notation in Thai: `ร ญ๑-ญ๒`.
    ThaiLan,
    /// The Universal Shogi Interface: `7g7f`.
    Usi,
    /// Records of shogi in Japanese: `７六歩(77)`.
    Kif,
    /// The Computer Shogi Association's: `7776FU`.
    Csa,
    /// George Hosking's for shogi: `P76`.
    Hosking,
    /// George Hodges's for shogi: `P-7f`.
    Hodges,
}

impl OwnStyle {
    /// The styles that call pieces by characters, with the field of [`Spelled`] that lists them.
    pub const WITH_CHARACTERS: [(OwnStyle, &str); 2] =
        [(OwnStyle::Chinese, "chinese"), (OwnStyle::Gib, "gib")];

    /// The styles in Thai.
    pub const THAI: [OwnStyle; 2] = [OwnStyle::ThaiSan, OwnStyle::ThaiLan];

    /// The notations of shogi, for games with its board and pieces.
    pub const OF_SHOGI: [OwnStyle; 5] =
        [OwnStyle::Usi, OwnStyle::Kif, OwnStyle::Csa, OwnStyle::Hosking, OwnStyle::Hodges];
}

/// How styles that name a piece by its file distinguish it from another of its kind on that file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tandem {
    /// By its place: in front, in the middle, in the rear.
    #[default]
    Place,
    /// Not at all: where it goes shows which it is.
    File,
    /// By its place; by number where more than two are on a file, or two on several files.
    Number,
}

/// What a kind is called in the styles that some games have of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Spelled {
    /// Its letter in style `wxf`, if another than its own.
    pub wxf: String,
    /// White's characters for it in style `chinese`, and Black's; the first of each is written, all are read.
    pub chinese: Vec<String>,
    /// White's characters for it in style `gib`, and Black's; the first of each is written, all are read.
    pub gib: Vec<String>,
    /// Its names in the styles `thai-san` and `thai-lan`; the first is written, all are read.
    pub thai: Vec<String>,
    /// How it is distinguished from another of its kind on its file.
    pub tandem: Tandem,
}

impl Spelled {
    /// White's characters for it and Black's in a style that names pieces so; none for the other styles.
    pub fn characters(&self, style: OwnStyle) -> &[String] {
        match style {
            OwnStyle::Chinese => &self.chinese,
            OwnStyle::Gib => &self.gib,
            _ => &[],
        }
    }

    /// An owner's characters for it in a style.
    pub fn characters_of(&self, style: OwnStyle, owner: Owner) -> &str {
        let both = self.characters(style);
        let own = both.get(usize::from(owner == Owner::Black));
        own.or(both.first()).map_or("", String::as_str)
    }
}
