//! The same claim by the other readings of rulings that are fields of the definition (ADJ-7).

use super::case::Case;
use super::verdict::{Ground, RuleReading, Strength, Verdict};
use super::{Means, judge};
use crate::certificate::{Claim, ClaimKind, Decision};
use ferz_core::board::Mask;
use ferz_core::judge::Outcome;
use ferz_core::position::Position;
use ferz_records::record::Record;
use ferz_records::replay::{Effect, OtherRules, Trace};
use std::sync::Arc;

/// A decision and what the game is worth then.
type Decided = (Decision, Option<Outcome>);

/// The verdict; ambiguous if another reading of a ruling that is a field decides the claim otherwise.
pub(super) fn across_readings<M: Mask>(
    trace: &Trace<M>,
    record: &Record<'_>,
    claim: &Claim,
    means: Means<'_>,
    own: Verdict,
    others: &[OtherRules<M>],
) -> Verdict {
    // A text that is no ply, or several, is so by every reading.
    let is_read = matches!(own.verdict, Decision::Upheld | Decision::Rejected);
    if claim.kind == ClaimKind::IllegalPly && !is_read {
        return own;
    }
    let decided = (own.verdict, own.result);
    let mut found = Vec::new();
    for other in others.iter().filter(|other| !is_chosen(record, other.ruling.field)) {
        let under = under(trace, record, (claim, &own), means, other);
        found.extend(under.filter(|under| *under != decided).map(|under| (other, under)));
    }
    if found.is_empty() { own } else { ambiguous(own, found) }
}

/// True if the record itself chooses the value of a field: that is no question of reading.
fn is_chosen(record: &Record<'_>, field: &str) -> bool {
    let Some((_, name)) = field.split_once('.') else { return false };
    record.tag("NatureRules").is_some_and(|tag| {
        let names = tag.split(',').filter_map(|part| part.split_once('=')).map(|(name, _)| name.trim());
        names.into_iter().any(|chosen| chosen.strip_prefix("nature-").unwrap_or(chosen) == name)
    })
}

/// How other rules decide the claim; `None` if the game up to it is illegal by them.
fn under<M: Mask>(
    trace: &Trace<M>,
    record: &Record<'_>,
    (claim, own): (&Claim, &Verdict),
    means: Means<'_>,
    other: &OtherRules<M>,
) -> Option<Decided> {
    let illegal = claim.ply.filter(|_| claim.kind == ClaimKind::IllegalPly);
    let last = illegal.map_or(claim.ply.unwrap_or(trace.plies.len()), |ply| ply - 1);
    let mut position = Position::from_fen(Arc::clone(&other.rules), &trace.start.fen()).ok()?;
    let start = position.clone();
    for traced in trace.plies.get(..last)? {
        if traced.let_stand || !position.attempt(&traced.ply).is_legal() {
            return None;
        }
        position.apply(&traced.ply);
    }
    let here = trace;
    let trace = trace.clone().with_start(start);
    let Some(number) = illegal else {
        let verdict = judge(&trace, record, claim, means).ok()?;
        return Some((verdict.verdict, verdict.result));
    };
    let legal = match trace.plies.get(last) {
        Some(traced) => position.attempt(&traced.ply).is_legal(),
        // The report has tried the text of the illegal ply by this reading.
        None => trace.report.decided_by.iter().any(|decision| {
            decision.field.as_deref() == Some(other.ruling.field)
                && decision.other.as_ref().is_some_and(|found| found.effect == Effect::Legal { ply: number })
        }),
    };
    if legal {
        return Some((Decision::Rejected, None));
    }
    // Where the game had ended, its end is the result; without one it is the policy's, by every reading.
    let end = |trace| Case::new(trace, record, claim, means).ok().map(|case| case.end);
    let result = match (end(here)?, end(&trace)?) {
        (None, None) => own.result,
        (_, by_other) => by_other.map(|end| end.outcome),
    };
    Some((Decision::Upheld, result))
}

fn ambiguous<M: Mask>(own: Verdict, found: Vec<(&OtherRules<M>, Decided)>) -> Verdict {
    let mut verdict = Verdict {
        verdict: Decision::Ambiguous,
        result: None,
        strength: Strength::Opinion,
        ground: Ground::Ruling,
        remedy: None,
        penalty: None,
        policy: None,
        line: Vec::new(),
        clock: Vec::new(),
        proof: None,
        certificate: None,
        ..own.clone()
    };
    for (other, (decision, result)) in found {
        let reading = |reading: &str, verdict, result| RuleReading {
            ruling: Some(other.ruling.id.to_owned()),
            field: Some(other.ruling.field.to_owned()),
            reading: reading.to_owned(),
            verdict,
            result,
        };
        verdict.explanation.push_str(&format!(
            " That is by the reading {} of {}; by the reading {} the claim is {decision}.",
            other.own, other.ruling.id, other.other
        ));
        if !verdict.articles.iter().any(|id| id == other.ruling.id) {
            verdict.articles.push(other.ruling.id.to_owned());
        }
        verdict.readings.push(reading(&other.own, own.verdict, own.result));
        verdict.readings.push(reading(other.other, decision, result));
    }
    verdict
}
