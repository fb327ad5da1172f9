//! Games in progress. The rules of play are in [`ferz_correspondence`]; here their events are kept, each as an event of
//! the log, and a game that ends becomes an entry in the same transaction.

mod as_record;
mod feed;
mod follow;
mod known;
mod reply;
mod signed;

pub use feed::Feed;
pub(crate) use known::Known;
pub use reply::{ReplyCode, ReplyCodes};
pub(crate) use signed::check_at;
pub use signed::{SignedPly, secret_number};

use as_record::{entry_of, game_of, pgn_of};
use follow::{answers, by_lot};

use super::Archive;
use super::error::ArchiveError;
use super::identity::{GameId, shortened, to_hex};
use super::log::{Hash, LogError, Logged, random};
use super::rulebook::KeptRules;
use super::submission::Submission;
use super::tokens::TokenId;
use super::writer::Job;
use ferz_core::board::Owner;
use ferz_core::rules::Registry;
use ferz_correspondence::{
    Branch, Command, Damaged, Ended, Event, Proposal, ProposalError, Refused, Setting, State, Status, What,
    check_tree, decide, seed_digest,
};
use ferz_records::clock::Policies;
use ferz_records::replay::AnyGame;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The id of a game in progress: random, so that it tells nothing about the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CorrespondenceId(pub(super) [u8; 16]);

impl fmt::Display for CorrespondenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl FromStr for CorrespondenceId {
    type Err = ArchiveError;

    fn from_str(text: &str) -> Result<CorrespondenceId, ArchiveError> {
        text.parse().map(|GameId(id)| CorrespondenceId(id))
    }
}

impl Serialize for CorrespondenceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The key of a request and a digest of what it asks, so that it has no second effect when it is sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The key that the sender chose.
    pub key: String,
    /// The SHA-256 of what is asked.
    pub digest: [u8; 32],
}

/// Acts to store.
#[derive(Debug)]
pub(super) struct NewActs {
    pub(super) id: CorrespondenceId,
    /// The leaf hash of the last act that was known; `None` for a new game.
    pub(super) head: Option<Hash>,
    pub(super) acts: Vec<NewAct>,
    pub(super) status: Status,
    /// True if clocks count.
    pub(super) is_timed: bool,
    /// The instant at which a player's time is up.
    pub(super) due: Option<u64>,
    /// The rules, of a new game.
    pub(super) game: Option<AnyGame>,
    /// The players, of a new game.
    pub(super) seats: Vec<(Owner, String)>,
    /// The entry, of a game that ended.
    pub(super) entry: Option<Submission>,
    pub(super) token: Option<TokenId>,
    pub(super) request: Option<RequestKey>,
    /// The seed of Nature's choices, of a new game in which the lot decides.
    pub(super) seed: Option<String>,
    /// Conditional plies that have changed; `None` for none.
    pub(super) trees: Vec<(Owner, Option<String>)>,
}

/// Conditional plies to store.
#[derive(Debug)]
pub(super) struct NewTree {
    pub(super) id: CorrespondenceId,
    /// The leaf hash of the last act that was known.
    pub(super) head: Hash,
    pub(super) player: Owner,
    /// As JSON; `None` for none.
    pub(super) tree: Option<String>,
}

impl NewActs {
    /// What follows for a game from its state, without the acts that led to it.
    fn of(
        id: CorrespondenceId,
        state: &State,
        (token, request): (Option<TokenId>, Option<RequestKey>),
    ) -> NewActs {
        NewActs {
            id,
            head: None,
            acts: Vec::new(),
            status: state.status(),
            is_timed: state.setting().is_timed(),
            due: state.due(now()),
            game: None,
            seats: Vec::new(),
            entry: None,
            token,
            request,
            seed: None,
            trees: Vec::new(),
        }
    }
}

/// An act to store. Its time is that of the transaction.
#[derive(Debug)]
pub(super) struct NewAct {
    pub(super) what: What,
    pub(super) by: Option<Owner>,
    /// Of a ply: its number, from 1.
    pub(super) ply: Option<u64>,
}

/// The consequences of a request.
#[derive(Debug)]
pub(super) struct Requested {
    /// The digest of what was asked.
    pub(super) asked: [u8; 32],
    pub(super) id: CorrespondenceId,
    /// The number of its first act in the game, and how many there were.
    pub(super) sequence: u64,
    pub(super) count: u64,
}

/// An act as it is kept.
#[derive(Debug, Clone)]
pub struct KeptAct {
    /// The event.
    pub event: Event,
    /// The hash of its leaf.
    pub leaf: Hash,
    /// The number of its event in the log.
    pub number: u64,
}

/// A game as it is kept.
#[derive(Debug)]
pub(super) struct KeptGame {
    /// The acts, of which the first one created the game.
    pub(super) acts: Vec<KeptAct>,
    /// The entry that the game became.
    pub(super) entry: Option<GameId>,
    /// The conditional plies of White and Black.
    pub(super) trees: [Vec<Branch>; 2],
    /// The seed of Nature's choices.
    pub(super) seed: Option<String>,
}

/// A game in progress, or one that has ended, with everything that happened.
#[derive(Debug, Clone)]
pub struct Correspondence {
    /// The id.
    pub id: CorrespondenceId,
    /// Its state after its acts.
    pub state: State,
    /// The acts.
    pub acts: Vec<KeptAct>,
    /// The entry that the game became when it ended.
    pub entry: Option<GameId>,
    /// The conditional plies of White and Black, which only their owners see.
    pub trees: [Vec<Branch>; 2],
    /// The seed of Nature's choices, which no one sees before the game is over.
    seed: Option<String>,
    /// The rules that its players accepted, if those of today are others.
    kept_rules: Option<Arc<Registry>>,
}

impl Correspondence {
    /// True if these are the rules and policies of its terms.
    fn is_by(&self, (registry, policies): Books<'_>) -> bool {
        let setting = self.state.setting();
        match &self.kept_rules {
            None => setting.is_by(registry, policies),
            Some(kept) => !setting.is_by(registry, policies) && setting.is_by(kept, policies),
        }
    }

    /// The games with the rules that its players accepted: those of today, unless they have changed.
    pub fn registry<'r>(&'r self, today: &'r Registry) -> &'r Registry {
        self.kept_rules.as_deref().unwrap_or(today)
    }

    /// The game so far as PGN, in standard notation, bound to its rules.
    ///
    /// # Errors
    /// If its record cannot be read.
    pub fn pgn(&self, today: &Registry) -> Result<String, ActError> {
        pgn_of(&self.state, self.registry(today)).map(|(text, _)| text)
    }

    /// The hash of the last act's leaf: what a change must know.
    pub fn head(&self) -> Hash {
        self.acts.last().map_or([0; 32], |act| act.leaf)
    }
}

/// A change of a game in progress.
#[derive(Debug, Clone)]
pub struct Act {
    /// The game.
    pub id: CorrespondenceId,
    /// The head that its sender has seen.
    pub head: Hash,
    /// The player whose act it is; `None` for an arbiter.
    pub by: Option<Owner>,
    /// The command.
    pub command: Command,
    /// The token that asks for it.
    pub token: Option<TokenId>,
    /// The key of the request.
    pub request: Option<RequestKey>,
}

/// The consequences of a change.
#[derive(Debug)]
pub struct Acted {
    /// The game after it.
    pub game: Correspondence,
    /// The number of the first act that it led to.
    pub sequence: u64,
    /// Its event in the log, for a receipt; `None` if the request was known.
    pub logged: Option<Logged>,
}

/// The reason for which a game in progress is not changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActError {
    /// The archive cannot be read or written, or the game is not there.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// There can be no game with these terms, or no longer.
    #[error(transparent)]
    Terms(#[from] ProposalError),
    /// The rules of play refuse it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The acts do not follow from each other.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// Something happened since.
    #[error("something has happened in the game since; its head is {}", to_hex(.0))]
    Stale(Hash),
    /// There is no such game.
    #[error("there is no game {0} in progress")]
    None(CorrespondenceId),
    /// The key of a player, or the signature of a ply, is wrong.
    #[error("{0}")]
    Signature(LogError),
    /// The key was used for something else.
    #[error("the key `{0}` was used for another request; choose a new one for each")]
    KeyUsed(String),
}

/// Budget units for one act that is replayed.
const ACT_UNITS: u64 = 64;

/// Games that are ended at once because a player's time is up; the next look takes more.
const OVERDUE_MAX: usize = 1000;

/// The rules and policies that games are played by.
pub type Books<'b> = (&'b Registry, &'b Policies);

impl Archive {
    /// Creates a game that begins once all its players have accepted its terms.
    ///
    /// # Errors
    /// If there can be no such game, or the archive cannot be written.
    pub fn create_correspondence(
        &self,
        proposal: Proposal,
        asked_by: (Option<TokenId>, Option<RequestKey>),
        books: Books<'_>,
    ) -> Result<Acted, ActError> {
        self.create(proposal, None, asked_by, books)
    }

    /// The same for a game in which the lot decides for Nature: from a random seed to which the terms commit, and which
    /// is revealed at the end.
    ///
    /// # Errors
    /// As [`create_correspondence`](Archive::create_correspondence); if the system has no random numbers.
    pub fn create_by_lot(
        &self,
        proposal: Proposal,
        asked_by: (Option<TokenId>, Option<RequestKey>),
        books: Books<'_>,
    ) -> Result<Acted, ActError> {
        let seed = to_hex(&random()?);
        let proposal = Proposal { seed: Some(seed_digest(&seed)), ..proposal };
        self.create(proposal, Some(seed), asked_by, books)
    }

    fn create(
        &self,
        proposal: Proposal,
        seed: Option<String>,
        (token, request): (Option<TokenId>, Option<RequestKey>),
        books: Books<'_>,
    ) -> Result<Acted, ActError> {
        if let Some(known) = self.known_request(token.as_ref(), request.as_ref(), books)? {
            return Ok(known);
        }
        let setting = Setting::of_proposal(proposal, books.0, books.1)?;
        let terms = setting.terms.clone();
        let state = State::new(setting)?;
        let game = game_of(&state, books.0)?;
        let id = CorrespondenceId(shortened(&random()?));
        let policies = state.setting().policy_files();
        let what = What::Created { terms: Box::new((*terms).clone()), policies };
        let acts = NewActs {
            acts: vec![NewAct { what, by: None, ply: None }],
            game: Some(game),
            seats: terms.players.all().map(|(player, name)| (player, name.to_owned())).collect(),
            seed,
            ..NewActs::of(id, &state, (token, request))
        };
        self.store_acts(acts, books)
    }

    /// A game in progress, or one that has ended. What is known of it from before is not read again.
    ///
    /// # Errors
    /// If there is none with this id, it is damaged, or the archive cannot be read.
    pub fn correspondence(&self, id: CorrespondenceId, books: Books<'_>) -> Result<Correspondence, ActError> {
        let known = self.inner.games.get(id).filter(|known| known.is_by(books));
        let from = known.as_ref().map_or(0, |known| known.acts.len() as u64);
        let kept = self.store().correspondence(id, from, self.limit())?.ok_or(ActError::None(id))?;
        let KeptGame { acts, entry, trees, seed } = kept;
        let mut game = match known {
            Some(known) => (*known).clone(),
            None => self.created(id, acts.first(), books)?,
        };
        let budget = self.budget();
        for act in acts {
            if !game.acts.is_empty() {
                budget.spend(ACT_UNITS).map_err(ArchiveError::from)?;
                game.state.after(&act.event)?;
            }
            game.acts.push(act);
        }
        (game.entry, game.trees, game.seed) = (entry, trees, seed);
        self.inner.games.put(&game);
        Ok(game)
    }

    /// A game before anything but its creation has happened, without this act.
    fn created(
        &self,
        id: CorrespondenceId,
        first: Option<&KeptAct>,
        books: Books<'_>,
    ) -> Result<Correspondence, ActError> {
        let Some(What::Created { terms, policies }) = first.map(|act| &act.event.what) else {
            let why = "it does not create the game".to_owned();
            return Err(ActError::Damaged(Damaged { sequence: 0, why }));
        };
        // A game continues by the rules and policies that its players accepted: the archive has them.
        let (mut kept_rules, mut kept_policies) = (None, None);
        let setting = loop {
            let (registry, policies_now) =
                (kept_rules.as_deref().unwrap_or(books.0), kept_policies.as_ref().unwrap_or(books.1));
            match Setting::of_terms((**terms).clone(), registry, policies_now) {
                Err(ProposalError::Changed { what: "game", .. } | ProposalError::Rules(_))
                    if kept_rules.is_none() =>
                {
                    let rules = KeptRules { id: terms.rules.clone(), whole: terms.definition.clone() };
                    kept_rules = Some(Arc::new(self.kept_rules(&rules)?));
                }
                Err(ProposalError::Changed { what: "policy", .. } | ProposalError::Policy(_))
                    if kept_policies.is_none() =>
                {
                    kept_policies = Some(books.1.with_kept(policies.iter().map(String::as_str)));
                }
                found => break found?,
            }
        };
        Ok(Correspondence {
            id,
            state: State::new(setting)?,
            acts: Vec::new(),
            entry: None,
            trees: Default::default(),
            seed: None,
            kept_rules,
        })
    }

    /// The ids of games that a person plays, or of all, latest first; at most `count`, before a number.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn correspondences(
        &self,
        person: Option<&str>,
        status: Option<Status>,
        before: Option<i64>,
        count: usize,
    ) -> Result<Vec<(i64, CorrespondenceId)>, ArchiveError> {
        let status = status.map(Status::name);
        self.store().correspondences(person, status, before, count, self.limit())
    }

    /// Changes a game in progress: decides by the rules of play what follows, and stores it. A game that ends becomes
    /// an entry.
    ///
    /// # Errors
    /// If the rules of play refuse it, something else happened first, or the archive cannot be written.
    pub fn act(&self, act: Act, books: Books<'_>) -> Result<Acted, ActError> {
        if let Some(known) = self.known_request(act.token.as_ref(), act.request.as_ref(), books)? {
            return Ok(known);
        }
        let Act { id, head, by, command, token, request } = act;
        let game = self.correspondence(id, books)?;
        if game.head() != head {
            return Err(ActError::Stale(game.head()));
        }
        let now = now();
        if let Command::Register { vkey } = &command {
            signed::read_vkey(vkey).map_err(ActError::Signature)?;
        }
        match decide(&game.state, by, &command, now) {
            // A player whose time is up has lost, and anyone may be the first to notice.
            Err(Refused::Overstepped(_)) => {
                let ended = decide(&game.state, None, &Command::Tick, now)?;
                let game = self.happen(game, ended, (None, None), books)?.game;
                let end = game.state.end();
                let over = |end: &Ended| Refused::Over { result: end.result, cause: end.cause.clone() };
                Err(end.map_or(Refused::NothingDue, over).into())
            }
            decided => {
                let events = decided?;
                check_signature(&game, &events)?;
                self.happen(game, events, (token, request), books)
            }
        }
    }

    /// Ends the games in which a player's time is up. Returns how many have ended.
    ///
    /// # Errors
    /// If the archive cannot be read or written; a game that cannot be judged harms no other.
    pub fn end_overdue(&self, books: Books<'_>) -> Result<usize, ArchiveError> {
        let mut ended = 0;
        for id in self.store().overdue(now(), OVERDUE_MAX)? {
            let Ok(game) = self.correspondence(id, books) else { continue };
            // Its clock may have been stopped since.
            let Ok(events) = decide(&game.state, None, &Command::Tick, now()) else { continue };
            match self.happen(game, events, (None, None), books) {
                Ok(_) => ended += 1,
                Err(ActError::Archive(error)) => return Err(error),
                // Something else happened first.
                Err(_) => {}
            }
        }
        Ok(ended)
    }

    /// Notes that a service runs over the archive. If none ran for longer than `patience` milliseconds, as far as the
    /// archive knows, all clocks that count have stood still meanwhile. Returns the number of these games.
    ///
    /// # Errors
    /// If the archive cannot be read or written.
    pub fn note_alive(&self, patience: u64, books: Books<'_>) -> Result<usize, ArchiveError> {
        if self.store().timed(1)?.is_empty() {
            return Ok(0);
        }
        let (last, now) = (self.store().alive()?, now());
        let mut stopped = 0;
        if let Some(from) = last.filter(|last| now.saturating_sub(*last) > patience) {
            for id in self.store().timed(usize::MAX)? {
                stopped += usize::from(self.stop_clocks(id, from, books)?);
            }
        }
        self.ask(|reply| Job::Alive(now, reply))?;
        Ok(stopped)
    }

    /// Notes in a game that no service ran from an instant until now; false if no clock counted then.
    fn stop_clocks(&self, id: CorrespondenceId, from: u64, books: Books<'_>) -> Result<bool, ArchiveError> {
        loop {
            let Ok(game) = self.correspondence(id, books) else { return Ok(false) };
            let Ok(events) = decide(&game.state, None, &Command::Stoppage { from }, now()) else {
                return Ok(false);
            };
            match self.happen(game, events, (None, None), books) {
                Ok(_) => return Ok(true),
                Err(ActError::Stale(_)) => {}
                Err(ActError::Archive(error)) => return Err(error),
                Err(_) => return Ok(false),
            }
        }
    }

    /// Sets the conditional plies of a player: what the player answers if the opponent makes a certain ply. An empty
    /// tree takes them back. Nothing of it is in the log, or shown to others, until an answer is given.
    ///
    /// # Errors
    /// If a ply of the tree is illegal, something else happened first, or the archive cannot be written.
    pub fn set_conditional(
        &self,
        id: CorrespondenceId,
        head: Hash,
        (player, tree): (Owner, &[Branch]),
        books: Books<'_>,
    ) -> Result<Correspondence, ActError> {
        let game = self.correspondence(id, books)?;
        if game.head() != head {
            return Err(ActError::Stale(game.head()));
        }
        if game.state.status() != Status::Running {
            return Err(Refused::Tree("the game is not in progress".to_owned()).into());
        }
        let tree = check_tree(&game.state, player, tree)?;
        let new = NewTree { id, head, player, tree: tree_json(&tree) };
        match self.ask(|reply| Job::Conditional(Box::new(new), reply)) {
            Ok(()) => Ok(self.correspondence(id, books)?),
            Err(ArchiveError::Acted(head)) => Err(ActError::Stale(head)),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores what was decided on a state of a game.
    fn happen(
        &self,
        game: Correspondence,
        events: Vec<Event>,
        asked_by: (Option<TokenId>, Option<RequestKey>),
        books: Books<'_>,
    ) -> Result<Acted, ActError> {
        let (id, head) = (game.id, game.head());
        let registry = game.kept_rules.as_deref().unwrap_or(books.0);
        let (mut state, mut acts, mut trees) = (game.state, Vec::new(), game.trees.clone());
        let seed = game.seed;
        let is_takeback = |event: &Event| matches!(event.what, What::Corrected { .. });
        if events.iter().any(is_takeback) {
            trees = Default::default();
        }
        // Who makes a ply has no more use for answers to others.
        if let Some(mover) =
            events.iter().find(|event| event.what.coord().is_some()).and_then(|event| event.by)
            && let Some(tree) = trees.get_mut(mover.index())
        {
            tree.clear();
        }
        let mut open = events;
        while !open.is_empty() {
            for event in std::mem::take(&mut open) {
                state.after(&event)?;
                let is_ply = event.what.coord().is_some();
                let ply = is_ply.then(|| state.plies().len() as u64);
                acts.push(NewAct { what: event.what, by: event.by, ply });
            }
            open = match seed.as_deref() {
                Some(seed) => by_lot(&state, seed, &id.to_string()),
                None => Vec::new(),
            };
            if open.is_empty() {
                open = answers(&state, &mut trees);
            }
        }
        let changed =
            Owner::REAL.into_iter().filter(|player| trees[player.index()] != game.trees[player.index()]);
        let trees = changed.map(|player| (player, tree_json(&trees[player.index()]))).collect();
        let entry = if state.is_final() { Some(entry_of(&state, registry)?) } else { None };
        let of = NewActs::of(id, &state, asked_by);
        let acts = NewActs { head: Some(head), acts, entry, trees, ..of };
        self.store_acts(acts, books)
    }

    fn store_acts(&self, acts: NewActs, books: Books<'_>) -> Result<Acted, ActError> {
        let id = acts.id;
        let (token, request) = (acts.token.clone(), acts.request.clone());
        let writer = self.inner.writer.as_ref();
        let written = match writer.and_then(|writer| writer.try_act_inline(&acts)) {
            Some(written) => written,
            None => self.ask(|reply| Job::Act(Box::new(acts), reply)),
        };
        match written {
            Ok((logged, sequence)) => Ok(Acted { game: self.correspondence(id, books)?, sequence, logged }),
            // The same request may have been answered meanwhile.
            Err(ArchiveError::Acted(head)) => {
                match self.known_request(token.as_ref(), request.as_ref(), books)? {
                    Some(known) => Ok(known),
                    None => Err(ActError::Stale(head)),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The consequences of a request that was submitted before.
    fn known_request(
        &self,
        token: Option<&TokenId>,
        request: Option<&RequestKey>,
        books: Books<'_>,
    ) -> Result<Option<Acted>, ActError> {
        let (Some(token), Some(RequestKey { key, digest })) = (token, request) else { return Ok(None) };
        let Some(Requested { asked, id, sequence, count }) = self.store().requested(token.event, key)? else {
            return Ok(None);
        };
        if asked != *digest {
            return Err(ActError::KeyUsed(key.clone()));
        }
        let mut game = self.correspondence(id, books)?;
        // Its state after that request, without later events.
        let count = usize::try_from(sequence.saturating_add(count)).unwrap_or(usize::MAX);
        if count < game.acts.len() {
            game.acts.truncate(count);
            game.state = State::of(game.state.setting().clone(), game.acts.iter().map(|act| &act.event))?;
        }
        Ok(Some(Acted { game, sequence, logged: None }))
    }
}

/// Fails unless the ply of a player with a key is signed by it, for this place in the game.
fn check_signature(game: &Correspondence, events: &[Event]) -> Result<(), ActError> {
    let signed = events.iter().find_map(|event| match &event.what {
        What::Ply { coord, signature: Some(signature), .. } => Some((event.by?, coord, signature)),
        _ => None,
    });
    let Some((by, coord, signature)) = signed else { return Ok(()) };
    let vkey = game.state.key(by).unwrap_or_default();
    let signed = SignedPly { id: game.id, head: game.head(), sequence: game.state.events(), coord };
    signed.check(vkey, signature).map_err(ActError::Signature)
}

/// A tree as it is kept; `None` for an empty one.
fn tree_json(tree: &[Branch]) -> Option<String> {
    if tree.is_empty() { None } else { serde_json::to_string(tree).ok() }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    u64::try_from(crate::now()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
