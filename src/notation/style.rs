//! The styles of notation.

use super::movetext::Habits;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A style of notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// Coordinates, the same in every game: `e2e4`, `b1c3m`, `~Q@a4`.
    Coord,
    /// PGN's short algebraic notation, with drops `N@e4` and gating `Be3/C`.
    San,
    /// Long algebraic notation: `Bc1-e3`.
    Lan,
    /// What engines speak: coordinates without a third player.
    Uci,
    /// Rich Hutnik's: `Bc1-e3&C`, `&Me1`.
    Iago,
    /// Pangus Ho's: `R=a1`, `Pc5=F`, `BxNg5`.
    Ichess,
    /// BattleChessGN18's: SAN, with Nature's turns `∞3.....a4=Q`.
    Chaos,
    /// S-Chess: SAN with `/H`.
    Schess,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 8] = [
        Style::Coord,
        Style::San,
        Style::Lan,
        Style::Uci,
        Style::Iago,
        Style::Ichess,
        Style::Chaos,
        Style::Schess,
    ];

    /// The style's name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Coord => "coord",
            Style::San => "san",
            Style::Lan => "lan",
            Style::Uci => "uci",
            Style::Iago => "iago",
            Style::Ichess => "ichess",
            Style::Chaos => "chaos",
            Style::Schess => "schess",
        }
    }

    /// True for the styles that write two squares and no letter.
    pub const fn is_coordinates(self) -> bool {
        matches!(self, Style::Coord | Style::Uci)
    }

    /// True if a text with these habits may stand in a record of this style.
    pub const fn allows(self, habits: Habits) -> bool {
        // Nature's `b5a5=K` is of the algebraic styles too.
        let squares = habits.has(Habits::SQUARES) && !habits.has(Habits::INTERJECTION);
        if self.is_coordinates() { !habits.has(Habits::SHORT) } else { !squares }
    }

    /// The style that a record's habits show; `native` is the game's own.
    pub fn detect(habits: Habits, native: Style) -> Style {
        let has = |habit| habits.has(habit);
        let squares = has(Habits::SQUARES) && !has(Habits::SHORT);
        match () {
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
            format!("`{text}` is no style; known: {}", names.join(", "))
        })
    }
}

impl Serialize for Style {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
