//! Words after a ply that say what it does.

/// A pass in Korean records of Janggi: "one move's rest".
pub const KOREAN_PASS: &str = "한수쉼";

/// The word after a check in Korean: "to the general".
pub const KOREAN_CHECK: &str = "장군";

/// The word after a ply that answers a check in Korean.
pub const KOREAN_ANSWER: &str = "멍군";

/// True for a mark of check or mate.
pub fn is_mark(token: &[u8]) -> bool {
    const MARKS: [&[u8]; 18] = [
        b"+",
        b"++",
        b"#",
        b"##",
        "\u{2020}".as_bytes(),
        "\u{2021}".as_bytes(),
        b"ch",
        b"ch.",
        b"mate",
        b"dis",
        b"dis.",
        b"dbl",
        b"dbl.",
        b"dis.ch",
        b"dis.ch.",
        b"dbl.ch",
        b"dbl.ch.",
        KOREAN_CHECK.as_bytes(),
    ];
    MARKS.contains(&token)
}
