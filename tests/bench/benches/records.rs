//! Reading records: bytes to items.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ferz::record::read;
use std::hint::black_box;

fn tokenise(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tokenise");
    for (name, bytes) in ferz_bench::texts() {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| read(black_box(&bytes), 0).map(|record| record.items.len()).sum::<usize>());
        });
    }
    group.finish();
}

criterion_group!(benches, tokenise);
criterion_main!(benches);
