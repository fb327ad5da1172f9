//! Where pieces can ever stand: a structure that no legal ply breaks, and in which no win is possible.

mod mates;
mod ranges;

pub use ranges::Ranges;

use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::definition::{DeploymentKind, KingsSquare, Stalemate};
use ferz_core::rules::{KindId, Proving, Rules};
use ranges::reach;
use serde::{Deserialize, Serialize};

/// Where the pieces of each kind can ever stand, and which pieces never leave their squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// By owner and kind; kinds that never stand anywhere are left out.
    pub stands: Vec<Stands>,
    /// The squares of pieces that never move and are never captured, with blanks between.
    pub fixed: String,
}

/// Where the pieces of one kind can stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stands {
    /// Their owner.
    pub owner: Owner,
    /// Their letter, and `'` for a kind of the other army.
    pub kind: String,
    /// The squares, with blanks between.
    pub squares: String,
}

impl Invariant {
    /// Fails unless the structure shows that no sequence of legal plies from `start` wins for `by`.
    pub(super) fn check<M: Mask>(&self, start: &Position<M>, by: Owner) -> Result<(), String> {
        if let Some(why) = not_covered(start) {
            return Err(format!("no structure is lasting: {why}"));
        }
        let ranges = Ranges::read(start.rules(), self)?;
        if ranges.write(start.rules()) != *self {
            return Err("the structure is not in its canonical form".to_owned());
        }
        let mut grown = ranges.clone();
        if grown.add_start(start) | grown.grow(start, by) {
            return Err("a legal ply may leave the structure".to_owned());
        }
        match ranges.may_win(start, by) {
            true => Err(format!("the structure does not exclude a win of {}", by.name())),
            false => Ok(()),
        }
    }
}

/// Why a structure tells nothing about the positions that can occur or about their ends; `None` if it does.
pub fn not_covered<M: Mask>(start: &Position<M>) -> Option<&'static str> {
    let rules = start.rules();
    if rules.unknown_to(Proving::ByPieces).is_some() {
        return Some("structures do not know all rules of the game");
    }
    let ends = &rules.ends;
    let complex = Owner::REAL.into_iter().any(|owner| rules.moves[owner].complex_kinds() != 0);
    let king_slides = |owner: Owner| {
        let moves = &rules.moves[owner];
        moves.slides_straight().has(rules.king) || moves.slides_diagonally().has(rules.king)
    };
    let deploys = rules.deployment == DeploymentKind::Opening && start.status().number == 1
        || Owner::REAL.into_iter().any(|owner| start.deployment_due(owner));
    let reasons = [
        (rules.nature.is_some(), "Nature brings pieces back"),
        (rules.captures_to_hand || rules.captures_to_reserve, "captured pieces come back"),
        (deploys, "pieces are still deployed"),
        (start.state().real_kings(rules).count() != 2, "a king is not on the board"),
        (complex, "some pieces move in ways that depend on others"),
        (rules.special.anti_king.is_some(), "a piece must stay attacked"),
        (rules.special.own_captures.is_some(), "some pieces capture their owner's"),
        (
            rules.special.switch.is_some() || rules.special.other_promotion.is_some(),
            "pieces become other kinds on their squares",
        ),
        (rules.special.first_leaps.is_some(), "some pieces have a first move of their own"),
        (Owner::REAL.into_iter().any(king_slides), "kings slide"),
        (ends.misere, "winner and loser are exchanged"),
        (ends.bare_king.loses(), "a bare king loses"),
        (ends.stalemate != Stalemate::Draw, "stalemate loses"),
        (ends.repetition.perpetual().is_some(), "perpetual check loses"),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

impl<M: Mask> Ranges<M> {
    /// True unless the structure excludes every win of `by`.
    pub fn may_win(&self, start: &Position<M>, by: Owner) -> bool {
        let rules = start.rules();
        let arrives = |pawn: KindId| {
            self.stands(by, pawn).squares().any(|from| {
                let (quiet, capture) = reach(rules, by, pawn, from, self.fixed());
                ((M::bit(from) | quiet | capture) & rules.kings_square[by]).any()
            })
        };
        let by_square = rules.ends.kings_square != KingsSquare::None && rules.pawns.kinds().any(arrives);
        by_square || self.may_mate(start, by)
    }
}

/// The pieces and squares that a structure is about, by name.
impl<M: Mask> Ranges<M> {
    /// The structure as text.
    pub fn write(&self, rules: &Rules<M>) -> Invariant {
        let board = rules.board();
        let names = |squares: M| {
            let names: Vec<String> = squares.squares().map(|square| board.name(square)).collect();
            names.join(" ")
        };
        let mut stands = Vec::new();
        for owner in Owner::REAL {
            for kind in rules.all_kinds().kinds() {
                let squares = self.stands(owner, kind);
                if squares.any() {
                    let label = rules.kind(kind).label[owner];
                    stands.push(Stands { owner, kind: label.text(), squares: names(squares) });
                }
            }
        }
        Invariant { stands, fixed: names(self.fixed()) }
    }

    /// Reads a structure.
    fn read(rules: &Rules<M>, text: &Invariant) -> Result<Ranges<M>, String> {
        let squares = |text: &str| {
            let mut all = M::EMPTY;
            for name in text.split(' ').filter(|name| !name.is_empty()) {
                let square = rules.board().parse_square(name);
                all |= M::bit(square.ok_or_else(|| format!("`{name}` is no square"))?);
            }
            Ok::<M, String>(all)
        };
        let mut ranges = Ranges::new(squares(&text.fixed)?);
        for Stands { owner, kind, squares: names } in &text.stands {
            let letter = kind.bytes().next().filter(|_| owner.is_real());
            let known = letter.and_then(|letter| rules.kind_by_label(*owner, letter, kind.ends_with('\'')));
            let known = known.ok_or_else(|| format!("there is no kind `{kind}`"))?;
            ranges.add(*owner, known, squares(names)?);
        }
        Ok(ranges)
    }
}
