//! `ferz select`: games found by what happened in them.

use crate::program::{ends_with_its_pipe, ferz, write};

const GAMES: &str = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Date \"2024.05.01\"]\n[Result \"1-0\"]\n\n\
    1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 1-0\n\n\
    [White \"Cyd\"]\n[Black \"Ann\"]\n[Result \"*\"]\n\n1. d4 {quiet} d5 (1... Nf6) 2. c4 *\n\n\
    [Variant \"nonsense\"]\n[White \"Dan\"]\n\n1. e4 *\n";

#[test]
fn games_are_found_with_their_plies() {
    let run = ferz(&["select", "--format", "text", "--where", "QxP or Pc4"], GAMES);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        run.out,
        "game 1: Ann - Ben, 1-0, 2024.05.01: 2... Qxd5\ngame 2: Cyd - Ann, *: 2. c4\n2 of 3 games found\n"
    );
    assert!(
        run.err.contains("1 game could not be judged, so that only the tags could decide; --explain"),
        "{}",
        run.err
    );
    let run = ferz(&["select", "--format", "text", "--where", "QxP", "--explain"], GAMES);
    assert!(run.err.contains("game 3: not judged: J001: "), "{}", run.err);
}

#[test]
fn tags_alone_need_no_replay() {
    let run = ferz(&["select", "--format", "text", "--where", "player ann or white dan", "--explain"], GAMES);
    assert!(run.out.ends_with("3 of 3 games found\n"), "{}", run.out);
    assert!(run.err.contains("query: (or [player ann] [white dan])\n"), "{}", run.err);
    assert!(run.err.contains("3 games read; 0 games replayed; 3 decided by tags"), "{}", run.err);
}

/// A text that is not a record has no positions, and no tags that could differ.
#[test]
fn a_letter_is_not_a_game() {
    for query in ["last", "white != Ann", "never castle"] {
        let run =
            ferz(&["select", "--format", "text", "--where", query], "Dear Ann, see you on Friday. Ben\n");
        assert_eq!(run.code, 1, "{query}: {}", run.out);
    }
    let run = ferz(
        &["select", "--format", "text", "--where", "variant 'King of the Hill'"],
        "[Variant \"king-of-the-hill\"]\n\n1. e4 *\n",
    );
    assert_eq!(run.code, 0, "{}", run.out);
}

/// What is found can be searched again: records come out as they went in.
#[test]
fn records_come_out_as_they_went_in() {
    let run = ferz(&["select", "--where", "player ann"], GAMES);
    let expected = GAMES.rsplit_once("[Variant").expect("the last game").0;
    assert_eq!((run.out.as_str(), run.code), (expected, 0));
    let again = ferz(&["select", "--where", "white ann", "--format", "pgn"], &run.out);
    assert!(again.out.starts_with("[Event \"Club\"]") && again.out.ends_with("Qa5 1-0\n\n"));
}

#[test]
fn programs_read_objects() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = write(folder.path(), "one.pgn", GAMES);
    let other = write(folder.path(), "other.pgn", "1. e4 e5 2. Nf3 Nc6 *\n");
    let run = ferz(&["select", &one, &other, "--where", "moves N", "--format", "ndjson"], "");
    let lines: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{}", run.out);
    assert_eq!(
        (&lines[0]["game"], &lines[0]["line"], &lines[0]["white"]),
        (&0.into(), &1.into(), &"Ann".into())
    );
    assert_eq!(lines[1]["plies"], serde_json::json!([3, 4]));
    assert_eq!(lines[1]["moves"], serde_json::json!(["2. Nf3", "2... Nc6"]));
    assert!(lines[1]["file"].as_str().is_some_and(|file| file.ends_with("other.pgn")));
    assert_eq!(lines[1].get("white"), None);
}

#[test]
fn faults_have_carets_and_exit_codes() {
    let run = ferz(&["select", "--where", "white ann and blance RvB"], GAMES);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--where: `blance` is not a condition"), "{}", run.err);
    assert!(run.err.contains("^^^^^^") && run.err.contains("did you mean `balance`?"), "{}", run.err);
    let run = ferz(&["select", "--format", "text", "--where", "gate C"], "1. e4 e5 *\n");
    assert_eq!((run.code, run.out.as_str()), (1, "0 of 1 game found\n"));
    assert!(
        run.err.contains("nothing can meet `gate C`: in chess, the game has no such piece"),
        "{}",
        run.err
    );
    let run = ferz(&["select", "--where", "moves N", "--count"], "1. Nf3 *\n\n1. e4 *\n\n1. Nc3 *\n");
    assert_eq!((run.code, run.out.as_str()), (0, "2\n"));
    let run = ferz(&["select", "--where", "castle", "--count"], "1. Nf3 *\n");
    assert_eq!((run.code, run.out.as_str()), (1, "0\n"));
    let run = ferz(&["select"], GAMES);
    assert!(run.code == 2 && run.err.contains("nothing to look for; add `--where QUERY`"), "{}", run.err);
    ends_with_its_pipe(&["select", "fixtures/games/capablanca.pgn", "--where", "last", "--format", "pgn"]);
}

/// An archive answers as its file does, game for game.
#[test]
fn an_archive_is_searched_and_explored() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("club.ferz").display().to_string();
    let games = GAMES.replace("nonsense", "ingols");
    assert_eq!(ferz(&["archive", "import", "--db", &db, "-"], &games).code, 0);
    let search = |query: &str| ferz(&["archive", "search", "--db", &db, "--where", query], "");
    let found = search("QxP or (Pc4 and variant chess)");
    assert!(found.out.contains("Ann - Ben (Club): chess, 6 plies: 2... Qxd5\n"), "{}", found.out);
    assert_eq!((found.out.lines().count(), found.code), (2, 0));
    let none = search("castle");
    assert!(none.code == 1 && none.err.contains("none of 3 games matches"), "{}", none.err);
    let run = ferz(
        &["archive", "search", "--db", &db, "--where", "pd5 and Pd4", "--format", "ndjson", "--limit", "1"],
        "",
    );
    let line: serde_json::Value = serde_json::from_str(run.out.trim()).expect("one object");
    assert_eq!((&line["white"], &line["plies"]), (&"Cyd".into(), &serde_json::json!([2, 3])));
    assert_eq!(line["length"], 3, "{line}");
    let count = ferz(&["archive", "search", "--db", &db, "--where", "Pe4 or Pd4", "--count"], "");
    assert_eq!((count.out.as_str(), count.code), ("3\n", 0), "{}", count.err);
    let none = ferz(&["archive", "search", "--db", &db, "--where", "castle", "--count"], "");
    assert_eq!((none.out.as_str(), none.code), ("0\n", 1), "{}", none.err);
    assert!(run.err.contains("more games may follow; continue with --cursor g"), "{}", run.err);

    let explored = ferz(&["archive", "explore", "--db", &db], "");
    let expected = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n2 games: 1 1-0\n\
        ply         played reached   1-0  draw   0-1  years\n\
        d4               1       1    0%    0%    0%\n\
        e4               1       1  100%    0%    0%  2024\n";
    assert_eq!((explored.out.as_str(), explored.code), (expected, 0), "{}", explored.err);
    let explored = ferz(&["archive", "explore", "--db", &db, "--after", "d4 d5", "--format", "ndjson"], "");
    let line: serde_json::Value = serde_json::from_str(explored.out.trim()).expect("one object");
    assert_eq!((&line["ply"], &line["played_here"], &line["games"]), (&"c4".into(), &1.into(), &1.into()));
    let none = ferz(&["archive", "explore", "--db", &db, "--after", "a3"], "");
    assert!(none.code == 1 && none.err.contains("none of 2 games of chess has the position"), "{}", none.err);
    let wrong = ferz(&["archive", "explore", "--db", &db, "--after", "e4 e4"], "");
    assert!(wrong.code == 2 && wrong.err.contains("--after: ply 2, `e4`"), "{}", wrong.err);
}
