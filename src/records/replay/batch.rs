//! Many games from one stream: in parallel, in stable order, in bounded memory.

use super::report::{Located, Source};
use crate::interchange::{Chunk, ChunkReader, Wrapped, split};
use crate::record::{Record, read};
use ferz_core::text::limits::{BATCH_LINES_MAX, CHUNKS_PER_JOB};
use ferz_core::text::{Diagnostic, PooledBytes};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The results for a part of the stream.
#[derive(Debug)]
pub struct Batch<T> {
    /// The results for its records, in order.
    pub items: Vec<T>,
    /// The text of the part: whole lines.
    pub text: PooledBytes,
    /// The number of bytes of the stream before it.
    pub offset: usize,
    /// The number of line breaks before it.
    pub lines: usize,
    /// The diagnostic for a record that was cut because it exceeds the limit.
    pub cut: Option<Diagnostic>,
    /// Unreadable records of formats other than PGN, which is always readable.
    pub unread: Vec<Located>,
}

/// The results for a part of the stream, and the rest of the part.
pub(crate) type Made<P, T> = (Batch<T>, Option<P>);

/// A part of the stream with its place.
struct Part {
    chunk: Chunk,
    lines: usize,
}

impl Part {
    /// Splits the part after this many bytes.
    fn split(mut self, bytes: usize) -> (Part, Part) {
        let rest = self.chunk.bytes.split_off(bytes);
        let lines = self.lines + line_breaks(&self.chunk.bytes);
        let chunk = Chunk { offset: self.chunk.offset + bytes, bytes: rest, cut: self.chunk.cut.take() };
        (self, Part { chunk, lines })
    }
}

fn line_breaks(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Calls `work` for each record of a stream, on `jobs` threads (0 for all cores), and `emit` for each part of the
/// stream in its order. Emitted parts are dropped.
///
/// `worker` makes the value that the records of a part share, such as a [`Replayer`](super::Replayer).
///
/// # Errors
/// If the stream cannot be read. The parts before have been emitted.
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
    each_of(stream, jobs, false, worker, work, emit)
}

/// Like [`each_record`], but reads each record alone where it can be separated from the others. The offsets of such a
/// record and of its source count from its first byte.
///
/// # Errors
/// As [`each_record`].
pub fn each_record_alone<W, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    T: Send,
{
    each_of(stream, jobs, true, worker, work, emit)
}

fn each_of<W, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    alone: bool,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    T: Send,
{
    let make = |part: Part| {
        let mut worker = worker();
        made(part, alone, |record, source| work(&mut worker, record, source))
    };
    each_part(Parts::of(stream), jobs, make, emit)
}

/// Like [`each_record`], with `then` for each batch on the thread that made it.
pub(crate) fn each_record_then<W, T, U, B>(
    stream: impl Read + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    then: impl Fn(&mut W, Batch<T>) -> Batch<U> + Sync,
    emit: impl FnMut(Batch<U>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    T: Send,
    U: Send,
{
    let make = |part: Part| {
        let mut worker = worker();
        let (batch, rest) = made(part, false, |record, source| work(&mut worker, record, source));
        (then(&mut worker, batch), rest)
    };
    each_part(Parts::of(stream), jobs, make, emit)
}

/// The results of `work` for the records of a text with `offset` bytes and `lines` line breaks before it, which is read
/// as a part of a stream.
pub(crate) fn of_text<T>(
    text: &[u8],
    offset: usize,
    lines: usize,
    mut work: impl FnMut(&Record<'_>, &Source<'_>) -> T,
) -> Vec<T> {
    let chunk = Chunk { offset, bytes: text.to_vec().into(), cut: None };
    let (mut left, mut items) = (Some(Part { chunk, lines }), Vec::new());
    while let Some(part) = left {
        let (batch, rest) = made(part, false, &mut work);
        items.extend(batch.items);
        left = rest;
    }
    items
}

/// The results of `work` for the records of a stream, in its order, made on this thread when they are asked for.
///
/// ```
/// let games = b"1. e4 *\n\n[White \"Ann\"]\n\n1. d4 d5 *\n";
/// let plies = ferz_records::replay::batches(&games[..], |record, _| record.main_moves().count());
/// let plies: Vec<usize> = plies.flatten().flat_map(|batch| batch.items).collect();
/// assert_eq!(plies, [1, 2]);
/// ```
///
/// # Errors
/// If the stream cannot be read.
pub fn batches<T>(
    stream: impl Read,
    mut work: impl FnMut(&Record<'_>, &Source<'_>) -> T,
) -> impl Iterator<Item = io::Result<Batch<T>>> {
    let mut parts = Parts::of(stream);
    let mut left = None;
    std::iter::from_fn(move || {
        let part = match left.take().map(Ok).or_else(|| parts.next())? {
            Ok(part) => part,
            Err(error) => return Some(Err(error)),
        };
        let (batch, rest) = made(part, false, &mut work);
        left = rest;
        Some(Ok(batch))
    })
}

/// The results of `work` for the first records of a part, and the rest of the part.
fn made<T>(part: Part, alone: bool, work: impl FnMut(&Record<'_>, &Source<'_>) -> T) -> Made<Part, T> {
    let (items, end) = some_records(&part, alone, work);
    let (done, rest) = match end {
        Some(end) => {
            let (done, rest) = part.split(end);
            (done, Some(rest))
        }
        None => (part, None),
    };
    let Part { chunk, lines } = done;
    let Chunk { offset, bytes: text, cut } = chunk;
    (Batch { items, text, offset, lines, cut, unread: Vec::new() }, rest)
}

/// The usual size of a game with tags and about eighty plies, in bytes: determines the initial capacity of a batch.
const GAME_BYTES: usize = 512;

/// The results of `work` for the records of a part, up to the limit of a batch, and the start of the next record if the
/// limit was reached before the end of the part.
fn some_records<T>(
    part: &Part,
    alone: bool,
    mut work: impl FnMut(&Record<'_>, &Source<'_>) -> T,
) -> (Vec<T>, Option<usize>) {
    let Part { chunk, lines } = part;
    let wrapped = Wrapped::new(&chunk.bytes[..], chunk.offset);
    let text = wrapped.text();
    let source = Source::of_wrapped(&wrapped, *lines);
    let room = (text.len() / GAME_BYTES).min(BATCH_LINES_MAX);
    let (mut items, mut judged, mut start) = (Vec::with_capacity(room), 0, 0);
    let pieces = if alone { split(text).collect() } else { vec![text] };
    for piece in pieces {
        let whole = |record: &Record<'_>| record.source().len() == piece.len();
        let own = if alone && wrapped.is_plain() { read(piece, 0).next().filter(whole) } else { None };
        if let Some(record) = own {
            judged += 1 + record.variation_count();
            items.push(work(&record, &Source::new(piece, 0, 0)));
        } else {
            let mut records = read(piece, chunk.offset + start);
            while let Some(record) = wrapped.next(&mut records, *lines) {
                judged += 1 + record.variation_count();
                items.push(work(&record, &source));
                records.recycle(record);
                let end = records.next_line().map(|end| start + end);
                let end = end.filter(|end| judged >= BATCH_LINES_MAX && *end < text.len());
                if let Some(end) = end {
                    return (items, Some(wrapped.origin(end)));
                }
            }
        }
        start += piece.len();
        if judged >= BATCH_LINES_MAX && start < text.len() {
            return (items, Some(wrapped.origin(start)));
        }
    }
    (items, None)
}

/// Calls `make` for each part of a stream, on `jobs` threads (0 for all cores), and `emit` for the results, in the
/// order of the parts. If `make` returns the rest of a part, that is next.
pub(crate) fn each_part<P, T, B>(
    parts: impl Iterator<Item = io::Result<P>> + Send,
    jobs: usize,
    make: impl Fn(P) -> Made<P, T> + Sync,
    mut emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    P: Send,
    T: Send,
{
    let jobs = if jobs == 0 { thread::available_parallelism()?.get() } else { jobs };
    if jobs > 1 {
        return each_part_on_threads(parts, jobs, &make, emit);
    }
    for part in parts {
        if let ControlFlow::Break(stop) = each_batch(part?, &make, &mut emit) {
            return Ok(ControlFlow::Break(stop));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Calls `emit` for each batch that `make` returns for a part.
fn each_batch<P, T, B>(
    part: P,
    make: impl Fn(P) -> Made<P, T>,
    mut emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut left = Some(part);
    while let Some(part) = left {
        let (batch, rest) = make(part);
        emit(batch)?;
        left = rest;
    }
    ControlFlow::Continue(())
}

/// [`each_part`] on several threads: a free thread takes the next part and sends its batches through a channel of the
/// part's own. The channels queue in the order of the parts. Memory is bounded because the queue is short and each
/// channel holds one batch: no thread continues with the rest of a part before its turn.
fn each_part_on_threads<P, T, B>(
    parts: impl Iterator<Item = io::Result<P>> + Send,
    jobs: usize,
    make: &(impl Fn(P) -> Made<P, T> + Sync),
    mut emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    P: Send,
    T: Send,
{
    let (queue, turns) = sync_channel(jobs * CHUNKS_PER_JOB);
    let parts = Arc::new(Mutex::new((parts, queue)));
    thread::scope(|scope| {
        for _ in 0..jobs {
            let parts = Arc::clone(&parts);
            thread::Builder::new().spawn_scoped(scope, move || {
                while let Some((part, batches)) = next_part(&parts) {
                    // Sending fails if `emit` has stopped or the stream could not be read.
                    let send =
                        |batch| batches.send(batch).map_or(ControlFlow::Break(()), ControlFlow::Continue);
                    if each_batch(part, make, send).is_break() {
                        return;
                    }
                }
            })?;
        }
        // Only the threads keep the queue open: it closes with the last of them.
        drop(parts);
        for batches in turns {
            for batch in batches? {
                if let ControlFlow::Break(stop) = emit(batch) {
                    return Ok(ControlFlow::Break(stop));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The next part and the channel for its batches, if there is one and the receiver still exists.
fn next_part<P, T>(
    parts: &Mutex<(impl Iterator<Item = io::Result<P>>, SyncSender<io::Result<Receiver<T>>>)>,
) -> Option<(P, SyncSender<T>)> {
    let mut parts = parts.lock().ok()?;
    let (parts, queue) = &mut *parts;
    match parts.next()? {
        Ok(part) => {
            let (sender, receiver) = sync_channel(1);
            queue.send(Ok(receiver)).ok()?;
            Some((part, sender))
        }
        Err(error) => {
            queue.send(Err(error)).ok()?;
            None
        }
    }
}

/// Reads the stream part by part and counts its lines.
struct Parts<R> {
    reader: ChunkReader<R>,
    lines: usize,
}

impl<R: Read> Parts<R> {
    fn of(stream: R) -> Parts<R> {
        Parts { reader: ChunkReader::new(stream), lines: 0 }
    }
}

impl<R: Read> Iterator for Parts<R> {
    type Item = io::Result<Part>;

    fn next(&mut self) -> Option<io::Result<Part>> {
        let chunk = match self.reader.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        let lines = self.lines;
        self.lines += line_breaks(&chunk.bytes);
        Some(Ok(Part { chunk, lines }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_few_lines_of_play() {
        let varied = format!("[A \"1\"]\n\n1. e4 {}*\n\n", "(1. d4) ".repeat(99));
        let event = "[Event \"1\"]\n\n1. e4 *\n\n";
        for (text, lines) in
            [(varied.repeat(250), 100), ("1. e4 *\n".repeat(25_000), 1), (event.repeat(25_000), 1)]
        {
            for jobs in [1, 2] {
                let mut found: Vec<(usize, usize, PooledBytes)> = Vec::new();
                let mut games = Vec::new();
                let place = |record: &Record<'_>, source: &Source<'_>| {
                    (record.offset(), source.locate(record.offset()).line)
                };
                let ended = each_record(
                    text.as_bytes(),
                    jobs,
                    || (),
                    |(), record, source| place(record, source),
                    |batch| {
                        assert!(batch.items.len() * lines < BATCH_LINES_MAX + lines, "{}", batch.items.len());
                        found.push((batch.offset, batch.lines, batch.text));
                        games.extend(batch.items);
                        ControlFlow::<()>::Continue(())
                    },
                );
                assert!(ended.is_ok_and(|flow| flow.is_continue()));
                assert_eq!(
                    found.iter().map(|(_, _, text)| &text[..]).collect::<Vec<_>>().concat(),
                    text.as_bytes()
                );
                for (offset, lines, _) in &found {
                    assert_eq!(line_breaks(&text.as_bytes()[..*offset]), *lines);
                }
                let size = text.len() / games.len();
                assert!(games.iter().enumerate().all(|(game, (offset, _))| *offset == game * size), "{jobs}");
                let lines = line_breaks(&text.as_bytes()[..size]);
                assert!(
                    games.iter().enumerate().all(|(game, (_, line))| *line == game * lines + 1),
                    "{jobs}"
                );
            }
        }
    }

    /// The texts of the records of a stream, and whether each was read alone.
    fn texts(text: &[u8], alone: bool) -> Vec<(Vec<u8>, bool)> {
        let mut found = Vec::new();
        let text_of = |(): &mut (), record: &Record<'_>, source: &Source<'_>| {
            let own = record.source();
            (own.to_vec(), source.text().len() == own.len() && source.offset() == 0 && record.offset() == 0)
        };
        let emit = |batch: Batch<_>| {
            found.extend(batch.items);
            ControlFlow::<()>::Continue(())
        };
        let ended = match alone {
            true => each_record_alone(text, 1, || (), text_of, emit),
            false => each_record(text, 1, || (), text_of, emit),
        };
        assert!(ended.is_ok_and(|flow| flow.is_continue()));
        found
    }

    #[test]
    fn records_that_come_alone_are_the_same_records() {
        let sorts = [
            "[Event \"1\"]\n\n1. e4 {[Event \"no\"]\n} e5 *\n\n",
            "[White \"Ann\"]\r\n\r\n1. d4 {never closed\r\n\r\n",
            "1. e4 e5 1-0 1. d4 0-1\n",
            "% a line\n[A \"1\"]\n[B 2]\n\n",
            "\n\n[Event \"2\"] 1. c4 ; [A \"1\"]\n*\n",
            "words before a game\n",
        ];
        for first in sorts {
            for second in sorts {
                for third in sorts {
                    let text = [first, second, third].concat();
                    let (whole, alone) = (texts(text.as_bytes(), false), texts(text.as_bytes(), true));
                    let bytes = |all: &[(Vec<u8>, bool)]| Vec::from_iter(all.iter().map(|one| one.0.clone()));
                    assert_eq!(bytes(&whole), bytes(&alone), "{text:?}");
                }
            }
        }
        let two = texts("[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n1. d4 *\n".as_bytes(), true);
        assert!(two.len() == 2 && two.iter().all(|(_, alone)| *alone));
        let tagless = texts(b"1. e4 * 1. d4 *", true);
        assert!(tagless.len() == 2 && !tagless.iter().any(|(_, alone)| *alone));
    }
}
