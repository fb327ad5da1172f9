//! Files of shogi programs, written by `convert --format file`.

use crate::program::ferz;

const GAME: &str = "[Event \"Spring\"]\n[Date \"2024.02.29\"]\n[StartTime \"10:00:00\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n\
                    [Result \"1-0\"]\n[Variant \"shogi\"]\n[Note \"B-8\"]\n\n\
                    {a fine day} 1. 7g7f {[%emt 0:00:05] good} 3c3d 2. 8h2b+ (2. 2g2f 8c8d {x} (2... 4c4d) 3. 2f2e)\n\
                    3a2b! {[%emt 0:01:05.5]} 3. B*5e {[%clk 0:10:00]} 1-0 {bye}\n";

/// A game with a handicap and pieces in hand.
const HANDICAP: &str = "[Variant \"shogi\"]\n[SetUp \"1\"]\n[FEN \"4k4/9/4+P4/9/9/9/9/9/4K4 w 2R12Pb 2\"]\n\n\
                        1... 5a4a *\n";

fn file(to: &str, text: &str) -> String {
    let run = ferz(&["convert", "--to", to, "--format", "file", "-"], text);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    run.out
}

#[test]
fn a_kif_file_has_headers_times_comments_and_variations() {
    let expected = "#KIF version=2.0 encoding=UTF-8\n開始日時：2024/02/29 10:00:00\nNote：B-8\n手合割：平手\n\
                    棋戦：Spring\n先手：Ann\n後手：Ben\n手数----指手---------消費時間--\n*a fine day\n   \
                    1 ７六歩(77)   ( 0:05/00:00:05)\n*good\n   2 ３四歩(33)\n   3 ２二角成(88)\n   \
                    4 ２二銀(31)   ( 1:05/00:01:05)\n*65.500 seconds\n*$1\n   5 ５五角打\n*[%clk 0:10:00]\n*bye\n   \
                    6 投了\nまで5手で先手の勝ち\n\n変化：3手\n   3 ２六歩(27)\n   4 ８四歩(83)\n*x\n   5 ２五歩(26)\n\n\
                    変化：4手\n   4 ４四歩(43)\n";
    assert_eq!(file("kif", GAME), expected);
}

#[test]
fn a_csa_file_has_what_it_has_no_line_for_as_comments() {
    let expected = "'CSA encoding=UTF-8\nV2.2\nN+Ann\nN-Ben\n$EVENT:Spring\n$START_TIME:2024/02/29 10:00:00\n'Note: B-8\nPI\n+\n\
                    'a fine day\n+7776FU\nT5\n'good\n-3334FU\n+8822UM\n'(2. 2726FU 8384FU [x] (2... 4344FU) 3. 2625FU)\n\
                    -3122GI\nT65\n'65.500 seconds\n'$1\n+0055KA\n'[%clk 0:10:00]\n'bye\n%TORYO\n";
    assert_eq!(file("csa", GAME), expected);
}

#[test]
fn a_start_that_is_not_the_array_is_drawn() {
    let kif = file("kif", HANDICAP);
    for line in [
        "後手の持駒：角\n",
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n",
        "| ・ ・ ・ ・ と ・ ・ ・ ・|三\n",
        "先手の持駒：飛二　歩十二\n後手番\n",
        "   1 ４一玉(51)\n   2 中断\nまで1手で中断\n",
    ] {
        assert!(kif.contains(line), "{line}\n{kif}");
    }
    let csa = file("csa", HANDICAP);
    for line in [
        "P1 *  *  *  * -OU *  *  *  * \n",
        "P3 *  *  *  * +TO *  *  *  * \n",
        "P+00HI00HI00FU",
        "P-00KA\n-\n-5141OU\n%CHUDAN\n",
    ] {
        assert!(csa.contains(line), "{line}\n{csa}");
    }
}

#[test]
fn the_end_is_said_in_the_words_of_the_format() {
    for (tags, moves, csa, kif) in [
        ("", "7g7f 0-1", "'0-1", "まで1手で後手の勝ち"),
        ("", "7g7f 1-0", "%TORYO", "   2 投了"),
        ("[Termination \"time forfeit\"]\n", "7g7f 1-0", "%TIME_UP", "   2 切れ負け"),
        ("[Termination \"rules infraction\"]\n", "7g7f 1-0", "%ILLEGAL_MOVE", "   2 反則負け"),
        ("[Termination \"rules infraction\"]\n", "7g7f 0-1", "%+ILLEGAL_ACTION", "   2 反則勝ち"),
        ("", "7g7f 1/2-1/2", "%JISHOGI", "   2 持将棋"),
        ("[FEN \"4k4/9/4P4/9/9/9/9/9/4K4 b G 1\"]\n", "G*5b", "%TSUMI", "   2 詰み"),
        ("", &("4i4h 6a6b 4h4i 6b6a ".repeat(3) + "1/2-1/2"), "%SENNICHITE", "  13 千日手"),
    ] {
        let text = format!("[Variant \"shogi\"]\n{tags}\n{moves}\n");
        for (to, end) in [("csa", csa), ("kif", kif)] {
            let run = ferz(&["convert", "--to", to, "--format", "file", "-"], &text);
            assert!(run.out.lines().any(|line| line == end), "{text}\n{}{}", run.out, run.err);
        }
    }
}

#[test]
fn several_games_are_separated_and_other_games_left_out() {
    let chess = "[Variant \"chess\"]\n\n1. e4 *\n\n";
    let all = format!("{GAME}\n{chess}{HANDICAP}");
    let run = ferz(&["convert", "--to", "csa", "--format", "file", "-"], &all);
    assert_eq!(run.code, 1);
    assert_eq!(run.out, format!("{}/\n{}", file("csa", GAME), file("csa", HANDICAP)));
    let wanted = "game 2: not written: files of these programs hold games of shogi alone\n";
    assert!(run.err.contains(wanted), "{}", run.err);
    let run = ferz(&["convert", "--to", "usi", "--format", "file", "-"], GAME);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("only --to kif and --to csa have files of their own"), "{}", run.err);
}

/// Only what the end or a moment says is no comment as well.
#[test]
fn tags_that_nothing_else_says_are_kept() {
    let tags =
        "[Date \"2024.02.29\"]\n[StartTime \"noon\"]\n[Time \"10:00:00\"]\n[Termination \"adjudication\"]\n";
    let text = format!("[Variant \"shogi\"]\n{tags}\n1. 7g7f 1-0\n");
    let (csa, kif) = (file("csa", &text), file("kif", &text));
    for line in ["$START_TIME:2024/02/29 10:00:00", "'StartTime: noon", "'Termination: adjudication"] {
        assert!(csa.lines().any(|found| found == line), "{line}\n{csa}");
    }
    for line in ["開始日時：2024/02/29 10:00:00", "StartTime：noon", "Termination：adjudication"] {
        assert!(kif.lines().any(|found| found == line), "{line}\n{kif}");
    }
}

/// What a format has no line for becomes a comment once, and is the same line afterwards.
#[test]
fn a_file_written_twice_is_the_same() {
    let mut records: Vec<String> =
        ["drawn.ki2", "drawn.kif", "even.kif", "handicap.csa", "several.csa", "variations.kif"]
            .map(|name| {
                std::fs::read_to_string(crate::common::root().join("fixtures/files").join(name)).unwrap()
            })
            .to_vec();
    let shogi = |rest: &str| format!("[Variant \"shogi\"]\n{rest}");
    records.extend([
        GAME.to_owned(),
        HANDICAP.to_owned(),
        // The winner is on move.
        shogi("[Result \"1-0\"]\n\n1. c3c4 g7g6 1-0\n"),
        shogi("[Result \"0-1\"]\n\n1. c3c4 {two\nlines} {and more} 0-1\n"),
        shogi("[Result \"*\"]\n[WhiteElo \"2500\"]\n[TimeControl \"40/7200:3600+30\"]\n\n1. c3c4 *\n"),
        // An illegal ply, and one that cannot be read.
        shogi("[Result \"*\"]\n\n1. c3c4 g7g6 2. a2a1 *\n"),
        shogi("[Result \"0-1\"]\n\n1. c3c4 g7g6 2. Zz9 0-1\n"),
        shogi("[Result \"1/2-1/2\"]\n\n{b} 1. c3c4 $1 {x} (1. b3b4 {z} g7g6) g7g6 {%HIKIWAKE,T5} 1/2-1/2 {after}\n"),
        shogi(&format!("[Result \"*\"]\n\n1. c3c4 {{{}}} *\n", "a long comment ".repeat(20).trim())),
    ]);
    let first_line = |text: &str| {
        let judged = ferz(&["validate", "--format", "ndjson", "-"], text).out;
        let report: serde_json::Value = serde_json::from_str(judged.lines().next().unwrap()).unwrap();
        ["verdict", "plies", "result_tag", "end"].map(|key| report[key].clone())
    };
    for record in &records {
        for to in ["kif", "csa"] {
            let convert = |text: &str| ferz(&["convert", "--to", to, "--format", "file", "-"], text).out;
            let once = convert(record);
            let twice = convert(&once);
            assert_eq!(twice, once, "{to}: {record}");
            // Illegal stays illegal, and no ply and no result is lost.
            assert_eq!(first_line(&once), first_line(record), "{to}: {record}\n{once}");
        }
    }
}
