//! `ferz adjudicate`: exit codes, messages, formats.

use crate::common;
use crate::program::{Run, ferz, write};
use ferz::adjudicate::{ClaimKind, Ground};
use serde_json::Value;
use std::collections::BTreeSet;

const KNIGHTS: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n";

fn adjudicate(args: &[&str], record: &str) -> Run {
    ferz(&[&["adjudicate"], args].concat(), record)
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

#[test]
fn positions_are_judged_by_their_game() {
    let dead = ["--claim", "dead_position", "--fen", "8/8/8/8/8/2k5/8/KN6 b - - 0 1"];
    assert_eq!(adjudicate(&[&dead[..], &["--variant", "chess"]].concat(), "").code, 0);
    let fen = ["--claim", "cannot_win", "--by", "white", "--fen", "k7/8/8/1K6/5B2/8/8/8[] w - - 0 1"];
    assert_eq!(adjudicate(&[&fen[..], &["--variant", "ichess"]].concat(), "").code, 1);
    let Run { code, err, .. } = adjudicate(&[&dead[..3], &["8/8 w", "--variant", "chess"]].concat(), "");
    assert!(code == 2 && err.contains("ranks"), "{err}");
    // Only a budget that suffices finds the line.
    let line = [&fen[..], &["--variant", "ichess", "--nodes", "0"]].concat();
    assert_eq!(adjudicate(&line, "").code, 3);
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
    let Run { out, .. } = adjudicate(&["--claim", "checkmate", "--format", "json"], KNIGHTS);
    let verdict: Value = serde_json::from_str(&out).unwrap();
    let keys: BTreeSet<String> = verdict.as_object().unwrap().keys().cloned().collect();
    assert_eq!(section("The verdict"), keys);
}

/// A certificate is accepted alone and with its own record, and refused with another record or after a change.
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
            "accepted: threefold repetition by Black at ply 7 is upheld; the game is 1/2-1/2",
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
