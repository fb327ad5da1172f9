//! Text for people in which nothing hides.

use std::borrow::Cow;

/// A text whose control characters, but for line ends and tabs, are shown as symbols, so that a terminal does not obey
/// them.
///
/// ```
/// assert_eq!(ferz_core::text::without_controls("1. e4\u{1b}[2J *\n"), "1. e4\u{241b}[2J *\n");
/// ```
pub fn without_controls(text: &str) -> Cow<'_, str> {
    let is_control = |char: char| char.is_control() && !matches!(char, '\n' | '\t');
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if is_control(char) { symbol(char, &mut out) } else { out.push(char) }
    }
    Cow::Owned(out)
}

/// Writes the symbol of a control character.
fn symbol(char: char, out: &mut String) {
    match char {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + char as u32)),
        '\u{7f}' => out.push('\u{2421}'),
        char => out.push_str(&format!("‹U+{:04X}›", char as u32)),
    }
}

/// Bytes as text with every character visible: UTF-8 or, if invalid, Latin-1. Control characters and changes of the
/// writing direction are shown as symbols.
pub fn visible(bytes: &[u8]) -> String {
    let text: Cow<'_, str> = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|byte| *byte as char).collect::<String>().into(),
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(c),
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => symbol(c, &mut out),
            c => out.push(c),
        }
    }
    out
}
