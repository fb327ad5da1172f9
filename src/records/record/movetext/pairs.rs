//! The tag pairs of a record.

use super::{Ends, Flow, GoesOn, Parser};
use crate::record::codes;
use crate::record::item::{CommentKind, ItemKind};
use crate::record::tags::{self, FoundPair, TagLine, TagPair};
use ferz_core::text::Severity;
use ferz_core::text::bytes;
use ferz_core::text::limits::TAGS_PER_GAME_MAX;

impl Parser<'_> {
    /// The tag pairs of a line that begins with `[`.
    pub(super) fn tag_line(&mut self) -> Flow {
        let mut line = TagLine::new(self.src);
        let Some(first) = line.pair(self.pos) else { return self.stray(b'[') };
        let event = self.tagged && bytes::event_after_blank(self.src, self.line_start, self.pos);
        if (self.begun && first.strong) || event || self.repeats_roster(first) {
            // The blanks before it belong to the next record: a chunk starts with the line.
            self.pos = self.line_start;
            self.diagnostics.rewind(self.line_start + self.offset);
            return Ends;
        }
        self.fresh = false;
        self.tagged |= first.strong;
        let mut next = Some(first);
        while let Some(found) = next {
            if self.begun {
                self.tag_in_movetext(found);
            } else {
                self.tag_pair(found);
            }
            self.pos = found.end;
            next = line.pair(tags::skip_inner(self.src, found.end));
        }
        if self.tag_line_end < self.pos {
            self.tag_line_end = bytes::line_end(self.src, self.pos);
        }
        if !self.begun {
            self.plain_tag_lines();
        }
        GoesOn
    }

    /// True for a tag of the roster after a blank line if the record has it already: the record before has tags alone.
    #[cold]
    fn repeats_roster(&self, found: FoundPair) -> bool {
        let name = &self.src[found.name.0..found.name.1];
        let name_of = |tag: &TagPair| {
            let start = self.base + tag.name as usize;
            &self.src[start..start + tag.name_len as usize]
        };
        self.tagged
            && found.strong
            && self.names.may_have(name)
            && tags::ROSTER.iter().any(|(known, _)| known.as_bytes() == name)
            && bytes::follows_blank(self.src, self.line_start)
            && self.tags.iter().any(|tag| name_of(tag) == name)
    }

    /// Fast path for the following lines, as long as each is exactly one plain tag pair. It takes nothing that
    /// [`Parser::tag_line`] would read differently: no blank line precedes them.
    fn plain_tag_lines(&mut self) {
        let src = self.src;
        loop {
            let start = match &src[self.pos..] {
                [b'\r', b'\n', b'[', ..] => self.pos + 2,
                [b'\n' | b'\r', b'[', ..] => self.pos + 1,
                _ => return,
            };
            let Some(found) = tags::plain_pair(src, start) else { return };
            let alone = src.get(found.end).is_some_and(|byte| bytes::is_newline(*byte));
            if !alone || self.tags.len() >= TAGS_PER_GAME_MAX {
                return;
            }
            self.note_pair(found);
            self.tagged = true;
            (self.line_start, self.pos, self.tag_line_end) = (start, found.end, found.end);
        }
    }

    pub(super) fn tag_in_movetext(&mut self, found: FoundPair) {
        let (start, end) = (found.start, found.end);
        self.push(start, end, ItemKind::Comment(CommentKind::Bare));
        let message = "a tag pair without quotes in the movetext; it is read as a comment";
        self.report(codes::TAG_IN_MOVETEXT, Severity::Warning, start, end, message);
    }

    pub(super) fn tag_pair(&mut self, found: FoundPair) {
        let (start, end) = (found.start, found.end);
        if self.tags.len() >= TAGS_PER_GAME_MAX {
            let message = format!("more than {TAGS_PER_GAME_MAX} tags; this one is ignored");
            return self.report(codes::TAGS_TOO_MANY, Severity::Error, start, end, message);
        }
        self.note_pair(found);
        let flaws = found.flaws;
        if flaws == tags::Flaws::default() {
            return;
        }
        for (flaw, code, message) in [
            (flaws.quote, codes::TAG_QUOTE, "a quotation mark is missing; write `[Name \"value\"]`"),
            (flaws.bracket, codes::TAG_BRACKET, "this tag pair lacks its closing bracket; add `]`"),
            (
                flaws.inner_quote,
                codes::TAG_INNER_QUOTE,
                "a \" inside a tag value is not escaped; write `\\\"`",
            ),
            (flaws.no_value, codes::TAG_NO_VALUE, "this tag has no value; write `[Name \"?\"]`"),
        ] {
            if flaw {
                self.report(code, Severity::Warning, start, end, message);
            }
        }
    }

    #[inline(always)]
    fn note_pair(&mut self, found: FoundPair) {
        let relative = |at: usize| (at - self.base) as u32;
        let (name, value) = (found.name, found.value);
        self.names.add(&self.src[name.0..name.1]);
        self.tags.push(TagPair {
            name: relative(name.0),
            name_len: (name.1 - name.0) as u32,
            value: relative(value.0),
            value_len: (value.1 - value.0) as u32,
            start: relative(found.start),
            len: (found.end - found.start) as u32,
        });
    }
}
