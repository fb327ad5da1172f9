//! Claims that rest on a premise which the board does not show: agreement, resignation.

use super::case::Case;
use super::line::win_unless_beyond;
use super::verdict::{Ground, Strength, Verdict};
use crate::board::{Mask, Owner};
use crate::certificate::Decision;
use crate::judge::Outcome;
use crate::record::GameResult;
use crate::record::time_control::Termination;

/// Judges the claim that the players agreed on a draw.
pub(super) fn agreement<M: Mask>(case: &Case<'_, M>) -> Verdict {
    if let Some(end) = case.end {
        return case.game_over(end);
    }
    let both = Owner::REAL.map(|owner| has_moved(case, owner));
    if both != [true; 2] {
        let text = "The players may agree on a draw once each has made a move; one of them has made none.";
        return case.verdict(Decision::Rejected, Ground::Premise, None, text.to_owned());
    }
    stated(case, GameResult::Draw, Outcome::Draw, "an agreed draw")
}

/// Judges the claim that the opponent resigned.
pub(super) fn resignation<M: Mask>(case: &Case<'_, M>) -> Verdict {
    if let Some(end) = case.end {
        return case.game_over(end);
    }
    let winner = case.claimant();
    let result = if winner == Owner::White { GameResult::WhiteWins } else { GameResult::BlackWins };
    let what = format!("a resignation of {}", winner.opponent().name());
    let mut verdict = stated(case, result, Outcome::won_by(winner), &what);
    if verdict.verdict == Decision::Upheld {
        win_unless_beyond(case, winner, &mut verdict);
    }
    verdict
}

/// The verdict by the record's result and its tag `Termination`.
fn stated<M: Mask>(case: &Case<'_, M>, wanted: GameResult, result: Outcome, what: &str) -> Verdict {
    let known = case.record.stated_result().filter(|found| *found != GameResult::Unknown);
    let termination = case.record.tag("Termination");
    let manner = termination.as_deref().and_then(Termination::parse);
    let fits = matches!(manner, None | Some(Termination::ByPlayers | Termination::Normal));
    let said =
        termination.as_deref().map_or_else(String::new, |text| format!(" and the termination `{text}`"));
    match known {
        Some(found) if found == wanted && fits => {
            let text = format!(
                "The record states {found}{said}, and the board shows no end: {what}, if the players confirm it."
            );
            let mut verdict = case.verdict(Decision::Upheld, Ground::Premise, Some(result), text);
            verdict.strength = Strength::Ruled;
            verdict
        }
        Some(found) => {
            let text = format!("The record states {found}{said}, which is not {what}.");
            case.verdict(Decision::Rejected, Ground::Result, None, text)
        }
        None => {
            let text = format!(
                "The record states no result, so that it does not show {what}. The players' signatures would decide."
            );
            case.verdict(Decision::Undetermined, Ground::Premise, None, text)
        }
    }
}

/// True if the player has made a ply up to the position of the claim.
pub(super) fn has_moved<M: Mask>(case: &Case<'_, M>, owner: Owner) -> bool {
    case.trace.plies[..case.plies].iter().any(|traced| traced.ply.actor == owner)
}
