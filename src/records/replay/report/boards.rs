//! What became of one board of a game on two.

use super::{Illegal, Report};
use crate::replay::line::BoardOutcome;
use ferz_core::board::{BoardName, Mask};
use ferz_core::judge::End;
use ferz_core::rules::Rules;
use serde::{Deserialize, Serialize};

/// The report on one board of a game on two; its plies are counted by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardReport {
    /// The board.
    pub board: BoardName,
    /// Its plies that were replayed.
    pub plies: usize,
    /// The illegal ply that ended the replay of this board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<Illegal>>,
    /// Illegal plies that were let stand, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub let_stand: Vec<Illegal>,
    /// The end that the board shows, with the result of the sides: 1-0 if that of White on board A has won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// The position after its last ply, with the pieces that came from the other board up to the end of the record, or
    /// to the ply at which the replay of this board ended.
    pub final_fen: String,
}

impl Report {
    /// Adds what became of each board. The game has ended with the end that comes first in the record (BUG 6).
    pub(in crate::replay) fn on_two<M: Mask>(&mut self, outcomes: [BoardOutcome; 2], rules: &Rules<M>) {
        let ended = outcomes.iter().filter(|outcome| outcome.end.is_some());
        self.end = ended.min_by_key(|outcome| outcome.last_move).and_then(|outcome| outcome.end);
        self.end_rule = self.end.map(|end| end.rule(rules));
        let report = |outcome: BoardOutcome| BoardReport {
            board: outcome.board,
            plies: outcome.plies,
            illegal: outcome.illegal,
            let_stand: outcome.let_stand,
            end: outcome.end,
            final_fen: outcome.final_fen,
        };
        self.boards = Some(Box::new(outcomes.map(report)));
    }
}
