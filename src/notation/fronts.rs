//! Plain moves by tables: what stands before the target square, and the target square itself. To take the bytes one by
//! one takes a question for each, and the answers cannot be foreseen.

use super::letters::Letters;
use crate::board::{Board, Owner, Square};
use crate::rules::KindId;

/// The bytes before the target square of a plain move, `N`, `ex`, `Rax`, and what they say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Front {
    /// At most three bytes, the first one lowest; [`FREE`] where the place in the table is free.
    bytes: u32,
    /// What moves.
    pub kind: KindId,
    /// The letter of the file or the digit of the rank that it comes from; 0 if neither is told.
    pub from: u8,
    /// The sign of a capture is the last byte.
    pub captures: bool,
}

/// The fronts that moves of one player may have in one game. Of two whose place is the same the first one has it; with
/// the letters of chess there are none, in other games few, and moves with the other front are read by their bytes.
#[derive(Debug)]
pub(super) struct Fronts(Box<[Front; PLACES]>);

/// No text has these four bytes: a byte 0 is no part of a token.
const FREE: u32 = 0xff00_0000;

const PLACES: usize = 1 << BITS;
const BITS: u32 = 10;
/// Found by trying: no two fronts of chess have the same place.
const SPREAD: u32 = 0xc2bd_2ffb;

impl Fronts {
    /// No front.
    pub(super) fn none() -> Fronts {
        Fronts(Box::new([Front { bytes: FREE, kind: KindId(0), from: 0, captures: false }; PLACES]))
    }

    /// The fronts of `owner`'s moves with a game's letters, the commonest first.
    pub(super) fn new(letters: &Letters, owner: Owner) -> Fronts {
        let mut fronts = Fronts::none();
        let board = letters.board();
        let files = (b'a'..).take(usize::from(board.files()));
        let ranks = (b'1'..=b'9').take(usize::from(board.ranks()));
        let pieces = || (b'A'..=b'Z').filter_map(|letter| Some((letter, letters.piece(owner, letter)?)));
        let both = |fronts: &mut Fronts, front: &[u8], kind, from| {
            fronts.add(front, Front { bytes: 0, kind, from, captures: false });
            fronts.add(&[front, b"x"].concat(), Front { bytes: 0, kind, from, captures: true });
        };
        pieces().for_each(|(letter, kind)| both(&mut fronts, &[letter], kind, 0));
        if let Some(kind) = letters.pawn() {
            // A pawn that captures names the file that it comes from.
            fronts.add(&[], Front { bytes: 0, kind, from: 0, captures: false });
            files.clone().for_each(|file| both(&mut fronts, &[file], kind, file));
        }
        for (letter, kind) in pieces() {
            files
                .clone()
                .chain(ranks.clone())
                .for_each(|from| both(&mut fronts, &[letter, from], kind, from));
        }
        fronts
    }

    /// Adds what bytes say, unless others have their place.
    fn add(&mut self, bytes: &[u8], front: Front) {
        let bytes = bytes.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
        let place = &mut self.0[place(bytes)];
        if place.bytes == FREE {
            *place = Front { bytes, ..front };
        }
    }

    /// What up to three bytes say, if they have their place in the table; four say nothing.
    #[inline(always)]
    pub(super) fn find(&self, bytes: u32) -> Option<&Front> {
        let front = &self.0[place(bytes)];
        if front.bytes == bytes { Some(front) } else { None }
    }
}

#[inline(always)]
fn place(bytes: u32) -> usize {
    (bytes.wrapping_mul(SPREAD) >> (u32::BITS - BITS)) as usize
}

/// The squares of a board by their names of a letter and a digit.
#[derive(Debug)]
pub(super) struct Targets {
    /// What a letter and a digit add to the number of the square; for all others too much.
    letters: [u16; 256],
    digits: [u16; 256],
}

/// More than the number of any square.
const NO_SQUARE: u16 = 256;

impl Targets {
    pub(super) fn new(board: Board) -> Targets {
        let mut targets = Targets { letters: [NO_SQUARE; 256], digits: [NO_SQUARE; 256] };
        for file in 0..board.files() {
            targets.letters[usize::from(b'a' + file)] = file.into();
        }
        for rank in 0..board.ranks().min(9) {
            targets.digits[usize::from(b'1' + rank)] = (rank * board.files()).into();
        }
        targets
    }

    /// The square whose name is a letter and a digit.
    #[inline(always)]
    pub(super) fn find(&self, letter: u8, digit: u8) -> Option<Square> {
        let square = self.letters[usize::from(letter)] + self.digits[usize::from(digit)];
        if square < NO_SQUARE { Some(Square(square as u8)) } else { None }
    }
}
