//! Movements in words.

use super::super::definition::TermSection;
use super::sections::region;
use crate::pieces::betza::{self, Mover, Path, UNLIMITED};

/// Well-known movements, supersets first.
const PARTS: [(&str, &str); 18] = [
    ("Q", "any distance along a file, rank or diagonal"),
    ("R", "any distance along a file or rank"),
    ("B", "any distance along a diagonal"),
    ("fR", "any distance straight forward"),
    ("K", "one square in any direction"),
    ("N", "a knight's leap"),
    ("ffN", "a knight's leap to one of the two squares farthest forward"),
    ("W", "one square along a file or rank"),
    ("F", "one square diagonally"),
    ("D", "leaps two squares along a file or rank"),
    ("A", "leaps two squares diagonally"),
    ("fW", "one square straight forward, moving or capturing"),
    ("mW", "moves one square along a file or rank"),
    ("mfW", "moves one square straight forward"),
    ("mrW", "moves one square to its owner's right"),
    ("cF", "captures one square diagonally"),
    ("cfF", "captures one square diagonally forward"),
    ("fF", "one square diagonally forward"),
];

/// The movement in words: well-known parts by their names, and what is left by vector, way and directions.
pub(super) fn words(text: &str) -> String {
    let Ok(whole) = betza::parse(text) else { return String::new() };
    let mut left: Vec<Mover> = whole.movers().to_vec();
    let mut words: Vec<String> = Vec::new();
    for (part, meaning) in PARTS {
        let Ok(part) = betza::parse(part) else { continue };
        let inside = part.movers().iter().all(|mover| whole.movers().contains(mover));
        let adds = part.movers().iter().any(|mover| left.contains(mover));
        if inside && adds {
            left.retain(|mover| !part.movers().contains(mover));
            words.push(meaning.to_owned());
        }
    }
    while let Some(first) = left.first() {
        let manner = Manner::of(first);
        let (group, others) = left.iter().partition(|mover| Manner::of(mover) == manner);
        left = others;
        words.push(manner.words(&group));
    }
    // Parts that have commas of their own are kept apart.
    let separator = if words.iter().any(|part| part.contains(", ")) { "; or " } else { ", or " };
    words.join(separator)
}

/// All of a mover but its direction.
#[derive(PartialEq)]
struct Manner {
    /// The longer and the shorter part of the vector.
    leap: (u8, u8),
    range: u8,
    path: Path,
    moves: bool,
    captures: bool,
    initial: bool,
}

impl Manner {
    fn of(mover: &Mover) -> Manner {
        let (x, y) = (mover.dx.unsigned_abs(), mover.dy.unsigned_abs());
        let Mover { range, path, moves, captures, initial, .. } = *mover;
        Manner { leap: (x.max(y), x.min(y)), range, path, moves, captures, initial }
    }

    fn words(&self, movers: &[Mover]) -> String {
        let verb = match (self.moves, self.captures) {
            (true, false) => "moves ",
            (false, true) => "captures ",
            _ => "",
        };
        let mut text = format!("{verb}{}{}", self.distance(), self.directions(movers));
        text.push_str(match (self.path, self.range) {
            (Path::Ride, _) => "",
            (Path::Lame, _) if self.leap.1 == 0 || self.leap.0 == self.leap.1 => {
                ", which a piece on the way blocks"
            }
            (Path::Lame, _) => ", which a piece on the way blocks: it goes straight first, then diagonally",
            (Path::Jump, 1) => ", with exactly one piece on the way",
            (Path::Jump, _) => ", passing over the first square, whatever stands there",
            (Path::Cannon, _) => ", beyond exactly one piece, which it jumps",
            (Path::Grasshopper, _) => ", onto the square directly beyond the first piece, which it jumps",
        });
        if self.initial {
            text.push_str(", as long as it stands where it began");
        }
        text
    }

    fn distance(&self) -> String {
        let (long, short) = self.leap;
        if long == 1 {
            return match self.range {
                1 => "one square".to_owned(),
                UNLIMITED => "any distance".to_owned(),
                most => format!("up to {} squares", number(most)),
            };
        }
        let leap = match self.leap {
            (2, 1) => "knight's leap".to_owned(),
            (3, 1) => "camel's leap (three squares and one aside)".to_owned(),
            (3, 2) => "zebra's leap (three squares and two aside)".to_owned(),
            _ if short == 0 || short == long => format!("leap of {} squares", number(long)),
            _ => format!("leap of {} squares and {} aside", number(long), number(short)),
        };
        let leaps = leap.replacen("leap", "leaps", 1);
        match self.range {
            1 => format!("a {leap}"),
            UNLIMITED => format!("any number of {leaps} in one line"),
            most => format!("up to {} {leaps} in one line", number(most)),
        }
    }

    /// The directions, with a blank before them; nothing where an oblique leap has all eight.
    fn directions(&self, movers: &[Mover]) -> String {
        let has = |x: i8, y: i8| movers.iter().any(|m| (m.dx.signum(), m.dy.signum()) == (x, y));
        let (long, short) = self.leap;
        if short == 0 {
            let [front, back, left, right] = [(0, 1), (0, -1), (-1, 0), (1, 0)].map(|(x, y)| has(x, y));
            return match (front, back, left, right) {
                (true, true, true, true) => " along a file or rank".to_owned(),
                (true, true, false, false) => " along a file".to_owned(),
                _ => {
                    let sides = left && right;
                    let all = [
                        (front, "straight forward"),
                        (back, "straight back"),
                        (sides, "sideways"),
                        (left && !sides, "to the left"),
                        (right && !sides, "to the right"),
                    ];
                    format!(" {}", either(&all))
                }
            };
        }
        if long == short {
            let [fl, fr, bl, br] = [(-1, 1), (1, 1), (-1, -1), (1, -1)].map(|(x, y)| has(x, y));
            return match (fl, fr, bl, br) {
                (true, true, true, true) => " diagonally".to_owned(),
                (true, false, true, false) => " diagonally to the left".to_owned(),
                (false, true, false, true) => " diagonally to the right".to_owned(),
                _ => {
                    let all = [
                        (fl && fr, "forward"),
                        (fl && !fr, "forward to the left"),
                        (fr && !fl, "forward to the right"),
                        (bl && br, "back"),
                        (bl && !br, "back to the left"),
                        (br && !bl, "back to the right"),
                    ];
                    format!(" diagonally {}", either(&all))
                }
            };
        }
        if movers.len() == 8 {
            return String::new();
        }
        let squares = movers.iter().map(|mover| {
            let ahead = if mover.dy > 0 { "forward" } else { "back" };
            let aside = if mover.dx > 0 { "right" } else { "left" };
            let (rows, files) = (number(mover.dy.unsigned_abs()), number(mover.dx.unsigned_abs()));
            format!("{rows} {ahead} and {files} {aside}")
        });
        format!(", only {}", squares.collect::<Vec<_>>().join(", "))
    }
}

/// The words whose condition holds.
fn either(all: &[(bool, &str)]) -> String {
    let held: Vec<&str> = all.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
    held.join(" or ")
}

/// A small number in words.
fn number(count: u8) -> String {
    const WORDS: [&str; 10] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(usize::from(count)).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// The parts of a movement that are bound to a part of the board, each with its squares; with Nature, which of them
/// she has.
pub(super) fn bound_terms(terms: &[TermSection], with_nature: bool) -> String {
    let mut text = String::new();
    for term in terms {
        text.push_str(&format!("; {}, Betza `{}`", words(&term.betza), term.betza));
        for (word, squares) in [("from", &term.from), ("to", &term.to)] {
            if squares.trim() != "all" {
                text.push_str(&format!(", {word} {}", region(squares)));
            }
        }
        if with_nature && term.nature {
            text.push_str(", Nature's there and on the mirrored squares, too");
        }
    }
    text
}
