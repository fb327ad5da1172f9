//! Many games from one stream: in parallel, in stable order, in bounded memory.

use super::report::{Located, Source};
use crate::record::{Chunk, ChunkReader, Record, read};
use crate::text::{Diagnostic, limits::CHUNKS_PER_JOB};
use rayon::prelude::*;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// What was made of one part of the stream.
#[derive(Debug)]
pub struct Batch<T> {
    /// What was made of each record, in order.
    pub items: Vec<T>,
    /// The text of the part: whole lines.
    pub text: Vec<u8>,
    /// Bytes of the stream before it.
    pub offset: usize,
    /// Line breaks before it.
    pub lines: usize,
    /// A record that was longer than the limit, and so was cut.
    pub cut: Option<Diagnostic>,
    /// What should be records and cannot be read as such; never anything of PGN, which is always read.
    pub unread: Vec<Located>,
}

/// A part of the stream with its place.
struct Part {
    chunk: Chunk,
    lines: usize,
}

/// Calls `work` for each record of a stream, on `jobs` threads (0 for all cores), and `emit` for each part of the
/// stream in its order. Nothing is kept of parts that were emitted.
///
/// `worker` makes what each part's records share, such as a [`Replayer`](super::Replayer).
///
/// # Errors
/// Where the stream cannot be read. What came before has been emitted.
pub fn each_record<W, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    T: Send,
{
    let parts = Parts { reader: ChunkReader::new(stream), lines: 0 };
    let make = |part: Part| {
        let mut worker = worker();
        let Part { chunk, lines } = part;
        let source = Source::new(&chunk.bytes, chunk.offset, lines);
        let items =
            read(&chunk.bytes, chunk.offset).map(|record| work(&mut worker, &record, &source)).collect();
        Batch { items, offset: chunk.offset, text: chunk.bytes, lines, cut: chunk.cut, unread: Vec::new() }
    };
    each_part(parts, jobs, make, emit)
}

/// Calls `make` for each part of a stream, on `jobs` threads (0 for all cores), and `emit` for what it makes, in the
/// order of the parts.
pub(crate) fn each_part<P, T, B>(
    mut parts: impl Iterator<Item = io::Result<P>> + Send,
    jobs: usize,
    make: impl Fn(P) -> Batch<T> + Sync,
    mut emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    P: Send,
    T: Send,
{
    if jobs == 1 {
        for part in parts.by_ref() {
            if let ControlFlow::Break(stop) = emit(make(part?)) {
                return Ok(ControlFlow::Break(stop));
            }
        }
        return Ok(ControlFlow::Continue(()));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(io::Error::other)?;
    let at_once = pool.current_num_threads() * CHUNKS_PER_JOB;
    let mut waiting = some(&mut parts, at_once);
    loop {
        let (ready, trouble) = waiting;
        if ready.is_empty() {
            return trouble.map_or(Ok(ControlFlow::Continue(())), Err);
        }
        // While these are worked on, the next ones are read.
        let ended = trouble.is_some();
        let (done, next) = pool.install(|| {
            rayon::join(
                || ready.into_par_iter().map(&make).collect::<Vec<_>>(),
                || if ended { (Vec::new(), None) } else { some(&mut parts, at_once) },
            )
        });
        for batch in done {
            if let ControlFlow::Break(stop) = emit(batch) {
                return Ok(ControlFlow::Break(stop));
            }
        }
        waiting = if ended { (Vec::new(), trouble) } else { next };
    }
}

/// Reads the stream part by part and counts its lines.
struct Parts<R> {
    reader: ChunkReader<R>,
    lines: usize,
}

/// Up to `count` parts, and the error that ended them.
fn some<P>(parts: &mut impl Iterator<Item = io::Result<P>>, count: usize) -> (Vec<P>, Option<io::Error>) {
    let mut found = Vec::new();
    for part in parts.by_ref().take(count) {
        match part {
            Ok(part) => found.push(part),
            Err(error) => return (found, Some(error)),
        }
    }
    (found, None)
}

impl<R: Read> Iterator for Parts<R> {
    type Item = io::Result<Part>;

    fn next(&mut self) -> Option<io::Result<Part>> {
        let chunk = match self.reader.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        let lines = self.lines;
        self.lines += memchr::memchr_iter(b'\n', &chunk.bytes).count();
        Some(Ok(Part { chunk, lines }))
    }
}
