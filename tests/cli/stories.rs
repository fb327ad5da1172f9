//! `ferz adjudicate A --against B`: two stories of one game.

use crate::common;
use crate::program::{Run, ferz, write};
use serde_json::Value;
use std::collections::BTreeSet;

/// The exit code and the answer in JSON.
fn stories(args: &[&str], a: &str, b: &str) -> (i32, Value) {
    let directory = tempfile::tempdir().unwrap();
    let (a, b) = (write(directory.path(), "a.pgn", a), write(directory.path(), "b.pgn", b));
    let Run { code, out, err } =
        ferz(&[&["adjudicate", &a, "--against", &b, "--format", "json"], args].concat(), "");
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")))
}

/// Legality alone decides which story a verdict can stand on.
#[test]
fn a_verdict_stands_on_what_is_legal() {
    for (a, b, code, stands_on, strength, common) in [
        ("1. e4 e5 2. Nf3 *", "1. e2e4 e7e5 2. Ng1-f3 *", 0, "both", "replayed", 3),
        ("1. e4 e5 *", "1. e4 e5 2. Nf3 *", 0, "both", "replayed", 2),
        ("1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nc3 *", 3, "neither", "opinion", 2),
        ("1. e4 e5 2. Nf3 Nc6 *", "1. e4 e5 2. Nf6 *", 0, "a", "replayed", 2),
        ("1. e4 e5 2. Nf6 *", "1. e4 e5 2. Nf3 Nc6 *", 0, "b", "replayed", 2),
        // The illegal ply comes later.
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", "1. e4 e5 2. Nf3 d6 3. Bb5+ Nf6 *", 0, "a", "replayed", 3),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nd5 *", "1. e4 e5 2. Nf3 d6 3. Bb5+ Nf6 *", 3, "neither", "opinion", 3),
        // The shorter one is legal, the longer one is not.
        ("1. e4 e5 *", "1. e4 e5 2. Nf6 *", 0, "a", "replayed", 2),
        // A ply that was let stand is not legal.
        ("1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf5 {[%letstand]} Nc6 *", 0, "a", "replayed", 2),
        // One of them came by mail.
        (
            "Hi Ann,\n\n> 1. e4 e5\n> 2. Nf3 *\n\nBest wishes,\nBen\n",
            "1. e4 e5 2. Nf3 *",
            0,
            "both",
            "replayed",
            3,
        ),
        // Both have the same illegal ply.
        ("1. e4 e5 2. Nf6 *", "1. e4 e5 2. Nf6 *", 0, "both", "replayed", 3),
    ] {
        let (found, stories) = stories(&[], a, b);
        assert_eq!(found, code, "{a} {b}: {stories}");
        assert_eq!(
            (&stories["stands_on"], &stories["strength"]),
            (&stands_on.into(), &strength.into()),
            "{a} {b}"
        );
        assert_eq!(stories["common"], common, "{a} {b}");
    }
}

/// What a record says against its own later plies.
#[test]
fn evidence_of_later_plies() {
    let a = "1. e4 e5 2. Nf3 *";
    for (b, ply, about, code) in [
        ("1. e4 e5 2. Bc4+ *", 3, "marks", "N002"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qf7# *", 7, "marks", "N005"),
        ("1. e4 e5 2. Bc4 Nc6 4. d3 *", 5, "numbers", "N010"),
        ("[TimeControl \"60\"]\n\n1. e4 {[%clk 0:00:50]} e5 2. Bc4 {[%clk 0:00:55]} *", 3, "clocks", "J019"),
        ("[TimeControl \"60\"]\n\n1. e4 e5 2. Bc4 {[%emt 0:02:00]} *", 3, "clocks", "J022"),
    ] {
        let (code_found, stories) = stories(&[], a, b);
        assert_eq!(
            (code_found, stories["a"]["later"][0]["against"].as_array().map(Vec::len)),
            (3, Some(0)),
            "{b}"
        );
        let later = stories["b"]["later"].as_array().unwrap();
        let of = later.iter().find(|of| of["ply"] == ply).unwrap();
        assert_eq!(
            (&of["against"][0]["about"], &of["against"][0]["code"]),
            (&about.into(), &code.into()),
            "{b}"
        );
        let all: usize = later.iter().map(|of| of["against"].as_array().unwrap().len()).sum();
        assert_eq!(all, 1, "{b}: {stories}");
        assert!(
            stories["explanation"].as_str().unwrap().contains("B has 1 contradiction of its own."),
            "{b}"
        );
    }
    // What concerns the record as a whole.
    let (_, of_tags) = stories(&[], a, "[PlyCount \"9\"]\n\n1. e4 e5 2. Bc4 *");
    assert_eq!(of_tags["b"]["against"][0]["code"], "J017");
    // What went before the parting is shared, and form is no evidence.
    let (_, form) = stories(&[], a, "1.e4+ e5 2.Bc4 *");
    assert_eq!(
        (&form["b"]["later"][0]["against"], &form["b"]["against"]),
        (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new()))
    );
    let (_, words) = stories(&[], a, "1. e4 e5 2. Bc4 {[%clk 0:00:55] White touched the bishop} *");
    let later = &words["b"]["later"][0];
    assert_eq!((&later["clock"], &later["comment"]), (&55_000.into(), &"White touched the bishop".into()));
}

/// A claim is judged by both stories.
#[test]
fn claims_by_two_stories() {
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";
    let claim = ["--claim", "threefold_repetition", "--ply", "8"];
    for (a, b, args, code, verdict) in [
        // Before the parting both decide alike.
        (format!("{knights} Ng8 5. e4 *"), format!("{knights} Ng8 5. d4 *"), &claim[..], 0, "upheld"),
        // After it they differ, and both are legal.
        (format!("{knights} Ng8 *"), format!("{knights} Nd5 *"), &claim, 3, "ambiguous"),
        // B's story ends in an illegal ply.
        (format!("{knights} Ng8 *"), format!("{knights} Nd4 *"), &claim, 0, "upheld"),
        // A ends before the ply of the claim.
        (format!("{knights} *"), format!("{knights} Ng8 *"), &claim, 0, "upheld"),
        (format!("{knights} *"), format!("{knights} Nd5 *"), &claim, 1, "rejected"),
        (
            "1. f3 e5 2. g4 Qh4# *".to_owned(),
            "1. f3 e5 2. g3 Qh4 *".to_owned(),
            &["--claim", "checkmate"],
            3,
            "ambiguous",
        ),
    ] {
        let (found, stories) = stories(args, &a, &b);
        assert_eq!((found, &stories["verdict"]), (code, &verdict.into()), "{a} {b}: {stories}");
        assert_eq!(stories["claims"].as_array().map(Vec::len), Some(2));
    }
}

/// Where a record is not a legal game, both are read together.
#[test]
fn two_damaged_records_make_a_game() {
    let a = "1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *";
    let b = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O *";
    let (_, found) = stories(&[], a, b);
    let together = &found["together"];
    assert_eq!(together["text"], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7", "{found}");
    assert_eq!(together["sheets"][0]["corrected"], serde_json::json!(["2. NfG -> Nf3"]));
    assert_eq!(together["sheets"][1]["lacks"], serde_json::json!(["5... Be7"]));
    let directory = tempfile::tempdir().unwrap();
    let (a, b) = (write(directory.path(), "a.pgn", a), write(directory.path(), "b.pgn", b));
    let Run { out, .. } = ferz(&["adjudicate", &a, "--against", &b], "");
    for line in [
        "Read together by the rules: a legal game of 10 plies; ",
        "A has 9 of them as they are read; corrected: 2. NfG -> Nf3.\n",
        "B has 8 of them as they are read; corrected: 4... Nf8 -> Nf6; only in the other record: 5... Be7.\n",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    // Two legal records need no other reading.
    let (_, legal) = stories(&[], "1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nc3 *");
    assert_eq!(legal.get("together"), None);
}

#[test]
fn records_of_other_games_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| write(directory.path(), name, text);
    let a = file("a.pgn", "1. e4 *\n\n1. d4 *\n");
    for (b, args, remedy) in [
        (file("b.pgn", "[Variant \"ingols\"]\n\n*"), &[][..], "Variant"),
        (file("c.pgn", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n*"), &[], "FEN"),
        (file("d.pgn", "[Variant \"nonsense\"]\n\n1. e4 *"), &[], "nonsense"),
        (a.clone(), &["--against-game", "3"], "--against-game"),
        (a.clone(), &["--claim", "checkmate", "--ply", "9"], "from 0 to 1"),
        (a.clone(), &["--certificate", "x.json"], "cannot be used with"),
    ] {
        let Run { code, out, err } = ferz(&[&["adjudicate", &a, "--against", &b], args].concat(), "");
        assert!(code == 2 && out.is_empty() && err.contains(remedy), "{code} {out}{err}");
    }
    let Run { code, out, .. } = ferz(&["adjudicate", &a, "--against", &a, "--against-game", "2"], "");
    assert!(code == 3 && out.contains("part at ply 1: A has e4, B has d4"), "{out}");
}

#[test]
fn the_page_is_escaped() {
    let directory = tempfile::tempdir().unwrap();
    let tags = "[Event \"Club <cup>\"]\n[White \"Ann\"]\n";
    let a = write(directory.path(), "a.pgn", format!("{tags}\n1. e4 {{<b>touched</b>}} e5 *"));
    let b = write(directory.path(), "b.pgn", format!("{tags}[Black \"Ben\"]\n\n1. d4 d5 2. Nd5 *"));
    let args = ["adjudicate", &a, "--against", &b, "--format", "html", "--claim", "stalemate", "--ply", "1"];
    let Run { code, out, .. } = ferz(&args, "");
    assert!(code == 1 && out.starts_with("<!doctype html>"), "{out}");
    for part in [
        "part at ply 1",
        "By A: REJECTED",
        "<tr><th>Event<td>Club &lt;cup&gt;\n<tr><th>White<td>Ann\n<tr><th>Black<td>nothing (A), Ben (B)",
        "<h2>Position</h2>\n<svg",
        "White, date<p class=\"sign\">Black, date",
        "<li>ply 1, e4 (4:4): legal, comment: &lt;b&gt;touched",
        "<li>ply 3, Nd5",
        "Arbiter",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("<b>touched"), "{out}");
}

/// Every member is in the document, and the other way round.
#[test]
fn stories_are_documented() {
    let document = std::fs::read_to_string(common::root().join("formats/CLAIMS.md")).unwrap();
    let section = document.split("## Two stories").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let named: BTreeSet<String> = rows
        .flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect();
    let (_, found) = stories(&[], "1. e4 *", "1. d4 d5 2. Nd5+ *");
    let keys = |value: &Value| -> BTreeSet<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&found), named);
    let (_, marked) = stories(&[], "1. e4 *", "1. d4+ *");
    for value in [&found["a"], &found["b"]["later"][0], &marked["b"]["later"][0]["against"][0]] {
        for key in keys(value) {
            assert!(section.contains(&format!("`{key}`")), "{key}");
        }
    }
}
