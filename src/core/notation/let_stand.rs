//! Resolves an illegal text that the players let stand.
//!
//! Exactly one attempt must have been possible on the board: the piece existed, a promotion is named, and no king was
//! captured. All other failures may be let stand.

use super::attempts::attempts;
use super::explain::furthest;
use super::movetext::{MoveText, Shape};
use super::styles::coordinates;
use crate::board::{Mask, Owner, Square};
use crate::position::{Attempt, Ply, Position, Reason, ReasonSet, State, Verb};
use crate::rules::Rules;

/// Failures that cannot be let stand: the piece did not exist, or the text does not name a promotion.
const IMPOSSIBLE: ReasonSet = ReasonSet::of(&[
    Reason::NoSuchPiece,
    Reason::PromotionMissing,
    Reason::NotInHand,
    Reason::NotInReserve,
    Reason::NatureKind,
    Reason::NatureCapturesKing,
    Reason::NatureCastling,
    Reason::NaturePromotion,
]);

/// Failures of a player's piece that cannot move to the square.
const UNREACHED: ReasonSet = ReasonSet::of(&[Reason::NoSuchMove, Reason::OwnPieceOnTarget]);

/// Failures of a pseudo-legal action of Nature.
const NATURES: ReasonSet = ReasonSet::of(&[
    Reason::NatureNotAvailable,
    Reason::NatureAttacksPiece,
    Reason::NatureExposes,
    Reason::AntiCheck,
]);

/// The ply that a text means regardless of the rules, for [`Position::apply_let_stand`].
///
/// # Errors
/// Describes why the text does not determine the ply, or why the ply cannot be let stand.
#[cold]
pub fn resolve_let_stand<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Ply, String> {
    if text.there {
        return resolve_let_stand(position, &text.at_last_target(position));
    }
    if text.by_file.is_some() {
        return match coordinates(position, text)[..] {
            [ref squares] => resolve_let_stand(position, squares),
            [] => Err("there is no such piece".into()),
            _ => Err("several pieces fit".into()),
        };
    }
    let chooser = Chooser { rules: position.rules(), state: position.state(), text };
    let attempts = attempts(position, text);
    let attempt = if text.natures {
        chooser.natures(&attempts)?
    } else {
        match text.shape {
            Shape::Null => return chooser.null(),
            Shape::Introduction => return Err("nothing was moved".into()),
            Shape::Drop => attempts.first().ok_or("this game has no such kind of piece")?,
            Shape::CastleKingSide | Shape::CastleQueenSide => {
                chooser.castling(&attempts.iter().collect::<Vec<_>>())?
            }
            Shape::Step | Shape::Squares => chooser.step(&attempts)?,
        }
    };
    chooser.check(attempt)?;
    Ok(attempt.ply)
}

struct Chooser<'a, M: Mask> {
    rules: &'a Rules<M>,
    state: &'a State<M>,
    text: &'a MoveText,
}

impl<'a, M: Mask> Chooser<'a, M> {
    fn name(&self, square: Square) -> String {
        self.rules.square_name(square)
    }

    /// The turn that the player on move gives up.
    fn null(&self) -> Result<Ply, String> {
        let player = self.state.status().turn;
        let king = self.state.king(self.rules, player).some();
        let at = king.or_else(|| self.state.owned(player).squares().next());
        let turn = if self.rules.special.passes { Ply::pass } else { Ply::null };
        at.map(|at| turn(player, self.rules.king, at)).ok_or_else(|| "the player has no piece".to_owned())
    }

    /// The pseudo-legal actions of Nature, whether or not a turn was due.
    fn natures(&self, attempts: &'a [Attempt]) -> Result<&'a Attempt, String> {
        let possible = attempts.iter().filter(|attempt| attempt.failed.without(NATURES).is_empty());
        let mut possible: Vec<&Attempt> = possible.collect();
        if self.text.shape == Shape::Introduction
            && possible.iter().any(|attempt| attempt.ply.verb == Verb::Drop)
        {
            possible.retain(|attempt| attempt.ply.verb == Verb::Drop);
        }
        match possible[..] {
            [attempt] => Ok(attempt),
            [] => Err("no piece of Nature's can make this move".into()),
            _ => Err("several actions of Nature's fit".into()),
        }
    }

    /// The castling that got furthest.
    fn castling(&self, castlings: &[&'a Attempt]) -> Result<&'a Attempt, String> {
        let Some(best) = furthest(castlings.iter().copied()) else {
            let king = self.state.king(self.rules, self.state.status().turn);
            let home = king != Square::NONE && self.rules.back_rank[self.state.status().turn].has(king);
            return Err(match self.rules.castling {
                None => "this game has no castling".into(),
                Some(_) if !home => "the king is not on its back rank".into(),
                Some(_) => "no rook to castle with".into(),
            });
        };
        let unsaid = self.text.gates.iter().flatten().any(|gate| gate.square == Square::NONE);
        let others = castlings
            .iter()
            .any(|other| other.ply.gates != best.ply.gates && other.ply.other == best.ply.other);
        if unsaid && others {
            return Err("no entry square for the piece".into());
        }
        Ok(best)
    }

    /// The player's pieces that reach the square; otherwise any of them, or an opponent's piece that reaches it.
    fn step(&self, attempts: &'a [Attempt]) -> Result<&'a Attempt, String> {
        let (castlings, steps): (Vec<&Attempt>, Vec<&Attempt>) =
            attempts.iter().partition(|attempt| attempt.ply.verb == Verb::Castle);
        let castlings: Vec<&Attempt> =
            castlings.into_iter().filter(|castling| self.is_meant(&castling.ply)).collect();
        if !castlings.is_empty() {
            return self.castling(&castlings);
        }
        let named = self.text.from_file.zip(self.text.from_rank);
        if let Some(from) = named.and_then(|(file, rank)| self.rules.board().square(file as i8, rank as i8)) {
            let no_piece = || format!("no such piece is on {}", self.name(from));
            return steps.first().copied().ok_or_else(no_piece);
        }
        let reaches = |attempt: &&&Attempt| attempt.failed.without(UNREACHED) == attempt.failed;
        let (own, others): (Vec<&Attempt>, Vec<&Attempt>) =
            steps.into_iter().partition(|attempt| !attempt.failed.has(Reason::NotYourPiece));
        let going: Vec<&Attempt> = own.iter().filter(reaches).copied().collect();
        if !going.is_empty() {
            return self.single(&going);
        }
        let turn = self.state.status().turn;
        let others = others.iter().filter(reaches).filter(|attempt| attempt.ply.actor != turn);
        // A pawn that does not capture stays on its file.
        let text = self.text;
        let pawns = text.kinds == self.rules.pawns && !text.captures && text.from_file.is_none();
        let file = |square| self.rules.board().file(square);
        let own = own.iter().filter(|attempt| !pawns || file(attempt.ply.from) == file(text.to));
        self.single(&own.chain(others).copied().collect::<Vec<_>>())
    }

    /// True if two squares denote a castling: a king moves two files or more from its array square, or onto its own
    /// rook.
    fn is_meant(&self, castling: &Ply) -> bool {
        let king = self.rules.array[castling.from.index()];
        let at_home = king.is_some_and(|king| (king.kind, king.owner) == (castling.kind, castling.actor));
        let board = self.rules.board();
        let far = board.file(castling.from).abs_diff(board.file(castling.to)) >= 2;
        at_home && far && castling.to == self.text.to || castling.other == self.text.to
    }

    fn single(&self, attempts: &[&'a Attempt]) -> Result<&'a Attempt, String> {
        match attempts {
            [attempt] => Ok(attempt),
            [] => Err("no piece fits".into()),
            _ => {
                let squares = M::of(attempts.iter().map(|attempt| attempt.ply.from)).squares();
                let names: Vec<String> = squares.map(|square| self.name(square)).collect();
                Err(format!("the piece on {} fits; write the from-square", names.join(" or ")))
            }
        }
    }

    /// Refuses plies that were impossible on the board.
    fn check(&self, attempt: &Attempt) -> Result<(), String> {
        let ply = &attempt.ply;
        let Ply { actor, kind, from, to, .. } = *ply;
        if !actor.is_real() || ply.verb == Verb::Pass {
            return Ok(());
        }
        if ply.verb != Verb::Drop && self.state.piece(from).is_some_and(|piece| piece.owner == Owner::Nature)
        {
            return Err(format!("the piece on {} is Nature's", self.name(from)));
        }
        if ply.verb == Verb::Switch {
            return Err("a piece that may not be switched cannot become another on its square".into());
        }
        self.check_entries(ply)?;
        if ply.verb == Verb::Castle {
            self.check_castling(ply)?;
        } else if self.state.untouchable(self.rules).has(to) && !self.state.real_kings(self.rules).has(to) {
            return Err(format!("the piece on {} is an Anti-King, which is never captured", self.name(to)));
        } else if self.state.real_kings(self.rules).has(to) {
            return Err(format!(
                "the piece on {} is a king, which cannot be captured (COM-2)",
                self.name(to)
            ));
        } else if from == to {
            return Err("nothing was moved".into());
        }
        match ply.promotion {
            Some(becomes) if self.rules.promotes_to[kind.slot()].is_some_and(|own| own != becomes) => {
                return Err("the piece does not become that kind".into());
            }
            Some(_) if self.rules.promoters.has(kind) => {}
            Some(_) if !self.rules.is_pawn(kind) => return Err("only pawns can be promoted".into()),
            Some(kind) => {
                let wins = self.rules.kings_square[actor].has(to);
                if kind == self.rules.king && !wins || self.rules.is_pawn(kind) {
                    return Err("a pawn cannot be promoted to that kind".into());
                }
            }
            None if self.rules.is_pawn(kind) && self.rules.promotion[actor].forced.has(to) => {
                return Err(format!("the pawn on {} must be promoted, but no piece is named", self.name(to)));
            }
            None => {}
        }
        let reason = attempt.failed.iter().find(|&reason| IMPOSSIBLE.has(reason));
        reason.map_or(Ok(()), |reason| Err(reason.text().into()))
    }

    /// The target squares of king and rook must have been vacant.
    fn check_castling(&self, ply: &Ply) -> Result<(), String> {
        let Some(castling) = &self.rules.castling else { return Err("this game has no castling".into()) };
        if !self.rules.back_rank[ply.actor].has(ply.from) {
            return Err("the king is not on its back rank".into());
        }
        let (king_to, rook_to) = self.rules.castling_targets(castling, ply.from, ply.other);
        if ply.to != king_to {
            return Err("castling does not move the king there".into());
        }
        let left = self.state.occupied() & !M::bit(ply.from) & !M::bit(ply.other);
        if let Some(square) = (left & (M::bit(king_to) | M::bit(rook_to))).lowest().some() {
            return Err(format!("another piece is on {}", self.name(square)));
        }
        let vacated =
            |square: Square| [ply.from, ply.other].contains(&square) && ![king_to, rook_to].contains(&square);
        let gate = ply.gates.iter().flatten().find(|gate| !vacated(gate.square));
        gate.map_or(Ok(()), |gate| Err(format!("{} is not vacated", self.name(gate.square))))
    }

    /// A gated piece must have been in reserve, and its square vacated by another piece.
    fn check_entries(&self, ply: &Ply) -> Result<(), String> {
        let (reserve, hand) = (self.state.reserve(ply.actor), self.state.hand(ply.actor));
        let wanted = |kind| ply.gates.iter().flatten().filter(|gate| gate.kind == kind).count() as u8;
        let mut gates = ply.gates.iter().flatten().map(|gate| gate.kind);
        let lacking = match ply.verb {
            Verb::Drop => Some(ply.kind).filter(|kind| reserve[kind.index()] + hand[kind.index()] == 0),
            _ => gates.find(|&kind| reserve[kind.index()] < wanted(kind)),
        };
        if let Some(kind) = lacking {
            return Err(format!(
                "{} has no {} beside the board",
                ply.actor.name(),
                self.rules.kind(kind).name
            ));
        }
        match ply.gates {
            _ if ply.verb == Verb::Castle => Ok(()),
            [Some(_), other] if other.is_some() || ply.promotion.is_some() => {
                Err("only one piece can enter on a vacated square".into())
            }
            [Some(gate), _] if gate.square != ply.from => {
                Err(format!("{} is not vacated", self.name(gate.square)))
            }
            _ => Ok(()),
        }
    }
}
