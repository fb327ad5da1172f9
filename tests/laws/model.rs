//! A position as the simplest thing that can hold it, changed by effects alone; and what must add up.

use crate::check::{Law, ensure};
use ferz::board::{Mask, Owner};
use ferz::position::{Effect, Ply, Position, StockName, Verb};
use ferz::rules::definition::PromotionTo;
use ferz::rules::{Piece, Stock};

/// Squares and stocks, nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    squares: Vec<Option<(Piece, bool)>>,
    stocks: [[Stock; 2]; 2],
}

impl Model {
    /// What stands in a position.
    pub fn of<M: Mask>(position: &Position<M>) -> Model {
        let state = position.state();
        let squares = position.rules().board().squares();
        Model {
            squares: squares.map(|s| state.piece(s).map(|piece| (piece, state.promoted().has(s)))).collect(),
            stocks: Owner::REAL.map(|owner| [*state.reserve(owner), *state.hand(owner)]),
        }
    }

    /// Makes one effect; fails where it does not fit what is there.
    pub fn apply(&mut self, effect: Effect) -> Law {
        match effect {
            Effect::Lift(square, piece, promoted) => {
                let stood = self.squares[square.index()].take();
                ensure(stood == Some((piece, promoted)), || format!("{effect:?}, where {stood:?} stood"))
            }
            Effect::Place(square, piece, promoted) => {
                let stood = self.squares[square.index()].replace((piece, promoted));
                ensure(stood.is_none(), || format!("{effect:?}, where {stood:?} stood"))
            }
            Effect::Stock(name, owner, kind, before, after) => {
                let which = usize::from(name == StockName::Hand);
                let count = &mut self.stocks[owner.index()][which][kind.index()];
                let had = std::mem::replace(count, after);
                ensure(had == before && before != after, || format!("{effect:?}, where {had} were"))
            }
        }
    }
}

/// All men of White's and Black's: on the board, in reserve, in hand.
fn men<M: Mask>(position: &Position<M>) -> i64 {
    let state = position.state();
    let each = |owner| {
        let stocks = state.reserve(owner).iter().chain(state.hand(owner));
        i64::from(state.owned(owner).count()) + stocks.map(|&n| i64::from(n)).sum::<i64>()
    };
    Owner::REAL.into_iter().map(each).sum()
}

/// The men but pawns around the target of a capture that explodes, those of the ply itself left out.
fn exploded<M: Mask>(before: &Position<M>, ply: &Ply) -> i64 {
    let (state, rules, board) = (before.state(), before.rules(), before.rules().board());
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|&step| step != (0, 0));
    let squares = around.filter_map(|(dx, dy)| board.offset(ply.to, dx, dy));
    let others = squares.filter(|&square| square != ply.from && square != ply.other);
    let goes = |square| state.piece(square).is_some_and(|piece| !rules.is_pawn(piece.kind));
    others.filter(|&square| goes(square)).count() as i64
}

/// Men leave the game only where the rules say so, and the counters count what they are to count.
pub fn adds_up<M: Mask>(before: &Position<M>, ply: &Ply, after: &Position<M>) -> Law {
    let (state, rules) = (before.state(), before.rules());
    let stays = matches!(ply.verb, Verb::Castle | Verb::Switch | Verb::Pass);
    let on_target = if stays { None } else { state.piece(ply.to) };
    let elsewhere = if ply.verb == Verb::EnPassant { state.piece(ply.other) } else { None };
    let mut expected = men(before);
    for victim in [on_target, elsewhere].into_iter().flatten() {
        let own = victim.owner == ply.actor;
        ensure(!own || rules.captures_own(ply.kind), || "an own piece is captured".into())?;
        ensure(victim.owner == Owner::Nature || victim.kind != rules.king, || "a king is captured".into())?;
        ensure(Some(victim.kind) != rules.special.anti_king, || "an Anti-King is captured".into())?;
        let recalled = rules.captures_to_reserve && !rules.is_pawn(victim.kind);
        expected += match (victim.owner, ply.actor, rules.captures_to_hand) {
            (Owner::Nature, _, true) => i64::from(victim.kind != rules.king),
            (Owner::Nature, _, false) | (_, Owner::Nature, _) | (_, _, true) => 0,
            (_, _, false) => -i64::from(!recalled),
        };
    }
    if rules.special.blast.is_some() && (on_target.is_some() || elsewhere.is_some()) {
        expected -= 1 + exploded(before, ply);
    }
    let found = men(after);
    let from_pool = rules.promotion_to == PromotionTo::Pool && ply.actor.is_real() && ply.promotion.is_some();
    ensure(found == expected || from_pool && found == expected - 1, || {
        format!("{found} men, not {expected}")
    })?;
    let pawn = ply.actor.is_real() && rules.is_pawn(ply.kind);
    let captures = on_target.is_some() || elsewhere.is_some();
    let (old, new) = (state.status(), after.state().status());
    let changes = ply.verb == Verb::Switch || ply.gates_any();
    let enters = ply.verb == Verb::Drop || changes && ply.actor.is_real();
    let halfmoves = match (captures || pawn || enters, ply.actor) {
        (true, _) => 0,
        (false, Owner::Nature) => old.halfmoves,
        (false, _) => old.halfmoves + 1,
    };
    ensure(new.halfmoves == halfmoves, || format!("halfmove clock {}, not {halfmoves}", new.halfmoves))?;
    let number = old.number + u32::from(ply.actor == Owner::Black);
    ensure(new.number == number, || format!("move number {}, not {number}", new.number))?;
    let turn = if ply.actor.is_real() { ply.actor.opponent() } else { old.turn };
    ensure(new.turn == turn, || "the wrong player is on move".into())
}
