//! The desk that writes letters: what a player has to know about a game, and the line to send back.

use super::letter::Letter;
use crate::tournament::Player;
use ferz::archive::{Correspondence, ReplyCodes, to_hex};
use ferz::board::Owner;
use ferz::correspondence::{State, Status};
use ferz::notation::Style;
use ferz::text::Timestamp;

/// What may be written instead of a ply, in words.
const WORDS: &str = "`resign`, `draw` (which offers one, or agrees to one), `decline` (an offer), or `claim` \
    and what you claim, such as `claim threefold_repetition`";

/// The place of the answer in a line that a letter has.
pub(super) const PLACEHOLDER: &str = "PLY";

/// Players with their addresses, and the codes of the archive.
pub struct Desk<'d> {
    /// The players.
    pub players: &'d [Player],
    /// What makes their codes.
    pub codes: &'d ReplyCodes,
}

impl Desk<'_> {
    /// The address of a player.
    pub fn address(&self, name: &str) -> Option<&str> {
        self.players.iter().find(|player| player.name == name).and_then(|player| player.email.as_deref())
    }

    /// The player who has an address.
    pub(super) fn player_at(&self, address: &str) -> Option<&Player> {
        let is_it = |email: &str| email.eq_ignore_ascii_case(address);
        self.players.iter().find(|player| player.email.as_deref().is_some_and(is_it))
    }

    /// A letter to a player about games.
    pub fn letter(&self, name: &str, subject: String, body: &str) -> Option<Letter> {
        let to = self.address(name)?.to_owned();
        Some(Letter { to, subject, body: format!("{name},\n\n{body}"), answers: None })
    }

    /// What a player needs to know to go on with a game: the last plies, the position, what is offered, and the line
    /// to send back if it waits for the player.
    pub fn part(&self, game: &Correspondence, player: Owner, now: u64) -> String {
        let state = &game.state;
        let mut out = format!("{}\n", heading(game));
        for line in [when(state, now), last_plies(state), standing(state, player)].into_iter().flatten() {
            out.push_str(&format!("{line}\n"));
        }
        if state.status() == Status::AwaitingAcceptance {
            out.push_str(&format!("\n{}\n", terms(state)));
        } else {
            out.push_str(&format!("\n{}", position(state)));
        }
        if waits_for(state, player) {
            out.push_str(&format!("\n{}\n", self.line(game, player)));
        }
        out
    }

    /// How a player answers.
    fn line(&self, game: &Correspondence, player: Owner) -> String {
        let (state, id) = (&game.state, game.id);
        let code = self.codes.code(game, player);
        if state.status() == Status::AwaitingAcceptance {
            return format!("To accept these terms send this line back:\n\n  ferz {id} {code} accept");
        }
        if state.key(player).is_some() {
            let (head, sequence) = (to_hex(&game.head()), state.events());
            return format!(
                "You sign your plies. Make the signature of your ply PLY in coordinate notation, and send back the \
                 second line:\n\n  ferz player sign {id} {head} {sequence} PLY --signer FILE\n  ferz {id} SIGNATURE \
                 {PLACEHOLDER}\n\nInstead of a ply you can write {WORDS} after this line:\n\n  ferz {id} {code} "
            );
        }
        let natures = if player == Owner::Nature {
            " `decline` lets the chance pass, `call` calls for your turn."
        } else {
            ""
        };
        format!(
            "Send this line back with your ply in the place of {PLACEHOLDER}, or reply to this mail with only the ply \
             on a line:\n\n  ferz {id} {code} {PLACEHOLDER}\n\nInstead of a ply you can write {WORDS}.{natures}"
        )
    }
}

/// True if a player has something to answer: the game waits for the player, or the other one offers something.
pub(super) fn waits_for(state: &State, player: Owner) -> bool {
    state.waits_for(player) || state.is_offered(player)
}

/// Round, players and game.
pub(super) fn heading(game: &Correspondence) -> String {
    let terms = &game.state.setting().terms;
    let of = |name: &str| terms.tags.get(name).map(String::as_str);
    let event = match (of("Event"), of("Round")) {
        (Some(event), Some(round)) => format!("{event}, round {round}: "),
        (Some(event), None) => format!("{event}: "),
        _ => String::new(),
    };
    format!("{event}{} - {} ({})", terms.players.white, terms.players.black, terms.variant)
}

/// How long there is time.
fn when(state: &State, now: u64) -> Option<String> {
    let running = state.clocks(now)?.running?;
    let deadline = Timestamp::of_milliseconds(running.deadline?).to_seconds();
    Some(format!("The time of {} is up at {deadline}.", running.by.name()))
}

/// The last two plies, as they are numbered in records.
fn last_plies(state: &State) -> Option<String> {
    let plies = state.plies_in(Style::San);
    let actors: Vec<Owner> = state.actors().collect();
    let from = plies.len().saturating_sub(2);
    let named: Vec<String> =
        (from..plies.len()).map(|place| format!("{} {}", actors[place].name(), plies[place])).collect();
    let first = from + 1;
    match named.len() {
        0 => None,
        1 => Some(format!("Ply {first} was: {}.", named[0])),
        _ => Some(format!("Plies {first} and {} were: {}.", first + 1, named.join(", "))),
    }
}

/// Offers, claims and the end.
fn standing(state: &State, player: Owner) -> Option<String> {
    if let Some(end) = state.end() {
        let until = state.appealable_until().map_or_else(String::new, |until| {
            format!(" An appeal is possible until {}.", Timestamp::of_milliseconds(until).to_seconds())
        });
        return Some(format!("The game is over: {} by {}.{until}", end.result.as_str(), end.cause));
    }
    if let Some(dispute) = state.open_dispute() {
        let whose = if dispute.by == player { "Your".to_owned() } else { format!("{}'s", dispute.by.name()) };
        return Some(format!("{whose} claim or appeal waits for an answer or a ruling."));
    }
    let offer = state.offer()?;
    let who = if offer.by == player { "You offer" } else { "Your opponent offers" };
    Some(format!("{who} {}.", offer.offer))
}

/// What a player accepts.
fn terms(state: &State) -> String {
    let terms = &state.setting().terms;
    let rules = &terms.rules;
    let mut lines = vec![
        "The game begins once all its players have accepted its terms:".to_owned(),
        format!("  game: {} (rules {} of {}, {})", terms.variant, rules.name, rules.edition, rules.digest),
        format!("  clock: {}; remedies: {}", terms.clock.name, terms.policy.name),
    ];
    let own = |name: &str| !matches!(name, "Event" | "Round");
    let tags = terms.tags.iter().filter(|(name, _)| own(name)).map(|(name, value)| format!("{name} {value}"));
    let tags: Vec<String> = tags.collect();
    if !tags.is_empty() {
        lines.push(format!("  tags: {}", tags.join("; ")));
    }
    if let Some(nature) = &terms.players.nature {
        lines.push(format!("  Nature: {nature}"));
    }
    lines.join("\n")
}

/// The board, with stocks, rights and clocks, and the position as extended FEN.
fn position(state: &State) -> String {
    let position = state.position();
    format!("{}FEN: {}\n", position.drawn(), position.fen())
}
