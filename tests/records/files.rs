//! Whole files of other programs: KIF, KI2 and CSA, written by libraries or for this project.

use crate::common::root;
use crate::program::{ferz, run};
use ferz::interchange::{ChunkReader, Wrapped};
use ferz::record::GameResult;
use ferz::text::Code;
use proptest::prelude::*;
use std::path::PathBuf;

/// The files in the folder with an extension, and the file beside each that has another one.
fn files(extensions: &[&str], beside: &str) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(root().join("fixtures/files")).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| extensions.iter().any(|other| path.extension().unwrap() == *other));
    found.sort();
    let with =
        |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path.with_extension(beside)).ok()?));
    found.into_iter().filter_map(with).collect()
}

/// The plies of a record in the Universal Shogi Interface's style, without tags, numbers, comments and the result.
fn plies(record: &str) -> Vec<String> {
    let (_, moves) = record.split_once("\n\n").unwrap();
    let mut outside = String::new();
    for part in moves.split('{') {
        outside.push_str(part.split_once('}').map_or(part, |(_, after)| after));
    }
    let is_ply = |word: &&str| !word.ends_with('.') && GameResult::parse(word).is_none();
    outside.split_whitespace().filter(is_ply).map(str::to_owned).collect()
}

#[test]
fn files_of_libraries_have_the_plies_that_were_played() {
    let found = files(&["kif", "ki2", "csa", "jkf"], "usi");
    assert_eq!(found.len(), 11);
    for (path, played) in found {
        let file = path.to_str().unwrap();
        let played: Vec<&str> = played.split_whitespace().collect();
        let judged = ferz(&["validate", file], "");
        assert_eq!(judged.code, 0, "{file}: {}", judged.err);
        assert!(
            judged.out.starts_with(&format!("game 1: shogi: legal, {} plies", played.len())),
            "{}",
            judged.out
        );
        let usi = ferz(&["convert", "--to", "usi", file], "").out;
        assert_eq!(plies(&usi), played, "{file}");
        for style in ["coord", "kif", "csa", "hodges"] {
            let there = run(&["convert", "--to", style, file], "");
            assert_eq!(ferz(&["convert", "--to", "usi", "-"], there.out).out, usi, "{file}: {style}");
        }
    }
}

#[test]
fn files_become_records() {
    let found = files(&["kif", "ki2", "csa"], "pgn");
    assert_eq!(found.len(), 3);
    for (path, clean) in found {
        let name = path.display();
        let text = std::fs::read(&path).unwrap();
        let convert = |text: &[u8]| ferz(&["convert", "--to", "usi", "-"], text).out;
        assert_eq!(convert(&text), clean, "{name}");
        assert_eq!(
            convert(String::from_utf8_lossy(&text).replace('\n', "\r\n").as_bytes()),
            clean,
            "{name}: CRLF"
        );
        assert_eq!(
            convert(String::from_utf8_lossy(&text).replace('\n', "\r").as_bytes()),
            clean,
            "{name}: CR"
        );
        let fixed = run(&["fix", "-"], &text);
        assert_eq!(convert(&fixed.out), clean, "{name}: fix");
        assert_eq!(Wrapped::new(&fixed.out, 0).text(), fixed.out, "{name}: still wrapped");
        let mail = [b"Hi Ann,\n\nhere it is:\n\n".as_slice(), &text].concat();
        assert_eq!(convert(&mail), clean, "{name}: after a greeting");
    }
}

/// Code, line, column and text of each finding in a text.
fn findings(text: &str) -> Vec<(String, u64, u64, String)> {
    let report = ferz(&["validate", "--notes", "--format", "ndjson", "-"], text);
    let mut found = Vec::new();
    for line in report.out.lines() {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        let illegal = report.get("illegal").filter(|illegal| illegal.is_object());
        for finding in report["diagnostics"].as_array().unwrap().iter().chain(illegal) {
            let number = |key: &str| finding[key].as_u64().unwrap();
            let at = |end: usize| finding["span"][end].as_u64().unwrap() as usize;
            let code = finding["code"].as_str().unwrap().to_owned();
            found.push((code, number("line"), number("column"), text[at(0)..at(1)].to_owned()));
        }
    }
    found
}

#[test]
fn findings_are_where_the_file_is_wrong() {
    let head = "手合割：平手\n先手：甲\n手数----指手---------消費時間--\n";
    let moves = "   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)\n";
    for (text, finding) in [
        // A ply, in the main line and in a variation that is moved.
        (format!("{head}{moves}   3 ２二角(77)\n"), ("M", 6, 6, "２二角(77)")),
        (format!("{head}{moves}まで2手で中断\n\n変化：2手\n   2 ８四歩(84)\n"), ("J008", 9, 6, "８四歩(84)")),
        // The number of a ply.
        (format!("{head}{moves}   5 ２二角成(88)\n"), ("N010", 6, 4, "5")),
        // Values of tags, clocks and ends.
        (format!("持ち時間：10秒切れ負け\n{head}{moves}"), ("J022", 5, 16, "( 0:16/00:00:16)")),
        (format!("手合割：七枚落ち\n{}", &head[head.find('先').unwrap()..]), ("J002", 1, 5, "七")),
        (format!("{head}{moves}   3 投了\nまで2手で先手の勝ち\n"), ("S046", 6, 6, "投了")),
        (format!("{head}{moves}   3 投了\nまで4手で後手の勝ち\n"), ("J017", 7, 1, "まで4手で後手の勝ち")),
        ("V2.2\nPI\n+\n+7776FU\n-3335FU\n".to_owned(), ("M", 5, 1, "-3335FU")),
        ("V2.2\nP1-KY-KE\n+\n+7776FU\n".to_owned(), ("J002", 2, 3, "-")),
    ] {
        let found = findings(&text);
        let (code, line, column, part) = finding;
        let is_it = |(its_code, its_line, its_column, its_part): &(String, u64, u64, String)| {
            its_code.starts_with(code)
                && (*its_line, *its_column) == (line, column)
                && part.starts_with(its_part)
        };
        assert!(found.iter().any(is_it), "{text}: {found:?}");
    }
}

/// Only the moves change; variations are where they were.
#[test]
fn the_layout_of_a_file_is_kept() {
    let path = root().join("fixtures/files/variations.kif");
    let file = path.to_str().unwrap();
    let before = std::fs::read_to_string(&path).unwrap();
    let after = ferz(&["convert", "--keep-layout", "--to", "csa", file], "").out;
    assert_eq!(after.lines().count(), before.lines().count());
    let mut changed = 0;
    for (before, after) in before.lines().zip(after.lines()) {
        let is_move =
            before.trim_start().starts_with(|char: char| char.is_ascii_digit()) && before.contains('(');
        let is_placed = is_move && !before.contains("投了") && !before.contains("30 ");
        assert_eq!(before != after, is_placed, "{before} {after}");
        changed += usize::from(is_placed);
    }
    assert_eq!(changed, 12);
}

/// The records of a stream that is cut into chunks: the White player and the plies of each.
fn records(stream: &[u8], chunk_bytes: usize) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for chunk in ChunkReader::with_limits(stream, chunk_bytes, 1 << 24) {
        let chunk = chunk.unwrap();
        let wrapped = Wrapped::new(&chunk.bytes[..], chunk.offset);
        let of = |record: ferz::record::Record<'_>| {
            (record.tag("White").unwrap_or_default().into_owned(), record.main_moves().count())
        };
        found.extend(wrapped.records(0).map(of));
    }
    found
}

/// Many games in a stream are cut between games, and nowhere else.
#[test]
fn streams_are_cut_between_games() {
    let kif = |number: usize| {
        let moves: String = (1..40).map(|ply| format!("{ply:4} ７六歩(77)\n*１-0 * 1-0 note {{\n")).collect();
        format!(
            "# ---- Kifu\n開始日時：2020/01/02\n先手：k{number}\n手数----指手--\n{moves}  40 投了\nまで39手で先手の勝ち\n"
        )
    };
    let csa = |number: usize| {
        let moves = "+7776FU,T1\n'* 1-0\n-3334FU\n".repeat(20);
        let version = if number.is_multiple_of(2) { "V2.2\n" } else { "'1-0\n" };
        format!("{version}N+c{number}\nPI\n+\n{moves}%TORYO\n/\n")
    };
    for (name, stream, count) in
        [("k", (0..60).map(kif).collect::<String>(), 39), ("c", (0..60).map(csa).collect::<String>(), 40)]
    {
        let expected: Vec<(String, usize)> =
            (0..60).map(|number| (format!("{name}{number}"), count)).collect();
        for chunk_bytes in [300, 1000, 4000, 20_000, 1 << 20] {
            assert_eq!(records(stream.as_bytes(), chunk_bytes), expected, "{name} {chunk_bytes}");
        }
        let chunks = ChunkReader::with_limits(stream.as_bytes(), 4000, 1 << 24).count();
        assert!(chunks > 10, "{name}: {chunks}");
    }
}

/// Lines of the formats, whole and broken, with places for a word.
const LINES: [&str; 58] = [
    "#KIF version=2.0 @",
    "# ---- @",
    "先手：@",
    "後手：@",
    "上手：@",
    "棋戦：@",
    "表題：@",
    "備考：@",
    "手合割：@",
    "手合割：香落ち @",
    "開始日時：@",
    "開始日時：2020/01/02 @",
    "終了日時：2020/01/02 10:00 @",
    "持ち時間：@",
    "持ち時間：10分切れ負け@",
    "先手の持駒：@",
    "後手の持駒：飛　@",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一",
    "| ・ ・ ・ ・ ・ ・ ・ ・ @|一",
    "|@|九",
    "後手番 @",
    "後手番",
    "手数＝0 @",
    "手数＝3 まで @",
    "手数----指手---------消費時間-- @",
    "手数----指手--",
    "*@",
    "&@",
    "   1 ７六歩(77) @",
    "   2 ３四歩(33)   ( 0:16/@)",
    "   3 ２二角成(88) ( 0:02/00:00:18)+ @",
    "   4 同　@",
    "   4 同　銀(31)   (@)",
    "   9 @",
    "   5 投了 @",
    "   5 投了 ( 0:06/00:00:15) @",
    "   5 封じ手 @",
    "まで@",
    "まで5手で@",
    "まで5手で先手の勝ち @",
    "変化：2手",
    "変化：2手 @",
    "変化：99手",
    "▲７六歩 @",
    "▲@",
    "▲７六歩△３四歩 まで2手で@",
    "V2.2",
    "N+@",
    "$EVENT:@",
    "$TIME_LIMIT:00:15+00@",
    "$NOTE:@",
    "PI@",
    "P+59OU@",
    "+7776FU,T@",
    "+7776FU,T12,'@",
    "%TORYO @",
    "'@",
    "T@",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Every word of a file is in its records, whatever stands around it.
    #[test]
    fn no_word_of_a_file_is_lost(
        begin in prop::sample::select(vec!["手合割：平手", "V2.2", "手数----指手--", "PI"]),
        lines in prop::collection::vec(prop::sample::select(LINES.to_vec()), 0..20),
        dirt in "[\"\\\\{};*]{0,2}",
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let mut text = format!("{begin}{end}");
        for (number, line) in lines.iter().enumerate() {
            text.push_str(&line.replace('@', &format!("w{number}x{dirt}")));
            text.push_str(end);
        }
        let wrapped = Wrapped::new(text.as_bytes(), 0);
        let plain = String::from_utf8(wrapped.text().to_vec()).unwrap();
        for (number, _) in lines.iter().enumerate().filter(|(_, line)| line.contains('@')) {
            prop_assert!(plain.contains(&format!("w{number}x")), "w{number}x: {text}\n=>\n{plain}");
        }
        let records: Vec<_> = wrapped.records(0).collect();
        prop_assert!(!records.is_empty(), "{text}");
        for record in records {
            prop_assert!(record.tag("Variant").is_some(), "{text}\n=>\n{plain}");
            prop_assert!(record.diagnostics.iter().all(|found| found.code != Code("S047")), "{text}\n=>\n{plain}");
        }
    }

    /// Texts of any bytes among lines of the formats are read.
    #[test]
    fn any_text_is_read(
        parts in prop::collection::vec(
            prop_oneof![
                2 => prop::sample::select(LINES.to_vec()).prop_map(|line| line.as_bytes().to_vec()),
                1 => prop::sample::select(vec!["[White \"a\"]\n", "1. e4 {", "}", " * ", "/", "<b>", "> ", "\u{feff}"])
                    .prop_map(|part| part.as_bytes().to_vec()),
                1 => prop::collection::vec(any::<u8>(), 0..8),
                2 => Just(b"\n".to_vec()),
            ],
            0..40,
        ),
    ) {
        let text = parts.concat();
        let whole = Wrapped::new(&text, 0);
        let again = whole.text().to_vec();
        for record in whole.records(0) {
            prop_assert!(record.offset() + record.source().len() <= again.len());
        }
        let cut = records(&text, 16).iter().map(|(_, plies)| plies).sum::<usize>();
        prop_assert!(cut <= text.len());
    }
}

/// A game in JKF is that of the file which a library made it from.
#[test]
fn jkf_says_what_kif_says() {
    let mut pairs = 0;
    for (path, _) in files(&["jkf"], "kif") {
        let convert = |path: PathBuf| {
            let run = ferz(&["convert", "--to", "usi", path.to_str().unwrap()], "");
            assert_eq!(run.code, 0, "{}", run.err);
            // The number of plies stands only in KIF, and a library that wrote some of the files names a wrong winner.
            let lines = run.out.lines().filter(|line| !line.starts_with("[PlyCount"));
            let lines = lines.filter(|line| !line.starts_with("[Result"));
            lines.collect::<Vec<_>>().join("\n").replace(" 0-1", " 1-0")
        };
        assert_eq!(convert(path.clone()), convert(path.with_extension("kif")), "{}", path.display());
        pairs += 1;
    }
    assert!(pairs >= 4, "{pairs}");
}

/// What the form does not know is kept, and what is no game is refused with its place.
#[test]
fn nothing_of_jkf_is_lost() {
    let game = r#"{"header":{"先手":"甲","場所":"東京"},"source":"x","moves":[{"comments":["a","b"]},
        {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"mark":1},
        {"move":{"to":{"x":3,"y":4},"piece":"FU"}},{"special":"MATTA"}]}"#;
    let run = ferz(&["convert", "--to", "usi", "-"], game);
    assert_eq!(run.code, 0, "{}", run.err);
    for part in ["[White \"甲\"]", "[Site \"東京\"]", "source: \"x\"", "mark: 1", "MATTA", "7g7f", "3c3d"]
    {
        assert!(run.out.contains(part), "{part} is not in {}", run.out);
    }
    for wrong in [
        game.replace("\"FU\"", "\"XX\""),
        game.replace("\"x\":7", "\"x\":12"),
        game.replace("moves", "movess"),
        r#"{"header":{},"initial":{"preset":"9"},"moves":[{}]}"#.to_owned(),
        r#"{"moves":[{}]}"#.to_owned(),
    ] {
        let run = ferz(&["validate", "-"], &wrong);
        assert!(run.code != 0 && run.err.contains("S041"), "{wrong}: {}{}", run.out, run.err);
    }
}

/// The movetext of a record without numbers and the result, its words one by one.
fn words(record: &str) -> Vec<String> {
    let moves = record.split_once("\n\n").map_or(record, |(_, moves)| moves);
    let mut found = Vec::new();
    for (index, part) in moves.split(['{', '}']).enumerate() {
        if index % 2 == 1 {
            found.push(part.split_whitespace().collect::<Vec<_>>().join(" "));
            continue;
        }
        let spaced = part.replace('(', " ( ").replace(')', " ) ");
        let is_kept = |word: &&str| !word.ends_with('.') && GameResult::parse(word).is_none();
        found.extend(spaced.split_whitespace().filter(is_kept).map(str::to_owned));
    }
    found
}

#[test]
fn xqf_becomes_the_game_that_was_written() {
    let found = files(&["xqf"], "txt");
    assert_eq!(found.len(), 2);
    for (path, played) in found {
        let run = ferz(&["convert", "--to", "coord", path.to_str().unwrap()], "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(words(&run.out), words(&played), "{}", path.display());
        for tag in ["[Event \"试验杯\"]", "[Site \"北京\"]", "[Date \"2004.05.01\"]", "[White \"甲\"]"]
        {
            assert!(run.out.contains(tag), "{tag} is not in {}", run.out);
        }
        let file = std::fs::read(&path).unwrap();
        assert_eq!(ferz(&["convert", "--to", "coord", "-"], &file).out, run.out);
        // Cut off anywhere it says so, and nothing is a game of fewer moves.
        for len in (64..file.len()).step_by(61) {
            let cut = ferz(&["validate", "-"], &file[..len]);
            assert!(cut.code == 2 && cut.err.contains("the XQF file is cut off"), "{len}: {}", cut.err);
        }
        let newer = [&file[..2], &[19], &file[3..]].concat();
        assert!(ferz(&["validate", "-"], newer).err.contains("version 19 of XQF is not known"));
    }
}
