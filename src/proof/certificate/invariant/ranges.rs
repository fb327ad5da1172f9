//! How a structure grows until no legal ply leaves it.

use super::lasting::{Lasting, Step};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::definition::PromotionTo;
use ferz_core::rules::{KindId, KindSet, Rules};

/// A piece of the start position, with all that it can become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Man<M> {
    /// The player whose piece it is.
    pub owner: Owner,
    /// Its kind at the start.
    pub kind: KindId,
    /// Its square at the start; `None` off the board.
    pub from: Option<Square>,
    /// Where it may stand, by its kind then.
    pub stands: Vec<(KindId, M)>,
    /// True if it may be captured.
    pub captured: bool,
}

impl<M: Mask> Man<M> {
    fn new(owner: Owner, kind: KindId, from: Option<Square>) -> Man<M> {
        let stands = from.map(|square| (kind, M::bit(square)));
        Man { owner, kind, from, stands: stands.into_iter().collect(), captured: false }
    }

    /// All squares where it may stand.
    pub fn squares(&self) -> M {
        self.stands.iter().fold(M::EMPTY, |all, (_, squares)| all | *squares)
    }

    /// Where it may stand as a piece of a kind.
    pub fn stands_as(&self, kind: KindId) -> M {
        let own = self.stands.iter().find(|(known, _)| *known == kind);
        own.map_or(M::EMPTY, |(_, squares)| *squares)
    }

    /// True if it stands on one square in every position.
    pub fn is_fixed(&self) -> bool {
        self.is_there() && self.squares().is_single()
    }

    /// True if it stands somewhere on the board in every position.
    pub fn is_there(&self) -> bool {
        self.from.is_some() && !self.captured
    }

    /// Adds squares; true if one is new.
    fn add(&mut self, kind: KindId, squares: M) -> bool {
        if squares.is_empty() {
            return false;
        }
        match self.stands.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => {
                let is_new = (squares & !*known).any();
                *known |= squares;
                is_new
            }
            None => {
                self.stands.push((kind, squares));
                self.stands.sort_unstable_by_key(|(kind, _)| kind.0);
                true
            }
        }
    }
}

/// Where one man may go from a square.
pub(super) struct Targets<M> {
    quiet: M,
    captures: M,
    /// Squares that it may enter by capturing en passant.
    passed: M,
}

impl<M: Mask> Targets<M> {
    const NONE: Targets<M> = Targets { quiet: M::EMPTY, captures: M::EMPTY, passed: M::EMPTY };

    pub(super) fn all(&self) -> M {
        self.quiet | self.captures | self.passed
    }
}

/// Where pieces can stand, at most. In every position that can occur
/// - each piece is one of the men, and stands on a square that the man may have as a piece of that kind, and
/// - each man that cannot be captured, and was on the board at the start, is on it,
///
/// or the player whose win is asked about has a lone king.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranges<M> {
    /// White's men before Black's, those on the board first, in the order of their squares.
    men: Vec<Man<M>>,
    /// What is supposed of the game.
    pub(super) supposed: Supposed<M>,
}

/// What is supposed of a game about pieces of its start position, by their squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supposed<M> {
    /// Pieces that are not captured before they have moved.
    pub kept: M,
    /// Pieces that are captured, and do not move before.
    pub taken: M,
}

impl<M: Mask> Supposed<M> {
    /// A game of which nothing is supposed.
    pub const NOTHING: Supposed<M> = Supposed { kept: M::EMPTY, taken: M::EMPTY };
}

impl<M: Mask> Ranges<M> {
    /// The position as it is, as if no piece could move.
    pub fn start(position: &Position<M>, supposed: Supposed<M>) -> Ranges<M> {
        let mut men = Vec::new();
        for owner in Owner::REAL {
            for square in position.owned(owner).squares() {
                let kind = position.piece(square).map(|piece| piece.kind);
                men.extend(kind.map(|kind| Man::new(owner, kind, Some(square))));
            }
            for kind in position.rules().all_kinds().kinds() {
                let count = position.reserve(owner)[kind.index()] + position.hand(owner)[kind.index()];
                men.extend((0..count).map(|_| Man::new(owner, kind, None)));
            }
        }
        Ranges { men, supposed }
    }

    /// The structure of these men; they must be those of the start position, each at least where it is then.
    pub(super) fn of(men: Vec<Man<M>>, supposed: Supposed<M>, position: &Position<M>) -> Option<Ranges<M>> {
        let start = Ranges::start(position, supposed);
        let is_man = |(man, own): (&Man<M>, &Man<M>)| {
            let there =
                own.stands.iter().all(|(kind, squares)| (*squares & !man.stands_as(*kind)).is_empty());
            (man.owner, man.kind, man.from) == (own.owner, own.kind, own.from) && there
        };
        let known = men.len() == start.men.len() && men.iter().zip(&start.men).all(is_man);
        known.then_some(Ranges { men, supposed })
    }

    /// The men, in the order of [`Ranges::start`].
    pub fn men(&self) -> &[Man<M>] {
        &self.men
    }

    /// The men of a player.
    pub(super) fn men_of(&self, owner: Owner) -> impl Iterator<Item = &Man<M>> {
        self.men.iter().filter(move |man| man.owner == owner)
    }

    /// The squares where a player's pieces of a kind may stand.
    pub fn stands(&self, owner: Owner, kind: KindId) -> M {
        self.men_of(owner).fold(M::EMPTY, |all, man| all | man.stands_as(kind))
    }

    /// The squares of pieces that never move and are never captured.
    pub fn fixed(&self) -> M {
        let fixed = self.men.iter().filter(|man| man.is_fixed());
        fixed.fold(M::EMPTY, |all, man| all | man.squares())
    }

    /// The same pieces on the same squares, with nothing supposed.
    pub(super) fn supposing_nothing(&self) -> Ranges<M> {
        Ranges { men: self.men.clone(), supposed: Supposed::NOTHING }
    }

    /// The squares of pieces that may be captured where they stood at the start, and are not known to leave them.
    pub(super) fn endangered(&self) -> M {
        let endangered = self.men.iter().filter(|man| man.captured && man.squares().is_single());
        M::of(endangered.filter_map(|man| man.from))
    }

    /// True if some piece may become another one.
    pub(super) fn promotes(&self) -> bool {
        self.men.iter().any(|man| man.stands.len() > 1)
    }

    /// All squares where a piece of a player may stand, besides its king.
    pub(super) fn pieces(&self, rules: &Rules<M>, owner: Owner) -> M {
        let others = self.men_of(owner).filter(|man| man.kind != rules.king);
        others.fold(M::EMPTY, |all, man| all | man.squares())
    }

    /// Adds where every legal ply may lead from the positions of the structure; false if it leads nowhere new.
    pub fn grow(&mut self, start: &Position<M>, by: Owner) -> bool {
        let mut grown = self.en_passant_at_start(start);
        for owner in Owner::REAL {
            grown |= self.castlings(start, owner) | self.entries(start, owner);
        }
        let lasting = Lasting::new(self, start, by);
        for number in 0..self.men.len() {
            for (kind, squares) in self.men[number].stands.clone() {
                for from in squares.squares() {
                    grown |= self.steps(start, &lasting, number, kind, from);
                }
            }
        }
        grown
    }

    /// Adds the targets of one man.
    fn steps(
        &mut self,
        start: &Position<M>,
        lasting: &Lasting<M>,
        number: usize,
        kind: KindId,
        from: Square,
    ) -> bool {
        let rules = start.rules();
        let is_open = |step: Step| !lasting.is_closed(self, start, step);
        let targets = self.targets(start, lasting, number, kind, from, is_open);
        let all = targets.all();
        if all.is_empty() {
            return false;
        }
        let owner = self.men[number].owner;
        let mut grown = self.capture(rules, owner.opponent(), targets.captures, targets.passed);
        let man = &mut self.men[number];
        let promotion = &rules.promotion[owner];
        let promotes = if rules.is_pawn(kind) { all & promotion.zone } else { M::EMPTY };
        for to in promotes.squares() {
            for kind in promotions(rules, owner, to).kinds() {
                grown |= man.add(kind, M::bit(to));
            }
        }
        grown | man.add(kind, all & !(promotes & promotion.forced))
    }

    /// The targets of one man, as far as its steps there are open.
    pub(super) fn targets(
        &self,
        start: &Position<M>,
        lasting: &Lasting<M>,
        number: usize,
        kind: KindId,
        from: Square,
        is_open: impl Fn(Step) -> bool,
    ) -> Targets<M> {
        let rules = start.rules();
        let owner = self.men[number].owner;
        let other = owner.opponent();
        if self.men[number].from.is_some_and(|from| self.supposed.taken.has(from)) {
            return Targets::NONE;
        }
        let (quiet, capture) = reach(rules, owner, kind, from, lasting.fixed);
        let enemies = if lasting.captures[owner.index()] { lasting.pieces[other.index()] } else { M::EMPTY };
        let mut passed = M::EMPTY;
        let mut quiet = quiet & !lasting.fixed;
        // A piece that never moves is never captured if it is not before it has moved.
        let kept = lasting.fixed & self.supposed.kept;
        let mut captures = capture & enemies & !(lasting.fixed & start.owned(owner)) & !kept;
        if kind == rules.king {
            quiet &= !lasting.attacked[other.index()];
            captures &= !lasting.attacked[other.index()];
        }
        if rules.is_pawn(kind) {
            quiet |= first_steps(rules, owner, from, lasting.fixed);
            if lasting.captures[owner.index()] && rules.en_passant {
                passed = capture & self.passed_by(rules, other, lasting.fixed);
            }
        }
        let open = |targets: M, takes: bool| {
            let step = |to: Square| Step { man: number, kind, from, to, takes };
            M::of(targets.squares().filter(|to| is_open(step(*to))))
        };
        Targets { quiet: open(quiet, false), captures: open(captures, true), passed }
    }

    /// Lets the men of a player be captured on these squares, or on their way past these; true if one is new.
    fn capture(&mut self, rules: &Rules<M>, owner: Owner, on: M, passed: M) -> bool {
        let mut grown = false;
        let fixed = self.fixed();
        for man in self.men.iter_mut().filter(|man| man.owner == owner && !man.captured) {
            let passes = |from: Square| first_steps(rules, owner, from, fixed).any();
            let by_the_way = passed.any()
                && man
                    .stands
                    .iter()
                    .any(|(kind, squares)| rules.is_pawn(*kind) && squares.squares().any(passes));
            if man.kind != rules.king && ((man.squares() & on).any() || by_the_way) {
                man.captured = true;
                grown = true;
            }
        }
        grown
    }

    /// The squares that a first step of a player's pawn may pass.
    fn passed_by(&self, rules: &Rules<M>, owner: Owner, fixed: M) -> M {
        let pawns = rules.pawns.kinds().fold(M::EMPTY, |all, pawn| all | self.stands(owner, pawn));
        pawns.squares().fold(M::EMPTY, |all, from| {
            let steps = first_steps(rules, owner, from, fixed);
            all | steps.squares().fold(M::EMPTY, |all, to| all | rules.geometry.between(from, to))
        })
    }

    /// The pawn that may be captured en passant at the start, and the capturing one may reach its square.
    fn en_passant_at_start(&mut self, start: &Position<M>) -> bool {
        let (rules, mover) = (start.rules(), start.turn());
        let Some(passed) = start.status().en_passant.some() else { return false };
        let victim = rules.board().offset(passed, 0, -mover.forward());
        let mut grown = false;
        for man in &mut self.men {
            let Some(from) = man.from.filter(|_| rules.is_pawn(man.kind)) else { continue };
            if Some(from) == victim && !man.captured {
                man.captured = true;
                grown = true;
            }
            let captures = rules.moves[mover].origins(man.kind.index(), passed, true).any;
            if man.owner == mover && captures.has(from) {
                grown |= man.add(man.kind, M::bit(passed));
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
            let (king_to, rook_to) = rules.castling_targets(castling, king, rook);
            for man in self.men.iter_mut().filter(|man| man.owner == owner) {
                let to = match man.from {
                    Some(from) if king == from => king_to,
                    Some(from) if from == rook => rook_to,
                    _ => continue,
                };
                grown |= man.add(man.kind, M::bit(to));
            }
        }
        grown
    }

    /// Adds where pieces off the board may enter.
    fn entries(&mut self, start: &Position<M>, owner: Owner) -> bool {
        let rules = start.rules();
        let drops = &rules.drops[owner];
        let fixed = self.fixed();
        let mut grown = false;
        for man in self.men.iter_mut().filter(|man| man.owner == owner && man.from.is_none()) {
            let kind = man.kind;
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
            grown |= man.add(kind, squares & !fixed);
        }
        grown
    }
}

/// Where a pawn's first step of more than one square may lead, with only these squares in its way.
pub(super) fn first_steps<M: Mask>(rules: &Rules<M>, owner: Owner, from: Square, fixed: M) -> M {
    if !rules.double_step[owner].has(from) {
        return M::EMPTY;
    }
    let ahead = |by: u8| rules.board().offset(from, 0, by as i8 * owner.forward());
    let free = |by: &u8| ahead(*by).is_some_and(|square| !fixed.has(square));
    let steps = (1..=rules.first_step).take_while(free).skip(1);
    M::of(steps.filter_map(ahead))
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
