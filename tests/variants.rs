//! The example definitions: the valid ones compile and play as their texts say, the invalid ones are refused
//! with the message that their first line expects.

#![allow(clippy::unwrap_used)]

use ferz::board::{Board, Mask};
use ferz::notation::coord;
use ferz::position::Position;
use ferz::rules::{AnyRules, Registry};
use std::fs;

/// The files of a folder under fixtures/variants: name and text, by name.
fn files(folder: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = fs::read_dir(format!("fixtures/variants/{folder}"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// The rules of a user's file, or what is wrong with it.
fn rules(text: &str) -> Result<AnyRules, String> {
    let mut registry = Registry::with_files([]).unwrap();
    let name = registry.add(text).map_err(|diagnostic| diagnostic.message)?;
    registry.rules(&name, &|_| None).map_err(|error| error.to_string())
}

fn start(text: &str, fen: Option<&str>) -> Position<u64> {
    let Ok(AnyRules::Narrow(rules)) = rules(text) else { panic!("a small board") };
    match fen {
        Some(fen) => Position::from_fen(rules, fen).unwrap(),
        None => Position::start(rules),
    }
}

fn moves<M: Mask>(position: &Position<M>) -> Vec<String> {
    let spelt = |ply: &ferz::position::Ply| {
        let mut text = String::new();
        coord::write(position.rules(), ply, &mut text);
        text
    };
    let mut all: Vec<String> = position.plies().iter().map(spelt).collect();
    all.sort();
    all
}

#[test]
fn valid_definitions_compile() {
    let files = files("valid");
    assert!(files.len() >= 5);
    for (name, text) in files {
        let rules = rules(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rules.id().name, name);
    }
}

#[test]
fn invalid_definitions_say_what_is_wrong() {
    let files = files("invalid");
    assert!(files.len() >= 9);
    for (name, text) in files {
        let expected = text.lines().next().unwrap().strip_prefix("# error: ").unwrap();
        let error = rules(&text).expect_err(&name);
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn the_example_of_the_guide_is_the_fixture() {
    let guide = fs::read_to_string("formats/VARIANT.md").unwrap();
    let fixture = fs::read_to_string("fixtures/variants/valid/dragoons.toml").unwrap();
    assert!(
        guide.contains(&format!("```toml\n{fixture}```")),
        "the guide's example differs from the fixture"
    );
    let position = start(&fixture, None);
    assert_eq!(position.rules().board(), Board::new(6, 6).unwrap());
    assert_eq!(moves(&position).len(), 10);
    assert!(guide.contains("ten first moves"));
}

/// IAV 7: one queen on the board, one rook captured: the rook may be turned over. Once it is, nothing is left.
#[test]
fn stand_ins_are_in_the_pool() {
    let text = fs::read_to_string("fixtures/variants/valid/three-queens.toml").unwrap();
    let promotions = |fen: &str| -> String {
        let all = moves(&start(&text, Some(fen)));
        all.iter().filter_map(|text| text.strip_prefix("a7a8")).collect::<Vec<_>>().join("")
    };
    let (bishops, knights) = ("BB", "NN");
    for (white, expected) in [
        ("QRR", ""),
        ("QR", "qr"),
        ("RR", "q"),
        ("QQR", ""),
        ("QQ", "qr"),
        ("QQQ", ""),
        ("Q", "qr"),
        ("", "qr"),
    ] {
        let pieces = format!("{white}{bishops}{knights}");
        let spaces = 8 - pieces.len();
        let rank = if spaces > 0 { format!("{pieces}{spaces}") } else { pieces };
        let fen = format!("8/P6k/8/8/8/8/PPPPPPPK/{rank} w - - 0 1");
        assert_eq!(promotions(&fen), expected, "{white}");
    }
}

#[test]
fn the_movements_of_the_guide_are_read() {
    use ferz::pieces::betza::parse;
    for text in [
        "mfWcfF", "fW", "RN", "BN", "QN", "NN", "nN", "mRcpR", "(2,5)", "N0", "R3", "fsW", "fF", "frF",
        "fhN", "sN", "fbN",
    ] {
        assert!(parse(text).is_ok(), "{text}");
    }
    assert_eq!(parse("fN"), parse("ffN"));
}
