//! `ferz validate` and `ferz convert` as their users meet them: records in, verdicts or records out.

use crate::program::{Run, ends_with_its_pipe, ferz, write};
use serde_json::Value;

const SAMPLE: &str = "fixtures/games/ichess-sample.pgn";

/// A short game that white wins on the board.
const MATE: &str = "[Event \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";
/// The same with the wrong result.
const WRONG_RESULT: &str =
    "[Event \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 0-1\n\n";
/// A game with a warning.
const BARE_WORDS: &str = "1. e4 e5 see the note below *\n";
/// An illegal fourth move.
const ILLEGAL: &str = "[Event \"Club\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n4. Kg1 {so!} Nf6 5. d3 (5. d4 exd4) 1-0\n\n";
/// A game that nobody knows.
const UNKNOWN: &str = "[Event \"Odd\"]\n[Variant \"iches\"]\n[Result \"*\"]\n\n1. R=a1 R=h8 *\n\n";

/// The reports of `ferz validate --format ndjson`, with the exit code.
fn reports(args: &[&str], input: &str) -> (i32, Vec<Value>) {
    let run = ferz(&[&["validate", "--format", "ndjson"], args].concat(), input);
    (run.code, run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn last_line(text: &str) -> &str {
    text.lines().next_back().unwrap_or_default()
}

/// The moves and the result of a record, without tags, numbers, comments and line breaks.
fn movetext(record: &str) -> Vec<&str> {
    let body = record.split_once("\n\n").unwrap().1;
    let words = |part: &'_ str| part.find('}').map_or(0, |end| end + 1);
    let uncommented = body.split('{').flat_map(|part| part[words(part)..].split_whitespace());
    uncommented.filter(|word| !word.ends_with('.')).collect()
}

/// What people type, and what has to be said of it.
#[test]
fn what_may_be_a_slip_is_told() {
    for (text, code) in [
        // A copying slip, or a capture without its file: legal, if read with much good will.
        ("1. e4 d5 2. d5 *", "N021"),
        ("1. e4 d5 2. xd5 *", "N021"),
        ("1. e4 d5 2. e5 f5 3. f6 *", "N021"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 00 00 5. d3 *", "N014"),
        ("1. e4 e5 2. Nf3 5 *", "J027"),
        ("[White \"Ann\"]\n[Black \"Ben\"]\n[Termination \"Ben won on time\"]\n\n1. e4 1-0", "J018"),
        ("[Termination \"Game drawn by repetition\"]\n\n1. e4 1-0", "J018"),
        ("[Termination \"time forfeit\"]\n\n1. e4 *", "J018"),
        ("[Result \"1:0\"]\n\n1. e4 1-0", "S038"),
        ("[Result \"white\"]\n\n1. e4 1-0", "S038"),
    ] {
        let (code_found, reports) = reports(&[], text);
        let told: Vec<&str> = reports[0]["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| d["code"].as_str().unwrap())
            .collect();
        assert_eq!((code_found, reports.len()), (0, 1), "{text}");
        assert!(told.contains(&code), "{text}: {told:?}");
    }
    for text in ["1. e4 e5 2. Nf3 Nc6 3. exd5 *", "1. e4 1... e5 2. Nf3 *", "1. e4 d5 2. exd5 *"] {
        let (_, reports) = reports(&[], text);
        assert_eq!(reports[0]["diagnostics"].as_array().map(Vec::len), Some(0), "{text}: {}", reports[0]);
    }
    let castled = ferz(&["convert", "--to", "san"], "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 00 00 5. d3 *").out;
    assert!(castled.ends_with("4. O-O O-O 5. d3 *\n\n"), "{castled}");
}

/// As deep as a tree goes, and deeper: no command runs out of stack.
#[test]
fn deep_variations_are_dealt_with_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for (first, inner) in [("1. Nf3", "(1. Nc3 "), ("1. Pe4", "(1. Pe3 "), ("1. Ke4", "(1. Nc3 ")] {
        let deep = format!("{first} {}{} *\n", inner.repeat(300), ")".repeat(300));
        let file = write(folder.path(), "deep.pgn", &deep);
        let json = ferz(&["convert", "--to", "json", &file], "");
        let json = write(folder.path(), "deep.json", json.out);
        for args in [
            &["validate"][..],
            &["validate", "--let-stand", "--jobs", "2"],
            &["validate", "--format", "ndjson"],
            &["convert", "--to", "lan"],
            &["convert", "--to", "ichess", "--let-stand", "--split-illegal"],
            &["convert", "--to", "uci", "--keep-layout"],
            &["convert", "--to", "json"],
            &["fix", "--all"],
            &["compare", &file],
        ] {
            for file in [&file, &json] {
                let run = ferz(&[args, &[file]].concat(), "");
                assert!(
                    (0..=2).contains(&run.code) && !run.out.is_empty() | (run.code == 2),
                    "{args:?}: {}",
                    run.err
                );
            }
        }
    }
}

#[test]
fn the_sample_game_is_legal() {
    let Run { code, out, err } = ferz(&["validate", SAMPLE], "");
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!(out, @"
    game 1: ichess: legal, 69 plies, 1-0 by checkmate after ply 69 [ICH 7]; result 1-0 confirmed
    1 game, 69 plies: 0 illegal, 0 with a result that the board contradicts
    ");
    assert_eq!(err, "", "the end of the deployment is told where it is");
}

/// The keys of design 4.2, each of its type.
fn check_keys(report: &Value) {
    let object = report.as_object().unwrap();
    let has = |key: &str, fits: fn(&Value) -> bool| {
        assert!(object.get(key).is_some_and(fits), "{key}: {report}");
    };
    let or_null = |value: &Value, fits: fn(&Value) -> bool| value.is_null() || fits(value);
    has("game", Value::is_u64);
    has("variant", Value::is_string);
    has("rules", |v| v.is_null() || ["name", "edition", "digest"].iter().all(|key| v[key].is_string()));
    has("style", Value::is_string);
    has("plies", Value::is_u64);
    has("legal", Value::is_boolean);
    has("illegal", |v| v.is_null() || v.is_object());
    has("end", |v| v.is_null() || v.is_object());
    has("result_tag", |v| v.is_null() || v.is_string());
    has("agreement", |v| matches!(v.as_str(), Some("confirmed" | "contradicted" | "unverifiable")));
    has("final_fen", Value::is_string);
    has("diagnostics", Value::is_array);
    let texts = ["text", "code", "reason_id", "reason", "rule"];
    let numbers = ["ply", "line", "column"];
    assert!(or_null(&report["illegal"], Value::is_object));
    if let Some(illegal) = report["illegal"].as_object() {
        assert!(texts.iter().all(|key| illegal[*key].is_string()), "{report}");
        assert!(numbers.iter().all(|key| illegal[*key].is_u64()), "{report}");
        assert!(illegal["candidates"].as_array().unwrap().iter().all(Value::is_string), "{report}");
    }
    if let Some(end) = report["end"].as_object() {
        assert!(end["result"].is_string() && end["reason"].is_string() && end["ply"].is_u64(), "{report}");
    }
    for diagnostic in report["diagnostics"].as_array().unwrap() {
        assert!(["code", "severity", "message"].iter().all(|key| diagnostic[key].is_string()), "{report}");
        assert!(["line", "column"].iter().all(|key| diagnostic[key].is_u64()), "{report}");
        assert!(diagnostic["span"].as_array().unwrap().iter().all(Value::is_u64), "{report}");
    }
}

#[test]
fn reports_have_every_key() {
    let (code, found) = reports(&[SAMPLE], "");
    assert_eq!((code, found.len()), (0, 1));
    let report = &found[0];
    check_keys(report);
    assert_eq!(report["illegal"], Value::Null);
    assert_eq!((report["game"].as_u64(), report["plies"].as_u64()), (Some(0), Some(69)));
    assert_eq!(report["end"], serde_json::json!({"result": "1-0", "reason": "checkmate", "ply": 69}));
    assert_eq!((&report["variant"], &report["style"]), (&"ichess".into(), &"ichess".into()));
    assert_eq!((&report["result_tag"], &report["agreement"]), (&"1-0".into(), &"confirmed".into()));

    let (code, found) = reports(&[], &[MATE, ILLEGAL, UNKNOWN, WRONG_RESULT].concat());
    assert_eq!((code, found.len()), (1, 4));
    found.iter().for_each(check_keys);
    assert!(found.iter().enumerate().all(|(index, report)| report["game"] == index));
    let illegal = &found[1]["illegal"];
    assert_eq!((&illegal["ply"], &illegal["text"]), (&7.into(), &"Kg1".into()));
    assert_eq!((&illegal["line"], &illegal["column"]), (&10.into(), &4.into()));
    assert_eq!(found[1]["plies"], 6);
    assert_eq!(found[1]["end"], Value::Null);
    assert_eq!(found[3]["agreement"], "contradicted");
    assert!(found[3]["legal"].as_bool().unwrap() && found[3]["illegal"].is_null());
}

#[test]
fn an_illegal_ply_is_shown_with_its_reason() {
    let Run { code, out, err } = ferz(&["validate"], ILLEGAL);
    assert_eq!(code, 1);
    insta::assert_snapshot!(out, @"
    game 1: chess: ILLEGAL at ply 7 (no-such-move); result 1-0
    1 game, 6 plies: 1 illegal, 0 with a result that the board contradicts
    ");
    insta::assert_snapshot!(err, @r"
    error[M006]: game 1, ply 7 (move 4, White): `Kg1` is illegal: the king on e1 does not go to g1
     --> standard input:5:4
      |
    5 | 4. Kg1 {so!} Nf6 5. d3 (5. d4 exd4) 1-0
      |    ^^^
      |
      = note: rule: FIDE 3.8 (no-such-move)
      = note: nearest legal: O-O, Rg1, Ng1, Kf1, Ke2
      = note: position: r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4
    ");
}

#[test]
fn a_forgotten_variant_tag_is_thought_of() {
    let sample = std::fs::read_to_string(SAMPLE).unwrap().replace("[Variant \"ichess\"]\n", "");
    let Run { code, err, .. } = ferz(&["validate"], &sample);
    assert_eq!(code, 1);
    assert!(err.contains("White has no rook in hand") && err.contains("needs the tag Variant"), "{err}");
    let Run { code, out, err } = ferz(&["validate", "--variant", "ichess"], &sample);
    assert_eq!((code, err.contains("J003")), (0, false), "nothing is overridden: {out}{err}");
    assert!(!ferz(&["validate"], ILLEGAL).err.contains("needs the tag Variant"));
}

#[test]
fn a_contradicted_result_is_a_finding() {
    let Run { code, out, err } = ferz(&["validate"], WRONG_RESULT);
    assert_eq!(code, 1);
    insta::assert_snapshot!(out, @"
    game 1: chess: legal, 7 plies, 1-0 by checkmate after ply 7 [FIDE 5.1.1]; result 0-1 CONTRADICTED
    1 game, 7 plies: 0 illegal, 1 with a result that the board contradicts
    ");
    insta::assert_snapshot!(err, @r#"
    error[J006]: the result is 0-1, but the board shows 1-0: checkmate after ply 7
     --> standard input:2:1
      |
    2 | [Result "0-1"]
      | ^^^^^^^^^^^^^^
    "#);
}

#[test]
fn warnings_are_findings_only_when_strict() {
    for (args, code) in
        [(&[][..], 0), (&["--lenient"], 0), (&["--strict"], 1), (&["--strict", "--lenient"], 2)]
    {
        assert_eq!(ferz(&[&["validate"], args].concat(), BARE_WORDS).code, code, "{args:?}");
        let ndjson = &["validate", "--format", "ndjson"][..];
        assert_eq!(ferz(&[ndjson, args].concat(), BARE_WORDS).code, code, "{args:?}");
    }
    assert_eq!(ferz(&["validate", "--strict"], MATE).code, 0);
}

#[test]
fn the_variant_can_be_overridden() {
    let Run { code, err, .. } = ferz(&["validate", "--variant", "chess", SAMPLE], "");
    assert_eq!(code, 1);
    assert!(err.contains("[J003]: the tag Variant is `ichess`, but the game is judged as `chess`"), "{err}");
    let Run { code, out, .. } = ferz(&["validate", "--variant", "iago-b"], MATE);
    assert_eq!(code, 0);
    assert!(out.starts_with("game 1: iago-b: legal"), "{out}");
    let Run { code, out, err } = ferz(&["validate", "--variant", "chss"], MATE);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("; did you mean `chess`? `ferz variants list` shows all"), "{err}");
}

#[test]
fn what_cannot_be_judged_leaves_its_neighbours() {
    let fen = "[Event \"C\"]\n[FEN \"8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
    let Run { code, out, err } = ferz(&["validate"], [MATE, UNKNOWN, MATE, fen, MATE].concat());
    assert_eq!(code, 1);
    insta::assert_snapshot!(out, @"
    game 1: chess: legal, 7 plies, 1-0 by checkmate after ply 7 [FIDE 5.1.1]; result 1-0 confirmed
    game 2: iches: not judged; result *
    game 3: chess: legal, 7 plies, 1-0 by checkmate after ply 7 [FIDE 5.1.1]; result 1-0 confirmed
    game 4: chess: not judged; result *
    game 5: chess: legal, 7 plies, 1-0 by checkmate after ply 7 [FIDE 5.1.1]; result 1-0 confirmed
    5 games, 21 plies: 0 illegal, 0 with a result that the board contradicts, 2 not judged
    ");
    for part in ["J001]: unknown variant `", "did you mean `ichess`?", "standard input:7:1", "error[J002]"] {
        assert!(err.contains(part), "{part}: {err}");
    }
    let Run { code, out, err } = ferz(&["convert", "--to", "coord"], [UNKNOWN, MATE].concat());
    assert_eq!(code, 1);
    assert!(out.contains("1. R=a1 R=h8 *") && out.contains("4. h5f7 1-0"), "{out}");
    assert!(err.contains("did you mean `ichess`?") && err.contains("is unchanged"), "{err}");
}

#[test]
fn one_missing_file_does_not_keep_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let mate = write(directory.path(), "mate.pgn", MATE);
    let wrong = write(directory.path(), "wrong.pgn", ILLEGAL);
    let Run { code, out, err } = ferz(&["validate", &mate, "/no/such", &wrong], "");
    assert_eq!(code, 2);
    assert!(out.contains(&format!("{mate}: game 1: chess: legal")), "{out}");
    assert!(out.contains(&format!("{wrong}: game 1: chess: ILLEGAL")), "{out}");
    assert!(last_line(&out).starts_with("2 games, 13 plies: 1 illegal"), "{out}");
    assert!(err.contains("/no/such: no such file") && last_line(&err).contains("1 of 3 files"), "{err}");
    let Run { code, out, .. } = ferz(&["validate", "--format", "ndjson", &mate, &wrong], "");
    let files: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    files.iter().for_each(check_keys);
    assert_eq!((code, &files[0]["file"], &files[1]["file"]), (1, &mate.as_str().into(), &wrong.into()));
    let Run { code, out, .. } = ferz(&["convert", "--to", "uci", "/no/such", &mate], "");
    assert_eq!(code, 2);
    assert!(out.contains("h5f7"), "{out}");
    let Run { code, out, err } = ferz(&["validate", "/no/such"], "");
    assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
}

#[test]
fn standard_input_by_name_or_by_default() {
    for args in [&["validate", "-"][..], &["validate"]] {
        let Run { code, out, err } = ferz(args, MATE);
        assert_eq!((code, out.lines().count(), err.as_str()), (0, 2, ""));
    }
    assert_eq!(ferz(&["convert", "--to", "san", "-"], MATE).out, ferz(&["convert", "--to", "san"], MATE).out);
    let Run { code, out, err } = ferz(&["validate"], "");
    assert_eq!(code, 0);
    assert!(out.starts_with("0 games, 0 plies") && err.contains("no games found"), "{out}{err}");
    for args in [&["convert", "--to", "san"][..], &["convert", "--to", "json"], &["fix"]] {
        let Run { code, out, err } = ferz(args, " \n");
        assert_eq!((code, out.trim()), (0, ""), "{args:?}");
        assert_eq!(err, "ferz: warning: standard input: no games found\n", "{args:?}");
    }
}

#[test]
fn a_closed_pipe_ends_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let long = write(directory.path(), "long.pgn", MATE.repeat(8_000));
    for args in [&["validate"][..], &["convert", "--to", "lan"]] {
        ends_with_its_pipe(&[args, &[&long]].concat());
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let sample = std::fs::read_to_string(SAMPLE).unwrap() + "\n";
    let games: String = (0..400)
        .map(|n| match n % 7 {
            0 => ILLEGAL,
            3 => UNKNOWN,
            4 => sample.as_str(),
            5 => WRONG_RESULT,
            _ => MATE,
        })
        .collect();
    // More than one part of the stream.
    let games = games.repeat(1 + ferz::text::limits::CHUNK_BYTES / games.len());
    let path = write(directory.path(), "many.pgn", &games);
    for args in [&["validate"][..], &["validate", "--format", "ndjson"], &["convert", "--to", "san"]] {
        let run = |jobs: &str| {
            let run = ferz(&[args, &["--jobs", jobs, &path]].concat(), "");
            assert_eq!(run.code, 1);
            (run.out, run.err)
        };
        let (out, err) = run("1");
        assert!(out.len() > 100_000, "{args:?}");
        for jobs in ["2", "0"] {
            let (other_out, other_err) = run(jobs);
            assert!(other_out == out && other_err == err, "{args:?} --jobs {jobs}");
        }
    }
}

#[test]
fn there_is_a_limit_of_threads() {
    let limit = ferz::text::limits::JOBS_MAX;
    let over = (limit + 1).to_string();
    for jobs in [over.as_str(), "9999999", "99999999999999999999999"] {
        for args in [&["validate"][..], &["convert", "--to", "san"], &["perft", "chess", "1"]]
            .map(|args| args.to_vec())
        {
            let Run { code, out, err } = ferz(&[args.as_slice(), &["--jobs", jobs]].concat(), MATE);
            assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
            assert!(err.contains("--jobs") && err.contains(&format!("and {limit}")), "{err}");
        }
    }
    assert!(ferz(&["validate", "--jobs", "x"], MATE).err.contains("must be between 0 and 256"));
    assert_eq!(ferz(&["validate", "--jobs", "3"], MATE).code, 0);
}

#[test]
fn commands_that_cannot_be_read_are_reported() {
    let clean = "1. e4 {[%eval 0.17] [%clk 0:03:00]} e5 {[%csl Ra1] [%own x]} *";
    assert_eq!(ferz(&["validate", "--strict"], clean).code, 0);
    let bad = "1. e4 {[%clk abc] [%emt 0:0:xx]} e5 {[%clk 0:03:00]} (1... c5 {good [%eval x]}) *";
    let Run { code, err, .. } = ferz(&["validate"], bad);
    assert_eq!((code, err.matches("warning[S032]").count()), (0, 3), "{err}");
    assert!(err.contains("standard input:1:8\n") && err.contains("standard input:1:19\n"), "{err}");
    assert_eq!(ferz(&["validate", "--strict"], bad).code, 1);
    let unknown = ferz(&["validate"], format!("[Variant \"iches\"]\n\n{bad}"));
    assert_eq!(unknown.err.matches("warning[S032]").count(), 3, "{}", unknown.err);
    let many = "1. e4 ".to_owned() + &"{[%clk x]} ".repeat(5_000) + "*";
    let found = &reports(&[], &many).1[0];
    assert!(found["diagnostics"].as_array().unwrap().len() < 300);
    assert!(found.to_string().contains("more diagnostics"));
}

/// Illegal plies in variations: in the first one of the main line, behind legal plies of the second, and inside it.
const ILLEGAL_VARIATIONS: &str = "1. e4 e5 (1... e9 2. d4) 2. Bc4 (2. Nf3 Nc7 3. d4) (2. d4 exd4 (2... d5 3. exd5 Qxd5\n(3... Kd6 4. c4) 4. Nc3 Qh9) 3. Qxd4) Nc6 *\n";

#[test]
fn illegal_variations_are_shown_at_every_depth() {
    let Run { code, out, err } = ferz(&["validate"], ILLEGAL_VARIATIONS);
    assert_eq!(code, 0, "a game stands whatever is wrong in its variations: {err}");
    insta::assert_snapshot!(out, @r"
    game 1: chess: legal, 4 plies; result *
    1 game, 4 plies: 0 illegal, 0 with a result that the board contradicts
    ");
    insta::assert_snapshot!(err, @r"
    warning[J008]: a variation is illegal at ply 2, `e9`: no target square; end the move with its target square, such as `Nf3` or `e8=Q`
     --> standard input:1:16
      |
    1 | 1. e4 e5 (1... e9 2. d4) 2. Bc4 (2. Nf3 Nc7 3. d4) (2. d4 exd4 (2... d5 3. exd5 Qxd5
      |                ^^
      |
      = note: rule: FIDE C (unreadable)
      = note: nearest legal: e5, e6, a5, a6, b5
    warning[J008]: a variation is illegal at ply 4, `Nc7`: Black's own piece is on c7
     --> standard input:1:41
      |
    1 | 1. e4 e5 (1... e9 2. d4) 2. Bc4 (2. Nf3 Nc7 3. d4) (2. d4 exd4 (2... d5 3. exd5 Qxd5
      |                                         ^^^
      |
      = note: rule: FIDE 3.1 (own-piece-on-target)
      = note: nearest legal: Nc6, Na6, Ne7, Nf6, Nh6
    warning[J008]: a variation at depth 3 is illegal at ply 6, `Kd6`: the king on e8 does not go to d6
     --> standard input:2:7
      |
    2 | (3... Kd6 4. c4) 4. Nc3 Qh9) 3. Qxd4) Nc6 *
      |       ^^^
      |
      = note: rule: FIDE 3.8 (no-such-move)
      = note: nearest legal: Qd6, Bd6, Kd7, Ke7, Qxd5
    warning[J008]: a variation at depth 2 is illegal at ply 8, `Qh9`: no target square; end the move with its target square, such as `Nf3` or `e8=Q`
     --> standard input:2:25
      |
    2 | (3... Kd6 4. c4) 4. Nc3 Qh9) 3. Qxd4) Nc6 *
      |                         ^^^
      |
      = note: rule: FIDE C (unreadable)
      = note: nearest legal: Qb3, Qf3, Qc4, Qa5, Qb5
    ");
    assert_eq!(ferz(&["validate", "--strict"], ILLEGAL_VARIATIONS).code, 1);
    let inner = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 e9)) 2. Bc4 *";
    assert_eq!(ferz(&["validate", "--strict"], inner).code, 1, "deep inside alone");
}

#[test]
fn conversion_tells_of_illegal_variations() {
    let Run { code, out, err } = ferz(&["convert", "--to", "coord"], ILLEGAL_VARIATIONS);
    assert_eq!(code, 1);
    let movetext = out.split_once("\n\n").unwrap().1;
    insta::assert_snapshot!(movetext, @r"
    1. e2e4 e7e5 (1... e9 2. d4) 2. f1c4 (2. g1f3 Nc7 3. d4) (2. d2d4 e5d4 (2...
    d7d5 3. e4d5 d8d5 (3... Kd6 4. c4) 4. b1c3 Qh9) 3. d1d4) 2... b8c6 *
    ");
    insta::assert_snapshot!(err, @r"
    standard input:1:16: game 1: M001: ply 2 of a variation, `e9`, is illegal: no target square; end the move with its target square, such as `Nf3` or `e8=Q` (FIDE C)
    standard input:1:16: game 1: N013: the text from the illegal ply 2 of a variation on is unchanged
    standard input:1:41: game 1: M007: ply 4 of a variation, `Nc7`, is illegal: Black's own piece is on c7 (FIDE 3.1)
    standard input:1:41: game 1: N013: the text from the illegal ply 4 of a variation on is unchanged
    standard input:2:7: game 1: M006: ply 6 of a variation at depth 3, `Kd6`, is illegal: the king on e8 does not go to d6 (FIDE 3.8)
    standard input:2:7: game 1: N013: the text from the illegal ply 6 of a variation at depth 3 on is unchanged
    standard input:2:25: game 1: M001: ply 8 of a variation at depth 2, `Qh9`, is illegal: no target square; end the move with its target square, such as `Nf3` or `e8=Q` (FIDE C)
    standard input:2:25: game 1: N013: the text from the illegal ply 8 of a variation at depth 2 on is unchanged
    ");
    let json = ferz(&["convert", "--to", "coord", "--format", "ndjson"], ILLEGAL_VARIATIONS);
    let row: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.code, row["legal"].as_bool()), (1, Some(true)));
    let losses = row["losses"].as_array().unwrap();
    assert!(losses.len() == 4 && losses.iter().all(|loss| loss["code"] == "N013"), "{row}");
}

#[test]
fn the_summary_agrees_with_the_exit_code() {
    let open_comment = "1. e4 {never closed\n";
    let Run { code, out, err } = ferz(&["validate"], [MATE, open_comment].concat());
    assert_eq!((code, err.contains("error[S012]")), (1, true), "{err}");
    let last = "2 games, 8 plies: 0 illegal, 0 with a result that the board contradicts, 1 with other errors; \
                1 note not shown (--notes shows it)";
    assert_eq!(last_line(&out), last);
    let strict = ferz(&["validate", "--strict"], BARE_WORDS);
    assert!(last_line(&strict.out).ends_with("contradicts, 1 with other findings"), "{}", strict.out);
    for text in [MATE, ILLEGAL, WRONG_RESULT, UNKNOWN, open_comment] {
        let Run { code, out, .. } = ferz(&["validate"], text);
        let counts = last_line(&out).split_once(": ").unwrap().1.split(", ");
        let found: u32 = counts.map(|part| part.split(' ').next().unwrap().parse::<u32>().unwrap()).sum();
        assert_eq!(found, u32::try_from(code).unwrap(), "each game is counted once: {out}");
    }
}

/// A record of one ply with these tags.
fn with_fen(tags: &str) -> String {
    format!("[Event \"F\"]\n{tags}\n1. Ra8# 1-0\n\n")
}

const FEN: &str = "[FEN \"7k/R7/6K1/8/8/8/8/8 w - - 0 1\"]\n";

#[test]
fn set_up_tags_that_do_not_go_together() {
    for (tags, expected) in [
        (FEN.to_owned(), Some(("J010", "info", 2))),
        (format!("{FEN}[SetUp \"1\"]\n"), None),
        (format!("[SetUp \"1\"]\n{FEN}"), None),
        (format!("{FEN}[SetUp \"0\"]\n"), Some(("J012", "warning", 3))),
        (format!("{FEN}[SetUp \"?\"]\n"), Some(("J010", "info", 2))),
    ] {
        let (code, found) = reports(&[], &with_fen(&tags));
        assert_eq!((code, &found[0]["legal"]), (0, &true.into()), "{tags}");
        let about = found[0]["diagnostics"].as_array().unwrap();
        let about: Vec<_> = about.iter().filter(|found| found["code"].as_str() > Some("J009")).collect();
        match expected {
            None => assert!(about.is_empty(), "{tags}: {about:?}"),
            Some((code, severity, line)) => {
                let [only] = about[..] else { panic!("{tags}: {about:?}") };
                assert_eq!((&only["code"], &only["severity"]), (&code.into(), &severity.into()), "{tags}");
                assert_eq!(only["line"], line, "{tags}");
            }
        }
    }
    let array = MATE.replace("[Result", "[SetUp \"1\"]\n[Result");
    assert_eq!(reports(&[], &array).1[0]["diagnostics"][0]["code"], "J011");
    assert!(
        !ferz(&["validate", "--strict"], MATE.replace("[Result", "[SetUp \"0\"]\n[Result"))
            .err
            .contains("J01")
    );
}

#[test]
fn conversion_announces_the_position() {
    let Run { code, out, .. } =
        ferz(&["convert", "--to", "coord"], with_fen(&format!("[White \"A\"]\n[TimeControl \"60\"]\n{FEN}")));
    assert_eq!(code, 0);
    let names: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).collect();
    assert_eq!(names[7..], ["FEN", "SetUp", "TimeControl"], "{out}");
    assert!(out.contains("[SetUp \"1\"]\n"), "{out}");
    for set_up in ["1", "0"] {
        let given = ferz(&["convert", "--to", "san"], with_fen(&format!("{FEN}[SetUp \"{set_up}\"]\n"))).out;
        assert!(given.contains(&format!("[SetUp \"{set_up}\"]")), "what is said stays: {given}");
        assert_eq!(given.matches("SetUp").count(), 1, "{given}");
    }
    assert!(!ferz(&["convert", "--to", "san"], MATE).out.contains("SetUp"));
}

/// The first diagnostic of a record that is not judged: its code, and the bytes that it is about.
fn fault(text: &str) -> (String, String) {
    let (code, found) = reports(&[], text);
    let found = found.last().unwrap();
    assert_eq!((code, &found["legal"]), (1, &false.into()), "{text}");
    let error = found["diagnostics"].as_array().unwrap().iter().find(|found| found["severity"] == "error");
    let error = error.unwrap();
    let at = |index: usize| usize::try_from(error["span"][index].as_u64().unwrap()).unwrap();
    (error["code"].as_str().unwrap().to_owned(), text[at(0)..at(1)].to_owned())
}

#[test]
fn faults_of_tags_are_shown_where_they_are() {
    let armies = "[Variant \"augmented\"]\n[WhiteArmy \"RF ND BfbN QffNsbN\"]\n";
    for (tags, code, place) in [
        ("[Variant \"iches\"]\n", "J001", "[Variant \"iches\"]"),
        ("[Variant \"iago-m\"]\n[RulesEdition \"1066\"]\n", "J001", "[RulesEdition \"1066\"]"),
        ("[NatureRules \"wild\"]\n[Variant \"chaos+chess\"]\n", "J001", "wild"),
        (&format!("{armies}[BlackArmy \"RA\"]\n"), "J001", "[BlackArmy \"RA\"]"),
        (armies, "J001", "[Variant \"augmented\"]"),
        ("[FEN \"7k/8/6X1/8/8/8/8/8 w - - 0 1\"]\n", "J002", "X"),
        ("[FEN \"7k/8/6K1/8/8/8/8/8 \\\"w - - 0 1\"]\n", "J002", "\\\"w"),
        ("[FEN \"7k/8/6K1/8/8/8/8/8 w - - z 1\"]\n", "J002", "z"),
        ("[Variant \"chess960\"]\n[FEN \" 7k/8/6X1/8/8/8/8/8 w - - 0 1\"]\n", "J002", "X"),
    ] {
        assert_eq!(fault(&format!("{tags}\n1. e4 *\n")), (code.to_owned(), place.to_owned()), "{tags}");
    }
    // What was judged before has no say in it.
    let edition = format!("{MATE}[RulesEdition \"1066\"]\n\n1. e4 *\n");
    assert_eq!(fault(&edition).1, "[RulesEdition \"1066\"]");
}

#[test]
fn excerpts_of_files_with_other_line_breaks() {
    let unix = ferz(&["validate"], [ILLEGAL, WRONG_RESULT].concat());
    let windows = ferz(&["validate"], [ILLEGAL, WRONG_RESULT].concat().replace('\n', "\r\n"));
    assert_eq!((windows.out, windows.err), (unix.out, unix.err));
}

#[test]
fn quiet_shows_findings_alone() {
    let run = ferz(&["validate", "--quiet"], [MATE, WRONG_RESULT, MATE].concat());
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, lines.len()), (1, 2));
    assert!(lines[0].starts_with("game 2: ") && lines[1].starts_with("3 games, 21 plies"), "{lines:?}");
    let run = ferz(&["validate", "-q", SAMPLE], "");
    assert_eq!((run.code, run.out.lines().count(), run.err.as_str()), (0, 1, ""));
    let run = ferz(&["validate", "-q", "--format", "ndjson"], [MATE, ILLEGAL].concat());
    assert_eq!((run.code, run.out.lines().count()), (1, 1));
}

#[test]
fn only_the_wanted_style_is_accepted() {
    assert_eq!(ferz(&["validate", "--style", "san"], MATE).code, 0);
    let (code, found) = reports(&["--style", "coord"], MATE);
    assert_eq!((code, &found[0]["illegal"]["reason_id"]), (1, &"unreadable".into()));
    let coord = ferz(&["convert", "--to", "coord"], MATE).out;
    let (code, found) = reports(&[], &coord);
    assert_eq!((code, &found[0]["style"], &found[0]["plies"]), (0, &"coord".into(), &7.into()));
    assert_eq!(ferz(&["validate", "--style", "klingon"], MATE).code, 2);
}

#[test]
fn a_converted_record_comes_back() {
    let sample = std::fs::read_to_string(SAMPLE).unwrap();
    // The words that stand there without braces come back as a comment.
    let original = sample.replace("end of deployment phase", "");
    for style in ["san", "lan", "coord", "iago", "chaos", "schess", "uci"] {
        let there = ferz(&["convert", "--to", style, SAMPLE], "");
        assert_eq!(there.code, 0, "{style}: {}", there.err);
        let back = ferz(&["convert", "--to", "ichess"], &there.out);
        assert_eq!(back.code, 0, "{style}: {}", back.err);
        assert_eq!(movetext(&back.out), movetext(&original), "{style}");
        assert!(back.out.contains("{end of deployment phase}"), "{style}");
        let tags = |text: &str| text.lines().filter(|line| line.starts_with('[')).count();
        assert_eq!(tags(&back.out), tags(&sample), "{style}");
    }
    assert!(ferz(&["convert", "--to", "san", SAMPLE], "").out.contains("9. Bxg5 gxg5"));
}

#[test]
fn the_rest_of_an_illegal_record_is_kept() {
    let Run { code, out, err } = ferz(&["convert", "--to", "coord"], [ILLEGAL, MATE].concat());
    assert_eq!(code, 1);
    let first = out.split("[Event").nth(1).unwrap();
    let words = first.split_once("\n\n").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words, "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. Kg1 {so!} 4... Nf6 5. d3 (5. d4 exd4) 1-0");
    assert!(out.contains("4. h5f7 1-0"), "the next record is converted: {out}");
    insta::assert_snapshot!(err, @"
    standard input:5:4: game 1: M006: ply 7, `Kg1`, is illegal: the king on e1 does not go to g1 (FIDE 3.8)
    standard input:5:4: game 1: N013: the text from the illegal ply 7 on is unchanged
    ");
}

#[test]
fn choices_within_a_style() {
    let gating = "[Variant \"iago-b\"]\n[Result \"*\"]\n\n1. e2e4 e7e5 2. f1c4m g8f6c *\n";
    for (sign, text) in [("&", "Bf1-c4&M"), ("@", "Bf1-c4@M"), ("/", "Bf1-c4/M"), ("^", "Bf1-c4^M")] {
        let Run { code, out, err } = ferz(&["convert", "--to", "iago", "--sign", sign], gating);
        assert_eq!((code, out.contains(text)), (0, true), "{out}{err}");
        let back = ferz(&["convert", "--to", "coord"], &out);
        assert!(back.out.contains("2. f1c4m g8f6c"), "{}{}", back.out, back.err);
    }
    assert_eq!(ferz(&["convert", "--to", "iago", "--sign", "!"], gating).code, 2);
    let lossy = ferz(&["convert", "--to", "ichess"], gating);
    assert!(lossy.err.contains("N012: ply 3: style `ichess` cannot express gating"), "{}", lossy.err);
    assert_eq!(lossy.code, 0, "a loss that is told and has a form is no error");

    let nature =
        "[Variant \"chaos+chess\"]\n[Result \"*\"]\n\n1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 ~N@h5 g8f6 *\n";
    let sign = ferz(&["convert", "--to", "chaos"], nature);
    assert!(sign.out.contains("\u{221e}1.....h5=N"), "{}{}", sign.out, sign.err);
    let ascii = ferz(&["convert", "--to", "chaos", "--ascii"], nature);
    assert!(ascii.out.contains("oo1.....h5=N") && ascii.out.is_ascii(), "{}", ascii.out);
    for text in [sign.out, ascii.out] {
        assert!(ferz(&["convert", "--to", "coord"], text).out.contains("f1c4 ~N@h5 3... g8f6"));
    }
}

#[test]
fn conversion_as_json() {
    let input = [MATE, ILLEGAL, UNKNOWN].concat();
    let run = ferz(&["convert", "--to", "lan", "--format", "ndjson"], &input);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.code, rows.len(), run.err.as_str()), (1, 3, ""));
    assert!(rows.iter().enumerate().all(|(index, row)| row["game"] == index));
    let legal: Vec<bool> = rows.iter().map(|row| row["legal"].as_bool().unwrap()).collect();
    assert_eq!(legal, [true, false, false]);
    assert_eq!(rows[0]["losses"], Value::Array(Vec::new()));
    assert!(rows[0]["record"].as_str().unwrap().contains("4. Qh5xf7# 1-0"));
    assert_eq!(rows[1]["losses"][0]["code"], "N013");
    assert_eq!((&rows[1]["losses"][0]["line"], &rows[1]["losses"][0]["column"]), (&10.into(), &4.into()));
    let texts: String = rows.iter().map(|row| row["record"].as_str().unwrap()).collect();
    assert_eq!(texts, ferz(&["convert", "--to", "lan"], &input).out, "the same records as in PGN");
}

#[test]
fn what_ended_by_repetition_goes_no_further() {
    let fen = "4f3/6P1/8/4P3/1P4f1/1r1P1k1K/8/8[BPr] w - - 0 5";
    let circle = "g5f6 h5h6 f6g5 h6h5";
    let plies = format!("h3h4 R@g8 B@f2 g8h8 h4g5 h8h5 {circle} {circle} {circle}");
    let to = ["ichess", "--fen", fen, "--moves", &plies];
    assert_eq!(ferz(&[&["moves"][..], &to].concat(), "").out, "");
    assert_eq!(ferz(&[&["perft"][..], &to, &["2"]].concat(), "").out, "0\n");
    let shown = ferz(&[&["show"][..], &to].concat(), "").out;
    assert!(shown.contains("The game ended after ply 18: perpetual check, 1-0."), "{shown}");
    let mated = ferz(&["show", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"], "").out;
    assert_eq!(mated.matches("The game").count(), 1, "one end, told once: {mated}");
    let bared = ["show", "bareking+chess", "--fen", "4k3/8/8/8/8/8/4q3/4K2R w - - 0 1", "--moves", "e1e2"];
    let bared = ferz(&bared, "").out;
    assert_eq!(bared.matches("The game").count(), 1, "one end, told once: {bared}");
    let further = format!("{plies} g5f6");
    let refused = ferz(&["fen", "ichess", "--fen", fen, "--moves", &further], "");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the game is over: perpetual check, 1-0"), "{}", refused.err);
    let record = format!("[Variant \"ichess\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{further} *\n");
    let (code, reports) = reports(&[], &record);
    assert_eq!(code, 1);
    assert_eq!(reports[0]["illegal"]["reason_id"], "game-over");
    assert_eq!(reports[0]["illegal"]["candidates"], serde_json::json!([]));
}

/// COM-4: the draw by itself came first, the mate behind it is what closes the game.
#[test]
fn a_ply_behind_mate_is_told_of_the_mate() {
    let record = "[SetUp \"1\"]\n[FEN \"k7/8/1K6/8/8/8/8/7R w - - 150 90\"]\n\n90. Rh8# Ka7 *\n";
    let (_, reports) = reports(&[], record);
    assert_eq!(reports[0]["end"]["reason"], "seventyfive_moves");
    assert_eq!(reports[0]["illegal"]["reason"], "the game had ended after ply 1: checkmate");
}

#[test]
fn an_ended_game_leaves_nothing_to_claim() {
    for (fen, ply, reason) in [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 120 90", "Qg7#", "checkmate"),
        ("7k/8/5K2/8/8/8/8/1Q6 w - - 149 90", "Qg6", "stalemate"),
        ("7k/8/5K2/8/8/8/8/1R6 w - - 149 90", "Rc1", "seventyfive_moves"),
    ] {
        let record = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {ply} *\n");
        let (_, reports) = reports(&[], &record);
        assert_eq!(reports[0]["end"]["reason"], reason);
        assert_eq!(reports[0].get("claims"), None, "{reason}");
    }
}

/// Where pawns may go back, a pawn's move does not forbid that a position comes back.
#[test]
fn pawns_that_return_repeat_positions() {
    let circle = ["e2e3", "e7e6", "e3e2", "e6e7"];
    let plies = [circle; 5].concat().join(" ");
    let record = format!("[Variant \"back-pawns\"]\n\n{plies} *\n");
    let (_, reports) = reports(&["--formats", "fixtures/variants/valid/back-pawns.toml"], &record);
    assert_eq!(
        reports[0]["end"],
        serde_json::json!({"result": "1/2-1/2", "reason": "fivefold_repetition", "ply": 16})
    );
}

#[test]
fn a_variation_of_nothing_is_told() {
    let text = "(1. d4 d5) 1. e4 e5 ((1... c5) 1... e6) *\n";
    let (code, reports) = reports(&[], text);
    assert_eq!(code, 0);
    let told: Vec<_> = reports[0]["diagnostics"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert!(told.contains(&&Value::from("J013")), "{told:?}");
    let converted = ferz(&["convert", "--to", "coord"], text);
    assert_eq!(converted.code, 1, "the text is not what was asked for");
    assert_eq!(converted.err.matches("N013").count(), 2, "{}", converted.err);
    assert!(converted.out.contains("(1. d4 d5) 1. e2e4 e7e5 ((1... c5) 1... e7e6) *"), "{}", converted.out);
}

/// Captured pieces, but no pawns, may wait in their owner's reserve again, and enter while entries are left.
#[test]
fn captured_pieces_return_to_the_reserve() {
    let recalled = ["--formats", "fixtures/variants/valid/recalled.toml"];
    let to = |moves: &str| {
        let run = ferz(&[&["fen", "recalled", "--moves", moves][..], &recalled].concat(), "");
        run.out + &run.err
    };
    let taken = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a2 a1a2";
    let fen = to(taken);
    assert!(fen.contains("[MCqmc]"), "the queen is Black's again, the pawns are gone: {fen}");
    let fen = to(&format!("{taken} Q@d8 a2a7 a8a7 R@a1"));
    assert!(fen.contains("rnbqkbnr") || fen.contains("1nbqkbnr/rpp1pppp"), "{fen}");
    assert!(fen.contains("[MCmc]") && fen.contains("+5,5"), "{fen}");
    let record = format!("[Variant \"recalled\"]\n\n{taken} P@d7 *\n");
    let (_, reports) = reports(&recalled, &record);
    assert_eq!(reports[0]["illegal"]["reason_id"], "not-in-reserve");
}

#[test]
fn castling_in_other_spellings_is_read_and_told() {
    let start = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    for (castling, told) in [("O-O", false), ("0-0", true), ("o-o", true), ("OO", true)] {
        let (code, reports) = reports(&["--style", "san"], &format!("{start} 4. {castling} *\n"));
        let codes = reports[0]["diagnostics"].to_string();
        assert_eq!(
            (code, reports[0]["plies"].as_u64(), codes.contains("N014")),
            (0, Some(7), told),
            "{castling}"
        );
    }
}
