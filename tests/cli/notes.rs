//! What deserves no warning, in the text of `ferz validate` and `ferz convert`.

use crate::program::{Run, ferz};

const SLOPPY: &str = "1. e4 f5 2. Qh5 g6 3. Qf3 *\n";
const TWO_READINGS: &str = "1. h4 h5 2. Rh3 Rh6 *\n";

/// Notes are counted where they are not shown, and shown where that is wanted.
#[test]
fn notes_are_counted_or_shown() {
    let Run { code, out, err } = ferz(&["validate"], [SLOPPY, SLOPPY].concat());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("contradicts; 2 notes not shown (--notes shows them)\n"), "{out}");
    let one = ferz(&["validate"], SLOPPY).out;
    assert!(one.ends_with("contradicts; 1 note not shown (--notes shows it)\n"), "{one}");
    let Run { code, out, err } = ferz(&["validate", "--notes"], SLOPPY);
    assert!(code == 0 && out.ends_with("contradicts\n"), "{out}");
    assert!(err.starts_with("info[N001]: the ply gives check: `+` is missing\n"), "{err}");
    // With --strict they are errors, and shown.
    let strict = ferz(&["validate", "--strict"], SLOPPY);
    assert!(strict.code == 1 && strict.err.contains("error[N001]"), "{}", strict.err);
    assert!(strict.out.ends_with("1 with other findings\n"), "{}", strict.out);
}

#[test]
fn a_conversion_counts_what_it_does_not_tell() {
    let Run { code, out, err } = ferz(&["convert", "--to", "san"], SLOPPY);
    assert!(code == 0 && out.contains("2. Qh5+ g6"), "{out}");
    assert_eq!(err, "ferz: 1 warning or note not shown (--notes shows it)\n");
    let Run { err, .. } = ferz(&["convert", "--to", "san", "--notes"], SLOPPY);
    assert_eq!(err, "standard input:1:13: game 1: N001: the ply gives check: `+` is missing\n");
    let rows = ferz(&["convert", "--to", "san", "--format", "ndjson"], SLOPPY);
    assert_eq!(rows.err, "");
    let clean = ferz(&["convert", "--to", "lan"], "1. e4 e5 *\n");
    assert_eq!(clean.err, "");
}

/// That a record may be another game in another language is told by both, unasked.
#[test]
fn two_readings_are_told() {
    for command in [&["validate"][..], &["convert", "--to", "san"]] {
        let Run { code, err, .. } = ferz(command, TWO_READINGS);
        assert!(code == 0 && err.contains("N036") && err.contains("use --language"), "{err}");
    }
    let known = ferz(&["validate", "--language", "en"], TWO_READINGS);
    assert_eq!(known.err, "");
}

#[test]
fn the_only_game_that_fits_is_taken_on_demand() {
    let validate = |record: &str, variant: &[&str]| {
        let run = ferz(&[&["validate", "--format", "ndjson"], variant].concat(), record);
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap()
    };
    let record = |event: &str, moves: &str| format!("[Event \"{event}\"]\n\n{moves} *\n");
    for (event, moves, game, legal) in [
        ("?", "1. e2-e4 e7-e5 2. Ng1-f3&M", "iago-b", true),
        ("?", "1. e4 e5 2. Nf3", "chess", true),
        ("?", "R@a1 R@h8 B@f4", "ichess", true),
        ("?", "1. e4 e5 2. Ke3", "chess", false),
        // The opening of Capablanca's chess, which the event names; others have a board of eight files.
        ("Capablanca chess cup", "1. Nh3 Nh6 2. j4", "capablanca", true),
    ] {
        let report = validate(&record(event, moves), &["--variant", "auto"]);
        assert_eq!((&report["variant"], &report["legal"]), (&game.into(), &legal.into()), "{moves}");
    }
    // A game that is named is the one.
    let named = format!("[Variant \"chess\"]\n\n{}", "1. e2-e4 e7-e5 2. Ng1-f3&M *\n");
    assert_eq!(validate(&named, &["--variant", "auto"])["variant"], "chess");
    let converted =
        ferz(&["convert", "--to", "san", "--variant", "auto"], record("?", "1. e4 e5 2. Nf3/M").as_str());
    assert!(converted.out.contains("[Variant \"iago-b\"]"), "{}", converted.out);
}
