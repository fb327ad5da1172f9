//! The styles of notation.

use super::marks::{KOREAN_CHECK, KOREAN_PASS};
use super::movetext::{CheckMark, Habits};
use crate::rules::definition::{Definition, OwnStyle};
use crate::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A style of notation. `formats/NOTATION.md` shows each, action by action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// Coordinates, the same in every game: `e2e4`, `b1c3m`, `~Q@a4`.
    Coord,
    /// PGN's short algebraic notation, with drops `N@e4` and gating `Be3/C`.
    San,
    /// Long algebraic notation: `Bc1-e3`.
    Lan,
    /// UCI as Fairy-Stockfish writes it: coordinates without a third player.
    Uci,
    /// Coordinates of the XBoard protocol: `O-O` in Chess960, gates on the king's square only.
    Xboard,
    /// SAN with figures instead of letters: `♘f3`, `e8=♕`.
    Figurine,
    /// Rich Hutnik's: `Bc1-e3&C`, `&Me1`.
    Iago,
    /// Pangus Ho's: `R=a1`, `Pc5=F`, `BxNg5`.
    Ichess,
    /// BattleChessGN18's: SAN, with Nature's turns `∞3.....a4=Q`.
    Chaos,
    /// S-Chess: SAN with `/H`.
    Schess,
    /// Numeric notation of the International Correspondence Chess Federation: `5254`, `57581`.
    Iccf,
    /// The Universal Shogi Interface: `7g7f`, `8h2b+`, `P*5e`.
    Usi,
    /// Records of shogi in Japanese: `７六歩(77)`; KI2 is read.
    Kif,
    /// The Computer Shogi Association's: `7776FU`, `0055KA`.
    Csa,
    /// George Hosking's for shogi: `P76`, `Bx22+`, `B'39`.
    Hosking,
    /// George Hodges's for shogi: `P-7f`, `Bx2b+`, `B*3i`.
    Hodges,
    /// Warren Smith's reversible coordinates: `f4g5n`, `e1g1c`, `e5d6E`, `f7g8nQ`.
    Smith,
    /// Coordinates with ranks from 0, as engines of Xiangqi write them: `h2e2`.
    Ucci,
    /// The same in capitals: `H2-E2`.
    Iccs,
    /// The World Xiangqi Federation's: `C2=5`, `H8+7`.
    Wxf,
    /// Chinese: `炮二平五`, `马８进７`.
    Chinese,
    /// Janggi's, by rank and file from Han's side: `R01-91`, `N18x37+`.
    Janggi,
    /// Records of Janggi in Korean: `79卒78`, `한수쉼`.
    Gib,
    /// Short algebraic notation in Thai: `ร-ญ๒`, `จxฉ๕`.
    ThaiSan,
    /// Long algebraic notation in Thai: `ร ญ๑-ญ๒`.
    ThaiLan,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 25] = [
        Style::Coord,
        Style::San,
        Style::Lan,
        Style::Uci,
        Style::Xboard,
        Style::Figurine,
        Style::Iago,
        Style::Ichess,
        Style::Chaos,
        Style::Schess,
        Style::Iccf,
        Style::Smith,
        Style::Usi,
        Style::Kif,
        Style::Csa,
        Style::Hosking,
        Style::Hodges,
        Style::Ucci,
        Style::Iccs,
        Style::Wxf,
        Style::Chinese,
        Style::Janggi,
        Style::Gib,
        Style::ThaiSan,
        Style::ThaiLan,
    ];

    /// The style's name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Coord => "coord",
            Style::San => "san",
            Style::Lan => "lan",
            Style::Uci => "uci",
            Style::Xboard => "xboard",
            Style::Figurine => "figurine",
            Style::Iago => "iago",
            Style::Ichess => "ichess",
            Style::Chaos => "chaos",
            Style::Schess => "schess",
            Style::Iccf => "iccf",
            Style::Smith => "smith",
            Style::Usi => "usi",
            Style::Kif => "kif",
            Style::Csa => "csa",
            Style::Hosking => "hosking",
            Style::Hodges => "hodges",
            Style::Ucci => "ucci",
            Style::Iccs => "iccs",
            Style::Wxf => "wxf",
            Style::Chinese => "chinese",
            Style::Janggi => "janggi",
            Style::Gib => "gib",
            Style::ThaiSan => "thai-san",
            Style::ThaiLan => "thai-lan",
        }
    }

    /// The definition's name for a style that only the games that list it have; `None` for the styles of all games.
    pub const fn own(self) -> Option<OwnStyle> {
        match self {
            Style::Ucci => Some(OwnStyle::Ucci),
            Style::Iccs => Some(OwnStyle::Iccs),
            Style::Wxf => Some(OwnStyle::Wxf),
            Style::Chinese => Some(OwnStyle::Chinese),
            Style::Janggi => Some(OwnStyle::Janggi),
            Style::Gib => Some(OwnStyle::Gib),
            Style::ThaiSan => Some(OwnStyle::ThaiSan),
            Style::ThaiLan => Some(OwnStyle::ThaiLan),
            Style::Usi => Some(OwnStyle::Usi),
            Style::Kif => Some(OwnStyle::Kif),
            Style::Csa => Some(OwnStyle::Csa),
            Style::Hosking => Some(OwnStyle::Hosking),
            Style::Hodges => Some(OwnStyle::Hodges),
            _ => None,
        }
    }

    /// True if a game has the style.
    pub fn is_for(self, game: &Definition) -> bool {
        self.own().is_none_or(|own| game.styles.contains(&own))
    }

    /// The names of the styles that a game has.
    pub fn names_for(game: &Definition) -> String {
        let names: Vec<&str> =
            Style::ALL.into_iter().filter(|style| style.is_for(game)).map(Style::name).collect();
        names.join(", ")
    }

    /// True for styles that write two squares without a piece letter, and Nature's plies with `~`.
    pub const fn is_coordinates(self) -> bool {
        matches!(
            self,
            Style::Coord
                | Style::Uci
                | Style::Xboard
                | Style::Iccf
                | Style::Usi
                | Style::Csa
                | Style::Ucci
                | Style::Iccs
        )
    }

    /// True for the notations of shogi and Janggi, whose records number every ply or none.
    pub const fn numbers_plies(self) -> bool {
        matches!(
            self,
            Style::Usi
                | Style::Kif
                | Style::Csa
                | Style::Hosking
                | Style::Hodges
                | Style::Janggi
                | Style::Gib
        )
    }

    /// The text of a null move.
    pub const fn null_move(self) -> &'static str {
        match self {
            Style::Xboard => "@@@@",
            Style::Coord
            | Style::Uci
            | Style::Iccf
            | Style::Smith
            | Style::Usi
            | Style::Csa
            | Style::Ucci
            | Style::Iccs => "0000",
            _ => "--",
        }
    }

    /// True if the style has a text for a pass.
    pub const fn has_pass(self) -> bool {
        let others = matches!(
            self,
            Style::Iccf
                | Style::Smith
                | Style::Usi
                | Style::Kif
                | Style::Csa
                | Style::Hosking
                | Style::Hodges
                | Style::Ucci
                | Style::Iccs
                | Style::Wxf
                | Style::Chinese
                | Style::ThaiSan
                | Style::ThaiLan
        );
        !others
    }

    /// The text of a pass in a style that has one; `None` where it is the king's square twice.
    pub const fn pass(self) -> Option<&'static str> {
        match self {
            Style::Coord | Style::Uci => None,
            Style::Janggi | Style::Gib => Some(KOREAN_PASS),
            _ => Some(self.null_move()),
        }
    }

    /// True for styles that mark check and mate.
    pub const fn has_marks(self) -> bool {
        let others = matches!(
            self,
            Style::Smith
                | Style::Kif
                | Style::Hosking
                | Style::Hodges
                | Style::Wxf
                | Style::Chinese
                | Style::Gib
        );
        !self.is_coordinates() && !others
    }

    /// The sign that stands for a mark in records of the style, even if the style itself writes none.
    pub const fn sign(self, mark: CheckMark) -> &'static str {
        match (self, mark) {
            (_, CheckMark::None) => "",
            (Style::Gib, _) => KOREAN_CHECK,
            (_, CheckMark::Check) => "+",
            (_, CheckMark::Mate) => "#",
        }
    }

    /// True for styles with piece letters, which depend on the language.
    pub const fn has_letters(self) -> bool {
        self.has_marks() && self.own().is_none() && !matches!(self, Style::Figurine)
    }

    /// The style for plies that this one cannot express: it can express all plies, and its forms cannot be confused
    /// with this style's.
    pub const fn fallback(self) -> Style {
        if self.is_coordinates() { Style::Coord } else { Style::San }
    }

    /// True if a text with these habits may occur in a record of this style.
    pub fn allows(self, habits: Habits) -> bool {
        let has = |habit| habits.has(habit);
        // The algebraic styles write Nature's `b5a5=K` too.
        let squares = has(Habits::SQUARES) && !has(Habits::INTERJECTION);
        let own =
            habits.has_any(Habits::NUMERIC.and(Habits::SMITH).and(Habits::SHOGI)) || habits.has_own_form();
        match self {
            Style::Ucci => has(Habits::ZERO_RANKS),
            Style::Iccs => has(Habits::ICCS),
            Style::Wxf => has(Habits::BY_FILE),
            Style::Chinese => has(Habits::CHINESE),
            // A pass shows no style.
            Style::Janggi => has(Habits::JANGGI) || habits == Habits::default(),
            Style::Gib => has(Habits::GIB) || habits == Habits::default(),
            Style::ThaiSan => has(Habits::THAI_SAN),
            Style::ThaiLan => has(Habits::THAI_LAN),
            Style::Iccf => has(Habits::NUMERIC),
            Style::Smith => has(Habits::SMITH),
            Style::Usi => habits.has_any(Habits::USI.and(Habits::STAR_DROP)),
            Style::Kif => has(Habits::KIF),
            Style::Csa => has(Habits::CSA),
            Style::Hosking => habits.has_any(Habits::HOSKING.and(Habits::WESTERN)),
            Style::Hodges => habits.has_any(Habits::HODGES.and(Habits::WESTERN).and(Habits::STAR_DROP)),
            Style::Coord | Style::Uci | Style::Xboard => !has(Habits::SHORT) && !own,
            Style::Figurine => !squares && !own,
            _ => !squares && !own && !has(Habits::FIGURES),
        }
    }

    /// True if plies with these habits may belong to another style although this one allows them: they have more or
    /// less disambiguation than it writes.
    pub fn is_left_by(self, habits: Habits) -> bool {
        match self {
            Style::Lan => habits.has(Habits::SHORT),
            Style::San | Style::Figurine | Style::Ichess | Style::Chaos | Style::Schess => {
                habits.has(Habits::DASH) || habits.has(Habits::WHOLE)
            }
            _ => false,
        }
    }

    /// Detects the style from a record's habits; `native` is the game's own.
    pub fn detect(habits: Habits, native: Style) -> Style {
        let has = |habit| habits.has(habit);
        let squares = has(Habits::SQUARES) && !has(Habits::SHORT);
        match () {
            () if has(Habits::GIB) => Style::Gib,
            () if has(Habits::THAI_LAN) => Style::ThaiLan,
            () if has(Habits::THAI_SAN) => Style::ThaiSan,
            () if has(Habits::JANGGI) => Style::Janggi,
            () if has(Habits::CHINESE) => Style::Chinese,
            () if has(Habits::BY_FILE) => Style::Wxf,
            () if has(Habits::ICCS) => Style::Iccs,
            () if has(Habits::ZERO_RANKS) => Style::Ucci,
            () if has(Habits::NUMERIC) => Style::Iccf,
            () if has(Habits::SMITH) => Style::Smith,
            () if has(Habits::KIF) => Style::Kif,
            () if has(Habits::CSA) => Style::Csa,
            () if has(Habits::USI) => Style::Usi,
            () if has(Habits::HODGES) => Style::Hodges,
            () if has(Habits::STAR_DROP) => Style::Usi,
            () if habits.has_any(Habits::HOSKING.and(Habits::WESTERN)) => Style::Hosking,
            () if has(Habits::FIGURES) => Style::Figurine,
            () if has(Habits::EQUALS_DROP) || has(Habits::CAPTURED_NAMED) || has(Habits::PAWN_LETTER) => {
                Style::Ichess
            }
            () if has(Habits::AMPERSAND) => Style::Iago,
            () if squares && !has(Habits::DASH) => Style::Coord,
            () if has(Habits::INTERJECTION) && !has(Habits::DASH) => Style::Chaos,
            () if has(Habits::SLASH) => {
                if native == Style::Iago {
                    Style::Iago
                } else {
                    Style::Schess
                }
            }
            () if has(Habits::DASH) => {
                if native == Style::Iago {
                    Style::Iago
                } else {
                    Style::Lan
                }
            }
            () => Style::San,
        }
    }
}

/// The text of a ply without marks of check and mate at its end, in any style.
///
/// ```
/// # use ferz_core::notation::unmarked;
/// assert_eq!((unmarked("Qh5+"), unmarked("79卒78장군"), unmarked("e4")), ("Qh5", "79卒78", "e4"));
/// ```
pub fn unmarked(text: &str) -> &str {
    text.strip_suffix(KOREAN_CHECK).unwrap_or(text).trim_end_matches(['+', '#', '†', '‡'])
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = String;

    fn from_str(text: &str) -> Result<Style, String> {
        let found = Style::ALL.into_iter().find(|style| style.name() == text.to_lowercase());
        found.ok_or_else(|| {
            let names: Vec<&str> = Style::ALL.iter().map(|style| style.name()).collect();
            format!("unknown style `{text}`; known: {}", names.join(", "))
        })
    }
}

impl Serialize for Style {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Style {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Style, D::Error> {
        deserialize_named(deserializer, "style", &Style::ALL, Style::name)
    }
}
