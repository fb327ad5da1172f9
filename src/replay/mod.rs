//! L7: from records to reports: one game, many games, conversion; the plies themselves; perft.

mod batch;
pub mod codes;
mod convert;
mod game;
mod in_place;
mod line;
pub mod perft;
mod report;
mod tags;
mod trace;
pub mod words;

pub use batch::{Batch, each_record};
pub use convert::{ConvertOptions, Converted, convert};
pub use game::{AnyGame, Game, Options, Replayer};
pub use in_place::{Rewritten, convert_in_place};
pub use report::{Agreement, Illegal, Located, Report, Source};
pub use trace::{AnyTrace, Trace, Traced, trace, with_trace};
