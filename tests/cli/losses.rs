//! What `ferz` says besides the data: losses of a conversion, what stays as it was, what is no record at all.

use crate::program::{Run, ferz};
use serde_json::Value;

/// A short game that white wins on the board.
const MATE: &str = "[Event \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";

/// The reports of `ferz validate --format ndjson`, with the exit code.
fn reports(input: &str) -> (i32, Vec<Value>) {
    let run = ferz(&["validate", "--format", "ndjson"], input);
    (run.code, run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A letter, or a program, is told from a game once, and not word by word.
#[test]
fn what_is_no_record_is_said_once() {
    let letter =
        "Dear Sir,\n\non 12 May there were 3 complaints about the noise; Mr. Smith left early.\n\nAnn\n";
    let program = b"\x7fELF\x02\x01\x01\0\0\0\xff\0 } > ] \x03\0";
    let Run { code, out, err } = ferz(&["validate"], program);
    assert_eq!((code, out.as_str(), err.contains("this is a program")), (1, "", true), "{err}");
    for text in [letter.as_bytes(), b"this is no game\n", &program[4..]] {
        let Run { code, out, err } = ferz(&["validate"], text);
        let none = "game 1: no game record\n1 game, 0 plies: 0 illegal, 0 with a result that the board contradicts, \
                    1 not a record\n";
        assert_eq!((code, out.as_str()), (1, none));
        let told: Vec<&str> = err.lines().filter(|line| line.contains("]: ")).collect();
        assert_eq!(told.len(), 1, "{err}");
        assert!(told[0].starts_with("error[S044]: nothing here looks like a game record"), "{err}");
        let (code, reports) = reports(&String::from_utf8_lossy(text));
        assert_eq!((code, reports[0]["diagnostics"].as_array().map(Vec::len)), (1, Some(1)));
        assert_eq!((&reports[0]["plies"], &reports[0]["diagnostics"][0]["line"]), (&0.into(), &1.into()));
    }
    let Run { code, out, err } = ferz(&["convert", "--to", "coord"], letter);
    assert!(code == 1 && err.contains("S044") && out.contains("complaints about the noise"), "{out}{err}");
    // Before a game it is skipped, and that is said once.
    let both = ferz(&["validate"], [letter.as_bytes(), b"\n[Event \"x\"]\n\n1. e4 *\n"].concat());
    assert!(both.out.starts_with("game 1: chess: legal, 1 ply"), "{}", both.out);
    assert_eq!(both.err.matches("[S047]").count(), 1, "{}", both.err);
}

/// A record that would lose something is left out, and the others are written.
#[test]
fn no_loss_refuses_what_would_be_lost() {
    let gating =
        "[Variant \"iago-b\"]\n[Result \"*\"]\n\n1. e2e4 e7e5 2. f1c4m g8f6c (2... d7d6 3. b1c3c) *\n";
    let Run { code, out, err } = ferz(&["convert", "--to", "iccf", "--no-loss"], [gating, MATE].concat());
    assert_eq!(code, 1, "{err}");
    assert!(!out.contains("iago-b") && out.contains("4. 8567 1-0"), "{out}");
    // The last loss is in the variation, which replaces ply 4.
    for loss in ["N012: ply 3: ", "N012: ply 4: ", "N012: ply 5: ", "game 1: not written for its 3 losses"] {
        assert!(err.contains(loss), "{loss}: {err}");
    }
    let json = ferz(&["convert", "--to", "iccf", "--no-loss", "--format", "ndjson"], gating);
    let line: Value = serde_json::from_str(json.out.trim()).unwrap();
    assert_eq!((json.code, &line["record"], &line["losses"][2]["ply"]), (1, &Value::Null, &Value::from(5)));
    let kept = ferz(&["convert", "--to", "coord", "--no-loss"], gating);
    assert_eq!((kept.code, kept.out.contains("f1c4m"), kept.err.as_str()), (0, true, ""));
    let illegal = ferz(&["convert", "--to", "iccf", "--no-loss"], "1. e4 e5 2. -- Nc6 *\n");
    assert_eq!((illegal.code, illegal.out.as_str()), (1, ""), "{}", illegal.err);
}

/// What no ply of a game has a form for is said once, and in words that fit the game.
#[test]
fn what_a_style_lacks_for_a_whole_game_is_told_once() {
    let games = [
        ("[Variant \"iago-b\"]\n\n1. e4 e5 2. Nf3/M Nc6 *\n", "smith", "a game in which pieces are gated"),
        (
            "[Variant \"ichess\"]\n\n1. R@a1 R@h8 2. B@f4 R@f8 *\n",
            "smith",
            "a game in which pawns may decline to promote",
        ),
        ("[Variant \"capablanca\"]\n\n1. e4 e5 2. Nh3 *\n", "iccf", "a board other than 8 by 8"),
    ];
    for (record, style, what) in games {
        for layout in [&[][..], &["--keep-layout"]] {
            let args = [&["convert", "--to", style, "--from-language", "en"], layout].concat();
            let Run { code, err, .. } = ferz(&args, record);
            let [told] = err.lines().collect::<Vec<_>>()[..] else { panic!("{err}") };
            assert_eq!(code, 0, "{err}");
            let lacks =
                format!("N012: ply 1: style `{style}` cannot express {what}; its plies are written in style");
            assert!(told.contains(&lacks), "{told}");
        }
    }
    // Where only some plies lack a form, each is named.
    let drops = "[Variant \"ichess\"]\n\n1. R@a1 R@h8 2. B@f4 R@f8 *\n";
    assert_eq!(ferz(&["convert", "--to", "iccf"], drops).err.matches("N012").count(), 4);
}

/// What is kept behind an illegal ply stays a ply, also in the form of several words.
#[test]
fn what_is_kept_stays_illegal() {
    let Run { code, out, err } = ferz(&["convert", "--to", "san"], "1. e2-e4 e7-e5 2. B f1-a3 N b8-c6 *\n");
    assert!(code == 1 && out.contains("1. e4 e5 2. Bf1-a3 Nb8-c6 *") && !err.contains("S036"), "{out}{err}");
    assert_eq!(ferz(&["validate"], out).code, 1);
}

/// An article that a reason names is not named twice.
#[test]
fn an_article_is_cited_once() {
    let record = "1. e4 e5 2. Qh5 Nf6 3. Qxf7 Ke7 {[%letstand]} 4. Qxe7 Rg8 *\n";
    for text in [ferz(&["validate"], record).err, ferz(&["convert", "--to", "lan"], record).err] {
        let twice = text.lines().find(|line| line.matches("COM-2").count() > 1);
        assert!(text.contains("a king cannot be captured") && twice.is_none(), "{text}");
    }
}

/// Comments, annotations and variations stay around the plies in every style; what is illegal stays as it was.
#[test]
fn every_style_keeps_what_is_no_ply() {
    let text =
        "{first} 1. e4 $1 e5 {[%clk 0:09:58]} (1... c5 2. Nf3 (2. -- d6) 2... d6 {open}) 2. Nf3 Nc6 *\n";
    for style in ["coord", "uci", "xboard", "lan", "figurine", "iago", "ichess", "iccf", "smith"] {
        let Run { code, out, err } = ferz(&["convert", "--to", style], text);
        for kept in ["{first}", "$1", "{[%clk 0:09:58]}", "{open}", "(2. -- d6)"] {
            assert!(out.contains(kept), "{style}: {kept}: {out}");
        }
        assert!(code == 1 && err.contains("is unchanged"), "{style}: {err}");
        let sound = text.replace("(2. -- d6) ", "");
        let there = ferz(&["convert", "--to", style], &sound);
        assert_eq!((there.code, there.err.as_str()), (0, ""), "{style}");
        let back = ferz(&["convert", "--to", "san"], &there.out);
        assert_eq!(back.out, ferz(&["convert", "--to", "san"], &sound).out, "{style}: {}", there.out);
    }
}

/// What the reader could not make sense of is no loss, and is told all the same.
#[test]
fn errors_of_reading_are_told() {
    let open = "1. e4 e5 {oops 2. Nf3 Nc6 1-0\n";
    for to in [&["--to", "san", "--no-loss"][..], &["--to", "json"], &["--to", "lan", "--keep-layout"]] {
        let Run { code, err, out } = ferz(&[&["convert"], to].concat(), open);
        // And that the result is missing, as a note.
        let told = "standard input:1:10: game 1: S012: this comment is not closed; add `}`\n\
                    ferz: 1 warning or note not shown (--notes shows it)\n";
        assert_eq!((code, err.as_str()), (1, told));
        assert!(out.contains("oops"), "{out}");
    }
    let run = ferz(&["convert", "--to", "san", "--format", "ndjson"], [open, "\n", MATE].concat());
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (run.code, &lines[0]["errors"][0]["code"], &lines[0]["legal"]),
        (1, &"S012".into(), &true.into())
    );
    assert_eq!(lines[1]["errors"], serde_json::json!([]));
    // Once, where it is a loss as well.
    let cut = format!("{}\n\n1. e4 *\n", "[A \"x\"]\n".repeat(1025));
    let run = ferz(&["convert", "--to", "json"], cut);
    assert_eq!((run.code, run.err.matches("S009").count()), (1, 1), "{}", run.err);
}

/// Of one record a bounded number of losses and findings is printed, and the others are counted.
#[test]
fn what_is_too_much_to_print_is_counted() {
    let results = "1. e4 ".to_owned() + &"1-0 ".repeat(30_001);
    let Run { err, .. } = ferz(&["convert", "--to", "lan"], results);
    // One more says that there was more to say than is kept of one record.
    let losses = err.lines().filter(|line| line.contains(" left out")).count();
    assert_eq!(losses, 1_000);
    assert!(err.contains("\nstandard input:1:4003: game 1: S035: the second result is left out\n"));
    assert!(err.contains("\nstandard input: game 1: and 29,001 more losses\n"), "{err:.400}");
    // The verdict is that of few, and the other form counts the same.
    for (moves, code) in [("1. e4 e5", 0), ("1. e4 e5 2. Ke5", 1)] {
        for count in [2, 1_501] {
            let results = format!("{moves} {}", "1-0 ".repeat(count as usize));
            let run = ferz(&["convert", "--to", "lan", "--format", "ndjson"], results.clone());
            let line: Value = serde_json::from_str(run.out.trim()).unwrap();
            let kept = line["losses"].as_array().map_or(0, Vec::len) as u64;
            let left_out = line["left_out"]["losses"].as_u64().unwrap_or(0);
            assert!(kept <= 1_000 && kept + left_out >= count - 1, "{kept} {left_out}");
            assert_eq!((run.code, left_out > 0), (code, count > 1_000), "{moves}");
            assert_eq!(ferz(&["convert", "--to", "lan"], results.clone()).code, code);
            assert_eq!(ferz(&["convert", "--to", "lan", "--no-loss"], results).code, 1);
        }
    }
    // On a long line with characters of several bytes the columns are right, too.
    let varied = format!("1. e4 {}e5 *", "(1. e5) {\u{e9}\u{e9}} ".repeat(1_500));
    let (_, whole) = reports(&varied);
    assert_eq!(whole[0]["diagnostics"][1_499]["column"], 11 + 1_499 * 13);
    let Run { err, out, .. } = ferz(&["validate"], varied);
    assert_eq!(err.matches("[J008]").count(), 1_000);
    assert!(err.contains("\nstandard input: game 1: and 500 more findings\n"));
    assert!(out.contains("game 1: chess: legal, 2 plies"), "{out}");
}
