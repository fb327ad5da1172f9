//! Styles with their own forms, one file each, and the choice of the reader.

pub(super) mod by_file;
pub(super) mod chinese;
pub(super) mod figurine;
pub(super) mod iccf;
pub(super) mod shogi;
pub(super) mod smith;
pub(super) mod ucci;
pub(super) mod wxf;
pub(super) mod xboard;

use super::letters::Letters;
use super::movetext::{MoveText, Unreadable};
use super::read::read;
use super::style::Style;
use crate::board::{Mask, Owner};
use crate::position::Position;

/// Reads one token of a record in a style. Without a style every form but two is read: Smith's, whose letters have
/// another meaning in other styles, so that [`read_smith`] reads them, and squares with ranks from 0 (`ucci`).
///
/// # Errors
/// If the token is not a move in the style, or in any.
pub fn read_as(
    style: Option<Style>,
    letters: &Letters,
    mover: Owner,
    natures: bool,
    token: &[u8],
) -> Result<MoveText, Unreadable> {
    match style {
        Some(Style::Smith) if !natures => read_smith(letters, mover, token),
        Some(Style::Ucci) if !natures && letters.own().is_some_and(|own| own.has_ucci) => {
            ucci::read(letters, token).map_or_else(|| read(letters, mover, natures, token), Ok)
        }
        _ => read(letters, mover, natures, token),
    }
}

/// Reads one token of a player in style `smith`.
///
/// # Errors
/// If the token has another form.
pub fn read_smith(letters: &Letters, mover: Owner, token: &[u8]) -> Result<MoveText, Unreadable> {
    smith::read(letters, mover, token)
}

/// Reads one token in a form that only some games have; `None` if it has another, or this game has no such forms.
pub(super) fn read_own(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    letters.own()?;
    ucci::read_iccs(letters, token)
        .or_else(|| wxf::read(letters, mover, token))
        .or_else(|| chinese::read(letters, mover, token))
}

/// The texts in coordinates that a text may mean in a position: itself, or where it names a piece by its file, each
/// piece that it may name.
pub fn coordinates<M: Mask>(position: &Position<M>, text: &MoveText) -> Vec<MoveText> {
    text.by_file.map_or_else(|| vec![*text], |by_file| by_file::as_squares(position, text, by_file))
}
