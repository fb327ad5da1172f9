//! Armies chosen by a record's tags (AUG 1 to AUG 3, AUG-3 to AUG-9).

use super::definition::{ArmySection, Definition};
use super::registry::{RegistryError, TagLookup};
use crate::board::ByOwner;
use crate::pieces::army::{Army, Catalogue, CatalogueError, Choice, Repeats, Slot};
use crate::pieces::betza::Betza;

/// The catalogue of armies that a definition offers.
///
/// # Errors
/// If the lists are invalid.
pub fn catalogue(section: &ArmySection) -> Result<Catalogue, CatalogueError> {
    let with_base = |choice: &Choice| {
        let mut choice = choice.clone();
        if section.base_counts {
            choice
                .augmenters
                .extend(section.augmenters_of_base.get(&choice.betza).cloned().unwrap_or_default());
        }
        choice
    };
    let slot = |letter: &String| Slot {
        name: letter.clone(),
        choices: section
            .choices
            .get(letter)
            .map_or_else(Vec::new, |choices| choices.iter().map(with_base).collect()),
    };
    Catalogue::new(section.slots.iter().map(slot).collect())
}

/// Whether an augmenter may occur twice in an army.
pub fn repeats(section: &ArmySection) -> Repeats {
    if section.no_repeat { Repeats::Forbidden } else { Repeats::Allowed }
}

/// The armies of the tags `WhiteArmy` and `BlackArmy`; `None` if the game has no choice of armies.
///
/// # Errors
/// If a tag is missing (COM-8) or does not name a legal army (AUG 1, AUG 2, AUG-9).
pub fn from_tags(
    definition: &Definition,
    tags: TagLookup<'_>,
) -> Result<Option<ByOwner<Vec<Betza>>>, RegistryError> {
    let section = &definition.armies;
    if section.slots.is_empty() {
        return Ok(None);
    }
    let fail = |tag: &str, message: String| RegistryError::Tag { tag: tag.to_owned(), span: None, message };
    let catalogue = catalogue(section).map_err(|error| fail("Variant", error.to_string()))?;
    let army = |tag: &str| {
        let Some(text) = tags(tag) else {
            let (order, name) = (section.slots.join(" "), &definition.name);
            let first = catalogue.armies(repeats(section)).next().map(|army| catalogue.text(&army));
            let such = first.map_or_else(String::new, |army| format!(", such as `{army}`"));
            let wanted = format!("one kind each for {order}, in Betza notation{such} (AUG-3)");
            let message = format!("missing; write {wanted}; `ferz variants armies {name}` lists all");
            return Err(fail(tag, message));
        };
        catalogue.parse(&text, repeats(section)).map_err(|error| fail(tag, format!("`{text}`: {error}")))
    };
    let (white, black) = (army("WhiteArmy")?, army("BlackArmy")?);
    let kinds = |army: &Army| -> Vec<Betza> {
        (0..section.slots.len()).filter_map(|slot| catalogue.movement(army, slot).cloned()).collect()
    };
    let (white, black) = (kinds(&white), kinds(&black));
    if section.distinct
        && let Some(same) = white.iter().find(|kind| black.contains(kind))
    {
        return Err(fail("BlackArmy", format!("`{same}` is in White's army already (AUG-9)")));
    }
    Ok(Some(ByOwner([white, black, Vec::new()])))
}
