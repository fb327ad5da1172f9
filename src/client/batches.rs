//! Splits a stream of records into batches, one for each request.

use ferz::interchange::{ChunkReader, Wrapped};
use ferz::json::{ReadPart, ReadParts, sniff};
use ferz::text::LineIndex;
use ferz::text::limits::RECORD_BYTES_MAX;
use std::collections::VecDeque;
use std::io::{self, Read};

/// Bytes of a batch: large enough to keep requests few, small enough for a slow line to send it in a minute.
const PART_BYTES: usize = 1 << 20;

/// Games of a batch, so that answers stay small and fast.
const PART_GAMES: usize = 250;

/// Consecutive whole records of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Number of the first game in the input, from 0.
    pub first: usize,
    /// The end of each record in the bytes.
    pub ends: Vec<usize>,
    /// The records' bytes.
    pub bytes: Vec<u8>,
}

impl Batch {
    /// Number of records.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no record.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Splits the batch in halves; `None` for a single record.
    pub fn halves(&self) -> Option<(Batch, Batch)> {
        let middle = self.len() / 2;
        let &at = self.ends.get(middle.checked_sub(1)?)?;
        let front =
            Batch { first: self.first, ends: self.ends[..middle].to_vec(), bytes: self.bytes[..at].to_vec() };
        let back = Batch {
            first: self.first + middle,
            ends: self.ends[middle..].iter().map(|end| end - at).collect(),
            bytes: self.bytes[at..].to_vec(),
        };
        Some((front, back))
    }
}

/// The records of a stream, as PGN whatever their form.
#[derive(Debug)]
enum Records<R> {
    Pgn(ChunkReader<R>),
    Json(ReadParts<R>),
}

impl<R: Read> Records<R> {
    /// The next records; `None` at the end. An error comes with the records before it.
    fn next(&mut self) -> Option<(Vec<Vec<u8>>, io::Result<()>)> {
        let broken = |message: String| Err(io::Error::new(io::ErrorKind::InvalidData, message));
        match self {
            Records::Pgn(chunks) => Some(match chunks.next()? {
                Ok(chunk) if chunk.cut.is_none() => {
                    let wrapped = Wrapped::new(&chunk.bytes[..], 0);
                    let records = wrapped.records(0).map(|record| record.source().to_vec());
                    (records.collect(), Ok(()))
                }
                Ok(_) => {
                    let message = format!("a record is longer than the limit of {RECORD_BYTES_MAX} bytes");
                    (Vec::new(), broken(message))
                }
                Err(error) => (Vec::new(), Err(error)),
            }),
            Records::Json(parts) => Some(match parts.next()? {
                Ok(ReadPart { bytes, offset, lines, objects }) => {
                    let mut records = Vec::new();
                    for object in objects {
                        match object {
                            Ok(object) => records.push(object.text.into_bytes()),
                            Err(fault) => {
                                let place = LineIndex::new(&bytes).locate(fault.span.start - offset);
                                let line = place.line + lines;
                                return Some((records, broken(format!("line {line}: {fault}"))));
                            }
                        }
                    }
                    (records, Ok(()))
                }
                Err(error) => (Vec::new(), Err(error)),
            }),
        }
    }
}

/// Iterates over the batches of a stream: records in PGN, or in JSON, which are sent as PGN.
#[derive(Debug)]
pub struct Batches<R> {
    records: Records<R>,
    /// Records read but not returned yet.
    waiting: VecDeque<Vec<u8>>,
    /// Their bytes.
    waiting_bytes: usize,
    /// The error that ended reading; returned after the records before it.
    broken: Option<io::Error>,
    /// Games returned so far.
    games: usize,
}

/// The batches of a stream.
///
/// # Errors
/// If its beginning cannot be read.
pub fn batches<R: Read>(stream: R) -> io::Result<Batches<impl Read + use<R>>> {
    let (is_json, stream) = sniff(stream)?;
    let records = match is_json {
        true => Records::Json(ReadParts::new(stream)),
        false => Records::Pgn(ChunkReader::with_limits(stream, PART_BYTES, RECORD_BYTES_MAX)),
    };
    Ok(Batches { records, waiting: VecDeque::new(), waiting_bytes: 0, broken: None, games: 0 })
}

impl<R: Read> Batches<R> {
    /// Reads until a batch is complete or the stream ends.
    fn fill(&mut self) {
        while self.waiting.len() < PART_GAMES
            && self.waiting_bytes < PART_BYTES
            && self.broken.is_none()
            && let Some((records, read)) = self.records.next()
        {
            self.waiting_bytes += records.iter().map(Vec::len).sum::<usize>();
            self.waiting.extend(records);
            self.broken = read.err();
        }
    }

    fn part(&mut self) -> Batch {
        let mut part = Batch { first: self.games, ends: Vec::new(), bytes: Vec::new() };
        while part.len() < PART_GAMES
            && let Some(next) = self.waiting.front()
            && (part.is_empty() || part.bytes.len() + next.len() <= PART_BYTES)
        {
            part.bytes.extend_from_slice(next);
            part.ends.push(part.bytes.len());
            self.waiting.pop_front();
        }
        self.waiting_bytes = self.waiting_bytes.saturating_sub(part.bytes.len());
        self.games += part.len();
        part
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<io::Result<Batch>> {
        self.fill();
        let part = self.part();
        if part.is_empty() { self.broken.take().map(Err) } else { Some(Ok(part)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(count: usize) -> Vec<u8> {
        (0..count).flat_map(|n| format!("[White \"{n}\"]\n\n1. e4 {{{n}}} *\n\n").into_bytes()).collect()
    }

    #[test]
    fn all_records_come_once_and_whole() {
        let text = games(3 * PART_GAMES + 1);
        let parts: Vec<Batch> = batches(&text[..]).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(parts.iter().map(Batch::len).collect::<Vec<_>>(), [PART_GAMES, PART_GAMES, PART_GAMES, 1]);
        assert_eq!(parts.iter().map(|part| part.first).collect::<Vec<_>>()[3], 3 * PART_GAMES);
        assert_eq!(parts.iter().flat_map(|part| part.bytes.clone()).collect::<Vec<u8>>(), text);
    }

    #[test]
    fn long_records_are_parts_of_their_own() {
        let long = format!("[White \"?\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(PART_BYTES));
        let text = [games(2), long.into_bytes(), games(2)].concat();
        let parts: Vec<Batch> = batches(&text[..]).unwrap().collect::<Result<_, _>>().unwrap();
        assert!(parts.iter().all(|part| part.bytes.len() <= PART_BYTES || part.len() == 1));
        assert_eq!(parts.iter().map(Batch::len).sum::<usize>(), 5);
        assert_eq!(parts.iter().flat_map(|part| part.bytes.clone()).collect::<Vec<u8>>(), text);
    }

    #[test]
    fn what_was_read_before_an_error_comes_before_it() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        // More than the splitter reads ahead.
        let text = games(PART_GAMES * 400);
        let parts: Vec<io::Result<Batch>> = batches(text.as_slice().chain(Broken)).unwrap().collect();
        let read: usize = parts.iter().flatten().map(Batch::len).sum();
        assert!(read > 0 && parts[..parts.len() - 1].iter().all(Result::is_ok));
        assert_eq!(parts.last().unwrap().as_ref().unwrap_err().to_string(), "the disk is gone");
    }

    #[test]
    fn halves_are_the_whole() {
        let text = games(5);
        let whole = batches(&text[..]).unwrap().next().unwrap().unwrap();
        let (front, back) = whole.halves().unwrap();
        assert_eq!((front.len(), back.len(), back.first), (2, 3, 2));
        assert_eq!([front.bytes.clone(), back.bytes.clone()].concat(), text);
        assert_eq!(back.ends.last(), Some(&back.bytes.len()));
        assert_eq!(front.halves().unwrap().0.halves(), None);
        assert!(batches(&b""[..]).unwrap().next().is_none());
    }
}
