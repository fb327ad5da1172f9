//! Commands that take every game of a file, or every position of a list; archives in place of files.

use crate::archive::Desk;
use crate::program::{ferz, write};
use serde_json::Value;
use tempfile::tempdir;

/// Two positions and a game that is over.
const LIST: &str =
    "8/8/8/8/8/6k1/7p/7K w - - 0 1\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n";

#[test]
fn plies_of_every_position_have_a_line_each() {
    let run = ferz(&["moves", "-", "--each", "--style", "san"], LIST);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.out);
    assert_eq!(lines[0], "game 1:", "stalemate");
    assert_eq!(lines[1].split(' ').count(), 2 + 20);
    assert!(run.err.contains("game 1: no legal plies: the game is over"), "{}", run.err);
    // Alone they are the same.
    let fen = LIST.lines().nth(1).unwrap();
    let alone = ferz(&["moves", "chess", "--fen", fen, "--style", "san"], "").out;
    assert_eq!(lines[1], format!("game 2: {}", alone.trim_end().replace('\n', " ")));
}

#[test]
fn plies_are_listed_at_a_ply_of_a_record() {
    let folder = tempdir().unwrap();
    let two =
        "[Variant \"ichess\"]\n\n1. R=a1 R=h8 *\n\n1. e4 e5 2. Nf3 *\n\n[Variant \"klingon\"]\n\n1. e4 *\n";
    let file = write(folder.path(), "two.pgn", two);
    let first = ferz(&["moves", &file, "--ply", "1"], "");
    assert_eq!((first.code, first.out), (0, ferz(&["moves", "ichess", "--moves", "R=a1"], "").out));
    let second = ferz(&["moves", &file, "--game", "2", "--ply", "2 white"], "").out;
    assert_eq!(second, ferz(&["moves", "chess", "--moves", "e4 e5 Nf3"], "").out);
    let far = ferz(&["moves", &file, "--ply", "9"], "");
    assert!(far.code == 2 && far.err.contains("the game has only 2 legal plies"), "{}", far.err);
    // One that cannot be replayed harms no other.
    let each = ferz(&["moves", &file, "--each", "--ply", "1"], "");
    assert_eq!((each.code, each.out.lines().count()), (1, 2), "{}", each.err);
    assert!(each.err.contains("game 3: cannot be replayed"), "{}", each.err);
    let none = ferz(&["moves", "chess", "--each"], "");
    assert!(none.code == 2 && none.err.contains("need a record"), "{}", none.err);
}

#[test]
fn every_position_is_drawn() {
    let folder = tempdir().unwrap();
    let text = ferz(&["show", "-", "--each"], LIST);
    assert_eq!((text.code, text.out.matches("FEN: ").count()), (0, 2), "{}", text.err);
    assert!(text.out.starts_with("game 1\n\n") && text.out.contains("\n\ngame 2\n\n"), "{}", text.out);
    let drawings = folder.path().join("drawings");
    let drawn = ferz(&["show", "-", "--each", "--svg", "-o", drawings.to_str().unwrap()], LIST);
    assert_eq!((drawn.code, drawn.out.as_str()), (0, ""), "{}", drawn.err);
    for game in ["1", "2"] {
        let file = std::fs::read_to_string(drawings.join(format!("{game}.svg"))).unwrap();
        let alone = ferz(&["show", "-", "--game", game, "--svg"], LIST).out;
        assert!(file == alone && file.starts_with("<svg"), "{game}");
    }
    let run = ferz(&["show", "-", "--each", "--svg"], LIST);
    assert!(run.code == 2 && run.err.contains("-o FOLDER"), "{}", run.err);
}

/// Each ply of JSON has the position after it, in variations too, and a wrong one is found.
#[test]
fn positions_are_in_json_where_wanted() {
    let game = "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *";
    let json = ferz(&["convert", "--to", "json", "--fen", "-"], game).out;
    let record: Value = serde_json::from_str(&json).unwrap();
    let fens = |moves: &Value| -> Vec<String> {
        let of = |element: &Value| element["played"]["fen"].as_str().map(str::to_owned);
        moves.as_array().unwrap().iter().filter_map(of).collect()
    };
    let list = ferz(&["convert", "--to", "fen", "-"], game).out;
    assert_eq!(fens(&record["moves"]), list.lines().skip(1).collect::<Vec<_>>());
    assert_eq!(fens(&record["moves"][2]["moves"]).len(), 2);
    assert_eq!(ferz(&["validate", "-"], &json).code, 0);
    let wrong = json.replacen("PPPP1PPP/RNBQKBNR b", "PPPP1PPP/RNBQKB1R b", 1);
    let told = ferz(&["validate", "-"], wrong);
    assert!(told.err.contains("`fen` contradicts the moves"), "{}", told.err);
    assert!(!ferz(&["convert", "--to", "json", "-"], game).out.contains("fen\":\"rnbqkbnr/pppppppp/8/8/4P3"));
    let run = ferz(&["convert", "--to", "san", "--fen", "-"], game);
    assert!(run.code == 2 && run.err.contains("--fen adds positions to JSON"), "{}", run.err);
}

/// What every command reads from a file it reads from an archive.
#[test]
fn an_archive_stands_in_place_of_a_file() {
    let desk = Desk::new();
    let games = "[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n[Variant \"ichess\"]\n\n1. R=a1 R=h8 *\n\n";
    desk.import(games.as_bytes());
    // A text that says nothing of its game.
    desk.run("import", &["--variant", "iago-b", "-"], b"[Event \"C\"]\n\n1. e2e4 e7e5 2. g1f3m *\n");
    let db = desk.path("games.ferz").to_str().unwrap().to_owned();
    let judged = ferz(&["validate", &db], "");
    assert_eq!(judged.code, 0, "{}", judged.err);
    assert!(judged.out.contains("game 3: iago-b: legal, 3 plies"), "{}", judged.out);
    assert_eq!(ferz(&["head", "2", &db], "").out, games);
    assert!(ferz(&["stats", &db], "").out.contains('3'));
    let found = ferz(&["select", "--format", "text", "--where", "gate M g1 or drop R", &db], "");
    assert!(found.out.contains("2 of 3 games found"), "{}{}", found.out, found.err);
    let listed = desk.data("list", &["--format", "ndjson"]);
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    desk.data("withdraw", &[first["id"].as_str().unwrap(), "--because", "entered twice"]);
    assert_eq!(ferz(&["validate", &db], "").out.matches(": legal,").count(), 2);
    // One archive into another.
    let other = desk.run_on("other.ferz", "import", &[&db], b"");
    assert!(other.text().contains("2 games: 2 new"), "{}{}", other.text(), other.err);
    let wrong = desk.file("other.db", b"SQLite format 3\0 and nothing else");
    let run = ferz(&["validate", &wrong], "");
    assert!(run.code == 2 && run.err.contains("other.db"), "{}", run.err);
    let piped = ferz(&["validate", "-"], std::fs::read(&db).unwrap());
    assert!(piped.code == 2 && piped.err.contains("ferz archive export"), "{}", piped.err);
}
