//! A comparison in sentences, for people.

use super::compare::{Comparison, Fit, PartingPly, Relation, Side};
use crate::replay::WORKS_ON_ONE;
use crate::replay::summary::counted;

/// The verdict on one of the records: `iago-b: legal, 12 plies, result 1-0`.
pub fn side_in_words(side: &Side) -> String {
    let report = &side.report;
    let verdict = match &report.illegal {
        Some(illegal) => format!("illegal at {}", illegal.numbered()),
        None if report.legal => format!("legal, {}", counted(report.plies, "ply", "plies")),
        None => "not judged".to_owned(),
    };
    let result = report.result_tag.map_or_else(String::new, |result| format!(", result {result}"));
    format!("{}: {verdict}{result}", report.variant)
}

/// The relation of the records A and B, without a full stop.
pub fn relation_in_words(found: &Comparison) -> String {
    let plies = counted(found.common, "ply", "plies");
    let ended = |in_a: bool| if in_a { "A" } else { "B" };
    match found.relation {
        Relation::Same => format!("the same game: {plies}"),
        Relation::Prefix => {
            let a_ends = found.parting.as_ref().is_some_and(|parting| parting.a.is_none());
            let (short, long) = (ended(a_ends), ended(!a_ends));
            format!("{short} ends after {plies}, and {long} continues")
        }
        Relation::Parted => format!("the records diverge after {plies}"),
        Relation::OtherStart => "the records start from different positions".to_owned(),
        Relation::OtherRules => {
            "the records are of different games, or of different editions of one".to_owned()
        }
        Relation::NotJudged if found.a.report.is_judged() && found.b.report.is_judged() => {
            WORKS_ON_ONE.to_owned()
        }
        Relation::NotJudged => "a record could not be judged".to_owned(),
    }
}

/// A record's ply at the divergence; `None` if the record has ended.
pub fn parting_ply_in_words(ply: Option<&PartingPly>) -> String {
    let Some(ply) = ply else { return "has ended".to_owned() };
    let (text, line, column) = (&ply.text, ply.line, ply.column);
    let verdict = match (&ply.coord, &ply.illegal) {
        (Some(coord), None) => format!("legal ({coord})"),
        (Some(coord), Some(illegal)) => {
            format!("illegal, but let stand ({coord}): {} ({})", illegal.reason, illegal.rule)
        }
        (None, Some(illegal)) => format!("illegal: {} ({})", illegal.reason, illegal.rule),
        (None, None) => "not judged, since it follows an illegal ply".to_owned(),
    };
    format!("`{text}` at {line}:{column} is {verdict}")
}

/// The facts about the plies after the divergence, a sentence each, without full stops.
pub fn continuations_in_words(found: &Comparison) -> Vec<String> {
    let mut out = Vec::new();
    for (own, other, fit) in [("A", "B", &found.a_in_b), ("B", "A", &found.b_in_a)] {
        let Some(Fit { later, fitting, misfit }) = fit else { continue };
        let later = counted(*later, "later ply", "later plies");
        out.push(match misfit {
            None => format!("{own}'s {later} would all be legal after {other}'s"),
            Some(misfit) => format!(
                "of {own}'s {later} {fitting} would be legal after {other}'s; ply {}, `{}`, would not: {}",
                misfit.ply, misfit.text, misfit.reason
            ),
        });
    }
    if let Some(first) = found.meetings.first() {
        let count = counted(found.meetings.len(), "position is", "positions are");
        out.push(format!(
            "{count} the same again, first after ply {} of A and {} of B: {}",
            first.a, first.b, first.fen
        ));
    }
    out
}
