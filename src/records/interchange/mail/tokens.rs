//! The tokens of a line by their shape: what looks like a ply, and what like a word.

use crate::interchange::char_at;
use crate::record::number;
use ferz_core::notation::forms::{has_form_of_ply, is_ply, longest_word};
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

/// True for a word that the reader of records takes for a comment and nothing else.
pub(super) fn is_bare_word(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic) && number::is_word(token)
}
