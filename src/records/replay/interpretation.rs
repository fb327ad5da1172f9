//! How to read a record: letters, style, and what an earlier pass has shown.

use ferz_core::board::Mask;
use ferz_core::notation::{Alphabet, Style, WriteChoices, write};
use ferz_core::position::{Ply, Position};
use std::sync::Arc;

/// One way to read a record.
#[derive(Debug, Clone, Default)]
pub(super) struct Interpretation {
    /// The only accepted style; `None` for any.
    pub style: Option<Style>,
    /// Makes every deviation in notation an error.
    pub strict: bool,
    /// Lets illegal plies stand even without a mark in the record.
    pub let_stand: bool,
    /// The letters of another language than the game's own.
    pub alphabet: Option<Arc<Alphabet>>,
    /// The writer gives pieces lower-case letters, so that `bxc6` may be a bishop's.
    pub small_letters: bool,
    /// Two squares have ranks from 0 (style `ucci`): no other reading of the record gets as far.
    pub zero_ranks: bool,
    /// The prevailing style of the record; a ply in another one is reported.
    pub spelled_in: Option<Style>,
    /// The ply from which on two languages' readings differ.
    pub contested: Option<Contested>,
}

/// A ply that two languages read differently, both to the end of the game.
#[derive(Debug, Clone)]
pub(super) struct Contested {
    /// The record's item.
    pub item: usize,
    /// The ply in each language.
    pub plies: Vec<Ply>,
    /// Why it stays undecided.
    pub message: String,
}

impl Interpretation {
    /// The code of the language, if it is known and not the game's own.
    pub fn language(&self) -> Option<String> {
        let known = self.alphabet.as_ref().filter(|_| self.contested.is_none());
        known.map(|alphabet| alphabet.language.code.clone())
    }

    /// The ply in a style and in the record's letters; `None` if they cannot express it.
    pub fn spelling<M: Mask>(&self, position: &Position<M>, ply: &Ply, style: Style) -> Option<String> {
        let text = write(position, ply, style, WriteChoices::default()).ok()?;
        // Where two languages coincide, use the game's own letters.
        let national = style.has_letters() && self.contested.is_none();
        match self.alphabet.as_ref().filter(|_| national) {
            Some(alphabet) => alphabet.to_national(&text).ok(),
            None => Some(text),
        }
    }

    /// The ply in a style, or in coordinates if the style has no form for it.
    pub fn written<M: Mask>(&self, position: &Position<M>, ply: &Ply, style: Style) -> String {
        let coord = || write(position, ply, Style::Coord, WriteChoices::default()).unwrap_or_default();
        self.spelling(position, ply, style).unwrap_or_else(coord)
    }

    /// True if a token that reads as a plain step is one, without further tests.
    pub fn is_plain(&self) -> bool {
        self.alphabet.is_none()
            && !self.small_letters
            && self.spelled_in.is_none()
            && self.contested.is_none()
    }
}
