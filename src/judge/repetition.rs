//! How often the position of the last ply has stood before (COM-3).

use crate::board::{Mask, Owner};
use crate::position::Position;
use crate::rules::definition::Repetition;

/// A position comes back after four plies at the earliest, so that it can stand a fourth time after twelve.
const REPEATS_AT: u16 = 12;

/// The keys of all positions of a line.
#[derive(Debug, Clone)]
pub(super) struct History {
    keys: Vec<u64>,
    /// For perpetual check: who made the ply, and whether it gave check. As long as `keys` less one, or empty.
    checks: Vec<(Owner, bool)>,
    wants_checks: bool,
    /// True where pawn moves, captures and entries cannot be undone, so that only plies since the last one matter.
    irreversible: bool,
}

impl History {
    pub(super) fn new<M: Mask>(start: &Position<M>) -> History {
        let rules = start.rules();
        let wants_checks = rules.ends.repetition == Repetition::FourfoldPerpetual;
        let mut keys = Vec::with_capacity(128);
        keys.push(start.key());
        History { keys, checks: Vec::new(), wants_checks, irreversible: rules.restarts_are_final }
    }

    /// The history after the first `plies` plies.
    pub(super) fn first(&self, plies: usize) -> History {
        let checks = self.checks.iter().take(plies).copied().collect();
        History { keys: self.keys[..=plies].to_vec(), checks, ..*self }
    }

    #[inline(always)]
    pub(super) fn push<M: Mask>(&mut self, position: &Position<M>, actor: Owner) {
        self.keys.push(position.key());
        if self.wants_checks {
            let check = position.in_check() && position.checked_by_opponent();
            self.checks.push((actor, check));
        }
    }

    /// True if so few plies can be taken back that no position has stood often enough to matter.
    #[inline]
    pub(super) fn is_short(&self, halfmoves: u16) -> bool {
        self.irreversible && halfmoves < REPEATS_AT
    }

    /// True where a position may come back even after a pawn move or a capture.
    #[inline]
    pub(super) fn comes_back(&self) -> bool {
        !self.irreversible
    }

    /// True if the last position has stood at least `times` times.
    #[inline]
    pub(super) fn occurs(&self, times: usize, halfmoves: u16) -> bool {
        let last = self.keys.len() - 1;
        let reach = if self.irreversible { usize::from(halfmoves).min(last) } else { last };
        // A position comes back after four plies at the earliest, so n times take 4 (n - 1) plies.
        if reach < 4 * (times - 1) && self.irreversible {
            return false;
        }
        let key = self.keys[last];
        self.keys[last - reach..last].iter().filter(|&&earlier| earlier == key).count() + 1 >= times
    }

    /// The numbers of the plies after which the last position stood.
    pub(super) fn occurrences(&self) -> Vec<usize> {
        let last = self.keys.last();
        (0..self.keys.len()).filter(|&ply| self.keys.get(ply) == last).collect()
    }

    /// The one side whose every ply since the position's first occurrence gave check.
    pub(super) fn perpetual_checker(&self) -> Option<Owner> {
        let first = self.occurrences()[0];
        let always = |owner: Owner| {
            let mut own = self.checks[first..].iter().filter(|(actor, _)| *actor == owner).peekable();
            own.peek().is_some() && own.all(|(_, check)| *check)
        };
        match (always(Owner::White), always(Owner::Black)) {
            (true, false) => Some(Owner::White),
            (false, true) => Some(Owner::Black),
            _ => None,
        }
    }
}
