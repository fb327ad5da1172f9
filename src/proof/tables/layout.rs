//! Where a placement is in a table.
//!
//! A table is cut into slabs, one for each pair of kings' squares that no symmetry maps to an earlier one. A slab has a
//! word for each placement of the other men but the last, and a word has a bit for each square of the last man. So a
//! whole word is worked on at once, and most moves stay inside a slab, which fits into the processor's cache.

use super::material::Material;
use super::symmetry::{Symmetry, bit, inverses, symmetries};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::rules::Rules;

/// The number of a pair of kings' squares without a slab.
const NO_SLAB: u16 = u16::MAX;

/// The place of every placement of one material.
#[derive(Debug)]
pub(super) struct Layout {
    /// Squares of the board.
    pub(super) squares: usize,
    /// All squares of the board.
    pub(super) all: u64,
    /// Men besides the kings.
    pub(super) others: usize,
    symmetries: Vec<Symmetry>,
    inverses: Vec<u8>,
    /// By the kings' squares: the slab, and the symmetry that maps the pair to the slab's.
    pairs: Vec<(u16, u8)>,
    /// By slab: the kings' squares, and how many pairs the slab stands for.
    slabs: Vec<([u8; 2], u16)>,
}

/// A pair of kings' squares as seen from its slab.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub(super) slab: usize,
    symmetry: u8,
}

impl Layout {
    pub(super) fn new(rules: &Rules<u64>, material: &Material) -> Layout {
        let board = rules.board();
        let squares = board.len();
        let symmetries = symmetries(rules, material);
        let mut pairs = vec![(NO_SLAB, 0); squares * squares];
        let mut slabs: Vec<([u8; 2], u16)> = Vec::new();
        let king = rules.king.index();
        let leaps = |owner: Owner, from: u8, to: u8| {
            rules.moves[owner].reach(king, Square(from)).leap_capture.has(Square(to))
        };
        for white in 0..squares as u8 {
            for black in (0..squares as u8).filter(|black| *black != white) {
                let seat = |white: u8, black: u8| usize::from(white) * squares + usize::from(black);
                // Neither side may be on move where each king attacks the other.
                let closed = leaps(Owner::White, white, black) && leaps(Owner::Black, black, white);
                if closed || pairs[seat(white, black)].0 != NO_SLAB {
                    continue;
                }
                let slab = slabs.len() as u16;
                let mut count = 0;
                for (number, symmetry) in symmetries.iter().enumerate() {
                    let image = &mut pairs[seat(symmetry.square(white), symmetry.square(black))];
                    if image.0 == NO_SLAB {
                        *image = (slab, number as u8);
                        count += 1;
                    }
                }
                slabs.push(([white, black], count));
            }
        }
        let inverses = inverses(board, &symmetries);
        // So far each pair has the symmetry that leads to it from the slab's pair.
        pairs.iter_mut().for_each(|(_, symmetry)| *symmetry = inverses[usize::from(*symmetry)]);
        let all = rules.geometry.all();
        let others = material.others().len();
        Layout { squares, all, others, symmetries, inverses, pairs, slabs }
    }

    /// The number of symmetries.
    pub(super) fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// The number of slabs.
    pub(super) fn slabs(&self) -> usize {
        self.slabs.len()
    }

    /// The squares of White's king and Black's in a slab.
    pub(super) fn kings(&self, slab: usize) -> [u8; 2] {
        self.slabs[slab].0
    }

    /// How many pairs of kings' squares a slab stands for.
    pub(super) fn weight(&self, slab: usize) -> u64 {
        u64::from(self.slabs[slab].1)
    }

    /// Men whose squares select a word of a slab.
    pub(super) fn fixed(&self) -> usize {
        self.others.saturating_sub(1)
    }

    /// Words of one slab.
    pub(super) fn words_per_slab(&self) -> usize {
        self.squares.pow(self.fixed() as u32)
    }

    /// Words of the table.
    pub(super) fn words(&self) -> usize {
        self.slabs() * self.words_per_slab()
    }

    /// Positions that the table keeps, with either side to move.
    pub(super) fn positions(&self) -> u64 {
        2 * self.words() as u64 * self.squares as u64
    }

    /// How far apart in a slab the words are whose only difference is one square of a fixed man.
    pub(super) fn stride(&self, man: usize) -> usize {
        self.squares.pow((self.fixed() - 1 - man) as u32)
    }

    /// The squares of the fixed men of a word.
    pub(super) fn fixed_squares(&self, mut word: usize) -> [u8; 3] {
        let mut squares = [0; 3];
        for man in (0..self.fixed()).rev() {
            squares[man] = (word % self.squares) as u8;
            word /= self.squares;
        }
        squares
    }

    /// The word of a slab with the fixed men on these squares.
    pub(super) fn word(&self, squares: &[u8]) -> usize {
        squares[..self.fixed()].iter().fold(0, |word, &square| word * self.squares + usize::from(square))
    }

    /// The bits that a word may have: one for each square of the last man, or a single one if there are only kings.
    pub(super) fn bits(&self) -> u64 {
        if self.others == 0 { 1 } else { self.all }
    }

    /// The seat of a pair of kings' squares; `None` if no legal position has it.
    pub(super) fn seat(&self, [white, black]: [u8; 2]) -> Option<Seat> {
        let (slab, symmetry) = self.pairs[usize::from(white) * self.squares + usize::from(black)];
        (slab != NO_SLAB).then_some(Seat { slab: usize::from(slab), symmetry })
    }

    /// The word of the table for a seat, with the fixed men on these squares.
    #[inline]
    pub(super) fn seated_word(&self, seat: Seat, squares: &[u8]) -> usize {
        let symmetry = &self.symmetries[usize::from(seat.symmetry)];
        let word = squares[..self.fixed()]
            .iter()
            .fold(0, |word, &square| word * self.squares + usize::from(symmetry.square(square)));
        seat.slab * self.words_per_slab() + word
    }

    /// The bits of a word as seen from the seat: the reverse of what [`Layout::seated_word`] does to squares.
    #[inline]
    pub(super) fn seen(&self, seat: Seat, bits: u64) -> u64 {
        if self.others == 0 {
            return bits;
        }
        self.symmetries[usize::from(self.inverses[usize::from(seat.symmetry)])].set(bits)
    }

    /// The squares of a slab's fixed men as seen from the seat.
    #[inline]
    pub(super) fn seen_squares(&self, seat: Seat, squares: [u8; 3]) -> [u8; 3] {
        let symmetry = &self.symmetries[usize::from(self.inverses[usize::from(seat.symmetry)])];
        squares.map(|square| symmetry.square(square))
    }

    /// The word of the table and the bit of a placement: the squares of White's king, Black's, and the others.
    pub(super) fn place(&self, squares: &[u8]) -> Option<(usize, u32)> {
        let seat = self.seat([squares[0], squares[1]])?;
        let others = &squares[2..];
        let last = others
            .last()
            .map_or(0, |&last| u32::from(self.symmetries[usize::from(seat.symmetry)].square(last)));
        Some((self.seated_word(seat, others), last))
    }

    /// The set of squares of men, as far as they are on the board: none is there twice.
    pub(super) fn occupied(squares: impl IntoIterator<Item = u8>) -> Option<u64> {
        squares.into_iter().try_fold(0, |all, square| (all & bit(square) == 0).then_some(all | bit(square)))
    }
}
