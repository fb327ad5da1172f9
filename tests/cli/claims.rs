//! `ferz adjudicate`: exit codes, messages, formats.

use crate::common;
use crate::program::{Run, ferz, write};
use ferz::adjudicate::{ClaimKind, Ground, HoleKind, Standing};
use serde_json::Value;
use std::collections::BTreeSet;

const KNIGHTS: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n";

fn adjudicate(args: &[&str], record: &str) -> Run {
    ferz(&[&["adjudicate"], args].concat(), record)
}

/// A ply is named by its number, or by the move and the player.
#[test]
fn plies_are_named_as_players_name_them() {
    let record = "1. e4 e5 2. Ke3 Nc6 *\n";
    let by = |ply: &str| {
        ferz(&["adjudicate", "-", "--claim", "illegal_ply", "--ply", ply, "--format", "json"], record)
    };
    let by_number = by("3");
    assert!(by_number.code == 0 && by_number.out.contains("\"verdict\":\"upheld\""), "{}", by_number.out);
    for ply in ["2 white", "move 2, White", "2."] {
        let found = by(ply);
        let claim = |run: &str| run.split_once("\"rules\"").map(|(claim, _)| claim.to_owned());
        assert_eq!((found.code, claim(&found.out)), (0, claim(&by_number.out)), "{ply}: {}", found.err);
    }
    let none = by("9 black");
    let said = "the game has no move 9, Black: its last legal one is move 1, Black";
    assert!(none.code == 2 && none.err.contains(said), "{}", none.err);
    assert!(by("two").err.contains("names no ply; write a number such as 16, or a move such as `8 white`"));
    let shown = |ply: &str| ferz(&["show", "--record", "-", "--ply", ply], record).out;
    assert_eq!(shown("1 black"), shown("2"));
}

#[test]
fn exit_codes_tell_the_verdicts() {
    for (args, code, word) in [
        (&["--claim", "threefold_repetition", "--intended", "Ng8"][..], 0, "UPHELD"),
        (&["--claim", "threefold_repetition"], 1, "REJECTED"),
        (&["--claim", "wrong_result"], 3, "UNDETERMINED"),
    ] {
        let Run { code: found, out, err } = adjudicate(args, KNIGHTS);
        assert_eq!((found, err.as_str()), (code, ""), "{out}");
        assert!(out.starts_with(word), "{out}");
    }
    let ambiguous = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/N3N2K w - - 0 1\"]\n\n1. Nc2 *";
    let Run { code, out, .. } = adjudicate(&["--claim", "illegal_ply", "--ply", "1"], ambiguous);
    assert!(code == 3 && out.contains("Reading Nac2: rejected"), "{out}");
}

#[test]
fn incomplete_claims_say_what_to_write() {
    for (args, remedy) in [
        (&["--claim", "illegal_ply"][..], "--ply"),
        (&["--claim", "time_win"], "--by"),
        (&["--claim", "checkmate", "--by", "nature"], "natures_mate"),
        (&["--claim", "forced_mate", "--by", "white"], "--within"),
        (&["--claim", "checkmate", "--within", "3"], "forced_mate"),
        (&["--claim", "checkmate", "--intended", "Nf3"], "threefold_repetition and fifty_moves"),
        (&["--claim", "checkmate", "--ply", "8"], "from 0 to 7"),
        (&["--claim", "illegal_ply", "--ply", "0"], "from 1 to 7"),
        (&["--claim", "threefold_repetition", "--intended", "~~"], "cannot be read"),
        (&["--claim", "mate"], "possible values"),
        (&["--claim", "checkmate", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "--variant"),
        (&["--claim", "checkmate", "--game", "2"], "choose with --game"),
        (&[], "--claim"),
    ] {
        let Run { code, out, err } = adjudicate(args, KNIGHTS);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(remedy), "{args:?}: {err}");
    }
    let Run { code, err, .. } = adjudicate(&["--claim", "checkmate"], "[Variant \"nonsense\"]\n\n1. e4 *");
    assert!(code == 2 && err.contains("nonsense") && err.contains("--formats"), "{err}");
}

/// The sums of a game of Janggi that points decide, in the texts of both commands.
#[test]
fn points_that_decide_are_named() {
    let game = "[Variant \"janggi\"]\n\n1. e2e2 e9e9 1-0\n";
    let said = ferz(&["validate"], game).out;
    assert!(said.contains("0-1 by points (White 72, Black 73.5) after ply 2 [JNG 5]"), "{said}");
    let Run { code, out, .. } = adjudicate(&["--claim", "wrong_result"], game);
    assert!(code == 0 && out.contains("0-1 by points (White 72, Black 73.5)."), "{out}");
}

#[test]
fn positions_are_judged_by_their_game() {
    let dead = ["--claim", "dead_position", "--fen", "8/8/8/8/8/2k5/8/KN6 b - - 0 1"];
    assert_eq!(adjudicate(&[&dead[..], &["--variant", "chess"]].concat(), "").code, 0);
    let fen = ["--claim", "cannot_win", "--by", "white", "--fen", "k7/8/8/1K6/5B2/8/8/8[] w - - 0 1"];
    assert_eq!(adjudicate(&[&fen[..], &["--variant", "ichess"]].concat(), "").code, 1);
    let Run { code, err, .. } = adjudicate(&[&dead[..3], &["8/8 w", "--variant", "chess"]].concat(), "");
    assert!(code == 2 && err.contains("ranks"), "{err}");
    // The source of iChess does not say whether a king that has entered may declare a win; chess has no such rule.
    let entered = ["--claim", "declaration", "--fen", "3K4/R7/8/8/8/8/8/3k4[] w - - 0 1", "--variant"];
    let Run { code, out, .. } = adjudicate(&[&entered[..], &["ichess"]].concat(), "");
    assert!(code == 3 && out.contains("ambiguous") && out.contains("ICH-7"), "{out}");
    let chess = ["--claim", "declaration", "--fen", "3K4/R7/8/8/8/8/8/3k4 w - - 0 1", "--variant", "chess"];
    assert_eq!(adjudicate(&chess, "").code, 1);
    // Only a budget that suffices finds the line.
    let start = [
        "--claim",
        "cannot_win",
        "--by",
        "white",
        "--fen",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];
    let within =
        |nodes| adjudicate(&[&start[..], &["--variant", "chess", "--nodes", nodes]].concat(), "").code;
    assert_eq!([within("0"), within("100000")], [3, 1]);
}

#[test]
fn pages_are_self_contained_and_escaped() {
    let record = format!("[White \"<b>Ann</b>\"]\n\n{KNIGHTS}");
    let args = ["--claim", "threefold_repetition", "--intended", "Ng8", "--format", "html"];
    let Run { code, out, .. } = adjudicate(&args, &record);
    assert!(code == 0 && out.starts_with("<!doctype html>"), "{out}");
    for part in ["<svg ", "FIDE 9.2", "&lt;b&gt;Ann", "Arbiter"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("<b>Ann") && !out.contains("src=") && !out.contains("<script"), "{out}");
}

/// What follows from an illegal ply is the policy's to say.
#[test]
fn policies_choose_remedies_and_penalties() {
    let directory = tempfile::tempdir().unwrap();
    let own = |name: &str, text: &str| {
        write(directory.path(), name, format!("policy = \"own\"\ntitle = \"Own\"\n{text}"))
    };
    let stands = own("stands.toml", "[illegal-ply]\nremedy = \"let-stand\"\n");
    let forfeit = own("forfeit.toml", "[illegal-ply]\nremedy = \"forfeit\"\nrule = \"ADJ-8\"\n");
    let days = own(
        "days.toml",
        "[illegal-ply]\nremedy = \"time\"\nplayer-loses = \"5d\"\n[false-claim]\nplayer-loses = \"5d\"\n",
    );
    let bare = own("bare.toml", "");
    let once = "1. e4 e5 2. Nf6 *";
    let twice = "1. e4 {[%clk 0:05:00]} e5 2. e5 {[%letstand]} Nf6 3. Nf6 *";
    let lone = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Rh9 *\n";
    let lone = lone.replace("Rh9", "Rg2");
    let value = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    for (policy, record, ply, remedy, penalty, result) in [
        ("plain", once, "3", "restore", "null", "null"),
        (stands.as_str(), once, "3", "let_stand", "null", "null"),
        ("fide-rapid", once, "3", "restore", r#"{"to":"black","seconds":60,"article":"FIDE A.3"}"#, "null"),
        ("fide-blitz", once, "3", "restore", r#"{"to":"black","seconds":60,"article":"FIDE B.2"}"#, "null"),
        // The second illegal ply of the same player loses.
        ("fide-rapid", twice, "5", "forfeit", "null", r#""0-1""#),
        ("plain", twice, "5", "restore", "null", "null"),
        // The record lets it stand.
        ("fide-rapid", twice, "3", "let_stand", "null", "null"),
        (&forfeit, once, "3", "forfeit", "null", r#""0-1""#),
        // A lone king cannot win.
        (&forfeit, &lone, "1", "forfeit", "null", r#""1/2-1/2""#),
        (&days, once, "3", "restore", r#"{"to":"white","seconds":-432000,"article":""}"#, "null"),
        (&bare, once, "3", "restore", "null", "null"),
    ] {
        let args = ["--claim", "illegal_ply", "--ply", ply, "--policy", policy, "--format", "json"];
        let Run { code, out, err } = adjudicate(&args, record);
        let verdict: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        assert_eq!((code, &verdict["verdict"]), (0, &Value::from("upheld")), "{policy} {record}");
        assert_eq!(verdict["remedy"]["kind"], remedy, "{policy} {record}");
        assert_eq!(
            (&verdict["penalty"], &verdict["result"]),
            (&value(penalty), &value(result)),
            "{policy} {record}"
        );
        // That the ply is illegal has a certificate whatever follows from it, unless another one stands before it.
        assert_eq!(verdict["certificate"].is_null(), ply == "5", "{policy} {record}");
    }
    for (policy, penalty) in [
        ("plain", r#"{"to":"white","seconds":120,"article":"FIDE 9.5.3"}"#),
        ("fide-blitz", r#"{"to":"white","seconds":60,"article":"FIDE B.2"}"#),
        (&days, r#"{"to":"black","seconds":-432000,"article":""}"#),
        (&bare, "null"),
    ] {
        let args = ["--claim", "threefold_repetition", "--policy", policy, "--format", "json"];
        let verdict: Value = serde_json::from_str(&adjudicate(&args, KNIGHTS).out).unwrap();
        assert_eq!(verdict["penalty"], value(penalty), "{policy}");
    }
    let Run { out, .. } = adjudicate(&["--claim", "threefold_repetition", "--policy", &days], KNIGHTS);
    assert!(out.contains("\nBlack loses 5 days.\nPolicy: own, edition 1, digest "), "{out}");
}

/// The clocks of a policy take precedence over the record's.
#[test]
fn policies_give_time() {
    let directory = tempfile::tempdir().unwrap();
    let days = |days: u32| format!("{{[%emt {}:00:00]}}", days * 24);
    let first = format!("1. e4 {} e5 2. d4 {} *\n", days(23), days(22));
    let other = format!("[TimeControl \"1/1d\"]\n\n1. e4 {} e5 2. d4 {} *\n", days(23), days(2));
    let own = write(
        directory.path(),
        "own.toml",
        "policy = \"own\"\ntitle = \"Own\"\n[clock]\ncontrol = \"30d+3d\"\ncharge = \"days\"\n",
    );
    let absent = "policy = \"absent\"\ntitle = \"Absent\"\n[clock]\ndefault = \"15d\"\n";
    let absent = write(directory.path(), "absent.toml", absent);
    let silent = format!("1. e4 {} e5 *\n", days(41));
    for (policy, claim, record, code, words) in [
        // 23 days count as 26 of 50, and 22 as 24 of the 24 that are left.
        ("iccf-days", "time_win", first.as_str(), 3, "The record leaves White 0:00:00 for the next move"),
        (
            "iccf-days",
            "time_win",
            &first.replace("{[%emt 528", "{[%emt 552"),
            0,
            "24 days - 26 days = -2 days",
        ),
        ("iccf-days", "time_win", &other, 1, "50 days - 26 days + 0:00:00 = 24 days"),
        (&own, "time_win", &first, 0, "10 days - 22 days = -12 days"),
        ("fide-rapid", "time_win", "1. e4 {[%emt 0:16:00]} *", 0, "0:15:00 - 0:16:00 = -0:01:00"),
        (
            "untimed",
            "time_win",
            "[TimeControl \"60\"]\n\n1. e4 {[%emt 0:16:00]} *",
            3,
            "Nothing in the record says that White",
        ),
        (
            "iccf-days",
            "silence",
            &silent,
            0,
            "White took 41 days for ply 1; a player who does not answer for more than 40 days",
        ),
        ("iccf-days", "silence", &silent.replace("984", "960"), 3, "Nothing in the record says that White"),
        (
            &absent,
            "default",
            &silent,
            0,
            "White took 41 days for ply 1; a player whose first move takes more than 15 days",
        ),
        (&absent, "default", &silent.replace("984", "336"), 1, "White has made a move"),
        ("plain", "default", &silent, 1, "White has made a move"),
        ("plain", "silence", &silent, 3, "Nothing in the record says that White"),
    ] {
        let args = ["--claim", claim, "--by", "black", "--policy", policy];
        let Run { code: found, out, err } = adjudicate(&args, record);
        assert!(found == code && out.contains(words), "{policy} {record}: {found} {out}{err}");
    }
    let html = ["--claim", "time_win", "--by", "black", "--policy", "fide-rapid", "--format", "html"];
    let Run { out, .. } = adjudicate(&html, "1. e4 {[%emt 0:16:00]} *");
    assert!(out.contains("<li>ply 1, White: 0:15:00 - 0:16:00 = -0:01:00"), "{out}");
}

/// A claim states the instant by which the opponent had not moved.
#[test]
fn a_claim_has_an_instant() {
    let start = "[UTCDate \"2026.11.23\"]\n[UTCTime \"10:00:00\"]\n";
    let blitz =
        format!("{start}[TimeControl \"60+5\"]\n\n1. e4 {{[%clk 0:00:45]}} e5 {{[%emt 0:00:10]}} *\n");
    let letters = format!("{start}\n1. e4 {{[%emt 24:00:00]}} *\n");
    let nothing = format!("{start}\n*\n");
    let directory = tempfile::tempdir().unwrap();
    let absent = "policy = \"absent\"\ntitle = \"Absent\"\n[clock]\ndefault = 3600\n";
    let absent = write(directory.path(), "absent.toml", absent);
    let absent = format!("default --by black --policy {absent} --at 2026-11-23T12:00:00Z");
    for (arguments, record, code, words) in [
        // White has 45 seconds from 10:00:30.
        (
            "time_win --by black --at 2026-11-23T10:01:40Z",
            &blitz,
            0,
            "began at 2026-11-23T10:00:30Z; it had taken",
        ),
        (
            "time_win --by black --at 2026-11-23T11:01:40+01:00",
            &blitz,
            0,
            "had made no move by 2026-11-23T10:01:40Z",
        ),
        (
            "time_win --by black --at 2026-11-23T10:00:50Z",
            &blitz,
            1,
            "not too much: of 0:00:45 are charged 0:00:20",
        ),
        ("time_win --by black --at 2026-11-23T10:01:15Z", &blitz, 3, "rounded"),
        (
            "time_win --by black --at 2026-11-23T10:00:20Z",
            &blitz,
            2,
            "had not begun: by the record it began at",
        ),
        ("time_win --by white --at 2026-11-23T10:01:40Z", &blitz, 1, "is not on move"),
        ("time_win --by white --at 2026-11-24T10:01:40Z", &letters, 2, "add them, or omit the instant"),
        ("time_win --by white --at 2026-11-23", &blitz, 2, "is no instant; write date, time and zone"),
        ("checkmate --at 2026-11-23T10:01:40Z", &blitz, 2, "only time_win, silence and default"),
        ("silence --by white --policy iccf-days --at 2027-01-04T10:00:00Z", &letters, 0, "White wins"),
        ("silence --by white --policy iccf-days --at 2027-01-03T09:00:00Z", &letters, 1, "not too much"),
        (
            "silence --by white --at 2027-01-04T10:00:00Z",
            &letters,
            2,
            "the policy plain has no limit for silence",
        ),
        (
            "silence --by black --policy iccf-days --at 2027-01-04T10:00:00Z",
            &letters,
            2,
            "and that is Black's",
        ),
        (&absent, &nothing, 0, "a player whose first move takes more than 1:00:00 loses. Black wins"),
    ] {
        let arguments: Vec<&str> = std::iter::once("--claim").chain(arguments.split(' ')).collect();
        let Run { code: found, out, err } = adjudicate(&arguments, record);
        assert!(found == code && (out + &err).contains(words), "{arguments:?} {record}: {found} {err}");
    }
    let evidence = write(directory.path(), "evidence.json", "");
    let arguments = format!(
        "--claim time_win --by black --at 2026-11-23T10:01:40Z --format json --certificate {evidence}"
    );
    let Run { out, .. } = adjudicate(&arguments.split(' ').collect::<Vec<_>>(), &blitz);
    let verdict: Value = serde_json::from_str(&out).unwrap();
    let Run { out, .. } = ferz(&["check-certificate", &evidence], "");
    assert!(
        out.starts_with("accepted: time win by Black at ply 2 at 2026-11-23T10:01:40Z is upheld"),
        "{out}"
    );
    assert!(
        out.contains("\nThe record does not show the instant of the claim; an arbiter confirms it.\n"),
        "{out}"
    );
    assert_eq!(verdict["strength"], "ruled");
    assert_eq!(verdict["claim"]["at"], "2026-11-23T10:01:40Z");
    assert_eq!(verdict["clock"][1]["spent"], 70_000);
    assert_eq!(verdict["certificate"]["evidence"]["clock"]["steps"][1]["ply"], 3);
}

#[test]
fn mistakes_in_policies_have_a_place() {
    let directory = tempfile::tempdir().unwrap();
    let wrong = write(
        directory.path(),
        "wrong.toml",
        "policy = \"own\"\ntitle = \"Own\"\n\n[clock]\ncontrol = \"soon\"\n",
    );
    for (policy, parts) in [
        (wrong.as_str(), &["wrong.toml:5:11", "40/7200"][..]),
        ("fide", &["unknown policy `fide`", "fide-rapid"]),
        ("./nowhere.toml", &["nowhere.toml"]),
    ] {
        let Run { code, out, err } = adjudicate(&["--claim", "checkmate", "--policy", policy], KNIGHTS);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(parts.iter().all(|part| err.contains(part)), "{policy}: {err}");
    }
}

/// An event keeps its policies in a folder, and uses them by name.
#[test]
fn own_policies_have_names() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("policies");
    std::fs::create_dir(&folder).unwrap();
    let club =
        "policy = \"club\"\ntitle = \"Our club\"\n\n[illegal-ply]\nremedy = \"forfeit\"\nloses-at = 1\n";
    write(&folder, "club.toml", club);
    let formats = directory.path().to_str().unwrap();
    let claim = ["--formats", formats, "--claim", "illegal_ply", "--ply", "3", "--policy"];
    let Run { code, out, err } = adjudicate(&[&claim[..], &["club"]].concat(), "1. e4 e5 2. Ke3 *");
    assert!(code == 0 && out.contains("forfeit"), "{out}{err}");
    let Run { err, .. } = adjudicate(&[&claim[..], &["clubs"]].concat(), "1. e4 e5 2. Ke3 *");
    assert!(err.contains("unknown policy `clubs`") && err.contains(", club"), "{err}");
    // A built-in name stays what it is.
    write(&folder, "plain.toml", "policy = \"plain\"\ntitle = \"Ours\"\n");
    let Run { code, err, .. } = adjudicate(&[&claim[..], &["club"]].concat(), "1. e4 e5 2. Ke3 *");
    assert!(code == 2 && err.contains("plain.toml:1:11") && err.contains("choose another name"), "{err}");
}

/// Events of correspondence may suspend the rules that count moves; other rules stay.
#[test]
fn counters_may_be_suspended() {
    let fen =
        |halfmoves: u32| format!("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 90\"]\n\n");
    for (claim, halfmoves, moves, applied, suspended) in [
        ("fifty_moves", 99, "90. Ra2 *", 0, 1),
        ("seventyfive_moves", 149, "90. Ra2 *", 0, 1),
        // The game was over by the counter, and a mate after it counts only without it.
        ("checkmate", 149, "90. Kd1 Kf8 91. Ke1 *", 1, 1),
        ("threefold_repetition", 0, "90. Ra2 Kf8 91. Ra1 Ke8 92. Ra2 Kf8 93. Ra1 Ke8 *", 0, 0),
    ] {
        for (scope, code) in [("applied", applied), ("suspended", suspended)] {
            let Run { code: found, out, err } =
                adjudicate(&["--claim", claim, "--fifty", scope], &(fen(halfmoves) + moves));
            assert_eq!(found, code, "{claim} {scope}: {out}{err}");
        }
    }
    let over = fen(149) + "90. Ra2 Kf8 91. Ra1 *";
    let time = ["--claim", "time_win", "--by", "white"];
    assert!(adjudicate(&time, &over).out.starts_with("REJECTED"));
    let open = [&time[..], &["--fifty", "suspended"]].concat();
    assert!(adjudicate(&open, &over).out.starts_with("UNDETERMINED"));
    let confirmed = [&open[..], &["--premise", "overstepped"]].concat();
    assert!(adjudicate(&confirmed, &over).out.starts_with("UPHELD"));
    let Run { out, .. } = adjudicate(&["--claim", "fifty_moves", "--fifty", "suspended"], KNIGHTS);
    assert!(out.contains("The rule of fifty moves is suspended in this event."), "{out}");
}

/// Every key, kind and ground is in the document, and the other way round.
#[test]
fn verdicts_are_documented() {
    let document = std::fs::read_to_string(common::root().join("formats/CLAIMS.md")).unwrap();
    let section = |title: &str| -> BTreeSet<String> {
        let start = document.find(&format!("## {title}\n")).unwrap_or_else(|| panic!("{title}")) + 3;
        let part = &document[start..];
        let part = &part[..part.find("\n## ").unwrap_or(part.len())];
        let rows = part.lines().filter(|line| line.starts_with("| `"));
        let names = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
        names.map(str::to_owned).collect()
    };
    let kinds: BTreeSet<String> = ClaimKind::ALL.iter().map(|kind| kind.id().to_owned()).collect();
    assert_eq!(section("Kinds"), kinds);
    let grounds: BTreeSet<String> = Ground::ALL.iter().map(|ground| ground.id().to_owned()).collect();
    assert_eq!(section("Ground"), grounds);
    let id = |kind| serde_json::to_value(kind).unwrap().as_str().unwrap().to_owned();
    let holes: BTreeSet<String> = HoleKind::ALL.iter().map(id).collect();
    assert_eq!(section("A submitted analysis"), holes);
    let standings: BTreeSet<String> = Standing::ALL.iter().map(|standing| standing.id().to_owned()).collect();
    assert_eq!(section("A docket"), standings);
    let Run { out, .. } = adjudicate(&["--claim", "checkmate", "--format", "json"], KNIGHTS);
    let verdict: Value = serde_json::from_str(&out).unwrap();
    let keys: BTreeSet<String> = verdict.as_object().unwrap().keys().cloned().collect();
    // These are left out where there is nothing to say.
    let optional = ["result_if", "premises", "lacks", "holes"].map(str::to_owned);
    assert_eq!(section("The verdict"), keys.into_iter().chain(optional).collect());
}

/// A certificate is accepted alone and with its own record, and refused with another record or after a change.
/// The evidence of a table is the table: it is made again, and every placement of it can be compared with its plies.
#[test]
fn tables_are_checked_in_full() {
    let directory = tempfile::tempdir().unwrap();
    let claim = directory.path().join("claim.json").to_str().unwrap().to_owned();
    let record = "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/8/4K2R w - - 0 1\"]\n\n*";
    let args = ["--claim", "forced_win", "--by", "white", "--certificate", &claim];
    assert_eq!(adjudicate(&args, record).code, 0);
    let text = std::fs::read_to_string(&claim).unwrap();
    assert!(text.contains("\"KRvK\""), "{text}");
    assert_eq!(ferz(&["check-certificate", "--full", &claim], "").code, 0);
    std::fs::write(&claim, text.replace("\"value\": \"win\"", "\"value\": \"draw\"")).unwrap();
    let wrong = ferz(&["check-certificate", "--full", &claim], "");
    assert!(wrong.code == 1 && wrong.out.contains("refused at the step `evidence`"), "{}", wrong.out);
}

#[test]
fn certificates_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let claim = folder.join("claim.json").to_str().unwrap().to_owned();
    let args = ["--claim", "threefold_repetition", "--intended", "Ng8", "--certificate", &claim];
    assert_eq!(adjudicate(&args, KNIGHTS).code, 0);
    let own = write(folder, "own.pgn", format!("1. e4 e5 *\n\n{KNIGHTS}"));
    let other = write(folder, "other.pgn", KNIGHTS.replace("Nf3 Nf6", "Nc3 Nf6"));
    let check = |args: &[&str], input: &str| ferz(&[&["check-certificate"], args].concat(), input);
    let text = std::fs::read_to_string(&claim).unwrap();
    for (args, code, word) in [
        (
            &[claim.as_str()][..],
            0,
            "accepted: threefold repetition by Black at ply 7 with the intended `Ng8` is upheld; the game is 1/2-1/2",
        ),
        (&[&claim, "--record", &own], 0, "accepted"),
        (&[&claim, "--record", &other], 1, "refused at the step `record`"),
    ] {
        let Run { code: found, out, err } = check(args, "");
        assert!(found == code && out.starts_with(word), "{args:?}: {out}{err}");
    }
    for (from, to, step) in [
        ("Nf6 2.", "Nh6 2.", "record"),
        ("\"upheld\"", "\"rejected\"", "statement"),
        ("\"f6g8\"", "\"f6h5\"", "plies"),
        ("1/2-1/2", "1-0", "statement"),
        ("\"edition\": \"", "\"edition\": \"1", "rules"),
        ("\"kind\": \"occurrences\"", "\"kind\": \"line\"", "form"),
        ("        8", "        9", "evidence"),
        ("{", "", "form"),
    ] {
        assert!(text.contains(from), "{from}");
        let Run { code, out, .. } = check(&["-"], &text.replacen(from, to, 1));
        assert!(code == 1 && out.starts_with(&format!("refused at the step `{step}`")), "{from}: {out}");
    }
    assert_eq!(check(&["nowhere.json"], "").code, 2);
    let none = ["--claim", "fourfold_repetition", "--certificate", &claim];
    let Run { code, err, .. } = adjudicate(&none, KNIGHTS);
    assert!(code == 1 && err.contains("is not written"), "{err}");
}

/// A forced mate has a plan, and so has the defence; each states whether moves are counted.
#[test]
fn plans_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let claim = folder.join("claim.json").to_str().unwrap().to_owned();
    let record = "[SetUp \"1\"]\n[FEN \"7k/8/4K3/8/6Q1/8/8/8 w - - 98 90\"]\n\n*\n";
    let own = write(folder, "own.pgn", record);
    for (fifty, code, word) in [("applied", 1, "rejected"), ("suspended", 0, "upheld")] {
        let args = ["--claim", "forced_mate", "--by", "white", "--within", "2", "--fifty", fifty];
        let Run { code: found, err, .. } =
            adjudicate(&[&args[..], &["--certificate", &claim]].concat(), record);
        assert!(found == code && err.is_empty(), "{fifty}: {err}");
        for args in [&["check-certificate", &claim][..], &["check-certificate", &claim, "--record", &own]] {
            let Run { code, out, .. } = ferz(args, "");
            assert!(code == 0 && out.contains(word), "{fifty}: {out}");
            assert_eq!(out.contains("without fifty moves"), fifty == "suspended", "{out}");
        }
        let text = std::fs::read_to_string(&claim).unwrap();
        // Each verdict is the other's opposite, so that a certificate with the other's counters is refused.
        let changed = match fifty {
            "applied" => text.replacen("\"record\": ", "\"fifty\": \"suspended\",\n  \"record\": ", 1),
            _ => text.replacen("\"suspended\"", "\"applied\"", 1),
        };
        for changed in [changed, text.replacen("\"within\": 2", "\"within\": 1", 1)] {
            assert_ne!(changed, text);
            let refused = ferz(&["check-certificate", "-"], &changed);
            assert!(
                refused.code == 1 || fifty == "applied" && changed.contains("within\": 1"),
                "{}",
                refused.out
            );
        }
    }
}

/// A definition that was changed has another digest, and proves nothing about games of the former one.
#[test]
fn certificates_belong_to_their_rules() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let game = "name = \"club\"\nextends = \"chess\"\nclass = \"X\"\n";
    let first = write(folder, "first.toml", game);
    let second = write(folder, "second.toml", format!("{game}[ends]\nmove-counters = false\n"));
    let claim = folder.join("claim.json").to_str().unwrap().to_owned();
    let record = format!("[Variant \"club\"]\n\n{KNIGHTS}");
    let args = ["--formats", &first, "--claim", "threefold_repetition", "--certificate", &claim];
    assert_eq!(adjudicate(&args, &record).code, 1);
    assert_eq!(ferz(&["check-certificate", "--formats", &first, &claim], "").code, 0);
    for args in [&["check-certificate", "--formats", &second, &claim][..], &["check-certificate", &claim]] {
        let Run { code, out, .. } = ferz(args, "");
        assert!(code == 1 && out.contains("`rules`"), "{out}");
    }
}

#[test]
fn rulings_are_shown_at_their_ply() {
    let record = "fixtures/games/chaos-delay.pgn";
    let decided = "CHA-2 decided it after ply 2 (nature.delay-frees-castling = nature); by the reading all, ply 2 would \
        be legal.";
    let shown = |game: &str| ferz(&["show", "--record", record, "--game", game], "").out;
    let games: Vec<String> = (3..=5).map(|game| shown(&game.to_string())).collect();
    assert_eq!(games.iter().filter(|text| text.contains(decided)).count(), 1, "{games:?}");
}

/// What an arbiter does depends on when an irregularity was found, and on what the opponent has done since.
#[test]
fn remedies_depend_on_when_a_fault_was_found() {
    let after_mate = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# Kxf7 5. Bd5+ 0-1\n";
    let answered = "1. e4 e5 2. Ke3 Nc6 *\n";
    let finished = "1. e4 e5 2. Ke3 Nc6 0-1\n";
    let pawn = "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/7K w - - 0 1\"]\n\n1. a8 *\n";
    let moves =
        "1. a3 a6 2. b3 b6 3. c3 c6 4. d3 d6 5. e3 e6 6. f3 f6 7. g3 g6 8. h3 h6 9. a4 a5 10. b4 b5 *\n";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1";
    let wrong_start = format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n\n{moves}");
    for (record, kind, ply, more, remedy, because, seconds) in [
        (after_mate, "illegal_ply", "8", &["--policy", "fide-standard"][..], "correct_result", "", 0),
        (answered, "illegal_ply", "3", &["--policy", "fide-standard"], "restore", "", 120),
        // Appendix A of 2023: one minute, and only before the opponent has answered.
        (answered, "illegal_ply", "3", &["--policy", "fide-rapid"], "stands", "answered", 0),
        (
            answered,
            "illegal_ply",
            "3",
            &["--policy", "fide-rapid", "--premise", "unanswered"],
            "restore",
            "",
            60,
        ),
        (answered, "illegal_ply", "3", &["--policy", "fide-blitz"], "stands", "answered", 0),
        (finished, "illegal_ply", "3", &["--policy", "fide-standard"], "restore", "", 120),
        (
            finished,
            "illegal_ply",
            "3",
            &["--policy", "fide-standard", "--premise", "found-after-the-game"],
            "stands",
            "found_after_the_game",
            0,
        ),
        (pawn, "illegal_ply", "1", &["--policy", "fide-standard"], "queen", "", 120),
        (pawn, "illegal_ply", "1", &[], "restore", "", 0),
        (&wrong_start, "wrong_setup", "", &["--policy", "fide-standard"], "new_game", "", 0),
        (&wrong_start, "wrong_setup", "", &["--policy", "fide-rapid"], "stands", "moves", 0),
    ] {
        let mut args = vec!["--claim", kind, "--format", "json"];
        if !ply.is_empty() {
            args.extend(["--ply", ply]);
        }
        args.extend(more);
        let Run { code, out, err } = adjudicate(&args, record);
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
        let verdict: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(verdict["remedy"]["kind"], remedy, "{args:?} {record}: {out}");
        assert_eq!(verdict["remedy"]["because"].as_str().unwrap_or_default(), because, "{args:?} {record}");
        assert_eq!(verdict["penalty"]["seconds"].as_i64().unwrap_or(0), seconds, "{args:?} {record}");
        let finds = record == finished && !more.contains(&"found-after-the-game");
        let premises = verdict["premises"].as_array().cloned().unwrap_or_default();
        assert_eq!(premises.contains(&Value::from("found-during-the-game")), finds, "{args:?} {record}");
    }
    // The game ended with the mate, whatever the record states.
    let Run { out, .. } =
        adjudicate(&["--claim", "illegal_ply", "--ply", "8", "--format", "json"], after_mate);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["result"], "1-0");
}

/// A claim that nothing in the record speaks for is open, and the message has the command that states its premise.
#[test]
fn premises_are_stated_with_a_command() {
    let game = "1. e4 e5 *\n";
    let args = ["--claim", "time_win", "--by", "black"];
    let Run { code, out, .. } = adjudicate(&args, game);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("ferz adjudicate --claim time_win --by black --premise overstepped"), "{out}");
    assert!(out.contains("the game would be 0-1"), "{out}");
    let Run { code, out, .. } = adjudicate(&[&args[..], &["--premise", "overstepped"]].concat(), game);
    assert!(code == 0 && out.contains("Premise (overstepped)"), "{out}");
    let Run { code, err, .. } = adjudicate(&[&args[..], &["--premise", "silent"]].concat(), game);
    assert!(code == 2 && err.contains("does not rest on the premise `silent`"), "{err}");
}
