//! Illegal plies that stood: made as the players made them, whatever the rules say.

use super::apply::Undo;
use super::fen::FenError;
use super::ply::Ply;
use super::{Position, state::State};
use crate::board::{Mask, Owner, Square};
use crate::rules::Rules;
use std::sync::Arc;

impl<M: Mask> Position<M> {
    /// Makes a ply as the players made it, though it is illegal: the piece is lifted and placed, what stands on its
    /// target is captured, what enters comes out of its stock. Where it is a ply of the player who was not on move,
    /// the other one is passed over.
    ///
    /// The position may then be one that no legal game reaches, with the waiting player in check. Every ply that
    /// follows needs [`Position::settle`].
    pub fn apply_as_it_stood(&mut self, ply: &Ply) -> Undo<M> {
        let rules = &*self.rules;
        let before = *self.state.status();
        if ply.actor.is_real() && ply.actor != before.turn {
            self.state.status.number += u32::from(before.turn == Owner::Black);
            self.state.set_turn(ply.actor);
            self.state.set_en_passant(Square::NONE);
            self.state.status.passed = Square::NONE;
        }
        let mut undo = self.state.apply_undoable(rules, ply);
        undo.status = before;
        self.state.settle(rules);
        undo
    }

    /// Reads a position that an illegal ply which stood may have led to: the player who is not on move may be in
    /// check. Every ply that follows needs [`Position::settle`].
    ///
    /// # Errors
    /// As [`Position::from_fen`], apart from that check.
    pub fn from_fen_as_it_stood(rules: Arc<Rules<M>>, fen: &str) -> Result<Position<M>, FenError> {
        let state = State::from_fen(&rules, fen, false)?;
        Ok(Position { rules, state })
    }

    /// Looks anew for what is otherwise kept up from ply to ply in the belief that all of them are legal: check, and
    /// the ends that a position shows.
    pub fn settle(&mut self) {
        self.state.settle(&self.rules);
    }
}

impl<M: Mask> State<M> {
    fn settle(&mut self, rules: &Rules<M>) {
        self.status.in_check = self.king_in_check(rules, self.status.turn);
        self.status.over = self.find_over(rules);
    }
}
