//! Claims about the record itself: an illegal ply, a wrong start, a wrong result.

use super::case::Case;
use super::line::{self, Chance};
use super::verdict::{Ground, Penalty, Remedy, RuleReading, Spent, Strength, Verdict};
use crate::board::{Mask, Owner};
use crate::certificate::{Claim, Decision};
use crate::clock::IllegalRemedy;
use crate::judge::Outcome;
use crate::position::{Position, Reason};
use crate::record::GameResult;
use std::sync::Arc;

/// Judges the claim that a ply is illegal.
pub(super) fn illegal_ply<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let number = case.claim.ply.unwrap_or_default();
    let report = &case.trace.report;
    let Some(illegal) = report.illegal_plies().find(|illegal| illegal.ply == number) else {
        return match &report.illegal {
            Some(first) if first.ply < number => {
                let text = format!(
                    "The record cannot be replayed to ply {number}: ply {}, {}, is {}. Correct it, or claim about it.",
                    first.ply, first.text, report.verdict
                );
                case.verdict(Decision::Undetermined, Ground::Unreplayed, None, text)
            }
            _ => {
                let text = format!("Ply {number} is legal {}.", case.after(case.plies));
                let mut verdict = case.verdict(Decision::Rejected, Ground::Ply, None, text);
                verdict.plies = vec![number];
                verdict.articles = vec!["COM-1".to_owned()];
                verdict
            }
        };
    };
    let text = format!("Ply {number}, {}, is illegal: {}.", illegal.text, illegal.reason);
    let (decision, text) = match illegal.reason_id {
        Reason::Unreadable => {
            let text =
                format!("Ply {number}, {}, cannot be read as a ply: {}.", illegal.text, illegal.reason);
            (Decision::Undetermined, text)
        }
        Reason::Ambiguous => {
            (Decision::Ambiguous, format!("Ply {number}, {}, fits several legal plies.", illegal.text))
        }
        _ => (Decision::Upheld, text),
    };
    let mut verdict = case.verdict(decision, Ground::Ply, None, text);
    verdict.plies = vec![number];
    verdict.articles = illegal.rule.split(", ").map(str::to_owned).collect();
    if decision == Decision::Ambiguous {
        let readings = illegal.candidates.iter().map(|candidate| RuleReading {
            ruling: None,
            field: None,
            reading: candidate.clone(),
            verdict: Decision::Rejected,
            result: None,
        });
        verdict.readings = readings.collect();
    }
    if decision == Decision::Upheld {
        verdict.articles.extend(case.cite(case.claim.kind.id(), case.claim.kind.article()));
        if report.stood.iter().any(|stood| stood.ply == number) {
            verdict.remedy = Some(Remedy::LetStand);
        } else {
            by_policy(case, number, &mut verdict);
        }
    }
    verdict
}

/// The consequences of an illegal ply by the policy. Only illegal plies of the record count: one that was taken back
/// leaves no trace.
fn by_policy<M: Mask>(case: &Case<'_, M>, number: usize, verdict: &mut Verdict) {
    let policy = &case.means.terms.policy;
    let player = case.position.turn();
    let earlier = case.trace.plies[..case.plies].iter();
    let count = earlier.filter(|traced| traced.let_stand && traced.ply.actor == player).count() + 1;
    let too_many = policy.illegal.loses_at.is_some_and(|most| count >= most as usize);
    verdict.policy = Some(Arc::clone(&policy.id));
    if !policy.illegal.rule.is_empty() && !verdict.articles.contains(&policy.illegal.rule) {
        verdict.articles.push(policy.illegal.rule.clone());
    }
    match policy.illegal.remedy {
        _ if too_many => forfeit(case, player, verdict),
        IllegalRemedy::Forfeit => forfeit(case, player, verdict),
        IllegalRemedy::LetStand => verdict.remedy = Some(Remedy::LetStand),
        IllegalRemedy::Restore | IllegalRemedy::Time => {
            verdict.remedy = Some(Remedy::Restore { ply: number - 1, fen: case.position.fen() });
            let article = policy.illegal.rule.clone();
            let sanction = policy.illegal.sanction.as_ref();
            verdict.penalty = sanction.map(|sanction| Penalty::of(sanction, player, article));
        }
    }
    if let (Some(most), false) = (policy.illegal.loses_at, too_many) {
        let (of, who) = (count_in_words(count), player.name());
        verdict.explanation.push_str(&format!(
            " It is the {of} illegal ply of {who} in the record; by the policy {}, number {most} loses the game.",
            policy.id.name
        ));
    }
}

fn count_in_words(count: usize) -> String {
    match count {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        more => format!("{more}th"),
    }
}

/// The player loses, unless the opponent cannot win.
fn forfeit<M: Mask>(case: &Case<'_, M>, loser: Owner, verdict: &mut Verdict) {
    verdict.remedy = Some(Remedy::Forfeit { loser });
    let (loses, winner) = (loser.name(), loser.opponent());
    let mut spent = 0;
    let text = match line::chance(case, winner, &mut spent) {
        Chance::Never(why, _) => {
            verdict.result = Some(Outcome::Draw);
            format!(" {loses} forfeits; the game is drawn, for {} cannot win: {why}.", winner.name())
        }
        Chance::Line(line) => {
            (verdict.result, verdict.line) = (Some(Outcome::won_by(winner)), line);
            format!(" {loses} forfeits; {} could still win on the board: the line shows how.", winner.name())
        }
        Chance::Unknown => format!(
            " {loses} forfeits, and {} wins unless no sequence of legal plies wins; none was found within the budget.",
            winner.name()
        ),
    };
    verdict.spent.nodes = spent;
    verdict.explanation.push_str(&text);
}

/// Judges the claim that the game began from a wrong position.
pub(super) fn wrong_setup<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let start = &case.trace.start;
    let array = Position::start(Arc::clone(start.shared_rules()));
    let wrong = start.identity() != array.identity();
    let differing: Vec<String> = {
        let board = start.rules().board();
        let differs = board.squares().filter(|&square| start.piece(square) != array.piece(square));
        differs.map(|square| board.name(square)).collect()
    };
    let text = match (wrong, differing.is_empty()) {
        (false, _) => "The game began from the array of its rules.".to_owned(),
        (true, true) => {
            "The game began with other rights, stocks or another side to move than the array has.".to_owned()
        }
        (true, false) => format!(
            "The start position differs from the array on {}. If the players agreed on it (COM-8), the game stands.",
            differing.join(", ")
        ),
    };
    let decision = if wrong { Decision::Upheld } else { Decision::Rejected };
    let mut verdict = case.verdict(decision, Ground::Start, None, text);
    verdict.plies = vec![0];
    verdict.fen = start.fen();
    if wrong {
        verdict.articles.push("COM-8".to_owned());
        verdict.remedy = Some(Remedy::NewGame);
    }
    verdict
}

/// The verdict on a start that is no position of the game at all.
pub(super) fn impossible_start(claim: &Claim, fault: &str) -> Verdict {
    Verdict {
        claim: Claim { ply: Some(0), ..claim.clone() },
        rules: None,
        verdict: Decision::Upheld,
        result: None,
        strength: Strength::Replayed,
        ground: Ground::Start,
        articles: vec![claim.kind.article().to_owned(), "COM-8".to_owned()],
        plies: vec![0],
        explanation: format!("The start is no position of the game: {fault}."),
        readings: Vec::new(),
        remedy: Some(Remedy::NewGame),
        penalty: None,
        policy: None,
        line: Vec::new(),
        clock: Vec::new(),
        proof: None,
        certificate: None,
        fen: String::new(),
        spent: Spent::default(),
    }
}

/// Judges the claim that the stated result contradicts the board.
pub(super) fn wrong_result<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let stated = case.record.stated_result().filter(|result| *result != GameResult::Unknown);
    let both_lose = case.record.both_lose();
    let shown = match stated {
        Some(result) => result.as_str(),
        None if both_lose => "0-0, a loss for both players",
        None => "no result",
    };
    let Some(end) = case.end else {
        let text = format!(
            "The record states {shown}, and nothing on the board {} decides the game. Resignation, agreement and time \
             are not seen there.",
            case.after(case.plies)
        );
        return case.verdict(Decision::Undetermined, Ground::Result, None, text);
    };
    let same = stated.map(GameResult::as_str) == Some(end.outcome.as_str());
    let ended = case.ended(&end);
    let (decision, text) = match stated {
        _ if both_lose || stated.is_some() && !same => {
            (Decision::Upheld, format!("The record states {shown}, but the game ended {ended}."))
        }
        Some(_) => (Decision::Rejected, format!("The record states {shown}, and the game ended {ended}.")),
        None => (Decision::Rejected, format!("The record states no result; the game ended {ended}.")),
    };
    let mut verdict = case.verdict(decision, Ground::Result, Some(end.outcome), text);
    verdict.plies = vec![end.ply];
    verdict.articles = case.cite_end(&end);
    verdict.articles.push(case.claim.kind.article().to_owned());
    verdict.remedy = (decision == Decision::Upheld).then_some(Remedy::CorrectResult);
    verdict
}
