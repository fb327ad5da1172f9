//! Cuts a stream of records into parts that fit into one request.

use crate::record::{ChunkReader, read};
use crate::text::limits::RECORD_BYTES_MAX;
use std::io::{self, Read};

/// Bytes of a part: enough that requests are few, and so little that a slow line is done with it in a minute.
const PART_BYTES: usize = 1 << 20;

/// Games of a part, so that answers stay small and come soon.
const PART_GAMES: usize = 250;

/// Some whole records, one after the other as in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Number of the first game in the input, from 0.
    pub first: usize,
    /// Where each record ends in the bytes.
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

    /// The two halves; nothing for a single record.
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

/// The parts of a stream, each made when it is asked for.
#[derive(Debug)]
pub struct Batches<R> {
    chunks: ChunkReader<R>,
    /// Records that were read and not handed out, the last one first.
    waiting: Vec<Vec<u8>>,
    /// Games handed out so far.
    games: usize,
}

impl<R: Read> Batches<R> {
    /// The parts of a stream.
    pub fn new(stream: R) -> Batches<R> {
        let chunks = ChunkReader::with_limits(stream, PART_BYTES, RECORD_BYTES_MAX);
        Batches { chunks, waiting: Vec::new(), games: 0 }
    }

    fn part(&mut self) -> Batch {
        let mut part = Batch { first: self.games, ends: Vec::new(), bytes: Vec::new() };
        while part.len() < PART_GAMES
            && let Some(record) =
                self.waiting.pop_if(|next| part.is_empty() || part.bytes.len() + next.len() <= PART_BYTES)
        {
            part.bytes.extend_from_slice(&record);
            part.ends.push(part.bytes.len());
        }
        self.games += part.len();
        part
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<io::Result<Batch>> {
        while self.waiting.is_empty() {
            match self.chunks.next()? {
                Err(error) => return Some(Err(error)),
                Ok(chunk) if chunk.cut.is_some() => {
                    let message =
                        format!("a record is longer than {RECORD_BYTES_MAX} bytes; nothing takes it");
                    return Some(Err(io::Error::new(io::ErrorKind::InvalidData, message)));
                }
                Ok(chunk) => {
                    self.waiting.extend(read(&chunk.bytes, 0).map(|record| record.source().to_vec()));
                    self.waiting.reverse();
                }
            }
        }
        Some(Ok(self.part()))
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
        let parts: Vec<Batch> = Batches::new(&text[..]).collect::<Result<_, _>>().unwrap();
        assert_eq!(parts.iter().map(Batch::len).collect::<Vec<_>>(), [PART_GAMES, PART_GAMES, PART_GAMES, 1]);
        assert_eq!(parts.iter().map(|part| part.first).collect::<Vec<_>>()[3], 3 * PART_GAMES);
        assert_eq!(parts.iter().flat_map(|part| part.bytes.clone()).collect::<Vec<u8>>(), text);
    }

    #[test]
    fn long_records_are_parts_of_their_own() {
        let long = format!("[White \"?\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(PART_BYTES));
        let text = [games(2), long.into_bytes(), games(2)].concat();
        let parts: Vec<Batch> = Batches::new(&text[..]).collect::<Result<_, _>>().unwrap();
        assert!(parts.iter().all(|part| part.bytes.len() <= PART_BYTES || part.len() == 1));
        assert_eq!(parts.iter().map(Batch::len).sum::<usize>(), 5);
        assert_eq!(parts.iter().flat_map(|part| part.bytes.clone()).collect::<Vec<u8>>(), text);
    }

    #[test]
    fn halves_are_the_whole() {
        let text = games(5);
        let whole = Batches::new(&text[..]).next().unwrap().unwrap();
        let (front, back) = whole.halves().unwrap();
        assert_eq!((front.len(), back.len(), back.first), (2, 3, 2));
        assert_eq!([front.bytes.clone(), back.bytes.clone()].concat(), text);
        assert_eq!(back.ends.last(), Some(&back.bytes.len()));
        assert_eq!(front.halves().unwrap().0.halves(), None);
        assert!(Batches::new(&b""[..]).next().is_none());
    }
}
