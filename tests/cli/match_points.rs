//! `ferz match`: each article of IAP a case.

use crate::common;
use crate::program::{Run, ferz};
use serde_json::Value;
use std::collections::BTreeSet;

/// A game between Ann and Ben with further tags.
fn game(tags: &str, movetext: &str) -> String {
    format!("[White \"Ann\"]\n[Black \"Ben\"]\n{tags}\n{movetext}\n\n")
}

fn tags(pairs: &[(&str, &str)]) -> String {
    pairs.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect()
}

/// The answer in JSON, the messages, and the exit code.
fn scored(args: &[&str], records: &str) -> (Value, String, i32) {
    let Run { code, out, err } = ferz(&[&["match", "--format", "json"], args].concat(), records);
    (serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")), err, code)
}

/// The score of one game, the article, and the points.
fn one(args: &[&str], record: &str) -> (Value, Value, Value) {
    let (found, err, code) = scored(args, record);
    assert!(err.is_empty() && code == 0, "{err}");
    let game = &found["games"][0];
    (game["score"].clone(), game["article"].clone(), game["points"].clone())
}

const LIMITS: [(&str, &str); 3] = [("Variant", "iago-b"), ("MoveLimit", "60"), ("DelayLimit", "3")];

fn limited(result: &str) -> String {
    tags(&[&LIMITS[..], &[("Result", result)]].concat())
}

/// IAP 3: a win counts 1. With bareking, mate counts 2 and a bared king 1.
#[test]
fn wins() {
    let mate = "1. f3 e5 2. g4 Qh4# 0-1";
    let bared = [("SetUp", "1"), ("FEN", "4k3/8/8/8/8/8/4n3/4K2R w - - 0 1")];
    for (variant, set_up, movetext, score, reason) in [
        ("chess", &[][..], "1. e4 e5 1-0", [1.0, 0.0], None),
        ("chess", &[], mate, [0.0, 1.0], Some("checkmate")),
        ("bareking+chess", &[], mate, [0.0, 2.0], Some("checkmate")),
        ("bareking+chess", &[], "1. e4 e5 0-1", [0.0, 1.0], None),
        ("bareking+chess", &bared, "1. Kxe2 1-0", [1.0, 0.0], Some("bare_king")),
        // Winner and loser are exchanged (IAV-2).
        ("misere+chess", &[], "1. f3 e5 2. g4 Qh4# 1-0", [1.0, 0.0], Some("checkmate")),
    ] {
        let record = game(&tags(&[&[("Variant", variant)], set_up].concat()), movetext);
        let (found, err, code) = scored(&[], &record);
        let first = &found["games"][0];
        assert_eq!((code, err.as_str()), (0, ""), "{variant} {movetext}");
        assert_eq!(first["score"], Value::from(score.to_vec()), "{variant} {movetext}");
        assert_eq!((first["article"].as_str(), first["reason"].as_str()), (Some("IAP 3"), reason));
    }
}

/// IAP 1: every full limit that passes on a move gives the opponent a point. IAP 4: a draw counts ½ for the player
/// with more points. IAP-2: equal points count nothing.
#[test]
fn draws_by_points() {
    for (movetext, score, article, points) in [
        ("1. e2-e4 e7-e5 1/2-1/2", [0.0, 0.0], "IAP-2", [0, 0]),
        ("1. e2-e4 {[%emt 0:00:59.9]} e7-e5 1/2-1/2", [0.0, 0.0], "IAP-2", [0, 0]),
        ("1. e2-e4 {[%emt 0:01:00]} e7-e5 1/2-1/2", [0.0, 0.5], "IAP 4", [0, 1]),
        ("1. e2-e4 {[%emt 0:01:30]} e7-e5 {[%emt 0:02:59]} 1/2-1/2", [0.5, 0.0], "IAP 4", [2, 1]),
        ("1. e2-e4 {[%emt 0:01:30]} e7-e5 {[%emt 0:01:00]} 1/2-1/2", [0.0, 0.0], "IAP-2", [1, 1]),
        // Points do not outweigh a win.
        ("1. e2-e4 {[%emt 0:02:30]} e7-e5 1-0", [1.0, 0.0], "IAP 3", [0, 2]),
    ] {
        let result = movetext.rsplit(' ').next().unwrap_or_default();
        let found = one(&[], &game(&limited(result), movetext));
        assert_eq!(found, (score.to_vec().into(), article.into(), points.to_vec().into()), "{movetext}");
    }
}

/// IAP 2: the agreed number of limits on one move loses the game, unless a time-out was called. IAP-1: they may add up
/// over the game instead.
#[test]
fn delays_lose() {
    let two_and_two = "1. e2-e4 {[%emt 0:02:00]} e7-e5 2. d2-d4 {[%emt 0:02:00]} d7-d6";
    for (args, movetext, decided, ply) in [
        (&[][..], "1. e2-e4 {[%emt 0:03:30]} e7-e5 0-1".to_owned(), "delays", 1),
        (&[], "{[%timeout]} 1. e2-e4 {[%emt 0:03:30]} e7-e5 0-1".to_owned(), "record", 2),
        (&[], format!("{two_and_two} 0-1"), "record", 4),
        (&["--delays", "game"], format!("{two_and_two} 0-1"), "delays", 3),
    ] {
        let (found, err, code) = scored(args, &game(&limited("0-1"), &movetext));
        let first = &found["games"][0];
        assert_eq!((code, err.as_str()), (0, ""), "{movetext}");
        assert_eq!(first["score"], Value::from(vec![0.0, 1.0]), "{movetext}");
        let at = (first["decided_by"].as_str(), first["ply"].as_u64());
        assert_eq!(at, (Some(decided), Some(ply)), "{movetext}");
    }
    // The opponent's points stay in a time-out.
    let timeout = "{[%timeout]} 1. e2-e4 {[%emt 0:03:30]} e7-e5 1/2-1/2";
    assert_eq!(one(&[], &game(&limited("1/2-1/2"), timeout)).2, Value::from(vec![0, 3]));
    // The game was over before the mate, whatever the record states.
    let mate = "1. f2-f3 e7-e5 2. g2-g4 {[%emt 0:00:10]} Qd8-h4# {[%emt 0:03:00]} 0-1";
    let (found, err, code) = scored(&[], &game(&limited("0-1"), mate));
    assert_eq!((found["games"][0]["result"].as_str(), code), (Some("1-0"), 1));
    assert!(
        err.contains(
            "standard input:6:10: the record states 0-1, but the game is 1-0 by DelayLimit at ply 4"
        ),
        "{err}"
    );
}

/// IAP-4: both players may lose.
#[test]
fn a_double_forfeit_scores_nothing() {
    let record = game(&tags(&[("Result", "0-0")]), "*");
    let (found, err, code) = scored(&[], &record);
    let first = &found["games"][0];
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(
        (first["decided_by"].as_str(), first["article"].as_str()),
        (Some("double_forfeit"), Some("IAP-4"))
    );
    assert_eq!(first["score"], Value::from(vec![0.0, 0.0]));
    // It counts as a game of both.
    assert_eq!(found["scores"][1]["sum"], Value::from(vec![0.0]));
    let (written_out, err, code) = scored(&[], &game(&tags(&[("Result", "0-0")]), "0-0"));
    assert_eq!((&written_out["scores"], err.as_str(), code), (&found["scores"], "", 0));
    let mate = game(&tags(&[("Result", "0-0")]), "1. f3 e5 2. g4 Qh4# *");
    let (found, err, code) = scored(&[], &mate);
    assert_eq!((found["games"][0]["result"].as_str(), code), (Some("0-1"), 1));
    assert!(err.contains("states 0-0"), "{err}");
}

/// IAP-3: points decide within a game, or over the games of two players, who change colours.
#[test]
fn points_of_a_match() {
    let first = game(&limited("1-0"), "1. e2-e4 {[%emt 0:02:10]} e7-e5 {[%emt 0:01:00]} 1-0");
    let turned = limited("1/2-1/2").replace("[Variant", "[White \"Ben\"]\n[Black \"Ann\"]\n[Variant");
    let second = format!("{turned}\n1. e2-e4 e7-e5 1/2-1/2\n\n");
    let match_ = format!("{first}{second}");
    let (found, ..) = scored(&[], &match_);
    assert_eq!(found["games"][1]["score"], Value::from(vec![0.0, 0.0]));
    let (found, ..) = scored(&["--points", "match"], &match_);
    // Ben has two points by Ann's delays, and she one by his.
    assert_eq!(found["games"][1]["compared"], Value::from(vec![2, 1]));
    assert_eq!(found["games"][1]["score"], Value::from(vec![0.5, 0.0]));
    let scores: Vec<_> =
        found["scores"].as_array().into_iter().flatten().map(|of| of["score"].as_f64()).collect();
    assert_eq!(scores, [Some(1.0), Some(0.5)]);
    let Run { out, .. } = ferz(&["match", "--points", "match"], &match_);
    assert!(out.ends_with("Ann: 1 + 0 = 1\nBen: 0 + ½ = ½\n"), "{out}");
    assert!(
        out.contains("ply 1, e2-e4 (White): 0:02:10 has 2 full limits of 0:01:00: 2 points for Ben (IAP 1)"),
        "{out}"
    );
}

#[test]
fn games_that_do_not_count() {
    let open = game("", "1. e4 *");
    let Run { code, out, err } = ferz(&["match"], &open);
    assert!(
        code == 0 && err.is_empty() && out.contains("not counted") && !out.contains("Ann:"),
        "{out}{err}"
    );
    for (record, place) in [
        (game("", "1. e5 1-0"), "standard input:4:4: ply 1, `e5`, is illegal"),
        (game("[Variant \"nonsense\"]\n", "1. e4 1-0"), "standard input:3:"),
        (
            game(&limited("1-0"), "1. e2-e5 {[%letstand] [%emt 0:09:00]} e7-e6 1-0"),
            "standard input:8:4: delays are not counted, since an illegal ply, `e2-e5`, was let stand",
        ),
        (
            game("[MoveLimit \"1:00\"]\n", "1. e4 1-0"),
            "standard input:3:13: MoveLimit is `1:00`; write seconds",
        ),
    ] {
        let Run { code, err, .. } = ferz(&["match"], &record);
        assert!(code == 1 && err.contains(place), "{code} {err}");
    }
    let Run { code, err, .. } = ferz(&["match", "nowhere.pgn"], "");
    assert!(code == 2 && err.contains("nowhere.pgn"), "{err}");
}

/// Every key is in the document, and the other way round.
#[test]
fn the_answer_is_documented() {
    let document = std::fs::read_to_string(common::root().join("formats/MATCH.md")).unwrap_or_default();
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    let named: BTreeSet<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let movetext = "1. e2-e4 {[%emt 0:01:10]} e7-e5 1/2-1/2";
    let (found, ..) = scored(&[], &game(&limited("1-0"), &format!("{movetext}\n\n{}", game("", "1. e5 *"))));
    let mut keys = BTreeSet::new();
    collect(&found, &mut keys);
    assert_eq!(keys, named.into_iter().map(str::to_owned).collect());
}

fn collect(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                keys.insert(key.clone());
                collect(value, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        _ => {}
    }
}
