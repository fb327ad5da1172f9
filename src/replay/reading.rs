//! How a record is read: which letters, which style, and what the first reading has shown.

use crate::notation::{Alphabet, Style};
use crate::position::Ply;
use std::sync::Arc;

/// One way of reading a record.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    /// The only style that is accepted; any if nothing is given.
    pub style: Option<Style>,
    /// Every deviation in notation weighs as an error.
    pub strict: bool,
    /// Illegal plies stand whether the record says so or not.
    pub stood: bool,
    /// The letters of another language than the game's own.
    pub alphabet: Option<Arc<Alphabet>>,
    /// The writer gives pieces small letters, so that `bxc6` may be a bishop's.
    pub small_letters: bool,
    /// The style that the record is in on the whole; a ply in another one is told of.
    pub spelled_in: Option<Style>,
    /// The ply from which on two languages' readings differ.
    pub contested: Option<Contested>,
}

/// A ply that two languages read differently, both of them to the end of the game.
#[derive(Debug, Clone)]
pub(super) struct Contested {
    /// The record's item.
    pub item: usize,
    /// What the ply is in each.
    pub plies: Vec<Ply>,
    /// Why it stays undecided.
    pub message: String,
}

impl Reading {
    /// The code of the language, if it is known and not the game's own.
    pub fn language(&self) -> Option<String> {
        let known = self.alphabet.as_ref().filter(|_| self.contested.is_none());
        known.map(|alphabet| alphabet.language.code.clone())
    }

    /// True if a token that reads as a plain step is one, without a second look.
    pub fn is_plain(&self) -> bool {
        self.alphabet.is_none()
            && !self.small_letters
            && self.spelled_in.is_none()
            && self.contested.is_none()
    }
}
