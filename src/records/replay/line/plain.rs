//! The short ways of a ply: plain tokens, in the forms that nearly all of them have.

use super::{LineJudge, Observer};
use crate::record::Item;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{
    CheckMark, Habits, Leniency, MoveText, PlainStep, Shape, Slips, read_whole, read_word, resolve_castling,
    resolve_plain,
};
use ferz_core::position::Ply;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// [`LineJudge::ply`] at once; false if it takes more than that.
    #[inline(always)]
    pub(super) fn step_plainly(&mut self, index: usize, item: &Item) -> bool {
        let (rules, mover) = (&self.game.rules, self.position.turn());
        let (true, Some(word)) = (self.judge.goes_on(), self.record.word(*item)) else { return false };
        let Some(PlainStep { kind, from, to, captures, mark, .. }) =
            read_word(&self.game.letters, mover, word, item.len as usize)
        else {
            return false;
        };
        // Whether the from-square is needed is asked in the position before the ply.
        if from != [0; 2] && !rules.is_pawn(kind) {
            return false;
        }
        let within = rules.geometry.squares_named(from);
        let Some(origin) = self.position.step_plainly(kind, to, captures, within) else { return false };
        debug_assert_eq!(self.position.check_invariants(), Ok(()));
        self.judge.after_plainly(&self.position, &Ply::step(mover, kind, origin, to), captures);
        self.habits = self.habits.and(Habits::SHORT);
        (self.last_mark, self.last_natures) = (mark, None);
        if self.position.in_check() != (mark == CheckMark::Check) || mark == CheckMark::Mate {
            self.remark_plain(index, mover, Slips::NONE, None);
        }
        true
    }

    /// True if a token that reads as a plain step of `mover` is one here.
    #[inline(always)]
    pub(super) fn may_be_plain(&self, mover: Owner, natures: bool) -> bool {
        self.plain_is_allowed
            && !natures
            && mover.is_real()
            && self.judge.goes_on()
            && !(self.deploys && (self.position.deployment_due(mover) || self.position.placement_is_due()))
    }

    /// [`LineJudge::ply`] for a plain step with the whole from-square, `Ng1-f3`; false if it is none.
    #[inline(never)]
    pub(super) fn whole(&mut self, index: usize, item: Item, natures: bool) -> bool {
        let mover = self.position.turn();
        if self.may_be_plain(mover, natures)
            && let Some(word) = self.record.word(item)
            && let Some((step, habits)) = read_whole(&self.game.letters, mover, word, item.len as usize)
            && self.position.occupied().has(step.to) == step.captures
            && let Some(from) = resolve_plain(&self.position, mover, &step)
        {
            if !self.made(index, &step.ply(mover, from), step.mark, habits) {
                let text = MoveText { habits, ..step.into() };
                self.remark(item, &text, Leniency::default(), None);
            }
            return true;
        }
        false
    }

    /// [`LineJudge::ply`] for castling in the standard's form, `O-O`, `O-O-O`; false if it is none.
    #[inline(never)]
    pub(super) fn castle(&mut self, index: usize, item: Item, natures: bool) -> bool {
        let shape = match self.record.bytes(item) {
            b"O-O" => Shape::CastleKingSide,
            b"O-O-O" => Shape::CastleQueenSide,
            _ => return false,
        };
        if !self.may_be_plain(self.position.turn(), natures) {
            return false;
        }
        let Some(ply) = resolve_castling(&self.position, shape == Shape::CastleKingSide) else {
            return false;
        };
        if !self.made(index, &ply, CheckMark::None, Habits::default()) {
            self.remark(item, &MoveText::new(shape), Leniency::default(), None);
        }
        true
    }
}
