//! Laws of records as JSON: nothing but the layout is lost on the way there and back.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

use ferz::json::{is_json, parse};
use ferz::notation::Style;
use ferz::record::{AsWritten, Record, WriteOptions, read, write_record};
use ferz::replay::{Options, Replayer, Source};
use ferz::rewrite::{ConvertOptions, Transcript, convert, transcribe};
use proptest::prelude::*;
use serde_json::Value;

fn replayer() -> Replayer<'static> {
    crate::common::replayer(Options::default())
}

fn transcript(record: &Record<'_>) -> Transcript {
    let source = Source::new(record.source(), record.offset(), 0);
    transcribe(&mut replayer(), record, &source, 0).transcript
}

/// A record written in export format: as it is, and in two styles.
fn exports(record: &Record<'_>) -> Vec<String> {
    let mut as_written = String::new();
    write_record(record, &AsWritten, &WriteOptions::default(), &mut as_written);
    let source = Source::new(record.source(), record.offset(), 0);
    let to = |to| {
        let options = ConvertOptions::new(to);
        convert(&mut replayer(), record, &source, 0, &options).text
    };
    vec![as_written, to(Style::San), to(Style::Coord)]
}

/// Fails unless each record goes to JSON and back without loss, twice; gives how many there were.
fn there_and_back(text: &[u8], what: &str) -> usize {
    let schema = record_schema();
    let mut count = 0;
    for record in read(text, 0) {
        let first = transcript(&record);
        let json = serde_json::to_string(&first).unwrap();
        assert!(is_json(json.as_bytes()), "{what}: {json}");
        let value: Value = deep(&json);
        assert_eq!(crate::schema::fault(&schema, &value), None, "{what}: {json}");
        let again = parse(json.as_bytes(), 7).unwrap_or_else(|refused| {
            panic!("{what}: {refused}\n{}\n{json}", String::from_utf8_lossy(record.source()))
        });
        let back = again.record().unwrap();
        assert_eq!(exports(&back), exports(&record), "{what}: {json}");
        let mut second = transcript(&back);
        if !record.is_utf8() {
            // What is wrong with a text is said by its bytes.
            second.moves.clone_from(&first.moves);
            let written = |told: &Transcript| {
                told.elements().iter().map(|e| (e.kind, e.text.clone())).collect::<Vec<_>>()
            };
            assert_eq!(written(&transcript(&back)), written(&first), "{what}: {json}");
        }
        assert_eq!(second, first, "{what}: {json}");
        count += 1;
    }
    count
}

/// JSON of any depth.
fn deep(json: &str) -> Value {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut deserializer).unwrap()
}

fn record_schema() -> Value {
    serde_json::from_str(
        &std::fs::read_to_string(crate::common::root().join("formats/schema/record.json")).unwrap(),
    )
    .unwrap()
}

fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let paths = std::fs::read_dir(crate::common::root().join("fixtures").join(folder)).unwrap();
    let paths = paths.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    paths.map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn fixtures_come_back() {
    let mut games = 0;
    for (name, text) in files("games").into_iter().chain(files("records")) {
        games += there_and_back(&text, &name);
    }
    assert!(games > 100, "{games}");
}

#[test]
fn random_games_of_every_kind_come_back() {
    let mut notes = 0;
    for text in crate::random_records::records(3) {
        notes += text.matches("{").count();
        assert_eq!(there_and_back(text.as_bytes(), &text), 1);
    }
    assert!(notes > 200, "{notes}");
}

/// With marks after it, a dash is no ply either.
#[test]
fn a_dash_with_marks_is_no_ply() {
    for text in
        ["1. e4 -!± d5 *", "so e5 exd5+hello world -!!!±", "1. e4 -?! d5 *", "1. e4 \u{2013}!\u{221e} *"]
    {
        there_and_back(text.as_bytes(), text);
    }
}

/// On one line they would be `0 - 1`.
#[test]
fn a_dash_between_numbers_does_not_become_a_result() {
    for text in
        ["0 -\n1 e4 *", "0\n- 1 e4 *", "1. e4 0 -\n1 e5 *", "1 \u{2013}\n0", "- 1", "½-\n½ {", "1-\n0 *"]
    {
        there_and_back(text.as_bytes(), text);
    }
    there_and_back(b"\xbd-\xa0\xbd{", "Latin-1");
}

/// Pieces of records, in any order: most of what comes of it is broken somewhere.
fn piece() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => prop::sample::select(vec!["e4 ", "e5 ", "Nf3 ", "1. ", "1... ", "2.", "d4", " O-O", "exd5+", "e8(Q)"]),
        2 => prop::sample::select(vec!["{a [%clk 0:01:02] b}", "{", "}", "; line\n", "\n%escape\n", "(", ")", "\n", " "]),
        2 => prop::sample::select(vec!["!", "?!", "$3", "$", "$99999", "!!!", "±", "=", " ∞ ", "e.p.", "(=)", "½-½"]),
        2 => prop::sample::select(vec!["\n[A \"x\"]\n", "[to be]\n", "\n[", "]", "<", "[%x y]", "%z ", "... ", "1)", "\\"]),
        2 => prop::sample::select(vec!["hello world ", "hello\u{a0}", "so ", "∞1.....a4=Q ", "~e2e4 ", " 1-0 ", "*", "-", "0 ", "1 "]),
        1 => prop::sample::select(vec!["[White \"J \\\" \\\\ \\x\"]\n", "\u{feff}", "\0", "--", "\t", "\r\n", "é", "…", "5254 ", "[Event \"?\"]\n"]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]
    #[test]
    fn whatever_is_read_comes_back(pieces in prop::collection::vec(piece(), 0..24)) {
        there_and_back(pieces.concat().as_bytes(), "pieces");
    }

    #[test]
    fn bytes_that_are_no_text_come_back(bytes in prop::collection::vec(prop::sample::select(b"e4 1.{}()$\"[]\xe9\xa0\xbd-;%\n!Nx=\xe2\x80\xa6".to_vec()), 0..40)) {
        there_and_back(&bytes, "bytes");
    }

    /// Objects with changed texts are refused with a place, or they are records.
    #[test]
    fn changed_objects_are_refused_or_read(text in "[ -~]{0,6}", at in 0usize..40, number in "[0-9.]{0,4}") {
        let text_of_game = b"[White \"A\"]\n\n1. e4 {so} e5 (1... c5 $2) 2. Nf3 ; x\n *";
        let mut told = transcript(&read(text_of_game, 0).next().unwrap());
        let count = told.moves.len();
        let element = &mut told.moves[at % count];
        match at % 3 {
            0 => element.number = Some(number),
            _ if element.text.is_some() => element.text = Some(text),
            _ => told.tags[0].value = text,
        }
        let json = serde_json::to_string(&told).unwrap();
        match parse(json.as_bytes(), 0) {
            Ok(read) => {
                let record = read.record().unwrap();
                let again = transcript(&record);
                let written = |told: &Transcript| told.elements().iter().map(|e| e.text.clone()).collect::<Vec<_>>();
                prop_assert_eq!(written(&again), written(&told));
            }
            Err(refused) => prop_assert!(refused.span.end <= json.len() && refused.span.start < refused.span.end),
        }
    }
}

/// What words belong together does not depend on the blanks between them, since writing changes these.
#[test]
fn dates_come_back_whatever_the_blanks() {
    for blank in ["\u{a0}", "\t", "\n", "  ", "\u{2003}", "\r\n"] {
        for words in [["4", "ene"], ["4", "ené"], ["13", "Nov"], ["Nov", "13"]] {
            there_and_back(words.join(blank).as_bytes(), "a date");
            there_and_back(format!("1. e4 {} 2. d4", words.join(blank)).as_bytes(), "a date in a game");
            there_and_back(
                [words.join(blank), "2024".to_owned()].join(blank).as_bytes(),
                "a date with its year",
            );
        }
    }
}

#[test]
fn every_kind_of_ply_is_told() {
    let mut kinds = std::collections::BTreeSet::new();
    for (_, text) in files("games") {
        for record in read(&text, 0) {
            for element in transcript(&record).elements() {
                kinds.extend(
                    element.played.as_ref().map(|played| serde_json::to_string(&played.kind).unwrap()),
                );
            }
        }
    }
    assert_eq!(kinds.len(), 9, "{kinds:?}");
}

#[test]
fn a_ply_is_told_in_full() {
    let text = b"[Variant \"iago-b\"]\n\n1. e4 d5 2. Bc4&C {[%clk 1:02:03.5] [%emt 0:00:04]} dxc4! 3. Kf3 e5 (3... c3) *";
    let told = transcript(&read(text, 0).next().unwrap());
    let played = |index: usize| serde_json::to_value(&told.moves[index]).unwrap();
    let mut gating = played(2);
    let key = gating["played"]["key"].take();
    assert!(key.as_str().is_some_and(|key| key.len() == 16), "{key}");
    assert_eq!(
        gating,
        serde_json::json!({"type": "ply", "number": "2.", "text": "Bc4&C", "played": {
            "ply": 3, "actor": "white", "kind": "gating", "piece": "B", "from": "f1", "to": "c4",
            "gated": [{"piece": "C", "square": "f1"}], "coord": "f1c4c", "key": null, "check": false, "mate": false,
            "clocks": {"left_ms": 3_723_500, "spent_ms": 4000}}})
    );
    assert_eq!(
        played(4)["played"]["captured"],
        serde_json::json!({"piece": "B", "square": "c4", "owner": "white"})
    );
    assert_eq!(played(5), serde_json::json!({"type": "nag", "text": "!", "value": 1}));
    assert_eq!(played(6)["illegal"]["reason_id"], "no-such-move");
    assert_eq!(played(7), serde_json::json!({"type": "ply", "text": "e5", "unjudged": true}));
    assert_eq!(played(8)["moves"][0]["unjudged"], true);
}

/// The deepest variations that are kept as a tree, on a thread with the usual stack.
#[test]
fn deep_variations_come_back() {
    let text = format!("1. e4 {} {} *", "(1. d4 ".repeat(300), ")".repeat(300));
    let worker = std::thread::Builder::new().stack_size(2 << 20);
    worker.spawn(move || assert_eq!(there_and_back(text.as_bytes(), "deep"), 1)).unwrap().join().unwrap();
}
