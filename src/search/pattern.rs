//! Patterns of boards: a FEN's board field with wildcards.

use super::men::{Men, Turned};
use ferz_core::board::{Mask, Owner, Square as BoardSquare};
use ferz_core::position::Position;
use ferz_core::rules::{KindSet, Piece, Rules};

/// The ranks of a pattern, the last one of the board first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Vec<Cell>>);

/// What a part of a rank may be.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cell {
    /// `*`: any number of squares, whatever is on them.
    Many,
    /// A number: that many empty squares.
    Empty(u8),
    /// `?`
    Whatever,
    /// `!`
    Occupied,
    /// `[…]`
    OneOf(Men),
    /// `[^…]`
    NoneOf(Men),
}

/// A pattern for a game.
#[derive(Debug, Clone)]
pub(crate) struct BoardPattern<M> {
    /// Those that say something.
    ranks: Vec<Rank>,
    /// Men of one owner, and the squares of which they have to be on one: few positions have them all.
    needed: Vec<(Owner, KindSet, M)>,
}

/// A rank of a pattern.
#[derive(Debug, Clone)]
struct Rank {
    parts: Vec<Square>,
    /// The squares of the board that it is about.
    squares: Vec<BoardSquare>,
}

/// What a square may be.
#[derive(Debug, Clone, Copy)]
enum Square {
    Many,
    Empty,
    Whatever,
    Occupied,
    OneOf([KindSet; 3]),
    /// Also an empty square.
    NoneOf([KindSet; 3]),
}

impl Pattern {
    /// Reads a pattern; `None` if it is none.
    pub(crate) fn read(text: &str) -> Option<Pattern> {
        let ranks: Option<Vec<_>> = text.split('/').map(rank).collect();
        ranks.map(Pattern)
    }

    /// The pattern in a game; `None` if its board has another number of ranks, or no man of a name.
    pub(crate) fn in_game<M: Mask>(&self, rules: &Rules<M>, turned: Turned) -> Option<BoardPattern<M>> {
        // The squares outside come after the last rank, as in a FEN, or are left open.
        let (ranks, outside) = self.0.split_at_checked(usize::from(rules.board().ranks()))?;
        if outside.len() > usize::from(rules.board().has_corners()) {
            return None;
        }
        let square = |cell: &Cell| -> Option<Vec<Square>> {
            Some(match cell {
                Cell::Many => vec![Square::Many],
                Cell::Empty(count) => vec![Square::Empty; usize::from(*count)],
                Cell::Whatever => vec![Square::Whatever],
                Cell::Occupied => vec![Square::Occupied],
                Cell::OneOf(men) => vec![Square::OneOf(men.kinds(rules, turned.exchanged)?)],
                Cell::NoneOf(men) => vec![Square::NoneOf(men.kinds(rules, turned.exchanged)?)],
            })
        };
        let rank = |cells: &Vec<Cell>| -> Option<Vec<Square>> {
            let squares: Option<Vec<Vec<Square>>> = cells.iter().map(square).collect();
            squares.map(|squares| squares.concat())
        };
        let board = rules.board();
        let squares: Vec<BoardSquare> = board.squares().map(|square| turned.square(board, square)).collect();
        let squares = squares.chunks(usize::from(board.files()));
        let ranks = ranks.iter().rev().chain(outside).zip(squares);
        let ranks: Option<Vec<Rank>> = ranks
            .map(|(cells, squares)| Some(Rank { parts: rank(cells)?, squares: squares.to_vec() }))
            .collect();
        let mut ranks = ranks?;
        ranks.retain(|rank| !matches!(rank.parts[..], [Square::Many]));
        let needed = ranks.iter().flat_map(Rank::needed).collect();
        Some(BoardPattern { ranks, needed })
    }
}

/// A rank of a pattern.
fn rank(text: &str) -> Option<Vec<Cell>> {
    let (mut cells, mut left) = (Vec::new(), text);
    while let Some(first) = left.chars().next() {
        let digits = left.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(left.len());
        let (cell, length) = match first {
            '*' => (Cell::Many, 1),
            '?' => (Cell::Whatever, 1),
            '!' => (Cell::Occupied, 1),
            '_' => (Cell::Empty(1), 1),
            '1'..='9' => (Cell::Empty(left[..digits].parse().ok()?), digits),
            '[' => {
                let end = left.find(']')? + 1;
                let (men, is_none) = match left.strip_prefix("[^") {
                    Some(rest) => (format!("[{}", &rest[..end - 2]), true),
                    None => (left[..end].to_owned(), false),
                };
                let (men, _) = Men::with_squares(&men).filter(|(_, squares)| squares.is_none())?;
                (if is_none { Cell::NoneOf(men) } else { Cell::OneOf(men) }, end)
            }
            _ => {
                let men = Men::at_front(left)?;
                let length = left.len() - men.1.len();
                (Cell::OneOf(men.0), length)
            }
        };
        // Several `*` are one, and cost no more.
        if cell != Cell::Many || cells.last() != Some(&Cell::Many) {
            cells.push(cell);
        }
        left = &left[length..];
    }
    (!cells.is_empty()).then_some(cells)
}

impl Rank {
    /// What must be on its squares for it to fit.
    fn needed<M: Mask>(&self) -> Vec<(Owner, KindSet, M)> {
        let all = self.squares.iter().fold(M::EMPTY, |all, square| all | M::bit(*square));
        let mut needed = Vec::new();
        let mut is_fixed = true;
        for (at, part) in self.parts.iter().enumerate() {
            is_fixed &= !matches!(part, Square::Many);
            let Square::OneOf(kinds) = part else { continue };
            let mut owners = Owner::ALL.into_iter().filter(|owner| !kinds[owner.index()].is_empty());
            if let (Some(owner), None) = (owners.next(), owners.next()) {
                let here = self.squares.get(at).filter(|_| is_fixed).map_or(all, |square| M::bit(*square));
                needed.push((owner, kinds[owner.index()], here));
            }
        }
        needed
    }
}

impl<M: Mask> BoardPattern<M> {
    /// True if the board is as the pattern says.
    pub(crate) fn fits(&self, position: &Position<M>) -> bool {
        let state = position.state();
        let has =
            |(owner, kinds, here): &(Owner, KindSet, M)| (state.pieces_of(*owner, *kinds) & *here).any();
        let fits = |rank: &Rank| fits(&rank.parts, rank.squares.len(), |at| position.piece(rank.squares[at]));
        self.needed.iter().all(has) && self.ranks.iter().all(fits)
    }

    /// The men that it demands on squares of their own: those before a rank's first `*`.
    pub(crate) fn men(&self) -> Vec<(BoardSquare, [KindSet; 3])> {
        let men = self.ranks.iter().flat_map(|rank| {
            let known = rank.parts.iter().take_while(|part| !matches!(part, Square::Many));
            rank.squares.iter().zip(known).filter_map(|(square, part)| match part {
                Square::OneOf(kinds) => Some((*square, *kinds)),
                _ => None,
            })
        });
        men.collect()
    }
}

impl Square {
    fn fits(self, man: Option<Piece>) -> bool {
        let among = |kinds: [KindSet; 3]| man.is_some_and(|man| kinds[man.owner.index()].has(man.kind));
        match self {
            Square::Many | Square::Whatever => true,
            Square::Empty => man.is_none(),
            Square::Occupied => man.is_some(),
            Square::OneOf(kinds) => among(kinds),
            Square::NoneOf(kinds) => !among(kinds),
        }
    }
}

/// True if the squares of a rank, so many, are as a pattern says. At most as many steps as the squares times the
/// pattern's parts: of several `*` only the last one is ever tried again.
fn fits(pattern: &[Square], squares: usize, man: impl Fn(usize) -> Option<Piece>) -> bool {
    let (mut part, mut at) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    while at < squares {
        match pattern.get(part) {
            Some(Square::Many) => {
                again = Some((part + 1, at));
                part += 1;
            }
            Some(square) if square.fits(man(at)) => {
                part += 1;
                at += 1;
            }
            _ => {
                let Some((after, from)) = again else { return false };
                again = Some((after, from + 1));
                (part, at) = (after, from + 1);
            }
        }
    }
    pattern[part..].iter().all(|square| matches!(square, Square::Many))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::{AnyRules, Registry};
    use std::sync::Arc;

    fn fits(fen: &str, pattern: &str, turned: Turned) -> bool {
        let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None).unwrap() else {
            panic!("chess has 64 squares")
        };
        let position = Position::from_fen(Arc::clone(&rules), fen).unwrap();
        Pattern::read(pattern).unwrap().in_game(&rules, turned).unwrap().fits(&position)
    }

    #[test]
    fn ranks_fit_their_patterns() {
        let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
        let fits = |pattern: &str| fits(fen, pattern, Turned::default());
        assert!(fits("r3k2r/8/8/3pP3/8/8/8/R3K2R"));
        assert!(fits("*/*/*/*pP*/*/*/*/*K*"));
        assert!(fits("r*/8/8/???!!???/8/8/8/R*[KQ]*[white]"));
        assert!(fits("*/*/*/[^pP]__*/*/*/*/*"));
        assert!(fits("**r**/*/*/*/*/*/*/*"));
        for other in [
            "r3k2r/8/8/4pP2/8/8/8/R3K2R",
            "*/*/*/*Pp*/*/*/*/*",
            "*/*/*/*/*/*/*/R*[QN]*R",
            "*k/*/*/*/*/*/*/*",
            "7/*/*/*/*/*/*/*",
            "*/9/*/*/*/*/*/*",
        ] {
            assert!(!fits(other), "{other}");
        }
    }

    #[test]
    fn patterns_are_turned() {
        let fen = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1";
        let pattern = "1n*/*/*/*/*P*/*/*/*";
        assert!(!fits(fen, pattern, Turned::default()));
        assert!(fits(fen, pattern, Turned { exchanged: true, ..Turned::default() }));
        assert!(fits(fen, "*/*/*/*/*/*/*/*N1", Turned { mirrored: true, ..Turned::default() }));
    }

    #[test]
    fn what_is_no_pattern() {
        for text in ["", "8//8", "8/(", "8/[", "8/[^]", "8/é", "8/[Nd5]"] {
            assert_eq!(Pattern::read(text), None, "{text}");
        }
    }
}
