//! Clocks by events with their instants, as a server keeps them.

use super::account::{Account, Charge, Clocks, Step};
use super::days::{first_day_beyond, next_year};
use super::{DAY, DelayScope};
use ferz_core::board::Owner;
use std::collections::HashMap;

/// The year 10000: no leave is taken after it, so that no instant takes long.
const LATEST: u64 = 253_402_300_800_000;

/// Something that happened, with its instant in milliseconds since 1970. Events come in the order of their instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The instant.
    pub at: u64,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The game begins, and this player's clock with it.
    Begins(Owner),
    /// The player completes a ply; one of Nature's leaves the player on move.
    Ply(Owner),
    /// The player goes on leave.
    Leaves(Owner),
    /// The player is back.
    Returns(Owner),
    /// All clocks stop: the server is down, or Nature has called a turn.
    Stops,
    /// They go on.
    Resumes,
    /// A player is given time: by an arbiter, or for a false claim.
    Granted(Owner, u64),
    /// Time is taken from a player, for a false claim.
    Taken(Owner, u64),
    /// The player calls a time-out: the limits that pass on the move in progress do not lose the game (IAP 2).
    TimeOut(Owner),
    /// The game is over.
    Ends,
}

/// The clocks at an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Each move with its sum.
    pub steps: Vec<Step>,
    /// The time left to White and Black before the move in progress; `None` without clocks.
    pub left: [Option<u64>; 2],
    /// The move in progress.
    pub running: Option<Running>,
    /// The first move that took more than there was: the ply, and its player. It may be the one in progress.
    pub exceeded: Option<(usize, Owner)>,
    /// The full limits that have passed on moves of White and of Black: points of the opponent (IAP 1).
    pub delays: [u32; 2],
}

/// The move in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    /// The number of the ply to come.
    pub ply: usize,
    /// Who is on move.
    pub by: Owner,
    /// The time that the move has taken.
    pub spent: u64,
    /// What is charged for it so far.
    pub charged: u64,
    /// The instant at which more is charged than there is, unless the clock stops before; `None` while it stands still,
    /// or without clocks.
    pub deadline: Option<u64>,
    /// The instant from which the player is silent; `None` while the clock stands still, or without such a rule.
    pub silent: Option<u64>,
}

/// The clocks at an instant, by everything that happened up to it. Later events are left out.
pub fn run(clocks: &Clocks, events: &[Event], now: u64) -> State {
    let mut count = Count {
        clocks,
        accounts: [Account::new(clocks, 0); 2],
        steps: Vec::new(),
        exceeded: None,
        plies: 0,
        on_move: None,
        spent: 0,
        last: 0,
        stopped: false,
        away: [false; 2],
        leave: HashMap::new(),
        delays: [0; 2],
        counted: [0; 2],
        is_time_out: false,
    };
    for event in events.iter().filter(|event| event.at <= now) {
        count.advance(event.at);
        count.happen(event.what);
    }
    count.advance(now);
    let running = count.running(now);
    if let Some(running) = running
        && count.exceeded.is_none()
        && (count.left(running.by).is_some_and(|left| running.charged > left)
            || count.loses_by_delays(running.by))
    {
        count.exceeded = Some((running.ply, running.by));
    }
    State {
        delays: count.delays,
        left: count.accounts.map(|account| account.left),
        running,
        exceeded: count.exceeded,
        steps: count.steps,
    }
}

struct Count<'c> {
    clocks: &'c Clocks,
    accounts: [Account; 2],
    steps: Vec<Step>,
    exceeded: Option<(usize, Owner)>,
    plies: usize,
    on_move: Option<Owner>,
    /// The time that the move in progress has taken.
    spent: u64,
    /// The instant up to which time is counted.
    last: u64,
    stopped: bool,
    away: [bool; 2],
    /// The leave that each player has taken, by the end of its calendar year.
    leave: HashMap<(Owner, u64), u64>,
    /// The full limits that have passed on moves of each player, and those that count for the loss of the game.
    delays: [u32; 2],
    counted: [u32; 2],
    /// True if the limits of the move in progress do not count.
    is_time_out: bool,
}

impl Count<'_> {
    fn left(&self, owner: Owner) -> Option<u64> {
        self.accounts.get(owner.index()).and_then(|account| account.left)
    }

    /// Counts the time up to an instant; during leave one calendar year after the other.
    fn advance(&mut self, to: u64) {
        while self.last < to {
            let is_leave = self.away != [false; 2] && self.last < LATEST;
            let year = if is_leave { next_year(self.last) } else { u64::MAX };
            let part = to.min(year) - self.last;
            for owner in Owner::REAL {
                let free = if self.away[owner.index()] { self.take_leave(owner, year, part) } else { 0 };
                if self.on_move == Some(owner) && !self.stopped {
                    self.spent = self.spent.saturating_add(part - free);
                }
            }
            self.last += part;
        }
    }

    /// Takes leave in the year that ends at an instant; returns the part that the year still allows.
    fn take_leave(&mut self, owner: Owner, year: u64, part: u64) -> u64 {
        let taken = self.leave.entry((owner, year)).or_default();
        let free = (u64::from(self.clocks.leave) * DAY).saturating_sub(*taken).min(part);
        *taken += part;
        free
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Begins(owner) => (self.on_move, self.spent) = (Some(owner), 0),
            What::Ply(Owner::Nature) => {
                self.plies += 1;
                let Some(interrupted) = self.on_move else { return };
                for owner in Owner::REAL {
                    if self.clocks.nature_clock.gives(owner, interrupted) {
                        self.accounts[owner.index()].grant_increment(self.clocks);
                    }
                }
            }
            What::Ply(owner) => self.ply(owner),
            What::Leaves(owner) | What::Returns(owner) => {
                if let Some(away) = self.away.get_mut(owner.index()) {
                    *away = matches!(what, What::Leaves(_));
                }
            }
            What::Stops | What::Resumes => self.stopped = what == What::Stops,
            What::Granted(owner, time) => {
                if let Some(account) = self.accounts.get_mut(owner.index()) {
                    account.grant(time);
                }
            }
            What::Taken(owner, time) => {
                if let Some(account) = self.accounts.get_mut(owner.index()) {
                    account.left = account.left.map(|left| left.saturating_sub(time));
                }
            }
            What::TimeOut(owner) => self.is_time_out |= self.on_move == Some(owner),
            What::Ends => self.on_move = None,
        }
    }

    /// The limits that count for the loss of the game, those of the move in progress included.
    fn counted(&self, owner: Owner) -> u32 {
        let of_this =
            self.clocks.limit.filter(|_| !self.is_time_out).map_or(0, |limit| limit.limits(self.spent));
        self.counted_before(owner).saturating_add(of_this)
    }

    /// The limits that count before the move in progress.
    fn counted_before(&self, owner: Owner) -> u32 {
        let adds_up = self.clocks.limit.is_some_and(|limit| limit.scope == DelayScope::Game);
        if adds_up { self.counted[owner.index()] } else { 0 }
    }

    fn loses_by_delays(&self, owner: Owner) -> bool {
        let most = self.clocks.limit.and_then(|limit| limit.delays);
        !self.is_time_out && most.is_some_and(|most| self.counted(owner) >= most)
    }

    fn ply(&mut self, owner: Owner) {
        self.plies += 1;
        if let Some(limit) = self.clocks.limit {
            if self.loses_by_delays(owner) && self.exceeded.is_none() {
                self.exceeded = Some((self.plies, owner));
            }
            self.counted[owner.index()] = self.counted(owner);
            let delays = &mut self.delays[owner.index()];
            *delays = delays.saturating_add(limit.limits(self.spent));
            self.is_time_out = false;
        }
        let hourglass =
            self.accounts[owner.index()].period(self.clocks).is_some_and(|period| period.hourglass);
        let made = self.accounts[owner.index()].make(self.clocks, (self.plies, owner), Some(self.spent));
        if let Some(step) = made {
            if hourglass {
                self.accounts[owner.opponent().index()].grant(step.charged);
            }
            if step.exceeded() > 0 && self.exceeded.is_none() {
                self.exceeded = Some((step.ply, owner));
            }
            self.steps.push(step);
        }
        (self.on_move, self.spent) = (Some(owner.opponent()), 0);
    }

    /// The move in progress at the instant up to which time is counted.
    fn running(&self, now: u64) -> Option<Running> {
        let by = self.on_move?;
        let account = &self.accounts[by.index()];
        let period = account.period(self.clocks);
        let charged = period.map_or(0, |period| self.clocks.charged(period, self.spent));
        let stands = self.stopped || self.away[by.index()] && self.clocks.leave > 0;
        let after = |time: u64| now.saturating_add(time.saturating_sub(self.spent));
        let deadline = account.left.zip(period).map(|(left, period)| {
            let free = period.bonus.free();
            after(match self.clocks.charge {
                Charge::Exact => left.saturating_add(free),
                Charge::Days { double_after } => {
                    first_day_beyond(left / DAY, double_after).saturating_mul(DAY).saturating_add(free)
                }
            })
        });
        // The limits that are left until the game is lost (IAP 2).
        let limit = self.clocks.limit.filter(|_| !self.is_time_out);
        let by_delays = limit.and_then(|limit| {
            let left = limit.delays?.saturating_sub(self.counted_before(by));
            Some(after(u64::from(left).saturating_mul(limit.time)))
        });
        let deadline = [deadline, by_delays].into_iter().flatten().min();
        Some(Running {
            ply: self.plies + 1,
            by,
            spent: self.spent,
            charged,
            deadline: deadline.filter(|_| !stands),
            silent: self.clocks.silence.filter(|_| !stands).map(after),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MoveLimit;

    /// Full limits are points of the opponent, and lose the game within a move or over the game (IAP 1, IAP 2).
    #[test]
    fn limits_of_moves_lose_the_game() {
        let of = |scope, delays| Clocks {
            limit: Some(MoveLimit { time: 60_000, delays, scope }),
            ..Clocks::default()
        };
        let at = |seconds: u64, what| Event { at: seconds * 1000, what };
        let game = [at(0, What::Begins(Owner::White)), at(130, What::Ply(Owner::White))];
        let game = |more: &[Event]| [&game[..], &[at(140, What::Ply(Owner::Black))], more].concat();
        let by_move = of(DelayScope::Move, Some(3));
        let state = run(&by_move, &game(&[]), 319_000);
        assert_eq!((state.exceeded, state.delays), (None, [2, 0]));
        assert_eq!(state.running.and_then(|running| running.deadline), Some(320_000));
        assert_eq!(run(&by_move, &game(&[]), 320_000).exceeded, Some((3, Owner::White)));
        assert_eq!(
            run(&by_move, &game(&[at(400, What::Ply(Owner::White))]), 500_000).exceeded,
            Some((3, Owner::White))
        );
        let by_game = of(DelayScope::Game, Some(3));
        assert_eq!(run(&by_game, &game(&[]), 199_000).exceeded, None);
        assert_eq!(run(&by_game, &game(&[]), 200_000).exceeded, Some((3, Owner::White)));
        // A time-out exempts its move; the points stay.
        let called = game(&[at(150, What::TimeOut(Owner::White)), at(900, What::Ply(Owner::White))]);
        let state = run(&by_game, &called, 900_000);
        assert_eq!((state.exceeded, state.delays), (None, [14, 0]));
        assert_eq!(run(&of(DelayScope::Move, None), &game(&[]), 9_000_000).exceeded, None);
    }
    use crate::clock::{NatureClock, Unused};
    use crate::record::time_control::{Bonus, Period, TimeControl};

    fn clocks(control: &str) -> Clocks {
        let Ok(TimeControl::Periods(periods)) = TimeControl::parse(control) else { panic!("{control}") };
        Clocks { periods, ..Clocks::default() }
    }

    /// Events at seconds.
    fn seconds(events: &[(u64, What)]) -> Vec<Event> {
        events.iter().map(|(at, what)| Event { at: at * 1000, what: *what }).collect()
    }

    /// Events at days.
    fn days(events: &[(u64, What)]) -> Vec<Event> {
        events.iter().map(|(at, what)| Event { at: at * DAY, what: *what }).collect()
    }

    use Owner::{Black, Nature, White};
    use What::{Begins, Ends, Granted, Leaves, Ply, Resumes, Returns, Stops};

    #[test]
    fn flags_fall_at_the_deadline() {
        let events =
            seconds(&[(0, Begins(White)), (20, Ply(White)), (30, Ply(Black)), (40, Granted(White, 5000))]);
        let at = |now: u64| run(&clocks("60+5"), &events, now * 1000);
        let running =
            at(50).running.map(|running| (running.ply, running.by, running.spent, running.deadline));
        assert_eq!(running, Some((3, White, 20_000, Some(80_000))));
        assert_eq!((at(80).exceeded, at(81).exceeded), (None, Some((3, White))));
        assert_eq!(at(10).steps.len(), 0);
        let ended = [&events[..], &seconds(&[(60, Ends)])].concat();
        assert_eq!(run(&clocks("60+5"), &ended, 900_000).exceeded, None);
    }

    #[test]
    fn each_form_of_bonus() {
        let events = seconds(&[(0, Begins(White)), (12, Ply(White)), (15, Ply(Black))]);
        for (control, left, deadline) in [
            ("60", [48, 57], 63),
            ("60+5", [53, 62], 68),
            // The first five seconds of each move are free.
            ("60d5", [53, 60], 73),
            ("60b5", [53, 60], 73),
            // What one player uses the other gets.
            ("*60", [51, 69], 66),
            ("1/60:30", [78, 87], 93),
        ] {
            let state = run(&clocks(control), &events, 15_000);
            assert_eq!(state.left, left.map(|left| Some(left * 1000)), "{control}");
            assert_eq!(
                state.running.and_then(|running| running.deadline),
                Some(deadline * 1000),
                "{control}"
            );
        }
        let untimed = run(&Clocks::default(), &events, u64::MAX);
        assert_eq!((untimed.left, untimed.exceeded, untimed.steps), ([None; 2], None, vec![]));
    }

    #[test]
    fn clocks_stand_still_while_stopped_and_for_nature() {
        let pause = [(0, Begins(White)), (10, Stops), (500, Ply(Nature)), (510, Resumes), (515, Ply(White))];
        let events = seconds(&pause);
        let clocks = clocks("60+5");
        let state = run(&clocks, &events, 515_000);
        assert_eq!(state.left, [Some(50_000), Some(60_000)]);
        assert_eq!(run(&clocks, &events, 505_000).running.map(|running| running.deadline), Some(None));
        for (nature_clock, left) in
            [(NatureClock::Increment, [55, 60]), (NatureClock::IncrementBoth, [55, 65])]
        {
            let state = run(&Clocks { nature_clock, ..clocks.clone() }, &events, 515_000);
            assert_eq!(state.left, left.map(|left| Some(left * 1000)));
        }
    }

    /// Increments are given up to the cap.
    #[test]
    fn a_cap_bounds_what_is_saved() {
        let fischer =
            Period { moves: None, time: 30 * DAY, bonus: Bonus::Increment(3 * DAY), hourglass: false };
        let clocks = Clocks { periods: vec![fischer], cap: Some(31 * DAY), ..Clocks::default() };
        let events = days(&[(0, Begins(White)), (1, Ply(White)), (2, Ply(Black)), (12, Ply(White))]);
        let state = run(&clocks, &events, 12 * DAY);
        let after: Vec<u64> = state.steps.iter().map(|step| step.after / DAY).collect();
        assert_eq!(after, [31, 31, 24]);
        assert_eq!(state.steps[0].to_string(), "30 days - 24:00:00 + 2 days = 31 days");
    }

    /// Fischer days of ICCF: 30 days and 3 for each move; days beyond 20 of one move count twice.
    #[test]
    fn correspondence_days() {
        let fischer =
            Period { moves: None, time: 30 * DAY, bonus: Bonus::Increment(3 * DAY), hourglass: false };
        let charge = Charge::Days { double_after: Some(20) };
        let clocks = Clocks {
            periods: vec![fischer],
            charge,
            leave: 45,
            silence: Some(40 * DAY),
            ..Clocks::default()
        };
        let events = days(&[(0, Begins(White)), (23, Ply(White)), (23, Ply(Black))]);
        let state = run(&clocks, &events, 24 * DAY + 5);
        assert_eq!(state.steps[0].to_string(), "30 days - 26 days + 3 days = 7 days");
        let running = state.running.expect("a move");
        // Within a day nothing is charged; the eighth full day exceeds seven.
        assert_eq!((running.charged, running.deadline), (DAY, Some(31 * DAY)));
        assert_eq!(running.silent, Some(63 * DAY));
        assert_eq!(run(&clocks, &events, 31 * DAY - 1).exceeded, None);
        assert_eq!(run(&clocks, &events, 31 * DAY).exceeded, Some((3, White)));
        // 40 days of leave from the last day of November: all is free. With 60, 5 are beyond this year's 45, and the
        // new year brings others.
        let leave = [(300, Begins(White)), (300, Leaves(White)), (340, Returns(White)), (350, Ply(White))];
        assert_eq!(run(&clocks, &days(&leave), 350 * DAY).steps[0].spent, 10 * DAY);
        let long = [(310, Begins(White)), (310, Leaves(White)), (385, Returns(White)), (385, Ply(White))];
        assert_eq!(run(&clocks, &days(&long), 385 * DAY).steps[0].spent, 10 * DAY);
    }

    /// Numbers that look random and are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, sides: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % sides
        }
    }

    /// A game of random moves, leaves, stoppages and grants.
    fn random_events(dice: &mut Dice) -> Vec<Event> {
        let (mut events, mut at, mut mover) = (vec![Event { at: 0, what: Begins(White) }], 0, White);
        let (mut away, mut stopped) = ([false; 2], false);
        for _ in 0..dice.below(40) {
            at += dice.below(5) * DAY / 2 + dice.below(DAY);
            let index = dice.below(2) as usize;
            let what = match dice.below(9) {
                0 => {
                    away[index] = !away[index];
                    if away[index] { Leaves(Owner::REAL[index]) } else { Returns(Owner::REAL[index]) }
                }
                1 => {
                    stopped = !stopped;
                    if stopped { Stops } else { Resumes }
                }
                2 => Granted(Owner::REAL[index], dice.below(DAY)),
                3 => Ply(Nature),
                _ => {
                    mover = mover.opponent();
                    Ply(mover.opponent())
                }
            };
            events.push(Event { at, what });
        }
        events
    }

    /// Laws of every policy: later events change nothing, sums hold, no one exceeds the time before the deadline, and
    /// everyone does once it has passed.
    #[test]
    fn laws_of_random_games() {
        let built_in =
            crate::clock::Policies::built_in().all().iter().filter_map(|policy| policy.clocks.clone());
        let controls = ["10/20d:5d+1d", "30d+2d", "2592000d86400", "*20d", "90d"].map(clocks);
        let policies: Vec<Clocks> = built_in.chain(controls).collect();
        let (mut dice, mut fallen, mut passed) = (Dice(11), 0, 0);
        for round in 0..4000 {
            let clocks = &policies[round % policies.len()];
            let events = random_events(&mut dice);
            let now = dice.below(60) * DAY + dice.below(DAY);
            let state = run(clocks, &events, now);
            let known: Vec<Event> = events.iter().filter(|event| event.at <= now).copied().collect();
            assert_eq!(state, run(clocks, &known, now));
            for step in state.steps.iter().filter(|step| step.exceeded() == 0) {
                assert_eq!(step.before + step.given, step.charged + step.after, "{clocks:?} {step:?}");
            }
            fallen += usize::from(state.exceeded.is_some());
            let deadline = state.running.and_then(|running| running.deadline);
            let (Some(deadline), None) = (deadline, state.exceeded) else { continue };
            passed += 1;
            let last = if clocks.charge == Charge::Exact { deadline } else { deadline - 1 };
            assert_eq!(run(clocks, &known, last.max(now)).exceeded, None, "{clocks:?} {known:?}");
            assert!(run(clocks, &known, last + 1).exceeded.is_some(), "{clocks:?} {known:?}");
        }
        assert!(fallen > 300 && passed > 300, "{fallen} {passed}");
    }

    /// Days for each move, as on servers: nothing is carried over.
    #[test]
    fn unused_days_may_be_lost() {
        let clocks = Clocks { unused: Unused::Lost, ..clocks("1/3d") };
        let events = days(&[(0, Begins(White)), (1, Ply(White)), (2, Ply(Black)), (5, Ply(White))]);
        let state = run(&clocks, &events, 8 * DAY + 1);
        assert_eq!(state.steps[2].to_string(), "3 days - 3 days + 3 days = 3 days");
        assert_eq!(state.exceeded, Some((4, Black)));
    }
}
