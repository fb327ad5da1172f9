//! Every draw that a player could have claimed at some ply of a line, on the board or by an intended ply.

use super::{ClaimableDraw, ClaimableKind, Judge, claimed_counter};
use crate::board::{Mask, Owner};
use crate::position::{Conduct, Ply, Position, Repeated};
use crate::rules::definition::Repetition;
use crate::text::{Budget, Exhausted};
use std::collections::HashMap;

/// Budget units for a ply that is replayed.
const UNITS_PLY: u64 = 1;

/// Budget units for trying every ply of a position.
const UNITS_INTENDED: u64 = 64;

/// With more positions that occurred twice, every ply is tried: comparing all of them would not be cheaper.
const COMPARED_MAX: usize = 16;

/// The plies after which a position occurred, and the intended one that leads to it again.
type Recurrence = (Vec<usize>, Option<Ply>);

/// A position whose key recurs.
struct Recurring<M> {
    identity: Vec<u8>,
    plies: Vec<usize>,
    turn: Owner,
    owned: [M; 3],
}

impl<M: Mask> Recurring<M> {
    /// False if no quiet step of the player on move leads here, by the squares that are occupied.
    fn may_follow(&self, position: &Position<M>) -> bool {
        let by = position.turn();
        let moved = |owner: Owner| (position.state().owned(owner) ^ self.owned[owner.index()]).count();
        self.turn != by && moved(by) == 2 && moved(by.opponent()) == 0 && moved(Owner::Nature) == 0
    }
}

impl<M: Mask> Judge<M> {
    /// Calls `found` for every draw that the player on move could claim at some ply before the end of the game, in
    /// order, with the position and the intended ply. A claim that is open on the board needs no intended ply
    /// (FIDE 9.2, 9.3).
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub fn each_claimable(
        &self,
        budget: &Budget,
        found: impl FnMut(&Position<M>, ClaimableDraw, Option<Ply>),
    ) -> Result<(), Exhausted> {
        let repetition = self.history.start().rules().ends.repetition;
        let mut repeats = if repetition.is_claimed() { self.history.repeats() } else { Vec::new() };
        if !self.history.may_occur_thrice(&repeats) {
            repeats.clear();
        }
        if repeats.is_empty() && !self.counted {
            return Ok(());
        }
        self.each_in_walk(&repeats, budget, found)
    }

    /// [`Judge::each_claimable`] with the numbers of plies after which a position seems to have occurred before.
    fn each_in_walk(
        &self,
        repeats: &[usize],
        budget: &Budget,
        mut found: impl FnMut(&Position<M>, ClaimableDraw, Option<Ply>),
    ) -> Result<(), Exhausted> {
        let rules = self.history.start().rules();
        let mut claims = Claims {
            // Captures, pawn moves and entries part the positions before them from those after.
            parted: rules.restarts_are_final,
            keys: self.history.keys_of(repeats),
            recurring: HashMap::new(),
        };
        // Where perpetual check and chase matter: the last position, and what each ply did.
        let mut conduct = (!repeats.is_empty() && rules.ends.repetition == Repetition::ThreefoldPerpetual)
            .then(|| (Box::new((*self.history.start()).clone()), Vec::<Conduct>::new()));
        let counts = claimed_counter(rules);
        let open = self.end.map_or(usize::MAX, |end| end.ply);
        let (first, last) = self.reach(repeats, conduct.is_some());
        self.history.walk(|ply, position| {
            if ply >= open || ply > last && position.status().halfmoves == 0 {
                return Ok(false);
            }
            budget.spend(UNITS_PLY)?;
            if ply < first {
                return Ok(true);
            }
            if let Some((before, done)) = &mut conduct
                && let Some(last) = ply.checked_sub(1)
            {
                done.push(position.conduct(before, &self.history.plies()[last]));
                (**before).clone_from(position);
            }
            // Which of several plies that repeat a position may be claimed depends on what was done since.
            let claims_perpetual = rules.ends.claims_perpetual();
            let draws = |first: usize, intended: Option<&(Ply, Position<M>)>| {
                conduct.as_ref().is_none_or(|(_, done)| {
                    repeated(position, &done[first..], intended).draws(claims_perpetual)
                })
            };
            let repetition = claims.repetition(ply, position, budget, draws)?;
            if repetition.is_none()
                && claims_perpetual
                && let Some(plies) = claims.occurrences(position).filter(|plies| plies.len() >= THREEFOLD)
                && let Some((_, done)) = &conduct
                && let Repeated::PerpetualCheck(checker) = Repeated::of(&done[plies[0]..])
            {
                let (kind, by, plies) = (ClaimableKind::PerpetualCheck, checker.opponent(), plies.to_vec());
                found(position, ClaimableDraw { kind, by, ply, plies }, None);
            }
            let mut claim = |kind, plies, intended| {
                found(position, ClaimableDraw { kind, by: position.turn(), ply, plies }, intended);
            };
            if let Some((plies, intended)) = repetition {
                claim(ClaimableKind::ThreefoldRepetition, plies, intended);
            }
            if position.may_declare() {
                claim(ClaimableKind::Declaration, vec![ply], None);
            }
            if let Some((kind, needed)) = counts
                && let Some((at, intended)) = counted(position, ply, needed, budget)?
            {
                claim(kind, vec![at], intended);
            }
            Ok(true)
        })
    }
}

impl<M: Mask> Judge<M> {
    /// The numbers of plies from the first position that claims may be about, and to the last one after which a capture
    /// or pawn move ends them: of repetitions those that recur. Other claims may be open anywhere, and a `chase` begins
    /// before the positions that recur.
    fn reach(&self, repeats: &[usize], chase: bool) -> (usize, usize) {
        let only_repeats = !chase && !self.counted && self.history.start().rules().restarts_are_final;
        match repeats.last().filter(|_| only_repeats) {
            Some(last) => (self.history.first_of(repeats), *last),
            None => (0, usize::MAX),
        }
    }
}

/// What the plies of a cycle come to, with the intended one and the position after it if there is one (XQI-2).
fn repeated<M: Mask>(
    position: &Position<M>,
    done: &[Conduct],
    intended: Option<&(Ply, Position<M>)>,
) -> Repeated {
    match intended {
        None => Repeated::of(done),
        Some((ply, after)) => {
            let mut cycle = done.to_vec();
            cycle.push(after.conduct(position, ply));
            Repeated::of(&cycle)
        }
    }
}

/// The number of plies after which a claim by counted moves is open, on the board or by an intended ply, and that ply.
fn counted<M: Mask>(
    position: &Position<M>,
    ply: usize,
    needed: u16,
    budget: &Budget,
) -> Result<Option<(usize, Option<Ply>)>, Exhausted> {
    let halfmoves = position.status().halfmoves;
    if halfmoves >= needed {
        return Ok(Some((ply, None)));
    }
    if halfmoves + 1 < needed {
        return Ok(None);
    }
    budget.spend(UNITS_INTENDED)?;
    let quiet = |(_, after): &(Ply, Position<M>)| after.status().halfmoves == needed;
    Ok(intended(position, quiet).map(|(intended, _)| (ply + 1, Some(intended))))
}

/// Occurrences that a claim of a repetition needs.
const THREEFOLD: usize = 3;

/// The first legal ply of the player on move after which the position is as wanted.
fn intended<M: Mask>(
    position: &Position<M>,
    wanted: impl Fn(&(Ply, Position<M>)) -> bool,
) -> Option<(Ply, Position<M>)> {
    let own = position.plies().into_iter().filter(|ply| ply.actor == position.turn());
    let after = |ply: Ply| {
        let mut after = position.clone();
        after.apply(&ply);
        (ply, after)
    };
    own.map(after).find(wanted)
}

struct Claims<M> {
    parted: bool,
    /// The keys that occur twice or more in the line, sorted.
    keys: Vec<u64>,
    /// By key: the positions with it that have occurred so far. Different positions may share a key.
    recurring: HashMap<u64, Vec<Recurring<M>>>,
}

impl<M: Mask> Claims<M> {
    /// The plies of a threefold repetition that is open after `ply` plies, and the ply that must be intended. Whether a
    /// repetition `draws` depends on its first occurrence, and on the intended ply with the position after it.
    fn repetition(
        &mut self,
        ply: usize,
        position: &Position<M>,
        budget: &Budget,
        draws: impl Fn(usize, Option<&(Ply, Position<M>)>) -> bool,
    ) -> Result<Option<Recurrence>, Exhausted> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        if self.parted && position.status().halfmoves == 0 {
            self.recurring.clear();
        }
        if self.keys.binary_search(&position.key()).is_ok()
            && let Some(plies) = self.note(ply, position)
            && draws(plies[0], None)
        {
            return Ok(Some((plies, None)));
        }
        let mut twice = self.recurring.values().flatten().filter(|known| known.plies.len() >= 2).peekable();
        if twice.peek().is_none() {
            return Ok(None);
        }
        let few = self.recurring.len() <= COMPARED_MAX;
        if self.parted && few && !twice.any(|known| known.may_follow(position)) {
            return Ok(None);
        }
        budget.spend(UNITS_INTENDED)?;
        let known = |after: &Position<M>| {
            let alike = self.recurring.get(&after.key())?.iter().filter(|known| known.plies.len() >= 2);
            alike.into_iter().find(|known| known.identity == after.identity())
        };
        let wanted = |tried: &(Ply, Position<M>)| {
            known(&tried.1).is_some_and(|known| draws(known.plies[0], Some(tried)))
        };
        let Some((intended, after)) = intended(position, wanted) else { return Ok(None) };
        let plies = known(&after).map_or_else(Vec::new, |known| [&known.plies[..], &[ply + 1]].concat());
        Ok(Some((plies, Some(intended))))
    }

    /// The plies after which a position has occurred so far, if its key recurs.
    fn occurrences(&self, position: &Position<M>) -> Option<&[usize]> {
        let alike = self.recurring.get(&position.key())?;
        let identity = position.identity();
        alike.iter().find(|known| known.identity == identity).map(|known| &known.plies[..])
    }

    /// Notes a position whose key recurs; if this is its third occurrence or a later one, all of them.
    fn note(&mut self, ply: usize, position: &Position<M>) -> Option<Vec<usize>> {
        let identity = position.identity();
        let alike = self.recurring.entry(position.key()).or_default();
        let Some(known) = alike.iter_mut().find(|known| known.identity == identity) else {
            let owned =
                [Owner::White, Owner::Black, Owner::Nature].map(|owner| position.state().owned(owner));
            alike.push(Recurring { identity, plies: vec![ply], turn: position.turn(), owned });
            return None;
        };
        known.plies.push(ply);
        (known.plies.len() >= 3).then(|| known.plies.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    /// What is passed over without a walk has nothing to claim.
    #[test]
    fn walks_that_are_spared_find_nothing() {
        let mut state = 7u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut spared, mut claims) = (0, 0);
        for (variant, fen) in [
            ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            ("crazyhouse", "4k3/8/8/8/8/8/8/R3K3[] w - - 0 1"),
        ] {
            let rules = Registry::built_in().rules(variant, &|_| None).expect("rules");
            let AnyRules::Narrow(rules) = rules else { unreachable!() };
            let start = Position::from_fen(rules, fen).expect("a position");
            for _ in 0..150 {
                let mut position = start.clone();
                let mut judge = Judge::new(&position);
                for _ in 0..24 {
                    let plies = position.plies();
                    if plies.is_empty() {
                        break;
                    }
                    // Few of the plies, so that positions recur.
                    let ply = plies[next(plies.len().min(4))];
                    position.apply(&ply);
                    judge.after(&position, &ply);
                }
                let all: Vec<usize> = (0..=judge.plies()).collect();
                let count = |repeats: Option<&[usize]>| {
                    let mut count = 0;
                    let note = |_: &Position<u64>, _, _| count += 1;
                    let ended = match repeats {
                        Some(repeats) => judge.each_in_walk(repeats, &Budget::unlimited(), note),
                        None => judge.each_claimable(&Budget::unlimited(), note),
                    };
                    assert!(ended.is_ok());
                    count
                };
                assert_eq!(count(None), count(Some(&all)), "{fen} {:?}", judge.made());
                claims += count(None);
                let repeats = judge.history.repeats();
                spared += usize::from(!repeats.is_empty() && !judge.history.may_occur_thrice(&repeats));
            }
        }
        assert!(spared > 20 && claims > 20, "{spared} spared, {claims} claims");
    }
}
