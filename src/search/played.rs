//! Games packed as bytes that are played over without reading a text, and the sieve that does it for a query.
//!
//! A game is the number of its plies, the FEN that it starts from unless that is the array, and its plies: most take
//! two bytes, the squares of a step by the player on move. What a search does not find in these it would not find in
//! the text; what it finds there, the text has to confirm.

use super::facts::RulesKey;
use super::leaf::Done;
use super::plan::Plan;
use super::seek::Seeker;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::{Call, Gate, Ply, Position, Verb};
use ferz_core::rules::{KindId, Piece, Rules};
use ferz_records::replay::{AnyTrace, Trace, Traced, with_trace};
use std::sync::Arc;

/// First bytes of plies and calls; smaller ones are the from-square of a step by the player on move.
const WHOLE: u8 = 0x80;
const LET_STAND: u8 = 0x81;
const DROP: u8 = 0x82;
const OF_NATURE: u8 = 0x83;
/// A piece from another board; its letter follows.
const RECEIVE: u8 = 0x93;
const CALLS: [(u8, Call); 3] = [(0x90, Call::CountStart), (0x91, Call::CountStop), (0x92, Call::Declare)];

const VERBS: [Verb; 6] = [Verb::Move, Verb::EnPassant, Verb::Castle, Verb::Drop, Verb::Switch, Verb::Pass];

/// Bytes that are played over, times conditions, for a unit of work.
const BYTES_A_UNIT: usize = 32;

/// In place of a kind where there is none.
const NO_KIND: u8 = u8::MAX;

/// A replayed game packed as bytes.
pub fn packed(trace: &AnyTrace) -> Vec<u8> {
    with_trace!(trace, |trace| packed_game(trace))
}

fn packed_game<M: Mask>(trace: &Trace<M>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * trace.plies.len() + 4);
    number(trace.plies.len(), &mut bytes);
    let mut position = Position::start(Arc::clone(trace.start.shared_rules()));
    let starts_elsewhere = position.state() != trace.start.state();
    let fen = if starts_elsewhere { trace.start.fen() } else { String::new() };
    number(fen.len(), &mut bytes);
    bytes.extend(fen.bytes());
    if starts_elsewhere {
        position.clone_from(&trace.start);
    }
    for (index, traced) in trace.plies.iter().enumerate() {
        for call in Call::after(&trace.calls, index) {
            match call {
                Call::Receive(letter) => bytes.extend([RECEIVE, letter as u8]),
                _ => bytes.extend(CALLS.iter().find(|(_, known)| *known == call).map(|(byte, _)| *byte)),
            }
        }
        pack_ply(traced, position.turn(), &mut bytes);
        trace.make(index, &mut position);
    }
    bytes
}

fn pack_ply(traced: &Traced, turn: Owner, bytes: &mut Vec<u8>) {
    let Traced { ply, let_stand, .. } = traced;
    let step = |actor| *ply == Ply::step(actor, ply.kind, ply.from, ply.to) && ply.from.0 < WHOLE;
    let is_drop = *ply == Ply::drop(turn, ply.kind, ply.to);
    match () {
        _ if *let_stand => {}
        _ if step(turn) => return bytes.extend([ply.from.0, ply.to.0]),
        _ if is_drop => return bytes.extend([DROP, ply.kind.0, ply.to.0]),
        _ if step(Owner::Nature) => return bytes.extend([OF_NATURE, ply.from.0, ply.to.0]),
        _ => {}
    }
    let verb = VERBS.iter().position(|verb| *verb == ply.verb).unwrap_or(VERBS.len());
    bytes.extend([if *let_stand { LET_STAND } else { WHOLE }, ply.actor.index() as u8, verb as u8]);
    bytes.extend([ply.kind.0, ply.from.0, ply.to.0, ply.other.0]);
    bytes.push(ply.promotion.map_or(NO_KIND, |kind| kind.0));
    for gate in ply.gates {
        bytes.extend(gate.map_or([NO_KIND; 2], |gate| [gate.kind.0, gate.square.0]));
    }
}

/// A number as seven bits a byte, the lowest first.
fn number(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What is left to read of a packed game.
struct Left<'b>(&'b [u8]);

impl<'b> Left<'b> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, left) = self.0.split_first_chunk()?;
        self.0 = left;
        Some(*bytes)
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in (0..28).step_by(7) {
            let [byte] = self.take()?;
            number |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = self.number()?;
        let (text, left) = self.0.split_at_checked(length)?;
        self.0 = left;
        std::str::from_utf8(text).ok()
    }

    /// The next ply, after the calls before it have been made, and whether it was let stand.
    fn ply<M: Mask>(&mut self, position: &mut Position<M>) -> Option<(Ply, bool)> {
        loop {
            let [first] = self.take()?;
            let turn = position.turn();
            let call = match first {
                RECEIVE => Some(Call::Receive(char::from(self.take::<1>()?[0]))),
                _ if first < CALLS[0].0 => None,
                _ => CALLS.iter().find(|(byte, _)| *byte == first).map(|(_, call)| *call),
            };
            if let Some(call) = call {
                // One without effect has been reported.
                let _ = position.call(call);
                continue;
            }
            return Some(match first {
                from if from < WHOLE => {
                    let [to] = self.take()?;
                    (step(position, turn, from, to)?, false)
                }
                OF_NATURE => {
                    let [from, to] = self.take()?;
                    (step(position, Owner::Nature, from, to)?, false)
                }
                DROP => {
                    let [kind, to] = self.take()?;
                    let rules = position.rules();
                    (Ply::drop(turn, kind_of(rules, kind)?, square_of(rules, to)?), false)
                }
                WHOLE | LET_STAND => (whole(position.rules(), self.take()?)?, first == LET_STAND),
                _ => return None,
            })
            .filter(|(ply, _)| can_be_made(position, ply));
        }
    }
}

/// True if the pieces are there that a ply moves: those of a damaged game may not be.
fn can_be_made<M: Mask>(position: &Position<M>, ply: &Ply) -> bool {
    let has =
        |square, kind| position.piece(square).is_some_and(|piece| piece == Piece { owner: ply.actor, kind });
    let gates = ply.gates.iter().flatten().count();
    let moves = match ply.verb {
        Verb::Drop => ply.from == Square::NONE,
        Verb::Castle => {
            has(ply.from, ply.kind) && position.piece(ply.other).is_some_and(|rook| rook.owner == ply.actor)
        }
        Verb::EnPassant => has(ply.from, ply.kind) && ply.other != Square::NONE,
        Verb::Move | Verb::Switch | Verb::Pass => has(ply.from, ply.kind),
    };
    ply.to != Square::NONE && moves && (ply.actor.is_real() || gates == 0)
}

/// A step by an actor, whose piece is on its square.
fn step<M: Mask>(position: &Position<M>, actor: Owner, from: u8, to: u8) -> Option<Ply> {
    let rules = position.rules();
    let (from, to) = (square_of(rules, from)?, square_of(rules, to)?);
    let piece = position.piece(from).filter(|piece| piece.owner == actor)?;
    Some(Ply::step(actor, piece.kind, from, to))
}

fn whole<M: Mask>(rules: &Rules<M>, bytes: [u8; 11]) -> Option<Ply> {
    let [actor, verb, kind, from, to, other, promotion, gates @ ..] = bytes;
    let square_or_none =
        |square| if square == Square::NONE.0 { Some(Square::NONE) } else { square_of(rules, square) };
    let kind_or_none = |kind| if kind == NO_KIND { Some(None) } else { kind_of(rules, kind).map(Some) };
    let gate = |kind, square| match kind_or_none(kind)? {
        Some(kind) => Some(Some(Gate { kind, square: square_of(rules, square)? })),
        None => Some(None),
    };
    let [first, first_on, second, second_on] = gates;
    Some(Ply {
        actor: *Owner::ALL.get(usize::from(actor))?,
        verb: *VERBS.get(usize::from(verb))?,
        kind: kind_of(rules, kind)?,
        from: square_or_none(from)?,
        to: square_or_none(to)?,
        other: square_or_none(other)?,
        promotion: kind_or_none(promotion)?,
        gates: [gate(first, first_on)?, gate(second, second_on)?],
    })
}

fn square_of<M: Mask>(rules: &Rules<M>, square: u8) -> Option<Square> {
    (usize::from(square) < rules.board().len()).then_some(Square(square))
}

fn kind_of<M: Mask>(rules: &Rules<M>, kind: u8) -> Option<KindId> {
    (usize::from(kind) < rules.kinds.len()).then_some(KindId(kind))
}

/// Plays packed games with the rules of one game over, for one query.
#[derive(Debug, Clone)]
pub struct Sieve(AnySieve);

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // there is one for each kind of rules
enum AnySieve {
    Narrow(SieveOf<u64>),
    Wide(SieveOf<u128>),
}

#[derive(Debug, Clone)]
struct SieveOf<M> {
    rules: RulesKey,
    start: Position<M>,
    plan: Arc<Plan<M>>,
}

impl Seeker<'_> {
    /// The sieve for games with the rules of this one; `None` if plies decide nothing about the query.
    pub fn sieve(&mut self, trace: &AnyTrace) -> Option<Sieve> {
        fn of<M: Mask>(start: &Position<M>, plan: Arc<Plan<M>>) -> Option<SieveOf<M>> {
            let rules = start.shared_rules();
            let start = Position::start(Arc::clone(rules));
            (plan.conditions() > 0).then(|| SieveOf { rules: RulesKey::of(rules), start, plan })
        }
        Some(Sieve(match trace {
            AnyTrace::Narrow(trace) => AnySieve::Narrow(of(&trace.start, self.narrow_plan(&trace.start))?),
            AnyTrace::Wide(trace) => AnySieve::Wide(of(&trace.start, self.wide_plan(&trace.start))?),
        }))
    }
}

impl Sieve {
    /// The rules of the games that it is for.
    pub fn rules(&self) -> RulesKey {
        match &self.0 {
            AnySieve::Narrow(sieve) => sieve.rules,
            AnySieve::Wide(sieve) => sieve.rules,
        }
    }

    /// Units of work for playing a [packed] game over.
    pub fn units(&self, game: &[u8]) -> u64 {
        let conditions = match &self.0 {
            AnySieve::Narrow(sieve) => sieve.plan.conditions(),
            AnySieve::Wide(sieve) => sieve.plan.conditions(),
        };
        1 + (game.len() * (4 + conditions) / BYTES_A_UNIT) as u64
    }

    /// False if the query holds nowhere in a [packed] game; true if it may. `None` if the bytes are no such game.
    pub fn passes(&self, game: &[u8]) -> Option<bool> {
        match &self.0 {
            AnySieve::Narrow(sieve) => sieve.passes(game),
            AnySieve::Wide(sieve) => sieve.passes(game),
        }
    }
}

impl<M: Mask> SieveOf<M> {
    fn passes(&self, game: &[u8]) -> Option<bool> {
        let mut left = Left(game);
        let plies = left.number()?;
        // A ply takes two bytes at least.
        if plies > game.len() {
            return None;
        }
        let fen = left.text()?;
        let mut position = match fen {
            "" => self.start.clone(),
            fen => Position::from_fen(Arc::clone(self.start.shared_rules()), fen).ok()?,
        };
        let mut test = self.plan.begin(plies);
        test.position(&position, None);
        let mut legal = true;
        for _ in 0..plies {
            let (ply, let_stand) = left.ply(&mut position)?;
            let done = self.plan.tests_plies().then(|| Done::of(&position, &ply, let_stand));
            Traced { item: 0, ply, interjection: 0, let_stand }.apply_after(legal, &mut position);
            legal &= !let_stand;
            test.position(&position, done.as_ref());
        }
        Some(test.can_hold())
    }
}
