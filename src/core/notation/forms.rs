//! What has the form of a ply in some style, without a position: what readers of running text go by.

use super::courier::begins_with_thai_square;
use super::marks::KOREAN_PASS;

/// True for a token that has the form of a ply in some style.
pub fn has_form_of_ply(text: &str) -> bool {
    is_ply(text) || is_compact(text)
}

/// True for a ply in numeric notation (four or five digits from 1 to 8), for the null move of engines, `0000`, and for
/// castling typed as `00` and `000`.
pub fn is_numeric_ply(token: &[u8]) -> bool {
    matches!(token, b"0000" | b"000" | b"00")
        || matches!(token.len(), 4 | 5) && token.iter().all(|b| matches!(b, b'1'..=b'8'))
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
pub fn is_ply(text: &str) -> bool {
    if is_ply_in_characters(text) || is_csa_ply(text.as_bytes()) {
        return true;
    }
    if text.len() > 24 || longest_word(text) > 4 || text.contains(['@', '/']) && text.contains("//") {
        return false;
    }
    let castles = ["O-O", "0-0", "o-o", "OO", "O–O", "0–0"].iter().any(|castling| text.starts_with(castling));
    let numeric = is_numeric_ply(text.trim_end_matches(['.']).as_bytes());
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

/// True for a ply in the format of the Computer Shogi Association: `7776FU`, `-3334FU`.
pub fn is_csa_ply(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    text.len() == 6
        && text[..4].iter().all(u8::is_ascii_digit)
        && text[4..].iter().all(u8::is_ascii_uppercase)
}

/// Letters of the longest word in a text.
pub fn longest_word(text: &str) -> usize {
    text.split(|char: char| !char.is_alphabetic()).map(|word| word.chars().count()).max().unwrap_or(0)
}
