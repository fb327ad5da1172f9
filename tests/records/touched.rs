//! Readings of rulings that a game has not touched decide nothing in it. Builds with debug assertions make the plies
//! again by every reading that the program leaves out, and compare.
//!
//! `FERZ_RECORDS=2000 cargo test --test records touched` tries more games.

use crate::common::rules_of;
use crate::random_records::Dice;
use ferz::board::{Mask, Owner};
use ferz::notation::coord;
use ferz::position::Position;
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::{AnyRules, Registry};
use serde_json::json;

/// A random game, in which Nature acts often, as a record in coordinates.
fn game<M: Mask>(start: Position<M>, tags: &str, dice: &mut Dice) -> String {
    let (mut position, mut turn) = (start, 0);
    let mut words = vec![tags.to_owned()];
    for _ in 0..30 + dice.below(120) {
        let all = position.plies();
        let natures: Vec<_> = all.iter().filter(|ply| ply.actor == Owner::Nature).collect();
        let real: Vec<_> = all.iter().filter(|ply| ply.actor != Owner::Nature).collect();
        if position.finish().is_some() || real.is_empty() {
            break;
        }
        let acts = !natures.is_empty() && dice.below(3) > 0;
        let ply = if acts { natures[dice.below(natures.len())] } else { real[dice.below(real.len())] };
        turn += usize::from(acts);
        let mut text = String::new();
        coord::write(position.rules(), ply, &mut text);
        words.push(if acts { format!("∞{turn}..... {text}") } else { text });
        position.apply(ply);
    }
    words.join(" ") + " *\n"
}

#[test]
fn readings_that_are_left_out_decide_nothing() {
    let games = std::env::var("FERZ_RECORDS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut judged, mut decided) = (0, 0);
    for (index, variant) in
        ["chaos+chess", "chaos+ichess", "chaos+iago-b", "chaos+makruk", "chaos+crazyhouse"]
            .into_iter()
            .enumerate()
    {
        for (round, rules) in ["basic", "advanced", "late=noted, delay=4"].into_iter().enumerate() {
            let tags = format!("[Variant \"{variant}\"]\n[NatureRules \"{rules}\"]\n\n");
            let any = rules_of(&json!({ "variant": variant, "tags": { "NatureRules": rules } }));
            let Ok(AnyRules::Narrow(rules)) = any else { panic!("{variant}") };
            for seed in 0..games {
                let mut dice = Dice(seed ^ (index as u64) << 40 ^ (round as u64) << 50);
                let text = game(Position::start(rules.clone()), &tags, &mut dice);
                let record = read(text.as_bytes(), 0).next().expect("a record");
                let report = replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0);
                assert!(report.legal, "{text}\n{:?}", report.illegal);
                judged += 1;
                decided += usize::from(report.decided_by.iter().any(|decision| decision.other.is_some()));
            }
        }
    }
    assert!(decided > 0 && decided < judged, "{decided} of {judged}");
}
