//! Compares two records of a game: where they diverge, what is legal there, and how much of each fits the other.
//!
//! For two players who submitted the same game with different moves. Notation does not matter: `Bc1-e3&C`, `Be3/C` and
//! `c1e3c` are one ply.

use crate::record::{ItemKind, Record};
use crate::replay::{AnyTrace, Illegal, Replayer, Report, Source, Trace, trace_within};
use ferz_core::board::Mask;
use ferz_core::notation::{Letters, coord, read, resolve};
use ferz_core::position::Position;
use ferz_core::text::{Budget, Exhausted};
use serde::Serialize;
use std::collections::HashMap;

/// The relation of two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The same plies from the same start under the same rules.
    Same,
    /// One record ends where the other continues.
    Prefix,
    /// The records diverge at a ply.
    Parted,
    /// The records start from different positions.
    OtherStart,
    /// The records are judged by different rules.
    OtherRules,
    /// A record could not be judged.
    NotJudged,
}

/// One of the two records.
#[derive(Debug, Clone, Serialize)]
pub struct Side {
    /// Its report, without the variations.
    pub report: Report,
    /// The position that it starts from; `None` if it could not be judged.
    pub start_fen: Option<String>,
    /// Number of plies written in it, legal or not.
    pub written: usize,
}

/// A tag that differs between the records, or that one of them lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagDifference {
    /// The name.
    pub name: String,
    /// The value in the first record.
    pub a: Option<String>,
    /// The value in the second record.
    pub b: Option<String>,
}

/// A record's ply at the divergence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartingPly {
    /// The ply as written.
    pub text: String,
    /// Line of the text in its input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The ply in coordinates; `None` if it is not legal and was not let stand.
    pub coord: Option<String>,
    /// Whether it is legal there.
    pub legal: bool,
    /// Why it is illegal.
    pub illegal: Option<Illegal>,
}

/// The divergence of the records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// Number of the first ply that differs, from 1.
    pub ply: usize,
    /// The position before it.
    pub fen: String,
    /// The first record's ply; `None` if the record has ended.
    pub a: Option<PartingPly>,
    /// The second record's ply; `None` if the record has ended.
    pub b: Option<PartingPly>,
}

/// A ply that does not fit, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misfit {
    /// Its number in its own record.
    pub ply: usize,
    /// The ply as written.
    pub text: String,
    /// Why it is not legal in the other branch.
    pub reason: String,
}

/// How many of a record's later plies are legal after the other record's ply at the divergence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fit {
    /// The record's plies after the divergence.
    pub later: usize,
    /// The number of them, from the first on, that are legal in the other branch.
    pub fitting: usize,
    /// The first one that is not.
    pub misfit: Option<Misfit>,
}

/// A place where the records reach the same position again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meeting {
    /// Number of plies in the first record.
    pub a: usize,
    /// Number of plies in the second record.
    pub b: usize,
    /// The position.
    pub fen: String,
}

/// The comparison of two records.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Whether they are of the same game: rules, start and plies.
    pub same: bool,
    /// Their relation.
    pub relation: Relation,
    /// The number of plies they have in common from the start on.
    pub common: usize,
    /// The first record.
    pub a: Side,
    /// The second record.
    pub b: Side,
    /// The tags that differ, in the order of the first record, then of the second.
    pub tags: Vec<TagDifference>,
    /// Where they diverge.
    pub parting: Option<Parting>,
    /// How the first record's later plies fit after the second's ply at the divergence.
    pub a_in_b: Option<Fit>,
    /// How the second record's later plies fit after the first's ply at the divergence.
    pub b_in_a: Option<Fit>,
    /// Where they reach the same position again after the divergence.
    pub meetings: Vec<Meeting>,
}

/// Compares two records, each a part of its own source.
///
/// ```
/// use ferz_records::replay::{Options, Replayer, Source};
/// use ferz_records::rewrite::{Relation, compare};
/// use ferz_core::rules::Registry;
/// use ferz_records::record;
///
/// let (a, b) = (b"1. e4 e5 2. Nf3 Nc6 *", b"1. e4 e5 2. Bc4 Nc6 3. Nf3 *");
/// let first = record::read(a, 0).next().ok_or("no game")?;
/// let second = record::read(b, 0).next().ok_or("no game")?;
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let found = compare(&mut replayer, (&first, &Source::new(a, 0, 0)), (&second, &Source::new(b, 0, 0)));
/// assert_eq!((found.relation, found.common), (Relation::Parted, 2));
/// assert_eq!(found.b_in_a.ok_or("nothing later")?.misfit.ok_or("all fit")?.text, "Nf3");
/// # Ok::<(), &str>(())
/// ```
pub fn compare(
    replayer: &mut Replayer<'_>,
    a: (&Record<'_>, &Source<'_>),
    b: (&Record<'_>, &Source<'_>),
) -> Comparison {
    Budget::endless(|budget| compare_within(replayer, a, b, budget))
}

/// [`compare`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn compare_within(
    replayer: &mut Replayer<'_>,
    a: (&Record<'_>, &Source<'_>),
    b: (&Record<'_>, &Source<'_>),
    budget: &Budget,
) -> Result<Comparison, Exhausted> {
    let tags = tag_differences(a.0, b.0);
    let mut trace = |(record, source)| trace_within(replayer, record, source, 0, budget);
    let traced = (trace(a)?, trace(b)?);
    match traced {
        (Ok(AnyTrace::Narrow(first)), Ok(AnyTrace::Narrow(second))) => {
            of_one_game(&first, &second, a, b, tags, budget)
        }
        (Ok(AnyTrace::Wide(first)), Ok(AnyTrace::Wide(second))) => {
            of_one_game(&first, &second, a, b, tags, budget)
        }
        (first, second) => {
            let judged = first.is_ok() && second.is_ok();
            let side = |traced: Result<AnyTrace, Box<Report>>, record| match traced {
                Ok(AnyTrace::Narrow(trace)) => side(&trace.report, Some(&trace.start_fen), record),
                Ok(AnyTrace::Wide(trace)) => side(&trace.report, Some(&trace.start_fen), record),
                Err(report) => side(&report, None, record),
            };
            let relation = if judged { Relation::OtherRules } else { Relation::NotJudged };
            Ok(apart(relation, side(first, a.0), side(second, b.0), tags))
        }
    }
}

/// Relations without plies to compare.
fn apart(relation: Relation, a: Side, b: Side, tags: Vec<TagDifference>) -> Comparison {
    let (a_in_b, b_in_a, meetings) = (None, None, Vec::new());
    Comparison { same: false, relation, common: 0, a, b, tags, parting: None, a_in_b, b_in_a, meetings }
}

fn side(report: &Report, start_fen: Option<&str>, record: &Record<'_>) -> Side {
    let start_fen = start_fen.map(str::to_owned);
    let report = Report { variations: Vec::new(), ..report.clone() };
    Side { report, start_fen, written: record.main_moves().count() }
}

fn tag_differences(a: &Record<'_>, b: &Record<'_>) -> Vec<TagDifference> {
    let mut found: Vec<TagDifference> = Vec::new();
    for (record, other) in [(a, b), (b, a)] {
        for tag in &record.tags {
            let name = record.tag_name(tag).into_owned();
            if found.iter().any(|difference| difference.name.eq_ignore_ascii_case(&name)) {
                continue;
            }
            let value = |record: &Record<'_>| record.tag(&name).map(|value| value.into_owned());
            if value(record) != value(other) {
                let (a, b) = (value(a), value(b));
                found.push(TagDifference { name, a, b });
            }
        }
    }
    found
}

/// Units of playing one record's ply in the other.
const UNITS_FITTING: u64 = 8;

/// One record with precomputed data.
struct Game<'g, 'a, 's, M> {
    trace: &'g Trace<M>,
    record: &'g Record<'a>,
    source: &'g Source<'s>,
    /// Every written ply of the main line: its item, and whether its number is an in-between turn's.
    written: Vec<(usize, bool)>,
    letters: Letters,
}

fn of_one_game<M: Mask>(
    first: &Trace<M>,
    second: &Trace<M>,
    a: (&Record<'_>, &Source<'_>),
    b: (&Record<'_>, &Source<'_>),
    tags: Vec<TagDifference>,
    budget: &Budget,
) -> Result<Comparison, Exhausted> {
    let sides = (
        side(&first.report, Some(&first.start_fen), a.0),
        side(&second.report, Some(&second.start_fen), b.0),
    );
    if first.report.rules != second.report.rules {
        return Ok(apart(Relation::OtherRules, sides.0, sides.1, tags));
    }
    if sides.0.start_fen != sides.1.start_fen {
        return Ok(apart(Relation::OtherStart, sides.0, sides.1, tags));
    }
    let (first, second) = (Game::new(first, a), Game::new(second, b));
    let common = first.common(&second);
    let place = |game: &Game<'_, '_, '_, M>| game.parting_ply(common);
    let (here, there) = (place(&first), place(&second));
    let relation = match (&here, &there) {
        (None, None) => Relation::Same,
        (None, Some(_)) | (Some(_), None) => Relation::Prefix,
        _ => Relation::Parted,
    };
    let same = relation == Relation::Same;
    // The common plies are replayed several times; the later ones are looked up in each other.
    budget.spend(4 * (first.written.len() + second.written.len()) as u64)?;
    let before = first.trace.position(common);
    let parted = relation == Relation::Parted;
    let a_in_b = if parted { second.fits(&first, common, budget)? } else { None };
    let b_in_a = if parted { first.fits(&second, common, budget)? } else { None };
    Ok(Comparison {
        same,
        relation,
        common,
        a: sides.0,
        b: sides.1,
        tags,
        a_in_b,
        b_in_a,
        meetings: if parted { first.meetings(&second, common) } else { Vec::new() },
        parting: (!same).then(|| Parting { ply: common + 1, fen: before.fen(), a: here, b: there }),
    })
}

impl<'g, 'a, 's, M: Mask> Game<'g, 'a, 's, M> {
    fn new(trace: &'g Trace<M>, (record, source): (&'g Record<'a>, &'g Source<'s>)) -> Game<'g, 'a, 's, M> {
        let mut written = Vec::new();
        let mut natures = false;
        for (index, &item) in record.main_line().items() {
            match item.kind {
                ItemKind::MoveNumber(number) => natures = number.interjection,
                ItemKind::Move => written.push((index, std::mem::take(&mut natures))),
                _ => {}
            }
        }
        Game { trace, record, source, written, letters: Letters::new(trace.start.rules()) }
    }

    fn text(&self, index: usize) -> String {
        self.record.text(self.record.items[self.written[index].0]).into_owned()
    }

    /// The number of common plies; after the legal ones, texts are compared.
    fn common(&self, other: &Game<'_, '_, '_, M>) -> usize {
        let plies = self.trace.plies.iter().zip(&other.trace.plies);
        let legal = plies.take_while(|(one, two)| one.ply == two.ply).count();
        if legal < self.trace.plies.len() || legal < other.trace.plies.len() {
            return legal;
        }
        let rest = legal..self.written.len().min(other.written.len());
        legal + rest.take_while(|&index| self.text(index) == other.text(index)).count()
    }

    /// The record's ply at `index`.
    fn parting_ply(&self, index: usize) -> Option<PartingPly> {
        let (item, _) = *self.written.get(index)?;
        let span = self.source.span(self.record.span(self.record.items[item]));
        let place = self.source.locate(span.start);
        let ply = self.trace.plies.get(index);
        let report = &self.trace.report;
        let illegal = report.illegal_plies().find(|illegal| illegal.ply == index + 1).cloned();
        Some(PartingPly {
            text: self.text(index),
            line: place.line,
            column: place.column,
            coord: ply.map(|traced| self.coord(&traced.ply)),
            legal: ply.is_some_and(|traced| !traced.let_stand),
            illegal,
        })
    }

    fn coord(&self, ply: &ferz_core::position::Ply) -> String {
        let mut text = String::new();
        coord::write(self.trace.start.rules(), ply, &mut text);
        text
    }

    /// Plays the other record's later plies after this record's ply at the divergence.
    fn fits(
        &self,
        other: &Game<'_, '_, '_, M>,
        common: usize,
        budget: &Budget,
    ) -> Result<Option<Fit>, Exhausted> {
        let later = other.written.len().saturating_sub(common + 1);
        // If this record's own ply is illegal there is no branch to play in.
        if later == 0 || self.trace.plies.len() <= common {
            return Ok(None);
        }
        let mut position = self.trace.position(common + 1);
        for index in common + 1..other.written.len() {
            budget.spend(UNITS_FITTING)?;
            if let Err(reason) = other.play(index, &mut position) {
                let misfit = Misfit { ply: index + 1, text: other.text(index), reason };
                return Ok(Some(Fit { later, fitting: index - common - 1, misfit: Some(misfit) }));
            }
        }
        Ok(Some(Fit { later, fitting: later, misfit: None }))
    }

    /// Makes ply `index` of this record in another position. A replayed ply keeps its squares; any other is read from
    /// its text.
    fn play(&self, index: usize, position: &mut Position<M>) -> Result<(), String> {
        if position.finish().is_some() {
            return Err("the game had ended there".to_owned());
        }
        let (text, natures) = match self.trace.plies.get(index) {
            Some(traced) => (self.coord(&traced.ply), false),
            None => (self.text(index), self.written[index].1),
        };
        let text = read(&self.letters, position.turn(), natures, text.as_bytes());
        let text = text.map_err(|error| error.message)?;
        match resolve(position, &text) {
            Ok(resolved) => position.apply(&resolved.ply),
            Err(fault) => return Err(fault.message),
        }
        Ok(())
    }

    /// The transpositions after the divergence: for each later place of the other record, the first place here with the
    /// same position.
    fn meetings(&self, other: &Game<'_, '_, '_, M>, common: usize) -> Vec<Meeting> {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        for (plies, position) in self.later(common) {
            seen.entry(position.key()).or_insert(plies);
        }
        let found = other.later(common).filter_map(|(b, position)| {
            let a = *seen.get(&position.key())?;
            let fen = position.fen();
            Some(Meeting { a, b, fen })
        });
        found.collect()
    }

    /// The positions after the divergence, each with the number of plies before it.
    fn later(&self, common: usize) -> impl Iterator<Item = (usize, Position<M>)> + '_ {
        let mut position = self.trace.position(common);
        (common..self.trace.plies.len()).map(move |index| {
            self.trace.make(index, &mut position);
            (index + 1, position.clone())
        })
    }
}
