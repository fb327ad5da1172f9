//! Detects input that is not a game record at all: a letter, a program, a picture.

use super::codes;
use super::item::{CommentKind, ItemKind};
use super::read::Record;
use ferz_core::notation::forms::has_form_of_ply;
use ferz_core::text::decode;
use ferz_core::text::{Diagnostic, Severity, Span};

/// A record has at least one ply among this many words.
const WORDS_PER_PLY_MAX: usize = 16;

/// Bytes of the longest text that is tested for a ply.
const PLY_BYTES_MAX: usize = 24;

impl Record<'_> {
    /// True if a text without tag pairs is no record: no token of it has the form of a ply, or so few among its words
    /// that they are prose's. Results, numbers and comments alone make no record either.
    pub(super) fn is_no_record(&self) -> bool {
        if is_json(self.source()) {
            return true;
        }
        let (mut words, mut plies, mut digits) = (0usize, 0usize, 0usize);
        let mut begins = None;
        for item in &self.items {
            match item.kind {
                ItemKind::Move => {
                    let text = self.bytes(*item);
                    let is_ply = looks_like_a_ply(text);
                    let number = text.iter().all(u8::is_ascii_digit);
                    begins.get_or_insert(is_ply && !number);
                    plies += usize::from(is_ply);
                    digits += usize::from(is_ply && number);
                    words += usize::from(!is_ply);
                }
                ItemKind::Comment(CommentKind::Bare) => {
                    words += self.bytes(*item).split(u8::is_ascii_whitespace).count();
                }
                ItemKind::Comment(CommentKind::Remark) => words += 1,
                _ => {}
            }
        }
        // Numbers among words are no plies of numeric notation.
        let plies = if words > 0 { plies - digits } else { plies };
        if plies == 0 {
            return true;
        }
        let prose = plies * WORDS_PER_PLY_MAX <= words;
        begins != Some(true) && (prose || is_binary(self.source()))
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
pub fn is_json(text: &[u8]) -> bool {
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

/// True if a text has the form of a ply in some style: it names a square, castles, passes, or is a number of at least
/// four digits.
fn looks_like_a_ply(text: &[u8]) -> bool {
    let castles = matches!(text, [b'O' | b'o' | b'0', b'-', b'O' | b'o' | b'0', ..])
        || matches!(text, b"OO" | b"oo" | b"OOO" | b"ooo");
    let names_square = text.windows(2).any(|pair| matches!(pair, [b'a'..=b'p' | b'A'..=b'P', b'1'..=b'9']));
    let passes = matches!(text, b"--" | b"Z0" | b"@@@@");
    let is_number = text.len() >= 4 && text.iter().all(u8::is_ascii_digit);
    let is_short = text.len() <= PLY_BYTES_MAX && !text.iter().any(u8::is_ascii_control);
    is_short && (castles || names_square || passes || is_number || has_form_of_ply(&decode(text)))
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
            b"1. blah *",
            b"1. xyz *",
            b"*",
            b"1-0",
            b"* first item\n* second item\n",
            b"Hargreaves 1-0 Khan\nLee 1/2-1/2 Nowak\n",
            b"total\n   1121\n",
            b"{a comment}",
            b"{nothing was played} *",
            b"Ann forfeits 1-0",
            b"% an escape line",
            b"; a comment",
        ] {
            let found = not_a_record(text);
            let none = !found.is_empty() && found.iter().all(|is_none| *is_none);
            assert!(none, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn whatever_may_be_a_game_is_one() {
        let games = [
            "e4 e5",
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
            "e4\0\0\0\0 e5",
            "[Event \"x\"]\n\nthis is no game *",
            "[Event \"x\"]\n\n*",
            "1. 炮二平五 马8进7 *",
            "1. C2=5 H8+7 *",
            "1. P-7f P-3d *",
            "7776FU",
            "79楚卒78",
        ];
        for text in games {
            assert_eq!(not_a_record(text.as_bytes()), [false], "{text}");
        }
    }
}
