//! Claims about the record itself: an illegal ply, a wrong start, a wrong result.

use super::case::Case;
use super::line::{self, Chance};
use super::verdict::{Because, Ground, Penalty, Remedy, RuleReading, Spent, Strength, Verdict};
use crate::certificate::{Claim, Decision, Premise};
use crate::prove::{self, Never};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::{End, Outcome};
use ferz_core::position::{Position, Reason};
use ferz_core::rules::registry::with_field;
use ferz_records::clock::{Answered, IllegalRemedy, Unpromoted};
use ferz_records::record::GameResult;
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
        if report.let_stand.iter().any(|stood| stood.ply == number) {
            verdict.remedy = Some(Remedy::LetStand);
        } else if let (Reason::GameOver, Some(end)) = (illegal.reason_id, case.end) {
            after_the_end(case, end, &mut verdict);
        } else if !stands(case, Some(number), &mut verdict) {
            by_policy(case, (number, illegal.reason_id), &mut verdict);
        }
    }
    verdict
}

/// The consequences of a ply after the end of the game: it is no part of it.
fn after_the_end<M: Mask>(case: &Case<'_, M>, end: End, verdict: &mut Verdict) {
    verdict.result = Some(end.outcome);
    verdict
        .explanation
        .push_str(&format!(" The game had ended {}; what follows is no part of it.", case.ended(&end)));
    verdict.articles.extend(case.cite_end(&end));
    verdict.articles.dedup();
    let stated = case.record.stated_result().filter(|result| *result != GameResult::Unknown);
    let differs = stated.is_some_and(|stated| stated.as_str() != end.outcome.as_str());
    verdict.remedy = (differs || case.record.both_lose()).then_some(Remedy::CorrectResult);
}

/// True if an irregularity stands: it was found after the game, or too late by the policy. `number` is that of an
/// illegal ply; without it the start is wrong. A record that states a result does not show when it was found.
fn stands<M: Mask>(case: &Case<'_, M>, number: Option<usize>, verdict: &mut Verdict) -> bool {
    let stated = |premise: Premise| case.claim.premises.contains(&premise);
    let policy = &case.means.terms.policy;
    let written = case.record.main_moves().count();
    let ended = case.record.stated_result().is_some_and(|result| result != GameResult::Unknown);
    let because = if stated(Premise::FoundAfterTheGame) {
        verdict.premises.push(Premise::FoundAfterTheGame);
        Because::FoundAfterTheGame
    } else {
        if ended {
            verdict.premises.push(Premise::FoundDuringTheGame);
        }
        match number {
            Some(number) if policy.illegal.answered == Answered::Stands && written > number => {
                if stated(Premise::Unanswered) {
                    verdict.premises.push(Premise::Unanswered);
                    return false;
                }
                verdict
                    .articles
                    .extend(Some(&policy.illegal.answered_rule).filter(|rule| !rule.is_empty()).cloned());
                Because::Answered
            }
            None if policy.setup.stands_after.is_some_and(|moves| written >= 2 * moves as usize) => {
                verdict.articles.push(policy.setup.rule.clone());
                Because::Moves
            }
            _ => return false,
        }
    };
    verdict.remedy = Some(Remedy::Stands { because });
    if because != Because::FoundAfterTheGame {
        verdict.policy = Some(Arc::clone(&policy.id));
    }
    true
}

/// The position with a queen in place of the pawn that a ply left on its last rank.
fn with_queen<M: Mask>(case: &Case<'_, M>, number: usize) -> Option<String> {
    let illegal = case.trace.report.illegal_plies().find(|illegal| illegal.ply == number)?;
    let position = &case.position;
    let rules = position.rules();
    let queen = rules.kinds.iter().position(|kind| kind.letter == b'Q')?;
    let target = illegal.squares.last().and_then(|name| rules.board().parse_square(name));
    let mut plies = position.plies().into_iter().filter(|ply| {
        ply.promotion.is_some_and(|kind| kind.index() == queen)
            && target.is_none_or(|target| ply.to == target)
    });
    let ply = plies.next().filter(|_| plies.next().is_none())?;
    let mut after = position.clone();
    after.apply(&ply);
    Some(after.fen())
}

/// The consequences of an illegal ply by the policy. Only illegal plies of the record count: one that was taken back
/// leaves no trace.
fn by_policy<M: Mask>(case: &Case<'_, M>, (number, reason): (usize, Reason), verdict: &mut Verdict) {
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
            let becomes_queen =
                reason == Reason::PromotionMissing && policy.illegal.unpromoted == Unpromoted::Queen;
            let queen = if becomes_queen { with_queen(case, number) } else { None };
            verdict.remedy = Some(match queen {
                Some(fen) => Remedy::Queen { fen },
                None => Remedy::Restore { ply: number - 1, fen: case.position.fen() },
            });
            if becomes_queen {
                verdict.articles.push("FIDE 7.5.2".to_owned());
            }
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
    let mut array = Position::start(Arc::clone(start.shared_rules()));
    let mut wrong = start.identity() != array.identity();
    if start.rules().definition.setup.from_record
        && let Some(own) = own_array(start)
    {
        wrong = !start.is_shuffle_of(&own);
        array = own;
    }
    let differing: Vec<String> = {
        let board = start.rules().board();
        let differs = board.squares().filter(|&square| start.piece(square) != array.piece(square));
        differs.map(|square| start.rules().square_name(square)).collect()
    };
    let text = match (wrong, differing.is_empty()) {
        (false, _) => "The game began from the array of its rules.".to_owned(),
        (true, true) => {
            "The game began with other rights, stocks or another side to move than the array has.".to_owned()
        }
        (true, false) => format!(
            "The start position differs from the array on {}{}. If the players agreed on it (COM-8), the game stands.",
            differing.join(", "),
            if start.rules().definition.setup.from_record { ", and is none of its shuffles" } else { "" }
        ),
    };
    let decision = if wrong { Decision::Upheld } else { Decision::Rejected };
    let mut verdict = case.verdict(decision, Ground::Start, None, text);
    verdict.plies = vec![0];
    verdict.fen = start.fen();
    if wrong {
        verdict.articles.push("COM-8".to_owned());
        if !stands(case, None, &mut verdict) {
            verdict.remedy = Some(Remedy::NewGame);
        }
    }
    verdict
}

/// The array of the game where a record's start takes its place, as in Chess960.
fn own_array<M: Mask>(start: &Position<M>) -> Option<Position<M>> {
    let rules = with_field(start.rules(), "setup.from-record", false, &|_| None).ok()?;
    Some(Position::start(Arc::new(rules)))
}

/// The verdict on a start that is no position of the game at all.
pub(super) fn impossible_start(claim: &Claim, fault: &str) -> Verdict {
    Verdict {
        claim: Claim { ply: Some(0), ..claim.clone() },
        rules: None,
        verdict: Decision::Upheld,
        result: None,
        result_if: None,
        premises: Vec::new(),
        lacks: None,
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
        holes: Vec::new(),
        opinion: None,
        proof: None,
        certificate: None,
        fen: String::new(),
        spent: Spent::default(),
    }
}

/// The verdict on a result that no end of the game can give: a player who cannot win has not won (FIDE 5.1.2, 6.9).
fn impossible_result<M: Mask>(case: &Case<'_, M>, stated: Option<GameResult>) -> Option<Verdict> {
    let winner = match stated? {
        GameResult::WhiteWins => Owner::White,
        GameResult::BlackWins => Owner::Black,
        _ => return None,
    };
    if case.plies < case.record.main_moves().count() {
        return None;
    }
    let (mut spent, terms) = (0, case.means.terms);
    let found =
        prove::chance(&case.position, winner, terms.nodes.min(RESULT_NODES), &terms.budget, &mut spent);
    let prove::Chance::Never(never) = found else { return None };
    let (why, proof) = match never {
        Never::Material(why) => (why.to_owned(), None),
        Never::Proved(proof) => ("no sequence of legal plies wins".to_owned(), Some(Arc::new(proof))),
    };
    let name = winner.name();
    let text = format!(
        "The record states {}, but {name} cannot win {}: {why}. A resignation or a loss on time of the opponent would \
         draw the game.",
        stated?.as_str(),
        case.after(case.plies)
    );
    let mut verdict = case.verdict(Decision::Upheld, Ground::Material, Some(Outcome::Draw), text);
    if proof.is_some() {
        verdict.ground = Ground::Closure;
        verdict.strength = Strength::Proved;
    }
    verdict.proof = proof;
    verdict.articles.push("FIDE 6.9".to_owned());
    verdict.remedy = Some(Remedy::CorrectResult);
    verdict.spent.nodes = spent;
    Some(verdict)
}

/// Positions that the search visits for a player who cannot win any more.
const RESULT_NODES: u64 = 10_000;

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
        if let Some(verdict) = impossible_result(case, stated) {
            return verdict;
        }
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
