//! Reads a PGN file and checks the legality of every main-line move, on one thread, with each validator that is
//! here: games, plies, seconds.
//!
//!     cargo run --release --bin replay_bench -- FILE [repeats]
//!
//! The file is read into memory first, so that only parsing and rules are measured.

use ferz::replay::{Options, Replayer, each_record};
use ferz::rules::Registry;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::ops::ControlFlow;
use std::time::Instant;

/// What a validator found in a file; all of them must agree.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    games: u64,
    plies: u64,
    illegal: u64,
}

/// The peer: pgn-reader's parser and shakmaty's rules.
struct Peer {
    count: Count,
}

impl Visitor for Peer {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Option<Chess>> {
        self.count.games += 1;
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        if name == b"FEN" {
            let position = Fen::from_ascii(value.as_bytes()).ok();
            match position.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *start = Some(position),
                None => return self.give_up(),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<bool> {
        let Ok(found) = san.san.to_move(position) else { return self.give_up() };
        position.play_unchecked(found);
        self.count.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) -> bool {
        true
    }
}

impl Peer {
    fn give_up(&mut self) -> ControlFlow<bool> {
        self.count.illegal += 1;
        ControlFlow::Break(false)
    }
}

fn peer(bytes: &[u8]) -> Count {
    let mut reader = Reader::new(bytes);
    let mut peer = Peer { count: Count::default() };
    while let Ok(Some(_)) = reader.read_game(&mut peer) {}
    peer.count
}

/// What `ferz validate --jobs 1` does, with all of its reports, input and output apart.
fn ferz(bytes: &[u8]) -> Count {
    let mut count = Count::default();
    let ended = each_record(
        bytes,
        1,
        || Replayer::new(Registry::built_in(), Options::default()),
        |replayer, record, source| replayer.report(record, source, 0),
        |batch| {
            count.games += batch.items.len() as u64;
            for report in batch.items {
                count.plies += report.plies as u64;
                count.illegal += u64::from(!report.legal);
            }
            ControlFlow::<()>::Continue(())
        },
    );
    assert!(ended.is_ok_and(|flow| flow.is_continue()), "bytes in memory can be read");
    count
}

/// What a validator makes of the bytes of a file.
type Validate = fn(&[u8]) -> Count;

/// Who takes part.
const VALIDATORS: [(&str, Validate); 2] = [("ferz", ferz), ("pgn-reader + shakmaty", peer)];

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("replay_bench FILE [repeats]");
        std::process::exit(2);
    };
    let repeats: u32 = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(5).max(1);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut counts = Vec::new();
    let mut ratios = Vec::new();
    // In turns, so that a busy machine treats all alike.
    for _ in 0..repeats {
        let mut times = Vec::new();
        for (name, validate) in VALIDATORS {
            let before = Instant::now();
            let count = validate(&bytes);
            let seconds = before.elapsed().as_secs_f64();
            println!(
                "{name:<24} {:>7} games {:>9} plies {:>5} illegal {seconds:>7.3} s {:>6.1} MB/s {:>6.2} Mply/s",
                count.games,
                count.plies,
                count.illegal,
                bytes.len() as f64 / 1e6 / seconds,
                count.plies as f64 / 1e6 / seconds,
            );
            counts.push(count);
            times.push(seconds);
        }
        ratios.push(times[1] / times[0]);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "ferz is {:.2} times as fast as {}: median of {} pairs, from {:.2} to {:.2}",
        ratios[ratios.len() / 2],
        VALIDATORS[1].0,
        ratios.len(),
        ratios[0],
        ratios[ratios.len() - 1],
    );
    if counts.windows(2).any(|pair| pair[0] != pair[1]) {
        println!("the validators disagree");
        std::process::exit(1);
    }
}
