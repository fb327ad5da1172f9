//! Numbers as text.

/// Appends a number in decimal without the formatting machinery: a position has dozens of them, most of one digit.
#[inline]
pub(crate) fn write_number(number: u32, out: &mut String) {
    if number >= 10 {
        write_tens(number / 10, out);
    }
    out.push((b'0' + (number % 10) as u8) as char);
}

/// Appends the digits before the last one. Cold: most numbers have one digit.
#[inline(never)]
fn write_tens(number: u32, out: &mut String) {
    write_number(number, out);
}
