//! The proof as a graph, from what the search has left in its table.

use super::search::{Choices, Node, Numbers, Search};
use super::table::Key;
use crate::board::Mask;
use crate::certificate::{AndOr, AndOrNode};
use crate::notation::coord;
use crate::position::Ply;
use crate::text::Exhausted;
use std::collections::HashMap;

/// Positions of a proof at most: what a certificate holds.
const POSITIONS_MAX: usize = 1 << 18;

/// A proof in the making. Positions are numbered when all that follow them are, so the start comes last.
#[derive(Default)]
struct Draft {
    nodes: Vec<AndOrNode>,
    known: HashMap<(Key, u8), u32>,
}

impl<M: Mask> Search<'_, M> {
    /// The proof for the position on the board, which is decided within so many moves.
    pub fn graph(&mut self, moves: u8) -> Result<AndOr, Exhausted> {
        let mut draft = Draft::default();
        self.position_of(&mut draft, moves)?;
        let last = draft.nodes.len().saturating_sub(1) as u32;
        let mut nodes = draft.nodes;
        nodes.reverse();
        for (_, next) in nodes.iter_mut().flat_map(|node| &mut node.plies) {
            *next = next.map(|number| last - number);
        }
        Ok(AndOr { nodes })
    }

    /// The number of the position on the board.
    fn position_of(&mut self, draft: &mut Draft, moves: u8) -> Result<u32, Exhausted> {
        let key = self.key(Node { moves, declined: false });
        let moves = self.table.forced(key).unwrap_or(moves).min(moves);
        if let Some(&number) = draft.known.get(&(key, moves)) {
            return Ok(number);
        }
        let mut plies = Vec::new();
        self.cover(draft, Node { moves, declined: false }, &mut plies)?;
        if draft.nodes.len() >= POSITIONS_MAX {
            return Err(Exhausted { cancelled: false });
        }
        let number = draft.nodes.len() as u32;
        draft.nodes.push(AndOrNode { moves: u32::from(moves), plies });
        draft.known.insert((key, moves), number);
        Ok(number)
    }

    /// Lists the attacker's ply, and all of the defender's.
    fn cover(
        &mut self,
        draft: &mut Draft,
        node: Node,
        plies: &mut Vec<(String, Option<u32>)>,
    ) -> Result<(), Exhausted> {
        let Choices { attackers, plies: mut choices } = self.choices(node.declined);
        if attackers {
            choices = vec![self.winning(node, &choices)?];
        }
        for ply in choices {
            let (next, undo) = self.make(node, ply.as_ref());
            match ply {
                None => self.cover(draft, next, plies)?,
                Some(ply) => {
                    let mut text = String::new();
                    coord::write(self.position.rules(), &ply, &mut text);
                    let ended = self.goal.arrival(&self.position, Some(ply.actor)).is_some();
                    if !ended && !attackers && self.known(next) != Some(Numbers::PROVED) {
                        let found = self.open(next)?;
                        debug_assert_eq!(found, Numbers::PROVED);
                    }
                    let number = if ended { None } else { Some(self.position_of(draft, next.moves)?) };
                    plies.push((text, number));
                }
            }
            self.take_back(undo.as_ref());
        }
        Ok(())
    }

    fn known(&self, node: Node) -> Option<Numbers> {
        self.table.numbers(self.key(node), node.moves)
    }

    /// A choice of the attacker's that is decided.
    fn winning(&mut self, node: Node, choices: &[Option<Ply>]) -> Result<Option<Ply>, Exhausted> {
        let mut quickest: Option<(u8, Option<Ply>)> = None;
        for &ply in choices {
            let (next, undo) = self.make(node, ply.as_ref());
            let ended = ply.and_then(|ply| self.goal.arrival(&self.position, Some(ply.actor)));
            let key = self.key(next);
            let moves = match ended {
                Some(won) => won.then_some(0),
                None => self.table.forced(key).filter(|moves| *moves <= next.moves),
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
