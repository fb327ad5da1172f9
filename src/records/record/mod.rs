//! L1: the extended PGN. Parses bytes into [`Record`]s and writes records as text.
//!
//! ```
//! let file = b"[White \"Ann\"]\n\n1. e4 e5 *\n\n[White \"Ben\"]\n\n1. d4 {[%clk 0:05:00]} d5 1-0\n";
//! for record in ferz_records::record::read(file, 0) {
//!     assert_eq!(record.main_moves().count(), 2);
//! }
//! ```
//!
//! The grammar, with every tolerance and every code, is `formats/RECORD.md`.

pub mod codes;
pub mod comment;
pub(crate) mod csa;
mod date;
mod diagnostics;
pub(crate) mod endings;
pub mod heading;
mod item;
mod layout;
mod losses;
mod movetext;
mod no_record;
pub use no_record::is_json;
pub(crate) mod number;
pub(crate) mod read;
pub(crate) mod split;
mod started;
mod strays;
mod swar;
mod tag_values;
pub(crate) mod tags;
pub mod time_control;
mod tree;
mod write;
mod write_tags;

pub(crate) use csa::whole_ending as csa_ending;
pub use date::day;
pub use endings::{Ending, ending};
pub use item::{CommentKind, GameResult, Item, ItemKind, MoveNumber, Seat};
pub use losses::Losses;
pub use read::{Record, Records, read, read_limited};
pub use tags::TagPair;
pub use tags::in_roster;
pub(crate) use tags::{ROSTER, TagNames};
pub use tree::{Items, Line, MainMoves, Plies, Ply};
pub use write::{
    ASKS_FOR_BLACKS_DIAGRAM, ASKS_FOR_DIAGRAM, AsWritten, Comments, FirstPly, Label, PlyStyle, Texts,
    WriteOptions, annotation_sign, write_record, write_record_within,
};
pub(crate) use write_tags::tag_pair;
pub use write_tags::{position_record, tagged};
