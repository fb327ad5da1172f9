//! Games in play: a position with the history that led to it.

use super::position::{AnyPosition, play_legal, read_ply};
use super::{Position, Rules};
use ferz_core::board::{Mask, Owner, by_width};
use ferz_core::judge::{ClaimableDraw, End, Judge};
use ferz_core::notation::{Fault, coord};
use ferz_core::position::{Ply, Position as Core, Reason};

/// A game in play: its position, its plies, how it ended and what may be claimed.
///
/// ```
/// use ferz_records::play::{Game, Rules};
///
/// let mut game = Game::start(&Rules::named("chess")?);
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     game.play(text)?;
/// }
/// let end = game.end().ok_or("play goes on")?;
/// assert_eq!((end.reason.id(), end.ply), ("checkmate", 4));
/// assert_eq!(game.play("a3").err().map(|fault| fault.reason.id()), Some("game-over"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A ply can be taken back:
///
/// ```
/// # use ferz_records::play::{Game, Rules};
/// let mut game = Game::start(&Rules::named("crazyhouse")?);
/// let before = game.position();
/// let ply = game.play("e4")?;
/// assert_eq!((game.undo(), game.position()), (Some(ply), before));
/// assert_eq!(game.undo(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game {
    start: Position,
    state: AnyPlay,
    plies: Vec<Ply>,
}

/// A position and the judge that has followed the game to it.
#[derive(Debug, Clone)]
struct Play<M> {
    position: Core<M>,
    judge: Judge<M>,
}

/// A game in play by the width of its board's masks.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // see `AnyPosition`
enum AnyPlay {
    Narrow(Play<u64>),
    Wide(Play<u128>),
}

impl<M: Mask> Play<M> {
    fn new(position: Core<M>) -> Play<M> {
        Play { judge: Judge::new(&position), position }
    }

    fn is_over(&self) -> bool {
        self.judge.is_over() || self.position.finish().is_some()
    }
}

impl Game {
    /// A game from the array.
    pub fn start(rules: &Rules) -> Game {
        Game::from_position(Position::start(rules))
    }

    /// A game from a position, without anything before it.
    pub fn from_position(position: Position) -> Game {
        let state = match &position.0 {
            AnyPosition::Narrow(position) => AnyPlay::Narrow(Play::new(position.clone())),
            AnyPosition::Wide(position) => AnyPlay::Wide(Play::new(position.clone())),
        };
        Game { start: position, state, plies: Vec::new() }
    }

    /// The position now, as a value of its own.
    pub fn position(&self) -> Position {
        Position(match &self.state {
            AnyPlay::Narrow(play) => AnyPosition::Narrow(play.position.clone()),
            AnyPlay::Wide(play) => AnyPosition::Wide(play.position.clone()),
        })
    }

    /// The plies so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The plies so far, in coordinate notation.
    ///
    /// ```
    /// use ferz_records::play::{Game, Rules};
    /// let mut game = Game::start(&Rules::named("iago-b")?);
    /// game.play("Ng1-f3&M")?;
    /// assert_eq!(game.coords(), ["g1f3m"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coords(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let written = |ply: &Ply| {
            let mut text = String::new();
            by_width!(AnyPosition, &mut position.0, |position| {
                coord::write(position.rules(), ply, &mut text);
                position.apply(ply);
            });
            text
        };
        self.plies.iter().map(written).collect()
    }

    /// Who may act now: the player on move, Nature, both, or no one.
    pub fn actors(&self) -> Vec<Owner> {
        let plies = self.legal_plies();
        Owner::ALL.into_iter().filter(|owner| plies.iter().any(|ply| ply.actor == *owner)).collect()
    }

    /// The legal plies; none after an end that is not an automatic draw (COM-4).
    pub fn legal_plies(&self) -> Vec<Ply> {
        by_width!(AnyPlay, &self.state, |play| if play.is_over() {
            Vec::new()
        } else {
            play.position.plies()
        })
    }

    /// Makes the ply that a text in any style names, and returns it.
    ///
    /// # Errors
    /// Why no legal ply fits, or more than one does; `game-over` after the game's end.
    pub fn play(&mut self, text: &str) -> Result<Ply, Box<Fault>> {
        let ply = by_width!(AnyPlay, &self.state, |play| {
            if play.is_over() {
                return Err(Box::new(Fault::new(play.position.rules(), Reason::GameOver, "")));
            }
            read_ply(&play.position, text, false)?
        });
        self.play_ply(&ply);
        Ok(ply)
    }

    /// Makes the legal ply that is written so in coordinate notation, which is faster than [`play`](Self::play), and
    /// returns it; `None` if no legal ply is written so.
    ///
    /// ```
    /// use ferz_records::play::{Game, Rules};
    /// let mut game = Game::start(&Rules::named("iago-b")?);
    /// assert!(game.play_coord("g1f3m").is_some());
    /// assert!(game.play_coord("Nf6").is_none() && game.play_coord("g8f6").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_coord(&mut self, coord: &str) -> Option<Ply> {
        let mut text = String::with_capacity(coord.len());
        let found = by_width!(AnyPlay, &self.state, |play| {
            let plies = if play.is_over() { Vec::new() } else { play.position.plies() };
            plies.into_iter().find(|ply| {
                text.clear();
                coord::write(play.position.rules(), ply, &mut text);
                text == coord
            })
        });
        let ply = found?;
        self.play_ply(&ply);
        Some(ply)
    }

    /// Makes a legal ply.
    ///
    /// # Panics
    /// In debug builds, if the ply is not legal.
    pub fn play_ply(&mut self, ply: &Ply) {
        by_width!(AnyPlay, &mut self.state, |play| {
            play_legal(&mut play.position, ply);
            play.judge.after(&play.position, ply);
        });
        self.plies.push(*ply);
    }

    /// Takes the last ply back and returns it; `None` at the start. The game is played again from its start, since what
    /// may be claimed depends on all of it.
    pub fn undo(&mut self) -> Option<Ply> {
        let mut plies = std::mem::take(&mut self.plies);
        let last = plies.pop()?;
        *self = Game::from_position(self.start.clone());
        plies.iter().for_each(|ply| self.play_ply(ply));
        Some(last)
    }

    /// The first ending that was reached.
    pub fn end(&self) -> Option<End> {
        by_width!(AnyPlay, &self.state, |play| play.judge.end_in(&play.position))
    }

    /// True if no further ply is legal: the game ended, and not in an automatic draw (COM-4).
    pub fn is_over(&self) -> bool {
        by_width!(AnyPlay, &self.state, |play| play.is_over())
    }

    /// What the player on move may claim.
    pub fn claims(&self) -> Vec<ClaimableDraw> {
        by_width!(AnyPlay, &self.state, |play| play.judge.clone().claims(&play.position))
    }
}
