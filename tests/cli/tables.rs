//! Endgame tables: counts, values, checks, refusals.

use crate::program::{Run, ferz};

/// The data of a run in which all is fine.
fn fine(args: &[&str]) -> String {
    let Run { code, out, err } = ferz(args, "");
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&fine(args)).expect("one JSON object")
}

/// Counted by hand for the kings, and known for the rook: 16 moves, all won with White to move.
#[test]
fn stats_count_every_placement() {
    let kings = json(&["tables", "stats", "chess", "KvK", "--format", "json"]);
    // 64 * 63 placements less those with adjacent kings (420), with either side to move.
    assert_eq!(kings["positions"], 2 * (64 * 63 - 420));
    assert_eq!(kings["white_to_move"]["longest_win"], serde_json::Value::Null);
    let rook = json(&["tables", "stats", "chess", "KRvK", "--format", "json"]);
    let turn = &rook["white_to_move"];
    assert_eq!((&turn["draw"], &turn["loss"], &turn["longest_win"]), (&0.into(), &0.into(), &16.into()));
    let sum = |turn: &serde_json::Value| {
        ["win", "draw", "loss"].iter().map(|key| turn[key].as_u64().expect("a number")).sum::<u64>()
    };
    assert_eq!(rook["positions"], sum(turn) + sum(&rook["black_to_move"]));
    assert_eq!((&rook["variant"], &rook["material"]), (&"chess".into(), &"KRvK".into()));
}

#[test]
fn probe_gives_the_value_for_the_side_to_move() {
    let probe = |game: &str, fen: &str| {
        let answer = json(&["tables", "probe", game, "--fen", fen, "--format", "json"]);
        (answer["value"].as_str().expect("a word").to_owned(), answer["moves"].as_u64())
    };
    assert_eq!(probe("chess", "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"), ("win".to_owned(), Some(1)));
    assert_eq!(probe("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), ("loss".to_owned(), Some(0)));
    assert_eq!(probe("chess", "7k/8/6K1/8/8/8/8/5Q2 b - - 0 1").0, "loss");
    assert_eq!(probe("chess", "k7/8/8/8/8/8/8/K6N w - - 0 1"), ("draw".to_owned(), None));
    // The pawn that must become a king on the opposing king's square wins at once.
    assert_eq!(probe("ingols", "8/7P/8/8/k7/8/8/K7 w - - 0 1"), ("win".to_owned(), Some(1)));
}

#[test]
fn what_has_no_table_is_refused_with_the_reason() {
    let refused = |args: &[&str], why: &str| {
        let Run { code, out, err } = ferz(args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(why), "{args:?}: {err}");
    };
    refused(&["tables", "stats", "crazyhouse", "KQvK"], "come back from the hand");
    refused(&["tables", "stats", "capablanca", "KQvK"], "more than 64 squares");
    refused(&["tables", "stats", "chess", "KXvK"], "`X` is no piece of this game");
    refused(&["tables", "probe", "chess", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "castling rights");
}

#[test]
fn pieces_shows_what_each_does_alone() {
    let out = fine(&["tables", "pieces", "augmented"]);
    let line = |name: &str| {
        let found = out.lines().find(|line| line.split_whitespace().next() == Some(name));
        found.unwrap_or_else(|| panic!("{name}: {out}")).to_owned()
    };
    assert_eq!(out.lines().count(), 20);
    for name in ["NW", "BD"] {
        assert!(line(name).ends_with("never wins"), "{name}");
    }
    for (name, moves) in [("BfbN", 23), ("NF", 22), ("RF", 10), ("RA", 14), ("BW", 15)] {
        assert!(line(name).ends_with(&format!("always wins, in up to {moves} moves")), "{}", line(name));
    }
    for (name, moves) in [("NA", 35), ("ND", 31)] {
        let line = line(name);
        assert!(line.contains("99.90 %") && line.ends_with(&format!("in up to {moves} moves")), "{line}");
    }
}

/// A file holds all that is needed to look positions up and to check it.
#[test]
fn a_file_of_tables_is_checked_and_refused_when_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kpk.tables");
    let file = path.to_str().expect("UTF-8");
    let fen = "8/8/8/8/8/1k6/3P4/K7 w - - 0 1";
    fine(&["tables", "build", "chess", "KPvK", "--out", file]);
    let by_file = fine(&["tables", "probe", "chess", "--file", file, "--fen", fen]);
    assert_eq!(by_file, fine(&["tables", "probe", "chess", "--fen", fen]));
    // The pawn has become a queen.
    fine(&["tables", "probe", "chess", "--file", file, "--fen", "8/8/8/8/8/1k6/8/K2Q4 b - - 0 1"]);
    let checked = fine(&["tables", "verify", "--file", file, "--sample", "20000"]);
    assert!(checked.contains("agree with their plies"), "{checked}");
    let refused = |args: &[&str], why: &str| {
        let Run { code, err, .. } = ferz(args, "");
        assert!(code == 2 && err.contains(why), "{args:?}: {err}");
    };
    refused(
        &["tables", "probe", "iago-b", "--file", file, "--fen", "8/8/8/8/8/1k6/3P4/K7[] w - - 0 1"],
        "other rules",
    );
    let packed = std::fs::read(&path).expect("the file");
    let mut bytes = zstd::decode_all(&packed[..]).expect("zstd");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    refused(&["tables", "verify", "--file", file], "damaged");
}

const SYZYGY: &str = "fixtures/syzygy";

#[test]
fn syzygy_files_answer() {
    let fen = "8/8/8/8/4k3/8/4P3/R3K3 w - - 80 100";
    let probe = &["tables", "probe", "chess", "--syzygy", SYZYGY, "--fen", fen];
    let words = "White: win, 1 ply to a capture, a pawn move or mate (KRPvK.rtbw, KRvK.rtbw)\n";
    assert_eq!(fine(probe), words);
    let answer = json(&[&probe[..], &["--format", "json"]].concat());
    assert_eq!((&answer["wdl"], &answer["dtz"]), (&"win".into(), &1.into()));
    assert_eq!(answer["files"][0]["name"], "KRPvK.rtbw");
    let missing = ferz(
        &["tables", "probe", "chess", "--syzygy", SYZYGY, "--fen", "6k1/8/8/8/8/1r6/8/K6R w - - 0 1"],
        "",
    );
    assert!(
        missing.code == 2 && missing.err.contains("no file KRvKR.rtbw in fixtures/syzygy"),
        "{}",
        missing.err
    );
    let no_folder = ferz(&["tables", "probe", "chess", "--syzygy", "fixtures/games", "--fen", fen], "");
    assert!(no_folder.err.contains("no file of Syzygy tables"), "{}", no_folder.err);
}

/// Tables of our own do not know that a pawn move comes before the fifty moves are over; files do. Their values are a
/// premise, so that a certificate is accepted only with the same files at hand.
#[test]
fn a_verdict_rests_on_syzygy_files_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("claim.json").display().to_string();
    let fen = "8/8/8/8/4k3/8/4P3/R3K3 w - - 80 100";
    let claim = [
        "adjudicate",
        "--variant",
        "chess",
        "--fen",
        fen,
        "--claim",
        "forced_win",
        "--by",
        "white",
        "--nodes",
        "100",
    ];
    assert_eq!(ferz(&claim, "").code, 3);
    let upheld = ferz(&[&claim[..], &["--syzygy", SYZYGY, "--certificate", &certificate]].concat(), "");
    assert_eq!(upheld.code, 0, "{}{}", upheld.out, upheld.err);
    assert!(upheld.out.contains("By the endgame tables KRPvK.rtbw, KRvK.rtbw White wins"), "{}", upheld.out);
    let check = |more: &[&str]| ferz(&[&["check-certificate", &certificate], more].concat(), "");
    let unchecked = check(&[]);
    assert_eq!(unchecked.code, 3);
    assert!(
        unchecked.out.starts_with("not checked: the premise is not checked that 2 files"),
        "{}",
        unchecked.out
    );
    let accepted = check(&["--syzygy", SYZYGY]);
    assert!(
        accepted.code == 0 && accepted.out.contains("endgame table: KRPvK.rtbw, 5136 bytes"),
        "{}",
        accepted.out
    );
    // Files of another run are others, and what the same ones do not say is refused.
    let others = folder.path().join("others");
    std::fs::create_dir(&others).expect("a folder");
    for file in std::fs::read_dir(SYZYGY).expect("files") {
        let path = file.expect("a file").path();
        let mut bytes = std::fs::read(&path).expect("bytes");
        *bytes.last_mut().expect("a checksum") ^= 1;
        std::fs::write(others.join(path.file_name().expect("a name")), bytes).expect("written");
    }
    assert_eq!(check(&["--syzygy", others.to_str().expect("a path")]).code, 3);
    let text = std::fs::read_to_string(&certificate).expect("a certificate");
    for (before, after) in [("\"dtz\": 1", "\"dtz\": 2"), ("\"wdl\": \"win\"", "\"wdl\": \"cursed_win\"")] {
        assert!(text.contains(before), "{text}");
        std::fs::write(&certificate, text.replace(before, after)).expect("written");
        assert_eq!(check(&["--syzygy", SYZYGY]).code, 1, "{after}");
    }
    // Names of files are not paths.
    std::fs::write(&certificate, text.replace("KRvK.rtbw", "../syzygy/KRvK.rtbw")).expect("written");
    assert_eq!(check(&["--syzygy", SYZYGY]).code, 3);
}

#[test]
fn a_damaged_syzygy_file_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let verify = |path: &str| ferz(&["tables", "verify", "--file", path], "");
    assert_eq!(verify(&format!("{SYZYGY}/KQQvK.rtbw")).code, 2, "there is none");
    for name in ["KRPvK.rtbw", "KRPvK.rtbz"] {
        let path = format!("{SYZYGY}/{name}");
        let whole = std::fs::read(&path).expect("a file");
        let fine = verify(&path);
        assert!(fine.code == 0 && fine.out.contains(" values in "), "{}{}", fine.out, fine.err);
        let copy = folder.path().join(name).display().to_string();
        let cut = &whole[..whole.len() - 64];
        std::fs::write(&copy, cut).expect("written");
        let found = verify(&copy);
        assert!(found.code == 1 && found.out.starts_with(name), "{}{}", found.out, found.err);
    }
}
