//! Claims and their verdicts.
//!
//! `fixtures/claims/*.jsonl` has one case a line: a record, a claim, the keys of the verdict that matter, and why.
//! `fixtures/adjudication` has more of them, for anyone's program: the records of `fixtures/games` with claims that their
//! expected reports decide (`pack`), claims whose verdicts follow from the rulebook by counting: a cycle of plies
//! repeats its positions every fourth ply from the first one that can return; and losses off the board in whole games,
//! whose own last plies show that the winner could still win at every earlier one.
#![allow(clippy::unwrap_used)]

use super::fixtures::{differences, files};
use ferz::adjudicate::{Claim, ClaimError, ClaimKind, Decision, Ground, Terms, Verdict, adjudicate};
use ferz::board::Owner;
use ferz::certificate::{Certificate, CertificateKind, Effort, Refusal, check};
use ferz::clock::Policies;
use ferz::judge::{ClaimableKind, EndReason, Outcome};
use ferz::notation::Languages;
use ferz::record::{GameResult, Record, read};
use ferz::replay::{Agreement, Options, Replayer, Report, Source};
use ferz::rules::{Registry, article};
use ferz::text::{Budget, Exhausted, Timestamp};
use serde::Deserialize;
use serde_json::Value;
use std::fs;

/// Positions that a search may visit: enough for every case.
const NODES: u64 = 200_000;

/// Positions that a search may visit first: nearly every case of a game lost off the board has a line that wins, and all
/// that a further position does is to shorten it.
const NODES_FIRST: u64 = 2_000;

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// The paragraph of the Laws that the case is about, as the manual names it.
    paragraph: Option<String>,
    /// The policy; `plain` without.
    policy: Option<String>,
    why: String,
    pub(crate) record: String,
    pub(crate) claim: Claim,
    expect: Value,
}

/// The cases of every file in a folder, with their places.
pub(crate) fn cases(folder: &str) -> Vec<(String, Case)> {
    let mut found = Vec::new();
    for path in files(folder, "jsonl") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}"));
            found.push((format!("{name}:{} ({})", index + 1, case.why), case));
        }
    }
    assert!(found.len() > 100, "{}", found.len());
    found
}

pub(crate) fn checked(certificate: &Certificate) -> Result<(), Refusal> {
    check(Registry::built_in(), Languages::built_in(), certificate, Effort::of(&Budget::unlimited()))
}

pub(crate) fn judge(replayer: &mut Replayer<'_>, text: &str, claim: &Claim) -> Verdict {
    judge_by(replayer, text, claim, &Terms::of(NODES))
}

fn judge_by(replayer: &mut Replayer<'_>, text: &str, claim: &Claim, terms: &Terms) -> Verdict {
    let record = read(text.as_bytes(), 0).next().unwrap();
    let source = Source::new(text.as_bytes(), 0, 0);
    adjudicate(replayer, (&record, &source), claim, terms).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Each paragraph of the Laws in the manual has a case for every claim that it names, and a case is about one of them.
#[test]
fn paragraphs_of_the_laws_have_cases() {
    let manual = fs::read_to_string("formats/CLAIMS.md").unwrap();
    let table = manual.split("## The Laws of FIDE").nth(1).unwrap();
    let rows = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert!(rows.len() > 30, "{}", rows.len());
    let cases: Vec<(String, ClaimKind)> = cases("claims")
        .into_iter()
        .filter_map(|(_, case)| Some((case.paragraph?, case.claim.kind)))
        .collect();
    for row in &rows {
        let [paragraph, _, here] = row[..] else { panic!("{row:?}") };
        if here.starts_with("No claim") {
            continue;
        }
        let kinds: Vec<ClaimKind> = here
            .split('`')
            .skip(1)
            .step_by(2)
            .filter_map(|word| serde_json::from_value(word.into()).ok())
            .collect();
        for kind in kinds {
            assert!(
                cases.contains(&(paragraph.to_owned(), kind)),
                "add a case with \"paragraph\": \"{paragraph}\" and the claim {kind} to fixtures/claims/laws.jsonl"
            );
        }
    }
    for (paragraph, kind) in &cases {
        let listed = rows.iter().any(|row| row[0] == paragraph && row[2].contains(&format!("`{kind}`")));
        assert!(listed, "{paragraph}, {kind}: add the paragraph to formats/CLAIMS.md");
    }
}

#[test]
fn claims_have_their_verdicts() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let mut findings = Vec::new();
    let cases = [cases("claims"), cases("adjudication")].concat();
    for (at, case) in &cases {
        let few = at.starts_with("lost_off_the_board");
        let mut terms = Terms::of(NODES);
        if let Some(name) = &case.policy {
            terms.policy = Policies::built_in().named(name).unwrap();
        }
        let first = few.then(|| judge_by(&mut replayer, &case.record, &case.claim, &Terms::of(NODES_FIRST)));
        let first = first.filter(|verdict| verdict.verdict == Decision::Upheld);
        let verdict = first.unwrap_or_else(|| judge_by(&mut replayer, &case.record, &case.claim, &terms));
        let found = serde_json::to_value(&verdict).unwrap();
        differences(at, &case.expect, &found, &mut findings);
        let unknown = verdict.articles.iter().filter(|id| article(id).is_none());
        findings.extend(unknown.map(|id| format!("{at}: no article {id}")));
        let decided = matches!(verdict.verdict, Decision::Upheld | Decision::Rejected);
        let bare = matches!(verdict.ground, Ground::NoSuchRule | Ground::NotOnMove)
            || verdict.ground == Ground::Ply && case.claim.intended.is_some()
            || verdict.rules.is_none();
        // Where another claim is open none can be certified.
        let is_withheld = case.expect.get("certificate").is_some_and(Value::is_null);
        match &verdict.certificate {
            None if decided && !bare && !is_withheld && !at.starts_with("pack") => {
                findings.push(format!("{at}: no certificate"))
            }
            None => {}
            Some(certificate) => {
                let text = serde_json::to_string(certificate).unwrap();
                let read: Certificate = serde_json::from_str(&text).unwrap();
                assert_eq!(read, **certificate, "{at}");
                #[cfg(feature = "cli")]
                findings.extend(schema_fault(&text).map(|fault| format!("{at}: {fault}")));
                findings.extend(checked(&read).err().map(|refusal| format!("{at}: {refusal}")));
            }
        }
    }
    crate::common::report("claims", cases.len(), &findings);
}

/// The pack has claims of every sort, in every game.
#[test]
fn the_pack_is_broad() {
    let cases = cases("adjudication");
    let count = |is: &dyn Fn(&Case) -> bool| cases.iter().filter(|(_, case)| is(case)).count();
    let decided = |case: &Case, verdict: &str| case.expect["verdict"] == verdict;
    let intended = |case: &Case| case.claim.intended.is_some();
    assert!(count(&|case| intended(case) && decided(case, "upheld")) >= 60);
    assert!(count(&|case| intended(case) && decided(case, "rejected")) >= 60);
    assert!(count(&|case| !case.expect["penalty"].is_null() && decided(case, "rejected")) >= 40);
    assert!(count(&|case| decided(case, "ambiguous")) >= 20);
    // Nothing is claimed in Bughouse (BUG-2).
    for game in crate::common::BUILT_IN.into_iter().filter(|game| *game != "bughouse") {
        let tag = format!("[Variant \"{game}\"]");
        let of_game =
            |case: &Case| case.record.contains(&tag) || game == "chess" && !case.record.contains("[Variant");
        assert!(
            count(&|case| intended(case) && of_game(case)) > 0,
            "add a claim with an intended ply in {game} to fixtures/adjudication/intended.jsonl"
        );
    }
}

#[cfg(feature = "cli")]
fn schema_fault(text: &str) -> Option<String> {
    let schema = fs::read_to_string(crate::common::root().join("formats/schema/certificate.json")).unwrap();
    crate::schema::fault(&serde_json::from_str(&schema).unwrap(), &serde_json::from_str(text).unwrap())
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
    // Games on two boards are not adjudicated.
    if report.boards.is_some() {
        return 0;
    }
    // A claim is judged by the Laws of its time, and the report says what those of today make of the game.
    if report.end.and_then(|end| end.reason.in_force_since()).is_some_and(|since| record.is_before(since)) {
        return 0;
    }
    // Every verdict replays the record.
    let apart = (report.plies / 8).max(1);
    let mut count = 0;
    let mut check = |claim: Claim, wanted: Option<Decision>, result: Option<&str>| {
        count += 1;
        let verdict = adjudicate(replayer, (record, source), &claim, &Terms::of(0)).unwrap();
        let found = verdict.result.map(|result| result.as_str());
        // A declaration wins or loses the game (SHO 6).
        let is_over = claim.ply.is_none() && report.end.is_some();
        let declared = claim.kind == ClaimKind::Declaration && verdict.ground == Ground::Position && !is_over;
        let mover = if verdict.fen.contains(" w ") { Owner::White } else { Owner::Black };
        let by = verdict.claim.by.unwrap_or(mover);
        let wins = verdict.verdict == Decision::Upheld;
        let winner = declared.then_some(if wins { by } else { by.opponent() });
        let result = winner.map(|winner| Outcome::won_by(winner).as_str()).or(result);
        // Where another reading decides otherwise, its own reading is the report's.
        let own = verdict.readings.first().filter(|_| verdict.ground == Ground::Ruling);
        let (decision, found) = match own {
            Some(own) => (own.verdict, own.result.map(|result| result.as_str())),
            None => (verdict.verdict, found),
        };
        if wanted.is_some_and(|wanted| wanted != decision || found != result) {
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
            // Where perpetual check is claimed it is no end by itself.
            None if kind == ClaimKind::PerpetualCheck && !report.claimable.is_empty() => None,
            None => Some(Decision::Rejected),
        };
        check(Claim::new(kind), wanted, ended);
    }
    for ply in (1..=report.plies).step_by(apart) {
        let let_stand = report.let_stand.iter().any(|stood| stood.ply == ply);
        let wanted = if let_stand { Decision::Upheld } else { Decision::Rejected };
        check(Claim { ply: Some(ply), ..Claim::new(ClaimKind::IllegalPly) }, Some(wanted), None);
    }
    if let Some(illegal) = &report.illegal {
        let wanted = match illegal.reason_id.id() {
            "unreadable" => Decision::Undetermined,
            "ambiguous" => Decision::Ambiguous,
            _ => Decision::Upheld,
        };
        // A ply after the end shows what the result is.
        let result = ended.filter(|_| illegal.reason_id.id() == "game-over");
        check(Claim { ply: Some(illegal.ply), ..Claim::new(ClaimKind::IllegalPly) }, Some(wanted), result);
    }
    let stated = report.result_tag.or(record.result).is_some_and(|result| result != GameResult::Unknown);
    let wanted = match (report.agreement, report.end) {
        (Agreement::Contradicted, _) => Some(Decision::Upheld),
        (Agreement::Unverifiable, Some(_)) if stated => Some(Decision::Upheld),
        (_, Some(_)) => Some(Decision::Rejected),
        // The stated winner may be one who cannot win.
        (_, None) => None,
    };
    check(Claim::new(ClaimKind::WrongResult), wanted, ended);
    for claim in &report.claims {
        let kind = ClaimKind::ALL.iter().copied().find(|kind| kind.id() == claim.kind.id()).unwrap();
        let open = Claim { by: Some(claim.by), ply: Some(claim.ply), ..Claim::new(kind) };
        check(open.clone(), Some(Decision::Upheld), Some(worth(claim.kind, claim.by)));
        check(Claim { by: Some(claim.by.opponent()), ..open }, Some(Decision::Rejected), None);
    }
    let of = |kind: ClaimableKind| ClaimKind::ALL.iter().copied().find(|it| it.id() == kind.id()).unwrap();
    for claimable in report.claimable.iter().step_by(apart) {
        let (by, ply) = (Some(claimable.draw.by), Some(claimable.draw.ply));
        let intended = claimable.intended.clone();
        check(
            Claim { by, ply, intended, ..Claim::new(of(claimable.draw.kind)) },
            Some(Decision::Upheld),
            Some(worth(claimable.draw.kind, claimable.draw.by)),
        );
    }
    let open = |kind: ClaimableKind, ply: usize| {
        report.claimable.iter().any(|claimable| (claimable.draw.kind, claimable.draw.ply) == (kind, ply))
    };
    for ply in (0..report.end.map_or(report.plies + 1, |end| end.ply)).step_by(apart) {
        for kind in ClaimableKind::ALL.iter().copied().filter(|kind| !open(*kind, ply)) {
            check(Claim { ply: Some(ply), ..Claim::new(of(kind)) }, Some(Decision::Rejected), None);
        }
    }
    count
}

/// What a game is worth by a claim that is open; a declaration may lose it.
fn worth(kind: ClaimableKind, by: Owner) -> &'static str {
    let wins = kind == ClaimableKind::PerpetualCheck;
    if wins { Outcome::won_by(by).as_str() } else { Outcome::Draw.as_str() }
}

/// For every record of the fixtures, in all games: a claim of its end is upheld, every other end is rejected with the
/// same result, the illegal ply is illegal and other plies are legal.
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
    assert!(count > 3_000, "{count}");
    crate::common::report("claims about records", count, &findings);
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides.max(1) as u64) as usize
    }
}

/// The places of all values of a JSON value, as pointers.
pub(crate) fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), found));
        }
        _ => {}
    }
}

/// Changes one value.
pub(crate) fn mutate(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Null => {
            *value = [Value::from("white"), Value::from(1), Value::from("1-0")][dice.roll(3)].clone()
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            *value = [number + 1, number.saturating_sub(1), number * 2 + 1][dice.roll(3)].into();
        }
        Value::String(text) => {
            let mut chars: Vec<char> = text.chars().collect();
            let at = dice.roll(chars.len());
            match (dice.roll(4), chars.get(at).copied()) {
                (0, Some(_)) => drop(chars.remove(at)),
                (1, Some(c)) => chars.insert(at, c),
                (2, Some(_)) if chars.len() > 1 => chars.swap(at, 0),
                (_, Some(c)) => chars[at] = char::from_u32(c as u32 + 1).unwrap(),
                (_, None) => chars.push('e'),
            }
            *text = chars.into_iter().collect();
        }
        Value::Array(items) => {
            let at = dice.roll(items.len());
            match dice.roll(3) {
                _ if items.is_empty() => items.push("e2e4".into()),
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                _ => items.swap(0, at),
            }
        }
        Value::Object(members) => {
            let key = members.keys().nth(dice.roll(members.len())).unwrap().clone();
            let member = members.remove(&key).unwrap();
            if dice.roll(2) == 0 {
                members.insert(format!("{key}s"), member);
            }
        }
    }
}

/// Every certificate of the cases but those by endgame tables: the check of one makes a table. `proofs` changes some.
fn certificates(replayer: &mut Replayer<'_>) -> Vec<Certificate> {
    let judged = cases("claims").into_iter().map(|(_, case)| judge(replayer, &case.record, &case.claim));
    let found = judged.filter_map(|verdict| verdict.certificate.map(|certificate| *certificate));
    found.filter(|certificate| certificate.kind != CertificateKind::Table).collect()
}

/// True if the judge, who shares no code with the checker, comes to what the certificate states.
pub(crate) fn holds(replayer: &mut Replayer<'_>, certificate: &Certificate) -> bool {
    let Certificate { record, claim, fifty, .. } = certificate;
    let verdict = judge_by(replayer, record, claim, &Terms { fifty: *fifty, ..Terms::of(NODES) });
    // A certificate is about the rules of its digest; where another reading of a ruling decides otherwise, theirs is first.
    let own = verdict.readings.first().filter(|reading| reading.ruling.is_some());
    let decided = own.map_or((verdict.verdict, verdict.result), |own| (own.verdict, own.result));
    decided == (certificate.verdict, certificate.result)
}

/// Of 10,000 certificates with a single change, at least 99 % are refused, and all whose statement has become false.
#[test]
fn changed_certificates_are_refused() {
    const MUTANTS: usize = 10_000;
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let certificates = certificates(&mut replayer);
    assert!(certificates.len() > 90, "{}", certificates.len());
    let (mut dice, mut mutants, mut accepted, mut findings) = (Dice(7), 0, 0, Vec::new());
    while mutants < MUTANTS {
        let valid = &certificates[mutants % certificates.len()];
        let original = serde_json::to_value(valid).unwrap();
        let mut mutant = original.clone();
        let mut pointers = Vec::new();
        places(&original, "", &mut pointers);
        mutate(mutant.pointer_mut(&pointers[dice.roll(pointers.len())]).unwrap(), &mut dice);
        if mutant == original {
            // Two equal items changed places.
            continue;
        }
        mutants += 1;
        let Ok(mutant) = serde_json::from_value::<Certificate>(mutant) else { continue };
        if mutant != *valid && checked(&mutant).is_ok() {
            accepted += 1;
            if !holds(&mut replayer, &mutant) {
                findings.push(format!("accepted: {mutant:?}"));
            }
        }
    }
    assert!(accepted * 100 < MUTANTS, "{accepted} of {MUTANTS} are accepted");
    crate::common::report("changed certificates", mutants, &findings);
}

/// A certificate does not prove its statement about another record.
#[test]
fn certificates_of_other_records_are_refused() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let certificates = certificates(&mut replayer);
    let (mut pairs, mut refused) = (0, 0);
    for one in &certificates {
        for other in certificates.iter().filter(|other| other.record != one.record).step_by(7) {
            pairs += 1;
            let (record, digest) = (other.record.clone(), other.digest.clone());
            let swapped = Certificate { record, digest, ..one.clone() };
            match checked(&swapped) {
                Ok(()) => assert!(holds(&mut replayer, &swapped), "{swapped:?}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(pairs > 1_000 && refused * 100 >= pairs * 98, "{refused} of {pairs}");
}

/// Two codes add up clocks: the judge's and the checker's. Wherever clocks decide a claim, both come to the same.
#[test]
fn clocks_are_added_up_twice() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut dice, mut decided) = (Dice(5), [0; 2]);
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for round in 0..120 {
        let control = ["60", "60+5", "60d5", "60b5", "3/60:30+2", "2/60", "*60"][round % 7];
        let limit = if round % 7 == 0 { "[MoveLimit \"20\"]\n[DelayLimit \"2\"]\n" } else { "" };
        // A game that begins later: what is left is known once a clock is stated.
        let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let later =
            if round % 5 == 0 { format!("[SetUp \"1\"]\n[FEN \"{array} 0 3\"]\n") } else { String::new() };
        let mut text = format!("[TimeControl \"{control}\"]\n{limit}{later}\n");
        // No position occurs three times: a draw that may be claimed leaves a loss on time without a certificate.
        let plies = 1 + dice.roll(6);
        for ply in 0..plies {
            text += &format!("{} ", knights[ply % 4]);
            let clock = format!("[%clk 0:{:02}:{:02}]", dice.roll(2), dice.roll(60));
            let spent = format!("[%emt 0:00:{:02}.{}]", dice.roll(50), dice.roll(10));
            text += &match dice.roll(12) {
                0 => String::new(),
                1..3 => format!("{{{clock}}} "),
                3 => format!("{{{clock} {spent}}} "),
                4 => format!("{{{spent}}} {{[%timeout]}} "),
                _ => format!("{{{spent}}} "),
            };
        }
        text += "*\n";
        for by in ferz::board::Owner::REAL {
            let claim = Claim { by: Some(by), ..Claim::new(ClaimKind::TimeWin) };
            let verdict = judge(&mut replayer, &text, &claim);
            let by_clocks = verdict.ground == Ground::Clock;
            let kind = verdict.certificate.as_ref().map(|certificate| certificate.kind);
            let decided_by_clocks = by_clocks && verdict.verdict != Decision::Undetermined;
            assert_eq!(decided_by_clocks, kind == Some(CertificateKind::Clock), "{text} {verdict:?}");
            if decided_by_clocks {
                decided[usize::from(verdict.verdict == Decision::Upheld)] += 1;
                checked(verdict.certificate.as_ref().unwrap()).unwrap();
            }
        }
    }
    assert!(decided.iter().all(|count| *count > 10), "{decided:?}");
}

/// A game in which every move took whole seconds, and the seconds from its start to the move in progress, with what
/// that may take.
fn timed_game(dice: &mut Dice) -> (String, u64, i64) {
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let (increment, delay) = [(0, 0), (5, 0), (0, 4)][dice.roll(3)];
    let control = if delay > 0 { format!("90d{delay}") } else { format!("90+{increment}") };
    let mut text =
        format!("[UTCDate \"2024.02.28\"]\n[UTCTime \"23:59:00\"]\n[TimeControl \"{control}\"]\n\n");
    let (mut passed, mut left) = (0, [90, 90]);
    let plies = dice.roll(7);
    for ply in 0..plies {
        let spent = dice.roll(20) as i64;
        passed += spent as u64;
        left[ply % 2] += increment - (spent - delay).max(0);
        text += &format!("{} {{[%emt 0:00:{spent:02}]}} ", knights[ply % 4]);
    }
    (text + "*\n", passed, left[plies % 2] + delay)
}

/// Whether a move had taken too long at an instant: by a sum of whole seconds, by the judge, and by the checker.
#[test]
fn instants_are_added_up_twice() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut dice, mut decided) = (Dice(9), [0; 3]);
    let start: Timestamp = "2024-02-28T23:59:00Z".parse().unwrap();
    for _ in 0..300 {
        let (text, passed, left) = timed_game(&mut dice);
        let plies = text.matches("emt").count();
        let by = ferz::board::Owner::REAL[(plies + 1) % 2];
        // Around the end of the time: a second of doubt for each number that was rounded, in both sums.
        let spent = (left + dice.roll(61) as i64 - 30).max(0);
        let at = Some(start.after((passed + spent as u64) * 1000));
        let claim = Claim { by: Some(by), at, ..Claim::new(ClaimKind::TimeWin) };
        let verdict = judge(&mut replayer, &text, &claim);
        let doubt = 1 + plies as i64 + 2 + (plies / 2) as i64;
        let wanted = match spent - left {
            over if over > doubt => Decision::Upheld,
            over if -over >= doubt => Decision::Rejected,
            _ => Decision::Undetermined,
        };
        assert_eq!(verdict.verdict, wanted, "{text} {claim:?} {}", verdict.explanation);
        decided[wanted as usize] += 1;
        let Some(certificate) = &verdict.certificate else {
            assert_eq!(wanted, Decision::Undetermined, "{text} {verdict:?}");
            continue;
        };
        assert_eq!(certificate.kind, CertificateKind::Clock);
        checked(certificate).unwrap();
        // An hour later everything is too late; the same evidence shows no other instant.
        let mut later = certificate.clone();
        later.claim.at = at.map(|at| at.after(3_600_000));
        checked(&later).unwrap_err();
        later.claim.at = None;
        checked(&later).unwrap_err();
    }
    assert!(decided.iter().all(|count| *count > 40), "{decided:?}");
}

/// A deadline ends the replay, and a search that it ends decides nothing.
#[test]
fn a_deadline_ends_the_work() {
    let text = "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/2k5/7R/K7 w - - 0 1\"]\n\n*";
    let record = read(text.as_bytes(), 0).next().unwrap();
    let source = Source::new(text.as_bytes(), 0, 0);
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let claim = Claim { by: Some(ferz::board::Owner::White), ..Claim::new(ClaimKind::CannotWin) };
    let mut within = |budget: Budget| {
        adjudicate(&mut replayer, (&record, &source), &claim, &Terms { budget, ..Terms::of(NODES) })
    };
    assert_eq!(within(Budget::unlimited()).unwrap().verdict, Decision::Rejected);
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert_eq!(within(cancelled), Err(ClaimError::Exhausted(Exhausted { cancelled: true })));
    // Enough for the replay, and not for the line.
    let verdict = within(Budget::of(30)).unwrap();
    assert_eq!((verdict.verdict, verdict.ground), (Decision::Undetermined, Ground::Budget));
}
