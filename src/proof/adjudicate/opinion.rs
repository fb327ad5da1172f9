//! What an engine thinks of a position. It decides nothing: it is for those who have to decide.

use super::plan::explained;
use super::verdict::Verdict;
use crate::certificate::Decision;
use ferz_core::board::Owner;
use ferz_records::replay::summary::counted;
use serde::Serialize;

/// Holes of an analysis that an engine is asked about.
const HOLES_ASKED: usize = 20;

/// What an engine thinks of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opinion {
    /// The engine and its version, as it names itself.
    pub engine: String,
    /// How it judges the position.
    pub score: Judgement,
    /// How many plies deep it looked.
    pub depth: u32,
    /// The plies that it expects, in coordinate notation.
    pub line: Vec<String>,
}

/// How an engine judges a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Hundredths of a pawn, more for White.
    Centipawns(i32),
    /// A player mates.
    Mate {
        /// The player who mates.
        by: Owner,
        /// In how many moves; 0 if it is mate.
        moves: u32,
    },
}

impl Judgement {
    /// A number that is larger, the better the score is for a player.
    fn of(self, player: Owner) -> i64 {
        const MATE: i64 = 1 << 40;
        let (value, for_white) = match self {
            Judgement::Centipawns(value) => (i64::from(value), true),
            Judgement::Mate { by, moves } => (MATE - i64::from(moves), by == Owner::White),
        };
        if for_white == (player == Owner::White) { value } else { -value }
    }

    fn words(self) -> String {
        match self {
            Judgement::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                format!("{sign}{}.{:02} for White", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            Judgement::Mate { by, moves: 0 } => format!("{} has mated", by.name()),
            Judgement::Mate { by, moves } => {
                format!("{} mates in {}", by.name(), counted(moves as usize, "move", "moves"))
            }
        }
    }
}

impl Opinion {
    /// The opinion in a sentence.
    pub fn words(&self) -> String {
        let Opinion { engine, score, depth, line } = self;
        let line = if line.is_empty() { String::new() } else { format!("; it expects {}", line.join(" ")) };
        format!("{engine}, {depth} plies deep: {}{line}", score.words())
    }
}

impl Verdict {
    /// True if the opinion of an engine may help: a forced result is claimed, and nothing decides it.
    pub fn wants_opinion(&self) -> bool {
        self.claim.kind.is_forced() && self.verdict == Decision::Undetermined && !self.fen.is_empty()
    }

    /// Asks an engine about the position, and about the holes of a submitted analysis, which are then in the order in
    /// which they are bad for the claimant. The verdict stays.
    ///
    /// # Errors
    /// With what `ask` fails. It gets a position as FEN, and the number of positions that are asked about.
    pub fn consult<E>(&mut self, ask: &mut dyn FnMut(&str, usize) -> Result<Opinion, E>) -> Result<(), E> {
        if !self.wants_opinion() {
            return Ok(());
        }
        let positions = 1 + self.holes.len().min(HOLES_ASKED);
        self.opinion = Some(ask(&self.fen, positions)?);
        for hole in self.holes.iter_mut().take(HOLES_ASKED).filter(|hole| !hole.position.is_empty()) {
            hole.opinion = Some(ask(&hole.position, positions)?);
        }
        if let Some(by) = self.claim.by {
            // What the engine was not asked about stays behind.
            self.holes.sort_by_key(|hole| hole.opinion.as_ref().map_or(i64::MAX, |found| found.score.of(by)));
        }
        if !self.holes.is_empty() {
            self.explanation = explained(&self.holes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_for_each_player() {
        let mate = |by, moves| Judgement::Mate { by, moves };
        let scores = [
            mate(Owner::Black, 0),
            mate(Owner::Black, 7),
            Judgement::Centipawns(-31_000),
            Judgement::Centipawns(35),
            mate(Owner::White, 9),
            mate(Owner::White, 1),
        ];
        assert!(scores.is_sorted_by_key(|score| score.of(Owner::White)));
        assert!(scores.iter().rev().is_sorted_by_key(|score| score.of(Owner::Black)));
        assert_eq!(Judgement::Centipawns(-5).words(), "-0.05 for White");
        assert_eq!(mate(Owner::Black, 1).words(), "Black mates in 1 move");
    }
}
