//! The way through the positions of a game.

use super::leaf::Done;
use ferz_core::board::Mask;
use ferz_core::position::Position;
use ferz_core::text::{Budget, Exhausted};
use ferz_records::replay::Trace;

/// Calls `each` for the start of a game and after each ply: with the position, and what the last ply did. Costs so many
/// units a position.
///
/// # Errors
/// If the budget ends before the work.
pub(crate) fn walk<M: Mask>(
    trace: &Trace<M>,
    budget: &Budget,
    units: u64,
    mut each: impl FnMut(&Position<M>, Option<&Done>),
) -> Result<(), Exhausted> {
    let mut position = trace.start.clone();
    budget.spend(units)?;
    each(&position, None);
    for (index, traced) in trace.plies.iter().enumerate() {
        budget.spend(units)?;
        // What a player called for before the ply changes no piece.
        let done = Done::of(&position, &traced.ply, traced.let_stand);
        trace.make(index, &mut position);
        each(&position, Some(&done));
    }
    Ok(())
}
