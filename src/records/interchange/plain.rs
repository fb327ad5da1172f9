//! The test that plain input passes without a closer look.

use super::formats;
use super::mail::{arranged, transport};
use ferz_core::notation::forms::is_csa_ply;
use ferz_core::text::bytes::brace_end;

/// True if no line of a text needs a closer look: each begins like one of a record, and nothing is written in HTML.
pub(super) fn is_plain(text: &[u8]) -> bool {
    let starts_plain = |at: usize| starts_plain(&text[at..text.len().min(at + HEAD_BYTES)]);
    let (mut lines_plain, mut start) = (starts_plain(0), 0);
    for end in memchr::memchr_iter(b'\n', text) {
        if transport::may_end_tag(&text[start..end]) && transport::folded_tag(text, start).is_some() {
            return false;
        }
        start = end + 1;
        lines_plain = lines_plain && starts_plain(start);
    }
    let marks = || !memchr::memchr2_iter(b'&', b'<', text).any(|at| transport::shows_html(text, at));
    (lines_plain && marks()) || outside_comments(text)
}

/// Bytes of a line that show how it begins.
pub(super) const HEAD_BYTES: usize = 24;

/// True if a line begins like one of a record.
#[inline]
pub(super) fn starts_plain(line: &[u8]) -> bool {
    match line {
        [b'0'..=b'9', ..] | [b'[', b'0'..=b'9', ..] => !arranged::may_begin(line),
        [b'[', b'p' | b'P' | b'/', ..] => transport::board_mark(line).is_none(),
        [b'[', ..] => !formats::is_foreign(line),
        [b'\n' | b'\r' | b'{' | b'}' | b'(' | b')' | b'%' | b';', ..] | [] => true,
        _ => starts_plain_otherwise(line),
    }
}

#[inline(never)]
fn starts_plain_otherwise(line: &[u8]) -> bool {
    match line {
        [b' ' | b'\t', rest @ ..] => starts_plain(rest),
        [first, ..] if first.is_ascii_alphabetic() => {
            let letters = line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let word = &line[..letters];
            let squares = word.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'x' | b'o' | b'O'));
            // Letters of other alphabets; dashes and figurines are none.
            let in_word = |byte: &u8| *byte >= 0x80 && !matches!(byte, 0xe2 | 0xef | 0xf0);
            let ends_word = match line.get(letters) {
                Some(b'-') => letters > 3,
                next => next.is_none_or(|byte| b" \t\r\n,.:!?'\")".contains(byte) || in_word(byte)),
            };
            let rest = &line[letters..];
            match letters {
                _ if rest.first().is_some_and(in_word) => false,
                1 => !begins_sentence(rest),
                _ => squares && !goes_on_in_words(rest) || !ends_word,
            }
        }
        [b'0' | b'$' | b'.' | b'!' | b'?' | b'+' | b'#' | b'~' | b'/' | b'@' | b'^' | b'&', ..] => true,
        // The item of a list.
        [b'*', b' ', b'0'..=b'9', ..] => false,
        [b'*', next, ..] => next.is_ascii_whitespace(),
        [b'*'] => true,
        [b'-', ..] => is_csa_ply(line.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default()),
        [0xef, 0xbb, 0xbf, rest @ ..] => starts_plain(rest),
        // Figurines, signs and blanks; letters of other alphabets may begin words.
        [0xe2 | 0xef, ..] => true,
        _ => false,
    }
}

/// True after the first letter of `I'm` and `I think`, not of Game Courier's `K e1-g1` and of the drop `B'45`.
fn begins_sentence(rest: &[u8]) -> bool {
    matches!(rest, [b'\'', b'a'..=b'z', ..] | [b' ', b'a'..=b'z', b'a'..=b'z', ..])
}

/// True after letters that may be files of squares, if a word follows that cannot: `he did not resign`.
fn goes_on_in_words(rest: &[u8]) -> bool {
    let word = rest.strip_prefix(b" ").unwrap_or_default();
    let letters = word.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    letters >= 3 && word[..letters].iter().any(|byte| !matches!(byte, b'a'..=b'h' | b'x' | b'o'))
}

/// [`is_plain`] without what is inside comments in braces: in them any text may stand.
#[inline(never)]
fn outside_comments(text: &[u8]) -> bool {
    let (mut at, mut new_line) = (0, true);
    while at < text.len() {
        if new_line && !starts_plain(&text[at..text.len().min(at + HEAD_BYTES)]) {
            return false;
        }
        new_line = false;
        let Some(stop) = memchr::memchr3(b'\n', b'{', b'<', &text[at..]).map(|stop| at + stop) else { break };
        let mut marks = memchr::memchr_iter(b'&', &text[at..stop]).map(|mark| at + mark).chain([stop]);
        if marks.any(|mark| transport::shows_html(text, mark)) {
            return false;
        }
        at = match text[stop] {
            b'{' => brace_end(text, stop + 1).0 + 1,
            byte => {
                new_line = byte == b'\n';
                stop + 1
            }
        };
    }
    true
}
