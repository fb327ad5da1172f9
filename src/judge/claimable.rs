//! Every draw that a player could have claimed at some ply of a line, on the board or by an intended ply.

use super::repetition::Thirds;
use super::{ClaimableDraw, ClaimableKind, FIFTY_MOVES, Judge};
use crate::board::{Mask, Owner};
use crate::position::{Ply, Position};
use crate::rules::definition::Repetition;
use crate::text::{Budget, Exhausted};
use std::collections::HashMap;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Budget units for a ply that is replayed.
const UNITS_PLY: u64 = 1;

/// Budget units for trying every ply of a position.
const UNITS_INTENDED: u64 = 64;

/// With more positions that occurred twice, every ply is tried: comparing all of them would not be cheaper.
const COMPARED_MAX: usize = 16;

/// The squares that a ply of a player changes at most: castling leaves two and enters two.
const CHANGED_MAX: u32 = 4;

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
    /// False if no ply of the player on move leads here, by the squares that are occupied. If captures and pawn moves
    /// are `final`, only a quiet step may.
    fn may_follow(&self, position: &Position<M>, quiet: bool) -> bool {
        let by = position.turn();
        let changed = |owner: Owner| position.state().owned(owner) ^ self.owned[owner.index()];
        let (own, others) = (changed(by), changed(by.opponent()) | changed(Owner::Nature));
        self.turn != by
            && if quiet {
                own.count() == 2 && others.is_empty()
            } else {
                (own | others).count() <= CHANGED_MAX
            }
    }
}

impl<M: Mask> Judge<M> {
    /// Calls `found` for every draw that the player on move could claim at some ply before the end of the game, in
    /// order, with the position and the intended ply. A claim that is open on the board needs no intended ply
    /// (FIDE 9.2, 9.3).
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(crate) fn each_claimable(
        &self,
        budget: &Budget,
        found: impl FnMut(&Position<M>, ClaimableDraw, Option<Ply>),
    ) -> Result<(), Exhausted> {
        let rules = self.history.start().rules();
        let fide = rules.ends.repetition == Repetition::Fide;
        let thirds = if fide && !self.counted { self.history.thirds() } else { None };
        match thirds {
            Some(thirds) if thirds.places.is_empty() => Ok(()),
            Some(thirds) => self.each_in_walk(Some(Where::At(thirds)), budget, found),
            None if fide && self.history.has_repeated() => {
                self.each_in_walk(Some(Where::Anywhere), budget, found)
            }
            None if self.counted => self.each_in_walk(None, budget, found),
            None => Ok(()),
        }
    }

    /// The claims found in a walk through the line; those of repetitions where they may be.
    fn each_in_walk(
        &self,
        repeats: Option<Where<M>>,
        budget: &Budget,
        mut found: impl FnMut(&Position<M>, ClaimableDraw, Option<Ply>),
    ) -> Result<(), Exhausted> {
        let rules = self.history.start().rules();
        let (keys, places) = match repeats {
            Some(Where::At(Thirds { keys, places })) => (keys, Some(places)),
            Some(Where::Anywhere) => (self.history.repeated_keys(), None),
            None => (Vec::new(), None),
        };
        let last = places.as_ref().map_or(usize::MAX, |places| places.last().map_or(0, |(ply, _)| *ply));
        let mut claims = Claims {
            // Captures, pawn moves and entries part the positions before them from those after.
            parted: rules.restarts_are_final,
            keys,
            places: places.map(|places| places.into_iter().peekable()),
            recurring: HashMap::new(),
        };
        let counts = rules.ends.move_counters;
        let open = self.end.map_or(usize::MAX, |end| end.ply);
        self.history.walk(|ply, position| {
            if ply >= open || ply > last {
                return Ok(false);
            }
            budget.spend(UNITS_PLY)?;
            let mut claim = |kind, plies, intended| {
                found(position, ClaimableDraw { kind, by: position.turn(), ply, plies }, intended);
            };
            if let Some((plies, intended)) = claims.repetition(ply, position, budget)? {
                claim(ClaimableKind::ThreefoldRepetition, plies, intended);
            }
            let halfmoves = position.status().halfmoves;
            if counts && halfmoves >= FIFTY_MOVES {
                claim(ClaimableKind::FiftyMoves, vec![ply], None);
            } else if counts && halfmoves + 1 == FIFTY_MOVES {
                budget.spend(UNITS_INTENDED)?;
                let quiet = |after: &Position<M>| after.status().halfmoves == FIFTY_MOVES;
                if let Some((intended, _)) = intended(position, |_| true, quiet) {
                    claim(ClaimableKind::FiftyMoves, vec![ply + 1], Some(intended));
                }
            }
            Ok(true)
        })
    }
}

/// The first legal ply of the player on move, of those that fit, after which the position is as wanted.
fn intended<M: Mask>(
    position: &Position<M>,
    fits: impl Fn(&Ply) -> bool,
    wanted: impl Fn(&Position<M>) -> bool,
) -> Option<(Ply, Position<M>)> {
    let own = position.plies().into_iter().filter(|ply| ply.actor == position.turn() && fits(ply));
    let after = |ply: Ply| {
        let mut after = position.clone();
        after.apply(&ply);
        (ply, after)
    };
    own.map(after).find(|(_, after)| wanted(after))
}

/// Where claims of repetitions are looked for.
enum Where<M> {
    /// After every ply.
    Anywhere,
    At(Thirds<M>),
}

struct Claims<M> {
    parted: bool,
    /// The keys that occur twice or more in the line, as far as they matter, sorted.
    keys: Vec<u64>,
    /// The only places of claims, from the present one on, each with the squares of the intended ply.
    places: Option<Peekable<IntoIter<(usize, M)>>>,
    /// By key: the positions with it that have occurred so far. Different positions may share a key.
    recurring: HashMap<u64, Vec<Recurring<M>>>,
}

impl<M: Mask> Claims<M> {
    /// The plies of a threefold repetition that is open after `ply` plies, and the ply that must be intended.
    fn repetition(
        &mut self,
        ply: usize,
        position: &Position<M>,
        budget: &Budget,
    ) -> Result<Option<Recurrence>, Exhausted> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        if self.parted && position.status().halfmoves == 0 {
            self.recurring.clear();
        }
        if self.keys.binary_search(&position.key()).is_ok()
            && let Some(plies) = self.note(ply, position)
        {
            return Ok(Some((plies, None)));
        }
        let between = match &mut self.places {
            Some(places) => {
                while places.next_if(|(at, _)| *at < ply).is_some() {}
                match places.next_if(|(at, _)| *at == ply) {
                    Some((_, between)) => Some(between),
                    None => return Ok(None),
                }
            }
            None => None,
        };
        if between.is_none() && !self.may_be_intended(position) {
            return Ok(None);
        }
        budget.spend(UNITS_INTENDED)?;
        let fits = |ply: &Ply| between.is_none_or(|between| between.has(ply.from) && between.has(ply.to));
        let known = |after: &Position<M>| {
            let alike = self.recurring.get(&after.key())?.iter().filter(|known| known.plies.len() >= 2);
            alike.into_iter().find(|known| known.identity == after.identity())
        };
        let Some((intended, after)) = intended(position, fits, |after| known(after).is_some()) else {
            return Ok(None);
        };
        let plies = known(&after).map_or_else(Vec::new, |known| [&known.plies[..], &[ply + 1]].concat());
        Ok(Some((plies, Some(intended))))
    }

    /// False if certainly no ply of the player on move leads to a position that has occurred twice.
    fn may_be_intended(&self, position: &Position<M>) -> bool {
        let mut twice = self.recurring.values().flatten().filter(|known| known.plies.len() >= 2).peekable();
        let few = self.recurring.len() <= COMPARED_MAX;
        twice.peek().is_some() && (!few || twice.any(|known| known.may_follow(position, self.parted)))
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

    /// A claim: its ply, the plies of the repetition, and the intended ply.
    type Found = (usize, Vec<usize>, Option<Ply>);

    /// The claims of repetitions, found by comparing every position with every other one.
    fn compared(start: &Position<u64>, line: &[Ply]) -> Vec<Found> {
        let mut positions = vec![start.clone()];
        for ply in line {
            let mut next = positions[positions.len() - 1].clone();
            next.apply(ply);
            positions.push(next);
        }
        let identities: Vec<Vec<u8>> = positions.iter().map(Position::identity).collect();
        let mut found = Vec::new();
        for (ply, position) in positions.iter().enumerate() {
            let alike =
                |identity: &[u8]| (0..=ply).filter(|at| identities[*at] == identity).collect::<Vec<_>>();
            if let plies @ [_, _, _, ..] = &alike(&identities[ply])[..] {
                found.push((ply, plies.to_vec(), None));
                continue;
            }
            let own = position.plies().into_iter().filter(|ply| ply.actor == position.turn());
            found.extend(own.into_iter().find_map(|intended| {
                let mut after = position.clone();
                after.apply(&intended);
                let mut plies = alike(&after.identity());
                plies.push(ply + 1);
                (plies.len() >= 3).then_some((ply, plies, Some(intended)))
            }));
        }
        found
    }

    /// Nothing is claimed that is not open, and nothing is missed.
    #[test]
    fn claims_are_those_that_every_comparison_finds() {
        let mut state = 7u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut on_board, mut intended, mut spared) = (0, 0, 0);
        for (variant, fen) in [
            ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            ("chess", "8/8/8/2p1k3/8/R7/1K1R1N2/8 w - - 0 1"),
            ("crazyhouse", "4k3/8/8/8/8/8/8/R3K3[] w - - 0 1"),
            ("crazyhouse", "4k3/1p6/8/8/8/8/8/R3K3[Nn] w - - 0 1"),
            ("chaos+chess", "4k3/8/8/8/8/8/4P3/R3K3[] w - - 0 1 ~2"),
            ("iago-b", "4k3/8/8/8/8/8/4P3/R3K3[MC] w Q - 0 1"),
        ] {
            let rules = Registry::built_in().rules(variant, &|_| None).expect("rules");
            let AnyRules::Narrow(rules) = rules else { unreachable!() };
            if rules.ends.repetition != Repetition::Fide {
                continue;
            }
            let start = Position::from_fen(rules, fen).expect("a position");
            for _ in 0..60 {
                let mut position = start.clone();
                let mut judge = Judge::new(&position);
                for _ in 0..28 {
                    let plies = position.plies();
                    if plies.is_empty() || !judge.goes_on() {
                        break;
                    }
                    // Few of the plies, so that positions recur; sometimes any of them.
                    let among = if next(12) == 0 { plies.len() } else { plies.len().min(3) };
                    let ply = plies[next(among)];
                    position.apply(&ply);
                    judge.after(&position, &ply);
                }
                let mut found: Vec<Found> = Vec::new();
                let note =
                    |_: &Position<u64>, draw: ClaimableDraw, ply| found.push((draw.ply, draw.plies, ply));
                assert!(judge.each_claimable(&Budget::unlimited(), note).is_ok());
                let end = judge.end().map_or(usize::MAX, |end| end.ply);
                let expected = compared(&start, judge.made()).into_iter().filter(|(ply, ..)| *ply < end);
                assert_eq!(found, Vec::from_iter(expected), "{variant} {fen} {:?}", judge.made());
                on_board += found.iter().filter(|(.., intended)| intended.is_none()).count();
                intended += found.iter().filter(|(.., intended)| intended.is_some()).count();
                let thirds = judge.history.thirds();
                spared += usize::from(judge.has_repeated() && thirds.is_some_and(|of| of.places.is_empty()));
            }
        }
        assert!(on_board > 20 && intended > 20 && spared > 20, "{on_board}, {intended}, {spared}");
    }
}
