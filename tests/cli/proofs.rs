//! Receipts and bundles from the command line, checked without the archive.

use crate::program::{Run, ferz, run, write};
use std::path::PathBuf;

const GAME: &str =
    "[Event \"Spring Cup\"]\n[White \"Jane Doe\"]\n[Black \"Ben\"]\n\n1. e4 {best by test} e5 2. Nf3 1-0\n";
const OTHER: &str = "[Event \"Spring Cup\"]\n[White \"Cleo\"]\n[Black \"Ben\"]\n\n1. d4 *\n";

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk { folder: tempfile::tempdir().unwrap() };
        let games = write(desk.folder.path(), "games.pgn", format!("{GAME}\n{OTHER}"));
        assert_eq!(desk.archive(&["import", &games]).code, 0);
        desk
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn archive(&self, args: &[&str]) -> Run {
        ferz(&[&["archive"], args, &["--db", &self.path("games.ferz")]].concat(), b"")
    }

    fn fine(&self, args: &[&str]) -> String {
        let run = self.archive(args);
        assert_eq!(run.code, 0, "{args:?}: {}{}", run.out, run.err);
        run.out
    }

    fn key(&self) -> String {
        self.fine(&["key", "show"]).trim().to_owned()
    }

    /// The receipts, by their numbers.
    fn receipts(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path("receipts")).unwrap().map(|file| file.unwrap().path());
        let is_receipt = |file: &PathBuf| file.extension().unwrap() == "tlog-proof";
        let mut files: Vec<PathBuf> = files.filter(is_receipt).collect();
        let number = |file: &PathBuf| {
            let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
            stem.rsplit_once('-').unwrap().1.parse::<u64>().unwrap()
        };
        files.sort_by_key(number);
        files
    }
}

#[test]
fn tokens_and_keys_have_receipts_as_games_do() {
    let desk = Desk::new();
    let (first, receipts) = (desk.key(), desk.path("receipts"));
    let token = desk.fine(&["token", "add", "a/b", "--scope", "read", "--receipts", &receipts]);
    assert!(token.starts_with("ferz_"), "{token}");
    assert_eq!(desk.fine(&["token", "revoke", "a/b", "--receipts", &receipts]), "");
    let second = desk.fine(&["key", "rotate", "--receipts", &receipts]);
    assert_eq!(desk.archive(&["token", "revoke", "none", "--receipts", &receipts]).code, 2);
    let files = desk.receipts();
    let names: Vec<&str> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["token-4.tlog-proof", "token-5.tlog-proof", "key-6.tlog-proof"]);
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let proved = ferz(&[&["verify", "--key", &first], &files[..]].concat(), b"");
    assert_eq!(proved.code, 0, "{}", proved.out);
    for fact in
        ["\"kind\":\"token\",", "\"scopes\":\"read\"", "\"kind\":\"revocation\",", "\"kind\":\"key\","]
    {
        assert!(proved.out.contains(fact), "{fact}: {}", proved.out);
    }
    assert!(!proved.out.contains("a/b"), "no names: {}", proved.out);
    // Both keys have signed the change of keys, and the event names the new one.
    assert!(proved.out.contains(&format!("\"vkey\":\"{}\"", second.trim())), "{}", proved.out);
    let by_second = ferz(&["verify", "--key", second.trim(), files[2], files[0]], b"");
    assert_eq!((by_second.code, by_second.out.matches(": proved: ").count()), (1, 1), "{}", by_second.out);
    desk.fine(&["verify", "--against", files[0], files[1], "--against", files[2]]);
}

#[test]
fn a_bundle_is_a_game_that_proves_itself() {
    let desk = Desk::new();
    let list = desk.fine(&["list"]);
    let line = list.lines().find(|line| line.contains("Jane Doe")).unwrap();
    let id = line.split(' ').next().unwrap().to_owned();
    desk.fine(&["withdraw", &id, "--because", "entered twice"]);
    let bundle = desk.fine(&["bundle", &id[..8]]);
    let (file, key) = (write(desk.folder.path(), "game.bundle", &bundle), desk.key());
    // Without the archive.
    let proved = ferz(&["verify", &file, "--key", &key], b"");
    assert_eq!(proved.code, 0, "{}", proved.out);
    for event in ["proved: event 2 of 5, submission: {", "proved: event 4 of 5, withdrawal: {"] {
        assert!(proved.out.contains(event), "{}", proved.out);
    }
    let text = run(&["verify", &file, "--key", &key, "--text"], b"");
    assert_eq!((text.code, text.text().trim_end()), (0, GAME.trim_end()), "{}", text.err);
    // The game is judged again by the rules in it, which can be taken out.
    let again = ferz(&["verify", &file, "--key", &key, "--replay"], b"");
    assert!(
        again.code == 0 && again.out.contains("judged again: event 2: the same verdict"),
        "{}",
        again.out
    );
    let rules = ferz(&["verify", &file, "--key", &key, "--rules"], b"");
    let definition = write(desk.folder.path(), "rules.toml", &rules.out);
    assert_eq!(ferz(&["variants", "check", &definition], b"").code, 0, "{}", rules.out);
    // What is shown is bound to the log.
    for (from, to) in [
        ("best by test", "best by Test"),
        ("Jane Doe", "Jane Roe"),
        ("entered twice", "entered once"),
        ("e2e4", "e2e3"),
        ("title = ", "title  = "),
    ] {
        let changed = write(desk.folder.path(), "changed.bundle", bundle.replacen(from, to, 1));
        let refused = ferz(&["verify", &changed, "--key", &key], b"");
        assert!(refused.code == 1 && refused.out.contains("NOT PROVED: "), "{from}: {}", refused.out);
        let text = ferz(&["verify", &changed, "--key", &key, "--text"], b"");
        assert!(text.code == 1 && text.out.is_empty() && text.err.contains("NOT PROVED: "), "{}", text.err);
    }
    let (_, other) = (desk.fine(&["key", "rotate"]), desk.key());
    assert_eq!(ferz(&["verify", &file, "--key", &other], b"").code, 1);
    let again = write(desk.folder.path(), "again.bundle", desk.fine(&["bundle", &id]));
    assert_eq!(ferz(&["verify", &again, "--key", &other], b"").code, 0);
    // Nothing is left to bundle of a forgotten game.
    let none = desk.archive(&["bundle", &"0".repeat(32)]);
    assert!(none.code == 2 && none.err.contains("the archive has no game 0000"), "{}", none.err);
    desk.fine(&["forget", &id, "--because", "asked for", "--yes"]);
    let gone = desk.archive(&["bundle", &id]);
    assert!(gone.code == 2 && gone.err.contains("was forgotten by event 6"), "{}", gone.err);
    // The bundle from before still proves what was logged.
    assert_eq!(ferz(&["verify", &file, "--key", &key], b"").code, 0);
}

/// A receipt has no text; its salt and the record show what it is about.
#[test]
fn a_record_and_a_salt_open_a_receipt() {
    let desk = Desk::new();
    let (mine, receipts) = ("[White \"Ann\"]\n\n1. e4 {mine} *\n", desk.path("receipts"));
    let games = write(desk.folder.path(), "mine.pgn", format!("{mine}\n{OTHER}"));
    desk.fine(&["import", &games, "--receipts", &receipts]);
    let (key, files) = (desk.key(), desk.receipts());
    let receipt = files[0].to_str().unwrap();
    let verify = |record: &str| ferz(&["verify", receipt, "--key", &key, "--record", record], b"");
    let proved = verify(&games);
    assert!(proved.code == 0 && proved.out.contains(": proved: event "), "{}{}", proved.out, proved.err);
    let alone = write(desk.folder.path(), "alone.pgn", format!("{mine}\n"));
    assert_eq!(verify(&alone).code, 0);
    let other = write(desk.folder.path(), "other.pgn", mine.replace("mine", "yours"));
    let refused = verify(&other);
    assert!(
        refused.code == 1 && refused.out.contains("NOT PROVED: event 4 is about another text"),
        "{}",
        refused.out
    );
    std::fs::remove_file(files[0].with_extension("salt")).unwrap();
    let without = verify(&games);
    assert!(without.code == 2 && without.err.contains("the salt came with the receipt"), "{}", without.err);
}

/// Two receipts of one event, or two heads of one size, are the proof of a fraud by who has the key.
#[test]
fn two_histories_are_told() {
    let (one, two) = (Desk::new(), Desk::new());
    for end in ["", ".key"] {
        std::fs::copy(one.path(&format!("games.ferz{end}")), two.path(&format!("games.ferz{end}"))).unwrap();
    }
    let mut files = Vec::new();
    for (desk, moves) in [(&one, "1. e4 *"), (&two, "1. d4 *")] {
        let game = write(desk.folder.path(), "more.pgn", format!("[White \"Dora\"]\n\n{moves}\n"));
        desk.fine(&["import", &game, "--receipts", &desk.path("receipts")]);
        files.push(desk.receipts()[0].to_str().unwrap().to_owned());
    }
    let key = one.key();
    for file in &files {
        assert_eq!(ferz(&["verify", file, "--key", &key], b"").code, 0);
    }
    let both = ferz(&["verify", &files[0], &files[1], "--key", &key], b"");
    assert_eq!((both.code, both.out.matches("FRAUD: ").count()), (1, 2), "{}", both.out);
    assert!(
        both.out.contains("two different heads of 5 events") && both.out.contains("two different events 4")
    );
    let same = ferz(&["verify", &files[0], &files[0], "--key", &key], b"");
    assert_eq!((same.code, same.out.contains("FRAUD")), (0, false), "{}", same.out);
}

/// Whoever has the file without its key can start another one. The log says so, and a receipt from before finds it.
#[test]
fn a_key_that_was_not_handed_over_is_told() {
    let desk = Desk::new();
    let game = write(desk.folder.path(), "more.pgn", "[White \"Dora\"]\n\n1. c4 *\n");
    desk.fine(&["import", &game, "--receipts", &desk.path("receipts")]);
    let receipt = desk.receipts()[0].to_str().unwrap().to_owned();
    desk.fine(&["key", "rotate"]);
    assert!(!desk.fine(&["verify", "--against", &receipt]).contains("agree"));
    std::fs::remove_file(desk.path("games.ferz.key")).unwrap();
    desk.fine(&["key", "rotate", "--lost"]);
    let noted = desk.fine(&["verify"]);
    assert!(
        noted.contains("note: event 6 replaced the signing key, and the key before did not agree"),
        "{noted}"
    );
    let found = desk.archive(&["verify", "--against", &receipt]);
    assert!(
        found.code == 1 && found.out.contains("event 6 replaced the key that signed it"),
        "{}",
        found.out
    );
}
