//! L1: the extended PGN. Parses bytes into [`Record`]s and writes records as text.
//!
//! ```
//! use ferz_records::record::{read, split};
//! let file = b"[White \"Ann\"]\n\n1. e4 e5 *\n\n[White \"Ben\"]\n\n1. d4 {[%clk 0:05:00]} d5 1-0\n";
//! for chunk in split(file) {
//!     for record in read(chunk, 0) {
//!         assert_eq!(record.main_moves().count(), 2);
//!     }
//! }
//! ```
//!
//! The grammar, with every tolerance and every code, is `formats/RECORD.md`.

mod chunk;
pub mod codes;
pub mod comment;
mod csa;
mod date;
mod diagnostics;
mod endings;
pub mod heading;
mod item;
mod layout;
mod losses;
mod movetext;
mod no_record;
pub use no_record::is_json;
mod number;
mod read;
mod split;
mod started;
mod strays;
mod swar;
mod tag_values;
mod tags;
pub mod time_control;
mod tree;
mod wrapped;
mod write;
mod write_tags;

pub use chunk::{Chunk, ChunkReader};
pub(crate) use csa::whole_ending as csa_ending;
pub use date::day;
pub use endings::{Ending, ending};
pub use item::{CommentKind, GameResult, Item, ItemKind, MoveNumber, Seat};
pub use losses::Losses;
pub use read::{Record, Records, read, read_limited};
pub use split::{Chunks, split};
pub use tags::TagPair;
pub use tags::in_roster;
pub(crate) use tags::{ROSTER, TagNames};
pub use tree::{Items, Line, MainMoves, Plies, Ply};
pub use wrapped::Wrapped;
pub(crate) use wrapped::files::kif_end;
pub use wrapped::files::xqf;
pub use write::{
    ASKS_FOR_BLACKS_DIAGRAM, ASKS_FOR_DIAGRAM, AsWritten, Comments, FirstPly, Label, PlyStyle, Texts,
    WriteOptions, annotation_sign, write_record, write_record_within,
};
pub(crate) use write_tags::tag_pair;
pub use write_tags::{position_record, tagged};
