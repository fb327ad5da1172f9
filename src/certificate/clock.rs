//! The sum of a player's time by the tags and comments of a record.

use super::ClockStep;
use super::refusal::{Refusal, Step};
use crate::board::Owner;
use crate::record::comment::{CommandKind, commands};
use crate::record::time_control::{Bonus, Period, TimeControl};
use crate::record::{ItemKind, Record};

/// Times are rounded to whole seconds.
const SECOND: u64 = 1000;

/// What the clocks show of a player.
pub(super) enum Shown {
    /// The player let DelayLimit full limits pass on this ply.
    Delays(usize),
    /// The last of these moves took more than there was.
    Exceeded(Vec<ClockStep>),
    /// After the last of these moves there is time left.
    Left(Vec<ClockStep>),
    /// Nothing.
    Nothing,
}

/// The times of a ply.
#[derive(Default, Clone, Copy)]
struct Times {
    elapsed: Option<u64>,
    clock: Option<u64>,
    /// A time-out is called after it.
    timeout: bool,
}

/// What the clocks show of `owner`; `movers` made the plies.
pub(super) fn clock(record: &Record<'_>, movers: &[Owner], owner: Owner) -> Result<Shown, Refusal> {
    let times = times(record, movers.len());
    if let Some(ply) = delays(record, movers, &times, owner) {
        return Ok(Shown::Delays(ply));
    }
    let control = record.tag("TimeControl").and_then(|control| TimeControl::parse(control.trim()).ok());
    let Some(TimeControl::Periods(periods)) = control else { return Ok(Shown::Nothing) };
    let timed = times.iter().skip(1).any(|times| times.elapsed.or(times.clock).is_some());
    let fen = record.tag("FEN");
    let number = fen.as_deref().and_then(|fen| fen.split_ascii_whitespace().nth(5));
    let begins = number.is_none_or(|number| number == "1");
    let increments = record.tag("NatureClock").is_some_and(|clock| clock.starts_with("pause+"));
    if timed && (periods.iter().any(|period| period.hourglass) || !begins || increments) {
        let message = "no certificate covers hourglasses, later moves, and increments for Nature's turns";
        return Err(Refusal::new(Step::Statement, message));
    }
    Ok(sum(&periods, movers, &times, owner))
}

/// The times after each ply, and those before the first one.
fn times(record: &Record<'_>, plies: usize) -> Vec<Times> {
    let mut found = vec![Times::default()];
    for (_, &item) in record.main_line().items() {
        match item.kind {
            ItemKind::Move if found.len() > plies => break,
            ItemKind::Move => found.push(Times::default()),
            ItemKind::Comment(_) => {
                let text = record.text(item);
                let Some(last) = found.last_mut() else { continue };
                for command in commands(&text) {
                    match (command.name, command.kind) {
                        (_, CommandKind::Clock(time)) => last.clock = Some(time.milliseconds()),
                        (_, CommandKind::Elapsed(time)) => last.elapsed = Some(time.milliseconds()),
                        (_, CommandKind::Timeout) => last.timeout = true,
                        ("clk", _) => last.clock = None,
                        ("emt", _) => last.elapsed = None,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The ply by which `owner` lost the game by delays: the first such ply of either player, if it is the owner's.
fn delays(record: &Record<'_>, movers: &[Owner], times: &[Times], owner: Owner) -> Option<usize> {
    let number = |name: &str| record.tag(name)?.trim().parse().ok().filter(|number: &u32| *number > 0);
    let (limit, most) = (u64::from(number("MoveLimit")?) * SECOND, u64::from(number("DelayLimit")?));
    let lost = (1..times.len()).find(|&ply| {
        let limits = times[ply].elapsed.unwrap_or(0) / limit;
        movers[ply - 1] != Owner::Nature && limits >= most && !times[ply - 1].timeout
    });
    lost.filter(|&ply| movers[ply - 1] == owner)
}

fn raise(period: &Period) -> u64 {
    if let Bonus::Increment(time) = period.bonus { time } else { 0 }
}

fn free(period: &Period) -> u64 {
    if let Bonus::Delay(time) | Bonus::Bronstein(time) = period.bonus { time } else { 0 }
}

fn sum(periods: &[Period], movers: &[Owner], times: &[Times], owner: Owner) -> Shown {
    let (mut at, mut moves, mut doubt) = (0, 0, SECOND);
    let mut left = periods.first().map(|period| period.time);
    let mut steps = Vec::new();
    let own = (1..times.len()).filter(|&ply| movers[ply - 1] == owner);
    for ply in own {
        let (Some(&period), Times { elapsed, clock, .. }) = (periods.get(at), times[ply]) else { break };
        moves += 1;
        let mut given = raise(&period);
        if period.moves == Some(moves) {
            (at, moves) = ((at + 1).min(periods.len() - 1), 0);
            given = given.saturating_add(periods[at].time);
        }
        let by_clock =
            left.zip(clock).map(|(left, clock)| match left.saturating_add(given).saturating_sub(clock) {
                0 => 0,
                used => used.saturating_add(free(&period)),
            });
        doubt += SECOND;
        let sum = left.zip(elapsed.or(by_clock)).map(|(before, spent)| {
            let charged = spent.saturating_sub(free(&period));
            let after = before.saturating_sub(charged).saturating_add(given);
            ClockStep { ply, before, spent, charged, given, after, shown: clock }
        });
        left = clock.or(sum.as_ref().map(|sum| sum.after));
        if let Some(step) = sum {
            let exceeded = step.charged > step.before.saturating_add(doubt);
            steps.push(step);
            if exceeded {
                return Shown::Exceeded(steps);
            }
        }
        if clock.is_some() {
            doubt = SECOND;
        }
    }
    if steps.is_empty() || left.is_none_or(|left| left < SECOND) {
        Shown::Nothing
    } else {
        Shown::Left(steps)
    }
}
