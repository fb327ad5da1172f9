//! What holds in all positions of a structure: what can stand in the way, be captured, and give check.

use super::ranges::{Man, Ranges, first_steps, piece_count, reach};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::KindId;

/// Squares of a piece that may be in the way wherever it stands: one with more leaves every line free somewhere.
const OBSTACLE_SQUARES: u32 = 7;

/// A structure, with what holds in all its positions.
#[derive(Clone)]
pub(super) struct Lasting<M> {
    /// The squares of pieces that never move and are never captured.
    pub fixed: M,
    /// By player: squares where a piece other than the king may stand.
    pub pieces: [M; 2],
    /// By player: squares that are attacked wherever the pieces are that are always there.
    pub attacked: [M; 2],
    /// By player: whether captures matter. The last piece of the player whose win is asked about may be captured, but
    /// what follows is no win.
    pub captures: [bool; 2],
    /// The men that move, but are always there, by their numbers; each with its squares.
    obstacles: Vec<(usize, M)>,
    /// Squares where any piece may stand.
    occupied: M,
    /// By player: true if no piece besides the king ever has a legal ply, wherever the opponent's king has gone.
    only_king: [bool; 2],
    /// The player whose win is asked about.
    by: Owner,
}

/// A ply of a man between two squares.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The number of the man.
    pub man: usize,
    /// What the man is when it makes the step.
    pub kind: KindId,
    pub from: Square,
    pub to: Square,
    /// True if it captures.
    pub takes: bool,
}

impl<M: Mask> Lasting<M> {
    pub(super) fn new(ranges: &Ranges<M>, start: &Position<M>, by: Owner) -> Lasting<M> {
        let rules = start.rules();
        let last = piece_count(start, by) == 1;
        let occupied = ranges.men().iter().fold(M::EMPTY, |all, man| all | man.squares());
        let there = ranges.men().iter().enumerate().filter(|(_, man)| man.is_there() && !man.is_fixed());
        let few = there.map(|(number, man)| (number, man.squares()));
        let mut lasting = Lasting {
            fixed: ranges.fixed(),
            pieces: Owner::REAL.map(|owner| ranges.pieces(rules, owner)),
            attacked: [M::EMPTY; 2],
            captures: Owner::REAL.map(|owner| owner == by || !last),
            obstacles: few.filter(|(_, squares)| squares.count() <= OBSTACLE_SQUARES).collect(),
            occupied,
            only_king: [false; 2],
            by,
        };
        for man in ranges.men().iter().filter(|man| man.is_there()) {
            lasting.attacked[man.owner.index()] |= lasting.always_attacked(start, man, M::EMPTY);
        }
        lasting.only_king = Owner::REAL.map(|owner| lasting.only_king(ranges, start, owner, M::EMPTY));
        lasting
    }

    /// True if no piece of a player besides its king ever has a legal ply, wherever the opponent's king has gone, and
    /// although it has captured what stood on the squares of `gone`.
    fn only_king(&self, ranges: &Ranges<M>, start: &Position<M>, owner: Owner, gone: M) -> bool {
        let rules = start.rules();
        let men = || {
            ranges.men().iter().enumerate().filter(|(_, man)| man.owner == owner && man.kind != rules.king)
        };
        // A piece off the board may enter it.
        let stays = |man: &Man<M>| man.from.is_some() && man.stands.len() == 1 && man.squares().is_single();
        if (start.status().castling & start.owned(owner)).any() || !men().all(|(_, man)| stays(man)) {
            return false;
        }
        // A ply that is supposed not to be played is legal.
        let free = ranges.supposing_nothing();
        let is_king = |man: &Man<M>| man.kind == rules.king && man.owner != owner;
        let mut without = self.clone();
        without.fixed &= !(ranges.stands(owner.opponent(), rules.king) | gone);
        without
            .obstacles
            .retain(|(number, squares)| !is_king(&ranges.men()[*number]) && (*squares & gone).is_empty());
        men().all(|(number, man)| {
            let is_open = |step: Step| !without.is_obstructed(&free, start, step);
            free.targets(start, &without, number, man.kind, man.squares().lowest(), is_open).all().is_empty()
        })
    }

    /// The squares that a man attacks wherever it is, with another piece on the squares of `also`.
    fn always_attacked(&self, start: &Position<M>, man: &Man<M>, also: M) -> M {
        let [(kind, squares)] = man.stands[..] else { return M::EMPTY };
        let mut all = !M::EMPTY;
        for from in squares.squares() {
            all &= reach(start.rules(), man.owner, kind, from, self.occupied | also).1;
            if all.is_empty() {
                break;
            }
        }
        all
    }

    /// The squares that a player's men attack wherever they are, without the man that makes a step, which may stand in
    /// their way after it.
    fn guarded(&self, ranges: &Ranges<M>, start: &Position<M>, step: Step) -> M {
        let owner = ranges.men()[step.man].owner;
        let men = ranges.men().iter().enumerate();
        let others = men.filter(|(number, man)| man.owner == owner && man.is_there() && *number != step.man);
        others.fold(M::EMPTY, |all, (_, man)| all | self.always_attacked(start, man, M::bit(step.to)))
    }

    /// True if no position of the structure allows the step, or if the game is over after it and not won.
    pub(super) fn is_closed(&self, ranges: &Ranges<M>, start: &Position<M>, step: Step) -> bool {
        self.is_obstructed(ranges, start, step)
            || self.mates(ranges, start, step)
            || self.stalemates(ranges, start, step)
    }

    /// True if a piece that is always there is in the way of a step wherever it stands.
    fn is_obstructed(&self, ranges: &Ranges<M>, start: &Position<M>, step: Step) -> bool {
        let rules = start.rules();
        let man = &ranges.men()[step.man];
        let reach = rules.moves[man.owner].reach(step.kind.index(), step.from);
        let leaps = (reach.leap_quiet | reach.leap_capture).has(step.to);
        let between = if leaps { M::EMPTY } else { rules.geometry.between(step.from, step.to) };
        self.obstacles.iter().any(|(number, squares)| {
            let other = &ranges.men()[*number];
            let taken = step.takes && other.owner != man.owner;
            let way = between | if taken { M::EMPTY } else { M::bit(step.to) };
            *number != step.man
                && ((*squares & !M::bit(step.from) & !way).is_empty()
                    || self.would_pass(start, man, other, step.to))
        })
    }

    /// True if a pawn would come to one that it faces, or pass it, wherever that one stands: both keep to their file.
    fn would_pass(&self, start: &Position<M>, pawn: &Man<M>, other: &Man<M>, to: Square) -> bool {
        let rules = start.rules();
        let (Some(from), Some(facing)) = (pawn.from, other.from) else { return false };
        let board = rules.board();
        let file = rules.geometry.file(board.file(from));
        let stays = |man: &Man<M>| {
            rules.is_pawn(man.kind) && man.stands.len() == 1 && (man.squares() & !file).is_empty()
        };
        let ahead = |a: Square, b: Square| match pawn.owner {
            Owner::White => board.rank(a) < board.rank(b),
            _ => board.rank(a) > board.rank(b),
        };
        pawn.owner != other.owner
            && file.has(to)
            && stays(pawn)
            && stays(other)
            && ahead(from, facing)
            && !other.squares().squares().any(|on| ahead(to, on))
    }

    /// True if the step mates the player whose win is asked about, wherever all other pieces stand: its king has no
    /// square to go to, and nothing can capture what gives check or come between.
    fn mates(&self, ranges: &Ranges<M>, start: &Position<M>, step: Step) -> bool {
        let rules = start.rules();
        let checker = &ranges.men()[step.man];
        if checker.owner == self.by || checker.kind == rules.king || rules.is_pawn(step.kind) {
            return false;
        }
        let kings = ranges.men_of(self.by).filter(|man| man.kind == rules.king && man.is_fixed());
        let king = kings.fold(M::EMPTY, |all, man| all | man.squares());
        let attacked = reach(rules, checker.owner, step.kind, step.to, self.occupied).1;
        if (attacked & king).is_empty() {
            return false;
        }
        let flights = rules.moves[self.by].reach(rules.king.index(), king.lowest());
        let own = self.fixed & start.owned(self.by) & !M::bit(step.to);
        // Past the king, too: it does not stand in its own way.
        let beyond = reach(rules, checker.owner, step.kind, step.to, self.occupied & !king).1;
        let free =
            (flights.leap_quiet | flights.leap_capture) & !own & !self.guarded(ranges, start, step) & !beyond;
        let between = rules.geometry.between(king.lowest(), step.to);
        // What the checker stood in the way of is open.
        let in_way = self.fixed & !M::bit(step.from);
        let answers = |man: &Man<M>| {
            man.kind != rules.king
                && man.stands.iter().any(|(kind, squares)| {
                    squares.squares().any(|from| {
                        let (quiet, capture) = reach(rules, self.by, *kind, from, in_way);
                        let quiet = quiet | first_steps(rules, self.by, from, M::EMPTY);
                        (quiet & between | capture & (between | M::bit(step.to))).any()
                    })
                })
        };
        let enters = ranges.men_of(self.by).any(|man| man.from.is_none())
            || (start.status().castling & start.owned(self.by)).any();
        free.is_empty() && !enters && !ranges.men_of(self.by).any(answers)
    }

    /// True if a king's step leaves the opponent no legal ply wherever its king stands: nothing else of the opponent's
    /// ever has one. The step itself gives no check, or ends the game against the player whose win is asked about.
    fn stalemates(&self, ranges: &Ranges<M>, start: &Position<M>, step: Step) -> bool {
        let rules = start.rules();
        let owner = ranges.men()[step.man].owner;
        let other = owner.opponent();
        if step.kind != rules.king || !self.only_king[other.index()] {
            return false;
        }
        if step.takes && !self.only_king(ranges, start, other, M::bit(step.to)) {
            return false;
        }
        let near = rules.moves[owner].reach(step.kind.index(), step.to).leap_capture;
        let kings = ranges.stands(other, rules.king) & !near & !M::bit(step.to);
        let own = self.fixed & start.owned(other) & !M::bit(step.to);
        let guarded = self.guarded(ranges, start, step);
        kings.squares().all(|king| {
            let reach = rules.moves[other].reach(step.kind.index(), king);
            let free = (reach.leap_quiet | reach.leap_capture) & !own & !near & !guarded;
            free.is_empty() && (owner != self.by || !self.discovers(ranges, start, step, king))
        })
    }

    /// True if a piece of the king's owner may give check to a king on `to` when its own king leaves the line.
    fn discovers(&self, ranges: &Ranges<M>, start: &Position<M>, step: Step, to: Square) -> bool {
        let rules = start.rules();
        ranges.men_of(ranges.men()[step.man].owner).any(|man| {
            man.stands.iter().any(|(kind, squares)| {
                let origins = rules.moves[man.owner].origins(kind.index(), to, true);
                (origins.any & *squares).squares().any(|from| {
                    let between = rules.geometry.between(from, to);
                    between.has(step.from) && (between & self.fixed & !M::bit(step.from)).is_empty()
                })
            })
        })
    }
}
