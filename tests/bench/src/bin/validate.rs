//! Judges a PGN file on one thread as `ferz validate --quiet --jobs 1` does, so that tools which count instructions
//! see nothing else: games, plies, illegal ones, and seconds of CPU time.
//!
//!     valgrind --tool=callgrind target/release/validate FILE
//!
//! With a third argument, `digest`, it tells a number that stands for all reports: a change for speed alone keeps it.

use ferz::replay::{Options, Replayer, each_record};
use ferz::rules::Registry;
use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("validate FILE [repeats [digest]]");
        std::process::exit(2);
    };
    let repeats: u32 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let digests = arguments.next().is_some_and(|text| text == "digest");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let registry = Registry::built_in();
    for _ in 0..repeats {
        let (mut games, mut plies, mut illegal) = (0, 0, 0);
        let mut digest = DefaultHasher::new();
        let before = Instant::now();
        let ended = each_record(
            &bytes[..],
            1,
            || Replayer::new(registry, Options::default()),
            |replayer, record, source| replayer.report(record, source, 0),
            |batch| {
                games += batch.items.len();
                plies += batch.items.iter().map(|report| report.plies).sum::<usize>();
                illegal += batch.items.iter().filter(|report| !report.legal).count();
                if digests {
                    batch.items.iter().for_each(|report| digest.write(format!("{report:?}").as_bytes()));
                }
                ControlFlow::<()>::Continue(())
            },
        );
        let seconds = before.elapsed().as_secs_f64();
        assert!(ended.is_ok_and(|flow| flow.is_continue()));
        if digests {
            println!("{:016x}", digest.finish());
        }
        println!(
            "{games} games {plies} plies {illegal} illegal {seconds:.3} s {:.1} ns/ply",
            seconds * 1e9 / plies as f64
        );
    }
}
