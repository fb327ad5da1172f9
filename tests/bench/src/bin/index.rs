//! What the index of an archive costs and gains: bytes and time to build it, and how long queries take with it and
//! without.
//!
//! `index [GAMES [PLIES]]`: 100,000 games of 80 random plies unless it says otherwise, half of their openings shared.

use ferz::archive::{Archive, Filter, Submission};
use ferz::play::{Position, Rules};
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use ferz::search::Search;
use ferz::text::mix;
use std::path::Path;
use std::time::{Duration, Instant};

/// Plies after which every game goes its own way; before, there are two in each position.
const SHARED_PLIES: usize = 16;

/// Games that are submitted at once.
const AT_ONCE: usize = 4_096;

/// Queries of a kind.
const ASKED: usize = 500;

/// A game as text, and a position of it.
fn game(rules: &Rules, number: u64, plies: usize) -> (String, String) {
    let mut text = format!("[White \"{}\"]\n[Black \"{}\"]\n\n", number % 5_003, number % 4_001);
    let (mut position, mut shown) = (Position::start(rules), String::new());
    let mut dice = mix(number);
    for ply in 0..plies {
        let all = position.plies();
        if all.is_empty() {
            break;
        }
        dice = mix(dice);
        let few = if ply < SHARED_PLIES { 2 } else { all.len() };
        let ply = &all[dice as usize % few.min(all.len())];
        text += &position.write(ply, ferz::notation::Style::Coord).expect("every ply has coordinates");
        text.push(' ');
        position.play(ply);
        if shown.is_empty() && dice % 40 == 0 {
            shown = position.fen();
        }
    }
    (text + "*\n", shown)
}

fn judged(replayer: &mut Replayer<'_>, text: &str) -> Submission {
    let record = read(text.as_bytes(), 0).next().expect("a record");
    Submission::judge(replayer, &record, &Source::new(text.as_bytes(), 0, 0)).expect("memory")
}

/// How long each query takes, sorted, and how many games they find and look at.
fn asked(archive: &Archive, queries: &[String], limit: usize) -> (Vec<Duration>, usize, usize) {
    let (mut times, mut found, mut looked) = (Vec::new(), 0, 0);
    for query in queries {
        let search = Search::new(query.parse().expect("a query"));
        let start = Instant::now();
        let page = archive.search(&Filter::default(), &search, Registry::built_in(), limit, None, u64::MAX);
        times.push(start.elapsed());
        let page = page.expect("an answer");
        (found, looked) = (found + page.items.len(), looked + page.looked_at);
    }
    times.sort();
    (times, found, looked)
}

fn show(what: &str, archive: &Archive, queries: &[String], limit: usize) {
    let (times, found, looked) = asked(archive, queries, limit);
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    println!(
        "{what}: {} queries, median {:.3} ms, 99 of 100 below {:.3} ms; {found} games found, {looked} looked at",
        times.len(),
        at(50),
        at(99)
    );
}

/// Bytes of a part of the index.
fn bytes(path: &Path, table: &str) -> f64 {
    let connection = rusqlite::Connection::open(path).expect("a file");
    let sum = format!("SELECT coalesce(sum(length(bytes)), 0) FROM {table}");
    connection.query_row(&sum, [], |row| row.get::<_, i64>(0)).expect("a sum") as f64
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().expect("a number"));
    let games: usize = arguments.next().unwrap_or(100_000);
    let plies: usize = arguments.next().unwrap_or(80);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.ferz");
    let archive = Archive::open(&path).expect("an archive");
    let rules = Rules::named("chess").expect("chess");
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let (mut fens, mut storing) = (Vec::new(), Duration::ZERO);
    for first in (0..games).step_by(AT_ONCE) {
        let mut batch = Vec::new();
        for number in first..games.min(first + AT_ONCE) {
            let (text, fen) = game(&rules, number as u64, plies);
            if number % (games / ASKED).max(1) == 0 && !fen.is_empty() {
                fens.push(format!("fen \"{fen}\""));
            }
            batch.push(text);
        }
        let start = Instant::now();
        let judged = batch.iter().map(|text| judged(&mut replayer, text)).collect();
        archive.submit(judged).expect("it is stored");
        storing += start.elapsed();
    }
    println!("{games} games judged on one thread and stored in {:.1} s", storing.as_secs_f64());
    let start = Instant::now();
    let indexed = archive.index(Registry::built_in(), &mut |_| ()).expect("an index");
    println!(
        "index: {:.1} s, {} segments, {:.0} bytes a game for what happened, {:.0} for its plies",
        start.elapsed().as_secs_f64(),
        indexed.segments,
        bytes(&path, "index_block") / games as f64,
        bytes(&path, "index_game") / games as f64
    );
    let all = |queries: &[&str]| -> Vec<String> { queries.iter().map(|query| (*query).to_owned()).collect() };
    show("exact position", &archive, &fens, 10);
    show(
        "material",
        &archive,
        &all(&["material KRPPvKRP", "balance QvRR", "material KQvK", "flip material KRvKB"]),
        10,
    );
    show("event", &archive, &all(&["promote N", "ep then castle", "end mate", "claimable any", "KxQ"]), 10);
    show("men on squares", &archive, &all(&["Nd5 and qh4 and Ke2", "pattern \"k*/*/*/*/*/*/*/*K\""]), 10);
    let no_fact = [
        "pattern \"*/*/*/*[NB]p[NB]p*/*/*/*/*\" and count >= 90 check",
        "not ever Ke1",
        "halfmoves >= 60 and right castle a1 and right castle h8",
        "_a-h1 and count >= 60 captures",
    ];
    show("no fact narrows", &archive, &all(&no_fact), 10);
    let whole = ["pattern \"*/*/*/*[NB]p*/*/*/*/*\" and count >= 90 check"];
    show("everything looked at", &archive, &all(&whole), games);
}
