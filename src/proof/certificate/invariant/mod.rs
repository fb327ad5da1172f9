//! Where pieces can ever stand: a structure that no legal ply breaks, and in which no win is possible.

mod lasting;
mod mates;
mod ranges;

pub use ranges::{Man, Ranges, Supposed};

use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::definition::{DeploymentKind, KingsSquare, Stalemate};
use ferz_core::rules::{KindId, Proving, Rules};
use ranges::reach;
use serde::{Deserialize, Serialize};

/// Where each piece of a position can ever stand, in all cases that there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// One case for every choice of what is supposed about the same pieces, in the order of [`Supposed::cases`]; mostly
    /// one, in which nothing is supposed.
    pub cases: Vec<Case>,
}

/// Where each piece of a position can ever stand, if what is supposed of the game is true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The squares of pieces that are not captured before they have moved, with blanks between.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kept: String,
    /// The squares of pieces that are captured, and do not move before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub taken: String,
    /// The pieces: White's before Black's, those on the board first, in the order of their squares.
    pub men: Vec<ManText>,
}

/// A piece with all that it can become, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManText {
    /// Its owner.
    pub owner: Owner,
    /// Its letter at the start, and `'` for a kind of the other army.
    pub kind: String,
    /// Its square at the start; left out if it is off the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where it can stand, by its kind then.
    pub stands: Vec<Stands>,
    /// True if it may be captured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
}

/// Where a piece of one kind can stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stands {
    /// Its letter, and `'` for a kind of the other army.
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
        let mut supposed = Vec::new();
        for case in &self.cases {
            let ranges = Ranges::read(start, case)?;
            if ranges.write(start.rules()) != *case {
                return Err("the structure is not in its canonical form".to_owned());
            }
            if ranges.clone().grow(start, by) {
                return Err("a legal ply may leave the structure".to_owned());
            }
            if ranges.may_win(start, by) {
                return Err(format!("the structure does not exclude a win of {}", by.name()));
            }
            supposed.push(ranges.supposed);
        }
        let about = supposed.first().map_or(M::EMPTY, |first| first.kept | first.taken);
        if about.count() > SUPPOSED_MAX || supposed != Supposed::cases(about) {
            return Err("the cases are not all that there are".to_owned());
        }
        Ok(())
    }
}

/// Pieces of which something is supposed at most.
const SUPPOSED_MAX: u32 = 2;

impl<M: Mask> Supposed<M> {
    /// All that may be true of the pieces on these squares: each is captured before it moves, or it is not. The first
    /// case is that all are kept.
    pub fn cases(about: M) -> Vec<Supposed<M>> {
        about.squares().fold(vec![Supposed::NOTHING], |cases, square| {
            let kept = cases.iter().map(|case| Supposed { kept: case.kept | M::bit(square), ..*case });
            let taken = cases.iter().map(|case| Supposed { taken: case.taken | M::bit(square), ..*case });
            kept.chain(taken).collect()
        })
    }
}

/// Structures that grow out of a position, one for each case, if they can together exclude every win of `by`.
pub fn excluding<M: Mask>(position: &Position<M>, by: Owner) -> Option<Vec<Ranges<M>>> {
    if not_covered(position).is_some() {
        return None;
    }
    let all_cases = |about: M| {
        let cases = Supposed::cases(about).into_iter();
        cases.map(|case| grown(position, by, case)).collect::<Option<Vec<_>>>()
    };
    all_cases(M::EMPTY).or_else(|| {
        let endangered = endangered(position, by);
        let single = endangered.squares().find_map(|square| all_cases(M::bit(square)));
        single.or_else(|| (endangered.count() == SUPPOSED_MAX).then(|| all_cases(endangered)).flatten())
    })
}

/// The structure that grows out of a position, if it excludes every win of `by`.
fn grown<M: Mask>(position: &Position<M>, by: Owner, supposed: Supposed<M>) -> Option<Ranges<M>> {
    let mut ranges = Ranges::start(position, supposed);
    while ranges.grow(position, by) {
        // What leaves room for a win leaves more when it has grown.
        if ranges.may_win(position, by) {
            return None;
        }
    }
    (!ranges.may_win(position, by)).then_some(ranges)
}

/// The pieces of which it would help to know whether they are captured before they move: a structure lets them be, and
/// grows out of bounds.
fn endangered<M: Mask>(position: &Position<M>, by: Owner) -> M {
    let mut ranges = Ranges::start(position, Supposed::NOTHING);
    let mut endangered = M::EMPTY;
    while ranges.grow(position, by) {
        if endangered.is_empty() || !ranges.promotes() {
            endangered |= ranges.endangered();
        }
        if ranges.may_win(position, by) {
            break;
        }
    }
    endangered
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
        (
            rules.first_step > 2 && start.status().en_passant.some().is_some(),
            "a pawn may be captured on each square that it passed",
        ),
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
    pub fn write(&self, rules: &Rules<M>) -> Case {
        let board = rules.board();
        let names = |squares: M| {
            let names: Vec<String> = squares.squares().map(|square| board.name(square)).collect();
            names.join(" ")
        };
        let men = self.men().iter().map(|man| {
            let label = |kind: KindId| rules.kind(kind).label[man.owner].text();
            let stands =
                man.stands.iter().map(|(kind, on)| Stands { kind: label(*kind), squares: names(*on) });
            ManText {
                owner: man.owner,
                kind: label(man.kind),
                from: man.from.map(|square| board.name(square)),
                stands: stands.collect(),
                captured: man.captured,
            }
        });
        let Supposed { kept, taken } = self.supposed;
        Case { kept: names(kept), taken: names(taken), men: men.collect() }
    }

    /// Reads a structure of the pieces of a position.
    fn read(start: &Position<M>, text: &Case) -> Result<Ranges<M>, String> {
        let rules = start.rules();
        let square =
            |name: &str| rules.board().parse_square(name).ok_or_else(|| format!("`{name}` is no square"));
        let squares = |names: &str| {
            let names = names.split(' ').filter(|name| !name.is_empty());
            names.map(square).try_fold(M::EMPTY, |all, square| Ok::<M, String>(all | M::bit(square?)))
        };
        let kind = |owner: Owner, label: &str| {
            let letter = label.bytes().next().filter(|_| owner.is_real());
            let known = letter.and_then(|letter| rules.kind_by_label(owner, letter, label.ends_with('\'')));
            known.ok_or_else(|| format!("there is no kind `{label}`"))
        };
        let mut men = Vec::new();
        for man in &text.men {
            let mut stands = Vec::new();
            for Stands { kind: label, squares: on } in &man.stands {
                stands.push((kind(man.owner, label)?, squares(on)?));
            }
            men.push(Man {
                owner: man.owner,
                kind: kind(man.owner, &man.kind)?,
                from: man.from.as_deref().map(square).transpose()?,
                stands,
                captured: man.captured,
            });
        }
        let supposed = Supposed { kept: squares(&text.kept)?, taken: squares(&text.taken)? };
        Ranges::of(men, supposed, start).ok_or_else(|| "the pieces are not those of the position".to_owned())
    }
}
