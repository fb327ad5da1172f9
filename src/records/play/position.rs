//! Positions of any board.

use super::{Man, PositionBuilder, Rules};
use crate::diagram::{self, Options};
use crate::replay::perft;
use ferz_core::board::{Board, Mask, Owner, by_width};
use ferz_core::notation::{Fault, Inexpressible, Letters, Style, WriteChoices, alike, read, resolve, write};
use ferz_core::position::{Attempt, FenError, Finish, Ply, Position as Core, Reason};
use ferz_core::rules::AnyRules;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A position of a game.
///
/// ```
/// use ferz_core::notation::Style;
/// use ferz_records::play::{Position, Rules};
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
///
/// Positions are equal if the rules are and the position is the same by COM-3, whatever the counters say.
#[derive(Debug, Clone)]
pub struct Position(pub(super) AnyPosition);

/// A position by the width of its board's masks, for programs that use the generic types.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // most positions are of the smaller kind, and a box would slow every one
pub enum AnyPosition {
    /// Up to 64 squares.
    Narrow(Core<u64>),
    /// Up to 128 squares.
    Wide(Core<u128>),
}

impl Position {
    /// The array, with the starting stocks.
    pub fn start(rules: &Rules) -> Position {
        Position(match &rules.0 {
            AnyRules::Narrow(rules) => AnyPosition::Narrow(Core::start(Arc::clone(rules))),
            AnyRules::Wide(rules) => AnyPosition::Wide(Core::start(Arc::clone(rules))),
        })
    }

    /// Reads a position from its extended FEN (`formats/RULES.md`, Positions).
    ///
    /// # Errors
    /// With the field and the bytes that are wrong.
    pub fn from_fen(rules: &Rules, fen: &str) -> Result<Position, FenError> {
        Ok(Position(match &rules.0 {
            AnyRules::Narrow(rules) => AnyPosition::Narrow(Core::from_fen(Arc::clone(rules), fen)?),
            AnyRules::Wide(rules) => AnyPosition::Wide(Core::from_fen(Arc::clone(rules), fen)?),
        }))
    }

    /// An empty board to set up piece by piece.
    pub fn builder(rules: &Rules) -> PositionBuilder {
        PositionBuilder::new(rules)
    }

    /// The position with the type of its masks.
    pub fn any(&self) -> &AnyPosition {
        &self.0
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        Rules(match &self.0 {
            AnyPosition::Narrow(position) => AnyRules::Narrow(Arc::clone(position.shared_rules())),
            AnyPosition::Wide(position) => AnyRules::Wide(Arc::clone(position.shared_rules())),
        })
    }

    /// The position as an extended FEN.
    pub fn fen(&self) -> String {
        by_width!(AnyPosition, &self.0, |position| position.fen())
    }

    /// All that makes two positions the same (COM-3), as ASCII text: equal identities are the same position, and
    /// different ones are not.
    ///
    /// ```
    /// use ferz_records::play::{Position, Rules};
    /// let chess = Rules::named("chess")?;
    /// let position = Position::from_fen(&chess, "4k3/8/8/8/8/8/8/4K2R w K - 31 40")?;
    /// assert_eq!(position.identity(), b"4k3/8/8/8/8/8/8/4K2R w castling=h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn identity(&self) -> Vec<u8> {
        by_width!(AnyPosition, &self.0, |position| position.identity())
    }

    /// A key of 64 bits: equal identities have equal keys. Two positions can be made to share one, so that a key finds
    /// positions and never proves them the same.
    pub fn key(&self) -> u64 {
        by_width!(AnyPosition, &self.0, |position| position.key())
    }

    /// The board, which names squares.
    pub fn board(&self) -> Board {
        by_width!(AnyPosition, &self.0, |position| position.rules().board())
    }

    /// The piece on a square, if there is such a square and a piece on it.
    ///
    /// ```
    /// use ferz_records::play::{Position, Rules};
    /// let position = Position::start(&Rules::named("shogi")?);
    /// let rook = position.piece("h2").ok_or("no piece")?;
    /// assert_eq!((rook.to_string().as_str(), rook.name.as_str()), ("R", "rook"));
    /// assert!(position.piece("e5").is_none() && position.piece("z9").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece(&self, square: &str) -> Option<Man> {
        by_width!(AnyPosition, &self.0, |position| {
            let rules = position.rules();
            let piece = position.piece(rules.board().parse_square(square)?)?;
            Some(Man::of(rules, piece))
        })
    }

    /// All pieces on the board with their squares, from the first rank to the last.
    pub fn pieces(&self) -> Vec<(String, Man)> {
        by_width!(AnyPosition, &self.0, |position| {
            let (rules, board) = (position.rules(), position.rules().board());
            let on = |square| position.piece(square).map(|piece| (board.name(square), Man::of(rules, piece)));
            board.squares().filter_map(on).collect()
        })
    }

    /// The pieces that a player may drop.
    pub fn hand(&self, owner: Owner) -> Vec<Man> {
        by_width!(AnyPosition, &self.0, |position| Man::of_stock(
            position.rules(),
            owner,
            position.hand(owner)
        ))
    }

    /// The pieces that wait for their introduction: by a gate, a deployment, in the place of another piece.
    pub fn reserve(&self, owner: Owner) -> Vec<Man> {
        by_width!(AnyPosition, &self.0, |position| Man::of_stock(
            position.rules(),
            owner,
            position.reserve(owner)
        ))
    }

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> Vec<String> {
        by_width!(AnyPosition, &self.0, |position| {
            position.checkers().squares().map(|square| position.rules().board().name(square)).collect()
        })
    }

    /// The number of sequences of so many legal plies.
    pub fn perft(&self, depth: u32) -> u64 {
        by_width!(AnyPosition, &self.0, |position| perft::count(position, depth))
    }

    /// A drawing of the position, which needs no other file.
    pub fn svg(&self) -> String {
        by_width!(AnyPosition, &self.0, |position| diagram::svg(position, &Options::default()))
    }

    /// The position as text for people: the board in letters, stocks, rights, clocks and the end.
    pub fn drawn(&self) -> String {
        by_width!(AnyPosition, &self.0, |position| {
            let board = diagram::text::board(position, diagram::text::Pieces::Letters);
            format!("{board}\n{}", diagram::text::facts(position))
        })
    }

    /// The real player on move.
    pub fn turn(&self) -> Owner {
        by_width!(AnyPosition, &self.0, |position| position.turn())
    }

    /// True if the player on move is in check.
    pub fn in_check(&self) -> bool {
        by_width!(AnyPosition, &self.0, |position| position.in_check())
    }

    /// The legal plies of every actor who may act now, Nature's too; none where the position ends the game.
    pub fn plies(&self) -> Vec<Ply> {
        by_width!(AnyPosition, &self.0, |position| position.plies())
    }

    /// True if the ply is legal here.
    pub fn is_legal(&self, ply: &Ply) -> bool {
        self.attempt(ply).is_legal()
    }

    /// The ply with every condition of legality that it fails here; it need not be legal or even possible.
    pub fn attempt(&self, ply: &Ply) -> Attempt {
        by_width!(AnyPosition, &self.0, |position| position.attempt(ply))
    }

    /// The ending that the position shows by itself, if the game is over in it.
    pub fn finish(&self) -> Option<Finish> {
        by_width!(AnyPosition, &self.0, |position| position.finish())
    }

    /// The legal ply that a text in any style names; `~` in front of it says that Nature acts.
    ///
    /// # Errors
    /// Why no legal ply fits, or more than one does, with the article and the nearest legal plies.
    pub fn read(&self, text: &str) -> Result<Ply, Box<Fault>> {
        by_width!(AnyPosition, &self.0, |position| read_ply(position, text, false))
    }

    /// The legal ply of a player that a text in any style names. Nature's needs no mark of hers, as after the number of
    /// her turn in a record.
    ///
    /// # Errors
    /// As [`Position::read`].
    pub fn read_by(&self, player: Owner, text: &str) -> Result<Ply, Box<Fault>> {
        let natures = player == Owner::Nature && !text.starts_with('~');
        by_width!(AnyPosition, &self.0, |position| read_ply(position, text, natures))
    }

    /// A legal ply in a style.
    ///
    /// # Errors
    /// If the style has no form for it.
    pub fn write(&self, ply: &Ply, style: Style) -> Result<String, Inexpressible> {
        by_width!(AnyPosition, &self.0, |position| write(position, ply, style, WriteChoices::default()))
    }

    /// Makes a legal ply.
    ///
    /// # Panics
    /// In debug builds, if the ply is not legal here: [`Position::read`] and [`Position::plies`] give legal ones.
    pub fn play(&mut self, ply: &Ply) {
        by_width!(AnyPosition, &mut self.0, |position| play_legal(position, ply));
    }
}

/// The extended FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key() == other.key()
            && self.rules().id() == other.rules().id()
            && self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

/// Makes a ply that must be legal in the position.
pub(super) fn play_legal<M: Mask>(position: &mut Core<M>, ply: &Ply) {
    debug_assert!(position.any_ply(|legal| legal == ply), "{ply:?} is not legal in {}", position.fen());
    position.apply(ply);
}

/// The legal ply that a text names in a position; `natures` if it stands after the number of a turn of Nature's.
pub(super) fn read_ply<M: Mask>(position: &Core<M>, text: &str, natures: bool) -> Result<Ply, Box<Fault>> {
    let rules = position.rules();
    let found = read(&Letters::new(rules), position.turn(), natures, text.as_bytes());
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
