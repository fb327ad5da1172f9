//! Finds the rulings that decided a game. A field did where another reading of it would have made a ply legal or
//! illegal, or the end another one: the plies are made again by the rules of that reading.

use super::game::Game;
use super::report::{Decision, Effect, OtherReading, Report};
use super::touched::Touched;
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Judge;
use ferz_core::notation::{MoveText, resolve};
use ferz_core::position::Call;
use ferz_core::position::{Ply, Position};
use ferz_core::rules::readings::{RULINGS, Ruling, value};
use ferz_core::rules::registry::{TagLookup, with_field};
use ferz_core::rules::{KindId, Rules};
use ferz_core::text::{Budget, Exhausted};
use std::sync::Arc;
use toml::Table;

/// Budget units for making a ply by the rules of another reading.
const UNITS_PLY: u64 = 4;

/// A ruling, and the rules of a game by another reading of it.
#[derive(Debug)]
pub struct OtherRules<M> {
    /// The ruling.
    pub ruling: &'static Ruling,
    /// The reading of the game itself.
    pub own: String,
    /// The other reading.
    pub other: &'static str,
    /// The rules by it.
    pub rules: Arc<Rules<M>>,
    /// The start position of the game by these rules, if they allow it.
    start: Option<Position<M>>,
}

impl<M: Mask> OtherRules<M> {
    /// The position with this FEN, by these rules; `None` if they do not allow it.
    fn position(&self, fen: &str) -> Option<Position<M>> {
        Position::from_fen(Arc::clone(&self.rules), fen).ok()
    }
}

/// The rules of a game by the other readings of every ruling that matters in it; `start` is its usual start position.
pub(super) fn other_rules<M: Mask>(rules: &Rules<M>, start: &str, tags: TagLookup<'_>) -> Vec<OtherRules<M>> {
    let mut others = Vec::new();
    let Ok(values) = Table::try_from(&rules.definition) else { return others };
    let matters = |ruling: &&Ruling| ruling.may_matter(rules) && ruling.matters(&rules.definition, &values);
    for ruling in RULINGS.iter().filter(matters) {
        let Some(own) = value(&values, ruling.field).and_then(|own| own.as_str()) else { continue };
        for &other in ruling.readings.iter().filter(|other| **other != own) {
            if let Ok(rules) = with_field(rules, ruling.field, other, tags) {
                let (own, rules) = (own.to_owned(), Arc::new(rules));
                let mut found = OtherRules { ruling, own, other, rules, start: None };
                found.start = found.position(start);
                others.push(found);
            }
        }
    }
    others
}

/// A game that was judged.
pub(super) struct Decided<'a, M: Mask> {
    pub game: &'a Game<M>,
    pub start: &'a Position<M>,
    pub judge: &'a Judge<M>,
    pub report: &'a Report,
    /// The text of the illegal ply, if it can be read.
    pub tried: Option<MoveText>,
    pub budget: &'a Budget,
}

impl<M: Mask> Decided<'_, M> {
    /// What decided the game, in the order of its plies.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(super) fn decisions(&self, tags: TagLookup<'_>) -> Result<Vec<Decision>, Exhausted> {
        let mut all = Vec::new();
        // By other rules, a ply that was let stand is as illegal.
        let others = if self.report.let_stand.is_empty() { self.game.other_rules(tags) } else { &[] };
        let touched = self.touched(others)?;
        for others in others {
            if !self.may_decide(others, touched) {
                debug_assert!(self.makes_no_difference(others), "{}", others.ruling.field);
                continue;
            }
            let Some(effect) = self.effect(others)? else { continue };
            let end =
                self.report.end.filter(|end| matches!(effect, Effect::Ends(_)) && end.ply < effect.ply());
            all.push(Decision {
                ruling: others.ruling.id.to_owned(),
                field: Some(others.ruling.field.to_owned()),
                reading: Some(others.own.clone()),
                ply: end.map_or(effect.ply(), |end| end.ply),
                other: Some(OtherReading { reading: others.other.to_owned(), effect }),
            });
        }
        let end = self.report.end.map_or(usize::MAX, |end| end.ply);
        if let Some(ply) = self.judge.repeats_by_legal_en_passant().filter(|ply| *ply < end) {
            all.push(Decision { ruling: "COM-3".to_owned(), field: None, reading: None, ply, other: None });
        }
        let illegal = self.report.illegal.iter().map(|illegal| (illegal.ply, &illegal.rule));
        let end = self.report.end.map(|end| end.ply).zip(self.report.end_rule.as_ref());
        for (ply, rule) in illegal.chain(end) {
            for id in rulings(rule) {
                if !all.iter().any(|known| known.ruling == id && known.ply == ply) {
                    let ruling = id.to_owned();
                    all.push(Decision { ruling, field: None, reading: None, ply, other: None });
                }
            }
        }
        all.sort_by_key(|decision| decision.ply);
        Ok(all)
    }

    /// True if the game is the same by other rules, of whatever length it is.
    fn makes_no_difference(&self, others: &OtherRules<M>) -> bool {
        Budget::endless(|budget| Ok(Decided { budget, ..*self }.effect(others)?.is_none()))
    }

    /// What a game with a third player has touched, if that shows which readings cannot differ: not of one that ended,
    /// had an illegal ply, or has a piece that must stay attacked.
    fn touched(&self, others: &[OtherRules<M>]) -> Result<Option<Touched>, Exhausted> {
        let rules = &self.game.rules;
        let shows = self.report.end.is_none() && self.report.illegal.is_none();
        if others.is_empty() || rules.nature.is_none() || rules.special.anti_king.is_some() || !shows {
            return Ok(None);
        }
        self.budget.spend(self.judge.plies() as u64)?;
        Ok(Some(Touched::of(self.start, self.begins_as_usual(), self.judge)))
    }

    /// False if the readings of a ruling differ in nothing that the game has touched: no ply needs to be made again.
    fn may_decide(&self, others: &OtherRules<M>, touched: Option<Touched>) -> bool {
        let ruling = others.ruling;
        (!ruling.is_about_resting_pawns() || self.rests_where_it_promotes())
            && (!ruling.is_about_the_kings_square() || self.is_on_the_kings_square())
            && touched.is_none_or(|touched| touched.may_decide(ruling, &others.own))
    }

    fn begins_as_usual(&self) -> bool {
        std::ptr::eq(self.start, self.game.usual_start())
    }

    /// True if some piece of a player was, after any ply or at the start, on a square on which it may promote.
    fn rests_where_it_promotes(&self) -> bool {
        let rules = &self.game.rules;
        let promotes = |owner: Owner, kind: KindId, on: M| {
            (rules.promotion[owner].zones[kind.slot()] & on).any() || owner == Owner::Nature
        };
        let at_the_start = |owner: Owner| {
            let mut kinds = (0..rules.kinds.len() as u8).map(KindId);
            kinds.any(|kind| promotes(owner, kind, self.start.state().pieces(owner, kind)))
        };
        Owner::REAL.into_iter().any(at_the_start)
            || self.judge.made().iter().any(|ply| {
                promotes(ply.actor, ply.promotion.unwrap_or(ply.kind), M::bit(ply.to))
                    || ply
                        .gates
                        .iter()
                        .flatten()
                        .any(|gate| promotes(ply.actor, gate.kind, M::bit(gate.square)))
            })
    }

    /// True if a piece of a player was on the square of the enemy king's array, or may have tried to come there.
    fn is_on_the_kings_square(&self) -> bool {
        let square = |owner: Owner| self.game.rules.kings_square[owner];
        let at_the_start = |owner: Owner| (self.start.state().owned(owner) & square(owner)).any();
        self.report.illegal.is_some()
            || Owner::REAL.into_iter().any(at_the_start)
            || self.judge.made().iter().any(|ply| square(ply.actor).has(ply.to))
    }

    /// The first difference that other rules make.
    fn effect(&self, others: &OtherRules<M>) -> Result<Option<Effect>, Exhausted> {
        let start =
            if self.begins_as_usual() { others.start.clone() } else { others.position(&self.start.fen()) };
        let Some(mut position) = start else { return Ok(None) };
        let mut judge = Judge::new(&position);
        for (index, ply) in self.judge.made().iter().enumerate() {
            self.budget.spend(UNITS_PLY)?;
            for call in Call::after(self.judge.calls(), index) {
                // By other rules it may have no effect.
                let _ = judge.call(&mut position, call);
            }
            if let Some(effect) = refused(&position, &mut judge, ply, index + 1) {
                return Ok(Some(effect));
            }
            position.apply(ply);
            judge.after(&position, ply);
        }
        let ends = (self.report.end, judge.end_in(&position));
        let illegal = self.report.illegal.as_ref().map(|illegal| illegal.ply);
        Ok(match (ends, illegal.zip(self.tried)) {
            ((own, Some(other)), _) if own != Some(other) => Some(Effect::Ends(other)),
            ((Some(own), None), _) => Some(Effect::GoesOn { ply: own.ply }),
            ((_, None), Some((ply, text))) if resolve(&position, &text).is_ok() => {
                Some(Effect::Legal { ply })
            }
            _ => None,
        })
    }
}

/// Why a ply is not legal by other rules.
fn refused<M: Mask>(
    position: &Position<M>,
    judge: &mut Judge<M>,
    ply: &Ply,
    number: usize,
) -> Option<Effect> {
    let failed = position.state().failures(position.rules(), ply);
    if !failed.is_empty() {
        judge.conclude(position);
    }
    match judge.end().filter(|_| judge.is_over()) {
        Some(end) => Some(Effect::Ends(end)),
        None if failed.is_empty() => None,
        None => failed.first().map(|reason_id| Effect::Illegal { ply: number, reason_id }),
    }
}

/// The rulings of a citation: ids with a hyphen.
fn rulings(rule: &str) -> impl Iterator<Item = &str> {
    rule.split(", ").filter(|id| id.contains('-') && !id.contains(' '))
}

#[cfg(test)]
mod tests {
    use crate::replay::tests::report;

    /// The rulings of a Chaos game from this position with these plies, each with its ply.
    fn decided(plies: &str) -> (Option<usize>, Vec<(String, usize)>) {
        let fen = "1n1k4/8/8/8/3p4/8/4P3/3RK1N1[] w - - 0 1 ~5";
        let text = format!(
            "[Variant \"chaos+chess\"]\n[NatureRules \"basic\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{plies} *\n"
        );
        let report = report(&text);
        assert!(report.illegal.is_none(), "{:?}", report.diagnostics);
        let all = report.decided_by.iter().map(|found| (found.ruling.clone(), found.ply));
        (report.end.map(|end| end.ply), all.filter(|(ruling, _)| ruling == "COM-3").collect())
    }

    /// Black's pawn is pinned, so that no capture on e3 is legal; but Nature could unpin it.
    #[test]
    fn a_right_that_only_nature_could_give_an_effect_keeps_positions_apart() {
        let round = "Nc6 Nf3 Nb8 Ng1 ";
        assert_eq!(decided(&format!("e4 {}", round.repeat(3))), (None, Vec::new()));
        let com_3 = |ply| ("COM-3".to_owned(), ply);
        assert_eq!(decided(&format!("e4 {}", round.repeat(4))), (None, vec![com_3(17)]));
        assert_eq!(decided(&format!("e4 {} Nc6", round.repeat(4))), (Some(18), vec![com_3(17)]));
        // A step without a right.
        assert_eq!(decided(&format!("e3 {}", round.repeat(4))), (Some(17), Vec::new()));
    }
}
