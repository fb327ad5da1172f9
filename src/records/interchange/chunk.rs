//! Splits a stream into chunks and holds no more than one batch of it.

use super::formats;
use crate::record::number;
use crate::record::read::{long_record, read_limited};
use crate::record::split::Splitter;
use ferz_core::text::limits::{CHUNK_BYTES, RECORD_BYTES_MAX};
use ferz_core::text::{Diagnostic, Pool, PooledBytes, Span};
use std::collections::VecDeque;
use std::io::{Read, Result};
use std::ops::Range;

/// Whole games from a stream, as [`read`](crate::record::read()) takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Bytes of the stream before this chunk.
    pub offset: usize,
    /// The bytes: whole games.
    pub bytes: PooledBytes,
    /// True if the last record was longer than the limit: it was cut there, and the rest up to the next game skipped.
    pub cut: Option<Diagnostic>,
}

/// Reads chunks of about 1 MB from a stream, each holding whole games; memory stays below twice the limit for one
/// record, however long the stream is.
///
/// It ends after the first error of the stream.
///
/// ```
/// use ferz_records::interchange::ChunkReader;
/// use ferz_records::record::read;
/// let stream: &[u8] = b"[White \"Ann\"]\n\n1. e4 *\n\n[White \"Ben\"]\n\n1. d4 *\n";
/// let mut games = 0;
/// for chunk in ChunkReader::new(stream) {
///     let chunk = chunk?;
///     games += read(&chunk.bytes, chunk.offset).count();
/// }
/// assert_eq!(games, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ChunkReader<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Buffers of finished chunks, for reuse.
    pool: Pool,
    /// Bytes of the stream before the buffer.
    offset: usize,
    splitter: Splitter,
    /// Ends of the next chunks, as far as they are complete.
    ready: VecDeque<usize>,
    /// The last cut found in the buffer, 0 if there is none.
    cut: usize,
    /// Bytes of the whole lines in the buffer.
    whole: usize,
    /// From this size on, a buffer without cuts is searched for games without tags.
    search_at: usize,
    /// True if the buffer begins with a file of another program, once that has been decided.
    is_file: Option<bool>,
    /// The first bytes of the buffer that contain no result.
    without_result: usize,
    chunk_bytes: usize,
    record_bytes_max: usize,
    ended: bool,
}

impl<R: Read> ChunkReader<R> {
    /// Reads from `stream` with the limits of the program.
    pub fn new(stream: R) -> ChunkReader<R> {
        ChunkReader::with_limits(stream, CHUNK_BYTES, RECORD_BYTES_MAX)
    }

    /// Reads from `stream`: chunks of about `chunk_bytes`, no record longer than `record_bytes_max`.
    pub fn with_limits(stream: R, chunk_bytes: usize, record_bytes_max: usize) -> ChunkReader<R> {
        ChunkReader {
            stream,
            buffer: Vec::new(),
            pool: Pool::default(),
            offset: 0,
            splitter: Splitter::at(0, formats::header),
            ready: VecDeque::new(),
            cut: 0,
            whole: 0,
            is_file: None,
            without_result: 0,
            search_at: chunk_bytes / SEARCH_PART,
            chunk_bytes: chunk_bytes.max(1),
            record_bytes_max: record_bytes_max.max(1),
            ended: false,
        }
    }

    /// True if there is certainly no further chunk; it may be false before the last one.
    pub fn is_at_end(&self) -> bool {
        self.ended && self.buffer.is_empty()
    }

    /// Reads up to one more chunk.
    fn fill(&mut self) -> Result<()> {
        if self.buffer.capacity() - self.buffer.len() < self.chunk_bytes {
            // Room for the rest of the last chunk; doubling avoids copying a long record once for each of its chunks.
            let room = self.chunk_bytes + self.chunk_bytes / TAIL_PART;
            self.buffer.reserve_exact(room.max(self.buffer.len()));
        }
        // A carriage return at the end may be half of a line end.
        let before = self.buffer.len().saturating_sub(1);
        let got = self.stream.by_ref().take(self.chunk_bytes as u64).read_to_end(&mut self.buffer)?;
        self.ended = got < self.chunk_bytes;
        self.whole = match whole_lines(&self.buffer[before..]) {
            _ if self.ended => self.buffer.len(),
            0 => self.whole,
            lines => before + lines,
        };
        Ok(())
    }

    /// Looks for cuts in the whole lines of the buffer, unless it is a single chunk anyway.
    fn find_cuts(&mut self) {
        if self.is_last() {
            return;
        }
        let whole = self.whole;
        if let Some(cut) = self.splitter.skip_to_last_event(&self.buffer[..whole], self.cut) {
            self.note(cut);
        }
        while let Some(cut) = self.splitter.next_cut(&self.buffer[..whole]) {
            self.note(cut);
        }
        if self.cut == 0 && self.buffer.len() > self.search_at.min(self.record_bytes_max) {
            self.find_games(whole);
        }
    }

    /// Records a cut after the last one.
    fn note(&mut self, cut: usize) {
        self.cut = cut;
        let start = self.ready.back().copied().unwrap_or(0);
        if cut - start >= self.chunk_bytes - self.chunk_bytes / TAIL_PART {
            self.ready.push_back(cut);
        }
    }

    /// Looks for games without tags in the first `whole` bytes by reading them, since the splitter does not distinguish
    /// them. The last one found may continue in bytes that are not read yet.
    fn find_games(&mut self, whole: usize) {
        let text = &self.buffer[..whole];
        let is_file = self.is_file.unwrap_or_else(|| formats::begin(text));
        self.is_file = Some(is_file).filter(|_| whole >= formats::HEAD_BYTES);
        if is_file {
            return self.note_games(formats::later_games(text));
        }
        let result = find_result(text, self.without_result).unwrap_or(whole..whole);
        self.without_result = result.start;
        // Do not read a long game again for this if all of it is here now.
        let searched = self.search_at > self.chunk_bytes / SEARCH_PART;
        let one_game = text[result.end..].trim_ascii().is_empty() || self.ended && searched;
        let is_native = formats::has_header(text);
        if one_game && whole <= self.record_bytes_max && !is_native {
            return;
        }
        let starts = match is_native {
            true => formats::cuts(text),
            false => self.starts_of_records(whole),
        };
        self.note_games(starts);
    }

    /// Where records begin in the first `whole` bytes, besides the first.
    fn starts_of_records(&self, whole: usize) -> Vec<usize> {
        let mut records = read_limited(&self.buffer[..whole], 0, self.record_bytes_max);
        let (mut ends, mut end) = (Vec::new(), None);
        while records.next().is_some() {
            ends.extend(end);
            end = records.next_line();
        }
        ends
    }

    /// Records cuts before games.
    fn note_games(&mut self, starts: Vec<usize>) {
        // Do not read a long game again for each further megabyte.
        self.search_at =
            if starts.is_empty() { 2 * self.buffer.len() } else { self.chunk_bytes / SEARCH_PART };
        starts.into_iter().for_each(|start| self.note(start));
    }

    /// Removes the first `bytes` bytes from the buffer.
    fn take(&mut self, bytes: usize) -> Chunk {
        let mut rest = self.pool.take();
        rest.extend_from_slice(&self.buffer[bytes..]);
        self.buffer.truncate(bytes);
        let taken = std::mem::replace(&mut self.buffer, rest);
        let chunk = Chunk {
            offset: self.offset,
            bytes: self.pool.lend(taken, POOLED_CHUNKS * self.chunk_bytes),
            cut: None,
        };
        self.offset += bytes;
        self.is_file = None;
        self.splitter.shift(bytes);
        self.ready.iter_mut().for_each(|end| *end -= bytes);
        self.cut = self.cut.saturating_sub(bytes);
        self.whole = self.whole.saturating_sub(bytes);
        self.without_result = self.without_result.saturating_sub(bytes);
        chunk
    }

    /// Cuts a record at the limit and skips the rest of it.
    fn take_long(&mut self) -> Result<Chunk> {
        let mut chunk = self.take(self.record_bytes_max);
        let from = self.offset;
        while !self.ended && self.cut == 0 {
            // What the splitter has passed cannot hold a cut any more; keep the tail for looking back.
            let passed = self.splitter.position().saturating_sub(LOOK_BACK).min(self.buffer.len());
            self.take(passed);
            self.fill()?;
            self.cut = self.splitter.next_cut(&self.buffer[..self.whole]).unwrap_or(0);
        }
        let skip = if self.cut > 0 { self.cut } else { self.buffer.len() };
        let next = self.cut > 0;
        self.take(skip);
        chunk.cut = Some(long_record(Span::new(from, self.offset), self.record_bytes_max));
        if next {
            self.find_cuts();
        }
        Ok(chunk)
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>> {
        loop {
            if let Some(end) = self.ready.pop_front() {
                return Ok(Some(self.take(end)));
            }
            if self.cut > 0 && self.ended {
                return Ok(Some(self.take(self.cut)));
            }
            if self.cut == 0 && self.buffer.len() > self.record_bytes_max {
                return self.take_long().map(Some);
            }
            if self.ended {
                return Ok((!self.buffer.is_empty()).then(|| self.take(self.buffer.len())));
            }
            if self.cut > 0 && self.buffer.len() > self.cut + self.chunk_bytes {
                return Ok(Some(self.take(self.cut)));
            }
            self.fill()?;
            self.find_cuts();
        }
    }

    /// True if the buffer holds the rest of the stream and no more than one chunk: where games begin in it does not
    /// matter then.
    fn is_last(&self) -> bool {
        let most = self.chunk_bytes.min(self.record_bytes_max);
        self.ended && self.cut == 0 && self.ready.is_empty() && self.buffer.len() <= most
    }
}

/// This part of a chunk is searched for games without tags; less is a single chunk anyway.
const SEARCH_PART: usize = 16;

/// A chunk may be smaller by this part, so that it can be returned without its unfinished last game once a full chunk
/// has been read.
const TAIL_PART: usize = 8;

/// Larger buffers, in chunks, are not kept for reuse.
const POOLED_CHUNKS: usize = 2;

/// Bytes before the splitter's place that it may look back at: the blank line before an `[Event "`.
const LOOK_BACK: usize = 256;

/// The bytes of something from `from` on that reads as a result. Without one, no game without tags follows another.
fn find_result(text: &[u8], from: usize) -> Option<Range<usize>> {
    let begins = |byte: &u8| matches!(byte, b'*' | b'0' | b'1' | b'.' | b'\xbd' | b'\xc2');
    let mut at = from;
    loop {
        at += text.get(at..)?.iter().position(begins)?;
        if may_be_result(&text[at..])
            && let Some((_, len, _)) = number::result(text, at)
        {
            return Some(at..at + len);
        }
        at += 1;
    }
}

/// False for most tokens that are not results, by their first bytes: move numbers and squares.
fn may_be_result(text: &[u8]) -> bool {
    match text {
        [b'*' | b'\xbd' | b'\xc2', ..] | [b'.', b'5', ..] => true,
        [b'0' | b'1', b'.' | b',', b'0' | b'5', ..] => true,
        [b'0' | b'1', rest @ ..] => {
            let separator = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
            separator.is_some_and(|byte| matches!(byte, b'-' | b':' | b'/' | b'\xe2'))
        }
        _ => false,
    }
}

/// Bytes of the whole lines at the start of `text`. A carriage return at the very end may be half of a line end.
fn whole_lines(text: &[u8]) -> usize {
    match memchr::memrchr2(b'\n', b'\r', text) {
        Some(i) if text[i] == b'\r' && i + 1 == text.len() => {
            memchr::memrchr2(b'\n', b'\r', &text[..i]).map_or(0, |i| i + 1)
        }
        Some(i) => i + 1,
        None => 0,
    }
}

impl<R: Read> Iterator for ChunkReader<R> {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Result<Chunk>> {
        let chunk = self.next_chunk();
        if chunk.is_err() {
            self.ended = true;
            self.buffer.clear();
            self.cut = 0;
        }
        chunk.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(text: &str, size: usize, max: usize) -> Vec<Chunk> {
        ChunkReader::with_limits(text.as_bytes(), size, max)
            .map(|c| c.expect("memory does not fail"))
            .collect()
    }

    /// Where each record of a text begins, its bytes and the number of its items.
    fn games(bytes: &[u8], offset: usize) -> Vec<(usize, Vec<u8>, usize)> {
        let record = |record: crate::record::Record<'_>| {
            (record.offset(), record.source().to_vec(), record.items.len())
        };
        read_limited(bytes, offset, 1 << 20).map(record).collect()
    }

    #[test]
    fn what_no_result_may_be_is_none() {
        let halves = ["0", "1", "1/2", "\u{bd}", "0.5", "0,5", ".5", "1.0", "0.0", "2", "e4", "10"];
        let dashes = ["-", ":", " - ", "\t\u{2013}", "\u{2014} ", "\u{2212}", "=", ". "];
        let mut results = 0;
        for (white, dash) in halves.iter().flat_map(|white| dashes.map(|dash| (white, dash))) {
            for text in halves.map(|black| format!("{white}{dash}{black}")).iter().chain([&white.to_string()])
            {
                if number::result(text.as_bytes(), 0).is_some() {
                    assert!(may_be_result(text.as_bytes()), "{text}");
                    results += 1;
                }
            }
        }
        assert!(results > 100, "{results}");
        assert!(may_be_result(b"*") && !may_be_result(b"1. e4") && !may_be_result(b"1 Nf3"));
    }

    #[test]
    fn a_long_game_is_read_on_by_the_byte() {
        // The second game has no result and is longer than the first read.
        let long = format!("1. e4 *\n{}", "1. d4 Nf6 {x}\n".repeat(60));
        for size in 1..200 {
            let found = chunks(&long, size, 900);
            assert!(found.iter().all(|chunk| chunk.cut.is_none()), "{size}");
            let apart: Vec<_> = found.iter().flat_map(|chunk| games(&chunk.bytes, chunk.offset)).collect();
            assert_eq!(apart, games(long.as_bytes(), 0), "{size}");
        }
    }

    #[test]
    fn events_cut_wherever_comments_begin_and_end() {
        let games_of_all_sorts = [
            "{before}\n\n[Event \"1\"]\n\n1. e4 {open\n\n",
            "[Event \"2\"]\n[A \"x\"]\n\n1. d4 ;[Event {\n\n",
            "[Event \"3\"] 1. c4 *\n[B \"y\"]\n\n{[Event \"}*\n \t\n",
            "[Event \"4\"]\r\n\r\n%{\n1. e4 {\n[Event \"no\"]\n} *\n\r\n",
            "[Event \"5\"]\n\n[Event \"6\"]\n[Site \"\"]\n\n\n[Event \"7\"] {x}\n\n [Event \"8\"]\n\n",
        ];
        for first in 0..games_of_all_sorts.len() {
            let text = [&games_of_all_sorts[first..], &games_of_all_sorts].concat().concat().repeat(3);
            let whole = games(text.as_bytes(), 0);
            for size in 1..400 {
                let found = chunks(&text, size, 1 << 20);
                let apart: Vec<_> =
                    found.iter().flat_map(|chunk| games(&chunk.bytes, chunk.offset)).collect();
                assert_eq!(apart, whole, "{first} {size}");
            }
        }
    }

    #[test]
    fn chunks_are_the_stream() {
        let game = "[A \"1\"]\r\n\r\n1. e4 {x\r\n\r\n[B \"y\"]} *\r\n\r\n";
        let text = game.repeat(9);
        for size in 1..60 {
            let found = chunks(&text, size, 1000);
            let joined: Vec<u8> = found.iter().flat_map(|c| c.bytes.to_vec()).collect();
            assert_eq!(joined, text.as_bytes());
            assert!(
                found.iter().all(|c| c.bytes.len() % game.len() == 0 && c.bytes.ends_with(b"\n")),
                "{size}"
            );
            assert!(found.len() > 1);
        }
    }

    #[test]
    fn a_long_record_harms_no_neighbour() {
        let text =
            format!("[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n{}\n[A \"3\"]\n\n1. d4 *\n", "e4 e5\n".repeat(100));
        for size in 1..80 {
            let found = chunks(&text, size, 100);
            assert_eq!(found.iter().filter(|c| c.cut.is_some()).count(), 1, "{size}");
            assert!(found.iter().all(|c| c.bytes.len() <= 200));
            assert_eq!(found.first().map(|c| c.bytes.starts_with(b"[A \"1\"]")), Some(true));
            assert_eq!(found.last().map(|c| *c.bytes == *b"[A \"3\"]\n\n1. d4 *\n"), Some(true), "{size}");
        }
    }

    #[test]
    fn games_without_tags_are_cut_where_lines_begin() {
        let tiny = "1. e4 *\n1. d4 (1. c4\n c5) *\n{before} 1. c4 * 1. Nf3 1-0\n\n";
        let text = [&tiny.repeat(30), "[A \"1\"]\n\n1. e4 {\n[B \"2\"]\n} *\n", &tiny.repeat(30)].concat();
        for size in 1..300 {
            let found = chunks(&text, size, 1 << 20);
            let apart: Vec<_> = found.iter().flat_map(|chunk| games(&chunk.bytes, chunk.offset)).collect();
            assert_eq!(apart, games(text.as_bytes(), 0), "{size}");
            assert!(
                found.len() > 10 && found.iter().all(|chunk| chunk.bytes.len() < 150 + 2 * size),
                "{size}"
            );
        }
        // More than the limit, as none of them is longer than it.
        assert!(chunks(&text, 16, 128).iter().all(|chunk| chunk.cut.is_none()));
    }
}
