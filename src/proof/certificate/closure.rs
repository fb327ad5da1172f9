//! Closed sets of positions: whatever is played, the game stays in the set, and no position of it is a win.

use super::invariant::excluding;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{Outcome, Position};
use ferz_core::rules::definition::DeploymentKind;
use ferz_core::text::Budget;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Budget units for the structure of a position.
const UNITS_STRUCTURE: u64 = 200;

/// All positions that can still occur, except those in which the material excludes a win of the player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closure {
    /// Each as [`listed`] writes it, in ascending order.
    pub positions: Vec<String>,
    /// Positions that can occur and are not followed, written and ordered in the same way: the structure that grows out
    /// of each excludes a win.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<String>,
}

/// A position as a closed set lists it: its FEN, without counters where no field follows them.
pub fn listed<M: Mask>(position: &Position<M>) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    match fields.get(6..) {
        Some(more) if !more.is_empty() => [&fields[..4], &["0", "1"], more].concat().join(" "),
        _ => fields[..4].join(" "),
    }
}

/// True if the position shows an end that wins for the player.
pub fn is_won<M: Mask>(position: &Position<M>, by: Owner) -> bool {
    position.shown_end().is_some_and(|(_, outcome)| outcome == Outcome::won_by(by))
}

/// A ply between positions of a set, by their numbers.
struct Edge {
    from: usize,
    to: usize,
    /// The player whose perpetual check would decide made it.
    of_checker: bool,
    check: bool,
}

impl Closure {
    /// The positions of both sets.
    pub(super) fn joined(&self, other: &Closure) -> Closure {
        let union = |own: &[String], others: &[String]| {
            let all: BTreeSet<&String> = own.iter().chain(others).collect();
            all.into_iter().cloned().collect()
        };
        Closure {
            positions: union(&self.positions, &other.positions),
            blocked: union(&self.blocked, &other.blocked),
        }
    }

    /// Fails unless the set shows that no sequence of legal plies from `start` wins for `by`.
    pub(super) fn check<M: Mask>(
        &self,
        start: &Position<M>,
        by: Owner,
        budget: &Budget,
    ) -> Result<(), String> {
        let mut set = Set { numbers: HashMap::new(), listed: Vec::new() };
        let mut edges = Vec::new();
        let first = set.number(start);
        for (text, position) in read(&self.blocked, start) {
            budget.spend(UNITS_STRUCTURE).map_err(|exhausted| exhausted.to_string())?;
            let position = position?;
            if excluding(&position, by).is_none() {
                return Err(format!("`{text}`: its structure does not exclude a win of {}", by.name()));
            }
            let number = set.number(&position);
            set.listed[number] = true;
        }
        for (text, position) in read(&self.positions, start) {
            budget.spend(1).map_err(|exhausted| exhausted.to_string())?;
            let position = position?;
            if is_move_dependent(&position) {
                return Err(format!("in `{text}` the legal plies depend on the move number"));
            }
            let from = set.number(&position);
            set.listed[from] = true;
            set.follow(&position, by, from, &mut edges).map_err(|why| format!("`{text}`: {why}"))?;
        }
        let outside = set.listed.iter().position(|listed| !listed);
        if let Some(identity) = outside.and_then(|number| set.identity(number)) {
            return Err(format!("`{identity}` can occur and is not listed"));
        }
        debug_assert!(set.listed[first]);
        match has_perpetual(set.listed.len(), &edges) {
            true => Err("a cycle of the set is a perpetual check that wins".to_owned()),
            false => Ok(()),
        }
    }
}

/// Reads the positions of a list, which are written as [`listed`] writes them, in ascending order.
fn read<'l, M: Mask>(
    list: &'l [String],
    start: &Position<M>,
) -> impl Iterator<Item = (&'l String, Result<Position<M>, String>)> {
    let rules = start.shared_rules();
    list.iter().enumerate().map(move |(index, text)| {
        if index > 0 && list[index - 1] >= *text {
            return (text, Err(format!("`{text}` is out of order")));
        }
        let position = Position::from_fen(Arc::clone(rules), text)
            .map_err(|error| format!("`{text}` is no position: {error}"))
            .and_then(|position| match listed(&position) {
                written if written == *text => Ok(position),
                written => Err(format!("`{text}` is written `{written}`")),
            });
        (text, position)
    })
}

/// True if the opening deployment may be due: it depends on the move number, which is no part of a position's identity.
pub fn is_move_dependent<M: Mask>(position: &Position<M>) -> bool {
    position.rules().deployment == DeploymentKind::Opening
        && Owner::REAL.into_iter().any(|owner| position.deployment_due(owner))
}

/// Positions by their identities.
struct Set {
    numbers: HashMap<Vec<u8>, usize>,
    listed: Vec<bool>,
}

impl Set {
    fn number<M: Mask>(&mut self, position: &Position<M>) -> usize {
        let next = self.listed.len();
        let number = *self.numbers.entry(position.identity()).or_insert(next);
        if number == next {
            self.listed.push(false);
        }
        number
    }

    fn identity(&self, number: usize) -> Option<String> {
        let found = self.numbers.iter().find(|(_, known)| **known == number)?;
        Some(String::from_utf8_lossy(found.0).into_owned())
    }

    /// Numbers the positions after every legal ply.
    fn follow<M: Mask>(
        &mut self,
        position: &Position<M>,
        by: Owner,
        from: usize,
        edges: &mut Vec<Edge>,
    ) -> Result<(), String> {
        let plies = position.plies();
        if plies.is_empty() && is_won(position, by) {
            return Err(format!("it is won for {}", by.name()));
        }
        let checker = perpetual_loser(position, by);
        for ply in plies {
            let mut next = position.clone();
            next.apply(&ply);
            if next.is_beyond_winning(by).is_some() {
                continue;
            }
            let to = self.number(&next);
            if let Some(checker) = checker {
                let check = next.in_check() && next.checked_by_opponent();
                edges.push(Edge { from, to, of_checker: ply.actor == checker, check });
            }
        }
        Ok(())
    }
}

/// The player whose perpetual check would win for `by`, if the game has that rule.
fn perpetual_loser<M: Mask>(position: &Position<M>, by: Owner) -> Option<Owner> {
    let ends = &position.rules().ends;
    let loser = if ends.misere { by } else { by.opponent() };
    (ends.repetition.perpetual().is_some()).then_some(loser)
}

/// True if there may be a cycle in which the checker gives check with every ply: one that has a ply of the checker's,
/// among the plies without the checker's quiet ones.
fn has_perpetual(count: usize, edges: &[Edge]) -> bool {
    let kept = edges.iter().filter(|edge| edge.check || !edge.of_checker);
    has_cycle(count, &kept.map(|edge| (edge.from, edge.to)).collect::<Vec<_>>())
}

/// True if plies between so many positions, by their numbers, form a cycle.
pub(super) fn has_cycle(count: usize, edges: &[(usize, usize)]) -> bool {
    let mut after = vec![Vec::new(); count];
    let mut before = vec![0usize; count];
    for &(from, to) in edges {
        after[from].push(to);
        before[to] += 1;
    }
    // Positions without a ply into them are on no cycle; what remains has one.
    let mut free: Vec<usize> = (0..count).filter(|&number| before[number] == 0).collect();
    let mut removed = 0;
    while let Some(number) = free.pop() {
        removed += 1;
        for &next in &after[number] {
            before[next] -= 1;
            if before[next] == 0 {
                free.push(next);
            }
        }
    }
    removed < count
}
