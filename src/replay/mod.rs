//! L7: from records to reports: one game, many games, conversion; the plies themselves; boards as text, perft.

mod batch;
pub mod board_text;
pub mod codes;
mod convert;
mod game;
mod line;
pub mod perft;
mod report;
mod tags;
mod trace;

pub use batch::{Batch, each_record};
pub use convert::{ConvertOptions, Converted, convert};
pub use game::{AnyGame, Game, Options, Replayer};
pub use report::{Agreement, Illegal, Located, Report, Source};
pub use trace::{AnyTrace, Trace, Traced, trace};
