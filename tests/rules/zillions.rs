//! Definitions that are made of a rules file of Zillions of Games play as the games that they say.

use crate::common::root;
use crate::fairy::{plies, rules};
use ferz::play::{Position, Rules};
use ferz::rules::fairy::import as import_fairy;
use ferz::rules::zillions::import;
use std::fs;

/// Random games have the same plies by the rules of both.
fn play_alike(again: &Rules, own: &Rules) {
    let mut dice = 11_u64;
    for _ in 0..20 {
        let (mut one, mut other) = (Position::start(again), Position::start(own));
        for _ in 0..90 {
            let (legal, wanted) = (plies(&one), plies(&other));
            assert_eq!(legal, wanted, "{}", other.fen());
            dice = ferz::text::mix(dice);
            let Some(text) = legal.get(dice as usize % legal.len().max(1)) else { break };
            for position in [&mut one, &mut other] {
                let ply = position.read(text).unwrap();
                position.play(&ply);
            }
        }
    }
}

#[test]
fn games_of_a_rules_file_are_played() {
    let file = fs::read_to_string(root().join("fixtures/variants/zillions/games.zrf")).unwrap();
    let imported = import(&file);
    let names: Vec<&str> = imported.iter().map(|game| game.name.as_str()).collect();
    assert_eq!(names, ["orthodox", "night-riders", "horses-at-hand"]);
    play_alike(&rules(&imported[0]), &Rules::named("chess").unwrap());
    play_alike(&rules(&imported[1]), &Rules::named("nightrider").unwrap());
    let horses = "[horses:pocketknight]\nknight = -\nhorse = n\ncastling = false\npromotionPieceTypes = qrbn\n\
        startFen = 1n2k1n1/pppppppp/8/8/8/8/PPPPPPPP/1N2K1N1[NNnn] w - - 0 1\n";
    play_alike(&rules(&imported[2]), &rules(&import_fairy(horses)[0]));
    let stalemates = ["draw", "loss"].map(|value| format!("stalemate = \"{value}\""));
    let texts: Vec<&str> =
        imported.iter().map(|game| game.definition.as_deref().unwrap_or_default()).collect();
    assert!(!texts[0].contains(&stalemates[1]) && texts[1].contains(&stalemates[1]));
    assert!(texts[2].contains("betza = \"nN\""), "{}", texts[2]);
}
