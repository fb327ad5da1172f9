//! The one resolver: from a move as written to the ply it means.
//!
//! For a plain step it looks from the target square backwards and tests the few pieces that reach it. Any other text
//! means the candidates that fail no condition. A list of all legal plies is made only to name the nearest ones.

use super::attempts::legal_plies;
use super::explain;
use super::movetext::{Habits, MoveText, PlainStep, Shape};
use super::slips::Slips;
use crate::board::{Mask, Owner, Square};
use crate::position::{Ply, Position, Reason, State, Verb};
use crate::rules::{KindId, KindSet, Rules};

/// What was read with good will; bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Remarks(pub u8);

impl Remarks {
    /// A capture is not marked as one.
    pub const CAPTURE_UNMARKED: Remarks = Remarks(1);
    /// What is marked as a capture captures nothing.
    pub const NO_CAPTURE: Remarks = Remarks(2);
    /// The captured piece is another than the text names.
    pub const WRONG_CAPTURED: Remarks = Remarks(4);
    /// A promotion that has one meaning was left out (ING-1).
    pub const PROMOTION_ASSUMED: Remarks = Remarks(8);
    /// The piece's letter is missing.
    pub const LETTER_MISSING: Remarks = Remarks(16);

    /// A pawn's capture does not name the file that it comes from.
    pub const FILE_MISSING: Remarks = Remarks(64);
    /// A rule of the game chose between two legal plies (CHA-12).
    pub const OTHER_PLY: Remarks = Remarks(32);
    /// The square that a piece enters on while castling is left out.
    pub const GATE_SQUARE: Remarks = Remarks(128);

    /// True if one of `remarks` was made.
    pub const fn has(self, remarks: Remarks) -> bool {
        self.0 & remarks.0 != 0
    }

    fn add(&mut self, remark: Remarks) {
        self.0 |= remark.0;
    }
}

/// A ply that was found, and with how much good will.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// The only legal ply that fits.
    pub ply: Ply,
    /// What was overlooked.
    pub remarks: Remarks,
}

/// Why no ply, or more than one, fits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({rule})")]
pub struct Fault {
    /// The reason.
    pub reason: Reason,
    /// The article that it cites in this game.
    pub rule: String,
    /// The reason with its squares and pieces.
    pub message: String,
    /// The squares it is about.
    pub squares: Vec<Square>,
    /// The nearest legal plies, best first, at most five.
    pub candidates: Vec<Ply>,
}

impl Fault {
    /// A fault that is no matter of single pieces or squares; without a message the reason's own words are it.
    pub fn new<M: Mask>(rules: &Rules<M>, reason: Reason, message: &str) -> Fault {
        let rule = rules.cite(reason.id(), reason.article()).to_owned();
        let message = if message.is_empty() { reason.text() } else { message }.to_owned();
        Fault { reason, rule, message, squares: Vec::new(), candidates: Vec::new() }
    }
}

/// Finds the ply that a text means.
///
/// # Errors
/// With the reason, where no legal ply or more than one fits. Endings other than those that leave no legal
/// ply are not looked at.
pub fn resolve<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Resolved, Box<Fault>> {
    let deploys = position.state().deployment_due(position.rules(), position.turn());
    let step = text.plain_step().filter(|_| !deploys);
    let plain = step.and_then(|step| Some((step, resolve_plain(position, position.turn(), &step)?)));
    match plain {
        Some((step, from)) => {
            let ply = step.ply(position.turn(), from);
            Ok(Resolved { ply, remarks: remarks(position.rules(), position.state(), text, &ply) })
        }
        None => find(position, text),
    }
}

/// Where the piece comes from in the only legal ply that fits a plain step of the player on move, who has nothing to
/// deploy. Nothing where there is no such ply, or more than one, or it is not plain in this position, and
/// [`resolve`] decides.
#[inline(always)]
pub(crate) fn resolve_plain<M: Mask>(
    position: &Position<M>,
    owner: Owner,
    step: &PlainStep,
) -> Option<Square> {
    let (rules, state) = (position.rules(), position.state());
    let PlainStep { kind, to, promotion, .. } = *step;
    let within = rules.geometry.squares_named(step.from);
    let origins = state.origins_within(rules, owner, kind, to, within);
    let from = if origins.without_lowest().any() {
        only_safe_origin(position, kind, to, origins)?
    } else {
        let from = origins.lowest();
        if from == Square::NONE || !state.is_safe_step(rules, owner, kind, from, to) {
            return None;
        }
        from
    };
    let en_passant = to == state.status().en_passant && rules.is_pawn(kind);
    if en_passant || !state.promotion_fits(rules, owner, kind, from, to, promotion) {
        return None;
    }
    Some(from)
}

/// The only legal castling to one side of the player on move, who has nothing to deploy; nothing is gated in with it.
pub fn resolve_castling<M: Mask>(position: &Position<M>, king_side: bool) -> Option<Ply> {
    let mut found = castlings(position.rules(), position.state(), king_side);
    let castling = found.next();
    castling.filter(|_| found.next().is_none())
}

/// The one square among `origins` that a piece may leave for `to` without endangering its king.
#[inline(never)]
fn only_safe_origin<M: Mask>(position: &Position<M>, kind: KindId, to: Square, origins: M) -> Option<Square> {
    let (rules, state) = (position.rules(), position.state());
    let owner = position.turn();
    let mut safe = origins.squares().filter(|&from| state.is_safe_step(rules, owner, kind, from, to));
    let found = safe.next();
    found.filter(|_| safe.next().is_none())
}

/// The squares that a text allows a piece to come from.
#[inline]
pub(super) fn from_squares<M: Mask>(rules: &Rules<M>, file: Option<u8>, rank: Option<u8>) -> M {
    let mut squares = rules.geometry.all();
    if let Some(file) = file {
        squares &= rules.geometry.file(file);
    }
    if let Some(rank) = rank {
        squares &= rules.geometry.rank(rank);
    }
    squares
}

/// [`resolve`] for every form of text.
#[inline(never)]
fn find<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Resolved, Box<Fault>> {
    let (plies, passed_over) = legal_plies(position, text);
    match plies[..] {
        [ply] => {
            let mut remarks = remarks(position.rules(), position.state(), text, &ply);
            if passed_over {
                remarks.add(Remarks::OTHER_PLY);
            }
            Ok(Resolved { ply, remarks })
        }
        [] => second_chance(position, text),
        _ => Err(explain::ambiguous(position, text, plies)),
    }
}

/// Texts that have one meaning although something is missing.
#[cold]
fn second_chance<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Resolved, Box<Fault>> {
    let rules = position.rules();
    let resolved = |text: &MoveText, remark: Remarks| {
        let [ply] = legal_plies(position, text).0[..] else { return None };
        let mut remarks = remarks(rules, position.state(), text, &ply);
        remarks.add(remark);
        Some(Resolved { ply, remarks })
    };
    if let Some(ply) = castling_as_step(position, text) {
        return Ok(Resolved { ply, remarks: Remarks::default() });
    }
    if !text.natures && text.shape == Shape::Step {
        let owner = position.turn();
        if text.promotion.is_none() && rules.kings_square[owner].has(text.to) {
            let king = MoveText { promotion: Some(rules.king), ..*text };
            if let Some(found) = resolved(&king, Remarks::PROMOTION_ASSUMED) {
                return Ok(found);
            }
        }
        let lettered = text.habits.has(Habits::PAWN_LETTER);
        if text.kinds == rules.pawns && !lettered && text.from_file.is_some() && text.from_rank.is_some() {
            let any = MoveText { kinds: KindSet(u32::MAX), ..*text };
            if let Some(found) = resolved(&any, Remarks::LETTER_MISSING) {
                return Ok(found);
            }
        }
    }
    Err(explain::illegal(position, text))
}

/// The text with its piece's letter, where it says that the king goes away along its rank, as only castling takes it:
/// `Ke1-g1`, `e1-g1`.
pub(super) fn as_kings_step<M: Mask>(position: &Position<M>, text: &MoveText) -> Option<MoveText> {
    let (rules, board) = (position.rules(), position.rules().board());
    let king = position.state().king(rules, position.turn()).some()?;
    let lettered = text.habits.has(Habits::PAWN_LETTER);
    let says_king = text.kinds.has(rules.king) || text.kinds == rules.pawns && !lettered;
    let kings = says_king
        && text.from_file == Some(board.file(king))
        && text.from_rank == Some(board.rank(king))
        && text.to != Square::NONE
        && board.rank(text.to) == board.rank(king);
    let bare = text.shape == Shape::Step && !text.natures && !text.captures;
    let step = kings && bare && text.promotion.is_none() && text.gates == [None; 2];
    step.then(|| MoveText { kinds: [rules.king].into_iter().collect(), ..*text })
}

/// The castling of a text that names the king's squares as those of a step that no king can make.
fn castling_as_step<M: Mask>(position: &Position<M>, text: &MoveText) -> Option<Ply> {
    let step = as_kings_step(position, text)?;
    let sides = [Shape::CastleKingSide, Shape::CastleQueenSide]
        .into_iter()
        .flat_map(|shape| legal_plies(position, &MoveText { shape, ..step }).0);
    let mut sides = sides.filter(|ply| ply.from != ply.to);
    let found = sides.next();
    found.filter(|_| sides.next().is_none())
}

#[inline]
fn remarks<M: Mask>(rules: &Rules<M>, state: &State<M>, text: &MoveText, ply: &Ply) -> Remarks {
    let mut remarks = Remarks::default();
    let silent = text.shape == Shape::Squares && !text.habits.has(Habits::SMITH);
    if silent || matches!(text.shape, Shape::Introduction | Shape::Drop) {
        return remarks;
    }
    let taken = if ply.verb == Verb::EnPassant { ply.other } else { ply.to };
    let victim = if ply.verb == Verb::Castle { None } else { state.piece(taken) };
    if ply.verb == Verb::Castle && text.gates.iter().flatten().any(|gate| gate.square == Square::NONE) {
        remarks.add(Remarks::GATE_SQUARE);
    }
    // A text that leaves out its target leaves out all squares.
    let lettered = text.habits.has(Habits::PAWN_LETTER) || text.slips.has(Slips::TARGET);
    let nowhere = text.from_file.is_none() && text.from_rank.is_none() && !text.natures;
    if victim.is_some() && nowhere && rules.is_pawn(ply.kind) && !lettered {
        remarks.add(Remarks::FILE_MISSING);
    }
    match (text.captures, victim) {
        (true, None) => remarks.add(Remarks::NO_CAPTURE),
        (false, Some(_)) => remarks.add(Remarks::CAPTURE_UNMARKED),
        (true, Some(victim)) if text.captured.is_some_and(|named| named != victim.kind) => {
            remarks.add(Remarks::WRONG_CAPTURED);
        }
        _ => {}
    }
    remarks
}

/// The legal castlings to one side, nothing gated in with them.
fn castlings<M: Mask>(rules: &Rules<M>, state: &State<M>, king_side: bool) -> impl Iterator<Item = Ply> {
    let owner = state.status().turn;
    let king = state.king(rules, owner);
    let rooks = (state.status().castling & state.owned(owner)).squares();
    rooks
        .filter(move |rook| (*rook > king) == king_side)
        .filter_map(move |rook| state.castling(rules, owner, rook))
}

/// True if a ply of Nature's is one that the text may mean.
pub(super) fn matches_nature<M: Mask>(rules: &Rules<M>, text: &MoveText, ply: &Ply) -> bool {
    if ply.to != text.to || text.gates != [None; 2] {
        return false;
    }
    match text.shape {
        Shape::Introduction => {
            let introduced = ply.verb == Verb::Drop && Some(ply.kind) == text.promotion;
            introduced || ply.promotion.is_some() && ply.promotion == text.promotion
        }
        Shape::Drop => ply.verb == Verb::Drop && text.kinds.has(ply.kind),
        Shape::Step | Shape::Squares => {
            let board = rules.board();
            let from = ply.verb != Verb::Drop
                && text.from_file.is_none_or(|file| file == board.file(ply.from))
                && text.from_rank.is_none_or(|rank| rank == board.rank(ply.from));
            let victim = if ply.verb == Verb::EnPassant { ply.other } else { Square::NONE };
            from && text.kinds.has(ply.kind) && ply.promotion == text.promotion && victim == text.victim
        }
        _ => false,
    }
}
