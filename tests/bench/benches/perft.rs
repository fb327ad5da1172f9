//! Counting plies. One element is one leaf.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ferz::board::Mask;
use ferz::position::Position;
use ferz::replay::perft::count;
use ferz::rules::{AnyRules, Rules};
use ferz_bench::VARIANTS;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn start<M: Mask>(rules: Arc<Rules<M>>, fen: Option<&str>) -> Position<M> {
    match fen {
        Some(fen) => Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}")),
        None => Position::start(rules),
    }
}

fn one(criterion: &mut Criterion, name: &str, rules: AnyRules, fen: Option<&str>, depth: u32) {
    let mut group = criterion.benchmark_group("perft");
    group.measurement_time(Duration::from_secs(3)).sample_size(20);
    let counter: Box<dyn Fn() -> u64> = match rules {
        AnyRules::Narrow(rules) => {
            let position = start(rules, fen);
            Box::new(move || count(black_box(&position), depth))
        }
        AnyRules::Wide(rules) => {
            let position = start(rules, fen);
            Box::new(move || count(black_box(&position), depth))
        }
    };
    group.throughput(Throughput::Elements(counter()));
    group.bench_function(format!("{name} {depth}"), |bencher| bencher.iter(&counter));
    group.finish();
}

fn perft(criterion: &mut Criterion) {
    let chess = VARIANTS[0];
    one(criterion, "chess", chess.rules(), None, 4);
    one(criterion, "kiwipete", chess.rules(), Some(KIWIPETE), 3);
    for variant in &VARIANTS[1..] {
        one(criterion, variant.label, variant.rules(), None, 3);
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
