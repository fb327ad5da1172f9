//! Games as they arrive: mail, web pages, results in words, in sixteen languages; beside each text its clean record.

use crate::common::root;
use crate::program::run;
use ferz::record::Wrapped;

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
