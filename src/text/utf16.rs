//! UTF-16, which editors and mail programs of Windows write, converted to UTF-8 while it is read.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::io::Read;

/// The order of the bytes in a text in UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Utf16 {
    /// The low byte first: Windows.
    Little,
    /// The high byte first: networks.
    Big,
}

impl Utf16 {
    /// Number of first bytes that show it.
    pub const HEAD_BYTES: usize = 4;

    /// The order in a text that begins with these bytes; `None` if it is not UTF-16. Without a byte order mark, one
    /// byte of each two is 0 in the letters that a record begins with.
    ///
    /// ```
    /// use ferz::text::Utf16;
    /// assert_eq!(Utf16::of(b"\xff\xfe[\0"), Some(Utf16::Little));
    /// assert_eq!(Utf16::of(b"\0[\0E"), Some(Utf16::Big));
    /// assert_eq!(Utf16::of(b"[Event"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<Utf16> {
        match head {
            [0xff, 0xfe, ..] | [1..=u8::MAX, 0, 1..=u8::MAX, 0, ..] => Some(Utf16::Little),
            [0xfe, 0xff, ..] | [0, 1..=u8::MAX, 0, 1..=u8::MAX, ..] => Some(Utf16::Big),
            _ => None,
        }
    }

    /// Reads the text as UTF-8, without its byte order mark. A lone surrogate, which is no character, becomes U+FFFD.
    pub fn decoded<R: Read>(self, text: R) -> impl Read + use<R> {
        DecodeReaderBytesBuilder::new().encoding(Some(self.encoding())).build(text)
    }

    fn encoding(self) -> &'static Encoding {
        match self {
            Utf16::Little => UTF_16LE,
            Utf16::Big => UTF_16BE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Utf16;
    use std::io::Read;

    /// As UTF-16, little and big endian.
    pub(super) fn wide(text: &str) -> [Vec<u8>; 2] {
        [u16::to_le_bytes, u16::to_be_bytes].map(|bytes| text.encode_utf16().flat_map(bytes).collect())
    }

    fn read(bytes: &[u8]) -> Option<String> {
        let mut text = String::new();
        Utf16::of(bytes)?.decoded(bytes).read_to_string(&mut text).unwrap();
        Some(text)
    }

    #[test]
    fn every_character_is_read_with_and_without_a_mark() {
        let text = "[White \"Müller, Žofie, Пётр, 𝄞\"]\r\n\r\n1. ♘f3 *\n".repeat(500);
        for bytes in wide(&text).iter().chain(&wide(&format!("\u{feff}{text}"))) {
            assert_eq!(read(bytes).as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn other_texts_are_not_taken_for_utf_16() {
        for text in [b"1\0. e4".as_slice(), b"\0\0\0\0", b"[\0", b"\xef\xbb\xbf1. e4 *", b""] {
            assert_eq!(Utf16::of(text), None);
        }
        assert_eq!(read(b"1\0.\0\0\xd8 \0").as_deref(), Some("1.\u{fffd} "), "a lone surrogate");
        assert_eq!(read(b"1\0.\0e").as_deref(), Some("1.\u{fffd}"), "half a character at the end");
    }
}
