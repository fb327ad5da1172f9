//! Men and squares: `Nd5`, `[RQ]a-h7`, `_e4`, `~N`, `anyd5`; and how they resolve in a game.

use ferz_core::board::{Board, Mask, Owner, Square};
use ferz_core::rules::{KindSet, Rules};

/// Men by owner, kind by kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Men(Vec<Man>);

/// Men of some owners and of one kind, or of any.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Man {
    owners: [bool; 3],
    /// The label in upper case: `N`, `+R`, `R'`.
    label: Option<String>,
}

/// Kinds of men, of any owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kinds(Vec<String>);

/// Squares: rectangles of files, from 0, and of ranks by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Squares(Vec<[(u8, u8); 2]>);

const ANY: [(&str, [bool; 3]); 4] = [
    ("white", [true, false, false]),
    ("black", [false, true, false]),
    ("nature", [false, false, true]),
    ("any", [true; 3]),
];

/// The label at the front of a text, in upper case, whether its letter was small, and the rest.
fn label(text: &str) -> Option<(String, bool, &str)> {
    let (plus, rest) = text.strip_prefix('+').map_or(("", text), |rest| ("+", rest));
    let letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
    let rest = &rest[1..];
    let (mark, rest) = rest.strip_prefix('\'').map_or(("", rest), |rest| ("'", rest));
    Some((format!("{plus}{}{mark}", letter.to_ascii_uppercase()), letter.is_ascii_lowercase(), rest))
}

/// All that a whole text is, each read from the front of what is left; `None` if a part cannot be read.
fn each_from_front<T>(text: &str, read: impl Fn(&str) -> Option<(T, &str)>) -> Option<Vec<T>> {
    let mut all = Vec::new();
    let mut left = text;
    while !left.is_empty() {
        let (one, rest) = read(left)?;
        all.push(one);
        left = rest;
    }
    Some(all)
}

impl Man {
    /// The man at the front of a text, and the rest.
    fn read(text: &str) -> Option<(Man, &str)> {
        let natures = text.strip_prefix(['~', '*']);
        let (label, is_small, rest) = label(natures.unwrap_or(text))?;
        let owner = match (natures, is_small) {
            (Some(_), _) => Owner::Nature,
            (None, true) => Owner::Black,
            (None, false) => Owner::White,
        };
        let mut owners = [false; 3];
        owners[owner.index()] = true;
        Some((Man { owners, label: Some(label) }, rest))
    }
}

/// The men of a set in brackets, or a word for all of some owners', and what follows.
fn set(text: &str) -> Option<(Vec<Man>, &str)> {
    let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
    if let Some((_, owners)) = ANY.iter().find(|(word, _)| *word == inside) {
        return Some((vec![Man { owners: *owners, label: None }], rest));
    }
    let men = each_from_front(inside, Man::read)?;
    (!men.is_empty()).then_some((men, rest))
}

impl Men {
    /// The men and squares that a text is; `None` for the squares if it has none.
    pub(crate) fn with_squares(text: &str) -> Option<(Men, Option<Squares>)> {
        for (word, owners) in ANY {
            if let Some(rest) = text.strip_prefix(word) {
                let squares = Squares::whole(rest)?;
                return Some((Men(vec![Man { owners, label: None }]), Some(squares)));
            }
        }
        let (men, rest) = Men::at_front(text)?;
        let squares = if rest.is_empty() { None } else { Some(Squares::whole(rest)?) };
        Some((men, squares))
    }

    /// The men at the front of a text, and the rest.
    pub(crate) fn at_front(text: &str) -> Option<(Men, &str)> {
        let (men, rest) = set(text).or_else(|| {
            let (man, rest) = Man::read(text)?;
            Some((vec![man], rest))
        })?;
        Some((Men(men), rest))
    }

    /// Men counted one by one, `KRP`, `Qp`, as a material or a stock lists them.
    pub(crate) fn list(text: &str) -> Option<Vec<Men>> {
        let men = each_from_front(text, Man::read)?;
        Some(men.into_iter().map(|man| Men(vec![man])).collect())
    }

    /// White's men as Black's, and the reverse.
    pub(crate) fn of_black(mut self) -> Men {
        self.0.iter_mut().for_each(|man| man.owners.swap(0, 1));
        self
    }

    /// The kinds, by owner, in a game whose White and Black may be exchanged; `None` if the game has none of them.
    pub(crate) fn kinds<M: Mask>(&self, rules: &Rules<M>, exchanged: bool) -> Option<[KindSet; 3]> {
        let mut kinds = [KindSet::EMPTY; 3];
        for man in &self.0 {
            for owner in Owner::ALL.into_iter().filter(|owner| man.owners[owner.index()]) {
                let owner = if exchanged { owner.opponent() } else { owner };
                for kind in rules.all_kinds().kinds() {
                    let label = rules.kind(kind).label[owner].text();
                    if man.label.as_ref().is_none_or(|wanted| *wanted == label) {
                        kinds[owner.index()].insert(kind);
                    }
                }
            }
        }
        kinds.iter().any(|kinds| !kinds.is_empty()).then_some(kinds)
    }
}

/// The label at the front of a text if its letter is capital, and the rest.
fn capital_label(text: &str) -> Option<(String, &str)> {
    label(text).filter(|(_, is_small, _)| !is_small).map(|(label, _, rest)| (label, rest))
}

impl Kinds {
    /// The kinds at the front of a text, by capital letters, and the rest.
    pub(crate) fn read(text: &str) -> Option<(Kinds, &str)> {
        let Some(set) = text.strip_prefix('[') else {
            return capital_label(text).map(|(label, rest)| (Kinds(vec![label]), rest));
        };
        let (inside, rest) = set.split_once(']')?;
        let kinds = each_from_front(inside, capital_label)?;
        (!kinds.is_empty()).then_some((Kinds(kinds), rest))
    }

    /// The kinds that a whole text is.
    pub(crate) fn whole(text: &str) -> Option<Kinds> {
        Kinds::read(text).filter(|(_, rest)| rest.is_empty()).map(|(kinds, _)| kinds)
    }

    /// The kinds in a game, by any owner's letters; `None` if it has none of them.
    pub(crate) fn in_game<M: Mask>(&self, rules: &Rules<M>) -> Option<KindSet> {
        let named = |kind: &ferz_core::rules::KindId| {
            let labels = &rules.kind(*kind).label;
            Owner::ALL.into_iter().any(|owner| self.0.contains(&labels[owner].text()))
        };
        let kinds: KindSet = rules.all_kinds().kinds().filter(named).collect();
        (!kinds.is_empty()).then_some(kinds)
    }
}

impl Squares {
    /// The squares that a whole text is: `d5`, `a-h7`, `d4-6`, `a-c1-3`, several with commas, in brackets or not.
    pub(crate) fn whole(text: &str) -> Option<Squares> {
        let text = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let rectangles: Option<Vec<_>> = text.split(',').map(rectangle).collect();
        rectangles.map(Squares)
    }

    /// The squares on a board; `None` if none is.
    pub(crate) fn on<M: Mask>(&self, board: Board, turned: Turned) -> Option<M> {
        let mut mask = M::EMPTY;
        for square in board.squares() {
            let outside = board.corners().position(|corner| corner == square);
            let (file, rank) = match outside {
                Some(number) => (CORNER, number as u8 + 1),
                None => (board.file(square), board.rank_number(board.rank(square))),
            };
            let here = |[(left, right), (low, high)]: &[(u8, u8); 2]| {
                (*left..=*right).contains(&file) && (*low..=*high).contains(&rank)
            };
            if self.0.iter().any(here) {
                mask |= M::bit(turned.square(board, square));
            }
        }
        mask.any().then_some(mask)
    }
}

/// How a query about a board is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Turned {
    /// White and Black are exchanged, and with them the sides of the board.
    pub(crate) exchanged: bool,
    /// Each file is another one, counted from the other end.
    pub(crate) mirrored: bool,
    /// The board's sides are exchanged by turning it, not by counting ranks from the other side.
    pub(crate) by_rotation: bool,
}

impl Turned {
    /// The square that is meant by a square of the query.
    pub(crate) fn square(self, board: Board, square: Square) -> Square {
        let mut meant = square;
        if self.exchanged {
            meant = board.flipped(meant);
        }
        if self.mirrored != (self.exchanged && self.by_rotation) {
            // A square outside has the file -1 or one beyond the last.
            let file = board.files() as i8 - 1 - board.file(meant) as i8;
            meant = board.square(file, board.rank(meant) as i8).unwrap_or(meant);
        }
        meant
    }

    /// The owner who is meant by an owner of the query.
    pub(crate) fn owner(self, owner: Owner) -> Owner {
        if self.exchanged { owner.opponent() } else { owner }
    }
}

/// The squares outside the corners, `w1` to `w4`, as a file.
const CORNER: u8 = b'w' - b'a';

/// A rectangle: files, from 0, then the numbers of ranks.
fn rectangle(text: &str) -> Option<[(u8, u8); 2]> {
    let digits = text.find(|letter: char| letter.is_ascii_digit())?;
    let (files, ranks) = text.split_at(digits);
    let file = |text: &str| match text.as_bytes() {
        [letter @ (b'a'..=b'p' | b'w')] => Some(letter - b'a'),
        _ => None,
    };
    let rank = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() <= 2;
        text.parse::<u8>().ok().filter(|_| digits)
    };
    Some([both(files, file)?, both(ranks, rank)?])
}

/// One value, or two with a hyphen between them, the lesser first.
fn both(text: &str, one: impl Fn(&str) -> Option<u8>) -> Option<(u8, u8)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (one(first)?, one(last)?);
    Some((first.min(last), first.max(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::{AnyRules, Registry};

    #[test]
    fn squares_are_read_and_turned() {
        let board = Board::new(8, 8).unwrap();
        let names = |text: &str, turned: Turned| -> Vec<String> {
            let mask: u64 = Squares::whole(text).unwrap().on(board, turned).unwrap();
            mask.squares().map(|square| board.name(square)).collect()
        };
        let plain = Turned::default();
        assert_eq!(names("d5", plain), ["d5"]);
        assert_eq!(names("d4-6", plain), ["d4", "d5", "d6"]);
        assert_eq!(names("[a1,c-b2]", plain), ["a1", "b2", "c2"]);
        assert_eq!(names("g7-12", plain), ["g7", "g8"]);
        let mirrored = Turned { mirrored: true, ..plain };
        let exchanged = Turned { exchanged: true, ..plain };
        let rotated = Turned { by_rotation: true, ..exchanged };
        assert_eq!((names("b1", mirrored), names("b1", exchanged)), (vec!["g1".into()], vec!["b8".into()]));
        assert_eq!(names("b1", rotated), ["g8"]);
        assert_eq!(names("b1", Turned { mirrored: true, ..rotated }), ["b8"]);
        for other in ["", "d", "5", "q5", "d-5", "dd5", "d5-", "d123", "d5 "] {
            assert_eq!(Squares::whole(other), None, "{other}");
        }
    }

    #[test]
    fn men_are_those_of_each_game() {
        let kinds = |game: &str, text: &str| -> Option<Vec<String>> {
            let AnyRules::Narrow(rules) = Registry::built_in().rules(game, &|_| None).unwrap() else {
                panic!("{game} is played on 64 squares")
            };
            let (men, _) = Men::with_squares(text).unwrap();
            let by_owner = men.kinds(&rules, false)?;
            let names = Owner::ALL.into_iter().flat_map(|owner| {
                by_owner[owner.index()].kinds().map(move |kind| (owner, kind)).collect::<Vec<_>>()
            });
            Some(names.map(|(owner, kind)| format!("{owner} {}", rules.kind(kind).name)).collect())
        };
        assert_eq!(kinds("chess", "[Rq]d5"), Some(vec!["White rook".into(), "Black queen".into()]));
        assert_eq!(kinds("chess", "M"), None);
        assert!(kinds("iago-b", "M").is_some());
        assert_eq!(kinds("chaos+chess", "~N"), Some(vec!["Nature knight".into()]));
        assert_eq!(kinds("chess", "[white]d5").map(|kinds| kinds.len()), Some(6));
        for other in ["", "d5", "[d5", "[]d5", "anyone", "5", "Nd", "é", "N\u{e9}", "+", "~"] {
            assert_eq!(Men::with_squares(other), None, "{other}");
        }
    }

    #[test]
    fn kinds_have_capital_letters() {
        assert_eq!(Kinds::whole("[QR]"), Some(Kinds(vec!["Q".into(), "R".into()])));
        assert_eq!(Kinds::whole("+P"), Some(Kinds(vec!["+P".into()])));
        for other in ["", "q", "Qe", "[", "[]", "[Qr]"] {
            assert_eq!(Kinds::whole(other), None, "{other}");
        }
    }
}
