//! A record is bound to its rules: if the program has different rules of that name, the stored ones are used.

use super::error::ArchiveError;
use super::submission::Submission;
use super::{Archive, Entry, rules_text};
use ferz_core::rules::{Registry, RulesId};
use ferz_core::text::{Budget, Exhausted};
use ferz_records::record::{Record, read};
use ferz_records::replay::{Options, Replayer, Source};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Rules that an archive keeps.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeptRules {
    /// Their identity, with the digest of what the definition says about play.
    pub id: RulesId,
    /// The digest of the whole definition, words and spellings included: the SHA-256 of its file, 64 hexadecimal
    /// digits. Two definitions of one play can read records differently.
    pub whole: String,
}

/// The rules that games of an archive were judged by, beside the current ones.
#[derive(Debug)]
pub struct Rulebooks<'a> {
    archive: Archive,
    current: &'a Registry,
    /// By the current rules. Its games are compiled once, for all records.
    today: Replayer<'a>,
    /// Stored rules that differ from the current ones, loaded on demand.
    stored: Mutex<HashMap<KeptRules, Arc<Registry>>>,
    /// The classes of codified rules, by the digest of the whole definition; read on demand.
    codified: OnceLock<HashMap<String, String>>,
}

/// The source of a record's rules.
#[derive(Debug, Clone)]
pub enum Rulebook<'a> {
    /// The current rules.
    Current(&'a Registry),
    /// The stored rules, which differ from the current ones.
    Stored(Arc<Registry>),
}

impl Deref for Rulebook<'_> {
    type Target = Registry;

    fn deref(&self) -> &Registry {
        match self {
            Rulebook::Current(registry) => registry,
            Rulebook::Stored(registry) => registry,
        }
    }
}

impl<'a> Rulebooks<'a> {
    /// The stored rules of an archive beside the current ones.
    pub fn new(archive: &Archive, current: &'a Registry) -> Rulebooks<'a> {
        let today = Replayer::new(current, Options::default());
        Rulebooks {
            archive: archive.clone(),
            current,
            today,
            stored: Mutex::default(),
            codified: OnceLock::new(),
        }
    }

    /// The rules by which a record was judged; the current ones if it could not be judged.
    ///
    /// # Errors
    /// If the stored rules are damaged, or the archive cannot be read.
    pub fn of(
        &self,
        record: &Record<'_>,
        options: &Options,
        rules: Option<&KeptRules>,
    ) -> Result<Rulebook<'a>, ArchiveError> {
        let Some(rules) = rules else { return Ok(Rulebook::Current(self.current)) };
        let current = self.today.with_options(options.clone()).game(record).ok();
        if current.is_some_and(|game| *game.id() == rules.id && game.whole() == rules.whole) {
            return Ok(Rulebook::Current(self.current));
        }
        let stored = self.stored(rules)?;
        if named(&stored, record, options).as_ref() != Some(&rules.id) {
            let RulesId { name, edition, .. } = &rules.id;
            let message = format!("the rules of {name}, edition {edition}, do not match their digest");
            return Err(ArchiveError::Corrupt(message));
        }
        Ok(Rulebook::Stored(stored))
    }

    /// The class under which rules were codified when they were first asked for, if they were.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn codified_class(&self, rules: Option<&KeptRules>) -> Result<Option<String>, ArchiveError> {
        let codified = match self.codified.get() {
            Some(codified) => codified,
            None => {
                let steps = self.archive.register()?.into_iter();
                let codified = steps.filter_map(|step| Some((step.rules.whole, step.class?))).collect();
                self.codified.get_or_init(|| codified)
            }
        };
        Ok(rules.and_then(|rules| codified.get(&rules.whole).cloned()))
    }

    /// Does work on a record with a replayer by the rules that it was judged by, and says which these are.
    ///
    /// # Errors
    /// If the stored rules are damaged, or the archive cannot be read.
    pub(super) fn with<T>(
        &self,
        record: &Record<'_>,
        options: &Options,
        rules: Option<&KeptRules>,
        work: impl FnOnce(&mut Replayer<'_>) -> T,
    ) -> Result<(Rulebook<'a>, T), ArchiveError> {
        let book = self.of(record, options, rules)?;
        let worked = match &book {
            Rulebook::Current(_) => work(&mut self.today.with_options(options.clone())),
            Rulebook::Stored(stored) => work(&mut Replayer::new(stored, options.clone())),
        };
        Ok((book, worked))
    }

    /// Judges a record: by the rules that its tag `RulesDigest` names if the archive holds them, else by those of
    /// `replayer`, which are the current ones.
    ///
    /// # Errors
    /// If the budget ends before the work; if the archive cannot be read, or memory for packing runs out.
    pub fn judge(
        &self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Result<Submission, ArchiveError>, Exhausted> {
        match self.stated(replayer, record) {
            Ok(None) => Submission::judge_within(replayer, record, source, budget),
            Ok(Some(stored)) => {
                let mut replayer = Replayer::new(&stored, replayer.options().clone());
                Submission::judge_within(&mut replayer, record, source, budget)
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// The stored rules that a record names by their digest, if the current ones have another.
    ///
    /// # Errors
    /// If the stored rules are damaged, or the archive cannot be read.
    pub fn stated(
        &self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
    ) -> Result<Option<Arc<Registry>>, ArchiveError> {
        let Some(digest) = record.tag("RulesDigest") else { return Ok(None) };
        if replayer.game(record).is_ok() {
            return Ok(None);
        }
        let is_named = |rules: &KeptRules| {
            let is_play = rules.id.digest == *digest && Registry::is_built_in_name(&rules.id.name);
            is_play || rules.whole == *digest
        };
        let known: Vec<KeptRules> =
            self.archive.rules()?.into_iter().map(|(rules, _)| rules).filter(is_named).collect();
        // Of several editions of one play, the digest of play names none.
        let [rules] = &known[..] else { return Ok(None) };
        let stored = self.stored(rules)?;
        let same = named(&stored, record, replayer.options()).as_ref() == Some(&rules.id);
        Ok(Some(stored).filter(|_| same))
    }

    /// A registry of rules that the archive holds, before the current games.
    fn stored(&self, rules: &KeptRules) -> Result<Arc<Registry>, ArchiveError> {
        let known = || self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stored) = known().get(rules) {
            return Ok(Arc::clone(stored));
        }
        let stored = Arc::new(self.archive.kept_rules(rules)?);
        known().insert(rules.clone(), Arc::clone(&stored));
        Ok(stored)
    }
}

/// The identity of a record's rules in a registry.
pub(super) fn named(registry: &Registry, record: &Record<'_>, options: &Options) -> Option<RulesId> {
    Some(Replayer::new(registry, options.clone()).game(record).ok()?.id().clone())
}

impl Archive {
    /// The rules by which an entry's first text was judged.
    ///
    /// # Errors
    /// If the stored rules are damaged, or the archive cannot be read.
    pub fn rulebook<'a>(
        &self,
        entry: &Entry,
        text: &[u8],
        current: &'a Registry,
    ) -> Result<Rulebook<'a>, ArchiveError> {
        match read(text, 0).next() {
            Some(record) => Rulebooks::new(self, current).of(&record, &entry.options(), entry.rules.as_ref()),
            None => Ok(Rulebook::Current(current)),
        }
    }

    /// The current games, preceded by stored rules.
    ///
    /// # Errors
    /// If the stored rules are missing or damaged, or the archive cannot be read.
    pub fn kept_rules(&self, rules: &KeptRules) -> Result<Registry, ArchiveError> {
        let text = self.rules_text(rules)?;
        rules_text::registry(&text.ok_or_else(|| ArchiveError::Corrupt("rules are missing".to_owned()))?)
    }

    /// Rules that games were judged by, as a self-contained definition file; `None` if no game was.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn rules_text(&self, rules: &KeptRules) -> Result<Option<String>, ArchiveError> {
        self.store().definition(rules, self.limit())
    }

    /// All rules that games were judged by, sorted by name, with the numbers of games.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn rules(&self) -> Result<Vec<(KeptRules, u64)>, ArchiveError> {
        self.store().rules(self.limit())
    }
}
