//! Whole files of records, for commands that look at single games.

use super::input;
use super::output::Failure;
use ferz::json::{NoGame, WholeText};
use ferz::record::Record;
use ferz::replay::Source;
use ferz::replay::summary::counted;
use std::io::Read;
use std::path::Path;

/// A file with its records.
pub(super) struct Loaded {
    /// Its name for messages.
    pub(super) name: String,
    texts: WholeText<'static>,
}

impl Loaded {
    /// Reads a whole file, or the standard input for `-`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn open(path: &Path) -> Result<Loaded, Failure> {
        let mut input = input::open(Some(path))?;
        let mut bytes = Vec::new();
        input.reader.read_to_end(&mut bytes).map_err(Failure::message)?;
        Ok(Loaded { name: input.name, texts: WholeText::new(bytes) })
    }

    /// Records that are no file's.
    pub(super) fn of_text(name: &str, text: String) -> Loaded {
        Loaded::of_bytes(name, text.into_bytes())
    }

    /// Records that were read from an input of this name.
    pub(super) fn of_bytes(name: &str, bytes: Vec<u8>) -> Loaded {
        Loaded { name: name.to_owned(), texts: WholeText::new(bytes) }
    }

    /// The record with this number, from 1, and its source; `option` chooses the number.
    ///
    /// # Errors
    /// If there is no such record.
    pub(super) fn record(&self, number: usize, option: &str) -> Result<(Record<'_>, Source<'_>), Failure> {
        let name = &self.name;
        self.texts.record(number).map_err(|none| match none {
            NoGame::TooFew(count) => {
                let games = counted(count, "game", "games");
                Failure::message(format!(
                    "{name}: no game {number}; the file has {games}; choose with {option}"
                ))
            }
            NoGame::Refused { fault, line, column } => {
                Failure::message(format!("{name}:{line}:{column}: {fault}"))
            }
        })
    }

    /// All records in PGN.
    ///
    /// # Errors
    /// If an object of JSON is not a record.
    pub(super) fn as_pgn(&self) -> Result<Vec<u8>, Failure> {
        self.texts.as_pgn().map_err(|none| Failure::message(format!("{}: {none}", self.name)))
    }

    /// True if it has a record of these bytes, without the space around it.
    pub(super) fn has(&self, bytes: &[u8]) -> bool {
        self.texts.has(bytes)
    }
}
