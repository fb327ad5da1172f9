//! The elementary movement, and which movement covers another.

/// A [`Mover::range`] without limit.
pub const UNLIMITED: u8 = u8::MAX;

/// What a mover requires of the squares between its start and its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Path {
    /// One leap over anything (range 1), or repeated leaps up to the first occupied square.
    Ride,
    /// `n`: like [`Path::Ride`], but each leap needs vacant squares [between](Mover::between) its ends.
    Lame,
    /// `j`. With range 1: exactly one of the squares [between](Mover::between) is occupied.
    /// With a greater range: a ride whose first square is passed over, be it occupied or not (`min` is 2).
    Jump,
    /// `p`: rides, jumps exactly one piece of either side, and lands on any square beyond it that is in range and not
    /// beyond the next piece.
    Cannon,
    /// `g`: rides and lands on the square directly beyond the first piece it meets.
    Grasshopper,
}

/// One elementary movement of a piece: one vector, repeated in one direction.
///
/// Vectors are the owner's: `+dx` to the owner's right (towards the h-file for White), `+dy` forward. Different movers
/// of a piece may reach the same square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mover {
    /// Squares to the right in one step.
    pub dx: i8,
    /// Squares forward in one step.
    pub dy: i8,
    /// Maximum number of steps: 1 is a leap, [`UNLIMITED`] has no limit. Steps count from the start square, even where
    /// a piece is jumped.
    pub range: u8,
    /// Minimum number of steps: 1, or 2 for a ride that passes over its first square.
    pub min: u8,
    /// What the squares on the way must be like.
    pub path: Path,
    /// May end on a vacant square.
    pub moves: bool,
    /// May capture.
    pub captures: bool,
    /// Only from a start square of the kind.
    pub initial: bool,
}

impl Mover {
    /// The same movement rotated by half a turn, as Black moves.
    ///
    /// ```
    /// let pawn = ferz_core::pieces::betza::parse("fW")?.movers()[0];
    /// assert_eq!((pawn.turned().dx, pawn.turned().dy), (0, -1));
    /// # Ok::<(), ferz_core::pieces::betza::BetzaError>(())
    /// ```
    #[must_use]
    pub const fn turned(self) -> Mover {
        Mover { dx: -self.dx, dy: -self.dy, ..self }
    }

    /// True if the piece takes several steps in one direction.
    pub const fn is_rider(&self) -> bool {
        self.range > 1
    }

    /// The squares that one step passes, as offsets from its start, nearest first; empty for a step to an adjacent
    /// square.
    ///
    /// An oblique step goes orthogonally first and then diagonally: a lame knight's (1,2) passes (0,1), like
    /// the horse of Xiangqi, and a lame (2,3) passes (0,1) and (1,2), like the elephant of Janggi.
    ///
    /// ```
    /// let horse = ferz_core::pieces::betza::parse("rfnN")?.movers()[0];
    /// assert_eq!((horse.dx, horse.dy), (1, 2));
    /// assert_eq!(horse.between(), [(0, 1)]);
    /// # Ok::<(), ferz_core::pieces::betza::BetzaError>(())
    /// ```
    pub fn between(&self) -> Vec<(i8, i8)> {
        let (mut x, mut y) = (0i8, 0i8);
        let mut squares = Vec::new();
        loop {
            let (left, up) = (self.dx - x, self.dy - y);
            if left.unsigned_abs() >= up.unsigned_abs() {
                x += left.signum();
            }
            if up.unsigned_abs() >= left.unsigned_abs() {
                y += up.signum();
            }
            if (x, y) == (self.dx, self.dy) {
                return squares;
            }
            squares.push((x, y));
        }
    }

    /// True if every move of `other` is also a move of `self`.
    pub(super) fn covers(&self, other: &Mover) -> bool {
        let modes = (self.moves || !other.moves) && (self.captures || !other.captures);
        if !modes || (self.initial && !other.initial) {
            return false;
        }
        self.covers_along_same_steps(other) || self.covers_as_slide(other)
    }

    fn covers_along_same_steps(&self, other: &Mover) -> bool {
        let path = match (self.path, other.path) {
            (a, b) if a == b => true,
            (Path::Ride, Path::Lame) | (Path::Cannon, Path::Grasshopper) => true,
            (Path::Ride, Path::Jump) => !other.is_rider(),
            _ => false,
        };
        let step = (self.dx, self.dy) == (other.dx, other.dy);
        step && path && self.range >= other.range && self.min <= other.min
    }

    /// True if a lame straight leap is contained in a slide of single squares: `R` has all moves of `nD`.
    fn covers_as_slide(&self, other: &Mover) -> bool {
        let squares = other.dx.unsigned_abs().max(other.dy.unsigned_abs());
        let straight = other.dx == 0 || other.dy == 0 || other.dx.abs() == other.dy.abs();
        let unit = (self.dx, self.dy) == (other.dx.signum(), other.dy.signum());
        let enough = match (self.range, other.range) {
            (UNLIMITED, _) => true,
            (_, UNLIMITED) => false,
            (mine, theirs) => u16::from(mine) >= u16::from(theirs) * u16::from(squares),
        };
        self.path == Path::Ride && other.path == Path::Lame && straight && unit && enough
    }
}
