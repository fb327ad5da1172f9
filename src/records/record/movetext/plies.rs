//! Numbers, results, plies, and words among them.

use super::{Ends, Flow, GoesOn, Parser, strip_annotations, strip_glyphs};
use crate::record::codes;
use crate::record::comment::{clock_end, is_deployment_end};
use crate::record::csa;
use crate::record::endings::{Ending, ending_at, is_month};
use crate::record::item::{
    BOTH_LOSE, CommentKind, GameResult, Item, ItemKind, MoveNumber, Seat, says_both_lose,
};
use crate::record::number;
use crate::record::swar;
use crate::record::tree::MainMoves;
use ferz_core::notation::forms::{has_form_of_ply, is_numeric_ply};
use ferz_core::text::Severity;
use ferz_core::text::bytes::{self, BARE, CLASS, DIGIT, LETTER, OPENS_PLY};
use ferz_core::text::decode;
use ferz_core::text::limits::TOKEN_BYTES_MAX;

/// Bytes of a date and the annotations after it.
const DATE_WINDOW: usize = 64;

impl Parser<'_> {
    /// Fast path for numbers, plies and comments in their usual form, `12. e4 {good} 12... e5 13. Nf3`, with blanks and
    /// line ends between them; false if not even one is. It takes nothing that the leaves below would read differently.
    /// The inner loop of reading: it does not repeat for each token the checks that hold for all of them.
    #[inline(always)]
    pub(super) fn plain_run(&mut self) -> bool {
        if !self.begun || self.finished || self.deep > 0 {
            return false;
        }
        let (src, base, first) = (self.src, self.base, self.pos);
        let mut pos = first;
        while let Some(&byte) = src.get(pos) {
            let start = pos;
            let class = CLASS[byte as usize];
            let kind = if class & OPENS_PLY != 0 || byte == b'O' && src.get(pos + 1) == Some(&b'-') {
                pos = match swar::plain_token(src, start) {
                    Some(len) => start + len,
                    None => {
                        let (end, shared) = bytes::rest_of_token(src, start, pos + 1, class);
                        // Letters alone may be a word, and so may `White's`; a sign may follow the ply.
                        // A mark may end a sentence, and a stroke stand between two plies.
                        let signed = matches!(src[end - 1], b'-' | b'=' | b'.')
                            || src[start..end].iter().any(is_between)
                            || src[end - 1] == b'+' && !src[end - 2].is_ascii_alphanumeric()
                            || src[start..end].ends_with(b"'s");
                        if shared & (BARE | LETTER) != BARE || signed || end - start > TOKEN_BYTES_MAX {
                            break;
                        }
                        end
                    }
                };
                self.plies_seen += 1;
                ItemKind::Move
            } else if class & DIGIT != 0 {
                let Some((number, len)) = swar::plain_number(src, start) else { break };
                pos += len;
                ItemKind::MoveNumber(number)
            } else if byte == b'{' {
                self.fresh = false;
                if let Some((end, time)) = clock_end(src, pos + 1) {
                    self.clock(pos + 1, end, time);
                    pos = end + 1;
                    pos += usize::from(src.get(pos) == Some(&b' '));
                    continue;
                }
                let (end, closed) = bytes::brace_end(src, pos + 1);
                if !closed {
                    break;
                }
                self.push(pos + 1, end, ItemKind::Comment(CommentKind::Brace));
                pos = end + 1;
                continue;
            } else if byte == b' ' {
                pos += 1;
                continue;
            } else if bytes::is_newline(byte) {
                pos += 1;
                (self.fresh, self.line_start) = (true, pos);
                continue;
            } else {
                break;
            };
            self.fresh = false;
            self.items.push(Item { start: (start - base) as u32, len: (pos - start) as u32, kind });
            pos += usize::from(src.get(pos) == Some(&b' '));
        }
        self.pos = pos;
        pos > first
    }

    /// `12.` and anything else that begins with a digit.
    pub(super) fn number(&mut self) -> Flow {
        let start = self.pos;
        let digits = start + self.src[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if self.src.get(digits) != Some(&b'.') {
            return self.seat_number(start, digits).unwrap_or_else(|| self.number_or_else());
        }
        if self.src.get(digits + 1).is_some_and(u8::is_ascii_digit)
            && let Some(end) = self.date(start)
        {
            return self.remark(end);
        }
        if self.finished {
            return Ends;
        }
        self.begin();
        self.move_number(start, start, digits, false);
        GoesOn
    }

    /// The number of a game on two boards, with its digits at `start..digits`: `12a.`.
    #[cold]
    fn seat_number(&mut self, start: usize, digits: usize) -> Option<Flow> {
        let seat = self.src.get(digits).copied().and_then(Seat::from_letter)?;
        if number::dots(&self.src[digits + 1..]).0 == 0 {
            return None;
        }
        if self.finished {
            return Some(Ends);
        }
        self.begin();
        self.seats = true;
        let value = number::decimal(&self.src[start..digits]);
        let number = MoveNumber { value, dots: 0, interjection: false, seat: Some(seat) };
        Some(self.with_dots(start, digits + 1, number))
    }

    /// A move number with its digits at `digits..end`, its sign (if any) from `start` on, and dots after it.
    pub(super) fn move_number(
        &mut self,
        start: usize,
        digits: usize,
        end: usize,
        interjection: bool,
    ) -> Flow {
        let value = number::decimal(&self.src[digits..end]);
        self.with_dots(start, end, MoveNumber { value, dots: 0, interjection, seat: None })
    }

    /// A move number over `start..end`, and the dots after it.
    fn with_dots(&mut self, start: usize, end: usize, number: MoveNumber) -> Flow {
        let (len, count) = number::dots(&self.src[end..]);
        self.pos = end + len;
        let dots = count.min(255) as u8;
        self.push(start, self.pos, ItemKind::MoveNumber(MoveNumber { dots, ..number }));
        GoesOn
    }

    /// A digit, `*` or `½` that does not begin a number with a dot: a result, a lone number, a token.
    #[inline(never)]
    pub(super) fn number_or_else(&mut self) -> Flow {
        let start = self.pos;
        if let Some((result, len, standard)) = number::result(self.src, start) {
            return self.result(result, start + len, standard);
        }
        if number::both_lose(self.src, start) && self.both_lose() {
            return self.result(GameResult::Unknown, start + BOTH_LOSE.len(), false);
        }
        let digits = start + self.src[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        if matches!(self.src.get(digits), Some(b'-' | b'c'))
            && let Some(end) = number::program_words(self.src, start)
        {
            return self.remark(end);
        }
        if digits == start {
            return self.token();
        }
        if matches!(self.src.get(digits), Some(b'.' | b'-' | b'/'))
            && let Some(end) = self.date(start)
        {
            return self.remark(end);
        }
        if self.src.get(digits) == Some(&b':')
            && let len @ 1.. = number::time(self.src, start, digits - start)
        {
            return self.remark(start + len);
        }
        let (end, shared) = bytes::token_end(self.src, start);
        let (dots, _) = number::dots(&self.src[digits..]);
        let word = strip_glyphs(&self.src[start..end]);
        if dots == 0 && (word.len() > digits - start || is_numeric_ply(word)) {
            return self.odd_token(end, shared);
        }
        if self.finished {
            return Ends;
        }
        self.begin();
        let parenthesis = dots == 0 && self.src.get(digits) == Some(&b')');
        self.move_number(start, start, digits, false);
        if parenthesis && self.open.is_empty() && self.deep == 0 {
            self.pos += 1;
            let message = "a parenthesis after a move number; write a dot";
            self.report(codes::NUMBER_FORM, Severity::Info, start, self.pos, message);
        }
        GoesOn
    }

    /// The end of the date in digits that starts at `start`; annotations after it are not a part of it.
    #[cold]
    fn date(&self, start: usize) -> Option<usize> {
        // A run of numbers without blanks, however long, is no date: only its beginning is looked at.
        let window = &self.src[..self.src.len().min(start + DATE_WINDOW)];
        let (end, _) = bytes::token_end(window, start);
        let date = strip_annotations(&window[start..end]);
        let whole = end < window.len() || end == self.src.len();
        (whole && number::is_date_token(date)).then_some(start + date.len())
    }

    /// True if the tag `Result` says that both players lost.
    fn both_lose(&self) -> bool {
        self.open.is_empty()
            && self.tags.iter().any(|tag| {
                self.part(tag.name, tag.name_len).eq_ignore_ascii_case(b"Result")
                    && says_both_lose(self.part(tag.value, tag.value_len))
            })
    }

    pub(super) fn interjection(&mut self) -> Flow {
        let Some((sign, digits)) = number::interjection(&self.src[self.pos..]) else { return self.token() };
        if self.finished {
            return Ends;
        }
        self.begin();
        let start = self.pos;
        self.move_number(start, start + sign, start + sign + digits, true)
    }

    /// Dots apart from their number: `1. ... e5`.
    pub(super) fn dots(&mut self) -> Flow {
        self.begin();
        let start = self.pos;
        let (len, count) = number::dots(&self.src[start..]);
        self.pos += len;
        let end = (self.pos - self.base) as u32;
        match self.items.last_mut() {
            Some(Item { start, len, kind: ItemKind::MoveNumber(number) }) if self.deep == 0 => {
                number.dots = number.dots.saturating_add(count.min(255) as u8);
                *len = end - *start;
            }
            _ => {
                let message = "dots without a move number before them; write `1...`";
                self.report(codes::DOTS_STRAY, Severity::Info, start, self.pos, message);
            }
        }
        GoesOn
    }

    pub(super) fn result(&mut self, result: GameResult, end: usize, standard: bool) -> Flow {
        let start = self.pos;
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Result(result));
        if !standard {
            let message =
                format!("a result in another form than the standard's; write `{}`", result.as_str());
            self.report(codes::RESULT_FORM, Severity::Info, start, end, message);
        }
        if self.open.is_empty() && self.deep == 0 {
            self.begun = true;
            if self.finished {
                let message = "a second result; the first one counts";
                self.report(codes::RESULT_TWICE, Severity::Warning, start, end, message);
            } else {
                self.finished = true;
                self.result = Some(result);
            }
            // `0-1, White overlooked a mate`
            if self.src.get(end) == Some(&b',') {
                return self.loose_text(bytes::line_end(self.src, end));
            }
        }
        GoesOn
    }

    #[inline(always)]
    pub(super) fn token(&mut self) -> Flow {
        let (end, shared) = bytes::token_end(self.src, self.pos);
        self.token_to(end, shared)
    }

    /// [`Parser::token_to`] for tokens with an unusual beginning.
    #[inline(never)]
    pub(super) fn odd_token(&mut self, end: usize, shared: u8) -> Flow {
        self.token_to(end, shared)
    }

    /// The token from `pos` to `end`, whose bytes share the classes `shared`.
    #[inline(always)]
    pub(super) fn token_to(&mut self, end: usize, shared: u8) -> Flow {
        let start = self.pos;
        let src = self.src;
        let word = match src[end - 1] {
            b'!' | b'?' | b'+' | b'-' | b'=' | 0x80.. => start + strip_annotations(&src[start..end]).len(),
            _ => end,
        };
        if end - start > TOKEN_BYTES_MAX {
            return self.long_token(end);
        }
        let token = &src[start..word];
        if token.len() <= 2
            && token.iter().all(u8::is_ascii_alphabetic)
            && let Some(flow) = self.few_letters(word)
        {
            return flow;
        }
        if (shared & LETTER != 0 || word != end) && is_word_token(token) {
            return self.bare_words(end);
        }
        // `White's flag fell`: the apostrophe is plain, since it stands for a square in shogi. `Draw.` is a sentence.
        let ends_sentence = match src[word - 1] {
            b's' => token.ends_with(b"'s"),
            b'.' | b',' => true,
            _ => false,
        };
        if (ends_sentence || shared & (BARE | LETTER) != BARE)
            && let Some(flow) = self.other_words(word)
        {
            return flow;
        }
        if matches!(token[0], b'c'..=b'e' | b'm' | 0xeb..=0xec) && number::is_remark(token) {
            // `mate in 2` is what a program says.
            let mark =
                ferz_core::notation::marks::is_mark(token) && number::program_words(src, start).is_none();
            return if mark { self.mark_apart(word) } else { self.remark(word) };
        }
        if self.finished {
            return Ends;
        }
        self.begin();
        if matches!(token, b"/" | b",") {
            self.pos = word;
            return self.between(start);
        }
        if let Some(at) = between_plies(token) {
            self.push(start, start + at, ItemKind::Move);
            self.plies_seen += 1;
            self.pos = start + at + 1;
            return self.between(start + at);
        }
        self.push(start, word, ItemKind::Move);
        self.plies_seen += 1;
        self.pos = word;
        if word != end {
            self.annotations(start, end);
        }
        GoesOn
    }

    /// A stroke or a comma between two plies.
    #[cold]
    fn between(&mut self, at: usize) -> Flow {
        let message = "a stroke or a comma between two plies; write a space";
        self.report(codes::PLIES_TOUCH, Severity::Info, at, at + 1, message);
        GoesOn
    }

    /// What is no ply up to `end`: a word with a comma after it; or a token that has a letter outside ASCII and no
    /// digit, or is a capitalized word like `Wit`, if it begins a date or a sentence.
    #[inline(never)]
    fn other_words(&mut self, end: usize) -> Option<Flow> {
        let token = &self.src[self.pos..end];
        if is_word_token(without_comma(token)) {
            return Some(self.bare_words(end));
        }
        // All letters of Thai begin with this byte.
        if token[0] == 0xe0
            && let Some(flow) = self.thai_ply(end)
        {
            return Some(flow);
        }
        if !may_be_word(without_comma(token)) {
            return None;
        }
        let found = self.date_in_words(end).or_else(|| self.result_in_words());
        found.or_else(|| is_foreign_word(token).then(|| self.bare_words(end)))
    }

    /// One or two letters up to `end` that are no word: a ply of several words, or a sign after a ply.
    #[cold]
    fn few_letters(&mut self, end: usize) -> Option<Flow> {
        let start = self.pos;
        // `a draw`, below the moves.
        if self.src[self.line_start..start].trim_ascii().is_empty()
            && let Some(flow) = self.result_in_words()
        {
            return Some(flow);
        }
        if end - start == 1
            && let Some(flow) = self.courier_ply(end).or_else(|| self.thai_ply(end))
        {
            return Some(flow);
        }
        if let Some(flow) = self.torn_ply(end) {
            return Some(flow);
        }
        let value = number::letter_sign(&self.src[start..end])?;
        // A number between them is not always written again.
        let last = self.items.iter().rev().find(|item| !matches!(item.kind, ItemKind::MoveNumber(_)));
        let follows = matches!(last?.kind, ItemKind::Move | ItemKind::Nag { .. });
        follows.then(|| {
            self.begin();
            self.pos = end;
            self.push(start, end, ItemKind::Nag { value, glyph: true });
            GoesOn
        })
    }

    /// Words of a sentence: this token and the words after it.
    #[inline(never)]
    pub(super) fn bare_words(&mut self, first_end: usize) -> Flow {
        if let Some(flow) = self.date_in_words(first_end).or_else(|| self.result_in_words()) {
            return flow;
        }
        let start = self.pos;
        let mut end = start + strip_glyphs(&self.src[start..first_end]).len();
        if self.is_pass(start, end) {
            self.begin();
            self.pos = end;
            self.push(start, end, ItemKind::Move);
            self.plies_seen += 1;
            return GoesOn;
        }
        let mut next = first_end;
        while next == end {
            let from = bytes::skip_white(self.src, end);
            let (stop, _) = bytes::token_end(self.src, from);
            // `world!!`: the signs are an annotation.
            let word = strip_glyphs(&self.src[from..stop]);
            if from == end || word.len() > TOKEN_BYTES_MAX || !goes_on_in_words(word) {
                break;
            }
            // The result may be a sentence after others: `Thank you` and below it `White resigns`.
            let new_line = self.src[end..from].iter().any(|byte| bytes::is_newline(*byte));
            if new_line && ending_at(self.src, from, &["", ""]).is_some() {
                break;
            }
            (end, next) = (from + word.len(), stop);
        }
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Comment(CommentKind::Bare));
        // These words belong to the notation of iChess; replay checks whether they are in the right place.
        if !is_deployment_end(&decode(&self.src[start..end])) {
            let message = "these words are not moves; they are read as a comment";
            self.report(codes::BARE_WORDS, Severity::Warning, start, end, message);
        }
        GoesOn
    }

    /// True if a pass is written as a word, and not in a sentence: after a number or another ply, and before no other
    /// word but a pass.
    fn is_pass(&self, start: usize, end: usize) -> bool {
        let is_pass = |word: &[u8]| word.eq_ignore_ascii_case(b"pass");
        let last = self.items.last().map(|item| item.kind);
        let expected = matches!(last, Some(ItemKind::MoveNumber(_) | ItemKind::Move));
        expected && is_pass(&self.src[start..end]) && {
            let from = bytes::skip_white(self.src, end);
            let next = &self.src[from..bytes::token_end(self.src, from).0];
            is_pass(next) || next.is_empty() || !is_word_token(without_comma(next))
        }
    }

    /// A date whose month is the word up to `end`: `13 Nov`, `13. November 2024`, `Nov 13`. A day before it was read as
    /// a move number; with a dot it is one, unless a year follows.
    #[cold]
    fn date_in_words(&mut self, end: usize) -> Option<Flow> {
        let start = self.pos;
        let day = self.items.last().filter(|_| self.deep == 0).and_then(|item| {
            let ItemKind::MoveNumber(number) = item.kind else { return None };
            let from = self.base + item.start as usize;
            let next = bytes::skip_white(self.src, from + item.len as usize);
            let fits = (1..=31).contains(&number.value) && number.dots < 2 && !number.interjection;
            (fits && next == start).then_some((from, number.dots))
        });
        let stop = number::after_month(self.src, end, day.is_some())?;
        // Asked last: the months of all languages are folded for it.
        if !is_month(&decode(without_comma(&self.src[start..end]))) {
            return None;
        }
        if let Some((from, dots)) = day {
            if dots > 0 && stop == end {
                return None;
            }
            self.items.pop();
            self.pos = from;
        }
        Some(self.remark(stop))
    }

    /// A sentence such as `White resigns` at the end of the moves: a comment, and the result if there is no other.
    #[cold]
    fn result_in_words(&mut self) -> Option<Flow> {
        if !self.open.is_empty() || self.plies_seen == 0 && self.tags.is_empty() {
            return None;
        }
        let name = |name: &[u8]| {
            let tag = self.tags.iter().find(|tag| self.part(tag.name, tag.name_len) == name);
            decode(tag.map_or(&[], |tag| self.part(tag.value, tag.value_len)))
        };
        let (end, ending) = ending_at(self.src, self.pos, &[&name(b"White"), &name(b"Black")])?;
        (!self.moves_go_on(end)).then(|| self.ended_in_words(end, ending))
    }

    /// An end of CSA's format, `%TORYO`.
    #[cold]
    pub(super) fn csa_end(&mut self) -> Flow {
        let (start, end) = (self.pos, self.pos + csa::end_at(&self.src[self.pos..]));
        let main_line = self.open.is_empty() && self.deep == 0;
        if !main_line || self.moves_go_on(end) {
            return self.remark(end);
        }
        match csa::ending(&self.src[start..end], self.whites_turn()) {
            Some(ending) => self.ended_in_words(end, ending),
            None => self.remark(end),
        }
    }

    /// True if White is on move after the main line so far. An end may be followed by many more: the plies are counted
    /// once.
    fn whites_turn(&mut self) -> bool {
        if let Some((plies, turn)) = self.whites_turn
            && plies == self.plies_seen
        {
            return turn;
        }
        let fen = self.tags.iter().find(|tag| self.part(tag.name, tag.name_len) == b"FEN");
        let fen = decode(fen.map_or(&[], |tag| self.part(tag.value, tag.value_len)));
        let turn = csa::whites_turn(&fen, MainMoves::of(&self.items).count());
        self.whites_turn = Some((self.plies_seen, turn));
        turn
    }

    /// A part of the record.
    fn part(&self, start: u32, len: u32) -> &[u8] {
        &self.src[self.base + start as usize..][..len as usize]
    }

    /// True if the number of another move follows.
    fn moves_go_on(&self, end: usize) -> bool {
        let next = bytes::skip_white(self.src, end);
        self.src.get(next).is_some_and(|byte| byte.is_ascii_digit())
            && number::result(self.src, next).is_none()
            && !self.src[next..].starts_with(b"1.")
    }

    /// Words up to `end` that say how the game ended: a comment, and the result if there is no other.
    fn ended_in_words(&mut self, end: usize, ending: Ending) -> Flow {
        let start = self.pos;
        let next = bytes::skip_white(self.src, end);
        let beside = self.result.or_else(|| number::result(self.src, next).map(|(result, ..)| result));
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Comment(CommentKind::Bare));
        let result = ending.result.as_str();
        match beside {
            Some(beside) if ending.result == GameResult::Unknown || beside == ending.result => {
                let message = "these words are not moves; they are read as a comment";
                self.report(codes::BARE_WORDS, Severity::Warning, start, end, message);
            }
            Some(beside) => {
                let message =
                    format!("the words say {result}, but the result is {beside}; correct one of them");
                self.report(codes::RESULT_WORDS_DIFFER, Severity::Warning, start, end, message);
            }
            None => {
                self.push(end, end, ItemKind::Result(ending.result));
                (self.finished, self.result) = (true, Some(ending.result));
                let message = format!("the result is in words only; write `{result}` after them");
                self.report(codes::RESULT_WORDS, Severity::Info, start, end, message);
            }
        }
        GoesOn
    }

    #[cold]
    pub(super) fn long_token(&mut self, end: usize) -> Flow {
        let start = self.pos;
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Comment(CommentKind::Bare));
        let message = format!(
            "a token of {} bytes is too long for a move; the limit is {TOKEN_BYTES_MAX}",
            end - start
        );
        self.report(codes::TOKEN_LONG, Severity::Error, start, end, message);
        GoesOn
    }

    #[cold]
    pub(super) fn remark(&mut self, end: usize) -> Flow {
        let start = self.pos;
        let end = number::program_words(self.src, start).unwrap_or(end);
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Comment(CommentKind::Remark));
        self.report(codes::REMARK, Severity::Info, start, end, "a remark; it is read as a comment");
        GoesOn
    }

    /// An element that starts with a byte outside ASCII.
    pub(super) fn wide(&mut self) -> Flow {
        let (start, src) = (self.pos, self.src);
        let blank = bytes::wide_blank(src, start);
        if blank > 0 {
            if src[start..].starts_with(bytes::BOM) && self.offset + start > 0 {
                let message = "a byte order mark inside the input; two files may have been joined here";
                self.report(codes::BYTE_ORDER_MARK, Severity::Info, start, start + blank, message);
            }
            return self.skip(blank);
        }
        if number::dots(&src[start..]).0 > 0 {
            return self.dots();
        }
        if number::interjection(&src[start..]).is_some() {
            return self.interjection();
        }
        if matches!(src[start], 0xbd | 0xc2)
            && let Some((result, len, standard)) = number::result(src, start)
        {
            return self.result(result, start + len, standard);
        }
        self.sign_or_token()
    }
}

/// A token without the comma or colon at its end.
fn without_comma(token: &[u8]) -> &[u8] {
    match token {
        [word @ .., b',' | b':' | b'.'] => word,
        _ => token,
    }
}

/// True for a token of ASCII letters that reads as a word.
fn is_word_token(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic) && number::is_word(token) && !number::is_remark(token)
}

/// True for a word with letters outside ASCII, as `number::is_word` is for one without: no style takes it for a ply.
fn is_foreign_word(token: &[u8]) -> bool {
    let word = decode(without_comma(token));
    let mut chars = word.chars();
    !token.is_ascii()
        && word.chars().all(char::is_alphabetic)
        && (word.chars().count() >= 4
            || word.chars().count() == 3 && chars.next().is_some_and(char::is_lowercase))
        && !has_form_of_ply(&word)
}

/// True for a token that may follow a word in a sentence.
fn goes_on_in_words(token: &[u8]) -> bool {
    let letters = || decode(without_comma(token)).chars().all(char::is_alphabetic);
    is_word_token(without_comma(token)) || !token.is_ascii() && letters() && !has_form_of_ply(&decode(token))
}

/// True for what may stand between the plies of White and Black. Tokens are short: a loop is cheaper than a search.
#[inline]
fn is_between(byte: &u8) -> bool {
    matches!(byte, b'/' | b',')
}

/// The place of the stroke or comma between the plies of White and Black in a token: `e2-e4/e7-e5`, `e4/c6`, `Nf3,Nc6`.
/// A letter and a square after a stroke are a gate: `e4/He2`.
fn between_plies(token: &[u8]) -> Option<usize> {
    let at = token.iter().position(is_between).filter(|at| *at > 0)?;
    let (left, right) = (&token[..at], &token[at + 1..]);
    let is_ply = |ply: &[u8]| {
        let digit = ply.iter().rposition(u8::is_ascii_digit);
        let file = digit.and_then(|digit| ply[..digit].last());
        file.is_some_and(u8::is_ascii_lowercase) && has_form_of_ply(&decode(ply))
    };
    let mark = right.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?')).count();
    let gates = token[at] == b'/'
        && matches!(right[..right.len() - mark], [piece, _, _] if piece.is_ascii_uppercase());
    let two = !gates && is_ply(left) && is_ply(right) && !right.iter().any(is_between);
    two.then_some(at)
}

/// True for a token that may begin a sentence although it is not [`is_word_token`]: `Weiß`, `Белые`, `Wit`, `Il`.
fn may_be_word(token: &[u8]) -> bool {
    let outside_ascii = !token.is_ascii() && !token.iter().any(u8::is_ascii_digit);
    // `White's flag fell`
    let letters = token.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let possessive = letters >= 3 && token[letters..] == *b"'s";
    outside_ascii
        || possessive
        || matches!(token.len(), 2 | 3) && token[1..].iter().all(u8::is_ascii_lowercase)
}
