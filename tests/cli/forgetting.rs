//! `ferz archive forget`: what it deletes, what it leaves, and what proves that it was asked for.

use crate::program::{Run, ferz};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

const GAMES: &str = "[Event \"Spring Cup\"]\n[Site \"Graz\"]\n[Date \"2020.05.17\"]\n[Round \"3\"]\n[White \"Jane Doe\"]\n\
    [Black \"Ben Only\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    [Event \"Spring Cup\"]\n[White \"Jane Doe\"]\n[Black \"Cleo\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 {why not} *\n\n\
    [Event \"Autumn\"]\n[White \"Ann\"]\n[Black \"Cleo\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. Kd3 0-1\n";

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    /// An archive of three games, with their receipts.
    fn new() -> Desk {
        let desk = Desk { folder: tempfile::tempdir().unwrap() };
        std::fs::write(desk.path("games.pgn"), GAMES).unwrap();
        let (receipts, games) = (desk.text("receipts"), desk.text("games.pgn"));
        assert_eq!(desk.run(&["import", "--receipts", &receipts, &games]).code, 1);
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Runs `ferz archive … --db games.ferz`.
    fn run(&self, args: &[&str]) -> Run {
        ferz(&[&["archive"], args, &["--db", &self.text("games.ferz")]].concat(), b"")
    }

    fn fine(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.code, 0, "{args:?}: {}{}", run.out, run.err);
        run.out
    }

    /// The id of the game of two players.
    fn id(&self, players: &str) -> String {
        let list = self.fine(&["list"]);
        let line = list.lines().find(|line| line.contains(players)).unwrap();
        line.split(' ').next().unwrap().to_owned()
    }

    /// The receipts of a game, or all of them.
    fn receipts(&self, id: &str) -> Vec<String> {
        let files = std::fs::read_dir(self.path("receipts")).unwrap();
        let files = files.map(|file| file.unwrap().path().to_str().unwrap().to_owned());
        files.filter(|file| file.contains(id) && file.ends_with(".tlog-proof")).collect()
    }

    /// True if the files of the archive contain a text anywhere.
    fn contains(&self, text: &str) -> bool {
        ["games.ferz", "games.ferz-wal"].iter().any(|name| {
            let bytes = std::fs::read(self.path(name)).unwrap_or_default();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
    }
}

const BECAUSE: [&str; 3] = ["--because", "asked for by a player", "--yes"];

#[test]
fn a_forgotten_game_leaves_no_names_and_a_log_that_verifies() {
    let desk = Desk::new();
    let id = desk.id("Jane Doe - Ben Only");
    desk.fine(&["withdraw", &id, "--because", "Jane Doe asked for it"]);
    // What would go is listed, and nothing goes.
    let dry = desk.fine(&["forget", &id[..8], "--dry-run"]);
    assert!(
        dry.contains(&format!("to forget: {id}  2020.05.17  1-0  Jane Doe - Ben Only: chess, 1 text\n")),
        "{dry}"
    );
    assert!(
        dry.contains("to forget: the name `Ben Only`\n") && dry.contains("to forget: the name `Graz`\n"),
        "{dry}"
    );
    assert!(dry.contains("stays: the name `Jane Doe`, which other games have\n"), "{dry}");
    let unsure = desk.run(&["forget", &id, "--because", "x"]);
    assert!(unsure.code == 2 && unsure.err.contains("nothing was deleted; add --yes"), "{}", unsure.err);
    assert!(desk.contains("Ben Only") && desk.contains("Jane Doe asked"));
    let receipts = desk.text("receipts");
    let told = desk.fine(&[&["forget", &id, "--receipts", &receipts][..], &BECAUSE].concat());
    let event = told.lines().last().unwrap().strip_prefix(&format!("{id} is forgotten by event ")).unwrap();
    for gone in ["Ben Only", "ben only", "Graz", "Jane Doe asked"] {
        assert!(!desk.contains(gone), "{gone} is in the file still");
    }
    assert!(desk.contains("Jane Doe"), "the other game has the name");
    // Nothing is damaged, and the event is named.
    let verified = desk.fine(&["verify", "--replay"]);
    let note = format!("note: the game {id} was forgotten by event {event}\n");
    assert!(
        verified.contains(&note)
            && verified.ends_with("2 games, 2 texts: 0 damaged, 0 judged otherwise by this version\n"),
        "{verified}"
    );
    let against: Vec<String> =
        desk.receipts("").into_iter().flat_map(|file| ["--against".to_owned(), file]).collect();
    let against: Vec<&str> = against.iter().map(String::as_str).collect();
    desk.fine(&[&["verify"], &against[..]].concat());
    // Receipts from before prove what they proved, and with the new one say by which event it was forgotten.
    let key = desk.fine(&["key", "show"]);
    let files = desk.receipts(&id);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let proved = ferz(&[&["verify", "--key", key.trim()], &files[..]].concat(), b"");
    assert_eq!(proved.code, 0, "{}", proved.out);
    assert_eq!(
        proved.out.matches(&format!(", forgotten by event {event}, submission: {{")).count(),
        files.len() - 1,
        "{}",
        proved.out
    );
    assert!(proved.out.contains("\"because\":\"asked for by a player\""), "{}", proved.out);
}

#[test]
fn a_forgotten_game_is_shown_nowhere_and_stays_forgotten() {
    let desk = Desk::new();
    let id = desk.id("Jane Doe - Ben Only");
    desk.fine(&[&["forget", "--name", "Jane Doe"][..], &BECAUSE].concat());
    assert_eq!(desk.fine(&["list", "--withdrawn"]).lines().count(), 1);
    assert!(!desk.contains("Jane") && !desk.contains("Spring Cup") && desk.contains("Cleo"));
    assert_eq!(desk.run(&["search", "jane"]).code, 1);
    let exported = desk.run(&["export", "--original", "--withdrawn"]).out;
    assert!(exported.contains("Ann") && !exported.contains("Jane"), "{exported}");
    for args in [
        &["export", "--id", &id][..],
        &["withdraw", &id, "--because", "x"],
        &["supersede", &desk.id("Ann - Cleo"), &id, "--because", "x"],
    ] {
        let run = desk.run(args);
        assert!(run.code == 2 && run.err.contains("forgotten"), "{args:?}: {}", run.err);
    }
    // The same games come again: nothing is stored, not even by a dry run.
    let games = desk.text("games.pgn");
    for dry in [&["--dry-run"][..], &[]] {
        let again = desk.run(&[&["import", &games], dry].concat());
        let counts = "3 games: 0 new, 1 already known, 2 forgotten and not stored again, 1 illegal";
        assert!(again.out.contains(counts), "{}", again.out);
        let note = format!("games.pgn: game 1: not stored: the game {id} was forgotten by event ");
        assert!(
            again.err.contains(&note) && again.err.contains(": asked for by a player\n"),
            "{}",
            again.err
        );
        assert_eq!(again.err.matches("not stored").count(), 2, "{}", again.err);
        let lines = desk.run(&[&["import", "--format", "ndjson", &games], dry].concat()).out;
        assert_eq!(lines.matches("\"created\":false,\"forgotten\":true").count(), 2, "{lines}");
    }
    assert!(!desk.contains("Jane") && !desk.contains("Ben Only"));
    // A new game may have the name, which is another row now.
    std::fs::write(desk.path("new.pgn"), "[White \"Jane Doe\"]\n\n1. c4 *\n").unwrap();
    desk.fine(&["import", &desk.text("new.pgn")]);
    assert_eq!(desk.fine(&["search", "jane"]).lines().count(), 1);
    // Once more: it is said, and the file is cleaned again.
    let again = desk.fine(&[&["forget", &id][..], &BECAUSE].concat());
    assert!(again.starts_with(&format!("the game {id} was forgotten by event ")), "{again}");
    assert!(desk.fine(&["verify"]).ends_with("2 games, 2 texts: 0 damaged\n"));
    let none = desk.run(&[&["forget", "--name", "Nobody"][..], &BECAUSE].concat());
    assert!(none.code == 2 && none.err.contains("no game has the name `Nobody`"), "{}", none.err);
}

/// Changes an archive past the triggers, and recomputes no digests; returns what `verify` says.
fn attacked(desk: &Desk, change: &str) -> String {
    let copy = desk.path("copy");
    std::fs::copy(desk.path("games.ferz"), &copy).unwrap();
    let file = Connection::open(&copy).unwrap();
    let triggers: Vec<(String, String)> = {
        let mut find = file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        find.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    triggers.iter().for_each(|(name, _)| file.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
    file.execute_batch(change).unwrap();
    triggers.iter().for_each(|(_, sql)| file.execute_batch(sql).unwrap());
    drop(file);
    let copy: &Path = &copy;
    let run = ferz(&["archive", "verify", "--db", copy.to_str().unwrap()], b"");
    assert_eq!(run.code, 1, "{change}: {}", run.out);
    run.out
}

#[test]
fn forgetting_without_the_event_is_found() {
    let desk = Desk::new();
    for (change, message) in [
        ("DELETE FROM salt WHERE event = 2", "the salt of event 2 is missing"),
        (
            "UPDATE name SET text = '(unknown)', folded = '(unknown)' WHERE number = 1",
            "do not match the key of the entry",
        ),
        ("UPDATE game SET white = black WHERE number = 1", "`private` of row 1 of `submission`"),
        (
            "INSERT INTO forgotten VALUES (1, 2); DELETE FROM salt WHERE event = 2",
            "no event forgets the game",
        ),
        (
            "UPDATE submission SET text = x'', report = x'' WHERE number = 1",
            "a packed text cannot be unpacked: it is empty",
        ),
    ] {
        let found = attacked(&desk, change);
        assert!(found.contains(message), "{change}: {found}");
    }
    let id = desk.id("Jane Doe - Ben Only");
    desk.fine(&[&["forget", &id][..], &BECAUSE].concat());
    for (change, message) in [
        ("DELETE FROM forgotten", "forgets the game"),
        (
            "UPDATE submission SET text = x'00' WHERE number = 1",
            "was forgotten, but row 1 of `submission` or its entry is not blank",
        ),
        (
            "UPDATE game SET result = '0-1' WHERE number = 1",
            "is not what `result` of row 1 of `submission` says",
        ),
        ("UPDATE game SET round = '7' WHERE number = 1", "or its entry is not blank"),
        ("UPDATE game SET salt = zeroblob(16) WHERE number = 1", "or its entry is not blank"),
        ("DELETE FROM seal", "has not the seal of a forgotten entry"),
        (
            "INSERT INTO name (text, folded) VALUES ('Joan Roe', 'joan roe')",
            "of `name` was added by no event",
        ),
        ("INSERT INTO salt VALUES (2, zeroblob(16))", "event 2 has a salt, and should have none"),
        ("INSERT INTO forgotten SELECT 2, event FROM forgotten", "no event forgets the game"),
    ] {
        let found = attacked(&desk, change);
        assert!(found.contains(message), "{change}: {found}");
    }
}
