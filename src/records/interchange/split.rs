//! Splits a text with many games into independent chunks.

use super::formats;
use crate::record::split::Splitter;

/// Splits `source` into chunks of whole games that can be read separately, in any order, by
/// [`read`](crate::record::read()).
///
/// The concatenated chunks are the whole source. A cut lies before a line that begins with a tag pair and follows
/// movetext, outside of comments.
///
/// ```
/// let file = b"[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n1. d4 {\n[A \"no\"]\n} *\n";
/// let sizes: Vec<usize> = ferz_records::interchange::split(file).map(<[u8]>::len).collect();
/// assert_eq!(sizes, [18, 30]);
/// ```
pub fn split(source: &[u8]) -> Chunks<'_> {
    Chunks { source, start: 0, splitter: Splitter::at(0, formats::header) }
}

/// The chunks of a text. Made by [`split`].
#[derive(Debug, Clone)]
pub struct Chunks<'a> {
    source: &'a [u8],
    start: usize,
    splitter: Splitter,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.start >= self.source.len() {
            return None;
        }
        let end = self.splitter.next_cut(self.source).unwrap_or(self.source.len());
        let chunk = &self.source[self.start..end];
        self.start = end;
        Some(chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(text: &str) -> Vec<&[u8]> {
        split(text.as_bytes()).collect()
    }

    #[test]
    fn cuts_lie_before_tags_after_movetext() {
        assert_eq!(cuts("[A \"1\"]\n[B \"2\"]\n\n1. e4 *\n[A \"3\"]\n*\n").len(), 2);
        assert_eq!(cuts("[A \"1\"]\r[B \"2\"]\r\r1. e4 *\r[A \"3\"]\n*\n").len(), 2);
        assert_eq!(cuts("[A \"1\"]\n\n[B \"2\"]\n%\n[C \"3\"]").len(), 1);
        assert_eq!(cuts("1. e4 {\n[A \"3\"]\n}\n[B \"x\"]").len(), 2);
        assert_eq!(cuts("1. e4 ;{\n[A \"3\"]").len(), 2);
        assert_eq!(cuts("e4\n%{\n[A \"{\"]\n1. e4\n[A \";\"]").len(), 3);
        assert_eq!(cuts("1. e4 {open\n\n[Event \"3\"]\n").len(), 2);
        assert_eq!(cuts("[A \"1\"] 1. e4 *\n[A \"1\"] 1. e4 *\n").len(), 2);
        assert_eq!(cuts("e4\n[%clk 1]\n[A]\n[[\n").len(), 1);
    }
}
