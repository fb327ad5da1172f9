//! Whole files of records, for commands that look at single games.

use super::input;
use super::output::Failure;
use crate::json::{ReadRecord, Refused, is_json, read_all};
use crate::record::{Record, read};
use crate::replay::Source;
use crate::replay::summary::counted;
use std::io::Read;
use std::path::Path;

/// A file with its records.
pub(super) struct Loaded {
    /// Its name for messages.
    pub(super) name: String,
    bytes: Vec<u8>,
    /// The records in JSON; `None` for PGN.
    objects: Option<Vec<Result<ReadRecord, Refused>>>,
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
        let objects = is_json(&bytes).then(|| read_all(&bytes));
        Ok(Loaded { name: input.name, bytes, objects })
    }

    /// Records that are no file's.
    pub(super) fn of_text(name: &str, text: String) -> Loaded {
        Loaded { name: name.to_owned(), bytes: text.into_bytes(), objects: None }
    }

    /// The record with this number, from 1, and its source; `option` chooses the number.
    ///
    /// # Errors
    /// If there is no such record.
    pub(super) fn record(&self, number: usize, option: &str) -> Result<(Record<'_>, Source<'_>), Failure> {
        let Some(objects) = &self.objects else {
            let record = read(&self.bytes, 0).nth(number - 1).ok_or_else(|| self.too_few(number, option))?;
            return Ok((record, Source::new(&self.bytes, 0, 0)));
        };
        match objects.get(number - 1).ok_or_else(|| self.too_few(number, option))? {
            Ok(object) => {
                let record = object.record().ok_or_else(|| self.too_few(number, option))?;
                Ok((record, Source::of_made(&self.bytes, 0, 0, &object.places)))
            }
            Err(refused) => {
                let place = Source::new(&self.bytes, 0, 0).locate(refused.span.start);
                let (name, line, column) = (&self.name, place.line, place.column);
                Err(Failure::message(format!("{name}:{line}:{column}: {refused}")))
            }
        }
    }

    /// True if it has a record of these bytes, without the space around it.
    pub(super) fn has(&self, bytes: &[u8]) -> bool {
        match &self.objects {
            Some(objects) => objects.iter().flatten().any(|object| object.text.trim().as_bytes() == bytes),
            None => read(&self.bytes, 0).any(|record| record.source().trim_ascii() == bytes),
        }
    }

    fn too_few(&self, number: usize, option: &str) -> Failure {
        let count = self.objects.as_ref().map_or_else(|| read(&self.bytes, 0).count(), Vec::len);
        let (name, games) = (&self.name, counted(count, "game", "games"));
        Failure::message(format!("{name}: no game {number}; the file has {games}; choose with {option}"))
    }
}
