//! Edits of single places in a text; every other byte stays.

use super::Span;

/// A replacement of some bytes by others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// The replacement.
    pub with: Vec<u8>,
}

impl Edit {
    /// Replaces a span.
    pub fn new(span: Span, with: impl Into<Vec<u8>>) -> Edit {
        Edit { span, with: with.into() }
    }
}

/// Applies edits to a text. `offset` is the number of bytes of the whole input before the text; spans count in the
/// whole input. The edits are in order; one that overlaps the edit before it, or lies outside the text, is ignored.
///
/// ```
/// use ferz_core::text::{Edit, Span, edited};
/// let edits = [Edit::new(Span::new(13, 15), "d4"), Edit::new(Span::new(16, 16), "1... ")];
/// assert_eq!(edited(b"1. e4 e5", 10, &edits), b"1. d4 1... e5");
/// ```
pub fn edited(text: &[u8], offset: usize, edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + edits.iter().map(|edit| edit.with.len()).sum::<usize>());
    let mut done = 0;
    for Edit { span, with } in edits {
        let (Some(start), Some(end)) = (span.start.checked_sub(offset), span.end.checked_sub(offset)) else {
            continue;
        };
        if start < done || end < start || end > text.len() {
            continue;
        }
        out.extend_from_slice(&text[done..start]);
        out.extend_from_slice(with);
        done = end;
    }
    out.extend_from_slice(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_cannot_be_made_are_left_out() {
        let edit = |start, end| Edit::new(Span { start, end }, "x");
        assert_eq!(edited(b"abc", 5, &[edit(4, 6), edit(5, 7), edit(6, 8), edit(7, 9)]), b"xc");
        assert_eq!(edited(b"abc", 0, &[edit(0, 0), edit(3, 3)]), b"xabcx");
    }
}
