//! Rules of a game by its name.

use ferz_core::board::by_width;
use ferz_core::rules::{AnyRules, Definition, Registry, RegistryError, RulesId};

/// The rules of one game; cheap to clone.
///
/// ```
/// use ferz_records::play::Rules;
/// let rules = Rules::named("iago-b")?;
/// assert_eq!((rules.id().name.as_str(), rules.id().edition.as_str()), ("iago-b", "2008"));
/// // What a record chooses by its tags is chosen by tags here, too.
/// let armies = Rules::with_tags("augmented", &[("WhiteArmy", "FIDE"), ("BlackArmy", "FIDE")]);
/// # let _ = armies;
/// # Ok::<(), ferz_core::rules::RegistryError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rules(pub(super) AnyRules);

impl Rules {
    /// The rules of a built-in game, mutators first: `chess`, `chaos+iago-b`.
    ///
    /// # Errors
    /// If no game has that name, or it needs tags.
    pub fn named(name: &str) -> Result<Rules, RegistryError> {
        Rules::with_tags(name, &[])
    }

    /// The rules of a built-in game as a record with these tags chooses them.
    ///
    /// # Errors
    /// If no game has that name, or a tag is missing or makes no sense.
    pub fn with_tags(name: &str, tags: &[(&str, &str)]) -> Result<Rules, RegistryError> {
        Rules::of(Registry::built_in(), name, tags)
    }

    /// The rules of a game of a registry, which may hold games of the caller's own.
    ///
    /// # Errors
    /// As [`Rules::with_tags`].
    pub fn of(registry: &Registry, name: &str, tags: &[(&str, &str)]) -> Result<Rules, RegistryError> {
        let value =
            |tag: &str| tags.iter().find(|(name, _)| *name == tag).map(|(_, value)| (*value).to_owned());
        registry.rules(name, &value).map(Rules)
    }

    /// Their identity: name, edition, digest.
    pub fn id(&self) -> &RulesId {
        self.0.id()
    }

    /// The digest of their whole definition, words included: SHA-256, 64 hexadecimal digits.
    pub fn whole(&self) -> &str {
        by_width!(AnyRules, &self.0, |rules| rules.file.digest())
    }

    /// True if the game has Nature as its third player.
    pub fn has_nature(&self) -> bool {
        by_width!(AnyRules, &self.0, |rules| rules.nature.is_some())
    }

    /// The merged definition that they were compiled from.
    pub fn definition(&self) -> &Definition {
        self.0.definition()
    }

    /// The article that a reason or an ending rests on in this game: `castling-blocked` is `FIDE 3.8` in chess.
    pub fn cite<'a>(&'a self, id: &str, article: &'a str) -> &'a str {
        by_width!(AnyRules, &self.0, |rules| rules.cite(id, article))
    }
}

impl From<AnyRules> for Rules {
    fn from(rules: AnyRules) -> Rules {
        Rules(rules)
    }
}
