//! The grammar of a record: one dispatch on the first byte of each element, a leaf for each case.

mod courier;
mod marks;
mod pairs;
mod plies;

use crate::record::codes;
use crate::record::csa;
use crate::record::diagnostics::Diagnostics;
use crate::record::item::{CommentKind, GameResult, Item, ItemKind};
use crate::record::number;
use crate::record::read::Comments;
use crate::record::tags::{self, TagNames, TagPair};
use ferz_core::text::bytes::{self, CLASS, DIGIT, TOKEN};
use ferz_core::text::decode;
use ferz_core::text::limits::TOKEN_BYTES_MAX;
use ferz_core::text::{Code, Severity, Span};
use std::borrow::Cow;

/// Whether the record continues. A leaf that returns `Ends` has taken nothing.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Flow {
    GoesOn,
    Ends,
}
use Flow::{Ends, GoesOn};

/// The empty parts of a record.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    pub(super) tags: Vec<TagPair>,
    pub(super) items: Vec<Item>,
    pub(super) clocks: Vec<u32>,
}

/// Reads one record from `src`, starting at `base`.
///
/// All places are bytes of `src`, except those of items and tags, which count from `base`.
pub(super) struct Parser<'s> {
    src: &'s [u8],
    pos: usize,
    base: usize,
    /// Bytes of the input before `src`.
    offset: usize,
    /// Only blanks since the line began.
    fresh: bool,
    pub(super) tags: Vec<TagPair>,
    pub(super) names: TagNames,
    pub(super) items: Vec<Item>,
    pub(super) diagnostics: Diagnostics,
    pub(super) result: Option<GameResult>,
    /// Which kinds of comments have been found.
    pub(super) comments: Comments,
    /// The times of those that are a clock and nothing else, in milliseconds.
    pub(super) clocks: Vec<u32>,
    /// Indices of the open variations.
    open: Vec<u32>,
    /// Number of variations in the tree, and whether it has been reported that there are more.
    pub(super) variations: usize,
    variations_reported: bool,
    /// Number of open variations beyond the depth of the tree, and the start of the outermost one.
    deep: usize,
    deep_start: usize,
    /// The end of the line with the last tag pair.
    tag_line_end: usize,
    /// The start of the current line, unless it is inside a comment.
    line_start: usize,
    /// End of the tag line whose trailing text is already reported.
    junk_reported: usize,
    /// Movetext has begun: the next tag line begins another record.
    begun: bool,
    /// A line began with a whole tag pair: an `[Event "` after a blank line begins another record.
    tagged: bool,
    /// The result was read: the next ply begins another record.
    finished: bool,
    /// A letter after a number names a player of a game on two boards.
    pub(super) seats: bool,
    /// Number of plies so far.
    plies_seen: usize,
    /// Whether White was on move after so many plies, where an end asked that.
    whites_turn: Option<(usize, bool)>,
    /// Game Courier's format has been reported.
    courier_reported: bool,
}

impl<'s> Parser<'s> {
    /// A parser of the record at `base`; `fresh` if it begins with a line. Reuses the buffers of an earlier record.
    pub(super) fn new(src: &'s [u8], base: usize, offset: usize, fresh: bool, memory: Memory) -> Parser<'s> {
        let Memory { tags, items, clocks } = memory;
        Parser {
            src,
            pos: base,
            base,
            offset,
            fresh,
            tags,
            names: TagNames::default(),
            items,
            diagnostics: Diagnostics::default(),
            result: None,
            comments: Comments::default(),
            clocks,
            open: Vec::new(),
            variations: 0,
            variations_reported: false,
            deep: 0,
            deep_start: 0,
            tag_line_end: base,
            line_start: base,
            junk_reported: base,
            begun: false,
            tagged: false,
            finished: false,
            seats: false,
            plies_seen: 0,
            whites_turn: None,
            courier_reported: false,
        }
    }

    /// Reads up to the end of the record; returns that place and whether only blanks precede it on its line.
    pub(super) fn run(&mut self) -> (usize, bool) {
        while let Some(&byte) = self.src.get(self.pos) {
            if byte.is_ascii_alphanumeric() && self.plain_run() {
                continue;
            }
            let flow = match byte {
                b' ' | b'\t' | 0x0b | 0x0c => self.skip(1),
                b'\n' | b'\r' => {
                    self.fresh = true;
                    let both = byte == b'\r' && self.src.get(self.pos + 1) == Some(&b'\n');
                    let flow = self.skip(1 + usize::from(both));
                    self.line_start = self.pos;
                    flow
                }
                b'1'..=b'9' => self.number(),
                b'0' => self.number_or_else(),
                b'{' => self.brace(),
                b'(' => self.open_variation(),
                b')' => self.close_variation(),
                b'.' => self.dots(),
                b'$' => self.nag(),
                b'!' | b'?' => self.glyphs_apart(),
                b'*' => self.number_or_else(),
                b';' if self.courier_joins() => GoesOn,
                b';' => self.line_comment(CommentKind::Semicolon),
                b'/' if self.src.get(self.pos + 1) == Some(&b'/') => self.courier_comment(),
                b'%' if csa::end_at(&self.src[self.pos..]) > 0 => self.csa_end(),
                b'%' if self.fresh && bytes::column_one(self.src, self.pos) => {
                    self.line_comment(CommentKind::Escape)
                }
                b'[' if self.fresh => self.tag_line(),
                b'[' | b']' | b'}' | b'<' | b'>' | b'%' => self.stray(byte),
                0 | 0x1a => self.control(),
                0x80.. => self.wide(),
                b'o' | b'O' if number::interjection(&self.src[self.pos..]).is_some() => self.interjection(),
                b'=' | b'+' | b'-' | b'#' => self.sign_or_token(),
                _ => self.token(),
            };
            if flow == Ends {
                break;
            }
        }
        self.close_all();
        (self.pos, self.fresh)
    }

    fn skip(&mut self, bytes: usize) -> Flow {
        self.pos += bytes;
        GoesOn
    }

    /// Adds an item over `start..end`, unless it lies in a variation that is too deep.
    fn push(&mut self, start: usize, end: usize, kind: ItemKind) {
        if self.deep == 0 {
            self.comments.others |= matches!(kind, ItemKind::Comment(_));
            self.items.push(Item { start: (start - self.base) as u32, len: (end - start) as u32, kind });
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(start + self.offset, end + self.offset)
    }

    fn report(
        &mut self,
        code: Code,
        severity: Severity,
        start: usize,
        end: usize,
        message: impl Into<Cow<'static, str>>,
    ) {
        if self.deep == 0 {
            let span = self.span(start, end);
            self.diagnostics.push(code, severity, span, message);
        }
    }

    /// Records that the movetext has something at `pos`. After a tag pair on its line only a digit counts.
    fn begin(&mut self) {
        self.fresh = false;
        if !self.begun {
            self.begin_record();
        }
    }

    #[cold]
    fn begin_record(&mut self) {
        let digit = CLASS[self.src[self.pos] as usize] & DIGIT != 0;
        self.begun = digit || self.pos >= self.tag_line_end;
        if !self.begun && self.junk_reported != self.tag_line_end {
            self.junk_reported = self.tag_line_end;
            let (start, end) = (self.pos, self.tag_line_end);
            self.report(codes::TAG_JUNK, Severity::Warning, start, end, "text after a tag pair on its line");
        }
    }

    fn control(&mut self) -> Flow {
        let message = "a NUL or end-of-file byte; it is read as a space";
        let span = self.span(self.pos, self.pos + 1);
        if self.deep == 0 {
            self.diagnostics.extend(codes::CONTROL_BYTE, Severity::Warning, span, message);
        }
        self.skip(1)
    }

    /// A byte that begins no element, or text in brackets or after `%` that is read as a comment.
    fn stray(&mut self, byte: u8) -> Flow {
        let start = self.pos;
        // Joined files lack the line end between two games: `1-0[Event "B"]`.
        if self.begun && tags::plain_pair(self.src, start).is_some() {
            self.fresh = true;
            return Ends;
        }
        let command = bracketed(self.src, start);
        if command > start || byte == b'%' {
            let end = if byte == b'%' { bytes::token_end(self.src, start).0 } else { command };
            return self.loose_text(end);
        }
        self.begin();
        self.pos += 1;
        let (code, message) = match byte {
            b'}' => (codes::BRACE_STRAY, "a closing brace without a comment"),
            b'<' | b'>' => (codes::RESERVED, "< and > are reserved and have no meaning yet"),
            _ => (codes::BRACKET_STRAY, "a square bracket outside a tag pair"),
        };
        let span = self.span(start, self.pos);
        if self.deep == 0 {
            self.diagnostics.extend(code, Severity::Warning, span, message);
        }
        GoesOn
    }

    /// Reads the text up to `end` as a comment.
    fn loose_text(&mut self, end: usize) -> Flow {
        let start = self.pos;
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Comment(CommentKind::Bare));
        let message = "text outside a comment; it is read as a comment";
        self.report(codes::BARE_WORDS, Severity::Warning, start, end, message);
        GoesOn
    }
}

/// The token without the `!` and `?` at its end.
fn strip_glyphs(token: &[u8]) -> &[u8] {
    let glyphs = token.iter().rev().take_while(|b| matches!(b, b'!' | b'?')).count();
    &token[..token.len() - glyphs]
}

/// Bytes of the sign, or the run of `!` and `?`, at the end of a token; 0 if there is none.
fn last_annotation(token: &[u8]) -> usize {
    match token.len() - strip_glyphs(token).len() {
        0 => number::glued_sign(token),
        glyphs => glyphs,
    }
}

/// The token without the `!` and `?` at its end, and without signs if a ply is left then.
fn strip_annotations(token: &[u8]) -> &[u8] {
    let plain = strip_glyphs(token);
    let mut bare = plain;
    loop {
        match last_annotation(bare) {
            0 if bare.len() < plain.len() && !number::is_ply_token(&decode(bare)) => return plain,
            0 => return bare,
            len => bare = &bare[..bare.len() - len],
        }
    }
}

/// The end of `[%…]` at `pos`, if it is near, on the same line and without a comment in it; else `pos`.
fn bracketed(src: &[u8], pos: usize) -> usize {
    if !src[pos..].starts_with(b"[%") {
        return pos;
    }
    let reach = &src[pos..src.len().min(pos + TOKEN_BYTES_MAX)];
    let stop = |b: &u8| matches!(b, b']' | b'{' | b'}' | b';' | b'\n' | b'\r');
    match reach.iter().position(stop) {
        Some(i) if reach[i] == b']' => pos + i + 1,
        _ => pos,
    }
}

// The dispatch relies on it: the first byte of a token is never a delimiter, so every leaf takes at least one byte.
const _: () = assert!(CLASS[b'a' as usize] & TOKEN != 0 && CLASS[b'{' as usize] & TOKEN == 0);
