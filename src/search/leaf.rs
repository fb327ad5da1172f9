//! Conditions as they are tested in the positions of one game.

use super::men::{Kinds, Men, Squares, Turned};
use super::pattern::BoardPattern;
use super::range::Range;
use super::terms::{Counter, PlyTerm, PositionTerm};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::{Ply, Position, StockName, Verb};
use ferz_core::rules::{KindId, KindSet, Piece, Rules, Stock};
use ferz_core::text::limits::KINDS_MAX;
use std::sync::Arc;

/// Why no position of a game can be so.
const NO_SUCH_PIECE: &str = "the game has no such piece";
const NO_SUCH_SQUARE: &str = "the board has no such square";

/// A condition of a position.
#[derive(Debug)]
pub(crate) enum OnBoard<M> {
    Men([KindSet; 3], M),
    Empty(M),
    Same {
        key: u64,
        identity: Vec<u8>,
    },
    Pattern(BoardPattern<M>),
    /// How many of each kind White and Black have, and whether there may be more.
    Material {
        men: [Stock; 2],
        more: [bool; 2],
    },
    /// How many more of each kind White has than Black.
    Balance([i16; KINDS_MAX]),
    Stock(StockName, [Stock; 2]),
    NoStock(StockName),
    GateRight(M),
    CastleRight(M),
    Turn(Owner),
    Check,
    Clock(Counter, Range),
}

/// A condition of a ply.
#[derive(Debug)]
pub(crate) enum OfPly<M> {
    By(Owner),
    Moves(KindSet, M),
    From(M),
    To(M),
    Takes { mover: (KindSet, M), captured: (KindSet, M) },
    Drop(KindSet, M),
    Gate(KindSet, M),
    Promote(KindSet),
    Is(Verb),
    LetStand,
}

/// What a ply does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Done {
    pub(crate) ply: Ply,
    /// What it captures, and where.
    pub(crate) captured: Option<(Piece, Square)>,
    pub(crate) let_stand: bool,
    mover_is_pawn: bool,
}

impl Done {
    /// What a ply does in the position before it.
    pub(crate) fn of<M: Mask>(before: &Position<M>, ply: &Ply, let_stand: bool) -> Done {
        let at = match ply.verb {
            Verb::Move if ply.from != ply.to => Some(ply.to),
            Verb::EnPassant => Some(ply.other),
            _ => None,
        };
        let captured = at.and_then(|square| Some((before.piece(square)?, square)));
        Done { ply: *ply, captured, let_stand, mover_is_pawn: before.rules().is_pawn(ply.kind) }
    }
}

impl<M: Mask> OnBoard<M> {
    /// The condition in a game; why no position of it can be so, otherwise.
    pub(crate) fn of(
        term: &PositionTerm,
        rules: &Arc<Rules<M>>,
        turned: Turned,
    ) -> Result<OnBoard<M>, String> {
        let board = rules.board();
        let on = |squares: &Squares| squares.on(board, turned).ok_or(NO_SUCH_SQUARE);
        Ok(match term {
            PositionTerm::Men(men, squares) => {
                let kinds = men.kinds(rules, turned.exchanged).ok_or(NO_SUCH_PIECE)?;
                OnBoard::Men(kinds, squares.as_ref().map_or(Ok(rules.geometry.all()), on)?)
            }
            PositionTerm::Empty(squares) => OnBoard::Empty(on(squares)?),
            PositionTerm::Fen(fen) => {
                let position =
                    Position::from_fen(Arc::clone(rules), fen).map_err(|error| error.to_string())?;
                OnBoard::Same { key: position.key(), identity: position.identity() }
            }
            PositionTerm::Pattern(pattern) => {
                let fits = pattern.in_game(rules, turned);
                OnBoard::Pattern(
                    fits.ok_or("the board has another number of ranks, or the game no such piece")?,
                )
            }
            PositionTerm::Material(sides) => {
                let mut men = [[0; KINDS_MAX]; 2];
                for (side, _) in sides {
                    count(side, rules, turned, &mut men)?;
                }
                let more = [sides[0].1, sides[1].1];
                let [white, black] = more;
                OnBoard::Material { men, more: if turned.exchanged { [black, white] } else { more } }
            }
            PositionTerm::Balance(sides) => {
                let mut men = [[0; KINDS_MAX]; 2];
                for side in sides {
                    count(side, rules, turned, &mut men)?;
                }
                OnBoard::Balance(difference(&men))
            }
            PositionTerm::Stock(name, list) if list.is_empty() => OnBoard::NoStock(*name),
            PositionTerm::Stock(name, list) => {
                let mut men = [[0; KINDS_MAX]; 2];
                count(list, rules, turned, &mut men)?;
                OnBoard::Stock(*name, men)
            }
            PositionTerm::GateRight(_) if rules.gating.is_none() => {
                return Err("the game has no gating".to_owned());
            }
            PositionTerm::GateRight(squares) => OnBoard::GateRight(on(squares)?),
            PositionTerm::CastleRight(squares) => OnBoard::CastleRight(on(squares)?),
            PositionTerm::Turn(owner) => OnBoard::Turn(turned.owner(*owner)),
            PositionTerm::Check => OnBoard::Check,
            PositionTerm::Clock(Counter::Nature, _) if rules.nature.is_none() => {
                return Err("the game has no Nature".to_owned());
            }
            PositionTerm::Clock(Counter::Checks(owner), range) => {
                OnBoard::Clock(Counter::Checks(turned.owner(*owner)), *range)
            }
            PositionTerm::Clock(counter, range) => OnBoard::Clock(*counter, *range),
        })
    }

    /// True if the position is so.
    pub(crate) fn holds(&self, position: &Position<M>) -> bool {
        let state = position.state();
        let status = position.status();
        match self {
            OnBoard::Men(kinds, squares) => Owner::ALL.into_iter().any(|owner| {
                let kinds = kinds[owner.index()];
                !kinds.is_empty() && (state.pieces_of(owner, kinds) & *squares).any()
            }),
            OnBoard::Empty(squares) => (*squares & !position.occupied()).any(),
            OnBoard::Same { key, identity } => position.key() == *key && position.identity() == *identity,
            OnBoard::Pattern(pattern) => pattern.fits(position),
            OnBoard::Material { men, more } => Owner::REAL.into_iter().all(|owner| {
                let (men, more) = (&men[owner.index()], more[owner.index()]);
                let total: u32 = men.iter().map(|count| u32::from(*count)).sum();
                let known = position.owned(owner).count();
                (if more { known >= total } else { known == total })
                    && kinds_of(position).all(|kind| {
                        let known = position.pieces(owner, kind).count();
                        let wanted = u32::from(men[kind.index()]);
                        if more { known >= wanted } else { known == wanted }
                    })
            }),
            OnBoard::Balance(wanted) => kinds_of(position).all(|kind| {
                let [white, black] = Owner::REAL.map(|owner| position.pieces(owner, kind).count() as i16);
                white - black == wanted[kind.index()]
            }),
            OnBoard::Stock(name, men) => Owner::REAL.into_iter().all(|owner| {
                let known = stock(position, *name, owner);
                men[owner.index()].iter().zip(known).all(|(wanted, known)| known >= wanted)
            }),
            OnBoard::NoStock(name) => Owner::REAL
                .into_iter()
                .all(|owner| stock(position, *name, owner).iter().all(|count| *count == 0)),
            OnBoard::GateRight(squares) => (status.unmoved & *squares).any(),
            OnBoard::CastleRight(squares) => (status.castling & *squares).any(),
            OnBoard::Turn(owner) => position.turn() == *owner,
            OnBoard::Check => position.in_check(),
            OnBoard::Clock(counter, range) => range.has(match counter {
                Counter::Nature => i64::from(status.nature.clock),
                Counter::Halfmoves => i64::from(status.halfmoves),
                Counter::Checks(Owner::Nature) => return false,
                Counter::Checks(owner) => i64::from(status.checks[owner.index()]),
            }),
        }
    }
}

fn kinds_of<M: Mask>(position: &Position<M>) -> impl Iterator<Item = KindId> {
    position.rules().all_kinds().kinds()
}

fn stock<M: Mask>(position: &Position<M>, name: StockName, owner: Owner) -> &Stock {
    match name {
        StockName::Reserve => position.reserve(owner),
        StockName::Hand => position.hand(owner),
    }
}

/// Adds listed men to those of White and Black.
fn count<M: Mask>(
    list: &[Men],
    rules: &Rules<M>,
    turned: Turned,
    men: &mut [Stock; 2],
) -> Result<(), String> {
    for man in list {
        let kinds = man.kinds(rules, turned.exchanged);
        let named = kinds.and_then(|kinds| {
            Owner::REAL.into_iter().find_map(|owner| Some((owner, kinds[owner.index()].kinds().next()?)))
        });
        let (owner, kind) = named.ok_or(NO_SUCH_PIECE)?;
        let count = &mut men[owner.index()][kind.index()];
        *count = count.saturating_add(1);
    }
    Ok(())
}

fn difference(men: &[Stock; 2]) -> [i16; KINDS_MAX] {
    std::array::from_fn(|kind| i16::from(men[0][kind]) - i16::from(men[1][kind]))
}

impl<M: Mask> OfPly<M> {
    /// The condition in a game; why no ply of it can be so, otherwise.
    pub(crate) fn of(term: &PlyTerm, rules: &Rules<M>, turned: Turned) -> Result<OfPly<M>, String> {
        let all = rules.geometry.all();
        let kinds = |kinds: Option<&Kinds>| match kinds {
            Some(kinds) => kinds.in_game(rules).ok_or(NO_SUCH_PIECE),
            None => Ok(rules.all_kinds()),
        };
        let squares = |squares: Option<&Squares>| match squares {
            Some(squares) => squares.on(rules.board(), turned).ok_or(NO_SUCH_SQUARE),
            None => Ok(all),
        };
        Ok(match term {
            PlyTerm::By(owner) => OfPly::By(turned.owner(*owner)),
            PlyTerm::Moves(of, from) => OfPly::Moves(kinds(Some(of))?, squares(from.as_ref())?),
            PlyTerm::From(from) => OfPly::From(squares(Some(from))?),
            PlyTerm::To(to) => OfPly::To(squares(Some(to))?),
            PlyTerm::Captures(of, at) => OfPly::Takes {
                mover: (rules.all_kinds(), all),
                captured: (kinds(of.as_ref())?, squares(at.as_ref())?),
            },
            PlyTerm::Takes((of, from), (captured, at)) => OfPly::Takes {
                mover: (kinds(Some(of))?, squares(from.as_ref())?),
                captured: (kinds(captured.as_ref())?, squares(at.as_ref())?),
            },
            PlyTerm::Drop(of, at) => OfPly::Drop(kinds(of.as_ref())?, squares(at.as_ref())?),
            PlyTerm::Gate(of, at) => OfPly::Gate(kinds(of.as_ref())?, squares(at.as_ref())?),
            PlyTerm::Promote(to) => OfPly::Promote(kinds(to.as_ref())?),
            PlyTerm::Castle => OfPly::Is(Verb::Castle),
            PlyTerm::EnPassant => OfPly::Is(Verb::EnPassant),
            PlyTerm::Pass => OfPly::Is(Verb::Pass),
            PlyTerm::LetStand => OfPly::LetStand,
        })
    }

    /// True if the ply is so.
    pub(crate) fn holds(&self, done: &Done) -> bool {
        let Done { ply, captured, let_stand, mover_is_pawn } = done;
        let moves = matches!(ply.verb, Verb::Move | Verb::EnPassant | Verb::Castle);
        // A pawn gates nothing in: what enters with it is the piece that its arrival promotes.
        let gates = |pawns: bool| ply.gates.iter().flatten().filter(move |_| pawns == *mover_is_pawn);
        match self {
            OfPly::By(owner) => ply.actor == *owner,
            OfPly::Moves(kinds, from) => moves && kinds.has(ply.kind) && from.has(ply.from),
            OfPly::From(from) => moves && from.has(ply.from),
            OfPly::To(to) => ply.verb != Verb::Pass && to.has(ply.to),
            OfPly::Takes { mover: (movers, from), captured: (kinds, at) } => {
                captured.is_some_and(|(man, square)| kinds.has(man.kind) && at.has(square))
                    && movers.has(ply.kind)
                    && from.has(ply.from)
            }
            OfPly::Drop(kinds, at) => ply.verb == Verb::Drop && kinds.has(ply.kind) && at.has(ply.to),
            OfPly::Gate(kinds, at) => gates(false).any(|gate| kinds.has(gate.kind) && at.has(gate.square)),
            OfPly::Promote(to) => {
                ply.promotion.is_some_and(|kind| to.has(kind)) || gates(true).any(|gate| to.has(gate.kind))
            }
            OfPly::Is(verb) => ply.verb == *verb,
            OfPly::LetStand => *let_stand,
        }
    }
}
