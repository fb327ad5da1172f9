//! Games on two boards: a captured piece comes to the captor's partner on the other board, and a player without a
//! legal ply may wait for one.

use super::apply::as_captured;
use super::state::{State, StockName};
use super::{CallFault, Effect, Position, Undo, Verb};
use crate::board::{Mask, Owner};
use crate::rules::definition::{Mate, Stalemate};
use crate::rules::{KindId, Piece, Rules};

impl<M: Mask> Position<M> {
    /// What a ply, which `undo` takes back, hands over to the other board: the captured piece in its own colour, as the
    /// kind that it has in hand (BUG 2, BUG 3), by the letter of [`Call::Receive`](super::Call::Receive). `None` if it
    /// captured nothing, or in a game on one board.
    pub fn handed_over(&self, undo: &Undo<M>) -> Option<char> {
        let rules = &*self.rules;
        if !rules.captures_to_partner() {
            return None;
        }
        undo.effects().iter().find_map(|effect| match effect {
            Effect::Lift(_, victim, promoted) if victim.owner != undo.status().turn => {
                let kind = rules.kind(as_captured(rules, victim, promoted));
                let letter = char::from(kind.label[victim.owner].letter);
                Some(if victim.owner == Owner::Black { letter.to_ascii_lowercase() } else { letter })
            }
            _ => None,
        })
    }

    /// Puts a piece from the other board into the hand of its colour (BUG 2).
    ///
    /// # Errors
    /// If the game is played on one board, or has no such piece that can be in a hand.
    pub(super) fn receive(&mut self, letter: char) -> Result<(), CallFault> {
        let Piece { owner, kind } = self.received(letter)?;
        let held = self.state.stock(StockName::Hand, owner, kind);
        self.state.set_stock(StockName::Hand, owner, kind, held.saturating_add(1));
        Ok(())
    }

    /// Takes a piece that came from the other board out of the hand of its colour: the ply that sent it is taken back.
    pub fn send_back(&mut self, letter: char) {
        if let Ok(Piece { owner, kind }) = self.received(letter) {
            let held = self.state.stock(StockName::Hand, owner, kind);
            self.state.set_stock(StockName::Hand, owner, kind, held.saturating_sub(1));
        }
    }

    fn received(&self, letter: char) -> Result<Piece, CallFault> {
        let rules = &*self.rules;
        if !rules.captures_to_partner() {
            return Err(CallFault::NoSuchRule);
        }
        let owner = if letter.is_ascii_lowercase() { Owner::Black } else { Owner::White };
        let kind = u8::try_from(letter)
            .ok()
            .and_then(|letter| rules.kind_by_letter(owner, letter.to_ascii_uppercase(), false))
            .filter(|kind| *kind != rules.king)
            .ok_or(CallFault::NoSuchPiece)?;
        Ok(Piece { owner, kind })
    }
}

impl<M: Mask> State<M> {
    /// True if a player on move who has no legal ply waits for a piece: nothing is decided yet.
    #[cold]
    pub(super) fn waits(&self, rules: &Rules<M>) -> bool {
        if self.status.in_check {
            rules.ends.mate == Mate::NoDropParries && self.some_drop_parries(rules)
        } else {
            rules.ends.stalemate == Stalemate::Waits
        }
    }

    /// True if the player on move could meet the check by dropping a piece of some kind, in hand or not (BUG 4).
    fn some_drop_parries(&self, rules: &Rules<M>) -> bool {
        let player = self.status.turn;
        let mut supplied = self.clone();
        for kind in (0..rules.kinds.len()).map(|index| KindId(index as u8)).filter(|kind| *kind != rules.king)
        {
            supplied.set_stock(StockName::Hand, player, kind, 1);
        }
        supplied.any_real_ply(rules, |ply| ply.verb == Verb::Drop)
    }
}
