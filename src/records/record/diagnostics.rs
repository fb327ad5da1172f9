//! Collects the diagnostics of one record, up to the limit.

use super::codes;
use ferz_core::text::limits::DIAGNOSTICS_PER_GAME_MAX;
use ferz_core::text::{Code, Diagnostic, Severity, Span};
use std::borrow::Cow;

/// The diagnostics of one record: kept up to a limit, counted and located beyond it.
#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    kept: Vec<Diagnostic>,
    omitted: usize,
    omitted_span: Span,
    worst: Option<Severity>,
}

impl Diagnostics {
    pub(super) fn push(
        &mut self,
        code: Code,
        severity: Severity,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) {
        if self.kept.len() < DIAGNOSTICS_PER_GAME_MAX {
            self.kept.push(Diagnostic::new(code, severity, span, message));
            return;
        }
        let all = if self.omitted == 0 { span } else { self.omitted_span };
        self.omitted_span = Span::new(all.start.min(span.start), all.end.max(span.end));
        self.omitted += 1;
        self.worst = self.worst.max(Some(severity));
    }

    /// Like [`push`](Self::push), but a finding adjacent to the last one of the same code extends it.
    pub(super) fn extend(
        &mut self,
        code: Code,
        severity: Severity,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) {
        match self.kept.last_mut() {
            Some(last) if self.omitted == 0 && last.code == code && last.span.end == span.start => {
                last.span.end = span.end;
            }
            _ => self.push(code, severity, span, message),
        }
    }

    /// Removes the findings about places from `start` on.
    pub(super) fn rewind(&mut self, start: usize) {
        while self.kept.last().is_some_and(|d| d.span.start >= start) {
            self.kept.pop();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Everything kept, followed by one diagnostic for what was left out.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if let Some(worst) = self.worst {
            let message = format!("{} more diagnostics in this game are not listed", self.omitted);
            self.kept.push(Diagnostic::new(codes::MORE, worst, self.omitted_span, message));
        }
        self.kept
    }
}
