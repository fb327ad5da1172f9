//! Random games as JSON lines, for engines that are not Rust libraries.
//!
//!     cargo run --release --bin dump -- VARIANT [games] [plies] [seed]
//!
//! One line a game: `variant`, `armies` (null, or White's and Black's in Betza notation), `start` (FEN), `moves`
//! (coordinate notation), and `plies`, an entry for each position from the start on: `fen`, `legal`, `check`,
//! `finish` (null, `checkmate`, `stalemate`).

use ferz::board::Mask;
use ferz::position::Position;
use ferz::rules::armies::{catalogue, repeats};
use ferz::rules::{AnyRules, Rules};
use ferz_versus::{Rng, choose, finish_name, legal, rules};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// How many pairs of armies a run of Augmented Chess goes through.
const ARMY_PAIRS: usize = 20;

/// Starts beside the array, nearer to castling and promotion.
fn starts(variant: &str) -> &'static [&'static str] {
    match variant {
        "seirawan" => &[
            "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R[HEhe] w KQkq - 0 5",
            "rn2k2r/P5PP/8/8/8/8/p5pp/RN2K2R[HEhe] w KQBkqb - 0 1",
            "4k3/8/8/K2pP2r/8/8/8/8[E] w - d6 0 1",
            "4k3/4r3/8/3pP3/8/8/8/R3K2R[HEhe] w KQ d6 0 1",
        ],
        "capablanca" => &[
            "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1",
            "r4k3r/P1P5PP/10/10/10/10/p1p5pp/R4K3R w KQkq - 0 1",
        ],
        "crazyhouse" => &[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
            "8/PPP3PP/4k3/8/8/4K3/ppp3pp/8[Qq] w - - 0 1",
            "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1",
        ],
        "augmented" => &[
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
            "rn2k2r/P5PP/8/8/8/8/p5pp/RN2K2R w KQkq - 0 1",
            "r3k2r/1b1nqpb1/P7/3P4/1pP1P3/p2N1Q2/1B3PPP/R3K2R b KQkq c3 0 1",
        ],
        _ => &[],
    }
}

/// The record of one game; nothing where the start is refused (other armies may give check in it).
fn game<M: Mask>(
    rules: &Arc<Rules<M>>,
    start: Option<&str>,
    plies_max: usize,
    rng: &mut Rng,
) -> Option<Value> {
    let mut position = match start {
        Some(fen) => Position::from_fen(rules.clone(), fen).ok()?,
        None => Position::start(rules.clone()),
    };
    let first = position.fen();
    let (mut moves, mut plies) = (Vec::new(), Vec::new());
    loop {
        let legal = legal(&position);
        let texts: Vec<&String> = legal.iter().map(|(text, _)| text).collect();
        plies.push(json!({
            "fen": position.fen(),
            "legal": texts,
            "check": position.in_check(),
            "finish": finish_name(position.finish()),
        }));
        let chosen = choose(rng, &position, &legal).filter(|_| moves.len() < plies_max);
        let Some((text, ply)) = chosen else { break };
        position.apply(ply);
        moves.push(text.clone());
    }
    Some(json!({ "start": first, "moves": moves, "plies": plies }))
}

/// A pair of armies; every fifth time both players choose alike.
fn army_pair(pair: usize, rng: &mut Rng) -> Option<(String, String)> {
    let any = "RF ND BfbN QffNsbN";
    let definition = rules("augmented", Some((any, any))).definition().clone();
    let catalogue = catalogue(&definition.armies).ok()?;
    let all: Vec<String> =
        catalogue.armies(repeats(&definition.armies)).map(|army| catalogue.text(&army)).collect();
    let white = rng.pick(&all)?.clone();
    let black = if pair.is_multiple_of(5) { white.clone() } else { rng.pick(&all)?.clone() };
    Some((white, black))
}

fn main() -> std::io::Result<()> {
    let argument = |n: usize, missing: usize| {
        std::env::args().nth(n).and_then(|text| text.parse().ok()).unwrap_or(missing)
    };
    let variant = std::env::args().nth(1).unwrap_or_else(|| "seirawan".into());
    let (games, plies) = (argument(2, 200), argument(3, 120));
    let mut rng = Rng(argument(4, 1) as u64);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut armies: Option<(String, String)> = None;
    let mut found = None;
    for number in 0..games {
        let share = games.div_ceil(ARMY_PAIRS);
        if variant == "augmented" && number.is_multiple_of(share) {
            armies = army_pair(number / share, &mut rng);
            found = None;
        }
        let pair = armies.as_ref().map(|(white, black)| (white.as_str(), black.as_str()));
        let rules = found.get_or_insert_with(|| rules(&variant, pair));
        let start = if number % 3 == 2 { rng.pick(starts(&variant)).copied() } else { None };
        let record = match rules {
            AnyRules::Narrow(rules) => game(rules, start, plies, &mut rng),
            AnyRules::Wide(rules) => game(rules, start, plies, &mut rng),
        };
        if let Some(mut record) = record {
            record["variant"] = json!(variant);
            record["armies"] = pair.map_or(Value::Null, |(white, black)| json!([white, black]));
            writeln!(out, "{record}")?;
        }
    }
    out.flush()
}
