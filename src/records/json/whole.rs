//! Whole texts with records in PGN or JSON, for work on single games.

use super::read::{ReadRecord, Refused, is_json, read_all};
use crate::interchange::Wrapped;
use crate::record::Record;
use crate::replay::Source;
use crate::replay::summary::counted;
use std::borrow::Cow;

/// A text with its records.
#[derive(Debug)]
pub enum WholeText<'t> {
    /// Records in PGN, possibly in mail or HTML.
    Pgn(Wrapped<'t>),
    /// Records in JSON.
    Json(Cow<'t, [u8]>, Vec<Result<ReadRecord, Refused>>),
}

/// Why a text has no record of a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoGame {
    /// It has only so many.
    #[error("no such game; the text has {}", counted(*.0, "game", "games"))]
    TooFew(usize),
    /// The object at this line and column is not a record.
    #[error("line {line}, column {column}: {fault}")]
    Refused {
        /// The fault.
        fault: Refused,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
}

impl<'t> WholeText<'t> {
    /// Reads the records of a text.
    pub fn new(bytes: impl Into<Cow<'t, [u8]>>) -> WholeText<'t> {
        let bytes = bytes.into();
        if is_json(&bytes) {
            let objects = read_all(&bytes);
            WholeText::Json(bytes, objects)
        } else {
            WholeText::Pgn(Wrapped::new(bytes, 0))
        }
    }

    /// The record with this number, from 1, and its source.
    ///
    /// # Errors
    /// If there is no such record.
    pub fn record(&self, number: usize) -> Result<(Record<'_>, Source<'_>), NoGame> {
        let too_few = || NoGame::TooFew(self.count());
        let index = number.checked_sub(1).ok_or_else(too_few)?;
        let (bytes, objects) = match self {
            WholeText::Pgn(wrapped) => {
                let record = wrapped.records(0).nth(index).ok_or_else(too_few)?;
                return Ok((record, Source::of_wrapped(wrapped, 0)));
            }
            WholeText::Json(bytes, objects) => (bytes, objects),
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
        match self {
            WholeText::Json(_, objects) => {
                objects.iter().flatten().any(|object| object.text.trim().as_bytes() == bytes)
            }
            WholeText::Pgn(wrapped) => wrapped.records(0).any(|record| record.source().trim_ascii() == bytes),
        }
    }

    /// Its records as one text in PGN, without what is around them.
    ///
    /// # Errors
    /// If an object is not a record.
    pub fn as_pgn(&self) -> Result<Vec<u8>, NoGame> {
        if let WholeText::Pgn(wrapped) = self {
            let sources: Vec<&[u8]> = wrapped.records(0).map(|record| record.source()).collect();
            return Ok(sources.join(&b"\n\n"[..]));
        }
        let mut text = Vec::new();
        for number in 1..=self.count() {
            text.extend_from_slice(self.record(number)?.0.source());
            text.extend_from_slice(b"\n\n");
        }
        Ok(text)
    }

    fn count(&self) -> usize {
        match self {
            WholeText::Pgn(wrapped) => wrapped.records(0).count(),
            WholeText::Json(_, objects) => objects.len(),
        }
    }
}
