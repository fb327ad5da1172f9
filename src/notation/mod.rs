//! L5: notation. One reader for all styles gives a position-free [`MoveText`]; one resolver finds the [`Ply`]
//! that it means in a position; one writer for each style.
//!
//! [`Ply`]: crate::position::Ply

pub mod coord;
pub mod courier;
mod explain;
mod express;
mod letters;
mod movetext;
mod nearest;
mod read;
mod resolve;
mod stood;
mod style;
mod styles;
mod write;

pub use express::{Inexpressible, Lack};
pub use letters::Letters;
pub use movetext::{CheckMark, GateText, Habits, MoveText, PlainStep, Shape, Unreadable};
pub use nearest::{alike, nearest};
pub use read::{read, read_plain};
pub use resolve::{Fault, Remarks, Resolved, resolve, resolve_plain};
pub use stood::resolve_stood;
pub use style::Style;
pub use styles::{read_as, read_smith};
pub use write::{WriteChoices, mark_after, mark_of, write};
