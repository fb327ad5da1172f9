//! Resolves a move as written to the ply it means.
//!
//! For a plain step it looks backwards from the target square and tests the few pieces that reach it. For any other
//! text it takes the candidates that fail no condition. All legal plies are listed only to name the nearest ones.

use super::attempts::legal_plies;
use super::explain;
use super::movetext::{Becomes, Habits, Hints, MoveText, PlainStep, Shape};
use super::slips::Slips;
use super::styles::by_file;
use crate::board::{Mask, Owner, Square};
use crate::position::{Ply, Position, Reason, State, Verb};
use crate::rules::definition::KingsSquare;
use crate::rules::{KindId, KindSet, Rules};

/// Leniencies applied while resolving, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leniency(pub u8);

impl Leniency {
    /// A capture without a sign.
    pub const CAPTURE_UNMARKED: Leniency = Leniency(1);
    /// A capture sign without a capture.
    pub const NO_CAPTURE: Leniency = Leniency(2);
    /// The text names the wrong captured piece.
    pub const WRONG_CAPTURED: Leniency = Leniency(4);
    /// The only possible promotion was left out (ING-1).
    pub const PROMOTION_ASSUMED: Leniency = Leniency(8);
    /// The piece letter is missing.
    pub const LETTER_MISSING: Leniency = Leniency(16);

    /// A pawn capture without its from-file.
    pub const FILE_MISSING: Leniency = Leniency(64);
    /// A rule of the game chose between two legal plies (CHA-12).
    pub const OTHER_PLY: Leniency = Leniency(32);
    /// The entry square of a gate while castling is missing.
    pub const GATE_SQUARE: Leniency = Leniency(128);

    /// True if any of `leniency` was applied.
    pub const fn has(self, leniency: Leniency) -> bool {
        self.0 & leniency.0 != 0
    }

    fn add(&mut self, remark: Leniency) {
        self.0 |= remark.0;
    }
}

/// A ply, and the leniencies needed to find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// The only legal ply that fits.
    pub ply: Ply,
    /// The leniencies applied.
    pub leniency: Leniency,
}

/// Why no ply or more than one fits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({rule})")]
pub struct Fault {
    /// The reason.
    pub reason: Reason,
    /// The article cited in this game.
    pub rule: String,
    /// The reason with its squares and pieces.
    pub message: String,
    /// The squares concerned.
    pub squares: Vec<Square>,
    /// The nearest legal plies, best first, at most five.
    pub candidates: Vec<Ply>,
}

impl Fault {
    /// A fault without squares or candidates. An empty message stands for the reason's own text.
    pub fn new<M: Mask>(rules: &Rules<M>, reason: Reason, message: &str) -> Fault {
        let rule = rules.cite(reason.id(), reason.article()).to_owned();
        let message = if message.is_empty() { reason.text() } else { message }.to_owned();
        Fault { reason, rule, message, squares: Vec::new(), candidates: Vec::new() }
    }
}

/// Finds the ply that a text means.
///
/// # Errors
/// If no legal ply or more than one fits. Endings are not considered, except those without a legal ply.
pub fn resolve<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Resolved, Box<Fault>> {
    if text.there {
        return resolve(position, &text.at_last_target(position));
    }
    if let Some(by_file) = text.by_file {
        return by_file::resolve(position, text, by_file);
    }
    let deploys =
        position.state().deployment_due(position.rules(), position.turn()) || position.placement_is_due();
    let step = text.plain_step().filter(|_| !deploys);
    let plain = step.and_then(|step| Some((step, resolve_plain(position, position.turn(), &step)?)));
    match plain {
        Some((step, from)) => {
            let ply = step.ply(position.turn(), from);
            Ok(Resolved { ply, leniency: leniency(position.rules(), position.state(), text, &ply) })
        }
        None => find(position, text),
    }
}

/// The from-square of the only legal ply that fits a plain step of the player on move, while no deployment is due.
/// `None` if no ply or more than one fits, or the step is not plain in this position; then [`resolve`] decides.
#[inline(always)]
pub fn resolve_plain<M: Mask>(position: &Position<M>, owner: Owner, step: &PlainStep) -> Option<Square> {
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
    let status = state.status();
    let en_passant = (to == status.en_passant || to == status.en_passant_too) && rules.is_pawn(kind);
    if en_passant || !state.promotion_fits(rules, owner, kind, from, to, promotion) {
        return None;
    }
    // Whether a promotion meets the conditions of the game may depend on the piece.
    (promotion.is_none() || !rules.special.conditions).then_some(from)
}

/// The only legal castling of the player on move to one side, without gates, while no deployment is due.
pub fn resolve_castling<M: Mask>(position: &Position<M>, king_side: bool) -> Option<Ply> {
    let mut found = castlings(position.rules(), position.state(), king_side);
    let castling = found.next();
    castling.filter(|_| found.next().is_none())
}

/// The only square of `origins` from which a piece can move to `to` without exposing its king.
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
    let board = rules.board();
    if board.has_corners()
        && let (Some(file), Some(rank)) = (file, rank)
    {
        return board.square(file as i8, rank as i8).map_or(M::EMPTY, M::bit);
    }
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
            let mut leniency = leniency(position.rules(), position.state(), text, &ply);
            if passed_over {
                leniency.add(Leniency::OTHER_PLY);
            }
            Ok(Resolved { ply, leniency })
        }
        [] => second_chance(position, text),
        _ => Err(explain::ambiguous(position, text, plies)),
    }
}

/// Resolves incomplete texts that only one legal ply fits.
#[cold]
fn second_chance<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Resolved, Box<Fault>> {
    let rules = position.rules();
    let resolved = |text: &MoveText, remark: Leniency| {
        let [ply] = legal_plies(position, text).0[..] else { return None };
        let mut leniency = leniency(rules, position.state(), text, &ply);
        leniency.add(remark);
        Some(Resolved { ply, leniency })
    };
    if text.hints.has(Hints::OR_DROP) && text.becomes == Becomes::Named {
        let drop = MoveText { shape: Shape::Drop, hints: Hints::NONE, ..*text };
        if let Some(found) = resolved(&drop, Leniency::default()) {
            return Ok(found);
        }
    }
    if let Some(ply) = castling_as_step(position, text) {
        return Ok(Resolved { ply, leniency: Leniency::default() });
    }
    if !text.natures && text.shape == Shape::Step {
        let owner = position.turn();
        if text.promotion.is_none()
            && rules.ends.kings_square == KingsSquare::MustBecomeKing
            && rules.kings_square[owner].has(text.to)
        {
            let king = MoveText { promotion: Some(rules.king), ..*text };
            if let Some(found) = resolved(&king, Leniency::PROMOTION_ASSUMED) {
                return Ok(found);
            }
        }
        let lettered = text.habits.has_any(Habits::PAWN_LETTER.and(Habits::THAI));
        if text.kinds == rules.pawns && !lettered && text.from_file.is_some() && text.from_rank.is_some() {
            let any = MoveText { kinds: KindSet(u32::MAX), ..*text };
            if let Some(found) = resolved(&any, Leniency::LETTER_MISSING) {
                return Ok(found);
            }
        }
    }
    Err(explain::illegal(position, text))
}

/// The text read as a king's step along its rank, which can only be castling: `Ke1-g1`, `e1-g1`.
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

/// The castling of a text that names the king's two squares, too far apart for a step.
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
fn leniency<M: Mask>(rules: &Rules<M>, state: &State<M>, text: &MoveText, ply: &Ply) -> Leniency {
    let mut leniency = Leniency::default();
    // Of the styles with two squares, these say what the ply captures.
    let says = text.habits.has_any(Habits::SMITH.and(Habits::JANGGI)) || text.captured.is_some();
    let silent = text.shape == Shape::Squares && !says;
    if silent || matches!(text.shape, Shape::Introduction | Shape::Drop) {
        return leniency;
    }
    let taken = if ply.verb == Verb::EnPassant { ply.other } else { ply.to };
    let alone = matches!(ply.verb, Verb::Castle | Verb::Switch | Verb::Pass);
    let victim = if alone { None } else { state.piece(taken) };
    if ply.verb == Verb::Castle && text.gates.iter().flatten().any(|gate| gate.square == Square::NONE) {
        leniency.add(Leniency::GATE_SQUARE);
    }
    // A text without a target has no squares at all.
    let lettered = text.habits.has(Habits::PAWN_LETTER) || text.slips.has(Slips::TARGET);
    let nowhere = text.from_file.is_none() && text.from_rank.is_none() && !text.natures;
    let bare = nowhere && text.pawn_file.is_none() && !lettered;
    if victim.is_some() && bare && rules.is_pawn(ply.kind) {
        leniency.add(Leniency::FILE_MISSING);
    }
    match (text.captures, victim) {
        (true, None) => leniency.add(Leniency::NO_CAPTURE),
        (false, Some(_)) => leniency.add(Leniency::CAPTURE_UNMARKED),
        (true, Some(victim)) if text.captured.is_some_and(|named| named != victim.kind) => {
            leniency.add(Leniency::WRONG_CAPTURED);
        }
        _ => {}
    }
    leniency
}

/// The legal castlings to one side, without gates.
fn castlings<M: Mask>(rules: &Rules<M>, state: &State<M>, king_side: bool) -> impl Iterator<Item = Ply> {
    let owner = state.status().turn;
    let king = state.king(rules, owner);
    let rooks = (state.status().castling & state.owned(owner)).squares();
    rooks
        .filter(move |rook| (*rook > king) == king_side)
        .filter_map(move |rook| state.castling(rules, owner, rook))
}

/// True if the text may mean a ply of Nature's.
pub(super) fn matches_nature<M: Mask>(rules: &Rules<M>, text: &MoveText, ply: &Ply) -> bool {
    let king_side = match text.shape {
        Shape::CastleKingSide => Some(true),
        Shape::CastleQueenSide => Some(false),
        _ => None,
    };
    if let Some(king_side) = king_side {
        return text.gates == [None; 2] && castles_to(rules, ply, king_side);
    }
    let gates = ply.gates.iter().flatten().map(|gate| (gate.kind, gate.square));
    if ply.to != text.to || !gates.eq(text.gates.iter().flatten().map(|gate| (gate.kind, gate.square))) {
        return false;
    }
    match text.shape {
        Shape::Introduction => {
            let introduced = ply.verb == Verb::Drop && Some(ply.kind) == text.promotion;
            let promoted = ply.promotion.is_some() && ply.promotion == text.promotion;
            introduced || promoted && ply.verb != Verb::Switch
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

/// True if a castling of Nature's may be written `O-O` (else `O-O-O`): her king stands anywhere on the border, so that
/// the text may name the nearer rook or, along a rank, the one on the king's side.
fn castles_to<M: Mask>(rules: &Rules<M>, ply: &Ply, king_side: bool) -> bool {
    if ply.verb != Verb::Castle {
        return false;
    }
    let board = rules.board();
    let files = board.file(ply.from).abs_diff(board.file(ply.other));
    let ranks = board.rank(ply.from).abs_diff(board.rank(ply.other));
    let is_near = files.max(ranks) == 3;
    is_near == king_side || ranks == 0 && (ply.other > ply.from) == king_side
}
