//! Compares the clocks of a game with its time control: `[%clk]`, `[%emt]`, `[%egt]`, `[%mct]`.

use super::codes;
use crate::clock::{Allotment, DAY, MoveLimit, NatureClock, ROUNDING, TimedPly, each_timed, shown};
use crate::record::Record;
use crate::record::time_control::Period;
use ferz_core::board::Owner;
use ferz_core::text::{Code, Diagnostic, Severity};

/// The same for a difference of two clocks compared with the time between.
const DIFFERENCE: u64 = 2000;

/// How a game was timed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing<'a> {
    /// The periods of the tag `TimeControl`; empty if there are none.
    pub periods: &'a [Period],
    /// Nature's limit for a turn in milliseconds.
    pub nature_limit: Option<u64>,
    /// What the real players get for such a turn.
    pub nature_clock: NatureClock,
    /// The player who begins.
    pub first: Owner,
    /// The number of the first move: moves before it count for the periods.
    pub number: u32,
}

/// True if the clocks certainly fit, as in most games: each ply is followed by one clock time and nothing else, and
/// none rises by more than a move adds. Nature does not act.
pub(super) fn all_fit(record: &Record<'_>, timing: &Timing<'_>, plies: usize) -> bool {
    let ([period], Some(clocks)) = (timing.periods, record.clock_of_each_ply()) else { return false };
    let Some(clocks) = clocks.get(..plies).filter(|_| period.moves.is_none() && !period.hourglass) else {
        return false;
    };
    let fits = |clock: u32, before: u64| u64::from(clock) <= before + period.bonus.raise() + ROUNDING;
    clocks.iter().take(2).all(|clock| fits(*clock, period.time))
        && clocks.iter().skip(2).zip(clocks).all(|(clock, before)| fits(*clock, u64::from(*before)))
}

/// Compares the clocks of the first `plies` plies of the main line with the time control. Reports the first place of
/// each kind of fault, and the number of further ones.
pub(super) fn check_clocks(record: &Record<'_>, timing: Timing<'_>, plies: usize) -> Vec<Diagnostic> {
    let before = timing.number.saturating_sub(1);
    let whites = before.saturating_add(u32::from(timing.first == Owner::Black));
    let sides = [whites, before].map(|moves| Side::after(timing.periods, moves));
    let mut clocks = Clocks { record, timing, sides, faults: Vec::new() };
    each_timed(record, timing.first, plies, |timed| clocks.ply(timed));
    clocks.finish()
}

/// The state of one player's clock.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    /// The most that the clock can show now.
    upper: u64,
    /// The last clock time.
    clock: Option<u64>,
    /// All time given to the player.
    budget: u64,
    /// All time spent according to `[%emt]`, and the number of plies it covers.
    spent: (u64, u64),
    /// Time spent on the game according to `[%egt]`.
    elapsed_game: u64,
    /// The current period.
    place: Allotment,
}

impl Side {
    /// A player who has made this many moves with unknown times: assumes that they took no time.
    fn after(periods: &[Period], moves: u32) -> Side {
        let (place, given) = Allotment::after(periods, moves);
        let budget = given.raised.saturating_add(given.spared);
        Side { upper: given.raised, budget, place, ..Side::default() }
    }
}

struct Clocks<'a> {
    record: &'a Record<'a>,
    timing: Timing<'a>,
    sides: [Side; 2],
    /// The first fault of each kind, and how often it occurred.
    faults: Vec<(Diagnostic, usize)>,
}

impl Clocks<'_> {
    /// CHA: an in-between turn may give increments.
    #[inline(never)]
    fn interrupt(&mut self, interrupted: Owner) {
        for owner in Owner::REAL {
            let side = &mut self.sides[owner.index()];
            let gives = self.timing.nature_clock.gives(owner, interrupted);
            if let (true, Some(period)) = (gives, side.place.period(self.timing.periods)) {
                side.upper = side.upper.saturating_add(period.bonus.raise());
                side.budget = side.budget.saturating_add(period.bonus.raise());
                // The earlier clock time no longer bounds the time spent.
                side.clock = None;
            }
        }
    }

    #[inline(always)]
    fn ply(&mut self, timed: &TimedPly) {
        if let Some(interrupted) = timed.interrupted {
            self.interrupt(interrupted);
            return self.natures(timed);
        }
        if timed.times.mechanical.is_some() {
            self.day(timed);
        }
        let (periods, index) = (self.timing.periods, timed.actor.index());
        let side = &mut self.sides[index];
        let Some(period) = side.place.period(periods) else { return };
        // The time of the next period is added once the move is made, too late to be spent on it.
        let next = side.place.complete(periods, period);
        let given = period.bonus.raise().saturating_add(next);
        side.upper = side.upper.saturating_add(given);
        side.budget = side.budget.saturating_add(period.bonus.raise() + period.bonus.free());
        let times = &timed.times;
        if !period.hourglass {
            if times.clock.is_some_and(|clock| clock > side.upper.saturating_add(ROUNDING)) {
                self.clock_too_high(timed, index);
            }
            if times.elapsed.is_some() || times.elapsed_game.is_some() {
                self.elapsed(timed, index, next, *period);
            }
        }
        let side = &mut self.sides[index];
        side.budget = side.budget.saturating_add(next);
        side.upper = times.clock.unwrap_or(side.upper);
        side.clock = times.clock;
    }

    #[cold]
    fn clock_too_high(&mut self, timed: &TimedPly, index: usize) {
        let (Some(clock), side) = (timed.times.clock, self.sides[index]) else { return };
        let (code, message) = match side.clock {
            Some(before) => {
                let (rise, allowed) = (clock.saturating_sub(before), side.upper.saturating_sub(before));
                let message =
                    format!("the clock rises by {}, but TimeControl adds {}", shown(rise), shown(allowed));
                (codes::J_CLOCK_RISES, message)
            }
            None => {
                let message =
                    format!("the clock shows {}, but TimeControl gives {}", shown(clock), shown(side.upper));
                (codes::J_CLOCK_ABOVE, message)
            }
        };
        self.report(code, timed, message);
    }

    #[inline(never)]
    fn elapsed(&mut self, timed: &TimedPly, index: usize, next: u64, period: Period) {
        let given = period.bonus.raise().saturating_add(next);
        let mut side = self.sides[index];
        if let Some(total) = timed.times.elapsed_game {
            if total + ROUNDING < side.elapsed_game {
                self.report(codes::J_CLOCK_ELAPSED, timed, "the time spent on the game decreases".into());
            }
            side.elapsed_game = total;
            self.sides[index] = side;
        }
        let Some(elapsed) = timed.times.elapsed else { return };
        if let (Some(before), Some(clock)) = (side.clock, timed.times.clock) {
            let used = elapsed.saturating_sub(period.bonus.free());
            let expected = (before + given).saturating_sub(used);
            // In correspondence games the clock restarts with each move.
            let restarted = period.moves == Some(1) && clock.abs_diff(period.time) <= DIFFERENCE;
            let had = before.saturating_add(period.bonus.raise());
            if next > 0 && used > had + DIFFERENCE {
                let message = format!("{} spent, but the clock had {}", shown(elapsed), shown(had));
                self.report(codes::J_TIME_SPENT, timed, message);
            } else if expected.abs_diff(clock) > DIFFERENCE && !restarted {
                let message = format!(
                    "{} spent, so the clock should show {}, not {}",
                    shown(elapsed),
                    shown(expected),
                    shown(clock)
                );
                self.report(codes::J_CLOCK_ELAPSED, timed, message);
            }
        }
        side.spent = (side.spent.0 + elapsed, side.spent.1 + 1);
        self.sides[index] = side;
        let (spent, plies) = side.spent;
        if timed.times.clock.is_none() && spent > side.budget.saturating_add(plies * ROUNDING) {
            let message =
                format!("{} spent so far, but TimeControl gives {}", shown(spent), shown(side.budget));
            self.report(codes::J_TIME_SPENT, timed, message);
        }
    }

    #[inline(never)]
    fn day(&mut self, timed: &TimedPly) {
        if timed.times.mechanical.is_some_and(|time| time >= DAY) {
            self.report(codes::J_TIME_SPENT, timed, "the time of day exceeds 24 hours".into());
        }
    }

    #[inline(never)]
    fn natures(&mut self, timed: &TimedPly) {
        let (Some(elapsed), Some(limit)) = (timed.times.elapsed, self.timing.nature_limit) else { return };
        if timed.exceeds(limit) {
            let message =
                format!("Nature took {}, but NatureTimeLimit gives {}", shown(elapsed), shown(limit));
            self.report(codes::J_TIME_SPENT, timed, message);
        }
    }

    #[cold]
    fn report(&mut self, code: Code, timed: &TimedPly, message: String) {
        match self.faults.iter_mut().find(|(fault, _)| fault.code == code) {
            Some((_, times)) => *times += 1,
            None => {
                let span = self.record.span(timed.item);
                self.faults.push((Diagnostic::new(code, Severity::Warning, span, message), 1));
            }
        }
    }

    fn finish(self) -> Vec<Diagnostic> {
        let faults = self.faults.into_iter().map(|(diagnostic, times)| match times {
            1 => diagnostic,
            times => diagnostic.note(format!("{} more in this game", times - 1)),
        });
        faults.collect()
    }
}

/// The moves that took one full move limit or more (IAP 1), and the one that loses the game by them (IAP 2).
pub(super) fn check_move_limit(
    record: &Record<'_>,
    limit: &MoveLimit,
    first: Owner,
    plies: usize,
) -> Vec<Diagnostic> {
    let delays = limit.delays(record, first, plies).into_iter().map(|delay| {
        let (opponent, sum) = (delay.timed.actor.opponent().name(), delay.sum());
        let points =
            if delay.limits == 1 { "1 point".to_owned() } else { format!("{} points", delay.limits) };
        let (span, message) =
            (record.span(delay.timed.item), format!("{sum}: {points} for {opponent} (IAP 1)"));
        let note = Diagnostic::new(codes::J_MOVE_DELAYED, Severity::Info, span, message);
        if !delay.loses {
            return note;
        }
        let (loser, counted) = (delay.timed.actor.name(), delay.counted);
        let message =
            format!("{loser} let {counted} move limits pass, and loses the game by DelayLimit (IAP 2)");
        Diagnostic::new(codes::J_DELAYS_LOSE, Severity::Warning, span, message).note(sum)
    });
    delays.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::time_control::{Bonus, TimeControl};
    use crate::replay::tests::record;

    /// The codes reported for a game whose first move has the number.
    fn reported(control: &str, (number, first): (u32, Owner), movetext: &str) -> Vec<&'static str> {
        let Ok(TimeControl::Periods(periods)) = TimeControl::parse(control) else { panic!("{control}") };
        let (nature_limit, nature_clock) = (None, NatureClock::Pause);
        let timing = Timing { periods: &periods, nature_limit, nature_clock, first, number };
        let text = format!("{movetext} *\n");
        let record = record(&text);
        let plies = record.main_moves().count();
        check_clocks(&record, timing, plies).iter().map(|fault| fault.code.0).collect()
    }

    #[test]
    fn the_next_period_is_no_time_for_the_move_before_it() {
        let start = (1, Owner::White);
        for (control, movetext, codes) in [
            ("1/60", "1. e4 {[%emt 0:01:59]} e5", vec!["J022"]),
            ("1/60", "1. e4 {[%emt 0:00:59]} e5 2. d4 {[%emt 0:01:00]}", vec![]),
            ("2/60:30", "1. e4 {[%emt 0:00:10]} e5 2. d4 {[%emt 0:01:15]}", vec!["J022"]),
            ("2/60:30", "1. e4 {[%emt 0:00:10]} e5 2. d4 {[%emt 0:00:50]} d5 3. f4 {[%emt 0:00:30]}", vec![]),
            ("1/86400", "1. e4 {[%emt 40:00:00]}", vec!["J022"]),
            (
                "1/60",
                "1. e4 {[%clk 0:01:00] [%emt 0:00:05]} e5 2. d4 {[%clk 0:00:01] [%emt 0:01:59]}",
                vec!["J022"],
            ),
            ("2/60+5:30", "1. e4 {[%clk 0:00:55]} e5 2. d4 {[%clk 0:00:30] [%emt 0:01:00]}", vec![]),
        ] {
            assert_eq!(reported(control, start, movetext), codes, "{control} {movetext}");
        }
    }

    #[test]
    fn moves_before_the_first_one_count_for_the_periods() {
        let rise = "{[%clk 0:00:20]} e5 {[%clk 0:00:20]} d4 {[%clk 1:00:10]} d5 {[%clk 1:00:10]}";
        for (control, number, codes) in [
            ("40/60:3600", 39, vec![]),
            ("40/60:3600", 38, vec!["J019"]),
            ("40/60:3600", 1, vec!["J019"]),
            ("20/60:20/60:3600", 39, vec![]),
            ("10/3600", 29, vec![]),
            ("1/4000000000d", u32::MAX, vec![]),
        ] {
            assert_eq!(
                reported(control, (number, Owner::White), &format!("e4 {rise}")),
                codes,
                "{control} {number}"
            );
        }
        let black = "e5 {[%clk 0:00:20]} d4 {[%clk 1:00:10]} d5 {[%clk 1:00:10]}";
        assert_eq!(reported("40/60:3600", (39, Owner::Black), black), [""; 0]);
        // What was left before is not known, but no more than all that was given.
        assert_eq!(reported("40/60:30", (41, Owner::White), "e4 {[%clk 0:01:30]}"), [""; 0]);
        assert_eq!(reported("40/60:30", (41, Owner::White), "e4 {[%clk 0:01:40]}"), ["J020"]);
        assert_eq!(
            reported("40/60", (81, Owner::White), "e4 {[%clk 0:03:00]} e5 {[%clk 0:03:10]}"),
            ["J020"]
        );
        assert_eq!(reported("60+2", (11, Owner::White), "e4 {[%clk 0:01:22]} e5 {[%clk 0:01:20]}"), [""; 0]);
    }

    #[test]
    fn fitting_clocks_give_no_diagnostics() {
        let mut seed = 7u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let mut found = [0; 2];
        for round in 0..400 {
            let bonus = [Bonus::None, Bonus::Increment(2000), Bonus::Delay(2000)][round % 3];
            let period = Period { moves: None, time: 60_000, bonus, hourglass: false };
            let timing = Timing {
                periods: &[period],
                nature_limit: None,
                nature_clock: NatureClock::Pause,
                first: Owner::White,
                number: 1,
            };
            let mut clocks = [62u64, 62];
            let mut text = String::new();
            for ply in 0..6 {
                let clock = &mut clocks[ply % 2];
                *clock = *clock + random(40) / 9 - random(3);
                text += &format!("e4 {{[%clk 0:{:02}:{:02}]}} ", *clock / 60, *clock % 60);
                if random(60) == 0 {
                    text += "{[%clk 0:00:09]} ";
                }
            }
            let record = record(&text);
            let fits = all_fit(&record, &timing, 6);
            let reported = !check_clocks(&record, timing, 6).is_empty();
            assert!(!(fits && reported), "{text}");
            assert!(fits || reported || record.clock_of_each_ply().is_none(), "{text}");
            found[usize::from(fits)] += 1;
        }
        assert!(found[0] > 20 && found[1] > 20, "{found:?}");
    }
}
