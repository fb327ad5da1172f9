//! Proofs against every defence: a plan for one side, tried against all plies of the others.

use super::claim::ClaimKind;
use super::table::Effort;
use super::table_proof::TableProof;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::coord;
use ferz_core::position::{EndReason, Outcome, Ply, Position};
use ferz_core::rules::definition::Repetition;
use ferz_core::rules::{Proving, Rules};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Halfmoves after which the game is drawn (FIDE 9.6.2).
const SEVENTY_FIVE_MOVES: u16 = 150;
/// Moves of a plan within which no count comes to its end that begins after its start: 64, and one to begin it (MAK 5).
const MOVES_BEFORE_A_COUNT: u32 = 63;
/// Occurrences after which a draw may be claimed, and after which the game is drawn (FIDE 9.2, 9.6.1).
const THREEFOLD: usize = 3;
const FIVEFOLD: usize = 5;
/// Occurrences that decide the game where perpetual check may lose (ICH-5).
const FOURFOLD: usize = 4;

/// A proof that one side gets what a claim is about, or denies it to the claimant, whatever the others do: positions by
/// number, that of the claim first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AndOr {
    /// Whose plan it is: the claimant's if the claim is true, otherwise the opponent's.
    pub by: Owner,
    /// The positions.
    pub nodes: Vec<AndOrNode>,
}

/// A position of a proof.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AndOrNode {
    /// The moves within which the plan reaches its end; in the opponent's plan against a mate, the claimant's moves
    /// that are left; 0 in a plan that holds a draw.
    pub moves: u32,
    /// The ply of the plan, if its side chooses here, and all plies of the others that do not end it, in coordinate
    /// notation; each with the number of the position it leads to, or `None` if it ends the plan.
    pub plies: Vec<(String, Option<u32>)>,
    /// The endgame table that decides the position instead of plies: of men that differ from those at the start of the
    /// plan, so that no position before can recur.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableProof>,
}

/// What a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// To mate.
    Mate,
    /// To win.
    Win,
    /// Not to be mated within a number of moves.
    NoMate,
    /// Not to lose.
    Draw,
}

impl AndOr {
    /// The line of the longest defence.
    pub fn line(&self) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = Some(0);
        while let Some(node) = at.and_then(|at| self.nodes.get(at as usize)) {
            let moves = |next: &Option<u32>| {
                next.and_then(|next| self.nodes.get(next as usize)).map(|next| next.moves)
            };
            let Some((ply, next)) = node.plies.iter().rev().max_by_key(|(_, next)| moves(next)) else {
                break;
            };
            line.push(ply.clone());
            at = *next;
        }
        line
    }
}

/// The game before a plan: how often positions have occurred, and who gave check on the way.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// How often each position has occurred, by identity.
    pub(super) occurred: HashMap<Vec<u8>, usize>,
    pub(super) plies: Vec<Passed>,
    last: Vec<u8>,
}

/// A ply of the game.
#[derive(Debug, Clone)]
pub(super) struct Passed {
    before: Vec<u8>,
    after: Vec<u8>,
    mover: Owner,
    /// True if it gave check to the opponent.
    check: bool,
}

impl History {
    /// A game from its start.
    pub fn of<M: Mask>(start: &Position<M>) -> History {
        let last = start.identity();
        History { occurred: HashMap::from([(last.clone(), 1)]), plies: Vec::new(), last }
    }

    /// Notes the position that a ply of this player led to.
    pub fn note<M: Mask>(&mut self, position: &Position<M>, mover: Owner) {
        let after = position.identity();
        let before = std::mem::replace(&mut self.last, after.clone());
        *self.occurred.entry(after.clone()).or_insert(0) += 1;
        let check = position.in_check() && position.checked_by_opponent();
        self.plies.push(Passed { before, after, mover, check });
    }

    /// How often a position of this identity has occurred.
    pub fn times(&self, identity: &[u8]) -> usize {
        self.occurred.get(identity).copied().unwrap_or(0)
    }
}

impl AndOr {
    /// Checks the plan about a claim: its kind, the claimant, and the number of moves. True if the claim is true, and
    /// false if it is not.
    ///
    /// # Errors
    /// With what the plan lacks, or that the budget ended.
    pub fn check<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        (kind, claimant, within): (ClaimKind, Owner, Option<u32>),
        effort: Effort<'_>,
    ) -> Result<bool, String> {
        let own = self.by == claimant;
        let aim = match (kind, own) {
            (ClaimKind::ForcedMate, true) => Aim::Mate,
            (ClaimKind::ForcedMate, false) => Aim::NoMate,
            (ClaimKind::ForcedWin, true) | (ClaimKind::ForcedDraw, false) => Aim::Win,
            (ClaimKind::ForcedWin, false) | (ClaimKind::ForcedDraw, true) => Aim::Draw,
            _ => return Err(format!("a plan of one side does not decide a claim of {kind}")),
        };
        let mates = matches!(aim, Aim::Mate | Aim::NoMate).then_some(claimant);
        let proving = if aim == Aim::Draw { Proving::ByPlies } else { Proving::ByAttack };
        super::known(start, proving, mates)?;
        if !Owner::REAL.contains(&self.by) {
            return Err("the plan is of neither player".to_owned());
        }
        let moves = self.nodes.first().map_or(0, |node| node.moves);
        match (aim, within) {
            (Aim::Mate, Some(within)) if moves > within => {
                return Err(format!("the plan takes {moves} moves; {within} are claimed"));
            }
            (Aim::NoMate, Some(within)) if moves < within => {
                return Err(format!("the plan is against a mate in {moves}; {within} are claimed"));
            }
            (Aim::Draw, _) if moves > 0 => return Err("a plan that holds counts no moves".to_owned()),
            _ => {}
        }
        calls_change_nothing(start, aim, moves)?;
        let plan = Plan { proof: self, history, aim, by: self.by, nature: !own, reached: Vec::new(), effort };
        plan.check(start).map(|()| own)
    }
}

/// Fails where a player could change the outcome of a plan by beginning or ending a count of moves: one that a defender
/// begins must draw no sooner than the plan ends (MAK 5).
fn calls_change_nothing<M: Mask>(start: &Position<M>, aim: Aim, moves: u32) -> Result<(), String> {
    if start.has_count_to_end() {
        return Err("a count of moves runs, which a player may end".to_owned());
    }
    match matches!(aim, Aim::Mate | Aim::Win) && start.counts_by_call() && moves > MOVES_BEFORE_A_COUNT {
        true => Err(format!("a count may begin that draws before move {moves}")),
        false => Ok(()),
    }
}

/// A position that the plan has reached.
struct Reached<M> {
    position: Position<M>,
    identity: Vec<u8>,
}

/// A ply between positions of a plan, by their numbers; true if it is no quiet ply of the plan's side.
type Edge = (usize, usize, bool);

struct Plan<'p, M> {
    proof: &'p AndOr,
    history: &'p History,
    aim: Aim,
    by: Owner,
    /// True if Nature is on the side of the plan: she opposes the claimant.
    nature: bool,
    /// By number.
    reached: Vec<Option<Reached<M>>>,
    effort: Effort<'p>,
}

impl<M: Mask> Plan<'_, M> {
    fn check(mut self, start: &Position<M>) -> Result<(), String> {
        self.reached.resize_with(self.proof.nodes.len(), || None);
        let Some(first) = self.reached.first_mut() else { return Err("the plan is empty".to_owned()) };
        *first = Some(Reached { position: start.clone(), identity: start.identity() });
        match self.decided(start, None, self.proof.nodes[0].moves) {
            Some(true) if self.proof.nodes.len() == 1 && self.proof.nodes[0].plies.is_empty() => {
                return Ok(());
            }
            Some(true) => return Err("the plan has reached its end before its first ply".to_owned()),
            Some(false) => return Err("the plan has failed before its first ply".to_owned()),
            None => {}
        }
        let mut edges = Vec::new();
        let (mut waiting, mut visited) = (vec![0], vec![false; self.proof.nodes.len()]);
        if self.aim != Aim::Draw {
            // Plies lead to higher numbers, so that every way into a position is known before its own turn.
            waiting = (0..self.proof.nodes.len()).rev().collect();
        }
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut visited[number], true) {
                continue;
            }
            self.effort.budget.spend(1).map_err(|exhausted| exhausted.to_string())?;
            self.node(number, &mut edges).map_err(|why| format!("position {number}: {why}"))?;
            if self.aim == Aim::Draw {
                waiting.extend(self.proof.nodes[number].plies.iter().filter_map(|(_, next)| *next).map(at));
            }
        }
        match self.reached.iter().position(Option::is_none) {
            Some(number) => Err(format!("no ply of the plan leads to position {number}")),
            None if self.aim == Aim::Draw => self.may_repeat(start.rules(), &edges),
            None if self.aim == Aim::NoMate => Ok(()),
            None => self.occur_seldom(start.rules()),
        }
    }

    /// Follows the ply of the plan and all plies of the others.
    fn node(&mut self, number: usize, edges: &mut Vec<Edge>) -> Result<(), String> {
        let node = &self.proof.nodes[number];
        let Some(Reached { position, .. }) = &self.reached[number] else {
            return Err("no ply of the plan leads there".to_owned());
        };
        let position = position.clone();
        if let Some(table) = &node.table {
            return self.by_table(&position, node, table);
        }
        let mut listed: HashMap<&str, Option<u32>> = HashMap::new();
        for (text, next) in &node.plies {
            if listed.insert(text, *next).is_some() {
                return Err(format!("{text} is listed twice"));
            }
        }
        let mut chosen = None;
        let mut replies = Vec::new();
        for ply in position.plies() {
            let mut text = String::new();
            coord::write(position.rules(), &ply, &mut text);
            let found = listed.remove(&*text);
            let ours = ply.actor == self.by || self.nature && ply.actor == Owner::Nature;
            match (ours, found) {
                (true, None) => {}
                (true, Some(next)) if chosen.is_none() => chosen = Some((ply, text, Some(next))),
                (true, Some(_)) => return Err(format!("{text} is a second ply of the plan's side")),
                (false, Some(None)) => {
                    return Err(format!("the plan ends by {text}; only others are listed"));
                }
                (false, found) => replies.push((ply, text, found)),
            }
        }
        if let Some(text) = listed.keys().min() {
            return Err(format!("{text} is not legal there"));
        }
        // Nature's turn comes before the player's, and she may let it pass.
        let first = chosen.is_some() && position.turn() != self.by;
        if chosen.is_none() && position.turn() == self.by {
            return Err("the plan has no ply".to_owned());
        }
        let replies = if first { Vec::new() } else { replies };
        if first && node.plies.len() > 1 {
            return Err("Nature acts, and other plies are listed".to_owned());
        }
        for (ply, text, next) in chosen.into_iter().chain(replies) {
            let next = next.flatten();
            let mut after = position.clone();
            after.apply(&ply);
            let moves = self.moves_left(node.moves, &ply).ok_or("no moves are left")?;
            match (self.decided(&after, Some(&ply), moves), next) {
                (Some(true), None) => {}
                (Some(true), Some(_)) => return Err(format!("{text} ends the plan and leads on")),
                (Some(false), _) => return Err(format!("after {text} the plan has failed")),
                (None, None) => return Err(format!("{text} is not answered")),
                (None, Some(next)) => {
                    let check = after.in_check() && after.checked_by_opponent();
                    edges.push((number, at(next), ply.actor != self.by || check));
                    self.arrive(number, at(next), after, moves).map_err(|why| format!("{text}: {why}"))?;
                }
            }
        }
        Ok(())
    }

    /// Checks a position that an endgame table decides.
    fn by_table(&self, position: &Position<M>, node: &AndOrNode, table: &TableProof) -> Result<(), String> {
        let start = self.reached.first().and_then(Option::as_ref);
        if !start.is_some_and(|start| TableProof::may_close(&start.position, position)) {
            return Err("a table decides only where the men are others than at the start".to_owned());
        }
        if !node.plies.is_empty() {
            return Err("a table decides, and plies are listed".to_owned());
        }
        let kind = match self.aim {
            Aim::Mate => ClaimKind::ForcedMate,
            Aim::Win => ClaimKind::ForcedWin,
            Aim::Draw => ClaimKind::ForcedDraw,
            Aim::NoMate => return Err("a table does not count moves against a mate".to_owned()),
        };
        if self.aim != Aim::Draw && table.moves().is_some_and(|moves| u32::from(moves) > node.moves) {
            return Err(format!("the table takes more than {} moves", node.moves));
        }
        // What occurred with other men cannot recur.
        let claim = (kind, self.by, (self.aim == Aim::Mate).then_some(node.moves));
        match table.check(position, &History::of(position), claim, self.effort)? {
            true => Ok(()),
            false => Err("by the table the plan fails".to_owned()),
        }
    }

    /// The moves that are left after a ply; `None` if there are too few.
    fn moves_left(&self, moves: u32, ply: &Ply) -> Option<u32> {
        let counted = match self.aim {
            Aim::Mate | Aim::Win => ply.actor == self.by,
            Aim::NoMate => ply.actor == self.by.opponent(),
            Aim::Draw => false,
        };
        moves.checked_sub(u32::from(counted))
    }

    /// A ply leads to a position: the moves left must suffice there, and all ways lead to the same position.
    fn arrive(&mut self, from: usize, to: usize, after: Position<M>, left: u32) -> Result<(), String> {
        let Some(node) = self.proof.nodes.get(to) else { return Err(format!("there is no position {to}")) };
        if self.aim != Aim::Draw && to <= from {
            return Err(format!("it leads back to position {to}"));
        }
        let fits = match self.aim {
            Aim::Mate | Aim::Win => node.moves <= left,
            Aim::NoMate => node.moves >= left,
            Aim::Draw => node.moves == 0,
        };
        if !fits {
            return Err(format!("position {to} has {} moves, and {left} are left", node.moves));
        }
        let identity = after.identity();
        let Some(known) = &mut self.reached[to] else {
            self.reached[to] = Some(Reached { position: after, identity });
            return Ok(());
        };
        let number = |position: &Position<M>| position.status().number.min(2);
        if known.identity != identity || number(&known.position) != number(&after) {
            return Err(format!("it does not lead to position {to}"));
        }
        // Of several ways the one counts that leaves the plan the least room.
        let halfmoves = |position: &Position<M>| position.status().halfmoves;
        let later = halfmoves(&after) > halfmoves(&known.position);
        if later == matches!(self.aim, Aim::Mate | Aim::Win) {
            known.position = after;
        }
        Ok(())
    }

    /// Whether a ply, or the start, decides the plan.
    fn decided(&self, position: &Position<M>, ply: Option<&Ply>, moves: u32) -> Option<bool> {
        let ends = &position.rules().ends;
        if let Some((reason, outcome)) = position.shown_end() {
            let won = outcome == Outcome::won_by(self.by);
            let lost = outcome == Outcome::won_by(self.by.opponent());
            return Some(match self.aim {
                Aim::Mate => won && reason == EndReason::Checkmate,
                Aim::Win => won,
                Aim::NoMate => !(lost && reason == EndReason::Checkmate),
                Aim::Draw => !lost,
            });
        }
        let attacks = matches!(self.aim, Aim::Mate | Aim::Win);
        // A draw is claimed on the move, or by an intended ply; only the side that wants it claims it.
        let claimant = if attacks { self.by.opponent() } else { self.by };
        let may_claim = position.turn() == claimant || ply.is_some_and(|ply| ply.actor == claimant);
        // It ends the game without a mate, and not to the player's loss.
        if position.turn() == claimant && position.may_declare() {
            return Some(!attacks);
        }
        let halfmoves = position.status().halfmoves;
        // A position of a plan that holds a draw may be reached with other counts.
        let certain = self.aim != Aim::Draw || ply.is_none();
        let claimable = ends.claimed_at().is_some_and(|at| halfmoves >= at);
        let automatic = ends.move_counters && halfmoves >= SEVENTY_FIVE_MOVES || position.is_quiet_enough();
        let by_counter = certain && (automatic || may_claim && claimable);
        let dead = ends.dead_position.by_material() && position.is_dead();
        let drawn = by_counter || dead || {
            // The record's last position is the start of the plan.
            let times = self.history.times(&position.identity()) + usize::from(ply.is_some());
            match ends.repetition {
                Repetition::Fide => times >= FIVEFOLD || may_claim && times >= THREEFOLD,
                // Who loses by perpetual check is no draw.
                Repetition::FourfoldPerpetual => times >= FOURFOLD && self.aim != Aim::Draw,
                Repetition::ThreefoldPerpetual | Repetition::Threefold => {
                    times >= THREEFOLD && self.aim != Aim::Draw
                }
                Repetition::None => false,
            }
        };
        if drawn {
            return Some(!attacks);
        }
        // Where winner and loser are exchanged, the last answer may be the mate.
        let over = self.aim == Aim::NoMate && moves == 0;
        (over && (position.turn() != self.by || !ends.misere)).then_some(true)
    }

    /// Fails if a line of the plan may repeat a position of its own so often that a draw could be claimed.
    fn occur_seldom(&self, rules: &Rules<M>) -> Result<(), String> {
        let most = match rules.ends.repetition {
            Repetition::Fide | Repetition::ThreefoldPerpetual | Repetition::Threefold => THREEFOLD,
            Repetition::FourfoldPerpetual => FOURFOLD,
            Repetition::None => return Ok(()),
        };
        let mut times: HashMap<&[u8], usize> = HashMap::new();
        for Reached { identity, .. } in self.reached.iter().flatten() {
            *times.entry(identity).or_insert(0) += 1;
        }
        // The win of a table may pass a position once more.
        let most = most - usize::from(self.proof.nodes.iter().any(|node| node.table.is_some()));
        let often = times
            .iter()
            .find(|(identity, times)| **times > 1 && **times + self.history.times(identity) >= most);
        match often {
            Some((identity, _)) => {
                Err(format!("{} may occur {most} times", String::from_utf8_lossy(identity)))
            }
            None => Ok(()),
        }
    }

    /// Fails if lines of the plan may go on for ever and the rules do not make that a draw.
    fn may_repeat(&self, rules: &Rules<M>, edges: &[Edge]) -> Result<(), String> {
        let ends = &rules.ends;
        match ends.repetition {
            _ if edges.iter().all(|(from, to, _)| from < to) => Ok(()),
            Repetition::Fide => Ok(()),
            Repetition::None if ends.move_counters => Ok(()),
            Repetition::None | Repetition::ThreefoldPerpetual | Repetition::Threefold => {
                Err("nothing ends a line that goes on for ever".to_owned())
            }
            Repetition::FourfoldPerpetual => {
                // Positions are compared by identity, those of the record too.
                let mut numbers: HashMap<&[u8], usize> = HashMap::new();
                let mut number = |identity| {
                    let next = numbers.len();
                    *numbers.entry(identity).or_insert(next)
                };
                let identities: Vec<&[u8]> =
                    self.reached.iter().flatten().map(|reached| &*reached.identity).collect();
                let mut all = Vec::new();
                for Passed { before, after, mover, check } in &self.history.plies {
                    if *mover != self.by || *check {
                        all.push((number(before), number(after)));
                    }
                }
                for (from, to, counts) in edges {
                    if *counts {
                        all.push((number(identities[*from]), number(identities[*to])));
                    }
                }
                match super::closure::has_cycle(numbers.len(), &all) {
                    true => Err("a line may be a perpetual check of the plan's side, which loses".to_owned()),
                    false => Ok(()),
                }
            }
        }
    }
}

fn at(number: u32) -> usize {
    number as usize
}
