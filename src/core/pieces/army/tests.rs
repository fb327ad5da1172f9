use super::*;
use proptest::prelude::*;

const CRAB: &str = "ffNsbN";

/// The lists of Augmented Chess. With `strict`, what belongs to the fibnif counts as augmenters too.
fn augmented(strict: bool) -> Catalogue {
    let with = |betza: &str, own: &[&str]| {
        let fibnif = strict && betza.contains("fbNF");
        let base: &[&str] = if fibnif { &["F", "fbN"] } else { &[] };
        Choice::new(betza, &[own, base].concat())
    };
    let slot = |name: &str, choices: Vec<Choice>| Slot { name: name.to_owned(), choices };
    let slots = vec![
        slot(
            "rook",
            vec![with("RF", &["F"]), with("RA", &["A"]), with("RfbN", &["fbN"]), with("RffNsbN", &[CRAB])],
        ),
        slot(
            "knight",
            vec![
                with("NA", &["A"]),
                with("NF", &["F"]),
                with("NW", &["W"]),
                with("ND", &["D"]),
                with("fbNFD", &["D"]),
                with("fbNFW", &["W"]),
                with("fbNFA", &["A"]),
            ],
        ),
        slot(
            "bishop",
            vec![with("BD", &["D"]), with("BW", &["W"]), with("BfbN", &["fbN"]), with("BffNsbN", &[CRAB])],
        ),
        slot(
            "queen",
            vec![
                with("QffNsbN", &[CRAB]),
                with("QfbN", &["fbN"]),
                with("RNF", &["F"]),
                with("RNA", &["A"]),
                with("RfbNFA", &["A"]),
            ],
        ),
    ];
    Catalogue::new(slots).expect("the lists are sound")
}

#[test]
fn augmented_chess_has_178_armies_of_560() {
    let catalogue = augmented(false);
    assert_eq!(catalogue.armies(Repeats::Allowed).count(), 560);
    assert_eq!(catalogue.armies(Repeats::Forbidden).count(), 178);
    assert_eq!(augmented(true).armies(Repeats::Forbidden).count(), 86);
}

#[test]
fn armies_come_in_the_order_of_the_lists_and_each_once() {
    let catalogue = augmented(false);
    let armies: Vec<Army> = catalogue.armies(Repeats::Forbidden).collect();
    assert!(armies.windows(2).all(|w| w[0] < w[1]));
    assert_eq!(catalogue.text(&armies[0]), "RF NA BD QffNsbN");
    for army in &armies {
        assert_eq!(catalogue.parse(&catalogue.text(army), Repeats::Forbidden).as_ref(), Ok(army));
    }
}

#[test]
fn the_enumeration_agrees_with_reading_every_combination() {
    let catalogue = augmented(false);
    let read = catalogue
        .armies(Repeats::Allowed)
        .filter(|army| catalogue.parse(&catalogue.text(army), Repeats::Forbidden).is_ok());
    assert!(read.eq(catalogue.armies(Repeats::Forbidden)));
}

#[test]
fn any_spelling_of_the_same_moves_names_the_kind() {
    let catalogue = augmented(false);
    let plain = catalogue.parse("RF ND BfbN QffNsbN", Repeats::Forbidden);
    assert_eq!(plain.as_ref().map(|army| army.picks().to_vec()), Ok(vec![0, 3, 2, 0]));
    for text in ["FWW DN FFbfN BRffNbsN", " FR  (1,2)D bbNffNB ffbsNQ ", "R0F1 ND BvN WWFFffNsbN"] {
        assert_eq!(catalogue.parse(text, Repeats::Forbidden), plain, "{text}");
    }
    let army = plain.expect("an army");
    assert_eq!(catalogue.text(&army), "RF ND BfbN QffNsbN");
    assert_eq!(catalogue.movement(&army, 1).map(Betza::text), Some("ND"));
    assert_eq!(catalogue.movement(&army, 4), None);
}

#[test]
fn errors_point_at_the_kind() {
    let catalogue = augmented(false);
    let cases = [
        ("", "", "4 kinds (rook, knight, bishop, queen) separated by spaces; here are 0"),
        ("RF,ND,BfbN,QffNsbN", "", "here is 1"),
        ("RF ND BfbN", "", "here are 3"),
        ("RF ND BfbN QffNsbN RNA", "RNA", "here are 5"),
        ("RF ND BxW QffNsbN", "x", "the bishop: the modifier `x`"),
        ("RD ND BfbN QffNsbN", "RD", "choose `RF`, `RA`, `RfbN` or `RffNsbN`"),
        ("RF NC BfbN QffNsbN", "NC", "not a knight of this game"),
        ("RF NF BW QfbN", "NF", "`F` of this knight is in the rook already"),
        ("RfbN NF BbfN RNA", "BbfN", "`fbN` of this bishop is in the rook already"),
        ("RF  ND\tBW  RNF", "RNF", "`F` of this queen is in the rook already"),
    ];
    for (text, at, part) in cases {
        let error = catalogue.parse(text, Repeats::Forbidden).expect_err(text);
        assert_eq!(&text[error.span.start..error.span.end], at, "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    }
    assert_eq!(catalogue.parse("RF ND BfbN", Repeats::Forbidden).map_err(|e| e.span.start), Err(10));
}

#[test]
fn unsound_lists_are_refused() {
    let slot = |choices| vec![Slot { name: "rook".to_owned(), choices }];
    assert_eq!(
        Catalogue::new(Vec::new()).map(|_| ()),
        Err(CatalogueError::Empty("the catalogue".to_owned()))
    );
    assert!(matches!(Catalogue::new(slot(vec![])), Err(CatalogueError::Empty(name)) if name == "rook"));
    let twice = Catalogue::new(slot(vec![Choice::new("RF", &[]), Choice::new("FWW", &[])]));
    assert!(matches!(twice, Err(CatalogueError::Twice { second, .. }) if second == "FWW"));
    let wrong = Catalogue::new(slot(vec![Choice::new("RF", &["oF"])]));
    assert!(matches!(wrong, Err(CatalogueError::Betza { text, .. }) if text == "oF"));
}

proptest! {
    #[test]
    fn no_text_panics(text in "[RNBQWFDAfbs \u{a0}x\u{265e}]{0,30}") {
        if let Err(error) = augmented(false).parse(&text, Repeats::Forbidden) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some());
        }
    }
}
