//! L6: follows a game: how it ends, and what a player may claim.
//!
//! The position itself shows checkmate, stalemate and the special endings. The [`Judge`] adds the ends that depend on
//! the history of the game: repetition, perpetual check and the move counters.

mod claimable;
mod past;
mod repetition;

pub use crate::position::{ClaimableDraw, ClaimableKind, End, EndReason, Outcome, Points};
pub use crate::rules::definition::FIFTY_MOVES;

use crate::board::Mask;
use crate::position::Call;
use crate::position::{CallFault, Ply, Position};
use crate::rules::definition::Repetition;
use crate::rules::{Rules, definition::NaturesMate};
use crate::text::limits::PLIES_PER_LINE_MAX;
use repetition::{History, Rest};
use std::sync::Arc;

/// Half-moves after which the game is drawn (FIDE 9.6.2).
pub const SEVENTY_FIVE_MOVES: u16 = 150;

/// Follows one line of play and finds the ply at which it ended.
#[derive(Debug, Clone)]
pub struct Judge<M> {
    history: History<M>,
    plies: usize,
    end: Option<End>,
    /// A claim other than of a repetition was open, on the board or by an intended ply, before an end.
    counted: bool,
}

/// The state of a [`Judge`] while a variation has the rest of its history ([`Judge::lend`]).
#[derive(Debug)]
pub struct Lent<M>(Rest<M>);

impl<M: Mask> Judge<M> {
    /// A judge for a line that starts from `start`; the start itself may be an end.
    pub fn new(start: &Position<M>) -> Judge<M> {
        Judge::from_shared(Arc::new(start.clone()))
    }

    /// A judge for a start that many games share.
    pub fn from_shared(start: Arc<Position<M>>) -> Judge<M> {
        let mut judge =
            Judge { history: History::new(Arc::clone(&start)), plies: 0, end: None, counted: false };
        judge.look_closely(&start);
        judge
    }

    /// True if neither an end nor the limit of plies has been reached.
    #[inline]
    pub fn goes_on(&self) -> bool {
        self.end.is_none() && self.plies < PLIES_PER_LINE_MAX
    }

    /// Records a legal ply that led to `position`.
    #[inline(always)]
    pub fn after(&mut self, position: &Position<M>, ply: &Ply) {
        self.plies += 1;
        self.history.push(position, ply);
        if self.end.is_none() {
            self.look(position);
        }
    }

    /// [`Judge::after`] for a step that was made plainly ([`Position::step_plainly`]) while the game goes on: only a
    /// capture may have left too little to mate with.
    #[inline(always)]
    pub fn after_plainly(&mut self, position: &Position<M>, step: &Ply, captured: bool) {
        self.plies += 1;
        self.history.push(position, step);
        let halfmoves = position.status().halfmoves;
        let quiet = self.history.is_rare(halfmoves) && halfmoves < FIFTY_MOVES - 1;
        if !quiet || captured && position.is_dead() {
            self.look_closely(position);
        }
    }

    /// Records an illegal ply that was let stand and led to `position`.
    pub fn after_let_stand(&mut self, position: &Position<M>, ply: &Ply) {
        self.plies += 1;
        self.history.push(position, ply);
        self.history.let_stand();
        if self.end.is_none() {
            self.look(position);
        }
    }

    /// Does what is called for in `position`, the last one of the line.
    ///
    /// # Errors
    /// If it has no effect.
    pub fn call(&mut self, position: &mut Position<M>, call: Call) -> Result<(), CallFault> {
        // A piece comes when the other board sends it, whatever the end here.
        let comes = matches!(call, Call::Receive(_));
        if !comes && (self.is_over() || position.finish().is_some()) {
            return Err(CallFault::GameOver);
        }
        if call == Call::Declare {
            let declared = position.declared().ok_or(CallFault::NoSuchRule)?;
            let (outcome, reason) = (declared.outcome, EndReason::Declaration);
            self.end = self.end.or(Some(End::of(position, (reason, outcome), self.plies)));
            return Ok(());
        }
        position.call(call)?;
        self.history.call(call);
        Ok(())
    }

    /// Tests the ends that are cheap to test after every ply; checkmate and stalemate are tested when no ply follows.
    #[inline(always)]
    fn look(&mut self, position: &Position<M>) {
        let rules = position.rules();
        let status = position.status();
        let quiet = self.history.is_rare(status.halfmoves)
            && status.halfmoves < FIFTY_MOVES - 1
            && !position.is_dead();
        let special = || {
            status.over.is_some()
                || looks_after_each_ply(rules)
                || position.may_declare()
                || counts(position)
                || position.is_quiet_enough()
        };
        if !quiet || !rules.plain && special() {
            self.look_closely(position);
        }
    }

    #[inline(never)]
    fn look_closely(&mut self, position: &Position<M>) {
        let rules = position.rules();
        self.counted |= counts(position) || position.may_declare();
        let by_itself = self.draw_by_itself(position, rules);
        let special = position.status().over.is_some() || looks_after_each_ply(rules);
        if by_itself.is_some() || special {
            self.decide(position, by_itself);
        }
    }

    /// Where several ends coincide, those that the position itself shows come first (COM-6).
    #[cold]
    fn decide(&mut self, position: &Position<M>, by_itself: Option<(EndReason, Outcome)>) {
        self.end = position.shown_end().or(by_itself).map(|found| End::of(position, found, self.plies));
    }

    /// The ends by repetition, counters and material.
    #[inline]
    fn draw_by_itself(&mut self, position: &Position<M>, rules: &Rules<M>) -> Option<(EndReason, Outcome)> {
        let ends = &rules.ends;
        let halfmoves = position.status().halfmoves;
        match ends.repetition {
            Repetition::Fide if self.history.occurs(5, halfmoves) => {
                return Some((EndReason::FivefoldRepetition, Outcome::Draw));
            }
            Repetition::FourfoldPerpetual if self.history.occurs(4, halfmoves) => {
                let repeated = (EndReason::FourfoldRepetition, Outcome::of_repetition(rules));
                return Some(self.lost_by_perpetual_check(rules).unwrap_or(repeated));
            }
            Repetition::Threefold if self.history.occurs(3, halfmoves) => {
                let lost = self.lost_by_perpetual_check(rules);
                return Some(lost.unwrap_or_else(|| position.without_mate(EndReason::FourfoldRepetition)));
            }
            // Both sides may have checked; if neither did, the repetition has no effect of its own.
            Repetition::ThreefoldPerpetual
                if !ends.claims_perpetual() && self.history.occurs(3, halfmoves) =>
            {
                let lost = self.lost_by_perpetual_check(rules);
                if lost.is_some() {
                    return lost;
                }
                if self.history.perpetual_checkers() == [true; 2] {
                    return Some((EndReason::FourfoldRepetition, Outcome::Draw));
                }
            }
            _ => {}
        }
        let dead = ends.dead_position.by_material() && halfmoves == 0 && position.is_dead();
        if dead || self.plies == 0 && ends.dead_position.by_material() && position.is_dead() {
            return Some((EndReason::DeadPosition, Outcome::Draw));
        }
        if position.is_quiet_enough() {
            return Some(position.without_mate(EndReason::SeventyFiveMoves));
        }
        (ends.move_counters && halfmoves >= SEVENTY_FIVE_MOVES)
            .then_some((EndReason::SeventyFiveMoves, Outcome::Draw))
    }

    /// The end by a repetition in which one side alone always gave check.
    fn lost_by_perpetual_check(&mut self, rules: &Rules<M>) -> Option<(EndReason, Outcome)> {
        let checker = self.history.perpetual_checker()?;
        Some((EndReason::PerpetualCheck, Outcome::win(rules, checker.opponent())))
    }

    /// Ends the line: tests checkmate and stalemate too, if no end was found before.
    pub fn conclude(&mut self, position: &Position<M>) {
        self.end = self.end_in(position);
    }

    /// The first end that was reached, or the one that `position`, the last one of the line, shows by itself.
    pub fn end_in(&self, position: &Position<M>) -> Option<End> {
        let shown = || position.shown_end().map(|found| End::of(position, found, self.plies));
        self.end.or_else(shown)
    }

    /// Lends its history up to the first `plies` plies to a judge for a variation that begins there. Until that judge
    /// is returned to [`Judge::rejoin`], do not call anything else.
    pub fn lend(&mut self, plies: usize) -> (Judge<M>, Lent<M>) {
        let plies = plies.min(self.plies);
        let (history, rest) = self.history.lend(plies);
        (Judge { history, plies, end: self.end.filter(|end| end.ply <= plies), counted: false }, Lent(rest))
    }

    /// Continues the line after the variation that `lent` was for.
    pub fn rejoin(&mut self, variation: Judge<M>, lent: Lent<M>) {
        self.history.rejoin(variation.history, lent.0);
    }

    /// The first end that was reached.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The plies so far.
    pub fn made(&self) -> &[Ply] {
        self.history.plies()
    }

    /// What the players called for with effect, with the number of plies before each call.
    pub fn calls(&self) -> &[(usize, Call)] {
        self.history.calls()
    }

    /// Number of plies so far.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// True if some position of the line has occurred twice or more.
    pub fn has_repeated(&self) -> bool {
        !self.history.repeats().is_empty()
    }

    /// In games with Nature, the number of plies after which a repetition would have ended the game if an en passant
    /// right counted only while a capture is legal (COM-3).
    pub fn repeats_by_legal_en_passant(&self) -> Option<usize> {
        let rules = self.history.start().rules();
        let times = rules.ends.repetition.ends_at().filter(|_| rules.nature.is_some())?;
        self.history.occurs_by_legal_en_passant(times)
    }

    /// True if no further ply is legal: the game has ended other than by an automatic draw (COM-4).
    #[inline]
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| !end.reason.is_draw_by_itself())
    }

    /// The end after which nothing is legal: the first end; or, if play continued after an automatic draw, the end that
    /// `position`, the last one of the line, shows (COM-4).
    pub fn closing(&self, position: &Position<M>) -> Option<End> {
        let went_on = self.end.is_some_and(|end| end.reason.is_draw_by_itself());
        let shown = if went_on { position.shown_end() } else { None };
        shown.map(|found| End::of(position, found, self.plies)).or(self.end)
    }

    /// What the player on move may claim in `position`, the last one of the line.
    pub fn claims(&mut self, position: &Position<M>) -> Vec<ClaimableDraw> {
        let rules = position.rules();
        let by = position.turn();
        let mut claims = Vec::new();
        if self.end.is_some() {
            return claims;
        }
        let halfmoves = position.status().halfmoves;
        let claimed = rules.ends.repetition.is_claimed();
        if claimed && self.history.occurs(3, halfmoves) && self.history.repeats_harmlessly() {
            let plies = self.history.occurrences();
            claims.push(ClaimableDraw {
                kind: ClaimableKind::ThreefoldRepetition,
                by,
                ply: self.plies,
                plies,
            });
        }
        if rules.ends.claims_perpetual()
            && self.history.occurs(3, halfmoves)
            && let Some(checker) = self.history.perpetual_checker()
        {
            let (kind, plies) = (ClaimableKind::PerpetualCheck, self.history.occurrences());
            claims.push(ClaimableDraw { kind, by: checker.opponent(), ply: self.plies, plies });
        }
        if let Some((kind, needed)) = claimed_counter(rules)
            && halfmoves >= needed
        {
            claims.push(ClaimableDraw { kind, by, ply: self.plies, plies: vec![self.plies] });
        }
        if position.may_declare() {
            claims.push(ClaimableDraw {
                kind: ClaimableKind::Declaration,
                by,
                ply: self.plies,
                plies: vec![self.plies],
            });
        }
        claims
    }
}

/// The claim by moves without capture or pawn move that the game has, and the number of plies that it needs.
fn claimed_counter<M: Mask>(rules: &Rules<M>) -> Option<(ClaimableKind, u16)> {
    let fifty = rules.ends.move_counters;
    let kind = if fifty { ClaimableKind::FiftyMoves } else { ClaimableKind::QuietMoves };
    rules.ends.claimed_at().map(|needed| (kind, needed))
}

/// True if such a claim is open, on the board or by an intended ply.
fn counts<M: Mask>(position: &Position<M>) -> bool {
    let halfmoves = position.status().halfmoves;
    claimed_counter(position.rules()).is_some_and(|(_, needed)| halfmoves >= needed - 1)
}

/// True if a ply may exist although the game has ended (Nature's mate of the waiting player).
fn looks_after_each_ply<M: Mask>(rules: &Rules<M>) -> bool {
    rules.nature.as_ref().is_some_and(|nature| nature.natures_mate == NaturesMate::Either)
}
