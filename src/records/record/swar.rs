//! Scans eight bytes at a time: short tokens end unpredictably for the processor, and so would a loop over their bytes.

use super::item::MoveNumber;
use ferz_core::text::bytes::{HIGH, ONES};

/// Eight bytes of a text. Each predicate sets the highest bit of the bytes that satisfy it.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    #[inline(always)]
    fn at(src: &[u8], pos: usize) -> Option<Word> {
        src.get(pos..)?.first_chunk().map(|bytes| Word(u64::from_le_bytes(*bytes)))
    }

    /// The bytes whose lower seven bits are at least `least` and less than `below`.
    #[inline(always)]
    fn within(self, least: u8, below: u8) -> u64 {
        let at_least = |byte: u8| (self.0 & !HIGH) + ONES * u64::from(0x80 - byte);
        at_least(least) & !at_least(below)
    }

    #[inline(always)]
    fn letters(self) -> u64 {
        Word(self.0 | (ONES * 0x20)).within(b'a', b'z' + 1) & !self.0
    }

    #[inline(always)]
    fn digits(self) -> u64 {
        self.within(b'0', b'9' + 1) & !self.0
    }

    /// The byte at a place; indices wrap.
    #[inline(always)]
    fn byte(self, at: u32) -> u8 {
        self.0.wrapping_shr(8 * at) as u8
    }
}

/// The length of the token at `pos`, if it has the usual form of a ply: up to seven letters and digits, ending in a
/// digit, optional `+` or `#`, then a space or a line end.
#[inline(always)]
pub(super) fn plain_token(src: &[u8], pos: usize) -> Option<usize> {
    let word = Word::at(src, pos)?;
    let others = !(word.letters() | word.digits()) & HIGH;
    if others == 0 {
        return None;
    }
    let len = others.trailing_zeros() / 8;
    let marked = len + u32::from(matches!(word.byte(len), b'+' | b'#'));
    let ends = matches!(word.byte(marked), b' ' | b'\n' | b'\r');
    (ends && len > 0 && word.byte(len - 1).is_ascii_digit()).then_some(marked as usize)
}

/// The move number at `pos` and its length, in its usual form: up to three digits, the first not 0, one dot or three,
/// followed by ASCII. The number of digits is well predicted: it is mostly that of the number before it.
#[inline(always)]
pub(super) fn plain_number(src: &[u8], pos: usize) -> Option<(MoveNumber, usize)> {
    let word = Word::at(src, pos)?;
    let digit = |at: u32| u32::from(word.byte(at).wrapping_sub(b'0'));
    let (one, two, three) = (digit(0), digit(1), digit(2));
    let (value, digits) = match [word.byte(1), word.byte(2), word.byte(3)] {
        [b'.', ..] => (one, 1),
        [_, b'.', _] if two < 10 => (one * 10 + two, 2),
        [_, _, b'.'] if two < 10 && three < 10 => (one * 100 + two * 10 + three, 3),
        _ => return None,
    };
    if !(1..10).contains(&one) {
        return None;
    }
    let dots = if word.byte(digits + 1) == b'.' { 3 } else { 1 };
    let all = dots == 1 || word.byte(digits + 2) == b'.';
    let after = word.byte(digits + dots);
    // A fourth dot, or a digit: it may be a date.
    if !all || after.wrapping_sub(b'.') <= b'9' - b'.' || !after.is_ascii() {
        return None;
    }
    let number = MoveNumber { value, dots: dots as u8, interjection: false, seat: None };
    Some((number, (digits + dots) as usize))
}

/// The length of the run of letters and digits at `pos`, if it is less than 16 bytes.
#[inline(always)]
pub(super) fn alphanumeric(src: &[u8], pos: usize) -> Option<usize> {
    let others = |word: Word| !(word.letters() | word.digits()) & HIGH;
    let first = others(Word::at(src, pos)?);
    if first != 0 {
        return Some(first.trailing_zeros() as usize / 8);
    }
    let second = others(Word::at(src, pos + 8)?);
    (second != 0).then(|| 8 + second.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::super::number;
    use super::*;
    use ferz_core::text::bytes::{self, BARE, CLASS, LETTER, OPENS_PLY};

    #[test]
    fn plain_tokens_are_tokens() {
        let len = |text: &str| plain_token(text.as_bytes(), 0);
        for token in ["e4", "Nf3", "exd5", "Nbxd2", "Qh4xe1", "a10", "Nf3+", "Qxf7#"] {
            for after in [" ", "\n", "\r"] {
                assert_eq!(len(&format!("{token}{after}\u{e9}{{.(!")), Some(token.len()), "{token}");
            }
        }
        for text in [
            "e4",
            "e4!      ",
            "e4(Q) e4",
            "O-O e4 e5",
            "Nf3++ e4 ",
            "Ngf3xe5+ ",
            "e8Q e4 e5",
            "x_1 e4 e5",
            "e4\te4 e5 ",
            "e4{x} e4 ",
        ] {
            assert_eq!(len(text), None, "{text}");
        }
        assert_eq!(len("e4\u{e9}1 e4 e5"), None);
        assert_eq!(len("Ngf3xe5 e4"), Some(7));
        assert_eq!(len("Ng1f3xe5 e4"), None);
        // For any byte: the token is the same as by the byte classes, or not plain.
        for byte in 0..=255 {
            for at in 0..6 {
                let mut text = *b"Qh4xe1 x ";
                text[at] = byte;
                let (end, shared) = bytes::token_end(&text, 0);
                let found = plain_token(&text, 0).filter(|_| CLASS[text[0] as usize] & OPENS_PLY != 0);
                let same = found.is_none_or(|len| len == end && shared & (BARE | LETTER) == BARE);
                assert!(same, "{byte} {at}");
            }
        }
    }

    #[test]
    fn plain_numbers_are_numbers() {
        for text in [
            "1. e4 e5",
            "1.e4 e5 2",
            "12... e5",
            "123. e4 ",
            "999...e4",
            "7...... e",
            "12.\u{e9}....",
            "0. e4 e5",
            "1234. e4",
            "12 e4 e5",
            "1.. e4 e5",
            "12.05.2025",
            "1.5254 5",
        ] {
            let src = text.as_bytes();
            let end = src.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let after = end + src[end..].iter().take_while(|byte| **byte == b'.').count();
            let value = number::decimal(&src[..end]);
            let plain = end <= 3 && matches!(after - end, 1 | 3) && src[0] != b'0';
            let plain = plain && src[after].is_ascii() && !src[after].is_ascii_digit();
            let number = MoveNumber { value, dots: (after - end) as u8, interjection: false, seat: None };
            assert_eq!(plain_number(src, 0), plain.then_some((number, after)), "{text}");
        }
        assert_eq!(plain_number(b"1. e4", 0), None);
    }

    #[test]
    fn runs_of_letters_and_digits() {
        for byte in 0..=255u8 {
            for at in 0..15 {
                let mut text = *b"abcXYZ0189zAbCdEeeeeeeee";
                text[at] = byte;
                let run = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                assert_eq!(alphanumeric(&text, 0), Some(run).filter(|run| *run < 16), "{byte} {at}");
            }
        }
    }
}
