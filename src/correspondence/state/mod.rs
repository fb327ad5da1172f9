//! What a game is after its events.

mod time;

use crate::dispute::{Dispute, Provisional};
use crate::secret::{ARMY_TAGS, Secret, army_of, commits_to, place};
use crate::terms::Setting;
use crate::{Event, OfferKind, ProposalError, What, seed_digest};
use ferz_core::board::Owner;
use ferz_core::judge::ClaimableDraw;
use ferz_core::notation::Style;
use ferz_core::position::Ply;
use ferz_records::clock;
use ferz_records::play::{Game, Position};
use ferz_records::record::GameResult;
use serde::{Deserialize, Serialize};

/// Whether a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not all players have accepted the terms, and revealed what they keep secret.
    AwaitingAcceptance,
    /// It is in progress.
    Running,
    /// A claim or an appeal waits for an answer or a ruling.
    Disputed,
    /// It is over.
    Ended,
    /// It is over without a result, by a ruling.
    Annulled,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 5] =
        [Status::AwaitingAcceptance, Status::Running, Status::Disputed, Status::Ended, Status::Annulled];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Status::AwaitingAcceptance => "awaiting-acceptance",
            Status::Running => "running",
            Status::Disputed => "disputed",
            Status::Ended => "ended",
            Status::Annulled => "annulled",
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

/// Why an event of a player has no effect without one.
pub(super) fn no_player() -> String {
    "no player did it".to_owned()
}

/// The cause of an end by a ruling.
pub(crate) const RULING: &str = "ruling";

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The result.
    pub result: GameResult,
    /// An ending on the board, a claim, `agreement`, `resignation`, `time`, `sealed-ply` or `ruling`.
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
    /// The instants of the plies, in milliseconds since 1970; 0 of those that were made elsewhere.
    instants: Vec<u64>,
    /// Whether a draw was offered with each ply.
    draws_offered: Vec<bool>,
    /// The secrets of White and Black.
    pub(crate) secrets: [Secret; 2],
    /// The armies that they revealed.
    armies: [Option<String>; 2],
    /// The keys that sign the plies of each player.
    keys: [Option<String>; 3],
    /// The adjournment, while there is one.
    adjourned: Option<Adjourned>,
    pub(crate) dispute: Option<Dispute>,
    /// How often White and Black have made a claim on which people decide.
    pub(crate) disputes: [u32; 2],
    /// A ruling against which a player may still appeal.
    pub(crate) provisional: Option<Provisional>,
    /// The number of plies after which Nature let her chance pass, or called for her turn.
    declined: Option<usize>,
    called: Option<usize>,
    /// The instant from which Nature's time to decide counts, while she decides.
    nature_since: Option<u64>,
    /// How often White and Black have called a time-out.
    pub(crate) time_outs: [u32; 2],
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

/// A game that is adjourned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjourned {
    /// The player who seals a ply.
    pub(crate) by: Owner,
    /// The commitment to it, once it is sealed.
    pub(crate) hash: Option<String>,
    /// The instant from which the clock of that player runs again.
    until: Option<u64>,
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
        let game = setting.game()?;
        let plies = setting.terms.adopted.as_ref().map_or_else(Vec::new, |adopted| adopted.plies.clone());
        Ok(State {
            setting,
            events: 1,
            accepted: [false; 3],
            game,
            instants: vec![0; plies.len()],
            draws_offered: vec![false; plies.len()],
            plies,
            secrets: Default::default(),
            armies: Default::default(),
            keys: Default::default(),
            adjourned: None,
            dispute: None,
            disputes: [0; 2],
            provisional: None,
            declined: None,
            called: None,
            nature_since: None,
            time_outs: [0; 2],
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
            Some(What::Created { terms, .. }) if **terms == *state.setting.terms => {}
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
        let happened = match &event.what {
            What::Created { .. } => Err("the game exists".to_owned()),
            What::Accepted
            | What::Registered { .. }
            | What::Committed { .. }
            | What::Revealed { .. }
            | What::SeedRevealed { .. } => self.prepare(event),
            What::Ply { coord, offer, signature, .. } => self.ply(event, coord, *offer, signature.as_deref()),
            What::Called
            | What::Declined
            | What::Offered { .. }
            | What::Rejected
            | What::Adjourned
            | What::Corrected { .. } => self.agree(event),
            What::TimeOut
            | What::Granted { .. }
            | What::Taken { .. }
            | What::Left { .. }
            | What::Stoppage { .. } => self.pass_time(event),
            What::Claimed { .. }
            | What::Answered { .. }
            | What::Dismissed { .. }
            | What::Appealed { .. }
            | What::Ruled { .. } => self.dispute(event).map_err(str::to_owned),
            What::Overstepped | What::Agreed | What::Resigned => Ok(()),
            What::Ended { result, cause } => {
                self.finish(*result, cause, event.at);
                Ok(())
            }
        };
        happened.map_err(|why| Damaged { sequence: self.events, why })?;
        if !matches!(event.what, What::Ended { .. } | What::Granted { .. } | What::Taken { .. }) {
            self.last = event.by;
        }
        self.events += 1;
        Ok(())
    }

    /// What comes before the first ply, and what was kept secret.
    fn prepare(&mut self, event: &Event) -> Result<(), String> {
        let by = || event.by.ok_or_else(no_player);
        match &event.what {
            What::Accepted => {
                self.accepted[by()?.index()] = true;
                self.begin(event.at);
            }
            What::Registered { vkey } => self.keys[by()?.index()] = Some(vkey.clone()),
            What::Committed { hash } => self.commit(by()?, hash, event.at)?,
            What::Revealed { value } => self.reveal(by()?, value, event.at)?,
            What::SeedRevealed { seed } => {
                let is_it = self.setting.terms.seed.as_deref() == Some(&*seed_digest(seed));
                if self.end.is_none() || !is_it {
                    return Err("it is not the seed of the terms, or the game continues".to_owned());
                }
                self.revealed = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn ply(
        &mut self,
        event: &Event,
        coord: &str,
        offer: Option<OfferKind>,
        signature: Option<&str>,
    ) -> Result<(), String> {
        let player = event.by.ok_or_else(no_player)?;
        let ply = match self.game.play_coord(coord) {
            Some(ply) => ply,
            // Why it is not legal.
            None => self.game.play(coord).map_err(|fault| fault.to_string())?,
        };
        if ply.actor != player {
            return Err("it is another player's ply".to_owned());
        }
        if signature.is_some() != self.key(player).is_some() {
            return Err("the plies of a player with a key are signed, and no others".to_owned());
        }
        self.plies.push(coord.to_owned());
        self.instants.push(event.at);
        self.draws_offered.push(offer == Some(OfferKind::Draw));
        self.after_ply(player, offer, event.at);
        Ok(())
    }

    /// What players offer and agree on, and Nature's decisions.
    fn agree(&mut self, event: &Event) -> Result<(), String> {
        match &event.what {
            What::Called => self.called = Some(self.plies.len()),
            What::Declined => {
                self.declined = Some(self.plies.len());
                (self.called, self.nature_since) = (None, None);
                self.count(event.at, clock::What::Resumes);
            }
            What::Offered { offer } => {
                let by = event.by.ok_or_else(no_player)?;
                self.offer = Some(Offer { offer: *offer, by, ply: self.plies.len() });
            }
            What::Rejected => self.offer = None,
            What::Adjourned => {
                let by = self.game.position().turn();
                self.adjourned = Some(Adjourned { by, hash: None, until: None });
                self.offer = None;
            }
            What::Corrected { to } => self.take_back(*to, event.at)?,
            _ => {}
        }
        Ok(())
    }

    /// The game is over for good.
    fn finish(&mut self, result: GameResult, cause: &str, at: u64) {
        let by = match self.provisional.take() {
            Some(_) => None,
            None => self.last,
        };
        self.end = Some(Ended { result, cause: cause.to_owned(), by });
        (self.offer, self.dispute, self.adjourned) = (None, None, None);
        self.count(at, clock::What::Ends);
    }

    /// The game begins once all players have accepted, and revealed what they keep secret.
    fn begin(&mut self, at: u64) {
        if self.begun.is_some() || !self.is_prepared() {
            return;
        }
        self.begun = Some(at);
        self.begin_clocks(at);
        self.stop_for_nature(at);
    }

    fn is_prepared(&self) -> bool {
        let accepted = self.setting.terms.players.all().all(|(player, _)| self.has_accepted(player));
        accepted
            && (!self.setting.terms.has_secrets() || self.secrets.iter().all(|secret| secret.value.is_some()))
    }

    /// A commitment: before the game begins, and of the ply that is sealed at an adjournment.
    fn commit(&mut self, player: Owner, hash: &str, at: u64) -> Result<(), &'static str> {
        match &mut self.adjourned {
            Some(adjourned) if adjourned.by == player => {
                adjourned.hash = Some(hash.to_owned());
                self.seal(at);
                Ok(())
            }
            Some(_) => Err("another player seals the ply"),
            None => {
                let place = place(player).ok_or("Nature keeps no secret")?;
                self.secrets[place].hash = Some(hash.to_owned());
                Ok(())
            }
        }
    }

    /// A secret that is revealed. A sealed ply follows as an event of its own, or the end of the game.
    fn reveal(&mut self, player: Owner, value: &str, at: u64) -> Result<(), String> {
        if let Some(adjourned) = self.adjourned.take_if(|adjourned| adjourned.by == player) {
            if !adjourned.hash.is_some_and(|hash| commits_to(&hash, value)) {
                return Err("it is not the ply that was sealed".to_owned());
            }
            self.unseal(adjourned.until, at);
            return Ok(());
        }
        let place = place(player).ok_or("Nature keeps no secret")?;
        if !self.secrets[place].is(value) {
            return Err("it is not what the player committed to".to_owned());
        }
        self.secrets[place].value = Some(value.to_owned());
        if self.setting.terms.secret_armies {
            self.armies[place] = Some(army_of(&self.setting.rules, value)?);
            if let [Some(white), Some(black)] = &self.armies {
                self.setting.rules =
                    self.setting.rules_with([white, black]).map_err(|error| error.to_string())?;
                self.game = self.setting.game().map_err(|error| error.to_string())?;
            }
        }
        self.begin(at);
        Ok(())
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

    fn take_back(&mut self, to: usize, at: u64) -> Result<(), String> {
        if to >= self.plies.len() {
            return Err(format!("there are {} plies", self.plies.len()));
        }
        // The game is played again once, since what may be claimed depends on all of it.
        let kept: Vec<Ply> = self.game.plies().iter().take(to).copied().collect();
        self.game = Game::from_position(self.setting.start().map_err(|error| error.to_string())?);
        kept.iter().for_each(|ply| self.game.play_ply(ply));
        self.plies.truncate(to);
        self.instants.truncate(to);
        self.draws_offered.truncate(to);
        self.takebacks += 1;
        (self.offer, self.declined, self.called) = (None, None, None);
        self.count(at, clock::What::Resumes);
        self.count(at, clock::What::Begins(self.game.position().turn()));
        self.stop_for_nature(at);
        Ok(())
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
        match self.end() {
            _ if self.dispute.is_some() => Status::Disputed,
            Some(end) if end.cause == RULING && end.result == GameResult::Unknown => Status::Annulled,
            Some(_) => Status::Ended,
            None if self.has_begun() => Status::Running,
            None => Status::AwaitingAcceptance,
        }
    }

    /// True if the game is over for good: no one can appeal any more.
    pub fn is_final(&self) -> bool {
        self.end.is_some()
    }

    fn has_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// The key that signs the plies of a player, as a vkey.
    pub fn key(&self, player: Owner) -> Option<&str> {
        self.keys[player.index()].as_deref()
    }

    /// The commitments of White and Black, and the secrets that they have revealed.
    pub fn secrets(&self) -> [(Option<&str>, Option<&str>); 2] {
        self.secrets.each_ref().map(|secret| (secret.hash.as_deref(), secret.value.as_deref()))
    }

    /// The tags that name the armies which the players have revealed.
    pub fn armies(&self) -> impl Iterator<Item = (&'static str, &str)> {
        ARMY_TAGS.into_iter().zip(&self.armies).filter_map(|(tag, army)| Some((tag, army.as_deref()?)))
    }

    /// The tags that name the armies of the present rules, of which some may be stand-ins for those that are secret.
    pub(crate) fn present_armies(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let stand_ins = self.setting.armies.iter().flat_map(|open| &open.stand_ins);
        let both = [0, 1].map(|place| self.armies[place].as_deref());
        let is_chosen = both.iter().all(Option::is_some);
        let present =
            stand_ins.zip(both).map(move |(stand_in, own)| own.filter(|_| is_chosen).unwrap_or(stand_in));
        ARMY_TAGS.into_iter().zip(present)
    }

    /// The player who seals a ply at an adjournment, and the commitment to it once it is sealed.
    pub fn adjourned(&self) -> Option<(Owner, Option<&str>)> {
        self.adjourned.as_ref().map(|adjourned| (adjourned.by, adjourned.hash.as_deref()))
    }

    /// The claim or the appeal that waits for an answer or a ruling.
    pub fn open_dispute(&self) -> Option<&Dispute> {
        self.dispute.as_ref()
    }

    /// The instant until which the players can appeal against a ruling.
    pub fn appealable_until(&self) -> Option<u64> {
        self.provisional.as_ref().filter(|_| self.dispute.is_none()).map(|ruling| ruling.until)
    }

    /// True if a player has accepted the terms.
    pub fn has_accepted(&self, player: Owner) -> bool {
        self.accepted[player.index()]
    }

    /// The instant at which the game began, in milliseconds since 1970.
    pub fn begun(&self) -> Option<u64> {
        self.begun
    }

    /// The instants of the plies so far, in milliseconds since 1970; 0 of those that were made elsewhere.
    pub fn instants(&self) -> &[u64] {
        &self.instants
    }

    /// True if a draw was offered with the ply at a place, from 0.
    pub(crate) fn is_draw_offered(&self, place: usize) -> bool {
        self.draws_offered.get(place).copied().unwrap_or_default()
    }

    /// The players of the plies so far.
    pub fn actors(&self) -> impl Iterator<Item = Owner> {
        self.game.plies().iter().map(|ply| ply.actor)
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

    /// The position.
    pub fn position(&self) -> Position {
        self.game.position()
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
        if let Some(adjourned) = &self.adjourned {
            return vec![adjourned.by];
        }
        let plies = self.game.legal_plies();
        Owner::REAL.into_iter().filter(|player| plies.iter().any(|ply| ply.actor == *player)).collect()
    }

    /// True if the game waits for a player: to accept the terms, to act, or to answer a claim. An offer of the other
    /// player does not wait; a ply rejects it.
    ///
    /// A game waits for those who have not accepted, then for those who are to act:
    ///
    /// ```
    /// # use ferz_core::{board::Owner, rules::Registry};
    /// # use ferz_records::clock::Policies;
    /// # use ferz_correspondence::{Players, Proposal, Setting, State};
    /// let players = Players { white: "Ann".into(), black: "Ben".into(), nature: None };
    /// let proposal = Proposal { variant: "chess".into(), players, ..Proposal::default() };
    /// let state = State::new(Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in())?)?;
    /// assert!(state.waits_for(Owner::Black) && state.to_act().is_empty());
    /// # Ok::<(), ferz_correspondence::ProposalError>(())
    /// ```
    pub fn waits_for(&self, player: Owner) -> bool {
        match self.status() {
            Status::AwaitingAcceptance => !self.has_accepted(player),
            Status::Running => self.to_act().contains(&player),
            Status::Disputed => {
                player.is_real() && self.dispute.as_ref().is_some_and(|dispute| dispute.by != player)
            }
            Status::Ended | Status::Annulled => false,
        }
    }

    /// True if the other player offers something that this one may accept or reject.
    pub fn is_offered(&self, player: Owner) -> bool {
        let is_other = |offer: &Offer| offer.by != player;
        self.status() == Status::Running && player.is_real() && self.offer().is_some_and(is_other)
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
        if self.status() == Status::Running { self.game.claims() } else { Vec::new() }
    }

    /// The offer that stands.
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// The end of the game, if it has ended: for good, or by a ruling against which a player may still appeal.
    pub fn end(&self) -> Option<&Ended> {
        let provisional = self.provisional.as_ref().filter(|_| self.dispute.is_none());
        self.end.as_ref().or(provisional.map(|ruling| &ruling.end))
    }

    /// The game with a ply that is legal, without any other change.
    pub(crate) fn with_ply(&self, ply: &Ply) -> Game {
        let mut game = self.game.clone();
        game.play_ply(ply);
        game
    }
}
