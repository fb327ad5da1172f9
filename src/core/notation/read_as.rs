//! Reads a token of a record whose style is known.

use super::letters::Letters;
use super::movetext::{MoveText, Unreadable};
use super::read::read;
use super::style::Style;
use super::styles::smith;
use crate::board::Owner;

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
    let required = style.and_then(Style::required_reader).filter(|_| !natures);
    let found = required.and_then(|read| read(letters, mover, token));
    found.unwrap_or_else(|| read(letters, mover, natures, token))
}

/// Reads one token of a player in style `smith`.
///
/// # Errors
/// If the token has another form.
pub fn read_smith(letters: &Letters, mover: Owner, token: &[u8]) -> Result<MoveText, Unreadable> {
    smith::read(letters, mover, token)
}
