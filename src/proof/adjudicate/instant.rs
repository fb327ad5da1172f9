//! Losses by not making a move until an instant that the claim states.

use super::case::Case;
use super::line::win_unless_beyond;
use super::timed::Timed;
use super::verdict::{Strength, Verdict};
use crate::certificate::{ClaimKind, Decision};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_core::text::Timestamp;
use ferz_records::clock::{Began, Step, in_words};

/// How long a move took, beside what it may take; all in milliseconds.
struct Overrun {
    /// By how much it took longer, at least.
    over: u64,
    /// By how much it took less, at least.
    left: u64,
    /// By how much the rest of the sum may be wrong.
    doubt: u64,
    /// The rule, in words.
    rule: String,
    /// The sum of the player's time.
    step: Option<Step>,
}

/// Judges whether the move in progress had taken too long at an instant.
///
/// # Errors
/// If the opponent is not on move, or the record does not show when the move began, or what it may take.
pub(super) fn by_instant<M: Mask>(
    case: &Case<'_, M>,
    timed: Option<&Timed>,
    winner: Owner,
    at: Timestamp,
) -> Result<Verdict, String> {
    let (loser, turn) = (winner.opponent(), case.position.turn());
    if turn != loser {
        return Err(format!(
            "an instant is about the move in progress, and that is {}'s; omit it, or claim about another ply (--at)",
            turn.name()
        ));
    }
    let began = timed.and_then(|timed| Some((timed, timed.recorded.began?)));
    let (timed, began) = began.ok_or(
        "the record does not show when the move in progress began: that takes the tags UTCDate and UTCTime, and \
         `[%emt]` or `[%clk]` for every ply; add them, or omit the instant (--at)",
    )?;
    let spent = at.since(began.at).ok_or_else(|| {
        format!("at {at} the move in progress had not begun: by the record it began at {} (--at)", began.at)
    })?;
    let found = overrun(case, timed, began, spent)?;
    Ok(verdict(case, timed, (began, at, spent), found))
}

/// How the time of the move compares with the limit of the claim.
fn overrun<M: Mask>(case: &Case<'_, M>, timed: &Timed, began: Began, spent: u64) -> Result<Overrun, String> {
    let (loser, ply) = (timed.loser, case.plies + 1);
    let (limit, rule) = match case.claim.kind {
        ClaimKind::TimeWin => {
            let further = |spent| timed.recorded.further(&timed.clocks, (ply, loser), spent);
            // Where full days are charged, a second more or less may be a day.
            let (least, most) = (spent.saturating_sub(began.doubt), spent.saturating_add(began.doubt));
            let found = further(spent).zip(further(least).zip(further(most)));
            let ((step, doubt), ((least, _), (most, _))) = found.ok_or_else(|| {
                format!(
                    "the record does not show the time that {} had: that takes the tag TimeControl, or a policy with \
                     clocks, and the times of {0}'s plies; add them, or omit the instant (--at)",
                    loser.name()
                )
            })?;
            return Ok(Overrun {
                over: least.exceeded(),
                left: most.before.saturating_sub(most.charged),
                doubt,
                rule: format!("of {} are charged {}", in_words(step.before), in_words(step.charged)),
                step: Some(step),
            });
        }
        ClaimKind::Default if case.has_moved(loser) => {
            return Err(format!("{} has made a move, so that it is no default; claim silence", loser.name()));
        }
        ClaimKind::Default => (timed.clocks.default, "a player whose first move takes more than"),
        _ => (timed.clocks.silence, "a player who does not answer for more than"),
    };
    let kind = case.claim.kind;
    let limit = limit.ok_or_else(|| {
        format!(
            "the policy {} has no limit for {kind}; choose another one (--policy), or omit the instant (--at)",
            case.means.terms.policy.id.name
        )
    })?;
    Ok(Overrun {
        over: spent.saturating_sub(limit),
        left: limit.saturating_sub(spent),
        doubt: began.doubt,
        rule: format!("{rule} {} loses", in_words(limit)),
        step: None,
    })
}

fn verdict<M: Mask>(
    case: &Case<'_, M>,
    timed: &Timed,
    (began, at, spent): (Began, Timestamp, u64),
    found: Overrun,
) -> Verdict {
    let Overrun { over, left, doubt, rule, step } = found;
    let (loser, winner) = (timed.loser.name(), timed.loser.opponent());
    let premise =
        format!("The claim states that {loser} had made no move by {at}, and that no clock had stopped.");
    let facts = format!("By the record the move began at {}; it had taken {}", began.at, in_words(spent));
    let (decision, compared) = if over > doubt {
        (Decision::Upheld, "too much")
    } else if left >= doubt {
        (Decision::Rejected, "which is not too much")
    } else {
        (Decision::Undetermined, "which may be too much or not, since the times of the record are rounded")
    };
    let mut verdict = timed.verdict(case, decision, format!("{premise} {facts}, {compared}: {rule}."));
    verdict.clock = timed.steps(case.plies).into_iter().chain(step).collect();
    if decision != Decision::Upheld {
        // Had the player moved before, or a clock stopped, the move would have taken less.
        return verdict;
    }
    if case.claim.kind == ClaimKind::TimeWin {
        win_unless_beyond(case, winner, &mut verdict);
    } else {
        verdict.result = Some(Outcome::won_by(winner));
        verdict.explanation.push_str(&format!(" {} wins.", winner.name()));
    }
    if verdict.verdict == Decision::Upheld {
        verdict.strength = Strength::Ruled;
    }
    verdict
}
