//! Writes a ply in a style.

use super::express::Inexpressible;
use super::style::Style;
use crate::board::{Board, Mask, Owner};
use crate::position::{Finish, Over, Ply, Position, Verb};

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
    let mut out = String::new();
    style.write(position, ply, choices, &mut out)?;
    Ok(out)
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
