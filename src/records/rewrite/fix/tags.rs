//! Repairs of tag pairs.

use super::super::add::line_end;
use super::table;
use super::{Bench, Edits};
use crate::record::{GameResult, ItemKind, ROSTER, TagPair};
use crate::replay::codes;
use ferz_core::text::{Edit, Span};

impl Bench<'_, '_> {
    pub(super) fn in_the_tags(&self) -> Edits {
        let mut found = Edits::new();
        let (odd, mut double) = (self.spans(&table::TAG_PAIRS), self.spans(&table::DOUBLE_TAGS));
        // Where one repeated tag says something else, all of them may belong to another game.
        let other =
            |tag: &&TagPair| double.contains(&self.record.tag_full_span(tag)) && !self.says_nothing_new(tag);
        if self.record.tags.iter().find(other).is_some() {
            double.clear();
        }
        for tag in &self.record.tags {
            let span = self.record.tag_full_span(tag);
            if odd.contains(&span) {
                found.push((&table::TAG_PAIRS, Edit::new(span, self.pair(tag))));
            } else if double.contains(&span) {
                let end = span.end + self.line_end_after(span.end);
                found.push((&table::DOUBLE_TAGS, Edit::new(Span::new(span.start, end), "")));
            }
        }
        self.set_up(&mut found);
        self.termination(&mut found);
        self.rules_edition(&mut found);
        self.result(&mut found);
        if self.wants(&table::ROSTER) {
            self.roster(&mut found);
        }
        found
    }

    /// A tag pair in correct form, in the encoding of the record.
    fn pair(&self, tag: &TagPair) -> Vec<u8> {
        let part = |start: u32, len: u32| &self.record.source()[start as usize..(start + len) as usize];
        let (name, written) = (part(tag.name, tag.name_len), without_quotes(part(tag.value, tag.value_len)));
        let mut value = Vec::new();
        let mut bytes = written.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let escaped = byte == b'\\' && matches!(bytes.peek(), Some(b'"' | b'\\'));
            let byte = if escaped { bytes.next().unwrap_or(byte) } else { byte };
            if matches!(byte, b'"' | b'\\') {
                value.push(b'\\');
            }
            value.push(byte);
        }
        let roster = ROSTER.iter().find(|(known, _)| known.as_bytes() == name);
        if value.is_empty()
            && let Some((_, unknown)) = roster
        {
            value.extend_from_slice(unknown.as_bytes());
        }
        [b"[", name, b" \"", &value, b"\"]"].concat()
    }

    /// True if an earlier tag has the same name and the same value.
    fn says_nothing_new(&self, tag: &TagPair) -> bool {
        let (name, value) = (self.record.tag_name(tag), self.record.tag_value(tag));
        let earlier = self.record.tags.iter().take_while(|other| other.start < tag.start);
        earlier
            .filter(|other| self.record.tag_name(other) == name)
            .any(|other| self.record.tag_value(other) == value)
    }

    /// Bytes of the line end at a place, if only blanks precede it on the line.
    fn line_end_after(&self, place: usize) -> usize {
        match &self.record.source()[place - self.record.offset()..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        }
    }

    /// The line end of the record's first line.
    pub(super) fn line_end(&self) -> &'static str {
        line_end(self.record)
    }

    /// Adds how the game ended, if words say more than the result does.
    fn termination(&self, found: &mut Edits) {
        let Some(termination) =
            self.record.missing_termination().filter(|_| self.wants(&table::RESULT_WORDS))
        else {
            return;
        };
        if let Some(last) = self.record.tags.last() {
            let end = self.record.tag_full_span(last).end;
            let tag = format!("{}[Termination \"{termination}\"]", self.line_end());
            found.push((&table::RESULT_WORDS, Edit::new(Span::new(end, end), tag)));
        }
    }

    fn set_up(&self, found: &mut Edits) {
        for (code, span) in self.places(&table::SET_UP) {
            if code == codes::J_SET_UP_MISSING && self.record.find_tag("SetUp").is_none() {
                let tag = format!("[SetUp \"1\"]{}", self.line_end());
                found.push((&table::SET_UP, Edit::new(Span::new(span.start, span.start), tag)));
            } else if let Some(tag) = self.record.find_tag("SetUp")
                && self.record.source()[..tag.value as usize].ends_with(b"\"")
            {
                // A value without quotation marks gets them first.
                found.push((&table::SET_UP, Edit::new(self.record.tag_span(tag), "1")));
            }
        }
    }

    /// The edition goes before the tag that names the game.
    fn rules_edition(&self, found: &mut Edits) {
        let place = self.record.find_tag("Variant").map(|tag| self.record.tag_full_span(tag).start);
        let rules = self.report.rules.as_ref().filter(|_| !self.places(&table::RULES_EDITION).is_empty());
        if let (Some(start), Some(rules)) = (place, rules) {
            let tag = format!("[RulesEdition \"{}\"]{}", rules.edition, self.line_end());
            found.push((&table::RULES_EDITION, Edit::new(Span::new(start, start), tag)));
        }
    }

    fn result(&self, found: &mut Edits) {
        let marker = self.record.items.iter().find(|item| matches!(item.kind, ItemKind::Result(_)));
        let marker = marker.filter(|_| self.record.result.is_some()).map(|item| self.record.span(*item));
        let tag = self.record.find_tag("Result");
        let tag_span = tag.map(|tag| self.record.tag_span(tag));
        let in_tag = self.record.tag("Result").and_then(|text| GameResult::parse(&text));
        let differ = |repair| !self.places(repair).is_empty();
        if let (true, Some(span), Some(result)) = (differ(&table::RESULT_TAG), tag_span, self.record.result) {
            found.push((&table::RESULT_TAG, Edit::new(span, result.as_str())));
        } else if let (true, Some(span), Some(result)) = (differ(&table::RESULT_MARKER), marker, in_tag) {
            found.push((&table::RESULT_MARKER, Edit::new(span, result.as_str())));
        }
        if let (true, Some(end)) = (differ(&table::RESULT_BOARD), self.report.end) {
            let board = end.outcome.as_str();
            let texts = [(tag_span, in_tag), (marker, self.record.result)];
            for (span, given) in texts {
                if let Some(span) = span.filter(|_| given.is_some_and(|given| given.as_str() != board)) {
                    found.push((&table::RESULT_BOARD, Edit::new(span, board)));
                }
            }
        }
    }

    /// Inserts each missing tag before the next tag of the roster that is present, or else after the last one, or else
    /// at the start of the record.
    fn roster(&self, found: &mut Edits) {
        let offset = self.record.offset();
        let place = |name: &str| self.record.find_tag(name).map(|tag| self.record.tag_full_span(tag));
        let end = self.line_end();
        for (index, (name, unknown)) in ROSTER.iter().enumerate() {
            if place(name).is_some() {
                continue;
            }
            let given = self.record.result.map(GameResult::as_str).filter(|_| *name == "Result");
            let tag = format!("[{name} \"{}\"]", given.unwrap_or(unknown));
            let next = ROSTER[index + 1..].iter().find_map(|(name, _)| place(name));
            let last = ROSTER[..index].iter().rev().find_map(|(name, _)| place(name));
            let edit = match (next, last) {
                (Some(next), _) => Edit::new(Span::new(next.start, next.start), format!("{tag}{end}")),
                (None, Some(last)) => Edit::new(Span::new(last.end, last.end), format!("{end}{tag}")),
                (None, None) => {
                    let first = self.record.tags.first().map(|tag| self.record.tag_full_span(tag).start);
                    let blank = if first.is_none() && index + 1 == ROSTER.len() { end } else { "" };
                    let start = first.unwrap_or(offset + self.blanks_in_front());
                    // A game without tags may begin on the line where another ends.
                    let in_line = offset > 0 && first.is_none() && index == 0;
                    let front = if in_line && !self.begins_line(start) { end } else { "" };
                    Edit::new(Span::new(start, start), format!("{front}{tag}{end}{blank}"))
                }
            };
            found.push((&table::ROSTER, edit));
        }
    }

    /// True if a line is known to begin at a place.
    fn begins_line(&self, place: usize) -> bool {
        self.record.source()[..place - self.record.offset()].ends_with(b"\n")
    }

    /// Blank bytes at the start of the record.
    fn blanks_in_front(&self) -> usize {
        let source = self.record.source();
        let start = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
        source.len() - start.trim_ascii_start().len()
    }
}

/// The value without the typographic quotation marks around it, which take the place of the standard's.
fn without_quotes(value: &[u8]) -> &[u8] {
    const OPENING: [&[u8]; 6] = [
        "\u{201c}".as_bytes(),
        "\u{201d}".as_bytes(),
        "\u{201e}".as_bytes(),
        "\u{ab}".as_bytes(),
        "\u{bb}".as_bytes(),
        b"''",
    ];
    const CLOSING: [&[u8]; 5] =
        ["\u{201c}".as_bytes(), "\u{201d}".as_bytes(), "\u{ab}".as_bytes(), "\u{bb}".as_bytes(), b"''"];
    let inner = OPENING.iter().find_map(|mark| value.strip_prefix(*mark));
    inner.and_then(|inner| CLOSING.iter().find_map(|mark| inner.strip_suffix(*mark))).unwrap_or(value)
}
