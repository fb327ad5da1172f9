//! The proof as a graph, from what the search has left in its table.

use super::search::{Choices, Node, Numbers, Search};
use super::table::Key;
use crate::certificate::{AndOr, AndOrNode, TableProof};
use ferz_core::board::Mask;
use ferz_core::notation::coord;
use ferz_core::position::Ply;
use ferz_core::text::Exhausted;
use std::collections::HashMap;

/// Plies of a proof at most: a certificate of about 5 MB.
const PLIES_MAX: usize = 1 << 18;

/// A proof in the making.
#[derive(Default)]
struct Draft {
    /// True if the attacker's plan is drafted, false if it is the defender's.
    won: bool,
    nodes: Vec<AndOrNode>,
    keys: Vec<Key>,
    known: HashMap<(Key, u8), u32>,
    plies: usize,
}

impl<M: Mask> Search<'_, M> {
    /// The plan for the position on the board: the attacker's, which reaches the end within so many moves, or the
    /// defender's, which denies that.
    pub fn graph(&mut self, won: bool, moves: u8) -> Result<AndOr, Exhausted> {
        let mut draft = Draft { won, ..Draft::default() };
        if self.goal.arrival(&self.position, None).is_some() {
            draft.nodes.push(AndOrNode { moves: u32::from(moves), ..AndOrNode::default() });
        } else {
            let start = self.position_of(&mut draft, moves)?;
            draft.unite();
            draft.nodes = ordered(&draft.nodes, start);
        }
        let attacker = self.goal.attacker;
        Ok(AndOr { by: if won { attacker } else { attacker.opponent() }, nodes: draft.nodes })
    }

    /// The number of the position on the board.
    fn position_of(&mut self, draft: &mut Draft, moves: u8) -> Result<u32, Exhausted> {
        let key = self.key(Node { moves, declined: false });
        let moves = match self.table.forced(key) {
            Some(fewest) if draft.won => fewest.min(moves),
            _ => moves,
        };
        if let Some(&number) = draft.known.get(&(key, moves)) {
            return Ok(number);
        }
        let mut plies = Vec::new();
        self.cover(draft, Node { moves, declined: false }, &mut plies)?;
        draft.plies += plies.len();
        if draft.plies > PLIES_MAX {
            return Err(Exhausted { cancelled: false });
        }
        let number = draft.nodes.len() as u32;
        draft.nodes.push(AndOrNode { moves: u32::from(moves), plies, table: None });
        draft.keys.push(key);
        draft.known.insert((key, moves), number);
        Ok(number)
    }

    /// Lists the ply of the plan, and all plies of the others that do not end it.
    fn cover(
        &mut self,
        draft: &mut Draft,
        node: Node,
        plies: &mut Vec<(String, Option<u32>)>,
    ) -> Result<(), Exhausted> {
        let Choices { attackers, plies: mut choices } = self.choices(node.declined);
        let own = attackers == draft.won;
        if own {
            choices = vec![self.deciding(draft.won, node, &choices)?];
        }
        for ply in choices {
            let (next, undo) = self.make(node, ply.as_ref());
            match ply {
                None => self.cover(draft, next, plies)?,
                Some(ply) => {
                    let mut text = String::new();
                    coord::write(self.position.rules(), &ply, &mut text);
                    let ended = self.ended(next, &ply).is_some();
                    if !ended && !own && self.known(next) != Some(Numbers::of(draft.won)) {
                        let found = self.open(next)?;
                        debug_assert_eq!(found, Numbers::of(draft.won));
                    }
                    let table = if ended { self.table(&ply) } else { None };
                    let number = match (ended, table) {
                        (_, Some(table)) => Some(self.table_of(draft, table)),
                        (true, None) => None,
                        (false, None) => Some(self.position_of(draft, next.moves)?),
                    };
                    if own || number.is_some() {
                        plies.push((text, number));
                    }
                }
            }
            self.take_back(undo.as_ref());
        }
        Ok(())
    }

    /// Whether the position on the board, after a ply, decides by itself.
    fn ended(&self, node: Node, ply: &Ply) -> Option<bool> {
        let ended = self.goal.arrival(&self.position, Some(ply.actor)).or_else(|| self.by_table(node));
        ended.or_else(|| self.has_run_out(node).then_some(false))
    }

    /// The endgame table that decides the position on the board, unless the ply ends the plan without one.
    fn table(&self, ply: &Ply) -> Option<TableProof> {
        if self.goal.arrival(&self.position, Some(ply.actor)).is_some() {
            return None;
        }
        self.goal.table(&self.position).map(|(table, _)| table)
    }

    /// The number of the position on the board, which a table decides.
    fn table_of(&self, draft: &mut Draft, table: TableProof) -> u32 {
        let moves = table.moves().unwrap_or(0);
        let key = self.key(Node { moves, declined: false });
        let next = draft.nodes.len() as u32;
        let number = *draft.known.entry((key, moves)).or_insert(next);
        if number == next {
            draft.nodes.push(AndOrNode { moves: u32::from(moves), plies: Vec::new(), table: Some(table) });
            draft.keys.push(key);
        }
        number
    }

    fn known(&self, node: Node) -> Option<Numbers> {
        self.table.numbers(self.key(node), node.moves)
    }

    /// A choice that decides for the attacker or against it; the attacker's quickest known one.
    fn deciding(&mut self, won: bool, node: Node, choices: &[Option<Ply>]) -> Result<Option<Ply>, Exhausted> {
        let mut quickest: Option<(u8, Option<Ply>)> = None;
        for &ply in choices {
            let (next, undo) = self.make(node, ply.as_ref());
            let ended = ply.and_then(|ply| self.ended(next, &ply));
            let key = self.key(next);
            let moves = match ended {
                Some(decided) => (decided == won).then_some(0),
                None if won => self.table.forced(key).filter(|moves| *moves <= next.moves),
                None => (self.table.numbers(key, next.moves) == Some(Numbers::DISPROVED)).then_some(1),
            };
            self.take_back(undo.as_ref());
            if let Some(moves) = moves
                && quickest.is_none_or(|(least, _)| moves < least)
            {
                quickest = Some((moves, ply));
            }
        }
        if let Some((_, ply)) = quickest {
            return Ok(ply);
        }
        self.open(node)?;
        self.deciding.map(|child| child.ply).ok_or(Exhausted { cancelled: false })
    }
}

impl Draft {
    /// Takes each position of the attacker's plan with the fewest moves alone, so that no line repeats one.
    fn unite(&mut self) {
        if !self.won {
            return;
        }
        let mut fewest: HashMap<Key, u32> = HashMap::new();
        for (number, key) in self.keys.iter().enumerate() {
            let best = fewest.entry(*key).or_insert(number as u32);
            if self.nodes[number].moves < self.nodes[*best as usize].moves {
                *best = number as u32;
            }
        }
        let keys = &self.keys;
        for (_, next) in self.nodes.iter_mut().flat_map(|node| &mut node.plies) {
            *next = next.and_then(|number| fewest.get(&keys[number as usize]).copied());
        }
    }
}

/// The positions that can be reached from `start`, numbered so that plies lead to higher numbers, unless they return.
pub(in crate::prove) fn ordered(nodes: &[AndOrNode], start: u32) -> Vec<AndOrNode> {
    let mut number: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut seen = vec![false; nodes.len()];
    let mut after: Vec<u32> = Vec::new();
    let mut path = vec![(start, 0)];
    seen[start as usize] = true;
    while let Some((at, ply)) = path.last_mut() {
        match nodes[*at as usize].plies.get(*ply) {
            Some((_, next)) => {
                *ply += 1;
                if let Some(next) = next.filter(|next| !std::mem::replace(&mut seen[*next as usize], true)) {
                    path.push((next, 0));
                }
            }
            None => {
                after.push(*at);
                path.pop();
            }
        }
    }
    after.reverse();
    after.iter().enumerate().for_each(|(index, at)| number[*at as usize] = Some(index as u32));
    let mut found: Vec<AndOrNode> = after.iter().map(|at| nodes[*at as usize].clone()).collect();
    for (_, next) in found.iter_mut().flat_map(|node| &mut node.plies) {
        *next = next.and_then(|next| number[next as usize]);
    }
    found
}
