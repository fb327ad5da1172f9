//! IAGO's limit for one move (IAP 1 and 2).

use super::{TimedPly, each_timed, shown};
use crate::record::Record;
use ferz_core::board::Owner;
use serde::Deserialize;
use std::str::FromStr;

/// A limit for each move; a full limit that passes on a move is a delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveLimit {
    /// The limit in milliseconds; not 0.
    pub time: u64,
    /// The number of delays that lose the game (IAP 2).
    pub delays: Option<u32>,
    /// The moves over which they add up (IAP-1).
    pub scope: DelayScope,
}

/// The moves over which delays add up (IAP-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum DelayScope {
    /// Within one move.
    #[default]
    Move,
    /// Over the game.
    Game,
}

impl FromStr for DelayScope {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<DelayScope, Self::Err> {
        match name {
            "move" => Ok(DelayScope::Move),
            "game" => Ok(DelayScope::Game),
            _ => Err("use `move` or `game`"),
        }
    }
}

/// A move that took one full limit or more.
#[derive(Debug, Clone, Copy)]
pub struct Delay {
    /// The ply.
    pub timed: TimedPly,
    /// The time that it took, in milliseconds.
    pub spent: u64,
    /// The limit, in milliseconds.
    pub limit: u64,
    /// The full limits that passed: points for the opponent (IAP 1).
    pub limits: u32,
    /// The delays that count for the loss of the game, these included; none in a time-out.
    pub counted: u32,
    /// True if these delays lose the game (IAP 2).
    pub loses: bool,
}

impl Delay {
    /// The division in words: `0:03:30 has 3 full limits of 0:01:00`.
    pub fn sum(&self) -> String {
        let limits = if self.limits == 1 { "limit" } else { "limits" };
        format!("{} has {} full {limits} of {}", shown(self.spent), self.limits, shown(self.limit))
    }
}

impl MoveLimit {
    /// Reads the values of the tags `MoveLimit` and `DelayLimit`: seconds, and a number of delays.
    ///
    /// ```
    /// use ferz_records::clock::{DelayScope, MoveLimit};
    /// let limit = MoveLimit::of_tags("60", Some("3"), DelayScope::Move)?;
    /// assert_eq!((limit.time, limit.delays, limit.limits(210_000)), (60_000, Some(3), 3));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// If a value is no positive whole number; the message says what to write.
    pub fn of_tags(limit: &str, delays: Option<&str>, scope: DelayScope) -> Result<MoveLimit, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|number: &u32| *number > 0);
        let fault = |name: &str, text: &str, what: &str| {
            format!("{name} is `{text}`; write {what} as a whole number from 1")
        };
        let time = number(limit).ok_or_else(|| fault("MoveLimit", limit, "seconds"))?;
        let delays = match delays {
            Some(text) => {
                Some(number(text).ok_or_else(|| fault("DelayLimit", text, "the number of limits"))?)
            }
            None => None,
        };
        Ok(MoveLimit { time: u64::from(time) * 1000, delays, scope })
    }

    /// The full limits in a time.
    pub fn limits(&self, spent: u64) -> u32 {
        u32::try_from(spent / self.time).unwrap_or(u32::MAX)
    }

    /// The moves among the first `plies` of a record that took one full limit or more, by `[%emt]`, up to the one that
    /// loses the game. `first` is the player who begins.
    pub fn delays(&self, record: &Record<'_>, first: Owner, plies: usize) -> Vec<Delay> {
        let (mut found, mut counted, mut lost) = (Vec::new(), [0u32; 2], false);
        each_timed(record, first, plies, |timed| {
            let Some(spent) = timed.times.elapsed.filter(|_| timed.actor != Owner::Nature && !lost) else {
                return;
            };
            let limits = self.limits(spent);
            if limits == 0 {
                return;
            }
            let own = &mut counted[timed.actor.index()];
            let before = if self.scope == DelayScope::Game { *own } else { 0 };
            let of_this = if timed.timeout { 0 } else { limits };
            *own = before.saturating_add(of_this);
            lost = of_this > 0 && self.delays.is_some_and(|delays| *own >= delays);
            found.push(Delay { timed: *timed, spent, limit: self.time, limits, counted: *own, loses: lost });
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;

    /// The ply, the limits and what counts of each delay; the last ply if it loses.
    fn delays(scope: DelayScope, movetext: &str) -> (Vec<(usize, u32, u32)>, Option<usize>) {
        let text = format!("{movetext} *\n");
        let record = read(text.as_bytes(), 0).next().expect("a record");
        let limit = MoveLimit { time: 60_000, delays: Some(3), scope };
        let found = limit.delays(&record, Owner::White, 99);
        let lost = found.iter().find(|delay| delay.loses).map(|delay| delay.timed.ply);
        (found.iter().map(|delay| (delay.timed.ply, delay.limits, delay.counted)).collect(), lost)
    }

    #[test]
    fn full_limits_count_within_a_move() {
        let none = "1. e4 {[%emt 0:00:59]} e5 {[%emt 0:00:59.9]}";
        assert_eq!(delays(DelayScope::Move, none), (vec![], None));
        let some = "1. e4 {[%emt 0:01:00]} e5 {[%emt 0:02:59]} 2. d4 {[%emt 0:02:00]} d5 {[%emt 0:03:00]} 3. c4 \
                    {[%emt 0:09:00]}";
        assert_eq!(
            delays(DelayScope::Move, some),
            (vec![(1, 1, 1), (2, 2, 2), (3, 2, 2), (4, 3, 3)], Some(4))
        );
        assert_eq!(delays(DelayScope::Game, some), (vec![(1, 1, 1), (2, 2, 2), (3, 2, 3)], Some(3)));
    }

    /// IAP 2: a time-out exempts its move from the loss; the opponent's points stay.
    #[test]
    fn a_time_out_exempts_its_move() {
        let called =
            "{[%timeout]} 1. e4 {[%emt 0:03:30] [%timeout]} e5 {[%emt 0:04:00]} 2. d4 {[%emt 0:03:00]}";
        assert_eq!(delays(DelayScope::Move, called), (vec![(1, 3, 0), (2, 4, 0), (3, 3, 3)], Some(3)));
        let after = "1. e4 {[%emt 0:03:30]} {[%timeout]} e5";
        assert_eq!(delays(DelayScope::Move, after), (vec![(1, 3, 3)], Some(1)));
    }

    #[test]
    fn values_of_tags() {
        let of = |limit: &str, delays: Option<&str>| MoveLimit::of_tags(limit, delays, DelayScope::Move);
        assert_eq!(of(" 90 ", None).map(|limit| limit.time), Ok(90_000));
        for (limit, delays, word) in [
            ("0", None, "MoveLimit is `0`"),
            ("1:00", None, "seconds"),
            ("60", Some("many"), "DelayLimit is `many`"),
        ] {
            assert!(of(limit, delays).is_err_and(|message| message.contains(word)), "{limit} {delays:?}");
        }
    }
}
