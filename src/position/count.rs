//! How many legal plies there are, counted by whole sets of targets where that can be.

use super::ply::Ply;
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::definition::DeploymentKind;
use crate::rules::{KindId, Rules};

/// How many steps each piece of one player's has in one position, pawns and kings apart. Where a ply has changed few
/// squares, most pieces have as many steps as before.
#[derive(Debug)]
pub struct StepCounts<M> {
    owner: Owner,
    /// All squares of White's and Black's, when the steps were counted.
    owned: [M; 2],
    /// All steps of all the pieces.
    total: u64,
    pieces: Vec<PieceSteps<M>>,
}

#[derive(Debug)]
struct PieceSteps<M> {
    kind: KindId,
    from: Square,
    count: u64,
    /// The squares on which the count depends: the piece's own, and all that it reaches, whoever stands there.
    depends: M,
}

impl<M: Mask> StepCounts<M> {
    /// The squares that were vacated, entered or captured on since then.
    fn changed(&self, state: &State<M>) -> M {
        let [white, black] = self.owned;
        white ^ state.owned(Owner::White) | black ^ state.owned(Owner::Black)
    }
}

impl<M: Mask> State<M> {
    /// The steps of each piece of `owner`'s as the board is now, whoever is on move and wherever his king is; of no
    /// piece where plies cannot be counted by sets.
    pub fn step_counts(&self, rules: &Rules<M>, owner: Owner) -> StepCounts<M> {
        let mut counts = StepCounts {
            owner,
            owned: Owner::REAL.map(|owner| self.owned(owner)),
            total: 0,
            pieces: Vec::new(),
        };
        if !counts_by_sets(rules) {
            return counts;
        }
        let (occupied, takes) = (self.occupied(), self.takes(rules, owner));
        for kind in (0..rules.kinds.len() as u8).map(KindId) {
            if kind == rules.king || rules.is_pawn(kind) {
                continue;
            }
            for from in self.pieces(owner, kind).squares() {
                let (quiet, captures) = self.ways(rules, owner, kind, from, occupied);
                let count = u64::from((quiet & !occupied | captures & takes).count());
                counts.total += count;
                let depends = quiet | captures | M::bit(from);
                counts.pieces.push(PieceSteps { kind, from, count, depends });
            }
        }
        counts
    }

    /// Number of the legal plies of the player on move: those that [`State::any_real_ply`] gives.
    pub fn count_real_plies(&self, rules: &Rules<M>) -> u64 {
        self.count_real_plies_after(rules, &self.step_counts(rules, self.status.turn))
    }

    /// [`State::count_real_plies`], where the steps of the player's pieces were counted in this position or before
    /// the opponent's ply.
    pub fn count_real_plies_after(&self, rules: &Rules<M>, known: &StepCounts<M>) -> u64 {
        let owner = self.status.turn;
        let king = self.king(rules, owner);
        let by_sets = king != Square::NONE
            && self.only_lines_matter(rules, owner)
            && counts_by_sets(rules)
            && known.owner == owner;
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
        let kings = self.pieces(owner, rules.king);
        let pinned = self.pinned(rules, owner, king);
        let free = !pinned & !kings;
        count += self.count_steps(rules, owner, rules.king, kings, free);
        count += self.count_known_steps(rules, known, free, known.changed(self) | pinned);
        for kind in rules.pawns.kinds() {
            if self.pieces(owner, kind).any() {
                count += self.count_pawn_steps(rules, owner, kind, free);
                count += self.count_double_steps(rules, owner, kind, free);
                count += self.count_en_passant(rules, owner, kind);
            }
        }
        // Out of check, what enters a square never endangers the king.
        let drops = if rules.has_reserve || rules.has_hand { self.count_drops(rules, owner) } else { 0 };
        count + drops
    }

    /// The steps of pieces that were counted before, those counted anew that depend on a square of `changed`.
    fn count_known_steps(&self, rules: &Rules<M>, known: &StepCounts<M>, free: M, changed: M) -> u64 {
        let owner = known.owner;
        let mut count = known.total;
        for piece in known.pieces.iter().filter(|piece| (piece.depends & changed).any()) {
            count -= piece.count;
            let from = M::bit(piece.from);
            // It may have been captured.
            if (self.owned(owner) & from).any() {
                count += self.count_steps(rules, owner, piece.kind, from, free);
            }
        }
        count
    }

    /// The pieces of `owner`'s that stand alone between the king and a piece that would attack it on that line. They
    /// are all that may not go where they like, where only lines matter.
    fn pinned(&self, rules: &Rules<M>, owner: Owner, king: Square) -> M {
        let (occupied, enemy) = (self.occupied(), owner.opponent());
        let mut pinned = M::EMPTY;
        let moves = &rules.moves[enemy];
        let near = moves.capturers(king) & self.owned(enemy);
        let kinds = self.by_kind[..rules.kinds.len()].iter().enumerate();
        for (kind, squares) in kinds.filter(|(_, squares)| (near & **squares).any()) {
            let origins = moves.origins(kind, king, true);
            for pinner in (origins.any & !origins.leaps & *squares & near).squares() {
                let between = rules.geometry.between(king, pinner) & occupied;
                if between.is_single() {
                    pinned |= between;
                }
            }
        }
        pinned & self.owned(owner)
    }

    /// The steps of `pieces` of a kind, but for pawns' double steps and en passant. Pieces that are `free` do not
    /// endanger their king wherever they go.
    fn count_steps(&self, rules: &Rules<M>, owner: Owner, kind: KindId, pieces: M, free: M) -> u64 {
        let occupied = self.occupied();
        let takes = self.takes(rules, owner);
        let is_pawn = rules.is_pawn(kind);
        let special = if is_pawn { rules.promotion[owner].zone } else { M::EMPTY };
        let mut count = 0;
        for from in pieces.squares() {
            let (quiet, captures) = self.reaches(rules, owner, kind, from, occupied);
            let targets = quiet | captures & takes;
            if free.has(from) && (targets & special).is_empty() {
                count += u64::from(targets.count());
                continue;
            }
            for to in targets.squares() {
                count += self.count_complete(rules, &Ply::step(owner, kind, from, to), is_pawn);
            }
        }
        count
    }

    /// The same of all pawns of a kind: where they only leap, those that are free go each way all at once.
    fn count_pawn_steps(&self, rules: &Rules<M>, owner: Owner, kind: KindId, free: M) -> u64 {
        let pawns = self.pieces(owner, kind);
        let leaps = rules.moves[owner].leaps_alone(kind.index());
        if leaps.is_empty() {
            return self.count_steps(rules, owner, kind, pawns, free);
        }
        let (vacant, takes) = (rules.geometry.all() & !self.occupied(), self.takes(rules, owner));
        let zone = rules.promotion[owner].zone;
        let movers = pawns & free;
        let mut count = self.count_steps(rules, owner, kind, pawns & !free, free);
        for leap in leaps {
            let quiet = (movers & leap.quiet).shifted(leap.by) & vacant;
            let captures = (movers & leap.capture).shifted(leap.by) & takes;
            let targets = quiet | captures;
            count += u64::from((targets & !zone).count());
            for to in (targets & zone).squares() {
                let from = Square(to.0.wrapping_add_signed(-leap.by));
                count += self.count_complete(rules, &Ply::step(owner, kind, from, to), true);
            }
        }
        count
    }

    /// What a player may capture; never a king (COM-2).
    fn takes(&self, rules: &Rules<M>, owner: Owner) -> M {
        self.occupied() & !self.owned(owner) & !self.real_kings(rules)
    }

    /// A step with all its promotions, as far as they are legal.
    fn count_complete(&self, rules: &Rules<M>, step: &Ply, is_pawn: bool) -> u64 {
        let mut count = 0;
        self.complete(rules, step, is_pawn, &mut |_: &Ply| {
            count += 1;
            false
        });
        count
    }

    fn count_double_steps(&self, rules: &Rules<M>, owner: Owner, kind: KindId, free: M) -> u64 {
        let step = rules.board().files() as i8 * owner.forward();
        let vacant = rules.geometry.all() & !self.occupied();
        let passed = (self.pieces(owner, kind) & rules.double_step[owner]).shifted(step) & vacant;
        let targets = passed.shifted(step) & vacant;
        let freely = targets & (free.shifted(step)).shifted(step);
        let pinned = (targets & !freely).squares().filter(|to| {
            let from = Square(to.0.wrapping_add_signed(-2 * step));
            self.is_safe(rules, &Ply::step(owner, kind, from, *to))
        });
        u64::from(freely.count()) + pinned.count() as u64
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

/// True if plies are counted by sets of targets: nothing enters behind a piece, nobody else acts, and what a piece
/// reaches depends on the squares that it reaches.
fn counts_by_sets<M: Mask>(rules: &Rules<M>) -> bool {
    rules.only_lines && rules.gating.is_none() && rules.deployment == DeploymentKind::None
}
