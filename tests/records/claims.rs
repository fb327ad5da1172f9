//! Claims and their verdicts.
//!
//! `fixtures/claims/*.jsonl` has one case a line: a record, a claim, the keys of the verdict that matter, and why.
#![allow(clippy::unwrap_used)]

use super::fixtures::{differences, files};
use ferz::adjudicate::{Claim, ClaimKind, Decision, Verdict, adjudicate};
use ferz::judge::EndReason;
use ferz::record::{GameResult, Record, read};
use ferz::replay::{Agreement, Options, Replayer, Report, Source};
use ferz::rules::{Registry, article};
use serde::Deserialize;
use serde_json::Value;
use std::fs;

/// Positions that a search may visit: enough for every case.
const NODES: u64 = 200_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    why: String,
    record: String,
    claim: Claim,
    expect: Value,
}

fn judge(replayer: &mut Replayer<'_>, text: &str, claim: &Claim) -> Verdict {
    let record = read(text.as_bytes(), 0).next().unwrap();
    let source = Source::new(text.as_bytes(), 0, 0);
    adjudicate(replayer, (&record, &source), claim, NODES).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn claims_have_their_verdicts() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut findings, mut cases) = (Vec::new(), 0);
    for path in files("claims", "jsonl") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}"));
            let verdict = judge(&mut replayer, &case.record, &case.claim);
            let found = serde_json::to_value(&verdict).unwrap();
            let at = format!("{name}:{} ({})", index + 1, case.why);
            differences(&at, &case.expect, &found, &mut findings);
            cases += 1;
            let unknown = verdict.articles.iter().filter(|id| article(id).is_none());
            findings.extend(unknown.map(|id| format!("{at}: no article {id}")));
        }
    }
    assert!(cases > 100, "{cases}");
    crate::common::report("claims", cases, &findings);
}

/// The kinds of claims that are ends.
fn ends() -> impl Iterator<Item = (ClaimKind, EndReason)> {
    let kind = |reason: &EndReason| ClaimKind::ALL.iter().find(|kind| kind.id() == reason.id()).copied();
    EndReason::ALL.iter().filter_map(move |reason| Some((kind(reason)?, *reason)))
}

/// Verdicts about one replayed record that its report decides.
fn follow_the_report(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    report: &Report,
    findings: &mut Vec<String>,
) -> usize {
    let mut count = 0;
    let mut check = |claim: Claim, wanted: Option<Decision>, result: Option<&str>| {
        count += 1;
        let verdict = adjudicate(replayer, (record, source), &claim, 0).unwrap();
        let found = verdict.result.map(|result| result.as_str());
        if wanted.is_some_and(|wanted| wanted != verdict.verdict) || wanted.is_some() && found != result {
            findings.push(format!("{claim:?}: {} {found:?}: {}", verdict.verdict, verdict.explanation));
        }
    };
    let ended = report.end.map(|end| end.outcome.as_str());
    for (kind, reason) in ends() {
        let wanted = match report.end {
            Some(end) if end.reason == reason => Some(Decision::Upheld),
            Some(end) if end.reason == EndReason::BareKingDraw && kind == ClaimKind::BareKing => None,
            Some(_) => Some(Decision::Rejected),
            // Without an end a dead position may be one that material does not show.
            None if kind == ClaimKind::DeadPosition => None,
            None => Some(Decision::Rejected),
        };
        check(Claim::new(kind), wanted, ended);
    }
    for ply in (1..=report.plies).step_by(4) {
        let let_stand = report.stood.iter().any(|stood| stood.ply == ply);
        let wanted = if let_stand { Decision::Upheld } else { Decision::Rejected };
        check(Claim { ply: Some(ply), ..Claim::new(ClaimKind::IllegalPly) }, Some(wanted), None);
    }
    if let Some(illegal) = &report.illegal {
        let wanted = match illegal.reason_id.id() {
            "unreadable" => Decision::Undetermined,
            "ambiguous" => Decision::Ambiguous,
            _ => Decision::Upheld,
        };
        check(Claim { ply: Some(illegal.ply), ..Claim::new(ClaimKind::IllegalPly) }, Some(wanted), None);
    }
    let stated = report.result_tag.or(record.result).is_some_and(|result| result != GameResult::Unknown);
    let wanted = match (report.agreement, report.end) {
        (Agreement::Contradicted, _) => Decision::Upheld,
        (Agreement::Unverifiable, Some(_)) if stated => Decision::Upheld,
        (_, Some(_)) => Decision::Rejected,
        (_, None) => Decision::Undetermined,
    };
    check(Claim::new(ClaimKind::WrongResult), Some(wanted), ended);
    for claim in &report.claims {
        let kind = ClaimKind::ALL.iter().copied().find(|kind| kind.id() == claim.kind.id()).unwrap();
        let open = Claim { by: Some(claim.by), ply: Some(claim.ply), ..Claim::new(kind) };
        check(open.clone(), Some(Decision::Upheld), Some("1/2-1/2"));
        check(Claim { by: Some(claim.by.opponent()), ..open }, Some(Decision::Rejected), None);
    }
    count
}

/// For every record of the fixtures, in all games: a claim of its end is upheld, every other end is rejected with the
/// same result, the illegal ply is illegal and every fourth other ply is legal.
#[test]
fn verdicts_agree_with_reports() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut findings, mut count) = (Vec::new(), 0);
    for path in [files("games", "pgn"), files("odd", "pgn")].concat() {
        let bytes = fs::read(&path).unwrap();
        let source = Source::new(&bytes, 0, 0);
        for (number, record) in read(&bytes, 0).enumerate() {
            let report = replayer.report(&record, &source, number);
            let before = findings.len();
            if report.is_judged() {
                count += follow_the_report(&mut replayer, (&record, &source), &report, &mut findings);
            }
            let name = path.file_stem().unwrap().to_string_lossy();
            findings[before..].iter_mut().for_each(|text| *text = format!("{name}[{number}]: {text}"));
        }
    }
    assert!(count > 2_000, "{count}");
    crate::common::report("claims about records", count, &findings);
}
