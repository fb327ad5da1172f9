//! Texts that are not UTF-8, converted to it while they are read: UTF-16 of Windows, and the older encodings in which
//! programs of East Asia save their records.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251};
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::io::Read;

/// How the characters of a text are written as bytes, where that is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-16 with the low byte first: Windows.
    Utf16Little,
    /// UTF-16 with the high byte first: networks.
    Utf16Big,
    /// Shift_JIS: Japanese.
    ShiftJis,
    /// EUC-JP: Japanese, of Unix.
    EucJp,
    /// EUC-KR: Korean.
    EucKr,
    /// GB18030, and so GBK and GB 2312: Chinese in simplified characters.
    Gb18030,
    /// Big5: Chinese in traditional characters.
    Big5,
    /// Windows-1251: Cyrillic.
    Windows1251,
}

/// What shows an encoding in a text.
struct Marks {
    encoding: Encoding,
    /// Words of records, in the language.
    words: &'static [&'static str],
    /// How a line of a file begins that has this encoding unless it is UTF-8.
    lines: &'static [&'static str],
}

/// Words of records of shogi.
const JAPANESE: &[&str] = &[
    "手合割",
    "先手",
    "後手",
    "下手",
    "上手",
    "手数",
    "開始日時",
    "棋戦",
    "投了",
    "▲７",
    "▲２",
    "▲５",
    "△３",
    "△８",
];

/// The encodings that marks show. Words count more than lines.
const MARKS: [Marks; 5] = [
    Marks {
        encoding: Encoding::ShiftJis,
        words: JAPANESE,
        lines: &["#KIF version", "'CSA encoding=SHIFT_JIS", "V2", "N+", "N-"],
    },
    Marks {
        encoding: Encoding::EucJp,
        words: JAPANESE,
        lines: &["#KIF version", "'CSA encoding=EUC-JP", "V2", "N+", "N-"],
    },
    Marks {
        encoding: Encoding::EucKr,
        words: &["대회명", "대국", "초차림", "한차림", "초포진", "한포진", "총수", "한수쉼", "장군"],
        lines: &[],
    },
    Marks {
        encoding: Encoding::Big5,
        words: &[
            "紅方",
            "紅勝",
            "黑勝",
            "棋譜",
            "對局",
            "砲二平五",
            "炮二平五",
            "馬二進三",
            "傌二進三",
            "兵七進一",
            "兵三進一",
            "相三進五",
            "相七進五",
        ],
        lines: &[],
    },
    Marks {
        encoding: Encoding::Gb18030,
        words: &[
            "红方",
            "红胜",
            "黑胜",
            "棋谱",
            "对局",
            "炮二平五",
            "炮八平五",
            "马二进三",
            "马八进七",
            "兵七进一",
            "兵三进一",
            "相三进五",
            "相七进五",
        ],
        lines: &["[DhtmlXQ", "[Game \"Chinese Chess\""],
    },
];

impl Encoding {
    /// Number of first bytes that show it.
    pub const HEAD_BYTES: usize = 8 << 10;

    /// The encoding of a text that begins with these bytes; `None` if it is UTF-8, or nothing shows what else it is.
    ///
    /// UTF-16 has its byte order mark or, in the letters that a record begins with, a 0 in one byte of each two. The
    /// others are recognised by words of records alone: nothing is guessed from the frequency of bytes, since names
    /// in Latin-1 would be taken for Chinese.
    ///
    /// ```
    /// use ferz_core::text::Encoding;
    /// assert_eq!(Encoding::of(b"\xff\xfe[\0"), Some(Encoding::Utf16Little));
    /// assert_eq!(Encoding::of(b"\x90\xe6\x8e\xe8\x81F"), Some(Encoding::ShiftJis));
    /// assert_eq!(Encoding::of("先手：".as_bytes()), None);
    /// assert_eq!(Encoding::of(b"[White \"M\xfcller\"]"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<Encoding> {
        match head {
            [0xff, 0xfe, ..] | [1..=u8::MAX, 0, 1..=u8::MAX, 0, ..] => return Some(Encoding::Utf16Little),
            [0xfe, 0xff, ..] | [0, 1..=u8::MAX, 0, 1..=u8::MAX, ..] => return Some(Encoding::Utf16Big),
            _ => {}
        }
        let head = &head[..head.len().min(Encoding::HEAD_BYTES)];
        let is_utf_8 = match std::str::from_utf8(head) {
            Ok(_) => true,
            // The last character may be cut.
            Err(error) => error.error_len().is_none(),
        };
        if is_utf_8 {
            return None;
        }
        let has = |mark: &[u8]| memchr::memmem::find(head, mark).is_some();
        let shown = MARKS.iter().filter(|marks| marks.encoding.decodes(head));
        let by_words = shown.clone().find(|marks| {
            let encoding = marks.encoding.charset();
            marks.words.iter().any(|word| has(&encoding.encode(word).0))
        });
        let begins =
            |mark: &str| head.split(|&byte| byte == b'\n').any(|line| line.starts_with(mark.as_bytes()));
        let mut by_lines = shown.clone().filter(|marks| marks.lines.iter().any(|mark| begins(mark)));
        // Every kanji of EUC-JP reads as narrow katakana in Shift_JIS.
        let narrow = |marks: &&Marks| {
            let text = marks.encoding.charset().decode(head).0;
            let wide = text.chars().filter(|char| !char.is_ascii()).count();
            text.chars().filter(|char| matches!(char, '\u{ff61}'..='\u{ff9f}')).count() * 2 > wide
        };
        let by_lines = || by_lines.find(|marks| marks.encoding != Encoding::ShiftJis || !narrow(marks));
        let marked = by_words.or_else(by_lines).map(|marks| marks.encoding);
        marked.or_else(|| is_cyrillic(head).then_some(Encoding::Windows1251))
    }

    /// Its name for programs that convert texts, such as `iconv`.
    pub fn name(self) -> &'static str {
        self.charset().name()
    }

    /// Reads the text as UTF-8, without a byte order mark. What is no character becomes U+FFFD.
    pub fn decoded<R: Read>(self, text: R) -> impl Read + use<R> {
        DecodeReaderBytesBuilder::new().encoding(Some(self.charset())).build(text)
    }

    /// True if a text that begins with these bytes has only characters of this encoding; the last one may be cut.
    fn decodes(self, head: &[u8]) -> bool {
        let mut decoder = self.charset().new_decoder_without_bom_handling();
        let mut text = String::with_capacity(3 * head.len());
        let (result, _) = decoder.decode_to_string_without_replacement(head, &mut text, false);
        result == encoding_rs::DecoderResult::InputEmpty
    }

    fn charset(self) -> &'static encoding_rs::Encoding {
        match self {
            Encoding::Utf16Little => UTF_16LE,
            Encoding::Utf16Big => UTF_16BE,
            Encoding::ShiftJis => SHIFT_JIS,
            Encoding::EucJp => EUC_JP,
            Encoding::Windows1251 => WINDOWS_1251,
            Encoding::EucKr => EUC_KR,
            Encoding::Gb18030 => GB18030,
            Encoding::Big5 => BIG5,
        }
    }
}

/// True if all bytes beyond ASCII are letters of Windows-1251, in words without other letters, or its signs, and most
/// of the words are capitalized or in small letters throughout. Accents of Latin-1 stand among letters of ASCII.
fn is_cyrillic(head: &[u8]) -> bool {
    let is_letter = |byte: u8| matches!(byte, 0xc0..=0xff | 0xa8 | 0xb8);
    let is_sign = |byte: u8| matches!(byte, 0x80..=0xbf);
    let (mut words, mut whole, mut letters) = (0usize, 0usize, 0usize);
    let is_of_word = |byte: &u8| byte.is_ascii_alphabetic() || is_letter(*byte);
    for word in head.split(|byte| !is_of_word(byte)).filter(|word| word.iter().any(|byte| is_letter(*byte))) {
        words += 1;
        letters += word.len();
        let small = |byte: &u8| matches!(byte, 0xe0..=0xff | 0xb8);
        let is_whole = word.iter().all(|byte| is_letter(*byte));
        let cased = word[1..].iter().all(small) || !word.iter().any(small);
        whole += usize::from(is_whole && cased);
    }
    // A record has numbers and blanks, and nothing that no text has.
    let plain = head.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    let is_text = head.iter().all(|byte| !byte.is_ascii_control() || byte.is_ascii_whitespace());
    if !is_text || 4 * plain < letters {
        return false;
    }
    let signs = head.iter().filter(|byte| is_sign(**byte) && !is_letter(**byte)).count();
    letters >= CYRILLIC_LETTERS_MIN && whole == words && 2 * words < letters && 4 * signs < letters
}

/// Letters that show Windows-1251.
const CYRILLIC_LETTERS_MIN: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    /// A text as its programs would save it.
    fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
        match encoding {
            Encoding::Utf16Little => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Big => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => {
                let (bytes, _, lossy) = encoding.charset().encode(text);
                assert!(!lossy, "{text} is in {encoding:?}");
                bytes.into_owned()
            }
        }
    }

    fn read(bytes: &[u8]) -> Option<String> {
        let mut text = String::new();
        Encoding::of(bytes)?.decoded(bytes).read_to_string(&mut text).unwrap();
        Some(text)
    }

    #[test]
    fn utf_16_is_read_with_and_without_a_mark() {
        let text = "[White \"Müller, Žofie, Пётр, 𝄞\"]\r\n\r\n1. ♘f3 *\n".repeat(500);
        for encoding in [Encoding::Utf16Little, Encoding::Utf16Big] {
            for text in [&text, &format!("\u{feff}{text}")] {
                let bytes = encoded(text, encoding);
                assert_eq!(read(&bytes).as_deref(), Some(text.trim_start_matches('\u{feff}')));
            }
        }
        assert_eq!(read(b"1\0.\0\0\xd8 \0").as_deref(), Some("1.\u{fffd} "), "a lone surrogate");
        assert_eq!(read(b"1\0.\0e").as_deref(), Some("1.\u{fffd}"), "half a character at the end");
    }

    #[test]
    fn records_of_east_asia_are_recognised_by_their_words() {
        for (encoding, text) in [
            (Encoding::ShiftJis, "先手：山田\n後手：鈴木\n手数----指手--\n   1 ７六歩(77)\n"),
            (Encoding::ShiftJis, "▲７六歩 △３四歩 ▲２六歩\n"),
            (Encoding::ShiftJis, "V2.2\nN+山田\nN-鈴木\nPI\n+\n+7776FU\n"),
            (Encoding::ShiftJis, "#KIF version=2.0 encoding=Shift_JIS\r\n*山\r\n"),
            (Encoding::EucKr, "[초대국자 \"김\"]\n[초차림 \"마상상마\"]\n1. 41졸42\n"),
            (Encoding::Gb18030, "[Red \"王\"]\n\n1. 炮二平五 马８进７ *\n"),
            (Encoding::Gb18030, "[Game \"Chinese Chess\"]\n[Red \"王\"]\n\n1. C2=5 *\n"),
            (Encoding::Gb18030, "[DhtmlXQ]\n[DhtmlXQ_red]王[/DhtmlXQ_red]\n"),
            (Encoding::Big5, "[Red \"王\"]\n\n1. 炮二平五 馬８進７ *\n"),
            (Encoding::Big5, "[DhtmlXQ]\n[DhtmlXQ_result]紅勝[/DhtmlXQ_result]\n"),
        ] {
            let bytes = encoded(text, encoding);
            assert_eq!(Encoding::of(&bytes), Some(encoding), "{text}");
            assert_eq!(read(&bytes).as_deref(), Some(text));
            assert_eq!(Encoding::of(text.as_bytes()), None, "{text} in UTF-8");
        }
    }

    #[test]
    fn the_last_character_of_the_head_may_be_cut() {
        let start = "先手：山田\n*";
        for after in [start.to_owned(), format!("{start} ")] {
            let text = after + &"手".repeat(Encoding::HEAD_BYTES);
            assert_eq!(Encoding::of(&encoded(&text, Encoding::ShiftJis)), Some(Encoding::ShiftJis));
            assert_eq!(Encoding::of(text.as_bytes()), None);
        }
    }

    #[test]
    fn cyrillic_of_windows_is_read() {
        for text in [
            "[White \"Щербаков, Юрий\"]\n\n1. e4 {Хороший ход чёрных} *",
            "[Event \"Чемпионат СССР\"]\n[White \"Ботвинник М.\"]\n\n1. e4 e5 1-0",
        ] {
            assert_eq!(read(&encoded(text, Encoding::Windows1251)).as_deref(), Some(text));
        }
        // A program or a table is no text.
        assert_eq!(Encoding::of(&[0xd0; 400]), None);
    }

    #[test]
    fn japanese_of_unix_is_read() {
        let csa = "V2.2\nN+山田太郎\nN-佐藤\nPI\n+\n+7776FU\n'よい手\n-3334FU\n%TORYO\n";
        assert_eq!(read(&encoded(csa, Encoding::EucJp)).as_deref(), Some(csa));
        assert_eq!(read(&encoded(csa, Encoding::ShiftJis)).as_deref(), Some(csa));
        let kif = "手合割：平手\n先手：山田\n手数----指手---------消費時間--\n   1 ７六歩(77)\n";
        assert_eq!(read(&encoded(kif, Encoding::EucJp)).as_deref(), Some(kif));
    }

    #[test]
    fn other_texts_are_left_as_they_are() {
        for text in [b"1\0. e4".as_slice(), b"\0\0\0\0", b"[\0", b"\xef\xbb\xbf1. e4 *", b""] {
            assert_eq!(Encoding::of(text), None);
        }
        for (charset, text) in [
            (
                encoding_rs::WINDOWS_1252,
                "[White \"Müller, Jörg\"]\n[Black \"García, Íñigo\"]\n\n1. e4 {«Très bien»} *",
            ),
            // Too few letters show nothing.
            (encoding_rs::WINDOWS_1251, "[White \"Юрий\"]\n\n1. e4 *"),
            (encoding_rs::WINDOWS_1250, "[White \"Žižka, Šimon\"]\n\n1. e4 {příliš žluťoučký kůň} *"),
            (SHIFT_JIS, "[White \"山田\"]\n\n1. e4 e5 *"),
        ] {
            assert_eq!(Encoding::of(&charset.encode(text).0), None, "{text}");
        }
    }
}
