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
        let mut files: Vec<PathBuf> = files.collect();
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
    desk.fine(&["verify", "--against", files[0], "--against", files[1], "--against", files[2]]);
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
