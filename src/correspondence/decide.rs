//! What a player may do, and what follows.

use crate::{ClaimName, Event, OfferKind, State, Status, What, claims};
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
    },
    /// Nature calls for her turn, which she then has to take.
    Call,
    /// Nature lets this chance pass.
    Decline,
    /// Offer something, or agree to it if the other player offers it.
    Offer(OfferKind),
    /// Answer the offer of the other player.
    Answer {
        /// True to agree.
        accept: bool,
    },
    /// Claim something, which is checked at once.
    Claim {
        /// The claim.
        claim: ClaimName,
        /// The ply that the player intends to make, in any style, if the claim rests on it.
        intended: Option<String>,
    },
    /// Go on leave.
    Leave {
        /// Days of 24 hours.
        days: u32,
    },
    /// Look at the clocks, as the service: a player whose time is up has lost.
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
    /// Only a player does that.
    #[error("only a player can do that")]
    NotPlayer,
    /// Only arbiters rule.
    #[error("only an arbiter can do that")]
    NotArbiter,
}

/// The longest reason of a ruling, in bytes.
const BECAUSE_BYTES_MAX: usize = 2000;

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
    if let Some(end) = state.end() {
        return Err(Refused::Over { result: end.result, cause: end.cause.clone() });
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
        Command::Rule { result, because } => {
            let because = because.trim();
            if because.is_empty() || because.len() > BECAUSE_BYTES_MAX {
                return Err(Refused::Reason);
            }
            let ruled = What::Ruled { result: *result, because: because.to_owned() };
            Ok(vec![event(ruled), ended(now, *result, "ruling")])
        }
        Command::Tick => tick(state, now),
        Command::Stoppage { from } => {
            // It concerns clocks that run.
            let from = (*from).max(state.begun().unwrap_or(now));
            let runs = state.clocks(now).is_some() && from < now;
            if runs { Ok(vec![event(What::Stoppage { from })]) } else { Err(Refused::NothingDue) }
        }
        _ => Err(Refused::NotPlayer),
    }
}

/// The events of a player's command.
fn by_player(state: &State, by: Owner, command: &Command, now: u64) -> Result<Vec<Event>, Refused> {
    let event = |what| Event { at: now, by: Some(by), what };
    if let Command::Accept { terms } = command {
        return accept(state, by, terms).map(|what| vec![event(what)]);
    }
    check_in_progress(state, by, command, now)?;
    match command {
        Command::Ply { text, offer } => ply(state, by, text, *offer, now),
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
                true => Ok(agreed(standing.offer, event, now)),
                false => Ok(vec![event(What::Rejected)]),
            },
            _ => Err(Refused::NoOffer),
        },
        _ if !by.is_real() => Err(Refused::NotFor(by)),
        Command::Claim { claim, intended } => claims::claim(state, by, (*claim, intended.as_deref()), now),
        Command::Leave { days } => leave(state, by, *days, now).map(|what| vec![event(what)]),
        Command::Resign => Ok(vec![event(What::Resigned), ended(now, won_by(by.opponent()), "resignation")]),
        _ => Err(Refused::NotArbiter),
    }
}

/// Fails unless the game is in progress, the time is not up, and the game has room for an event.
fn check_in_progress(state: &State, by: Owner, command: &Command, now: u64) -> Result<(), Refused> {
    if state.status() == Status::AwaitingAcceptance {
        let mut players = state.setting().terms.players.all().map(|(player, _)| player);
        let missing = players.find(|player| !state.has_accepted(*player));
        return Err(Refused::NotBegun(missing.unwrap_or(by)));
    }
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

/// The events of a loss on time.
fn tick(state: &State, now: u64) -> Result<Vec<Event>, Refused> {
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
        OfferKind::Takeback { to } => vec![event(What::TookBack { to })],
    }
}

fn ply(
    state: &State,
    by: Owner,
    text: &str,
    offer: Option<OfferKind>,
    now: u64,
) -> Result<Vec<Event>, Refused> {
    check_to_act(state, by)?;
    if let Some(offer) = offer {
        check_offer(state, by, offer)?;
    }
    let (ply, coord) = read(&state.game, by, text)?;
    let made = What::Ply { coord, text: text.trim().to_owned(), offer };
    let mut events = vec![Event { at: now, by: Some(by), what: made }];
    if let Some(end) = state.with_ply(&ply).end() {
        let result = GameResult::parse(end.outcome.as_str()).unwrap_or(GameResult::Unknown);
        events.push(ended(now, result, end.reason.id()));
    }
    Ok(events)
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
