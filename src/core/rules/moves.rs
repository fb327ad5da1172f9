//! Movement tables: the squares that each kind reaches from each square, and their origins.

use super::kinds::{KIND_SLOTS, KindId, KindSet};
use crate::board::{Board, ByOwner, Geometry, Mask, Owner, Square};
use crate::pieces::betza::{Mover, Path};
use std::sync::Arc;

/// The reach of one kind of one owner from one square: leaps, and the squares of slides on an empty board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach<M> {
    /// Leaps to vacant squares.
    pub leap_quiet: M,
    /// Leaps that capture.
    pub leap_capture: M,
    /// Slides along queen lines to vacant squares.
    pub slide_quiet: M,
    /// Slides along queen lines that capture.
    pub slide_capture: M,
}

impl<M: Mask> Reach<M> {
    const NONE: Reach<M> = Reach {
        leap_quiet: M::EMPTY,
        leap_capture: M::EMPTY,
        slide_quiet: M::EMPTY,
        slide_capture: M::EMPTY,
    };
}

/// The origins from which one kind of one owner reaches one square, on an empty board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origins<M> {
    /// Leaps and slides; for vacant squares also a pawn's double step.
    pub any: M,
    /// Leaps only: nothing between can block them.
    pub leaps: M,
}

impl<M: Mask> Origins<M> {
    const NONE: Origins<M> = Origins { any: M::EMPTY, leaps: M::EMPTY };
}

/// A mover that is bound to a part of the board. Slides may pass other squares: the bounds are of where they start
/// and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regional<M> {
    /// The mover.
    pub mover: Mover,
    /// The squares from which it works.
    pub from: M,
    /// The squares on which it may end.
    pub to: M,
}

impl<M: Mask> Regional<M> {
    /// A mover that no region binds.
    pub fn everywhere(board: Board, mover: Mover) -> Regional<M> {
        let all = M::of(board.squares());
        Regional { mover, from: all, to: all }
    }
}

/// The movement of all kinds of one owner.
#[derive(Debug)]
pub struct MoveTables<M> {
    squares: usize,
    reach: Vec<Reach<M>>,
    /// Tables by square, one after the other. Kinds that move alike share one, for any owner and whether it is for
    /// captures: tables that every ply reads should stay in the cache.
    origins: Arc<[Origins<M>]>,
    /// By square: the origins from which any kind captures on it.
    capturers: Vec<M>,
    /// By kind: the starts in `origins` of its table for vacant squares and its table for captures.
    starts: [[u32; 2]; KIND_SLOTS],
    /// By kind.
    complex: Vec<Vec<Regional<M>>>,
    /// By square: the origins from which any kind may reach it by other movers than leaps and queen lines.
    complex_origins: Vec<M>,
    /// Kinds that slide along files or ranks, and along diagonals.
    straight: KindSet,
    diagonal: KindSet,
    /// Kinds with movers outside the tables, as bits.
    complex_kinds: u32,
    /// Kinds that these tables do not describe completely, as bits, and [`ANY_TARGET`].
    special_kinds: u32,
}

/// The bit of [`MoveTables::special_kinds`] for games in which some target is closed to every kind.
const ANY_TARGET: u32 = 1 << 31;

impl<M: Mask> MoveTables<M> {
    /// Compiles each owner's movers of each kind, in the order of the kinds. An `initial` mover works only from the
    /// kind's start squares, a double step of pawns only from those of `double_step`, as far as `first_step`.
    pub fn of_all(
        board: Board,
        movers: ByOwner<Vec<Vec<Regional<M>>>>,
        start_squares: &ByOwner<Vec<M>>,
        pawns: KindSet,
        (double_step, first_step): (&ByOwner<M>, u8),
    ) -> ByOwner<MoveTables<M>> {
        let mut shared = Vec::new();
        let mut all = ByOwner::from_fn(|owner| {
            let mut tables = MoveTables::new(board, owner, &movers[owner], &start_squares[owner]);
            let far = |steps: u8| {
                let to = move |from| Some((from, board.offset(from, 0, steps as i8 * owner.forward())?));
                double_step[owner].squares().filter_map(to)
            };
            let doubles: Vec<_> = (2..=first_step).flat_map(far).collect();
            tables.reverse(movers[owner].len(), pawns, &doubles, &mut shared);
            tables
        });
        let shared: Arc<[Origins<M>]> = shared.into();
        all.0.iter_mut().for_each(|tables| tables.origins = Arc::clone(&shared));
        all
    }

    /// The tables without the origins.
    fn new(board: Board, owner: Owner, movers: &[Vec<Regional<M>>], start_squares: &[M]) -> MoveTables<M> {
        let (kinds, squares) = (movers.len(), board.len());
        let mut tables = MoveTables {
            squares,
            reach: vec![Reach::NONE; kinds * squares],
            origins: Arc::new([]),
            capturers: vec![M::EMPTY; squares],
            starts: [[0; 2]; KIND_SLOTS],
            complex: vec![Vec::new(); kinds],
            complex_origins: vec![M::EMPTY; squares],
            straight: KindSet::EMPTY,
            diagonal: KindSet::EMPTY,
            complex_kinds: 0,
            special_kinds: 0,
        };
        for (kind, movers) in movers.iter().enumerate() {
            for mover in movers {
                let mut mover = Regional { mover: seen_by(owner, mover.mover), ..*mover };
                if mover.mover.initial {
                    mover.from &= start_squares[kind];
                }
                if is_simple(&mover.mover) {
                    tables.add_simple(board, kind, &mover);
                } else {
                    tables.note_complex(board, &mover);
                    tables.complex[kind].push(mover);
                    tables.complex_kinds |= 1 << kind;
                }
            }
        }
        tables.special_kinds = tables.complex_kinds;
        tables
    }

    /// By square: where the leaps of `movers` lead; `None` if some are no leaps.
    pub fn leaps_of(board: Board, owner: Owner, movers: &[Mover]) -> Option<Vec<M>> {
        let movers = movers.iter().map(|mover| Regional::everywhere(board, *mover)).collect();
        let tables = MoveTables::<M>::new(board, owner, &[movers], &[M::EMPTY]);
        let slides = !tables.straight.is_empty() || !tables.diagonal.is_empty();
        let leaps = |square: Square| tables.reach(0, square).leap_capture;
        (!slides && tables.complex_kinds == 0).then(|| board.squares().map(leaps).collect())
    }

    /// Marks kinds that have more moves than these tables describe; `any_target` if a piece cannot be captured.
    pub fn mark_special(&mut self, kinds: KindSet, any_target: bool) {
        self.special_kinds |= kinds.0 | if any_target { ANY_TARGET } else { 0 };
    }

    fn add_simple(&mut self, board: Board, kind: usize, bound: &Regional<M>) {
        let mover = &bound.mover;
        if mover.range > 1 {
            let is_straight = mover.dx == 0 || mover.dy == 0;
            let lines = if is_straight { &mut self.straight } else { &mut self.diagonal };
            lines.insert(KindId(kind as u8));
        }
        for from in bound.from.squares() {
            let mut at = from;
            for _ in 0..mover.range {
                let Some(to) = board.offset(at, mover.dx, mover.dy) else { break };
                at = to;
                let bit = M::bit(to) & bound.to;
                let leap = mover.range == 1;
                let reach = &mut self.reach[kind * self.squares + from.index()];
                if mover.moves {
                    *(if leap { &mut reach.leap_quiet } else { &mut reach.slide_quiet }) |= bit;
                }
                if mover.captures {
                    *(if leap { &mut reach.leap_capture } else { &mut reach.slide_capture }) |= bit;
                }
            }
        }
    }

    /// Notes every square that a mover may reach, whatever stands in its way.
    fn note_complex(&mut self, board: Board, bound: &Regional<M>) {
        let mover = &bound.mover;
        for from in bound.from.squares() {
            let mut at = from;
            for _ in 0..mover.range {
                let Some(to) = board.offset(at, mover.dx, mover.dy) else { break };
                at = to;
                if bound.to.has(to) {
                    self.complex_origins[to.index()] |= M::bit(from);
                }
            }
        }
    }

    /// Computes the origins of each kind, including those of the pawns' `doubles` (from, to), and adds the tables that
    /// `shared` lacks.
    fn reverse(
        &mut self,
        kinds: usize,
        pawns: KindSet,
        doubles: &[(Square, Square)],
        shared: &mut Vec<Origins<M>>,
    ) {
        for kind in 0..kinds {
            let reach = &self.reach[kind * self.squares..][..self.squares];
            let mut quiet = reversed(reach, |reach| (reach.leap_quiet, reach.slide_quiet));
            let doubles = if pawns.has(KindId(kind as u8)) { doubles } else { &[] };
            doubles.iter().for_each(|(from, to)| quiet[to.index()].any |= M::bit(*from));
            let capture = reversed(reach, |reach| (reach.leap_capture, reach.slide_capture));
            for (all, origins) in self.capturers.iter_mut().zip(&capture) {
                *all |= origins.any;
            }
            self.starts[kind] = [quiet, capture].map(|table| {
                let known = shared.chunks(self.squares).position(|known| known == table);
                let number = known.unwrap_or_else(|| {
                    shared.extend(table);
                    shared.len() / self.squares - 1
                });
                (number * self.squares) as u32
            });
        }
    }

    /// The squares that `kind` reaches from `from`.
    #[inline]
    pub fn reach(&self, kind: usize, from: Square) -> &Reach<M> {
        &self.reach[kind * self.squares + from.index()]
    }

    /// The origins from which `kind` captures on `to`, or moves there when it is vacant.
    #[inline(always)]
    pub fn origins(&self, kind: usize, to: Square, captures: bool) -> &Origins<M> {
        &self.origins[self.starts[kind % KIND_SLOTS][usize::from(captures)] as usize + to.index()]
    }

    /// The origins from which any kind captures on `to`, by leaps and queen lines.
    #[inline]
    pub fn capturers(&self, to: Square) -> M {
        self.capturers[to.index()]
    }

    /// The kinds that slide along files or ranks.
    #[inline]
    pub fn slides_straight(&self) -> KindSet {
        self.straight
    }

    /// The kinds that slide along diagonals.
    #[inline]
    pub fn slides_diagonally(&self) -> KindSet {
        self.diagonal
    }

    /// Kinds with movers other than leaps and queen lines, as bits by kind.
    #[inline]
    pub fn complex_kinds(&self) -> u32 {
        self.complex_kinds
    }

    /// Kinds that these tables do not describe completely, as bits by kind; not 0 either if some piece cannot be
    /// captured.
    #[inline]
    pub fn special_kinds(&self) -> u32 {
        self.special_kinds
    }

    /// The movers of a kind other than leaps and queen lines, in board directions.
    pub fn complex_movers(&self, kind: usize) -> &[Regional<M>] {
        &self.complex[kind]
    }

    /// The squares that `kind` may reach from `from` by leaps and slides, whatever is in the way.
    pub fn all_targets(&self, kind: usize, from: Square) -> M {
        let reach = self.reach(kind, from);
        reach.leap_quiet | reach.leap_capture | reach.slide_quiet | reach.slide_capture
    }

    /// True if a kind has other moves than leaps and queen lines.
    pub fn is_complex(&self, kind: KindId) -> bool {
        self.complex_kinds >> kind.0 & 1 == 1
    }

    /// The origins from which any kind may reach `to` by other movers than leaps and queen lines: a superset.
    #[inline]
    pub fn complex_origins(&self, to: Square) -> M {
        self.complex_origins[to.index()]
    }

    /// True if another mover of `kind` than leaps and queen lines goes from `from` to `to`, capturing or not, past the
    /// occupied squares and those that hoppers do not hop.
    pub fn complex_goes(
        &self,
        board: Board,
        kind: usize,
        [from, to]: [Square; 2],
        (occupied, unhopped): (M, M),
        captures: bool,
    ) -> bool {
        // A square outside may have the file and the rank -1.
        let dx = i16::from(board.file(to) as i8) - i16::from(board.file(from) as i8);
        let dy = i16::from(board.rank(to) as i8) - i16::from(board.rank(from) as i8);
        self.complex[kind].iter().any(|Regional { mover, from: starts, to: ends }| {
            // The vector to the target is a positive multiple of the step.
            let (x, y) = (i16::from(mover.dx), i16::from(mover.dy));
            let towards = dx * y == dy * x && dx * x + dy * y > 0;
            towards
                && (if captures { mover.captures } else { mover.moves })
                && starts.has(from)
                && ends.has(to)
                && walk(board, mover, from, (occupied, unhopped)).has(to)
        })
    }

    /// True if a piece of `kind` moves or captures from any square.
    pub fn moves(&self, kind: usize) -> bool {
        let reaches = |reach: &Reach<M>| {
            (reach.leap_quiet | reach.leap_capture | reach.slide_quiet | reach.slide_capture).any()
        };
        let from = kind * self.squares;
        self.complex_kinds >> kind & 1 == 1 || self.reach[from..from + self.squares].iter().any(reaches)
    }

    /// True if a piece of `kind` never returns to a square without captures: its quiet moves have no cycle.
    pub fn never_returns(&self, kind: usize) -> bool {
        if self.complex_kinds >> kind & 1 == 1 {
            return false;
        }
        let quiet = |from: usize| {
            let reach = self.reach[kind * self.squares + from];
            reach.leap_quiet | reach.slide_quiet
        };
        // Remove squares without successors until none is left, or a cycle remains.
        let mut left = M::of((0..self.squares).map(|square| Square(square as u8)));
        loop {
            let on = M::of(left.squares().filter(|from| (quiet(from.index()) & left).any()));
            if on == left || on.is_empty() {
                return on.is_empty();
            }
            left = on;
        }
    }

    /// The squares that other movers of `kind` than leaps and queen lines reach, (quiet, capture), whatever is on them,
    /// past the occupied squares and those that hoppers do not hop.
    #[cold]
    pub fn complex_reach(
        &self,
        board: Board,
        kind: usize,
        from: Square,
        (occupied, unhopped): (M, M),
    ) -> (M, M) {
        let (mut quiet, mut capture) = (M::EMPTY, M::EMPTY);
        for Regional { mover, from: starts, to } in &self.complex[kind] {
            if !starts.has(from) {
                continue;
            }
            let reached = walk(board, mover, from, (occupied, unhopped)) & *to;
            if mover.moves {
                quiet |= reached;
            }
            if mover.captures {
                capture |= reached;
            }
        }
        (quiet, capture)
    }
}

/// By square: the origins from which one kind reaches it by the leaps and slides that `part` selects.
fn reversed<M: Mask>(reach: &[Reach<M>], part: impl Fn(&Reach<M>) -> (M, M)) -> Vec<Origins<M>> {
    let mut table = vec![Origins::NONE; reach.len()];
    for (from, reach) in (0u8..).map(Square).zip(reach) {
        let (leaps, slides) = part(reach);
        for to in (leaps | slides).squares() {
            table[to.index()].any |= M::bit(from);
        }
        for to in leaps.squares() {
            table[to.index()].leaps |= M::bit(from);
        }
    }
    table
}

/// The mover in board directions for `owner`: forward and right are the owner's.
fn seen_by(owner: Owner, mover: Mover) -> Mover {
    if owner == Owner::Black { mover.turned() } else { mover }
}

/// True for leaps and slides along queen lines, which the tables hold.
fn is_simple(mover: &Mover) -> bool {
    let unit = mover.dx.abs().max(mover.dy.abs()) == 1;
    mover.path == Path::Ride && mover.min <= 1 && (mover.range == 1 || unit)
}

/// The squares that one mover reaches, first blockers included. A hopper neither passes nor takes what is `unhopped`.
fn walk<M: Mask>(board: Board, mover: &Mover, from: Square, (occupied, unhopped): (M, M)) -> M {
    let mut reached = M::EMPTY;
    let mut at = from;
    let mut hurdles = 0;
    for step in 1..=mover.range {
        if !way_is_open(board, mover, at, occupied) {
            break;
        }
        let Some(to) = board.offset(at, mover.dx, mover.dy) else { break };
        at = to;
        let blocked = occupied.has(to);
        let hops = matches!(mover.path, Path::Cannon | Path::Grasshopper);
        if hops && unhopped.has(to) {
            break;
        }
        if step >= mover.min && (!hops || hurdles == 1) {
            reached |= M::bit(to);
        }
        let passes = match mover.path {
            // The square that a ski slide passes over does not matter.
            Path::Jump => !blocked || step < mover.min,
            Path::Ride | Path::Lame => !blocked,
            Path::Cannon => hurdles == 0 || !blocked,
            Path::Grasshopper => hurdles == 0,
        };
        if !passes {
            break;
        }
        hurdles += u8::from(blocked);
    }
    reached
}

/// A lame leaper passes vacant squares only; a jumping one needs a piece to jump over.
fn way_is_open<M: Mask>(board: Board, mover: &Mover, from: Square, occupied: M) -> bool {
    let passed = || mover.between().into_iter().filter_map(|(x, y)| board.offset(from, x, y));
    match mover.path {
        Path::Lame => !passed().any(|square| occupied.has(square)),
        Path::Jump if mover.range == 1 => passed().filter(|&square| occupied.has(square)).count() == 1,
        _ => true,
    }
}

/// True if all squares between are vacant, or the piece on `from` leaps. The target comes first: it is a king's square
/// in half of all calls, so its row of the table stays in the cache.
#[inline]
pub fn connects<M: Mask>(
    geometry: &Geometry<M>,
    origins: &Origins<M>,
    from: Square,
    to: Square,
    occupied: M,
) -> bool {
    (geometry.between(to, from) & occupied).is_empty() || origins.leaps.has(from)
}
