//! Armies that a player composes: one kind for each slot, chosen from lists.
//!
//! This is Augmented Chess: a rook, a knight, a bishop and a queen, each a base with an augmenter, and no
//! augmenter twice in one army. The lists are data; a [`Catalogue`] checks them once, enumerates the armies
//! and reads the text of a player's choice.
//!
//! ```
//! use ferz_core::pieces::army::{Catalogue, Choice, Repeats, Slot};
//! let slots = vec![
//!     Slot { name: "rook".into(), choices: vec![Choice::new("RF", &["F"]), Choice::new("RA", &["A"])] },
//!     Slot { name: "knight".into(), choices: vec![Choice::new("NF", &["F"]), Choice::new("ND", &["D"])] },
//! ];
//! let catalogue = Catalogue::new(slots)?;
//! assert_eq!(catalogue.armies(Repeats::Allowed).count(), 4);
//! assert_eq!(catalogue.armies(Repeats::Forbidden).count(), 3);
//!
//! let army = catalogue.parse("FWW DN", Repeats::Forbidden)?;
//! assert_eq!(catalogue.text(&army), "RF ND");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod enumerate;
mod read;
#[cfg(test)]
mod tests;

pub use enumerate::Armies;
pub use read::ArmyError;

use super::betza::{self, Betza, BetzaError};
use serde::{Deserialize, Serialize};

/// One kind that a slot offers, as the definition gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The whole movement of the kind, in Betza notation: `RffNsbN`.
    pub betza: String,
    /// The parts of it that count as augmenters, in Betza notation: `ffNsbN`. Excludes the base.
    #[serde(default)]
    pub augmenters: Vec<String>,
}

impl Choice {
    /// A kind that moves as `betza`, with these augmenters.
    pub fn new(betza: &str, augmenters: &[&str]) -> Choice {
        Choice { betza: betza.to_owned(), augmenters: augmenters.iter().map(|&a| a.to_owned()).collect() }
    }
}

/// One slot of an army: its name for messages, and its choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// The name of the slot: `rook`.
    pub name: String,
    /// The choices: at least one, no two with the same moves.
    pub choices: Vec<Choice>,
}

/// Whether an augmenter may occur more than once in an army.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repeats {
    /// Any combination is an army.
    Allowed,
    /// Each augmenter at most once in an army.
    Forbidden,
}

/// One choice for each slot, as indices into the lists of choices, in the order of the slots.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Army {
    picks: Vec<usize>,
}

impl Army {
    /// For each slot the index of the chosen kind in [`Slot::choices`].
    pub fn picks(&self) -> &[usize] {
        &self.picks
    }
}

/// Why lists do not make a catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueError {
    /// No slot, or a slot without a choice.
    #[error("{0} is empty; add at least one kind")]
    Empty(String),
    /// A movement or an augmenter that cannot be read.
    #[error("{slot}: `{text}` cannot be read: {error}")]
    Betza {
        /// Name of the slot.
        slot: String,
        /// The notation as written.
        text: String,
        /// The fault; its span counts in `text`.
        error: BetzaError,
    },
    /// Two kinds of one slot have the same moves, so that a record could mean either.
    #[error("{slot}: `{first}` and `{second}` have the same moves; remove one")]
    Twice {
        /// Name of the slot.
        slot: String,
        /// The earlier kind.
        first: String,
        /// The later kind.
        second: String,
    },
}

/// Checked lists: every notation is valid, no slot empty, no kind twice in a slot.
#[derive(Debug, Clone)]
pub struct Catalogue {
    slots: Vec<Slot>,
    kinds: Vec<Vec<Kind>>,
    /// The different augmenters, each once; kinds refer to them by index.
    augmenters: Vec<Betza>,
}

/// A parsed choice.
#[derive(Debug, Clone)]
struct Kind {
    movement: Betza,
    /// Indices of its augmenters, ascending, each once.
    augmenters: Vec<usize>,
}

impl Catalogue {
    /// Reads and checks the lists.
    ///
    /// # Errors
    /// See [`CatalogueError`].
    pub fn new(slots: Vec<Slot>) -> Result<Catalogue, CatalogueError> {
        if slots.is_empty() {
            return Err(CatalogueError::Empty("the catalogue".to_owned()));
        }
        let mut augmenters = Vec::new();
        let kinds = slots.iter().map(|slot| kinds(slot, &mut augmenters)).collect::<Result<_, _>>()?;
        Ok(Catalogue { slots, kinds, augmenters })
    }

    /// The lists as given.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The movement of the army in the slot; `None` if the army is of another catalogue or the slot does not exist.
    pub fn movement(&self, army: &Army, slot: usize) -> Option<&Betza> {
        let kind = self.kinds.get(slot)?.get(*army.picks.get(slot)?)?;
        Some(&kind.movement)
    }

    /// The army as in a record: each kind as its list spells it, separated by spaces.
    pub fn text(&self, army: &Army) -> String {
        let kinds: Vec<&str> =
            (0..self.kinds.len()).filter_map(|slot| self.movement(army, slot)).map(Betza::text).collect();
        kinds.join(" ")
    }

    /// Iterates over all armies in the order of the lists, the last slot changing fastest.
    pub fn armies(&self, repeats: Repeats) -> Armies<'_> {
        Armies::new(self, repeats)
    }
}

fn kinds(slot: &Slot, augmenters: &mut Vec<Betza>) -> Result<Vec<Kind>, CatalogueError> {
    if slot.choices.is_empty() {
        return Err(CatalogueError::Empty(slot.name.clone()));
    }
    let read = |text: &str| {
        betza::parse(text).map_err(|error| CatalogueError::Betza {
            slot: slot.name.clone(),
            text: text.to_owned(),
            error,
        })
    };
    let mut kinds: Vec<Kind> = Vec::new();
    for choice in &slot.choices {
        let movement = read(&choice.betza)?;
        if let Some(earlier) = kinds.iter().find(|k| k.movement == movement) {
            return Err(CatalogueError::Twice {
                slot: slot.name.clone(),
                first: earlier.movement.text().to_owned(),
                second: choice.betza.clone(),
            });
        }
        let mut own = Vec::new();
        for text in &choice.augmenters {
            own.push(index_of(augmenters, read(text)?));
        }
        own.sort_unstable();
        own.dedup();
        kinds.push(Kind { movement, augmenters: own });
    }
    Ok(kinds)
}

/// The index of the movement in the list; appends it if it is new.
fn index_of(list: &mut Vec<Betza>, movement: Betza) -> usize {
    list.iter().position(|known| *known == movement).unwrap_or_else(|| {
        list.push(movement);
        list.len() - 1
    })
}
