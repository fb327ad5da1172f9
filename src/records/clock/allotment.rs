//! How far a player is in the periods of a time control.

use crate::record::time_control::Period;

/// The place of one player in the periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allotment {
    /// The current period.
    period: usize,
    /// The moves made in it.
    moves: u32,
}

/// Time given to a player, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Given {
    /// The time of the periods, and the increments.
    pub raised: u64,
    /// The most that delays spared.
    pub spared: u64,
}

impl Allotment {
    /// A player who has made this many moves, and what the periods gave for them.
    pub fn after(periods: &[Period], moves: u32) -> (Allotment, Given) {
        let mut place = Allotment { period: 0, moves };
        let mut given = Given::default();
        let mut give = |period: &Period, moves: u32| {
            let (moves, bonus) = (u64::from(moves), period.bonus);
            given.raised = given.raised.saturating_add(bonus.raise().saturating_mul(moves));
            given.spared = given.spared.saturating_add(bonus.free().saturating_mul(moves));
        };
        let mut time = 0u64;
        while let Some(period) = periods.get(place.period) {
            time = time.saturating_add(period.time);
            let is_last = place.period + 1 == periods.len();
            match period.moves.filter(|moves| *moves <= place.moves) {
                Some(moves) if is_last => {
                    // It repeated as often as it was completed.
                    give(period, place.moves);
                    time = time.saturating_add(period.time.saturating_mul(u64::from(place.moves / moves)));
                    place.moves %= moves;
                    break;
                }
                Some(moves) => {
                    give(period, moves);
                    (place.moves, place.period) = (place.moves - moves, place.period + 1);
                }
                None => {
                    give(period, place.moves);
                    break;
                }
            }
        }
        given.raised = given.raised.saturating_add(time);
        (place, given)
    }

    /// The current period; `None` without periods.
    #[inline]
    pub fn period(self, periods: &[Period]) -> Option<&Period> {
        periods.get(self.period)
    }

    /// Counts a move; returns the time of the next period if it completes the current one.
    #[inline]
    pub fn complete(&mut self, periods: &[Period], period: &Period) -> u64 {
        self.moves += 1;
        if period.moves != Some(self.moves) {
            return 0;
        }
        self.moves = 0;
        self.period = (self.period + 1).min(periods.len() - 1);
        periods[self.period].time
    }
}
