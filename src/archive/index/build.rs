//! Building the index.

use super::block::GAMES_MAX;
use super::played::{self, Played};
use super::segment::{Contents, Found, NewSegment, Segment, blocks_of, pack_tags, unpack_tags};
use crate::Archive;
use crate::error::ArchiveError;
use crate::filter::{Criteria, Numbers};
use crate::rulebook::Rulebooks;
use crate::texts::{Text, Which};
use crate::writer::Job;
use ferz_core::rules::Registry;
use ferz_core::text::Budget;
use ferz_core::text::limits::{INDEX_FACTS_AT_ONCE, INDEX_WAITING_MAX};
use ferz_records::rewrite::each_board;
use ferz_search::{FACTS_VERSION, Fact, RulesKey, TagValues, facts, packed};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A segment is merged with the one before it unless that is so many times larger: each entry is then written again as
/// often as the logarithm of their number.
const LARGER: usize = 2;

/// How often an index is tried that changes while it is built.
const TRIES: usize = 16;

/// What was indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Indexed {
    /// Entries that were added.
    pub games: u64,
    /// Segments that the index now has.
    pub segments: usize,
}

/// What happened in an entry, and its game, if it could be judged.
struct Noted {
    number: i64,
    facts: Vec<Fact>,
    tags: TagValues,
    /// Its rules, if it could be judged.
    rules: Option<RulesKey>,
    /// The game packed, if it is on one board.
    game: Option<Played>,
}

impl Archive {
    /// Adds all entries that no segment of the index covers, and merges small segments. Calls `progress` with the
    /// number of entries after each step.
    ///
    /// ```
    /// # use ferz_archive::{Archive, Submission};
    /// # use ferz_core::rules::Registry;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// let archive = Archive::open(folder.path().join("games.ferz"))?;
    /// let indexed = archive.index(Registry::built_in(), &mut |_| ())?;
    /// assert_eq!((indexed.games, indexed.segments), (0, 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the archive cannot be read or written. What was added stays.
    pub fn index(&self, registry: &Registry, progress: &mut dyn FnMut(u64)) -> Result<Indexed, ArchiveError> {
        self.drop_segments(|segment| segment.version != FACTS_VERSION)?;
        let books = Rulebooks::new(self, registry);
        let mut indexed = Indexed::default();
        let mut tries = TRIES;
        while let Some((first, end)) = self.not_indexed()?.first().copied() {
            let new = self.segment(&books, first, end)?;
            let games = new.segment.games as u64;
            match self.ask(|reply| Job::Segment(Some(Box::new(new)), Vec::new(), reply)) {
                // A game was forgotten, or another program builds the index.
                Err(ArchiveError::IndexChanged) if tries > 0 => {
                    tries -= 1;
                    continue;
                }
                written => written?,
            }
            indexed.games += games;
            progress(games);
            self.merge()?;
        }
        indexed.segments = self.store().segments(self.limit())?.len();
        Ok(indexed)
    }

    /// Indexes where so many entries wait that searches would be slow, as after an import.
    ///
    /// # Errors
    /// As [`index`](Self::index).
    pub fn index_if_many_wait(
        &self,
        registry: &Registry,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Indexed, ArchiveError> {
        match self.waiting_for_index()? > INDEX_WAITING_MAX {
            true => self.index(registry, progress),
            false => Ok(Indexed::default()),
        }
    }

    /// Deletes the index. It loses nothing: searches then look at every entry.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn drop_index(&self) -> Result<(), ArchiveError> {
        self.drop_segments(|_| true)
    }

    /// How many entries the index does not cover.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn waiting_for_index(&self) -> Result<u64, ArchiveError> {
        Ok(self.not_indexed()?.iter().map(|(first, end)| (end - first) as u64).sum())
    }

    fn drop_segments(&self, which: impl Fn(&Segment) -> bool) -> Result<(), ArchiveError> {
        let all = self.store().segments(self.limit())?;
        let numbers: Vec<i64> =
            all.iter().filter(|segment| which(segment)).map(|found| found.number).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        self.ask(|reply| Job::Segment(None, numbers, reply))
    }

    /// The stretches of entries that no segment covers: the first, and the one after the last.
    fn not_indexed(&self) -> Result<Vec<(i64, i64)>, ArchiveError> {
        let end = i64::try_from(self.counts()?.games).unwrap_or(i64::MAX).saturating_add(1);
        let (mut gaps, mut next) = (Vec::new(), 1);
        for segment in self.store().segments(self.limit())? {
            if segment.first > next {
                gaps.push((next, segment.first));
            }
            next = segment.end();
        }
        if end > next {
            gaps.push((next, end));
        }
        Ok(gaps)
    }

    /// A segment of entries from a number on, at most to another.
    fn segment(&self, books: &Rulebooks<'_>, first: i64, end: i64) -> Result<NewSegment, ArchiveError> {
        let end = end.min(first + GAMES_MAX as i64);
        let forgotten = Some(self.store().forgotten_entries(self.limit())?);
        let (mut all, mut rules) = (Vec::new(), BTreeMap::new());
        let mut values = TagValues::default();
        let mut games: Vec<Option<Played>> = Vec::new();
        let (mut after, mut covered) = (0, first);
        let wanted = Criteria { numbers: Some(Numbers::Within(first, end - 1)), ..Criteria::default() };
        loop {
            let page = self.store().texts(&wanted, Which::First, after, self.limit())?;
            let Some((last, _)) = page.last() else {
                covered = end;
                break;
            };
            after = *last;
            let noted: Result<Vec<Noted>, ArchiveError> =
                page.par_iter().map(|(_, text)| noted(text, books, &self.budget())).collect();
            for Noted { number, facts, tags, rules: key, game: played } in noted? {
                values.merge(tags);
                let game = (number - first) as u16;
                covered = covered.max(number + 1);
                all.extend(facts.into_iter().map(|fact| Found::new(fact, game)));
                if let Some(key) = key {
                    rules.entry(key).or_insert(game);
                }
                // Of those between two nothing is left.
                games.resize(usize::from(game), None);
                games.push(played);
            }
            if all.len() > INDEX_FACTS_AT_ONCE {
                break;
            }
        }
        let count = (covered - first) as usize;
        games.resize(count, None);
        let segment =
            Segment { number: 0, first, games: count, version: FACTS_VERSION, rules, digest: [0; 16] };
        let contents = Contents {
            blocks: blocks_of(count, all),
            tags: pack_tags(&values)?,
            games: played::blocks_of(first, &games)?,
        };
        Ok(NewSegment { segment, contents, forgotten })
    }

    /// Merges the last segments while they are of a size.
    fn merge(&self) -> Result<(), ArchiveError> {
        loop {
            let all = self.store().segments(self.limit())?;
            let Some(at) = (1..all.len()).rev().find(|at| {
                let (before, last) = (&all[at - 1], &all[*at]);
                before.end() == last.first
                    && before.games + last.games <= GAMES_MAX
                    && before.games <= LARGER * last.games
            }) else {
                return Ok(());
            };
            let mut parts = Vec::new();
            for segment in &all[at - 1..=at] {
                // If it was deleted meanwhile, there is something else to do first.
                let Some(contents) = self.store().contents(segment, self.limit())? else { return Ok(()) };
                parts.push((segment.clone(), contents));
            }
            let replaced = parts.iter().map(|(part, _)| part.number).collect();
            let merged = Segment::merged(parts)?;
            match self.ask(|reply| Job::Segment(Some(Box::new(merged)), replaced, reply)) {
                Err(ArchiveError::IndexChanged) => return Ok(()),
                written => written?,
            }
        }
    }

    /// What is wrong with a segment: its bytes; and with rules to replay by, what it says of the texts of its entries.
    pub(crate) fn check_segment(
        &self,
        segment: &Segment,
        books: Option<&Rulebooks<'_>>,
    ) -> Result<Option<String>, ArchiveError> {
        // One that is gone says nothing.
        let Some(found) = self.store().contents(segment, self.limit())? else { return Ok(None) };
        let games = format!("games {} to {}", segment.first, segment.end() - 1);
        let remedy = "`ferz archive index --rebuild` makes it again";
        if segment.digest_of(&found) != segment.digest {
            return Ok(Some(format!("the index of {games} was changed; {remedy}")));
        }
        let Some(books) = books.filter(|_| segment.version == FACTS_VERSION) else { return Ok(None) };
        let (mut parts, mut next) = (Vec::new(), segment.first);
        while next < segment.end() {
            let part = self.segment(books, next, segment.end())?;
            next = part.segment.end();
            parts.push((part.segment, part.contents));
        }
        let NewSegment { segment: expected, contents, .. } = Segment::merged(parts)?;
        let same_tags = unpack_tags(&contents.tags)?.agrees(&unpack_tags(&found.tags)?);
        let same_games = played::agree(&contents.games, &found.games)?;
        let same_facts = contents.blocks == found.blocks && expected.rules == segment.rules;
        let differs = !same_facts || !same_tags || !same_games;
        Ok(differs.then(|| format!("the index does not say what happened in {games}; {remedy}")))
    }
}

/// What happened in the game of a text.
fn noted(text: &Text, books: &Rulebooks<'_>, budget: &Budget) -> Result<Noted, ArchiveError> {
    let not_judged = vec![Fact::NOT_JUDGED];
    let mut noted =
        Noted { number: text.entry, facts: not_judged, tags: TagValues::default(), rules: None, game: None };
    text.replay(books, budget, |replayer, record, source| {
        let mut all = Vec::new();
        let judged = each_board(replayer, record, source, budget, |_, trace, board| {
            // A packed game has one board: of a game on two the text is searched.
            let key = RulesKey::of_trace(trace);
            noted.rules = Some(key);
            noted.game = board.is_none().then(|| (key, packed(trace)));
            noted.tags = TagValues::of(record);
            all.extend(facts(record, &noted.tags, trace, budget)?);
            Ok(())
        })?;
        if judged.is_ok() {
            if noted.game.is_none() {
                all.sort_unstable();
                all.dedup();
            }
            noted.facts = all;
        }
        Ok(())
    })?;
    Ok(noted)
}
