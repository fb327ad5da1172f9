//! The entries in which a query can hold.

use super::played::{self, Games};
use super::segment::{Segment, unpack_tags};
use crate::Archive;
use crate::error::ArchiveError;
use crate::filter::{Criteria, Numbers};
use crate::rulebook::Rulebooks;
use ferz_core::text::limits::{
    INDEX_ENTRIES_AT_ONCE, INDEX_FACTS_ASKED_MAX, INDEX_GAMES_PLAYED_AT_ONCE, INDEX_RULES_ASKED_MAX,
};
use ferz_core::text::{Budget, Exhausted};
use ferz_records::replay::AnyTrace;
use ferz_records::rewrite::each_board;
use ferz_search::{FACTS_VERSION, Fact, Proposal, RulesKey, Sieve};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

/// Games are played over where so many of each of their blocks are proposed: to unpack one takes time too.
const PLAYED_OF_A_BLOCK: usize = 8;

/// What the index said to a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Proposed {
    /// Entries that its segments cover.
    pub indexed: u64,
    /// Those among them in which the query can hold.
    pub proposed: u64,
    /// Those among the proposed ones that their plies rule out.
    pub ruled_out: u64,
    /// Entries that it does not cover, all of which are looked at.
    pub not_indexed: u64,
}

impl AddAssign for Proposed {
    fn add_assign(&mut self, other: Proposed) {
        self.indexed += other.indexed;
        self.proposed += other.proposed;
        self.ruled_out += other.ruled_out;
        self.not_indexed += other.not_indexed;
    }
}

/// What a search asks of games with the same rules.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) proposal: Proposal,
    /// Plays games over; `None` if that decides nothing.
    pub(crate) sieve: Option<Sieve>,
}

/// What a search asks of games with the rules of one. `None` if it asks for none of them.
pub(crate) type Ask<'a> = dyn FnMut(&AnyTrace) -> Option<Asked> + 'a;

/// The entries in which a query can hold, the latest first. Segments are asked when their turn comes: most pages are
/// full before.
pub(crate) struct Candidates<'a> {
    archive: &'a Archive,
    books: &'a Rulebooks<'a>,
    ask: &'a mut Ask<'a>,
    asked: HashMap<RulesKey, Asked>,
    /// Those that have not been asked, the last one at the end.
    segments: Vec<Segment>,
    /// The segment that was asked last, with the entries that it proposes and that were not given out, the next one at
    /// the end.
    open: Option<(Segment, Vec<i64>)>,
    /// The entries from this number on were given out.
    next: i64,
    pub(crate) proposed: Proposed,
}

/// Some of them.
#[derive(Debug)]
pub(crate) struct Portion {
    pub(crate) numbers: Numbers,
    /// All from this number on are in it or were in one before.
    pub(crate) first: i64,
}

impl Archive {
    /// The entries in which a query can hold, by what it asks, with numbers below `before`.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub(crate) fn candidates<'a>(
        &'a self,
        books: &'a Rulebooks<'a>,
        before: Option<i64>,
        ask: &'a mut Ask<'a>,
    ) -> Result<Candidates<'a>, ArchiveError> {
        // Entries that came meanwhile are later ones.
        let end = i64::try_from(self.counts()?.games).unwrap_or(i64::MAX).saturating_add(1);
        Ok(Candidates {
            archive: self,
            books,
            ask,
            asked: HashMap::new(),
            segments: self.store().segments(self.limit())?,
            open: None,
            next: before.map_or(end, |before| before.min(end)),
            proposed: Proposed::default(),
        })
    }
}

impl Candidates<'_> {
    /// The next ones; `None` after the last. With `play_over`, those are left out that their plies rule out.
    ///
    /// # Errors
    /// If the archive cannot be read, or the budget ends before the work.
    pub(crate) fn next(&mut self, play_over: bool) -> Result<Option<Portion>, ArchiveError> {
        loop {
            if let Some((segment, left)) = self.open.take() {
                if !left.is_empty() {
                    return self.proposed_by(segment, left, play_over).map(Some);
                }
                self.proposed.indexed += (self.next - segment.first) as u64;
                self.next = segment.first;
            }
            let Some(segment) = self.segments.pop_if(|segment| segment.end() >= self.next) else {
                let first = self.segments.last().map_or(1, Segment::end);
                return Ok(self.not_indexed(first));
            };
            if segment.first >= self.next {
                continue;
            }
            match self.games_of(&segment) {
                Ok(Some(mut games)) => {
                    games.retain(|number| *number < self.next);
                    self.open = Some((segment, games));
                }
                // `verify` names the damage; an answer needs no index.
                Ok(None) | Err(ArchiveError::Corrupt(_)) => return Ok(self.not_indexed(segment.first)),
                Err(error) => return Err(error),
            }
        }
    }

    /// The entries from a number on that were not given out, all of them.
    fn not_indexed(&mut self, first: i64) -> Option<Portion> {
        let last = self.next - 1;
        self.next = self.next.min(first);
        (first <= last).then(|| {
            self.proposed.not_indexed += (last - first + 1) as u64;
            Portion { numbers: Numbers::Within(first, last), first }
        })
    }

    /// The next entries of those that a segment proposes.
    fn proposed_by(
        &mut self,
        segment: Segment,
        mut left: Vec<i64>,
        play_over: bool,
    ) -> Result<Portion, ArchiveError> {
        let play_over = play_over && self.asked.values().any(|asked| asked.sieve.is_some());
        let most = if play_over { INDEX_GAMES_PLAYED_AT_ONCE } else { INDEX_ENTRIES_AT_ONCE };
        let mut numbers = left.split_off(left.len().saturating_sub(most));
        numbers.reverse();
        let first = numbers.last().map_or(self.next, |first| *first);
        let count = numbers.len() as u64;
        if play_over {
            numbers = self.not_ruled_out(&segment, numbers)?;
        }
        self.proposed += Proposed {
            indexed: (self.next - first) as u64,
            proposed: count,
            ruled_out: count - numbers.len() as u64,
            not_indexed: 0,
        };
        self.next = first;
        self.open = Some((segment, left));
        Ok(Portion { numbers: Numbers::Among(numbers), first })
    }

    /// Those among entries of a segment in which the query holds, or of which their plies do not say that it does not.
    fn not_ruled_out(&self, segment: &Segment, numbers: Vec<i64>) -> Result<Vec<i64>, ArchiveError> {
        let mut blocks: Vec<u32> = numbers.iter().map(|number| played::block_of(*number)).collect();
        blocks.dedup();
        if blocks.len() * PLAYED_OF_A_BLOCK > numbers.len() {
            return Ok(numbers);
        }
        let Some(found) = self.archive.store().games(segment, &blocks, self.archive.limit())? else {
            return Ok(numbers);
        };
        let budget = self.archive.budget();
        let mut block = None;
        let mut games = Games::default();
        let mut kept = Vec::new();
        for number in numbers {
            if block != Some(played::block_of(number)) {
                block = Some(played::block_of(number));
                let packed = found.iter().find(|(found, _)| Some(*found) == block);
                // A damaged one rules nothing out.
                let unpacked = packed.and_then(|packed| Games::unpack(packed, segment.first).ok());
                games = unpacked.unwrap_or_default();
            }
            if self.may_hold(games.game(number), &budget)? {
                kept.push(number);
            }
        }
        Ok(kept)
    }

    /// False if a game's plies rule it out.
    fn may_hold(&self, game: Option<(RulesKey, &[u8])>, budget: &Budget) -> Result<bool, ArchiveError> {
        let Some((key, game)) = game else { return Ok(true) };
        let sieve = self.asked.get(&key).and_then(|asked| asked.sieve.as_ref());
        let Some(sieve) = sieve else { return Ok(true) };
        budget.spend(sieve.units(game)).map_err(|Exhausted { .. }| ArchiveError::TooMuchWork)?;
        Ok(sieve.passes(game).unwrap_or(true))
    }

    /// The numbers of a segment's entries in which the query can hold, in order; `None` if the segment cannot be asked,
    /// or to ask it costs more than to look at its entries.
    fn games_of(&mut self, segment: &Segment) -> Result<Option<Vec<i64>>, ArchiveError> {
        let new = segment.rules.keys().filter(|key| !self.asked.contains_key(key)).count();
        if segment.version != FACTS_VERSION || self.asked.len() + new > INDEX_RULES_ASKED_MAX {
            return Ok(None);
        }
        let store = self.archive.store();
        // Of what cannot be judged, nothing is known.
        let mut proposals = vec![Proposal::Has(vec![Fact::NOT_JUDGED])];
        for (key, game) in &segment.rules {
            if !self.asked.contains_key(key) {
                let number = segment.first + i64::from(*game);
                let Some(asked) = self.asked_of(number)? else { return Ok(None) };
                self.asked.insert(*key, asked);
            }
            proposals.extend(self.asked.get(key).map(|asked| asked.proposal.clone()));
        }
        let mut proposal = Proposal::some(proposals);
        if proposal.asks_tags() {
            let Some(tags) = store.tags(segment, self.archive.limit())? else { return Ok(None) };
            proposal = proposal.resolved(&unpack_tags(&tags)?);
        }
        let mut facts = proposal.facts();
        facts.sort_unstable();
        facts.dedup();
        if facts.len() > INDEX_FACTS_ASKED_MAX {
            return Ok(None);
        }
        let Some(blocks) = store.blocks(segment, &facts, self.archive.limit())? else { return Ok(None) };
        let mut known = BTreeMap::new();
        for block in &blocks {
            segment.read(block, &facts, &mut known)?;
        }
        let games = segment.proposed(&proposal, &known);
        Ok(Some(games.iter().map(|game| segment.first + i64::from(game)).collect()))
    }

    /// What the search asks of games with the rules of the entry with this number; `None` if it was forgotten.
    fn asked_of(&mut self, number: i64) -> Result<Option<Asked>, ArchiveError> {
        let Candidates { archive, books, ask, .. } = self;
        let wanted = Criteria { numbers: Some(Numbers::Within(number, number)), ..Criteria::default() };
        let texts = archive.store().texts(&wanted, crate::Which::First, 0, archive.limit())?;
        let Some((_, text)) = texts.first() else { return Ok(None) };
        let budget = archive.budget();
        let mut asked = None;
        text.replay(books, &budget, |replayer, record, source| {
            // What is asked depends on the rules, which both boards of a game share.
            let mut look = |trace: &AnyTrace| {
                let nothing = Asked { proposal: Proposal::Has(Vec::new()), sieve: None };
                asked = Some(ask(trace).unwrap_or(nothing));
                Ok(())
            };
            each_board(replayer, record, source, &budget, |_, trace, _| look(trace)).map(|_| ())
        })?;
        Ok(asked)
    }
}
