//! Finds where a text with many games may be cut, at the speed of a byte search.

use super::tags::{begins_game, pairs_end, plain_pair, skip_inner};
use ferz_core::text::bytes::{
    brace_end, column_one, event_after_blank, find_near, is_blank, is_newline, line_end, skip_blank,
};
use ferz_core::text::limits::TOKEN_BYTES_MAX;

/// What else than a tag pair a bracket in a text begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Header {
    /// Nothing.
    None,
    /// A header of another format that begins no game.
    Within,
    /// A header of another format: below moves it begins the next game.
    Below,
    /// A mark that begins a game wherever it stands.
    Anywhere,
}

/// Tells what the bracket at a place of a text begins.
pub(crate) type Headers = fn(&[u8], usize) -> Header;

/// Finds the places where a text may be cut: lines that begin with a tag pair, outside of comments, after movetext.
///
/// Every cut is a place where [`read`](super::read()) begins a record. It begins records elsewhere too (a game without
/// tags after a result), so a chunk may hold several.
#[derive(Debug, Clone)]
pub(crate) struct Splitter {
    /// The beginning of a line, or a place inside a comment.
    pos: usize,
    /// The headers of other formats that begin games.
    headers: Headers,
    /// `pos` lies inside a comment in braces.
    brace: bool,
    /// There is movetext after the last tag line.
    seen: bool,
    /// There is a tag line after the last cut.
    tagged: bool,
    /// Between `pos` and this place there is no `{`, no `;` and no `\n`.
    stop: usize,
    /// Between `pos` and this place no comment begins: there is no `{` and no `;`.
    comment: usize,
    /// Between `pos` and this place every `\r` has a `\n` after it.
    lone_cr: usize,
}

impl Splitter {
    /// Starts at the place `pos`, the beginning of a record.
    pub(crate) fn at(pos: usize, headers: Headers) -> Splitter {
        let (stop, comment, lone_cr) = (pos, pos, pos);
        Splitter { pos, headers, brace: false, seen: false, tagged: false, stop, comment, lone_cr }
    }

    /// The next cut in `src`, or `None` after its last line. When called again, continues from there; `src` may have
    /// grown by whole lines since.
    pub(crate) fn next_cut(&mut self, src: &[u8]) -> Option<usize> {
        if self.brace {
            self.finish_brace(src, self.pos);
            if !self.brace && !self.seen {
                self.rest_of_line(src, self.pos);
            }
        }
        while self.pos < src.len() && !self.brace {
            if self.seen {
                match self.pass_movetext(src) {
                    Some(cut) => return Some(cut),
                    None => continue,
                }
            }
            let start = self.pos;
            let first = skip_blank(src, start);
            let body = match src.get(first) {
                None => src.len(),
                Some(b'[') => match self.tag_line(src, start, first) {
                    Some(body) => body,
                    None => return Some(start),
                },
                Some(b'%') if column_one(src, first) => line_end(src, first),
                Some(b'{' | b';' | b'\n' | b'\r') => first,
                Some(_) => {
                    self.seen = true;
                    first
                }
            };
            if self.seen {
                self.pos = body;
            } else {
                self.rest_of_line(src, body);
            }
        }
        None
    }

    /// Continues in movetext up to the end of the next comment or tag line; returns the cut if there is one before it.
    fn pass_movetext(&mut self, src: &[u8]) -> Option<usize> {
        let from = self.pos;
        let far = |rest: &[u8]| memchr::memchr3(b'{', b';', b'[', rest);
        let Some(at) = find_near(src, from, [b'{', b';', b'['], far) else {
            self.pos = src.len();
            return None;
        };
        if src[at] == b'[' {
            self.pos = at + 1;
            let is_native = (self.headers)(src, at) >= Header::Below;
            if !is_native && !begins_game(src, at) {
                return None;
            }
            let line = line_before(src, at);
            // Inside a line only a whole pair begins a game.
            if line.is_none() && plain_pair(src, at).is_none() {
                return None;
            }
            (self.seen, self.tagged) = (false, false);
            match line {
                Some(line) => self.pos = line,
                // Inside a line a game may begin, but no chunk.
                None => {
                    self.tagged = true;
                    match self.pass_pairs(src, at) {
                        end if self.seen => self.pos = end,
                        end => self.rest_of_line(src, end),
                    }
                }
            }
            return line;
        }
        // Usually a few bytes without a line end: from one comment to the next.
        let line = match line_end(&src[..at], from) {
            end if end == at => from,
            _ => memchr::memrchr2(b'\n', b'\r', &src[from..at]).map_or(from, |i| from + i + 1),
        };
        let escape = skip_blank(src, line);
        if src[at] == b';' || (src[escape] == b'%' && column_one(src, escape)) {
            self.pos = line_end(src, at);
            // Where the semicolon joins two parts of a move, a game may begin on the line.
            if memchr::memchr_iter(b'[', &src[at..self.pos]).any(|i| begins_game(src, at + i)) {
                (self.seen, self.tagged) = (false, true);
            }
        } else {
            self.finish_brace(src, at + 1);
        }
        None
    }

    /// Adjusts the places after the first `bytes` bytes of the text were removed.
    pub(crate) fn shift(&mut self, bytes: usize) {
        self.pos = self.pos.saturating_sub(bytes);
        self.stop = self.stop.saturating_sub(bytes);
        self.comment = self.comment.saturating_sub(bytes);
        self.lone_cr = self.lone_cr.saturating_sub(bytes);
    }

    /// End of what has been scanned.
    pub(crate) fn position(&self) -> usize {
        self.pos
    }

    /// The last cut in `src` that does not depend on comments: a line that begins with `[Event "` and follows a blank
    /// line. Everything before it is passed without being scanned.
    ///
    /// `start` is where the part of the text begins that is to be cut. It has to begin with a tag pair: a part with
    /// neither tags nor moves is not a game and is not cut off.
    pub(crate) fn skip_to_last_event(&mut self, src: &[u8], start: usize) -> Option<usize> {
        let from = self.pos.max(start + 1) - 1;
        // Called again each time more of a long text has been read.
        let head = &src[..src.len().min(start + TOKEN_BYTES_MAX)];
        if !begins_game(head, skip_blank(head, start)) {
            return None;
        }
        let event = |&at: &usize| event_after_blank(src, from + at + 1, from + at + 1);
        let cut = memchr::memrchr_iter(b'\n', src.get(from..)?).find(event)? + from + 1;
        *self = Splitter::at(cut, self.headers);
        Some(cut)
    }

    /// The first `{`, `;` or `\n` from `pos` on, or the end of the text.
    fn find_stop(&mut self, src: &[u8], pos: usize) -> usize {
        let stops = |byte| matches!(byte, b'{' | b';' | b'\n');
        search_on(&mut self.stop, src, pos, stops, |rest| memchr::memchr3(b'{', b';', b'\n', rest))
    }

    /// The first `{` or `;` from `pos` on, or the end of the text.
    fn find_comment(&mut self, src: &[u8], pos: usize) -> usize {
        let stops = |byte| matches!(byte, b'{' | b';');
        search_on(&mut self.comment, src, pos, stops, |rest| memchr::memchr2(b'{', b';', rest))
    }

    /// The first lone `\r` from `pos` on, or the end of the text.
    fn find_lone_cr(&mut self, src: &[u8], pos: usize) -> usize {
        let mut from = self.lone_cr.max(pos);
        while let Some(i) = src.get(from..).and_then(|rest| memchr::memchr(b'\r', rest)) {
            if src.get(from + i + 1) != Some(&b'\n') {
                self.lone_cr = from + i;
                return self.lone_cr;
            }
            from += i + 2;
        }
        self.lone_cr = src.len();
        self.lone_cr
    }

    /// For the line from `start` with `[` at `first`: the place after its tag pairs; `None` if the text is cut before
    /// the line.
    fn tag_line(&mut self, src: &[u8], start: usize, first: usize) -> Option<usize> {
        let header = (self.headers)(src, first);
        if self.tagged && (header == Header::Anywhere || event_after_blank(src, start, first)) {
            (self.seen, self.tagged) = (false, false);
            return None;
        }
        let is_native = header >= Header::Below;
        self.tagged = self.tagged || is_native || begins_game(src, first);
        if is_native && let Some(moves) = moves_after_headers(src, first) {
            self.seen = true;
            return Some(moves);
        }
        let end = line_end(src, first);
        let clean = self.find_comment(src, first) >= end;
        if clean && src[first..end].trim_ascii_end().ends_with(b"]") {
            return Some(end);
        }
        Some(self.pass_pairs(src, first))
    }

    /// The place after the tag pairs at `first`. A digit after them begins the movetext.
    fn pass_pairs(&mut self, src: &[u8], first: usize) -> usize {
        let end = pairs_end(src, first);
        self.seen |= end > first && src.get(skip_inner(src, end)).is_some_and(u8::is_ascii_digit);
        end
    }

    /// Skips the rest of the line from `pos` on, and the comments that begin on it.
    fn rest_of_line(&mut self, src: &[u8], mut pos: usize) {
        if let Some(b'\n' | b'\r') = src.get(pos) {
            self.pos = pos + 1 + usize::from(src[pos..].starts_with(b"\r\n"));
            return;
        }
        loop {
            let stop = self.find_stop(src, pos);
            let cr = self.find_lone_cr(src, pos);
            if cr < stop {
                self.pos = cr + 1;
                return;
            }
            match src.get(stop) {
                Some(b'{') => {
                    self.finish_brace(src, stop + 1);
                    if self.brace {
                        return;
                    }
                    pos = self.pos;
                }
                Some(b';') => pos = line_end(src, stop),
                _ => {
                    self.pos = (stop + 1).min(src.len());
                    return;
                }
            }
        }
    }

    /// Skips to the end of the comment whose text is at `from`, or near the end of `src` if it is not closed there.
    fn finish_brace(&mut self, src: &[u8], from: usize) {
        let (end, closed) = brace_end(src, from);
        self.brace = !closed && end == src.len();
        self.seen |= !closed && !self.brace;
        // Look at the last byte again once more has been read: the next line shows whether the comment ends there.
        self.pos = if self.brace { from.max(end.saturating_sub(1)) } else { end + usize::from(closed) };
    }
}

/// The first byte from `pos` on that `stops`, or the end of the text. `known` is the last result: between the place of
/// that search and the result there is none, and the search continues from there.
#[inline(always)]
fn search_on(
    known: &mut usize,
    src: &[u8],
    pos: usize,
    stops: impl Fn(u8) -> bool,
    search: impl Fn(&[u8]) -> Option<usize>,
) -> usize {
    let from = pos.max(*known);
    *known = match src.get(from) {
        Some(&byte) if stops(byte) => from,
        Some(_) => search(&src[from..]).map_or(src.len(), |found| from + found),
        None => src.len(),
    };
    *known
}

/// The place of the moves on the line of native headers at `first`, if it has any.
fn moves_after_headers(src: &[u8], first: usize) -> Option<usize> {
    let line = &src[..line_end(src, first)];
    let mut at = first;
    while line.get(at) == Some(&b'[') {
        at = skip_inner(line, at + memchr::memchr(b']', &line[at..])? + 1);
    }
    line.get(at).is_some_and(u8::is_ascii_digit).then_some(at)
}

/// The start of the line whose first character, apart from blanks, is at `at`; `None` if another one precedes it.
fn line_before(src: &[u8], at: usize) -> Option<usize> {
    let blank = |b: u8| is_blank(b) || b == 0 || b == 0x1a || b >= 0x80;
    let line = src[..at].iter().rposition(|&b| !blank(b)).map_or(0, |i| i + 1);
    let starts = line == 0 || is_newline(src[line - 1]);
    (starts && skip_blank(src, line) == at).then_some(line)
}
