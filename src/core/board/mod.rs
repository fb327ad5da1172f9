//! L1: squares, masks, owners and the geometry of any board of up to 128 squares.

mod geometry;
mod mask;
mod owner;
mod region;
mod square;
mod two;

pub use geometry::Geometry;
pub use mask::{Mask, Squares};
pub use owner::{Actor, ByOwner, Owner};
pub use region::{RegionError, parse_region};
pub use square::{Board, Square};
pub use two::BoardName;

/// Runs code that is generic over the width of the masks on either variant of an enum.
#[macro_export]
macro_rules! by_width {
    ($kind:ident, $value:expr, |$name:pat_param| $body:expr) => {
        match $value {
            $kind::Narrow($name) => $body,
            $kind::Wide($name) => $body,
        }
    };
}
pub use crate::by_width;
