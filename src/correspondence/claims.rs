//! Claims that can be checked at once: on the board, and by the clock.

use crate::decide::{check_to_act, ended, read, won_by};
use crate::{ByClock, ClaimName, Event, Refused, State, What};
use ferz_core::board::{Owner, by_width};
use ferz_core::judge::ClaimableKind;
use ferz_core::text::Budget;
use ferz_proof::prove::{Chance, chance};
use ferz_records::play::AnyPosition;
use ferz_records::record::GameResult;

/// Positions that are visited at most to find whether a player could still have won.
const NODES: u64 = 50_000;

/// The events of a claim: the end of the game if it is right, else the penalty that the policy states for false
/// claims.
pub(crate) fn claim(
    state: &State,
    by: Owner,
    (claim, intended): (ClaimName, Option<&str>),
    now: u64,
) -> Result<Vec<Event>, Refused> {
    let is_right = match claim {
        ClaimName::OnBoard(kind) => on_board(state, by, kind, intended)?,
        ClaimName::ByClock(ByClock::TimeWin) => state.overstepped(now) == Some(by.opponent()),
        ClaimName::ByClock(ByClock::Silence) => state
            .clocks(now)
            .and_then(|clocks| clocks.running)
            .is_some_and(|running| running.by == by.opponent() && running.silent.is_some_and(|at| at <= now)),
    };
    let claimed = What::Claimed { claim, intended: intended.map(str::to_owned), upheld: is_right };
    let mut events = vec![Event { at: now, by: Some(by), what: claimed }];
    if is_right {
        events.push(ended(now, result(state, by, claim), claim.name()));
    } else if let Some(sanction) = &state.setting().policy.false_claim {
        let time = |seconds: u64| seconds.saturating_mul(1000);
        events.push(match (sanction.opponent_gets, sanction.player_loses) {
            (gets @ 1.., _) => {
                let what = What::Granted { time: time(gets) };
                Event { at: now, by: Some(by.opponent()), what }
            }
            (_, loses) => Event { at: now, by: Some(by), what: What::Taken { time: time(loses) } },
        });
    }
    Ok(events)
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
