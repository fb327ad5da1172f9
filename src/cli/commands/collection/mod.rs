//! Verbs over collections: choose, order, divide, join, count, and change what all records have alike.

pub(super) mod add;
pub(super) mod boards;
pub(super) mod cut;
pub(super) mod head;
pub(super) mod merge;
pub(super) mod names;
pub(super) mod sample;
pub(super) mod sort;
pub(super) mod split;
pub(super) mod stats;
pub(super) mod strip;
pub(super) mod table;

use crate::cli::output::{Console, Failure};
use crate::cli::records::{FilesArg, LanguageArg, ReadArgs, each_file, each_game, write_record};
use crate::cli::session::Session;
use ferz::record::Record;
use ferz::replay::{Replayer, Report, Source, WORKS_ON_ONE};
use ferz::text::{Edit, edited};

/// The records of a collection.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Collection {
    #[command(flatten)]
    files: FilesArg,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

impl Collection {
    /// Calls `work` for each record, on several threads, and `each` with every outcome in order.
    ///
    /// # Errors
    /// If a file cannot be read, or `each` fails.
    fn each<T: Send>(
        &self,
        session: &mut Session<'_>,
        work: impl Fn(&mut Replayer<'_>, &Record<'_>, &Source<'_>) -> T + Sync,
        mut each: impl FnMut(&mut Console, Place<'_>, T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let files = self.files.all();
        each_file(&files, session, |session, file| {
            let look = |(replayer, ()): (&mut Replayer<'_>, &mut ()),
                        record: &Record<'_>,
                        source: &Source<'_>| work(replayer, record, source);
            let take = |console: &mut Console, file: &str, game: usize, item: T| {
                each(console, Place { file, game, only: files.len() < 2 }, item)
            };
            each_game((&self.read, &self.letters), session, file, || (), look, take).map(|_| ())
        })
    }

    /// [`Collection::each`] for records that are written again as they are.
    ///
    /// # Errors
    /// As there.
    fn each_text(
        &self,
        session: &mut Session<'_>,
        each: impl FnMut(&mut Console, Place<'_>, Vec<u8>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.each(session, |_, record, _| text_of(record), each)
    }

    /// Writes each record with the changes that `work` makes; where it says why there are none, the record is written
    /// as it is, with the reason in a note. Returns how many stayed.
    ///
    /// # Errors
    /// As there.
    fn rewrite(
        &self,
        session: &mut Session<'_>,
        work: impl Fn(&mut Replayer<'_>, &Record<'_>, &Source<'_>) -> Result<Vec<u8>, String> + Sync,
    ) -> Result<usize, Failure> {
        let mut stayed = 0;
        let change = |replayer: &mut Replayer<'_>, record: &Record<'_>, source: &Source<'_>| {
            work(replayer, record, source).map_err(|why| (why, text_of(record)))
        };
        self.each(session, change, |console, place, changed| match changed {
            Ok(text) => write_record(console, &text),
            Err((why, text)) => {
                stayed += 1;
                console.note(&format!("{place}: {why}"))?;
                write_record(console, &text)
            }
        })?;
        Ok(stayed)
    }
}

/// Why a record is written as it is: it cannot be judged, or is on two boards.
fn no_trace(report: &Report) -> String {
    match report.is_judged() {
        true => format!("written as it is: {WORKS_ON_ONE}"),
        false => "not judged, and written as it is; `ferz validate` says why".to_owned(),
    }
}

/// Where a record is.
#[derive(Debug, Clone, Copy)]
struct Place<'f> {
    file: &'f str,
    /// Its number in the file, from 1.
    game: usize,
    /// There is one file, which need not be named.
    only: bool,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.only {
            true => write!(f, "game {}", self.game),
            false => write!(f, "{}: game {}", self.file, self.game),
        }
    }
}

/// Words of one argument, separated by commas.
#[derive(Debug, Clone)]
struct Listed<T>(Vec<T>);

/// Reads a list of names.
fn listed<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<Listed<T>, String> {
    let names = || all.iter().map(|known| name(*known)).collect::<Vec<_>>().join(", ");
    let one = |word: &str| {
        let known = all.iter().copied().find(|known| name(*known).eq_ignore_ascii_case(word.trim()));
        known.ok_or_else(|| format!("`{word}` is not one of {}", names()))
    };
    text.split(',').map(one).collect::<Result<_, _>>().map(Listed)
}

/// A record's own bytes.
fn text_of(record: &Record<'_>) -> Vec<u8> {
    record.source().trim_ascii().to_vec()
}

/// A record's own bytes, changed in places.
fn changed(record: &Record<'_>, edits: &[Edit]) -> Vec<u8> {
    edited(record.source(), record.offset(), edits).trim_ascii().to_vec()
}

/// What a record has in a tag or, without it, derives: `None` if nothing is known, as with `?` and dots.
fn known(value: &str) -> Option<&str> {
    let value = value.trim();
    let says_something = value.chars().any(|letter| !matches!(letter, '?' | '.' | '-' | '*' | ' '));
    says_something.then_some(value)
}

/// The value of a tag, whatever the case of its name.
fn tag_of(record: &Record<'_>, name: &str) -> Option<String> {
    let value = record.tag(name)?;
    known(&value).map(str::to_owned)
}
