//! Style `figurine`: SAN with Unicode chess figures instead of letters. A kind without a figure keeps its letter.

use crate::board::{ByOwner, Mask, Owner};
use crate::rules::{KindId, KindInfo, Rules};

/// The figures, White's and Black's, and the kind of each. Records use White's figures for both players.
const FIGURES: [(char, char, Figure); 9] = [
    ('\u{2654}', '\u{265a}', Figure::Letter(b'K')),
    ('\u{2655}', '\u{265b}', Figure::Letter(b'Q')),
    ('\u{2656}', '\u{265c}', Figure::Letter(b'R')),
    ('\u{2657}', '\u{265d}', Figure::Letter(b'B')),
    ('\u{2658}', '\u{265e}', Figure::Letter(b'N')),
    ('\u{2659}', '\u{265f}', Figure::Letter(b'P')),
    ('\u{1fa4e}', '\u{1fa51}', Figure::Compound("QN")),
    ('\u{1fa4f}', '\u{1fa52}', Figure::Compound("RN")),
    ('\u{1fa50}', '\u{1fa53}', Figure::Compound("BN")),
];

/// The kind that a figure denotes in a game.
enum Figure {
    /// The kind with this letter, as in chess.
    Letter(u8),
    /// The kind that combines the movements of two pieces, if there is just one.
    Compound(&'static str),
}

impl Figure {
    fn means<M: Mask>(&self, rules: &Rules<M>, owner: Owner, kind: &KindInfo) -> bool {
        let label = kind.label[owner];
        match self {
            _ if label.plus => false,
            Figure::Letter(letter) => label.letter == *letter,
            Figure::Compound(betza) => {
                let same = |kind: &&KindInfo| kind.terms.is_empty() && moves_so(&kind.betza, betza);
                !is_lettered(label.letter) && same(&kind) && rules.kinds.iter().filter(same).count() == 1
            }
        }
    }
}

/// True for letters of chess, which have their own figures.
fn is_lettered(letter: u8) -> bool {
    FIGURES.iter().any(|(_, _, figure)| matches!(figure, Figure::Letter(known) if *known == letter))
}

fn moves_so(betza: &str, compound: &str) -> bool {
    betza == compound || betza.chars().rev().eq(compound.chars())
}

/// The letters of the figures, by owner; `None` if the game has no such kind.
pub(in crate::notation) type FigureLetters = ByOwner<[Option<u8>; FIGURES.len()]>;

/// The letters of the figures in a game.
pub(in crate::notation) fn letters<M: Mask>(rules: &Rules<M>) -> FigureLetters {
    let of = |owner| {
        FIGURES.map(|(_, _, figure)| {
            let kind = rules.kinds.iter().find(|kind| figure.means(rules, owner, kind))?;
            Some(kind.label[owner].letter)
        })
    };
    ByOwner(Owner::ALL.map(of))
}

/// The figure of a kind, if it has one.
pub(in crate::notation) fn figure<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> Option<char> {
    let kind = rules.kind(kind);
    let found = FIGURES.iter().find(|(_, _, figure)| figure.means(rules, owner, kind));
    found.map(|(white, _, _)| *white)
}

/// The token with letters in place of figures; `None` if it has no figure of a kind in the game.
pub(in crate::notation) fn lettered(letters: &FigureLetters, owner: Owner, token: &[u8]) -> Option<Vec<u8>> {
    if token.is_ascii() {
        return None;
    }
    let mut plain = String::with_capacity(token.len());
    let mut seen = false;
    for char in std::str::from_utf8(token).ok()?.chars() {
        let place = FIGURES.iter().position(|(white, black, _)| [*white, *black].contains(&char));
        match place.and_then(|place| letters[owner][place]) {
            Some(letter) => {
                plain.push(char::from(letter));
                seen = true;
            }
            // Variation selectors after a figure: text or emoji presentation.
            None if matches!(char, '\u{fe0e}' | '\u{fe0f}') => {}
            None => plain.push(char),
        }
    }
    seen.then(|| plain.into_bytes())
}
