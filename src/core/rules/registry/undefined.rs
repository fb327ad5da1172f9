//! Games that are known by name, and whose rules are not defined.

use super::names::words;
use super::{Mutator, RegistryError};
use crate::text::fold::fold;

/// A game without a definition.
struct Undefined {
    title: &'static str,
    /// Names that records use, besides the title. Words count in any order, as in the names of defined games.
    names: &'static [&'static str],
    /// What a definition would need.
    why: &'static str,
    /// The ruling that says more.
    rule: &'static str,
}

const UNDEFINED: [Undefined; 7] = [
    Undefined {
        title: "Bulldog Chess with Witch and Guard",
        names: &["bulldog", "bulldog chess", "bulldog with witch and guard"],
        why: "its array is published in pictures only, and castling past a Witch has two readings",
        rule: "UND-1",
    },
    Undefined {
        title: "Deserted Empire",
        names: &["deserted empire chess"],
        why: "the rules of its Sumrings, its desert pieces and its Gamehost are not published",
        rule: "UND-2",
    },
    Undefined {
        title: "3-Player Hexagonal Chess",
        names: &[
            "3-player hexagonal",
            "three-player hexagonal",
            "three-player hexagonal chess",
            "3 player hexagon chess",
            "hexagonal chess for three players",
        ],
        why: "several games have this name, and all have three players on hexagons",
        rule: "UND-3",
    },
    Undefined {
        title: "Anti-King Chess",
        names: &["anti-king", "antiking", "antiking chess"],
        why: "two games have this name; write antiking-1 (Berolina pawns) or antiking-2",
        rule: "UND-6",
    },
    Undefined {
        title: "Super Chess",
        names: &["superchess"],
        why: "only the idea of it is known, that all pieces gain the king's move",
        rule: "UND-7",
    },
    Undefined {
        title: "Different Augmented Knights",
        names: &["augmented knights"],
        why: "only its four kinds of knights are known, not how they are chosen",
        rule: "UND-8",
    },
    Undefined {
        title: "Chess with Different Armies",
        names: &["different armies", "cwda"],
        why: "no text at hand gives its armies; a definition with `armies` can say them",
        rule: "UND-9",
    },
];

/// The error for the name of a game that is known and not defined, also after the title of a mutator.
pub(super) fn undefined(name: &str, mutators: &[Mutator]) -> Option<RegistryError> {
    let folded = fold(name);
    let fronts = mutators.iter().flat_map(|mutator| [fold(&mutator.title), fold(&mutator.mutator)]);
    let rests = fronts.filter_map(|front| folded.strip_prefix(&front)).filter(|rest| rest.starts_with(' '));
    let mut wanted = rests.chain([folded.as_str()]).map(words);
    let is_named = |wanted: &Vec<String>, game: &Undefined| {
        [game.title].iter().chain(game.names).any(|name| words(name) == *wanted)
    };
    let game = wanted.find_map(|wanted| UNDEFINED.iter().find(|game| is_named(&wanted, game)))?;
    Some(RegistryError::Undefined { title: game.title, why: game.why, rule: game.rule })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Registry;

    /// Every game that one of the five sources names is played, or refused with the reason.
    #[test]
    fn names_of_the_sources_are_known() {
        let registry = Registry::built_in();
        for (name, game) in [
            ("IAGO Chess", "iago-b"),
            ("Misere' Chess", "misere+chess"),
            ("Misere'+chess", "misere+chess"),
            ("Bare King+iago-b", "bareking+iago-b"),
            ("Crazyhouse", "crazyhouse"),
            ("iChess", "ichess"),
            ("INGOLS", "ingols"),
            ("Chaos's Chess", "chaos+chess"),
            ("Anti-King Chess v.1", "antiking-1"),
            ("Anti-King Chess v.2", "antiking-2"),
            ("Magician's Deathmatch", "magicians-deathmatch"),
            ("Chaos's Omega Chess", "chaos+omega"),
            ("Chaos's Xiangqi", "chaos+xiangqi"),
            ("Chaos's Shatranj", "chaos+shatranj"),
            ("Chaos's Makruk", "chaos+makruk"),
            ("Chaos's Shogi", "chaos+shogi"),
            ("Chaos's Jianggi", "chaos+janggi"),
            ("Chaos's Chaturanga", "chaos+chaturanga"),
            ("Chaos's Anti-King Chess v.1", "chaos+antiking-1"),
            ("Augmented Chess", "augmented"),
            ("Chess960", "chess960"),
            ("Bughouse", "bughouse"),
            ("Tandem Chess", "bughouse"),
            ("Pal Benko's Pre-Chess", "placement"),
            ("Pre-Chess", "placement"),
        ] {
            assert_eq!(registry.canonical_name(name).as_deref(), Ok(game), "{name}");
        }
    }

    #[test]
    fn games_without_a_definition_are_known() {
        for (name, rule) in [
            ("Bulldog with Witch and Guard", "UND-1"),
            ("Bulldog Chess with Guard and Witch", "UND-1"),
            ("Deserted Empire", "UND-2"),
            ("Chaos's Deserted Empire", "UND-2"),
            ("3-Player Hexagonal", "UND-3"),
            ("Anti-King Chess", "UND-6"),
            ("Super Chess", "UND-7"),
            ("Different Augmented Knights", "UND-8"),
            ("Chess with Different Armies", "UND-9"),
        ] {
            let error = Registry::built_in().canonical_name(name).expect_err(name);
            assert!(error.to_string().contains(&format!("({rule})")), "{name}: {error}");
        }
        for game in &UNDEFINED {
            for name in [game.title].iter().chain(game.names) {
                assert!(undefined(name, &[]).is_some(), "{name}");
            }
        }
        for name in ["chess", "hexagonal", "empire", "Omega Chess", "chaos+omega", ""] {
            assert_eq!(undefined(name, &[]), None, "{name}");
        }
    }
}
