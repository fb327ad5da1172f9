//! Games in progress as JSON: what their players, arbiters and onlookers see.

use super::openapi;
use super::problem::Problem;
use ferz::archive::{Correspondence, GameId, KeptAct, to_hex};
use ferz::board::Owner;
use ferz::clock;
use ferz::correspondence::{Branch, Check, Dispute, Ended, Offer, State, Status, Terms, What};
use ferz::judge::ClaimableDraw;
use ferz::notation::Style;
use ferz::record::GameResult;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A game in progress, or one that has ended
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct InProgress {
    /// The id
    #[schema(value_type = openapi::Id)]
    id: String,
    /// The head: the hash of the leaf of its last event, which `If-Match` names
    head: String,
    /// Whether it is played
    #[schema(value_type = String)]
    status: Status,
    /// The digest of what the players accept
    terms: String,
    /// The number of its next event: that of the event which the next change becomes
    sequence: u64,
    /// The terms themselves: rules, players, policies, tags
    #[schema(value_type = Object)]
    agreed: Terms,
    /// The players who have accepted
    #[schema(value_type = Vec<String>)]
    accepted: Vec<Owner>,
    /// The sides that the caller plays
    #[schema(value_type = Vec<String>)]
    you: Vec<Owner>,
    /// The position as (extended) FEN
    fen: String,
    /// The plies so far
    plies: Vec<PlyMade>,
    /// The players who may act now
    #[schema(value_type = Vec<String>)]
    to_act: Vec<Owner>,
    /// The clocks; null in a game without clocks, and before it begins
    clocks: Option<ClocksNow>,
    /// The claims that are open
    #[schema(value_type = Vec<Object>)]
    claimable: Vec<ClaimableDraw>,
    /// The offers that stand
    #[schema(value_type = Vec<Object>)]
    offers: Vec<Offer>,
    /// What the players have committed to and revealed, in a game with secrets
    #[serde(skip_serializing_if = "Option::is_none")]
    secrets: Option<Secrets>,
    /// The keys that sign the plies of their players
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Object, required = false)]
    keys: BTreeMap<Owner, String>,
    /// The adjournment, while the game is adjourned
    #[serde(skip_serializing_if = "Option::is_none")]
    adjourned: Option<AdjournedNow>,
    /// The claim or the appeal that waits for an answer or a ruling
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    dispute: Option<Dispute>,
    /// The instant until which a player can appeal against the ruling that ended the game
    #[serde(skip_serializing_if = "Option::is_none")]
    appealable_until: Option<String>,
    /// The caller's own conditional plies
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>, required = false)]
    conditional: Vec<Branch>,
    /// The end, if it has ended
    #[schema(value_type = Option<Object>)]
    end: Option<Ended>,
    /// The entry of the archive that it became
    #[schema(value_type = Option<openapi::Id>)]
    entry: Option<GameId>,
}

/// What the players have committed to, and revealed
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Secrets {
    /// White's
    white: SecretNow,
    /// Black's
    black: SecretNow,
}

/// The secret of a player
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct SecretNow {
    /// The commitment: its SHA-256
    hash: Option<String>,
    /// The secret, once it is revealed
    value: Option<String>,
}

/// An adjournment
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct AdjournedNow {
    /// The player who seals a ply
    #[schema(value_type = String)]
    by: Owner,
    /// The commitment to it, once it is sealed
    hash: Option<String>,
}

/// A ply of a game in progress
#[derive(Clone, Serialize, ToSchema)]
pub(in crate::service) struct PlyMade {
    /// Its number, from 1
    ply: usize,
    /// The player
    #[schema(value_type = String)]
    by: Owner,
    /// In coordinate notation
    coord: String,
    /// In standard notation
    san: String,
    /// The time; null if it was made elsewhere
    time: Option<String>,
}

/// The clocks at the time of the answer
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct ClocksNow {
    /// White's
    white: ClockNow,
    /// Black's
    black: ClockNow,
    /// The move in progress
    running: Option<RunningNow>,
}

/// The clock of a player
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct ClockNow {
    /// The time before the move in progress, in milliseconds
    left_ms: Option<u64>,
    /// That time in words
    left: Option<String>,
}

/// The move in progress
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct RunningNow {
    /// The player
    #[schema(value_type = String)]
    by: Owner,
    /// The time that it has taken, in milliseconds
    spent_ms: u64,
    /// The time charged for it so far, in milliseconds
    charged_ms: u64,
    /// The deadline; null while the clock stands still
    deadline: Option<String>,
}

/// Something that happened
#[derive(Default, Serialize, ToSchema)]
pub(in crate::service) struct Happened {
    /// Its number in the game, from 0
    sequence: u64,
    /// The kind of event
    kind: &'static str,
    /// The player whose act it was; null for an arbiter, and for automatic events
    #[schema(value_type = Option<String>)]
    actor: Option<Owner>,
    /// The time
    time: String,
    /// Of a ply, and of one that is intended with a claim: as it was sent
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Of a ply: in coordinate notation
    #[serde(skip_serializing_if = "Option::is_none")]
    coord: Option<String>,
    /// Of a claim: what was claimed
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<&'static str>,
    /// Of a claim: whether it was right
    #[serde(skip_serializing_if = "Option::is_none")]
    upheld: Option<bool>,
    /// Of a leave: its days
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<u32>,
    /// Of time that is given or taken, and of a stoppage: milliseconds
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u64>,
    /// Of a commitment: the SHA-256 of the secret
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// Of a secret that is revealed: the secret
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Of a key: the key
    #[serde(skip_serializing_if = "Option::is_none")]
    vkey: Option<String>,
    /// Of a signed ply: the signature
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// Of an answer: whether it accepts
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<bool>,
    /// Of a claim on which people decide: what a machine found
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    check: Option<Check>,
    /// Of Nature by lot, at the end: the seed from which her choices were drawn
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    /// Of a ruling, an answer and an appeal: the reason
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    /// Of a ruling and an end: the result
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    result: Option<GameResult>,
    /// The hash of its leaf in the log
    leaf: String,
    /// The number of its event in the log
    event: u64,
}

impl InProgress {
    /// A game at an instant, in milliseconds since 1970, as a person sees it.
    pub(in crate::service) fn of(game: &Correspondence, person: &str, now: u64) -> InProgress {
        let state = &game.state;
        let terms = &state.setting().terms;
        let players = terms.players.all().map(|(player, _)| player);
        let own = terms.players.played_by(person).filter_map(|player| game.trees.get(player.index()));
        InProgress {
            conditional: own.flatten().cloned().collect(),
            id: game.id.to_string(),
            head: to_hex(&game.head()),
            status: state.status(),
            terms: terms.digest(),
            sequence: state.events(),
            agreed: (**terms).clone(),
            accepted: players.filter(|player| state.has_accepted(*player)).collect(),
            you: terms.players.played_by(person).collect(),
            fen: state.fen(),
            plies: plies(state),
            to_act: state.to_act(),
            clocks: clocks(state, now),
            claimable: state.claimable(),
            offers: state.offer().copied().into_iter().collect(),
            secrets: terms.has_secrets().then(|| secrets(state)),
            keys: Owner::ALL
                .into_iter()
                .filter_map(|player| Some((player, state.key(player)?.to_owned())))
                .collect(),
            adjourned: state.adjourned().map(|(by, hash)| AdjournedNow { by, hash: hash.map(str::to_owned) }),
            dispute: state.open_dispute().cloned(),
            appealable_until: state.appealable_until().map(time),
            end: state.end().cloned(),
            entry: game.entry,
        }
    }

    /// The last ply of a player.
    pub(in crate::service) fn last_ply_of(&self, player: Owner) -> Option<&PlyMade> {
        self.plies.iter().rev().find(|ply| ply.by == player)
    }
}

/// The plies that were not taken back.
fn plies(state: &State) -> Vec<PlyMade> {
    let written = state.plies().iter().zip(state.plies_in(Style::San));
    let made = state.actors().zip(state.instants());
    made.zip(written)
        .enumerate()
        .map(|(index, ((by, at), (coord, san)))| PlyMade {
            ply: index + 1,
            by,
            coord: coord.clone(),
            san,
            time: (*at > 0).then(|| time(*at)),
        })
        .collect()
}

fn secrets(state: &State) -> Secrets {
    let [white, black] = state
        .secrets()
        .map(|(hash, value)| SecretNow { hash: hash.map(str::to_owned), value: value.map(str::to_owned) });
    Secrets { white, black }
}

fn clocks(state: &State, now: u64) -> Option<ClocksNow> {
    let clocks = state.clocks(now)?;
    let [white, black] = clocks.left.map(|left| ClockNow { left_ms: left, left: left.map(clock::in_words) });
    let running = clocks.running.map(|running| RunningNow {
        by: running.by,
        spent_ms: running.spent,
        charged_ms: running.charged,
        deadline: running.deadline.map(time),
    });
    Some(ClocksNow { white, black, running })
}

impl Happened {
    /// The number of its event in the log.
    pub(in crate::service) fn event(&self) -> u64 {
        self.event
    }

    /// The kind of event.
    pub(in crate::service) fn kind(&self) -> &'static str {
        self.kind
    }

    /// An act of a game, with its number there.
    pub(in crate::service) fn of(sequence: u64, act: &KeptAct) -> Happened {
        let KeptAct { event, leaf, number } = act;
        let mut happened = Happened {
            sequence,
            kind: event.what.kind(),
            actor: event.by,
            time: time(event.at),
            coord: event.what.coord().map(str::to_owned),
            leaf: to_hex(leaf),
            event: *number,
            ..Happened::default()
        };
        match &event.what {
            What::Ply { text, signature, .. } => {
                happened.text = Some(text.clone());
                happened.signature.clone_from(signature);
            }
            What::Registered { vkey } => happened.vkey = Some(vkey.clone()),
            What::Committed { hash } => happened.hash = Some(hash.clone()),
            What::Revealed { value } => happened.value = Some(value.clone()),
            What::Claimed { claim, upheld, intended, check } => {
                happened.claim = Some(claim.name());
                happened.upheld = *upheld;
                happened.text.clone_from(intended);
                happened.check = check.as_deref().cloned();
            }
            What::Answered { accept, because } => {
                happened.accept = Some(*accept);
                happened.because.clone_from(because);
            }
            What::Dismissed { because } | What::Appealed { because } => {
                happened.because = Some(because.clone());
            }
            What::Left { days } => happened.days = Some(*days),
            What::SeedRevealed { seed } => happened.seed = Some(seed.clone()),
            What::Granted { time } | What::Taken { time } => happened.milliseconds = Some(*time),
            What::Stoppage { from } => happened.milliseconds = Some(event.at.saturating_sub(*from)),
            What::Ruled { result, because } => {
                happened.because = Some(because.clone());
                happened.result = Some(*result);
            }
            What::Ended { result, .. } => happened.result = Some(*result),
            _ => {}
        }
        happened
    }
}

/// Milliseconds since 1970 as RFC 3339.
pub(in crate::service) fn time(at: u64) -> String {
    let at = i64::try_from(at).ok().and_then(chrono::DateTime::from_timestamp_millis).unwrap_or_default();
    at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// Refuses to show a game to someone who may not see it, as if there were none.
pub(in crate::service) fn none(id: &impl std::fmt::Display) -> Problem {
    Problem::new(
        &super::problem::NOT_IN_PROGRESS,
        format!("there is no game {id} in progress that you may see"),
    )
}
