//! Whether a player can still win: a line of legal plies shows it, the material or a proof excludes it.

use super::Terms;
use super::case::Case;
use super::verdict::{Ground, Strength, Verdict};
use crate::certificate::{Decision, Proof};
use crate::prove::{self, Never, shortened};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_records::replay::summary::counted;
use std::sync::Arc;

/// Positions for a line that people can play over.
const SHORTENING_NODES: u64 = 20_000;

/// Whether a player can still win, in words and plies.
pub(super) enum Chance {
    /// By this line, in coordinate notation.
    Line(Vec<String>),
    /// Not any more: why, and the proof if the material does not show it.
    Never(String, Option<Arc<Proof>>),
    /// Neither is shown.
    Unknown,
}

/// Judges the claim that the claimant cannot win.
pub(super) fn cannot_win<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let by = case.claimant();
    let name = by.name();
    if let Some(end) = case.end.filter(|end| !end.reason.is_draw_by_itself()) {
        let won = end.outcome == Outcome::won_by(by);
        let decision = if won { Decision::Rejected } else { Decision::Upheld };
        let mut verdict = case.game_over(end);
        verdict.verdict = decision;
        return verdict;
    }
    let mut spent = 0;
    let mut verdict = match chance(case, by, &mut spent) {
        Chance::Line(line) => {
            let text = format!("{name} can still win: the line ends in a win, with the help of both sides.");
            let mut verdict = case.verdict(Decision::Rejected, Ground::Line, None, text);
            verdict.line = line;
            verdict.strength = Strength::Proved;
            verdict
        }
        Chance::Never(why, proof) => {
            let text = format!("{name} cannot win: {why}.");
            let mut verdict = case.verdict(Decision::Upheld, Ground::Closure, None, text);
            (verdict.strength, verdict.proof) = (Strength::Proved, proof);
            verdict
        }
        Chance::Unknown => {
            let text = format!(
                "No line that wins for {name} was found within the budget, and none was excluded. A larger budget, or \
                 a proof that covers every line, would decide."
            );
            let (ground, text) = undecided(case, text);
            case.verdict(Decision::Undetermined, ground, None, text)
        }
    };
    verdict.spent.nodes = spent;
    verdict
}

/// The ground and the words where a search ended without a result: its own, or that no proof knows the game.
fn undecided<M: Mask>(case: &Case<'_, M>, text: String) -> (Ground, String) {
    case.not_covered().map_or((Ground::Budget, text), |why| (Ground::NotCovered, why))
}

/// Judges a claim of dead position where the material leaves it open.
pub(super) fn dead_position<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let mut spent = 0;
    let chances = Owner::REAL.map(|owner| (owner, chance(case, owner, &mut spent)));
    let mut verdict = match chances {
        [(_, Chance::Never(white, first)), (_, Chance::Never(black, second))] => {
            let why = if white == black { white } else { format!("White: {white}; Black: {black}") };
            let text = format!("Neither player can win: {why}.");
            let mut verdict = case.verdict(Decision::Upheld, Ground::Closure, Some(Outcome::Draw), text);
            verdict.strength = Strength::Proved;
            verdict.proof = match (first, second) {
                (Some(white), Some(black)) => Some(Arc::new(Proof::joined(
                    white.as_ref().clone(),
                    black.as_ref().clone(),
                    &case.position,
                ))),
                (first, second) => first.or(second),
            };
            verdict
        }
        [(owner, Chance::Line(line)), _] | [_, (owner, Chance::Line(line))] => {
            let text = format!("The position is not dead: the line ends in a win of {}.", owner.name());
            let mut verdict = case.verdict(Decision::Rejected, Ground::Line, None, text);
            verdict.line = line;
            verdict.strength = Strength::Proved;
            verdict
        }
        _ => {
            let text = "The material does not make the position dead, and no line that wins was found within the \
                        budget. A proof that neither player can win would decide.";
            let (ground, text) = undecided(case, text.to_owned());
            case.verdict(Decision::Undetermined, ground, None, text)
        }
    };
    verdict.spent.nodes = spent;
    verdict
}

/// Whether a player can still win in the position of the claim. A win is any end that scores for the player;
/// repetition and counters stop no line.
pub(super) fn chance<M: Mask>(case: &Case<'_, M>, by: Owner, spent: &mut u64) -> Chance {
    if let Some(line) = case.means.submitted.winning_line(&case.position, by) {
        return Chance::Line(case.coords(&line));
    }
    let Terms { nodes, budget, .. } = case.means.terms;
    match prove::chance(&case.position, by, *nodes, budget, spent) {
        prove::Chance::Line(plies) => {
            let shorter = shortened(&case.position, by, plies, SHORTENING_NODES.min(*nodes), budget, spent);
            Chance::Line(case.coords(&shorter))
        }
        prove::Chance::Never(Never::Material(why)) => Chance::Never(why.to_owned(), None),
        prove::Chance::Never(Never::Proved(proof)) => Chance::Never(words(&proof), Some(Arc::new(proof))),
        prove::Chance::Unknown => Chance::Unknown,
    }
}

/// The result of a loss on time or by resignation: a draw if the opponent cannot win (FIDE 5.1.2, 6.9).
pub(super) fn win_unless_beyond<M: Mask>(case: &Case<'_, M>, winner: Owner, verdict: &mut Verdict) {
    let (name, mut spent) = (winner.name(), 0);
    let text = match chance(case, winner, &mut spent) {
        Chance::Line(line) => {
            (verdict.line, verdict.result) = (line, Some(Outcome::won_by(winner)));
            format!(" {name} wins, for {name} could still win on the board: the line shows how.")
        }
        Chance::Never(why, proof) => {
            (verdict.ground, verdict.result) = (Ground::Closure, Some(Outcome::Draw));
            verdict.proof = proof;
            format!(" The game is drawn, for {name} cannot win: {why}.")
        }
        Chance::Unknown => {
            let (ground, why) = undecided(
                case,
                "No such sequence was found within the budget, and none was excluded; a proof of cannot_win would \
                 decide."
                    .to_owned(),
            );
            (verdict.verdict, verdict.ground) = (Decision::Undetermined, ground);
            (verdict.strength, verdict.result) = (Strength::Opinion, None);
            format!(" {name} wins unless no sequence of legal plies wins for {name}. {why}")
        }
    };
    verdict.explanation.push_str(&text);
    verdict.spent.nodes = spent;
}

/// What a proof shows, in a sentence.
fn words(proof: &Proof) -> String {
    match proof {
        Proof::Closure(closure) => {
            let positions = counted(closure.positions.len(), "position", "positions");
            format!(
                "{positions} can still occur without material that excludes a win, and none of them is one"
            )
        }
        Proof::Each(each) => format!("{}; {}", words(&each.white), words(&each.black)),
        Proof::AndOr(_) | Proof::Table(_) => "it cannot be forced".to_owned(),
        Proof::Invariant(_) => "no piece can ever leave a structure in which no win is possible".to_owned(),
    }
}
