//! Makes a line that wins short enough to be played over: the searches take what they find first, which is often a
//! game of a hundred plies in which everything is captured.

use super::dice::Dice;
use crate::certificate::is_won;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{Ply, Position};
use ferz_core::text::Budget;

/// Plies up to which every line is tried.
const EVERY_LINE: usize = 4;

/// Plies of a random line at most.
const RANDOM_PLIES: usize = 24;

/// A line that ends in a win of `by` too, as short as it gets with about `nodes` positions. `line` is one.
pub fn shortened<M: Mask>(
    start: &Position<M>,
    by: Owner,
    line: Vec<Ply>,
    nodes: u64,
    budget: &Budget,
    spent: &mut u64,
) -> Vec<Ply> {
    let begin = *spent;
    let mut work = Work { by, budget, until: begin.saturating_add(nodes / 4), spent };
    for depth in 1..=EVERY_LINE.min(line.len().saturating_sub(1)) {
        let mut found = Vec::new();
        if work.within(&mut start.clone(), depth, &mut found) {
            found.reverse();
            return found;
        }
    }
    work.until = begin.saturating_add(nodes / 4 * 3);
    let line = work.by_chance(start, line);
    work.until = begin.saturating_add(nodes);
    work.without_detours(start, line)
}

struct Work<'w> {
    by: Owner,
    budget: &'w Budget,
    /// The positions at which the work ends.
    until: u64,
    spent: &'w mut u64,
}

impl Work<'_> {
    /// Counts a position; false if there is no time for more.
    fn may_go_on(&mut self) -> bool {
        let may = *self.spent < self.until && self.budget.spend(1).is_ok();
        *self.spent += u64::from(may);
        may
    }

    /// True if a line of so many plies wins; `found` has it, the last ply first.
    fn within<M: Mask>(&mut self, position: &mut Position<M>, depth: usize, found: &mut Vec<Ply>) -> bool {
        if !self.may_go_on() {
            return false;
        }
        let plies = position.plies();
        if depth == 0 || plies.is_empty() {
            return plies.is_empty() && is_won(position, self.by);
        }
        for ply in plies {
            let undo = position.apply_undoable(&ply);
            let is_found = self.within(position, depth - 1, found);
            position.undo(&undo);
            if is_found {
                found.push(ply);
                return true;
            }
        }
        false
    }

    /// The shortest of some random lines, each of which takes the first win that a ply gives; or the line.
    fn by_chance<M: Mask>(&mut self, start: &Position<M>, mut line: Vec<Ply>) -> Vec<Ply> {
        let mut dice = Dice::new();
        while *self.spent < self.until && self.budget.check().is_ok() && line.len() > 1 {
            let mut position = start.clone();
            let mut played = Vec::new();
            while played.len() + 1 < line.len().min(RANDOM_PLIES) {
                let plies = position.plies();
                if let Some(win) = self.winning(&mut position, &plies) {
                    played.push(win);
                    line = played;
                    break;
                }
                if plies.is_empty() || *self.spent >= self.until {
                    break;
                }
                let ply = dice.pick(&plies);
                position.apply(&ply);
                played.push(ply);
            }
        }
        line
    }

    /// One of the plies that wins at once.
    fn winning<M: Mask>(&mut self, position: &mut Position<M>, plies: &[Ply]) -> Option<Ply> {
        if !self.may_go_on() {
            return None;
        }
        plies.iter().copied().find(|ply| {
            let undo = position.apply_undoable(ply);
            let may_end = position.in_check() || position.status().over.is_some();
            let wins = may_end && position.plies().is_empty() && is_won(position, self.by);
            position.undo(&undo);
            wins
        })
    }

    /// The line without the plies that it does not need: blocks of them first, then any two.
    fn without_detours<M: Mask>(&mut self, start: &Position<M>, mut line: Vec<Ply>) -> Vec<Ply> {
        for block in [32, 16, 8, 4, 2] {
            let mut first = 0;
            while first + block <= line.len() {
                let rest = [&line[..first], &line[first + block..]].concat();
                match self.played(start, &rest) {
                    Some(shorter) => line = shorter,
                    None => first += 1,
                }
            }
        }
        let mut first = 0;
        while first < line.len() {
            let shorter = (first + 1..line.len()).find_map(|second| {
                let mut rest = line.clone();
                rest.remove(second);
                rest.remove(first);
                self.played(start, &rest)
            });
            match shorter {
                Some(shorter) => line = shorter,
                None => first += 1,
            }
        }
        line
    }

    /// The plies up to the win, if all of them are legal and lead to one.
    fn played<M: Mask>(&mut self, start: &Position<M>, line: &[Ply]) -> Option<Vec<Ply>> {
        let mut position = start.clone();
        for (number, ply) in line.iter().enumerate() {
            if !self.may_go_on() {
                return None;
            }
            let plies = position.plies();
            if plies.is_empty() {
                return is_won(&position, self.by).then(|| line[..number].to_vec());
            }
            let ply = plies.iter().find(|legal| *legal == ply)?;
            position.apply(ply);
        }
        (position.plies().is_empty() && is_won(&position, self.by)).then(|| line.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::{Chance, chance};
    use ferz_core::board::by_width;
    use ferz_core::rules::{AnyRules, Registry};
    use std::sync::Arc;

    /// The plies of the line by which a player can win, before and after it is shortened.
    fn lengths(variant: &str, fen: &str, by: Owner) -> (usize, usize) {
        let rules = Registry::built_in().rules(variant, &|_| None).unwrap();
        by_width!(AnyRules, &rules, |rules| {
            let start = Position::from_fen(Arc::clone(rules), fen).unwrap();
            let (budget, mut spent) = (Budget::unlimited(), 0);
            let Chance::Line(line) = chance(&start, by, 1_000_000, &budget, &mut spent) else {
                panic!("{fen}: no line")
            };
            let before = line.len();
            spent = 0;
            let line = shortened(&start, by, line, 20_000, &budget, &mut spent);
            assert!(spent <= 20_000, "{fen}: {spent}");
            let mut position = start.clone();
            for ply in &line {
                assert!(position.plies().contains(ply), "{fen}");
                position.apply(ply);
            }
            assert!(is_won(&position, by), "{fen}");
            (before, line.len())
        })
    }

    #[test]
    fn lines_become_short_enough_to_play_over() {
        for (variant, fen, by, most) in [
            ("chess", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", Owner::Black, 16),
            ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Owner::Black, 4),
            ("chess", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", Owner::White, 1),
            ("chess", "8/8/8/3k4/8/4K3/3P4/8 w - - 0 60", Owner::White, 17),
            ("chess", "4k3/8/8/8/8/8/4N3/4K1n1 w - - 0 60", Owner::White, 17),
        ] {
            let (before, after) = lengths(variant, fen, by);
            assert!(after <= most && after <= before, "{fen}: {before} -> {after}");
        }
    }
}
