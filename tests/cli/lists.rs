//! Lists of positions, and games of Lichess in JSON, in every command that reads records.

use crate::program::{Run, ferz};

const LIST: &str = "# problems\nr1bq1rk1/pp3ppp/3n4/2p1N3/2B5/7P/PPP2PP1/R1BQ1RK1 w - - bm Bd5; id \"WAC.5\";\n\
    8/8/8/8/8/4k3/4p3/4K3 w - - 0 80\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    4k3/8/8/8/8/8/8/4KQ2 b - -\n";

#[test]
fn positions_are_records() {
    let run = ferz(&["validate", "--format", "ndjson"], LIST);
    let reports: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), 4, "{}", run.out);
    let variants: Vec<&str> = reports.iter().filter_map(|report| report["variant"].as_str()).collect();
    assert_eq!(variants, ["chess", "chess", "shogi", "chess"]);
    assert_eq!(reports[1]["end"]["reason"], "stalemate", "{}", reports[1]);
    let run = ferz(&["head", "1"], LIST);
    assert_eq!(
        run.out,
        "% problems\n\n[Event \"WAC.5\"]\n[SetUp \"1\"]\n[FEN \"r1bq1rk1/pp3ppp/3n4/2p1N3/2B5/7P/PPP2PP1/R1BQ1RK1 w - - 0 1\"]\n\n\
        {bm Bd5; id \"WAC.5\";} *\n\n"
    );
    let again = ferz(&["validate", "--format", "ndjson"], ferz(&["merge"], LIST).out);
    assert_eq!(again.out.lines().count(), 4, "{}", again.out);
    // A fault has its place in the list.
    let run = ferz(&["validate"], "8/8/8/8/8/4k3/4p3/4K3 w - - 0 80\n8/8/9/8/8/4k3/4p3/4K3 w - - 0 80\n");
    assert!(run.code == 1 && run.err.contains("standard input:2:"), "{}", run.err);
}

/// However long a list is, each line is one record.
#[test]
fn long_lists_are_read_in_parts() {
    let list: String =
        (1..=40_000).map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"n{number}\";\n")).collect();
    let run = ferz(&["validate", "--quiet"], &list);
    assert!(run.out.starts_with("40000 games, 0 plies"), "{}{}", run.out, run.err);
}

#[test]
fn games_of_lichess_are_read() {
    let game = r#"{"id":"q7ZvsdUF","rated":true,"variant":"crazyhouse","status":"resign","winner":"black",
        "players":{"white":{"user":{"name":"Ann"}},"black":{"user":{"name":"Ben"}}},"moves":"e4 d5 exd5 Qxd5 Nc3 P@d4"}"#;
    let game = game.replace('\n', "");
    let run = ferz(&["validate"], format!("{game}\n{game}\n"));
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("game 2: crazyhouse: legal, 6 plies; result 0-1"), "{}", run.out);
    let run = ferz(&["validate"], "{\"id\":\"x\",\"moves\":\"e4\"}\n");
    assert!(run.code != 0 && run.err.contains("not a record in JSON"), "{}", run.err);
}

/// The start and the position after each ply, a line each, which other programs and ferz read as positions.
#[test]
fn positions_are_written_one_a_line() {
    let game = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 (1. d4) d5 2. exd5 {a comment} 1-0\n";
    let Run { code, out, err } = ferz(&["convert", "--to", "epd"], game);
    let expected = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; id \"Ann - Ben\"; sm e4;\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1; id \"Ann - Ben\"; sm d5;\n\
        rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; id \"Ann - Ben\"; sm exd5;\n\
        rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 2; id \"Ann - Ben\";\n";
    assert_eq!((code, out.as_str(), err.as_str()), (0, expected, ""));
    let read = ferz(&["validate"], &out);
    assert!(read.code == 0 && read.out.contains("\n4 games, 0 plies: 0 illegal"), "{}", read.out);
    // A game with stocks and Nature has more fields than EPD.
    let chaos = "[Variant \"chaos+chess\"]\n\n1. e4 *\n";
    for form in ["fen", "epd"] {
        let out = ferz(&["convert", "--to", form], chaos).out;
        assert_eq!(
            out.lines().nth(1).unwrap(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b KQkq - 0 1 ~1::e4"
        );
    }
    let illegal = ferz(&["convert", "--to", "fen"], "1. e4 Ke3 *\n");
    assert_eq!((illegal.code, illegal.out.lines().count()), (1, 2), "{}", illegal.err);
    let refused = ferz(&["convert", "--to", "fen", "--no-loss"], game);
    assert!(refused.code == 2 && refused.err.contains("omit --no-loss"), "{}", refused.err);
}
