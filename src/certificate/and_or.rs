//! Proofs against every defence.

use serde::{Deserialize, Serialize};

/// A proof that one side reaches an end against every defence: positions by number, the start first. Plies lead to
/// positions with higher numbers, so no line returns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AndOr {
    /// The positions.
    pub nodes: Vec<AndOrNode>,
}

/// A position of a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AndOrNode {
    /// The claimant's moves within which the end is reached.
    pub moves: u32,
    /// All plies of the opponents and one of the claimant's, if it is on move, in coordinate notation; each with the
    /// number of the position it leads to, or `None` if that is the end.
    pub plies: Vec<(String, Option<u32>)>,
}

impl AndOr {
    /// The line of the longest defence.
    pub fn line(&self) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = Some(0);
        while let Some(node) = at.and_then(|at| self.nodes.get(at as usize)) {
            let moves = |next: &Option<u32>| next.map(|next| self.nodes[next as usize].moves);
            let Some((ply, next)) = node.plies.iter().rev().max_by_key(|(_, next)| moves(next)) else {
                break;
            };
            line.push(ply.clone());
            at = *next;
        }
        line
    }
}
