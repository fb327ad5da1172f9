//! The grammar: a text is a row of terms; a term has modifiers, an atom and a range.

use super::BetzaError;
use super::mover::UNLIMITED;
use crate::text::limits::BETZA_CHARS_MAX;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, satisfy};
use nom::combinator::{all_consuming, cut, map, opt, recognize};
use nom::error::ParseError;
use nom::multi::many1;
use nom::sequence::{delimited, separated_pair};
use nom::{IResult, Parser};

/// The farthest leap of an atom written by its vector, in squares: across the largest board.
const LEAP_MAX: i8 = crate::text::limits::FILES_MAX as i8 - 1;

/// The atoms with a letter, each with its leap, shorter side first.
pub(super) const LETTERS: [(char, i8, i8); 11] = [
    ('W', 0, 1),
    ('F', 1, 1),
    ('D', 0, 2),
    ('N', 1, 2),
    ('A', 2, 2),
    ('H', 0, 3),
    ('L', 1, 3),
    ('C', 1, 3),
    ('J', 2, 3),
    ('Z', 2, 3),
    ('G', 3, 3),
];

/// One term of a movement, as written.
#[derive(Debug)]
pub(super) struct Term<'a> {
    /// The lower-case letters before the atom.
    pub modifiers: &'a str,
    /// Byte of the text where the term starts.
    pub start: usize,
    /// Byte of the text after the term.
    pub end: usize,
    /// The leaps of the atom: one, or two for `K` and `Q`; shorter side first.
    pub leaps: Vec<(i8, i8)>,
    /// Greatest number of steps.
    pub range: u8,
}

/// Where the grammar stopped, and why if known.
#[derive(Debug)]
struct Stop<'a> {
    rest: &'a str,
    message: Option<(usize, String)>,
}

impl<'a> ParseError<&'a str> for Stop<'a> {
    fn from_error_kind(rest: &'a str, _: nom::error::ErrorKind) -> Self {
        Stop { rest, message: None }
    }

    fn append(_: &'a str, _: nom::error::ErrorKind, other: Self) -> Self {
        other
    }
}

type Step<'a, T> = IResult<&'a str, T, Stop<'a>>;

/// Fails without alternative: `length` bytes at `rest` are wrong for the given reason.
fn refuse<'a, T>(rest: &'a str, length: usize, message: impl Into<String>) -> Step<'a, T> {
    Err(nom::Err::Failure(Stop { rest, message: Some((length, message.into())) }))
}

/// Parses the whole text as terms, at least one.
pub(super) fn terms(text: &str) -> Result<Vec<Term<'_>>, BetzaError> {
    if text.is_empty() {
        return Err(BetzaError::new(0, 0, "no movement; write at least one atom, such as `K` or `fbN`"));
    }
    let characters = text.chars().count();
    if characters > BETZA_CHARS_MAX {
        let message = format!("a movement of {characters} characters; the limit is {BETZA_CHARS_MAX}");
        return Err(BetzaError::new(0, text.len(), message));
    }
    let read = all_consuming(many1(|rest| term(text.len(), rest))).parse(text);
    match read {
        Ok((_, terms)) => Ok(terms),
        Err(nom::Err::Error(stop) | nom::Err::Failure(stop)) => Err(error(text, &stop)),
        Err(nom::Err::Incomplete(_)) => {
            Err(BetzaError::new(text.len(), text.len(), "the movement is incomplete; write an atom"))
        }
    }
}

fn error(text: &str, stop: &Stop<'_>) -> BetzaError {
    let start = text.len() - stop.rest.len();
    match &stop.message {
        Some((length, message)) => BetzaError::new(start, start + length, message.clone()),
        None => BetzaError::new(start, text.len(), "expected an atom here"),
    }
}

/// One term; `total` is the length of the whole text, for computing places.
fn term(total: usize, rest: &str) -> Step<'_, Term<'_>> {
    if rest.is_empty() {
        return Err(nom::Err::Error(Stop { rest, message: None }));
    }
    let start = total - rest.len();
    let (at_atom, modifiers) = take_while(|c: char| c.is_ascii_lowercase()).parse(rest)?;
    if at_atom.is_empty() {
        let message =
            format!("the modifiers `{modifiers}` have no atom after them; add one, such as `{modifiers}W`");
        return refuse(rest, modifiers.len(), message);
    }
    let (at_range, leaps) = atom(at_atom)?;
    let written = &at_atom[..at_atom.len() - at_range.len()];
    let (after, range) = range(written, at_range)?;
    Ok((after, Term { modifiers, start, end: total - after.len(), leaps, range }))
}

fn atom(rest: &str) -> Step<'_, Vec<(i8, i8)>> {
    if rest.starts_with('(') {
        return vector(rest);
    }
    match satisfy(|c| c.is_ascii_uppercase()).parse(rest) {
        Ok((after, letter)) => match leaps(letter) {
            Some(leaps) => Ok((after, leaps)),
            None => refuse(rest, 1, unknown_atom(letter)),
        },
        Err(nom::Err::Error(Stop { .. })) => {
            refuse(rest, rest.chars().next().map_or(0, char::len_utf8), strange(rest))
        }
        Err(other) => Err(other),
    }
}

fn leaps(letter: char) -> Option<Vec<(i8, i8)>> {
    match letter {
        'K' | 'Q' => Some(vec![(0, 1), (1, 1)]),
        'R' => Some(vec![(0, 1)]),
        'B' => Some(vec![(1, 1)]),
        _ => LETTERS.iter().find(|entry| entry.0 == letter).map(|&(_, a, b)| vec![(a, b)]),
    }
}

fn unknown_atom(letter: char) -> String {
    let hint = match letter {
        'I' => "; the (3,0) leap is `H`",
        'E' | 'M' | 'P' | 'S' | 'T' => "; write the moves of the piece instead of its name",
        _ => "",
    };
    format!("`{letter}` is not an atom; use W F D N A H L C J Z G K R B Q or leaps such as `(1,4)`{hint}")
}

fn strange(rest: &str) -> String {
    match rest.chars().next() {
        Some(c @ '0'..='9') => format!("the number `{c}` must directly follow an atom, as in `W{c}`"),
        Some('[' | ']') => "moves in several legs, `[…]`, are not supported".to_owned(),
        Some(c) if c.is_whitespace() => {
            "a space inside a movement; write its terms without spaces".to_owned()
        }
        Some(c) => {
            format!("`{c}` cannot be read; modifiers are lower-case letters, atoms are capitals or `(1,4)`")
        }
        None => "expected an atom".to_owned(),
    }
}

/// `(a,b)`: a leap by its vector.
fn vector(rest: &str) -> Step<'_, Vec<(i8, i8)>> {
    let number = || take_while1::<_, _, Stop<'_>>(|c: char| c.is_ascii_digit());
    let pair = delimited(char('('), separated_pair(number(), char(','), number()), char(')'));
    let (after, (first, second)) = match cut(pair).parse(rest) {
        Ok(read) => read,
        Err(_) => {
            let length = rest.find(')').map_or(rest.len(), |i| i + 1);
            return refuse(rest, length, "expected two numbers in parentheses, as in `(1,4)`");
        }
    };
    let length = rest.len() - after.len();
    let side = |digits: &str| digits.parse::<i8>().ok().filter(|&n| n <= LEAP_MAX);
    match (side(first), side(second)) {
        (Some(0), Some(0)) => {
            refuse(rest, length, "a leap of (0,0) does not move; a null move is not supported")
        }
        (Some(a), Some(b)) => Ok((after, vec![(a.min(b), a.max(b))])),
        _ => refuse(rest, length, format!("a leap of more than {LEAP_MAX} squares leaves every board")),
    }
}

/// The range after the atom written as `atom`: the same letter, a number, or nothing.
fn range<'a>(atom: &'a str, rest: &'a str) -> Step<'a, u8> {
    let rides = matches!(atom, "R" | "B" | "Q");
    let doubled = map(recognize(tag(atom)), |_| None);
    let number = map(take_while1(|c: char| c.is_ascii_digit()), Some);
    let (after, suffix) = opt(alt((doubled, number))).parse(rest)?;
    let length = rest.len() - after.len();
    match suffix {
        None => Ok((after, if rides { UNLIMITED } else { 1 })),
        Some(None) if rides => {
            refuse(rest, length, format!("`{atom}` has unlimited range already; write it once"))
        }
        Some(None) if atom.starts_with('(') => {
            refuse(rest, length, format!("the same leap twice; write `{atom}0` for unlimited range"))
        }
        Some(None) if after.starts_with(|c: char| c.is_ascii_digit()) => refuse(
            after,
            1,
            format!("`{atom}{atom}` has unlimited range already; for a limited range write `{atom}` once"),
        ),
        Some(None) => Ok((after, UNLIMITED)),
        Some(Some("0")) => Ok((after, UNLIMITED)),
        Some(Some(digits)) => match digits.parse::<u8>() {
            Ok(steps) if steps < UNLIMITED && !digits.starts_with('0') => Ok((after, steps)),
            _ => refuse(
                rest,
                length,
                format!("`{digits}` is not a range; write 1 to 254 steps, or 0 for unlimited"),
            ),
        },
    }
}
