//! What players call for in comments: counts of moves, and declarations.

use super::{LineJudge, Observer};
use crate::record::Item;
use crate::replay::codes;
use ferz_core::board::Mask;
use ferz_core::text::Severity;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// Does what the player on move calls for in a comment.
    #[cold]
    pub(super) fn obey_calls(&mut self, item: Item) {
        for call in self.record.calls(item) {
            if let Err(fault) = self.judge.call(&mut self.position, call) {
                let message = format!("`{call}` has no effect: {fault}; remove it");
                self.say(codes::J_CALL, Severity::Warning, item, message);
            }
        }
    }
}
