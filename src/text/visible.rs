//! Text for people in which nothing hides.

use std::borrow::Cow;

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
            '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + c as u32)),
            '\u{7f}' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => out.push_str(&format!("‹U+{:04X}›", c as u32)),
            c => out.push(c),
        }
    }
    out
}
