//! Forced results by an endgame table, where the search leaves them open.

use super::case::Case;
use super::forced::history;
use super::verdict::{Ground, Strength, Verdict};
use crate::certificate::{
    ClaimKind, Decision, Effort, FilesTable, MEN_MAX, MadeTable, Proof, TableProof, Worth,
};
use crate::syzygy::Wdl;
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_records::replay::summary::counted;
use std::sync::Arc;

/// The verdict, or that of a table if the search left the claim of a forced result open.
pub(super) fn or_by_table<M: Mask>(case: &Case<'_, M>, verdict: Verdict) -> Verdict {
    if verdict.verdict != Decision::Undetermined || verdict.ground != Ground::Budget {
        return verdict;
    }
    let Ok(table) = MadeTable::made(&case.position, Effort::of(&case.means.terms.budget)) else {
        return verdict;
    };
    let table = TableProof::Made(table);
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

/// The verdict of files of others on a claim about more men than tables of our own have, if they decide it.
pub(super) fn by_files<M: Mask>(case: &Case<'_, M>) -> Option<Verdict> {
    let men = case.position.occupied().count() as usize;
    if men <= MEN_MAX || case.end.is_some() || case.not_covered().is_some() {
        return None;
    }
    let open = case.verdict(Decision::Undetermined, Ground::Budget, None, String::new());
    let verdict = or_by_files(case, open);
    (verdict.verdict != Decision::Undetermined).then_some(verdict)
}

/// The verdict, or that of files of others if nothing else has decided the claim of a forced result.
pub(super) fn or_by_files<M: Mask>(case: &Case<'_, M>, mut verdict: Verdict) -> Verdict {
    if verdict.verdict != Decision::Undetermined || verdict.ground != Ground::Budget {
        return verdict;
    }
    let terms = case.means.terms;
    let effort = Effort::of(&terms.budget).with_files(terms.files.as_deref());
    let claim = (case.claim.kind, case.claimant(), case.claim.within);
    let why = match TableProof::by_files(&case.position, effort) {
        None => return verdict,
        Some(Err(error)) => error.to_string(),
        Some(Ok(table)) => match table.decides(&case.position, &history(case), claim) {
            Ok(reached) => return decided(case, reached, table, &verdict),
            Err(why) => why,
        },
    };
    verdict.explanation =
        format!("{} The files of endgame tables do not decide it: {why}.", verdict.explanation);
    verdict.explanation = verdict.explanation.trim_start().to_owned();
    verdict
}

/// The verdict in words.
fn decided<M: Mask>(case: &Case<'_, M>, reached: bool, table: TableProof, open: &Verdict) -> Verdict {
    let text = match &table {
        TableProof::Made(made) => by_own(case, made),
        TableProof::Files(files) => by_syzygy(case, files),
    };
    let decision = if reached { Decision::Upheld } else { Decision::Rejected };
    let won = reached && case.claim.kind != ClaimKind::ForcedDraw;
    let result = won.then(|| Outcome::won_by(case.claimant()));
    let mut verdict = case.verdict(decision, Ground::Table, result, text);
    verdict.strength = Strength::Table;
    verdict.proof = Some(Arc::new(Proof::Table(table)));
    verdict.spent = open.spent;
    verdict
}

fn by_own<M: Mask>(case: &Case<'_, M>, table: &MadeTable) -> String {
    let moves = counted(usize::from(table.moves.unwrap_or(0)), "move", "moves");
    let mover = case.position.turn();
    let value = match table.value {
        Worth::Draw => "the position is drawn".to_owned(),
        Worth::Win => format!("{} wins in {moves}", mover.name()),
        Worth::Loss => format!("{} wins in {moves}", mover.opponent().name()),
    };
    format!("By the endgame table {} {value}.", table.material)
}

fn by_syzygy<M: Mask>(case: &Case<'_, M>, table: &FilesTable) -> String {
    let mover = case.position.turn();
    let winner = if table.wdl.sign() > 0 { mover } else { mover.opponent() };
    let plies = counted(table.dtz.unsigned_abs() as usize, "ply", "plies");
    let is_counted = case.position.rules().ends.claimed_at().is_some();
    let value = match table.wdl {
        Wdl::Draw => "the position is drawn".to_owned(),
        Wdl::Win | Wdl::Loss => {
            format!("{} wins; the next capture, pawn move or mate is {plies} away", winner.name())
        }
        _ if is_counted => format!(
            "{} would win, but fifty moves without a capture or a pawn move come before: the position is drawn",
            winner.name()
        ),
        _ => format!("{} wins, in more than fifty moves without a capture or a pawn move", winner.name()),
    };
    let names: Vec<&str> = table.files.iter().map(|file| &*file.name).collect();
    format!("By the endgame tables {} {value}. Their values are trusted.", names.join(", "))
}
