//! What was made of games, kept by name, edition and all that a game's definition reads of a record.

use super::definition::Definition;
use super::registry::TagLookup;
use std::collections::HashMap;

/// How many values are kept. Records may choose any number of armies or arrays.
const VALUES_MAX: usize = 64;

/// Values by game and by what a record chooses of it. A tag that the definition does not read makes no difference.
#[derive(Debug)]
pub struct ByChoice<T> {
    games: HashMap<String, Game<T>>,
    values: usize,
}

/// One game in one edition.
#[derive(Debug)]
struct Game<T> {
    /// The tags that its definition reads.
    reads: Vec<&'static str>,
    /// By the values of these tags.
    values: HashMap<String, T>,
}

impl<T> Default for ByChoice<T> {
    fn default() -> ByChoice<T> {
        ByChoice { games: HashMap::new(), values: 0 }
    }
}

impl<T: Clone> ByChoice<T> {
    /// The value for a record's tags.
    pub fn get(&self, variant: &str, tags: TagLookup<'_>) -> Option<T> {
        let game = self.games.get(&name(variant, tags))?;
        game.values.get(&chosen(&game.reads, tags)).cloned()
    }

    /// Keeps a value that was made by a definition and a record's tags.
    pub fn insert(&mut self, variant: &str, tags: TagLookup<'_>, definition: &Definition, value: T) {
        if self.values >= VALUES_MAX {
            self.games.clear();
            self.values = 0;
        }
        let made = || Game { reads: tags_read(definition), values: HashMap::new() };
        let game = self.games.entry(name(variant, tags)).or_insert_with(made);
        game.values.insert(chosen(&game.reads, tags), value);
        self.values += 1;
    }
}

/// The tags of a record that a definition reads, besides those that choose the definition.
pub fn tags_read(definition: &Definition) -> Vec<&'static str> {
    let mut tags = Vec::new();
    if definition.nature.enabled {
        tags.push("NatureRules");
    }
    if !definition.armies.slots.is_empty() {
        tags.extend(["WhiteArmy", "BlackArmy"]);
    }
    if definition.setup.from_record {
        tags.push("FEN");
    }
    tags
}

fn name(variant: &str, tags: TagLookup<'_>) -> String {
    let mut name = variant.to_owned();
    push(&mut name, tags("RulesEdition"));
    name
}

fn chosen(reads: &[&'static str], tags: TagLookup<'_>) -> String {
    let mut values = String::new();
    for tag in reads {
        push(&mut values, tags(tag));
    }
    values
}

/// Adds a value with its length before it, so that different lists of values never have the same bytes.
fn push(key: &mut String, value: Option<String>) {
    match value {
        Some(value) => key.extend(["\n", &value.len().to_string(), ":", &value]),
        None => key.push('\n'),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{AnyRules, Registry, Rules};
    use std::sync::Arc;

    const SHUFFLED: &str = "name = \"shuffled\"\nextends = \"chess\"\n[setup]\nfrom-record = true\n";

    fn rules(registry: &Registry, variant: &str, chosen: &[(&str, &str)]) -> Arc<Rules<u64>> {
        let tags =
            |name: &str| chosen.iter().find(|(tag, _)| *tag == name).map(|(_, value)| (*value).to_owned());
        match registry.rules(variant, &tags) {
            Ok(AnyRules::Narrow(rules)) => rules,
            other => panic!("{variant}: {other:?}"),
        }
    }

    /// A record's start position may be anything, blanks of all kinds too.
    #[test]
    fn an_array_that_is_none_is_refused() {
        for fen in ["", " ", "\u{85}", "[", " @", "x x x x x x @"] {
            let tags = |name: &str| (name == "FEN").then(|| fen.to_owned());
            assert!(Registry::built_in().rules("chess960", &tags).is_err(), "{fen:?}");
        }
    }

    #[test]
    fn an_array_from_a_record_is_that_records_alone() {
        let registry = Registry::with_files([SHUFFLED]).expect("a right definition");
        let first =
            rules(&registry, "shuffled", &[("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")]);
        let fen = "nrkbbnrq/pppppppp/8/8/8/8/PPPPPPPP/NRKBBNRQ w KQkq -";
        let second = rules(&registry, "Shuffled", &[("FEN", fen)]);
        assert_ne!(first.array, second.array);
        assert_eq!(first.id, second.id, "the array is the record's start and no part of the rules");
        assert!(Arc::ptr_eq(&second, &rules(&registry, "shuffled", &[("FEN", fen)])));
    }

    #[test]
    fn tags_that_are_not_read_make_no_difference() {
        let registry = Registry::built_in();
        let tags = [("FEN", "8/8/8/4k3/8/8/8/4K3 w - -"), ("WhiteArmy", "x"), ("NatureRules", "king")];
        assert!(Arc::ptr_eq(&rules(registry, "chess", &[]), &rules(registry, "chess", &tags)));
        let basic = rules(registry, "chaos+chess", &[]);
        assert_ne!(basic.id, rules(registry, "chaos+chess", &tags).id);
    }

    /// Ids of games are made of these digests: no later field with its default may change one.
    #[test]
    fn digests_stay_as_they_are() {
        let armies = [("WhiteArmy", "RF ND BfbN QffNsbN"), ("BlackArmy", "RF ND BfbN QffNsbN")];
        for (game, digest) in [
            ("chess", "4324ee5a32773f3d4cbe2f248bbdc583"),
            ("chess960", "664516db22379094c0a1c27d971b9efe"),
            ("iago-b", "06d4dab76a83a468a3554f3948a7800f"),
            ("iago-c", "c8c258d6c7f3c75ca8393a619231349d"),
            ("iago-m", "a7a01f6e8c3fe72a4186516732fb824e"),
            ("ichess", "2bd63b7afbc71394ffc1fe8f103f31cd"),
            ("ingols", "5aad972879b15af600cdd53dac5d805a"),
            ("augmented", "0165f73365f2090613c85c693b78d12d"),
            ("capablanca", "c6c33acf22bb982b94a477e9731b5e3b"),
            ("seirawan", "ff544aa717b17d0babaa4c4cafcfeb10"),
            ("crazyhouse", "75124d1ee99df6d3a9b5634501706b39"),
            ("misere+chess", "03f51cd716251cfadf6af3dc62bcd759"),
            ("bareking+chess", "6406cf94f2dacba621478d5acafe4c99"),
            ("chaos+chess", "d7f9565464bd1f5e931f8e03f55d17b1"),
            ("misere+bareking+chaos+iago-b", "882a241f136ae76e79d99c44f1bede03"),
        ] {
            let tags =
                |name: &str| armies.iter().find(|(tag, _)| *tag == name).map(|(_, army)| (*army).to_owned());
            let rules = Registry::built_in().rules(game, &tags).expect("a built-in game");
            assert_eq!(rules.id().digest, digest, "{game}");
        }
    }
}
