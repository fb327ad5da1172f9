//! A query for the rules of one game.

use super::expression::{Node, Query};
use super::leaf::{Done, OfPly, OnBoard};
use super::men::Turned;
use super::range::Range;
use super::terms::{GameTerm, ReportTerm, Term};
use super::truth::Truth;
use super::walk::walk;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::Rules;
use ferz_core::text::{Budget, Exhausted};
use ferz_records::record::{GameResult, Record};
use ferz_records::replay::{Report, Trace};
use std::sync::Arc;

/// Budget units for testing a query's conditions in a position.
const UNITS_POSITION: u64 = 1;

/// A query for the rules of one game.
#[derive(Debug)]
pub(crate) struct Plan<M> {
    pub(crate) root: Part,
    pub(crate) boards: Vec<OnBoard<M>>,
    pub(crate) plies: Vec<OfPly<M>>,
    /// Conditions that nothing in this game can meet, with the reasons.
    pub(crate) impossible: Vec<(String, String)>,
}

/// A part of a plan.
#[derive(Debug)]
pub(crate) enum Part {
    /// The condition of a position with this number.
    Board(usize),
    /// The condition of a ply with this number.
    Ply(usize),
    /// A condition that the report decides.
    Report(ReportTerm),
    /// A condition of the game as a whole, with White and Black exchanged or not.
    Game(GameTerm, bool),
    Nothing,
    Not(Box<Part>),
    Ever(Box<Part>),
    Never(Box<Part>),
    All(Vec<Part>),
    Any(Vec<Part>),
    Then(Box<[Part; 2]>),
    Next(Box<[Part; 2]>),
    Count(Range, Box<Part>),
}

/// The truth of every condition in the positions of a game.
struct Truths {
    positions: usize,
    boards: Vec<Truth>,
    plies: Vec<Truth>,
}

/// A game whose positions are tested one after the other.
pub(crate) struct Test<'p, M> {
    plan: &'p Plan<M>,
    truths: Truths,
    /// The number of the next position.
    next: usize,
}

/// What decides conditions that are about no position and no ply.
#[derive(Clone, Copy)]
enum Beside<'a> {
    /// The record and the report on it.
    Judged(&'a Record<'a>, &'a Report),
    /// Nothing: they count as true, or as false.
    Unknown(bool),
}

impl<M: Mask> Plan<M> {
    /// The plan of a query for a game.
    pub(crate) fn new(query: &Query, rules: &Arc<Rules<M>>) -> Plan<M> {
        let mut plan =
            Plan { root: Part::Nothing, boards: Vec::new(), plies: Vec::new(), impossible: Vec::new() };
        let turned = Turned { by_rotation: is_rotated(rules), ..Turned::default() };
        plan.root = plan.part(query, &query.root, rules, turned);
        plan
    }

    fn part(&mut self, query: &Query, node: &Node, rules: &Arc<Rules<M>>, turned: Turned) -> Part {
        let mut of = |node: &Node, turned| self.part(query, node, rules, turned);
        match node {
            Node::Not(node) => Part::Not(Box::new(of(node, turned))),
            Node::Ever(node) => Part::Ever(Box::new(of(node, turned))),
            Node::Never(node) => Part::Never(Box::new(of(node, turned))),
            Node::All(nodes) => Part::All(nodes.iter().map(|node| of(node, turned)).collect()),
            Node::Any(nodes) => Part::Any(nodes.iter().map(|node| of(node, turned)).collect()),
            Node::Then(nodes) => Part::Then(Box::new([of(&nodes[0], turned), of(&nodes[1], turned)])),
            Node::Next(nodes) => Part::Next(Box::new([of(&nodes[0], turned), of(&nodes[1], turned)])),
            Node::Count(range, node) => Part::Count(*range, Box::new(of(node, turned))),
            Node::Flip(node) => {
                let other = Turned { exchanged: !turned.exchanged, ..turned };
                Part::Any(vec![of(node, turned), of(node, other)])
            }
            Node::Mirror(node) => {
                let other = Turned { mirrored: !turned.mirrored, ..turned };
                Part::Any(vec![of(node, turned), of(node, other)])
            }
            Node::Term(Term::Game(term), _) => Part::Game(term.clone(), turned.exchanged),
            Node::Term(Term::Position(term), span) => match OnBoard::of(term, rules, turned) {
                Ok(board) => {
                    self.boards.push(board);
                    Part::Board(self.boards.len() - 1)
                }
                Err(why) => self.nothing(query.text_at(*span), why),
            },
            Node::Term(Term::Report(term), _) => Part::Report(term.clone()),
            Node::Term(Term::Ply(term), span) => match OfPly::of(term, rules, turned) {
                Ok(ply) => {
                    self.plies.push(ply);
                    Part::Ply(self.plies.len() - 1)
                }
                Err(why) => self.nothing(query.text_at(*span), why),
            },
        }
    }

    fn nothing(&mut self, text: Option<&str>, why: String) -> Part {
        let impossible = (text.unwrap_or_default().to_owned(), why);
        if !self.impossible.contains(&impossible) {
            self.impossible.push(impossible);
        }
        Part::Nothing
    }

    /// The positions of a game for which the query holds.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(crate) fn look(
        &self,
        record: &Record<'_>,
        trace: &Trace<M>,
        budget: &Budget,
    ) -> Result<Truth, Exhausted> {
        let mut test = self.begin(trace.plies.len());
        if self.conditions() > 0 {
            walk(trace, budget, UNITS_POSITION + self.conditions() as u64 / 4, |position, done| {
                test.position(position, done);
            })?;
        }
        Ok(self.root.truth(&test.truths, Beside::Judged(record, &trace.report)))
    }

    /// Begins to test a game of so many plies.
    pub(crate) fn begin(&self, plies: usize) -> Test<'_, M> {
        let positions = plies + 1;
        let none = |count| vec![Truth::none(positions); count];
        let truths = Truths { positions, boards: none(self.boards.len()), plies: none(self.plies.len()) };
        Test { plan: self, truths, next: 0 }
    }

    /// How many conditions of positions and of plies it has.
    pub(crate) fn conditions(&self) -> usize {
        self.boards.len() + self.plies.len()
    }

    /// True if it has conditions of plies.
    pub(crate) fn tests_plies(&self) -> bool {
        !self.plies.is_empty()
    }
}

impl<M: Mask> Test<'_, M> {
    /// Tests the next position, and the ply that led to it.
    pub(crate) fn position(&mut self, position: &Position<M>, done: Option<&Done>) {
        let Test { plan, truths, next } = self;
        if let Some(done) = done {
            for (ply, truth) in plan.plies.iter().zip(&mut truths.plies) {
                if ply.holds(done) {
                    truth.add(*next);
                }
            }
        }
        for (board, truth) in plan.boards.iter().zip(&mut truths.boards) {
            if board.holds(position) {
                truth.add(*next);
            }
        }
        *next += 1;
    }

    /// True if the query holds, or if that depends on what the record or a report says.
    pub(crate) fn can_hold(&self) -> bool {
        !self.plan.root.truth(&self.truths, Beside::Unknown(true)).is_empty()
    }
}

/// True if the array looks the same from both sides only when the board is turned, as in INGOLS and shogi.
fn is_rotated<M: Mask>(rules: &Arc<Rules<M>>) -> bool {
    let (board, start) = (rules.board(), Position::start(Arc::clone(rules)));
    let fits = |turned: Turned| {
        let owner = |square: Square| start.piece(square).map(|piece| (piece.owner, piece.kind));
        board.squares().all(|square| {
            let meant = owner(turned.square(board, square));
            owner(square) == meant.map(|(owner, kind)| (Owner::opponent(owner), kind))
        })
    };
    let exchanged = Turned { exchanged: true, ..Turned::default() };
    !fits(exchanged) && fits(Turned { by_rotation: true, ..exchanged })
}

impl ReportTerm {
    /// The positions for which it holds.
    fn truth(&self, positions: usize, beside: Beside<'_>) -> Truth {
        let mut truth = Truth::none(positions);
        match (self, beside) {
            (ReportTerm::Ply(range), _) => {
                (0..positions).filter(|ply| range.has(*ply as i64)).for_each(|ply| truth.add(ply));
                truth
            }
            (ReportTerm::Last, _) => {
                truth.add(positions - 1);
                truth
            }
            (_, Beside::Unknown(counts)) => Truth::of_game(positions, counts),
            (_, Beside::Judged(_, report)) => self.in_report(positions, report),
        }
    }

    /// The positions for which it holds by a report.
    fn in_report(&self, positions: usize, report: &Report) -> Truth {
        let mut truth = Truth::none(positions);
        match self {
            // Known without it.
            ReportTerm::Ply(_) | ReportTerm::Last => {}
            ReportTerm::Claimable(kinds) => {
                let draws = report.claimable.iter().map(|claimable| &claimable.draw).chain(&report.claims);
                draws.filter(|draw| kinds.contains(&draw.kind)).for_each(|draw| truth.add(draw.ply));
            }
            ReportTerm::End(reasons) => {
                let end = report.end.filter(|end| reasons.is_empty() || reasons.contains(&end.reason));
                end.iter().for_each(|end| truth.add(end.ply));
            }
            ReportTerm::Illegal => {
                report.illegal.iter().for_each(|_| truth.add(positions - 1));
            }
            ReportTerm::Diagnostic(code) => {
                for found in report.diagnostics.iter().filter(|found| found.code == *code) {
                    match found.ply {
                        Some(ply) => truth.add(ply),
                        None => return Truth::of_game(positions, true),
                    }
                }
            }
        }
        truth
    }
}

impl GameTerm {
    /// Whether it is true of a record, if its text decides that.
    pub(crate) fn in_record(&self, record: &Record<'_>, exchanged: bool) -> Option<bool> {
        match self {
            GameTerm::Tag { names, wanted } => Some(wanted.fits(record, names, exchanged)),
            GameTerm::Result(result) => {
                let stated = record.stated_result().unwrap_or(GameResult::Unknown);
                Some(stated == if exchanged { of_opponent(*result) } else { *result })
            }
            GameTerm::Variant(_) | GameTerm::Legal | GameTerm::Plies(_) => None,
        }
    }

    /// Whether it is true of a game with so many plies.
    fn holds(&self, plies: usize, beside: Beside<'_>, exchanged: bool) -> bool {
        match (self, beside) {
            (GameTerm::Plies(range), _) => range.has(plies as i64),
            (_, Beside::Unknown(counts)) => counts,
            (_, Beside::Judged(record, report)) => self.in_report(record, report, exchanged),
        }
    }

    fn in_report(&self, record: &Record<'_>, report: &Report, exchanged: bool) -> bool {
        match self {
            GameTerm::Variant(name) => {
                let game = folded(&report.variant);
                game == *name
                    || name.contains('+') && is_of(&game, name)
                    || game.split('+').any(|part| part == name)
            }
            GameTerm::Legal => report.legal,
            GameTerm::Plies(range) => range.has(report.plies as i64),
            GameTerm::Tag { .. } | GameTerm::Result(_) => self.in_record(record, exchanged) == Some(true),
        }
    }
}

/// The name of a game without what people write differently: `King of the Hill`, `king-of-the-hill`.
pub(crate) fn folded(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '+')
        .flat_map(char::to_lowercase)
        .collect()
}

/// True if a game's name ends so: `misere+chaos+chess` is a `chaos+chess`.
fn is_of(game: &str, name: &str) -> bool {
    game.strip_suffix(name).is_some_and(|before| before.ends_with('+'))
}

pub(crate) fn of_opponent(result: GameResult) -> GameResult {
    match result {
        GameResult::WhiteWins => GameResult::BlackWins,
        GameResult::BlackWins => GameResult::WhiteWins,
        other => other,
    }
}

impl Beside<'_> {
    /// What decides a part whose opposite is asked for.
    fn denied(self) -> Self {
        match self {
            Beside::Unknown(counts) => Beside::Unknown(!counts),
            judged => judged,
        }
    }
}

impl Part {
    /// True if the plies of a game decide it.
    fn is_of_plies(&self) -> bool {
        match self {
            Part::Board(_) | Part::Ply(_) | Part::Nothing => true,
            Part::Report(term) => matches!(term, ReportTerm::Ply(_) | ReportTerm::Last),
            Part::Game(term, _) => matches!(term, GameTerm::Plies(_)),
            Part::Not(part) | Part::Ever(part) | Part::Never(part) | Part::Count(_, part) => {
                part.is_of_plies()
            }
            Part::All(parts) | Part::Any(parts) => parts.iter().all(Part::is_of_plies),
            Part::Then(parts) | Part::Next(parts) => parts.iter().all(Part::is_of_plies),
        }
    }

    /// The positions for which it holds.
    fn truth(&self, truths: &Truths, beside: Beside<'_>) -> Truth {
        let positions = truths.positions;
        let of = |part: &Part| part.truth(truths, beside);
        let denied = |part: &Part| part.truth(truths, beside.denied());
        match self {
            Part::Board(index) => truths.boards[*index].clone(),
            Part::Ply(index) => truths.plies[*index].clone(),
            Part::Report(term) => term.truth(positions, beside),
            Part::Game(term, exchanged) => {
                Truth::of_game(positions, term.holds(positions - 1, beside, *exchanged))
            }
            Part::Nothing => Truth::none(positions),
            Part::Not(part) => denied(part).opposite(),
            Part::Ever(part) => Truth::of_game(positions, !of(part).is_empty()),
            Part::Never(part) => Truth::of_game(positions, denied(part).is_empty()),
            Part::All(parts) => {
                parts.iter().fold(Truth::of_game(positions, true), |all, part| all.and(&of(part)))
            }
            Part::Any(parts) => {
                parts.iter().fold(Truth::of_game(positions, false), |any, part| any.or(&of(part)))
            }
            Part::Then(parts) => of(&parts[0]).then(&of(&parts[1])),
            Part::Next(parts) => of(&parts[0]).next(&of(&parts[1])),
            Part::Count(range, part) => {
                // More of what is counted may be too many.
                if let Beside::Unknown(counts) = beside
                    && !part.is_of_plies()
                {
                    return Truth::of_game(positions, counts);
                }
                let truth = of(part);
                match truth.count() {
                    0 => Truth::of_game(positions, range.has(0)),
                    count if range.has(count as i64) => truth,
                    _ => Truth::none(positions),
                }
            }
        }
    }
}

impl Node {
    /// Whether a query holds for a record, if its text decides that without a replay: for every position, or for none.
    pub(crate) fn in_record(&self, record: &Record<'_>, exchanged: bool) -> Option<bool> {
        let of = |node: &Node| node.in_record(record, exchanged);
        match self {
            Node::Term(Term::Game(term), _) => term.in_record(record, exchanged),
            Node::Term(..) => None,
            Node::Not(node) | Node::Never(node) => of(node).map(|holds| !holds),
            Node::Ever(node) | Node::Mirror(node) => of(node),
            Node::Flip(node) => {
                let both = [exchanged, !exchanged].map(|exchanged| node.in_record(record, exchanged));
                decided(both.into_iter(), true)
            }
            Node::All(nodes) => decided(nodes.iter().map(of), false),
            Node::Any(nodes) => decided(nodes.iter().map(of), true),
            Node::Then(nodes) | Node::Next(nodes) => {
                nodes.iter().any(|node| of(node) == Some(false)).then_some(false)
            }
            Node::Count(range, node) => (of(node) == Some(false)).then(|| range.has(0)),
        }
    }
}

/// What parts decide of which one suffices that is so.
fn decided(parts: impl Iterator<Item = Option<bool>>, suffices: bool) -> Option<bool> {
    let mut all = Some(!suffices);
    for part in parts {
        match part {
            Some(holds) if holds == suffices => return Some(suffices),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}
