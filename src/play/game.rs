//! Games in play: a position with the history that led to it.

use super::position::Width;
use super::{Position, Rules, by_width};
use crate::judge::{ClaimableDraw, End, Judge};
use crate::notation::Fault;
use crate::position::{Ply, Reason};

/// A game in play: its position, its plies, how it ended and what may be claimed.
///
/// ```
/// use ferz::{Game, Rules};
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
#[derive(Debug, Clone)]
pub struct Game {
    position: Position,
    judge: AnyJudge,
    plies: Vec<Ply>,
}

/// A judge by the width of the board's masks.
#[derive(Debug, Clone)]
enum AnyJudge {
    Narrow(Judge<u64>),
    Wide(Judge<u128>),
}

/// Runs code on a judge and its position.
macro_rules! judged {
    ($judge:expr, $position:expr, |$j:ident, $p:ident| $body:expr) => {
        match ($judge, $position) {
            (AnyJudge::Narrow($j), Width::Narrow($p)) => Some($body),
            (AnyJudge::Wide($j), Width::Wide($p)) => Some($body),
            // A judge is as wide as the position that it was made for.
            _ => None,
        }
    };
}

impl Game {
    /// A game from the array.
    pub fn start(rules: &Rules) -> Game {
        Game::from_position(Position::start(rules))
    }

    /// A game from a position, without anything before it.
    pub fn from_position(position: Position) -> Game {
        let judge = match &position.0 {
            Width::Narrow(position) => AnyJudge::Narrow(Judge::new(position)),
            Width::Wide(position) => AnyJudge::Wide(Judge::new(position)),
        };
        Game { position, judge, plies: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The plies so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The legal plies; none after an end that is not a draw by itself (COM-4).
    pub fn legal_plies(&self) -> Vec<Ply> {
        if self.is_over() { Vec::new() } else { self.position.plies() }
    }

    /// Makes the ply that a text in any style names, and returns it.
    ///
    /// # Errors
    /// Why no legal ply fits, or more than one does; `game-over` after the game's end.
    pub fn play(&mut self, text: &str) -> Result<Ply, Box<Fault>> {
        if self.is_over() {
            return Err(Box::new(by_width!(Width, &self.position.0, |position| {
                Fault::new(position.rules(), Reason::GameOver, "")
            })));
        }
        let ply = self.position.read(text)?;
        self.play_ply(&ply);
        Ok(ply)
    }

    /// Makes a legal ply.
    ///
    /// # Panics
    /// In debug builds, if the ply is not legal.
    pub fn play_ply(&mut self, ply: &Ply) {
        self.position.play(ply);
        judged!(&mut self.judge, &self.position.0, |judge, position| judge.after(position, ply));
        self.plies.push(*ply);
    }

    /// The first ending that was reached.
    pub fn end(&self) -> Option<End> {
        judged!(&self.judge, &self.position.0, |judge, position| judge.end_in(position)).flatten()
    }

    /// True if no further ply is legal: the game ended, and not in a draw by itself (COM-4).
    pub fn is_over(&self) -> bool {
        by_width!(AnyJudge, &self.judge, |judge| judge.is_over()) || self.position.finish().is_some()
    }

    /// What the player on move may claim.
    pub fn claims(&self) -> Vec<ClaimableDraw> {
        let mut judge = self.judge.clone();
        judged!(&mut judge, &self.position.0, |judge, position| judge.claims(position)).unwrap_or_default()
    }
}
