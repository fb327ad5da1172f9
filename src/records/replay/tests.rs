//! Helpers for the tests of this layer: read a text and judge it by the built-in games.

use super::{Options, Replayer, Report, Source};
use crate::record::{Record, read};
use ferz_core::rules::Registry;

/// The first record of a text.
pub fn record(text: &str) -> Record<'_> {
    read(text.as_bytes(), 0).next().expect("a record")
}

/// A replayer with default options.
pub fn replayer() -> Replayer<'static> {
    Replayer::new(Registry::built_in(), Options::default())
}

/// The report on the first record of a text.
pub(super) fn report(text: &str) -> Report {
    report_with(Options::default(), text)
}

/// The same with other options.
pub(super) fn report_with(options: Options, text: &str) -> Report {
    let source = Source::new(text.as_bytes(), 0, 0);
    Replayer::new(Registry::built_in(), options).report(&record(text), &source, 0)
}
