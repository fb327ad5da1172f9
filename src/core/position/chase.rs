//! What a ply does that a repetition may punish: check, and a new attack on a piece (XQI 5, XQI-2).

use super::{Ply, Position};
use crate::board::{Mask, Owner, Square};
use crate::rules::Piece;

/// A new attack that may be part of a perpetual chase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chase {
    /// The piece that attacks.
    pub attacker: Piece,
    /// Where it stands.
    pub from: Square,
    /// The piece that is attacked.
    pub victim: Piece,
    /// Where it stands.
    pub on: Square,
}

/// What a ply did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conduct {
    /// Who made it.
    pub actor: Owner,
    /// True if it gave check.
    pub check: bool,
    /// A new attack.
    pub chase: Option<Chase>,
}

/// What the plies between the first and the last occurrence of a position come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// One player gave check with every ply.
    PerpetualCheck(Owner),
    /// Both players did.
    ChecksByBoth,
    /// A ply attacked a piece that was not attacked by the same piece before: it may be a chase.
    MayChase(Chase),
    /// Nothing that any rule punishes.
    Harmless,
}

/// Whether White and Black gave check with every ply of theirs, by who made each ply and whether it gave check.
pub(crate) fn always_check(plies: impl Iterator<Item = (Owner, bool)> + Clone) -> [bool; 2] {
    Owner::REAL.map(|owner| {
        let mut own = plies.clone().filter(|(actor, _)| *actor == owner).peekable();
        own.peek().is_some() && own.all(|(_, check)| check)
    })
}

impl Repeated {
    /// True if the third occurrence is a draw on claim; where perpetual check loses on a claim only, checks by both
    /// players are one, too.
    pub fn draws(self, claims_perpetual: bool) -> bool {
        self == Repeated::Harmless || claims_perpetual && self == Repeated::ChecksByBoth
    }

    /// Judges all plies since the first occurrence.
    pub fn of(cycle: &[Conduct]) -> Repeated {
        match always_check(cycle.iter().map(|conduct| (conduct.actor, conduct.check))) {
            [true, true] => Repeated::ChecksByBoth,
            [true, false] => Repeated::PerpetualCheck(Owner::White),
            [false, true] => Repeated::PerpetualCheck(Owner::Black),
            [false, false] => {
                let chase = cycle.iter().find_map(|conduct| conduct.chase);
                chase.map_or(Repeated::Harmless, Repeated::MayChase)
            }
        }
    }
}

impl<M: Mask> Position<M> {
    /// What `ply` did, which led here from `before`.
    pub fn conduct(&self, before: &Position<M>, ply: &Ply) -> Conduct {
        let check = self.in_check() && self.checked_by_opponent();
        // What Nature attacks or opens is no player's chase (CHA-24).
        let chase = if ply.actor.is_real() { self.chase(before, ply) } else { None };
        Conduct { actor: ply.actor, check, chase }
    }

    /// The first piece that `ply` newly attacks where it can be chased, by one that may not chase: no piece attacked
    /// it from the same place before, or the attacker moved to attack it. Whether it is protected is not asked.
    fn chase(&self, before: &Position<M>, ply: &Ply) -> Option<Chase> {
        let (rules, by) = (self.rules(), ply.actor);
        let (state, chases) = (self.state(), &rules.special.chases);
        let enemy = by.opponent();
        for on in state.owned(enemy).squares() {
            let Some(victim) = state.piece(on) else { continue };
            if !chases.on[enemy].get(victim.kind.index()).is_some_and(|squares| squares.has(on)) {
                continue;
            }
            let earlier = before.state().capturers(rules, on, by);
            for from in state.capturers(rules, on, by).squares() {
                let Some(attacker) = state.piece(from) else { continue };
                let stood = if from == ply.to { ply.from } else { from };
                let attacked_before = stood != Square::NONE && earlier.has(stood);
                if !chases.free.has(attacker.kind) && !attacked_before {
                    return Some(Chase { attacker, from, victim, on });
                }
            }
        }
        None
    }
}
