//! Certificates with one wrong step.

use serde_json::Value;

/// Copies of a certificate, each with a change that makes its evidence wrong.
pub fn of(certificate: &Value, seed: usize, count: usize) -> Vec<Value> {
    let mut dice = seed as u64 ^ 0x5eed_0000_1234_5678;
    let mut roll = |below: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % below.max(1)
    };
    let kind = certificate["kind"].as_str().unwrap_or_default().to_owned();
    let mut all = Vec::new();
    for _ in 0..count {
        let mut wrong = certificate.clone();
        let evidence = &mut wrong["evidence"][&kind];
        let changed = match kind.as_str() {
            "occurrences" => change_list(&mut evidence["plies"], &mut roll),
            "counter" => change_number(&mut evidence["count"]),
            "line" | "ruling" => cut_line(&mut evidence["line"], &mut roll),
            "closure" => drop_one(&mut evidence["positions"], &mut roll),
            "and_or" => change_plan(evidence, &mut roll),
            _ => false,
        };
        if changed {
            all.push(wrong);
        }
    }
    all
}

/// One more or one less occurrence.
fn change_list(list: &mut Value, roll: &mut impl FnMut(usize) -> usize) -> bool {
    let Some(list) = list.as_array_mut().filter(|list| list.len() > 1) else { return false };
    let at = roll(list.len() - 1);
    match roll(2) {
        0 => drop(list.remove(at)),
        _ => list[at] = (list[at].as_u64().unwrap_or(0) + 1).into(),
    }
    true
}

fn change_number(number: &mut Value) -> bool {
    *number = (number.as_u64().unwrap_or(0) + 1).into();
    true
}

/// A line without its end.
fn cut_line(line: &mut Value, roll: &mut impl FnMut(usize) -> usize) -> bool {
    let Some(line) = line.as_array_mut().filter(|line| !line.is_empty()) else { return false };
    line.truncate(roll(line.len()));
    !line.is_empty()
}

/// A closed set without one of its positions, which some ply or the claim leads to.
fn drop_one(positions: &mut Value, roll: &mut impl FnMut(usize) -> usize) -> bool {
    let Some(positions) = positions.as_array_mut().filter(|positions| positions.len() > 1) else {
        return false;
    };
    let at = roll(positions.len());
    positions.remove(at);
    true
}

/// A plan with an answer less, an illegal ply, or too few moves.
fn change_plan(plan: &mut Value, roll: &mut impl FnMut(usize) -> usize) -> bool {
    let Some(nodes) = plan["nodes"].as_array_mut() else { return false };
    let at = roll(nodes.len());
    let Some(plies) = nodes[at]["plies"].as_array_mut().filter(|plies| !plies.is_empty()) else {
        return false;
    };
    let ply = roll(plies.len());
    match roll(3) {
        0 => drop(plies.remove(ply)),
        1 => plies[ply][0] = "a1a1".into(),
        _ => {
            let Some(next) = plies[ply][1].as_u64() else { return false };
            plies[ply][1] = (next + 1).into();
        }
    }
    true
}
