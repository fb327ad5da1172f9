//! Finds every won and lost position, round by round: in round `n` those that are decided in `n` moves of the winner.

use super::layout::Layout;
use super::moves::Field;
use super::prepare::{Exit, Link, Preparation, mark_illegal};
use super::slab::{Slab, ones};
use super::steps::Man;
use super::{Round, TableError};
use ferz_core::board::Owner;
use ferz_core::rules::Rules;
use ferz_core::text::Budget;
use rayon::prelude::*;
use std::collections::HashMap;

/// What a table is made from.
pub(super) struct Problem<'a> {
    pub(super) rules: &'a Rules<u64>,
    pub(super) layout: &'a Layout,
    pub(super) men: &'a [Man],
    pub(super) links: &'a HashMap<Exit, Link>,
    pub(super) budget: &'a Budget,
    /// Called after each round.
    pub(super) progress: &'a mut dyn FnMut(Round),
}

/// The positions by side to move, and by slab.
pub(super) type Halves = [Vec<Slab>; 2];

impl Problem<'_> {
    fn field(&self) -> Field<'_> {
        Field { rules: self.rules, layout: self.layout, men: self.men }
    }

    /// The value of every position.
    ///
    /// # Errors
    /// If the budget ends, or a win takes more moves than a table can hold.
    pub(super) fn solve(&mut self) -> Result<Halves, TableError> {
        let slab = || Slab::new(self.layout.words_per_slab(), self.layout.squares);
        let mut halves: Halves = [(); 2].map(|()| (0..self.layout.slabs()).map(|_| slab()).collect());
        self.prepare(&mut halves)?;
        for attacker in Owner::REAL {
            let [white, black] = &mut halves;
            let (attack, defend) = if attacker == Owner::White { (white, black) } else { (black, white) };
            self.attack(attacker, attack, defend)?;
        }
        for slab in halves.iter_mut().flatten() {
            slab.work = super::slab::Work::default();
        }
        Ok(halves)
    }

    fn prepare(&self, halves: &mut Halves) -> Result<(), TableError> {
        let field = self.field();
        for turn in Owner::REAL {
            halves[turn.index()].par_iter_mut().enumerate().try_for_each(|(number, slab)| {
                self.budget.spend(self.layout.words_per_slab() as u64)?;
                mark_illegal(&field, number, turn, slab);
                Ok::<(), TableError>(())
            })?;
        }
        for turn in Owner::REAL {
            let [white, black] = &mut *halves;
            let (own, others) = if turn == Owner::White { (white, &*black) } else { (black, &*white) };
            let preparation = Preparation { field, links: self.links, turn };
            own.par_iter_mut().enumerate().try_for_each(|(number, slab)| {
                self.budget.spend(self.layout.words_per_slab() as u64)?;
                preparation.fill(number, slab, others);
                Ok::<(), TableError>(())
            })?;
        }
        Ok(())
    }

    /// Finds the positions that `attacker` wins.
    fn attack(
        &mut self,
        attacker: Owner,
        attack: &mut [Slab],
        defend: &mut [Slab],
    ) -> Result<(), TableError> {
        attack.par_iter_mut().for_each(Slab::begin_attack);
        let squares = self.layout.squares;
        attack.par_iter_mut().for_each(|slab| slab.find_next(squares));
        defend.par_iter_mut().for_each(|slab| {
            slab.begin_defence();
            slab.find_next(squares);
        });
        let mut round = 0u8;
        loop {
            let field = Field { rules: self.rules, layout: self.layout, men: self.men };
            let budget = self.budget;
            attack.par_iter_mut().enumerate().try_for_each(|(number, slab)| {
                budget.check()?;
                find_won(&field, attacker, round, number, slab, defend);
                Ok::<(), TableError>(())
            })?;
            defend.par_iter_mut().enumerate().try_for_each(|(number, slab)| {
                budget.check()?;
                find_lost(&field, attacker.opponent(), round, number, slab, attack);
                Ok::<(), TableError>(())
            })?;
            let changed = |slabs: &[Slab]| slabs.iter().any(|slab| slab.work.changed);
            let next = attack.iter().chain(&*defend).filter_map(|slab| slab.work.next).min();
            (self.progress)(Round { attacker, moves: round });
            round = match (changed(attack) || changed(defend), next) {
                (false, None) => return Ok(()),
                (false, Some(next)) => next.max(round.saturating_add(1)),
                (true, _) => round.saturating_add(1),
            };
            if round == u8::MAX {
                return Err(TableError::TooLong);
            }
        }
    }
}

/// Finds the positions of a slab that the attacker, on move, wins in `round` moves.
fn find_won(field: &Field<'_>, attacker: Owner, round: u8, number: usize, slab: &mut Slab, defend: &[Slab]) {
    let mut found = slab.take_new();
    let squares = field.layout.squares;
    if round > 0 {
        field.retreat(attacker, number, &field.king_steps(number, attacker), defend, &mut found);
    }
    if !slab.work.over.is_empty() {
        found.iter_mut().zip(&slab.work.over).for_each(|(found, over)| *found &= !over);
    }
    slab.take_due(round, squares, |word, due| found[word] |= due, |slab, word| slab.work.closed[word]);
    slab.decide(round, squares, found, true);
}

/// Finds the positions of a slab that the defender, on move, loses in `round` moves of the attacker.
fn find_lost(field: &Field<'_>, defender: Owner, round: u8, number: usize, slab: &mut Slab, attack: &[Slab]) {
    let mut found = slab.take_new();
    let squares = field.layout.squares;
    let king_steps = field.king_steps(number, defender);
    field.retreat(defender, number, &king_steps, attack, &mut found);
    for (index, bits) in found.iter_mut().enumerate() {
        *bits &= !(slab.work.closed[index] | slab.work.pending[index] | slab.over(index));
        if *bits == 0 {
            continue;
        }
        let Some(word) = field.word(number, index) else { continue };
        let lost = *bits & !field.escapes(defender, &word, &king_steps, number, *bits, attack);
        let mut later = 0;
        for at in ones(lost & slab.work.loses[index]) {
            let moves = slab.moves[index * squares + at];
            if moves > round {
                later |= 1 << at;
                slab.work.next = Some(slab.work.next.map_or(moves, |next| next.min(moves)));
            }
        }
        slab.work.pending[index] |= later;
        *bits = lost & !later;
    }
    slab.take_due(round, squares, |word, due| found[word] |= due, |slab, word| slab.work.closed[word]);
    slab.decide(round, squares, found, false);
}
