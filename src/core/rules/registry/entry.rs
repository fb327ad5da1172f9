//! The table of a definition, parsed when it is needed: the program brings dozens of games, and most runs need one.

use super::Value;
use crate::rules::fairy;
use std::sync::OnceLock;
use toml::Table;

/// A definition of the registry.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// What names the game: the fields before the first section.
    head: Table,
    origin: Origin,
    whole: OnceLock<Table>,
}

/// Where a definition is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// A file of the program's own.
    Own(&'static str),
    /// A game of Fairy-Stockfish: its name there, and its title.
    Fairy(&'static str, &'static str),
    /// The user.
    Given,
}

impl Entry {
    /// One of the program's own definitions, which a test proves right.
    pub(super) fn built_in(text: &'static str) -> Entry {
        let end = text.find("\n[").unwrap_or(text.len());
        Entry { head: parsed(&text[..end]), origin: Origin::Own(text), whole: OnceLock::new() }
    }

    /// A game of Fairy-Stockfish by its name there.
    pub(super) fn of_fairy((name, title): (&'static str, &'static str)) -> Entry {
        let head = [("name", name), ("title", title)].map(|(key, text)| (key.to_owned(), text.into()));
        let mut head = Table::from_iter(head);
        head.insert("aliases".to_owned(), fairy::aliases(name).to_vec().into());
        Entry { head, origin: Origin::Fairy(name, title), whole: OnceLock::new() }
    }

    /// True for a game of Fairy-Stockfish.
    pub(super) fn is_of_fairy(&self) -> bool {
        matches!(self.origin, Origin::Fairy(..))
    }

    /// The whole definition.
    pub(super) fn table(&self) -> &Table {
        self.whole.get_or_init(|| match self.origin {
            Origin::Own(text) => parsed(text),
            Origin::Fairy(name, title) => parsed(&fairy::named(name, title).unwrap_or_default()),
            Origin::Given => Table::new(),
        })
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
        Entry { head, origin: Origin::Given, whole: OnceLock::from(table) }
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        (self.origin != Origin::Given && self.origin == other.origin) || self.table() == other.table()
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
    use crate::rules::load::{File, Mutator, read_file};

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
        for game in fairy::NAMED {
            let entry = Entry::of_fairy(game);
            let text = fairy::named(game.0, game.1).expect(game.0);
            let Ok(File::Game(table)) = read_file(&text) else { panic!("not a game: {text}") };
            assert_eq!((entry.table(), entry.text("title")), (&table, table["title"].as_str()), "{text}");
        }
        for text in MUTATORS {
            let Ok(File::Mutator(read)) = read_file(text) else { panic!("not a mutator: {text}") };
            assert!(toml::from_str(text).is_ok_and(|mutator| *read == mutator), "{text}");
            // The fields before the first section are all that is read at first.
            assert!(Mutator::built_in(text).is_some_and(|built_in| built_in.is_head_of(&read)), "{text}");
            assert!(File::Mutator(read).mistakes().is_empty(), "{text}");
        }
    }
}
