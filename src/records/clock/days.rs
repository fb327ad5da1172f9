//! Full days, and the calendar years in which leave is counted.

use super::DAY;

/// The days that are charged for the days of one move: each one beyond `double_after` counts twice.
pub(super) fn charged_days(days: u64, double_after: Option<u32>) -> u64 {
    let once = double_after.map_or(days, u64::from);
    days.saturating_add(days.saturating_sub(once))
}

/// The least number of days for which more than `left` days are charged.
pub(super) fn first_day_beyond(left: u64, double_after: Option<u32>) -> u64 {
    match double_after.map(u64::from) {
        Some(once) if left >= once => once + (left - once) / 2 + 1,
        _ => left + 1,
    }
}

/// The start of the calendar year (UTC) after that of an instant; both in milliseconds since 1970.
pub(super) fn next_year(at: u64) -> u64 {
    let days = at / DAY;
    // Years of 365.2425 days find the year or the one before it.
    let guess = 1970 + days * 400 / 146_097;
    let start = (guess..).map(first_day).find(|start| *start > days);
    start.map_or(u64::MAX, |start| start.saturating_mul(DAY))
}

/// Days from 1970 to the first one of a year.
fn first_day(year: u64) -> u64 {
    let leap_days = |year: u64| year / 4 - year / 100 + year / 400;
    (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ICCF: 23 days are charged as 26.
    #[test]
    fn days_beyond_twenty_count_twice() {
        for (days, charged) in [(0, 0), (19, 19), (20, 20), (21, 22), (23, 26), (40, 60)] {
            assert_eq!(charged_days(days, Some(20)), charged, "{days}");
            assert_eq!(charged_days(days, None), days);
        }
        for double_after in [None, Some(0), Some(20)] {
            for left in 0..70 {
                let day = first_day_beyond(left, double_after);
                assert!(charged_days(day, double_after) > left, "{left} {double_after:?}");
                assert!(charged_days(day - 1, double_after) <= left, "{left} {double_after:?}");
            }
        }
    }

    #[test]
    fn years_begin_in_january() {
        // 1 January 1971, 2000 and 2001; 2000 is a leap year.
        for (at, next) in
            [(0, 365), (364, 365), (365, 730), (10_956, 10_957), (10_957, 11_323), (11_322, 11_323)]
        {
            assert_eq!(next_year(at * DAY + 5), next * DAY, "{at}");
        }
    }
}
