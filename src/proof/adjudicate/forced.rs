//! Whether a player forces an end against every defence.

use super::Terms;
use super::case::Case;
use super::verdict::{Ground, Strength, Verdict};
use crate::certificate::{AndOr, ClaimKind, Decision, Effort, History, Proof};
use crate::prove::forced::{Answer, Found, Goal, Holding, MOVES_MAX, Occurrences, hold, prove};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::{EndReason, Outcome};
use ferz_core::rules::Proving;
use ferz_core::text::Budget;
use ferz_records::replay::summary::counted;
use std::sync::Arc;

/// Moves within which a win is searched for first, and the part of the positions that this may visit.
const SHORT_WIN: (u32, u64) = (8, 8);
/// The same for the last search.
const LONG_WIN: (u32, u64) = (MOVES_MAX as u32, 2);

/// The verdict on a claim of a forced result that needs no proof, or that none covers.
pub(super) fn game_over_or_not_covered<M: Mask>(case: &Case<'_, M>) -> Option<Verdict> {
    let by = case.claimant();
    if let Some(end) = case.end {
        let won = end.outcome == Outcome::won_by(by);
        let reached = match case.claim.kind {
            ClaimKind::ForcedDraw => won || end.outcome == Outcome::Draw,
            ClaimKind::ForcedMate => won && end.reason == EndReason::Checkmate,
            _ => won,
        };
        let mut verdict = case.game_over(end);
        verdict.verdict = if reached { Decision::Upheld } else { Decision::Rejected };
        return Some(verdict);
    }
    let why = case.not_covered()?;
    Some(case.verdict(Decision::Undetermined, Ground::NotCovered, None, why))
}

/// Judges claims of a forced result.
pub(super) fn forced<M: Mask>(case: &Case<'_, M>) -> Verdict {
    if let Some(verdict) = game_over_or_not_covered(case) {
        return verdict;
    }
    match (case.claim.kind, case.claim.within) {
        (ClaimKind::ForcedMate, Some(within)) => mate(case, within),
        _ => result(case),
    }
}

/// Judges the claim of a mate within a number of moves.
fn mate<M: Mask>(case: &Case<'_, M>, within: u32) -> Verdict {
    let by = case.claimant();
    let name = by.name();
    let goal = Goal {
        attacker: by,
        mate: true,
        with_nature: false,
        occurrences: occurrences(case),
        within_plan: None,
    };
    let terms = case.means.terms;
    let Found { answer, nodes } = prove(&case.position, &goal, within, terms.nodes, &terms.budget);
    let mut verdict = match answer {
        Answer::Forced { moves, proof } => {
            let moves = counted(usize::from(moves), "move", "moves");
            let text = format!("{name} mates in {moves} against every defence; the line is the longest one.");
            let won = Some(Outcome::won_by(by));
            let mut verdict = case.verdict(Decision::Upheld, Ground::AndOr, won, text);
            verdict.strength = Strength::Proved;
            verdict.line = proof.as_ref().map_or_else(Vec::new, AndOr::line);
            verdict.proof = proof.map(|proof| Arc::new(Proof::AndOr(proof)));
            verdict
        }
        Answer::NotForced { proof } => {
            let moves = counted(within as usize, "move", "moves");
            let text = format!(
                "{name} does not force mate in {moves}: each first ply has a defence, by a longer game, another end \
                 or a draw that may be claimed."
            );
            let mut verdict = case.verdict(Decision::Rejected, Ground::AndOr, None, text);
            verdict.strength = Strength::Proved;
            verdict.proof = proof.map(|proof| Arc::new(Proof::AndOr(proof)));
            verdict
        }
        Answer::Unknown => {
            let text = format!(
                "{} were tried; no mate was found, and none was excluded. A larger budget would decide (--nodes, \
                 --seconds), or a proof by another program.",
                counted(nodes as usize, "position", "positions")
            );
            case.verdict(Decision::Undetermined, Ground::Budget, None, text)
        }
    };
    verdict.spent.nodes = nodes;
    verdict
}

/// Judges the claim of a win, or of at least a draw: by a plan of the claimant's, or of the opponent's against it.
fn result<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let by = case.claimant();
    let claims_win = case.claim.kind == ClaimKind::ForcedWin;
    let (winner, holder) = if claims_win { (by, by.opponent()) } else { (by.opponent(), by) };
    let mut spent = 0;
    // A plan that holds could rest on what the other player can end or declare.
    let may_hold = case.position.rules().unknown_to(Proving::ByPlies).is_none();
    let found = win(case, winner, SHORT_WIN, &mut spent).or_else(|| {
        if !may_hold {
            return None;
        }
        let Terms { nodes, budget, .. } = case.means.terms;
        let history = history(case);
        let holding = Holding { by: holder, with_nature: holder != by, history: &history, within_plan: None };
        hold(&case.position, &holding, nodes / 8, budget, &mut spent).map(|plan| (0, plan))
    });
    let mut verdict = match found.filter(|(_, plan)| proves(case, plan)) {
        Some((moves, plan)) => by_plan(case, moves, plan),
        None => {
            let text = format!(
                "Within the budget neither a plan that wins for {} was found nor one that holds for {}. A larger one \
                 would decide (--nodes, --seconds), or a proof by another program.",
                winner.name(),
                holder.name()
            );
            case.verdict(Decision::Undetermined, Ground::Budget, None, text)
        }
    };
    verdict.spent.nodes = spent;
    verdict
}

/// The verdict, or that of a long search for a win if neither a plan nor a table has decided the claim.
pub(super) fn or_at_length<M: Mask>(case: &Case<'_, M>, verdict: Verdict) -> Verdict {
    let open = verdict.verdict == Decision::Undetermined && verdict.ground == Ground::Budget;
    let winner = match case.claim.kind {
        ClaimKind::ForcedWin if open => case.claimant(),
        ClaimKind::ForcedDraw if open => case.claimant().opponent(),
        _ => return verdict,
    };
    let mut spent = verdict.spent.nodes;
    let found = win(case, winner, LONG_WIN, &mut spent).filter(|(_, plan)| proves(case, plan));
    let mut verdict = found.map_or(verdict, |(moves, plan)| by_plan(case, moves, plan));
    verdict.spent.nodes = spent;
    verdict
}

/// A plan that wins, and its moves.
fn win<M: Mask>(
    case: &Case<'_, M>,
    winner: Owner,
    (moves, part): (u32, u64),
    spent: &mut u64,
) -> Option<(u32, AndOr)> {
    let (occurrences, with_nature) = (occurrences(case), winner != case.claimant());
    let goal = Goal { attacker: winner, mate: false, with_nature, occurrences, within_plan: None };
    let Terms { nodes, budget, .. } = case.means.terms;
    let Found { answer, nodes } = prove(&case.position, &goal, moves, nodes / part, budget);
    *spent += nodes;
    match answer {
        Answer::Forced { moves, proof: Some(plan) } => Some((u32::from(moves), plan)),
        _ => None,
    }
}

/// The verdict by a plan that wins within so many moves, or that holds (0).
fn by_plan<M: Mask>(case: &Case<'_, M>, moves: u32, plan: AndOr) -> Verdict {
    let by = case.claimant();
    let (upheld, name) = (plan.by == by, plan.by.name());
    let wins = upheld == (case.claim.kind == ClaimKind::ForcedWin);
    let text = if wins {
        let moves = counted(moves as usize, "move", "moves");
        format!("{name} wins in {moves} against every defence; the line is the longest one.")
    } else {
        let positions = counted(plan.nodes.len(), "position", "positions");
        format!("{name} gets at least a draw against every defence, by a plan for {positions}.")
    };
    let decision = if upheld { Decision::Upheld } else { Decision::Rejected };
    let result = (upheld && wins).then(|| Outcome::won_by(by));
    let mut verdict = case.verdict(decision, Ground::AndOr, result, text);
    verdict.strength = Strength::Proved;
    if wins {
        verdict.line = plan.line();
    }
    verdict.proof = Some(Arc::new(Proof::AndOr(plan)));
    verdict
}

/// True if the checker accepts the plan.
fn proves<M: Mask>(case: &Case<'_, M>, plan: &AndOr) -> bool {
    let claim = (case.claim.kind, case.claimant(), case.claim.within);
    plan.check(&case.position, &history(case), claim, Effort::of(&Budget::unlimited())).is_ok()
}

/// The game up to the position of the claim.
pub(super) fn history<M: Mask>(case: &Case<'_, M>) -> History {
    let mut position = case.trace.start.clone();
    let mut history = History::of(&position);
    for (index, traced) in case.trace.plies[..case.plies].iter().enumerate() {
        case.trace.make(index, &mut position);
        history.note(&position, traced.ply.actor);
    }
    history
}

/// The positions of the record up to that of the claim.
pub(super) fn occurrences<M: Mask>(case: &Case<'_, M>) -> Occurrences {
    let mut occurrences = Occurrences::default();
    let mut position = case.trace.start.clone();
    occurrences.note(&position);
    for index in 0..case.plies {
        case.trace.make(index, &mut position);
        occurrences.note(&position);
    }
    occurrences
}
