//! What a record loses when it is written.

use super::codes;
use super::read::Record;
use ferz_core::text::limits::LOSSES_KEPT_MAX;
use ferz_core::text::{Code, Diagnostic, Severity, Span};
use std::borrow::Cow;

/// What could not be kept of a record: the first losses, and how many there are besides. All of them are warnings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Losses {
    /// The first losses, with their places in the input: at most [`LOSSES_KEPT_MAX`].
    pub diagnostics: Vec<Diagnostic>,
    /// The number of further ones.
    pub left_out: usize,
}

impl Losses {
    /// True if everything could be kept.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// The losses that reading has already reported: bytes outside any item.
    pub(super) fn of_reading(record: &Record<'_>) -> Losses {
        let lost = [
            codes::BRACE_STRAY,
            codes::PARENTHESIS_STRAY,
            codes::RESERVED,
            codes::BRACKET_STRAY,
            codes::NAG_BAD,
            codes::GLYPHS_ODD,
            codes::TAGS_TOO_MANY,
            codes::RECORD_LONG,
            codes::MORE,
        ];
        let mut losses = Losses::default();
        if let Some(found) = record.diagnostics.iter().find(|found| found.code == codes::SKIPPED_LINES) {
            losses.push(codes::SKIPPED_LINES, found.span, || found.message.clone());
        }
        for found in record.diagnostics.iter().filter(|d| lost.contains(&d.code)) {
            losses.push(codes::LOSS_SKIPPED, found.span, || "these bytes are left out".into());
        }
        losses
    }

    /// Adds a loss at a place of the input. The message is only made if the loss is kept.
    pub(super) fn push(&mut self, code: Code, span: Span, message: impl FnOnce() -> Cow<'static, str>) {
        if self.diagnostics.len() >= LOSSES_KEPT_MAX {
            self.left_out += 1;
            return;
        }
        self.diagnostics.push(Diagnostic::new(code, Severity::Warning, span, message()));
    }
}
