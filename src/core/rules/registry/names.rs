//! Resolves names such as `misere+iago b`.

use super::undefined::undefined;
use super::{Mutator, Registry, RegistryError, normal};
use crate::text::distance;
use crate::text::fold::fold;

impl Registry {
    /// The name of a game in its canonical form: aliases and titles resolved, mutators in their fixed order.
    ///
    /// # Errors
    /// If a part of the name is unknown or in the wrong place, or a mutator is repeated.
    pub fn canonical_name(&self, variant: &str) -> Result<String, RegistryError> {
        let (mutators, game) = self.split_name(variant)?;
        Ok(mutators.iter().map(|mutator| format!("{}+", mutator.mutator)).collect::<String>() + &game)
    }

    /// True for the name of a game that the program brings, mutators included. No definition that is sent takes it.
    pub fn is_built_in_name(name: &str) -> bool {
        Registry::built_in().canonical_name(name).is_ok_and(|known| known == name)
    }

    /// The name for an alias or a title, as people write it (`B-Class IAGO Chess`, `Misère Chess`); any other name in
    /// lower case.
    pub(super) fn resolved(&self, name: &str) -> String {
        let name = normal(name);
        if self.games.contains_key(&name) {
            return name;
        }
        let known = self.aliases.get(&name).cloned();
        known
            .or_else(|| self.by_words(&name))
            .or_else(|| self.by_mutator(&name))
            .or_else(|| self.by_suffix(&name))
            .unwrap_or(name)
    }

    /// The only game with a name, alias or title of the same words, in any order.
    fn by_words(&self, name: &str) -> Option<String> {
        let wanted = words(name);
        let names = self.games.keys().map(|game| (game, game));
        let titles = self.games.iter().filter_map(|(game, editions)| {
            let title = editions.values().next_back()?.text("title")?;
            Some((title, game))
        });
        let names = names.map(|(name, game)| (name.as_str(), game));
        let aliases = self.aliases.iter().map(|(alias, game)| (alias.as_str(), game));
        let mut found = names.chain(titles).chain(aliases).filter(|(name, _)| words(name) == wanted);
        let (_, game) = found.next()?;
        found.all(|(_, other)| other == game).then(|| game.clone())
    }

    /// A mutator in front of a game without a `+`: `Chaos's iChess`.
    fn by_mutator(&self, name: &str) -> Option<String> {
        let folded = fold(name);
        self.mutators.iter().find_map(|mutator| {
            let names = [&mutator.title, &mutator.mutator].into_iter().filter(|name| !name.trim().is_empty());
            let mut names = names.map(|name| fold(name));
            let game =
                names.find_map(|front| folded.strip_prefix(&front).filter(|rest| rest.starts_with(' ')))?;
            let game = self.resolved(game);
            let (_, inner) = game.rsplit_once('+').unwrap_or(("", &game));
            self.games.contains_key(inner).then(|| format!("{}+{game}", mutator.mutator))
        })
    }

    /// A mutator that stands after a game: `Atomic960`, `S-Chess 960`.
    fn by_suffix(&self, name: &str) -> Option<String> {
        let folded = fold(name);
        self.mutators.iter().find_map(|mutator| {
            let game = folded.strip_suffix(mutator.suffix.as_deref()?)?.trim_end();
            let game = self.resolved(game);
            self.games.contains_key(&game).then(|| format!("{}+{game}", mutator.mutator))
        })
    }

    /// The mutators and the game of a name.
    pub(super) fn split_name(&self, variant: &str) -> Result<(Vec<&Mutator>, String), RegistryError> {
        let whole = normal(variant);
        if whole.contains('+') && self.games.contains_key(&whole) {
            return Ok((Vec::new(), whole));
        }
        let mut parts: Vec<String> = variant.split('+').map(normal).collect();
        if parts.len() > 1 && parts.iter().any(String::is_empty) {
            return Err(nothing_beside_plus(variant, &parts));
        }
        // An alias may stand for a mutator and a game (`chaos`), but only as the last part.
        let last = parts.pop().unwrap_or_default();
        parts.extend(self.resolved(&last).split('+').map(str::to_owned));
        parts.iter_mut().for_each(|part| self.spell_mutator(part));
        let mut game = parts.pop().unwrap_or_default();
        let is_game = |part: &&String| !self.is_mutator(part) || self.games.contains_key(part.as_str());
        // A name that is both, as `chess960`, is the mutator after another game, and the game itself over chess.
        if self.is_mutator(&game)
            && self.games.contains_key(&game)
            && let Some(before) = parts.last().filter(is_game).map(|part| self.resolved(part))
            && self.games.contains_key(&before)
            && before != game
        {
            *parts.last_mut().unwrap_or(&mut game) = std::mem::replace(&mut game, before);
        }
        if game == "chess"
            && let Some(at) =
                parts.iter().rposition(|part| self.games.contains_key(part) && self.is_mutator(part))
        {
            game = parts.remove(at);
        }
        if !self.games.contains_key(&game) {
            return Err(if self.is_mutator(&game) {
                self.not_in_front(&parts, &game)
            } else {
                self.unknown(&game)
            });
        }
        if let Some(odd) = parts.iter().find(|part| !self.is_mutator(part)) {
            let inner = self.resolved(odd);
            if !self.games.contains_key(&inner) {
                return Err(self.unknown(odd));
            }
            let message = format!("`{odd}` is a game, but it is before `+` in `{}`", variant.trim());
            return Err(RegistryError::Name(format!("{message}; only mutators can be there")));
        }
        let mut mutators = Vec::new();
        for known in &self.mutators {
            let named = parts.iter().chain([&game]).filter(|part| **part == known.mutator).count();
            let own = usize::from(game == known.mutator && !parts.contains(&game));
            match named - own {
                0 => {}
                1 => mutators.push(known),
                _ => {
                    let clash = "the mutator is repeated; name it once".to_owned();
                    return Err(RegistryError::Clash { mutator: known.mutator.clone(), game, clash });
                }
            }
        }
        Ok((mutators, game))
    }

    /// Writes a mutator's own name for its title, or for that name with other signs: `Misere'`, `Bare King`.
    fn spell_mutator(&self, part: &mut String) {
        let letters =
            |name: &str| fold(name).chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
        if self.games.contains_key(part.as_str()) || self.is_mutator(part) {
            return;
        }
        let named = letters(part);
        let meant =
            |known: &&Mutator| [&known.mutator, &known.title].iter().any(|name| letters(name) == named);
        if let Some(known) = self.mutators.iter().find(meant) {
            part.clone_from(&known.mutator);
        }
    }

    fn is_mutator(&self, name: &str) -> bool {
        self.mutators.iter().any(|known| known.mutator == name)
    }

    /// The error for a mutator in the place of the game, with the probable intention.
    fn not_in_front(&self, before: &[String], mutator: &str) -> RegistryError {
        let games =
            before.iter().map(|part| self.resolved(part)).filter(|name| self.games.contains_key(name));
        let game = games.last().unwrap_or_else(|| "chess".into());
        let is_front = |part: &&str| self.is_mutator(part) && *part != game;
        let mut front: Vec<&str> = before.iter().map(String::as_str).filter(is_front).collect();
        front.push(mutator);
        front.dedup();
        RegistryError::Name(format!(
            "`{mutator}` is a mutator; write it before a game: `{}+{game}`",
            front.join("+")
        ))
    }

    /// The error for an unknown game.
    pub(super) fn unknown(&self, name: &str) -> RegistryError {
        if let Some(undefined) = undefined(name, &self.mutators) {
            return undefined;
        }
        let mutators = self.mutators.iter().map(|known| &known.mutator);
        let names = self.games.keys().chain(self.aliases.keys()).chain(mutators);
        let near = names.map(|known| (distance(known, name), known)).filter(|(d, _)| *d <= 2).min();
        let hint = match near {
            _ if CLASSES_OF_MANY.contains(&name) => " (it is a class of many games)".to_owned(),
            Some((_, known)) => format!("; did you mean `{known}`?"),
            None => String::new(),
        };
        RegistryError::Unknown { name: name.to_owned(), hint }
    }
}

/// Classes that do not name a game; A, B, C and M are one game each.
const CLASSES_OF_MANY: [&str; 4] = ["av-class", "va-class", "v-class", "x-class"];

/// The words of a name in alphabetical order, without case, accents and punctuation.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = fold(name).split_whitespace().map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// The error for a `+` with a missing side.
fn nothing_beside_plus(variant: &str, parts: &[String]) -> RegistryError {
    let place = match parts {
        [.., last] if last.is_empty() => "the game after the last `+` is missing",
        [first, ..] if first.is_empty() => "the mutator before the first `+` is missing",
        _ => "a mutator between two `+` is missing",
    };
    RegistryError::Name(format!(
        "`{}`: {place}; `+` joins mutators and a game, as in `misere+chess`",
        variant.trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::classify::{Class, classify};

    fn wrong(name: &str) -> String {
        Registry::built_in().canonical_name(name).unwrap_err().to_string()
    }

    #[test]
    fn a_mutator_in_the_place_of_the_game_has_its_own_message() {
        for (name, meant) in [
            ("misere", "misere+chess"),
            ("chess+misere", "misere+chess"),
            ("IAGO B+misere", "misere+iago-b"),
            ("chaos+misere", "chaos+misere+chess"),
            ("misere+bareking", "misere+bareking+chess"),
        ] {
            let message = wrong(name);
            assert!(message.contains(&format!("before a game: `{meant}`")), "{name}: {message}");
            assert!(Registry::built_in().canonical_name(meant).is_ok(), "{meant}");
        }
        assert!(wrong("chess+makruk").contains("`chess` is a game"));
        assert!(wrong("miser").contains("did you mean `misere`?"));
        assert!(wrong("mis+chess").contains("unknown variant `mis`"));
    }

    #[test]
    fn a_plus_with_nothing_beside_it_is_named() {
        assert!(wrong("+chess").contains("`+chess`: the mutator before"));
        assert!(wrong("chess+").contains("`chess+`: the game after"));
        assert!(wrong("misere++chess").contains("a mutator between"));
        assert!(wrong("+").contains("as in `misere+chess`"));
    }

    #[test]
    fn titles_and_classes_are_names_too() {
        let registry = Registry::built_in();
        for game in registry.list().into_iter().filter(|game| !game.mutator) {
            for title in [game.title.clone(), game.title.to_uppercase(), game.title.replace(',', "")] {
                assert_eq!(registry.canonical_name(&title).as_deref(), Ok(game.name.as_str()), "{title}");
            }
        }
        for (name, game) in
            [("iago a", "chess"), ("IAGO A-Class", "chess"), ("IAGO B", "iago-b"), ("iago m", "iago-m")]
        {
            assert_eq!(registry.canonical_name(name).as_deref(), Ok(game), "{name}");
        }
        // The name of a class names the game if it is the only one of the class.
        for game in registry.list().into_iter().filter(|game| !game.mutator) {
            let Ok((definition, _)) = registry.definition(&game.name, &|_| None) else { continue };
            let class = classify(&definition, &game.name).class;
            let named = registry.canonical_name(&format!("{class}-Class"));
            match class {
                Class::A | Class::B | Class::C | Class::M => assert_eq!(named, Ok(game.name)),
                _ => {
                    let message = named.unwrap_err().to_string();
                    let wanted = "` (it is a class of many games); `ferz variants";
                    assert!(message.contains(wanted), "{message}");
                }
            }
        }
        assert_eq!(registry.canonical_name("misere+IAGO Chess B-Class").as_deref(), Ok("misere+iago-b"));
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        for (name, game) in [
            ("Chaos's iChess", "chaos+ichess"),
            ("Chaos\u{2019}s Chess", "chaos+chess"),
            ("chaos IAGO B", "chaos+iago-b"),
            ("Mis\u{e8}re Chess", "misere+chess"),
            ("misere i-chess", "misere+ichess"),
            ("Bare King Chess", "bareking+chess"),
            ("Chaos's Mis\u{e8}re Chess", "misere+chaos+chess"),
            ("B-Class IAGO Chess", "iago-b"),
            ("Class B IAGO Chess", "iago-b"),
            ("FRC", "chess960"),
            ("wild/fr", "chess960"),
            ("chess-960", "chess960"),
            ("Chess_960", "chess960"),
            ("S Chess", "seirawan"),
            ("Crazy-House", "crazyhouse"),
            ("Atomic960", "chess960+atomic"),
            ("atomic 960", "chess960+atomic"),
            ("S-Chess960", "chess960+seirawan"),
            ("Crazyhouse 960", "chess960+crazyhouse"),
            ("chess960+Atomic", "chess960+atomic"),
            ("atomic+chess960", "chess960+atomic"),
            ("chess960+chess", "chess960"),
            ("chess+chess960", "chess960"),
            ("chaos+chess960", "chaos+chess960"),
            ("misere+Atomic960", "misere+chess960+atomic"),
            ("960", "chess960"),
            ("iago-b+chess", "iago-b"),
            ("chess+iago-b", "iago-b"),
            ("iago-b+chess960", "chess960+iago-b"),
            ("chess960+iago-b+chess", "chess960+iago-b"),
            ("IAGO B-Class Makruk", "iago-b+makruk"),
            ("misere+iago-b+makruk", "misere+iago-b+makruk"),
        ] {
            assert_eq!(Registry::built_in().canonical_name(name).as_deref(), Ok(game), "{name}");
        }
        for name in ["chess chess", "Chaos's nonsense", "+", "", "nonsense960", "chess960+chess960"] {
            assert!(Registry::built_in().canonical_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_mutated_game_has_not_the_names_of_the_game_below() {
        let aliases = |name: &str| Registry::built_in().definition(name, &|_| None).unwrap().0.aliases;
        assert!(aliases("chaos").contains(&"chaos chess".to_owned()));
        assert!(aliases("chaos").iter().all(|alias| alias.contains("chaos")));
        assert_eq!(aliases("chaos+iago-b"), [""; 0]);
        assert_eq!(aliases("misere+chess"), [""; 0]);
    }
}
