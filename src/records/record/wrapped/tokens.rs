//! The tokens of a line by their shape: what looks like a ply, and what like a word.

use super::{char_at, is_csa_ply};
use crate::record::number;
use ferz_core::notation::courier::begins_with_thai_square;
use ferz_core::notation::marks::KOREAN_PASS;
use ferz_core::text::decode;
use std::ops::Range;

/// A token between white space, parentheses and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// `12.`, `12...`, `12`.
    Number(u32),
    /// Reads as a ply, perhaps after its number.
    Ply,
    Result,
    /// `12.05.2025`, `12.05.`, when a move was made.
    Date,
    /// An annotation, dots, a short text that may be part of a move.
    Mark,
    /// Has three letters in a row and is no ply.
    Word,
}

impl Token {
    /// The number of its move, if the token shows one: `12.`, `12.Nf3`. `text` is that of the token.
    pub fn number(self, text: &[u8]) -> Option<u32> {
        match self {
            Token::Number(number) => Some(number),
            Token::Ply => number::decimal_at(text),
            _ => None,
        }
    }
}

/// How many tokens of each kind a line has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub plies: usize,
    pub words: usize,
    pub results: usize,
    pub numbers: usize,
}

impl Tally {
    pub fn of(found: &[(Range<usize>, Token)]) -> Tally {
        let mut tally = Tally::default();
        for (_, token) in found {
            match token {
                Token::Ply => tally.plies += 1,
                Token::Word => tally.words += 1,
                Token::Result => tally.results += 1,
                Token::Number(_) => tally.numbers += 1,
                Token::Mark | Token::Date => {}
            }
        }
        tally
    }
}

/// True if a line inside a game has moves, or a result: words are no more than what a player or a program adds to them.
pub(super) fn has_moves(line: &[u8]) -> bool {
    let found = tokens_of_game(line);
    let Tally { plies, words, results, numbers } = Tally::of(&found);
    if plies + results + numbers == 0 {
        // Signs and annotations; `so it is` has no word of three letters either.
        return words == 0 && !found.iter().any(|(place, _)| is_short_word(&line[place.clone()]));
    }
    words == 0 || plies + results >= words && words <= 2
}

/// True for a word of few letters, not for a sign such as `N` or a mark such as `ch`.
fn is_short_word(token: &[u8]) -> bool {
    let lowercase = token.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let plain = token.iter().all(|byte| byte.is_ascii_alphabetic() || b"',.!?:".contains(byte));
    plain && lowercase > 0 && (token.contains(&b'\'') || token.len() > 1) && !number::is_remark(token)
}

/// True for a token that has the form of a ply in some style.
pub(in crate::record) fn has_form_of_ply(text: &str) -> bool {
    is_ply(text) || is_compact(text)
}

/// The tokens of a line outside comments, with their places.
pub(super) fn tokens(line: &[u8]) -> Vec<(Range<usize>, Token)> {
    tokens_by(line, is_ply)
}

/// The tokens of a line inside a game: a ply may have any form that a style gives it.
pub(super) fn tokens_of_game(line: &[u8]) -> Vec<(Range<usize>, Token)> {
    tokens_by(line, has_form_of_ply)
}

fn tokens_by(line: &[u8], is_ply: fn(&str) -> bool) -> Vec<(Range<usize>, Token)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let Some((char, len)) = char_at(line, at) else { break };
        if char == '{' {
            at = memchr::memchr(b'}', &line[at..]).map_or(line.len(), |end| at + end + 1);
        } else if char == ';' {
            break;
        } else if is_separator(char) {
            at += len;
        } else {
            let start = at;
            while let Some((char, len)) = char_at(line, at)
                && !is_separator(char)
                && !matches!(char, '{' | ';')
            {
                at += len;
            }
            // `1 - 0` is one result.
            if let Some((_, len, _)) = number::result(line, start) {
                at = at.max(start + len);
            }
            // A comma after a result is no part of it.
            let bare = line[start..at].strip_suffix(b",").unwrap_or(&line[start..at]);
            let end = if token(bare, is_ply) == Token::Result { start + bare.len() } else { at };
            found.push((start..end, token(&line[start..end], is_ply)));
        }
    }
    found
}

fn is_separator(char: char) -> bool {
    char.is_whitespace() || matches!(char, '(' | ')' | '\u{200b}' | '\u{feff}' | '}')
}

fn token(bytes: &[u8], is_ply: fn(&str) -> bool) -> Token {
    if number::result(bytes, 0).is_some_and(|(_, len, _)| len == bytes.len()) {
        return Token::Result;
    }
    let text = decode(bytes);
    if number::is_date(&text) {
        return Token::Date;
    }
    let text = text.trim_end_matches(['!', '?', ',', '+', '#']);
    let number = text.strip_prefix('\u{221e}').unwrap_or(text);
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let rest = number[digits..].trim_start_matches(['.', '…']);
    let has_dots = rest.len() < number.len() - digits;
    if (1..4).contains(&digits) && (rest.is_empty() || rest == ")" || rest == "-") {
        return Token::Number(number[..digits].parse().unwrap_or(0));
    }
    let ply = if digits > 0 && has_dots { rest } else { text };
    match () {
        () if is_ply(ply) => Token::Ply,
        () if longest_word(text) >= 3 => Token::Word,
        () => Token::Mark,
    }
}

/// True for a token that has the shape of a ply of any style, such as `R1+1`, `B'45`, `I0-I1`, `NfxPe6`, `Pii5` and
/// `B*4e`: letters in short runs, with a digit. Outside a game it may be anything else: `R2D2`.
fn is_compact(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let run = |wanted: fn(&u8) -> bool| {
        bytes.split(|byte| !wanted(byte)).map(<[u8]>::len).max().unwrap_or_default()
    };
    // `3rd` and `20min` are no plies; `7g7f` is one.
    let begins = match bytes {
        [digit, letter, next, ..] if digit.is_ascii_digit() => {
            letter.is_ascii_lowercase() && next.is_ascii_digit()
        }
        [first, ..] => first.is_ascii_alphabetic() || b"+=&@".contains(first),
        [] => false,
    };
    begins
        && (1..=6).contains(&digits)
        && bytes.len() <= COMPACT_BYTES_MAX
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-=x*:'@/&^#!?.,~".contains(byte))
        && run(u8::is_ascii_lowercase) <= 2
        && run(u8::is_ascii_uppercase) <= 2
}

/// Bytes of the longest text that is taken for a ply by its shape.
const COMPACT_BYTES_MAX: usize = 16;

/// True if a token is the text of a ply in some style.
fn is_ply(text: &str) -> bool {
    if is_ply_in_characters(text) || is_csa_ply(text.as_bytes()) {
        return true;
    }
    if text.len() > 24 || longest_word(text) > 4 || text.contains(['@', '/']) && text.contains("//") {
        return false;
    }
    let castles = ["O-O", "0-0", "o-o", "OO", "O–O", "0–0"].iter().any(|castling| text.starts_with(castling));
    let numeric = number::is_numeric_ply(text.trim_end_matches(['.']).as_bytes());
    let bytes = text.as_bytes();
    let square = |pair: &[u8]| {
        matches!(pair, [b'a'..=b'h', b'1'..=b'9'])
            || bytes.len() >= 4 && matches!(pair, [b'A'..=b'H', b'1'..=b'8'])
    };
    // A web address or a code has more digits than a ply.
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    // On wider boards; `win2` is a word.
    let wide = |at: usize| {
        matches!(bytes[at..], [b'i'..=b'p', b'1'..=b'9', ..])
            && at
                .checked_sub(1)
                .is_none_or(|before| !bytes[before].is_ascii_lowercase() || bytes[before] == b'x')
    };
    castles
        || numeric
        || is_by_rank(bytes)
        || digits <= 6 && (bytes.windows(2).any(square) || (0..bytes.len()).any(wide))
}

/// True for a ply of Janggi with the ranks first: `R01-91`.
fn is_by_rank(text: &[u8]) -> bool {
    let digits = |pair: [u8; 2]| pair.iter().all(u8::is_ascii_digit);
    matches!(*text, [letter, a, b, b'-' | b'x', c, d]
        if letter.is_ascii_alphabetic() && digits([a, b]) && digits([c, d]))
}

/// True for a ply in Chinese, Japanese, Korean or Thai, which looks like a word: `炮二平五`, `前车进一`; `７六歩(77)`, `▲同銀`;
/// `79卒78`, `한수쉼`; `ร-ญ๒`.
fn is_ply_in_characters(text: &str) -> bool {
    const PIECES: &str = "玉王飛角金銀桂香歩龍竜馬成と";
    let numeral = |char: char| "一二三四五六七八九".contains(char) || matches!(char, '1'..='9' | '１'..='９');
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let mut chars = text.chars();
    let Some((first, second)) = chars.next().zip(chars.next()) else { return false };
    let piece = || text.chars().any(|char| PIECES.contains(char));
    let japanese =
        first == '同' && piece() || matches!(first, '1'..='9' | '１'..='９') && numeral(second) && piece();
    let chinese = matches!(chars.next(), Some('进' | '進' | '退' | '平'))
        && chars.next().is_some_and(numeral)
        && chars.next().is_none();
    chinese || japanese || is_korean_ply(text) || is_thai_ply(text) || is_wide_ply(text)
}

/// True for a ply of Xiangqi in full-width characters: `Ｃ２＝５`.
fn is_wide_ply(text: &str) -> bool {
    let signs = |char: char| matches!(char, '＋' | '－' | '＝' | '．');
    let wide = |char: char| matches!(char, 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '１'..='９') || signs(char);
    text.chars().count() == 4 && text.chars().all(wide) && text.chars().nth(2).is_some_and(signs)
}

/// True for a ply in Thai, without the letter that style `thai-lan` has apart from it: it ends with a square, but for
/// what a pawn becomes.
fn is_thai_ply(text: &str) -> bool {
    let moved = text.split_once('=').map_or(text, |(moved, _)| moved);
    let target = moved.char_indices().rev().nth(1).map_or("", |(at, _)| &moved[at..]);
    begins_with_thai_square(target)
}

/// True for a ply of Janggi in Korean: two squares of two digits with one or two characters between them, and perhaps
/// others after them; or a pass.
fn is_korean_ply(text: &str) -> bool {
    const PIECES: &str = "將将士象馬马車车包砲卒兵楚漢장궁왕사상마차포졸병초한";
    let (digits, rest) = text.split_at_checked(2).unwrap_or_default();
    let between = rest.find(|char| !PIECES.contains(char)).unwrap_or_default();
    let to = rest[between..].bytes().take_while(u8::is_ascii_digit).count();
    let squares = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() && to == 2;
    squares && (1..=2).contains(&rest[..between].chars().count()) || text == KOREAN_PASS
}

/// Letters of the longest word in a text.
fn longest_word(text: &str) -> usize {
    text.split(|char: char| !char.is_alphabetic()).map(|word| word.chars().count()).max().unwrap_or(0)
}

/// True for a word that the reader of records takes for a comment and nothing else.
pub(super) fn is_bare_word(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic) && number::is_word(token)
}
