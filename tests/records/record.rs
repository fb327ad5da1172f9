//! Laws of reading, splitting and writing records, over generated and hostile input.

use ferz::interchange::{ChunkReader, Wrapped, split};
use ferz::notation::courier;
use ferz::record::{
    AsWritten, CommentKind, GameResult, ItemKind, Record, Texts, WriteOptions, codes, read, read_limited,
    write_record,
};
use ferz::text::limits::{VARIATION_DEPTH_MAX, VARIATIONS_PER_GAME_MAX};
use proptest::prelude::*;
use std::path::Path;

/// What a record says, apart from where it stands.
fn essence(record: &Record<'_>) -> String {
    let tags: Vec<_> = record.tags.iter().map(|t| (record.tag_name(t), record.tag_value(t))).collect();
    let items: Vec<_> =
        record.items.iter().map(|i| (i.kind, record.full_span(*i), record.text(*i))).collect();
    format!("{} {tags:?} {items:?} {:?} {:?}", record.offset(), record.result, record.diagnostics)
}

fn written(source: &[u8]) -> String {
    let mut out = String::new();
    for record in read(source, 0) {
        write_record(&record, &AsWritten, &WriteOptions::default(), &mut out);
    }
    out
}

/// Length of the white character at `pos`, 0 if there is none.
fn white(src: &[u8], pos: usize) -> usize {
    match &src[pos..] {
        [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0xa0, ..] => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8b | 0xaf, ..] | [0xe2, 0x81, 0x9f, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// Fails unless every byte is in an item, a tag or a diagnostic, or is white space.
fn accounted(source: &[u8]) {
    let mut seen = vec![false; source.len()];
    let mut end = 0;
    for record in read(source, 0) {
        let items = record.items.iter().map(|i| record.full_span(*i));
        let tags = record.tags.iter().map(|t| record.tag_full_span(t));
        for span in items.chain(tags).chain(record.diagnostics.iter().map(|d| d.span)) {
            assert!(span.start <= span.end && span.end <= source.len(), "{span:?}");
            seen[span.start..span.end].fill(true);
        }
        assert!(record.offset() >= end);
        end = record.offset() + record.source().len();
    }
    let mut pos = 0;
    while pos < source.len() {
        let step = white(source, pos);
        assert!(seen[pos] || step > 0, "byte {pos} of {:?}", String::from_utf8_lossy(source));
        pos += step.max(1);
    }
}

/// Fails unless the chunks of `source`, read apart, give the same records as the whole.
fn splits_alike(source: &[u8]) {
    let whole: Vec<String> = read(source, 0).map(|r| essence(&r)).collect();
    let mut offset = 0;
    let mut apart = Vec::new();
    for chunk in split(source) {
        apart.extend(read(chunk, offset).map(|r| essence(&r)));
        offset += chunk.len();
    }
    assert_eq!(offset, source.len());
    assert_eq!(apart, whole, "{:?}", String::from_utf8_lossy(source));
    for size in [1, 7, 64] {
        let mut streamed = Vec::new();
        for chunk in ChunkReader::with_limits(source, size, 1 << 20) {
            let chunk = chunk.expect("memory does not fail");
            streamed.extend(read(&chunk.bytes, chunk.offset).map(|r| essence(&r)));
        }
        assert_eq!(streamed, whole, "{size} {:?}", String::from_utf8_lossy(source));
    }
}

/// Fails unless writing what was written changes nothing, and comments survive the first writing.
fn writes_stably(source: &[u8]) {
    let once = written(source);
    assert_eq!(written(once.as_bytes()), once, "from {:?}", String::from_utf8_lossy(source));
    let words = |record: &Record<'_>| -> Vec<String> {
        let comments = record
            .items
            .iter()
            .filter(|i| matches!(i.kind, ItemKind::Comment(k) if k != CommentKind::Escape));
        comments
            .map(|i| record.text(*i).replace('}', ")").split_ascii_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    let moves = |record: &Record<'_>| -> Vec<String> {
        record
            .items
            .iter()
            .filter(|i| i.kind == ItemKind::Move)
            // Several words of one ply are written as one.
            .map(|i| courier::plain(record.bytes(*i)).unwrap_or_else(|| record.text(*i).into_owned()))
            .collect()
    };
    let before: Vec<_> = read(source, 0).collect();
    let after: Vec<_> = read(once.as_bytes(), 0).collect();
    assert_eq!(before.len(), after.len(), "{once}");
    for (old, new) in before.iter().zip(&after) {
        if old.is_utf8() {
            assert_eq!(words(old), words(new), "{once}");
            assert_eq!(moves(old), moves(new), "{once}");
        }
    }
}

/// Pieces of records, whole and broken.
fn piece() -> impl Strategy<Value = String> {
    let known = vec![
        "[Event \"x\"]",
        "[White \"a {b} ; c\"]",
        "[Black \"open",
        "[Site \"a\\\"b\"]",
        "[Round]",
        "[FEN \"8/8 b - - 0 7\"]",
        "[event \"y\"]",
        "[A x]",
        "\n\n[Event \"w\"]\n",
        "[",
        "]",
        "[%clk 0:01:00]",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\r\r",
        " ",
        " ",
        "\t",
        "%",
        "%esc {",
        "{",
        "}",
        "{c}",
        "{ [%clk 0:05:00] }",
        "{\n\n[Event \"z\"]",
        ";",
        "; c {",
        "(",
        ")",
        "1.",
        "1...",
        "1. ...",
        "2\u{2026}",
        "12",
        "7)",
        "\u{221e}3.....",
        "oo2.....",
        "OO3",
        "\u{221e}3\u{2026}..",
        "e4",
        "Nf3!?",
        "e8(Q)",
        "e8(=Q)+",
        "exd6e.p.",
        "e.p.",
        "(e.p.)",
        "(=)",
        "5254",
        "57581",
        "~a4a7",
        "~Q@a4",
        "O-O",
        "0-0",
        "O-O/Hh1",
        "&Me1",
        "a4=Q",
        "--",
        "\u{2658}f3",
        "end of phase",
        "resigns",
        "N",
        "ed",
        "!",
        "??",
        "!!!",
        "$3",
        "$",
        "$70000",
        "=",
        "+-",
        "\u{b1}",
        "<",
        ">",
        "*",
        "*Q",
        "N*e4",
        "c1-e3; H*c1 *",
        "*[Event \"glued\"]",
        "1-0[White \"glued\"]\n",
        " [Black \"in a line\"] ",
        "Nf3+-",
        "Nf3\u{b1}!?",
        "+",
        " #",
        " ch ",
        " N ",
        "1-0",
        "0-1",
        "1/2",
        "1/2-1/2",
        "\u{bd}-\u{bd}",
        "1\u{2013}0",
        "0:1",
        "1 - 0",
        "\u{feff}",
        "\u{a0}",
        "\0",
        "\u{1a}",
        "...",
        ".",
        "\"",
        "\u{e9}",
        "\u{2026}e5",
    ];
    prop_oneof![9 => proptest::sample::select(known).prop_map(str::to_owned), 1 => "[ -~]{0,4}"]
}

fn broken_text() -> impl Strategy<Value = Vec<u8>> {
    let latin = prop_oneof![8 => Just(None), 1 => any::<u8>().prop_map(Some)];
    prop::collection::vec((piece(), latin), 0..40).prop_map(|parts| {
        let mut out = Vec::new();
        for (text, byte) in parts {
            out.extend_from_slice(text.as_bytes());
            out.extend(byte);
        }
        out
    })
}

/// A whole game with tags, numbers, comments and variations.
fn game() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => proptest::sample::select(vec!["e4", "Nf3", "O-O", "exd5", "R=a1", "Bc1-e3&C", "e7e8q'", "5254"]).prop_map(str::to_owned),
        1 => Just("$14".to_owned()),
        2 => "[a-zA-Z ,.]{0,90}".prop_map(|t| format!("{{{t}}}")),
        1 => Just("{[%clk 0:00:01] [%eval 0.1] %x [y]}".to_owned()),
        1 => Just("; to the end\n".to_owned()),
        1 => Just("\n% escaped\n".to_owned()),
        1 => Just("\u{221e}2.....a4=Q".to_owned()),
    ];
    let line = prop::collection::vec(word, 0..12).prop_map(|w| w.join(" "));
    let tree = line.prop_recursive(3, 30, 4, |inner| {
        prop::collection::vec(inner, 1..4).prop_map(|lines| format!("e4 ({}) Nc6", lines.join(" ")))
    });
    (tree, proptest::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*", ""]), "[ -~]{0,20}").prop_map(
        |(moves, result, name)| {
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            format!("[Event \"{name}\"]\n[Zeta \"1\"]\n[Alpha \"2\"]\n\n1. {moves} {result}\n\n")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_byte_is_accounted_for(source in broken_text()) {
        accounted(&source);
    }

    #[test]
    fn random_bytes_are_accounted_for(source in prop::collection::vec(any::<u8>(), 0..200)) {
        accounted(&source);
        splits_alike(&source);
        writes_stably(&source);
    }

    #[test]
    fn chunks_read_apart_give_the_same_records(source in broken_text()) {
        splits_alike(&source);
    }

    #[test]
    fn writing_is_stable_on_broken_text(source in broken_text()) {
        writes_stably(&source);
    }

    #[test]
    fn writing_is_stable_on_games(games in prop::collection::vec(game(), 1..4)) {
        let text = games.concat();
        accounted(text.as_bytes());
        writes_stably(text.as_bytes());
        splits_alike(text.as_bytes());
        prop_assert!(written(text.as_bytes()).lines().filter(|l| !l.starts_with(['[', '%'])).all(|l| l.chars().count() < 140));
    }
}

// --- examples ------------------------------------------------------------------------------------------------

/// Texts that a second reading once took for something else: results that run together with a sign, a date with one, a
/// letter and a square with a byte between them that is no blank, a mark after a mark.
#[test]
fn what_was_written_is_read_alike() {
    for text in [
        "[Event \"z\"].1/20-1+-(e.p.)d *",
        "1/21/2+-!",
        "1-01-0+-[Event \"x\"]",
        "*Q\0e4end of phase",
        "[Event \"x\"]]A\u{feff}e4",
        " #+ #",
        "Nf3+-# ch ",
        "1. e4 13 Nov 2. Nov *",
        "1. e4 e5 (by mail, 13 Nov) 2. mai 0:13 *",
    ] {
        writes_stably(text.as_bytes());
    }
}

fn one(source: &str) -> Record<'_> {
    let mut records = read(source.as_bytes(), 0);
    let record = records.next().expect("a record");
    assert!(records.next().is_none(), "one record only: {source}");
    record
}

fn moves(source: &str) -> Vec<String> {
    let record = one(source);
    record.main_moves().map(|(_, item)| record.text(item).into_owned()).collect()
}

#[test]
fn tokens_of_every_style_are_plies() {
    let tokens = "e4 Bc1-e3&C &Me1 @Me1 /M ^ R=a1 Pc5=F BxNg5 N@e4 P@b2 a4=Q b5a5=K e4e5xd4 ~a4a7 ~Q@a4 ~e4e5xd4 O-O \
                  O-O/Hh1 0-0 0-0-0 e1g1h e7e8q' exd6e.p. 5254 57581 \u{2658}f3 -- Z0 e8(Q) e8(=Q)+ Nc3/H Rhg8# Ne4\u{2020} \
                  b1c3m h1e1h a4=Q**** ed OO ooo QxB++";
    assert_eq!(moves(tokens), tokens.split_ascii_whitespace().collect::<Vec<_>>());
}

#[test]
fn move_numbers_in_every_habit() {
    for text in [
        "1. e4 e5 2. Nf3",
        "1.e4 1...e5 2.Nf3",
        "1. e4 1. ... e5 2 Nf3",
        "1.e4 1.\u{2026}e5 2.Nf3",
        "1) e4 e5 2) Nf3",
        "0.e4 e5 99.Nf3",
        "e4{a}e5;b\nNf3",
        "e4(d4)e5(c5 (e6) )Nf3",
        "\u{feff}1. e4\re5\r2. Nf3",
        "1.\u{a0}e4 e5\u{2009}2. Nf3",
    ] {
        assert_eq!(moves(text), ["e4", "e5", "Nf3"], "{text}");
    }
    for text in ["\u{221e}3.....Bb4", "\u{221e}3\u{2026}..Bb4", "oo3.....Bb4", "OO3..... Bb4"] {
        let record = one(text);
        let ply = record.main_line().plies().next().expect("a ply");
        let number = ply.number().expect("a number");
        assert_eq!(
            (ply.text().as_ref(), number.value, number.dots, number.interjection),
            ("Bb4", 3, 5, true),
            "{text}"
        );
    }
}

#[test]
fn words_in_the_movetext_are_one_comment() {
    let record = one("8. K=h1 K=a7 end of deployment phase\n9. Pc4 exd6 e.p. *");
    let comments: Vec<_> = record
        .items
        .iter()
        .filter_map(
            |i| if let ItemKind::Comment(kind) = i.kind { Some((kind, record.text(*i))) } else { None },
        )
        .collect();
    let expected =
        [(CommentKind::Bare, "end of deployment phase".into()), (CommentKind::Remark, "e.p.".into())];
    assert_eq!(comments, expected);
    assert_eq!(record.main_moves().count(), 4);
}

#[test]
fn results_end_games_without_tags() {
    let text = "1. e4 1-0 {first} $1\n1. d4 {second} 0-1\n% line\n1. c4 \u{bd}-\u{bd}";
    let found: Vec<_> = read(text.as_bytes(), 0).map(|r| (r.result, r.main_moves().count())).collect();
    use GameResult::{BlackWins, Draw, WhiteWins};
    assert_eq!(found, [(Some(WhiteWins), 1), (Some(BlackWins), 1), (Some(Draw), 1)]);
}

#[test]
fn a_broken_game_harms_no_neighbour() {
    let good = "[Event \"good\"]\n\n1. e4 e5 1-0\n\n";
    for bad in [
        "1. e4 {open",
        "1. e4 (open (e5 1-0",
        "[Event \"bad",
        "[Event",
        "}}))]]",
        "1. e4 ( { ; % \"",
        "$ ! ?",
    ] {
        let text = format!("{good}[Event \"bad\"]\n\n{bad}\n\n{good}");
        let games: Vec<_> = read(text.as_bytes(), 0).collect();
        let intact =
            games.iter().filter(|r| r.tag("Event").as_deref() == Some("good") && r.main_moves().count() == 2);
        assert_eq!(intact.count(), 2, "{bad}");
    }
}

#[test]
fn latin_1_is_read_and_said_once() {
    let source = b"[White \"J\xf6rg\"]\n\n1. e4 {\xfcber} *";
    let record = read(source, 0).next().expect("a record");
    assert_eq!(record.tag("White").as_deref(), Some("J\u{f6}rg"));
    assert_eq!(record.text(record.items[2]), "\u{fc}ber");
    assert_eq!(record.diagnostics.iter().filter(|d| d.code == codes::LATIN_1).count(), 1);
}

#[test]
fn the_export_format_is_what_it_was() {
    let source = "[white \"A \\\"B\\\"\"]\n[Zeta \"z\"]\n[ECO \"C50\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 7\"]\n\
                  7...e5!? (7...d5 8.exd5 (8.e5 $10) Qxd5) 8.Nf3 ; a } b\n  \u{221e}1\u{2026}..a4=Q Nc6 e8(Q) 1/2-1/2";
    let mut out = String::new();
    let losses = write_record(&one(source), &AsWritten, &WriteOptions::default(), &mut out);
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\"\"]\n[Black \"?\"]\n\
                    [Result \"1/2-1/2\"]\n[ECO \"C50\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 7\"]\n[Zeta \"z\"]\n\n\
                    7... e5 $5 (7... d5 8. exd5 (8. e5 $10) 8... Qxd5) 8. Nf3 {a ) b} \u{221e}1.....a4=Q\n\
                    8... Nc6 9. e8(Q) 1/2-1/2\n\n";
    assert_eq!(out, expected);
    assert_eq!(losses.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), [codes::LOSS_BRACE]);
}

// --- hostile input -------------------------------------------------------------------------------------------

/// Reads, splits and writes; all of it in linear time and without deep recursion, or the test does not end.
fn survives(source: &[u8]) -> Vec<Record<'_>> {
    let records: Vec<_> = read(source, 0).collect();
    assert!(split(source).map(<[u8]>::len).sum::<usize>() == source.len());
    let mut out = String::new();
    for record in records.iter().take(1000) {
        write_record(record, &AsWritten, &WriteOptions::default(), &mut out);
    }
    records
}

#[test]
fn deep_variations_are_kept_as_text() {
    let source = format!("{}{} *", "(e4 ".repeat(100_000), ")".repeat(100_000));
    let records = survives(source.as_bytes());
    let starts =
        records[0].items.iter().filter(|i| matches!(i.kind, ItemKind::VariationStart { .. })).count();
    assert_eq!(starts, VARIATION_DEPTH_MAX);
    let deep =
        records[0].items.iter().find(|i| i.kind == ItemKind::Comment(CommentKind::Deep)).expect("text");
    assert_eq!(deep.len as usize, 5 * (100_000 - VARIATION_DEPTH_MAX));
    assert_eq!(records[0].result, Some(GameResult::Unknown));
    assert_eq!(survives("(".repeat(1_000_000).as_bytes()).len(), 1);
}

#[test]
fn too_many_variations_are_kept_as_text_and_told_once() {
    let source =
        format!("1. e4 {}e5 (1... c5) *", "(1. d4 (1. c4)) ".repeat(VARIATIONS_PER_GAME_MAX / 2 + 9));
    let records = survives(source.as_bytes());
    let kinds: Vec<ItemKind> = records[0].items.iter().map(|item| item.kind).collect();
    let starts = kinds.iter().filter(|kind| matches!(kind, ItemKind::VariationStart { .. })).count();
    let texts = kinds.iter().filter(|kind| **kind == ItemKind::Comment(CommentKind::Deep)).count();
    // Side by side they are one text: nine before Black's ply, one behind it.
    assert_eq!((starts, texts), (VARIATIONS_PER_GAME_MAX, 2));
    assert_eq!(records[0].strays(), []);
    assert_eq!(records[0].main_moves().count(), 2);
    let told: Vec<_> = records[0].diagnostics.iter().filter(|d| d.code == codes::VARIATIONS_MANY).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(&source[told[0].span.start..told[0].span.end], "(1. d4 (1. c4))");
}

#[test]
fn long_comments_and_endless_repetitions_end() {
    let comment = format!("1. e4 {{{}}} e5 *", "word ".repeat(16 << 18));
    assert_eq!(survives(comment.as_bytes())[0].main_moves().count(), 2);
    for unit in [
        "[",
        "{",
        "[A \"x",
        "[A \"x ",
        "[%",
        "$1 ",
        ")",
        "1.",
        "\r",
        "!",
        "e4\n\n[Event \"x\"",
        "\n\n[Event \"x\"]",
        "{\n\n[Event \"",
        "\0",
        "[A \"\\\"]",
        "oo",
    ] {
        let source = unit.repeat((10 << 20) / unit.len());
        survives(source.as_bytes());
    }
    let lines = "\r".repeat(5 << 20) + "{";
    survives(lines.as_bytes());
    let commands = "[%".repeat(1 << 20) + "]";
    assert_eq!(ferz::record::comment::commands(&commands).count(), 0);
}

#[test]
fn diagnostics_are_limited_and_counted() {
    let source = "e4 } ) ".repeat(1000);
    let record = one(&source);
    assert!(record.diagnostics.len() < 210);
    assert!(record.diagnostics.iter().any(|d| d.code == codes::MORE && d.message.starts_with("1800 ")));
    accounted(source.as_bytes());
}

/// A letter of its own and two squares are two plies, and stay so: written side by side they would be one.
#[test]
fn moves_of_several_words_are_written_as_one_and_others_stay_apart() {
    for (text, written) in [
        ("1. e2-e4 M\0f1-h2 *", "1. e2-e4 M 2. f1-h2 *"),
        ("1. M\0f1-h2 e4 *", "1. M 1... f1-h2 2. e4 *"),
        ("1. B f1-a3 n\tb8-c6; H*b8 2. K e1-g1; h1-f1 *", "1. Bf1-a3 b8c6h 2. O-O *"),
    ] {
        let once = self::written(text.as_bytes());
        assert!(once.ends_with(&format!("\n\n{written}\n\n")), "{once}");
        assert_eq!(self::written(once.as_bytes()), once);
    }
}

#[test]
fn behind_a_semicolon_no_comment_goes_on_in_the_next_line() {
    for (text, moves) in [
        ("1. f1-c4; H*f1 {a} e7-e5 *", vec!["f1-c4; H*f1", "e7-e5"]),
        ("1. f1-c4; H*f1 {a\n[Variant \"b\"]\n} e7-e5 *", vec!["f1-c4"]),
    ] {
        let text = format!("[Event \"a\"]\n\n{text}\n");
        let whole: Vec<_> = read(text.as_bytes(), 0).collect();
        let apart: usize = split(text.as_bytes()).map(|chunk| read(chunk, 0).count()).sum();
        assert_eq!(whole.len(), apart, "{text}");
        let found: Vec<_> = whole[0].main_moves().map(|(_, item)| whole[0].text(item)).collect();
        assert_eq!(found, moves);
    }
}

/// Inside a line only a whole tag pair begins a game; an open one hides no comment.
#[test]
fn an_open_pair_inside_a_line_begins_no_chunk() {
    splits_alike(b"([Black \"open%esc {\n(\n[Event \"x\"]");
    splits_alike(b"1. e4 [Black \"a\"] {\n\n[Event \"x\"]\n\n1. d4 *");
}

#[test]
fn a_long_record_is_cut() {
    let text =
        format!("[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n{}\n[A \"3\"]\n\n1. d4 *\n", "e4 e5\n".repeat(100));
    let records: Vec<_> = read_limited(text.as_bytes(), 0, 200).collect();
    let names: Vec<_> = records.iter().filter_map(|r| r.tag("A")).collect();
    assert_eq!(names, ["1", "2", "3"]);
    let cut = records[1].diagnostics.iter().find(|d| d.code == codes::RECORD_LONG).expect("reported");
    assert_eq!(cut.span.end, text.len() - "[A \"3\"]\n\n1. d4 *\n".len());
}

// --- documentation -------------------------------------------------------------------------------------------

#[test]
fn every_code_is_documented_and_has_a_fixture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let grammar = std::fs::read_to_string(root.join("formats/RECORD.md")).expect("the grammar");
    for (code, _) in codes::ALL {
        assert!(
            grammar.contains(&format!("| {code} |")),
            "add a row for {code} to formats/RECORD.md, section 6"
        );
        // Those of JSON are triggered in tests/records/json.rs, that of BPGN in tests/cli/two_boards.rs.
        if [codes::JSON_REFUSED, codes::CONTRADICTED, codes::LOSS_TIMES].contains(code) {
            continue;
        }
        let bytes =
            std::fs::read(root.join(format!("fixtures/records/{code}.pgn"))).unwrap_or_else(|error| {
                panic!("add a record that triggers {code}: fixtures/records/{code}.pgn: {error}")
            });
        let max = if *code == codes::RECORD_LONG { 100 } else { 1 << 20 };
        let mut found = Vec::new();
        let wrapped = Wrapped::new(&bytes, 0);
        let unwraps = *code == codes::SKIPPED_LINES;
        let records = read_limited(&bytes, 0, max).filter(|_| !unwraps);
        for record in records.chain(wrapped.records(0).filter(|_| unwraps)) {
            let mut out = String::new();
            let options = WriteOptions::default();
            found.extend(write_record(&record, &AsWritten, &options, &mut out).diagnostics);
            if *code == codes::LOSS_MOVE_TEXT {
                let words = Texts(|_| Some("two words".into()));
                found.extend(write_record(&record, &words, &options, &mut out).diagnostics);
            }
            found.extend(record.check_commands());
            found.extend(record.check_tag_values());
            found.extend(record.diagnostics);
        }
        assert!(found.iter().any(|d| d.code == *code), "{code} is not triggered by its fixture: {found:?}");
    }
}

/// `0-0` is castling everywhere but at the end of a record whose tag says that both players lost.
#[test]
fn both_players_may_lose() {
    let text =
        b"[Result \"0-0\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-0\n\n[Result \"*\"]\n\n0-0 *\n";
    let ends: Vec<_> = read(text, 0)
        .map(|record| {
            let plies = record.items.iter().filter(|item| item.kind == ItemKind::Move).count();
            (plies, record.result, record.both_lose())
        })
        .collect();
    assert_eq!(ends, [(8, Some(GameResult::Unknown), true), (1, Some(GameResult::Unknown), false)]);
}
