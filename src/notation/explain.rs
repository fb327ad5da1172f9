//! Why no legal ply fits a text: the first thing that would have to be mended.

use super::express::is_other_army;
use super::movetext::{MoveText, Shape};
use super::nearest::nearest;
use super::resolve::{Fault, as_kings_step, matches_nature, matching_castlings};
use crate::board::{Mask, Owner, Square};
use crate::position::{CastlingFault, Gate, NatureFault, Ply, Position, Reason, State};
use crate::rules::definition::{DeploymentKind, GateCastling, PromotionTo};
use crate::rules::{KindId, Piece, Rules};

/// The fault of a text that several legal plies fit.
#[cold]
pub(super) fn ambiguous<M: Mask>(position: &Position<M>, text: &MoveText) -> Box<Fault> {
    if matches!(text.shape, Shape::CastleKingSide | Shape::CastleQueenSide) {
        return ambiguous_castling(position, text);
    }
    let mut candidates = nearest(position, text);
    candidates.retain(|ply| ply.to == text.to && text.kinds.has(ply.kind));
    let mut squares: Vec<Square> = candidates.iter().filter_map(|ply| ply.from.some()).collect();
    squares.push(text.to);
    Box::new(Fault { squares, candidates, ..Fault::new(position.rules(), Reason::Ambiguous, "") })
}

/// The fault of a castling that does not say on which square a piece enters.
fn ambiguous_castling<M: Mask>(position: &Position<M>, text: &MoveText) -> Box<Fault> {
    let (rules, state) = (position.rules(), position.state());
    let candidates = matching_castlings(rules, state, text);
    let mut squares: Vec<Square> =
        candidates.iter().flat_map(|ply| ply.gates).flatten().map(|gate| gate.square).collect();
    squares.sort_unstable();
    squares.dedup();
    let names: Vec<String> = squares.iter().map(|&square| rules.board().name(square)).collect();
    let message = format!("the piece may enter on {}; its square is to be named", names.join(" and on "));
    Box::new(Fault { squares, candidates, ..Fault::new(rules, Reason::Ambiguous, &message) })
}

/// The fault of a text that no legal ply fits.
#[cold]
pub(super) fn illegal<M: Mask>(position: &Position<M>, text: &MoveText) -> Box<Fault> {
    let board = position.rules().board();
    let far = |step: &MoveText| step.from_file.is_some_and(|file| file.abs_diff(board.file(step.to)) >= 2);
    let castling = as_kings_step(position, text).filter(far);
    let text = castling.as_ref().unwrap_or(text);
    let explainer = Explainer { rules: position.rules(), state: position.state(), position, text };
    let (reason, detail, squares) = explainer.explain();
    let cases = explainer.cases(reason, &squares);
    let rule = position.rules().cite_case(reason.id(), &cases, reason.article()).to_owned();
    let candidates = nearest(position, text);
    Box::new(Fault { rule, squares, candidates, ..Fault::new(position.rules(), reason, &detail) })
}

type Explanation = (Reason, String, Vec<Square>);

struct Explainer<'a, M: Mask> {
    rules: &'a Rules<M>,
    state: &'a State<M>,
    position: &'a Position<M>,
    text: &'a MoveText,
}

impl<M: Mask> Explainer<'_, M> {
    fn name(&self, square: Square) -> String {
        self.rules.board().name(square)
    }

    fn kind_name(&self, kind: KindId) -> &str {
        &self.rules.kind(kind).name
    }

    /// What a definition may cite an article of its own for: Nature's plies, single kinds, the deployment.
    fn cases(&self, reason: Reason, squares: &[Square]) -> Vec<String> {
        let owner = self.state.status().turn;
        let mut cases = Vec::new();
        if reason == Reason::NoSuchMove && self.text.to != Square::NONE {
            if self.state.real_kings(self.rules).has(self.text.to) {
                cases.push("king-captured".to_owned());
            }
            let piece = squares.first().and_then(|&from| self.state.piece(from));
            cases.extend(piece.map(|piece| char::from(self.rules.kind(piece.kind).letter).to_string()));
        }
        if reason == Reason::LeavesKingAttacked && self.is_to_win(owner) {
            cases.push("kings-square".to_owned());
        }
        if reason == Reason::PromotionPool && self.state.pool(self.rules, owner).is_empty() {
            cases.push("empty".to_owned());
        }
        if self.text.natures {
            let natures: Vec<String> = cases.iter().map(|case| format!("nature.{case}")).collect();
            cases.splice(0..0, natures.into_iter().chain(["nature".to_owned()]));
        } else if self.state.deployment_due(self.rules, owner) {
            cases.push("deployment".to_owned());
        } else if self.rules.nature.is_some() && !self.rules.hand_drops {
            cases.push("reentry".to_owned());
        }
        cases
    }

    /// True if a pawn is to go where it would win by arriving.
    fn is_to_win(&self, owner: Owner) -> bool {
        let (to, wins) = (self.text.to, self.rules.kings_square[owner]);
        let pawns = self.state.pieces_of(owner, self.rules.pawns);
        to != Square::NONE && wins.has(to) && (self.meant() & pawns).any()
    }

    fn plain(&self, reason: Reason) -> Explanation {
        (reason, String::new(), self.text.to.some().into_iter().collect())
    }

    fn explain(&self) -> Explanation {
        if self.text.kinds.is_empty() {
            return self.plain(Reason::NoSuchKind);
        }
        if self.text.natures {
            return self.natures();
        }
        let owner = self.state.status().turn;
        if self.text.shape == Shape::Drop {
            return self.drop(owner);
        }
        if self.state.deployment_due(self.rules, owner) {
            return self.plain(Reason::DeploymentDue);
        }
        match self.text.shape {
            Shape::CastleKingSide | Shape::CastleQueenSide if !self.is_kings_way(owner) => {
                let message = "castling does not take a king there".to_owned();
                (Reason::NoSuchMove, message, vec![self.text.to])
            }
            Shape::CastleKingSide => self.castling(owner, true),
            Shape::CastleQueenSide => self.castling(owner, false),
            Shape::Null => (Reason::NoSuchMove, "a null move is no ply of this game".into(), Vec::new()),
            _ => self.step(owner),
        }
    }

    /// The pieces that the text may mean, whoever owns them.
    fn meant(&self) -> M {
        let geometry = &self.rules.geometry;
        let mut squares = geometry.all() & self.state.occupied();
        if let Some(file) = self.text.from_file {
            squares &= geometry.file(file);
        }
        if let Some(rank) = self.text.from_rank {
            squares &= geometry.rank(rank);
        }
        M::of(
            squares
                .squares()
                .filter(|&square| self.state.piece(square).is_some_and(|p| self.text.kinds.has(p.kind))),
        )
    }

    fn step(&self, owner: Owner) -> Explanation {
        let meant = self.meant();
        let own = meant & self.state.owned(owner);
        if meant.is_empty() {
            return (Reason::NoSuchPiece, self.no_such_piece(), self.text.to.some().into_iter().collect());
        }
        if own.is_empty() {
            let square = meant.lowest();
            let whose = self.state.piece(square).map_or("", |piece| piece.owner.name());
            return (
                Reason::NotYourPiece,
                format!("the piece on {} is {whose}'s", self.name(square)),
                vec![square],
            );
        }
        let to = self.text.to;
        if let Some(explanation) = self.castling_by_squares(owner, own) {
            return explanation;
        }
        if self.state.owned(owner).has(to) {
            return (Reason::OwnPieceOnTarget, format!("an own piece stands on {}", self.name(to)), vec![to]);
        }
        let movers: Vec<(Square, KindId)> = own
            .squares()
            .filter_map(|from| self.state.piece(from).map(|piece| (from, piece.kind)))
            .filter(|&(from, kind)| self.state.origins(self.rules, owner, kind, to).has(from))
            .collect();
        let Some(&(from, kind)) = movers.first() else { return self.no_such_move(owner, own) };
        if self.text.victim != Square::NONE {
            let message = format!("no pawn is captured en passant on {}", self.name(self.text.victim));
            return (Reason::EnPassant, message, vec![self.text.victim]);
        }
        let mut ply = self.state.step(self.rules, owner, kind, from, to);
        if let Some(explanation) = self.promotion(owner, &mut ply) {
            return explanation;
        }
        if let Some(explanation) = self.gating(owner, &mut ply) {
            return explanation;
        }
        let king = self.state.king(self.rules, owner);
        let king = if kind == self.rules.king { to } else { king };
        self.leaves_king_attacked(king)
    }

    fn leaves_king_attacked(&self, king: Square) -> Explanation {
        let message = format!("after it the king on {} is attacked", self.name(king));
        (Reason::LeavesKingAttacked, message, vec![king])
    }

    /// True if the squares that a castling names, where it names any, are the king's.
    fn is_kings_way(&self, owner: Owner) -> bool {
        let board = self.rules.board();
        let king = self.state.king(self.rules, owner);
        let kings = |castling: &crate::rules::compiled::Castling| {
            let king_side = self.text.shape == Shape::CastleKingSide;
            let (to, _) = if king_side { castling.king_side } else { castling.queen_side };
            board.rank(king) == board.rank(self.text.to)
                && to == board.file(self.text.to)
                && self.text.from_file == Some(board.file(king))
                && self.text.from_rank == Some(board.rank(king))
        };
        self.text.to == Square::NONE || king != Square::NONE && self.rules.castling.as_ref().is_none_or(kings)
    }

    fn no_such_piece(&self) -> String {
        let whole = self.text.from_file.zip(self.text.from_rank);
        match whole.and_then(|(file, rank)| self.rules.board().square(file as i8, rank as i8)) {
            Some(square) => match self.state.piece(square) {
                None => format!("no piece stands on {}", self.name(square)),
                Some(Piece { owner, kind }) => {
                    format!("on {} stands {}'s {}", self.name(square), owner.name(), self.kind_name(kind))
                }
            },
            None => Reason::NoSuchPiece.text().into(),
        }
    }

    /// No piece that is meant moves to the target.
    fn no_such_move(&self, owner: Owner, own: M) -> Explanation {
        let to = self.text.to;
        if self.state.real_kings(self.rules).has(to) {
            return (Reason::NoSuchMove, "no king is ever captured".into(), vec![to]);
        }
        let from = own.lowest();
        let Some(piece) = self.state.piece(from) else { return self.plain(Reason::NoSuchMove) };
        if self.rules.en_passant && self.rules.is_pawn(piece.kind) {
            let diagonal = self.rules.moves[owner].origins(piece.kind.index(), to, true).any & own;
            let behind = self.rules.board().offset(to, 0, -owner.forward());
            let pawn = behind
                .and_then(|square| self.state.piece(square))
                .filter(|p| self.rules.is_pawn(p.kind) && p.owner != owner);
            if diagonal.any() && self.state.piece(to).is_none() && pawn.is_some() {
                // The right is there, and yet the capture is not legal: it endangers the king.
                if to == self.state.status().passed {
                    return self.leaves_king_attacked(self.state.king(self.rules, owner));
                }
                return (Reason::EnPassant, String::new(), vec![to]);
            }
        }
        let message = if own.is_single() {
            format!(
                "the {} on {} does not go to {}",
                self.kind_name(piece.kind),
                self.name(from),
                self.name(to)
            )
        } else {
            format!("no {} goes to {}", self.kind_name(piece.kind), self.name(to))
        };
        (Reason::NoSuchMove, message, vec![from, to])
    }

    fn promotion(&self, owner: Owner, ply: &mut Ply) -> Option<Explanation> {
        let to = ply.to;
        let wanted = self.text.promotion;
        if !self.rules.is_pawn(ply.kind) {
            let gates = self.text.may_gate_by_letter() && self.rules.gating.is_some();
            return (wanted.is_some() && !gates)
                .then(|| (Reason::PromotionSquare, "only pawns are promoted".into(), vec![to]));
        }
        ply.promotion = wanted;
        if self.state.ply_promotion_fits(self.rules, ply) {
            return None;
        }
        let choice = self.state.promotions(self.rules, owner, ply.from, to);
        let offered = |kind: KindId| match is_other_army(self.rules, owner, kind) {
            true => format!("{} of the other army", self.kind_name(kind)),
            false => self.kind_name(kind).to_owned(),
        };
        let kinds: Vec<String> = choice.kinds.kinds().map(offered).collect();
        let (reason, message) = match wanted {
            _ if choice.must && choice.kinds.is_empty() => (Reason::PromotionPool, String::new()),
            None => (
                Reason::PromotionMissing,
                format!("on {} the pawn must become one of: {}", self.name(to), kinds.join(", ")),
            ),
            Some(_) if choice.kinds.is_empty() => {
                (Reason::PromotionSquare, format!("there is no promotion on {}", self.name(to)))
            }
            Some(kind) if self.pool_may_hold(kind) => (
                Reason::PromotionPool,
                format!(
                    "the pool holds no {}; the pawn may become: {}",
                    self.kind_name(kind),
                    kinds.join(", ")
                ),
            ),
            Some(_) => (
                Reason::PromotionKind,
                format!("on {} the pawn may become: {}", self.name(to), kinds.join(", ")),
            ),
        };
        Some((reason, message, vec![to]))
    }

    /// True if promotion is limited by a pool that may hold the kind in some position (IAB-3).
    fn pool_may_hold(&self, kind: KindId) -> bool {
        let pool = self.rules.promotion_to == PromotionTo::Pool;
        pool && kind != self.rules.king && !self.rules.is_pawn(kind)
    }

    /// What is wrong with the gating of a step, if it is that.
    fn gating(&self, owner: Owner, ply: &mut Ply) -> Option<Explanation> {
        let by_letter = (self.text.may_gate_by_letter() && !self.rules.is_pawn(ply.kind))
            .then_some(self.text.promotion)
            .flatten();
        let gated = self.text.gates[0];
        let kind = gated.map(|gate| gate.kind).or(by_letter)?;
        let from = ply.from;
        ply.promotion = None;
        let home = self.rules.back_rank[owner].has(from)
            && self.rules.array[from.index()].is_some_and(|p| p.owner == owner)
            || from == self.rules.deployment_square[owner];
        let elsewhere = gated.and_then(|gate| gate.square.some()).is_some_and(|square| square != from);
        let reason = if self.rules.gating.is_none() || !home || self.rules.is_pawn(ply.kind) || elsewhere {
            Reason::GateNotHome
        } else if !self.state.status().unmoved.has(from) {
            Reason::GateNotFirstMove
        } else if let Some(reason) = self.not_gated(owner, kind) {
            reason
        } else if self.text.gates[1].is_some() || gated.is_some() && by_letter.is_some() {
            let message = "a piece leaves one square, and one piece takes it".to_owned();
            return Some((Reason::GateNotHome, message, vec![from]));
        } else {
            ply.gates[0] = Some(Gate { kind, square: from });
            return None;
        };
        Some((reason, String::new(), vec![from]))
    }

    /// Why a kind cannot be gated in at all now.
    fn not_gated(&self, owner: Owner, kind: KindId) -> Option<Reason> {
        if self.state.reserve(owner)[kind.index()] == 0 {
            return Some(Reason::NotInReserve);
        }
        (self.state.entries_left(self.rules, owner) == 0).then_some(Reason::EntriesExhausted)
    }

    /// The king going two files or more, or onto a rook of its own, is meant as castling.
    fn castling_by_squares(&self, owner: Owner, own: M) -> Option<Explanation> {
        let king = self.state.king(self.rules, owner);
        let board = self.rules.board();
        let to = self.text.to;
        if king == Square::NONE {
            return None;
        }
        let castling = self.rules.castling?;
        let rook_on = |square: Square| {
            self.state.piece(square).is_some_and(|p| p.owner == owner && castling.rooks.has(p.kind))
        };
        let king_moves = own.has(king) && board.rank(king) == board.rank(to) && own.is_single();
        let far = board.file(king).abs_diff(board.file(to)) >= 2;
        let from_rook = to == king && own.is_single() && rook_on(own.lowest());
        if !(from_rook || king_moves && (far || rook_on(to))) {
            return None;
        }
        let explanation = self.castling(owner, if from_rook { own.lowest() > king } else { to > king });
        // A castling that is legal in its own form was not meant, or is only written otherwise.
        (explanation.0 != Reason::GateWithCastling || self.gates_said().next().is_some())
            .then_some(explanation)
    }

    /// The kinds that the text wants to enter behind king or rook.
    fn gates_said(&self) -> impl Iterator<Item = KindId> {
        let by_letter = self.text.promotion.filter(|_| self.text.shape == Shape::Squares);
        by_letter.into_iter().chain(self.text.gates.into_iter().flatten().map(|gate| gate.kind))
    }

    fn castling(&self, owner: Owner, king_side: bool) -> Explanation {
        let king = self.state.king(self.rules, owner);
        let rooks = self.state.status().castling & self.state.owned(owner);
        let rook = rooks.squares().find(|&rook| (rook > king) == king_side);
        let squares = king.some().into_iter().chain(rook).collect();
        let fault =
            rook.map_or(Err(CastlingFault::Right), |rook| self.state.try_castling(self.rules, owner, rook));
        let gating = self.rules.gating.filter(|gating| gating.with_castling != GateCastling::Never);
        let reason = match fault {
            Err(CastlingFault::Right) => Reason::CastlingRight,
            Err(CastlingFault::Blocked) => Reason::CastlingBlocked,
            Err(CastlingFault::ThroughCheck) => Reason::CastlingThroughCheck,
            Ok(_) => gating
                .and_then(|gating| self.gates_lacking(owner, gating.per_turn))
                .unwrap_or(Reason::GateWithCastling),
        };
        (reason, String::new(), squares)
    }

    /// Why not all that is to enter while castling can be had.
    fn gates_lacking(&self, owner: Owner, per_turn: u8) -> Option<Reason> {
        let said: Vec<KindId> = self.gates_said().collect();
        let lacking = said.iter().find_map(|&kind| self.not_gated(owner, kind));
        let [first, second, ..] = said[..] else { return lacking };
        if lacking.is_some() || per_turn < 2 {
            return lacking;
        }
        if first == second && self.state.reserve(owner)[first.index()] < 2 {
            return Some(Reason::NotInReserve);
        }
        (self.state.entries_left(self.rules, owner) < 2).then_some(Reason::EntriesExhausted)
    }

    fn drop(&self, owner: Owner) -> Explanation {
        let to = self.text.to;
        let Some(kind) = self.text.kinds.kinds().next() else { return self.plain(Reason::NoSuchKind) };
        let (reserve, hand) = (self.state.reserve(owner)[kind.index()], self.state.hand(owner)[kind.index()]);
        if self.state.deployment_due(self.rules, owner) && self.rules.deployment == DeploymentKind::Opening {
            let square = self.rules.deployment_square[owner];
            let message = format!("the first ply puts a piece of the reserve on {}", self.name(square));
            return (Reason::DeploymentDue, message, vec![square]);
        }
        if reserve == 0 && hand == 0 {
            let from_reserve =
                self.rules.has_reserve && (!self.rules.has_hand || self.rules.reserve[kind.index()] > 0);
            let reason = if from_reserve { Reason::NotInReserve } else { Reason::NotInHand };
            let stock = if from_reserve { "reserve" } else { "hand" };
            return (
                reason,
                format!("{} has no {} in {stock}", owner.name(), self.kind_name(kind)),
                vec![to],
            );
        }
        if kind == self.rules.king && self.state.hand(owner).iter().map(|&n| u32::from(n)).sum::<u32>() > 1 {
            return self.plain(Reason::KingLast);
        }
        if self.state.drop_squares(self.rules, owner, kind).has(to) {
            let reason = if kind == self.rules.king {
                Reason::KingDeployedAttacked
            } else {
                Reason::LeavesKingAttacked
            };
            return self.plain(reason);
        }
        self.drop_square(owner, kind, reserve > 0, hand > 0)
    }

    /// Why a piece that is at hand may not be placed on the square.
    fn drop_square(&self, owner: Owner, kind: KindId, in_reserve: bool, in_hand: bool) -> Explanation {
        let to = self.text.to;
        let drops = &self.rules.drops[owner];
        let reenters = in_hand && !self.rules.hand_drops;
        if reenters && !in_reserve {
            return self.plain(Reason::ReentrySquare);
        }
        if self.state.occupied().has(to) {
            return self.plain(Reason::DropOccupied);
        }
        let zone = if in_reserve { drops.reserve } else { drops.hand };
        if in_reserve && zone.has(to) && self.state.entries_left(self.rules, owner) == 0 {
            return self.plain(Reason::EntriesExhausted);
        }
        let pawn = self.rules.is_pawn(kind);
        if pawn && zone.has(to) && drops.pawns.has(to) && !self.rules.pawns_share_files {
            return self.plain(Reason::PawnFile);
        }
        self.plain(Reason::DropZone)
    }

    fn natures(&self) -> Explanation {
        if !self.position.nature_may_act() {
            let message = match &self.rules.nature {
                None => "the game has no third player".to_owned(),
                Some(nature) => format!(
                    "{} real plies have passed since the last in-between turn or the start; it takes {}",
                    self.state.status().nature.clock,
                    nature.period
                ),
            };
            return (Reason::NatureNotAvailable, message, Vec::new());
        }
        let mut fault = None;
        self.state.any_natures_try(self.rules, |ply| {
            if matches_nature(self.rules, self.text, ply) {
                fault = fault.or(self.state.nature_fault(self.rules, ply));
            }
            false
        });
        match fault {
            Some(NatureFault::AttacksPiece(square)) => {
                let message = format!("it would attack the piece on {}", self.name(square));
                (Reason::NatureAttacksPiece, message, vec![self.text.to, square])
            }
            Some(NatureFault::CaptureExposes) => self.plain(Reason::NatureExposes),
            Some(NatureFault::ExposesWaitingKing) => {
                let message = "the king of the player not on move would be attacked (CHA-6)".to_owned();
                (Reason::NatureExposes, message, vec![self.text.to])
            }
            None => self.natures_movement(),
        }
    }

    /// Nature's pieces have no such move at all.
    fn natures_movement(&self) -> Explanation {
        let to = self.text.to;
        let introduces = matches!(self.text.shape, Shape::Drop | Shape::Introduction);
        if introduces {
            let occupied = self.state.occupied().has(to);
            return self.plain(if occupied { Reason::DropOccupied } else { Reason::NatureKind });
        }
        let meant = self.meant();
        let own = meant & self.state.owned(Owner::Nature);
        if meant.is_empty() {
            return (Reason::NoSuchPiece, self.no_such_piece(), vec![to]);
        }
        if own.is_empty() {
            return self.plain(Reason::NotYourPiece);
        }
        if self.state.real_kings(self.rules).has(to) {
            return self.plain(Reason::NatureCapturesKing);
        }
        if self.state.owned(Owner::Nature).has(to) {
            return self.plain(Reason::OwnPieceOnTarget);
        }
        let board = self.rules.board();
        let from = own.lowest();
        let Some(piece) = self.state.piece(from) else { return self.plain(Reason::NoSuchMove) };
        let distance =
            board.file(from).abs_diff(board.file(to)).max(board.rank(from).abs_diff(board.rank(to)));
        if own.is_single() && piece.kind == self.rules.king && distance == 2 {
            return self.plain(Reason::NatureCastling);
        }
        if self.rules.nature.as_ref().is_some_and(|nature| nature.pawn == piece.kind) {
            let other = MoveText { promotion: None, ..*self.text };
            let reaches = self.state.any_natures_try(self.rules, |ply| {
                matches_nature(self.rules, &MoveText { promotion: ply.promotion, ..other }, ply)
            });
            if reaches {
                return self.plain(Reason::NaturePromotion);
            }
            if self.text.victim != Square::NONE {
                return self.plain(Reason::EnPassant);
            }
        }
        (
            Reason::NoSuchMove,
            format!("the {} does not go to {}", self.kind_name(piece.kind), self.name(to)),
            vec![from, to],
        )
    }
}
