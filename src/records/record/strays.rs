//! Bytes outside any token: what reading has skipped, with a diagnostic.

use super::codes;
use super::item::ItemKind;
use super::read::Record;
use ferz_core::text::Span;
use ferz_core::text::bytes::{char_len, is_newline, skip_blank};

impl Record<'_> {
    /// The runs of bytes that are neither blank nor part of a tag pair or an item: stray braces and brackets, dots
    /// without a number. In order, with places in the whole input.
    ///
    /// Tag pairs beyond the limit are not among them.
    pub fn strays(&self) -> Vec<Span> {
        let mut found = Vec::new();
        let tags = self.tags.iter().map(|tag| self.tag_full_span(tag));
        let beyond = self.diagnostics.iter().filter(|diagnostic| diagnostic.code == codes::TAGS_TOO_MANY);
        let mut covered: Vec<Span> = tags.chain(beyond.map(|diagnostic| diagnostic.span)).collect();
        covered.extend(self.items.iter().map(|item| self.full_span(*item)));
        // A variation beyond the depth of the tree is one item.
        covered.sort_by_key(|span| (span.start, span.end));
        let mut pos = 0;
        for span in covered {
            let (start, end) = (span.start - self.offset(), span.end - self.offset());
            self.uncovered(pos, start, &mut found);
            pos = pos.max(end);
        }
        self.uncovered(pos, self.source().len(), &mut found);
        found
    }

    /// The end of a move number's text, with the parenthesis that replaces its dot (`1)`).
    pub(crate) fn number_end(&self, index: usize) -> usize {
        let item = self.items[index];
        let end = item.end() as usize;
        let ItemKind::MoveNumber(number) = item.kind else { return end };
        let parenthesis = self.diagnostics.iter().any(|diagnostic| {
            diagnostic.code == codes::NUMBER_FORM
                && diagnostic.span == Span::new(item.start as usize, end + 1).shifted(self.offset())
        });
        end + usize::from(number.dots == 0 && parenthesis)
    }

    /// The runs in `from..to` of the source that are not blank.
    fn uncovered(&self, from: usize, to: usize, found: &mut Vec<Span>) {
        let (src, mut pos) = (&self.source()[..to.max(from)], from);
        while pos < src.len() {
            let blank = skip_blank(src, pos);
            if blank > pos || is_newline(src[pos]) {
                pos = blank.max(pos + 1);
                continue;
            }
            let start = pos;
            while pos < src.len() && skip_blank(src, pos) == pos && !is_newline(src[pos]) {
                pos += char_len(src, pos);
            }
            found.push(Span::new(start, pos).shifted(self.offset()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read;

    #[test]
    fn what_no_token_holds_is_found() {
        let text = b"\xef\xbb\xbf[A \"x\"] }\n1. e4 } ]] {}} e5 ... $ ; ok }\n%}\n (d4) ) < x > *";
        let record = read(text, 0).next().expect("a record");
        let strays = record.strays();
        let texts: Vec<_> = strays.iter().map(|span| String::from_utf8_lossy(span.of(text))).collect();
        assert_eq!(texts, ["}", "}", "]]", "}", "...", "$", ")", "<", ">"]);
        let numbered = read(b"1) e4 ) *", 0).next().expect("a record");
        assert_eq!((numbered.number_end(0), numbered.strays().len()), (2, 2));
    }
}
