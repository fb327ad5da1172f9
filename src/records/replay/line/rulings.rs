//! What single rulings say of a line: turns of Nature that are void, pawns that are dead.

use super::{LineJudge, Observer};
use crate::record::{Item, Line};
use crate::replay::codes;
use ferz_core::board::Mask;
use ferz_core::notation::Fault;
use ferz_core::position::Reason;
use ferz_core::text::Severity;

impl<'a, 's, M: Mask, O: Observer<M>> LineJudge<'a, 's, M, O> {
    /// CHA-25: Nature took longer than she may.
    #[cold]
    pub(super) fn void_turn(&mut self, index: usize, item: Item, natures: bool) -> bool {
        let text = self.read(&self.record.text(item), natures).ok();
        let fault = Fault::new(&self.game.rules, Reason::NatureLate, "");
        self.illegal(index, item, text.as_ref(), &fault)
    }

    /// Names the pawns that are dead at the end (ING-5).
    #[cold]
    pub(super) fn remark_on_dead_pawns(&mut self, line: Line<'_, '_>) {
        let dead = self.position.dead_pawns();
        if let Some(item) = self.last_move(line).filter(|_| dead.any()) {
            let names: Vec<_> = dead.squares().map(|square| self.game.rules.square_name(square)).collect();
            let message =
                format!("dead pawn on {}: it can never move or become anything again", names.join(", "));
            self.say(codes::J_DEAD_PAWN, Severity::Info, item, message);
        }
    }
}
