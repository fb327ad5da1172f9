//! Plies and faults in words, for programs that show them: boards, bindings of other languages.

use super::{AnyPosition, Man, Position};
use ferz_core::board::{Mask, Owner, Square, by_width};
use ferz_core::notation::{Fault, Style, WriteChoices, write, write_alone};
use ferz_core::position::{Gate, Ply, Position as Core, Reason, Verb};
use ferz_core::rules::{KindId, Piece};
use serde::Serialize;

/// A legal ply as a program shows it: as text, and as what a board has to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownPly {
    /// Who acts.
    pub actor: Owner,
    /// In standard algebraic notation; Nature's begin with `~`.
    pub san: String,
    /// In coordinate notation, which every ply of every game has.
    pub coord: String,
    /// In the notation of UCI engines, if it has a form for the ply.
    pub uci: Option<String>,
    /// The letter of the piece that moves (before promotion) or enters.
    pub piece: String,
    /// The square that it leaves; `None` if it enters.
    pub from: Option<String>,
    /// The square that it goes to; with castling, the king's.
    pub to: String,
    /// The square of a captured piece.
    pub captures: Option<String>,
    /// The letter of the piece that it becomes.
    pub promotion: Option<String>,
    /// True if the piece enters from a stock, or Nature introduces it.
    pub drop: bool,
    /// True if the ply castles.
    pub castles: bool,
    /// True if it gives up the turn.
    pub pass: bool,
    /// The pieces that enter from the reserve beside it.
    pub gates: Vec<ShownGate>,
}

/// A piece that enters on a square that a ply vacates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownGate {
    /// Its letter.
    pub piece: String,
    /// The square.
    pub square: String,
}

/// Why a text names no legal ply, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message} ({rule})")]
#[non_exhaustive]
pub struct ShownFault {
    /// Stable name of the reason.
    pub reason: Reason,
    /// The article or ruling.
    pub rule: String,
    /// The reason as a sentence, with squares and pieces.
    pub message: String,
    /// The squares involved.
    pub squares: Vec<String>,
    /// The nearest legal plies in standard algebraic notation, best first, at most five.
    pub nearest: Vec<String>,
}

impl Position {
    /// A legal ply as a program shows it.
    ///
    /// ```
    /// use ferz_records::play::{Position, Rules};
    ///
    /// let position = Position::start(&Rules::named("iago-b")?);
    /// let shown = position.shown(&position.read("Ng1-f3&M")?);
    /// assert_eq!((&*shown.san, &*shown.coord, shown.from.as_deref()), ("Nf3/M", "g1f3m", Some("g1")));
    /// assert_eq!((&*shown.gates[0].piece, &*shown.gates[0].square), ("M", "g1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shown(&self, ply: &Ply) -> ShownPly {
        by_width!(AnyPosition, &self.0, |position| shown(position, ply))
    }

    /// Why a text names no legal ply here, in words.
    pub fn shown_fault(&self, fault: &Fault) -> ShownFault {
        by_width!(AnyPosition, &self.0, |position| ShownFault {
            reason: fault.reason,
            rule: fault.rule.clone(),
            message: fault.message.clone(),
            squares: fault.squares.iter().map(|square| position.rules().board().name(*square)).collect(),
            nearest: fault.candidates.iter().map(|ply| write_alone(position, ply, Style::San)).collect(),
        })
    }
}

fn shown<M: Mask>(position: &Core<M>, ply: &Ply) -> ShownPly {
    let (rules, board) = (position.rules(), position.rules().board());
    let letter = |kind: KindId| Man::of(rules, Piece { owner: ply.actor, kind }).letter;
    let square = |square: Square| square.some().map(|square| board.name(square));
    let captures = match ply.verb {
        Verb::EnPassant => Some(ply.other),
        Verb::Move if !ply.is_null() && position.piece(ply.to).is_some() => Some(ply.to),
        _ => None,
    };
    let gate = |gate: &Gate| ShownGate { piece: letter(gate.kind), square: board.name(gate.square) };
    ShownPly {
        actor: ply.actor,
        san: write_alone(position, ply, Style::San),
        coord: write_alone(position, ply, Style::Coord),
        uci: write(position, ply, Style::Uci, WriteChoices::default()).ok(),
        piece: letter(ply.kind),
        from: square(ply.from),
        to: board.name(ply.to),
        captures: captures.and_then(square),
        promotion: ply.promotion.map(letter),
        drop: ply.verb == Verb::Drop,
        castles: ply.verb == Verb::Castle,
        pass: ply.verb == Verb::Pass,
        gates: ply.gates.iter().flatten().map(gate).collect(),
    }
}
