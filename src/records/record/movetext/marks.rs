//! Annotations, comments and variations.

use super::{Ends, Flow, GoesOn, Parser, last_annotation, strip_annotations, strip_glyphs};
use crate::record::codes;
use crate::record::comment::clock_end;
use crate::record::item::{CommentKind, Item, ItemKind};
use crate::record::number;
use ferz_core::notation::courier;
use ferz_core::notation::forms::has_form_of_ply;
use ferz_core::text::Severity;
use ferz_core::text::bytes;
use ferz_core::text::decode;
use ferz_core::text::limits::{VARIATION_DEPTH_MAX, VARIATIONS_PER_GAME_MAX};

impl Parser<'_> {
    /// A sign such as `±` or `+-` that is a token of its own, or any other token.
    #[inline(never)]
    pub(super) fn sign_or_token(&mut self) -> Flow {
        let (end, shared) = bytes::token_end(self.src, self.pos);
        let start = self.pos;
        let word = strip_glyphs(&self.src[start..end]);
        match number::sign(&decode(word)) {
            Some(value) => {
                let end = start + word.len();
                self.begin();
                self.lonely(start, end);
                self.pos = end;
                self.push(start, end, ItemKind::Nag { value, glyph: true });
                GoesOn
            }
            None if ferz_core::notation::marks::is_mark(word) => self.mark_apart(start + word.len()),
            None => match number::program_words(self.src, start) {
                Some(end) => self.remark(end),
                None if is_dash(word) || is_dash(strip_annotations(&self.src[start..end])) => {
                    self.loose_text(end)
                }
                None => self.odd_token(end, shared),
            },
        }
    }

    /// A mark of check or mate up to `end`, with blanks before it: it belongs to the ply before them, if there is one.
    #[cold]
    pub(super) fn mark_apart(&mut self, end: usize) -> Flow {
        let (start, base, src) = (self.pos, self.base, self.src);
        let before = |ply: &&mut Item| {
            let end = base + ply.end() as usize;
            let text = &src[base + ply.start as usize..end];
            let marks = text.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
            // After another byte the mark would become a part of something else: `=` and `+` are a sign.
            let whole = text[..text.len() - marks]
                .last()
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b')')
                || courier::marked_apart(text).is_some();
            ply.kind == ItemKind::Move && whole && bytes::skip_white(src, end) == start
        };
        let Some(ply) = self.items.last_mut().filter(|_| self.deep == 0).filter(before) else {
            return self.remark(end);
        };
        ply.len = (end - base) as u32 - ply.start;
        (self.pos, self.fresh) = (end, false);
        GoesOn
    }

    /// `$n`.
    pub(super) fn nag(&mut self) -> Flow {
        let start = self.pos;
        self.begin();
        let (value, len) = number::nag(&self.src[start..]).unwrap_or((None, 1));
        self.pos = start + len;
        match value {
            Some(value) => {
                self.lonely(start, self.pos);
                self.push(start, self.pos, ItemKind::Nag { value, glyph: false });
            }
            None => {
                let message = "an annotation without a number from 0 to 65535; write `$1`";
                self.report(codes::NAG_BAD, Severity::Warning, start, self.pos, message);
            }
        }
        GoesOn
    }

    /// `!` and `?` detached from the move.
    pub(super) fn glyphs_apart(&mut self) -> Flow {
        let run = self.src[self.pos..].iter().take_while(|b| matches!(b, b'!' | b'?')).count();
        self.begin();
        self.lonely(self.pos, self.pos + run);
        self.glyphs(self.pos + run);
        GoesOn
    }

    /// The signs, and runs of `!` and `?`, from the end of the ply at `start` to the end of its token.
    #[inline(never)]
    pub(super) fn annotations(&mut self, start: usize, end: usize) {
        let src = self.src;
        let mut ends = vec![end];
        let mut at = end;
        while at > self.pos {
            at -= last_annotation(&src[start..at]).max(1);
            ends.push(at);
        }
        for &end in ends.iter().rev().skip(1) {
            match number::sign(&decode(&src[self.pos..end])) {
                Some(value) => {
                    self.push(self.pos, end, ItemKind::Nag { value, glyph: true });
                    self.pos = end;
                }
                None => self.glyphs(end),
            }
        }
    }

    /// The run of `!` and `?` from `pos` to `end`.
    pub(super) fn glyphs(&mut self, end: usize) {
        let start = self.pos;
        let (value, known) = number::glyph(&self.src[start..end]);
        self.pos = end;
        self.push(start, end, ItemKind::Nag { value, glyph: true });
        if !known {
            let message = "this run of ! and ? is not one of the six signs; its first two characters count";
            self.report(codes::GLYPHS_ODD, Severity::Warning, start, end, message);
        }
    }

    /// Reports an annotation that has no move before it in its line.
    pub(super) fn lonely(&mut self, start: usize, end: usize) {
        let opened = matches!(self.items.last(), Some(Item { kind: ItemKind::VariationStart { .. }, .. }));
        if self.plies_seen == 0 || opened {
            let message = "an annotation without a move before it";
            self.report(codes::NAG_LONELY, Severity::Warning, start, end, message);
        }
    }

    pub(super) fn brace(&mut self) -> Flow {
        let start = self.pos;
        self.fresh = false;
        if let Some((end, time)) = clock_end(self.src, start + 1).filter(|_| self.deep == 0) {
            self.clock(start + 1, end, time);
            self.pos = end + 1;
            return GoesOn;
        }
        let (end, closed) = bytes::brace_end(self.src, start + 1);
        self.pos = end + usize::from(closed);
        let text = &self.src[start + 1..end];
        let len = if closed { text.len() } else { text.trim_ascii_end().len() };
        self.push(start + 1, start + 1 + len, ItemKind::Comment(CommentKind::Brace));
        if !closed {
            self.begun = true;
            let message = "this comment is not closed; add `}`";
            self.report(codes::COMMENT_OPEN, Severity::Error, start, start + 1, message);
        }
        GoesOn
    }

    /// Records a comment that is a clock time, in milliseconds, and nothing else.
    #[inline(always)]
    pub(super) fn clock(&mut self, start: usize, end: usize, time: u64) {
        self.comments.clocks = true;
        self.clocks.push(time as u32);
        self.comments.unpaired |= self.clocks.len() != self.plies_seen;
        let (start, len) = ((start - self.base) as u32, (end - start) as u32);
        self.items.push(Item { start, len, kind: ItemKind::Comment(CommentKind::Brace) });
    }

    /// A comment that runs to the end of the line, after the one byte that opens it.
    pub(super) fn line_comment(&mut self, kind: CommentKind) -> Flow {
        self.fresh = false;
        let end = bytes::line_end(self.src, self.pos);
        self.push(self.pos + 1, end, ItemKind::Comment(kind));
        self.pos = end;
        GoesOn
    }

    pub(super) fn open_variation(&mut self) -> Flow {
        let start = self.pos;
        let remark = number::remark(&self.src[start..]);
        if remark > 0 {
            return self.remark(start + remark);
        }
        if self.finished {
            // `0-1 (time)`
            return match words_in_parentheses(self.src, start) {
                Some(end) => self.loose_text(end),
                None => Ends,
            };
        }
        self.begin();
        self.pos += 1;
        if self.deep > 0 {
            self.deep += 1;
        } else if self.open.len() >= VARIATION_DEPTH_MAX || self.variations >= VARIATIONS_PER_GAME_MAX {
            (self.deep, self.deep_start) = (1, start);
        } else {
            self.variations += 1;
            self.open.push(self.items.len() as u32);
            self.push(start, start + 1, ItemKind::VariationStart { end: 0 });
        }
        GoesOn
    }

    pub(super) fn close_variation(&mut self) -> Flow {
        let start = self.pos;
        self.begin();
        self.pos += 1;
        match self.deep {
            0 => match self.open.pop() {
                Some(index) => self.close(index, start, start + 1),
                None => {
                    let span = self.span(start, start + 1);
                    let message = "a closing parenthesis without a variation";
                    self.diagnostics.extend(codes::PARENTHESIS_STRAY, Severity::Warning, span, message);
                }
            },
            1 => self.close_deep(),
            _ => self.deep -= 1,
        }
        GoesOn
    }

    /// Ends the variation that item `index` opened.
    pub(super) fn close(&mut self, index: u32, start: usize, end: usize) {
        let closing = self.items.len() as u32;
        if let Some(item) = self.items.get_mut(index as usize) {
            item.kind = ItemKind::VariationStart { end: closing };
        }
        self.push(start, end, ItemKind::VariationEnd { start: index });
    }

    /// Keeps a variation beyond the limits of the tree as one comment, together with the comments directly before it.
    pub(super) fn close_deep(&mut self) {
        self.deep = 0;
        let (start, end) = (self.deep_start, self.pos);
        match self.items.last_mut() {
            Some(last)
                if last.kind == ItemKind::Comment(CommentKind::Deep)
                    && self.src[self.base + last.end() as usize..start].trim_ascii().is_empty() =>
            {
                last.len = (end - self.base) as u32 - last.start;
            }
            _ => self.push(start, end, ItemKind::Comment(CommentKind::Deep)),
        }
        if self.open.len() >= VARIATION_DEPTH_MAX {
            let message =
                format!("variations nested more than {VARIATION_DEPTH_MAX} deep; this one is kept as text");
            self.report(codes::VARIATION_DEEP, Severity::Error, start, end, message);
        } else if !std::mem::replace(&mut self.variations_reported, true) {
            let message = format!(
                "more than {VARIATIONS_PER_GAME_MAX} variations; this one and all later ones are kept as text"
            );
            self.report(codes::VARIATIONS_MANY, Severity::Error, start, end, message);
        }
    }

    /// Closes at the end of the record what is still open.
    pub(super) fn close_all(&mut self) {
        if self.deep > 0 {
            self.close_deep();
        }
        if self.open.is_empty() {
            return;
        }
        // A result before the missing parentheses is the game's: nothing else can follow it.
        let result = match self.items.last() {
            Some(&Item { kind: ItemKind::Result(result), .. }) if self.result.is_none() => {
                self.result = Some(result);
                self.items.pop()
            }
            _ => None,
        };
        let at = result.map_or(self.pos, |item| self.base + item.start as usize);
        while let Some(index) = self.open.pop() {
            let start = self.base + self.items[index as usize].start as usize;
            self.close(index, at, at);
            let message = "this variation is not closed; it ends with the game; add `)`";
            self.report(codes::VARIATION_OPEN, Severity::Warning, start, start + 1, message);
        }
        self.items.extend(result);
    }
}

/// True for a dash that is a token of its own, as before a result: `12. Nf3 g6 – Remis`.
fn is_dash(token: &[u8]) -> bool {
    matches!(token, b"-" | b"\xe2\x80\x93" | b"\xe2\x80\x94" | b"\xe2\x88\x92")
}

/// The end of words in parentheses on one line, with no ply among them.
fn words_in_parentheses(src: &[u8], start: usize) -> Option<usize> {
    let near = &src[start + 1..src.len().min(start + WORDS_BYTES_MAX)];
    let end = start + 1 + memchr::memchr3(b')', b'(', b'{', near)?;
    let words = decode(&src[start + 1..end]);
    let has_ply = words.split_whitespace().any(has_form_of_ply);
    (src[end] == b')' && !words.contains('\n') && !has_ply && words.chars().any(char::is_alphabetic))
        .then_some(end + 1)
}

/// Bytes of words in parentheses after a result.
const WORDS_BYTES_MAX: usize = 200;
