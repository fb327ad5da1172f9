//! Records as JSON, and comparisons, as users of the program meet them.

use crate::program::{ferz, write};
use crate::{common, schema};
use serde_json::Value;
use std::collections::BTreeSet;

fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn schema(name: &str) -> Value {
    let path = common::root().join("formats/schema").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn fixtures(folder: &str) -> Vec<String> {
    let paths = std::fs::read_dir(common::root().join("fixtures").join(folder)).unwrap();
    let paths = paths.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned());
    let mut paths: Vec<String> = paths.filter(|path| path.ends_with(".pgn")).collect();
    paths.sort();
    paths
}

const GAME: &str =
    "[White \"Ann\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 {so} Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0\n\n";

#[test]
fn json_is_judged_and_converted_like_pgn() {
    for file in fixtures("games") {
        let json = ferz(&["convert", "--to", "json", &file], "");
        let direct = ferz(&["convert", "--to", "san", &file], "");
        let around = ferz(&["convert", "--to", "san"], &json.out);
        assert_eq!((around.code, &around.out), (direct.code, &direct.out), "{file}: {}", around.err);
        assert_eq!(json.code, direct.code, "{file}: {}", json.err);
        let reports = |args: &[&str], input: &str| {
            let mut reports = values(&ferz(&[&["validate", "--format", "ndjson"], args].concat(), input).out);
            reports.iter_mut().for_each(without_places);
            reports
        };
        assert_eq!(reports(&["-"], &json.out), reports(&[&file], ""), "{file}");
    }
}

/// Places are those of another text.
fn without_places(value: &mut Value) {
    match value {
        Value::Object(object) => {
            ["line", "column", "span"].iter().for_each(|key| drop(object.remove(*key)));
            object.values_mut().for_each(without_places);
        }
        Value::Array(list) => list.iter_mut().for_each(without_places),
        _ => {}
    }
}

#[test]
fn output_fits_the_schemas() {
    let (record, report) = (schema("record.json"), schema("report.json"));
    let mut checked = 0;
    for file in fixtures("games").into_iter().chain(fixtures("records")) {
        if file.ends_with("S016.pgn") {
            // Deeper than this reader of JSON goes; tests/records/json.rs looks at it.
            continue;
        }
        for (args, schema) in
            [(&["convert", "--to", "json"], &record), (&["validate", "--format", "ndjson"], &report)]
        {
            let args = if args[0] == "convert" { &["convert", "--to", "json"] } else { args };
            for value in values(&ferz(&[&args[..], &[&file]].concat(), "").out) {
                assert_eq!(schema::fault(schema, &value), None, "{file}: {value}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn places_are_those_of_the_json() {
    let json = ferz(&["convert", "--to", "json"], GAME.replace("Qh5", "Qh6")).out;
    let run = ferz(&["validate", "--format", "ndjson"], format!("\n{json}"));
    assert_eq!(run.code, 1);
    let report = &values(&run.out)[0];
    let illegal = &report["illegal"];
    assert_eq!((illegal["line"].as_u64(), illegal["text"].as_str()), (Some(2), Some("Qh6")));
    let span: Vec<usize> =
        illegal["span"].as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize).collect();
    let place = &format!("\n{json}")[span[0]..span[1]];
    assert!(place.starts_with("{\"type\":\"ply\",\"number\":\"3.\",\"text\":\"Qh6\""), "{place}");
    assert_eq!(illegal["column"].as_u64().unwrap() as usize, span[0]);
}

/// A verdict does not get lost on the way through JSON, in variations neither, nor where parts have no places.
#[test]
fn illegal_plies_come_back() {
    for text in ["1. e5 *", "1. e4 e5 (1... e4 2. d4) 2. Ke3 {[%letstand]} d5 3. Kf6 (3. Kd8) Ke7 *"] {
        let once = ferz(&["convert", "--to", "json"], text).out;
        assert!(once.contains("\"illegal\":{"), "{once}");
        assert_eq!(ferz(&["convert", "--to", "json"], &once).out, once);
        let escaped = once.replacen("\"moves\"", "\"move\\u0073\"", 1);
        assert_eq!(ferz(&["convert", "--to", "json"], &escaped).out, once);
    }
    let bare = r#"{"record":1,"tags":[],"moves":[{"type":"ply","text":"e5"}]}"#;
    let ply = &values(&ferz(&["convert", "--to", "json"], bare).out)[0]["moves"][0];
    assert_eq!((&ply["illegal"]["ply"], ply.get("unjudged")), (&1.into(), None), "{ply}");
}

#[test]
fn what_is_no_record_costs_no_other() {
    let good = ferz(&["convert", "--to", "json"], GAME).out;
    let ply = r#"{"record":1,"tags":[],"moves":[{"type":"ply","text":"e4 e5"}]}"#;
    let unknown = r#"{"record":1,"tags":[],"moves":[],"colour":1}"#;
    let input = format!("{good}{ply}\n{unknown}\n{{\"record\":1,\nnonsense\n{good}");
    let run = ferz(&["validate", "--format", "ndjson"], &input);
    assert_eq!((run.code, values(&run.out).len()), (1, 2), "{}", run.err);
    assert_eq!(run.err.matches("error[S041]").count(), 3, "{}", run.err);
    assert!(run.err.contains("`e4 e5` does not read as a ply here"), "{}", run.err);
    assert!(run.err.contains("unknown field `colour`"), "{}", run.err);
    let text = ferz(&["validate"], &input);
    assert!(text.out.ends_with("3 not records\n"), "{}", text.out);
    let converted = ferz(&["convert", "--to", "san"], &input);
    assert_eq!((converted.code, converted.out.matches("1-0\n\n").count()), (1, 2));
    assert_eq!(converted.err.matches("S041").count(), 3, "{}", converted.err);
    let fixture = common::root().join("fixtures/records/S041.ndjson");
    let run = ferz(&["validate", fixture.to_str().unwrap()], "");
    assert!(run.code == 1 && run.err.contains("form 2 of a record"), "{}", run.err);
}

#[test]
fn what_is_told_otherwise_is_an_error() {
    let fixture = common::root().join("fixtures/records/S042.ndjson");
    let run = ferz(&["validate", fixture.to_str().unwrap()], "");
    assert!(run.code == 1 && run.err.contains("error[S042]: `coord` contradicts the moves"), "{}", run.err);
    // Somebody mends a move and leaves what was told: every later key tells of it.
    let json = ferz(&["convert", "--to", "json"], "1. e4 e5 2. Nf3 Nc6 *").out;
    let altered = json.replace("\"text\":\"Nf3\"", "\"text\":\"Bc4\"");
    assert_ne!(json, altered);
    let run = ferz(&["convert", "--to", "san"], &altered);
    assert!(run.code == 1 && run.out.contains("2. Bc4 Nc6") && run.err.contains("S042"), "{}", run.err);
    assert_eq!(ferz(&["validate"], &json).code, 0);
    assert_eq!(ferz(&["validate", "--variant", "capablanca"], &json).err.matches("S042").count(), 0);
}

#[test]
fn json_is_read_from_arrays_and_without_what_is_told() {
    let bare = r#" [ {"moves":[{"type":"ply","text":"e4"}],"tags":[{"name":"White","value":"\"A\" \\"}],"record":1},
        {"record":1,"tags":[],"moves":[{"type":"ply","text":"d4"},{"type":"comment","text":"so"}]} ]"#;
    let run = ferz(&["convert", "--to", "coord"], bare);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("[White \"\\\"A\\\" \\\\\"]") && run.out.contains("\n1. d2d4 {so} *\n"),
        "{}",
        run.out
    );
    let ndjson = ferz(&["convert", "--to", "json", "--format", "ndjson"], bare);
    assert_eq!(values(&ndjson.out)[1]["record"]["moves"][0]["played"]["coord"], "d2d4");
}

#[test]
fn json_keeps_no_layout() {
    let run = ferz(&["convert", "--to", "json", "--keep-layout"], GAME);
    assert!(run.code == 2 && run.err.contains("--keep-layout"), "{}", run.err);
    let json = ferz(&["convert", "--to", "json"], GAME).out;
    let run = ferz(&["convert", "--to", "san", "--keep-layout"], &json);
    assert!(run.code == 2 && run.err.contains("JSON has no layout"), "{}", run.err);
}

// --- compare -------------------------------------------------------------------------------------------------

fn compared(a: &str, b: &str) -> (i32, Value) {
    let run = ferz(&["compare", "--format", "json", "-"], format!("{a}\n\n{b}"));
    (run.code, serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err)))
}

#[test]
fn notation_does_not_count() {
    let directory = tempfile::tempdir().unwrap();
    let sample = "fixtures/games/ichess-sample.pgn";
    let coord = write(directory.path(), "coord.pgn", &ferz(&["convert", "--to", "coord", sample], "").out);
    let json = write(directory.path(), "a.ndjson", &ferz(&["convert", "--to", "json", sample], "").out);
    for other in [&coord, &json] {
        let run = ferz(&["compare", sample, other], "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(run.out.contains("the same game: 69 plies"), "{}", run.out);
    }
    // IAGO's `&C`, a slash, and coordinates are one ply.
    let head = "[Variant \"iago-b\"]\n\n1. e4 e5 2. ";
    for text in ["Be2/C *", "f1e2c *"] {
        let (code, found) = compared(&format!("{head}Bf1-e2&C *"), &format!("{head}{text}"));
        assert_eq!((code, &found["same"]), (0, &Value::Bool(true)), "{text}: {found}");
    }
}

#[test]
fn standard_input_is_read_once() {
    let run = ferz(&["compare", "-", "-"], "1. e4 *\n\n1. d4 *");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("standard input can be only one of the two"), "{}", run.err);
}

#[test]
fn one_altered_move() {
    let a = "[White \"Ann\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *";
    let b = "[White \"Anne\"]\n[Site \"?\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 a6 4. Ba4 *";
    let run = ferz(&["compare", "-"], format!("{a}\n\n{b}"));
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.out, @r#"
    A: standard input game 1: chess: legal, 7 plies, result *
    B: standard input game 2: chess: illegal at ply 7, result *
    the records diverge after 4 plies
    tag White: A "Ann", B "Anne"
    tag Site: A (none), B "?"

    before ply 5:
     8  r . b q k b n r
     7  p p p p . p p p
     6  . . n . . . . .
     5  . . . . p . . .
     4  . . . . P . . .
     3  . . . . . N . .
     2  P P P P . P P P
     1  R N B Q K B . R
        a b c d e f g h
    r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3

    A: `Bb5` at 4:24 is legal (f1b5)
    B: `Bc4` at 10:24 is legal (f1c4)

    of A's 2 later plies 1 would be legal after B's; ply 7, `Ba4`, would not: no piece stands on b5
    B's 2 later plies would all be legal after A's
    "#);
}

#[test]
fn illegal_plies_endings_and_meetings() {
    let (code, found) = compared("1. e4 e5 2. Ke3 Nc6 3. Nf3 *", "1. e4 e5 2. Ke2 Nc6 3. Nf3 *");
    assert_eq!((code, found["relation"].as_str()), (1, Some("parted")));
    assert_eq!(found["parting"]["a"]["legal"], false);
    assert_eq!(found["parting"]["a"]["illegal"]["text"], "Ke3");
    assert_eq!(found["parting"]["b"]["coord"], "e1e2");
    assert_eq!((found["a_in_b"]["fitting"].as_u64(), &found["b_in_a"]), (Some(2), &Value::Null));
    // One goes on.
    let (code, found) = compared("1. e4 e5 *", "1. e4 e5 2. Nf3 *");
    assert_eq!((code, found["relation"].as_str(), found["common"].as_u64()), (1, Some("prefix"), Some(2)));
    assert_eq!((&found["parting"]["a"], &found["parting"]["b"]["text"]), (&Value::Null, &Value::from("Nf3")));
    // The same illegal ply, and another text behind it.
    let (_, found) = compared("1. e4 e5 2. Ke3 Nc6 *", "1. e4 e5 2. Ke3 Nf6 *");
    assert_eq!((found["common"].as_u64(), found["relation"].as_str()), (Some(3), Some("parted")));
    let (code, found) = compared("1. e4 e5 2. Ke3 Nc6 *", "1. e4 e5 2. Ke3 Nc6 *");
    assert_eq!((code, found["same"].as_bool()), (0, Some(true)));
    // A transposition: equal positions after other plies.
    let (_, found) = compared("1. d4 d5 2. c4 e6 3. Nc3 *", "1. c4 e6 2. d4 d5 3. Nc3 c6 *");
    assert_eq!(found["meetings"].as_array().unwrap().len(), 2, "{found}");
    assert_eq!((found["meetings"][0]["a"].as_u64(), found["meetings"][0]["b"].as_u64()), (Some(4), Some(4)));
    // Nothing to compare.
    let (_, found) = compared("[Variant \"ingols\"]\n\n1. e4 *", "1. e4 *");
    assert_eq!(found["relation"], "other-rules");
    let (_, found) = compared("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *", "1. e4 *");
    assert_eq!(found["relation"], "other-start");
    let (_, found) = compared("[Variant \"nonsense\"]\n\n1. e4 *", "1. e4 *");
    assert_eq!(found["relation"], "not-judged");
}

#[test]
fn games_are_chosen_and_missing_ones_are_trouble() {
    let directory = tempfile::tempdir().unwrap();
    let games = write(directory.path(), "games.pgn", "1. e4 * 1. d4 * 1. e4 {again} *");
    assert_eq!(ferz(&["compare", "--games", "1,3", &games], "").code, 0);
    assert_eq!(ferz(&["compare", "--games", "2,3", &games, &games], "").code, 1);
    for args in [
        vec!["compare", "--games", "1,4", &games],
        vec!["compare", "--games", "0,1", &games],
        vec!["compare"],
    ] {
        let run = ferz(&args, "");
        assert!(run.code == 2 && !run.err.is_empty(), "{args:?}");
    }
    assert!(ferz(&["compare", "--games", "1,4", &games], "").err.contains("3 games"));
}

/// Every key of the output is in the document, and the other way round.
#[test]
fn keys_of_comparisons_are_documented() {
    let document = std::fs::read_to_string(common::root().join("formats/COMPARE.md")).unwrap();
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    let documented: BTreeSet<&str> =
        rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
    let (_, found) = compared(
        "[A \"1\"]\n1. d4 d5 2. c4 e6 3. Nc3 a6 *",
        "[A \"2\"]\n1. c4 e6 2. d4 d5 3. Nc3 Nf6 4. a3 *",
    );
    let mut keys = BTreeSet::new();
    let mut see = |value: &Value| keys.extend(value.as_object().unwrap().keys().cloned());
    see(&found);
    for part in ["a", "parting", "a_in_b"] {
        see(&found[part]);
    }
    see(&found["tags"][0]);
    see(&found["meetings"][0]);
    assert_eq!(keys.iter().map(String::as_str).collect::<BTreeSet<_>>(), documented);
    for key in found["parting"]["a"].as_object().unwrap().keys() {
        assert!(document.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn records_are_compared_in_the_language_that_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let a = write(directory.path(), "a.pgn", "1. e4 e5 2. Se2 Se7 *");
    let b = write(directory.path(), "b.pgn", "1. e4 e5 2. Be2 Be7 *");
    let run = ferz(&["compare", &a, &b], "");
    assert!(run.code == 1 && run.out.contains("choose with --language"), "{}", run.out);
    assert_eq!(ferz(&["compare", "--language", "cs", &a, &b], "").code, 1);
    assert_eq!(ferz(&["compare", "--language", "cs", &a, &a], "").code, 0);
}
