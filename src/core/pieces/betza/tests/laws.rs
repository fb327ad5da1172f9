use super::*;
use proptest::prelude::*;

/// Terms of which most are valid.
fn terms() -> impl Strategy<Value = String> {
    let term = "(i|m|c|n|j|p|g|mc|)((f|b|l|r|s|v|fs|bs|ff|fr|rf|lv|fh|lb|bl|fl)?){0,3}\
                ([WFDNAHLJGKRBQCZ]|NN|DD|WW|KK|\\([0-4],[1-6]\\))([02-5]?)";
    proptest::collection::vec(term, 1..5).prop_map(|terms| terms.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn canonical_reads_back(text in terms()) {
        if let Ok(movement) = parse(&text) {
            let canonical = movement.canonical();
            let again = parse(&canonical).unwrap_or_else(|e| panic!("{text} -> {canonical}: {e}"));
            prop_assert_eq!(&movement, &again, "{} -> {}", text, canonical);
            prop_assert_eq!(again.canonical(), canonical);
        }
    }

    #[test]
    fn the_order_of_terms_does_not_matter(a in terms(), b in terms()) {
        if let (Ok(first), Ok(second)) = (parse(&format!("{a}m(0,9){b}")), parse(&format!("{b}m(0,9){a}"))) {
            prop_assert_eq!(first, second);
        }
    }

    #[test]
    fn normal_form_reaches_the_same_squares(text in terms(), men in "([a-h][1-8] ){0,12}") {
        if let Ok(movement) = parse(&text) {
            for capture in [false, true] {
                let terms = grammar::terms(&text).expect("read before");
                let raw = build::movers(&terms).expect("read before");
                let pieces: Vec<_> = men.split_whitespace().map(square).filter(|&s| s != (4, 3)).collect();
                let reached = |m: &Mover| {
                    let initial = m.initial;
                    targets(m, &pieces, capture).into_iter().map(move |s| (s, initial))
                };
                let mut plain: Vec<_> = raw.iter().flat_map(reached).collect();
                let mut normal: Vec<_> = movement.movers().iter().flat_map(reached).collect();
                for list in [&mut plain, &mut normal] {
                    let always: Vec<_> = list.iter().filter(|t| !t.1).map(|t| t.0).collect();
                    list.retain(|t| !t.1 || !always.contains(&t.0));
                    list.sort();
                    list.dedup();
                }
                prop_assert_eq!(plain, normal, "{}", text);
            }
        }
    }

    #[test]
    fn no_text_panics_and_errors_lie_in_the_text(text in "\\PC{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{text}: {error:?}");
        }
    }

    #[test]
    fn no_near_miss_panics(text in "[a-zA-Z0-9(),]{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{text}: {error:?}");
            prop_assert!(!error.message.is_empty());
        }
    }
}

#[test]
fn most_random_terms_are_valid() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut read = 0;
    for _ in 0..1000 {
        let text = terms().new_tree(&mut runner).map(|tree| proptest::strategy::ValueTree::current(&tree));
        read += usize::from(text.is_ok_and(|text| parse(&text).is_ok()));
    }
    assert!(read > 200, "only {read} of 1000: the laws above would say little");
}
