//! The decoder as a whole.

use crate::{Decoded, Options, Written, decode_written};
use ferz_core::rules::Registry;
use ferz_core::text::Budget;
use ferz_records::replay::{self, Replayer};

fn decoded(text: &str, budget: &Budget) -> Decoded {
    let mut replayer = Replayer::new(Registry::built_in(), replay::Options::default());
    let written = Written::Text(text.to_owned());
    decode_written(&mut replayer, &[&written], &Options::default(), budget).expect(text)
}

fn changes(text: &str) -> Vec<String> {
    let decoded = decoded(text, &Budget::unlimited());
    decoded.readings[0].changes().map(|ply| ply.to_string()).collect()
}

/// One slip of every kind, in one game; the rest of the game shows what was meant.
#[test]
fn each_kind_of_slip_is_read() {
    let rest = "2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O";
    let cases = [
        ("Nf3", "Nf8", "confused"),
        ("Nf3", "NfG", "another character"),
        ("Bb5", "Bb", "dropped"),
        ("Bb5", "Bbb5", "inserted"),
        ("Nf6", "N6f", "swapped"),
        ("O-O Be7", "0-0 Be7", "of form only"),
        ("Re1", "Rel", "a letter for a digit"),
        ("Bb3", "8b3", "a digit for a letter"),
    ];
    for (right, wrong, kind) in cases {
        let text = format!("1. e4 e5 {}", rest.replacen(right, wrong, 1));
        let decoded = decoded(&text, &Budget::unlimited());
        let san: Vec<&str> = decoded.readings[0].plies.iter().map(|ply| ply.ply.san.as_str()).collect();
        let meant = format!("1. e4 e5 {rest}");
        let meant: Vec<&str> = meant.split_whitespace().filter(|word| !word.ends_with('.')).collect();
        assert_eq!(san, meant, "{kind}");
        let changed = usize::from(kind != "of form only");
        assert_eq!(decoded.readings[0].changes().count(), changed, "{kind}: {:?}", changes(&text));
    }
}

#[test]
fn nothing_is_changed_where_nothing_is_wrong() {
    let texts = [
        "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Nf6 5. Nf3 c6 1-0",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6",
        "e2e4 e7e5 g1f3 b8c6",
        "1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. 0-0 Sf6",
        "[Variant \"crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@e4 P@d5 *",
        "[Variant \"ichess\"]\n\n1. K=e1 K=e8 *",
    ];
    for text in texts {
        assert_eq!(changes(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn the_budget_ends_the_work_with_what_was_found() {
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O Be7";
    let whole = decoded(text, &Budget::unlimited());
    assert!(whole.complete);
    for units in [300, 1_000, 3_000] {
        let part = decoded(text, &Budget::of(units));
        assert!(!part.complete && !part.certain, "{units}");
        let plies = part.readings.first().map_or(0, |reading| reading.plies.len());
        assert!(plies <= whole.readings[0].plies.len(), "{units}");
    }
}

/// The second pass with a result already known differs from the first in nothing.
#[test]
fn decoding_is_the_same_every_time() {
    let text = "1. d4 Nf7 2. c4 e6 3. N3 d5 4. cxd Nxd5";
    let first = format!("{:?}", decoded(text, &Budget::unlimited()));
    assert_eq!(first, format!("{:?}", decoded(text, &Budget::unlimited())));
}
