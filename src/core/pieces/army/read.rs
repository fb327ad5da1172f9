//! Parses a player's choice of an army.

use super::{Army, Catalogue, Repeats};
use crate::pieces::betza::{self, Betza};
use crate::text::Span;

/// Why a text does not name an army of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ArmyError {
    /// The bytes of the text at fault.
    pub span: Span,
    /// The fault, and what would be accepted.
    pub message: String,
}

impl Catalogue {
    /// Reads an army: one movement for each slot, in the order of the slots, separated by white space.
    ///
    /// A movement may be spelt in any way; its moves are looked up in the slot's list.
    ///
    /// # Errors
    /// The first of: a number of movements other than that of the slots; a movement that is not Betza notation; one
    /// that the slot does not offer; with [`Repeats::Forbidden`], one whose augmenter the army has already.
    pub fn parse(&self, text: &str, repeats: Repeats) -> Result<Army, ArmyError> {
        let words = words(text);
        self.check_number(text, &words)?;
        let mut picks = Vec::with_capacity(words.len());
        for &span in &words {
            let slot = picks.len();
            let pick = self.look_up(slot, &text[span.start..span.end], span)?;
            if repeats == Repeats::Forbidden {
                self.check_repeat(&picks, pick, span)?;
            }
            picks.push(pick);
        }
        Ok(Army { picks })
    }

    fn check_number(&self, text: &str, words: &[Span]) -> Result<(), ArmyError> {
        let wanted = self.slots.len();
        if words.len() == wanted {
            return Ok(());
        }
        let span = match (words.get(wanted), words.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            (_, Some(last)) => Span::new(last.end, last.end),
            _ => Span::new(0, text.len()),
        };
        let names: Vec<&str> = self.slots.iter().map(|s| s.name.as_str()).collect();
        let (names, found) = (names.join(", "), words.len());
        let is = if found == 1 { "is" } else { "are" };
        let message =
            format!("an army needs {wanted} kinds ({names}) separated by spaces; here {is} {found}");
        Err(ArmyError { span, message })
    }

    fn look_up(&self, slot: usize, word: &str, span: Span) -> Result<usize, ArmyError> {
        let name = &self.slots[slot].name;
        let movement = betza::parse(word).map_err(|error| ArmyError {
            span: error.span.shifted(span.start),
            message: format!("the {name}: {error}"),
        })?;
        self.kinds[slot].iter().position(|kind| kind.movement == movement).ok_or_else(|| {
            let offers: Vec<&str> = self.kinds[slot].iter().map(|kind| kind.movement.text()).collect();
            ArmyError {
                span,
                message: format!("`{word}` is not a {name} of this game; choose {}", list(&offers)),
            }
        })
    }

    fn check_repeat(&self, picks: &[usize], pick: usize, span: Span) -> Result<(), ArmyError> {
        let Some(repeat) = self.repeat(picks, pick) else { return Ok(()) };
        let augmenter = self.augmenters.get(repeat.augmenter).map_or("", Betza::text);
        let message = format!(
            "the augmenter `{augmenter}` of this {} is in the {} already; use it only once in an army",
            self.slots[picks.len()].name,
            self.slots[repeat.slot].name
        );
        Err(ArmyError { span, message })
    }
}

/// The places of the words in a text.
fn words(text: &str) -> Vec<Span> {
    let start = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    text.split_whitespace().map(|word| Span::new(start(word), start(word) + word.len())).collect()
}

/// `a`, `b` or `c`.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [init @ .., last] => format!("`{}` or `{last}`", init.join("`, `")),
    }
}
