//! Which reading of a ruling a definition takes, where the ruling is a field.

use serde_json::Value;

/// A ruling that is a field of the definition.
pub(super) struct Ruling {
    /// The ruling.
    pub(super) id: &'static str,
    /// The field, as a JSON pointer into the definition.
    pub(super) field: &'static str,
    /// The readings of a field that names one; empty where the value is a number, a list or a switch.
    pub(super) readings: &'static [&'static str],
    /// The field that must be as given for the ruling to matter.
    matters: (&'static str, Matters),
}

enum Matters {
    IsTrue,
    IsNot(&'static str),
    NotEmpty,
}

use Matters::{IsNot, IsTrue, NotEmpty};

const NATURE: (&str, Matters) = ("/nature/enabled", IsTrue);
const ARMIES: (&str, Matters) = ("/armies/slots", NotEmpty);

/// The rulings, in the order of the rulebook.
pub(super) const RULINGS: [Ruling; 15] = [
    ruling("ICH-3", "/promotion/on", &["any", "entry"], ("/promotion/zone", IsNot("none"))),
    ruling(
        "ING-1",
        "/ends/kings-square",
        &["must-become-king", "pawn-suffices"],
        ("/ends/kings-square", IsNot("none")),
    ),
    ruling("CHA-1", "/nature/period", &[], NATURE),
    ruling("CHA-1", "/nature/delay", &[], NATURE),
    ruling("CHA-2", "/nature/delay-scope", &["clock", "piece"], NATURE),
    ruling("CHA-2", "/nature/delay-frees-castling", &["nature", "all"], NATURE),
    ruling("CHA-7", "/nature/natures-mate", &["on-move", "either"], NATURE),
    ruling("CHA-8", "/nature/reentry", &["kind", "piece"], NATURE),
    ruling("CHA-15", "/nature/king", &["false", "true"], NATURE),
    ruling("CHA-15", "/nature/castling", &["false", "true"], NATURE),
    ruling("CHA-15", "/nature/pawn", &["false", "true"], NATURE),
    ruling("CHA-17", "/nature/kinds", &[], NATURE),
    ruling("AUG-1", "/armies/choices", &[], ARMIES),
    ruling("AUG-8", "/armies/base-counts", &["false", "true"], ARMIES),
    ruling("AUG-9", "/armies/distinct", &["false", "true"], ARMIES),
];

const fn ruling(
    id: &'static str,
    field: &'static str,
    readings: &'static [&'static str],
    matters: (&'static str, Matters),
) -> Ruling {
    Ruling { id, field, readings, matters }
}

impl Ruling {
    /// True if the ruling matters in a game.
    pub(super) fn matters(&self, definition: &Value) -> bool {
        let Some(value) = definition.pointer(self.matters.0) else { return false };
        match self.matters.1 {
            IsTrue => value == &Value::Bool(true),
            IsNot(text) => value.as_str() != Some(text),
            NotEmpty => value.as_array().is_some_and(|list| !list.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Definition;

    #[test]
    fn every_ruling_names_a_field() {
        let definition = serde_json::to_value(Definition::default()).unwrap();
        for ruling in &RULINGS {
            assert!(definition.pointer(ruling.field).is_some(), "{} {}", ruling.id, ruling.field);
            assert!(definition.pointer(ruling.matters.0).is_some(), "{}", ruling.matters.0);
        }
    }
}
