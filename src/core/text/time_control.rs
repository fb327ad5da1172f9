//! How much time the players have, as the tag `TimeControl` of records and definitions of games write it.

use super::Span;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, map, map_opt, opt};
use nom::sequence::{preceded, terminated};

/// The value of the tag `TimeControl`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeControl {
    /// `?`: unknown.
    Unknown,
    /// `-`: no clocks.
    Untimed,
    /// Consecutive periods; the last one runs to the end, and repeats if it has a number of moves.
    Periods(Vec<Period>),
}

/// A period of a time control. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// Number of moves; `None` for all that follow.
    pub moves: Option<u32>,
    /// Time for the period.
    pub time: u64,
    /// Bonus for each move.
    pub bonus: Bonus,
    /// An hourglass: time that one player uses is added to the other's.
    pub hourglass: bool,
}

/// Time for each move in addition to the period's, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing.
    None,
    /// `+3`: added to the clock after each move (Fischer).
    Increment(u64),
    /// `d5`: the clock starts with a delay.
    Delay(u64),
    /// `b5`: used time is given back, up to this limit (Bronstein).
    Bronstein(u64),
}

impl Bonus {
    /// The most that one move can add to the clock.
    pub const fn raise(self) -> u64 {
        match self {
            Bonus::Increment(time) => time,
            Bonus::None | Bonus::Delay(_) | Bonus::Bronstein(_) => 0,
        }
    }

    /// The part of a move's time that is not taken from the clock, at most.
    pub const fn free(self) -> u64 {
        match self {
            Bonus::Delay(time) | Bonus::Bronstein(time) => time,
            Bonus::None | Bonus::Increment(_) => 0,
        }
    }
}

/// Why a time control cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TimeControlError {
    /// Bytes of the value.
    pub span: Span,
    /// The fault.
    pub message: String,
}

type Parsed<'t, T> = nom::IResult<&'t str, T>;

/// Seconds, with a fraction of up to three digits, in milliseconds; `d` after them makes them days.
fn time(input: &str) -> Parsed<'_, u64> {
    let digits = |input| take_while1(|c: char| c.is_ascii_digit()).parse(input);
    let fraction = opt(preceded(char('.'), digits));
    let days = opt(terminated(char('d'), nom::combinator::not(one_of("0123456789"))));
    map_opt((digits, fraction, days), |(whole, fraction, days): (&str, Option<&str>, Option<char>)| {
        let whole: u64 = whole.parse().ok().filter(|seconds| *seconds <= 4_000_000_000)?;
        let thousandths = match fraction {
            Some(digits) => digits.parse::<u64>().ok()? * 10u64.pow(3u32.checked_sub(digits.len() as u32)?),
            None => 0,
        };
        let unit = if days.is_some() { 86_400 } else { 1 };
        Some((whole * 1000 + thousandths) * unit)
    })
    .parse(input)
}

fn period(input: &str) -> Parsed<'_, Period> {
    let moves = opt(terminated(
        map_opt(take_while1(|c: char| c.is_ascii_digit()), |digits: &str| {
            digits.parse().ok().filter(|n| *n > 0)
        }),
        char('/'),
    ));
    let bonus = alt((
        map(preceded(char('+'), time), Bonus::Increment),
        map(preceded((opt(char(' ')), char('d')), time), Bonus::Delay),
        map(preceded((opt(char(' ')), char('b')), time), Bonus::Bronstein),
    ));
    map((moves, opt(char('*')), time, opt(bonus)), |(moves, star, time, bonus)| {
        let bonus = match bonus {
            None | Some(Bonus::Increment(0) | Bonus::Delay(0) | Bonus::Bronstein(0)) => Bonus::None,
            Some(bonus) => bonus,
        };
        Period { moves, time, bonus, hourglass: star.is_some() }
    })
    .parse(input)
}

impl TimeControl {
    /// Reads the value of the tag: `?`, `-`, or periods separated by colons. A period is `40/7200` (moves in seconds),
    /// `300` (all moves) or `*180` (hourglass), followed by an optional `+3` (increment), `d5` (delay) or `b5`
    /// (Bronstein). Seconds may have a fraction; `1/3d` is three days a move. Units in words are read, too: `15 min. +
    /// 10 s. per move`.
    ///
    /// ```
    /// use ferz_core::text::time_control::{Bonus, TimeControl};
    /// let TimeControl::Periods(periods) = TimeControl::parse("40/7200:3600+30")? else { return Ok(()) };
    /// assert_eq!((periods[0].moves, periods[0].time), (Some(40), 7_200_000));
    /// assert_eq!(periods[1].bonus, Bonus::Increment(30_000));
    /// # Ok::<(), ferz_core::text::time_control::TimeControlError>(())
    /// ```
    ///
    /// # Errors
    /// If a period cannot be read; the error says which and why.
    pub fn parse(value: &str) -> Result<TimeControl, TimeControlError> {
        match value {
            "?" | "" => return Ok(TimeControl::Unknown),
            "-" => return Ok(TimeControl::Untimed),
            _ => {}
        }
        if value.contains(' ')
            && let Some(standard) = in_words(value)
        {
            return TimeControl::parse(&standard);
        }
        let mut periods: Vec<Period> = Vec::new();
        let mut start = 0;
        for text in value.split(':') {
            let span = Span::new(start, start + text.len());
            start += text.len() + 1;
            let fail = |message: String| Err(TimeControlError { span, message });
            let Ok((_, period)) = all_consuming(period).parse(text) else {
                return fail(format!(
                    "`{text}` is not a period of a time control; write `40/7200`, `300+3`, `*180`, `300d5` or `1/86400`"
                ));
            };
            if periods.last().is_some_and(|before| before.moves.is_none()) {
                return fail(format!(
                    "`{text}` follows a period without a number of moves, which never ends"
                ));
            }
            if period.time == 0 && period.bonus == Bonus::None {
                return fail(format!("`{text}` has no time"));
            }
            periods.push(period);
        }
        Ok(TimeControl::Periods(periods))
    }
}

/// A time control in words, `15 min. + 10 s. per move`, in the form of the standard.
pub fn in_words(value: &str) -> Option<String> {
    let seconds = |text: &str| {
        let number = text.find(|char: char| !char.is_ascii_digit())?;
        let unit = match text[number..].trim().trim_end_matches('.') {
            "h" | "hour" | "hours" => 3600,
            "m" | "min" | "mins" | "minute" | "minutes" => 60,
            "s" | "sec" | "secs" | "second" | "seconds" => 1,
            _ => return None,
        };
        text[..number].parse::<u32>().ok()?.checked_mul(unit)
    };
    let small = value.to_ascii_lowercase();
    let Some((time, bonus)) = small.split_once('+') else { return Some(seconds(small.trim())?.to_string()) };
    let bonus = bonus.trim();
    let bonus = ["per move", "a move", "/move", "/ move"]
        .iter()
        .find_map(|end| bonus.strip_suffix(end))
        .unwrap_or(bonus);
    Some(format!("{}+{}", seconds(time.trim())?, seconds(bonus.trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn periods(value: &str) -> Vec<Period> {
        match TimeControl::parse(value) {
            Ok(TimeControl::Periods(periods)) => periods,
            other => panic!("{value}: {other:?}"),
        }
    }

    #[test]
    fn every_form_of_the_standard_and_the_common_ones_beside_it() {
        assert_eq!(TimeControl::parse("?"), Ok(TimeControl::Unknown));
        assert_eq!(TimeControl::parse("-"), Ok(TimeControl::Untimed));
        let plain = Period { moves: None, time: 300_000, bonus: Bonus::None, hourglass: false };
        for (value, first) in [
            ("300", plain),
            ("300+0", plain),
            ("40/300", Period { moves: Some(40), ..plain }),
            ("300+3", Period { bonus: Bonus::Increment(3000), ..plain }),
            ("40/300+0.6", Period { moves: Some(40), bonus: Bonus::Increment(600), ..plain }),
            ("*300", Period { hourglass: true, ..plain }),
            ("300d5", Period { bonus: Bonus::Delay(5000), ..plain }),
            ("300 d5", Period { bonus: Bonus::Delay(5000), ..plain }),
            ("300b5", Period { bonus: Bonus::Bronstein(5000), ..plain }),
            ("1/3d", Period { moves: Some(1), time: 3 * 86_400_000, ..plain }),
            ("1/259200", Period { moves: Some(1), time: 3 * 86_400_000, ..plain }),
        ] {
            assert_eq!(periods(value), [first], "{value}");
        }
        assert_eq!(periods("40/7200:20/3600:900+30").len(), 3);
    }

    #[test]
    fn errors_name_the_period() {
        for (value, span, word) in [
            ("40/7200:soon", 8..12, "`soon`"),
            ("300:40/7200", 4..11, "never ends"),
            ("0", 0..1, "no time"),
            ("5 parsecs", 0..9, "`5 parsecs`"),
            ("99999999999999999999", 0..20, "period"),
            ("0/300", 0..5, "period"),
            ("300::", 4..4, "``"),
            ("300+3.1234", 0..10, "period"),
        ] {
            let error = TimeControl::parse(value).unwrap_err();
            assert_eq!(error.span, Span::new(span.start, span.end), "{value}");
            assert!(error.message.contains(word), "{value}: {error}");
        }
    }
}
