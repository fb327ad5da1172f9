//! Every kind of the built-in games has a drawing, and no two kinds of a game have the same.

use super::*;
use ferz_core::rules::{AnyRules, Registry, armies};

/// The kinds of a game.
fn kinds(variant: &str, tags: &[(&str, &str)]) -> Vec<KindInfo> {
    let tag = |name: &str| tags.iter().find(|(tag, _)| *tag == name).map(|(_, value)| (*value).to_owned());
    match Registry::built_in().rules(variant, &tag).unwrap() {
        AnyRules::Narrow(rules) => rules.kinds.clone(),
        AnyRules::Wide(rules) => rules.kinds.clone(),
    }
}

fn check(what: &str, kinds: &[KindInfo]) {
    for set in PieceSet::ALL {
        let looks: Vec<Look> = kinds.iter().map(|kind| look(kind, set)).collect();
        for (index, (kind, own)) in kinds.iter().zip(&looks).enumerate() {
            assert!(matches!(own.figure, Figure::Drawn(_)), "{what}: {} ({})", kind.name, kind.betza);
            let twin = looks[..index].iter().position(|other| other == own);
            assert_eq!(twin.map(|twin| &kinds[twin].betza), None, "{what}: {} looks alike", kind.betza);
        }
    }
}

#[test]
fn every_kind_of_the_built_in_games_has_a_drawing_of_its_own() {
    let registry = Registry::built_in();
    let games: Vec<String> = registry.list().into_iter().filter(|g| !g.mutator).map(|g| g.name).collect();
    assert!(games.len() >= 11, "{games:?}");
    // The armies of Augmented Chess have their own test.
    for game in games.iter().filter(|game| *game != "augmented") {
        check(game, &kinds(game, &[]));
    }
    check("chaos", &kinds("chaos+iago-m", &[("NatureRules", "advanced")]));
}

#[test]
fn every_kind_of_every_army_has_a_drawing_of_its_own() {
    let (definition, _) = Registry::built_in().definition("augmented", &|_| None).unwrap();
    let catalogue = armies::catalogue(&definition.armies).unwrap();
    let all: Vec<String> = catalogue
        .armies(ferz_core::pieces::army::Repeats::Forbidden)
        .map(|army| catalogue.text(&army))
        .collect();
    // Pair each army with the next ones, to cover pairs of kinds from two armies.
    for (index, white) in all.iter().enumerate() {
        let black = &all[(index * 7 + 1) % all.len()];
        check(white, &kinds("augmented", &[("WhiteArmy", white), ("BlackArmy", black)]));
    }
}

fn looks_like(betza: &str) -> Look {
    looks_with_terms(betza, &[])
}

fn looks_with_terms(betza: &str, terms: &[&str]) -> Look {
    let mut kind = kinds("chess", &[]).into_iter().find(|kind| kind.name == "rook").unwrap();
    kind.betza = betza.to_owned();
    kind.terms = terms.iter().map(|&term| term.to_owned()).collect();
    kind.letter = b'X';
    look(&kind, PieceSet::Standard)
}

#[test]
fn the_movement_decides_whatever_the_spelling() {
    assert_eq!(looks_like("BRN"), looks_like("QN"));
    assert_eq!(looks_like("FN"), looks_like("NF"));
    assert_eq!(looks_like("RA").badges, [Badge::Letter(b'A')]);
    assert_eq!(looks_like("RNDA").badges, [Badge::Letter(b'D'), Badge::Letter(b'A')]);
    let crab = Badge::Squares(vec![(-2, -1), (-1, 2), (1, 2), (2, -1)]);
    assert_eq!(looks_like("RffNsbN").badges, [crab]);
}

/// Terms are joined as movements: as text, two steps of a ferz would spell a bishop's slide.
#[test]
fn terms_count_without_their_squares() {
    let guard = ["W to d1-f3", "F from e2 to d1-f3", "F from d1 f1 d3 f3 to e2"];
    assert_eq!(looks_with_terms("", &guard), looks_like("WF"));
    assert_eq!(looks_with_terms("R", &["N from rank 1"]), looks_like("RN"));
}

#[test]
fn what_the_set_does_not_know_is_a_disc_with_its_letter() {
    // A cannon, a camel, a rook of three squares, one that only moves as a king besides, three additions.
    for betza in ["pR", "L", "R3", "RmK", "BWDA", ""] {
        assert_eq!(looks_like(betza).figure, Figure::Disc(b'X'), "{betza}");
    }
}
