//! Numbers as text.

/// Appends a number in decimal, without the machinery of formatting: a position has dozens.
pub(crate) fn write_number(number: u32, out: &mut String) {
    if number >= 10 {
        write_number(number / 10, out);
    }
    out.push((b'0' + (number % 10) as u8) as char);
}
