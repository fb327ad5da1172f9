//! Whole databases of real games: all of them legal, and exactly the spoiled ones found out.
//!
//! `FERZ_CORPUS` names a folder, whose `.pgn` and `.pgn.xz` files are taken, or one such file. Without it nothing is
//! judged here, and a line says so. Of the test through all styles only one game in fifty is taken, unless
//! `FERZ_CORPUS_WHOLE` is set.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

use assert_cmd::Command;
use ferz::notation::Style;
use ferz::record::{Item, ItemKind, Record, read};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const FERZ: &str = env!("CARGO_BIN_EXE_ferz");

/// One game in so many is spoiled.
const SPOILED_EVERY: usize = 97;

/// No position of chess allows one of these: what stands on the first square never goes to the second so.
const NEVER_LEGAL: [&str; 6] = ["Na1-b2", "Bh1-h3", "Ra2-b4", "Ke3-e5", "Pc2-c5", "Qa1-b3"];

/// The files to judge; none, with a line on the terminal itself, if there is no corpus.
fn corpus() -> Vec<PathBuf> {
    let Some(path) = std::env::var_os("FERZ_CORPUS").map(PathBuf::from) else {
        // Test programs keep what they print to themselves; this line is to be seen.
        let _ =
            writeln!(std::io::stderr(), "tests/records/corpus.rs: skipped, for FERZ_CORPUS names no games");
        return Vec::new();
    };
    let wanted = |path: &Path| [".pgn", ".pgn.xz"].iter().any(|end| path.to_string_lossy().ends_with(end));
    let mut files = if path.is_dir() {
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).filter(|path| wanted(path)).collect()
    } else {
        vec![path.clone()]
    };
    files.sort();
    assert!(!files.is_empty(), "FERZ_CORPUS={}: no file `*.pgn` or `*.pgn.xz`", path.display());
    files
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if path.extension().is_some_and(|end| end == "xz") {
        lzma_rust2::XzReader::new(file, true).read_to_end(&mut bytes).unwrap();
    } else {
        { file }.read_to_end(&mut bytes).unwrap();
    }
    bytes
}

/// The exit code and the reports of `ferz validate`.
fn validate(path: &Path) -> (i32, Vec<Value>) {
    let output = Command::new(FERZ).args(["validate", "--format", "ndjson"]).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let reports = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code().unwrap(), reports)
}

#[test]
fn real_games_are_legal_and_end_as_they_say() {
    for path in corpus() {
        let (code, reports) = validate(&path);
        let wrong: Vec<&Value> = reports
            .iter()
            .filter(|report| report["legal"] != true || report["agreement"] == "contradicted")
            .collect();
        assert!(wrong.is_empty(), "{}: {} games, first {}", path.display(), wrong.len(), wrong[0]);
        let confirmed = reports.iter().filter(|report| report["agreement"] == "confirmed").count();
        assert!(confirmed > 0, "{}: no game ends on the board", path.display());
        assert_eq!(code, 0, "{}", path.display());
        let plies: u64 = reports.iter().map(|report| report["plies"].as_u64().unwrap()).sum();
        eprintln!("{}: {} games, {plies} plies, {confirmed} ends confirmed", path.display(), reports.len());
    }
}

/// What is changed in a text: the bytes from here to there become others.
struct Change {
    from: usize,
    to: usize,
    text: String,
}

fn change(record: &Record<'_>, item: Item, text: &str) -> Change {
    let span = record.span(item);
    Change { from: span.start, to: span.end, text: text.into() }
}

/// What must be reported of a spoiled game.
#[derive(Debug, PartialEq)]
enum Spoiled {
    /// An illegal ply: its number, its text, line, column, in characters.
    Ply(usize, String, usize, usize),
    /// A result that the board contradicts.
    Result,
}

/// Line and column of a byte, both from 1, counted apart from the program; `newlines` are those of the text.
fn place(text: &[u8], newlines: &[usize], at: usize) -> (usize, usize) {
    let line = newlines.partition_point(|&newline| newline < at);
    let start = line.checked_sub(1).map_or(0, |last| newlines[last] + 1);
    (line + 1, String::from_utf8_lossy(&text[start..at]).chars().count() + 1)
}

/// Spoils a game in so many: one token of its moves, or the result where the board shows another.
fn spoil(text: &[u8], sound: &[Value]) -> (Vec<u8>, BTreeMap<usize, Spoiled>) {
    let (mut changes, mut spoiled) = (Vec::new(), BTreeMap::new());
    for (number, record) in read(text, 0).enumerate() {
        let plies = record.main_moves().count();
        if number % SPOILED_EVERY == 0 && plies > 0 {
            let ply = number / SPOILED_EVERY * 7 % plies;
            let (_, item) = record.main_moves().nth(ply).unwrap();
            let wrong = NEVER_LEGAL[number / SPOILED_EVERY % NEVER_LEGAL.len()];
            spoiled.insert(number, Spoiled::Ply(ply + 1, wrong.into(), 0, 0));
            changes.push((number, change(&record, item, wrong)));
        } else if number % SPOILED_EVERY == 1 && sound[number]["end"]["reason"] == "checkmate" {
            let Some(tag) = record.find_tag("Result") else { continue };
            let span = record.tag_span(tag);
            spoiled.insert(number, Spoiled::Result);
            changes.push((number, Change { from: span.start, to: span.end, text: "1/2-1/2".into() }));
        }
    }
    let (mut out, mut kept) = (Vec::with_capacity(text.len()), 0);
    let mut places = Vec::new();
    for (number, Change { from, to, text: wrong }) in changes {
        out.extend_from_slice(&text[kept..from]);
        places.push((number, out.len()));
        out.extend_from_slice(wrong.as_bytes());
        kept = to;
    }
    out.extend_from_slice(&text[kept..]);
    let newlines: Vec<usize> = (0..out.len()).filter(|&at| out[at] == b'\n').collect();
    for (number, at) in places {
        if let Some(Spoiled::Ply(_, _, line, column)) = spoiled.get_mut(&number) {
            (*line, *column) = place(&out, &newlines, at);
        }
    }
    (out, spoiled)
}

#[test]
fn exactly_the_spoiled_games_are_found() {
    for path in corpus() {
        let (_, sound) = validate(&path);
        let (text, expected) = spoil(&unpacked(&path), &sound);
        assert!(expected.len() > 1, "{}: too few games to spoil one", path.display());
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("spoiled.pgn");
        fs::write(&file, text).unwrap();
        let (code, reports) = validate(&file);
        assert_eq!((code, reports.len()), (1, sound.len()), "{}", path.display());
        let mut found = BTreeMap::new();
        for (number, report) in reports.iter().enumerate() {
            let illegal = &report["illegal"];
            let count = |key: &str| illegal[key].as_u64().unwrap() as usize;
            if report["legal"] == false {
                let token = illegal["text"].as_str().unwrap().to_owned();
                found.insert(number, Spoiled::Ply(count("ply"), token, count("line"), count("column")));
            } else if report["agreement"] == "contradicted" {
                found.insert(number, Spoiled::Result);
            } else {
                assert_eq!(report["final_fen"], sound[number]["final_fen"], "game {number}");
            }
        }
        assert_eq!(found, expected, "{}", path.display());
        eprintln!("{}: {} spoiled games found, no others", path.display(), found.len());
    }
}

/// One game in so many goes through all styles.
const CONVERTED_EVERY: usize = 50;

/// The records of a text that go through all styles.
fn slice(text: &[u8]) -> Vec<u8> {
    let every = if std::env::var_os("FERZ_CORPUS_WHOLE").is_some() { 1 } else { CONVERTED_EVERY };
    let chosen = read(text, 0).step_by(every).map(|record| record.source().to_vec());
    chosen.flat_map(|record| [record, b"\n\n".to_vec()]).flatten().collect()
}

/// The records of a file in a style; nothing may be lost.
fn converted(path: &Path, style: &str) -> Vec<u8> {
    let output = Command::new(FERZ).args(["convert", "--no-loss", "--to", style]).arg(path).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{}: {style}: {errors}", path.display());
    output.stdout
}

/// The plies of all records, variations included, as they are written, but for the marks of check and mate: people write
/// `+` for mate, and what is written anew has the right one.
fn tokens(text: &[u8]) -> Vec<String> {
    let of = |record: Record<'_>| {
        let moves = record.items.iter().filter(|item| item.kind == ItemKind::Move);
        let unmarked = |item: &Item| record.text(*item).trim_end_matches(['+', '#']).to_owned();
        moves.map(unmarked).collect::<Vec<String>>()
    };
    read(text, 0).flat_map(of).collect()
}

/// Every style can express chess: from the players' SAN to it and back, nothing changes, and what is read is what was
/// written.
#[test]
fn real_games_come_back_from_every_style() {
    for path in corpus() {
        let text = slice(&unpacked(&path));
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        fs::write(place("games.pgn"), &text).unwrap();
        let san = converted(&place("games.pgn"), "san");
        assert_eq!(tokens(&san), tokens(&text), "{}: SAN as it was written, marks apart", path.display());
        for style in Style::ALL.map(Style::name) {
            let there = converted(&place("games.pgn"), style);
            fs::write(place(style), &there).unwrap();
            assert!(converted(&place(style), "san") == san, "{}: {style}", path.display());
        }
        eprintln!("{}: {} plies through every style", path.display(), tokens(&san).len());
    }
}

/// Keeps all games in an archive, takes them out as they were, and keeps them again: in the same archive, and in a fresh
/// one.
#[cfg(feature = "archive")]
#[test]
fn an_archive_gives_back_what_came() {
    for path in corpus() {
        let directory = tempfile::tempdir().unwrap();
        let archive = |verb: &[&str], db: &str, input: &[u8]| {
            let mut command = Command::new(FERZ);
            command.arg("archive").args(verb).arg("--db").arg(directory.path().join(db));
            let output = command.write_stdin(input).output().unwrap();
            assert!(output.status.success(), "{verb:?}: {}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        let text = unpacked(&path);
        // A game that the file has twice, but for white space around it, is there once.
        let mut seen = std::collections::HashSet::new();
        let (mut once, mut games) = (Vec::new(), 0);
        for record in read(&text, 0) {
            games += 1;
            if seen.insert(record.source().trim_ascii()) {
                once.extend_from_slice(record.source());
            }
        }
        let (new, known) = (seen.len(), games - seen.len());
        let first = String::from_utf8(archive(&["import"], "games.ferz", &text)).unwrap();
        assert!(first.starts_with(&format!("{games} games: ")), "{first}");
        assert!(first.contains(&format!(" {known} already known, 0 not legal")), "{new} texts: {first}");
        let out = archive(&["export", "--original"], "games.ferz", b"");
        assert!(out == once, "{}: other bytes came out than went in", path.display());
        assert_eq!(known == 0, out == text, "{}", path.display());
        let again = String::from_utf8(archive(&["import"], "games.ferz", &out)).unwrap();
        assert_eq!(again, format!("{new} games: 0 new, {new} already known, 0 not legal\n"));
        let fresh = String::from_utf8(archive(&["import"], "fresh.ferz", &out)).unwrap();
        assert!(fresh.contains(" 0 already known"), "{fresh}");
        assert!(archive(&["export", "--original"], "fresh.ferz", b"") == once);
        let verified = String::from_utf8(archive(&["verify", "--replay"], "games.ferz", b"")).unwrap();
        assert!(verified.ends_with(": 0 damaged, 0 judged otherwise by this version\n"), "{verified}");
        // Other words are other texts of the same games.
        let coordinates = archive(&["export", "--to", "coord"], "games.ferz", b"");
        let words = String::from_utf8(archive(&["import"], "games.ferz", &coordinates)).unwrap();
        assert!(words.contains(": 0 new, "), "{words}");
        eprintln!("{}: {} kept and given back, {known} of them twice", path.display(), first.trim());
    }
}
