//! Searches for a line that wins, the most promising position first: for endings with few pieces, where both sides have
//! a long way to a mate in a corner.

use super::helpmate::{FAR, ways};
use crate::certificate::is_won;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::{Ply, Position};
use ferz_core::rules::{KindId, KindSet, Rules};
use ferz_core::text::Budget;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// What a pawn that has still to promote costs beside its way.
const PROMOTION: u32 = 3;
/// What it costs that no piece can help.
const HELPLESS: u32 = 12;
/// What a piece costs that would answer the check.
const HARMFUL: u32 = 4;
/// How much more the way ahead weighs than the way behind.
const AHEAD: u32 = 3;

/// A corner with the ways to the mate in it, by owner (attacker, victim) and kind.
struct Corner {
    ways: [Vec<Vec<u8>>; 2],
}

/// How far positions are from a mate.
struct Guide {
    corners: Vec<Corner>,
    attacker: Owner,
}

/// A position that was reached: the one before, and the ply.
struct Reached {
    before: u32,
    ply: Option<Ply>,
    length: u32,
}

/// Searches for a line that ends in a win of `by`, over at most `nodes` positions.
pub(super) fn search<M: Mask>(
    start: &Position<M>,
    by: Owner,
    nodes: u64,
    budget: &Budget,
    spent: &mut u64,
) -> Option<Vec<Ply>> {
    let attacker = if start.rules().ends.misere { by.opponent() } else { by };
    let guide = Guide::new(start.rules(), attacker);
    let mut seen = HashSet::from([start.key()]);
    let mut reached = vec![Reached { before: 0, ply: None, length: 0 }];
    let mut open = BinaryHeap::from([Reverse((0u32, 0u32))]);
    for _ in 0..nodes {
        let Reverse((_, at)) = open.pop()?;
        let line = line_to(&reached, at);
        let mut position = start.clone();
        line.iter().for_each(|ply| position.apply(ply));
        let plies = position.plies();
        *spent += 1;
        budget.spend(1 + plies.len() as u64).ok()?;
        if plies.is_empty() && is_won(&position, by) {
            return Some(line);
        }
        let length = reached[at as usize].length + 1;
        for ply in plies {
            let undo = position.apply_undoable(&ply);
            if seen.insert(position.key()) && position.is_beyond_winning(by).is_none() {
                let worth = guide.ahead(&position) * AHEAD + length;
                open.push(Reverse((worth, reached.len() as u32)));
                reached.push(Reached { before: at, ply: Some(ply), length });
            }
            position.undo(&undo);
        }
    }
    None
}

/// True if the victim's pieces must help: the attacker has a minor piece and perhaps pawns.
pub(super) fn needs_help<M: Mask>(position: &Position<M>, by: Owner) -> bool {
    !position.rules().ends.misere && harmful(position, by).is_some()
}

/// Where the attacker has one piece beside king and pawns, a minor one, the victim's must block its own king in: the
/// kinds that would rather answer the check, since they slide as that piece does or in all directions.
fn harmful<M: Mask>(position: &Position<M>, attacker: Owner) -> Option<KindSet> {
    let rules = position.rules();
    let (king, pawns) =
        (position.pieces(attacker, rules.king), position.state().pieces_of(attacker, rules.pawns));
    let others = position.owned(attacker) & !king & !pawns;
    let piece = position.piece(others.lowest()).filter(|_| others.is_single())?;
    let moves = &rules.moves[attacker.opponent()];
    let (straight, diagonal) = (moves.slides_straight(), moves.slides_diagonally());
    let harmful = if rules.bishops.has(piece.kind) { straight } else { straight.both(diagonal) };
    rules.minors.has(piece.kind).then_some(harmful)
}

/// The plies to a position.
fn line_to(reached: &[Reached], mut at: u32) -> Vec<Ply> {
    let mut line = Vec::new();
    while let Reached { before, ply: Some(ply), .. } = &reached[at as usize] {
        line.push(*ply);
        at = *before;
    }
    line.reverse();
    line
}

impl Guide {
    fn new<M: Mask>(rules: &Rules<M>, attacker: Owner) -> Guide {
        let board = rules.board();
        let at = |file: u8, rank: u8| Square(rank * board.files() + file);
        let mut corners = Vec::new();
        for (file, side) in [(0, 1i8), (board.files() - 1, -1)] {
            for (rank, inward) in [(0, 1i8), (board.ranks() - 1, -1)] {
                let corner = at(file, rank);
                let offset = |dx: i8, dy: i8| board.offset(corner, dx, dy).unwrap_or(corner);
                let (diagonal, beside) = (offset(side, inward), offset(side, 0));
                let all = |owner: Owner, king: Square, other: Square| {
                    let of = |kind: KindId| {
                        ways(rules, owner, kind, if kind == rules.king { king } else { other }, 0, M::EMPTY)
                    };
                    rules.all_kinds().kinds().map(of).collect()
                };
                corners.push(Corner {
                    ways: [all(attacker, diagonal, corner), all(attacker.opponent(), corner, beside)],
                });
            }
        }
        Guide { corners, attacker }
    }

    /// About how many plies a position is from a mate.
    fn ahead<M: Mask>(&self, position: &Position<M>) -> u32 {
        self.corners.iter().map(|corner| self.to_corner(position, corner)).min().unwrap_or(0)
    }

    fn to_corner<M: Mask>(&self, position: &Position<M>, corner: &Corner) -> u32 {
        let rules = position.rules();
        let victim = self.attacker.opponent();
        let king = |owner: Owner, ways: &[Vec<u8>]| {
            let square = position.state().king(rules, owner);
            square.some().map_or(0, |square| u32::from(ways[rules.king.index()][square.index()]))
        };
        let mut ahead = king(self.attacker, &corner.ways[0]) + king(victim, &corner.ways[1]);
        ahead += self.force(position, self.attacker, &corner.ways[0], KindSet::EMPTY);
        if let Some(harmful) = harmful(position, self.attacker) {
            ahead += self.force(position, victim, &corner.ways[1], harmful);
            let pieces = harmful.kinds().map(|kind| position.pieces(victim, kind).count());
            ahead += HARMFUL * pieces.sum::<u32>();
        }
        ahead
    }

    /// How far the nearest piece of a player is from its place, pawns by way of their promotion, without some kinds.
    fn force<M: Mask>(
        &self,
        position: &Position<M>,
        owner: Owner,
        ways: &[Vec<u8>],
        without: KindSet,
    ) -> u32 {
        let rules = position.rules();
        let others = position.owned(owner) & !position.pieces(owner, rules.king);
        let way = |square: Square| {
            let piece = position.piece(square).filter(|piece| !without.has(piece.kind))?;
            if rules.is_pawn(piece.kind) {
                let rank = rules.board().rank(square);
                let left = if owner == Owner::White { rules.board().ranks() - 1 - rank } else { rank };
                return Some(u32::from(left) + PROMOTION);
            }
            let way = ways[piece.kind.index()][square.index()];
            (way != FAR).then_some(u32::from(way))
        };
        others.squares().filter_map(way).min().unwrap_or(HELPLESS)
    }
}
