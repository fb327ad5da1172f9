//! Whether a definition has the words that its rules as text need.

use crate::rules::Definition;
use toml::{Table, Value};

/// The fields that a definition leaves without words: `title`, `source`, and the `rule` of each section that it sets. A
/// reader of its rules as text would not know by which article they are so.
///
/// ```
/// use ferz_core::rules::Registry;
/// use ferz_core::rules::prose::missing_words;
/// let (definition, _) = Registry::built_in().definition("ichess", &|_| None)?;
/// assert_eq!(missing_words(&definition), Vec::<String>::new());
/// # Ok::<(), ferz_core::rules::RegistryError>(())
/// ```
pub fn missing_words(definition: &Definition) -> Vec<String> {
    let mut missing = Vec::new();
    for (field, text) in [("title", &definition.title), ("source", &definition.source)] {
        if text.trim().is_empty() {
            missing.push(field.to_owned());
        }
    }
    let (own, usual) = (sections(definition), sections(&Definition::default()));
    for (name, section) in &own {
        let Some(rule) = section.get("rule") else { continue };
        let is_usual = usual.get(name).is_some_and(|usual| without_rule(usual) == without_rule(section));
        if !is_usual && rule.as_str().is_none_or(|rule| rule.trim().is_empty()) {
            missing.push(format!("{name}.rule"));
        }
    }
    missing
}

/// The sections of a definition by name.
fn sections(definition: &Definition) -> Table {
    match Value::try_from(definition) {
        Ok(Value::Table(table)) => table.into_iter().filter(|(_, value)| value.is_table()).collect(),
        _ => Table::new(),
    }
}

fn without_rule(section: &Value) -> Table {
    let section = section.as_table().cloned().unwrap_or_default();
    section.into_iter().filter(|(name, _)| name != "rule").collect()
}
