//! Writes a ply in a style.

use super::coord;
use super::express::Inexpressible;
use super::origin::{Origin, origin_among, rivals};
use super::style::Style;
use super::styles::{by_file, chinese, figurine, iccf, janggi, shogi, smith, thai, ucci, wxf, xboard};
use crate::board::{Board, Mask, Owner, Square};
use crate::position::{Finish, Over, Ply, Position, Verb};
use crate::rules::definition::OwnStyle;
use crate::rules::{KindId, Rules};

/// Options of a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteChoices {
    /// The sign of gating and drops in style `iago`: one of `& @ / ^`.
    pub sign: char,
}

impl Default for WriteChoices {
    fn default() -> WriteChoices {
        WriteChoices { sign: '&' }
    }
}

/// The text of a legal ply in a style, with check and mate marks.
///
/// # Errors
/// If the style cannot express the ply.
pub fn write<M: Mask>(
    position: &Position<M>,
    ply: &Ply,
    style: Style,
    choices: WriteChoices,
) -> Result<String, Inexpressible> {
    if ply.is_null() {
        return Ok(style.null_move().to_owned());
    }
    style.can_express(position, ply)?;
    if ply.verb == Verb::Pass
        && let Some(pass) = style.pass()
    {
        return Ok(pass.to_owned());
    }
    let rules = position.rules();
    let mut out = String::new();
    let form = |own| by_file::form(position, ply, own).map_err(|what| Inexpressible { style, what });
    match style {
        Style::Coord | Style::Uci => coord::write(rules, ply, &mut out),
        Style::Xboard => xboard::write(rules, ply, &mut out),
        Style::Iccf => iccf::write(rules, ply, &mut out),
        Style::Smith => smith::write(position, ply, &mut out),
        Style::Usi | Style::Kif | Style::Csa | Style::Hosking | Style::Hodges => {
            shogi::write(position, ply, style, &mut out);
        }
        Style::Ucci => ucci::write(rules.board(), ply, &mut out),
        Style::Iccs => ucci::write_iccs(rules.board(), ply, &mut out),
        Style::Wxf => wxf::write(rules, ply, form(OwnStyle::Wxf)?, &mut out),
        Style::ThaiSan => thai::write(position, ply, &mut out),
        Style::ThaiLan => thai::write_long(position, ply, &mut out),
        Style::Janggi => janggi::write(position, ply, &mut out),
        Style::Gib => janggi::write_gib(position, ply, &mut out),
        Style::Chinese => chinese::write(rules, ply, form(OwnStyle::Chinese)?, &mut out),
        _ => {
            let mut writer = Writer { rules, position, style, choices, out };
            writer.ply(ply);
            writer.mark(ply);
            out = writer.out;
        }
    }
    Ok(out)
}

struct Writer<'a, M: Mask> {
    rules: &'a Rules<M>,
    position: &'a Position<M>,
    style: Style,
    choices: WriteChoices,
    out: String,
}

impl<M: Mask> Writer<'_, M> {
    fn letter(&mut self, owner: Owner, kind: KindId) {
        let label = self.rules.kind(kind).label[owner];
        if label.plus {
            self.out.push('+');
        }
        let figure = if self.style == Style::Figurine && !label.plus {
            figurine::figure(self.rules, owner, kind)
        } else {
            None
        };
        self.out.push(figure.unwrap_or(label.letter as char));
        if label.other_army {
            self.out.push('\'');
        }
    }

    fn square(&mut self, square: Square) {
        self.rules.board().write_square(square, &mut self.out);
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
            Verb::Pass => self.out.push_str(self.style.null_move()),
            Verb::Move | Verb::EnPassant => {
                self.step(ply);
                self.gates(ply);
            }
        }
    }

    fn drop(&mut self, ply: &Ply) {
        match self.style {
            Style::Iago => {
                self.out.push(self.choices.sign);
                self.letter(ply.actor, ply.kind);
            }
            Style::Ichess => {
                self.letter(ply.actor, ply.kind);
                self.out.push('=');
            }
            _ => {
                self.letter(ply.actor, ply.kind);
                self.out.push('@');
            }
        }
        self.square(ply.to);
    }

    fn gates(&mut self, ply: &Ply) {
        for gate in ply.gates.iter().flatten() {
            self.out.push(if self.style == Style::Iago { self.choices.sign } else { '/' });
            self.letter(ply.actor, gate.kind);
            if ply.verb == Verb::Castle || self.rules.is_pawn(ply.kind) {
                self.square(gate.square);
            }
        }
    }

    fn step(&mut self, ply: &Ply) {
        let pawn = self.rules.is_pawn(ply.kind);
        let captured = self.captured(ply);
        if !pawn || self.style == Style::Ichess {
            self.letter(ply.actor, ply.kind);
        }
        let long = matches!(self.style, Style::Lan | Style::Iago);
        if long {
            self.square(ply.from);
        } else {
            self.origin(ply, pawn, captured.is_some());
        }
        match captured {
            Some(kind) => {
                self.out.push('x');
                if self.style == Style::Ichess {
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
        let pawn_form = pawn && self.style != Style::Ichess;
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
        self.out.push_str(self.style.sign(mark_after(self.position, ply)));
    }
}

/// True for a step that changes both file and rank.
pub fn is_aslant(board: Board, ply: &Ply) -> bool {
    board.file(ply.from) != board.file(ply.to) && board.rank(ply.from) != board.rank(ply.to)
}

/// The mark for a ply, by its effect on the player on move after it.
pub fn mark_after<M: Mask>(position: &Position<M>, ply: &Ply) -> super::CheckMark {
    let checkers = (ply.actor == Owner::Nature).then(|| position.checkers());
    let mut after = position.clone();
    after.apply(ply);
    // After an illegal ply that was let stand, a king may have been in check before.
    after.settle();
    mark_of(&after, checkers, true)
}

/// The mark of the ply that led to `after`. A ply of Nature's, given the pieces that gave check before it, is marked
/// only if it opens an attack by a player's piece. Mate is tested only on request, and so are the wins that are marked
/// like it.
pub fn mark_of<M: Mask>(
    after: &Position<M>,
    before_natures: Option<M>,
    look_for_mate: bool,
) -> super::CheckMark {
    let check = match before_natures {
        Some(before) => (after.checkers() & !before).any(),
        None => after.in_check() || after.in_anti_check(),
    };
    if look_for_mate && after.status().over.is_some_and(Over::is_marked) {
        return super::CheckMark::Mate;
    }
    if !check {
        // Lichess marks a stalemate that wins like mate.
        let may_win = look_for_mate && after.rules().definition.ends.stalemate.may_win();
        let is_last = may_win
            && after.finish() == Some(Finish::Stalemate)
            && after.shown_end().is_some_and(|(_, outcome)| outcome.winner().is_some());
        return if is_last { super::CheckMark::Mate } else { super::CheckMark::None };
    }
    let mate = look_for_mate
        && matches!(
            after.finish(),
            Some(Finish::Checkmate | Finish::AntiCheckmate | Finish::NaturesMate | Finish::Over(Over::Count))
        )
        && !after.has_real_ply();
    if mate { super::CheckMark::Mate } else { super::CheckMark::Check }
}
/// A ply in a style, written so that it reads back as the same ply without a move number; in coordinate notation where
/// the style cannot express it.
pub fn write_alone<M: Mask>(position: &Position<M>, ply: &Ply, style: Style) -> String {
    match write(position, ply, style, WriteChoices::default()) {
        // The styles mark Nature's plies by their number, which a single ply does not have.
        Ok(text) if ply.actor == Owner::Nature && !style.is_coordinates() => format!("~{text}"),
        Ok(text) => text,
        Err(_) => {
            let mut text = String::with_capacity(8);
            super::coord::write(position.rules(), ply, &mut text);
            text
        }
    }
}
