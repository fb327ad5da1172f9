//! The symmetries of the board under which the moves of the men are the same.

use super::material::Material;
use super::steps::pawn_squares;
use ferz_core::board::{Board, Mask, Owner, Square};
use ferz_core::pieces::betza::Mover;
use ferz_core::rules::moves::Regional;
use ferz_core::rules::{KindId, KindSet, Piece, Rules};

/// A symmetry of the board: by square, where it goes.
#[derive(Debug, Clone)]
pub(super) struct Symmetry {
    squares: [u8; 64],
    /// What the symmetry makes of each byte of a set.
    bytes: Box<[[u64; 256]; 8]>,
    is_identity: bool,
    /// Its effect on a direction: the files' part is mirrored, the ranks' part is, both are exchanged.
    direction: [bool; 3],
}

impl Symmetry {
    /// The symmetry that mirrors files, mirrors ranks, and then exchanges files and ranks; `None` if the board has not
    /// as many of one as of the other.
    fn new(board: Board, direction: [bool; 3]) -> Option<Symmetry> {
        let [files, ranks, exchange] = direction;
        if exchange && board.files() != board.ranks() {
            return None;
        }
        let mut squares = [0; 64];
        for square in board.squares() {
            let (mut file, mut rank) = (board.file(square), board.rank(square));
            file = if files { board.files() - 1 - file } else { file };
            rank = if ranks { board.ranks() - 1 - rank } else { rank };
            if exchange {
                (file, rank) = (rank, file);
            }
            squares[square.index()] = rank * board.files() + file;
        }
        let mut bytes = Box::new([[0u64; 256]; 8]);
        for square in board.squares() {
            let (byte, bit) = (square.index() / 8, square.index() % 8);
            for value in (0..256usize).filter(|value| value >> bit & 1 == 1) {
                bytes[byte][value] |= 1 << squares[square.index()];
            }
        }
        let is_identity = !(files || ranks || exchange);
        Some(Symmetry { squares, bytes, is_identity, direction })
    }

    /// Where a square goes.
    #[inline]
    pub(super) fn square(&self, square: u8) -> u8 {
        self.squares[usize::from(square & 63)]
    }

    /// Where the squares of a set go.
    #[inline]
    pub(super) fn set(&self, set: u64) -> u64 {
        if self.is_identity {
            return set;
        }
        let bytes = set.to_le_bytes();
        (0..8).fold(0, |all, index| all | self.bytes[index][usize::from(bytes[index])])
    }

    fn step(&self, mover: &Mover) -> (i8, i8) {
        let [files, ranks, exchange] = self.direction;
        let (dx, dy) = (if files { -mover.dx } else { mover.dx }, if ranks { -mover.dy } else { mover.dy });
        if exchange { (dy, dx) } else { (dx, dy) }
    }

    /// True if it maps the moves of a kind to moves of the kind.
    fn keeps_moves(&self, rules: &Rules<u64>, piece: Piece) -> bool {
        let moves = &rules.moves[piece.owner];
        let kind = piece.kind.index();
        let tables = rules.board().squares().all(|from| {
            let (here, there) = (moves.reach(kind, from), moves.reach(kind, Square(self.square(from.0))));
            self.set(here.leap_quiet) == there.leap_quiet
                && self.set(here.leap_capture) == there.leap_capture
                && self.set(here.slide_quiet) == there.slide_quiet
                && self.set(here.slide_capture) == there.slide_capture
        });
        let movers = moves.complex_movers(kind);
        let image = |bound: &Regional<u64>| {
            let (dx, dy) = self.step(&bound.mover);
            Regional { mover: Mover { dx, dy, ..bound.mover }, ..*bound }
        };
        let everywhere = rules.geometry.all();
        // What is possible from some squares only, or goes around corners, is not looked at more closely.
        let plain = |bound: &Regional<u64>| {
            bound.from == everywhere && bound.to == everywhere && movers.contains(&image(bound))
        };
        tables && movers.iter().all(plain)
    }

    /// True if it maps every ply of this side's pawns to such a ply.
    fn keeps_pawns(&self, rules: &Rules<u64>, owner: Owner) -> bool {
        let promotion = &rules.promotion[owner];
        let by_square = &promotion.by_square;
        let same_kinds = by_square
            .iter()
            .enumerate()
            .all(|(square, kind)| by_square[usize::from(self.square(square as u8))] == *kind);
        let regions = [promotion.zone, promotion.forced, rules.double_step[owner], rules.kings_square[owner]];
        let stands = rules.pawns.kinds().map(|kind| pawn_squares(rules, Piece { owner, kind }));
        same_kinds && regions.into_iter().chain(stands).all(|region| self.set(region) == region)
    }

    /// True if it maps every ply of these men, and of those that pawns become, to such a ply.
    fn keeps(&self, rules: &Rules<u64>, material: &Material) -> bool {
        let has_pawn = |owner| {
            let pawn = |man: &Piece| man.owner == owner && rules.is_pawn(man.kind);
            material.men().iter().any(pawn)
        };
        let owners = Owner::REAL.into_iter().filter(|&owner| has_pawn(owner));
        let mut men: Vec<Piece> = material.men().to_vec();
        for owner in owners.clone() {
            let kinds: KindSet = rules.all_kinds();
            let officers = kinds.kinds().filter(|kind: &KindId| !rules.is_pawn(*kind));
            men.extend(officers.map(|kind| Piece { owner, kind }));
        }
        men.iter().all(|man| self.keeps_moves(rules, *man))
            && owners.into_iter().all(|owner| self.keeps_pawns(rules, owner))
    }
}

/// The symmetries of the material, the identity first.
pub(super) fn symmetries(rules: &Rules<u64>, material: &Material) -> Vec<Symmetry> {
    let bits = (0..8u8).map(|bits| [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4]);
    let all = bits.filter_map(|direction| Symmetry::new(rules.board(), direction));
    // The identity keeps everything, even moves that the others are not compared by.
    all.filter(|symmetry| symmetry.is_identity || symmetry.keeps(rules, material)).collect()
}

/// By symmetry: the number of its inverse.
pub(super) fn inverses(board: Board, symmetries: &[Symmetry]) -> Vec<u8> {
    let undoes =
        |one: &Symmetry, other: &Symmetry| board.squares().all(|s| other.square(one.square(s.0)) == s.0);
    let inverse = |one: &Symmetry| symmetries.iter().position(|other| undoes(one, other)).unwrap_or(0) as u8;
    symmetries.iter().map(inverse).collect()
}

/// The set of one square.
pub(super) fn bit(square: u8) -> u64 {
    u64::bit(Square(square))
}
