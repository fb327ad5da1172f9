//! What a player may do, and what follows.

use crate::{Event, OfferKind, State, Status, What};
use ferz_core::board::Owner;
use ferz_core::notation::{Fault, Style};
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
        /// What is offered with it.
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
    /// Resign.
    Resign,
    /// Rule on the result, as an arbiter.
    Rule {
        /// The result.
        result: GameResult,
        /// Why.
        because: String,
    },
}

/// Why a command is refused. Nothing has happened.
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
        /// How it ended.
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
        /// Who wanted to.
        by: Owner,
        /// Who may.
        to_act: Vec<Owner>,
    },
    /// The ply is not legal.
    #[error("`{text}` is not legal: {fault}")]
    Illegal {
        /// The ply as it was sent.
        text: String,
        /// Why, with the article.
        fault: Box<Fault>,
        /// The nearest legal plies, in standard notation.
        nearest: Vec<String>,
    },
    /// No ply has so long a text.
    #[error("a ply has at most {PLY_BYTES_MAX} bytes")]
    TooLong,
    /// The style of coordinates has no form for the ply.
    #[error("`{0}` cannot be written in coordinate notation")]
    Inexpressible(String),
    /// Nature alone does that, or never does.
    #[error("{} cannot do that", .0.name())]
    NotFor(Owner),
    /// Nature has called for her turn.
    #[error("Nature has called for her turn, and must take it")]
    HasCalled,
    /// There is nothing to answer.
    #[error("there is no offer of the other player to answer")]
    NoOffer,
    /// The same offer stands.
    #[error("the offer was made before, and stands")]
    Offered,
    /// Plies that were not made cannot be taken back.
    #[error("the game has {plies} plies; `to` is the number that is left, from 0 to {}", plies.saturating_sub(1))]
    TakebackTo {
        /// The number of plies.
        plies: usize,
    },
    /// A reason is missing or too long.
    #[error("give a reason of at most {BECAUSE_BYTES_MAX} bytes")]
    Reason,
    /// Only arbiters rule.
    #[error("only an arbiter can do that")]
    NotArbiter,
}

/// The longest reason of a ruling, in bytes.
const BECAUSE_BYTES_MAX: usize = 2000;

/// The longest ply that is looked at, in bytes.
const PLY_BYTES_MAX: usize = 64;

/// The events that a command leads to at an instant, in milliseconds since 1970. `by` is the player who sends it;
/// `None` for an arbiter.
///
/// # Errors
/// Why the command is refused.
pub fn decide(state: &State, by: Option<Owner>, command: &Command, now: u64) -> Result<Vec<Event>, Refused> {
    if let Some(end) = state.end() {
        return Err(Refused::Over { result: end.result, cause: end.cause.clone() });
    }
    let event = |what| Event { at: now, by, what };
    let ended = |result, cause: &str| Event {
        at: now,
        by: None,
        what: What::Ended { result, cause: cause.to_owned() },
    };
    let by = match (command, by) {
        (Command::Rule { result, because }, None) => {
            let because = because.trim();
            if because.is_empty() || because.len() > BECAUSE_BYTES_MAX {
                return Err(Refused::Reason);
            }
            let ruled = What::Ruled { result: *result, because: because.to_owned() };
            return Ok(vec![event(ruled), ended(*result, "ruling")]);
        }
        (Command::Rule { .. }, Some(_)) => return Err(Refused::NotArbiter),
        (_, None) => return Err(Refused::NotFor(Owner::Nature)),
        (_, Some(by)) => by,
    };
    if let Command::Accept { terms } = command {
        return accept(state, by, terms).map(|what| vec![event(what)]);
    }
    if state.status() == Status::AwaitingAcceptance {
        let mut players = state.setting().terms.players.all().map(|(player, _)| player);
        let missing = players.find(|player| !state.has_accepted(*player));
        return Err(Refused::NotBegun(missing.unwrap_or(by)));
    }
    match command {
        Command::Ply { text, offer } => ply(state, by, text, *offer, now),
        Command::Call => {
            check_to_act(state, by, true)?;
            if state.nature_has_called() { Err(Refused::HasCalled) } else { Ok(vec![event(What::Called)]) }
        }
        Command::Decline => {
            check_to_act(state, by, true)?;
            if state.nature_has_called() { Err(Refused::HasCalled) } else { Ok(vec![event(What::Declined)]) }
        }
        Command::Offer(offer) => {
            check_offer(state, by, *offer)?;
            match state.offer() {
                Some(standing) if standing.by != by && standing.offer == *offer => {
                    Ok(agreed(*offer, event, ended))
                }
                Some(standing) if standing.offer == *offer => Err(Refused::Offered),
                _ => Ok(vec![event(What::Offered { offer: *offer })]),
            }
        }
        Command::Answer { accept } => match state.offer() {
            Some(standing) if standing.by != by && by.is_real() => match accept {
                true => Ok(agreed(standing.offer, event, ended)),
                false => Ok(vec![event(What::Rejected)]),
            },
            _ => Err(Refused::NoOffer),
        },
        Command::Resign if by.is_real() => {
            let result = if by == Owner::White { GameResult::BlackWins } else { GameResult::WhiteWins };
            Ok(vec![event(What::Resigned), ended(result, "resignation")])
        }
        Command::Resign => Err(Refused::NotFor(by)),
        Command::Accept { .. } | Command::Rule { .. } => Err(Refused::NotArbiter),
    }
}

fn accept(state: &State, by: Owner, terms: &str) -> Result<What, Refused> {
    let digest = state.setting().terms.digest();
    if terms != digest {
        return Err(Refused::OtherTerms(digest));
    }
    if state.has_accepted(by) { Err(Refused::Accepted(by)) } else { Ok(What::Accepted) }
}

fn check_to_act(state: &State, by: Owner, is_natures: bool) -> Result<(), Refused> {
    if is_natures && by != Owner::Nature {
        return Err(Refused::NotFor(by));
    }
    let to_act = state.to_act();
    if to_act.contains(&by) { Ok(()) } else { Err(Refused::NotToAct { by, to_act }) }
}

fn check_offer(state: &State, by: Owner, offer: OfferKind) -> Result<(), Refused> {
    if !by.is_real() {
        return Err(Refused::NotFor(by));
    }
    match offer {
        OfferKind::Takeback { to } if to >= state.plies().len() => {
            Err(Refused::TakebackTo { plies: state.plies().len() })
        }
        _ => Ok(()),
    }
}

/// What follows when both players agree.
fn agreed(
    offer: OfferKind,
    event: impl Fn(What) -> Event,
    ended: impl Fn(GameResult, &str) -> Event,
) -> Vec<Event> {
    match offer {
        OfferKind::Draw => vec![event(What::Agreed), ended(GameResult::Draw, "agreement")],
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
    check_to_act(state, by, false)?;
    if let Some(offer) = offer {
        check_offer(state, by, offer)?;
    }
    let text = text.trim();
    let position = state.game.position();
    if text.len() > PLY_BYTES_MAX {
        return Err(Refused::TooLong);
    }
    let ply = position.read_by(by, text).map_err(|fault| {
        let nearest =
            fault.candidates.iter().filter_map(|ply| position.write(ply, Style::San).ok()).collect();
        Refused::Illegal { text: text.to_owned(), fault, nearest }
    })?;
    if ply.actor != by {
        return Err(Refused::NotToAct { by, to_act: state.to_act() });
    }
    let coord = position.write(&ply, Style::Coord).map_err(|_| Refused::Inexpressible(text.to_owned()))?;
    let made = What::Ply { coord, text: text.to_owned(), offer };
    let mut events = vec![Event { at: now, by: Some(by), what: made }];
    let mut game = state.game.clone();
    game.play_ply(&ply);
    if let Some(end) = game.end() {
        let result = GameResult::parse(end.outcome.as_str()).unwrap_or(GameResult::Unknown);
        let ended = What::Ended { result, cause: end.reason.id().to_owned() };
        events.push(Event { at: now, by: None, what: ended });
    }
    Ok(events)
}

/// Players with commas between them.
fn in_words(players: &[Owner]) -> String {
    match players {
        [] => "no one".to_owned(),
        _ => players.iter().map(|player| player.name()).collect::<Vec<_>>().join(", "),
    }
}
