//! Whether a player can still win: labelled positions, and laws of the proofs in random lines.

use crate::common::{self, with_rules};
use ferz::board::{Mask, Owner};
use ferz::certificate::{Proof, Ranges, Supposed, excluding, not_covered};
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
    assert!(decided * 100 >= asked * 94, "{decided} of {asked} are decided");
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

/// The structure of a position in a case.
fn structure<M: Mask>(start: &Position<M>, by: Owner, supposed: Supposed<M>) -> Ranges<M> {
    let mut ranges = Ranges::start(start, supposed);
    while ranges.grow(start, by) {}
    ranges
}

/// Fails if a position is not one of the structure, or is won although the structure excludes it.
fn is_within<M: Mask>(ranges: &Ranges<M>, start: &Position<M>, position: &Position<M>, by: Owner) {
    let winner = position.shown_end().map(|(_, outcome)| outcome.winner());
    // What is over and not won may lie outside.
    if position.is_beyond_winning(by).is_some() || winner.is_some_and(|winner| winner != Some(by)) {
        return;
    }
    let fen = position.fen();
    for square in position.occupied().squares() {
        let piece = position.piece(square).unwrap();
        let at = position.rules().board().name(square);
        assert!(ranges.stands(piece.owner, piece.kind).has(square), "{at}: {fen} from {}", start.fen());
        assert!(
            !ranges.fixed().has(square) || start.piece(square) == Some(piece),
            "{at}: {fen} from {}",
            start.fen()
        );
    }
    assert!(winner.is_none() || ranges.may_win(start, by), "{fen} from {}", start.fen());
}

/// Grows the structure of a position for both players; random lines never leave it, and end in no win that it excludes.
fn structure_lasts<M: Mask>(start: &Position<M>, dice: &mut Dice) -> usize {
    if not_covered(start).is_some() {
        return 0;
    }
    let mut bounded = 0;
    for by in Owner::REAL {
        let ranges = structure(start, by, Supposed::NOTHING);
        bounded += usize::from(ranges.fixed().any());
        for _ in 0..8 {
            play(&mut start.clone(), 120, dice, |position| is_within(&ranges, start, position, by));
        }
        cases_last(start, by, dice);
    }
    bounded
}

/// Supposes of a piece that it is captured before it moves, or not; each line lies in the structure of its case.
fn cases_last<M: Mask>(start: &Position<M>, by: Owner, dice: &mut Dice) {
    let men: Vec<_> = start
        .occupied()
        .squares()
        .filter(|square| start.piece(*square).unwrap().kind != start.rules().king)
        .collect();
    let Some(&square) = men.get(dice.roll(men.len())) else { return };
    let cases = Supposed::cases(M::bit(square)).into_iter().map(|case| structure(start, by, case));
    let [kept, taken] = cases.collect::<Vec<_>>().try_into().unwrap();
    for _ in 0..8 {
        let mut line = vec![start.clone()];
        play(&mut start.clone(), 80, dice, |position| line.push(position.clone()));
        let leaves = line.iter().position(|position| position.piece(square) != start.piece(square));
        // The piece left its square with a ply of its own, or another one's ply captured it there.
        let is_taken = leaves.is_some_and(|at| {
            let (owner, before) = (start.piece(square).unwrap().owner, &line[at - 1]);
            before.turn() != owner
        });
        let of_case = if is_taken { &taken } else { &kept };
        line.iter().for_each(|position| is_within(of_case, start, position, by));
    }
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

/// Blocked positions of all kinds of arguments: who is in the way wherever it stands, pawns that face each other, plies
/// that end the game, and pieces that are captured where they stand or not at all.
#[test]
fn blocked_positions_are_decided() {
    let AnyRules::Narrow(rules) = rules("chess", &[]) else { panic!() };
    for (fen, by) in [
        ("8/8/1k6/p1p1p1p1/P1P1P1Pb/7K/4B3/8 w - - 0 1", "wb"),
        ("2k5/p1p1p1p1/P1P1P1P1/2p1p2K/8/8/2P1P3/8 w - - 0 1", "wb"),
        ("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/4bB1K b - - 0 1", "b"),
        ("1k6/b1b5/7p/5p1P/5p2/5PpK/6P1/8 w - - 0 1", "wb"),
        ("B2b4/8/8/4k3/1p1p1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1", "b"),
        ("8/1p6/1Pp5/k1P5/p1P5/P1K1B3/3B4/8 w - - 0 1", "wb"),
    ] {
        let position = Position::from_fen(Arc::clone(&rules), fen).unwrap();
        for owner in by.chars().map(|by| if by == 'w' { Owner::White } else { Owner::Black }) {
            let found = chance(&position, owner, NODES, &Budget::unlimited(), &mut 0);
            let Chance::Never(Never::Proved(proof)) = &found else { panic!("{owner:?} {fen}: {found:?}") };
            assert_eq!(proof.excludes(&position, owner, &Budget::unlimited()), Ok(()), "{owner:?} {fen}");
        }
    }
    // What looks blocked, and is not: a king whose own step would seem to stalemate, a pawn that captures past another.
    for (fen, owner) in [
        ("8/6p1/6Pp/7K/5k1P/8/8/8 b - - 0 1", Owner::White),
        ("8/6p1/6Pp/7K/5k1P/8/8/8 b - - 0 1", Owner::Black),
        ("8/1p1b4/pPp1p1p1/BkP1P1P1/1P1Bp2K/1Pp1P3/2P5/8 w - - 0 1", Owner::Black),
    ] {
        let position = Position::from_fen(Arc::clone(&rules), fen).unwrap();
        assert!(excluding(&position, owner).is_none(), "{owner:?} {fen}");
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
