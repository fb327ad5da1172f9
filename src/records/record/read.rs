//! A record, and an iterator over the records of a text.

use super::codes;
use super::item::{CommentKind, GameResult, Item, ItemKind, says_both_lose};
use super::movetext::{Memory, Parser};
use super::split::{Header, Splitter};
use super::tags::{TagNames, TagPair, escaped_offset, unescape};
use ferz_core::text::bytes::is_newline;
use ferz_core::text::decode;
use ferz_core::text::limits::RECORD_BYTES_MAX;
use ferz_core::text::{Diagnostic, Severity, Span};
use std::borrow::Cow;

/// What is known about a record's comments without a walk through its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Comments {
    /// At least one is a clock time and nothing else.
    pub clocks: bool,
    /// At least one is anything else.
    pub others: bool,
    /// At least one lone clock is not the only one after its ply, or an earlier ply has none.
    pub unpaired: bool,
}

/// One game as written: tags, movetext, and findings about its form.
///
/// It borrows the source and decodes texts on demand. Nothing is judged: a ply is a token, a number is what the file
/// says.
///
/// ```
/// use ferz_records::record::{ItemKind, read};
/// let source = b"[White \"Ann\"]\n\n1. e4 e5 2. Nf3! {good} (2. f4) *";
/// let record = read(source, 0).next().ok_or("no game")?;
/// assert_eq!(record.tag("white").as_deref(), Some("Ann"));
/// let moves: Vec<_> = record.main_moves().map(|(_, item)| record.text(item)).collect();
/// assert_eq!(moves, ["e4", "e5", "Nf3"]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone)]
pub struct Record<'a> {
    source: &'a [u8],
    offset: usize,
    utf8: bool,
    /// What is known about the comments among the items.
    pub(super) comments: Comments,
    /// The times of the comments that are a clock time and nothing else, in milliseconds.
    clocks: Vec<u32>,
    /// There is at least one variation among the items.
    variations: bool,
    /// A letter after at least one number names a player of a game on two boards.
    seats: bool,
    /// Which names the tags may have.
    names: TagNames,
    /// The tag pairs in the order of the source.
    pub tags: Vec<TagPair>,
    /// The movetext, flat: variations lie between their start and their end.
    pub items: Vec<Item>,
    /// The first result outside all variations.
    pub result: Option<GameResult>,
    /// Findings about the record's form, with spans in bytes of the whole input.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Record<'a> {
    /// The bytes that the record was read from.
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Bytes of the whole input before the record's source.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The place of the record in the whole input.
    pub fn span_of_source(&self) -> Span {
        Span::new(0, self.source.len()).shifted(self.offset)
    }

    /// The record with only some of its movetext, whole variations; without diagnostics.
    pub fn part(&self, items: std::ops::Range<usize>) -> Record<'a> {
        let start = items.start as u32;
        let items = self.items[items].iter().map(|item| item.moved_down(start)).collect();
        Record { tags: self.tags.clone(), items, clocks: Vec::new(), diagnostics: Vec::new(), ..*self }
    }

    /// The record with the items of another text with the same tags, in which comments may have been added.
    pub(crate) fn with_movetext<'b>(&self, source: &'b [u8], items: Vec<Item>) -> Record<'b> {
        let comments = Comments { others: true, ..self.comments };
        let (tags, diagnostics) = (self.tags.clone(), self.diagnostics.clone());
        Record { source, comments, tags, items, clocks: Vec::new(), diagnostics, ..*self }
    }

    /// True if the tags name the four players of a game on two boards, as in BPGN.
    pub fn names_four_players(&self) -> bool {
        self.find_tag("WhiteA").is_some() && self.find_tag("BlackB").is_some()
    }

    /// True if a letter after a move number names a player of a game on two boards: `12a.`.
    pub fn has_seats(&self) -> bool {
        self.seats
    }

    /// True if its players or its numbers are those of a game on two boards. They tell the game without a tag.
    pub fn is_of_two_boards(&self) -> bool {
        self.seats || self.names_four_players()
    }

    /// The result in the tag `Result`.
    pub fn result_tag(&self) -> Option<GameResult> {
        let tag = self.find_tag("Result")?;
        let standard = GameResult::parse_standard(self.tag_bytes(tag));
        standard.or_else(|| GameResult::parse(&self.tag_value(tag)))
    }

    /// The result that the record states: the tag, or else the end of the movetext.
    pub fn stated_result(&self) -> Option<GameResult> {
        self.result_tag().or(self.result)
    }

    /// True if the tag `Result` says that both players lost: `0-0`.
    pub fn both_lose(&self) -> bool {
        self.find_tag("Result").is_some_and(|tag| says_both_lose(self.tag_bytes(tag)))
    }

    /// False if there is no comment; known without a walk through the items.
    pub fn has_comments(&self) -> bool {
        self.comments.clocks || self.has_texts()
    }

    /// False if every comment is a clock time, `[%clk 0:05:00]`, and nothing else: no text and no other command.
    pub(crate) fn has_texts(&self) -> bool {
        self.comments.others
    }

    /// The clock times after the first plies, one after each, in milliseconds, if every comment is such a time and
    /// nothing else.
    pub(crate) fn clock_of_each_ply(&self) -> Option<&[u32]> {
        let paired = !self.has_texts() && !self.comments.unpaired && !self.variations;
        paired.then_some(&self.clocks)
    }

    /// False if there is no variation; known without a walk through the items.
    pub fn has_variations(&self) -> bool {
        self.variations
    }

    /// The number of variations, nested ones included.
    pub(crate) fn variation_count(&self) -> usize {
        let starts = |item: &&Item| matches!(item.kind, ItemKind::VariationStart { .. });
        if self.variations { self.items.iter().filter(starts).count() } else { 0 }
    }

    /// The bytes of an item, without its delimiters.
    pub fn bytes(&self, item: Item) -> &'a [u8] {
        &self.source[item.start as usize..item.end() as usize]
    }

    /// The eight bytes from the start of an item on, the first one lowest; `None` near the end of the record.
    #[inline(always)]
    pub fn word(&self, item: Item) -> Option<u64> {
        let start = item.start as usize;
        self.source.get(start..start + 8)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// The text of an item, without its delimiters. Bytes that are not UTF-8 are read as Latin-1.
    pub fn text(&self, item: Item) -> Cow<'a, str> {
        decode(self.bytes(item))
    }

    /// The place of an item in the whole input, without its delimiters.
    pub fn span(&self, item: Item) -> Span {
        Span::new(item.start as usize, item.end() as usize).shifted(self.offset)
    }

    /// The place of an item in the whole input, with its delimiters: braces, the semicolon, the percent sign.
    pub fn full_span(&self, item: Item) -> Span {
        let span = self.span(item);
        match item.kind {
            ItemKind::Comment(CommentKind::Brace) => {
                let closed = self.source.get(item.end() as usize) == Some(&b'}');
                Span::new(span.start - 1, span.end + usize::from(closed))
            }
            ItemKind::Comment(CommentKind::Semicolon | CommentKind::Escape) => {
                Span::new(span.start - 1, span.end)
            }
            _ => span,
        }
    }

    /// The name of a tag.
    pub fn tag_name(&self, tag: &TagPair) -> Cow<'a, str> {
        decode(&self.source[tag.name as usize..(tag.name + tag.name_len) as usize])
    }

    /// The value of a tag with its escapes `\"` and `\\` resolved.
    pub fn tag_value(&self, tag: &TagPair) -> Cow<'a, str> {
        unescape(decode(self.tag_bytes(tag)))
    }

    /// The value of a tag as written.
    pub(crate) fn tag_bytes(&self, tag: &TagPair) -> &'a [u8] {
        &self.source[tag.value as usize..(tag.value + tag.value_len) as usize]
    }

    /// The place of a tag's value in the whole input, without the quotation marks.
    pub fn tag_span(&self, tag: &TagPair) -> Span {
        Span::new(tag.value as usize, (tag.value + tag.value_len) as usize).shifted(self.offset)
    }

    /// The place of a part of a tag's value in the whole input; `part` counts bytes of the value from
    /// [`tag_value`](Self::tag_value). If the value is not UTF-8, the place of all of it.
    pub fn tag_part_span(&self, tag: &TagPair, part: Span) -> Span {
        let whole = self.tag_span(tag);
        let written = self.tag_bytes(tag);
        if std::str::from_utf8(written).is_err() {
            return whole;
        }
        let at = |offset: usize| whole.start + escaped_offset(written, offset);
        Span::new(at(part.start), at(part.end))
    }

    /// The place of a tag pair in the whole input.
    pub fn tag_full_span(&self, tag: &TagPair) -> Span {
        Span::new(tag.start as usize, (tag.start + tag.len) as usize).shifted(self.offset)
    }

    /// The first tag of this name; if there is none, the first whose name differs only in case.
    #[inline(always)]
    pub fn find_tag(&self, name: &str) -> Option<&TagPair> {
        // Inlined, since the sort of most requested names is a constant.
        if self.names.may_have(name.as_bytes()) { self.search_tag(name.as_bytes()) } else { None }
    }

    /// False if certainly no tag has one of the names.
    pub(crate) fn may_have_any_tag(&self, names: TagNames) -> bool {
        self.names.may_have_any(names)
    }

    #[inline(never)]
    fn search_tag(&self, name: &[u8]) -> Option<&TagPair> {
        let mut alike = None;
        // Most tags differ from the requested one in length or first letter.
        let first = name.first().map(u8::to_ascii_lowercase);
        for tag in self.tags.iter().filter(|tag| tag.name_len as usize == name.len()) {
            let bytes = &self.source[tag.name as usize..(tag.name + tag.name_len) as usize];
            if bytes.first().map(u8::to_ascii_lowercase) != first {
                continue;
            }
            if bytes == name {
                return Some(tag);
            }
            if alike.is_none() && bytes.eq_ignore_ascii_case(name) {
                alike = Some(tag);
            }
        }
        alike
    }

    /// The value of a tag, found like [`find_tag`](Self::find_tag).
    #[inline]
    pub fn tag(&self, name: &str) -> Option<Cow<'a, str>> {
        self.find_tag(name).map(|tag| self.tag_value(tag))
    }

    /// True if the record's bytes are UTF-8; bytes that are not are read as Latin-1.
    pub fn is_utf8(&self) -> bool {
        self.utf8
    }

    /// Adds the findings about the record as a whole.
    fn finish(&mut self) {
        if !self.source.is_ascii()
            && let Err(error) = std::str::from_utf8(self.source)
        {
            self.utf8 = false;
            let at = self.offset + error.valid_up_to();
            let message = "the record is not UTF-8 from here on; it is read as Latin-1";
            let span = Span::new(at, at + 1);
            self.diagnostics.push(Diagnostic::new(codes::LATIN_1, Severity::Info, span, message));
        }
        if self.result.is_none() {
            let at = self.offset + self.source.trim_ascii_end().len();
            let message = "the game has no result at its end; add `*`, or the result";
            let span = Span::new(at, at);
            self.diagnostics.push(Diagnostic::new(codes::RESULT_MISSING, Severity::Info, span, message));
        }
        if self.names.may_be_doubled() {
            self.report_doubles();
        }
        if self.tags.is_empty() && self.is_no_record() {
            self.report_no_record();
        }
    }

    /// Reports every tag whose name an earlier one has.
    fn report_doubles(&mut self) {
        let name = |t: &TagPair| &self.source[t.name as usize..(t.name + t.name_len) as usize];
        if self.tags.len() <= 32 {
            let double = |i: usize| self.tags[..i].iter().any(|t| name(t) == name(&self.tags[i]));
            if !(1..self.tags.len()).any(double) {
                return;
            }
        }
        let mut order: Vec<&TagPair> = self.tags.iter().collect();
        order.sort_by_key(|t| (name(t), t.start));
        let doubles: Vec<TagPair> =
            order.windows(2).filter(|w| name(w[0]) == name(w[1])).map(|w| *w[1]).collect();
        for tag in doubles.into_iter().take(ferz_core::text::limits::DIAGNOSTICS_PER_GAME_MAX) {
            let message = format!("the tag {} is repeated; the first one counts", self.tag_name(&tag));
            let span = self.tag_full_span(&tag);
            self.diagnostics.push(Diagnostic::new(codes::TAG_TWICE, Severity::Warning, span, message));
        }
    }
}

/// Iterates over the records of a text. Made by [`read`].
#[derive(Debug, Clone)]
pub struct Records<'a> {
    source: &'a [u8],
    offset: usize,
    pos: usize,
    fresh: bool,
    record_bytes_max: usize,
    /// The buffers of a returned record.
    memory: Memory,
    items_hint: usize,
}

/// Reads the records of `source`, which has `offset` bytes of the whole input before it. Reading never fails: what
/// cannot be read is in the record's diagnostics.
///
/// `source` starts at the beginning of a line: it is a whole input, or a chunk that
/// [`split`](crate::interchange::split()) cut.
///
/// ```
/// let games: Vec<_> = ferz_records::record::read(b"1. e4 1-0 1. d4 0-1", 0).collect();
/// assert_eq!(games.len(), 2);
/// ```
pub fn read(source: &[u8], offset: usize) -> Records<'_> {
    read_limited(source, offset, RECORD_BYTES_MAX)
}

/// Like [`read`], with another limit for the bytes of one record.
///
/// A longer record is cut there and reported. The rest up to the next place where a file may be split is skipped; the
/// records after that are read as usual.
pub fn read_limited(source: &[u8], offset: usize, record_bytes_max: usize) -> Records<'_> {
    // Items count their places in 32 bits.
    let record_bytes_max = record_bytes_max.clamp(1, u32::MAX as usize);
    let memory = Memory::default();
    // Estimate for a game without comments: an item for every five bytes.
    let items_hint = (source.len() / 4).min(256);
    Records { source, offset, pos: 0, fresh: true, record_bytes_max, memory, items_hint }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        if self.pos >= self.source.len() {
            return None;
        }
        let base = self.pos;
        let view = &self.source[..self.source.len().min(base.saturating_add(self.record_bytes_max))];
        let mut memory = std::mem::take(&mut self.memory);
        if memory.items.capacity() == 0 {
            memory.tags.reserve(20);
            memory.items.reserve(self.items_hint);
        }
        let mut parser = Parser::new(view, base, self.offset, self.fresh, memory);
        let (end, fresh) = parser.run();
        let (comments, variations, seats) = (parser.comments, parser.variations > 0, parser.seats);
        let (names, tags, items, result) = (parser.names, parser.tags, parser.items, parser.result);
        let clocks = parser.clocks;
        let mut record = Record {
            source: &self.source[base..end],
            offset: self.offset + base,
            utf8: true,
            comments,
            clocks,
            variations,
            seats,
            names,
            tags,
            items,
            result,
            diagnostics: Vec::new(),
        };
        self.items_hint = (record.items.len() * 5 / 4).clamp(64, 1 << 14);
        (self.pos, self.fresh) = (end, fresh);
        let cut = (end == view.len() && end < self.source.len()).then(|| self.skip_rest(base));
        if record.tags.is_empty() && record.items.is_empty() && parser.diagnostics.is_empty() && cut.is_none()
        {
            return None;
        }
        record.diagnostics = parser.diagnostics.finish();
        record.diagnostics.extend(cut);
        record.finish();
        Some(record)
    }
}

impl Records<'_> {
    /// Returns a record that is no longer needed: the next one reuses its buffers.
    pub fn recycle(&mut self, record: Record<'_>) {
        let Record { mut tags, mut items, mut clocks, .. } = record;
        tags.clear();
        items.clear();
        clocks.clear();
        self.memory = Memory { tags, items, clocks };
    }

    /// The start of the next record, in bytes of the text, if it begins a line: the rest may be read separately then.
    pub(crate) fn next_line(&self) -> Option<usize> {
        let before = self.pos.checked_sub(1).and_then(|at| self.source.get(at));
        before.is_some_and(|byte| is_newline(*byte)).then_some(self.pos)
    }

    /// Continues after a record that is longer than the limit, at the splitter's next cut.
    fn skip_rest(&mut self, base: usize) -> Diagnostic {
        let from = self.pos;
        let mut splitter = Splitter::at(base, |_, _| Header::None);
        loop {
            self.pos = splitter.next_cut(self.source).unwrap_or(self.source.len());
            if self.pos >= from {
                break;
            }
        }
        self.fresh = true;
        long_record(Span::new(from, self.pos).shifted(self.offset), self.record_bytes_max)
    }
}

/// The diagnostic about a record that is longer than the limit, over the bytes that are skipped.
pub(crate) fn long_record(skipped: Span, limit: usize) -> Diagnostic {
    let message = format!(
        "the record is longer than {limit} bytes; it is cut there, and {} bytes up to the next game are skipped",
        skipped.len()
    );
    Diagnostic::new(codes::RECORD_LONG, Severity::Error, skipped, message)
}
