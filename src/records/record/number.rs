//! Leaves of the grammar that consist of digits: move numbers, their dots, results, NAGs; and the signs for NAGs.

use super::item::{BOTH_LOSE, GameResult};
use ferz_core::notation::courier::is_long_thai;
use ferz_core::notation::forms::is_numeric_ply;
use ferz_core::notation::marks::KOREAN_ANSWER;
use ferz_core::notation::marks::is_mark;
use ferz_core::text::bytes::{
    CLASS, LETTER, TOKEN, is_newline, is_result, skip_white, token_end, wide_blank,
};

use ferz_core::text::limits::TOKEN_BYTES_MAX;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::char;
use nom::combinator::value;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::ops::RangeInclusive;

/// A run of dots at the start of `input`: the number of dots, three for an ellipsis character. The run may be empty.
pub(crate) fn dots(input: &[u8]) -> (usize, usize) {
    let (mut pos, mut count) = (0, 0);
    loop {
        match &input[pos..] {
            [b'.', ..] => (pos, count) = (pos + 1, count + 1),
            [0xe2, 0x80, 0xa6, ..] => (pos, count) = (pos + 3, count + 3),
            _ => return (pos, count),
        }
    }
}

/// The value of a run of digits; `u32::MAX` if it does not fit.
pub(crate) fn decimal(digits: &[u8]) -> u32 {
    digits.iter().fold(0u32, |n, d| n.saturating_mul(10).saturating_add(u32::from(d - b'0')))
}

fn digits(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while1(|b: u8| b.is_ascii_digit()).parse(input)
}

/// `∞3`, `oo3`, `OO3`: length of the sign, length of the digits. The dots follow.
pub(super) fn interjection(input: &[u8]) -> Option<(usize, usize)> {
    let sign = alt((tag("\u{221e}".as_bytes()), tag(&b"oo"[..]), tag(&b"OO"[..])));
    let (_, (sign, digits)): (_, (&[u8], &[u8])) = (sign, digits).parse(input).ok()?;
    Some((sign.len(), digits.len()))
}

/// `$n`: the number, if it fits, and its length in bytes.
pub(super) fn nag(input: &[u8]) -> Option<(Option<u16>, usize)> {
    let (_, found) = preceded(char('$'), digits).parse(input).ok().map(|(r, d): (&[u8], &[u8])| (r, d))?;
    Some((u16::try_from(decimal(found)).ok(), found.len() + 1))
}

/// Points of one side, doubled.
fn score(input: &[u8]) -> IResult<&[u8], u8> {
    let half = alt((tag(&b"1/2"[..]), tag(&b"0.5"[..]), tag(&b"0,5"[..]), tag(&b".5"[..])));
    let sign = alt((tag("\u{bd}".as_bytes()), tag(&b"\xbd"[..])));
    let whole = (char('1'), nom::combinator::opt(tag(&b".0"[..])));
    let none = (char('0'), nom::combinator::opt(tag(&b".0"[..])));
    alt((value(1, half), value(1, sign), value(2, whole), value(0, none))).parse(input)
}

/// `white-black`, with any dash or a colon between, blanks allowed around it.
fn pair(input: &[u8]) -> IResult<&[u8], (u8, u8)> {
    let dash = alt((
        tag(&b"-"[..]),
        tag(&b":"[..]),
        tag("\u{2013}".as_bytes()),
        tag("\u{2014}".as_bytes()),
        tag("\u{2212}".as_bytes()),
    ));
    let blanks = || take_while(|b| b == b' ' || b == b'\t');
    (score, preceded((blanks(), dash, blanks()), score)).parse(input)
}

/// The result that starts at `pos`: its value, its length, and whether it has the standard's form.
///
/// `0-0` is castling here; [`both_lose`] knows where it is a result.
pub(crate) fn result(src: &[u8], pos: usize) -> Option<(GameResult, usize, bool)> {
    let input = &src[pos..];
    // Fast path by the first bytes: nearly all records have the standard's own forms.
    let (standard, len) = match input {
        [b'1', b'-', b'0', ..] => (GameResult::WhiteWins, 3),
        [b'0', b'-', b'1', ..] => (GameResult::BlackWins, 3),
        [b'1', b'/', b'2', b'-', b'1', b'/', b'2', ..] => (GameResult::Draw, 7),
        [b'*', ..] => return is_result(src, pos, pos).then_some((GameResult::Unknown, 1, true)),
        _ => return odd_result(src, pos),
    };
    match &src[pos + len..] {
        _ if boundary(src, pos + len) => Some((standard, len, true)),
        // The end of a sentence.
        [b'.', rest @ ..] if rest.first().is_none_or(u8::is_ascii_whitespace) => {
            Some((standard, len + 1, false))
        }
        _ => odd_result(src, pos),
    }
}

/// True if the movetext ends at `pos` with the result of a game that both players lost. The tag `Result` tells it from
/// castling; nothing follows it but another record's tags.
pub(super) fn both_lose(src: &[u8], pos: usize) -> bool {
    let Some(after) = src[pos..].strip_prefix(BOTH_LOSE.as_bytes()) else { return false };
    boundary(after, 0) && matches!(after.trim_ascii_start(), [] | [b'[', ..])
}

/// [`result`] in any other form: by the grammar.
fn odd_result(src: &[u8], pos: usize) -> Option<(GameResult, usize, bool)> {
    let input = &src[pos..];
    let full = pair(input).ok().filter(|(rest, _)| boundary(src, src.len() - rest.len()));
    let (len, result) = match full {
        Some((rest, (2, 0))) => (input.len() - rest.len(), GameResult::WhiteWins),
        Some((rest, (0, 2))) => (input.len() - rest.len(), GameResult::BlackWins),
        Some((rest, (1, 1))) => (input.len() - rest.len(), GameResult::Draw),
        _ => {
            let (rest, _) = score(input).ok().filter(|(_, points)| *points == 1)?;
            let len = input.len() - rest.len();
            boundary(src, pos + len).then_some((len, GameResult::Draw))?
        }
    };
    Some((result, len, &input[..len] == result.as_str().as_bytes()))
}

/// True for a text that reads as exactly one ply wherever a ply may be: a token, or two of style `thai-lan`.
pub(super) fn is_ply_token(text: &str) -> bool {
    let src = text.as_bytes();
    let Some(&first) = src.first() else { return false };
    if is_long_thai(src) {
        return true;
    }
    let (end, shared) = token_end(src, 0);
    if end != src.len() || src.len() > TOKEN_BYTES_MAX || matches!(src[end - 1], b'!' | b'?') {
        return false;
    }
    let starts_other = match first {
        b'.' | b'[' | b']' | b'<' | b'>' | b'%' | b'*' => first != b'*' || src.len() == 1,
        b'0'..=b'9' => {
            let digits = src.iter().take_while(|b| b.is_ascii_digit()).count();
            let numeric = is_numeric_ply(src);
            dots(&src[digits..]).0 > 0 || (digits == src.len() && !numeric)
        }
        0x80.. => wide_blank(src, 0) > 0 || dots(src).0 > 0,
        _ => false,
    };
    let word = shared & LETTER != 0 && is_word(src);
    !(starts_other
        || word
        || is_remark(src)
        || sign(text).is_some()
        || interjection(src).is_some()
        || result(src, 0).is_some())
}

/// The number that is glued to the front of a ply: `12.Nf3`.
pub(crate) fn decimal_at(token: &[u8]) -> Option<u32> {
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0 && token.get(digits) == Some(&b'.')).then(|| decimal(&token[..digits]))
}

/// True if no token continues at `pos`.
fn boundary(src: &[u8], pos: usize) -> bool {
    match src.get(pos) {
        None => true,
        Some(b'!' | b'?' | b',') => true,
        Some(&b) if b >= 0x80 => wide_blank(src, pos) > 0,
        Some(&b) => CLASS[b as usize] & TOKEN == 0 || is_newline(b),
    }
}

/// The NAG of a run of `!` and `?`, and whether the run is one of the six signs. `run` is not empty.
pub(super) fn glyph(run: &[u8]) -> (u16, bool) {
    match run {
        b"!" => (1, true),
        b"?" => (2, true),
        [b'!', b'!', rest @ ..] => (3, rest.is_empty()),
        [b'?', b'?', rest @ ..] => (4, rest.is_empty()),
        [b'!', _, rest @ ..] => (5, rest.is_empty()),
        [_, _, rest @ ..] => (6, rest.is_empty()),
        _ => (2, false),
    }
}

/// The NAG of a sign that is a token of its own, as in printed chess literature.
pub(super) fn sign(token: &str) -> Option<u16> {
    Some(match token {
        "\u{203c}" => 3,
        "\u{2047}" => 4,
        "\u{2049}" => 5,
        "\u{2048}" => 6,
        "\u{25a1}" => 7,
        "=" => 10,
        "\u{221e}" => 13,
        "+=" | "+/=" | "\u{2a72}" => 14,
        "=+" | "=/+" | "\u{2a71}" => 15,
        "+/-" | "\u{b1}" => 16,
        "-/+" | "\u{2213}" => 17,
        "+-" | "+\u{2212}" => 18,
        "-+" | "\u{2212}+" => 19,
        _ => return None,
    })
}

/// The NAG of letters that are a token of their own after a ply: a novelty, an editorial comment, a diagram.
pub(super) fn letter_sign(token: &[u8]) -> Option<u16> {
    Some(match token {
        b"RR" => 145,
        b"N" => 146,
        b"D" => 220,
        _ => return None,
    })
}

/// Bytes of a sign directly after a ply, at the end of a token: `Nf3+-`; 0 if there is none. A lone `=` is none, since
/// `e8=` lacks a letter.
pub(super) fn glued_sign(token: &[u8]) -> usize {
    const SIGNS: [&str; 19] = [
        "+/=",
        "=/+",
        "+/-",
        "-/+",
        "+=",
        "=+",
        "+-",
        "-+",
        "+\u{2212}",
        "\u{2212}+",
        "\u{b1}",
        "\u{2213}",
        "\u{221e}",
        "\u{2a72}",
        "\u{2a71}",
        "\u{203c}",
        "\u{2047}",
        "\u{2049}",
        "\u{2048}",
    ];
    let after_ply = |len: usize| {
        let before = token[..token.len() - len].last();
        before.is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b')' | b'!' | b'?')
        })
    };
    let known = SIGNS.iter().filter(|sign| token.ends_with(sign.as_bytes())).map(|sign| sign.len());
    // The same in Latin-1.
    let latin = token.ends_with(b"\xb1").then_some(1);
    known.chain(latin).find(|len| after_ply(*len)).unwrap_or(0)
}

/// `e.p.`, `ch`, `mate` and similar, alone after a move.
pub(crate) fn is_remark(token: &[u8]) -> bool {
    matches!(token, b"e.p." | b"e.p" | b"ep" | b"ep.") || token == KOREAN_ANSWER.as_bytes() || is_mark(token)
}

/// The end of the words at `pos` that programs write about a move or an end: `mate in 2`, `+600cp in 3` (a score for so
/// many moves, after which the program decides the game), `3-fold rep`.
pub(crate) fn program_words(src: &[u8], pos: usize) -> Option<usize> {
    let number = |input| digits(input);
    let sign = nom::combinator::opt(alt((char('+'), char('-'))));
    let moves = || preceded(tag(&b" in "[..]), number);
    let mate = preceded(tag(&b"mate"[..]), moves()).map(|_| ());
    let score = (sign, number, tag(&b"cp"[..]), nom::combinator::opt(moves())).map(|_| ());
    let fold = alt((tag(&b"3-fold rep"[..]), tag(&b"5-fold rep"[..])));
    let fold = (fold, alt((tag(&b"etition"[..]), tag(&b"."[..]), tag(&b""[..])))).map(|_| ());
    let input = &src[pos..];
    let found: IResult<&[u8], ()> = alt((mate, score, fold)).parse(input);
    let (rest, ()) = found.ok()?;
    let end = src.len() - rest.len();
    boundary(src, end).then_some(end)
}

/// `(=)`, `(e.p.)`, `(ep)` at the start of `input`: its length, 0 for anything else.
pub(crate) fn remark(input: &[u8]) -> usize {
    let words = alt((tag(&b"="[..]), tag(&b"e.p."[..]), tag(&b"ep"[..])));
    let found: IResult<&[u8], &[u8]> = delimited(char('('), words, char(')')).parse(input);
    found.map_or(0, |(_, word)| word.len() + 2)
}

/// True for a token that reads as a word of a sentence and not as a move: see bare words in `formats/RECORD.md`.
///
/// `token` holds only ASCII letters.
pub(crate) fn is_word(token: &[u8]) -> bool {
    let castling = token.iter().all(|b| matches!(b, b'o' | b'O'));
    let squares = token.iter().all(|b| matches!(b, b'a'..=b'h' | b'x'));
    // Some programs write so a null move.
    token.len() >= 2
        && token != b"null"
        && !castling
        && !squares
        && (token[0].is_ascii_lowercase() || token.len() >= 4)
}

/// True for `12.05.2025`, `12.5.25`, `12.05.`, `2025-05-12`, `12/05/2025`.
pub(crate) fn is_date(text: &str) -> bool {
    let trimmed = text.trim_end_matches([',', '.']);
    let mut between = trimmed.bytes().filter(|b| !b.is_ascii_digit());
    // `1/20-1` is two results run together.
    if between.next().is_some_and(|first| between.any(|other| other != first)) {
        return false;
    }
    let parts: Vec<&str> = trimmed.split(['.', '-', '/']).collect();
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| matches!(part.len(), 1 | 2 | 4));
    let numbers: Vec<u32> = parts.iter().filter_map(|part| number(part)).collect();
    let is_day =
        |first: u32, second: u32| first.min(second) <= 12 && first.max(second) <= 31 && first.min(second) > 0;
    match numbers[..] {
        _ if numbers.len() != parts.len() => false,
        [year, month, day] if year > 31 => is_day(month, day),
        [first, second, _] => is_day(first, second),
        [first, second] => text.ends_with('.') && text.contains('.') && is_day(first, second),
        _ => false,
    }
}

/// True for a token that is a date and nothing else but a comma or a dot after it.
#[cold]
pub(super) fn is_date_token(token: &[u8]) -> bool {
    token.len() <= DATE_BYTES_MAX && std::str::from_utf8(token).is_ok_and(is_date)
}

/// The place after what follows the name of a month that ends at `pos`: a day, unless it precedes the month, and
/// perhaps a year. `None` if there is no day.
pub(super) fn after_month(src: &[u8], pos: usize, day_before: bool) -> Option<usize> {
    let number = |from: usize, values: RangeInclusive<u32>| {
        let mut start = skip_white(src, from);
        while matches!(src.get(start), Some(b',' | b'.')) {
            start = skip_white(src, start + 1);
        }
        let digits = src[start..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
        let fits = start > from && digits > 0 && values.contains(&decimal(&src[start..start + digits]));
        // `Nov 2. Nf3`: a number with a dot is that of a move.
        let end = start + digits;
        let end = end + usize::from(src.get(end) == Some(&b','));
        (fits && src.get(end) != Some(&b'.') && boundary(src, end)).then_some(end)
    };
    let day = if day_before { Some(pos) } else { number(pos, 1..=31) }?;
    Some(number(day, 1800..=2199).unwrap_or(day))
}

/// The length of the time that starts at `pos` with `digits` digits: `0:13`, `1:02:03`; 0 if there is none.
#[cold]
pub(super) fn time(src: &[u8], pos: usize, digits: usize) -> usize {
    let part = |from: usize| {
        let pair = src
            .get(from..from + 3)
            .is_some_and(|part| part[0] == b':' && part[1..].iter().all(u8::is_ascii_digit));
        if pair { from + 3 } else { from }
    };
    let minutes = part(pos + digits);
    let end = part(minutes);
    if digits <= 3 && minutes > pos + digits && boundary(src, end) { end - pos } else { 0 }
}

/// Bytes of the longest date, `12.05.2025.`, and one more.
const DATE_BYTES_MAX: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_separator() {
        for date in ["12.05.2025", "12.5.25", "12.05.", "2025-05-12", "12/05/2025", "12.05.2025,"] {
            assert!(is_date(date), "{date}");
        }
        for other in ["1/20-1", "12.05/2025", "2025-05.12", "1-0", "12", ""] {
            assert!(!is_date(other), "{other}");
        }
    }

    #[test]
    fn results_in_every_form() {
        use GameResult::*;
        let cases = [
            ("1-0", WhiteWins, true),
            ("0-1", BlackWins, true),
            ("1/2-1/2", Draw, true),
            ("*", Unknown, true),
            ("1/2", Draw, false),
            ("\u{bd}-\u{bd}", Draw, false),
            ("\u{bd}", Draw, false),
            ("1\u{2013}0", WhiteWins, false),
            ("0:1", BlackWins, false),
            ("0.5-0.5", Draw, false),
            ("1 - 0", WhiteWins, false),
        ];
        for (text, result, plain) in cases {
            assert_eq!(super::result(text.as_bytes(), 0), Some((result, text.len(), plain)), "{text}");
        }
        for text in ["0-0", "0-0-0", "1-0x", "1/2-1/3", "12", "1-1", "*Qa1", "**"] {
            assert_eq!(super::result(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(super::result(b"\xbd-\xbd", 0), Some((Draw, 3, false)));
    }

    #[test]
    fn words_of_programs() {
        for words in ["mate in 2", "+600cp in 3", "-250cp", "600cp in 4", "3-fold rep", "3-fold repetition"] {
            assert_eq!(program_words(words.as_bytes(), 0), Some(words.len()), "{words}");
        }
        assert_eq!(program_words(b"e4 mate in 12 *", 3), Some(13));
        for text in ["mate", "mate in", "mate in two", "+600", "600cpx", "3-fold repx", "3-1", "e4"] {
            assert_eq!(program_words(text.as_bytes(), 0), None, "{text}");
        }
    }

    #[test]
    fn words_and_moves() {
        for word in ["end", "of", "deployment", "phase", "resigns", "White", "Pass"] {
            assert!(is_word(word.as_bytes()), "{word}");
        }
        for mv in ["ed", "exd", "OO", "ooo", "null", "Nf", "QxB", "K", "a"] {
            assert!(!is_word(mv.as_bytes()), "{mv}");
        }
    }
}
