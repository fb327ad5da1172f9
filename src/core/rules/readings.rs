//! The rulings that are fields of a definition, with their readings.

use super::prose::promotion_is_asked_again;
use super::{Definition, Rules};
use crate::board::{Mask, Owner};
use toml::{Table, Value};

/// A ruling that is a field of the definition.
#[derive(Debug)]
pub struct Ruling {
    /// The ruling.
    pub id: &'static str,
    /// The field: its section and its name.
    pub field: &'static str,
    /// The readings of a field that names one; empty if the value is a number, a list or a switch.
    pub readings: &'static [&'static str],
    /// When the field matters.
    matters: Matters,
}

/// In which games a field matters.
#[derive(Debug)]
enum Matters {
    /// A pawn may be offered promotion again.
    AskedAgain,
    /// A switch is on.
    IsTrue(&'static str),
    /// Two switches are on.
    AreTrue(&'static str, &'static str),
    /// A choice is not the one that turns the rule off.
    IsNot(&'static str, &'static str),
    /// A list is not empty.
    NotEmpty(&'static str),
    /// Nature has a piece that must stay attacked.
    NaturesAntiKing,
    /// Nature's pawns promote another piece by their arrival.
    NaturesArrival,
}

use Matters::{AreTrue, AskedAgain, IsNot, IsTrue, NaturesAntiKing, NaturesArrival, NotEmpty};

const NATURE: Matters = IsTrue("nature.enabled");
const ARMIES: Matters = NotEmpty("armies.slots");

const KINGS_SQUARE: &str = "ends.kings-square";

/// The rulings, in the order of the rulebook.
pub const RULINGS: [Ruling; 20] = [
    ruling("ICH-3", "promotion.on", &["any", "entry"], AskedAgain),
    ruling(
        "ING-1",
        KINGS_SQUARE,
        &["must-become-king", "pawn-suffices", "may-become-king"],
        IsNot(KINGS_SQUARE, "none"),
    ),
    ruling("CHA 12", "nature.en-passant", &["beside", "behind"], AreTrue("nature.enabled", "nature.pawn")),
    ruling("CHA-1", "nature.period", &[], NATURE),
    ruling("CHA-1", "nature.delay", &[], NATURE),
    ruling("CHA-2", "nature.delay-scope", &["clock", "piece"], NATURE),
    ruling(
        "CHA-2",
        "nature.delay-frees-castling",
        &["nature", "all"],
        AreTrue("nature.enabled", "castling.enabled"),
    ),
    ruling("CHA-7", "nature.natures-mate", &["on-move", "either"], NATURE),
    ruling("CHA-8", "nature.reentry", &["kind", "piece"], NATURE),
    ruling("CHA-15", "nature.king", &["false", "true"], NATURE),
    ruling("CHA-15", "nature.castling", &["false", "true"], NATURE),
    ruling("CHA-15", "nature.pawn", &["false", "true"], NATURE),
    ruling("CHA-17", "nature.kinds", &[], NATURE),
    ruling("CHA-19", "nature.anti-check", &["any", "move"], NaturesAntiKing),
    ruling("CHA-21", "nature.anti-kings-fed-by", &["opponent", "all"], NaturesAntiKing),
    ruling("CHA-22", "nature.arrival", &["entry", "any"], NaturesArrival),
    ruling("MAK-2", "ends.board-honour", &["claim", "auto"], IsNot("ends.count", "none")),
    ruling("AUG-1", "armies.choices", &[], ARMIES),
    ruling("AUG-8", "armies.base-counts", &["false", "true"], ARMIES),
    ruling("AUG-9", "armies.distinct", &["false", "true"], ARMIES),
];

const fn ruling(
    id: &'static str,
    field: &'static str,
    readings: &'static [&'static str],
    matters: Matters,
) -> Ruling {
    Ruling { id, field, readings, matters }
}

impl Ruling {
    /// False if the field certainly does not matter: known from compiled rules, while [`Ruling::matters`] may have to
    /// compile the definition.
    pub fn may_matter<M: Mask>(&self, rules: &Rules<M>) -> bool {
        let promotion = &rules.promotion[Owner::White];
        match self.matters {
            AskedAgain => (promotion.zone & !promotion.forced).any(),
            NaturesAntiKing => rules.special.natures_anti_king,
            NaturesArrival => rules.nature.is_some() && rules.special.other_promotion.is_some(),
            _ => true,
        }
    }

    /// True if its readings differ only where a piece comes to the square of the enemy king's array (ING 5).
    pub fn is_about_the_kings_square(&self) -> bool {
        self.field == KINGS_SQUARE
    }

    /// True if its readings differ only where a pawn rests on a square on which it may promote.
    pub fn is_about_resting_pawns(&self) -> bool {
        matches!(self.matters, AskedAgain)
    }

    /// True if the ruling matters in a game; `values` are those of its definition.
    pub fn matters(&self, definition: &Definition, values: &Table) -> bool {
        let is_true = |field: &str| value(values, field) == Some(&Value::Boolean(true));
        match self.matters {
            AskedAgain => promotion_is_asked_again(definition),
            IsTrue(field) => is_true(field),
            AreTrue(field, other) => is_true(field) && is_true(other),
            NaturesAntiKing => {
                definition.nature.enabled && definition.pieces.values().any(|piece| piece.anti_royal)
            }
            NaturesArrival => {
                let nature = &definition.nature;
                nature.enabled && nature.pawn && !definition.promotion.other.of.is_empty()
            }
            IsNot(field, word) => value(values, field).is_some_and(|value| value.as_str() != Some(word)),
            NotEmpty(field) => {
                value(values, field).and_then(Value::as_array).is_some_and(|list| !list.is_empty())
            }
        }
    }
}

/// The value of a field in a table of definitions.
pub fn value<'t>(values: &'t Table, field: &str) -> Option<&'t Value> {
    let (section, name) = field.split_once('.')?;
    values.get(section)?.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Registry;

    #[test]
    fn every_ruling_names_a_field() {
        let values = Table::try_from(Definition::default()).unwrap();
        for ruling in &RULINGS {
            assert!(value(&values, ruling.field).is_some(), "{} {}", ruling.id, ruling.field);
            let fields = match ruling.matters {
                AskedAgain | NaturesAntiKing | NaturesArrival => vec![],
                IsTrue(field) | IsNot(field, _) | NotEmpty(field) => vec![field],
                AreTrue(field, other) => vec![field, other],
            };
            assert!(fields.iter().all(|field| value(&values, field).is_some()), "{}", ruling.id);
        }
    }

    #[test]
    fn only_readings_that_make_a_difference_are_listed() {
        let ids = |name: &str| -> String {
            let (definition, _) = Registry::built_in().definition(name, &|_| None).unwrap();
            let values = Table::try_from(&definition).unwrap();
            let matter = RULINGS.iter().filter(|ruling| ruling.matters(&definition, &values));
            let mut ids: Vec<&str> = matter.map(|ruling| ruling.id).collect();
            ids.dedup();
            ids.join(" ")
        };
        let nature = "CHA-1 CHA-2 CHA-7 CHA-8 CHA-15 CHA-17";
        for (name, expected) in [
            ("chess", ""),
            ("iago-b", ""),
            ("iago-m", ""),
            ("seirawan", ""),
            ("crazyhouse", ""),
            ("makruk", "MAK-2"),
            ("bareking+chess", ""),
            ("ichess", "ICH-3"),
            ("misere+ichess", "ICH-3"),
            ("ingols", "ING-1"),
            ("augmented", "AUG-1 AUG-8 AUG-9"),
            ("chaos+chess", nature),
            ("chaos+ichess", &format!("ICH-3 {nature}")),
            ("antiking-2", ""),
            ("chaos+antiking-1", &format!("{nature} CHA-19 CHA-21")),
            ("chaos+magicians-deathmatch", nature),
        ] {
            assert_eq!(ids(name), expected, "{name}");
        }
        let pawns = |tag: &str| (tag == "NatureRules").then(|| "pawn".to_owned());
        let (definition, _) = Registry::built_in().definition("chaos+magicians-deathmatch", &pawns).unwrap();
        let values = Table::try_from(&definition).unwrap();
        let arrival = RULINGS.iter().find(|ruling| ruling.field == "nature.arrival").unwrap();
        assert!(arrival.matters(&definition, &values), "her pawns arrive");
        let (definition, _) = Registry::built_in().definition("chaos+ichess", &|_| None).unwrap();
        let values = Table::try_from(&definition).unwrap();
        let castling = RULINGS.iter().find(|ruling| ruling.field == "nature.delay-frees-castling").unwrap();
        assert!(!castling.matters(&definition, &values), "iChess has no castling");
    }
}
