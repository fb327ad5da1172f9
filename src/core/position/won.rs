//! Wins that the position shows besides mate: checks given, a goal reached.

use super::state::{Over, State};
use crate::board::{Mask, Owner, Square};
use crate::rules::Rules;
use crate::rules::definition::Annihilation;

impl<M: Mask> State<M> {
    /// Counts the check that a player's ply gives, where checks are counted. Attacks are looked for from nothing, since
    /// the ply may be an illegal one that was let stand.
    pub(super) fn count_check(&mut self, rules: &Rules<M>, actor: Owner) {
        if rules.ends.checks == 0 || !actor.is_real() {
            return;
        }
        let (player, shift) = (actor.opponent(), self.unshifted());
        let king = self.king(rules, player);
        let counts = king != Square::NONE && !self.is_shielded(rules, player, king, &shift);
        if counts && self.attacks(rules, king, actor, &shift) {
            let given = self.status.checks[actor.index()];
            self.set_checks(actor, given.saturating_add(1).min(rules.ends.checks));
        }
    }

    /// The win that the position shows (COM-6), other than by mate, the king's square or a bare king.
    pub(super) fn find_won(&self, rules: &Rules<M>) -> Option<Over> {
        if !rules.wins_besides_mate() {
            return None;
        }
        let exploded = |owner: &Owner| {
            let in_hand = rules.has_hand && self.hand(*owner)[rules.king.index()] > 0;
            rules.special.has_king[*owner] && self.king(rules, *owner) == Square::NONE && !in_hand
        };
        if rules.special.blast.is_some()
            && let Some(loser) = Owner::REAL.into_iter().find(exploded)
        {
            return Some(Over::Explosion(loser));
        }
        let enough = |owner: &Owner| self.status.checks[owner.index()] >= rules.ends.checks;
        if rules.ends.checks > 0
            && let Some(winner) = Owner::REAL.into_iter().find(enough)
        {
            return Some(Over::Checks(winner));
        }
        self.find_goal(rules)
    }

    /// Who has reached the goal; if White has and Black may answer, no one yet.
    fn find_goal(&self, rules: &Rules<M>) -> Option<Over> {
        let mover = self.status.turn;
        match Owner::REAL.map(|owner| self.is_on_goal(rules, owner)) {
            [false, false] => None,
            [true, true] if rules.ends.last_ply => Some(Over::GoalDraw),
            // The player who has just moved arrived last.
            [true, true] => Some(Over::Goal(mover.opponent())),
            [false, true] => Some(Over::Goal(Owner::Black)),
            [true, false] => {
                let answers = rules.ends.last_ply && mover == Owner::Black && self.can_reach_goal(rules);
                (!answers).then_some(Over::Goal(Owner::White))
            }
        }
    }

    /// The player without any piece, on the board or in stock, where that ends the game.
    pub(super) fn find_annihilated(&self, rules: &Rules<M>) -> Option<Over> {
        if rules.ends.annihilation == Annihilation::None {
            return None;
        }
        let mover = self.status.turn;
        let stocked =
            |owner: Owner| self.reserve(owner).iter().chain(self.hand(owner)).any(|&count| count > 0);
        let without = |owner: &Owner| self.owned(*owner).is_empty() && !stocked(*owner);
        [mover, mover.opponent()].into_iter().find(without).map(Over::NoPieces)
    }

    fn is_on_goal(&self, rules: &Rules<M>, owner: Owner) -> bool {
        rules.special.goal[owner].iter().any(|&(kind, squares)| (self.pieces(owner, kind) & squares).any())
    }

    /// True if a legal ply of the player on move reaches its goal.
    fn can_reach_goal(&self, rules: &Rules<M>) -> bool {
        let mover = self.status.turn;
        self.any_real_ply(rules, |ply| {
            let kind = ply.promotion.unwrap_or(ply.kind);
            rules.special.goal[mover].iter().any(|&(wins, squares)| wins == kind && squares.has(ply.to))
        })
    }
}
