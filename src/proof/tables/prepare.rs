//! What is known of a position before any move within the table: whether it is legal, whether it is an end, and what
//! the plies are worth that leave the table.

use super::moves::{Field, Word};
use super::slab::{Slab, ones};
use super::steps::{Man, Promotion};
use super::symmetry::bit;
use super::{Table, Value};
use ferz_core::board::Owner;
use ferz_core::position::Outcome;
use ferz_core::rules::definition::{BareKing, Stalemate};
use ferz_core::rules::{KindId, KindSet};
use std::collections::HashMap;
use std::sync::Arc;

/// How a ply leaves the table: the man that is captured, and the man that is promoted with its new kind, by their
/// numbers among all men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Exit {
    pub(super) captured: Option<usize>,
    pub(super) promoted: Option<(usize, KindId)>,
}

/// Where a ply leads that leaves the table.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) table: Arc<Table>,
    /// By man of that table: its number among the men of this one.
    pub(super) men: Vec<usize>,
}

/// The best that plies do that leave the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Best {
    Lose(u8),
    Hold,
    Win(u8),
}

/// Fills the known parts of a slab for one side to move.
pub(super) struct Preparation<'a> {
    pub(super) field: Field<'a>,
    pub(super) links: &'a HashMap<Exit, Link>,
    pub(super) turn: Owner,
}

/// The plies that leave the table from the positions of one word.
struct Leaving<'a, 'b> {
    preparation: &'b Preparation<'a>,
    word: &'b Word,
    legal: u64,
    best: [Option<Best>; 64],
}

/// Marks the positions of a slab that are not legal with `turn` to move.
pub(super) fn mark_illegal(field: &Field<'_>, slab: usize, turn: Owner, positions: &mut Slab) {
    let layout = field.layout;
    for index in 0..layout.words_per_slab() {
        let legal = field.word(slab, index).map_or(0, |word| {
            let stands = |(number, man): (usize, &Man)| man.allowed & bit(word.fixed[number]) != 0;
            if !Owner::REAL.iter().all(|&owner| field.fixed_men(owner).all(stands)) {
                return 0;
            }
            let last = field.men[2..].last().map_or(1, |man| man.allowed & !word.occupied);
            let waiting = word.kings[turn.opponent().index()];
            last & !field.attacked(turn, &word, waiting)
        });
        positions.illegal[index] = !legal;
        positions.work.closed[index] = !legal;
    }
}

impl Preparation<'_> {
    /// Fills a slab. The slabs of the other side to move have their illegal positions marked and closed.
    pub(super) fn fill(&self, slab: usize, positions: &mut Slab, others: &[Slab]) {
        let layout = self.field.layout;
        let king_steps = self.field.king_steps(slab, self.turn);
        for index in 0..layout.words_per_slab() {
            let legal = layout.bits() & !positions.illegal[index];
            if legal == 0 {
                continue;
            }
            let Some(word) = self.field.word(slab, index) else { continue };
            let mut leaving = Leaving { preparation: self, word: &word, legal, best: [None; 64] };
            leaving.find();
            let best = leaving.best;
            let stuck = legal & !self.field.escapes(self.turn, &word, &king_steps, slab, legal, others);
            positions.work.stuck[index] = stuck;
            self.settle(&word, positions, legal, best);
        }
    }

    /// Writes down what the plies that leave the table are worth, and the ends.
    fn settle(&self, word: &Word, positions: &mut Slab, legal: u64, mut best: [Option<Best>; 64]) {
        let index = word.index;
        let over = self.over(legal, &best);
        if let Some((over, value)) = over.filter(|(over, _)| *over != 0) {
            ones(over).for_each(|at| best[at] = Some(value));
            positions.work.stuck[index] |= over;
            if positions.work.over.is_empty() {
                positions.work.over = vec![0; positions.work.stuck.len()];
            }
            positions.work.over[index] = over;
        }
        let ended = ones(positions.work.stuck[index]).filter(|&at| best[at].is_none());
        let ended = ended.fold(0, |all, at| all | 1 << at);
        if ended != 0 {
            let king = word.kings[self.turn.index()];
            let mated = self.field.attacked(self.turn.opponent(), word, king);
            ones(ended & mated).for_each(|at| best[at] = Some(self.end(true)));
            ones(ended & !mated).for_each(|at| best[at] = Some(self.end(false)));
        }
        for (at, best) in best.into_iter().enumerate() {
            let work = &mut positions.work;
            let (set, moves) = match best {
                None => continue,
                Some(Best::Win(moves)) => (&mut work.wins, moves),
                Some(Best::Hold) => (&mut work.holds, 0),
                Some(Best::Lose(moves)) => (&mut work.loses, moves),
            };
            set[index] |= 1 << at;
            positions.moves[index * self.field.layout.squares + at] = moves;
        }
    }

    /// The value of an end without a legal ply.
    fn end(&self, checkmate: bool) -> Best {
        let ends = &self.field.rules.ends;
        if !checkmate && ends.stalemate == Stalemate::Draw {
            return Best::Hold;
        }
        self.result(Outcome::win(self.field.rules, self.turn.opponent()))
    }

    /// The value of a result for the side to move.
    fn result(&self, outcome: Outcome) -> Best {
        match outcome.winner() {
            None => Best::Hold,
            Some(winner) if winner == self.turn => Best::Win(0),
            Some(_) => Best::Lose(0),
        }
    }

    /// The positions that a bare king ends (IAV-1), and their value.
    fn over(&self, legal: u64, best: &[Option<Best>; 64]) -> Option<(u64, Best)> {
        let rules = self.field.rules;
        if !rules.ends.bare_king.loses() {
            return None;
        }
        let [mover, waiting] = [self.turn, self.turn.opponent()]
            .map(|owner| self.field.men[2..].iter().filter(|man| man.piece.owner == owner).count());
        let won = |winner| Some((legal, self.result(Outcome::win(rules, winner))));
        match (mover, waiting) {
            (0, 0) => Some((legal, Best::Hold)),
            (_, 0) => won(self.turn),
            // A lone king goes on only if it can take the last man.
            (0, 1) if rules.ends.bare_king == BareKing::Answerable => {
                won(self.turn.opponent()).map(|(legal, value)| {
                    let takes = ones(legal).filter(|&at| best[at].is_some());
                    (takes.fold(legal, |left, at| left & !(1 << at)), value)
                })
            }
            (0, _) => won(self.turn.opponent()),
            _ => None,
        }
    }
}

impl Leaving<'_, '_> {
    /// Looks at every ply that leaves the table.
    fn find(&mut self) {
        let field = self.preparation.field;
        let turn = self.preparation.turn;
        self.of_fixed(turn.index(), self.word.kings[turn.index()], &field.men[turn.index()]);
        for (number, man) in field.fixed_men(turn) {
            self.of_fixed(number + 2, self.word.fixed[number], man);
        }
        if let Some(man) = field.last_man(turn) {
            self.of_last(man);
        }
    }

    /// The opponent's fixed men: their numbers among all men, and their squares.
    fn fixed_targets(&self) -> impl Iterator<Item = (usize, u8)> + use<> {
        let (fixed, field) = (self.word.fixed, self.preparation.field);
        let owner = self.preparation.turn.opponent();
        let mut targets = [None; 3];
        field.fixed_men(owner).for_each(|(number, _)| targets[number] = Some((number + 2, fixed[number])));
        targets.into_iter().flatten()
    }

    /// True if the last man is the opponent's.
    fn last_is_target(&self) -> bool {
        self.preparation.field.last_man(self.preparation.turn.opponent()).is_some()
    }

    fn of_fixed(&mut self, number: usize, from: u8, man: &Man) {
        let occupied = self.word.occupied;
        let last = self.preparation.field.men.len() - 1;
        for (target, square) in self.fixed_targets() {
            if let Some(between) = man.capture_between(from, square)
                && between & occupied == 0
            {
                self.each(self.legal & !between, number, from, Some(target), square);
            }
        }
        if self.last_is_target() {
            for step in &man.captures[usize::from(from)] {
                if step.between & occupied == 0 {
                    self.each(self.legal & bit(step.square), number, from, Some(last), step.square);
                }
            }
        }
        let [quiet, capturing] = [false, true].map(|captures| &man.promotions[usize::from(captures)]);
        for promotion in &quiet[usize::from(from)] {
            let way = promotion.step.between | bit(promotion.step.square);
            if way & occupied == 0 {
                self.promote(self.legal & !way, number, from, None, promotion);
            }
        }
        for promotion in &capturing[usize::from(from)] {
            let Promotion { step, .. } = promotion;
            if step.between & occupied != 0 {
                continue;
            }
            for (target, _) in self.fixed_targets().filter(|(_, square)| *square == step.square) {
                self.promote(self.legal & !step.between, number, from, Some(target), promotion);
            }
            if self.last_is_target() {
                self.promote(self.legal & bit(step.square), number, from, Some(last), promotion);
            }
        }
        if man.complex {
            self.complex(self.legal, number, Some(from), man);
        }
    }

    fn of_last(&mut self, man: &Man) {
        let occupied = self.word.occupied;
        let number = self.preparation.field.men.len() - 1;
        for (target, square) in self.fixed_targets() {
            for from in ones(self.legal) {
                let between = man.capture_between(from as u8, square);
                if between.is_some_and(|between| between & occupied == 0) {
                    self.each(1 << from, number, from as u8, Some(target), square);
                }
            }
        }
        for from in ones(self.legal) {
            for promotion in &man.promotions[0][from] {
                if (promotion.step.between | bit(promotion.step.square)) & occupied == 0 {
                    self.promote(1 << from, number, from as u8, None, promotion);
                }
            }
            for promotion in &man.promotions[1][from] {
                if promotion.step.between & occupied != 0 {
                    continue;
                }
                let at = promotion.step.square;
                for (target, _) in self.fixed_targets().filter(|(_, square)| *square == at) {
                    self.promote(1 << from, number, from as u8, Some(target), promotion);
                }
            }
        }
        if man.complex {
            self.complex(self.legal, number, None, man);
        }
    }

    /// Captures that depend on hurdles; `from` is the square of a fixed man.
    #[cold]
    fn complex(&mut self, bits: u64, number: usize, from: Option<u8>, man: &Man) {
        let rules = self.preparation.field.rules;
        let last = self.preparation.field.men.len() - 1;
        for at in ones(bits) {
            let start = from.unwrap_or(at as u8);
            let reached = man.complex_reach(rules, start, self.word.occupied | 1 << at).1;
            for (target, square) in self.fixed_targets().filter(|(_, square)| reached & bit(*square) != 0) {
                self.each(1 << at, number, start, Some(target), square);
            }
            if self.last_is_target() && reached >> at & 1 == 1 {
                self.each(1 << at, number, start, Some(last), at as u8);
            }
        }
    }

    fn promote(
        &mut self,
        bits: u64,
        number: usize,
        from: u8,
        captured: Option<usize>,
        promotion: &Promotion,
    ) {
        let Promotion { step, kinds, wins } = promotion;
        let officers: KindSet = *kinds;
        for kind in officers.kinds() {
            let exit = Exit { captured, promoted: Some((number, kind)) };
            self.weigh(bits, number, from, step.square, exit);
        }
        if *wins {
            for at in ones(bits) {
                if self.is_safe(at, number, from, step.square, captured) {
                    let rules = self.preparation.field.rules;
                    let won = Outcome::win(rules, self.preparation.turn);
                    self.improve(
                        at,
                        if won.winner() == Some(self.preparation.turn) {
                            Best::Win(1)
                        } else {
                            Best::Lose(0)
                        },
                    );
                }
            }
        }
    }

    fn each(&mut self, bits: u64, number: usize, from: u8, captured: Option<usize>, to: u8) {
        self.weigh(bits, number, from, to, Exit { captured, promoted: None });
    }

    /// Weighs one ply in each position of `bits`.
    fn weigh(&mut self, bits: u64, number: usize, from: u8, to: u8, exit: Exit) {
        if bits == 0 {
            return;
        }
        let Some(link) = self.preparation.links.get(&exit) else { return };
        debug_assert!(self.word.occupied & bit(from) != 0 || number + 1 == self.preparation.field.men.len());
        let mut squares = self.squares();
        let waiting = self.preparation.turn.opponent();
        for at in ones(bits) {
            squares[self.preparation.field.men.len() - 1] = at as u8;
            self.restore_kings(&mut squares);
            squares[number] = to;
            let mut there = [0; 8];
            link.men.iter().zip(&mut there).for_each(|(&man, there)| *there = squares[man]);
            let value = match link.table.value(waiting, &there[..link.men.len()]) {
                None => continue,
                Some(Value::Draw) => Best::Hold,
                Some(Value::Loss(moves)) => Best::Win(moves.saturating_add(1)),
                Some(Value::Win(moves)) => Best::Lose(moves),
            };
            self.improve(at, value);
        }
    }

    /// The squares of all men but the last.
    fn squares(&self) -> [u8; 8] {
        let mut squares = [0; 8];
        squares[..2].copy_from_slice(&self.word.kings);
        squares[2..5].copy_from_slice(&self.word.fixed);
        squares
    }

    /// Where there are only kings, the last man is one of them.
    fn restore_kings(&self, squares: &mut [u8; 8]) {
        squares[..2].copy_from_slice(&self.word.kings);
    }

    /// True if the mover's king is not attacked after a ply of another man.
    fn is_safe(&self, at: usize, number: usize, from: u8, to: u8, captured: Option<usize>) -> bool {
        let field = self.preparation.field;
        let mut squares = self.squares();
        squares[field.men.len() - 1] = at as u8;
        let occupied = squares[..field.men.len()].iter().fold(0, |all, square| all | bit(*square));
        let occupied = occupied & !bit(from) | bit(to);
        let king = self.word.kings[self.preparation.turn.index()];
        debug_assert!(number > 1, "a pawn");
        !field.men.iter().zip(squares).enumerate().any(|(other, (man, square))| {
            man.piece.owner != self.preparation.turn
                && Some(other) != captured
                && (man.attack_between(square, king).is_some_and(|between| between & occupied == 0)
                    || man.complex_reach(field.rules, square, occupied).1 & bit(king) != 0)
        })
    }

    fn improve(&mut self, at: usize, value: Best) {
        let best = &mut self.best[at];
        *best = Some(match (*best, value) {
            (None, value) => value,
            (Some(Best::Win(a)), Best::Win(b)) => Best::Win(a.min(b)),
            (Some(Best::Lose(a)), Best::Lose(b)) => Best::Lose(a.max(b)),
            (Some(Best::Win(a)), _) | (_, Best::Win(a)) => Best::Win(a),
            (Some(Best::Hold), _) | (_, Best::Hold) => Best::Hold,
        });
    }
}
