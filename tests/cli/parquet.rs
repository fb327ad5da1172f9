//! `ferz archive export --to parquet`: tables that say what the archive says.

use crate::program::{Run, ferz};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

/// The rows of a file.
fn rows(folder: &Path, name: &str) -> Vec<BTreeMap<String, Field>> {
    let file = SerializedFileReader::new(File::open(folder.join(name)).expect("a file")).expect("Parquet");
    let of = |row: Row| row.get_column_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    file.get_row_iter(None).expect("rows").map(|row| of(row.expect("a row"))).collect()
}

fn text(row: &BTreeMap<String, Field>, name: &str) -> String {
    match &row[name] {
        Field::Str(text) => text.clone(),
        Field::Null => String::new(),
        other => panic!("{name}: {other}"),
    }
}

fn long(row: &BTreeMap<String, Field>, name: &str) -> i64 {
    match &row[name] {
        Field::Long(number) => *number,
        Field::Int(number) => i64::from(*number),
        Field::ULong(number) => number.cast_signed(),
        other => panic!("{name}: {other}"),
    }
}

fn imported(folder: &Path) -> String {
    let db = folder.join("club.ferz").display().to_string();
    let mut files: Vec<String> = ["ichess-whole-games", "chaos-native", "crazyhouse", "iago-whole-games"]
        .map(|name| format!("fixtures/games/{name}.pgn"))
        .into();
    files.retain(|file| Path::new(file).exists());
    assert!(files.len() > 2, "{files:?}");
    let mut command = vec!["archive", "import", "--db", &db];
    command.extend(files.iter().map(String::as_str));
    let run = ferz(&command, "");
    assert!(run.code < 2, "{}", run.err);
    db
}

fn exported(db: &str, out: &Path) -> Run {
    ferz(&["archive", "export", "--db", db, "--to", "parquet", "--out", &out.display().to_string()], "")
}

#[test]
fn tables_say_what_the_archive_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = imported(folder.path());
    let out = folder.path().join("tables");
    let run = exported(&db, &out);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("1 part written, 0 parts as they were"), "{}", run.err);

    let list = ferz(&["archive", "list", "--db", &db, "--limit", "0", "--format", "ndjson"], "");
    let listed: BTreeMap<String, serde_json::Value> = list
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|game| (game["id"].as_str().expect("an id").to_owned(), game))
        .collect();
    let games = rows(&out, "games-000001.parquet");
    assert_eq!(games.len(), listed.len());
    let mut plies_of: BTreeMap<i64, i64> = BTreeMap::new();
    for game in &games {
        let known = &listed[&text(game, "id")];
        for name in ["variant", "white", "black", "event", "date", "round", "result"] {
            assert_eq!(known[name], text(game, name), "{name}");
        }
        assert_eq!(known["plies"], long(game, "plies"));
        assert_eq!(text(game, "moves").split_whitespace().count() as i64, long(game, "plies"));
        plies_of.insert(long(game, "game"), long(game, "plies"));
    }

    // Each ply and each position once, the start included.
    let plies = rows(&out, "plies-000001.parquet");
    let positions = rows(&out, "positions-000001.parquet");
    assert_eq!(plies.len() as i64, plies_of.values().sum::<i64>());
    assert_eq!(positions.len(), plies.len() + games.len());
    let keys: Vec<u64> = positions.iter().map(|row| long(row, "key").cast_unsigned()).collect();
    assert!(keys.is_sorted(), "positions are in the order of their keys");
    let places: BTreeSet<(i64, i64)> =
        positions.iter().map(|row| (long(row, "game"), long(row, "ply"))).collect();
    assert_eq!(places.len(), positions.len());
    let by_game = |game: &BTreeMap<String, Field>| -> Vec<String> {
        let number = long(game, "game");
        let mut own: Vec<_> = plies.iter().filter(|row| long(row, "game") == number).collect();
        own.sort_by_key(|row| long(row, "ply"));
        own.iter().map(|row| text(row, "coord")).collect()
    };
    for game in &games {
        assert_eq!(by_game(game).join(" "), text(game, "moves"));
    }
    for (column, value) in [("actor", "nature"), ("kind", "gating"), ("kind", "drop"), ("promoted", "F")] {
        assert!(plies.iter().any(|row| text(row, column) == value), "{column} {value}");
    }
    // The same key is the same position: that after 1. e4 of one game is found in others by `select` too.
    let first = plies.iter().find(|row| long(row, "ply") == 1).expect("a ply");
    let key = positions
        .iter()
        .find(|row| long(row, "game") == long(first, "game") && long(row, "ply") == 1)
        .map(|row| long(row, "key"));
    assert!(positions.iter().filter(|row| Some(long(row, "key")) == key).count() >= 1);
}

#[test]
fn an_export_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = imported(folder.path());
    let out = folder.path().join("tables");
    assert_eq!(exported(&db, &out).code, 0);
    let read = |name: &str| std::fs::read(out.join(name)).expect("a file");
    let before = read("plies-000001.parquet");
    let again = exported(&db, &out);
    assert!(again.err.contains("0 parts written, 1 part as they were"), "{}", again.err);
    // What was interrupted left no file, or a part of one under another name.
    std::fs::write(out.join("positions-000001.parquet"), b"PAR1 half").expect("written");
    let mended = exported(&db, &out);
    assert!(mended.err.contains("1 part written, 0 parts as they were"), "{}", mended.err);
    assert_eq!(read("plies-000001.parquet"), before);
    // A game that was withdrawn is in no table.
    let list = ferz(&["archive", "list", "--db", &db, "--limit", "1", "--format", "ndjson"], "");
    let game: serde_json::Value = serde_json::from_str(list.out.trim()).expect("JSON");
    let id = game["id"].as_str().expect("an id");
    let withdrawn = ferz(&["archive", "withdraw", "--db", &db, id, "--because", "a test"], "");
    assert_eq!(withdrawn.code, 0, "{}", withdrawn.err);
    assert_eq!(exported(&db, &out).code, 0);
    assert!(rows(&out, "games-000001.parquet").iter().all(|row| text(row, "id") != id));
}

/// What is forgotten is in no table, even if nothing else is left.
#[test]
fn files_of_games_that_are_gone_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("club.ferz").display().to_string();
    assert_eq!(ferz(&["archive", "import", "--db", &db, "-"], "[White \"Ann\"]\n\n1. e4 *\n").code, 0);
    let out = folder.path().join("tables");
    assert_eq!(exported(&db, &out).code, 0);
    std::fs::write(out.join("games-notes.txt"), "mine").expect("written");
    let list = ferz(&["archive", "list", "--db", &db, "--format", "ndjson"], "");
    let game: serde_json::Value = serde_json::from_str(list.out.trim()).expect("JSON");
    let id = game["id"].as_str().expect("an id");
    let forgotten = ferz(&["archive", "forget", "--db", &db, id, "--because", "a test", "--yes"], "");
    assert_eq!(forgotten.code, 0, "{}", forgotten.err);
    let run = exported(&db, &out);
    assert!(run.err.contains("3 files of games that are not exported any more removed"), "{}", run.err);
    let left: Vec<_> =
        std::fs::read_dir(&out).expect("a folder").flatten().map(|file| file.file_name()).collect();
    assert_eq!(left, ["games-notes.txt"]);
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = imported(folder.path());
    let missing = ferz(&["archive", "export", "--db", &db, "--to", "parquet"], "");
    assert!(missing.code == 2 && missing.err.contains("add `--out DIR`"), "{}", missing.err);
    let out = folder.path().display().to_string();
    let records = ferz(&["archive", "export", "--db", &db, "--out", &out], "");
    assert!(records.code == 2 && records.err.contains("`--to parquet`"), "{}", records.err);
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let blocked = exported(&db, &file);
    assert!(blocked.code == 2 && blocked.err.contains("file"), "{}", blocked.err);
}
