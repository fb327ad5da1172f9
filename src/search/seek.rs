//! The search in records.

use super::expression::Query;
use super::plan::Plan;
use super::proposal::Proposal;
use super::truth::Truth;
use ferz_core::board::{BoardName, Mask, Owner, by_width};
use ferz_core::position::Position;
use ferz_core::rules::Rules;
use ferz_core::text::limits::PLANS_KEPT_MAX;
use ferz_core::text::{Budget, Exhausted};
use ferz_records::record::codes::NO_RECORD;
use ferz_records::record::{Record, Seat};
use ferz_records::replay::{AnyOnTwo, AnyTrace, Replayer, Report, Source, Trace};
use ferz_records::rewrite::each_board;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A search for a query: what its threads have in common.
#[derive(Debug)]
pub struct Search {
    query: Query,
    /// Games that were replayed.
    replayed: AtomicUsize,
    notes: Mutex<Notes>,
}

/// What the plans of the games that were met say.
#[derive(Debug, Default)]
struct Notes {
    /// The full names of the games.
    games: BTreeSet<String>,
    /// By condition: the games in which nothing can meet it, with the reasons.
    impossible: BTreeMap<String, BTreeMap<String, String>>,
}

/// A condition that nothing can meet in any game that was replayed. It may be a slip of the pen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impossible {
    /// The condition, as it is written in the query.
    pub condition: String,
    /// The full name of one of the games.
    pub game: String,
    /// Why nothing in it can meet the condition.
    pub reason: String,
}

/// Looks for a query in records. Each thread has its own.
#[derive(Debug)]
pub struct Seeker<'s> {
    search: &'s Search,
    narrow: Plans<u64>,
    wide: Plans<u128>,
}

/// Plans for the games that were met last.
type Plans<M> = Vec<(Arc<Rules<M>>, Arc<Plan<M>>)>;

/// What was found in a record.
#[derive(Debug)]
pub enum Looked {
    /// The query holds.
    Found(Hit),
    /// It does not hold.
    Passed,
    /// The game cannot be replayed, so that it is not known.
    NotJudged(Box<Report>),
}

/// Where a query holds in a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hit {
    /// The positions, by the plies before them; empty if the query is about the game as a whole.
    pub plies: Vec<usize>,
    /// Of the ply before each: its item in the record, and the number of the move if a player made it; `None` for the
    /// start.
    places: Vec<Option<Place>>,
    /// The board, in a game on two.
    board: Option<BoardName>,
}

/// An item of a record, and the number of the move with its player.
type Place = (usize, Option<(usize, Owner)>);

impl Hit {
    /// The hit on one board of a game on two, with its plies as the record of both counts and has them.
    fn on(self, board: BoardName, game: &AnyOnTwo) -> Hit {
        let made: Vec<(usize, usize)> = by_width!(AnyOnTwo, game, |game| {
            let plies = game.plies.iter().enumerate().filter(|(_, ply)| ply.board == board);
            plies.map(|(index, ply)| (index + 1, ply.traced.item)).collect()
        });
        let of_record = |ply: usize| ply.checked_sub(1).and_then(|index| made.get(index));
        let places = self.plies.iter().zip(&self.places).map(|(ply, place)| {
            let (_, number) = (*place)?;
            of_record(*ply).map(|(_, item)| (*item, number))
        });
        Hit {
            places: places.collect(),
            plies: self.plies.iter().map(|ply| of_record(*ply).map_or(0, |(ply, _)| *ply)).collect(),
            board: Some(board),
        }
    }

    /// The plies before the positions as the record writes them, with move numbers: `12. Nd5`, `12... Qa5`; the first
    /// `most`.
    pub fn moves(&self, record: &Record<'_>, most: usize) -> Vec<String> {
        let written = |place: &Option<Place>| {
            let Some((item, number)) = *place else { return "the start".to_owned() };
            let text = record.items.get(item).map_or_else(Default::default, |item| record.text(*item));
            match number {
                Some((number, player)) if self.board.is_some() => {
                    let seat = self.board.map(|board| Seat::of(board, player).letter());
                    format!("{number}{}. {text}", seat.unwrap_or_default())
                }
                Some((number, Owner::White)) => format!("{number}. {text}"),
                Some((number, _)) => format!("{number}... {text}"),
                None => format!("Nature's {text}"),
            }
        };
        self.places.iter().take(most).map(written).collect()
    }
}

impl Search {
    /// A search for a query.
    pub fn new(query: Query) -> Search {
        Search { query, replayed: AtomicUsize::new(0), notes: Mutex::default() }
    }

    /// One that looks at records.
    pub fn seeker(&self) -> Seeker<'_> {
        Seeker { search: self, narrow: Vec::new(), wide: Vec::new() }
    }

    /// The query.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// How many games had to be replayed so far.
    pub fn replayed(&self) -> usize {
        self.replayed.load(Ordering::Relaxed)
    }

    /// The conditions that nothing can meet in any game that was replayed so far. In some games of a mixed file they
    /// may well be impossible: shogi has no queen.
    pub fn impossible(&self) -> Vec<Impossible> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let everywhere = notes.impossible.iter().filter(|(_, games)| games.len() == notes.games.len());
        let found = everywhere.filter_map(|(condition, games)| Some((condition, games.first_key_value()?)));
        found
            .map(|(condition, (game, reason))| Impossible {
                condition: condition.clone(),
                game: game.clone(),
                reason: reason.clone(),
            })
            .collect()
    }

    fn note(&self, game: &str, found: &[(String, String)]) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.games.insert(game.to_owned());
        for (condition, reason) in found {
            let games = notes.impossible.entry(condition.clone()).or_default();
            games.insert(game.to_owned(), reason.clone());
        }
    }
}

impl Seeker<'_> {
    /// Looks at a record, in its main line up to an illegal ply. What its tags decide needs no replay.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub fn look(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Looked, Exhausted> {
        // A letter, or a program's text, has no start either.
        if record.diagnostics.first().is_some_and(|found| found.code == NO_RECORD) {
            return Ok(Looked::Passed);
        }
        match self.search.query.root.in_record(record, false) {
            Some(true) => return Ok(Looked::Found(Hit::default())),
            Some(false) => return Ok(Looked::Passed),
            None => {}
        }
        let mut found = None;
        let judged = each_board(replayer, record, source, budget, |made, trace, board| {
            if found.is_none() {
                let hit = self.look_in(made, trace, budget)?;
                found = hit.map(|hit| match board {
                    Some((game, board)) => hit.on(board, game),
                    None => hit,
                });
            }
            Ok(())
        })?;
        Ok(match (judged, found) {
            (Err(report), _) => Looked::NotJudged(report),
            (Ok(()), Some(hit)) => Looked::Found(hit),
            (Ok(()), None) => Looked::Passed,
        })
    }

    /// The games with the rules of this one in which the query can hold, by their [facts](super::facts()).
    pub fn proposal(&mut self, trace: &AnyTrace) -> Proposal {
        match trace {
            AnyTrace::Narrow(trace) => {
                plan(self.search, &mut self.narrow, &trace.start).proposal(trace.start.rules())
            }
            AnyTrace::Wide(trace) => {
                plan(self.search, &mut self.wide, &trace.start).proposal(trace.start.rules())
            }
        }
    }

    pub(crate) fn narrow_plan(&mut self, start: &Position<u64>) -> Arc<Plan<u64>> {
        Arc::clone(plan(self.search, &mut self.narrow, start))
    }

    pub(crate) fn wide_plan(&mut self, start: &Position<u128>) -> Arc<Plan<u128>> {
        Arc::clone(plan(self.search, &mut self.wide, start))
    }

    /// Where the query holds in a game that was replayed; `None` if nowhere.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub fn look_in(
        &mut self,
        record: &Record<'_>,
        trace: &AnyTrace,
        budget: &Budget,
    ) -> Result<Option<Hit>, Exhausted> {
        self.search.replayed.fetch_add(1, Ordering::Relaxed);
        match trace {
            AnyTrace::Narrow(trace) => {
                hit(plan(self.search, &mut self.narrow, &trace.start), record, trace, budget)
            }
            AnyTrace::Wide(trace) => {
                hit(plan(self.search, &mut self.wide, &trace.start), record, trace, budget)
            }
        }
    }
}

/// The plan for the rules of a position, which is kept for the next game.
fn plan<'p, M: Mask>(search: &Search, plans: &'p mut Plans<M>, start: &Position<M>) -> &'p Arc<Plan<M>> {
    let rules = start.shared_rules();
    let known = plans.iter().position(|(known, _)| Arc::ptr_eq(known, rules));
    let at = known.unwrap_or_else(|| {
        let plan = Arc::new(Plan::new(&search.query, rules));
        search.note(&rules.id.name, &plan.impossible);
        if plans.len() >= PLANS_KEPT_MAX {
            plans.remove(0);
        }
        plans.push((Arc::clone(rules), plan));
        plans.len() - 1
    });
    &plans[at].1
}

fn hit<M: Mask>(
    plan: &Plan<M>,
    record: &Record<'_>,
    trace: &Trace<M>,
    budget: &Budget,
) -> Result<Option<Hit>, Exhausted> {
    let truth = plan.look(record, trace, budget)?;
    Ok((!truth.is_empty()).then(|| of_truth(&truth, trace)))
}

fn of_truth<M: Mask>(truth: &Truth, trace: &Trace<M>) -> Hit {
    if truth.is_whole {
        return Hit::default();
    }
    let items = trace.plies.iter().map(|traced| traced.item);
    let all: Vec<Place> = items.zip(trace.moves()).collect();
    let plies: Vec<usize> = truth.positions().collect();
    let place = |ply: &usize| ply.checked_sub(1).and_then(|last| all.get(last)).copied();
    Hit { places: plies.iter().map(place).collect(), plies, board: None }
}
