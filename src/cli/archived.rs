//! The games of an archive as a text, so that every command that reads files reads archives.

use ferz::archive::{Archive, ArchiveError, Filter, Rulebooks, Text, Which};
use ferz::notation::Style;
use ferz::record::read;
use ferz::replay::{LanguageChoice, Options, Replayer, Source};
use ferz::rewrite::{ConvertOptions, Converted, convert};
use ferz::rules::Registry;
use rayon::prelude::*;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Pages that wait for the reader.
const PAGES_READY: usize = 2;

/// True for a file that may be an archive.
pub(super) fn begins(head: &[u8]) -> bool {
    head.starts_with(b"SQLite format 3\0")
}

/// The first text of each game that is not withdrawn, in the order of the archive. A text that needed options to be
/// read is written again in the export format, which needs none.
pub(super) struct Archived {
    pages: Receiver<io::Result<Vec<u8>>>,
    current: Cursor<Vec<u8>>,
}

impl Archived {
    /// Opens an archive.
    ///
    /// # Errors
    /// If the file is not one, or has a later version.
    pub(super) fn open(path: &Path) -> Result<Archived, ArchiveError> {
        let archive = Archive::open_existing(path)?;
        let (sender, pages) = sync_channel(PAGES_READY);
        std::thread::spawn(move || {
            if let Err(error) = send(&archive, &sender) {
                // Who reads no more needs no error.
                let _ = sender.send(Err(io::Error::other(error.to_string())));
            }
        });
        Ok(Archived { pages, current: Cursor::default() })
    }
}

/// Sends the texts, page by page, as long as they are read.
fn send(archive: &Archive, sender: &SyncSender<io::Result<Vec<u8>>>) -> Result<(), ArchiveError> {
    let filter = Filter { withdrawn: Some(false), ..Filter::default() };
    let books = Rulebooks::new(archive, Registry::built_in());
    let mut last: Vec<u8> = Vec::new();
    for page in archive.texts(&filter, Which::First) {
        let texts: Vec<_> = page?.par_iter().map(|text| alone(text, &books)).collect();
        let mut joined = Vec::new();
        for text in texts {
            let text = text?;
            if !last.is_empty() {
                joined.extend_from_slice(separator(&last, &text).0);
            }
            joined.extend_from_slice(&text);
            last = text;
        }
        if sender.send(Ok(joined)).is_err() {
            break;
        }
    }
    Ok(())
}

/// A text that reads as its game without options.
fn alone(text: &Text, books: &Rulebooks<'_>) -> Result<Vec<u8>, ArchiveError> {
    if let Options { variant: None, style: None, language: LanguageChoice::Auto, .. } = text.options {
        return text.bytes();
    }
    let options = ConvertOptions { digest: true, ..ConvertOptions::new(Style::San) };
    converted(text, books, &options).map(|converted| converted.text.into_bytes())
}

impl Read for Archived {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.pages.recv() {
                Ok(page) => self.current = Cursor::new(page?),
                Err(_) => return Ok(0),
            }
        }
    }
}

/// The separator with which two texts read as two records: usually none. The second value is false if it adds a result
/// to the first text.
pub(super) fn separator(first: &[u8], second: &[u8]) -> (&'static [u8], bool) {
    let parts = |between: &[u8]| {
        let joined = [first, between, second].concat();
        let starts: Vec<usize> = read(&joined, 0).map(|record| record.offset()).collect();
        starts == [0, first.len() + between.len()] || starts == [0, first.len()]
    };
    let clean: [&[u8]; 3] = [b"", b"\n", b"\n\n"];
    // Other programs read a tag pair only where a line starts.
    let glued = second.starts_with(b"[") && !first.ends_with(b"\n");
    match clean.into_iter().skip(usize::from(glued)).find(|between| parts(between)) {
        Some(between) => (between, true),
        None => (b"\n\n*\n\n", false),
    }
}

/// The record of a text, by the rules that it was judged by.
pub(super) fn converted(
    text: &Text,
    books: &Rulebooks<'_>,
    options: &ConvertOptions,
) -> Result<Converted, ArchiveError> {
    let bytes = text.bytes()?;
    let record = read(&bytes, 0).next();
    let record = record.ok_or_else(|| ArchiveError::Corrupt("a text contains no game".to_owned()))?;
    let book = books.of(&record, &text.options, text.rules.as_ref())?;
    let mut replayer = Replayer::new(&book, text.options.clone());
    let class = books.codified_class(text.rules.as_ref())?;
    let options = ConvertOptions { class, ..options.clone() };
    Ok(convert(&mut replayer, &record, &Source::new(&bytes, 0, 0), 0, &options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_apart() {
        for (first, second, between, is_clean) in [
            ("1. e4 *\n\n", "[Event \"?\"]\n\n1. d4 *\n", "", true),
            ("1. e4 1-0 ", "1. d4 0-1", "", true),
            ("1. e4 *", "[Event \"?\"]\n\n1. d4 *\n", "\n", true),
            ("[A \"1\"]\n\n1. e4\n", "[A \"2\"]\n\n1. d4\n", "", true),
            ("1. e4 e5\n", "1. d4 d5\n", "\n\n*\n\n", false),
        ] {
            let found = separator(first.as_bytes(), second.as_bytes());
            assert_eq!(found, (between.as_bytes(), is_clean), "{first:?} {second:?}");
        }
    }
}
