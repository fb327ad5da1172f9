//! Chooses the drawing of a kind by how it moves, in any game.

mod impromptu;
pub(super) mod letters;
mod standard;

use super::options::PieceSet;
use ferz_core::pieces::betza::{self, Mover};
use ferz_core::rules::KindInfo;
use std::sync::LazyLock;

/// A part of a drawing on a square of 100 by 100, with its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stroke {
    /// A face in the owner's colour, with an outline.
    Body(&'static str),
    /// A line in the colour of details.
    Line(&'static str),
    /// A face in the colour of details.
    Dot(&'static str),
}

/// The drawing of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look {
    /// The figure.
    pub(super) figure: Figure,
    /// Additional movements, at most two.
    pub(super) badges: Vec<Badge>,
}

/// The large part of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    /// A drawing of the set.
    Drawn(&'static [Stroke]),
    /// A disc with the kind's letter, for movements that the set does not have.
    Disc(u8),
}

/// A small sign next to a figure: a movement in addition to the figure's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Badge {
    /// The letter of an atom in Betza notation.
    Letter(u8),
    /// The letter of the piece that was promoted.
    Promoted(u8),
    /// The squares reached, as steps to the right and forward.
    Squares(Vec<(i8, i8)>),
}

impl Badge {
    /// The text of the badge in the legend.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Badge::Letter(b'W') => "also one square straight",
            Badge::Letter(b'F') => "also one square diagonally",
            Badge::Letter(b'K') => "also one square any way",
            Badge::Letter(b'N') => "also a knight",
            Badge::Letter(b'D') => "also leaps two squares straight",
            Badge::Letter(b'A') => "also leaps two squares diagonally",
            Badge::Letter(b'H') => "also leaps three squares straight",
            Badge::Letter(b'G') => "also leaps three squares diagonally",
            Badge::Letter(b'L') => "also leaps 3 by 1",
            Badge::Letter(b'J') => "also leaps 3 by 2",
            Badge::Promoted(_) => "promoted; captured, it is the piece of the letter again",
            Badge::Letter(_) | Badge::Squares(_) => "also leaps as shown (from its owner's side)",
        }
    }
}

/// Movements with a drawing, supersets first.
const FIGURES: [(&str, &[Stroke]); 28] = [
    ("mQ2cWcFcDcAcNs(7,0)", standard::HIGH_PRIESTESS),
    ("mNcWcFcDcAcNs(7,0)", standard::TELEPATH),
    ("mB2cWcFcDcAs(7,0)", standard::MAGICIAN),
    ("QN", standard::AMAZON),
    ("RN", standard::MARSHAL),
    ("BN", standard::CARDINAL),
    ("RfbNF", standard::ROOK_FIBNIF),
    ("Q", standard::QUEEN),
    ("RB2", standard::ROOK),
    ("R", standard::ROOK),
    ("B", standard::BISHOP),
    ("N", standard::KNIGHT),
    ("ffN", standard::ARROWHEADS),
    ("fR", standard::LANCE),
    ("WfF", standard::GOLD),
    ("fbNF", standard::FIBNIF),
    ("K", standard::MAN),
    ("FfW", standard::KHON),
    ("F", standard::FERZ),
    ("W", standard::WAZIR),
    ("A", standard::ALFIL),
    ("nN", standard::KNIGHT),
    ("nA", standard::ALFIL),
    ("nZ", standard::ALFIL),
    ("mRcpR", standard::CANNON),
    ("pRpB2", standard::CANNON),
    ("fsWfF", standard::PAWN),
    ("fsW", standard::PAWN),
];

/// The movements of [`FIGURES`].
static FIGURES_MOVERS: LazyLock<Vec<Vec<Mover>>> =
    LazyLock::new(|| FIGURES.iter().map(|(way, _)| movers(way)).collect());

/// Movements that look different in the impromptu set.
const IMPROMPTU: [(&str, &[Stroke]); 3] =
    [("QN", impromptu::AMAZON), ("RN", impromptu::MARSHAL), ("BN", impromptu::CARDINAL)];

/// Atoms that have a letter badge, supersets first.
const ATOMS: [u8; 10] = *b"NKWFDAHLJG";

/// The drawing of a kind.
pub(super) fn look(kind: &KindInfo, set: PieceSet) -> Look {
    let plain = |parts| Look { figure: Figure::Drawn(parts), badges: Vec::new() };
    if kind.royal {
        return plain(standard::KING);
    }
    if kind.anti_royal {
        return plain(standard::ANTI_KING);
    }
    if kind.pawn {
        return plain(standard::PAWN);
    }
    if kind.plus {
        let base = KindInfo { plus: false, ..kind.clone() };
        let Look { figure, mut badges } = look(&base, set);
        badges.truncate(1);
        badges.push(Badge::Promoted(kind.letter));
        return Look { figure, badges };
    }
    // Where a piece may go is not part of how it looks: terms count without their squares.
    let terms = kind.terms.iter().filter_map(|term| term.split(' ').next());
    let mut movers: Vec<Mover> = [kind.betza.as_str()].into_iter().chain(terms).flat_map(movers).collect();
    movers.sort_unstable();
    movers.dedup();
    let ways = FIGURES.iter().zip(FIGURES_MOVERS.iter());
    ways.filter_map(|((way, parts), base)| Some((way, parts, without(&movers, base)?)))
        .find_map(|(way, parts, rest)| {
            let badges = badges(rest)?;
            let home_made = IMPROMPTU.iter().find(|(made, _)| set == PieceSet::Impromptu && made == way);
            let parts = home_made.map_or(*parts, |(_, parts)| *parts);
            Some(Look { figure: Figure::Drawn(parts), badges })
        })
        .unwrap_or(Look { figure: Figure::Disc(kind.letter), badges: Vec::new() })
}

fn movers(text: &str) -> Vec<Mover> {
    betza::parse(text).map(|betza| betza.movers().to_vec()).unwrap_or_default()
}

/// The movers that remain without a part; `None` if the part is not contained.
fn without(whole: &[Mover], part: &[Mover]) -> Option<Vec<Mover>> {
    let inside = part.iter().all(|mover| whole.contains(mover));
    inside.then(|| whole.iter().copied().filter(|mover| !part.contains(mover)).collect())
}

/// The badges for additional movers; `None` if there are too many, or too few to tell the movement.
fn badges(mut rest: Vec<Mover>) -> Option<Vec<Badge>> {
    let mut badges = Vec::new();
    for letter in ATOMS {
        if let Some(left) = without(&rest, &movers(&char::from(letter).to_string())) {
            badges.push(Badge::Letter(letter));
            rest = left;
        }
    }
    let leap = |mover: &Mover| Mover { range: 1, min: 1, path: betza::Path::Ride, ..*mover } == *mover;
    let whole = |mover: &Mover| mover.moves && mover.captures && !mover.initial;
    let near = |mover: &Mover| mover.dx.abs() <= 2 && mover.dy.abs() <= 2;
    if !rest.iter().all(|mover| leap(mover) && whole(mover) && near(mover)) {
        return None;
    }
    if !rest.is_empty() {
        badges.push(Badge::Squares(rest.iter().map(|mover| (mover.dx, mover.dy)).collect()));
    }
    (badges.len() <= 2).then_some(badges)
}

#[cfg(test)]
mod tests;
