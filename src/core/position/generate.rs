//! Generates the legal plies of the player on move.

use super::ply::{Gate, Ply, Verb};
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::compiled::Nature;
use crate::rules::definition::{DeploymentKind, GateCastling, NatureArrival, PromotionOn, PromotionTo};
use crate::rules::{KindId, KindSet, Rules};

/// The promotions of a pawn on one target square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// True if promotion is mandatory.
    pub must: bool,
    /// The kinds it may become.
    pub kinds: KindSet,
}

impl Choice {
    /// No promotion.
    pub const NONE: Choice = Choice { must: false, kinds: KindSet::EMPTY };
}

/// Receives plies.
pub(super) trait Sink {
    /// True if the sink needs only the number of plies.
    const COUNTS: bool = false;

    /// Takes a ply; returns true to stop.
    fn take(&mut self, ply: &Ply) -> bool;

    /// Adds a number of plies. Called only if [`Sink::COUNTS`].
    fn add(&mut self, _: u32) {}
}

impl<F: FnMut(&Ply) -> bool> Sink for F {
    #[inline(always)]
    fn take(&mut self, ply: &Ply) -> bool {
        self(ply)
    }
}

/// Counts plies.
struct Count(u64);

impl Sink for Count {
    const COUNTS: bool = true;

    #[inline(always)]
    fn take(&mut self, _: &Ply) -> bool {
        self.0 += 1;
        false
    }

    #[inline(always)]
    fn add(&mut self, plies: u32) {
        self.0 += u64::from(plies);
    }
}

impl<M: Mask> State<M> {
    /// Calls `found` for each legal ply of the player on move until it returns true; returns whether it did.
    pub fn any_real_ply(&self, rules: &Rules<M>, mut found: impl FnMut(&Ply) -> bool) -> bool {
        self.real_plies(rules, &mut found)
    }

    /// The number of legal plies of the player on move.
    pub(super) fn count_real_plies(&self, rules: &Rules<M>) -> u64 {
        let mut count = Count(0);
        self.real_plies(rules, &mut count);
        count.0
    }

    fn real_plies(&self, rules: &Rules<M>, found: &mut impl Sink) -> bool {
        let owner = self.status.turn;
        if rules.deployment != DeploymentKind::None && self.deployment_due(rules, owner) {
            return self.deployments(rules, owner, found);
        }
        self.steps(rules, owner, found)
            || self.castlings(rules, owner, found)
            || self.may_drop(rules, owner) && self.drops(rules, owner, found)
            || rules.special.switch.is_some() && self.switches(rules, owner, found)
            || rules.special.passes && self.legal_pass(rules).is_some_and(|ply| found.take(&ply))
    }

    /// True if `owner` must place a piece before anything else (ICH 2, IAC-1).
    pub fn deployment_due(&self, rules: &Rules<M>, owner: Owner) -> bool {
        match rules.deployment {
            DeploymentKind::None => false,
            DeploymentKind::Hand => self.hand(owner)[rules.king.index()] > 0,
            DeploymentKind::AnyOrder => self.hand(owner).iter().any(|count| *count > 0),
            DeploymentKind::Opening => {
                self.status.number == 1
                    && *self.reserve(owner) == rules.reserve
                    && !self.occupied().has(rules.deployment_square[owner])
            }
        }
    }

    fn deployments(&self, rules: &Rules<M>, owner: Owner, found: &mut impl Sink) -> bool {
        (0..rules.kinds.len() as u8).map(KindId).any(|kind| {
            self.deployment_squares(rules, owner, kind).squares().any(|to| {
                let ply = Ply::drop(owner, kind, to);
                self.is_safe(rules, &ply) && found.take(&ply)
            })
        })
    }

    /// The squares on which `owner` may deploy a piece of a kind while deployment is due. King safety is not
    /// considered.
    pub(super) fn deployment_squares(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> M {
        if rules.deployment == DeploymentKind::Opening {
            let has_it = self.reserve(owner)[kind.index()] > 0;
            return if has_it { M::bit(rules.deployment_square[owner]) } else { M::EMPTY };
        }
        let hand = self.hand(owner);
        let king_last = || hand.iter().map(|&count| u32::from(count)).sum::<u32>() == 1;
        let may = hand[kind.index()] > 0
            && (kind != rules.king || rules.deployment == DeploymentKind::AnyOrder || king_last());
        if !may {
            return M::EMPTY;
        }
        let squares = self.drop_squares(rules, owner, kind);
        if rules.special.both_colours == KindSet::EMPTY {
            return squares;
        }
        M::of(squares.squares().filter(|to| self.keeps_colours(rules, owner, kind, *to)))
    }

    /// True if a deployment leaves the kinds that stand on both colours alike as many vacant squares of each colour as
    /// they still need.
    #[cold]
    pub(super) fn keeps_colours(&self, rules: &Rules<M>, owner: Owner, kind: KindId, to: Square) -> bool {
        rules.special.both_colours.kinds().all(|bound| {
            let own = self.pieces(owner, bound) | if bound == kind { M::bit(to) } else { M::EMPTY };
            let left = u32::from(self.hand(owner)[bound.index()]) - u32::from(bound == kind);
            let vacant = rules.drops[owner].hand & !self.occupied() & !M::bit(to);
            let dark = rules.geometry.dark();
            let all = own.count() + left;
            let needed = |on: M| (all / 2).saturating_sub(on.count());
            let fits = |on: M, vacant: M| on.count() <= all.div_ceil(2) && needed(on) <= vacant.count();
            fits(own & dark, vacant & dark) && fits(own & !dark, vacant & !dark)
        })
    }

    fn steps<S: Sink>(&self, rules: &Rules<M>, owner: Owner, found: &mut S) -> bool {
        let occupied = self.occupied();
        // COM-2: kings cannot be captured; Nature's king can.
        let takes_any = occupied & !self.untouchable(rules);
        let takes = takes_any & !self.owned(owner);
        let answers = self.answers_to_check(rules, owner);
        let free = if S::COUNTS { self.free(rules, owner) } else { M::EMPTY };
        let entrants =
            if S::COUNTS && rules.gating.is_some() { kinds_in(self.reserve(owner)).count() } else { 0 };
        for kind in (0..rules.kinds.len() as u8).map(KindId) {
            let is_pawn = rules.is_pawn(kind);
            let promotes = is_pawn || rules.promoters.has(kind);
            for from in self.pieces(owner, kind).squares() {
                let (quiet, captures) = self.reaches(rules, owner, kind, from, occupied);
                let within = if kind == rules.king { rules.geometry.all() } else { answers };
                let takes = if rules.captures_own(kind) { takes_any } else { takes };
                let targets = (quiet | captures & takes) & within;
                // If all steps are legal and only their number is needed, they are not generated.
                if S::COUNTS
                    && free.has(from)
                    && (targets & rules.promotion[owner].zones[kind.slot()]).is_empty()
                {
                    // A piece that enters on the vacated square cannot expose the king either.
                    let gates = entrants > 0 && !is_pawn && self.may_gate(rules, owner, from);
                    found.add(targets.count() * if gates { 1 + entrants as u32 } else { 1 });
                } else {
                    for to in targets.squares() {
                        if self.complete(rules, &Ply::step(owner, kind, from, to), promotes, found) {
                            return true;
                        }
                    }
                }
                if is_pawn && self.pawn_specials(rules, owner, kind, from, free.has(from), found) {
                    return true;
                }
            }
        }
        false
    }

    /// Squares whose piece may step anywhere without exposing its king: out of check, those on no line with the king,
    /// and those from which it hides no attacker.
    fn free(&self, rules: &Rules<M>, owner: Owner) -> M {
        let king = self.king(rules, owner);
        if king == Square::NONE && !rules.special.conditions {
            return rules.geometry.all();
        }
        if !self.only_lines_matter(rules, owner) || rules.nature.is_some() || king == Square::NONE {
            return M::EMPTY;
        }
        let (enemy, occupied) = (owner.opponent(), self.occupied());
        let attacking = self.owned(enemy);
        let hides =
            |from: &Square| self.opens_line(rules, king, *from, enemy, occupied & !M::bit(*from), attacking);
        let hiding = M::of((rules.lines_to[king.index()] & self.owned(owner)).squares().filter(hides));
        !(hiding | M::bit(king))
    }

    /// The squares on which a piece other than the king may end a check by capture or interposition. All squares if
    /// there is no check, or if some pieces do not attack along lines. En passant captures are not covered.
    fn answers_to_check(&self, rules: &Rules<M>, owner: Owner) -> M {
        let all = rules.geometry.all();
        let king = self.king(rules, owner);
        if !self.status.in_check || !rules.only_lines || self.status.turn != owner || king == Square::NONE {
            return all;
        }
        let checkers = self.attackers(rules, king, owner.opponent(), &self.unshifted());
        let ends = |from: Square| M::bit(from) | rules.geometry.between(king, from);
        checkers.squares().fold(all, |answers, from| answers & ends(from))
    }

    /// The pieces that become another kind on their squares.
    #[cold]
    fn switches(&self, rules: &Rules<M>, owner: Owner, found: &mut impl Sink) -> bool {
        let Some(switch) = rules.special.switch else { return false };
        self.pieces(owner, switch.from).squares().any(|square| {
            let ply = Ply::switch(owner, switch.from, square, switch.to);
            self.is_safe(rules, &ply) && found.take(&ply)
        })
    }

    /// Emits a ply, a pawn's with each piece that it promotes by its arrival.
    #[inline]
    fn arrive(&self, rules: &Rules<M>, ply: &Ply, found: &mut impl Sink) -> bool {
        if rules.special.other_promotion.is_none() || !rules.is_pawn(ply.kind) {
            found.take(ply)
        } else {
            self.arrive_and_promote(rules, ply, found)
        }
    }

    #[cold]
    fn arrive_and_promote(&self, rules: &Rules<M>, ply: &Ply, found: &mut impl Sink) -> bool {
        let Some((squares, kinds)) = self.other_promotions(rules, ply.actor, ply.to) else {
            return found.take(ply);
        };
        squares.squares().any(|square| {
            kinds.kinds().any(|kind| found.take(&Ply { gates: [Some(Gate { kind, square }), None], ..*ply }))
        })
    }

    /// The pieces that a pawn promotes by its arrival on a square, and what they may become; `None` if it promotes
    /// none.
    pub fn other_promotions(&self, rules: &Rules<M>, owner: Owner, to: Square) -> Option<(M, KindSet)> {
        let other = rules.special.other_promotion.as_ref().filter(|other| other.zone[owner].has(to))?;
        let pieces = self.pieces(owner, other.of);
        pieces.any().then_some((pieces, other.to))
    }

    /// [`State::other_promotions`] for a move of Nature's pawn (CHA-22).
    pub(super) fn natures_other_promotions(
        &self,
        rules: &Rules<M>,
        nature: &Nature<M>,
        (from, to): (Square, Square),
    ) -> Option<(M, KindSet)> {
        let other = rules.special.other_promotion.as_ref()?;
        let along = nature.arrival == NatureArrival::Any;
        other.natures.iter().find(|zone| zone.has(to) && (along || !zone.has(from)))?;
        let pieces = self.pieces(Owner::Nature, other.of);
        pieces.any().then_some((pieces, other.to))
    }

    /// The pieces that a ply of a pawn's promotes by its arrival, and what they may become; `None` if it promotes none.
    pub fn other_promotions_of(&self, rules: &Rules<M>, ply: &Ply) -> Option<(M, KindSet)> {
        match &rules.nature {
            _ if !rules.is_pawn(ply.kind) || ply.verb == Verb::Drop => None,
            Some(nature) if ply.actor == Owner::Nature => {
                self.natures_other_promotions(rules, nature, (ply.from, ply.to))
            }
            _ => self.other_promotions(rules, ply.actor, ply.to),
        }
    }

    /// The double step, and en passant. A pawn that is `free` exposes no king by the former.
    fn pawn_specials(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        free: bool,
        found: &mut impl Sink,
    ) -> bool {
        if rules.double_step[owner].has(from) {
            for steps in 2..=rules.first_step {
                if let Some(to) = rules.board().offset(from, 0, steps as i8 * owner.forward())
                    && self.can_double_step(rules, owner, from, to)
                {
                    let ply = Ply::step(owner, kind, from, to);
                    if (free || self.is_safe(rules, &ply)) && self.arrive_in_zone(rules, &ply, found) {
                        return true;
                    }
                }
            }
        }
        self.status.en_passants().any(|passed| {
            rules.moves[owner].origins(kind.index(), passed, true).any.has(from)
                && self
                    .en_passant(rules, owner, from, passed)
                    .is_some_and(|ply| self.arrive_in_zone(rules, &ply, found))
        })
    }

    /// Emits a legal ply of a pawn with each promotion that its arrival allows: in most games it ends outside the zone.
    fn arrive_in_zone(&self, rules: &Rules<M>, ply: &Ply, found: &mut impl Sink) -> bool {
        if !rules.promotion[ply.actor].zone.has(ply.to) {
            return self.arrive(rules, ply, found);
        }
        let choice = self.promotions(rules, ply.actor, ply.kind, ply.from, ply.to);
        let promoted = |kind| Ply { promotion: Some(kind), ..*ply };
        !choice.must && self.arrive(rules, ply, found)
            || choice.kinds.kinds().any(|kind| self.arrive(rules, &promoted(kind), found))
    }

    /// Emits a step with each legal combination of promotion and gating.
    pub(super) fn complete(
        &self,
        rules: &Rules<M>,
        step: &Ply,
        promotes: bool,
        found: &mut impl Sink,
    ) -> bool {
        if promotes && rules.special.conditions {
            return self.complete_on_conditions(rules, step, found);
        }
        let safe = self.is_safe(rules, step);
        if promotes {
            if !safe {
                return false;
            }
            let choice = self.promotions(rules, step.actor, step.kind, step.from, step.to);
            if choice.kinds.is_empty() {
                return !choice.must && self.arrive(rules, step, found);
            }
            let promoted = |kind| Ply { promotion: Some(kind), ..*step };
            return !choice.must && self.arrive(rules, step, found)
                || choice.kinds.kinds().any(|kind| self.arrive(rules, &promoted(kind), found));
        }
        if safe && found.take(step) {
            return true;
        }
        self.may_gate(rules, step.actor, step.from) && self.gatings(rules, step, safe, found)
    }

    /// Emits a step that may promote with each promotion that meets the conditions of the game.
    #[inline(never)]
    fn complete_on_conditions(&self, rules: &Rules<M>, step: &Ply, found: &mut impl Sink) -> bool {
        if !self.is_safe_from_nothing(rules, step) {
            return false;
        }
        let choice = self.promotions(rules, step.actor, step.kind, step.from, step.to);
        let stays = (!choice.must).then_some(*step);
        let promoted = choice.kinds.kinds().map(|kind| Ply { promotion: Some(kind), ..*step });
        stays.into_iter().chain(promoted).any(|ply| self.meets_conditions(rules, &ply) && found.take(&ply))
    }

    /// True if a piece that leaves `from` may be replaced from the reserve.
    pub(super) fn may_gate(&self, rules: &Rules<M>, owner: Owner, from: Square) -> bool {
        rules.gating.is_some()
            && (self.status.unmoved & self.owned(owner)).has(from)
            && self.entries_left(rules, owner) > 0
    }

    fn gatings(&self, rules: &Rules<M>, step: &Ply, safe: bool, found: &mut impl Sink) -> bool {
        let Some(gating) = &rules.gating else { return false };
        kinds_in(self.reserve(step.actor)).any(|kind| {
            let ply = Ply { gates: [Some(Gate { kind, square: step.from }), None], ..*step };
            let legal = if gating.may_block { self.is_safe(rules, &ply) } else { safe };
            legal && found.take(&ply)
        })
    }

    pub(super) fn castlings(&self, rules: &Rules<M>, owner: Owner, found: &mut impl Sink) -> bool {
        (self.status.castling & self.owned(owner)).squares().any(|rook| {
            let Some(ply) = self.castling(rules, owner, rook) else { return false };
            found.take(&ply) || self.castling_gates(rules, &ply).into_iter().any(|ply| found.take(&ply))
        })
    }

    /// A castling with every combination of gates that the rules allow.
    pub fn castling_gates(&self, rules: &Rules<M>, castling: &Ply) -> Vec<Ply> {
        let Some(gating) = rules.gating.filter(|gating| gating.with_castling == GateCastling::Either) else {
            return Vec::new();
        };
        let owner = castling.actor;
        let left = self.entries_left(rules, owner);
        let ends = [castling.to, self.castled_rook(rules, castling)];
        let squares: Vec<Square> = [castling.from, castling.other]
            .into_iter()
            .filter(|square| self.status.unmoved.has(*square) && !ends.contains(square))
            .collect();
        let mut plies = Vec::new();
        for (index, &square) in squares.iter().enumerate() {
            for kind in kinds_in(self.reserve(owner)).filter(|_| left > 0) {
                let first = Gate { kind, square };
                plies.push(Ply { gates: [Some(first), None], ..*castling });
                if gating.per_turn < 2 || left < 2 {
                    continue;
                }
                for &square in &squares[index + 1..] {
                    let enough = |second: KindId| second != kind || self.reserve(owner)[kind.index()] > 1;
                    let seconds = kinds_in(self.reserve(owner)).filter(|&second| enough(second));
                    plies.extend(
                        seconds.map(|kind| Ply {
                            gates: [Some(first), Some(Gate { kind, square })],
                            ..*castling
                        }),
                    );
                }
            }
        }
        plies.retain(|ply| self.is_safe(rules, ply));
        plies
    }

    /// False if the player's stocks give no drops: a reserve that enters by gating alone.
    fn may_drop(&self, rules: &Rules<M>, owner: Owner) -> bool {
        rules.has_hand || rules.has_reserve && rules.drops[owner].reserve.any()
    }

    fn drops<S: Sink>(&self, rules: &Rules<M>, owner: Owner, found: &mut S) -> bool {
        // Out of check, a drop on a vacant square cannot expose the king.
        let all_safe = S::COUNTS && self.only_lines_matter(rules, owner) && rules.nature.is_none();
        let two = rules.may_drop_two() && self.entries_left(rules, owner) > 1;
        if two && self.double_drops(rules, owner, found) {
            return true;
        }
        self.held(owner).kinds().any(|kind| {
            let squares = self.drop_squares(rules, owner, kind);
            if all_safe {
                found.add(squares.count());
                return false;
            }
            squares.squares().any(|to| {
                let ply = Ply::drop(owner, kind, to);
                self.is_safe(rules, &ply) && found.take(&ply)
            })
        })
    }

    /// Drops of two pieces from the reserve in one turn (IAB 2).
    #[cold]
    fn double_drops<S: Sink>(&self, rules: &Rules<M>, owner: Owner, found: &mut S) -> bool {
        let squares = |kind: KindId| match self.reserve(owner)[kind.index()] {
            0 => M::EMPTY,
            _ => self.drop_squares(rules, owner, kind) & rules.drops[owner].reserve,
        };
        self.held(owner).kinds().any(|kind| {
            squares(kind).squares().any(|to| {
                self.held(owner).kinds().any(|other| {
                    let mut rest = squares(other).squares().filter(|square| *square > to);
                    rest.any(|square| {
                        let second = Gate { kind: other, square };
                        let ply = Ply::drop(owner, kind, to).with_second_drop(second);
                        self.holds_both(&ply, second) && self.is_safe(rules, &ply) && found.take(&ply)
                    })
                })
            })
        })
    }

    /// True if the reserve holds the piece of a drop and a second one.
    pub(super) fn holds_both(&self, ply: &Ply, second: Gate) -> bool {
        let reserve = self.reserve(ply.actor);
        let alike = u8::from(ply.kind == second.kind);
        reserve[ply.kind.index()] > 0 && reserve[second.kind.index()] > alike
    }

    /// The kinds that a player has in a stock.
    pub(super) fn held(&self, owner: Owner) -> KindSet {
        let stocks = self.reserve(owner).iter().zip(self.hand(owner));
        (0u8..).zip(stocks).filter(|(_, (a, b))| **a > 0 || **b > 0).map(|(i, _)| KindId(i)).collect()
    }

    /// The squares on which `owner` may drop a piece of a kind now. King safety is not considered.
    pub fn drop_squares(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> M {
        let drops = &rules.drops[owner];
        let vacant = rules.geometry.all() & !self.occupied();
        let pawn = rules.is_pawn(kind);
        let mut squares = M::EMPTY;
        if self.reserve(owner)[kind.index()] > 0 && self.entries_left(rules, owner) > 0 {
            squares |= drops.reserve & vacant;
        }
        if self.hand(owner)[kind.index()] > 0 {
            squares |=
                if rules.hand_drops { drops.hand & vacant } else { self.reentry_squares(rules, owner, kind) };
        }
        squares &= drops.kinds[kind.slot()];
        if pawn && rules.hand_drops {
            squares &= drops.pawns;
            if !rules.definition.drops.pawns_share_files {
                squares &= !self.files_with_pawns(rules, owner);
            }
            if !rules.definition.drops.pawn_mate {
                squares &= !self.mating_drops(rules, owner, kind, squares);
            }
        }
        squares
    }

    /// The squares among `within` on which a dropped pawn would mate.
    fn mating_drops(&self, rules: &Rules<M>, owner: Owner, kind: KindId, within: M) -> M {
        let king = self.king(rules, owner.opponent());
        if king == Square::NONE || rules.special.hidden_attacks {
            let all = within.squares().filter(|&to| self.drop_mates(rules, owner, kind, to));
            return if king == Square::NONE { M::EMPTY } else { M::of(all) };
        }
        // It gives check itself, or none.
        let near = rules.moves[owner].origins(kind.index(), king, true).any & within;
        M::of(near.squares().filter(|&to| self.drop_mates(rules, owner, kind, to)))
    }

    /// True if a legal drop on a vacant square checkmates: mate by Nature's check alone is no fault (CHA-24).
    pub(super) fn drop_mates(&self, rules: &Rules<M>, owner: Owner, kind: KindId, to: Square) -> bool {
        let ply = Ply::drop(owner, kind, to);
        if !self.is_safe(rules, &ply) {
            return false;
        }
        let mut after = self.clone();
        after.apply_undoable(rules, &ply);
        after.status.in_check && after.checked_by_opponent(rules) && !after.any_real_ply(rules, |_| true)
    }

    /// The squares of reentry (CHA 5): array squares of the kind without an own piece or a king.
    pub(super) fn reentry_squares(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> M {
        rules.array_squares[owner][kind.index()] & !self.owned(owner) & !self.untouchable(rules)
    }

    /// All squares of the files on which `owner` has a pawn.
    pub(super) fn files_with_pawns(&self, rules: &Rules<M>, owner: Owner) -> M {
        let board = rules.board();
        let pawns = self.pieces_of(owner, rules.pawns);
        let on_files = |square: &Square| !board.is_corner(*square);
        let files =
            pawns.squares().filter(on_files).fold(0u32, |files, square| files | 1 << board.file(square));
        M::of(board.squares().filter(on_files).filter(|&square| files >> board.file(square) & 1 == 1))
    }

    /// The promotions of a player's pawn that goes from `from` to `to`, or of another piece that may be promoted.
    pub fn promotions(
        &self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        from: Square,
        to: Square,
    ) -> Choice {
        let promotion = &rules.promotion[owner];
        let becomes = rules.promotes_to[kind.slot()];
        let leaves = becomes.is_some() && rules.definition.promotion.from_zone && promotion.zone.has(from);
        if !promotion.zone.has(to) && !leaves {
            return Choice::NONE;
        }
        let must = promotion.forced.has(to) || promotion.stuck[kind.slot()].has(to);
        if !must && rules.promotion_on == PromotionOn::Entry && promotion.zone.has(from) {
            return Choice::NONE;
        }
        let kinds = match rules.promotion_to {
            _ if becomes.is_some() => becomes.into_iter().collect(),
            PromotionTo::Kinds | PromotionTo::Armies => promotion.kinds,
            PromotionTo::Pool => self.pool(rules, owner),
            PromotionTo::ArraySquare => promotion.by_square[to.index()].into_iter().collect(),
        };
        Choice { must, kinds }
    }

    /// The promotion pool (IAB-3): the reserve, and the equipment that is neither on the board nor in reserve (nor in
    /// hand, CHA-18). With stand-ins, also the kinds that they may serve as (IAV 7). A set-up position may have more
    /// pieces of a kind than the equipment; the pool then holds none of them.
    pub fn pool(&self, rules: &Rules<M>, owner: Owner) -> KindSet {
        let kinds = (0..rules.kinds.len() as u8).map(KindId);
        let in_pool = |kind: KindId| {
            let captured = self.balance(rules, owner, kind) > 0 && !self.all_turned_over(rules, owner, kind);
            let more = self.stand_ins_left(rules, owner, kind);
            captured || more >= 0 && self.reserve(owner)[kind.index()] > 0 || more > 0
        };
        kinds.filter(|&kind| kind != rules.king && !rules.is_pawn(kind) && in_pool(kind)).collect()
    }

    /// How many pieces of a kind the equipment has beyond those on the board, in reserve and in hand.
    fn balance(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> i16 {
        let stocks = i16::from(self.reserve(owner)[kind.index()]) + i16::from(self.hand(owner)[kind.index()]);
        i16::from(rules.equipment[owner][kind.index()]) - stocks - self.pieces(owner, kind).count() as i16
    }

    /// How many stand-ins for a kind are off the board and do not yet serve.
    fn stand_ins_left(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> i16 {
        let serving = rules.stand_ins.iter().filter(|(_, serves)| *serves == kind);
        let off: i16 = serving.map(|&(from, _)| self.balance(rules, owner, from).max(0)).sum();
        off + self.balance(rules, owner, kind).min(0)
    }

    /// True if all captured pieces of a kind serve as another kind.
    fn all_turned_over(&self, rules: &Rules<M>, owner: Owner, kind: KindId) -> bool {
        let serves = rules.stand_ins.iter().find(|(from, _)| *from == kind);
        serves.is_some_and(|&(_, serves)| self.stand_ins_left(rules, owner, serves) <= 0)
    }
}

/// The kinds in a stock.
pub(super) fn kinds_in(stock: &[u8]) -> impl Iterator<Item = KindId> + '_ {
    (0u8..).zip(stock).filter(|(_, n)| **n > 0).map(|(index, _)| KindId(index))
}
