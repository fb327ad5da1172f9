//! Whether a player can still win, with the help of both sides (ADJ-6): the cheapest method first.

use super::best_first;
use super::closure::{Explored, explore};
use super::helpmate::{corners, playout, search};
use super::invariant::{invariant, structure};
use crate::certificate::Proof;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{Ply, Position};
use ferz_core::text::Budget;

/// Positions of the first search for a line, which finds nearly all.
const FIRST_NODES: u64 = 2_000;
/// The part of all positions that a search may visit which knows what never moves.
const STRUCTURE_PART: u64 = 3;
/// Positions of the search for the most promising line.
const GUIDED_NODES: u64 = 40_000;
/// Positions of the second search for a line, before all that can still occur are listed.
const SECOND_NODES: u64 = 20_000;
/// Positions of the first closed set: forced lines, and few more.
const FIRST_POSITIONS: u64 = 500;
/// Positions of the first closed set whose structure is looked at.
const STRUCTURES: usize = 300;
/// The part of all positions that a closed set may have: of the usual number, a certificate of about 3 MB.
const POSITIONS_PART: u64 = 4;

/// Whether a player can still win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chance {
    /// By this line.
    Line(Vec<Ply>),
    /// Not any more.
    Never(Never),
    /// Neither is shown within the budget.
    Unknown,
}

/// Why a player cannot win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Never {
    /// The material excludes it.
    Material(&'static str),
    /// A proof excludes it, which the checker has accepted.
    Proved(Proof),
}

/// Whether a player can win by any sequence of legal plies. A win is any end that scores for the player; repetition
/// and counters stop no line. Visits about `nodes` positions at most and adds their number to `spent`.
pub fn chance<M: Mask>(
    position: &Position<M>,
    by: Owner,
    nodes: u64,
    budget: &Budget,
    spent: &mut u64,
) -> Chance {
    if let Some(why) = position.is_beyond_winning(by) {
        return Chance::Never(Never::Material(why));
    }
    let until = spent.saturating_add(nodes);
    let limit = |spent: u64, most: u64| most.min(until.saturating_sub(spent));
    let at_first = corners(position, by, None);
    let line = search(position, by, &at_first, limit(*spent, FIRST_NODES), budget, spent)
        .or_else(|| playout(position, by, limit(*spent, FIRST_NODES), budget, spent));
    if let Some(line) = line {
        return Chance::Line(line);
    }
    let proved = |proof: Proof| {
        proof.excludes(position, by, &Budget::unlimited()).is_ok().then_some(Never::Proved(proof))
    };
    if let Some(never) = invariant(position, by).and_then(proved) {
        return Chance::Never(never);
    }
    if let Some(ranges) = structure(position, by) {
        let places = corners(position, by, Some(&ranges));
        if let Some(line) =
            search(position, by, &places, limit(*spent, nodes / STRUCTURE_PART), budget, spent)
        {
            return Chance::Line(line);
        }
    }
    let guided = if best_first::needs_help(position, by) { GUIDED_NODES } else { GUIDED_NODES / 8 };
    let line = best_first::search(position, by, limit(*spent, guided), budget, spent)
        .or_else(|| search(position, by, &at_first, limit(*spent, SECOND_NODES), budget, spent));
    if let Some(line) = line {
        return Chance::Line(line);
    }
    for (most, structures) in [(FIRST_POSITIONS, STRUCTURES), (nodes / POSITIONS_PART, 0)] {
        match explore(position, by, limit(*spent, most) as usize, structures, budget, spent) {
            Explored::Win(line) => return Chance::Line(line),
            Explored::Closed(closure) => match proved(Proof::Closure(closure)) {
                Some(never) => return Chance::Never(never),
                None => break,
            },
            Explored::Open => {}
        }
    }
    let half = limit(*spent, u64::MAX) / 2;
    search(position, by, &at_first, half, budget, spent)
        .or_else(|| playout(position, by, limit(*spent, u64::MAX), budget, spent))
        .map_or(Chance::Unknown, Chance::Line)
}
