//! The archive when programs are killed while they write: what was acknowledged is there, the file is whole, and an
//! import that was cut is just run again.
//!
//! `FERZ_CRASHES` is the number of rounds; without it there are a few.
#![cfg(all(feature = "cli", feature = "archive"))]
#![allow(clippy::unwrap_used)]

use ferz::archive::{Archive, Filter, GameId, Summary};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const FERZ: &str = env!("CARGO_BIN_EXE_ferz");

/// Programs that write at the same time.
const WRITERS: usize = 3;

/// Games of one input.
const GAMES: usize = 3_000;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
}

/// A file of games, half of which other writers have too.
fn input(folder: &Path, writer: usize) -> std::path::PathBuf {
    let mut text = String::new();
    for game in 0..GAMES {
        let writer = if game % 2 == 0 { WRITERS } else { writer };
        let mut random = Random((writer * GAMES + game) as u64);
        let moves = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. d4 Nf6 2. c4 g6", "1. e4 c5 2. Ke3"][game % 3];
        text += &format!("[Event \"Writer {writer}\"]\n[Round \"{game}\"]\n[White \"Ann\"]\n\n{moves} {{");
        // An input is read in parts of a megabyte. Some of them are to be written while others are not, so records
        // are long, in words that do not pack well.
        (0..200).for_each(|_| text += &format!("{:x} ", random.next()));
        text += "} *\n\n";
    }
    assert!(text.len() > 4 << 20, "{} bytes are hardly more than is read at once", text.len());
    let path = folder.join(format!("{writer}.pgn"));
    std::fs::write(&path, text).unwrap();
    path
}

fn import(db: &Path, file: &Path) -> Command {
    let mut command = Command::new(FERZ);
    command.args(["archive", "import", "--format", "ndjson", "--jobs", "1", "--db"]).arg(db).arg(file);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The ids that a program acknowledges; after `enough` of them it is killed.
fn acknowledged(mut child: Child, enough: usize) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ids = Vec::new();
    for line in lines {
        // The last line may be cut.
        let Ok(line) = serde_json::from_str::<Value>(&line.unwrap()) else { break };
        ids.push(line["id"].as_str().unwrap().to_owned());
        if ids.len() == enough {
            // SIGKILL.
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    ids
}

fn everything(db: &Path) -> BTreeSet<GameId> {
    let archive = Archive::open_existing(db).unwrap();
    let (mut found, mut cursor) = (BTreeSet::new(), None);
    loop {
        let page = archive.list(&Filter::default(), 1000, cursor.as_deref()).unwrap();
        found.extend(page.items.iter().map(|item| item.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return found;
        }
    }
}

/// What is known of the games of an archive besides the ids, which each archive gives by itself.
fn games(db: &Path) -> BTreeSet<String> {
    let archive = Archive::open_existing(db).unwrap();
    let entry = |id| {
        let entry = archive.get(id).unwrap().unwrap();
        let Summary { white, black, event, date, round, result, .. } = entry.summary;
        format!("{white} {black} {event} {date} {round} {result} {} {}", entry.start, entry.moves.join(" "))
    };
    everything(db).into_iter().map(entry).collect()
}

fn verify(db: &Path) {
    let output = Command::new(FERZ).args(["archive", "verify", "--db"]).arg(db).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
}

#[test]
fn what_was_acknowledged_is_there() {
    let rounds = std::env::var("FERZ_CRASHES").map_or(6, |rounds| rounds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let inputs: Vec<_> = (0..WRITERS).map(|writer| input(folder.path(), writer)).collect();
    let mut db = folder.path().join("0.ferz");
    let (mut promised, mut cut) = (BTreeSet::new(), 0);
    let mut random = Random(1);
    for round in 0..rounds {
        // An archive is filled after a while; then there is another one.
        if promised.len() > GAMES {
            db = folder.path().join(format!("{round}.ferz"));
            promised.clear();
        }
        let children: Vec<Child> = inputs.iter().map(|file| import(&db, file).spawn().unwrap()).collect();
        let readers = children.into_iter().map(|child| {
            let enough = 1 + random.next() % GAMES;
            std::thread::spawn(move || acknowledged(child, enough))
        });
        let readers: Vec<_> = readers.collect();
        for reader in readers {
            let ids = reader.join().unwrap();
            cut += usize::from(ids.len() < GAMES);
            promised.extend(ids);
        }
        verify(&db);
        let there: BTreeSet<String> = everything(&db).iter().map(ToString::to_string).collect();
        let lost: Vec<&String> = promised.difference(&there).collect();
        assert!(lost.is_empty(), "round {round}: {} of {} are lost: {lost:?}", lost.len(), promised.len());
    }
    assert!(cut > 0, "no program was killed before its end");
    // What was cut is run again, and is the same as if nothing had happened.
    let whole = folder.path().join("whole.ferz");
    for file in &inputs {
        for db in [&db, &whole] {
            assert_eq!(
                import(db, file).output().unwrap().status.code(),
                Some(1),
                "a third of the games is not legal"
            );
        }
    }
    assert_eq!(games(&db), games(&whole));
    assert_eq!(everything(&db).len(), GAMES / 2 * (WRITERS + 1));
    verify(&db);
}

/// A disk that is full: nothing is acknowledged that is not there, and the rest comes when there is room.
#[test]
#[cfg(unix)]
fn a_full_disk_is_told_and_heals() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("games.ferz");
    let file = input(folder.path(), 0);
    // No file may grow beyond so many blocks.
    let script = "ulimit -f 3000; exec \"$0\" archive import --jobs 1 --format ndjson --db \"$1\" \"$2\"";
    let limited = Command::new("sh").args(["-c", script, FERZ]).args([&db, &file]).output().unwrap();
    let err = String::from_utf8(limited.stderr).unwrap();
    assert_eq!(limited.status.code(), Some(2), "{err}");
    assert!(err.contains("the disk of the archive is full or its file may not grow; free space"), "{err}");
    let lines = String::from_utf8(limited.stdout).unwrap();
    let promised: BTreeSet<&str> = lines.lines().map(|line| line.split('"').nth(5).unwrap()).collect();
    assert!(promised.len() < GAMES);
    verify(&db);
    let there: BTreeSet<String> = everything(&db).iter().map(ToString::to_string).collect();
    assert!(promised.iter().all(|id| there.contains(*id)));
    assert_eq!(import(&db, &file).output().unwrap().status.code(), Some(1));
    assert_eq!(everything(&db).len(), GAMES);
    verify(&db);
}

/// An archive that cannot even be opened for want of room says so, and what to do.
#[test]
#[cfg(unix)]
fn a_disk_that_is_full_at_the_start_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there.ferz");
    drop(Archive::open(&there).unwrap());
    let script = "ulimit -f \"$1\"; shift; exec \"$0\" \"$@\"";
    for (blocks, verb, db) in [
        ("0", "import", folder.path().join("new.ferz")),
        ("0", "import", there.clone()),
        ("0", "list", there.clone()),
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", script, FERZ, blocks, "archive", verb, "--db"]).arg(&db).stdin(Stdio::null());
        let output = command.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{verb} {}: {err}", db.display());
        let expected =
            "cannot be opened because its disk is full or the file may not grow; free space and start again";
        assert!(err.contains(expected), "{verb} {}: {err}", db.display());
    }
    verify(&there);
}
