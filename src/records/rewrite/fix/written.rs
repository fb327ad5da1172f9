//! Repairs of the text, independent of its meaning: bytes, comments, results.

use super::table;
use super::{Bench, Edits};
use crate::record::{CommentKind, GameResult, Item, ItemKind, codes};
use ferz_core::text::{Edit, Span};

impl Bench<'_, '_> {
    pub(super) fn in_the_text(&self) -> Edits {
        let mut found = Edits::new();
        self.bytes_and_blanks(&mut found);
        self.comments(&mut found);
        self.results(&mut found);
        for (_, span) in self.places(&table::NUMBER_FORM) {
            found.push((&table::NUMBER_FORM, Edit::new(Span::new(span.end - 1, span.end), ".")));
        }
        for (_, span) in self.places(&table::GLYPHS) {
            found.push((&table::GLYPHS, Edit::new(Span::new(span.start + 2, span.end), "")));
        }
        self.strays(&mut found);
        found
    }

    fn bytes_and_blanks(&self, found: &mut Edits) {
        let offset = self.record.offset();
        if !self.places(&table::LATIN_1).is_empty() {
            let mut at = offset;
            for chunk in self.record.source().utf8_chunks() {
                at += chunk.valid().len();
                for &byte in chunk.invalid() {
                    let with = char::from(byte).to_string();
                    found.push((&table::LATIN_1, Edit::new(Span::new(at, at + 1), with)));
                    at += 1;
                }
            }
        }
        for (_, span) in self.places(&table::CONTROL_BYTES) {
            // A run of them has one diagnostic.
            let bytes = self.bytes(span).iter().enumerate().filter(|(_, byte)| matches!(byte, 0 | 0x1a));
            found.extend(bytes.map(|(at, _)| {
                let place = Span::new(span.start + at, span.start + at + 1);
                (&table::CONTROL_BYTES, Edit::new(place, " "))
            }));
        }
        for (_, span) in self.places(&table::BYTE_ORDER_MARKS) {
            found.push((&table::BYTE_ORDER_MARKS, Edit::new(span, "")));
        }
        if self.wants(&table::LINE_ENDS) {
            for at in memchr::memchr_iter(b'\r', self.record.source()) {
                let alone = self.record.source().get(at + 1) != Some(&b'\n');
                let place = Span::new(offset + at, offset + at + 1);
                found.push((&table::LINE_ENDS, Edit::new(place, if alone { "\n" } else { "" })));
            }
        }
    }

    fn comments(&self, found: &mut Edits) {
        for (_, span) in self.places(&table::LOOSE_WORDS) {
            // The place is that of the words, with the quotes of a malformed tag pair.
            if !self.bytes(span).contains(&b'}') {
                found.push((&table::LOOSE_WORDS, Edit::new(Span::new(span.start, span.start), "{")));
                found.push((&table::LOOSE_WORDS, Edit::new(Span::new(span.end, span.end), "}")));
            }
        }
        for (_, span) in self.places(&table::OPEN_COMMENTS) {
            let comment =
                self.record.items.iter().find(|item| self.record.full_span(**item).start == span.start);
            if let Some(item) = comment {
                let end = self.record.full_span(*item).end;
                found.push((&table::OPEN_COMMENTS, Edit::new(Span::new(end, end), "}")));
            }
        }
        for (_, span) in self.places(&table::OPEN_VARIATIONS) {
            let opened = self.record.items.iter().position(|item| {
                matches!(item.kind, ItemKind::VariationStart { .. })
                    && self.record.span(*item).start == span.start
            });
            let Some(ItemKind::VariationStart { end }) = opened.map(|index| self.record.items[index].kind)
            else {
                continue;
            };
            let (place, text) = self.after(end as usize, ")");
            // Of several that end at one place only the first begins a line.
            let again = found.iter().any(|(_, edit)| edit.span == place);
            let text = if again { ")".to_owned() } else { text };
            found.push((&table::OPEN_VARIATIONS, Edit::new(place, text)));
        }
    }

    /// Where to insert a word after all items before `index`, and with which blanks.
    fn after(&self, index: usize, word: &str) -> (Span, String) {
        let is_closed = |item: &&Item| item.len > 0 || !matches!(item.kind, ItemKind::VariationEnd { .. });
        let last = self.record.items[..index].iter().rev().find(is_closed);
        let (end, own_line) = last.map_or((self.record.offset(), false), |item| {
            (self.record.full_span(*item).end, self.goes_to_line_end(*item))
        });
        let blank = if own_line { self.line_end() } else { "" };
        (Span::new(end, end), format!("{blank}{word}"))
    }

    /// True for a comment that extends to the end of its line.
    fn goes_to_line_end(&self, item: Item) -> bool {
        match item.kind {
            ItemKind::Comment(CommentKind::Semicolon | CommentKind::Escape) => true,
            ItemKind::Comment(CommentKind::Bare) => self.record.bytes(item).starts_with(b"//"),
            _ => false,
        }
    }

    fn results(&self, found: &mut Edits) {
        let (twice, odd) = (self.spans(&table::RESULT_TWICE), self.spans(&table::RESULT_FORM));
        for item in self.record.items.iter() {
            let (ItemKind::Result(result), span) = (item.kind, self.record.span(*item)) else { continue };
            if twice.contains(&span) {
                found.push((&table::RESULT_TWICE, Edit::new(span, "")));
            } else if odd.contains(&span) {
                found.push((&table::RESULT_FORM, Edit::new(span, result.as_str())));
            }
        }
        for ((_, span), result) in self.places(&table::RESULT_WORDS).into_iter().zip(self.record.result) {
            let text = [b"{", self.bytes(span), b"} ", result.as_str().as_bytes()].concat();
            found.push((&table::RESULT_WORDS, Edit::new(span, text)));
        }
        if let Some((_, place)) = self.places(&table::RESULT_MISSING).first() {
            let tag = self.record.tag("Result").and_then(|text| GameResult::parse(&text));
            let result = tag.unwrap_or(GameResult::Unknown).as_str();
            let last = self.record.items.last();
            let own_line = last.is_none_or(|item| self.goes_to_line_end(*item));
            let blank = if own_line { self.line_end() } else { " " };
            let open = self.record.diagnostics.iter().any(|found| found.code == codes::COMMENT_OPEN);
            // A tag that follows on the same line would be read as a word of this game.
            let rest = &self.record.source()[place.end - self.record.offset()..];
            let glued = self.is_followed && !rest.contains(&b'\n');
            let end = if glued { self.line_end() } else { "" };
            // An open comment is to be closed first, and ends elsewhere.
            if !open {
                found.push((&table::RESULT_MISSING, Edit::new(*place, format!("{blank}{result}{end}"))));
            }
        }
    }

    /// Bytes outside any token, each run with one adjacent blank if there are blanks on both sides.
    fn strays(&self, found: &mut Edits) {
        if self.places(&table::STRAY_BYTES).is_empty() {
            return;
        }
        let places = self.places(&table::STRAY_BYTES);
        let within =
            |stray: &Span| places.iter().any(|(_, span)| span.start < stray.end && stray.start < span.end);
        let spans = self.record.strays().into_iter().filter(within);
        found.extend(spans.map(|span| {
            let with = if self.parts_words(span) { " " } else { "" };
            (&table::STRAY_BYTES, Edit::new(span, with))
        }));
    }

    /// True if words stand on both sides of a place, which would be one without it.
    fn parts_words(&self, span: Span) -> bool {
        let (source, offset) = (self.record.source(), self.record.offset());
        let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
        is_word(source[..span.start - offset].last()) && is_word(source.get(span.end - offset))
    }
}
