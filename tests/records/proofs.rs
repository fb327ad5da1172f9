//! Single changes of proofs and of what they prove, in several games: nothing false is accepted.
#![allow(clippy::unwrap_used)]

use super::claims::{Dice, cases, checked, holds, judge, mutate, places};
use ferz::certificate::{
    AndOr, Certificate, Effort, Evidence, Fifty, Given, Invariant, Proof, Statement, make,
};
use ferz::notation::Languages;
use ferz::replay::{Options, Replayer};
use ferz::rules::Registry;
use ferz::text::Budget;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Games with hands, a reserve, perpetual check that loses, and Nature, as their tags; and what follows the board.
const GAMES: [(&str, &str); 6] = [
    ("chess", ""),
    ("crazyhouse", "[]"),
    ("iago-b", "[]"),
    ("ichess", ""),
    ("chaos+chess", ""),
    ("seirawan", "[]"),
];

/// Boards with short mates, with White to move.
const MATES: [&str; 4] =
    ["6k1/5ppp/8/8/8/8/8/R3K3", "7k/8/4K3/8/6Q1/8/8/8", "kbK5/pp6/1P6/8/8/8/8/R7", "6rk/6pp/8/4N3/8/8/8/K7"];

/// Boards that are locked or nearly so.
const LOCKED: [&str; 2] = ["k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K", "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8"];

/// Labelled positions that are asked for proofs that a player cannot win.
const LABELLED: usize = 16;

/// Changes; `FERZ_MUTANTS` says how many.
fn mutants() -> usize {
    std::env::var("FERZ_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

/// What became of the changed certificates of one game and kind.
#[derive(Debug, Default)]
struct Tally {
    made: usize,
    /// The judge does not come to what they state.
    untrue: usize,
    refused: usize,
    /// Accepted with the same proof in another order.
    reordered: usize,
    /// Accepted, and the judge agrees.
    proved: usize,
}

/// The proof in a certificate.
fn proof(evidence: &mut Evidence) -> Option<&mut Proof> {
    match evidence {
        Evidence::Proof(proof)
        | Evidence::Clock { proof: Some(proof), .. }
        | Evidence::Ruling { proof: Some(proof), .. } => Some(proof),
        _ => None,
    }
}

/// The certificates whose proofs are changed.
fn certificates(replayer: &mut Replayer<'_>) -> Vec<Certificate> {
    let mut asked: Vec<(String, Value)> = Vec::new();
    for (game, hand) in GAMES {
        let record = |fen: String| format!("[Variant \"{game}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*");
        for board in MATES {
            let record = record(format!("{board}{hand} w - - 0 1"));
            for within in 1..=2 {
                asked.push((record.clone(), json!({"kind": "forced_mate", "by": "white", "within": within})));
            }
            asked.push((record.clone(), json!({"kind": "forced_mate", "by": "black", "within": 1})));
        }
        // Nature and pieces in hand keep the second one open.
        let locked = match game {
            "chess" => &LOCKED[..],
            "crazyhouse" | "iago-b" => &LOCKED[..1],
            _ => &[],
        };
        for board in locked {
            for by in ["white", "black"] {
                asked.push((
                    record(format!("{board}{hand} w - - 0 1")),
                    json!({"kind": "cannot_win", "by": by}),
                ));
            }
        }
    }
    let labelled = crate::common::fixture("unwinnable/chasolver.txt");
    let labelled: Vec<&str> = labelled.lines().filter(|line| !line.starts_with('#')).collect();
    for line in labelled.iter().step_by(labelled.len() / LABELLED) {
        for (letter, by) in [('W', "white"), ('B', "black")] {
            if !line[..2].contains(letter) {
                let record = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n*", &line[3..]);
                asked.push((record, json!({"kind": "cannot_win", "by": by})));
            }
        }
    }
    let asked = asked.into_iter().map(|(record, claim)| (record, serde_json::from_value(claim).unwrap()));
    let known = cases("claims").into_iter().map(|(_, case)| (case.record, case.claim));
    let known =
        known.filter(|(_, claim)| claim.kind.id().starts_with("forced_") || claim.kind.id() == "cannot_win");
    asked
        .chain(known)
        .filter_map(|(record, claim)| judge(replayer, &record, &claim).certificate)
        .map(|certificate| *certificate)
        .filter(|certificate| proof(&mut certificate.evidence.clone()).is_some())
        .collect()
}

/// The proof with its plies and positions in one order.
fn ordered(certificate: &Certificate) -> Certificate {
    let mut ordered = certificate.clone();
    match proof(&mut ordered.evidence) {
        Some(Proof::AndOr(plan)) => plan.nodes.iter_mut().for_each(|node| node.plies.sort()),
        Some(Proof::Closure(closure)) => closure.positions.sort(),
        _ => {}
    }
    ordered
}

/// Changes a plan: a ply less, another target, an end in place of an answer, other moves, a position less.
fn replan(plan: &mut AndOr, dice: &mut Dice) {
    let last = plan.nodes.len();
    let number = dice.roll(last);
    let node = &mut plan.nodes[number];
    let at = dice.roll(node.plies.len());
    match dice.roll(7) {
        0 if !node.plies.is_empty() => drop(node.plies.remove(at)),
        1 if !node.plies.is_empty() => node.plies[at].1 = Some(dice.roll(last) as u32),
        2 if !node.plies.is_empty() => node.plies[at].1 = None,
        3 => node.moves = node.moves.saturating_sub(1),
        4 => node.moves += 1,
        5 => plan.by = plan.by.opponent(),
        _ => drop(plan.nodes.remove(number)),
    }
}

/// Adds a square to the squares of a piece, or removes it; or changes whether it may be captured.
fn resize(invariant: &mut Invariant, dice: &mut Dice) {
    if dice.roll(8) == 0 && invariant.cases.len() > 1 {
        invariant.cases.pop();
        return;
    }
    let case = dice.roll(invariant.cases.len());
    let men = &mut invariant.cases[case].men;
    let at = dice.roll(men.len());
    let Some(man) = men.get_mut(at) else { return };
    let kind = dice.roll(man.stands.len() + 1);
    let Some(stands) = man.stands.get_mut(kind) else {
        man.captured = !man.captured;
        return;
    };
    let square = format!("{}{}", char::from(b'a' + dice.roll(8) as u8), 1 + dice.roll(8));
    let mut squares: Vec<&str> = stands.squares.split(' ').collect();
    match squares.iter().position(|other| *other == square) {
        Some(at) => drop(squares.remove(at)),
        None => squares.push(&square),
    }
    // Ranks from the first, files from the left.
    squares.sort_by_key(|square| (square.get(1..).map(str::to_owned), square.get(..1).map(str::to_owned)));
    stands.squares = squares.join(" ");
}

/// Changes the proof; `None` if the result is no certificate any more.
fn changed_proof(valid: &Certificate, dice: &mut Dice) -> Option<Certificate> {
    let mut mutant = valid.clone();
    let own = dice.roll(2) == 0;
    match proof(&mut mutant.evidence) {
        Some(Proof::AndOr(plan)) if own => replan(plan, dice),
        Some(Proof::Invariant(invariant)) if own => resize(invariant, dice),
        Some(Proof::Closure(closure)) if own => {
            let at = dice.roll(closure.positions.len() + closure.blocked.len());
            match at.checked_sub(closure.positions.len()) {
                Some(at) => drop(closure.blocked.remove(at)),
                None => drop(closure.positions.remove(at)),
            }
        }
        _ => {
            let mut value = serde_json::to_value(&mutant.evidence).unwrap();
            let mut pointers = Vec::new();
            places(&value, "", &mut pointers);
            mutate(value.pointer_mut(&pointers[dice.roll(pointers.len())]).unwrap(), dice);
            mutant.evidence = serde_json::from_value(value).ok()?;
        }
    }
    Some(mutant)
}

/// Changes the board, the claim or the counters, and states what would follow if the old proof held.
fn changed_statement(valid: &Certificate, dice: &mut Dice) -> Option<Certificate> {
    let mut mutant = valid.clone();
    match dice.roll(5) {
        0 => mutant.claim.within = Some(mutant.claim.within?.saturating_sub(1).max(1)),
        1 => mutant.claim.within = Some(mutant.claim.within? + 1),
        2 => mutant.claim.by = mutant.claim.by.map(|by| by.opponent()),
        3 => mutant.fifty = Fifty::Suspended,
        _ => {
            let start = mutant.record.find("[FEN \"")? + 6;
            let end = start + mutant.record[start..].find('"')?;
            let mut fen: Vec<char> = mutant.record[start..end].chars().collect();
            let board = fen.iter().position(|c| matches!(c, ' ' | '['))?;
            match dice.roll(3) {
                0 => fen.swap(dice.roll(board), dice.roll(board)),
                1 => fen[dice.roll(board)] = *['p', 'P', 'n', 'R', 'q', 'B', '1'].get(dice.roll(7))?,
                _ => {
                    let turn = fen.iter().position(|c| *c == ' ')? + 1;
                    fen[turn] = if fen[turn] == 'w' { 'b' } else { 'w' };
                }
            }
            let fen: String = fen.into_iter().collect();
            mutant.record.replace_range(start..end, &fen);
        }
    }
    let given = proof(&mut mutant.evidence)?.clone();
    let unlimited = Budget::unlimited();
    let statement = Statement {
        record: &mutant.record,
        variant: &mutant.rules.name,
        language: mutant.language.as_deref(),
        claim: &mutant.claim,
        fifty: mutant.fifty,
        given: Given::Proof(&given),
        effort: Effort::of(&unlimited),
    };
    // A certificate that cannot be made states nothing, and is refused below by its digest or its evidence.
    Some(make(Registry::built_in(), Languages::built_in(), &statement).unwrap_or(mutant))
}

#[test]
fn single_changes_of_proofs_are_refused() {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let valid = certificates(&mut replayer);
    let mut tallies: BTreeMap<(String, &str), Tally> = BTreeMap::new();
    let (mut dice, mut findings, mut truth) = (Dice(22), Vec::new(), BTreeMap::new());
    for turn in 0..mutants() {
        let valid = &valid[turn % valid.len()];
        let kind = proof(&mut valid.evidence.clone()).map_or("", |proof| match proof {
            Proof::AndOr(_) => "and_or",
            Proof::Closure(_) => "closure",
            Proof::Invariant(_) => "invariant",
            Proof::Each(_) => "each",
            Proof::Table(_) => "table",
        });
        let tally = tallies.entry((valid.rules.name.to_string(), kind)).or_default();
        let restated = dice.roll(3) == 0;
        let mutant =
            if restated { changed_statement(valid, &mut dice) } else { changed_proof(valid, &mut dice) };
        if mutant.as_ref() == Some(valid) {
            continue;
        }
        tally.made += 1;
        let Some(mutant) = mutant else {
            tally.refused += 1;
            continue;
        };
        let accepted = checked(&mutant).is_ok();
        // The judge is slow and asked once for each statement; a board that was changed only for what is accepted.
        let same_record = mutant.record == valid.record;
        let key = format!(
            "{}{:?}{:?}{:?}{:?}",
            mutant.record, mutant.claim, mutant.fifty, mutant.verdict, mutant.result
        );
        let is_true = !(accepted || restated && same_record)
            || *truth
                .entry(key)
                .or_insert_with(|| mutant.claim.by.is_some() && holds(&mut replayer, &mutant));
        tally.untrue += usize::from(!is_true);
        match accepted {
            false => tally.refused += 1,
            true if !is_true => findings.push(format!("accepted: {mutant:?}")),
            true if ordered(&mutant) == ordered(valid) => tally.reordered += 1,
            true => tally.proved += 1,
        }
    }
    let sum = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    let (made, refused) = (sum(|tally| tally.made), sum(|tally| tally.refused));
    let left = sum(|tally| tally.reordered + tally.proved);
    for (of, tally) in &tallies {
        println!("{of:?}: {tally:?}");
    }
    println!(
        "{made} changes, {refused} refused, {left} still true and proved, {} untrue",
        sum(|tally| tally.untrue)
    );
    for (game, kind) in [
        ("chess", "and_or"),
        ("crazyhouse", "and_or"),
        ("iago-b", "and_or"),
        ("ichess", "and_or"),
        ("chaos+chess", "and_or"),
        ("chess", "closure"),
        ("chess", "invariant"),
    ] {
        assert!(tallies.contains_key(&(game.to_owned(), kind)), "{game} {kind}: {:?}", tallies.keys());
    }
    // What is accepted is true, so that a change that matters is always refused.
    assert!(left * 3 < made, "{left} of {made} are accepted");
    crate::common::report("changed proofs", made, &findings);
}
