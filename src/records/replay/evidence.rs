//! Finds the style of a record whose plies are not all in one style.

use super::line::Observer;
use super::report::StyleEvidence;
use crate::record::Record;
use ferz_core::board::Mask;
use ferz_core::notation::courier;
use ferz_core::notation::{Alphabet, Habits, Style, WriteChoices, unmarked, write};
use ferz_core::position::{Ply, Position};

/// Tests for each ply which styles would write exactly its text.
pub(super) struct Spellings<'a> {
    record: &'a Record<'a>,
    alphabet: Option<&'a Alphabet>,
    /// For each ply one bit per style, in the order of [`Style::ALL`].
    plies: Vec<u32>,
}

/// True if a record's habits are of more than one style, or not of its game's players.
pub(super) fn is_mixed(habits: Habits, native: Style) -> bool {
    let has = |habit| habits.has(habit);
    let short = has(Habits::SHORT);
    let squares = has(Habits::SQUARES) && !has(Habits::INTERJECTION) && (short || has(Habits::DASH));
    // The inventor of IAGO's games allows short forms among the long ones.
    let long = native != Style::Iago && short && (has(Habits::DASH) || has(Habits::WHOLE));
    let ichess = has(Habits::PAWN_LETTER) || has(Habits::CAPTURED_NAMED) || has(Habits::EQUALS_DROP);
    let own = has(Habits::NUMERIC) || has(Habits::SMITH) || has(Habits::FIGURES);
    let forms = habits.own_forms();
    let others = short || own || has(Habits::DASH) || has(Habits::SQUARES) && !has(Habits::INTERJECTION);
    squares || long || own && short || ichess && native != Style::Ichess || forms > 1 || forms > 0 && others
}

impl<'a> Spellings<'a> {
    pub fn new(record: &'a Record<'a>, alphabet: Option<&'a Alphabet>) -> Spellings<'a> {
        Spellings { record, alphabet, plies: Vec::new() }
    }

    /// The style that writes most plies exactly as they are, on ties the first of `guesses`, with its count; then the
    /// counts of the other styles for the rest. Empty if one style writes all of them.
    pub fn style(&self, guesses: [Style; 2]) -> (Style, Vec<StyleEvidence>) {
        let count = |style: Style| self.plies.iter().filter(|ply| **ply & bit(style) != 0).count();
        let best = Style::ALL.into_iter().map(count).max().unwrap_or_default();
        let mut fitting = guesses.into_iter().chain(Style::ALL).filter(|style| count(*style) == best);
        let style = fitting.next().unwrap_or(guesses[0]);
        if best == self.plies.len() {
            return (style, Vec::new());
        }
        let mut evidence = vec![StyleEvidence { style, plies: best }];
        for ply in self.plies.iter().filter(|ply| **ply & bit(style) == 0) {
            let Some(other) = Style::ALL.into_iter().find(|other| ply & bit(*other) != 0) else { continue };
            match evidence.iter_mut().find(|known| known.style == other) {
                Some(known) => known.plies += 1,
                None => evidence.push(StyleEvidence { style: other, plies: 1 }),
            }
        }
        (style, evidence)
    }
}

fn bit(style: Style) -> u32 {
    Style::ALL.iter().position(|other| *other == style).map_or(0, |index| 1 << index)
}

impl<M: Mask> Observer<M> for Spellings<'_> {
    // Every style writes it.
    const UNITS: u64 = 32;

    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, _: u32) {
        let item = self.record.items[index];
        if courier::is_joined(self.record.bytes(item)) {
            return;
        }
        let token = self.record.text(item);
        let written = |style: Style| {
            let text = write(before, ply, style, WriteChoices::default()).ok()?;
            match self.alphabet.filter(|_| style.has_letters()) {
                Some(alphabet) => alphabet.to_national(&text).ok(),
                None => Some(text),
            }
        };
        let fits = |style: &Style| written(*style).is_some_and(|text| unmarked(&text) == unmarked(&token));
        self.plies.push(Style::ALL.into_iter().filter(fits).map(bit).sum());
    }

    fn restart(&mut self) {
        self.plies.clear();
    }
}
