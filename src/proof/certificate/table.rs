//! Endgame tables of our own as evidence. The checker makes the table of the men on the board by itself, and compares a
//! part of it one ply forward with the generator of legal plies.

use super::and_or::History;
use super::claim::ClaimKind;
use crate::syzygy::Syzygy;
use crate::tables::{Extent, Table, TableError, Tables, Value, material_of};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::definition::{KingsSquare, Repetition, Stalemate};
use ferz_core::rules::{Piece, Rules};
use ferz_core::text::Budget;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Men of a table at most: it takes about a second.
pub(crate) const MEN_MAX: usize = 4;
/// Placements of each table that are compared one ply forward where it is not checked in full.
const SAMPLE: u64 = 20_000;
/// Positions of the tables that are kept for the next claim about the same men: at most some 370 MB.
static KEPT_POSITIONS: AtomicU64 = AtomicU64::new(1 << 28);

/// Keeps tables of at most so many positions for the next claim, each of which takes 11 bits. A service that answers
/// others beside it has less room than a program that answers one claim.
pub fn keep_tables(positions: u64) {
    KEPT_POSITIONS.store(positions, Ordering::Relaxed);
}

/// The tables that were made and checked last, with what they are of and how far they were checked.
static KEPT: Mutex<VecDeque<Kept>> = Mutex::new(VecDeque::new());

/// Tables that are kept, and what is said of them.
#[derive(Clone)]
struct Kept {
    set: Set,
    tables: Arc<Tables>,
    material: Arc<str>,
    positions: u64,
}

/// Which tables a set has.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set {
    /// The digest of the rules.
    rules: String,
    men: Vec<Piece>,
    extent: Extent,
}

impl Set {
    /// The tables, if they are kept.
    fn kept(&self) -> Option<Kept> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|kept| kept.set == *self).cloned()
    }
}

impl Kept {
    /// The tables that were made under these rules and checked so far.
    fn all_of(rules: &str, extent: Extent) -> Vec<Arc<Tables>> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let same = kept.iter().filter(|kept| kept.set.rules == rules && kept.set.extent == extent);
        same.map(|kept| Arc::clone(&kept.tables)).collect()
    }

    /// Keeps tables, instead of those that were kept first.
    fn keep(&self) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(self.clone());
        let most = KEPT_POSITIONS.load(Ordering::Relaxed);
        let (mut counted, mut positions) = (HashSet::new(), 0);
        // Sets share tables. The last one is kept whatever it takes.
        kept.retain(|kept| {
            let is_last = positions == 0;
            let new = kept.tables.all().filter(|table| counted.insert(Arc::as_ptr(table)));
            positions += new.map(|table| table.positions()).sum::<u64>();
            is_last || positions <= most
        });
    }
}

/// What a position is worth by the endgame table of its men.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeTable {
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

impl MadeTable {
    /// What a position is worth by the table of its men, which is made and checked for it, or was for another position.
    ///
    /// # Errors
    /// If there is no such table, or the budget ends.
    pub fn made<M: Mask>(position: &Position<M>, effort: Effort<'_>) -> Result<MadeTable, String> {
        let narrow = narrow(position)?;
        let set = Set { rules: narrow.rules().id.digest.clone(), men: men(narrow), extent: effort.extent };
        let kept = match set.kept() {
            Some(kept) => kept,
            None => {
                let MadeTable { material, positions, .. } = MadeTable::announced(narrow)?;
                let tables = Arc::new(checked_tables(narrow, effort)?);
                let made = Kept { set, tables, material: material.into(), positions };
                made.keep();
                made
            }
        };
        let (value, moves) = match kept.tables.value(narrow) {
            Some(Value::Draw) => (Worth::Draw, None),
            Some(Value::Win(moves)) => (Worth::Win, Some(moves)),
            Some(Value::Loss(moves)) => (Worth::Loss, Some(moves)),
            None => return Err("the table does not have the position".to_owned()),
        };
        Ok(MadeTable { material: kept.material.to_string(), positions: kept.positions, value, moves })
    }

    /// The material of a position and what its table costs, without a value.
    fn announced(narrow: &Position<u64>) -> Result<MadeTable, String> {
        let why = |error: TableError| error.to_string();
        let (rules, material) = (narrow.rules(), material_of(narrow).map_err(why)?);
        if material.men().len() > MEN_MAX {
            return Err(format!("tables of more than {MEN_MAX} men are no evidence"));
        }
        let positions = Tables::new(Arc::clone(narrow.shared_rules())).cost(&material).map_err(why)?;
        let (material, value) = (material.text(rules), Worth::Draw);
        Ok(MadeTable { material, positions, value, moves: None })
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
        let announced = MadeTable::announced(narrow(start)?)?;
        if (&announced.material, announced.positions) != (&self.material, self.positions) {
            let MadeTable { material, positions, .. } = announced;
            return Err(format!("the position is one of {material}, with {positions} positions"));
        }
        let decided = self.decides(start, history, claim)?;
        let made = MadeTable::made(start, effort)?;
        match made == *self {
            true => Ok(decided),
            false => Err(format!("by the table the position is worth {:?}, {:?}", made.value, made.moves)),
        }
    }

    /// What the value decides about a claim of a forced result.
    ///
    /// # Errors
    /// If it decides nothing.
    pub(super) fn decides<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        claim: (ClaimKind, Owner, Option<u32>),
    ) -> Result<bool, String> {
        let winner = match self.value {
            Worth::Draw => None,
            Worth::Win => Some(start.turn()),
            Worth::Loss => Some(start.turn().opponent()),
        };
        if winner.is_some() != self.moves.is_some() {
            return Err("a win has a number of moves, and a draw has none".to_owned());
        }
        // Where winner and loser are exchanged, the last ply is the loser's.
        let plies = 2 * u64::from(self.moves.unwrap_or(0)) + 1;
        Settled { winner, plies, moves: self.moves }.decides(start, history, claim)
    }
}

/// What a table says of a position. Tables know no earlier positions and not how far counters of moves are, so that a
/// win decides only where neither can draw the game before it.
pub(super) struct Settled {
    /// Who wins.
    pub(super) winner: Option<Owner>,
    /// The plies of the win in which a counter may run at most.
    pub(super) plies: u64,
    /// The moves of the winner, if the table counts them.
    pub(super) moves: Option<u8>,
}

impl Settled {
    /// What it decides about a claim of a forced result.
    ///
    /// # Errors
    /// If it decides nothing.
    pub(super) fn decides<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        (kind, by, within): (ClaimKind, Owner, Option<u32>),
    ) -> Result<bool, String> {
        let rules = start.rules();
        let in_time = || match in_time(start, history, self.plies) {
            true => Ok(()),
            false => Err("a draw may be claimed before the win".to_owned()),
        };
        match (kind, self.winner) {
            // What goes on for ever has to be a draw by the rules.
            (ClaimKind::ForcedDraw, None) if !ends_at_last(rules) => {
                Err("nothing ends a game that goes on for ever".to_owned())
            }
            // No draw that is claimed takes a draw from the claimant, but it may take the win from the opponent.
            (ClaimKind::ForcedDraw, winner) if winner != Some(by.opponent()) => Ok(true),
            (ClaimKind::ForcedDraw, _) => in_time().map(|()| false),
            (ClaimKind::ForcedMate | ClaimKind::ForcedWin, winner) if winner != Some(by) => Ok(false),
            (ClaimKind::ForcedMate, _) if within.is_some() && self.moves.is_none() => {
                Err("the table does not count the moves of a mate".to_owned())
            }
            // A table counts the quickest win, so that there is no quicker mate.
            (ClaimKind::ForcedMate, _)
                if within.is_some_and(|within| self.moves.is_some_and(|moves| within < moves.into())) =>
            {
                Ok(false)
            }
            (ClaimKind::ForcedMate, _) if !wins_by_mate(rules) => {
                Err("the win need not be a mate".to_owned())
            }
            (ClaimKind::ForcedMate | ClaimKind::ForcedWin, _) => in_time().map(|()| true),
            _ => Err(format!("an endgame table does not decide a claim of {kind}")),
        }
    }
}

/// A position on a board of the size that tables know.
pub(super) fn narrow<M: Mask>(position: &Position<M>) -> Result<&Position<u64>, &'static str> {
    (position as &dyn Any).downcast_ref().ok_or("the board has more than 64 squares")
}

/// The men on the board, in order.
pub fn men<M: Mask>(position: &Position<M>) -> Vec<Piece> {
    let mut men: Vec<Piece> = position.occupied().squares().filter_map(|at| position.piece(at)).collect();
    men.sort_unstable();
    men
}

/// The tables of a position's men, each checked one ply forward.
fn checked_tables(position: &Position<u64>, effort: Effort<'_>) -> Result<Tables, String> {
    let why = |error: TableError| error.to_string();
    let mut tables = Tables::new(Arc::clone(position.shared_rules()));
    let material = material_of(position).map_err(why)?;
    let kept: Vec<Arc<Tables>> = Kept::all_of(&position.rules().id.digest, effort.extent);
    tables.adopt(&material, kept.iter().map(|kept| &**kept)).map_err(why)?;
    let checked: HashSet<*const Table> = tables.all().map(Arc::as_ptr).collect();
    tables.build(&material, effort.budget, &mut |_, _| ()).map_err(why)?;
    for table in tables.all().filter(|table| !checked.contains(&Arc::as_ptr(table))) {
        let checked = tables.verify(table, effort.extent, effort.budget).map_err(why)?;
        if let Some(fault) = checked.fault {
            return Err(format!("the table disagrees with the plies from {}", fault.fen));
        }
    }
    Ok(tables)
}

/// What the check of a certificate may cost, how far it goes, and what it may look at.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'m> {
    /// What the work may cost.
    pub budget: &'m Budget,
    /// The placements of endgame tables that are compared one ply forward.
    pub extent: Extent,
    /// Files of endgame tables. Without them, evidence that rests on them cannot be checked.
    pub files: Option<&'m Syzygy>,
}

impl<'m> Effort<'m> {
    /// The usual check: 20,000 placements of each table.
    pub fn of(budget: &'m Budget) -> Effort<'m> {
        Effort { budget, extent: Extent::Sample(SAMPLE), files: None }
    }

    /// The check of every placement of each table, which takes seconds to minutes.
    pub fn in_full(budget: &'m Budget) -> Effort<'m> {
        Effort { budget, extent: Extent::All, files: None }
    }

    /// The same with files of endgame tables.
    #[must_use]
    pub fn with_files(self, files: Option<&'m Syzygy>) -> Effort<'m> {
        Effort { files, ..self }
    }
}

/// True if a win comes before any draw by a counter, which runs for so many plies at most, or by repetition.
fn in_time<M: Mask>(start: &Position<M>, history: &History, plies: u64) -> bool {
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
