//! Plies of several words: Game Courier's format, `B c1-e3`, `c1-e3; H*c1`, `// a comment`; and `N f3`.

use super::{Flow, GoesOn, Parser, strip_annotations};
use crate::record::codes;
use crate::record::item::{CommentKind, Item, ItemKind};
use ferz_core::notation::courier::{is_long_thai, is_torn};
use ferz_core::text::Severity;
use ferz_core::text::bytes;
use ferz_core::text::decode;

impl Parser<'_> {
    /// A piece letter, a blank and two squares: one ply. `None` for anything else.
    #[cold]
    pub(super) fn courier_ply(&mut self, letter_end: usize) -> Option<Flow> {
        let (start, from) = (self.pos, skip_blanks(self.src, letter_end));
        let end = bytes::token_end(self.src, from).0;
        if from == letter_end || self.finished || squares(&self.src[from..end]).is_none() {
            return None;
        }
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Move);
        self.plies_seen += 1;
        self.courier(start, end);
        Some(GoesOn)
    }

    /// A piece letter apart from the rest of its ply: `N f3`. `None` for anything else.
    #[cold]
    pub(super) fn torn_ply(&mut self, letter_end: usize) -> Option<Flow> {
        let (start, from) = (self.pos, bytes::skip_white(self.src, letter_end));
        let end = bytes::token_end(self.src, from).0;
        let end = from + strip_annotations(&self.src[from..end]).len();
        // Other bytes between them would stay a part of the ply.
        let blank = decode(&self.src[letter_end..from]).chars().all(char::is_whitespace);
        if from == letter_end || self.finished || !blank || !is_torn(&self.src[start..end]) {
            return None;
        }
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Move);
        self.plies_seen += 1;
        Some(GoesOn)
    }

    /// A piece's letter in Thai, blanks, and two squares: one ply of style `thai-lan`. `None` for anything else.
    #[cold]
    pub(super) fn thai_ply(&mut self, letter_end: usize) -> Option<Flow> {
        let (start, from) = (self.pos, bytes::skip_white(self.src, letter_end));
        let end = bytes::token_end(self.src, from).0;
        let end = from + strip_annotations(&self.src[from..end]).len();
        if from == letter_end || self.finished || !is_long_thai(&self.src[start..end]) {
            return None;
        }
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Move);
        self.plies_seen += 1;
        Some(GoesOn)
    }

    /// Joins what follows a semicolon directly after a ply: a gate, a promotion, castling's rook. Returns false if the
    /// semicolon begins a comment.
    #[cold]
    pub(super) fn courier_joins(&mut self) -> bool {
        let (pos, base) = (self.pos, self.base);
        let Some(Item { start, kind: ItemKind::Move, .. }) =
            self.items.last().copied().filter(|item| item.end() as usize + base == pos && self.deep == 0)
        else {
            return false;
        };
        let start = start as usize + base;
        let first = &self.src[start..pos];
        let first = first.iter().position(|byte| *byte == b';').map_or(first, |at| &first[..at]);
        let step =
            first.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map_or(first, |at| &first[at + 1..]);
        let from = self.after_letter(skip_blanks(self.src, pos + 1));
        let end = bytes::token_end(self.src, from).0;
        if !squares(step).is_some_and(|step| belongs(step, &self.src[from..end])) {
            return false;
        }
        // The splitter does not look after semicolons, so no comment that continues on the next line may begin there.
        let rest = &self.src[pos..bytes::line_end(self.src, pos)];
        if memchr::memrchr(b'{', rest) > memchr::memrchr(b'}', rest) {
            return false;
        }
        if let Some(item) = self.items.last_mut() {
            item.len = (end - start) as u32;
        }
        self.pos = end;
        self.courier(start, end);
        true
    }

    /// The place after a rook's letter and blanks, in `R h1-f1`; otherwise the same place.
    fn after_letter(&self, start: usize) -> usize {
        let end = bytes::token_end(self.src, start).0;
        let letter = matches!(self.src[start..end], [letter] if letter.is_ascii_alphabetic());
        let square = skip_blanks(self.src, end);
        let rook = squares(&self.src[square..bytes::token_end(self.src, square).0]).is_some();
        if letter && square > end && rook { square } else { start }
    }

    /// `// …` to the end of the line.
    #[cold]
    pub(super) fn courier_comment(&mut self) -> Flow {
        let (start, end) = (self.pos, bytes::line_end(self.src, self.pos));
        self.begin();
        self.pos = end;
        self.push(start, end, ItemKind::Comment(CommentKind::Bare));
        self.courier(start, end);
        GoesOn
    }

    /// Reports the format once a game.
    fn courier(&mut self, start: usize, end: usize) {
        if !std::mem::replace(&mut self.courier_reported, true) {
            let message = "the moves are in Game Courier's format and are read as such";
            self.report(codes::GAME_COURIER, Severity::Info, start, end, message);
        }
    }
}

fn skip_blanks(src: &[u8], pos: usize) -> usize {
    pos + src[pos..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// A square's file and rank at the start of a text, and the rest.
fn square(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = text.get(1..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let fits = matches!(text[0], b'a'..=b'p') && (1..=2).contains(&digits);
    fits.then(|| text.split_at(1 + digits))
}

/// `c1-e3`: two squares and nothing else.
fn squares(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (from, rest) = square(text)?;
    let (to, rest) = square(rest.strip_prefix(b"-")?)?;
    rest.is_empty().then_some((from, to))
}

/// True for the continuation of a step: `H*c1` on a square of its rank, `Q-e8` on its target, `h1-f1` on its rank.
fn belongs((from, to): (&[u8], &[u8]), part: &[u8]) -> bool {
    match part {
        [letter, b'*', rest @ ..] if letter.is_ascii_alphabetic() => {
            square(rest).is_some_and(|(at, rest)| rest.is_empty() && at[1..] == from[1..])
        }
        [letter, b'-', rest @ ..] if letter.is_ascii_alphabetic() => rest == to,
        _ => squares(part).is_some_and(|(a, b)| [a, b, to].iter().all(|at| at[1..] == from[1..])),
    }
}
