//! What captures explode.

use super::Compiler;
use crate::board::{Mask, Owner};
use crate::rules::compiled::Blast;
use crate::rules::definition::CapturesTo;
use crate::rules::moves::MoveTables;

/// The squares around a target at most: with the pieces of the ply, the effects of one ply have room for them.
const AROUND_MAX: u32 = 8;

impl Compiler<'_> {
    /// The squares and kinds of explosions; `None` if captures do not explode.
    pub(super) fn blast<M: Mask>(&mut self) -> Option<Blast<M>> {
        let section = &self.definition.captures;
        let spares = self.kind_set("captures.explode-spares", &section.explode_spares);
        if section.explode.is_empty() {
            if !section.explode_spares.is_empty() {
                self.fail("captures.explode-spares", "captures do not explode; set `captures.explode`");
            }
            return None;
        }
        let before = self.errors.len();
        let movers = self.movers("captures.explode", &section.explode);
        if self.errors.len() > before {
            return None;
        }
        let around = MoveTables::<M>::leaps_of(self.board, Owner::White, &movers);
        let Some(around) = around.filter(|all| all.iter().all(|squares| squares.count() <= AROUND_MAX))
        else {
            let message = format!("write leaps to at most {AROUND_MAX} squares, such as `K`");
            self.fail("captures.explode", message);
            return None;
        };
        if section.to != CapturesTo::None || self.definition.nature.enabled {
            let message =
                "exploded pieces leave the game, so captured pieces go nowhere and Nature does not act";
            self.fail("captures.explode", message);
        }
        Some(Blast { around, spares })
    }
}
