//! The search: df-pn with the number of moves left.

use super::table::{Key, Table};
use super::{Answer, Found, Goal, MOVES_MAX};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{Ply, Position, Undo};
use ferz_core::text::{Budget, Exhausted};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Moves up to which shorter proofs are looked for first: they cost little, and the length is then the least.
const SHORT: u8 = 3;
/// The part of the positions that each look for a shorter proof may visit.
const SHORT_PART: u64 = 8;

/// Proof and disproof number: how many positions have to be decided at least to decide this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// Stands for infinity.
    const MAX: u32 = 1 << 30;
    pub const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    pub const PROVED: Numbers = Numbers { proof: 0, disproof: Numbers::MAX };
    pub const DISPROVED: Numbers = Numbers { proof: Numbers::MAX, disproof: 0 };

    pub fn are_decided(self) -> bool {
        self == Numbers::PROVED || self == Numbers::DISPROVED
    }

    pub const fn of(won: bool) -> Numbers {
        if won { Numbers::PROVED } else { Numbers::DISPROVED }
    }

    /// The numbers of a position by those of its children, where the attacker or the defender chooses.
    fn combined(attackers: bool, children: &[Child]) -> Numbers {
        let (mut least, mut total) = (Numbers::MAX, 0);
        for child in children {
            let (own, other) = child.numbers.sides(attackers);
            least = least.min(own);
            total = if other == Numbers::MAX || total == Numbers::MAX {
                Numbers::MAX
            } else {
                (total + other).min(Numbers::MAX - 1)
            };
        }
        Numbers::from_sides(attackers, least, total)
    }

    /// The number that the player who chooses lowers, and the other one.
    const fn sides(self, attackers: bool) -> (u32, u32) {
        if attackers { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    const fn from_sides(attackers: bool, own: u32, other: u32) -> Numbers {
        if attackers {
            Numbers { proof: own, disproof: other }
        } else {
            Numbers { proof: other, disproof: own }
        }
    }
}

/// A position of the search, besides the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Plies that the attacker may still make.
    pub moves: u8,
    /// True if Nature may act and lets the chance pass.
    pub declined: bool,
}

/// A choice in a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    /// The ply; `None` if Nature lets its chance pass.
    pub ply: Option<Ply>,
    pub numbers: Numbers,
}

/// Who chooses in a position, and between what.
pub(super) struct Choices {
    /// True if the attacker chooses, or its ally.
    pub attackers: bool,
    pub plies: Vec<Option<Ply>>,
}

pub(super) struct Search<'s, M> {
    pub goal: &'s Goal,
    pub position: Position<M>,
    pub table: Table,
    budget: &'s Budget,
    /// Positions that may still be visited.
    left: u64,
    pub nodes: u64,
    hasher: RandomState,
    /// By moves left: the last ply that refuted an attack.
    refutations: Vec<Option<Ply>>,
    /// The choice that decided the position left last.
    pub deciding: Option<Child>,
}

/// Searches for a proof that the goal is reached within a number of moves of the attacker's, from a position in which
/// the game goes on.
pub fn prove<M: Mask>(start: &Position<M>, goal: &Goal, moves: u32, nodes: u64, budget: &Budget) -> Found {
    let mut goal = goal.clone();
    goal.occurrences.keep_repeated();
    let capped = u8::try_from(moves).unwrap_or(u8::MAX).min(MOVES_MAX);
    let mut search = Search {
        goal: &goal,
        position: start.clone(),
        table: Table::for_nodes(nodes),
        budget,
        left: 0,
        nodes: 0,
        hasher: RandomState::new(),
        refutations: vec![None; usize::from(capped) + 1],
        deciding: None,
    };
    let mut answer = Answer::Unknown;
    for within in (1..=SHORT.min(capped.saturating_sub(1))).chain([capped]) {
        let most = if within < capped { nodes / SHORT_PART } else { nodes };
        search.left = most.min(nodes.saturating_sub(search.nodes));
        answer = search.within(start, within, nodes);
        if matches!(answer, Answer::Forced { .. }) {
            break;
        }
    }
    let certain = match answer {
        Answer::Forced { moves, .. } => !may_recur(start, moves),
        _ => u32::from(capped) == moves,
    };
    Found { answer: if certain { answer } else { Answer::Unknown }, nodes: search.nodes }
}

/// True if a line of fewest moves may repeat a position: with another count towards fifty moves than before, which is
/// possible only where captures and entries are taken back.
fn may_recur<M: Mask>(start: &Position<M>, moves: u8) -> bool {
    !start.rules().restarts_are_final && counts(start, moves)
}

/// True if with so many moves left the counter towards a claim may matter.
fn counts<M: Mask>(position: &Position<M>, moves: u8) -> bool {
    // Each move of the attacker's and the answer to it count one.
    let later = position.status().halfmoves.saturating_add(2 * u16::from(moves) + 2);
    let ends = &position.rules().ends;
    [ends.ended_at(), ends.claimed_at()].into_iter().flatten().any(|at| later >= at)
}

impl<M: Mask> Search<'_, M> {
    fn within(&mut self, start: &Position<M>, moves: u8, nodes: u64) -> Answer {
        self.position.clone_from(start);
        let found = match self.goal.arrival(start, None) {
            Some(won) => Ok(Numbers::of(won)),
            None => self.open(Node { moves, declined: false }),
        };
        match found {
            Err(Exhausted { .. }) => Answer::Unknown,
            Ok(Numbers::DISPROVED) => {
                self.position.clone_from(start);
                self.left = nodes;
                Answer::NotForced { proof: self.graph(false, moves).ok() }
            }
            Ok(_) => {
                self.position.clone_from(start);
                let moves = self.table.forced(self.key(Node { moves, declined: false })).unwrap_or(moves);
                // What the table has lost of the proof is searched again.
                self.left = nodes;
                Answer::Forced { moves, proof: self.graph(true, moves).ok() }
            }
        }
    }

    /// Decides the position on the board.
    pub fn open(&mut self, node: Node) -> Result<Numbers, Exhausted> {
        let key = self.key(node);
        self.search(node, key, Numbers { proof: Numbers::MAX, disproof: Numbers::MAX })
    }

    pub fn key(&self, node: Node) -> Key {
        let position = &self.position;
        let status = position.status();
        let mut more = u64::from(node.declined);
        if counts(position, node.moves) {
            more |= (1 + u64::from(status.halfmoves)) << 1;
        }
        // Only the first move may have a deployment of its own.
        more |= u64::from(status.number == 1) << 32;
        let mut hasher = self.hasher.build_hasher();
        position.hash_identity(&mut hasher);
        hasher.write_u64(more);
        Key { place: position.key() ^ more.wrapping_mul(0x9e37_79b9_7f4a_7c15), check: hasher.finish() }
    }

    /// Who chooses on the board. Nature's chance comes before the player's ply, and she may let it pass.
    pub fn choices(&self, declined: bool) -> Choices {
        let position = &self.position;
        let attacks = position.turn() == self.goal.attacker;
        let state = position.state();
        let rules = position.rules();
        let mut plies = Vec::with_capacity(64);
        let natures = !declined && state.nature_is_due(rules);
        // A piece that Nature must place is no chance that she may let pass (CHA-19).
        let must = natures && state.placement_is_due(rules);
        let apart = natures && attacks != self.goal.with_nature;
        if natures {
            state.any_natures_ply(rules, |ply| {
                plies.push(Some(*ply));
                false
            });
        }
        if apart || must {
            plies.extend((!must).then_some(None));
            return Choices { attackers: self.goal.with_nature, plies };
        }
        let plan = self.goal.within_plan.as_deref().filter(|_| attacks);
        state.any_real_ply(rules, |ply| {
            if plan.is_none_or(|plan| plan.allows(position, ply)) {
                plies.push(Some(*ply));
            }
            false
        });
        Choices { attackers: attacks, plies }
    }

    /// Makes a choice.
    pub fn make(&mut self, node: Node, ply: Option<&Ply>) -> (Node, Option<Undo<M>>) {
        let Some(ply) = ply else { return (Node { declined: true, ..node }, None) };
        let undo = self.position.apply_undoable(ply);
        let moves = node.moves - u8::from(ply.actor == self.goal.attacker);
        (Node { moves, declined: false }, Some(undo))
    }

    pub fn take_back(&mut self, undo: Option<&Undo<M>>) {
        if let Some(undo) = undo {
            self.position.undo(undo);
        }
    }

    fn visit(&mut self, plies: usize) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(1).ok_or(Exhausted { cancelled: false })?;
        self.nodes += 1;
        self.budget.spend(plies as u64)
    }

    /// True if the attacker has no moves left and has not reached the end. Where winner and loser are not exchanged, no
    /// ply of the defender's reaches it.
    pub fn has_run_out(&self, node: Node) -> bool {
        let attacks = self.position.turn() == self.goal.attacker;
        node.moves == 0 && (attacks || !self.position.rules().ends.misere)
    }

    /// Whether an endgame table decides the position on the board: true if it wins within the moves that are left.
    pub fn by_table(&self, node: Node) -> Option<bool> {
        let (table, wins) = self.goal.table(&self.position)?;
        Some(wins && table.moves().is_some_and(|moves| moves <= node.moves))
    }

    /// The numbers of the position on the board, after a ply of `actor` or a chance that passed, before its own plies
    /// are tried.
    pub fn estimate(&mut self, node: Node, actor: Option<Owner>) -> Result<Numbers, Exhausted> {
        if actor.is_some()
            && let Some(won) = self.goal.arrival(&self.position, actor).or_else(|| self.by_table(node))
        {
            return Ok(Numbers::of(won));
        }
        let attacks = self.position.turn() == self.goal.attacker;
        if self.has_run_out(node) {
            return Ok(Numbers::DISPROVED);
        }
        let key = self.key(node);
        if let Some(known) = self.table.numbers(key, node.moves) {
            return Ok(known);
        }
        let natures = !node.declined && self.position.state().nature_is_due(self.position.rules());
        if attacks && node.moves == 1 && !natures && !self.position.rules().ends.misere {
            let numbers = Numbers::of(self.wins_at_once()?);
            self.table.store(key, 1, numbers);
            return Ok(numbers);
        }
        if attacks || natures {
            return Ok(Numbers::NEW);
        }
        let replies = self.position.count_plies() as u32;
        Ok(Numbers { proof: replies.max(1), disproof: 1 })
    }

    /// True if a ply of the attacker's reaches the end.
    fn wins_at_once(&mut self) -> Result<bool, Exhausted> {
        let plies = self.choices(true).plies;
        self.visit(plies.len())?;
        for ply in plies.iter().flatten() {
            let undo = self.position.apply_undoable(ply);
            let may = !self.goal.mate || self.position.in_check();
            let won = may && self.goal.arrival(&self.position, Some(ply.actor)) == Some(true);
            self.position.undo(&undo);
            if won {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The choices on the board with their numbers; or, where one of them decides, that one alone.
    fn expand(&mut self, node: Node) -> Result<(bool, Vec<Child>), Exhausted> {
        let Choices { attackers, mut plies } = self.choices(node.declined);
        self.visit(plies.len())?;
        let known = self.refutations[usize::from(node.moves)];
        if !attackers
            && known.is_some()
            && let Some(at) = plies.iter().position(|ply| *ply == known)
        {
            plies.swap(0, at);
        }
        let mut children = Vec::with_capacity(plies.len());
        for ply in plies {
            let (next, undo) = self.make(node, ply.as_ref());
            let numbers = self.estimate(next, ply.map(|ply| ply.actor))?;
            self.take_back(undo.as_ref());
            let child = Child { ply, numbers };
            if numbers == Numbers::of(attackers) {
                self.note_refutation(node, attackers, &child);
                return Ok((attackers, vec![child]));
            }
            // What cannot be chosen any more is left out.
            if numbers != Numbers::of(!attackers) {
                children.push(child);
            }
        }
        Ok((attackers, children))
    }

    fn note_refutation(&mut self, node: Node, attackers: bool, child: &Child) {
        if !attackers && child.ply.is_some() {
            self.refutations[usize::from(node.moves)] = child.ply;
        }
    }

    fn search(&mut self, node: Node, key: Key, limits: Numbers) -> Result<Numbers, Exhausted> {
        let (attackers, mut children) = self.expand(node)?;
        loop {
            let total = Numbers::combined(attackers, &children);
            if total.proof >= limits.proof || total.disproof >= limits.disproof {
                self.table.store(key, node.moves, total);
                self.deciding =
                    children.iter().find(|child| child.numbers == Numbers::of(attackers)).copied();
                return Ok(total);
            }
            let (best, second) = two_best(attackers, &children);
            let child = children[best];
            let (limit, other_limit) = limits.sides(attackers);
            let (_, other_total) = total.sides(attackers);
            let (_, other) = child.numbers.sides(attackers);
            // A little more than the second best, or the search would turn from one to the other after every step.
            let own = limit.min(second.saturating_add(second / 4 + 1)).min(Numbers::MAX);
            let rest =
                if other_limit >= Numbers::MAX { Numbers::MAX } else { other_limit - other_total + other };
            let (next, undo) = self.make(node, child.ply.as_ref());
            let next_key = self.key(next);
            let known = self.table.numbers(next_key, next.moves).filter(|known| known.are_decided());
            children[best].numbers = match known {
                Some(known) => known,
                None => self.search(next, next_key, Numbers::from_sides(attackers, own, rest))?,
            };
            self.take_back(undo.as_ref());
            if children[best].numbers == Numbers::of(attackers) {
                self.note_refutation(node, attackers, &child);
            }
        }
    }
}

/// The child with the lowest number of the player who chooses, and the second lowest number.
fn two_best(attackers: bool, children: &[Child]) -> (usize, u32) {
    let (mut best, mut lowest, mut second) = (0, u32::MAX, u32::MAX);
    for (index, child) in children.iter().enumerate() {
        let (own, _) = child.numbers.sides(attackers);
        if own < lowest {
            (best, second, lowest) = (index, lowest, own);
        } else {
            second = second.min(own);
        }
    }
    (best, second)
}
