//! Earlier positions of a line, played again when they are asked for.

use crate::board::Mask;
use crate::position::{Ply, Position};
use std::mem::take;
use std::sync::Arc;

/// Plies between two positions that are kept: few enough that an earlier position is soon reached from one of them.
const APART: usize = 64;

/// The start of a line and its plies; nothing else is kept before a repetition asks for it.
#[derive(Debug, Clone)]
pub(super) struct Past<M> {
    start: Arc<Position<M>>,
    plies: Vec<Ply>,
    /// How many plies there were before the first illegal one that was allowed to stand.
    legal: usize,
    /// The positions after [`APART`] plies, after twice as many, …, as far as they have been asked for.
    kept: Vec<Position<M>>,
}

/// What of a line's past comes after the plies that are lent to a variation.
#[derive(Debug)]
pub(super) struct Later<M> {
    plies: Vec<Ply>,
    kept: Vec<Position<M>>,
}

impl<M: Mask> Past<M> {
    pub(super) fn new(start: Arc<Position<M>>) -> Past<M> {
        Past { start, plies: Vec::with_capacity(128), legal: usize::MAX, kept: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, ply: &Ply) {
        self.plies.push(*ply);
    }

    /// The last ply is illegal and was allowed to stand: it and those after it are made without what holds for legal
    /// ones.
    pub(super) fn stands(&mut self) {
        self.legal = self.legal.min(self.plies.len() - 1);
    }

    /// What makes the position after so many plies the same as another (COM-3).
    ///
    /// The line is played again once; then at most [`APART`] plies lie between a position that is kept and this one.
    pub(super) fn identity(&mut self, plies: usize) -> Vec<u8> {
        while (self.kept.len() + 1) * APART <= plies {
            let next = self.after((self.kept.len() + 1) * APART);
            self.kept.push(next);
        }
        self.after(plies).identity()
    }

    /// The position after so many plies, from the last one before it that is kept.
    fn after(&self, plies: usize) -> Position<M> {
        let known = (plies / APART).min(self.kept.len());
        let mut position = known.checked_sub(1).map_or(&*self.start, |last| &self.kept[last]).clone();
        for (index, ply) in self.plies[..plies].iter().enumerate().skip(known * APART) {
            if index < self.legal {
                position.apply(ply);
            } else {
                position.apply_let_stand(ply);
            }
        }
        position
    }

    /// Lends the first `plies` plies to a variation, and keeps what comes after them apart.
    pub(super) fn lend(&mut self, plies: usize) -> (Past<M>, Later<M>) {
        let kept = self.kept.split_off(self.kept.len().min(plies / APART));
        let later = Later { plies: self.plies.split_off(plies), kept };
        let (start, plies) = (Arc::clone(&self.start), take(&mut self.plies));
        let lent = Past { start, plies, legal: self.legal, kept: take(&mut self.kept) };
        (lent, later)
    }

    /// Takes back the first `plies` plies, which were lent, and their continuation.
    pub(super) fn rejoin(&mut self, plies: usize, lent: Past<M>, later: Later<M>) {
        (self.plies, self.kept) = (lent.plies, lent.kept);
        self.plies.truncate(plies);
        self.plies.extend(later.plies);
        // The variation may have kept positions before it, which are this line's, too.
        self.kept.truncate(plies / APART);
        self.kept.extend(later.kept);
    }
}
