//! Games on two boards, as the program shows, splits, keeps and finds them.

use crate::common::{fixture, root};
use crate::program::ferz;

/// The first record of the fixture: a queen sent from board B decides board A.
fn first() -> String {
    let text = fixture("games/bughouse.pgn");
    text[..text.find("[Event \"An illegal").unwrap()].to_owned()
}

#[test]
fn each_board_becomes_a_record() {
    let run = ferz(&["boards"], first());
    assert!(run.out.contains("[White \"Ann\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n"), "{}", run.out);
    assert!(run.out.contains("[BlackElo \"1950\"]\n[Board \"B\"]"), "{}", run.out);
    assert!(
        run.out.contains("2... Nc6 {176.000} {[%receive p]} {[%receive Q]} 3. Q@f7#\n{176.000}"),
        "{}",
        run.out
    );
    let judged = ferz(&["validate"], &run.out);
    assert!(judged.out.contains("game 1: bughouse: legal, 5 plies, 1-0 by checkmate"), "{}", judged.out);
    assert!(judged.out.contains("game 2: bughouse: legal, 6 plies; result 0-1"), "{}", judged.out);
    let only = ferz(&["boards", "--board", "b"], first());
    assert!(run.out.ends_with(&only.out) && only.out.starts_with("[Event "), "{}", only.out);
    assert!(only.out.contains("[Board \"B\"]") && !only.out.contains("[Board \"A\"]"), "{}", only.out);
    // Other games stay as they are.
    let chess = "[Event \"x\"]\n\n1. e4 e5 *\n\n";
    assert_eq!(ferz(&["boards"], chess).out, chess);
}

#[test]
fn both_boards_are_shown() {
    let path = root().join("fixtures/games/bughouse.pgn");
    let path = path.to_str().unwrap();
    let run = ferz(&["show", path, "--ply", "3"], "");
    assert!(
        run.out.starts_with("Board A\n\n 8  r  n") && run.out.contains("\nBoard B\n\n 8  r"),
        "{}",
        run.out
    );
    let fens = "FEN: rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2 | \
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR[] b KQkq - 0 1\n";
    assert!(run.out.ends_with(fens), "{}", run.out);
    let end = ferz(&["show", path], "").out;
    let words = "The game ended after ply 5 on board A: White on A and Black on B win by checkmate.";
    assert!(end.contains(words), "{end}");
    let drawn = ferz(&["show", path, "--svg"], "").out;
    assert_eq!((drawn.matches("<svg ").count(), drawn.matches("</svg>").count()), (3, 3));
    assert!(drawn.contains("Board A") && drawn.contains("Board B"));
    let run = ferz(&["show", path, "--ply", "12"], "");
    assert!(run.code != 0 && run.err.contains("only 11 legal plies on both boards"), "{}", run.err);
}

#[test]
fn what_works_on_one_board_says_so() {
    let path = root().join("fixtures/games/bughouse.pgn");
    let path = path.to_str().unwrap();
    for arguments in [
        &["moves", path][..],
        &["cut", "--plies", "3", path],
        &["decode", path],
        &["adjudicate", path, "--claim", "dead_position"],
    ] {
        let run = ferz(arguments, "");
        assert!(
            run.code != 0 && run.err.contains("`ferz boards` makes a record of each"),
            "{arguments:?}: {}",
            run.err
        );
    }
}

#[test]
fn a_position_on_either_board_is_found() {
    let path = root().join("fixtures/games/bughouse.pgn");
    let path = path.to_str().unwrap();
    for (query, found) in [("drop Q@f7", 1), ("drop N@f5", 1), ("drop P@f2", 1), ("drop R@a1", 0)] {
        let run = ferz(&["select", "--where", query, path], "");
        assert_eq!(run.out.matches("[Event ").count(), found, "{query}: {}", run.out);
    }
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("games.ferz");
    let db = db.to_str().unwrap();
    let imported = ferz(&["archive", "import", "--db", db, path], "");
    assert!(imported.out.contains("8 games: 8 new"), "{}{}", imported.out, imported.err);
    for indexed in [false, true] {
        if indexed {
            ferz(&["archive", "index", "--db", db], "");
        }
        for (query, found) in [("drop Q@f7", 1), ("drop N@f5", 1), ("drop R@a1", 0)] {
            let run = ferz(&["archive", "search", "--db", db, "--where", query], "");
            assert_eq!(run.out.lines().count(), found, "{query}: {}{}", run.out, run.err);
        }
    }
    let listed = ferz(&["archive", "list", "--db", db], "").out;
    assert!(listed.contains("Ann & Dora - Ben & Cem (FICS rated bughouse game"), "{listed}");
    assert!(ferz(&["archive", "verify", "--db", db], "").out.contains("0 damaged"));
}

/// A dialect that wants times since the start gets none from times left without the tag TimeControl, and says so.
#[test]
fn times_that_a_dialect_cannot_have_are_losses() {
    let game = "[TimeControl \"180+0\"]\n\n1A. e4 {179} 1a. e5 {178} *\n";
    let convert = |text: &str| ferz(&["convert", "--to", "san", "--bpgn", "bughouse.pro", "-"], text);
    let known = convert(game);
    assert!(
        known.out.contains("e4 {[ts=1.000]} 1a. e5 {[ts=3.000]}") && known.err.is_empty(),
        "{}",
        known.err
    );
    let unknown = convert(&game.replace("[TimeControl \"180+0\"]\n\n", ""));
    assert!(
        unknown.out.contains("e4 {179}") && unknown.err.contains("S050"),
        "{}{}",
        unknown.out,
        unknown.err
    );
}
