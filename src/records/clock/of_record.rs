//! Clocks by the times that a record states.

use super::account::{Account, Charge, Clocks, Step};
use super::each_timed;
use crate::record::Record;
use crate::record::time_control::Period;
use ferz_core::board::Owner;
use ferz_core::text::Timestamp;

/// Clocks and times are written in whole seconds, truncated or rounded.
const ROUNDING: u64 = 1000;

/// The clocks of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Each move whose time and clock are known, with its sum.
    pub steps: Vec<Step>,
    /// The time left to White and Black after the last ply; `None` where it is not known.
    pub left: [Option<u64>; 2],
    /// The first move of White and of Black that took more than there was, by more than the rounding of times explains.
    pub exceeded: [Option<Step>; 2],
    /// When the move after the last ply began, if the clocks ran from the start of the game; `None` if the record does
    /// not state its start and the time of every ply.
    pub began: Option<Began>,
    accounts: [Account; 2],
    /// By how much the time left may be wrong, since each of its times is rounded.
    rounded: [u64; 2],
}

/// The beginning of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Began {
    /// The instant: that of the start, and the times of all plies.
    pub at: Timestamp,
    /// By how much it may be wrong, in milliseconds.
    pub doubt: u64,
}

impl Recorded {
    /// The sum of a further move by a player that takes so long, and by how much it may be wrong; `None` if the time
    /// left is not known.
    pub fn further(&self, clocks: &Clocks, (ply, by): (usize, Owner), spent: u64) -> Option<(Step, u64)> {
        let mut account = self.accounts[by.index()];
        let step = account.make(clocks, (ply, by), Some(spent))?;
        Some((step, self.rounded[by.index()] + ROUNDING))
    }
}

/// The clocks after the first `plies` plies of a record, by `[%emt]` and `[%clk]`. A clock that is stated takes
/// precedence over the sum, and shows the time of a ply that is not. `first` is the player who begins, with the move of
/// this number.
pub fn of_record(
    clocks: &Clocks,
    record: &Record<'_>,
    (first, number): (Owner, u32),
    plies: usize,
) -> Recorded {
    let moves = number.saturating_sub(1);
    let whites = moves.saturating_add(u32::from(first == Owner::Black));
    let mut accounts = [whites, moves].map(|moves| Account::new(clocks, moves));
    let (mut steps, mut exceeded) = (Vec::new(), [None; 2]);
    // By how much a sum may be wrong, since each of its times is rounded.
    let mut rounded = [ROUNDING; 2];
    let mut began = record.started().map(|at| Began { at, doubt: ROUNDING });
    each_timed(record, first, plies, |timed| {
        let times = &timed.times;
        if let Some(interrupted) = timed.interrupted {
            began = began.and_then(|began| began.after(times.elapsed, 0));
            for owner in
                Owner::REAL.into_iter().filter(|owner| clocks.nature_clock.gives(*owner, interrupted))
            {
                accounts[owner.index()].grant_increment(clocks);
            }
            return;
        }
        let (index, ply) = (timed.actor.index(), (timed.ply, timed.actor));
        let period = accounts[index].period(clocks).copied();
        let spent = times.elapsed.or_else(|| by_clock(clocks, accounts[index], &period?, times.clock?));
        // A clock does not show what its delay hides.
        let hidden = period.filter(|_| times.elapsed.is_none()).map_or(0, |period| period.bonus.free());
        began = began.and_then(|began| began.after(spent, hidden));
        let Some(period) = period else { return };
        let step = accounts[index].make(clocks, ply, spent);
        rounded[index] += ROUNDING;
        if let Some(step) = step {
            let step = Step { shown: times.clock, ..step };
            if period.hourglass {
                // What one player spends is rounded in the other's time, too.
                accounts[1 - index].grant(step.charged);
                rounded[1 - index] += ROUNDING;
            }
            if step.exceeded() > rounded[index] && exceeded[index].is_none() {
                exceeded[index] = Some(step);
            }
            steps.push(step);
        }
        if times.clock.is_some() {
            accounts[index].left = times.clock;
            rounded[index] = ROUNDING;
        }
    });
    Recorded { steps, left: accounts.map(|account| account.left), exceeded, began, accounts, rounded }
}

impl Began {
    /// The beginning of the next move, after one that took so long; a clock may hide a part of that.
    fn after(self, spent: Option<u64>, hidden: u64) -> Option<Began> {
        let doubt = self.doubt.saturating_add(ROUNDING).saturating_add(hidden);
        spent.map(|spent| Began { at: self.at.after(spent), doubt })
    }
}

/// The time of a move by the clock after it.
fn by_clock(clocks: &Clocks, mut account: Account, period: &Period, clock: u64) -> Option<u64> {
    if period.hourglass || clocks.charge != Charge::Exact {
        return None;
    }
    let unspent = account.make(clocks, (0, Owner::White), Some(0))?.after;
    match unspent.saturating_sub(clock) {
        0 => Some(0),
        charged => Some(charged + period.bonus.free()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;
    use crate::record::time_control::TimeControl;

    fn clocks(control: &str) -> Clocks {
        let Ok(TimeControl::Periods(periods)) = TimeControl::parse(control) else { panic!("{control}") };
        Clocks { periods, ..Clocks::default() }
    }

    fn recorded(control: &str, movetext: &str) -> Recorded {
        let text = format!("{movetext} *\n");
        let record = read(text.as_bytes(), 0).next().expect("a record");
        of_record(&clocks(control), &record, (Owner::White, 1), 99)
    }

    fn sums(found: &Recorded) -> Vec<String> {
        found.steps.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn sums_by_the_times_spent() {
        let found =
            recorded("60+5", "1. e4 {[%emt 0:00:20]} e5 {[%emt 0:00:02]} 2. d4 {[%emt 0:01:30]} d5 3. c4");
        let whites = ["0:01:00 - 0:00:20 + 0:00:05 = 0:00:45", "0:00:45 - 0:01:30 = -0:00:45"];
        assert_eq!(sums(&found), [whites[0], "0:01:00 - 0:00:02 + 0:00:05 = 0:01:03", whites[1]]);
        assert_eq!(found.exceeded[0].map(|step| (step.ply, step.exceeded())), Some((3, 45_000)));
        // Black's second move has no time.
        assert_eq!((found.exceeded[1], found.left), (None, [None, None]));
        let next = recorded("2/60:30", "1. e4 {[%emt 0:00:10]} e5 2. d4 {[%emt 0:00:50]} d5");
        assert_eq!(
            sums(&next),
            ["0:01:00 - 0:00:10 + 0:00:00 = 0:00:50", "0:00:50 - 0:00:50 + 0:00:30 = 0:00:30"]
        );
        // Each of the times may be half a second longer or shorter.
        let rounded = recorded("60", "1. e4 {[%emt 0:00:31]} e5 2. d4 {[%emt 0:00:32]}");
        assert_eq!(rounded.exceeded, [None; 2]);
        let delayed = recorded("60d5", "1. e4 {[%emt 0:00:04]} e5 {[%emt 0:01:05]}");
        assert_eq!((delayed.left, delayed.exceeded), ([Some(60_000), Some(0)], [None; 2]));
    }

    /// The move in progress began after the times of all others, Nature's included.
    #[test]
    fn a_further_move_is_added_up() {
        let start = "[UTCDate \"2026.11.24\"]\n[UTCTime \"10:00:00\"]\n\n";
        let began = |movetext: &str| {
            let found = recorded("60+5", movetext);
            (found.began.map(|began| (began.at.to_string(), began.doubt)), found)
        };
        let at = |seconds: u32, doubt| Some((format!("2026-11-24T10:00:{seconds:02}Z"), doubt));
        assert_eq!(began(&format!("{start}1. e4 {{[%emt 0:00:20]}} e5 {{[%clk 0:01:01]}}")).0, at(24, 3000));
        assert_eq!(began(start).0, at(0, 1000));
        assert_eq!(began(&format!("{start}1. e4 {{[%emt 0:00:20]}} e5")).0, None);
        assert_eq!(began("1. e4 {[%emt 0:00:20]}").0, None);
        let (natures, found) =
            began(&format!("{start}1. e4 {{[%emt 0:00:20]}} oo1..... e6 {{[%emt 0:00:03]}}"));
        assert_eq!(natures, at(23, 3000));
        let (step, doubt) = found.further(&clocks("60+5"), (3, Owner::Black), 62_000).expect("a sum");
        assert_eq!((step.exceeded(), doubt), (2000, 2000));
        let second = found.further(&clocks("60+5"), (3, Owner::White), 62_000).expect("a sum").0;
        assert_eq!((second.before, second.exceeded()), (45_000, 17_000));
    }

    #[test]
    fn a_stated_clock_takes_precedence() {
        let found = recorded(
            "60+5",
            "1. e4 {[%clk 0:00:50]} e5 {[%clk 0:01:05]} 2. d4 {[%clk 0:00:54] [%emt 0:01:00]}",
        );
        assert_eq!(
            sums(&found),
            [
                "0:01:00 - 0:00:15 + 0:00:05 = 0:00:50",
                "0:01:00 - 0:00:00 + 0:00:05 = 0:01:05",
                "0:00:50 - 0:01:00 = -0:00:10"
            ]
        );
        assert_eq!(found.left, [Some(54_000), Some(65_000)]);
        assert_eq!(found.exceeded[0].map(|step| step.ply), Some(3));
    }
}
