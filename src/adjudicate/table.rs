//! Forced results by an endgame table, where the search leaves them open.

use super::case::Case;
use super::verdict::{Ground, Strength, Verdict};
use crate::board::{Mask, Owner};
use crate::certificate::{ClaimKind, Decision};
use crate::judge::Outcome;
use crate::position::Position;
use crate::prove::tables::{Tables, Value, material_of};
use crate::replay::summary::counted;
use crate::rules::Rules;
use crate::rules::definition::{KingsSquare, Stalemate};
use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

/// Men of a table that is made for a claim: it takes about a second.
const MEN_MAX: usize = 4;
/// Halfmoves after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u64 = 100;

/// The verdict, or that of a table if the search left the claim of a forced result open. Tables know neither move
/// counters nor earlier positions, so that a win decides only where neither can draw the game before it.
pub(super) fn or_by_table<M: Mask>(case: &Case<'_, M>, verdict: Verdict) -> Verdict {
    if verdict.verdict != Decision::Undetermined || verdict.ground != Ground::Budget {
        return verdict;
    }
    let Some(value) = look_up(case) else { return verdict };
    let by = case.claimant();
    let mover = case.position.turn();
    let (winner, moves) = match value {
        Value::Draw => (None, 0),
        Value::Win(moves) => (Some(mover), moves),
        Value::Loss(moves) => (Some(mover.opponent()), moves),
    };
    let wins = winner == Some(by);
    let rules = case.position.rules();
    let reached = match case.claim.kind {
        // No draw that is claimed takes a draw from the claimant, but it may take the win from the opponent.
        ClaimKind::ForcedDraw if winner != Some(by.opponent()) => true,
        ClaimKind::ForcedDraw => match in_time(case, mover == by.opponent(), moves) {
            true => false,
            false => return verdict,
        },
        // A table counts the quickest win, so that there is no quicker mate.
        ClaimKind::ForcedMate if !wins || case.claim.within.is_some_and(|within| within < moves.into()) => {
            false
        }
        _ if !wins => false,
        ClaimKind::ForcedMate if !wins_by_mate(rules) => return verdict,
        _ if !in_time(case, mover == by, moves) => return verdict,
        _ => true,
    };
    decided(case, reached, winner, moves, &verdict)
}

/// The verdict in words.
fn decided<M: Mask>(
    case: &Case<'_, M>,
    reached: bool,
    winner: Option<Owner>,
    moves: u8,
    open: &Verdict,
) -> Verdict {
    let moves = counted(usize::from(moves), "move", "moves");
    let value = winner.map_or_else(
        || "the position is drawn".to_owned(),
        |winner| format!("{} wins in {moves}", winner.name()),
    );
    let decision = if reached { Decision::Upheld } else { Decision::Rejected };
    let won = reached && case.claim.kind != ClaimKind::ForcedDraw;
    let result = won.then(|| Outcome::won_by(case.claimant()));
    let text = format!("By the endgame table of the men on the board {value}.");
    let mut verdict = case.verdict(decision, Ground::Table, result, text);
    verdict.strength = Strength::Table;
    verdict.spent = open.spent;
    verdict
}

/// The value of the position by a table of its men.
fn look_up<M: Mask>(case: &Case<'_, M>) -> Option<Value> {
    let position = (&case.position as &dyn Any).downcast_ref::<Position<u64>>()?;
    let material = material_of(position).ok().filter(|material| material.men().len() <= MEN_MAX)?;
    let mut tables = Tables::new(Arc::clone(position.shared_rules()));
    tables.build(&material, &case.means.terms.budget, &mut |_, _| ()).ok()?;
    tables.value(position)
}

/// True if a win in so many moves comes before any draw by a counter or by repetition. `on_move` says whether the
/// winner makes the first ply.
fn in_time<M: Mask>(case: &Case<'_, M>, on_move: bool, moves: u8) -> bool {
    let plies = 2 * u64::from(moves) - u64::from(on_move && moves > 0);
    let counted = u64::from(case.position.status().halfmoves) + plies;
    let by_counter = case.position.rules().ends.move_counters && counted >= FIFTY_MOVES;
    // The positions of a quickest win differ, so that a third occurrence needs two in the record.
    let mut seen: HashMap<Vec<u8>, u8> = HashMap::new();
    let mut position = case.trace.start.clone();
    let mut twice = false;
    let mut note = |position: &Position<M>| {
        let times = seen.entry(position.identity()).or_insert(0);
        *times = times.saturating_add(1);
        twice |= *times >= 2;
    };
    note(&position);
    for index in 0..case.plies {
        case.trace.make(index, &mut position);
        note(&position);
    }
    !by_counter && !twice
}

/// True if the game is won by checkmate alone.
fn wins_by_mate<M: Mask>(rules: &Rules<M>) -> bool {
    let ends = &rules.ends;
    ends.stalemate == Stalemate::Draw
        && ends.kings_square == KingsSquare::None
        && !ends.bare_king.loses()
        && !ends.misere
}
