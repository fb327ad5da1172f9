//! `ferz decode`: damaged records, read by the rules.

use crate::program::{ferz, write};
use serde_json::Value;

fn json(arguments: &[&str], text: &str) -> (Value, i32) {
    let run = ferz(&[&["decode", "--format", "json"], arguments].concat(), text);
    assert_eq!(run.err, "", "{text}");
    (serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out)), run.code)
}

/// The plies of the best reading; `-` for a gap.
fn plies(answer: &Value) -> String {
    let plies = answer["readings"][0]["plies"].as_array().expect("plies");
    plies.iter().map(|ply| ply.as_str().unwrap_or("-")).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_people_bring_is_read() {
    let opening = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
    let texts = [
        "l. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
        "1.e4,e5;2.Nf3,Nc6;3.Bb5,a6",
        "e2-e4/e7-e5 g1-f3/b8-c6 f1-b5/a7-a6",
        "e4e5 Nf3Nc6 Bb5a6",
        "1 e4 e5 2 N f3 N c6 3 B b5 a6",
        "| 1 | e4 | e5 |\n| 2 | Nf3 | Nc6 |\n| 3 | Bb5 | a6 |",
        "• 1. e4 e5\n• 2. Nf3 Nc6\n• 3. Bb5 a6",
        "[09/11/2026, 19:04] Ann: e4\n[09/11/2026, 19:05] Ben: e5\n[09/11/2026, 19:06] Ann: Nf3\n\
         [09/11/2026, 19:07] Ben: Nc6\n[09/11/2026, 19:08] Ann: Bb5\n[09/11/2026, 19:09] Ben: a6",
        "Hallo Ben, hier die Partie: 1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 viele Grüße Ann",
        "1. е4 e5 2. Кf3 Кc6 3. Сb5 a6",
        "1. ♙e4 e5 2. ♘f3 ♘c6 3. ♗b5 a6",
        "1. E4 E5 2. NF3 NC6 3. BB5 A6",
        "1. e4! e5?! 2. Nf3 (2. f4 exf4) Nc6 {well} 3. Bb5 $5 a6",
    ];
    for text in texts {
        assert_eq!(plies(&json(&[], text).0), opening, "{text}");
    }
}

#[test]
fn slips_are_named_with_their_place_and_cost() {
    let text = "1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O 1-0";
    let (answer, code) = json(&[], text);
    let changes = answer["readings"][0]["changes"].as_array().expect("changes");
    let named: Vec<(u64, &str, &str)> = changes
        .iter()
        .map(|change| {
            let place = |index: usize| change["span"][index].as_u64().expect("a place") as usize;
            let written = &text[place(0)..place(1)];
            assert_eq!(change["text"], written);
            (change["ply"].as_u64().expect("a number"), written, change["san"].as_str().expect("SAN"))
        })
        .collect();
    assert_eq!(named, [(3, "NfG", "Nf3"), (8, "Nf8", "Nf6")]);
    assert_eq!((answer["certain"].as_bool(), code), (Some(false), 1));
    assert_eq!(answer["readings"][0]["result"], "1-0");
}

#[test]
fn a_missing_ply_is_named_and_not_invented() {
    let (answer, code) = json(&[], "1. e4 e5 2. Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O");
    assert_eq!(plies(&answer), "e2e4 e7e5 g1f3 - f1b5 a7a6 b5a4 g8f6 e1g1");
    let missing = &answer["readings"][0]["missing"];
    assert_eq!((missing[0]["ply"].as_u64(), missing[1].is_null(), code), (Some(4), true, 1));
    assert!(missing[0]["candidates"].as_array().expect("plies").iter().any(|ply| ply == "b8c6"));
    let text = answer["readings"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("1. e4 e5 2. Nf3\n{2... is missing:") && text.contains("5. O-O"), "{text}");
}

/// What is legal stays as it is, and what is written can be read.
#[test]
fn a_decoded_record_is_legal_and_keeps_its_words() {
    let text = "[Variant \"iago-b\"]\n[White \"Ann\"]\n\n1. Ngl-f3&M well played Ng8-f6 *";
    let run = ferz(&["decode", "--format", "pgn"], text);
    assert_eq!(run.out, "[Variant \"iago-b\"]\n[White \"Ann\"]\n\n1. Nf3/M {well} {played} 1... Nf6 *\n\n");
    let again = ferz(&["validate"], &run.out);
    assert_eq!(again.code, 0, "{}", again.out);
    let board = ferz(&["decode", "--format", "pgn"], "1. f3 eS 2. g4 Qh4");
    assert_eq!(board.out, "1. f3 e5 2. g4 Qh4# 0-1\n\n");
}

#[test]
fn two_sheets_give_the_game_that_both_support() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = write(folder.path(), "white.txt", "1. e4 e5 2. NfG Nc6 3. Bb5 a6");
    let other = write(folder.path(), "black.txt", "1. e4 e5 2. Nf3 Ne6 3. Bb6 a6");
    let (answer, _) = json(&[&one, "--sheet", &other], "");
    assert_eq!(plies(&answer), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    // Each sheet in the letters of its writer.
    let white = write(folder.path(), "weiss.txt", "1. e4 e5 2. Sf3 Sc6 3. LbS a6 4. Lxc6 dxc6");
    let black = write(folder.path(), "schwarz.txt", "1. e4 e5 2. Sf3 Se6 3. Lb5 a6 4. Lxc6 dxc6");
    let (answer, _) = json(&[&white, "--sheet", &black], "");
    assert_eq!(plies(&answer), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6");
    assert_eq!((&answer["language"], &answer["sheet_language"]), (&"de".into(), &"de".into()));
    let cells = r#"{"cells": [{"ply": 1, "alternatives": [["c4", 0.5], ["e4", 0.4]]},
        {"ply": 2, "alternatives": [["e5", 0.9]]}, {"ply": 3, "alternatives": [["Nf3", 0.4], ["Nh3", 0.4]]}]}"#;
    let cells = write(folder.path(), "cells.json", cells);
    let (answer, _) = json(&[&one, "--sheet", &cells], "");
    assert!(plies(&answer).starts_with("e2e4 e7e5 g1f3 b8c6"), "{answer}");
    let (answer, code) = json(&["--cells", &cells], "");
    assert_eq!((plies(&answer).as_str(), code), ("c2c4 e7e5 g1f3", 1));
    let wrong =
        write(folder.path(), "wrong.json", r#"{"cells": [{"alternatives": [["e4", 0.9], ["c4", 0.9]]}]}"#);
    let run = ferz(&["decode", "--cells", &wrong], "");
    assert!(run.code == 2 && run.err.contains("ply 1: the probabilities sum to 1.8"), "{}", run.err);
}

#[test]
fn answers_settle_what_is_in_doubt() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "game.txt", "1. e4 e5 2. N3 Nc6 3. Bb5 a6");
    let file = file.as_str();
    let run = ferz(&["decode", file, "--ask"], "Nc3\n");
    assert!(run.err.contains("Which ply was 2. Nc3 or Nf3"), "{}", run.err);
    assert!(run.out.ends_with("1. e4 e5 2. Nc3 Nc6 3. Bb5 a6 *\n"), "{}", run.out);
    let run = ferz(&["decode", file, "--ask"], "2\n");
    assert!(run.out.ends_with("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n"), "{}", run.out);
}

#[test]
fn texts_without_a_game_have_no_reading() {
    for text in ["", "hello world", "{a comment} *", "1-0"] {
        let run = ferz(&["decode"], text);
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{text}: {}", run.err);
        assert!(run.err.contains("no token reads as a legal ply"), "{text}: {}", run.err);
    }
    let run = ferz(&["decode", "--variant", "nosuch"], "1. e4");
    assert_eq!(run.code, 2, "{}", run.err);
}

#[test]
fn fix_decodes_what_stays_illegal_where_nothing_is_in_doubt() {
    let good = "[White \"Ann\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    let bad = "[White \"Ben\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-0 6. Nf8 Nbd7 1/2-1/2\n\n";
    let doubtful = "[White \"Cyd\"]\n\n1. e4 e5 2. N3 Nc6 *\n";
    let run = ferz(&["fix", "--decode"], format!("{good}{bad}{doubtful}"));
    let fixed =
        "[White \"Ben\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 1/2-1/2\n\n";
    assert_eq!(run.out, format!("{good}{fixed}{doubtful}"), "{}", run.err);
    assert!(run.err.contains("game 2: decode: 6. Nf8 -> Nf3"), "{}", run.err);
    assert!(run.err.contains("game 3: not decoded:"), "{}", run.err);
    assert_eq!(run.code, 1);
    let again = ferz(&["fix", "--decode"], fixed);
    assert_eq!((again.out.as_str(), again.code), (fixed, 0), "{}", again.err);
}
