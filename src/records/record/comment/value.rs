//! The values of commands and their parsers.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, map, map_opt, opt};
use nom::multi::separated_list1;
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};
use std::fmt;

/// A clock time that keeps the digits of its fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime {
    /// Whole seconds.
    pub seconds: u32,
    /// The fraction as a decimal number with `digits` digits: 0.5 s is 5 with 1 digit.
    pub fraction: u32,
    /// Digits of the fraction, 0 to 9.
    pub digits: u8,
}

impl ClockTime {
    /// The time in milliseconds, cut.
    ///
    /// ```
    /// use ferz_records::record::comment::{CommandKind, commands};
    /// let command = commands("[%clk 0:01:02.5]").next().ok_or("none")?;
    /// let CommandKind::Clock(time) = command.kind else { return Err("no clock") };
    /// assert_eq!(time.milliseconds(), 62_500);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn milliseconds(self) -> u64 {
        let fraction = u64::from(self.fraction) * 1000 / 10u64.pow(u32::from(self.digits));
        u64::from(self.seconds) * 1000 + fraction
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.seconds;
        write!(f, "{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)?;
        if self.digits > 0 {
            write!(f, ".{:0width$}", self.fraction, width = usize::from(self.digits))?;
        }
        Ok(())
    }
}

/// An engine's evaluation of a position, from White's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eval {
    /// The advantage.
    pub score: Score,
    /// Depth of the search in plies.
    pub depth: Option<u32>,
}

/// White's advantage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn, written in pawns (`0.35`).
    Pawns(i32),
    /// Hundredths of a pawn, written as such (`35`).
    Centipawns(i32),
    /// Mate in this many moves; negative if Black mates.
    Mate(i32),
}

/// A square in a drawing command: on a board of up to 26 files and 99 ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square {
    /// The file from 0.
    pub file: u8,
    /// The rank from 1.
    pub rank: u8,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank)
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Score::Pawns(n) => {
                let sign = if n < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", n.unsigned_abs() / 100, n.unsigned_abs() % 100)?;
            }
            Score::Centipawns(n) => write!(f, "{n}")?,
            Score::Mate(n) => write!(f, "#{n}")?,
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

fn digits(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| c.is_ascii_digit()).parse(input)
}

fn number(input: &str) -> IResult<&str, u32> {
    map_opt(digits, |d: &str| d.parse().ok()).parse(input)
}

/// `h:mm:ss`, `mm:ss` or `ss`, each with a fraction of up to nine digits.
pub(super) fn clock_time(input: &str) -> IResult<&str, ClockTime> {
    let fraction = opt(preceded(char('.'), take_while_m_n(1, 9, |c: char| c.is_ascii_digit())));
    let whole = separated_list1(char(':'), number);
    map_opt((whole, fraction), |(units, fraction): (Vec<u32>, Option<&str>)| {
        let lower_fit = units.iter().skip(1).all(|&n| n < 60);
        let seconds = units.iter().try_fold(0u32, |sum, &n| sum.checked_mul(60)?.checked_add(n))?;
        let text = fraction.unwrap_or_default();
        let fraction = if text.is_empty() { 0 } else { text.parse().ok()? };
        (lower_fit && units.len() <= 3).then_some(ClockTime { seconds, fraction, digits: text.len() as u8 })
    })
    .parse(input)
}

pub(super) fn eval(input: &str) -> IResult<&str, Eval> {
    let depth = opt(preceded((char(','), blanks), number));
    map((alt((mate, pawns, centipawns)), depth), |(score, depth)| Eval { score, depth }).parse(input)
}

fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(|c: char| c.is_ascii_whitespace()).parse(input)
}

fn minus(input: &str) -> IResult<&str, bool> {
    map(opt(one_of("+-")), |sign| sign == Some('-')).parse(input)
}

fn signed(negative: bool, value: u32) -> Option<i32> {
    let value = i32::try_from(value).ok()?;
    Some(if negative { -value } else { value })
}

fn mate(input: &str) -> IResult<&str, Score> {
    // Some programs write the sign first, as before other scores: `-#26`.
    let before = pair(minus, preceded(tag("#"), number));
    let parts = alt((preceded(tag("#"), pair(minus, number)), before));
    map_opt(parts, |(negative, n)| signed(negative, n).map(Score::Mate)).parse(input)
}

fn pawns(input: &str) -> IResult<&str, Score> {
    let parts = (minus, number, char('.'), take_while_m_n(1, 2, |c: char| c.is_ascii_digit()));
    map_opt(parts, |(negative, whole, _, part): (bool, u32, char, &str)| {
        let part = part.parse::<u32>().ok()? * if part.len() == 1 { 10 } else { 1 };
        signed(negative, whole.checked_mul(100)?.checked_add(part)?).map(Score::Pawns)
    })
    .parse(input)
}

fn centipawns(input: &str) -> IResult<&str, Score> {
    map_opt(pair(minus, number), |(negative, n)| signed(negative, n).map(Score::Centipawns)).parse(input)
}

pub(super) fn square(input: &str) -> IResult<&str, Square> {
    let file = one_of("abcdefghijklmnopqrstuvwxyz");
    let rank = map_opt(take_while_m_n(1, 2, |c: char| c.is_ascii_digit()), |d: &str| {
        d.parse().ok().filter(|&rank: &u8| rank > 0)
    });
    map(pair(file, rank), |(file, rank)| Square { file: file as u8 - b'a', rank }).parse(input)
}

/// A list of marks separated by commas; an empty one clears the board.
pub(super) fn marks<'t, T>(
    value: &'t str,
    mark: impl Parser<&'t str, Output = T, Error = nom::error::Error<&'t str>>,
) -> Option<Vec<T>> {
    if value.is_empty() {
        return Some(Vec::new());
    }
    all_consuming(separated_list1((blanks, char(','), blanks), mark)).parse(value).ok().map(|(_, list)| list)
}
