//! Counts how often the position of the last ply has occurred (COM-3).

use super::past::{Later, Past};
use crate::board::{Mask, Owner, Square};
use crate::position::Call;
use crate::position::{Conduct, Ply, Position, Repeated, Verb, always_check};
use crate::rules::definition::Repetition;
use std::collections::HashMap;
use std::convert::Infallible;
use std::mem::take;
use std::sync::Arc;

/// Positions that occurred twice after which [`History::may_return_to`] is asked.
const WINDOWS_MAX: usize = 32;

/// Occurrences of a position are at least so many plies apart.
const OCCURRENCES_APART: usize = 4;

/// The keys of all positions of a line, with the means to recompute the positions.
///
/// Keys find a repetition and the positions confirm it: two positions may have the same key, and an attacker can
/// construct such a pair.
#[derive(Debug, Clone)]
pub(super) struct History<M> {
    keys: Vec<u64>,
    past: Past<M>,
    /// For perpetual check: who made each ply, and whether it gave check. Either one shorter than `keys`, or empty.
    checks: Vec<(Owner, bool)>,
    wants_checks: bool,
    /// True if pawn moves, captures and entries are irreversible, so that only plies since the last one matter.
    irreversible: bool,
    /// Used if any earlier position may recur.
    seen: Seen,
    /// With fewer halfmoves since the clock restarted, the last position has certainly not occurred often enough to
    /// matter.
    matters_from: u16,
}

/// A Bloom filter of 4,096 bits over the keys. Most positions are new, and their bit alone shows it.
#[derive(Debug, Clone, Default)]
struct Seen {
    bits: Vec<u64>,
}

impl Seen {
    fn nothing() -> Seen {
        Seen { bits: vec![0; 64] }
    }

    /// Records a position; true if it is certainly new.
    #[inline]
    fn note(&mut self, key: u64) -> bool {
        let word = &mut self.bits[(key % 64) as usize];
        let bit = 1 << (key >> 58);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// The number of plies that so many occurrences take at least.
const fn plies_for(occurrences: usize) -> usize {
    OCCURRENCES_APART * (occurrences - 1)
}

/// The part of a line's history that is set aside while the plies before it are lent to a variation.
#[derive(Debug)]
pub(super) struct Rest<M> {
    plies: usize,
    keys: Vec<u64>,
    later: Later<M>,
    checks: Vec<(Owner, bool)>,
}

impl<M: Mask> History<M> {
    pub(super) fn new(start: Arc<Position<M>>) -> History<M> {
        let rules = start.rules();
        let wants_checks = rules.ends.repetition.perpetual().is_some();
        let mut keys = Vec::with_capacity(128);
        keys.push(start.key());
        let irreversible = rules.restarts_are_final;
        let mut seen = Seen::default();
        if !irreversible {
            seen = Seen::nothing();
            seen.note(start.key());
        }
        let matters_from = plies_for(rules.ends.repetition.ends_at().unwrap_or(5)) as u16;
        let past = Past::new(start);
        History { keys, past, checks: Vec::new(), wants_checks, irreversible, seen, matters_from }
    }

    /// Lends the history of the first `plies` plies to a variation, and sets the rest aside until [`History::rejoin`]:
    /// copying for each variation would cost as much as the whole line.
    pub(super) fn lend(&mut self, plies: usize) -> (History<M>, Rest<M>) {
        let keys = self.keys.split_off(plies + 1);
        let checks = self.checks.split_off(plies.min(self.checks.len()));
        // The bits stay: those of later plies only cost an extra comparison.
        let (keys_before, seen) = (take(&mut self.keys), take(&mut self.seen));
        let (past, later) = self.past.lend(plies);
        let lent = History { keys: keys_before, past, checks: take(&mut self.checks), seen, ..*self };
        (lent, Rest { plies, keys, later, checks })
    }

    /// Takes back the history lent to a finished variation.
    pub(super) fn rejoin(&mut self, lent: History<M>, rest: Rest<M>) {
        self.past.rejoin(rest.plies, lent.past, rest.later);
        (self.keys, self.checks, self.seen) = (lent.keys, lent.checks, lent.seen);
        self.keys.truncate(rest.plies + 1);
        self.keys.extend(rest.keys);
        self.checks.truncate(rest.plies);
        self.checks.extend(rest.checks);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, position: &Position<M>, ply: &Ply) {
        let key = position.key();
        self.keys.push(key);
        self.past.push(ply);
        if !self.irreversible || self.wants_checks {
            self.push_more(position, ply.actor, key);
        }
    }

    /// Records what only a few games need.
    #[inline(never)]
    fn push_more(&mut self, position: &Position<M>, actor: Owner, key: u64) {
        if !self.irreversible {
            self.matters_from = if self.seen.note(key) { u16::MAX } else { 0 };
        }
        if self.wants_checks {
            let check = position.in_check() && position.checked_by_opponent();
            self.checks.push((actor, check));
        }
    }

    /// The player on move called for something after the last ply, with effect.
    pub(super) fn call(&mut self, call: Call) {
        self.past.call(call);
    }

    /// The last ply is illegal and was let stand.
    pub(super) fn let_stand(&mut self) {
        self.past.let_stand();
    }

    /// True if the last position has certainly not occurred often enough to matter: few plies are reversible, or it is
    /// new.
    #[inline]
    pub(super) fn is_rare(&self, halfmoves: u16) -> bool {
        halfmoves < self.matters_from
    }

    /// True if the last position has occurred at least `times` times.
    #[inline]
    pub(super) fn occurs(&mut self, times: usize, halfmoves: u16) -> bool {
        let last = self.keys.len() - 1;
        let reach = if self.irreversible { usize::from(halfmoves).min(last) } else { last };
        if reach < plies_for(times) && self.irreversible {
            return false;
        }
        let key = self.keys[last];
        let alike = self.keys[last - reach..last].iter().filter(|&&earlier| earlier == key).count();
        alike + 1 >= times && self.occurrences().len() >= times
    }

    /// The numbers of plies after which a position seems to have occurred before: keys alone are compared.
    pub(super) fn repeats(&self) -> Vec<usize> {
        let mut seen = Seen::nothing();
        let mut repeats = Vec::new();
        for (index, key) in self.keys.iter().enumerate() {
            // A key is compared with the earlier ones only where its bit is set.
            if !seen.note(*key) && self.keys[..index].contains(key) {
                repeats.push(index);
            }
        }
        repeats
    }

    /// False if certainly no position occurs a third time in the line, nor would after an intended ply: cheap, for most
    /// games repeat nothing, or go back and forth once. `repeats` are those of the line.
    pub(super) fn may_occur_thrice(&self, repeats: &[usize]) -> bool {
        repeats.iter().enumerate().any(|(windows, &index)| {
            let alike = self.keys[..index].iter().filter(|key| **key == self.keys[index]).count();
            alike > 1 || windows >= WINDOWS_MAX || self.may_return_to(index)
        })
    }

    /// The number of plies after which the first position occurs that recurs after one of `repeats`.
    pub(super) fn first_of(&self, repeats: &[usize]) -> usize {
        let first = |index: &usize| self.keys.iter().position(|key| *key == self.keys[*index]);
        repeats.iter().filter_map(first).min().unwrap_or(0)
    }

    /// The keys of the positions after so many plies, sorted.
    pub(super) fn keys_of(&self, plies: &[usize]) -> Vec<u64> {
        let mut keys: Vec<u64> = plies.iter().map(|plies| self.keys[*plies]).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// False if after no ply the player on move could return to the position after `index` plies: each time a pawn,
    /// another player's piece or more than one piece would be elsewhere.
    fn may_return_to(&self, index: usize) -> bool {
        let rules = self.start().rules();
        if !self.irreversible || !self.past.is_legal() {
            return true;
        }
        // The pieces that are elsewhere: whose, where from and where now.
        let mut elsewhere: Vec<(Owner, Square, Square)> = Vec::new();
        for ply in &self.plies()[index..] {
            let Ply { actor, verb, kind, from, to, .. } = *ply;
            if actor == Owner::Nature || verb == Verb::Drop {
                return true;
            }
            if verb != Verb::Move || rules.is_pawn(kind) || elsewhere.iter().any(|(.., now)| *now == to) {
                return false;
            }
            match elsewhere.iter().position(|(.., now)| *now == from) {
                Some(at) if elsewhere[at].1 == to => drop(elsewhere.swap_remove(at)),
                Some(at) => elsewhere[at].2 = to,
                None => elsewhere.push((actor, from, to)),
            }
            // The opponent is on move now.
            if let [(owner, ..)] = elsewhere[..]
                && owner != actor
            {
                return true;
            }
        }
        false
    }

    /// The number of plies after which a position would first have occurred `times` times, if an en passant right
    /// counted only while a capture is legal.
    #[cold]
    pub(super) fn occurs_by_legal_en_passant(&self, times: usize) -> Option<usize> {
        // Only the occurrence right after the double step may have a right that the others lack.
        let mut keys = self.keys.clone();
        keys.sort_unstable();
        if !keys.windows(times - 1).any(|alike| alike[0] == alike[times - 2]) {
            return None;
        }
        let (mut seen, mut found) = (HashMap::new(), None);
        let walked: Result<(), Infallible> = self.walk(|plies, position| {
            let count = seen.entry(position.identity_by_legal_en_passant()).or_insert(0);
            *count += 1;
            found = (*count == times).then_some(plies);
            Ok(found.is_none())
        });
        walked.ok().and(found)
    }

    /// The plies of the line.
    pub(super) fn plies(&self) -> &[Ply] {
        self.past.plies()
    }

    /// What was called for with effect.
    pub(super) fn calls(&self) -> &[(usize, Call)] {
        self.past.calls()
    }

    /// The start of the line.
    pub(super) fn start(&self) -> &Position<M> {
        self.past.start()
    }

    /// Calls `visit` for each position of the line with the number of plies before it, while it returns true.
    pub(super) fn walk<E>(&self, visit: impl FnMut(usize, &Position<M>) -> Result<bool, E>) -> Result<(), E> {
        self.past.walk(visit)
    }

    /// The numbers of the plies after which the last position occurred, itself included.
    #[cold]
    pub(super) fn occurrences(&mut self) -> Vec<usize> {
        let last = self.keys.len() - 1;
        let alike: Vec<usize> = (0..last).filter(|&ply| self.keys[ply] == self.keys[last]).collect();
        let mut same = Vec::with_capacity(alike.len() + 1);
        if !alike.is_empty() {
            let identity = self.past.identity(last);
            same.extend(alike.into_iter().filter(|&ply| self.past.identity(ply) == identity));
        }
        same.push(last);
        same
    }

    /// True if the rules let a player claim the repetition of the last position: always, or where no perpetual check
    /// and no possible chase is among the plies since its first occurrence.
    pub(super) fn repeats_harmlessly(&mut self) -> bool {
        let ends = &self.start().rules().ends;
        if ends.repetition != Repetition::ThreefoldPerpetual {
            return true;
        }
        let claimed = ends.claims_perpetual();
        let first = self.occurrences()[0];
        let (mut before, mut done): (Option<Position<M>>, Vec<Conduct>) = (None, Vec::new());
        let walked: Result<(), Infallible> = self.walk(|plies, position| {
            if let Some(before) = before.as_ref().filter(|_| plies > first) {
                done.push(position.conduct(before, &self.plies()[plies - 1]));
            }
            before = (plies >= first).then(|| position.clone());
            Ok(true)
        });
        walked.is_ok() && Repeated::of(&done).draws(claimed)
    }

    /// The only side that gave check with every ply since the position's first occurrence.
    pub(super) fn perpetual_checker(&mut self) -> Option<Owner> {
        match self.perpetual_checkers() {
            [true, false] => Some(Owner::White),
            [false, true] => Some(Owner::Black),
            _ => None,
        }
    }

    /// Whether White and Black gave check with every ply since the position's first occurrence.
    pub(super) fn perpetual_checkers(&mut self) -> [bool; 2] {
        let first = self.occurrences()[0];
        always_check(self.checks[first..].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    fn start(variant: &str) -> Position<u64> {
        match Registry::built_in().rules(variant, &|_| None).unwrap() {
            AnyRules::Narrow(rules) => Position::start(rules),
            AnyRules::Wide(_) => panic!("{variant} has more than 64 squares"),
        }
    }

    /// Knights go out and back; each round of four plies gives four positions once more.
    fn shuffle(position: &mut Position<u64>, history: &mut History<u64>, rounds: usize) {
        for (from, to) in
            ["b1c3", "b8c6", "c3b1", "c6b8"].iter().cycle().take(4 * rounds).map(|ply| ply.split_at(2))
        {
            let square = |name: &str| position.rules().board().parse_square(name);
            let (from, to) = (square(from), square(to));
            let plies = position.plies();
            let ply = plies.iter().find(|ply| Some(ply.from) == from && Some(ply.to) == to).unwrap();
            position.apply(ply);
            history.push(position, ply);
        }
    }

    #[test]
    fn positions_confirm_what_keys_find() {
        for variant in ["chess", "crazyhouse"] {
            let mut position = start(variant);
            let mut history = History::new(Arc::new(position.clone()));
            shuffle(&mut position, &mut history, 20);
            assert_eq!(history.occurrences(), Vec::from_iter((0..=80).step_by(4)), "{variant}");
            // Positions with a knight away, given the key of the start, simulate a collision.
            for ply in (2..80).step_by(4) {
                history.keys[ply] = history.keys[80];
            }
            assert_eq!(history.occurrences(), Vec::from_iter((0..=80).step_by(4)), "{variant}");
            assert!(history.occurs(21, 80) && !history.occurs(22, 80), "{variant}");
        }
    }

    #[test]
    fn variations_share_the_positions_before_them() {
        let mut position = start("chess");
        let mut history = History::new(Arc::new(position.clone()));
        shuffle(&mut position, &mut history, 40);
        assert_eq!(history.occurrences().len(), 41);
        for back in [0, 4, 60, 68, 156, 160] {
            let (mut lent, rest) = history.lend(160 - back);
            let mut again = position.clone();
            shuffle(&mut again, &mut lent, 20);
            assert_eq!(lent.occurrences().len(), 41 - back / 4 + 20, "{back}");
            history.rejoin(lent, rest);
            assert_eq!(history.occurrences().len(), 41, "{back}");
        }
    }
}
