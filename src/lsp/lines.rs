//! A text with its lines, and places as editors count them: lines and UTF-16 code units from 0.

use ferz::text::Span;
use lsp_types::{Position, Range};

/// A text with the starts of its lines.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    starts: Vec<usize>,
}

impl Text {
    /// Splits a text into lines.
    pub fn new(text: String) -> Text {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        Text { text, starts }
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The editor's place for a byte; for one inside a character, that of the character.
    pub fn position(&self, byte: usize) -> Position {
        let byte = floor(&self.text, byte.min(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = &self.text[self.starts[line]..byte];
        Position::new(line as u32, before.encode_utf16().count() as u32)
    }

    /// The byte for an editor's place; past the end of a line, its end.
    pub fn byte(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let mut units = 0;
        for (at, char) in self.text[start..end].char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += char.len_utf16();
        }
        end
    }

    /// The editor's range for a span of bytes.
    pub fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }

    /// Replaces a range.
    pub fn replace(&mut self, range: Range, with: &str) {
        let (start, end) = (self.byte(range.start), self.byte(range.end));
        let mut text = std::mem::take(&mut self.text);
        text.replace_range(start..end.max(start), with);
        *self = Text::new(text);
    }
}

/// The start of the character that a byte belongs to.
fn floor(text: &str, byte: usize) -> usize {
    (0..=byte).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_count_as_utf_16_has_them() {
        let text = Text::new("a♘b\n🩏c\r\n".to_owned());
        for (byte, line, unit) in
            [(0, 0, 0), (1, 0, 1), (4, 0, 2), (5, 0, 3), (6, 1, 0), (10, 1, 2), (13, 2, 0)]
        {
            assert_eq!(text.position(byte), Position::new(line, unit), "{byte}");
            assert_eq!(text.byte(Position::new(line, unit)), byte, "{line} {unit}");
        }
        assert_eq!(text.byte(Position::new(0, 99)), 5);
        assert_eq!(text.byte(Position::new(9, 0)), 13);
    }

    proptest! {
        #[test]
        fn places_come_back(
            text in "[a♘🩏\\n\\r ]{0,40}",
            part in "[b♘🩏\\n]{0,6}",
            from in 0usize..40,
            to in 0usize..40,
        ) {
            let lines = Text::new(text.clone());
            for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
                prop_assert_eq!(lines.byte(lines.position(byte)), byte);
            }
            let (from, to) = (floor(&text, from.min(text.len())), floor(&text, to.min(text.len())));
            let (from, to) = (from.min(to), from.max(to));
            let mut changed = Text::new(text.clone());
            changed.replace(lines.range(Span::new(from, to)), &part);
            prop_assert_eq!(changed.as_str(), [&text[..from], &part, &text[to..]].concat());
        }
    }
}
