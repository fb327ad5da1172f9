//! Whether one side reaches an end against every defence.
//!
//! The search is df-pn (depth-first proof numbers) over positions *with the number of moves left*. That number and the
//! side to move fall strictly, so no line returns to its own start and no result depends on how a position was reached:
//! the fault of a search whose graph has cycles cannot occur.
//!
//! What a record's history adds are draws by repetition. A position that has occurred often enough in the record is
//! lost for the attacker. Repetition within a line needs no thought: if the end can be forced within a number of moves,
//! it can be forced by plies after each of which it takes fewer, and a line of such plies repeats nothing.

mod graph;
mod hold;
mod search;
mod table;
#[cfg(test)]
mod tests;

pub(super) use graph::ordered;
pub use hold::{Holding, hold};
pub use search::prove;

use crate::certificate::{AndOr, ClaimKind, Effort, TableProof};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{EndReason, Outcome, Ply, Position};
use ferz_core::rules::Piece;
use ferz_core::rules::definition::Repetition;
use ferz_core::text::Budget;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Moves that are searched at most; a longer proof is not looked for.
pub const MOVES_MAX: u8 = 60;

/// Halfmoves after which the game is drawn (FIDE 9.6.2).
const SEVENTY_FIVE_MOVES: u16 = 150;

/// How often each position of a record has occurred.
#[derive(Debug, Clone, Default)]
pub struct Occurrences {
    counts: HashMap<u64, Vec<(Vec<u8>, usize)>>,
}

impl Occurrences {
    /// Counts a position of the record.
    pub fn note<M: Mask>(&mut self, position: &Position<M>) {
        let identity = position.identity();
        let alike = self.counts.entry(position.key()).or_default();
        match alike.iter_mut().find(|(known, _)| *known == identity) {
            Some((_, count)) => *count += 1,
            None => alike.push((identity, 1)),
        }
    }

    /// Forgets positions that occurred less often than matters: twice, before a third time.
    fn keep_repeated(&mut self) {
        self.counts.retain(|_, alike| {
            alike.retain(|(_, count)| *count > 1);
            !alike.is_empty()
        });
    }

    /// How often a position has occurred, if that is more than once.
    fn count<M: Mask>(&self, position: &Position<M>) -> usize {
        if self.counts.is_empty() {
            return 0;
        }
        let Some(alike) = self.counts.get(&position.key()) else { return 0 };
        let identity = position.identity();
        alike.iter().find(|(known, _)| *known == identity).map_or(0, |(_, count)| *count)
    }
}

/// What is to be forced.
#[derive(Debug, Clone)]
pub struct Goal {
    /// Who forces it.
    pub attacker: Owner,
    /// True if only checkmate will do; false for every end scored for the attacker.
    pub mate: bool,
    /// True if Nature is the attacker's ally; she always opposes the claimant.
    pub with_nature: bool,
    /// The positions of the record up to the one that is searched from.
    pub occurrences: Occurrences,
    /// What narrows the search within a plan that a player submits.
    pub within_plan: Option<Arc<WithinPlan>>,
}

/// What a search may use within a plan.
#[derive(Debug, Clone)]
pub struct WithinPlan {
    /// The men at the start of the plan: where others are on the board, endgame tables decide.
    pub men: Vec<Piece>,
    /// The attacker's plies that are tried, besides captures and promotions; `None` for all.
    pub only: Option<HashSet<Ply>>,
    /// Ends the work on a table.
    pub budget: Budget,
}

impl WithinPlan {
    /// True if the attacker tries a ply.
    fn allows<M: Mask>(&self, position: &Position<M>, ply: &Ply) -> bool {
        let Some(only) = &self.only else { return true };
        ply.promotion.is_some() || only.contains(ply) || position.piece(ply.to).is_some()
    }
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The end is forced.
    Forced {
        /// Within so many moves.
        moves: u8,
        /// The attacker's plies against every defence; `None` if they are too many to list.
        proof: Option<AndOr>,
    },
    /// It cannot be forced within the number of moves.
    NotForced {
        /// The defender's plies against every attack; `None` if they are too many to list.
        proof: Option<AndOr>,
    },
    /// The budget ended before.
    Unknown,
}

/// An answer and the number of positions whose plies were tried for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// Positions whose plies were tried.
    pub nodes: u64,
}

impl Goal {
    /// True if this end is the one to be forced.
    fn is_met(&self, (reason, outcome): (EndReason, Outcome)) -> bool {
        outcome.winner() == Some(self.attacker) && (!self.mate || reason == EndReason::Checkmate)
    }

    /// The endgame table that decides a position, and whether it does so for the attacker.
    pub(super) fn table<M: Mask>(&self, position: &Position<M>) -> Option<(TableProof, bool)> {
        let WithinPlan { men, budget, .. } = self.within_plan.as_deref().filter(|_| !self.mate)?;
        TableProof::closing(position, men, (ClaimKind::ForcedWin, self.attacker), Effort::of(budget))
    }

    /// Whether a position that a ply of `actor` led to ends the attack: true if the end is reached, false if the game
    /// ended otherwise or the defender may claim a draw.
    pub(super) fn arrival<M: Mask>(&self, position: &Position<M>, actor: Option<Owner>) -> Option<bool> {
        match position.shown_end() {
            Some(end) => Some(self.is_met(end)),
            None => self.is_drawn(position, actor).then_some(false),
        }
    }

    /// True if the game is drawn without a further ply, or the defender may claim that: on the move, or by the ply that
    /// led here, which need only be intended. Or may declare that his king has entered.
    fn is_drawn<M: Mask>(&self, position: &Position<M>, actor: Option<Owner>) -> bool {
        let ends = &position.rules().ends;
        let halfmoves = position.status().halfmoves;
        let defender = self.attacker.opponent();
        let may_claim = position.turn() == defender || actor == Some(defender);
        let claimable = ends.claimed_at().is_some_and(|at| halfmoves >= at);
        let automatic = ends.move_counters && halfmoves >= SEVENTY_FIVE_MOVES || position.is_quiet_enough();
        let counted = automatic || may_claim && claimable;
        // Only what restarts the counter changes material.
        let dead = || halfmoves == 0 && ends.dead_position.by_material() && position.is_dead();
        let declares = position.turn() == defender && position.may_declare();
        counted || declares || dead() || {
            // The start is among the positions that were counted.
            let times = self.occurrences.count(position) + usize::from(actor.is_some());
            match ends.repetition {
                Repetition::Fide => times >= 5 || may_claim && times >= 3,
                Repetition::FourfoldPerpetual => times >= 4,
                Repetition::ThreefoldPerpetual | Repetition::Threefold => times >= 3,
                Repetition::None => false,
            }
        }
    }
}
