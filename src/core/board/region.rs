//! Regions of a board in text form: `rank 1-4`, `file a h`, `a1 b2 c3`, `d1-f3`, `border`, `middle`, `all`.

use super::{Board, Mask, Square};
use crate::text::Span;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{space0, space1, u8 as number};
use nom::combinator::{opt, value};
use nom::multi::separated_list1;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

/// Why a region cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RegionError {
    /// The bytes of the region's text at fault.
    pub span: Span,
    /// The fault and what would be accepted.
    pub message: String,
}

#[derive(Debug, Clone)]
enum RegionTerm {
    All,
    Border,
    Middle,
    Nothing,
    Ranks(Vec<(u8, u8)>),
    Files(Vec<(u8, u8)>),
    /// Squares by name, and rectangles by the names of two opposite corners.
    Squares(Vec<(String, Option<String>)>),
}

/// Reads a region of `board`: parts joined by `+`, each `all`, `none`, `border`, `middle` (the middle ranks and files),
/// `rank 1-2 8`, `file a c-d`, or squares and rectangles (`d1-f3`) separated by spaces.
///
/// ```
/// use ferz_core::board::{Board, Mask, parse_region};
/// let board = Board::new(8, 8).unwrap();
/// assert_eq!(parse_region::<u64>(board, "rank 1-4").unwrap().count(), 32);
/// assert_eq!(parse_region::<u64>(board, "file a + h1").unwrap().count(), 9);
/// ```
///
/// # Errors
/// At the first byte that cannot be read, or at a name that is not on the board.
pub fn parse_region<M: Mask>(board: Board, text: &str) -> Result<M, RegionError> {
    let fail =
        |start: usize, end: usize, message: String| RegionError { span: Span::new(start, end), message };
    let (rest, parts) = region(text).map_err(|_| {
        fail(
            0,
            text.len(),
            format!("`{text}` is not a region; write `all`, `border`, `rank 1-4`, `file a h` or squares"),
        )
    })?;
    if !rest.is_empty() {
        let start = text.len() - rest.len();
        return Err(fail(start, text.len(), format!("`{}` cannot be read in a region", rest.trim())));
    }
    let mut mask = M::EMPTY;
    for part in parts {
        mask |= part_mask(board, &part).map_err(|name| {
            let start = text.find(&name).unwrap_or(0);
            let message = match part {
                RegionTerm::Ranks(_) => {
                    format!("`{name}` is not a rank of a board with {} ranks", board.ranks())
                }
                RegionTerm::Files(_) => {
                    format!("`{name}` is not a file of a board with {} files", board.files())
                }
                _ => format!("`{name}` is not on a board of {} by {} squares", board.files(), board.ranks()),
            };
            fail(start, start + name.len(), message)
        })?;
    }
    Ok(mask)
}

/// The squares of one part, or the name that is not on the board.
fn part_mask<M: Mask>(board: Board, part: &RegionTerm) -> Result<M, String> {
    let where_true = |test: &dyn Fn(Square) -> bool| M::of(board.squares().filter(|&s| test(s)));
    Ok(match part {
        RegionTerm::All => where_true(&|_| true),
        RegionTerm::Nothing => M::EMPTY,
        RegionTerm::Border => where_true(&|s| board.on_border(s)),
        RegionTerm::Middle => {
            // Of the two middle lines each mirrors the other; where their number is odd they are one.
            let middle = |line: u8, lines: u8| line.abs_diff(lines - 1 - line) <= 1;
            where_true(&|s| {
                !board.is_corner(s)
                    && (middle(board.file(s), board.files()) || middle(board.rank(s), board.ranks()))
            })
        }
        RegionTerm::Ranks(ranges) => {
            let off = |number: &u8| board.numbered_rank(*number).is_none();
            if let Some((_, last)) = ranges.iter().find(|(first, last)| off(first) || off(last)) {
                return Err(last.to_string());
            }
            let number = |s: Square| board.rank_number(board.rank(s));
            where_true(&|s| !board.is_corner(s) && ranges.iter().any(|(a, b)| (*a..=*b).contains(&number(s))))
        }
        RegionTerm::Files(ranges) => {
            if let Some((_, last)) = ranges.iter().find(|(_, last)| *last >= board.files()) {
                return Err(((b'a' + last) as char).to_string());
            }
            where_true(&|s| ranges.iter().any(|(a, b)| (*a..=*b).contains(&board.file(s))))
        }
        RegionTerm::Squares(names) => {
            let square = |name: &String| board.parse_square(name).ok_or_else(|| name.clone());
            let mut mask = M::EMPTY;
            for (name, opposite) in names {
                let one = square(name)?;
                let other = opposite.as_ref().map_or(Ok(one), square)?;
                mask |= where_true(&|s| within(board, s, [one, other]));
            }
            mask
        }
    })
}

/// True if a square is in the rectangle with these two opposite corners.
fn within(board: Board, square: Square, [one, other]: [Square; 2]) -> bool {
    let between =
        |of: &dyn Fn(Square) -> u8| (of(one).min(of(other))..=of(one).max(of(other))).contains(&of(square));
    between(&|square| board.file(square)) && between(&|square| board.rank(square))
}

fn region(text: &str) -> IResult<&str, Vec<RegionTerm>> {
    preceded(space0, terminated(separated_list1((space0, tag("+"), space0), part), space0)).parse(text)
}

fn part(text: &str) -> IResult<&str, RegionTerm> {
    let letter = take_while1(|c: char| c.is_ascii_lowercase()).map(|s: &str| s.as_bytes()[0] - b'a');
    let name = || take_while1(|c: char| c.is_ascii_alphanumeric()).map(str::to_owned);
    alt((
        value(RegionTerm::All, tag("all")),
        value(RegionTerm::Nothing, tag("none")),
        value(RegionTerm::Border, tag("border")),
        value(RegionTerm::Middle, tag("middle")),
        preceded((tag("rank"), opt(tag("s")), space1), separated_list1(space1, range(number)))
            .map(RegionTerm::Ranks),
        preceded((tag("file"), opt(tag("s")), space1), separated_list1(space1, range(letter)))
            .map(RegionTerm::Files),
        separated_list1(space1, (name(), opt(preceded(tag("-"), name())))).map(RegionTerm::Squares),
    ))
    .parse(text)
}

/// `x` or `x-y`.
fn range<'a, P>(mut item: P) -> impl FnMut(&'a str) -> IResult<&'a str, (u8, u8)>
where
    P: Parser<&'a str, Output = u8, Error = nom::error::Error<&'a str>>,
{
    move |text| {
        let (rest, first) = item.parse(text)?;
        match rest.strip_prefix('-') {
            Some(rest) => item.parse(rest).map(|(rest, last)| (rest, (first, last))),
            None => Ok((rest, (first, first))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Result<u32, String> {
        parse_region::<u64>(Board::new(8, 8).unwrap(), text).map(|m| m.count()).map_err(|e| e.to_string())
    }

    #[test]
    fn regions_of_every_form() {
        for (text, squares) in [
            ("all", 64),
            ("border", 28),
            ("middle", 28),
            ("none", 0),
            ("rank 1-2 8", 24),
            ("files a c-d", 24),
            ("a1 h8", 2),
            ("rank 2 + a1", 9),
            ("d1-f3", 9),
            ("f3-d1 a8", 10),
            ("f1-d3 + c1-c1", 10),
        ] {
            assert_eq!(count(text), Ok(squares), "{text}");
        }
        let odd = parse_region::<u128>(Board::new(9, 10).unwrap(), "middle").unwrap();
        assert_eq!(odd, parse_region(Board::new(9, 10).unwrap(), "file e + rank 5-6").unwrap());
    }

    #[test]
    fn errors_name_the_unreadable_part() {
        assert!(count("rank 9").unwrap_err().contains("`9`"));
        assert!(count("a1 i9").unwrap_err().contains("`i9`"));
        assert!(count("rank 1 ?").unwrap_err().contains("`?`"));
        assert!(count("d1-i3").unwrap_err().contains("`i3`"));
        assert!(count("").is_err());
    }
}
