//! Whether a player can still win: a line of legal plies shows it, material can exclude it.

use super::Terms;
use super::case::Case;
use super::verdict::{Ground, Strength, Verdict};
use crate::board::{Mask, Owner};
use crate::certificate::Decision;
use crate::judge::Outcome;
use crate::position::{Ply, Position};

/// Plies of a line at most: long enough to promote a pawn and mate with it, however clumsily.
const LINE_PLIES_MAX: usize = 300;
/// Plies of the first lines that are tried.
const LINE_PLIES_FIRST: usize = 20;
/// Lines of one length before the next ones are twice as long.
const ROUNDS: usize = 64;

/// Whether a player can still win.
pub(super) enum Chance {
    /// By this line, in coordinate notation.
    Line(Vec<String>),
    /// Not any more, and why.
    Never(&'static str),
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
        Chance::Never(why) => {
            let text = format!("{name} cannot win: {why}.");
            let mut verdict = case.verdict(Decision::Upheld, Ground::Closure, None, text);
            verdict.strength = Strength::Proved;
            verdict
        }
        Chance::Unknown => {
            let text = format!(
                "No line that wins for {name} was found within the budget, and none was excluded. A larger budget, or \
                 a proof that covers every line, would decide."
            );
            case.verdict(Decision::Undetermined, Ground::Budget, None, text)
        }
    };
    verdict.spent.nodes = spent;
    verdict
}

/// Judges a claim of dead position where the material leaves it open.
pub(super) fn dead_position<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let mut spent = 0;
    let chances = Owner::REAL.map(|owner| (owner, chance(case, owner, &mut spent)));
    let mut verdict = match chances {
        [(_, Chance::Never(white)), (_, Chance::Never(_))] => {
            let text = format!("Neither player can win: {white}.");
            let mut verdict = case.verdict(Decision::Upheld, Ground::Closure, Some(Outcome::Draw), text);
            verdict.strength = Strength::Proved;
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
            case.verdict(Decision::Undetermined, Ground::Budget, None, text.to_owned())
        }
    };
    verdict.spent.nodes = spent;
    verdict
}

/// Whether a player can still win in the position of the claim. A win is any end that scores for the player;
/// repetition and counters stop no line.
pub(super) fn chance<M: Mask>(case: &Case<'_, M>, by: Owner, spent: &mut u64) -> Chance {
    if let Some(why) = case.position.is_beyond_winning(by) {
        return Chance::Never(why);
    }
    let found = playout(&case.position, Outcome::won_by(by), case.means.terms, spent);
    found.map_or(Chance::Unknown, |plies| Chance::Line(plies.iter().map(|ply| case.coord(ply)).collect()))
}

/// Searches for a line that ends with the result, all sides helping: deterministic random lines, short ones first.
fn playout<M: Mask>(
    start: &Position<M>,
    wanted: Outcome,
    terms: &Terms,
    spent: &mut u64,
) -> Option<Vec<Ply>> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut rounds = 0;
    let until = spent.saturating_add(terms.nodes);
    while *spent < until {
        let length = (LINE_PLIES_FIRST << (rounds / ROUNDS)).min(LINE_PLIES_MAX);
        rounds = (rounds + 1) % (ROUNDS * 8);
        let mut position = start.clone();
        let mut line = Vec::new();
        while line.len() <= length && *spent < until {
            terms.budget.spend(1).ok()?;
            *spent += 1;
            if let Some((_, outcome)) = position.shown_end() {
                if outcome == wanted {
                    return Some(line);
                }
                break;
            }
            let plies = position.plies();
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let Some(ply) = plies.get((seed % plies.len().max(1) as u64) as usize) else { break };
            position.apply(ply);
            line.push(*ply);
        }
    }
    None
}
