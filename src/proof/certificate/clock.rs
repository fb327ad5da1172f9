//! The sum of a player's time by the tags and comments of a record.

use super::ClockStep;
use ferz_core::board::Owner;
use ferz_core::rules::Definition;
use ferz_core::text::Timestamp;
use ferz_records::clock::{NatureClock, nature_clock, time_control};
use ferz_records::record::comment::{CommandKind, commands};
use ferz_records::record::time_control::{Bonus, Period, TimeControl};
use ferz_records::record::{ItemKind, Record};

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

impl Shown {
    /// The ply with which the player lost on time.
    pub(super) fn flag(&self) -> Option<usize> {
        match self {
            Shown::Delays(ply) => Some(*ply),
            Shown::Exceeded(steps) => steps.last().map(|step| step.ply),
            Shown::Left(_) | Shown::Nothing => None,
        }
    }
}

/// The times of a ply.
#[derive(Default, Clone, Copy)]
struct Times {
    elapsed: Option<u64>,
    clock: Option<u64>,
    /// A time-out is called after it.
    timeout: bool,
}

/// What the clocks show of `owner`. `movers` made the plies; `first` is on move at the start, with the move of this
/// number. With an instant the owner is on move, and a further move of his takes until then.
pub(super) fn clock(
    (record, rules): (&Record<'_>, &Definition),
    movers: &[Owner],
    first: (Owner, u32),
    (owner, at): (Owner, Option<Timestamp>),
) -> Shown {
    let times = times(record, movers.len());
    if let Some(ply) = delays(record, movers, &times, owner) {
        return Shown::Delays(ply);
    }
    let control = time_control(record.tag("TimeControl").as_deref(), rules);
    let Some(TimeControl::Periods(periods)) = control else { return Shown::Nothing };
    let raises = match nature_clock(record.tag("NatureClock").as_deref(), rules) {
        NatureClock::Increment => Raises::Interrupted,
        NatureClock::IncrementBoth => Raises::Both,
        NatureClock::Pause => Raises::None,
    };
    let until = at.map(|at| at.since(record.started()?));
    sum(&periods, movers, &times, (first, raises), (owner, until))
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

/// Whom a turn of Nature gives an increment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Raises {
    None,
    Interrupted,
    Both,
}

/// One player's clock.
struct Player {
    /// The number of the period, and the moves made in it.
    at: usize,
    moves: u32,
    /// The time left; `None` where it is not known.
    left: Option<u64>,
    /// By how much a sum may be wrong, since each time is rounded.
    doubt: u64,
}

impl Player {
    /// The clock of a player who has made so many moves before the record begins.
    fn after(periods: &[Period], made: u32) -> Player {
        let left = periods.first().map(|period| period.time).filter(|_| made == 0);
        let (mut at, mut moves) = (0, made);
        while let Some(of_period) = periods.get(at).and_then(|period| period.moves) {
            if of_period == 0 || of_period > moves {
                break;
            }
            if at + 1 == periods.len() {
                moves %= of_period;
                break;
            }
            (at, moves) = (at + 1, moves - of_period);
        }
        Player { at, moves, left, doubt: SECOND }
    }

    /// A stated clock ends the doubt.
    fn settle(&mut self, times: Times) {
        if times.clock.is_some() {
            self.doubt = SECOND;
        }
    }

    /// A move with its times; the sum if both are known.
    fn make(&mut self, periods: &[Period], ply: usize, times: Times) -> Option<ClockStep> {
        let Times { elapsed, clock, .. } = times;
        let period = *periods.get(self.at)?;
        self.moves = self.moves.saturating_add(1);
        let mut given = raise(&period);
        if period.moves == Some(self.moves) {
            (self.at, self.moves) = ((self.at + 1).min(periods.len() - 1), 0);
            given = given.saturating_add(periods[self.at].time);
        }
        let by_clock = self.left.zip(clock).filter(|_| !period.hourglass).map(|(left, clock)| {
            match left.saturating_add(given).saturating_sub(clock) {
                0 => 0,
                used => used.saturating_add(free(&period)),
            }
        });
        self.doubt = self.doubt.saturating_add(SECOND);
        let step = self.left.zip(elapsed.or(by_clock)).map(|(before, spent)| {
            let charged = spent.saturating_sub(free(&period));
            let after = before.saturating_sub(charged).saturating_add(given);
            ClockStep { ply, before, spent, charged, given, after, shown: clock }
        });
        self.left = clock.or(step.as_ref().map(|step| step.after));
        step
    }
}

fn sum(
    periods: &[Period],
    movers: &[Owner],
    times: &[Times],
    ((first, number), raises): ((Owner, u32), Raises),
    (owner, until): (Owner, Option<Option<u64>>),
) -> Shown {
    let made = number.saturating_sub(1);
    let whites = made.saturating_add(u32::from(first == Owner::Black));
    let mut players = [Player::after(periods, whites), Player::after(periods, made)];
    let (mut on_move, mut steps) = (first, Vec::new());
    // The time since the start of the game, and by how much it may be wrong.
    let (mut passed, mut doubt) = (Some(0u64), SECOND);
    for ply in 1..times.len() {
        let mover = movers[ply - 1];
        doubt = doubt.saturating_add(SECOND);
        if mover == Owner::Nature {
            passed = passed.zip(times[ply].elapsed).map(|(passed, spent)| passed.saturating_add(spent));
            for (player, of) in players.iter_mut().zip(Owner::REAL) {
                if raises == Raises::Both || raises == Raises::Interrupted && of == on_move {
                    let gets = periods.get(player.at).map_or(0, raise);
                    player.left = player.left.map(|left| left.saturating_add(gets));
                }
            }
            continue;
        }
        on_move = mover.opponent();
        let period = periods.get(players[mover.index()].at);
        let hourglass = period.is_some_and(|period| period.hourglass);
        let made = players[mover.index()].make(periods, ply, times[ply]);
        if times[ply].elapsed.is_none() {
            doubt = doubt.saturating_add(period.map_or(0, free));
        }
        let spent = times[ply].elapsed.or(made.as_ref().map(|step| step.spent));
        passed = passed.zip(spent).map(|(passed, spent)| passed.saturating_add(spent));
        let Some(step) = made else {
            players[mover.index()].settle(times[ply]);
            continue;
        };
        if hourglass {
            let other = &mut players[mover.opponent().index()];
            other.left = other.left.map(|left| left.saturating_add(step.charged));
            other.doubt = other.doubt.saturating_add(SECOND);
        }
        let exceeded = step.charged > step.before.saturating_add(players[mover.index()].doubt);
        players[mover.index()].settle(times[ply]);
        if mover == owner {
            steps.push(step);
            if exceeded {
                return Shown::Exceeded(steps);
            }
        }
    }
    if let Some(until) = until {
        let spent = until.zip(passed).and_then(|(until, passed)| until.checked_sub(passed));
        return further(periods, &mut players[owner.index()], (steps, times.len()), (spent, doubt));
    }
    if steps.is_empty() || players[owner.index()].left.is_none_or(|left| left < SECOND) {
        Shown::Nothing
    } else {
        Shown::Left(steps)
    }
}

/// What the clocks show once a further move has taken so long, or somewhat more or less.
fn further(
    periods: &[Period],
    player: &mut Player,
    (mut steps, ply): (Vec<ClockStep>, usize),
    (spent, doubt): (Option<u64>, u64),
) -> Shown {
    let delay = periods.get(player.at).map_or(0, free);
    let Some(step) = player.make(periods, ply, Times { elapsed: spent, ..Times::default() }) else {
        return Shown::Nothing;
    };
    let least = step.spent.saturating_sub(doubt).saturating_sub(delay);
    let most = step.spent.saturating_add(doubt).saturating_sub(delay);
    let before = step.before;
    steps.push(step);
    match player.doubt {
        own if least.saturating_sub(before) > own => Shown::Exceeded(steps),
        own if before.saturating_sub(most) >= own => Shown::Left(steps),
        _ => Shown::Nothing,
    }
}
