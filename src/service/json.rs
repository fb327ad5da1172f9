//! Values as JSON: alone, in an array, or one a line.

use super::media;
use super::memory::{Budgeted, MemoryBudget};
use super::problem::{self, Problem};
use serde::Serialize;

/// Serializes a value.
///
/// # Errors
/// Only for maps with keys that are not strings; the service has none.
pub(in crate::service) fn json(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    // Most reports fit.
    let mut text = Vec::with_capacity(1 << 10);
    let written = serde_json::to_writer(&mut text, value);
    written.map(|()| text).map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))
}

/// An answer of values: an array, or with NDJSON one a line.
pub(in crate::service) struct Values {
    answer: Budgeted,
    form: &'static str,
    count: usize,
}

impl Values {
    /// No values yet; `form` is JSON or NDJSON, or the one of a text that is written to [`Values::answer`] instead.
    pub(in crate::service) fn new(memory: &MemoryBudget, form: &'static str) -> Values {
        Values { answer: Budgeted::new(memory), form, count: 0 }
    }

    /// Adds a value.
    ///
    /// # Errors
    /// If the memory has no room for it.
    pub(in crate::service) fn add(&mut self, value: &impl Serialize) -> Result<(), Problem> {
        if self.form == media::JSON {
            self.answer.add(if self.count == 0 { b"[" } else { b",\n" })?;
        }
        self.count += 1;
        self.answer.add(&json(value)?)?;
        if self.form == media::NDJSON {
            self.answer.add(b"\n")?;
        }
        Ok(())
    }

    /// The bytes so far, for an answer that is sent as it is made.
    pub(in crate::service) fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }

    /// The whole answer.
    ///
    /// # Errors
    /// If the memory has no room for its end.
    pub(in crate::service) fn end(mut self) -> Result<Budgeted, Problem> {
        if self.form == media::JSON {
            self.answer.add(if self.count == 0 { b"[]\n" } else { b"]\n" })?;
        }
        Ok(self.answer)
    }
}
