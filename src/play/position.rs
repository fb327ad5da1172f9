//! Positions of any board.

use super::{PositionBuilder, Rules};
use crate::board::{Mask, Owner, by_width};
use crate::notation::{Fault, Inexpressible, Letters, Style, WriteChoices, alike, read, resolve, write};
use crate::position::{Attempt, FenError, Finish, Ply, Position as Core, Reason};
use crate::rules::AnyRules;
use std::sync::Arc;

/// A position of a game.
///
/// ```
/// use ferz::notation::Style;
/// use ferz::{Position, Rules};
///
/// let rules = Rules::named("iago-b")?;
/// let mut position = Position::start(&rules);
/// let ply = position.read("Ng1-f3&M")?;
/// assert_eq!(position.write(&ply, Style::Coord)?, "g1f3m");
/// position.play(&ply);
/// assert!(position.plies().iter().all(|ply| position.is_legal(ply)));
/// let fault = position.read("&Cg8").err().ok_or("legal")?;
/// assert_eq!(fault.to_string(), "the square is not vacant (IAB 2b)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Position(pub(super) Width);

/// A position by the width of its board's masks.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // most positions are of the smaller kind, and a box would slow every one
pub(super) enum Width {
    /// Up to 64 squares.
    Narrow(Core<u64>),
    /// Up to 128 squares.
    Wide(Core<u128>),
}

impl Position {
    /// The array, with the starting stocks.
    pub fn start(rules: &Rules) -> Position {
        Position(match &rules.0 {
            AnyRules::Narrow(rules) => Width::Narrow(Core::start(Arc::clone(rules))),
            AnyRules::Wide(rules) => Width::Wide(Core::start(Arc::clone(rules))),
        })
    }

    /// Reads a position from its extended FEN (`formats/RULES.md`, Positions).
    ///
    /// # Errors
    /// With the field and the bytes that are wrong.
    pub fn from_fen(rules: &Rules, fen: &str) -> Result<Position, FenError> {
        Ok(Position(match &rules.0 {
            AnyRules::Narrow(rules) => Width::Narrow(Core::from_fen(Arc::clone(rules), fen)?),
            AnyRules::Wide(rules) => Width::Wide(Core::from_fen(Arc::clone(rules), fen)?),
        }))
    }

    /// An empty board to set up piece by piece.
    pub fn builder(rules: &Rules) -> PositionBuilder {
        PositionBuilder::new(rules)
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        Rules(match &self.0 {
            Width::Narrow(position) => AnyRules::Narrow(Arc::clone(position.shared_rules())),
            Width::Wide(position) => AnyRules::Wide(Arc::clone(position.shared_rules())),
        })
    }

    /// The position as an extended FEN.
    pub fn fen(&self) -> String {
        by_width!(Width, &self.0, |position| position.fen())
    }

    /// All that makes two positions the same (COM-3), as ASCII text: equal identities are the same position, and
    /// different ones are not.
    ///
    /// ```
    /// use ferz::{Position, Rules};
    /// let chess = Rules::named("chess")?;
    /// let position = Position::from_fen(&chess, "4k3/8/8/8/8/8/8/4K2R w K - 31 40")?;
    /// assert_eq!(position.identity(), b"4k3/8/8/8/8/8/8/4K2R w castling=h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn identity(&self) -> Vec<u8> {
        by_width!(Width, &self.0, |position| position.identity())
    }

    /// A key of 64 bits: equal identities have equal keys. Two positions can be made to share one, so that a key finds
    /// positions and never proves them the same.
    pub fn key(&self) -> u64 {
        by_width!(Width, &self.0, |position| position.key())
    }

    /// The real player on move.
    pub fn turn(&self) -> Owner {
        by_width!(Width, &self.0, |position| position.turn())
    }

    /// True if the player on move is in check.
    pub fn in_check(&self) -> bool {
        by_width!(Width, &self.0, |position| position.in_check())
    }

    /// The legal plies of every actor who may act now, Nature's too; none where the position ends the game.
    pub fn plies(&self) -> Vec<Ply> {
        by_width!(Width, &self.0, |position| position.plies())
    }

    /// True if the ply is legal here.
    pub fn is_legal(&self, ply: &Ply) -> bool {
        self.attempt(ply).is_legal()
    }

    /// The ply with every condition of legality that it fails here; it need not be legal or even possible.
    pub fn attempt(&self, ply: &Ply) -> Attempt {
        by_width!(Width, &self.0, |position| position.attempt(ply))
    }

    /// The ending that the position shows by itself, if the game is over in it.
    pub fn finish(&self) -> Option<Finish> {
        by_width!(Width, &self.0, |position| position.finish())
    }

    /// The legal ply that a text in any style names; `~` in front of it says that Nature acts.
    ///
    /// # Errors
    /// Why no legal ply fits, or more than one does, with the article and the nearest legal plies.
    pub fn read(&self, text: &str) -> Result<Ply, Box<Fault>> {
        by_width!(Width, &self.0, |position| read_ply(position, text))
    }

    /// A legal ply in a style.
    ///
    /// # Errors
    /// If the style has no form for it.
    pub fn write(&self, ply: &Ply, style: Style) -> Result<String, Inexpressible> {
        by_width!(Width, &self.0, |position| write(position, ply, style, WriteChoices::default()))
    }

    /// Makes a legal ply.
    ///
    /// # Panics
    /// In debug builds, if the ply is not legal here: [`Position::read`] and [`Position::plies`] give legal ones.
    pub fn play(&mut self, ply: &Ply) {
        by_width!(Width, &mut self.0, |position| play_legal(position, ply));
    }
}

/// Makes a ply that must be legal in the position.
pub(super) fn play_legal<M: Mask>(position: &mut Core<M>, ply: &Ply) {
    debug_assert!(position.any_ply(|legal| legal == ply), "{ply:?} is not legal in {}", position.fen());
    position.apply(ply);
}

/// The legal ply that a text names in a position.
pub(super) fn read_ply<M: Mask>(position: &Core<M>, text: &str) -> Result<Ply, Box<Fault>> {
    let rules = position.rules();
    let found = read(&Letters::new(rules), position.turn(), false, text.as_bytes());
    if position.finish().is_some() {
        return Err(Box::new(Fault::new(rules, Reason::GameOver, "")));
    }
    match found {
        Ok(text) => Ok(resolve(position, &text)?.ply),
        Err(error) => {
            let reason = if error.unknown_kind { Reason::NoSuchKind } else { Reason::Unreadable };
            let spell =
                |ply: &Ply| write(position, ply, Style::San, WriteChoices::default()).unwrap_or_default();
            let candidates = alike(position, text, spell);
            Err(Box::new(Fault { candidates, ..Fault::new(rules, reason, &error.message) }))
        }
    }
}
