//! Checks that the words "end of deployment phase" are where the deployment ends.

use super::{LineJudge, Observer};
use crate::record::comment::is_deployment_end;
use crate::record::{CommentKind, Item};
use crate::replay::codes;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::definition::DeploymentKind;
use ferz_core::text::Severity;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// Checks a comment that says that the deployment ends here. In games without deployment only bare words between
    /// the moves count: a comment in braces may say anything.
    #[cold]
    pub(super) fn check_deployment_end(&mut self, item: Item, kind: CommentKind) {
        let meant = kind == CommentKind::Bare || self.game.rules.deployment != DeploymentKind::None;
        if !meant || !is_deployment_end(&self.record.text(item)) {
            return;
        }
        let due = |position: &Position<M>, owner: Owner| position.deployment_due(owner);
        let late = |line: &Self| {
            let Some(undo) = line.last.as_ref().filter(|_| line.last_natures.is_none()) else { return false };
            let mut before = line.position.clone();
            before.undo(undo);
            !due(&before, before.turn())
        };
        let message = if self.game.rules.deployment == DeploymentKind::None {
            "this game has no deployment".to_owned()
        } else if let Some(owner) = Owner::REAL.into_iter().find(|&owner| due(&self.position, owner)) {
            format!("the deployment does not end here: {} must still deploy", owner.name())
        } else if late(self) {
            "the deployment ended earlier: the ply before these words is not part of it".to_owned()
        } else {
            return;
        };
        self.say(codes::J_DEPLOYMENT_END, Severity::Warning, item, message);
    }
}
