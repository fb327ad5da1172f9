//! One record, one verdict: no record has two accepted certificates with different results, for claims at its last ply,
//! unless a premise was stated. Records of every game have tags, clocks, terminations and results put together at
//! random, so that most of them contradict themselves.
//!
//! `FERZ_RECORDS=100000 cargo test --test records one_verdict` tries more of them.
#![allow(clippy::unwrap_used)]

use super::claims::checked;
use crate::common::{BUILT_IN, coord_of, with_rules};
use crate::random_records::Dice;
use ferz::adjudicate::{Claim, ClaimKind, Decision, Terms, adjudicate};
use ferz::board::{Mask, Owner};
use ferz::position::Position;
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use std::collections::BTreeMap;

const RESULTS: [&str; 6] = ["*", "1-0", "0-1", "1/2-1/2", "0-0", "?"];
const TERMINATIONS: [&str; 16] = [
    "",
    "",
    "normal",
    "time forfeit",
    "abandoned",
    "adjudication",
    "unterminated",
    "rules infraction",
    "White resigns",
    "Black forfeits on time",
    "Ann won on time",
    "Ben won by resignation",
    "Game drawn by agreement",
    "White defaulted",
    "drawn by repetition",
    "the roof fell in",
];

/// A game that often returns to earlier positions, with clocks that may contradict everything.
fn moves<M: Mask>(mut position: Position<M>, dice: &mut Dice) -> String {
    let mut text = String::new();
    let few = [2, 3, 40][dice.below(3)];
    for _ in 0..dice.below(16) {
        let plies = position.plies();
        if plies.is_empty() || position.finish().is_some() {
            break;
        }
        let ply = plies[dice.below(plies.len().min(few))];
        text += &coord_of(&position, &ply);
        text += &match dice.below(5) {
            0 => format!(" {{[%emt 0:{:02}:{:02}]}}", dice.below(3), dice.below(60)),
            1 => format!(" {{[%clk 0:{:02}:{:02}]}}", dice.below(3), dice.below(60)),
            _ => String::new(),
        };
        text.push(' ');
        position.apply(&ply);
    }
    text
}

fn record(game: &str, dice: &mut Dice) -> String {
    let tags = |name: &str| (name == "NatureRules").then(|| "basic".to_owned());
    // A game whose armies only tags name is played as chess.
    let registry = Registry::built_in();
    let (game, rules) = match registry.rules(game, &tags) {
        Ok(rules) => (game, rules),
        Err(_) => ("chess", registry.rules("chess", &tags).unwrap()),
    };
    let mut text = format!("[White \"Ann\"]\n[Black \"Ben\"]\n[Variant \"{game}\"]\n");
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("[{name} \"{value}\"]\n");
        }
    };
    tag("Result", dice.pick(&RESULTS));
    tag("Termination", dice.pick(&TERMINATIONS));
    tag("TimeControl", dice.pick(&["", "60", "40/60:30+2", "60+5", "-"]));
    tag("Date", dice.pick(&["", "1990.05.01", "2024.01.01"]));
    if dice.below(6) == 0 {
        tag("MoveLimit", "20");
        tag("DelayLimit", "2");
    }
    let movetext = with_rules!(rules, rules => moves(Position::start(rules), dice));
    text + "\n" + &movetext + dice.pick(&["*", "1-0", "0-1", "1/2-1/2"]) + "\n"
}

/// Every claim about the last position of a record without a premise.
fn claims() -> Vec<Claim> {
    let mut found = Vec::new();
    for kind in ClaimKind::ALL.iter().copied().filter(|kind| *kind != ClaimKind::IllegalPly) {
        for by in [None, Some(Owner::White), Some(Owner::Black)] {
            let within = (kind == ClaimKind::ForcedMate).then_some(2);
            found.push(Claim { by, within, ..Claim::new(kind) });
        }
    }
    found
}

#[test]
fn no_record_has_two_results() {
    let wanted = std::env::var("FERZ_RECORDS").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let games: Vec<&str> = BUILT_IN.into_iter().chain(["chaos+chess", "misere+chess"]).collect();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut decided, mut findings) = (0, Vec::new());
    for number in 0..wanted {
        let mut dice = Dice(number as u64 ^ 0x00e1_d1c7);
        // Half of the records are of the games in which claims are frequent.
        let game =
            if dice.below(2) == 0 { dice.pick(&["chess", "xiangqi", "shogi"]) } else { dice.pick(&games) };
        let text = record(game, &mut dice);
        let record = read(text.as_bytes(), 0).next().unwrap();
        let source = Source::new(text.as_bytes(), 0, 0);
        let last = replayer.report(&record, &source, 0);
        let intended = last
            .claimable_at(last.plies)
            .filter_map(|open| open.intended.clone())
            .map(|ply| Claim { intended: Some(ply), ..Claim::new(ClaimKind::ThreefoldRepetition) });
        let mut results: BTreeMap<&str, Claim> = BTreeMap::new();
        for claim in claims().into_iter().chain(intended) {
            let Ok(verdict) = adjudicate(&mut replayer, (&record, &source), &claim, &Terms::of(300)) else {
                continue;
            };
            let at_last = verdict.claim.ply == Some(last.plies);
            assert!(verdict.verdict != Decision::Undetermined || verdict.certificate.is_none());
            let Some(certificate) = verdict.certificate.filter(|_| at_last) else { continue };
            checked(&certificate).unwrap_or_else(|refusal| panic!("{refusal}: {text}\n{claim:?}"));
            if let Some(result) = certificate.result {
                decided += 1;
                results.insert(result.as_str(), claim);
            }
        }
        if results.len() > 1 {
            findings.push(format!("{text}{results:?}"));
        }
    }
    assert!(findings.is_empty(), "{} of {wanted}:\n{}", findings.len(), findings.join("\n"));
    assert!(decided > wanted / 3, "{decided}");
}
