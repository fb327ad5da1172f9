//! Files of programs for Janggi and Xiangqi: Korean records, DhtmlXQ, the text of Chinese programs.

use crate::program::run;
use ferz::interchange::{ChunkReader, Wrapped};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;

/// A record in Korean whose 7 plies are legal from its set-ups.
const GIB: &str = "\
[대회명 \"시험 \"가\" 대회\"]
[회전 \"3\"]
[대국일자 \"2013-08-10\"]
[대국장소 \"미상\"]
[초대국자 \"김가\"]
[한대국자 \"이나\"]
[초차림 \"상마상마\"]
[한차림 \"마상상마\"]
[제한시간 \"10분\"]
[대국방식 \"연습 {하나}\"]
[총수 \"7\"]
[대국결과 \"초 시간승\"]

1. 79졸78 <0> 2. 41병42 3. 08마87 4. 12마33 5. 한수쉼
{설명: 좋은 수
둘째 줄} 6. 18마37
7. 71卒72
";

/// A game in DhtmlXQ with a branch in a branch, and one that belongs nowhere.
const DHTML: &str = "\
[DhtmlXQ]
[DhtmlXQ_title]A \"title\"[/DhtmlXQ_title]
[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]
[DhtmlXQ_move_0_2_1]10228967[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_move_1_3_2]7967[/DhtmlXQ_move_1_3_2]
[DhtmlXQ_move_9_3_3]7967[/DhtmlXQ_move_9_3_3]
[DhtmlXQ_comment0]start||here {x}[/DhtmlXQ_comment0]
[DhtmlXQ_comment2]main two[/DhtmlXQ_comment2]
[DhtmlXQ_comment1_2]branch two[/DhtmlXQ_comment1_2]
[DhtmlXQ_red]Ann[/DhtmlXQ_red][DhtmlXQ_redteam]A[/DhtmlXQ_redteam][DhtmlXQ_redtime][/DhtmlXQ_time]
[DhtmlXQ_black]Ben[/DhtmlXQ_black]
[DhtmlXQ_result]黑胜[/DhtmlXQ_result]
[DhtmlXQ_date]2020-1-2[/DhtmlXQ_date]
[DhtmlXQ_type]全局[/DhtmlXQ_type]
[DhtmlXQ_length]4[/DhtmlXQ_length]
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
[/DhtmlXQ]
";

const TABLE: &str = "\
標題: 第一局
紅方： 甲
黑方: 乙
日期: 2020年1月2日
備註: 練習 {一}
結果: 紅勝

  1. 炮二平五 马８进７
  2. 马二进三 车９平８
";

/// The record as `convert` writes it, and its exit code.
fn converted(text: &str, style: &str) -> (i32, String) {
    let done = run(&["convert", "--to", style, "-"], text.as_bytes());
    (done.code, String::from_utf8(done.out).unwrap())
}

fn report(text: &str) -> Value {
    let done = run(&["validate", "--format", "ndjson", "-"], text.as_bytes());
    serde_json::from_str(String::from_utf8(done.out).unwrap().lines().next().unwrap()).unwrap()
}

/// The codes of a report that are no infos, and the texts at their places.
fn findings<'t>(report: &Value, text: &'t str) -> Vec<(String, &'t str)> {
    let place = |found: &Value, end: usize| found["span"][end].as_u64().unwrap() as usize;
    let found = report["diagnostics"].as_array().unwrap().iter();
    let grave = found.filter(|found| found["severity"] != "info");
    let shown = |found: &Value| &text[place(found, 0)..place(found, 1)];
    grave.map(|found| (found["code"].as_str().unwrap().to_owned(), shown(found))).collect()
}

#[test]
fn a_korean_record_is_read_whole() {
    let (code, pgn) = converted(GIB, "coord");
    assert_eq!(code, 0, "{pgn}");
    for line in [
        "[Event \"시험 \\\"가\\\" 대회\"]",
        "[Site \"?\"]",
        "[Date \"2013.08.10\"]",
        "[Round \"3\"]",
        "[White \"김가\"]",
        "[Black \"이나\"]",
        "[Result \"1-0\"]",
        "[FEN \"rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RBNA1ABNR w - - 0 1\"]",
        "[PlyCount \"7\"]",
        "[Termination \"time forfeit\"]",
        "[TimeControl \"600\"]",
        "[Variant \"janggi\"]",
    ] {
        assert!(pgn.contains(line), "{line}\n{pgn}");
    }
    let shown = pgn.replace('\n', " ");
    for words in ["대국방식 \"연습 (하나)\"", "{<0>}", "{설명: 좋은 수 둘째 줄}"] {
        assert!(shown.contains(words), "{words}\n{pgn}");
    }
    let plies = ["i4h4", "a7b7", "h1g3", "b10c8", "e2e2", "h10g8", "a4b4"];
    let mut at = 0;
    for ply in plies {
        at += pgn[at..].find(ply).unwrap_or_else(|| panic!("{ply}\n{pgn}"));
    }
    assert!(pgn.trim_end().ends_with("1-0"), "{pgn}");
    let told = report(GIB);
    assert_eq!((findings(&told, GIB), told["variant"].as_str()), (vec![], Some("janggi")), "{told}");
    // There and back.
    let (code, back) = converted(&pgn, "gib");
    assert_eq!((code, converted(&back, "coord")), (0, (0, pgn)), "{back}");
}

/// The order of a set-up is Cho's view of both players, unless the plies name other pieces.
#[test]
fn set_ups_are_seen_by_cho_unless_the_plies_differ() {
    let game = |ply: &str| {
        format!("[초차림 \"마상마상\"]\n[한차림 \"마상마상\"]\n\n1. 79졸78 2. {ply} 3. 71졸72 4. 한수쉼\n")
    };
    let cho = "RNBA1ANBR w - - 0 1";
    for (ply, han) in
        [("12마33", "rnba1anbr"), ("17마36", "rnba1anbr"), ("13마34", "rbna1abnr"), ("18마37", "rbna1abnr")]
    {
        let text = game(ply);
        let (code, pgn) = converted(&text, "coord");
        let fen = format!("[FEN \"{han}/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/{cho}\"]");
        assert!(pgn.contains(&fen), "{fen}\n{pgn}");
        let is_turned = han.starts_with("rb");
        assert_eq!(pgn.contains("한차림 \"마상마상\""), is_turned, "{pgn}");
        assert_eq!(code, 0, "{pgn}");
    }
    // Both readings contradict these plies: Cho's view stays, and the ply is illegal.
    let text = game("12상34");
    let told = report(&text.replace("4. 한수쉼", "4. 13상35"));
    assert_eq!(told["plies"], 1, "{told}");
}

#[test]
fn a_position_is_read_from_its_header() {
    let board = "4將4/9/9/9/9/9/9/9/9/3장4차";
    let text = format!("[초대국자 \"가\"]\n[판 \"{board} 한 접장기\"]\n\n1. 15將25 2. 09차19\n");
    let (code, pgn) = converted(&text, "coord");
    assert_eq!(code, 0, "{pgn}");
    for words in ["[FEN \"4k4/9/9/9/9/9/9/9/9/3K4R b - - 0 1\"]", "접장기", "1... e10e9 2. i1i10"] {
        assert!(pgn.contains(words), "{words}\n{pgn}");
    }
}

/// The words for a check and its answer belong to the ply before them, together or apart.
#[test]
fn words_for_checks_are_no_plies() {
    for words in ["09차19장군 2. 15將25멍군", "09차19 장군 2. 15將25 멍군", "09차19 장군\n2. 15將25"]
    {
        let text = format!("[판 \"4將4/9/9/9/9/9/9/9/3장5/8차\"]\n[총수 \"2\"]\n\n1. {words}\n");
        let told = report(&text);
        assert_eq!((told["plies"].as_u64(), findings(&told, &text)), (Some(2), vec![]), "{told}");
        let pgn = "[Variant \"janggi\"]\n[SetUp \"1\"]\n[FEN \"4k4/9/9/9/9/9/9/9/3K5/8R w - - 0 1\"]\n\n";
        let told = report(&format!("{pgn}1. {words} *\n"));
        assert_eq!(told["plies"], 2, "{told}");
    }
}

/// Each ply has its number: a lost one is seen.
#[test]
fn a_missing_ply_is_seen() {
    let codes = |text: &str| {
        let told = report(text);
        let found = told["diagnostics"].as_array().unwrap().iter();
        found.map(|found| found["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let about_numbers = |text: &str| codes(text).iter().any(|code| code == "N010");
    assert!(!about_numbers(GIB), "{:?}", codes(GIB));
    assert!(!about_numbers(
        "[초차림 \"마상상마\"]\n[한차림 \"마상상마\"]\n\n1. 한수쉼 2. 41병42 3. 71졸72 4. 한수쉼\n"
    ));
    let gap = GIB.replace("3. 08마87 4. 12마33 ", "");
    let told = report(&gap);
    assert!(!findings(&told, &gap).is_empty() || about_numbers(&gap), "{told}");
}

#[test]
fn places_of_errors_are_those_of_the_file() {
    for (text, wrong) in [
        (GIB.replace("12마33", "12마34"), "12마34"),
        (DHTML.replace("8070[", "8060["), "8060"),
        (TABLE.replace("车９平８", "车９平２"), "车９平２"),
    ] {
        let text = format!("{text}\n\n{text}");
        let done = run(&["validate", "--format", "ndjson", "-"], text.as_bytes());
        let lines = String::from_utf8(done.out).unwrap();
        let reports: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let reports: Vec<&Value> = reports.iter().filter(|report| report["illegal"].is_object()).collect();
        let mut from = 0;
        for told in reports.iter().take(2) {
            let start = told["illegal"]["span"][0].as_u64().unwrap_or_else(|| panic!("{told}")) as usize;
            assert!(text[start..].starts_with(wrong) && start >= from, "{wrong}: {told}");
            from = start + 1;
        }
        assert!(from > text.len() / 2, "{wrong}: the second game has the error, too");
    }
}

#[test]
fn a_game_in_dhtml_xq_is_read_whole() {
    let (code, pgn) = converted(DHTML, "coord");
    for line in [
        "[Event \"A \\\"title\\\"\"]",
        "[Date \"2020.01.02\"]",
        "[White \"Ann\"]",
        "[WhiteTeam \"A\"]",
        "[Black \"Ben\"]",
        "[Result \"0-1\"]",
        "[PlyCount \"4\"]",
        "[DhtmlXQ_type \"全局\"]",
        "[Variant \"xiangqi\"]",
    ] {
        assert!(pgn.contains(line), "{line}\n{pgn}");
    }
    assert!(!pgn.contains("FEN"), "{pgn}");
    let moves = pgn.split("\n\n").nth(1).unwrap().replace('\n', " ");
    assert_eq!(
        moves.trim(),
        "{start here (x)} 1. h3e3 h10g8 {main two} (1... b10c8 {branch two} 2. i1g3 (2. h1g3)) 2. h1g3 i10h10 \
         {DhtmlXQ_move_9_3_3: 7967} 0-1",
        "{code}"
    );
    // The branch is illegal, and its place is that of its digits.
    let told = report(DHTML);
    assert_eq!(
        (told["plies"].as_u64(), findings(&told, DHTML)),
        (Some(4), vec![("J008".to_owned(), "8967")])
    );
}

/// Only plies that the file has as text can be rewritten in place.
#[test]
fn layouts_are_kept_or_refused() {
    let keep = |text: &str| {
        let done = run(&["convert", "--to", "coord", "--keep-layout", "-"], text.as_bytes());
        (done.code, String::from_utf8(done.out).unwrap())
    };
    let rewritten = GIB
        .replace("79졸78", "i4h4")
        .replace("41병42", "a7b7")
        .replace("08마87", "h1g3")
        .replace("12마33", "b10c8")
        .replace("한수쉼", "e2e2")
        .replace("18마37", "h10g8")
        .replace("71卒72", "a4b4");
    assert_eq!(keep(GIB), (0, rewritten));
    assert_eq!(keep(DHTML).1, DHTML);
    let wxf = run(&["convert", "--to", "wxf", "--keep-layout", "-"], DHTML.as_bytes());
    let (out, error) = (String::from_utf8(wxf.out).unwrap(), wxf.err);
    assert!(wxf.code == 1 && out == DHTML && error.contains("N013"), "{out}\n{error}");
}

#[test]
fn a_start_position_in_dhtml_xq_has_its_player() {
    let binit = |black: &str| format!("9999999949{}{black}{}", "99".repeat(11), "99".repeat(11));
    for (black, moves, fen, ply) in [
        ("9999999930", "3031", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1", "1... d10d9"),
        ("9999999930", "4948", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "1. e1e2"),
    ] {
        let text = format!(
            "[DhtmlXQ_binit]{}[/DhtmlXQ_binit]\n[DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]\n",
            binit(black)
        );
        let (code, pgn) = converted(&text, "coord");
        assert!(code == 0 && pgn.contains(&format!("[FEN \"{fen}\"]")) && pgn.contains(ply), "{code} {pgn}");
    }
}

#[test]
fn the_text_of_chinese_programs_is_xiangqi() {
    let (code, pgn) = converted(TABLE, "coord");
    for line in [
        "[Event \"第一局\"]",
        "[Date \"2020.01.02\"]",
        "[White \"甲\"]",
        "[Black \"乙\"]",
        "[Result \"1-0\"]",
        "[Variant \"xiangqi\"]",
        "備註: 練習 (一)",
        "1. h3e3 h10g8 2. h1g3 i10h10",
    ] {
        assert!(pgn.contains(line), "{line}\n{pgn}");
    }
    assert_eq!(code, 0, "{pgn}");
    for (format, moves) in [
        ("Chinese", " 1. 炮二平五\n     马８进７\n 2. 马二进三\n     车９平８\n"),
        ("ICCS", "1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n"),
        ("WXF", "1. C2.5 H8+7\n2. H2+3 R9.8\n"),
    ] {
        let game = format!(
            "[Game \"Chinese Chess\"]\n[Red \"Ann\"]\n[RedTeam \"A\"]\n[Black \"Ben\"]\n[Result \"*\"]\n\
             [Format \"{format}\"]\n{moves}   *\n  =========\n"
        );
        let (code, pgn) = converted(&game.repeat(2), "coord");
        let expected = [
            "[White \"Ann\"]",
            "[WhiteTeam \"A\"]",
            "[Game \"Chinese Chess\"]",
            "1. h3e3 h10g8 2. h1g3 i10h10 *",
        ];
        for words in expected {
            assert_eq!(pgn.matches(words).count(), 2, "{words}\n{pgn}");
        }
        assert_eq!((code, findings(&report(&game), &game)), (0, vec![]), "{format}");
    }
}

/// A file is cut between games, never inside one.
#[test]
fn chunks_hold_whole_games() {
    let bare = DHTML.replace("[DhtmlXQ]\n", "").replace("[/DhtmlXQ]\n", "");
    for (game, plies) in [(GIB, 7), (DHTML, 4), (&bare, 4), ("[총수 \"1\"] 1. 79졸78\n", 1)] {
        let text = format!("{game}\n").repeat(6);
        for size in [1, 7, 60, 300, 700, 1500, 5000] {
            let chunks: Vec<_> = ChunkReader::with_limits(text.as_bytes(), size, 1 << 20)
                .map(|chunk| chunk.unwrap())
                .collect();
            let mut games = 0;
            for chunk in &chunks {
                let wrapped = Wrapped::new(&chunk.bytes[..], chunk.offset);
                for record in wrapped.records(0) {
                    assert_eq!(record.main_moves().count(), plies, "{size}");
                    games += 1;
                }
            }
            assert_eq!(games, 6, "{size}");
            assert!(chunks.len() > 2 || size > game.len(), "{size}: {}", chunks.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600, failure_persistence: None, rng_seed: RngSeed::Fixed(41), ..ProptestConfig::default()
    })]
    /// Whatever stands around the marks of these files: each word is in the plain text, or its line is reported as
    /// skipped; and every place lies in the input.
    #[test]
    fn no_word_is_lost(parts in prop::collection::vec(prop::sample::select(vec![
        "[대회명 \"", "[초대국자 ", "[초차림 \"마상상마\"]", "[한차림 \"상마마상\"]", "[대국결과 \"초 ", "[판 \"", "[이상 \"", "\"]", "]", "\"",
        "[DhtmlXQ]", "[/DhtmlXQ]", "[DhtmlXQ_red]", "[/DhtmlXQ_red]", "[DhtmlXQ_movelist]",
        "[/DhtmlXQ_movelist]", "7747",
        "[DhtmlXQ_move_0_1_1]", "[/DhtmlXQ_move_0_1_1]", "[DhtmlXQ_comment1]", "[DhtmlXQ_", "[DhtmlXQ_binit]", "99",
        "红方: ", "结果：", "备注: ", "[Red \"", "[Game \"Chinese Chess\"]", "1. 79졸78 ", "2. 41병42 ", "1. 炮二平五 ", "한수쉼 ",
        "{", "}", "<0> ", "\n", "\n\n", " ", "(", ")", "장군 ", "WORD", "WORD ", "\\", "||",
    ]), 0..24), offset in 0_usize..9) {
        let mut text = String::new();
        let mut words = 0;
        for part in parts {
            if let Some(rest) = part.strip_prefix("WORD") {
                text.push_str(&format!("zq{words}x{rest}"));
                words += 1;
            } else {
                text.push_str(part);
            }
        }
        let wrapped = Wrapped::new(text.as_bytes(), offset);
        let plain = String::from_utf8_lossy(wrapped.text()).into_owned();
        let mut skipped = false;
        for record in wrapped.records(0) {
            skipped |= record.diagnostics.iter().any(|found| found.code.0 == "S047");
        }
        for word in 0..words {
            let word = format!("zq{word}x");
            prop_assert!(plain.contains(&word) || skipped, "{word}: {text:?} becomes {plain:?}");
        }
    }
}
