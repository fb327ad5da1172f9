//! Kings, captures, checks and wins that are not those of chess.

use super::Compiler;
use crate::board::{ByOwner, Mask};
use crate::rules::definition::Kings;

impl Compiler<'_> {
    /// By owner: whether the player has a king.
    pub(super) fn has_king(&self) -> ByOwner<bool> {
        let kings = self.definition.setup.kings;
        ByOwner([
            matches!(kings, Kings::Both | Kings::White),
            matches!(kings, Kings::Both | Kings::Black),
            false,
        ])
    }

    /// By owner: the squares from which a double step gives the right to capture en passant.
    pub(super) fn passing<M: Mask>(&mut self, double_step: &ByOwner<M>) -> ByOwner<M> {
        let from = &self.definition.pawns.en_passant_from;
        if from.is_empty() {
            return ByOwner(double_step.0);
        }
        let squares: ByOwner<M> = self.mirrored("pawns.en-passant-from", from);
        ByOwner::from_fn(|owner| squares[owner] & double_step[owner])
    }
}
