//! The table of styles: one line a style, with the type in whose file everything about it stands.

use super::express::{Inexpressible, Lack};
use super::marks::KOREAN_CHECK;
use super::movetext::{CheckMark, Habits};
use super::styles::form::{Form, Pass, ReadForm, Row};
use super::styles::{algebraic, chinese, coordinates, iccf, janggi, shogi, smith, thai, ucci, wxf};
use super::write::WriteChoices;
use crate::board::Mask;
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::{Definition, OwnStyle};
use crate::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Declares the styles, and finds for each what its type says.
macro_rules! styles {
    ($($(#[$doc:meta])* $style:ident: $form:ty,)*) => {
        /// A style of notation. `formats/NOTATION.md` shows each, action by action.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Style {
            $($(#[$doc])* $style,)*
        }

        /// The number of styles.
        const COUNT: usize = [$(Style::$style),*].len();

        impl Style {
            /// All styles.
            pub const ALL: [Style; COUNT] = [$(Style::$style),*];

            const fn row(self) -> &'static Row {
                match self {
                    $(Style::$style => &<$form as Form>::ROW,)*
                }
            }

            /// The first thing that it cannot express in a ply that is no pass.
            fn lacks<M: Mask>(self, position: &Position<M>, ply: &Ply) -> Option<Lack> {
                match self {
                    $(Style::$style => <$form as Form>::lacks(position, ply),)*
                }
            }

            /// Appends a ply that it can express.
            pub(super) fn write<M: Mask>(
                self,
                position: &Position<M>,
                ply: &Ply,
                choices: WriteChoices,
                out: &mut String,
            ) -> Result<(), Inexpressible> {
                let written = match self {
                    $(Style::$style => <$form as Form>::write(position, ply, choices, out),)*
                };
                written.map_err(|what| Inexpressible { style: self, what })
            }
        }
    };
}

styles! {
    /// Coordinates, the same in every game: `e2e4`, `b1c3m`, `~Q@a4`.
    Coord: coordinates::Coord,
    /// PGN's short algebraic notation, with drops `N@e4` and gating `Be3/C`.
    San: algebraic::San,
    /// Long algebraic notation: `Bc1-e3`.
    Lan: algebraic::Lan,
    /// UCI as Fairy-Stockfish writes it: coordinates without a third player.
    Uci: coordinates::Uci,
    /// Coordinates of the XBoard protocol: `O-O` in Chess960, gates on the king's square only.
    Xboard: coordinates::Xboard,
    /// SAN with figures instead of letters: `♘f3`, `e8=♕`.
    Figurine: algebraic::Figurine,
    /// Rich Hutnik's: `Bc1-e3&C`, `&Me1`.
    Iago: algebraic::Iago,
    /// Pangus Ho's: `R=a1`, `Pc5=F`, `BxNg5`.
    Ichess: algebraic::Ichess,
    /// BattleChessGN18's: SAN, with Nature's turns `∞3.....a4=Q`.
    Chaos: algebraic::Chaos,
    /// S-Chess: SAN with `/H`.
    Schess: algebraic::Schess,
    /// Numeric notation of the International Correspondence Chess Federation: `5254`, `57581`.
    Iccf: iccf::Iccf,
    /// Warren Smith's reversible coordinates: `f4g5n`, `e1g1c`, `e5d6E`, `f7g8nQ`.
    Smith: smith::Smith,
    /// The Universal Shogi Interface: `7g7f`, `8h2b+`, `P*5e`.
    Usi: shogi::Usi,
    /// Records of shogi in Japanese: `７六歩(77)`; KI2 is read.
    Kif: shogi::Kif,
    /// The Computer Shogi Association's: `7776FU`, `0055KA`.
    Csa: shogi::Csa,
    /// George Hosking's for shogi: `P76`, `Bx22+`, `B'39`.
    Hosking: shogi::Hosking,
    /// George Hodges's for shogi: `P-7f`, `Bx2b+`, `B*3i`.
    Hodges: shogi::Hodges,
    /// Coordinates with ranks from 0, as engines of Xiangqi write them: `h2e2`.
    Ucci: ucci::Ucci,
    /// The same in capitals: `H2-E2`.
    Iccs: ucci::Iccs,
    /// The World Xiangqi Federation's: `C2=5`, `H8+7`.
    Wxf: wxf::Wxf,
    /// Chinese: `炮二平五`, `马８进７`.
    Chinese: chinese::Chinese,
    /// Janggi's, by rank and file from Han's side: `R01-91`, `N18x37+`.
    Janggi: janggi::Janggi,
    /// Records of Janggi in Korean: `79卒78`, `한수쉼`.
    Gib: janggi::Gib,
    /// Short algebraic notation in Thai: `ร-ญ๒`, `จxฉ๕`.
    ThaiSan: thai::San,
    /// Long algebraic notation in Thai: `ร ญ๑-ญ๒`.
    ThaiLan: thai::Lan,
}

/// The styles that habits may show, those first whose forms nothing else has.
const BY_EVIDENCE: [Style; 22] = [
    Style::Gib,
    Style::ThaiLan,
    Style::ThaiSan,
    Style::Janggi,
    Style::Chinese,
    Style::Wxf,
    Style::Iccs,
    Style::Ucci,
    Style::Iccf,
    Style::Smith,
    Style::Kif,
    Style::Csa,
    Style::Usi,
    Style::Hodges,
    Style::Hosking,
    Style::Figurine,
    Style::Ichess,
    Style::Coord,
    Style::Chaos,
    Style::Iago,
    Style::Schess,
    Style::Lan,
];

impl Style {
    /// The style's name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// A few plies as the style writes them.
    ///
    /// ```
    /// # use ferz_core::notation::Style;
    /// assert_eq!(Style::Ichess.example(), "R=a1, Pc5=F");
    /// ```
    pub const fn example(self) -> &'static str {
        self.row().example
    }

    /// The definition's name for a style that only the games that list it have; `None` for the styles of all games.
    pub const fn own(self) -> Option<OwnStyle> {
        self.row().own
    }

    /// True if a game has the style.
    pub fn is_for(self, game: &Definition) -> bool {
        self.row().is_for(game)
    }

    /// The names of the styles that a game has.
    pub fn names_for(game: &Definition) -> String {
        let names: Vec<&str> =
            Style::ALL.into_iter().filter(|style| style.is_for(game)).map(Style::name).collect();
        names.join(", ")
    }

    /// True for styles that write two squares without a piece letter, and Nature's plies with `~`.
    pub const fn is_coordinates(self) -> bool {
        self.row().coordinates
    }

    /// True for the notations of shogi and Janggi, whose records number every ply or none.
    pub const fn numbers_plies(self) -> bool {
        self.row().numbers_plies
    }

    /// The text of a null move.
    pub const fn null_move(self) -> &'static str {
        self.row().null
    }

    /// The text of a pass, in a style that writes it as one.
    pub(super) const fn pass(self) -> Option<&'static str> {
        match self.row().pass {
            Pass::Text(text) => Some(text),
            Pass::Missing | Pass::SquareTwice => None,
        }
    }

    /// True for styles that mark check and mate.
    pub const fn has_marks(self) -> bool {
        self.row().marks
    }

    /// The sign that stands for a mark in records of the style, even if the style itself writes none.
    pub const fn sign(self, mark: CheckMark) -> &'static str {
        match mark {
            CheckMark::None => "",
            CheckMark::Check => self.row().signs[0],
            CheckMark::Mate => self.row().signs[1],
        }
    }

    /// True for styles with piece letters, which depend on the language.
    pub const fn has_letters(self) -> bool {
        self.row().letters
    }

    /// The style for plies that this one cannot express: it can express all plies, and its forms cannot be confused
    /// with this style's.
    pub const fn fallback(self) -> Style {
        if self.is_coordinates() { Style::Coord } else { Style::San }
    }

    /// True if a text with these habits may occur in a record of this style.
    pub fn allows(self, habits: Habits) -> bool {
        (self.row().allows)(habits)
    }

    /// True if plies with these habits may belong to another style although this one allows them: they have more or
    /// less disambiguation than it writes.
    pub fn is_left_by(self, habits: Habits) -> bool {
        habits.has_any(self.row().left_by)
    }

    /// Detects the style from a record's habits; `native` is the game's own.
    pub fn detect(habits: Habits, native: Style) -> Style {
        let is_shown = |style: &Style| (style.row().shown_by)(habits, native);
        BY_EVIDENCE.into_iter().find(is_shown).unwrap_or(Style::San)
    }

    /// The readers of the forms that only the games that list them have.
    pub(super) fn readers_for(game: &Definition) -> Vec<ReadForm> {
        let own = Style::ALL.into_iter().filter(|style| style.own().is_some() && style.is_for(game));
        own.filter_map(|style| style.row().read).collect()
    }

    /// The reader of its forms that mean something else in other styles.
    pub(super) const fn required_reader(self) -> Option<ReadForm> {
        self.row().read_required
    }

    /// Tests whether the style can express a legal ply. `coord`, `san`, `lan`, `figurine`, `iago`, `chaos` and `schess`
    /// can express every ply of every game.
    ///
    /// # Errors
    /// Returns the first thing that it cannot express.
    pub fn can_express<M: Mask>(self, position: &Position<M>, ply: &Ply) -> Result<(), Inexpressible> {
        let passes = ply.verb == Verb::Pass && self.row().pass == Pass::Missing;
        let lack = self.lacks(position, ply).or(passes.then_some(Lack::Pass));
        lack.map_or(Ok(()), |what| Err(Inexpressible { style: self, what }))
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
