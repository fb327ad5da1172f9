//! Whether a player forces an end against every defence.

use super::case::Case;
use super::verdict::{Ground, Strength, Verdict};
use crate::board::Mask;
use crate::certificate::{AndOr, ClaimKind, Decision, Proof};
use crate::judge::{EndReason, Outcome};
use crate::prove::forced::{Answer, Found, Goal, Occurrences, prove};
use crate::replay::summary::counted;
use std::sync::Arc;

/// Judges claims of a forced result.
pub(super) fn forced<M: Mask>(case: &Case<'_, M>) -> Verdict {
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
        return verdict;
    }
    match (case.claim.kind, case.claim.within) {
        (ClaimKind::ForcedMate, Some(within)) => mate(case, within),
        _ => {
            let text = "A forced result needs a proof against every defence, which this version does not search for. \
                        A tablebase would decide.";
            case.verdict(Decision::Undetermined, Ground::Budget, None, text.to_owned())
        }
    }
}

/// Judges the claim of a mate within a number of moves.
fn mate<M: Mask>(case: &Case<'_, M>, within: u32) -> Verdict {
    let by = case.claimant();
    let name = by.name();
    let goal = Goal { attacker: by, mate: true, with_nature: false, occurrences: occurrences(case) };
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

/// The positions of the record up to that of the claim.
fn occurrences<M: Mask>(case: &Case<'_, M>) -> Occurrences {
    let mut occurrences = Occurrences::default();
    let mut position = case.trace.start.clone();
    occurrences.note(&position);
    for traced in &case.trace.plies[..case.plies] {
        traced.apply(&mut position);
        occurrences.note(&position);
    }
    occurrences
}
