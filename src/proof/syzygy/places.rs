//! Where a placement of men is in a file: the numbering of placements that the format uses.
//!
//! Men of one kind and side are a group. The first group is three men that are one of their kind, or the two kings;
//! with pawns it is the pawns of one side. Mirrored placements have one number: the first man is brought into the
//! triangle a1-d1-d4, or the first pawn to the files a to d. Each other group is numbered as a choice of squares.

use ferz_core::board::Owner;
use ferz_core::position::Position;
use std::sync::LazyLock;

/// The kinds of men by their numbers in files, from 1 on.
const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];
/// The number of a pawn.
pub(super) const PAWN: u8 = 1;
/// What a man of Black has more than one of White.
pub(super) const BLACK: u8 = 8;

/// How many men of each kind each side has, pawns first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Men([[u8; 6]; 2]);

impl Men {
    /// The men of a placement, by their numbers in files.
    pub(super) fn of(placed: &[(u8, u8)]) -> Men {
        let mut men = [[0; 6]; 2];
        for (man, _) in placed {
            men[usize::from(man / BLACK)][usize::from(man % BLACK) - 1] += 1;
        }
        Men(men)
    }

    /// The men of a name such as `KRPvKR`; `None` if it is none, or has more men than files have.
    pub(super) fn named(name: &str) -> Option<Men> {
        let mut men = [[0; 6]; 2];
        let (white, black) = name.split_once('v')?;
        for (side, letters) in men.iter_mut().zip([white, black]) {
            for letter in letters.chars() {
                side[LETTERS.iter().position(|known| *known == letter)?] += 1;
            }
        }
        let men = Men(men);
        let is_one =
            men.name() == name && men.count() <= super::MEN_MAX && men.0.iter().all(|side| side[5] == 1);
        is_one.then_some(men)
    }

    /// The same with the sides exchanged.
    pub(super) fn reversed(&self) -> Men {
        Men([self.0[1], self.0[0]])
    }

    /// The name of their files: `KRPvKR`.
    pub(super) fn name(&self) -> String {
        let side = |men: &[u8; 6]| -> String {
            let kinds = LETTERS.iter().zip(men).rev();
            kinds.flat_map(|(letter, count)| std::iter::repeat_n(*letter, usize::from(*count))).collect()
        };
        format!("{}v{}", side(&self.0[0]), side(&self.0[1]))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().flatten().map(|count| usize::from(*count)).sum()
    }

    /// True if both sides have the same men.
    pub(super) fn are_equal(&self) -> bool {
        self.0[0] == self.0[1]
    }

    pub(super) fn have_pawns(&self) -> bool {
        self.pawns() != [0, 0]
    }

    /// True if a kind other than the king occurs once on a side.
    fn has_single(&self) -> bool {
        self.0.iter().any(|side| side[..5].contains(&1))
    }

    /// The pawns of the side whose pawns come first, and of the other side.
    pub(super) fn pawns(&self) -> [u8; 2] {
        let [white, black] = [self.0[0][0], self.0[1][0]];
        if black == 0 || white > 0 && black >= white { [white, black] } else { [black, white] }
    }

    /// True if these are all the men, by their numbers in files, in any order.
    pub(super) fn are(&self, men: &[u8]) -> bool {
        let mut left = self.0;
        let taken = men.iter().all(|man| {
            let side = left.get_mut(usize::from(man / BLACK));
            let count = side.and_then(|side| side.get_mut(usize::from(man % BLACK).wrapping_sub(1)));
            count.is_some_and(|count| count.checked_sub(1).map(|less| *count = less).is_some())
        });
        taken && left.iter().flatten().all(|count| *count == 0)
    }
}

/// The men of a position with their squares, a1 is 0 and h8 is 63; `None` if one is none of chess.
pub(super) fn placed(position: &Position<u64>) -> Option<Vec<(u8, u8)>> {
    let rules = position.rules();
    let squares = position.occupied();
    let mut men = Vec::with_capacity(super::MEN_MAX);
    for square in ferz_core::board::Mask::squares(squares) {
        let piece = position.piece(square)?;
        let letter = rules.kind(piece.kind).label[piece.owner].letter as char;
        let number = LETTERS.iter().position(|known| *known == letter.to_ascii_uppercase())? as u8 + 1;
        men.push((number + if piece.owner == Owner::Black { BLACK } else { 0 }, square.0));
    }
    Some(men)
}

/// How the men of a table are numbered.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// The men in their order, by their numbers in files.
    pub(super) men: Vec<u8>,
    /// The sizes of the groups, and by what each one's number is multiplied.
    groups: Vec<(usize, u64)>,
    /// How many numbers there are.
    pub(super) len: u64,
    pawns: [u8; 2],
    has_single: bool,
}

impl Places {
    /// The numbering of men in this order, with the first pawn on a file from 0 to 3; `order` says after how many
    /// groups the first group comes, and the other side's pawns. `None` if that is no numbering.
    pub(super) fn new(of: &Men, men: Vec<u8>, order: [usize; 2], file: usize) -> Option<Places> {
        let (pawns, has_single) = (of.pawns(), of.has_single());
        let have_pawns = of.have_pawns();
        let first = match (have_pawns, has_single) {
            (true, _) => 0,
            (false, true) => 3,
            (false, false) => 2,
        };
        let mut sizes: Vec<usize> = Vec::new();
        for (number, man) in men.iter().enumerate() {
            let is_more = number > 0 && (number < first || men[number - 1] == *man);
            match sizes.last_mut().filter(|_| is_more) {
                Some(size) => *size += 1,
                None => sizes.push(1),
            }
        }
        let both = have_pawns && pawns[1] > 0;
        if have_pawns
            && (sizes[0] != usize::from(pawns[0]) || both && sizes.get(1) != Some(&usize::from(pawns[1])))
        {
            return None;
        }
        let mut places =
            Places { men, groups: sizes.iter().map(|size| (*size, 0)).collect(), len: 1, pawns, has_single };
        let mut next = if both { 2 } else { 1 };
        let mut free = 64 - sizes[0] - if both { sizes[1] } else { 0 };
        // A group comes in each step; each of both orders names one step.
        for step in 0.. {
            let group = if step == order[0] {
                0
            } else if both && step == order[1] {
                1
            } else if next < sizes.len() {
                next += 1;
                next - 1
            } else if order[0] > step || both && order[1] > step {
                return None;
            } else {
                break;
            };
            let of = &mut places.groups[group];
            of.1 = places.len;
            let numbers = match group {
                0 if have_pawns => MAPS.first_pawns[sizes[0]][file].1,
                0 if has_single => 31_332,
                0 => 462,
                1 if both => choices(sizes[1], 48 - sizes[0]),
                _ => {
                    let all = choices(sizes[group], free);
                    free -= sizes[group];
                    all
                }
            };
            places.len = places.len.checked_mul(numbers)?;
        }
        Some(places)
    }

    /// The number of a placement of the men of the table.
    pub(super) fn number(&self, arranged: Arranged) -> Option<u64> {
        let Arranged { men: mut placed, first, file: _ } = arranged;
        // In the order of the table; the first pawns are in theirs already.
        for at in first..placed.len() {
            let found = at + placed[at..].iter().position(|(man, _)| *man == self.men[at])?;
            placed.swap(at, found);
        }
        let mut squares: Vec<u8> = placed.into_iter().map(|(_, square)| square).collect();
        if squares[0] & 7 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        let leading =
            if first > 0 { self.first_pawns(&mut squares, first) } else { self.first_men(&mut squares) };
        let mut number = leading? * self.groups[0].1;
        let mut done = self.groups[0].0;
        for (group, (size, factor)) in self.groups.iter().enumerate().skip(1) {
            squares[done..done + size].sort_unstable();
            let are_pawns = group == 1 && self.pawns[1] > 0 && first > 0;
            let mut choice = 0;
            for at in 0..*size {
                let square = squares[done + at];
                // Squares that the groups before have taken do not count; pawns have none on their first rank.
                let before = squares[..done].iter().filter(|taken| **taken < square).count();
                let place = usize::from(square).checked_sub(before + if are_pawns { 8 } else { 0 })?;
                choice += choices(at + 1, place);
            }
            number += choice * factor;
            done += size;
        }
        (number < self.len).then_some(number)
    }

    /// The number of the first pawns, of which the one nearest to the edge stands first.
    fn first_pawns(&self, squares: &mut [u8], first: usize) -> Option<u64> {
        let maps = &*MAPS;
        let mut number =
            maps.first_pawns[first].get(usize::from(squares[0] & 7))?.0[usize::from(squares[0] >> 3)];
        squares[1..first].sort_by_key(|square| maps.pawns[usize::from(*square)]);
        for (at, square) in squares[..first].iter().enumerate().skip(1) {
            number += choices(at, usize::from(maps.pawns[usize::from(*square)]));
        }
        Some(number)
    }

    /// The number of the first men, after all are brought to where the first one is in the triangle.
    fn first_men(&self, squares: &mut [u8]) -> Option<u64> {
        if squares[0] >> 3 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 0o70);
        }
        let size = self.groups[0].0;
        let off = squares[..size].iter().position(|square| off_diagonal(*square) != 0);
        if let Some(at) = off.filter(|at| off_diagonal(squares[*at]) > 0) {
            squares[at..].iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
        }
        let maps = &*MAPS;
        let at = |square: u8| usize::from(square);
        if !self.has_single {
            let number = maps.kings[at(maps.triangle[at(squares[0])])][at(squares[1])];
            return (number != NONE).then_some(number.into());
        }
        let [a, b, c] = [squares[0], squares[1], squares[2]];
        let less_b = u64::from(b > a);
        let less_c = u64::from(c > a) + u64::from(c > b);
        let rank = |square: u8| u64::from(square >> 3);
        let below = |square: u8| u64::from(maps.below[at(square)]);
        // By how many of the three stand on the diagonal before the first that does not.
        Some(match [a, b, c].iter().take_while(|square| off_diagonal(**square) == 0).count() {
            0 => (u64::from(maps.triangle[at(a)]) * 63 + u64::from(b) - less_b) * 62 + u64::from(c) - less_c,
            1 => (6 * 63 + rank(a) * 28 + below(b)) * 62 + u64::from(c) - less_c,
            2 => 6 * 63 * 62 + 4 * 28 * 62 + rank(a) * 7 * 28 + (rank(b) - less_b) * 28 + below(c),
            _ => {
                6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + rank(a) * 7 * 6 + (rank(b) - less_b) * 6 + rank(c)
                    - less_c
            }
        })
    }
}

/// The men of a position as a table has them.
pub(super) struct Arranged {
    /// The pawns that come first, in their order, then the other men.
    men: Vec<(u8, u8)>,
    /// How many pawns come first.
    first: usize,
    /// The file of the first pawn, from 0 to 3.
    pub(super) file: usize,
}

impl Arranged {
    /// Men without pawns.
    pub(super) fn pieces(men: Vec<(u8, u8)>) -> Arranged {
        Arranged { men, first: 0, file: 0 }
    }

    /// Men with pawns; `pawn` is the table's first man. `None` if there is no such pawn.
    pub(super) fn with_pawns(placed: &[(u8, u8)], pawn: u8) -> Option<Arranged> {
        let (mut men, rest): (Vec<(u8, u8)>, Vec<_>) =
            placed.iter().copied().partition(|(man, _)| *man == pawn);
        let value = |at: &usize| MAPS.pawns[usize::from(men[*at].1)];
        let leading = (0..men.len()).max_by_key(value)?;
        men.swap(0, leading);
        let (file, first) = (usize::from(men[0].1 & 7), men.len());
        men.extend(rest);
        Some(Arranged { men, first, file: file.min(7 - file) })
    }
}

/// On which side of the diagonal a1-h8 a square is: 0 on it, less below.
fn off_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// In how many ways so many squares are chosen of some.
fn choices(squares: usize, of: usize) -> u64 {
    MAPS.choices[squares][of]
}

/// No number.
const NONE: u16 = u16::MAX;

/// What is computed once.
struct Maps {
    choices: [[u64; 64]; 8],
    /// Squares below the diagonal, in order.
    below: [u8; 64],
    /// Squares of the triangle a1-d1-d4: those below the diagonal first.
    triangle: [u8; 64],
    /// The kings, by the first one's place in the triangle and the second one's square.
    kings: [[u16; 64]; 10],
    /// Squares of pawns: the more, the nearer to the edge, and then to the own side.
    pawns: [u8; 64],
    /// By the number of first pawns and the file of the first one: the number by its rank, and how many there are.
    first_pawns: [[([u64; 8], u64); 4]; 7],
}

static MAPS: LazyLock<Maps> = LazyLock::new(|| {
    let mut choices = [[0_u64; 64]; 8];
    for of in 0..64_usize {
        choices[0][of] = 1;
        for squares in 1..=7_usize.min(of) {
            choices[squares][of] =
                choices[squares - 1][of - 1] + if squares < of { choices[squares][of - 1] } else { 0 };
        }
    }
    let (mut below, mut triangle, mut count) = ([0; 64], [0; 64], 0);
    for square in (0..64).filter(|square| off_diagonal(*square) < 0) {
        below[usize::from(square)] = count;
        count += 1;
    }
    let in_triangle = |square: &u8| square & 7 <= 3 && square >> 3 <= 3;
    let lower = (0..28).filter(|square| in_triangle(square) && off_diagonal(*square) < 0);
    let diagonal = (0..28).filter(|square| in_triangle(square) && off_diagonal(*square) == 0);
    for (number, square) in lower.chain(diagonal).enumerate() {
        triangle[usize::from(square)] = number as u8;
    }
    let (mut kings, mut on_diagonal, mut count) = ([[NONE; 64]; 10], Vec::new(), 0);
    let is_first = |square: &u8| in_triangle(square) && off_diagonal(*square) <= 0;
    let mut firsts: Vec<u8> = (0..28).filter(is_first).collect();
    firsts.sort_by_key(|square| triangle[usize::from(*square)]);
    for first in firsts {
        for second in 0..64_u8 {
            let near = (first & 7).abs_diff(second & 7) <= 1 && (first >> 3).abs_diff(second >> 3) <= 1;
            let place = (usize::from(triangle[usize::from(first)]), usize::from(second));
            match (off_diagonal(first), off_diagonal(second)) {
                _ if near => {}
                (0, 1..) => {}
                (0, 0) => on_diagonal.push(place),
                _ => {
                    kings[place.0][place.1] = count;
                    count += 1;
                }
            }
        }
    }
    for (first, second) in on_diagonal {
        kings[first][second] = count;
        count += 1;
    }
    let mut pawns = [0; 64];
    let mut left = 47_u8;
    for file in 0..4 {
        for rank in 1..7 {
            let square = rank * 8 + file;
            pawns[square] = left;
            // The last one is 0.
            pawns[square ^ 7] = left - 1;
            left = left.saturating_sub(2);
        }
    }
    let mut first_pawns = [[([0; 8], 0); 4]; 7];
    for (count, files) in first_pawns.iter_mut().enumerate().skip(1) {
        for (file, (by_rank, all)) in files.iter_mut().enumerate() {
            for rank in 1..7 {
                by_rank[rank] = *all;
                *all += choices[count - 1][usize::from(pawns[rank * 8 + file])];
            }
        }
    }
    Maps { choices, below, triangle, kings, pawns, first_pawns }
});
