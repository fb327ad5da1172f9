//! The search for the cheapest legal games: a beam over the nodes of one sheet or two, in which equal positions merge.

use crate::costs::{Bits, Costs};
use crate::likely::Likely;
use crate::sheet::{Edge, EdgeKind, Mark, Sheet};
use crate::spell::{LIMIT, Speller};
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{Origin, origin_needed};
use ferz_core::position::{Ply, Position, Verb};
use ferz_core::text::{Budget, Exhausted};
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::Hasher;
use std::rc::Rc;

/// Ways to a position that are kept besides the cheapest.
const WAYS_MAX: usize = 6;

/// Steps of a layer that are made for each position that is kept: the others lead to positions that are known.
const MADE_FACTOR: usize = 3;

/// Positions of a layer in which a ply may be missing or unreadable.
const DESPERATE_MAX: usize = 6;

/// A token that costs less as a ply is not thought to follow a gap.
const DESPERATE_FROM: Bits = Bits::whole(4);

/// Positions of a layer in which tokens are also read by the rules of notation.
const EXACT_MAX: usize = 4;

/// Letter, file and rank.
const SHORT_CHARS: usize = 3;

/// How far a search looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Width {
    /// Positions of each layer.
    pub positions: usize,
    /// What they may cost more than the cheapest.
    pub window: Bits,
    /// True if plies may be missing or unreadable.
    pub is_thorough: bool,
    /// Nodes after which it ends.
    pub layers: usize,
}

/// A step of a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// Nothing yet.
    Start,
    /// Tokens, one of each sheet at most, are a ply.
    Ply {
        ply: Ply,
        tokens: [Option<u32>; 2],
        /// What it costs to be written so.
        slip: Bits,
        /// True if the token could be any ply.
        is_unreadable: bool,
    },
    /// A token of a sheet is left out.
    Skip { sheet: u8, token: u32 },
    /// A ply was not written.
    Missing { ply: Ply },
}

/// A step after others, with what it costs. Ways share their beginnings, and what no way needs is freed.
#[derive(Debug)]
pub(crate) struct Link {
    before: Option<Rc<Link>>,
    pub step: Step,
    pub bits: Bits,
}

/// Frees a chain link by link: its length must not be the depth of the stack.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.take();
        }
    }
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The ways to the end, the cheapest first: the last link of each.
    ends: Vec<Way>,
    /// The least cost of what was not followed.
    pub cut: Bits,
    /// False if the budget ended first.
    pub is_complete: bool,
}

impl Found {
    /// The least cost.
    pub fn best(&self) -> Bits {
        self.ends.first().map_or(Bits::MAX, |way| way.bits)
    }

    /// True if the best way leaves out a token that could be a ply, or a number contradicts it.
    pub fn leaves_plies_out(&self) -> bool {
        let steps = self.ways().next().map(|(_, steps)| steps).unwrap_or_default();
        steps.iter().any(|(step, bits)| matches!(step, Step::Skip { .. }) && *bits >= Bits::whole(3))
    }

    /// The ways to the end, the cheapest first, each with its steps and their costs.
    pub fn ways(&self) -> impl Iterator<Item = (Bits, Vec<(Step, Bits)>)> {
        self.ends.iter().map(|way| {
            let links = std::iter::successors(Some(&way.link), |link| link.before.as_ref());
            let mut steps: Vec<(Step, Bits)> = links.map(|link| (link.step, link.bits)).collect();
            steps.reverse();
            (way.bits, steps)
        })
    }
}

/// A position at a place of the sheets.
struct State<M> {
    position: Rc<Position<M>>,
    at: [u32; 2],
    ways: Vec<Way>,
}

/// A way to a position: its cost, and its last link.
#[derive(Debug, Clone)]
struct Way {
    bits: Bits,
    /// What of it says how seldom its plies are played.
    odds: Bits,
    link: Rc<Link>,
}

/// A step that may be made.
struct Pending<M> {
    from: Rc<State<M>>,
    /// The least cost of the ways there, with the step.
    total: Bits,
    bits: Bits,
    at: [u32; 2],
    step: Step,
}

/// The search.
pub(crate) struct Beam<'a, 's, M: Mask> {
    pub sheets: &'a [Sheet],
    pub spellers: &'a mut [Speller<'s>],
    pub costs: &'a Costs,
    pub budget: &'a Budget,
    likely: &'a Likely<M>,
    width: Width,
    pending: Vec<Vec<Pending<M>>>,
    /// For each layer the least cost so far.
    least: Vec<Bits>,
    cut: Bits,
    /// Positions of this layer in which tokens may yet be read by the rules of notation.
    exact_left: usize,
}

impl<'a, 's, M: Mask> Beam<'a, 's, M> {
    pub fn new(
        sheets: &'a [Sheet],
        spellers: &'a mut [Speller<'s>],
        costs: &'a Costs,
        budget: &'a Budget,
        likely: &'a Likely<M>,
        width: Width,
    ) -> Beam<'a, 's, M> {
        let layers = 1 + sheets.iter().map(|sheet| sheet.last() as usize).sum::<usize>();
        Beam {
            sheets,
            spellers,
            costs,
            budget,
            likely,
            width,
            pending: (0..layers).map(|_| Vec::new()).collect(),
            least: vec![Bits::MAX; layers],
            cut: Bits::MAX,
            exact_left: 0,
        }
    }

    /// Searches from a position on.
    pub fn search(mut self, start: &Position<M>) -> Found {
        let first = Rc::new(Link { before: None, step: Step::Start, bits: Bits::ZERO });
        let ways = vec![Way { bits: Bits::ZERO, odds: Bits::ZERO, link: first }];
        let mut states = vec![Rc::new(State { position: Rc::new(start.clone()), at: [0; 2], ways })];
        let tokens = self.sheets.iter().map(|sheet| sheet.edges.len() as u64).sum();
        if self.budget.spend(tokens).is_err() {
            return self.found(&states, false);
        }
        let last = (self.pending.len() - 1).min(self.width.layers);
        for layer in 0..=last {
            if layer > 0 {
                let pending = std::mem::take(&mut self.pending[layer]);
                states = self.states(pending);
            }
            if layer == last {
                break;
            }
            if self.expand(&states, layer).is_err() {
                return self.found(&states, false);
            }
        }
        self.found(&states, true)
    }

    fn found(self, states: &[Rc<State<M>>], is_complete: bool) -> Found {
        let mut ends: Vec<Way> = states.iter().flat_map(|state| state.ways.iter().cloned()).collect();
        ends.sort_by_key(|way| way.bits);
        // Where nothing is wrong, no ply is doubted because it is bad.
        if ends.first().is_some_and(|way| way.bits - way.odds < self.costs.ply.sign) {
            ends.iter_mut().for_each(|way| way.bits = way.bits - way.odds);
            ends.sort_by_key(|way| way.bits);
        }
        Found { ends, cut: self.cut, is_complete }
    }

    /// Makes the cheapest pending steps of a layer.
    fn states(&mut self, mut pending: Vec<Pending<M>>) -> Vec<Rc<State<M>>> {
        pending.sort_by_key(|pending| pending.total);
        let least = pending.first().map_or(Bits::ZERO, |pending| pending.total);
        let mut states: Vec<State<M>> = Vec::new();
        let mut known: HashMap<([u32; 2], u64), usize> = HashMap::new();
        for (made, pending) in pending.into_iter().enumerate() {
            if pending.total > least + self.width.window || made >= MADE_FACTOR * self.width.positions {
                self.cut(pending.at, pending.total);
                break;
            }
            let (position, mark, odds) = self.after(&pending);
            let key = (pending.at, position.key());
            let index = match known.entry(key) {
                Entry::Occupied(entry) if is_same(&states[*entry.get()].position, &position) => *entry.get(),
                entry => {
                    if states.len() >= self.width.positions {
                        self.cut(pending.at, pending.total);
                        continue;
                    }
                    states.push(State { position, at: pending.at, ways: Vec::new() });
                    entry.insert_entry(states.len() - 1);
                    states.len() - 1
                }
            };
            extend(&mut states[index].ways, &pending, pending.bits + mark, odds);
        }
        states.into_iter().map(Rc::new).collect()
    }

    /// The position after a step, the cost of its mark and of the ply as play, and of the ply as play only.
    fn after(&self, pending: &Pending<M>) -> (Rc<Position<M>>, Bits, Bits) {
        let (Step::Ply { ply, .. } | Step::Missing { ply }) = pending.step else {
            return (Rc::clone(&pending.from.position), Bits::ZERO, Bits::ZERO);
        };
        let mut position = Position::clone(&pending.from.position);
        position.apply(&ply);
        let odds = self.likely.cost(&pending.from.position, &ply, &position);
        let mut bits = odds;
        if let Step::Ply { tokens, is_unreadable: false, .. } = pending.step {
            for (sheet, token) in tokens.iter().enumerate() {
                let Some(token) = token.filter(|_| self.spellers[sheet].has_marks()) else { continue };
                let edge = &self.sheets[sheet].edges[token as usize];
                if lacks_origin(&pending.from.position, &ply, edge) {
                    bits += self.costs.ply.origin;
                }
                let is_marked = edge.mark == Mark::Check;
                match (is_marked, position.in_check()) {
                    (true, false) if position.finish().is_none() => bits += self.costs.ply.mark_wrong,
                    (false, true) => bits += self.costs.ply.mark_missing,
                    _ => {}
                }
            }
        }
        (Rc::new(position), bits, odds)
    }

    /// Adds all steps from the positions of a layer.
    fn expand(&mut self, states: &[Rc<State<M>>], layer: usize) -> Result<(), Exhausted> {
        let least = states.iter().map(|state| state.ways[0].bits).min().unwrap_or_default();
        let mut desperate = 0;
        self.exact_left = EXACT_MAX;
        for state in states {
            let plies = state.position.plies();
            self.budget.spend(2 + plies.len() as u64 / 8)?;
            let direct = self.steps(state, &plies, LIMIT);
            let is_near = state.ways[0].bits <= least + self.costs.token.unreadable;
            if self.width.is_thorough
                && desperate < DESPERATE_MAX
                && is_near
                && direct >= DESPERATE_FROM
                && direct < Bits::MAX
            {
                desperate += 1;
                self.unreadable(state, &plies);
                self.missing(state, &plies, layer)?;
            }
        }
        Ok(())
    }

    /// Notes what is not followed: at these nodes, at this cost.
    fn cut(&mut self, at: [u32; 2], total: Bits) {
        let rest = self.spellers.iter().zip(at).map(|(speller, node)| speller.rest(node));
        self.cut = self.cut.min(rest.fold(total, |sum, bits| sum + bits));
    }

    fn add(&mut self, from: &Rc<State<M>>, bits: Bits, at: [u32; 2], step: Step) {
        let layer = (at[0] + at[1]) as usize;
        let total = from.ways[0].bits + bits;
        let least = self.least[layer];
        if total > least + self.width.window {
            self.cut(at, total);
            return;
        }
        self.least[layer] = total.min(least);
        self.pending[layer].push(Pending { from: Rc::clone(from), total, bits, at, step });
    }

    /// Adds the steps that read a token as a ply or leave it out; the cost of the next token, if it is read here: 0 if
    /// something fits, more if a number does not.
    fn steps(&mut self, state: &Rc<State<M>>, plies: &[Ply], limit: Bits) -> Bits {
        let mut direct = Bits::MAX;
        let sheets = self.sheets;
        for (index, sheet) in sheets.iter().enumerate() {
            let here = state.at[index];
            for (token, edge) in sheet.from(here) {
                if let Some(skip) = edge.skip {
                    let bits = skip + self.evidence(state, edge);
                    if matches!(edge.kind, EdgeKind::Number { .. }) {
                        direct = direct.min(if bits >= self.costs.token.number_side {
                            self.costs.character.dropped
                        } else {
                            bits
                        });
                    }
                    let mut at = state.at;
                    at[index] = edge.to;
                    self.add(state, bits, at, Step::Skip { sheet: index as u8, token });
                }
            }
        }
        let exact = self.exact(state);
        let mut read: [Vec<(u32, u32, Bits)>; 2] = [Vec::new(), Vec::new()];
        for ply in plies {
            for (index, sheet) in sheets.iter().enumerate() {
                read[index].clear();
                for (token, edge) in sheet.from(state.at[index]) {
                    let Some(divided) = edge.ply else { continue };
                    let mut bits = divided + self.spellers[index].cost(&state.position, ply, token);
                    if edge.natures != (ply.actor == Owner::Nature) {
                        bits += self.costs.token.number_wrong;
                    }
                    // A token that names a ply as it stands hardly means another one.
                    let named = exact.iter().find(|(sheet, named, ..)| *sheet == index && *named == token);
                    match named {
                        Some((_, _, named, lenient)) if named == ply => bits = *lenient,
                        Some(_) => bits = bits.max(self.costs.token.named),
                        None => {}
                    }
                    if bits <= limit {
                        read[index].push((token, edge.to, bits));
                    }
                    direct = direct.min(bits.min(LIMIT));
                }
            }
            self.read(state, ply, &read);
        }
        direct
    }

    /// The plies that tokens name as they are written, by the rules of notation: with the costs of what they leave out.
    fn exact(&mut self, state: &Rc<State<M>>) -> Vec<(usize, u32, Ply, Bits)> {
        if self.exact_left == 0 {
            return Vec::new();
        }
        self.exact_left -= 1;
        let (mut found, sheets) = (Vec::new(), self.sheets);
        for (index, sheet) in sheets.iter().enumerate() {
            let whole = sheet.from(state.at[index]).filter(|(_, edge)| edge.is_whole());
            for (token, _) in whole {
                let named = self.spellers[index].exact(&state.position, sheet, token);
                found.extend(named.map(|(ply, bits)| (index, token, ply, bits)));
            }
        }
        found
    }

    /// Adds a ply as tokens of the sheets.
    fn read(&mut self, state: &Rc<State<M>>, ply: &Ply, read: &[Vec<(u32, u32, Bits)>; 2]) {
        let step = |tokens, slip| Step::Ply { ply: *ply, tokens, slip, is_unreadable: false };
        if self.sheets.len() == 1 {
            for (token, to, bits) in &read[0] {
                self.add(state, *bits, [*to, 0], step([Some(*token), None], *bits));
            }
            return;
        }
        for (first, to, bits) in &read[0] {
            let missing = *bits + self.costs.token.missing;
            self.add(state, missing, [*to, state.at[1]], step([Some(*first), None], *bits));
            for (second, other_to, other) in &read[1] {
                let (both, tokens) = (*bits + *other, [Some(*first), Some(*second)]);
                self.add(state, both, [*to, *other_to], step(tokens, both));
            }
        }
        for (second, to, bits) in &read[1] {
            let missing = *bits + self.costs.token.missing;
            self.add(state, missing, [state.at[0], *to], step([None, Some(*second)], *bits));
        }
    }

    /// The cost of what a token that is left out says about the position.
    fn evidence(&self, state: &State<M>, edge: &Edge) -> Bits {
        let EdgeKind::Number { value, whites } = edge.kind else { return Bits::ZERO };
        let status = state.position.status();
        let is_white = status.turn == Owner::White;
        let mut bits = Bits::ZERO;
        if value != status.number {
            bits += self.costs.token.number_wrong;
        }
        if whites.is_some_and(|whites| whites != is_white) {
            bits += self.costs.token.number_side;
        }
        bits
    }

    /// Adds every ply for the next token.
    fn unreadable(&mut self, state: &Rc<State<M>>, plies: &[Ply]) {
        let bits = self.costs.token.unreadable + Bits::choice(plies.len());
        let sheets = self.sheets;
        for (index, sheet) in sheets.iter().enumerate() {
            // The whole token, and not a part of it or two as one.
            let token = sheet.from(state.at[index]).filter(|(_, edge)| edge.is_token());
            let Some((token, edge)) = token.max_by_key(|(_, edge)| edge.to) else { continue };
            let mut at = state.at;
            at[index] = edge.to;
            let mut tokens = [None; 2];
            tokens[index] = Some(token);
            for ply in plies {
                let slip = self.costs.token.unreadable;
                self.add(state, bits, at, Step::Ply { ply: *ply, tokens, slip, is_unreadable: true });
            }
        }
    }

    /// Adds every ply before the next token.
    fn missing(&mut self, state: &Rc<State<M>>, plies: &[Ply], layer: usize) -> Result<(), Exhausted> {
        let bits = self.costs.token.missing + Bits::choice(plies.len());
        if state.ways[0].bits + bits > self.least[layer] + self.width.window {
            return Ok(());
        }
        for ply in plies {
            let step = Step::Missing { ply: *ply };
            let pending = Pending {
                from: Rc::clone(state),
                total: state.ways[0].bits + bits,
                bits,
                at: state.at,
                step,
            };
            let (position, ..) = self.after(&pending);
            let mut ways = Vec::new();
            extend(&mut ways, &pending, bits, Bits::ZERO);
            let next = Rc::new(State { position, at: state.at, ways });
            let replies = next.position.plies();
            self.budget.spend(2 + replies.len() as u64 / 8)?;
            self.steps(&next, &replies, self.costs.character.dropped);
        }
        Ok(())
    }
}

/// Adds the ways of a step to those of a position.
fn extend<M>(ways: &mut Vec<Way>, pending: &Pending<M>, bits: Bits, odds: Bits) {
    for way in &pending.from.ways {
        let total = way.bits + bits;
        if ways.len() == WAYS_MAX && ways[WAYS_MAX - 1].bits <= total {
            break;
        }
        let link = Rc::new(Link { before: Some(Rc::clone(&way.link)), step: pending.step, bits });
        let at = ways.partition_point(|way| way.bits <= total);
        ways.insert(at, Way { bits: total, odds: way.odds + odds, link });
        ways.truncate(WAYS_MAX);
    }
}

/// True if a token names a piece and a square, where two pieces of the kind may go there.
fn lacks_origin<M: Mask>(before: &Position<M>, ply: &Ply, edge: &Edge) -> bool {
    let is_part = |char: &char| char.is_alphanumeric() && *char != 'x';
    let is_short = |(text, _): &(String, Bits)| text.chars().filter(is_part).count() <= SHORT_CHARS;
    ply.verb == Verb::Move
        && ply.actor != Owner::Nature
        && !before.rules().is_pawn(ply.kind)
        && edge.texts.iter().all(is_short)
        && origin_needed(before, ply) != Origin::Nothing
}

/// True if two positions are the same (COM-3). They have one key, which could be chance or contrived.
fn is_same<M: Mask>(one: &Position<M>, other: &Position<M>) -> bool {
    let hash = |position: &Position<M>| {
        let mut hasher = DefaultHasher::new();
        position.hash_identity(&mut hasher);
        hasher.finish()
    };
    hash(one) == hash(other)
}
