//! Tables for plain moves: one for the bytes before the target square, one for the target square. Reading byte by byte
//! takes a branch for each byte, and these are hard to predict.

use super::letters::Letters;
use crate::board::{Board, Owner, Square};
use crate::rules::KindId;

/// The bytes before the target square of a plain move (`N`, `ex`, `Rax`) and their meaning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix {
    /// At most three bytes, the first one lowest; [`FREE`] for an empty slot.
    bytes: u32,
    /// The kind that moves.
    pub kind: KindId,
    /// The letter of the from-file or the digit of the from-rank; 0 if neither is given.
    pub from: u8,
    /// True if the last byte is the capture sign.
    pub captures: bool,
}

/// The prefixes of one player's moves in one game. Of two prefixes with the same slot the first one is stored. With the
/// letters of chess there are none, in other games few; moves with the other prefix are read byte by byte.
#[derive(Debug)]
pub(super) struct PrefixTable(Box<[Prefix; PLACES]>);

/// Not the bytes of any prefix: a token has no byte 0.
const FREE: u32 = 0xff00_0000;

const PLACES: usize = 1 << BITS;
const BITS: u32 = 10;
/// Found by search: no two prefixes of chess have the same slot.
const SPREAD: u32 = 0xc2bd_2ffb;

impl PrefixTable {
    /// An empty table.
    pub(super) fn none() -> PrefixTable {
        PrefixTable(Box::new([Prefix { bytes: FREE, kind: KindId(0), from: 0, captures: false }; PLACES]))
    }

    /// The prefixes of `owner`'s moves with a game's letters, the most common first.
    pub(super) fn new(letters: &Letters, owner: Owner) -> PrefixTable {
        let mut prefixes = PrefixTable::none();
        let board = letters.board();
        let files = (b'a'..).take(usize::from(board.files()));
        // A from-rank is kept as a digit that counts from 1, whatever the number of the first one.
        let ranks = (b'1'..).zip(b'0' + board.first_rank()..=b'9').take(usize::from(board.ranks()));
        let pieces = || (b'A'..=b'Z').filter_map(|letter| Some((letter, letters.piece(owner, letter)?)));
        let both = |prefixes: &mut PrefixTable, prefix: &[u8], kind, from| {
            prefixes.add(prefix, Prefix { bytes: 0, kind, from, captures: false });
            prefixes.add(&[prefix, b"x"].concat(), Prefix { bytes: 0, kind, from, captures: true });
        };
        pieces().for_each(|(letter, kind)| both(&mut prefixes, &[letter], kind, 0));
        if let Some(kind) = letters.pawn() {
            // A pawn capture names its from-file.
            prefixes.add(&[], Prefix { bytes: 0, kind, from: 0, captures: false });
            files.clone().for_each(|file| both(&mut prefixes, &[file], kind, file));
        }
        for (letter, kind) in pieces() {
            let files = files.clone().map(|file| (file, file));
            files
                .chain(ranks.clone())
                .for_each(|(from, written)| both(&mut prefixes, &[letter, written], kind, from));
        }
        prefixes
    }

    /// Adds a prefix unless its slot is taken.
    fn add(&mut self, bytes: &[u8], prefix: Prefix) {
        let bytes = bytes.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
        let place = &mut self.0[place(bytes)];
        if place.bytes == FREE {
            *place = Prefix { bytes, ..prefix };
        }
    }

    /// Finds a prefix of up to three bytes.
    #[inline(always)]
    pub(super) fn find(&self, bytes: u32) -> Option<&Prefix> {
        let prefix = &self.0[place(bytes)];
        if prefix.bytes == bytes { Some(prefix) } else { None }
    }
}

#[inline(always)]
fn place(bytes: u32) -> usize {
    (bytes.wrapping_mul(SPREAD) >> (u32::BITS - BITS)) as usize
}

/// The squares of a board by letter and digit.
#[derive(Debug)]
pub(super) struct Targets {
    /// The summand of each letter and digit to the number of the square; [`NO_SQUARE`] for all other bytes.
    letters: [u16; 256],
    digits: [u16; 256],
}

/// Greater than the number of any square.
const NO_SQUARE: u16 = 256;

impl Targets {
    pub(super) fn new(board: Board) -> Targets {
        let mut targets = Targets { letters: [NO_SQUARE; 256], digits: [NO_SQUARE; 256] };
        for file in 0..board.files() {
            targets.letters[usize::from(b'a' + file)] = file.into();
        }
        for rank in (0..board.ranks()).filter(|rank| board.rank_number(*rank) < 10) {
            let digit = b'0' + board.rank_number(rank);
            targets.digits[usize::from(digit)] = (rank * board.files()).into();
        }
        targets
    }

    /// The square with a letter and a digit.
    #[inline(always)]
    pub(super) fn find(&self, letter: u8, digit: u8) -> Option<Square> {
        let square = self.letters[usize::from(letter)] + self.digits[usize::from(digit)];
        if square < NO_SQUARE { Some(Square(square as u8)) } else { None }
    }
}
