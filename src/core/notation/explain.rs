//! Explains why no legal ply fits a text: of all attempts takes the one that is closest to a legal ply, and words the
//! first of its failures in the order of repair.

use super::attempts::attempts;
use super::express::is_other_army;
use super::movetext::{MoveText, Shape};
use super::nearest::nearest;
use super::resolve::{Fault, as_kings_step};
use crate::board::{Mask, Owner, Square};
use crate::position::{Attempt, NatureFault, Ply, Position, Reason, State, Verb};
use crate::rules::{KindId, Piece, Rules};

/// The fault of a text that several legal plies fit.
#[cold]
pub(super) fn ambiguous<M: Mask>(position: &Position<M>, text: &MoveText, plies: Vec<Ply>) -> Box<Fault> {
    let rules = position.rules();
    if text.natures && matches!(text.shape, Shape::CastleKingSide | Shape::CastleQueenSide) {
        let squares: Vec<Square> = plies.iter().flat_map(|ply| [ply.from, ply.to]).collect();
        let message = "Nature may castle in several ways; write the squares of her king, as in `Ke1g1`";
        return Box::new(Fault {
            squares,
            candidates: plies,
            ..Fault::new(rules, Reason::Ambiguous, message)
        });
    }
    if matches!(text.shape, Shape::CastleKingSide | Shape::CastleQueenSide) {
        // The castling does not say on which square a piece enters.
        let gates = plies.iter().flat_map(|ply| ply.gates).flatten();
        let squares: Vec<Square> = M::of(gates.map(|gate| gate.square)).squares().collect();
        let names: Vec<String> = squares.iter().map(|&square| rules.square_name(square)).collect();
        let message = format!("the piece may enter on {}; write its square", names.join(" and on "));
        return Box::new(Fault {
            squares,
            candidates: plies,
            ..Fault::new(rules, Reason::Ambiguous, &message)
        });
    }
    let mut candidates = nearest(position, text);
    candidates.retain(|ply| ply.to == text.to && text.kinds.has(ply.kind));
    let mut squares: Vec<Square> = candidates.iter().filter_map(|ply| ply.from.some()).collect();
    squares.push(text.to);
    Box::new(Fault { squares, candidates, ..Fault::new(rules, Reason::Ambiguous, "") })
}

/// The fault of a text that no legal ply fits.
#[cold]
pub(super) fn illegal<M: Mask>(position: &Position<M>, text: &MoveText) -> Box<Fault> {
    let board = position.rules().board();
    let far = |step: &MoveText| step.from_file.is_some_and(|file| file.abs_diff(board.file(step.to)) >= 2);
    let castling = as_kings_step(position, text).filter(far);
    let text = castling.as_ref().unwrap_or(text);
    let attempts = attempts(position, text);
    let explainer = Explainer { rules: position.rules(), state: position.state(), text, attempts: &attempts };
    let (reason, ply) = explainer.reason();
    let (detail, squares) = explainer.words(reason, ply);
    let cases = explainer.cases(reason, ply, &squares);
    let rule = position.rules().cite_case(reason.id(), &cases, reason.article()).to_owned();
    let candidates = nearest(position, text);
    Box::new(Fault { rule, squares, candidates, ..Fault::new(position.rules(), reason, &detail) })
}

/// The attempt whose first failure comes last in the order of repair; the first of several.
pub(super) fn furthest<'a>(attempts: impl DoubleEndedIterator<Item = &'a Attempt>) -> Option<&'a Attempt> {
    attempts.rev().max_by_key(|attempt| attempt.failed.first_place())
}

struct Explainer<'a, M: Mask> {
    rules: &'a Rules<M>,
    state: &'a State<M>,
    text: &'a MoveText,
    attempts: &'a [Attempt],
}

impl<M: Mask> Explainer<'_, M> {
    fn name(&self, square: Square) -> String {
        self.rules.square_name(square)
    }

    fn kind_name(&self, kind: KindId) -> &str {
        &self.rules.kind(kind).name
    }

    /// The first failure of the attempt that got furthest; without a ply if the text matches no piece.
    fn reason(&self) -> (Reason, Option<&Ply>) {
        if self.text.kinds.is_empty() {
            return (Reason::NoSuchKind, None);
        }
        let failed = self.attempts.iter().filter(|attempt| !attempt.is_legal());
        let found = furthest(failed).and_then(|attempt| Some((attempt.failed.first()?, Some(&attempt.ply))));
        found.unwrap_or((self.reason_without_attempt(), None))
    }

    fn reason_without_attempt(&self) -> Reason {
        match self.text.shape {
            _ if self.text.natures && !self.state.nature_is_due(self.rules) => Reason::NatureNotAvailable,
            Shape::CastleKingSide | Shape::CastleQueenSide if self.text.natures => Reason::NatureCastling,
            Shape::CastleKingSide | Shape::CastleQueenSide => Reason::CastlingRight,
            Shape::Null => Reason::NullMove,
            _ => Reason::NoSuchPiece,
        }
    }

    /// Cases for which a definition may cite another article: Nature's plies, single kinds, the deployment.
    fn cases(&self, reason: Reason, ply: Option<&Ply>, squares: &[Square]) -> Vec<String> {
        let owner = self.state.status().turn;
        let mut cases = Vec::new();
        if reason == Reason::NoSuchMove && self.text.to != Square::NONE {
            if self.state.real_kings(self.rules).has(self.text.to) {
                cases.push("king-captured".to_owned());
            }
            let piece = squares.first().and_then(|&from| self.state.piece(from));
            cases.extend(piece.map(|piece| self.rules.kind(piece.kind).key()));
        }
        let wins = |ply: &Ply| self.rules.is_pawn(ply.kind) && self.rules.kings_square[ply.actor].has(ply.to);
        if reason == Reason::LeavesKingAttacked && ply.is_some_and(wins) {
            cases.push("kings-square".to_owned());
        }
        if reason == Reason::PromotionPool && self.state.pool(self.rules, owner).is_empty() {
            cases.push("empty".to_owned());
        }
        if reason == Reason::DeploymentDue && self.state.placement_is_due(self.rules) {
            cases.push("placement".to_owned());
        }
        if reason == Reason::NatureNotAvailable && self.state.status().nature.eliminated {
            cases.push("eliminated".to_owned());
        }
        let starves =
            |ply| matches!(self.state.nature_fault(self.rules, ply), Some(NatureFault::ExposesAntiKing(_)));
        if reason == Reason::NatureExposes && ply.is_some_and(starves) {
            cases.push("anti-king".to_owned());
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

    /// The message for a failure, empty if the reason's own text suffices, and the squares concerned.
    fn words(&self, reason: Reason, ply: Option<&Ply>) -> (String, Vec<Square>) {
        let to = self.text.to.some().into_iter().collect();
        match (reason, ply) {
            (Reason::NoSuchPiece, _) => (self.no_such_piece(), to),
            (Reason::NatureNotAvailable, _) => (self.not_available(), Vec::new()),
            (Reason::CastlingRight, None) => {
                let king = self.state.king(self.rules, self.state.status().turn);
                (String::new(), king.some().into_iter().collect())
            }
            (_, None) => (String::new(), to),
            (_, Some(ply)) => self.words_of(reason, ply),
        }
    }

    fn words_of(&self, reason: Reason, ply: &Ply) -> (String, Vec<Square>) {
        let Ply { actor, from, to, .. } = *ply;
        match reason {
            Reason::NotYourPiece if actor.is_real() => {
                let whose = self.state.piece(from).map_or("", |piece| piece.owner.name());
                (format!("the piece on {} is {whose}'s", self.name(from)), vec![from])
            }
            Reason::NoSuchMove => self.no_such_move(ply),
            Reason::OwnPieceOnTarget => {
                (format!("{}'s own piece is on {}", actor.name(), self.name(to)), vec![to])
            }
            Reason::LeavesKingAttacked if ply.verb != Verb::Drop => {
                let king = if ply.kind == self.rules.king { to } else { self.state.king(self.rules, actor) };
                (format!("the move leaves the king on {} in check", self.name(king)), vec![king])
            }
            Reason::DeploymentDue if self.state.placement_is_due(self.rules) => {
                ("Nature must place her Anti-King first, as in `~A@e6`".to_owned(), vec![to])
            }
            Reason::AntiCheck => self.anti_check(ply),
            Reason::EnPassant if self.text.victim != Square::NONE => {
                let victim = self.text.victim;
                (format!("no pawn can be captured en passant on {}", self.name(victim)), vec![victim])
            }
            Reason::PromotionMissing
            | Reason::PromotionKind
            | Reason::PromotionPool
            | Reason::PromotionSquare => (self.no_such_promotion(reason, ply), vec![to]),
            Reason::NotInHand | Reason::NotInReserve if ply.verb == Verb::Drop => {
                let stock = if reason == Reason::NotInHand { "hand" } else { "reserve" };
                (format!("{} has no {} in {stock}", actor.name(), self.kind_name(ply.kind)), vec![to])
            }
            Reason::DeploymentDue if ply.verb == Verb::Drop => {
                let square = self.rules.deployment_square[actor];
                (format!("the first ply must place a reserve piece on {}", self.name(square)), vec![square])
            }
            Reason::GateNotHome if ply.gates[1].is_some() => {
                ("the move vacates one square, so only one piece can be gated in".into(), vec![from])
            }
            Reason::NatureAttacksPiece | Reason::NatureExposes => self.natures_fault(ply),
            _ if ply.verb == Verb::Castle && actor.is_real() => (String::new(), vec![from, ply.other]),
            Reason::GateNotHome | Reason::GateNotFirstMove => (String::new(), vec![from]),
            Reason::NotInReserve | Reason::EntriesExhausted if ply.gates_any() => (String::new(), vec![from]),
            _ => (String::new(), vec![to]),
        }
    }

    fn anti_check(&self, ply: &Ply) -> (String, Vec<Square>) {
        let kind = self.rules.special.anti_king.filter(|kind| *kind != ply.kind);
        let stands = kind.map_or(ply.to, |kind| self.state.pieces(ply.actor, kind).lowest());
        let at = self.name(stands);
        let message = match ply.actor {
            Owner::Nature if self.state.nature_fault(self.rules, ply) == Some(NatureFault::AntiKingStays) => {
                format!("only a move of the Anti-King on {at} may end its anti-check")
            }
            Owner::Nature => format!("no player's piece would attack the Anti-King on {at}"),
            _ => format!("no opposing piece would attack the Anti-King on {at}"),
        };
        (message, vec![stands])
    }

    fn no_such_piece(&self) -> String {
        let whole = self.text.from_file.zip(self.text.from_rank);
        match whole.and_then(|(file, rank)| self.rules.board().square(file as i8, rank as i8)) {
            Some(square) => match self.state.piece(square) {
                None => format!("no piece stands on {}", self.name(square)),
                Some(Piece { owner, kind }) => {
                    format!(
                        "the piece on {} is {}'s {}",
                        self.name(square),
                        owner.name(),
                        self.kind_name(kind)
                    )
                }
            },
            None => Reason::NoSuchPiece.text().into(),
        }
    }

    fn no_such_move(&self, ply: &Ply) -> (String, Vec<Square>) {
        let Ply { from, to, .. } = *ply;
        if ply.verb == Verb::Castle {
            return ("castling does not move the king there".into(), vec![self.text.to]);
        }
        if self.state.real_kings(self.rules).has(to) {
            return ("a king cannot be captured".into(), vec![to]);
        }
        let (kind, target) = (self.kind_name(ply.kind), self.name(to));
        let own =
            |other: &&Attempt| other.ply.verb != Verb::Castle && !other.failed.has(Reason::NotYourPiece);
        let message = match self.attempts.iter().filter(own).count() {
            1 => format!("the {kind} on {} does not go to {target}", self.name(from)),
            _ => format!("no {kind} goes to {target}"),
        };
        (message, vec![from, to])
    }

    /// What is wrong with the other piece that a pawn promotes by its arrival; `None` if nothing is.
    fn no_such_other_promotion(&self, ply: &Ply) -> Option<String> {
        let (squares, kinds) = self.state.other_promotions_of(self.rules, ply)?;
        let (square, kind) = (squares.squares().next()?, kinds.kinds().next()?);
        let other = self.state.piece(square)?;
        Some(format!(
            "a pawn that arrives on {to} promotes a {name} to one of: {kinds}; write it, as in `{to}/{letter}{square}`",
            to = self.name(ply.to),
            name = self.kind_name(other.kind),
            kinds = kinds.kinds().map(|kind| self.kind_name(kind)).collect::<Vec<_>>().join(", "),
            letter = char::from(self.rules.kind(kind).letter),
            square = self.name(square)
        ))
    }

    fn no_such_promotion(&self, reason: Reason, ply: &Ply) -> String {
        if let Some(message) = self.no_such_other_promotion(ply) {
            return message;
        }
        if ply.verb == Verb::Switch {
            let kind = self.rules.special.switch.map_or("", |switch| self.kind_name(switch.to));
            return format!("it is switched for a {kind} only");
        }
        let promoter = self.rules.promoters.has(ply.kind);
        if !self.rules.is_pawn(ply.kind) && !promoter {
            return match self.rules.promoters.is_empty() {
                true => "only pawns can be promoted".into(),
                false => format!("a {} does not promote", self.kind_name(ply.kind)),
            };
        }
        let choice = self.state.promotions(self.rules, ply.actor, ply.kind, ply.from, ply.to);
        let offered = |kind: KindId| match is_other_army(self.rules, ply.actor, kind) {
            true => format!("{} of the other army", self.kind_name(kind)),
            false => self.kind_name(kind).to_owned(),
        };
        let kinds = choice.kinds.kinds().map(offered).collect::<Vec<_>>().join(", ");
        let target = self.name(ply.to);
        match (reason, ply.promotion) {
            (Reason::PromotionMissing, _) if promoter => {
                format!(
                    "the {} could not move again from {target}; promote it: {kinds}",
                    self.kind_name(ply.kind)
                )
            }
            (Reason::PromotionSquare, _) if promoter => {
                format!("the move from {} to {target} does not promote", self.name(ply.from))
            }
            (Reason::PromotionMissing, _) => {
                format!("on {target} the pawn must be promoted; write one of: {kinds}")
            }
            (Reason::PromotionSquare, _) => format!("there is no promotion on {target}"),
            (Reason::PromotionPool, Some(kind)) if !choice.kinds.is_empty() => {
                format!("the pool has no {}; the pawn may be promoted to: {kinds}", self.kind_name(kind))
            }
            (Reason::PromotionPool, _) => String::new(),
            _ => format!("on {target} the pawn may be promoted to: {kinds}"),
        }
    }

    fn not_available(&self) -> String {
        match &self.rules.nature {
            None => "the game has no third player".to_owned(),
            Some(_) if self.state.status().nature.eliminated => {
                "Nature is eliminated: no action could restore the attack on her Anti-King".to_owned()
            }
            Some(nature) => format!(
                "{} real plies have passed since the last in-between turn or the start; Nature may act after {}",
                self.state.status().nature.clock,
                nature.period
            ),
        }
    }

    fn natures_fault(&self, ply: &Ply) -> (String, Vec<Square>) {
        match self.state.nature_fault(self.rules, ply) {
            Some(NatureFault::AttacksPiece(square)) => {
                (format!("it would attack the piece on {}", self.name(square)), vec![ply.to, square])
            }
            Some(NatureFault::ExposesAntiKing(square)) => {
                let message =
                    format!("no opposing piece would attack the Anti-King on {}", self.name(square));
                (message, vec![ply.to, square])
            }
            Some(NatureFault::ExposesWaitingKing) => {
                ("the king of the player not on move would be attacked (CHA-6)".into(), vec![ply.to])
            }
            _ => (String::new(), vec![ply.to]),
        }
    }
}
