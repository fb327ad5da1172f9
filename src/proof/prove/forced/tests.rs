//! The search against plain exhaustion, and positions with known mates.

use super::*;
use crate::certificate::{ClaimKind, Effort, History};
use crate::tables::{Material, Tables, Value};
use ferz_core::position::{Call, Outcome, Ply};
use ferz_core::rules::{AnyRules, Registry, Rules};
use ferz_core::text::Budget;
use std::collections::BTreeMap;
use std::sync::Arc;

fn rules(variant: &str) -> AnyRules {
    let armies = |tag: &str| tag.ends_with("Army").then(|| "RF NA BD QffNsbN".to_owned());
    Registry::built_in().rules(variant, &armies).expect("rules")
}

fn at<M: Mask>(rules: Arc<Rules<M>>, fen: Option<&str>) -> Position<M> {
    match fen {
        Some(fen) => Position::from_fen(rules, fen).expect("a position"),
        None => Position::start(rules),
    }
}

fn position(variant: &str, fen: Option<&str>) -> Position<u64> {
    match rules(variant) {
        AnyRules::Narrow(rules) => at(rules, fen),
        AnyRules::Wide(_) => panic!("{variant} has more than 64 squares"),
    }
}

fn mate_by<M: Mask>(attacker: Owner, played: &[Position<M>]) -> Goal {
    let mut occurrences = Occurrences::default();
    played.iter().for_each(|position| occurrences.note(position));
    Goal { attacker, mate: true, with_nature: false, occurrences, within_plan: None }
}

fn found<M: Mask>(position: &Position<M>, goal: &Goal, moves: u32) -> Answer {
    prove(position, goal, moves, 2_000_000, &Budget::unlimited()).answer
}

/// The moves within which the answer is a mate; 0 if there is none.
fn length(answer: &Answer) -> u8 {
    match answer {
        Answer::Forced { moves, .. } => *moves,
        Answer::NotForced { .. } => 0,
        Answer::Unknown => panic!("the budget ended"),
    }
}

/// The definition itself, by trying everything: no table, no order, and the whole history of every line.
struct Naive {
    attacker: Owner,
    line: Vec<Vec<u8>>,
}

impl Naive {
    fn mates<M: Mask>(
        &mut self,
        position: &Position<M>,
        actor: Option<Owner>,
        moves: u32,
        declined: bool,
    ) -> bool {
        if let Some((reason, outcome)) = position.shown_end() {
            return reason == EndReason::Checkmate && outcome == Outcome::won_by(self.attacker);
        }
        if actor.is_some() {
            self.line.push(position.identity());
        }
        let mates = !self.is_drawn(position, actor)
            && !self.declares(position)
            && self.plies_mate(position, moves, declined)
            && self.mates_whatever_is_called(position, moves, declined);
        if actor.is_some() {
            self.line.pop();
        }
        mates
    }

    fn is_drawn<M: Mask>(&self, position: &Position<M>, actor: Option<Owner>) -> bool {
        let ends = &position.rules().ends;
        let own = position.identity();
        let times = self.line.iter().filter(|other| **other == own).count();
        let defends = |owner: Owner| owner == self.attacker.opponent();
        let may_claim = defends(position.turn()) || actor.is_some_and(defends);
        let halfmoves = position.status().halfmoves;
        let limits = if may_claim { (3, 100) } else { (5, 150) };
        ends.repetition == Repetition::Fide && times >= limits.0
            || ends.repetition == Repetition::FourfoldPerpetual && times >= 4
            || matches!(ends.repetition, Repetition::ThreefoldPerpetual | Repetition::Threefold) && times >= 3
            || ends.quiet_limit > 0 && halfmoves >= 2 * ends.quiet_limit
            || ends.move_counters && halfmoves >= limits.1
            || ends.dead_position.by_material() && position.is_dead()
    }

    /// The defender declares that his king has entered.
    fn declares<M: Mask>(&self, position: &Position<M>) -> bool {
        position.turn() != self.attacker
            && position.declared().is_some_and(|declared| declared.outcome != Outcome::won_by(self.attacker))
    }

    /// The defender begins a count of moves.
    fn mates_whatever_is_called<M: Mask>(
        &mut self,
        position: &Position<M>,
        moves: u32,
        declined: bool,
    ) -> bool {
        let mut called = position.clone();
        let calls = position.turn() != self.attacker && called.call(Call::CountStart).is_ok();
        !calls || self.plies_mate(&called, moves, declined)
    }

    fn plies_mate<M: Mask>(&mut self, position: &Position<M>, moves: u32, declined: bool) -> bool {
        let attacks = position.turn() == self.attacker;
        if moves == 0 && attacks {
            return false;
        }
        let after = |ply: &Ply| {
            let mut after = position.clone();
            after.apply(ply);
            after
        };
        let plies = position.plies();
        let (natures, own): (Vec<&Ply>, Vec<&Ply>) = plies.iter().partition(|ply| ply.actor == Owner::Nature);
        if !declined && !natures.iter().all(|ply| self.mates(&after(ply), Some(ply.actor), moves, false)) {
            return false;
        }
        let mut each =
            |ply: &&Ply| self.mates(&after(ply), Some(ply.actor), moves - u32::from(attacks), false);
        if attacks { own.iter().any(&mut each) } else { own.iter().all(&mut each) }
    }
}

/// The checker on the plan of an answer: what is true, and that there is a plan.
fn by_plan<M: Mask>(answer: &Answer, played: &[Position<M>], by: Owner, moves: u32) -> bool {
    let (Answer::Forced { proof, .. } | Answer::NotForced { proof }) = answer else { panic!("unknown") };
    let last = played.last().expect("a start");
    let proof = proof.as_ref().expect("a proof");
    let claim = (ClaimKind::ForcedMate, by, Some(moves));
    let checked = proof.check(last, &history(played), claim, Effort::of(&Budget::unlimited()));
    checked.unwrap_or_else(|why| panic!("{} {by:?} {moves}: {why}", last.fen()))
}

fn history<M: Mask>(played: &[Position<M>]) -> History {
    let mut history = History::of(&played[0]);
    for pair in played.windows(2) {
        let mover = pair[0].plies().into_iter().find(|ply| {
            let mut after = pair[0].clone();
            after.apply(ply);
            after.identity() == pair[1].identity()
        });
        history.note(&pair[1], mover.expect("a ply").actor);
    }
    history
}

fn naive<M: Mask>(position: &Position<M>, attacker: Owner, played: &[Position<M>], moves: u32) -> bool {
    let line = played.iter().map(Position::identity).collect();
    Naive { attacker, line }.mates(position, None, moves, false)
}

/// A deterministic stream of numbers below a bound.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Random games: for every ply the best of a few by chance, so that kings are attacked.
fn random_games<M: Mask>(start: &Position<M>, games: u64, mut each: impl FnMut(&[Position<M>])) {
    for game in 0..games {
        let mut dice = Dice(game * 7919 + 17);
        let mut played = vec![start.clone()];
        while played.len() < 90 {
            let last = played.last().expect("a start");
            let plies = last.plies();
            if plies.is_empty() {
                break;
            }
            let after = |ply: &Ply| {
                let mut after = last.clone();
                after.apply(ply);
                after
            };
            let mut best: Option<(usize, Position<M>)> = None;
            for _ in 0..3 {
                let next = after(&plies[dice.below(plies.len())]);
                let value = 8 * usize::from(next.in_check())
                    + dice.below(4)
                    + 4 * usize::from(next.occupied().count() < last.occupied().count());
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, next));
                }
            }
            played.push(best.expect("three").1);
            each(&played);
        }
    }
}

#[test]
fn known_mates_have_their_length() {
    for (variant, fen, by, moves) in [
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Owner::White, 1),
        ("chess", "7k/8/4K3/8/6Q1/8/8/8 w - - 0 1", Owner::White, 2),
        ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Owner::White, 2),
        ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", Owner::White, 3),
        // Before the second ply of a mate in two the defender may write a ply that completes fifty moves.
        ("chess", "7k/8/4K3/8/6Q1/8/8/8 w - - 97 90", Owner::White, 2),
        ("chess", "7k/8/4K3/8/6Q1/8/8/8 w - - 98 90", Owner::White, 0),
    ] {
        let start = position(variant, Some(fen));
        let goal = mate_by(by, std::slice::from_ref(&start));
        let answer = found(&start, &goal, 4);
        assert_eq!(length(&answer), moves, "{fen}");
        assert_eq!(by_plan(&answer, std::slice::from_ref(&start), by, 4), moves > 0, "{fen}");
    }
}

/// In a problem with one king it is mated, whatever is in hand; and a player who may declare is not.
#[test]
fn problems_and_declarations() {
    let answers = |fen: &str, by: Owner| {
        let AnyRules::Wide(rules) = rules("shogi") else { panic!("shogi has 81 squares") };
        let start = [at(rules, Some(fen))];
        let answer = found(&start[0], &mate_by(by, &start), 3);
        assert_eq!(by_plan(&answer, &start, by, 3), length(&answer) > 0, "{fen}");
        length(&answer)
    };
    assert_eq!(answers("4k4/9/4P4/9/9/9/9/9/9[Grrbbggg] w - - 0 1", Owner::White), 1);
    assert_eq!(answers("9/9/4k4/9/9/9/9/9/9[P] w - - 0 1", Owner::White), 0);
    // Black's king has entered, with ten men and their points: the plan against any mate is to declare.
    let AnyRules::Wide(rules) = rules("shogi") else { panic!("shogi has 81 squares") };
    let start = [at(rules, Some("9/9/9/K8/9/9/4rbbr1/1gggggssp/4k4 b - - 0 1"))];
    assert!(start[0].may_declare());
    let answer = found(&start[0], &mate_by(Owner::White, &start), 2);
    assert!(!by_plan(&answer, &start, Owner::White, 2));
    let Answer::NotForced { proof: Some(plan) } = answer else { panic!("{answer:?}") };
    assert!(plan.nodes.len() == 1 && plan.nodes[0].plies.is_empty());
}

/// Endgame tables know the length of a mate without any search. `FERZ_MATES` is the number of positions of each length.
#[test]
fn mates_of_endgame_tables_are_found_in_their_length() {
    let wanted = std::env::var("FERZ_MATES").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    for (variant, material) in [
        ("chess", "KQvK"),
        ("chess", "KRvK"),
        ("chess", "KvKR"),
        ("chess", "KPvK"),
        ("iago-b", "KMvK"),
        ("iago-b", "KvKC"),
        ("augmented", "KQvK"),
        ("augmented", "KRvK"),
    ] {
        let rules = Arc::clone(position(variant, None).shared_rules());
        let material = Material::parse(&rules, material).expect("material");
        let mut tables = Tables::new(Arc::clone(&rules));
        let table = tables.build(&material, &Budget::unlimited(), &mut |_, _| ()).expect("a table");
        let (mut dice, mut seen) = (Dice(5), [0; 5]);
        for _ in 0..200_000 {
            let squares: Vec<u8> = material.men().iter().map(|_| dice.below(64) as u8).collect();
            let by = Owner::REAL[dice.below(2)];
            let Some(Value::Win(moves @ 1..=4)) = table.value(by, &squares) else { continue };
            if seen[usize::from(moves)] == wanted {
                continue;
            }
            seen[usize::from(moves)] += 1;
            let mut cells = vec![None; 64];
            for (man, square) in material.men().iter().zip(&squares) {
                cells[usize::from(*square)] = Some(*man);
            }
            let start = Position::of_men(Arc::clone(&rules), &cells, by);
            let played = std::slice::from_ref(&start);
            let goal = mate_by(by, played);
            let answer = found(&start, &goal, u32::from(moves));
            assert_eq!(length(&answer), moves, "{}", start.fen());
            assert!(by_plan(&answer, played, by, u32::from(moves)), "{}", start.fen());
            if moves > 1 {
                let sooner = found(&start, &goal, u32::from(moves) - 1);
                assert_eq!(length(&sooner), 0, "{}", start.fen());
                assert!(!by_plan(&sooner, played, by, u32::from(moves) - 1), "{}", start.fen());
            }
        }
        assert!(seen.iter().skip(2).sum::<usize>() > 0, "{variant}: {seen:?}");
    }
}

/// How many positions of each game had a shortest mate of each length; 0 where none is forced.
type Lengths<'v> = BTreeMap<(&'v str, u8), usize>;

/// Men of a start that is compared, too: one with a mate in it, and not the array.
const FEW_MEN: u32 = 12;

/// Compares the search with exhaustion in random games from a position, for mates in up to `most` moves.
fn agree<'v, M: Mask>(
    start: &Position<M>,
    variant: &'v str,
    most: u32,
    games: u64,
    lengths: &mut Lengths<'v>,
) {
    let mut agrees = |played: &[Position<M>]| {
        let last = played.last().expect("a start");
        if last.shown_end().is_some() || last.is_dead() {
            return;
        }
        for by in Owner::REAL {
            let goal = mate_by(by, played);
            for moves in 1..=most {
                let answer = found(last, &goal, moves);
                let mates = naive(last, by, played, moves);
                assert_eq!(by_plan(&answer, played, by, moves), mates, "{variant} {}", last.fen());
                let answer = length(&answer);
                assert_eq!(answer > 0, mates, "{variant} {} {by:?} {moves}", last.fen());
                assert!(answer <= 1 || !naive(last, by, played, u32::from(answer) - 1), "{}", last.fen());
                *lengths.entry((variant, answer)).or_insert(0) += 1;
            }
        }
    };
    if start.occupied().count() < FEW_MEN {
        agrees(std::slice::from_ref(start));
    }
    random_games(start, games, |played| {
        if played.len() % 8 == 0 {
            agrees(played);
        }
    });
}

/// Plain exhaustion visits every line, so boards with few men are searched deeper. `FERZ_MATES` multiplies the games.
#[test]
fn the_search_agrees_with_exhaustion() {
    let mut lengths = Lengths::new();
    let wanted = std::env::var("FERZ_MATES").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    for (variant, fen, most, games) in [
        ("chess", None, 2, 3),
        ("augmented", None, 2, 2),
        ("iago-b", None, 2, 1),
        ("ichess", None, 2, 2),
        ("crazyhouse", None, 2, 2),
        ("seirawan", None, 2, 1),
        ("chaos+chess", None, 1, 1),
        ("misere+chess", None, 2, 1),
        ("chess", Some("7k/7p/8/8/4K3/8/6R1/8 w - - 0 1"), 3, 1),
        ("iago-b", Some("7k/7p/8/8/4K3/8/6C1/8 w - - 0 1"), 3, 1),
        ("augmented", Some("7k/7p/8/8/4K3/8/6R1/8 w - - 0 1"), 3, 1),
        ("crazyhouse", Some("7k/6pp/8/8/4K3/8/6R1/8[] w - - 0 1"), 3, 1),
        ("seirawan", Some("7k/7p/8/8/4K3/8/6R1/8[] w - - 0 1"), 3, 1),
        ("ichess", Some("7k/7p/8/8/4K3/8/6R1/8 w - - 0 1"), 3, 1),
        ("chaos+chess", Some("7k/7p/8/8/4K3/8/6R1/8 w - - 0 1"), 2, 1),
        ("xiangqi", None, 2, 1),
        ("xiangqi", Some("3ak4/9/9/9/9/4N4/9/9/4R4/3K5 w - - 0 1"), 3, 1),
        ("chaos+xiangqi", None, 1, 1),
        ("makruk", None, 2, 3),
        ("makruk", Some("7k/7m/8/8/4K3/8/5SR1/8 w - - 0 1"), 3, 1),
        ("makruk", Some("7k/8/6K1/8/8/8/3R4/8 w - - 0 1"), 2, 1),
        ("shogi", None, 1, 1),
        ("shogi", Some("4k4/9/4P4/9/9/9/9/9/4K4[Gg] w - - 0 1"), 2, 1),
        ("shogi", Some("4K1R1k/PPPP5/PPPPPPPG1/9/9/9/9/9/9 b - - 0 1"), 1, 1),
        ("janggi", None, 1, 2),
        ("janggi", Some("3k5/9/9/9/9/4R4/9/9/4C4/4K4 w - - 0 1"), 2, 1),
        ("janggi-casual", Some("3k5/9/9/9/9/4R4/9/9/4C4/4K4 w - - 0 1"), 2, 1),
        ("chaos+xiangqi", Some("3ak4/9/9/9/9/4N4/9/9/4R4/3K5 w - - 0 1"), 1, 1),
    ] {
        match rules(variant) {
            AnyRules::Narrow(rules) => agree(&at(rules, fen), variant, most, games * wanted, &mut lengths),
            AnyRules::Wide(rules) => agree(&at(rules, fen), variant, most, games * wanted, &mut lengths),
        }
    }
    println!("answers by game and length, 0 where no mate is forced: {lengths:?}");
    let mates: usize = lengths.iter().filter(|((_, length), _)| *length > 0).map(|(_, count)| count).sum();
    assert!(mates > 3, "{lengths:?}");
    for game in ["makruk", "shogi", "janggi"] {
        assert!(
            lengths.keys().any(|(variant, length)| *variant == game && *length > 0),
            "{game}: {lengths:?}"
        );
    }
}

/// A plan that holds is accepted where nothing but a rule of perpetual check speaks against it, and no search wins
/// against it.
#[test]
fn plans_that_hold_are_accepted_and_not_beaten() {
    let mut held = BTreeMap::new();
    for (variant, fen) in [
        ("chess", Some("6k1/6p1/5p2/7Q/8/8/rr6/7K w - - 0 1")),
        ("chess", Some("8/8/3k4/8/2pP4/2P5/3K4/8 w - - 0 1")),
        ("chess", Some("4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1")),
        ("crazyhouse", Some("6k1/6p1/5p2/7Q/8/8/rr6/7K[] w - - 0 1")),
        ("ichess", Some("6k1/6p1/5p2/7Q/8/8/rr6/7K w - - 0 1")),
        ("chaos+chess", Some("8/8/3k4/8/2pP4/2P5/3K4/8 w - - 0 1")),
    ] {
        random_games(&position(variant, fen), 1, |played| {
            let last = played.last().expect("a start");
            if last.shown_end().is_some() || played.len() % 12 != 2 {
                return;
            }
            let history = history(played);
            for (by, with_nature) in Owner::REAL.into_iter().flat_map(|by| [(by, false), (by, true)]) {
                let holding = Holding { by, with_nature, history: &history, within_plan: None };
                let Some(plan) = hold(last, &holding, 2_000, &Budget::unlimited(), &mut 0) else { continue };
                let (kind, claimant) = match with_nature {
                    false => (ClaimKind::ForcedDraw, by),
                    true => (ClaimKind::ForcedWin, by.opponent()),
                };
                let perpetual = last.rules().ends.repetition == Repetition::FourfoldPerpetual;
                match plan.check(last, &history, (kind, claimant, None), Effort::of(&Budget::unlimited())) {
                    Ok(true) => assert_eq!(claimant, by),
                    Ok(false) => assert_ne!(claimant, by),
                    Err(why) => assert!(perpetual && why.contains("perpetual"), "{}: {why}", last.fen()),
                }
                let goal = Goal { mate: false, with_nature: !with_nature, ..mate_by(by.opponent(), played) };
                let beaten = found(last, &goal, 2);
                assert!(matches!(beaten, Answer::NotForced { .. }) || perpetual, "{}", last.fen());
                *held.entry(variant).or_insert(0) += 1;
            }
        });
    }
    assert!(held.get("chess") > Some(&9) && held.len() > 1, "{held:?}");
}
