//! The entries in which a query can hold.

use super::segment::{Segment, unpack_tags};
use crate::Archive;
use crate::error::ArchiveError;
use crate::filter::{Criteria, Numbers};
use crate::rulebook::Rulebooks;
use ferz_core::text::limits::{INDEX_ENTRIES_AT_ONCE, INDEX_FACTS_ASKED_MAX, INDEX_RULES_ASKED_MAX};
use ferz_records::replay::{AnyTrace, trace_within};
use ferz_search::{FACTS_VERSION, Fact, Proposal, RulesKey};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// What the index said to a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Proposed {
    /// Entries that its segments cover.
    pub indexed: u64,
    /// Those among them in which the query can hold.
    pub proposed: u64,
    /// Entries that it does not cover, all of which are looked at.
    pub not_indexed: u64,
}

/// The entries in which a query can hold, the latest first.
#[derive(Debug)]
pub(crate) struct Candidates {
    portions: Vec<Numbers>,
    pub(crate) proposed: Proposed,
}

/// What a query proposes in games of one kind of rules. `None` if it proposes none of them.
pub(crate) type Ask<'a> = dyn FnMut(&AnyTrace) -> Option<Proposal> + 'a;

impl Candidates {
    /// Those with numbers below `before`, portion by portion.
    pub(crate) fn portions(self, before: Option<i64>) -> impl Iterator<Item = Numbers> {
        let is_before = move |numbers: &Numbers| before.is_none_or(|before| numbers.least() < before);
        self.portions.into_iter().filter(is_before)
    }

    fn scan(&mut self, first: i64, end: i64) {
        if first < end {
            self.portions.push(Numbers::Within(first, end - 1));
            self.proposed.not_indexed += (end - first) as u64;
        }
    }
}

impl Archive {
    /// The entries in which a query can hold, by what it proposes.
    ///
    /// # Errors
    /// If the archive cannot be read or its index is damaged.
    pub(crate) fn candidates(
        &self,
        books: &Rulebooks<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<Candidates, ArchiveError> {
        let end = i64::try_from(self.counts()?.games).unwrap_or(i64::MAX).saturating_add(1);
        let mut asked = HashMap::new();
        let mut all = Candidates { portions: Vec::new(), proposed: Proposed::default() };
        // Entries that came meanwhile are later ones.
        let mut next = end;
        for segment in self.store().segments(self.limit())?.iter().rev() {
            let games = match self.games_of(segment, books, &mut asked, ask) {
                // `verify` names the damage; an answer needs no index.
                Err(ArchiveError::Corrupt(_)) => None,
                games => games?,
            };
            let Some(games) = games else { continue };
            all.scan(segment.end(), next);
            next = segment.first;
            all.proposed.indexed += segment.games as u64;
            all.proposed.proposed += games.len() as u64;
            all.portions
                .extend(games.chunks(INDEX_ENTRIES_AT_ONCE).map(|some| Numbers::Among(some.to_vec())));
        }
        all.scan(1, next);
        Ok(all)
    }

    /// The numbers of a segment's entries in which the query can hold, the latest first; `None` if the segment cannot
    /// be asked, or to ask it costs more than to look at its entries.
    fn games_of(
        &self,
        segment: &Segment,
        books: &Rulebooks<'_>,
        asked: &mut HashMap<RulesKey, Proposal>,
        ask: &mut Ask<'_>,
    ) -> Result<Option<Vec<i64>>, ArchiveError> {
        let new = segment.rules.keys().filter(|key| !asked.contains_key(key)).count();
        if segment.version != FACTS_VERSION || asked.len() + new > INDEX_RULES_ASKED_MAX {
            return Ok(None);
        }
        // Of what cannot be judged, nothing is known.
        let mut proposals = vec![Proposal::Has(vec![Fact::NOT_JUDGED])];
        for (key, game) in &segment.rules {
            if !asked.contains_key(key) {
                let number = segment.first + i64::from(*game);
                let Some(proposal) = self.proposal(number, books, ask)? else { return Ok(None) };
                asked.insert(*key, proposal);
            }
            proposals.extend(asked.get(key).cloned());
        }
        let mut proposal = Proposal::some(proposals);
        if proposal.asks_tags() {
            let Some(tags) = self.store().tags(segment, self.limit())? else { return Ok(None) };
            proposal = proposal.resolved(&unpack_tags(&tags)?);
        }
        let mut facts = proposal.facts();
        facts.sort_unstable();
        facts.dedup();
        if facts.len() > INDEX_FACTS_ASKED_MAX {
            return Ok(None);
        }
        let Some(blocks) = self.store().blocks(segment, Some(&facts), self.limit())? else { return Ok(None) };
        let mut known = BTreeMap::new();
        for block in &blocks {
            segment.read(block, &facts, &mut known)?;
        }
        let games = segment.proposed(&proposal, &known);
        Ok(Some(games.iter().rev().map(|game| segment.first + i64::from(game)).collect()))
    }

    /// What a query proposes in games with the rules of the entry with this number; `None` if it was forgotten.
    fn proposal(
        &self,
        number: i64,
        books: &Rulebooks<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<Option<Proposal>, ArchiveError> {
        let wanted = Criteria { numbers: Some(Numbers::Within(number, number)), ..Criteria::default() };
        let texts = self.store().texts(&wanted, crate::Which::First, 0, self.limit())?;
        let Some((_, text)) = texts.first() else { return Ok(None) };
        let budget = self.budget();
        let mut proposal = None;
        text.replay(books, &budget, |replayer, record, source| {
            if let Ok(trace) = trace_within(replayer, record, source, 0, &budget)? {
                proposal = Some(ask(&trace).unwrap_or(Proposal::Has(Vec::new())));
            }
            Ok(())
        })?;
        Ok(proposal)
    }
}
