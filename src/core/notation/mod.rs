//! L5: notation. One reader for all styles returns a position-free [`MoveText`]; one resolver finds the [`Ply`] that it
//! means in a position; each style has a writer.
//!
//! [`Ply`]: crate::position::Ply

mod attempts;
pub mod coord;
pub mod courier;
mod explain;
mod express;
pub mod forms;
mod language;
mod lenient;
mod let_stand;
mod letters;
pub mod marks;
mod movetext;
mod nearest;
mod origin;
mod own_forms;
mod prefix_table;
mod read;
mod read_as;
mod resolve;
mod slips;
mod spoken;
mod style;
mod styles;
mod write;

pub use express::{Inexpressible, Lack};
pub use language::capital_bit;
pub use language::{Alphabet, Language, Languages, read_language};
pub use lenient::{respellings, with_capital};
pub use let_stand::resolve_let_stand;
pub use letters::Letters;
pub use movetext::PlainStep;
pub use movetext::{
    Becomes, ByFile, CheckMark, GateText, Habits, Hints, MoveText, Place, Shape, Unreadable, Way, Which,
};
pub use nearest::{alike, nearest};
pub use origin::{Origin, origin_needed};
pub use read::read;
pub use read::{read_whole, read_word};
pub use read_as::{read_as, read_smith};
pub use resolve::resolve_plain;
pub use resolve::{Fault, Leniency, Resolved, resolve, resolve_castling};
pub use slips::Slips;
pub use spoken::named_piece;
pub use style::{Style, unmarked};
pub use styles::coordinates;
pub use styles::shogi::{SHOGI_PIECES, ShogiPiece};
pub use write::is_aslant;
pub use write::{WriteChoices, mark_after, mark_of, write, write_alone};
