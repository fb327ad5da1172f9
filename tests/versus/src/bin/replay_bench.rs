//! Speed beside other programs, on one thread: reading a PGN file, checking every main-line move of it, counting plies.
//!
//!     cargo run --release --bin replay_bench -- FILE [pairs]
//!
//! The file is read into memory first, so that only parsing and rules are measured. What is told is processor time, where
//! the system tells it, else real time; the two take turns, so that a busy machine treats both alike.

use ferz::replay::{Options, Replayer, each_record, perft};
use ferz::rules::{AnyRules, Registry};
use ferz_versus::seconds;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::ops::ControlFlow;

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

/// pgn-reader alone: tags, moves and comments are looked at, and no rules.
struct PeerReader {
    count: Count,
    bytes: usize,
}

impl Visitor for PeerReader {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        self.count.games += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.bytes += name.len() + value.as_bytes().len();
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        std::hint::black_box(san);
        self.count.plies += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.bytes += comment.as_bytes().len();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

fn peer_reads(bytes: &[u8]) -> Count {
    let mut reader = Reader::new(bytes);
    let mut peer = PeerReader { count: Count::default(), bytes: 0 };
    while let Ok(Some(())) = reader.read_game(&mut peer) {}
    std::hint::black_box(peer.bytes);
    peer.count
}

/// What `ferz` does to have the records, every byte of them accounted for.
fn ferz_reads(bytes: &[u8]) -> Count {
    let mut count = Count::default();
    let mut records = ferz::record::read(bytes, 0);
    while let Some(record) = records.next() {
        count.games += 1;
        count.plies += record.main_moves().count() as u64;
        std::hint::black_box(&record);
        records.recycle(record);
    }
    count
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn ferz_counts(fen: &str, depth: u32) -> Count {
    let rules = Registry::built_in().rules("chess", &|_| None);
    let Ok(AnyRules::Narrow(rules)) = rules else { panic!("chess has 64 squares") };
    let position = ferz::position::Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"));
    Count { plies: perft::count(&position, depth), ..Count::default() }
}

fn peer_counts(fen: &str, depth: u32) -> Count {
    let fen = fen.parse::<Fen>().unwrap_or_else(|error| panic!("{error}"));
    let position: Chess = fen.into_position(CastlingMode::Standard).unwrap_or_else(|error| panic!("{error}"));
    Count { plies: shakmaty::perft(&position, depth), ..Count::default() }
}

/// One who takes part, on the bytes of a file.
type Work<'w> = &'w dyn Fn(&[u8]) -> Count;

/// Both do their work in turns; a row of a table; whether they agree.
fn contest(what: &str, bytes: &[u8], pairs: usize, works: [(&str, Work<'_>); 2]) -> bool {
    let mut same = true;
    let (mut ratios, mut best) = (Vec::new(), [f64::INFINITY; 2]);
    let mut count = Count::default();
    for _ in 0..pairs {
        let done = works.map(|(_, work)| {
            // Short files are read again and again, so that a clock can tell.
            let rounds = (4_000_000 / bytes.len().max(1)).clamp(1, 100);
            let before = seconds();
            let count = (0..rounds).map(|_| work(bytes)).last().unwrap_or_default();
            (count, (seconds() - before) / rounds as f64)
        });
        same &= done[0].0 == done[1].0;
        count = done[0].0;
        ratios.push(done[1].1 / done[0].1);
        best = [best[0].min(done[0].1), best[1].min(done[1].1)];
    }
    ratios.sort_by(f64::total_cmp);
    let nanoseconds = best.map(|best| best * 1e9 / count.plies as f64);
    println!(
        "| {what} | {} | {:.1} | {} | {:.1} | **{:.2}** | {:.2} to {:.2} |",
        works[0].0,
        nanoseconds[0],
        works[1].0,
        nanoseconds[1],
        ratios[ratios.len() / 2],
        ratios[ratios.len() / 4],
        ratios[ratios.len() * 3 / 4],
    );
    same
}

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("replay_bench FILE [pairs]");
        std::process::exit(2);
    };
    let pairs = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(5).max(1);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let found = peer(&bytes);
    let Count { games, plies, illegal } = found;
    println!(
        "{path}: {} bytes, {games} games, {plies} plies, {illegal} illegal; {pairs} pairs\n",
        bytes.len()
    );
    println!(
        "| | | ns a ply | | ns a ply | median of ratios | middle half of them |\n|---|---|---|---|---|---|---|"
    );
    let mut same = contest(
        "validate",
        &bytes,
        pairs,
        [("ferz, with its whole report", &ferz), ("pgn-reader + shakmaty, legality", &peer)],
    );
    contest("read", &bytes, pairs, [("ferz", &ferz_reads), ("pgn-reader", &peer_reads)]);
    for (what, fen, depth) in [("perft 5, start", START, 5), ("perft 4, Kiwipete", KIWIPETE, 4)] {
        let works: [(&str, Work<'_>); 2] =
            [("ferz", &|_| ferz_counts(fen, depth)), ("shakmaty", &|_| peer_counts(fen, depth))];
        same &= contest(what, &bytes, pairs, works);
    }
    if !same {
        println!("the two disagree");
        std::process::exit(1);
    }
}
