//! Illegal plies that were let stand: applied as played, without regard to the rules.

use super::apply::Undo;
use super::fen::{Accepts, FenError};
use super::ply::Ply;
use super::{Position, state::State};
use crate::board::{Mask, Owner, Square};
use crate::rules::Rules;
use std::sync::Arc;

impl<M: Mask> Position<M> {
    /// Makes an illegal ply that was let stand: the piece is lifted and placed, a piece on its target is captured, a
    /// piece that enters leaves its stock; a null move changes the turn alone. If the player who was not on move made
    /// it, the other player's turn is skipped.
    ///
    /// No legal game may reach the resulting position; the waiting player may be in check. Call
    /// [`Position::settle`] after every ply that follows.
    pub fn apply_let_stand(&mut self, ply: &Ply) -> Undo<M> {
        let rules = &*self.rules;
        let before = *self.state.status();
        if ply.actor.is_real() && ply.actor != before.turn {
            self.state.status.number += u32::from(before.turn == Owner::Black);
            self.state.set_turn(ply.actor);
            self.state.set_en_passant(Square::NONE);
            self.state.status.passed = Square::NONE;
        }
        let mut undo = match ply.is_null() {
            true => self.state.pass(rules),
            false => self.state.apply_undoable(rules, ply),
        };
        undo.status = before;
        self.state.settle(rules);
        undo
    }

    /// Reads a position after an illegal ply that was let stand: the player who is not on move may be in check. Call
    /// [`Position::settle`] after every ply that follows.
    ///
    /// # Errors
    /// As [`Position::from_fen`], except for that check.
    pub fn from_fen_let_stand(rules: Arc<Rules<M>>, fen: &str) -> Result<Position<M>, FenError> {
        let state = State::from_fen(&rules, fen, Accepts::Check)?;
        Ok(Position { rules, state })
    }

    /// Recomputes check and the ends that a position shows, which [`Position::apply`] maintains on the assumption that
    /// every ply is legal.
    pub fn settle(&mut self) {
        self.state.settle(&self.rules);
    }
}

impl<M: Mask> State<M> {
    fn settle(&mut self, rules: &Rules<M>) {
        self.status.in_check = self.king_in_check(rules, self.status.turn);
        self.status.must_capture = false;
        self.status.must_capture = self.find_must_capture(rules);
        self.status.over = self.find_over(rules);
        if rules.special.natures_anti_king {
            self.test_elimination(rules);
        }
    }
}
