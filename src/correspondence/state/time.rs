//! The clocks of a game.

use super::{Leave, State, no_player};
use crate::{Event, What};
use chrono::{DateTime, Datelike};
use ferz_core::board::Owner;
use ferz_records::clock::{self, DAY, Flag, run};

/// How long an adjournment stops the clocks at most, in milliseconds: the clock of the player who sealed a ply runs
/// again after it.
const ADJOURNED_MAX: u64 = 30 * DAY;

impl State {
    pub(super) fn count(&mut self, at: u64, what: clock::What) {
        self.clock.push(clock::Event { at, what });
    }

    /// What changes clocks besides plies.
    pub(super) fn pass_time(&mut self, event: &Event) -> Result<(), String> {
        let by = || event.by.ok_or_else(no_player);
        match &event.what {
            What::TimeOut => {
                let player = by()?;
                *self.time_outs.get_mut(player.index()).ok_or("Nature has none")? += 1;
                self.count(event.at, clock::What::TimeOut(player));
            }
            What::Granted { time } => self.count(event.at, clock::What::Granted(by()?, *time)),
            What::Taken { time } => self.count(event.at, clock::What::Taken(by()?, *time)),
            What::Left { days } => {
                let player = by()?;
                self.leaves.push(Leave { player, from: event.at, days: *days });
                self.count(event.at, clock::What::Leaves(player));
                self.count(event.at.saturating_add(u64::from(*days) * DAY), clock::What::Returns(player));
            }
            What::Stoppage { from } => self.stop(*from, event.at),
            _ => {}
        }
        Ok(())
    }

    /// Begins the clocks, with what was played elsewhere.
    pub(super) fn begin_clocks(&mut self, at: u64) {
        let terms = self.setting.terms.clone();
        let Some(adopted) = &terms.adopted else {
            self.count(at, clock::What::Begins(self.game.position().turn()));
            return;
        };
        // The moves count for the periods, whatever time they took.
        let actors: Vec<Owner> = self.actors().collect();
        let first = actors.iter().copied().find(|actor| actor.is_real());
        let turn = self.game.position().turn();
        self.count(at, clock::What::Begins(first.unwrap_or(turn)));
        for actor in actors {
            self.count(at, clock::What::Ply(actor));
        }
        self.count(at, clock::What::Begins(turn));
        let Some(clocks) = self.clocks(at) else { return };
        for (player, meant) in Owner::REAL.into_iter().zip([adopted.white_left, adopted.black_left]) {
            let (Some(left), Some(meant)) = (clocks.left[player.index()], meant) else { continue };
            match meant.checked_sub(left) {
                Some(more) => self.count(at, clock::What::Granted(player, more)),
                None => self.count(at, clock::What::Taken(player, left - meant)),
            }
        }
    }

    /// While Nature decides, the clocks stand still.
    pub(super) fn stop_for_nature(&mut self, at: u64) {
        self.nature_since = self.nature_decides().then_some(at);
        if self.nature_since.is_some() {
            self.count(at, clock::What::Stops);
        }
    }

    /// The instant at which Nature's chance passes, unless she decides before.
    pub(crate) fn nature_due(&self) -> Option<u64> {
        let decides = self.nature_decides() && self.dispute.is_none() && self.provisional.is_none();
        let since = self.nature_since.filter(|_| decides && self.setting.terms.players.nature.is_some())?;
        Some(since.saturating_add(self.setting.clocks.nature_time?))
    }

    /// The clocks run again, unless there is another reason for which they stand still.
    fn resume(&mut self, at: u64) {
        let is_sealed = self.adjourned.as_ref().and_then(|adjourned| adjourned.until);
        let is_sealed = is_sealed.is_some_and(|until| at < until);
        if !self.nature_decides() && !is_sealed && self.dispute.is_none() && self.provisional.is_none() {
            self.count(at, clock::What::Resumes);
        }
    }

    /// A claim or a ruling is open: no clock runs until it is dismissed.
    pub(crate) fn stop_for_dispute(&mut self, at: u64) {
        if let Some(until) = self.sealed_until(at) {
            self.forget_resumption(until);
        }
        self.count(at, clock::What::Stops);
    }

    /// The claim or the ruling is dismissed.
    pub(crate) fn resume_after_dispute(&mut self, at: u64) {
        match self.sealed_until(at) {
            Some(until) => self.count(until, clock::What::Resumes),
            None => self.resume(at),
        }
    }

    /// The clocks stood still from an instant to another, unless they did anyway.
    pub(super) fn stop(&mut self, from: u64, to: u64) {
        if let Some(until) = self.adjourned.as_ref().and_then(|adjourned| adjourned.until)
            && (from..to).contains(&until)
        {
            self.forget_resumption(until);
            self.seal_until(to);
        }
        if let Some(ruling) = &mut self.provisional {
            // No one could appeal meanwhile.
            ruling.until = ruling.until.saturating_add(to.saturating_sub(from.max(ruling.since)));
        }
        self.nature_since =
            self.nature_since.map(|since| since.saturating_add(to.saturating_sub(from.max(since))));
        self.count(from, clock::What::Stops);
        self.resume(to);
    }

    /// A ply is sealed: the clocks stand still.
    pub(super) fn seal(&mut self, at: u64) {
        self.count(at, clock::What::Stops);
        self.seal_until(at.saturating_add(ADJOURNED_MAX));
    }

    fn seal_until(&mut self, until: u64) {
        if let Some(adjourned) = &mut self.adjourned {
            adjourned.until = Some(until);
        }
        self.count(until, clock::What::Resumes);
    }

    /// A sealed ply is revealed: the clocks run again, until it is made.
    pub(super) fn unseal(&mut self, until: Option<u64>, at: u64) {
        if let Some(until) = until.filter(|until| *until > at) {
            self.forget_resumption(until);
        }
        self.resume(at);
    }

    /// The clocks do not run again by themselves at an instant.
    fn forget_resumption(&mut self, until: u64) {
        let is_meant = |event: &clock::Event| event.at == until && event.what == clock::What::Resumes;
        if let Some(place) = self.clock.iter().rposition(is_meant) {
            self.clock.remove(place);
        }
    }

    /// The clocks at an instant, in milliseconds since 1970; `None` in a game without clocks, and before it begins.
    pub fn clocks(&self, now: u64) -> Option<clock::State> {
        if !self.setting.has_clocks() || self.begun.is_none() {
            return None;
        }
        // Players return from leave, and from adjournments, at instants that were known before others.
        let mut events = self.clock.clone();
        events.sort_by_key(|event| event.at);
        Some(run(&self.setting.clocks, &events, now))
    }

    /// The player who has used more time than there was, at an instant.
    pub fn overstepped(&self, now: u64) -> Option<Owner> {
        if self.end.is_some() {
            return None;
        }
        self.clocks(now)?.exceeded.map(|(_, player)| player)
    }

    /// The instant at which the service has to look at the game: a player's time is up, if the game ends automatically
    /// then, Nature's chance passes, or no one can appeal against a ruling any more.
    pub fn due(&self, now: u64) -> Option<u64> {
        if let Some(until) = self.appealable_until() {
            return Some(until);
        }
        if let Some(due) = self.nature_due() {
            return Some(due);
        }
        let is_automatic = self.setting.clocks.flag == Flag::Automatic;
        if self.end.is_some() || !is_automatic {
            return None;
        }
        let mut at = now;
        loop {
            let running = self.clocks(at)?.running?;
            // A clock runs again at the end of a leave and of an adjournment.
            match running.deadline {
                Some(deadline) => return Some(deadline),
                None => at = self.away_until(running.by, at).max(self.sealed_until(at))?,
            }
        }
    }

    fn sealed_until(&self, at: u64) -> Option<u64> {
        self.adjourned.as_ref()?.until.filter(|until| *until > at)
    }

    /// The days of leave that a player has asked for in the calendar year of an instant, in UTC.
    pub(crate) fn leave_in_year(&self, player: Owner, at: u64) -> u32 {
        let year = year_of(at);
        let own = self.leaves.iter().filter(|leave| leave.player == player && year_of(leave.from) == year);
        own.map(|leave| leave.days).sum()
    }

    /// The end of a player's leave; `None` for a player who is not on leave.
    pub(crate) fn away_until(&self, player: Owner, at: u64) -> Option<u64> {
        let end = |leave: &Leave| leave.from.saturating_add(u64::from(leave.days) * DAY);
        let own = self.leaves.iter().filter(|leave| leave.player == player);
        own.filter(|leave| leave.from <= at && at < end(leave)).map(end).max()
    }
}

/// The calendar year of an instant, in UTC.
fn year_of(at: u64) -> i32 {
    let at = i64::try_from(at).ok().and_then(DateTime::from_timestamp_millis);
    at.map_or(0, |at| at.year())
}
