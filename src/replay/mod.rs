//! L7: from records to reports: one game, many games, conversion; the plies themselves; perft.

mod batch;
mod clocks;
pub mod codes;
mod compare;
mod convert;
mod evidence;
pub mod fix;
mod game;
mod in_place;
mod languages;
mod line;
pub mod perft;
mod reading;
mod report;
mod split_stood;
mod tag_checks;
mod tags;
#[cfg(test)]
mod tests;
mod trace;
pub mod transcript;
pub mod words;

#[cfg(any(feature = "cli", feature = "archive"))]
pub(crate) use batch::each_part;
pub use batch::{Batch, each_record, each_record_alone};
pub use compare::{
    Comparison, Fit, Meeting, Misfit, Parting, Reading, Relation, Side, TagDifference, compare,
    compare_within,
};
pub use convert::{ConvertOptions, Converted, convert, convert_within};
pub use game::{AnyGame, Game, LanguageChoice, Options, Replayer};
pub use in_place::{Rewritten, convert_in_place, convert_in_place_within};
pub use report::{Agreement, Illegal, Located, Report, Source, StyleEvidence, flat_reports};
pub use split_stood::{split_stood, split_stood_within};
pub use trace::{AnyTrace, Trace, Traced, trace, trace_within, with_trace};
pub use transcript::{Transcribed, Transcript, transcribe, transcribe_within};
