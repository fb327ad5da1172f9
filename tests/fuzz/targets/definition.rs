//! Any text as a definition of a game: it is refused with places in it, or compiled and played for some plies.
#![no_main]

use ferz::position::Position;
use ferz::rules::{AnyRules, Registry};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Registry::with_files([text]) {
        Err(errors) => {
            for (_, error) in errors {
                assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
            }
        }
        Ok(registry) => {
            let built_in: Vec<String> =
                Registry::built_in().list().into_iter().map(|game| game.name).collect();
            for game in registry.list().into_iter().filter(|game| !built_in.contains(&game.name)) {
                if let Ok(AnyRules::Narrow(rules)) = registry.rules(&game.name, &|_| None) {
                    let mut position = Position::start(rules);
                    for turn in 0..20 {
                        let plies = position.plies();
                        let Some(ply) = plies.get(turn * 7 % plies.len().max(1)) else { break };
                        position.apply(ply);
                    }
                }
            }
        }
    }
});
