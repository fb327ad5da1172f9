//! Squares by number and by name, on a board of a given size.

use crate::text::limits::{FILES_MAX, RANKS_MAX, SQUARES_MAX};
use crate::text::write_number;

/// A square: rank times number of files plus file, both from 0 at White's left corner (a1).
///
/// The number means nothing without its [`Board`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// Marks "no square" in a field that is always present.
    pub const NONE: Square = Square(u8::MAX);

    /// The number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// This square, or `None` for [`Square::NONE`].
    #[inline]
    pub fn some(self) -> Option<Square> {
        (self != Square::NONE).then_some(self)
    }
}

/// The size of a board. Files count from `a` at White's left, ranks from 1 at White's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    files: u8,
    ranks: u8,
}

impl Board {
    /// The smallest possible board.
    pub(crate) const SMALLEST: Board = Board { files: 1, ranks: 1 };

    /// A board of `files` times `ranks` squares; `None` if it is empty or beyond the limits.
    pub fn new(files: u8, ranks: u8) -> Option<Board> {
        let fits =
            (1..=FILES_MAX).contains(&usize::from(files)) && (1..=RANKS_MAX).contains(&usize::from(ranks));
        (fits && usize::from(files) * usize::from(ranks) <= SQUARES_MAX).then_some(Board { files, ranks })
    }

    /// Number of files.
    #[inline]
    pub const fn files(self) -> u8 {
        self.files
    }

    /// Number of ranks.
    #[inline]
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    /// Number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// Always false: a board has at least one square.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// All squares, from a1 along the ranks.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> {
        (0..self.len() as u8).map(Square)
    }

    /// The square on `file` and `rank`, both from 0; `None` if it is not on the board.
    #[inline]
    pub fn square(self, file: i8, rank: i8) -> Option<Square> {
        let on_board = (0..self.files as i8).contains(&file) && (0..self.ranks as i8).contains(&rank);
        on_board.then(|| Square((rank as u8) * self.files + file as u8))
    }

    /// File of a square, from 0.
    #[inline]
    pub const fn file(self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// Rank of a square, from 0 at White's side.
    #[inline]
    pub const fn rank(self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// The square `dx` files to the right and `dy` ranks up (White's view); `None` beyond the border.
    pub fn offset(self, square: Square, dx: i8, dy: i8) -> Option<Square> {
        self.square(self.file(square) as i8 + dx, self.rank(square) as i8 + dy)
    }

    /// The square as the other real player sees it: ranks counted from the other side.
    pub fn flipped(self, square: Square) -> Square {
        Square((self.ranks - 1 - self.rank(square)) * self.files + self.file(square))
    }

    /// True if the square is on an outer file or rank.
    pub fn on_border(self, square: Square) -> bool {
        let (file, rank) = (self.file(square), self.rank(square));
        file == 0 || rank == 0 || file + 1 == self.files || rank + 1 == self.ranks
    }

    /// Appends the square's name, such as `e4` or `j10`.
    pub fn write_square(self, square: Square, out: &mut String) {
        out.push((b'a' + self.file(square)) as char);
        write_number(u32::from(self.rank(square)) + 1, out);
    }

    /// The square's name.
    pub fn name(self, square: Square) -> String {
        let mut name = String::new();
        self.write_square(square, &mut name);
        name
    }

    /// Reads a square's name from the front of `text`; gives the square and the rest.
    #[inline]
    pub fn read_square(self, text: &[u8]) -> Option<(Square, &[u8])> {
        let (&file, rest) = text.split_first()?;
        let (&digit, mut rest) = rest.split_first()?;
        if !file.is_ascii_lowercase() || !digit.is_ascii_digit() || digit == b'0' {
            return None;
        }
        let mut rank = digit - b'0';
        if self.ranks > 9
            && let Some((&second, after)) = rest.split_first()
            && second.is_ascii_digit()
            && rank * 10 + (second - b'0') <= self.ranks
        {
            rank = rank * 10 + (second - b'0');
            rest = after;
        }
        let square = self.square((file - b'a') as i8, rank as i8 - 1)?;
        Some((square, rest))
    }

    /// Reads a name that must be the whole text.
    pub fn parse_square(self, text: &str) -> Option<Square> {
        self.read_square(text.as_bytes()).filter(|(_, rest)| rest.is_empty()).map(|(square, _)| square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_on_every_board() {
        for (files, ranks) in [(8, 8), (10, 8), (10, 10), (12, 10), (1, 16), (16, 8)] {
            let board = Board::new(files, ranks).unwrap();
            for square in board.squares() {
                assert_eq!(board.parse_square(&board.name(square)), Some(square));
            }
        }
    }

    #[test]
    fn names_off_the_board_are_refused() {
        let board = Board::new(8, 8).unwrap();
        for name in ["i1", "a9", "a0", "a", "", "A1", "a10", "1a"] {
            assert_eq!(board.parse_square(name), None, "{name}");
        }
    }

    #[test]
    fn boards_beyond_the_limits_are_refused() {
        assert!(Board::new(0, 8).is_none() && Board::new(16, 16).is_none() && Board::new(17, 1).is_none());
    }
}
