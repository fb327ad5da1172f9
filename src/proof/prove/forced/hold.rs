//! Whether one side never loses, however long the game goes on: a plan that stays within a set of positions, or ends
//! without a loss.
//!
//! A plan is tried out: in each position that it can come to, the side has one choice, and every ply of the others is
//! followed. Where a choice leads to a loss the next one takes its place; a position whose choices are used up is lost,
//! and so are the choices that led there. What remains when nothing is left to follow is the plan. The first rounds
//! allow few choices, so that perpetual checks and captures are found before everything is tried.

use super::WithinPlan;
use super::graph::ordered;
use crate::certificate::{AndOr, AndOrNode, ClaimKind, Effort, History, TableProof};
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::coord;
use ferz_core::position::{Outcome, Ply, Position};
use ferz_core::rules::definition::Repetition;
use ferz_core::text::{Budget, Exhausted};
use std::collections::HashMap;

/// Positions of a plan that is tried at most.
const POSITIONS_MAX: usize = 40_000;

/// Plies of the others at all of them: where Nature acts each has hundreds. About 20 MB.
const PLIES_MAX: usize = 1 << 19;
/// Occurrences with which a draw may be claimed (FIDE 9.2).
const THREEFOLD: usize = 3;

/// Which plies of its own a side may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choices {
    /// Checks, and plies that decide.
    Checks,
    /// Captures too.
    Captures,
    /// All.
    All,
}

/// Who holds, and what the record adds.
#[derive(Debug, Clone, Copy)]
pub struct Holding<'h> {
    /// Who is not to lose.
    pub by: Owner,
    /// True if Nature is on that side.
    pub with_nature: bool,
    /// The game before.
    pub history: &'h History,
    /// What narrows the search within a plan that a player submits.
    pub within_plan: Option<&'h WithinPlan>,
}

impl Holding<'_> {
    /// The endgame table that decides a position, and whether it holds the draw.
    pub(in crate::prove) fn table<M: Mask>(&self, position: &Position<M>) -> Option<(TableProof, bool)> {
        let WithinPlan { men, budget, .. } = self.within_plan?;
        TableProof::closing(position, men, (ClaimKind::ForcedDraw, self.by), Effort::of(budget))
    }

    /// Whether a ply, or the start, ends the game without a loss of the side (true) or with one (false). Counts of
    /// moves are left out, since a plan may come to a position with other ones.
    pub(in crate::prove) fn decided<M: Mask>(
        self,
        position: &Position<M>,
        ply: Option<&Ply>,
    ) -> Option<bool> {
        if let Some((_, outcome)) = position.shown_end() {
            return Some(outcome != Outcome::won_by(self.by.opponent()));
        }
        let ends = &position.rules().ends;
        let claims = position.turn() == self.by || ply.is_some_and(|ply| ply.actor == self.by);
        let claimable = ends.claimed_at().is_some_and(|at| position.status().halfmoves >= at);
        let by_counter = ply.is_none() && claims && claimable;
        let dead = ends.dead_position.by_material() && position.is_dead();
        let repeated = || {
            let times = self.history.times(&position.identity()) + usize::from(ply.is_some());
            ends.repetition == Repetition::Fide && claims && times >= THREEFOLD
        };
        (by_counter || dead || repeated()).then_some(true)
    }
}

/// A choice: one ply of the side's own, or none, and all of the others' or none.
#[derive(Debug, Clone, Copy)]
struct Choice {
    /// The side's own ply.
    own: Option<Ply>,
    /// True if the plies of the others belong to it.
    with_others: bool,
    /// The lowest comes first: by what the ply is, then by the number of answers to it.
    rank: (u8, u64),
}

/// A position that the plan can come to.
struct Place<M> {
    position: Position<M>,
    /// True once its choices are known.
    open: bool,
    lost: bool,
    choices: Vec<Choice>,
    /// The plies of the others, which most choices share: those of Nature are many.
    others: Vec<Ply>,
    chosen: usize,
    /// The plies of the choice, with the position each leads to, or `None` if it ends without a loss.
    next: Vec<(Ply, Option<usize>)>,
    /// Positions with a choice that leads here.
    before: Vec<usize>,
    /// The endgame table that decides the position.
    table: Option<TableProof>,
}

struct Trial<'t, M> {
    holding: &'t Holding<'t>,
    allowed: Choices,
    places: Vec<Place<M>>,
    numbers: HashMap<(Vec<u8>, bool), usize>,
    /// Positions that may still be opened.
    left: u64,
    /// The plies of the others at positions that were opened.
    kept: usize,
    budget: &'t Budget,
}

/// Searches for a plan by which a side never loses, from a position in which the game goes on. Visits `nodes` positions
/// at most and adds their number to `spent`.
pub fn hold<M: Mask>(
    start: &Position<M>,
    holding: &Holding<'_>,
    nodes: u64,
    budget: &Budget,
    spent: &mut u64,
) -> Option<AndOr> {
    if holding.decided(start, None).is_some() {
        let nodes = vec![AndOrNode::default()];
        return (holding.decided(start, None) == Some(true)).then_some(AndOr { by: holding.by, nodes });
    }
    for (allowed, part) in [(Choices::Checks, 4), (Choices::Captures, 4), (Choices::All, 2)] {
        let mut trial = Trial {
            holding,
            allowed,
            places: Vec::new(),
            numbers: HashMap::new(),
            left: nodes / part,
            kept: 0,
            budget,
        };
        let most = trial.left;
        let start = trial.place(start, None);
        let found = trial.run(start);
        *spent += most - trial.left;
        match found {
            Ok(true) => return Some(trial.plan(start)),
            // With all choices nothing holds, within what was allowed.
            Ok(false) => {}
            Err(Exhausted { cancelled: true }) => return None,
            Err(Exhausted { .. }) => {}
        }
    }
    None
}

impl<M: Mask> Trial<'_, M> {
    /// The number of a position.
    fn place(&mut self, position: &Position<M>, table: Option<TableProof>) -> usize {
        let next = self.places.len();
        // Only the first move may have a deployment of its own.
        let key = (position.identity(), position.status().number == 1);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.places.push(Place {
                position: position.clone(),
                open: table.is_some(),
                lost: false,
                choices: Vec::new(),
                others: Vec::new(),
                chosen: 0,
                next: Vec::new(),
                before: Vec::new(),
                table,
            });
        }
        number
    }

    /// Tries until nothing is left to follow (true), or the start is lost (false).
    fn run(&mut self, start: usize) -> Result<bool, Exhausted> {
        loop {
            let unopened = self.unopened(start);
            if unopened.is_empty() {
                return Ok(true);
            }
            for number in unopened {
                if !self.places[number].lost {
                    self.open(number)?;
                }
                if self.places[start].lost {
                    return Ok(false);
                }
            }
        }
    }

    /// The positions that the plan can come to and that have no choices yet.
    fn unopened(&self, start: usize) -> Vec<usize> {
        let mut seen = vec![false; self.places.len()];
        let mut waiting = vec![start];
        let mut unopened = Vec::new();
        seen[start] = true;
        while let Some(number) = waiting.pop() {
            let place = &self.places[number];
            if !place.open {
                unopened.push(number);
            }
            for next in place.next.iter().filter_map(|(_, next)| *next) {
                if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            }
        }
        unopened
    }

    /// Lists the choices of a position, and makes the first one that does not lose.
    fn open(&mut self, number: usize) -> Result<(), Exhausted> {
        let position = self.places[number].position.clone();
        let plies = position.plies();
        self.left = self.left.checked_sub(1).ok_or(Exhausted { cancelled: false })?;
        self.budget.spend(1 + plies.len() as u64)?;
        if self.places.len() > POSITIONS_MAX || self.kept > PLIES_MAX {
            return Err(Exhausted { cancelled: false });
        }
        let Holding { by, with_nature, .. } = *self.holding;
        let is_own = |ply: &Ply| ply.actor == by || with_nature && ply.actor == Owner::Nature;
        let (own, others): (Vec<Ply>, Vec<Ply>) = plies.into_iter().partition(is_own);
        let mut choices: Vec<Choice> = Vec::new();
        let on_move = position.turn() == by;
        for ply in own {
            let Some(rank) = self.rank(&position, &ply) else { continue };
            // On the opponent's turn Nature's ply comes before it.
            choices.push(Choice { own: Some(ply), with_others: on_move, rank });
        }
        choices.sort_by_key(|choice| choice.rank);
        if !on_move {
            choices.insert(0, Choice { own: None, with_others: true, rank: (0, 0) });
        }
        self.kept += others.len();
        let place = &mut self.places[number];
        (place.open, place.choices, place.others) = (true, choices, others);
        self.choose(number);
        Ok(())
    }

    /// The rank of an own ply; `None` if it is not allowed.
    fn rank(&self, position: &Position<M>, ply: &Ply) -> Option<(u8, u64)> {
        if self.holding.within_plan.is_some_and(|plan| !plan.allows(position, ply)) {
            return None;
        }
        let mut after = position.clone();
        after.apply(ply);
        match self.holding.decided(&after, Some(ply)) {
            Some(true) => return Some((0, 0)),
            Some(false) => return None,
            None => {}
        }
        let known = self.numbers.get(&(after.identity(), after.status().number == 1));
        if known.is_some_and(|number| self.places[*number].open && !self.places[*number].lost) {
            return Some((1, 0));
        }
        let check = after.in_check() && after.checked_by_opponent();
        let captures = after.occupied().count() < position.occupied().count();
        let (rank, needs) = match (check, captures) {
            (true, true) => (2, Choices::Checks),
            (true, false) => (3, Choices::Checks),
            (false, true) => (4, Choices::Captures),
            (false, false) => (5, Choices::All),
        };
        // A king that is attacked has few plies, and none of them is left out.
        let may = self.allowed >= needs || position.in_check();
        may.then(|| (rank, after.count_plies()))
    }

    /// Makes the present choice of a position, or the next one that does not lose; without one the position is lost,
    /// and choices that led to it are given up.
    fn choose(&mut self, number: usize) {
        let mut waiting = vec![number];
        while let Some(number) = waiting.pop() {
            if self.places[number].lost {
                continue;
            }
            while let Some(choice) = self.places[number].choices.get(self.places[number].chosen).copied() {
                if self.make(number, choice) {
                    break;
                }
                self.places[number].chosen += 1;
            }
            let place = &mut self.places[number];
            if place.chosen >= place.choices.len() {
                place.lost = true;
                (place.next, place.choices, place.others) = Default::default();
                let mut before = std::mem::take(&mut place.before);
                before.retain(|before| {
                    let place = &self.places[*before];
                    place.next.iter().any(|(_, next)| *next == Some(number))
                });
                waiting.extend(before);
            }
        }
    }

    /// Follows the plies of a choice; false if one of them is known to lose.
    fn make(&mut self, number: usize, choice: Choice) -> bool {
        let position = self.places[number].position.clone();
        let others = std::mem::take(&mut self.places[number].others);
        let follows = self.follow(&position, choice, &others);
        self.places[number].others = others;
        let Some(next) = follows else { return false };
        for to in next.iter().filter_map(|(_, to)| *to) {
            self.places[to].before.push(number);
        }
        self.places[number].next = next;
        true
    }

    /// The plies of a choice, with the position each leads to; `None` if one of them is known to lose.
    fn follow(
        &mut self,
        position: &Position<M>,
        choice: Choice,
        others: &[Ply],
    ) -> Option<Vec<(Ply, Option<usize>)>> {
        let others = if choice.with_others { others } else { &[] };
        let mut next = Vec::new();
        for ply in choice.own.iter().chain(others) {
            let mut after = position.clone();
            after.apply(ply);
            match self.holding.decided(&after, Some(ply)) {
                Some(true) => next.push((*ply, None)),
                Some(false) => return None,
                None => {
                    let table = match self.holding.table(&after) {
                        Some((_, false)) => return None,
                        table => table.map(|(table, _)| table),
                    };
                    let to = self.place(&after, table);
                    if self.places[to].lost {
                        return None;
                    }
                    next.push((*ply, Some(to)));
                }
            }
        }
        Some(next)
    }

    /// The plan from a position.
    fn plan(&self, start: usize) -> AndOr {
        let node = |place: &Place<M>| {
            let own = place.choices.get(place.chosen).is_some_and(|choice| choice.own.is_some());
            let listed =
                place.next.iter().enumerate().filter(|(at, (_, next))| next.is_some() || own && *at == 0);
            let plies = listed.map(|(_, (ply, next))| {
                let mut text = String::new();
                coord::write(place.position.rules(), ply, &mut text);
                (text, next.map(|next| next as u32))
            });
            AndOrNode { moves: 0, plies: plies.collect(), table: place.table.clone() }
        };
        let nodes: Vec<AndOrNode> = self.places.iter().map(node).collect();
        AndOr { by: self.holding.by, nodes: ordered(&nodes, start as u32) }
    }
}
