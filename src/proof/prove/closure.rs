//! Explores all positions that can still occur.

use crate::certificate::{Closure, excluding, is_won, listed};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{Ply, Position};
use ferz_core::text::Budget;
use std::collections::HashSet;

/// What an exploration found.
pub(super) enum Explored {
    /// A line that wins.
    Win(Vec<Ply>),
    /// No position that can occur is a win.
    Closed(Closure),
    /// More positions than allowed can occur, or the budget ended.
    Open,
}

/// A position with the ply that led to it.
struct Reached<M> {
    position: Position<M>,
    /// The number of the position before, and the ply.
    by: Option<(usize, Ply)>,
}

/// Explores the positions that can occur after `start`, nearest first, until one is won for `by` or more than `most`
/// are found. Positions in which the material excludes a win are not followed; nor, as far as `structures` are still to
/// be tried, those whose structure does.
///
/// Positions are compared by their keys; the check of the closed set compares them in full.
pub(super) fn explore<M: Mask>(
    start: &Position<M>,
    by: Owner,
    most: usize,
    mut structures: usize,
    budget: &Budget,
    spent: &mut u64,
) -> Explored {
    let mut blocked = Vec::new();
    let mut seen = HashSet::from([start.key()]);
    let mut reached = vec![Reached { position: start.clone(), by: None }];
    let mut next = 0;
    while let Some(Reached { position, .. }) = reached.get(next) {
        let position = position.clone();
        let plies = position.plies();
        if plies.is_empty() && is_won(&position, by) {
            return Explored::Win(line_to(&reached, next));
        }
        *spent += 1;
        if budget.spend(1 + plies.len() as u64).is_err() {
            return Explored::Open;
        }
        for ply in plies {
            let mut after = position.clone();
            after.apply(&ply);
            if !seen.insert(after.key()) || after.is_beyond_winning(by).is_some() {
                continue;
            }
            if structures > 0 && !after.in_check() {
                structures -= 1;
                if excluding(&after, by).is_some() {
                    blocked.push(listed(&after));
                    continue;
                }
            }
            if reached.len() >= most {
                return Explored::Open;
            }
            reached.push(Reached { position: after, by: Some((next, ply)) });
        }
        next += 1;
    }
    let mut positions: Vec<String> = reached.iter().map(|reached| listed(&reached.position)).collect();
    positions.sort_unstable();
    blocked.sort_unstable();
    Explored::Closed(Closure { positions, blocked })
}

/// The plies to a position.
fn line_to<M>(reached: &[Reached<M>], mut at: usize) -> Vec<Ply> {
    let mut line = Vec::new();
    while let Some((before, ply)) = reached[at].by {
        line.push(ply);
        at = before;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::{AnyRules, Registry};

    /// A limit that is spent already is one, too: it may not be passed by.
    #[test]
    fn a_limit_ends_the_exploration() {
        let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules("chess", &|_| None) else {
            panic!("chess")
        };
        let start = Position::start(rules);
        for most in [0, 1, 2, 100] {
            let mut spent = 0;
            let found = explore(&start, Owner::White, most, 0, &Budget::of(10_000_000), &mut spent);
            assert!(matches!(found, Explored::Open) && spent <= 1 + most as u64, "{most}: {spent}");
        }
    }
}
