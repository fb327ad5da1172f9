//! Faults of a query's text.

use ferz_core::text::Span;

/// Why a query cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {remedy}")]
pub struct QueryError {
    /// The bytes of the query at fault.
    pub span: Span,
    /// The fault.
    pub message: String,
    /// What to write instead.
    pub remedy: String,
}

impl QueryError {
    pub(crate) fn new(span: Span, message: impl Into<String>, remedy: impl Into<String>) -> QueryError {
        QueryError { span, message: message.into(), remedy: remedy.into() }
    }
}
