//! Movements in words, as combinations of well-known ones.

use super::super::definition::TermSection;
use super::sections::region;
use crate::pieces::betza::{self, Mover};

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

/// The movement in words; `None` if it is not a combination of well-known parts.
pub(super) fn words(text: &str) -> Option<String> {
    let whole = betza::parse(text).ok()?;
    let mut left: Vec<Mover> = whole.movers().to_vec();
    let mut words = Vec::new();
    for (part, meaning) in PARTS {
        let part = betza::parse(part).ok()?;
        let inside = part.movers().iter().all(|mover| whole.movers().contains(mover));
        let adds = part.movers().iter().any(|mover| left.contains(mover));
        if inside && adds {
            left.retain(|mover| !part.movers().contains(mover));
            words.push(meaning);
        }
    }
    (left.is_empty() && !words.is_empty()).then(|| words.join(", or "))
}

/// The parts of a movement that are bound to a part of the board, each with its squares; with Nature, which of them
/// she has.
pub(super) fn bound_terms(terms: &[TermSection], with_nature: bool) -> String {
    let mut text = String::new();
    for term in terms {
        let words = words(&term.betza).map(|words| format!("{words}, ")).unwrap_or_default();
        text.push_str(&format!("; {words}Betza `{}`", term.betza));
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
