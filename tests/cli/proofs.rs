//! Receipts from the command line, checked without the archive.

use crate::program::{Run, ferz, write};
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
        ["{\"kind\":\"token\",", "\"scopes\":\"read\"", "{\"kind\":\"revocation\",", "{\"kind\":\"key\","]
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
