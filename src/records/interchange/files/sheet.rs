//! What a layer makes of a file: parts of its text, perhaps in another order, and what is written between them.

use crate::interchange::layers::Change;
use ferz_core::text::Span;
use std::borrow::Cow;

/// A part of a [`Sheet`].
#[derive(Debug, Clone)]
enum Piece {
    /// Text that is not in the file, with the place that it comes from.
    Written(Cow<'static, str>, Span),
    /// Bytes of the file.
    Kept(Span),
}

/// Pieces in the order in which they are written.
#[derive(Debug, Clone, Default)]
pub(super) struct Sheet {
    pieces: Vec<Piece>,
}

impl Sheet {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Writes a text; a diagnostic about it points at `from`.
    pub(super) fn write(&mut self, text: impl Into<Cow<'static, str>>, from: Span) {
        self.pieces.push(Piece::Written(text.into(), from));
    }

    /// Keeps bytes of the file.
    pub(super) fn keep(&mut self, span: Span) {
        if !span.is_empty() {
            self.pieces.push(Piece::Kept(span));
        }
    }

    pub(super) fn append(&mut self, other: &Sheet) {
        self.pieces.extend_from_slice(&other.pieces);
    }

    /// Keeps bytes as the value of a tag.
    pub(super) fn keep_value(&mut self, text: &[u8], span: Span) {
        let mut done = span.start;
        for at in memchr::memchr2_iter(b'"', b'\\', span.of(text)).map(|at| span.start + at) {
            self.keep(Span::new(done, at));
            self.write("\\", Span::new(at, at));
            done = at;
        }
        self.keep(Span::new(done, span.end));
    }

    /// Keeps lines as a comment. One with a closing brace goes to the end of its line instead.
    pub(super) fn comment(&mut self, text: &[u8], lines: &[Span]) {
        let mut open = None;
        for line in lines.iter().filter(|line| !line.of(text).trim_ascii().is_empty()) {
            let (start, end) = (Span::new(line.start, line.start), Span::new(line.end, line.end));
            if line.of(text).contains(&b'}') {
                if let Some(place) = open.take() {
                    self.write("}\n", place);
                }
                self.write("; ", start);
                self.keep(*line);
                self.write("\n", end);
                continue;
            }
            self.write(if open.is_some() { "\n" } else { "{" }, start);
            self.keep(*line);
            open = Some(end);
        }
        if let Some(place) = open {
            self.write("}\n", place);
        }
    }

    /// The changes that put the sheet in the place of `whole`.
    pub(super) fn changes(self, text: &[u8], whole: Span) -> Vec<Change> {
        let written = self.pieces.into_iter().map(|piece| match piece {
            Piece::Written(with, from) => Change::written(whole.end, with.into_owned(), from),
            Piece::Kept(span) => Change::moved(whole.end, text, span),
        });
        std::iter::once(Change::new(whole.start, whole.end, "")).chain(written).collect()
    }
}
