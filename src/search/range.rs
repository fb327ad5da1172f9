//! Values that several terms have: numbers, days, results, endings.

use chrono::NaiveDate;
use ferz_core::judge::EndReason;
use ferz_records::record::GameResult;
use std::fmt;

/// A range of whole numbers, with both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |number: i64, open: i64| if number == open { String::new() } else { number.to_string() };
        if self.first == self.last {
            return write!(f, "{}", self.first);
        }
        write!(f, "{}..{}", end(self.first, i64::MIN), end(self.last, i64::MAX))
    }
}

impl Range {
    /// True if the number lies in it.
    pub(crate) fn has(self, number: i64) -> bool {
        self.first <= number && number <= self.last
    }

    /// The numbers for which `number sign value` holds; each value is the numbers that it means.
    pub(crate) fn of(sign: &str, value: Range) -> Range {
        match sign {
            "<" => Range { first: i64::MIN, last: value.first - 1 },
            "<=" => Range { first: i64::MIN, last: value.last },
            ">" => Range { first: value.last + 1, last: i64::MAX },
            ">=" => Range { first: value.first, last: i64::MAX },
            _ => value,
        }
    }

    /// A range in the form `A..B`, with `one` for each end; either may be missing.
    pub(crate) fn between(text: &str, one: impl Fn(&str) -> Option<Range>) -> Option<Range> {
        let Some((first, last)) = text.split_once("..") else { return one(text) };
        let first = if first.is_empty() { i64::MIN } else { one(first)?.first };
        let last = if last.is_empty() { i64::MAX } else { one(last)?.last };
        Some(Range { first, last })
    }

    /// The days of a year, a month or a day, as numbers.
    pub(crate) fn days(text: &str) -> Option<Range> {
        days(text).map(|(first, last)| Range { first, last })
    }

    /// A number.
    pub(crate) fn number(text: &str) -> Option<Range> {
        let number = text.parse::<i64>().ok().filter(|number| number.unsigned_abs() < 1 << 40)?;
        Some(Range { first: number, last: number })
    }
}

/// The days of a year, a month or a day, as the first and the last one: `1984.05` is 19840500 to 19840599. Unknown
/// parts may be `??`.
///
/// ```
/// assert_eq!(ferz_search::days("1984.05"), Some((19840500, 19840599)));
/// assert_eq!(ferz_search::days("1984-05-17"), Some((19840517, 19840517)));
/// assert_eq!(ferz_search::days("1984.02.31"), None);
/// ```
pub fn days(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    let parts = text.split(['.', '-', '/']);
    let known = parts.clone().take_while(|part| !part.contains('?'));
    let numbers = known.clone().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let day = ferz_records::record::day(text).filter(|day| {
        let (year, month, day) = ((day / 10_000) as i32, (day / 100 % 100) as u32, (day % 100) as u32);
        let in_calendar = NaiveDate::from_ymd_opt(year, month.max(1), day.max(1)).is_some();
        in_calendar && known.count() == 1 + usize::from(month > 0) + usize::from(day > 0)
    });
    let day = day.filter(|_| numbers && parts.count() <= 3)?;
    let last = match (day / 100 % 100, day % 100) {
        (0, _) => day + 9999,
        (_, 0) => day + 99,
        _ => day,
    };
    Some((day, last))
}

/// A result in any of its forms; also `draw`.
pub fn result(text: &str) -> Option<GameResult> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("draw") { Some(GameResult::Draw) } else { GameResult::parse(text) }
}

/// Endings by a name: that of one; `mate`; `draw` for those that are draws in most games. `None` for another word.
pub fn endings(text: &str) -> Option<Vec<EndReason>> {
    match text.trim() {
        "mate" => Some(vec![EndReason::Checkmate]),
        "draw" => Some(DRAWS.to_vec()),
        name => EndReason::ALL.iter().find(|reason| reason.id() == name).map(|reason| vec![*reason]),
    }
}

/// The endings that are draws in most games; stalemate is a win in some.
const DRAWS: [EndReason; 11] = [
    EndReason::Stalemate,
    EndReason::DeadPosition,
    EndReason::BareKingDraw,
    EndReason::Count,
    EndReason::FourfoldRepetition,
    EndReason::FivefoldRepetition,
    EndReason::SeventyFiveMoves,
    EndReason::NaturesMate,
    EndReason::RaceDraw,
    EndReason::DoublePass,
    EndReason::Bikjang,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_years_end() {
        for (text, first, last) in [
            ("1984", 19_840_000, 19_849_999),
            ("1984.??.??", 19_840_000, 19_849_999),
            ("1984.05", 19_840_500, 19_840_599),
            ("1984/05/17", 19_840_517, 19_840_517),
            ("2024.02.29", 20_240_229, 20_240_229),
        ] {
            assert_eq!(days(text), Some((first, last)), "{text}");
        }
    }

    #[test]
    fn only_dates_are_dates() {
        for other in [
            "",
            "84",
            "1984.13",
            "1984.05.32",
            "2023.02.29",
            "1984.5",
            "May 1984",
            "1984.05.17.1",
            "????.??.??",
            "1984.x",
        ] {
            assert_eq!(days(other), None, "{other}");
        }
    }

    #[test]
    fn ranges_have_ends() {
        let between = |text| Range::between(text, Range::number).map(|range| (range.first, range.last));
        assert_eq!(between("20..40"), Some((20, 40)));
        assert_eq!(between("20"), Some((20, 20)));
        assert_eq!((between("..40"), between("20..")), (Some((i64::MIN, 40)), Some((20, i64::MAX))));
        assert_eq!((between("a..b"), between("99999999999999")), (None, None));
        let value = Range { first: 5, last: 9 };
        let holds = |sign| [4, 5, 9, 10].map(|number| Range::of(sign, value).has(number));
        assert_eq!(holds("="), [false, true, true, false]);
        assert_eq!((holds("<"), holds("<=")), ([true, false, false, false], [true, true, true, false]));
        assert_eq!((holds(">"), holds(">=")), ([false, false, false, true], [false, true, true, true]));
    }
}
