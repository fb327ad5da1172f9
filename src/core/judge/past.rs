//! Earlier positions of a line, recomputed on demand.

use crate::board::Mask;
use crate::position::Call;
use crate::position::{Ply, Position};
use std::mem::take;
use std::sync::Arc;

/// Plies between two cached positions: few enough that an earlier position is quickly recomputed from one of them.
const APART: usize = 64;

/// The start of a line and its plies; positions are cached only when a repetition needs them.
#[derive(Debug, Clone)]
pub(super) struct Past<M> {
    start: Arc<Position<M>>,
    plies: Vec<Ply>,
    /// The calls that had an effect, with the number of plies before each.
    calls: Vec<(usize, Call)>,
    /// The number of plies before the first illegal one that was let stand.
    legal: usize,
    /// The positions after [`APART`] plies, twice as many, …, as far as they were needed.
    kept: Vec<Position<M>>,
}

/// The part of a line's past after the plies that are lent to a variation.
#[derive(Debug)]
pub(super) struct Later<M> {
    plies: Vec<Ply>,
    calls: Vec<(usize, Call)>,
    /// The number of calls that are lent.
    lent: usize,
    kept: Vec<Position<M>>,
}

impl<M: Mask> Past<M> {
    pub(super) fn new(start: Arc<Position<M>>) -> Past<M> {
        Past { start, plies: Vec::with_capacity(128), calls: Vec::new(), legal: usize::MAX, kept: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, ply: &Ply) {
        self.plies.push(*ply);
    }

    /// The player on move called for something after the last ply, with effect.
    pub(super) fn call(&mut self, call: Call) {
        self.calls.push((self.plies.len(), call));
    }

    /// The last ply is illegal and was let stand: for it and later plies, the assumptions about legal plies do not
    /// hold.
    pub(super) fn let_stand(&mut self) {
        self.legal = self.legal.min(self.plies.len() - 1);
    }

    /// The identity of the position after this many plies (COM-3).
    ///
    /// The line is replayed once; after that at most [`APART`] plies are between a cached position and this one.
    pub(super) fn identity(&mut self, plies: usize) -> Vec<u8> {
        while (self.kept.len() + 1) * APART <= plies {
            let next = self.after((self.kept.len() + 1) * APART);
            self.kept.push(next);
        }
        self.after(plies).identity()
    }

    /// The position after this many plies, from the last cached one before it.
    fn after(&self, plies: usize) -> Position<M> {
        let known = (plies / APART).min(self.kept.len());
        let mut position = known.checked_sub(1).map_or(&*self.start, |last| &self.kept[last]).clone();
        for index in known * APART..plies {
            self.apply(index, &mut position);
        }
        position
    }

    /// Makes the ply with this index, and the calls before it.
    fn apply(&self, index: usize, position: &mut Position<M>) {
        for call in Call::after(&self.calls, index) {
            // It had an effect when it was made.
            let _ = position.call(call);
        }
        if index < self.legal {
            position.apply(&self.plies[index]);
        } else {
            position.apply_let_stand(&self.plies[index]);
        }
    }

    /// The plies of the line.
    pub(super) fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// What was called for with effect.
    pub(super) fn calls(&self) -> &[(usize, Call)] {
        &self.calls
    }

    /// True if no illegal ply was let stand.
    pub(super) fn is_legal(&self) -> bool {
        self.legal == usize::MAX
    }

    /// The start of the line.
    pub(super) fn start(&self) -> &Position<M> {
        &self.start
    }

    /// Calls `visit` for each position of the line with the number of plies before it, while it returns true.
    pub(super) fn walk<E>(
        &self,
        mut visit: impl FnMut(usize, &Position<M>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut position = Position::clone(&self.start);
        let is_plain = self.calls.is_empty() && self.is_legal();
        for (index, ply) in self.plies.iter().enumerate() {
            if !visit(index, &position)? {
                return Ok(());
            }
            match is_plain {
                true => position.apply(ply),
                false => self.apply(index, &mut position),
            }
        }
        visit(self.plies.len(), &position).map(|_| ())
    }

    /// Lends the first `plies` plies to a variation, and sets the later ones aside.
    pub(super) fn lend(&mut self, plies: usize) -> (Past<M>, Later<M>) {
        let kept = self.kept.split_off(self.kept.len().min(plies / APART));
        let lent = self.calls.iter().take_while(|(before, _)| *before <= plies).count();
        let calls = self.calls.split_off(lent);
        let later = Later { plies: self.plies.split_off(plies), calls, lent, kept };
        let (start, plies) = (Arc::clone(&self.start), take(&mut self.plies));
        let calls = take(&mut self.calls);
        let lent = Past { start, plies, calls, legal: self.legal, kept: take(&mut self.kept) };
        (lent, later)
    }

    /// Takes back the lent plies, and appends those set aside.
    pub(super) fn rejoin(&mut self, plies: usize, lent: Past<M>, later: Later<M>) {
        (self.plies, self.calls, self.kept) = (lent.plies, lent.calls, lent.kept);
        self.plies.truncate(plies);
        self.plies.extend(later.plies);
        self.calls.truncate(later.lent);
        self.calls.extend(later.calls);
        // The variation may have cached positions before it, which belong to this line as well.
        self.kept.truncate(plies / APART);
        self.kept.extend(later.kept);
    }
}
