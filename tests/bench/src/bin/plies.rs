//! What a ply of a correspondence game costs, from the command to its receipt, beside a bare commit of as many bytes in
//! the same run; and how long the service looks for games that are due.
//!
//! `plies [GAMES [PLIES]]`: 1,000 games of 10 plies unless it says otherwise.

use ferz::archive::{Act, Archive, CorrespondenceId, TokenId};
use ferz::board::Owner;
use ferz::clock::Policies;
use ferz::correspondence::{Command, Players, Proposal, Status};
use ferz::rules::Registry;
use std::path::Path;
use std::time::{Duration, Instant};

/// Bytes of a bare commit: about what a ply adds to the tables of an archive.
const BYTES: usize = 600;

/// Clients that send plies at the same time.
const CLIENTS: usize = 16;

fn books() -> (&'static Registry, &'static Policies) {
    (Registry::built_in(), Policies::built_in())
}

fn token() -> TokenId {
    TokenId { name: "ann".into(), event: 1 }
}

fn act(archive: &Archive, id: CorrespondenceId, by: Owner, command: Command) -> Status {
    let head = archive.correspondence(id, books()).expect("a game").head();
    let act = Act { id, head, by: Some(by), command, token: Some(token()), request: None };
    let acted = archive.act(act, books()).expect("it is legal");
    assert!(!acted.logged.expect("an event").receipt().to_string().is_empty());
    acted.game.state.status()
}

/// Commits a second of rows in a file of its own.
fn commits(path: &Path, count: usize) -> f64 {
    let connection = rusqlite::Connection::open(path).expect("a file");
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a)")
        .expect("a table");
    let (row, start) = (vec![7u8; BYTES], Instant::now());
    for _ in 0..count {
        connection.execute("INSERT INTO t VALUES (?1)", [&row]).expect("a row");
    }
    count as f64 / start.elapsed().as_secs_f64()
}

/// Plays so many random plies in each game, by so many clients at a time; returns the plies a second, of the time that
/// acting took.
fn rate(archive: &Archive, games: &[CorrespondenceId], plies: usize, clients: usize) -> f64 {
    let played = |games: &[CorrespondenceId], seed: u64| {
        let (mut time, mut made, mut number) = (Duration::ZERO, 0usize, seed);
        for id in (0..plies).flat_map(|_| games) {
            let game = archive.correspondence(*id, books()).expect("a game");
            let Some(&by) = game.state.to_act().first() else { continue };
            let fen = game.state.fen();
            let position = ferz::Position::from_fen(&game.state.setting().rules, &fen).expect("a position");
            let legal = position.plies();
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let ply = &legal[(number >> 33) as usize % legal.len()];
            let text = position.write(ply, ferz::notation::Style::Coord).expect("it has a form");
            let start = Instant::now();
            act(archive, *id, by, Command::Ply { text, offer: None, signature: None });
            time += start.elapsed();
            made += 1;
        }
        (time, made)
    };
    let parts: Vec<&[CorrespondenceId]> = games.chunks(games.len().div_ceil(clients)).collect();
    std::thread::scope(|scope| {
        let runs: Vec<_> = parts
            .into_iter()
            .zip(1..)
            .map(|(part, seed)| {
                scope.spawn({
                    let played = &played;
                    move || played(part, seed)
                })
            })
            .collect();
        let rates = runs.into_iter().map(|run| {
            let (time, made) = run.join().expect("it ran");
            made as f64 / time.as_secs_f64()
        });
        rates.sum()
    })
}

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse().expect("a number"));
    let (games, plies): (usize, usize) = (words.next().unwrap_or(1000), words.next().unwrap_or(10));
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::open(folder.path().join("games.ferz")).expect("an archive");
    let players = Players { white: "Ann".into(), black: "Ben".into(), nature: None };
    let mut all = Vec::new();
    for _ in 0..games {
        let proposal = Proposal {
            clock: Some("days-per-move".into()),
            players: players.clone(),
            variant: "iago-b".into(),
            ..Proposal::default()
        };
        let made = archive.create_correspondence(proposal, (Some(token()), None), books()).expect("a game");
        let terms = made.game.state.setting().terms.digest();
        for player in Owner::REAL {
            act(&archive, made.game.id, player, Command::Accept { terms: terms.clone() });
        }
        all.push(made.game.id);
    }
    let one = rate(&archive, &all, plies / 2, 1);
    let many = rate(&archive, &all, plies - plies / 2, CLIENTS);
    let made = all.iter().map(|id| archive.correspondence(*id, books()).expect("a game").state.plies().len());
    let made: usize = made.sum();
    let bare = commits(&folder.path().join("bare.db"), 2000);
    for (clients, rate) in [(1, one), (CLIENTS, many)] {
        println!(
            "plies with receipts, {clients} at a time: {rate:.0} a second, {:.2} of {bare:.0} bare commits",
            rate / bare
        );
    }
    let start = Instant::now();
    let ended = archive.end_overdue(books()).expect("it can be read");
    println!("{made} plies in {games} games, {ended} due: {:.2} ms", start.elapsed().as_secs_f64() * 1000.0);
    let start = Instant::now();
    let listed = archive.correspondences(Some("Ann"), Some(Status::Running), None, games).expect("a list");
    println!("{} games of a player listed: {:.2} ms", listed.len(), start.elapsed().as_secs_f64() * 1000.0);
    let start = Instant::now();
    let acting = listed.iter().filter(|(_, id)| {
        archive.correspondence(*id, books()).expect("a game").state.to_act().contains(&Owner::White)
    });
    let acting = acting.count();
    println!("… of which {acting} wait for White: {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
}
