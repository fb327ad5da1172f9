//! Sets of squares as bits of one machine word.

use super::Square;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: `u64` for boards of up to 64 squares, `u128` for those of up to 128.
pub trait Mask:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The set without any square.
    const EMPTY: Self;
    /// Number of squares that fit.
    const WIDTH: usize;

    /// The set of one square.
    fn bit(square: Square) -> Self;
    /// True if no square is in the set.
    fn is_empty(self) -> bool;
    /// Number of squares in the set.
    fn count(self) -> u32;
    /// The lowest square, or [`Square::NONE`].
    fn lowest(self) -> Square;
    /// The highest square, or [`Square::NONE`].
    fn highest(self) -> Square;
    /// The set without its lowest square.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// The squares that a slider reaches on one line, first blockers included. `lower` and `upper` are the line's
    /// squares below and above it, `occupied` those that block.
    fn slide(lower: Self, upper: Self, occupied: Self) -> Self;

    /// True if at least one square is in the set.
    #[inline]
    fn any(self) -> bool {
        !self.is_empty()
    }
    /// True if `square` is in the set.
    #[inline]
    fn has(self, square: Square) -> bool {
        (self & Self::bit(square)).any()
    }
    /// True if exactly one square is in the set.
    #[inline]
    fn is_single(self) -> bool {
        self.any() && self.without_lowest().is_empty()
    }
    /// The squares of the set, lowest first.
    #[inline]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
    /// The set of all squares of an iterator.
    fn of(squares: impl IntoIterator<Item = Square>) -> Self {
        squares.into_iter().fold(Self::EMPTY, |mask, square| mask | Self::bit(square))
    }
}

/// The squares of a set, lowest first.
#[derive(Debug, Clone)]
pub struct Squares<M>(M);

impl<M: Mask> Iterator for Squares<M> {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(square)
    }
}

/// Tables for one square, and for a square and all higher ones: shifting a 128-bit word takes eight instructions, a
/// load two.
static WIDE_BITS: [u128; 128] = shifts(1);
static WIDE_FROM: [u128; 128] = shifts(u128::MAX);

const fn shifts(word: u128) -> [u128; 128] {
    let mut shifted = [word; 128];
    let mut by = 1;
    while by < 128 {
        shifted[by] <<= by;
        by += 1;
    }
    shifted
}

macro_rules! mask {
    ($word:ty, $bit:expr, $from:expr) => {
        impl Mask for $word {
            const EMPTY: Self = 0;
            const WIDTH: usize = <$word>::BITS as usize;

            #[inline]
            fn bit(square: Square) -> Self {
                $bit(square.0 as u32 % <$word>::BITS)
            }
            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> Square {
                if self == 0 { Square::NONE } else { Square(self.trailing_zeros() as u8) }
            }
            #[inline]
            fn highest(self) -> Square {
                if self == 0 { Square::NONE } else { Square(self.ilog2() as u8) }
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn slide(lower: Self, upper: Self, occupied: Self) -> Self {
                // From the nearest blocker below (or the bottom) on, and up to the nearest above (or the top).
                let below = lower & occupied | 1;
                let above = upper & occupied;
                let from = $from(<$word>::BITS - 1 - below.leading_zeros());
                (lower | upper) & from & (above ^ above.wrapping_sub(1))
            }
        }
    };
}

mask!(u64, |square| 1u64 << square, |square| u64::MAX << square);
mask!(u128, |square| WIDE_BITS[square as usize], |square| WIDE_FROM[square as usize]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_come_lowest_first() {
        let mask = u128::of([Square(90), Square(3), Square(64)]);
        assert_eq!(mask.squares().map(|s| s.0).collect::<Vec<_>>(), [3, 64, 90]);
        assert_eq!(mask.count(), 3);
        assert!(!mask.is_single() && u64::bit(Square(63)).is_single());
    }

    #[test]
    fn slides_stop_at_the_first_blocker() {
        // One rank of eight, slider on square 3, blockers on 1 and 6.
        let (lower, upper) = (0b0000_0111u64, 0b1111_0000);
        assert_eq!(u64::slide(lower, upper, 0b0100_0010), 0b0111_0110);
        assert_eq!(u64::slide(lower, upper, 0), 0b1111_0111);
        assert_eq!(u64::slide(lower, upper, 0b1001_0101), 0b0001_0100);
    }
}
