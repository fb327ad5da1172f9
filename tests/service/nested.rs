//! Variations inside variations through the whole service and its archive.

use crate::nested_records::{levels, record};
use crate::server::{Answer, Server, answer, brief, ferz};
use serde_json::Value;
use std::process::Output;

const PGN: &str = "application/x-chess-pgn";

/// Records of the law, unless `FERZ_NESTED` says another number.
const RECORDS: usize = 200;

/// Levels of objects and lists that an answer may have.
const LEVELS_MAX: usize = 32;

fn archive(server: &Server, verb: &[&str]) -> Output {
    ferz().arg("archive").args(verb).arg("--db").arg(&server.db).output().expect("ferz runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A record with `depth` variations inside one another.
fn deep(depth: usize) -> String {
    let inner: String = (0..depth).map(|n| if n % 2 == 0 { "(1. d4 " } else { "(1. e4 " }).collect();
    format!("[White \"{depth}\"]\n\n1. e4 {inner}{} *\n", ")".repeat(depth))
}

#[test]
fn reports_are_flat_however_deep_the_record_is() {
    let server = Server::start(&[]);
    for depth in [1, 62, 63, 64, 255, 256] {
        let text = deep(depth);
        let posted = answer(server.post("/api/v1/games", text.clone()).header("content-type", PGN));
        assert_eq!(posted.status, 201, "{}", posted.text());
        let item = &posted.json()["items"][0];
        let variations = item["report"]["variations"].as_array().expect("variations").clone();
        assert_eq!(variations.len(), depth);
        let path = |n: usize| vec![[1, 0]; n].concat();
        for (index, variation) in variations.iter().enumerate() {
            assert_eq!(variation["path"], serde_json::json!(path(index + 1)));
            assert!(variation.get("variations").is_none(), "{variation}");
        }
        let judged = answer(server.post("/api/v1/validate", text).header("content-type", PGN));
        assert_eq!(judged.json()[0], item["report"]);
        let found = answer(server.get(&format!("/api/v1/games/{}", item["id"].as_str().expect("an id"))));
        assert_eq!(found.json()["report"], item["report"]);
        for answered in [&posted, &judged, &found] {
            assert!(levels(&answered.text()) <= LEVELS_MAX, "{depth}");
        }
    }
}

/// Fails where the service failed, or a JSON answer is too deep.
#[track_caller]
fn sound(answered: &Answer, record: &[u8]) {
    let is_deep = answered.header("content-type").contains("json") && levels(&answered.text()) > LEVELS_MAX;
    let record = text(record);
    assert!(
        answered.status < 500 && !is_deep,
        "{}: {}\n{record:?}",
        answered.status,
        brief(&answered.text())
    );
}

/// Validates, submits and fetches a record; whether it was stored, and was legal.
fn through(server: &Server, record: &[u8]) -> (bool, bool) {
    let post = |path: &str| answer(server.post(path, record.to_vec()).header("content-type", PGN));
    let judged = post("/api/v1/validate");
    sound(&judged, record);
    let posted = post("/api/v1/games");
    sound(&posted, record);
    if posted.status != 201 {
        return (false, false);
    }
    let items = posted.json()["items"].as_array().expect("items").clone();
    let reports = judged.json();
    // What is no record is skipped.
    let records =
        reports.as_array().expect("reports").iter().filter(|report| report["verdict"] != "no_record");
    assert_eq!(records.count(), items.len(), "{:?}", text(record));
    for item in &items {
        let path = format!("/api/v1/games/{}", item["id"].as_str().expect("an id"));
        let found = answer(server.get(&path));
        sound(&found, record);
        assert_eq!(found.json()["valid"], item["valid"], "{:?}", text(record));
        for request in [server.get(&path).header("accept", PGN), server.get(&format!("{path}?original=1"))] {
            let answered = answer(request);
            sound(&answered, record);
            assert_eq!(answered.status, 200, "{}\n{:?}", answered.text(), text(record));
        }
    }
    (true, items.iter().all(|item| item["valid"] == Value::Bool(true)))
}

/// What anybody may submit harms neither the service nor the archive, and the archive is found to be what it is.
#[test]
fn records_of_any_nesting_leave_an_intact_archive() {
    let count = std::env::var("FERZ_NESTED").map_or(RECORDS, |count| count.parse().expect("a number"));
    let (server, other) = (Server::start(&[]), Server::start(&[]));
    let (mut stored, mut legal) = (0, 0);
    let mut all = Vec::new();
    for seed in 0..count {
        let record = record(seed);
        let (is_stored, is_legal) = through(&server, &record);
        stored += usize::from(is_stored);
        legal += usize::from(is_legal);
        all.extend(record);
        all.extend(b"\n\n");
    }
    assert!(stored > count / 2 && legal > count / 4, "{count} records, {stored} stored, {legal} legal");
    let file = other.db.with_file_name("all.pgn");
    std::fs::write(&file, &all).expect("a file");
    let submit = ["submit", "--server", &other.url("")];
    let submitted = ferz().args(submit).arg(&file).output().expect("ferz runs");
    let said = text(&submitted.stderr);
    // A tag that was torn may be left between two records, where it is none.
    let errors: Vec<&str> = said.lines().filter(|line| line.contains(": error: ")).collect();
    let is_torn = |line: &&str| line.contains("not a game record") || line.contains("refused by the service");
    assert!(
        matches!(submitted.status.code(), Some(0 | 1)) || errors.iter().all(is_torn) && errors.len() == 2,
        "{}",
        brief(&said)
    );
    for server in [&server, &other] {
        let verified = archive(server, &["verify", "--replay"]);
        let said = text(&verified.stdout);
        assert_eq!(verified.status.code(), Some(0), "{said}");
        assert!(said.contains(": 0 damaged, 0 judged otherwise by this version"), "{said}");
        for form in [&["--original"][..], &["--format", "ndjson"], &[]] {
            let exported = archive(server, &[&["export"], form].concat());
            let (out, said) = (text(&exported.stdout), text(&exported.stderr));
            assert!(matches!(exported.status.code(), Some(0 | 1)) && !out.is_empty(), "{form:?}: {said}");
            assert!(!said.contains("error: game"), "{form:?}: {said}");
            let is_json = form.contains(&"ndjson");
            assert!(!is_json || out.lines().all(|line| levels(line) <= LEVELS_MAX));
        }
    }
}
