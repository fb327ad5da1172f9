//! Searches for a line that wins with the help of both sides.
//!
//! Depth first, deeper with every round. Plies that make progress towards a mate in a corner cost no depth: the
//! attacker's captures and pawn moves, and steps that bring a king or a leaper of either side nearer to its place
//! there. Plies of the victim that remove material cost more. A heuristic may miss a line; it never invents one.

use super::dice::Dice;
use crate::certificate::{Ranges, is_won};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::{Ply, Position, Verb};
use ferz_core::rules::moves::connects;
use ferz_core::rules::{KindId, Rules};
use ferz_core::text::Budget;

/// Plies of a line at most, so that it also fits the stack.
const LINE_PLIES_MAX: usize = 400;
/// Rounds: the depth of the last one, in plies that make no progress.
const ROUNDS: u32 = 96;
/// Positions of a round for each unit of its depth.
const NODES_PER_DEPTH: u64 = 30_000;
/// Depth that a ply costs which works against the line.
const SETBACK: u32 = 4;
/// Entries of the table of visited positions.
const TABLE: usize = 1 << 16;
/// No way leads there.
pub(super) const FAR: u8 = u8::MAX;

/// Kings of a mate, the victim's most often in a corner, with the ways of all pieces there.
pub(super) struct Place {
    /// By owner (attacker, victim), kind and square: the plies of a piece to where it helps.
    ways: [Vec<Vec<u8>>; 2],
}

struct Search<'s, M> {
    position: Position<M>,
    by: Owner,
    attacker: Owner,
    place: &'s Place,
    budget: &'s Budget,
    line: Vec<Ply>,
    /// Visited positions by key, with the depth that was left.
    table: Vec<(u64, u32)>,
    /// Positions left in this round.
    left: u64,
    spent: u64,
    /// True if a limit ended a line of this round.
    cut: bool,
    /// True if captures by and of the victim's pawns are progress: they open what is closed.
    opens: bool,
    /// True if the attacker has one piece besides the king: the victim's must help.
    needs_help: bool,
    /// True if the last ply made progress: the answer to it costs no depth either.
    progress: bool,
}

/// Searches for a line that ends in a win of `by`, over at most `nodes` positions.
pub(super) fn search<M: Mask>(
    start: &Position<M>,
    by: Owner,
    places: &[Place],
    nodes: u64,
    budget: &Budget,
    spent: &mut u64,
) -> Option<Vec<Ply>> {
    let rules = start.rules();
    let attacker = if rules.ends.misere { by.opponent() } else { by };
    let first = places.first()?;
    let mut search = Search {
        position: start.clone(),
        by,
        attacker,
        place: first,
        budget,
        line: Vec::new(),
        table: vec![(0, 0); TABLE],
        left: 0,
        spent: 0,
        cut: false,
        opens: false,
        needs_help: start.owned(attacker).count() == 2,
        progress: false,
    };
    for depth in 1..=ROUNDS {
        for (place, opens) in places.iter().flat_map(|place| [(place, false), (place, true)]) {
            (search.place, search.opens) = (place, opens);
            search.table.fill((0, 0));
            search.left = (u64::from(depth) * NODES_PER_DEPTH).min(nodes.saturating_sub(search.spent));
            (search.cut, search.progress) = (false, false);
            let found = search.visit(depth);
            if found || !search.cut || search.spent >= nodes || budget.check().is_err() {
                *spent += search.spent;
                return found.then_some(search.line);
            }
        }
    }
    *spent += search.spent;
    None
}

/// Plies of a random line at most: long enough to promote a pawn and mate with it, however clumsily.
const RANDOM_PLIES_MAX: usize = 300;
/// Plies of the first random lines.
const RANDOM_PLIES_FIRST: usize = 20;
/// Random lines of one length before the next ones are twice as long.
const RANDOM_LINES: usize = 64;

/// Plays deterministic random lines, short ones first: they find wins that no corner leads to.
pub(super) fn playout<M: Mask>(
    start: &Position<M>,
    by: Owner,
    nodes: u64,
    budget: &Budget,
    spent: &mut u64,
) -> Option<Vec<Ply>> {
    let mut dice = Dice::new();
    let mut rounds = 0;
    let until = spent.saturating_add(nodes);
    while *spent < until {
        let length = (RANDOM_PLIES_FIRST << (rounds / RANDOM_LINES)).min(RANDOM_PLIES_MAX);
        rounds = (rounds + 1) % (RANDOM_LINES * 8);
        let mut position = start.clone();
        let mut line = Vec::new();
        while line.len() <= length && *spent < until {
            budget.spend(1).ok()?;
            *spent += 1;
            let plies = position.plies();
            if plies.is_empty() {
                if is_won(&position, by) {
                    return Some(line);
                }
                break;
            }
            let ply = dice.pick(&plies);
            position.apply(&ply);
            line.push(ply);
        }
    }
    None
}

/// What a ply does for the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Progress,
    Neutral,
    Setback,
}

impl<M: Mask> Search<'_, M> {
    /// Searches from the position on the board; true if `line` wins.
    fn visit(&mut self, depth: u32) -> bool {
        self.spent += 1;
        self.left = self.left.saturating_sub(1);
        let plies = self.position.plies();
        if plies.is_empty() {
            return is_won(&self.position, self.by);
        }
        if self.position.is_beyond_winning(self.by).is_some() {
            return false;
        }
        if self.left == 0 || depth == 0 || self.line.len() >= LINE_PLIES_MAX {
            self.cut = true;
            return false;
        }
        let key = self.position.key();
        let entry = &mut self.table[key as usize % TABLE];
        if *entry != (0, 0) && entry.0 == key && entry.1 >= depth {
            return false;
        }
        *entry = (key, depth);
        if self.budget.spend(1 + plies.len() as u64).is_err() {
            (self.left, self.cut) = (0, true);
            return false;
        }
        let mut steps: Vec<(Step, Ply)> = plies.iter().map(|ply| (self.step(ply), *ply)).collect();
        steps.sort_by_key(|(step, _)| *step);
        let answers = self.progress;
        for (step, ply) in steps {
            if self.left == 0 {
                self.cut = true;
                break;
            }
            let cost = match step {
                Step::Progress => 0,
                Step::Neutral => u32::from(!answers),
                Step::Setback => SETBACK,
            };
            if cost > depth {
                self.cut = true;
                continue;
            }
            self.progress = step == Step::Progress;
            self.line.push(ply);
            let undo = self.position.apply_undoable(&ply);
            if self.visit(depth - cost) {
                return true;
            }
            self.position.undo(&undo);
            self.line.pop();
        }
        self.progress = answers;
        false
    }

    fn takes_pawn(&self, ply: &Ply) -> bool {
        self.position.piece(ply.to).is_some_and(|piece| self.position.rules().is_pawn(piece.kind))
    }

    fn step(&self, ply: &Ply) -> Step {
        let rules = self.position.rules();
        let attacks = ply.actor == self.attacker;
        let captures = ply.verb == Verb::EnPassant || self.position.piece(ply.to).is_some();
        let pawn = rules.is_pawn(ply.kind);
        if attacks && (captures || pawn) {
            return Step::Progress;
        }
        if ply.verb == Verb::Move && ply.actor.is_real() {
            let ways = &self.place.ways[usize::from(!attacks)][ply.kind.index()];
            let way = |square: Square| ways.get(square.index()).copied().unwrap_or(FAR);
            if way(ply.to) < way(ply.from) {
                return Step::Progress;
            }
        }
        match (attacks, captures, pawn) {
            (false, true, _) if self.opens && (pawn || self.takes_pawn(ply)) => Step::Progress,
            (false, true, _) => Step::Setback,
            // What a pawn becomes may block the king in.
            (false, false, true) if self.needs_help => Step::Progress,
            _ => Step::Neutral,
        }
    }
}

/// The corners at the far end of the player who mates, those first that this player's pieces reach.
pub(super) fn corners<M: Mask>(start: &Position<M>, by: Owner, ranges: Option<&Ranges<M>>) -> Vec<Place> {
    let fixed = ranges.map_or(M::EMPTY, Ranges::fixed);
    let rules = start.rules();
    let attacker = if rules.ends.misere { by.opponent() } else { by };
    let board = rules.board();
    let rank = if attacker == Owner::Black { 0 } else { board.ranks() - 1 };
    let at = |file: u8, rank: u8| Square(rank * board.files() + file);
    let inward = if rank == 0 { 1 } else { -1 };
    // Bishops of one colour mate on their own, and their victim's bishops help from the other one.
    let bishops = |owner: Owner| start.state().pieces_of(owner, rules.bishops);
    let (own, other) = (bishops(attacker), bishops(attacker.opponent()));
    let dark = rules.geometry.dark();
    let on_dark = (own & dark).any() || own.is_empty() && (other & !dark).any();
    let mut files = [(board.files() - 1, -1), (0, 1)];
    if dark.has(at(files[0].0, rank)) != on_dark {
        files.reverse();
    }
    let corner = |(file, side): (u8, i8)| {
        let corner = at(file, rank);
        let offset = |dx: i8, dy: i8| board.offset(corner, dx, dy).unwrap_or(corner);
        let (diagonal, beside) = (offset(side, inward), offset(side, 0));
        let ways = |owner: Owner, king: Square, leaper: Square, most: u8| {
            let kinds = (0..rules.kinds.len() as u8).map(KindId);
            let of = |kind: KindId| {
                if kind == rules.king {
                    ways(rules, owner, kind, king, 0, fixed)
                } else if is_leaper(rules, owner, kind) || owner != attacker && !rules.is_pawn(kind) {
                    ways(rules, owner, kind, leaper, most, fixed)
                } else if ranges.is_some() && !rules.is_pawn(kind) {
                    ways(rules, owner, kind, leaper, 1, fixed)
                } else {
                    Vec::new()
                }
            };
            kinds.map(of).collect()
        };
        let victim = attacker.opponent();
        Place { ways: [ways(attacker, diagonal, corner, 2), ways(victim, corner, beside, 0)] }
    };
    files.into_iter().map(corner).collect()
}

/// True for kinds other than pawns that only leap.
fn is_leaper<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> bool {
    let moves = &rules.moves[owner];
    !rules.is_pawn(kind)
        && !moves.slides_straight().has(kind)
        && !moves.slides_diagonally().has(kind)
        && moves.complex_kinds() >> kind.0 & 1 == 0
}

/// By square: the plies of a piece to `to` on a board where only `blocked` squares are in the way; `near` plies are as
/// good as fewer.
pub(super) fn ways<M: Mask>(
    rules: &Rules<M>,
    owner: Owner,
    kind: KindId,
    to: Square,
    near: u8,
    blocked: M,
) -> Vec<u8> {
    let mut ways = vec![FAR; rules.board().len()];
    ways[to.index()] = 0;
    let (mut last, mut plies) = (M::bit(to), 0);
    while last.any() {
        plies += 1;
        let from = last.squares().fold(M::EMPTY, |all, square| {
            let origins = rules.moves[owner].origins(kind.index(), square, false);
            let free = (origins.any & !blocked).squares();
            all | M::of(free.filter(|from| connects(&rules.geometry, origins, *from, square, blocked)))
        });
        last = M::of(from.squares().filter(|square| ways[square.index()] == FAR));
        last.squares().for_each(|square| ways[square.index()] = plies);
    }
    ways.iter_mut().for_each(|way| *way = (*way).max(near));
    ways
}
