//! Whether a plan that a player submits meets every defence: the plies of an analysis, tried against all plies of the
//! others. What the analysis leaves open a search or an endgame table may close; the rest are holes.
//!
//! The plan is a graph of positions. A side that wins must come nearer to its end with every ply, so that the positions
//! that are proved are the least set that contains each end. A side that holds may return for ever: there it is the
//! largest set that nothing leads out of.

use super::forced::{Answer, Goal, Holding, MOVES_MAX, Occurrences, WithinPlan, hold, ordered, prove};
use crate::certificate::{AndOr, AndOrNode, ClaimKind, Effort, History, TableProof, men};
use crate::syzygy::Syzygy;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::coord;
use ferz_core::position::{EndReason, Outcome, Ply, Position};
use ferz_core::text::Budget;
use ferz_records::replay::AnalysedPly;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Positions of a plan at most.
const POSITIONS_MAX: usize = 40_000;
/// Plies between them at most: a certificate of about 5 MB.
const PLIES_MAX: usize = 1 << 18;

/// Positions that a search may visit to close a hole, round by round: many holes are closed by a short mate.
const ROUNDS: [u64; 4] = [200, 2_000, 20_000, 200_000];

/// Why a plan fails at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HoleKind {
    /// The game ends otherwise than claimed, or a draw may be claimed.
    Fails,
    /// The analysis has an illegal ply.
    Illegal,
    /// The plan is longer than claimed.
    TooLong,
    /// The plan returns to a position that it came from.
    Returns,
    /// A line of the analysis ends before the game is decided.
    LineEnds,
    /// A defence has no answer in the analysis.
    NotAnswered,
    /// The plan is too large to be followed.
    TooLarge,
}

impl HoleKind {
    /// All, in the order in which they matter.
    pub const ALL: [HoleKind; 7] = [
        HoleKind::Fails,
        HoleKind::Illegal,
        HoleKind::TooLong,
        HoleKind::Returns,
        HoleKind::LineEnds,
        HoleKind::NotAnswered,
        HoleKind::TooLarge,
    ];
}

/// How a ply decides against a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The game ends.
    End(EndReason),
    /// The game is drawn, or a draw may be claimed.
    Draw,
    /// An endgame table shows it.
    Table,
}

/// A place where a plan fails, as a line from the position of the claim.
#[derive(Debug, Clone)]
pub struct Gap {
    /// Why it fails there.
    pub kind: HoleKind,
    /// The plies from the position of the claim.
    pub line: Vec<Ply>,
    /// Of a plan that returns, how many plies of the line lead to where it returns.
    pub returns: usize,
    /// What the last ply does, if the plan fails by it.
    pub failure: Option<Failure>,
    /// True if the last ply gives check or captures.
    is_forcing: bool,
}

/// What is known of a plan.
#[derive(Debug)]
pub struct Tried {
    /// The plan in full, if it meets every defence.
    pub plan: Option<AndOr>,
    /// Where it fails, the most important place first.
    pub gaps: Vec<Gap>,
    /// Positions at which a search or an endgame table closed what the analysis leaves open.
    pub closed: usize,
    /// Positions that searches visited.
    pub nodes: u64,
}

/// What a plan is for, and what the game adds to it.
#[derive(Debug, Clone)]
pub struct Purpose<'p> {
    /// `ForcedMate`, `ForcedWin` or `ForcedDraw`.
    pub kind: ClaimKind,
    /// Whose plan it is. Nature opposes it.
    pub by: Owner,
    /// Moves within which a mate is claimed.
    pub within: Option<u32>,
    /// The game before.
    pub history: &'p History,
    /// The positions of the game before.
    pub occurrences: Occurrences,
}

impl Purpose<'_> {
    fn holds(&self) -> bool {
        self.kind == ClaimKind::ForcedDraw
    }

    /// What a search for a plan that holds starts from.
    fn holding<'h>(&'h self, within_plan: Option<&'h WithinPlan>) -> Holding<'h> {
        Holding { by: self.by, with_nature: false, history: self.history, within_plan }
    }

    /// What a search for a plan that wins starts from.
    fn goal(&self, within_plan: WithinPlan) -> Goal {
        let mate = self.kind == ClaimKind::ForcedMate;
        let occurrences = self.occurrences.clone();
        let within_plan = Some(Arc::new(within_plan));
        Goal { attacker: self.by, mate, with_nature: false, occurrences, within_plan }
    }
}

/// A ply that leads on, or ends the plan (`None`).
type Step = (Ply, Option<usize>);

/// A position that the plan can come to.
struct Place<M> {
    position: Position<M>,
    identity: Vec<u8>,
    /// The position and the ply it was reached from first.
    from: Option<(usize, Ply)>,
    is_open: bool,
    /// The plan's own plies, in the order of the analysis.
    own: Vec<Step>,
    /// All plies of the others.
    others: Vec<Step>,
    /// Plies that decide against the plan, with the end.
    fails: Vec<(Ply, Failure)>,
    /// True if one of them is not the plan's own.
    is_lost: bool,
    /// The endgame table that decides the position.
    table: Option<TableProof>,
    is_proved: bool,
    /// The own ply that proves it.
    chosen: Option<usize>,
    moves: u32,
    /// Positions that a search was given here.
    tried: u64,
}

/// A plan that is tried.
pub struct Trial<'t, M> {
    purpose: Purpose<'t>,
    /// What searches look for with all plies.
    goal: Goal,
    /// The same with those of the analysis only.
    narrow: Goal,
    /// Own plies by position.
    choices: HashMap<Vec<u8>, Vec<Ply>>,
    /// Positions at which the analysis itself has a ply.
    planned: HashSet<Vec<u8>>,
    /// Positions of the analysis.
    analysed: HashSet<Vec<u8>>,
    places: Vec<Place<M>>,
    numbers: HashMap<(Vec<u8>, bool), usize>,
    plies: usize,
    budget: &'t Budget,
    /// Files of endgame tables.
    files: Option<&'t Syzygy>,
    nodes: u64,
    closed: usize,
}

impl<'t, M: Mask> Trial<'t, M> {
    /// A plan of one side, from the plies of its analysis in the order in which they are preferred.
    pub fn new(
        start: &Position<M>,
        purpose: Purpose<'t>,
        analysis: impl Iterator<Item = &'t AnalysedPly>,
        effort: Effort<'t>,
    ) -> Trial<'t, M> {
        let Effort { budget, files, .. } = effort;
        let analysis: Vec<&AnalysedPly> = analysis.collect();
        let own = analysis.iter().map(|analysed| analysed.ply).filter(|ply| ply.actor == purpose.by);
        let within = |only| WithinPlan { men: men(start), only, budget: budget.clone() };
        let mut trial = Trial {
            goal: purpose.goal(within(None)),
            narrow: purpose.goal(within(Some(own.collect()))),
            purpose,
            choices: HashMap::new(),
            planned: HashSet::new(),
            analysed: HashSet::new(),
            places: Vec::new(),
            numbers: HashMap::new(),
            plies: 0,
            budget,
            files,
            nodes: 0,
            closed: 0,
        };
        for AnalysedPly { ply, before, after } in analysis {
            trial.analysed.extend([before.clone(), after.clone()]);
            if ply.actor == trial.purpose.by {
                trial.prefer(before.clone(), *ply);
                trial.planned.insert(before.clone());
            }
        }
        trial.place(start.clone(), None, None);
        trial
    }

    /// Follows the plan, and closes its holes by at most so many positions of searches.
    pub fn run(mut self, nodes: u64) -> Tried {
        self.open(0);
        self.evaluate();
        for round in ROUNDS {
            let mut left = self.gaps();
            while !self.places[0].is_proved && !left.is_empty() {
                let mut has_closed = false;
                for (at, _) in left {
                    has_closed |= !self.places[at].is_proved && self.close(at, round, nodes);
                }
                if !has_closed {
                    break;
                }
                self.evaluate();
                left = self.gaps();
            }
            if self.places[0].is_proved || self.nodes >= nodes || self.budget.check().is_err() {
                break;
            }
        }
        let plan = self.places[0].is_proved.then(|| self.plan());
        let mut gaps: Vec<Gap> = self.gaps().into_iter().map(|(_, gap)| gap).collect();
        gaps.sort_by_key(|gap| (gap.kind, !gap.is_forcing, gap.line.len()));
        Tried { plan, gaps, closed: self.closed, nodes: self.nodes }
    }

    fn prefer(&mut self, identity: Vec<u8>, ply: Ply) {
        let plies = self.choices.entry(identity).or_default();
        if !plies.contains(&ply) {
            plies.push(ply);
        }
    }

    /// The number of a position.
    fn place(
        &mut self,
        position: Position<M>,
        table: Option<TableProof>,
        from: Option<(usize, Ply)>,
    ) -> usize {
        let next = self.places.len();
        let identity = position.identity();
        // Only the first move may have a deployment of its own.
        let number = *self.numbers.entry((identity.clone(), position.status().number == 1)).or_insert(next);
        if number == next {
            let moves = table.as_ref().and_then(TableProof::moves).filter(|_| !self.purpose.holds());
            self.places.push(Place {
                position,
                identity,
                from,
                is_open: false,
                own: Vec::new(),
                others: Vec::new(),
                fails: Vec::new(),
                is_lost: false,
                table,
                is_proved: false,
                chosen: None,
                moves: moves.unwrap_or(0).into(),
                tried: 0,
            });
        }
        number
    }

    /// True if nothing in the analysis leads on from a position.
    fn is_leaf(&self, at: usize) -> bool {
        let Place { position, identity, .. } = &self.places[at];
        if position.turn() == self.purpose.by {
            return !self.choices.contains_key(identity);
        }
        // A line may end after an own ply: then the position is one hole, and not as many as it has plies.
        let goes_on = |ply: &Ply| {
            let mut after = position.clone();
            after.apply(ply);
            self.analysed.contains(&after.identity()) || self.decided(&after, ply) == Some(true)
        };
        !position.plies().iter().any(goes_on)
    }

    /// Follows the plan from a position, as far as it leads.
    fn open(&mut self, at: usize) {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            let full = self.places.len() > POSITIONS_MAX || self.plies > PLIES_MAX;
            let place = &self.places[at];
            if place.is_open || place.table.is_some() || full || self.is_leaf(at) {
                continue;
            }
            let position = place.position.clone();
            let plies = position.plies();
            if self.budget.spend(1 + plies.len() as u64).is_err() {
                return;
            }
            let preferred = self.choices.get(&self.places[at].identity).cloned().unwrap_or_default();
            let (mut own, mut others, mut fails) = (Vec::new(), Vec::new(), Vec::new());
            let is_own = |ply: &Ply| ply.actor == self.purpose.by;
            let chosen = preferred.iter().filter(|ply| plies.contains(ply)).copied();
            let followed: Vec<Ply> = chosen.chain(plies.iter().filter(|ply| !is_own(ply)).copied()).collect();
            for ply in followed {
                let mut after = position.clone();
                after.apply(&ply);
                let side = if ply.actor == self.purpose.by { &mut own } else { &mut others };
                match self.decided(&after, &ply) {
                    Some(true) => side.push((ply, None)),
                    Some(false) => {
                        let end = after.shown_end().map(|(reason, _)| reason);
                        fails.push((ply, end.map_or(Failure::Draw, Failure::End)));
                    }
                    None => match self.table(&after) {
                        Some((_, false)) => fails.push((ply, Failure::Table)),
                        table => {
                            let next = self.place(after, table.map(|(table, _)| table), Some((at, ply)));
                            side.push((ply, Some(next)));
                            waiting.push(next);
                        }
                    },
                }
            }
            let is_lost = fails.iter().any(|(ply, _)| ply.actor != self.purpose.by);
            self.plies += own.len() + others.len();
            let place = &mut self.places[at];
            (place.is_open, place.is_lost) = (true, is_lost);
            (place.own, place.others, place.fails) = (own, others, fails);
        }
    }

    /// What an endgame table shows of a position.
    fn table(&self, position: &Position<M>) -> Option<(TableProof, bool)> {
        let Purpose { kind, by, .. } = self.purpose;
        // No table counts moves against a mate within some.
        let WithinPlan { men, .. } = self.goal.within_plan.as_deref().filter(|_| !self.goal.mate)?;
        TableProof::closing(position, men, (kind, by), Effort::of(self.budget).with_files(self.files))
    }

    /// Whether a ply ends the plan: true if as claimed, false if otherwise.
    fn decided(&self, after: &Position<M>, ply: &Ply) -> Option<bool> {
        if self.purpose.holds() {
            return self.purpose.holding(None).decided(after, Some(ply));
        }
        self.goal.arrival(after, Some(ply.actor))
    }

    /// Finds the positions that are proved.
    fn evaluate(&mut self) {
        let holds = self.purpose.holds();
        for place in &mut self.places {
            // A side that holds is believed until something leads out.
            place.is_proved = place.table.is_some() || holds && place.is_open && !place.is_lost;
            place.chosen = None;
        }
        // Plies lead mostly to positions that were found later.
        loop {
            let mut changed = false;
            for at in (0..self.places.len()).rev() {
                if self.places[at].table.is_some() || self.places[at].is_proved != holds {
                    continue;
                }
                let found = self.proved_by(at);
                if found.is_some() != holds {
                    changed = true;
                    self.places[at].is_proved = !holds;
                }
                if let Some((chosen, moves)) = found {
                    (self.places[at].chosen, self.places[at].moves) = (chosen, moves);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The own ply that proves a position, if one is needed, and the moves up to the end; `None` if it is not proved.
    fn proved_by(&self, at: usize) -> Option<(Option<usize>, u32)> {
        let place = &self.places[at];
        if !place.is_open || place.is_lost {
            return None;
        }
        let moves = |step: &Step| match step.1 {
            None => Some(0),
            Some(next) => self.places[next].is_proved.then(|| self.places[next].moves),
        };
        let mut most = 0;
        for step in &place.others {
            most = most.max(moves(step)?);
        }
        if place.position.turn() != self.purpose.by {
            return Some((None, most));
        }
        let (chosen, own) = place.own.iter().enumerate().find_map(|(at, step)| Some((at, moves(step)?)))?;
        Some((Some(chosen), if self.purpose.holds() { 0 } else { most.max(own + 1) }))
    }

    /// The plies to a position.
    fn line(&self, mut at: usize) -> Vec<Ply> {
        let mut line = Vec::new();
        while let Some((before, ply)) = self.places[at].from {
            line.push(ply);
            at = before;
        }
        line.reverse();
        line
    }

    /// The places that keep the plan from being proved, each with what is wrong there.
    fn gaps(&self) -> Vec<(usize, Gap)> {
        let mut found = Vec::new();
        if self.places[0].is_proved {
            if let (Some(within), true) = (self.purpose.within, !self.purpose.holds())
                && self.places[0].moves > within
            {
                found.push((0, self.gap(HoleKind::TooLong, 0, None)));
            }
            return found;
        }
        let mut state = vec![Seen::Not; self.places.len()];
        let mut path = vec![(0, 0)];
        state[0] = Seen::OnPath;
        while let Some((at, step)) = path.last_mut() {
            let (at, place) = (*at, &self.places[*at]);
            if *step == 0 {
                found.extend(self.gaps_at(at).into_iter().map(|gap| (at, gap)));
            }
            // Of own plies the first one is the plan.
            let steps = place.own.iter().take(1).chain(&place.others);
            let next = steps.filter_map(|(ply, next)| Some((*ply, (*next)?))).nth(*step);
            *step += 1;
            match next {
                None => {
                    state[at] = Seen::Left;
                    path.pop();
                }
                Some((_, next)) if self.places[next].is_proved => {}
                Some((ply, next)) => match state[next] {
                    Seen::Not => {
                        state[next] = Seen::OnPath;
                        path.push((next, 0));
                    }
                    Seen::OnPath if !self.purpose.holds() => {
                        let mut gap = self.gap(HoleKind::Returns, at, None);
                        gap.line.push(ply);
                        gap.returns = self.line(next).len();
                        found.push((at, gap));
                    }
                    Seen::OnPath | Seen::Left => {}
                },
            }
        }
        found
    }

    /// What is wrong at a position itself.
    fn gaps_at(&self, at: usize) -> Vec<Gap> {
        let place = &self.places[at];
        let by_others = |ply: &&(Ply, Failure)| ply.0.actor != self.purpose.by;
        if !place.is_open {
            let full = self.places.len() > POSITIONS_MAX || self.plies > PLIES_MAX;
            let is_known = self.analysed.contains(&place.identity);
            let kind = match (full && !self.is_leaf(at), is_known || place.position.turn() != self.purpose.by)
            {
                (true, _) => HoleKind::TooLarge,
                (_, true) => HoleKind::LineEnds,
                _ => HoleKind::NotAnswered,
            };
            return vec![self.gap(kind, at, None)];
        }
        let own_fail = place.own.is_empty() && place.position.turn() == self.purpose.by;
        let failing = place.fails.iter().filter(|fail| own_fail || by_others(fail));
        let of = |fail: &(Ply, Failure)| self.gap(HoleKind::Fails, at, Some(fail));
        let mut gaps: Vec<Gap> = failing.map(of).collect();
        if own_fail && gaps.is_empty() {
            // The plies of the analysis are illegal here, with other rights than where it has them.
            gaps.push(self.gap(HoleKind::LineEnds, at, None));
        }
        gaps
    }

    fn gap(&self, kind: HoleKind, at: usize, fail: Option<&(Ply, Failure)>) -> Gap {
        let mut line = self.line(at);
        line.extend(fail.map(|(ply, _)| *ply));
        let place = &self.places[at];
        let captures = |(before, ply): &(usize, Ply)| {
            let before = &self.places[*before].position;
            before.occupied().count() > place.position.occupied().count() || ply.promotion.is_some()
        };
        let is_forcing = place.position.in_check() || place.from.as_ref().is_some_and(captures);
        Gap { kind, line, returns: 0, failure: fail.map(|(_, failure)| *failure), is_forcing }
    }

    /// Searches at a hole, for at most so many positions; true if it closes something there.
    fn close(&mut self, at: usize, round: u64, nodes: u64) -> bool {
        let most = round.min(nodes.saturating_sub(self.nodes));
        let place = &self.places[at];
        // A plan that fails where it has a ply is not another plan's to correct, and no plan is one of its own.
        if at == 0 || place.is_open || place.tried >= most || self.budget.check().is_err() {
            return false;
        }
        self.places[at].tried = most;
        let position = self.places[at].position.clone();
        let closes = self.search(&position, most).is_some_and(|plan| self.add(&position, &plan));
        self.closed += usize::from(closes);
        closes
    }

    /// A plan from a position.
    fn search(&mut self, position: &Position<M>, most: u64) -> Option<AndOr> {
        if self.purpose.holds() {
            for goal in [&self.narrow, &self.goal] {
                let holding = self.purpose.holding(goal.within_plan.as_deref());
                let found = hold(position, &holding, most, self.budget, &mut self.nodes);
                if found.is_some() {
                    return found;
                }
            }
            return None;
        }
        let moves = self.purpose.within.unwrap_or(u32::from(MOVES_MAX)).min(u32::from(MOVES_MAX));
        // A defence is mostly answered as others are.
        for goal in [&self.narrow, &self.goal] {
            let found = prove(position, goal, moves, most, self.budget);
            self.nodes += found.nodes;
            if let Answer::Forced { proof: Some(plan), .. } = found.answer {
                return Some(plan);
            }
        }
        None
    }

    /// Adds the plies of a plan to the analysis, and follows it again where they are new; true if there are such.
    fn add(&mut self, start: &Position<M>, plan: &AndOr) -> bool {
        let mut reached: Vec<Option<Position<M>>> = vec![None; plan.nodes.len()];
        let mut waiting = vec![0];
        let mut is_new = false;
        let mut met = Vec::new();
        reached[0] = Some(start.clone());
        while let Some(number) = waiting.pop() {
            let (Some(position), node) = (reached[number].clone(), &plan.nodes[number]) else { continue };
            let identity = position.identity();
            is_new |= self.analysed.insert(identity.clone());
            met.push((identity.clone(), position.status().number == 1));
            for ply in position.plies() {
                let mut text = String::new();
                coord::write(position.rules(), &ply, &mut text);
                let Some((_, next)) = node.plies.iter().find(|(listed, _)| *listed == text) else { continue };
                let mut after = position.clone();
                after.apply(&ply);
                if ply.actor == self.purpose.by && !self.planned.contains(&identity) {
                    is_new |= !self.choices.get(&identity).is_some_and(|plies| plies.contains(&ply));
                    self.prefer(identity.clone(), ply);
                }
                is_new |= self.analysed.insert(after.identity());
                if let Some(next) = next.map(|next| next as usize)
                    && reached[next].is_none()
                {
                    reached[next] = Some(after);
                    waiting.push(next);
                }
            }
        }
        if is_new {
            met.iter().for_each(|key| self.reopen(key));
        }
        is_new
    }

    /// Follows the plan again from a position, if it has been reached and plies were added to it.
    fn reopen(&mut self, key: &(Vec<u8>, bool)) {
        let Some(&at) = self.numbers.get(key) else { return };
        let place = &mut self.places[at];
        let known = self.choices.get(&place.identity).map_or(0, Vec::len);
        place.is_open &= place.position.turn() != self.purpose.by || known <= place.own.len();
        self.open(at);
    }

    /// The plan as it is proved.
    fn plan(&self) -> AndOr {
        let node = |place: &Place<M>| {
            let text = |ply: &Ply| {
                let mut text = String::new();
                coord::write(place.position.rules(), ply, &mut text);
                text
            };
            let step = |(ply, next): &Step| (text(ply), next.map(|next| next as u32));
            let own = place.chosen.and_then(|chosen| place.own.get(chosen)).map(step);
            let others = place.others.iter().filter(|(_, next)| next.is_some()).map(step);
            let plies =
                if place.table.is_some() { Vec::new() } else { own.into_iter().chain(others).collect() };
            AndOrNode { moves: place.moves, plies, table: place.table.clone() }
        };
        let nodes: Vec<AndOrNode> = self.places.iter().map(node).collect();
        AndOr { by: self.purpose.by, nodes: ordered(&nodes, 0) }
    }
}

/// How far a walk through the plan has come with a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    OnPath,
    Left,
}

/// The lines of an analysis that end in a win of a player: each as the plies from a position.
pub fn winning_line<'a, M: Mask>(
    start: &Position<M>,
    by: Owner,
    analysis: impl Iterator<Item = &'a AnalysedPly>,
) -> Option<Vec<Ply>> {
    let mut next: HashMap<&[u8], Vec<&AnalysedPly>> = HashMap::new();
    for ply in analysis {
        next.entry(&ply.before).or_default().push(ply);
    }
    let mut seen = HashSet::from([start.identity()]);
    let mut waiting = vec![(start.clone(), Vec::new())];
    while let Some((position, line)) = waiting.pop() {
        if position.shown_end().is_some_and(|(_, outcome)| outcome == Outcome::won_by(by)) {
            return Some(line);
        }
        for AnalysedPly { ply, .. } in next.get(&*position.identity()).into_iter().flatten() {
            let mut after = position.clone();
            if !after.attempt(ply).is_legal() {
                continue;
            }
            after.apply(ply);
            if seen.insert(after.identity()) {
                waiting.push((after, [&*line, &[*ply]].concat()));
            }
        }
    }
    None
}
