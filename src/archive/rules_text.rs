//! Rules as they are kept: whole, so that they can be looked at when the program has other ones.

use super::error::ArchiveError;
use crate::replay::AnyGame;
use crate::rules::{Definition, KindInfo};

/// The merged definition as JSON, with the field names of a definition file.
pub(super) fn definition(game: &AnyGame) -> Result<String, ArchiveError> {
    let definition: &Definition = match game {
        AnyGame::Narrow(game) => &game.rules.definition,
        AnyGame::Wide(game) => &game.rules.definition,
    };
    serde_json::to_string(definition).map_err(|error| ArchiveError::Database(error.to_string()))
}

/// The kinds of pieces with their movement, those of chosen armies among them: `K=K Q=RF …`.
pub(super) fn kinds(game: &AnyGame) -> String {
    let kinds: &[KindInfo] = match game {
        AnyGame::Narrow(game) => &game.rules.kinds,
        AnyGame::Wide(game) => &game.rules.kinds,
    };
    let spelt = kinds.iter().map(|kind| format!("{}={}", kind.letter as char, kind.betza));
    spelt.collect::<Vec<_>>().join(" ")
}
