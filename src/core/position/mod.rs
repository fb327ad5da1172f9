//! L4: positions, plies, and what is legal.
//!
//! A [`Position`] is a [`State`] with its [`Rules`]. All decisions are made on masks: king safety is tested without
//! making the ply. Making a ply produces [`Effect`]s, which undo it.

mod apply;
mod arises;
mod array;
mod attack;
mod attempt;
mod call;
mod candidates;
mod chase;
mod conditions;
mod count;
mod declaration;
mod end;
mod fen;
mod generate;
pub mod hash;
mod identity;
mod invariants;
mod legal;
mod let_stand;
mod material;
mod nature;
mod partner;
mod parts;
mod plain_step;
mod ply;
mod points;
mod reason;
mod sfen;
mod state;
mod won;

pub use apply::{Effect, Effects, Journal, Undo};
pub use attack::Shift;
pub use attempt::Attempt;
pub use call::Call;
pub(crate) use chase::always_check;
pub use chase::{Chase, Conduct, Repeated};
pub use count::{CallFault, Count};
pub use declaration::Declared;
pub use end::{ClaimableDraw, ClaimableKind, End, EndReason, Outcome};
pub use fen::FenError;
pub use generate::Choice;
pub use nature::NatureFault;
pub use parts::Parts;
pub use ply::{Gate, Ply, Verb};
pub use points::{HalfPoints, Points};
pub use reason::{Reason, ReasonSet};
pub use state::{NatureState, Over, State, Status, StockName};

use crate::board::{Mask, Owner, Square};
use crate::rules::{KindId, Piece, Rules, Stock};
use fen::Accepts;
use std::sync::Arc;

/// A position of a game.
#[derive(Debug, Clone)]
pub struct Position<M> {
    rules: Arc<Rules<M>>,
    state: State<M>,
}

/// How the game is over in a position, judged without its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finish {
    /// An ending that the board shows: king's square, bare king, a goal, checks, a count.
    Over(Over),
    /// The player on move has no legal ply and is in check from the opponent.
    Checkmate,
    /// The player on move has no legal ply and is in anti-check, but not in check from the opponent.
    AntiCheckmate,
    /// The player on move has no legal ply and is in check from Nature alone.
    NaturesMate,
    /// The player on move has no legal ply and is not in check.
    Stalemate,
}

impl<M: Mask> Position<M> {
    /// The array, with the starting stocks.
    pub fn start(rules: Arc<Rules<M>>) -> Position<M> {
        let state = State::start(&rules);
        Position { rules, state }
    }

    /// Reads a position from its extended FEN.
    ///
    /// # Errors
    /// Names the field and the bytes at fault.
    pub fn from_fen(rules: Arc<Rules<M>>, fen: &str) -> Result<Position<M>, FenError> {
        let state = State::from_fen(&rules, fen, Accepts::Nothing)?;
        Ok(Position { rules, state })
    }

    /// Reads the start position of a record. Castling rights that the position does not allow are left out: programs
    /// write `KQkq` for any position.
    ///
    /// # Errors
    /// As [`Position::from_fen`], except for these rights.
    pub fn from_tag(rules: Arc<Rules<M>>, fen: &str) -> Result<Position<M>, FenError> {
        let state = State::from_fen(&rules, fen, Accepts::OtherRights)?;
        Ok(Position { rules, state })
    }

    /// The player whose king is missing, in a problem with one king (COM-9).
    pub fn lacks_king(&self) -> Option<Owner> {
        Owner::REAL.into_iter().find(|owner| self.is_without_king(*owner))
    }

    /// True if the king of a player is missing, in a problem with one king (COM-9).
    pub fn is_without_king(&self, owner: Owner) -> bool {
        let rules = &*self.rules;
        rules.may_lack_king()
            && rules.special.has_king[owner]
            && self.state.king(rules, owner) == Square::NONE
            && self.hand(owner)[rules.king.index()] == 0
    }

    /// The position as an extended FEN.
    pub fn fen(&self) -> String {
        self.state.fen(&self.rules)
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &Rules<M> {
        &self.rules
    }

    /// The shared rules, to create another position of the same game.
    ///
    /// ```
    /// use ferz_core::position::Position;
    /// use ferz_core::rules::{AnyRules, Registry};
    /// use std::sync::Arc;
    ///
    /// let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None)? else { return Ok(()) };
    /// let start = Position::start(rules);
    /// let ending = Position::from_fen(Arc::clone(start.shared_rules()), "8/8/8/8/8/4k3/4p3/4K3 w - - 0 80")?;
    /// assert!(ending.plies().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn shared_rules(&self) -> &Arc<Rules<M>> {
        &self.rules
    }

    /// The position without its rules.
    #[inline]
    pub fn state(&self) -> &State<M> {
        &self.state
    }

    /// The real player on move.
    #[inline]
    pub fn turn(&self) -> Owner {
        self.state.status().turn
    }

    /// The position's key: equal for positions that are the same (COM-3).
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.key(&self.rules)
    }

    /// True if the player on move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.status().in_check
    }

    /// True if no opposing piece other than a king attacks the Anti-King of the player on move (AKC 3).
    pub fn in_anti_check(&self) -> bool {
        self.state.in_anti_check(&self.rules, self.turn())
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.state.piece(square)
    }

    /// The squares of an owner's pieces.
    #[inline]
    pub fn owned(&self, owner: Owner) -> M {
        self.state.owned(owner)
    }

    /// The squares of an owner's pieces of a kind.
    #[inline]
    pub fn pieces(&self, owner: Owner, kind: KindId) -> M {
        self.state.pieces(owner, kind)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> M {
        self.state.occupied()
    }

    /// The squares of promoted pawns, if the game distinguishes them.
    pub fn promoted(&self) -> M {
        self.state.promoted()
    }

    /// Everything besides squares and stocks: rights, counters, Nature's clock.
    #[inline]
    pub fn status(&self) -> &Status<M> {
        self.state.status()
    }

    /// A player's reserve.
    pub fn reserve(&self, owner: Owner) -> &Stock {
        self.state.reserve(owner)
    }

    /// A player's hand.
    pub fn hand(&self, owner: Owner) -> &Stock {
        self.state.hand(owner)
    }

    /// Entries from the reserve that a player has left.
    pub fn entries_left(&self, owner: Owner) -> u8 {
        self.state.entries_left(&self.rules, owner)
    }

    /// True if a player must deploy a piece before anything else.
    #[inline]
    pub fn deployment_due(&self, owner: Owner) -> bool {
        self.state.deployment_due(&self.rules, owner)
    }

    /// Makes a legal ply.
    #[inline(always)]
    pub fn apply(&mut self, ply: &Ply) {
        self.state.apply(&self.rules, ply);
    }

    /// Makes a legal ply that can be taken back.
    pub fn apply_undoable(&mut self, ply: &Ply) -> Undo<M> {
        self.state.apply_undoable(&self.rules, ply)
    }

    /// Takes back the last ply made with [`Position::apply_undoable`].
    pub fn undo(&mut self, undo: &Undo<M>) {
        self.state.undo(undo);
    }

    /// True if the player on move has a legal ply. Endings are not considered.
    pub fn has_real_ply(&self) -> bool {
        self.state.any_real_ply(&self.rules, |_| true)
    }

    /// How the game is over in this position; `None` if it is not.
    pub fn finish(&self) -> Option<Finish> {
        self.state.finish(&self.rules)
    }

    /// True if the opponent gives check.
    pub fn checked_by_opponent(&self) -> bool {
        self.state.checked_by_opponent(&self.rules)
    }

    /// The opponent's pieces that give check.
    pub fn checkers(&self) -> M {
        let king = self.state.king(&self.rules, self.turn());
        let unshifted = self.state.unshifted();
        if king == Square::NONE || self.state.is_shielded(&self.rules, self.turn(), king, &unshifted) {
            return M::EMPTY;
        }
        self.state.attackers(&self.rules, king, self.turn().opponent(), &self.state.unshifted())
    }

    /// The players' pawns that can never move or become anything again (ING-5).
    pub fn dead_pawns(&self) -> M {
        self.state.dead_pawns(&self.rules)
    }

    /// True if Nature must place a piece before anything else happens (CHA-19).
    pub fn placement_is_due(&self) -> bool {
        self.state.placement_is_due(&self.rules)
    }

    /// True if Nature may act now: its clock allows it and the game goes on.
    pub fn nature_may_act(&self) -> bool {
        self.state.nature_is_due(&self.rules) && self.finish().is_none()
    }

    /// Calls `found` for each legal ply of the player on move and of Nature, until it returns true. There are none if
    /// the position shows that the game is over; repetition and move counters are not considered.
    pub fn any_ply(&self, mut found: impl FnMut(&Ply) -> bool) -> bool {
        let rules = &*self.rules;
        // Without a third player and special endings, a game that is over has no legal ply anyway.
        if rules.nature.is_none() && self.state.status().over.is_none() {
            return self.state.any_real_ply(rules, found);
        }
        if self.finish().is_some() {
            return false;
        }
        !self.state.placement_is_due(rules) && self.state.any_real_ply(rules, &mut found)
            || self.state.nature_is_due(rules) && self.state.any_natures_ply(rules, &mut found)
    }

    /// The number of plies that [`Position::any_ply`] finds.
    pub fn count_plies(&self) -> u64 {
        if self.rules.nature.is_none() && self.state.status().over.is_none() {
            return self.state.count_real_plies(&self.rules);
        }
        let mut count = 0;
        self.any_ply(|_| {
            count += 1;
            false
        });
        count
    }

    /// All legal plies of the player on move and of Nature.
    pub fn plies(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        self.any_ply(|ply| {
            plies.push(*ply);
            false
        });
        plies
    }

    /// Checks the invariants of the incremental state. Slow; for tests.
    ///
    /// # Errors
    /// Describes the first invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.state.check_invariants(&self.rules)
    }
}
