//! How near `ferz serve` comes to a server that does nothing, and its archive to bare SQLite.
//!
//! `cargo run --release -- FERZ CORPUS [ROUNDS]`: FERZ is the program, built with `--release`; CORPUS a PGN file of real
//! games. Every figure is a ratio of two things measured in turns in one run; the median of the rounds counts, the
//! least and the greatest are shown.

mod http;
mod server;
mod sqlite;

use http::Connection;
use server::Server;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Requests of one round for each server.
const REQUESTS: usize = 8_000;
/// Connections that ask at the same time, as many as fit before answers queue.
const CONNECTIONS: usize = 8;
/// Games that are submitted one after the other, each acknowledged before the next is sent.
const SUBMITTED: usize = 1_500;
/// Plies of the game that is validated.
const PLIES: usize = 80;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (Some("echo"), None, None) => server::echo(),
        (Some(ferz), Some(corpus), rounds) => {
            let rounds = rounds.map_or(Ok(9), |text| text.parse());
            let Ok(rounds) = rounds else { return usage() };
            measure(Path::new(ferz), &corpus, rounds);
        }
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: ferz-load FERZ CORPUS [ROUNDS]");
    ExitCode::from(2)
}

fn measure(ferz: &Path, corpus: &str, rounds: usize) {
    let bytes = std::fs::read(corpus).expect("the corpus is readable");
    // Old files are in Latin-1.
    let text = String::from_utf8_lossy(&bytes);
    let games = games(&text);
    println!("{} games of {corpus}; {rounds} rounds; ratios: median (least to greatest)", games.len());
    validate(ferz, of_80_plies(&games), rounds);
    submit(ferz, &games, rounds);
    import(ferz, corpus, rounds);
}

/// The records of a file in which each begins with the tag Event.
fn games(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// The first game whose number of plies is the wanted one, counted by its tokens.
fn of_80_plies<'a>(games: &[&'a str]) -> &'a str {
    let plies = |game: &&&str| {
        let moves = game.lines().filter(|line| !line.starts_with('['));
        let tokens = moves.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '.'));
        tokens.filter(|token| token.starts_with(|first: char| first.is_ascii_alphabetic())).count() == PLIES
    };
    games.iter().find(plies).expect("the corpus has a game of 80 plies without comments")
}

/// Requests a second, and time of the server's processor for each, of validation and of an echo of the same body.
fn validate(ferz: &Path, game: &str, rounds: usize) {
    let (judge, echo) = (Server::ferz(ferz, 1), Server::echo_process());
    let (mut rates, mut costs) = (Vec::new(), Vec::new());
    let mut last = [0.0; 2];
    for _ in 0..rounds {
        let [judged, echoed] = [&judge, &echo].map(|server| {
            let before = server.processor_time();
            let start = Instant::now();
            http::load(server.address, "/api/v1/validate", game.as_bytes(), CONNECTIONS, REQUESTS);
            (start.elapsed(), server.processor_time() - before)
        });
        rates.push(ratio(echoed.0, judged.0));
        costs.push(ratio(echoed.1, judged.1));
        last = [judged.0, echoed.0].map(|time| REQUESTS as f64 / time.as_secs_f64());
    }
    println!("validate, one game of {PLIES} plies, {} bytes; against an echo of the same body:", game.len());
    println!("    request rate      {} (last: {:.0}/s, echo {:.0}/s)", told(&mut rates), last[0], last[1]);
    println!("    server's CPU time {}", told(&mut costs));
}

/// Durable submission of single games, against a commit of the same rows in bare SQLite.
fn submit(ferz: &Path, games: &[&str], rounds: usize) {
    let games = &games[..SUBMITTED.min(games.len())];
    let (mut one, mut many) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let server = Server::ferz(ferz, 1);
        let start = Instant::now();
        let mut connection = Connection::open(server.address);
        for game in games {
            connection.post("/api/v1/games", game.as_bytes());
        }
        let alone = start.elapsed();
        let archive = server.stop();
        let rows = sqlite::Rows::read(&archive.path().join("games.ferz"));
        let bare = sqlite::commit_one_by_one(ferz, &rows);

        let server = Server::ferz(ferz, 1);
        let start = Instant::now();
        http::each_once(server.address, "/api/v1/games", games, 2 * CONNECTIONS);
        let together = start.elapsed();
        drop(server.stop());
        one.push(ratio(bare, alone));
        many.push(ratio(bare, together));
    }
    println!(
        "submit, {} games, each acknowledged when it is durable; against a commit of the same rows:",
        games.len()
    );
    println!("    one connection    {}", told(&mut one));
    println!("    {} connections    {}", 2 * CONNECTIONS, told(&mut many));
}

/// Import of the whole corpus, against one transaction with the same rows in bare SQLite.
fn import(ferz: &Path, corpus: &str, rounds: usize) {
    let mut ratios = Vec::new();
    let mut last = Duration::ZERO;
    for _ in 0..rounds.min(5) {
        let folder = tempfile::tempdir().expect("a folder");
        let db: PathBuf = folder.path().join("games.ferz");
        let start = Instant::now();
        let status = Command::new(ferz)
            .args(["archive", "import", "--db"])
            .args([db.as_os_str(), corpus.as_ref()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        last = start.elapsed();
        assert!(status.expect("ferz runs").code().is_some_and(|code| code < 2), "the import failed");
        let rows = sqlite::Rows::read(&db);
        ratios.push(ratio(sqlite::all_at_once(ferz, &rows), last));
    }
    println!("import of the corpus (judging included); against one transaction with the same rows:");
    println!("    whole             {} (last: {:.2} s)", told(&mut ratios), last.as_secs_f64());
}

/// How many times as fast the second is as the first.
fn ratio(first: Duration, second: Duration) -> f64 {
    first.as_secs_f64() / second.as_secs_f64().max(1e-9)
}

fn told(ratios: &mut [f64]) -> String {
    ratios.sort_by(f64::total_cmp);
    let (least, greatest) = (ratios[0], ratios[ratios.len() - 1]);
    format!("{:.2} ({least:.2} to {greatest:.2})", ratios[ratios.len() / 2])
}
