//! Entries found by what happened in them: a query over the texts, each by the rules that it was judged by.

use super::Archive;
use super::error::ArchiveError;
use super::filter::{Criteria, Filter};
use super::identity::GameId;
use super::index::{Asked, Portion, Proposed};
use super::read::{Summary, from_cursor, to_cursor};
use super::rulebook::Rulebooks;
use super::texts::{Text, Which};
use super::withdrawals::Withdrawn;
use ferz_core::rules::Registry;
use ferz_core::text::limits::{ARCHIVE_PAGE_MAX, HITS_SHOWN_MAX};
use ferz_core::text::{Budget, Exhausted};
use ferz_records::record::{Record, read};
use ferz_records::replay::{AnyTrace, Replayer, Source};
use ferz_records::rewrite::each_board;
use ferz_search::{Explorer, Looked, Search, Seeker};
use serde::Serialize;
use std::cell::RefCell;

/// Budget units for finding and unpacking a text.
const UNITS_TEXT: u64 = 32;

/// Entries that are looked at before any are played over. Most pages are full by then.
const LOOKED_AT_FIRST: usize = 64;

/// An entry in which a query holds. In JSON it is its summary with the positions as `plies`, the plies before them as
/// `moves`, and the number of plies as `length`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "FoundJson")]
pub struct FoundGame {
    /// Its summary.
    pub summary: Summary,
    /// The positions, by the plies before them; empty if the query is about the game as a whole.
    pub hits: Vec<usize>,
    /// The plies before the first of them, as the record writes them: `12. Nd5`.
    pub hit_moves: Vec<String>,
}

/// Its members in JSON.
#[derive(Serialize)]
struct FoundJson {
    id: GameId,
    variant: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    own_rules: bool,
    white: String,
    black: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nature: Option<String>,
    event: String,
    site: String,
    date: String,
    round: String,
    result: String,
    valid: bool,
    length: usize,
    end: Option<String>,
    added: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<Withdrawn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    continued_by: Option<GameId>,
    plies: Vec<usize>,
    moves: Vec<String>,
}

impl From<FoundGame> for FoundJson {
    fn from(found: FoundGame) -> FoundJson {
        let FoundGame { summary, hits, hit_moves } = found;
        // Without `..`, so that a new member is not forgotten.
        let Summary {
            id,
            variant,
            own_rules,
            white,
            black,
            nature,
            event,
            site,
            date,
            round,
            result,
            valid,
            judged: _,
            plies,
            end,
            added,
            withdrawn,
            continued_by,
        } = summary;
        FoundJson {
            id,
            variant,
            own_rules,
            white,
            black,
            nature,
            event,
            site,
            date,
            round,
            result,
            valid,
            length: plies,
            end,
            added,
            withdrawn,
            continued_by,
            plies: hits,
            moves: hit_moves,
        }
    }
}

/// A page of entries in which a query holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundGames {
    /// The entries, the latest first.
    pub items: Vec<FoundGame>,
    /// The cursor that continues after the last entry that was looked at; `None` if all were.
    pub next_cursor: Option<String>,
    /// Entries that were looked at.
    pub looked_at: usize,
    /// Entries among them that cannot be judged, so that only their tags could decide.
    pub not_judged: usize,
    /// What the index said of the entries that it was asked about.
    pub proposed: Proposed,
}

impl Archive {
    /// The entries that match the filter and in whose first texts the query holds: at most `limit`, latest first.
    /// Ends earlier where `units` of work are spent: the cursor then continues from there. Every answer is from the
    /// texts themselves, and the rules are those that each was judged by.
    ///
    /// ```
    /// use ferz_archive::{Archive, Filter, Submission};
    /// use ferz_core::rules::Registry;
    /// use ferz_records::record;
    /// use ferz_records::replay::{Options, Replayer, Source};
    /// use ferz_search::Search;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.ferz");
    /// let archive = Archive::open(&path)?;
    /// let text = b"1. e4 d5 2. exd5 Qxd5 *\n";
    /// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    /// let record = record::read(text, 0).next().ok_or("no game")?;
    /// archive.submit(vec![Submission::judge(&mut replayer, &record, &Source::new(text, 0, 0))?])?;
    ///
    /// let search = Search::new("QxP".parse()?);
    /// let found = archive.search(&Filter::default(), &search, Registry::built_in(), 10, None, u64::MAX)?;
    /// assert_eq!((&found.items[0].hits[..], &*found.items[0].hit_moves[0]), (&[4][..], "2... Qxd5"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the archive cannot be read or a text is damaged, the cursor is invalid, no game can match the filter, or the
    /// budget ended before one entry was looked at.
    pub fn search(
        &self,
        filter: &Filter,
        search: &Search,
        registry: &Registry,
        limit: usize,
        cursor: Option<&str>,
        units: u64,
    ) -> Result<FoundGames, ArchiveError> {
        let budget = Budget::of(units).within(&self.budget());
        let archive = self.within(budget.clone());
        let books = Rulebooks::new(&archive, registry);
        let limit = limit.clamp(1, ARCHIVE_PAGE_MAX);
        let criteria = filter.criteria()?;
        let mut before = cursor.map(from_cursor).transpose()?;
        let mut found = FoundGames {
            items: Vec::new(),
            next_cursor: None,
            looked_at: 0,
            not_judged: 0,
            proposed: Proposed::default(),
        };
        let mut seeker = search.seeker();
        // Looking at texts and asking the index each need it, one after the other.
        let seeker = RefCell::new(&mut seeker);
        let mut ask = |trace: &AnyTrace| {
            let mut seeker = seeker.borrow_mut();
            Some(Asked { proposal: seeker.proposal(trace), sieve: seeker.sieve(trace) })
        };
        let mut candidates = archive.candidates(&books, before, &mut ask)?;
        // Where the query mostly holds, an answer needs as many entries as it has games; where it seldom does, many.
        let mut ahead = limit;
        loop {
            let portion = match candidates.next(found.few_of_many()) {
                Err(ArchiveError::TooMuchWork) if found.has_come_far() => return Ok(found.going_on(before)),
                portion => portion?,
            };
            found.proposed = candidates.proposed;
            let Some(Portion { numbers, first }) = portion else { return Ok(found) };
            let wanted = Criteria { numbers: Some(numbers), ..criteria.clone() };
            loop {
                let page = match archive.store().find(&wanted, before, ahead, archive.limit()) {
                    Err(ArchiveError::TooMuchWork) if found.has_come_far() => {
                        return Ok(found.going_on(before));
                    }
                    page => page?,
                };
                let is_last = page.len() < ahead;
                ahead = (2 * ahead).min(ARCHIVE_PAGE_MAX);
                for (number, summary) in page {
                    if found.items.len() == limit {
                        return Ok(found.going_on(before));
                    }
                    match archive.look(summary, &books, &mut seeker.borrow_mut(), &mut found) {
                        Err(ArchiveError::TooMuchWork) if found.has_come_far() => {
                            return Ok(found.going_on(before));
                        }
                        looked => looked?,
                    }
                    found.looked_at += 1;
                    before = Some(number);
                }
                if is_last {
                    break;
                }
            }
            before = Some(first);
        }
    }

    /// How many entries match the filter and the query, and whether that is all: false where `units` of work were spent
    /// before all were looked at.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn count(
        &self,
        filter: &Filter,
        search: &Search,
        registry: &Registry,
        units: u64,
    ) -> Result<(u64, bool), ArchiveError> {
        let archive = self.within(Budget::of(units).within(&self.budget()));
        let mut count = 0;
        let mut cursor = None;
        loop {
            let page =
                archive.search(filter, search, registry, ARCHIVE_PAGE_MAX, cursor.as_deref(), u64::MAX);
            match page {
                Ok(page) => {
                    count += page.items.len() as u64;
                    cursor = page.next_cursor;
                }
                Err(ArchiveError::TooMuchWork) if cursor.is_some() => return Ok((count, false)),
                Err(error) => return Err(error),
            }
            if cursor.is_none() {
                return Ok((count, true));
            }
        }
    }

    /// Looks at the first text of an entry, and notes what is found.
    fn look(
        &self,
        summary: Summary,
        books: &Rulebooks<'_>,
        seeker: &mut Seeker<'_>,
        found: &mut FoundGames,
    ) -> Result<(), ArchiveError> {
        let Some(text) = self.first_text(summary.id)? else {
            // Forgotten since the list was read.
            return Ok(());
        };
        let budget = self.budget();
        text.replay(books, &budget, |replayer, record, source| {
            match seeker.look(replayer, record, source, &budget)? {
                Looked::Found(hit) => {
                    let hit_moves = hit.moves(record, HITS_SHOWN_MAX);
                    found.items.push(FoundGame { summary, hits: hit.plies, hit_moves });
                }
                Looked::Passed => {}
                Looked::NotJudged(_) => found.not_judged += 1,
            }
            Ok(())
        })
    }

    /// Adds the first texts of the entries that match the filter to an explorer, each by the rules that it was judged
    /// by. `seen` is called after each page with the number of its entries.
    ///
    /// # Errors
    /// If the archive cannot be read or a text is damaged, no game can match the filter, or the budget ends before the
    /// work.
    pub fn explore(
        &self,
        filter: &Filter,
        explorer: &mut Explorer,
        registry: &Registry,
        mut seen: impl FnMut(usize),
    ) -> Result<(), ArchiveError> {
        let budget = self.budget();
        let books = Rulebooks::new(self, registry);
        let criteria = filter.criteria()?;
        let explorer = RefCell::new(explorer);
        let mut ask = |trace: &AnyTrace| {
            explorer.borrow_mut().proposal(trace).map(|proposal| Asked { proposal, sieve: None })
        };
        let mut candidates = self.candidates(&books, None, &mut ask)?;
        while let Some(Portion { numbers, .. }) = candidates.next(false)? {
            let wanted = Criteria { numbers: Some(numbers), ..criteria.clone() };
            for page in self.wanted_texts(wanted, Which::First) {
                let page = page?;
                for text in &page {
                    text.replay(&books, &budget, |replayer, record, source| {
                        let mut explorer = explorer.borrow_mut();
                        each_board(replayer, record, source, &budget, |made, trace, _| {
                            explorer.add(made, trace, &budget)
                        })
                        .map(|_| ())
                    })?;
                }
                seen(page.len());
            }
        }
        Ok(())
    }
}

impl Text {
    /// Does work on the record, with a replayer by the rules that it was judged by.
    pub(super) fn replay(
        &self,
        books: &Rulebooks<'_>,
        budget: &Budget,
        work: impl FnOnce(&mut Replayer<'_>, &Record<'_>, &Source<'_>) -> Result<(), Exhausted>,
    ) -> Result<(), ArchiveError> {
        budget.spend(UNITS_TEXT).map_err(|Exhausted { .. }| ArchiveError::TooMuchWork)?;
        let bytes = self.bytes()?;
        let record = read(&bytes, 0).next();
        let record = record.ok_or_else(|| ArchiveError::Corrupt("a text contains no game".to_owned()))?;
        let source = Source::new(&bytes, 0, 0);
        let worked = |replayer: &mut Replayer<'_>| work(replayer, &record, &source);
        let (_, worked) = books.with(&record, &self.options, self.rules.as_ref(), worked)?;
        worked.map_err(|Exhausted { .. }| ArchiveError::TooMuchWork)
    }
}

impl FoundGames {
    /// True if something was done that a next page need not do.
    fn has_come_far(&self) -> bool {
        self.looked_at > 0 || self.proposed.ruled_out > 0
    }

    /// True if so few of the entries that were looked at were found that it pays to play the next ones over first.
    fn few_of_many(&self) -> bool {
        self.looked_at >= LOOKED_AT_FIRST && 2 * self.items.len() < self.looked_at
    }

    /// The page, with entries left before this number.
    fn going_on(self, before: Option<i64>) -> FoundGames {
        FoundGames { next_cursor: before.map(to_cursor), ..self }
    }
}
