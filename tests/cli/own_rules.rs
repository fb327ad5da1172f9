//! What definitions and mutators of one's own say, judged by the program.

use crate::program::{ferz, write};
use serde_json::Value;

/// The report of the only game of a record, judged with these definitions.
fn report(formats: &[&str], record: &str) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let mut args = Vec::new();
    let files: Vec<String> = formats
        .iter()
        .enumerate()
        .map(|(index, text)| write(directory.path(), &format!("{index}.toml"), text))
        .collect();
    for file in &files {
        args.extend(["--formats", file]);
    }
    args.extend(["validate", "--format", "ndjson", "-"]);
    let run = ferz(&args, record);
    let first = run.out.lines().next().unwrap_or_else(|| panic!("{}", run.err));
    serde_json::from_str(first).unwrap()
}

/// The codes of a report's diagnostics.
fn codes(report: &Value) -> Vec<String> {
    let all = report["diagnostics"].as_array().unwrap();
    all.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
}

fn record(variant: &str, tags: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[Variant \"{variant}\"]\n{tags}[Result \"*\"]\n\n{moves} *\n")
}

#[test]
fn a_mutator_sets_the_time_of_every_game() {
    let blitz = "mutator = \"blitz\"\ntitle = \"Blitz\"\n[patch.clock]\ncontrol = \"60+1\"\n";
    for game in ["chess", "makruk", "iago-b", "chaos+chess"] {
        let moves = "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:01:00]}";
        let says = |tags: &str| codes(&report(&[blitz], &record(&format!("blitz+{game}"), tags, moves)));
        assert!(says("").contains(&"J020".to_owned()), "{game}: {:?}", says(""));
        // What the record says itself holds.
        assert!(!says("[TimeControl \"300+5\"]\n").contains(&"J020".to_owned()), "{game}");
    }
    let wrong = "mutator = \"blitz\"\ntitle = \"Blitz\"\n[patch.clock]\ncontrol = \"soon\"\n";
    let directory = tempfile::tempdir().unwrap();
    let run = ferz(&["variants", "check", &write(directory.path(), "blitz.toml", wrong)], "");
    assert!(run.code != 0 && (run.err + &run.out).contains("not a period"), "a wrong control is found");
}

/// A mutator adds players: a second board, or Nature.
#[test]
fn a_mutator_adds_players() {
    let partners = "mutator = \"partners\"\ntitle = \"Partners\"\n[patch.captures]\nto = \"partner\"\n\
        [patch.drops]\nhand = \"all\"\npawns = \"rank 2-7\"\n[patch.ends]\nmate = \"no-drop-parries\"\n\
        stalemate = \"waits\"\nrepetition = \"none\"\nmove-counters = false\ndead-position = \"none\"\n";
    let text = record("partners+knightmate", "", "1A. e4 1a. d5 1B. e4 1b. d5 2A. exd5 2B. d4 2b. P@e6");
    let report = report(&[partners], &text);
    assert_eq!((report["verdict"].as_str(), report["plies"].as_u64()), (Some("legal"), Some(7)), "{report}");
}

#[test]
fn a_pawn_on_the_kings_square_may_be_dead() {
    let may =
        "name = \"may\"\ntitle = \"May\"\nextends = \"ingols\"\n[ends]\nkings-square = \"may-become-king\"\n";
    let tags = "[SetUp \"1\"]\n[FEN \"8/7P/8/8/3k4/8/8/K7 w - - 0 1\"]\n";
    let dead = report(&[may], &record("may", tags, "1. h8 Kd5"));
    assert_eq!(dead["verdict"], "legal", "{dead}");
    assert!(codes(&dead).contains(&"J043".to_owned()) && dead["end"].is_null(), "{dead}");
    let king = report(&[may], &record("may", tags, "1. h8=K"));
    assert_eq!(king["end"]["reason"], "kings_square", "{king}");
    // By the ruling itself it becomes a king.
    let must = report(&[], &record("ingols", tags, "1. h8"));
    assert_eq!(must["end"]["reason"], "kings_square", "{must}");
    assert!(!codes(&must).contains(&"J043".to_owned()), "{must}");
}

#[test]
fn pieces_of_pre_chess_are_placed_and_castle() {
    let placed = "1. K@e1 K@d8 2. R@h1 R@h8 3. R@a1 R@a8 4. B@c1 B@b8 5. B@f1 B@c8 6. N@b1 N@e8 7. N@g1 N@f8 \
        8. Q@d1 Q@g8 9. Nf3 d6 10. g3 d5 11. Bg2 d4";
    let fine = report(&[], &record("Pre-Chess", "", &format!("{placed} 12. O-O")));
    assert_eq!(
        (fine["verdict"].as_str(), fine["variant"].as_str()),
        (Some("legal"), Some("placement")),
        "{fine}"
    );
    for (moves, reason) in [
        (format!("{placed} 12. Kf1 Ne6 13. Ke1 d3 14. O-O"), "castling-right"),
        // Black's king was not placed on the e-file.
        (format!("{placed} 12. a3 Ne6 13. a4 c5 14. a5 O-O"), "castling-right"),
        ("1. B@c1 K@d8 2. B@e1".to_owned(), "drop-zone"),
        ("1. K@e1 K@e8 2. e4".to_owned(), "deployment-due"),
        ("1. K@e3".to_owned(), "drop-zone"),
    ] {
        let report = report(&[], &record("placement", "", &moves));
        assert_eq!(report["illegal"]["reason_id"], reason, "{moves}: {report}");
    }
}

#[test]
fn who_loses_by_repetition_is_a_field() {
    let round = "Re2 Ra4 Re1 Ra5 ".repeat(3);
    let game = report(&[], &record("minishogi", "", &round));
    assert_eq!(
        (game["end"]["result"].as_str(), game["end"]["reason"].as_str()),
        (Some("0-1"), Some("fourfold_repetition")),
        "{game}"
    );
}
