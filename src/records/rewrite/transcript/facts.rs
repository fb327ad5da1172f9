//! What a ply did and what a command says, as plain data.

use crate::record::comment::{Command, CommandKind, Score};
use crate::replay::Traced;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::notation::{CheckMark, coord, mark_of};
use ferz_core::position::{Ply, Position, Verb};
use ferz_core::rules::{KindId, Rules};
use serde::{Deserialize, Serialize};

/// The kind of a ply: the first of these that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlyKind {
    /// King and rook move together, with or without gating.
    Castling,
    /// Nature introduces a piece.
    Introduction,
    /// A player enters a piece from reserve or hand, also in a deployment phase.
    Drop,
    /// A piece moves, and another enters from the reserve on the square it left.
    Gating,
    /// A pawn captures a pawn in passing.
    EnPassant,
    /// A pawn is promoted, capturing or not.
    Promotion,
    /// A piece captures another.
    Capture,
    /// A piece moves.
    Move,
    /// A player gives up the turn.
    Pass,
}

/// A piece on a square.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// The kind's letter, with `'` for one of the other army.
    pub piece: String,
    /// The square.
    pub square: String,
}

/// A captured piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captured {
    /// The kind's letter, with `'` for one of the other army.
    pub piece: String,
    /// The square that it was on.
    pub square: String,
    /// Its owner: `white`, `black` or `nature`.
    pub owner: String,
}

/// Times in the comments after a ply, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// Left on the mover's clock after the ply (`clk`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
    /// Spent on the ply (`emt`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// Spent on the game so far by the mover (`egt`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// Time of day that a mechanical clock shows (`mct`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_ms: Option<u64>,
}

/// What is derived of every ply besides what always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Derive {
    /// The position after it, as FEN.
    pub fen: bool,
}

/// What a legal ply did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Number of the ply in its line, from 1; Nature's count too.
    pub ply: usize,
    /// The actor: `white`, `black` or `nature`.
    pub actor: String,
    /// The kind of ply.
    pub kind: PlyKind,
    /// Letter of the piece that moved, before any promotion, or that entered.
    pub piece: String,
    /// The from-square; absent for a piece that entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The target square; for castling the king's.
    pub to: String,
    /// For castling: the rook's from-square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rook: Option<String>,
    /// The captured piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<Captured>,
    /// The pieces that entered on a square that the ply vacated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gated: Vec<Placed>,
    /// The kind after promotion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promoted: Option<String>,
    /// The ply in coordinates.
    pub coord: String,
    /// Key of the position after it, 16 hexadecimal digits.
    pub key: String,
    /// The position after it, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// True if it gives check; for a ply of Nature, if it opens an attack by a real piece.
    pub check: bool,
    /// True if it is checkmate.
    pub mate: bool,
    /// The times in the comments after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// Why a ply is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Illegality {
    /// Number of the ply in its line, from 1.
    pub ply: usize,
    /// Code of the reason.
    pub code: String,
    /// Name of the reason.
    pub reason_id: String,
    /// The reason in words.
    pub reason: String,
    /// The article that forbids it.
    pub rule: String,
}

/// A command in a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandData {
    /// Its name, without the percent sign.
    pub name: String,
    /// The text after the name.
    pub value: String,
    /// False for an unknown command, or a value that cannot be read.
    pub known: bool,
    /// A time, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// White's advantage, in hundredths of a pawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centipawns: Option<i32>,
    /// Mate in this many moves; negative if Black mates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Coloured squares and arrows: `Ra1`, `Ga1b2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

impl Played {
    /// The effects of `ply`, legal or not, in the position `before`. The caller fills in number and clocks.
    pub(super) fn new<M: Mask>(before: &Position<M>, ply: &Ply, let_stand: bool, derive: Derive) -> Played {
        let rules = before.rules();
        let board = rules.board();
        let name = |square: Square| square.some().map(|square| board.name(square));
        let victim = match ply.verb {
            Verb::Castle | Verb::Switch | Verb::Pass => None,
            Verb::Move if ply.is_null() => None,
            Verb::EnPassant => Some(ply.other),
            // Nature's en passant may capture a piece on its target as well; the pawn is the one reported.
            Verb::Move | Verb::Drop => Some(ply.to),
        };
        let captured = victim.and_then(|square| {
            let piece = before.piece(square)?;
            let letter = letter(rules, piece.owner, piece.kind);
            Some(Captured { piece: letter, square: board.name(square), owner: word(piece.owner) })
        });
        let natures = (ply.actor == Owner::Nature).then(|| before.checkers());
        let mut after = before.clone();
        Traced { item: 0, ply: *ply, interjection: 0, let_stand }.apply(&mut after);
        let mark = mark_of(&after, natures, true);
        let mut text = String::new();
        coord::write(rules, ply, &mut text);
        let gated = ply.gates.iter().flatten().map(|gate| Placed {
            piece: letter(rules, ply.actor, gate.kind),
            square: board.name(gate.square),
        });
        Played {
            ply: 0,
            actor: word(ply.actor),
            kind: kind(ply, captured.is_some()),
            piece: letter(rules, ply.actor, ply.kind),
            from: name(ply.from),
            to: board.name(ply.to),
            rook: if ply.verb == Verb::Castle { name(ply.other) } else { None },
            captured,
            gated: gated.collect(),
            promoted: ply.promotion.map(|kind| letter(rules, ply.actor, kind)),
            coord: text,
            key: format!("{:016x}", after.key()),
            fen: derive.fen.then(|| after.fen()),
            // Some wins without check are marked like mate.
            check: mark != CheckMark::None && after.in_check(),
            mate: mark == CheckMark::Mate && after.status().over.is_none(),
            clocks: None,
        }
    }

    /// The first key with different values.
    pub fn difference(&self, other: &Played) -> Option<&'static str> {
        let keys = [
            ("ply", self.ply != other.ply),
            ("actor", self.actor != other.actor),
            ("coord", self.coord != other.coord),
            ("kind", self.kind != other.kind),
            ("piece", self.piece != other.piece),
            ("from", self.from != other.from),
            ("to", self.to != other.to),
            ("rook", self.rook != other.rook),
            ("captured", self.captured != other.captured),
            ("gated", self.gated != other.gated),
            ("promoted", self.promoted != other.promoted),
            ("check", self.check != other.check),
            ("mate", self.mate != other.mate),
            ("clocks", self.clocks != other.clocks),
            ("key", self.key != other.key),
            ("fen", self.fen.is_some() && other.fen.is_some() && self.fen != other.fen),
        ];
        keys.into_iter().find_map(|(key, differs)| differs.then_some(key))
    }
}

fn kind(ply: &Ply, captures: bool) -> PlyKind {
    match ply.verb {
        Verb::Castle => PlyKind::Castling,
        Verb::Drop if ply.actor == Owner::Nature => PlyKind::Introduction,
        Verb::Drop => PlyKind::Drop,
        Verb::Switch => PlyKind::Promotion,
        Verb::Pass => PlyKind::Pass,
        _ if ply.gates_any() => PlyKind::Gating,
        Verb::EnPassant => PlyKind::EnPassant,
        Verb::Move if ply.promotion.is_some() => PlyKind::Promotion,
        Verb::Move if captures => PlyKind::Capture,
        Verb::Move => PlyKind::Move,
    }
}

fn word(owner: Owner) -> String {
    owner.name().to_lowercase()
}

fn letter<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId) -> String {
    rules.kind(kind).label[owner].text()
}

impl From<&Command<'_>> for CommandData {
    fn from(command: &Command<'_>) -> CommandData {
        let mut data = CommandData {
            name: command.name.to_owned(),
            value: command.value.to_owned(),
            known: !matches!(command.kind, CommandKind::Unknown | CommandKind::Malformed),
            ms: None,
            centipawns: None,
            mate: None,
            depth: None,
            marks: Vec::new(),
        };
        match &command.kind {
            CommandKind::Clock(time)
            | CommandKind::Elapsed(time)
            | CommandKind::ElapsedGame(time)
            | CommandKind::Mechanical(time) => data.ms = Some(time.milliseconds()),
            CommandKind::Eval(eval) => {
                data.depth = eval.depth;
                match eval.score {
                    Score::Pawns(hundredths) | Score::Centipawns(hundredths) => {
                        data.centipawns = Some(hundredths)
                    }
                    Score::Mate(moves) => data.mate = Some(moves),
                }
            }
            CommandKind::Squares(marks) => {
                data.marks = marks.iter().map(|(colour, square)| format!("{colour}{square}")).collect();
            }
            CommandKind::Arrows(marks) => {
                data.marks = marks.iter().map(|(colour, from, to)| format!("{colour}{from}{to}")).collect();
            }
            CommandKind::Timeout
            | CommandKind::LetStand
            | CommandKind::Call(_)
            | CommandKind::Unknown
            | CommandKind::Malformed => {}
        }
        data
    }
}

impl Clocks {
    /// Records the time of a command.
    pub(super) fn note(&mut self, command: &CommandData) {
        let slot = match command.name.as_str() {
            "clk" => &mut self.left_ms,
            "emt" => &mut self.spent_ms,
            "egt" => &mut self.game_ms,
            "mct" => &mut self.shown_ms,
            _ => return,
        };
        *slot = command.ms.or(*slot);
    }
}
