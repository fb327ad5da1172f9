//! A record is bound to its rules: if the program has different rules of that name, the stored ones are used.

use super::error::ArchiveError;
use super::{Archive, Entry, rules_text};
use crate::record::{Record, read};
use crate::replay::{Options, Replayer};
use crate::rules::{Registry, RulesId};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// The rules that games of an archive were judged by, beside the current ones.
#[derive(Debug)]
pub struct Rulebooks<'a> {
    archive: Archive,
    current: &'a Registry,
    /// Stored rules that differ from the current ones, loaded on demand.
    stored: Mutex<HashMap<RulesId, Arc<Registry>>>,
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
        Rulebooks { archive: archive.clone(), current, stored: Mutex::default() }
    }

    /// The rules by which a record was judged; the current ones if it could not be judged.
    ///
    /// # Errors
    /// If the stored rules are damaged, or the archive cannot be read.
    pub fn of(
        &self,
        record: &Record<'_>,
        options: &Options,
        rules: Option<&RulesId>,
    ) -> Result<Rulebook<'a>, ArchiveError> {
        let Some(rules) = rules else { return Ok(Rulebook::Current(self.current)) };
        if named(self.current, record, options).as_ref() == Some(rules) {
            return Ok(Rulebook::Current(self.current));
        }
        let known = self.stored.lock().unwrap_or_else(PoisonError::into_inner).get(rules).cloned();
        let stored = match known {
            Some(stored) => stored,
            None => Arc::new(self.archive.kept_rules(rules)?),
        };
        if named(&stored, record, options).as_ref() != Some(rules) {
            let RulesId { name, edition, .. } = rules;
            let message = format!("the rules of {name}, edition {edition}, do not match their digest");
            return Err(ArchiveError::Corrupt(message));
        }
        self.stored.lock().unwrap_or_else(PoisonError::into_inner).insert(rules.clone(), Arc::clone(&stored));
        Ok(Rulebook::Stored(stored))
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
    fn kept_rules(&self, rules: &RulesId) -> Result<Registry, ArchiveError> {
        let text = self.rules_text(rules)?;
        rules_text::registry(&text.ok_or_else(|| ArchiveError::Corrupt("rules are missing".to_owned()))?)
    }

    /// Rules that games were judged by, as a self-contained definition file; `None` if no game was.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn rules_text(&self, rules: &RulesId) -> Result<Option<String>, ArchiveError> {
        self.store().definition(rules, self.limit())
    }

    /// All rules that games were judged by, sorted by name, with the numbers of games.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn rules(&self) -> Result<Vec<(RulesId, u64)>, ArchiveError> {
        self.store().rules(self.limit())
    }
}
