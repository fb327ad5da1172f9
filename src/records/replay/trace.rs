//! A game with its plies: for the archive, diagrams and exports, in addition to the report.

use super::codes;
use super::game::{AnyGame, Game, Judging, Replayer};
use super::line::Observer;
use super::report::{Report, Source};
use super::two_boards::{WORKS_ON_ONE, is_on_two_boards};
use crate::record::{ItemKind, Record};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Judge;
use ferz_core::position::Call;
use ferz_core::position::{Ply, Position};
use ferz_core::text::{Budget, Diagnostic, Exhausted, Severity};
use std::sync::Arc;

/// A ply of the main line, with its place in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traced {
    /// Index of the record's item that it was read from.
    pub item: usize,
    /// The ply.
    pub ply: Ply,
    /// The number of Nature's turn: its own, or that of the next one.
    pub interjection: u32,
    /// True if the ply is illegal but was let stand: [`Position::apply_let_stand`] makes it.
    pub let_stand: bool,
}

impl Traced {
    /// Makes the ply in the position before it.
    pub fn apply<M: Mask>(&self, position: &mut Position<M>) {
        self.apply_after(false, position);
    }

    /// Makes the ply. Before it, all plies were legal, or some may have been let stand.
    pub fn apply_after<M: Mask>(&self, legal: bool, position: &mut Position<M>) {
        if self.let_stand {
            position.apply_let_stand(&self.ply);
            return;
        }
        position.apply(&self.ply);
        // After an illegal ply the waiting player may have been in check.
        if !legal {
            position.settle();
        }
    }
}

/// The replayed part of a game's main line, with its start.
#[derive(Debug, Clone)]
pub struct Trace<M> {
    /// The report on the record.
    pub report: Report,
    /// The position that the game starts from.
    pub start: Position<M>,
    /// The same as text; most games share that of the array.
    pub start_fen: Arc<str>,
    /// The plies in order; as many as `report.plies`.
    pub plies: Vec<Traced>,
    /// What the players called for, with the number of plies before each call.
    pub calls: Vec<(usize, Call)>,
    /// After plies from this one on the waiting player may be in check, because one before it was let stand.
    settles_from: usize,
}

/// A traced game on a small or a large board.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // there is one of them at a time
pub enum AnyTrace {
    /// Up to 64 squares.
    Narrow(Trace<u64>),
    /// Up to 128 squares.
    Wide(Trace<u128>),
}

/// Runs code that is generic over the mask width on a traced game: `with_trace!(any, |trace| …)`.
#[macro_export]
macro_rules! with_trace {
    ($any:expr, |$trace:pat_param| $body:expr) => {
        match $any {
            $crate::replay::AnyTrace::Narrow($trace) => $body,
            $crate::replay::AnyTrace::Wide($trace) => $body,
        }
    };
}
pub use with_trace;

impl AnyTrace {
    /// The report on the record.
    pub fn report(&self) -> &Report {
        with_trace!(self, |trace| &trace.report)
    }
}

impl<M: Mask> Trace<M> {
    /// The same plies from another start, as by another reading of the rules, where some may be illegal.
    pub fn with_start(self, start: Position<M>) -> Trace<M> {
        Trace { start_fen: start.fen().into(), start, settles_from: 0, ..self }
    }

    /// The position after this many plies; after all of them if there are fewer.
    pub fn position(&self, plies: usize) -> Position<M> {
        let mut position = self.start.clone();
        (0..plies.min(self.plies.len())).for_each(|index| self.make(index, &mut position));
        self.call(plies.min(self.plies.len()), &mut position);
        position
    }

    /// Makes the ply with this index, after what was called for before it.
    pub fn make(&self, index: usize, position: &mut Position<M>) {
        self.call(index, position);
        self.apply(index, position);
    }

    fn apply(&self, index: usize, position: &mut Position<M>) {
        if let Some(traced) = self.plies.get(index) {
            traced.apply_after(index < self.settles_from, position);
        }
    }

    /// Does what was called for after this many plies.
    fn call(&self, plies: usize, position: &mut Position<M>) {
        for call in Call::after(&self.calls, plies) {
            // One without effect has been reported.
            let _ = position.call(call);
        }
    }

    /// The move and the player of the ply with this index, as players count: `(6, Black)`. `None` for Nature's, and if
    /// there is no such ply.
    pub fn move_of(&self, index: usize) -> Option<(usize, Owner)> {
        self.moves().nth(index).flatten()
    }

    /// The move and the player of the ply after the last one; if Nature may come between, those after her turn.
    pub fn next_move(&self) -> (usize, Owner) {
        let last = self.moves().flatten().last();
        let player = last.map_or(self.start.turn(), |(_, player)| player.opponent());
        (self.move_number(self.plies.len()), player)
    }

    /// The move and the player of every ply, as [`move_of`](Self::move_of) gives them.
    pub fn moves(&self) -> impl Iterator<Item = Option<(usize, Owner)>> {
        let mut half_moves = usize::from(self.start.turn() == Owner::Black);
        let first = self.start.status().number as usize;
        self.plies.iter().map(move |traced| {
            let actor = Some(traced.ply.actor).filter(|actor| actor.is_real())?;
            half_moves += 1;
            Some((first + (half_moves - 1) / 2, actor))
        })
    }

    /// The number of the move after this many plies.
    fn move_number(&self, plies: usize) -> usize {
        let before = self.plies[..plies].iter().filter(|traced| traced.ply.actor.is_real()).count();
        let half_moves = before + usize::from(self.start.turn() == Owner::Black);
        self.start.status().number as usize + half_moves / 2
    }

    /// The position after this many plies, and what its history decides.
    pub fn at(&self, plies: usize) -> (Position<M>, Judge<M>) {
        let mut position = self.start.clone();
        let mut judge = Judge::new(&position);
        // A call without effect has been reported.
        let call = |judge: &mut Judge<M>, position: &mut Position<M>, plies| {
            Call::after(&self.calls, plies).for_each(|call| _ = judge.call(position, call));
        };
        for (index, traced) in self.plies.iter().take(plies).enumerate() {
            call(&mut judge, &mut position, index);
            self.apply(index, &mut position);
            if traced.let_stand {
                judge.after_let_stand(&position, &traced.ply);
            } else {
                judge.after(&position, &traced.ply);
            }
        }
        call(&mut judge, &mut position, plies.min(self.plies.len()));
        (position, judge)
    }

    /// Calls `each` for every ply with the position before it.
    pub fn each(&self, mut each: impl FnMut(&Position<M>, &Traced)) {
        let mut position = self.start.clone();
        for (index, traced) in self.plies.iter().enumerate() {
            self.call(index, &mut position);
            each(&position, traced);
            self.apply(index, &mut position);
        }
    }
}

/// Replays a record that is part of `source`, as [`Replayer::report`] does, and keeps the plies.
///
/// ```
/// use ferz_records::replay::{Options, Replayer, Source, trace};
/// use ferz_core::rules::Registry;
/// use ferz_records::{record, with_trace};
///
/// let text = b"[Variant \"ingols\"]\n\n1. e4 e5 *";
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let record = record::read(text, 0).next().ok_or("no game")?;
/// let traced = trace(&mut replayer, &record, &Source::new(text, 0, 0), 0).map_err(|_| "not judged")?;
/// with_trace!(traced, |trace| assert_eq!(trace.plies.len(), trace.report.plies));
/// # Ok::<(), &str>(())
/// ```
///
/// # Errors
/// The report on a record that cannot be judged: its game is unknown, or its tags are invalid.
pub fn trace(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
) -> Result<AnyTrace, Box<Report>> {
    Budget::endless(|budget| trace_within(replayer, record, source, number, budget))
}

/// [`trace`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn trace_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    budget: &Budget,
) -> Result<Result<AnyTrace, Box<Report>>, Exhausted> {
    let of = Judging { record, source, number, budget };
    Ok(match replayer.game_or_report(of) {
        Ok(AnyGame::Narrow(game)) => traced(replayer, &game, of)?.map(AnyTrace::Narrow),
        Ok(AnyGame::Wide(game)) => traced(replayer, &game, of)?.map(AnyTrace::Wide),
        Err(report) => Err(report),
    })
}

fn traced<M: Mask>(
    replayer: &Replayer<'_>,
    game: &Game<M>,
    of: Judging<'_>,
) -> Result<Result<Trace<M>, Box<Report>>, Exhausted> {
    let record = of.record;
    if is_on_two_boards(game, record) {
        return replayer.judge_in(game, of, &mut ()).map(|report| Err(Box::new(on_two(report, of))));
    }
    let mut main_line = MainLine::of(record);
    let report = replayer.judge_in(game, of, &mut main_line)?;
    Ok(match Replayer::start_with_fen(game, record) {
        Ok((start, start_fen)) => {
            let plies = main_line.plies;
            let let_stand = plies.iter().position(|traced| traced.let_stand);
            let settles_from = let_stand.map_or(plies.len(), |ply| ply + 1);
            Ok(Trace { report, start, start_fen, plies, calls: record.main_calls(), settles_from })
        }
        Err(_) => Err(Box::new(report)),
    })
}

/// The report on a game on two boards, which says that a trace has one.
fn on_two(mut report: Report, Judging { record, source, .. }: Judging<'_>) -> Report {
    if !report.is_judged() {
        return report;
    }
    let found = Diagnostic::new(codes::J_TWO_BOARDS, Severity::Error, record.span_of_source(), WORKS_ON_ONE);
    report.diagnostics.push(source.place(found, None));
    report
}

/// Keeps the plies of the main line.
pub(super) struct MainLine {
    is_ply: Vec<bool>,
    pub plies: Vec<Traced>,
}

impl MainLine {
    pub fn of(record: &Record<'_>) -> MainLine {
        let (mut is_ply, mut plies) = (vec![false; record.items.len()], 0);
        for (index, &item) in record.main_line().items() {
            is_ply[index] = item.kind == ItemKind::Move;
            plies += usize::from(is_ply[index]);
        }
        MainLine { is_ply, plies: Vec::with_capacity(plies) }
    }
}

impl<M: Mask> Observer<M> for MainLine {
    fn legal(&mut self, index: usize, _: &Position<M>, ply: &Ply, interjection: u32) {
        if self.is_ply[index] {
            self.plies.push(Traced { item: index, ply: *ply, interjection, let_stand: false });
        }
    }

    fn let_stand(&mut self, index: usize, _: &Position<M>, ply: &Ply, interjection: u32) {
        if self.is_ply[index] {
            self.plies.push(Traced { item: index, ply: *ply, interjection, let_stand: true });
        }
    }

    fn restart(&mut self) {
        self.plies.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::tests::{record, replayer};

    fn of(text: &str) -> Result<AnyTrace, Box<Report>> {
        trace(&mut replayer(), &record(text), &Source::new(text.as_bytes(), 0, 0), 0)
    }

    #[test]
    fn variations_are_no_plies_of_the_game() {
        let traced = of("1. e4 (1. d4 d5 (1... Nf6)) 1... e5 2. Nf3 Qxf7 *").unwrap();
        let AnyTrace::Narrow(trace) = traced else { panic!("chess has 64 squares") };
        assert_eq!((trace.plies.len(), trace.report.plies), (3, 3));
        assert_eq!(trace.position(3).fen(), trace.report.final_fen);
        assert_eq!(trace.moves().collect::<Vec<_>>(), [0, 1, 2].map(|ply| trace.move_of(ply)));
        assert_eq!(
            trace.moves().collect::<Vec<_>>(),
            [(1, Owner::White), (1, Owner::Black), (2, Owner::White)].map(Some)
        );
        assert_eq!((trace.move_of(3), trace.next_move()), (None, (2, Owner::Black)));
        assert_eq!(trace.position(99).fen(), trace.report.final_fen);
        let mut fens = Vec::new();
        trace.each(|before, _| fens.push(before.fen()));
        assert_eq!(fens[0], trace.start.fen());
        assert_eq!(fens.len(), 3);
    }

    #[test]
    fn what_cannot_be_judged_gives_its_report() {
        let report = of("[Variant \"nonsense\"]\n\n1. e4 *").unwrap_err();
        assert!(!report.legal);
        let report = of("[FEN \"nonsense\"]\n\n1. e4 *").unwrap_err();
        assert_eq!(report.diagnostics.last().unwrap().code, super::super::codes::J_POSITION);
    }

    #[test]
    fn large_boards_are_traced_too() {
        let traced = of("[Variant \"capablanca\"]\n\n1. e4 *").unwrap();
        assert!(matches!(traced, AnyTrace::Wide(_)));
        assert_eq!(traced.report().plies, 1);
    }
}
