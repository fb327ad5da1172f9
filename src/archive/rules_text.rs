//! Stored rules: complete, so that games can be judged by them after the program has changed.

use super::error::ArchiveError;
use ferz_core::board::by_width;
use ferz_core::rules::Registry;
use ferz_records::replay::AnyGame;

/// The merged definition as a self-contained definition file.
pub(super) fn definition(game: &AnyGame) -> String {
    by_width!(AnyGame, game, |game| game.rules.file.text())
}

/// The place of a game's compiled rules in memory: games at one place have one definition, as long as one of them is
/// there.
pub(super) fn place(game: &AnyGame) -> usize {
    by_width!(AnyGame, game, |game| std::sync::Arc::as_ptr(&game.rules).cast::<()>() as usize)
}

/// The current games, preceded by stored rules.
pub(super) fn registry(definition: &str) -> Result<Registry, ArchiveError> {
    let damaged = |why: String| ArchiveError::Corrupt(format!("stored rules cannot be read: {why}"));
    let mut registry =
        Registry::with_files([]).map_err(|_| damaged("the built-in games are invalid".to_owned()))?;
    registry.add_kept(definition).map_err(|mistakes| {
        damaged(mistakes.iter().map(|mistake| mistake.message.clone()).collect::<Vec<_>>().join("; "))
    })?;
    Ok(registry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::RulesId;
    use ferz_records::record::read;
    use ferz_records::replay::{Options, Replayer};

    fn judged(registry: &Registry, record: &str) -> Option<(AnyGame, RulesId)> {
        let mut replayer = Replayer::new(registry, Options::default());
        let game = replayer.game(&read(record.as_bytes(), 0).next().unwrap()).ok()?;
        let id = game.id().clone();
        Some((game, id))
    }

    #[test]
    fn rules_that_were_kept_are_the_same_rules() {
        let known = Registry::built_in();
        let names = known.list().into_iter().filter(|game| !game.mutator).map(|game| game.name);
        let mut kept = 0;
        for name in names {
            for mutator in ["", "misere+", "bareking+", "chaos+", "chaos+misere+"] {
                for tags in [
                    "",
                    "[NatureRules \"advanced\"]",
                    "[WhiteArmy \"RF ND BfbN QffNsbN\"]\n[BlackArmy \"RA NW BD RNF\"]",
                    "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]",
                ] {
                    let record = format!("[Variant \"{mutator}{name}\"]\n{tags}\n\n*");
                    let Some((game, id)) = judged(known, &record) else { continue };
                    let text = definition(&game);
                    let (again, same) = judged(&registry(&text).unwrap(), &record).unwrap();
                    assert_eq!(same, id, "{record}\n{text}");
                    assert_eq!(definition(&again), text);
                    kept += 1;
                }
            }
        }
        assert!(kept > 60, "{kept}");
    }

    #[test]
    fn rules_that_are_damaged_are_an_error() {
        for text in ["no TOML", "name = \"x\"\nnonsense = 1", "mutator = \"m\""] {
            assert!(registry(text).is_err(), "{text}");
        }
    }
}
