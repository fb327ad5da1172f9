//! The steps of each man of a table, from the compiled rules.

use super::TableError;
use super::material::Material;
use super::symmetry::bit;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::position::Position;
use ferz_core::rules::definition::KingsSquare;
use ferz_core::rules::{KindId, KindSet, Piece, Rules};
use std::sync::Arc;

/// Stands for the squares between two squares that no step connects.
const NO_STEP: u64 = u64::MAX;

/// One step of a man along leaps and queen lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The other end of the step.
    pub(super) square: u8,
    /// The squares that must be vacant between its ends.
    pub(super) between: u64,
}

/// A step with which a pawn leaves the table, or may.
#[derive(Debug, Clone)]
pub(super) struct Promotion {
    pub(super) step: Step,
    /// What the pawn may become.
    pub(super) kinds: KindSet,
    /// True if the step ends the game in favour of the pawn's owner: it reaches the king's square.
    pub(super) wins: bool,
}

/// The steps of one man, by square.
#[derive(Debug)]
pub(super) struct Man {
    pub(super) piece: Piece,
    /// Where it may stand.
    pub(super) allowed: u64,
    /// Where it goes without capture or promotion.
    pub(super) quiet: Vec<Vec<Step>>,
    /// From where it goes to the square so.
    pub(super) origins: Vec<Vec<Step>>,
    /// Where it captures without promotion.
    pub(super) captures: Vec<Vec<Step>>,
    /// From where it attacks the square.
    pub(super) attackers: Vec<Vec<Step>>,
    /// By from and to: the squares between the ends of a capture without promotion, or [`NO_STEP`].
    capture_between: Vec<u64>,
    /// The same of all attacks.
    attack_between: Vec<u64>,
    /// Promotions without capture, and with one.
    pub(super) promotions: [Vec<Vec<Promotion>>; 2],
    /// True if it has moves that depend on hurdles, or on squares off its line.
    pub(super) complex: bool,
}

impl Man {
    /// The squares that must be vacant where it captures without promotion; `None` if it does not.
    #[inline]
    pub(super) fn capture_between(&self, from: u8, to: u8) -> Option<u64> {
        let between = self.capture_between[usize::from(from) * self.quiet.len() + usize::from(to)];
        (between != NO_STEP).then_some(between)
    }

    /// The squares that must be vacant where it attacks; `None` if it does not.
    #[inline]
    pub(super) fn attack_between(&self, from: u8, to: u8) -> Option<u64> {
        let between = self.attack_between[usize::from(from) * self.quiet.len() + usize::from(to)];
        (between != NO_STEP).then_some(between)
    }

    /// The squares that it reaches by moves that depend on hurdles and the like: vacant ones, and occupied ones.
    pub(super) fn complex_reach(&self, rules: &Rules<u64>, from: u8, occupied: u64) -> (u64, u64) {
        if !self.complex {
            return (0, 0);
        }
        let moves = &rules.moves[self.piece.owner];
        let (quiet, capture) = moves.complex_reach(
            rules.board(),
            self.piece.kind.index(),
            Square(from),
            (occupied | bit(from), 0),
        );
        (quiet & !occupied, capture & occupied)
    }
}

/// The steps of all men of the material.
///
/// # Errors
/// If the king's moves depend on hurdles.
pub(super) fn men(rules: &Arc<Rules<u64>>, material: &Material) -> Result<Vec<Man>, TableError> {
    let king = rules.king.index();
    if Owner::REAL.iter().any(|&owner| rules.moves[owner].complex_kinds() >> king & 1 == 1) {
        return Err(TableError::Rules("the king's moves depend on other men"));
    }
    if rules.special.anti_king.is_some() {
        return Err(TableError::Rules("a piece must stay attacked"));
    }
    if rules.special.switch.is_some() || rules.special.other_promotion.is_some() {
        return Err(TableError::Rules("pieces become other kinds on their squares"));
    }
    if rules.special.own_captures.is_some() || rules.special.first_leaps.is_some() {
        return Err(TableError::Rules("some men capture their own side, or have a first move of their own"));
    }
    let offers = Offers::new(rules, material);
    Ok(material.men().iter().map(|man| Man::new(rules, *man, &offers)).collect())
}

impl Man {
    fn new(rules: &Rules<u64>, piece: Piece, offers: &Offers) -> Man {
        let moves = &rules.moves[piece.owner];
        let kind = piece.kind.index();
        let board = rules.board();
        let is_pawn = rules.is_pawn(piece.kind);
        let empty = || vec![Vec::new(); board.len()];
        let mut man = Man {
            piece,
            allowed: if is_pawn { pawn_squares(rules, piece) } else { rules.geometry.all() },
            quiet: empty(),
            origins: empty(),
            captures: empty(),
            attackers: empty(),
            capture_between: vec![NO_STEP; board.len() * board.len()],
            attack_between: vec![NO_STEP; board.len() * board.len()],
            promotions: [vec![Vec::new(); board.len()], vec![Vec::new(); board.len()]],
            complex: moves.complex_kinds() >> kind & 1 == 1,
        };
        for to in board.squares() {
            for captures in [false, true] {
                let origins = moves.origins(kind, to, captures);
                for from in origins.any.squares() {
                    let leaps = origins.leaps.has(from);
                    let between = if leaps { 0 } else { rules.geometry.between(from, to) };
                    man.add(rules, offers, captures, [from, to], between);
                }
            }
        }
        man
    }

    fn add(
        &mut self,
        rules: &Rules<u64>,
        offers: &Offers,
        captures: bool,
        [from, to]: [Square; 2],
        between: u64,
    ) {
        let step = |square: Square| Step { square: square.0, between };
        let pair = from.index() * self.quiet.len() + to.index();
        if captures {
            self.attackers[to.index()].push(step(from));
            self.attack_between[pair] = between;
        }
        let choice = offers.of(rules, self.piece, from, to);
        if !choice.kinds.is_empty() || choice.wins {
            let Choice { kinds, wins, .. } = choice;
            let promotion = Promotion { step: step(to), kinds, wins };
            self.promotions[usize::from(captures)][from.index()].push(promotion);
        }
        if choice.must {
            return;
        }
        if captures {
            self.captures[from.index()].push(step(to));
            self.capture_between[pair] = between;
        } else {
            self.quiet[from.index()].push(step(to));
            self.origins[to.index()].push(step(from));
        }
    }
}

/// What a step offers a pawn.
struct Choice {
    /// True if the pawn does not remain one, or not in a game that goes on.
    must: bool,
    kinds: KindSet,
    wins: bool,
}

/// The promotions of each side with this material and no stocks.
struct Offers {
    position: Option<Position<u64>>,
}

impl Offers {
    fn new(rules: &Arc<Rules<u64>>, material: &Material) -> Offers {
        Offers { position: material.has_pawns(rules).then(|| example(rules, material)).flatten() }
    }

    fn of(&self, rules: &Rules<u64>, piece: Piece, from: Square, to: Square) -> Choice {
        if !rules.is_pawn(piece.kind) {
            return Choice { must: false, kinds: KindSet::EMPTY, wins: false };
        }
        let Some(position) = &self.position else {
            return Choice { must: true, kinds: KindSet::EMPTY, wins: false };
        };
        let choice = position.state().promotions(rules, piece.owner, piece.kind, from, to);
        let arrives = rules.kings_square[piece.owner].has(to);
        let (must, wins) = match rules.ends.kings_square {
            KingsSquare::PawnSuffices if arrives => (true, true),
            KingsSquare::MustBecomeKing if arrives => (choice.must, choice.kinds.has(rules.king)),
            _ => (choice.must, false),
        };
        let officers: KindSet = choice.kinds.kinds().filter(|kind: &KindId| *kind != rules.king).collect();
        Choice { must, kinds: officers, wins }
    }
}

/// Some position with the material, to ask what the rules offer: whether it is legal does not matter.
fn example(rules: &Arc<Rules<u64>>, material: &Material) -> Option<Position<u64>> {
    let board = rules.board();
    let mut cells = vec![None; board.len()];
    for man in material.men().iter().rev() {
        let allowed = if rules.is_pawn(man.kind) { pawn_squares(rules, *man) } else { rules.geometry.all() };
        let free = allowed.squares().find(|square| cells[square.index()].is_none())?;
        cells[free.index()] = Some(*man);
    }
    Some(Position::of_men(Arc::clone(rules), &cells, Owner::White))
}

/// The squares on which a pawn may stand in a game: those that it reaches from its squares of the array.
pub(super) fn pawn_squares(rules: &Rules<u64>, pawn: Piece) -> u64 {
    let moves = &rules.moves[pawn.owner];
    let closed = rules.promotion[pawn.owner].forced
        | match rules.ends.kings_square {
            KingsSquare::None => 0,
            _ => rules.kings_square[pawn.owner],
        };
    let start = rules.array_squares[pawn.owner][pawn.kind.index()];
    if start == 0 {
        return rules.geometry.all() & !closed;
    }
    let mut reached = start;
    loop {
        let enters = |to: &Square| {
            let ways = [false, true].map(|captures| moves.origins(pawn.kind.index(), *to, captures).any);
            ((ways[0] | ways[1]) & reached & !closed).any()
        };
        let more = reached | u64::of(rules.board().squares().filter(enters));
        if more == reached {
            return reached & !closed;
        }
        reached = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::{AnyRules, Registry};

    fn rules(game: &str) -> Arc<Rules<u64>> {
        let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules(game, &|_| None) else {
            panic!("{game}")
        };
        rules
    }

    /// The kinds that White's pawn may become on any square.
    fn offers(game: &str, material: &str) -> String {
        let rules = rules(game);
        let material = Material::parse(&rules, material).expect("material");
        let men = men(&rules, &material).expect("men");
        let pawn = men.iter().find(|man| rules.is_pawn(man.piece.kind)).expect("a pawn");
        let all = pawn.promotions.iter().flatten().flatten();
        let kinds = all.fold(0, |all, promotion| all | promotion.kinds.0);
        let mut letters: Vec<char> =
            KindSet(kinds).kinds().map(|kind| rules.kind(kind).letter as char).collect();
        letters.sort_unstable();
        letters.into_iter().collect()
    }

    #[test]
    fn a_pool_offers_what_is_off_the_board() {
        assert_eq!(offers("chess", "KQPvK"), "BNQR");
        assert_eq!(offers("iago-b", "KPvK"), "BCMNQR");
        assert_eq!(offers("iago-b", "KQPvK"), "BCMNR");
        assert_eq!(offers("ingols", "KPvK"), "BNQR");
    }

    #[test]
    fn pawns_stand_where_they_can_go() {
        let pawn = |game: &str, owner| {
            let rules = rules(game);
            let kind = rules.pawns.kinds().next().expect("a pawn");
            pawn_squares(&rules, Piece { owner, kind })
        };
        assert_eq!(pawn("chess", Owner::White), 0x00ff_ffff_ffff_ff00);
        assert_eq!(pawn("chess", Owner::Black), 0x00ff_ffff_ffff_ff00);
        // Its king's square ends the game.
        assert_eq!(pawn("ingols", Owner::White) >> 63, 0);
    }
}
