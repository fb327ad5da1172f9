//! Byte classes of the grammar, and the few byte loops that every leaf shares.

/// A one in each byte.
pub const ONES: u64 = u64::MAX / 255;
/// The highest bit of each byte.
pub const HIGH: u64 = ONES << 7;

/// The byte may occur in a movetext token.
pub const TOKEN: u8 = 1;
/// The byte is an ASCII letter.
pub const LETTER: u8 = 2;
/// The byte is an ASCII digit.
pub const DIGIT: u8 = 4;
/// The byte is a blank that does not end a line.
pub const BLANK: u8 = 8;

/// The byte may occur in the name of a tag.
pub const NAME: u8 = 16;
/// The byte may occur unescaped in the value of a tag: no quotation mark, backslash or line end.
pub const VALUE: u8 = 32;

/// The byte may occur in a token that is a ply and nothing more: no `!`, `?` or dot.
pub const BARE: u8 = 64;
/// The byte may begin such a token: a letter, but not O, which begins other things too.
pub const OPENS_PLY: u8 = 128;

/// The classes of every byte. Those from 0x80 have only the last: whether they are white space depends on the whole
/// character.
pub const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [VALUE; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | 0x0b | 0x0c => BLANK,
            b'\n' | b'\r' | 0 | 0x1a | b'{' | b'}' | b'(' | b')' | b';' | b'$' => 0,
            // Tokens of their own (PGN 7); an asterisk in a drop, `N*e4`, is found where a token ends.
            b'[' | b']' | b'*' => 0,
            b'o' | b'O' => TOKEN | LETTER | NAME | BARE,
            b'a'..=b'z' | b'A'..=b'Z' => TOKEN | LETTER | NAME | BARE | OPENS_PLY,
            b'0'..=b'9' => TOKEN | DIGIT | NAME | BARE,
            b'_' | b'-' | b'+' | b'#' | b'=' | b':' => TOKEN | NAME | BARE,
            b'.' => TOKEN | NAME,
            b'!' | b'?' => TOKEN,
            _ => TOKEN | BARE,
        };
        if !matches!(byte as u8, b'"' | b'\\' | b'\n' | b'\r') {
            table[byte] |= VALUE;
        }
        byte += 1;
    }
    table
}

/// Where the run of bytes of a class that starts at `pos` ends.
#[inline(always)]
pub fn run_end(src: &[u8], mut pos: usize, class: u8) -> usize {
    while pos < src.len() && CLASS[src[pos] as usize] & class != 0 {
        pos += 1;
    }
    pos
}

/// True for the bytes that end a line, a lone carriage return included.
pub const fn is_newline(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// True for a space or a tab or another blank inside a line.
pub const fn is_blank(byte: u8) -> bool {
    CLASS[byte as usize] & BLANK != 0
}

/// The byte order mark in UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Length in bytes of the white-space character outside ASCII that starts at `pos`; 0 if there is none.
///
/// A byte A0 is the no-break space of Latin-1: in UTF-8 no character starts with it.
pub fn wide_blank(src: &[u8], pos: usize) -> usize {
    match &src[pos..] {
        [0xa0, ..] => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8b | 0xaf, ..] | [0xe2, 0x81, 0x9f, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// Length in bytes of the UTF-8 character at `pos`; 1 if it is not valid UTF-8.
pub fn char_len(src: &[u8], pos: usize) -> usize {
    let len = match src[pos] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return 1,
    };
    src.get(pos..pos + len).filter(|c| std::str::from_utf8(c).is_ok()).map_or(1, <[u8]>::len)
}

/// The first place from `pos` on that is not a blank: the byte there ends the line or starts something.
pub fn skip_blank(src: &[u8], mut pos: usize) -> usize {
    while let Some(&byte) = src.get(pos) {
        if is_blank(byte) || byte == 0 || byte == 0x1a {
            pos += 1;
        } else if byte >= 0x80 {
            match wide_blank(src, pos) {
                0 => return pos,
                n => pos += n,
            }
        } else {
            return pos;
        }
    }
    pos
}

/// The first place from `pos` on that is neither a blank nor a line end.
pub fn skip_white(src: &[u8], pos: usize) -> usize {
    let mut at = skip_blank(src, pos);
    while src.get(at).is_some_and(|byte| is_newline(*byte)) {
        at = skip_blank(src, at + 1);
    }
    at
}

/// Where the line that holds `pos` ends: the place of its first newline byte, or the end of the text.
pub fn line_end(src: &[u8], pos: usize) -> usize {
    let far = |rest: &[u8]| memchr::memchr2(b'\n', b'\r', rest);
    find_near(src, pos, [b'\n', b'\r'], far).unwrap_or(src.len())
}

/// The first byte from `pos` on that is one of `stops`, where that is likely to be near: checks eight bytes at a time,
/// without set-up. After 64 bytes `far` takes over, a search that only pays for long distances.
#[inline(always)]
pub fn find_near<const N: usize>(
    src: &[u8],
    mut pos: usize,
    stops: [u8; N],
    far: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    for _ in 0..8 {
        let Some(word) = src.get(pos..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let word = u64::from_le_bytes(*word);
        // The lowest set bit belongs to the first byte that equals a stop.
        let found = stops.iter().fold(0, |found, &stop| {
            let difference = word ^ (ONES * u64::from(stop));
            found | difference.wrapping_sub(ONES) & !difference & HIGH
        });
        if found != 0 {
            return Some(pos + found.trailing_zeros() as usize / 8);
        }
        pos += 8;
    }
    far(src.get(pos..)?).map(|at| pos + at)
}

/// True if `pos` is the first column of a line; a byte order mark before it does not count.
pub fn column_one(src: &[u8], pos: usize) -> bool {
    let head = src[..pos].strip_suffix(BOM).unwrap_or(&src[..pos]);
    head.last().is_none_or(|&b| is_newline(b))
}

/// Where the brace comment whose text starts at `from` ends, and whether a `}` is there.
///
/// An unclosed comment ends before a blank line that is followed by `[Event "`, so that one forgotten brace does not
/// swallow the games after it; without such a line it ends with the text.
pub fn brace_end(src: &[u8], from: usize) -> (usize, bool) {
    let mut pos = from;
    let far = |rest: &[u8]| memchr::memchr3(b'}', b'\n', b'\r', rest);
    while let Some(at) = find_near(src, pos, [b'}', b'\n', b'\r'], far) {
        if src[at] == b'}' {
            return (at, true);
        }
        if src[at + 1..].starts_with(b"[Event \"") && blank_before(src, at) {
            return (at, false);
        }
        pos = at + 1;
    }
    (src.len(), false)
}

/// True if the line that starts at `line` follows a blank line and begins with `[Event "` at `at`.
pub fn event_after_blank(src: &[u8], line: usize, at: usize) -> bool {
    src[at..].starts_with(b"[Event \"") && follows_blank(src, line)
}

/// True if the line that starts at `line` follows a blank line.
pub fn follows_blank(src: &[u8], line: usize) -> bool {
    line > 0 && blank_before(src, line - 1)
}

/// True if the line that the newline at `at` ends is blank.
fn blank_before(src: &[u8], at: usize) -> bool {
    let head = &src[..at];
    let head = if src[at] == b'\n' { head.strip_suffix(b"\r").unwrap_or(head) } else { head };
    head.iter().rev().find(|&&b| !is_blank(b)).is_some_and(|&b| is_newline(b))
}

/// Where the token that starts at `start` ends, and the classes that all its bytes share.
///
/// A promotion in parentheses belongs to the token: `e8(Q)`, `e8(=Q)`.
#[inline]
pub fn token_end(src: &[u8], start: usize) -> (usize, u8) {
    rest_of_token(src, start, start, u8::MAX)
}

/// [`token_end`], from `pos` on: the bytes before it are plain characters and share the classes `shared`.
#[inline(always)]
pub fn rest_of_token(src: &[u8], start: usize, mut pos: usize, mut shared: u8) -> (usize, u8) {
    while let Some(&byte) = src.get(pos) {
        let class = CLASS[byte as usize];
        if class & TOKEN == 0 {
            if matches!(byte, b'(' | b'*' | 0x80..) {
                return odd_token_end(src, start, pos, shared);
            }
            break;
        }
        shared &= class;
        pos += 1;
    }
    (pos, shared)
}

/// True if `(77)` begins at `pos`.
fn is_square_in_parentheses(src: &[u8], pos: usize) -> bool {
    matches!(src[pos..], [b'(', b'1'..=b'9', b'1'..=b'9', b')', ..])
}

/// True for the wide blank in `同　銀(31)`, which is a part of the ply.
fn is_after_same(src: &[u8], start: usize, pos: usize) -> bool {
    src[start..pos].ends_with("同".as_bytes()) && src[pos..].starts_with("\u{3000}".as_bytes())
}

/// Continues at `pos` in a token that has more than plain characters.
#[inline(never)]
fn odd_token_end(src: &[u8], start: usize, mut pos: usize, mut shared: u8) -> (usize, u8) {
    loop {
        while let Some(&byte) = src.get(pos) {
            let class = CLASS[byte as usize];
            if class & TOKEN == 0 {
                break;
            }
            shared &= class;
            pos += 1;
        }
        match src.get(pos) {
            Some(0x80..)
                if wide_blank(src, pos) == 0 || splits(src, pos) || is_after_same(src, start, pos) =>
            {
                pos += char_len(src, pos)
            }
            // The from-square of `７六歩(77)`.
            Some(b'(') if pos > start && src[pos - 1] >= 0x80 && is_square_in_parentheses(src, pos) => {
                pos += 4
            }
            Some(b'(') if pos > start => match letter_in_parentheses(src, pos) {
                0 => return (pos, shared),
                n => pos += n,
            },
            Some(b'*') if !is_result(src, start, pos) => pos += 1,
            _ => return (pos, shared),
        }
        shared = TOKEN;
    }
}

/// True if the `*` at `pos`, after the bytes of a token from `start` on, is a token of its own: the result. It is none
/// where a piece enters (`N*e4`, `*Ne4`), or next to another one (`a4=Q**` refers to a footnote).
pub fn is_result(src: &[u8], start: usize, pos: usize) -> bool {
    let square = |at: usize| matches!(src.get(at..at + 2), Some([b'a'..=b'p', b'1'..=b'9']));
    // Shogi's `P*5e`, `P*55`.
    let shogi = |at: usize| {
        let square = matches!(src.get(at..at + 2), Some([b'1'..=b'9', b'a'..=b'i' | b'1'..=b'9']));
        square && !src.get(at + 2).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.')
    };
    let enters = match &src[start..pos] {
        [] => src.get(pos + 1).is_some_and(u8::is_ascii_uppercase) && square(pos + 2),
        [b'A'..=b'Z'] if shogi(pos + 1) => true,
        [piece] | [piece, b'\''] => piece.is_ascii_alphabetic() && square(pos + 1),
        // A figure in place of the letter.
        piece => piece.len() == char_len(src, start) && square(pos + 1),
    };
    let several = src.get(pos + 1) == Some(&b'*') || pos > start && src[pos - 1] == b'*';
    !enters && !several
}

/// True if the character at `pos` is a zero-width blank inside a token: it is invisible there, and the rest is not a
/// token of its own.
fn splits(src: &[u8], pos: usize) -> bool {
    let in_token = src.get(pos + 3).is_some_and(|&byte| CLASS[byte as usize] & TOKEN != 0);
    src[pos..].starts_with("\u{200b}".as_bytes()) && in_token
}

/// Length in bytes of `(Q)` or `(=Q)` at `pos`, after a letter or digit; 0 if something else is there.
fn letter_in_parentheses(src: &[u8], pos: usize) -> usize {
    if !src[pos - 1].is_ascii_alphanumeric() {
        return 0;
    }
    let equals = usize::from(src.get(pos + 1) == Some(&b'='));
    let letter = pos + 1 + equals;
    let len = match src.get(letter) {
        Some(b) if b.is_ascii_alphabetic() => 1,
        Some(0x80..) if wide_blank(src, letter) == 0 => char_len(src, letter),
        _ => return 0,
    };
    if src.get(letter + len) == Some(&b')') { 2 + equals + len } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_end_where_they_should() {
        let end = |s: &str| s[..token_end(s.as_bytes(), 0).0].to_owned();
        assert_eq!(end("e8(Q) x"), "e8(Q)");
        assert_eq!(end("e8(=Q)x"), "e8(=Q)x");
        assert_eq!(end("e4(e5)"), "e4");
        assert_eq!(end("e4{c}"), "e4");
        for text in ["e4*", "e4*[Event", "e4[%clk", "e4]", "e4*1. d4", "e4*e5"] {
            assert_eq!(end(text), "e4", "{text}");
        }
        for text in ["N*e4", "P'*e4", "*Ne4", "\u{2658}*e4", "a4=Q**", "**"] {
            assert_eq!(end(text), text);
        }
        assert_eq!(end("\u{2658}f3\u{a0}e5"), "\u{2658}f3");
        assert_eq!(end("exd6e.p."), "exd6e.p.");
        assert_eq!(token_end(b"Nf3\xa0e5", 0).0, 3);
        assert_eq!(token_end("S\u{e0}3".as_bytes(), 0).0, 4);
    }

    #[test]
    fn what_is_near_is_found_like_what_is_far() {
        for len in 0..90 {
            let mut text: Vec<u8> = (0..len).map(|i| [b'a', 0x80, 0xff, b'\r'][i % 4]).collect();
            let find = |text: &[u8], pos| {
                find_near(text, pos, [b'\n', b'}'], |rest| memchr::memchr2(b'\n', b'}', rest))
            };
            assert_eq!(find(&text, 0), None);
            for at in (0..len).rev() {
                text[at] = [b'\n', b'}'][at % 2];
                for pos in 0..=at {
                    assert_eq!(find(&text, pos), Some(at), "{len} {at} {pos}");
                }
            }
        }
    }

    #[test]
    fn an_open_brace_ends_before_the_next_game() {
        let ends = |s: &str| brace_end(s.as_bytes(), 0);
        assert_eq!(ends("a } b"), (2, true));
        assert_eq!(ends("a\r\n\r\n[Event \"x\"]"), (4, false));
        assert_eq!(ends("a\r\r[Event \"x\"]"), (2, false));
        assert_eq!(ends("a\n[Event \"x\"]"), (13, false));
        assert_eq!(ends("a\n \t\n[Event \"x\"]}"), (4, false));
    }
}
