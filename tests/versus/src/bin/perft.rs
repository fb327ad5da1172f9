//! Node counts: the fixtures to any depth, and against shakmaty where it knows the game.
//!
//!     cargo run --release --bin perft -- check MAX_NODES FILE…      every line of up to so many nodes
//!     cargo run --release --bin perft -- values VARIANT DEPTH FEN   lines for a fixture
//!     cargo run --release --bin perft -- time VARIANT DEPTH [WHITE BLACK]   from the array, and from there seconds of CPU

use ferz::board::Mask;
use ferz::position::Position;
use ferz::rules::{AnyRules, Rules};
use ferz_versus::{Tally, perft, rules, seconds};
use shakmaty::fen::Fen;
use shakmaty::variant::Crazyhouse;
use shakmaty::{CastlingMode, Chess, FromSetup};
use std::sync::Arc;

fn count<M: Mask>(rules: Arc<Rules<M>>, fen: &str, depth: u32) -> u64 {
    let position = Position::from_fen(rules, fen);
    perft(&mut position.unwrap_or_else(|error| panic!("{fen}: {error}")), depth)
}

fn ours(rules: &AnyRules, fen: &str, depth: u32) -> u64 {
    match rules {
        AnyRules::Narrow(rules) => count(rules.clone(), fen, depth),
        AnyRules::Wide(rules) => count(rules.clone(), fen, depth),
    }
}

/// What shakmaty counts, in a game that it knows.
fn theirs(variant: &str, fen: &str, depth: u32) -> Option<u64> {
    fn count<P: shakmaty::Position + FromSetup + Clone>(
        fen: &str,
        mode: CastlingMode,
        depth: u32,
    ) -> Option<u64> {
        let fen = fen.parse::<Fen>().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let position: P = fen.into_position(mode).unwrap_or_else(|error| panic!("{error}"));
        Some(shakmaty::perft(&position, depth))
    }
    match variant {
        "chess" => count::<Chess>(fen, CastlingMode::Standard, depth),
        "chess960" => count::<Chess>(fen, CastlingMode::Chess960, depth),
        "crazyhouse" => count::<Crazyhouse>(fen, CastlingMode::Standard, depth),
        _ => None,
    }
}

fn check_file(path: &str, max_nodes: u64) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut tally = Tally::new(&format!("perft {name}"));
    let (mut id, mut variant, mut fen) = ("", "chess", "");
    let (mut nodes, mut confirmed) = (0u64, 0u64);
    let before = std::time::Instant::now();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("id", rest)) => (id, variant) = (rest, "chess"),
            Some(("variant", rest)) => variant = rest,
            Some(("fen", rest)) => fen = rest,
            Some(("perft", rest)) => {
                let numbers: Vec<u64> = rest.split(' ').filter_map(|number| number.parse().ok()).collect();
                let &[depth, wanted] = numbers.as_slice() else { panic!("{path}: `{line}`") };
                if wanted > max_nodes {
                    continue;
                }
                tally.positions += 1;
                nodes += wanted;
                let found = ours(&rules(variant, None), fen, depth as u32);
                if found != wanted {
                    tally.differ(&format!("{id}: perft {depth} is {found}, wanted {wanted}"));
                }
                if let Some(oracle) = theirs(variant, fen, depth as u32) {
                    confirmed += 1;
                    if oracle != wanted {
                        tally.differ(&format!(
                            "{id}: shakmaty counts {oracle} at depth {depth}, the file says {wanted}"
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    tally.print();
    let seconds = before.elapsed().as_secs_f64();
    eprintln!("  {nodes} nodes, {confirmed} counts by shakmaty too, {seconds:.1} s");
    tally.same()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["check", max_nodes, files @ ..] => {
            let max_nodes = max_nodes.parse().unwrap_or(u64::MAX);
            let wrong = files.iter().filter(|file| !check_file(file, max_nodes)).count();
            std::process::exit(i32::from(wrong > 0));
        }
        ["values", variant, depth, fen] => {
            for depth in 1..=depth.parse().unwrap_or(4) {
                let found = ours(&rules(variant, None), fen, depth);
                match theirs(variant, fen, depth) {
                    Some(oracle) if oracle != found => {
                        println!("perft {depth} {oracle}   # ferz counts {found}")
                    }
                    _ => println!("perft {depth} {found}"),
                }
            }
        }
        ["time", variant, depth, armies @ ..] => {
            fn start<M: Mask>(rules: Arc<Rules<M>>, depth: u32) -> u64 {
                ferz::replay::perft::count(&Position::start(rules), depth)
            }
            let armies = if let [white, black] = armies { Some((*white, *black)) } else { None };
            let depth = depth.parse().unwrap_or(4);
            let before = seconds();
            let nodes = match rules(variant, armies) {
                AnyRules::Narrow(rules) => start(rules, depth),
                AnyRules::Wide(rules) => start(rules, depth),
            };
            println!("{nodes} {:.6}", seconds() - before);
        }
        _ => {
            eprintln!(
                "perft check MAX_NODES FILE… | perft values VARIANT DEPTH FEN | perft time VARIANT DEPTH [WHITE BLACK]"
            );
            std::process::exit(2);
        }
    }
}
