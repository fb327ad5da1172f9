//! The squares on which a piece wins.

use super::Compiler;
use crate::board::{ByOwner, Mask, Owner};
use crate::rules::kinds::KindId;

impl Compiler<'_> {
    /// By owner: the kinds that win on certain squares, and these squares.
    pub(super) fn goal<M: Mask>(&mut self) -> ByOwner<Vec<(KindId, M)>> {
        let ends = &self.definition.ends;
        if ends.goal.is_empty() && ends.last_ply {
            self.fail("ends.last-ply", "without a goal there is none to reach; set `ends.goal`");
        }
        let mut goal = ByOwner([Vec::new(), Vec::new(), Vec::new()]);
        for (letter, text) in &ends.goal {
            let path = format!("ends.goal.{letter}");
            let squares: ByOwner<M> = self.mirrored(&path, text);
            let Some(kinds) = self.kinds_of(&path, letter) else { continue };
            for owner in Owner::REAL {
                let squares = if ends.goal_mirrored { squares[owner] } else { squares[Owner::White] };
                goal[owner].extend(kinds.kinds().map(|kind| (kind, squares)));
            }
        }
        goal
    }
}
