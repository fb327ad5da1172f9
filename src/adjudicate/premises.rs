//! Claims that rest on a premise which the board does not show: agreement, resignation, time, silence, default.

use super::case::Case;
use super::line::{self, Chance};
use super::verdict::{Ground, Strength, Verdict};
use crate::board::{Mask, Owner};
use crate::certificate::{ClaimKind, Decision};
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
    stated(case, result, Outcome::won_by(winner), &what)
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

/// Judges the claims that the opponent lost by not making a move: on time, by silence, by default.
pub(super) fn lost_off_the_board<M: Mask>(case: &Case<'_, M>) -> Verdict {
    if let Some(end) = case.end {
        return case.game_over(end);
    }
    let winner = case.claimant();
    let loser = winner.opponent();
    let (premise, excluded) = match case.claim.kind {
        ClaimKind::Default => (
            format!("{} never appeared at the board", loser.name()),
            has_moved(case, loser).then(|| format!("{} has made a move, so it is no default.", loser.name())),
        ),
        ClaimKind::Silence => (
            format!("{} no longer answers", loser.name()),
            (case.position.turn() != loser)
                .then(|| format!("It is {}'s turn, so {} owes no answer.", winner.name(), loser.name())),
        ),
        _ => (format!("{} exceeded the time", loser.name()), None),
    };
    if let Some(text) = excluded {
        return case.verdict(Decision::Rejected, Ground::Premise, None, text);
    }
    let on_time = case.claim.kind == ClaimKind::TimeWin;
    let record = case.record.tag("Termination");
    let says_so = on_time && record.as_deref().and_then(Termination::parse) == Some(Termination::TimeForfeit);
    let source = if says_so { "The record states that " } else { "Given that " };
    let joint = if says_so { "." } else { ", as the claim states:" };
    let mut spent = 0;
    let chance = match on_time {
        true => line::chance(case, winner, &mut spent),
        false => Chance::Unneeded,
    };
    let winners = winner.name();
    let mut verdict = match chance {
        Chance::Unneeded => {
            let text = format!("{source}{premise}{joint} {winners} wins.");
            case.verdict(Decision::Upheld, Ground::Premise, Some(Outcome::won_by(winner)), text)
        }
        Chance::Line(plies) => {
            let text = format!(
                "{source}{premise}{joint} {winners} wins, for {winners} could still win on the board: the line shows \
                 how."
            );
            let mut verdict =
                case.verdict(Decision::Upheld, Ground::Line, Some(Outcome::won_by(winner)), text);
            verdict.line = plies;
            verdict
        }
        Chance::Never(why) => {
            let text =
                format!("{source}{premise}{joint} the game is drawn, for {winners} cannot win: {why}.");
            case.verdict(Decision::Upheld, Ground::Closure, Some(Outcome::Draw), text)
        }
        Chance::Unknown => {
            let text = format!(
                "{source}{premise}{joint} {winners} wins unless no sequence of legal plies wins for {winners}. No such \
                 sequence was found within the budget, and none was excluded; a proof of cannot_win would decide."
            );
            case.verdict(Decision::Undetermined, Ground::Budget, None, text)
        }
    };
    if verdict.verdict == Decision::Upheld {
        verdict.strength = Strength::Ruled;
    }
    verdict.spent.nodes = spent;
    verdict
}

/// True if the player has made a ply up to the position of the claim.
fn has_moved<M: Mask>(case: &Case<'_, M>, owner: Owner) -> bool {
    case.trace.plies[..case.plies].iter().any(|traced| traced.ply.actor == owner)
}
