//! What a verdict rests on besides the moves of the record: premises that follow from the record and the claim.

use super::case::Case;
use super::off_board::has_rival;
use super::verdict::{Strength, Verdict};
use crate::certificate::{ClaimKind, Decision, Premise};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::EndReason;
use ferz_core::position::Position;

/// Adds the premises of a verdict, and takes back what they forbid.
///
/// # Errors
/// If the counter of the start, which the verdict would rest on, cannot be.
pub(super) fn with_premises<M: Mask>(case: &Case<'_, M>, mut verdict: Verdict) -> Result<Verdict, String> {
    let upheld = verdict.verdict == Decision::Upheld;
    let kind = case.claim.kind;
    let written = case.record.main_moves().count();
    if rests_on_start(case, &verdict) {
        possible(&case.trace.start)?;
        verdict.premises.push(Premise::CounterOfStart);
    }
    if upheld && is_claimed(case) && case.plies < written {
        verdict.premises.push(Premise::ClaimedInTime);
        verdict.articles.push(Premise::ClaimedInTime.article().to_owned());
    }
    if case.end.is_some_and(|end| end.reason.in_force_since().is_some()) && !case.record.is_dated() {
        verdict.premises.push(Premise::LawsOfToday);
    }
    let conditional = [Premise::CounterOfStart, Premise::ClaimedInTime];
    if upheld && verdict.premises.iter().any(|premise| conditional.contains(premise)) {
        verdict.strength = Strength::Ruled;
    }
    let forced = matches!(kind, ClaimKind::ForcedMate | ClaimKind::ForcedWin | ClaimKind::ForcedDraw);
    if forced
        && case.end.is_none()
        && let Some(result) = verdict.result
        && has_rival(case, result)
    {
        verdict.result = None;
        verdict.explanation.push_str(
            " The game is worth what the record states, or what a player may claim: that it could be won decides \
             nothing.",
        );
    }
    Ok(verdict)
}

/// True for a claim that a player makes before the next ply.
fn is_claimed<M: Mask>(case: &Case<'_, M>) -> bool {
    let perpetual = case.claim.kind == ClaimKind::PerpetualCheck;
    case.claim.kind.may_be_intended() || perpetual && case.position.rules().ends.claims_perpetual()
}

/// True if a verdict by a counter of moves counts moves before the start.
fn rests_on_start<M: Mask>(case: &Case<'_, M>, verdict: &Verdict) -> bool {
    let by_counter = matches!(case.claim.kind, ClaimKind::FiftyMoves | ClaimKind::QuietMoves);
    let at = match case.end {
        Some(end) if end.reason == EndReason::SeventyFiveMoves => end.ply,
        None if by_counter && verdict.verdict == Decision::Upheld => case.plies,
        Some(end) if by_counter && verdict.verdict == Decision::Upheld && end.ply == case.plies => case.plies,
        _ => return false,
    };
    let started = case.trace.start.status().halfmoves > 0;
    started && usize::from(case.trace.position(at).status().halfmoves) > at
}

/// Fails if a position states more plies without pawn move and capture than its game can have had.
fn possible<M: Mask>(start: &Position<M>) -> Result<(), String> {
    let rules = start.rules();
    let status = start.status();
    let made = 2 * status.number.saturating_sub(1) + u32::from(start.turn() == Owner::Black);
    if rules.nature.is_some() || u32::from(status.halfmoves) <= made {
        return Ok(());
    }
    Err(format!(
        "the FEN counts {} plies without pawn move or capture at move {}, before which there were at most {made}; \
         correct the counter or the number of the move",
        status.halfmoves, status.number
    ))
}
