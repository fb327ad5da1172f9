//! Finds the rulings that decided a game. A field did where another reading of it would have made a ply legal or
//! illegal, or the end another one: the plies are made again by the rules of that reading.

use super::game::Game;
use super::report::{Decision, Effect, OtherReading, Report};
use crate::board::Mask;
use crate::judge::{EndReason, Events, Judge};
use crate::notation::{MoveText, resolve};
use crate::position::{Ply, Position};
use crate::rules::Rules;
use crate::rules::readings::{DependsOn, RULINGS, Ruling, value};
use crate::rules::registry::{TagLookup, with_field};
use crate::text::{Budget, Exhausted};
use std::sync::Arc;
use toml::Table;

/// The ends by repetition.
const REPETITIONS: [EndReason; 3] =
    [EndReason::FourfoldRepetition, EndReason::FivefoldRepetition, EndReason::PerpetualCheck];

/// Budget units for making a ply by the rules of another reading.
const UNITS_PLY: u64 = 4;

/// A ruling, and the rules of a game by another reading of it.
#[derive(Debug)]
pub(crate) struct OtherRules<M> {
    /// The ruling.
    pub(crate) ruling: &'static Ruling,
    /// The reading of the game itself.
    pub(crate) own: String,
    /// The other reading.
    pub(crate) other: &'static str,
    /// The rules by it.
    pub(crate) rules: Arc<Rules<M>>,
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
    for ruling in RULINGS.iter().filter(|ruling| ruling.matters(&rules.definition, &values)) {
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
        let others = if self.report.stood.is_empty() { self.game.other_rules(tags) } else { &[] };
        for others in others {
            if !self.may_change(others) {
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

    /// False if other rules certainly make no difference: what they depend on has not happened.
    fn may_change(&self, others: &OtherRules<M>) -> bool {
        if self.report.illegal.is_some() {
            return true;
        }
        let end = self.report.end.map(|end| end.reason);
        let is = |reading: &str| others.own == reading;
        let happened = |event: Events| self.judge.events().has_any(event);
        match others.ruling.depends {
            DependsOn::Nothing => true,
            DependsOn::PromotionInside => happened(Events::PROMOTED_INSIDE),
            DependsOn::Promotion => happened(Events::PROMOTED),
            DependsOn::NaturesEnPassant => happened(Events::NATURES_EN_PASSANT),
            DependsOn::Delay => {
                let delay = Events::KING_IN_DELAY.and(Events::CASTLED_IN_DELAY).and(Events::NO_SAFE_PLY);
                // The piece in its delay is part of the position, so that fewer positions are the same.
                let repeated = end.is_some_and(|reason| REPETITIONS.contains(&reason));
                is("piece") || repeated || happened(delay)
            }
            DependsOn::CastlingInDelay => {
                let may_castle = happened(Events::MAY_CASTLE) && (is("all") || end.is_some());
                may_castle || happened(Events::CASTLED_IN_DELAY)
            }
            DependsOn::NaturesCheck => end == Some(EndReason::NaturesMate) || happened(Events::KING_IN_DELAY),
        }
    }

    /// The first difference that other rules make.
    fn effect(&self, others: &OtherRules<M>) -> Result<Option<Effect>, Exhausted> {
        let is_usual = std::ptr::eq(self.start, self.game.usual_start());
        let start = if is_usual { others.start.clone() } else { others.position(&self.start.fen()) };
        let Some(mut position) = start else { return Ok(None) };
        let mut judge = Judge::new(&position);
        for (index, ply) in self.judge.made().iter().enumerate() {
            self.budget.spend(UNITS_PLY)?;
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
    use super::*;
    use crate::notation::{Style, write_alone};
    use crate::position::Verb;
    use crate::record::read;
    use crate::replay::{AnyGame, Options, Replayer, Source};
    use crate::rules::Registry;
    use std::collections::BTreeSet;

    /// Games in which little is left, so that kings meet Nature, pawns are promoted, and castling stays possible.
    const STARTS: &[(&str, &[&str])] = &[
        (
            "chaos",
            &[
                "",
                "r3k2r/P6P/8/8/8/2*R5/p6p/R3K2R[] w KQkq - 0 1 ~4",
                "4k3/PP6/8/3*Q4/8/8/1p6/4K2R[] w K - 0 1 ~1",
                "r3k3/8/2*N2*R2/8/4*B3/8/8/R3K2R[] b KQq - 0 1 ~2",
                "7k/6pp/8/8/3*R4/8/PP6/K7[] w - - 0 1 ~5",
                "4k3/2p1p3/8/3*P4/3*P4/8/2P1P3/4K3[] w - - 0 1 ~4",
            ],
        ),
        ("ichess", &["", "4k3/8/PPP5/8/8/5ppp/8/4K3[Nn] w - - 0 9", "7k/P7/1P6/8/8/6p1/7p/K7[] w - - 0 9"]),
        ("chaos+ichess", &["", "4k3/8/PPP5/3*R4/8/5ppp/8/4K3[Nn] w - - 0 9 ~3"]),
        ("ingols", &[""]),
    ];

    const CHOICES: [&str; 6] = [
        "basic",
        "advanced",
        "delay-scope=piece",
        "natures-mate=either",
        "reentry=piece, delay-frees-castling=all",
        "advanced, delay-scope=piece, natures-mate=either",
    ];

    /// What is passed over changes nothing.
    #[test]
    fn readings_that_are_passed_over_change_nothing() {
        let mut state = 11u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut spared, mut changed) = (0, BTreeSet::new());
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        for (variant, fens) in STARTS {
            for choice in &CHOICES[..if variant.contains("chaos") { CHOICES.len() } else { 1 }] {
                let tags = |name: &str| (name == "NatureRules").then(|| (*choice).to_owned());
                let Ok(AnyGame::Narrow(game)) = replayer.game_named(variant, &tags) else {
                    panic!("{variant} has 64 squares");
                };
                for (fen, round) in fens.iter().flat_map(|fen| (0..10).map(move |round| (fen, round))) {
                    // Without a choice, Nature has no pawns.
                    let given = Position::from_fen(Arc::clone(&game.rules), fen);
                    let start = if fen.is_empty() { Ok(game.usual_start().clone()) } else { given };
                    let Ok(start) = start else { continue };
                    let (mut position, mut judge) = (start.clone(), Judge::new(&start));
                    let mut text = format!(
                        "[Variant \"{variant}\"]\n[NatureRules \"{choice}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n",
                        start.fen()
                    );
                    for _ in 0..20 + 5 * round {
                        let plies = position.plies();
                        let special = |ply: &&Ply| {
                            ply.promotion.is_some() || ply.verb == Verb::Castle || ply.verb == Verb::EnPassant
                        };
                        let special: Vec<&Ply> = plies.iter().filter(special).collect();
                        if plies.is_empty() || judge.end().is_some() {
                            break;
                        }
                        let ply = match &special[..] {
                            [_, ..] if next(2) == 0 => special[next(special.len())],
                            _ => &plies[next(plies.len())],
                        };
                        text.push_str(&write_alone(&position, ply, Style::Coord));
                        text.push(' ');
                        position.apply(ply);
                        judge.after(&position, ply);
                    }
                    judge.conclude(&position);
                    let record = read(text.as_bytes(), 0).next().expect("a record");
                    let report = replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0);
                    assert!(report.legal, "{text}\n{report:?}");
                    let budget = Budget::unlimited();
                    let decided = Decided {
                        game: &game,
                        start: &start,
                        judge: &judge,
                        report: &report,
                        tried: None,
                        budget: &budget,
                    };
                    for others in game.other_rules(&tags) {
                        let Ok(effect) = decided.effect(others) else { panic!("no budget ends") };
                        let (field, other) = (others.ruling.field, others.other);
                        assert!(
                            effect.is_none() || decided.may_change(others),
                            "{field} {other}: {effect:?}\n{text}"
                        );
                        spared += usize::from(!decided.may_change(others));
                        if effect.is_some() {
                            changed.insert(field);
                        }
                    }
                }
            }
        }
        assert!(spared > 100, "{spared}");
        let fields = RULINGS.iter().filter(|ruling| ruling.depends != DependsOn::Nothing);
        let never: Vec<&str> =
            fields.map(|ruling| ruling.field).filter(|field| !changed.contains(field)).collect();
        assert!(never.is_empty(), "never changed a game: {never:?}");
    }
}
