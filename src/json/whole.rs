//! Whole texts with records in PGN or JSON, for work on single games.

use super::read::{ReadRecord, Refused, is_json, read_all};
use crate::record::{Record, read};
use crate::replay::Source;

/// A text with its records.
#[derive(Debug)]
pub struct WholeText<B> {
    bytes: B,
    /// The records in JSON; `None` for PGN.
    objects: Option<Vec<Result<ReadRecord, Refused>>>,
}

/// Why a text has no record of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoGame {
    /// It has only so many.
    TooFew(usize),
    /// The object at this line and column is not a record.
    Refused {
        /// The fault.
        fault: Refused,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
}

impl<B: AsRef<[u8]>> WholeText<B> {
    /// Reads the records of a text.
    pub fn new(bytes: B) -> WholeText<B> {
        let objects = is_json(bytes.as_ref()).then(|| read_all(bytes.as_ref()));
        WholeText { bytes, objects }
    }

    /// The record with this number, from 1, and its source.
    ///
    /// # Errors
    /// If there is no such record.
    pub fn record(&self, number: usize) -> Result<(Record<'_>, Source<'_>), NoGame> {
        let bytes = self.bytes.as_ref();
        let too_few = || NoGame::TooFew(self.count());
        let index = number.checked_sub(1).ok_or_else(too_few)?;
        let Some(objects) = &self.objects else {
            let record = read(bytes, 0).nth(index).ok_or_else(too_few)?;
            return Ok((record, Source::new(bytes, 0, 0)));
        };
        match objects.get(index).ok_or_else(too_few)? {
            Ok(object) => {
                let record = object.record().ok_or_else(too_few)?;
                Ok((record, Source::of_made(bytes, 0, 0, &object.places)))
            }
            Err(fault) => {
                let place = Source::new(bytes, 0, 0).locate(fault.span.start);
                Err(NoGame::Refused { fault: fault.clone(), line: place.line, column: place.column })
            }
        }
    }

    /// True if it has a record of these bytes, without the space around it.
    pub fn has(&self, bytes: &[u8]) -> bool {
        match &self.objects {
            Some(objects) => objects.iter().flatten().any(|object| object.text.trim().as_bytes() == bytes),
            None => read(self.bytes.as_ref(), 0).any(|record| record.source().trim_ascii() == bytes),
        }
    }

    fn count(&self) -> usize {
        self.objects.as_ref().map_or_else(|| read(self.bytes.as_ref(), 0).count(), Vec::len)
    }
}
