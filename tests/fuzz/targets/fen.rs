//! Any text as a position of every built-in game: what is read is written so that it is read back, its invariants hold,
//! and all its plies can be made and taken back.
#![no_main]

use ferz::board::Mask;
use ferz::position::Position;
use ferz::rules::{AnyRules, Registry, Rules};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static RULES: LazyLock<Vec<AnyRules>> = LazyLock::new(|| {
    let tags = |name: &str| match name {
        "WhiteArmy" => Some("RF ND BfbN QffNsbN".to_owned()),
        "BlackArmy" => Some("RA NW BD RNF".to_owned()),
        "NatureRules" => Some("advanced".to_owned()),
        _ => None,
    };
    let games = Registry::built_in().list().into_iter().filter(|game| !game.mutator).map(|game| game.name);
    let mutated = ["chaos+chess", "chaos+ichess", "chaos+iago-c", "bareking+crazyhouse"].map(str::to_owned);
    games.chain(mutated).filter_map(|name| Registry::built_in().rules(&name, &tags).ok()).collect()
});

fn check<M: Mask>(rules: &Arc<Rules<M>>, text: &str) {
    let mut position = match Position::from_fen(Arc::clone(rules), text) {
        Ok(position) => position,
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
            return;
        }
    };
    assert_eq!(position.check_invariants(), Ok(()));
    let fen = position.fen();
    let again = Position::from_fen(Arc::clone(rules), &fen).map(|position| position.fen());
    assert_eq!(again.as_deref(), Ok(fen.as_str()));
    for ply in position.plies() {
        let undo = position.apply_undoable(&ply);
        assert_eq!(position.check_invariants(), Ok(()), "{ply:?} in {fen}");
        position.undo(&undo);
        assert_eq!(position.fen(), fen, "{ply:?}");
    }
}

fuzz_target!(|data: &[u8]| {
    let [game, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match &RULES[usize::from(*game) % RULES.len()] {
        AnyRules::Narrow(rules) => check(rules, text),
        AnyRules::Wide(rules) => check(rules, text),
    }
});
