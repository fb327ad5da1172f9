//! Changed plans against every defence: none that proves something false is accepted.
#![allow(clippy::unwrap_used)]

use super::claims::{Dice, cases, checked, holds, judge, mutate, places};
use ferz::certificate::{Certificate, CertificateKind, Decision, Evidence, Fifty, Proof};
use ferz::position::Outcome;
use ferz::replay::{Options, Replayer};
use ferz::rules::Registry;

/// Changes; 10,000 of them take a few minutes.
fn mutants() -> usize {
    std::env::var("FERZ_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

/// Changes what the certificate states: the claim, the verdict, the record or the counters, so that they fit together.
fn restate(certificate: &mut Certificate, dice: &mut Dice) {
    match dice.roll(6) {
        0 => {
            certificate.claim.within = certificate.claim.within.map(|within| match dice.roll(2) {
                0 => within.saturating_sub(1).max(1),
                _ => within + 1,
            });
        }
        1 => certificate.claim.by = certificate.claim.by.map(|by| by.opponent()),
        2 => {
            let upheld = certificate.verdict == Decision::Rejected;
            certificate.verdict = if upheld { Decision::Upheld } else { Decision::Rejected };
            certificate.result = certificate.claim.by.filter(|_| upheld).map(Outcome::won_by);
        }
        3 => certificate.fifty = Fifty::Suspended,
        4 => {
            certificate.verdict = Decision::Upheld;
            certificate.result = certificate.claim.by.map(Outcome::won_by);
            plan(certificate).by = certificate.claim.by.unwrap();
        }
        _ => {
            certificate.claim.ply = certificate.claim.ply.map(|ply| ply.saturating_sub(1));
            certificate.plies.pop();
        }
    }
}

fn plan(certificate: &mut Certificate) -> &mut ferz::certificate::AndOr {
    match &mut certificate.evidence {
        Evidence::Proof(Proof::AndOr(plan)) => plan,
        other => panic!("{other:?}"),
    }
}

/// Changes the plan: a ply less, another target, another count, a branch that ends or goes on.
fn replan(certificate: &mut Certificate, dice: &mut Dice) {
    let plan = plan(certificate);
    let last = plan.nodes.len();
    let number = dice.roll(last);
    let node = &mut plan.nodes[number];
    let at = dice.roll(node.plies.len());
    match dice.roll(6) {
        0 if !node.plies.is_empty() => drop(node.plies.remove(at)),
        1 if !node.plies.is_empty() => node.plies[at].1 = Some(dice.roll(last) as u32),
        2 if !node.plies.is_empty() => node.plies[at].1 = None,
        3 => node.moves = node.moves.saturating_sub(1),
        4 => node.moves += 1,
        5 if number > 0 => drop(plan.nodes.remove(number)),
        _ => node.plies.clear(),
    }
}

#[test]
fn changed_plans_are_refused() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let forced = cases("claims").into_iter().filter(|(_, case)| case.claim.kind.id().starts_with("forced_"));
    let plans: Vec<Certificate> = forced
        .filter_map(|(_, case)| judge(&mut replayer, &case.record, &case.claim).certificate)
        .map(|certificate| *certificate)
        .filter(|certificate| certificate.kind == CertificateKind::AndOr)
        .collect();
    assert!(plans.len() > 7, "{}", plans.len());
    let (mut dice, mut made, mut accepted, mut findings) = (Dice(11), 0, 0, Vec::new());
    while made < mutants() {
        let valid = &plans[made % plans.len()];
        let mut mutant = valid.clone();
        match dice.roll(3) {
            0 => restate(&mut mutant, &mut dice),
            1 => replan(&mut mutant, &mut dice),
            _ => {
                let mut value = serde_json::to_value(&mutant).unwrap();
                let mut pointers = Vec::new();
                places(&value, "", &mut pointers);
                mutate(value.pointer_mut(&pointers[dice.roll(pointers.len())]).unwrap(), &mut dice);
                match serde_json::from_value(value) {
                    Ok(read) => mutant = read,
                    Err(_) => {
                        made += 1;
                        continue;
                    }
                }
            }
        }
        made += 1;
        if mutant != *valid && checked(&mutant).is_ok() {
            accepted += 1;
            if !holds(&mut replayer, &mutant) {
                findings.push(format!("accepted: {mutant:?}"));
            }
        }
    }
    assert!(accepted * 4 < made, "{accepted} of {made} are accepted");
    crate::common::report("changed plans", made, &findings);
}
