//! How likely a legal ply is to be played.

use crate::costs::{Bits, Costs};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::{Ply, Position, Verb};
use ferz_core::rules::{KindId, Rules};
use std::marker::PhantomData;

/// What the kinds of a game are worth, and what it costs to give one away.
pub(crate) struct Likely<M> {
    /// For each kind the squares that it reaches, added up.
    worth: Vec<u32>,
    /// For each kind and square the cost of reaching few squares from there.
    rim: Vec<Vec<Bits>>,
    given_away: Bits,
    mask: PhantomData<M>,
}

/// Of the squares that a piece slides over on a board with men, the share that is free, in percent.
const FREE_PERCENT: u32 = 70;

/// A piece is worth less than another if it is worth less than this share of it, in percent.
const LESS_PERCENT: u32 = 80;

impl<M: Mask> Likely<M> {
    /// Counts what each kind reaches.
    pub fn new(rules: &Rules<M>, costs: &Costs) -> Likely<M> {
        let kinds = 0..rules.kinds.len();
        let from = |kind: usize| rules.board().squares().map(move |square| reached(rules, kind, square));
        let reaches: Vec<Vec<u32>> = kinds.map(|kind| from(kind).collect()).collect();
        let worth = reaches
            .iter()
            .zip(&rules.kinds)
            .map(|(reach, kind)| if kind.royal { u32::MAX } else { reach.iter().sum() });
        let rim = reaches.iter().map(|reach| {
            let most = f64::from(reach.iter().copied().max().unwrap_or_default());
            // A kind whose reach is not known has no rim.
            let share = |reached: &u32| if most > 0.0 { f64::from(*reached) / most } else { 1.0 };
            reach.iter().map(|reached| Bits::of(costs.play.rim.as_f64() * (1.0 - share(reached)))).collect()
        });
        Likely {
            worth: worth.collect(),
            rim: rim.collect(),
            given_away: costs.play.given_away,
            mask: PhantomData,
        }
    }

    fn worth(&self, kind: KindId) -> u32 {
        self.worth.get(kind.index()).copied().unwrap_or_default()
    }

    /// The cost of a ply between the positions before and after it.
    pub fn cost(&self, before: &Position<M>, ply: &Ply, after: &Position<M>) -> Bits {
        if ply.actor == Owner::Nature {
            return Bits::ZERO;
        }
        let Some(piece) = after.piece(ply.to).filter(|piece| piece.owner == ply.actor) else {
            return Bits::ZERO;
        };
        let rim = self.rim(after.rules(), ply);
        rim + self.given_away(before, ply, after, piece.kind)
    }

    /// The cost of a square from which a piece reaches few others.
    fn rim(&self, rules: &Rules<M>, ply: &Ply) -> Bits {
        if rules.is_pawn(ply.kind) || ply.verb != Verb::Move {
            return Bits::ZERO;
        }
        self.rim[ply.kind.index()][ply.to.index()]
    }

    /// The cost if a piece can be captured for less than its worth.
    fn given_away(&self, before: &Position<M>, ply: &Ply, after: &Position<M>, kind: KindId) -> Bits {
        let worth = self.worth(kind);
        let won = self.captured(before, ply).map_or(0, |kind| self.worth(kind));
        if worth == u32::MAX || !is_less(won, worth) {
            return Bits::ZERO;
        }
        let (rules, state) = (after.rules(), after.state());
        let by = |owner| state.attackers(rules, ply.to, owner, &state.unshifted());
        let attackers = by(ply.actor.opponent());
        if attackers.is_empty() {
            return Bits::ZERO;
        }
        let attacker = |square: Square| after.piece(square).map_or(u32::MAX, |piece| self.worth(piece.kind));
        let cheapest = attackers.squares().map(attacker).min().unwrap_or(u32::MAX);
        let is_given = is_less(cheapest, worth) || by(ply.actor).is_empty();
        if is_given { self.given_away } else { Bits::ZERO }
    }

    fn captured(&self, before: &Position<M>, ply: &Ply) -> Option<KindId> {
        let square = if ply.other == Square::NONE { ply.to } else { ply.other };
        before.piece(square).filter(|piece| piece.owner != ply.actor).map(|piece| piece.kind)
    }
}

/// True if one is clearly worth less than the other.
fn is_less(one: u32, other: u32) -> bool {
    u64::from(one) * 100 < u64::from(other) * u64::from(LESS_PERCENT)
}

/// The squares that a kind reaches from one, in percent; far ones by a slide count less.
fn reached<M: Mask>(rules: &Rules<M>, kind: usize, from: Square) -> u32 {
    let (reach, board) = (rules.moves[Owner::White].reach(kind, from), rules.board());
    let leaps = (reach.leap_quiet | reach.leap_capture).count() * 100;
    let far = |to: Square| {
        let apart = board.file(from).abs_diff(board.file(to)).max(board.rank(from).abs_diff(board.rank(to)));
        (1..apart).fold(100, |percent, _| percent * FREE_PERCENT / 100)
    };
    leaps + (reach.slide_quiet | reach.slide_capture).squares().map(far).sum::<u32>()
}
