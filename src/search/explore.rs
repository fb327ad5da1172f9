//! What was played from a position, over many games.

use super::facts::RulesKey;
use super::proposal::Proposal;
use ferz_core::board::Mask;
use ferz_core::notation::{Style, coord};
use ferz_core::rules::RulesId;
use ferz_core::text::{Budget, Exhausted};
use ferz_records::play::Position;
use ferz_records::record::{GameResult, Record, day};
use ferz_records::replay::{AnyTrace, Trace, with_trace};
use std::collections::HashMap;

/// Budget units for comparing a position.
const UNITS_POSITION: u64 = 1;

/// Counts what was played from a position.
///
/// ```
/// use ferz_core::rules::Registry;
/// use ferz_core::text::Budget;
/// use ferz_records::play::{Position, Rules};
/// use ferz_records::record;
/// use ferz_records::replay::{Options, Replayer, Source, trace};
/// use ferz_search::Explorer;
///
/// let text = b"1. Nf3 d5 2. d4 1-0\n\n1. d4 d5 2. Nf3 *\n\n1. d4 d5 2. c4 *\n";
/// let mut position = Position::start(&Rules::named("chess")?);
/// position.play(&position.read("d4")?);
/// position.play(&position.read("d5")?);
/// let mut explorer = Explorer::new(&position);
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// for record in record::read(text, 0) {
///     let traced = trace(&mut replayer, &record, &Source::new(text, 0, 0), 0).map_err(|_| "not judged")?;
///     explorer.add(&record, &traced, &Budget::unlimited())?;
/// }
/// let explored = explorer.explored();
/// assert_eq!(explored.games.games, 2);
/// let [knight, pawn] = &explored.plies[..] else { return Err("two plies".into()) };
/// assert_eq!((&*knight.ply, knight.played.games, knight.reached.games), ("Nf3", 1, 2));
/// assert_eq!((&*pawn.ply, pawn.played.games, pawn.reached.games), ("c4", 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Explorer {
    rules: RulesId,
    from: Place,
    next: Vec<Next>,
    /// By key: the numbers of the next plies that lead to such positions.
    after: HashMap<u64, Vec<usize>>,
    games: Sum,
}

/// A position, as COM-3 compares them.
#[derive(Debug)]
struct Place {
    key: u64,
    identity: Vec<u8>,
}

/// A legal ply from the position.
#[derive(Debug)]
struct Next {
    coord: String,
    written: String,
    after: Place,
    played: Sum,
    reached: Sum,
}

/// Games and their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    /// All games.
    pub games: u64,
    /// Those whose records say that White won.
    pub white: u64,
    /// … that it was a draw.
    pub drawn: u64,
    /// … that Black won.
    pub black: u64,
    /// The first and the last year of the games whose year is known.
    pub years: Option<(i64, i64)>,
}

/// What was played from a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// The games that had the position.
    pub games: Sum,
    /// What was played, or led to the same: the most frequent first.
    pub plies: Vec<ExploredPly>,
}

/// A ply from the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploredPly {
    /// In standard notation, or in coordinates if that has no form for it.
    pub ply: String,
    /// In coordinates.
    pub coord: String,
    /// The games in which it was played here.
    pub played: Sum,
    /// The games that had the position after it, by whatever order of plies.
    pub reached: Sum,
}

/// The result and year of a game.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    result: Option<GameResult>,
    year: Option<i64>,
}

impl Place {
    fn of(position: &Position) -> Place {
        Place { key: position.key(), identity: position.identity() }
    }
}

impl Sum {
    fn add(&mut self, outcome: Outcome) {
        self.games += 1;
        match outcome.result {
            Some(GameResult::WhiteWins) => self.white += 1,
            Some(GameResult::BlackWins) => self.black += 1,
            Some(GameResult::Draw) => self.drawn += 1,
            _ => {}
        }
        if let Some(year) = outcome.year {
            let (first, last) = self.years.unwrap_or((year, year));
            self.years = Some((first.min(year), last.max(year)));
        }
    }
}

impl Explorer {
    /// An explorer of a position. Stocks and rights count; counters do not (COM-3).
    pub fn new(position: &Position) -> Explorer {
        let next: Vec<Next> = position
            .plies()
            .iter()
            .map(|ply| {
                let coord = position.write(ply, Style::Coord).unwrap_or_default();
                let mut after = position.clone();
                after.play(ply);
                Next {
                    written: position.write(ply, Style::San).unwrap_or_else(|_| coord.clone()),
                    coord,
                    after: Place::of(&after),
                    played: Sum::default(),
                    reached: Sum::default(),
                }
            })
            .collect();
        let mut after: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, next) in next.iter().enumerate() {
            after.entry(next.after.key).or_default().push(index);
        }
        let rules = position.rules().id().clone();
        Explorer { rules, from: Place::of(position), next, after, games: Sum::default() }
    }

    /// The games with these rules that can have the position or one after it, by their [facts](super::facts()); `None`
    /// if no game with them can.
    pub fn proposal(&self, trace: &AnyTrace) -> Option<Proposal> {
        if trace.report().rules.as_deref() != Some(&self.rules) {
            return None;
        }
        let rules = RulesKey::of_trace(trace);
        let keys = std::iter::once(&self.from).chain(self.next.iter().map(|next| &next.after));
        Some(Proposal::some(keys.map(|place| Proposal::of_position(rules, place.key))))
    }

    /// Adds a game that was replayed. One by other rules has other positions.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub fn add(&mut self, record: &Record<'_>, trace: &AnyTrace, budget: &Budget) -> Result<(), Exhausted> {
        if trace.report().rules.as_deref() != Some(&self.rules) {
            return Ok(());
        }
        with_trace!(trace, |trace| self.add_trace(record, trace, budget))
    }

    fn add_trace<M: Mask>(
        &mut self,
        record: &Record<'_>,
        trace: &Trace<M>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let year = record.tag("Date").and_then(|date| day(&date)).map(|day| day / 10_000);
        let outcome = Outcome { result: trace.report.result_tag, year };
        // A game counts once, however often it has a position.
        let (mut is_here, mut played, mut reached) = (false, Vec::new(), Vec::new());
        let mut position = trace.start.clone();
        let mut coord = String::new();
        for index in 0..=trace.plies.len() {
            budget.spend(UNITS_POSITION)?;
            let key = position.key();
            if key == self.from.key && position.identity() == self.from.identity {
                is_here = true;
                if let Some(traced) = trace.plies.get(index).filter(|traced| !traced.let_stand) {
                    coord.clear();
                    coord::write(position.rules(), &traced.ply, &mut coord);
                    played.extend(self.next.iter().position(|next| next.coord == coord));
                }
            }
            let alike = self.after.get(&key).into_iter().flatten();
            let identity = alike.clone().next().map(|_| position.identity());
            reached.extend(
                alike.copied().filter(|next| identity.as_ref() == Some(&self.next[*next].after.identity)),
            );
            trace.make(index, &mut position);
        }
        if is_here {
            self.games.add(outcome);
        }
        for (plies, of_reached) in [(&mut played, false), (&mut reached, true)] {
            plies.sort_unstable();
            plies.dedup();
            for ply in plies {
                let next = &mut self.next[*ply];
                let sum = if of_reached { &mut next.reached } else { &mut next.played };
                sum.add(outcome);
            }
        }
        Ok(())
    }

    /// What was played so far.
    pub fn explored(&self) -> Explored {
        let mut plies: Vec<ExploredPly> = self
            .next
            .iter()
            .filter(|next| next.reached.games > 0)
            .map(|next| ExploredPly {
                ply: next.written.clone(),
                coord: next.coord.clone(),
                played: next.played,
                reached: next.reached,
            })
            .collect();
        plies.sort_by_key(|ply| std::cmp::Reverse((ply.played.games, ply.reached.games)));
        Explored { games: self.games, plies }
    }
}
