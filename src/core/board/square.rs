//! Squares by number and by name, on a board of a given size.

use crate::text::limits::{FILES_MAX, RANKS_MAX, SQUARES_MAX};
use crate::text::write_number;

/// A square: rank times number of files plus file, both from 0 at White's left corner (a1). Corner squares outside
/// follow after the last one.
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

/// The size and shape of a board. Files count from `a` at White's left, ranks from 1 at White's side, or from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    files: u8,
    ranks: u8,
    /// The number of the first rank: 0 or 1.
    first_rank: u8,
    /// Squares outside, next to the four corners and joined to them diagonally: 0 or 4.
    corners: u8,
}

/// The letter of the corner squares outside; their numbers go round the board from White's left.
const CORNER: u8 = b'w';
/// Corner squares outside, if there are any.
const CORNERS: u8 = 4;

impl Board {
    /// The smallest possible board.
    pub(crate) const SMALLEST: Board = Board { files: 1, ranks: 1, first_rank: 1, corners: 0 };

    /// A board of `files` times `ranks` squares; `None` if it is empty or beyond the limits.
    pub fn new(files: u8, ranks: u8) -> Option<Board> {
        let fits =
            (1..=FILES_MAX).contains(&usize::from(files)) && (1..=RANKS_MAX).contains(&usize::from(ranks));
        let board = Board { files, ranks, first_rank: 1, corners: 0 };
        (fits && usize::from(files) * usize::from(ranks) <= SQUARES_MAX).then_some(board)
    }

    /// The board with ranks that count from 0, as in Omega Chess.
    pub fn from_zero(self) -> Board {
        Board { first_rank: 0, ..self }
    }

    /// The board with four more squares, each joined to a corner diagonally: `w1` by White's left one, `w2` by White's
    /// right one, `w3` and `w4` behind them, as in Omega Chess. `None` if it would be beyond the limits.
    pub fn with_corners(self) -> Option<Board> {
        let board = Board { corners: CORNERS, ..self };
        (board.len() <= SQUARES_MAX && self.files <= CORNER - b'a').then_some(board)
    }

    /// True if the board has the four squares outside.
    #[inline]
    pub const fn has_corners(self) -> bool {
        self.corners > 0
    }

    /// True if a square is one of those outside, which belong to no file and no rank.
    #[inline]
    pub const fn is_corner(self, square: Square) -> bool {
        square.0 >= self.files * self.ranks
    }

    /// The squares outside, in the order of their names.
    pub fn corners(self) -> impl DoubleEndedIterator<Item = Square> {
        let first = self.files * self.ranks;
        (first..first + self.corners).map(Square)
    }

    /// The number of the first rank: 0 or 1.
    #[inline]
    pub const fn first_rank(self) -> u8 {
        self.first_rank
    }

    /// The number of a rank, which counts from 0 here, as players write it.
    #[inline]
    pub const fn rank_number(self, rank: u8) -> u8 {
        rank.wrapping_add(self.first_rank)
    }

    /// The rank, from 0, with a number as players write it; `None` beyond the border.
    #[inline]
    pub fn numbered_rank(self, number: u8) -> Option<u8> {
        number.checked_sub(self.first_rank).filter(|rank| *rank < self.ranks)
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
        self.files as usize * self.ranks as usize + self.corners as usize
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
        if on_board {
            return Some(Square((rank as u8) * self.files + file as u8));
        }
        if self.corners == 0 {
            return None;
        }
        let outside = self.outside((file, rank))?;
        Some(Square(self.files * self.ranks + outside))
    }

    /// The number, from 0, of the square outside that lies there.
    fn outside(self, (file, rank): (i8, i8)) -> Option<u8> {
        let (right, top) = (file == self.files as i8, rank == self.ranks as i8);
        if !(right || file == -1) || !(top || rank == -1) {
            return None;
        }
        Some(match (right, top) {
            (false, false) => 0,
            (true, false) => 1,
            (true, true) => 2,
            (false, true) => 3,
        })
    }

    /// File of a square, from 0. Squares outside lie beyond the files: at -1, as a byte 255, or after the last one.
    #[inline]
    pub const fn file(self, square: Square) -> u8 {
        if self.corners > 0 && self.is_corner(square) {
            return if matches!(square.0 - self.files * self.ranks, 0 | 3) { u8::MAX } else { self.files };
        }
        square.0 % self.files
    }

    /// Rank of a square, from 0 at White's side. Squares outside lie beyond the ranks, as beyond the files.
    #[inline]
    pub const fn rank(self, square: Square) -> u8 {
        if self.corners > 0 && self.is_corner(square) {
            return if square.0 - self.files * self.ranks < 2 { u8::MAX } else { self.ranks };
        }
        square.0 / self.files
    }

    /// The square `dx` files to the right and `dy` ranks up (White's view); `None` beyond the border.
    pub fn offset(self, square: Square, dx: i8, dy: i8) -> Option<Square> {
        self.square(self.file(square) as i8 + dx, self.rank(square) as i8 + dy)
    }

    /// The square as the other real player sees it: ranks counted from the other side.
    pub fn flipped(self, square: Square) -> Square {
        if self.is_corner(square) {
            let first = self.files * self.ranks;
            return Square(first + CORNERS - 1 - (square.0 - first));
        }
        Square((self.ranks - 1 - self.rank(square)) * self.files + self.file(square))
    }

    /// True if the square is on an outer file or rank (CHA-23). Squares outside are on none.
    pub fn on_border(self, square: Square) -> bool {
        let (file, rank) = (self.file(square), self.rank(square));
        let outer = |line: u8, lines: u8| line == 0 || line + 1 == lines;
        !self.is_corner(square) && (outer(file, self.files) || outer(rank, self.ranks))
    }

    /// Appends the square's name, such as `e4` or `j10`.
    pub fn write_square(self, square: Square, out: &mut String) {
        if self.is_corner(square) {
            out.push(CORNER as char);
            return write_number(u32::from(square.0 - self.files * self.ranks) + 1, out);
        }
        out.push((b'a' + self.file(square)) as char);
        write_number(u32::from(self.rank_number(self.rank(square))), out);
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
        if !file.is_ascii_lowercase() || !digit.is_ascii_digit() || digit == b'0' && self.first_rank > 0 {
            return None;
        }
        let mut rank = digit - b'0';
        if file == CORNER && self.corners > 0 {
            let outside = rank.checked_sub(1).filter(|outside| *outside < self.corners)?;
            return Some((Square(self.files * self.ranks + outside), rest));
        }
        if self.ranks + self.first_rank > 10
            && let Some((&second, after)) = rest.split_first()
            && second.is_ascii_digit()
            && self.numbered_rank(rank * 10 + (second - b'0')).is_some()
        {
            rank = rank * 10 + (second - b'0');
            rest = after;
        }
        if file - b'a' >= self.files {
            return None;
        }
        Some((Square(self.numbered_rank(rank)? * self.files + (file - b'a')), rest))
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
            for board in [Some(board), Some(board.from_zero()), board.with_corners()].into_iter().flatten() {
                for square in board.squares() {
                    assert_eq!(board.parse_square(&board.name(square)), Some(square));
                    assert_eq!(board.flipped(board.flipped(square)), square);
                    let (file, rank) = (board.file(square) as i8, board.rank(square) as i8);
                    assert_eq!(board.square(file, rank), Some(square));
                }
            }
        }
    }

    #[test]
    fn squares_outside_lie_beside_the_corners() {
        let board = Board::new(10, 10).and_then(Board::with_corners).unwrap().from_zero();
        let name = |square: Option<Square>| square.map(|square| board.name(square));
        let at = |text| board.parse_square(text).unwrap();
        for (corner, outside, (dx, dy)) in
            [("a0", "w1", (-1, -1)), ("j0", "w2", (1, -1)), ("j9", "w3", (1, 1)), ("a9", "w4", (-1, 1))]
        {
            assert_eq!(name(board.offset(at(corner), dx, dy)).as_deref(), Some(outside));
            assert_eq!(name(board.offset(at(outside), -dx, -dy)).as_deref(), Some(corner));
            assert_eq!(board.offset(at(outside), dx, dy), None);
            assert_eq!(board.offset(at(outside), -dx, 0), None);
        }
        assert_eq!((board.len(), name(Some(board.flipped(at("w1"))))), (104, Some("w4".into())));
        assert_eq!(["w0", "w5", "k0", "a10"].map(|name| board.parse_square(name)), [None; 4]);
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
