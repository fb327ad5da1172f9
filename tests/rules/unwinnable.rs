//! Whether a player can still win: labelled positions, and laws of the proofs in random lines.

use crate::common::{self, with_rules};
use ferz::board::{Mask, Owner};
use ferz::certificate::{Proof, Ranges, not_covered};
use ferz::position::Position;
use ferz::prove::{Chance, Never, chance};
use ferz::rules::{AnyRules, Registry, Rules};
use ferz::text::Budget;
use std::sync::Arc;

/// Positions that a search may visit: enough for nearly all of the fixture.
const NODES: u64 = 100_000;

/// The labelled positions: who can win, and the FEN.
fn positions() -> Vec<(String, String)> {
    let text = common::fixture("unwinnable/chasolver.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| (line[..2].to_owned(), line[3..].to_owned())).collect()
}

fn can_win(label: &str, owner: Owner) -> bool {
    label.contains(if owner == Owner::White { 'W' } else { 'B' })
}

fn rules(game: &str, tags: &[(&str, &str)]) -> AnyRules {
    let tag = |name: &str| tags.iter().find(|(tag, _)| *tag == name).map(|(_, value)| (*value).to_owned());
    Registry::built_in().rules(game, &tag).unwrap()
}

/// True if the line is legal and wins.
fn wins<M: Mask>(start: &Position<M>, line: &[ferz::Ply], by: Owner) -> bool {
    let mut position = start.clone();
    for ply in line {
        if !position.any_ply(|legal| legal == ply) {
            return false;
        }
        position.apply(ply);
    }
    position.shown_end().and_then(|(_, outcome)| outcome.winner()) == Some(by)
}

/// No answer contradicts the labels, every proof is accepted, and most positions are decided.
#[test]
fn labelled_positions_are_decided() {
    let AnyRules::Narrow(rules) = rules("chess", &[]) else { panic!() };
    let (mut asked, mut decided, mut findings) = (0, 0, Vec::new());
    let mut kinds = [0; 4];
    for (label, fen) in positions().into_iter().step_by(2) {
        let position = Position::from_fen(Arc::clone(&rules), &fen).unwrap();
        for owner in Owner::REAL {
            let mut spent = 0;
            let found = chance(&position, owner, NODES, &Budget::unlimited(), &mut spent);
            let (kind, right) = match &found {
                Chance::Line(line) => (0, can_win(&label, owner) && wins(&position, line, owner)),
                Chance::Never(Never::Material(_)) => (1, !can_win(&label, owner)),
                Chance::Never(Never::Proved(proof)) => {
                    let kind = if matches!(proof, Proof::Closure(_)) { 2 } else { 3 };
                    (
                        kind,
                        !can_win(&label, owner)
                            && proof.excludes(&position, owner, &Budget::unlimited()).is_ok(),
                    )
                }
                Chance::Unknown => (0, true),
            };
            asked += 1;
            if found != Chance::Unknown {
                decided += 1;
                kinds[kind] += 1;
            }
            if !right {
                findings.push(format!("{label} {owner:?} {fen}: {found:?}"));
            }
        }
    }
    common::report("labelled positions", asked, &findings);
    assert!(decided * 100 >= asked * 85, "{decided} of {asked} are decided");
    assert!(kinds.iter().all(|count| *count >= 5), "{kinds:?}");
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides.max(1) as u64) as usize
    }
}

/// Plays a random line of at most this many plies, and calls `each` after every ply.
fn play<M: Mask>(
    position: &mut Position<M>,
    plies: usize,
    dice: &mut Dice,
    mut each: impl FnMut(&Position<M>),
) {
    for _ in 0..plies {
        let legal = position.plies();
        if legal.is_empty() {
            return;
        }
        // Captures and pawns break structures; quiet plies of pieces are tried as often as all others.
        let ply = &legal[dice.roll(legal.len())];
        position.apply(ply);
        each(position);
    }
}

/// Grows the structure of a position for both players; random lines never leave it, and end in no win that it excludes.
fn structure_lasts<M: Mask>(start: &Position<M>, dice: &mut Dice) -> usize {
    if not_covered(start).is_some() {
        return 0;
    }
    let mut bounded = 0;
    for by in Owner::REAL {
        let mut ranges = Ranges::start(start);
        while ranges.grow(start, by) {}
        let may_win = ranges.may_win(start, by);
        bounded += usize::from(ranges.fixed().any());
        for _ in 0..8 {
            let mut position = start.clone();
            play(&mut position, 120, dice, |position| {
                if position.is_beyond_winning(by).is_some() {
                    return;
                }
                let fen = position.fen();
                for square in position.occupied().squares() {
                    let piece = position.piece(square).unwrap();
                    let at = position.rules().board().name(square);
                    assert!(
                        ranges.stands(piece.owner, piece.kind).has(square),
                        "{at}: {fen} from {}",
                        start.fen()
                    );
                    assert!(
                        !ranges.fixed().has(square) || start.piece(square) == Some(piece),
                        "{at}: {fen} from {}",
                        start.fen()
                    );
                }
                let winner = position.shown_end().and_then(|(_, outcome)| outcome.winner());
                assert!(may_win || winner != Some(by), "{fen} from {}", start.fen());
            });
        }
    }
    bounded
}

/// The blocked positions of the fixture, in every game that has its pieces.
#[test]
fn no_line_leaves_a_structure() {
    let mut dice = Dice(11);
    for game in ["chess", "iago-b", "seirawan"] {
        let AnyRules::Narrow(rules) = rules(game, &[]) else { panic!() };
        let (mut asked, mut bounded) = (0, 0);
        for (_, fen) in positions().iter().step_by(3) {
            let fen = if game == "chess" { fen.clone() } else { fen.replacen(' ', "[] ", 1) };
            let Ok(start) = Position::from_fen(Arc::clone(&rules), &fen) else { continue };
            asked += 1;
            bounded += structure_lasts(&start, &mut dice);
        }
        assert!(asked > 60 && bounded > 15, "{game}: {bounded} of {asked}");
    }
}

/// Positions out of random games, with rights to castle and to gate, reserves and promotion pools.
#[test]
fn no_line_leaves_the_structure_of_a_random_position() {
    let armies = [("WhiteArmy", "RfbN NW BD RfbNFA"), ("BlackArmy", "RfbN NW BffNsbN RNA")];
    let mut dice = Dice(13);
    fn of<M: Mask>(rules: &Arc<Rules<M>>, dice: &mut Dice) {
        for round in 0..12 {
            let mut start = Position::start(Arc::clone(rules));
            play(&mut start, 20 + 30 * round, dice, |_| {});
            structure_lasts(&start, dice);
        }
    }
    let games = ["chess", "iago-b", "iago-c", "iago-m", "ingols", "capablanca", "seirawan"];
    let all = games.map(|game| rules(game, &[]));
    for any in all.iter().chain([&rules("augmented", &armies)]) {
        with_rules!(any, rules => of(rules, &mut dice));
    }
}

/// The reason why a structure tells nothing is that of the game.
#[test]
fn structures_are_refused_where_pieces_come_back() {
    for (game, why) in [
        ("crazyhouse", "captured pieces come back"),
        ("chaos+chess", "Nature brings pieces back"),
        ("misere+chess", "winner and loser are exchanged"),
        ("bareking+chess", "a bare king loses"),
        ("chess", ""),
    ] {
        let AnyRules::Narrow(rules) = rules(game, &[]) else { panic!() };
        assert_eq!(not_covered(&Position::start(rules)).unwrap_or_default(), why, "{game}");
    }
}
