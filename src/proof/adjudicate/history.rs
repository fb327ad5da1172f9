//! Draws that the player on move claims: repetition and moves without progress, on the board or by an intended ply.

use super::case::Case;
use super::verdict::{Ground, Penalty, Remedy, Strength, Verdict};
use crate::certificate::{ClaimKind, Decision};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::judge::{FIFTY_MOVES, Outcome};
use ferz_core::notation::{Letters, read_as, resolve};
use ferz_core::position::{Chase, Conduct, Ply, Position, Repeated};
use ferz_core::rules::Piece;
use ferz_core::rules::definition::Repetition;
use ferz_records::replay::summary::counted;
use std::sync::Arc;

/// Occurrences that a claim of threefold repetition needs.
const THREEFOLD: usize = 3;

/// Judges a claim of threefold repetition or fifty moves.
///
/// # Errors
/// If the intended ply cannot be read.
pub(super) fn claimed_draw<M: Mask>(case: &Case<'_, M>) -> Result<Verdict, String> {
    let ends = &case.position.rules().ends;
    let threefold = case.claim.kind == ClaimKind::ThreefoldRepetition;
    match ends.repetition {
        Repetition::FourfoldPerpetual if threefold => {
            let instead = "; the fourth occurrence decides by itself (fourfold_repetition, perpetual_check)";
            return Ok(case.no_such_rule(instead));
        }
        Repetition::Threefold if threefold => {
            return Ok(case.no_such_rule("; the third occurrence ends the game by itself"));
        }
        Repetition::None if threefold => return Ok(case.no_such_rule("")),
        _ if case.claim.kind == ClaimKind::FiftyMoves && !ends.move_counters => {
            return Ok(case.no_such_rule(""));
        }
        _ if case.claim.kind == ClaimKind::QuietMoves && ends.quiet_moves == 0 => {
            return Ok(case.no_such_rule(""));
        }
        _ => {}
    }
    // A draw by itself in this very position leaves what is claimed true.
    let over = case.end.filter(|end| end.ply < case.plies || !end.reason.is_draw_by_itself());
    let by = case.claimant();
    if let Some(end) = over {
        return Ok(with_claimant(case.game_over(end), by));
    }
    if by != case.position.turn() {
        let explanation = format!(
            "{} claims, but {} is on move {}; only the player on move may claim this draw.",
            by.name(),
            case.position.turn().name(),
            case.after(case.plies)
        );
        return Ok(false_claim(
            case,
            by,
            case.verdict(Decision::Rejected, Ground::NotOnMove, None, explanation),
        ));
    }
    let intended = match &case.claim.intended {
        Some(text) => match intended(case, text)? {
            Ok(ply) => Some(ply),
            Err(why) => {
                let explanation = format!("The intended ply {text} is illegal: {why}.");
                let verdict = case.verdict(Decision::Rejected, Ground::Ply, None, explanation);
                return Ok(false_claim(case, by, verdict));
            }
        },
        None => None,
    };
    let mut position = case.position.clone();
    if let Some(ply) = &intended {
        position.apply(ply);
    }
    let verdict = if threefold {
        repetition(case, &position, intended.as_ref())
    } else {
        quiet(case, &position, intended.is_some())
    };
    Ok(if verdict.verdict == Decision::Rejected {
        false_claim(case, by, verdict)
    } else {
        with_claimant(verdict, by)
    })
}

fn with_claimant(mut verdict: Verdict, by: Owner) -> Verdict {
    verdict.claim.by = Some(by);
    verdict
}

/// A rejected claim may have a penalty by the policy, and an intended ply must be made.
fn false_claim<M: Mask>(case: &Case<'_, M>, by: Owner, verdict: Verdict) -> Verdict {
    let mut verdict = with_claimant(verdict, by);
    let policy = &case.means.terms.policy;
    if let Some(sanction) = &policy.false_claim {
        let article = case.cite("false_claim", &sanction.rule).join(", ");
        verdict.penalty = Some(Penalty::of(sanction, by, article));
        verdict.policy = Some(Arc::clone(&policy.id));
    }
    let legal = verdict.ground != Ground::Ply && verdict.ground != Ground::NotOnMove;
    verdict.remedy = case.claim.intended.clone().filter(|_| legal).map(|text| Remedy::MakeIntended { text });
    verdict
}

/// The intended ply; or why it is illegal.
fn intended<M: Mask>(case: &Case<'_, M>, text: &str) -> Result<Result<Ply, String>, String> {
    let position = &case.position;
    let letters = Letters::new(position.rules());
    let turn = position.turn();
    let own = case.means.alphabet.and_then(|alphabet| alphabet.to_own(text.trim()));
    let style = Some(case.trace.report.style);
    let read = read_as(style, &letters, turn, false, own.as_deref().unwrap_or(text.trim()).as_bytes())
        .map_err(|error| format!("the intended ply `{text}` cannot be read: {}", error.message))?;
    Ok(match resolve(position, &read) {
        Ok(found) if found.ply.actor != turn => Err(format!("it is not a ply of {}", turn.name())),
        Ok(found) => Ok(found.ply),
        Err(fault) => Err(fault.to_string()),
    })
}

fn repetition<M: Mask>(case: &Case<'_, M>, position: &Position<M>, intended: Option<&Ply>) -> Verdict {
    let is_intended = intended.is_some();
    let mut plies = case.occurrences(position, case.plies);
    if is_intended {
        plies.push(case.plies + 1);
    }
    let upheld = plies.len() >= THREEFOLD;
    let what = if is_intended { "The position after the intended ply" } else { "The position" };
    let has = if is_intended { "would have occurred" } else { "has occurred" };
    let explanation = format!(
        "{what} {} {has} {}: {}.{}",
        if is_intended { String::new() } else { case.after(case.plies) },
        counted(plies.len(), "time", "times"),
        list(&plies),
        if upheld { "" } else { " Three occurrences are needed." }
    )
    .replace("  ", " ");
    let decision = if upheld { Decision::Upheld } else { Decision::Rejected };
    let mut verdict =
        case.verdict(decision, Ground::Occurrences, upheld.then_some(Outcome::Draw), explanation);
    if upheld && position.rules().ends.repetition == Repetition::ThreefoldPerpetual {
        verdict = as_repeated(case, verdict, plies[0], intended);
    }
    verdict.plies = plies;
    verdict
}

/// What the plies since the first occurrence change about a third one. Who chases loses by the rules of some
/// federations, and what a chase is they say differently (XQI-2).
fn as_repeated<M: Mask>(
    case: &Case<'_, M>,
    mut verdict: Verdict,
    first: usize,
    intended: Option<&Ply>,
) -> Verdict {
    match Repeated::of(&case.conduct_since(first, intended)) {
        Repeated::Harmless => {}
        Repeated::ChecksByBoth => verdict.articles = case.cite("fourfold_repetition", "XQI 5"),
        Repeated::PerpetualCheck(checker) => {
            (verdict.verdict, verdict.result) = (Decision::Rejected, None);
            verdict.articles = case.cite("perpetual_check", "XQI 5");
            let text = format!(" {} gave check with every ply since, which loses.", upper(checker.name()));
            verdict.explanation.push_str(&text);
        }
        Repeated::MayChase(Chase { attacker, from, victim, on }) => {
            (verdict.verdict, verdict.result, verdict.strength) =
                (Decision::Ambiguous, None, Strength::Opinion);
            verdict.ground = Ground::Ruling;
            verdict.articles = case.cite("perpetual_chase", "XQI-2");
            let rules = case.position.rules();
            let named = |piece: Piece, square: Square| {
                let kind = &rules.kinds[piece.kind.index()].name;
                format!("{}'s {kind} on {}", upper(piece.owner.name()), rules.square_name(square))
            };
            let text = format!(
                " Neither side gave check with every ply, but {} attacked {}. Whether that is a chase, which may \
                 lose, is not judged; ask an arbiter.",
                named(attacker, from),
                named(victim, on)
            );
            verdict.explanation.push_str(&text);
        }
    }
    verdict
}

/// Numbers of plies as places: `after plies 0, 4 and 8`.
pub(super) fn list(plies: &[usize]) -> String {
    let numbers: Vec<String> = plies.iter().map(ToString::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("after ply {last}"),
        Some((last, before)) => format!("after plies {} and {last}", before.join(", ")),
        None => "never".to_owned(),
    }
}

/// Fifty moves, or as many as the game's own rule says.
fn quiet<M: Mask>(case: &Case<'_, M>, position: &Position<M>, is_intended: bool) -> Verdict {
    let count = position.status().halfmoves;
    let own = case.claim.kind == ClaimKind::QuietMoves;
    let needed = if own { position.rules().ends.quiet_plies() } else { FIFTY_MOVES };
    let upheld = count >= needed;
    let with = if is_intended { ", with the intended ply," } else { "" };
    let explanation = format!(
        "{}{with} {} without pawn move, capture or entry. {needed} are needed.{}",
        upper(&case.after(case.plies)),
        counted(usize::from(count), "ply has passed", "plies have passed"),
        case.counted_before(count, case.plies + usize::from(is_intended)),
    );
    let decision = if upheld { Decision::Upheld } else { Decision::Rejected };
    let mut verdict = case.verdict(decision, Ground::Counter, upheld.then_some(Outcome::Draw), explanation);
    verdict.plies = vec![case.plies + usize::from(is_intended)];
    verdict
}

/// A sentence with a capital letter.
pub(super) fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

impl<M: Mask> Case<'_, M> {
    /// The numbers of plies, up to `last`, after which a position was on the board. Keys find them, identities prove
    /// them.
    pub(super) fn occurrences(&self, wanted: &Position<M>, last: usize) -> Vec<usize> {
        let (key, identity) = (wanted.key(), wanted.identity());
        let mut position = self.trace.start.clone();
        let mut found = Vec::new();
        for plies in 0..=last {
            if let Some(before) = plies.checked_sub(1) {
                self.trace.make(before, &mut position);
            }
            if position.key() == key && position.identity() == identity {
                found.push(plies);
            }
        }
        found
    }

    /// What each ply after the first `first` ones did, and the intended one.
    pub(super) fn conduct_since(&self, first: usize, intended: Option<&Ply>) -> Vec<Conduct> {
        let mut position = self.trace.start.clone();
        let mut done = Vec::new();
        for (index, ply) in self.trace.plies[..self.plies].iter().enumerate() {
            let before = (index >= first).then(|| position.clone());
            self.trace.make(index, &mut position);
            done.extend(before.map(|before| position.conduct(&before, &ply.ply)));
        }
        if let Some(ply) = intended {
            let mut after = position.clone();
            after.apply(ply);
            done.push(after.conduct(&position, ply));
        }
        done
    }

    /// The part of the counter that the start position brought along.
    pub(super) fn counted_before(&self, count: u16, plies: usize) -> String {
        let start = self.trace.start.status().halfmoves;
        if start == 0 || usize::from(count) < plies + usize::from(start) {
            return String::new();
        }
        format!(" The start position states {start} of them.")
    }
}
