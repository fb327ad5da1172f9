//! Illegal plies that were let stand, as users of `ferz validate` and `ferz convert` meet them.

use crate::program::{Run, ferz};

/// An introduction that was let stand stays Nature's in every style, and is reported where the style has no form for
/// it.
#[test]
fn natures_plies_let_stand_stay_natures() {
    let record = "[Variant \"chaos\"]\n\n1. e4 e5 ~Q@a4 {[%letstand]} 2. Nf3 Nc6 *\n";
    for style in ["coord", "san", "uci", "xboard", "chaos", "iago", "lan"] {
        for layout in [&[][..], &["--keep-layout"]] {
            let there = ferz(&[&["convert", "--to", style], layout].concat(), record);
            let reported = there.err.contains("N012");
            assert_eq!(reported, matches!(style, "uci" | "xboard"), "{style}: {}", there.err);
            let back = ferz(&["convert", "--to", "coord"], &there.out);
            assert!(
                back.out.contains("1. e2e4 e7e5 ~Q@a4 {[%letstand]} 2. g1f3"),
                "{style}: {}{}",
                there.out,
                back.out
            );
        }
    }
}

#[test]
fn illegal_plies_let_stand() {
    let record = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6 (3... Kxf7) 4. Nf3 Kxf7 0-1\n";
    assert!(ferz(&["validate"], record).out.contains("ILLEGAL at ply 6 (leaves-king-attacked); result 0-1"));
    let Run { code, out, err } = ferz(&["validate", "--let-stand"], record);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("ILLEGAL, LET STAND at ply 6 (leaves-king-attacked), 8 plies; result 0-1"), "{out}");
    assert!(
        err.contains("game 1, ply 6: `a6` is illegal, but was let stand: the move leaves the king on e8"),
        "{err}"
    );
    // A mark in the record replaces the option.
    let marked = ferz(&["convert", "--to", "lan", "--let-stand"], record);
    assert!(marked.out.contains("3. Qh5xf7+ a7-a6 {[%letstand]} ("), "{}", marked.out);
    let again = ferz(&["convert", "--to", "san"], &marked.out);
    assert!(again.out.contains("3. Qxf7+ a6 {[%letstand]} (3... Kxf7) 4. Nf3+ Kxf7 0-1"), "{}", again.out);
    assert_eq!(again.out.matches("[%letstand]").count(), 1);
    // Other programs can read the two records.
    let split = ferz(&["convert", "--to", "san", "--let-stand", "--split-illegal"], record).out;
    assert!(
        split.contains("3. Qxf7+\n{Here `a6` was played, which is illegal but was let stand:"),
        "{split}"
    );
    assert!(
        split.contains("It was\nannotated: (3... Kxf7)} *") && split.contains("\n4. Nf3+ Kxf7 0-1"),
        "{split}"
    );
    let parts = ferz(&["validate", "--let-stand"], &split).out;
    assert!(
        parts.contains("2 games, 7 plies: 0 illegal, 0 with a result that the board contradicts"),
        "{parts}"
    );
}

/// A comment after the result belongs to the last ply, before a conversion as well as after it.
#[test]
fn the_mark_may_follow_the_result() {
    let record = "1. e4 e5 2. Ke3 1-0 {[%letstand]}\n";
    let verdict = |text: &str| ferz(&["validate"], text).out.lines().next().unwrap().to_owned();
    assert!(
        verdict(record).contains("ILLEGAL, LET STAND at ply 3 (no-such-move), 3 plies"),
        "{}",
        verdict(record)
    );
    let there = ferz(&["convert", "--to", "san"], record).out;
    assert!(there.contains("2. Ke3 {[%letstand]} 1-0"), "{there}");
    assert_eq!(verdict(&there), verdict(record));
    let kept = ferz(&["convert", "--to", "lan", "--keep-layout"], record).out;
    assert_eq!(kept, "1. e2-e4 e7-e5 2. Ke1-e3 1-0 {[%letstand]}\n");
    // A legal ply does not stand, and a variation ends before the result.
    assert!(ferz(&["validate"], "1. e4 e5 1-0 {[%letstand]}\n").err.contains("J015"));
    let variation = ferz(&["validate"], "1. e4 e5 (1... Ke6) 1-0 {[%letstand]}\n");
    assert!(
        variation.err.contains("J015") && variation.err.contains("a variation is illegal"),
        "{}",
        variation.err
    );
}

#[test]
fn the_layout_is_kept_too() {
    let record = "1. e4  e5 2. Qh5   Nc6 3. Qxf7+ a6!? 4. Nf3 Kxf7  0-1\n";
    let kept = ferz(&["convert", "--to", "lan", "--let-stand", "--keep-layout"], record);
    assert!(kept.out.contains("3. Qh5xf7+ a7-a6 {[%letstand]}!? 4. Ng1-f3+ Ke8xf7  0-1"), "{}", kept.out);
}

/// A conversion says why the run ends with findings.
#[test]
fn conversion_lists_plies_let_stand() {
    let record = "1. e4 e5 (1... e4 {[%letstand]}) 2. Ke3 {[%letstand]} Nf6 *\n";
    let Run { code, err, .. } = ferz(&["convert", "--to", "lan"], record);
    let reported: Vec<&str> = err.lines().collect();
    assert_eq!((code, reported.len()), (1, 2), "{err}");
    assert!(
        reported[0]
            .starts_with("standard input:1:37: game 1: M006: ply 3, `Ke3`, is illegal, but was let stand: "),
        "{err}"
    );
    assert!(reported[0].ends_with(" (FIDE 3.8)"), "{err}");
    assert!(reported[1].contains("ply 2 of a variation, `e4`, is illegal, but was let stand: "), "{err}");
}

/// A record in JSON is one whole object: options that ask for something else are refused.
#[test]
fn json_is_neither_split_nor_laid_out() {
    for of_styles in ["--split-illegal", "--keep-layout"] {
        let json = ferz(&["convert", "--to", "json", of_styles], "1. e4 e5 2. Ke3 {[%letstand]} *\n");
        assert!(json.code == 2 && json.err.contains(of_styles), "{of_styles}: {}", json.err);
    }
}

/// A game without Nature has no hand for what she captures.
#[test]
fn natures_capture_is_let_stand_in_a_game_without_her() {
    for variant in ["crazyhouse", "chess", "atomic", "shogi"] {
        for text in ["1. e4 d5 ∞1.....e4xd5 {[%letstand]} Nf6", "1. e2e4 d7d5 ~e4d5 {[%letstand]} g8f6"] {
            let run =
                ferz(&["validate", "--let-stand", "-"], format!("[Variant \"{variant}\"]\n\n{text} *\n"));
            assert_eq!(run.code, 1, "{variant}: {}", run.err);
            assert!(run.out.starts_with("game 1: "), "{variant}: {}{}", run.out, run.err);
        }
    }
}
