//! What judging a ply of each game costs beside a ply of chess: random games in the game's own notation, as Markdown.
//!
//!     cargo run --release --bin variants           shares of chess's ply rate, by processor time
//!     cargo run --release --bin variants -- LABEL  the games of one variant, to be measured otherwise

use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use ferz_bench::VARIANTS;
use std::time::Instant;

const GAMES: u64 = 50;
const PLIES: usize = 100;
/// The games take turns so often; what counts is the shortest time of each.
const ROUNDS: usize = 41;

/// Reports on every record; how many legal plies there were.
fn validate(bytes: &[u8]) -> usize {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(bytes, 0, 0);
    read(bytes, 0).map(|record| replayer.report(&record, &source, 0).plies).sum()
}

fn main() {
    if let Some(label) = std::env::args().nth(1) {
        let found = VARIANTS.iter().find(|variant| variant.label == label);
        print!("{}", found.unwrap_or_else(|| panic!("no variant `{label}`")).games(GAMES, PLIES));
        return;
    }
    let texts = VARIANTS.map(|variant| variant.games(GAMES, PLIES).into_bytes());
    let plies: Vec<usize> = texts.iter().map(|text| validate(text)).collect();
    let mut least = vec![f64::MAX; texts.len()];
    for _ in 0..ROUNDS {
        for (text, least) in texts.iter().zip(&mut least) {
            let start = Instant::now();
            validate(text);
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let ns: Vec<f64> = least.iter().zip(&plies).map(|(time, plies)| time * 1e9 / *plies as f64).collect();
    println!("| game | plies | ns a ply | share of chess's ply rate |\n|---|---|---|---|");
    for (index, variant) in VARIANTS.iter().enumerate() {
        let share = ns[0] / ns[index];
        println!("| {} | {} | {:.0} | **{share:.2}** |", variant.label, plies[index], ns[index]);
    }
}
