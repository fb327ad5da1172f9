//! L7: from records to reports: one game, many games; the plies themselves; perft.

mod analysis;
mod batch;
mod clocks;
pub mod codes;
mod decided;
mod evidence;
mod game;
mod interpretation;
mod languages;
mod line;
pub mod perft;
mod report;
mod start;
pub mod summary;
mod tag_checks;
mod tags;
#[cfg(test)]
pub(crate) mod tests;
mod touched;
mod trace;
mod two_boards;
mod which_game;

pub use analysis::{AnalysedPly, Analysis, analysis};
#[cfg(feature = "json")]
pub(crate) use batch::each_part;
pub use batch::{Batch, batches, each_record, each_record_alone};
pub(crate) use batch::{each_record_then, of_text};
pub use decided::OtherRules;
pub(crate) use game::Judging;
pub use game::{AnyGame, Game, LanguageChoice, Options, Replayer};
pub(crate) use line::{Observer, is_marked_let_stand};
pub use report::{
    Agreement, BoardReport, Claimable, Decision, Effect, Illegal, Legality, Located, OtherReading, Report,
    Source, StyleEvidence,
};
pub use tag_checks::first_move;
pub(crate) use tags::lacks_set_up;
pub use trace::{AnyTrace, Trace, Traced, trace, trace_within, with_trace};
pub use two_boards::{AnyOnTwo, OfTwo, OnTwo, Played, WORKS_ON_ONE, is_on_two_boards, trace_on_two};
pub(crate) use two_boards::{boards_of_items, starts_as_text};
pub use which_game::AUTO;
