//! What a game is after its events.

use crate::terms::Setting;
use crate::{Event, OfferKind, ProposalError, What, seed_digest};
use chrono::{DateTime, Datelike};
use ferz_core::board::Owner;
use ferz_core::judge::ClaimableDraw;
use ferz_core::notation::Style;
use ferz_core::position::Ply;
use ferz_records::clock::{self, DAY, Flag, run};
use ferz_records::play::Game;
use ferz_records::record::GameResult;
use serde::Serialize;

/// Whether a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not all players have accepted the terms.
    AwaitingAcceptance,
    /// It is in progress.
    Running,
    /// It is over.
    Ended,
}

impl Status {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Status::AwaitingAcceptance => "awaiting-acceptance",
            Status::Running => "running",
            Status::Ended => "ended",
        }
    }
}

/// An offer that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The offer.
    #[serde(flatten)]
    pub offer: OfferKind,
    /// The player who made it.
    pub by: Owner,
    /// The number of plies that had been made.
    pub ply: usize,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// The result.
    pub result: GameResult,
    /// An ending on the board, a claim, `agreement`, `resignation`, `time` or `ruling`.
    pub cause: String,
    /// The player whose act ended it; `None` for an arbiter.
    pub by: Option<Owner>,
}

/// Events that do not follow from each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {sequence} of the game does not follow: {why}")]
pub struct Damaged {
    /// The number of the event, from 0.
    pub sequence: u64,
    /// The contradiction.
    pub why: String,
}

/// A game after its events.
#[derive(Debug, Clone)]
pub struct State {
    setting: Setting,
    /// The number of events.
    events: u64,
    accepted: [bool; 3],
    pub(crate) game: Game,
    plies: Vec<String>,
    /// The number of plies after which Nature let her chance pass, or called for her turn.
    declined: Option<usize>,
    called: Option<usize>,
    offer: Option<Offer>,
    end: Option<Ended>,
    /// The author of the last event.
    last: Option<Owner>,
    /// The number of times that plies were taken back.
    pub(crate) takebacks: u32,
    /// True once the seed of Nature's choices is revealed.
    revealed: bool,
    leaves: Vec<Leave>,
    /// The instant at which the game began, and the events of its clocks, in any order.
    begun: Option<u64>,
    clock: Vec<clock::Event>,
}

/// A leave of a player.
#[derive(Debug, Clone, Copy)]
struct Leave {
    player: Owner,
    from: u64,
    days: u32,
}

impl State {
    /// A game of which nothing has happened but its creation.
    ///
    /// # Errors
    /// If the tag `FEN` is no position of the game.
    pub fn new(setting: Setting) -> Result<State, ProposalError> {
        let game = Game::from_position(setting.start()?);
        Ok(State {
            setting,
            events: 1,
            accepted: [false; 3],
            game,
            plies: Vec::new(),
            declined: None,
            called: None,
            offer: None,
            end: None,
            last: None,
            takebacks: 0,
            revealed: false,
            leaves: Vec::new(),
            begun: None,
            clock: Vec::new(),
        })
    }

    /// The game after all its events, of which the first one created it.
    ///
    /// # Errors
    /// If an event does not follow from those before it.
    pub fn of<'e>(setting: Setting, events: impl IntoIterator<Item = &'e Event>) -> Result<State, Damaged> {
        let damaged = |why: String| Damaged { sequence: 0, why };
        let mut state = State::new(setting).map_err(|error| damaged(error.to_string()))?;
        let mut events = events.into_iter();
        match events.next().map(|event| &event.what) {
            Some(What::Created { terms }) if **terms == *state.setting.terms => {}
            _ => return Err(damaged("it does not create the game with these terms".to_owned())),
        }
        for event in events {
            state.after(event)?;
        }
        Ok(state)
    }

    /// The state after one more event.
    ///
    /// # Errors
    /// If the event does not follow.
    pub fn after(&mut self, event: &Event) -> Result<(), Damaged> {
        let sequence = self.events;
        let damaged = |why: &str| Damaged { sequence, why: why.to_owned() };
        let by = || event.by.ok_or_else(|| damaged("no player did it"));
        match &event.what {
            What::Created { .. } => return Err(damaged("the game exists")),
            What::Accepted => self.accept(by()?, event.at),
            What::Ply { coord, offer, .. } => {
                let player = by()?;
                let ply = self.game.play(coord).map_err(|fault| damaged(&fault.to_string()))?;
                if ply.actor != player {
                    return Err(damaged("it is another player's ply"));
                }
                self.plies.push(coord.clone());
                self.after_ply(player, *offer, event.at);
            }
            What::Called => self.called = Some(self.plies.len()),
            What::Declined => {
                self.declined = Some(self.plies.len());
                self.count(event.at, clock::What::Resumes);
            }
            What::Offered { offer } => {
                self.offer = Some(Offer { offer: *offer, by: by()?, ply: self.plies.len() });
            }
            What::Rejected => self.offer = None,
            What::TookBack { to } => self.take_back(*to, event.at).map_err(|why| damaged(&why))?,
            What::Granted { time } => self.count(event.at, clock::What::Granted(by()?, *time)),
            What::Taken { time } => self.count(event.at, clock::What::Taken(by()?, *time)),
            What::Left { days } => {
                let player = by()?;
                self.leaves.push(Leave { player, from: event.at, days: *days });
                self.count(event.at, clock::What::Leaves(player));
                self.count(event.at.saturating_add(u64::from(*days) * DAY), clock::What::Returns(player));
            }
            What::Stoppage { from } => self.stop(*from, event.at),
            What::Revealed { seed } => {
                let is_it = self.setting.terms.seed.as_deref() == Some(&*seed_digest(seed));
                if self.end.is_none() || !is_it {
                    return Err(damaged("it is not the seed of the terms, or the game continues"));
                }
                self.revealed = true;
            }
            What::Claimed { .. } | What::Overstepped | What::Agreed | What::Resigned | What::Ruled { .. } => {
            }
            What::Ended { result, cause } => {
                self.end = Some(Ended { result: *result, cause: cause.clone(), by: self.last });
                self.offer = None;
                self.count(event.at, clock::What::Ends);
            }
        }
        if !matches!(event.what, What::Ended { .. } | What::Granted { .. } | What::Taken { .. }) {
            self.last = event.by;
        }
        self.events += 1;
        Ok(())
    }

    fn accept(&mut self, player: Owner, at: u64) {
        self.accepted[player.index()] = true;
        if self.has_begun() {
            self.begun = Some(at);
            self.count(at, clock::What::Begins(self.game.position().turn()));
            self.stop_for_nature(at);
        }
    }

    fn after_ply(&mut self, player: Owner, offer: Option<OfferKind>, at: u64) {
        if player == Owner::Nature {
            self.count(at, clock::What::Resumes);
        }
        self.count(at, clock::What::Ply(player));
        let turn = self.game.position().turn();
        if player.is_real() && turn == player {
            self.count(at, clock::What::Begins(turn));
        }
        // An offer stands until its addressee makes a ply.
        let lapses = player.is_real() && self.offer.is_some_and(|standing| standing.by != player);
        if lapses {
            self.offer = None;
        }
        if let Some(offer) = offer {
            self.offer = Some(Offer { offer, by: player, ply: self.plies.len() });
        }
        self.stop_for_nature(at);
    }

    /// While Nature decides, the clocks stand still.
    fn stop_for_nature(&mut self, at: u64) {
        if self.nature_decides() {
            self.count(at, clock::What::Stops);
        }
    }

    /// The clocks stood still from an instant to another, unless they did anyway.
    fn stop(&mut self, from: u64, to: u64) {
        self.count(from, clock::What::Stops);
        if !self.nature_decides() {
            self.count(to, clock::What::Resumes);
        }
    }

    fn take_back(&mut self, to: usize, at: u64) -> Result<(), String> {
        if to >= self.plies.len() {
            return Err(format!("there are {} plies", self.plies.len()));
        }
        // The game is played again once, since what may be claimed depends on all of it.
        let kept: Vec<Ply> = self.game.plies().iter().take(to).copied().collect();
        self.game = Game::from_position(self.setting.start().map_err(|error| error.to_string())?);
        kept.iter().for_each(|ply| self.game.play_ply(ply));
        self.plies.truncate(to);
        self.takebacks += 1;
        (self.offer, self.declined, self.called) = (None, None, None);
        self.count(at, clock::What::Resumes);
        self.count(at, clock::What::Begins(self.game.position().turn()));
        self.stop_for_nature(at);
        Ok(())
    }

    fn count(&mut self, at: u64, what: clock::What) {
        self.clock.push(clock::Event { at, what });
    }

    /// The terms, with the rules and policies that they name.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The number of events so far, the creation included: the sequence number of the next one.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Whether the game is played.
    pub fn status(&self) -> Status {
        match (&self.end, self.has_begun()) {
            (Some(_), _) => Status::Ended,
            (None, true) => Status::Running,
            (None, false) => Status::AwaitingAcceptance,
        }
    }

    fn has_begun(&self) -> bool {
        self.setting.terms.players.all().all(|(player, _)| self.has_accepted(player))
    }

    /// True if a player has accepted the terms.
    pub fn has_accepted(&self, player: Owner) -> bool {
        self.accepted[player.index()]
    }

    /// The instant at which the game began, in milliseconds since 1970.
    pub fn begun(&self) -> Option<u64> {
        self.begun
    }

    /// The plies so far, in coordinate notation.
    pub fn plies(&self) -> &[String] {
        &self.plies
    }

    /// The last ply of White or Black, in coordinate notation, with its player.
    pub fn last_real_ply(&self) -> Option<(Owner, &str)> {
        let plies = self.game.plies().iter().zip(&self.plies);
        let mut real = plies.rev().filter(|(ply, _)| ply.actor.is_real());
        real.next().map(|(ply, coord)| (ply.actor, coord.as_str()))
    }

    /// The plies so far, in a style; in coordinate notation where the style has no form for one.
    pub fn plies_in(&self, style: Style) -> Vec<String> {
        let Ok(mut position) = self.setting.start() else { return self.plies.clone() };
        let written = |(ply, coord): (&_, &String)| {
            let text = position.write(ply, style).unwrap_or_else(|_| coord.clone());
            position.play(ply);
            text
        };
        self.game.plies().iter().zip(&self.plies).map(written).collect()
    }

    /// The position as extended FEN.
    pub fn fen(&self) -> String {
        self.game.position().fen()
    }

    /// The players who may act now: only Nature while she may come between the players' plies, else each player with a
    /// legal ply. Empty before the game begins and after it has ended.
    pub fn to_act(&self) -> Vec<Owner> {
        if self.status() != Status::Running {
            return Vec::new();
        }
        if self.nature_decides() {
            return vec![Owner::Nature];
        }
        let plies = self.game.legal_plies();
        Owner::REAL.into_iter().filter(|player| plies.iter().any(|ply| ply.actor == *player)).collect()
    }

    /// True while Nature may come between the players' plies and has not let the chance pass.
    fn nature_decides(&self) -> bool {
        (self.setting.terms.players.nature.is_some() || self.setting.terms.seed.is_some())
            && self.has_begun()
            && self.declined != Some(self.plies.len())
            && self.game.end().is_none()
            && self.game.legal_plies().iter().any(|ply| ply.actor == Owner::Nature)
    }

    /// True once the seed of Nature's choices is revealed.
    pub fn is_revealed(&self) -> bool {
        self.revealed
    }

    /// True if Nature has called for her turn.
    pub fn nature_has_called(&self) -> bool {
        self.called == Some(self.plies.len())
    }

    /// The claims that are open.
    pub fn claimable(&self) -> Vec<ClaimableDraw> {
        if self.end.is_some() { Vec::new() } else { self.game.claims() }
    }

    /// The offer that stands.
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// The end of the game, if it has ended.
    pub fn end(&self) -> Option<&Ended> {
        self.end.as_ref()
    }

    /// The clocks at an instant, in milliseconds since 1970; `None` in a game without clocks, and before it begins.
    pub fn clocks(&self, now: u64) -> Option<clock::State> {
        if !self.setting.has_clocks() || self.begun.is_none() {
            return None;
        }
        // A player returns from leave at an instant that was known before others.
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

    /// The instant at which a player's time is up; `None` if the game does not end automatically then.
    pub fn due(&self, now: u64) -> Option<u64> {
        let is_automatic = self.setting.clocks.flag == Flag::Automatic;
        if self.end.is_some() || !is_automatic {
            return None;
        }
        let mut at = now;
        loop {
            let running = self.clocks(at)?.running?;
            // The clock of a player on leave runs again at the end of it.
            match running.deadline {
                Some(deadline) => return Some(deadline),
                None => at = self.away_until(running.by, at)?,
            }
        }
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

    /// The game with a ply that is legal, without any other change.
    pub(crate) fn with_ply(&self, ply: &Ply) -> Game {
        let mut game = self.game.clone();
        game.play_ply(ply);
        game
    }
}

/// The calendar year of an instant, in UTC.
fn year_of(at: u64) -> i32 {
    let at = i64::try_from(at).ok().and_then(DateTime::from_timestamp_millis);
    at.map_or(0, |at| at.year())
}
