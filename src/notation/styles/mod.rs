//! Styles with their own forms, one file each, and the choice of the reader.

pub(super) mod figurine;
pub(super) mod iccf;
pub(super) mod shogi;
pub(super) mod smith;
pub(super) mod xboard;

use super::letters::Letters;
use super::movetext::{MoveText, Unreadable};
use super::read::read;
use super::style::Style;
use crate::board::Owner;

/// Reads one token of a record in a style. Without a style every form but Smith's is read, whose letters have another
/// meaning in other styles; for that use [`read_smith`].
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
