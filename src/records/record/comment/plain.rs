//! Recognises the commands of clocks and engines without parsing them: there may be one after every ply.

use ferz_core::text::bytes::HIGH;

/// True if each `[%` of the text begins a command of the usual form with a readable value.
///
/// False proves nothing: a command of another form may be valid.
pub(super) fn all_are_plain(text: &[u8]) -> bool {
    lone_clock(text).is_some() || commands_in(text).all(is_plain)
}

/// The time of a comment that is `[%clk h:mm:ss]` and nothing else: the comment after every ply of an online game.
#[inline(always)]
fn lone_clock(text: &[u8]) -> Option<u64> {
    let rest = text.strip_prefix(b" ").unwrap_or(text);
    let (command, rest) = rest.split_first_chunk()?;
    let digits = clock_digits(command)?;
    matches!(rest, b"" | b" ").then(|| milliseconds(digits))
}

/// The end of the comment whose text begins at `pos`, after the brace, and its time in milliseconds, if the comment is
/// a clock time and nothing else. Spares a search in the comment.
#[inline(always)]
pub(in crate::record) fn clock_end(src: &[u8], pos: usize) -> Option<(usize, u64)> {
    let blank = |pos: usize| pos + usize::from(src.get(pos) == Some(&b' '));
    let start = blank(pos);
    let digits = clock_digits(src.get(start..)?.first_chunk()?)?;
    let end = blank(start + CLOCK);
    if src.get(end) == Some(&b'}') { Some((end, milliseconds(digits))) } else { None }
}

/// Length of `[%clk h:mm:ss]` in bytes.
const CLOCK: usize = 14;

/// The digits of `[%clk h:mm:ss]`, in the form of [`time_digits`].
#[inline(always)]
fn clock_digits(command: &[u8; CLOCK]) -> Option<u64> {
    let (name, time) = (command.first_chunk()?, command.last_chunk()?);
    let name = u64::from_le_bytes(*name) << 16 == u64::from_le_bytes(*b"[%clk \0\0") << 16;
    time_digits(time).filter(|_| name)
}

/// The text after each `[%`. Comments are short, and most begin with it: setting up a search by machine words would
/// take longer than this loop.
#[inline]
fn commands_in(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.iter().position(|byte| *byte == b'[')?;
            rest = &rest[at + 1..];
            if let [b'%', command @ ..] = rest {
                return Some(command);
            }
        }
    })
}

/// True if the text has a command about time, with any value.
pub(super) fn has_times(text: &[u8]) -> bool {
    let is_time = |command: &[u8]| {
        matches!(command, [b'c', b'l', b'k', ..] | [b'e', b'm' | b'g', b't', ..])
            || command.starts_with(b"mct")
    };
    lone_clock(text).is_some() || commands_in(text).any(is_time)
}

/// A clock reading with a ply, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// Time left: `[%clk 0:05:00]`.
    pub clock: Option<u64>,
    /// Time spent on the ply: `[%emt 0:00:03.5]`.
    pub elapsed: Option<u64>,
    /// Time spent on the game: `[%egt 1:02:03]`.
    pub elapsed_game: Option<u64>,
    /// Time of day: `[%mct 17:10:42]`.
    pub mechanical: Option<u64>,
    /// A time-out is called: `[%timeout]`.
    pub timeout: bool,
}

impl Times {
    /// Reads the times of a comment's commands.
    #[inline(always)]
    pub fn read(&mut self, text: &[u8]) {
        match lone_clock(text) {
            Some(time) => self.clock = Some(time),
            None => self.read_commands(text),
        }
    }

    #[inline(never)]
    fn read_commands(&mut self, text: &[u8]) {
        for command in commands_in(text) {
            let (slot, value) = match command {
                [b'c', b'l', b'k', b' ', value @ ..] => (&mut self.clock, value),
                [b'e', b'm', b't', b' ', value @ ..] => (&mut self.elapsed, value),
                [b'e', b'g', b't', b' ', value @ ..] => (&mut self.elapsed_game, value),
                [b'm', b'c', b't', b' ', value @ ..] => (&mut self.mechanical, value),
                [b't', b'i', b'm', b'e', rest @ ..] => {
                    self.timeout |= rest.starts_with(b"out]");
                    continue;
                }
                _ => continue,
            };
            *slot = plain_time(value).or_else(|| odd_time(value));
        }
    }
}

/// The digits of `h:mm:ss]` with a one-digit hour, as nearly all clocks write it: each in the byte of its position, all
/// other bytes zero.
#[inline(always)]
fn time_digits(time: &[u8; 8]) -> Option<u64> {
    // What a digit lacks to the highest bit of its byte, if it is too large by one.
    const LIMITS: u64 = u64::from_le_bytes([0x76, 0x7f, 0x7a, 0x76, 0x7f, 0x7a, 0x76, 0x7f]);
    let digits = u64::from_le_bytes(*time) ^ u64::from_le_bytes(*b"0:00:00]");
    ((digits | digits.wrapping_add(LIMITS)) & HIGH == 0).then_some(digits)
}

/// Converts the digits to milliseconds.
#[inline(always)]
fn milliseconds(digits: u64) -> u64 {
    let [h, _, m, m1, _, s, s1, _] = digits.to_le_bytes().map(u64::from);
    (h * 3600 + (m * 10 + m1) * 60 + s * 10 + s1) * 1000
}

/// `h:mm:ss]` with a one-digit hour, in milliseconds.
#[inline]
fn short_time(text: &[u8]) -> Option<u64> {
    time_digits(text.first_chunk()?).map(milliseconds)
}

/// `h:mm:ss]` or `h:mm:ss.f]`, in milliseconds.
fn plain_time(text: &[u8]) -> Option<u64> {
    short_time(text).or_else(|| long_time(text))
}

fn long_time(text: &[u8]) -> Option<u64> {
    let rest = clock_time(text).filter(|rest| rest.first() == Some(&b']'))?;
    let (mut whole, mut unit, mut thousandths, mut scale) = (0, 0, 0, None);
    for byte in &text[..text.len() - rest.len()] {
        match byte {
            b':' => (whole, unit) = ((whole + unit) * 60, 0),
            b'.' => scale = Some(100),
            digit => {
                let digit = u64::from(digit - b'0');
                match scale {
                    None => unit = unit * 10 + digit,
                    Some(worth) => (thousandths, scale) = (thousandths + digit * worth, Some(worth / 10)),
                }
            }
        }
    }
    Some((whole + unit) * 1000 + thousandths)
}

/// A time in any other accepted form.
#[cold]
fn odd_time(text: &[u8]) -> Option<u64> {
    let value = std::str::from_utf8(text.split(|byte| *byte == b']').next()?).ok()?;
    let time = nom::combinator::all_consuming(super::clock_time);
    nom::Parser::parse(&mut { time }, value.trim()).ok().map(|(_, time)| time.milliseconds())
}

fn is_plain(text: &[u8]) -> bool {
    let time = text.strip_prefix(b"clk ").or_else(|| text.strip_prefix(b"emt "));
    let rest = match time {
        Some(time) if short_time(time).is_some() => return true,
        Some(time) => clock_time(time),
        None => text.strip_prefix(b"eval ").and_then(eval),
    };
    rest.is_some_and(|rest| rest.first() == Some(&b']'))
}

/// The text after `h:mm:ss` or `h:mm:ss.f`.
fn clock_time(text: &[u8]) -> Option<&[u8]> {
    let text = sixtieths(sixtieths(digits(text, 4)?)?)?;
    match text.strip_prefix(b".") {
        Some(fraction) => digits(fraction, 9),
        None => Some(text),
    }
}

/// The text after `-0.35` or `#-4`.
fn eval(text: &[u8]) -> Option<&[u8]> {
    let (mate, text) = text.strip_prefix(b"#").map_or((false, text), |text| (true, text));
    let text = digits(text.strip_prefix(b"-").unwrap_or(text), 6)?;
    if mate { Some(text) } else { digits(text.strip_prefix(b".")?, 2) }
}

/// The text after the digits, of which there are 1 to `most`.
fn digits(text: &[u8], most: usize) -> Option<&[u8]> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=most).contains(&count).then(|| &text[count..])
}

/// The text after `:00` to `:59`.
fn sixtieths(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b':', b'0'..=b'5', b'0'..=b'9', rest @ ..] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CommandKind, commands};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_forms_are_plain() {
        for text in [
            "",
            "no command",
            "[%clk 0:05:00]",
            "[%eval 0.17] [%clk 0:00:30]",
            "[%eval #-3] [%emt 0:00:03.5]",
            "[%eval -12.5] [%clk 1:02:03] 100%",
        ] {
            assert!(all_are_plain(text.as_bytes()), "{text}");
        }
        for text in ["[%clk 0:60:00]", "[%clk abc]", "[%eval]", "[%eval 0.17", "[%clk 0:05:00", "[%csl Ra1]"]
        {
            assert!(!all_are_plain(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_lone_clock_is_distinguished_from_anything_else() {
        for text in ["[%clk 0:05:00]", " [%clk 9:59:59] ", " [%clk 0:00:07]"] {
            assert_eq!(
                clock_end(format!("{text}}} e5").as_bytes(), 0).map(|(end, _)| end),
                Some(text.len()),
                "{text}"
            );
            assert!(lone_clock(text.as_bytes()).is_some(), "{text}");
        }
        assert_eq!(lone_clock(b"[%clk 1:23:45]"), Some(5_025_000));
        for text in ["", " ", "  [%clk 0:05:00]", "[%clk 0:05:00]  ", "[%clk 0:05:00] x", "[%clk 10:05:00]"] {
            assert_eq!(clock_end(format!("{text}}} e5").as_bytes(), 0), None, "{text}");
            assert_eq!(lone_clock(text.as_bytes()), None, "{text}");
        }
        // Any other byte: read by its form, or not at all.
        let form = |at: usize, byte: u8| match at {
            6 | 9 | 12 => byte.is_ascii_digit(),
            8 | 11 => matches!(byte, b'0'..=b'5'),
            _ => false,
        };
        for at in 0..CLOCK {
            for byte in 0..=255 {
                let mut text = *b"[%clk 1:23:45]";
                let same = text[at] == byte;
                text[at] = byte;
                assert_eq!(lone_clock(&text).is_some(), same || form(at, byte), "{at} {byte}");
            }
        }
        assert_eq!(clock_end(b"[%clk 0:05:00]", 0), None);
    }

    #[test]
    fn times_are_read_in_every_form() {
        let mut times = Times::default();
        times.read(b"x [%clk 1:02:03] [%emt 0:00:03.25] [%egt 90] [%mct 17:10:42] [%eval 0.1]");
        assert_eq!(
            times,
            Times {
                clock: Some(3_723_000),
                elapsed: Some(3_250),
                elapsed_game: Some(90_000),
                mechanical: Some(61_842_000),
                timeout: false,
            }
        );
        let mut times = Times::default();
        times.read(b"[%clk soon] [%emt 5:03.1]");
        assert_eq!((times.clock, times.elapsed), (None, Some(303_100)));
    }

    proptest! {
        #[test]
        fn what_is_plain_can_be_read(text in "(\\[%(clk|emt|eval) [-#+]?[0-9:.]{1,12}\\] ?){1,3}") {
            if all_are_plain(text.as_bytes()) {
                for command in commands(&text) {
                    prop_assert!(command.kind != CommandKind::Malformed, "{}", command.raw);
                }
            }
        }

        #[test]
        fn written_times_and_evals_are_plain(
            h in 0u16..10_000, m in 0u8..60, s in 0u8..60, pawns in 0u32..99_999, part in 0u8..100,
        ) {
            let text = format!("[%clk {h}:{m:02}:{s:02}] [%eval -{pawns}.{part:02}]");
            prop_assert!(all_are_plain(text.as_bytes()), "{text}");
            prop_assert!(commands(&text).all(|command| command.kind != CommandKind::Malformed), "{text}");
        }
    }
}
