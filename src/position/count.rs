//! How many legal plies there are, counted by whole sets of targets where that can be.

use super::ply::Ply;
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::definition::DeploymentKind;
use crate::rules::{KindId, Rules};

impl<M: Mask> State<M> {
    /// Number of the legal plies of the player on move: those that [`State::any_real_ply`] gives.
    pub fn count_real_plies(&self, rules: &Rules<M>) -> u64 {
        let owner = self.status.turn;
        let king = self.king(rules, owner);
        let by_sets = king != Square::NONE
            && self.only_lines_matter(rules, owner)
            && rules.nature.is_none()
            && rules.gating.is_none()
            && rules.deployment == DeploymentKind::None;
        let mut count = 0;
        let mut one = |_: &Ply| {
            count += 1;
            false
        };
        if !by_sets {
            self.any_real_ply(rules, one);
            return count;
        }
        self.castlings(rules, owner, &mut one);
        let free = !self.pinned(rules, owner, king) & !M::bit(king);
        for kind in (0..rules.kinds.len() as u8).map(KindId) {
            count += self.count_steps(rules, owner, kind, free);
            if rules.is_pawn(kind) {
                count += self.count_double_steps(rules, owner, kind, free);
                count += self.count_en_passant(rules, owner, kind);
            }
        }
        // Out of check, what enters a square never endangers the king.
        let drops = if rules.has_reserve || rules.has_hand { self.count_drops(rules, owner) } else { 0 };
        count + drops
    }

    /// The pieces of `owner`'s that stand alone between the king and a piece that would attack it on that line. They
    /// are all that may not go where they like, where only lines matter.
    fn pinned(&self, rules: &Rules<M>, owner: Owner, king: Square) -> M {
        let (occupied, enemy) = (self.occupied(), owner.opponent());
        let mut pinned = M::EMPTY;
        for (origins, squares) in rules.moves[enemy].capture_from(king).iter().zip(&self.by_kind) {
            for pinner in (origins.any & !origins.leaps & *squares & self.owned(enemy)).squares() {
                let between = rules.geometry.between(king, pinner) & occupied;
                if between.is_single() {
                    pinned |= between;
                }
            }
        }
        pinned & self.owned(owner)
    }

    /// The steps of a kind, but for pawns' double steps and en passant. Pieces that are `free` do not endanger their
    /// king wherever they go.
    fn count_steps(&self, rules: &Rules<M>, owner: Owner, kind: KindId, free: M) -> u64 {
        let occupied = self.occupied();
        let takes = occupied & !self.owned(owner) & !self.real_kings(rules);
        let is_pawn = rules.is_pawn(kind);
        let special = if is_pawn { rules.promotion[owner].zone } else { M::EMPTY };
        let mut count = 0;
        for from in self.pieces(owner, kind).squares() {
            let (quiet, captures) = self.reaches(rules, owner, kind, from, occupied);
            let targets = quiet | captures & takes;
            if free.has(from) && (targets & special).is_empty() {
                count += u64::from(targets.count());
                continue;
            }
            for to in targets.squares() {
                self.complete(rules, &Ply::step(owner, kind, from, to), is_pawn, &mut |_: &Ply| {
                    count += 1;
                    false
                });
            }
        }
        count
    }

    fn count_double_steps(&self, rules: &Rules<M>, owner: Owner, kind: KindId, free: M) -> u64 {
        let (board, occupied) = (rules.board(), self.occupied());
        let step = i16::from(board.files()) * i16::from(owner.forward());
        let mut count = 0;
        for from in (self.pieces(owner, kind) & rules.double_step[owner]).squares() {
            // Beyond the border the number is no square's.
            let ahead = |steps: i16| Square((i16::from(from.0) + steps * step) as u8);
            let (passed, to) = (ahead(1), ahead(2));
            if to.index() >= board.len() || occupied.has(passed) || occupied.has(to) {
                continue;
            }
            let safe = free.has(from) || self.is_safe(rules, &Ply::step(owner, kind, from, to));
            count += u64::from(safe);
        }
        count
    }

    fn count_en_passant(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> u64 {
        let Some(passed) = self.status.en_passant.some() else { return 0 };
        let origins = rules.moves[owner].origins(kind.index(), passed, true).any;
        let legal = |from: &Square| self.en_passant(rules, owner, *from, passed).is_some();
        (self.pieces(owner, kind) & origins).squares().filter(legal).count() as u64
    }

    fn count_drops(&self, rules: &Rules<M>, owner: Owner) -> u64 {
        let squares = |kind: KindId| u64::from(self.drop_squares(rules, owner, kind).count());
        self.held(owner).kinds().map(squares).sum()
    }
}
