//! The opinion of an engine, which decides nothing.
#![cfg(unix)]

use crate::program::{Run, ferz};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// An engine that says the same of each position, but for one in which a pawn has gone to e4.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
    uci) printf 'id name Oracle 3\nid author nobody\noption name Hash type spin default 1\nuciok\n' ;;
    isready) echo readyok ;;
    position*) position=$line ;;
    go*)
        case "$position" in
        *4P3/7R*) echo 'info depth 7 score mate 2 pv a1a2 b1b2' ;;
        *) echo 'info depth 9 score cp 40 nodes 1 pv g8f6' ;;
        esac
        echo 'info depth 10 score cp 900 lowerbound'
        echo 'bestmove a1a2'
        ;;
    quit) exit ;;
    esac
done
"#;

fn engine(folder: &Path, script: &str) -> String {
    let path = folder.join("engine");
    std::fs::write(&path, script).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    path.display().to_string()
}

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B5/5Q2/PPPPPPPP/RNB1K1NR b KQkq - 3 3";

fn asked(engine: &str, more: &[&str]) -> Run {
    let claim = ["adjudicate", "--variant", "chess", "--fen", FEN, "--by", "white", "--nodes", "200"];
    ferz(&[&claim[..], &["--engine", engine, "--engine-seconds", "1"], more].concat(), "")
}

#[test]
fn an_opinion_is_shown_and_decides_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), ENGINE);
    let text = asked(&engine, &["--claim", "forced_win"]);
    assert_eq!(text.code, 3, "{}", text.err);
    let words = "Opinion, which decides nothing: Oracle 3, 9 plies deep: -0.40 for White; it expects g8f6.\n";
    assert!(text.out.contains(words), "{}", text.out);
    let json = asked(&engine, &["--claim", "forced_win", "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["verdict"], &json["strength"]), (&"undetermined".into(), &"opinion".into()));
    assert_eq!(json["opinion"]["score"]["centipawns"], -40);
    // What is decided needs no opinion, and what an engine does not know is not asked.
    for claim in ["dead_position", "threefold_repetition"] {
        assert!(!asked(&engine, &["--claim", claim]).out.contains("Opinion"), "{claim}");
    }
    let mate = ferz(
        &[
            "adjudicate",
            "--variant",
            "chess",
            "--fen",
            "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",
            "--claim",
            "forced_mate",
            "--by",
            "white",
            "--within",
            "1",
            "--engine",
            &engine,
        ],
        "",
    );
    assert!(mate.code == 0 && !mate.out.contains("Opinion"), "{}", mate.out);
}

#[test]
fn holes_are_in_the_order_in_which_they_are_bad() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), ENGINE);
    let plan = folder.path().join("plan.pgn");
    let start = "[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K2R w - - 0 1\"]\n\n";
    std::fs::write(&plan, format!("{start}1. Rh3 Kd7 (1... Kf7 2. e4) 2. Rh4 *\n")).expect("a plan");
    let plan = plan.display().to_string();
    let args = [
        "adjudicate",
        &plan,
        "--ply",
        "0",
        "--claim",
        "forced_win",
        "--by",
        "white",
        "--plan",
        &plan,
        "--nodes",
        "1",
        "--format",
        "json",
    ];
    let holes = |more: &[&str]| -> Vec<(String, serde_json::Value)> {
        let run = ferz(&[&args[..], more].concat(), "");
        let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let holes = json["holes"].as_array().cloned().unwrap_or_default();
        let first = holes.first().map_or("", |hole| hole["why"].as_str().expect("words"));
        assert!(json["explanation"].as_str().expect("words").contains(first));
        holes.iter().map(|hole| (hole["position"].to_string(), hole["opinion"].clone())).collect()
    };
    let (before, after) = (holes(&[]), holes(&["--engine", &engine]));
    assert!(before.len() > 1 && before.iter().all(|(_, opinion)| opinion.is_null()), "{before:?}");
    assert_eq!(before.len(), after.len());
    // Black mates where the pawn has gone to e4.
    assert!(after[0].0.contains("4P3/7R") && after[0].1["score"]["mate"]["by"] == "black", "{after:?}");
    assert!(after.iter().skip(1).all(|(position, _)| !position.contains("4P3/7R")), "{after:?}");
}

#[test]
fn what_is_no_engine_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let stops = engine(folder.path(), "#!/bin/sh\nexit 0\n");
    for (command, why) in
        [("/nowhere/engine", "No such file"), (&*stops, "it has stopped; is it an engine that speaks UCI?")]
    {
        let run = asked(command, &["--claim", "forced_win"]);
        assert!(run.code == 2 && run.err.contains(why), "{}", run.err);
    }
    let other = ferz(
        &[
            "adjudicate",
            "fixtures/games/ichess-sample.pgn",
            "--claim",
            "forced_win",
            "--by",
            "white",
            "--engine",
            &stops,
        ],
        "",
    );
    assert!(other.code == 2 && other.err.contains("engines are asked about chess"), "{}", other.err);
}
