//! Definitions of games: the files of `formats/variants`, parents and mutators merged, and what of them is known here.

use std::collections::BTreeMap;
use toml::{Table, Value};

/// All definition files of a folder.
pub struct Definitions {
    games: BTreeMap<String, Table>,
    mutators: BTreeMap<String, Table>,
}

impl Definitions {
    pub fn read(folder: &str) -> Result<Definitions, String> {
        let mut definitions = Definitions { games: BTreeMap::new(), mutators: BTreeMap::new() };
        for folder in [folder.to_owned(), format!("{folder}/mutators")] {
            for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())?.flatten() {
                let path = entry.path();
                if path.extension().is_none_or(|extension| extension != "toml") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
                let table: Table = text.parse().map_err(|error| format!("{}: {error}", path.display()))?;
                let text = |key: &str| table.get(key).and_then(Value::as_str).map(str::to_owned);
                if let Some(name) = text("mutator") {
                    definitions.mutators.insert(name, table);
                } else if let Some(name) = text("name") {
                    definitions.games.insert(name, table);
                }
            }
        }
        Ok(definitions)
    }

    /// The merged table of a game with mutators before it.
    ///
    /// # Errors
    /// If a part of the name is unknown.
    pub fn merged(&self, name: &str) -> Result<Table, String> {
        let (mutators, game) = match self.games.contains_key(name) {
            true => (Vec::new(), name),
            false => {
                let mut parts: Vec<&str> = name.split('+').collect();
                let game = parts.pop().unwrap_or_default();
                (parts, game)
            }
        };
        let mut table = self.game(game, 0)?;
        for mutator in mutators.iter().rev() {
            let mutator = self.mutators.get(*mutator).ok_or_else(|| format!("mutator {mutator}"))?;
            // What a mutator changes for other arrays and other boards is not read: such games are not covered.
            if let Some(Value::Table(patch)) = mutator.get("patch") {
                merge(&mut table, patch);
            }
        }
        Ok(table)
    }

    fn game(&self, name: &str, depth: usize) -> Result<Table, String> {
        let own = self.games.get(name).ok_or_else(|| format!("game {name}"))?;
        let Some(parent) = own.get("extends").and_then(Value::as_str).filter(|_| depth < 8) else {
            return Ok(own.clone());
        };
        let mut merged = self.game(parent, depth + 1)?;
        merge(&mut merged, own);
        Ok(merged)
    }
}

fn merge(below: &mut Table, above: &Table) {
    for (key, value) in above {
        match (below.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            _ => drop(below.insert(key.clone(), value.clone())),
        }
    }
}

/// Fields that say nothing about play, by their last key.
const PROSE: [&str; 17] = [
    "title",
    "aliases",
    "extends",
    "source",
    "class",
    "native-style",
    "styles",
    "spelled",
    "rule",
    "home-made",
    "also",
    "editions-change",
    "square-names",
    "name",
    "edition",
    "stock-order",
    "white-also",
];

/// Reads fields, and notes which ones were read: what is left is not known here.
pub struct Fields {
    table: Table,
}

impl Fields {
    pub fn new(table: Table) -> Fields {
        Fields { table }
    }

    /// Takes a field by its path.
    pub fn take(&mut self, path: &str) -> Option<Value> {
        let mut table = &mut self.table;
        let mut keys: Vec<&str> = path.split('/').collect();
        let last = keys.pop()?;
        for key in keys {
            table = table.get_mut(key)?.as_table_mut()?;
        }
        table.remove(last)
    }

    pub fn text(&mut self, path: &str) -> Option<String> {
        self.take(path).and_then(|value| value.as_str().map(str::to_owned))
    }

    pub fn flag(&mut self, path: &str, otherwise: bool) -> bool {
        self.take(path).and_then(|value| value.as_bool()).unwrap_or(otherwise)
    }

    pub fn number(&mut self, path: &str, otherwise: i64) -> i64 {
        self.take(path).and_then(|value| value.as_integer()).unwrap_or(otherwise)
    }

    /// The first field that was not read and affects play.
    pub fn left(&self) -> Option<String> {
        left(&self.table, "")
    }
}

fn left(table: &Table, prefix: &str) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        if PROSE.contains(&key.as_str()) || prefix.is_empty() && key == "cites" {
            return None;
        }
        match value {
            Value::Table(inner) => left(inner, &format!("{prefix}{key}.")),
            value => Some(format!("{prefix}{key} = {value}")),
        }
    })
}
