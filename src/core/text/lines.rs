//! Lines and columns of a text, found in bounded time wherever they are asked for.

use serde::Serialize;

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
/// use ferz_core::text::{LineColumn, LineIndex};
/// let index = LineIndex::new("e4 e5\n\u{221e}1.....a4=N".as_bytes());
/// assert_eq!(index.locate(9), LineColumn { line: 2, column: 2 });
/// ```
#[derive(Debug)]
pub struct LineIndex<'a> {
    text: &'a [u8],
    lines: Lines,
}

impl<'a> LineIndex<'a> {
    /// Indexes `text`. Lines end in `\n`; a `\r` before it belongs to the line.
    pub fn new(text: &'a [u8]) -> LineIndex<'a> {
        let mut lines = Lines::default();
        lines.extend(text, text.len());
        LineIndex { text, lines }
    }

    /// Line and column of the byte at `offset`; an offset past the end is the place after the last character.
    pub fn locate(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.text.len());
        self.lines.before(offset).advanced(self.text, offset).line_column(offset)
    }
}

/// Bytes from one known place to the next: what is looked through to locate an offset.
const STEP: usize = 512;

/// The lines of one text, indexed as far as places were asked for: all places of a text together cost one pass
/// through it, and each of them at most one step more, in any order and however long the lines are.
#[derive(Debug, Default)]
pub struct Lines {
    /// The known places after each whole step, or up to three bytes earlier, where a character begins.
    steps: Vec<Known>,
}

/// A place whose line and column are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Known {
    at: usize,
    /// Line breaks before it.
    breaks: usize,
    /// Where its line starts.
    line_start: usize,
    /// Characters of the line before it; nothing where they are not UTF-8.
    characters: Option<usize>,
}

impl Lines {
    /// Line and column of an offset in `text`, which is the same text at each call.
    pub fn locate(&mut self, text: &[u8], offset: usize) -> LineColumn {
        self.extend(text, offset);
        self.before(offset).advanced(text, offset).line_column(offset)
    }

    /// Learns the places up to an offset.
    fn extend(&mut self, text: &[u8], offset: usize) {
        while (self.steps.len() + 1) * STEP <= offset {
            let end = (self.steps.len() + 1) * STEP;
            let next = self.before(end).advanced(text, end);
            self.steps.push(next);
        }
    }

    /// The last place that is known before an offset.
    fn before(&self, offset: usize) -> Known {
        let step = (offset / STEP).min(self.steps.len());
        step.checked_sub(1).map_or(Known { characters: Some(0), ..Known::default() }, |step| self.steps[step])
    }
}

impl Known {
    /// The place at `end`, which does not lie before this one; where that is inside a character, the character's first
    /// byte.
    fn advanced(self, text: &[u8], end: usize) -> Known {
        let passed = &text[self.at..end];
        let mut next = self;
        if let Some(last) = memchr::memrchr(b'\n', passed) {
            next.breaks += memchr::memchr_iter(b'\n', &passed[..=last]).count();
            next.at = self.at + last + 1;
            (next.line_start, next.characters) = (next.at, Some(0));
        }
        let rest = &text[next.at..end];
        next.at = end;
        if let Some(characters) = next.characters
            && !rest.is_ascii()
        {
            next.characters = match std::str::from_utf8(rest) {
                Ok(rest) => Some(characters + rest.chars().count()),
                Err(error) if error.error_len().is_some() => None,
                Err(error) => {
                    next.at = end - rest.len() + error.valid_up_to();
                    let whole = rest[..error.valid_up_to()].iter().filter(|&&byte| byte & 0xc0 != 0x80);
                    Some(characters + whole.count())
                }
            };
        } else {
            next.characters = next.characters.map(|characters| characters + rest.len());
        }
        next
    }

    /// Line and column of the offset that was asked for.
    fn line_column(self, offset: usize) -> LineColumn {
        let before = self.characters.unwrap_or(offset - self.line_start);
        LineColumn { line: self.breaks + 1, column: before + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the index must find, by looking at the whole text for each place.
    fn by_hand(text: &[u8], offset: usize) -> LineColumn {
        let line_start = text[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = text[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
        let before = &text[line_start..offset];
        let column = match std::str::from_utf8(before) {
            Ok(before) => before.chars().count(),
            // Inside a character that is cut by the offset, the character's own column.
            Err(error) if error.error_len().is_none() => {
                String::from_utf8_lossy(&before[..error.valid_up_to()]).chars().count()
            }
            Err(_) => before.len(),
        };
        LineColumn { line, column: column + 1 }
    }

    #[test]
    fn every_place_of_every_text_in_any_order() {
        let latin1 =
            [&b"caf\xe9 \xb0\xb1"[..], &b"\xe9\xa0 x".repeat(400), b"\n plain \xe2\x88", b"\ntail"].concat();
        for text in [
            "".into(),
            b"\n\n".to_vec(),
            "1. e4 ".repeat(400).into_bytes(),
            "é".repeat(800).into_bytes(),
            "a\u{221e}é\u{1f600}".repeat(300).into_bytes(),
            format!("{}\n{}\n", "\u{221e} x".repeat(333), "é\n".repeat(500)).into_bytes(),
            latin1,
        ] {
            let index = LineIndex::new(&text);
            let (mut forwards, mut scattered) = (Lines::default(), Lines::default());
            for offset in 0..=text.len() {
                let wanted = by_hand(&text, offset);
                assert_eq!(index.locate(offset), wanted, "{offset}");
                assert_eq!(forwards.locate(&text, offset), wanted, "{offset}");
                let other = offset * 7919 % (text.len() + 1);
                assert_eq!(scattered.locate(&text, other), by_hand(&text, other), "{other}");
            }
            assert_eq!(index.locate(text.len() + 9), by_hand(&text, text.len()));
        }
    }

    /// A place on a long line costs one step, not the line before it.
    #[test]
    fn a_long_line_is_looked_through_once() {
        let text = "é".repeat(100 * STEP).into_bytes();
        let mut lines = Lines::default();
        lines.locate(&text, text.len());
        assert_eq!(lines.steps.len(), text.len() / STEP);
        for offset in (0..text.len()).step_by(777) {
            assert!(offset - lines.before(offset).at < STEP + 4);
        }
    }
}
