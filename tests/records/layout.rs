//! Conversion that keeps the layout: what it changes, and that nothing else changes.
#![allow(clippy::unwrap_used)]

use ferz::notation::Style;
use ferz::record::{ItemKind, read};
use ferz::replay::{Options, Source};
use ferz::rewrite::{ConvertOptions, convert_in_place};
use ferz::text::{Edit, edited};
use std::path::PathBuf;

/// The input with its moves in the style, and how many losses and edits there were.
fn in_place(text: &[u8], to: Style) -> (Vec<u8>, usize, Vec<Edit>) {
    let options = ConvertOptions::new(to);
    let mut replayer = crate::common::replayer(Options::default());
    let source = Source::new(text, 0, 0);
    let (mut edits, mut losses) = (Vec::new(), 0);
    for record in read(text, 0) {
        let rewritten = convert_in_place(&mut replayer, &record, &source, 0, &options);
        edits.extend(rewritten.edits);
        losses += rewritten.losses.len();
    }
    (edited(text, 0, &edits), losses, edits)
}

fn to(text: &str, style: Style) -> String {
    String::from_utf8(in_place(text.as_bytes(), style).0).unwrap()
}

fn games() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = crate::common::root().join("fixtures/games");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let games = paths.filter(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    games.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// A record as a person might have written it.
const ODD: &str = "\u{feff}[Event   \"A \\\"club\\\" game\"]\r\n[X-Unknown \"\t?\" ] ; tags\r\n\r\n\
                   1.e4   {\tbest,  by test }e5!?$16 2 .Nf3\tNc6\r\n%kept\r\n 3. Bb5 ( 3.Bc4 Bc5\r\n4.0-0  ) \
                   3...a6 ; a line\r\n4. Bxc6!\r\ndxc6 5.O-O 1/2   \r\n\r\n\r\n";

#[test]
fn moves_change_and_nothing_else() {
    let lan = to(ODD, Style::Lan);
    let expected = ODD
        .replace("e4 ", "e2-e4 ")
        .replace("}e5", "}e7-e5")
        .replace("Nf3", "Ng1-f3")
        .replace("\tNc6", "\tNb8-c6")
        .replace("Bb5", "Bf1-b5")
        .replace("Bc4 Bc5", "Bf1-c4 Bf8-c5")
        .replace("...a6", "...a7-a6")
        .replace("4. Bxc6", "4. Bb5xc6")
        .replace("dxc6", "d7xc6");
    assert_eq!(lan, expected);
    assert_eq!(to(&lan, Style::San), ODD);
    assert_eq!(to(ODD, Style::San), ODD);
}

#[test]
fn bytes_of_latin_1_stay() {
    let text = b"[White \"J\xfcrgen\"]\n\n1. e4 {sch\xf6n} e5 *\n";
    let (coord, losses, _) = in_place(text, Style::Coord);
    assert_eq!((coord.as_slice(), losses), (&b"[White \"J\xfcrgen\"]\n\n1. e2e4 {sch\xf6n} e7e5 *\n"[..], 0));
}

/// Numbers of Nature's turns come and go with `~`; those that are written otherwise stay.
#[test]
fn natures_numbers_come_and_go() {
    let head = "[Variant \"chaos+chess\"]\n\n1. e4 e5 2. d3 d6 3. Nf3 {so} ";
    let cases = [
        ("\u{221e}1.....b4=N Nf6 *", "~N@b4 g8f6 *"),
        ("\u{221e}1..... b4=N Nf6 *", "\u{221e}1..... ~N@b4 g8f6 *"),
        ("OO1. {!} b4=N Nf6 *", "OO1. {!} ~N@b4 g8f6 *"),
        ("\u{221e}1.....~b4=N Nf6 *", "\u{221e}1.....~N@b4 g8f6 *"),
    ];
    let squares = "[Variant \"chaos+chess\"]\n\n1. e2e4 e7e5 2. d2d3 d7d6 3. g1f3 {so} ";
    for (chaos, coord) in cases {
        assert_eq!(to(&format!("{head}{chaos}"), Style::Coord), format!("{squares}{coord}"));
        assert_eq!(to(&format!("{squares}{coord}"), Style::Chaos), format!("{head}{chaos}"));
    }
}

#[test]
fn forms_that_the_style_does_not_write_are_kept_where_they_fit() {
    let sloppy = "1. e2-e4 e5 2. Ngf3 Nbc6 3. Bb5 a6 4. Bxc6 dc6 5. 0-0 f6 *";
    assert_eq!(to(sloppy, Style::San), "1. e4 e5 2. Ngf3 Nbc6 3. Bb5 a6 4. Bxc6 dc6 5. 0-0 f6 *");
}

/// A new text does not grow together with what stands beside it.
#[test]
fn moves_stay_apart_from_their_neighbours() {
    assert_eq!(
        to("1. e4 e5 2. Nf3 $13Nc6 3. Bb5$5a6 *", Style::Iccf),
        "1. 5254 5755 2. 7163 $13 2836 3. 6125$5 1716 *"
    );
    assert_eq!(to("1. e4 e5 2. Nf3 $13Nc6 *", Style::Lan), "1. e2-e4 e7-e5 2. Ng1-f3 $13Nb8-c6 *");
    let plies = |text: &str| -> Vec<String> {
        let (coord, ..) = in_place(text.as_bytes(), Style::Coord);
        let text = String::from_utf8(coord).unwrap();
        let record = read(text.as_bytes(), 0).next().unwrap();
        let moves = record.items.iter().filter(|item| item.kind == ItemKind::Move);
        moves.map(|item| record.text(*item).into_owned()).collect()
    };
    let records = [
        "1.e4;Q-e4 wins\ne5$1 2.Nf3!$13Nc6{so}3.Bb5(3.Bc4$5Bc5)a6?!4.Ba4$2Nf6(4...b5$14(4...d6)5.Bb3)5.O-O$1Be7 *",
        "1...e4 $7$8e5 2 .Nf3 ... Nc6 3)Bb5 <a6 4. Ba4}Nf6 ]5.O-O Be7 *",
        "1.e4;e4-e5 comes\n e5;d7-d5 is no gambit\n 2.Nf3\u{a0}Nc6;Nb8-c6\n3.Bb5?$4a6 (3...Nf6$6;c7-c5\n4.O-O) *",
        "1. e4 $e5 2. Nf3 $ Nc6 3. Bb5!$a6 *",
        "1.f3 e5 2.g4 Qh4#(b)(2...Qg5)0-1",
        "[SetUp \"1\"]\n[FEN \"3r3k/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.exd8=Q+(Q)Kg7 2.Qd4+$1Kf7$22 *",
        "[Variant \"chaos+chess\"]\n\n1. e4 e5 2. d3 d6 3. Nf3 $5\u{221e}1.....b4=N$7Nf6 *",
        "[Variant \"iago-b\"]\n\n1. e4$1e5 2. Nf3;M-f3\n$5Nf6&M 3.&Cg1(3.d4$9d5)Be7 *",
    ];
    for text in records {
        let wanted = plies(text);
        assert!(wanted.len() > 2, "{text}: {wanted:?}");
        for style in Style::ALL {
            let there = to(text, style);
            assert_eq!(plies(&there), wanted, "{style}: {there}");
        }
    }
}

/// A log of Game Courier's has no move in the form of a style.
#[test]
fn moves_of_several_words_are_written_as_one() {
    let log = "1. P e2-e4\n1... p e7-e5\n2. N g1-f3 // a comment\n2... n b8-c6\n3. B f1-c4\n3... b f8-c5\n\
               4. e1-g1; h1-f1\n4... n g8-f6\n5. P d2-d3\n5... k e8-g8; r h8-f8\n";
    let lan = "1. e2-e4\n1... e7-e5\n2. Ng1-f3 // a comment\n2... Nb8-c6\n3. Bf1-c4\n3... Bf8-c5\n\
               4. O-O\n4... Ng8-f6\n5. d2-d3\n5... O-O\n";
    assert_eq!(to(log, Style::Lan), lan);
    assert_eq!(to(lan, Style::Lan), lan);
    assert_eq!(to(log, Style::San), to(lan, Style::San));
    let queens = "[SetUp \"1\"]\n[FEN \"r3k3/3p4/8/8/8/8/8/R3K3 w Qq - 0 1\"]\n\n1. K e1-c1; R a1-d1 k e8-c8; r a8-d8 *\n";
    assert!(to(queens, Style::San).contains("1. O-O-O O-O-O *"), "{}", to(queens, Style::San));
    // A rook that stands elsewhere has nothing to do with it.
    assert_eq!(to("1. e2-e4; R h1-h4 is good\ne5 *", Style::San), "1. e4; R h1-h4 is good\ne5 *");
}

/// What can only be understood by what is legal has the form of no style.
#[test]
fn forms_of_no_style_are_written_anew() {
    let odd = "1.nf3  E5 2. N:e5 Bf8\u{2013}d6 3. d4 c5 4. dc,  Qc7!\r\n*";
    assert_eq!(to(odd, Style::San), "1.Nf3  e5 2. N:e5 Bd6 3. d4 c5 4. dxc5  Qc7!\r\n*");
}

#[test]
fn what_follows_an_illegal_ply_stays() {
    let (text, losses, edits) = in_place(b"1. e4 e5 2. Ke3 Nc6 (2... Nf6) *", Style::Coord);
    assert_eq!(String::from_utf8(text).unwrap(), "1. e2e4 e7e5 2. Ke3 Nc6 (2... Nf6) *");
    assert_eq!((losses, edits.len()), (1, 2));
}

#[test]
fn a_style_of_its_own_changes_no_byte() {
    for (name, style) in [("ichess-sample", Style::Ichess), ("chess960", Style::San)] {
        let text = crate::common::fixture(&format!("games/{name}.pgn"));
        assert_eq!(to(&text, style), text, "{name}");
    }
    for (path, text) in games() {
        for style in Style::ALL {
            let (once, ..) = in_place(&text, style);
            let (twice, _, edits) = in_place(&once, style);
            assert!(twice == once && edits.is_empty(), "{}: {style}: {edits:?}", path.display());
        }
    }
}

#[test]
#[cfg(feature = "cli")]
fn the_program_keeps_every_other_byte() {
    let ferz = |args: &[&str], input: &[u8]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ferz"));
        command.args(args).write_stdin(input).output().unwrap()
    };
    // Two games, one of which has an illegal ply, with blank lines around them.
    let second = b"[White \"J\xfcrgen\"]\n1.e4 e5 2.Ke4 Nc6 *\n\n".as_slice();
    let text = [b"\n\n".as_slice(), ODD.as_bytes(), second].concat();
    let lan = ferz(&["convert", "--to", "lan", "--keep-layout"], &text);
    assert_eq!(lan.status.code(), Some(1));
    let told = String::from_utf8_lossy(&lan.stderr);
    assert!(told.contains("ply 3, `Ke4`, is illegal") && told.contains("N013"), "{told}");
    let back = ferz(&["convert", "--to", "san", "--keep-layout", "-"], &lan.stdout);
    assert_eq!(String::from_utf8_lossy(&back.stdout), String::from_utf8_lossy(&text));
    let json = ferz(&["convert", "--to", "coord", "--keep-layout", "--format", "ndjson"], &text);
    let line = json.stdout.split(|byte| *byte == b'\n').nth(1).unwrap();
    let line: serde_json::Value = serde_json::from_slice(line).unwrap();
    assert_eq!(line["record"], "[White \"J\u{fc}rgen\"]\n1.e2e4 e7e5 2.Ke4 Nc6 *\n\n");
}

#[test]
fn there_and_back_is_the_same() {
    let mut compared = 0;
    for (path, text) in games() {
        // Through coordinates every move gets the spelling of the style.
        let (coord, lost, _) = in_place(&text, Style::Coord);
        if lost > 0 {
            continue;
        }
        for first in Style::ALL {
            let (start, lost, _) = in_place(&coord, first);
            if lost > 0 {
                continue;
            }
            for second in Style::ALL {
                let (there, lost, _) = in_place(&start, second);
                let (back, lost_back, _) = in_place(&there, first);
                if lost + lost_back == 0 {
                    compared += 1;
                    let (back, start) = (String::from_utf8_lossy(&back), String::from_utf8_lossy(&start));
                    assert_eq!(back, start, "{}: {first} to {second} and back", path.display());
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}
