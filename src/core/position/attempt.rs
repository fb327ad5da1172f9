//! Tests every condition of legality by itself, to find out why a ply is illegal.
//!
//! Generation and the fast path take short cuts to the same answer; `tests/laws` compares them. This code is cold.

use super::generate::kinds_in;
use super::ply::{Gate, Ply, Verb};
use super::reason::{Reason, ReasonSet};
use super::state::State;
use super::{Position, legal::CastlingWay};
use crate::board::{Mask, Owner, Square};
use crate::rules::definition::{DeploymentKind, GateCastling, PromotionTo};
use crate::rules::{KindId, Piece, Rules};

/// A ply and every condition of legality that it fails in one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The ply, legal or not.
    pub ply: Ply,
    /// All conditions that fail; empty for a legal ply.
    pub failed: ReasonSet,
}

impl Attempt {
    /// True if no condition fails.
    pub const fn is_legal(&self) -> bool {
        self.failed.is_empty()
    }
}

impl<M: Mask> Position<M> {
    /// Tests every condition of a ply, which need not be legal or even possible.
    ///
    /// No condition fails if and only if the ply is one of [`Position::plies`].
    ///
    /// ```
    /// use ferz_core::board::{Owner, Square};
    /// use ferz_core::position::{Ply, Position, Reason};
    /// use ferz_core::rules::{AnyRules, Registry};
    ///
    /// let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None)? else { unreachable!() };
    /// let position = Position::from_fen(rules, "4r1k1/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// let pawn = position.state().piece(Square(12)).ok_or("no pawn on e2")?.kind;
    /// let attempt = position.attempt(&Ply::step(Owner::White, pawn, Square(12), Square(19)));
    /// assert_eq!(attempt.failed.iter().collect::<Vec<_>>(), [Reason::NoSuchMove, Reason::LeavesKingAttacked]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cold]
    pub fn attempt(&self, ply: &Ply) -> Attempt {
        let mut failed = self.state().failures(self.rules(), ply);
        failed.insert_if(self.finish().is_some(), Reason::GameOver);
        Attempt { ply: *ply, failed }
    }
}

impl<M: Mask> State<M> {
    /// The conditions that a ply fails. Endings are not considered.
    pub fn failures(&self, rules: &Rules<M>, ply: &Ply) -> ReasonSet {
        let mut failed = ReasonSet::EMPTY;
        if !is_well_formed(rules, ply) {
            failed.insert(Reason::NoSuchMove);
            return failed;
        }
        if ply.verb != Verb::Drop {
            match self.piece(ply.from) {
                Some(Piece { kind, owner }) if kind == ply.kind => {
                    failed.insert_if(owner != ply.actor, Reason::NotYourPiece);
                }
                _ => failed.insert(Reason::NoSuchPiece),
            }
        }
        if ply.actor == Owner::Nature {
            self.natures_failures(rules, ply, &mut failed);
            return failed;
        }
        failed.insert_if(ply.actor != self.status.turn, Reason::NotYourPiece);
        match ply.verb {
            Verb::Drop => self.drop_failures(rules, ply, &mut failed),
            Verb::Castle => self.castling_failures(rules, ply, &mut failed),
            Verb::Switch => self.switch_failures(rules, ply, &mut failed),
            Verb::Pass => self.pass_failures(rules, ply, &mut failed),
            Verb::Move | Verb::EnPassant => self.step_failures(rules, ply, &mut failed),
        }
        self.condition_failures(rules, ply, &mut failed);
        let deploys = ply.verb != Verb::Drop && self.deployment_due(rules, ply.actor);
        let due = deploys || self.placement_is_due(rules);
        failed.insert_if(due, Reason::DeploymentDue);
        failed
    }

    fn step_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let Ply { actor, kind, from, to, .. } = *ply;
        let safe = match rules.special.conditions {
            true => self.is_safe_from_nothing(rules, ply),
            false => self.is_safe_with_gates(rules, ply),
        };
        self.safety_failures(rules, ply, safe, Reason::LeavesKingAttacked, failed);
        if self.owned(actor).has(to) && (!rules.captures_own(kind) || ply.verb != Verb::Move) {
            // The movement depends on what is captured, so it cannot be judged here.
            failed.insert(Reason::OwnPieceOnTarget);
        } else if self.real_kings(rules).has(to) {
            failed.insert(Reason::NoSuchMove);
        } else if self.untouchable(rules).has(to) {
            let (_, captures) = self.reaches(rules, actor, kind, from, self.occupied());
            failed.insert(if captures.has(to) { Reason::AntiKingCaptured } else { Reason::NoSuchMove });
        } else if ply.verb == Verb::EnPassant {
            let attacks =
                rules.is_pawn(kind) && rules.moves[actor].origins(kind.index(), to, true).any.has(from);
            failed.insert_if(!attacks, Reason::NoSuchMove);
            // `en_passant` is unset if every capture would leave the king in check, or is illegal otherwise.
            let status = &self.status;
            let barred = !safe || !self.meets_conditions(rules, ply);
            let given = status.en_passants().any(|passed| passed == to);
            let right = actor == status.turn && (given || to == status.passed && barred);
            let victim = self.en_passant_victim(rules, actor, to) == Some(ply.other);
            failed.insert_if(!right || !victim, Reason::EnPassant);
        } else {
            let (quiet, captures) = self.reaches(rules, actor, kind, from, self.occupied());
            let far = |steps: u8| rules.board().offset(from, 0, steps as i8 * actor.forward());
            let ahead = (2..=rules.first_step).any(|steps| far(steps) == Some(to));
            let goes = (quiet | captures).has(to) || ahead && self.can_double_step(rules, actor, from, to);
            failed.insert_if(!goes, Reason::NoSuchMove);
        }
        if !self.ply_promotion_fits(rules, ply) {
            failed.insert(self.promotion_failure(rules, ply));
        }
        if rules.special.other_promotion.is_some() && rules.is_pawn(kind) {
            self.other_promotion_failures(rules, ply, failed);
        } else if ply.gates != [None; 2] {
            self.gate_failures(rules, ply, failed);
        }
    }

    /// Conditions of the other piece that a pawn promotes by its arrival.
    fn other_promotion_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let due = self.other_promotions_of(rules, ply);
        match (due, ply.gates) {
            (None, [None, None]) => {}
            (Some(_), [None, None]) => failed.insert(Reason::PromotionMissing),
            (Some((squares, kinds)), [Some(gate), None]) => {
                failed.insert_if(!squares.has(gate.square), Reason::NoSuchPiece);
                failed.insert_if(!kinds.has(gate.kind), Reason::PromotionKind);
            }
            _ => failed.insert(Reason::PromotionSquare),
        }
    }

    /// Conditions of a piece that becomes another kind on its square.
    fn switch_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        self.safety_failures(rules, ply, self.is_safe(rules, ply), Reason::LeavesKingAttacked, failed);
        self.kind_of_switch_failures(rules, ply, failed);
    }

    /// Conditions of what becomes what, and where.
    fn kind_of_switch_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        failed.insert_if(ply.gates != [None; 2], Reason::GateNotHome);
        let Some(switch) = rules.special.switch else { return failed.insert(Reason::NoSuchMove) };
        failed.insert_if(ply.from != ply.to, Reason::NoSuchMove);
        failed.insert_if(ply.kind != switch.from, Reason::SwitchNotBishop);
        failed.insert_if(ply.kind == switch.from && ply.promotion != Some(switch.to), Reason::PromotionKind);
    }

    /// What a ply that is not `safe` leaves undone: the king attacked, or the Anti-King not attacked.
    fn safety_failures(
        &self,
        rules: &Rules<M>,
        ply: &Ply,
        safe: bool,
        attacked: Reason,
        failed: &mut ReasonSet,
    ) {
        let neglected = !self.keeps_anti_king_attacked(rules, ply);
        failed.insert_if(neglected, Reason::AntiCheck);
        if !(safe || neglected && self.is_king_safe(rules, ply)) {
            let [captured, faced] = self.king_faults(rules, ply);
            failed.insert_if(captured || !faced, attacked);
            failed.insert_if(faced, Reason::FacingKings);
        }
    }

    /// Why the rules do not offer the promotion, or why one is missing.
    fn promotion_failure(&self, rules: &Rules<M>, ply: &Ply) -> Reason {
        if !rules.is_pawn(ply.kind) && !rules.promoters.has(ply.kind) {
            return Reason::PromotionSquare;
        }
        let choice = self.promotions(rules, ply.actor, ply.kind, ply.from, ply.to);
        // In some position a pool may hold any other kind (IAB-3).
        let in_pools = |kind: KindId| kind != rules.king && !rules.is_pawn(kind);
        match ply.promotion {
            _ if choice.must && choice.kinds.is_empty() => Reason::PromotionPool,
            None => Reason::PromotionMissing,
            Some(_) if choice.kinds.is_empty() => Reason::PromotionSquare,
            Some(kind) if rules.promotion_to == PromotionTo::Pool && in_pools(kind) => Reason::PromotionPool,
            Some(_) => Reason::PromotionKind,
        }
    }

    /// Conditions of a reserve piece that enters on the square that a step leaves.
    fn gate_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let Ply { actor, from, .. } = *ply;
        if rules.gating.is_none() {
            return failed.insert(Reason::GateNotHome);
        }
        let unmoved = (self.status.unmoved & self.owned(actor)).has(from);
        let started = rules.back_rank[actor].has(from)
            && rules.array[from.index()].is_some_and(|piece| piece.owner == actor);
        let home = unmoved || started || from == rules.deployment_square[actor];
        let one = matches!(ply.gates, [Some(gate), None] if gate.square == from);
        let fits = home && !rules.is_pawn(ply.kind) && one;
        failed.insert_if(!fits, Reason::GateNotHome);
        failed.insert_if(!unmoved, Reason::GateNotFirstMove);
        self.entry_failures(rules, ply, failed);
    }

    /// The player must have each piece that enters, and entries left for all of them.
    fn entry_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let wanted = |kind| ply.gates.iter().flatten().filter(|gate| gate.kind == kind).count();
        let held = |gate: &Gate| usize::from(self.reserve(ply.actor)[gate.kind.index()]) >= wanted(gate.kind);
        let all_held = ply.gates.iter().flatten().all(held);
        failed.insert_if(!all_held, Reason::NotInReserve);
        let left = usize::from(self.entries_left(rules, ply.actor));
        failed.insert_if(left < ply.gates.iter().flatten().count(), Reason::EntriesExhausted);
    }

    fn castling_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let Ply { actor, from, to, other: rook, .. } = *ply;
        failed.insert_if(ply.kind != rules.king, Reason::NoSuchMove);
        failed.insert_if(ply.promotion.is_some(), Reason::PromotionSquare);
        let Some(castling) = &rules.castling else { return failed.insert(Reason::CastlingRight) };
        let right = from == self.king(rules, actor) && (self.status.castling & self.owned(actor)).has(rook);
        failed.insert_if(!right, Reason::CastlingRight);
        let way = self.castling_way(rules, castling, from, rook);
        let CastlingWay { king_to, vacant, .. } = way;
        failed.insert_if(to != king_to, Reason::NoSuchMove);
        failed.insert_if((vacant & self.occupied()).any(), Reason::CastlingBlocked);
        let plain = Ply { gates: [None; 2], ..*ply };
        failed.insert_if(self.castles_through_check(rules, &plain, &way), Reason::CastlingThroughCheck);
        failed.insert_if(!self.keeps_anti_king_attacked(rules, &plain), Reason::AntiCheck);
        if ply.gates == [None; 2] {
            return;
        }
        let gating = rules.gating.filter(|gating| gating.with_castling == GateCastling::Either);
        let Some(gating) = gating else { return failed.insert(Reason::GateWithCastling) };
        let ends = [to, self.castled_rook(rules, ply)];
        let left = |gate: Gate| [from, rook].contains(&gate.square) && !ends.contains(&gate.square);
        let fits = match ply.gates {
            [Some(gate), None] => left(gate),
            // The king's square comes first.
            [Some(one), Some(other)] => {
                left(one) && left(other) && (one.square, other.square) == (from, rook) && gating.per_turn > 1
            }
            _ => false,
        };
        failed.insert_if(!fits, Reason::GateWithCastling);
        let unmoved = |gate: &Gate| self.status.unmoved.has(gate.square);
        failed.insert_if(fits && !ply.gates.iter().flatten().all(unmoved), Reason::GateNotFirstMove);
        self.entry_failures(rules, ply, failed);
        failed.insert_if(!self.keeps_king_safe(rules, ply), Reason::LeavesKingAttacked);
    }

    fn drop_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let Ply { actor, kind, to, .. } = *ply;
        failed.insert_if(ply.promotion.is_some(), Reason::PromotionSquare);
        match ply.gates {
            [None, None] => {}
            [Some(second), None] if rules.may_drop_two() => {
                self.second_drop_failures(rules, ply, second, failed);
            }
            _ => failed.insert(Reason::GateNotHome),
        }
        let attacked =
            if kind == rules.king { Reason::KingDeployedAttacked } else { Reason::LeavesKingAttacked };
        self.safety_failures(rules, ply, self.keeps_king_safe(rules, ply), attacked, failed);
        let (reserve, hand) = (self.reserve(actor)[kind.index()] > 0, self.hand(actor)[kind.index()] > 0);
        if !reserve && !hand {
            let from_reserve = rules.has_reserve && (!rules.has_hand || rules.reserve[kind.index()] > 0);
            failed.insert(if from_reserve { Reason::NotInReserve } else { Reason::NotInHand });
            return;
        }
        if self.deployment_due(rules, actor) {
            if rules.deployment == DeploymentKind::Opening {
                failed.insert_if(!reserve, Reason::NotInReserve);
                failed.insert_if(to != rules.deployment_square[actor], Reason::DeploymentDue);
                return;
            }
            failed.insert_if(!hand, Reason::NotInHand);
            let others =
                kinds_in(self.hand(actor)).any(|other| other != kind) || self.hand(actor)[kind.index()] > 1;
            let any_order = rules.deployment == DeploymentKind::AnyOrder;
            failed.insert_if(kind == rules.king && others && !any_order, Reason::KingLast);
            let may_stand = !any_order || !hand || self.keeps_colours(rules, actor, kind, to);
            failed.insert_if(!may_stand, Reason::DropZone);
        }
        self.entry_square_failures(rules, ply, reserve, hand, failed);
    }

    /// Conditions of a second piece that is dropped in the same turn (IAB 2).
    fn second_drop_failures(&self, rules: &Rules<M>, ply: &Ply, second: Gate, failed: &mut ReasonSet) {
        let actor = ply.actor;
        failed.insert_if(self.deployment_due(rules, actor), Reason::DeploymentDue);
        failed.insert_if(self.entries_left(rules, actor) < 2, Reason::EntriesExhausted);
        failed.insert_if(!self.holds_both(ply, second), Reason::NotInReserve);
        let drops = &rules.drops[actor];
        let region = drops.reserve & drops.kinds[second.kind.slot()];
        failed.insert_if(!region.has(second.square) || second.square <= ply.to, Reason::DropZone);
        failed.insert_if(!drops.reserve.has(ply.to), Reason::DropZone);
        failed.insert_if(self.occupied().has(second.square) || second.square == ply.to, Reason::DropOccupied);
    }

    /// Conditions of the square on which a piece from the reserve or hand is placed.
    fn entry_square_failures(
        &self,
        rules: &Rules<M>,
        ply: &Ply,
        reserve: bool,
        hand: bool,
        failed: &mut ReasonSet,
    ) {
        let Ply { actor, kind, to, .. } = *ply;
        let drops = &rules.drops[actor];
        let dropped_pawn = rules.is_pawn(kind) && rules.hand_drops;
        if dropped_pawn {
            failed.insert_if(!drops.pawns.has(to), Reason::DropZone);
            let file =
                !rules.definition.drops.pawns_share_files && self.files_with_pawns(rules, actor).has(to);
            failed.insert_if(file, Reason::PawnFile);
            let vacant = hand && !self.occupied().has(to) && self.status.turn == actor;
            let mates =
                !rules.definition.drops.pawn_mate && vacant && self.drop_mates(rules, actor, kind, to);
            failed.insert_if(mates, Reason::PawnDropMate);
        }
        let outside = rules.hand_drops && !drops.kinds[kind.slot()].has(to);
        failed.insert_if(outside, Reason::DropZone);
        let reenters = hand && !rules.hand_drops;
        if reenters && self.reentry_squares(rules, actor, kind).has(to) {
            return;
        }
        if reenters && !reserve {
            return failed.insert(Reason::ReentrySquare);
        }
        failed.insert_if(self.occupied().has(to), Reason::DropOccupied);
        let from_hand = hand && rules.hand_drops && drops.hand.has(to);
        let from_reserve = reserve && drops.reserve.has(to);
        failed.insert_if(!from_hand && !from_reserve, Reason::DropZone);
        let exhausted = from_reserve && !from_hand && self.entries_left(rules, actor) == 0;
        failed.insert_if(exhausted, Reason::EntriesExhausted);
    }

    fn natures_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let Some(nature) = &rules.nature else {
            *failed = ReasonSet::of(&[Reason::NatureNotAvailable]);
            return;
        };
        failed.insert_if(!self.nature_is_due(rules), Reason::NatureNotAvailable);
        if self.any_natures_try(rules, |tried| tried == ply) {
            let attacks =
                ply.verb == Verb::Drop && self.introduction_attacks(rules, ply.kind, ply.to).is_some();
            failed.insert_if(attacks, Reason::NatureAttacksPiece);
            let exposes = self.exposure(rules, ply, &self.exposed(rules, &self.unshifted())).is_some();
            failed.insert_if(exposes, Reason::NatureExposes);
            failed.insert_if(self.natures_anti_check(rules, ply).is_some(), Reason::AntiCheck);
        } else {
            let arrived = |tried: &Ply| Ply { gates: ply.gates, ..*tried } == *ply;
            let promoted = |tried: &Ply| Ply { promotion: ply.promotion, gates: ply.gates, ..*tried } == *ply;
            let board = rules.board();
            let (files, ranks) = (
                board.file(ply.from).abs_diff(board.file(ply.to)),
                board.rank(ply.from).abs_diff(board.rank(ply.to)),
            );
            let pawn = ply.kind == nature.pawn;
            failed.insert(match ply.verb {
                Verb::Drop if self.occupied().has(ply.to) => Reason::DropOccupied,
                Verb::Drop => Reason::NatureKind,
                Verb::Switch => return self.kind_of_switch_failures(rules, ply, failed),
                _ if self.owned(Owner::Nature).has(ply.to) => Reason::OwnPieceOnTarget,
                _ if self.real_kings(rules).has(ply.to) => Reason::NatureCapturesKing,
                _ if self.untouchable(rules).has(ply.to) => Reason::AntiKingCaptured,
                Verb::Castle => Reason::NatureCastling,
                Verb::Move if ply.kind == nature.king && files.max(ranks) == 2 => Reason::NatureCastling,
                _ if self.any_natures_try(rules, arrived) => {
                    return self.other_promotion_failures(rules, ply, failed);
                }
                _ if self.any_natures_try(rules, promoted) => match pawn {
                    true => Reason::NaturePromotion,
                    false => Reason::PromotionSquare,
                },
                Verb::EnPassant if pawn => Reason::EnPassant,
                Verb::Move | Verb::EnPassant | Verb::Pass => Reason::NoSuchMove,
            });
        }
    }
}

/// True if all kinds exist in the game, all squares that the verb needs are on the board, and the others are unset.
fn is_well_formed<M: Mask>(rules: &Rules<M>, ply: &Ply) -> bool {
    let squares = rules.board().len();
    let needs =
        |needed: bool, square: Square| if needed { square.index() < squares } else { square == Square::NONE };
    let other = matches!(ply.verb, Verb::EnPassant | Verb::Castle);
    let gates = ply.gates.iter().flatten();
    let entering = gates.clone().map(|gate| gate.kind).chain(ply.promotion);
    entering.chain([ply.kind]).all(|kind| kind.index() < rules.kinds.len())
        && gates.clone().all(|gate| needs(true, gate.square))
        && needs(true, ply.to)
        && needs(ply.verb != Verb::Drop, ply.from)
        && needs(other, ply.other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    /// The position with a FEN, or the array if the FEN is empty.
    fn position(variant: &str, fen: &str) -> Position<u64> {
        let (variant, switches) = variant.split_once(' ').unwrap_or((variant, "basic"));
        let tags = |tag: &str| (tag == "NatureRules").then(|| switches.to_owned());
        let own = "name = \"no-pawn-mate\"\nextends = \"crazyhouse\"\n[drops]\npawn-mate = false\n";
        let registry = Registry::with_files([own]).unwrap();
        let AnyRules::Narrow(rules) = registry.rules(variant, &tags).unwrap() else {
            panic!("these games have 64 squares");
        };
        if fen.is_empty() { Position::start(rules) } else { Position::from_fen(rules, fen).unwrap() }
    }

    /// Builds a ply from its parts: `N g1 f3`, `N@f3`, `P e5 d6 x d5` (en passant), `K e1 g1 O h1` (castling), `=Q`,
    /// `/Mb1` (gate), prefixed by `~` for Nature, `!` for the player not on move, with `pass` at the end.
    fn ply<M: Mask>(position: &Position<M>, text: &str) -> Ply {
        let rules = position.rules();
        let mut actor = position.turn();
        let (mut kinds, mut squares, mut gates) = (Vec::new(), Vec::new(), Vec::new());
        let (mut verb, mut promotion) = (Verb::Move, None);
        let square = |name: &str| rules.board().parse_square(name).unwrap();
        let kind = |name: &str| rules.kind_by_letter(Owner::White, name.as_bytes()[0], false).unwrap();
        for part in text.split(' ') {
            match (part.as_bytes()[0], &part[1..]) {
                (b'~', "") => actor = Owner::Nature,
                (b'!', "") => actor = actor.opponent(),
                (b'x', "") => verb = Verb::EnPassant,
                (b'O', "") => verb = Verb::Castle,
                (b'S', "") => verb = Verb::Switch,
                (b'p', "ass") => verb = Verb::Pass,
                (b'=', name) => promotion = Some(kind(name)),
                (b'/', name) => gates.push(Gate { kind: kind(name), square: square(&name[1..]) }),
                (_, name) if name.starts_with('@') => {
                    kinds.push(kind(part));
                    squares.push(square(&name[1..]));
                    verb = Verb::Drop;
                }
                (_, "") => kinds.push(kind(part)),
                _ => squares.push(square(part)),
            }
        }
        let gates = [gates.first().copied(), gates.get(1).copied()];
        let step = match squares[..] {
            [at] if verb == Verb::Switch => {
                Ply { verb, ..Ply::step(actor, position.piece(at).unwrap().kind, at, at) }
            }
            [to] => Ply::drop(actor, kinds[0], to),
            [from, to, ref other @ ..] => Ply {
                verb,
                other: other.first().copied().unwrap_or(Square::NONE),
                ..Ply::step(actor, kinds[0], from, to)
            },
            [] => panic!("{text}"),
        };
        Ply { promotion, gates, ..step }
    }

    /// Game, FEN, ply, and every condition that it fails, in order of repair.
    const CASES: &[(&str, &str, &str, &str)] = &[
        ("chess", "", "N g1 f3", ""),
        ("chess", "", "N g3 f5", "no-such-piece"),
        ("chess", "", "B g1 f3", "no-such-piece no-such-move"),
        ("chess", "", "! P e7 e5", "not-your-piece"),
        ("chess", "", "P e7 e6", "not-your-piece no-such-move"),
        ("chess", "", "N g1 e2", "own-piece-on-target"),
        ("chess", "", "P e2 e5", "no-such-move"),
        ("chess", "", "P e2 e4 =Q", "promotion-square"),
        ("chess", "", "N g1 f3 =Q", "promotion-square"),
        ("chess", "", "N g1 f3 /Qg1", "gate-not-home"),
        ("chess", "", "N@e4", "not-in-hand"),
        ("chess", "", "~ N@e4", "nature-not-available"),
        ("chess", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "N e2 c3", "leaves-king-attacked"),
        ("chess", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "N e2 e3", "no-such-move"),
        (
            "chess",
            "4r1k1/4P3/8/8/8/8/4N3/4K3 w - - 0 1",
            "N e2 e1 =Q",
            "own-piece-on-target promotion-square",
        ),
        ("chess", "6k1/8/8/8/8/8/4Q3/4K2r w - - 0 1", "Q e2 e8", "leaves-king-attacked"),
        ("chess", "4k3/8/8/8/8/8/8/4K2Q w - - 0 1", "Q h1 e8", "no-such-move"),
        ("chess", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "P e7 e8", "promotion-missing"),
        ("chess", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "P e7 e8 =K", "promotion-kind"),
        ("chess", "8/1k2P2r/8/8/8/8/8/4K3 w - - 0 1", "P e7 e8", "promotion-missing"),
        ("chess", "8/r3P2K/8/8/8/8/8/1k6 w - - 0 1", "P e7 e8", "promotion-missing leaves-king-attacked"),
        ("chess", "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1", "P e5 d6 x d5", ""),
        ("chess", "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1", "P e5 f6 x f5", "en-passant"),
        ("chess", "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1", "P e5 d6", "no-such-move"),
        ("chess", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "P e5 d6 x d5", "leaves-king-attacked"),
        ("chess", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1", "P e5 d6 x d5", "en-passant leaves-king-attacked"),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "K e1 g1 O h1", "castling-right"),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "K e1 c1 O a1", ""),
        ("chess", "4k3/8/8/8/8/8/8/RN2K2R w Q - 0 1", "K e1 c1 O a1", "castling-blocked"),
        (
            "chess",
            "5rk1/8/8/8/8/8/8/4KN1R w - - 0 1",
            "K e1 g1 O h1",
            "castling-right castling-blocked castling-through-check",
        ),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "K e1 f1 O h1", "no-such-move"),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "K e1 g1 O h1 /Qe1", "gate-with-castling"),
        ("ingols", "", "K a1 c1 O b1", "castling-right"),
        ("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "P f7 f6", "game-over leaves-king-attacked"),
        ("magicians-deathmatch", "", "S c1 =M", ""),
        ("magicians-deathmatch", "", "S b1 =M", "switch-not-bishop"),
        ("magicians-deathmatch", "", "S c1 =H", "promotion-kind"),
        ("magicians-deathmatch", "4k3/8/8/3P4/8/8/8/M3K3 w - - 0 1", "P d5 d6 /Ha1", ""),
        ("magicians-deathmatch", "4k3/8/8/3P4/8/8/8/M3K3 w - - 0 1", "P d5 d6", "promotion-missing"),
        ("magicians-deathmatch", "4k3/8/8/3P4/8/8/8/M3K3 w - - 0 1", "P d5 d6 /Qa1", "promotion-kind"),
        ("magicians-deathmatch", "4k3/8/8/3P4/8/8/8/M3K3 w - - 0 1", "P d5 d6 /He1", "no-such-piece"),
        ("magicians-deathmatch", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "P d5 d6 /He1", "promotion-square"),
        ("antiking-2", "", "P c2 d3", "anti-king-captured"),
        ("antiking-2", "", "P d2 d3", "no-such-move"),
        ("antiking-2", "", "A d6 d5", "anti-check"),
        ("antiking-2", "", "A d6 c7", "no-such-move"),
        ("antiking-1", "", "K c1 e2", ""),
        (
            "antiking-1",
            "2prbkqA/2p1nnbr/2pppppp/8/8/PPPPPP2/RBNN1P2/aQKBRP2 w Haf - 0 1",
            "K c1 e2",
            "no-such-move",
        ),
        ("antichess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "P e4 e5", "capture-compulsory"),
        ("antichess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "P e4 d5", ""),
        ("antichess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "K e1 e2", "capture-compulsory"),
        ("antichess", "4k3/3R4/8/8/8/8/8/4K3 b - - 0 1", "K e8 f8", "capture-compulsory"),
        ("atomic", "4k3/8/8/8/8/8/3p4/R3K3 w - - 0 1", "K e1 d2", "explodes-own-king"),
        ("atomic", "4k3/8/8/8/8/8/3p4/3RK3 w - - 0 1", "R d1 d2", "explodes-own-king"),
        ("atomic", "8/8/4k3/8/8/8/8/R3K3 w - - 0 1", "K e1 e2", ""),
        ("atomic", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "N e2 c3", "leaves-king-attacked"),
        ("atomic", "3rr1k1/7p/8/8/8/8/8/4K2Q w - - 0 1", "Q h1 h7", ""),
        ("racingkings", "8/8/8/8/8/8/k7/1R5K w - - 0 1", "R b1 a1", "check-forbidden"),
        ("racingkings", "8/8/8/8/8/k7/N7/1R5K w - - 0 1", "N a2 c3", ""),
        ("racingkings", "8/8/8/8/k7/8/N7/R6K w - - 0 1", "N a2 b4", "check-forbidden"),
        ("crazyhouse", "6k1/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@e8", "drop-zone"),
        ("crazyhouse", "6k1/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@g8", "drop-occupied drop-zone"),
        ("crazyhouse", "4r1k1/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@d2", "leaves-king-attacked"),
        ("ichess", "6k1/8/8/8/P7/8/8/4K3[P] w - - 0 1", "P@a2", "pawn-file"),
        ("no-pawn-mate", "k7/8/K1N5/8/8/8/8/8[P] w - - 0 1", "P@b7", "pawn-drop-mate"),
        ("no-pawn-mate", "k7/8/K7/8/8/8/8/8[P] w - - 0 1", "P@b7", ""),
        ("ichess", "", "P a3 a4", "deployment-due"),
        ("ichess", "", "K@e1", "king-last"),
        ("ichess", "8/8/pppppppp/r7/r7/1PPPPPPP/8/1R2Q3[Kk] w - - 0 8", "K@a3", "king-deployed-attacked"),
        ("iago-b", "8/4P1k1/8/8/8/8/8/RQ2K3[] w - - 0 1", "P e7 e8 =Q", "promotion-pool"),
        ("iago-b", "4k3/8/8/8/8/8/8/4K3[C] w - - 0 1", "M@b1", "not-in-reserve"),
        ("iago-b", "4k3/8/8/8/8/8/8/R2K3R[MCmc] w - - 0 1 +0,2", "M@b1", "entries-exhausted"),
        ("iago-b", "", "N g1 f3 /Mg1", ""),
        ("iago-b", "", "N g1 f3 /Mb1", "gate-not-home"),
        ("iago-b", "", "P e2 e4 /Me2", "gate-not-home gate-not-first-move"),
        ("iago-b", "4k3/8/8/8/8/8/8/4K1N1[MCmc] w - - 0 1", "N g1 f3 /Mg1", "gate-not-first-move"),
        ("iago-b", "4k3/8/8/8/8/8/8/R3K2R[MCmc] w KQ - 0 1 +0,2", "K e1 g1 O h1 /Me1", "gate-with-castling"),
        ("iago-c", "", "Q@e1", "deployment-due"),
        ("iago-c", "", "Q@d1", ""),
        ("chaos", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1 ~1", "N@b2", "reentry-square"),
        ("chaos", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1 ~1", "~ K@b2", "nature-not-available nature-kind"),
        ("chaos", "4k3/8/8/8/4n3/8/8/4K3[] w - - 0 1 ~5", "~ R@a4", "nature-attacks-piece"),
        ("chaos", "4k3/8/8/8/p3*R3/8/8/4R1K1[] b - - 0 1 ~5", "~ R e4 a4", "nature-exposes"),
        ("chaos", "4k3/8/8/8/4*R3/8/8/6K1[] w - - 0 1 ~5", "~ R e4 e8", "nature-captures-king"),
        ("chaos", "4k3/8/8/8/4*R3/8/8/6K1[] w - - 0 1 ~5", "R e4 e7", "not-your-piece"),
        ("chaos advanced", "8/8/2k5/8/8/5K2/5P2/*R2*K4[] w - - 0 1 ~5:a1,d1", "~ K d1 f1", "nature-castling"),
        ("chaos advanced", "8/8/2k5/8/8/5K2/5P2/*R2*K4[] w - - 0 1 ~5:a1,d1", "~ K d1 b1 O a1", ""),
        ("chaos pawn", "4k3/8/8/1*P6/8/8/8/4K3[] w - - 0 1 ~5", "~ P b5 a5", "nature-promotion"),
        ("chaos pawn", "4k3/8/8/1*R6/8/8/8/4K3[] w - - 0 1 ~5", "~ R b5 a5 =Q", "promotion-square"),
        ("chaos pawn", "4k3/8/8/1*R6/8/8/8/4K3[] w - - 0 1 ~5", "~ R b5 a4 x a5", "no-such-move"),
        ("chaos pawn", "4k3/8/8/8/3*PP3/8/8/4K3[] b - - 0 1 ~5::e4", "~ P d4 d3 x c4", "en-passant"),
    ];

    /// What Nature's pieces become where pieces become others on their squares (CHA-22).
    const NATURES_CHANGES: &[(&str, &str, &str, &str)] = &[
        ("", "4k3/8/8/8/2*B5/8/8/4K3[] w - - 0 1 ~5", "~ S c4 =M", ""),
        ("", "4k3/8/8/8/2*B5/8/8/4K3[] w - - 0 1 ~4", "~ S c4 =M", "nature-not-available"),
        ("", "4k3/8/8/8/2*B5/8/8/4K3[] w - - 0 1 ~5", "~ S c4 =H", "promotion-kind"),
        ("", "4k3/8/8/8/2*N5/8/8/4K3[] w - - 0 1 ~5", "~ S c4 =M", "switch-not-bishop"),
        ("", "4k3/8/8/8/2B5/8/8/4K3[] w - - 0 1 ~5", "~ S c4 =M", "not-your-piece"),
        ("", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1 ~5", "~ M@c4", "nature-kind"),
        ("pawn", "4k3/8/8/3*P4/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P d5 c5 /Hf4", ""),
        ("pawn", "4k3/8/8/3*P4/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P d5 c5", "promotion-missing"),
        ("pawn", "4k3/8/8/3*P4/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P d5 c5 /Mf4", "promotion-kind"),
        ("pawn", "4k3/8/8/3*P4/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P d5 c5 /Hf5", "no-such-piece"),
        ("pawn", "4k3/8/8/3*P4/5M2/8/8/4K3[] w - - 0 1 ~5", "~ P d5 c5", ""),
        ("pawn", "4k3/8/8/3*P4/5M2/8/8/4K3[] w - - 0 1 ~5", "~ P d5 c5 /Hf4", "promotion-square"),
        // Along the line is no arrival; onto another one is.
        ("pawn", "4k3/8/8/2*P5/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P c5 c4", ""),
        ("pawn", "4k3/8/8/2*P5/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P c5 c6 /Tf4", ""),
        ("pawn", "4k3/8/8/2*P5/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P c5 c6", "promotion-missing"),
        ("pawn, arrival=any", "4k3/8/8/2*P5/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P c5 c4", "promotion-missing"),
        ("pawn", "2n1k3/3*P4/8/8/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P d7 c8 =M /Hf4", ""),
        ("pawn", "2n1k3/3*P4/8/8/5*M2/8/8/4K3[] w - - 0 1 ~5", "~ P d7 c8 /Hf4", "nature-promotion"),
    ];

    /// Cases of games on more than 64 squares.
    const WIDE_CASES: &[(&str, &str, &str, &str)] = &[
        ("xiangqi", "4k4/9/9/9/9/9/4N4/9/9/4K4 w - - 0 1", "N e4 c5", "facing-kings"),
        ("xiangqi", "4k4/9/9/9/9/9/4N4/9/9/4K4 w - - 0 1", "K e1 d1", ""),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/r2K5 w - - 0 1", "K d1 e1", "facing-kings leaves-king-attacked"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/r2K5 w - - 0 1", "K d1 d2", ""),
        ("janggi", "4k4/9/9/p8/9/9/1R7/9/4K4/9 b - - 1 1", "P a7 a6", "bikjang"),
        ("janggi", "4k4/9/9/p8/9/9/1R7/9/4K4/9 b - - 1 1", "K e10 e10 pass", ""),
        ("janggi", "3k5/9/9/9/9/9/9/3R5/4K4/9 b - - 0 1", "K d10 d10 pass", "pass-in-check"),
        ("janggi", "4k4/9/9/9/9/9/9/2C1C1C2/3K5/9 w - - 0 1", "C c3 f3", "no-such-move"),
        // Nature's piece shields the facing generals of Xiangqi (CHA-24); in Janggi it may go.
        ("chaos+xiangqi", "4k4/9/9/9/4*R4/9/9/9/9/4K4[] w - - 0 1 ~5", "~ R e6 e8", ""),
        ("chaos+xiangqi", "4k4/9/9/9/4*R4/9/9/9/9/4K4[] w - - 0 1 ~5", "~ R e6 a6", "nature-exposes"),
        ("chaos+xiangqi", "4k4/9/9/9/4*R3p/9/9/9/9/4K4[] w - - 0 1 ~5", "~ R e6 i6", "nature-exposes"),
        ("chaos+janggi", "4k4/9/9/9/4*R4/9/9/9/4K4/9[] w - - 0 1 ~5", "~ R e6 a6", ""),
        ("chaos+janggi", "4k4/p8/9/9/9/9/*R8/9/4K4/9[] b - - 0 1 ~1", "P a9 a8", "bikjang"),
        ("chaos+janggi", "4k4/p8/9/9/4*R4/9/9/9/4K4/9[] b - - 0 1 ~1", "P a9 a8", ""),
        // A piece that she introduces makes a cannon attack the king that waits.
        ("chaos+xiangqi", "4k4/9/9/9/9/4C4/9/9/9/3K5[] w - - 0 1 ~5", "~ A@e8", "nature-exposes"),
        // CHA 3 protects no soldier, and no region binds her (CHA-23).
        ("chaos+xiangqi", "4k4/9/9/9/9/9/P8/9/9/3K5[] w - - 0 1 ~5", "~ R@a6", ""),
        ("chaos+xiangqi", "4k4/9/9/9/9/9/N8/9/9/3K5[] w - - 0 1 ~5", "~ R@a6", "nature-attacks-piece"),
        ("chaos+xiangqi", "4k4/9/9/9/9/9/9/*A8/9/3K5[] w - - 0 1 ~5", "~ A a3 b2", ""),
        ("chaos+xiangqi", "4k4/9/9/9/9/2*B6/9/9/9/3K5[] w - - 0 1 ~5", "~ B c5 e7", ""),
        ("chaos+xiangqi pawn", "4k4/9/9/9/9/2*P6/3p5/9/9/3K5[] w - - 0 1 ~5", "~ P c5 b5", ""),
        ("chaos+xiangqi pawn", "4k4/9/9/9/9/2*P6/3p5/9/9/3K5[] w - - 0 1 ~5", "~ P c5 d4", ""),
        ("chaos+xiangqi pawn", "4k4/9/9/9/9/2*P6/2p6/9/9/3K5[] w - - 0 1 ~5", "~ P c5 c4", "no-such-move"),
        ("chaos+janggi", "4k4/9/9/9/9/9/9/9/5K3/3*R5[] w - - 0 1 ~5", "~ R d1 e2", ""),
        ("chaos+janggi", "4k4/9/9/9/9/9/9/9/5K3/2*R6[] w - - 0 1 ~5", "~ R c1 d2", "no-such-move"),
        // Her cannons are cannons (JNG 2), and so is one that enters: it is no hurdle.
        ("chaos+janggi", "4k4/9/9/9/9/9/9/*C1C1p4/5K3/9[] w - - 0 1 ~5", "~ C a3 e3", "no-such-move"),
        ("chaos+janggi", "4k4/9/9/9/9/9/9/*C1N1p4/5K3/9[] w - - 0 1 ~5", "~ C a3 e3", ""),
        ("chaos+janggi", "4k4/9/9/9/9/9/9/c2K5/9/9[C] w - - 0 1 ~1", "C@b3", ""),
        ("chaos+janggi", "4k4/9/9/9/9/9/9/c2K5/9/9[C] w - - 0 1 ~1", "C@h3", ""),
        ("chaos+janggi", "4k4/9/9/9/9/9/9/9/9/c2K5[N] w - - 0 1 ~1", "N@b1", "leaves-king-attacked"),
        // A pawn's drop mates by itself, or while Nature's check mates (CHA-24).
        ("chaos+shogi", "k8/9/2K6/9/9/9/9/9/*RR7[P] w - - 0 1 ~2", "P@i5", ""),
        ("chaos+shogi", "k8/9/G1K6/9/9/9/9/9/1R7[P] w - - 0 1 ~2", "P@a8", "pawn-drop-mate"),
        ("chaos+shogi", "k8/9/2K6/9/9/9/9/9/*RR7[P] w - - 0 1 ~5", "~ R a1 a9", "nature-captures-king"),
        ("chaos+shogi", "4k4/9/2K6/9/9/9/9/9/*RR7[P] w - - 0 1 ~5", "~ R a1 a9 =R", "promotion-square"),
    ];

    fn wide(variant: &str, fen: &str) -> Position<u128> {
        let (variant, switches) = variant.split_once(' ').unwrap_or((variant, "basic"));
        let tags = |tag: &str| (tag == "NatureRules").then(|| switches.to_owned());
        let AnyRules::Wide(rules) = Registry::built_in().rules(variant, &tags).unwrap() else {
            panic!("these games have more than 64 squares");
        };
        Position::from_fen(rules, fen).unwrap()
    }

    fn failed_by<M: Mask>(position: &Position<M>, text: &str) -> ReasonSet {
        position.attempt(&ply(position, text)).failed
    }

    #[test]
    fn every_condition_that_fails_is_named() {
        let (mut seen, mut findings) = (ReasonSet::EMPTY, Vec::new());
        let narrow = CASES.iter().map(|case| (case, failed_by(&position(case.0, case.1), case.2)));
        let changes = NATURES_CHANGES.iter().map(|case| {
            let variant = format!("chaos+magicians-deathmatch {}", case.0);
            (case, failed_by(&position(&variant, case.1), case.2))
        });
        let wide = WIDE_CASES.iter().map(|case| (case, failed_by(&wide(case.0, case.1), case.2)));
        for (&(variant, fen, text, expected), failed) in narrow.chain(changes).chain(wide) {
            let found: Vec<&str> = failed.iter().map(Reason::id).collect();
            if found.join(" ") != expected {
                findings.push(format!("{variant} {fen}: {text}: {found:?}"));
            }
            failed.iter().for_each(|reason| seen.insert(reason));
        }
        // Texts and times are no matter of a position.
        let of_records = ReasonSet::of(&[
            Reason::Unreadable,
            Reason::Ambiguous,
            Reason::NoSuchKind,
            Reason::NullMove,
            Reason::NatureLate,
        ]);
        let missing = Reason::ALL.iter().filter(|reason| !seen.has(**reason) && !of_records.has(**reason));
        findings.extend(missing.map(|reason| format!("{reason} has no case")));
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }

    /// A ply of arbitrary parts is judged without panic, and is illegal.
    #[test]
    fn impossible_plies_are_no_moves() {
        let position = position("chess", "");
        let knight = ply(&position, "N g1 f3");
        let (off, none) = (Square(64), Square::NONE);
        let plies = [
            Ply { from: off, ..knight },
            Ply { from: none, ..knight },
            Ply { to: off, ..knight },
            Ply { other: Square(0), ..knight },
            Ply { kind: KindId(200), ..knight },
            Ply { promotion: Some(KindId(200)), ..knight },
            Ply { gates: [None, Some(Gate { kind: KindId(200), square: off })], ..knight },
            Ply { verb: Verb::Castle, ..knight },
            Ply { verb: Verb::Drop, ..knight },
        ];
        for ply in plies {
            assert_eq!(position.attempt(&ply).failed.first(), Some(Reason::NoSuchMove), "{ply:?}");
        }
    }
}
