//! How near `ferz serve` comes to a server that does nothing, and its archive to bare SQLite.
//!
//! `cargo run --release -- FERZ CORPUS [ROUNDS [FIGURE]...]`: FERZ is the program, built with `--release`; CORPUS a PGN file of real
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

/// What can be measured.
const FIGURES: [&str; 3] = ["validate", "submit", "import"];
/// Requests of one round for each server.
const REQUESTS: usize = 8_000;
/// Connections that ask at the same time, as many as fit before answers queue.
const CONNECTIONS: usize = 8;
/// Games that are submitted one after the other, each acknowledged before the next is sent.
const SUBMITTED: usize = 1_500;
/// Games of one turn: so many that every connection has some.
const FEW: usize = 100;
/// Plies of the game that is validated.
const PLIES: usize = 80;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["echo"] => server::echo(None),
        ["echo", ferz, records] => server::echo(Some((Path::new(ferz), Path::new(records)))),
        [ferz, corpus] => measure(Path::new(ferz), corpus, 9, &FIGURES),
        [ferz, corpus, rounds, ref figures @ ..] => {
            let known = figures.iter().all(|figure| FIGURES.contains(figure));
            let (Ok(rounds), true) = (rounds.parse(), known) else { return usage() };
            measure(Path::new(ferz), corpus, rounds, if figures.is_empty() { &FIGURES } else { figures });
        }
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: ferz-load FERZ CORPUS [ROUNDS [{}]...]", FIGURES.join("|"));
    ExitCode::from(2)
}

fn measure(ferz: &Path, corpus: &str, rounds: usize, figures: &[&str]) {
    let bytes = std::fs::read(corpus).expect("the corpus is readable");
    // Old files are in Latin-1.
    let text = String::from_utf8_lossy(&bytes);
    let games = games(&text);
    println!("{} games of {corpus}; {rounds} rounds; ratios: median (least to greatest)", games.len());
    for figure in figures {
        match *figure {
            "validate" => validate(ferz, of_80_plies(&games), rounds),
            "submit" => submit(ferz, &games, rounds),
            _ => import(ferz, corpus, rounds),
        }
    }
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

/// Durable submission of single games, against a commit of the same rows in bare SQLite. The disk's speed changes from
/// one second to the next: a few games here and the same there, in turns.
fn submit(ferz: &Path, games: &[&str], rounds: usize) {
    let games = &games[..SUBMITTED.min(games.len())];
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("games.pgn");
    std::fs::write(&records, games.concat()).expect("written");
    let rows = sqlite::Rows::of(ferz, &records);
    let (mut one, mut against_server, mut many, mut last) = (Vec::new(), Vec::new(), Vec::new(), [0.0; 4]);
    for _ in 0..rounds {
        let [mut alone, mut bare, mut echoed, mut shared] = [Duration::ZERO; 4];
        let server = [Server::ferz(ferz, 1), Server::ferz(ferz, 1)];
        let echo = Server::committing_process(ferz, &records);
        let [mut submits, mut echoes] = [&server[0], &echo].map(|server| Connection::open(server.address));
        let mut commits = sqlite::Commits::new(ferz, &rows);
        for (turn, few) in games.chunks(FEW).enumerate() {
            // What comes behind another finds the disk as that left it: each is the first some time.
            for next in turn..turn + 4 {
                match next % 4 {
                    0 => alone += submits.post_each("/api/v1/games", few),
                    1 => bare += commits.next(few.len()),
                    2 => echoed += echoes.post_each("/api/v1/games", few),
                    _ => shared += http::each_once(server[1].address, "/api/v1/games", few, 2 * CONNECTIONS),
                }
            }
        }
        one.push(ratio(bare, alone));
        against_server.push(ratio(echoed, alone));
        many.push(ratio(bare, shared));
        last = [alone, bare, echoed, shared].map(|time| time.as_secs_f64() * 1e6 / games.len() as f64);
    }
    println!(
        "submit, {} games, each acknowledged when it is durable; against a commit of the same rows:",
        games.len()
    );
    println!("    one connection    {} (last: {:.0} µs, commit {:.0} µs)", told(&mut one), last[0], last[1]);
    println!(
        "    … against an echo {} (last: echo that commits {:.0} µs)",
        told(&mut against_server),
        last[2]
    );
    println!("    {} connections    {} (last: {:.0} µs a game)", 2 * CONNECTIONS, told(&mut many), last[3]);
}

/// Import of the whole corpus, against one transaction with the same rows in bare SQLite.
fn import(ferz: &Path, corpus: &str, rounds: usize) {
    let mut ratios = Vec::new();
    let mut last = [Duration::ZERO; 2];
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
        let whole = start.elapsed();
        assert!(status.expect("ferz runs").code().is_some_and(|code| code < 2), "the import failed");
        let rows = sqlite::Rows::read(&db);
        last = [sqlite::all_at_once(ferz, &rows), whole];
        ratios.push(ratio(last[0], last[1]));
    }
    println!("import of the corpus (judging included); against one transaction with the same rows:");
    let [bare, whole] = last.map(|time| time.as_secs_f64());
    println!("    whole             {} (last: {whole:.2} s, bare {bare:.2} s)", told(&mut ratios));
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
