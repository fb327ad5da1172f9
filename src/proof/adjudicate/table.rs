//! Forced results by an endgame table, where the search leaves them open.

use super::case::Case;
use super::forced::history;
use super::verdict::{Ground, Strength, Verdict};
use crate::certificate::{ClaimKind, Decision, Effort, Proof, TableProof, Worth};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_records::replay::summary::counted;
use std::sync::Arc;

/// The verdict, or that of a table if the search left the claim of a forced result open.
pub(super) fn or_by_table<M: Mask>(case: &Case<'_, M>, verdict: Verdict) -> Verdict {
    if verdict.verdict != Decision::Undetermined || verdict.ground != Ground::Budget {
        return verdict;
    }
    let Ok(table) = TableProof::made(&case.position, Effort::of(&case.means.terms.budget)) else {
        return verdict;
    };
    let claim = (case.claim.kind, case.claimant(), case.claim.within);
    match table.decides(&case.position, &history(case), claim) {
        Ok(reached) => decided(case, reached, table, &verdict),
        Err(_) => verdict,
    }
}

/// Men of a table that is made in less time than a search takes.
const SMALL_MEN: usize = 3;

/// The verdict of a small table on a claim of a forced result, if one decides it.
pub(super) fn if_small<M: Mask>(case: &Case<'_, M>) -> Option<Verdict> {
    let men: usize =
        Owner::ALL.into_iter().map(|owner| case.position.state().owned(owner).count() as usize).sum();
    let long =
        case.claim.kind != ClaimKind::ForcedMate || case.claim.within.is_some_and(|moves| moves > SHORT_MATE);
    if case.end.is_some() || men > SMALL_MEN || !long || case.not_covered().is_some() {
        return None;
    }
    let open = case.verdict(Decision::Undetermined, Ground::Budget, None, String::new());
    let verdict = or_by_table(case, open);
    (verdict.verdict != Decision::Undetermined).then_some(verdict)
}

/// A mate in at most so many moves is found and shown sooner by a search.
const SHORT_MATE: u32 = 4;

/// The verdict in words.
fn decided<M: Mask>(case: &Case<'_, M>, reached: bool, table: TableProof, open: &Verdict) -> Verdict {
    let moves = counted(usize::from(table.moves.unwrap_or(0)), "move", "moves");
    let mover = case.position.turn();
    let value = match table.value {
        Worth::Draw => "the position is drawn".to_owned(),
        Worth::Win => format!("{} wins in {moves}", mover.name()),
        Worth::Loss => format!("{} wins in {moves}", mover.opponent().name()),
    };
    let decision = if reached { Decision::Upheld } else { Decision::Rejected };
    let won = reached && case.claim.kind != ClaimKind::ForcedDraw;
    let result = won.then(|| Outcome::won_by(case.claimant()));
    let text = format!("By the endgame table {} {value}.", table.material);
    let mut verdict = case.verdict(decision, Ground::Table, result, text);
    verdict.strength = Strength::Table;
    verdict.proof = Some(Arc::new(Proof::Table(table)));
    verdict.spent = open.spent;
    verdict
}
