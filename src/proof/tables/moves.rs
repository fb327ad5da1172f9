//! Moves that stay in a table, forwards and backwards, for all squares of the last man at once.

use super::layout::{Layout, Seat};
use super::slab::{Slab, ones};
use super::steps::Man;
use super::symmetry::bit;
use ferz_core::board::Owner;
use ferz_core::rules::Rules;

/// The men of a table on their places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) rules: &'a Rules<u64>,
    pub(super) layout: &'a Layout,
    pub(super) men: &'a [Man],
}

/// A king's step from a slab to another, or to another part of the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct KingStep {
    square: u8,
    between: u64,
    /// Where the pair of kings is then; `None` if no legal position has it.
    seat: Option<Seat>,
}

/// A word of a slab: the squares of all men but the last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) index: usize,
    pub(super) kings: [u8; 2],
    pub(super) fixed: [u8; 3],
    /// The squares of kings and fixed men.
    pub(super) occupied: u64,
}

impl<'a> Field<'a> {
    /// A word of a slab; `None` if two men share a square.
    pub(super) fn word(&self, slab: usize, index: usize) -> Option<Word> {
        let (kings, fixed) = (self.layout.kings(slab), self.layout.fixed_squares(index));
        let men = kings.into_iter().chain(fixed[..self.layout.fixed()].iter().copied());
        let occupied = Layout::occupied(men)?;
        Some(Word { index, kings, fixed, occupied })
    }

    /// The fixed men of an owner: their numbers among the men besides the kings, with their steps.
    pub(super) fn fixed_men(&self, owner: Owner) -> impl Iterator<Item = (usize, &'a Man)> {
        let men = self.men;
        let fixed = self.layout.fixed();
        men[2..].iter().take(fixed).enumerate().filter(move |(_, man)| man.piece.owner == owner)
    }

    /// The last man, if there is one and it is this owner's.
    pub(super) fn last_man(&self, owner: Owner) -> Option<&'a Man> {
        self.men[2..].last().filter(|man| man.piece.owner == owner)
    }

    /// The bits of a word where none of these squares is the last man's.
    #[inline]
    fn without(&self, squares: u64) -> u64 {
        if self.layout.others == 0 { u64::MAX } else { !squares }
    }

    /// The steps of a side's king in a slab.
    pub(super) fn king_steps(&self, slab: usize, owner: Owner) -> Vec<KingStep> {
        let kings = self.layout.kings(slab);
        let side = owner.index();
        let other = bit(kings[1 - side]);
        let steps = self.men[side].quiet[usize::from(kings[side])].iter();
        let open = steps.filter(|step| (step.between | bit(step.square)) & other == 0);
        open.map(|step| {
            let mut to = kings;
            to[side] = step.square;
            KingStep { square: step.square, between: step.between, seat: self.layout.seat(to) }
        })
        .collect()
    }

    /// Those of `bits` from which the owner has a move to a position that is not closed.
    pub(super) fn escapes(
        &self,
        owner: Owner,
        word: &Word,
        king_steps: &[KingStep],
        slab: usize,
        bits: u64,
        targets: &[Slab],
    ) -> u64 {
        let mut left = bits;
        let here = &targets[slab].work.closed;
        for (number, man) in self.fixed_men(owner) {
            let from = word.fixed[number];
            let base = word.index - usize::from(from) * self.layout.stride(number);
            for step in &man.quiet[usize::from(from)] {
                let way = step.between | bit(step.square);
                if way & word.occupied == 0 {
                    left &= way | here[base + usize::from(step.square) * self.layout.stride(number)];
                }
            }
            if left == 0 {
                return bits;
            }
            if man.complex {
                left &= !self.complex_escapes(man, number, word, left, here);
            }
        }
        for step in king_steps {
            let way = step.between | bit(step.square);
            let Some(seat) = step.seat.filter(|_| way & word.occupied == 0) else { continue };
            let at = self.layout.seated_word(seat, &word.fixed) - seat.slab * self.layout.words_per_slab();
            left &= !self.without(way) | self.layout.seen(seat, targets[seat.slab].work.closed[at]);
            if left == 0 {
                return bits;
            }
        }
        if let Some(man) = self.last_man(owner) {
            let closed = here[word.index];
            for from in ones(left) {
                if self.reach(man, from as u8, word.occupied) & !closed != 0 {
                    left &= !(1 << from);
                }
            }
        }
        bits & !left
    }

    /// The vacant squares that a man reaches without promotion.
    #[inline]
    fn reach(&self, man: &Man, from: u8, occupied: u64) -> u64 {
        let steps = man.quiet[usize::from(from)].iter();
        let open = steps.filter(|step| (step.between | bit(step.square)) & occupied == 0);
        open.fold(man.complex_reach(self.rules, from, occupied).0, |all, step| all | bit(step.square))
    }

    #[cold]
    fn complex_escapes(&self, man: &Man, number: usize, word: &Word, bits: u64, here: &[u64]) -> u64 {
        let from = word.fixed[number];
        let base = word.index - usize::from(from) * self.layout.stride(number);
        let stride = self.layout.stride(number);
        let escapes = |last: &usize| {
            let reached = man.complex_reach(self.rules, from, word.occupied | 1 << last).0;
            ones(reached).any(|to| here[base + to * stride] >> last & 1 == 0)
        };
        ones(bits).filter(escapes).fold(0, |all, last| all | 1 << last)
    }

    /// Adds to `found` the positions of a slab from which the owner has a move to a new position of `targets`.
    pub(super) fn retreat(
        &self,
        owner: Owner,
        slab: usize,
        king_steps: &[KingStep],
        targets: &[Slab],
        found: &mut [u64],
    ) {
        if targets[slab].work.changed {
            for (index, &bits) in targets[slab].work.new.iter().enumerate() {
                if bits != 0
                    && let Some(word) = self.word(slab, index)
                {
                    self.retreat_within(owner, &word, bits, found);
                }
            }
        }
        for step in king_steps {
            let Some(seat) = step.seat.filter(|seat| targets[seat.slab].work.changed) else { continue };
            for (index, &bits) in targets[seat.slab].work.new.iter().enumerate() {
                if bits == 0 {
                    continue;
                }
                let fixed = self.layout.seen_squares(seat, self.layout.fixed_squares(index));
                let word = self.layout.word(&fixed);
                let way = step.between | bit(step.square);
                if let Some(word) = self.word(slab, word)
                    && way & word.occupied == 0
                {
                    found[word.index] |= self.layout.seen(seat, bits) & self.without(way);
                }
            }
        }
    }

    fn retreat_within(&self, owner: Owner, word: &Word, bits: u64, found: &mut [u64]) {
        for (number, man) in self.fixed_men(owner) {
            let to = word.fixed[number];
            let stride = self.layout.stride(number);
            let base = word.index - usize::from(to) * stride;
            for step in &man.origins[usize::from(to)] {
                let way = step.between | bit(step.square);
                if way & word.occupied == 0 {
                    found[base + usize::from(step.square) * stride] |= bits & !way;
                }
            }
            if man.complex {
                self.complex_retreat(man, [base, stride], word.occupied ^ bit(to), to, bits, found);
            }
        }
        let Some(man) = self.last_man(owner) else { return };
        for to in ones(bits) {
            for step in &man.origins[to] {
                if (step.between | bit(step.square)) & word.occupied == 0 {
                    found[word.index] |= bit(step.square);
                }
            }
            if man.complex {
                let reaches = |from: &u8| {
                    word.occupied & bit(*from) == 0
                        && man.complex_reach(self.rules, *from, word.occupied).0 & bit(to as u8) != 0
                };
                let origins = (0..self.layout.squares as u8).filter(reaches);
                found[word.index] |= origins.fold(0, |all, from| all | bit(from));
            }
        }
    }

    /// [`Field::retreat_within`] for a fixed man's moves that depend on hurdles; `occupied` is without it.
    #[cold]
    fn complex_retreat(
        &self,
        man: &Man,
        [base, stride]: [usize; 2],
        occupied: u64,
        to: u8,
        bits: u64,
        found: &mut [u64],
    ) {
        for last in ones(bits) {
            let occupied = occupied | 1 << last;
            for from in (0..self.layout.squares as u8).filter(|from| occupied & bit(*from) == 0) {
                if man.complex_reach(self.rules, from, occupied).0 & bit(to) != 0 {
                    found[base + usize::from(from) * stride] |= 1 << last;
                }
            }
        }
    }

    /// The bits of a word where the owner attacks `target`.
    pub(super) fn attacked(&self, owner: Owner, word: &Word, target: u8) -> u64 {
        let king = self.men[owner.index()].attack_between(word.kings[owner.index()], target);
        let fixed = self.fixed_men(owner).map(|(number, man)| (man, word.fixed[number]));
        let open = |between: &u64| between & word.occupied == 0;
        let mut found = king.filter(open).map_or(0, |between| self.without(between));
        for (man, from) in fixed {
            found |= man.attack_between(from, target).filter(open).map_or(0, |between| !between);
            if man.complex {
                let attacks = |last: &usize| {
                    man.complex_reach(self.rules, from, word.occupied | 1 << last).1 & bit(target) != 0
                };
                found |= ones(self.layout.bits()).filter(attacks).fold(0, |all, last| all | 1 << last);
            }
        }
        if let Some(man) = self.last_man(owner) {
            for step in man.attackers[usize::from(target)].iter().filter(|step| open(&step.between)) {
                found |= bit(step.square);
            }
            if man.complex {
                let attacks = |from: &usize| {
                    man.complex_reach(self.rules, *from as u8, word.occupied).1 & bit(target) != 0
                };
                found |= ones(self.layout.bits()).filter(attacks).fold(0, |all, from| all | 1 << from);
            }
        }
        found
    }
}
