//! Dates as numbers, as far as they are known.

/// A date, or its known beginning, as a number: `1984.05.??` and `1984.05` are 19840500. `None` if the year is unknown.
///
/// ```
/// use ferz_records::record::day;
/// assert_eq!((day("1984.05.17"), day("1984.??.17"), day("?")), (Some(19_840_517), Some(19_840_000), None));
/// ```
pub fn day(date: &str) -> Option<i64> {
    let mut parts = date.split(['.', '-', '/']);
    let mut number = |digits: usize, most: i64| {
        let part = parts.next()?;
        let fits = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|number| fits && *number <= most)
    };
    let year: i64 = number(4, 9999)?;
    let month = number(2, 12).unwrap_or(0);
    let day = if month > 0 { number(2, 31).unwrap_or(0) } else { 0 };
    Some(year * 10_000 + month * 100 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_numbers_as_far_as_they_are_known() {
        for (date, number) in [
            ("1984.05.17", Some(19_840_517)),
            ("1984.05.??", Some(19_840_500)),
            ("1984.??.17", Some(19_840_000)),
            ("1984-05-17", Some(19_840_517)),
            ("1984", Some(19_840_000)),
            ("????.??.??", None),
            ("", None),
            ("84.05.17", None),
            ("1984.13.01", Some(19_840_000)),
        ] {
            assert_eq!(day(date), number, "{date}");
        }
    }
}
