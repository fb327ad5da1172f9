//! Checks a table one ply forward with the generator of legal plies, which shares no code with what made the table.
//!
//! A position must be worth what its plies lead to: a win one move longer than the opponent's quickest loss, a loss
//! as long as the opponent's slowest win, else a draw. Distances of wins fall with each move, so a table without a
//! fault is right in every position.

use super::table::men_of;
use super::{Table, TableError, Tables, Value};
use ferz_core::board::{Owner, Square};
use ferz_core::position::{Outcome, Ply, Position, Verb};
use ferz_core::rules::Piece;
use ferz_core::text::Budget;
use rayon::prelude::*;

/// A position whose value disagrees with its plies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The position.
    pub fen: String,
    /// Its value by the table; `None` if the table has no such position.
    pub table: Option<Value>,
    /// Its value by its plies; `None` if it is not legal.
    pub plies: Option<Value>,
}

/// What a check of a table found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Positions that were checked.
    pub positions: u64,
    /// The first position whose value is wrong.
    pub fault: Option<Fault>,
}

/// Which placements are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every placement, with either side to move.
    All,
    /// So many placements at random, with either side to move; the same ones in every run.
    Sample(u64),
}

impl Tables {
    /// Checks a table one ply forward; the tables that its plies lead to have been made.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn verify(&self, table: &Table, extent: Extent, budget: &Budget) -> Result<Verified, TableError> {
        const PART: u64 = 4096;
        let squares = self.rules().board().len() as u64;
        let men = table.material().men().len();
        let all = squares.pow(men as u32);
        let count = match extent {
            Extent::All => all,
            Extent::Sample(count) => count,
        };
        let part = |part: u64| {
            budget.spend(PART)?;
            let mut verified = Verified { positions: 0, fault: None };
            for number in part * PART..((part + 1) * PART).min(count) {
                let placement = if extent == Extent::All { number } else { scattered(number) % all };
                let mut cells = vec![None; squares as usize];
                if let Some(placed) = placed(placement, squares, table.material().men(), &mut cells) {
                    for turn in Owner::REAL {
                        let fault = self.check(table, &placed, &cells, turn);
                        verified.positions += u64::from(fault != Some(None));
                        verified.fault = verified.fault.or(fault.flatten());
                    }
                }
            }
            Ok::<Verified, TableError>(verified)
        };
        let sum = |a: Verified, b: Verified| {
            Ok(Verified { positions: a.positions + b.positions, fault: a.fault.or(b.fault) })
        };
        let none = || Verified { positions: 0, fault: None };
        (0..count.div_ceil(PART)).into_par_iter().map(part).try_reduce(none, sum)
    }

    /// Checks one position: `None` if its value is right, `Some(None)` if it is no position, rightly.
    fn check(
        &self,
        table: &Table,
        squares: &[u8],
        cells: &[Option<Piece>],
        turn: Owner,
    ) -> Option<Option<Fault>> {
        let position = Position::of_men(self.rules().clone(), cells, turn);
        let state = position.state();
        let says = table.value(turn, squares);
        let legal = !state.king_in_check(self.rules(), turn.opponent()) && table.stands(squares);
        let plies = legal.then(|| self.by_plies(table, squares, position.clone()));
        match says == plies {
            true => (says.is_none()).then_some(None),
            false => Some(Some(Fault { fen: position.fen(), table: says, plies })),
        }
    }

    /// The value of a position by its plies.
    fn by_plies(&self, table: &Table, squares: &[u8], mut position: Position<u64>) -> Value {
        let turn = position.turn();
        if let Some((_, outcome)) = position.shown_end() {
            return ended(outcome, turn);
        }
        let mut best = Value::Loss(0);
        for ply in position.plies() {
            let inside = quiet(&position, &ply, squares);
            let value = match inside {
                Some(squares) => table.value(turn.opponent(), &squares),
                None => {
                    let undo = position.apply_undoable(&ply);
                    let value = match position.status().over.and_then(|_| position.shown_end()) {
                        Some((_, outcome)) => Some(ended(outcome, turn.opponent())),
                        None => men_of(&position).ok().and_then(|(material, squares)| {
                            self.get(&material)?.value(turn.opponent(), &squares)
                        }),
                    };
                    position.undo(&undo);
                    value
                }
            };
            best = better(best, value);
        }
        best
    }
}

/// The squares after a ply without capture and promotion; `None` for any other.
fn quiet(position: &Position<u64>, ply: &Ply, squares: &[u8]) -> Option<Vec<u8>> {
    let is_quiet = ply.verb == Verb::Move && ply.promotion.is_none() && position.piece(ply.to).is_none();
    is_quiet.then(|| {
        let moved = |&square: &u8| if square == ply.from.0 { ply.to.0 } else { square };
        squares.iter().map(moved).collect()
    })
}

/// The better value for a player: `best` so far, or that of a ply after which the opponent has `value`. A ply without
/// value makes it a win in 0 moves, which no position with plies has: the check then fails.
fn better(best: Value, value: Option<Value>) -> Value {
    let own = match value {
        None => return Value::Win(0),
        Some(Value::Draw) => Value::Draw,
        Some(Value::Loss(moves)) => Value::Win(moves + 1),
        Some(Value::Win(moves)) => Value::Loss(moves),
    };
    match (best, own) {
        (Value::Win(a), Value::Win(b)) => Value::Win(a.min(b)),
        (Value::Loss(a), Value::Loss(b)) => Value::Loss(a.max(b)),
        (Value::Win(_), _) | (Value::Draw, Value::Loss(_)) => best,
        (_, own) => own,
    }
}

fn ended(outcome: Outcome, player: Owner) -> Value {
    match outcome.winner() {
        None => Value::Draw,
        Some(winner) if winner == player => Value::Win(0),
        Some(_) => Value::Loss(0),
    }
}

/// The squares of the men in a placement by number, which are put on the board; `None` if two share a square.
fn placed(mut number: u64, squares: u64, men: &[Piece], cells: &mut [Option<Piece>]) -> Option<Vec<u8>> {
    let mut placed = Vec::with_capacity(men.len());
    for man in men {
        let square = Square((number % squares) as u8);
        number /= squares;
        if cells[square.index()].replace(*man).is_some() {
            return None;
        }
        placed.push(square.0);
    }
    Some(placed)
}

/// A number that looks random (SplitMix64).
fn scattered(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
