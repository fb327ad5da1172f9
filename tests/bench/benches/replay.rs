//! Replaying games: the rules alone, and all that a report takes. One element is one ply.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ferz::board::{Mask, Owner};
use ferz::notation::{MoveText, read as read_move, resolve};
use ferz::position::Position;
use ferz::record::{ItemKind, Record, read};
use ferz::replay::{AnyGame, Game, Options, Replayer, Source};
use ferz::rules::Registry;
use ferz_bench::{VARIANTS, texts};
use std::hint::black_box;
use std::time::Duration;

/// Reports on every record; how many legal plies there were.
fn validate(registry: &Registry, bytes: &[u8]) -> usize {
    let mut replayer = Replayer::new(registry, Options::default());
    let source = Source::new(bytes, 0, 0);
    read(bytes, 0).map(|record| replayer.report(&record, &source, 0).plies).sum()
}

/// The texts of a game's moves as far as they are legal, read once.
fn moves<M: Mask>(game: &Game<M>, record: &Record<'_>) -> (Position<M>, Vec<MoveText>) {
    let start = Replayer::start(game, record).unwrap_or_else(|error| panic!("{error}"));
    let mut position = start.clone();
    let mut texts = Vec::new();
    let mut natures = false;
    for (_, &item) in record.main_line().items() {
        match item.kind {
            ItemKind::MoveNumber(number) => natures = number.interjection,
            ItemKind::Move => {
                let text = read_move(&game.letters, position.turn(), natures, record.bytes(item));
                let Ok(text) = text else { break };
                let Ok(resolved) = resolve(&position, &text) else { break };
                position.apply(&resolved.ply);
                texts.push(text);
                natures = false;
            }
            _ => {}
        }
    }
    (start, texts)
}

fn play<M: Mask>(start: &Position<M>, texts: &[MoveText]) -> u64 {
    let mut position = start.clone();
    for text in texts {
        let Ok(resolved) = resolve(&position, text) else { break };
        position.apply(&resolved.ply);
    }
    position.key()
}

/// The rules alone: the moves' texts are read already.
fn resolve_and_apply(criterion: &mut Criterion) {
    let registry = Registry::built_in();
    let mut group = criterion.benchmark_group("resolve and apply");
    for (name, bytes) in texts() {
        let mut replayer = Replayer::new(registry, Options::default());
        let mut games = Vec::new();
        for record in read(&bytes, 0) {
            // The corpus may hold whatever it likes; what is measured is chess.
            if let Ok(AnyGame::Narrow(game)) = replayer.game(&record) {
                games.push(moves(&game, &record));
            }
        }
        group.throughput(Throughput::Elements(games.iter().map(|(_, texts)| texts.len() as u64).sum()));
        group.bench_function(name, |bencher| {
            bencher
                .iter(|| games.iter().fold(0, |keys, (start, texts)| keys ^ play(start, black_box(texts))));
        });
    }
    group.finish();
}

/// Everything that `ferz validate --jobs 1` does, input and output apart.
fn validate_texts(criterion: &mut Criterion) {
    let registry = Registry::built_in();
    let mut group = criterion.benchmark_group("validate");
    for (name, bytes) in texts() {
        group.throughput(Throughput::Elements(validate(registry, &bytes) as u64));
        group.bench_function(name, |bencher| bencher.iter(|| validate(registry, black_box(&bytes))));
    }
    group.finish();
}

/// Random games of every variant, in the style of its own.
fn validate_variants(criterion: &mut Criterion) {
    let registry = Registry::built_in();
    let mut group = criterion.benchmark_group("variants");
    group.measurement_time(Duration::from_secs(3)).sample_size(20);
    for variant in VARIANTS {
        let bytes = variant.games(20, 100).into_bytes();
        check(registry, variant.label, &bytes);
        group.throughput(Throughput::Elements(validate(registry, &bytes) as u64));
        group.bench_function(variant.label, |bencher| bencher.iter(|| validate(registry, black_box(&bytes))));
    }
    group.finish();
}

/// What is measured is legal play; an illegal game would be short, and look fast.
fn check(registry: &Registry, label: &str, bytes: &[u8]) {
    let mut replayer = Replayer::new(registry, Options::default());
    let source = Source::new(bytes, 0, 0);
    for record in read(bytes, 0) {
        let report = replayer.report(&record, &source, 0);
        assert!(
            report.legal && report.rules.is_some(),
            "{label}: {:?} {:?}",
            report.illegal,
            report.diagnostics
        );
        let moves = record.main_moves().count();
        assert_eq!(report.plies, moves, "{label}");
        assert!(report.winner().is_none_or(Owner::is_real));
    }
}

criterion_group!(benches, resolve_and_apply, validate_texts, validate_variants);
criterion_main!(benches);
