//! Enumerates the armies of a catalogue.

use super::{Army, Catalogue, Repeats};

/// The armies of a [`Catalogue`], see [`Catalogue::armies`].
///
/// Depth-first over the slots. A choice whose augmenter is taken is skipped together with everything after it, so long
/// lists cost no more than the armies they have.
#[derive(Debug, Clone)]
pub struct Armies<'a> {
    catalogue: &'a Catalogue,
    repeats: Repeats,
    /// The choices of the first slots, without repeats.
    picks: Vec<usize>,
    /// The choice to try next in the slot after `picks`.
    next: usize,
    done: bool,
    /// The choices that may still be tried.
    left: u64,
}

impl<'a> Armies<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, repeats: Repeats) -> Armies<'a> {
        Armies { catalogue, repeats, picks: Vec::new(), next: 0, done: false, left: u64::MAX }
    }

    /// The same, until so many choices have been tried. With many slots the armies that are wanted may be rare among
    /// more than anyone can look at.
    #[must_use]
    pub fn within(self, choices: u64) -> Armies<'a> {
        Armies { left: choices, ..self }
    }

    /// True if it ended because as many choices have been tried as [`within`](Self::within) says.
    pub fn is_cut(&self) -> bool {
        self.left == 0
    }

    /// Backtracks to the last slot with a choice left and advances it; ends if there is none.
    fn step_back(&mut self) {
        match self.picks.pop() {
            Some(pick) => self.next = pick + 1,
            None => self.done = true,
        }
    }
}

impl Iterator for Armies<'_> {
    type Item = Army;

    fn next(&mut self) -> Option<Army> {
        while !self.done && self.left > 0 {
            self.left -= 1;
            let slot = self.picks.len();
            if self.next == self.catalogue.kinds[slot].len() {
                self.step_back();
                continue;
            }
            let allowed =
                self.repeats == Repeats::Allowed || self.catalogue.repeat(&self.picks, self.next).is_none();
            if !allowed {
                self.next += 1;
                continue;
            }
            self.picks.push(self.next);
            if self.picks.len() == self.catalogue.kinds.len() {
                let army = Army { picks: self.picks.clone() };
                self.step_back();
                return Some(army);
            }
            self.next = 0;
        }
        None
    }
}

/// An augmenter that two slots share: the index of the earlier slot and of the augmenter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repeat {
    pub slot: usize,
    pub augmenter: usize,
}

impl Catalogue {
    /// An augmenter of `pick`, a choice for the slot after `picks`, that is in `picks` already.
    pub(super) fn repeat(&self, picks: &[usize], pick: usize) -> Option<Repeat> {
        let new = &self.kinds[picks.len()][pick].augmenters;
        picks.iter().enumerate().find_map(|(slot, &earlier)| {
            let taken = &self.kinds[slot][earlier].augmenters;
            new.iter().copied().find(|a| taken.contains(a)).map(|augmenter| Repeat { slot, augmenter })
        })
    }
}
