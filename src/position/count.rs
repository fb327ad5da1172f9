//! How many legal plies there are, counted by whole sets of targets where that can be.

use super::generate::kinds_in;
use super::ply::Ply;
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::definition::DeploymentKind;
use crate::rules::{KindId, Rules};

/// How many steps each piece of one player's has in one position, pawns and kings apart, and what must be vacant for
/// castling. Where a ply has changed few squares, most pieces have as many steps as before.
#[derive(Debug)]
pub struct StepCounts<M> {
    owner: Owner,
    /// All squares of White's and Black's, when the steps were counted.
    owned: [M; 2],
    /// All steps of all the pieces.
    total: u64,
    pieces: Vec<PieceSteps<M>>,
    /// By rook that may castle: the squares that must be vacant.
    castlings: Vec<(Square, M)>,
    pinned: M,
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
        let owned = Owner::REAL.map(|owner| self.owned(owner));
        let mut counts = StepCounts {
            owner,
            owned,
            total: 0,
            pieces: Vec::new(),
            castlings: Vec::new(),
            pinned: M::EMPTY,
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
                let targets = quiet & !occupied | captures & takes;
                let count = u64::from(targets.count()) * self.ways_to_leave(rules, owner, from);
                counts.total += count;
                let depends = quiet | captures | M::bit(from);
                counts.pieces.push(PieceSteps { kind, from, count, depends });
            }
        }
        let king = self.king(rules, owner);
        if king == Square::NONE {
            return counts;
        }
        counts.pinned = self.pinned(rules, owner, king);
        if let Some(castling) = &rules.castling {
            let rooks = self.status.castling & self.owned(owner);
            let way = |rook: Square| (rook, self.castling_way(rules, castling, king, rook).vacant);
            counts.castlings.extend(rooks.squares().map(way));
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
        if !by_sets {
            let mut count = 0;
            self.any_real_ply(rules, |_| {
                count += 1;
                false
            });
            return count;
        }
        let kings = self.pieces(owner, rules.king);
        let changed = known.changed(self);
        let same_lines = (changed & rules.lines_to[king.index()]).is_empty();
        let pinned = if same_lines { known.pinned } else { self.pinned(rules, owner, king) };
        let turn = Turn {
            state: self,
            rules,
            owner,
            vacant: rules.geometry.all() & !self.occupied(),
            takes: self.takes(rules, owner),
            free: !pinned & !kings,
        };
        let mut count = turn.known_steps(known, changed | pinned);
        count += turn.castlings(known);
        count += turn.steps(rules.king, kings);
        for kind in rules.pawns.kinds() {
            let pawns = self.pieces(owner, kind);
            if pawns.any() {
                count += turn.pawn_steps(kind, pawns);
            }
        }
        // Out of check, what enters a square never endangers the king.
        if rules.has_reserve || rules.has_hand {
            count += turn.drops();
        }
        count
    }

    /// The pieces of `owner`'s that stand alone between the king and a piece that would attack it on that line. They
    /// are all that may not go where they like, where only lines matter.
    fn pinned(&self, rules: &Rules<M>, owner: Owner, king: Square) -> M {
        let (occupied, enemy) = (self.occupied(), owner.opponent());
        let mut pinned = M::EMPTY;
        let moves = &rules.moves[enemy];
        for from in (rules.lines_to[king.index()] & self.owned(enemy)).squares() {
            let Some(piece) = self.piece(from) else { continue };
            let origins = moves.origins(piece.kind.index(), king, true);
            if (origins.any & !origins.leaps).has(from) {
                let between = rules.geometry.between(king, from) & occupied;
                if between.is_single() {
                    pinned |= between;
                }
            }
        }
        pinned & self.owned(owner)
    }

    /// In how many ways a piece other than a pawn may leave a square and go to one that it reaches: alone, or with a
    /// piece of the reserve behind it, which endangers no king.
    fn ways_to_leave(&self, rules: &Rules<M>, owner: Owner, from: Square) -> u64 {
        if !self.may_gate(rules, owner, from) {
            return 1;
        }
        1 + kinds_in(self.reserve(owner)).count() as u64
    }

    /// What a player may capture; never a king (COM-2).
    fn takes(&self, rules: &Rules<M>, owner: Owner) -> M {
        self.occupied() & !self.owned(owner) & !self.real_kings(rules)
    }
}

/// The turn of a player who is not in check, in a game whose plies are counted by sets.
struct Turn<'a, M> {
    state: &'a State<M>,
    rules: &'a Rules<M>,
    owner: Owner,
    /// Vacant squares.
    vacant: M,
    /// Squares on which the player may capture.
    takes: M,
    /// Pieces on these squares do not endanger their king wherever they go.
    free: M,
}

impl<M: Mask> Turn<'_, M> {
    /// The steps of pieces that were counted before; of those that depend on a square of `changed` they are counted
    /// anew.
    #[inline(always)]
    fn known_steps(&self, known: &StepCounts<M>, changed: M) -> u64 {
        let mut count = known.total;
        for piece in known.pieces.iter().filter(|piece| (piece.depends & changed).any()) {
            count -= piece.count;
            let from = M::bit(piece.from);
            // It may have been captured.
            if (self.state.owned(self.owner) & from).any() {
                count += self.steps(piece.kind, from);
            }
        }
        count
    }

    fn castlings(&self, known: &StepCounts<M>) -> u64 {
        let rights = self.state.status.castling;
        let open = |(rook, vacant): &&(Square, M)| (*vacant & !self.vacant).is_empty() && rights.has(*rook);
        let plies = |(rook, _): &(Square, M)| {
            let castling = self.state.castling(self.rules, self.owner, *rook);
            castling.map_or(0, |ply| 1 + self.state.castling_gates(self.rules, &ply).len() as u64)
        };
        known.castlings.iter().filter(open).map(plies).sum()
    }

    /// The steps of `pieces` of a kind, but for pawns' double steps and en passant.
    fn steps(&self, kind: KindId, pieces: M) -> u64 {
        let (rules, owner) = (self.rules, self.owner);
        let is_pawn = rules.is_pawn(kind);
        let special = if is_pawn { rules.promotion[owner].zone } else { M::EMPTY };
        let mut count = 0;
        for from in pieces.squares() {
            let (quiet, captures) = self.state.ways(rules, owner, kind, from, !self.vacant);
            let targets = quiet & self.vacant | captures & self.takes;
            if self.free.has(from) && (targets & special).is_empty() {
                let ways = if is_pawn { 1 } else { self.state.ways_to_leave(rules, owner, from) };
                count += u64::from(targets.count()) * ways;
            } else if is_pawn || rules.gating.is_some() {
                let steps = targets.squares().map(|to| Ply::step(owner, kind, from, to));
                count += steps.map(|step| self.complete(&step, is_pawn)).sum::<u64>();
            } else {
                let safe = |to: &Square| self.state.is_safe_step(rules, owner, kind, from, *to);
                count += targets.squares().filter(safe).count() as u64;
            }
        }
        count
    }

    /// A step with all its promotions, as far as they are legal.
    fn complete(&self, step: &Ply, is_pawn: bool) -> u64 {
        let mut count = 0;
        self.state.complete(self.rules, step, is_pawn, &mut |_: &Ply| {
            count += 1;
            false
        });
        count
    }

    /// All steps of all pawns of a kind. Where they only leap, those that are free go each way all at once.
    fn pawn_steps(&self, kind: KindId, pawns: M) -> u64 {
        let (rules, owner) = (self.rules, self.owner);
        let leaps = rules.moves[owner].leaps_alone(kind.index());
        let movers = if leaps.is_empty() { M::EMPTY } else { pawns & self.free };
        let mut sizes = Sizes { union: M::EMPTY, more: 0 };
        let zone = rules.promotion[owner].zone;
        for leap in leaps {
            let targets = movers.shifted(leap.by) & (leap.quiet & self.vacant | leap.capture & self.takes);
            sizes.add(targets & !zone);
            for to in (targets & zone).squares() {
                let from = Square(to.0.wrapping_add_signed(-leap.by));
                sizes.more += self.complete(&Ply::step(owner, kind, from, to), true);
            }
        }
        let others = pawns & !movers;
        if others.any() {
            sizes.more += self.steps(kind, others);
        }
        let doubles = pawns & rules.double_step[owner];
        if doubles.any() {
            self.double_steps(kind, doubles, &mut sizes);
        }
        sizes.sum() + self.en_passant(kind, pawns)
    }

    /// The double steps of `pawns` that stand where they may make one.
    #[inline(always)]
    fn double_steps(&self, kind: KindId, pawns: M, sizes: &mut Sizes<M>) {
        let step = self.rules.board().files() as i8 * self.owner.forward();
        let targets = |pawns: M| (pawns.shifted(step) & self.vacant).shifted(step) & self.vacant;
        sizes.add(targets(pawns & self.free));
        let others = pawns & !self.free;
        if others.any() {
            let safe = |to: &Square| {
                let from = Square(to.0.wrapping_add_signed(-2 * step));
                self.state.is_safe(self.rules, &Ply::step(self.owner, kind, from, *to))
            };
            sizes.more += targets(others).squares().filter(safe).count() as u64;
        }
    }

    fn en_passant(&self, kind: KindId, pawns: M) -> u64 {
        let Some(passed) = self.state.status.en_passant.some() else { return 0 };
        let origins = self.rules.moves[self.owner].origins(kind.index(), passed, true).any;
        let legal = |from: &Square| self.state.en_passant(self.rules, self.owner, *from, passed).is_some();
        (pawns & origins).squares().filter(legal).count() as u64
    }

    fn drops(&self) -> u64 {
        let (rules, owner) = (self.rules, self.owner);
        let squares = |kind: KindId| u64::from(self.state.drop_squares(rules, owner, kind).count());
        self.state.held(owner).kinds().map(squares).sum()
    }
}

/// The sizes of sets added up. Most of them have no square in common, and are counted all at once.
struct Sizes<M> {
    union: M,
    /// How many more squares the sets have than their union.
    more: u64,
}

impl<M: Mask> Sizes<M> {
    #[inline(always)]
    fn add(&mut self, set: M) {
        let again = self.union & set;
        if again.any() {
            self.more += u64::from(again.count());
        }
        self.union |= set;
    }

    fn sum(&self) -> u64 {
        self.more + u64::from(self.union.count())
    }
}

/// True if plies are counted by sets of targets: nobody else acts, what a piece reaches depends on the squares that it
/// reaches, and what a player may gate in does not depend on the opponent's plies.
fn counts_by_sets<M: Mask>(rules: &Rules<M>) -> bool {
    let own_reserve = rules.gating.is_none() || !rules.captures_to_reserve;
    rules.only_lines && own_reserve && rules.deployment == DeploymentKind::None
}
