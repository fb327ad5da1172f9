//! Nothing that was acknowledged is lost, whatever happens to the process.

use crate::server::{Server, answer};
use ferz::archive::Anchor;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the process is ended under load; `FERZ_ROUNDS` says otherwise.
const ROUNDS: usize = 6;

/// How often a test with the process's end in it is repeated.
pub fn rounds(usual: usize) -> usize {
    std::env::var("FERZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

fn record(round: usize, client: usize, number: usize) -> String {
    format!("[White \"{round}-{client}-{number}\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. Nf3 *\n")
}

#[test]
fn a_restart_keeps_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let first = Server::over(&db, &[]);
    let told = answer(first.post("/api/v1/games", record(0, 0, 0))).json();
    let path = format!("/api/v1/games/{}", told["items"][0]["id"].as_str().expect("an id"));
    let before = answer(first.get(&path));
    first.kill();
    let second = Server::over(&db, &[]);
    assert_eq!(answer(second.get(&path)).body, before.body);
}

#[test]
fn nothing_acknowledged_is_lost_when_the_process_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let acknowledged = Mutex::new(BTreeSet::new());
    let last_receipt = Mutex::new(String::new());
    for round in 0..rounds(ROUNDS) {
        let server = Server::over(&db, &[]);
        std::thread::scope(|scope| {
            let (server, acknowledged, last_receipt) = (&server, &acknowledged, &last_receipt);
            // One alone has its games written where they came in, several share transactions.
            let clients = if round % 2 == 0 { 4 } else { 1 };
            for client in 0..clients {
                scope.spawn(move || {
                    for number in 0.. {
                        let sent = server.post("/api/v1/games", record(round, client, number)).send();
                        let Ok(told) = sent.and_then(|told| told.error_for_status()) else { return };
                        // An answer that was cut says nothing.
                        let Ok(told) = told.bytes() else { return };
                        let told: serde_json::Value = serde_json::from_slice(&told).expect("JSON");
                        let item = &told["items"][0];
                        let id = item["id"].as_str().expect("an id").to_owned();
                        let receipt = item["receipt"].as_str().expect("a receipt").to_owned();
                        *last_receipt.lock().expect("no thread fails") = receipt;
                        acknowledged.lock().expect("no thread fails").insert(id);
                    }
                });
            }
            // At another moment each time: within the first transaction, the tenth, a checkpoint.
            std::thread::sleep(Duration::from_millis(20 + 37 * (round as u64 % 23)));
            // On a machine that is busy with other things, as soon as there is something to lose.
            let begun = Instant::now();
            let count = || acknowledged.lock().expect("no thread fails").len();
            while count() <= round && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(5));
            }
            server.signal("KILL");
        });
        drop(server);
        let receipt = last_receipt.lock().expect("no thread fails").clone();
        check(&db, &acknowledged.lock().expect("no thread fails"), &receipt);
    }
    assert!(acknowledged.lock().expect("no thread fails").len() > rounds(ROUNDS), "there was load");
}

#[test]
fn a_file_that_may_not_grow_is_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::limited(&folder.path().join("games.ferz"), 4_000);
    let mut state = 1u64;
    let mut noise = || {
        // Texts that do not pack.
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{:08x}", state >> 32)
        };
        (0..25_000).map(|_| next()).collect::<String>()
    };
    let statuses =
        (0..60).map(|_| answer(server.post("/api/v1/games", format!("1. e4 {{{}}} *", noise()))).status);
    let refused = statuses.into_iter().find(|status| *status != 201);
    // The system's signal for it would have ended the process.
    assert!(matches!(refused, Some(503 | 507)), "{refused:?}");
    assert_eq!(answer(server.get("/healthz")).status, 200);
    assert_eq!(answer(server.get("/api/v1/games")).status, 200);
    // Where not even a small record is kept, it is not ready; where it is ready, one is kept.
    let small = |n: usize| answer(server.post("/api/v1/games", format!("1. e4 {{{n}}} *"))).status;
    let is_ready = || answer(server.get("/readyz")).status == 200;
    let is_refused = |n: &usize| {
        small(*n) != 201 && {
            let ready = is_ready();
            assert!(!ready || small(n + 10_000) == 201, "it was ready, and refused a record");
            !ready
        }
    };
    assert!((0..2_000).any(|n| is_refused(&n)), "small records are still kept");
    assert!(matches!(answer(server.get("/readyz")).status, 503 | 507));
}

/// Fails unless the file is whole, has every entry once, and its log has what the receipt proves.
fn check(db: &std::path::Path, acknowledged: &BTreeSet<String>, receipt: &str) {
    let archive = ferz::archive::Archive::open(db).expect("the archive opens");
    for id in acknowledged {
        let id = id.parse().expect("an id");
        assert!(archive.get(id).expect("readable").is_some(), "{id} is lost");
        assert!(archive.original(id).expect("whole").is_some(), "the text of {id} is lost");
    }
    let anchor = Anchor::read("the last receipt", receipt).expect("a receipt");
    let mut findings = Vec::new();
    archive
        .verify_against(&[anchor], None, &mut |finding| findings.push(finding), &mut |_| ())
        .expect("readable");
    assert_eq!(findings, []);
    drop(archive);
    let connection = rusqlite::Connection::open(db).expect("a database");
    let whole: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
    assert_eq!(whole, "ok");
    let dangling =
        connection.prepare("PRAGMA foreign_key_check").expect("a check").exists([]).expect("an answer");
    assert!(!dangling);
}
