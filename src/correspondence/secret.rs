//! What players commit to before they reveal it: armies, numbers for the lot, and the plies that are sealed when a game
//! is adjourned. A commitment is the SHA-256 of the secret, which therefore ends with something that cannot be guessed.

use ferz_core::board::Owner;
use ferz_core::rules::{Registry, RegistryError, armies, digest_of_file};
use ferz_records::play::Rules;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tags that name the armies of White and Black.
pub(crate) const ARMY_TAGS: [&str; 2] = ["WhiteArmy", "BlackArmy"];

/// The longest secret, in bytes.
pub(crate) const SECRET_BYTES_MAX: usize = 512;

/// A secret of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Secret {
    /// The commitment.
    pub(crate) hash: Option<String>,
    /// The secret, once it is revealed.
    pub(crate) value: Option<String>,
}

impl Secret {
    /// True if a text is what the player committed to.
    pub(crate) fn is(&self, value: &str) -> bool {
        self.hash.as_deref().is_some_and(|hash| commits_to(hash, value))
    }
}

/// True if a hash is the commitment to a secret.
pub(crate) fn commits_to(hash: &str, value: &str) -> bool {
    hash == digest_of_file(value)
}

/// The form of a commitment: 64 hexadecimal digits, in lower case.
pub(crate) fn commitment(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(text)
}

/// What a secret says, with and without its last word: the part that cannot be guessed.
pub(crate) fn readings(value: &str) -> impl Iterator<Item = &str> {
    let value = value.trim();
    let without = value.rsplit_once(char::is_whitespace).map(|(before, _)| before.trim_end());
    [Some(value), without].into_iter().flatten()
}

/// The rules of a game with these armies.
fn rules_with(
    registry: &Registry,
    variant: &str,
    tags: &BTreeMap<String, String>,
    armies: [&str; 2],
) -> Result<Rules, RegistryError> {
    let chosen =
        |name: &str| ARMY_TAGS.iter().position(|tag| *tag == name).map(|side| armies[side].to_owned());
    registry.rules(variant, &|name| chosen(name).or_else(|| tags.get(name).cloned())).map(Rules::from)
}

/// The games among which two players choose, while they have not.
#[derive(Debug, Clone)]
pub(crate) struct OpenArmies {
    registry: Arc<Registry>,
    /// The first armies that may meet, which stand for those that are still secret.
    pub(crate) stand_ins: [String; 2],
}

impl OpenArmies {
    /// The armies of a game from which the players choose; `None` if it has none, or the tags choose them.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn of(
        registry: &Registry,
        variant: &str,
        tags: &BTreeMap<String, String>,
    ) -> Result<Option<OpenArmies>, RegistryError> {
        let (definition, _) = registry.definition(variant, &|name| tags.get(name).cloned())?;
        let section = &definition.armies;
        if section.slots.is_empty() || ARMY_TAGS.iter().any(|tag| tags.contains_key(*tag)) {
            return Ok(None);
        }
        let Ok(catalogue) = armies::catalogue(section) else { return Ok(None) };
        let all = || catalogue.armies(armies::repeats(section)).map(|army| catalogue.text(&army));
        let Some(white) = all().next() else { return Ok(None) };
        let may_meet = |black: &String| rules_with(registry, variant, tags, [&white, black]).is_ok();
        let Some(black) = all().find(may_meet) else { return Ok(None) };
        Ok(Some(OpenArmies { registry: Arc::new(registry.clone()), stand_ins: [white, black] }))
    }

    /// The rules with the stand-ins, among other games.
    ///
    /// # Errors
    /// If there is no such game, or it has no such armies.
    pub(crate) fn rules_in(
        &self,
        registry: &Registry,
        variant: &str,
        tags: &BTreeMap<String, String>,
    ) -> Result<Rules, RegistryError> {
        rules_with(registry, variant, tags, self.stand_ins.each_ref().map(String::as_str))
    }

    /// The rules with these armies.
    ///
    /// # Errors
    /// If the game has no such armies, or not together.
    pub(crate) fn rules(
        &self,
        variant: &str,
        tags: &BTreeMap<String, String>,
        armies: [&str; 2],
    ) -> Result<Rules, RegistryError> {
        rules_with(&self.registry, variant, tags, armies)
    }
}

/// The army that a secret names, in a game of this definition; the reason if it names none.
pub(crate) fn army_of(rules: &Rules, value: &str) -> Result<String, String> {
    let section = &rules.definition().armies;
    let catalogue = armies::catalogue(section).map_err(|error| error.to_string())?;
    let mut wrong = String::new();
    for text in readings(value) {
        match catalogue.parse(text, armies::repeats(section)) {
            Ok(army) => return Ok(catalogue.text(&army)),
            Err(error) => wrong = error.to_string(),
        }
    }
    Err(wrong)
}

/// The place of a player among those who keep secrets: White and Black.
pub(crate) fn place(player: Owner) -> Option<usize> {
    player.is_real().then(|| player.index())
}
