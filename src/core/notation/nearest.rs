//! The legal plies nearest to a text that fits none.

use super::movetext::{MoveText, Shape};
use crate::board::{Board, Mask, Owner, Square};
use crate::position::{Ply, Position, Verb};
use crate::text::distance;
use std::cmp::Reverse;

/// Maximum number of nearest legal plies in a fault.
const CANDIDATES: usize = 5;

/// The legal plies most similar to the text, best first.
pub fn nearest<M: Mask>(position: &Position<M>, text: &MoveText) -> Vec<Ply> {
    let board = position.rules().board();
    let mut scored: Vec<(u32, Ply)> = Vec::new();
    position.any_ply(|ply| {
        scored.push((likeness(board, text, ply), *ply));
        false
    });
    scored.sort_by_key(|(score, ply)| (u32::MAX - score, *ply));
    scored.into_iter().take(CANDIDATES).map(|(_, ply)| ply).collect()
}

/// The legal plies whose texts, as `spell` writes them, are most similar to an unreadable token, best first.
pub fn alike<M: Mask>(position: &Position<M>, token: &str, spell: impl Fn(&Ply) -> String) -> Vec<Ply> {
    let token = token.to_ascii_lowercase();
    let likeness = |ply: &Ply| {
        let text = spell(ply).to_ascii_lowercase();
        // At equal distance, plies with a longer common prefix come first; usually the piece is the same.
        let same = text.chars().zip(token.chars()).take_while(|(a, b)| a == b).count();
        (distance(&text, &token), Reverse(same), *ply)
    };
    let mut plies = position.plies();
    plies.sort_by_cached_key(likeness);
    plies.truncate(CANDIDATES);
    plies
}

/// Similarity of a ply and a text: actor, then target, kind and origin, then the rest; last, distance of the targets.
fn likeness(board: Board, text: &MoveText, ply: &Ply) -> u32 {
    let from = |is: &dyn Fn(Square) -> bool| ply.from.some().is_some_and(is);
    let file = text.from_file.is_some_and(|file| from(&|square| board.file(square) == file));
    let rank = text.from_rank.is_some_and(|rank| from(&|square| board.rank(square) == rank));
    let is_drop = matches!(text.shape, Shape::Drop | Shape::Introduction);
    let kind = match text.shape {
        Shape::Squares => false,
        Shape::Introduction => text.promotion == Some(ply.kind),
        _ => text.kinds.has(ply.kind),
    };
    let castling = ply.verb == Verb::Castle;
    let castles = match text.shape {
        Shape::CastleKingSide => u32::from(castling) + u32::from(castling && ply.other > ply.from),
        Shape::CastleQueenSide => u32::from(castling) + u32::from(castling && ply.other < ply.from),
        // A long king's step along its rank (for Nature, also its file) means castling.
        _ => 2 * u32::from(castling && file && rank && away(board, ply.from, text.to) >= 2),
    };
    // Two squares may denote a piece of any owner; a letter denotes the actor's own.
    let actor = if text.shape == Shape::Squares { 50 } else { 160 };
    // The letter after the squares, a promotion or a gate.
    let said = text.promotion.or(text.gates[0].map(|gate| gate.kind)).filter(|_| !is_drop);
    let done = ply.promotion.or(ply.gates[0].map(|gate| gate.kind));
    let near = 7 - u32::from(away(board, ply.to, text.to).min(7));
    actor * u32::from((ply.actor == Owner::Nature) == text.natures)
        + 40 * castles
        + 60 * u32::from(ply.to == text.to)
        + 40 * u32::from(kind)
        + 20 * (u32::from(file) + u32::from(rank))
        + 10 * u32::from(is_drop == (ply.from == Square::NONE))
        + 10 * u32::from(said == done)
        + 5 * u32::from(said.is_some() && done.is_some())
        + near
}

/// Distance of two squares in king's steps; 0 without a second square.
fn away(board: Board, a: Square, b: Square) -> u8 {
    let apart = |b| board.file(a).abs_diff(board.file(b)).max(board.rank(a).abs_diff(board.rank(b)));
    b.some().map_or(0, apart)
}
