//! An analysis: all plies of a record, those of its variations too, by the positions before and after them.

use super::game::{AnyGame, Game, Judging, Replayer};
use super::line::Observer;
use super::report::{Report, Source};
use crate::record::Record;
use ferz_core::board::Mask;
use ferz_core::position::{Ply, Position};
use ferz_core::text::{Budget, Exhausted};

/// A ply of an analysis, in its main line or in a variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysedPly {
    /// The ply.
    pub ply: Ply,
    /// The position before it: [`Position::identity`].
    pub before: Vec<u8>,
    /// The position after it.
    pub after: Vec<u8>,
}

/// The plies of a record and its variations. Where lines transpose, they meet in a position.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The report on the record.
    pub report: Report,
    /// The position it starts from.
    pub start: Vec<u8>,
    /// The plies in the order of judging: a variation follows the ply that it replaces.
    pub plies: Vec<AnalysedPly>,
}

impl Analysis {
    /// True if the position occurs in it.
    pub fn has(&self, identity: &[u8]) -> bool {
        self.start == identity || self.plies.iter().any(|ply| ply.after == identity)
    }
}

/// Replays a record that is part of `source` with its variations, and keeps the plies of all lines.
///
/// ```
/// use ferz_core::rules::Registry;
/// use ferz_core::text::Budget;
/// use ferz_records::record;
/// use ferz_records::replay::{Options, Replayer, Source, analysis};
///
/// let text = b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *";
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let record = record::read(text, 0).next().ok_or("no game")?;
/// let source = Source::new(text, 0, 0);
/// let found = analysis(&mut replayer, &record, &source, &Budget::unlimited()).map_err(|_| "exhausted")?;
/// assert_eq!(found.map_err(|_| "not judged")?.plies.len(), 5);
/// # Ok::<(), &str>(())
/// ```
///
/// # Errors
/// If the budget ends before the work; within it, the report on a record that cannot be judged.
pub fn analysis(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    budget: &Budget,
) -> Result<Result<Analysis, Box<Report>>, Exhausted> {
    let of = Judging { record, source, number: 0, budget };
    match replayer.game_or_report(of) {
        Ok(AnyGame::Narrow(game)) => analysed(replayer, &game, of),
        Ok(AnyGame::Wide(game)) => analysed(replayer, &game, of),
        Err(report) => Ok(Err(report)),
    }
}

fn analysed<M: Mask>(
    replayer: &Replayer<'_>,
    game: &Game<M>,
    of: Judging<'_>,
) -> Result<Result<Analysis, Box<Report>>, Exhausted> {
    let mut lines = Lines { plies: Vec::new() };
    let report = replayer.judge_in(game, of, &mut lines)?;
    Ok(match Replayer::start_with_fen(game, of.record) {
        Ok((start, _)) => Ok(Analysis { report, start: start.identity(), plies: lines.plies }),
        Err(_) => Err(Box::new(report)),
    })
}

/// Keeps the plies of all lines.
struct Lines {
    plies: Vec<AnalysedPly>,
}

impl Lines {
    fn keep<M: Mask>(&mut self, before: &Position<M>, ply: &Ply, after: &mut Position<M>) {
        // After an illegal ply the waiting player may have been in check.
        after.settle();
        self.plies.push(AnalysedPly { ply: *ply, before: before.identity(), after: after.identity() });
    }
}

impl<M: Mask> Observer<M> for Lines {
    const UNITS: u64 = 2;

    fn legal(&mut self, _: usize, before: &Position<M>, ply: &Ply, _: u32) {
        let mut after = before.clone();
        after.apply(ply);
        self.keep(before, ply, &mut after);
    }

    fn let_stand(&mut self, _: usize, before: &Position<M>, ply: &Ply, _: u32) {
        let mut after = before.clone();
        after.apply_let_stand(ply);
        self.keep(before, ply, &mut after);
    }

    fn restart(&mut self) {
        self.plies.clear();
    }
}
