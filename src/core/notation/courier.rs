//! Plies of several words, converted to accepted forms: Game Courier's `B c1-e3` is `Bc1-e3`, `Qh4 #` is `Qh4#`, and
//! `N f3` is `Nf3`.

use super::marks::{KOREAN_CHECK, is_mark};
use crate::text::bytes::{skip_white, token_end};
use crate::text::decode;
use std::borrow::Cow;

/// The same ply in an accepted form; `None` if the token is a single word already.
///
/// ```
/// # use ferz_core::notation::courier;
/// assert_eq!(courier::plain(b"b f8-c5").as_deref(), Some("Bf8-c5"));
/// assert_eq!(courier::plain(b"c1-e3; H*c1").as_deref(), Some("c1e3h"));
/// assert_eq!(courier::plain(b"e7-e8; Q-e8").as_deref(), Some("e7e8q"));
/// assert_eq!(courier::plain(b"k e8-g8; h8-f8; E*h8").as_deref(), Some("O-O/Eh8"));
/// assert_eq!(courier::plain(b"K e1-c1; R a1-d1").as_deref(), Some("O-O-O"));
/// assert_eq!(courier::plain(b"Qh5 ch.").as_deref(), Some("Qh5+"));
/// assert_eq!(courier::plain(b"N f3").as_deref(), Some("Nf3"));
/// assert_eq!(courier::plain(b"Bc1-e3"), None);
/// ```
pub fn plain(token: &[u8]) -> Option<String> {
    if !is_joined(token) {
        return None;
    }
    if is_torn(token) {
        let words = decode(token);
        return Some(words.split_whitespace().collect());
    }
    if let Some((ply, mark)) = marked_apart(token) {
        let ply = plain(ply).map_or_else(|| decode(ply), Cow::Owned);
        return Some(format!("{}{mark}", ply.trim_end_matches(['+', '#'])));
    }
    let text = std::str::from_utf8(token).ok()?;
    let mut parts = text.split(';').map(str::trim);
    let first = parts.next()?;
    let (letter, step) = first.split_once([' ', '\t']).unwrap_or(("", first));
    let step = step.trim();
    let (from, to) = step.split_once('-')?;
    let joined: Vec<&str> = parts.map(without_letter).collect();
    match joined[..] {
        [] => Some(format!("{}{step}", letter.to_ascii_uppercase())),
        [one] => match one.split_once(['*', '-'])? {
            // The rook next to the king.
            (rook, _) if rook.len() > 1 => Some(castling(from, rook).to_owned()),
            (piece, _) => Some(format!("{from}{to}{}", piece.to_ascii_lowercase())),
        },
        [rook, gate] => {
            let (rook, _) = rook.split_once('-')?;
            let (piece, square) = gate.split_once('*')?;
            Some(format!("{}/{}{square}", castling(from, rook), piece.to_ascii_uppercase()))
        }
        _ => None,
    }
}

/// A ply with a mark of check or mate as a word of its own: the ply, and the mark in the standard's form.
pub fn marked_apart(token: &[u8]) -> Option<(&[u8], &'static str)> {
    let mut end = token_end(token, 0).0;
    loop {
        let next = skip_white(token, end);
        let mark = &token[next..];
        if next > end && is_mark(mark) {
            let mates = mark.starts_with(b"#") || mark == b"mate" || mark == "\u{2021}".as_bytes();
            let korean = mark == KOREAN_CHECK.as_bytes();
            return Some((
                &token[..end],
                if korean {
                    KOREAN_CHECK
                } else if mates {
                    "#"
                } else {
                    "+"
                },
            ));
        }
        end = Some(token_end(token, next).0).filter(|after| *after > end)?;
    }
}

/// True for a capital letter and a word that may be the rest of its ply: `N f3`, `R axd1+`.
pub fn is_torn(token: &[u8]) -> bool {
    let Some((letter, rest)) = token.split_first() else { return false };
    let rest = &rest[skip_white(rest, 0)..];
    let apart = rest.len() + 1 < token.len() && letter.is_ascii_uppercase();
    let plain = rest.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#'));
    let square = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_digit();
    apart && plain && rest.first().is_some_and(u8::is_ascii_lowercase) && rest.windows(2).any(square)
}

/// True for a token of several words that no style of notation writes; `thai-lan` writes two.
pub fn is_joined(token: &[u8]) -> bool {
    token_end(token, 0).0 < token.len() && !is_long_thai(token)
}

/// True for a piece and its squares in Thai, with a blank between: `ร ญ๑-ญ๒`.
pub fn is_long_thai(token: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(token) else { return false };
    let Some((piece, squares)) = text.split_once(char::is_whitespace) else { return false };
    let squares = squares.trim_start();
    is_thai_piece(piece) && begins_with_thai_square(squares) && !squares.contains(char::is_whitespace)
}

/// True for a letter of a piece in Thai, perhaps with a sign above it, or a capital: `ร`, `ม็`, `Q`.
fn is_thai_piece(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|char| matches!(char, 'ก'..='ฮ' | 'A'..='Z'))
        && matches!(chars.as_str(), "" | "็")
}

/// True for a text that begins with a file and a rank in Thai: `ญ๑`.
pub fn begins_with_thai_square(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|char| matches!(char, 'ก'..='ฮ'))
        && chars.next().is_some_and(|char| matches!(char, '๑'..='๙'))
}

/// `R h1-f1` without the rook's letter, which its square implies.
fn without_letter(part: &str) -> &str {
    part.rsplit_once([' ', '\t']).map_or(part, |(_, squares)| squares)
}

fn castling(king: &str, rook: &str) -> &'static str {
    if rook > king { "O-O" } else { "O-O-O" }
}
