//! How a structure grows until no legal ply leaves it.

use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::definition::PromotionTo;
use ferz_core::rules::{KIND_SLOTS, KindId, KindSet, Rules};

/// Where pieces can stand, at most. In every position that can occur
/// - each piece stands on a square of its owner and kind, and
/// - each fixed square has the piece that it had at the start,
///
/// or the player whose win is asked about has a lone king.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranges<M> {
    /// By player and kind.
    stands: [[M; KIND_SLOTS]; 2],
    /// The squares of pieces that never move and are never captured.
    fixed: M,
}

/// What can stand in the way, be captured, and give check in all positions of a structure.
struct Lasting<M> {
    /// By player: squares where a piece other than the king may stand.
    pieces: [M; 2],
    /// By player: squares that fixed pieces always attack.
    attacked: [M; 2],
    /// By player: whether captures matter. The last piece of the player whose win is asked about may be captured, but
    /// what follows is no win.
    captures: [bool; 2],
}

impl<M: Mask> Ranges<M> {
    /// A structure without pieces.
    pub(super) fn new(fixed: M) -> Ranges<M> {
        Ranges { stands: [[M::EMPTY; KIND_SLOTS]; 2], fixed }
    }

    /// The position as it is, as if no piece could move.
    pub fn start(position: &Position<M>) -> Ranges<M> {
        let mut ranges = Ranges::new(position.occupied());
        ranges.add_start(position);
        ranges
    }

    /// Adds the squares of the position's pieces; true if one was missing, or an empty square was fixed.
    pub(super) fn add_start(&mut self, position: &Position<M>) -> bool {
        let rules = position.rules();
        let mut added = (self.fixed & !position.occupied()).any();
        self.fixed &= position.occupied();
        for owner in Owner::REAL {
            for kind in rules.all_kinds().kinds() {
                added |= self.add(owner, kind, position.pieces(owner, kind));
            }
        }
        added
    }

    /// The squares where a piece may stand.
    pub fn stands(&self, owner: Owner, kind: KindId) -> M {
        self.stands[owner.index()][kind.slot()]
    }

    /// The squares of pieces that never move and are never captured.
    pub fn fixed(&self) -> M {
        self.fixed
    }

    /// Adds squares; true if one is new.
    pub(super) fn add(&mut self, owner: Owner, kind: KindId, squares: M) -> bool {
        let known = &mut self.stands[owner.index()][kind.slot()];
        let is_new = (squares & !*known).any();
        *known |= squares;
        is_new
    }

    /// Frees fixed squares; true if there are any.
    fn free(&mut self, squares: M) -> bool {
        let freed = (self.fixed & squares).any();
        self.fixed &= !squares;
        freed
    }

    /// All squares where a piece of a player may stand, besides its king.
    pub(super) fn pieces(&self, rules: &Rules<M>, owner: Owner) -> M {
        let others = rules.all_kinds().kinds().filter(|kind| *kind != rules.king);
        others.fold(M::EMPTY, |all, kind| all | self.stands(owner, kind))
    }

    /// Adds where every legal ply may lead from the positions of the structure; false if it leads nowhere new.
    pub fn grow(&mut self, start: &Position<M>, by: Owner) -> bool {
        let rules = start.rules();
        let lasting = self.lasting(start, by);
        let mut grown = false;
        for owner in Owner::REAL {
            for kind in rules.all_kinds().kinds() {
                for from in self.stands(owner, kind).squares() {
                    grown |= self.steps(start, &lasting, (owner, kind), from);
                }
            }
            grown |= self.castlings(start, owner) | self.entries(start, owner);
        }
        grown | self.en_passant_at_start(start)
    }

    fn lasting(&self, start: &Position<M>, by: Owner) -> Lasting<M> {
        let rules = start.rules();
        let occupied = Owner::REAL
            .into_iter()
            .fold(M::EMPTY, |all, owner| all | self.pieces(rules, owner) | self.stands(owner, rules.king));
        let attacked = Owner::REAL.map(|owner| {
            let fixed = self.fixed & start.owned(owner);
            fixed.squares().fold(M::EMPTY, |all, from| {
                let Some(piece) = start.piece(from) else { return all };
                all | reach(rules, owner, piece.kind, from, occupied).1
            })
        });
        let last = piece_count(start, by) == 1;
        let captures = Owner::REAL.map(|owner| owner == by || !last);
        Lasting { pieces: Owner::REAL.map(|owner| self.pieces(rules, owner)), attacked, captures }
    }

    /// Adds the targets of one piece.
    fn steps(
        &mut self,
        start: &Position<M>,
        lasting: &Lasting<M>,
        (owner, kind): (Owner, KindId),
        from: Square,
    ) -> bool {
        let rules = start.rules();
        let other = owner.opponent();
        let (quiet, capture) = reach(rules, owner, kind, from, self.fixed);
        let enemies = if lasting.captures[owner.index()] { lasting.pieces[other.index()] } else { M::EMPTY };
        let captures = capture & enemies & !(self.fixed & start.owned(owner));
        let mut targets = quiet & !self.fixed | captures;
        if kind == rules.king {
            targets &= !lasting.attacked[other.index()];
        }
        if rules.is_pawn(kind) {
            targets |= self.double_step(rules, owner, from);
            if lasting.captures[owner.index()] && rules.en_passant {
                targets |= capture & self.passed_by(rules, other);
            }
        }
        if targets.is_empty() {
            return false;
        }
        let mut grown = self.free(M::bit(from) | targets & captures);
        let promotion = &rules.promotion[owner];
        let promotes = if rules.is_pawn(kind) { targets & promotion.zone } else { M::EMPTY };
        for to in promotes.squares() {
            for kind in promotions(rules, owner, to).kinds() {
                grown |= self.add(owner, kind, M::bit(to));
            }
        }
        grown | self.add(owner, kind, targets & !(promotes & promotion.forced))
    }

    /// The target of a double step that no fixed piece blocks.
    fn double_step(&self, rules: &Rules<M>, owner: Owner, from: Square) -> M {
        let offset = |by: i8| rules.board().offset(from, 0, by * owner.forward());
        match (offset(1), offset(2)) {
            (Some(passed), Some(to)) if rules.double_step[owner].has(from) => {
                let blocked = ((M::bit(passed) | M::bit(to)) & self.fixed).any();
                if blocked { M::EMPTY } else { M::bit(to) }
            }
            _ => M::EMPTY,
        }
    }

    /// The squares that a double step of a player's pawn may pass.
    fn passed_by(&self, rules: &Rules<M>, owner: Owner) -> M {
        let pawns = rules.pawns.kinds().fold(M::EMPTY, |all, pawn| all | self.stands(owner, pawn));
        let steps = pawns.squares().filter(|from| self.double_step(rules, owner, *from).any());
        M::of(steps.filter_map(|from| rules.board().offset(from, 0, owner.forward())))
    }

    /// The pawn that may be captured en passant at the start is not fixed, and the capturing one may reach its square.
    fn en_passant_at_start(&mut self, start: &Position<M>) -> bool {
        let (rules, mover) = (start.rules(), start.turn());
        let Some(passed) = start.status().en_passant.some() else { return false };
        let victim = rules.board().offset(passed, 0, -mover.forward()).map_or(M::EMPTY, M::bit);
        let mut grown = self.free(victim);
        for pawn in rules.pawns.kinds() {
            let from = rules.moves[mover].origins(pawn.index(), passed, true).any & start.pieces(mover, pawn);
            if from.any() {
                grown |= self.free(from) | self.add(mover, pawn, M::bit(passed));
            }
        }
        grown
    }

    /// Adds the targets of king and rook for every right to castle.
    fn castlings(&mut self, start: &Position<M>, owner: Owner) -> bool {
        let rules = start.rules();
        let (Some(castling), king) = (&rules.castling, start.state().king(rules, owner)) else {
            return false;
        };
        let mut grown = false;
        for rook in (start.status().castling & start.owned(owner)).squares() {
            let Some(piece) = start.piece(rook) else { continue };
            let (king_to, rook_to) = rules.castling_targets(castling, king, rook);
            grown |= self.free(M::bit(king) | M::bit(rook) | M::bit(king_to) | M::bit(rook_to));
            grown |= self.add(owner, rules.king, M::bit(king_to));
            grown |= self.add(owner, piece.kind, M::bit(rook_to));
        }
        grown
    }

    /// Adds where pieces off the board may enter.
    fn entries(&mut self, start: &Position<M>, owner: Owner) -> bool {
        let rules = start.rules();
        let drops = &rules.drops[owner];
        let mut grown = false;
        for kind in rules.all_kinds().kinds() {
            let mut squares = M::EMPTY;
            if start.reserve(owner)[kind.index()] > 0 && start.entries_left(owner) > 0 {
                squares |= drops.reserve;
                if rules.gating.is_some() {
                    squares |= start.status().unmoved & start.owned(owner);
                }
            }
            if start.hand(owner)[kind.index()] > 0 {
                squares |=
                    if rules.hand_drops { drops.hand } else { rules.array_squares[owner][kind.index()] };
            }
            grown |= self.add(owner, kind, squares & !self.fixed);
        }
        grown
    }
}

/// How many pieces a player has besides the king, on the board and off it.
pub(super) fn piece_count<M: Mask>(start: &Position<M>, owner: Owner) -> u32 {
    let stocks = start.reserve(owner).iter().chain(start.hand(owner));
    start.owned(owner).count() - 1 + stocks.map(|&count| u32::from(count)).sum::<u32>()
}

/// The squares that a piece reaches if only `occupied` squares block it: as quiet moves, and as captures.
pub(super) fn reach<M: Mask>(
    rules: &Rules<M>,
    owner: Owner,
    kind: KindId,
    from: Square,
    occupied: M,
) -> (M, M) {
    let moves = &rules.moves[owner];
    let reach = moves.reach(kind.index(), from);
    let (mut quiet, mut capture) = (reach.leap_quiet, reach.leap_capture);
    let mut slide = |slides: M| {
        quiet |= reach.slide_quiet & slides;
        capture |= reach.slide_capture & slides;
    };
    if moves.slides_straight().has(kind) {
        slide(rules.geometry.rook_slides(from, occupied));
    }
    if moves.slides_diagonally().has(kind) {
        slide(rules.geometry.bishop_slides(from, occupied));
    }
    (quiet, capture)
}

/// The kinds that a pawn may become on a square, at most.
fn promotions<M: Mask>(rules: &Rules<M>, owner: Owner, to: Square) -> KindSet {
    let promotion = &rules.promotion[owner];
    match rules.promotion_to {
        PromotionTo::Kinds | PromotionTo::Armies => promotion.kinds,
        PromotionTo::Pool => {
            rules.all_kinds().kinds().filter(|kind| *kind != rules.king && !rules.is_pawn(*kind)).collect()
        }
        PromotionTo::ArraySquare => promotion.by_square[to.index()].into_iter().collect(),
    }
}
