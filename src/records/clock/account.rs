//! One player's clock, and the sum of each move.

use super::allotment::Allotment;
use super::days::charged_days;
use super::{DAY, MoveLimit, shown};
use crate::record::time_control::Period;
use ferz_core::board::Owner;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How time is given and charged. The default is a game without clocks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clocks {
    /// Consecutive periods, as in the tag `TimeControl`; none for a game without clocks.
    pub periods: Vec<Period>,
    /// What becomes of the time that a move leaves.
    pub unused: Unused,
    /// How the time of a move is charged.
    pub charge: Charge,
    /// Days of leave in a calendar year, during which a player's clock stands still.
    pub leave: u32,
    /// The time, in milliseconds, after which a player who has not answered is silent.
    pub silence: Option<u64>,
    /// The time, in milliseconds, after which a player who has made no move defaults.
    pub default: Option<u64>,
    /// IAGO's limit for each move.
    pub limit: Option<MoveLimit>,
    /// What the players get for a turn of Nature.
    pub nature_clock: NatureClock,
    /// Who sees to it that a player without time has lost, in games that a service keeps.
    pub flag: Flag,
    /// The most time that a player can have after a move, in milliseconds: what would exceed it is not given.
    pub cap: Option<u64>,
    /// How often each player can call a time-out, in games that a service keeps.
    pub time_outs: u32,
    /// How long Nature may take to decide, in milliseconds, in games that a service keeps; then her chance passes.
    pub nature_time: Option<u64>,
}

/// Who sees to it that a player without time has lost, in games that a service keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// The service, as soon as the time is up.
    #[default]
    Automatic,
    /// The opponent, by a claim.
    OnClaim,
}

/// What becomes of the time that a move leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unused {
    /// It is kept for later moves.
    #[default]
    Kept,
    /// It is lost: each move has the time of its period.
    Lost,
}

/// How the time of a move is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charge {
    /// As it is.
    #[default]
    Exact,
    /// In full days of 24 hours; of one move, each day beyond this number counts twice.
    Days {
        /// The days that count once.
        double_after: Option<u32>,
    },
}

/// What a real player gets for an in-between turn of Nature (tag `NatureClock`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NatureClock {
    /// No time.
    #[default]
    Pause,
    /// The interrupted player: a full increment.
    Increment,
    /// Both players.
    IncrementBoth,
}

impl NatureClock {
    /// The value of the tag; any other pauses the clocks.
    pub fn of_tag(value: Option<&str>) -> NatureClock {
        match value {
            Some("pause+increment") => NatureClock::Increment,
            Some("pause+increment-both") => NatureClock::IncrementBoth,
            _ => NatureClock::Pause,
        }
    }

    /// True if this player gets a full increment for a turn that interrupts `interrupted`.
    pub fn gives(self, to: Owner, interrupted: Owner) -> bool {
        match self {
            NatureClock::Pause => false,
            NatureClock::Increment => to == interrupted,
            NatureClock::IncrementBoth => true,
        }
    }
}

/// A move in the sum of its player's time. All times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The number of the ply.
    pub ply: usize,
    /// Whose move it is.
    pub by: Owner,
    /// The time that the player had before the move.
    pub before: u64,
    /// The time that the move took.
    pub spent: u64,
    /// What is charged of it: without delay, in full days, days counted twice.
    pub charged: u64,
    /// What the player gets for the move: increment, next period.
    pub given: u64,
    /// The time that the player has after the move.
    pub after: u64,
    /// The clock that the record states after the move; it takes precedence over the sum.
    pub shown: Option<u64>,
}

impl Step {
    /// By how much the charge exceeds the time that the player had.
    pub const fn exceeded(&self) -> u64 {
        self.charged.saturating_sub(self.before)
    }
}

impl fmt::Display for Step {
    /// The sum: `0:01:00 - 0:00:20 + 0:00:05 = 0:00:45`, or `0:00:45 - 0:01:00 = -0:00:15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, charged) = (in_words(self.before), in_words(self.charged));
        if self.exceeded() > 0 {
            return write!(f, "{before} - {charged} = -{}", in_words(self.exceeded()));
        }
        write!(f, "{before} - {charged} + {} = {}", in_words(self.given), in_words(self.after))
    }
}

/// A time as clocks show it; from two days on in days, as in correspondence games.
pub fn in_words(time: u64) -> String {
    match time / DAY {
        0 | 1 => shown(time),
        days if time.is_multiple_of(DAY) => format!("{days} days"),
        days => format!("{days} days {}", shown(time % DAY)),
    }
}

/// One player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account {
    place: Allotment,
    /// The time left; `None` where it is not known.
    pub left: Option<u64>,
}

impl Clocks {
    /// What is charged for a move that took so long in this period.
    pub(super) fn charged(&self, period: &Period, spent: u64) -> u64 {
        let counted = spent.saturating_sub(period.bonus.free());
        match self.charge {
            Charge::Exact => counted,
            Charge::Days { double_after } => charged_days(counted / DAY, double_after).saturating_mul(DAY),
        }
    }
}

impl Account {
    /// The clock of a player who has made this many moves. What is left after earlier moves is not known.
    pub fn new(clocks: &Clocks, moves: u32) -> Account {
        let (place, given) = Allotment::after(&clocks.periods, moves);
        let left = (moves == 0 && !clocks.periods.is_empty()).then_some(given.raised);
        Account { place, left }
    }

    /// The current period.
    pub fn period<'p>(&self, clocks: &'p Clocks) -> Option<&'p Period> {
        self.place.period(&clocks.periods)
    }

    /// Adds time.
    pub fn grant(&mut self, time: u64) {
        self.left = self.left.map(|left| left.saturating_add(time));
    }

    /// Adds a full increment of the current period.
    pub fn grant_increment(&mut self, clocks: &Clocks) {
        let raise = self.period(clocks).map_or(0, |period| period.bonus.raise());
        self.grant(raise);
    }

    /// A move that took so long; its sum if both times are known.
    pub fn make(&mut self, clocks: &Clocks, (ply, by): (usize, Owner), spent: Option<u64>) -> Option<Step> {
        let period = *self.period(clocks)?;
        let next = self.place.complete(&clocks.periods, &period);
        let (Some(before), Some(spent)) = (self.left, spent) else {
            self.left = None;
            return None;
        };
        let charged = clocks.charged(&period, spent);
        let rest = if clocks.unused == Unused::Kept { before.saturating_sub(charged) } else { 0 };
        // Where each move has its own time, that of the period returns with each move.
        let renewed = if clocks.unused == Unused::Lost && next == 0 { period.time } else { next };
        let given = period.bonus.raise().saturating_add(renewed);
        let given = clocks.cap.map_or(given, |cap| given.min(cap.saturating_sub(rest)));
        let after = rest.saturating_add(given);
        self.left = Some(after);
        // Lost time counts as charged, so that the sum is right.
        let charged = if clocks.unused == Unused::Lost { charged.max(before) } else { charged };
        Some(Step { ply, by, before, spent, charged, given, after, shown: None })
    }
}
