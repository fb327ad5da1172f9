//! What a game has touched of what readings of rulings are about. A reading that differs only in something that a game
//! never touched needs no plies made again.

use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Judge;
use ferz_core::position::{Call, Position, Verb};
use ferz_core::rules::readings::Ruling;

/// What happened in a game with a third player.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Touched {
    /// A player's piece became another kind, so that it may return as either, or may have before the start (CHA-8).
    changed: bool,
    /// A player castled while Nature's attack did not count (CHA-2).
    castled_in_delay: bool,
    /// Nature had a piece besides the one that acted last, while that one's attack did not count (CHA-2).
    crowded: bool,
    /// The player not on move was in check (CHA-7).
    waiting_check: bool,
}

impl Touched {
    /// Looks through the plies of a game; `is_usual` if it began from the usual start.
    pub(super) fn of<M: Mask>(start: &Position<M>, is_usual: bool, judge: &Judge<M>) -> Touched {
        let mut touched = Touched { changed: !is_usual, ..Touched::default() };
        let Some(nature) = &start.rules().nature else { return touched };
        let delay = nature.delay;
        let mut position = start.clone();
        touched.crowded = in_delay(&position, delay) && position.owned(Owner::Nature).any();
        touched.waiting_check = waits_in_check(&position);
        for (index, ply) in judge.made().iter().enumerate() {
            for call in Call::after(judge.calls(), index) {
                // A call without effect had none in the game.
                let _ = position.call(call);
            }
            touched.changed |= ply.actor.is_real() && ply.promotion.is_some();
            touched.castled_in_delay |=
                ply.actor.is_real() && ply.verb == Verb::Castle && in_delay(&position, delay);
            position.apply(ply);
            let acted = ply.actor == Owner::Nature;
            touched.crowded |= acted && !position.owned(Owner::Nature).is_single();
            touched.waiting_check |= position.owned(Owner::Nature).any() && waits_in_check(&position);
        }
        touched
    }

    /// True if a game without an illegal ply and without an end can differ by the readings of a ruling; `own`
    /// is the reading that it was judged by.
    pub(super) fn may_decide(&self, ruling: &Ruling, own: &str) -> bool {
        match ruling.field {
            "nature.reentry" => self.changed,
            "nature.delay-frees-castling" => self.castled_in_delay || own != "nature",
            "nature.delay-scope" => self.crowded || own != "clock",
            "nature.natures-mate" => self.waiting_check,
            _ => true,
        }
    }
}

/// True while the attack of Nature's last action does not count.
fn in_delay<M: Mask>(position: &Position<M>, delay: u8) -> bool {
    position.status().nature.clock < delay
}

fn waits_in_check<M: Mask>(position: &Position<M>) -> bool {
    position.state().king_in_check(position.rules(), position.turn().opponent())
}
