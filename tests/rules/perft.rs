//! Node counts of well-known positions (`fixtures/perft`). Counts too large for a test run without
//! optimisation are left to the differential runs of `tests/versus`.

use ferz::board::Mask;
use ferz::position::Position;
use ferz::rules::{AnyRules, Registry, Rules};
use std::sync::Arc;

/// Lines with more nodes are not run here.
const NODES_MAX: u64 = 16_000_000;

/// The number of lines of `depth` legal plies, each made and taken back.
fn perft<M: Mask>(position: &mut Position<M>, depth: u32) -> u64 {
    let mut plies = 0;
    if depth == 1 {
        position.any_ply(|_| {
            plies += 1;
            false
        });
        assert_eq!(position.count_plies(), plies, "{}", position.fen());
        return plies;
    }
    for ply in position.plies() {
        let undo = position.apply_undoable(&ply);
        plies += perft(position, depth - 1);
        position.undo(&undo);
    }
    plies
}

/// Counts, and demands that taking back has left no trace.
fn count<M: Mask>(rules: Arc<Rules<M>>, fen: &str, depth: u32) -> u64 {
    let mut position = Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let before = (position.fen(), position.key());
    let plies = perft(&mut position, depth);
    assert_eq!((position.fen(), position.key()), before, "after taking all back");
    plies
}

fn run(file: &str) {
    let text = std::fs::read_to_string(format!("fixtures/perft/{file}")).expect("the fixture");
    let (mut id, mut variant, mut fen) = ("", "chess", "");
    let mut counts = 0;
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("id", rest)) => (id, variant) = (rest, "chess"),
            Some(("variant", rest)) => variant = rest,
            Some(("fen", rest)) => fen = rest,
            Some(("perft", rest)) => {
                let (depth, nodes) = rest.split_once(' ').expect("depth and nodes");
                let (depth, nodes): (u32, u64) =
                    (depth.parse().expect("a depth"), nodes.parse().expect("nodes"));
                if nodes > NODES_MAX {
                    continue;
                }
                let found = match Registry::built_in().rules(variant, &|_| None).expect("a built-in game") {
                    AnyRules::Narrow(rules) => count(rules, fen, depth),
                    AnyRules::Wide(rules) => count(rules, fen, depth),
                };
                assert_eq!(found, nodes, "{file}, {id}, depth {depth}");
                counts += 1;
            }
            Some(("#", _)) | None => {}
            Some((other, _)) => panic!("{file}: `{other}` opens no line of a node count"),
        }
    }
    assert!(counts > 0, "{file} holds no counts");
}

/// The files, one for each test below.
const FILES: [&str; 3] = ["standard.perft", "chess960.perft", "witnesses.perft"];

#[test]
fn chess() {
    run(FILES[0]);
}

#[test]
fn chess960() {
    run(FILES[1]);
}

#[test]
fn second_witnesses() {
    run(FILES[2]);
}

#[test]
fn every_file_is_counted() {
    for entry in std::fs::read_dir("fixtures/perft").expect("the folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(
            FILES.contains(&&*name) || !name.ends_with(".perft"),
            "no test counts fixtures/perft/{name}; move its counts to witnesses.perft, or add it to FILES with a test"
        );
    }
}
