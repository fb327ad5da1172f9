//! The table of a definition, parsed when it is needed: the program brings dozens of games, and most runs need one.

use super::Value;
use std::sync::OnceLock;
use toml::Table;

/// A definition of the registry.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// What names the game: the fields before the first section.
    head: Table,
    /// The file, where it is the program's own.
    text: &'static str,
    whole: OnceLock<Table>,
}

impl Entry {
    /// One of the program's own definitions, which a test proves right.
    pub(super) fn built_in(text: &'static str) -> Entry {
        let end = text.find("\n[").unwrap_or(text.len());
        Entry { head: parsed(&text[..end]), text, whole: OnceLock::new() }
    }

    /// The whole definition.
    pub(super) fn table(&self) -> &Table {
        self.whole.get_or_init(|| parsed(self.text))
    }

    /// A text of the fields before the first section.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.head.get(key).and_then(Value::as_str)
    }

    /// The other names of the game.
    pub(super) fn aliases(&self) -> impl Iterator<Item = &str> {
        let aliases = self.head.get("aliases").and_then(Value::as_array);
        aliases.into_iter().flatten().filter_map(Value::as_str)
    }
}

impl From<Table> for Entry {
    fn from(table: Table) -> Entry {
        let names = table.iter().filter(|(_, value)| !value.is_table());
        let head = names.map(|(key, value)| (key.clone(), value.clone())).collect();
        Entry { head, text: "", whole: OnceLock::from(table) }
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        (!self.text.is_empty() && std::ptr::eq(self.text, other.text)) || self.table() == other.table()
    }
}

/// The table of a text that a test proves right.
fn parsed(text: &str) -> Table {
    let table = text.parse();
    debug_assert!(table.is_ok(), "a built-in definition is invalid: {table:?}");
    table.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{BUILT_IN, MUTATORS};
    use super::*;
    use crate::rules::load::{File, read_file};

    #[test]
    fn the_programs_own_definitions_are_what_a_check_reads() {
        for text in BUILT_IN {
            let Ok(File::Game(table)) = read_file(text) else { panic!("not a game: {text}") };
            assert!(File::Game(table.clone()).mistakes().is_empty(), "{text}");
            let (entry, whole) = (Entry::built_in(text), Entry::from(table));
            assert!(entry.text("name").is_some(), "{text}");
            assert_eq!(entry.head, whole.head, "a field before the first section: {text}");
            assert_eq!(entry.table(), whole.table(), "{text}");
            assert_eq!(entry, whole);
        }
        for text in MUTATORS {
            let Ok(File::Mutator(read)) = read_file(text) else { panic!("not a mutator: {text}") };
            assert!(toml::from_str(text).is_ok_and(|mutator| *read == mutator), "{text}");
            assert!(File::Mutator(read).mistakes().is_empty(), "{text}");
        }
    }
}
