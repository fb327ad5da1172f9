//! Random games in which the laws are asked after every ply.

use crate::check::{self, Law, ensure};
use crate::common::coord_of;
use crate::model;
use crate::random::Random;
use crate::scatter::scatter;
use crate::spelling::spellings_are_read_alike;
use crate::tally::{Tally, features};
use crate::text::texts_are_read_back;
use ferz::board::{Mask, Owner};
use ferz::position::{Ply, Position, Verb};
use ferz::rules::Rules;
use std::collections::HashMap;
use std::sync::Arc;

/// Longest random game, in plies, from the array and from a scattered position.
const LENGTHS: [usize; 2] = [160, 50];

/// What a game does without, so that something rare can happen later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Saving {
    Nothing,
    /// King and rook stand still until they castle.
    Castling,
    /// The same, and nothing is gated or dropped from the reserve before.
    Reserve,
}

/// Keys and positions that belong together, over all games of one set of rules.
#[derive(Debug, Default)]
struct Keys {
    by_identity: HashMap<Vec<u8>, u64>,
    by_key: HashMap<u64, Vec<u8>>,
    by_text: HashMap<String, Vec<u8>>,
}

impl Keys {
    /// Equal identities have equal keys, and the other way round; whatever the FEN shows besides counters and rights
    /// without effect belongs to the identity, which begins with the FEN's first two fields.
    fn check<M: Mask>(&mut self, position: &Position<M>) -> Law {
        let (fen, key, identity) = (position.fen(), position.key(), position.identity());
        let fields: Vec<&str> = fen.split(' ').collect();
        let placed = format!("{} {}", fields[0], fields[1]);
        ensure(identity.starts_with(placed.as_bytes()), || {
            "the identity begins otherwise than the FEN".into()
        })?;
        let text: Vec<&str> =
            fields.iter().enumerate().filter(|(i, _)| !(4..6).contains(i)).map(|(_, f)| *f).collect();
        let known = self.by_text.entry(text.join(" ")).or_insert_with(|| identity.clone());
        ensure(*known == identity, || "the same position had another identity before".into())?;
        let known = *self.by_identity.entry(identity.clone()).or_insert(key);
        ensure(known == key, || "the same identity had another key before".into())?;
        let known = self.by_key.entry(key).or_insert_with(|| identity.clone());
        ensure(*known == identity, || format!("the key is also that of {}", String::from_utf8_lossy(known)))
    }
}

/// One random game after the other.
pub struct Walk<'a, M> {
    rules: &'a Arc<Rules<M>>,
    random: Random,
    keys: Keys,
    /// What this game saves up for.
    saving: Saving,
    /// What happened.
    pub tally: Tally,
}

impl<'a, M: Mask> Walk<'a, M> {
    /// Games of these rules; `seed` makes them others.
    pub fn new(rules: &'a Arc<Rules<M>>, seed: u64) -> Walk<'a, M> {
        let random = Random::new(&rules.id.name, seed);
        Walk { rules, random, keys: Keys::default(), saving: Saving::Nothing, tally: Tally::default() }
    }

    /// Plays games of at least `plies` plies together.
    ///
    /// # Errors
    /// The law that did not hold, with the game that led there.
    pub fn play(&mut self, plies: usize) -> Result<(), String> {
        let mut left = plies;
        while left > 0 {
            let mut moves = Vec::new();
            self.saving = *self.random.pick(&[Saving::Nothing, Saving::Castling, Saving::Reserve]);
            let scattered = if self.random.chance(60) { scatter(self.rules, &mut self.random) } else { None };
            let longest = LENGTHS[usize::from(scattered.is_some())];
            let start = scattered.unwrap_or_else(|| Position::start(self.rules.clone()));
            let fen = start.fen();
            let outcome = self.game(start, left.min(longest), &mut moves);
            left = left.saturating_sub(moves.len().max(1));
            outcome.map_err(|error| {
                format!("{}: {error}\n  from {fen}\n  by {}", self.rules.id.name, moves.join(" "))
            })?;
        }
        Ok(())
    }

    fn game(
        &mut self,
        mut position: Position<M>,
        length: usize,
        moves: &mut Vec<String>,
    ) -> Result<(), String> {
        let mut shadow = position.clone();
        let mut since = u32::from(position.state().status().nature.clock);
        let mut others: Vec<Ply> = Vec::new();
        for number in 0..=length {
            let plies = position.plies();
            let wrong = |error| format!("after ply {number}: {error}\n  in {}", position.fen());
            self.laws(&position, &plies, &others, since).map_err(wrong)?;
            self.tally.position(&position);
            if plies.is_empty() || number == length {
                break;
            }
            let ply = self.choose(&position, &plies);
            // Drawn apart, so that the games stay the same.
            let mut apart = self.random.clone();
            let some: Vec<Ply> = (0..4).map(|_| *apart.pick(&plies)).chain([ply]).collect();
            texts_are_read_back(&position, &some).map_err(wrong)?;
            spellings_are_read_alike(self.rules, &position).map_err(wrong)?;
            moves.push(coord_of(&position, &ply));
            self.tally.ply(&position, &ply);
            // A game that goes on from a position that was read goes on alike.
            if number % 8 == 0 {
                shadow = self.reread(&position)?;
            }
            let before = position.clone();
            position.apply(&ply);
            shadow.apply(&ply);
            let wrong = |error| format!("ply {}: {error}\n  in {}", number + 1, before.fen());
            model::adds_up(&before, &ply, &position).map_err(wrong)?;
            let same = position.fen() == shadow.fen() && position.key() == shadow.key();
            ensure(same, || format!("from a position that was read: {}", shadow.fen())).map_err(wrong)?;
            since = match ply.actor {
                // The placement of her Anti-King is no turn.
                Owner::Nature if before.placement_is_due() => since,
                Owner::Nature => 0,
                _ => since + 1,
            };
            others.extend(plies);
            let kept = others.len().saturating_sub(200);
            others.drain(..kept);
        }
        Ok(())
    }

    fn reread(&self, position: &Position<M>) -> Result<Position<M>, String> {
        let fen = position.fen();
        Position::from_fen(self.rules.clone(), &fen).map_err(|error| format!("{fen} is refused: {error}"))
    }

    fn laws(&mut self, position: &Position<M>, plies: &[Ply], others: &[Ply], since: u32) -> Law {
        position.check_invariants()?;
        let (state, rules) = (position.state(), position.rules());
        if let Some(nature) = &rules.nature {
            let out = state.status().nature.eliminated;
            let wanted = if out { 0 } else { since.min(u32::from(nature.period.max(nature.delay))) };
            let clock = u32::from(state.status().nature.clock);
            ensure(clock == wanted, || format!("Nature's clock is {clock}, not {wanted}"))?;
        }
        self.keys.check(position)?;
        check::coordinates_differ(position, plies)?;
        check::only_those_who_may_act(position, plies)?;
        check::fen_is_read_back(position, &self.reread(position)?, plies)?;
        check::origins_agree(position, plies)?;
        check::plain_steps_agree(position, plies)?;
        check::kings_are_safe(position, plies)?;
        // Drawn apart, so that the games stay the same.
        check::counts_add_up(position, plies, self.random.clone().chance(4))?;
        let sample: Vec<Ply> =
            plies.iter().filter(|_| plies.len() < 60 || self.random.chance(30)).copied().collect();
        check::plies_are_taken_back(position, &sample)?;
        check::single_plies_agree(position, plies, others, &mut self.random)
    }

    /// Half of the time any ply, half of the time one of the sort that was seen least so far.
    fn choose(&mut self, position: &Position<M>, plies: &[Ply]) -> Ply {
        let kept = saved(position, plies, self.saving);
        let plies = if kept.is_empty() { plies } else { &kept };
        if self.random.chance(50) {
            return *self.random.pick(plies);
        }
        let mut sorts: Vec<(&str, Vec<Ply>)> = Vec::new();
        for ply in plies {
            let sort = features(position, ply)[0];
            match sorts.iter_mut().find(|(known, _)| *known == sort) {
                Some((_, list)) => list.push(*ply),
                None => sorts.push((sort, vec![*ply])),
            }
        }
        sorts.sort_by_key(|(sort, _)| self.tally.count(sort));
        let rare = &sorts[0].1;
        *self.random.pick(rare)
    }
}

/// The plies that do without what the game saves up.
fn saved<M: Mask>(position: &Position<M>, plies: &[Ply], saving: Saving) -> Vec<Ply> {
    let (state, rules) = (position.state(), position.rules());
    let rights = state.status().castling;
    let castles = |owner| (rights & state.owned(owner)).any();
    let keeps = |ply: &&Ply| match (ply.actor, ply.verb, saving) {
        (_, _, Saving::Nothing) | (_, Verb::Castle | Verb::EnPassant, _) => true,
        (Owner::Nature, Verb::Move, _) => !state.status().nature.unmoved.has(ply.from),
        (Owner::Nature, Verb::Drop, _) => true,
        (actor, _, Saving::Reserve) if castles(actor) && (ply.gates_any() || ply.verb == Verb::Drop) => false,
        (actor, Verb::Move, _) => !rights.has(ply.from) && (ply.kind != rules.king || !castles(actor)),
        (_, Verb::Drop | Verb::Switch | Verb::Pass, _) => true,
    };
    plies.iter().filter(keeps).copied().collect()
}
