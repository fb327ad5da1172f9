//! Definitions that are made of a `variants.ini`: games that are built in as well play alike, and the games of the
//! fixture have as many plies as pyffish counts.

use crate::common::root;
use ferz::notation::Style;
use ferz::play::{Position, Rules};
use ferz::rules::Registry;
use ferz::rules::fairy::{Imported, import};
use std::fs;

/// The rules of a game that an imported definition states.
pub(crate) fn rules(game: &Imported) -> Rules {
    let text = game.definition.as_ref().unwrap_or_else(|unsaid| panic!("{}: {unsaid:?}", game.name));
    let mut registry = Registry::with_files([]).unwrap();
    let name = registry.add(text).unwrap_or_else(|found| panic!("{}: {found:?}\n{text}", game.name));
    Rules::of(&registry, &name, &[]).unwrap()
}

/// The legal plies as text, in their order.
pub(crate) fn plies(position: &Position) -> Vec<String> {
    let mut all: Vec<String> =
        position.plies().iter().map(|ply| position.write(ply, Style::Coord).unwrap()).collect();
    all.sort();
    all
}

#[test]
fn games_that_are_built_in_play_alike() {
    for (parent, own) in [
        ("chess", "chess"),
        ("crazyhouse", "crazyhouse"),
        ("atomic", "atomic"),
        ("capablanca", "capablanca"),
        ("knightmate", "knightmate"),
        ("seirawan", "seirawan"),
        ("makruk", "makruk"),
        ("shatranj", "shatranj"),
        ("shogi", "shogi"),
        ("xiangqi", "xiangqi"),
        ("antichess", "antichess"),
        ("3check", "threecheck"),
        ("kingofthehill", "kingofthehill"),
    ] {
        let imported = import(&format!("[again:{parent}]\n"));
        let (again, own) = (rules(&imported[0]), Rules::named(own).unwrap());
        let mut dice = 7_u64;
        for _ in 0..12 {
            let (mut one, mut other) = (Position::start(&again), Position::start(&own));
            for _ in 0..70 {
                let (legal, wanted) = (plies(&one), plies(&other));
                assert_eq!(legal, wanted, "{parent}: {}", other.fen());
                dice = ferz::text::mix(dice);
                let Some(text) = legal.get(dice as usize % legal.len().max(1)) else { break };
                for position in [&mut one, &mut other] {
                    let ply = position.read(text).unwrap();
                    position.play(&ply);
                }
            }
        }
    }
}

/// Games of Fairy-Stockfish are known by their names there.
#[test]
fn named_games_have_the_plies_that_pyffish_counts() {
    let counts = fs::read_to_string(root().join("fixtures/variants/fairy/named.perft")).unwrap();
    let counts: Vec<(&str, u64)> = counts
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').map(|(name, count)| (name, count.parse().unwrap())).unwrap())
        .collect();
    let listed = Registry::built_in().list_of_fairy();
    assert!(listed.iter().map(|game| game.name.as_str()).eq(counts.iter().map(|(name, _)| *name)));
    for (name, count) in counts {
        let rules = Rules::named(name).unwrap();
        assert_eq!(Position::start(&rules).perft(3), count, "{name}");
    }
    assert!(Rules::named("Gothic Chess").is_ok() && Rules::named("misere+gothic").is_ok());
}

#[test]
fn games_of_the_fixture_have_the_plies_that_pyffish_counts() {
    let folder = root().join("fixtures/variants/fairy");
    let file = fs::read_to_string(folder.join("games.ini")).unwrap();
    let counts = fs::read_to_string(folder.join("games.perft")).unwrap();
    let games = import(&file);
    assert!(games.len() >= 30, "{}", games.len());
    for game in &games {
        let line = counts.lines().find_map(|line| line.strip_prefix(&format!("{} ", game.name)));
        let count: u64 = line.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{}", game.name));
        assert_eq!(Position::start(&rules(game)).perft(3), count, "{}", game.name);
    }
}
