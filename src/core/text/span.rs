//! Byte spans: places in a text.

use serde::Serialize;

/// A half-open range of bytes, counted from the start of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, and without, `end`.
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Number of bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// True if the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same place in a text with `offset` bytes before it.
    pub const fn shifted(self, offset: usize) -> Span {
        Span { start: self.start + offset, end: self.end + offset }
    }

    /// The same place without the `offset` bytes before the text.
    pub const fn shifted_back(self, offset: usize) -> Span {
        Span { start: self.start - offset, end: self.end - offset }
    }

    /// The span with both ends moved outwards to whole characters of `text`.
    pub fn on_characters(self, text: &str) -> Span {
        let (mut start, mut end) = (self.start.min(text.len()), self.end.min(text.len()));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Span { start, end }
    }

    /// The bytes of `text` that the span names.
    ///
    /// # Panics
    /// If the span lies outside `text`.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start..self.end]
    }
}
