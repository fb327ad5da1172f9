//! Sets of positions of a game, by the plies before them.

/// A set of positions of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Truth {
    bits: Vec<u64>,
    /// How many positions the game has, one more than plies.
    positions: usize,
    /// True if it is about the game as a whole: then it has all positions or none.
    pub(crate) is_whole: bool,
}

impl Truth {
    /// No position.
    pub(crate) fn none(positions: usize) -> Truth {
        Truth { bits: vec![0; positions.div_ceil(64)], positions, is_whole: false }
    }

    /// All positions, or none, because something is true of the game, or not.
    pub(crate) fn of_game(positions: usize, holds: bool) -> Truth {
        let none = Truth { is_whole: true, ..Truth::none(positions) };
        if holds { none.opposite() } else { none }
    }

    /// Adds a position.
    pub(crate) fn add(&mut self, position: usize) {
        if position < self.positions {
            self.bits[position / 64] |= 1 << (position % 64);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bits.iter().all(|bits| *bits == 0)
    }

    pub(crate) fn count(&self) -> usize {
        self.bits.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// The positions in order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.positions).filter(|position| self.bits[position / 64] >> (position % 64) & 1 == 1)
    }

    /// The positions that are not in it.
    pub(crate) fn opposite(mut self) -> Truth {
        self.bits.iter_mut().for_each(|bits| *bits = !*bits);
        let last = self.positions % 64;
        if let Some(bits) = self.bits.last_mut().filter(|_| last > 0) {
            *bits &= (1 << last) - 1;
        }
        self
    }

    /// The positions of both.
    pub(crate) fn and(mut self, other: &Truth) -> Truth {
        self.bits.iter_mut().zip(&other.bits).for_each(|(bits, other)| *bits &= other);
        self.is_whole &= other.is_whole;
        self
    }

    /// The positions of either.
    pub(crate) fn or(mut self, other: &Truth) -> Truth {
        let holds = |truth: &Truth| truth.is_whole && !truth.is_empty();
        self.is_whole = self.is_whole && other.is_whole || holds(&self) || holds(other);
        self.bits.iter_mut().zip(&other.bits).for_each(|(bits, other)| *bits |= other);
        self
    }

    /// The positions of `other` that come after one of these.
    pub(crate) fn then(&self, other: &Truth) -> Truth {
        let mut found = Truth::none(self.positions);
        if let Some(first) = self.positions().next() {
            other.positions().filter(|position| *position > first).for_each(|position| found.add(position));
        }
        found
    }

    /// The positions of `other` just before which is one of these.
    pub(crate) fn next(&self, other: &Truth) -> Truth {
        let mut found = Truth::none(self.positions);
        self.positions().for_each(|position| found.add(position + 1));
        found.and(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(positions: &[usize]) -> Truth {
        let mut truth = Truth::none(130);
        positions.iter().for_each(|position| truth.add(*position));
        truth
    }

    fn list(truth: &Truth) -> Vec<usize> {
        truth.positions().collect()
    }

    #[test]
    fn sets_of_positions() {
        let some = of(&[0, 3, 64, 129]);
        assert_eq!((list(&some), some.count()), (vec![0, 3, 64, 129], 4));
        assert_eq!(
            (some.clone().opposite().count(), some.clone().opposite().opposite()),
            (126, some.clone())
        );
        assert_eq!(list(&some.clone().and(&of(&[3, 4, 129]))), [3, 129]);
        assert_eq!(list(&of(&[7]).or(&of(&[3, 64]))), [3, 7, 64]);
        assert_eq!(list(&of(&[3, 9]).then(&of(&[0, 3, 4, 64]))), [4, 64]);
        assert_eq!(list(&of(&[3, 63, 129]).next(&of(&[4, 5, 64]))), [4, 64]);
        assert!(of(&[]).then(&some).is_empty());
    }

    #[test]
    fn what_is_true_of_a_game_is_no_list_of_positions() {
        let (yes, no) = (Truth::of_game(130, true), Truth::of_game(130, false));
        assert_eq!((yes.count(), no.count()), (130, 0));
        assert!(!yes.clone().and(&of(&[3])).is_whole && yes.clone().and(&yes).is_whole);
        assert!(
            !no.clone().or(&of(&[3])).is_whole
                && of(&[3]).or(&yes).is_whole
                && yes.clone().or(&of(&[3])).is_whole
        );
        assert!(no.clone().opposite().is_whole && !yes.then(&of(&[3])).is_whole);
    }
}
