//! Events of a game without which no other reading of a ruling changes it.

use crate::board::{Mask, Owner};
use crate::position::{Ply, Position, Verb};

/// What has happened in a game, as far as rulings depend on it. Noted in games with [`watched`] rules alone.
///
/// [`watched`]: crate::rules::Rules::watched
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Events(u8);

impl Events {
    /// A player promoted a pawn.
    pub(crate) const PROMOTED: Events = Events(1);
    /// A player promoted a pawn that was in the promotion zone already.
    pub(crate) const PROMOTED_INSIDE: Events = Events(1 << 1);
    /// Nature captured en passant.
    pub(crate) const NATURES_EN_PASSANT: Events = Events(1 << 2);
    /// A piece of Nature's attacked a player's king during her delay, or with its last ply: at no other time does a
    /// ply leave a king attacked.
    pub(crate) const KING_IN_DELAY: Events = Events(1 << 3);
    /// A player castled during Nature's delay.
    pub(crate) const CASTLED_IN_DELAY: Events = Events(1 << 4);
    /// The last position is in the delay, and no ply saves the king of the player on move from Nature's pieces.
    pub(crate) const NO_SAFE_PLY: Events = Events(1 << 5);
    /// The last position is in the delay, and the player on move may still castle.
    pub(crate) const MAY_CASTLE: Events = Events(1 << 6);

    /// True if at least one of the others has happened.
    pub(crate) fn has_any(self, others: Events) -> bool {
        self.0 & others.0 != 0
    }

    /// These and the others.
    pub(crate) const fn and(self, others: Events) -> Events {
        Events(self.0 | others.0)
    }

    fn add(&mut self, event: Events, happened: bool) {
        if happened {
            self.0 |= event.0;
        }
    }

    /// Notes what a start position has of events before it.
    #[inline(never)]
    pub(super) fn begin<M: Mask>(&mut self, start: &Position<M>) {
        self.add(Events::PROMOTED, start.state().promoted().any());
        self.add(Events::KING_IN_DELAY, start.nature_attacks_a_king());
    }

    /// Notes what a ply that led to `position` was.
    #[inline(never)]
    pub(super) fn note<M: Mask>(&mut self, position: &Position<M>, ply: &Ply) {
        let rules = position.rules();
        let is_players = ply.actor != Owner::Nature;
        if is_players && ply.promotion.is_some() {
            self.add(Events::PROMOTED, true);
            self.add(Events::PROMOTED_INSIDE, rules.promotion[ply.actor].zone.has(ply.from));
        }
        let Some(nature) = &rules.nature else { return };
        self.add(Events::NATURES_EN_PASSANT, !is_players && ply.verb == Verb::EnPassant);
        // The ply that ends the delay was made during it.
        if position.status().nature.clock <= nature.delay {
            self.add(Events::CASTLED_IN_DELAY, is_players && ply.verb == Verb::Castle);
            self.add(Events::KING_IN_DELAY, position.nature_attacks_a_king());
        }
    }

    /// Notes what the last position of a line shows.
    #[inline(never)]
    pub(super) fn conclude<M: Mask>(&mut self, position: &Position<M>) {
        let Some(nature) = &position.rules().nature else { return };
        let status = position.status();
        if status.nature.clock < nature.delay {
            let own = position.state().owned(position.turn());
            self.add(Events::MAY_CASTLE, (status.castling & own).any());
            let is_there = position.state().owned(Owner::Nature).any();
            self.add(Events::NO_SAFE_PLY, is_there && !position.may_evade_nature());
        }
    }
}
