//! How often the position of the last ply has stood before (COM-3).

use crate::board::{Mask, Owner};
use crate::position::Position;
use crate::rules::definition::Repetition;
use std::mem::take;

/// A position comes back after four plies at the earliest: so many take a fourth and a fifth time.
const FOURTH_AT: u16 = 12;
const FIFTH_AT: u16 = 16;

/// The keys of all positions of a line.
#[derive(Debug, Clone)]
pub(super) struct History {
    keys: Vec<u64>,
    /// For perpetual check: who made the ply, and whether it gave check. As long as `keys` less one, or empty.
    checks: Vec<(Owner, bool)>,
    wants_checks: bool,
    /// True where pawn moves, captures and entries cannot be undone, so that only plies since the last one matter.
    irreversible: bool,
    /// Kept where any earlier position may come back.
    seen: Seen,
    /// With so many halfmoves since the clock restarted, the last position may have stood often enough to matter; with
    /// fewer it has certainly not.
    matters_from: u16,
}

/// A bit for each of 4,096 shares of the keys: whether one of them has stood. Most positions are new, and are so by
/// their bit alone.
#[derive(Debug, Clone, Default)]
struct Seen {
    bits: Vec<u64>,
}

impl Seen {
    fn nothing() -> Seen {
        Seen { bits: vec![0; 64] }
    }

    /// Takes note of a position; true if it is certainly new.
    #[inline]
    fn note(&mut self, key: u64) -> bool {
        let word = &mut self.bits[(key % 64) as usize];
        let bit = 1 << (key >> 58);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// What a line keeps of its history while the plies before it are lent to a variation.
#[derive(Debug)]
pub(super) struct Rest {
    plies: usize,
    keys: Vec<u64>,
    checks: Vec<(Owner, bool)>,
}

impl History {
    pub(super) fn new<M: Mask>(start: &Position<M>) -> History {
        let rules = start.rules();
        let wants_checks = rules.ends.repetition == Repetition::FourfoldPerpetual;
        let mut keys = Vec::with_capacity(128);
        keys.push(start.key());
        let irreversible = rules.restarts_are_final;
        let mut seen = Seen::default();
        if !irreversible {
            seen = Seen::nothing();
            seen.note(start.key());
        }
        let matters_from = if wants_checks { FOURTH_AT } else { FIFTH_AT };
        History { keys, checks: Vec::new(), wants_checks, irreversible, seen, matters_from }
    }

    /// Lends what happened in the first `plies` plies to a variation, and keeps the rest apart until
    /// [`History::rejoin`]: a copy for each variation would cost as much as the whole line.
    pub(super) fn lend(&mut self, plies: usize) -> (History, Rest) {
        let keys = self.keys.split_off(plies + 1);
        let checks = self.checks.split_off(plies.min(self.checks.len()));
        // The bits stay as they are: that what comes later has been seen, too, only makes some look twice.
        let (keys_before, seen) = (take(&mut self.keys), take(&mut self.seen));
        let lent = History { keys: keys_before, checks: take(&mut self.checks), seen, ..*self };
        (lent, Rest { plies, keys, checks })
    }

    /// Takes back what was lent to a variation, which has ended.
    pub(super) fn rejoin(&mut self, lent: History, rest: Rest) {
        (self.keys, self.checks, self.seen) = (lent.keys, lent.checks, lent.seen);
        self.keys.truncate(rest.plies + 1);
        self.keys.extend(rest.keys);
        self.checks.truncate(rest.plies);
        self.checks.extend(rest.checks);
    }

    #[inline(always)]
    pub(super) fn push<M: Mask>(&mut self, position: &Position<M>, actor: Owner) {
        let key = position.key();
        self.keys.push(key);
        if !self.irreversible || self.wants_checks {
            self.push_more(position, actor, key);
        }
    }

    /// Takes note of what matters in few games alone.
    #[inline(never)]
    fn push_more<M: Mask>(&mut self, position: &Position<M>, actor: Owner, key: u64) {
        if !self.irreversible {
            self.matters_from = if self.seen.note(key) { u16::MAX } else { 0 };
        }
        if self.wants_checks {
            let check = position.in_check() && position.checked_by_opponent();
            self.checks.push((actor, check));
        }
    }

    /// True if the last position has certainly not stood often enough to matter: so few plies can be taken back, or it
    /// is new.
    #[inline]
    pub(super) fn is_rare(&self, halfmoves: u16) -> bool {
        halfmoves < self.matters_from
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

    /// True if some position has stood twice or more.
    pub(super) fn has_repeated(&self) -> bool {
        let mut keys = self.keys.clone();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
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
