//! `ferz archive` as its users meet it: files in, the same files out, and everything found between.

use crate::common;
use crate::program::{Run, ferz, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A folder with an archive that need not be there yet.
pub struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Runs `ferz archive VERB --db games.ferz …`.
    pub fn run(&self, verb: &str, args: &[&str], input: &[u8]) -> Run<Vec<u8>> {
        self.run_on("games.ferz", verb, args, input)
    }

    pub fn run_on(&self, db: &str, verb: &str, args: &[&str], input: &[u8]) -> Run<Vec<u8>> {
        let db = self.path(db);
        let verb: Vec<&str> = verb.split(' ').collect();
        run(&[&["archive"], &verb[..], &["--db", db.to_str().unwrap()], args].concat(), input)
    }

    /// A run that has to succeed.
    pub fn data(&self, verb: &str, args: &[&str]) -> String {
        let run = self.run(verb, args, b"");
        assert_eq!(run.code, 0, "{verb} {args:?}: {}{}", run.text(), run.err);
        run.text().to_owned()
    }

    pub fn import(&self, input: &[u8]) -> Run<Vec<u8>> {
        self.run("import", &["-"], input)
    }
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const GAMES: &str = "[Event \"Club\"]\n[Site \"Linz\"]\n[Date \"2020.05.17\"]\n[Round \"3\"]\n[White \"Réti, Richard\"]\n\
    [Black \"O'Kelly\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    [Event \"Club\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Result \"*\"]\n\n1. d4 d5 (1... f5) 2. c4 {why not} *\n\n\
    [Event \"Cup\"]\n[White \"Ann\"]\n[Black \"Cleo\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. Kd3 0-1\n\n\
    [Variant \"ichess\"]\n[White \"Dora\"]\n\n1. R=a1 R=h8 *\n";

/// All files under `fixtures/games`, in the order of their names.
fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = common::root().join("fixtures/games");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "pgn"));
    paths.sort();
    assert!(paths.len() > 20);
    paths.into_iter().map(|path| (path.clone(), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn a_file_comes_out_as_it_went_in() {
    for (path, text) in fixtures() {
        let desk = Desk::new();
        let name = path.to_str().unwrap();
        let first = desk.run("import", &[name], b"");
        assert!(first.code < 2, "{name}: {}", first.err);
        let exported = desk.run("export", &["--original"], b"");
        assert_eq!((exported.code, &*exported.err), (0, ""), "{name}");
        assert!(exported.out == text, "{name}: {}", String::from_utf8_lossy(&exported.out));
        // Again into the same archive, and what came out into a fresh one.
        let again = desk.run("import", &[name], b"");
        assert!(again.text().contains(" 0 new, "), "{name}: {}", again.text());
        let fresh = desk.run_on("fresh.ferz", "import", &["-"], &exported.out);
        assert_eq!(fresh.text(), first.text(), "{name}");
        let twice = desk.run_on("fresh.ferz", "export", &["--original"], b"");
        assert!(twice.out == text, "{name}");
        assert_eq!(desk.run("verify", &["--replay"], b"").code, 0, "{name}");
    }
}

#[test]
fn many_files_become_one_archive() {
    let desk = Desk::new();
    let fixtures = fixtures();
    let names: Vec<&str> = fixtures.iter().map(|(path, _)| path.to_str().unwrap()).collect();
    let first = desk.run("import", &names, b"");
    assert_eq!(first.code, 1, "some of the games are not legal");
    let number = |out: &str, what: &str| -> usize {
        let parts = out.split([':', ',', '(']).filter_map(|part| part.trim().split_once(' '));
        parts
            .filter(|(_, words)| words.trim() == what)
            .map(|(number, _)| number.parse::<usize>().unwrap())
            .sum()
    };
    let (texts, games) = (number(first.text(), "games"), number(first.text(), "new"));
    let known = ["known in another notation", "already known"].map(|what| number(first.text(), what));
    assert_eq!(texts, games + known.iter().sum::<usize>(), "{}", first.text());
    let texts = texts - known[1];
    let packed: Vec<u8> = fixtures.iter().rev().flat_map(|(_, text)| text.clone()).collect();
    let packed = zstd::encode_all(&packed[..], 3).unwrap();
    let again = desk.import(&packed);
    assert!(again.text().contains(" 0 new, "), "{}", again.text());
    assert_eq!(desk.data("list", &["--limit", "0"]).lines().count(), games);
    let verified = desk.data("verify", &["--replay"]);
    assert!(verified.starts_with(&format!("{games} games, {texts} texts: ")), "{verified}");
    // Records in another style are the same games.
    for style in ["san", "coord"] {
        let exported = desk.run("export", &["--to", style], b"");
        let again = desk.import(&exported.out);
        let number = |what| number(again.text(), what);
        // What is not legal, or could not be judged, is known by its text alone.
        assert!(
            number("new") <= number("illegal") + number("unreadable") + number("not judged"),
            "{style}: {}",
            again.text()
        );
    }
}

#[test]
fn the_last_line_and_the_exit_code_tell_what_became_of_the_games() {
    let desk = Desk::new();
    let first = desk.import(GAMES.as_bytes());
    assert_eq!((first.code, first.text()), (1, "4 games: 4 new, 0 already known, 1 illegal\n"));
    let more = GAMES.replace("Kd3", "c4").replace("why not", "indeed").replace("Dora", "Emil");
    let more = desk.import(more.as_bytes());
    let line = "4 games: 2 new (2 with the plies of another), 1 known in another notation, 1 already known, 0 illegal\n";
    assert_eq!((more.code, more.text()), (0, line));
    let file = desk.file("one.pgn", "1. e4 *\n");
    let lines = desk.run("import", &["--format", "ndjson", &file, &file], b"");
    let lines = json_lines(lines.text());
    assert_eq!((lines.len(), &lines[0]["created"], &lines[1]["created"]), (2, &true.into(), &false.into()));
    assert_eq!((&lines[0]["id"], &lines[0]["file"]), (&lines[1]["id"], &Value::from(file)));
    let none = desk.import(b"");
    assert_eq!((none.code, none.text()), (0, "0 games: 0 new, 0 already known, 0 illegal\n"));
    assert!(none.err.contains("no games found"), "{}", none.err);
}

/// Texts that are no records are named and not kept; what is beside them is kept, and what is not legal is named with its
/// line in the file.
#[test]
fn texts_that_are_no_records_are_skipped() {
    let desk = Desk::new();
    let games = "[White \"Ann\"]\n\n1. e4 *\n\nDear friends, this was a fine round *\n\n[White \"Bob\"]\n\n1. e4 e5\n2. Ke3 *\n\n\
        [White \"Cleo\"]\n\n1. &Kel *\n";
    let run = desk.import(games.as_bytes());
    let line = "3 games: 3 new, 0 already known, 1 illegal, 1 unreadable\n";
    assert_eq!((run.code, run.text()), (1, line), "{}", run.err);
    for said in [
        "standard input: game 2, line 8: ILLEGAL at ply 3, `Ke3`: ",
        "standard input: game 3, line 12: UNREADABLE at ply 1, `&Kel`: ",
    ] {
        assert!(run.err.lines().any(|line| line.starts_with(said)), "{said}\n{}", run.err);
    }
    for text in ["{\"name\": \"x\", \"moves\": 3}", "foo"] {
        let run = desk.import(text.as_bytes());
        let line = "0 games: 0 new, 0 already known, 0 illegal, 1 skipped, not a record\n";
        assert_eq!((run.code, run.text()), (1, line), "{text}");
    }
    assert_eq!(desk.data("list", &[]).lines().count(), 3);
}

/// What could not be judged is not called illegal, and why it could not is said, as `ferz validate` says it.
#[test]
fn what_could_not_be_judged_is_told_apart() {
    let desk = Desk::new();
    let games = "[Variant \"nonsense\"]\n[White \"Ann\"]\n\n1. e4 *\n\n[Variant \"nonsense\"]\n[White \"Bob\"]\n\n1. e4 *\n\n\
        [White \"Cleo\"]\n[FEN \"8\"]\n\n1. e4 *\n\n[White \"Dora\"]\n\n1. e5 *\n";
    let run = desk.import(games.as_bytes());
    assert_eq!((run.code, run.text()), (1, "4 games: 4 new, 0 already known, 1 illegal, 3 not judged\n"));
    let told: Vec<&str> = run.err.lines().filter(|line| line.contains("not judged")).collect();
    // What has been said of the game before is not said again.
    assert_eq!(told.len(), 2, "{}", run.err);
    let unknown = "standard input: game 1: not judged: J001: unknown variant `nonsense`";
    assert!(told[0].starts_with(unknown), "{}", run.err);
    assert!(told[1].starts_with("standard input: game 3: not judged: J002: "), "{}", run.err);
    let list = desk.data("list", &[]);
    let verdicts: Vec<&str> = list.lines().map(|line| line.rsplit_once(", ").unwrap().1).collect();
    assert_eq!(verdicts, ["NOT LEGAL", "not judged", "not judged", "not judged"], "{list}");
    // For programs nothing changes: what is not known to be legal is not valid.
    let lines = json_lines(&desk.data("list", &["--format", "ndjson"]));
    assert!(lines.iter().all(|line| line["valid"] == false && line.get("judged").is_none()), "{lines:?}");
}

#[test]
fn what_is_wrong_is_said() {
    let desk = Desk::new();
    for verb in ["list", "export", "verify", "search --player x", "token list", "token revoke x"] {
        let run = desk.run(verb, &[], b"");
        assert_eq!(run.code, 2, "{verb}");
        assert!(
            run.err.contains("games.ferz: no such archive; create it with `ferz archive import"),
            "{verb}: {}",
            run.err
        );
        assert!(!desk.path("games.ferz").exists(), "{verb} makes no archive");
    }
    desk.file("games.ferz", GAMES);
    for verb in ["list", "import"] {
        let run = desk.run(verb, &[], b"1. e4 *");
        assert_eq!(run.code, 2);
        assert!(run.err.contains("not an archive of ferz"), "{}", run.err);
    }
    assert_eq!(std::fs::read(desk.path("games.ferz")).unwrap(), GAMES.as_bytes(), "it is left as it is");
    let nowhere = desk.run_on("no/such/folder.ferz", "import", &["-"], b"1. e4 *");
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.contains("cannot be opened: its folder must exist"), "{}", nowhere.err);
    for (verb, args) in [("import", &["-"][..]), ("list", &[]), ("verify", &[])] {
        let folder = desk.run_on("", verb, args, b"1. e4 *");
        assert!(folder.code == 2 && folder.err.contains("it is a folder; name a file"), "{}", folder.err);
    }
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    for (verb, args, message) in [
        ("search", &[][..], "nothing to search for"),
        ("search", &["ann", "--player", "ben"], "cannot be used with"),
        ("search", &["--since", "May"], "write a year, a month or a day"),
        ("search", &["--valid", "maybe"], "write yes or no"),
        ("search", &["--end", "chekmate"], "use one of checkmate"),
        ("search", &["--result", "2-0"], "1/2-1/2"),
        ("list", &["--cursor", "x"], "`x` is not a cursor"),
        ("export", &["--id", "x"], "32 hexadecimal digits"),
        ("export", &["--id", "00000000000000000000000000000000"], "no game 0000"),
        ("export", &["--original", "--to", "san"], "cannot be used with"),
        ("backup", &["games.pgn/x"], "cannot"),
        ("token add", &[" "], "write a name"),
    ] {
        let run = desk.run(verb, args, b"");
        assert_eq!(run.code, 2, "{verb} {args:?}: {}", run.text());
        assert!(run.err.contains(message), "{verb} {args:?}: {}", run.err);
    }
}

#[test]
fn a_file_that_breaks_off_is_kept_up_to_there() {
    let desk = Desk::new();
    let mut packed = zstd::encode_all(GAMES.repeat(3).as_bytes(), 3).unwrap();
    packed.truncate(packed.len() - 3);
    let broken = desk.file("broken.pgn.zst", &packed);
    let whole = desk.file("whole.pgn", GAMES);
    let run = desk.run("import", &[&broken, &whole], b"");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("data is cut off") && run.err.contains("1 of 2 files"), "{}", run.err);
    assert!(run.text().ends_with("1 illegal\n"), "{}", run.text());
    assert_eq!(desk.data("list", &[]).lines().count(), 4);
}

#[test]
fn games_are_listed_and_found() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let list = desk.data("list", &[]);
    let lines: Vec<&str> = list.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    ????.??.??  *        Dora - ?: ichess, 2 plies
    ????.??.??  0-1      Ann - Cleo (Cup): chess, 2 plies, NOT LEGAL
    ????.??.??  *        Ann - Ben (Club): chess, 3 plies
    2020.05.17  1-0      Réti, Richard - O'Kelly (Club, Linz, round 3): chess, 7 plies, checkmate
    ");
    let page = desk.run("list", &["--limit", "3"], b"");
    assert_eq!(page.text().lines().count(), 3);
    let cursor = page.err.trim().rsplit(' ').next().unwrap().to_owned();
    let rest = desk.run("list", &["--limit", "3", "--cursor", &cursor, "--format", "ndjson"], b"");
    assert_eq!(rest.err, "");
    assert_eq!(json_lines(rest.text())[0]["white"], "Réti, Richard");
    let found = |args: &[&str]| {
        let run = desk.run("search", args, b"");
        let lines = run.text().lines().count();
        assert_eq!(run.code, i32::from(lines == 0), "{args:?}: {}", run.err);
        assert_eq!(run.err.contains("no game matches"), lines == 0, "{args:?}: {}", run.err);
        lines
    };
    assert_eq!(found(&["--player", "RETI"]), 1);
    assert_eq!(found(&["reti", "--result", "1-0"]), 1);
    assert_eq!(found(&["--player", "ann", "--valid", "no"]), 1);
    assert_eq!(found(&["--moves", "d2d4 d7d5", "--black", "ben"]), 1);
    assert_eq!(found(&["--variant", "chess"]), 3);
    assert_eq!(found(&["--end", "checkmate", "--result", "1-0", "--since", "2020", "--until", "2020.05"]), 1);
    assert_eq!(found(&["--player", "Zoe"]), 0);
    assert_eq!(found(&["--player", "Zoe", "--format", "ndjson"]), 0);
    let words = desk.run("search", &["--player", &"r ".repeat(330)], b"");
    assert!(words.code == 2 && words.err.contains("at most 32 words"), "{}", words.err);
}

#[test]
fn games_are_exported_as_asked() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let id = json_lines(&desk.data("search", &["--player", "dora", "--format", "ndjson"]))[0]["id"].clone();
    let one = desk.data("export", &["--id", id.as_str().unwrap(), "--to", "coord"]);
    assert!(one.ends_with("1. R@a1 R@h8 *\n\n"), "{one}");
    assert!(one.contains("[White \"Dora\"]") && one.contains("[Variant \"ichess\"]"));
    let original = desk.data("export", &["--original", "--player", "ann"]);
    assert_eq!(
        original,
        GAMES[GAMES.find("[Event \"Club\"]\n[White \"Ann\"]").unwrap()..GAMES.find("[Variant").unwrap()]
    );
    let reports = json_lines(&desk.data("export", &["--format", "ndjson", "--variant", "chess"]));
    assert_eq!(reports.len(), 3);
    assert!(reports.iter().all(|report| report["id"].as_str().unwrap().len() == 32 && report["game"] == 0));
    assert_eq!(reports[2]["illegal"]["text"], "Kd3");
    assert_eq!(reports[2]["illegal"]["line"], 6, "places count from the record's first line");
    let all = desk.run("export", &[], b"");
    assert_eq!(all.code, 1, "one of them cannot be converted to its end");
    assert!(all.text().contains("2. Kd3 0-1") && all.err.contains("is unchanged"), "{}", all.err);
}

/// A game that was read as another one than its tags say stays that game.
#[test]
fn an_export_names_the_game() {
    let desk = Desk::new();
    let text =
        b"[White \"Ann\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Q@e4 *\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@e4 *\n";
    let first = desk.run("import", &["--variant", "crazyhouse", "-"], text);
    assert_eq!(first.text(), "2 games: 2 new, 0 already known, 1 illegal\n");
    let exported = desk.run("export", &["--valid", "yes"], b"");
    assert!(exported.text().contains("[Variant \"crazyhouse\"]"), "{}", exported.text());
    let again = desk.import(&exported.out);
    assert_eq!(again.text(), "1 game: 0 new, 1 known in another notation, 0 already known, 0 illegal\n");
    assert_eq!(desk.run("verify", &["--replay"], b"").code, 0);
}

/// Changes an archive past its triggers, which are there again afterwards.
fn damage(path: &Path, sql: &str) {
    let file = rusqlite::Connection::open(path).unwrap();
    let mut find = file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
    let triggers = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let triggers: Vec<(String, String)> = triggers.map(Result::unwrap).collect();
    file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF").unwrap();
    for (name, _) in &triggers {
        file.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    file.execute_batch(sql).unwrap();
    for (_, trigger) in &triggers {
        file.execute_batch(trigger).unwrap();
    }
}

#[test]
fn every_change_is_found() {
    for (sql, message) in [
        ("UPDATE submission SET text = zeroblob(9) WHERE number = 1", "cannot be unpacked"),
        ("UPDATE submission SET text = (SELECT text FROM submission WHERE number = 2)", "its digest differs"),
        (
            "UPDATE submission SET report = (SELECT report FROM submission WHERE number = 3)",
            "is not the one that its event names",
        ),
        (
            "UPDATE submission SET game = 2 WHERE number = 4",
            "is not what `game` of row 4 of `submission` says",
        ),
        ("UPDATE submission SET received = 1 WHERE number = 4", "`received` of row 4 of `submission`"),
        ("UPDATE game SET variant = 'ichess' WHERE number = 2", "`variant` of row 2 of `submission`"),
        ("UPDATE game SET ending = 'checkmate' WHERE number = 2", "`ending` of row 2 of `submission`"),
        ("UPDATE game SET day = 19990101 WHERE number = 2", "`day` of the entry is not that of its date"),
        ("UPDATE game SET site = white WHERE number = 1", "`private` of row 1 of `submission`"),
        ("UPDATE submission SET text_key = zeroblob(16) WHERE number = 1", "does not match its key"),
        ("UPDATE name SET text = 'Bob' WHERE text = 'Ben'", "do not match the key of the entry"),
        ("UPDATE game SET result = '1-0' WHERE number = 2", "do not match the key of the entry"),
        ("UPDATE game SET date = '1999.01.01' WHERE number = 2", "do not match the key of the entry"),
        (
            "UPDATE game SET salt = zeroblob(16) WHERE number = 2",
            "the id is not that of the key and the salt",
        ),
        ("INSERT INTO seal VALUES (zeroblob(16), 2)", "the seal of a forgotten entry"),
        ("UPDATE game SET plies = 1 WHERE number = 2", "the number of plies"),
        ("UPDATE play SET moves = 'e2e4' WHERE number = 2", "play 2 does not match its key"),
        ("UPDATE rules SET digest = 'x' WHERE number = 1", "does not match its key"),
        ("DELETE FROM submission WHERE number = 2", "added row 2 of `submission`, which is missing"),
        ("UPDATE submission SET game = 9 WHERE number = 1", "refers to a missing row of `game`"),
        ("DELETE FROM dictionary", "`dictionary` has changed"),
    ] {
        let desk = Desk::new();
        desk.import(GAMES.as_bytes());
        damage(&desk.path("games.ferz"), sql);
        let run = desk.run("verify", &[], b"");
        assert_eq!(run.code, 1, "{sql}: {}{}", run.text(), run.err);
        assert!(run.text().contains(message), "{sql}: {}", run.text());
    }
}

/// Every column of every row that games are made of.
#[test]
fn a_changed_value_is_found_in_every_column() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    for game in json_lines(&desk.data("list", &["--format", "ndjson", "--limit", "2"])) {
        for verb in ["withdraw", "reinstate", "withdraw"] {
            desk.data(verb, &[game["id"].as_str().unwrap(), "--because", "entered twice"]);
        }
    }
    let own = desk.file("own.toml", "name = \"own\"\nextends = \"chess\"\n[ends]\nmisere = true\n");
    desk.data("register submit", &[&own, "--because", "mine"]);
    desk.data("register return", &["own", "--because", "no words"]);
    crate::attacks::play_games(&ferz::archive::Archive::open(desk.path("games.ferz")).unwrap());
    desk.data("index", &[]);
    let whole = std::fs::read(desk.path("games.ferz")).unwrap();
    let columns: Vec<(String, String, String)> = {
        let file = rusqlite::Connection::open(desk.path("games.ferz")).unwrap();
        let find = "SELECT s.name, c.name, c.type FROM sqlite_schema AS s, pragma_table_info(s.name) AS c \
            WHERE s.type = 'table' AND s.name NOT IN ('token', 'probe', 'node', 'forgotten', 'seal', 'alive', 'request', \
            'conditional') AND c.name <> 'number' AND NOT (s.name = 'correspondence' AND c.name IN ('timed', 'due')) \
            AND NOT (s.name IN ('act', 'seat', 'seed') AND c.name IN ('correspondence', 'sequence'))";
        let mut find = file.prepare(find).unwrap();
        let columns = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        columns.map(Result::unwrap).collect()
    };
    assert!(columns.len() > 35, "{columns:?}");
    let first_of = |table: &str| -> i64 {
        let file = rusqlite::Connection::open(desk.path("games.ferz")).unwrap();
        file.query_row(&format!("SELECT min(number) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    let (block, played) = (first_of("index_block"), first_of("index_game"));
    for (table, column, kind) in columns {
        std::fs::write(desk.path("games.ferz"), &whole).unwrap();
        // Another value of the same kind and length.
        let other = match kind.as_str() {
            "INTEGER" => format!("CASE {column} WHEN 1 THEN 0 ELSE 1 END"),
            "TEXT" => format!("coalesce(substr({column}, 2), '') || '~'"),
            _ => format!("CAST(substr(coalesce({column}, zeroblob(16)), 2) || x'07' AS BLOB)"),
        };
        let number = match table.as_str() {
            "dictionary" => 65_025,
            "log" => 1,
            "hidden" => 4,
            "index_segment" => 1,
            "index_block" => block,
            "index_game" => played,
            _ => 2,
        };
        let key = match table.as_str() {
            "salt" => "event",
            "hidden" => "game",
            "seat" | "seed" => "correspondence",
            _ => "number",
        };
        let change = format!("UPDATE {table} SET {column} = {other} WHERE {key} = {number}");
        damage(&desk.path("games.ferz"), &change);
        let run = desk.run("verify", &[], b"");
        assert_eq!(run.code, 1, "{change}: {}{}", run.text(), run.err);
    }
}

#[test]
fn bytes_that_flip_are_found_or_mean_nothing() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let path = desk.path("games.ferz");
    let whole = std::fs::read(&path).unwrap();
    let exported = desk.run("export", &["--original"], b"").out;
    for round in 0..40usize {
        let mut bytes = whole.clone();
        let at = round.wrapping_mul(2_654_435_761) % bytes.len();
        bytes[at] ^= 1 << (round % 8);
        std::fs::write(&path, &bytes).unwrap();
        let verified = desk.run("verify", &[], b"");
        let now = desk.run("export", &["--original"], b"");
        if verified.code == 0 && now.code == 0 {
            assert!(now.out == exported, "byte {at} was changed, and nothing told so");
        }
    }
}

/// Whoever has the file alone can unpack what is in it.
#[test]
fn a_text_unpacks_with_the_dictionary_of_its_archive() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let file = rusqlite::Connection::open(desk.path("games.ferz")).unwrap();
    let find = "SELECT text, bytes FROM submission, dictionary WHERE submission.number = 1";
    let (text, dictionary): (Vec<u8>, Vec<u8>) =
        file.query_row(find, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let mut unpacker = zstd::bulk::Decompressor::with_dictionary(&dictionary).unwrap();
    let text = unpacker.decompress(&text, 1 << 20).unwrap();
    assert!(GAMES.as_bytes().starts_with(&text) && text.ends_with(b"Qxf7# 1-0\n\n"));
}

/// A record without its edition is written with the one that it was judged by, and with the digest of rules that may
/// be others elsewhere.
#[test]
fn records_take_their_rules_along() {
    let desk = Desk::new();
    let next = "name = \"iago-m\"\nextends = \"iago-c\"\nedition = \"2031\"\neditions-change = true\n";
    let next = desk.file("next.toml", next);
    let game = "[Variant \"iago-m\"]\n\n1. &Ad1 &Ad8 *\n";
    let legal = |formats: &[&str], record: &str| ferz(&[formats, &["validate"]].concat(), record).code == 0;
    assert!(legal(&[], game) && !legal(&["--formats", &next], game), "edition 2031 has no amazon");
    desk.import(game.as_bytes());
    let fixed = ferz(&["fix"], game).out;
    for written in [ferz(&["convert", "--to", "lan"], game).out, desk.data("export", &[]), fixed] {
        assert!(written.contains("[RulesEdition \"2026\"]"), "{written}");
        assert!(legal(&["--formats", &next], &written), "{written}");
    }
    let digest = "[RulesDigest \"a7a01f6e8c3fe72a4186516732fb824e\"]";
    assert!(desk.data("export", &[]).contains(digest), "{}", desk.data("export", &[]));
    assert!(!ferz(&["convert", "--to", "lan"], game).out.contains("RulesDigest"));
    // A game of the user's own names its rules wherever it is written.
    let own = desk.file("own.toml", "name = \"own\"\nextends = \"chess\"\n[ends]\nstalemate = \"loss\"\n");
    let other = desk.file("other.toml", "name = \"own\"\nextends = \"chess\"\n[ends]\nmisere = true\n");
    let record = ferz(&["--formats", &own, "convert", "--to", "san"], "[Variant \"own\"]\n\n1. e4 *\n").out;
    assert!(record.contains("[RulesDigest \""), "{record}");
    assert!(!ferz(&["--formats", &own, "validate"], &record).err.contains("J028"));
    let Run { code, out, err } = ferz(&["--formats", &other, "validate"], &record);
    assert!(code == 1 && err.contains("error[J028]") && out.contains("not judged"), "{out}{err}");
    // Of own games the digest of play names none: another letter for a piece makes another game of the same plies.
    let letters = "name = \"own\"\nextends = \"chess\"\n[ends]\nstalemate = \"loss\"\n[pieces]\nN = { also = [\"S\"] }\n";
    let letters = desk.file("letters.toml", letters);
    let Run { code, err, .. } = ferz(&["--formats", &letters, "validate"], &record);
    assert!(code == 1 && err.contains("error[J028]"), "{err}");
    let play =
        ferz(&["--formats", &own, "validate", "--format", "ndjson"], "[Variant \"own\"]\n\n1. e4 *\n").out;
    let play = play.split("\"digest\":\"").nth(1).unwrap().split('"').next().unwrap();
    let of_play = format!("[Variant \"own\"]\n[RulesDigest \"{play}\"]\n\n1. e4 *\n");
    let Run { code, err, .. } = ferz(&["--formats", &own, "validate"], &of_play);
    assert!(code == 1 && err.contains("digest of play alone"), "{err}");
    // Of a game that the program brings it names that game.
    let chess = ferz(&["validate", "--format", "ndjson"], "1. e4 *\n").out;
    let chess = chess.split("\"digest\":\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(legal(&[], &format!("[RulesDigest \"{chess}\"]\n\n1. e4 *\n")));
}

/// When a definition changes, games keep the rules that they were judged by.
#[test]
fn games_are_bound_to_their_rules() {
    let desk = Desk::new();
    let rules = std::fs::read_to_string("fixtures/variants/valid/dragoons.toml").unwrap();
    let before = desk.file("before.toml", &rules);
    let after = desk.file("after.toml", rules.replace("betza = \"FN\"", "betza = \"F\""));
    let game = b"[Variant \"dragoons\"]\n\n1. Dd3 *\n";
    let db = desk.path("games.ferz");
    let db = db.to_str().unwrap();
    let run = |formats: &str, verb: &[&str], input: &[u8]| {
        let run = ferz(&[&["--formats", formats, "archive"], verb, &["--db", db]].concat(), input);
        (run.code, run.out)
    };
    let imported = (0, "1 game: 1 new, 0 already known, 0 illegal\n".to_owned());
    assert_eq!(run(&before, &["import"], game), imported);
    let exported = run(&before, &["export"], b"");
    assert!(exported.0 == 0 && exported.1.ends_with("1. Dd3 *\n\n"), "{}", exported.1);
    assert_eq!(
        run(&before, &["verify", "--replay"], b""),
        (0, "1 game, 1 text: 0 damaged, 0 judged otherwise by this version\n".into())
    );
    // By the rules of today the ply is illegal; the game is still what it was.
    assert_eq!(run(&after, &["export"], b""), exported);
    let (code, text) = run(&after, &["verify", "--replay"], b"");
    let kept = "0 judged otherwise by this version, 1 by kept rules, which are other ones today";
    assert!(code == 0 && text.contains(kept), "{text}");
    let again = run(&after, &["import"], game);
    assert_eq!(again, (1, "1 game: 1 new, 0 already known, 1 illegal\n".to_owned()), "{again:?}");
    // A record that names its rules is judged by them wherever the archive holds them.
    let bound = exported.1.as_bytes();
    let (code, text) = run(&after, &["import"], bound);
    assert!(code == 0 && text.contains("0 illegal") && !text.contains("1 new"), "{text}");
    let elsewhere = ferz(&["--formats", &after, "validate"], bound);
    assert!(elsewhere.code == 1 && elsewhere.err.contains("J028"), "{}", elsewhere.err);
    let list = desk.data("rules", &[]);
    assert_eq!(list.lines().count(), 2, "{list}");
    let digest = list.lines().next().unwrap().split(' ').next().unwrap();
    let kept = desk.file("kept.toml", desk.data("rules", &[&digest[..8]]));
    let shown = ferz(&["variants", "check", &kept], "").out;
    assert!(shown.contains(digest), "{shown}");
    assert_eq!(desk.run("rules", &["xyz"], b"").code, 2);
}

/// A claim about a game of an archive is judged by the rules that the archive kept with it.
#[test]
fn claims_are_judged_by_the_rules_of_the_archive() {
    let desk = Desk::new();
    let own = desk.file("own.toml", "name = \"own\"\nextends = \"chess\"\n[ends]\nstalemate = \"loss\"\n");
    let start = "[Variant \"own\"]\n[SetUp \"1\"]\n[FEN \"7k/5Q2/8/8/8/8/8/K7 b - - 0 1\"]\n\n1-0\n";
    let db = desk.path("games.ferz");
    let db = db.to_str().unwrap();
    let run = ferz(&["--formats", &own, "archive", "import", "--db", db], start);
    assert_eq!(run.code, 0, "{}", run.err);
    let id = desk.data("list", &["--format", "ndjson"]).split('"').nth(3).unwrap()[..8].to_owned();
    let judged = |more: &[&str]| ferz(&[&["adjudicate", "--db", db, &id], more].concat(), "");
    let Run { code, out, err } = judged(&["--claim", "stalemate", "--format", "json"]);
    assert!(code == 0 && out.contains("\"result\":\"1-0\""), "{out}{err}");
    let overridden = judged(&["--claim", "stalemate", "--variant", "chess"]);
    assert!(overridden.code == 2 && overridden.err.contains("cannot be used with"), "{}", overridden.err);
    let none = ferz(&["adjudicate", "--db", db, "ffffffff", "--claim", "stalemate"], "");
    assert_eq!(none.code, 2, "{}", none.err);
}

/// What is in an archive is for its owner alone, and for whom the owner lets.
#[test]
#[cfg(unix)]
fn new_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    let open = ferz::archive::Archive::open(desk.path("games.ferz")).unwrap();
    desk.data("backup", &[desk.path("copy.ferz").to_str().unwrap()]);
    for name in ["games.ferz", "games.ferz-wal", "games.ferz-shm", "copy.ferz"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    drop(open);
    // A file that its owner has opened to others stays so.
    std::fs::set_permissions(desk.path("games.ferz"), std::fs::Permissions::from_mode(0o640)).unwrap();
    desk.import(b"1. d4 *");
    assert_eq!(mode("games.ferz"), 0o640);
}

#[test]
fn a_copy_is_an_archive() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let copy = desk.path("copy.ferz");
    desk.data("backup", &[copy.to_str().unwrap()]);
    assert_eq!(desk.run_on("copy.ferz", "export", &["--original"], b"").out, GAMES.as_bytes());
    assert_eq!(desk.run_on("copy.ferz", "verify", &["--replay"], b"").code, 0);
    let again = desk.run("backup", &[copy.to_str().unwrap()], b"");
    assert!(again.code == 2 && again.err.contains("it is there already"), "{}", again.err);
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let desk = Desk::new();
    let token = desk.data("token add", &["arbiter"]);
    assert!(token.starts_with("ferz_") && token.trim().len() == 69, "{token}");
    assert!(desk.data("token list", &[]).starts_with("arbiter  read,submit  made 2"));
    let wanted = ["chief", "--scope", "director", "--holder", "Ann", "--expires", "2999-12-31"];
    desk.data("token add", &wanted);
    let list = desk.data("token list", &[]);
    assert!(
        list.contains("chief (Ann)  director  made 2") && list.contains(", expires 2999-12-31T23"),
        "{list}"
    );
    for (wrong, why) in [
        (["--scope", "write"], "`write` is not a scope"),
        (["--expires", "2001-01-01"], "the token would have expired at 2001-01-01"),
        (["--expires", "soon"], "write a date as YYYY-MM-DD"),
    ] {
        let refused = desk.run("token add", &["x", wrong[0], wrong[1]], b"");
        assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
    }
    let again = desk.run("token add", &["arbiter"], b"");
    assert!(again.code == 2 && again.err.contains("a token named `arbiter`"), "{}", again.err);
    desk.data("token revoke", &["arbiter"]);
    assert!(desk.data("token list", &[]).contains(", revoked 2"));
    assert_eq!(desk.run("token revoke", &["arbiter"], b"").code, 2);
}

#[test]
fn a_game_is_withdrawn_superseded_and_still_there() {
    let desk = Desk::new();
    desk.import(GAMES.as_bytes());
    let listed = |args: &[&str]| json_lines(&desk.data("list", &[&["--format", "ndjson"], args].concat()));
    let ids: Vec<String> = listed(&[]).iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect();
    let told = desk.data("withdraw", &[&ids[0][..16], "--because", "entered twice"]);
    assert_eq!(told, format!("{} is withdrawn\n", ids[0]));
    desk.data("supersede", &[&ids[1], &ids[2], "--because", "the result was 1-0"]);
    assert_eq!((listed(&[]).len(), listed(&["--withdrawn"]).len()), (2, 4));
    let lines = desk.data("list", &["--withdrawn"]);
    let superseded = format!(", WITHDRAWN, superseded by {}: the result was 1-0", ids[2]);
    assert!(lines.contains(", WITHDRAWN: entered twice\n") && lines.contains(&superseded), "{lines}");
    for (args, expected) in [
        (&[&ids[0][..], "--because", "again"][..], "is withdrawn already"),
        (&["12", "--because", "x"], "`12` is not the id of a game"),
        (&[&"0".repeat(32), "--because", "x"], "the archive has no game 0000"),
        (&[&ids[2], "--because", " "], "give a reason of at most 1000 characters"),
    ] {
        let run = desk.run("withdraw", args, b"");
        assert!(run.code == 2 && run.err.contains(expected), "{args:?}: {}", run.err);
    }
    let exported = desk.data("export", &["--original"]);
    assert!(exported.len() < GAMES.len());
    assert_eq!(desk.data("export", &["--original", "--withdrawn"]), GAMES);
    assert!(!desk.data("export", &["--original", "--id", &ids[0][..8]]).is_empty());
    // Importing it again leaves it withdrawn, and says so.
    let again = desk.import(GAMES.as_bytes());
    assert!(again.text().contains("4 already known"), "{}", again.text());
    assert_eq!(again.err.matches("known, but withdrawn: ").count(), 2, "{}", again.err);
    assert_eq!(listed(&[]).len(), 2);
    let told = desk.data("reinstate", &[&ids[0], "--because", "it was another game"]);
    assert_eq!((told, listed(&[]).len()), (format!("{} is reinstated\n", ids[0]), 3));
    let none = desk.run("reinstate", &[&ids[0], "--because", "again"], b"");
    assert!(none.code == 2 && none.err.contains("is not withdrawn"), "{}", none.err);
    desk.data("withdraw", &[&ids[0], "--because", "entered twice"]);
    desk.data("verify", &["--replay"]);
    // An archive with nothing but withdrawn games is not empty.
    for id in &ids[2..] {
        desk.data("withdraw", &[id, "--because", "entered twice"]);
    }
    let list = desk.run("list", &[], b"");
    assert!(list.err.contains("only withdrawn games match; list them with --withdrawn"), "{}", list.err);
}

#[test]
fn an_import_can_store_nothing_or_only_legal_games() {
    let desk = Desk::new();
    let file = desk.file("games.pgn", GAMES);
    let dry = desk.run("import", &["--dry-run", "--only-legal", &file], b"");
    let told =
        "dry run, nothing is stored: 3 games: 3 new, 0 already known, 0 illegal, 1 not legal and left out\n";
    assert_eq!((dry.code, dry.text()), (1, told));
    assert!(dry.err.contains("game 3, line 23: ILLEGAL at ply 3, `Kd3`"), "{}", dry.err);
    assert!(!desk.path("games.ferz").exists());
    let stored = desk.run("import", &["--only-legal", &file], b"");
    assert_eq!(format!("dry run, nothing is stored: {}", stored.text()), told);
    assert_eq!(desk.data("list", &[]).lines().count(), 3);
    let dry = desk.run("import", &["--dry-run", &file], b"");
    assert!(dry.text().contains("4 games: 1 new, 3 already known, 1 illegal"), "{}", dry.text());
}
