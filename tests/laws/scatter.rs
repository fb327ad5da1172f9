//! Positions that no game would soon come to: few pieces anywhere, stocks half full.

use crate::random::Random;
use ferz::board::{Mask, Owner};
use ferz::position::Position;
use ferz::rules::definition::MoveCount;
use ferz::rules::{KindId, KindSet, Rules, Stock};
use std::sync::Arc;

/// A random position of the game, if one of several tries makes sense.
pub fn scatter<M: Mask>(rules: &Arc<Rules<M>>, random: &mut Random) -> Option<Position<M>> {
    (0..40).find_map(|_| {
        let fields = Fields::random(rules, random);
        let rights = ["KQkq", "KQ", "kq", "K", "k", "Q", "q", "-"];
        rights.iter().find_map(|rights| Position::from_fen(rules.clone(), &fields.fen(rights)).ok())
    })
}

/// The fields of a FEN but for the castling rights.
struct Fields {
    placement: String,
    turn: &'static str,
    clock: String,
}

impl Fields {
    fn random<M: Mask>(rules: &Rules<M>, random: &mut Random) -> Fields {
        let board = rules.board();
        let mut squares: Vec<Option<String>> = vec![None; board.len()];
        let home = random.chance(60);
        for owner in Owner::REAL {
            if !rules.special.has_king[owner] {
                continue;
            }
            let king = rules.array_squares[owner][rules.king.index()];
            let at = if home && king.any() { king.lowest().index() } else { random.below(board.len()) };
            squares[at] = Some(letter(rules, owner, rules.king));
            if let Some(castling) = rules.castling.filter(|_| home) {
                for kind in castling.rooks.kinds() {
                    for rook in rules.array_squares[owner][kind.index()].squares() {
                        squares[rook.index()] = Some(letter(rules, owner, kind));
                    }
                }
            }
        }
        for owner in Owner::REAL {
            // A pawn one step before the square where it wins.
            let goal = rules.kings_square[owner].lowest().some().filter(|_| random.chance(40));
            let before = goal.and_then(|goal| board.offset(goal, 0, -owner.forward()));
            if let Some((at, pawn)) = before.zip(rules.pawns.kinds().next()) {
                squares[at.index()].get_or_insert_with(|| letter(rules, owner, pawn));
            }
        }
        if let Some(kind) = rules.special.anti_king {
            let natures = rules.nature.is_some() && random.chance(80);
            for owner in Owner::REAL.into_iter().chain(natures.then_some(Owner::Nature)) {
                let at = random.below(board.len());
                squares[at].get_or_insert_with(|| letter(rules, owner, kind));
            }
        }
        let bare = rules.ends.bare_king.loses() || rules.ends.count != MoveCount::None;
        let most = if bare && random.chance(40) { 4 } else { 2 + board.len() / 4 };
        for _ in 0..random.below(most) {
            let at = random.below(board.len());
            if squares[at].is_none() {
                squares[at] = Some(any_piece(rules, random));
            }
        }
        let mut placement = placement(board.files(), &squares);
        for (has, starting) in [(rules.has_reserve, Some(&rules.reserve)), (rules.has_hand, None)] {
            if has {
                placement.push_str(&stock(rules, starting, random));
            }
        }
        let limit = rules.nature.as_ref().map(|nature| nature.period.max(nature.delay));
        let clock = match limit {
            Some(_) if rules.special.natures_anti_king && random.chance(10) => " ~-".to_owned(),
            Some(limit) => format!(" ~{}", random.below(usize::from(limit) + 1)),
            None => String::new(),
        };
        Fields { placement, turn: if random.chance(50) { "w" } else { "b" }, clock }
    }

    fn fen(&self, rights: &str) -> String {
        format!("{} {} {rights} - 3 20{}", self.placement, self.turn, self.clock)
    }
}

fn placement(files: u8, squares: &[Option<String>]) -> String {
    let rank = |squares: &[Option<String>]| {
        let mut text = String::new();
        let mut vacant = 0;
        for square in squares {
            match square {
                None => vacant += 1,
                Some(piece) => {
                    if vacant > 0 {
                        text.push_str(&vacant.to_string());
                    }
                    vacant = 0;
                    text.push_str(piece);
                }
            }
        }
        if vacant > 0 { text + &vacant.to_string() } else { text }
    };
    let ranks: Vec<String> = squares.chunks(usize::from(files)).rev().map(rank).collect();
    ranks.join("/")
}

/// How a FEN writes the kind for its owner.
fn letter<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> String {
    let label = rules.kind(kind).label[owner];
    let plus = if label.plus { "+" } else { "" };
    let letter = label.letter as char;
    let letter = if owner == Owner::Black { letter.to_ascii_lowercase() } else { letter };
    let natures = if owner == Owner::Nature { "*" } else { "" };
    format!("{natures}{plus}{letter}{}", if label.other_army { "'" } else { "" })
}

fn any_piece<M: Mask>(rules: &Rules<M>, random: &mut Random) -> String {
    if let Some(nature) = rules.nature.as_ref().filter(|_| random.chance(30)) {
        let kinds = nature.promotes.kinds().chain(nature.introduces.kinds());
        let kinds: Vec<KindId> = kinds.collect::<KindSet>().kinds().collect();
        return letter(rules, Owner::Nature, *random.pick(&kinds));
    }
    let kinds = (0..rules.kinds.len() as u8).map(KindId);
    let placed = |kind: KindId| kind == rules.king || rules.special.anti_king == Some(kind);
    let kinds: Vec<KindId> = kinds.filter(|&kind| !placed(kind)).collect();
    let pawn = rules.pawns.kinds().next().filter(|_| random.chance(40));
    letter(rules, *random.pick(&Owner::REAL), pawn.unwrap_or_else(|| *random.pick(&kinds)))
}

/// Part of a starting stock, or a few pieces of any kind.
fn stock<M: Mask>(rules: &Rules<M>, starting: Option<&Stock>, random: &mut Random) -> String {
    let mut text = String::from("[");
    for owner in Owner::REAL {
        for kind in (0..rules.kinds.len() as u8).map(KindId).filter(|&kind| kind != rules.king) {
            if rules.kind(kind).plus || rules.special.anti_king == Some(kind) {
                continue;
            }
            let most = starting.map_or(1, |stock| stock[kind.index()]);
            for _ in 0..most {
                if random.chance(if starting.is_some() { 60 } else { 15 }) {
                    text.push_str(&letter(rules, owner, kind));
                }
            }
        }
    }
    text + "]"
}
