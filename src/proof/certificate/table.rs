//! Endgame tables as evidence. The checker makes the table of the men on the board by itself, and compares a part of it
//! one ply forward with the generator of legal plies.

use super::and_or::History;
use super::claim::ClaimKind;
use crate::tables::{Extent, TableError, Tables, Value, material_of};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::Rules;
use ferz_core::rules::definition::{KingsSquare, Repetition, Stalemate};
use ferz_core::text::Budget;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Men of a table at most: it takes about a second.
const MEN_MAX: usize = 4;
/// Placements of each table that are compared one ply forward where it is not checked in full.
const SAMPLE: u64 = 20_000;
/// Positions of tables that are kept for the next claim about the same men, and how many of such sets are.
const KEPT_POSITIONS: u64 = 1 << 20;
const KEPT_SETS: usize = 16;

/// The tables that were made and checked last, with what they are of and how far they were checked.
static KEPT: Mutex<VecDeque<(Set, Arc<Tables>)>> = Mutex::new(VecDeque::new());

/// Which tables a set has.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set {
    /// The digest of the rules.
    rules: String,
    material: String,
    extent: Extent,
}

impl Set {
    /// The tables, if they are kept.
    fn kept(&self) -> Option<Arc<Tables>> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(set, _)| set == self).map(|(_, tables)| Arc::clone(tables))
    }

    /// Keeps tables, instead of those that were kept first.
    fn keep(self, tables: &Arc<Tables>) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT_SETS - 1);
        kept.push_front((self, Arc::clone(tables)));
    }
}

/// What a position is worth by the endgame table of its men.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableProof {
    /// The men, such as `KBNvK`.
    pub material: String,
    /// The positions of this table and of those that its plies lead to: what making them costs.
    pub positions: u64,
    /// The value for the side to move.
    pub value: Worth,
    /// The moves of the winner, if there is one.
    pub moves: Option<u8>,
}

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// It wins.
    Win,
    /// Neither side can force a win.
    Draw,
    /// It loses.
    Loss,
}

impl TableProof {
    /// What a position is worth by the table of its men, which is made and checked for it, or was for another position.
    ///
    /// # Errors
    /// If there is no such table, or the budget ends.
    pub fn made<M: Mask>(position: &Position<M>, effort: Effort<'_>) -> Result<TableProof, String> {
        let (narrow, mut found) = TableProof::announced(position)?;
        let (rules, material) = (narrow.rules().id.digest.clone(), found.material.clone());
        let set = Set { rules, material, extent: effort.extent };
        let tables = match set.kept() {
            Some(tables) => tables,
            None => {
                let tables = Arc::new(checked_tables(narrow, effort)?);
                if found.positions <= KEPT_POSITIONS {
                    set.keep(&tables);
                }
                tables
            }
        };
        (found.value, found.moves) = match tables.value(narrow) {
            Some(Value::Draw) => (Worth::Draw, None),
            Some(Value::Win(moves)) => (Worth::Win, Some(moves)),
            Some(Value::Loss(moves)) => (Worth::Loss, Some(moves)),
            None => return Err("the table does not have the position".to_owned()),
        };
        Ok(found)
    }

    /// The material of a position and what its table costs, without a value.
    fn announced<M: Mask>(position: &Position<M>) -> Result<(&Position<u64>, TableProof), String> {
        let why = |error: TableError| error.to_string();
        let narrow = (position as &dyn Any).downcast_ref::<Position<u64>>();
        let narrow = narrow.ok_or("the board has more than 64 squares")?;
        let (rules, material) = (narrow.rules(), material_of(narrow).map_err(why)?);
        if material.men().len() > MEN_MAX {
            return Err(format!("tables of more than {MEN_MAX} men are no evidence"));
        }
        let positions = Tables::new(Arc::clone(narrow.shared_rules())).cost(&material).map_err(why)?;
        let (material, value) = (material.text(rules), Worth::Draw);
        Ok((narrow, TableProof { material, positions, value, moves: None }))
    }

    /// Checks the value of the position of a claim: makes the table. True if the claim is true, and false if it is not.
    pub(super) fn check<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        claim: (ClaimKind, Owner, Option<u32>),
        effort: Effort<'_>,
    ) -> Result<bool, String> {
        // Before any work: that of another position is refused, and the claim has to follow from the value.
        let (_, announced) = TableProof::announced(start)?;
        if (&announced.material, announced.positions) != (&self.material, self.positions) {
            let TableProof { material, positions, .. } = announced;
            return Err(format!("the position is one of {material}, with {positions} positions"));
        }
        let decided = self.decides(start, history, claim)?;
        let made = TableProof::made(start, effort)?;
        match made == *self {
            true => Ok(decided),
            false => Err(format!("by the table the position is worth {:?}, {:?}", made.value, made.moves)),
        }
    }

    /// What the value decides about a claim of a forced result. Tables know neither move counters nor earlier
    /// positions, so that a win decides only where neither can draw the game before it.
    ///
    /// # Errors
    /// If it decides nothing.
    pub fn decides<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        (kind, by, within): (ClaimKind, Owner, Option<u32>),
    ) -> Result<bool, String> {
        let (rules, mover) = (start.rules(), start.turn());
        let winner = match self.value {
            Worth::Draw => None,
            Worth::Win => Some(mover),
            Worth::Loss => Some(mover.opponent()),
        };
        let moves = self.moves.unwrap_or(0);
        if winner.is_some() != self.moves.is_some() {
            return Err("a win has a number of moves, and a draw has none".to_owned());
        }
        let in_time = || match in_time(start, history, moves) {
            true => Ok(()),
            false => Err("a draw may be claimed before the win".to_owned()),
        };
        match (kind, winner) {
            // What goes on for ever has to be a draw by the rules.
            (ClaimKind::ForcedDraw, None) if !ends_at_last(rules) => {
                Err("nothing ends a game that goes on for ever".to_owned())
            }
            // No draw that is claimed takes a draw from the claimant, but it may take the win from the opponent.
            (ClaimKind::ForcedDraw, winner) if winner != Some(by.opponent()) => Ok(true),
            (ClaimKind::ForcedDraw, _) => in_time().map(|()| false),
            (ClaimKind::ForcedMate | ClaimKind::ForcedWin, winner) if winner != Some(by) => Ok(false),
            // A table counts the quickest win, so that there is no quicker mate.
            (ClaimKind::ForcedMate, _) if within.is_some_and(|within| within < moves.into()) => Ok(false),
            (ClaimKind::ForcedMate, _) if !wins_by_mate(rules) => {
                Err("the win need not be a mate".to_owned())
            }
            (ClaimKind::ForcedMate | ClaimKind::ForcedWin, _) => in_time().map(|()| true),
            _ => Err(format!("an endgame table does not decide a claim of {kind}")),
        }
    }
}

/// The tables of a position's men, each checked one ply forward.
fn checked_tables(position: &Position<u64>, effort: Effort<'_>) -> Result<Tables, String> {
    let why = |error: TableError| error.to_string();
    let mut tables = Tables::new(Arc::clone(position.shared_rules()));
    let material = material_of(position).map_err(why)?;
    tables.build(&material, effort.budget, &mut |_, _| ()).map_err(why)?;
    for table in tables.all() {
        let checked = tables.verify(table, effort.extent, effort.budget).map_err(why)?;
        if let Some(fault) = checked.fault {
            return Err(format!("the table disagrees with the plies from {}", fault.fen));
        }
    }
    Ok(tables)
}

/// What the check of a certificate may cost, and how far it goes.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'m> {
    /// What the work may cost.
    pub budget: &'m Budget,
    /// The placements of endgame tables that are compared one ply forward.
    pub extent: Extent,
}

impl<'m> Effort<'m> {
    /// The usual check: 20,000 placements of each table.
    pub fn of(budget: &'m Budget) -> Effort<'m> {
        Effort { budget, extent: Extent::Sample(SAMPLE) }
    }

    /// The check of every placement of each table, which takes seconds to minutes.
    pub fn in_full(budget: &'m Budget) -> Effort<'m> {
        Effort { budget, extent: Extent::All }
    }
}

/// True if a win in so many moves comes before any draw by a counter or by repetition.
fn in_time<M: Mask>(start: &Position<M>, history: &History, moves: u8) -> bool {
    // Where winner and loser are exchanged, the last ply is the loser's.
    let plies = 2 * u64::from(moves) + 1;
    let counted = u64::from(start.status().halfmoves) + plies;
    let by_counter = start.rules().ends.claimed_at().is_some_and(|at| counted >= u64::from(at));
    // The positions of a quickest win differ, so that a third occurrence needs two in the record.
    !by_counter && history.occurred.values().all(|times| *times < 2)
}

/// True if the game is won by checkmate alone.
fn wins_by_mate<M: Mask>(rules: &Rules<M>) -> bool {
    let ends = &rules.ends;
    ends.stalemate == Stalemate::Draw
        && ends.kings_square == KingsSquare::None
        && !ends.bare_king.loses()
        && !ends.misere
}

/// True if a game that goes on for ever is a draw.
fn ends_at_last<M: Mask>(rules: &Rules<M>) -> bool {
    rules.ends.move_counters || rules.ends.repetition != Repetition::None
}
