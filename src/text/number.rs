//! Numbers as text.

/// Appends a number in decimal, without the machinery of formatting: a position has dozens, most of one digit.
#[inline]
pub(crate) fn write_number(number: u32, out: &mut String) {
    if number >= 10 {
        write_tens(number / 10, out);
    }
    out.push((b'0' + (number % 10) as u8) as char);
}

/// What stands before the last digit, out of the way of numbers that have but one.
#[inline(never)]
fn write_tens(number: u32, out: &mut String) {
    write_number(number, out);
}
