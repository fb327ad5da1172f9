//! Board, stocks, side to move, rights and counters of a position.

use super::count::Count;
use super::hash;
use crate::board::{Mask, Owner, Square};
use crate::rules::compiled::Castling;
use crate::rules::definition::CastlingNotation;
use crate::rules::{KIND_SLOTS, KindId, KindSet, Piece, Rules, Stock};
use crate::text::limits::{KINDS_MAX, SQUARES_MAX};

/// A stock that pieces enter from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StockName {
    /// Owned off the board from the start.
    Reserve,
    /// Captured or returned.
    Hand,
}

/// An ending that the position shows without its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Over {
    /// A pawn of this player's reached the opposing king's array square (ING 5).
    KingsSquare(Owner),
    /// This player has a king alone, and that loses (IAV-1).
    BareKing(Owner),
    /// Both have a king alone (IAV-1).
    BareKings,
    /// This player has given check so often that it wins.
    Checks(Owner),
    /// A piece of this player's stands on its goal.
    Goal(Owner),
    /// Both players have reached their goal.
    GoalDraw,
    /// This player's king was exploded.
    Explosion(Owner),
    /// This player has no pieces.
    NoPieces(Owner),
    /// The moves that a player counts have come to their limit (MAK-1), or that player mates while counting (MAK 5).
    Count,
    /// Both players have passed, one after the other (JNG 3).
    DoublePass,
    /// The player who should have parted the facing kings has accepted them by a pass (JNG 4).
    Bikjang,
}

impl Over {
    /// True for a win by a ply that Lichess and others mark `#`, like mate.
    pub const fn is_marked(self) -> bool {
        matches!(self, Over::Checks(_) | Over::Goal(_) | Over::Explosion(_) | Over::NoPieces(_))
    }
}

/// What Nature may do, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NatureState<M> {
    /// Real plies since the last in-between turn or the start, counted up to period and delay.
    pub clock: u8,
    /// Squares of Nature's pieces that have not moved since their introduction.
    pub unmoved: M,
    /// Squares of real pawns that made a double step since the last in-between turn and have not moved since.
    pub doubles: M,
    /// The piece that Nature introduced or moved last, while the delay belongs to pieces (CHA-2).
    pub fresh: Square,
    /// True once Nature is out of the game (CHA-20): her pieces stand where they are, and attack nothing.
    pub eliminated: bool,
}

/// All of a position that is not on a square or in a stock; saved as a whole to undo a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status<M> {
    /// The real player on move.
    pub turn: Owner,
    /// The square that a pawn has just passed, where a capture on it is possible.
    pub en_passant: Square,
    /// A second one, after a longer step than two squares.
    pub en_passant_too: Square,
    /// The square that a pawn has just passed, whether or not it can be captured there. It explains illegal en
    /// passant captures and does not distinguish positions.
    pub passed: Square,
    /// Where the last ply went, in games other than plain ones. It reads notations that leave out the square of a
    /// recapture, and does not distinguish positions.
    pub arrived: Square,
    /// Rooks that may still castle.
    pub castling: M,
    /// Pieces that have never moved and have a right from it: those of the back rank (gating), or those with a first
    /// leap.
    pub unmoved: M,
    /// Plies since a pawn move, a capture or an entry (COM-5).
    pub halfmoves: u16,
    /// Number of the full move, from 1.
    pub number: u32,
    /// Entries from the reserve so far, by player.
    pub entries: [u8; 2],
    /// Checks given so far, by player; 0 where they are not counted.
    pub checks: [u8; 2],
    /// The count that runs.
    pub count: Option<Count>,
    /// The third player's state.
    pub nature: NatureState<M>,
    /// The incremental part of the position key.
    pub key: u64,
    /// True if the player on move is in check, from the opponent or Nature.
    pub in_check: bool,
    /// The passes that the last plies were: 0, 1, or 2 where the game is over. A FEN says only whether there were any.
    pub passes: u8,
    /// True if the player on move must capture.
    pub must_capture: bool,
    /// True while a ply is made that captured and has yet to explode.
    pub(super) explodes: bool,
    /// The ending that the position itself shows.
    pub over: Option<Over>,
}

/// A position without its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State<M> {
    pub(super) cells: [Option<Piece>; SQUARES_MAX],
    by_owner: [M; 3],
    /// The squares of all owners.
    occupied: M,
    pub(super) by_kind: [M; KIND_SLOTS],
    pub(super) promoted: M,
    pub(super) reserve: [Stock; 2],
    pub(super) hand: [Stock; 2],
    pub(super) status: Status<M>,
}

impl<M> Status<M> {
    /// The squares that a pawn has just passed and where a capture on it is possible, in their order.
    #[inline]
    pub fn en_passants(&self) -> impl Iterator<Item = Square> + use<M> {
        [self.en_passant, self.en_passant_too].into_iter().filter_map(Square::some)
    }
}

impl<M: Mask> State<M> {
    /// An empty board, White on move.
    pub(super) fn empty() -> State<M> {
        State {
            cells: [None; SQUARES_MAX],
            by_owner: [M::EMPTY; 3],
            occupied: M::EMPTY,
            by_kind: [M::EMPTY; KIND_SLOTS],
            promoted: M::EMPTY,
            reserve: [[0; KINDS_MAX]; 2],
            hand: [[0; KINDS_MAX]; 2],
            status: Status {
                turn: Owner::White,
                en_passant: Square::NONE,
                en_passant_too: Square::NONE,
                passed: Square::NONE,
                arrived: Square::NONE,
                castling: M::EMPTY,
                unmoved: M::EMPTY,
                halfmoves: 0,
                number: 1,
                entries: [0; 2],
                checks: [0; 2],
                count: None,
                nature: NatureState {
                    clock: 0,
                    unmoved: M::EMPTY,
                    doubles: M::EMPTY,
                    fresh: Square::NONE,
                    eliminated: false,
                },
                key: 0,
                in_check: false,
                passes: 0,
                must_capture: false,
                explodes: false,
                over: None,
            },
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.cells[square.index() % SQUARES_MAX]
    }

    /// The squares of an owner's pieces.
    #[inline]
    pub fn owned(&self, owner: Owner) -> M {
        self.by_owner[owner.index()]
    }

    /// The squares of a kind, of any owner.
    #[inline]
    pub fn of_kind(&self, kind: KindId) -> M {
        self.by_kind[kind.slot()]
    }

    /// The squares of an owner's pieces of a kind.
    #[inline]
    pub fn pieces(&self, owner: Owner, kind: KindId) -> M {
        self.by_owner[owner.index()] & self.by_kind[kind.slot()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> M {
        self.occupied
    }

    /// The squares of promoted pawns, if the game distinguishes them.
    pub fn promoted(&self) -> M {
        self.promoted
    }

    /// Everything besides squares and stocks.
    #[inline]
    pub fn status(&self) -> &Status<M> {
        &self.status
    }

    /// A player's reserve.
    pub fn reserve(&self, owner: Owner) -> &Stock {
        &self.reserve[owner.index()]
    }

    /// A player's hand.
    pub fn hand(&self, owner: Owner) -> &Stock {
        &self.hand[owner.index()]
    }

    /// The squares of an owner's pieces of several kinds.
    pub fn pieces_of(&self, owner: Owner, kinds: KindSet) -> M {
        kinds.kinds().fold(M::EMPTY, |all, kind| all | self.pieces(owner, kind))
    }

    /// The square of a player's king; [`Square::NONE`] before it is placed.
    #[inline]
    pub fn king(&self, rules: &Rules<M>, owner: Owner) -> Square {
        self.pieces(owner, rules.king).lowest()
    }

    /// The kings that cannot be captured (COM-2).
    #[inline]
    pub fn real_kings(&self, rules: &Rules<M>) -> M {
        self.of_kind(rules.king) & !self.by_owner[Owner::Nature.index()]
    }

    /// How many pieces a player has in reserve.
    #[inline]
    pub(super) fn reserve_total(&self, owner: Owner) -> u32 {
        self.reserve(owner).iter().map(|&count| u32::from(count)).sum()
    }

    /// Takes the rights to gate from a player with nothing left to gate, where a letter of the FEN would be a castling
    /// right then (IAV-4); king and rooks that may castle keep theirs.
    pub(super) fn forget_spent_gates(&mut self, rules: &Rules<M>) {
        let by_rook = |castling: &Castling| castling.notation == CastlingNotation::RookSquare;
        if rules.gating.is_none() || !rules.castling.as_ref().is_some_and(by_rook) {
            return;
        }
        for owner in Owner::REAL {
            if self.reserve_total(owner) > 0 {
                continue;
            }
            let rooks = self.status.castling & self.owned(owner);
            let king = self.king(rules, owner);
            let kept = if rooks.any() && king != Square::NONE { rooks | M::bit(king) } else { rooks };
            self.status.unmoved &= kept | !self.owned(owner);
        }
    }

    /// Entries from the reserve that a player has left.
    pub fn entries_left(&self, rules: &Rules<M>, owner: Owner) -> u8 {
        rules.entries.map_or(u8::MAX, |limit| limit.saturating_sub(self.status.entries[owner.index()]))
    }

    /// Entries left, if they matter and differ from the number of pieces in reserve, which is the usual number.
    pub(super) fn explicit_entries(&self, rules: &Rules<M>, owner: Owner) -> Option<u8> {
        let limit = rules.entries?;
        let reserve = self.reserve_total(owner).min(u32::from(u8::MAX)) as u8;
        let left = self.entries_left(rules, owner);
        // More entries than pieces matter only where the reserve may grow again (CHA-18).
        let grows = rules.captures_to_reserve || rules.nature.is_some() && !rules.hand_drops;
        let counts = if grows { left } else { left.min(reserve) };
        (counts != limit.min(reserve)).then_some(counts)
    }

    // Only the functions below change masks, cells and the key; they keep them consistent.

    #[inline]
    pub(super) fn place(&mut self, square: Square, piece: Piece, promoted: bool) {
        self.put(square, piece, promoted);
        self.status.key ^= hash::piece(piece, square);
        if promoted {
            self.status.key ^= hash::promoted(square);
        }
    }

    /// [`State::place`] without the key.
    #[inline(always)]
    pub(super) fn put(&mut self, square: Square, piece: Piece, promoted: bool) {
        self.cells[square.index() % SQUARES_MAX] = Some(piece);
        self.toggle(M::bit(square), piece);
        if promoted {
            self.promoted |= M::bit(square);
        }
    }

    #[inline(always)]
    fn toggle(&mut self, squares: M, piece: Piece) {
        self.by_owner[piece.owner.index()] ^= squares;
        self.by_kind[piece.kind.slot()] ^= squares;
        self.occupied ^= squares;
    }

    /// Moves a piece to a vacant square. True if the piece is marked as a promoted pawn.
    #[inline(always)]
    pub(super) fn shift_piece(&mut self, from: Square, to: Square, piece: Piece) -> bool {
        let (source, target) = (M::bit(from), M::bit(to));
        let both = source | target;
        self.cells[from.index() % SQUARES_MAX] = None;
        self.cells[to.index() % SQUARES_MAX] = Some(piece);
        self.toggle(both, piece);
        self.status.key ^= hash::piece(piece, from) ^ hash::piece(piece, to);
        let promoted = (self.promoted & source).any();
        if promoted {
            self.promoted ^= source | target;
            self.status.key ^= hash::promoted(from) ^ hash::promoted(to);
        }
        promoted
    }

    #[inline]
    pub(super) fn lift(&mut self, square: Square, piece: Piece) -> bool {
        let promoted = self.take(square, piece);
        self.status.key ^= hash::piece(piece, square);
        if promoted {
            self.status.key ^= hash::promoted(square);
        }
        promoted
    }

    /// [`State::lift`] without the key.
    #[inline(always)]
    pub(super) fn take(&mut self, square: Square, piece: Piece) -> bool {
        self.cells[square.index() % SQUARES_MAX] = None;
        self.toggle(M::bit(square), piece);
        let promoted = self.promoted.has(square);
        if promoted {
            self.promoted ^= M::bit(square);
        }
        promoted
    }

    pub(super) fn set_stock(&mut self, name: StockName, owner: Owner, kind: KindId, count: u8) {
        let stock = match name {
            StockName::Reserve => &mut self.reserve[owner.index()],
            StockName::Hand => &mut self.hand[owner.index()],
        };
        let old = std::mem::replace(&mut stock[kind.index()], count);
        self.status.key ^= hash::stock(name, owner, kind, old) ^ hash::stock(name, owner, kind, count);
    }

    pub(super) fn stock(&self, name: StockName, owner: Owner, kind: KindId) -> u8 {
        match name {
            StockName::Reserve => self.reserve[owner.index()][kind.index()],
            StockName::Hand => self.hand[owner.index()][kind.index()],
        }
    }

    #[inline(never)]
    pub(super) fn set_castling(&mut self, castling: M) {
        let mut changed = self.status.castling ^ castling;
        while changed.any() {
            self.status.key ^= hash::castling(changed.lowest());
            changed = changed.without_lowest();
        }
        self.status.castling = castling;
    }

    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        if self.status.en_passant != square {
            self.status.key ^= hash::en_passant(self.status.en_passant) ^ hash::en_passant(square);
            self.status.en_passant = square;
            self.set_en_passant_too(Square::NONE);
        }
    }

    /// The right on a second square, beside one on the first.
    #[inline]
    pub(super) fn set_en_passant_too(&mut self, square: Square) {
        if self.status.en_passant_too != square {
            self.status.key ^= hash::en_passant(self.status.en_passant_too) ^ hash::en_passant(square);
            self.status.en_passant_too = square;
        }
    }

    /// Sets the rights on those of the squares where a capture is possible: at most two, in the order of the squares.
    pub(super) fn set_en_passants(
        &mut self,
        rules: &Rules<M>,
        mover: Owner,
        passed: impl Iterator<Item = Square>,
    ) {
        let mut possible = passed.filter(|square| self.en_passant_is_possible(rules, mover, *square));
        let found = [possible.next(), possible.next()].map(|square| square.unwrap_or(Square::NONE));
        drop(possible);
        self.set_en_passant(found[0]);
        self.set_en_passant_too(found[1]);
    }

    /// Sets the number of checks that a player has given.
    pub(super) fn set_checks(&mut self, owner: Owner, count: u8) {
        let old = std::mem::replace(&mut self.status.checks[owner.index()], count);
        self.status.key ^= hash::checks(owner, old) ^ hash::checks(owner, count);
    }

    #[inline]
    pub(super) fn set_turn(&mut self, turn: Owner) {
        if self.status.turn != turn {
            self.status.key ^= hash::BLACK_TO_MOVE;
            self.status.turn = turn;
        }
    }
}
