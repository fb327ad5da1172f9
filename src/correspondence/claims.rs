//! Claims that can be checked at once: on the board, and by the clock.

use crate::decide::{check_to_act, ended, read, won_by};
use crate::dispute::DISPUTES_MAX;
use crate::{ByClock, Check, ClaimName, Event, Refused, State, What};
use ferz_core::board::{Owner, by_width};
use ferz_core::judge::ClaimableKind;
use ferz_core::rules::Registry;
use ferz_core::text::Budget;
use ferz_proof::adjudicate::{Claim, ClaimKind, Terms, adjudicate};
use ferz_proof::prove::{Chance, chance};
use ferz_records::play::AnyPosition;
use ferz_records::record::{GameResult, read as read_records};
use ferz_records::replay::{Options, Replayer, Source};

/// Positions that are visited at most to find whether a player could still have won.
const NODES: u64 = 50_000;

/// The events of a claim: the end of the game if it is right, the penalty that the policy states if it is false, and a
/// dispute if people have to decide.
pub(crate) fn claim(
    state: &State,
    by: Owner,
    (claim, intended, check): (ClaimName, Option<&str>, Option<&Check>),
    now: u64,
) -> Result<Vec<Event>, Refused> {
    let upheld = match claim {
        ClaimName::OnBoard(kind) => Some(on_board(state, by, kind, intended)?),
        ClaimName::ByClock(ByClock::TimeWin) => Some(state.overstepped(now) == Some(by.opponent())),
        ClaimName::ByClock(ByClock::Silence) => Some(is_silent(state, by.opponent(), now)),
        ClaimName::Judged(_) if state.disputes[by.index()] >= DISPUTES_MAX => {
            return Err(Refused::TooManyClaims);
        }
        ClaimName::Judged(_) => check.is_some_and(Check::refutes).then_some(false),
    };
    let claimed = What::Claimed {
        claim,
        intended: intended.map(str::to_owned),
        upheld,
        check: check.cloned().map(Box::new),
    };
    let mut events = vec![Event { at: now, by: Some(by), what: claimed }];
    match upheld {
        Some(true) => events.push(ended(now, result(state, by, claim), claim.name())),
        Some(false) => events.extend(sanction(state, by, now)),
        None => {}
    }
    Ok(events)
}

/// The penalty that the policy states for a player's false claim.
pub(crate) fn sanction(state: &State, by: Owner, now: u64) -> Option<Event> {
    let sanction = state.setting().policy.false_claim.as_ref()?;
    let time = |seconds: u64| seconds.saturating_mul(1000);
    Some(match (sanction.opponent_gets, sanction.player_loses) {
        (gets @ 1.., _) => {
            let what = What::Granted { time: time(gets) };
            Event { at: now, by: Some(by.opponent()), what }
        }
        (_, loses) => Event { at: now, by: Some(by), what: What::Taken { time: time(loses) } },
    })
}

/// True if a player is on move and has been silent for too long.
fn is_silent(state: &State, player: Owner, now: u64) -> bool {
    let running = state.clocks(now).and_then(|clocks| clocks.running);
    running.is_some_and(|running| running.by == player && running.silent.is_some_and(|at| at <= now))
}

/// True if the player may claim this now, or by making the ply that is intended.
fn on_board(state: &State, by: Owner, kind: ClaimableKind, intended: Option<&str>) -> Result<bool, Refused> {
    let Some(text) = intended else {
        return Ok(state.claimable().iter().any(|open| open.kind == kind && open.by == by));
    };
    check_to_act(state, by)?;
    let (ply, _) = read(&state.game, by, text)?;
    Ok(state.with_ply(&ply).claims().iter().any(|open| open.kind == kind))
}

/// The result of a claim that is right.
fn result(state: &State, by: Owner, claim: ClaimName) -> GameResult {
    match claim {
        ClaimName::OnBoard(ClaimableKind::Declaration | ClaimableKind::PerpetualCheck) => won_by(by),
        ClaimName::OnBoard(_) => GameResult::Draw,
        ClaimName::ByClock(_) => by_time(state, by.opponent()),
        ClaimName::Judged(_) => GameResult::Unknown,
    }
}

/// The result when the time of a player is up: the opponent wins, or the game is drawn if the opponent could not win by
/// any sequence of plies (FIDE 6.9).
pub(crate) fn by_time(state: &State, player: Owner) -> GameResult {
    let winner = player.opponent();
    let position = state.game.position();
    let can_win = by_width!(AnyPosition, position.any(), |position| {
        let found = chance(position, winner, NODES, &Budget::unlimited(), &mut 0);
        !matches!(found, Chance::Never(_))
    });
    if can_win { won_by(winner) } else { GameResult::Draw }
}

/// The longest certificate that is kept with a claim, in bytes.
const CERTIFICATE_BYTES_MAX: usize = 1 << 16;

/// What a machine finds about a claim on which people decide, in a game as it is now.
///
/// # Errors
/// If the claim is incomplete or does not fit the game, with the remedy.
pub fn check_claim(state: &State, registry: &Registry, claim: &Claim, terms: Terms) -> Result<Check, String> {
    let text = state.record();
    let record = read_records(text.as_bytes(), 0).next().ok_or("the game has no record")?;
    let source = Source::new(text.as_bytes(), 0, 0);
    let mut replayer = Replayer::new(registry, Options::default());
    let terms = Terms { policy: state.setting().policy.clone(), ..terms };
    let verdict = adjudicate(&mut replayer, (&record, &source), claim, &terms);
    let verdict = verdict.map_err(|error| error.to_string())?;
    let certificate = verdict.certificate.as_ref().and_then(|found| serde_json::to_string(found).ok());
    let outcome = verdict.result.or(verdict.result_if).map(|outcome| outcome.as_str());
    // Who claims at least a draw asks for one.
    let draw = (claim.kind == ClaimKind::ForcedDraw).then_some("1/2-1/2");
    Ok(Check {
        certificate: certificate.filter(|certificate| certificate.len() <= CERTIFICATE_BYTES_MAX),
        explanation: verdict.explanation,
        result: outcome.or(draw).and_then(GameResult::parse),
        strength: verdict.strength.id().to_owned(),
        verdict: verdict.verdict.to_string(),
    })
}
