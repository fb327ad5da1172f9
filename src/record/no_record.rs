//! Detects input that is not a game record at all: a letter, a program, a picture.

use super::codes;
use super::item::{CommentKind, GameResult, ItemKind};
use super::read::Record;
use crate::text::{Diagnostic, Severity, Span};

/// A record has at least one move among this many words.
const WORDS_PER_MOVE_MAX: usize = 16;

/// Bytes of the longest text that is tested for a move.
const MOVE_BYTES_MAX: usize = 24;

impl Record<'_> {
    /// True if a record without tag pairs contains nothing like one. No ply of it could be replayed anyway, since the
    /// first is not a move of any style.
    pub(super) fn is_no_record(&self) -> bool {
        if is_json(self.source()) {
            return true;
        }
        let first = self.items.iter().position(|item| item.kind == ItemKind::Move);
        if first.is_some_and(|first| looks_like_a_move(self.bytes(self.items[first]))) {
            return false;
        }
        if is_binary(self.source()) {
            return true;
        }
        let (mut words, mut moves) = (0usize, 0usize);
        for item in &self.items {
            match item.kind {
                ItemKind::Move if looks_like_a_move(self.bytes(*item)) => moves += 1,
                ItemKind::Move => words += 1,
                ItemKind::Comment(CommentKind::Bare) => {
                    words += self.bytes(*item).split(u8::is_ascii_whitespace).count();
                }
                // After as many words, `1.` and `1-0` are what prose has, too.
                _ if words > WORDS_PER_MOVE_MAX => {}
                ItemKind::MoveNumber(number) if number.value == 1 && number.dots > 0 => return false,
                ItemKind::Comment(CommentKind::Remark) => words += 1,
                // A text with comments is meant as a game.
                ItemKind::Comment(_) if words == 0 => return false,
                ItemKind::Result(result) if result != GameResult::Unknown || words == 0 => return false,
                _ => {}
            }
        }
        moves * WORDS_PER_MOVE_MAX <= words
    }

    /// Adds the diagnostic before all others.
    pub(super) fn report_no_record(&mut self) {
        let end = self.source().trim_ascii_end().len();
        let span = Span::new(0, end.max(1)).shifted(self.offset());
        let message = "nothing here looks like a game record: no tag pair, and hardly a word that is a move";
        let diagnostic = Diagnostic::new(codes::NO_RECORD, Severity::Error, span, message);
        self.diagnostics.insert(0, diagnostic.note("is it the right file, and unpacked?"));
    }
}

/// True if a text begins like JSON: an object with a key, or an array of such objects.
pub(crate) fn is_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let object = text.strip_prefix(b"[").map_or(text, <[u8]>::trim_ascii_start);
    let Some(key) = object.strip_prefix(b"{").and_then(|rest| rest.trim_ascii_start().strip_prefix(b"\""))
    else {
        return false;
    };
    let name = key.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = key[name..].strip_prefix(b"\"").map(<[u8]>::trim_ascii_start);
    name > 0 && rest.is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b':'))
}

/// True for a program, a picture, packed data: one byte in sixteen is a control character that no text has.
fn is_binary(source: &[u8]) -> bool {
    let source = source.trim_ascii();
    let control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    source.iter().filter(control).count() * 16 > source.len()
}

/// True if a text looks like a move of some style: it names a square, castles, or has digits only.
fn looks_like_a_move(text: &[u8]) -> bool {
    let castles = |text: &[u8]| {
        matches!(text, [b'O' | b'o' | b'0', b'-', b'O' | b'o' | b'0', ..] | b"OO" | b"oo" | b"OOO" | b"ooo")
    };
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'p' | b'A'..=b'P', b'1'..=b'9']);
    let null = |text: &[u8]| matches!(text, b"--" | b"Z0" | b"@@@@");
    let plain = text.len() <= MOVE_BYTES_MAX && !text.iter().any(u8::is_ascii_control);
    let of_digits = text.len() >= 4 && text.iter().all(u8::is_ascii_digit);
    plain && (castles(text) || of_digits || null(text) || text.windows(2).any(square))
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::codes;

    fn not_a_record(text: &[u8]) -> Vec<bool> {
        read(text, 0)
            .map(|record| record.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::NO_RECORD))
            .collect()
    }

    #[test]
    fn letters_and_programs_are_no_records() {
        let letter =
            "Dear Sir,\n\non 12 May there were 3 complaints (about the noise), and Mr. Smith left.\n\nAnn\n";
        for text in [
            letter.as_bytes(),
            b"this is no gzip",
            b"\x7fELF\x02\x01\x01\0\0 *",
            b"\0\0\0",
            b"hello *",
            b"foo",
            b"# a list of packages, which has a version at its top and one for each name in it, as lists have\n\
                version = 4\nname = \"adler2\"\nversion = 1.2\n",
            b"{\"name\": \"x\", \"moves\": 3}",
            b"[\n {\"name\": \"x\"},\n {\"name\": \"y\"}\n]\n",
            b"\x7fELF H1\xc9 \x01 1. e4 \x0f\x1f 1-0",
        ] {
            assert_eq!(not_a_record(text), [true], "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn whatever_may_be_a_game_is_one() {
        let games = [
            "e4 e5",
            "1. xyz *",
            "1. e4 blah blah *",
            "\u{265e}f3",
            "Sf3 Sf6",
            "O-O",
            "0-0",
            "5254",
            "R=a1",
            "P@e4 *",
            "e2-e4",
            "~N@a4",
            "--",
            "*",
            "1-0",
            "{a comment}",
            "{nothing was played} *",
            "Ann forfeits 1-0",
            "e4\0\0\0\0 e5",
            "[Event \"x\"]\n\nthis is no game *",
            "% an escape line",
            "; a comment",
        ];
        for text in games {
            assert_eq!(not_a_record(text.as_bytes()), [false], "{text}");
        }
    }
}
