//! Where something stands in a text: byte spans, lines and columns.

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

    /// The same place in a text that has `offset` bytes in front of it.
    pub const fn shifted(self, offset: usize) -> Span {
        Span { start: self.start + offset, end: self.end + offset }
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

/// A place as people count it: lines and characters, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1. In a text that is not UTF-8 each byte counts as one.
    pub column: usize,
}

/// Finds lines and columns in one text, for offsets asked in any order.
///
/// ```
/// use ferz::text::{LineColumn, LineIndex};
/// let index = LineIndex::new("e4 e5\n\u{221e}1.....a4=N".as_bytes());
/// assert_eq!(index.locate(9), LineColumn { line: 2, column: 2 });
/// ```
#[derive(Debug)]
pub struct LineIndex<'a> {
    text: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    /// Reads the line starts of `text`. Lines end in `\n`; a `\r` before it belongs to the line.
    pub fn new(text: &'a [u8]) -> LineIndex<'a> {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|i| i + 1)).collect();
        LineIndex { text, starts }
    }

    /// Line and column of the byte at `offset`; an offset past the end is the place behind the last character.
    pub fn locate(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&s| s <= offset);
        LineColumn { line, column: count_chars(&self.text[self.starts[line - 1]..offset]) + 1 }
    }
}

/// The character of its line, from 1, that the byte at `offset` is, or is a part of.
pub(crate) fn column(text: &[u8], offset: usize) -> usize {
    let start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1);
    count_chars(&text[start..offset]) + 1
}

/// Characters of a text: those of UTF-8 where it is that, else bytes.
fn count_chars(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    std::str::from_utf8(text).map_or(text.len(), |s| s.chars().count())
}
