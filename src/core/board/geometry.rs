//! Lines of a board: what lies between two squares, and what a slider reaches.

use super::{Board, Mask, Square};
use crate::text::limits::SQUARES_MAX;

/// The four lines through a square, as steps towards higher-numbered squares.
const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// One set for each pair of squares. The row length is the mask width.
type Pairs<M> = [M; PAIRS];

/// Number of squares of the widest board; a power of two, so that indexing needs no bounds check.
const PAIRS: usize = SQUARES_MAX * SQUARES_MAX;

/// Bits of the narrow mask, on which no board has squares outside its corners.
const NARROW: usize = 64;

/// Tables about the lines of one board.
#[derive(Debug)]
pub struct Geometry<M> {
    board: Board,
    all: M,
    dark: M,
    files: Vec<M>,
    ranks: Vec<M>,
    /// The squares of a file by its letter and of a rank by a digit that counts from 1; all squares for the byte 0.
    squares_named: [M; 256],
    /// The squares strictly between two squares.
    between: Box<Pairs<M>>,
    /// The whole line through two squares.
    rays: Box<Pairs<M>>,
    /// For each square and each of [`LINES`]: the squares below and above it on that line, by their numbers.
    lines: Vec<[(M, M); 4]>,
    /// For each square: the two squares outside that its diagonals go down to, each with what lies between. Their
    /// numbers are higher than those on the way, so that they are no part of `lines`. Empty without such squares.
    outside: Vec<[(M, M); 2]>,
}

impl<M: Mask> Geometry<M> {
    /// Computes the tables of `board`.
    ///
    /// # Panics
    /// If the mask has fewer bits than the board has squares, or is narrow for one with squares outside its corners.
    pub fn new(board: Board) -> Geometry<M> {
        assert!(board.len() <= M::WIDTH, "the mask is wide enough for the board");
        assert!(M::WIDTH > NARROW || !board.has_corners(), "a board with corners has a wide mask");
        let count = board.len();
        let mut between = vec![M::EMPTY; PAIRS];
        let mut rays = vec![M::EMPTY; PAIRS];
        let mut lines = vec![[(M::EMPTY, M::EMPTY); 4]; count];
        let mut outside = vec![[(M::EMPTY, M::EMPTY); 2]; if board.has_corners() { count } else { 0 }];
        for from in board.squares() {
            for (index, (dx, dy)) in LINES.into_iter().enumerate() {
                for sign in [-1, 1] {
                    let mut passed = M::EMPTY;
                    let mut at = from;
                    while let Some(to) = board.offset(at, sign * dx, sign * dy) {
                        between[cell::<M>(from, to)] = passed;
                        passed |= M::bit(to);
                        at = to;
                    }
                    passed.squares().for_each(|to| rays[cell::<M>(from, to)] = passed);
                    let line = &mut lines[from.index()][index];
                    if sign > 0 {
                        line.1 = passed;
                        continue;
                    }
                    line.0 = passed;
                    if at != from && board.is_corner(at) {
                        line.0 &= !M::bit(at);
                        outside[from.index()][index - 2] = (M::bit(at), line.0);
                    }
                }
            }
        }
        let group = |number: u8, of: &dyn Fn(Square) -> u8| {
            M::of(board.squares().filter(|&square| of(square) == number))
        };
        let files: Vec<M> =
            (0..board.files()).map(|file| group(file, &|square| board.file(square))).collect();
        let ranks: Vec<M> =
            (0..board.ranks()).map(|rank| group(rank, &|square| board.rank(square))).collect();
        let mut squares_named = [M::EMPTY; 256];
        squares_named[0] = M::of(board.squares());
        squares_named[usize::from(b'a')..][..files.len()].copy_from_slice(&files);
        squares_named[usize::from(b'1')..][..ranks.len()].copy_from_slice(&ranks);
        let is_dark = |s: &Square| board.file(*s).wrapping_add(board.rank(*s)).is_multiple_of(2);
        let dark = M::of(board.squares().filter(is_dark));
        let pairs = |sets: Vec<M>| sets.try_into().unwrap_or_else(|_| Box::new([M::EMPTY; PAIRS]));
        let (between, rays) = (pairs(between), pairs(rays));
        Geometry {
            board,
            all: M::of(board.squares()),
            dark,
            files,
            ranks,
            squares_named,
            between,
            rays,
            lines,
            outside,
        }
    }

    /// The board that the tables are about.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// All squares of the board.
    #[inline]
    pub fn all(&self) -> M {
        self.all
    }

    /// The squares of a1's colour.
    #[inline]
    pub fn dark(&self) -> M {
        self.dark
    }

    /// The squares of a file, from 0; none beyond the border.
    #[inline]
    pub fn file(&self, file: u8) -> M {
        self.files.get(usize::from(file)).copied().unwrap_or(M::EMPTY)
    }

    /// The squares of a rank, from 0; none beyond the border.
    #[inline]
    pub fn rank(&self, rank: u8) -> M {
        self.ranks.get(usize::from(rank)).copied().unwrap_or(M::EMPTY)
    }

    /// The squares of a file by its letter, of a rank by a digit that counts from 1 on every board (or one of the ASCII
    /// characters after `9`), or of both. The byte 0 stands for any.
    #[inline]
    pub fn squares_named(&self, [one, other]: [u8; 2]) -> M {
        self.squares_named[usize::from(one)] & self.squares_named[usize::from(other)]
    }

    /// The squares strictly between two squares of one line; none if they are not on one.
    #[inline]
    pub fn between(&self, a: Square, b: Square) -> M {
        self.between[cell::<M>(a, b)]
    }

    /// The squares from `a` through `b` up to the border, without `a`; none if they are not on one line.
    #[inline]
    pub fn ray(&self, a: Square, b: Square) -> M {
        self.rays[cell::<M>(a, b)]
    }

    /// The square of a part of [`Geometry::ray`] from `a` through `b` that is nearest to `a`.
    #[inline(always)]
    pub fn nearest(&self, line: M, a: Square, b: Square) -> Square {
        if M::WIDTH > NARROW && !self.outside.is_empty() {
            return self.nearest_outside(line, a, b);
        }
        if b > a { line.lowest() } else { line.highest() }
    }

    /// [`Geometry::nearest`] where two squares below the board have higher numbers than those above them.
    #[cold]
    fn nearest_outside(&self, line: M, a: Square, b: Square) -> Square {
        let low = M::of(self.board.corners().take(2));
        let inner = line & !low;
        if low.has(a) || b > a && !low.has(b) {
            return if inner.any() { inner.lowest() } else { line.lowest() };
        }
        if inner.any() { inner.highest() } else { line.highest() }
    }

    /// All squares that a rook on `from` reaches or captures on, given the occupied ones.
    #[inline]
    pub fn rook_slides(&self, from: Square, occupied: M) -> M {
        let [rank, file, _, _] = self.lines[from.index()];
        M::slide(rank.0, rank.1, occupied) | M::slide(file.0, file.1, occupied)
    }

    /// All squares that a bishop on `from` reaches or captures on, given the occupied ones.
    #[inline]
    pub fn bishop_slides(&self, from: Square, occupied: M) -> M {
        let [_, _, rising, falling] = self.lines[from.index()];
        let reached = M::slide(rising.0, rising.1, occupied) | M::slide(falling.0, falling.1, occupied);
        // Boards with such squares have wide masks, so that no slide on a narrow one asks for them.
        let inside = M::WIDTH <= NARROW || self.outside.is_empty();
        if inside { reached } else { reached | self.outside_reached(from, occupied) }
    }

    /// The squares outside that a bishop reaches downwards.
    #[cold]
    fn outside_reached(&self, from: Square, occupied: M) -> M {
        let free = |(_, between): &&(M, M)| (*between & occupied).is_empty();
        let corners = self.outside[from.index()].iter().filter(free).map(|(corner, _)| *corner);
        corners.fold(M::EMPTY, |all, corner| all | corner)
    }
}

/// The place of two squares in [`Pairs`].
#[inline(always)]
fn cell<M: Mask>(row: Square, column: Square) -> usize {
    (row.index() * M::WIDTH + column.index()) % PAIRS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation: walk until a piece is in the way.
    fn walked<M: Mask>(board: Board, from: Square, occupied: M) -> M {
        let mut reached = M::EMPTY;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let mut at = from;
            while let Some(next) = board.offset(at, dx, dy) {
                reached |= M::bit(next);
                at = next;
                if occupied.has(next) {
                    break;
                }
            }
        }
        reached
    }

    fn check<M: Mask>(files: u8, ranks: u8, occupied: impl Fn(u64) -> M) {
        check_on(Board::new(files, ranks).unwrap(), occupied);
    }

    fn check_on<M: Mask>(board: Board, occupied: impl Fn(u64) -> M) {
        let geometry = Geometry::<M>::new(board);
        let mut seed = 1u64;
        for _ in 0..200 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let occupied = occupied(seed) & geometry.all();
            for from in board.squares() {
                let slides = geometry.rook_slides(from, occupied) | geometry.bishop_slides(from, occupied);
                assert_eq!(slides, walked(board, from, occupied));
            }
        }
    }

    #[test]
    fn slides_equal_a_walk_on_both_widths() {
        check::<u64>(8, 8, |seed| seed & seed.rotate_left(17));
        check::<u128>(10, 8, |seed| u128::from(seed) << 40 ^ u128::from(seed.rotate_left(9)));
        let corners = Board::new(10, 10).and_then(Board::with_corners).unwrap();
        check_on::<u128>(corners, |seed| u128::from(seed) << 64 | u128::from(seed.rotate_left(31)));
        check_on::<u128>(corners, |seed| u128::from(seed & seed >> 9) << 64 | u128::from(seed & seed << 7));
        check::<u128>(8, 16, |seed| u128::from(seed) << 64 | u128::from(seed.rotate_left(31)));
    }

    #[test]
    fn between_is_open_and_symmetric() {
        let board = Board::new(8, 8).unwrap();
        let geometry = Geometry::<u64>::new(board);
        let at = |name: &str| board.parse_square(name).unwrap();
        assert_eq!(geometry.between(at("a1"), at("a4")), u64::of([at("a2"), at("a3")]));
        assert_eq!(geometry.between(at("h1"), at("f3")), geometry.between(at("f3"), at("h1")));
        assert!(geometry.between(at("a1"), at("b3")).is_empty());
    }

    #[test]
    fn a_ray_goes_on_to_the_border() {
        let board = Board::new(8, 8).unwrap();
        let geometry = Geometry::<u64>::new(board);
        let at = |name: &str| board.parse_square(name).unwrap();
        assert_eq!(geometry.ray(at("a1"), at("a6")), geometry.file(0) & !u64::bit(at("a1")));
        assert_eq!(geometry.ray(at("e4"), at("c2")), u64::of([at("d3"), at("c2"), at("b1")]));
        assert!(geometry.ray(at("a1"), at("b3")).is_empty());
    }
}
