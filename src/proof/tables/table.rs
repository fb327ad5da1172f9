//! A finished table.

use super::TableError;
use super::layout::Layout;
use super::material::Material;
use super::slab::Slab;
use super::solve::Halves;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::Piece;
use serde::Serialize;

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in so many of its moves.
    Win(u8),
    /// The side to move loses in so many moves of the opponent.
    Loss(u8),
}

/// The values of all positions of some material.
#[derive(Debug)]
pub struct Table {
    material: Material,
    layout: Layout,
    /// By man: where it may stand.
    allowed: Vec<u64>,
    halves: Halves,
}

/// What the positions of a table with one side to move are worth for that side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Won positions.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Lost positions.
    pub loss: u64,
    /// The most moves that a win takes; `None` if there is no win.
    pub longest_win: Option<u8>,
    /// The most moves of the opponent that a loss takes; `None` if there is no loss.
    pub longest_loss: Option<u8>,
}

/// What the positions of a table are worth. Every placement of the men counts, without regard to symmetry, if the side
/// that is not to move is not in check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// All positions.
    pub positions: u64,
    /// Those with White to move.
    pub white_to_move: Turn,
    /// Those with Black to move.
    pub black_to_move: Turn,
}

impl Table {
    pub(super) fn new(material: Material, layout: Layout, allowed: Vec<u64>, halves: Halves) -> Table {
        Table { material, layout, allowed, halves }
    }

    /// The men.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The positions that it keeps, each of which takes some 11 bits.
    pub fn positions(&self) -> u64 {
        self.layout.positions()
    }

    /// Where each placement is.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The positions by side to move.
    pub(super) fn halves(&self) -> &Halves {
        &self.halves
    }

    /// The number of symmetries of the board that change no value.
    pub fn symmetries(&self) -> usize {
        self.layout.symmetries()
    }

    /// The value for the side to move, with the men of the material on these squares; `None` if that is no legal
    /// position.
    pub fn value(&self, turn: Owner, squares: &[u8]) -> Option<Value> {
        let (word, at) = self.layout.place(squares)?;
        let words = self.layout.words_per_slab();
        let (slab, word) = (&self.halves[turn.index()][word / words], word % words);
        value(slab, word, at as usize, self.layout.squares)
    }

    /// True if each man is where one of its kind can stand: pawns cannot stand everywhere.
    pub(super) fn stands(&self, squares: &[u8]) -> bool {
        self.allowed.iter().zip(squares).all(|(allowed, square)| allowed >> square & 1 == 1)
    }

    /// Counts the positions by their value.
    pub fn stats(&self) -> Stats {
        let [white_to_move, black_to_move] = [0, 1].map(|half| self.count(half));
        let positions = |turn: Turn| turn.win + turn.draw + turn.loss;
        let positions = positions(white_to_move) + positions(black_to_move);
        Stats { positions, white_to_move, black_to_move }
    }

    fn count(&self, half: usize) -> Turn {
        let mut turn = Turn::default();
        for (number, slab) in self.halves[half].iter().enumerate() {
            let weight = self.layout.weight(number);
            for word in 0..self.layout.words_per_slab() {
                let legal = self.layout.bits() & !slab.illegal[word];
                let (won, lost) = (slab.won[word], slab.lost[word]);
                let count = |bits: u64| u64::from(bits.count_ones()) * weight;
                turn.win += count(won);
                turn.loss += count(lost);
                turn.draw += count(legal & !won & !lost);
            }
            turn.longest_win = turn.longest_win.max(slab.longest(&slab.won, self.layout.squares));
            turn.longest_loss = turn.longest_loss.max(slab.longest(&slab.lost, self.layout.squares));
        }
        // Men of one kind and side can exchange places without changing the placement.
        let same = self.exchanges();
        turn.win /= same;
        turn.draw /= same;
        turn.loss /= same;
        turn
    }

    /// In how many ways the table has each placement.
    fn exchanges(&self) -> u64 {
        let groups = self.material.others().chunk_by(|a, b| a == b);
        groups.map(|group| (1..=group.len() as u64).product::<u64>()).product()
    }
}

/// The value of one position of a slab.
fn value(slab: &Slab, word: usize, at: usize, squares: usize) -> Option<Value> {
    if slab.illegal[word] >> at & 1 == 1 {
        return None;
    }
    let moves = slab.moves[word * squares + at];
    Some(if slab.won[word] >> at & 1 == 1 {
        Value::Win(moves)
    } else if slab.lost[word] >> at & 1 == 1 {
        Value::Loss(moves)
    } else {
        Value::Draw
    })
}

/// The material of a position.
///
/// # Errors
/// If the position has what tables do not know: castling rights, an en passant capture, stocks.
pub fn material_of(position: &Position<u64>) -> Result<Material, TableError> {
    men_of(position).map(|(material, _)| material)
}

/// The material of a position and the men's squares.
pub(super) fn men_of(position: &Position<u64>) -> Result<(Material, Vec<u8>), TableError> {
    let rules = position.rules();
    let status = position.status();
    let stocked =
        |owner: &Owner| position.reserve(*owner).iter().chain(position.hand(*owner)).any(|&count| count > 0);
    let more = if status.castling.any() {
        Some("castling rights")
    } else if status.en_passant != Square::NONE {
        Some("an en passant capture")
    } else {
        Owner::REAL.iter().any(stocked).then_some("men off the board that may enter")
    };
    if let Some(more) = more {
        return Err(TableError::Material(format!("the position has {more}, which tables do not know")));
    }
    let mut men: Vec<(Piece, u8)> = position
        .occupied()
        .squares()
        .filter_map(|square| position.piece(square).map(|piece| (piece, square.0)))
        .collect();
    men.sort_by_key(|(man, _)| (man.kind != rules.king, man.owner, man.kind));
    let material = Material::new(rules, men.iter().map(|(man, _)| *man).collect())?;
    Ok((material, men.into_iter().map(|(_, square)| square).collect()))
}
