//! A record is bound to its rules: when the program has other ones of that name, the kept ones are taken.

use super::error::ArchiveError;
use super::{Archive, Entry, rules_text};
use crate::record::{Record, read};
use crate::replay::{Options, Replayer};
use crate::rules::{Registry, RulesId};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// The rules that games of an archive were judged by, and those that are known today.
#[derive(Debug)]
pub struct Rulebooks<'a> {
    archive: Archive,
    today: &'a Registry,
    /// Rules that are other ones today, as far as they were needed.
    kept: Mutex<HashMap<RulesId, Arc<Registry>>>,
}

/// Where the rules of a record are.
#[derive(Debug, Clone)]
pub enum Rulebook<'a> {
    /// They are those of today.
    Today(&'a Registry),
    /// They are other ones today; these are the kept ones.
    Kept(Arc<Registry>),
}

impl Deref for Rulebook<'_> {
    type Target = Registry;

    fn deref(&self) -> &Registry {
        match self {
            Rulebook::Today(registry) => registry,
            Rulebook::Kept(registry) => registry,
        }
    }
}

impl<'a> Rulebooks<'a> {
    /// Those of an archive beside those of today.
    pub fn new(archive: &Archive, today: &'a Registry) -> Rulebooks<'a> {
        Rulebooks { archive: archive.clone(), today, kept: Mutex::default() }
    }

    /// Where the rules are by which a record was judged. For one that could not be judged those of today.
    ///
    /// # Errors
    /// Where the kept rules are damaged, or the archive cannot be read.
    pub fn of(
        &self,
        record: &Record<'_>,
        options: &Options,
        rules: Option<&RulesId>,
    ) -> Result<Rulebook<'a>, ArchiveError> {
        let Some(rules) = rules else { return Ok(Rulebook::Today(self.today)) };
        if named(self.today, record, options).as_ref() == Some(rules) {
            return Ok(Rulebook::Today(self.today));
        }
        let known = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(rules).cloned();
        let kept = match known {
            Some(kept) => kept,
            None => Arc::new(self.archive.kept_rules(rules)?),
        };
        if named(&kept, record, options).as_ref() != Some(rules) {
            let RulesId { name, edition, .. } = rules;
            let message =
                format!("the rules of {name}, edition {edition}, are not those whose digest they have");
            return Err(ArchiveError::Corrupt(message));
        }
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(rules.clone(), Arc::clone(&kept));
        Ok(Rulebook::Kept(kept))
    }
}

/// The identity of a record's rules among those of a registry.
pub(super) fn named(registry: &Registry, record: &Record<'_>, options: &Options) -> Option<RulesId> {
    Some(Replayer::new(registry, options.clone()).game(record).ok()?.id().clone())
}

impl Archive {
    /// Where the rules are by which an entry's first text was judged.
    ///
    /// # Errors
    /// Where the kept rules are damaged, or the archive cannot be read.
    pub fn rulebook<'a>(
        &self,
        entry: &Entry,
        text: &[u8],
        today: &'a Registry,
    ) -> Result<Rulebook<'a>, ArchiveError> {
        match read(text, 0).next() {
            Some(record) => Rulebooks::new(self, today).of(&record, &entry.options(), entry.rules.as_ref()),
            None => Ok(Rulebook::Today(today)),
        }
    }

    /// The games that are known today, and in front of them rules that were kept.
    fn kept_rules(&self, rules: &RulesId) -> Result<Registry, ArchiveError> {
        let text = self.rules_text(rules)?;
        rules_text::registry(&text.ok_or_else(|| ArchiveError::Corrupt("rules are missing".to_owned()))?)
    }

    /// Rules that games were judged by, as a definition file that needs no other one; nothing if no game was.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn rules_text(&self, rules: &RulesId) -> Result<Option<String>, ArchiveError> {
        self.store().definition(rules, self.limit())
    }

    /// All rules that games were judged by, by name, with the number of games.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn rules(&self) -> Result<Vec<(RulesId, u64)>, ArchiveError> {
        self.store().rules(self.limit())
    }
}
