//! What a player may do, and what follows.

use crate::dispute::{BECAUSE_BYTES_MAX, DISPUTES_MAX};
use crate::secret::SECRET_BYTES_MAX;
use crate::state::RULING;
use crate::{Check, ClaimName, Event, OfferKind, State, Status, What, adjourn, claims, dispute};
use ferz_core::board::Owner;
use ferz_core::notation::{Fault, Style};
use ferz_core::position::Ply;
use ferz_records::clock::Flag;
use ferz_records::play::Game;
use ferz_records::record::GameResult;

/// Something that a player or an arbiter wants to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Accept the terms.
    Accept {
        /// The digest of the terms that the player has seen.
        terms: String,
    },
    /// Make a ply.
    Ply {
        /// The ply, in any style.
        text: String,
        /// An offer made with it.
        offer: Option<OfferKind>,
        /// The signature by the player's key, in Base64, which the archive checks.
        signature: Option<String>,
    },
    /// Register a key that signs the player's plies from now on.
    Register {
        /// The key, as a vkey.
        vkey: String,
    },
    /// Commit to a secret: an army, a number, or the ply that is sealed at an adjournment.
    Commit {
        /// The SHA-256 of it, 64 hexadecimal digits.
        hash: String,
    },
    /// Reveal the secret.
    Reveal {
        /// The secret.
        value: String,
        /// Of a sealed ply of a player with a key: the signature.
        signature: Option<String>,
    },
    /// Nature calls for her turn, which she then has to take.
    Call,
    /// Nature lets this chance pass.
    Decline,
    /// Call a time-out: the limits that pass on the move in progress do not lose the game.
    TimeOut,
    /// Offer something, or agree to it if the other player offers it.
    Offer(OfferKind),
    /// Answer the offer of the other player.
    Answer {
        /// True to agree.
        accept: bool,
    },
    /// Claim something. What can be decided at once is; everything else makes the game disputed.
    Claim {
        /// The claim.
        claim: ClaimName,
        /// The ply that the player intends to make, in any style, if the claim rests on it.
        intended: Option<String>,
        /// What a machine found about a claim on which people decide.
        check: Option<Box<Check>>,
    },
    /// Answer the claim of the other player, or accept a ruling.
    AnswerClaim {
        /// True to accept it.
        accept: bool,
        /// The reason.
        because: Option<String>,
    },
    /// Appeal against a ruling.
    Appeal {
        /// The reason.
        because: String,
    },
    /// Dismiss a claim or a ruling, as an arbiter: the game continues.
    Dismiss {
        /// The reason.
        because: String,
    },
    /// Go on leave.
    Leave {
        /// Days of 24 hours.
        days: u32,
    },
    /// Look at the clocks, as the service: a player whose time is up has lost, and a ruling is final after some time.
    Tick,
    /// The service did not run since an instant, in milliseconds since 1970.
    Stoppage {
        /// The instant.
        from: u64,
    },
    /// Resign.
    Resign,
    /// Rule on the result, as an arbiter.
    Rule {
        /// The result.
        result: GameResult,
        /// The reason.
        because: String,
    },
}

/// The reason for which a command is refused. Nothing has happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Not all have accepted the terms.
    #[error("the game has not begun: {} has not accepted the terms", .0.name())]
    NotBegun(Owner),
    /// A secret is not revealed.
    #[error("the game has not begun: {} has not revealed the secret", .0.name())]
    NotRevealed(Owner),
    /// The game is over.
    #[error("the game is over: {result} by {cause}")]
    Over {
        /// The result.
        result: GameResult,
        /// The cause of the end.
        cause: String,
    },
    /// The player accepted before.
    #[error("{} has accepted the terms before", .0.name())]
    Accepted(Owner),
    /// The player has seen other terms.
    #[error("these are not the terms of the game; their digest is {0}")]
    OtherTerms(String),
    /// Someone else acts now.
    #[error("it is not the turn of {}; to act: {}", by.name(), in_words(to_act))]
    NotToAct {
        /// The player who sent the command.
        by: Owner,
        /// The players who may act.
        to_act: Vec<Owner>,
    },
    /// The ply is not legal.
    #[error("`{text}` is not legal: {fault}")]
    Illegal {
        /// The ply as it was sent.
        text: String,
        /// The fault, with the article.
        fault: Box<Fault>,
        /// The nearest legal plies, in standard notation.
        nearest: Vec<String>,
    },
    /// Conditional plies are wrong.
    #[error("the tree of conditional plies: {0}")]
    Tree(String),
    /// No ply has so long a text.
    #[error("a ply has at most {PLY_BYTES_MAX} bytes")]
    TooLong,
    /// The style of coordinates has no form for the ply.
    #[error("`{0}` cannot be written in coordinate notation")]
    Inexpressible(String),
    /// Only Nature does that, or never does.
    #[error("{} cannot do that", .0.name())]
    NotFor(Owner),
    /// Nature has called for her turn.
    #[error("Nature has called for her turn, and must take it")]
    HasCalled,
    /// The player's time is up.
    #[error("the time of {} is up", .0.name())]
    Overstepped(Owner),
    /// Nothing is due.
    #[error("nothing is due in this game")]
    NothingDue,
    /// The event has no leave, or not so much.
    #[error("the policy allows {allowed} days of leave in a calendar year, and {taken} are taken")]
    Leave {
        /// Days in a year.
        allowed: u32,
        /// Days that were asked for this year.
        taken: u32,
    },
    /// The event has no time-outs, or not so many.
    #[error("the policy allows {allowed} time-outs in a game, and {taken} are taken")]
    TimeOuts {
        /// Time-outs in a game.
        allowed: u32,
        /// Those that the player has called.
        taken: u32,
    },
    /// The player is on leave.
    #[error("{} is on leave", .0.name())]
    OnLeave(Owner),
    /// There is nothing to answer.
    #[error("there is no offer of the other player to answer")]
    NoOffer,
    /// The same offer stands.
    #[error("the offer was made before, and stands")]
    Offered,
    /// The game has too many events; each request replays all of them.
    #[error("the game has {EVENTS_MAX} events; only a resignation or a ruling can follow")]
    TooManyEvents,
    /// Plies were taken back too often; each request replays the game from its start.
    #[error("plies were taken back {TAKEBACKS_MAX} times in this game, which is the most")]
    TooManyTakebacks,
    /// Plies that were not made cannot be taken back.
    #[error("the game has {plies} plies; `to` is the number that is left, from 0 to {}", plies.saturating_sub(1))]
    TakebackTo {
        /// The number of plies.
        plies: usize,
    },
    /// A reason is missing or too long.
    #[error("give a reason of at most {BECAUSE_BYTES_MAX} bytes")]
    Reason,
    /// A claim or an appeal is open.
    #[error("the game is disputed: the other player answers, or an arbiter rules")]
    Disputed,
    /// There is nothing to answer, to dismiss or to appeal against.
    #[error("there is no claim or ruling here to answer, to dismiss or to appeal against")]
    NothingDisputed,
    /// A claim that states no result cannot be accepted.
    #[error("it does not follow from the claim how the game ends; resign, or let an arbiter rule")]
    NoResult,
    /// Who does not accept a ruling appeals against it.
    #[error("a ruling is accepted, or appealed against with a reason")]
    Appeal,
    /// The time for an appeal is over.
    #[error("the ruling was accepted, or the time for an appeal is over")]
    TooLateToAppeal,
    /// The player made too many claims on which people decide.
    #[error("a player makes at most {DISPUTES_MAX} claims on which people decide")]
    TooManyClaims,
    /// The game is adjourned.
    #[error(
        "the game is adjourned: the player on move commits to a sealed ply, and reveals it to resume the game"
    )]
    Adjourned,
    /// The game cannot be adjourned now.
    #[error("a game is adjourned while one player is to act, who then seals a ply")]
    NotAdjournable,
    /// The player has nothing to keep secret.
    #[error("there is nothing to keep secret in this game now")]
    NoSecret,
    /// The commitment is not one.
    #[error("`hash` is the SHA-256 of the secret: 64 hexadecimal digits")]
    NoHash,
    /// The player committed before, or has revealed the secret.
    #[error("that was done before, and cannot be changed")]
    Committed,
    /// A secret is revealed once both players have committed.
    #[error("reveal it once {} has committed", .0.name())]
    NotCommitted(Owner),
    /// There is no sealed ply.
    #[error("no ply is sealed yet; commit to one first")]
    NotSealed,
    /// The secret is another one.
    #[error("this is not what was committed to: its SHA-256 is another")]
    OtherSecret,
    /// No secret is so long.
    #[error("a secret has at most {SECRET_BYTES_MAX} bytes")]
    SecretTooLong,
    /// The secret names no army.
    #[error("the secret begins with an army, as in the tag WhiteArmy: {0}")]
    Army(String),
    /// The player has a key.
    #[error("{} has registered a key; send the `signature` of the ply with it", .0.name())]
    Unsigned(Owner),
    /// The player has no key.
    #[error("{} has registered no key, by which the signature could be checked", .0.name())]
    NoKey(Owner),
    /// The player has a key.
    #[error("{} has registered a key before; it cannot be changed", .0.name())]
    HasKey(Owner),
    /// Only a player does that.
    #[error("only a player can do that")]
    NotPlayer,
    /// Only arbiters rule.
    #[error("only an arbiter can do that")]
    NotArbiter,
}

impl Refused {
    /// The reason with the nearest legal plies, if a ply is illegal and there are any.
    pub fn explained(&self) -> String {
        match self {
            Refused::Illegal { nearest, .. } if !nearest.is_empty() => {
                format!("{self}; the nearest legal plies are {}", nearest.join(", "))
            }
            _ => self.to_string(),
        }
    }
}

/// The most events of a game: more than the longest game of chess has plies.
const EVENTS_MAX: u64 = 12_000;

/// How often plies can be taken back in a game.
const TAKEBACKS_MAX: u32 = 100;

/// The longest ply that is looked at, in bytes.
const PLY_BYTES_MAX: usize = 64;

/// The events that a command leads to at an instant, in milliseconds since 1970. `by` is the player who sends it;
/// `None` for an arbiter.
///
/// # Errors
/// If the command is refused.
pub fn decide(state: &State, by: Option<Owner>, command: &Command, now: u64) -> Result<Vec<Event>, Refused> {
    if state.is_final() {
        return Err(over(state));
    }
    match by {
        Some(by) => by_player(state, by, command, now),
        None => without_player(state, command, now),
    }
}

/// The events of an arbiter's command, and of the service's.
fn without_player(state: &State, command: &Command, now: u64) -> Result<Vec<Event>, Refused> {
    let event = |what| Event { at: now, by: None, what };
    match command {
        Command::Rule { result, because } => dispute::rule(state, *result, because, now),
        Command::Dismiss { because } => dispute::dismiss(state, because, now),
        Command::Tick => tick(state, now),
        Command::Stoppage { from } => {
            // It concerns clocks that run.
            let from = (*from).max(state.begun().unwrap_or(now));
            let is_timed = state.setting().is_timed() && state.begun().is_some();
            let runs = (is_timed || state.provisional.is_some()) && from < now;
            if runs { Ok(vec![event(What::Stoppage { from })]) } else { Err(Refused::NothingDue) }
        }
        _ => Err(Refused::NotPlayer),
    }
}

/// The events of a player's command.
fn by_player(state: &State, by: Owner, command: &Command, now: u64) -> Result<Vec<Event>, Refused> {
    let event = |what| Event { at: now, by: Some(by), what };
    match command {
        Command::Accept { terms } => return accept(state, by, terms).map(|what| vec![event(what)]),
        Command::Register { vkey } => return register(state, by, vkey).map(|what| vec![event(what)]),
        Command::Commit { .. } | Command::Reveal { .. } if state.status() == Status::AwaitingAcceptance => {}
        _ => check_begun(state, by)?,
    }
    if state.provisional.is_some() || state.dispute.is_some() {
        return in_dispute(state, by, command, now);
    }
    check_in_progress(state, command, now)?;
    match command {
        Command::Commit { hash } => adjourn::commit(state, by, hash).map(|what| vec![event(what)]),
        Command::Reveal { value, signature } => adjourn::reveal(state, by, value, signature.as_deref(), now),
        _ if state.adjourned().is_some() && !may_wait(command) => Err(Refused::Adjourned),
        Command::Ply { text, offer, signature } => ply(state, by, text, *offer, signature.as_deref(), now),
        Command::Call => natures(state, by).map(|()| vec![event(What::Called)]),
        Command::Decline => natures(state, by).map(|()| vec![event(What::Declined)]),
        Command::Offer(offer) => {
            check_offer(state, by, *offer)?;
            match state.offer() {
                Some(standing) if standing.by != by && standing.offer == *offer => {
                    Ok(agreed(*offer, event, now))
                }
                Some(standing) if standing.offer == *offer => Err(Refused::Offered),
                _ => Ok(vec![event(What::Offered { offer: *offer })]),
            }
        }
        Command::Answer { accept } => match state.offer() {
            Some(standing) if standing.by != by && by.is_real() => match accept {
                true => {
                    // Something may have happened since it was made.
                    check_offer(state, by, standing.offer)?;
                    Ok(agreed(standing.offer, event, now))
                }
                false => Ok(vec![event(What::Rejected)]),
            },
            _ => Err(Refused::NoOffer),
        },
        _ if !by.is_real() => Err(Refused::NotFor(by)),
        Command::Claim { claim, intended, check } => {
            claims::claim(state, by, (*claim, intended.as_deref(), check.as_deref()), now)
        }
        Command::TimeOut => time_out(state, by).map(|()| vec![event(What::TimeOut)]),
        Command::Leave { days } => leave(state, by, *days, now).map(|what| vec![event(what)]),
        Command::Resign => Ok(resigned(by, now)),
        Command::AnswerClaim { .. } | Command::Appeal { .. } => Err(Refused::NothingDisputed),
        _ => Err(Refused::NotArbiter),
    }
}

/// The events of a player's command while a claim or a ruling is open.
fn in_dispute(state: &State, by: Owner, command: &Command, now: u64) -> Result<Vec<Event>, Refused> {
    if !by.is_real() {
        return Err(if state.dispute.is_some() { Refused::Disputed } else { over(state) });
    }
    match command {
        Command::AnswerClaim { accept, because } => {
            dispute::answer(state, by, *accept, because.as_deref(), now)
        }
        Command::Appeal { because } if state.dispute.is_none() => dispute::appeal(state, by, because, now),
        Command::Resign if state.dispute.is_some() => Ok(resigned(by, now)),
        _ if state.dispute.is_some() => Err(Refused::Disputed),
        _ => Err(over(state)),
    }
}

/// Whatever a player does in a game that is over is too late.
fn over(state: &State) -> Refused {
    match state.end() {
        Some(end) => Refused::Over { result: end.result, cause: end.cause.clone() },
        None => Refused::Disputed,
    }
}

fn resigned(by: Owner, now: u64) -> Vec<Event> {
    let resigned = Event { at: now, by: Some(by), what: What::Resigned };
    vec![resigned, ended(now, won_by(by.opponent()), "resignation")]
}

/// True for what players do while a game is adjourned.
fn may_wait(command: &Command) -> bool {
    matches!(
        command,
        Command::Offer(OfferKind::Draw)
            | Command::Answer { .. }
            | Command::Leave { .. }
            | Command::Resign
            | Command::AnswerClaim { .. }
            | Command::Appeal { .. }
    )
}

/// The event of a key.
fn register(state: &State, by: Owner, vkey: &str) -> Result<What, Refused> {
    match state.key(by) {
        Some(_) => Err(Refused::HasKey(by)),
        None => Ok(What::Registered { vkey: vkey.to_owned() }),
    }
}

/// Fails unless the game has begun.
fn check_begun(state: &State, by: Owner) -> Result<(), Refused> {
    if state.status() == Status::AwaitingAcceptance {
        let mut players = state.setting().terms.players.all().map(|(player, _)| player);
        let missing = players.find(|player| !state.has_accepted(*player));
        let secret = |player: &Owner| state.secrets()[player.index()].1.is_none();
        return Err(match (missing, Owner::REAL.into_iter().find(secret)) {
            (Some(missing), _) => Refused::NotBegun(missing),
            (None, Some(missing)) => Refused::NotRevealed(missing),
            (None, None) => Refused::NotBegun(by),
        });
    }
    Ok(())
}

/// Fails unless the time is not up, and the game has room for an event.
fn check_in_progress(state: &State, command: &Command, now: u64) -> Result<(), Refused> {
    if state.setting().clocks.flag == Flag::Automatic
        && let Some(player) = state.overstepped(now)
    {
        return Err(Refused::Overstepped(player));
    }
    let is_full = state.events() >= EVENTS_MAX && *command != Command::Resign;
    if is_full { Err(Refused::TooManyEvents) } else { Ok(()) }
}

/// The end of a game, after the event that ended it.
pub(crate) fn ended(at: u64, result: GameResult, cause: &str) -> Event {
    Event { at, by: None, what: What::Ended { result, cause: cause.to_owned() } }
}

/// The result of a game that a player won.
pub(crate) fn won_by(winner: Owner) -> GameResult {
    if winner == Owner::White { GameResult::WhiteWins } else { GameResult::BlackWins }
}

/// The events of a loss on time, of Nature's chance that passes, and of a ruling that is final.
fn tick(state: &State, now: u64) -> Result<Vec<Event>, Refused> {
    if let Some(until) = state.appealable_until() {
        let end = state.end().filter(|_| until <= now).ok_or(Refused::NothingDue)?;
        return Ok(vec![ended(now, end.result, RULING)]);
    }
    if state.nature_due().is_some_and(|due| due <= now) {
        return Ok(vec![Event { at: now, by: None, what: What::Declined }]);
    }
    let is_automatic = state.setting().clocks.flag == Flag::Automatic;
    let player = state.overstepped(now).filter(|_| is_automatic).ok_or(Refused::NothingDue)?;
    Ok(vec![
        Event { at: now, by: Some(player), what: What::Overstepped },
        ended(now, claims::by_time(state, player), "time"),
    ])
}

/// Fails unless Nature decides now, and sent this.
fn natures(state: &State, by: Owner) -> Result<(), Refused> {
    if by != Owner::Nature {
        return Err(Refused::NotFor(by));
    }
    check_to_act(state, by)?;
    if state.nature_has_called() { Err(Refused::HasCalled) } else { Ok(()) }
}

/// Fails unless a player is on move and may call a time-out.
fn time_out(state: &State, by: Owner) -> Result<(), Refused> {
    check_to_act(state, by)?;
    let (allowed, taken) = (state.setting().clocks.time_outs, state.time_outs[by.index()]);
    if taken < allowed { Ok(()) } else { Err(Refused::TimeOuts { allowed, taken }) }
}

fn leave(state: &State, by: Owner, days: u32, now: u64) -> Result<What, Refused> {
    let (allowed, taken) = (state.setting().clocks.leave, state.leave_in_year(by, now));
    if days == 0 || taken.saturating_add(days) > allowed {
        return Err(Refused::Leave { allowed, taken });
    }
    if state.away_until(by, now).is_some() { Err(Refused::OnLeave(by)) } else { Ok(What::Left { days }) }
}

fn accept(state: &State, by: Owner, terms: &str) -> Result<What, Refused> {
    let digest = state.setting().terms.digest();
    if terms != digest {
        return Err(Refused::OtherTerms(digest));
    }
    if state.has_accepted(by) { Err(Refused::Accepted(by)) } else { Ok(What::Accepted) }
}

pub(crate) fn check_to_act(state: &State, by: Owner) -> Result<(), Refused> {
    let to_act = state.to_act();
    if to_act.contains(&by) { Ok(()) } else { Err(Refused::NotToAct { by, to_act }) }
}

fn check_offer(state: &State, by: Owner, offer: OfferKind) -> Result<(), Refused> {
    if !by.is_real() {
        return Err(Refused::NotFor(by));
    }
    match offer {
        OfferKind::Adjourn if state.to_act().iter().filter(|player| player.is_real()).count() != 1 => {
            Err(Refused::NotAdjournable)
        }
        OfferKind::Takeback { .. } if state.takebacks >= TAKEBACKS_MAX => Err(Refused::TooManyTakebacks),
        OfferKind::Takeback { to } if to >= state.plies().len() => {
            Err(Refused::TakebackTo { plies: state.plies().len() })
        }
        _ => Ok(()),
    }
}

/// The events of an agreement.
fn agreed(offer: OfferKind, event: impl Fn(What) -> Event, now: u64) -> Vec<Event> {
    match offer {
        OfferKind::Draw => vec![event(What::Agreed), ended(now, GameResult::Draw, "agreement")],
        OfferKind::Adjourn => vec![event(What::Adjourned)],
        OfferKind::Takeback { to } => vec![event(What::Corrected { to })],
    }
}

fn ply(
    state: &State,
    by: Owner,
    text: &str,
    offer: Option<OfferKind>,
    signature: Option<&str>,
    now: u64,
) -> Result<Vec<Event>, Refused> {
    check_to_act(state, by)?;
    if let Some(offer) = offer {
        check_offer(state, by, offer)?;
    }
    let (ply, coord) = read(&state.game, by, text)?;
    check_signed(state, by, signature)?;
    let text = text.trim().to_owned();
    let signature = signature.map(str::to_owned);
    let made = Event { at: now, by: Some(by), what: What::Ply { coord, text, offer, signature } };
    Ok(with_end(state, &ply, made))
}

/// The event of a ply, and that of the end that it leads to.
pub(crate) fn with_end(state: &State, ply: &Ply, made: Event) -> Vec<Event> {
    let now = made.at;
    let mut events = vec![made];
    if let Some(end) = state.with_ply(ply).end() {
        let result = GameResult::parse(end.outcome.as_str()).unwrap_or(GameResult::Unknown);
        events.push(ended(now, result, end.reason.id()));
    }
    events
}

/// Fails unless the ply of a player with a key is signed, and no other.
pub(crate) fn check_signed(state: &State, by: Owner, signature: Option<&str>) -> Result<(), Refused> {
    match (state.key(by), signature) {
        (Some(_), None) => Err(Refused::Unsigned(by)),
        (None, Some(_)) => Err(Refused::NoKey(by)),
        _ => Ok(()),
    }
}

/// The legal ply of a player that a text names in a game, and its coordinate notation.
pub(crate) fn read(game: &Game, by: Owner, text: &str) -> Result<(Ply, String), Refused> {
    let text = text.trim();
    if text.len() > PLY_BYTES_MAX {
        return Err(Refused::TooLong);
    }
    let position = game.position();
    let ply = position.read_by(by, text).map_err(|fault| {
        let nearest =
            fault.candidates.iter().filter_map(|ply| position.write(ply, Style::San).ok()).collect();
        Refused::Illegal { text: text.to_owned(), fault, nearest }
    })?;
    if ply.actor != by {
        return Err(Refused::NotToAct { by, to_act: vec![by] });
    }
    let coord = position.write(&ply, Style::Coord).map_err(|_| Refused::Inexpressible(text.to_owned()))?;
    Ok((ply, coord))
}

/// Players with commas between them.
fn in_words(players: &[Owner]) -> String {
    match players {
        [] => "no one".to_owned(),
        _ => players.iter().map(|player| player.name()).collect::<Vec<_>>().join(", "),
    }
}
