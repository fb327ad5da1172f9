//! L1: squares, masks, owners and the geometry of any board of up to 128 squares.

mod geometry;
mod mask;
mod owner;
mod region;
mod square;

pub use geometry::Geometry;
pub use mask::{Mask, Squares};
pub use owner::{Actor, ByOwner, Owner};
pub use region::{RegionError, parse_region};
pub use square::{Board, Square};
