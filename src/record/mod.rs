//! L1: the extended PGN. Parses bytes into [`Record`]s and writes records as text.
//!
//! ```
//! use ferz::record::{read, split};
//! let file = b"[White \"Ann\"]\n\n1. e4 e5 *\n\n[White \"Ben\"]\n\n1. d4 {[%clk 0:05:00]} d5 1-0\n";
//! for chunk in split(file) {
//!     for record in read(chunk, 0) {
//!         assert_eq!(record.main_moves().count(), 2);
//!     }
//! }
//! ```
//!
//! The grammar, with every tolerance and every code, is `formats/RECORD.md`.

mod bytes;
mod chunk;
pub mod codes;
pub mod comment;
pub mod courier;
mod csa;
mod diagnostics;
mod endings;
#[cfg(any(feature = "cli", feature = "server"))]
pub(crate) mod heading;
mod item;
mod layout;
mod losses;
mod movetext;
mod no_record;
#[cfg(any(feature = "cli", feature = "archive"))]
pub(crate) use no_record::is_json;
mod number;
mod read;
mod shogi;
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
pub use endings::{Ending, ending};
pub use item::{CommentKind, GameResult, Item, ItemKind, MoveNumber};
pub(crate) use item::{KOREAN_ANSWER, KOREAN_CHECK, KOREAN_PASS};
pub use losses::Losses;
pub use read::{Record, Records, decode, read, read_limited};
pub(crate) use shogi::{SHOGI_PIECES, ShogiPiece};
pub use split::{Chunks, split};
pub use tags::TagPair;
pub(crate) use tags::{ROSTER, TagNames};
pub use tree::{Items, Line, MainMoves, Plies, Ply};
pub use wrapped::Wrapped;
pub(crate) use wrapped::files::kif_end;
pub use write::{
    AsWritten, FirstPly, Label, PlyStyle, Texts, WriteOptions, write_record, write_record_within,
};
#[cfg(any(feature = "cli", feature = "server"))]
pub(crate) use write_tags::position_record;
