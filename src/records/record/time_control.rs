//! The tag `TimeControl`: how much time the players had.

use super::GameResult;
use super::endings::ending;
use super::number::program_words;
use ferz_core::text::Span;
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
    /// use ferz_records::record::time_control::{Bonus, TimeControl};
    /// let TimeControl::Periods(periods) = TimeControl::parse("40/7200:3600+30")? else { return Ok(()) };
    /// assert_eq!((periods[0].moves, periods[0].time), (Some(40), 7_200_000));
    /// assert_eq!(periods[1].bonus, Bonus::Increment(30_000));
    /// # Ok::<(), ferz_records::record::time_control::TimeControlError>(())
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
pub(super) fn in_words(value: &str) -> Option<String> {
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

/// How a game ended, as in the tag `Termination`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// Any end by the rules of play, by agreement or by resignation.
    Normal,
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// A draw by repetition, automatic or claimed.
    Repetition,
    /// A draw after many moves without pawn move or capture.
    MoveCounter(u16),
    /// A draw by insufficient material.
    Material,
    /// A player resigned, or both agreed on a draw.
    ByPlayers,
    /// A player lost on time.
    TimeForfeit,
    /// The game was abandoned, decided by an arbiter, or ended by a mishap.
    BrokenOff,
    /// The game was not finished.
    Unterminated,
}

/// The values that the standard gives.
const TERMINATIONS: [(&str, Termination); 8] = [
    ("normal", Termination::Normal),
    ("time forfeit", Termination::TimeForfeit),
    ("abandoned", Termination::BrokenOff),
    ("adjudication", Termination::BrokenOff),
    ("death", Termination::BrokenOff),
    ("emergency", Termination::BrokenOff),
    ("rules infraction", Termination::BrokenOff),
    ("unterminated", Termination::Unterminated),
];

impl Termination {
    /// Reads the values of the standard, in any case, and the sentences of chess.com and others.
    ///
    /// ```
    /// use ferz_records::record::time_control::Termination;
    /// assert_eq!(Termination::parse("Time forfeit"), Some(Termination::TimeForfeit));
    /// assert_eq!(Termination::parse("ann won by checkmate"), Some(Termination::Checkmate));
    /// assert_eq!(Termination::parse("the roof fell in"), None);
    /// ```
    pub fn parse(value: &str) -> Option<Termination> {
        let in_words = || match ending(value, &["", ""])?.termination {
            "normal" => Some(Termination::ByPlayers),
            termination => Termination::of_the_standard(termination),
        };
        Termination::of_the_standard(value)
            .or_else(|| Termination::sentence(&value.to_ascii_lowercase()))
            .or_else(|| Termination::of_a_program(value))
            .or_else(in_words)
    }

    /// Reads the values of the standard, in any case. They imply no result.
    pub(crate) fn of_the_standard(value: &str) -> Option<Termination> {
        let named = TERMINATIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
        named.map(|(_, found)| *found)
    }

    /// `ann won by resignation`, `game drawn by stalemate`, `black forfeits on time`.
    fn sentence(value: &str) -> Option<Termination> {
        if let Some((_, _, how)) = of_a_colour(value) {
            return match how {
                "resigns" | "resigned" => Some(Termination::ByPlayers),
                "" => Some(Termination::Normal),
                _ => Termination::manner(how),
            };
        }
        let manner = value.split_once(" won ").or_else(|| value.split_once("drawn ")).map(|(_, how)| how);
        match manner.or_else(|| value.strip_prefix("draw ")) {
            Some(how) => Termination::manner(how),
            None => counts_moves(value).map(Termination::MoveCounter),
        }
    }

    /// What programs write that referee games of engines: a repetition, or a decision by the engines' scores.
    fn of_a_program(value: &str) -> Option<Termination> {
        match program_words(value.as_bytes(), 0)? {
            end if end < value.len() => None,
            _ if value.starts_with(['3', '5']) => Some(Termination::Repetition),
            _ => Some(Termination::BrokenOff),
        }
    }

    /// The text after the verb.
    fn manner(how: &str) -> Option<Termination> {
        Some(match how {
            "by checkmate" => Termination::Checkmate,
            "by stalemate" => Termination::Stalemate,
            "by resignation" | "by agreement" => Termination::ByPlayers,
            "on time" | "by timeout vs insufficient material" => Termination::TimeForfeit,
            "by repetition" | "by threefold repetition" | "by fivefold repetition" => Termination::Repetition,
            "by insufficient material" => Termination::Material,
            "- game abandoned" | "by abandonment" => Termination::BrokenOff,
            "by three check" | "by king of the hill" => Termination::Normal,
            _ => Termination::MoveCounter(counts_moves(how)?),
        })
    }

    /// The result that a sentence implies for a game between White and Black of these names: chess.com names the
    /// winner, others a colour.
    ///
    /// ```
    /// use ferz_records::record::{GameResult, time_control::Termination};
    /// let result = Termination::stated_result("Ann won on time", &["Bob", "Ann"]);
    /// assert_eq!(result, Some(GameResult::BlackWins));
    /// let result = Termination::stated_result("White resigns", &["Bob", "Ann"]);
    /// assert_eq!(result, Some(GameResult::BlackWins));
    /// ```
    pub fn stated_result(value: &str, names: &[impl AsRef<str>; 2]) -> Option<GameResult> {
        let small = value.to_ascii_lowercase();
        if small.contains("drawn ") || small.starts_with("draw by ") {
            return Some(GameResult::Draw);
        }
        let winner = value.split_once(" won ").map_or("", |(who, _)| who.trim());
        match names.each_ref().map(|name| name.as_ref().trim().eq_ignore_ascii_case(winner)) {
            [true, false] if !winner.is_empty() => Some(GameResult::WhiteWins),
            [false, true] if !winner.is_empty() => Some(GameResult::BlackWins),
            _ => match of_a_colour(&small) {
                Some((whites, wins, _)) if whites == wins => Some(GameResult::WhiteWins),
                Some(_) => Some(GameResult::BlackWins),
                None => {
                    let names = names.each_ref().map(AsRef::as_ref);
                    ending(value, &names)
                        .map(|ending| ending.result)
                        .filter(|result| *result != GameResult::Unknown)
                }
            },
        }
    }
}

/// The half-moves counted by the fifty- or seventy-five-move rule, by its name in lower case: `by 50-move rule`, `the
/// fifty-move rule`, `seventy-five moves`.
fn counts_moves(how: &str) -> Option<u16> {
    let name = how.strip_prefix("by ").unwrap_or(how);
    let name = name.strip_prefix("the ").unwrap_or(name);
    let name = name.strip_suffix(" rule").unwrap_or(name);
    let numbers = [("50", 100), ("fifty", 100), ("75", 150), ("seventy-five", 150)];
    let (moves, plies) = numbers.iter().find_map(|(word, plies)| Some((name.strip_prefix(word)?, *plies)))?;
    matches!(moves, "-move" | " move" | "-moves" | " moves").then_some(plies)
}

/// A lower-case sentence that says that a colour won or lost: whether it is White, whether it won, and how. For
/// resignation the verb is the manner.
fn of_a_colour(value: &str) -> Option<(bool, bool, &str)> {
    let (who, what) = value.trim().split_once(' ')?;
    let whites = match who {
        "white" => true,
        "black" => false,
        _ => return None,
    };
    let (verb, how) = what.split_once(' ').unwrap_or((what, ""));
    match verb {
        "wins" | "won" => Some((whites, true, how)),
        "loses" | "lost" | "forfeits" | "forfeited" => Some((whites, false, how)),
        "resigns" | "resigned" if how.is_empty() => Some((whites, false, verb)),
        _ => None,
    }
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
    fn sentences_about_a_colour() {
        use GameResult::{BlackWins, WhiteWins};
        for (sentence, how, result) in [
            ("White wins on time", Termination::TimeForfeit, WhiteWins),
            ("Black wins by checkmate", Termination::Checkmate, BlackWins),
            ("Black resigns", Termination::ByPlayers, WhiteWins),
            ("WHITE RESIGNED", Termination::ByPlayers, BlackWins),
            ("White forfeits on time", Termination::TimeForfeit, BlackWins),
            ("Black lost on time", Termination::TimeForfeit, WhiteWins),
            ("White won", Termination::Normal, WhiteWins),
        ] {
            assert_eq!(Termination::parse(sentence), Some(how), "{sentence}");
            assert_eq!(Termination::stated_result(sentence, &["Ann", ""]), Some(result), "{sentence}");
        }
        // A player may have such a name.
        assert_eq!(Termination::stated_result("White won on time", &["Ann", "White"]), Some(BlackWins));
        for sentence in ["White checkmated", "Black resigns himself to it", "White", "Black wins a pawn"] {
            assert_eq!(Termination::parse(sentence), None, "{sentence}");
        }
        assert_eq!(Termination::stated_result("White checkmated", &["", ""]), None);
    }

    #[test]
    fn names_of_the_rules_that_draw() {
        for (value, plies) in [
            ("Game drawn by 50-move rule", 100),
            ("draw by fifty-move rule", 100),
            ("50 move rule", 100),
            ("Fifty moves", 100),
            ("by the 50-move rule", 100),
            ("Game drawn by 75-move rule", 150),
            ("draw by the seventy-five move rule", 150),
            ("75 moves", 150),
        ] {
            assert_eq!(Termination::parse(value), Some(Termination::MoveCounter(plies)), "{value}");
        }
        for value in
            ["draw by repetition", "Game drawn by threefold repetition", "draw by fivefold repetition"]
        {
            assert_eq!(Termination::parse(value), Some(Termination::Repetition), "{value}");
        }
        assert_eq!(Termination::stated_result("Draw by repetition", &["", ""]), Some(GameResult::Draw));
        for value in ["in fifty moves", "fifty moves later", "500 moves", "by 60-move rule"] {
            assert_eq!(Termination::parse(value), None, "{value}");
        }
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
