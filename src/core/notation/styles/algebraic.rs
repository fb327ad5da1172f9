//! The algebraic styles: a letter for the piece, the squares, and marks. One writer writes them all; they differ in how
//! much of the from-square they name, and in the signs of drops and gates.

use super::figurine;
use super::form::{Form, NULL, Row, allows_algebraic};
use crate::board::{Mask, Owner, Square};
use crate::notation::express::{Lack, changes};
use crate::notation::movetext::Habits;
use crate::notation::origin::{Origin, origin_among, rivals};
use crate::notation::style::Style;
use crate::notation::write::{WriteChoices, is_aslant, mark_after};
use crate::position::{Ply, Position, Verb};
use crate::rules::{KindId, Rules};

/// PGN's short algebraic notation.
pub(in crate::notation) struct San;

/// Long algebraic notation.
pub(in crate::notation) struct Lan;

/// SAN with figures.
pub(in crate::notation) struct Figurine;

/// Rich Hutnik's notation of IAGO Chess.
pub(in crate::notation) struct Iago;

/// Pangus Ho's notation of iChess.
pub(in crate::notation) struct Ichess;

/// BattleChessGN18's notation of Chaos's Chess.
pub(in crate::notation) struct Chaos;

/// The notation of S-Chess.
pub(in crate::notation) struct Schess;

/// In what algebraic styles differ.
#[derive(Clone, Copy)]
struct Spelling {
    /// The from-square is always written, with a sign before the target.
    long: bool,
    /// Pawns have their letter, and captured pieces are named.
    full: bool,
    /// Pieces are figures.
    figures: bool,
    drop: DropSign,
    /// The sign before a gated piece.
    gate: char,
}

/// The sign of a drop.
#[derive(Clone, Copy)]
enum DropSign {
    /// Before the piece.
    Before(char),
    /// Between piece and square.
    After(char),
}

const SHORT: Spelling =
    Spelling { long: false, full: false, figures: false, drop: DropSign::After('@'), gate: '/' };

/// Habits of plies that another style of short forms would write otherwise.
const LEFT_BY_SHORT: Habits = Habits::DASH.and(Habits::WHOLE);

/// Implements a style that expresses every ply: its row, and how it spells.
macro_rules! form {
    ($form:ty, $row:expr, $spelling:expr) => {
        impl Form for $form {
            const ROW: Row = $row;

            fn write<M: Mask>(
                position: &Position<M>,
                ply: &Ply,
                _: WriteChoices,
                out: &mut String,
            ) -> Result<(), Lack> {
                write(position, ply, $spelling, out);
                Ok(())
            }
        }
    };
}

form!(San, Row { name: "san", example: "Nf3, e8=Q", left_by: LEFT_BY_SHORT, ..Row::ALGEBRAIC }, SHORT);

form!(
    Lan,
    Row {
        name: "lan",
        example: "Ng1-f3, e7-e8=Q",
        left_by: Habits::SHORT,
        shown_by: |habits, _| habits.has(Habits::DASH),
        ..Row::ALGEBRAIC
    },
    Spelling { long: true, ..SHORT }
);

form!(
    Figurine,
    Row {
        name: "figurine",
        example: "♘f3",
        letters: false,
        allows: allows_algebraic,
        left_by: LEFT_BY_SHORT,
        shown_by: |habits, _| habits.has(Habits::FIGURES),
        ..Row::ALGEBRAIC
    },
    Spelling { figures: true, ..SHORT }
);

form!(
    Chaos,
    Row {
        name: "chaos",
        example: "∞3.....b5a5=K",
        left_by: LEFT_BY_SHORT,
        shown_by: |habits, _| {
            habits.has(Habits::INTERJECTION) && !habits.has_any(Habits::DASH.and(Habits::AMPERSAND))
        },
        ..Row::ALGEBRAIC
    },
    SHORT
);

form!(
    Schess,
    Row {
        name: "schess",
        example: "Be3/H, O-O/Hh1",
        left_by: LEFT_BY_SHORT,
        shown_by: |habits, _| habits.has(Habits::SLASH),
        ..Row::ALGEBRAIC
    },
    SHORT
);

impl Form for Iago {
    const ROW: Row = Row {
        name: "iago",
        example: "Bc1-e3&C, &Me1",
        shown_by: |habits, native| {
            let shared = habits.has_any(Habits::SLASH.and(Habits::DASH));
            habits.has(Habits::AMPERSAND) || native == Style::Iago && shared
        },
        ..Row::ALGEBRAIC
    };

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        choices: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let sign = choices.sign;
        let spelling = Spelling { long: true, drop: DropSign::Before(sign), gate: sign, ..SHORT };
        write(position, ply, spelling, out);
        Ok(())
    }
}

impl Form for Ichess {
    const ROW: Row = Row {
        name: "ichess",
        example: "R=a1, Pc5=F",
        left_by: LEFT_BY_SHORT,
        shown_by: |habits, _| {
            habits.has_any(Habits::EQUALS_DROP.and(Habits::CAPTURED_NAMED).and(Habits::PAWN_LETTER))
        },
        ..Row::ALGEBRAIC
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        (ply.gates_any() && !changes(position.rules(), ply)).then_some(Lack::Gate)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        write(position, ply, Spelling { full: true, drop: DropSign::After('='), ..SHORT }, out);
        Ok(())
    }
}

/// Appends a ply with its mark.
fn write<M: Mask>(position: &Position<M>, ply: &Ply, spelling: Spelling, out: &mut String) {
    let mut writer = Writer { rules: position.rules(), position, spelling, out };
    writer.ply(ply);
    writer.mark(ply);
}

/// Writes a ply.
struct Writer<'a, M: Mask> {
    rules: &'a Rules<M>,
    position: &'a Position<M>,
    spelling: Spelling,
    out: &'a mut String,
}

impl<M: Mask> Writer<'_, M> {
    fn letter(&mut self, owner: Owner, kind: KindId) {
        let label = self.rules.kind(kind).label[owner];
        if label.plus {
            self.out.push('+');
        }
        let figures = self.spelling.figures && !label.plus;
        let figure = figures.then(|| figurine::figure(self.rules, owner, kind)).flatten();
        self.out.push(figure.unwrap_or(label.letter as char));
        if label.other_army {
            self.out.push('\'');
        }
    }

    fn square(&mut self, square: Square) {
        self.rules.board().write_square(square, self.out);
    }

    fn ply(&mut self, ply: &Ply) {
        match ply.verb {
            _ if ply.actor == Owner::Nature => self.natures(ply),
            Verb::Drop => self.drop(ply),
            Verb::Castle => {
                self.out.push_str(if ply.other > ply.from { "O-O" } else { "O-O-O" });
                self.gates(ply);
            }
            Verb::Switch => {
                self.letter(ply.actor, ply.kind);
                self.square(ply.to);
                self.promotion(ply);
            }
            Verb::Pass => self.out.push_str(NULL),
            Verb::Move | Verb::EnPassant => {
                self.step(ply);
                self.gates(ply);
            }
        }
    }

    fn drop(&mut self, ply: &Ply) {
        match self.spelling.drop {
            DropSign::Before(sign) => {
                self.out.push(sign);
                self.letter(ply.actor, ply.kind);
            }
            DropSign::After(sign) => {
                self.letter(ply.actor, ply.kind);
                self.out.push(sign);
            }
        }
        self.square(ply.to);
        self.gates(ply);
    }

    fn gates(&mut self, ply: &Ply) {
        for gate in ply.gates.iter().flatten() {
            self.out.push(self.spelling.gate);
            self.letter(ply.actor, gate.kind);
            if matches!(ply.verb, Verb::Castle | Verb::Drop) || self.rules.is_pawn(ply.kind) {
                self.square(gate.square);
            }
        }
    }

    fn step(&mut self, ply: &Ply) {
        let pawn = self.rules.is_pawn(ply.kind);
        let captured = self.captured(ply);
        if !pawn || self.spelling.full {
            self.letter(ply.actor, ply.kind);
        }
        let long = self.spelling.long;
        if long {
            self.square(ply.from);
        } else {
            self.origin(ply, pawn, captured.is_some());
        }
        match captured {
            Some(kind) => {
                self.out.push('x');
                if self.spelling.full {
                    self.letter(ply.actor, kind);
                }
            }
            None if long => self.out.push('-'),
            None => {}
        }
        self.square(ply.to);
        self.promotion(ply);
    }

    fn promotion(&mut self, ply: &Ply) {
        if let Some(kind) = ply.promotion {
            self.out.push('=');
            self.letter(ply.actor, kind);
        }
    }

    fn captured(&self, ply: &Ply) -> Option<KindId> {
        let square = if ply.verb == Verb::EnPassant { ply.other } else { ply.to };
        self.position.state().piece(square).map(|piece| piece.kind)
    }

    /// Writes the disambiguation.
    fn origin(&mut self, ply: &Ply, pawn: bool, captures: bool) {
        let board = self.rules.board();
        let needed = origin_among(self.position, ply, rivals(self.position, ply));
        let pawn_form = pawn && !self.spelling.full;
        let needed = match needed {
            // A pawn capture always names its file, never its rank alone.
            Origin::Nothing if pawn_form && captures => Origin::File,
            // A quiet step aslant would look like one along the file.
            Origin::Nothing if pawn_form && is_aslant(board, ply) => Origin::Square,
            Origin::Nothing => return,
            // A quiet pawn move is disambiguated by the full square, so that `d4e4` cannot look like a capture.
            _ if pawn && !captures => Origin::Square,
            Origin::Rank if pawn_form => Origin::Square,
            needed => needed,
        };
        match needed {
            Origin::Nothing => {}
            Origin::File => self.out.push((b'a' + board.file(ply.from)) as char),
            Origin::Rank => self.out.push_str(&board.rank_number(board.rank(ply.from)).to_string()),
            Origin::Square => self.square(ply.from),
        }
    }

    /// Nature's plies in the inventor's form.
    fn natures(&mut self, ply: &Ply) {
        let pawn = self.rules.is_pawn_of(Owner::Nature, ply.kind);
        match ply.verb {
            Verb::Drop => {
                self.square(ply.to);
                self.out.push('=');
                let at = self.out.len();
                self.letter(ply.actor, ply.kind);
                if pawn {
                    self.out[at..].make_ascii_lowercase();
                }
            }
            Verb::Castle => {
                self.letter(ply.actor, ply.kind);
                self.square(ply.from);
                self.square(ply.to);
            }
            Verb::EnPassant => {
                self.square(ply.from);
                self.square(ply.to);
                self.out.push('x');
                self.square(ply.other);
                self.promotion(ply);
                self.gates(ply);
            }
            Verb::Switch => {
                self.letter(ply.actor, ply.kind);
                self.square(ply.to);
                self.promotion(ply);
            }
            // Nature passes by no ply (CHA-23).
            Verb::Pass => {}
            Verb::Move => {
                let captures = self.captured(ply).is_some();
                if pawn {
                    self.natures_pawn(ply, captures);
                    self.gates(ply);
                } else {
                    self.letter(ply.actor, ply.kind);
                    self.natures_origin(ply);
                    self.out.push_str(if captures { "x" } else { "" });
                    self.square(ply.to);
                }
            }
        }
    }

    /// `c6` if only one pawn can move there, otherwise `c5c6`. Captures and promotions always name the from-square.
    fn natures_pawn(&mut self, ply: &Ply, captures: bool) {
        let mut alone = true;
        self.position.state().any_natures_try(self.rules, |other| {
            alone &= other.to != ply.to
                || other.kind != ply.kind
                || other.from == ply.from
                || other.verb == Verb::Drop;
            false
        });
        if captures || ply.promotion.is_some() || !alone {
            self.square(ply.from);
        }
        self.out.push_str(if captures { "x" } else { "" });
        self.square(ply.to);
        self.promotion(ply);
    }

    fn natures_origin(&mut self, ply: &Ply) {
        let board = self.rules.board();
        let others =
            self.position.state().origins(self.rules, ply.actor, ply.kind, ply.to) & !M::bit(ply.from);
        // Castling is written with both squares, so a king's step needs no disambiguation.
        if others.is_empty() {
            return;
        }
        if board.is_corner(ply.from) {
            self.square(ply.from);
        } else if (others & self.rules.geometry.file(board.file(ply.from))).is_empty() {
            self.out.push((b'a' + board.file(ply.from)) as char);
        } else if (others & self.rules.geometry.rank(board.rank(ply.from))).is_empty() {
            self.out.push_str(&board.rank_number(board.rank(ply.from)).to_string());
        } else {
            self.square(ply.from);
        }
    }

    fn mark(&mut self, ply: &Ply) {
        self.out.push_str(Style::San.sign(mark_after(self.position, ply)));
    }
}
