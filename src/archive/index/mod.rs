//! The index of what happened in games. It proposes entries in which a query can hold, and a replay decides.
//!
//! A segment covers a stretch of entries in order of arrival, and lists by [`Fact`](ferz_search::Fact) those in which
//! it happened. Segments are never changed: new entries get a new one, small neighbours are merged into a larger one,
//! and forgetting an entry deletes the one that covers it. What no segment covers is looked at one by one, so that
//! answers are the same with any index and with none.
//!
//! A segment also has the plies of its games, packed. Where its lists propose many games of which few are found, a
//! search plays these over first, which costs a tenth of a replay.

mod block;
mod build;
mod candidates;
mod played;
mod segment;

pub(super) use block::Block;
pub use build::Indexed;
pub use candidates::Proposed;
pub(crate) use candidates::{Asked, Portion};
pub(super) use segment::{Contents, NewSegment, Segment};
