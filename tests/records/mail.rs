//! Games as they arrive: mail, web pages, results in words, in sixteen languages; beside each text its clean record.

use crate::common::root;
use crate::program::run;
use ferz::interchange::Wrapped;

/// Texts that need a hand: nothing in them says where the moves begin, or in which order they were played. They are
/// reported, and nothing of them is taken for another game.
const BY_HAND: [&str; 3] = ["hand-answer-on-top", "hand-moves-in-prose", "hand-two-columns"];

#[test]
fn mail_becomes_clean_records() {
    let folder = root().join("fixtures/mail");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".txt")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 60 && BY_HAND.len() * 20 <= names.len(), "{}", names.len());
    for name in &names {
        let text = std::fs::read(folder.join(format!("{name}.txt"))).unwrap();
        let clean = std::fs::read_to_string(folder.join(format!("{name}.pgn"))).unwrap();
        let convert = |text: &[u8]| {
            let done = run(&["convert", "--to", "san", "-"], text);
            (done.code, String::from_utf8(done.out).unwrap())
        };
        if BY_HAND.iter().any(|hand| name.ends_with(hand)) {
            assert_eq!(convert(&text).0, 1, "{name}");
            continue;
        }
        assert_eq!(convert(&text), (0, clean.clone()), "{name}");
        // What is repaired reads the same, and needs no repair.
        let fixed = run(&["fix", "-"], &text);
        assert_eq!(convert(&fixed.out), (0, clean), "{name}: fix");
        assert_eq!(run(&["fix", "-"], &fixed.out).out, fixed.out, "{name}: fix again");
        assert_eq!(Wrapped::new(&fixed.out, 0).text(), fixed.out, "{name}: still wrapped");
        // Every finding about skipped lines is one a game, and its place lies in the text.
        let report = run(&["validate", "--format", "ndjson", "-"], &text);
        for line in String::from_utf8(report.out).unwrap().lines() {
            let report: serde_json::Value = serde_json::from_str(line).unwrap();
            let found = report["diagnostics"].as_array().unwrap();
            assert!(found.iter().filter(|found| found["code"] == "S047").count() <= 1, "{name}: {line}");
            let inside = |found: &serde_json::Value| found["span"][1].as_u64().unwrap() <= text.len() as u64;
            assert!(found.iter().all(inside), "{name}: {line}");
        }
    }
}

/// Lines that begin with a drop, a pass, a sign or a word are part of the game that they stand in.
#[test]
fn nothing_in_a_game_is_skipped() {
    for (text, plies, result) in [
        ("[Game \"Chinese Chess\"]\n\n1. C2=5 H8+7 2.\nR1+1 R9+1 3. P3+1 *\n", 5, "*"),
        ("[Game \"Chinese Chess\"]\n\n1. H2-E2 H7-E7 2.\nI0-I1 I9-I8 *\n", 4, "*"),
        ("[Variant \"shogi\"]\n\n1. P76 P34 2. Bx22+ Sx22 3.\nB'45 P54 1-0\n", 6, "1-0"),
        ("Hi Ann,\n\n[Variant \"shogi\"]\n\n1. 7g7f 3c3d 2. 8h2b+ 3a2b 3.\nB*4e *\n", 5, "*"),
        ("[Variant \"janggi\"]\n\n1. a1a2 a10a9 2. --\n-- 0-1\n", 4, "0-1"),
        ("[Variant \"janggi\"]\n\n1. a1a2 a10a9 2. --\n--\n0-1\n", 4, "0-1"),
        ("Hi,\n\n[Variant \"janggi\"]\n\n1. e2e2\n-- *\n\nBest wishes, Ben\n-- \nBen Lee\n", 2, "*"),
        ("Hi,\n\n[Variant \"xiangqi\"]\n\n1. C2=5 H8+7 2. H2+3\nR9=8 *\n\nBest, Ben\n", 4, "*"),
        ("Hi,\n\n[Variant \"shogi\"]\n\n1. P-7f P-3d 2. Bx2b+\nSx2b *\n\nBest, Ben\n", 4, "*"),
        ("1. f3 e5 2. g4 Qh4\nmate 0-1", 4, "0-1"),
        ("1. e4 e5\n= 1/2-1/2", 2, "1/2-1/2"),
        ("1. e4 e5\n± 1-0", 2, "1-0"),
        ("1. e4 e5\nRR 1-0", 2, "1-0"),
        ("1. e4 e5\nMat! 1-0", 2, "1-0"),
        ("1. e4 e5\n0-1, White overlooked mate", 2, "0-1"),
        ("1. e4 e5 2. Nf3 Nc6 – Remis", 4, "1/2-1/2"),
        ("1. e4 e5 (1... c5 2. Nf3 1-0)\nThen he thought for an hour.\n2. Nf3 Nc6 *", 4, "*"),
    ] {
        let wrapped = Wrapped::new(text.as_bytes(), 0);
        let records: Vec<_> = wrapped.records(0).collect();
        assert_eq!(records.len(), 1, "{text}");
        assert_eq!(records[0].main_moves().count(), plies, "{text}");
        assert_eq!(records[0].result.map(|result| result.as_str()), Some(result), "{text}");
    }
}

/// The sentence after the last ply may hold the result: it stays, and what is left out is listed.
#[test]
fn repairs_keep_the_last_sentence() {
    let done = run(
        &["fix", "-"],
        b"Hi,\n\n1. e4 e5 2. Nf3 Nc6\nWhite resigned after 20 minutes thought.\n-- \nAnn\n",
    );
    let fixed = String::from_utf8(done.out).unwrap();
    assert_eq!(fixed, "1. e4 e5 2. Nf3 Nc6\n{White resigned after 20 minutes thought.} *\n");
    assert!(
        done.err.contains(r#"1:1: game 1: skipped-lines: "Hi," is not part of the game; left out"#),
        "{}",
        done.err
    );
    assert!(done.err.contains(r#""-- \nAnn" is not part of the game"#), "{}", done.err);
}
